"""Divergences from the nearest private mechanism: integrals, all other private pairs, and balls."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit, rel_entr
from scipy.stats import laplace, norm

from banditproof.theory import to_ball
from banditproof.theory.privacy.least_divergence import (
    gaussian_divergence,
    laplace_divergence,
    least_runs,
    response_divergence,
)

SOLD = [(0.2, 0.1), (1.0, 0.5), (3.0, 1.0), (2.0, 0.0), (1.0, 1.0)]


@pytest.mark.parametrize(("epsilon", "sold"), SOLD)
def test_laplace_is_the_integral_over_the_clipped_posterior(epsilon, sold):
    high = expit(sold)

    def density(x):
        p = np.array([laplace.pdf(x, loc, 1 / epsilon) for loc in (0, 1)])
        told = np.clip(p[1] / p.sum(), 1 - high, high)
        return rel_entr(p, p.sum() * np.array([1 - told, told])).sum() / 2

    kinks = [0, (1 - sold / epsilon) / 2, (1 + sold / epsilon) / 2, 1]
    ends = [-40 / epsilon, *kinks, 1 + 40 / epsilon]
    integral = sum(quad(density, a, b, epsabs=1e-13)[0] for a, b in zip(ends, ends[1:], strict=False))
    assert laplace_divergence(epsilon, sold) == pytest.approx(integral, abs=1e-11)


def test_no_other_private_pair_is_nearer_to_randomised_response_or_a_symmetric_channel():
    """Over random channels behind randomised response of the smaller budget: those are all that keep it."""
    generator = np.random.default_rng(0)
    epsilon, sold = 1.0, 0.5
    kept, smaller = expit(epsilon), expit(sold)
    p = np.array([[kept, 1 - kept], [1 - kept, kept]])
    channel = generator.dirichlet([1, 1], (20_000, 2))
    q = np.array([[smaller, 1 - smaller], [1 - smaller, smaller]]) @ channel
    mean = rel_entr(p, q).sum(axis=(1, 2)) / 2
    assert response_divergence(epsilon, sold) <= mean.min() <= response_divergence(epsilon, sold) + 1e-3


@pytest.mark.parametrize(("mu", "sold"), SOLD)
def test_the_normal_pair_is_the_nearest_of_its_kind(mu, sold):
    deviations = np.linspace(0.8, 3, 4001)
    x = np.linspace(-25, 25, 20_001)
    p = norm.pdf(x, mu / 2)

    def divergence(deviation):
        return rel_entr(p, norm.pdf(x, sold * deviation / 2, deviation)).sum() * (x[1] - x[0])

    middle = np.log(deviations) + (1 + (mu / 2 - sold * deviations / 2) ** 2) / (2 * deviations**2) - 0.5
    best = deviations[middle.argmin()]
    assert gaussian_divergence(mu, sold) == pytest.approx(divergence(best), abs=1e-6)


def test_balls_hold_the_floats_and_nothing_diverges_from_itself():
    for divergence in (response_divergence, laplace_divergence, gaussian_divergence):
        ball = divergence(to_ball("2"), to_ball("1"))
        assert abs(float(ball.mid()) - divergence(2.0, 1.0)) < 1e-14 and float(ball.rad()) < 1e-12
        assert divergence(0.7, 0.7) == pytest.approx(0, abs=1e-15)
        assert np.allclose(divergence(np.array([1.0, 2.0]), 0.5), [divergence(1.0, 0.5), divergence(2.0, 0.5)])


def test_runs_are_the_divergence_of_the_decision_over_that_of_a_run():
    assert least_runs(0.1, 0.05, 0.05) == pytest.approx(10 * 0.9 * np.log(19))
    assert least_runs(0.1, 0.05, 0.0) == pytest.approx(10 * np.log(20))
