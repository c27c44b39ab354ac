"""What a specimen is, and the plain policies that most of them are variations of.

Specimens are read as engineers write them: small classes with plain numbers. `Single` translates between those and the
arrays of a `Policy` with one replication.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import norm

from banditproof.algorithms import NoiseSource
from banditproof.algorithms.policy import Policy
from banditproof.theory import Budget
from banditproof.theory.privacy.budget import gaussian_delta

CAUSES = (
    "raw rewards",
    "sensitivity",
    "records",
    "budget",
    "noise",
    "noise reused",
    "outside randomness",
    "declaration",
    "mechanism",
)

PURE = Budget.pure(1.0)


@dataclass(frozen=True)
class Specimen:
    """A policy whose privacy is known: `leaks` is the truth, `why` its reason, `line` the fragment to blame.

    `cause` is one of CAUSES, empty for harmless ones; `pulls` is a horizon that shows the bug, and `seed` makes a pair
    of reward lists that show it.
    """

    name: str
    make_policy: Callable[[NoiseSource, np.random.Generator], Policy]
    budget: Budget
    leaks: bool
    why: str
    cause: str
    line: str = ""
    pulls: int = 300
    seed: int = 0


# What releases spend by the textbook, and what may be spent: of the shifts of values in scales of their Laplace noise,
# of the sum of the squares of those with Gaussian noise, and whether it may be less than the truth or more.
SPENT: dict[str, Callable[[Any, list[float], float, bool], tuple[float, float]]] = {
    "pure": lambda b, laplace, squares, less: (math.inf if squares else math.fsum(laplace), b.epsilon),
    "zcdp": lambda b, laplace, squares, less: (
        math.fsum(r + math.exp(-r) - 1 if less else r * r / 2 for r in laplace) + squares / 2,
        b.rho,
    ),
    "rdp": lambda b, laplace, squares, less: (b.order * squares / 2, b.epsilon),
    "gdp": lambda b, laplace, squares, less: max(  # of one Laplace release its total variation
        [(math.sqrt(squares), b.mu), *((1 - math.exp(-r / 2), 2 * norm.cdf(b.mu / 2) - 1) for r in laplace)],
        key=lambda pair: pair[0] / pair[1],
    ),
    "approximate": lambda b, laplace, squares, less: (gaussian_delta(math.sqrt(squares), b.epsilon), b.delta),
}


def overspent(budget: Budget, shifts: Iterable[tuple[str, float]], surely: bool) -> bool:
    """Whether shifts, each with the name of the noise and in its scale, `surely` exceed the budget or may exceed it."""
    moved = list(shifts)
    laplace = [shift for law, shift in moved if law == "laplace"]
    squares = math.fsum(shift * shift for law, shift in moved if law == "normal")
    assert surely or not laplace or budget.kind in ("pure", "zcdp")
    spent, allowed = SPENT[budget.kind](budget, laplace, squares, surely)
    return spent > allowed * (1 + 1e-9)


class Single(Policy):
    """One replication in plain numbers: `choose` names (arm, count), `hear` hears (total, count, arm played).

    In `hear`, `clock` is the time of the batch's first reward.
    """

    K = 2

    def __init__(self, noise: NoiseSource, generator: np.random.Generator) -> None:
        super().__init__(self.K)
        self.noise, self.generator = noise, generator
        self.clock, self.recommended = 0, 0
        self.setup()

    def setup(self) -> None: ...

    def next_batch(self):
        self.recommended, count = self.choose()
        return np.array([self.recommended]), np.array([count])

    def observe(self, total, count, arm=None):
        played = self.recommended if arm is None else int(arm[0])
        self.hear(float(total[0]), int(count[0]), played)
        self.clock += int(count[0])

    def laplace(self, value, sensitivity, epsilon, start, stop, arm=None):
        """`value` (a number or a list of numbers) released with a pure budget, for the rewards of [start, stop)."""
        budget, value = Budget.pure(epsilon), np.array([value], dtype=float)
        out = self.noise.laplace(value, sensitivity=sensitivity, budget=budget, records=between(start, stop, arm))
        return float(out[0]) if out.ndim == 1 else out[0]

    def gaussian(self, value, sensitivity, budget, start, stop, arm=None, **options):
        """As `laplace`, with Gaussian noise."""
        value, records = np.array([value], dtype=float), between(start, stop, arm)
        out = self.noise.gaussian(value, sensitivity=sensitivity, budget=budget, records=records, **options)
        return float(out[0]) if out.ndim == 1 else out[0]


def between(start, stop, arm=None):
    """Records: the rewards of [start, stop), or those among them that `arm` brought."""
    ends = (np.array([start]), np.array([stop]))
    return ends if arm is None else (*ends, np.array([arm]))


class Episodes(Single):
    """Index policy: the sum of every batch is released once, and an arm's index knows its last release only."""

    epsilon = 1.0
    longest = 64

    def setup(self):
        self.mean = np.full(self.K, np.inf)  # of the last release; unplayed arms come first
        self.n = np.ones(self.K)  # rewards in it
        self.batches = [0] * self.K

    def choose(self):
        arm = int(np.argmax(self.index()))
        return arm, self.length(arm)

    def length(self, arm):
        return min(2 ** self.batches[arm], self.longest)

    def index(self):
        return self.mean + np.sqrt(np.log(self.clock + 2) / self.n)

    def hear(self, total, count, arm):
        self.batches[arm] += 1
        self.n[arm] = count
        self.mean[arm] = self.release(total, count, arm) / count

    def release(self, total, count, arm):
        return self.laplace(total, 1.0, self.epsilon, self.clock, self.clock + count)


