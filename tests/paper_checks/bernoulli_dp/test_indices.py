from fractions import Fraction

import mpmath
import pytest

from banditproof.paper_checks.bernoulli_dp.section_4.s4_algorithms import clipped, printed_divergence
from banditproof.theory import to_ball, working_precision


def kl(p, q):
    return sum(a * mpmath.log(a / b) for a, b in ((p, q), (1 - p, 1 - q)) if a)


def minimised(x, y, epsilon):
    """The definition of d_epsilon, by golden sections over z in [x, y]; the objective is convex."""
    low, high, ratio = mpmath.mpf(x), mpmath.mpf(y), (mpmath.sqrt(5) - 1) / 2

    def objective(z):
        return epsilon * (z - x) + kl(z, mpmath.mpf(y))

    for _ in range(100):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, right) if objective(left) <= objective(right) else (left, high)
    return objective((low + high) / 2)


@pytest.mark.parametrize(
    ("x", "y", "epsilon"),
    [("0", "0.5", "1"), ("0.3", "0.7", "0.5"), ("0.3", "0.7", "2"), ("0.7", "0.75", "0.25"), ("0.1", "0.8", "1")],
)
def test_the_printed_divergence_is_the_minimum_of_its_definition(x, y, epsilon):
    with working_precision(128):
        printed = printed_divergence(*map(to_ball, (x, y, epsilon)))
        direct = minimised(*(mpmath.mpf(v) for v in (x, y, epsilon)))
    assert abs(float(printed) - float(direct)) < 1e-15  # both are accurate to more digits than a float


def test_the_printed_divergence_at_the_ends_is_a_limit():
    with working_precision(128):
        epsilon = to_ball("0.3")
        assert printed_divergence(to_ball(1), to_ball(1), epsilon) == 0
        near, at = (printed_divergence(to_ball("0.5"), to_ball(y), epsilon) for y in ("0.999999999999", "1"))
        assert abs(float(near) - float(at)) < 1e-10
        assert abs(float(at) - 0.15) < 1e-15


def test_clipping_is_exact():
    assert [clipped(Fraction(x)) for x in ("-1/3", "1/7", "4/3")] == [0, Fraction(1, 7), 1]
