"""Players of other shapes move as one policy, replication by replication."""

import numpy as np
import pytest

from banditproof.algorithms import BernoulliBandit, Policy, simulate
from banditproof.algorithms.environment import RewardTable
from banditproof.theory.errors import InvalidInput
from banditproof.verify import check_regret, check_theorem
from banditproof.verify.testing.adapters import Adapted, history, predict_partial_fit, select_update, smpybandits


class FollowTheLeader:
    """All shapes in one player: pulls each arm once, then the best empirical mean, lowest arm first."""

    def __init__(self, labels=(0, 1)):
        self.labels = list(labels)
        self.heard = []

    def leader(self):
        counts = [sum(a == label for a, _ in self.heard) for label in self.labels]
        sums = [sum(r for a, r in self.heard if a == label) for label in self.labels]
        means = [total / count if count else np.inf for total, count in zip(sums, counts, strict=True)]
        return self.labels[int(np.argmax(means))]

    def select_arm(self):
        return self.leader()

    def update(self, arm, reward):
        self.heard.append((arm, reward))

    def startGame(self):
        self.heard = []

    def choice(self):
        return self.leader()

    def getReward(self, arm, reward):
        self.update(arm, reward)

    def fit(self, decisions, rewards):
        assert not self.heard
        self.partial_fit(decisions, rewards)

    def partial_fit(self, decisions, rewards):
        self.heard += zip(decisions, rewards, strict=True)

    def predict(self):
        if not self.heard:
            raise RuntimeError("not fitted")
        return np.array([self.leader()])


def of_history(arms, rewards):
    player = FollowTheLeader()
    player.heard = list(zip(arms, rewards, strict=True))
    return player.leader()


# By hand: arm 1 leads by 1 to 1/2, ties at 1/2 (the lower arm plays), leads by 1/2 and 1/3 to 1/4, and ties at 1/4.
REWARDS = np.array([[0.5, 0], [0, 1], [1, 0], [0, 1], [1, 0], [1, 0], [1, 0], [1, 0]])
TRANSCRIPT = [0, 1, 1, 0, 1, 1, 0, 0]
SHAPES = {
    "select, update": lambda: select_update([FollowTheLeader() for _ in range(3)], 2),
    "choice, getReward": lambda: smpybandits([FollowTheLeader() for _ in range(3)], 2),
    "predict, partial_fit": lambda: predict_partial_fit([FollowTheLeader() for _ in range(3)], 2),
    "function of the history": lambda: history(of_history, 2, replications=3),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_plays_the_transcript_in_every_replication(shape):
    policy = SHAPES[shape]()
    assert isinstance(policy, Policy) and (policy.arms, policy.replications) == (2, 3)
    result = simulate(policy, RewardTable(REWARDS), 8, np.random.default_rng(0), np.arange(1, 9))
    assert result.actions.tolist() == 3 * [TRANSCRIPT]


@pytest.mark.parametrize("shape", SHAPES)
def test_replications_hear_their_own_rewards_and_can_be_dropped(shape):
    policy = SHAPES[shape]()
    for total in ([0.0, 1.0, 0.5], [0.5, 0.5, 0.5]):  # arm 0, then arm 1
        policy.next_batch()
        policy.observe(np.array(total), np.ones(3, dtype=int))
    assert policy.next_batch()[0].tolist() == [1, 0, 0]
    policy.keep(np.array([True, False, True]))
    assert policy.replications == 2 and policy.next_batch()[0].tolist() == [1, 0]
    policy.observe(np.array([0.0, 0.0]), np.ones(2, dtype=int))
    assert policy.next_batch()[0].tolist() == [1, 1]


def test_arms_have_the_names_of_the_library_and_one_object_is_one_replication():
    player = FollowTheLeader(labels=["left", "right"])
    policy = select_update(player, ["left", "right"])
    result = simulate(policy, RewardTable(REWARDS), 8, np.random.default_rng(0), np.arange(1, 9))
    assert result.actions.tolist() == [TRANSCRIPT]
    assert [arm for arm, _ in player.heard] == [["left", "right"][arm] for arm in TRANSCRIPT]


def test_what_was_played_counts_not_what_was_chosen():
    player = FollowTheLeader()
    policy = select_update(player, 2)
    policy.next_batch()
    policy.observe(np.array([1.0]), np.array([1]), np.array([1]))
    assert player.heard == [(1, 1.0)]


def test_sums_of_several_rewards_are_refused():
    policy = select_update(FollowTheLeader(), 2)
    policy.next_batch()
    with pytest.raises(InvalidInput, match="every single reward"):
        policy.observe(np.array([2.0]), np.array([3]))


def test_a_strategy_stops_and_recommends_replication_by_replication():
    strategy = history(
        lambda arms, rewards: len(arms) % 2,
        2,
        replications=3,
        stopped=lambda arms, rewards: sum(rewards) >= 1,
        recommend=lambda arms, rewards: arms[int(np.argmax(rewards))],
    )
    assert strategy.recommendation.tolist() == [-1, -1, -1]  # nobody is asked before there is a history
    for total in ([0.0, 1.0, 0.5], [1.0, 1.0, 0.0]):
        strategy.next_batch()
        strategy.observe(np.array(total), np.ones(3, dtype=int))
    assert strategy.stopped.dtype == bool and strategy.stopped.tolist() == [True, True, False]
    assert strategy.recommendation.tolist() == [1, 0, -1]  # the second one heard nothing after it had stopped


@pytest.mark.parametrize("stopped", ["done", "is_done", lambda player: player.done])
def test_a_player_is_asked_by_name_or_by_a_function(stopped):
    class Strategy(FollowTheLeader):
        done, best = True, 1

        def is_done(self):
            return self.done

    strategy = select_update([Strategy(), Strategy()], 2, stopped=stopped, recommend="best")
    assert strategy.stopped.tolist() == [True, True] and strategy.recommendation.tolist() == [1, 1]


@pytest.mark.parametrize("name", ["stopped", "recommendation"])
def test_a_policy_that_never_stops_has_no_such_attribute(name):
    with pytest.raises(AttributeError, match="pass `"):
        getattr(Adapted(FollowTheLeader(), 2, FollowTheLeader.choice, FollowTheLeader.update), name)


def test_an_adapted_policy_runs_in_an_environment():
    result = simulate(select_update(FollowTheLeader(), 2), BernoulliBandit([1.0, 0.0]), 50, np.random.default_rng(0))
    assert result.regret.tolist() == [[1.0]]


class Greedy:
    """In plain Python, with one replication."""

    def __init__(self, explores):
        self.sums, self.counts, self.explores = [0.0, 0.0], [0, 0], explores

    def select_arm(self):
        if min(self.counts) < self.explores:
            return self.counts.index(min(self.counts))
        return max((0, 1), key=lambda arm: self.sums[arm] / self.counts[arm])

    def update(self, arm, reward):
        self.sums[arm] += reward
        self.counts[arm] += 1


@pytest.mark.parametrize(("explores", "verdict"), [(20, "ok"), (10_000, "violation")])
def test_an_object_that_is_asked_and_told_has_its_regret_checked_as_it_is(explores, verdict):
    bandit = BernoulliBandit([0.9, 0.1])
    report = check_regret(lambda rows, generator: Greedy(explores), bandit, 1000, 60, seconds=3)
    assert report.verdict == verdict, report
    if verdict == "violation":  # a theorem is checked in the same way
        assert check_theorem(lambda *_: Greedy(explores), "ucb", seconds=3).verdict == verdict
