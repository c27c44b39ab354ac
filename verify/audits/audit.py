"""Black-box audit: a lower bound on epsilon from runs alone, valid whatever the policy does inside.

An event is searched on one sample and its probabilities are certified on a fresh one with exact binomial intervals;
searching and certifying on the same sample would claim leaks that are not there.

Source: BDP-P4.2
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import inf
from typing import Any

import numpy as np

from banditproof.algorithms import NoiseSource, Policy, simulate
from banditproof.algorithms.environment import RewardList
from banditproof.theory.arguments import Error, Seed, Size, checked
from banditproof.theory.errors import InvalidInput
from banditproof.theory.tables import Preformatted
from banditproof.verify.proof.statistics import lower_end, upper_end

Sampler = Callable[[int, np.random.Generator], np.ndarray]
"""Draws outcomes of a mechanism on one input: `sampler(size, generator)` is [size] or [size, d], integers."""

EVENTS = 500  # about as many events are compared in each direction


@dataclass(frozen=True)
class AuditResult(Preformatted):
    """A certified lower bound on epsilon and the event that shows it.

    With probability at least 1 - `error`, `epsilon_lower` is a true lower bound (-inf says nothing). `event` are the
    outcomes chosen on the search sample; `counts` how often the event occurred among the `samples` fresh runs on the
    first and on the second input; `swapped` says that the event is likelier on the second.
    """

    epsilon_lower: float
    event: tuple[tuple[int, ...], ...]
    counts: tuple[int, int]
    samples: int
    swapped: bool
    error: Fraction

    def refutes(self, epsilon: float) -> bool:
        """Whether the runs show, up to the error probability, that the mechanism is not epsilon-DP."""
        return self.epsilon_lower > epsilon


@checked
def audit(left: Sampler, right: Sampler, *, samples: Size, error: Error, seed: Seed, delta: float = 0.0) -> AuditResult:
    """Certify a lower bound on the epsilon of (epsilon, delta)-DP from a mechanism's runs on two neighbouring inputs.

    `samples` runs on each input are searched, as many fresh ones certify. `error` is shared by the two intervals.

    Raises InvalidInput for no samples, or `error` or `delta` outside (0, 1) and [0, 1).
    """
    if samples < 1:
        raise InvalidInput("samples", samples, "an integer >= 1")
    if not 0 <= delta < 1:
        raise InvalidInput("delta", delta, "in [0, 1)")
    error = Fraction(error)
    search, fresh = (np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(2))
    bound = partial(_epsilon_bound, samples=samples, error=error, delta=delta)
    event, swapped = search_event(_outcomes(left, samples, search), _outcomes(right, samples, search), bound)
    in_left, in_right = (
        sum(outcome in event for outcome in _outcomes(sampler, samples, fresh)) for sampler in (left, right)
    )
    rarer_last = (in_right, in_left) if swapped else (in_left, in_right)
    lowest = float(bound(np.array(rarer_last[0]), np.array(rarer_last[1])))
    return AuditResult(lowest, tuple(sorted(event)), (in_left, in_right), samples, swapped, error)


def _outcomes(sampler: Sampler, samples: int, generator: np.random.Generator) -> list[tuple[int, ...]]:
    drawn = np.asarray(sampler(samples, generator))
    return list(map(tuple, drawn.reshape(samples, -1).tolist()))


Bound = Callable[[Any, Any], Any]
"""Judges events by how often they occurred in the sample where they are likelier, and in the other one: [k] each."""


def search_event(
    left: Sequence | Mapping[Any, int], right: Sequence | Mapping[Any, int], bound: Bound
) -> tuple[set, bool]:
    """The event and direction with the best bound on two samples (outcomes, or how often each of them occurred), among
    sets of the likeliest-ratio outcomes; the direction says whether it is likelier in the right one.

    Of many outcomes, events are compared whose counts grow by a factor.
    """
    best_bound, best_event, best_swapped = -inf, set(), False
    for first, second, swapped in ((left, right, False), (right, left, True)):
        p, q = Counter(first), Counter(second)
        ordered = sorted(p, key=lambda o: (-p[o] / (q[o] + 1), o))
        if not ordered:
            continue
        counts = np.array([(p[o], q[o]) for o in ordered]).cumsum(axis=0)
        lengths = np.arange(len(ordered))
        if len(ordered) > EVENTS:
            lengths = np.unique(np.searchsorted(counts[:, 0], np.geomspace(1, counts[-1, 0], EVENTS)))
        values = bound(*counts[lengths].T)
        if values.max() > best_bound:
            best_bound, best_swapped = float(values.max()), swapped
            best_event = set(ordered[: int(lengths[values.argmax()]) + 1])
    return best_event, best_swapped


def _epsilon_bound(
    in_first: np.ndarray, in_second: np.ndarray, samples: int, error: Fraction, delta: float
) -> np.ndarray:
    """log((p - delta)/q) at the ends of the intervals that make it smallest, less far more than its rounding."""
    p, q = lower_end(in_first, samples, float(error)) - delta, upper_end(in_second, samples, float(error))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(p > 0, np.log(p / q) - 1e-12, -inf)


@checked
def action_sampler(
    make_policy: Callable[[NoiseSource, np.random.Generator, int], Policy], rewards: Sequence[float]
) -> Sampler:
    """Samples the action sequences of a policy on a reward list: [size, horizon].

    `make_policy(noise, generator, replications)` builds a fresh policy that runs all replications at once.
    """

    def sample(size: int, generator: np.random.Generator) -> np.ndarray:
        policy = make_policy(NoiseSource(generator), generator, size)
        times = np.arange(1, len(rewards) + 1)
        return simulate(policy, RewardList(rewards, policy.arms), len(rewards), generator, times).actions

    return sample
