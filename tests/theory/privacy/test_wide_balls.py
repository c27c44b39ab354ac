"""Forms for wide balls contain the value at every point of the ball, computed by an independent formula."""

import mpmath
import numpy as np
import pytest
from flint import arb

from banditproof.theory import to_ball
from banditproof.theory.laws.bernoulli_quotients import cumulant_over_square
from banditproof.theory.privacy import wide_balls

DRAWS = np.random.default_rng(7)


def ball_over(low, high):
    return to_ball(low).union(to_ball(high))


def inside(ball, value):
    return ball.contains(arb(str(value))) or abs(mpmath.mpf(str(ball.mid().str(30, radius=False))) - value) < 1e-12


@pytest.mark.parametrize("number", range(60))
def test_x_log_x_and_the_growth_ratio_contain_their_values(number):
    low, high = sorted(DRAWS.random(2) * (0.4 if number % 2 else 3))
    low = 0 if number % 3 == 0 else low
    xs = [low + (high - low) * t for t in (0, 0.25, 0.5, 1)]
    product, ratio = wide_balls.x_log_x(ball_over(low, high)), wide_balls.growth_ratio(ball_over(low, high))
    for x in map(mpmath.mpf, xs):
        assert product.overlaps(arb(mpmath.nstr(x * mpmath.log(x), 25) if x else 0, 1e-14))
        assert ratio.overlaps(arb(mpmath.nstr(mpmath.expm1(x) / x, 25) if x else 1, 1e-14))


@pytest.mark.parametrize("number", range(40))
def test_the_classical_ratio_contains_the_exact_delta_over_delta(number):
    (e_low, e_high), (w_low, w_high) = np.sort(DRAWS.random((2, 2)) * [[3, 3], [1.4, 1.4]])
    w_low = 0 if number % 4 == 0 else w_low
    constant = ["5/4", "1.3"][number % 2]
    found = wide_balls.classical_gaussian_ratio(ball_over(e_low, e_high), ball_over(w_low, w_high), constant)
    for t in (0.1, 0.5, 0.9):
        epsilon, w = (mpmath.mpf(low + (high - low) * t) for low, high in ((e_low, e_high), (w_low, w_high)))
        delta = mpmath.mpf(5) / 4 * mpmath.exp(-1 / (2 * w * w))
        mu = epsilon / mpmath.sqrt(2 * mpmath.log(mpmath.mpf(constant if number % 2 else 1.25) / delta))
        exact = mpmath.ncdf(mu / 2 - epsilon / mu) - mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - epsilon / mu)
        assert found.overlaps(arb(mpmath.nstr(exact / delta, 20), 1e-9)), (epsilon, w)


@pytest.mark.parametrize("number", range(40))
def test_the_slack_of_randomised_response_has_the_sign_of_the_difference(number):
    epsilon, alpha = mpmath.mpf(DRAWS.random() * 6 + 0.01), mpmath.mpf(1 + DRAWS.random() * 20 + 0.01)
    share = ["1/2", "0.3"][number % 2]
    p = 1 / (1 + mpmath.exp(-epsilon))
    moment = p**alpha * (1 - p) ** (1 - alpha) + (1 - p) ** alpha * p ** (1 - alpha)
    exact = (alpha - 1) * mpmath.mpf(eval(share)) * alpha * epsilon**2 - mpmath.log(moment)
    slack = wide_balls.randomised_response_slack(to_ball(float(epsilon)), to_ball(float(alpha)), share)
    near, far = (epsilon / 2) ** 2, ((2 * alpha - 1) * epsilon / 2) ** 2  # between which the mean is taken
    low, high = sorted(2 * exact / (far - near) * (1 + 1 / square) for square in (near, far))
    assert slack.overlaps(arb(mpmath.nstr(low, 20)).union(arb(mpmath.nstr(high, 20))))
    assert (slack > 0) == (exact > 0) and (slack < 0) == (exact < 0)


def test_the_slack_is_nonnegative_for_all_budgets_and_orders_at_once_and_not_for_a_smaller_share():
    everything = (arb(0).union(arb("inf")), arb(1).union(arb("inf")))
    assert wide_balls.randomised_response_slack(*everything, "1/2") >= 0
    assert not wide_balls.randomised_response_slack(*everything, "0.45") >= 0


HALF, NOWHERE = arb("0.5"), arb("nan")


@pytest.mark.parametrize(
    "value",
    [
        wide_balls.tanh_ratio(NOWHERE),
        wide_balls.randomised_response_slack(NOWHERE, 2, HALF),
        wide_balls.randomised_response_slack(HALF, NOWHERE, HALF),
        wide_balls.randomised_response_slack(HALF, 2, NOWHERE),
        wide_balls.classical_gaussian_ratio(NOWHERE, HALF, 1),
        wide_balls.classical_gaussian_ratio(HALF, NOWHERE, 1),
        cumulant_over_square(NOWHERE, HALF),
        cumulant_over_square(HALF, NOWHERE),
    ],
)
def test_what_is_undefined_on_part_of_a_ball_has_no_value(value):
    assert value.is_nan()
