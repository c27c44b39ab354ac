"""Least divergences from a law with finitely many atoms to laws with a larger mean on a set with largest point `top`.

A law is a dict from atoms (Fractions) to probabilities (Fractions). The other laws live on the atoms and `top`. With
w = top - target and g(x) = log(1 - lam (x - target)), 0 <= lam <= 1/w, the duals are, for every such lam,

    KL_inf >= E g(X)                           as E_P g <= KL(P, Q) + log E_Q e^g, and E_Q e^g <= 1 if E_Q X >= target
    d_inf  >= E min(g(X), g(top) + epsilon)    as moving mass from x to top costs epsilon and gains g(x) - g(top)
    TV_inf >= E min(1, lam (top - X)) - lam w  for every lam >= 0, as TV(P, Q) >= E_P f - E_Q f for f within [0, 1]

and with the best lam they are equalities. From it the primal laws follow: atoms below a threshold move to `top`, the
rest is divided by e^g, and what is then missing goes to `top`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import islice
from operator import is_
from typing import Any

import numpy as np

from banditproof.theory.laws.infimum import DEAR, dyadic
from banditproof.theory.numbers.enclosure import dyadic_fraction
from banditproof.theory.numbers.logarithms import kl_term
from banditproof.theory.numbers.numeric import minimum, to_ball, working_precision

Masses = Mapping[Fraction, Fraction]
_ROUNDS = 400


def mean_of(masses: Masses) -> Fraction:
    """The mean, exact."""
    from flint import fmpq  # whose sums and products take no time beside those of Fractions

    ratios = ((x.as_integer_ratio(), p.as_integer_ratio()) for x, p in masses.items())
    total = sum((fmpq(*x) * fmpq(*p) for x, p in ratios), fmpq(0))
    return Fraction(int(total.p), int(total.q))


def pairs(first: Masses, second: Masses) -> list[tuple[Fraction, Fraction]]:
    """The two probabilities of every atom of either law."""
    if len(first) <= len(second) and all(map(is_, first, second)):  # the same atoms, and more: no need to look for them
        more = islice(second.values(), len(first), None)
        return [*zip(first.values(), second.values()), *((Fraction(0), q) for q in more)]  # noqa: B905
    return [(first.get(x, Fraction(0)), second.get(x, Fraction(0))) for x in sorted({*first, *second})]


def kl_of(first: Masses, second: Masses) -> Any:
    """KL(first, second) as a ball."""
    from flint import arb, ctx, fmpq

    total = arb(0)
    for p, q in pairs(first, second):
        if p:
            if not q:
                return total.pos_inf()
            one, other = arb(fmpq(*p.as_integer_ratio())), arb(fmpq(*q.as_integer_ratio()))
            total -= one * ((other - one) / one).log1p()
    if total.rel_accuracy_bits() > ctx.prec * 3 // 4:
        return total
    return sum((kl_term(*map(to_ball, (p, q, p - q))) for p, q in pairs(first, second)), arb(0))  # nothing cancels


def tv_of(first: Masses, second: Masses) -> Fraction:
    """The total variation, exact."""
    return sum((abs(p - q) for p, q in pairs(first, second)), Fraction(0)) / 2


# ------------------------------------------------------------------------------------------------------------ in balls

Balls = list[tuple[Any, Any]]
"""target - x and p(x) for every atom x of a law, in its order, as balls."""
_NEAR = 1e-6  # rests below it are not found by subtraction in balls


def in_balls(masses: Masses, target: Fraction) -> Balls:
    """The law in balls."""
    from flint import arb, fmpq

    level = fmpq(*target.as_integer_ratio())
    ratios = ((x.as_integer_ratio(), p.as_integer_ratio()) for x, p in masses.items())
    return [(arb(level - fmpq(*x)), arb(fmpq(*p))) for x, p in ratios]


def rests(masses: Masses, law: Balls, target: Fraction, lam: Fraction) -> list[Any]:
    """1 - lam (x - target) for every atom of a law and the same law in balls: a ball, sharp also next to 0."""
    multiplier = to_ball(lam)
    found = [1 + multiplier * step for step, _ in law]
    return [rest if rest > _NEAR else to_ball(1 - lam * (x - target)) for x, rest in zip(masses, found, strict=True)]


# --------------------------------------------------------------------------------------------------------- dual values


def kl_dual(masses: Masses, top: Fraction, target: Fraction, lam: Fraction, epsilon: Any = math.inf) -> Any:
    """E min(g(X), g(top) + epsilon) as a ball: at most d_inf, at most KL_inf for epsilon = inf."""
    from flint import arb

    cap, total = None if epsilon == math.inf else _g(lam, top, target) + to_ball(epsilon), arb(0)
    law, multiplier = in_balls(masses, target), to_ball(lam)
    for (step, p), rest in zip(law, rests(masses, law, target, lam), strict=True):
        if rest > 0:  # next to 1 it has lost the digits of lam (x - target)
            value = rest.log() if rest < 0.5 else (multiplier * step).log1p()
        else:
            value = total.neg_inf()
        total += p * (value if cap is None else minimum(value, cap))
    return total


def tv_dual(masses: Masses, top: Fraction, target: Fraction, lam: Fraction) -> Fraction:
    """E min(1, lam (top - X)) - lam (top - target), exact: a lower bound of TV_inf."""
    moved = sum((p * min(Fraction(1), lam * (top - x)) for x, p in masses.items()), Fraction(0))
    return moved - lam * (top - target)


def _g(lam: Fraction, x: Fraction, target: Fraction) -> Any:
    argument = -lam * (x - target)
    return to_ball(argument).log1p() if argument > -1 else to_ball(0).log().neg_inf()


# ------------------------------------------------------------------------------------------------------------ programs


def least_tv(masses: Masses, top: Fraction, target: Fraction) -> tuple[dict[Fraction, Fraction], Fraction]:
    """The law that reaches the mean `target` by moving the lowest mass to `top`, and the multiplier that proves it."""
    law, missing, lam = dict(masses), target - mean_of(masses), Fraction(0)
    for x in sorted(masses):
        if missing <= 0:
            break
        lam = 1 / (top - x)
        amount = min(law[x], missing * lam)
        law[x] -= amount
        law[top] = law.get(top, Fraction(0)) + amount
        missing -= amount * (top - x)
    return {x: p for x, p in law.items() if p}, lam


def least_kl(masses: Masses, top: Fraction, target: Fraction) -> tuple[dict[Fraction, Fraction], Fraction]:
    """The law of mean `target` nearest in KL(masses, .), rounded, and the multiplier lam of the dual."""
    law = in_balls(masses, target)
    lam = _stationary(masses, law, top, target, Fraction(0), 1 / (top - target))
    return reweighted(masses, top, target, lam), lam


def least_priced(
    masses: Masses, top: Fraction, target: Fraction, epsilon: Fraction
) -> tuple[dict[Fraction, Fraction], dict[Fraction, Fraction], Fraction]:
    """(Q, P', lam) with epsilon TV(P, Q) + KL(Q, P') least among laws with P' of mean `target`, rounded."""
    width = top - target
    alternative, lam = least_kl(masses, top, target)
    lowest = min(masses)
    if lam * width < 1 and (_g(lam, lowest, target) - _g(lam, top, target)) <= to_ball(epsilon):
        return dict(masses), alternative, lam
    from flint import ctx

    if lam * width == 1 and epsilon > DEAR:  # privacy costs less than rounding, but g(top) has to be finite
        return dict(masses), alternative, lam * (1 - Fraction(1, 2 ** min(ctx.prec, int(epsilon))))
    moved, lam = _moved_to_top(masses, top, target, epsilon)
    return moved, reweighted(moved, top, target, lam), lam


