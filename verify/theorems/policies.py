"""Proofs in the kernel of what holds for every policy: privacy on lists, tables and trees of rewards and under queries.

Two answers that are the same on the arms give the same law of runs. Along one sequence of actions a table or a tree is
a list; a law of actions is a sum over the K^T sequences, as a mean over sequences that are drawn uniformly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product as product_of_sets
from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.policies import actions_are_kept, told_on_side
from banditproof.verify.kernel.scales import on_own_scales, scale_of
from banditproof.verify.kernel.terms import Refused

a, b, c, h, i, n, o, u, x, z, K, T = map(var, ("a", "b", "c", "h", "i", "n", "o", "u", "x", "z", "K", "T"))
empty = var("empty")
SAID, TOLD, START = app("said", z), app("told", z), app("said", empty)
Pay = Callable[[Any, Any, Any], tuple[Any, Any]]


# ----------------------------------------------------------------------------------------------------------------- arms


def vanishing(plays: Theorem, one_law: Term, at: tuple[Term, Term], f: Term, on_arms: Theorem) -> Theorem:
    """The mean of f(a) under the policy's law is 0, where f(a) = 0 of all arms a."""
    off = 1 - equal(f, 0)
    is_event = equal_is_event(f, 0)
    squared = auto(eq(off * off, off), is_event)
    without = auto(eq(off, 0), same(on_arms, "w", 1 - equal(var("w"), 0)))
    impossible = instance(plays, {"i": at[0], "h": at[1], "A": fn("a", off)}, _renamed(squared), without)
    low, _ = bounds_of_event(off, squared)

    def at_most_zero(g: Term) -> Theorem:
        """E g <= 0: g = g off <= b off for a bound b of g."""
        kept = under(f, 0, _as_function_of(g, f))
        bounded = instance(assume(All(("a",), (), le(g, var("b")))))
        below = auto(le(g, var("b") * off), (low, bounded), kept)
        averaged = auto(le(mean("a", one_law, g), 0), mono(below, "a", one_law), (var("b"), impossible))
        return some_bound(averaged, "b", ["a"], g)

    up, down = at_most_zero(f), at_most_zero(-f)
    return antisymmetric(up, auto(le(0, mean("a", one_law, f)), down))


def _as_function_of(g: Term, f: Term) -> Term:
    return var("w") if g == f else -var("w")


def _renamed(p: Theorem) -> Theorem:
    """The same of x, said of a."""
    return instance(for_all("a", p), {"a": x})


def same_on_arms(plays: Theorem, one_law: Term, at: tuple[Term, Term], f: Term, g: Term, on_arms: Theorem) -> Theorem:
    """The means of f(a) and g(a) under the policy's law are the same, where f(a) = g(a) of all arms a."""
    nothing = vanishing(plays, one_law, at, f - g, auto(eq(f - g, 0), on_arms))
    return auto(eq(mean("a", one_law, f), mean("a", one_law, g)), nothing)


def less_on_arms(plays: Theorem, one_law: Term, at: tuple[Term, Term], f: Term, g: Term, on_arms: Theorem) -> Theorem:
    """E f(a) <= E g(a) for the arm of a round after a history, where f(a) <= g(a) of all arms a."""
    above, h = ind(g, f), (f - g) * ind(g, f)
    there = antisymmetric(on_arms, assume(le(g, f)))
    none = cases(auto(eq(h, 0), (above, there)), auto(eq(h, 0), (f - g, not_at_most(assume(lt(f, g))))), g, f)
    below = mono(auto(le(f, g + h), indicator(g, f, 2)), "a", one_law)
    return auto(
        le(mean("a", one_law, f), mean("a", one_law, g)), below, same_on_arms(plays, one_law, at, h, term(0), none)
    )


# ----------------------------------------------------------------------------------------------------------------- runs


class Runs:
    """The runs of the policy with an answer: their law after m rounds, and what the next round does to a mean."""

    def __init__(self, answer: Pay, policy: Callable[[Any, Any], Term] = lambda i, h: law("pi", i, h)):
        self.answer, self.policy = answer, policy
        self.step = Term("mix", (("a",), policy(i, TOLD), Term("dirac", (self.after(i, z, a),))))

    def after(self, round: Any, run: Any, arm: Any) -> Term:
        said = substitute(SAID, {"z": term(run)})
        return app("after", run, arm, *self.answer(term(round), said, term(arm)))

    def law(self, m: Any) -> Term:
        return Term("steps", (("i", "z"), term(m), empty, self.step))

    def mean(self, m: Any, body: Term) -> Term:
        """The mean of a body of z."""
        return mean("z", self.law(m), body)

    def none(self, body: Term) -> Theorem:
        return steps_zero("z", body, "i", "z", empty, self.step)

    def next(self, natural: Theorem, body: Term) -> Theorem:
        return steps_next(natural, "x", substitute(body, {"z": x}), "i", "z", empty, self.step)


def arms_at_n(plays: Theorem, f: Term, g: Term, on_arms: Theorem) -> Theorem:
    """E f(a) = E g(a) for a ~ pi(n, told(z))."""
    return same_on_arms(plays, law("pi", n, TOLD), (n, TOLD), f, g, on_arms)


def same_law(first: Runs, second: Runs, plays: Theorem | None, agree: Theorem) -> Theorem:
    """The same law of runs of T rounds, from: in round n < T the two answers are the same on the arms, or always.

    `agree` says g(after(n, z, a)) of both, assuming nat(n) and n < T, and of arms a that they are such.
    """
    g = app("g", z)
    claim = All(("g",), (le(n, T),), eq(first.mean(n, g), second.mean(n, g)))
    base = auto(eq(first.mean(0, g), second.mean(0, g)), first.none(g), second.none(g))
    pn, enough = assume(nat(n)), assume(le(n + 1, T))
    ends = [app("g", runs.after(n, z, a)) for runs in (first, second)]
    one_law, agree = law("pi", n, TOLD), agree_before(agree, enough)
    swapped = arms_at_n(plays, ends[0], ends[1], agree) if plays else mono(agree, "a", one_law)
    averaged = mono(swapped, "z", first.law(n))
    before = instance(assume(claim), {"g": fn("z", mean("a", one_law, ends[1]))}, auto(le(n, T), enough))
    goal = eq(first.mean(n + 1, g), second.mean(n + 1, g))
    proved = auto(goal, first.next(pn, g), second.next(pn, g), averaged, before)
    return induction("n", base, proved, claim, at=T)


def means_of(same_runs: Theorem, body: Term) -> Theorem:
    """The mean of a body of z is the same for both, after T rounds."""
    return instance(same_runs, {"g": fn("z", body)})


def agree_before(agree: Theorem, enough: Theorem) -> Theorem:
    """With n + 1 <= T for n < T."""
    return instance(for_all("", agree, lt(n, T)), {}, auto(lt(n, T), enough))


# ------------------------------------------------------------------------------------------------- one sequence of arms


def word(m: Any) -> Term:
    """The first m actions of the sequence."""
    return app("word", m)


def letter(m: Any) -> Term:
    return app("letter", m)


def arms_like(c: Any) -> Term:
    """How many of the arms c is: 1 or 0."""
    return sum_of(lambda j: equal(c, j), K)


def is_word(m: Any) -> tuple[Formula, ...]:
    """word(0), ..., word(m) are the starts of one sequence of arms letter(0), letter(1), ..."""
    rounds, longer = (nat(i), lt(i, m)), eq(word(i + 1), app("pair", word(i), letter(i)))
    return eq(word(0), START), *(All(("i",), rounds, f) for f in (longer, eq(arms_like(letter(i)), 1)))


class Kept:
    """What is known of actions: they are kept, and a pair can be taken apart."""

    def __init__(self) -> None:
        self.said, self.front, self.last = map(assume, actions_are_kept())

    def of_pairs(self, s: Term, t: Term, w: Term, u: Term) -> Theorem:
        """1[pair(s, t) = pair(w, u)] = 1[s = w] 1[t = u]."""
        one, two = app("pair", s, t), app("pair", w, u)
        whole, parts = equal(one, two), equal(s, w) * equal(t, u)

        def where_equal(proved: Theorem) -> Theorem:
            front, last = (instance(f, {"x": s, "a": t, "y": w, "b": u}, proved) for f in (self.front, self.last))
            facts = (same(proved, "v", equal(var("v"), two)), same(front, "v", equal(var("v"), w)))
            end = same(last, "v", equal(var("v"), u))
            return auto(eq(whole, parts), *facts, (equal(s, w), end))

        def elsewhere(_: Term, zero: Theorem) -> Theorem:
            first = under(s, w, equal(app("pair", var("w"), t), two))
            then = under(t, u, equal(app("pair", w, var("w")), two))
            return auto(eq(whole, parts), zero, (equal(t, u), first), (equal(s, w), then))

        return unless_equal(one, two, where_equal, elsewhere)


