"""Finite randomised mechanisms with rational probabilities and their exact privacy.

A `FiniteChannel` maps datasets (tuples of records from one alphabet) to laws on finite outputs; two datasets are
neighbours when one record differs. Likelihood ratios and hockey-stick divergences are exact `Fraction`s, Rényi
divergences enclosures.

Source: BDP-D2.2, BDP-PH.1, BDP-PH.2, BDP-PH.3, BDP-LH.4
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import inf
from typing import TYPE_CHECKING, Any

from banditproof.theory import InvalidInput, to_ball, working_precision
from banditproof.theory.arguments import Natural, Seed, Size, checked
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.verify.finite.kernels import LARGEST_ENUMERATION, random_law, within_limit
from banditproof.verify.finite.renyi import PRECISION, largest_quotient

if TYPE_CHECKING:
    from flint import arb

    from banditproof.theory.numbers.enclosure import Enclosure

Law = Mapping[Any, Fraction]
Dataset = tuple[Hashable, ...]
Ratio = Fraction | float  # a Fraction, or math.inf


def check_ratio(ratio: Fraction) -> None:
    """Raise InvalidInput unless `ratio` is e^epsilon of some epsilon >= 0, as an exact number."""
    if not isinstance(ratio, int | Fraction) or ratio < 1:
        raise InvalidInput("ratio", ratio, "e^epsilon as a Fraction >= 1")


@checked
def likelihood_ratio(left: Law, right: Law) -> tuple[Ratio, Any]:
    """The largest left(s)/right(s) over outcomes with left(s) > 0, and an outcome that attains it.

    This is e to the power of the max-divergence; for pure privacy, single outcomes are the worst events.
    """
    if not any(left.values()):
        raise InvalidInput("left", left, "a law, with a positive probability")
    return max(((p / right[s] if right.get(s) else inf, s) for s, p in left.items() if p), key=lambda pair: pair[0])


@checked
def hockey_stick(left: Law, right: Law, ratio: Fraction) -> tuple[Fraction, tuple[Any, ...]]:
    """sup over events E of left(E) - ratio * right(E), and an event that attains it: its positive outcomes."""
    if ratio < 0:
        raise InvalidInput("ratio", ratio, "e^epsilon, which is positive")
    excess = {s: p - ratio * right.get(s, 0) for s, p in left.items()}
    event = tuple(s for s, value in excess.items() if value > 0)
    return sum((excess[s] for s in event), Fraction(0)), event


@checked
def total_variation(left: Law, right: Law) -> Fraction:
    """Total variation distance, the hockey-stick divergence at ratio 1. Raises InvalidInput for unequal masses."""
    if (masses := [sum(law.values()) for law in (left, right)]) != [1, 1]:
        raise InvalidInput("left, right", [*map(str, masses)], "laws, each with sum 1")
    return hockey_stick(left, right, Fraction(1))[0]


@checked
@dataclass(frozen=True)
class FiniteChannel:
    """The law of the output for every dataset in alphabet^records."""

    records: Natural
    alphabet: tuple[Hashable, ...]
    laws: Mapping[Dataset, Law]

    def __post_init__(self) -> None:
        within_limit("datasets", len(self.alphabet) ** min(self.records, LARGEST_ENUMERATION))
        for dataset in self.datasets():
            law = self.laws.get(dataset)
            if law is None or sum(law.values()) != 1 or min(law.values()) < 0:
                raise InvalidInput(f"laws[{dataset}]", law, "non-negative rational probabilities that sum to 1")

    def datasets(self) -> Iterator[Dataset]:
        """All datasets."""
        return product(self.alphabet, repeat=self.records)

    def pairs(self, distance: int = 1) -> Iterator[tuple[Dataset, Dataset]]:
        """All ordered pairs of datasets at Hamming distance exactly `distance`."""
        within_limit("dataset pairs", len(self.alphabet) ** (2 * self.records))
        for left, right in product(self.datasets(), repeat=2):
            if sum(a != b for a, b in zip(left, right, strict=True)) == distance:
                yield left, right


@dataclass(frozen=True)
class ChannelWitness:
    """Two datasets and the event on which the channel's privacy is worst; `value` is a ratio or a delta."""

    left: Dataset
    right: Dataset
    event: tuple[Hashable, ...]
    value: Ratio


@checked
def channel_ratio(channel: FiniteChannel, distance: int = 1) -> ChannelWitness:
    """e^epsilon of the tightest epsilon for datasets at Hamming distance `distance` (math.inf if there is none)."""

    def witness(left: Dataset, right: Dataset) -> ChannelWitness:
        ratio, outcome = likelihood_ratio(channel.laws[left], channel.laws[right])
        return ChannelWitness(left, right, (outcome,), ratio)

    return _worst((witness(*pair) for pair in channel.pairs(distance)), channel, distance)


@checked
def channel_delta(channel: FiniteChannel, ratio: Fraction, distance: int = 1) -> ChannelWitness:
    """The smallest delta such that the channel is (log ratio, delta)-private at Hamming distance `distance`."""

    check_ratio(ratio)

    def witness(left: Dataset, right: Dataset) -> ChannelWitness:
        delta, event = hockey_stick(channel.laws[left], channel.laws[right], ratio)
        return ChannelWitness(left, right, event, delta)

    return _worst((witness(*pair) for pair in channel.pairs(distance)), channel, distance)


