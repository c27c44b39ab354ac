"""Noise of whole values shows what it is added to; what is rounded with the noise in it does not."""

import math
import random
import re

import numpy as np
import pytest

from banditproof.theory.privacy.budget import Budget
from banditproof.verify import check_privacy, replayed
from banditproof.verify.runs.foreign.draws import exchanged
from banditproof.verify.runs.foreign.policies import Stage
from banditproof.verify.runs.foreign.steps import _common, told_beside_steps


def laplace(scale):
    return np.random.laplace(0, scale)  # noqa: NPY002


def difference_of_geometric():
    return np.random.geometric(0.22) - np.random.geometric(0.22)  # noqa: NPY002


def by_inversion():
    u = np.random.random() - 0.5  # noqa: NPY002
    return -4 * np.sign(u) * np.log(1 - 2 * abs(u))


RELEASES = {
    "rounded by Python": lambda total: (total + round(laplace(4))) / 4,
    "rounded by NumPy": lambda total: total + np.round(laplace(4)),
    "noise of the mean": lambda total: total / 4 + np.rint(laplace(1)),
    "cut": lambda total: total + int(laplace(4)),
    "tenths, from below": lambda total: total + np.floor(10 * laplace(4)) / 10,
    "thousandths": lambda total: total + np.round(laplace(4), 3),
    "normal": lambda total: total + np.round(np.random.normal(0, 8)),  # noqa: NPY002
    "by inversion": lambda total: total + np.ceil(by_inversion()),
    "geometric": lambda total: total + difference_of_geometric(),
}
SOUND = {
    "wrapped": lambda total: (total + laplace(4)) % 2,
    "wrapped at 4.1": lambda total: (total + laplace(4)) % 4.1,
    "not rounded": lambda total: (total + laplace(4)) / 4,
    "rounded afterwards": lambda total: round(total + laplace(4)) / 4,
    "to tenths afterwards": lambda total: np.round(total + laplace(4), 1),
    "cut afterwards": lambda total: int(total + laplace(4)),
    "fixed point": lambda total: (int(1000 * total) + round(laplace(4000))) / 1000,
    "clipped": lambda total: min(max(total + laplace(4), 0.0), 4.0),
    "a flag": lambda total: float(total + laplace(4) > 2),
    "a vote, or a coin": lambda total: float(total > 2) if random.random() < 0.5 else random.randint(0, 1),
}


class Batches:
    """Two arms, four pulls each in turn, and then the one whose noisy number is larger; `release` says what is kept."""

    def __init__(self, release):
        self.release, self.kept, self.batch, self.pulls = release, [0.0, 0.0], [[], []], 0

    def select_arm(self):
        return self.pulls // 4 if self.pulls < 8 else int(self.kept[1] > self.kept[0])

    def update(self, arm, reward):
        self.pulls += 1
        self.batch[arm].append(reward)
        if len(self.batch[arm]) == 4:
            self.kept[arm] = self.release(sum(self.batch[arm]))
            self.batch[arm] = []


def told(release, values=None):
    """The numbers that tell a reward, on a list of 10 rewards of which some are changed, until one is found."""
    stage, generator = Stage(replayed(lambda: Batches(release))), np.random.default_rng(0)
    draw = generator.random if values is None else lambda n=None: generator.choice(values, n)
    rewards = tuple(map(float, draw(10)))
    with exchanged():
        run = stage.play(rewards, 0)
        for time in (1, 3, 6):
            neighbour = (*rewards[:time], float(draw()), *rewards[time + 1 :])
            if found := list(told_beside_steps(stage, run, 0, neighbour)):
                return found
    return []


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", RELEASES)
def test_noise_in_steps_tells_a_reward(name):
    found = told(RELEASES[name])
    assert found and all(number.entry.path.startswith("kept") for number in found)
    steps = {"rounded by Python": 1 / 4, "tenths, from below": 1 / 10, "thousandths": 1 / 1000}
    step = re.search(r"by multiples of (\S+) only", found[0].why)
    assert float(step[1]) == pytest.approx(steps.get(name, 1.0), rel=1e-5)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", SOUND)
def test_other_noise_does_not(name):
    assert not told(SOUND[name])


@pytest.mark.parametrize("name", ["rounded by Python", "rounded by NumPy", "cut", "geometric"])
def test_neither_does_whole_noise_on_whole_rewards(name):
    assert not told(RELEASES[name], [0, 1])


