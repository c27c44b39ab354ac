"""Audit of a policy that draws its own noise: a search over neighbouring reward lists, judged by the actions alone.

Most of what a policy does is invisible here: its noise, its sensitivities, long horizons, rare events. So an audit
refutes a promise or fails to; it never shows privacy. All short lists of 0 and 1 are tried first, for an action that is
certain on one and another one on its neighbour (`certain_pair`): rewards that decide without noise are found at once.
Otherwise a first part of the runs chooses the lists and what is looked at (`race`), a second one the event, and a fresh
third one certifies its two probabilities with exact binomial intervals.

Source: BDP-P4.2
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import exp, log, log1p

import numpy as np

from banditproof.theory import Budget, InvalidInput
from banditproof.theory.arguments import Error, Seconds, Seed, Size, checked
from banditproof.theory.tables import Preformatted, Verdict
from banditproof.verify.audits.audit import search_event
from banditproof.verify.audits.refutation import SLACK, Refutation, checked_promise, shown_parameter, tangents
from banditproof.verify.privacy.reward_race import (
    ALIKE,
    FIRST,
    PREFIX,
    OneOrMany,
    Pair,
    Player,
    Statistic,
    certain_pair,
    mostly_pulled,
    pair_of,
    player_of,
    race,
    reward_pairs,
)
from banditproof.verify.proof.statistics import REPORT_ERROR, binomial_interval
from banditproof.verify.stopwatch import Stopwatch

HORIZON = 12
MOST = 100_000  # fresh runs on each list: their outcomes are held in memory
LEAST = 10  # runs on every pair of lists before any is bet on; more where time is short, which betting takes too
PREFIX_RUNS = 20  # times the runs on all short lists are the fewest that leave room for them
FEWEST, TIMES = 64, 4  # fresh runs on each list, where every run tells; times as many as are enough for one that does
EXPLORING = 0.3  # the part of the runs that goes into the choice of the lists

Event = frozenset[tuple[int, ...]]


@dataclass(frozen=True)
class BlackBoxReport(Refutation):
    """What the actions of a policy on two neighbouring reward lists say about its budget.

    With probability at least 1 - `error` the parameter of any budget that the policy keeps (`parameter`: epsilon, rho
    or mu) is at least `shown`; the most that this many runs can show is `reach`. `statistic` says what was looked at,
    `event` which of its values were chosen, `counts` how often they occurred in `samples` fresh runs on each list.
    `power` says what would have been seen in 99 of 100 audits, where nothing was.
    """

    rewards: tuple[float, ...]
    neighbour: tuple[float, ...]
    statistic: str
    event: Event
    counts: tuple[int, int]
    samples: int
    error: Fraction
    power: str

    def __str__(self) -> str:
        if self.verdict == "inconclusive":
            return (
                f"inconclusive: {self.samples} runs on each list can show at most {self.parameter} >= {self.reach:.3g}"
                f", but {self.budget} is promised; give the audit more seconds, or more samples"
            )
        shown = f"the actions show {self.parameter} >= {self.shown:.3g}, and {self.budget} is promised"
        if self.verdict == "not refuted":
            runs = f"{self.samples} runs on each of two lists of {len(self.rewards)} rewards"
            return f"not refuted, which does not mean private: {shown}; {runs}; {self.power}"
        some = ", ".join(map(str, sorted(self.event)[:5])) + (", ..." if len(self.event) > 5 else "")
        first, second = self.counts
        alike = abs(first - second) == self.samples
        hint = (
            "; all runs are alike: if the policy should be random, does it draw from its `generator`?" if alike else ""
        )
        rewards, neighbour = _rewards_text(self.rewards), _rewards_text(self.neighbour)
        return (
            f"violation: {shown}; {self.statistic} were among {some} in {first} of {self.samples} runs on rewards "
            f"{rewards} and in {second} on {neighbour}, error {float(self.error):.2g}{hint}"
        )


def _rewards_text(rewards: Sequence[float]) -> str:
    return " ".join(f"{reward:g}" for reward in rewards)


@checked
def audit_private(
    make_policy: OneOrMany,
    budget: Budget,
    *,
    seconds: Seconds | None = None,
    samples: Size | None = None,
    seed: Seed = 0,
    horizon: Size | None = None,
    error: Error = REPORT_ERROR,
) -> BlackBoxReport:
    """Try to refute that the policies of `make_policy(noise, generator)` keep the `budget`, by their actions alone.

    Every run builds a fresh policy with one replication (or as many runs at once as a third parameter `replications`
    says), which must draw all its randomness from `generator` (a policy with a seed of its own is seeded by
    `generator.integers(2**32)`): a fixed seed makes it deterministic, and a deterministic policy that listens keeps no
    budget. Lists have `horizon` rewards (default 12), all but one of them the same. The runs take about `seconds` (4.5
    where none are given), or `samples` fresh ones on each list certify the event and as many find it; with `samples`
    the result depends on the arguments alone.

    Raises InvalidInput, also for an infinite budget, which no audit can refute.
    """
    from banditproof.verify.runs.privacy_check import SECONDS

    return audited(player_of(make_policy), budget, seconds or SECONDS, samples, seed, horizon, error, Stopwatch)


def audited(
    player: Player,
    budget: Budget,
    seconds: float,
    samples: int | None,
    seed: int,
    horizon: int | None,
    error: Error,
    clock: type[Stopwatch],
) -> BlackBoxReport:
    """The audit of `audit_private`, of what this player plays, with seconds of this clock."""
    error = Fraction(error)
    promised = checked_promise(budget, error)
    if not 0 < seconds < np.inf:
        raise InvalidInput("seconds", seconds, "positive and finite")
    length = HORIZON if horizon is None else horizon
    for name, value in (("horizon", length), ("samples", 1 if samples is None else samples)):
        if not isinstance(value, int | np.integer) or value < 1:
            raise InvalidInput(name, value, "an integer, at least 1")
    explore, search, fresh = (np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(3))
    pairs = reward_pairs(length, explore, mostly_pulled(player((0.0,) * length, ALIKE, explore)))
    binomial_interval(0, 1, error)  # what it imports should not count as time of the runs
    watch = clock()
    each = _seconds_per_run(player, pairs[0].rewards, seconds, explore, clock()) if samples is None else 0.0
    began = watch.seconds()
    player(pairs[0].rewards, ALIKE, explore)  # a call takes its time, too, and each list has one
    few = max(ALIKE * each, watch.seconds() - began) if samples is None else 0.0
    short = max((k for k in range(1, min(length, PREFIX) + 1) if 2**k * few < seconds / 20), default=1)
    certain = certain_pair(player, short, explore)

    def certified(pair: Pair, statistic: Statistic, samples: int) -> BlackBoxReport:
        judge = partial(shown_parameter, budget, samples=samples, error=error / (1 if certain is None else 2))
        draw = partial(_outcomes, player, pair, statistic, samples)
        event, _ = search_event(*draw(search), judge)
        counts = _counts(event, draw(fresh))
        shown, reach = judge(*counts), judge(samples, 0)
        power = "" if shown > promised else _power(judge, samples, promised)
        shown_by = (pair.rewards, pair.neighbour, statistic.name, frozenset(event), counts)
        return BlackBoxReport(budget, shown, reach, *shown_by, samples, error, power)

    if certain is not None:
        most = min(MOST, max(1, int(seconds / each / 10))) if samples is None else samples
        sizes = (FEWEST * 4**k for k in range(9))
        enough = (n for n in sizes if shown_parameter(budget, n, 0, samples=n, error=error / 2) > promised)
        report = certified(*certain, min(most, TIMES * next(enough, most)))
        if report.verdict == "violation":
            return report
    pair, statistic = _winning_pair(player, pairs, budget, seconds, samples, each, watch, explore)
    if samples is None:
        each = _seconds_per_run(player, pair.rewards[: statistic.length], seconds, explore, clock())
        samples = min(MOST, max(1, int((seconds - watch.seconds()) / each / 4)))
    return certified(pair, statistic, samples)


def _winning_pair(
    player: Player,
    pairs: Sequence[Pair],
    budget: Budget,
    seconds: float,
    samples: int | None,
    each: float,
    watch: Stopwatch,
    generator: np.random.Generator,
) -> tuple[Pair, Statistic]:
    """The pair of lists, and what to look at of the actions, on which most is won."""
    if samples is None:
        began = watch.seconds()
        tries, least, until = EXPLORING * seconds / each, 4 * LEAST, began + EXPLORING * max(0.0, seconds - began)
    else:
        began = 0.0
        tries, least, until = EXPLORING / (1 - EXPLORING) * 2 * samples, LEAST, np.inf
    tries = max(2, int(tries))
    tried, best = pairs[: max(1, tries // (2 * least))], None
    first = min(max(least, tries // (4 * len(tried))), tries // 2)  # in half of the tries every pair begins
    for best in race(
        player, tried, tangents(budget), tries, generator, first, 1.0, lambda: watch.seconds() > (began + until) / 2
    ):
        if best.statistic is not None and watch.seconds() > until:
            break
    assert best is not None and best.statistic is not None  # two rounds have been run
    return best.pair, best.statistic


def _seconds_per_run(
    player: Player, rewards: Sequence[float], seconds: float, generator: np.random.Generator, watch: Stopwatch
) -> float:
    """Measured in a twentieth of the time, after a first run that may import things."""
    player(rewards, 1, generator)
    began, runs, size = watch.seconds(), 0, 1
    while not runs or watch.seconds() - began < seconds / 20:
        player(rewards, size, generator)
        runs, size = runs + size, 2 * size
    return (watch.seconds() - began) / runs


def _outcomes(
    player: Player, pair: Pair, statistic: Statistic, size: int, generator: np.random.Generator
) -> tuple[list, list]:
    """`size` values of the statistic on the first and on the second list, played as far as it looks."""
    first, second = (
        list(map(tuple, statistic.values(player(rewards[: statistic.length], size, generator)).tolist()))
        for rewards in (pair.rewards, pair.neighbour)
    )
    return first, second


def _counts(event: Container[tuple[int, ...]], outcomes: tuple[list, list]) -> tuple[int, int]:
    first, second = (sum(outcome in event for outcome in side) for side in outcomes)
    return first, second


def _power(judge: Callable[[int, int], float], samples: int, promised: float) -> str:
    """The probability an event of probability 1/2 may fall to before it is seen in 99 of 100 audits."""
    if judge(samples, 0) <= promised:
        return "no event would have been detected"
    often = _quantile(0.005, samples, 0.5)
    seen, unseen = 0.0, 0.5
    if judge(often, 0) <= promised:
        return (
            "only an event far more likely than 1/2 that almost never occurs on the neighbour would have been detected"
        )
    for _ in range(20):
        middle = (seen + unseen) / 2
        detected = judge(often, _quantile(0.995, samples, middle)) > promised
        seen, unseen = (middle, unseen) if detected else (seen, middle)
    below = f"{0.95 * seen:.2g}"  # rounded down
    return f"an event of probability 1/2 would have been detected if one reward lowers its probability below {below}"


def _quantile(part: float, samples: int, probability: float) -> int:
    """The least count that a binomial one is at most with this probability; SciPy's own loads all of its laws first."""
    from scipy.special import bdtr, bdtrik

    most = int(np.ceil(bdtrik(part, samples, probability)))
    return most - (most > 0 and bdtr(most - 1, samples, probability) >= part)