def _worst(witnesses: Iterable[ChannelWitness], channel: FiniteChannel, distance: int) -> ChannelWitness:
    worst = max(witnesses, key=lambda w: w.value, default=None)
    if worst is None:
        raise InvalidInput("distance", distance, f"a distance between two of the {channel.records}-record datasets")
    return worst


@checked
def random_channel(
    seed: Seed,
    records: int,
    alphabet: Sequence[Hashable] = (0, 1),
    outputs: int = 3,
    *,
    smallest_weight: int = 1,
    largest_weight: int = 9,
) -> FiniteChannel:
    """The random channel number `seed`; `smallest_weight=0` allows outputs of probability zero."""
    check_count("outputs", outputs, 1, LARGEST_ENUMERATION)
    within_limit("datasets", len(alphabet) ** check_count("records", records, 0, LARGEST_ENUMERATION))

    def law(dataset: Dataset) -> Law:
        return dict(enumerate(random_law(seed, dataset, outputs, smallest_weight, largest_weight)))

    return FiniteChannel(records, tuple(alphabet), {d: law(d) for d in product(alphabet, repeat=records)})


@checked
def randomised_response(ratio: Fraction) -> FiniteChannel:
    """One bit, reported truly with probability ratio/(1+ratio): exactly log(ratio)-private."""
    if not 0 <= ratio < inf:
        raise InvalidInput("ratio", ratio, "at least 0 and finite")
    lie = 1 / (1 + Fraction(ratio))
    return FiniteChannel(1, (0, 1), {(bit,): {bit: 1 - lie, 1 - bit: lie} for bit in (0, 1)})


@checked
def post_process(channel: FiniteChannel, kernel: Callable[[Hashable], Law]) -> FiniteChannel:
    """The channel whose output is drawn from `kernel(output of channel)`. Source: BDP-PH.1"""
    return _map_laws(channel, lambda law, _: _chain(law, kernel, lambda _, new: new))


def compose(first: FiniteChannel, second: Callable[[Hashable], FiniteChannel]) -> FiniteChannel:
    """Adaptive composition: release y1 from `first`, then (y1, y2) with y2 from `second(y1)`, on the same dataset.

    Source: BDP-PH.3
    """
    return _map_laws(first, lambda law, dataset: _chain(law, lambda y: second(y).laws[dataset], lambda y, z: (y, z)))


def compose_independently(channels: Sequence[FiniteChannel]) -> FiniteChannel:
    """All channels run on the same dataset with independent randomness; the output is the tuple of outputs."""
    return _map_laws(channels[0], lambda _, dataset: _independent([c.laws[dataset] for c in channels]))


def compose_in_parallel(channels: Sequence[FiniteChannel]) -> FiniteChannel:
    """Channel i runs on block i of a fixed partition of the records, independently. Source: BDP-LH.4"""
    ends = [sum(c.records for c in channels[: i + 1]) for i in range(len(channels))]
    alphabet = channels[0].alphabet
    datasets = product(alphabet, repeat=ends[-1])
    laws = {
        d: _independent([c.laws[d[end - c.records : end]] for c, end in zip(channels, ends, strict=True)])
        for d in datasets
    }
    return FiniteChannel(ends[-1], alphabet, laws)


def _map_laws(channel: FiniteChannel, change: Callable[[Law, Dataset], Law]) -> FiniteChannel:
    return FiniteChannel(channel.records, channel.alphabet, {d: change(channel.laws[d], d) for d in channel.datasets()})


def _chain(law: Law, kernel: Callable[[Hashable], Law], label: Callable[[Hashable, Hashable], Hashable]) -> Law:
    out: dict[Hashable, Fraction] = {}
    for y, p in law.items():
        for z, q in kernel(y).items():
            out[label(y, z)] = out.get(label(y, z), Fraction(0)) + p * q
    return out


def _independent(laws: Sequence[Law]) -> Law:
    joint: dict[tuple[Hashable, ...], Fraction] = {(): Fraction(1)}
    for law in laws:
        joint = {(*y, z): p * q for y, p in joint.items() for z, q in law.items()}
    return joint


@checked
def renyi_divergence(left: Law, right: Law, order: Fraction) -> "arb":
    """D_order(left || right) for a rational order > 1, as a ball at flint's working precision (inf if unbounded)."""
    from flint import arb

    if order <= 1:
        raise InvalidInput("order", order, "a rational > 1")
    if any(p and not right.get(s) for s, p in left.items()):
        return arb("inf")
    a = to_ball(order)
    total = sum((to_ball(p) * (to_ball(p) / to_ball(right[s])) ** (a - 1) for s, p in left.items() if p), arb(0))
    return total.log() / (a - 1)


@checked
def zcdp_rho(left: Law, right: Law, splits: Size = 200) -> "Enclosure":
    """Encloses sup over orders > 1 of D_order(left || right)/order, the smallest rho of zCDP for this pair.

    Its limit at order 1 is the Kullback-Leibler divergence; see `largest_quotient` for the bounds in between.
    """
    from flint import arb

    from banditproof.theory.numbers.enclosure import Enclosure

    check_count("splits", splits, 1, LARGEST_ENUMERATION)
    largest, _ = likelihood_ratio(left, right)
    if largest == inf:
        return Enclosure(inf, inf)
    if largest == 1:  # the laws are equal
        return Enclosure(0, 0)
    with working_precision(PRECISION):
        kl = sum((to_ball(p) * to_ball(p / right[s]).log() for s, p in left.items() if p), arb(0))
        at_infinity = to_ball(Fraction(largest)).log()
        return largest_quotient(lambda a: renyi_divergence(left, right, a), kl, at_infinity, splits=splits).value
