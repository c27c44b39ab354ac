"""Lower bounds on the regret of bandits, private and not, side by side and as guaranteed enclosures.

Each bound has the form liminf Reg_T / log T >= sum over suboptimal arms of Delta_a / D_a and differs in D_a, the
information that one pull of arm a may carry.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from banditproof.theory.arguments import named
from banditproof.theory.errors import InvalidInput, without_file
from banditproof.theory.hints import hint, hint_of_order
from banditproof.theory.laws import bernoulli_points as points
from banditproof.theory.laws.bernoulli import regime_at
from banditproof.theory.laws.families import Bernoulli, Exponential, Gaussian, Poisson
from banditproof.theory.laws.infimum import Infimum, bits_for
from banditproof.theory.laws.instance import Instance, instance_of
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.exact_numbers import exact, exact_budget
from banditproof.theory.numbers.number_types import Exact
from banditproof.theory.numbers.numeric import exp, log, minimum, to_ball, working_precision
from banditproof.theory.tables import NamedLowerBounds, OneBound

MOST_MARKED = 20  # regime changes of different arms in a picture
_BITS = 256  # near ties of means next to 0 or 1 cancel about a hundred


@dataclass(frozen=True, repr=False)
class LowerBound(OneBound):
    """One lower bound. Everything per arm is None for optimal arms.

    `terms` are Delta_a / D_a, `constant` is their sum, the coefficient of log T; `value` is the constant, or constant
    times log(horizon) if a horizon was given. `regimes` are "high" privacy where D_a is smaller than the information of
    the rewards without privacy, else "low"; None for a non-private bound.
    """

    terms: tuple[Enclosure | None, ...]
    regimes: tuple[str | None, ...]
    constant: Enclosure


@dataclass(frozen=True, repr=False)
class RegretLowerBounds(NamedLowerBounds[LowerBound]):
    """All regret lower bounds for one instance; `bounds` maps the name of a bound to it."""

    instance: Instance
    epsilon: Fraction | float | None
    horizon: Fraction | float | None
    bounds: dict[str, LowerBound]

    @without_file
    def plot(self) -> Any:
        """A matplotlib figure of every bound against the privacy budget, with the regimes and this budget marked.

        Raises ImportError without the extra `report`.
        """
        from banditproof.theory.drawing import against_budget

        def bounds_at(epsilon: float) -> dict[str, Any]:
            bounds = regret_lower_bound(self.instance, epsilon, self.horizon).bounds.values()
            return {bound.name: bound.value if bound.applies else None for bound in bounds}

        best = self.instance.best_mean
        suboptimal = sorted({arm for arm in self.instance.arms if arm.mean < best}, key=lambda arm: arm.mean)
        drawn = {*suboptimal[:: 1 + len(suboptimal) // MOST_MARKED], *suboptimal[-1:]}  # with both ends
        scaled = "regret" if self.horizon is not None else "liminf regret / log T"
        return against_budget(
            bounds_at,
            [_change(arm, best) for arm in drawn],
            title="Regret lower bounds",
            ylabel=f"{scaled} is at least",
            marked=None if self.epsilon is None else float(self.epsilon),
        )


def _change(arm: Any, best: Any) -> float:
    """The budget above which privacy costs nothing on this arm, to the eye: d_inf is KL_inf from there on."""
    low, high = -20.0, 20.0  # natural logarithms of budgets
    for _ in range(30):
        middle = (low + high) / 2
        free = arm.d_inf(best, math.exp(middle)).intermediate in (None, arm)
        low, high = (low, middle) if free else (middle, high)
    return math.exp(high) if high < 20 else math.inf


@named
def regret_lower_bound(
    means: Iterable[Exact] | Instance, epsilon: Exact | None = None, horizon: Exact | None = None
) -> RegretLowerBounds:
    """Every regret lower bound of the papers for a bandit.

    `means`: an Instance, a list of its arms (laws), or the means of Bernoulli arms (ints, floats, Fractions or strings
    such as "0.7", in [0, 1]); at least one.
    `epsilon`: the budget of pure global DP, positive, inf allowed; None gives the non-private bound only.
    `horizon`: T >= 1; if given, values are multiplied by log T. The bounds are asymptotic: at a finite T a policy may
    do better.

    Different arms take about 0.05 ms each if they are Bernoulli, 0.5 ms if Gaussian, and up to 20 ms in other families.

    The names, for arms of every family: "lai-robbins" with D_a = KL_inf, "kl-tv" with min(KL_inf, epsilon TV_inf), and
    "d-inf" with d_inf(epsilon). For Bernoulli, Gaussian, Poisson and exponential arms also "d-epsilon", with any law
    between the two (docs/arm-by-arm.md), which is larger; in other families, and for Bernoulli arms, d_inf has the best
    law between. For Bernoulli arms it is (5) of the Bernoulli paper, and its others stand here too: "two-regime" (the
    closed form (8) of (5)), "min-kl-tv" (7), and "earlier-tv", the bound that (7) adapts.

    Raises InvalidInput.

    Source: BDP-EQ3, BDP-T3.1, BDP-EQ8, BDP-EQ7, BDP-S1.5, BDP-EQ9, TH-T2.31, TH-T4.16

    >>> regret_lower_bound(["0.75", "0.7"], epsilon=0.25)["d-epsilon"].constant.decimal(8)
    '[7.8109431, 7.8109432]'
    >>> from banditproof.theory import Gaussian
    >>> regret_lower_bound([Gaussian(1), Gaussian(0)])["lai-robbins"].constant.decimal()
    '2'
    """
    instance = instance_of(means, "means")
    budget = None if epsilon is None else exact_budget(epsilon)
    pulls = "a whole number, at least 1"
    rounds = None if horizon is None else exact("horizon", horizon, lambda T: T >= 1 and T.denominator == 1, pulls)
    hint_of_order(budget, rounds)
    if all(arm.mean == instance.best_mean for arm in instance.arms):
        hint("every arm has the largest mean, so that no pull costs regret and every bound is 0")
    kind = type(instance.arms[0])
    recipes = [r for r in _RECIPES if (budget is not None or not r.private) and (r.kind is None or r.kind is kind)]
    best = _Best(instance.best_mean, budget)
    price = _PricedBernoulli if kind is Bernoulli else _Priced
    numbers: dict[Any, int] = {}  # of the different arms
    numbered = [numbers.setdefault(arm, len(numbers)) for arm in instance.arms]
    lower = [arm for arm in numbers if arm.mean < best.mean]
    closest = max(lower, key=lambda arm: arm.mean, default=None)
    better = _better_alternatives(kind, best.mean, {arm.largest_mean for arm in lower})
    bits = _BITS if closest is None else max(_BITS, bits_for(closest, best.mean, budget))
    with working_precision(bits + (4 * _bits_below_one(best.mean) if kind is Bernoulli else 0)):
        columns = _columns(recipes, (price(arm, best) for arm in lower))
        places = {numbers[arm]: place for place, arm in enumerate(lower)}
        arms = [places.get(number) for number in numbered]
        bounds = {r.name: _bound(r, columns[r.name], arms, better, rounds) for r in recipes}
    return RegretLowerBounds(instance, budget, rounds, bounds)


def _bits_below_one(mean: Fraction) -> int:
    """Bits that a ball of the mean needs to be certainly below 1."""
    short = 1 - mean
    return max(0, short.denominator.bit_length() - short.numerator.bit_length()) if short else 0


# -------------------------------------------------------------------------------------------- information per pull, D_a


@dataclass(frozen=True, eq=False)
class _Best:
    """What all arms have in common: mu* and the budget, None where no bound is private; and balls, of one precision."""

    mean: Fraction
    epsilon: Any

    @cached_property
    def ball(self) -> Any:
        """mu*."""
        return to_ball(self.mean)

    @cached_property
    def budget(self) -> Any:
        """epsilon."""
        return None if self.epsilon is None else to_ball(self.epsilon)

    @cached_property
    def below_one(self) -> bool:
        """Whether a Bernoulli law has a larger mean."""
        return self.mean < 1

    @cached_property
    def logarithms(self) -> tuple[Any, Any]:
        """log mu* and log(1 - mu*)."""
        return self.ball.log(), to_ball(1 - self.mean).log()

    @cached_property
    def saturated(self) -> tuple[Any, Any]:
        """z and kl(z, mu*) for z = mu* / (mu* + (1 - mu*) e^epsilon)."""
        kept = exp(-self.budget)
        z = self.ball * kept / (to_ball(1 - self.mean) + self.ball * kept)
        return z, points.kl(z, self.ball)

    @cached_property
    def saturated_as_printed(self) -> tuple[Any, Any]:
        """The same as (8) is printed."""
        z = self.ball / (self.ball + (1 - self.ball) * exp(self.budget))
        return z, points.kl(z, self.ball)

    def or_nothing(self, value: Any) -> Any:
        """An infimum over Bernoulli laws with a larger mean: the value, or inf where there are none."""
        return value if self.below_one else value.pos_inf()


@dataclass(frozen=True, eq=False)
class _Priced:
    """A suboptimal arm with its infima, each found once however many bounds and equal arms use it, as balls."""

    arm: Any
    best: _Best

    @cached_property
    def gap(self) -> Any:
        """Delta_a."""
        return to_ball(self.best.mean - self.arm.mean)

    @cached_property
    def kl_inf(self) -> Any:
        return self.arm.kl_inf(self.best.mean).value.ball()

    @cached_property
    def priced_tv_inf(self) -> Any:
        return self.best.budget * self.arm.tv_inf(self.best.mean).value.ball()

    @cached_property
    def sixfold_tv_inf(self) -> Any:
        return 6 * self.priced_tv_inf

    @cached_property
    def _double_change(self) -> Infimum:
        return self.arm.d_inf(self.best.mean, self.best.epsilon)

    @cached_property
    def d_inf(self) -> Any:
        return self._double_change.value.ball()

    @cached_property
    def d_epsilon(self) -> Any:
        """That to the law at mu*, which is the infimum: the function that proves it falls, so it proves more beyond."""
        return self.arm.d_epsilon(self.arm._with_mean(self.best.mean), self.best.epsilon).value.ball()

    @cached_property
    def unchanged(self) -> bool:
        """Whether the change of measure of d_inf is that of KL_inf."""
        return self._double_change.intermediate in (None, self.arm)


SHARP = 64  # bits of a logarithmic formula that must be certain, else the formula without cancellation is asked


class _PricedBernoulli:
    """As `_Priced`, by closed forms, at a tenth of the time that infima with certificates take; beside the infima what
    is printed: `kl`, `d` and `closed_form` at (mu_a, mu*), `sixfold_gap` 6 epsilon Delta_a and the `regime` of (8).

    Where no law has a larger mean than mu* the infima are inf, and what is printed has its value all the same.
    """

    def __init__(self, arm: Any, best: _Best) -> None:
        x, y, budget = to_ball(arm.mean), best.ball, best.budget
        gap = y - x
        self.gap = gap if gap.rel_accuracy_bits() >= SHARP else to_ball(best.mean - arm.mean)
        self.kl, threshold = _kl_and_threshold(arm.mean, x, best)
        self.kl_inf = best.or_nothing(self.kl)
        if budget is None:
            return
        self.regime = regime_at(budget, threshold)
        self.unchanged = not best.below_one or self.regime == "low"
        self.d = self.closed_form = self.kl
        if self.regime == "high":
            (z, far), (printed_z, printed_far) = best.saturated, best.saturated_as_printed
            self.d = far + budget * (z - x) if best.below_one else points.d(x, y, budget)
            self.closed_form = printed_far + budget * (printed_z - x)
        self.d_inf = best.or_nothing(self.d)
        self.priced_tv_inf = best.or_nothing(budget * self.gap)
        self.sixfold_gap = 6 * budget * self.gap
        self.sixfold_tv_inf = best.or_nothing(self.sixfold_gap)


def _kl_and_threshold(mean: Fraction, x: Any, best: _Best) -> tuple[Any, Any]:
    """kl(mu_a, mu*) and the budget from which on d_epsilon is kl; x is mu_a as a ball."""
    if not (mean and best.below_one):
        return points.kl(x, best.ball), points.threshold(x, best.ball)
    x_c, (log_y, log_y_c) = 1 - x, best.logarithms
    up, down = log_y - x.log(), x_c.log() - log_y_c
    kl = x_c * down - x * up
    return kl if kl.rel_accuracy_bits() >= SHARP else points.kl(x, best.ball), up + down


@dataclass(frozen=True)
class _Recipe:
    name: str
    source: str
    formula: str
    information: Callable[[Any], Any]  # of a _Priced arm, as a ball
    regime: Callable[[Any], str] | None = None  # None for a bound that is not private
    kind: type | None = None  # the only kind of arms that it is for
    sees_empty_class: bool = True  # D_a is an infimum over better alternatives, and inf if there are none

    @property
    def private(self) -> bool:
        return self.regime is not None


def _kl_inf(one: _Priced) -> Any:
    return one.kl_inf


def _priced_change(one: _Priced) -> Any:
    return _smaller(one.kl_inf, one.priced_tv_inf)


def _double_change(one: _Priced) -> Any:
    return one.d_inf


def _any_between(one: _Priced) -> Any:
    return one.d_epsilon


def _regime_of_any(one: _Priced) -> str:
    """By what shows: on outcomes without end privacy always costs something, which may be below any rounding."""
    return "high" if one.d_epsilon < one.kl_inf else "low"


def _regime_of(change: Callable[[Any], Any]) -> Callable[[Any], str]:
    """ "high" where privacy makes the information of an arm smaller than that of its rewards."""

    def regime(one: Any) -> str:
        information = change(one)
        if information < one.kl_inf:
            return "high"
        if information is one.kl_inf or information >= one.kl_inf:
            return "low"
        raise InvalidInput("epsilon", one.best.epsilon, "so far from the privacy threshold that its side is certain")

    return regime


def _threshold(one: _PricedBernoulli) -> str:
    return one.regime


def _unchanged_regime(one: _Priced) -> str:
    return "low" if one.unchanged else "high"


def _bernoulli_change(one: _PricedBernoulli) -> Any:
    return one.d


def _closed_form(one: _PricedBernoulli) -> Any:
    return one.closed_form


def _kl_or_gap(one: _PricedBernoulli) -> Any:
    return _smaller(one.kl, one.sixfold_gap)


def _earlier(one: _Priced) -> Any:
    return _smaller(one.kl_inf, one.sixfold_tv_inf)


def _smaller(a: Any, b: Any) -> Any:
    """The minimum of two balls; one of the two itself where that is certain."""
    return a if a < b else b if b < a else minimum(a, b)


def _bernoulli(
    name: str, source: str, formula: str, information: Any, regime: Any, sees_empty_class: bool = False
) -> _Recipe:
    return _Recipe(name, source, formula, information, regime, Bernoulli, sees_empty_class)


_RECIPES = (
    _Recipe("lai-robbins", "BDP-EQ3", "KL_inf(P_a, mu*)", _kl_inf),
    _bernoulli("d-epsilon", "BDP-T3.1", "d_epsilon(mu_a, mu*)", _bernoulli_change, _threshold),
    _bernoulli("two-regime", "BDP-EQ8", "kl(mu_a, mu*), or kl(z, mu*) + epsilon (z - mu_a)", _closed_form, _threshold),
    _bernoulli("min-kl-tv", "BDP-EQ7", "min{kl(mu_a, mu*), 6 epsilon Delta_a}", _kl_or_gap, _regime_of(_kl_or_gap)),
    _bernoulli(
        "earlier-tv",
        "BDP-S1.5",
        "min{KL_inf(P_a, mu*), 6 epsilon TV_inf(P_a, mu*)}",
        _earlier,
        _regime_of(_earlier),
        sees_empty_class=True,
    ),
    _Recipe(
        "kl-tv",
        "TH-T4.16",
        "min{KL_inf(P_a, mu*), epsilon TV_inf(P_a, mu*)}",
        _priced_change,
        _regime_of(_priced_change),
    ),
    _Recipe("d-inf", "BDP-EQ9", "d_inf(P_a, mu*, epsilon)", _double_change, _unchanged_regime),
    *(
        _Recipe("d-epsilon", "SHARP-1", "d_epsilon(P_a, P at mu*), any law between", _any_between, _regime_of_any, kind)
        for kind in (Gaussian, Poisson, Exponential)
    ),
)


# ------------------------------------------------------------------------------------------------------------ one bound


class _Column(NamedTuple):
    """What one bound says of each of the different suboptimal arms."""

    shares: list[Any]  # Delta_a / D_a, as a ball
    terms: list[Enclosure]  # the same
    regimes: list[str | None]


def _columns(recipes: Sequence[_Recipe], priced: Iterable[Any]) -> dict[str, _Column]:
    """Arm by arm, of which nothing else is kept: what a hundred thousand arms hold is gone through again and again by
    Python's collector of garbage."""
    columns = {recipe.name: _Column([], [], []) for recipe in recipes}
    for one in priced:
        known: dict[int, tuple[Any, Any, Enclosure]] = {}
        for recipe, column in zip(recipes, columns.values(), strict=True):
            _, share, term = _term(one, recipe.information(one), known)
            column.shares.append(share)
            column.terms.append(term)
            column.regimes.append(recipe.regime(one) if recipe.regime else None)
    return columns