class Collecting(Single):
    """One pull at a time: an arm's rewards are collected and released `size` at a time."""

    epsilon = 1.0
    size = 10

    def setup(self):
        self.mean = np.full(self.K, 1.0)
        self.bag = [[] for _ in range(self.K)]
        self.since = [0] * self.K
        self.releases = 0

    def choose(self):
        if self.generator.random() < 0.1:
            return int(self.generator.integers(self.K)), 1
        return int(np.argmax(self.mean)), 1

    def hear(self, total, count, arm):
        if not self.bag[arm]:
            self.since[arm] = self.clock
        self.bag[arm] += [total] + [0.0] * (count - 1)  # one entry per pull
        if len(self.bag[arm]) >= self.size:
            self.mean[arm] = self.release(arm, self.since[arm], self.clock + count) / len(self.bag[arm])
            self.releases += 1
            self.bag[arm] = []

    def release(self, arm, start, stop):
        return self.laplace(sum(self.bag[arm]), 1.0, self.epsilon, start, stop, arm)


class Threshold(Single):
    """A known arm 0 of mean 1/2 and a new arm 1: batches of `size` of arm 1 are released, and decide on what follows.

    The length of the batch of arm 0 that follows shows the released sum to one half, so actions say what releases say.
    """

    size = 8
    budget = PURE

    def setup(self):
        self.released, self.explore = 0.0, True

    def choose(self):
        if self.explore:
            return 1, self.size
        return 0, 1 + int(2 * min(max(self.released + 5, 0), self.size + 10))

    def hear(self, total, count, arm):
        if self.explore:
            self.released = self.release(total, self.clock, self.clock + count)
        self.explore = not self.explore

    def release(self, total, start, stop):
        return self.gaussian(total, 1.0, self.budget, start, stop)


class Tree(Single):
    """Binary counter: node [i 2^h, (i+1) 2^h) is released when it is full; `share` is what a level may spend."""

    height = 5  # a forest of trees over 32 pulls

    def setup(self):
        self.open = [0.0] * (self.height + 1)
        self.known = []  # (start, stop, noisy) of the maximal full nodes of this tree
        self.level = 0.5

    def share(self, h):
        return 1.0 / (self.height + 1)

    def choose(self):
        return int(self.level < 0.5), 1

    def hear(self, total, count, arm):
        for _ in range(count):
            self.step(total)
            total = 0.0
            self.clock += 1
        self.clock -= count

    def step(self, reward):
        end = self.clock + 1
        for h in range(self.height + 1):
            self.open[h] += reward
            if end % 2**h == 0:
                noisy = self.laplace(self.open[h], 1.0, self.share(h), end - 2**h, end)
                self.known = [node for node in self.known if node[0] < end - 2**h] + [(end - 2**h, end, noisy)]
                self.open[h] = 0.0
        begin = (end - 1) // 2**self.height * 2**self.height
        self.known = [node for node in self.known if node[0] >= begin]
        self.level = sum(noisy for *_, noisy in self.known) / (end - begin)
