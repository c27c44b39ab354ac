"""Two other libraries under test where they are installed (pip install mabwiser contextualbandits)."""

import numpy as np
import pytest

from banditproof.algorithms import BernoulliBandit, simulate
from banditproof.theory import Budget
from banditproof.verify import assert_private, assert_regret, audit_private
from banditproof.verify.testing.adapters import Adapted, predict_partial_fit

CONTEXT = np.ones((1, 1))  # the same one in every round


def mabwiser(learning, seeds):
    library = pytest.importorskip("mabwiser.mab", reason="mabwiser is not installed")
    policy = getattr(library.LearningPolicy, learning)()
    return predict_partial_fit([library.MAB([0, 1], policy, seed=int(seed)) for seed in seeds], 2)


def contextual_bandits(learning, seeds):
    library = pytest.importorskip("contextualbandits.online", reason="contextualbandits is not installed")
    return Adapted(
        [getattr(library, learning)(2, random_state=int(seed)) for seed in seeds],
        2,
        lambda player: player.predict(CONTEXT),
        lambda player, arm, reward: player.partial_fit(CONTEXT, np.array([arm]), np.array([reward])),
    )


POLICIES = [(mabwiser, "UCB1"), (mabwiser, "ThompsonSampling"), (contextual_bandits, "LinUCB")]


@pytest.mark.parametrize(("library", "learning"), [(mabwiser, "UCB1"), (contextual_bandits, "LinUCB")])
def test_an_index_policy_that_is_not_private_is_refuted(library, learning):
    def make_policy(noise, generator):
        return library(learning, generator.integers(1, 2**31, size=1))

    assert audit_private(make_policy, Budget.pure(0.5), samples=30, error=1e-2).verdict == "violation"


def test_a_policy_that_does_not_listen_is_not_refuted():
    assert_private(
        lambda noise, generator: mabwiser("Random", generator.integers(1, 2**31, size=1)),
        Budget.pure(1.0),
        black_box=True,
        seconds=2,
    )


@pytest.mark.parametrize(("library", "learning"), POLICIES)
def test_regret_after_a_hundred_pulls(library, learning):
    def make_policies(rows, generator):
        return library(learning, generator.integers(1, 2**31, size=rows.stop - rows.start))

    assert_regret(make_policies, environment=BernoulliBandit([0.9, 0.1]), horizon=100, bound=40, seconds=10)


@pytest.mark.parametrize(("library", "learning"), POLICIES)
def test_the_libraries_learn_which_arm_is_better(library, learning):
    policy = library(learning, range(1, 21))
    result = simulate(policy, BernoulliBandit([1.0, 0.0]), 40, np.random.default_rng(0))
    assert result.regret.mean() < 15
