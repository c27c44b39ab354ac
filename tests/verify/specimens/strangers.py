"""The two plain policies that most strangers are refactorings of, and what several of them stand on."""

from __future__ import annotations

import numpy as np

from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Policy
from banditproof.theory.privacy.budget import Budget


class WinStay(Policy):
    """Plays blocks; stays on an arm while the released mean of its block reaches the `bar`, else takes the next arm.

    Whether a release lies below `bar` times the length of the block shows in the next action, so an event of actions
    can be a tail of the noise, where neighbours differ by the full e^epsilon.
    """

    length, bar = 4, 0.5
    epsilon = 1.0

    def __init__(self, noise: NoiseSource, generator: np.random.Generator) -> None:
        super().__init__(3)
        self.noise, self.generator = noise, generator
        self.clock, self.current = 0, 0
        self.start()

    def start(self) -> None:
        """State of a subclass."""

    def size(self) -> int:
        return self.length

    def next_batch(self):
        return np.array([self.current]), np.array([self.size()])

    def observe(self, total, count, arm=None):
        if arm is not None:
            self.current = int(arm[0])
        self.hear(float(total[0]), int(count[0]))
        self.clock += int(count[0])

    def hear(self, total: float, count: int) -> None:
        self.decide(self.release(total, count) / count)

    def decide(self, mean: float) -> None:
        if mean < self.bar:
            self.move()

    def move(self) -> None:
        self.current = (self.current + 1) % self.arms

    def records(self, count: int):
        """The `count` rewards that end with the batch being heard."""
        return np.array([self.clock]), np.array([self.clock + count])

    def release(self, value: float, count: int, *, epsilon: float | None = None, sensitivity: float = 1.0) -> float:
        """A statistic of the batch being heard, with Laplace noise."""
        budget = Budget.pure(self.epsilon if epsilon is None else epsilon)
        noisy = self.noise.laplace(
            np.array([value]), sensitivity=sensitivity, budget=budget, records=self.records(count)
        )
        return float(noisy[0])


class Singles(WinStay):
    """Hears single rewards, and collects `length` of them before it decides."""

    def __init__(self, noise, generator) -> None:
        self.buffer: list[float] = []
        super().__init__(noise, generator)

    def size(self):
        return 1

    def hear(self, total, count):
        self.buffer.append(total)
        if len(self.buffer) >= self.length:
            self.full()
            self.buffer = []

    def full(self) -> None:
        """Learn from a full buffer."""
        self.decide(self.release(sum(self.buffer), len(self.buffer)) / len(self.buffer))

    def records(self, count):
        return np.array([self.clock + 1 - count]), np.array([self.clock + 1])


class GaussianStay(WinStay):
    """Single pulls, Gaussian noise of a `multiplier` worked out by hand."""

    length, promise, multiplier = 1, Budget.zcdp(2.0), 0.5

    def hear(self, total, count):
        noisy = self.noise.gaussian(
            np.array([total]),
            sensitivity=1.0,
            budget=self.promise,
            records=self.records(count),
            multiplier=self.multiplier,
        )
        self.decide(noisy[0])


class Renaming(Policy):
    """Plays another policy with the arms under other names."""

    def __init__(self, inner, names):
        super().__init__(inner.arms)
        self.inner, self.names = inner, np.asarray(names)

    def next_batch(self):
        arm, count = self.inner.next_batch()
        return self.names[arm], count

    def observe(self, total, count, arm=None):
        self.inner.observe(total, count, None if arm is None else np.argsort(self.names)[arm])