def _moved_to_top(
    masses: Masses, top: Fraction, target: Fraction, epsilon: Fraction
) -> tuple[dict[Fraction, Fraction], Fraction]:
    """Q and lam: atoms are moved from the lowest on, the last one perhaps in part."""
    atoms = sorted(x for x in masses if x < top)
    kinks = [_kink(x, top, target, epsilon) for x in atoms]

    def slope(kept: Masses, gone: Masses, lam: Fraction) -> Any:
        joined = _joined(kept, gone)
        return _slope(joined, in_balls(joined, target), target, lam)

    low, high = 0, len(atoms)  # the first atom at whose kink the dual stops increasing
    while low < high:
        middle = (low + high) // 2
        kept, gone = _split(masses, atoms, middle + 1, top)
        if slope(kept, gone, kinks[middle]) > 0:
            low = middle + 1
        else:
            high = middle
    kept, gone = _split(masses, atoms, low, top)
    if low < len(atoms):
        before = slope(kept, gone, kinks[low])
        if before > 0:
            return _in_part(kept, gone, atoms[low], top, target, kinks[low], before), kinks[low]
    start = kinks[low - 1] if low else Fraction(0)
    end = kinks[low] if low < len(atoms) else 1 / (top - target)
    joined = _joined(kept, gone)
    return joined, _stationary(joined, in_balls(joined, target), top, target, start, end)


