"""Audit of a mechanism: the largest budget that runs on two neighbouring inputs refute, whatever happens inside.

A first sample chooses what is looked at (a coordinate, a projection or a score of all answers together, cut into cells)
and the event, a fresh one certifies the event's two probabilities with exact binomial intervals. An audit refutes a
budget or fails to; it never shows privacy.

Cells end at quantiles, coarse and fine, and towards both ends at quantiles whose distance from the end falls by a
factor, so that a tail is seen however rare it is. A value that a cell would end in has a cell of its own. Events are
the cells with the largest ratios, and all cells from one end on.

Source: MIA-A-U1, MIA-D2.34, MIA-D2.35
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms.membership.mechanisms import checked_output
from banditproof.theory import Budget, InvalidInput
from banditproof.theory.arguments import Error, Seed, Size, checked
from banditproof.theory.hints import hint
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.verify.asking import called_as
from banditproof.verify.audits.refutation import Refutation, checked_promise, least_parameter, shown_parameter
from banditproof.verify.proof.statistics import REPORT_ERROR
from banditproof.verify.tracing import traced

Mechanism = Annotated[
    Callable[[int, int, np.random.Generator], np.ndarray],
    "(world, size, generator), which returns outputs (a policy is checked by check_privacy)",
]
"""`mechanism(world, size, generator)`: outputs [size] or [size, d] on the first (0) or the second (1) of two inputs."""

CELLS = tuple(4**k for k in range(1, 8))  # into so many the values may be cut, at quantiles of the first sample
FULL = 4  # values that a cell holds at least: finer ones say nothing
ALIKE = 1000  # outputs, after which a mechanism may not use its input
FALLING = 2.0**0.5  # the mass beyond a cut, by that beyond the next one towards an end
GAPS = 4  # between values, the widest ones
HALVES = "seen", "unseen"
MORE = 0.02  # events of more cells have to show so much more
RISING = 1.3  # the share of the values that an event holds, by that of the next smaller one which is compared
COORDINATES = 8  # at most as many of an output are looked at one by one, those whose means are farthest apart
RANGES = 24  # of equal mass, of each answer
TOGETHER = 32  # at most as many are looked at together
ROUNDS = ((500, 8), (3000, 1))  # runs on every pair of inputs that is left, and how many pairs are kept
ALL_RECORDS = 6
APART = 20  # different outputs, in an order that does not come twice by chance
ATOM = 0.02  # of the answers: a value that so many have is looked at by itself
ROUGH = Fraction(1, 10)  # the error of the search for a pair, which claims nothing
SAMPLES, FURTHER = 20_000, 100_000  # where none are given: at first, and where an event comes near what is promised
NEAR = 0.8  # of what is promised: more runs certify rarer events, which may show more
AGAIN = 4  # times as many runs count an event that exceeds what is promised, though not by enough

FEW = 40  # so many outputs at least have to be expected of a probability delta, to be seen in the first runs
PROBED = 50, 500  # outputs of which it is seen whether Python makes each of them
IN_TAILS, MOST_IN_TAILS, MOST_EVENTS = 1_000_000, 4, 6  # numbers of a sample, of an output, and events that are chosen
LOOKED_AT, TIMES_COUNTED = 8, (8, 32, 128)  # such samples by which one of them is chosen, and that count it

# The error with which a rare event exceeds it that more runs are made for, and that such runs count.
GLIMPSED, PROMISING = Fraction(1, 100), Fraction(1, 100_000)

Score = Callable[[np.ndarray], np.ndarray]
View = tuple[str, Score]
"""What is looked at, and its values [n] for outputs [n, d]."""


@dataclass(frozen=True)
class MechanismAudit(Refutation):
    """What the outputs on two neighbouring inputs say about a budget.

    With probability at least 1 - `error` every budget of this kind that the mechanism keeps has a parameter of at least
    `shown`; `reach` is the most that so many runs can show. The event is that `looked_at` fell into one of `ranges`; it
    occurred `counts` times in `samples` fresh runs on either input. `inputs` is the pair that was searched, if one was.
    """

    looked_at: str
    ranges: tuple[tuple[float, float], ...]
    counts: tuple[int, int]
    samples: int
    error: Fraction
    inputs: tuple[Any, Any] | None = None

    def __str__(self) -> str:
        if self.verdict == "inconclusive":
            return (
                f"cannot refute: {self.samples} runs on each input show {self.parameter} >= {self.reach:.3g} at most, "
                f"{self.budget} is promised; give the audit more runs"
            )
        event = " or ".join(_range_text(low, high) for low, high in self.ranges[:4])
        event += f" ... ({len(self.ranges)} ranges)" if len(self.ranges) > 4 else ""
        measured = (
            f"{self.parameter} >= {self.shown:.4g}, {self.budget} is promised: {self.looked_at} in {event} occurred "
            f"{self.counts[0]} and {self.counts[1]} times in {self.samples} runs, error {float(self.error):.2g}"
            + ("" if self.inputs is None else f"; {_taken_for_neighbours(*self.inputs)}")
        )
        verdict = "violation" if self.verdict == "violation" else "not refuted, which does not mean private"
        return f"{verdict}: {measured}"


def _range_text(low: float, high: float) -> str:
    """A range with as many digits as tell its ends apart."""
    texts = [(f"{low:.{digits}g}", f"{high:.{digits}g}") for digits in (4, 6, 9, 12, 17)]
    one, two = next((pair for pair in texts if pair[0] != pair[1]), texts[-1])
    return f"[{one}, {two})"


def _taken_for_neighbours(first: Any, second: Any) -> str:
    """The pair of inputs, and in how many entries they differ: nothing else says that they are neighbours."""
    one, other = np.asarray(first), np.asarray(second)
    alike = one.shape == other.shape and one.ndim > 0
    count = sum(not np.array_equal(x, y) for x, y in zip(one, other, strict=True)) if alike else 0
    apart = f", which differ in {count} entries" * (count > 1)
    return f"inputs {_data_text(first)} and {_data_text(second)}{apart}, are taken for neighbours"


def _data_text(data: Any) -> str:
    return np.array2string(np.asarray(data), precision=4, threshold=12, edgeitems=4)


@checked
def audit_mechanism(
    mechanism: Mechanism, budget: Budget, *, samples: Size | None = None, error: Error = REPORT_ERROR, seed: Seed = 0
) -> MechanismAudit:
    """Try to refute that a mechanism keeps a budget, from `samples` runs on each of two neighbouring inputs and as many
    fresh ones.

    The mechanism draws all its randomness from the generator it gets. Pure, approximate, zero-concentrated, Renyi and
    Gaussian DP. The result depends on the arguments alone.

    One event is certified, and the first sample chooses it, so that comparing many costs no error: given that sample,
    its counts in the fresh runs are binomial. By Clopper and Pearson each end of its two intervals is wrong with
    probability at most error/4, so that all four ends, and what they show in either direction, are right with
    probability at least 1 - error.

    Without `samples` they are 20,000, and the audit has half of the error. Where that event then shows more than four
    fifths of the budget in the fresh runs, though it does not refute it, or a rare one in the first sample exceeds the
    budget with an error of 0.01, or so few runs cannot refute it, all is done once more with 100,000, for a quarter:
    rarer events may show more. Where the new one exceeds the budget, though not by enough, or else a rare one would
    with an error of 1e-5, 400,000 fresh runs count it, for the last quarter. Of a mechanism that draws many outputs at
    once, millions are looked at where delta is small or epsilon so large.

    Raises InvalidInput for outputs that are not finite or whose number or shape changes, for an infinite budget, for
    samples below 1 and an error outside (0, 1).
    """
    error, root = Fraction(error), np.random.SeedSequence(seed)
    _probe(mechanism, seed)
    if all(_same_on_both(mechanism, size, seed) for size in (FULL, ALIKE)):
        hint(f"with one generator {ALIKE} outputs on both inputs are the same: does the mechanism use its input?")
    if samples is not None:
        return _audited(mechanism, budget, samples, error, root)[0]
    audit, glimpsed = _audited(mechanism, budget, SAMPLES, error / 2, root, GLIMPSED)
    too_few = audit.verdict == "inconclusive"
    rare = budget.line is not None and (too_few or 0 < budget.line[1] * SAMPLES < FEW)
    tails = rare and _draws_at_once(mechanism)
    if too_few or shows_more(audit, NEAR) or glimpsed and audit.verdict == "not refuted":
        audit, _ = _audited(mechanism, budget, FURTHER, error / (8 if tails else 4), root, PROMISING, AGAIN)
    if tails and audit.verdict != "violation":
        audit = _in_tails(audit, mechanism, error / 4, root)
    return replace(audit, error=error)


def _probe(mechanism: Mechanism, seed: int, first: str = "world") -> None:
    """A hint where a few runs are others with the same generator. InvalidInput where they raise something."""

    def few(world: int) -> np.ndarray:
        return _outputs(mechanism, world, FULL, np.random.default_rng(seed))

    with called_as("mechanism", f"({first}, size, generator): the input, how many outputs, and what draws them"):
        again = all(np.array_equal(few(world), few(world)) for world in (0, 1))
    if not again:
        hint(
            "the mechanism draws from something else than the generator that it is given, and answers something else "
            "with the same one: this audit cannot be repeated, and holds only if the runs are independent"
        )


def _same_on_both(mechanism: Mechanism, size: int, seed: int) -> bool:
    first, second = (_outputs(mechanism, world, size, np.random.default_rng(seed)) for world in (0, 1))
    return np.array_equal(first, second)


def _draws_at_once(mechanism: Mechanism) -> bool:
    """Whether Python has no more to do for many outputs than for a few, so that millions of them take seconds."""
    lines = []
    for size in PROBED:
        lines.append(0)

        def count(*_: Any) -> Any:
            lines[-1] += 1
            return count

        with traced(count):
            mechanism(0, size, np.random.default_rng(0))
    return lines[1] < 2 * lines[0]


def _in_tails(
    audit: MechanismAudit, mechanism: Mechanism, error: Fraction, root: np.random.SeedSequence
) -> MechanismAudit:
    """What an event shows by which the first input is likelier than e^epsilon times the second by more than a small
    delta: some are found in one sample, one of them is chosen in the next, and counted in a fresh one if that may
    refute."""
    budget, (epsilon, delta) = audit.budget, map(float, audit.budget.line or (0, 0))
    search, look, fresh = map(np.random.default_rng, root.spawn(3))
    dimension = np.reshape(_outputs(mechanism, 0, 2, search), (2, -1)).shape[1]
    if dimension > MOST_IN_TAILS:
        return audit
    size = IN_TAILS // dimension

    def excess(held: np.ndarray, samples: int) -> np.ndarray:
        return (held.max(axis=0) - np.exp(epsilon) * held.min(axis=0)) / samples - delta

    def counted(events: Sequence[tuple[str, Score, Any]], times: int, generator: np.random.Generator) -> np.ndarray:
        counts = np.zeros((len(events), 2), dtype=int)
        for world in (0, 1) * times:
            drawn = np.reshape(_outputs(mechanism, world, size, generator), (size, -1)).astype(float)
            counts[:, world] += [_inside(ranges, score(drawn)) for _, score, ranges in events]
        return counts

    first = [np.reshape(_outputs(mechanism, world, size, search), (size, -1)).astype(float) for world in (0, 1)]
    shares = RISING ** -np.arange(np.log(size) / np.log(RISING) + 1)[::-1]
    found = []
    for name, score in _views(*(side[: size // 2] for side in first)):
        left, right = (_Ordered(score(o)) for o in first)
        cuts = _cuts(_merged(left.whole, right.whole))[-1]
        one, two = _halves(cuts, left, right)
        for order in (*ENDS, *RATIOS):
            shown = excess(_held(order, one, two, shares), size // 2)
            found.append((shown.max(), len(found), (name, score, cuts, left, right, order, shares[shown.argmax()])))
    events = [_event(*chosen) for *_, chosen in sorted(found, key=lambda f: -f[0])[:MOST_EVENTS]]
    counts = counted(events, LOOKED_AT, look)
    for times in TIMES_COUNTED:
        samples, expected = times * size, counts.T * (times // LOOKED_AT)
        certain = PROMISING * error if times < TIMES_COUNTED[-1] else GLIMPSED
        promising = shown_parameter(budget, *expected, samples=samples, error=certain)
        if promising.max() > audit.promised:
            break
    else:
        return audit
    best = int(promising.argmax())
    name, _, ranges = events[best]
    one, two = counted(events[best : best + 1], times, fresh)[0].tolist()
    judge = partial(shown_parameter, budget, samples=samples, error=error)
    told = replace(audit, looked_at=name, ranges=ranges, reach=judge(samples, 0), counts=(one, two), samples=samples)
    return max(audit, replace(told, shown=judge(one, two)), key=lambda a: a.shown)


def shows_more(audit: MechanismAudit, share: float) -> bool:
    """Whether an event that refutes nothing shows more than a share of what is promised, if its frequencies are exact.

    Where it never or always occurred, it counts as half a run away from that.
    """
    less, more = sorted(min(max(count, 0.5), audit.samples - 0.5) / audit.samples for count in audit.counts)
    shows = less < more and least_parameter(audit.budget, more, less) > share * audit.promised
    return audit.verdict == "not refuted" and shows


def _audited(
    mechanism: Mechanism,
    budget: Budget,
    samples: int,
    error: Fraction,
    root: np.random.SeedSequence,
    rarely: Fraction | None = None,
    longer: int = 0,
) -> tuple[MechanismAudit, bool]:
    """The audit with so many samples, by the next two children of the root, and whether a rare event exceeds the budget
    in the first sample with the error `rarely`, which is not looked for if there is none.

    Where its event seems to exceed the budget, `longer` times as many runs, by a third child, count that event, in an
    audit of its own with the same error.
    """
    checked_promise(budget, error)
    search, fresh = (np.random.default_rng(child) for child in root.spawn(2))
    first = [_outputs(mechanism, world, samples, search) for world in (0, 1)]
    second = [_outputs(mechanism, world, samples, fresh) for world in (0, 1)]
    _check_draws(first, second)
    kinds = {f"{o.dtype} of shape {o.shape[1:]}" for o in (*first, *second)}
    if len(kinds) > 1:
        raise InvalidInput("output of the mechanism", " and ".join(sorted(kinds)), "of one type and shape in all runs")
    first, second = ([np.reshape(o, (samples, -1)).astype(float) for o in drawn] for drawn in (first, second))
    judge = partial(shown_parameter, budget, samples=samples, error=error)
    # events that one half finds are counted in the other one, and what little luck can explain counts less: many cells
    # invite to see too much
    careful = partial(shown_parameter, budget, samples=samples, error=error**2)
    half, shares = (samples + 1) // 2, RISING ** -np.arange(np.log(samples) / np.log(RISING) + 1)[::-1]
    fitted = first[0].shape[1] > 1
    best, chosen = -2.0, None
    rare, rarer = checked_promise(budget, error), None
    for name, score in _views(*(side[:half] for side in first)):
        left, right = (_Ordered(score(o)) for o in first)
        cells = [(cuts, *_halves(cuts, left, right)) for cuts in _cuts(_merged(left.whole, right.whole))]
        for (cuts, one, two), orders in [(cells[-1], ENDS), *((some, RATIOS) for some in cells)]:
            again = (one, two) if fitted else (two, one)  # a score fits the half that it was made of
            for order in orders:
                held = np.minimum(_held(order, one, two, shares) + _held(order, *again, shares), samples)
                shown = careful(*held)
                if not shown.any():  # then luck is better than nothing
                    shown = -1 / (1 + judge(*held))
                if shown.max() > best + MORE * abs(best):
                    alike = np.flatnonzero(shown == shown.max())
                    best, chosen = shown.max(), (name, score, cuts, left, right, order, shares[alike[len(alike) // 2]])
                if not rarely:
                    continue
                if (least := shown_parameter(budget, *held, samples=samples, error=rarely)).max() > rare:
                    rare, rarer = least.max(), (name, score, cuts, left, right, order, shares[least.argmax()])
    assert chosen is not None  # an output has a coordinate
    name, score, ranges = _event(*chosen)
    counts = _inside(ranges, score(second[0])), _inside(ranges, score(second[1]))
    shown, reach = judge(*counts), judge(samples, 0)
    audit = MechanismAudit(budget, shown, reach, name, ranges, counts, samples, error)
    if not longer or audit.verdict != "not refuted" or not (rarer or shows_more(audit, 1.0)):
        return audit, rarer is not None
    if rarer:
        name, score, ranges = _event(*rarer)
    (fresh,) = map(np.random.default_rng, root.spawn(1))
    again = [0, 0]
    for world in (0, 1) * longer:
        drawn = np.reshape(_outputs(mechanism, world, samples, fresh), (samples, -1)).astype(float)
        again[world] += _inside(ranges, score(drawn))
    samples *= longer
    judge = partial(shown_parameter, budget, samples=samples, error=error)
    counts = again[0], again[1]
    told = replace(audit, looked_at=name, ranges=ranges, reach=judge(samples, 0), counts=counts, samples=samples)
    return max(audit, replace(told, shown=judge(*counts)), key=lambda one: one.shown), True


def _event(
    name: str, score: Score, cuts: np.ndarray, left: _Ordered, right: _Ordered, order: Order, share: float
) -> tuple[str, Score, tuple[tuple[float, float], ...]]:
    """What is looked at, and the ranges of the cells that the order begins with, up to this share of the values."""
    whole = np.stack([_counts(cuts, side.whole) for side in (left, right)])
    found = order(whole)
    event = np.sort(found[: _lengths(whole.sum(axis=0)[found], np.array([share]))[0]])
    apart = np.flatnonzero(np.diff(event) > 1) + 1  # neighbouring cells are one range
    ends = np.concatenate([[-np.inf], cuts, [np.inf]])
    low, high = (ends[each].tolist() for each in (event[np.r_[0, apart]], event[np.r_[apart - 1, -1]] + 1))
    return name, score, tuple(zip(low, high, strict=True))


def _likeliest(first: int) -> Order:
    """Cells in the order of how much likelier they are in the first (0) or second (1) of the samples."""

    def order(counts: np.ndarray) -> np.ndarray:
        more, less = counts[first], counts[1 - first]
        rows, columns = int(more.max()) + 1, int(less.max()) + 1
        if rows * columns > min(len(more), 2**16):
            return np.argsort(-more / (less + 1), kind="stable")
        ratios = -np.arange(rows)[:, np.newaxis] / np.arange(1, columns + 1)  # few different ones, which have ranks
        ranks = np.unique(ratios, return_inverse=True)[1].astype(np.uint16)
        return np.argsort(ranks.ravel().take(more * columns + less), kind="stable")

    return order


def _to_the_end(counts: np.ndarray) -> np.ndarray:
    """How many values lie between a cell and the nearer end, with those in it."""
    together = counts.sum(axis=0)
    return np.minimum(together.cumsum(), together[::-1].cumsum()[::-1])


Order = Callable[[np.ndarray], np.ndarray]
"""Of cells with these counts [2, n]: an event is a beginning of an order."""

RATIOS: tuple[Order, ...] = (_likeliest(0), _likeliest(1))
ENDS: tuple[Order, ...] = (
    lambda counts: np.arange(counts.shape[1]),
    lambda counts: np.arange(counts.shape[1])[::-1],
    lambda counts: np.argsort(_to_the_end(counts), kind="stable"),
)


def _held(order: Order, seen: np.ndarray, unseen: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """How often [2, k] the events with these shares of what was seen, with which the order begins, occurred unseen."""
    found = order(seen)
    so_far = unseen.take(found, axis=1).cumsum(axis=1)
    return so_far.take(_lengths(seen.sum(axis=0).take(found), shares) - 1, axis=1)


def _lengths(together: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """How many of the first cells, with so many values each, hold these shares of all values."""
    so_far = together.cumsum()
    return np.searchsorted(so_far, np.ceil(shares * so_far[-1])) + 1


class _Ordered:
    """Values [n] in order: the `whole`, its first half as `seen`, its last as `unseen`, which share one if n is odd."""

    def __init__(self, values: np.ndarray) -> None:
        half, start = (len(values) + 1) // 2, len(values) // 2
        self.seen, rest = np.sort(values[:half]), np.sort(values[half:])
        self.whole, self.unseen = _merged(self.seen, rest), _merged(values[start:half], rest)


def _merged(*ordered: np.ndarray) -> np.ndarray:
    return np.sort(np.concatenate(ordered), kind="stable")  # which sees that parts are in order


def _cuts(together: np.ndarray) -> list[np.ndarray]:
    """Where cells begin that hold all of the ordered values of a value or none; the coarsest first.

    A value that a quantile falls on begins a cell, and the next larger one begins another; so does what follows a gap.
    """
    size, told = len(together), []
    gaps = np.argpartition(np.diff(together), -min(GAPS, size - 1))[-GAPS:] + 1
    for number in (CELLS[0], *(n for n in CELLS[1:] if FULL * n <= size)):
        even = np.arange(1, number) / number
        falling = FALLING ** -np.arange(0, max(0.0, np.log(size / number / FULL) / np.log(FALLING))) / number
        places = (size * np.concatenate([even, falling, 1 - falling])).astype(int)
        cut = together[places]
        after = np.searchsorted(together, cut, side="right")
        told.append(np.unique(np.concatenate([cut, together[after[after < size]], together[gaps]])))
    return [cuts for k, cuts in enumerate(told) if not k or len(cuts) > len(told[k - 1])]


def _counts(cuts: np.ndarray, ordered: np.ndarray) -> np.ndarray:
    """How many of the ordered values each cell between cuts holds."""
    return np.diff(np.searchsorted(ordered, cuts), prepend=0, append=len(ordered))


def _halves(cuts: np.ndarray, left: _Ordered, right: _Ordered) -> tuple[np.ndarray, np.ndarray]:
    """The counts [2, n] of both samples in the cells between cuts, of the values that were seen and of the others."""
    seen, unseen = (np.stack([_counts(cuts, getattr(o, part)) for o in (left, right)]) for part in HALVES)
    return seen, unseen


def _inside(ranges: Iterable[tuple[float, float]], values: np.ndarray) -> int:
    """How many values lie in one of the ranges, which are in order and apart."""
    return int(np.count_nonzero(np.searchsorted(np.ravel(tuple(ranges)), values, "right") % 2))


def _check_draws(first: list[np.ndarray], second: list[np.ndarray]) -> None:
    """Raises InvalidInput where fresh runs repeat others, or a call its only number: then there is nothing to count."""
    for one, other in zip(first, second, strict=True):
        if np.array_equal(one, other) and len(np.unique(one, axis=0)) >= APART:
            allowed = "other ones in fresh runs: the mechanism seeds itself, and has to draw from the generator it gets"
            raise InvalidInput("outputs of the mechanism", "the same again", allowed)
        constant = len(one) > 2 * APART and (one == one[0]).all() and (other == other[0]).all()
        if constant and (one[0] != other[0]).any():
            allowed = "one draw for each of the `size` outputs, as in generator.laplace(size=size)"
            raise InvalidInput("outputs of the mechanism", "one number in all of a call", allowed)


def _outputs(mechanism: Mechanism, world: int, samples: int, generator: np.random.Generator) -> np.ndarray:
    return checked_output(mechanism(world, samples, generator), (samples,))


def _views(left: np.ndarray, right: np.ndarray) -> list[View]:
    """What may tell two samples apart: coordinates, projections, and scores of all answers together."""
    apart, spread = right.mean(axis=0) - left.mean(axis=0), (left.var(axis=0) + right.var(axis=0)) / 2
    shift = np.abs(apart) / np.sqrt(np.where(spread > 0, spread, 1))
    far = np.argsort(-shift, kind="stable")
    if len(apart) == 1:
        return [("the output", _along(np.ones(1)))]
    views = [(f"coordinate {j}", _along(np.eye(len(apart))[j])) for j in far[:COORDINATES]]
    views.append(("the projection onto the difference of the means", _along(apart / np.where(spread > 0, spread, 1))))
    if len(left) == 1:
        return views  # one run has no variance
    return [*views, *_joint_views(left, right, np.sort(far[:TOGETHER]))]


def _along(direction: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    return lambda outputs: outputs @ direction


def _joint_views(left: np.ndarray, right: np.ndarray, chosen: np.ndarray) -> Iterator[View]:
    """Scores that see how answers hang together, such as a draw that two of them share."""
    seen = _features(np.concatenate([left, right])[:, chosen])
    sides = [seen(side[:, chosen]) for side in (left, right)]
    means, spreads = zip(
        *((side.mean(axis=0), np.atleast_2d(np.cov(side, rowvar=False))) for side in sides), strict=True
    )
    axes, ways = np.linalg.eigh((spreads[0] + spreads[1]) / 2)
    small = 1e-9 * max(float(axes[-1]), 1e-300)  # a combination that does not vary tells most of all
    whiten = ways / np.sqrt(np.maximum(axes, small))
    fisher = whiten @ (whiten.T @ (means[1] - means[0]))
    yield "the combination of answers that separates the inputs best", lambda outputs: seen(outputs[:, chosen]) @ fisher
    _, turned = np.linalg.eigh(whiten.T @ (spreads[1] - spreads[0]) @ whiten)
    for way in (turned[:, 0], turned[:, -1]):

        def distance(outputs: np.ndarray, way: np.ndarray = whiten @ way) -> np.ndarray:
            return np.abs((seen(outputs[:, chosen]) - (means[0] + means[1]) / 2) @ way)

        yield "how far the combination whose variance differs most is from its mean", distance
    yield "the sum over answers of how much more often each one's range occurred", _apart(left, right, chosen)
    if max(len(np.unique(column)) for column in left[:, chosen].T) > len(left) / 2:
        return  # continuous: no answer occurs again
    known = [{}, {}]
    for side, counts in zip((left, right), known, strict=True):
        for row in map(bytes, np.ascontiguousarray(side[:, chosen])):
            counts[row] = counts.get(row, 0) + 1

    def ratio(outputs: np.ndarray) -> np.ndarray:
        rows = map(bytes, np.ascontiguousarray(outputs[:, chosen]))
        return np.array([np.log((known[1].get(row, 0) + 1) / (known[0].get(row, 0) + 1)) for row in rows])

    yield "the logarithm of how much more often all answers together occurred on the second input", ratio


def _apart(left: np.ndarray, right: np.ndarray, chosen: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """The logarithm of the ratio of both laws as if answers were independent, each by ranges of equal mass.

    What luck makes of an answer that tells nothing is shrunk away (James and Stein): many of them would hide the rest.
    """
    cuts, ratios = [], []
    for one, other in zip(left[:, chosen].T, right[:, chosen].T, strict=True):
        cuts.append(np.unique(np.quantile(np.concatenate([one, other]), np.linspace(0, 1, RANGES + 1)[1:-1])))
        sides = (np.searchsorted(cuts[-1], side, "right") for side in (one, other))
        first, second = (np.bincount(side, minlength=RANGES + 1) + 1 for side in sides)
        ratio, variance = np.log(second / first), 1 / first + 1 / second
        ratios.append(ratio * max(0.0, 1 - 1 / max(1.0, float(np.mean(ratio**2 / variance)))))

    def told(outputs: np.ndarray) -> np.ndarray:
        answers = zip(cuts, ratios, outputs[:, chosen].T, strict=True)
        return np.sum([ratio[np.searchsorted(cut, answer, "right")] for cut, ratio, answer in answers], axis=0)

    return told


def _features(outputs: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Answers as they are, and which of them is one of the values that an answer often has."""
    often = []
    for j, column in enumerate(outputs.T):
        values, counts = np.unique(column, return_counts=True)
        often += [(j, value) for value in values[counts >= ATOM * len(column)]]

    def features(some: np.ndarray) -> np.ndarray:
        return np.column_stack([some, *(some[:, j] == value for j, value in often)])

    return features


