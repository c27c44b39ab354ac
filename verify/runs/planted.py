"""One-line privacy bugs that can be planted into any policy, and that the privacy checks have to find.

A bug stands between a policy and its noise source and spoils every release that passes, so the same bugs serve every
algorithm: `plant(PLANTED["noise halved"], make_policy)` builds policies with it.

Source: BDP-A1, BDP-P4.2
"""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Annotated, Any, overload

import numpy as np

from banditproof.algorithms import NoiseSource, Policy
from banditproof.theory.arguments import checked
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.bugs import Bugs
from banditproof.verify.runs.foreign.policies import Replayed
from banditproof.verify.runs.recorder import PolicyMaker

FAR_OUT = 10.0  # scales of the noise: of Laplace noise, once in 22,000 draws

PLANTED = Bugs("releases")
"""Bugs of releases by name, for any private policy: `plant(PLANTED["noise halved"], make_policy)` makes it with one."""

RARE = Bugs("releases far out")
"""Bugs that show only where noise is far out in its tail: a run of a few pulls hardly ever has them."""


class Bug(NoiseSource):
    """Passes every release on to `source`; a bug overrides `release`. This one is none."""

    def __init__(self, source: NoiseSource) -> None:
        super().__init__(source.generator)
        self.source = source

    def release(self, distribution: str, value: np.ndarray, scale: np.ndarray, **declared: Any) -> np.ndarray:
        return self.source.release(distribution, value, scale, **declared)


@PLANTED.named("noise halved")
class NoiseHalved(Bug):
    def release(self, distribution: str, value: np.ndarray, scale: np.ndarray, **declared: Any) -> np.ndarray:
        return value + (super().release(distribution, value, scale, **declared) - value) / 2


@PLANTED.named("budget doubled")
class BudgetDoubled(Bug):
    """Half the noise, and an honest word about what that costs."""

    def release(self, distribution: str, value: np.ndarray, scale: np.ndarray, **declared: Any) -> np.ndarray:
        shift = 2 * declared["sensitivity"] / np.ravel(scale)
        spent = Budget.pure(shift) if distribution == "laplace" else Budget.gdp(shift)
        return super().release(distribution, value, scale / 2, **{**declared, "budget": spent})


@PLANTED.named("noise reused")
class NoiseReused(Bug):
    """The noise of the first release of the run serves all of its shape."""

    def __init__(self, source: NoiseSource) -> None:
        super().__init__(source)
        self.first: dict[tuple[int, ...], np.ndarray] = {}

    def release(self, distribution: str, value: np.ndarray, scale: np.ndarray, **declared: Any) -> np.ndarray:
        if value.shape not in self.first:
            self.first[value.shape] = super().release(distribution, value, scale, **declared) - value
        return value + self.first[value.shape]


@PLANTED.named("seed reused")
class SeedReused(Bug):
    """The noise generator is set back before every release."""

    def release(self, distribution: str, value: np.ndarray, scale: np.ndarray, **declared: Any) -> np.ndarray:
        if self.source.generator is not None:
            self.source.generator = np.random.default_rng(0)
        return super().release(distribution, value, scale, **declared)


@PLANTED.named("sensitivity wrong")
class SensitivityWrong(Bug):
    def release(self, distribution: str, value: np.ndarray, scale: np.ndarray, **declared: Any) -> np.ndarray:
        return super().release(
            distribution, value, scale / 2, **{**declared, "sensitivity": declared["sensitivity"] / 2}
        )


@PLANTED.named("sensitivity per record")
class SensitivityPerRecord(Bug):
    """The sensitivity is divided by the number of rewards, as if the mean of the released value were released."""

    def release(self, distribution: str, value: np.ndarray, scale: np.ndarray, **declared: Any) -> np.ndarray:
        start, stop, *_ = declared["records"]
        count = np.maximum(stop - start, 1)
        smaller = {**declared, "sensitivity": declared["sensitivity"] / count}
        return super().release(distribution, value, (scale.T / count).T, **smaller)


@PLANTED.named("value scaled up")
class ValueScaledUp(Bug):
    """Ten times the value is released as if it moved as little, then divided by ten."""

    def release(self, distribution: str, value: np.ndarray, scale: np.ndarray, **declared: Any) -> np.ndarray:
        return super().release(distribution, 10 * value, scale, **declared) / 10


@PLANTED.named("records too short")
class RecordsTooShort(Bug):
    """The last reward of every release is not declared, so whoever reads it again is not charged."""

    def release(self, distribution: str, value: np.ndarray, scale: np.ndarray, **declared: Any) -> np.ndarray:
        start, stop, *arm = declared["records"]
        return super().release(distribution, value, scale, **{**declared, "records": (start, stop - 1, *arm)})


