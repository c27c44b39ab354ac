"""A certified accountant: epsilon(delta) and delta(epsilon) of composed mechanisms, as enclosures.

The answers are those of the worst pair of neighbours, in both directions. The upper end holds for every adaptive
composition of mechanisms of which each has at most the curve of the one that is named; the lower end is attained by the
pairs of laws that are named. See `loss_laws` for the method. Several Gaussian mechanisms are one, whose curve is exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from heapq import heapify, heappop, heappush
from math import inf, log, nextafter
from typing import TYPE_CHECKING, Annotated, Any

from banditproof.theory.arguments import Nonnegative, Positive, Share, checked, named, question
from banditproof.theory.errors import InvalidInput, Named, NoNumber, close_to, no_attribute
from banditproof.theory.hints import hint, hint_of_exchange, hint_of_promise
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.exact_numbers import FAR_FROM_ONE
from banditproof.theory.numbers.numeric import sqrt, to_ball, working_precision
from banditproof.theory.privacy import loss_pairs
from banditproof.theory.privacy.loss_laws import MANY_POINTS, PRECISION, TAIL, Curve, LossLaw
from banditproof.theory.privacy.loss_pairs import ExactCurve, LossPair, together
from banditproof.theory.privacy.noise_calibration import gaussian_delta, sharp_epsilon_of_gaussian

Releases = Annotated[int, "[1, 1e9]"]
Steps = Annotated[int, "[1, 10000]"]
Rate = Annotated[Fraction | float, "(0, 1]"]
Delta = Annotated[Fraction | float, "[0, 1]"]
FEW = 1000  # releases, for which a grid is fine enough sooner
_SAMPLED = (".subsampled(", ".without_replacement(")  # for other neighbours each
_SHARES = (Fraction(1, 2), Fraction(5, 8), Fraction(3, 4), Fraction(7, 8))


@named
@dataclass(frozen=True)
class Mechanism(metaclass=Named):
    """A private release, known by the laws of its answer with a record (the first) and without it.

    Build one with a constructor such as `Mechanism.laplace`; numbers are taken exactly (a float is the number it is).
    `subsampled` and `without_replacement` give the mechanism on a random part of the records. Raises InvalidInput for
    parameters that are not positive and finite.

    Attributes:
        name: what it is, with its parameters.
        attained: pairs of laws that some neighbours attain, (with, without) and the reverse in turn; one for a pair
            that is its own reverse.
        above: pairs whose curves are above those of all neighbours; the same where the pairs are attained.
        square: (sensitivity/sigma)^2 of plain Gaussian noise, which adds up; None for all others.
    """

    name: str
    attained: tuple[LossPair, ...] = field(repr=False, compare=False)
    above: tuple[LossPair, ...] = field(repr=False, compare=False)
    square: Fraction | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.attained, tuple):
            raise InvalidInput(
                "attained", self.attained, "pairs of laws, as Mechanism.laplace(scale) and others make them"
            )

    @staticmethod
    @checked
    def gaussian(sigma: Positive, sensitivity: Positive = 1.0) -> Mechanism:
        """Gaussian noise of standard deviation `sigma`; `sensitivity` in the l2 norm, in the same units."""
        square = _exact("sensitivity / sigma", sensitivity, sigma) ** 2
        pair = loss_pairs.normal(square)
        return Mechanism(f"gaussian({float(sigma)}, {float(sensitivity)})", (pair,), (pair,), square)

    @staticmethod
    @checked
    def laplace(scale: Positive, sensitivity: Positive = 1.0) -> Mechanism:
        """Laplace noise of scale b; `sensitivity` in the l1 norm, of one number."""
        pair = loss_pairs.laplace(_exact("sensitivity / scale", sensitivity, scale))
        return Mechanism(f"laplace({float(scale)}, {float(sensitivity)})", (pair,), (pair,))

    @staticmethod
    @checked
    def geometric(scale: Positive, sensitivity: Steps = 1) -> Mechanism:
        """Discrete Laplace noise, P(k) proportional to e^(-|k|/scale), of whole numbers; so is `sensitivity`."""
        pair = loss_pairs.geometric(_exact("scale", scale), int(sensitivity))
        return Mechanism(f"geometric({float(scale)}, {sensitivity})", (pair,), (pair,))

    @staticmethod
    @checked
    def discrete_gaussian(sigma: Annotated[float, "(0, 1000]"], sensitivity: Steps = 1) -> Mechanism:
        """Discrete Gaussian noise, P(k) proportional to e^(-k^2/(2 sigma^2)), of whole numbers; so is `sensitivity`."""
        pair = loss_pairs.discrete_normal(_exact("sigma", sigma), int(sensitivity))
        return Mechanism(f"discrete_gaussian({float(sigma)}, {sensitivity})", (pair,), (pair,))

    @staticmethod
    @checked
    def randomised_response(epsilon: Positive, categories: Annotated[int, "[2, 1e6]"] = 2) -> Mechanism:
        """The truth with probability e^epsilon / (e^epsilon + categories - 1), else another category."""
        exact = _exact("epsilon", epsilon)
        with working_precision(PRECISION):
            law = [to_ball(exact).exp(), to_ball(1), *[to_ball(categories - 2)] * (categories > 2)]
        pair = loss_pairs.of_laws(law, [law[1], law[0], *law[2:]])
        return Mechanism(f"randomised_response({float(epsilon)}, {categories})", (pair,), (pair,))

    @staticmethod
    @checked
    def exponential(epsilon: Positive) -> Mechanism:
        """Every mechanism whose losses lie in an interval of length `epsilon`: the exponential mechanism that draws
        with probability proportional to e^(epsilon score / (2 sensitivity)), and report noisy max with Gumbel noise.

        The upper end is that of Dong, Durfee and Rogers (2020) for all of them; the lower end is attained by some of
        two answers. They are equal for one release at 0 <= epsilon only as far as a few of these are tried; give the
        probabilities to `finite` for one mechanism.
        """
        width = _exact("epsilon", epsilon)
        attained = tuple(loss_pairs.two_losses(width * share, width) for share in _SHARES)
        return Mechanism(f"exponential({float(epsilon)})", attained, (loss_pairs.bounded_range(width),))

    @staticmethod
    @checked
    def finite(with_record: Sequence[Fraction | float], without: Sequence[Fraction | float]) -> Mechanism:
        """Two vectors of probabilities of the same answers, each divided by its sum.

        Raises InvalidInput for negative entries, sums of 0 and different lengths.
        """
        laws = []
        for name, law in (("with_record", with_record), ("without", without)):
            if len(law) != len(with_record):
                raise InvalidInput(name, list(law), f"{len(with_record)} probabilities, as many as with_record has")
            if not all(0 <= p < inf for p in law) or not any(law):
                raise InvalidInput(name, list(law), "probabilities of the same answers, not all of them 0")
            laws.append(list(map(_fraction, law)))
        totals = [sum(law) for law in laws]
        if any(abs(total - 1) > FAR_FROM_ONE for total in totals):
            sums = " and to ".join(f"{float(total):.6g}" for total in totals)
            hint(f"the probabilities sum to {sums}, not to 1: each is divided by its sum")
        pair = loss_pairs.of_laws(*laws)
        rows = [(p * totals[1], q * totals[0]) for p, q in zip(*laws, strict=True)]
        pairs = (pair,) if Counter(rows) == Counter((q, p) for p, q in rows) else (pair, pair.reversed)
        return Mechanism(f"finite({', '.join(str(list(map(str, law))) for law in laws)})", pairs, pairs)

    @checked
    def subsampled(self, rate: Rate) -> Mechanism:
        """The mechanism on a part of the records that each is in with probability `rate` (Poisson), for neighbours
        that differ by one record more: (rate P + (1 - rate) Q, Q) and its reverse. After Zhu, Dong and Wang, 2022.
        """
        if self._plain("subsampled") and rate == 1:
            return self
        share = _fraction(rate)
        pair = self.attained[0].sampled(_ball(share))
        pairs = (pair, pair.reversed)
        return Mechanism(f"{self.name}.subsampled({share})", pairs, pairs)

    @checked
    def without_replacement(self, rate: Rate) -> Mechanism:
        """The mechanism on a random part of fixed size, a share `rate` of the records, for neighbours that differ in
        the value of one record; so is the pair of the mechanism itself, which has to be its own reverse.

        The upper end is that of Zhu, Dong and Wang (2022) for all mechanisms with this curve; the lower end is attained
        where a replaced record is like none. They are equal for one release.
        """
        if self._plain("without_replacement") and rate == 1:
            return self
        first, *reverse = self.attained
        if reverse:
            raise InvalidInput("mechanism", self.name, "one whose pair of laws is its own reverse")
        share = _fraction(rate)
        pair = first.sampled(_ball(share))
        with working_precision(PRECISION):
            above = pair.mirrored
        return Mechanism(f"{self.name}.without_replacement({share})", (pair, pair.reversed), (above,))

    def _plain(self, wanted: str) -> bool:
        if self.attained != self.above or "subsampled" in self.name:
            raise InvalidInput("mechanism", self.name, f"one with a known pair of laws, not yet sampled, for {wanted}")
        return True


def _ball(exact: Fraction) -> Any:
    with working_precision(PRECISION):
        return to_ball(exact)


def _fraction(value: Any) -> Fraction:
    """Exactly, also of numbers of NumPy."""
    return value if isinstance(value, Fraction) else Fraction(float(value))


def _exact(name: str, value: Any, unit: Any = 1) -> Fraction:
    ratio = _fraction(value) / _fraction(unit)
    if not Fraction(1, 10**6) <= ratio <= 10**4:
        raise InvalidInput(name, float(ratio), "between 1e-6 and 1e4")
    return ratio


@named
class Accountant(NoNumber):
    """What mechanisms spend together on the same data, each of which may see the answers of those before.

    Takes mechanisms, or pairs of a mechanism and how often it is released. Laws of the loss are computed when they are
    first asked for, and kept.

    >>> accountant = Accountant((Mechanism.laplace(10.0), 100))
    >>> accountant.epsilon(1e-6).decimal(4)
    '[4.692, 4.693]'

    Raises InvalidInput for no mechanisms, for both kinds of sampling, and for counts that are no integers in [1, 1e9].
    """

    def __init__(self, *releases: Mechanism | tuple[Mechanism, int]) -> None:
        self.counts: Counter[Mechanism] = Counter()
        self._known: dict[bool, list[Curve | ExactCurve]] = {}
        for one in releases:
            mechanism, count = one if isinstance(one, tuple) and len(one) == 2 else (one, 1)
            if not isinstance(mechanism, Mechanism):
                from banditproof.theory.privacy.budget import Budget

                told = ", one by one: Accountant(*releases)" if isinstance(one, list) else ""
                if isinstance(mechanism, Budget):
                    told = ", such as Mechanism.gaussian(sigma); compose(...) adds up budgets"
                raise InvalidInput("releases", one, f"mechanisms or pairs (mechanism, count){told}")
            self.counts[mechanism] += _checked_count(count)
        if not releases:
            raise InvalidInput("releases", (), "at least one mechanism")
        if len({kind for kind in _SAMPLED for one in self.counts if kind in one.name}) > 1:
            raise InvalidInput(
                "releases", list(self.counts), "mechanisms for the same neighbours: one kind of sampling"
            )

    @question
    @checked
    def delta(self, epsilon: Nonnegative) -> Enclosure:
        """The smallest delta with which the composition is (`epsilon`, delta)-DP, for a finite `epsilon` >= 0."""
        if epsilon == inf:
            raise InvalidInput("epsilon", epsilon, "finite")
        hint_of_exchange(epsilon)
        at = _fraction(epsilon)
        with working_precision(PRECISION):
            if self._mu is not None:
                ends = [Enclosure.from_ball(gaussian_delta(self._mu, to_ball(at)))] * 2
            else:
                ends = [_largest(curve.delta(at) for curve in self._curves(up)) for up in (False, True)]
        low, high = (min(max(end, 0), 1) for end in (ends[0].lower, ends[1].upper))
        return Enclosure(low, 0 if at >= self._top(True).upper else high)

    @question
    @checked
    def epsilon(self, delta: Delta) -> Enclosure:
        """The smallest epsilon >= 0 with which the composition is (epsilon, `delta`)-DP; inf where there is none.

        `delta` in [0, 1]. At 0 it is the largest loss, at 1 it is 0.
        """
        hint_of_exchange(delta=delta)
        return self._epsilon(_fraction(delta))

    def _epsilon(self, goal: Fraction) -> Enclosure:
        top = self._top(True)
        if goal in (0, 1):
            return Enclosure(0, 0) if goal else Enclosure(max(self._top(False).lower, 0), max(top.upper, 0))
        if self._mu is not None:
            return self._normal_epsilon(goal)
        ends = []
        for up in (False, True):
            roots = [curve.epsilon(goal) for curve in self._curves(up)]
            ends.append(Enclosure(inf, inf) if None in roots else _largest(roots))
        return Enclosure(max(ends[0].lower, 0), max(min(ends[1].upper, top.upper), 0))

    @question
    @checked
    def renyi(self, order: Annotated[float, "(1, 1e6]"]) -> Enclosure:
        """The Renyi divergence of this `order` > 1 of the worst pair, from P to Q: divergences of releases add up.

        In closed form for Gaussian noise; on Poisson samples from above, by the next whole order, up to 1000. From the
        bounds of the law of the loss for all others; the upper end is inf where that had to be cut off.
        """
        with working_precision(PRECISION):
            above, normal = _fraction(order) - 1, to_ball(_fraction(order) * self._square / 2)

            def total(pairs: list[tuple[LossPair, int]], up: bool) -> Any:
                return sum((n * pair.moment(above, up) / to_ball(above) for pair, n in pairs), normal)

            ends = [_largest(total(pairs, up) for pairs in self._scenarios(up)) for up in (False, True)]
        return Enclosure(max(ends[0].lower, 0), ends[1].upper)

    if not TYPE_CHECKING:  # or type checkers would let in any name

        def __getattr__(self, name: str) -> Any:
            own = "it has counts, delta, epsilon, renyi, and takes all releases when it is made: Accountant(*releases)"
            raise no_attribute(self, name, "" if close_to(name, dir(Accountant)) else f": {own}")

    @cached_property
    def _square(self) -> Fraction:
        """(sensitivity/sigma)^2 of all plain Gaussian noise."""
        return sum((count * one.square for one, count in self.counts.items() if one.square), Fraction(0))

    @cached_property
    def _mu(self) -> Any:
        """mu as a ball, where there is nothing but Gaussian noise."""
        with working_precision(PRECISION):
            return sqrt(to_ball(self._square)) if all(one.square for one in self.counts) else None

    def _scenarios(self, up: bool) -> list[list[tuple[LossPair, int]]]:
        """The pairs of all releases but plain Gaussian ones, for each direction."""
        known = [(one.above if up else one.attained, n) for one, n in self.counts.items() if not one.square]
        several = max((len(pairs) for pairs, _ in known), default=1)
        return [[(pairs[i % len(pairs)], n) for pairs, n in known] for i in range(several)]

    def _curves(self, up: bool) -> list[Curve | ExactCurve]:
        if up not in self._known:
            normal = [(loss_pairs.normal(self._square), 1)] if self._square else []
            self._known[up] = [_curve([*pairs, *normal], up) for pairs in self._scenarios(up)]
        return self._known[up]

    def _top(self, up: bool) -> Enclosure:
        """The largest loss."""
        if self._square:
            return Enclosure(inf, inf)
        with working_precision(PRECISION):
            return _largest(sum((n * pair.top for pair, n in pairs), to_ball(0)) for pairs in self._scenarios(up))

    def _normal_epsilon(self, goal: Fraction) -> Enclosure:
        rounded = float(goal) if Fraction(float(goal)) <= goal else nextafter(float(goal), 0)
        if not rounded:  # below all floats
            return Enclosure(self._normal_epsilon(Fraction(5e-324)).lower, inf)
        with working_precision(PRECISION):
            high = sharp_epsilon_of_gaussian(Enclosure.from_ball(self._mu).floats[1], rounded)
            low, less = high, 1e-13
            while low > 0 and not gaussian_delta(self._mu, to_ball(low)) >= to_ball(goal):
                low, less = max(high * (1 - less), 0.0), 4 * less
        return Enclosure(low, high)


def _curve(pairs: Sequence[tuple[LossPair, int]], up: bool) -> Curve | ExactCurve:
    one = together(pairs)
    return Curve(composed(pairs, up)) if one is None else ExactCurve(one)


def composed(pairs: Sequence[tuple[LossPair, int]], up: bool) -> LossLaw:
    """The law of the loss of all releases: powers first, then the two narrowest ones until one is left."""
    tail = 2.0**TAIL / len(pairs)
    laws = [(pair.laws if n <= FEW else pair.fine_laws)[up].power(n, tail) for pair, n in pairs]
    if len(laws) > 1:  # of which only one keeps its places on a grid
        laws = [replace(law, points=max(law.points, 2 * MANY_POINTS // len(laws))) for law in laws]
    heap = [(law.span, i, law) for i, law in enumerate(laws)]
    heapify(heap)
    while len(heap) > 1:
        (_, i, one), (_, _, two) = heappop(heap), heappop(heap)
        both = one.then(two, tail)
        heappush(heap, (both.span, i, both))
    return heap[0][2]


def _largest(balls: Iterable[Any]) -> Enclosure:
    """Of several numbers in balls."""
    found = [Enclosure.from_ball(ball) for ball in balls]
    return Enclosure(max(one.lower for one in found), max(one.upper for one in found))


@checked
def _checked_count(count: Releases) -> int:
    return int(count)


@dataclass(frozen=True)
class LeastNoise:
    """The least noise that an accountant could certify for a budget.

    Attributes:
        noise: the parameter of the mechanism.
        epsilon: what the composition spends with it, at the delta of the budget.
    """

    noise: float
    epsilon: Enclosure


@checked
def least_noise(
    mechanism: Annotated[Callable[[float], Mechanism], "(noise), such as Mechanism.gaussian"],
    epsilon: Positive,
    delta: Share,
    count: Releases = 1,
    share: Share = 0.999,
) -> LeastNoise:
    """The noise of `count` releases whose certified upper end at `delta` is at most `epsilon`, and at least `share` of
    it: all of the budget is used, and never more.

    `mechanism` makes the mechanism with so much noise, and spends less the more there is. Raises InvalidInput where no
    noise between 2^-12 and 2^40 spends that share.

    >>> round(least_noise(Mechanism.gaussian, 1.0, 1e-5).noise, 2)
    3.73
    """
    hint_of_promise(epsilon, delta)
    spent: dict[float, Enclosure] = {}

    def at(place: float) -> float:
        try:
            spent[place] = Accountant((mechanism(2.0**place), count))._epsilon(_fraction(delta))
        except InvalidInput as none:
            allowed = f"a function of the noise, of which more spends less; of {2.0**place:g} it makes none ({none})"
            raise InvalidInput("mechanism", mechanism, allowed) from none
        return float(spent[place].upper) / epsilon

    low, high = 0.0, 0.0
    refused = InvalidInput("epsilon", epsilon, "one that some noise between 2^-12 and 2^40 spends")
    while at(high) > 1:
        low, high = high, high + 2
        if high > 40:
            raise refused
    while low == high:
        low -= 1
        if low < -12:
            raise refused
        high = high if at(low) > 1 else low
    while not share * epsilon <= spent[high].upper <= epsilon and high - low > 1e-9:
        middle = _between(low, high, spent, epsilon)
        low, high = (middle, high) if at(middle) > 1 else (low, middle)
    if not share * epsilon <= spent[high].upper <= epsilon:
        raise refused
    return LeastNoise(2.0**high, spent[high])


def _between(low: float, high: float, spent: dict[float, Enclosure], epsilon: float) -> float:
    """Where a line through both ends, in logarithms, is a little below the budget; kept away from both ends."""
    above, below = (log(max(float(spent[end].upper), 1e-9) / epsilon) for end in (low, high))
    share = min(max((above + 4e-4) / (above - below), 0.02), 0.98) if above < inf else 0.5
    return low + share * (high - low)