@checked
def audit_inputs(
    mechanism: Annotated[Callable[[Any, int, np.random.Generator], np.ndarray], "(data, size, generator)"],
    inputs: Sequence[tuple[Any, Any]],
    budget: Budget,
    *,
    samples: Size | None = None,
    error: Error = REPORT_ERROR,
    seed: Seed = 0,
) -> MechanismAudit:
    """`audit_mechanism` on the pair of neighbouring `inputs` that tells most, which is searched with runs of its own.

    `mechanism(data, size, generator)` answers on the data of a pair. `neighbouring_databases` and
    `neighbouring_answers` list pairs. Raises InvalidInput.
    """
    if not inputs:
        raise InvalidInput("inputs", inputs, "at least one pair of neighbouring inputs")
    if same := next((pair for pair in inputs if np.array_equal(*pair)), None):
        raise InvalidInput("inputs", same, "pairs of inputs that differ")

    def on(pair: tuple[Any, Any]) -> Mechanism:
        return lambda world, size, generator: mechanism(pair[world], size, generator)

    left = list(inputs)
    _probe(on(left[0]), seed, "data")
    *searches, last = np.random.SeedSequence(seed).spawn(len(ROUNDS) + 1)
    for (runs, kept), root in zip(ROUNDS, searches, strict=True):
        roots = root.spawn(len(left))
        tried = min(runs, samples or SAMPLES)
        shown = [_audited(on(pair), budget, tried, ROUGH, own)[0].shown for pair, own in zip(left, roots, strict=True)]
        left = [left[k] for k in np.argsort([-value for value in shown], kind="stable")[:kept]]
    audit = audit_mechanism(on(left[0]), budget, samples=samples, error=error, seed=int(last.generate_state(1)[0]))
    return replace(audit, inputs=left[0])


