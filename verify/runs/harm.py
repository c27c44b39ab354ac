"""Is a mutant harmful? Decided without the recorder, the ledger and alignment, on which mutants are tried.

- A policy breaks its promise if, on *all* binary reward lists of a small horizon and with pinned released values, its
  actions differ between two lists, if two neighbouring lists are further apart, in units of the noise scales, than the
  budget allows, or if a value moves with a reward, or by an amount, that was not declared.
- A recorder is unfaithful if what it writes down differs from what a tap between policy and noise source saw.
"""

from collections.abc import Callable
from itertools import cycle, product
from math import inf
from types import ModuleType
from typing import Any

import numpy as np

from banditproof.algorithms import BatchedIndexPolicy, GeometricBatches, NoiseSource, Policy, simulate
from banditproof.algorithms.environment import RewardList
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.runs.planted import PLANTED, Bug
from banditproof.verify.runs.recorder import PolicyMaker, Run

EPSILON = 0.5
BATCHES = GeometricBatches("1.1")  # 1, 2, 1, 1, 2, ...: several decisions within the short horizon
ALL_LISTS_HORIZON = 6
TAP_HORIZON = 30


def ucb(base: type[BatchedIndexPolicy]) -> type[BatchedIndexPolicy]:
    """`base` with an index that is quick to compute and depends on means, samples and time everywhere.

    A mutant of the common base class is judged by it: the indices of the two policies saturate on short lists.
    """

    class UCB(base):
        def score(self, means: np.ndarray, samples: np.ndarray) -> np.ndarray:
            return means + np.sqrt(np.log(self.clock + 1)[:, np.newaxis] / samples) / 4

    return UCB


POLICY = ucb(BatchedIndexPolicy)


def policy_maker(policy: Callable[..., Policy], arms: int) -> PolicyMaker:
    """Builds policies of this class with budget `EPSILON`, schedule `BATCHES` and ties broken at random."""

    def make(noise: NoiseSource, generator: np.random.Generator) -> Policy:
        return policy(arms, Budget.pure(EPSILON), BATCHES, noise, generator=generator, ties="random")

    return make


class PinnedNoise(NoiseSource):
    """Releases the given values one after the other, over and over, whatever the true ones are.

    `seen` holds (true value, distribution, scale, sensitivity, declared rewards, their arm or None) of each release.
    """

    def __init__(self, pins: np.ndarray) -> None:
        super().__init__()
        self.pins = cycle(pins)
        self.seen: list[tuple[float, str, float, float, range, int | None]] = []

    def release(self, distribution: str, value: np.ndarray, scale: np.ndarray, **declared: Any) -> np.ndarray:
        start, stop, *arm = declared["records"] or ([0], [ALL_LISTS_HORIZON])
        self.seen.append(
            (
                float(value[0]),
                distribution,
                float(np.ravel(scale)[0]),
                float(np.ravel(declared["sensitivity"])[0]),
                range(int(start[0]), int(stop[0])),
                int(arm[0][0]) if arm else None,
            )
        )
        return np.full(value.shape, next(self.pins))


def breaks_promise(make_policy: PolicyMaker, budget: Budget | None = None) -> bool:
    """Whether a policy leaks, overspends or declares falsely on a binary reward list, all of them tried.

    `budget` (pure `EPSILON` by default) is pure, zCDP or RDP. Pinned released values are drawn around the range of the
    batch sums.
    """
    lists = list(product((0.0, 1.0), repeat=ALL_LISTS_HORIZON))
    for pins in np.random.default_rng(0).uniform(-0.2, 1.5, (4, ALL_LISTS_HORIZON)):
        runs = {rewards: _pinned_run(make_policy, rewards, pins) for rewards in lists}
        if len({actions for actions, _ in runs.values()}) > 1:
            return True
        for (rewards, (actions, seen)), time in product(runs.items(), range(ALL_LISTS_HORIZON)):
            flipped = (*rewards[:time], 1.0 - rewards[time], *rewards[time + 1 :])
            if _is_too_far(seen, runs[flipped][1], time, actions[time], budget or Budget.pure(EPSILON)):
                return True
    return False


