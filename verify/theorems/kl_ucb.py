"""Proofs in the kernel of the regret of KL-UCB on Bernoulli arms, in the limit.

The index of the best arm is too low only at a number j of rewards 1 whose mean is far from a level below the best one,
and j rewards 1 are seldom: Chernoff's bound at the tilt by which the divergence is large, with a further one.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from banditproof.verify.kernel.asymptotics import bernoulli, from_some_round_on
from banditproof.verify.kernel.divergences import at_most_by_kl, kl_at_most
from banditproof.verify.kernel.episodes import bernoulli_rewards, kl_ucb, log_f, mean_so_far, optimistic, pulled
from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.anytime_ucb import (
    TOO_HIGH,
    TOP,
    few_low_indices,
    geometric,
    log_f_grows,
    log_f_in_the_limit,
    log_f_low,
    log_low,
)
from banditproof.verify.theorems.coins import (
    LARGEST,
    ONE,
    ZERO,
    apart,
    by_counts,
    divergence_of,
    few_ones,
    largest,
    no_divergence,
)
from banditproof.verify.theorems.consistent_regret import (
    Runs,
    by_its_chance,
    from_start,
    mean_of_bernoulli,
    some_round,
    starts,
    tail,
)
from banditproof.verify.theorems.hoeffding import two_values
from banditproof.verify.theorems.optimism import GAP, PN, SOON, arm, centre, gap_is_not_negative, ordered
from banditproof.verify.theorems.policies import sum_over
from banditproof.verify.theorems.ucb import (
    KNOWN,
    MEAN_PLAYS,
    NOISE,
    ROUNDS,
    SHIFTED,
    K,
    Off,
    Plays,
    T,
    begun,
    best,
    deviation,
    drawn,
    noise,
    off_in_sum,
)

a, c, g, j, k, n, q, s, t, u, v, x, z = map(var, "acgjknqstuvxz")
e = var("e1")
LEVEL, INNER, LOWER = map(var, ("level", "inner", "lower"))
UP, DOWN = log(INNER / LEVEL), log((1 - INNER) / (1 - LEVEL))
RATE = -(LEVEL * UP + (1 - LEVEL) * DOWN)  # kl(level, inner)


BETWEEN = lt(0, LEVEL), lt(LEVEL, INNER), lt(INNER, 1)


@lemma("level inner", *BETWEEN)
def values() -> Theorem:
    """level e^UP = inner."""
    ratio = product(auto(lt(0, INNER)), reciprocal_positive(assume(lt(0, LEVEL))))
    return auto(eq(LEVEL * exp(UP), INNER), (LEVEL, exp_log(ratio)))


@lemma("level inner", *BETWEEN)
def other_values() -> Theorem:
    """(1 - level) e^DOWN = 1 - inner."""
    rest, others = auto(lt(0, 1 - LEVEL)), auto(lt(0, 1 - INNER))
    ratio = product(others, reciprocal_positive(rest))
    return auto(eq((1 - LEVEL) * exp(DOWN), 1 - INNER), (1 - LEVEL, exp_log(ratio)))


@lemma("level inner", *BETWEEN)
def up_is_positive() -> Theorem:
    """0 < UP."""
    false = contradiction(
        instance(values()), (assume(lt(0, LEVEL)), exp_monotone(assume(le(UP, 0)))), assume(lt(LEVEL, INNER))
    )
    return by_contradiction(lt(0, UP), false)


@lemma("level inner", *BETWEEN)
def down_is_negative() -> Theorem:
    """DOWN < 0."""
    known = [assume(f) for f in BETWEEN]
    rest = auto(lt(0, 1 - LEVEL))
    false = contradiction(instance(other_values()), (rest, exp_monotone(assume(le(0, DOWN)))), known[1])
    return by_contradiction(lt(DOWN, 0), false)


@lemma("level inner", *BETWEEN)
def rate_is_positive() -> Theorem:
    """0 < kl(level, inner): the mean of the roots of both ratios is below 1."""
    known = [assume(f) for f in BETWEEN]
    rest = auto(lt(0, 1 - LEVEL))
    one, other, v = exp(UP / 2), exp(DOWN / 2), -RATE / 2
    mixed = LEVEL * one + (1 - LEVEL) * other
    larger = auto(lt(1, one), exp_tangent(UP / 2), instance(up_is_positive()))
    smaller = auto(
        lt(other, 1), (other, exp_tangent(-DOWN / 2)), (exp_positive(DOWN / 2), instance(down_is_negative()))
    )
    gap = auto(lt(0, one - other), larger, smaller)
    shares = product(product(known[0], rest), product(gap, gap))
    below = auto(lt(mixed * mixed, 1), shares, (1, instance(values())), (1, instance(other_values())))
    tangents = (exp(v), exp_tangent(UP / 2 - v)), (exp(v), exp_tangent(DOWN / 2 - v))
    pieces = [auto(le(exp(v) * (1 + e / 2 - v), exp(e / 2)), f) for e, f in zip((UP, DOWN), tangents, strict=True)]
    jensen = auto(le(exp(v), mixed), (known[0], pieces[0]), (rest, pieces[1]))
    many = auto(le(1, mixed), jensen, exp_tangent(v), assume(le(RATE, 0)))
    squares = product(auto(le(0, mixed - 1), many), auto(le(0, mixed + 1)))
    return by_contradiction(lt(0, RATE), contradiction(below, squares))


TILT = ONE - ZERO + DOWN - UP


FAR = le(0, x), lt(x, LEVEL), le(0, c), lt(c, apart(x, LEVEL)), *BETWEEN


@lemma("x u1 u0 level inner c", *FAR)
def tilt_is_negative() -> Theorem:
    """The tilt is at most 0, where u1 and u0 show that c < kl(x, level), for c >= 0 and x < level."""
    up, down = instance(up_is_positive()), instance(down_is_negative())
    over = assume(lt(ZERO, ONE))
    more = product(auto(le(0, LEVEL - x)), auto(le(0, exp(ONE) - exp(ZERO)), exp_monotone(weak(over))))
    own = instance(no_divergence(), {}, auto(le(x, 1), *map(assume, (lt(x, LEVEL), *BETWEEN))))
    false = contradiction(more, own, assume(lt(c, apart(x, LEVEL))), assume(le(0, c)))
    return auto(le(TILT, 0), by_contradiction(le(ONE, ZERO), false), up, down)


@lemma("x u1 u0 level inner c", *FAR)
def tilt_is_steep() -> Theorem:
    """1 - inner + inner e^tilt <= e^(tilt x - c - kl(level, inner))."""
    whole = (1 - LEVEL) * exp(ZERO) + LEVEL * exp(ONE)
    rest = exp(DOWN - ZERO)
    known, others = instance(values()), instance(other_values())
    inner = auto(eq(INNER * exp(TILT), LEVEL * exp(ONE - ZERO + DOWN)), (exp(TILT), known))
    left = auto(eq(1 - INNER + INNER * exp(TILT), rest * whole), inner, others)
    far = auto(le(whole - 1, x * ONE + (1 - x) * ZERO - c))
    small = auto(le(rest * whole, exp(DOWN - ZERO + whole - 1)), (rest, exp_tangent(whole - 1)))
    steep = product(
        auto(le(0, LEVEL - x)), auto(le(0, UP - DOWN), instance(up_is_positive()), instance(down_is_negative()))
    )
    exponent = exp_monotone(auto(le(DOWN - ZERO + whole - 1, TILT * x - c - RATE), far, steep))
    return auto(le(1 - INNER + INNER * exp(TILT), exp(TILT * x - c - RATE)), left, small, exponent)


# ----------------------------------------------------------------------------------------------------------- coins

CENTRE = app("centre", a)
COIN = All(
    ("a", "g"),
    is_arm(a, K),
    eq(mean("x", noise(a), app("g", x)), (1 - CENTRE) * app("g", -CENTRE) + CENTRE * app("g", 1 - CENTRE)),
)
IN_RANGE = tuple(All(("a",), is_arm(a, K), f) for f in (le(0, CENTRE), le(CENTRE, 1)))


def of_coin(body: Term) -> Theorem:
    """E of a function of x for the noise of the arm a."""
    return instance(assume(COIN))


def counted(at: Any) -> Term:
    """1 where the sum of the noise is that of j rewards 1."""
    return equal(at, x + s * CENTRE)


OF_COIN = {"X": fn("", noise(a)), "p": CENTRE, "b": -CENTRE}
COUNTED, LOG_F = (*is_arm(a, K), nat(s)), var("top")


@lemma(
    "a s j t c inner", COIN, *IN_RANGE, *COUNTED, le(INNER, CENTRE), le(t, 0), le(1 - INNER + INNER * exp(t), exp(c))
)
def seldom() -> Theorem:
    """j of s rewards are 1 with a chance of at most e^(s c - t j), for a tilt t <= 0."""
    low, high = (instance(assume(f), {}) for f in IN_RANGE)
    tilt, at = assume(le(t, 0)), x + s * CENTRE
    less = product(auto(le(0, CENTRE - INNER)), auto(le(0, 1 - exp(t)), exp_monotone(tilt)))
    mixed = auto(le(1 - CENTRE + CENTRE * exp(t), exp(c)), less)
    few = instance(few_ones(), OF_COIN, for_all("g", of_coin(app("g", x))), low, high, mixed)
    one = auto(le(counted(j), ind(at, j)), (ind(at, j), indicator(j, at, 4)))
    return auto(le(mean("x", drawn(a, s), counted(j)), exp(s * c - t * j)), mono(one, "x", drawn(a, s)), few)


@lemma(
    "a s j level inner lower top",
    COIN,
    *IN_RANGE,
    *COUNTED,
    *(f.conclusion for f in LARGEST),
    nat(j),
    le(1, s),
    le(j, s),
    le(0, LOG_F),
    lt(LOWER, LEVEL),
    *BETWEEN,
    le(INNER, CENTRE),
    le(largest(j / s, LOG_F / s), LOWER),
)
def low_counts_are_rare() -> Theorem:
    """j rewards 1, at which the index is below the level, have a chance of at most e^(-top - s kl(level, inner))."""
    some = auto(lt(0, s))
    inverse, one = weak(reciprocal_positive(some)), reciprocal(some)
    p, most = j / s, LOG_F / s
    chance, total = mean("x", drawn(a, s), counted(j)), exp(-LOG_F - s * RATE)
    goal, more = le(chance, total), assume(lt(total, chance))
    low = product(nat_nonnegative(assume(nat(j))), inverse)
    high = auto(le(p, 1))
    most_low = product(assume(le(0, LOG_F)), inverse)
    of_level = auto(le(0, LEVEL)), auto(le(LEVEL, 1))
    in_unit = low, high
    own = kl_at_most(bernoulli(p), bernoulli(p), most)
    names = {"u1": app("u", 1), "u0": app("u", 0)}
    none = instance(no_divergence(), {"x": p, **names})
    itself = for_all("u", auto(own.then, divergence_of(p, p, in_unit, *in_unit), none))
    at_p = instance(LARGEST[3], {"p": p, "c": most, "q": p}, itself)
    near = by_contradiction(
        lt(p, LEVEL),
        contradiction(at_p, assume(le(LEVEL, p)), assume(le(largest(p, most), LOWER)), assume(lt(LOWER, LEVEL))),
    )
    wanted = kl_at_most(bernoulli(p), bernoulli(LEVEL), most)
    value = substitute(apart(p, LEVEL), names)
    far = assume(lt(most, value))
    values = {"x": p, "c": most, **names}
    rest = near, most_low, far
    tilt = substitute(TILT, names)
    negative = instance(tilt_is_negative(), values, low, *rest, *map(assume, BETWEEN))
    steep = instance(tilt_is_steep(), values, low, *rest, *map(assume, BETWEEN))
    bound = instance(seldom(), {"t": tilt, "c": tilt * p - most - RATE}, negative, steep)
    exponent = exp_monotone(auto(le(s * (tilt * p - most - RATE) - tilt * j, -LOG_F - s * RATE), (LOG_F, one)))
    false = contradiction(more, bound, exponent)
    known = divergence_of(p, LEVEL, of_level, *in_unit)
    here = auto(conclusion(wanted), known, assume(le(value, most)))
    every = for_all("u", cases(here, absurd(false, conclusion(wanted)), value, most))
    at_level = instance(LARGEST[3], {"p": p, "c": most, "q": LEVEL}, most_low, *of_level, every)
    wrong = contradiction(at_level, assume(le(largest(p, most), LOWER)), assume(lt(LOWER, LEVEL)))
    return cases(assume(goal), absurd(wrong, goal), chance, total)


def index_of_counts(of: Term, s: Any, off_by: Any, top: Any) -> Term:
    """The index of an arm after s rewards, whose sum is off by so much."""
    return largest((off_by + s * app("centre", of)) / s, top / s)


@lemma("s c", le(0, s), lt(0, c))
def slower_than_exponential() -> Theorem:
    """s + 1 <= (1 + 2/c) e^(s c/2)."""
    grown = exp_tangent(s * c / 2)
    return auto(le(s + 1, (1 + 2 / c) * exp(s * c / 2)), (2 / c, grown), (1, grown))


@lemma(
    "a s level inner lower top",
    COIN,
    *IN_RANGE,
    *COUNTED,
    *(f.conclusion for f in LARGEST),
    le(1, s),
    le(0, LOG_F),
    lt(LOWER, LEVEL),
    *BETWEEN,
    le(INNER, CENTRE),
)
def low_indices_are_rare() -> Theorem:
    """The index is low with a chance of at most (1 + 2/rate) e^(-top - s rate/2), for the rate kl(level, inner)."""
    total, low = drawn(a, s), ind(index_of_counts(a, s, x, LOG_F), LOWER)
    natural, rate, most = nat_next(assume(nat(s))), instance(rate_is_positive()), exp(-LOG_F - s * RATE)
    counts = instance(by_counts(), OF_COIN | {"g": fn("x", low)}, for_all("g", of_coin(app("g", x))))
    there, chance = substitute(low, {"x": j - s * CENTRE}), mean("x", total, counted(j))
    few = nat_nonnegative(nat_minus(assume(nat(j)), natural, assume(lt(j, s + 1))))
    value = largest(j / s, LOG_F / s)
    goal = le(0, most - there * chance)
    rare = instance(low_counts_are_rare(), {}, assume(nat(j)), auto(le(j, s), few), assume(le(value, LOWER)))
    on = auto(goal, (chance, at_most(assume(le(value, LOWER)))), rare)
    off = auto(goal, (chance, not_at_most(assume(lt(LOWER, value)))))
    each = sum_over(cases(on, off, value, LOWER), "j", s + 1)
    many = instance(slower_than_exponential(), {"c": RATE}, rate)
    return auto(le(mean("x", total, low), (1 + 2 / RATE) * exp(-LOG_F - s * RATE / 2)), counts, each, (most, many))


# ----------------------------------------------------------------------------------------------------------- plays

COST, AT_MOST = var("cost"), le(ONE, ZERO)  # what kl(mean, level) is at least for an arm that is not off
CLOSE = centre(k) + e
NUMBERS = (lt(LOWER, LEVEL), *BETWEEN, le(INNER, centre(best)), lt(0, e), lt(0, COST), AT_MOST)
ENOUGH = le(COST, apart(CLOSE, LOWER))
MOST = TOP / COST
INDEX = assume(kl_ucb(pi, T, K)[-1])
RUNS = dataclasses.replace(ROUNDS, index=optimistic)


def too_low(t: Any) -> Off:
    """In round t the index of the best arm is below the level."""

    def rarely(s: Term) -> Theorem:
        top = instance(log_f_low(), {"m1": term(t) + 1}, auto(le(1, term(t) + 1), nat_nonnegative(assume(nat(t)))))
        values, known = {"a": best, "s": s, "top": log_f(t)}, (assume(nat(s)), assume(le(1, s)))
        bandit = (COIN, *IN_RANGE, *(f.conclusion for f in LARGEST), *NUMBERS)
        return instance(low_indices_are_rare(), values, *arm(best), *known, top, *map(assume, bandit))

    return Off(
        best,
        lambda s, x: ind(index_of_counts(best, s, x, log_f(t)), LOWER),
        lambda s: (1 + 2 / RATE) * exp(-log_f(t) - s * RATE / 2),
        rarely,
    )


def most_low() -> Theorem:
    """0 <= MOST."""
    return auto(le(0, MOST), product(instance(log_f_low(), {"m1": T}), weak(reciprocal_positive(assume(lt(0, COST))))))


def index_now(of: Term) -> Theorem:
    """The index of an arm that was played is the largest mean at c = log f(t)/N."""
    count = pulled(n, z, of)
    level = log_f(n) / count
    known = auto(eq(level * count, log_f(n)), reciprocal(auto(lt(0, count), begun(of))))
    return instance(INDEX, {"i": n, "a": of, "c": level}, PN, SOON, *arm(of), begun(of), known)


def one_is_off(it_is: Theorem) -> Theorem:
    """In a round of k, which a is, after more than MOST plays: it is off, or the index of the best arm is too low."""
    low, high = too_low(n).now(), TOO_HIGH.now()
    goal = le(1, low + high)
    indices = [index_now(of) for of in (best, k)]
    largest_b, largest_k = (f.conclusion.args[1] for f in indices)  # type: ignore[union-attr]
    of_k = same(it_is, "w", optimistic(n, z, var("w")))
    is_largest = assume(All(("b",), is_arm(var("b"), K), le(optimistic(n, z, var("b")), optimistic(n, z, a))))
    larger = auto(le(largest_b, largest_k), instance(is_largest, {"b": best}, *arm(best)), of_k, *indices)
    count, means = pulled(n, z, best), mean_so_far(n, z, best)
    some = reciprocal(auto(lt(0, count), begun(best)))
    is_mean = auto(eq((deviation(best, n, z) + count * centre(best)) / count, means), (means, some))
    named = same(is_mean, "w", ind(largest(var("w"), log_f(n) / count), LOWER))
    below = auto(goal, named, at_most(assume(le(largest_b, LOWER))))
    count_k, mean_k = pulled(n, z, k), mean_so_far(n, z, k)
    far = assume(le(CLOSE, mean_k))
    off = instance(off_in_sum(), {"N1": count_k, "x": mean_k - centre(k), "q": e * e}, begun(k))
    wide = auto(le(e, mean_k - centre(k)), far)
    squares = product(auto(le(0, mean_k - centre(k) - e), wide), auto(le(0, mean_k - centre(k) + e), wide))
    hit = (
        at_most(auto(le(0, mean_k - centre(k)), wide)),
        at_most(auto(le(e * e, (mean_k - centre(k)) * (mean_k - centre(k))), squares)),
    )
    is_far = auto(le(1, high), off, hit[0], (ind(0, mean_k - centre(k)), hit[1]))
    beside = auto(goal, is_far)
    false = not_so_often(largest_k, larger)
    near = absurd(false, goal)
    above = cases(beside, near, CLOSE, mean_k)
    return cases(below, above, largest_b, LOWER)


def not_so_often(U: Term, larger: Theorem) -> Theorem:
    """A contradiction: k was played more than MOST times, its mean is not off, and the best index above the level."""
    count, mean_k = pulled(n, z, k), mean_so_far(n, z, k)
    level, many = log_f(n) / count, assume(lt(MOST, count))
    positive = auto(lt(0, count), begun(k))
    grown = instance(
        log_f_grows(), {"m1": n + 1, "n": T}, auto(le(1, n + 1), nat_nonnegative(PN)), assume(le(n + 1, T))
    )
    cost = assume(lt(0, COST))
    few = auto(lt(TOP, COST * count), (cost, many))
    small = auto(
        lt(level, COST),
        (reciprocal_positive(positive), few),
        (weak(reciprocal_positive(positive)), grown),
        (COST, reciprocal(positive)),
    )
    low = product(
        instance(log_f_low(), {"m1": n + 1}, auto(le(1, n + 1), nat_nonnegative(PN))),
        weak(reciprocal_positive(positive)),
    )
    values = {"p": mean_k, "c": level}
    ends = [instance(f, values, low) for f in LARGEST[:2]]
    hit = ind(1, x)
    u = ZERO + hit * (ONE - ZERO)
    feasible = instance(instance(LARGEST[2], values, low), {"u": fn("x", u)})
    first, second = by_its_chance(mean_k, u), mean_of_bernoulli(U, exp(u), *ends)
    chance = mean("v", UNIT, ind(var("v"), mean_k))
    below = weak(assume(lt(mean_k, CLOSE)))
    v = var("v")
    in_time = at_most(assume(le(v, CLOSE)))
    inside = auto(le(ind(v, mean_k), ind(v, CLOSE)), in_time)
    outside = auto(le(ind(v, mean_k), ind(v, CLOSE)), not_at_most(auto(lt(mean_k, v), below, assume(lt(CLOSE, v)))))
    grows = mono(cases(inside, outside, v, CLOSE), "v", UNIT)
    low_k = instance(assume(IN_RANGE[0]), {"a": k}, *arm(k))
    within = auto(le(chance, CLOSE), grows, unit(CLOSE, "v", auto(le(0, CLOSE), low_k), assume(le(CLOSE, 1))))
    beyond = auto(le(chance, CLOSE), mono(indicator(v, mean_k, 4), "v", UNIT), assume(lt(1, CLOSE)))
    less = cases(within, beyond, CLOSE, term(1))
    tilt = auto(le(0, ZERO - ONE))
    steep = auto(le(0, exp(ZERO) - exp(ONE)), exp_monotone(assume(AT_MOST)))
    above = auto(le(0, U - LOWER), larger, assume(lt(LOWER, larger.conclusion.args[0])))  # type: ignore[union-attr]
    more = product(auto(le(0, CLOSE - chance), less), tilt), product(above, steep)
    return contradiction(small, feasible, first, second, *more, assume(ENOUGH))


PLAYS = Plays(MOST, most_low, too_low, TOO_HIGH, one_is_off, RUNS)


REST = 1 + 34 * (1 + 2 / RATE) / RATE + 2 / e / e


@once
def plays_of_an_arm() -> Theorem:
    """E N_k(T) <= log f(T)/cost + 1 + 34 (1 + 2/rate)/rate + 2/e^2."""
    suppose(*KNOWN, *NUMBERS, ENOUGH)
    rate, lead = instance(rate_is_positive()), assume(lt(0, e))
    square_ = product(lead, lead)
    near, far = (
        instance(geometric(), {"c1": c}, auto(lt(0, c), p)) for c, p in ((RATE / 2, rate), (e * e / 2, square_))
    )
    series, leads = (sum_of(lambda j, c=c: exp(-(j + 1) * c), T) for c in (RATE / 2, e * e / 2))
    inverse = reciprocal(rate)
    few = auto(le(series, 2 / RATE), (weak(reciprocal_positive(rate)), near), (series, inverse))
    twice = product(reciprocal_positive(lead), reciprocal_positive(lead))
    far_few = auto(le(leads, 2 / e / e), (weak(twice), far))
    share = auto(le(0, 1 + 2 / RATE), reciprocal_positive(rate))
    of_rounds = auto(
        le(sum_of(lambda t: exp(-log_f(t)), T, "t") * series, 34 / RATE),
        (auto(le(0, series)), instance(few_low_indices())),
        few,
    )
    return auto(le(MEAN_PLAYS, MOST + REST), PLAYS.of_an_arm(), (share, of_rounds), far_few)


# ------------------------------------------------------------------------------------------------------- in the limit

SMALL, SHARE, LEVEL_T, BUDGET = var("small"), var("share"), log(T), app("most", k)
rounds, span, m = var("rounds"), var("log_rounds"), var("m")
NAMES = "pulled", "mean_so_far", "optimistic"


def plays_at(count: Term, of: Term) -> Term:
    return substitute(MEAN_PLAYS, {"T": count, "k": of})


def of_one(arm_: Term, small: Any = SMALL) -> Runs:
    """gap E N(T) <= (most + small) log T of one arm, where KL-UCB is played for T rounds."""

    def says(count: Term, size: Term) -> All:
        cost = (centre(best) - centre(arm_)) * plays_at(count, arm_)
        return All(NAMES, kl_ucb(pi, count, K), le(cost, (app("most", arm_) + small) * size))

    return says


def of_first(m: Term, small: Any) -> Runs:
    """The sum over the first m arms."""

    def says(count: Term, size: Term) -> All:
        cost = sum_of(lambda k: (centre(best) - centre(k)) * plays_at(count, k), m, "b")
        return All(NAMES, kl_ucb(pi, count, K), le(cost, (sum_of(lambda k: app("most", k), m, "b") + small) * size))

    return says


PLENTY = le(GAP, (BUDGET + SMALL / 2) * COST)
BUDGETS = All(("i",), (nat(var("i")),), le(0, app("most", var("i"))))
GOAL = le(var("c"), 0)


def when_played(bound: Theorem, start: Term, low: Theorem, says: Any) -> Theorem:
    """c <= 0, from what holds of T rounds from the start on."""
    known = for_all(" ".join(NAMES), bound, *kl_ucb(pi, T, K))
    later = for_all("T log_rounds", known, nat(T), le(start, T), eq(exp(span), T))
    return instance(assume(from_some_round_on(says).given[0]), {"since": start}, later)


@once
def costs_little() -> Theorem:
    """c <= 0, if the cost of the arm k, which has a gap, is large enough, and its numbers are as they should be."""
    suppose(*NUMBERS, ENOUGH, PLENTY, lt(0, GAP), lt(0, SMALL), nat(K), le(1, K))
    budget = instance(assume(BUDGETS), {"i": k}, arm(k)[0])
    positive, apart_ = assume(lt(0, SMALL)), assume(lt(0, GAP))
    whole = auto(lt(0, 4 * (BUDGET + SMALL)), budget)
    share = SMALL / (4 * (BUDGET + SMALL))
    share_low, inverse = product(positive, reciprocal_positive(whole)), reciprocal(whole)
    is_share = auto(eq(4 * share * (BUDGET + SMALL), SMALL), (SMALL, inverse))
    rate = reciprocal_positive(instance(rate_is_positive()))
    rest_low = auto(le(0, REST), rate)
    cubes = product(
        product(reciprocal_positive(share_low), reciprocal_positive(share_low)), reciprocal_positive(share_low)
    )
    extra = product(product(weak(apart_), rest_low), weak(reciprocal_positive(positive)))
    far = 54 / share / share / share + 1 + 4 * GAP * REST / SMALL
    start, enough = exp(far), assume(le(exp(far), T))
    one = auto(le(1, T), enough, exp_tangent(far), cubes, extra)
    late = ordered(auto(le(start, exp(LEVEL_T)), enough, exp_log(auto(lt(0, T), one))))
    long = auto(le(54 / share / share / share + 1, LEVEL_T), late, extra)
    first = auto(le(1, LEVEL_T), late, cubes, extra)
    large = auto(le(4 * GAP * REST, SMALL * LEVEL_T), (positive, late), (positive, cubes), positive)
    top = instance(log_f_in_the_limit(), {"share": share}, assume(nat(T)), one, share_low, long)
    plays = instance(for_all("", plays_of_an_arm(), le(1, T)), {}, one)
    half = auto(lt(0, BUDGET + SMALL / 2), budget)
    ratio = auto(le(GAP / COST, BUDGET + SMALL / 2))
    top_low = instance(log_f_low(), {"m1": T}, one)
    bound = auto(le(GAP * MEAN_PLAYS, (BUDGET + SMALL / 2) * TOP + GAP * REST), (apart_, plays), (top_low, ratio))
    most = auto(
        le((BUDGET + SMALL / 2) * TOP, (BUDGET + SMALL / 2) * LEVEL_T + SMALL / 4 * LEVEL_T),
        (half, top),
        (LEVEL_T, is_share),
        product(product(share_low, positive), auto(lt(0, LEVEL_T), first)),
    )
    is_log = ordered(auto(le(exp(LEVEL_T), exp(span)), exp_log(auto(lt(0, T), one)), assume(eq(exp(span), T))))
    total = auto(lt(0, BUDGET + SMALL), budget)
    known = auto(le(GAP * MEAN_PLAYS, (BUDGET + SMALL) * span), bound, most, large, (total, is_log))
    return when_played(known, start, auto(le(0, start)), of_one(k))


PART = c / 3 / (1 + x) / (1 + c)


@lemma("x c", lt(0, c), le(0, x))
def small_part(which: int) -> Theorem:
    """For c > 0 and x >= 0, 0 < part, 3 part <= 1, and 3 part x <= c, where part = c/(3 (1 + x) (1 + c))."""
    low, above = assume(le(0, x)), assume(lt(0, c))
    ones = auto(lt(0, 1 + x)), auto(lt(0, 1 + c))
    inverses = product(*(reciprocal_positive(p) for p in ones))
    if which == 0:
        return auto(lt(0, PART))
    mixed = product(low, above)
    if which == 1:
        return auto(le(3 * PART, 1), product(mixed, inverses))
    rest = product(inverses, auto(lt(0, 1 + c + x * c)))
    return auto(le(3 * PART * x, c), product(above, rest))


AT_MOST_BY_KL = at_most_by_kl(GAP, bernoulli(centre(k)), bernoulli(centre(best)), lambda c: BUDGET * c)


@once
def of_an_arm_with_a_gap() -> Theorem:
    """c <= 0 for an arm with a gap: else no numbers show that its divergence is more than gap/(budget + small/2)."""
    suppose(lt(0, GAP), lt(0, SMALL), nat(K), le(1, K))
    p, q = centre(k), centre(best)
    budget, gap = instance(assume(BUDGETS), {"i": k}, arm(k)[0]), assume(lt(0, GAP))
    half = auto(lt(0, BUDGET + SMALL / 2), budget)
    cost, ratio = GAP / (BUDGET + SMALL / 2), reciprocal(half)
    cost_low = product(gap, reciprocal_positive(half))
    of_k, of_best = ([instance(assume(f), {"a": of}, *arm(of)) for f in IN_RANGE] for of in (k, best))
    one, zero = app("u", 1), app("u", 0)
    names = {"u1": one, "u0": zero}
    value = substitute(apart(p, q), names)
    more = assume(lt(cost, value))
    over = assume(lt(zero, one))
    none = instance(no_divergence(), {"x": p, **names}, *of_k)
    steep = product(auto(le(0, q - p)), auto(le(0, exp(one) - exp(zero)), exp_monotone(weak(over))))
    tilt = by_contradiction(le(one, zero), contradiction(more, none, steep, cost_low))
    slack, wide, drop = value - cost, 1 + zero - one, exp(zero) - exp(one)
    some, long = auto(lt(0, slack), more), auto(lt(0, wide), tilt)
    drop_low = auto(le(0, drop), exp_monotone(tilt))
    lead = slack / 3 / wide
    lead_low = auto(lt(0, lead), product(some, reciprocal_positive(long)))
    part = substitute(PART, {"c": slack, "x": drop})
    parts = [instance(small_part(which), {"x": drop, "c": slack}, some, drop_low) for which in range(3)]
    best_low = auto(lt(0, q), of_k[0])
    down = product(best_low, parts[0])
    levels = {"lower": q - 2 * (q * part), "level": q - q * part, "inner": q - q * part / 2}
    least = product(best_low, auto(le(0, 1 - 3 * part), parts[1]))
    leads = auto(
        le(lead * (zero - one), slack / 3), (slack, reciprocal(long)), product(some, reciprocal_positive(long))
    )
    dropped = product(auto(le(0, 1 - q), of_best[1]), product(weak(parts[0]), drop_low))
    numbers = {**levels, "e1": lead, "cost": cost, **names}
    shown = [
        auto(lt(levels["lower"], levels["level"]), down),
        auto(lt(0, levels["level"]), least, down),
        auto(lt(levels["level"], levels["inner"]), down),
        auto(lt(levels["inner"], 1), down, of_best[1]),
        auto(le(levels["inner"], q), down),
        lead_low,
        cost_low,
        tilt,
        auto(le(cost, substitute(apart(p + lead, levels["lower"]), names)), leads, parts[2], dropped),
        auto(le(GAP, (BUDGET + SMALL / 2) * cost), (GAP, ratio)),
    ]
    of_numbers = for_all(" ".join(numbers), costs_little(), *NUMBERS, ENOUGH, PLENTY)
    found = instance(of_numbers, numbers, *shown)
    wanted, positive = kl_at_most(bernoulli(p), bernoulli(q), cost), assume(lt(0, var("c")))
    known = divergence_of(p, q, of_best, *of_k)
    here = auto(conclusion(wanted), known, assume(le(value, cost)))
    false = contradiction(found, positive)
    every_u = for_all("u", cases(here, absurd(false, conclusion(wanted)), value, cost))
    dear = instance(assume(AT_MOST_BY_KL), {"c": cost}, every_u)
    wrong = contradiction(dear, (GAP, ratio), product(cost_low, assume(lt(0, SMALL))))
    return by_contradiction(GOAL, wrong)


def of_an_arm(of_costs: Theorem) -> Theorem:
    """From some round on an arm costs no more than (most + small) log T."""
    flat = antisymmetric(assume(le(GAP, 0)), gap_is_not_negative())
    low = instance(log_low(), {"m1": T}, assume(le(1, T)))
    is_log = ordered(
        auto(le(exp(LEVEL_T), exp(span)), exp_log(auto(lt(0, T), assume(le(1, T)))), assume(eq(exp(span), T)))
    )
    budget = instance(assume(BUDGETS), {"i": k}, arm(k)[0])
    enough = product(auto(le(0, BUDGET + SMALL), budget), auto(le(0, span), low, is_log))
    none = when_played(
        auto(le(GAP * MEAN_PLAYS, (BUDGET + SMALL) * span), (MEAN_PLAYS, flat), enough),
        term(1),
        auto(le(0, 1)),
        of_one(k),
    )
    at_k = instance(instance(of_costs, {"a": k}, *arm(k)), {}, auto(lt(centre(k), centre(best)), assume(lt(0, GAP))))
    some = instance(for_all("", of_an_arm_with_a_gap(), AT_MOST_BY_KL), {}, at_k)
    return for_all("k", some_round(of_one(k), cases(none, some, GAP, term(0))), *is_arm(k, K))


def at_late_rounds(start: Term, says: Runs, late: Theorem) -> Theorem:
    """What is said from a start on, of late rounds in which KL-UCB is played."""
    known = instance(assume(tail(start, says)), {}, assume(nat(rounds)), late, assume(eq(exp(span), rounds)))
    return instance(known, {}, *map(assume, kl_ucb(pi, rounds, K)))


def from_this_on(start: Term, low: Theorem, says: Any, proved: Theorem) -> Theorem:
    """c <= 0, where that is so of all rounds from which something holds: from this one on it does."""
    whole = for_all(" ".join(NAMES), proved, *says(rounds, span).given)
    return starts(says, start, low, for_all("rounds log_rounds", whole, *tail(start, says).given))


def of_all_arms(each: Theorem, share: Term) -> Theorem:
    """The sum over the arms, from each of them: by induction over these, from the sum of both rounds on."""
    pm, room, b = assume(nat(m)), assume(le(m + 1, K)), var("b")
    claim = All((), (le(m, K),), from_some_round_on(of_first(m, m * share)))
    none, more = (of_first(n, n * share) for n in (term(0), m + 1))
    before = instance(assume(claim), {}, auto(le(m, K), room))
    last = instance(each, {"k": m}, pm, auto(lt(m, K), room))
    first, second = var("first_since"), var("second_since")
    lows, late = [assume(le(0, s)) for s in (first, second)], assume(le(first + second, rounds))
    parts = [
        at_late_rounds(first, of_first(m, m * share), auto(le(first, rounds), late, lows[1])),
        at_late_rounds(second, of_one(m, share), auto(le(second, rounds), late, lows[0])),
    ]
    sums = (
        uniform_next(pm, "b", app("most", b)),
        uniform_next(pm, "b", (centre(best) - centre(b)) * plays_at(rounds, b)),
    )
    proved = auto(conclusion(more(rounds, span)), *parts, (span, sums[0]), sums[1])
    end = from_this_on(first + second, auto(le(0, first + second), *lows), more, proved)
    end = from_start(last, "second_since", of_one(m, share), end)
    end = from_start(before, "first_since", of_first(m, m * share), end)
    start = from_this_on(term(0), auto(le(0, 0)), none, auto(conclusion(none(rounds, span))))
    return instance(induction("m", some_round(none, start), some_round(more, end), claim, at=K))


@proof
def regret(statement: All) -> Theorem:
    """The noise of a reward is the reward less its mean, and its law that of a coin."""
    costs = next(g for g in statement.given if isinstance(g, All) and "most" in free_in(g) and g.params != ("i",))
    each = for_all("small", of_an_arm(assume(costs)), lt(0, SMALL))
    share = SMALL / K
    whole = of_all_arms(instance(each, {"small": share}), share)
    since, all_of = var("first_since"), of_first(K, SMALL)
    late = at_late_rounds(since, of_first(K, K * share), assume(le(since, rounds)))
    known = from_this_on(since, assume(le(0, since)), all_of, auto(conclusion(all_of(rounds, span)), late))
    of_any = from_start(whole, "first_since", of_first(K, K * share), known)
    of_noise = for_all("noise", some_round(all_of, of_any), SHIFTED.conclusion, COIN, NOISE.conclusion)
    return instance(of_noise, NOISE_OF_COIN, *of_coins())


NOISE_OF_COIN = {"noise": fn("a", Term("mix", (("r",), nu(a), Term("dirac", (var("r") - CENTRE,)))))}
REWARDS = bernoulli_rewards(nu, centre, K)


def of_coins() -> tuple[Theorem, Theorem]:
    """The noise of a coin has two values, and is 1-subgaussian."""
    names, given, goal = parts_of(replace(COIN, NOISE_OF_COIN))
    low, high = (instance(assume(f), {}, *map(assume, is_arm(a, K))) for f in IN_RANGE)
    is_coin = instance(assume(REWARDS[-1]), {"g": fn("r", app("g", var("r") - CENTRE))}, *map(assume, is_arm(a, K)))
    two = auto(goal, is_coin, mean_of_bernoulli(CENTRE, app("g", x - CENTRE), low, high))
    coin = for_all(names, two, *given)
    subgaussian_ = replace(NOISE.conclusion, NOISE_OF_COIN)
    assert isinstance(subgaussian_, All)
    names, given, goal = parts_of(subgaussian_.then)
    below = [instance(assume(given[1]), {"r": value}) for value in (-CENTRE, 1 - CENTRE)]
    most = instance(two_values(), {"p": CENTRE, "s": t}, low, high)
    steep = exp_monotone(auto(le(t * t / 8, t * t / 2)))
    rest = auto(le(0, 1 - CENTRE), high)
    each = auto(goal, two, (rest, below[0]), (low, below[1]), most, steep)
    return coin, for_all("a", for_all(names, each, *given), *is_arm(a, K))
