"""Regret upper bounds against their formulas in floating point, and the reasons why they may not apply."""

from math import log, sqrt

import numpy as np
import pytest

from banditproof.algorithms import DPIMED, AdaCUCB, AdaPUCB, NoiseSource
from banditproof.algorithms.batches import GeometricBatches, PolynomialBatches
from banditproof.algorithms.finite.dp_ucb import DPUCB
from banditproof.algorithms.finite.index import IMED, KLUCB, UCB, AnytimeUCB
from banditproof.theory import Budget, FiniteClass, Gaussian, InvalidInput, Poisson, regret_lower_bound
from banditproof.theory.bounds import upper_bounds
from banditproof.theory.bounds.upper_bounds import Recipe, has_upper_bound, register, regret_upper_bound
from banditproof.theory.laws.instance import Bernoulli, Instance
from banditproof.theory.privacy.noise_calibration import gaussian_multiplier

MEANS, GAPS, T, BETA = [0.75, 0.5, 0.25, 0.75], [0.25, 0.5], 5000, 3.5
L, K = log(T), len(MEANS)
TOTAL = sum(GAPS)


def zcdp_gap_dependent(b):
    return sum(8 * BETA * L / gap + 8 * sqrt(2 * b * BETA * L) + 2 * BETA / (BETA - 3) for gap in GAPS)


def zcdp_gap_free(b):
    return 4 * sqrt(2 * BETA * K * T * L) + 8 * K * sqrt(2 * b * BETA * L) + 3 * BETA / (BETA - 3) * TOTAL


# Of the others there are second routes.
FORMULAS = [
    ("UCB", None, "gap-free, gaps at most 1", 8 * sqrt(T * K * L) + 3 * K),
    ("AdaR-UCB", Budget.rdp(4.0, 0.5), "gap-dependent", zcdp_gap_dependent(4.0)),
    ("AdaR-UCB", Budget.rdp(4.0, 0.5), "gap-free", zcdp_gap_free(4.0)),
]


@pytest.mark.parametrize(("algorithm", "budget", "name", "value"), FORMULAS)
def test_the_value_is_that_of_the_formula(algorithm, budget, name, value):
    bound = regret_upper_bound(algorithm, MEANS, T, budget, beta=BETA)[name]
    assert bound.applies
    assert float(bound.value.upper) == pytest.approx(value, rel=1e-12)
    assert bound.value.width < 1e-20 * value


def test_terms_are_the_shares_of_the_arms_and_none_for_optimal_ones():
    bound = regret_upper_bound("UCB", MEANS, T)["gap-dependent"]
    assert [term is None for term in bound.terms] == [True, False, False, True]
    assert float(bound.terms[1].upper) == pytest.approx(16 * L / 0.25, rel=1e-12)


def test_a_policy_brings_its_own_budget_and_optimism():
    named = regret_upper_bound("AdaP-UCB", MEANS, T, Budget.pure(0.3), beta=4)
    of_policy = regret_upper_bound(AdaPUCB(4, Budget.pure(0.3), beta=4.0, replications=3), MEANS, T)
    assert of_policy.algorithm == "AdaP-UCB"
    assert of_policy["gap-dependent"].value == named["gap-dependent"].value


def test_policies_are_known_by_their_class():
    for policy, name in ((UCB(4, horizon=T), "UCB"), (AnytimeUCB(4), "anytime UCB"), (KLUCB(4), "KL-UCB")):
        assert regret_upper_bound(policy, MEANS, T).algorithm == name


def test_which_algorithms_have_a_theorem_can_be_asked():
    assert all(map(has_upper_bound, ("ucb", "kl-ucb", "adap-ucb", AdaCUCB(2, Budget.zcdp(1.0)))))
    assert not any(map(has_upper_bound, ("imed", "ucb2", IMED(2))))


def test_a_policy_with_other_parameters_than_the_theorem_is_told_so():
    assert not regret_upper_bound(UCB(4, delta=0.1), MEANS, T)["gap-free"].applies
    assert not regret_upper_bound(UCB(4, horizon=T), MEANS, T + 1)["gap-free"].applies
    assert regret_upper_bound(UCB(4, horizon=T), MEANS, T)["gap-free"].applies
    assert "log t" in regret_upper_bound(KLUCB(4), MEANS, T)["asymptotic"].why
    assert regret_upper_bound(KLUCB(4, exploration="log f(t)"), MEANS, T)["asymptotic"].applies
    assert "beta" in regret_upper_bound(AdaCUCB(4, Budget.zcdp(1.0), beta=1.0), MEANS, T)["gap-free"].why


def test_families_that_are_not_subgaussian_enough_are_told_so():
    narrow, wide = (Instance([Gaussian(0, sigma), Gaussian(3, sigma)]) for sigma in (1, 2))
    assert regret_upper_bound("UCB", narrow, T)["gap-free"].applies
    assert not regret_upper_bound("UCB", narrow, T)["gap-free, gaps at most 1"].applies
    assert not regret_upper_bound("UCB", wide, T)["gap-free"].applies
    assert "Poisson" in regret_upper_bound("UCB", Instance([Poisson(1), Poisson(2)]), T)["gap-free"].why
    assert not regret_upper_bound("AdaP-UCB", narrow, T, Budget.pure(1.0))["gap-free"].applies


