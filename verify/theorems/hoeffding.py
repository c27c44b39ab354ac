"""Hoeffding's inequality for two values in the kernel: (1 - p) e^(-p s) + p e^((1 - p) s) <= e^(s^2/8).

From e^t >= 1 + t alone, by doubling: at 2 s the left side is a product of two at s, one with another p, and what the
two means differ by is at most s/4. So an error is halved at each doubling, and s is 2^k times a small number.
"""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.language import *

k, p, s, u, w = map(var, "kpsuw")
L = log(2)
GROWN = exp(k * L)  # 2^k


def two() -> Theorem:
    """e^(log 2) = 2."""
    return exp_log(auto(lt(0, 2)))


def half_is_less() -> Theorem:
    """1/2 <= log 2."""
    return auto(le(term(1) / 2, L), (exp(-L) / 2, two()), exp_tangent(-L))


def doubled() -> Theorem:
    """2^(k + 1) = 2 2^k."""
    return auto(eq(exp((k + 1) * L), 2 * GROWN), (GROWN, two()))


def in_the_limit(X: Term, C: Term, least: Term, known: Theorem, positive: Theorem, start: Theorem) -> Theorem:
    """X <= 0 from X <= C 2^-k for natural k >= least, where 0 <= C and 0 <= least."""
    above = assume(lt(0, X))
    inverse, one = reciprocal_positive(above), reciprocal(above)
    enough = least + 2 * C / X
    large, natural = assume(le(enough, k)), assume(nat(k))
    some = product(positive, weak(inverse))
    at_k = instance(for_all("k", known, nat(k), le(least, k)), {}, natural, auto(le(least, k), large, some))
    whole = auto(le(X * GROWN, C), (exp(k * L), at_k))
    many = auto(le(2 * C, X * k), (above, large), (above, start), (2 * C, one))
    steep = auto(
        le(X + C, X * GROWN),
        (above, exp_tangent(k * L)),
        (product(weak(above), nat_nonnegative(natural)), half_is_less()),
        many,
    )
    false = contradiction(above, whole, steep)
    contrary = some_natural(absurd(false, le(X, 0)), "k", enough)
    return cases(assume(le(X, 0)), contrary, X, term(0))


@lemma("u", le(0, u))
def slow() -> Theorem:
    """2 (e^u - 1) <= u (e^u + 1) for u >= 0."""
    at_k = w * GROWN

    def says(x: Term, more: Term) -> Rel:
        return le(2 * (exp(x) - 1), x * (1 + more) * (exp(x) + 1))

    low = assume(le(0, w))
    claim = All(("w",), (le(0, w),), says(at_k, 2 * w))
    short = auto(le(exp(w) - 1, w * exp(w)), exp_tangent(-w))
    base = auto(says(w, 2 * w), (low, short), short)
    before = instance(assume(claim), {}, low)
    twice = auto(eq(w * exp((k + 1) * L), 2 * at_k), doubled())
    rising = product(low, weak(exp_positive(k * L)))
    more = auto(le(0, 1 + 2 * w), low)
    apart = product(product(rising, more), square(exp(at_k) - 1))
    step = auto(says(w * exp((k + 1) * L), 2 * w), before, apart, *_moved(twice, says(var("v"), 2 * w)))

    here = instance(induction("k", base, step, claim, at=k), {"w": u * exp(-k * L)})
    X, C = 2 * (exp(u) - 1) - u * (exp(u) + 1), 2 * u * u * (exp(u) + 1)
    above = product(auto(le(0, 2 * u * u)), auto(le(0, exp(u) + 1)))
    proved = in_the_limit(X, C, term(0), auto(le(X, C * exp(-k * L)), here), above, auto(le(0, 0)))
    return auto(le(2 * (exp(u) - 1), u * (exp(u) + 1)), proved)


def _moved(equal: Theorem, goal: Rel) -> list[Theorem]:
    """The sides of a relation of v, at both sides of an equation."""
    return [same(equal, "v", side) for side in goal.args]


def moment(p: Any, s: Any) -> Term:
    """E e^(s (X - p)) for X = 1 with probability p, else 0."""
    return (1 - term(p)) * exp(-term(p) * s) + p * exp((1 - term(p)) * s)


@lemma("p s", le(0, p), le(p, 1), le(0, s))
def shift() -> Theorem:
    """4 p (1 - p)(e^s - 1) <= s (1 - p + p e^s) for 0 <= p <= 1, s >= 0: how far the mean moves."""
    y = exp(s / 2)
    at_half = instance(slow(), {"u": s / 2})
    goal = le(4 * p * (1 - p) * (exp(s) - 1), s * (1 - p + p * exp(s)))
    return auto(goal, (p * (1 - p) * (y + 1), at_half), (s, square(1 - p - p * y)))