@dataclass(frozen=True)
class SequentialReport(Preformatted):
    """What an audit that stops as soon as it is sure says of a budget, after `runs` runs in all, its search included.

    A policy that keeps the budget is refuted with probability at most `error`. Most was won on the two lists, by
    looking at `statistic`; `log_wealth` is to reach log(1/error), and nothing could have exceeded `reach`.
    """

    budget: Budget
    runs: int
    log_wealth: float
    reach: float
    rewards: tuple[float, ...]
    neighbour: tuple[float, ...]
    statistic: str
    error: Fraction

    @property
    def verdict(self) -> Verdict:
        """One of "violation", "not refuted", and "inconclusive" where so few runs could not refute the promise."""
        needed = -log(self.error)
        if self.log_wealth >= needed:
            return Verdict("violation")
        return Verdict("not refuted" if self.reach >= needed else "inconclusive")

    def __str__(self) -> str:
        if self.verdict == "violation":
            return (
                f"violation: {self.budget} is refuted after {self.runs} runs by {self.statistic} on rewards "
                f"{_rewards_text(self.rewards)} and {_rewards_text(self.neighbour)}, error {float(self.error):.2g}"
            )
        if self.verdict == "inconclusive":
            return f"inconclusive: {self.runs} runs cannot refute {self.budget}; give the audit more runs"
        return f"not refuted, which does not mean private: {self.budget} withstood {self.runs} runs"


