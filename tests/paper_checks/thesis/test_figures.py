import math
from fractions import Fraction

import numpy as np
import pytest

from banditproof.algorithms import AdaCUCB, BernoulliBandit, EpisodicUCB, NoiseSource, simulate
from banditproof.claims import REGISTER, load
from banditproof.claims.report.figures import FIGURES, svg
from banditproof.paper_checks.shared import experiments as runs
from banditproof.paper_checks.thesis import studies
from banditproof.paper_checks.thesis.ch5_algorithms import s5_5_1_pure as pure
from banditproof.paper_checks.thesis.ch5_algorithms import s5_5_2_adac_ucb as experiment
from banditproof.theory import Budget, to_ball

TIMES = (10, 100, 1000)


@pytest.fixture(scope="module")
def coupled():
    return runs.coupled_regret(np.random.SeedSequence(1), ["0.1", "1", "1.0"], 3000, TIMES)


# ------------------------------------------------------------------------------------------------ shared random numbers


def test_runs_at_the_same_budget_are_the_same(coupled):
    assert np.array_equal(coupled["1"], coupled["1.0"])
    assert not np.array_equal(coupled["1"], coupled["0.1"])


@pytest.mark.parametrize(("name", "rho"), [("0.1", 0.1), ("1", 1.0)])
def test_a_single_budget_has_the_law_of_runs_with_numbers_of_their_own(coupled, name, rho):
    generator = np.random.default_rng(2)
    policy = AdaCUCB(5, Budget.zcdp(rho), NoiseSource(generator), beta=1.0, replications=3000)
    alone = simulate(policy, BernoulliBandit(runs.MEANS), TIMES[-1], generator, TIMES).regret
    error = np.sqrt((alone.var(axis=0) + coupled[name].var(axis=0)) / 3000)
    assert (np.abs(alone.mean(axis=0) - coupled[name].mean(axis=0)) < 5 * error).all()


@pytest.mark.parametrize(("name", "ties"), [(runs.FREE, "random"), (runs.LOWEST, "lowest-arm")])
def test_the_counterparts_are_episodic_ucb_under_two_rules_for_ties(coupled, name, ties):
    generator = np.random.default_rng(3)
    policy = EpisodicUCB(5, beta=1.0, replications=3000, generator=generator, ties=ties)
    alone = simulate(policy, BernoulliBandit(runs.MEANS), TIMES[-1], generator, TIMES).regret
    error = np.sqrt((alone.var(axis=0) + coupled[name].var(axis=0)) / 3000)
    assert (np.abs(alone.mean(axis=0) - coupled[name].mean(axis=0)) < 5 * error + 1e-9).all()


def test_little_noise_changes_few_runs(coupled):
    close = runs.coupled_regret(np.random.SeedSequence(1), ["1e12"], 3000, TIMES)
    assert (close["1e12"] == close[runs.FREE]).mean() > 0.99
    assert np.array_equal(close[runs.FREE], coupled[runs.FREE])


def test_the_price_of_privacy_is_a_ratio_of_means():
    private, free = np.array([[2.0, 6.0], [4.0, 6.0]]), np.array([[1.0, 4.0], [2.0, 4.0]])
    assert np.array_equal(runs.price_of_privacy(private, free), [1.0, 0.5])


def test_groups_hold_100_runs_and_shift_as_a_whole():
    regret = np.arange(350.0)[:, np.newaxis]
    plain, shifted = experiment.groups(regret), experiment.groups(regret, 1)
    assert plain.shape == (3, 100, 1)
    assert np.array_equal(shifted[1], plain[0])


# ------------------------------------------------------------------------------------------------------------- formulas


def test_the_regret_that_privacy_adds_in_three_pulls_is_that_of_the_policy():
    """Played with ties to the lowest arm, the better one, with and without noise."""
    generator, means, rho, count = np.random.default_rng(4), [0.75, 0.5], 0.5, 400_000
    bandit = BernoulliBandit(means)
    private = AdaCUCB(2, Budget.zcdp(rho), NoiseSource(generator), beta=1.0, replications=count)
    free = EpisodicUCB(2, beta=1.0, replications=count)
    added = simulate(private, bandit, 3, generator).regret - simulate(free, bandit, 3, generator).regret
    formula = float(experiment.added_regret(to_ball("3/4"), to_ball("1/2"), to_ball("1/2"), to_ball(0)).mid())
    assert abs(added.mean() - formula) < 5 * added.std() / math.sqrt(count)


