"""Poisson probabilities u^k e^-u / k! and their integral over the mean u, sharp for short intervals and large k."""

from __future__ import annotations

from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.logarithms import kl_term
from banditproof.theory.numbers.numeric import BALL, FLOAT, MPF, SYMBOL, exp, system, to_ball, working_precision
from banditproof.theory.numbers.ranges import inside
from banditproof.theory.numbers.term import quantity

_LARGEST_MPF = 1e6  # beyond, mpmath's incomplete gamma function does not end


@quantity
def poisson_mass(k: Any, u: Any) -> Any:
    """u^k e^-u / k!, for counts k >= 0 and means u >= 0; a float count is an integer."""
    k, u = inside({"k": (0, np.inf, "a count"), "u": (0, np.inf, "at least 0")}, k=k, u=u)
    kind = system(k, u)
    if kind == FLOAT:
        return np.exp(-kl_term(k, u, k - u)) * _peak(k)
    if kind == MPF:
        import mpmath

        return u**k * mpmath.exp(-u) / mpmath.factorial(k)
    if kind == SYMBOL:
        import sympy

        return u**k * sympy.exp(-u) / sympy.factorial(k)
    return exp(-u) * u**k / (k + 1).gamma()


def mass_between(k: Any, low: Any, high: Any) -> Any:
    """The integral of u^k e^-u / k! over low <= u <= high, that is P[Poisson(low) <= k] - P[Poisson(high) <= k]."""
    kind = system(k, low, high)
    if kind == FLOAT:
        return _float_mass_between(*np.broadcast_arrays(k, low, high))
    if kind == SYMBOL:
        import sympy

        return (sympy.uppergamma(k + 1, low) - sympy.uppergamma(k + 1, high)) / sympy.gamma(k + 1)
    return _mpf_mass_between(k, low, high) if kind == MPF else _ball_mass_between(k, low, high)


def floor(x: Any) -> Any:
    """The largest integer at most x; of a ball that contains an integer, the enclosure of both candidates.

    Raises ValueError for a series on a box that holds a jump, which has no slope there.
    """
    kind = system(x)
    if kind == FLOAT:
        return np.floor(x)
    if kind == MPF:
        import mpmath

        return mpmath.floor(x)
    if kind == SYMBOL:
        import sympy

        return sympy.floor(x)
    if kind == BALL:
        return x.floor()
    whole = x[0].floor()
    if not whole.is_exact():
        raise ValueError("the largest integer jumps on this box")
    return 0 * x + whole


def _mpf_mass_between(k: Any, low: Any, high: Any) -> Any:
    import mpmath

    if high > _LARGEST_MPF:
        raise InvalidInput("mean", high, f"at most {_LARGEST_MPF:g} as mpf; a ball or a float can be larger")
    lost = max(0, mpmath.mag(high) - mpmath.mag(high - low))
    with mpmath.workprec(mpmath.mp.prec + lost + 20):
        value = mpmath.gammainc(k + 1, low, mpmath.inf, True) - mpmath.gammainc(k + 1, high, mpmath.inf, True)
    return +value


def _ball_mass_between(k: Any, low: Any, high: Any) -> Any:
    """For exact `low` < `high`. If k is not decided, the crossing lies at an integer: both values agree there."""
    from flint import ctx

    gap = high - low
    if not gap > 0:
        return to_ball(0).union(gap.abs_upper())  # the mass is at most 1
    candidates = [k] if k.is_exact() else [k.lower().ceil(), k.upper().floor()]
    lost = max(0, int((high / gap).log().upper().ceil().unique_fmpz() or 0) * 2)
    value = None
    for count in candidates:
        with working_precision(ctx.prec + lost + 20):
            mass = low.gamma_upper(count + 1, 1) - high.gamma_upper(count + 1, 1)
        value = +mass if value is None else value.union(+mass)
    return value


# ----------------------------------------------------------------------------------------------------- float64, arrays

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)


def _float_mass_between(k: Any, low: Any, high: Any) -> Any:
    """Gauss-Legendre over intervals of at most one standard deviation, a difference of distribution functions else."""
    from scipy import special

    gap = high - low
    points = low[..., None] + gap[..., None] * (1 + _NODES) / 2
    near = np.sum(poisson_mass(k[..., None], points) * _WEIGHTS, axis=-1) * gap / 2
    with np.errstate(all="ignore"):
        far = special.gammaincc(k + 1, low) - special.gammaincc(k + 1, high)
    return np.where(gap <= np.sqrt(high), near, far)[()]


def _peak(k: Any) -> Any:
    """k^k e^-k / k!, by Stirling's series from 16 on, where it is exact to float64."""
    from scipy import special

    small = np.minimum(k, 16.0)
    table = special.xlogy(small, small) - small - special.gammaln(small + 1)
    big = np.maximum(k, 16.0)
    tail = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * big**2)) / big**2) / big**2) / big
    return np.where(k < 16, np.exp(table), np.exp(-tail) / np.sqrt(2 * np.pi * big))