@checked
def neighbouring_databases(records: Size) -> list[tuple[np.ndarray, np.ndarray]]:
    """Pairs of databases [records] of zeros and ones that differ in one record: all of up to six, else some of them."""
    check_count("records", records, 1)
    bases = product((0, 1), repeat=records) if records <= ALL_RECORDS else _some_databases(records)
    pairs = []
    for base in map(np.array, bases):
        for place in range(records) if records <= ALL_RECORDS else (0, records // 2, records - 1):
            if not base[place]:
                pairs.append((base, base + (np.arange(records) == place)))
    return pairs


def _some_databases(records: int) -> Iterator[np.ndarray]:
    place = np.arange(records)
    for ones in (0 * place, 0 * place + 1, place % 2, 1 - place % 2, place < records // 2, place >= records // 2):
        for changed in (0, records // 2, records - 1):
            yield np.where(place == changed, 0, ones).astype(int)


@checked
def neighbouring_answers(queries: Size) -> list[tuple[np.ndarray, np.ndarray]]:
    """Pairs of true answers [queries] to queries of sensitivity 1: one record moves each of them by 1 or not at all.

    Answers are equal, far apart in halves, or rising, and one, half or all of them move, in one direction or in both.
    """
    check_count("queries", queries, 1)
    place = np.arange(queries)
    half, up = place < (queries + 1) // 2, np.ones(queries)
    bases = [0 * up, 0.5 * up, np.where(half, 0, 3), np.where(half, 3, 0), place / 1.0]
    moves = [up, np.where(half, 1, 0), np.where(half, 0, 1), np.where(half, 1, -1)]
    moves += [np.where(place == k, 1, other) for k in (0, queries - 1) for other in (0, -1)]
    pairs = {(tuple(b), tuple(b + sign * m)): (b, b + sign * m) for b in bases for m in moves for sign in (1, -1)}
    return [pair for pair in pairs.values() if (pair[0] != pair[1]).any()]
