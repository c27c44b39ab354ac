"""Proofs in the kernel that a private strategy with phases seldom stops with a wrong arm, whatever it samples.

All pairs of phases of a wrong arm and the best one share half of delta, and all noises the other half. The squares of
two sums of n noises cost e^(w (S^2/(2 n) + S'^2/(2 n')))/(1 - w) at most, by steps of one noise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from banditproof.verify.kernel.context import generalised
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.linear import one_subgaussian
from banditproof.verify.kernel.phases import (
    length,
    masked,
    noise_level,
    phases_are_fresh,
    phases_double,
    plain_threshold,
    private_threshold,
    risk_level,
    stops_by,
    summed,
    weights_of_deviations,
)
from banditproof.verify.kernel.rewards import part
from banditproof.verify.theorems.policies import picked, sum_inside, sum_over
from banditproof.verify.theorems.squares import log_of_one, ordered_logs
from banditproof.verify.theorems.tails import both_tails
from banditproof.verify.theorems.time_uniform import is_left_out, is_taken, lifted, slice_stays

a, b, c, g, h, i, k, n, o, p, q, r, s, t, u, v, w, x, y, z = map(var, "abcghiknopqrstuvwxyz")
C, M, N = map(var, "CMN")

BELOW = All(("x",), (), le(0, app("g", x))), All(("x",), (), le(app("g", x), lifted(C, u, n, x)))


@lemma("X C u n g", one_subgaussian(law("X")), lt(0, C), lt(0, u), nat(n), *BELOW)
def many_noises() -> Theorem:
    """E g <= C for the sum of n noises, where g(x) <= C e^(u x^2/(2 (1 + u n)))/sqrt(1 + u n)."""
    X, f, m = law("X"), app("g", x), var("m")

    def total(m: Any) -> Term:
        return sum_of_all(lambda _: X, m)

    claim = All(
        ("g",), (All(("x",), (), le(0, f)), All(("x",), (), le(f, lifted(C, u, m, x)))), le(mean("x", total(m), f), C)
    )
    low, high = (assume(replace(part, {"m": m})) for part in claim.given)
    zero, step = term(0), total(m).args[3]
    flat = exp_equal(auto(eq(-log(term(1)) / 2, 0), log_of_one()))
    base_high = instance(assume(replace(claim.given[1], {"m": zero})), {"x": zero})
    base = auto(le(mean("x", total(0), f), C), steps_zero("x", f, "i", "h", zero, step), base_high, (C, flat))
    high_next = assume(replace(claim.given[1], {"m": m + 1}))
    shifted = fn("x", app("g", h + x))
    at = {"c": m, "s": h, "g": shifted}
    highs = for_all("x", instance(high_next, {"x": h + x}))
    inner = instance(slice_stays(), at, nat_nonnegative(assume(nat(m))), highs)
    least = for_all("h", mono(instance(low, {"x": h + x}), "x", X))
    before = instance(assume(claim), {"g": fn("h", mean("x", X, app("g", h + x)))}, least, for_all("h", inner))
    more = steps_next(assume(nat(m)), "x", f, "i", "h", zero, step)
    grown = auto(le(mean("x", total(m + 1), f), C), more, before)
    return instance(induction("m", base, grown, claim, at=n), {})


SQUARES = x * x / (2 * N) + y * y / (2 * M)
PAIR = nat(N), nat(M), le(1, N), le(1, M), lt(0, w), lt(w, 1)


@lemma("X Y N M w q", one_subgaussian(law("X")), one_subgaussian(law("Y")), *PAIR)
def two_sums() -> Theorem:
    """P(S^2/(2 N) + S'^2/(2 M) >= q) <= e^(-w q)/(1 - w) for the sums of N and of M noises."""
    rest = auto(lt(0, 1 - w))
    L = log(1 / (1 - w))
    value = exp_log(reciprocal_positive(rest))
    event = ind(q, SQUARES)
    inside, outside = assume(le(q, SQUARES)), assume(lt(SQUARES, q))
    goal = le(event, exp(w * SQUARES - w * q))
    there = auto(goal, exp_monotone(auto(le(0, w * SQUARES - w * q), (w, inside))))
    markov = cases(there, auto(goal, not_at_most(outside)), q, SQUARES)

    def of_sum(count: Term, point: Term) -> tuple[Term, Theorem, Theorem]:
        """The steepness for so many noises, that its exponent is w x^2/(2 count), and what its logarithm is."""
        steep = w / (1 - w) / count
        whole = auto(eq(1 + steep * count, 1 / (1 - w)))
        positive = auto(lt(0, 1 + steep * count))
        inverse = auto(eq(1 / (1 + steep * count), 1 - w), (1 - w, reciprocal(positive)))
        own = steep * point * point / (1 + steep * count)
        exponent = auto(eq(own, w * point * point / count), (steep * point * point, inverse))
        return steep, exponent, same(whole, "v", log(v))

    steep, exponent, own = of_sum(M, y)
    first = exp(w * x * x / (2 * N) - w * q + L / 2)
    scale = exp_equal(
        auto(
            eq(
                w * SQUARES - w * q,
                (w * x * x / (2 * N) - w * q + L / 2) + (steep * y * y / (1 + steep * M) - log(1 + steep * M)) / 2,
            ),
            exponent,
            own,
        )
    )
    inner_most = for_all("y", auto(le(event, lifted(first, steep, M, y)), markov, scale))
    values = {"X": fn("", law("Y")), "C": first, "u": steep, "n": M, "g": fn("y", event)}
    inner = instance(many_noises(), values, inner_most)
    chance = mean("y", sum_of_all(lambda _: law("Y"), M), event)
    steep, exponent, own = of_sum(N, x)
    second = exp(-w * q + L)
    scale = exp_equal(
        auto(
            eq(
                w * x * x / (2 * N) - w * q + L / 2,
                -w * q + L + (steep * x * x / (1 + steep * N) - log(1 + steep * N)) / 2,
            ),
            exponent,
            own,
        )
    )
    outer_most = for_all("x", auto(le(chance, lifted(second, steep, N, x)), inner, scale))
    values = {"C": second, "u": steep, "n": N, "g": fn("x", chance)}
    outer = instance(many_noises(), values, outer_most)
    return auto(
        le(mean("x", sum_of_all(lambda _: law("X"), N), chance), exp(-w * q) / (1 - w)), outer, (exp(-w * q), value)
    )


# ------------------------------------------------------------------------------------------------------------- phases

K, best, delta, epsilon, sigma, zeta, rivals = map(var, ("K", "best", "delta", "epsilon", "sigma", "zeta", "rivals"))
EXPONENT, JOINT, m = var("exponent"), law("outcomes"), var("phases")
DOUBLE, WEIGHTS = phases_double(m), weights_of_deviations(m)
NAMES = "phases phase_length phase_label phase_log"
IN_M = nat(k), lt(k, m)
LABEL, LOG = app("phase_label", k), app("phase_log", k)


def fact(f: Formula, **values: Any) -> Theorem:
    return instance(assume(f), values)


@lemma(NAMES + " k", *DOUBLE, *IN_M)
def lengths() -> Theorem:
    """A phase has a natural number of rewards, which is at least 2^(k - 1)."""
    before = auto(lt(k, m), assume(lt(k + 1, m)))
    more = instance(assume(DOUBLE[3]), {}, assume(lt(k + 1, m)))
    first, late = assume(lt(k, 1)), assume(le(1, k))
    one, twice = not_at_most(first), at_most(late)
    now, then = length(k), length(k + 1)
    stays = auto(eq(now, then), more, (now, one))
    doubles = auto(eq(now + now, then), more, (now, twice))
    known = _claimed(nat(now), before)
    natural = cases(nat_equal(nat_sum(known, known), doubles), nat_equal(known, stays), term(1), k)
    base = nat_equal(nat_next(nat_zero()), auto(eq(term(0) + 1, length(0))))
    claim = All((), (lt(k, m),), nat(now))
    return instance(
        instance(
            induct(
                "k",
                generalised(base, replace(claim, {"k": term(0)})),
                generalised(natural, replace(claim, {"k": k + 1})),
                claim,
            ),
            {},
        ),
        {},
    )


def _claimed(f: Formula, before: Theorem) -> Theorem:
    return instance(assume(All((), (lt(k, m),), f)), {}, before)


@lemma(NAMES + " k", *DOUBLE, *IN_M)
def are_long() -> Theorem:
    """It is at least 2^(k - 1)."""
    more = instance(assume(DOUBLE[3]), {}, assume(lt(k + 1, m)))
    two = exp_log(auto(lt(0, term(2))))
    now, then = length(k), length(k + 1)
    claim = All((), (lt(k, m),), le(exp((k - 1) * log(2)), now))
    known = instance(assume(claim), {}, auto(lt(k, m), assume(lt(k + 1, m))))
    late = auto(
        le(exp(k * log(2)), then), more, (now, at_most(assume(le(1, k)))), (2, known), (exp((k - 1) * log(2)), two)
    )
    none = antisymmetric(auto(le(k, 0), _before_one()), nat_nonnegative(assume(nat(k))))
    zero = same(none, "v", exp(v * log(2))), same(none, "v", length(v))
    early = auto(le(exp(k * log(2)), then), more, *zero)
    low = ordered_logs(auto(le(exp(term(0)), exp(log(2))), two))
    base = auto(le(exp((term(0) - 1) * log(2)), length(0)), exp_monotone(auto(le(-log(2), 0), low)))
    return instance(instance(induction("k", base, cases(late, early, term(1), k), claim), {}), {})


def _before_one() -> Theorem:
    """k <= 0 for natural k < 1."""
    return auto(
        le(k, 0),
        nat_nonnegative(nat_minus(assume(nat(k)), nat_next(nat_zero()), auto(lt(k, term(0) + 1), assume(lt(k, 1))))),
    )


@lemma(NAMES + " k", *DOUBLE, *IN_M)
def are_labelled() -> Theorem:
    """The label is at least k + 1."""
    two = exp_log(auto(lt(0, term(2))))
    some = auto(lt(0, log(2)), exp_tangent(-log(2)), (exp(-log(2)), two))
    long = instance(are_long(), {})
    value = exp_log(auto(lt(0, length(k))))
    logs = ordered_logs(auto(le(exp((k - 1) * log(2)), exp(log(length(k)))), long, value))
    named = fact(DOUBLE[4])
    return auto(
        le(k + 1, LABEL),
        (reciprocal_positive(some), logs),
        (reciprocal_positive(some), named),
        (LABEL, reciprocal(some)),
        reciprocal(some),
    )


@lemma(NAMES + " k", *DOUBLE, *IN_M)
def are_at_least_one() -> Theorem:
    """It has a reward at least."""
    natural = instance(lengths(), {})
    return auto(le(1, length(k)), nat_nonnegative(nat_minus(nat_zero(), natural, auto(lt(0, length(k))))))


@lemma(NAMES + " k", *DOUBLE, *IN_M)
def have_logs() -> Theorem:
    """log(4 + log of it) is at least log 4."""
    one = instance(are_at_least_one(), {})
    low = ordered_logs(auto(le(exp(term(0)), exp(log(length(k)))), one, exp_log(auto(lt(0, length(k))))))
    return auto(le(4, exp(LOG)), fact(DOUBLE[5]), low)


# --------------------------------------------------------------------------------------------------------- rare events

WEIGHT, REST, SERIES = (app(name, k, o) for name in ("weight_of", "rest_of", "series_of"))
RISK = risk_level(k, o, delta, rivals, zeta, EXPONENT)
PLAIN = plain_threshold(k, o, RISK)
PAIR_NAMES = NAMES + " k o weight_of rest_of series_of delta rivals zeta exponent"
POSITIVE = lt(0, delta), lt(delta, 1), lt(0, zeta), lt(0, rivals), lt(1, EXPONENT), nat(m), le(1, m)
IN_PAIR = *IN_M, nat(o), lt(o, m)


def of_phase(known: Theorem, at: Any = k) -> Theorem:
    return instance(known, {"k": at}, assume(nat(at)), assume(lt(at, m)))


@lemma(PAIR_NAMES, *POSITIVE, *DOUBLE, *WEIGHTS, *IN_PAIR)
def is_enough() -> Theorem:
    """The exponent of two sums at the threshold is at least the level of the risk."""
    half, whole, terms = (instance(assume(f), {}) for f in WEIGHTS[3:])
    w = WEIGHT
    four = exp_log(auto(lt(0, 4 * w)))
    below = auto(lt(w, 1), whole)
    seconds = []
    for at in (k, o):
        large = of_phase(have_logs(), at)
        seconds.append(ordered_logs(auto(le(exp(log(4 * w)), exp(app("phase_log", at))), four, below, large)))
    one = terms.conclusion.args[0].args[-1].args[-1]  # type: ignore[union-attr]
    first = summand(lambda i: substitute(one, {"j": i}), term(0), m, nat_zero(), auto(lt(0, m)))
    flat = exp_equal(auto(eq(-2 * w * log(term(1)), 0), (w, log_of_one())))
    many = auto(le(1, SERIES), first, flat, terms)
    logs = ordered_logs(auto(le(exp(term(0)), exp(log(SERIES))), many, exp_log(auto(lt(0, SERIES)))))
    return auto(le(RISK, w * PLAIN + log(REST)), logs, *((w, f) for f in seconds))


def summand(f: Any, spot: Any, count: Any, *places: Theorem, low: Theorem | None = None) -> Theorem:
    """One summand of a sum of numbers that are not negative is at most the sum: `low` says that, or their form."""
    _, below = bounds_of_event(equal(i, spot), equal_is_event(i, spot))
    rest = product(low or auto(le(0, f(i))), auto(le(0, 1 - equal(i, spot)), below))
    total = auto(le(f(term(spot)), sum_of(f, count, "i")), sum_over(rest, "i", count), picked(f, term(spot), count))
    return instance(for_all("", total, *is_arm(spot, count)), {}, *places)


@lemma(
    "X Y " + PAIR_NAMES, one_subgaussian(law("X")), one_subgaussian(law("Y")), *POSITIVE, *DOUBLE, *WEIGHTS, *IN_PAIR
)
def pair_is_rare() -> Theorem:
    """Two phases are far off with a chance of at most e^-level."""
    half, whole, _ = (instance(assume(f), {}) for f in WEIGHTS[3:])
    values = {"N": length(k), "M": length(o), "w": WEIGHT, "q": PLAIN}
    naturals = [of_phase(lengths(), at) for at in (k, o)]
    ones = [of_phase(are_at_least_one(), at) for at in (k, o)]
    ends = auto(lt(0, WEIGHT)), auto(lt(WEIGHT, 1), whole)
    noises = [assume(one_subgaussian(law(name))) for name in "XY"]
    tail = instance(two_sums(), values, *noises, *naturals, *ones, *ends)
    enough = instance(is_enough(), {})
    is_rest = same(auto(eq(1 - WEIGHT, REST), whole), "v", 1 / v)
    value = exp_log(auto(lt(0, REST)))
    share = auto(eq(exp(-log(REST)), 1 / REST), (exp(-log(REST)) / REST, value))
    less = exp_monotone(auto(le(-WEIGHT * PLAIN - log(REST), -RISK), enough))
    power = exp(-WEIGHT * PLAIN)
    return auto(le(tail.conclusion.args[0], exp(-RISK)), tail, (power, is_rest), (power, share), less)  # type: ignore[union-attr]


LEVEL_K = noise_level(k, delta, K, zeta, EXPONENT)


@lemma("c v", lt(0, c), le(0, v))
def noise_above() -> Theorem:
    """P(|Y| >= v/c) <= e^-v for Y of Lap(1/c)."""
    tail = instance(both_tails(), {"z": v / c, "b": 1 / c})
    return auto(le(tail.conclusion.args[0], exp(-v)), tail)  # type: ignore[union-attr]


OF_LEVEL = le(1, K), lt(0, delta), lt(delta, 1), le(1, zeta), lt(1, EXPONENT), *DOUBLE, *IN_M


@lemma(NAMES + " k K delta zeta exponent", *OF_LEVEL)
def level_is_low() -> Theorem:
    """The level of the noise of a phase is not negative."""
    long = of_phase(are_labelled())
    named = auto(le(1, LABEL), long)
    logs = ordered_logs(auto(le(exp(term(0)), exp(log(LABEL))), named, exp_log(auto(lt(0, LABEL)))))
    up = auto(lt(0, EXPONENT))
    large = exp_monotone(auto(le(0, EXPONENT * log(LABEL)), (up, logs)))
    inside, some = LEVEL_K.args[0], auto(lt(0, delta))
    inverse = reciprocal_positive(some)
    two = auto(le(1, 2 * K * zeta * exp(EXPONENT * log(LABEL))), large)
    most = auto(le(1, inside), (inverse, two))
    return ordered_logs(auto(le(exp(term(0)), exp(LEVEL_K)), most, exp_log(auto(lt(0, inside)))))


# ------------------------------------------------------------------------------------------------- what is not far off

sa, sb, na, nb, ya, yb, ta, tb, ma, mb = map(var, "sa sb na nb ya yb ta tb ma mb".split())
NEAR = sa * sa / (2 * na) + sb * sb / (2 * nb)
LEAD = (ma + sigma * sa / na + ya) - (mb + sigma * sb / nb + yb)
COST = part(LEAD, 1) * part(LEAD, 1) * (1 / (1 / na + 1 / nb) / (2 * sigma * sigma))
NOT_FAR = lt(0, na), lt(0, nb), lt(0, sigma), le(ma, mb), lt(size(ya), ta), lt(size(yb), tb), lt(NEAR, u)


@lemma("y t", lt(size(y), t))
def smaller_square() -> Theorem:
    """y^2 <= t^2 for |y| < t."""
    goal = le(y * y, t * t)

    def of(sign: int, at: Theorem, side: Theorem) -> Theorem:
        low, high = auto(le(0, sign * y), side), auto(lt(0, t - sign * y), at)
        return auto(goal, product(weak(high), weak(auto(lt(0, t - sign * y), high))), (2, product(low, weak(high))))

    right = auto(eq(size(y), y), (2 * y, at_most(assume(le(0, y)))))
    left = auto(eq(size(y), -y), (2 * y, not_at_most(assume(lt(y, 0)))))
    return cases(of(1, right, assume(le(0, y))), of(-1, left, assume(lt(y, 0))), term(0), y)


@lemma("v w", le(v, w))
def square_of_part() -> Theorem:
    """(v)_+^2 <= w^2 for v <= w."""
    goal = le(part(v, 1) * part(v, 1), w * w)
    low, off = assume(le(0, v)), assume(lt(v, 0))
    more = product(auto(le(0, w - v)), auto(le(0, w + v), low))
    inside = auto(goal, (v * v, at_most(low)), (v * v * ind(0, v), at_most(low)), more)
    return cases(inside, auto(goal, (v * v * ind(0, v), not_at_most(off))), term(0), v)


@lemma("sa sb na nb ya yb ta tb ma mb sigma u", *NOT_FAR)
def costs_less() -> Theorem:
    """A lead against an arm that is no worse costs less than the threshold."""
    ea, eb = sigma * sa / na + ya, sigma * sb / nb + yb
    D, spread = ea - eb, 1 / na + 1 / nb
    ahead = instance(square_of_part(), {"v": LEAD, "w": D})
    wide = instance(cauchy(), {"e": ea, "f": eb})
    some = auto(lt(0, spread))
    over = reciprocal_positive(some)
    down = reciprocal_positive(auto(lt(0, 2 * sigma * sigma)))
    both = na * ea * ea + nb * eb * eb
    top = auto(le(part(LEAD, 1) * part(LEAD, 1) / spread, both), (over, ahead), (over, wide), (both, reciprocal(some)))
    cost = auto(le(COST, both / (2 * sigma * sigma)), (down, top))
    sides = (na, sa, ya, ta), (nb, sb, yb, tb)
    halves = [instance(_split(), {"n": n_, "s": s_, "y": y_, "t": t_}) for n_, s_, y_, t_ in sides]
    return auto(
        lt(COST, 2 * u + (na * ta * ta + nb * tb * tb) / (sigma * sigma)), cost, *halves, (2, assume(NOT_FAR[-1]))
    )


@lemma("na nb e f", lt(0, na), lt(0, nb))
def cauchy() -> Theorem:
    """(e - f)^2 <= (1/na + 1/nb) (na e^2 + nb f^2)."""
    e, f = var("e"), var("f")
    root = product(
        product(reciprocal_positive(assume(lt(0, na))), reciprocal_positive(assume(lt(0, nb)))), square(na * e + nb * f)
    )
    ones = [reciprocal(assume(lt(0, n_))) for n_ in (na, nb)]
    return auto(
        le((e - f) * (e - f), (1 / na + 1 / nb) * (na * e * e + nb * f * f)),
        root,
        *((e * e, o) for o in ones),
        *((f * f, o) for o in ones),
    )


@lemma("n s y t sigma", lt(0, n), lt(0, sigma), lt(size(y), t))
def _split() -> Theorem:
    """n (sigma s/n + y)^2/(2 sigma^2) <= s^2/n + n t^2/sigma^2."""
    e = sigma * s / n + y
    some, ps = assume(lt(0, n)), assume(lt(0, sigma))
    down = weak(reciprocal_positive(product(ps, ps)))
    small = instance(smaller_square(), {})
    other = product(product(weak(some), down), square(sigma * s / n - y))
    high = product(product(weak(some), down), auto(le(0, t * t - y * y), small))
    return auto(le(n * e * e / (2 * sigma * sigma), s * s / n + n * t * t / (sigma * sigma)), (HALF, other), high)


HALF = Fraction(1, 2)


# ------------------------------------------------------------------------------------------------------------ the union

ARMS = rivals + 1
FRESH = phases_are_fresh(JOINT, lambda a: law("noise", a), epsilon, best, m, ARMS)
APART = lt(0, (a - best) * (a - best))
FAR = summed(z, a, k) * summed(z, a, k) / (2 * length(k)) + summed(z, best, o) * summed(z, best, o) / (2 * length(o))
IS_FAR, OTHER = ind(PLAIN, FAR), 1 - equal(a, best)
LEVEL_OF = noise_level(k, delta, ARMS, zeta, EXPONENT)
WIDE = LEVEL_OF / (epsilon * length(k))
IS_NOISY = ind(WIDE, size(masked(z, a, k)))
ENDS = lt(0, delta), lt(delta, 1), lt(0, epsilon), lt(0, sigma), lt(0, zeta), lt(1, EXPONENT), le(1, rivals), le(1, m)


def on_arm(place: Term) -> list[Theorem]:
    return [assume(f) for f in is_arm(place, ARMS)]


def pair_in_the_mean() -> Theorem:
    """0 <= (e^-level - P(far off)) for a wrong arm, and 0 for the best one."""
    goal = le(0, OTHER * (exp(-RISK) - mean("z", JOINT, IS_FAR)))
    x_, y_ = x * x / (2 * length(k)), y * y / (2 * length(o))
    sizes = [of_phase(lengths(), at) for at in (k, o)]
    same_ = [auto(eq(length(at), length(at))) for at in (k, o)]
    values = {"joined": fn("x y", ind(PLAIN, x_ + y_)), "p": length(k), "q": length(o)}
    subgaussian_ = [instance(assume(ARM_NOISE_OF), {"a": of}, *on_arm(of)) for of in (a, best)]
    rare = instance(
        pair_is_rare(),
        {"X": fn("", law("noise", a)), "Y": fn("", law("noise", best))},
        *subgaussian_,
        *map(assume, (*POSITIVE, *DOUBLE, *WEIGHTS, *IN_PAIR)),
    )

    def apart(far: Theorem, zero: Theorem) -> Theorem:
        drawn = instance(assume(FRESH[2]), values, *on_arm(a), far, *map(assume, IN_PAIR), *sizes, *same_)
        return auto(goal, drawn, rare, (exp(-RISK), zero))

    return by_place(goal, a, apart, lambda one: auto(goal, (exp(-RISK) - mean("z", JOINT, IS_FAR), one)))


ARM_NOISE_OF = All(("a",), is_arm(a, ARMS), one_subgaussian(law("noise", a)))


def by_place(goal: Rel, of: Term, apart: Any, here: Any) -> Theorem:
    """A goal that follows for another arm than the best one, 1[a = best] being 0, and for the best one, it being 1."""
    d = of - best
    sides = []
    for low, high in ((best, of), (of, best)):
        far = product(auto(lt(0, high - low), assume(lt(low, high))), auto(lt(0, high - low), assume(lt(low, high))))
        zero = auto(eq(equal(of, best), 0), (ind(low, high), not_at_most(assume(lt(low, high)))))
        sides.append(apart(auto(lt(0, d * d), far), zero))
    it_is = antisymmetric(assume(le(of, best)), assume(le(best, of)))
    middle = here(is_equal(it_is))
    return cases(cases(middle, sides[0], of, best), sides[1], best, of)


def summed_up(
    body: Term, bound: Term, proof: Theorem, factor: Any, sums: list[tuple[str, Term]]
) -> tuple[Term, Term, Theorem]:
    """The same of sums of the events and of the bounds."""
    for name, count in sums:
        inside = sum_inside(name, count, "z", JOINT, body)
        whole = sum_over(proof, name, count)
        body, bound = (count * mean(name, uniform(count), f) for f in (body, bound))
        proof = auto(le(0, factor * (bound - mean("z", JOINT, body))), whole, (factor, inside))
    return body, bound, proof


def union() -> tuple[Term, Theorem]:
    """What counts all that may be off, and that its mean is at most delta."""
    body, bound, each = summed_up(IS_FAR, exp(-RISK), pair_in_the_mean(), OTHER, [("o", m), ("k", m)])
    pairs, most, all_pairs = summed_up(OTHER * body, OTHER * bound, each, term(1), [("a", ARMS)])
    many = auto(le(1, zeta), one_term())
    known = auto(le(1, ARMS)), *map(assume, ENDS[:2]), many, assume(lt(1, EXPONENT)), *map(assume, (*DOUBLE, *IN_M))
    low = instance(level_is_low(), {"K": ARMS}, *known)
    rare = instance(noise_above(), {"c": epsilon * length(k), "v": LEVEL_OF}, low)
    drawn = instance(assume(FRESH[3]), {"g": fn("y", ind(WIDE, size(y)))}, *on_arm(a), *map(assume, IN_M))
    each = auto(le(0, exp(-LEVEL_OF) - mean("z", JOINT, IS_NOISY)), drawn, rare)
    noises, cost, all_noises = summed_up(IS_NOISY, exp(-LEVEL_OF), each, term(1), [("k", m), ("a", ARMS)])
    total = pairs + noises
    return total, auto(le(mean("z", JOINT, total), delta), all_pairs, all_noises, pairs_cost(most), noises_cost(cost))


def one_term() -> Theorem:
    """1 <= the first term of the series."""
    first = summand(lambda j: exp(-EXPONENT * log(j + 1)), term(0), m, nat_zero(), auto(lt(0, m)))
    flat = exp_equal(auto(eq(-EXPONENT * log(term(1)), 0), (EXPONENT, log_of_one())))
    return auto(le(1, sum_of(lambda j: exp(-EXPONENT * log(j + 1)), m, "j")), first, flat)


SHARE = exp(-EXPONENT * log(LABEL))


def shares() -> Theorem:
    """The sum of the labels to the power -s is at most zeta(s)."""
    long = of_phase(are_labelled())
    logs = ordered_logs(
        auto(
            le(exp(log(k + 1)), exp(log(LABEL))),
            long,
            exp_log(auto(lt(0, k + 1), nat_nonnegative(assume(nat(k))))),
            exp_log(auto(lt(0, LABEL))),
        )
    )
    up = auto(lt(0, EXPONENT))
    less = exp_monotone(auto(le(-EXPONENT * log(LABEL), -EXPONENT * log(k + 1)), (up, logs)))
    whole = sum_over(auto(le(0, exp(-EXPONENT * log(k + 1)) - SHARE), less), "k", m)
    return auto(le(sum_of(lambda k: substitute(SHARE, {"k": k}), m, "k"), zeta), whole)


def inverse_of(level: Term, number: Term) -> Theorem:
    """e^-level = number, where the level is the logarithm of what 1/number is."""
    inside = level.args[0]
    value = exp_log(auto(lt(0, inside)))
    return auto(eq(exp(-level), number), (number * exp(-level), value))


def pairs_cost(most: Term) -> Theorem:
    """(K - 1) delta/(2 (K - 1)) at most."""
    S = sum_of(lambda k: substitute(SHARE, {"k": k}), m, "k")
    at_l = substitute(SHARE, {"k": o})
    number = delta / (2 * rivals * zeta * zeta) * SHARE * at_l
    each = sum_over(auto(eq(0, number - exp(-RISK)), inverse_of(RISK, number)), "o", m)
    inner = m * mean("o", uniform(m), exp(-RISK))
    by_k = auto(eq(0, delta / (2 * rivals * zeta * zeta) * SHARE * S - inner), each)
    both = m * mean("k", uniform(m), inner)
    square_ = auto(eq(both, delta / (2 * rivals * zeta * zeta) * S * S), sum_over(by_k, "k", m))
    few = shares()
    low = auto(le(0, S))
    half = auto(le(both, delta / (2 * rivals)), square_, *_halved(S, few, low))
    arms = picked(lambda _: term(1), best, ARMS)
    return auto(le(most, delta / 2), (rivals, half), (both, arms))


def _halved(S: Term, few: Theorem, low: Theorem) -> list[Any]:
    more = product(auto(le(0, zeta - S), few), auto(le(0, zeta + S)))
    scale = weak(product(assume(lt(0, delta)), reciprocal_positive(auto(lt(0, 2 * rivals * zeta * zeta)))))
    return [(scale, more), (delta / (2 * rivals), reciprocal(auto(lt(0, zeta * zeta))))]


def noises_cost(cost: Term) -> Theorem:
    S = sum_of(lambda k: substitute(SHARE, {"k": k}), m, "k")
    number = delta / (2 * ARMS * zeta) * SHARE
    each = sum_over(auto(eq(0, number - exp(-LEVEL_OF)), inverse_of(LEVEL_OF, number)), "k", m)
    scale = ARMS * delta / (2 * ARMS * zeta)
    return auto(le(cost, delta / 2), (ARMS, each), (scale, auto(le(S, zeta), shares())))


# ---------------------------------------------------------------------------------------------------------- each point

STOPPED, NAMED = app("stopped", z), app("recommended", z)
STOPS = stops_by(
    lambda k, o: private_threshold(k, o, delta, epsilon, sigma, rivals, zeta, EXPONENT),
    lambda a: app("centre", a),
    sigma,
    m,
    ARMS,
)
BEST = All(("a",), is_arm(a, ARMS), le(app("centre", a), app("centre", best)))


def far_is_counted() -> Theorem:
    """(1 - 1[a = best]) 1[far off] is among what is counted, for an arm a and two phases."""
    _, low = _rest_is_positive()

    def one(k: Term, o: Term) -> Term:
        return substitute(IS_FAR, {"k": term(k), "o": term(o)})

    by_l = summand(lambda i: one(k, i), o, m, *map(assume, (nat(o), lt(o, m))))
    total_l = lambda at: m * mean("o", uniform(m), one(at, o))  # noqa: E731
    by_k = summand(total_l, k, m, *map(assume, IN_M))
    body = lambda at: (1 - equal(at, best)) * m * mean("k", uniform(m), substitute(total_l(k), {"a": term(at)}))  # noqa: E731
    positive = product(
        instance(for_all("a", low), {"a": i}), auto(le(0, substitute(m * mean("k", uniform(m), total_l(k)), {"a": i})))
    )
    by_a = summand(body, a, ARMS, *on_arm(a), low=positive)
    return auto(le(OTHER * IS_FAR, by_a.conclusion.args[1]), by_a, (low, by_k), (low, by_l))  # type: ignore[union-attr]


def _rest_is_positive() -> tuple[Theorem, Theorem]:
    _, high = bounds_of_event(equal(a, best), equal_is_event(a, best))
    return high, auto(le(0, OTHER), high)


def is_counted(event: Term) -> Theorem:
    """An event of a phase is among all of them."""
    by_k = summand(lambda i: substitute(event, {"k": term(i)}), k, m, *map(assume, IN_M))
    by_a = summand(lambda i: substitute(m * mean("k", uniform(m), event), {"a": term(i)}), a, ARMS, *on_arm(a))
    return auto(le(event, by_a.conclusion.args[1]), by_a, by_k)  # type: ignore[union-attr]


EVENT = STOPPED * (1 - equal(NAMED, best))
K_NAMED, K_BEST = app("phase_of", z, NAMED), app("phase_of", z, best)
AT = {"a": NAMED, "k": K_NAMED, "o": K_BEST}


class Stop:
    """What is known where the strategy stops, by the premise that says how it does; both arms are in a phase."""

    def __init__(self, stops: tuple[Formula, ...]) -> None:
        self.stops, is_stop = stops, instance(assume(stops[0]), {})
        self.none = instance(is_left_out(), {"cho": STOPPED}, is_stop, assume(le(STOPPED, HALF)))
        self.stopped = instance(is_taken(), {"cho": STOPPED}, is_stop, assume(le(HALF, STOPPED)))
        self.named = [instance(assume(f), {}) for f in stops[1:3]]
        sides = (NAMED, self.named), (best, on_arm(best))
        places = [[instance(assume(f), {"b": of}, *arms) for f in stops[3:5]] for of, arms in sides]
        self.sides = [
            (of, phase, arms, where) for (of, arms), phase, where in zip(sides, (K_NAMED, K_BEST), places, strict=True)
        ]
        self.lengths = [auto(lt(0, length(phase))) for phase in (K_NAMED, K_BEST)]
        self.no_worse = instance(assume(BEST), {"a": NAMED}, *self.named)
        names = ("s", summed), ("y", masked)
        self.values = {
            f"{name}{side}": of(z, arm, phase)
            for name, of in names
            for side, (arm, phase, *_) in zip("ab", self.sides, strict=True)
        }
        self.values |= {
            "na": length(K_NAMED),
            "nb": length(K_BEST),
            "ma": app("centre", NAMED),
            "mb": app("centre", best),
        }

    def of_both(self, event: Theorem) -> list[Theorem]:
        """An event of a phase is counted, in the phases of both arms."""
        every = for_all("a k", event, *is_arm(a, ARMS), *IN_M)
        return [instance(every, {"a": of, "k": phase}, *arms, *where) for of, phase, arms, where in self.sides]

    def pair(self, event: Theorem) -> Theorem:
        every = for_all("a k o", event, *is_arm(a, ARMS), *IN_PAIR)
        return instance(every, AT, *self.named, *self.sides[0][3], *self.sides[1][3])

    def cost(self, place: int, far: Theorem, *more: Theorem) -> Theorem:
        """The cost reaches the threshold."""
        own = auto(eq(NAMED, NAMED)), *self.named, *on_arm(best), far, *more
        return instance(assume(self.stops[place]), {"a": NAMED, "b": best}, self.stopped, *own)

    def seldom(self, goal: Rel, nothing: Theorem, apart: Callable[[Theorem, Theorem], Theorem]) -> Theorem:
        """The event is counted, from the same where it stops with another arm than the best one."""
        wrong = by_place(goal, NAMED, apart, lambda one: auto(goal, nothing, (STOPPED, one)))
        return cases(auto(goal, nothing, (1 - equal(NAMED, best), self.none)), wrong, STOPPED, term(HALF))


def unless(events: Sequence[tuple[Rel, Callable[[Theorem], Theorem]]], rest: Theorem) -> Theorem:
    """What follows from each of the events u <= v, and from v < u of all of them."""
    for event, shown in events:
        rest = cases(shown(at_most(assume(event))), rest, *event.args)
    return rest


@proof
def seldom_wrong(statement: All) -> Theorem:
    """What is named wrongly is counted: two phases that are far off, or a noise that is."""
    total, most = union()
    pairs, noises = far_is_counted(), is_counted(IS_NOISY)
    far, noisy = (f.conclusion.args[1] for f in (pairs, noises))  # type: ignore[union-attr]
    stop, goal = Stop(STOPS), le(EVENT, total)
    low = auto(le(0, far), sum_of_positive()), auto(le(0, noisy))
    here = lambda t: substitute(t, AT)  # noqa: E731
    far_at, noisy_at = stop.pair(pairs), stop.of_both(noises)
    ta, tb = (substitute(WIDE, {"k": phase}) for phase in (K_NAMED, K_BEST))
    values = stop.values | {"ta": ta, "tb": tb, "u": here(PLAIN)}
    ya, yb = values["ya"], values["yb"]
    conditions = lt(size(ya), ta), lt(size(yb), tb), lt(here(FAR), here(PLAIN))
    less = instance(costs_less(), values, *stop.lengths, assume(lt(0, sigma)), stop.no_worse, *map(assume, conditions))

    def widths(of: Term) -> list[tuple[Term, Theorem]]:
        scale = 1 / (sigma * sigma) / epsilon / epsilon
        phases = zip((K_NAMED, K_BEST), stop.lengths, strict=True)
        return [(scale * substitute(of, {"k": phase}) / length(phase), reciprocal(p)) for phase, p in phases]

    def apart(wrong: Theorem, zero: Theorem) -> Theorem:
        quiet = absurd(contradiction(less, stop.cost(5, wrong), *widths(LEVEL_OF * LEVEL_OF)), goal)

        def counted(event: Theorem, *more: Fact) -> Callable[[Theorem], Theorem]:
            return lambda one: auto(goal, (STOPPED, zero), stop.stopped, one, event, *more, *low)

        loud = [(le(t, size(y)), counted(event)) for t, y, event in zip((ta, tb), (ya, yb), noisy_at, strict=True)]
        return unless([*loud, (le(here(PLAIN), here(FAR)), counted(far_at, (here(IS_FAR), zero)))], quiet)

    each = stop.seldom(goal, auto(le(0, total), *low), apart)
    proved = auto(conclusion(statement), mono(each, "z", JOINT), most)
    return instance(for_all("", proved, lt(0, rivals)), {})


def sum_of_positive() -> Theorem:
    _, low = _rest_is_positive()
    total = m * mean("k", uniform(m), m * mean("o", uniform(m), IS_FAR))
    return sum_over(product(low, auto(le(0, total))), "a", ARMS)