def along(runs: Runs, kept: Kept) -> tuple[Runs, Theorem]:
    """The runs on the list of rewards that the answer gives along the word, and that they say the word as often.

    For all g: E g(z) 1[said(z) = word(T)] is the same for both.
    """
    reward = runs.answer(i, word(i), letter(i))[1]
    listed = Runs(lambda m, _, played: (played, substitute(reward, {"i": m})))
    g, one_law = app("g", z), law("pi", n, TOLD)
    longer = assume(is_word(T)[1])

    def says(m: Any) -> All:
        return All(("g",), (), eq(*(of.mean(m, g * equal(SAID, word(m))) for of in (runs, listed))))

    claim = All((), (le(n, T),), says(n))
    starts = [of.none(g * equal(SAID, word(0))) for of in (runs, listed)]
    base = auto(says(0).then, *starts)
    pn, enough = assume(nat(n)), assume(le(n + 1, T))
    next_word = instance(longer, {"i": n}, pn, auto(lt(n, T), enough))
    at_word, at_letter = equal(SAID, word(n)), equal(a, letter(n))
    target = app("g", listed.after(n, z, letter(n)))

    def next_round(of: Runs) -> tuple[Theorem, Theorem]:
        """E g(z) 1[said(z) = word(n + 1)] after one round more, and that the word is hit at its end and before."""
        last = app("g", of.after(n, z, a))
        said = instance(kept.said, dict(zip("zaqr", (z, a, *of.answer(n, SAID, a)), strict=True)))
        moved = same(said, "v", last * equal(var("v"), word(n + 1)))
        grown = same(next_word, "v", last * equal(app("pair", SAID, a), var("v")))
        split = kept.of_pairs(SAID, a, word(n), letter(n))
        told = under(SAID, word(n), app("g", app("after", z, a, *of.answer(n, var("w"), a))))
        played = under(a, letter(n), app("g", app("after", z, var("w"), *of.answer(n, word(n), var("w")))))
        goal = eq(last * equal(app("said", of.after(n, z, a)), word(n + 1)), target * at_word * at_letter)
        hit = auto(goal, moved, grown, (last, split), (at_letter, told), (at_word, played))
        return of.next(pn, g * equal(SAID, word(n + 1))), mono(mono(hit, "a", one_law), "z", of.law(n))

    before = instance(assume(claim), {}, auto(le(n, T), enough))
    known = instance(before, {"g": fn("z", target * mean("a", one_law, at_letter))})
    step = for_all("g", auto(says(n + 1).then, *next_round(runs), *next_round(listed), known))
    return listed, instance(induction("n", base, step, claim, at=T))


# ---------------------------------------------------------------------------------------------------- all K^T sequences


def drawn(m: Any) -> Term:
    """The law of m actions that are drawn uniformly from the K arms."""
    step = Term("mix", (("b",), uniform(K), Term("dirac", (app("pair", h, b),))))
    return Term("steps", (("i", "h"), term(m), START, step))


def mean_drawn(m: Any, body: Term) -> Term:
    """The mean of a body of y over these."""
    return mean("y", drawn(m), body)


def next_drawn(natural: Theorem, body: Term) -> Theorem:
    step = drawn(0).args[3]
    return steps_next(natural, "y", body, "i", "h", START, step)


y = var("y")
SOME = assume(le(1, K))


def an_arm(a: Term) -> Theorem:
    """An arm a is one of the arms: the sum of 1[a = j] over j < n is 1 - 1[n <= a]."""
    natural = assume(nat(a))

    def count(m: Any) -> Term:
        return sum_of(lambda j: equal(a, j), m)

    claim = eq(count(n), 1 - ind(n, a))
    base = auto(eq(count(0), 1 - ind(0, a)), at_most(nat_nonnegative(natural)))
    pn = assume(nat(n))
    more = uniform_next(pn, "j", equal(a, var("j")))
    goal = eq(count(n + 1), 1 - ind(n + 1, a))
    beyond = assume(lt(n, a))
    gap = nat_nonnegative(nat_minus(pn, natural, beyond))
    up = at_most(auto(le(n + 1, a), gap))
    above = auto(goal, more, assume(claim), at_most(beyond), up, (ind(n, a), not_at_most(beyond)))
    not_beyond = assume(le(a, n))
    down = not_at_most(auto(lt(a, n + 1), not_beyond))
    below = auto(goal, more, assume(claim), down, (ind(n, a), at_most(not_beyond)))
    at_K = induction("n", base, cases(below, above, a, n), claim, at=K)
    return auto(eq(count(K), 1), at_K, not_at_most(assume(lt(a, K))))


def among_all(runs: Runs, kept: Kept, plays: Theorem) -> Theorem:
    """E g(z) = K^T E g(z) 1[said(z) = y] for y drawn uniformly, for all g and n <= T."""
    g, one_law = app("g", z), law("pi", n, TOLD)
    positive = auto(lt(0, K), SOME)
    log = Term("log", (K,))

    def weight(o: Term, m: Any) -> Term:
        """1 for what is a sequence of m arms: K^m times the chance of drawing it."""
        return exp(term(m) * log) * mean_drawn(m, equal(o, y))

    claim = All(("g",), (), eq(runs.mean(n, g * weight(SAID, n)), runs.mean(n, g)))
    drawn_none = steps_zero("y", equal(START, y), "i", "h", START, drawn(0).args[3])
    starts = runs.none(g * weight(SAID, 0)), runs.none(g)
    base = auto(replace(claim, {"n": term(0)}).then, *starts, drawn_none)  # type: ignore[union-attr]
    pn = assume(nat(n))
    end = app("g", runs.after(n, z, a))
    said = instance(kept.said, dict(zip("zaqr", (z, a, *runs.answer(n, SAID, a)), strict=True)))
    longer = app("pair", SAID, a)
    moved = same(said, "v", end * weight(var("v"), n + 1))
    one_more = next_drawn(pn, equal(longer, y))
    split = mono(mono(kept.of_pairs(SAID, a, h, b), "b", uniform(K)), "h", drawn(n))
    times_K = exp_log(positive)
    count = K * mean("b", uniform(K), equal(a, b))
    scale = exp((n + 1) * log) * end
    goal = eq(end * weight(app("said", runs.after(n, z, a)), n + 1), weight(SAID, n) * end * count)
    spread = auto(goal, moved, (scale, one_more), split, times_K)
    on_arms = auto(eq(end * count, end), an_arm(a))
    counted = same_on_arms(plays, one_law, (n, TOLD), end * count, end, on_arms)
    averaged = auto(
        eq(
            mean("a", one_law, end * weight(app("said", runs.after(n, z, a)), n + 1)),
            weight(SAID, n) * mean("a", one_law, end),
        ),
        mono(spread, "a", one_law),
        counted,
    )
    known = instance(assume(claim), {"g": fn("z", mean("a", one_law, end))})
    nexts = runs.next(pn, g * weight(SAID, n + 1)), runs.next(pn, g)
    step = auto(replace(claim, {"n": n + 1}).then, *nexts, mono(averaged, "z", runs.law(n)), known)  # type: ignore[union-attr]
    return induction("n", base, step, claim, at=T)


def mean_over_arms(p: Theorem) -> Theorem:
    """0 <= E F(b) (or 0 = E F(b)) for b uniform on the arms, from the same of each arm b."""
    return mean_over(p, "b", K)


@proof
def of_single_outcomes(statement: All) -> Theorem:
    """The probability of an event is the sum of those of its outcomes."""
    plays, known = map(assume, statement.given[-2:])
    _, (near, is_event), goal = parts_of(statement.then)
    A, at_b = app("A", a), app("A", b)
    spread = mono(under(a, b, app("A", var("w"))), "b", uniform(K))
    on_arms = auto(eq(A, K * mean("b", uniform(K), at_b * equal(a, b))), (K, spread), (A, an_arm(a)))

    def split(data: Term) -> tuple[Theorem, ...]:
        one = law("M", data)
        whole = same_on_arms(plays, one, (term(0), data), A, on_arms.conclusion.args[1], on_arms)  # type: ignore[union-attr]
        return whole, fubini("a", one, "b", uniform(K), at_b * equal(a, b))

    low, _ = bounds_of_event(at_b, instance(assume(is_event), {"x": b}))
    each = instance(known, {"a": b}, *map(assume, is_arm(b, K)))
    gap = each.conclusion.args[1] - each.conclusion.args[0]  # type: ignore[union-attr]
    outcomes = mean_over_arms(auto(le(0, at_b * gap), (low, each)))
    (here, turned), (there, back) = split(var("d")), split(var("e"))
    ratio = exp(var("epsilon"))
    return auto(goal, here, (K, turned), (ratio, there), (ratio * K, back), (K, outcomes))


