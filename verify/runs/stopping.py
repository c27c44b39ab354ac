"""Does a private strategy stop earlier than its printed rule, judged by what it has released itself?

A wrong stopping rule need not name wrong arms too often: the thresholds of union bounds have room, and half of one may
keep delta on every instance. So the rule is computed once more, from the released sums, the counts of the rewards that
they declare and a formula that is not the strategy's, whenever something was released.

A run is a proof whatever its rewards are, so they need not be random. Steered runs spread the rewards of every arm
evenly and move the means until the evidence nearly is what the rule asks for: a threshold that is a hundredth too low
shows there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, log, sqrt
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit, Environment
from banditproof.algorithms.policy import A_STRATEGY
from banditproof.theory.arguments import Horizon, Seed, Size, checked
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.theory.tables import Preformatted, Verdict
from banditproof.verify.runs.recorder import PolicyMaker, RecordingNoise

Evidence = Callable[[np.ndarray, np.ndarray], float]
"""What a stopping rule makes of means [K] and of the counts of rewards behind them [K]: it stops from 1 on."""

CLOSE = 1e-9  # relative: two routes to one formula
STEERED = 3  # times as many steered runs as others


@dataclass(frozen=True)
class StoppingReport(Preformatted):
    """With what evidence `stopped` of `runs` runs ended; by the printed rule that is at least 1.

    The evidence of a run is the largest that it has had, so a strategy may stop later than its rule. `verdict` is
    "violation" if `least`, the least evidence with which a run stopped, is below 1, "inconclusive" if no run stopped,
    else "ok". `open` is the largest evidence below 1 with which a run went on: a threshold divided by more than
    1 / `open` would have stopped there. `late` runs went on with evidence of at least 1.
    """

    runs: int
    stopped: int
    least: float
    open: float
    late: int

    @property
    def verdict(self) -> Verdict:
        """ "violation", "inconclusive" or "ok"."""
        return Verdict("violation" if self.least < 1 - CLOSE else "ok" if self.stopped else "inconclusive")

    @property
    def ok(self) -> bool:
        """Whether runs stopped, and none of them too early."""
        return self.verdict == "ok"

    def __str__(self) -> str:
        lines = [
            f"{self.verdict}: {self.stopped} of {self.runs} runs stopped"
            + f", with at least {self.least:.4g} times the evidence that the rule asks for" * (self.stopped > 0)
        ]
        if self.open:
            lines.append(f"a threshold divided by more than {1 / self.open:.4g} would have stopped earlier")
        if self.late:
            lines.append(f"{self.late} runs continued although the rule would have stopped them")
        return "\n  ".join(lines)


@checked
def check_stopping(
    make_strategy: PolicyMaker,
    environments: Sequence[Environment],
    evidence: Annotated[Evidence, "such as against_rivals(ratio)"],
    *,
    cap: Horizon = 1_000_000,
    runs: Size = 20,
    seed: Seed = 0,
) -> StoppingReport:
    """Hold the stopping times of a private strategy against the rule `evidence`, in `runs` runs of each environment.

    Where an environment is a BernoulliBandit, three times as many steered runs follow, with its gaps made smaller or
    larger.

    `make_strategy(noise, generator)` builds one replication, whose releases are sums of rewards of one arm and say of
    which (`records`, with the arm unless it alone was pulled then). A run ends after `cap` pulls. Nothing is left to
    chance: a violation is one run in which the rule forbids what happened. Raises InvalidInput.
    """
    check_count("runs", runs, 1)
    check_count("cap", cap, 1)
    if not environments or any(e.arms < 2 for e in environments):
        allowed = "a list of environments that have two or more arms"
        raise InvalidInput("environments", [e.arms for e in environments], allowed)
    roots = iter(np.random.SeedSequence(seed).spawn((1 + STEERED) * runs * len(environments)))

    def run(environment: Environment) -> list[tuple[float, bool]]:
        return list(_evidence(make_strategy, environment, evidence, cap, next(roots)))

    histories: list[list[tuple[float, bool]]] = []
    for environment in environments:
        histories += [run(environment) for _ in range(runs)]
        if type(environment) is BernoulliBandit:
            histories += _steered_runs(run, environment.means, STEERED * runs)
    going = [(value, over) for history in histories for value, over in history]
    ends = [value for value, over in going if over]
    most = max((value for value, over in going if not over and value < 1), default=0.0)
    late = sum(any(value >= 1 + CLOSE and not over for value, over in history) for history in histories)
    return StoppingReport(len(histories), len(ends), min(ends, default=inf), most, late)


@checked
def against_rivals(ratio: Callable[[float, float, float], float]) -> Evidence:
    """The rule that the largest mean must beat every other one: the least `ratio` of a cost to its threshold.

    `ratio(lead, own, other)` is of the lead of the largest mean, its count and the rival's.
    """

    def evidence(means: np.ndarray, counts: np.ndarray) -> float:
        best = int(means.argmax())
        rivals = (b for b in range(means.size) if b != best)
        return min(ratio(float(means[best] - means[b]), float(counts[best]), float(counts[b])) for b in rivals)

    return evidence


class _Even(BernoulliBandit):
    """The sum of an arm's first n rewards is n times its mean, rounded."""

    def __init__(self, means: np.ndarray) -> None:
        super().__init__(means)
        self.pulled = np.zeros(self.arms, dtype=np.int64)

    def sum_of_rewards(self, arm: np.ndarray, count: np.ndarray, *_: Any, **__: Any) -> np.ndarray:
        before = self.pulled[arm]
        self.pulled[arm] += count
        return np.rint(self.means[arm] * (before + count)) - np.rint(self.means[arm] * before)


