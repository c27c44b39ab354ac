"""Constants, studies and comparisons of the regret bounds against independent values."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import optimize

from banditproof.algorithms.batches import PolynomialBatches
from banditproof.claims.check import Check
from banditproof.paper_checks.bernoulli_dp.app_f_regret import f_eq49_comparison as comparison
from banditproof.paper_checks.bernoulli_dp.facts import regret
from banditproof.paper_checks.bernoulli_dp.section_4 import s4_regret as theorem
from banditproof.theory import regret_lower_bound, to_ball
from banditproof.verify import Domain


@pytest.mark.parametrize("means, epsilon", regret.INSTANCES.values())
def test_the_constant_of_the_decision_rule_is_that_of_the_lower_bound(means, epsilon):
    exact = regret_lower_bound([str(mean) for mean in means], epsilon=epsilon)["d-epsilon"].constant
    assert regret.lower_bound_constant(means, epsilon) == pytest.approx(float(exact.lower), rel=1e-12)


def test_a_study_gives_the_same_numbers_for_the_same_seed():
    runs = [theorem.run_geometric(np.random.SeedSequence(3), runs=3, decades=(3, 4)) for _ in range(2)]
    assert runs[0].keys() == runs[1].keys()
    assert all(np.array_equal(runs[0][name], runs[1][name]) for name in runs[0])


def test_the_instances_of_a_study_are_independent_runs():
    data = theorem.run_geometric(np.random.SeedSequence(3), runs=3, decades=(3, 4))
    assert data["DP-IMED: spread"].shape == (3, 2)
    assert not np.array_equal(data["DP-IMED: spread"], data["DP-IMED: two best arms"])


def test_the_interval_of_a_median_covers_it_in_almost_every_sample():
    samples = np.random.default_rng(8).standard_cauchy((200, 99))
    intervals = [regret.median_series(np.array([10]), sample[:, np.newaxis])[0][1] for sample in samples]
    assert sum(low <= 0 <= high for low, high in intervals) >= 199  # each fails with probability 1/1000


@pytest.mark.parametrize("m, power", [(0, 1), (4, 2), (9, 3)])
def test_polynomial_batches_are_summed_as_a_loop_does(relation, m, power):
    left, _, right = relation("BDP-SF.2/sublinear")(m, power)
    assert left == (m + 1) ** (power + 1)
    assert right == (power + 1) * sum((k + 1) ** power for k in range(m + 1))
    assert relation("BDP-SF.2/relative-size")(m, power)[0] == (m + 1) * PolynomialBatches(power).size(m + 1)


def test_the_infimum_of_adap_klucb_is_that_of_a_numerical_search_over_beta():
    mean, best, epsilon, tau = 0.25, 0.75, 1.0, 3.1

    def kl(p, q):
        return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))

    def objective(c):  # c parametrises beta through kl(mean + c gap, best) = kl(mean, best) / (1 + beta)
        divergence = kl(mean + c * 0.5, best)
        return max(tau / divergence, (1 + tau) / (c * epsilon * 0.5))

    lowest = optimize.minimize_scalar(objective, bounds=(1e-6, 1 - 1e-6), method="bounded", options={"xatol": 1e-12})
    exact = map(to_ball, ("0.25", "0.75", 1, "3.1"))
    assert float(comparison.constants_depend_on_the_arm(*exact, 1)[0]) == pytest.approx(lowest.fun, rel=1e-6)


def test_coins_of_the_mean_count_the_mean_regret_against_twice_the_lower_bound():
    check = Check("BDP-T4.3/mean-by-simulation", Domain.of(), {"factor": Fraction(1)})
    tests = theorem.coins_for_the_mean(check, "")
    runs = check.study(theorem.MEAN)
    assert len(tests) == len(runs) == len(regret.POLICIES) * len(regret.INSTANCES)
    for test, (name, normalised) in zip(tests, runs.items(), strict=True):
        means, epsilon = regret.INSTANCES[name.partition(": ")[2]]
        unit = regret.lower_bound_constant(means, epsilon) * math.log(1000) / (1000 * (max(means) - min(means)))
        assert float(test["probability"]) == pytest.approx(2 * unit, rel=1e-9)
        spread = 5 * math.sqrt(unit / test["trials"])
        assert test["successes"] / test["trials"] == pytest.approx(unit * normalised.mean(), abs=spread)