def sum_over(p: Theorem, name: str, count: Term) -> Theorem:
    """The sum of F(b) over b below a count is at least 0 (or 0), from the same of each b: sums over b < n <= count."""
    m, b = var("m"), var(name)
    sign, F = p.conclusion.op, p.conclusion.args[1]  # type: ignore[union-attr]

    def total(k: Any) -> Term:
        return term(k) * mean(name, uniform(k), F)

    claim = All((), (le(m, count),), Rel(sign, (term(0), total(m))))
    base = auto(Rel(sign, (term(0), total(0))))
    pn, enough = assume(nat(m)), assume(le(m + 1, count))
    here = instance(for_all(name, p, nat(b), lt(b, count)), {name: m}, pn, auto(lt(m, count), enough))
    before = instance(assume(claim), {}, auto(le(m, count), enough))
    proved = auto(Rel(sign, (term(0), total(m + 1))), uniform_next(pn, name, F), before, here)
    return instance(induction("m", base, proved, claim, at=count))


@once
def _counted() -> Theorem:
    """1[a = j] adds up to 1 over j < K, for natural a < K."""
    return for_all("a K", an_arm(a), *is_arm(a, K), nat(K))


def picked(f: Callable[[Any], Term], spot: Term, count: Term, name: str = "i") -> Theorem:
    """The sum of f(i) 1[i = spot] over i, by whichever name, below a count is f(spot)."""
    moved = mono(under(var(name), spot, f(var("w"))), name, uniform(count))
    hit = instance(_counted(), {"a": spot, "K": count}, *map(assume, is_arm(spot, count)))
    total = sum_of(lambda i: f(i) * equal(i, spot), count, name)
    return auto(eq(total, f(spot)), (count, moved), (f(spot), hit))


def mean_over(p: Theorem, name: str, count: Term) -> Theorem:
    """0 <= E F(b) (or 0 = E F(b)) for b uniform below a count of at least 1, from the same of each b."""
    sign, F = p.conclusion.op, p.conclusion.args[1]  # type: ignore[union-attr]
    whole = sum_over(p, name, count)
    positive = auto(lt(0, count), assume(le(1, count)))
    middle, inverse = mean(name, uniform(count), F), reciprocal(positive)
    factor: Any = 1 / count if sign == "=" else weak(reciprocal_positive(positive))
    return auto(Rel(sign, (term(0), middle)), (factor, whole), (middle, inverse))


def sum_inside(name: str, count: Term, point: str, one_law: Term, body: Term) -> Theorem:
    """The sum over j below a count, of means over a law that does not depend on j: the mean of the sum over j."""
    m, pm = var("m"), assume(nat(var("m")))

    def averages(k: Term) -> Rel:
        inside = term(k) * mean(name, uniform(k), body)
        return eq(term(k) * mean(name, uniform(k), mean(point, one_law, body)), mean(point, one_law, inside))

    more = uniform_next(pm, name, mean(point, one_law, body)), mono(uniform_next(pm, name, body), point, one_law)
    claim = averages(m)
    return induction("m", auto(averages(term(0))), auto(averages(m + 1), *more, assume(claim)), claim, at=count)


def average_inside(name: str, count: Term, point: str, one_law: Term, body: Term) -> Theorem:
    """E over j below a count, of means over a law that does not depend on j: the mean of E over j."""
    whole = sum_inside(name, count, point, one_law, body)
    inverse = reciprocal(auto(lt(0, count), assume(le(1, count))))
    goal = eq(
        mean(name, uniform(count), mean(point, one_law, body)), mean(point, one_law, mean(name, uniform(count), body))
    )
    return auto(goal, (1 / count, whole), *((side, inverse) for side in goal.args))


def same_at(c: Term, like: Theorem, f: Term, g: Term, on_arms: Theorem) -> Theorem:
    """f(c) = g(c) for functions of a that are the same on the arms, where c is like one of them."""
    at_c = [substitute(s, {"a": c}) for s in (f, g)]
    hit = equal(c, b)
    found = []
    for s in (f, g):
        moved = under(c, b, substitute(s, {"a": var("w")}))
        found.append(mono(moved, "b", uniform(K)))
    on_b = instance(for_all("a", on_arms, *is_arm(a, K)), {"a": b}, *map(assume, is_arm(b, K)))
    of_b = [substitute(s, {"a": b}) for s in (f, g)]
    arms = mean_over_arms(auto(eq(0, hit * (of_b[0] - of_b[1])), (hit, on_b)))
    return auto(eq(*at_c), (at_c[0], like), (at_c[1], like), (K, found[0]), (K, found[1]), (K, arms))


def on_words(phi: Term, at_word: Theorem) -> Theorem:
    """0 <= E phi(y) for y drawn uniformly, from 0 <= phi(word(T)) for every word."""
    return instance(instance(_on_words(), {"n": T}), {"phi": fn("y", phi)}, at_word)


@once
def _on_words() -> Theorem:
    """By induction over their length: a word of n + 1 arms is one of n and an arm."""
    f = app("phi", y)

    def known(m: Any) -> All:
        return All(("letter", "word"), is_word(m), le(0, app("phi", word(m))))

    claim = All(("phi",), (known(n),), le(0, mean_drawn(n, f)))
    false = _contradiction(assume(lt(i, 0)), nat_nonnegative(assume(nat(i))))
    constant = {"letter": fn("i", 0), "word": fn("i", START)}
    conditions = [
        for_all("i", absurd(false, replace(g, constant).then), nat(i), lt(i, 0))  # type: ignore[union-attr, arg-type]
        for g in is_word(0)[1:]
    ]
    at_start = instance(assume(known(term(0))), constant, *conditions)
    none = steps_zero("y", f, "i", "h", START, drawn(0).args[3])
    base = auto(le(0, mean_drawn(0, f)), none, at_start)

    pn = assume(nat(n))
    longer = app("pair", word(n), b)
    first, start = ind(i + 1, n), ind(i, n)
    values = {
        "letter": fn("i", first * letter(i) + (1 - first) * b),
        "word": fn("i", start * word(i) + (1 - start) * longer),
    }
    begins, grows, like = map(assume, is_word(n))
    natural, below = assume(nat(i)), assume(lt(i, n + 1))

    def at(name: str, m: Any) -> Term:
        return substitute(values[name].body, {"i": term(m)})

    def in_rounds(goal: Callable[[Any], Rel], early: Theorem, last: Theorem) -> Theorem:
        """goal(i) for i < n + 1, from that for i < n and from goal(n)."""
        too_far = assume(lt(n, i))
        false = _contradiction(below, nat_nonnegative(nat_minus(pn, natural, too_far)))
        here = antisymmetric(by_contradiction(le(i, n), false), assume(le(n, i)))
        left, right = (same(here, "i", side) for side in goal(i).args)
        return for_all("i", cases(auto(goal(i), left, right, last), early, n, i), nat(i), lt(i, n + 1))

    soon = assume(lt(i, n))
    step_to = at_most(_next_at_most(natural, pn, soon))
    kept_letter = auto(eq(at("letter", i), letter(i)), step_to)
    kept_word = auto(eq(at("word", i), word(i)), at_most(soon))
    last_letter = auto(eq(at("letter", n), b))

    def grown(m: Any) -> Rel:
        return eq(at("word", m + 1), app("pair", at("word", m), at("letter", m)))

    def pairs(of_word: Theorem, of_letter: Theorem) -> tuple[Theorem, Theorem]:
        front, end = of_word.conclusion.args, of_letter.conclusion.args  # type: ignore[union-attr]
        return same(of_word, "v", app("pair", var("v"), end[0])), same(of_letter, "v", app("pair", front[1], var("v")))

    early = auto(grown(i), step_to, instance(grows, {}, natural, soon), *pairs(kept_word, kept_letter))
    last = auto(grown(n))

    def an_arm_at(m: Any) -> Rel:
        return eq(arms_like(at("letter", m)), 1)

    counted = same(kept_letter, "v", arms_like(var("v"))), same(last_letter, "v", arms_like(var("v")))
    early_arm = auto(an_arm_at(i), counted[0], instance(like, {}, natural, soon))
    last_arm = auto(an_arm_at(n), an_arm(b))
    zero = auto(eq(at("word", 0), START), at_most(nat_nonnegative(pn)), begins)
    of_longer = instance(
        assume(known(n + 1)), values, zero, in_rounds(grown, early, last), in_rounds(an_arm_at, early_arm, last_arm)
    )
    at_b = auto(le(0, app("phi", longer)), of_longer)
    average = mean("b", uniform(K), app("phi", app("pair", y, b)))
    hypothesis = mean_over_arms(at_b)
    before = instance(assume(claim), {"phi": fn("y", average)}, hypothesis)
    return induction("n", base, auto(le(0, mean_drawn(n + 1, f)), next_drawn(pn, f), before), claim)


