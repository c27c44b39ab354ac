import itertools
from fractions import Fraction

import numpy as np
import pytest

from banditproof.paper_checks.bernoulli_dp.section_4.s4_algorithms import (
    MU_2,
    batches_after,
    bisected,
    decisions_follow_the_indices,
    exactly_horizon_pulls,
    forgetting_drops_the_past,
    number_of_noise_terms,
    one_release_per_reward,
    sums_are_cumulative,
    tie_probability,
)
from banditproof.paper_checks.shared import dyadic_runs
from banditproof.paper_checks.shared.dyadic_runs import RULES, recorded_run

REWARDS = (1, 0, 1, 1, 0, 1, 0)
QUARTER = Fraction(1, 4)


def test_two_equal_arms_tie_with_the_probability_found_by_hand():
    """Means 1: after one pull an arm is clipped to 1 with probability 1/2, to 0 with probability e^-eps / 2."""
    epsilon = 0.5
    by_hand = 0.25 + (np.exp(-epsilon) / 2) ** 2
    assert float(tie_probability([1, 1], epsilon)) == pytest.approx(by_hand, rel=1e-12)


def test_the_first_decision_is_a_tie_as_often_as_in_drawn_first_pulls():
    draw = np.random.default_rng(3)
    pulls = (draw.random((40_000, 5)) < [float(mean) for mean in MU_2]) + draw.laplace(scale=4, size=(40_000, 5))
    clipped = np.clip(pulls, 0, 1)
    ties = (clipped == clipped.max(axis=1, keepdims=True)).sum(axis=1) >= 2
    expected = float(tie_probability(MU_2, QUARTER))
    assert abs(ties.mean() - expected) < 6 * np.sqrt(expected * (1 - expected) / 40_000)  # six standard errors


def test_one_arm_never_ties():
    assert tie_probability(["0.5"], 1) == 0


@pytest.mark.parametrize(
    ("arms", "first", "horizon", "pulls"), [(1, 1, 1, 1), (1, 1, 2, 3), (1, 1, 3, 3), (2, 1, 1, 2), (1, 3, 4, 9)]
)
def test_the_pseudo_code_makes_the_pulls_counted_by_hand(arms, first, horizon, pulls):
    assert exactly_horizon_pulls(arms, first, horizon) == (pulls, "==", horizon)


def test_batch_numbers_follow_from_the_numbers_of_samples():
    assert [batches_after(n) for n in (1, 3, 7, 15, 4)] == [0, 1, 2, 3, -1]


@pytest.mark.parametrize("rule", RULES)
def test_a_recorded_run_pulls_every_arm_first_and_then_plays_doubling_batches(rule):
    run = recorded_run(rule, REWARDS, QUARTER)
    assert [phase.arm for phase in run.phases[:2]] == [0, 1]
    for arm in range(2):
        assert [len(p.rewards) for p in run.of(arm)] == [2**m for m in range(len(run.of(arm)))]
    assert [p.clock for p in run.phases] == np.cumsum([0, *(len(p.rewards) for p in run.phases[:-1])]).tolist()


def test_recorded_noise_is_dyadic_so_that_sums_are_exact():
    noise = [phase.noise for phase in recorded_run("DP-IMED", REWARDS, QUARTER).phases]
    assert all((x * 2**20).denominator == 1 for x in noise)
    assert len(set(noise)) == len(noise)


def holds(sides):
    return sides[0] == sides[2]


@pytest.fixture
def fresh_runs():
    """Runs are kept; those of a policy with a planted bug must not be."""
    dyadic_runs._recorded_run.cache_clear()
    yield
    dyadic_runs._recorded_run.cache_clear()


def test_the_relations_tell_a_forgetful_run_from_a_cumulative_one():
    assert holds(sums_are_cumulative("DP-IMED", REWARDS, QUARTER, 1))
    assert holds(forgetting_drops_the_past("DP-IMED", REWARDS, QUARTER, 0))
    assert not holds(forgetting_drops_the_past("DP-IMED", REWARDS, QUARTER, 1))


@pytest.mark.parametrize("rule", RULES)
def test_a_policy_that_prefers_the_worst_index_is_noticed(rule, monkeypatch, fresh_runs):
    def worst(self, score):
        return np.where(np.isinf(score).any(axis=1), score.argmax(axis=1), score.argmin(axis=1))

    monkeypatch.setattr(RULES[rule], "_best", worst)
    assert any(
        not holds(decisions_follow_the_indices(rule, (1, *rest), 4, 1, 1))
        for rest in itertools.product((0, 1), repeat=5)
    )


def test_a_policy_that_adds_noise_once_is_noticed(monkeypatch, fresh_runs):
    observe = dyadic_runs.DPIMED.observe

    def without_later_noise(self, total, count, arm=None):
        if self.batches_done.sum() >= 2:
            self.sums[0, int(self.recommended[0])] += total[0]
            self.samples[0, int(self.recommended[0])] += int(count[0])
            self.clock = self.clock + count
        else:
            observe(self, total, count, arm)

    monkeypatch.setattr(dyadic_runs.DPIMED, "observe", without_later_noise)
    assert not holds(one_release_per_reward("DP-IMED", REWARDS, QUARTER))
    assert not holds(number_of_noise_terms("DP-IMED", REWARDS, QUARTER, 1))


def test_bisection_finds_the_last_feasible_float():
    assert bisected(lambda q: q * q <= 0.5) == pytest.approx(np.sqrt(0.5), abs=2**-39)
    assert bisected(lambda q: True) == 1.0
