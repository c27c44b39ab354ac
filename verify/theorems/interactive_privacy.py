"""Proofs in the kernel of what Interactive zCDP says of the decisions along one sequence of arms.

The adversary that asks for these arms whatever it hears hands the policy the rewards of a list. What it hears then are
independent decisions: their divergence is the sum over the rounds, and it is that of groups of rewards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.histories import apart_in, history_is_told, last_action_is_kept, one_round_more
from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.divergences import kl_of_renyi
from banditproof.verify.theorems.policies import *
from banditproof.verify.theorems.renyi import ABOVE_ONE, alpha, mean_of_exp_positive, one_step_more

m, j, c, o, rho = map(var, ("m", "j", "c", "o", "rho"))


def reward(k: Any) -> Term:
    return app("rewards", k)


def other(k: Any) -> Term:
    return app("others", k)


def mixed(count: Any, k: Any) -> Term:
    """The list with the first rewards of `others`, so many, and then those of `rewards`."""
    return ind(count, k) * reward(k) + (1 - ind(count, k)) * other(k)


def later(first: Theorem, second: Theorem, below: Theorem) -> Theorem:
    """m + 1 <= k of natural m < k."""
    m, k = below.conclusion.args  # type: ignore[union-attr]
    return auto(le(m + 1, k), nat_nonnegative(nat_minus(first, second, below)))


class Places:
    """Runs on the lists from `rewards` to `others`, whose rewards change one by one; they hear of the arm `asked`."""

    def __init__(self, asked: Callable[[Any, Any], Any]):
        self.asked = asked

    def runs(self, count: Any) -> Runs:
        """Those on the list with so many rewards of `others`."""
        return Runs(lambda k, said, arm: (self.asked(k, arm), mixed(count, k)))

    def view(self, count: Any, rounds: Any = T) -> Term:
        """The law of their actions."""
        return Term("mix", (("z",), self.runs(count).law(rounds), Term("dirac", (SAID,))))

    def unchanged(self, k: Term, before: Theorem, behind: Theorem) -> tuple[Theorem, Theorem]:
        """The lists of m and of m + 1 are the same in place k < m, and in k > m."""
        goal = eq(mixed(m, k), mixed(m + 1, k))
        first = not_at_most(before), not_at_most(auto(lt(k, m + 1), before))
        next_k = later(assume(nat(m)), assume(nat(k)), behind)
        second = at_most(behind), at_most(next_k)
        return tuple(auto(goal, *((reward(k) - other(k), f) for f in facts)) for facts in (first, second))  # type: ignore[return-value]

    def no_change(self) -> Theorem:
        """The means over the runs with m and m + 1 are the same where place m has the same reward in both lists."""
        known = assume(eq(reward(m), other(m)))
        low, high = assume(lt(n, m)), assume(lt(m, n))
        before, behind = self.unchanged(n, low, high)
        proved = antisymmetric(assume(le(n, m)), assume(le(m, n)))
        goal = eq(mixed(m, n), mixed(m + 1, n))
        at_m = auto(eq(reward(n), other(n)), known, *(same(proved, "w", f(var("w"))) for f in (reward, other)))
        here = auto(goal, (ind(m, n) - ind(m + 1, n), at_m))
        places = cases(cases(here, behind, n, m), before, m, n)
        agree = same(places, "w", app("g", app("after", z, a, self.asked(n, a), var("w"))))
        return for_all("g", instance(same_law(self.runs(m), self.runs(m + 1), None, agree)))

    def one_more(self) -> Theorem:
        """How many places differ before m + 1: as many as before m, and one more unless place m is the same."""
        return uniform_next(assume(nat(m)), "j", 1 - equal(reward(j), other(j)))

    def where_same(self, proved: Theorem) -> Theorem:
        """Before m + 1 as many places differ as before m."""
        return auto(eq(apart_in(m + 1), apart_in(m)), self.one_more(), same(proved, "w", equal(var("w"), other(m))))

    def where_other(self, zero: Theorem) -> Theorem:
        """One place more differs before m + 1."""
        return auto(eq(apart_in(m + 1), apart_in(m) + 1), self.one_more(), zero)

    def kept(self, proved: Theorem) -> Theorem:
        """`no_change` where place m < T is the same, as m + 1 <= T says."""
        known = for_all("", self.no_change(), lt(m, T), eq(reward(m), other(m)))
        return instance(known, {}, auto(lt(m, T), assume(le(m + 1, T))), proved)


class Groups(Places):
    """What Interactive zCDP says of the adversary that asks for the arms of the sequence."""

    def __init__(self, statement: All):
        super().__init__(lambda k, arm: letter(k))
        self.private = last_premise(statement)
        self.given = parts_of(statement.then)[1]

    def one_change(self) -> Theorem:
        """D_alpha(view(m) || view(m + 1)) <= alpha rho for natural m < T: a change of one reward."""
        values = {
            "table": fn("i a", mixed(m, i)),
            "changed": fn("i a", mixed(m + 1, i)),
            "j": m,
            "adversary": fn("i o a", letter(i)),
        }
        orders = lt(i, m), lt(m, i)
        equal_places = self.unchanged(i, *map(assume, orders))
        below = [for_all("i", f, nat(i), f_order) for f, f_order in zip(equal_places, orders, strict=True)]
        known = [*map(assume, self.given), assume(nat(m)), assume(lt(m, T)), assume(ABOVE_ONE), *below]
        conditions = [shown(replace(g, values), known) for g in self.private.given]
        return instance(assume(self.private), values, *conditions)

    def kl(self) -> Theorem:
        """D_KL(view(0) || view(T)) <= rho d_Ham^2: by induction over the places, `one_step_more` where they differ."""
        pm, enough = assume(nat(m)), assume(le(m + 1, T))
        far, g = apart_in(m), app("g", z)
        few, before = auto(lt(m, T), enough), auto(le(m, T), enough)
        above = assume(ABOVE_ONE)
        one_change = instance(for_all("", for_all("order", self.one_change(), ABOVE_ONE), lt(m, T)), {}, few)
        below = bounds_of_event(equal(reward(j), other(j)), equal_is_event(reward(j), other(j)))[1]
        summand = mono(auto(le(0, 1 - equal(reward(j), other(j))), below), "j", uniform(m))
        far_low = product(nat_nonnegative(pm), summand)

        # while no place differs, the views are the same
        def nothing_yet(count: Any) -> All:
            given = le(count, T), le(apart_in(count), 0)
            return All(("g",), given, eq(self.runs(0).mean(T, g), self.runs(count).mean(T, g)))

        claim, goal = nothing_yet(m), nothing_yet(m + 1)
        base = for_all("g", auto(nothing_yet(0).then), *nothing_yet(0).given)  # type: ignore[arg-type]
        none = assume(goal.given[1])

        def still(proved: Theorem) -> Theorem:
            less = auto(le(far, 0), none, self.where_same(proved))
            known = instance(self.kept(proved), {})
            return auto(goal.then, instance(assume(claim), {}, before, less), known)  # type: ignore[arg-type]

        def never(_: Term, zero: Theorem) -> Theorem:
            false = contradiction(none, far_low, self.where_other(zero))
            return absurd(false, goal.then)  # type: ignore[arg-type]

        start = induction("m", base, unless_equal(reward(m), other(m), still, never), claim)

        # then by one place after the other
        def close(count: Any) -> All:
            given = le(count, T), ABOVE_ONE, lt(0, apart_in(count))
            cost = alpha * rho * apart_in(count) * apart_in(count)
            return All(("order",), given, renyi_at_most(self.view(0), self.view(count), alpha, cost))

        claim, goal = close(m), close(m + 1)
        wanted = goal.then.then  # type: ignore[union-attr]
        zero_far = close(0)
        base = for_all("u", absurd(assume(zero_far.given[2]), zero_far.then.then))  # type: ignore[union-attr]
        base = base
        known = for_all("order", instance(assume(claim), {}, before, above, assume(lt(0, far))), ABOVE_ONE)

        def cost_of(d: Any) -> Term:
            return exp((alpha - 1) * alpha * rho * d * d)

        def longer(proved: Theorem) -> Theorem:
            same_far = self.where_same(proved)
            some = auto(lt(0, far), assume(goal.given[2]), same_far)
            at_m = instance(for_all("", known, lt(0, far)), {}, some)
            here = instance(instance(at_m, {}, above), {})
            moved = instance(self.kept(proved), {"g": fn("z", exp(alpha * app("u", SAID)))})
            return auto(wanted, here, (alpha - 1, moved), same(same_far, "w", cost_of(var("w"))))

        def changed(_: Term, zero: Theorem) -> Theorem:
            larger = self.where_other(zero)
            cost = same(larger, "w", cost_of(var("w")))
            values = {"P": fn("", self.view(0)), "Q": fn("", self.view(m)), "R": fn("", self.view(m + 1)), "k": far}
            more = instance(instance(one_step_more(), values, assume(lt(0, far)), above, known, one_change), {})
            grown = auto(wanted, more, cost)
            nothing = antisymmetric(assume(le(far, 0)), far_low)
            moved = instance(instance(start, {}, pm), {}, before, assume(le(far, 0)))
            moved = instance(for_all("g", moved), {"g": fn("z", exp((alpha - 1) * app("u", SAID)))})
            single = same(nothing, "w", cost_of(var("w") + 1))
            first = auto(wanted, (alpha, moved), instance(instance(one_change, {}, above), {}), single, cost)
            return cases(first, grown, far, term(0))

        proved = for_all("u", unless_equal(reward(m), other(m), longer, changed))

        # and the divergence of order one
        far, pT = apart_in(T), assume(nat(T))
        at_T = instance(induction("m", base, proved, claim, at=T), {}, above, assume(lt(0, far)))
        nonnegative = assume(le(0, rho))
        far_T = product(nat_nonnegative(pT), mono(auto(le(0, 1 - equal(reward(j), other(j))), below), "j", uniform(T)))
        positive = product(product(nonnegative, far_T), far_T)
        some = instance(
            kl_of_renyi(self.view(0), self.view(T), rho * far * far, for_all("order", at_T, ABOVE_ONE), positive), {}
        )
        goal = kl_at_most(self.view(0), self.view(T), rho * far * far)
        moved = instance(
            for_all("g", instance(instance(start, {"m": T}), {}, assume(le(far, 0)))), {"g": fn("z", app("u", SAID))}
        )
        nothing = auto(goal.then, moved, mono(exp_tangent(app("u", x)), "x", self.view(T)), positive)
        return for_all("u", cases(nothing, some, far, term(0)))


ALONG = Places(lambda k, arm: letter(k))


class Side:
    """Runs with an adversary whose answers are fixed: what it says is heard round by round, and makes the history."""

    def __init__(self, runs: Runs, history: Callable[[Any], Term], first: Theorem, longer: Theorem):
        """`first`: history(0) is what is told at the start. `longer`: how history(n + 1) goes on, for n < T."""
        self.runs, self.history, self.first, self.longer = runs, history, first, longer

    def decision(self, k: Any, body: Term) -> Term:
        """The mean of a body of the action a in round k, after the history along the sequence."""
        return mean("a", law("pi", k, self.history(k)), body)

    def said(self) -> Theorem:
        """What is said after round n."""
        asked, heard = self.runs.answer(n, SAID, a)
        return instance(assume(said_is_kept()), {"q": asked, "r": heard})

    def known(self) -> Theorem:
        """The runs of n <= T rounds are told the history along the sequence: E f(told, said) is that of it."""
        f = app("f", TOLD, SAID)
        along = app("f", self.history(n), SAID)
        claim = All(("f",), (le(n, T),), eq(self.runs.mean(n, f), self.runs.mean(n, along)))
        start = same(self.first, "v", app("f", var("v"), START))
        at_none = app("f", self.history(0), SAID)
        base = auto(
            eq(self.runs.mean(0, f), self.runs.mean(0, at_none)), self.runs.none(f), self.runs.none(at_none), start
        )
        base = base
        pn, enough = assume(nat(n)), assume(le(n + 1, T))
        few = auto(lt(n, T), enough)
        after, (asked, heard) = self.runs.after(n, z, a), self.runs.answer(n, SAID, a)
        told, said = instance(assume(history_is_told()), {"q": asked, "r": heard}), self.said()
        after_said, next_said = app("said", after), app("pair", SAID, a)

        def told_as(history: Any) -> Term:
            return one_round_more(history, asked, heard)

        body = app("f", app("told", after), after_said)
        facts = [same(told, "v", app("f", var("v"), after_said)), same(said, "v", app("f", told_as(TOLD), var("v")))]
        drawn = law("pi", n, TOLD)
        of_told = mono(
            mono(auto(eq(body, app("f", told_as(TOLD), next_said)), *facts), "a", drawn), "z", self.runs.law(n)
        )
        p, q = var("p"), var("q")

        def of_function(inner: Term) -> Theorem:
            """The claim of the function of (told, said) that the mean of `inner` over the next action is."""
            whole = mean("a", law("pi", n, p), inner)
            return instance(assume(claim), {"f": fn("p q", whole)}, auto(le(n, T), enough))

        known = of_function(app("f", told_as(p), app("pair", q, a)))
        grown = instance(for_all("", self.longer, lt(n, T)), {}, few)
        at_next = mean("a", law("pi", n, self.history(n)), app("f", var("v"), next_said))
        here = mono(same(grown, "v", at_next), "z", self.runs.law(n))
        fixed = app("f", self.history(n + 1), SAID)
        of_said = mono(
            mono(same(said, "v", app("f", self.history(n + 1), var("v"))), "a", drawn), "z", self.runs.law(n)
        )
        again = of_function(app("f", self.history(n + 1), app("pair", q, a)))
        goal = eq(self.runs.mean(n + 1, f), self.runs.mean(n + 1, fixed))
        proved = auto(goal, self.runs.next(pn, f), self.runs.next(pn, fixed), of_told, known, here, of_said, again)
        return instance(induction("n", base, proved, claim), {}, pn)

    def next(self, g: Term) -> Theorem:
        """E g(said) after n + 1 rounds is E E g(pair(said, a)), a being drawn after the history along the sequence."""
        pn, enough = assume(nat(n)), assume(le(n + 1, T))
        of_o = substitute(g, {"o": var("v")})
        moved = mono(mono(same(self.said(), "v", of_o), "a", law("pi", n, TOLD)), "z", self.runs.law(n))
        p, q = var("p"), var("q")
        whole = mean("a", law("pi", n, p), substitute(g, {"o": app("pair", q, a)}))
        known = instance(self.known(), {"f": fn("p q", whole)}, auto(le(n, T), enough))
        of_said, of_pair = (substitute(g, {"o": t}) for t in (SAID, app("pair", SAID, a)))
        goal = eq(self.runs.mean(n + 1, of_said), self.runs.mean(n, self.decision(n, of_pair)))
        return auto(goal, self.runs.next(pn, of_said), moved, known)


def _on_list(statement: All, count: Term, name: str, rewards: str, listed: Theorem) -> Side:
    """One of the two lists, with the histories of this name. `listed`: the mixed list has its reward in round n < T."""
    first, longer = (assume(f) for f in parts_of(statement.then)[1] if name in free_in(f))
    grown = instance(longer, {"i": n}, assume(nat(n)), assume(lt(n, T)))
    asked = same(listed, "v", one_round_more(app(name, n), letter(n), var("v")))
    goal = eq(app(name, n + 1), one_round_more(app(name, n), letter(n), mixed(count, n)))
    return Side(ALONG.runs(count), lambda k: app(name, k), first, auto(goal, grown, asked))


def view(side: Side, rounds: Any = T) -> Term:
    """The law of the actions of so many rounds."""
    return Term("mix", (("z",), side.runs.law(rounds), Term("dirac", (SAID,))))


@proof
def group_privacy_along_histories(statement: All) -> Theorem:
    """The divergence of the views is that of groups, and at least the sum of those of the decisions."""
    goal = parts_of(statement.then)[2]
    pn = assume(nat(n))
    mine = at_most(nat_nonnegative(pn)), not_at_most(assume(lt(n, T)))
    first = auto(eq(mixed(0, n), reward(n)), (reward(n) - other(n), mine[0]))
    last = auto(eq(mixed(T, n), other(n)), (reward(n) - other(n), mine[1]))
    here = _on_list(statement, term(0), "past", "rewards", first)
    there = _on_list(statement, T, "rival", "others", last)
    most = rho * apart_in(T) * apart_in(T)
    return decisions_at_most(here, there, Groups(statement).kl(), most, goal)


def decisions_at_most(here: Side, there: Side, divergence: Theorem, most: Term, goal: All) -> Theorem:
    """The sum of the divergences of the decisions is at most that of the views: whatever functions v(i, .) of the
    single actions there are, v - log E' e^v adds up to a function of all of them."""
    pn = assume(nat(n))

    def v(k: Any) -> Term:
        return app("v", k, a)

    def gain(k: Any) -> Term:
        return here.decision(k, v(k)) - Term("log", (there.decision(k, exp(v(k))),))

    def total(rounds: Any) -> Term:
        return sum_of(gain, rounds)

    def known(rounds: Any, most: Any) -> All:
        return kl_at_most(view(here, rounds), view(there, rounds), most)

    claim = All(("c",), (le(n, T), known(n, c)), le(total(n), c))
    nothing = instance(assume(known(term(0), c)), {"u": fn("x", 0)})
    base = auto(le(total(0), c), nothing)
    enough, after_next = assume(le(n + 1, T)), known(n + 1, c)
    rest = Term("log", (there.decision(n, exp(v(n))),))
    grown = app("u", o) + v(n) - rest
    tells = assume(All(("o", "a"), (), eq(app("G", app("pair", o, a)), grown)))
    longer = instance(assume(after_next), {"u": fn("o", app("G", o))})
    at_said = instance(tells, {"o": SAID})
    steps = here.next(app("G", o)), there.next(exp(app("G", o)))
    said = (
        mono(mono(at_said, "a", law("pi", n, here.history(n))), "z", here.runs.law(n)),
        mono(mono(exp_equal(at_said), "a", law("pi", n, there.history(n))), "z", there.runs.law(n)),
    )
    value = exp_log(mean_of_exp_positive("a", law("pi", n, there.history(n)), v(n)))
    test = exp(app("u", SAID))
    even = mono(auto(eq(test * exp(-rest) * there.decision(n, exp(v(n))), test), value), "z", there.runs.law(n))
    wanted = known(n, c - gain(n)).then
    excess = wanted.args[0] - wanted.args[1]  # type: ignore[union-attr]
    no_more = auto(le(excess, 0), longer, *steps, *said, even)
    of_some = no_more
    kept = assume(last_action_is_kept())
    proved = instance(instance(kept, {"g": fn("o a", grown)}), {"c": excess}, of_some)
    less = auto(wanted, proved)  # type: ignore[arg-type]
    before = instance(assume(claim), {"c": c - gain(n)}, auto(le(n, T), enough), less)
    step = auto(le(total(n + 1), c), before, uniform_next(pn, "j", gain(j)))
    gains = instance(induction("n", base, step, claim, at=T), {"c": most}, divergence)
    of_j = there.decision(j, exp(v(j)))
    positive = exp_log(mean_of_exp_positive("a", law("pi", j, there.history(j)), v(j)))
    tangent = auto(le(here.decision(j, v(j)) - of_j + 1, gain(j)), exp_tangent(Term("log", (of_j,))), positive)
    below_gains = mono(tangent, "j", uniform(T))
    return for_all("v", auto(goal.then, gains, (nat_nonnegative(assume(nat(T))), below_gains)))