def _contradiction(strict: Theorem, other: Theorem) -> Theorem:
    """0 < 0 from s < t and t <= s."""
    return contradiction(strict, other)


def _next_at_most(natural: Theorem, count: Theorem, below: Theorem) -> Theorem:
    """i + 1 <= n for natural i < n."""
    (s, t) = below.conclusion.args  # type: ignore[union-attr]
    return auto(le(s + 1, t), nat_nonnegative(nat_minus(natural, count, below)))


# ----------------------------------------------------------------------------------------------- from lists to the rest


def shown(f: Formula, known: Sequence[Theorem]) -> Theorem:
    """A condition that is known, or trivial, or says of more names what is known of some of them."""
    for theorem in known:
        if key(theorem.conclusion) == key(f):
            return theorem
    if isinstance(f, All):
        inner = [*map(assume, f.given), *known]
        for theorem in known:
            whole = theorem.conclusion
            if isinstance(whole, All) and {*whole.params} <= {*f.params}:
                try:
                    inner.append(instance(theorem, {}, *(shown(g, inner) for g in whole.given)))
                except Refused:
                    continue
        return for_all(" ".join(f.params), shown(f.then, inner), *f.given)
    if isinstance(f, Rel) and f.op == "=":
        return auto(f)
    raise Refused(f"not shown: {f}")


def last_premise(statement: All) -> All:
    if not statement.given or not isinstance(last := statement.given[-1], All):
        raise Refused("no premise about privacy")
    return last


def as_inputs(**values: Any) -> Callable[[All], Theorem]:
    """Inputs of one kind are inputs of another kind: privacy on those implies privacy on these."""

    def proof(statement: All) -> Theorem:
        private = last_premise(statement)
        names, given, _ = parts_of(statement.then)
        conditions = [shown(replace(g, values), [assume(g) for g in given]) for g in private.given]
        return closed(statement, for_all(names, instance(assume(private), values, *conditions), *given))

    return proof


LISTS = {"table": fn("i a", app("rewards", i)), "changed": fn("i a", app("others", i))}
list_as_table = as_inputs(**LISTS)
table_as_tree = as_inputs(left=fn("i o a", app("table", i, a)), right=fn("i o a", app("changed", i, a)))


def as_arm(arm: Any) -> Term:
    """The arm, as a bounded function of all numbers: the sum of b 1[a = b] over the arms b."""
    return sum_of(lambda j: j * equal(arm, j), K)


def is_itself() -> Theorem:
    """as_arm(a) = a for an arm a."""
    moved = mono(under(a, var("j"), var("w")), "j", uniform(K))
    return auto(eq(as_arm(a), a), (K, moved), (a, an_arm(a)))


@proof
def played_as_queries(statement: All) -> Theorem:
    """Whoever asks for the arm that is played is an adversary: the policy hears what tables and lists tell it."""
    private = last_premise(statement)
    names, given, goal = parts_of(statement.then)
    itself = is_itself()
    values = {"adversary": fn("i o a", as_arm(a))} | (LISTS if "rewards" in names.split() else {})
    arms = nat_equal(assume(nat(a)), auto(eq(a, as_arm(a)), itself)), auto(lt(as_arm(a), K), itself, assume(lt(a, K)))
    rounds = nat(i), lt(i, T), *is_arm(a, K)
    known = [*map(assume, given), *(for_all("i o a", one, *rounds) for one in arms)]
    asked = instance(assume(private), values, *(shown(replace(g, values), known) for g in private.given))
    sides = []
    for told in _told(names):
        played, asked_for = (lambda i, o, a, f=f, told=told: (f(a), told(i, f(a))) for f in (term, as_arm))
        ends = Runs(played), Runs(asked_for)
        after = same(itself, "w", app("g", app("after", z, a, var("w"), told(n, var("w")))))
        sides.append(same_law(*ends, PLAYS, after))
    return carried(goal, asked, sides)


@proof
def tables_are_fed(statement: All) -> Theorem:
    """Whoever asks for arms of a table is an adversary that feeds the reward of the arm."""
    private = last_premise(statement)
    _, given, _ = parts_of(statement.then)
    asked = app("adversary", i, o, a)
    fed = {"left": fn("i o a", app("table", i, asked)), "right": fn("i o a", app("changed", i, asked))}
    conditions = []
    for known, wanted in zip(given, (replace(g, fed) for g in private.given), strict=True):
        if key(known) == key(wanted):
            conditions.append(assume(known))
            continue
        rounds = [g for g in wanted.given if "a" not in free_in(g)]  # type: ignore[union-attr]
        below = assume(nat(i)), _below_T(rounds), *map(assume, is_arm(a, K))
        of_adversary = [g for g in given if isinstance(g, All) and g.then in is_arm(asked, K)]
        arms = [instance(assume(g), {}, *below) for g in of_adversary]
        there = instance(assume(known), {"a": asked}, *map(assume, rounds), *arms)
        conditions.append(for_all("i o a", there, *wanted.given))  # type: ignore[union-attr]
    return instance(assume(private), fed, *conditions)


@proof
def coins_are_tossed_before(statement: All) -> Theorem:
    """For each outcome of its coins the adversary is a deterministic one; then the mean over these."""
    private = last_premise(statement)
    _, given, goal = parts_of(statement.then)
    tossed = [g for g in given if isinstance(g, All) and "coin" in g.params]
    values = {"adversary": fn("i o a", tossed[0].then.args[0])}  # type: ignore[union-attr]
    arms = [for_all("i o a", instance(assume(g), {}, *map(assume, g.given)), *g.given) for g in tossed]
    known = [*map(assume, given), *arms]
    conditions = [shown(replace(g, values), known) for g in private.given]  # type: ignore[arg-type]
    each = instance(assume(private), values, *conditions)
    if isinstance(goal, Rel):
        return auto(goal, mono(each, "coin", law("seeds")))
    return auto(goal.then, mono(instance(each, {}), "coin", law("seeds")))


def _told(names: str) -> list[Callable[[Any, Any], Term]]:
    """The reward of an arm in a round on the two sides: in a list, or in a table."""
    if "rewards" in names.split():
        return [lambda i, q, s=s: app(s, i) for s in ("rewards", "others")]
    return [lambda i, q, s=s: app(s, i, q) for s in ("table", "changed")]


PLAYS = assume(plays_arms(lambda i, h: law("pi", i, h), K))


def _pay(side: str) -> Pay:
    """What the policy is told on a side, by what that is called."""
    return lambda i, o, a: (a, app(side, i, a) if side in ("table", "changed") else app(side, i, o, a))


@once
def _along(side: str) -> tuple[Runs, Runs, Theorem]:
    return (runs := Runs(_pay(side)), *along(runs, Kept()))


@once
def _among_all(side: str) -> Theorem:
    return among_all(Runs(_pay(side)), Kept(), PLAYS)


@proof
def from_lists(statement: All) -> Theorem:
    """Privacy on tables or trees from that on lists: on one sequence, and then on the K^T of them."""
    names, given, goal = parts_of(statement.then)
    epsilon, delta = var("epsilon"), var("delta") if "delta" in statement.params else term(0)
    sides = ("table", "changed") if "table" in names.split() else ("left", "right")
    (first, one, p), (second, other, q) = map(_along, sides)
    alike = [_alike(f, sides) for f in given[2:4]]
    always = {"g": fn("z", 1)}
    of_first, of_second = instance(p, always), instance(q, always)
    lists = {"rewards": fn("i", one.answer(i, i, i)[1]), "others": fn("i", other.answer(i, i, i)[1])}
    test = {"A": fn("x", equal(x, word(T)))}
    conditions = [assume(given[0]), assume(given[1]), *alike, for_all("x", equal_is_event(x, word(T)))]
    on_word = instance(assume(last_premise(statement)), lists | test, *conditions)
    A, ratio = app("A", y), exp(epsilon)
    idempotent = instance(assume(event("A")), {"x": y})
    _, high = bounds_of_event(A, idempotent)

    def chance(runs: Runs, o: Any) -> Term:
        return runs.mean(T, equal(SAID, o))

    gap = ratio * chance(second, y) + delta - chance(first, y)
    at_word = auto(le(0, substitute(gap, {"y": word(T)})), on_word, of_first, of_second)
    spread = on_words(A * gap, auto(le(0, substitute(A * gap, {"y": word(T)})), at_word))
    many = exp(T * Term("log", (K,)))
    sums = []
    for side, runs in zip(sides, (first, second), strict=True):
        summed = instance(_among_all(side), {"g": fn("z", app("A", SAID))})
        turned = fubini("z", runs.law(T), "y", drawn(T), app("A", SAID) * equal(SAID, y))
        named = mono(mono(under(SAID, y, app("A", var("w"))), "z", runs.law(T)), "y", drawn(T))
        sums.append(
            auto(eq(runs.mean(T, app("A", SAID)), many * mean_drawn(T, A * chance(runs, y))), summed, turned, named)
        )
    some = [assume(le(0, delta))] if "delta" in statement.params else []
    leak = [(product(weak(exp_positive(T * Term("log", (K,)))), some[0]), mono(high, "y", drawn(T)))] if some else []
    return auto(goal, sums[0], sums[1], spread, *leak)


