"""Proofs in the kernel of what adversaries gain under zCDP by going by what they hear: nothing.

Of a policy that goes by the arms and rewards that it is told, whoever answers by the actions so far gains at most what
the worst answers that are fixed before gain. So it does not matter whether the rewards come from the column of the arm
that is asked for, from that of the arm that is played, or from the adversary.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from banditproof.verify.kernel.histories import history_is_told, last_action_is_kept, one_round_more
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.policies import processed_tables, queries, zcdp_on
from banditproof.verify.theorems.interactive_privacy import Side
from banditproof.verify.theorems.policies import (
    PLAYS,
    SAID,
    Runs,
    T,
    _below_T,
    _contradiction,
    _next_at_most,
    _runs_of,
    a,
    b,
    empty,
    i,
    last_premise,
    less_on_arms,
    letter,
    n,
    o,
    z,
)
from banditproof.verify.theorems.renyi import alpha, mean_of_exp_positive

Of = Callable[[Term], Term]
BETA = alpha / (alpha - 1)
w, most = var("w"), var("most")
NAMES = "letter v here there much less"
here, there, much, less = (partial(app, name) for name in NAMES.split()[2:])
f, g = partial(app, "f"), partial(app, "g")


def v(k: Term, arm: Term) -> Term:
    return app("v", k, arm)


def moment(first: Term, second: Term) -> Term:
    """What the divergence of order alpha is the supremum of."""
    return alpha * first - (alpha - 1) * second


def drawn(k: Term, run: Term, body: Term) -> Term:
    """The mean of a body of the arm a that the policy plays in round k after a run."""
    return mean("a", law("pi", k, app("told", run)), body)


class Paths:
    """One sequence of arms, and the two runs along it. In each round the rows of the policy have the moments of some v,
    which add up to much and less."""

    def __init__(self, left: Runs, right: Runs):
        self.left, self.right = left, right

    def rounds(self) -> tuple[Rel, ...]:
        """What round i adds."""
        arm = letter(i)
        return (
            *is_arm(arm, var("K")),
            eq(here(i + 1), self.left.after(i, here(i), arm)),
            eq(there(i + 1), self.right.after(i, there(i), arm)),
            eq(much(i + 1), much(i) + log(drawn(i, here(i), exp(v(i, a))))),
            eq(less(i + 1), less(i) + log(drawn(i, there(i), exp(BETA * v(i, a))))),
        )

    def given(self, m: Term) -> tuple[Formula, ...]:
        starts = eq(here(term(0)), empty), eq(there(term(0)), empty), eq(much(term(0)), 0), eq(less(term(0)), 0)
        return *starts, *(All(("i",), (nat(i), lt(i, m)), f) for f in self.rounds())

    def bound(self, m: Term, first: Of, second: Of) -> Rel:
        """The moment along the path of m rounds, with what comes after it, is at most a number."""
        ends = exp(much(m)) * exp(first(here(m))), exp(less(m)) * exp(second(there(m)))
        return le(moment(*ends), most)

    def every(self, m: Term, first: Of, second: Of) -> All:
        return All(tuple(NAMES.split()), self.given(m), self.bound(m, first, second))

    def worst(self) -> Theorem:
        """The moment of the runs is at most that along the worst path: by induction over the rounds.

        In the last round, let A(b) and B(b) be what comes after the arm b on both sides. With e^v = A/A(b), the bound
        along each path to b says: much E A A(b)^beta - less E[A^beta] B(b) <= most A(b)^beta. The mean over b, by the
        right row, is E[A^beta] times the bound for the last round as a whole.
        """

        def claim(m: Term) -> All:
            ends = self.left.mean(m, exp(f(z))), self.right.mean(m, exp(g(z)))
            return All(("f", "g", "most"), (le(m, T), self.every(m, f, g)), le(moment(*ends), most))

        return induct("n", self._none(claim(term(0))), self._next(claim), claim(n))

    def _none(self, claim: All) -> Theorem:
        nothing = {"letter": fn("i", 0), "v": fn("i a", 0), "here": fn("i", empty), "there": fn("i", empty)}
        nothing |= {"much": fn("i", 0), "less": fn("i", 0)}
        false = _contradiction(assume(lt(i, 0)), nat_nonnegative(assume(nat(i))))
        shown = []
        for wanted in (replace(g, nothing) for g in self.given(term(0))):
            if isinstance(wanted, All):
                shown.append(for_all("i", _anything(false, wanted.then), *wanted.given))
            else:
                shown.append(auto(wanted))
        at_start = instance(assume(claim.given[1]), nothing, *shown)
        none = (alpha, self.left.none(exp(f(z)))), (alpha - 1, self.right.none(exp(g(z))))
        return for_all("f g most", auto(claim.then, at_start, *none), *claim.given)

    def _next(self, claim: Callable[[Term], All]) -> Theorem:
        goal, pn, enough = claim(n + 1), assume(nat(n)), assume(le(n + 1, T))

        def ahead(runs: Runs, after: Of, run: Term, arm: Term) -> Term:
            return after(runs.after(n, run, arm))

        def whole(runs: Runs, after: Of, run: Term) -> Term:
            return drawn(n, run, exp(ahead(runs, after, run, a)))

        now = here(n), there(n)
        gain = ahead(self.left, f, now[0], a) - ahead(self.left, f, now[0], b)
        rows = drawn(n, now[0], exp(gain)), drawn(n, now[1], exp(BETA * gain))
        shorter, soon = ind(i, n), ind(i + 1, n)
        values = {
            "letter": fn("i", soon * letter(i) + (1 - soon) * b),
            "v": fn("i a", soon * v(i, a) + (1 - soon) * gain),
            "here": fn("i", shorter * here(i) + (1 - shorter) * self.left.after(n, now[0], b)),
            "there": fn("i", shorter * there(i) + (1 - shorter) * self.right.after(n, now[1], b)),
            "much": fn("i", shorter * much(i) + (1 - shorter) * (much(n) + log(rows[0]))),
            "less": fn("i", shorter * less(i) + (1 - shorter) * (less(n) + log(rows[1]))),
        }
        longer = instance(
            assume(goal.given[1]),
            values,
            *(self._extended(*one, values) for one in zip(self.given(n), self.given(n + 1), strict=True)),
        )
        at_b = [exp(ahead(runs, of, run, b)) for runs, of, run in zip(self._sides(), (f, g), now, strict=True)]
        factor = exp(BETA * ahead(self.left, f, now[0], b))
        eL, eR = whole(self.left, f, now[0]), whole(self.right, g, now[1])
        row = law("pi", n, app("told", now[1]))
        raised = mean("a", row, exp(BETA * ahead(self.left, f, now[0], a)))
        values_of = [
            exp_log(mean_of_exp_positive("a", law("pi", n, app("told", run)), t))
            for run, t in zip(now, (gain, BETA * gain), strict=True)
        ]
        one_arm = le(moment(exp(much(n)) * eL * factor, exp(less(n)) * raised * at_b[1]), most * factor)
        per_arm = auto(
            one_arm,
            (exp(BETA * ahead(self.left, f, now[0], b)), longer),
            (alpha * exp(much(n)) * at_b[0] * factor, values_of[0]),
            ((alpha - 1) * exp(less(n)) * at_b[1] * factor, values_of[1]),
        )
        at_a = instance(for_all("b", per_arm, *is_arm(b, var("K"))), {"b": a}, *map(assume, is_arm(a, var("K"))))
        left, right = (substitute(side, {"b": a}) for side in one_arm.args)
        averaged = less_on_arms(PLAYS, row, (n, app("told", now[1])), left, right, at_a)
        positive = mean_of_exp_positive("a", row, BETA * ahead(self.left, f, now[0], a))
        one = reciprocal(positive)
        parts = alpha * exp(much(n)) * eL, (alpha - 1) * exp(less(n)) * eR, most
        bound = le(moment(exp(much(n)) * eL, exp(less(n)) * eR), most)
        divided = auto(bound, (reciprocal_positive(positive), averaged), *((t, one) for t in parts))

        def as_exp(runs: Runs, after: Of, run: Term) -> Theorem:
            inner = ahead(runs, after, run, a)
            return exp_log(mean_of_exp_positive("a", law("pi", n, app("told", run)), inner))

        both = [(runs, of) for runs, of in zip(self._sides(), (f, g), strict=True)]
        values_now = [as_exp(*one, run) for one, run in zip(both, now, strict=True)]
        ends = [partial(lambda runs, of, run: log(whole(runs, of, run)), *one) for one in both]
        wanted = self.every(n, *ends)
        scaled = (alpha * exp(much(n)), values_now[0]), ((alpha - 1) * exp(less(n)), values_now[1])
        path = auto(wanted.then, divided, *scaled)
        tests = {name: fn("z", end(z)) for name, end in zip("fg", ends, strict=True)}
        before = instance(assume(claim(n)), tests, auto(le(n, T), enough), path)
        moved = []
        for (runs, of), number in zip(both, (alpha, alpha - 1), strict=True):
            moved += [(number, runs.next(pn, exp(of(z)))), (number, mono(as_exp(runs, of, z), "z", runs.law(n)))]
        return for_all("f g most", auto(goal.then, before, *moved), *goal.given)

    def _sides(self) -> tuple[Runs, Runs]:
        return self.left, self.right

    def _extended(self, known: Formula, said: Formula, values: dict) -> Theorem:
        """What is said of the paths of n + 1 rounds holds of one of n and an arm b."""
        pn, wanted = assume(nat(n)), replace(said, values)
        if isinstance(wanted, Rel):
            kept = at_most(nat_nonnegative(pn))
            left = wanted.args[0]
            marked = _put(left, {ind(0, n): w})
            return auto(wanted, same(kept, "w", marked), assume(said))
        natural, below = assume(nat(i)), assume(lt(i, n + 1))
        goal, last = wanted.then, replace(wanted.then, {"i": n})
        assert isinstance(goal, Rel) and isinstance(last, Rel)
        early = assume(lt(i, n))
        kept = at_most(early), at_most(_next_at_most(natural, pn, early))
        soon = []
        for side in goal.args:
            marked = _put(side, {ind(i, n): w, ind(i + 1, n): var("t")})
            first = same(kept[0], "w", substitute(marked, {"t": ind(i + 1, n)}))
            soon += [first, same(kept[1], "t", substitute(marked, {"w": term(1)}))]
        of_known = instance(assume(known), {}, natural, early)
        before = _moved(goal, of_known, soon)
        too_far = assume(lt(n, i))
        false = _contradiction(below, nat_nonnegative(nat_minus(pn, natural, too_far)))
        at_n = antisymmetric(by_contradiction(le(i, n), false), assume(le(n, i)))
        if goal.op == "=":
            ending = auto(last)
        elif goal.op == "<":
            ending = auto(last, assume(lt(b, var("K"))))
        else:
            ending = nat_equal(assume(nat(b)), auto(eq(b, last.args[0])))
        here = _moved(goal, ending, [same(at_n, "i", side) for side in goal.args])
        return for_all("i", cases(here, before, n, i), *wanted.given)


def _moved(goal: Rel, known: Theorem, equations: list[Theorem]) -> Theorem:
    """The relation, from the same one of equal numbers."""
    if goal.op != "nat":
        return auto(goal, known, *equations)
    return nat_equal(known, auto(eq(known.conclusion.args[0], goal.args[0]), *equations))  # type: ignore[union-attr]


def _anything(false: Theorem, goal: Formula) -> Theorem:
    """A relation from 0 < 0."""
    if goal.op != "nat":  # type: ignore[union-attr]
        return absurd(false, goal)  # type: ignore[arg-type]
    return nat_equal(assume(nat(i)), absurd(false, eq(i, goal.args[0])))  # type: ignore[union-attr]


def _put(t: Term, to: dict[Term, Term]) -> Term:
    """A term with others in the places of some of its parts."""
    if t in to:
        return to[t]
    return Term(t.op, tuple(_put(part, to) if isinstance(part, Term) else part for part in t.args))


class Fixed:
    """The adversary whose answers are those along a path, whatever it hears: what it hears are independent arms."""

    def __init__(self, paths: Paths, cost: Term, asked: list[All]):
        """`asked`: the adversary asks for arms."""
        self.paths, self.cost, self.asked, self.path = paths, cost, asked, paths.given(T)
        self.rounds = [assume(one) for one in self.path if isinstance(one, All)]

    def answer(self, runs: Runs, k: Term) -> tuple[Term, Term]:
        """What is told in round k along the path."""
        return runs.answer(k, app("said", here(k)), letter(k))  # type: ignore[return-value]

    def runs(self, runs: Runs) -> Runs:
        return Runs(lambda k, said, arm: self.answer(runs, k))

    def at_n(self, which: int) -> Theorem:
        """What round n < T of the path adds: the arm, here, there, much or less."""
        return instance(self.rounds[which], {"i": n}, assume(nat(n)), assume(lt(n, T)))

    def same_said(self) -> Theorem:
        """In both runs along the path the same is said, for n <= T."""
        goal = [eq(app("said", here(m)), app("said", there(m))) for m in (term(0), n, n + 1)]
        claim, said = All((), (le(n, T),), goal[1]), Term("app", ("said", w))
        base = auto(goal[0], *(same(assume(one), "w", said) for one in self.path[:2]))  # type: ignore[arg-type]
        enough = assume(le(n + 1, T))
        before = instance(assume(claim), {}, auto(le(n, T), enough))
        grown = []
        for runs, run, which in ((self.paths.left, here, 2), (self.paths.right, there, 3)):
            asked, heard = runs.answer(n, app("said", run(n)), letter(n))
            kept = instance(assume(said_is_kept()), {"z": run(n), "a": letter(n), "q": asked, "r": heard})
            grown += [same(self.at_n(which), "w", said), kept]
        longer = for_all("", auto(goal[2], *grown, same(before, "w", app("pair", w, letter(n)))), lt(n, T))
        return induction("n", base, instance(longer, {}, auto(lt(n, T), enough)), claim)

    def side(self, left: bool) -> Side:
        runs, run, which = (self.paths.left, here, 2) if left else (self.paths.right, there, 3)
        told = app("told", w)
        asked, heard = runs.answer(n, app("said", run(n)), letter(n))
        kept = instance(assume(history_is_told()), {"z": run(n), "a": letter(n), "q": asked, "r": heard})
        few = auto(le(n, T), assume(lt(n, T)))
        both = instance(instance(self.same_said(), {}, assume(nat(n))), {}, few)
        after = one_round_more(app("told", run(n)), *runs.answer(n, w, letter(n)))
        fixed = self.runs(runs)
        goal = eq(app("told", run(n + 1)), one_round_more(app("told", run(n)), *fixed.answer(n, SAID, a)))
        grown = auto(goal, same(self.at_n(which), "w", told), kept, same(both, "w", after))
        first = same(assume(self.path[0 if left else 1]), "w", told)  # type: ignore[arg-type]
        return Side(fixed, lambda k: app("told", run(k)), first, grown)

    def along(self) -> Theorem:
        """From a bound of the moments of what is heard: that of the rows along the path, which are factors of it."""
        k, e, u = var("k"), var("e"), partial(app, "u")
        sides = self.side(True), self.side(False)

        def known(m: Term) -> All:
            ends = [s.runs.mean(m, exp(c * u(SAID))) for s, c in zip(sides, (alpha - 1, alpha), strict=True)]
            return All(("u",), (), le(moment(exp(k) * ends[0], exp(e) * ends[1]), self.cost))

        def claim(m: Term) -> All:
            return All(("k", "e"), (le(m, T), known(m)), le(moment(exp(k + much(m)), exp(e + less(m))), self.cost))

        enough = assume(le(n + 1, T))
        few = auto(lt(n, T), enough)
        nothing = claim(term(0))
        begun = instance(assume(nothing.given[1]), {"u": fn("x", 0)})
        starts = [same(assume(one), "w", exp(w + c)) for one, c in zip(self.path[2:4], (k, e), strict=True)]  # type: ignore[arg-type]
        base = auto(nothing.then, begun, (alpha, starts[0]), (alpha - 1, starts[1]))
        base = base
        # a function of the actions before and one of the last are one of all of them
        goal = claim(n + 1)
        grown = u(o) + v(n, a) / (alpha - 1)
        tells = assume(All(("o", "a"), (), eq(app("G", app("pair", o, a)), grown)))
        longer = instance(assume(goal.given[1]), {"u": fn("o", app("G", o))})
        at_said = instance(tells, {"o": SAID})
        factors = alpha - 1, alpha
        moved, rows, numbers = [], [], []
        for s, c, t in zip(sides, factors, (v(n, a), BETA * v(n, a)), strict=True):
            value = auto(
                eq(exp(c * app("G", app("pair", SAID, a))), exp(c * u(SAID)) * exp(t)), same(at_said, "w", exp(c * w))
            )
            one_law = law("pi", n, s.history(n))
            moved.append(s.next(exp(c * app("G", o))))
            moved.append(mono(mono(value, "a", one_law), "z", s.runs.law(n)))
            rows.append(log(mean("a", one_law, exp(t))))
            numbers.append(exp_log(mean_of_exp_positive("a", one_law, t)))
        larger = {"k": k + rows[0], "e": e + rows[1]}
        _, _, wanted = parts_of(replace(known(n), larger))
        weights = [number * exp(one) for number, one in zip((alpha, alpha - 1), (k, e), strict=True)]
        facts = [(weights[j // 2], one) for j, one in enumerate(moved)]
        means = [s.runs.mean(n, exp(c * u(SAID))) for s, c in zip(sides, factors, strict=True)]
        facts += [(weights[j] * means[j], numbers[j]) for j in (0, 1)]
        excess = wanted.args[0] - wanted.args[1]
        no_more = auto(le(excess, 0), longer, *facts)
        kept = instance(assume(last_action_is_kept()), {"g": fn("o a", grown)})
        shorter = auto(wanted, instance(kept, {"c": excess}, no_more))
        before = instance(assume(claim(n)), larger, auto(le(n, T), enough), shorter)
        adds = [
            same(instance(for_all("", self.at_n(which), lt(n, T)), {}, few), "w", exp(w + one))
            for which, one in ((4, k), (5, e))
        ]
        step = auto(goal.then, before, (alpha, adds[0]), (alpha - 1, adds[1]))
        return induction("n", base, step, claim(n), at=T)


def _laws(goal: Rel) -> list[Term]:
    """The laws of the means in a relation."""
    found: list[Term] = []

    def look(t: Term) -> None:
        if t.op == "mean":
            found.append(t.args[1])
        else:
            for part in t.args:
                if isinstance(part, Term):
                    look(part)

    for side in goal.args:
        look(side)
    return found


@proof
def fixed_answers_are_worst(statement: All) -> Theorem:
    """Private where the answers are fixed before, so against whoever answers by the actions."""
    private = last_premise(statement)
    _, given, goal = parts_of(statement.then)
    paths = Paths(*map(_runs_of, _laws(goal.then)))
    cost, u = goal.then.args[1], partial(app, "u")
    asks = [one for one in given if isinstance(one, All) and one.then in is_arm(app("adversary", i, o, a), var("K"))]
    fixed = Fixed(paths, cost, asks)
    heard = [fixed.answer(runs, i) for runs in (paths.left, paths.right)]
    values = {"table": fn("i a", heard[0][1]), "changed": fn("i a", heard[1][1]), "adversary": fn("i o a", heard[0][0])}
    shown = [
        _along(source, replace(wanted, values), fixed) for source, wanted in zip(given, private.given, strict=True)
    ]
    said = app("said", here(T))
    constant = u(said)
    views = instance(assume(private), values, *shown)
    views = for_all("h", instance(views, {"u": fn("x", app("h", var("x")) + constant)}))
    scales = {"k": (alpha - 1) * constant, "e": alpha * constant}
    rows = instance(fixed.along(), scales, views)
    both = instance(instance(fixed.same_said(), {"n": T}, assume(nat(T))))
    first, second = (lambda run, c=c: c * u(app("said", run)) for c in (alpha - 1, alpha))
    _, rounds, wanted = parts_of(replace(paths.every(T, first, second), {"most": cost}))
    path = auto(wanted, rows, ((alpha - 1) * exp(less(T)), same(both, "w", exp(alpha * u(w)))))
    path = for_all(NAMES, path, *rounds)
    worst = instance(paths.worst(), {"n": T}, assume(nat(T)))
    proved = instance(worst, {"f": fn("z", first(z)), "g": fn("z", second(z)), "most": cost}, path)
    return auto(goal.then, proved)


def _along(source: Formula, wanted: Formula, fixed: Fixed) -> Theorem:
    """What is said of inputs holds of the answers along the path; `source` says it of those that go by the actions."""
    if isinstance(wanted, Rel):
        return assume(wanted)
    _, given, goal = parts_of(wanted)
    rounds = [one for one in given if "a" not in free_in(one)]
    natural, below = assume(nat(i)), _below_T(rounds)
    arm = [instance(one, {}, natural, below) for one in fixed.rounds[:2]]
    said = app("said", here(i))
    if goal.op != "=":
        proved = instance(assume(source), {"o": said, "a": letter(i)}, natural, below, *arm)
        return for_all("i o a", proved, *given)
    if "o" in source.params:  # type: ignore[union-attr]
        proved = instance(assume(source), {"o": said, "a": letter(i)}, *map(assume, rounds), *arm)
        return for_all("i a", proved, *given)
    column = goal.args[0].args[2]
    if column != letter(i):
        arm = [instance(assume(one), {"o": said, "a": letter(i)}, natural, below, *arm) for one in fixed.asked]
    return for_all("i a", instance(assume(source), {"a": column}, *map(assume, rounds), *arm), *given)


@proof
def closed_classes(statement: All) -> Theorem:
    """What queries make of a policy has the laws of one of its class on all tables: it is as private on them."""
    plays, *heard, closes, private = statement.given[-6:]
    theta, K, rho = map(var, ("theta", "K", "rho"))

    def of_class(round: Any, history: Any) -> Term:
        return law("pi", theta, round, history)

    processed = zcdp_on(processed_tables(of_class, T, K), rho)
    names, given, goal = parts_of(processed)
    at_twin = instance(instance(assume(private), {"theta": var("twin")}), {})
    exists = instance(assume(closes), {})  # type: ignore[union-attr]
    says = exists.conclusion.given[0].given[0]  # type: ignore[union-attr]
    u = app("u", var("x"))
    powers = ("table", exp((alpha - 1) * u)), ("changed", exp(alpha * u))
    same_laws = [
        instance(assume(says), {"table": fn("i a", app(side, i, a)), "A": fn("x", power)}) for side, power in powers
    ]
    excess = goal.then.args[0] - goal.then.args[1]
    factors = zip((alpha, alpha - 1), same_laws, strict=True)
    none = auto(le(excess, 0), instance(at_twin, {}), *factors)
    found = for_all("u", auto(goal.then, instance(exists, {"c": excess}, none)))
    private_tables = for_all(names, found, *given)

    def pi(round: Any, history: Any) -> Term:
        return law("pi", round, history)

    known = plays_arms(pi, K), *heard, zcdp_on(processed_tables(pi, T, K), rho)
    of_one = fixed_answers_are_worst(All(("pi",), known, zcdp_on(queries(pi, T, K), rho)))
    conditions = instance(assume(plays), {}), *map(assume, heard), private_tables
    return instance(of_one, {"pi": fn("i h", of_class(i, var("h")))}, *conditions)
