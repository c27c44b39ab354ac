"""What a quantity gives for a box holds its values at the points of the box, or proofs by boxes prove nothing."""

import random
from fractions import Fraction as F

import flint
import pytest

from banditproof import theory
from banditproof.theory.best_arm import thresholds
from banditproof.theory.bounds.adap_klucb import deviation_share
from banditproof.theory.errors import InvalidInput
from banditproof.theory.laws import bernoulli_quotients, index_inverse
from banditproof.theory.numbers import poisson_mass, special
from banditproof.theory.numbers.numeric import exactly, to_ball
from banditproof.theory.privacy import leakage, wide_balls

P, E, A, L = (0, 1), (0, 3), (F(1, 2), 3), (0, 2)
LOW, HIGH, SMALL = (F(1, 10), F(4, 10)), (F(5, 10), F(9, 10)), (F(1, 100), F(1, 2))
QUANTITIES = {
    **{name: (getattr(theory, name), P, P, E) for name in ("d_epsilon", "d_epsilon_dx", "d_epsilon_dy", "d_inf")},
    **{name: (getattr(theory, name), P, P) for name in ("kl_bernoulli", "privacy_threshold", "tv_bernoulli", "kl_inf")},
    **{name: (getattr(theory, name), A, A) for name in ("kl_exponential", "tv_exponential", "kl_poisson")},
    "tv_poisson": (theory.tv_poisson, (0, 9), (0, 9)),
    "kl_ucb_index": (theory.kl_ucb_index, P, L),
    "dp_klucb_index": (theory.dp_klucb_index, P, L, A),
    "normal_cdf": (theory.normal_cdf, (-3, 3)),
    "normal_quantile": (theory.normal_quantile, (F(1, 100), F(99, 100))),
    "square_over_kl": (bernoulli_quotients.square_over_kl, P, P),
    "cumulant_over_square": (bernoulli_quotients.cumulant_over_square, P, (-2, 2)),
    "largest_mean_with_index_below": (index_inverse.largest_mean_with_index_below, LOW, SMALL),
    "deviation_share": (lambda level, mean, best: deviation_share(level, mean, best), SMALL, LOW, HIGH),
    "zeta": (thresholds.zeta, (F(3, 2), 4)),
    "phase": (thresholds.phase, (1, 9)),
    "gaussian_deviation": (thresholds.gaussian_deviation, E),
    "lambert_minus": (thresholds.lambert_minus, (1, 4)),
    "near_growth": (thresholds.near_growth, E),
    "private_threshold": (lambda a, b, c: thresholds.private_threshold(a, b, c, 3, 1), (1, 9), (1, 9), SMALL),
    "gaussian_leakage": (leakage.gaussian_leakage, E),
    "gaussian_power": (leakage.gaussian_power, (F(1, 100), F(99, 100)), E),
    "hurwitz_zeta": (special.hurwitz_zeta, (F(3, 2), 4), A),
    "log_gamma": (special.log_gamma, A),
    "tricomi": (special.tricomi, A, (-2, 3), A),
    "erfc": (special.erfc, (-2, 2)),
    "binomial_tail": (lambda p: special.binomial_tail(5, p, 2), P),
    "poisson_mass": (lambda u: poisson_mass.poisson_mass(3, u), (0, 9)),
    "growth_ratio": (wide_balls.growth_ratio, E),
    "x_log_x": (wide_balls.x_log_x, E),
    "normal_variation_over_gap": (wide_balls.normal_variation_over_gap, (-1, 1)),
    "classical_gaussian_ratio": (wide_balls.classical_gaussian_ratio, (F(1, 10), 1), P, (F(5, 4), 2)),
    "randomised_response_slack": (wide_balls.randomised_response_slack, E, (-1, 3), P),
}
QUICK, EVERY, POINTS = 25, 60, 6


def drawn(draw, low, high):
    return F(low) + (F(high) - F(low)) * F(draw.choice([0, 1, *(draw.random() for _ in range(4))])).limit_denominator(
        64
    )


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", QUANTITIES)
def test_the_value_on_a_box_holds_the_values_at_its_points(name, every_point):
    quantity, *sets = QUANTITIES[name]
    draw, compared, boxes = random.Random(name), 0, EVERY if every_point else QUICK
    for _ in range(boxes):
        box = []
        for ends in sets:
            low, high = sorted((drawn(draw, *ends), drawn(draw, *ends)))
            box.append((low, low + (high - low) / draw.choice([1, 1, 4, 64, 1024])))
        balls = [to_ball((a + b) / 2) + flint.arb(0, 1) * to_ball((b - a) / 2) for a, b in box]
        try:
            with exactly():
                whole = to_ball(quantity(*balls))
        except InvalidInput:  # the ball leaves the domain by rounding: a proof leaves such a box open
            continue
        for _ in range(POINTS):
            point = [draw.choice([a, b, a + (b - a) * F(draw.randrange(65), 64)]) for a, b in box]
            try:
                with exactly():
                    value = to_ball(quantity(*map(to_ball, point)))
            except InvalidInput:
                continue
            compared += not (whole.is_nan() or value.is_nan())
            assert whole.is_nan() or value.is_nan() or whole.overlaps(value), (box, point, whole, value)
    assert compared > boxes
