"""Proofs in the kernel of what the number of plays of an arm says of regrets: Markov's inequality on the event that an
arm is played in at most half of the rounds, on two bandits that a divergence cannot tell apart.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.histories import plays_along
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.terms import Fn
from banditproof.verify.theorems.exposure import KEPT, OnArms, r
from banditproof.verify.theorems.minimax import at_arm
from banditproof.verify.theorems.policies import *
from banditproof.verify.theorems.testing import errors_of_a_test

RUNS = OnArms("nu")
v, x, arm, most = map(var, ("v", "x", "arm", "most"))
k = var("k")
COUNTED = [assume(f) for f in plays_along(T, K)]
ARM, ARM_B = ([assume(f) for f in is_arm(name, K)] for name in (k, b))


def plays(of: Any, count: Any, said: Any = SAID) -> Term:
    return app("plays", of, count, said)


class Round:
    """What the round n < T adds to E g(z) (c + d N_k): g(z) of the longer run, times e + d 1[a = k]."""

    def __init__(self) -> None:
        self.natural, self.enough = assume(nat(n)), assume(le(n + 1, T))
        self.few = auto(lt(n, T), self.enough)
        begins, grows = (instance(f, {"b": k}, *ARM) for f in COUNTED)
        self.begins = begins
        self.grows = instance(grows, {"i": n, "o": SAID}, self.natural, self.few, *map(assume, is_arm(a, K)))

    def next(self, g: Term, c: Any, d: Any) -> list[Theorem]:
        """Equations between E g (c + d N_k) after n + 1 rounds, and the means after n rounds of what it is made of."""
        there = substitute(g, {"z": app("after", z, a, a, r)})
        longer = c + d * plays(k, n + 1, app("pair", SAID, a))
        said = instance(KEPT.said, {"q": a})
        told = mono(mono(same(said, "v", there * (c + d * plays(k, n + 1, v))), "r", law("nu", a)), "a", pi(n, TOLD))
        more = c + d * plays(k, n) + d * equal(a, k)
        ahead = mean("r", law("nu", a), there)
        on_arms = auto(eq(ahead * longer, ahead * more), (d * ahead, self.grows))
        split = same_on_arms(PLAYS, pi(n, TOLD), (n, TOLD), ahead * longer, ahead * more, on_arms)
        here = RUNS.law(n)
        return [RUNS.next(self.natural, g * (c + d * plays(k, n + 1))), mono(told, "z", here), mono(split, "z", here)]


def in_range(most: bool) -> Theorem:
    """0 <= E g(z) N_k, or 0 <= E g(z) (T - N_k), for every function g >= 0 of runs: almost surely 0 <= N_k <= T."""
    one, g, d = Round(), app("g", z), term(-1 if most else 1)
    low = assume(All(("z",), (), le(0, g)))

    def c(m: Any) -> Term:
        return term(m) if most else term(0)

    def says(m: Any) -> Rel:
        return le(0, RUNS.mean(m, g * (c(m) + d * plays(k, m))))

    claim = All(("g",), (low.conclusion, le(n, T)), says(n))
    start = app("g", var("empty"))
    base = auto(says(term(0)), RUNS.none(g * (c(0) + d * plays(k, 0))), (d * start, one.begins))
    base = base
    there = substitute(g, {"z": app("after", z, a, a, r)})
    positive = instance(low, {"z": app("after", z, a, a, r)})
    small, large = bounds_of_event(equal(a, k), equal_is_event(a, k))
    more = auto(le(0, 1 - equal(a, k)), large) if most else small
    added = mono(mono(mono(product(positive, more), "r", law("nu", a)), "a", pi(n, TOLD)), "z", RUNS.law(n))
    ahead = mean("a", pi(n, TOLD), mean("r", law("nu", a), there))
    above = mono(mono(positive, "r", law("nu", a)), "a", pi(n, TOLD))
    before = instance(assume(claim), {"g": fn("z", ahead)}, above, auto(le(n, T), one.enough))
    step = auto(says(n + 1), *one.next(g, c(n + 1), d), before, added)
    return for_all("g", instance(induction("n", base, step, claim, at=T), {}, low), low.conclusion)


def all_plays() -> Theorem:
    """T is the sum of E N_k over the arms."""
    one = Round()

    def says(m: Any) -> All:
        return All((), (le(m, T),), eq(K * mean("k", uniform(K), RUNS.mean(m, plays(k, m))), m))

    none = auto(eq(0, RUNS.mean(0, plays(k, 0))), RUNS.none(plays(k, 0)), one.begins)
    base = auto(says(term(0)).then, (K, mean_over(none, "k", K)))
    of_arm = mean("a", pi(n, TOLD), equal(a, k))
    change = RUNS.mean(n + 1, plays(k, n + 1)) - RUNS.mean(n, plays(k, n)) - RUNS.mean(n, of_arm)
    each = mean_over(auto(eq(0, change), *one.next(term(1), 0, 1)), "k", K)
    count = K * mean("k", uniform(K), equal(a, k))
    some = same_on_arms(PLAYS, pi(n, TOLD), (n, TOLD), count, term(1), an_arm(a))
    inside = mono(fubini("k", uniform(K), "a", pi(n, TOLD), equal(a, k)), "z", RUNS.law(n))
    outside = fubini("k", uniform(K), "z", RUNS.law(n), of_arm)
    before = instance(assume(says(n)), {}, auto(le(n, T), one.enough))
    step = auto(says(n + 1).then, (K, each), (K, outside), (K, inside), mono(some, "z", RUNS.law(n)), before)
    return instance(induction("n", base, step, says(n), at=T))


def half_of_the_rounds() -> tuple[Theorem, Theorem]:
    """Markov's inequality: P(N_k <= T/2) T/2 <= T - E N_k and P(N_k > T/2) T/2 <= E N_k."""
    N = plays(k, T)
    few = ind(2 * N, T)
    no, rest = indicator(2 * N, T, 3), auto(le(0, 1 - few))

    def in_mean(p: Theorem) -> Theorem:
        return mono(p, "z", RUNS.law(T))

    def of(most: bool, g: Term, low: Theorem) -> Theorem:
        return instance(in_range(most), {"g": fn("z", g)})

    count, share = RUNS.mean(T, N), RUNS.mean(T, few)
    below, above = in_mean(indicator(2 * N, T, 1)), in_mean(indicator(2 * N, T, 2))
    seldom = auto(le(share * T / 2, T - count), below, of(True, 1 - few, rest))
    return seldom, auto(le((1 - share) * T / 2, count), above, of(False, few, no))


