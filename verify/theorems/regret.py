"""Proofs in the kernel of what regret is, for every policy and all laws of rewards that have means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.rewards import (
    OF_THE_SUM,
    PARTS,
    SIZES,
    did,
    earned,
    game,
    heard,
    integral,
    integral_at_most,
    mean_reward,
    part,
    part_of,
    rounds_tell_arms_and_rewards,
    rounds_tell_histories,
    runs_on_arms,
    sum_of_rewards,
)
from banditproof.verify.theorems import policies as policy_proofs
from banditproof.verify.theorems.policies import (
    PLAYS,
    SAID,
    START,
    Kept,
    _contradiction,
    _event_of_one,
    all_arms,
    an_arm,
    average_inside,
    letter,
    mean_over,
    same_on_arms,
    times,
    word,
)

a, b, c, i, j, m, n, r, x, z, K, T = map(var, "abcijmnrxzKT")


TOLD, ARM = app("told", z), [assume(f) for f in is_arm(a, K)]
WHOLE, RUNS = (runs_on_arms(pi, nu, rounds) for rounds in (T, i))
WHO = Term("mix", (("z",), RUNS, pi(i, TOLD)))
ROUND = [assume(f) for f in (nat(i), lt(i, T))]


def mean_played(f: Term) -> Term:
    """E f(a) for the arm a of round i."""
    return mean("a", WHO, f)


def mean_rewarded(f: Term) -> Term:
    """E f(a, r) for the arm a of round i and its reward r."""
    return mean_played(mean("r", nu(a), f))


def over_runs(f: Term, runs: Term = WHOLE) -> Term:
    """E f(z) for the run z of T rounds."""
    return mean("z", runs, f)


Rewards = Callable[[Any, Any], Term]
"""The law of the reward of an arm in a round."""


def at_all_times(i: Any, a: Any) -> Term:
    """The rewards of an arm have one law."""
    return nu(a)


def in_round(f: Term, k: Any) -> Term:
    """What is said of round i, of round k."""
    return substitute(f, {"i": term(k)})


def each_run(p: Theorem) -> Theorem:
    return mono(p, "z", RUNS)


def equal_on_arms(f: Term, g: Term, on_arms: Theorem) -> Theorem:
    """E f(a) = E g(a) for the arm of round i, where both are the same of all arms."""
    return each_run(same_on_arms(PLAYS, pi(i, TOLD), (i, TOLD), f, g, on_arms))


def less_on_arms(f: Term, g: Term, on_arms: Theorem) -> Theorem:
    """E f(a) <= E g(a) for the arm of round i, where f(a) <= g(a) of all arms a."""
    proved = policy_proofs.less_on_arms(PLAYS, pi(i, TOLD), (i, TOLD), f, g, on_arms)
    return auto(le(mean_played(f), mean_played(g)), each_run(proved))


def by_arms(f: Term) -> Theorem:
    """E f(a) is the sum of f(b) P(a = b) over the arms b."""
    hit, of_b = equal(a, b), substitute(f, {"a": b})
    turned = average_inside("b", K, "a", WHO, of_b * hit)
    named = mono(mono(under(a, b, substitute(f, {"a": var("w")})), "b", uniform(K)), "a", WHO)
    count = K * mean("b", uniform(K), hit)
    counted = equal_on_arms(f * count, f, auto(eq(f * count, f), an_arm(a)))
    return auto(eq(K * mean("b", uniform(K), of_b * mean_played(hit)), mean_played(f)), (K, turned), named, counted)


# --------------------------------------------------------------------------------------------- one game of T rounds


@once
def in_one_game(rewards: Rewards = at_all_times, histories: bool = False) -> Theorem:
    """E F(the arm of round i, its reward) in a game of T rounds is that in the round after i rounds, for i < T.

    With `histories`: E F(the history before round i, the arm, the reward).
    """
    _, own, paid, kept, kept_paid = map(assume, rounds_tell_arms_and_rewards(T, K))
    own_history, kept_history = map(assume, rounds_tell_histories(T))
    (_, _), _, start, step = game(pi, lambda t, z, a: rewards(t, a), T).args
    pn, enough = assume(nat(n)), assume(le(n + 1, T))
    inside, longer, x = auto(lt(n, T), enough), app("after", z, a, a, r), var("x")

    def F(*parts: Any) -> Term:
        return app("F", *(parts if histories else parts[1:]))

    def runs(k: Any) -> Term:
        return Term("steps", (("t", "z"), term(k), start, step))

    def parts(k: Any, rounds: Any, run: Any) -> list[Term]:
        return [heard(k, rounds, run), did(k, rounds, run), earned(k, rounds, run)]

    def says(rounds: Any, k: Any) -> Rel:
        right = mean("z", runs(k), mean("a", pi(k, TOLD), mean("r", rewards(k, a), F(TOLD, a, r))))
        return eq(mean("z", runs(rounds), F(*parts(k, rounds, z))), right)

    def averaged(p: Theorem) -> Theorem:
        """An equation about round n, in the mean."""
        return mono(mono(mono(p, "r", rewards(n, a)), "a", pi(n, TOLD)), "z", runs(n))

    def rewritten(of: list[Term], place: int, p: Theorem) -> Theorem:
        """F of the parts, one of which is another number."""
        proved = same(p, "v", F(*of[:place], var("v"), *of[place + 1 :]))
        of[place] = p.conclusion.args[1]  # type: ignore[union-attr]
        return proved

    def grown(k: Any) -> Theorem:
        return steps_next(pn, "x", F(*parts(k, n + 1, x)), "t", "z", start, step)

    claim = All(("F", "i"), (nat(i), lt(i, n), le(n, T)), says(n, i))
    natural, soon, below = assume(nat(i)), assume(lt(i, n)), assume(lt(i, n + 1))
    base = absurd(_contradiction(assume(lt(i, 0)), nat_nonnegative(natural)), says(0, i))
    at = {"i": n, "z": z, "a": a, "q": a, "r": r}
    told, rules = parts(i, n + 1, longer), [(2, kept_paid), (1, kept)] + [(0, kept_history)] * histories
    steps = [
        averaged(rewritten(told, place, instance(p, at | {"j": i}, pn, inside, natural, soon))) for place, p in rules
    ]
    before = instance(assume(claim), {}, natural, soon, auto(le(n, T), enough))
    early = auto(says(n + 1, i), grown(i), *steps, before)
    told, rules = parts(n, n + 1, longer), [(2, paid)] + [(0, own_history)] * histories
    steps = [averaged(rewritten(told, place, instance(p, at, pn, inside))) for place, p in rules]
    arm = mono(rewritten(told, 1, instance(own, at, pn, inside, *ARM)), "r", rewards(n, a))
    on_arms = mono(same_on_arms(PLAYS, pi(n, TOLD), (n, TOLD), *arm.conclusion.args, arm), "z", runs(n))  # type: ignore[union-attr]
    at_most_n = auto(le(i, n), nat_nonnegative(nat_minus(natural, nat_next(pn), below)))
    here = antisymmetric(at_most_n, assume(le(n, i)))
    sides = [same(here, "v", substitute(s, {"i": var("v")})) for s in says(n + 1, i).args]
    proved = cases(auto(says(n + 1, i), *sides, grown(n), *steps, on_arms), early, n, i)
    return induction("n", base, proved, claim, at=T)


def of_round(body: Term, rewards: Rewards = at_all_times) -> Theorem:
    """E F(the arm, the reward) in round i of T rounds, for F(x, y) = body."""
    return instance(in_one_game(rewards), {"F": fn("x y", body)}, *ROUND)


# ------------------------------------------------------------------------------------------------ smaller functions


def smaller(g: Term, s: Term) -> Term:
    """min(g, s) for s >= 0 and a bounded g >= 0, as a bounded function."""
    return g * mean("u", Term("law", ("Unit",)), ind(var("u") * g, s))


class Smaller:
    """Of g, s >= 0: the smaller one is at least 0, at most both, and it is g where g <= s, else s."""

    def __init__(self, low: Theorem, positive: Theorem):
        known = (("g", low.conclusion.args[1]), ("s", positive.conclusion.args[1]))  # type: ignore[union-attr]
        self.not_negative, self.most, self.bound, self.lower, self.upper = (
            use(p, known, [low, positive]) for p in _of_smaller()
        )


@once
def _of_smaller() -> tuple[Theorem, ...]:
    """0 <= min; min <= g; min <= s; g - min = 0 where g <= s, and s - min = 0 where s <= g."""
    g, s, u = var("g"), var("s"), var("u")
    low, positive = assume(le(0, g)), assume(le(0, s))
    unit_law, least = Term("law", ("Unit",)), smaller(g, s)
    happens = mean("u", unit_law, ind(u * g, s))
    chance = mono(indicator(u * g, s, 3), "u", unit_law), mono(indicator(u * g, s, 4), "u", unit_law)
    not_negative = auto(le(0, least), (low, chance[0]))
    most = auto(le(least, g), (low, auto(le(0, 1 - happens), chance[1])))
    small, large, above = assume(le(g, s)), assume(le(s, g)), assume(lt(0, g))
    whole = auto(le(ind(u, 1), ind(u * g, s)), _where_inside(u, g, s))
    sure = auto(le(1, happens), mono(whole, "u", unit_law), unit(term(1), "u", auto(le(0, 1)), auto(le(1, 1))))
    is_g = auto(eq(g - least, 0), antisymmetric(sure, chance[1]))
    share = s / g
    one, inverse = weak(reciprocal_positive(above)), reciprocal(above)
    share_low, share_high = auto(le(0, share), (one, positive)), auto(le(share, 1), (one, large), inverse)
    scaled = mono(_scaled(u, g, s, above), "u", unit_law)
    proved = auto(eq(s - least, 0), (g, scaled), unit(share, "u", share_low, share_high), inverse)
    nothing = antisymmetric(assume(le(g, 0)), low)
    at_zero = auto(eq(s - least, 0), antisymmetric(auto(le(s, 0), large, assume(le(g, 0))), positive), nothing)
    is_s = cases(at_zero, proved, g, term(0))
    goal = le(least, s)
    bound = cases(auto(goal, most, small), auto(goal, is_s), g, s)
    given = le(0, g), le(0, s)
    return (
        *(for_all("g s", p, *given) for p in (not_negative, most, bound)),
        for_all("g s", for_all("", is_g, le(g, s)), *given),
        for_all("g s", for_all("", is_s, le(s, g)), *given),
    )


def _where_inside(u: Term, g: Term, s: Term) -> Theorem:
    """1[u <= 1] <= 1[u g <= s] for 0 <= g <= s."""
    goal, inside = le(ind(u, 1), ind(u * g, s)), assume(le(u, 1))
    low, small = assume(le(0, g)), assume(le(g, s))
    here = auto(goal, at_most(auto(le(u * g, s), (low, inside), small)))
    beyond = not_at_most(assume(lt(1, u)))
    return cases(here, auto(goal, beyond), u, term(1))


def _scaled(u: Term, g: Term, s: Term, above: Theorem) -> Theorem:
    """1[u g <= s] = 1[u <= s/g] for g > 0."""
    goal, share = eq(ind(u * g, s), ind(u, s / g)), s / g
    one, inverse = reciprocal_positive(above), reciprocal(above)
    reached, beyond = assume(le(u * g, s)), assume(lt(s, u * g))
    here = auto(goal, at_most(reached), at_most(auto(le(u, share), (one, reached), (u, inverse))))
    there = auto(goal, not_at_most(beyond), not_at_most(auto(lt(share, u), (one, beyond), (u, inverse))))
    return cases(here, there, u * g, s)


# ------------------------------------------------------------------------------------------------- parts of rewards


def below(g: Term, most: Term, name: str = "r") -> tuple[Formula, Formula]:
    """0 <= g <= most at all points."""
    return All((name,), (), le(0, g)), All((name,), (), le(g, most))


def part_is_not_negative(s: Term, sign: int) -> Theorem:
    """0 <= the part of a number s: s 1[0 <= s] or -s 1[s <= 0]."""
    return auto(le(0, part(s, sign)), indicator(term(0), s, 1) if sign == 1 else indicator(s, term(0), 1))


def parts_differ(s: Term) -> Theorem:
    """The positive part less the negative part is s."""
    return use(_parts(), [("s", s)], [])


@lemma("s")
def _parts() -> Theorem:
    """And both add up to |s|."""
    s = var("s")
    goal = eq(part(s, 1) - part(s, -1), s)
    low, high = assume(le(s, 0)), assume(lt(0, s))
    at_zero = antisymmetric(assume(le(0, s)), low)
    sides = [same(auto(eq(s, 0), at_zero), "v", substitute(t, {"s": var("v")})) for t in goal.args]
    negative = auto(goal, (s, at_most(low)), (s, not_at_most(assume(lt(s, 0)))))
    not_above = cases(auto(goal, *sides), negative, term(0), s)
    return cases(not_above, auto(goal, (s, at_most(high)), (s, not_at_most(high))), s, term(0))


class Part:
    """A number from 0 on that each reward has: its integral in round i of T rounds is the mean of those of the arms.

    The integral of arm a is called name(a): it is at least, or exactly, the supremum.
    """

    def __init__(
        self,
        value: Callable[[Term], Term],
        not_negative: Callable[[Term], Theorem],
        name: str,
        known: Callable[[Term, Term], Sequence[Formula]],
    ):
        self.value, self.not_negative, self.name = value, not_negative, name
        self.known = [assume(All(("a",), is_arm(a, K), f)) for f in known(nu(a), app(name, a))]

    def of(self, arm: Term) -> Term:
        return app(self.name, arm)

    @property
    def mean(self) -> Term:
        """The mean of the integrals of the arms in round i."""
        return mean_played(self.of(a))

    runs = WHOLE

    def in_run(self, k: Any) -> Term:
        """The part of the reward of round k in the run z."""
        return self.value(earned(k, T, z))

    def in_run_not_negative(self, k: Any) -> Theorem:
        return self.not_negative(earned(k, T, z))

    def at_most(self) -> Theorem:
        """E f <= that mean for bounded f(z) between 0 and the part: f <= B, so f <= min(B, the part) for a number B."""
        f, B = app("f", z), var("B")
        given = below(f, self.in_run(i), "z")
        low, high = (instance(assume(g), {}) for g in given)
        bounded = instance(assume(All(("z",), (), le(f, B))), {})
        some = auto(le(0, B), low, bounded)
        of_run = Smaller(some, self.in_run_not_negative(i))
        here = smaller(B, self.in_run(i))
        small, large = le(B, self.in_run(i)), le(self.in_run(i), B)
        goal = le(f, here)
        under_both = cases(
            auto(goal, bounded, instance(of_run.lower, {}, assume(small))),
            auto(goal, high, instance(of_run.upper, {}, assume(large))),
            *small.args,
        )
        proved = auto(le(over_runs(f, self.runs), self.mean), mono(under_both, "z", self.runs), *self.smaller(some))
        return for_all("f", some_bound(proved, "B", ["z"], f), *given)

    def smaller(self, some: Theorem) -> Sequence[Theorem]:
        """The mean of min(B, the part) in round i is at most that mean, in two steps."""
        B = some.conclusion.args[1]  # type: ignore[union-attr]
        of_r = Smaller(some, self.not_negative(r))
        least = smaller(B, self.value(r))
        arms = instance(instance(self.known[0], {}, *ARM), {"g": fn("r", least)}, of_r.not_negative, of_r.bound)
        told = of_round(substitute(least, {"r": var("y")}))
        return told, less_on_arms(mean("r", nu(a), least), self.of(a), arms)

    def at_least(self) -> Theorem:
        """That mean is at most c where all such E f are, by an induction over the arms.

        A function of the reward that is below its value is good for the first m arms, and any other for the rest.
        """
        s, g = app("s", r), app("g", r)
        rest_of = below(s, self.value(r))

        def mean_of(f: Term, arm: Any = a) -> Term:
            return mean("r", nu(arm), f)

        def first(k: Any) -> Term:
            return sum_of(lambda j: mean_played(equal(a, j)) * self.of(j), k)

        def rest(k: Any, f: Term) -> Term:
            return mean_played(ind(k, a) * mean_of(f))

        f_most = self.all_at_most(c)
        claim = All(("s",), (le(m, K), *rest_of), le(first(m) + rest(m, s), c))
        low_s, high_s = (instance(assume(f), {}) for f in rest_of)
        paid = app("s", earned(i, T, z))
        on_run = [for_all("z", instance(assume(f), {"r": earned(i, T, z)})) for f in rest_of]
        whole = auto(
            le(mean_rewarded(s), c),
            instance(assume(f_most), {"f": fn("z", paid)}, *on_run),
            of_round(app("s", var("y"))),
        )
        positive = mono(low_s, "r", nu(a))
        some = auto(le(ind(0, a) * mean_of(s), mean_of(s)), (positive, indicator(term(0), a, 4)))
        base = auto(le(first(0) + rest(0, s), c), mono(some, "a", WHO), whole)

        pm, enough = assume(nat(m)), assume(le(m + 1, K))
        given = below(g, self.value(r))
        low_g, high_g = (instance(assume(f), {}) for f in given)
        up, top = ind(s, g), s + (g - s) * ind(s, g)
        facts = [indicator(s, g, k) for k in range(5)]
        less = auto(le(0, 1 - up))
        above_s = auto(le(s, top), facts[1])
        above_g = auto(le(g, top), facts[2])
        top_low = auto(le(0, top), low_s, above_s)
        top_high = auto(le(top, self.value(r)), (facts[3], high_g), (less, high_s))
        upto = auto(le(m, K), enough)
        known = instance(assume(claim), {"s": fn("r", top)}, upto, top_low, top_high)
        split = equal_on_arms(
            ind(m, a) * mean_of(top), (equal(a, m) + ind(m + 1, a)) * mean_of(top), self._next(mean_of(top))
        )
        over_g, over_s = (mono(p, "r", nu(a)) for p in (above_g, above_s))
        hit = product(indicator(a, m, 3), indicator(m, a, 3))
        here = auto(le(equal(a, m) * mean_of(g), equal(a, m) * mean_of(top)), (hit, over_g))
        later = auto(le(ind(m + 1, a) * mean_of(s), ind(m + 1, a) * mean_of(top)), (ind(m + 1, a), over_s))
        at_m = under(a, m, mean("r", law("nu", var("w")), g))
        chance = mean_played(equal(a, m))
        gap = c - first(m) - rest(m + 1, s)
        averages = [mono(p, "a", WHO) for p in (here, later, at_m)]
        so_far = auto(le(chance * mean_of(g, m), gap), known, split, *averages)
        not_negative = mono(hit, "a", WHO)
        goal = le(chance * self.of(m), gap)
        of_g = for_all("g", so_far, *given)
        nothing = [for_all("r", p) for p in (auto(le(0, 0)), self.not_negative(r))]
        none = instance(of_g, {"g": fn("r", 0)}, *nothing)
        never = antisymmetric(assume(le(chance, 0)), not_negative)
        at_zero = auto(goal, (self.of(m), never), none)
        often = assume(lt(0, chance))
        one, inverse = weak(reciprocal_positive(often)), reciprocal(often)
        average = auto(le(mean_of(g, m), gap / chance), (one, so_far), (mean_of(g, m), inverse))
        natural = instance(self.known[1], {"a": m}, pm, auto(lt(m, K), enough))
        best = instance(natural, {"c": gap / chance}, average)
        proved = cases(at_zero, auto(goal, (chance, best), (gap, inverse)), chance, term(0))
        grown = uniform_next(pm, "j", mean_played(equal(a, j)) * self.of(j))
        step = auto(le(first(m + 1) + rest(m + 1, s), c), proved, grown)
        last = instance(induction("m", base, step, claim, at=K), {"s": fn("r", 0)}, *nothing)
        return for_all("c", auto(le(self.mean, c), last, by_arms(self.of(a))), f_most)

    def all_at_most(self, most: Term) -> All:
        """E f <= most for all bounded f(z) between 0 and the part of the reward of round i."""
        f = app("f", z)
        return All(("f",), below(f, self.in_run(i), "z"), le(over_runs(f), most))

    def _next(self, e: Term) -> Theorem:
        """1[m <= a] = 1[a = m] + 1[m + 1 <= a] for natural a and m, times e."""
        goal = eq(ind(m, a), equal(a, m) + ind(m + 1, a))
        soon, late = assume(lt(a, m)), assume(lt(m, a))
        before = auto(goal, not_at_most(soon), not_at_most(auto(lt(a, m + 1), soon)))
        gap = nat_nonnegative(nat_minus(assume(nat(m)), ARM[0], late))
        beyond = auto(goal, at_most(late), (ind(m, a), not_at_most(late)), at_most(auto(le(m + 1, a), gap)))
        low = assume(le(a, m))
        now = auto(goal, (ind(m, a), at_most(low)), not_at_most(auto(lt(a, m + 1), low)))
        one = cases(cases(now, before, m, a), beyond, a, m)
        return auto(eq(ind(m, a) * e, (equal(a, m) + ind(m + 1, a)) * e), (e, one))


# ---------------------------------------------------------------------------------------------- sums over the rounds


class Sums:
    """Sums over the rounds of one part of the rewards."""

    def __init__(self, one: Part):
        self.one = one

    def in_run(self, k: Any) -> Term:
        return sum_of(self.one.in_run, k)

    def mean(self, k: Any) -> Term:
        return sum_of(lambda j: in_round(self.one.mean, j), k)

    def grown(self, natural: Theorem) -> tuple[Theorem, Theorem]:
        """Both, with one round more."""
        return uniform_next(natural, "j", self.one.in_run(j)), uniform_next(natural, "j", in_round(self.one.mean, j))

    def at_most(self, Y: Term, low: Theorem, most: Term, known: Theorem) -> Theorem:
        """E f <= most + the sum of the means for bounded f(z) between 0 and Y(z) + the sum of the parts.

        `known` says E f <= most for f between 0 and Y. In each round: min(f, the part), and what is left of f.
        """
        f, pn, enough = app("f", z), assume(nat(n)), assume(le(n + 1, T))

        def given(k: Any) -> tuple[Formula, ...]:
            return (le(k, T), *below(f, Y + self.in_run(k), "z"))

        claim = All(("f",), given(n), le(over_runs(f, self.one.runs), most + self.mean(n)))
        start = [assume(g) for g in given(0)[1:]]
        upto = for_all("z", auto(le(f, Y), instance(start[1], {})))
        base = auto(le(over_runs(f, self.one.runs), most + self.mean(0)), at(known, fn("z", f), start[0], upto))
        low_f, high_f = (instance(assume(g), {}) for g in given(n + 1)[1:])
        here = self.one.in_run(n)
        both = Smaller(low_f, self.one.in_run_not_negative(n))
        taken, left = smaller(f, here), f - smaller(f, here)
        in_runs, means = self.grown(pn)
        rest = auto(le(0, left), both.most)
        goal = le(left, Y + self.in_run(n))
        small = auto(goal, instance(both.lower, {}, assume(le(f, here))), low, self.not_negative(pn))
        large = auto(goal, instance(both.upper, {}, assume(le(here, f))), high_f, in_runs)
        less = cases(small, large, f, here)
        rounds = pn, auto(lt(n, T), enough)
        round_n = instance(for_all("i", self.one.at_most(), *(p.conclusion for p in ROUND)), {"i": n}, *rounds)
        of_round_n = instance(round_n, {"f": fn("z", taken)}, both.not_negative, both.bound)
        before = instance(assume(claim), {"f": fn("z", left)}, auto(le(n, T), enough), rest, less)
        step = auto(le(over_runs(f, self.one.runs), most + self.mean(n + 1)), before, of_round_n, means)
        whole = induction("n", base, step, claim, at=T)
        return for_all("f", instance(whole, {}, *map(assume, given(T)[1:])), *given(T)[1:])

    def not_negative(self, natural: Theorem) -> Theorem:
        """The sum of the parts of some rounds is at least 0."""
        count = natural.conclusion.args[0]  # type: ignore[union-attr]
        each = mono(self.one.in_run_not_negative(j), "j", uniform(count))
        return auto(le(0, self.in_run(count)), (nat_nonnegative(natural), each))

    def at_least(self, Y: Term, total: Term, known: Theorem) -> Theorem:
        """total + the sum of the means is at most c, where E f <= c for bounded f from 0 to Y(z) + the sum of values.

        `known` says total <= c, where E f <= c for f between 0 and Y.
        """
        f, g, pn, enough = app("f", z), app("g", z), assume(nat(n)), assume(le(n + 1, T))

        def all_at_most(k: Any, most: Term) -> All:
            return All(("f",), below(f, Y + self.in_run(k), "z"), le(over_runs(f), most))

        def given(k: Any) -> tuple[Formula, ...]:
            return le(k, T), all_at_most(k, c)

        claim = All(("c",), given(n), le(total + self.mean(n), c))
        of_f = [assume(h) for h in below(f, Y, "z")]
        upto = auto(le(f, Y + self.in_run(0)), instance(of_f[1], {}))
        start = for_all("f", instance(assume(all_at_most(0, c)), {}, of_f[0], upto), *(p.conclusion for p in of_f))
        base = auto(le(total + self.mean(0), c), instance(known, {}, start))
        of_f, of_g = (
            [assume(h) for h in below(*what, "z")] for what in ((f, Y + self.in_run(n)), (g, self.one.in_run(n)))
        )
        in_runs, means = self.grown(pn)
        both = [instance(p, {}) for p in (*of_f, *of_g)]
        positive = auto(le(0, f + g), both[0], both[2])
        below_both = auto(le(f + g, Y + self.in_run(n + 1)), both[1], both[3], in_runs)
        together = instance(assume(all_at_most(n + 1, c)), {"f": fn("z", f + g)}, positive, below_both)
        of_round_n = for_all("i", self.one.at_least(), *(p.conclusion for p in ROUND))
        best = instance(of_round_n, {"i": n}, pn, auto(lt(n, T), enough))
        each_g = for_all("g", auto(le(over_runs(g), c - over_runs(f)), together), *(p.conclusion for p in of_g))
        one = instance(best, {"c": c - over_runs(f)}, each_g)
        chosen = in_round(self.one.mean, n)
        each_f = auto(le(over_runs(f), c - chosen), one)
        before = instance(assume(claim), {"c": c - chosen}, auto(le(n, T), enough), each_f)
        step = auto(le(total + self.mean(n + 1), c), before, means)
        whole = induction("n", base, step, claim, at=T)
        return for_all("c", instance(whole, {}, assume(given(T)[1])), given(T)[1])


def signed(sign: int, name: str) -> Part:
    """The positive or the negative part."""
    return Part(
        lambda s: part(s, sign),
        lambda s: part_is_not_negative(s, sign),
        name,
        lambda one_law, number: integral(one_law, part_of(sign), number),
    )


GAINS, LOSSES = (Sums(signed(*which)) for which in zip(PARTS, SIZES, strict=True))
TOTAL = sum_of_rewards(T, z)


def total_by_parts() -> Theorem:
    """Both parts of the sum of the rewards differ as the sums of both parts do."""
    each = mono(parts_differ(earned(j, T, z)), "j", uniform(T))
    goal = eq(part(TOTAL, 1) - part(TOTAL, -1), GAINS.in_run(T) - LOSSES.in_run(T))
    return auto(goal, (T, each), parts_differ(TOTAL))


def total_part(sign: int) -> Callable[[Term], Term]:
    return part_of(sign, lambda z: sum_of_rewards(T, z))


@once
def mean_of_the_sum() -> Theorem:
    """E of the sum of the rewards is the sum of the means of the rewards of the rounds: from above and from below.

    One part of the sum and the sum of the other parts are what the other part and the sum of the first ones are.
    """
    gained, lost = (var(name) for name in OF_THE_SUM)
    sides = []
    for sign, (one, other), (total, rest) in (
        (1, (GAINS, LOSSES), (gained, lost)),
        (-1, (LOSSES, GAINS), (lost, gained)),
    ):
        first, then = (part(TOTAL, k * sign) for k in (1, -1))
        least = assume(integral(WHOLE, total_part(sign), total, "z")[1])
        most = assume(integral_at_most(WHOLE, total_part(-sign), rest, "z"))
        above = one.at_most(then, part_is_not_negative(TOTAL, -sign), rest, most)
        f = app("f", z)
        given = below(f, first + other.in_run(T), "z")
        low, high = (assume(g) for g in given)
        upto = auto(le(f, then + one.in_run(T)), instance(high, {}), total_by_parts())
        each = instance(above, {}, low, upto)
        below_all = other.at_least(first, total, least)
        sides.append(instance(below_all, {"c": rest + one.mean(T)}, each))
    goal = eq(gained - lost, GAINS.mean(T) - LOSSES.mean(T))
    low, high = (auto(le(*pair), p) for p, pair in zip(sides, ((goal.args), (goal.args[1], goal.args[0])), strict=True))
    return antisymmetric(low, high)


def at(p: Theorem, value: Any, *proofs: Theorem) -> Theorem:
    """What a theorem about all of one name says of a value."""
    return instance(p, {p.conclusion.params[0]: value}, *proofs)  # type: ignore[union-attr]


def over_rounds(p: Theorem) -> Theorem:
    """The means over the rounds i < T of two numbers that are the same in each, or of which one is smaller."""
    left, right = p.conclusion.args  # type: ignore[union-attr]
    proved = mean_over(auto(eq(0, left - right), p), "i", T)
    return auto(eq(*(mean("i", uniform(T), side) for side in (left, right))), proved)


def times_pulls(f: Term) -> Theorem:
    """The mean of E f(a) over the rounds i < T is the sum over the arms b of f(b) times how often b is played."""
    hit, of_b, told = equal(a, b), substitute(f, {"a": b}), equal(did(i, T, z), b)
    turned = average_inside("i", T, "b", uniform(K), of_b * mean_played(hit))
    in_one = over_rounds(of_round(equal(var("x"), b))), average_inside("i", T, "z", WHOLE, told)
    often = over_runs(mean("i", uniform(T), told))
    counted = auto(eq(of_b * mean("i", uniform(T), mean_played(hit)), of_b * often), *((of_b, p) for p in in_one))
    goal = eq(mean("i", uniform(T), mean_played(f)), K * mean("b", uniform(K), of_b * often))
    return auto(goal, over_rounds(by_arms(f)), (K, turned), (K, mono(counted, "b", uniform(K))))


@proof
def gaps_by_pulls(statement: All) -> Theorem:
    """The mean of the sum of the gaps of the arms that are played, arm by arm."""
    gap = var("best") - app("mu", a)
    told = substitute(gap, {"a": did(i, T, z)})
    in_one = average_inside("i", T, "z", WHOLE, told), over_rounds(of_round(substitute(gap, {"a": var("x")})))
    return auto(conclusion(statement), *((T, p) for p in (*in_one, times_pulls(gap))))


@proof
def rewards_by_pulls(statement: All) -> Theorem:
    """The mean of the sum of the rewards is the sum of their means, round by round, and so arm by arm."""
    gap = var("best") - mean_reward(a)
    return auto(conclusion(statement), mean_of_the_sum(), (T, times_pulls(gap)))


def size_is_at_least(s: Term) -> tuple[Theorem, Theorem, Theorem]:
    """0 <= |s|, s <= |s| and -s <= |s|, for |s| = s (2 1[0 <= s] - 1)."""
    up, down = indicator(term(0), s, 1), indicator(term(0), s, 2)
    return auto(le(0, size(s)), up, down), auto(le(s, size(s)), down), auto(le(-s, size(s)), up)


@proof
def mean_of_the_sum_exists(statement: All) -> Theorem:
    """The size of the sum of the rewards is at most the sum of their sizes."""
    last = parts_of(statement.then)[2]
    _, given_f, goal = parts_of(last)
    none = below(app("f", z), term(0), "z")
    nothing = for_all("f", mono(instance(assume(none[1]), {}), "z", WHOLE), *none)
    sizes = Sums(
        Part(
            size,
            lambda s: size_is_at_least(s)[0],
            "size",
            lambda one_law, most: [integral_at_most(one_law, size, most)],
        )
    )
    bound = sizes.at_most(term(0), auto(le(0, 0)), term(0), nothing)
    above = [(nat_nonnegative(assume(nat(T))), mono(p, "j", uniform(T))) for p in size_is_at_least(earned(j, T, z))[1:]]
    sign = ind(0, TOTAL)
    up = auto(le(TOTAL, sizes.in_run(T)), above[0])
    down = auto(le(-TOTAL, sizes.in_run(T)), above[1])
    shares = indicator(term(0), TOTAL, 3), auto(le(0, 1 - sign))
    most = auto(le(size(TOTAL), sizes.in_run(T)), *zip(shares, (up, down), strict=True))
    low, high = (assume(g) for g in given_f)
    g = app("g", z)
    upto = auto(le(g, sizes.in_run(T)), instance(high, {}), most)
    return auto(goal, instance(bound, {"f": fn("z", g)}, upto), (T, times_pulls(app("size", a))))


# ------------------------------------------------------------------------------------------------ the law of the action


@proof
def conditional_law(statement: All) -> Theorem:
    """E F(heard(j, n, z), did(j, n, z)) = E F(told(z), a) for runs z of j rounds and a ~ pi_j: by induction over n."""
    goal = parts_of(statement.then)[2]
    own, own_action, kept, kept_action = map(assume, statement.given[-4:])
    runs = goal.args[0].args[1]
    (_, _), _, start, step = runs.args
    j = var("j")
    pn, natural, enough = assume(nat(n)), assume(nat(j)), assume(le(n + 1, T))
    inside, after = auto(lt(n, T), enough), app("after", z, a, a, r)

    def mean_run(k: Any, body: Term) -> Term:
        return mean("z", Term("steps", (("t", "z"), term(k), start, step)), body)

    def F(run: Any, action: Any) -> Term:
        return app("F", run, action)

    def says(k: Any, place: Any) -> Rel:
        left = mean_run(k, F(heard(place, k, z), did(place, k, z)))
        return eq(left, mean_run(place, mean("a", law("pi", place, TOLD), F(TOLD, code(a)))))

    def averaged(p: Theorem) -> Theorem:
        one_round = mono(mono(p, "r", law("nu", n, z, a)), "a", law("pi", n, TOLD))
        return mono(one_round, "z", Term("steps", (("t", "z"), n, start, step)))

    def rewritten(place: Any, run: Theorem, action: Theorem) -> tuple[Theorem, Theorem]:
        """F of what is told of the longer run, in two steps."""
        done, then = did(place, n + 1, after), run.conclusion.args[1]  # type: ignore[union-attr]
        return averaged(same(run, "v", F(var("v"), done))), averaged(same(action, "v", F(then, var("v"))))

    claim = All(("F", "j"), (nat(j), lt(j, n), le(n, T)), says(n, j))
    base = absurd(_contradiction(assume(lt(j, 0)), nat_nonnegative(natural)), says(0, j))
    at = {"i": n, "z": z, "a": a, "q": a, "r": r}

    def grown(place: Any) -> Theorem:
        body = substitute(F(heard(place, n + 1, z), did(place, n + 1, z)), {"z": x})
        return steps_next(pn, "x", body, "t", "z", start, step)

    soon, below = assume(lt(j, n)), assume(lt(j, n + 1))
    told_before = [instance(p, at | {"j": j}, pn, inside, soon) for p in (kept, kept_action)]
    before = instance(assume(claim), {}, soon, auto(le(n, T), enough))
    early = auto(says(n + 1, j), grown(j), *rewritten(j, *told_before), before)
    own_round = [instance(p, at, pn, inside) for p in (own, own_action)]
    at_most_n = auto(le(j, n), nat_nonnegative(nat_minus(natural, nat_next(pn), below)))
    here = antisymmetric(at_most_n, assume(le(n, j)))
    sides = [same(here, "v", substitute(s, {"j": var("v")})) for s in says(n + 1, j).args]
    proved = cases(auto(says(n + 1, j), *sides, grown(n), *rewritten(n, *own_round)), early, n, j)
    at_T = induction("n", base, proved, claim, at=T)
    of_B, after_x = app("B", x), law("pi", j, x)
    bodies = of_B * app("A", var("y")), of_B * mean("a", after_x, app("A", code(a)))
    facts = [instance(at_T, {"F": fn("x y", body)}) for body in bodies]
    return auto(goal, *facts)


@proof
def reward_of_the_arm(statement: All) -> Theorem:
    """Both sides are that in the round after j rounds, where the reward is drawn from the law of the arm."""
    known = in_one_game(histories=True)
    h, arm, reward = map(var, ("h", "x", "y"))
    drawn = mean("r", nu(arm), app("g", r))
    bodies = app("B", h, arm) * app("g", reward), app("B", h, arm) * drawn
    facts = [instance(known, {"F": fn("h x y", body), "i": var("j")}) for body in bodies]
    return auto(conclusion(statement), *facts)


# ------------------------------------------------------------------------------------------------- the canonical model


class Rounds:
    """The runs z of a game with the steps t of a law: their law after k rounds, and what one more does to a mean."""

    def __init__(self, law: Term):
        self.start, self.step = law.args[2:]

    def law(self, k: Any) -> Term:
        return Term("steps", (("t", "z"), term(k), self.start, self.step))

    def mean(self, k: Any, body: Term) -> Term:
        return mean("z", self.law(k), body)

    def none(self, body: Term) -> Theorem:
        return steps_zero("z", body, "t", "z", self.start, self.step)

    def next(self, natural: Theorem, body: Term) -> Theorem:
        return steps_next(natural, "x", substitute(body, {"z": x}), "t", "z", self.start, self.step)


@proof
def density_of_runs(statement: All) -> Theorem:
    """Round by round: the arm of a round is one of K, as likely as the policy says, and its reward has a density."""
    _, given, goal = parts_of(statement.then)
    density, _, next_upper, _, next_lower = map(assume, given)
    base, G, log = law("base"), app("G", z), Term("log", (K,))
    played, drawn = Rounds(goal.args[0].args[1]), Rounds(goal.args[1].args[1].args[1])

    def says(k: Any) -> Rel:
        left, right = played.mean(k, G * app("lower", k, z)), drawn.mean(k, G * app("upper", k, z))
        return eq(left, exp(term(k) * log) * right)

    claim = All(("G",), (le(n, T),), says(n))
    none = played.none(G * app("lower", 0, z)), drawn.none(G * app("upper", 0, z))
    at_start = auto(says(0), *none)
    pn, enough = assume(nat(n)), assume(le(n + 1, T))
    run, below_T = app("after", z, a, a, r), auto(lt(n, T), enough)
    end, of_arm, rewards = app("G", run), law("pi", n, TOLD), law("nu", a)
    lower, upper = app("lower", n, z), app("upper", n, z)
    longer = {"i": n, "z": z, "a": a, "r": r}
    multiplied = [times(end, instance(p, longer, pn, below_T, *ARM)) for p in (next_lower, next_upper)]

    paid = mean("r", base, app("above", a, r) * end)
    weighted = mean("r", rewards, end * app("lower", n + 1, run))
    by_density = instance(density, {"g": fn("r", end)}, *ARM)
    on_arms = auto(eq(weighted, lower * paid), mono(multiplied[0], "r", rewards), by_density)
    left = mono(same_on_arms(PLAYS, of_arm, (n, TOLD), weighted, lower * paid, on_arms), "z", played.law(n))
    before = instance(assume(claim), {"G": fn("z", mean("a", of_arm, paid))}, auto(le(n, T), enough))

    one_more = mean("r", base, end * app("upper", n + 1, run))
    chance = mean("b", of_arm, equal(b, a))
    each = auto(eq(0, one_more - upper * chance * paid), mono(multiplied[1], "r", base))
    of_uniform = mean("a", uniform(K), one_more)
    sums = (K, mean_over(each, "a", K)), (upper, all_arms(paid, n, TOLD))
    over_arms = auto(eq(K * of_uniform, upper * mean("a", of_arm, paid)), *sums)
    scale, times_K = exp(n * log), exp_log(auto(lt(0, K)))
    right = (scale * drawn.mean(n, of_uniform), times_K), (scale, mono(over_arms, "z", drawn.law(n)))
    nexts = played.next(pn, G * app("lower", n + 1, z)), drawn.next(pn, G * app("upper", n + 1, z))
    step = auto(says(n + 1), nexts[0], left, before, nexts[1], *right)
    return auto(goal, instance(induction("n", at_start, step, claim, at=T)))


@proof
def law_of_the_actions(statement: All) -> Theorem:
    """Round by round: the runs that say the word are those with its arms, as often as the policy plays them."""
    _, given, goal = parts_of(statement.then)
    begins, grows, natural, below, first, multiplies = map(assume, given[:6])
    played, along = (Rounds(side.args[1]) for side in goal.args)
    kept, g = Kept(), app("g", z)

    def says(k: Any) -> Rel:
        return eq(played.mean(k, g * equal(SAID, word(k))), along.mean(k, g * app("chances", k, z)))

    claim = All(("g",), (le(n, T),), says(n))
    at_start, itself = app("g", played.start), at_most(auto(le(START, START)))
    hit = same(begins, "v", equal(START, var("v")))
    none = played.none(g * equal(SAID, word(0))), along.none(g * app("chances", 0, z))
    certain = (at_start, hit), (at_start * ind(START, START), itself), (at_start, itself), (at_start, first)
    base = auto(says(0), *none, *certain)
    pn, enough = assume(nat(n)), assume(le(n + 1, T))
    below_T, arm, of_arm = auto(lt(n, T), enough), letter(n), law("pi", n, TOLD)

    def end(played: Term) -> Term:
        return app("g", app("after", z, played, played, r))

    said = app("said", app("after", z, a, a, r))
    at_word, at_arm = equal(SAID, word(n)), equal(a, arm)
    moved = same(instance(kept.said, {"q": a}), "v", end(a) * equal(var("v"), word(n + 1)))
    grown = same(instance(grows, {"i": n}, pn, below_T), "v", end(a) * equal(app("pair", SAID, a), var("v")))
    split = (end(a), kept.of_pairs(SAID, a, word(n), arm))
    reached = auto(eq(end(a) * equal(said, word(n + 1)), end(a) * at_word * at_arm), moved, grown, split)
    there = under(a, arm, mean("r", law("nu", var("w")), end(var("w"))))
    of_round = mean("r", law("nu", a), end(a) * equal(said, word(n + 1)))
    then = mean("r", law("nu", arm), end(arm))
    at_round = auto(eq(of_round, at_word * then * at_arm), mono(reached, "r", law("nu", a)), (at_word, there))
    left = mono(mono(at_round, "a", of_arm), "z", played.law(n))
    before = instance(assume(claim), {"g": fn("z", then * mean("a", of_arm, at_arm))}, auto(le(n, T), enough))
    an_arm_there = [instance(p, {"i": n}, pn, below_T) for p in (natural, below)]
    factor = times(end(arm), instance(multiplies, {"i": n, "a": arm}, pn, below_T, *an_arm_there))
    right = mono(mono(factor, "r", law("nu", arm)), "z", along.law(n))
    nexts = played.next(pn, g * equal(SAID, word(n + 1))), along.next(pn, g * app("chances", n + 1, z))
    then = substitute(goal.args[0].args[2], {"A": fn("x", 1)})  # what is asked of the run beside its actions
    at_T = instance(
        induction("n", base, auto(says(n + 1), *nexts, left, before, right), claim, at=T), {"g": fn("z", then)}
    )
    event_is = mono(times(then, _event_of_one(given[-3:], word(T), SAID)), "z", played.law(T))
    return auto(goal, at_T, event_is)
