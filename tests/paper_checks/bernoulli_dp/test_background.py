"""The relations of the background sections against computations by other means."""

from fractions import Fraction
from math import exp, log

import mpmath
import numpy as np
import pytest
from scipy.special import rel_entr

from banditproof.paper_checks.bernoulli_dp import s1_introduction as introduction
from banditproof.paper_checks.bernoulli_dp import s2_background as background
from banditproof.theory import d_epsilon, to_ball


def balls(*values):
    return [to_ball(Fraction(v)) for v in values]


def kl(p, q):
    return float(rel_entr(p, q) + rel_entr(1 - p, 1 - q))


@pytest.mark.parametrize("levels", [1, 2, 5])
def test_the_tail_of_the_tree_noise_is_that_of_simulated_noise(levels):
    draws = np.random.default_rng(levels).laplace(scale=levels + 1, size=(200_000, levels + 1)).sum(axis=1)
    tail, _, probability = introduction.noise_of_the_tree(levels, 1)
    assert float(tail) == pytest.approx((np.abs(draws) >= levels**2.5).mean(), abs=0.006)
    assert float(probability) == 2.0**-levels


def test_squares_are_far_from_kl_near_one(relation):
    left, _, right = relation("BDP-S1.5/arbitrarily-bad")(to_ball(5))
    mu_star = 1 - exp(-5) / 4
    assert float(left) == pytest.approx(kl(0.5, mu_star)) and float(right) == pytest.approx(10 * (mu_star - 0.5) ** 2)


@pytest.mark.parametrize(("x", "y"), [("1/4", "1/2"), ("1/10", "9/10")])
def test_one_sided_derivatives_at_the_threshold_are_difference_quotients(x, y):
    with mpmath.workdps(40):
        mu_a, mu_star = (mpmath.mpf(Fraction(v).numerator) / Fraction(v).denominator for v in (x, y))
        threshold = mpmath.log(mu_star * (1 - mu_a) / (mu_a * (1 - mu_star)))
        h = mpmath.mpf("1e-8")
        at = [d_epsilon(mu_a, mu_star, threshold - k * h) for k in range(3)]
        first, second = (at[0] - at[1]) / h, (at[0] - 2 * at[1] + at[2]) / h**2
    assert float(introduction.one_sided(*balls(x, y), 1)) == pytest.approx(float(first), abs=1e-7)
    assert float(introduction.one_sided(*balls(x, y), 2)) == pytest.approx(float(second), abs=1e-6)


def test_alternatives_are_no_closer_and_come_close(relation):
    point = balls("0.3", "0.6", "0.65")
    near, _, far = relation("BDP-EQ3/no-closer-alternative")(*point)
    assert float(near) == pytest.approx(kl(0.3, 0.6)) and float(far) == pytest.approx(kl(0.3, 0.65))
    excess, _, room = relation("BDP-EQ3/alternatives-come-close")(*point)
    assert float(excess) == pytest.approx(kl(0.3, 0.65) - kl(0.3, 0.6)) and float(room) == pytest.approx(
        log(0.4 / 0.35)
    )


def test_the_study_of_the_baselines_is_reproducible_and_increasing():
    curves = [background.run_non_private(np.random.SeedSequence(3), runs=5) for _ in range(2)]
    for name in ("KLUCB", "IMED"):
        assert np.array_equal(curves[0][name], curves[1][name])
        assert np.all(np.diff(curves[0][name]) >= 0)