def _alike(f: Formula, sides: tuple[str, str], letters: Theorem | None = None) -> Theorem:
    """In the rounds of which f speaks the two sides get the same reward along the word."""
    if not isinstance(f, All):
        raise Refused("no rounds in which the sides are alike")
    rounds = [g for g in f.given if "a" not in free_in(g)]
    arm = letter(i)
    ends = [_pay(side)(i, word(i), a)[1] for side in sides]
    like = instance(letters or assume(is_word(T)[2]), {}, assume(nat(i)), _below_T(rounds))
    values = {"o": word(i)} if "o" in f.params else {}
    on_arms = instance(assume(f), values, *map(assume, (*rounds, *is_arm(a, K))))
    return for_all("i", same_at(arm, like, ends[0], ends[1], auto(eq(*ends), on_arms)), *rounds)


def _below_T(rounds: Sequence[Formula]) -> Theorem:
    """i < T, from i < T or from i < j."""
    if key(lt(i, T)) in map(key, rounds):
        return assume(lt(i, T))
    return auto(lt(i, T), assume(lt(i, var("j"))))


# -------------------------------------------------------------------------------------------------------- reductions


def _runs_of(one_law: Term) -> Runs:
    """The runs of which a law of actions is that of what they say."""
    found: list[tuple[Any, ...]] = []

    def look(t: Term) -> None:
        if t.op == "app" and t.args[0] == "after":
            found.append(t.args)
        for part in t.args:
            if isinstance(part, Term):
                look(part)

    look(one_law)
    q, r = found[0][3:]
    return Runs(lambda m, o, arm: tuple(_put(t, m, o, arm) for t in (q, r)))  # type: ignore[arg-type, return-value]


def _put(t: Term, round: Any, said: Any, arm: Any) -> Term:
    """An answer t in another round, after other actions, to another arm."""
    if t == SAID:
        return term(said)
    if t.op == "var":
        return term({"i": round, "a": arm}.get(t.args[0], t))
    return Term(t.op, tuple(_put(part, round, said, arm) if isinstance(part, Term) else part for part in t.args))


def _sides(goal: Rel) -> tuple[Runs, Runs]:
    first, second = (_runs_of(side.args[1]) for side in goal.args)
    return first, second


@proof
def same_rewards(statement: All) -> Theorem:
    """What the policy is told of the arms is the same on both sides, by the premises of the conclusion."""
    _, given, goal = parts_of(statement.then)
    first, second = _sides(goal)
    rewards = [runs.answer(n, SAID, a)[1] for runs in (first, second)]
    agree = _agreeing(eq(*rewards), [f for f in given if isinstance(f, All) and "a" in f.params])
    run = same(agree, "w", app("g", app("after", z, a, a, var("w"))))
    return auto(goal, means_of(same_law(first, second, PLAYS, run), app("A", SAID)))


def _agreeing(goal: Rel, given: Sequence[Formula]) -> Theorem:
    """A reward in round n is another one, by those premises whose rounds n is among."""
    below, natural, j = assume(lt(n, T)), assume(nat(n)), var("j")
    arm = [assume(f) for f in is_arm(a, K)]

    def at_n(known: Sequence[Theorem], at: Any = n) -> list[Theorem]:
        found = []
        for f in given:
            values = {"i": term(at), "o": SAID, "a": a}
            try:
                conditions = [shown(replace(g, values), [natural, below, *arm, *known]) for g in f.given]  # type: ignore[union-attr, arg-type]
                found.append(instance(assume(f), {k: v for k, v in values.items() if k in f.params}, *conditions))  # type: ignore[union-attr]
            except Refused:
                continue
        return found

    if not any("j" in free_in(f) for f in given):
        return auto(goal, *at_n([]))
    before, behind, here = assume(lt(n, j)), assume(lt(j, n)), antisymmetric(assume(le(n, j)), assume(le(j, n)))
    at_j = replace(goal, {"n": j})
    moved = [same(here, "n", side) for side in goal.args]
    own = [f for f in given if isinstance(f, All) and "i" not in f.params]
    of_j = [instance(assume(f), {k: v for k, v in (("o", SAID), ("a", a)) if k in f.params}, *arm) for f in own]  # type: ignore[union-attr]
    at_n_is_j = auto(goal, *moved, auto(at_j, *of_j))  # type: ignore[arg-type]
    not_before = cases(at_n_is_j, auto(goal, *at_n([behind])), n, j)
    return cases(not_before, auto(goal, *at_n([before])), j, n)


def _event_of_one(given: Sequence[Formula], w: Term, at: Term) -> Theorem:
    """A(x) = 1[x = w], where A is the event of w alone."""
    is_event, _, alone = map(assume, given)
    A = app("A", at)
    idempotent = instance(is_event, {"x": at})
    high, goal = bounds_of_event(A, idempotent)[1], eq(A, equal(at, w))

    def elsewhere(hit: Term, zero: Theorem) -> Theorem:
        below, above = assume(lt(A, 1)), assume(le(1, A))
        gap = auto(lt(0, 1 - A), below)
        proved = instance(alone, {"x": at}, antisymmetric(high, above))
        there = auto(goal, same(proved, "v", equal(var("v"), w)), antisymmetric(high, above))
        return cases(there, auto(goal, reciprocal(gap), idempotent, zero), term(1), A)

    def there(proved: Theorem) -> Theorem:
        return auto(goal, same(proved, "v", app("A", var("v"))), same(proved, "v", equal(var("v"), w)))

    return unless_equal(at, w, there, elsewhere)


@proof
def along_one_sequence(statement: All) -> Theorem:
    """A table or a tree says one sequence as often as the list of its rewards along it."""
    _, given, goal = parts_of(statement.then)
    runs, target = _sides(goal)
    listed, as_often = along(runs, Kept())
    rewards = [assume(f) for f in given if isinstance(f, All) and "rewards" in free_in(f)]
    here = instance(rewards[0], {"i": n}, assume(nat(n)), assume(lt(n, T)))
    ends = [app("g", of.after(n, z, a)) for of in (listed, target)]
    moved = same(here, "w", app("g", app("after", z, a, a, var("w"))))
    equal_lists = same_law(listed, target, None, auto(eq(*ends), moved))
    hit = equal(SAID, word(T))
    often = instance(as_often, {"g": fn("z", 1)})
    event_is = _event_of_one(given[-3:], word(T), SAID)
    named = [mono(event_is, "z", of.law(T)) for of in (runs, target)]
    return auto(goal, *named, often, means_of(equal_lists, hit))


@proof
def neighbours_stay(statement: All) -> Theorem:
    """Inputs that are made of inputs round by round differ where those differ."""
    _, given, said = parts_of(statement.then)
    j, goal = var("j"), said.then
    known = [assume(f) for f in (*said.given, *given)]

    def there(case: Theorem) -> Theorem:
        facts = []
        for arm in (a, letter(i)):
            for f in given:
                if isinstance(f, All) and "i" in f.params and isinstance(f.then, Rel) and f.then.op == "=":
                    values = {k: v for k, v in (("i", i), ("o", word(i)), ("a", arm)) if k in f.params}
                    try:
                        conditions = [shown(replace(g, values), [case, *_arms_of(given), *known]) for g in f.given]  # type: ignore[arg-type]
                        facts.append(instance(assume(f), values, *conditions))
                    except Refused:
                        continue
        return auto(goal, *facts)

    before, behind = there(assume(lt(i, j))), there(assume(lt(j, i)))
    same_round = antisymmetric(assume(le(i, j)), assume(le(j, i)))
    false = contradiction((i - j, same_round))
    proved = cases(cases(absurd(false, goal), behind, i, j), before, j, i)
    return for_all(" ".join(said.params), proved, *said.given)


def _arms_of(given: Sequence[Formula]) -> list[Theorem]:
    """That letter(i) is an arm."""
    of_letters = [f for f in given if isinstance(f, All) and f.params == ("i",) and f.then in is_arm(letter(i), K)]
    return [instance(assume(f), {}) for f in of_letters]


