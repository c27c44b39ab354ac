"""How much of a target's presence an output tells: leakage scores, and the two normal laws that they stand for.

Source: MIA-T6.3, MIA-C6.4, MIA-TB6.1
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banditproof.theory.numbers.normal_law import normal_cdf, normal_quantile
from banditproof.theory.numbers.numeric import log, promote, sqrt
from banditproof.theory.numbers.ranges import Domains, check, numbers

_DOMAINS: Domains = {"score": (0, np.inf, "at least 0"), "alpha": (0, 1, "in [0, 1]"), "ratio": (0, 1, "in [0, 1]")}


def _checked(**arguments: Any) -> tuple[Any, ...]:
    values = numbers(_DOMAINS, **arguments)
    check(_DOMAINS, **dict(zip(arguments, values, strict=True)))
    return values


def gaussian_leakage(score: Any) -> Any:
    """2 Phi(sqrt(m)/2) - 1: the total variation of N(-m/2, m) and N(m/2, m), the laws of a likelihood ratio score.

    It is the largest advantage of an adversary where the score has these laws. Floats, mpf, balls, SymPy; `score` >= 0.

    >>> round(float(gaussian_leakage(1.0)), 6)
    0.382925

    Source: MIA-C6.4
    """
    (score,) = _checked(score=score)
    return 2 * normal_cdf(sqrt(score) / 2) - 1


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