def _term(one: Any, information: Any, terms: dict[int, tuple[Any, Any, Enclosure]]) -> tuple[Any, Any, Enclosure]:
    """The information, Delta_a / information, and its enclosure; once for bounds that share the information."""
    known = terms.get(id(information))
    if known is None:
        share = one.gap / information
        known = terms[id(information)] = information, share, Enclosure.from_ball(share)
    return known


def _bound(
    recipe: _Recipe, column: _Column, arms: Sequence[int | None], better: tuple[bool, str], horizon: Any
) -> LowerBound:
    """The bound for arms that are known by their places in the column, None for optimal ones."""
    constant = sum((column.shares[arm] for arm in arms if arm is not None), to_ball(0))
    applies, why = _applicability(recipe, *better)
    return LowerBound(
        name=recipe.name,
        source=recipe.source,
        formula=recipe.formula,
        terms=tuple(None if arm is None else column.terms[arm] for arm in arms),
        regimes=tuple(None if arm is None else column.regimes[arm] for arm in arms),
        constant=Enclosure.from_ball(constant),
        value=Enclosure.from_ball(constant if horizon is None else constant * log(to_ball(horizon))),
        applies=applies,
        why=why,
    )


def _better_alternatives(kind: type, best: Fraction, largest: set[Any]) -> tuple[bool, str]:
    """Whether all suboptimal arms, in families with these largest means, have better alternatives; and why (not)."""
    if not largest:
        return True, "every arm is optimal: the sum is empty"
    if all(mean > best for mean in largest):
        return True, f"mu* < {min(largest)}: every suboptimal arm has better alternatives"
    return False, f"mu* = {best}: no {kind.__name__} alternative has a larger mean"


def _applicability(recipe: _Recipe, better: bool, why: str) -> tuple[bool, str]:
    if better:
        return True, why
    if recipe.sees_empty_class:
        return True, f"{why}, the infimum is inf and the term is 0"
    return False, f"{why}, so no change of measure is possible"
