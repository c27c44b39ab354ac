"""The race of reward lists: what starts, what is believed, what is looked at, and how runs are spent."""

import numpy as np
import pytest

from banditproof.verify.privacy import reward_race
from banditproof.verify.privacy.reward_race import _numbered, believed, mostly_pulled, race, reward_pairs, statistics


@pytest.mark.parametrize("horizon", [1, 2, 12])
def test_lists_differ_in_one_reward_and_sums_of_them_are_exact(horizon):
    pairs = reward_pairs(horizon, np.random.default_rng(0))
    assert len(set(pairs)) == len(pairs) and {pair.time for pair in pairs} <= set(range(horizon))
    assert any({*pair.rewards} == {0.25} for pair in pairs[:24])
    for pair in pairs:
        differing = [t for t in range(horizon) if pair.rewards[t] != pair.neighbour[t]]
        assert differing == [pair.time] and all((4 * r) % 1 == 0 for r in (*pair.rewards, *pair.neighbour))


def test_lists_on_the_way_hold_every_difference_of_the_sums_of_two_arms():
    arms = mostly_pulled(np.array([[0, 1, 0, 1, 1, 0, 1, 0], [0, 1, 0, 1, 1, 0, 1, 1], [0, 1, 0, 1, 1, 0, 1, 1]]))
    ways = set(reward_pairs(8, np.random.default_rng(0), arms)) - set(reward_pairs(8, np.random.default_rng(0)))

    def apart(rewards):
        return sum(reward * (1 - 2 * arm) for reward, arm in zip(rewards, arms, strict=True))

    assert arms == [0, 1, 0, 1, 1, 0, 1, 1] and all(pair.time < 7 for pair in ways)
    assert {apart(pair.rewards) for pair in ways} | {apart(pair.neighbour) for pair in ways} >= {*range(-5, 4)}


def test_beliefs_are_shares_of_earlier_runs_and_even_where_there_were_none():
    seen = np.array([[0, 1], [0, 1], [0, 1], [1, 1]])
    coins = np.array([True, True, False, False])
    found = believed(seen, coins, np.array([[0, 1], [1, 1], [5, 5]]))
    assert found.tolist() == [2.5 / 4, 0.5 / 2, 0.5]


def test_a_leaking_action_is_found_by_the_statistics():
    generator = np.random.default_rng(1)
    coins, actions = generator.random(400) < 0.5, generator.integers(0, 2, (400, 10))
    actions[:, 7] = coins
    evidence = statistics(actions, coins, 1)
    assert {"action 7": 8, "the 2 actions from 1 on": 3}.items() <= {one.name: one.length for one in evidence}.items()
    for one in evidence:  # what is looked at is seen in runs that end there
        assert np.array_equal(one.values(actions[:, : one.length]), one.values(actions))
    for statistic in evidence[-2:]:  # that action, and the score
        beliefs = believed(statistic.values(actions[:200]), coins[:200], statistic.values(actions[200:]))
        assert np.mean((beliefs > 0.5) == coins[200:]) > 0.95


def test_the_leaking_pair_wins_and_no_more_runs_are_spent_than_given():
    pairs = reward_pairs(6, np.random.default_rng(0))
    leak, drawn = pairs[5], []

    def player(rewards, size, generator):
        drawn.append(size)
        actions = generator.integers(0, 2, (size, 6))
        if tuple(rewards) == leak.neighbour:
            actions[:, leak.time] = 1
        return actions

    standings = list(race(player, pairs, [(0.1, 0.0)], 3000, np.random.default_rng(2)))
    assert standings[-1].runs == sum(drawn) == 3000
    assert leak.neighbour in (standings[-1].pair.rewards, standings[-1].pair.neighbour)
    assert standings[-1].log_wealth > 20 and standings[-1].statistic is not None


def test_pairs_that_have_not_begun_when_it_is_late_are_left_out_and_still_count_in_the_wealth():
    pairs, played = reward_pairs(6, np.random.default_rng(0)), []

    def player(rewards, size, generator):
        played.append(tuple(rewards))
        return generator.integers(0, 2, (size, 6))

    standings = list(
        race(player, pairs, [(0.1, 0.0)], 3000, np.random.default_rng(2), late=lambda: len({*played}) >= 6)
    )
    assert standings[-1].runs == 3000 and len({*played}) < 10 < len(pairs)
    assert all(standing.statistic is not None for standing in standings[1:])  # from its second turn on there are bets
    assert standings[-1].log_wealth > -np.log(len(pairs))


def test_each_bet_is_begun_once_and_its_wealth_read_as_often_as_it_has_grown(monkeypatch):
    begun, read = [], []

    class Counted(reward_race.SequentialAudit):
        def __init__(self, *given):
            begun.append(self)
            super().__init__(*given)

        def __getattribute__(self, name):
            read.extend([name] if name == "log_wealth" else [])
            return super().__getattribute__(name)

    monkeypatch.setattr(reward_race, "SequentialAudit", Counted)
    pairs = reward_pairs(6, np.random.default_rng(0))

    def player(rewards, size, generator):
        return generator.integers(0, 2, (size, 6))

    standings = list(race(player, pairs, [(0.1, 0.0)], 3000, np.random.default_rng(2)))
    of_a_pair = 2 * len(statistics(np.zeros((2, 6), dtype=int), np.array([True, False]), 0))
    assert len(begun) == of_a_pair * len(pairs)
    assert len(read) < 4 * of_a_pair * len(standings)


def test_rows_of_small_counts_are_numbered_one_by_one():
    rows = np.random.default_rng(0).integers(0, 3, (500, 5))
    assert len(np.unique(_numbered(rows))) == len(np.unique(rows, axis=0))
    assert _numbered(rows * 10**15).shape == rows.shape  # too large for one integer
