"""Audit of a policy that draws its own noise: a search over neighbouring reward lists, judged by the actions alone.

Most of what a policy does is invisible here: its noise, its sensitivities, long horizons, rare events. So an audit
refutes a promise or fails to; it never shows privacy. A first part of the runs chooses the lists and what is looked at
(the actions around the changed reward, or how often each arm is pulled from there on), a second one the event, and a
fresh third one certifies its two probabilities with exact binomial intervals.

Source: BDP-P4.2
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import fsum, log, log1p
from typing import Any

import numpy as np

from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Policy
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget, checked_budget
from banditproof.verify.privacy.audit import search_event
from banditproof.verify.proof.statistics import REPORT_ERROR, binomial_interval
from banditproof.verify.runs.recorder import PolicyMaker, far_neighbour
from banditproof.verify.stopwatch import Stopwatch

HORIZON = 12
WINDOWS = (2, 4)  # numbers of actions from the changed reward on that are looked at
MOST = 100_000  # fresh runs on each list: their outcomes are held in memory
EXPLORING = 0.3  # the part of the runs that goes into the choice of the lists
ORDERS = np.array([1.05, 1.25, 1.5, 2, 3, 5, 10, 30])  # of the Renyi divergences that are compared with zCDP
PARAMETER = {"pure": "epsilon", "approximate": "epsilon", "zcdp": "rho", "rdp": "epsilon", "gdp": "mu"}
SLACK = 1e-9  # far more than the rounding of the formulas

Event = frozenset[tuple[int, ...]]
Pair = tuple[tuple[float, ...], tuple[float, ...], int]
"""Two neighbouring reward lists and the index of the reward in which they differ."""


@dataclass(frozen=True)
class Refutation:
    """What an audit says of a budget: `shown` is the least parameter that is certain, `reach` the most it can show."""

    budget: Budget
    shown: float
    reach: float

    @property
    def parameter(self) -> str:
        """epsilon, rho or mu."""
        return PARAMETER[self.budget.kind]

    @property
    def promised(self) -> float:
        """The parameter of the budget."""
        return float(self.budget.parameters[self.parameter])

    @property
    def verdict(self) -> str:
        """One of "violation", "not refuted", and "inconclusive" where this many runs could not refute the promise.

        An audit never says that something is private.
        """
        if self.shown > self.promised:
            return "violation"
        return "not refuted" if self.reach > self.promised else "inconclusive"


@dataclass(frozen=True)
class BlackBoxReport(Refutation):
    """What the actions of a policy on two neighbouring reward lists say about its budget.

    With probability at least 1 - `error` the parameter of any budget that the policy keeps (`parameter`: epsilon, rho
    or mu) is at least `shown`; the most that this many runs can show is `reach`. `statistic` says what was looked at,
    `event` which of its values were chosen, `counts` how often they occurred in `samples` fresh runs on each list.
    `power` says what would have been seen in 99 of 100 audits.
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
                f"inconclusive: {self.samples} runs on each list can show {self.parameter} >= {self.reach:.3g} at most "
                f"and {self.budget} is promised; give the audit more seconds"
            )
        shown = f"the actions show {self.parameter} >= {self.shown:.3g}, {self.budget} is promised"
        if self.verdict == "not refuted":
            runs = f"{self.samples} runs on each of two lists of {len(self.rewards)} rewards"
            return f"not refuted, which does not mean private: {shown}; {runs}; {self.power}"
        some = ", ".join(map(str, sorted(self.event)[:5])) + (", ..." if len(self.event) > 5 else "")
        first, second = self.counts
        alike = abs(first - second) == self.samples
        hint = (
            "; all runs are alike: is the policy seeded from its `generator`, if it should be random?" if alike else ""
        )
        return (
            f"violation: {shown}; {self.statistic} were among {some} in {first} of {self.samples} runs on rewards "
            f"{_listed(self.rewards)} and in {second} on {_listed(self.neighbour)}, error {float(self.error):.2g}{hint}"
        )


def _listed(rewards: Sequence[float]) -> str:
    return " ".join(f"{reward:g}" for reward in rewards)