def _in_part(
    kept: dict[Fraction, Fraction], gone: dict[Fraction, Fraction], atom: Fraction, top: Fraction, target: Fraction,
    lam: Fraction, slope: Any,
) -> dict[Fraction, Fraction]:  # fmt: skip
    steps = {x: _g_slope(lam, x, target) for x in (atom, top)}
    amount = min(kept[atom], max(Fraction(0), dyadic(slope / (steps[atom] - steps[top]))))
    law = _joined(kept, gone)
    law[atom] -= amount
    law[top] = law.get(top, Fraction(0)) + amount
    return {x: p for x, p in law.items() if p}


def _kink(x: Fraction, top: Fraction, target: Fraction, epsilon: Fraction) -> Fraction:
    """The lam at which g(x) = g(top) + epsilon."""
    growth = to_ball(epsilon).expm1()
    lam = dyadic(growth / (growth * to_ball(top - target) + to_ball(top - x)))
    return min(lam, 1 / (top - target))


def _split(
    masses: Masses, atoms: list[Fraction], count: int, top: Fraction
) -> tuple[dict[Fraction, Fraction], dict[Fraction, Fraction]]:
    """The law without its `count` lowest atoms, and their mass at `top`."""
    lowest = set(atoms[:count])
    moved = sum((masses[x] for x in lowest), Fraction(0))
    return {x: p for x, p in masses.items() if x not in lowest}, {top: moved} if moved else {}


def _joined(kept: Masses, gone: Masses) -> dict[Fraction, Fraction]:
    law = dict(kept)
    for x, p in gone.items():
        law[x] = law.get(x, Fraction(0)) + p
    return law


def _g_slope(lam: Fraction, x: Fraction, target: Fraction) -> Any:
    rest = 1 - lam * (x - target)
    return to_ball(target - x) / to_ball(rest) if rest else to_ball(0).log().neg_inf()


def _slope(masses: Masses, law: Balls, target: Fraction, lam: Fraction) -> Any:
    """The derivative of E g(X) in lam."""
    from flint import arb

    total = arb(0)
    for (step, p), rest in zip(law, rests(masses, law, target, lam), strict=True):
        total += p * step / rest if rest != 0 else total.neg_inf()
    return total


