"""The bound of AdaP-KLUCB: its defining equations hold and the infimum is one."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from banditproof.theory.bounds.adap_klucb import adap_klucb_regret_bound, adap_klucb_term, deviation_share, separation


def kl(p, q):
    return p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))


MEAN, BEST, GAP, EPSILON, TAU = 0.5, 0.75, 0.25, 0.25, 3.1


@pytest.mark.parametrize("beta", [0.001, 0.5, 3.0, 100.0])
def test_c_of_beta_solves_its_equation(beta):
    root = brentq(lambda c: kl(MEAN + c * GAP, BEST) - kl(MEAN, BEST) / (1 + beta), 0, 1 - 1e-12, xtol=1e-14)
    c = separation(beta, MEAN, BEST)
    assert float(c.mid()) == pytest.approx(root, abs=1e-12) and float(c.rad()) < 1e-12


def test_c_runs_from_0_at_beta_0_towards_1():
    assert separation(0, MEAN, BEST).contains(0)
    assert separation(1e12, MEAN, BEST) > 0.99999


@pytest.mark.parametrize("level", [1e-6, 0.01, 0.1, 0.6])
def test_gamma_solves_its_equation(level):
    root = brentq(lambda g: kl(MEAN + g * GAP, MEAN) - level, 0, (1 - MEAN) / GAP - 1e-12, xtol=1e-14)
    assert float(deviation_share(level, MEAN, BEST)) == pytest.approx(root, abs=1e-10)


def test_gamma_is_infinite_if_no_mean_is_far_enough():
    assert deviation_share(1, MEAN, BEST) == math.inf


@pytest.mark.parametrize("gamma", [0.0, 0.1, 0.9])
def test_the_coefficient_is_the_infimum_over_beta(gamma):
    betas = np.exp(np.linspace(-6, 12, 4000))
    targets = kl(MEAN, BEST) / (1 + betas)
    c = np.array([brentq(lambda c, t=t: kl(MEAN + c * GAP, BEST) - t, 0, 1 - 1e-14) for t in targets])
    admissible = c > gamma
    parts = (1 + betas) * TAU / kl(MEAN, BEST), (1 + TAU) / (np.where(admissible, c - gamma, np.nan) * EPSILON * GAP)
    values = np.maximum(*parts)[admissible]
    term = adap_klucb_term(MEAN, BEST, EPSILON, TAU, gamma)
    assert np.all(values >= float(term.coefficient.lower) * (1 - 1e-9))
    assert values.min() == pytest.approx(float(term.coefficient.upper), rel=5e-3)  # the grid of betas is 0.5 % wide
    assert term.coefficient.width < 1e-9 * term.coefficient.upper
    crossing = float(term.beta.lower)
    assert float(separation(crossing, MEAN, BEST).mid()) == pytest.approx(float(term.c.lower), abs=1e-9)


def test_a_late_phase_approaches_the_limit_and_an_early_one_has_no_bound():
    limit = adap_klucb_regret_bound([0.75, 0.5], 0.25, "3.1", 1e6)
    late = adap_klucb_regret_bound([0.75, 0.5], 0.25, "3.1", 1e6, phase=60)
    early = adap_klucb_regret_bound([0.75, 0.5], 0.25, "3.1", 1e6, phase=1)
    assert float(late.upper) == pytest.approx(float(limit.upper), rel=1e-6) and late.upper >= limit.lower
    assert early.upper == math.inf


def test_the_regret_bound_is_the_sum_over_suboptimal_arms():
    bound = adap_klucb_regret_bound(["0.75", "0.5", "0.25", "0.75"], "0.25", "3.1", 1e6)
    terms = [float(adap_klucb_term(mean, 0.75, 0.25, "3.1").coefficient.upper) for mean in (0.5, 0.25)]
    expected = math.log(1e6) * (0.25 * terms[0] + 0.5 * terms[1]) + 2 * 3 * 3.1 / (3.1 - 3)
    assert float(bound.upper) == pytest.approx(expected, rel=1e-9)