@checked
def audit_until_refuted(
    make_policy: OneOrMany,
    budget: Budget,
    *,
    runs: Size = 50_000,
    seed: Seed = 0,
    horizon: int = HORIZON,
    neighbours: Sequence[tuple[Sequence[float], Sequence[float]]] | None = None,
    error: Error = REPORT_ERROR,
) -> SequentialReport:
    """Try to refute that the policies of `make_policy` keep the `budget`, and stop as soon as they are refuted.

    `make_policy(noise, generator)` as in `audit_private`; one with a third parameter `replications` builds as many at
    once. `neighbours` are pairs of reward lists that differ in one reward, by default those of `reward_pairs` with
    `horizon` rewards. Search and proof share the `runs`. The result depends on the arguments alone.

    Raises InvalidInput.
    """
    checked_promise(budget, error)
    for name, value in (("horizon", horizon), ("runs", runs)):
        if not isinstance(value, int | np.integer) or value < 1:
            raise InvalidInput(name, value, "an integer, at least 1")
    generator = np.random.default_rng(seed)
    pairs = reward_pairs(horizon, generator) if neighbours is None else [pair_of(*lists) for lists in neighbours]
    if not pairs:
        raise InvalidInput("neighbours", neighbours, "at least one pair of reward lists")
    player, spent, short = player_of(make_policy), 0, min(horizon, PREFIX)

    def counted(rewards: Sequence[float], size: int, generator: np.random.Generator) -> np.ndarray:
        nonlocal spent
        spent += size
        return player(rewards, size, generator)

    if neighbours is None and runs >= PREFIX_RUNS * ALIKE * 2**short:
        certain = certain_pair(counted, short, generator)
        pairs = pairs if certain is None else [certain[0]]
    bounds = tangents(budget)
    pairs = pairs[: max(1, runs // (8 * FIRST))]
    needed = -log(error) + SLACK
    for stand in race(player, pairs, bounds, runs - spent, generator):
        if stand.log_wealth >= needed:
            break
    reach = log1p(exp(-min(epsilon for epsilon, _ in bounds))) * runs
    name = "nothing yet" if stand.statistic is None else stand.statistic.name
    shown_by = (stand.pair.rewards, stand.pair.neighbour, name)
    return SequentialReport(budget, spent + stand.runs, stand.log_wealth, reach, *shown_by, Fraction(error))