def _constant(name: str, rewards: str, given: tuple[Formula, ...]) -> Side:
    """The view of the adversary that asks for letter(0), ..., letter(T - 1), on a list of rewards."""
    first, longer = (assume(f) for f in given[:-1] if name in free_in(f))
    grown = instance(longer, {"i": n}, assume(nat(n)), assume(lt(n, T)))
    return Side(Runs(lambda k, said, arm: (letter(k), app(rewards, k))), lambda k: app(name, k), first, grown)


@proof
def decisions_of_the_constant_adversary(statement: All) -> Theorem:
    """The divergences of the decisions add up to no more than that of the views."""
    _, given, goal = parts_of(statement.then)
    here, there = _constant("past", "rewards", given), _constant("rival", "others", given)
    return decisions_at_most(here, there, assume(given[-1]), var("most"), goal)


@proof
def views_of_the_constant_adversary(statement: All) -> Theorem:
    """By induction over the rounds: given what was said before, the next decision adds its divergence at most."""
    _, given, goal = parts_of(statement.then)
    here, there = _constant("past", "rewards", given), _constant("rival", "others", given)
    pn, enough = assume(nat(n)), assume(le(n + 1, T))

    def gain(k: Any, f: Callable[[Any], Term]) -> Term:
        return here.decision(k, f(a)) - there.decision(k, exp(f(a))) + 1

    def sums(rounds: Any, most: Any) -> All:
        return All(("v",), (), le(sum_of(lambda k: gain(k, lambda x: app("v", k, x)), rounds), most))

    def views(rounds: Any, most: Any) -> All:
        return kl_at_most(view(here, rounds), view(there, rounds), most)

    claim = All(("c",), (le(n, T), sums(n, c)), views(n, c))
    at_start, u = app("u", START), app("u", SAID)
    nothing = instance(assume(sums(term(0), c)), {"v": fn("k x", 0)})
    starts = here.runs.none(u), there.runs.none(exp(u))
    base = auto(views(term(0), c).then, nothing, *starts, exp_tangent(at_start))
    base = base

    # the last decision has any function f of its action, those before it have v
    k, low = var("j"), var("low")
    last, next_sums = lambda x: app("f", x), assume(sums(n + 1, c))

    def either(k: Any, share: Any) -> Callable[[Any], Term]:
        return lambda x: term(share) * app("v", k, x) + (1 - term(share)) * app("f", x)

    before = ind(k + 1, n)
    early = at_most(auto(le(k + 1, n), nat_nonnegative(nat_minus(assume(nat(k)), pn, assume(lt(k, n))))))
    kept = same(early, "low", gain(k, either(k, low)))
    left, right = kept.conclusion.args  # type: ignore[union-attr]
    in_sum = sum_over(auto(eq(0, right - left), kept), "j", n)
    mixed_v = instance(next_sums, {"v": fn("j x", either(k, before)(var("x")))})
    more = uniform_next(pn, "j", gain(k, either(k, before)))
    rest = c - gain(n, last)
    shorter = auto(sums(n, rest).then, mixed_v, more, in_sum)
    of_rest = instance(assume(claim), {"c": rest}, auto(le(n, T), enough), shorter)

    grown = app("u", app("pair", o, a))
    tilted = there.decision(n, exp(grown))
    w, value = Term("log", (tilted,)), exp_log(mean_of_exp_positive("a", law("pi", n, there.history(n)), grown))
    of_w = for_all("f", instance(of_rest, {"u": fn("o", w)}))
    each = instance(of_w, {"f": fn("x", app("u", app("pair", SAID, var("x"))) - substitute(w, {"o": SAID}))})
    here_n, there_n = here.runs.law(n), there.runs.law(n)
    at_said = instance(for_all("o", value), {"o": SAID})
    w_said = substitute(w, {"o": SAID})
    fair = auto(eq(exp(-w_said) * substitute(tilted, {"o": SAID}), 1), (exp(-w_said), at_said))
    averaged = mono(each, "z", here_n)
    steps = here.next(app("u", o)), there.next(exp(app("u", o)))
    facts = averaged, mono(fair, "z", here_n), mono(at_said, "z", there_n), *steps
    every = induction("n", base, auto(views(n + 1, c).then, *facts), claim, at=T)
    return auto(goal.then, instance(instance(every, {"c": var("most")}), {}))
