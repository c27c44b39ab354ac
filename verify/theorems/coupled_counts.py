"""Proofs in the kernel of how often the rewards of a coupled run differ: where an arm is played n times at most, hardly
more often than n times the chance that two rewards of it differ, for every policy.

With N plays of the arm and D rounds of different rewards, e^(theta D - q N) has a mean of at most 1 where
q = p (e^theta - 1), by induction over the rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.couplings import (
    coupled_runs,
    differ_with_chance,
    here,
    kept_of_rounds,
    sum_of_kept,
    tends_to_infinity,
)
from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.couplings import nu, second_given_first
from banditproof.verify.theorems.policies import sum_over

p, theta, alpha, arm, most, T, n = map(var, ("variation", "theta", "alpha", "arm", "most", "T", "n"))
z, a, r, q, j = map(var, "zarqj")
RUN, PLAYED, SAME = app("after", z, a, r, q), equal(a, arm), equal(r, q)
KEPT_PLAYS = [assume(f) for f in kept_of_rounds(0, lambda a, r, q: equal(a, arm))]
KEPT_DIFFERS = [assume(f) for f in kept_of_rounds(1, lambda a, r, q: 1 - equal(r, q))]
CHANCE = assume(differ_with_chance(second_given_first, nu, lambda a: p * equal(a, arm)))
PN = assume(nat(n))
SMALL, ROUNDS, COUNT = map(var, ("small", "rounds", "count"))


def runs(rounds: Any) -> Term:
    return coupled_runs(pi, nu, second_given_first, rounds, here)


def N(rounds: Any, z: Any) -> Term:
    return sum_of_kept(0, rounds, z)


def D(rounds: Any, z: Any) -> Term:
    return sum_of_kept(1, rounds, z)


def one_more(k: int, kept_of: list[Theorem]) -> Theorem:
    """The sum over n + 1 rounds is that over n rounds and what is kept of the last one."""
    before, last = kept_of
    values = {"n": n, "z": z, "a": a, "r": r, "q": q}
    each = instance(before, {**values, "j": j}, PN, assume(nat(j)), assume(lt(j, n)))
    left, right = each.conclusion.args  # type: ignore[union-attr]
    same_before = sum_over(auto(eq(0, left - right), each), "j", n)
    goal = eq(sum_of_kept(k, n + 1, RUN), sum_of_kept(k, n, z) + instance(last, values, PN).conclusion.args[1])  # type: ignore[union-attr]
    return auto(goal, uniform_next(PN, "j", left), same_before, instance(last, values, PN))


GROWN = exp(theta) - 1
RATE = p * GROWN


def potential(rounds: Any, z: Any) -> Term:
    return exp(theta * D(rounds, z) - RATE * N(rounds, z))


def differ(rounds: Any, z: Any) -> Term:
    """1 where some rewards are different."""
    return 1 - ind(D(rounds, z), 0)


def of_event(context: Callable[[Term], Term], values: Term) -> Theorem:
    """context(1 - 1[r = q]) = values, from both cases."""
    goal, of_same = eq(context(1 - SAME), values), context(1 - var("v"))

    def by(known: Theorem) -> Theorem:
        return auto(goal, same(known, "v", of_same), (GROWN, known))

    return unless_equal(r, q, lambda it_is: by(is_equal(it_is)), lambda _, zero: by(zero))


def after_rounds(F: Callable[[Any, Any], Term], most: int, each: Theorem, *facts: Fact) -> Theorem:
    """E F(n, z) <= most after n rounds, by induction: `each` bounds F of the longer run by what has, in the mean over
    the two rewards, at most the value F(n, z), as the facts say."""
    said = le(mean("z", runs(n), F(n, z)), most)
    step, start = runs(0).args[3], var("empty")
    base = auto(at(said, "n", term(0)))
    in_round = mono(mono(each, "q", second_given_first(a, r)), "r", nu(a))
    next_one = mean("r", nu(a), mean("q", second_given_first(a, r), F(n + 1, RUN)))
    below = auto(le(next_one, F(n, z)), in_round, *facts)
    before = mono(mono(below, "a", pi(n, here(z))), "z", runs(n))
    of_next = steps_next(PN, "x", substitute(F(n + 1, z), {"z": var("x")}), "i", "z", start, step)
    return induction("n", base, auto(at(said, "n", n + 1), of_next, before, assume(said)), said, at=T)


def at(said: Any, name: str, value: Term) -> Rel:
    return Rel(said.op, tuple(substitute(t, {name: value}) for t in said.args))


@once
def mean_of_potential() -> Theorem:
    """E e^(theta D - q N) <= 1."""
    plays, differs = one_more(0, KEPT_PLAYS), one_more(1, KEPT_DIFFERS)
    exponent = theta * D(n, z) + theta * (1 - SAME) - RATE * N(n, z) - RATE * PLAYED
    split = exp_equal(auto(eq(theta * D(n + 1, RUN) - RATE * N(n + 1, RUN), exponent), (theta, differs), (RATE, plays)))
    now, rest = potential(n, z), exp(-RATE * PLAYED)
    of_last = of_event(lambda d: exp(theta * d), 1 + GROWN * (1 - SAME))
    each = auto(eq(potential(n + 1, RUN), now * rest * (1 + GROWN * (1 - SAME))), split, (now * rest, of_last))
    chance = instance(CHANCE)
    small = auto(le(rest * (1 + RATE * PLAYED), 1), (rest, exp_tangent(RATE * PLAYED)))
    return after_rounds(potential, 1, each, (now * rest * GROWN, chance), (now, small))


@once
def never_different() -> Theorem:
    """P(D > 0) <= 0 where p = 0."""
    none, differs = assume(eq(p, 0)), one_more(1, KEPT_DIFFERS)
    more, now, later = 1 - SAME, differ(n, z), differ(n + 1, RUN)
    goal = le(later, now + more)
    low = auto(le(0, more), bounds_of_event(SAME, equal_is_event(r, q))[1])
    # some rewards differed before, or those of the last round do, or none
    before = not_at_most(assume(lt(0, D(n, z))))
    first = auto(goal, before, low)
    so_far = assume(le(D(n, z), 0))
    still = unless_equal(
        r,
        q,
        lambda it_is: auto(goal, at_most(auto(le(D(n + 1, RUN), 0), differs, so_far, is_equal(it_is))), low),
        lambda _, zero: auto(goal, zero),
    )
    each = cases(still, first, D(n, z), term(0))
    return after_rounds(differ, 0, each, instance(CHANCE), (PLAYED, none))


BEYOND = (1 + alpha) * most * p
RARE = ind(N(T, z), most) * (1 - ind(D(T, z), BEYOND))
RATE_OF_MOST = alpha / 2 - alpha / (2 + alpha)


def not_negative(body: Term) -> Theorem:
    """0 <= 1[a <= b] ... (1 - 1[c <= d])."""
    if body.op == "mul":
        return product(*map(not_negative, body.args))
    if body.op == "ind":
        return indicator(*body.args, 3)
    return auto(le(0, body))


@once
def rarely() -> Theorem:
    """P(N <= n, D > (1 + alpha) n p) (1 + n p (alpha/2 - alpha/(2 + alpha))) <= 1, by theta = alpha/(2 (1 + alpha))."""
    some, low, count = suppose(lt(0, alpha), le(0, p), le(0, most))
    over, more = auto(lt(0, 2 + alpha)), auto(lt(0, 1 + alpha))
    (is_theta,) = suppose(eq(2 * theta * (1 + alpha), alpha))
    positive = auto(le(0, theta), (reciprocal_positive(more), is_theta), product(some, reciprocal_positive(more)))
    growing = auto(le(0, GROWN), exp_tangent(theta), positive)
    grown = auto(le(GROWN * (2 + alpha), alpha), (2 * (1 + alpha) * exp(theta), exp_tangent(-theta)))
    small = auto(le(GROWN, alpha / (2 + alpha)), (reciprocal_positive(over), grown))
    power = most * p * RATE_OF_MOST
    goal = le(RARE * exp(power), potential(T, z))
    few, much = assume(le(N(T, z), most)), assume(lt(BEYOND, D(T, z)))
    sides = (positive, much), (product(low, growing), few), (most * p, is_theta), (product(count, low), small)
    exponent = exp_monotone(auto(le(power, theta * D(T, z) - RATE * N(T, z)), *sides))
    is_few, is_much = ind(N(T, z), most), 1 - ind(D(T, z), BEYOND)
    both = auto(goal, exponent, (exp(power) * is_much, at_most(few)))
    often = auto(goal, (exp(power) * is_much, not_at_most(assume(lt(most, N(T, z))))))
    little = auto(goal, (exp(power) * is_few, at_most(assume(le(D(T, z), BEYOND)))))
    each = cases(cases(little, both, D(T, z), BEYOND), often, N(T, z), most)
    chance = mean("z", runs(T), RARE)
    below = auto(le(chance * exp(power), 1), mono(each, "z", runs(T)), mean_of_potential())
    proved = auto(le(chance * (1 + power), 1), below, (mono(not_negative(RARE), "z", runs(T)), exp_tangent(power)))
    best = alpha / (2 * (1 + alpha))
    return instance(for_all("theta", proved, is_theta.conclusion), {"theta": best})


class Limit:
    """What is to be shown of a probability that tends to 0 as n_T tends to infinity."""

    def __init__(self, statement: All) -> None:
        self.exists = assume(statement.then.then.given[0])  # type: ignore[union-attr]
        of_all: Any = self.exists.conclusion.given[1]  # type: ignore[union-attr]
        self.given = of_all.given
        self.natural, self.of_sequence = map(assume, of_all.given)
        (self.enough,) = map(assume, of_all.then.given)
        self.goal: Rel = of_all.then.then
        self.chance: Term = self.goal.args[0]
        self.at = {"T": ROUNDS, "most": COUNT}

    def from_some_round_on(self, low: Theorem, proved: Theorem) -> Theorem:
        """The limit, from what holds of the rounds from this one on."""
        since = low.conclusion.args[1]  # type: ignore[union-attr]
        every = for_all("rounds count", for_all("", proved, at(self.enough.conclusion, "since", since)), *self.given)
        return instance(self.exists, {"since": since}, low, every)

    def at_once(self, never: Theorem) -> Theorem:
        """The limit of a probability that is at most 0."""
        return self.from_some_round_on(auto(le(0, 0)), auto(self.goal, never))

    def slowly(self, rate: Theorem, bound: Callable[[], Theorem]) -> Theorem:
        """The limit, from: the probability times 1 + n rate is at most 1 for n >= 0; from n = 1/(small rate) on."""
        positive = product(assume(lt(0, SMALL)), rate)
        from_there = instance(assume(tends_to_infinity()), {"level": 1 / (SMALL * rate.conclusion.args[1])})  # type: ignore[union-attr]
        low_since, reached = from_there.conclusion.given[0].given  # type: ignore[union-attr]
        of_count = instance(assume(reached), {}, self.natural, self.of_sequence)
        above = instance(of_count, {}, self.enough)
        few = for_all("T most", bound(), nat(T), le(0, most))
        rare = instance(few, self.at, self.natural, auto(le(0, COUNT), above, reciprocal_positive(positive)))
        low = mono(not_negative(self.chance.args[-1]), "z", runs(ROUNDS))
        facts = (SMALL, rare), (product(low, weak(positive)), above), (self.chance, reciprocal(positive)), (SMALL, low)
        below = auto(self.goal, *facts)
        return instance(
            from_there, {}, for_all("since", self.from_some_round_on(assume(low_since), below), low_since, reached)
        )


@proof
def differences_are_few(statement: All) -> Theorem:
    """For p = 0 no rewards are different."""
    limit = Limit(statement)
    none = antisymmetric(assume(le(p, 0)), assume(le(0, p)))
    few, some = ind(N(ROUNDS, z), COUNT), differ(ROUNDS, z)
    at_zero = same(auto(eq((1 + alpha) * COUNT * p, 0), none), "v", ind(D(ROUNDS, z), var("v")))
    rare = auto(
        le(substitute(RARE, limit.at), some), (few, at_zero), (auto(le(0, some)), indicator(N(ROUNDS, z), COUNT, 4))
    )
    never = instance(for_all("T", never_different(), nat(T), eq(p, 0)), {"T": ROUNDS}, limit.natural, none)
    at_once = limit.at_once(auto(le(limit.chance, 0), mono(rare, "z", runs(ROUNDS)), never))

    over = auto(lt(0, 2 + alpha))
    squared = product(assume(lt(0, alpha)), assume(lt(0, alpha)))
    slack = auto(lt(0, RATE_OF_MOST), product(squared, reciprocal_positive(over)))
    return cases(at_once, limit.slowly(product(assume(lt(0, p)), slack), rarely), p, term(0))
