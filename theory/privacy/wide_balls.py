"""Forms of quantities that stay sharp on wide balls: a box of any size, up to the end at infinity.

Each takes the ends of a ball apart where a formula would lose the dependence of its parts on one another. The value is
an enclosure for every point of the ball, and the plain formula where the ball is a point. Of nan it is nan, though nan
compares with nothing and is no finite ball: a quantity that has no value somewhere on a box has none here.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.normal_law import scaled_normal_tail
from banditproof.theory.numbers.numeric import (
    BALL,
    absolute,
    exp,
    expm1,
    hull,
    log,
    log1p,
    sqrt,
    square,
    system,
    to_ball,
)
from banditproof.theory.numbers.term import finite_as, quantity

KNOTS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


def log_cosh(x: Any) -> Any:
    """log cosh x for x >= 0, without overflow."""
    return x + log1p(expm1(-2 * x) / 2)


def tanh_ratio(x: Any) -> Any:
    """tanh(x)/x for an exact x > 0, which falls from 1 to 0."""
    if x.is_nan():
        return x
    return to_ball(0) if not x.is_finite() else x.tanh() / x


def normalised_slope(low: Any, high: Any, gap: Any) -> Any:
    """The range over [low, high] of (gap + 1 - tanh(x)/x) (1 + 1/x^2), of the sign of d(c x^2 - log cosh x)/d(x^2).

    gap = 2 c - 1, so 0 for the printed c = 1/2. Near zero (1 - tanh(x)/x)/x^2 lies between sech(x)^4/3 and 1/3, since
    1 - tanh(x)/x is the mean of tanh^2 over [0, x] and tanh(u)/u >= sech(u)^2; elsewhere the first factor rises and
    the second falls.
    """
    inner = [to_ball(k) for k in KNOTS if to_ball(k) > low and to_ball(k) < high]
    ends, result = [low, *inner, high], None
    for a, b in zip(ends, ends[1:], strict=False):
        if b <= KNOTS[0]:
            rise = to_ball(1) / 3 / b.cosh() ** 4
            piece = (rise.union(to_ball(1) / 3)) * (1 + a.union(b) ** 2)
        else:
            at_a, at_b = 1 + 1 / (a * a), to_ball(1) if not b.is_finite() else 1 + 1 / (b * b)
            piece = ((1 - tanh_ratio(a)) * at_b).union((1 - tanh_ratio(b)) * at_a)
        if not gap.is_zero():
            piece += gap * (1 + 1 / a.union(b) ** 2)
        result = piece if result is None else result.union(piece)
    return result


@quantity
def randomised_response_slack(epsilon: Any, alpha: Any, share: Any) -> Any:
    """What is nonnegative exactly where randomised response of budget epsilon has D_alpha <= share alpha epsilon^2.

    Args:
        epsilon, alpha: the budget > 0 and the order > 1, balls.
        share: the constant, 1/2 in TH-P2.6.

    With y = epsilon/2 and x = (2 alpha - 1) epsilon/2 the difference of both sides, times alpha - 1, is (x^2 - y^2)/2
    times the mean over [y^2, x^2] of the slope in the square, which rises and takes its mean at some z^2 between. The
    value is that mean times 1 + 1/z^2: a positive multiple of the difference, which stays away from 0 near z = 0. It is
    a function of all reals, as the mean is.

    Source: TH-P2.6
    """
    epsilon, alpha, c = to_ball(epsilon), to_ball(alpha), to_ball(share)
    y, x = absolute(epsilon / 2), absolute((2 * alpha - 1) * epsilon / 2)
    if x.is_nan() or c.is_nan():
        return x * c
    low, high = x.abs_lower().min(y.abs_lower()), x.max(y).upper() if x.is_finite() and y.is_finite() else x.pos_inf()
    if not (x.is_finite() and x.rad() < 2.0**-40 and low > 0 and not (x - y).abs_lower() < 2.0**-20):
        return normalised_slope(low, high, 2 * c - 1)
    difference = (alpha - 1) * c * alpha * epsilon * epsilon - (log_cosh(x) - log_cosh(y))
    return 2 * difference / (x * x - y * y) * (1 + 1 / square(low.union(high)))


@quantity
def classical_gaussian_ratio(epsilon: Any, w: Any, inside: Any) -> Any:
    """The exact delta of Gaussian noise of variance 2 log(inside/delta)/epsilon^2, over delta = (5/4) e^(-1/(2 w^2)).

    Args:
        epsilon: the budget, > 0.
        w: in [0, inf), 0 for delta = 0; a ball of any width.
        inside: the constant under the logarithm, 5/4 in TH-T2.14.

    With t = sqrt(2 log(inside/delta)), decreasing in w, and mu = epsilon/t the two tails are evaluated at the ends.
    """
    inside = to_ball(inside)
    if epsilon.is_nan() or w.is_nan() or inside.is_nan():
        return epsilon * w * inside
    shift = 2 * log(4 * inside / 5)
    ends = [sqrt(1 / (end * end) + shift) if end > 0 else end.pos_inf() for end in (w.upper(), w.lower())]  # of t
    if shift.is_zero():
        mu = epsilon * w
    else:
        mu = epsilon / ends[0].union(ends[1]) if ends[1].is_finite() else (epsilon / ends[0]).union(to_ball(0))
    near = [scaled_normal_tail(end - mu / 2) if end.is_finite() else to_ball(0) for end in ends]
    far = [scaled_normal_tail(end + mu / 2) if end.is_finite() else to_ball(0) for end in ends]
    difference = near[0].union(near[1]) - far[0].union(far[1])
    return exp(epsilon / 2 - mu * mu / 8) * difference / inside


@finite_as(lambda share: sqrt(1 - share) + sqrt(1 + share))
def normal_variation_over_gap(share: Any) -> Any:
    """(2 Phi(x) - 1)/x at x = share/(1 - share), share in [-1, 1]: sqrt(2/pi) at 0 and 0 at 1.

    For x > 0 it is TV(N(0, 1), N(2x, 1)) over x, and falls in x, as 2 Phi - 1 is concave. It is even in x, so that a
    ball around 0 has its range too.
    Source: TH-T4.15
    """
    half = to_ball(Fraction(1, 2))

    def at(end: Any) -> Any:
        if end >= 1:
            return to_ball(0)
        x = end / (1 - end)
        return (-x * x / 2).hypgeom([half], [3 * half]) * sqrt(2 / half.pi())

    share = to_ball(share)
    if share < -1 or share > 1:
        raise InvalidInput("share", share, "in [-1, 1]")
    ends = at(share.lower()).union(at(share.upper()))
    return ends.union(at(to_ball(0))) if share.contains(0) else ends


@finite_as(sqrt)
def x_log_x(x: Any) -> Any:
    """x log x, 0 at 0; on balls that touch 0 by its decrease from 0 as long as x <= 1/e."""
    if system(x) != BALL:
        return x * log(x)
    x = to_ball(x)
    if x > 0 or not 3 * x.upper() < 1:
        return x * log(x)
    if x < 0:
        raise InvalidInput("x", x, "at least 0")
    edge = x.upper()
    return (edge * log(edge) if edge > 0 else edge).union(to_ball(0))


@quantity
def growth_ratio(epsilon: Any) -> Any:
    """(e^epsilon - 1)/epsilon for epsilon >= 0, the mean of e^x on [0, epsilon]; 1 at 0."""
    if epsilon < 0:
        raise InvalidInput("epsilon", epsilon, "at least 0")
    if epsilon > 0:
        return (expm1(epsilon) / epsilon).min(exp(epsilon))
    return hull(1, exp(epsilon.upper()))
