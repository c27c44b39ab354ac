"""Characteristic times of best-arm identification with fixed confidence, as certified values of zero-sum games.

    1 / T*  =  sup over allocations w  inf over instances with another best arm  of  sum over a of w_a d(a, alternative)

with d the relative entropy, the total variation, or, under epsilon-DP, the smaller of the sum of relative entropies and
epsilon times the sum of total variations; or, sharper, d_epsilon of every arm (see `arm_by_arm`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from banditproof.theory.arguments import named, question
from banditproof.theory.best_arm.arm_by_arm import ArmByArm, PricedStrategies, divergences
from banditproof.theory.best_arm.best_arm_game import Game
from banditproof.theory.best_arm.best_arm_strategies import Prices, Strategies, certified_time
from banditproof.theory.best_arm.transport_costs import QuadraticCosts, entropy_costs, family_of, variation
from banditproof.theory.errors import InvalidInput, as_typed, one_of, without_file
from banditproof.theory.laws.instance import Instance, instance_of
from banditproof.theory.numbers.enclosure import Enclosure, Valued
from banditproof.theory.numbers.exact_numbers import exact, exact_budget, shown
from banditproof.theory.numbers.number_types import Exact
from banditproof.theory.numbers.numeric import to_ball, working_precision
from banditproof.theory.tables import OnATheorem, Shown, Table, Verdict, columns
from banditproof.theory.verdicts import known_of

_BITS = 128
_PRIVATE = ("private", "relaxed", "d_epsilon")
_GAMES = {
    "kl": ("T*_KL", "TH-T2.32"),
    "tv": ("T*_TV", "TH-C4.25"),
    "private": ("T*(epsilon)", "TH-T4.24"),
    "d_epsilon": ("T*_d(epsilon)", "SHARP-2"),
    "relaxed": ("T*_relaxed(epsilon)", "ALG-EQ5.13"),
}
"""The name of the characteristic time of each divergence, and the statement that it is in."""


@dataclass(frozen=True)
class Alternative:
    """An instance in which `challenger` ties with the best arm: both have mean `mean`, the other arms are unchanged.

    `weight` is its share of the inf player's mixture; `price` says whether its cost to the sup player is taken in
    relative entropy ("kl"), epsilon times total variation ("tv"), or arm by arm in "d_epsilon"; in that game it is "kl"
    where d_epsilon is the relative entropy, as no two log odds are more than epsilon apart.
    """

    challenger: int
    mean: Fraction
    price: str
    weight: float


@dataclass(frozen=True, repr=False)
class CharacteristicTime(Valued, Shown):
    """T* of an instance, with both players' strategies as its certificate.

    `value` encloses T*. `divergence` is "kl", "tv", "private", "relaxed" or "d_epsilon"; `epsilon` and `beta` are what
    was asked. `name` tells which T* it is, `source` the statement that has it, `verdict` what is known of that.
    """

    value: Enclosure
    instance: Instance
    divergence: str
    epsilon: Fraction | float | None
    beta: Fraction | None
    best_arm: int
    certificate: Strategies | PricedStrategies

    def table(self) -> Table:
        """The arms with their proportions; the enclosure of T* in the title."""
        rows = tuple(
            (str(k), shown(arm.mean), f"{share:.6f}", "best" if k == self.best_arm else "")
            for k, (arm, share) in enumerate(zip(self.instance.arms, self.allocation, strict=True))
        )
        game = f"{self.divergence} game" + ("" if self.epsilon is None else f", epsilon = {shown(self.epsilon)}")
        title = f"{self.name} in {self.value.decimal(8)}, {game}; {self.source}"
        return Table(title, ("arm", "mean", "proportion", ""), rows)

    def to_dict(self) -> dict[str, Any]:
        """T* as in `Enclosure.to_dict`, its name, its source with the verdict and what corrects it, the game, its
        budget, the means of the arms and their proportions: plain values.
        """
        asked = {"divergence": self.divergence, "means": [float(arm.mean) for arm in self.instance.arms]}
        known = known_of(self.source)
        of = {"name": self.name, "source": self.source, "verdict": known.verdict, "corrected": known.corrected}
        return (
            of | self.value.to_dict() | columns("epsilon", self.epsilon) | asked | {"allocation": list(self.allocation)}
        )

    @property
    def name(self) -> str:
        """Which of the characteristic times it is: T*_KL, T*_TV, T*(epsilon), T*_d(epsilon) or T*_relaxed(epsilon)."""
        return _GAMES[self.divergence][0]

    @property
    def source(self) -> str:
        """The statement that this time is in, by its id."""
        return _GAMES[self.divergence][1]

    @property
    def verdict(self) -> Verdict:
        """The verdict on the statement in `source`, a word such as "proved"; it is not one on the number."""
        return OnATheorem(known_of(self.source).verdict)

    @without_file
    def plot(self) -> Any:
        """A matplotlib figure of T* against the privacy budget, beside T* without privacy; this budget is marked.

        Raises ImportError without the extra `report`.
        """
        from banditproof.theory.drawing import against_budget

        game = self.divergence if self.divergence in _PRIVATE else "private"
        free = characteristic_time(self.instance, beta=self.beta).value

        def times_at(epsilon: float) -> dict[str, Any]:
            asked = None if game == "private" else game
            priced = characteristic_time(self.instance, epsilon=epsilon, beta=self.beta, divergence=asked).value
            return {_GAMES[game][0]: priced, _GAMES["kl"][0]: free}

        marked = None if self.epsilon is None else float(self.epsilon)
        return against_budget(times_at, [], title="Characteristic time", ylabel="T*", marked=marked)

    @property
    def allocation(self) -> tuple[float, ...]:
        """The proportions w*_a of the arms, summing to 1 up to rounding."""
        weights = np.array(self.certificate.weights)
        if self.beta is None:
            return tuple((weights / weights.sum()).tolist())
        weights[self.best_arm] = 0
        weights *= (1 - float(self.beta)) / weights.sum()
        weights[self.best_arm] = float(self.beta)
        return tuple(weights.tolist())

    @cached_property
    def alternatives(self) -> tuple[Alternative, ...]:
        """The most confusing instances, with the weights (summing to 1) that make every allocation as bad as w*."""
        best, means, plan = self.best_arm, [Fraction(arm.mean) for arm in self.instance.arms], self.certificate
        if isinstance(plan, PricedStrategies):
            mass, is_free = math.fsum(weight for *_, weight in plan.replies), self._is_free
            priced = [
                (arm, mean, "kl" if is_free(arm, mean) else "d_epsilon", w / mass) for arm, mean, w in plan.replies
            ]
            return tuple(Alternative(*one) for one in priced)
        mass = math.fsum((*plan.replies, *plan.raised, *plan.lowered))
        closest: list[Alternative] = []
        for arm, mean in enumerate(means):
            if plan.replies[arm]:
                one, other = Fraction(self.allocation[best]), Fraction(self.allocation[arm])
                common = (one * means[best] + other * mean) / (one + other)
                closest.append(Alternative(arm, common, "kl", plan.replies[arm] / mass))
            for weights, target in ((plan.raised, means[best]), (plan.lowered, mean)):
                if weights[arm]:
                    closest.append(Alternative(arm, target, "tv", weights[arm] / mass))
        return tuple(closest)

    def _is_free(self, arm: int, mean: Fraction) -> bool:
        """Whether privacy costs nothing where an arm and the best one have this mean."""
        arms, epsilon = self.instance.arms, self.epsilon or 0
        return all(divergences(arms[a], epsilon).is_free(Fraction(arms[a].mean), mean) for a in (self.best_arm, arm))

    def certified(self, bits: int = _BITS) -> Enclosure:
        """The enclosure that the certificate proves, from its strategies alone, in so many bits more than at first."""
        if self.best_arm != _best_arm(self.instance) or self.divergence not in _GAMES:
            raise InvalidInput(
                "best_arm, divergence", (self.best_arm, self.divergence), "those of the instance and of the game"
            )
        if self.epsilon != (exact_budget(self.epsilon) if self.divergence in _PRIVATE else None):
            raise InvalidInput("epsilon", self.epsilon, "a budget for a private game, and None otherwise")
        if (self.divergence == "d_epsilon") != isinstance(self.certificate, PricedStrategies):
            raise InvalidInput("certificate", self.certificate, "strategies of the game of this divergence")
        challengers = _Challengers(self.instance, self.best_arm)
        if isinstance(self.certificate, PricedStrategies):
            game = ArmByArm(self.instance.arms, self.best_arm, self.epsilon or 0, self.beta)
            return game.certified(self.certificate, challengers.bits + bits)
        with working_precision(bits := challengers.bits + bits):
            prices = challengers.prices(self.divergence, self.epsilon, self.beta)
        return certified_time(self.certificate, prices, self.best_arm, challengers.kind, bits)

    @question
    def recheck(self, bits: int = _BITS) -> bool:
        """Whether the certificate proves the stated value: nothing is solved, both ends are computed again in balls."""
        try:
            proved = self.certified(bits)
        except InvalidInput:
            return False
        return self.value.contains(proved)


@named
def characteristic_time(
    instance: Instance | Iterable[Exact] | None = None,
    *,
    means: Iterable[Exact] | None = None,
    epsilon: Exact | None = None,
    beta: Exact | None = None,
    divergence: str | None = None,
) -> CharacteristicTime:
    """The characteristic time T* of best-arm identification, enclosed and certified.

    `instance`: arms of one family (Bernoulli, Gaussian with one sigma, Poisson, Exponential), at least two, the best
    one unique, as an Instance, a list of laws or of means of Bernoulli arms, which `means=` takes as well.
    `divergence`: "kl" (the default) or "tv"; with `epsilon` "private" (the default), "d_epsilon" or "relaxed".
    `epsilon`: a budget in (0, inf]; the game is then the private one, which prices each alternative at the smaller of
    relative entropy and epsilon times total variation, or, with "d_epsilon", each arm at its d_epsilon to a law of the
    family: E[tau] >= T* kl(delta, 1 - delta) holds there too (SHARP-2 in docs/arm-by-arm.md), and this T* is at least
    the other. Other arms than Bernoulli ones take seconds. "relaxed" takes the prices Delta min(3 epsilon, Delta) /
    (2 sigma^2), sigma = 1/2, for Bernoulli arms: this T* appears in upper bounds, and bounds nothing from below (the
    bound "private-relaxed" has another one, max(T*_KL, T*_TV / epsilon)).
    `beta`: in (0, 1) to fix the proportion of the best arm, None to optimise it.

    Raises InvalidInput. Equal arms are solved for once; the cost grows linearly in the number of different arms.

    Source: TH-T2.32, TH-S2.2i, TH-S2.2k, TH-T4.24, TH-C4.25, TH-P4.26, ALG-EQ5.13

    >>> time = characteristic_time(means=["0.9", "0.8", "0.5"], epsilon="0.5")
    >>> time.value.decimal(8), [round(w, 4) for w in time.allocation]
    ('[105.1168, 105.11681]', [0.4986, 0.4538, 0.0476])
    """
    asked = _instance(instance, means)
    budget = None if epsilon is None else exact_budget(epsilon)
    proportion = None if beta is None else exact("beta", beta, lambda b: 0 < b < 1, "a number in (0, 1)")
    name = _divergence(divergence, budget)
    if name == "relaxed" and family_of(asked.arms) != "Bernoulli":
        raise InvalidInput("instance", asked, "Bernoulli arms for the relaxed characteristic time")
    best = _best_arm(asked)
    challengers = _Challengers(asked, best)
    bits = challengers.bits
    try:
        if name == "d_epsilon":
            game = ArmByArm(asked.arms, best, budget or 0, proportion)
            priced = game.solve()
            return CharacteristicTime(game.certified(priced, bits), asked, name, budget, proportion, best, priced)
        with working_precision(bits):
            prices = challengers.prices(name, budget, proportion)
        plan = challengers.strategies(prices)
        plan.check(len(asked.arms), best)
    except (ArithmeticError, InvalidInput, ValueError):
        means = ", ".join(shown(arm.mean) for arm in asked.arms)
        given = f"means {means}, beta {beta}, epsilon {budget and shown(budget)}"
        allowed = "numbers whose prices are neither too small nor too large for floats"
        raise InvalidInput("means, epsilon and beta", given, allowed) from None
    value = certified_time(plan, prices, best, challengers.kind, bits)
    return CharacteristicTime(value, asked, name, budget, proportion, best, plan)


# ---------------------------------------------------------------------------------------------------------- the game


class _Challengers:
    """The best arm and the different ones among the others: equal arms share a number, `kind[a]`."""

    def __init__(self, instance: Instance, best: int) -> None:
        family_of(instance.arms)  # raises where there is none
        numbers: dict[Fraction, int] = {}
        self.best = instance.arms[best]
        self.best_index = best
        self.kind = [numbers.setdefault(Fraction(arm.mean), len(numbers)) for arm in instance.arms]
        own = self.kind[best]  # the best arm is unique, so nobody shares its number; those after it move up
        self.kind = [-1 if number == own else number - (number > own) for number in self.kind]
        means = {number: arm for number, arm in zip(self.kind, instance.arms, strict=True) if number >= 0}
        self.arms = [means[number] for number in range(len(means))]
        self.count = np.bincount([number for number in self.kind if number >= 0]).astype(float)

    @property
    def bits(self) -> int:
        """A precision at which the divergences between the closest arms still have more bits than a float."""
        scale = abs(Fraction(self.best.mean)) + 1
        closest = min(Fraction(self.best.mean) - Fraction(arm.mean) for arm in self.arms) / scale
        return _BITS + 2 * (closest.denominator.bit_length() - closest.numerator.bit_length() + 1) + _magnitude(scale)

    def prices(self, name: str, epsilon: Fraction | float | None, beta: Fraction | None) -> Prices:
        """The two prices in balls of the current precision."""
        if name == "relaxed":
            gaps = [Fraction(self.best.mean) - Fraction(arm.mean) for arm in self.arms]
            capped = [gap if epsilon == math.inf else min(3 * Fraction(epsilon or 0), gap) for gap in gaps]
            return Prices(QuadraticCosts([2 * gap * cap for gap, cap in zip(gaps, capped, strict=True)]), None, beta)
        entropy = None if name == "tv" else entropy_costs(self.best, self.arms)
        if name == "kl" or epsilon == math.inf:
            return Prices(entropy, None, beta)
        scale = to_ball(1) if epsilon is None else to_ball(epsilon)
        return Prices(entropy, [scale * variation(self.best, arm) for arm in self.arms], beta)

    def strategies(self, prices: Prices) -> Strategies:
        """Near-optimal strategies, spread from the different challengers to all arms."""
        prices_of_pulls = None if prices.variation is None else np.array([float(v) for v in prices.variation])
        ratio = None if prices.beta is None else float((1 - prices.beta) / prices.beta)
        equilibrium = Game(self.count, prices.entropy, prices_of_pulls, ratio).solve()

        def spread(values: np.ndarray, of_best: float) -> tuple[float, ...]:
            listed = values.tolist()
            return tuple(of_best if number < 0 else listed[number] for number in self.kind)

        return Strategies(
            spread(equilibrium.weights, 1.0),
            spread(equilibrium.replies, 0.0),
            spread(equilibrium.raised, 0.0),
            spread(equilibrium.lowered, 0.0),
        )


def _magnitude(scale: Fraction) -> int:
    """About log2 of a number >= 1."""
    return scale.numerator.bit_length() - scale.denominator.bit_length() + 1


# ------------------------------------------------------------------------------------------------------------- input


def _instance(instance: Any, means: Iterable[Exact] | None) -> Instance:
    if (instance is None) == (means is None):
        raise InvalidInput("instance, means", "neither" if means is None else "both", "exactly one of the two")
    return Instance(means=means) if instance is None else instance_of(instance)


def _best_arm(instance: Instance) -> int:
    means = [Fraction(arm.mean) for arm in instance.arms]
    if len(means) < 2:
        raise InvalidInput("instance", means, "at least two arms")
    largest = max(means)
    if means.count(largest) > 1:
        tied = f"{means.count(largest)} arms with the largest mean {as_typed(largest)}"
        raise InvalidInput("instance", tied, "one with a unique best arm")
    return means.index(largest)


def _divergence(divergence: str | None, epsilon: Fraction | float | None) -> str:
    if isinstance(divergence, str) and divergence == "d-epsilon":  # as the bound is called
        divergence = "d_epsilon"
    needs_a_budget = isinstance(divergence, str) and divergence in _PRIVATE
    if epsilon is None:
        if needs_a_budget:
            raise InvalidInput("epsilon", None, f"given for the divergence {divergence}")
        one_of("divergence", "kl" if divergence is None else divergence, _GAMES)
        return divergence or "kl"
    if divergence is not None and not needs_a_budget:
        combined = "since the private game combines kl and tv"
        wanted = f"left out, private (the same), d_epsilon or relaxed if epsilon is given, {combined}"
        raise InvalidInput("divergence", divergence, wanted)
    return divergence or "private"