@proof
def one_sequence_of_lists(statement: All) -> Theorem:
    """What View privacy says of one sequence on two tables."""
    _, given, goal = parts_of(statement.then)
    sides = ("table", "changed")
    (_, one, p), (_, other, q) = map(_along, sides)
    of_letters = [f for f in given if isinstance(f, All) and f.params == ("i",) and f.then in is_arm(letter(i), K)]
    rounds = nat(i), lt(i, T)
    arms = [instance(assume(f), {}, *map(assume, rounds)) for f in of_letters]
    of_a = for_all("a", an_arm(a), *is_arm(a, K))
    like = for_all("i", instance(of_a, {"a": letter(i)}, *arms), *rounds)
    alike = [_alike(f, sides, like) for f in given[2:4]]
    lists = {"rewards": fn("i", one.answer(i, i, i)[1]), "others": fn("i", other.answer(i, i, i)[1])}
    test = {"A": fn("x", equal(x, word(T)))}
    conditions = [assume(given[0]), assume(given[1]), *alike, for_all("x", equal_is_event(x, word(T)))]
    on_word = instance(assume(last_premise(statement)), lists | test, *conditions)
    always, event_is = {"g": fn("z", 1)}, _event_of_one(given[-3:], word(T), SAID)
    facts = [on_word]
    ratio = exp(var("epsilon"))
    for factor, side, often in ((term(1), sides[0], p), (ratio, sides[1], q)):
        facts += [(factor, instance(often, always)), (factor, mono(event_is, "z", Runs(_pay(side)).law(T)))]  # type: ignore[list-item]
    return auto(goal, *facts)


# ------------------------------------------------------------------------------------------------ the product formula


def past(m: Any, o: Any) -> Term:
    """The run with the m actions o."""
    return app("past", m, o)


def product_of(m: Any, o: Any) -> Term:
    """The product of the probabilities of these."""
    return app("product", m, o)


def all_arms(G: Term, round: Term, history: Term) -> Theorem:
    """K E G(b) P(a = b) = E G(a) for b uniform on the arms and a ~ pi after the history; G is a function of a."""
    one_law, of_b, hit = law("pi", round, history), substitute(G, {"a": b}), equal(a, b)
    turned = average_inside("b", K, "a", one_law, of_b * hit)
    named = mono(mono(under(a, b, substitute(G, {"a": var("w")})), "b", uniform(K)), "a", one_law)
    count = K * mean("b", uniform(K), hit)
    counted = same_on_arms(PLAYS, one_law, (round, history), G * count, G, auto(eq(G * count, G), (G, an_arm(a))))
    goal = eq(K * mean("b", uniform(K), of_b * mean("a", one_law, hit)), mean("a", one_law, G))
    return auto(goal, (K, turned), (K, named), counted)


class Products:
    """The sum over all sequences of n arms, by the premises of the product formula."""

    def __init__(self, given: Sequence[Formula]):
        self.begins, self.one, self.grows, self.multiplies = map(assume, given)
        _, _, self.arm, self.reward = given[2].then.args[1].args[1:]  # type: ignore[union-attr]
        self.log = Term("log", (K,))

    def answer(self, m: Any, said: Any, played: Any) -> tuple[Term, Term]:
        to = {"i": term(m), "o": term(said), "a": term(played)}
        return substitute(self.arm, to), substitute(self.reward, to)  # type: ignore[arg-type]

    def sum(self, m: Any, F: Term) -> Term:
        """The sum of F(y) product(m, y), F being a term of y."""
        return exp(term(m) * self.log) * mean_drawn(m, F * product_of(m, y))

    def none(self, F: Term) -> Theorem:
        """The sum over the one sequence without actions is F."""
        at_start = steps_zero("y", F * product_of(0, y), "i", "h", START, drawn(0).args[3])
        return auto(eq(self.sum(0, F), substitute(F, {"y": START})), at_start)

    def next(self, F: Term, below: Theorem) -> Theorem:
        """The sum over n + 1 actions is that of E F(y and a) over n actions y, for the next action a ~ pi."""
        pn, longer = assume(nat(n)), app("pair", y, b)
        at = {"i": n, "o": y, "a": b}
        arm = [assume(nat(n)), below, *map(assume, is_arm(b, K))]
        grown, times = (instance(p, at, *arm) for p in (self.grows, self.multiplies))
        of_run = substitute(F, {"y": longer})
        here = _with_past(F, self, b)
        chance = mean("a", law("pi", n, app("told", past(n, y))), equal(a, b))
        moved = same(grown, "v", _at_past(F, longer))
        whole = product_of(n + 1, longer)
        averaged = mean_over_arms(auto(eq(0, of_run * whole - here * product_of(n, y) * chance), moved, times))
        over_arms = all_arms(_with_past(F, self, a), n, app("told", past(n, y)))
        after = mean("a", law("pi", n, app("told", past(n, y))), _with_past(F, self, a))
        times_K = exp_log(auto(lt(0, K)))
        total = mean("b", uniform(K), of_run * whole)
        at_y = auto(eq(K * total, product_of(n, y) * after), averaged, over_arms)
        scale = exp(n * self.log)
        step = next_drawn(pn, F * product_of(n + 1, y))
        goal = eq(self.sum(n + 1, F), self.sum(n, after))
        return auto(goal, step, (scale * mean_drawn(n, total), times_K), mono(at_y, "y", drawn(n)))


def _at_past(F: Term, longer: Term) -> Term:
    """F after n + 1 actions, as a function v of the run with them."""
    return _put_past(substitute(F, {"y": longer}), past(n + 1, longer), var("v"))


def _with_past(F: Term, products: Products, played: Term) -> Term:
    """F after n actions y and one more, where the run with them is what the answer makes of it."""
    longer = app("pair", y, played)
    run = app("after", past(n, y), played, *products.answer(n, y, played))
    return _put_past(substitute(F, {"y": longer}), past(n + 1, longer), run)


def _put_past(t: Term, run: Term, value: Term) -> Term:
    if t == run:
        return value
    return Term(t.op, tuple(_put_past(part, run, value) if isinstance(part, Term) else part for part in t.args))


@proof
def probabilities_add_up(statement: All) -> Theorem:
    """Round by round: the probabilities of the arms add up to 1."""
    _, given, goal = parts_of(statement.then)
    products = Products(given[-4:])
    claim = All((), (le(n, T),), eq(products.sum(n, term(1)), 1))
    base = products.none(term(1))
    enough = assume(le(n + 1, T))
    before = instance(assume(claim), {}, auto(le(n, T), enough))
    step = auto(eq(products.sum(n + 1, term(1)), 1), products.next(term(1), auto(lt(n, T), enough)), before)
    return auto(goal, instance(induction("n", base, step, claim, at=T)))


@proof
def law_of_products(statement: All) -> Theorem:
    """The mean of F(z, said(z)) is the sum of F(past(n, y), y) product(n, y), round by round."""
    _, given, goal = parts_of(statement.then)
    products = Products(given[-4:])
    runs, said = Runs(products.answer), assume(said_is_kept())

    def F(run: Any, o: Any) -> Term:
        return app("F", run, o)

    claim = All(("F",), (le(n, T),), eq(runs.mean(n, F(z, SAID)), products.sum(n, F(past(n, y), y))))
    begins = same(products.begins, "v", F(var("v"), START))
    none = runs.none(F(z, SAID)), products.none(F(past(0, y), y)), begins
    base = auto(replace(claim, {"n": term(0)}).then, *none)  # type: ignore[union-attr]
    pn, enough = assume(nat(n)), assume(le(n + 1, T))
    ends = instance(said, dict(zip("zaqr", (z, a, *products.answer(n, SAID, a)), strict=True)))
    moved = same(ends, "v", F(runs.after(n, z, a), var("v")))
    averaged = mono(mono(moved, "a", law("pi", n, TOLD)), "z", runs.law(n))
    run = app("after", z, a, *products.answer(n, o, a))
    later = mean("a", law("pi", n, TOLD), F(run, app("pair", o, a)))
    before = instance(assume(claim), {"F": fn("z o", later)}, auto(le(n, T), enough))
    nexts = runs.next(pn, F(z, SAID)), products.next(F(past(n + 1, y), y), auto(lt(n, T), enough))
    step = auto(replace(claim, {"n": n + 1}).then, *nexts, averaged, before)  # type: ignore[union-attr]
    whole = instance(induction("n", base, step, claim, at=T), {"F": fn("z o", app("A", o))})
    return auto(goal, whole)


