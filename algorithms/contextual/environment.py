"""Where context sets and rewards come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Protocol, runtime_checkable

import numpy as np

from banditproof.theory.arguments import Nonnegative, Positive, Size, checked
from banditproof.theory.errors import InvalidInput


@runtime_checkable
class ContextSets(Protocol):
    """A process of sets of `arms` vectors in R^`dimension`."""

    @property
    def arms(self) -> int: ...

    @property
    def dimension(self) -> int: ...

    def draw(self, replications: int, time: int, rounds: int, generator: np.random.Generator) -> np.ndarray:
        """The sets of `rounds` rounds from `time` on: [replications, rounds, arms, dimension]."""
        ...


@checked
@dataclass(frozen=True)
class GaussianContexts:
    """`arms` vectors from N((1, ..., 1) / sqrt(d), variance I_d) in every round; with `unit` they are scaled to norm 1.

    As drawn in Section 5.5.2 for variance 1/10. Their norm is 1 only with `unit`, as Assumption 5.15 requires; its
    third condition holds in dimension 1 alone (ALG-D5.15). Raises InvalidInput. Source: ALG-E5.6, ALG-D5.15
    """

    arms: Size = 10
    dimension: Size = 3
    variance: Positive = 0.1
    unit: bool = False

    def draw(self, replications: int, time: int, rounds: int, generator: np.random.Generator) -> np.ndarray:
        mean, deviation = self.dimension**-0.5, np.sqrt(self.variance)
        sets = np.empty((replications, rounds, self.arms, self.dimension))
        if find_spec("numba") is None:
            np.add(generator.standard_normal(sets.shape) * deviation, mean, out=sets)
        else:
            from banditproof.algorithms.contextual.loops import normals

            normals(generator, mean, deviation, sets)
        if self.unit:
            sets /= np.linalg.norm(sets, axis=-1, keepdims=True)
        return sets


class GivenContexts:
    """Context sets chosen beforehand by an adversary, [T, K, d], the same in all replications; after T they repeat.

    Raises InvalidInput. Source: ALG-SC.4.3
    """

    @checked
    def __init__(self, sets: np.ndarray | Sequence[Sequence[Sequence[float]]]) -> None:
        self.sets = np.array(sets, dtype=float)
        if self.sets.ndim != 3 or not self.sets.size or not np.isfinite(self.sets).all():
            raise InvalidInput("sets", self.sets.shape, "finite vectors of shape [T, K, d]")
        self.sets.setflags(write=False)
        self.arms, self.dimension = self.sets.shape[1:]

    def draw(self, replications: int, time: int, rounds: int, generator: np.random.Generator | None) -> np.ndarray:
        chosen = self.sets[np.arange(time, time + rounds) % len(self.sets)]
        return np.broadcast_to(chosen, (replications, *chosen.shape))


class ContextualBandit:
    """Rewards <theta, a> plus normal noise of standard deviation `deviation` >= 0, on sets from `contexts`.

    `theta` is [d], or [R, d] with one parameter per replication. With `clipped` rewards are cut to [-1, 1].
    Raises InvalidInput. Source: ALG-EQ5.8
    """

    @checked
    def __init__(
        self,
        theta: np.ndarray | Sequence[float],
        contexts: ContextSets,
        deviation: Nonnegative = 1.0,
        clipped: bool = False,
    ) -> None:
        self.theta, self.contexts, self.clipped = np.array(theta, dtype=float), contexts, clipped
        if self.theta.ndim not in (1, 2) or self.theta.shape[-1] != contexts.dimension:
            raise InvalidInput("theta", self.theta.shape, f"of shape [{contexts.dimension}], or one per replication")
        if not np.isfinite(self.theta).all():
            raise InvalidInput("theta", self.theta.tolist(), "finite")
        self.deviation = float(deviation)

    def means(self, sets: np.ndarray) -> np.ndarray:
        """<theta, a> for every vector of `sets` [R, B, K, d]: [R, B, K]."""
        flat = sets.reshape(len(sets), -1, sets.shape[3])
        theta = np.broadcast_to(self.theta, (len(sets), sets.shape[3]))
        return (flat @ theta[:, :, np.newaxis]).reshape(sets.shape[:3])

    def rewards(self, means: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """The rewards for these means and standard normal draws."""
        heard = means + self.deviation * noise
        return np.clip(heard, -1, 1) if self.clipped else heard
