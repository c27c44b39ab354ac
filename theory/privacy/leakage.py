"""How much of a target's presence an output tells: leakage scores, and the two normal laws that they stand for.

Source: MIA-T6.3, MIA-C6.4, MIA-TB6.1
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.normal_law import normal_cdf, normal_quantile
from banditproof.theory.numbers.numeric import (
    BALL,
    FLOAT,
    exp,
    log,
    maximum,
    promote,
    sqrt,
    system,
    to_ball,
    working_precision,
)
from banditproof.theory.numbers.ranges import Domains, check, numbers
from banditproof.theory.numbers.term import quantity

MOST_TERMS = 10**6
_DOMAINS: Domains = {"score": (0, np.inf, "at least 0"), "alpha": (0, 1, "in [0, 1]"), "ratio": (0, 1, "in [0, 1]")}


def _checked(**arguments: Any) -> tuple[Any, ...]:
    values = numbers(_DOMAINS, **arguments)
    check(_DOMAINS, **dict(zip(arguments, values, strict=True)))
    return values


@quantity
def gaussian_leakage(score: Any) -> Any:
    """2 Phi(sqrt(m)/2) - 1: the total variation of N(-m/2, m) and N(m/2, m), the laws of a likelihood ratio score.

    It is the largest advantage of an adversary where the score has these laws. Floats, mpf, balls, SymPy; `score` >= 0.

    >>> round(float(gaussian_leakage(1.0)), 6)
    0.382925

    Source: MIA-C6.4
    """
    (score,) = _checked(score=score)
    return 2 * normal_cdf(sqrt(score) / 2) - 1


@quantity
def gaussian_power(alpha: Any, score: Any) -> Any:
    """Phi(Phi^-1(alpha) + sqrt(m)): the power at level `alpha` of the score with these laws. Floats, mpf, balls.

    Source: MIA-C6.4
    """
    alpha, score = _checked(alpha=alpha, score=score)
    return normal_cdf(normal_quantile(alpha) + sqrt(score))


def sampled_leakage(score: Any, ratio: Any) -> Any:
    """The leakage where the target is among the records used with probability `ratio`, and changes nothing else.

    The output's law is a mixture then, and its total variation `ratio` times that with the target for certain, whose
    leakage score is `score` / `ratio`: ratio * (2 Phi(sqrt(m / ratio)/2) - 1). Floats, mpf, balls; `ratio` in (0, 1].

    Source: MIA-T6.6
    """
    score, ratio = _checked(score=score, ratio=ratio)
    return ratio * gaussian_leakage(score / ratio)


def sampled_power(alpha: Any, score: Any, ratio: Any) -> Any:
    """The power at level `alpha` where the target is used with probability `ratio`; as `sampled_leakage`.

    Source: MIA-T6.6
    """
    alpha, score, ratio = _checked(alpha=alpha, score=score, ratio=ratio)
    return (1 - ratio) * alpha + ratio * gaussian_power(alpha, score / ratio)


def log_affinity(shift: Any, out: Any, inside: Any, p: Any) -> Any:
    """log of the integral of p_out^(1-p) p_in^p for N(0, out) and N(shift, inside), 0 < p < 1; variances > 0.

    It is the logarithm of E_out[e^(p l)] for the log-likelihood ratio l. Floats, mpf, balls, SymPy.
    """
    shift, out, inside, p = promote(shift, out, inside, p)
    mixed = (1 - p) * inside + p * out
    width = p * log(out) + (1 - p) * log(inside) - log(mixed)
    return width / 2 - p * (1 - p) * shift * shift / (2 * mixed)


@quantity
def normal_mean_leakage(squared: Any, n: int, d: int) -> Any:
    """The largest advantage against the mean of n normal records with d independent columns, exactly; n >= 2, d >= 1.

    `squared` >= 0 is |z - mu|^2 in the norm of C^-1. The likelihood ratio falls with the distance of the mean from the
    target, so the best test is a ball around it. Floats, balls. Raises InvalidInput for arguments outside these ranges.

    >>> round(float(normal_mean_leakage(1000.0, 1000, 5000)), 6)
    0.383453

    Source: MIA-X2
    """
    for name, value, least in (("n", n, 2), ("d", d, 1)):
        if value < least:
            raise InvalidInput(name, value, f"an integer, at least {least}")
    (squared,) = _checked(score=squared)
    edge = (n - 1) * squared - promote(d * (n - 1), squared)[0] * log(1 - promote(1, squared)[0] / n)
    return _within(edge * n / (n - 1), d, (n - 1) * squared) - _within(edge, d, n * squared)


def _within(x: Any, d: int, shift: Any) -> Any:
    """The probability that the squared length of a normal vector in R^d is below x, at squared distance `shift`."""
    if system(x) == FLOAT:
        from scipy.stats import ncx2

        return ncx2.cdf(x, d, shift)
    if system(x) != BALL:
        raise InvalidInput("squared", x, "a float or a ball")
    with working_precision(192):  # the first terms are exponentials of differences of large numbers
        return _within_ball(x / 2, Fraction(d, 2), shift / 2)


def _within_ball(y: Any, half_d: Fraction, mean: Any) -> Any:
    """The sum over k of Poisson(mean) weights times regularised gamma functions P(half_d + k, y), from far out down.

    That far P(a, y) lies between its first term and that of a geometric series; downwards nothing cancels. A sum of
    more than `MOST_TERMS` is not taken: the answer is [0, 1] then.
    """
    if not (y > 0 and (mean > 0 or mean == 0)):  # balls around 0
        return to_ball(0).union(to_ball(1))
    (low, high), far = _twelve_deviations(mean), _twelve_deviations(y)[1]
    k, last = int(max(high, far)) + 60, max(0, int(low))
    if k - last > MOST_TERMS:
        return to_ball(0).union(to_ball(1))
    a = to_ball(half_d + k)
    step = exp(a * log(y) - y - (a + 1).lgamma())
    value = step.union(step * (a + 1) / (a + 1 - y))
    weight = exp(k * log(mean) - mean - to_ball(k + 1).lgamma()) if mean > 0 else to_ball(0)
    total, mass = weight * value, weight
    while k > last:
        step, a = step * a / y, a - 1
        value += step
        weight, k = (weight * k / mean if mean > 0 else to_ball(int(k == 1))), k - 1
        total, mass = total + weight * value, mass + weight
    return total + maximum(1 - mass, 0).union(to_ball(0))


def _twelve_deviations(mean: Any) -> tuple[float, float]:
    """Ends between which a Poisson variable of this mean lies, up to 1e-30; where a sum may start."""
    middle = float(mean.mid())
    return middle - 12 * middle**0.5, middle + 12 * middle**0.5