def _stationary(masses: Masses, law: Balls, top: Fraction, target: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """The maximiser in [low, high] of E g(X), by Newton's method within a shrinking bracket."""
    from flint import arb, ctx

    if top not in masses and not _slope(masses, law, target, high) < 0:
        return high
    left, right = to_ball(low), to_ball(high)
    end = right
    lam = to_ball(_float_stationary(law, float(left), float(right)))
    lam = lam if left < lam and lam < right else (left + right).mid() / 2
    for _ in range(_ROUNDS):
        slope = curvature = arb(0)
        for step, p in law:
            ratio = step / (1 + lam * step)
            weighted = p * ratio
            slope += weighted
            curvature += weighted * ratio
        left, right = (lam, right) if slope > 0 else (left, lam)
        following = (lam + slope / curvature).mid()
        inside = left < following and following < right
        following = following if inside else ((left + right) / 2).mid()
        moved = abs(following - lam)
        lam = following.mid()
        # what a step of Newton's method leaves is about its square; next to the end of the range the distance counts
        share = arb((1, -(ctx.prec // 2 + 10 if inside else ctx.prec - 20)))
        if moved <= abs(lam) * share and moved <= (end - lam) * share:
            break
    return min(max(dyadic(lam), low), high)


def _float_stationary(law: Balls, low: float, high: float) -> float:
    """About the same, in floats: where Newton's method with all bits begins."""
    steps, weights = np.array([[float(step), float(p)] for step, p in law]).T
    lam = (low + high) / 2
    with np.errstate(all="ignore"):
        for _ in range(_ROUNDS):
            ratios = steps / (1 + lam * steps)
            slope = float(weights @ ratios)
            low, high = (lam, high) if slope > 0 else (low, lam)
            curvature = float(weights @ (ratios * ratios))
            following = lam + slope / curvature if curvature else low  # 0 by underflow
            following = following if low < following < high else (low + high) / 2
            if abs(following - lam) <= 1e-15 * abs(lam):
                break
            lam = following
    return lam


# ------------------------------------------------------------------------------------------------------------- primal


def reweighted(masses: Masses, top: Fraction, target: Fraction, lam: Fraction) -> dict[Fraction, Fraction]:
    """The law p(x) / (1 - lam (x - target)) with the missing mass at `top`, rounded to a law of mean >= `target`."""
    from flint import ctx

    bits = ctx.prec + 32
    with working_precision(bits + 8):  # a far `top` makes much of what a weight lacks
        return _reweighted(masses, in_balls(masses, target), top, target, lam, bits)


def _reweighted(
    masses: Masses, law: Balls, top: Fraction, target: Fraction, lam: Fraction, bits: int
) -> dict[Fraction, Fraction]:
    """The same, over 2^bits."""
    unit = 1 << bits
    weights = [
        _floor(p / rest, bits) if rest > 0 else 0
        for (_, p), rest in zip(law, rests(masses, law, target, lam), strict=True)
    ]
    total = max(unit, sum(weights))
    shares = [weight * unit // total for weight in weights]
    at_top, width = unit - sum(shares), to_ball(top - target)
    missing = sum((step * share for (step, _), share in zip(law, shares, strict=True)), -width * at_top)  # of the mean
    if not missing <= 0:  # from the atom that has most to give, or else from all
        gains = [float((width + step) * share / unit) for (step, _), share in zip(law, shares, strict=True)]
        giving = gains.index(max(gains))
        height = width + law[giving][0]
        taken = math.ceil(dyadic(missing / height, up=True)) if height > 0 else unit
        if taken >= shares[giving]:
            return _lifted(_with_top(masses, shares, top, at_top, bits), top, target, unit)
        shares[giving], at_top = shares[giving] - taken, at_top + taken
    return _with_top(masses, shares, top, at_top, bits)


def _with_top(masses: Masses, shares: list[int], top: Fraction, at_top: int, bits: int) -> dict[Fraction, Fraction]:
    """The law with these shares of the atoms and `at_top` more at `top`, all over 2^bits."""
    law = {x: dyadic_fraction(share, bits) for x, share in zip(masses, shares, strict=True) if share}
    return law | {top: law.get(top, 0) + dyadic_fraction(at_top, bits)} if at_top else law


def _lifted(law: dict[Fraction, Fraction], top: Fraction, target: Fraction, unit: int) -> dict[Fraction, Fraction]:
    """The law mixed with as much of `top` as its mean needs to reach the target."""
    mean = mean_of(law)
    if mean < target:
        share = Fraction(math.ceil((target - mean) / (top - mean) * unit), unit)
        law = {x: p * (1 - share) for x, p in law.items()}
        law[top] = law.get(top, Fraction(0)) + share
    return {x: p for x, p in law.items() if p}


def _floor(ball: Any, bits: int) -> int:
    """About ball 2^bits, rounded down."""
    mantissa, exponent = map(int, ball.mid().man_exp())
    shift = exponent + bits
    return mantissa << shift if shift >= 0 else mantissa >> -shift
