"""The relations behind the claims on the episodic family, each against a second route."""

from fractions import Fraction
from math import exp, log, sqrt

import numpy as np
import pytest
from scipy import stats

from banditproof.paper_checks.thesis.app_c_proofs.c2_3_adap_klucb import infimum_over_v, separated
from banditproof.paper_checks.thesis.app_c_proofs.c2_concentration import beyond_both_widths, index_at_most
from banditproof.paper_checks.thesis.app_c_proofs.c2_episodes import misled_starts
from banditproof.paper_checks.thesis.ch5_algorithms.s5_2_discussion import summed_bonus
from banditproof.paper_checks.thesis.ch5_algorithms.s5_2_regret import samples_for_a_deviation
from banditproof.paper_checks.thesis.facts.index_tables import (
    chance_of_a_high_index,
    expected_pulls_of,
    meets_the_hypotheses,
)
from banditproof.paper_checks.thesis.facts.synthetic_indices import expected_pulls, last_episode
from banditproof.paper_checks.thesis.studies import Case
from banditproof.theory import InvalidInput, kl_bernoulli, to_ball


def played_by_hand(low, beta, horizon, generator):
    """One run of Algorithm 7 with the synthetic indices, pull by pull."""
    pulls, coin, t = [1, 1], generator.random(), 2
    while t < horizon:
        start = t + 1
        best = -1 if coin <= 1.5 * start**-beta else 1
        other = 0 if max(1, pulls[1] // 2) in low else 2
        arm = 1 if other > best else 0
        length = pulls[arm]
        for _ in range(length):
            if t < horizon:
                pulls[arm] += 1
                t += 1
        if arm == 0:
            coin = generator.random()
    return pulls[1]


@pytest.mark.parametrize(("low", "beta", "horizon"), [((1,), 1, 40), ((1, 2), 1, 60), ((2,), 2, 33), ((), 3, 20)])
def test_expected_pulls_agree_with_runs_pull_by_pull(low, beta, horizon):
    generator = np.random.default_rng(3)
    runs = np.array([played_by_hand(low, beta, horizon, generator) for _ in range(4000)])
    error = 5 * runs.std() / sqrt(runs.size) + 1e-9
    assert float(expected_pulls(low, beta, horizon)) == pytest.approx(runs.mean(), abs=error)


def test_an_index_that_is_never_low_has_all_pulls_and_one_that_is_always_low_few():
    assert expected_pulls((), 4, 100) == 99
    assert expected_pulls([2**m for m in range(10)], 40, 100) < 1 + Fraction(1, 10**9)
    with pytest.raises(InvalidInput, match="horizon must be"):
        expected_pulls((), 4, 1)


def test_lengths_of_last_episodes():
    assert [last_episode(n) for n in (1, 2, 4, 64)] == [1, 1, 2, 32]


def table(low="3/512", until=5, fallen=1):
    """The best arm's index is 0 before a round with a chance and then `fallen`; the other's is 2 after two rewards."""
    best = ["3/4", [[low, [[0, 1, 0], [0, until, fallen]]], [1 - Fraction(low), [[0, 1, 1]]]]]
    return [best, ["1/4", [[1, [[0, 1, "1/2"], [2, 1, 2]]]]]]


def table_by_hand(low, until, horizon, generator):
    """One run of Algorithm 7 with such a table, pull by pull."""
    pulls, coin, arm, left = [1, 1], generator.random(), 0, 0
    for t in range(3, horizon + 1):
        if not left:
            best = 0 if coin < low and t < until else 1
            arm = int((0.5 if pulls[1] < 4 else 2) > best)
            left = pulls[arm]
        pulls[arm] += 1
        left -= 1
        if not left and arm == 0:
            coin = generator.random()
    return pulls[1]


@pytest.mark.parametrize(("low", "until", "horizon"), [("1/4", 5, 30), ("1/2", 9, 47), ("1/3", 2, 20)])
def test_pulls_of_a_table_agree_with_runs_pull_by_pull(low, until, horizon):
    generator = np.random.default_rng(5)
    runs = np.array([table_by_hand(float(Fraction(low)), until, horizon, generator) for _ in range(4000)])
    error = 5 * runs.std() / sqrt(runs.size) + 1e-9
    assert float(expected_pulls_of(table(low, until), 1, horizon)) == pytest.approx(runs.mean(), abs=error)


def test_the_hypotheses_of_a_table_are_looked_at():
    assert meets_the_hypotheses(table(), 1, 4) == 1
    assert meets_the_hypotheses(table(), 0, 4) == 0  # the best arm
    assert meets_the_hypotheses(table(), 1, 5) == 0  # 3/512 > 3/2 4^-5
    assert meets_the_hypotheses(table("3/511"), 1, 4) == 0
    assert meets_the_hypotheses(table(until=6), 1, 4) == 0  # low at round 5 as well
    assert meets_the_hypotheses(table(fallen="3/4"), 1, 4) == 0  # low for ever: not above the mean
    assert meets_the_hypotheses(table(fallen=-1), 1, 4) == 0  # it falls in t
    late = [["3/4", [[1, [[0, 1, 1], [8, 1, 0], [8, 2, 1]]]]], table()[1]]
    assert meets_the_hypotheses(late, 1, 4) == 1  # at t = 1 all is allowed
    assert meets_the_hypotheses([["3/4", [[1, [[0, 1, 1], [8, 1, 0]]]]], table()[1]], 1, 4) == 0  # a size of its own


def test_the_good_event_of_a_table_and_tables_that_are_none():
    assert [chance_of_a_high_index(table(), 1, s, 100) for s in (1, 2, 4)] == [0, 1, 1]
    with pytest.raises(InvalidInput, match="add up to 1"):
        expected_pulls_of([["1/2", [["1/2", [[0, 1, 1]]]]]], 0, 3)
    with pytest.raises(InvalidInput, match="a value for"):
        expected_pulls_of([["1/2", [[1, [[2, 1, 1]]]]]], 0, 3)
    with pytest.raises(InvalidInput, match="horizon must be"):
        expected_pulls_of(table(), 1, 1)
    with pytest.raises(InvalidInput, match="beta must be"):
        meets_the_hypotheses(table(), 1, Fraction(7, 2))


def laplace_tail(x, epsilon):
    return 0.5 * exp(-epsilon * x) if x >= 0 else 1 - 0.5 * exp(epsilon * x)


@pytest.mark.parametrize(("n", "mu", "epsilon", "level"), [(1, 0.5, 1.0, 0.3), (7, 0.2, 0.1, 2.0), (20, 0.9, 5.0, 0.0)])
def test_exact_tails_of_private_means_agree_with_scipy(n, mu, epsilon, level):
    width = level / (n * epsilon) + sqrt(level / (2 * n))
    weights = stats.binom.pmf(np.arange(n + 1), n, mu)
    upper = sum(w * laplace_tail(n * (mu + width) - s, epsilon) for s, w in enumerate(weights))
    lower = sum(w * (1 - laplace_tail(n * (mu - width) - s, epsilon)) for s, w in enumerate(weights))
    for side, expected in (("upper", upper), ("lower", lower)):
        found = beyond_both_widths(n, to_ball(mu), to_ball(epsilon), to_ball(level), side)
        assert float(found) == pytest.approx(expected, abs=1e-12)


def indices_on_a_grid(means, level):
    """The largest q of a fine grid with kl(x, q) <= level, for every mean."""
    q = np.linspace(0, 1, 4001)[1:-1]
    fits = kl_bernoulli(means[:, np.newaxis], q) <= level
    return np.where(fits, q, 0.0).max(axis=1)


@pytest.mark.parametrize(("n", "mu", "epsilon", "delta"), [(3, 0.6, 1.0, 0.1), (1, 0.9, 4.0, 0.05), (8, 0.3, 0.5, 0.4)])
def test_the_law_of_the_private_index_agrees_with_a_grid_of_means_and_indices(n, mu, epsilon, delta):
    level, means = log(1 / delta), np.linspace(0, 1, 2001)
    below = means[indices_on_a_grid(means, level / n) <= mu]
    at = n * below.max() - level / epsilon if below.size else -np.inf
    weights = stats.binom.pmf(np.arange(n + 1), n, mu)
    expected = sum(w * (1 - laplace_tail(at - s, epsilon)) for s, w in enumerate(weights))
    found = index_at_most(n, to_ball(mu), to_ball(epsilon), to_ball(level), 0)
    assert float(found) == pytest.approx(expected, abs=2e-3)


def test_an_index_is_at_most_one_always_and_below_one_only_if_the_clipped_mean_is():
    one, epsilon, level = to_ball(1), to_ball(2), to_ball(1)
    assert index_at_most(4, one, epsilon, level, 0) == 1
    assert float(index_at_most(4, one, epsilon, level, 1)) == pytest.approx(0.5 * exp(-1), abs=1e-12)


def test_sums_over_episode_starts(relation):
    assert float(misled_starts(5, to_ball(4))) == pytest.approx(3**-3 + 4**-3 + 5**-3)
    left, _, right = relation("ALG-PC.2.2")(2, 4, to_ball(4))
    total = 1.5 * (2**-3 + 3**-3) + 1.5 * (2**-3 + 3**-3 + 4**-3)
    assert float(left) == pytest.approx(total)
    assert float(right) == 3


def test_gamma_at_the_printed_choice(relation):
    left, _, _ = relation("ALG-EQC.11-13/choice")(to_ball("1/2"), to_ball(1), to_ball(4), 54)
    level = 4 * log(54)
    assert float(left) == pytest.approx(0.5 - 2 * sqrt(level / 256) - 2 * level / 128)


@pytest.mark.parametrize("epsilon", ["1/10", "1", "100"])
@pytest.mark.parametrize("horizon", [1000, 10**7])
def test_both_conditions_of_the_proof_together_say_that_the_sample_separates(epsilon, horizon):
    mean, best, budget, beta, level = *map(to_ball, ("1/4", "1/2", epsilon, 4)), to_ball(horizon).log()
    for power in range(4, 20):
        block = 2**power
        needed = infimum_over_v(mean, best, budget, beta, level / block) * level
        assert bool(block >= needed) == separated(mean, best, budget, beta, level, to_ball(block))


def test_the_divergence_from_a_half_in_logits():
    left, _, right = samples_for_a_deviation(to_ball(3), 8)
    y = exp(3) / (1 + exp(3))
    assert float(left) == pytest.approx(0.5 * log(0.5 / y) + 0.5 * log(0.5 / (1 - y)))
    assert float(right) == pytest.approx(2 * log(2))


def test_the_summed_bonus_is_below_the_sum_itself():
    left, _, _ = summed_bonus(to_ball(10_000).log(), 1, 1)
    assert 0 < float(left) < sum(2 * log(t) / t for t in range(2, 10_001))


def test_cases_repeat_from_their_seed():
    case = Case("AdaC-UCB", ("1/2", "9/10"), "1/2", 300)
    first, second = (case.regrets(50, np.random.SeedSequence(4)) for _ in range(2))
    assert (first == second).all()
    assert first.shape == (50,)