@proof
def outputs_of_a_strategy(statement: All) -> Theorem:
    """E g(z) 1[said(z) = word(n)] = g(path(n)) odds(n) for all g, round by round; then it stops and recommends."""
    _, given, goal = parts_of(statement.then)
    begins, grows, first_path, _, longer, multiplies = map(assume, given[:6])
    runs, kept, g = _runs_of(goal.args[0].args[1]), Kept(), app("g", z)
    path, odds = (lambda m: app("path", m)), (lambda m: app("odds", m))

    def says(m: Any) -> Rel:
        return eq(runs.mean(m, g * equal(SAID, word(m))), app("g", path(m)) * odds(m))

    claim = All(("g",), (le(n, T),), says(n))
    at_start, itself = app("g", empty), at_most(auto(le(START, START)))
    hit, there = same(begins, "v", equal(START, var("v"))), same(first_path, "v", app("g", var("v")))
    certain = (at_start, hit), (at_start * ind(START, START), itself), (at_start, itself)
    base = auto(says(0), runs.none(g * equal(SAID, word(0))), *certain, there)
    pn, enough = assume(nat(n)), assume(le(n + 1, T))
    below_T, arm, one_law = auto(lt(n, T), enough), letter(n), law("pi", n, TOLD)
    next_word, next_path, next_odds = (instance(p, {"i": n}, pn, below_T) for p in (grows, longer, multiplies))
    at_word, at_arm, end = equal(SAID, word(n)), equal(a, arm), app("g", runs.after(n, z, a))
    said = instance(kept.said, dict(zip("zaqr", (z, a, *runs.answer(n, SAID, a)), strict=True)))
    moved = same(said, "v", end * equal(var("v"), word(n + 1)))
    grown = same(next_word, "v", end * equal(app("pair", SAID, a), var("v")))
    played = under(a, arm, app("g", runs.after(n, z, var("w"))))
    target = app("g", runs.after(n, z, arm))
    goal_of_round = eq(end * equal(app("said", runs.after(n, z, a)), word(n + 1)), target * at_word * at_arm)
    split = kept.of_pairs(SAID, a, word(n), arm)
    reached = mono(mono(auto(goal_of_round, moved, grown, split, played), "a", one_law), "z", runs.law(n))
    before = instance(assume(claim), {"g": fn("z", target * mean("a", one_law, at_arm))}, auto(le(n, T), enough))
    whole = same(next_path, "v", app("g", var("v")))
    factors = (odds(n + 1), whole), (app("g", next_path.conclusion.args[1]), next_odds)  # type: ignore[union-attr]
    proved = auto(says(n + 1), runs.next(pn, g * equal(SAID, word(n + 1))), reached, before, *factors)
    event_is = _event_of_one(given[-3:], word(T), SAID)
    stopped = goal.args[0].args[2]
    last = substitute(stopped, {"A": fn("x", 1)})
    at_T = instance(induction("n", base, proved, claim, at=T), {"g": fn("z", last)})
    event_mean = mono(auto(eq(stopped, last * equal(SAID, word(T))), event_is), "z", runs.law(T))
    return auto(goal, event_mean, at_T)


# ------------------------------------------------------------------------------------------- adaptive continual release


def _fed(m: Any, o: Any, a: Any) -> Term:
    """What the adversary feeds on its right side in round m, after the actions o and a."""
    return told_on_side("right")(term(m), o, a)[1]


FED = {side: fn("i o a", told_on_side(side)(i, o, a)[1]) for side in ("left", "right")}


def _away_from_the_challenge(round: Term, o: Term) -> list[tuple[Theorem, Theorem]]:
    """fed = left before and behind the challenge, with the premise round < j or j < round."""
    j, left = var("j"), app("left", round, o, a)
    before, behind = assume(lt(round, j)), assume(lt(j, round))
    goal = eq(_fed(round, o, a), left)
    return [(before, auto(goal, not_at_most(before))), (behind, auto(goal, not_at_most(behind)))]


@proof
def heard_outside_the_challenge(statement: All) -> Theorem:
    """1[i = j] = 0 for i < j and for j < i; and i = j is no other round."""
    _, given, goal = parts_of(statement.then)
    j = var("j")
    (_, before), (_, behind) = _away_from_the_challenge(i, o)
    here = antisymmetric(assume(le(i, j)), assume(le(j, i)))
    false = contradiction(assume(given[-1]), (i - j, here))  # type: ignore[arg-type]
    return cases(cases(absurd(false, goal), behind, i, j), before, j, i)


@proof
def release_from_trees(statement: All) -> Theorem:
    """The two sides of an adversary are two trees that differ in the depth of the challenge."""
    private = last_premise(statement)
    _, given, _ = parts_of(statement.then)
    known = [assume(g) for g in given]
    rounds = ((nat(i), lt(i, var("j"))), (nat(i), lt(var("j"), i), lt(i, T)))
    for when, (_, equal_there) in zip(rounds, _away_from_the_challenge(i, o), strict=True):
        turned = auto(eq(app("left", i, o, a), _fed(i, o, a)), equal_there)
        known.append(for_all("i o a", turned, *when, *is_arm(a, K)))
    values = {"right": FED["right"]}
    conditions = [shown(replace(g, values), known) for g in private.given]  # type: ignore[arg-type]
    return instance(assume(private), values, *conditions)


@proof
def trees_from_release(statement: All) -> Theorem:
    """Two trees that differ in one depth are fed by the adversary with these rewards, challenged there."""
    private = last_premise(statement)
    _, given, goal = parts_of(statement.then)
    j, right = var("j"), app("right", n, SAID, a)
    asked = instance(assume(private), {})
    trees, arm = list(map(assume, given[2:4])), [assume(f) for f in is_arm(a, K)]
    natural, below = assume(nat(n)), assume(lt(n, T))
    ends = eq(_fed(n, SAID, a), right)
    (before, as_left), (behind, as_left_too) = _away_from_the_challenge(n, SAID)
    at = {"i": n, "o": SAID, "a": a}
    early = auto(ends, instance(trees[0], at, natural, before, *arm))
    late = auto(ends, instance(trees[1], at, natural, behind, below, *arm))
    low, high = assume(le(n, j)), assume(le(j, n))
    agree = cases(cases(auto(ends, at_most(low), at_most(high)), late, n, j), early, j, n)
    run = same(agree, "w", app("g", app("after", z, a, a, var("w"))))
    fed, tree = Runs(told_on_side("right")), Runs(lambda m, o, a: (a, app("right", m, o, a)))
    return carried(goal, asked, (None, same_law(fed, tree, PLAYS, run)))


@proof
def sides_swapped(statement: All) -> Theorem:
    """The adversary whose left rewards are what is fed on the right, and who feeds the left ones in the challenge."""
    private = last_premise(statement)
    _, given, goal = parts_of(statement.then)
    values = {"left": FED["right"], "right": FED["left"]}
    asked = instance(assume(private), values)
    hit, idempotent = equal(n, var("j")), equal_is_event(n, var("j"))
    left, right = app("left", n, SAID, a), app("right", n, SAID, a)
    twice = hit * left + (1 - hit) * _fed(n, SAID, a)
    run = same(auto(eq(twice, left), (right - left, idempotent)), "w", app("g", app("after", z, a, a, var("w"))))
    answers = [
        lambda m, o, a: (a, equal(m, var("j")) * app("left", m, o, a) + (1 - equal(m, var("j"))) * _fed(m, o, a)),
        told_on_side("left"),
    ]
    again, once = map(Runs, answers)  # type: ignore[arg-type]
    return carried(goal, asked, (None, same_law(again, once, None, run)))


def carried(goal: Formula, known: Theorem, sides: Sequence[Theorem | None]) -> Theorem:
    """What is known of two laws of actions, of two others: `sides` says of which runs the law is the same."""
    if isinstance(goal, Rel):
        A = app("A", SAID)
        factors = term(1), exp(var("epsilon"))
        return auto(goal, known, *((c, means_of(p, A)) for c, p in zip(factors, sides, strict=True) if p))
    alpha, u = var("order"), app("u", SAID)
    bodies = (alpha, exp((alpha - 1) * u)), (alpha - 1, exp(alpha * u))
    facts = [(c, means_of(p, body)) for (c, body), p in zip(bodies, sides, strict=True) if p]
    return for_all("u", auto(goal.then, instance(known, {}), *facts))


# ----------------------------------------------------------------------------------------------- online, with feedback


@proof
def told_too_late(statement: All) -> Theorem:
    """The law of the runs before the last round is the same, and what is said in it comes before the reward."""
    _, given, goal = parts_of(statement.then)
    first, second = _sides(goal)
    said = assume(said_is_kept())
    agree = instance(assume(given[0]), {"i": n}, assume(nat(n)), assume(lt(n, T)), *map(assume, is_arm(a, K)))
    run = same(agree, "w", app("g", app("after", z, a, a, var("w"))))
    before, natural = same_law(first, second, PLAYS, run), assume(nat(T))
    last, A = law("pi", T, TOLD), app("A", SAID)
    facts = [means_of(before, mean("a", last, app("A", app("pair", SAID, a))))]
    for runs in (first, second):
        played = instance(said, dict(zip("zaqr", (z, a, *runs.answer(T, SAID, a)), strict=True)))
        moved = same(played, "v", app("A", var("v")))
        facts += [runs.next(natural, A), mono(mono(moved, "a", last), "z", runs.law(T))]
    return auto(goal, *facts)