class OnBandit:
    """What is known of how often the arm `arm` and all arms are played on one bandit."""

    def __init__(self, bandit: Fn, arm: Any, is_one: tuple[Theorem, Theorem]):
        self.bandit, self.arm, self.is_one = bandit, term(arm), is_one
        self.seldom, self.often = (self._of(p, {"k": self.arm}, *is_one) for p in half_of_the_rounds())
        self.all = instance(for_all("nu", all_plays()), {"nu": bandit})
        self.only = at_arm(self.count, arm, is_one)
        self.count_low = self._of(instance(in_range(False), {"g": fn("z", 1)}), {"k": b}, *ARM_B)

    def _of(self, p: Theorem, values: dict[str, Any], *is_one: Theorem) -> Theorem:
        return instance(for_all("nu k", p, *is_arm(k, K)), {"nu": self.bandit, **values}, *is_one)

    def law(self) -> Term:
        """The law of the actions."""
        return Term("mix", (("z",), substitute(RUNS.law(T), {"nu": self.bandit}), Term("dirac", (SAID,))))

    def count(self, of: Any) -> Term:
        """E N."""
        return substitute(RUNS.mean(T, plays(of, T)), {"nu": self.bandit})

    def few(self) -> Term:
        """P(N <= T/2) of the arm."""
        return substitute(RUNS.mean(T, ind(2 * plays(self.arm, T), T)), {"nu": self.bandit})

    def summed(self, p: Theorem) -> Theorem:
        """The sum over the arms b of c(b) E N_b is at least 0, from 0 <= c(b) of each."""
        return sum_over(product(p, self.count_low), "b", K)

    def regret(self, best: Any, of_mean: Callable[[Any], Term]) -> Term:
        """The sum of (best - mean) E N_b over the arms."""
        return K * mean("b", uniform(K), (term(best) - of_mean(b)) * self.count(b))


def errors_of(known: Theorem, here: OnBandit, there: OnBandit, many: bool = False) -> Theorem:
    """Bretagnolle-Huber for the event of few plays of the arm, or of many."""
    few = ind(2 * plays(here.arm, T, x), T)
    low, high = indicator(*few.args, 3), indicator(*few.args, 4)
    event, laws = (1 - few if many else few), (here.law(), there.law())
    if many:
        low, high = auto(le(0, event)), auto(le(event, 1))
    return errors_of_a_test(known, laws, "x", event, low, high, most)


class TwoMeans:
    """The regrets with the means (gap, 0, ..., 0), and with 2 gap at the arm `arm`."""

    def __init__(self) -> None:
        self.gap, self.positive = var("gap"), assume(lt(0, var("gap")))
        zero = nat_zero(), auto(lt(0, K))
        self.first, self.second = (OnBandit(fn("x", law("N", means(x))), 0, zero) for means in (self.one, self.two))

    def one(self, of: Any) -> Term:
        return self.gap * equal(of, 0)

    def two(self, of: Any) -> Term:
        return self.gap * equal(of, 0) + 2 * self.gap * equal(of, arm)

    def few_cost(self) -> Theorem:
        """P(N_0 <= T/2) T gap/2 <= Reg on the first bandit."""
        of, gap = self.first, self.gap
        lost = of.regret(gap, self.one)
        return auto(le(of.few() * T * gap / 2, lost), (self.positive, of.seldom), (gap, of.all), (gap, of.only))

    def many_cost(self) -> Theorem:
        """P'(N_0 > T/2) T gap/2 <= Reg on the second bandit: what is lost by the first arm alone."""
        of, gap, first, better = self.second, self.gap, equal(b, 0), equal(b, arm)
        off = auto(eq(equal(arm, 0), 0), (ind(0, arm), not_at_most(assume(lt(0, arm)))))
        high = [auto(le(0, 1 - e), bounds_of_event(e, equal_is_event(b, s))[1]) for e, s in ((first, 0), (better, arm))]
        apart = auto(eq(first * better, 0), under(b, arm, equal(var("w"), 0)), (better, off))
        one_of_both = auto(le(0, 1 - first - better), product(*high), apart)
        none = auto(le(0, 2 * gap * (1 - first - better)), (self.positive, one_of_both))
        goal = le((1 - of.few()) * T * gap / 2, of.regret(2 * gap, self.two))
        return auto(goal, (self.positive, of.often), of.summed(none), (gap, of.only))


