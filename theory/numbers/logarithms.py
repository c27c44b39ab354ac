"""Logarithms of ratios, and the terms of Kullback-Leibler divergences, without cancellation in any number system."""

from __future__ import annotations

from typing import Any

import numpy as np

from banditproof.theory.numbers.numeric import FLOAT, MPF, SERIES, SYMBOL, absolute, joined, log, log1p, promote, system
from banditproof.theory.numbers.term import quantity


def log_ratio(a: Any, b: Any, difference: Any) -> Any:
    """log(a/b) for a, b >= 0, sharp also for a near b; `difference` is a - b, known better than by subtracting.

    Limits: 0 for a = b = 0, inf for b = 0 < a, -inf for a = 0 < b.
    """
    kind = system(a, b, difference)
    a, b, difference = promote(a, b, difference)
    if kind == FLOAT:
        return _float_log_ratio(a, b, difference)
    if kind in (SERIES, SYMBOL):
        return log(a / b)
    if difference == 0:
        return difference
    if b == 0 or a == 0:
        return log(a) - log(b)
    return joined(absolute(difference), "<", b / 2, lambda: log1p(difference / b), lambda: log(a / b))


@quantity
def kl_term(a: Any, b: Any, difference: Any) -> Any:
    """a log(a/b) - (a - b) >= 0 for a, b >= 0, without cancellation; `difference` is a - b, known exactly or sharply.

    The divergence of two Bernoulli distributions is a sum of two such terms, kl(p, q) = kl_term(p, q, p - q) +
    kl_term(1 - p, 1 - q, q - p), which equals q phi((p-q)/q) + (1-q) phi((q-p)/(1-q)) with phi(u) = (1+u) log(1+u) - u.
    Limits: b for a = 0, inf for b = 0 < a, 0 for a = b = 0; not for series and symbols, which get the formula.
    """
    kind = system(a, b, difference)
    a, b, difference = promote(a, b, difference)
    if kind == FLOAT:
        return float_kl_term(a, b, difference)
    if kind in (SERIES, SYMBOL):
        return a * log(a / b) - difference
    if a == 0 or b == 0:
        return b if a == 0 else b - log(b)  # log 0 = -inf
    return _mpf_kl_term(a, b, difference) if kind == MPF else ball_kl_term(a, b, difference)


def _float_log_ratio(a: Any, b: Any, difference: Any) -> Any:
    with np.errstate(all="ignore"):
        far = np.where(difference == 0, 0.0, _float_log_quotient(a, b))
        return np.where(np.abs(difference) < b / 2, np.log1p(difference / b), far)[()]


def _float_log_quotient(a: Any, b: Any) -> Any:
    ratio = a / b
    extreme = (ratio < 1e-290) | (ratio > 1e290)
    if np.any(extreme):  # the ratio itself over- or underflows
        return np.where(extreme, np.log(a) - np.log(b), np.log(ratio))
    return np.log(ratio)


# sum of q^k / (2k + 3) = (atanh(sqrt q) / sqrt q - 1) / q; on q <= 1/9 the first term left out is below 2^-57
_ATANH_TAIL = [1.0 / (2 * k + 3) for k in range(17)]


def float_kl_term(a: Any, b: Any, difference: Any) -> Any:
    """`kl_term` of arrays of floats.

    With v = (a-b)/(a+b): log(a/b) = 2 atanh v, hence the term is (a-b) v (1 + 2a/(a+b) v (1/3 + v^2/5 + ...)).
    """
    with np.errstate(all="ignore"):
        total = a + b
        v = difference / total
        square = v * v
        series = square * _ATANH_TAIL[-1] + _ATANH_TAIL[-2]
        for coefficient in reversed(_ATANH_TAIL[:-2]):
            series *= square
            series += coefficient
        term = difference * v * (1 + 2 * a / total * v * series)
        near = np.abs(v) <= 1 / 3
        if not np.all(near):
            term = np.where(near, term, np.where(a == 0, b, a * _float_log_quotient(a, b) - difference))
        return np.where(difference == 0, 0.0, term)[()]


def _mpf_kl_term(a: Any, b: Any, difference: Any) -> Any:
    import mpmath

    u = difference / b
    if abs(u) >= 0.5:
        return a * mpmath.log(a / b) - difference
    if u == 0:
        return u
    if mpmath.mag(u) < -mpmath.mp.prec:
        return b * u * u / 2
    with mpmath.workprec(mpmath.mp.prec - 2 * mpmath.mag(u) + 10):
        u = difference / b
        term = b * ((1 + u) * mpmath.log1p(u) - u)
    return +term


def ball_kl_term(a: Any, b: Any, difference: Any) -> Any:
    """`kl_term` of balls, b > 0: b phi(u) with u = (a-b)/b, phi at the centre of u in the bits that it cancels more."""
    u = difference / b
    if not abs(u) < 0.5:
        return _ball_far_kl_term(a, b, difference)
    if u.is_zero():
        return u
    import flint

    ctx = flint.ctx
    centre, before = u.mid(), ctx.prec
    if abs(u) < flint.arb((1, -before)):  # the bits that cancel may be more than any memory holds
        share = abs(u).upper()
        return b * u * u / 2 * (1 + (-share).union(share))  # |phi(u) / (u^2/2) - 1| <= |u|
    if centre.is_zero():
        return b * u * u  # 0 <= phi(u) <= u^2
    mantissa, exponent = centre.man_exp()
    ctx.prec = before + 2 * max(0, -int(exponent) - int(mantissa).bit_length()) + 10
    try:
        phi = (1 + centre) * centre.log1p() - centre
    finally:
        ctx.prec = before
    return b * (phi + u.log1p() * (u - centre))  # mean-value form: phi' = log1p


def _ball_far_kl_term(a: Any, b: Any, difference: Any) -> Any:
    if a > 0 or not a < b:
        return a * (a / b).log() - difference
    edge = a.upper()  # a touches 0 and stays below b, where the term decreases in a from the value b
    return b.union(edge * (edge / b).log() - edge + b)