def test_the_normal_tail_of_the_closed_form_is_scipys():
    from scipy.stats import norm

    ours = experiment.added_regret(to_ball(1), to_ball(0), to_ball(9), to_ball("1/2"))
    assert float(ours.mid()) == pytest.approx(norm.sf(3), rel=1e-12)


@pytest.mark.parametrize("n", [1, 7, 1000])
@pytest.mark.parametrize("rho", [Fraction(1, 10), Fraction(5)])
def test_the_widths_are_those_of_the_two_policies(relation, n, rho):
    """The relation compares the squares of the widths of AdaC-UCB at n + 2 / rho samples and of episodic UCB at n."""
    left, _, right = relation("ALG-S5.5a/samples-that-pay")(Fraction(n), rho)
    more = n + 2 / rho
    private = AdaCUCB(1, Budget.zcdp(float(rho)), NoiseSource(), beta=1.0).width(np.array([[float(more)]]), 1.0)
    free = EpisodicUCB(1, beta=1.0).width(np.array([[float(n)]]), 1.0)
    ratio = float(private[0, 0] / free[0, 0]) ** 2
    assert ratio == pytest.approx(1 + float((left - right) / (rho * more**2)), rel=1e-12)
    assert ratio <= 1


# -------------------------------------------------------------------------------------------------------------- figures


def test_ties_between_runs_count_half():
    coins = np.random.default_rng(5)
    _, below, _, _ = pure.lower("a below b", np.full(10_000, 1.0), 2, np.full(10_000, 2.0), coins)
    assert abs(below.sum() - 5000) < 250  # five standard deviations of fair coins
    assert pure.lower("a below b", np.array([1.0, 3.0]), 1, np.array([2.0, 2.0]), coins)[1].sum() == 1


def test_the_policies_of_figure_5_2_are_set_up_as_stated():
    names = (*studies.EPISODIC, "DP-UCB", *studies.PRINTED)
    made = {name: studies.competitor(name, np.random.default_rng(0), 2) for name in names}
    assert made["AdaP-UCB"].beta == made["AdaP-KLUCB"].beta == 3.1
    assert made["DP-SE"].beta == 1e-7
    assert (made["DP-UCB"].variant, made["DP-UCB"].gamma) == ("mt15", 0.1)
    assert [made[f"printed, delta = {d}"].delta for d in ("1/T", "gamma")] == [1e-7, 0.1]
    assert all(policy.replications == 2 for policy in made.values())


def test_dp_ucb_ends_where_it_is_told_to_and_its_regret_never_falls():
    ends = {"DP-UCB": 100, **dict.fromkeys(studies.PRINTED, 1000)}
    found = studies.competitors(np.random.SeedSequence(6), 2, ends)
    assert [regret.shape for regret in found.values()] == [(2, 5), (2, 9), (2, 9)]
    assert all((np.diff(regret, axis=1) >= 0).all() for regret in found.values())


def test_budgets_are_swept_under_the_names_they_are_written_with():
    swept = studies.budget_sweep(np.random.SeedSequence(7), ("0.05", "10"), 20)
    assert list(swept) == ["0.05", "10"]
    assert swept["0.05"].min() > 5 * swept["10"].max()


def test_both_papers_register_the_same_claims_about_adac_ucb():
    load()
    for ours, theirs in (("ALG-E5.4", "ZCDP-E1"), ("ALG-S5.5a", "ZCDP-S15")):
        slugs = [{c.partition("/")[2] for c in REGISTER if c.partition("/")[0] == item} for item in (ours, theirs)]
        assert slugs[0] == slugs[1] != {""}
        assert REGISTER[ours].twins == (theirs,)


def test_the_figures_are_drawn_from_the_arrays_of_their_studies():
    rising = np.linspace(1, 50, 25) * np.ones((3, 1))
    trees = dict.fromkeys(("DP-UCB", "printed, delta = 1/T", "printed, delta = gamma"), rising[:, :9])
    text = svg(FIGURES["thesis-figure-5.2"], [dict.fromkeys(studies.EPISODIC, rising), trees])
    assert "AdaP-KLUCB (3 runs)" in text
    assert "δ = γ" in text
    swept = {b: np.array([2.0, 3.0]) for b in ("10", "0.05", "1")}
    assert "Theorem 4.16" in svg(FIGURES["thesis-figure-5.3"], [swept])
    names = (*runs.BUDGETS, runs.FREE)
    prices = {"times": np.array(runs.PANEL), **dict.fromkeys(names, np.ones((4, 3)))}
    assert "ρ = 0.5" in svg(FIGURES["adac-ucb-price-of-privacy"], [prices, prices])
