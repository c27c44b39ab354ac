"""The strangers are what they say, by plain means: releases pinned, two neighbouring lists, exact sums compared."""

from collections import Counter
from functools import cache
from inspect import getsource

import numpy as np
import pytest
from specimens.collected import collected
from specimens.common import CAUSES, overspent

from banditproof.algorithms.environment import RewardList
from banditproof.algorithms.noise import NoiseSource

COLLECTION = collected("strangers")
SLACK = 1e-9  # sums of at most 2200 rewards are rounded by less
LEAKS = [s for s in COLLECTION if s.leaks]
HARMLESS = [s for s in COLLECTION if not s.leaks]


class Pinned(NoiseSource):
    """Writes releases down; given the outputs of another run, answers those instead of noise, as long as they last."""

    def __init__(self, seed, outputs=()):
        super().__init__(np.random.default_rng(seed))
        self.outputs, self.told, self.seen = list(outputs), [], []

    def release(self, distribution, value, scale, *, sensitivity, budget, records, norm):
        self.seen.append((distribution, np.array(value), np.array(scale), np.max(sensitivity), records, norm))
        given = len(self.told) < len(self.outputs)
        told = self.outputs[len(self.told)] if given else value + self.draw(distribution, scale, value.shape)
        self.told.append(np.array(told))
        return told


@cache
def neighbours(pulls):
    """Pairs of reward lists and the time at which they differ: constant, binary, uniform; moves up, down, of 0.4."""
    rng = np.random.default_rng(1)
    bits, uniform = (rng.random(pulls) < 0.6).astype(float), rng.random(pulls).round(3)
    pairs = []
    for name, rewards in {"zeros": np.zeros(pulls), "ones": np.ones(pulls), "bits": bits, "uniform": uniform}.items():
        for time in (0, 1, 7, 14, 65, 125, 137, 245, 258, 270, 285):
            other = rewards.copy()
            other[time] = 1 - rewards[time] if name != "uniform" else (rewards[time] + 0.4) % 1
            pairs.append((tuple(rewards), tuple(other), time))
    return pairs


def play(specimen, rewards, seed, outputs=()):
    """The arm of every pull, and the source."""
    noise = Pinned(seed, outputs)
    policy, table = specimen.make_policy(noise, np.random.default_rng(99)), RewardList(rewards, 8)
    actions = []
    while len(actions) < len(rewards):
        arm, count = policy.next_batch()
        assert arm.shape == count.shape == (1,) and 0 <= arm[0] < policy.arms and count[0] >= 1
        count = np.minimum(count, len(rewards) - len(actions))
        policy.observe(table.sum_of_rewards(arm, count, time=np.array([len(actions)])), count)
        actions += [int(arm[0])] * int(count[0])
    return actions, noise


first_run = cache(play)


def findings(specimen, rewards, other, time, seed):
    """What two runs with the same released values show: a set of words, and the cost of the releases."""
    actions, noise = first_run(specimen, rewards, seed)
    replayed, again = play(specimen, other, seed, noise.told)
    same = next((i for i, pair in enumerate(zip(actions, replayed, strict=True)) if pair[0] != pair[1]), None)
    found = set() if same is None else {"actions"}
    shifts, hidden = [], 0
    for (kind, value, scale, sensitivity, records, order), (_, v, s, *_) in zip(noise.seen, again.seen, strict=False):
        if same is not None and records is not None and records[1][0] > same + 1:
            break  # the two runs have parted
        if value.shape != v.shape or not np.array_equal(scale, s):
            found.add("declaration")
            break
        shift = float(np.linalg.norm((value - v).ravel(), 1 if order == "l1" else 2))
        if shift <= SLACK:
            continue
        if shift > sensitivity + SLACK:
            found.add("sensitivity")
        inside = records is not None and records[0][0] <= time < records[1][0]
        hidden += not inside
        shifts.append((kind, shift / float(np.max(scale)) if scale.any() else np.inf))
    if overspent(specimen.budget, shifts, specimen.leaks):
        found.add("budget")
        if hidden:
            found.add("records")
    return found


SHOWN_BY = {
    "raw rewards": {"actions"},
    "noise": {"actions"},
    "noise reused": {"actions"},
    "outside randomness": {"actions"},
    "sensitivity": {"sensitivity"},
    "records": {"records"},
    "budget": {"budget"},
    "mechanism": {"budget"},
    "declaration": {"declaration"},
}


def test_the_collection_is_of_the_size_and_variety_it_claims():
    assert (len(LEAKS), len(HARMLESS)) == (50, 25)
    assert len({s.name for s in COLLECTION}) == 75
    causes = Counter(s.cause for s in LEAKS)
    assert set(causes) == set(CAUSES) and min(causes.values()) >= 3
    assert {s.cause for s in HARMLESS} == {""}


def test_what_is_blamed_stands_in_the_source():
    assert [s.name for s in COLLECTION if s.line not in getsource(s.make_policy) or not s.why] == []


@pytest.mark.one_in(2)
@pytest.mark.parametrize("specimen", LEAKS, ids=lambda s: s.name)
def test_a_leak_shows_on_a_pair_of_stored_lists(specimen):
    pulls, wanted = specimen.pulls, SHOWN_BY[specimen.cause]
    pairs = ((pair, seed) for seed in range(12) for pair in neighbours(pulls))
    assert any(wanted <= findings(specimen, *pair, seed) for pair, seed in pairs)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("specimen", HARMLESS, ids=lambda s: s.name)
def test_a_harmless_one_shows_nothing_on_any_pair(specimen, every_point):
    pairs = neighbours(specimen.pulls)[:: 2 if every_point else 5]  # of all lists and at all times
    shown = [findings(specimen, *pair, i % 3) for i, pair in enumerate(pairs)]
    assert not any(shown)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("specimen", HARMLESS, ids=lambda s: s.name)
def test_a_harmless_one_acts_on_its_releases_at_all(specimen):
    """Otherwise nothing could go wrong, and nothing would be shown."""
    rewards = neighbours(specimen.pulls)[0][0]
    assert len({tuple(play(specimen, rewards, seed)[0]) for seed in range(8)}) > 1


@pytest.mark.parametrize(
    ("name", "first", "second", "pull", "expected"),
    [
        ("TiesByExactMean", (0, 0.5, 0.5, 0), (1, 0.5, 0.5, 0), 3, (0.16, 0.59)),
        ("ImpossibleMeansReplaced", (1, 0, 0, 0, 0), (1, 1, 0, 0, 0), 4, (0.159, 0.568)),
        ("CentsKept", (1, 1, 0, 0, 0), (1, 1, 0.9, 0, 0), 4, (0.303, 0.877)),
        ("LogOdds", (0, 0, 0, 0, 0), (1, 0, 0, 0, 0), 4, (0.411, 0.842)),
        ("RobustMean", (0, 0, 0, 1, 1, 0), (0, 0, 1, 1, 1, 0), 5, (0.041, 0.959)),
        ("LaplaceForGaussianDP", (0, 0), (1, 0), 1, (0.303, 0.697)),
    ],
)
def test_arm_0_is_kept_with_the_probabilities_that_were_worked_out(name, first, second, pull, expected):
    specimen = next(s for s in COLLECTION if s.name == name)
    runs = 400
    for rewards, probability in zip((first, second), expected, strict=True):
        kept = np.mean([play(specimen, rewards, seed)[0][pull] == 0 for seed in range(runs)])
        assert abs(kept - probability) < 4.5 * np.sqrt(probability * (1 - probability) / runs)
