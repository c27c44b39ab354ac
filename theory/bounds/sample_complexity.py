"""Lower bounds on the sample complexity of best-arm identification, private and not, side by side and certified.

Each bound has the form E[number of rewards] >= T* f(delta), with a characteristic time T* and a factor f of the risk.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from banditproof.theory.arguments import named, question
from banditproof.theory.best_arm.characteristic_times import CharacteristicTime, characteristic_time
from banditproof.theory.errors import without_file
from banditproof.theory.laws.instance import Bernoulli, Instance, instance_of
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.exact_numbers import exact, shown
from banditproof.theory.numbers.number_types import Exact
from banditproof.theory.numbers.numeric import to_ball, working_precision
from banditproof.theory.tables import NamedLowerBounds, OneBound, Parts

_BITS = 128
_HALF = Fraction(1, 2)
_COIN = "delta > 1/2: for two arms, a strategy that guesses without a sample is delta-correct"
_TRIVIAL = "from delta = {} on the factor is not positive, so the bound says nothing at this delta"


@dataclass(frozen=True, repr=False)
class SampleComplexityBound(OneBound):
    """One lower bound: `value` = `time` times `factor`.

    `regime` says what the inf player's alternatives are priced in: "low" privacy if in relative entropy, "high" if in
    total variation times the budget, "mixed" if in both, "arm by arm" if in d_epsilon; None for a non-private bound.
    A bound whose factor is not positive says nothing, and does not apply.
    """

    time: Enclosure
    factor: Enclosure
    regime: str | None

    def to_dict(self) -> dict[str, Any]:
        """As of any bound, with the characteristic time (its middle and both ends) and the regime."""
        time = dict(zip(("time", "time_lower", "time_upper"), self.time.to_dict().values(), strict=True))
        return super().to_dict() | time | {"regime": self.regime}


@dataclass(frozen=True, repr=False)
class SampleComplexityBounds(NamedLowerBounds[SampleComplexityBound]):
    """All lower bounds for one instance; `bounds` maps the name of a bound to it, `times` keeps the certificates."""

    instance: Instance
    delta: Fraction
    epsilon: Fraction | float | None
    times: dict[str, CharacteristicTime]
    bounds: dict[str, SampleComplexityBound]

    @question
    def recheck(self) -> bool:
        """Whether the certificates of all times hold, and the bounds follow from them; no solver is asked."""
        with working_precision(_BITS):
            again = {bound.name: bound for bound in _bounds(self.times, self.delta)}
        return again == self.bounds and all(time.recheck() for time in self.times.values())

    @without_file
    def plot(self) -> Any:
        """A matplotlib figure of every bound against the privacy budget, with the regimes and this budget marked.

        "d-epsilon" is drawn for Bernoulli arms, as it takes seconds a point for others.

        Raises ImportError without the extra `report`.
        """
        from banditproof.theory.drawing import against_budget

        quick = isinstance(self.instance.arms[0], Bernoulli)

        def bounds_at(epsilon: float) -> dict[str, Any]:
            bounds = _all_bounds(self.instance, self.delta, epsilon, arm_by_arm=quick).bounds
            return {name: bound.value if bound.applies else None for name, bound in bounds.items()}

        return against_budget(
            bounds_at,
            self._changes(),
            title="Lower bounds on the sample complexity",
            ylabel=f"expected samples at risk {shown(self.delta)} are at least",
            marked=None if self.epsilon is None else float(self.epsilon),
        )

    def _changes(self) -> list[float]:
        """The budgets between which the regime of the private time is mixed, by bisection: for a picture."""
        times = (
            self.times
            if "tv" in self.times
            else sample_complexity_lower_bound(self.instance, self.delta, epsilon=1).times
        )
        middle = float(times["tv"].value.lower / times["kl"].value.lower)
        if not 0 < middle < math.inf:
            return []

        def ends(regime: str, factor: float) -> float:
            """Where the regime begins on the way from the middle."""
            outside, inside = middle, middle
            for _ in range(20):
                inside *= factor
                if _regime(characteristic_time(self.instance, epsilon=inside)) == regime:
                    break
                outside = inside
            for _ in range(8):
                between = math.sqrt(outside * inside)
                inside_it = _regime(characteristic_time(self.instance, epsilon=between)) == regime
                outside, inside = (outside, between) if inside_it else (between, inside)
            return inside

        return [ends("high", 1 / 2), ends("low", 2)]


@named
def sample_complexity_lower_bound(
    instance: Instance | Iterable[Exact], delta: Exact, *, epsilon: Exact | None = None
) -> SampleComplexityBounds:
    """Every lower bound on E[tau] for a delta-correct strategy on this instance.

    `instance`: an Instance as for `characteristic_time`, or the means of Bernoulli arms. `delta` in (0, 1) is the risk.
    `epsilon`: the budget of View DP in (0, inf]; None gives the non-private bounds only. They bound the number of
    rewards collected, hence also the step at which the strategy stops, which is one later.

    The names are "kl" (T*_KL kl(delta, 1-delta)), "kl-log" (T*_KL log(1/(2.4 delta))) and, with a budget, "private"
    (T*(epsilon) log(1/(3 delta))), "private-kl" (the same time with the larger factor kl(delta, 1-delta), which its
    proof gives for delta <= 1/2), "private-relaxed" (max(T*_KL, T*_TV / epsilon) log(1/(3 delta))), and
    "d-epsilon" (T*_d(epsilon) kl(delta, 1-delta), where T*_d prices every arm by d_epsilon, see
    docs/arm-by-arm.md), never below "private-kl". Raises InvalidInput.

    Source: TH-T2.32, TH-S2.2h, TH-L4.23, TH-T4.24, TH-C4.25

    >>> sample_complexity_lower_bound(["0.9", "0.8", "0.5"], "0.01", epsilon="0.5")["private"].value.decimal(6)
    '[368.598, 368.599]'
    """
    return _all_bounds(instance, delta, epsilon, arm_by_arm=True)


def _all_bounds(
    instance: Instance | Iterable[Exact], delta: Exact, epsilon: Exact | None, arm_by_arm: bool
) -> SampleComplexityBounds:
    asked = instance_of(instance)
    risk = exact("delta", delta, lambda d: 0 < d < 1, "a number in (0, 1)")
    times = Parts(kl=characteristic_time(asked))
    if epsilon is not None:
        times["private"] = characteristic_time(asked, epsilon=epsilon)
        times["tv"] = characteristic_time(asked, divergence="tv")
        if arm_by_arm:
            times["d_epsilon"] = characteristic_time(asked, epsilon=epsilon, divergence="d_epsilon")
    with working_precision(_BITS):
        bounds = {bound.name: bound for bound in _bounds(times, risk)}
    budget = times["private"].epsilon if epsilon is not None else None
    return SampleComplexityBounds(asked, risk, budget, times, bounds)


def _bounds(times: dict[str, CharacteristicTime], delta: Fraction) -> list[SampleComplexityBound]:
    risk = to_ball(delta)
    entropy = (1 - 2 * risk) * ((1 - risk) / risk).log()
    trivial = _COIN if delta > _HALF else _TRIVIAL.format(_HALF)
    below_half = (delta < _HALF, "delta < 1/2" if delta < _HALF else trivial)

    def logarithm(constant: Fraction) -> tuple[Any, tuple[bool, str]]:
        positive, end = delta < 1 / constant, 1 / constant
        why = f"delta < {end}" if positive else _TRIVIAL.format(end)
        return -(risk * to_ball(constant)).log(), (positive, why)

    twelve_fifths, of_kl = logarithm(Fraction(12, 5))
    three, of_private = logarithm(Fraction(3))
    kl = times["kl"].value
    bounds = [
        _bound("kl", "TH-T2.32", "T*_KL kl(delta, 1-delta)", kl, entropy, None, below_half),
        _bound("kl-log", "TH-S2.2h", "T*_KL log(1 / (2.4 delta))", kl, twelve_fifths, None, of_kl),
    ]
    if "private" in times:
        private, relaxed, regime = times["private"].value, *_relaxed(times)
        mixed = _regime(times["private"])
        bounds += [
            _bound("private", "TH-T4.24", "T*(epsilon) log(1 / (3 delta))", private, three, mixed, of_private),
            _bound("private-kl", "TH-L4.23", "T*(epsilon) kl(delta, 1-delta)", private, entropy, mixed, below_half),
            _bound(
                "private-relaxed", "TH-C4.25", "max(T*_KL, T*_TV / epsilon) log(1 / (3 delta))",
                relaxed, three, regime, of_private,
            ),
        ]  # fmt: skip
    if "d_epsilon" in times:
        sharp, formula = times["d_epsilon"].value, "T*_d(epsilon) kl(delta, 1-delta)"
        bounds.append(_bound("d-epsilon", "SHARP-2", formula, sharp, entropy, "arm by arm", below_half))
    return bounds


def _bound(
    name: str, source: str, formula: str, time: Enclosure, factor: Any, regime: str | None, applies: tuple[bool, str]
) -> SampleComplexityBound:
    # by its ends: where they are orders of magnitude apart, the ball around both reaches below 0
    ends = [Enclosure.from_ball(to_ball(end) * factor) for end in (time.lower, time.upper)]
    value = Enclosure(min(end.lower for end in ends), max(end.upper for end in ends))
    return SampleComplexityBound(name, source, formula, value, *applies, time, Enclosure.from_ball(factor), regime)


def _relaxed(times: dict[str, CharacteristicTime]) -> tuple[Enclosure, str | None]:
    """max(T*_KL, T*_TV / epsilon), and which of the two it is (None if the enclosures do not decide)."""
    epsilon = times["private"].epsilon
    entropy = times["kl"].value
    if epsilon == math.inf:
        return entropy, "low"
    variation = Enclosure.from_ball(times["tv"].value.ball() / to_ball(epsilon))
    if entropy.lower >= variation.upper:
        return entropy, "low"
    if entropy.upper < variation.lower:
        return variation, "high"
    return Enclosure(max(entropy.lower, variation.lower), max(entropy.upper, variation.upper)), None


def _regime(time: CharacteristicTime) -> str:
    prices = {one.price for one in time.alternatives}
    entropy, variation = "kl" in prices, "tv" in prices
    return "mixed" if entropy and variation else "low" if entropy else "high"