def _pinned_run(make_policy: PolicyMaker, rewards: tuple[float, ...], pins: np.ndarray) -> tuple[tuple, list]:
    noise = PinnedNoise(pins)
    policy = make_policy(noise, np.random.default_rng(0))
    times = np.arange(1, len(rewards) + 1)
    result = simulate(policy, RewardList(rewards, policy.arms), len(rewards), np.random.default_rng(0), times)
    return tuple(result.actions[0].tolist()), noise.seen


def _is_too_far(first: list, second: list, time: int, arm: int, budget: Budget) -> bool:
    """Whether the releases of two runs, which differ in the reward at `time` of `arm`, are too far apart."""
    loss = 0.0
    for (value, *stated), (other, *declared) in zip(first, second, strict=True):
        if declared != stated:
            return True
        distribution, scale, sensitivity, records, only = stated
        if value != other:
            if time not in records or only not in (None, arm) or abs(value - other) > sensitivity:
                return True
            loss += _price(distribution, abs(value - other) / scale if scale else inf, budget)
    return loss > budget.allowed * (1 + 1e-9)


def _price(distribution: str, shift: float, budget: Budget) -> float:
    """What a shift in units of the noise's scale costs; Gaussian noise never meets a pure budget."""
    price = {"laplace": budget.cost_of_laplace, "normal": budget.cost_of_gaussian}[distribution](shift)
    return inf if price is None else price


class _Tap(NoiseSource):
    """Passes every release on to a noise source and keeps what went in and what came out."""

    def __init__(self, source: NoiseSource) -> None:
        super().__init__(source.generator)
        self.source = source
        self.seen: list[tuple] = []
        self.played: list[int] = []

    def release(self, distribution: str, value: np.ndarray, scale: np.ndarray, **declared: Any) -> np.ndarray:
        released = self.source.release(distribution, value, scale, **declared)
        records = tuple(int(end[0]) for end in declared["records"])
        budget = Budget.pure(float(np.ravel(declared["budget"].epsilon)[0]))
        self.seen.append(
            (
                float(value[0]),
                float(released[0]),
                distribution,
                float(np.ravel(scale)[0]),
                float(declared["sensitivity"]),
                budget,
                declared["norm"],
                records,
            )
        )
        return released


def is_faithful(module: ModuleType) -> bool:
    """Whether a recorder's runs and replays say what a tap at the noise source and the policy's own log say."""
    generator = np.random.default_rng(0)
    for seed, bug in enumerate((Bug, *PLANTED.values())[:3]):
        rewards, others = (tuple(generator.integers(0, 2, TAP_HORIZON).astype(float)) for _ in range(2))
        taps: list[_Tap] = []
        make_policy = _tapping(taps, bug)
        run = module.record(make_policy, rewards, seed)
        replayed = module.replay(make_policy, run, others, seed)
        released, again = ([seen[1] for seen in tap.seen] for tap in taps)
        noise = {seen[1] - seen[0] for seen in taps[0].seen}
        shifts = zip(run.releases, replayed.releases, taps[0].seen, taps[1].seen, strict=False)
        if not (
            _agrees(run, rewards, taps[0])
            and _agrees(replayed, others, taps[1])
            and all(a == b for a, b in zip(released, again, strict=False))
            and len(noise) == len(released)
            and all(abs(a.shift_to(b) - abs(x[0] - y[0])) < 1e-12 for a, b, x, y in shifts)
        ):
            return False
    return True


def _agrees(run: Run, rewards: tuple[float, ...], tap: _Tap) -> bool:
    written = [
        (r.value.item(), r.released.item(), r.distribution, r.scale, r.sensitivity, r.budget, r.norm, r.records)
        for r in run.releases
    ]
    covered = [[t for t in range(TAP_HORIZON) if r.covers(t)] for r in run.releases]
    return (
        written == tap.seen
        and covered == [list(range(*seen[7])) for seen in tap.seen]
        and run.rewards == rewards
        and list(run.actions) == tap.played
    )


def _tapping(taps: list[_Tap], bug: Callable[[NoiseSource], NoiseSource]) -> PolicyMaker:
    class Logged(POLICY):
        def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
            taps[-1].played += [int(self.recommended[0])] * int(count[0])
            super().observe(total, count, arm)

    def make(noise: NoiseSource, generator: np.random.Generator) -> Policy:
        taps.append(_Tap(noise))
        return policy_maker(Logged, arms=3)(bug(taps[-1]), generator)

    return make
