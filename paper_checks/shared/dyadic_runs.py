"""Small runs of Algorithm 1 with everything written down, in exact arithmetic.

Noise is rounded to multiples of 2^-20 and rewards are 0 or 1, so every noisy sum is exact in floating point and what
the policy computed can be compared with what its releases add up to.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from banditproof.algorithms import DPIMED, DPKLUCB, BatchedIndexPolicy, GeometricBatches
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.runs.recorder import RecordingNoise, Release

RULES: dict[str, type[BatchedIndexPolicy]] = {"DP-KLUCB": DPKLUCB, "DP-IMED": DPIMED}
BATCHES = GeometricBatches(2)
ARMS = 2


class DyadicNoise(RecordingNoise):
    """Laplace noise rounded to multiples of 2^-20."""

    def draw(self, distribution: str, scale: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        return np.round(super().draw(distribution, scale, shape) * 2**20) / 2**20


@dataclass(frozen=True, eq=False)
class Phase:
    """One batch: its arm, the pulls made before it, its rewards, and the noisy sum that was released."""

    arm: int
    clock: int
    rewards: tuple[int, ...]
    release: Release

    @property
    def noise(self) -> Fraction:
        return Fraction(self.release.released.item()) - Fraction(self.release.value.item())


@dataclass(frozen=True, eq=False)
class RecordedRun:
    """The phases of a run in order, and what the policy holds per arm after the last one (played in full)."""

    phases: tuple[Phase, ...]
    sums: tuple[Fraction, ...]
    samples: tuple[int, ...]

    def of(self, arm: int) -> list[Phase]:
        return [phase for phase in self.phases if phase.arm == arm]


def recorded_run(rule: str, rewards: Sequence[int], epsilon: Fraction, forgetting: bool = False) -> RecordedRun:
    """Algorithm 1 on two arms with doubling batches for len(rewards) pulls; rewards repeat if it overshoots."""
    return _recorded_run(rule, tuple(rewards), epsilon, forgetting)


@cache
def _recorded_run(rule: str, rewards: tuple[int, ...], epsilon: Fraction, forgetting: bool) -> RecordedRun:
    noise = DyadicNoise(np.random.default_rng([len(rewards), *rewards]))
    policy = RULES[rule](ARMS, Budget.pure(float(epsilon)), BATCHES, noise, forgetting=forgetting)
    coming = itertools.cycle(rewards)
    phases: list[Phase] = []
    clock = 0
    while clock < len(rewards):
        arm, count = policy.next_batch()
        batch = tuple(itertools.islice(coming, int(count[0])))
        policy.observe(np.array([float(sum(batch))]), count)
        phases.append(Phase(int(arm[0]), clock, batch, noise.releases[-1]))
        clock += len(batch)
    sums = tuple(Fraction(s) for s in policy.sums[0].tolist())
    return RecordedRun(tuple(phases), sums, tuple(policy.samples[0].tolist()))