def audit_private(
    make_policy: PolicyMaker,
    budget: Budget,
    *,
    seconds: float = 5.0,
    samples: int | None = None,
    seed: int = 0,
    horizon: int | None = None,
    error: Fraction = REPORT_ERROR,
) -> BlackBoxReport:
    """Try to refute that the policies of `make_policy(noise, generator)` keep the `budget`, by their actions alone.

    Every run builds a fresh policy with one replication, which must draw all its randomness from `generator` (a policy
    with a seed of its own is seeded by `generator.integers(2**32)`): a fixed seed makes it deterministic, and a
    deterministic policy that listens keeps no budget. Lists have `horizon` rewards (default 12), all but one of them
    the same. The runs take about `seconds`, or `samples` fresh ones on each list certify the event and as many find it;
    with `samples` the result depends on the arguments alone.

    Raises InvalidInput, also for an infinite budget, which no audit can refute.
    """
    promised = checked_budget(budget).parameters[PARAMETER[budget.kind]]
    if np.ndim(promised) or not promised < np.inf:
        raise InvalidInput("budget", str(budget), "one for all runs and finite: nothing refutes an infinite one")
    if not 0 < error < 1:
        raise InvalidInput("error", error, "between 0 and 1")
    if not 0 < seconds < np.inf:
        raise InvalidInput("seconds", seconds, "positive and finite")
    length = HORIZON if horizon is None else horizon
    for name, value in (("horizon", length), ("samples", 1 if samples is None else samples)):
        if not isinstance(value, int | np.integer) or value < 1:
            raise InvalidInput(name, value, "an integer, at least 1")
    explore, search, fresh = (np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(3))
    pairs = _pairs(length, explore)
    binomial_interval(0, 1, error)  # what it imports should not count as time of the runs
    watch = Stopwatch()
    if samples is None:
        tries = EXPLORING * seconds / _seconds_per_run(make_policy, pairs[0][0], seconds, explore) / 2
    else:
        tries = EXPLORING / (1 - EXPLORING) * 2 * samples
    pairs = pairs[: max(1, int(tries) // 20)]
    size = max(1, int(tries) // len(pairs))
    pair, statistic = _choice(make_policy, budget, pairs, size, explore)
    if samples is None:
        spent = watch.seconds()
        samples = min(MOST, max(1, int((seconds / spent - 1) * size * len(pairs) / 2)))
    judge = partial(shown_parameter, budget, samples=samples, error=error)
    event, _ = search_event(*_samples(make_policy, pair, samples, search)[statistic], judge)
    counts = _counts(event, _samples(make_policy, pair, samples, fresh)[statistic])
    power = _power(judge, samples, promised)
    shown, reach = judge(*counts), judge(samples, 0)
    found = (*pair[:2], statistic, frozenset(event), counts)
    return BlackBoxReport(budget, shown, reach, *found, samples, Fraction(error), power)


def _pairs(horizon: int, generator: np.random.Generator) -> list[Pair]:
    """Lists to try, with an early or a middle reward changed; the likeliest to show a leak come first."""
    alternating = [t % 2 for t in range(horizon)]
    lists = ([0] * horizon, alternating, [1] * horizon, *generator.integers(0, 2, (2, horizon)).tolist())
    times = dict.fromkeys(time for time in (0, 1, horizon // 4, horizon // 2) if time < horizon)
    bases = [tuple(map(float, rewards)) for rewards in lists]
    return [(rewards, far_neighbour(rewards, time), time) for time in times for rewards in bases]


def _seconds_per_run(
    make_policy: PolicyMaker, rewards: Sequence[float], seconds: float, generator: np.random.Generator
) -> float:
    """Measured in a twentieth of the time, after a first run that may import things."""
    _actions(make_policy, rewards, 1, generator)
    watch, runs = Stopwatch(), 0
    while not runs or watch.seconds() < seconds / 20:
        _actions(make_policy, rewards, 1, generator)
        runs += 1
    return watch.seconds() / runs


def _actions(
    make_policy: PolicyMaker, rewards: Sequence[float], size: int, generator: np.random.Generator
) -> np.ndarray:
    """The actions of `size` fresh policies on the list, [size, horizon]."""
    return np.array([_run(make_policy(NoiseSource(generator), generator), rewards) for _ in range(size)])


def _run(policy: Policy, rewards: Sequence[float]) -> list[int]:
    if policy.replications != 1:
        raise InvalidInput("replications", policy.replications, "1: privacy is audited one run at a time")
    actions: list[int] = []
    while (time := len(actions)) < len(rewards):
        arm, count = policy.next_batch()
        if count[0] < 1:
            raise InvalidInput("count", int(count[0]), "at least 1 for every batch a policy asks for")
        heard = rewards[time : time + int(count[0])]
        policy.observe(np.array([fsum(heard)]), np.array([len(heard)]))
        actions += [int(arm[0])] * len(heard)
    return actions


def _samples(
    make_policy: PolicyMaker, pair: Pair, size: int, generator: np.random.Generator
) -> dict[str, tuple[list, list]]:
    """`size` outcomes of every statistic on the first and on the second list, by what it looks at."""
    first, second, time = pair
    drawn = [_statistics(_actions(make_policy, rewards, size, generator), time) for rewards in (first, second)]
    return {name: (drawn[0][name], drawn[1][name]) for name in drawn[0]}


def _statistics(actions: np.ndarray, time: int) -> dict[str, list[tuple[int, ...]]]:
    later = np.sort(actions[:, time + 1 :])
    looked_at = {f"the {width} actions from {time} on": actions[:, time : time + width] for width in WINDOWS}
    looked_at["all actions"] = actions
    looked_at[f"action {time} and the later ones in any order"] = np.hstack([actions[:, [time]], later])
    return {name: list(map(tuple, values.tolist())) for name, values in looked_at.items()}


def _choice(
    make_policy: PolicyMaker, budget: Budget, pairs: Sequence[Pair], size: int, generator: np.random.Generator
) -> tuple[Pair, str]:
    """The pair of lists and the statistic whose best event shows most, judged mildly on `size` runs on each list."""
    judge = partial(shown_parameter, budget, samples=size, error=Fraction(1, 10))
    ranked = [
        (judge(*_counts(search_event(*outcomes, judge)[0], outcomes)), pair, name)
        for pair in pairs
        for name, outcomes in _samples(make_policy, pair, size, generator).items()
    ]
    return max(ranked, key=lambda entry: entry[0])[1:]


def _counts(event: Container[tuple[int, ...]], outcomes: tuple[list, list]) -> tuple[int, int]:
    first, second = (sum(outcome in event for outcome in side) for side in outcomes)
    return first, second


def shown_parameter(budget: Budget, first: int, second: int, *, samples: int, error: Fraction) -> float:
    """The least parameter that these counts of an event allow, with both probabilities inside their intervals."""
    (p_low, p_high), (q_low, q_high) = (binomial_interval(n, samples, Fraction(error) / 2) for n in (first, second))
    if p_low > q_high:
        return _least_parameter(budget, p_low, q_high)
    return _least_parameter(budget, q_low, p_high) if q_low > p_high else 0.0


def _least_parameter(budget: Budget, p: float, q: float) -> float:
    """Of budgets with an event of probability at least p on one list and at most q < p on the neighbour.

    Event and complement are post-processings to one bit, whose divergences grow with p and fall with q below p.
    """
    if budget.kind in ("pure", "approximate"):
        excesses = ((p - (budget.delta or 0.0), q), (1 - q - (budget.delta or 0.0), 1 - p))
        found = max((log(a / b) for a, b in excesses if a > 0), default=0.0)
    elif budget.kind == "gdp":
        from scipy.special import ndtri

        found = ndtri(p) - ndtri(q)
    elif budget.kind == "rdp":
        found = _renyi(p, q, budget.order)
    else:
        found = (_renyi(p, q, ORDERS) / ORDERS).max()
    return max(0.0, float(found) * (1 - SLACK) - SLACK)


def _renyi(p: float, q: float, order: Any) -> Any:
    """D_order(Bernoulli(p), Bernoulli(q)) for 0 < q < p < 1: `renyi_bernoulli`, quickly."""
    one, zero = order * log(p) + (1 - order) * log(q), order * log1p(-p) + (1 - order) * log1p(-q)
    return np.logaddexp(one, zero) / (order - 1)


def _power(judge: Callable[[int, int], float], samples: int, promised: float) -> str:
    """The probability an event of probability 1/2 may fall to before it is seen in 99 of 100 audits."""
    from scipy.stats import binom

    if judge(samples, 0) <= promised:
        return "would have seen nothing"
    often = int(binom.ppf(0.005, samples, 0.5))
    seen, unseen = 0.0, 0.5
    if judge(often, 0) <= promised:
        return "would have seen only an event far likelier than 1/2 that almost never occurs on the neighbour"
    for _ in range(20):
        middle = (seen + unseen) / 2
        found = judge(often, int(binom.ppf(0.995, samples, middle))) > promised
        seen, unseen = (middle, unseen) if found else (seen, middle)
    return f"would have seen an event of probability 1/2 that one reward brings below {0.95 * seen:.2g}"  # rounded down