@lemma("p s")
def two_values() -> Theorem:
    """moment(p, s) <= e^(s^2/8) for 0 <= p <= 1 and all s."""
    low, high = suppose(le(0, p), le(p, 1))
    small = assume(le(0, w)), assume(le(w, term(1) / 2))
    rest = auto(le(0, 1 - p))
    at_k = w * GROWN

    def most(x: Any, grown: Any) -> Term:
        return exp(x * x / 8 + 2 * w * w * grown)

    given = low.conclusion, high.conclusion, *(f.conclusion for f in small)
    claim = All(("p", "w"), given, le(moment(p, at_k), most(at_k, GROWN)))

    def short(x: Term, at_most_half: Theorem) -> Theorem:
        """e^x <= 1 + x + 2 x^2 for x <= 1/2."""
        gap = auto(lt(0, 1 - x), at_most_half)
        below = auto(le(exp(x) * (1 - x), 1), exp_tangent(-x))
        above = auto(le(1, (1 + x + 2 * x * x) * (1 - x)), (x * x, at_most_half))
        return auto(
            le(exp(x), 1 + x + 2 * x * x),
            (reciprocal_positive(gap), below),
            (reciprocal_positive(gap), above),
            reciprocal(gap),
        )

    left = short(-p * w, auto(le(-p * w, term(1) / 2), small[0]))
    right = short((1 - p) * w, auto(le((1 - p) * w, term(1) / 2), (p, small[0]), small[1]))
    flat = auto(le(moment(p, w), 1 + 2 * w * w), (1 - p, left), right)
    base = auto(le(moment(p, w), most(w, 1)), flat, exp_tangent(w * w / 8 + 2 * w * w))

    # twice as far: the mean is z after the tilt, at most a quarter of at_k away
    z, far = var("z"), product(small[0], weak(exp_positive(k * L)))
    mass = 1 - p + p * exp(at_k)
    one, grown = exp_tangent(at_k), product(low, weak(exp_positive(at_k)))
    some_mass = auto(lt(0, mass), (p, one), far)
    tilted = assume(eq(mass * z, p * exp(at_k)))
    unit = assume(le(0, z)), assume(le(z, 1))
    hypothesis = assume(claim)
    first = instance(hypothesis, {}, *small)
    second = instance(hypothesis, {"p": z}, *unit, *small)
    split = auto(eq(moment(p, 2 * at_k), exp((z - p) * at_k) * moment(p, at_k) * moment(z, at_k)), tilted)
    near = instance(shift(), {"s": at_k}, far)
    inverse = reciprocal(some_mass)
    moved = auto(le(z - p, at_k / 4), (reciprocal_positive(some_mass), near), (at_k / 4 - z + p, inverse), tilted)
    further = exp_monotone(auto(le((z - p) * at_k, at_k * at_k / 4), (far, moved)))
    bound = most(at_k, GROWN)
    positive_z = (
        product(auto(le(0, 1 - z), unit[1]), weak(exp_positive(-z * at_k))),
        product(unit[0], weak(exp_positive((1 - z) * at_k))),
    )
    not_negative = auto(le(0, moment(z, at_k)), *positive_z)
    both = auto(
        le(moment(p, at_k) * moment(z, at_k), bound * bound),
        (not_negative, first),
        (exp(at_k * at_k / 8 + 2 * w * w * GROWN), second),
    )
    farther = auto(
        le(moment(p, 2 * at_k), most(2 * at_k, 2 * GROWN)),
        split,
        (exp((z - p) * at_k), both),
        (exp(2 * (at_k * at_k / 8 + 2 * w * w * GROWN)), further),
    )
    for_z = for_all("z", farther, tilted.conclusion, *(f.conclusion for f in unit))
    share = p * exp(at_k) / mass
    share_low = product(grown, weak(reciprocal_positive(some_mass)))
    share_high = auto(le(share, 1), (product(rest, weak(reciprocal_positive(some_mass)))), inverse)
    at_share = instance(
        for_z, {"z": share}, auto(eq(mass * share, p * exp(at_k)), (p * exp(at_k), inverse)), share_low, share_high
    )
    v, next_grown = var("v"), exp((k + 1) * L)
    sides = same(doubled(), "v", moment(p, w * v)), same(doubled(), "v", most(w * v, v))
    step = auto(le(moment(p, w * next_grown), most(w * next_grown, next_grown)), at_share, *sides)
    every = induction("k", base, step, claim)

    # for a given s, w = s/2^k
    positive, natural, late = assume(le(0, s)), assume(nat(k)), assume(le(4 * s, k))
    back = product(positive, weak(exp_positive(-k * L)))
    steep = auto(le(2 * s, GROWN), exp_tangent(k * L), (nat_nonnegative(natural), half_is_less()), late)
    little = auto(le(s * exp(-k * L), term(1) / 2), steep)
    here = instance(instance(every, {}, natural), {"w": s * exp(-k * L)}, back, little)
    whole = moment(p, s)
    at_least_one = auto(le(1, whole), (1 - p, exp_tangent(-p * s)), exp_tangent((1 - p) * s))
    f, value = log(whole), exp_log(auto(lt(0, whole), at_least_one))
    limit = s * s / 8 + 2 * s * s * exp(-k * L)
    known = auto(
        le(f - s * s / 8, 2 * s * s * exp(-k * L)), exp_tangent(f - limit), (exp(-limit), here), (exp(-limit), value)
    )
    C = auto(le(0, 2 * s * s))
    proved = in_the_limit(f - s * s / 8, 2 * s * s, 4 * s, known, C, auto(le(0, 4 * s), positive))
    at_most = auto(le(whole, exp(s * s / 8)), exp_monotone(auto(le(f, s * s / 8), proved)), value)
    of_positive = for_all("p s", at_most, low.conclusion, high.conclusion, positive.conclusion)
    negative = assume(le(s, 0))
    turned = instance(of_positive, {"p": 1 - p, "s": -s}, auto(le(0, -s), negative))
    direct = instance(of_positive, {}, positive)
    return cases(direct, auto(le(whole, exp(s * s / 8)), turned), term(0), s)