@PLANTED.named("raw value used")
class RawValueUsed(Bug):
    """The noisy value is released, the raw one is used."""

    def release(self, distribution: str, value: np.ndarray, scale: np.ndarray, **declared: Any) -> np.ndarray:
        super().release(distribution, value, scale, **declared)
        return value


@PLANTED.named("budget split wrongly")
class BudgetSplitWrongly(Bug):
    """Two releases of the same value are averaged, each with the whole budget instead of a share of it."""

    def release(self, distribution: str, value: np.ndarray, scale: np.ndarray, **declared: Any) -> np.ndarray:
        first = super().release(distribution, value, scale, **declared)
        return (first + super().release(distribution, value, scale, **declared)) / 2


@PLANTED.named("noise once instead of always")
class NoiseOnce(Bug):
    """Noise is added to the first release only."""

    def __init__(self, source: NoiseSource) -> None:
        super().__init__(source)
        self.done = False

    def release(self, distribution: str, value: np.ndarray, scale: np.ndarray, **declared: Any) -> np.ndarray:
        if self.done:
            return value
        self.done = True
        return super().release(distribution, value, scale, **declared)


@PLANTED.named("old rewards again")
class OldRewardsAgain(Bug):
    """Each release holds the value before it too, and is charged to its own rewards only."""

    def __init__(self, source: NoiseSource) -> None:
        super().__init__(source)
        self.before: np.ndarray | float = 0.0

    def release(self, distribution: str, value: np.ndarray, scale: np.ndarray, **declared: Any) -> np.ndarray:
        both, self.before = value + self.before, value
        return super().release(distribution, both, scale, **declared)


@PLANTED.named("scale follows rewards")
class ScaleFollowsRewards(Bug):
    """Less noise for small values."""

    def release(self, distribution: str, value: np.ndarray, scale: np.ndarray, **declared: Any) -> np.ndarray:
        start, stop, *_ = declared["records"]
        sizes = np.abs(value) if np.ndim(value) < 2 else np.abs(value).reshape(len(value), -1).sum(axis=1)
        share = (1.0 + sizes) / (1.0 + stop - start)
        smaller = {**declared, "sensitivity": declared["sensitivity"] * share}
        return super().release(distribution, value, (scale.T * share).T, **smaller)


@RARE.named("raw value where rare")
class RawValueWhereRare(Bug):
    """Where noise turns out to be far out in its tail, the raw value is used in its place."""

    def release(self, distribution: str, value: np.ndarray, scale: np.ndarray, **declared: Any) -> np.ndarray:
        released = super().release(distribution, value, scale, **declared)
        far_out = (np.abs(released - value).T > FAR_OUT * scale.T).T
        return np.where(far_out, value, released)


@overload
def plant(bug: Callable[[Any], Any], make_policy: Replayed) -> Replayed: ...
@overload
def plant(bug: Callable[[Any], Any], make_policy: Callable[..., Policy]) -> PolicyMaker: ...
@checked
def plant(
    bug: Annotated[Callable[[Any], Any], "(policy) or a Bug, such as PLANTED['noise halved']"],
    make_policy: Callable[..., Policy] | Replayed,
) -> PolicyMaker | Replayed:
    """Builds the policies of `make_policy`, whose first argument is a noise source, with the bug.

    A `Bug` (which has none) stands before the noise source, any other bug is a function of a fresh policy. Into the
    policies of `replayed` only the latter can be planted: raises InvalidInput for a `Bug`, since they have no source.
    """
    before_the_source = _stands_before_the_source(bug)
    if isinstance(make_policy, Replayed):
        if before_the_source:
            raise InvalidInput("bug", bug, "a function of a fresh policy, for one that draws its own noise")
        return replace(make_policy, make=lambda: bug(make_policy.make()))

    @wraps(make_policy)
    def planted(noise: NoiseSource, *arguments: Any) -> Policy:
        return make_policy(bug(noise), *arguments) if before_the_source else bug(make_policy(noise, *arguments))

    return planted


def _stands_before_the_source(bug: object) -> bool:
    return isinstance(bug, type) and issubclass(bug, Bug)


def with_bug(name: str, make_policy: Callable[..., Policy]) -> PolicyMaker:
    """The policies of `make_policy` with the bug of releases of this name, or as they are for "none"."""
    return make_policy if name == "none" else plant((PLANTED | RARE)[name], make_policy)
