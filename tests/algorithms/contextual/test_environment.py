"""Context sets and rewards: their laws, and what is refused."""

import numpy as np
import pytest

from banditproof.algorithms.contextual.environment import ContextualBandit, GaussianContexts, GivenContexts
from banditproof.algorithms.contextual.oful import RarelySwitchingOFUL
from banditproof.algorithms.contextual.simulation import simulate_contextual
from banditproof.theory.errors import InvalidInput


def test_gaussian_contexts_have_the_mean_and_variance_of_the_experiment():
    sets = GaussianContexts().draw(50, 0, 200, np.random.default_rng(0)).reshape(-1, 3)
    assert sets.mean(axis=0) == pytest.approx(np.full(3, 3**-0.5), abs=5e-3)
    assert np.cov(sets.T) == pytest.approx(0.1 * np.eye(3), abs=3e-3)


def test_unit_contexts_have_norm_one():
    sets = GaussianContexts(4, 2, 0.7, unit=True).draw(3, 0, 5, np.random.default_rng(0))
    assert sets.shape == (3, 5, 4, 2) and np.linalg.norm(sets, axis=-1) == pytest.approx(1.0)


def test_given_contexts_come_in_their_order_and_again():
    given = GivenContexts(np.arange(12.0).reshape(3, 2, 2))
    assert (given.draw(2, 2, 4, None)[1] == given.sets[[2, 0, 1, 2]]).all()


def test_clipped_rewards_stay_in_range():
    bandit = ContextualBandit([1.0, 0.0, 0.0], GaussianContexts(), clipped=True)
    rewards = bandit.rewards(np.zeros((1, 2)), np.array([[5.0, 0.25]]))
    assert rewards.tolist() == [[1.0, 0.25]]


@pytest.mark.parametrize("times", [[0, 5], [5, 3], [11]])
def test_bad_record_times_are_refused(times):
    bandit = ContextualBandit([1.0, 0.0, 0.0], GaussianContexts())
    with pytest.raises(InvalidInput, match="record_times"):
        simulate_contextual([RarelySwitchingOFUL(3, horizon=10)], bandit, 10, np.random.default_rng(0), times)


def test_policies_of_different_sizes_are_refused():
    bandit = ContextualBandit([1.0, 0.0, 0.0], GaussianContexts())
    policies = [RarelySwitchingOFUL(3, horizon=10, replications=r) for r in (1, 2)]
    with pytest.raises(InvalidInput, match="policies"):
        simulate_contextual(policies, bandit, 10, np.random.default_rng(0))
