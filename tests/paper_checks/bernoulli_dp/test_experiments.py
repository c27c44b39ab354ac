import math
from fractions import Fraction

import numpy as np
import pytest

from banditproof.claims.report.figures import FIGURES, svg
from banditproof.paper_checks.bernoulli_dp import app_g_experiments, s5_experiments, studies
from banditproof.paper_checks.bernoulli_dp.facts.experiments import BAND, below, panels
from banditproof.paper_checks.bernoulli_dp.studies import (
    FIGURE_8,
    INSTANCES,
    RECORD_TIMES,
    Setting,
    ThriceOptimistic,
    lower_bound,
)

CONSTANTS = {  # sum of gap / d_epsilon, calculated independently, for the budgets in order
    "mu1": (407.65629, 49.419536, 31.243773, 31.242887, 31.242887),
    "mu2": (401.57319, 41.676726, 17.885938, 10.404584, 7.7084962),
    "mu3": (401.07108, 41.118112, 17.205154, 9.3808685, 5.9343319),
    "mu4": (404.3782, 45.758158, 25.873881, 20.342784, 18.490866),
    "figure 8": (400.45858, 40.471797, 16.494873, 8.5363585, 4.6311192),
}


@pytest.mark.parametrize("name", CONSTANTS)
def test_the_coefficients_of_the_lower_bound_are_those_calculated_elsewhere(name):
    means = INSTANCES.get(name, FIGURE_8)
    ours = [float(lower_bound(means, budget)) / math.log(10**6) for budget in studies.BUDGETS]
    assert ours == pytest.approx(CONSTANTS[name], rel=5e-8)  # eight digits are given


def test_a_coefficient_agrees_with_direct_minimisation_of_the_divergence():
    def divergence(x, y, epsilon):
        z = np.linspace(x, y, 100_001)
        return (epsilon * (z - x) + z * np.log(z / y) + (1 - z) * np.log((1 - z) / (1 - y))).min()

    total = sum((0.75 - x) / divergence(x, 0.75, 0.5) for x in (0.625, 0.5, 0.375, 0.25))
    ours = float(lower_bound(INSTANCES["mu2"], "0.5")) / math.log(10**6)
    assert ours == pytest.approx(total, rel=1e-8)  # the grid misses the minimiser by 1e-5 of the range


def test_every_panel_of_the_figures_is_compared():
    assert len(set(panels())) == 20


def test_a_comparison_counts_pairs_of_independent_runs():
    test = below("a below b", np.array([1.0, 2.0, 3.0, 0.0]), np.array([2.0, 2.0, 4.0]), Fraction(1, 2))
    assert (test["successes"], test["trials"]) == (2, 3)


def test_groups_of_runs_are_disjoint_and_a_rest_is_left_out():
    assert np.array_equal(s5_experiments.medians(np.array([5.0, 1.0, 2.0, 9.0, 8.0, 7.0, 100.0]), 3), [2.0, 8.0])


@pytest.mark.parametrize(("name", "kind"), [("DP-SE", "DPSE"), ("AdaP-KLUCB", "AdaPKLUCB"), ("Lazy-DP-TS", "LazyDPTS")])
def test_earlier_algorithms_are_set_up_as_the_experiments_state(name, kind):
    policy = studies.baseline(name, np.array([0.1, 1.0]), np.random.default_rng(0))
    assert type(policy).__name__ == kind
    assert np.array_equal(policy.epsilon, [0.1, 1.0])
    assert getattr(policy, "beta", None) in {"DP-SE": [1e-6], "AdaP-KLUCB": [3.1]}.get(name, [None])


def test_runs_of_earlier_algorithms_come_per_panel_and_end_where_they_are_told_to():
    episodic = studies.earlier_algorithms(np.random.SeedSequence(1), 3)
    lazy = studies.lazy_dp_ts(np.random.SeedSequence(2), "mu4", 2, (10, 100, 100, 10, 316))
    assert {name.rsplit(", ", 2)[0] for name in episodic} == set(studies.EPISODIC)
    assert all(regret.shape == (3, len(RECORD_TIMES)) for regret in episodic.values())
    assert [regret.shape for regret in lazy.values()] == [(2, 1), (2, 5), (2, 5), (2, 1), (2, 7)]


