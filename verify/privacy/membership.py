"""The membership inference game on finite mechanisms, exactly: laws, errors, power, and the optimal adversary.

A crafter draws a data set and a target that is in it (b = 1) or independent of it (b = 0); the adversary sees the
target and the mechanism's output. Adversaries are tests of one finite law against another.

Source: TH-A4, TH-A5, TH-EQ2.21, TH-EQ2.25
"""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, product
from math import inf, prod
from typing import Any

from banditproof.theory.arguments import checked
from banditproof.theory.errors import InvalidInput
from banditproof.verify.finite.channels import Dataset, FiniteChannel, Ratio

View = tuple[Any, Any]  # target, output
ViewLaw = dict[View, Fraction]


@checked
@dataclass(frozen=True)
class MembershipGame:
    """The game of a mechanism on `mechanism.records` records that are drawn independently from `data`.

    Raises InvalidInput unless `data` is a rational law on the mechanism's alphabet.
    """

    mechanism: FiniteChannel
    data: Mapping[Any, Fraction]

    def __post_init__(self) -> None:
        weights = self.data.values()
        if set(self.data) != set(self.mechanism.alphabet) or sum(weights) != 1 or min(weights) < 0:
            raise InvalidInput("data", dict(self.data), "a rational law on the mechanism's alphabet")

    def crafted(self, written: bool = False) -> dict[tuple[Any, Any, int], Fraction]:
        """The law of (target, output, b). With `written` the target is drawn afresh and written into its place.

        Source: TH-A4
        """
        law: dict[tuple[Any, Any, int], Fraction] = {}
        for (target, dataset, b), weight in self._draws(written):
            for output, p in self.mechanism.laws[dataset].items():
                key = target, output, b
                law[key] = law.get(key, Fraction(0)) + weight * p
        return law

    def _draws(self, written: bool) -> Iterator[tuple[tuple[Hashable, Dataset, int], Fraction]]:
        half, places = Fraction(1, 2), self.mechanism.records
        for dataset in self.mechanism.datasets():
            weight = half * prod((self.data[z] for z in dataset), start=Fraction(1))
            for target, p in self.data.items():
                yield (target, dataset, 0), weight * p
                for i in range(places) if written else ():
                    yield (target, (*dataset[:i], target, *dataset[i + 1 :]), 1), weight * p / places
            for target in () if written else dataset:
                yield (target, dataset, 1), weight / places

    def laws(self) -> tuple[ViewLaw, ViewLaw]:
        """The laws of (target, output) when the target is out (b = 0) and when it is in (b = 1)."""
        crafted = self.crafted()
        views = sorted({(target, output) for target, output, _ in crafted}, key=repr)
        out, inside = ({v: 2 * crafted.get((*v, b), Fraction(0)) for v in views} for b in (0, 1))
        return out, inside

    def errors(self, guess: Mapping[View, Fraction]) -> tuple[Fraction, Fraction]:
        """alpha and beta of an adversary that guesses b = 1 with probability `guess[view]`. Source: TH-EQ2.21"""
        out, inside = self.laws()
        alpha = sum((p * guess[v] for v, p in out.items()), Fraction(0))
        return alpha, 1 - sum((p * guess[v] for v, p in inside.items()), Fraction(0))

    def accuracy(self, guess: Mapping[View, Fraction]) -> Fraction:
        """Pr[guess = b], summed over what the crafter may hand out. Source: TH-EQ2.21"""
        right = (p * (guess[z, o] if b else 1 - guess[z, o]) for (z, o, b), p in self.crafted().items())
        return sum(right, Fraction(0))


def likelihood_score(out: ViewLaw, inside: ViewLaw) -> dict[View, Ratio]:
    """p_in/p_out of each view, infinite where p_out = 0: it orders views as the log-likelihood ratio does."""
    return {v: inside[v] / out[v] if out[v] else inf for v in out if out[v] or inside[v]}


def power(out: ViewLaw, inside: ViewLaw, score: Mapping[View, Any], alpha: Fraction) -> Fraction:
    """Pow(s, alpha): the largest power of 1(s > tau) over real tau whose size is at most alpha. Source: TH-EQ2.25"""
    finite = sorted({value for value in score.values() if value not in (inf, -inf)})
    below = [finite[0] - 1] if finite else [0]
    regions = ([v for v, value in score.items() if value > tau] for tau in [*below, *finite])
    sizes = ((_mass(out, region), _mass(inside, region)) for region in regions)
    return max((gain for size, gain in sizes if size <= alpha), default=Fraction(0))


def randomised_power(out: ViewLaw, inside: ViewLaw, alpha: Fraction) -> Fraction:
    """The power of the likelihood-ratio test that guesses at random on its threshold so that its size is alpha."""
    gain, left, score = Fraction(0), alpha, likelihood_score(out, inside)
    for view in sorted(score, key=lambda v: -score[v]):
        share = min(Fraction(1), left / out[view]) if out[view] else Fraction(1)
        gain, left = gain + share * inside[view], left - share * out[view]
    return gain


def best_region(out: ViewLaw, inside: ViewLaw, alpha: Fraction) -> tuple[Fraction, tuple[View, ...]]:
    """The most powerful of all rejection regions of size at most alpha, by trying every one."""
    views = list(out)
    regions = chain.from_iterable(combinations(views, k) for k in range(len(views) + 1))
    return max(((_mass(inside, r), r) for r in regions if _mass(out, r) <= alpha), key=lambda found: found[0])


def _mass(law: ViewLaw, region: Any) -> Fraction:
    return sum((law[v] for v in region), Fraction(0))


def empirical_mean(records: int) -> FiniteChannel:
    """The mechanism that publishes the number of ones among binary records, exactly."""
    return FiniteChannel(records, (0, 1), {d: {sum(d): Fraction(1)} for d in product((0, 1), repeat=records)})
