"""Audit of a mechanism: the largest budget that runs on two neighbouring inputs refute, whatever happens inside.

A first sample chooses what is looked at (a coordinate or a projection of the outputs, cut into cells) and the event, a
fresh one certifies the event's two probabilities with exact binomial intervals. An audit refutes a budget or fails to;
it never shows privacy.

Source: MIA-A-U1, MIA-D2.34, MIA-D2.35
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np

from banditproof.algorithms.membership.mechanisms import checked_output
from banditproof.theory.arguments import Error, Seed, Size, checked
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.audits.audit import search_event
from banditproof.verify.audits.refutation import Refutation, checked_promise, shown_parameter
from banditproof.verify.proof.statistics import REPORT_ERROR

Mechanism = Callable[[int, int, np.random.Generator], np.ndarray]
"""`mechanism(world, size, generator)`: outputs [size] or [size, d] on the first (0) or the second (1) of two inputs."""

CELLS = (4, 16, 64)  # into so many the values looked at may be cut, at quantiles of the first sample
COORDINATES = 8  # at most as many of an output are looked at one by one, those whose means are farthest apart


@dataclass(frozen=True)
class MechanismAudit(Refutation):
    """What the outputs on two neighbouring inputs say about a budget.

    With probability at least 1 - `error` every budget of this kind that the mechanism keeps has a parameter of at least
    `shown`; `reach` is the most that so many runs can show. The event is that `looked_at` fell into one of `ranges`; it
    occurred `counts` times in `samples` fresh runs on either input.
    """

    looked_at: str
    ranges: tuple[tuple[float, float], ...]
    counts: tuple[int, int]
    samples: int
    error: Fraction

    def __str__(self) -> str:
        if self.verdict == "inconclusive":
            return (
                f"cannot refute: {self.samples} runs on each input show {self.parameter} >= {self.reach:.3g} at most, "
                f"{self.budget} is promised; give the audit more runs"
            )
        event = " or ".join(f"[{low:.4g}, {high:.4g})" for low, high in self.ranges[:4])
        event += f" ... ({len(self.ranges)} ranges)" if len(self.ranges) > 4 else ""
        said = (
            f"{self.parameter} >= {self.shown:.4g}, {self.budget} is promised: {self.looked_at} in {event} occurred "
            f"{self.counts[0]} and {self.counts[1]} times in {self.samples} runs, error {float(self.error):.2g}"
        )
        return (
            f"violation: {said}" if self.verdict == "violation" else f"not refuted, which does not mean private: {said}"
        )


@checked
def audit_mechanism(
    mechanism: Mechanism, budget: Budget, *, samples: Size = 20_000, error: Error = REPORT_ERROR, seed: Seed = 0
) -> MechanismAudit:
    """Try to refute that a mechanism keeps a budget, from `samples` runs on each of two neighbouring inputs and as many
    fresh ones.

    The mechanism draws all its randomness from the generator it gets. Pure, approximate, zero-concentrated, Renyi and
    Gaussian DP. The error is shared by the two intervals. The result depends on the arguments alone.

    Raises InvalidInput for outputs that are not finite or whose number or shape changes, for an infinite budget, for
    samples below 1 and an error outside (0, 1).
    """
    error = Fraction(error)
    checked_promise(budget, error)
    search, fresh = (np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(2))
    first = [_outputs(mechanism, world, samples, search) for world in (0, 1)]
    second = [_outputs(mechanism, world, samples, fresh) for world in (0, 1)]
    kinds = {f"{o.dtype} of shape {o.shape[1:]}" for o in (*first, *second)}
    if len(kinds) > 1:
        raise InvalidInput("output of the mechanism", " and ".join(sorted(kinds)), "of one type and shape in all runs")
    first, second = ([np.reshape(o, (samples, -1)).astype(float) for o in drawn] for drawn in (first, second))
    judge = partial(shown_parameter, budget, samples=samples, error=error)
    # half of them find events, the other half says which is worth most: many cells invite to see too much
    half = (samples + 1) // 2
    milder = partial(shown_parameter, budget, samples=half, error=error)
    best, chosen = -1.0, None
    for (name, direction), number in product(_views(first[0], first[1]), CELLS):
        values = [o @ direction for o in first]
        cuts = np.unique(np.quantile(np.concatenate(values), np.linspace(0, 1, number + 1)[1:-1]))
        cells = [np.searchsorted(cuts, v, side="right") for v in values]
        left, right = (counts_of(side[:half]) for side in cells)
        tried, _ = search_event(left, right, milder)
        found = milder(*(int(np.isin(side[-half:], list(tried)).sum()) for side in cells))
        if chosen is None or found > best:
            best, chosen = found, (name, direction, cuts, cells)
    assert chosen is not None  # an output has a coordinate
    name, direction, cuts, cells = chosen
    event, _ = search_event(counts_of(cells[0]), counts_of(cells[1]), judge)
    inside = [np.isin(np.searchsorted(cuts, o @ direction, side="right"), list(event)) for o in second]
    counts = int(inside[0].sum()), int(inside[1].sum())
    ends = np.concatenate([[-np.inf], cuts, [np.inf]])
    ranges = tuple(_joined((float(ends[k]), float(ends[k + 1])) for k in sorted(event)))
    shown, reach = judge(*counts), judge(samples, 0)
    return MechanismAudit(budget, shown, reach, name, ranges, counts, samples, error)


def counts_of(cells: np.ndarray) -> dict[int, int]:
    """How often each cell occurs, without those that do not."""
    return {cell: count for cell, count in enumerate(np.bincount(cells).tolist()) if count}


def _outputs(mechanism: Mechanism, world: int, samples: int, generator: np.random.Generator) -> np.ndarray:
    return checked_output(mechanism(world, samples, generator), (samples,))


def _joined(ranges: Iterable[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Neighbouring ranges as one."""
    held: tuple[float, float] | None = None
    for low, high in ranges:
        if held is not None and held[1] == low:
            held = held[0], high
            continue
        if held is not None:
            yield held
        held = low, high
    if held is not None:
        yield held


def _views(left: np.ndarray, right: np.ndarray) -> list[tuple[str, np.ndarray]]:
    """Directions to look along: coordinates, and that which separates the two means best."""
    apart, spread = right.mean(axis=0) - left.mean(axis=0), (left.var(axis=0) + right.var(axis=0)) / 2
    shift = np.abs(apart) / np.sqrt(np.where(spread > 0, spread, 1))
    far = np.argsort(-shift, kind="stable")[:COORDINATES]
    views = [(f"coordinate {j}" if len(apart) > 1 else "the output", np.eye(len(apart))[j]) for j in far]
    if len(apart) > 1:
        views.append(("the projection onto the difference of the means", apart / np.where(spread > 0, spread, 1)))
    return views