def test_dp_se_pulls_every_arm_as_often_as_its_first_epoch_says():
    """Until 5 R_1 pulls are made the regret is known: R_1 from the formula, the arms in order."""
    pulls = int(max(128 * math.log(40e6), 16 * math.log(20e6) / 0.01)) + 1
    regret = studies.baseline_regret("DP-SE", "mu2", ("0.01",), 2, 10**5, np.random.SeedSequence(3))["0.01"]
    after = [
        max(0, 0.125 * min(t - pulls, pulls) + 0.25 * max(0, t - 2 * pulls)) for t in RECORD_TIMES if t < 3 * pulls
    ]
    assert np.allclose(regret[:, : len(after)], after, rtol=1e-12, atol=1e-9)  # sums of a few floats


def test_doubling_batches_drop_half_of_all_samples_but_one():
    for m in range(6):
        sizes = [2**k for k in range(m + 1)]
        assert s5_experiments.half_of_the_samples(m) == (2 * sum(sizes[:-1]), "==", sum(sizes) - 1)


def small(policy="DP-IMED", **switches):
    setting = Setting(policy, INSTANCES["mu2"], horizon=2000, **switches)
    return setting.regret(["0.1", "1"], 30, np.random.SeedSequence(5), [10, 2000])


def test_regret_comes_per_budget_run_and_time_and_grows():
    regret = small()
    assert list(regret) == ["0.1", "1"]
    assert all(r.shape == (30, 2) and (r[:, 0] <= r[:, 1]).all() for r in regret.values())


def test_the_same_seed_gives_the_same_runs_and_a_switch_gives_others():
    assert all(np.array_equal(small()[b], small()[b]) for b in ("0.1", "1"))
    assert not np.array_equal(small()["1"], small(forgetting=True)["1"])


def test_three_times_the_exploration_costs_regret():
    usual, thrice = (small(policy)["1"][:, 1].mean() for policy in ("DP-KLUCB", "3 log t"))
    assert thrice > 1.5 * usual


def test_the_thrice_optimistic_score_lies_at_three_times_the_distance():
    def score(policy_class):
        settings = {"budget": studies.Budget.pure(1.0), "batches": studies.GeometricBatches(2)}
        policy = policy_class(1, noise=studies.NoiseSource(), **settings)
        policy.clock = np.array([99])
        return policy.score(np.array([[0.2]]), np.array([[100]]))[0, 0]

    def distance(y, x=0.2):
        return min(
            z - x + z * math.log(z / y) + (1 - z) * math.log((1 - z) / (1 - y)) for z in np.linspace(x, y, 10001)
        )

    assert distance(score(studies.DPKLUCB)) == pytest.approx(math.log(100) / 100, rel=1e-6)
    assert distance(score(ThriceOptimistic)) == pytest.approx(3 * math.log(100) / 100, rel=1e-6)


def test_the_figures_are_drawn_from_the_arrays_of_their_studies(every_point):
    times = len(RECORD_TIMES)
    rising = np.linspace(1, 100, times) * np.ones((3, 1))
    policies = ("DP-IMED", "DP-KLUCB", "DP-SE", "AdaP-KLUCB")
    private = {f"{p}, {i}, {b}": rising for p in policies for i, b in panels()}
    lazy = {f"Lazy-DP-TS, {i}, {b}": rising[:, :7] for i, b in panels()}  # its runs end early
    free = {"times": RECORD_TIMES[:9], **dict.fromkeys(INSTANCES, rising[:, :9])}
    swept = {"budget": np.array([0.1, 0.5, 1.0]), "n0 = 1": np.ones((3, 4)), "n0 = 10": np.ones((3, 4))}
    names = [f"bernoulli-dp-figure-{n}" for n in ((1, 4, 5, 6, 7, 8) if every_point else (1, 7, 8))]
    texts = {name: svg(FIGURES[name], [swept] if name.endswith("8") else [free, private, lazy]) for name in names}
    assert all(text.startswith("<svg") and "lower bound" in text for text in texts.values())
    assert "Lazy-DP-TS (3 runs)" in texts[names[0]]
    assert "μ4" in texts[names[-2]]
    assert BAND == (0.1, 0.9)
    assert FIGURES[names[-1]].draw is app_g_experiments.figure_8
