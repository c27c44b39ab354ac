"""Mechanisms with discrete answers draw from the laws they are named after."""

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad
from scipy.special import logsumexp

from banditproof.algorithms.noise import NoiseSource
from banditproof.theory import Budget

WHOLE = np.arange(-400, 401)


def frequencies(draws, outcomes):
    return np.array([(draws == outcome).sum() for outcome in outcomes])


def agrees(draws, outcomes, weights):
    """A chi-square test of the law with these weights, cells with few draws pooled; it errs once in a million."""
    expected = np.asarray(weights) / np.sum(weights) * draws.size
    seen, many = frequencies(draws, outcomes), expected > 10
    observed = np.append(seen[many], draws.size - seen[many].sum())
    probable = np.append(expected[many], draws.size - expected[many].sum())
    keep = probable > 1e-9
    return stats.chisquare(observed[keep], probable[keep] * observed[keep].sum() / probable[keep].sum()).pvalue > 1e-6


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
def test_discrete_laplace_noise_has_its_law(epsilon):
    noise, budget = NoiseSource(np.random.default_rng(0)), Budget.pure(epsilon)
    draws = noise.discrete_laplace(np.full(40_000, 3.0), sensitivity=2.0, budget=budget) - 3
    assert agrees(draws, WHOLE, np.exp(-np.abs(WHOLE) * epsilon / 2))
    assert not agrees(draws, WHOLE, np.exp(-np.abs(WHOLE) * epsilon / 1.8))


@pytest.mark.parametrize("rho", [0.02, 0.5, 3.0])
def test_discrete_gaussian_noise_has_its_law(rho):
    noise = NoiseSource(np.random.default_rng(0))
    draws = noise.discrete_gaussian(np.zeros(40_000), sensitivity=1.0, budget=Budget.zcdp(rho))
    assert agrees(draws, WHOLE, np.exp(-(WHOLE**2) * rho))
    assert not agrees(draws, WHOLE, np.exp(-(WHOLE**2) * rho * 1.1))


@pytest.mark.parametrize(("order", "epsilon"), [(1.5, 0.2), (2.0, 1.0), (8.0, 3.0)])
def test_discrete_gaussian_noise_of_a_renyi_budget_spends_no_more_than_it(order, epsilon):
    """The divergence of the noise from itself moved by the sensitivity, summed over whole numbers."""
    noise, budget = NoiseSource(np.random.default_rng(0)), Budget.rdp(order, epsilon)
    draws = noise.discrete_gaussian(np.zeros(40_000), sensitivity=1.0, budget=budget)
    log_law, log_moved = (-((WHOLE - move) ** 2) * epsilon / order for move in (0, 1))
    assert agrees(draws, WHOLE, np.exp(log_law))
    divergence = logsumexp(order * log_law + (1 - order) * log_moved) - logsumexp(log_law)  # one constant for both laws
    divergence /= order - 1
    assert 0.5 * epsilon < divergence <= epsilon * (1 + 1e-9)


@pytest.mark.parametrize(("categories", "epsilon"), [(2, 1.0), (5, 0.4), (3, 6.0)])
def test_randomised_response_prefers_the_truth_by_its_odds(categories, epsilon):
    noise, truth = NoiseSource(np.random.default_rng(0)), np.full(40_000, 1)
    draws = noise.randomised_response(truth, categories=categories, budget=Budget.pure(epsilon))
    weights = np.where(np.arange(categories) == 1, np.exp(epsilon), 1.0)
    assert agrees(draws, range(categories), weights)
    assert not agrees(draws, range(categories), np.where(np.arange(categories) == 1, np.exp(1.2 * epsilon), 1.0))


SCORES = np.array([0.0, 1.0, 3.0])


def test_the_exponential_mechanism_has_its_law():
    noise = NoiseSource(np.random.default_rng(0))
    scores = np.tile(SCORES, (40_000, 1))
    draws = noise.exponential_mechanism(scores, sensitivity=2.0, budget=Budget.pure(1.5))
    assert agrees(draws, range(3), np.exp(SCORES * 1.5 / 4)) and not agrees(draws, range(3), np.exp(SCORES * 1.5 / 2))


def test_the_noisy_maximum_has_its_law():
    noise = NoiseSource(np.random.default_rng(0))
    draws = noise.report_noisy_max(np.tile(SCORES, (40_000, 1)), sensitivity=1.0, budget=Budget.pure(1.5))
    law = stats.laplace(scale=2 / 1.5)

    def wins(k):
        others = [score for j, score in enumerate(SCORES) if j != k]
        return quad(lambda x: law.pdf(x - SCORES[k]) * np.prod([law.cdf(x - s) for s in others]), -60, 60, limit=400)[0]

    assert agrees(draws, range(3), [wins(k) for k in range(3)])


def test_mechanisms_without_noise_tell_the_truth():
    noise, free = NoiseSource(np.random.default_rng(0)), Budget.pure(np.inf)
    assert noise.discrete_laplace(np.array([7.0]), sensitivity=1.0, budget=free) == 7
    assert noise.randomised_response(np.array([2]), categories=3, budget=free) == 2
    assert noise.exponential_mechanism(SCORES[np.newaxis], sensitivity=1.0, budget=free) == 2
    assert noise.report_noisy_max(SCORES[np.newaxis], sensitivity=1.0, budget=free) == 2
