"""Enclosures of the view law of Algorithm 1 on tiny instances."""

from fractions import Fraction
from math import exp, log

import numpy as np
import pytest
from scipy.integrate import dblquad

from banditproof.algorithms.batches import GeometricBatches
from banditproof.algorithms.environment import RewardList
from banditproof.algorithms.finite.dp_index import DPIMED, DPKLUCB
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.run.simulator import simulate
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.privacy.exact_view import exact_view_laws, view_loss
from banditproof.verify.proof.statistics import binomial_interval

BATCHES = GeometricBatches("1.5")  # 1, 2, 2, ...


@pytest.mark.parametrize(("first", "second"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_the_first_decision_of_dp_imed_has_the_probability_of_a_direct_integral(first, second):
    """With one sample each, arm 1 is pulled if its clipped noisy reward is above that of arm 0."""
    epsilon = 1.0

    def joint_density(x, y):
        return (epsilon / 2) ** 2 * exp(-epsilon * (abs(x - first) + abs(y - second)))

    both_inside, _ = dblquad(joint_density, 0, 1, 0, lambda y: y, epsabs=1e-9)
    first_below, second_below = exp(-epsilon * first) / 2, exp(-epsilon * second) / 2
    first_above, second_above = exp(-epsilon * (1 - first)) / 2, exp(-epsilon * (1 - second)) / 2
    first_inside = 1 - first_below - first_above
    wins = both_inside + first_below * (1 - second_below) + first_inside * second_above
    lower, upper = exact_view_laws(DPIMED, BATCHES, 3, epsilon, rounds=9)[first, second, 0][0, 1, 1]
    assert lower <= wins <= upper and upper - lower < 0.01


@pytest.mark.parametrize("policy", [DPIMED, DPKLUCB])
def test_the_enclosures_of_a_list_contain_a_law(policy):
    for law in exact_view_laws(policy, BATCHES, 5, 2.0, rounds=5).values():
        assert sum(low for low, _ in law.values()) <= 1 <= sum(high for _, high in law.values())


@pytest.mark.one_in(2)
@pytest.mark.parametrize("policy", [DPIMED, DPKLUCB])
def test_runs_of_the_program_have_frequencies_inside_the_enclosures(policy):
    epsilon, rewards, runs = 3.0, (0, 1, 1, 0, 1), 40_000
    generator = np.random.default_rng(0)
    program = policy(2, Budget.pure(epsilon), BATCHES, NoiseSource(generator), replications=runs)
    actions = simulate(program, RewardList(rewards, 2), 5, generator, np.arange(1, 6)).actions
    for sequence, (lower, upper) in exact_view_laws(policy, BATCHES, 5, epsilon, rounds=5)[rewards].items():
        hits = int((actions == sequence).all(axis=1).sum())
        low, high = binomial_interval(hits, runs, Fraction(1, 10**6))
        assert low <= upper and lower <= high


@pytest.mark.parametrize(("policy", "epsilon"), [(DPIMED, 0.5), (DPIMED, 3.0), (DPKLUCB, 3.0)])
def test_the_privacy_loss_is_below_epsilon_and_exceeds_it_with_half_the_noise(policy, epsilon):
    private = view_loss(exact_view_laws(policy, BATCHES, 4, epsilon), epsilon)
    assert 0 < private.lower <= private.upper <= epsilon
    leaking = view_loss(exact_view_laws(policy, BATCHES, 4, epsilon, noise_epsilon=2 * epsilon), 2 * epsilon)
    assert epsilon < leaking.lower <= 2 * epsilon


def test_the_worst_case_is_named_by_neighbours_that_attain_the_lower_end():
    laws = exact_view_laws(DPIMED, BATCHES, 3, 0.5)
    loss = view_loss(laws, 0.5)
    assert sum(r != s for r, s in zip(loss.rewards, loss.neighbour, strict=True)) == 1
    assert loss.lower == pytest.approx(log(laws[loss.rewards][loss.actions][0] / laws[loss.neighbour][loss.actions][1]))


def test_dp_klucb_with_saturated_indices_pulls_the_lowest_arm_whatever_the_rewards():
    for law in exact_view_laws(DPKLUCB, BATCHES, 4, 0.5).values():
        certain = {actions for actions, (lower, _) in law.items() if lower > 1 - 1e-9}
        assert certain == {(0, 1, 0, 0)}


def test_a_policy_whose_own_methods_would_not_be_called_is_refused():
    class Peeks(DPIMED):
        def observe(self, total, count, arm=None):
            super().observe(total, count, arm)
            self.means = total / count

    with pytest.raises(InvalidInput, match="observe"):
        exact_view_laws(Peeks, BATCHES, 5, 1.0)
