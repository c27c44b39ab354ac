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
from functools import cache
from itertools import islice
from operator import is_
from typing import Any

import numpy as np

from banditproof.theory.laws.infimum import DEAR, dyadic
from banditproof.theory.numbers.logarithms import ball_kl_term
from banditproof.theory.numbers.numeric import minimum, to_ball

Masses = Mapping[Fraction, Fraction]
_ROUNDS = 400


def mean_of(masses: Masses) -> Fraction:
    """The mean, exact."""
    total: Any = sum((_quotient(x) * _quotient(p) for x, p in masses.items()), _quotient(Fraction(0)))
    return Fraction(int(total.p), int(total.q))


@cache
def _quotients() -> Any:
    from flint import fmpq

    return fmpq


def _quotient(number: Fraction) -> Any:
    """flint's quotient of integers, whose sums and products take no time beside those of Fractions."""
    return _quotients()(number.numerator, number.denominator)


def pairs(first: Masses, second: Masses) -> list[tuple[Fraction, Fraction]]:
    """The two probabilities of every atom of either law."""
    if len(first) <= len(second) and all(map(is_, first, second)):  # the same atoms, and more: no need to look for them
        more = islice(second.values(), len(first), None)
        return [*zip(first.values(), second.values()), *((Fraction(0), q) for q in more)]  # noqa: B905
    return [(first.get(x, Fraction(0)), second.get(x, Fraction(0))) for x in sorted({*first, *second})]


def kl_of(first: Masses, second: Masses) -> Any:
    """KL(first, second) as a ball, a sum of nonnegative terms."""
    from flint import arb

    total = arb(0)
    for p, q in pairs(first, second):
        if p and q:
            one, other = _quotient(p), _quotient(q)
            total += ball_kl_term(arb(one), arb(other), arb(one - other))
        elif p:
            return total.pos_inf()
        else:
            total += to_ball(q)
    return total


def tv_of(first: Masses, second: Masses) -> Fraction:
    """The total variation, exact."""
    return sum((abs(p - q) for p, q in pairs(first, second)), Fraction(0)) / 2


# --------------------------------------------------------------------------------------------------------- dual values


def kl_dual(masses: Masses, top: Fraction, target: Fraction, lam: Fraction, epsilon: Any = math.inf) -> Any:
    """E min(g(X), g(top) + epsilon) as a ball: at most d_inf, at most KL_inf for epsilon = inf."""
    cap = None if epsilon == math.inf else _g(lam, top, target) + to_ball(epsilon)
    from flint import arb

    total, slope, level = arb(0), _quotient(lam), _quotient(target)
    for x, p in masses.items():
        argument = slope * (level - _quotient(x))
        value = arb(argument).log1p() if argument > -1 else total.neg_inf()
        total += arb(_quotient(p)) * (value if cap is None else minimum(value, cap))
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
    lam = _stationary(masses, {}, top, target, Fraction(0), 1 / (top - target))
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
    low, high = 0, len(atoms)  # the first atom at whose kink the dual stops increasing
    while low < high:
        middle = (low + high) // 2
        kept, gone = _split(masses, atoms, middle + 1, top)
        if _slope(kept, gone, top, target, kinks[middle]) > 0:
            low = middle + 1
        else:
            high = middle
    kept, gone = _split(masses, atoms, low, top)
    if low < len(atoms):
        before = _slope(kept, gone, top, target, kinks[low])
        if before > 0:
            return _in_part(kept, gone, atoms[low], top, target, kinks[low], before), kinks[low]
    start = kinks[low - 1] if low else Fraction(0)
    end = kinks[low] if low < len(atoms) else 1 / (top - target)
    return _joined(kept, gone), _stationary(kept, gone, top, target, start, end)


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


def _slope(kept: Masses, gone: Masses, top: Fraction, target: Fraction, lam: Fraction) -> Any:
    from flint import arb

    total, multiplier, level = arb(0), _quotient(lam), _quotient(target)
    for x, p in _joined(kept, gone).items():
        step = level - _quotient(x)
        rest = 1 + multiplier * step
        total += arb(_quotient(p) * step / rest) if rest else total.neg_inf()
    return total


def _stationary(kept: Masses, gone: Masses, top: Fraction, target: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """The maximiser in [low, high] of E g(X) for the joined law, by Newton's method within a shrinking bracket."""
    from flint import arb, ctx

    level, joined = _quotient(target), _joined(kept, gone)
    law = [(arb(level - _quotient(x)), arb(_quotient(p))) for x, p in joined.items()]
    if not (top in kept or gone) and not _slope(kept, gone, top, target, high) < 0:
        return high
    left, right = to_ball(low), to_ball(high)
    lam = to_ball(_float_stationary(joined, target, float(low), float(high)))
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
        # what a step of Newton's method leaves is about its square
        if moved <= abs(lam) * arb((1, -(ctx.prec // 2 + 10 if inside else ctx.prec - 20))):
            break
    return min(max(dyadic(lam), low), high)


def _float_stationary(law: Masses, target: Fraction, low: float, high: float) -> float:
    """About the same, in floats: where Newton's method with all bits begins."""
    steps = np.array([float(target - x) for x in law])
    weights, lam = np.array([float(p) for p in law.values()]), (low + high) / 2
    with np.errstate(all="ignore"):
        for _ in range(_ROUNDS):
            ratios = steps / (1 + lam * steps)
            slope = float(weights @ ratios)
            low, high = (lam, high) if slope > 0 else (low, lam)
            following = lam + slope / float(weights @ (ratios * ratios))
            following = following if low < following < high else (low + high) / 2
            if abs(following - lam) <= 1e-15 * abs(lam):
                break
            lam = following
    return lam


# ------------------------------------------------------------------------------------------------------------- primal


def reweighted(masses: Masses, top: Fraction, target: Fraction, lam: Fraction) -> dict[Fraction, Fraction]:
    """The law p(x) / (1 - lam (x - target)) with the missing mass at `top`, rounded to a law of mean >= `target`."""
    from flint import ctx

    unit = 1 << (ctx.prec + 32)
    slope, level, weights = _quotient(lam), _quotient(target), {}
    for x, p in masses.items():
        rest = 1 - slope * (_quotient(x) - level)
        if rest:
            exactly = _quotient(p) / rest
            weights[x] = int(exactly.p) * unit // int(exactly.q)
    total = max(unit, sum(weights.values()))
    rounded = {x: share for x, weight in weights.items() if (share := weight * unit // total)}
    rounded[top] = rounded.get(top, 0) + unit - sum(rounded.values())
    return _lifted({x: Fraction(share, unit) for x, share in rounded.items()}, top, target, unit)


def _lifted(law: dict[Fraction, Fraction], top: Fraction, target: Fraction, unit: int) -> dict[Fraction, Fraction]:
    """The law mixed with as much of `top` as its mean needs to reach the target."""
    mean = mean_of(law)
    if mean < target:
        share = Fraction(math.ceil((target - mean) / (top - mean) * unit), unit)
        law = {x: p * (1 - share) for x, p in law.items()}
        law[top] = law.get(top, Fraction(0)) + share
    return {x: p for x, p in law.items() if p}
