"""What the arms alone say of a reward: the price of noise that decides, and how often an arm is pulled.

Noise inside of a decision, such as the largest of noisy means, leaves no number that could be kept as it was. But all
draws except one can stay. Its values with which every arm comes out as recorded have one probability on the rewards and
another one on the neighbour; how often these arms are pulled is the mean of such probabilities over the other draws. So
the logarithm of their ratio bounds what the reward costs, whatever the law of the draw is. Two draws that make one
variable, such as a width and a sign, serve as one (`levers`). Which draw it is may
depend on which reward is changed and on the arms of the run, such as the noise of the arm that has the largest mean,
but not on the other draws: otherwise the reward pays for one draw in some runs and for another one in others, and no
bound follows for the arms. So runs are parted by arms alone, in one of a few ways (`_partings`), and one draw has to be
cheap enough in all runs of a part.

Where no draw is cheap enough, this bound alone refutes nothing. Then fresh runs on both lists tell how often each arm
is pulled (`refuted`), by exact binomial intervals.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import chain, islice, pairwise, product
from math import exp, expm1, hypot, inf, log

import numpy as np

from banditproof.theory.numbers.normal_law import normal_cdf
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.audits.audit import search_event
from banditproof.verify.audits.refutation import checked_promise, shown_parameter
from banditproof.verify.proof.statistics import RECORDED_ERROR
from banditproof.verify.runs.foreign.draws import BELOW_ONE, Draw, Name, own_generator
from banditproof.verify.runs.foreign.levers import Lever, levers, together
from banditproof.verify.runs.foreign.policies import NO_ARM, PASSING, Played, Stage
from banditproof.verify.runs.recorder import Rewards

GRID = (1e-5, 0.001, 0.01, 0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95, 0.99, 0.999, 1 - 1e-5)
FEW = (0.002, 0.25, 0.75, 0.998)
MOVED = (1.0, 0.5, 2.0)  # times the budget per reward: how far the noise is that a changed reward needs
HALVINGS = 24  # of a step of the grid
FAR_OUT = 12.0  # standard draws that hardly any arm turns beyond
BESIDE, MOST_KNOWN = 1e-7, 4  # of a step, how close to a known change another one is the same; such changes
NARROWER, MOST_NARROWER = 5, 40  # times that its steps are halved where arms change, and values in all
LOOKED_AT = 24  # samples of a part, and as many whose arms differ, for a draw that hides all of them
DIFFERENT = 16  # runs whose arms differ on the neighbour: all of a few may happen to show one draw of several
MOST_IN_VAIN = 8  # runs in which something is looked for that none shows
CANDIDATES = 12  # draws that are tried for one reward
TURNED, TURNED_IN = 3, 4  # draws that are put where they turn an arm on one list alone, in so many samples
SETTLING = 64  # pulls until all that is kept is the same again
REDRAWS = 6  # ways in which all draws are made anew, to see whether a reward shows
MOST_DRAWS = 100  # of a run that are looked at
FARTHER = 1 + 1e-6  # is a draw shifted than a reward moves where it turns an arm: that is measured
LEAST_MOVED = 1e-6  # of a standard draw, for a reward to move where it turns an arm
FRESH_SEEDS = 1 << 40  # and above: of runs whose draws are made anew
EXPLORED = (8, 3, 1)  # how much of what is looked at stays, after fresh runs that take a part of the time each
MOST_LOOKS = 2  # of one pair of lists that go on to the next round
MOST_FRESH = 100_000  # fresh runs on each list, to show it
HALVED = 40  # fresh runs, of which one half finds events: in fewer ones too little would be left to judge them
MORE = (0.25, 0.5, 1, 2, 4, 6)  # times the runs that find an event show it
COUNTED = 40  # pulls of a run in which arms are counted
TURNING, MOST_TURNS = 24, 4  # fresh runs in which pulls are found at which arms turn, and such pulls
MOST_ARMS = 4  # that are counted
EXPLORING = Fraction(1, 2)  # the error with which events are compared
SHOWING = RECORDED_ERROR / 2  # that of what fresh runs show: they are made twice in a check, at most
AUDITED = 15  # pairs of lists that are compared


def _laplace(z: float) -> tuple[float, float]:
    tail = exp(-abs(z)) / 2
    return (tail, 1 - tail) if z < 0 else (1 - tail, tail)


def _gumbel(z: float) -> tuple[float, float]:
    rare = exp(-z) if z > -700 else inf
    return exp(-rare), -expm1(-rare)


def _logistic(z: float) -> tuple[float, float]:
    below, above = (exp(min(sign * z, 0)) / (1 + exp(-abs(z))) for sign in (1, -1))
    return below, above


def _normal(z: float) -> tuple[float, float]:
    return float(normal_cdf(np.array(z))), float(normal_cdf(np.array(-z)))


SIDES: dict[str, Callable[[float], tuple[float, float]]] = {
    "laplace": _laplace,
    "normal": _normal,
    "exponential": lambda z: (-expm1(-z), exp(-z)),
    "uniform": lambda z: (z, 1 - z),
    "gumbel": _gumbel,
    "logistic": _logistic,
}
"""The probabilities below and above a value, each as exact as floats are."""
UNBOUNDED = ("normal",)
"""Laws whose ratio grows without bound under a shift: no number of runs shows what they cost of a pure budget. Where
normal noise has a price, it is the shift of the draw that moves every value at which the arms turn equally far."""

TWO_SIDED = ("laplace", "logistic")
SHIFTED = (*TWO_SIDED, "exponential", "gumbel")
"""Laws that cost no more than the shift in standard draws, in either direction or upwards alone."""

ENDS = {"exponential": (0.0, inf), "uniform": (0.0, BELOW_ONE)}


def chance_between(law: str, low: float, high: float) -> float:
    """The probability of an interval."""
    sides = SIDES[law]
    below_low, above_low = (0.0, 1.0) if low == ENDS.get(law, (-inf,))[0] else sides(low)
    below_high, above_high = (1.0, 0.0) if high == ENDS.get(law, (0, inf))[1] else sides(high)
    return below_high - below_low if below_low < 0.5 else above_low - above_high


def quantile(law: str, share: float) -> float:
    low, high = ENDS.get(law, (-40.0, 40.0))
    high = min(high, 40.0)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if SIDES[law](middle)[0] < share else (low, middle)
    return (low + high) / 2


QUANTILES = {law: tuple(quantile(law, share) for share in GRID) for law in SIDES}
FEW_VALUES = {law: tuple(quantile(law, share) for share in FEW) for law in SIDES}


def around(law: str, value: float, steps: Sequence[float]) -> list[float]:
    """The value, and those that are so many steps from it where the law is made a Laplace one."""
    below, above = SIDES[law](value)
    at = log(2 * below) if below < above else -log(2 * above)
    there = ((at + step, exp(-abs(at + step)) / 2) for step in (*steps, *(-step for step in steps)))
    return [value, *(quantile(law, tail if z < 0 else 1 - tail) for z, tail in there)]


def chance_that(
    holds: Callable[[float], bool], law: str, near: Sequence[float] = (), known: list[float] | None = None
) -> float:
    """The probability that a draw of the law has a value with which something holds, by its changes along a grid; those
    that are known are tried first, and new ones added to them."""
    values = sorted({*QUANTILES[law], *near})
    said = [holds(value) for value in values]
    if not any(said):
        return 0.0
    start, end = ENDS.get(law, (-inf, inf))
    total, since = 0.0, start
    for k, now in enumerate(said):
        following = said[k + 1] if k + 1 < len(said) else now
        change = end
        if following != now:
            low, high = values[k], values[k + 1]
            for at in [at for at in known or () if low < at < high]:  # where coins turn, they mostly do in all runs
                around = at - (at - low) * BESIDE, at + (high - at) * BESIDE
                if holds(around[0]) == now != holds(around[1]):
                    low, high = around
                    break
            for _ in range(HALVINGS if high - low > 2 * BESIDE * (values[k + 1] - values[k]) else 0):
                middle = (low + high) / 2
                low, high = (middle, high) if holds(middle) == now else (low, middle)
            change = (low + high) / 2
            if known is not None and len(known) < MOST_KNOWN and change not in known:
                known.append(change)
        if following != now or k + 1 == len(said):
            total += chance_between(law, since, change) if now else 0.0
            since = change
    return total


def found_between(outcome: Callable[[float], Hashable], wanted: Hashable, law: str) -> list[float]:
    """Values with the wanted outcome, looked for between values of the grid whose outcomes differ: that of one that a
    wheel of fortune seldom picks is in a narrow stretch, and has others on both sides."""
    said = {value: outcome(value) for value in QUANTILES[law]}
    for _ in range(NARROWER):
        middles = [(low + high) / 2 for low, high in pairwise(sorted(said)) if said[low] != said[high]]
        said |= {value: outcome(value) for value in middles[: MOST_NARROWER - len(said)]}
        if found := [value for value in middles if said.get(value) == wanted]:
            return found
    return []


@dataclass
class Suspect:
    """A reward that no draw was seen to hide, and the pull whose arm may show it."""

    price: float
    rewards: Rewards
    neighbour: Rewards
    pull: int
    seed: int  # of the run
    last: int = 0  # pull that is looked at, if it is not the one that may show it or a few more


@dataclass(frozen=True)
class _Sample:
    """A recorded run and a neighbour on which its arms are less or more likely."""

    run: Played
    seed: int
    neighbour: Rewards
    changed: Mapping[Name, float]
    spent: float  # on numbers that are kept besides
    pull: int  # the first one whose arm was seen to differ
    differs: bool  # with the draws of the run

    @property
    def time(self) -> int:
        """Of the changed reward."""
        return first_change(self.run.rewards, self.neighbour)

    @property
    def arm(self) -> float:
        return self.run.actions[self.pull]

    @property
    def payer(self) -> float:
        """The arm that paid the changed reward; `NO_ARM` where a simulation returns fewer numbers."""
        return next(iter(self.run.actions[self.time : self.time + 1]), NO_ARM)

    def partly_changed(self, lever: Lever) -> bool:
        """Whether some of the changed draws, but not all of them, are those of the lever."""
        return not self.changed.keys().isdisjoint(lever.names) and not self.changed.keys() <= {*lever.names}


_Told = tuple[tuple[float, ...], frozenset[tuple[str, float]]]
"""Arms, and all that is kept after them."""


@dataclass(frozen=True)
class Way:
    """How draws hide a reward: one is varied, and another one may be shifted by a multiple of what the reward differs.

    What is varied alone is found by its rank after the reward. What it hides are the arms, or all that is `told`: what
    is kept once the reward was heard, of which all later arms follow. What is varied beside a shifted one is the last
    of its line before the next turn; what is shifted is the last of its line before the reward, or the first one
    `after` it; lines are those that draw, with their `callers` or without them.
    """

    lever: Lever
    told: bool = False
    shifted: Lever | None = None
    after: bool = False
    rule: int = 0
    callers: bool = False

    @property
    def key(self) -> Hashable:
        if self.shifted is None:
            return self.told, self.lever.key
        lines = [lever.called if self.callers else lever.line for lever in self.levers]
        return *lines, self.after, self.rule, self.callers

    @property
    def levers(self) -> tuple[Lever, ...]:
        return (self.lever, *filter(None, [self.shifted]))


SHIFTS: tuple[Callable[[float], float], ...] = (
    lambda moved: max(moved, 0.0),
    lambda moved: min(moved, 0.0),
    lambda moved: moved,
    abs,
    lambda moved: -abs(moved),
)
"""Of the draw that is shifted, by how far the reward moves what it is compared with."""


@dataclass
class ByArms:
    """Prices of rewards by arms alone, in the runs of a stage."""

    stage: Stage
    allowed: float  # epsilon, or deviations of normal noise
    normal: bool = False  # whether normal noise has a price; epsilon then costs no more than as many deviations
    samples: list[_Sample] = field(default_factory=list)
    dearest: float = 0.0  # of the samples, once there is a draw for each part
    apart: set[int] = field(default_factory=set)  # times of rewards that are told in one call, each with runs enough
    hiders: list[tuple[Way, _Sample]] = field(default_factory=list)  # these draws, each in a sample
    prices: dict[Hashable, dict[int, float]] = field(default_factory=lambda: defaultdict(dict))  # of a draw in a sample
    _runs: dict[int, Played] = field(default_factory=dict)  # that are looked at, by identity
    _chances: dict[tuple[int, tuple[Name, ...]], float] = field(default_factory=dict)
    _deciding: dict[tuple[int, Name], bool] = field(default_factory=dict)
    _shifts: int = MOST_IN_VAIN * CANDIDATES  # ways with a shift that may still be tried in vain
    _moved: dict[Hashable, float] = field(default_factory=dict)  # how far draws are moved per reward
    _looks_for: dict[Hashable, int] = field(default_factory=dict)  # how often that was looked for
    _changes: dict[Hashable, list[float]] = field(default_factory=lambda: defaultdict(list))  # of draws, as known
    _kept: dict[tuple[int, int], _Told] = field(default_factory=dict)  # once a reward was told, in a run
    _settles: dict[Hashable, int] = field(default_factory=dict)  # after how many pulls that may be the same again

    def price(
        self, run: Played, seed: int, neighbour: Rewards, changed: Mapping[Name, float], spent: float
    ) -> tuple[float, int]:
        """What the changed reward costs where these draws are changed and as much is spent besides, and the pull that
        shows it; -1 if none does. A price that is allowed need not be the least one."""
        self._runs[id(run)] = run
        sample = _Sample(run, seed, neighbour, changed, spent, 0, False)
        pull, differs = self._shows(run, seed, neighbour, changed, sample.time)
        if pull < 0:
            return spent, pull
        sample, best = replace(sample, pull=pull, differs=differs), inf
        shifting = islice(self._shifting(sample), CANDIDATES if self._shifts else 0)
        for way in chain(islice(self._candidates(sample), CANDIDATES), shifting):
            self._shifts -= way.shifted is not None
            price = self.prices[way.key][len(self.samples)] = self._price(sample, way)
            best = min(best, price)
            if best <= self.allowed:
                self._shifts = max(self._shifts, MOST_IN_VAIN * CANDIDATES) if way.shifted is not None else self._shifts
                break
        self.samples.append(sample)
        return best, pull

    def withdraw(self) -> None:
        """Forget the latest sample, for which another price is looked for."""
        self.samples.pop()
        for prices in self.prices.values():
            prices.pop(len(self.samples), None)

    def unsettled(self, until: float = inf) -> list[tuple[float, _Sample]]:
        """The dearest sample of each part of the runs in which no draw was seen to be cheap enough; none if the runs
        can be parted so that one is in each part."""
        if self.samples and not self._many_differ(until):
            return [(inf, self.samples[0])]
        told = [key for key in self.prices if isinstance(key, tuple) and key[0] is True]
        if self.samples and told:
            price, number, way = self._dearest(range(len(self.samples)), until, told)
            if price <= self.allowed:
                self.dearest, self.hiders = price, [(way, self.samples[number])] if way is not None else []
                return []
        begun = {s.time for s in self.samples if s.time < (self.stage.foreign.arms or 0)}
        self.apart = {time for time in begun if self._many_differ(until, time)}
        self._turn(until)
        too_dear: list[list[tuple[float, _Sample]]] = []
        for parting in self._partings():
            parts: dict[Hashable, list[int]] = defaultdict(list)
            for number, sample in enumerate(self.samples):
                parts[parting(sample)].append(number)
            dearest = [self._dearest(numbers, until) for numbers in parts.values()]
            too_dear.append([(price, self.samples[k]) for price, k, _ in dearest if price > self.allowed])
            if not too_dear[-1]:
                self.dearest = max((price for price, *_ in dearest), default=0.0)
                self.hiders = [(way, self.samples[k]) for _, k, way in dearest if way is not None]
                return []
        return min(too_dear, key=len, default=[])

    def _many_differ(self, until: float, of: int | None = None) -> bool:
        """Whether so many runs have other arms on the neighbour, with the lists of the samples and draws made anew;
        those whose changed reward is one `of` a pull, if it is given."""
        alike = (s for s in self.samples if not s.changed and (of is None or s.time == of))
        lists = list({(s.run.rewards, s.neighbour): None for s in alike})
        missing = DIFFERENT - sum(sample.differs for sample in self.samples if of is None or sample.time == of)
        for k in range(MOST_FRESH if lists else 0):
            if missing <= 0 or self.stage.meter.seconds() > until:
                break
            (rewards, neighbour), seed = lists[k % len(lists)], FRESH_SEEDS + k
            run = self.stage.play(rewards, seed, bare=True)
            pull = _first_difference(run, self.stage.play(neighbour, seed, bare=True))
            if pull >= 0:
                self._runs[id(run)] = run
                self.samples.append(_Sample(run, seed, neighbour, {}, 0.0, pull, True))
                missing -= 1
        return missing <= 0

    def _turn(self, until: float) -> None:
        """More samples, of both lists, in which a draw is where it turns an arm on one of them alone: few runs show a
        second draw that hides a part of the reward."""
        own: dict[float, list[int]] = defaultdict(list)  # by the arm that paid the changed reward
        for k, sample in enumerate(self.samples):
            own[sample.payer] += [k] if not sample.changed else []
        some = [k for alike in own.values() for k in _spread(alike, max(2, TURNED_IN // len(own)))]
        for sample in [self.samples[k] for k in some]:
            deciding = (w.lever for w in self._candidates(sample) if not w.told and self._decide(sample, w.lever))
            for lever in islice(deciding, TURNED):
                if self.stage.meter.seconds() > until:
                    return
                value = self._turning_value(sample, lever)
                if value is not None:
                    seed = self.stage.with_draws(sample.seed, lever.at(value))
                    run, other = (self.stage.play(x, seed, bare=True) for x in (sample.run.rewards, sample.neighbour))
                    pull = -1 if run.raised or other.raised else _first_difference(run, other)
                    for one, two in ((run, other), (other, run)) if pull >= 0 else ():
                        self._runs[id(one)] = one
                        self.samples.append(_Sample(one, seed, two.rewards, {}, 0.0, pull, True))

    def _turning_value(self, sample: _Sample, lever: Lever) -> float | None:
        """A value with which the arms differ on the neighbour, next to one that changes them on the rewards."""

        def arms(value: float, rewards: Rewards = sample.run.rewards) -> tuple[float, ...]:
            return self.stage.play(rewards, sample.seed, lever.at(value), bare=True).actions

        values = QUANTILES[lever.law]
        seen = [arms(value) for value in values]
        for low, high, one, two in zip(values, values[1:], seen, seen[1:], strict=False):
            for _ in range(HALVINGS if one != two else 0):
                middle = (low + high) / 2
                low, high = (middle, high) if arms(middle) == one else (low, middle)
            for value in (low, high) if one != two else ():
                if arms(value) != arms(value, sample.neighbour):
                    return value
        return None

    def _partings(self) -> list[Callable[[_Sample], Hashable]]:
        """Functions of the time of the changed reward and of the arms of a run, and of nothing else.

        A pull is a decision if rewards of two times showed there. Were it one that a single reward showed, each reward
        would have a decision of its own wherever it was seen, and the runs would be parted by what the draws did.
        """
        times: dict[int, set[int]] = defaultdict(set)
        for sample in self.samples:
            times[sample.pull].add(sample.time)
        decided = sorted(pull for pull, shown in times.items() if len(shown) > 1)

        def next_decision(sample: _Sample) -> Hashable:
            return next((sample.run.actions[k] for k in decided if sample.time < k < len(sample.run.actions)), None)

        return [
            lambda sample: None,
            next_decision,
            lambda sample: sample.run.actions[-1],
            lambda sample: sample.payer,
            lambda sample: sample.time if sample.time in self.apart else None,
            *([self._changed_then] if any(key[0] is True for key in self.prices if isinstance(key, tuple)) else []),
        ]

    def _dearest(
        self, numbers: Sequence[int], until: float, keys: Sequence[Hashable] = ()
    ) -> tuple[float, int, Way | None]:
        """The largest price in some of these samples, and which one has it, for the draw whose largest is least.

        Looked at are some of the samples whose arms differ, which show the draw that decides, and some of all.
        """
        known = {key: sorted(prices.keys() & set(numbers)) for key, prices in list(self.prices.items())}
        spread = [*_spread([k for k in numbers if self.samples[k].differs]), *_spread(numbers)]
        tried = sorted(filter(known.get, known), key=lambda key: (-len(known[key]), str(key)))
        first = self.samples[spread[0]]
        ways = chain(islice(self._candidates(first), CANDIDATES), self._shifting(first))
        others = [way.key for way in ways if way.key not in tried]
        best, hides = (inf, spread[0]), None
        for key in keys or [*tried, *others]:
            worst = -inf, spread[0]
            for number in dict.fromkeys([*known.get(key, ()), best[1], *spread]):
                worst = max(worst, (self._price_in(number, key, until), number))
                if worst[0] > self.allowed:
                    break
            best = min(best, worst)
            if best[0] <= self.allowed:
                hides = next((way for n in spread if (way := self._way(self.samples[n], key)) is not None), None)
                break
        return *best, hides

    def _price_in(self, number: int, key: Hashable, until: float) -> float:
        """The price of a draw in a sample; inf where no time is left.

        A draw that is made on neither list has no part in the arms: nothing is paid if they are the same on both.
        """
        prices, sample = self.prices[key], self.samples[number]
        if number not in prices:
            if self.stage.meter.seconds() > until:
                return inf
            way = self._way(sample, key)
            prices[number] = self._without(sample, key) if way is None else self._price(sample, way)
        return prices[number]

    def _way(self, sample: _Sample, key: Hashable) -> Way | None:
        """The way with this key in a sample."""
        return next((w for w in chain(self._alone(sample), self._shifting(sample)) if w.key == key), None)

    def _without(self, sample: _Sample, key: Hashable) -> float:
        other = self.stage.play(sample.neighbour, sample.seed, sample.changed, bare=True)
        made = self._way(replace(sample, run=other, neighbour=sample.run.rewards), key)
        return sample.spent if other.actions == sample.run.actions and made is None else inf

    def _price(self, sample: _Sample, way: Way) -> float:
        if way.told:
            return self._price_told(sample, way.lever)
        if way.shifted is not None:
            return self._price_shifted(sample, way)
        lever = way.lever
        alone = sample.changed.keys() <= {*lever.names}  # then no draw but those that are varied is another one
        changed, spent = ({}, 0.0) if alone else (sample.changed, sample.spent)
        if lever.law in UNBOUNDED:
            return hypot(spent, self._shift(sample, lever, changed))
        one = self._chance(sample.run, sample.seed, lever)
        two = self._chance(sample.run, sample.seed, lever, sample.neighbour, changed)
        price = abs(log(one / two)) if one > 0 and two > 0 else inf
        return hypot(spent, price) if self.normal else spent + price

    def _shift(self, sample: _Sample, lever: Lever, changed: Mapping[Name, float]) -> float:
        """How far all values of a draw at which the arms turn are moved on the neighbour; inf if not equally far."""
        (arms, one), (there, two) = (
            self._turning_values(sample.seed, lever, *side)
            for side in ((sample.run.rewards, {}), (sample.neighbour, changed))
        )
        moved = [b - a for a, b in zip(one, two, strict=False)]
        alike = arms == there and max(moved, default=0.0) - min(moved, default=0.0) <= LEAST_MOVED
        return max(map(abs, moved), default=0.0) if alike else inf

    def _turning_values(
        self, seed: int, lever: Lever, rewards: Rewards, changed: Mapping[Name, float]
    ) -> tuple[list[tuple[float, ...]], list[float]]:
        """The arms with rising values of a draw, and the values at which they turn."""

        def arms(value: float) -> tuple[float, ...]:
            return self.stage.play(rewards, seed, {**changed, **lever.at(value)}, bare=True).actions

        values = (-FAR_OUT, *QUANTILES[lever.law], FAR_OUT)
        seen, turns = [arms(values[0])], list[float]()
        for low, high in pairwise(values):
            if (beyond := arms(high)) != seen[-1]:
                for _ in range(2 * HALVINGS):
                    middle = (low + high) / 2
                    low, high = (middle, high) if arms(middle) == seen[-1] else (low, middle)
                seen, turns = [*seen, beyond], [*turns, (low + high) / 2]
        return seen, turns

    def hides(self, run: Played, seed: int, neighbour: Rewards) -> bool:
        """Whether what hides the rewards of other runs hides this one as well."""
        self._runs[id(run)] = run
        sample = _Sample(run, seed, neighbour, {}, 0.0, 0, False)
        ways = (self._way(sample, key) for key in dict.fromkeys(way.key for way, _ in self.hiders))
        return any(way is not None and self._price(sample, way) <= self.allowed for way in ways)

    def shows(self, run: Played, seed: int, neighbour: Rewards) -> bool:
        """Whether an arm differs on the neighbour, with the draws of the run or with others."""
        return self.first_shown(run, seed, neighbour) >= 0

    def first_shown(self, run: Played, seed: int, neighbour: Rewards) -> int:
        """The first pull whose arm differs then; -1 if none does."""
        return self._shows(run, seed, neighbour, {}, first_change(run.rewards, neighbour))[0]

    def _shows(
        self, run: Played, seed: int, neighbour: Rewards, changed: Mapping[Name, float], time: int
    ) -> tuple[int, bool]:
        """The first pull whose arm differs on the neighbour, and whether it does so with the draws as they are."""
        pull = _first_difference(run, self.stage.play(neighbour, seed, changed, bare=True))
        if pull >= 0:
            return pull, True
        before = frozenset(d.name for d in run.tape.draws if d.pulls <= time)
        kept = before if any(d.name not in before for d in run.tape.draws) else frozenset()
        for other in range(1, REDRAWS + 1):
            one = self.stage.play(run.rewards, seed, {}, 0, True, other, kept)
            two = self.stage.play(neighbour, seed, changed, 0, True, other, kept)
            pull = _first_difference(one, two)
            if pull >= 0:
                break
        return pull, False

    def _alone(self, sample: _Sample) -> Iterator[Way]:
        """The draws that may hide a reward alone, for what it tells at once and for the arms."""
        settled = 0 if sample.changed or self.stage.foreign.rewards_at else self._settled(sample)
        for lever in levers(_followed(sample.run, sample.time), sample.time):
            bounded = lever.law not in UNBOUNDED
            if not sample.partly_changed(lever) and (bounded or self.normal):
                yield Way(lever)
                if bounded and sample.time < lever.pulls <= settled:
                    yield Way(lever, told=True)

    def _candidates(self, sample: _Sample) -> Iterator[Way]:
        """The draws on which the arms depend and that are made before one differs, first those that were cheap so far
        where the same arm differed, then those that came soon after the reward. Two draws that make one variable come
        with the second of them."""
        alike = {k for k, other in enumerate(self.samples) if other.arm == sample.arm}
        ordered: dict[bool | None, list[tuple[tuple[int, int, bool, int], Way]]] = {False: [], None: [], True: []}
        for place, way in enumerate(self._alone(sample)):
            known = [price for k, price in self.prices.get(way.key, {}).items() if k in alike]
            when = 2 if way.lever.pulls <= sample.time else min(way.lever.pulls - sample.time - 1, 1)
            when = when if not way.told else 0 if way.lever.pulls == self._settled(sample) else 1
            dear = max(known) > self.allowed if known else None
            ordered[dear].append(((when, way.lever.pulls, not way.told, -place), way))
        cheap, unknown, dear = ([way for _, way in sorted(some, key=lambda x: x[0])] for some in ordered.values())
        aside = []
        for way in (*cheap, *unknown, *dear):
            late = sample.differs and way.lever.pulls > sample.pull
            if not late and self._decide(sample, way.lever):
                yield way
            else:
                aside.append(way)
        yield from aside

    def _shifting(self, sample: _Sample) -> Iterator[Way]:
        """A draw that was made once before the reward, or first after it, is shifted, and the last one of a line before
        the arm turns is varied: a noisy threshold, and the noise of what passes it. Cheap ones so far come first."""
        if sample.changed or self.stage.foreign.rewards_at:
            return
        actions, every = sample.run.actions, list(levers(_followed(sample.run, sample.time), sample.time))
        paired = set[Name]()
        for pair in [lever for lever in every if len(lever.names) > 1]:
            if pair.called is None or not paired.isdisjoint(pair.names):
                every.remove(pair)
            else:
                paired.update(pair.names)
        every = [lever for lever in every if len(lever.names) > 1 or paired.isdisjoint(lever.names)]
        turn = next((k for k in range(sample.time + 1, len(actions)) if actions[k] != actions[k - 1]), len(actions))
        every = [_by_laplace(lever) if lever.law == "uniform" else lever for lever in every]
        every = [lever for lever in every if lever.law in SHIFTED]
        ways = list[Way]()
        for callers in (False, True):
            by_line = [(lever.called if callers else lever.line, lever) for lever in every]
            last = {line: lever for line, lever in by_line if sample.time < lever.pulls <= turn}
            before = {line: lever for line, lever in by_line if lever.pulls <= sample.time}
            first = {line: lever for line, lever in reversed(by_line) if lever.pulls > sample.time}
            for (line, lever), after, rule in product(last.items(), (False, True), range(len(SHIFTS))):
                others = (first if after else before).items()
                ways += [Way(lever, False, other, after, rule, callers) for at, other in others if at != line]
        seen = {way.key: [*self.prices[way.key].values()] for way in ways if way.key in self.prices}
        dear = {key: sum(price > self.allowed for price in prices) / (1 + len(prices)) for key, prices in seen.items()}
        yield from sorted(ways, key=lambda way: dear.get(way.key, 0.4))

    def _price_shifted(self, sample: _Sample, way: Way) -> float:
        """What it costs at most that both draws change, where the arms are those of the run, and those on the
        neighbour. By how much one is shifted follows from the lists and the arms alone, so that no two values of it
        become one."""
        other = self.stage.play(sample.neighbour, sample.seed, bare=True)
        self._runs[id(other)] = other
        back = replace(sample, run=other, neighbour=sample.run.rewards)
        return max(self._one_way(sample, way), self._one_way(back, self._way(back, way.key)))

    def _one_way(self, sample: _Sample, way: Way | None) -> float:
        if way is None or way.shifted is None or (per_reward := self._per_reward(sample, way.shifted)) is None:
            return inf
        time, shifted = sample.time, way.shifted
        shift = SHIFTS[way.rule](per_reward * (sample.neighbour[time] - sample.run.rewards[time]))
        spent = abs(shift) if shift >= 0 or shifted.law in TWO_SIDED else inf
        if spent > self.allowed:
            return inf
        one = self._chance(sample.run, sample.seed, way.lever)
        two = self._chance(sample.run, sample.seed, way.lever, sample.neighbour, shifted.at(shifted.value + shift))
        return spent + max(0.0, log(one / two)) if one > 0 and two > 0 else inf

    def _per_reward(self, sample: _Sample, lever: Lever) -> float | None:
        """How far the value of a draw at which an arm turns is moved, per reward: one number for all runs."""
        key, time = lever.called, sample.time
        looks = self._looks_for[key] = self._looks_for.get(key, 0) + (key not in self._moved)
        if key not in self._moved and looks <= MOST_IN_VAIN and (moved := self._displaced(sample, lever)) is not None:
            self._moved[key] = FARTHER * moved / (sample.neighbour[time] - sample.run.rewards[time])
        return self._moved.get(key)

    def _displaced(self, sample: _Sample, lever: Lever) -> float | None:
        """How far a value at which an arm turns is another one on the neighbour."""

        def arms(value: float, rewards: Rewards = sample.run.rewards) -> tuple[float, ...]:
            return self.stage.play(rewards, sample.seed, lever.at(value), bare=True).actions

        def turn(low: float, high: float, rewards: Rewards, there: tuple[float, ...]) -> float:
            for _ in range(2 * HALVINGS):
                middle = (low + high) / 2
                low, high = (middle, high) if arms(middle, rewards) == there else (low, middle)
            return (low + high) / 2

        values = QUANTILES[lever.law]
        seen = [arms(value) for value in values]
        for low, high, one, two in zip(values, values[1:], seen, seen[1:], strict=False):
            if one != two:
                at = turn(low, high, sample.run.rewards, one)
                low, high = at - 2 * self.allowed, at + 2 * self.allowed
                if arms(low, sample.neighbour) == one and arms(high, sample.neighbour) == two:
                    moved = turn(low, high, sample.neighbour, one) - at
                    if abs(moved) > LEAST_MOVED:
                        return moved
        return None

    def _price_told(self, sample: _Sample, lever: Lever) -> float:
        """The price of all that is kept once the reward was told, where it decides all arms from then on."""
        run, seed, pulls = sample.run, sample.seed, self._settled(sample)
        if (id(run), pulls) not in self._kept:
            self._kept[id(run), pulls] = self._told(run.rewards, seed, {}, pulls)
        kept, matches = self._kept[id(run), pulls], list[float]()

        def same(value: float, rewards: Rewards = run.rewards) -> bool:
            return self._told(rewards, seed, lever.at(value), pulls) == kept

        def there(value: float) -> bool:
            if same(value, sample.neighbour):
                matches.append(value)
                return True
            return False

        changes = self._changes[lever.key]
        two = chance_that(there, lever.law, (lever.value,), changes)
        if not two:
            found = found_between(lambda v: self._told(sample.neighbour, seed, lever.at(v), pulls), kept, lever.law)
            two = chance_that(there, lever.law, found, changes) if found else 0.0
        ends = {min(matches), max(matches)} if two else set[float]()
        if not two or not all(self._same(run, seed, lever.at(value), sample.neighbour) for value in ends):
            return inf
        one = chance_that(same, lever.law, (lever.value,), changes)
        return abs(log(one / two)) if one else inf

    def _told(self, rewards: Rewards, seed: int, values: Mapping[Name, float], pulls: int) -> _Told:
        """The arms up to the one after so many pulls, and all that is kept before that one."""
        (told,) = self._each_told(rewards, seed, values, pulls, pulls)
        return told

    def _each_told(
        self,
        rewards: Rewards,
        seed: int,
        values: Mapping[Name, float],
        pulls: int,
        since: int,
        others: int | None = None,
        recorded: frozenset[Name] = frozenset(),
    ) -> list[_Told]:
        """The same after each of some pulls."""
        stage, before = self.stage, self.stage.since
        try:
            stage.since = since
            run = stage.play(rewards, seed, values, pulls, others=others, recorded=recorded)
        finally:
            stage.since = before
        told = [
            (run.actions[: at + 1], frozenset(item for item in state.items() if not item[0].startswith(PASSING)))
            for at, state in enumerate(run.states)
            if at >= since
        ]
        return told or [(run.actions, frozenset())]

    def _settled(self, sample: _Sample) -> int:
        """After how many pulls all that is kept may be the same again on the neighbour, such as after a block whose
        winner is kept; 0 if that is seen in no run."""
        key = sample.time, sample.run.actions[: sample.time + 1]
        if key not in self._settles and len(self._settles) >= MOST_IN_VAIN and not any(self._settles.values()):
            return 0
        if key not in self._settles:
            before = frozenset(draw.name for draw in sample.run.tape.draws if draw.pulls <= sample.time)
            since, pulls, found = sample.time + 1, len(sample.run.rewards), list[int]()
            for last in (since, min(pulls, sample.time + SETTLING)):
                one = self._each_told(sample.run.rewards, sample.seed, {}, last, since)
                for other in (None, *range(1, REDRAWS + 3)) if last == since or not found else ():
                    two = self._each_told(sample.neighbour, sample.seed, {}, last, since, other, before)
                    found += [k + since for k, (a, b) in enumerate(zip(one, two, strict=False)) if a == b][:1]
                if found:
                    break
            self._settles[key] = min(found, default=0)
        return self._settles[key]

    def _changed_then(self, sample: _Sample) -> Hashable:
        """Which kept numbers change when all that is kept may be the same again, but for those that rewards move."""
        pulls = 0 if sample.changed else self._settled(sample)
        if pulls <= sample.time + 1:
            return None
        lists, seed = (sample.run.rewards, sample.neighbour), sample.seed
        (one, after), (two, _) = (self._each_told(x, seed, {}, pulls, pulls - 1)[:2] for x in lists)
        return frozenset(path for path, _ in after[1] - one[1]) - frozenset(path for path, _ in one[1] ^ two[1])

    def first_deciding(self, run: Played, seed: int) -> Iterator[Lever]:
        """What decides first, one of each line; draws that a line makes at once also together."""
        lines = set[Hashable]()
        for lever in levers(_followed(run), -1):
            if lever.law in UNBOUNDED or lever.lines in lines or not self._decides(run, seed, lever):
                continue
            lines.add(lever.lines)
            yield lever
            alike = [d for d in _followed(run) if (d.places[0], d.pulls) == (lever.lines[0], lever.pulls)]
            if len(lever.names) == 1 and len(alike) > 2:
                yield together(alike)

    def _decide(self, sample: _Sample, lever: Lever) -> bool:
        return self._decides(sample.run, sample.seed, lever)

    def _decides(self, run: Played, seed: int, lever: Lever) -> bool:
        """Whether an arm depends on one of the draws of a lever."""
        laws = {draw.name: draw.law for draw in run.tape.draws if draw.name in lever.names}
        for name, law in laws.items():
            if (id(run), name) not in self._deciding:
                few = FEW_VALUES[law]
                self._deciding[id(run), name] = not all(self._same(run, seed, {name: value}) for value in few)
        return any(self._deciding[id(run), name] for name in laws)

    def _same(
        self,
        run: Played,
        seed: int,
        values: Mapping[Name, float],
        rewards: Rewards | None = None,
        changed: Mapping[Name, float] | None = None,
    ) -> bool:
        given = {**(changed or {}), **values}
        other = self.stage.play(rewards or run.rewards, seed, given, bare=True, wanted=run.actions)
        return other.actions == run.actions

    def _chance(
        self,
        run: Played,
        seed: int,
        lever: Lever,
        neighbour: Rewards | None = None,
        changed: Mapping[Name, float] | None = None,
    ) -> float:
        """How likely what is varied has a value with which the arms come out as recorded."""
        if neighbour is None and (id(run), lever.names) in self._chances:
            return self._chances[id(run), lever.names]

        def same(value: float) -> bool:
            return self._same(run, seed, lever.at(value), rewards=neighbour, changed=changed)

        moved = (sign * m for m in {*map(abs, self._moved.values())} for sign in (1, -1))
        own = self._changes[id(run), lever.names]
        near = own if neighbour is None else [at + step for at in own for step in (0.0, *moved)]
        chance = chance_that(same, lever.law, (lever.value,), near)
        if not chance and neighbour is not None:  # few values do it: as many rewards would move the noise
            moved = max(abs(a - b) for a, b in zip(run.rewards, neighbour, strict=True))
            steps = [self.allowed * moved * share for share in MOVED]
            chance = chance_that(same, lever.law, around(lever.law, lever.value, steps))
        if not chance and neighbour is not None:

            def arms(value: float) -> tuple[float, ...]:
                return self.stage.play(neighbour, seed, {**(changed or {}), **lever.at(value)}, bare=True).actions

            found = found_between(arms, run.actions, lever.law)
            chance = chance_that(same, lever.law, found) if found else 0.0
        if neighbour is None:
            self._chances[id(run), lever.names] = chance
        return chance

    # --------------------------------------------------------------------------------------------------- fresh runs

    def refuted(
        self, suspects: Sequence[Suspect], budget: Budget, seconds: float, seed: int
    ) -> tuple[Suspect, str] | None:
        """A suspect whose arms are pulled so much more often on one list that the budget is refuted, and how often."""
        if self.stage.foreign.rewards_at:  # a simulation makes its own rewards: it is not played pull by pull
            return None
        promised = checked_promise(budget, SHOWING)
        left = [(k, suspect, seen) for k, suspect in enumerate(suspects[:AUDITED]) for seen in self._looks(suspect)]
        part = seconds / (1 + len(EXPLORED))
        for turn, keep in enumerate(EXPLORED):  # those that show most, seen in ever more runs
            explored = []
            for k in dict.fromkeys(k for k, *_ in left):
                share = part / len({k for k, *_ in left})
                looks = [(suspect, seen) for other, suspect, seen in left if other == k]
                last = _last(suspects[k], [seen for _, seen in looks])
                sides = self._samples(suspects[k], last, MOST_FRESH, share, own_generator(seed, k, 1, turn))
                halved = turn or len(sides[0]) >= HALVED
                half = len(sides[0]) // 2 if halved else 0  # in which events are found that the others judge
                chosen, judged = (
                    [side[some] for side in sides] for some in (slice(0, half or None), slice(half, None))
                )
                found, judge = (
                    partial(shown_parameter, budget, samples=len(some[0]), error=EXPLORING) for some in (chosen, judged)
                )
                shown = []
                for suspect, seen in looks:
                    event, _ = _likelier(seen, (chosen[0], chosen[1]), found)
                    counts = (sum(seen(arms) in event for arms in side) for side in judged)
                    shown.append((judge(*counts), k, suspect, seen))
                explored += sorted(shown, key=lambda found: -found[0])[:MOST_LOOKS]
            explored.sort(key=lambda found: -found[0])
            left = [found[1:] for found in explored[:keep]]
        if not left:
            return None
        ((k, suspect, seen),) = left
        last = _last(suspect, [seen])
        first = self._samples(suspect, last, MOST_FRESH, part, own_generator(seed, k, 2))
        judge = partial(shown_parameter, budget, samples=len(first[0]), error=SHOWING)
        event, (one, two) = _likelier(seen, first, judge)
        sizes = [min(int(part * len(first[0])), MOST_FRESH) for part in MORE]
        expected = ([size * n // len(first[0]) for n in (one, two)] for size in sizes)
        judges = [partial(shown_parameter, budget, samples=size, error=SHOWING) for size in sizes]
        enough = (k for k, counts in enumerate(expected) if judges[k](*counts) > promised)
        place = next(enough, None)
        if place is None:
            return None  # as many runs will not show it
        place = min(place + 1, len(sizes) - 1)  # counts will be others
        size, judge = sizes[place], judges[place]
        fresh = self._samples(suspect, last, size, inf, own_generator(seed, k, 3))
        one, two = (sum(seen(arms) in event for arms in side) for side in fresh)
        shown = judge(one, two)
        if shown <= promised:
            return None
        said = f"{seen.said(event)} in {one} of {size} fresh runs, and in {two} of them on the neighbour"
        return suspect, f"{said}: the budget is at least {shown:.3g}, error {float(SHOWING):.1g}"

    def _looks(self, suspect: Suspect) -> list[_Look]:
        """What is looked at of the arms: pulls that noise decides, and how often an arm is pulled."""
        pulls = tuple(sorted({self._first_random(suspect), suspect.pull}))
        arms = sorted({*self.stage.play(suspect.rewards, suspect.seed, bare=True).actions})
        grain = max(1, suspect.last // COUNTED)
        told, turns = first_change(suspect.rewards, suspect.neighbour), self._turns(suspect)
        several = dict.fromkeys((told, *turns[k : k + count]) for k, count in ((0, 1), (0, 2), (1, 2), (0, 4)))
        return [_Look(pulls), *map(_Look, several), *(_Look((pulls[0],), arm, grain) for arm in arms[:MOST_ARMS])]

    def _turns(self, suspect: Suspect) -> tuple[int, ...]:
        """The first pulls, after the changed reward, at which the arm is another one than before in some fresh runs."""
        time, generator = first_change(suspect.rewards, suspect.neighbour), own_generator(suspect.seed, suspect.pull)
        seeds = generator.integers(1 << 62, size=TURNING).tolist()
        runs = [self.stage.fresh(suspect.rewards, _last(suspect), seed) for seed in seeds]
        turns = {k for arms in runs for k in range(time + 1, len(arms)) if arms[k] != arms[k - 1]}
        return tuple(sorted(turns)[:MOST_TURNS])

    def _first_random(self, suspect: Suspect) -> int:
        """The first pull whose arm is another one with other draws, up to that of the suspect."""
        run = self.stage.play(suspect.rewards, suspect.seed, pulls=suspect.pull, bare=True)
        others = (self.stage.play(suspect.rewards, suspect.seed, {}, suspect.pull, True, k) for k in range(1, REDRAWS))
        pulls = [_first_difference(run, other) for other in others]
        return min((pull for pull in pulls if pull >= 0), default=suspect.pull)

    def _samples(
        self, suspect: Suspect, last: int, most: int, seconds: float, generator: np.random.Generator
    ) -> tuple[list[tuple[float, ...]], list[tuple[float, ...]]]:
        """The arms up to the pull `last` of as many fresh runs on both lists as there is time for."""
        began, samples = self.stage.meter.seconds(), ([], [])
        while len(samples[0]) < most and (len(samples[0]) < 20 or self.stage.meter.seconds() - began < seconds):
            for rewards, arms in zip((suspect.rewards, suspect.neighbour), samples, strict=True):
                arms.append(self.stage.fresh(rewards, last, int(generator.integers(1 << 62))))
        return samples


def _by_laplace(lever: Lever) -> Lever:
    """A uniform draw as what it makes by the quantiles of a Laplace law, which has that law."""

    def at(value: float) -> dict[Name, float]:
        return lever.at(min(SIDES["laplace"](value)[0], BELOW_ONE))

    return replace(lever, law="laplace", value=quantile("laplace", lever.value), at=at)


def _last(suspect: Suspect, looks: Sequence[_Look] = ()) -> int:
    """The last pull that is looked at: where arms are counted, that of the suspect or somewhat later."""
    counted = suspect.last or max(suspect.pull, min(len(suspect.rewards), COUNTED))
    return max((look.pulls[-1] if look.arm is None else counted for look in looks), default=counted)


@dataclass(frozen=True)
class _Look:
    """What is looked at in the arms of a run: those of some pulls, or how often an arm is pulled from a pull on."""

    pulls: tuple[int, ...]
    arm: float | None = None
    grain: int = 1  # numbers of pulls are told apart by as many

    def __call__(self, arms: tuple[float, ...]) -> tuple[float, ...]:
        if self.arm is not None:
            return (arms[self.pulls[0] :].count(self.arm) // self.grain,)
        return tuple(arms[pull] for pull in self.pulls)

    def said(self, event: set[tuple[float, ...]]) -> str:
        """The event in words."""
        if self.arm is not None:
            times, ranges = sorted(int(count) for (count,) in event), list[list[int]]()
            for first in (count * self.grain for count in times):
                if ranges and first == ranges[-1][-1] + 1:
                    ranges[-1][-1] = first + self.grain - 1
                else:
                    ranges.append([first, first + self.grain - 1])
            shown = " or ".join(" to ".join(map(str, dict.fromkeys(ends))) for ends in ranges)
            return f"arm {int(self.arm)} is pulled {shown} times from pull {self.pulls[0]} on"
        named = (", ".join("none" if arm == NO_ARM else f"{int(arm)}" for arm in some) for some in sorted(event))
        arms = " or ".join(named)
        *most, last = map(str, self.pulls)
        pulls = f"the pulls {', '.join(most)} and {last} are" if most else f"pull {last} is"
        return f"{pulls} of arm {arms}"


def _likelier(
    seen: _Look, runs: tuple[list[tuple[float, ...]], list[tuple[float, ...]]], judge: Callable[[int, int], float]
) -> tuple[set[tuple[float, ...]], tuple[int, int]]:
    """The event that tells the two lists best apart, and how often it occurred on them."""
    one, two = ([seen(arms) for arms in side] for side in runs)
    event, _ = search_event(one, two, judge)
    return event, (sum(x in event for x in one), sum(x in event for x in two))


def _followed(run: Played, time: int = 0) -> list[Draw]:
    """The first draws of a run whose laws are known, or those around a pull where there are more."""
    draws = list({draw.name: draw for draw in run.tape.draws if draw.law in SIDES}.values())
    before = sum(draw.pulls <= time for draw in draws) if len(draws) > MOST_DRAWS else 0
    return draws[max(0, before - MOST_DRAWS // 2) :][:MOST_DRAWS]


def _spread(numbers: Sequence[int], count: int = LOOKED_AT) -> list[int]:
    """Some of the numbers, evenly."""
    places = np.linspace(0, len(numbers) - 1, count) if numbers else ()
    return sorted({numbers[round(k)] for k in places})


def first_change(rewards: Rewards, neighbour: Rewards) -> int:
    """The first pull whose reward differs; their number where none does, as in a run on its own list."""
    return next((t for t, (a, b) in enumerate(zip(rewards, neighbour, strict=True)) if a != b), len(rewards))


def _first_difference(run: Played, other: Played) -> int:
    for pull, (one, two) in enumerate(zip(run.actions, other.actions, strict=False)):
        if one != two:
            return pull
    return -1