def test_the_best_bound_is_the_smallest_finite_one_and_asymptotic_ones_do_not_count():
    assert regret_upper_bound("UCB", ["0.5", "0.499"], 100).best.name == "gap-free"
    assert regret_upper_bound("UCB", ["0.9", "0.1"], 10**9).best.name == "gap-dependent"
    assert regret_upper_bound("KL-UCB", MEANS, T).best is None


def test_edges_of_the_domain_have_values():
    assert float(regret_upper_bound("UCB", [0.5, 0.25], 1)["gap-dependent"].value.upper) == 0.75
    assert float(regret_upper_bound("UCB", [0.5, 0.5], 100)["gap-dependent"].value.upper) == 0
    assert float(regret_upper_bound("KL-UCB", [1, 0.5], 100)["asymptotic"].value.upper) == 0
    no_privacy = regret_upper_bound("AdaC-UCB", MEANS, T, Budget.zcdp(np.inf), beta=BETA)["gap-dependent"]
    assert float(no_privacy.value.upper) == pytest.approx(zcdp_gap_dependent(0.0), rel=1e-12)


def test_a_theorem_can_be_added_once(monkeypatch):
    monkeypatch.setattr(upper_bounds, "RECIPES", [*upper_bounds.RECIPES])
    recipe = Recipe("Newcomer", "gap-free", "TH-T2.23", "T", None, lambda problem: problem.T)
    register(recipe)
    assert float(regret_upper_bound("newcomer", [0.5], 7)["gap-free"].value.upper) == 7
    with pytest.raises(InvalidInput, match="recipe"):
        register(recipe)


def test_the_bound_of_dp_imed_is_the_lower_bound_times_the_ratio_of_its_batches():
    policy = DPIMED(2, Budget.pure(0.3), GeometricBatches("1.5"), NoiseSource())
    upper = regret_upper_bound(policy, ["0.8", "0.4"], 10**6)["asymptotic"]
    lower = regret_lower_bound(["0.8", "0.4"], 0.3, 10**6)["d-epsilon"]
    assert upper.applies and upper.asymptotic
    assert float(upper.value.lower) == pytest.approx(1.5 * float(lower.value.upper), rel=1e-12)
    assert not regret_upper_bound("DP-IMED", ["1", "0.4"], 100, Budget.pure(0.3))["asymptotic"].applies
    polynomial = DPIMED(2, Budget.pure(0.3), PolynomialBatches(1), NoiseSource())
    assert not regret_upper_bound(polynomial, ["0.8", "0.4"], 100)["asymptotic"].applies


def test_an_approximate_budget_counts_by_the_noise_it_asks_for():
    budget, means = Budget.approximate(0.5, 1e-5), ["0.8", "0.4"]
    rho = 1 / (2 * float(gaussian_multiplier(budget)) ** 2)
    approximate, zcdp = (
        regret_upper_bound("AdaC-UCB", means, 10**5, b)["gap-dependent"].value for b in (budget, Budget.zcdp(rho))
    )
    assert float(approximate.lower) == pytest.approx(float(zcdp.lower), rel=1e-12)


def test_the_bound_of_dp_ucb_is_read_for_its_own_index_and_delta():
    budget, means = Budget.pure(0.5), ["0.75", "0.5", "0.25"]
    bound = regret_upper_bound(DPUCB(3, budget, NoiseSource(), horizon=T), means, T, budget)[
        "gap-dependent, stated without a proof"
    ]
    printed = 8 * sqrt(8) * 3 * L**2.5 / 0.5 + sum(4 * gap + 4 * L / gap for gap in (0.25, 0.5))
    assert bound.applies and float(bound.value.lower) == pytest.approx(printed, rel=1e-12)
    other = DPUCB(3, budget, NoiseSource(), horizon=T, variant="mt15")
    assert not regret_upper_bound(other, means, T, budget)["gap-dependent, stated without a proof"].applies


@pytest.mark.parametrize(("algorithm", "name"), [("UCB", "gap-dependent"), ("KL-UCB", "asymptotic")])
def test_a_finite_class_has_the_bounds_of_the_laws_that_are_drawn_from(algorithm, name):
    laws = [Bernoulli("0.75"), Bernoulli("0.5"), Bernoulli("0.25")]
    within = Instance(arms=[FiniteClass(laws[0], laws), FiniteClass(laws[1], laws)])
    alone = regret_upper_bound(algorithm, ["0.75", "0.5"], 1000)
    bounds = regret_upper_bound(algorithm, within, 1000)
    assert bounds[name].applies
    assert {n: (b.value, b.applies) for n, b in bounds.bounds.items()} == {
        n: (b.value, b.applies) for n, b in alone.bounds.items()
    }