def _steered_runs(
    run: Callable[[Environment], list[tuple[float, bool]]], means: np.ndarray, runs: int
) -> Iterator[list[tuple[float, bool]]]:
    """Runs with gaps for which the evidence would be 1 where that of the run before was nearest to it.

    Evidence is taken to grow with the square of the gaps. Where it does not, runs come closer more slowly.
    """
    gaps, scale = means.max() - means, 1.0
    widest = float(means.max() / gaps.max()) if gaps.any() else 1.0
    for _ in range(runs):
        history = run(_Even(means.max() - scale * gaps))
        yield history
        nearest = min((value for value, _ in history if value > 0), key=lambda value: abs(log(value)), default=1.0)
        scale = min(scale / sqrt(nearest), widest)


def _evidence(
    make_strategy: PolicyMaker, environment: Environment, evidence: Evidence, cap: int, root: np.random.SeedSequence
) -> Iterator[tuple[float, bool]]:
    """The largest evidence so far, and whether the run is over, after every batch with a release and at the end."""
    for_coins, for_noise, rewards = (np.random.default_rng(s) for s in root.spawn(3))
    noise = RecordingNoise(for_noise)
    strategy: Any = make_strategy(noise, for_coins)
    if not hasattr(strategy, "stopped"):
        raise InvalidInput("make_strategy", type(strategy).__name__, A_STRATEGY)
    means, counts, pulled = np.zeros(environment.arms), np.zeros(environment.arms), []
    clock, heard, over, most = 0, 0, False, 0.0
    while clock < cap and not over:
        arm, count = strategy.next_batch()
        count = np.minimum(count, cap - clock)
        strategy.observe(environment.sum_of_rewards(arm, count, rewards, time=np.array([clock])), count)
        pulled.append((int(arm[0]), clock, clock + int(count[0])))
        clock += int(count[0])
        fresh, heard = noise.releases[heard:], len(noise.releases)
        for release in fresh:
            of, size = _rewards_of(release.records, pulled)
            means[of], counts[of] = release.released[0] / size, size
        over = bool(strategy.stopped.all())
        if over or fresh:
            most = max(most, evidence(means, counts) if counts.all() else 0.0)
            yield most, over


def _rewards_of(records: tuple[int, ...] | None, pulled: Sequence[tuple[int, int, int]]) -> tuple[int, int]:
    """The arm of a release and the number of its rewards; `pulled` are batches (arm, begin, end)."""
    inside: dict[int, int] = {}
    start, stop, *only = records or (0, 0)
    for arm, begin, end in pulled:
        both = min(stop, end) - max(start, begin)
        if both > 0 and (not only or arm == only[0]):
            inside[arm] = inside.get(arm, 0) + both
    if len(inside) != 1:
        raise InvalidInput("records", records, "the rewards of one arm only, in every release")
    return next(iter(inside.items()))
