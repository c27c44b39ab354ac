"""A bound that holds is not blamed beyond the stated error; a bound that does not hold is, also under heavy tails."""

from fractions import Fraction

import numpy as np
import pytest

from banditproof.algorithms.batches import GeometricBatches
from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.finite.dp_index import DPIMED
from banditproof.algorithms.noise import NoiseSource
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.proof.statistics import binomial_interval, log_evidence, mean_interval
from banditproof.verify.runs.regret import REGRET_BUGS, SpoiltPolicy, check_regret

BANDIT = BernoulliBandit([0.3, 0.8])


def maker(spoil=SpoiltPolicy):
    def make(rows, generator):
        size = rows.stop - rows.start
        return spoil(DPIMED(2, Budget.pure(1.0), GeometricBatches(2), NoiseSource(generator), replications=size))

    return make


def test_the_evidence_is_that_of_the_products_by_hand():
    regret, bound = np.array([0.0, 3.0, 5.0]), 2.0
    products = [np.prod([1 - s + s * x / bound for x in regret]) for s in (0.02, 0.1, 0.3, 0.6, 0.9, 1.0)]
    assert log_evidence(regret, bound) == pytest.approx(np.log(np.mean(products)), rel=1e-12)


def test_false_alarms_at_the_edge_of_the_bound_are_as_rare_as_stated_also_with_heavy_tails():
    generator, error, tries = np.random.default_rng(0), 0.05, 4000
    pareto = generator.pareto(1.5, (tries, 60)) / 2  # expectation 1, infinite variance: 1/(1.5 - 1) halved
    alarms = sum(log_evidence(row, 1.0) >= -np.log(error) for row in pareto)
    assert binomial_interval(alarms, tries, Fraction(1, 10**6))[0] <= error


def test_a_bound_slightly_too_small_is_found_with_enough_runs():
    regret = np.random.default_rng(1).exponential(1.25, 4000)
    assert log_evidence(regret, 1.0) > np.log(1e6)


def test_a_bound_of_zero_is_broken_by_any_regret():
    assert log_evidence(np.zeros(5), 0.0) == 0.0
    assert log_evidence(np.array([0.0, 1e-9]), 0.0) == np.inf


def test_a_correct_policy_passes_and_every_planted_regret_bug_fails():
    bound = 400.0  # the mean regret of DP-IMED here is below 40
    report = check_regret(maker(), BANDIT, 4000, bound, runs=40, seed=3)
    assert report.ok and report.mean < 40 and "compatible" in str(report)
    for bug in REGRET_BUGS.values():
        spoilt = check_regret(maker(bug), BANDIT, 4000, bound, runs=40, seed=3)
        assert not spoilt.ok and "contradicts" in str(spoilt)


@pytest.mark.parametrize(("name", "wrong"), [("bound", {"bound": -1.0}), ("error", {"error": Fraction(2)})])
def test_bad_input_names_the_parameter(name, wrong):
    with pytest.raises(InvalidInput, match=name):
        check_regret(maker(), BANDIT, 10, **{"bound": 1.0, **wrong})


def test_the_interval_of_a_mean_covers_it_as_often_as_stated_even_where_the_mean_rests_on_rare_values():
    generator, error, tries = np.random.default_rng(2), 0.05, 400
    samples = np.where(generator.random((tries, 40)) < 0.01, 1000.0, generator.random((tries, 40)))
    mean = 0.01 * 1000 + 0.99 * 0.5
    missed = sum(not low <= mean <= high for low, high in (mean_interval(s, 1000.0, error) for s in samples))
    assert binomial_interval(missed, tries, Fraction(1, 10**6))[0] <= error


def test_the_interval_of_a_mean_tightens_with_more_values_and_refuses_values_outside():
    few, many = (mean_interval(np.full(n, 3.0), 10.0, 0.01) for n in (20, 2000))
    assert few[0] < many[0] < 3 < many[1] < few[1] and many[1] - many[0] < 0.1
    with pytest.raises(InvalidInput, match="sample"):
        mean_interval([1.0, 11.0], 10.0, 0.01)