@proof
def markov_in_the_first(statement: All) -> Theorem:
    """The regret is the gap times T - E N_0."""
    return auto(conclusion(statement), TwoMeans().few_cost())


@proof
def markov_in_the_second(statement: All) -> Theorem:
    """Only the arm `arm` costs nothing, and the first arm costs least of the others."""
    return auto(conclusion(statement), TwoMeans().many_cost())


@proof
def sum_of_two_regrets(statement: All) -> Theorem:
    """Both together, by the errors of a test of the two bandits."""
    two = TwoMeans()
    errors = errors_of(assume(statement.given[-1]), two.first, two.second)
    half = product(nat_nonnegative(assume(nat(T))), weak(two.positive))
    return auto(conclusion(statement), two.few_cost(), two.many_cost(), (half, errors))


class ChangedArm:
    """Two bandits with the means mu of which the second one has another mean, `new`, of one arm."""

    def __init__(self, statement: All) -> None:
        self.best, self.new = var("best"), var("new")
        is_one = assume(nat(arm)), assume(lt(arm, K))
        self.first, self.second = (OnBandit(fn("x", law(nu, x)), arm, is_one) for nu in ("nu", "nu_prime"))
        no_better = assume(next(f for f in statement.given if isinstance(f, All) and f.then == le(mu(a), self.best)))
        self.gap = auto(le(0, self.best - mu(arm)), instance(no_better, {"a": arm}))
        rest = auto(le(0, 1 - equal(b, arm)), bounds_of_event(equal(b, arm), equal_is_event(b, arm))[1])
        of_b = auto(le(0, self.best - mu(b)), instance(no_better, {"a": b}, *ARM_B))
        self.others = product(of_b, rest)

    def changed(self, of: Any) -> Term:
        return mu(of) + equal(of, arm) * (self.new - mu(of))

    def costs(self, lead: Theorem) -> Theorem:
        """T/2 (P(N > T/2) gap + P'(N <= T/2) lead) <= Reg + Reg'."""
        one, two, gap, high = self.first, self.second, self.best - mu(arm), self.new - self.best
        lost = one.regret(self.best, mu), two.regret(self.new, self.changed)
        own = at_arm(lambda of: (self.best - mu(of)) * one.count(of), arm, one.is_one)
        here = auto(le((1 - one.few()) * T / 2 * gap, lost[0]), (self.gap, one.often), one.summed(self.others), own)
        there = auto(
            le(two.few() * T / 2 * high, lost[1]),
            (lead, two.seldom),
            two.summed(self.others),
            (high, two.all),
            (high, two.only),
        )
        return auto(le(T / 2 * ((1 - one.few()) * gap + two.few() * high), lost[0] + lost[1]), here, there)


def mu(of: Any) -> Term:
    return app("means", of)


@proof
def event_of_the_changed_arm(statement: All) -> Theorem:
    """On the first bandit the arm costs its gap, and on the second one every other arm costs at least the lead."""
    of = ChangedArm(statement)
    return auto(conclusion(statement), of.costs(auto(le(0, of.new - of.best))))


@proof
def regrets_of_the_changed_arm(statement: All) -> Theorem:
    """The event is a test of the two bandits."""
    of, least = ChangedArm(statement), var("least")
    small = assume(le(least, of.best - mu(arm))), assume(le(least, of.new - of.best))
    positive = assume(lt(0, least))
    costs = of.costs(auto(le(0, of.new - of.best)))
    errors = errors_of(assume(statement.given[-1]), of.first, of.second, many=True)
    many, few = of.first.few(), of.second.few()
    rounds = nat_nonnegative(assume(nat(T)))
    is_few = indicator(2 * plays(arm, T), T, 4), indicator(2 * plays(arm, T), T, 3)
    shares = [
        instance(for_all("nu", mono(f, "z", RUNS.law(T))), {"nu": one.bandit})
        for f, one in zip(is_few, (of.first, of.second), strict=True)
    ]
    more = product(rounds, auto(le(0, 1 - many), shares[0])), product(rounds, auto(le(0, few)))
    half = product(rounds, weak(positive))
    return auto(conclusion(statement), costs, (half, errors), *zip(more, small, strict=True))
