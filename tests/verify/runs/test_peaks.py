"""Noise that has an end, or few values: outputs that are impossible on a neighbour, or too rare there."""

import random

import numpy as np
import pytest

from banditproof.theory import Budget
from banditproof.verify import check_privacy, replayed
from banditproof.verify.runs.foreign.arms import ByArms
from banditproof.verify.runs.foreign.draws import exchanged
from banditproof.verify.runs.foreign.peaks import steepest
from banditproof.verify.runs.foreign.policies import Stage
from banditproof.verify.runs.foreign.solving import Solver
from banditproof.verify.runs.possible_rewards import UNIT

RNG = np.random.default_rng()


def until(told, total, scale=1.0):
    while True:
        noise = RNG.laplace(0, scale)
        if told(total + noise, noise):
            return total + noise


BROKEN = {
    "clipped": lambda x: x + np.clip(RNG.laplace(), -2, 2),
    "clipped far out": lambda x: x + min(max(RNG.laplace(), -3), 3),
    "drawn again": lambda x: until(lambda value, noise: abs(noise) < 2, x),
    "folded": lambda x: x + abs(RNG.laplace()),
    "wrapped": lambda x: x + RNG.laplace() % 4,
    "coarse": lambda x: x + 2 * round(RNG.laplace() / 2),
    "uniform": lambda x: x + random.uniform(-3, 3),
    "triangular": lambda x: x + random.triangular(-3, 3),
    "coins": lambda x: x + sum(random.choice([-1, 1]) for _ in range(4)),
    "never below": lambda x: max(x, x + RNG.laplace()),
}


def by_inversion():
    share = RNG.random() - 0.5
    return -float(np.sign(share) * np.log(1 - 2 * abs(share)))


SOUND = {
    "laplace": lambda x: x + RNG.laplace(),
    "clipped after": lambda x: float(np.clip(x + RNG.laplace(), 0, 8)),
    "rounded after": lambda x: round(x + RNG.laplace()),
    "wrapped after": lambda x: (x + RNG.laplace()) % 8,
    "wrapped, by inversion": lambda x: (x + by_inversion()) % 8,
    "folded after": lambda x: abs(x + RNG.laplace() - 4) + 3,
    "drawn again": lambda x: until(lambda value, noise: 0 < value < 8, x, 2.0),
    "exponentials": lambda x: x + random.expovariate(1) - random.expovariate(1),
}


class Deciding:
    """Sums of eight rewards; the arm changes where a noisy sum is low."""

    def __init__(self, noisy):
        self.noisy, self.arm, self.total, self.count = noisy, 0, 0.0, 0

    def select_arm(self):
        return self.arm

    def update(self, arm, reward):
        self.total += reward
        self.count += 1
        if self.count == 8:
            self.learn(arm, self.total)
            self.total, self.count = 0.0, 0

    def learn(self, arm, total):
        if self.noisy(total) < 4:
            self.arm = 1 - arm


class Keeping(Deciding):
    def __init__(self, noisy):
        super().__init__(noisy)
        self.told = [9.0, 9.0]

    def learn(self, arm, total):
        self.told[arm] = self.noisy(total)
        self.arm = self.told.index(max(self.told))


@pytest.mark.parametrize("kind", [Deciding, Keeping])
@pytest.mark.parametrize("noise", BROKEN)
def test_what_is_impossible_on_a_neighbour_is_found(kind, noise, seconds):
    report = check_privacy(replayed(lambda: kind(BROKEN[noise])), Budget.pure(1.0), seconds=seconds)
    assert report.verdict == "violation", report


@pytest.mark.parametrize("kind", [Deciding, Keeping])
@pytest.mark.parametrize("noise", SOUND)
def test_what_is_made_of_released_values_is_not_accused(kind, noise, seconds):
    report = check_privacy(replayed(lambda: kind(SOUND[noise])), Budget.pure(1.0), seconds=seconds)
    assert report.verdict == "ok" or noise == "drawn again" and report.verdict == "inconclusive", report


class Bent(Keeping):
    """Beside the noisy sum, with half of the budget, a root that two draws of its noise bring back."""

    def __init__(self, scale):
        super().__init__(lambda x: x + RNG.laplace(0, 2))
        self.scale, self.spread = scale, [1.0, 1.0]

    def learn(self, arm, total):
        super().learn(arm, total)
        self.spread[arm] = abs(total - 2 + RNG.laplace(0, self.scale)) ** 0.5


def dear(scale, seed):
    with exchanged():
        solver, rewards = Solver(Stage(replayed(lambda: Bent(scale))), Budget.pure(1.0)), (1.0, 0.0) * 4
        recorded = solver.recorded(solver.stage.play(rewards, seed), seed)
        recorded.noisy |= recorded.kept() | {entry.path for moved in recorded.depends.values() for entry in moved}
        return bool(solver.whole(recorded, (0.0, *rewards[1:])).dear)


def test_the_cheaper_of_two_draws_counts_also_where_neither_is_too_dear_alone():
    assert not any(dear(2, seed) for seed in range(20)) and any(dear(1, seed) for seed in range(5))


@pytest.mark.parametrize("noise, least", [("clipped", 9.0), ("coarse", 1.4), ("laplace", 0.9)])
def test_rewards_are_driven_to_where_they_do_most(noise, least):
    """The noise of the sum alone: with an end its price has no bound, in steps of two it is that of two."""
    with exchanged():
        stage = Stage(replayed(lambda: Deciding({**SOUND, **BROKEN}[noise])))
        arms = ByArms(stage, 1.0001)
        run = stage.play((1.0, 0.0) * 8, 0)
        (lever,) = arms.first_deciding(run, 0)
        found = list(steepest(stage, run, 0, lever, UNIT, least))
        assert found and not list(steepest(stage, run, 0, lever, UNIT, 1.0001)) == (noise != "laplace")
        for one, two, seed in found:
            differing = [t for t, (a, b) in enumerate(zip(one, two, strict=True)) if a != b]
            assert len(differing) == 1 and differing[0] < 8
            assert stage.play(one, seed).actions[:12] != stage.play(two, seed).actions[:12]


class Overlapping(Deciding):
    """Half of the rewards of a sum are in the next one too, where the scale does not allow for it."""

    def __init__(self, scale):
        super().__init__(lambda total: total + RNG.laplace(0, scale))
        self.half = 0.0

    def update(self, arm, reward):
        self.half += reward if self.count >= 4 else 0.0
        super().update(arm, reward)
        if not self.count:
            self.total, self.count, self.half = self.half, 4, 0.0


class Wearing(Deciding):
    """No noise from the sixth sum on; `empty` is not filled at first."""

    def __init__(self, last):
        super().__init__(self.told)
        self.last, self.number, self.empty = last, 0, np.full(3, np.nan)

    def told(self, total):
        self.number += 1
        self.empty[self.number % 3] = total // 8
        return total + RNG.laplace() if self.number < self.last else total


@pytest.mark.parametrize(
    "make, verdicts",
    [
        (lambda: Wearing(6), {"violation"}),
        (lambda: Overlapping(1.0), {"violation", "inconclusive"}),
        (lambda: Overlapping(2.0), {"ok", "inconclusive"}),
    ],
)
def test_two_decisions_and_late_ones_are_looked_at(make, verdicts, seconds):
    report = check_privacy(replayed(make), Budget.pure(1.0), seconds=seconds)
    assert report.verdict in verdicts, report