def test_the_mean_of_whole_rewards_is_no_whole_number():
    assert told(RELEASES["noise of the mean"], [0, 1])


def test_steps_have_the_largest_common_divisor():
    assert _common([0.75, 0.5, 1.25]) == pytest.approx(0.25)
    assert _common([1.0, 2**0.5]) is None


@pytest.mark.parametrize("name", RELEASES)
def test_it_is_a_violation(name):
    report = check_privacy(replayed(lambda: Batches(RELEASES[name])), Budget.pure(1.0))
    assert report.verdict == "violation"
    assert re.search(r"no noise gives \S+ the same value on the neighbour", str(report))
    assert "test_steps.py" in report.violations[0].line


@pytest.mark.parametrize("name", ["not rounded", "rounded afterwards", "to tenths afterwards", "clipped"])
def test_sound_noise_is_none(name):
    assert check_privacy(replayed(lambda: Batches(SOUND[name])), Budget.pure(1.0)).verdict != "violation"


class Board(Batches):
    """Also keeps the larger number."""

    def update(self, arm, reward):
        super().update(arm, reward)
        self.best = max(self.kept)


def test_a_number_that_shows_in_place_of_another_one_is_no_end_of_the_noise():
    """The largest number is never below the second one, which has noise of its own."""
    rewards, one_sided = (0.5, 0.25) * 4, lambda total: total + abs(laplace(1))
    for release, accused in ((lambda total: total + laplace(1), False), (one_sided, True)):
        stage = Stage(replayed(lambda release=release: Board(release)))
        found = []
        with exchanged():
            for seed in range(6):
                run = stage.play(rewards, seed)
                for time in (1, 6):
                    neighbour = (*rewards[:time], 1.0, *rewards[time + 1 :])
                    found += told_beside_steps(stage, run, seed, neighbour)
        assert bool(found) == accused


@pytest.mark.parametrize("never", [0.0, 0.2])
def test_a_whole_width_with_a_sign_leaves_a_gap_unless_it_is_0_now_and_then(never):
    def release(total):
        side, width = random.random() - 0.5, np.random.geometric(0.5)  # noqa: NPY002
        return total + (np.sign(side) * width if abs(side) >= never else 0.0)

    found = told(release, [0, 1])
    assert bool(found) == (not never) and all("noise leaves it between" in number.why for number in found)


@pytest.mark.parametrize("rate", [0.001, 0.01, 0.3])
def test_a_width_that_may_be_0_leaves_no_gap_however_seldom_it_is(rate):
    def release(total):
        side, width = random.random() - 0.5, np.random.geometric(rate)  # noqa: NPY002
        return total + np.sign(side) * (width - 1)

    assert not any("noise leaves it between" in number.why for number in told(release, [0, 1]))


def drawn_anew():
    z = laplace(4)
    while abs(z) > 20:
        z = laplace(4)
    return z


def of_two(scale):
    return random.expovariate(1 / scale) - random.expovariate(1 / scale)


@pytest.mark.parametrize(
    "release, accused",
    [
        (lambda total: total + max(-20.0, min(20.0, laplace(4))), True),
        (lambda total: (total + min(24.0, of_two(4))) / 4, True),
        (lambda total: total + float(np.clip(by_inversion(), -28, 28)), True),
        (lambda total: max(-20.0, min(20.0, total + of_two(4))), False),
        (lambda total: total + drawn_anew(), False),
        (lambda total: total + laplace(4) if random.random() < 0.5 else of_two(4), False),
    ],
)
def test_noise_that_is_clipped_far_out_leaves_a_value_that_tells_a_reward(release, accused):
    found = told(release)
    assert bool(found) == accused and ("an end of its" in found[0].why if found else True)
    assert not found or 1e-4 < found[0].chance < 0.01


@pytest.mark.parametrize("scale, verdicts", [(4.0, {"ok", "inconclusive"}), (3.96, {"violation"})])
def test_the_slope_of_a_uniform_draw_is_as_exact_as_a_price(scale, verdicts):
    def signed_width(total):
        sign = -1.0 if random.getrandbits(1) else 1.0
        return total - sign * scale * math.log(1.0 - random.random())

    report = check_privacy(replayed(lambda: Batches(signed_width)), Budget.pure(0.25), seconds=6)
    assert report.verdict in verdicts, report