@proof
def seen_entries_alone(statement: All) -> Theorem:
    """Along the sequence both tables are the same list."""
    _, given, goal = parts_of(statement.then)
    (first, one, p), (second, other, q) = map(_along, ("table", "changed"))
    seen = next(assume(f) for f in given if isinstance(f, All) and "changed" in free_in(f))
    agree = instance(seen, {"i": n}, assume(nat(n)), assume(lt(n, T)))
    ends = [app("g", of.after(n, z, a)) for of in (one, other)]
    moved = same(agree, "w", app("g", app("after", z, a, a, var("w"))))
    lists = same_law(one, other, None, auto(eq(*ends), moved))
    hit, always = equal(SAID, word(T)), {"g": fn("z", 1)}
    event_is = _event_of_one(given[-3:], word(T), SAID)
    named = [mono(event_is, "z", of.law(T)) for of in (first, second)]
    often = instance(p, always), instance(q, always)
    return auto(goal, *named, *often, means_of(lists, hit))


# ------------------------------------------------------------------------------- a policy that tells lists from tables


def of_indicator(s: Term, t: Term, context: Term) -> Theorem:
    """context(1[s <= t]) = 1[s <= t] context(1) + (1 - 1[s <= t]) context(0), of a context of w."""
    one = ind(s, t)
    yes, no, value = (substitute(context, {"w": term(at)}) for at in (1, 0, one))
    goal = eq(value, one * yes + (1 - one) * no)
    facts = []
    for is_it in (at_most(assume(le(s, t))), not_at_most(assume(lt(t, s)))):
        facts.append(auto(goal, same(is_it, "w", context), (yes - no, is_it)))
    return cases(*facts, s, t)


def of_two_arms(body: Term) -> Theorem:
    """The mean of a body of b over the arms 0 and 1 is half the sum of both."""
    none = nat_zero()
    first, second = uniform_next(none, "b", body), uniform_next(nat_next(none), "b", body)
    halves = [substitute(body, {"b": term(k)}) for k in (0, 1)]
    return auto(eq(mean("b", uniform(2), body), (halves[0] + halves[1]) / 2), first, second)


def later_is_more(r: Term, k: int) -> Theorem:
    """1[r <= k] <= 1[r <= k + 1]."""
    first, second = ind(r, k), ind(r, k + 1)
    goal, below = le(first, second), assume(le(r, k))
    there = auto(goal, at_most(calc(le(r, k + 1), [(1, None, below)])))
    return cases(there, auto(goal, not_at_most(assume(lt(k, r)))), r, term(k))


def times(factor: Term, equation: Theorem) -> Theorem:
    """c a = c b from a = b."""
    first, second = equation.conclusion.args  # type: ignore[union-attr]
    return auto(eq(factor * first, factor * second), (factor, equation))


class Leak:
    """leak = 2 delta/(1 + delta), for delta between 0 and 1: from 0 to 1, above delta, and half of it below."""

    def __init__(self) -> None:
        delta = var("delta")
        some = assume(lt(0, delta))
        positive = reciprocal_positive(auto(lt(0, 1 + delta)))
        rest = auto(lt(0, 1 - delta))
        self.value = leak = 2 * delta / (1 + delta)
        self.low = auto(le(0, leak))
        self.high = auto(le(leak, 1))
        self.half = auto(le(leak / 2, delta), product(product(weak(some), weak(some)), weak(positive)))
        self.above = auto(lt(delta, leak), product(some, product(positive, rest)))


class OwnScales:
    """The law of the two actions of the policy that is told a reward of either arm: the mean of a term G of them."""

    def __init__(self, leak: Leak, told: Callable[[Term], Term], G: Callable[[Any], Term]):
        self.leak, self.told, self.G = leak, told, G
        self.law = on_own_scales(leak.value, told)

    def likely(self, k: int) -> Term:
        """The probability of arm 1 after arm k."""
        return self.leak.value * (1 + scale_of(self.told(term(k)), k)) / 2

    def after(self, k: int) -> Term:
        """The mean of G where arm k was played first."""
        yes, no = (self.G(app("pair", k, c)) for c in (1, 0))
        return self.likely(k) * yes + (1 - self.likely(k)) * no

    def mean(self) -> Theorem:
        """E G(x) is half the sum of both."""
        of_b = mean("x", self.law.args[2], self.G(x))
        whole = mean("x", self.law, self.G(x))
        goal = eq(whole, (self.after(0) + self.after(1)) / 2)
        return auto(goal, of_two_arms(of_b), self._second(0), self._second(1))

    def _second(self, k: int) -> Theorem:
        value = self.likely(k)
        context = self.G(app("pair", k, var("w")))
        split = mono(of_indicator(u, value, context), "u", UNIT)
        reward = self.told(term(k))
        bounds = [*(later_is_more(reward, c) for c in range(3)), indicator(reward, term(0), 3)]
        bounds.append(indicator(reward, term(3), 4))
        scale = scale_of(reward, k)
        low, high = (auto_some(le(0, 1 + sign * scale), bounds) for sign in (1, -1))
        in_unit = auto(le(0, value), (self.leak.low, low)), auto(le(value, 1), (self.leak.low, high))
        left = mean("u", UNIT, substitute(context, {"w": ind(u, value)}))
        return auto(eq(left, self.after(k)), split, unit(value, "u", *in_unit))


def auto_some(goal: Rel, facts: Sequence[Theorem]) -> Theorem:
    """The goal from some of the facts, each at most twice."""
    for weights in product_of_sets((0, 1, 2), repeat=len(facts)):
        try:
            return calc(goal, [(c, None, p) for c, p in zip(weights, facts, strict=True) if c])
        except Refused:
            continue
    raise Refused(f"not shown: {goal}")


@proof
def apart_on_lists(statement: All) -> Theorem:
    """A change of the reward moves what is read by 1 in all, over both arms, and each arm has half of the leak."""
    goal = parts_of(statement.then)[2]
    leak, A = Leak(), (lambda o: app("A", o))
    first, second = (OwnScales(leak, lambda b, name=name: var(name), A) for name in ("r", "t"))
    ratio = exp(var("epsilon"))
    above = auto(le(0, ratio - 1), exp_tangent(var("epsilon")))
    low, _ = (for_all("x", p) for p in bounds_of_event(A(x), instance(assume(event("A")))))
    moved = []
    for name, sign in (("r", 1), ("t", -1)):
        r, total, weighted = var(name), term(0), []
        steps = [*(ind(r, c + 1) - ind(r, c) for c in range(3)), 1 - ind(r, 3)]
        is_step = [*(later_is_more(r, c) for c in range(3)), indicator(r, term(3), 4)]
        for place, (share, known) in enumerate(zip(steps, is_step, strict=True)):
            yes, no = (app("pair", place // 2, c) for c in (1, 0))
            up, gap = sign * (2 * (place % 2) - 1), A(yes) - A(no)
            total = total + up * share * gap
            weighted.append((auto(le(0, share), known), auto(le(0, 1 - up * gap))))
        moved.append((leak.low, auto(le(total, 1), *weighted)))
    means = first.mean(), second.mean()
    some = mono(instance(low, {}), "x", second.law)
    P, Q = (p.conclusion.args[0] for p in means)  # type: ignore[union-attr]
    without = auto(le(P, Q + var("delta")), *means, *moved, leak.half)
    return calc(goal, [(1, None, without), (1, above, some)])


@proof
def together_on_tables(statement: All) -> Theorem:
    """Each arm hears a reward of its own, high in the one row and low in the other: the second arm tells all."""
    private, leak, kept = last_premise(statement), Leak(), Kept()
    ends = [app("pair", k, 1) for k in (0, 1)]

    def tells(o: Any) -> Term:
        """1 where the second arm is 1."""
        return 1 - (1 - equal(o, ends[0])) * (1 - equal(o, ends[1]))

    once, twice = (equal_is_event(x, end) for end in ends)
    is_event = auto(eq(tells(x) * tells(x), tells(x)), once, twice)
    rows = [fn("b", top + 2 * ind(1, b)) for top in (2, 1)]
    values = {"table": rows[0], "changed": rows[1], "A": fn("x", tells(x))}
    facts: list[Any] = [instance(assume(private), values, is_event)]
    for row, factor in zip(rows, (term(1), exp(var("epsilon"))), strict=True):
        one = OwnScales(leak, lambda b, row=row: substitute(row.body, {"b": term(b)}), tells)
        facts.append((factor, one.mean()))
        for k, c in ((0, 0), (0, 1), (1, 0), (1, 1)):
            o, share = app("pair", k, c), leak.value if row is rows[0] else term(0)
            hits = [kept.of_pairs(term(k), term(c), term(j), term(1)) for j in (0, 1)]
            says = auto(eq(tells(o), c), hits[0], hits[1])
            facts.append((factor * (share if c else 1 - share), says))
    return auto(statement.then, *facts, leak.above)
