"""Lower bounds on the regret of bandits, private and not, side by side and as guaranteed enclosures.

Each bound has the form liminf Reg_T / log T >= sum over suboptimal arms of Delta_a / D_a and differs in D_a, the
information that one pull of arm a may carry.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from banditproof.theory.laws import bernoulli_points as points
from banditproof.theory.laws.bernoulli import regime_at
from banditproof.theory.laws.families import Bernoulli
from banditproof.theory.laws.infimum import Infimum, bits_for
from banditproof.theory.laws.instance import Instance
from banditproof.theory.laws.law import Law
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.exact_numbers import exact, exact_budget
from banditproof.theory.numbers.number_types import Exact
from banditproof.theory.numbers.numeric import exp, log, minimum, to_ball, working_precision
from banditproof.theory.tables import NamedBounds, OneBound

MOST_MARKED = 20  # regime changes of different arms in a picture
_BITS = 256  # near ties of means next to 0 or 1 cancel about a hundred


@dataclass(frozen=True, repr=False)
class LowerBound(OneBound):
    """One lower bound. Everything per arm is None for optimal arms.

    `terms` are Delta_a / D_a, `constant` is their sum, the coefficient of log T; `value` is the constant, or constant
    times log(horizon) if a horizon was given. `regimes` are "high" privacy where D_a is smaller than the information of
    the rewards without privacy, else "low"; None for a non-private bound.
    Where the bound does not apply (`applies` False, with the reason in `why`), the numbers are those of the printed
    formula and guarantee nothing.
    """

    name: str
    source: str
    formula: str
    terms: tuple[Enclosure | None, ...]
    regimes: tuple[str | None, ...]
    constant: Enclosure
    value: Enclosure
    applies: bool
    why: str


@dataclass(frozen=True, repr=False)
class RegretLowerBounds(NamedBounds[LowerBound]):
    """All regret lower bounds for one instance; `bounds` maps the name of a bound to it."""

    instance: Instance
    epsilon: Fraction | float | None
    horizon: Fraction | float | None
    bounds: dict[str, LowerBound]

    @property
    def best(self) -> LowerBound:
        """The applicable bound with the largest guaranteed value."""
        return max((bound for bound in self.bounds.values() if bound.applies), key=lambda bound: bound.value.lower)

    def plot(self) -> Any:
        """A matplotlib figure of every bound against the privacy budget, with the regimes and this budget marked.

        Raises ImportError without the extra `report`.
        """
        from banditproof.theory.drawing import against_budget

        def bounds_at(epsilon: float) -> dict[str, Any]:
            found = regret_lower_bound(self.instance, epsilon, self.horizon).bounds.values()
            return {bound.name: bound.value if bound.applies else None for bound in found}

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


def regret_lower_bound(
    means: Iterable[Exact] | Instance, epsilon: Exact | None = None, horizon: Exact | None = None
) -> RegretLowerBounds:
    """Every regret lower bound of the papers for a bandit.

    `means`: an Instance, a list of its arms (laws), or the means of Bernoulli arms (ints, floats, Fractions or strings
    such as "0.7", in [0, 1]); at least one.
    `epsilon`: the budget of pure global DP, positive, inf allowed; None gives the non-private bound only.
    `horizon`: T >= 1; if given, values are multiplied by log T. The bounds are asymptotic: at a finite T a policy may
    do better.

    Different arms take about 0.2 ms each if they are Bernoulli, 0.5 ms if Gaussian, and up to 20 ms in other families.

    The names, for arms of every family: "lai-robbins" with D_a = KL_inf, "kl-tv" with min(KL_inf, epsilon TV_inf), and
    "d-inf" with d_inf(epsilon), the largest. For Bernoulli arms also those of the Bernoulli paper: "double-change" (5),
    "two-regime" (the closed form (8) of (5)), "min-kl-tv" (7), and "earlier-tv", the bound that (7) adapts.

    Raises InvalidInput.

    Source: BDP-EQ3, BDP-T3.1, BDP-EQ8, BDP-EQ7, BDP-S1.5, BDP-EQ9, TH-T2.31, TH-T4.16

    >>> regret_lower_bound(["0.75", "0.7"], epsilon=0.25)["double-change"].constant.decimal(8)
    '[7.8109431, 7.8109432]'
    >>> from banditproof.theory import Gaussian
    >>> regret_lower_bound([Gaussian(1), Gaussian(0)])["lai-robbins"].constant.decimal()
    '2'
    """
    instance = _instance(means)
    budget = None if epsilon is None else exact_budget(epsilon)
    finite_from_one = "at least 1 and finite"
    rounds = None if horizon is None else exact("horizon", horizon, lambda T: T >= 1, finite_from_one)
    kind = type(instance.arms[0])
    recipes = [r for r in _RECIPES if (budget is not None or not r.private) and (r.kind is None or r.kind is kind)]
    best = instance.best_mean
    price = _PricedBernoulli if kind is Bernoulli else _Priced
    priced = {arm: price(arm, best, budget) for arm in dict.fromkeys(instance.arms) if arm.mean < best}
    arms = [priced.get(arm) for arm in instance.arms]
    closest = max(priced, key=lambda arm: arm.mean, default=None)
    with working_precision(_BITS if closest is None else max(_BITS, bits_for(closest, best, budget))):
        bounds = {recipe.name: _bound(recipe, best, arms, rounds) for recipe in recipes}
    return RegretLowerBounds(instance, budget, rounds, bounds)


# -------------------------------------------------------------------------------------------- information per pull, D_a


@dataclass(frozen=True, eq=False)
class _Priced:
    """A suboptimal arm with its infima, each found once however many bounds and equal arms use it, as balls.

    `best` is mu*, `epsilon` the budget, None where no bound is private.
    """

    arm: Any
    best: Fraction
    epsilon: Any

    @cached_property
    def gap(self) -> Any:
        """Delta_a."""
        return to_ball(self.best - self.arm.mean)

    @cached_property
    def kl_inf(self) -> Any:
        return self.arm.kl_inf(self.best).value.ball()

    @cached_property
    def priced_tv_inf(self) -> Any:
        return to_ball(self.epsilon) * self.arm.tv_inf(self.best).value.ball()

    @cached_property
    def _double_change(self) -> Infimum:
        return self.arm.d_inf(self.best, self.epsilon)

    @property
    def d_inf(self) -> Any:
        return self._double_change.value.ball()

    @property
    def unchanged(self) -> bool:
        """Whether the change of measure of d_inf is that of KL_inf."""
        return self._double_change.intermediate in (None, self.arm)

    @cached_property
    def _terms(self) -> dict[int, tuple[Any, Any, Enclosure]]:
        return {}

    def term(self, information: Any) -> tuple[Any, Any, Enclosure]:
        """The information, Delta_a / information, and its enclosure; once for bounds that share the information."""
        found = self._terms.get(id(information))
        if found is None:
            share = self.gap / information
            found = self._terms[id(information)] = information, share, Enclosure.from_ball(share)
        return found


SHARP = 64  # bits of a logarithmic formula that must be certain, else the formula without cancellation is asked


@lru_cache(maxsize=8)
def _at_best(best: Fraction, epsilon: Any, precision: int) -> tuple[Any, ...]:
    """What all arms have in common for 0 < mu* < 1, in balls: mu*, log mu*, log(1 - mu*), epsilon, and z with
    kl(z, mu*) for the two formulas of z = mu* / (mu* + (1 - mu*) e^epsilon)."""
    y, y_c = to_ball(best), to_ball(1 - best)
    if epsilon in (None, math.inf):
        return y, y.log(), y_c.log(), epsilon, None, None
    budget = to_ball(epsilon)
    kept = exp(-budget)
    points_z = y * kept / (y_c + y * kept), y / (y + (1 - y) * exp(budget))
    return y, y.log(), y_c.log(), budget, *((z, points.kl(z, y)) for z in points_z)


class _PricedBernoulli(_Priced):
    """By closed forms, at a tenth of the time that infima with certificates take, beside what printed formulas need."""

    @cached_property
    def point(self) -> tuple[Any, Any, Any]:
        """mu_a, mu*, epsilon as balls."""
        return to_ball(self.arm.mean), to_ball(self.best), None if self.epsilon is None else to_ball(self.epsilon)

    @cached_property
    def _common(self) -> tuple[Any, ...]:
        from flint import ctx

        return _at_best(self.best, self.epsilon, ctx.prec)

    @cached_property
    def _logarithms(self) -> tuple[Any, Any] | None:
        """log mu_a and log(1 - mu_a) where both and those of mu* are finite."""
        if not 0 < self.arm.mean < self.best < 1:
            return None
        return self.point[0].log(), to_ball(1 - self.arm.mean).log()

    @cached_property
    def kl(self) -> Any:
        """kl(mu_a, mu*), also where no law has a larger mean than mu*."""
        if self._logarithms is not None:
            (log_x, log_x_c), (_, log_y, log_y_c, *_), x = self._logarithms, self._common, self.point[0]
            value = x * (log_x - log_y) + (1 - x) * (log_x_c - log_y_c)
            if value.rel_accuracy_bits() >= SHARP:
                return value
        return points.kl(*self.point[:2])

    @cached_property
    def d(self) -> Any:
        """d_epsilon(mu_a, mu*), also there."""
        if self._logarithms is not None and self.epsilon != math.inf:
            budget, threshold, (z, far) = self.point[2], self._threshold, self._common[4]
            if budget >= threshold:
                return self.kl
            if budget < threshold:
                return far + budget * (z - self.point[0])
        return points.d(*self.point)

    @cached_property
    def closed_form(self) -> Any:
        """kl(mu_a, mu*), or kl(z, mu*) + epsilon (z - mu_a), as (8) is printed."""
        if self.regime == "low":
            return self.kl
        mean, best, epsilon = self.point
        if self._logarithms is not None:
            z, far = self._common[5]
        else:
            z = best / (best + (1 - best) * exp(epsilon))
            far = points.kl(z, best)
        return far + epsilon * (z - mean)

    @cached_property
    def _threshold(self) -> Any:
        if self._logarithms is None:
            return points.threshold(*self.point[:2])
        (log_x, log_x_c), (_, log_y, log_y_c, *_) = self._logarithms, self._common
        return log_y - log_y_c - log_x + log_x_c

    @cached_property
    def regime(self) -> str:
        return regime_at(self.point[2], self._threshold)

    @cached_property
    def kl_inf(self) -> Any:
        return self._or_nothing(self.kl)

    @cached_property
    def priced_tv_inf(self) -> Any:
        return self._or_nothing(self.point[2] * self.gap)

    @property
    def d_inf(self) -> Any:
        return self._or_nothing(self.d)

    @property
    def unchanged(self) -> bool:
        return self.best == 1 or self.regime == "low"

    def _or_nothing(self, value: Any) -> Any:
        """The value, or inf where the infimum is over nothing."""
        return value if self.best < 1 else value.pos_inf()


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


def _regime_of(change: Callable[[Any], Any]) -> Callable[[Any], str]:
    """ "high" where privacy makes the information of an arm smaller than that of its rewards."""
    return lambda one: "high" if change(one) < one.kl_inf else "low"


def _threshold(one: _PricedBernoulli) -> str:
    return one.regime


def _unchanged_regime(one: _Priced) -> str:
    return "low" if one.unchanged else "high"


def _bernoulli_change(one: _PricedBernoulli) -> Any:
    return one.d


def _closed_form(one: _PricedBernoulli) -> Any:
    return one.closed_form


def _kl_or_gap(one: _PricedBernoulli) -> Any:
    return _smaller(one.kl, 6 * one.point[2] * one.gap)


def _earlier(one: _Priced) -> Any:
    return _smaller(one.kl_inf, 6 * one.priced_tv_inf)


def _smaller(a: Any, b: Any) -> Any:
    """The minimum of two balls; one of the two itself where that is certain."""
    return a if a < b else b if b < a else minimum(a, b)


def _bernoulli(
    name: str, source: str, formula: str, information: Any, regime: Any, sees_empty_class: bool = False
) -> _Recipe:
    return _Recipe(name, source, formula, information, regime, Bernoulli, sees_empty_class)


_RECIPES = (
    _Recipe("lai-robbins", "BDP-EQ3", "KL_inf(P_a, mu*)", _kl_inf),
    _bernoulli("double-change", "BDP-T3.1", "d_epsilon(mu_a, mu*)", _bernoulli_change, _threshold),
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
)


# ------------------------------------------------------------------------------------------------------------ one bound


def _bound(recipe: _Recipe, best: Fraction, arms: Sequence[_Priced | None], horizon: Any) -> LowerBound:
    """The bound for arms of which the optimal ones are None."""
    known = {one: one.term(recipe.information(one)) for one in dict.fromkeys(arms) if one}
    constant = sum((known[one][1] for one in arms if one), to_ball(0))
    applies, why = _applicability(recipe, best, [one.arm for one in known])
    return LowerBound(
        name=recipe.name,
        source=recipe.source,
        formula=recipe.formula,
        terms=tuple(known[one][2] if one else None for one in arms),
        regimes=tuple(recipe.regime(one) if one and recipe.regime else None for one in arms),
        constant=Enclosure.from_ball(constant),
        value=Enclosure.from_ball(constant if horizon is None else constant * log(to_ball(horizon))),
        applies=applies,
        why=why,
    )


def _applicability(recipe: _Recipe, best: Fraction, suboptimal: list[Any]) -> tuple[bool, str]:
    if not suboptimal:
        return True, "every arm is optimal: the sum is empty"
    if all(arm.largest_mean > best for arm in suboptimal):
        return True, f"mu* < {_largest(suboptimal)}: every suboptimal arm has better alternatives"
    if recipe.sees_empty_class:
        return True, f"mu* = {best}: {_nothing_better(suboptimal, best)}, the infimum is inf and the term is 0"
    return False, f"mu* = {best}: {_nothing_better(suboptimal, best)}, so the change of measure has nowhere to go"


def _largest(arms: list[Any]) -> str:
    return str(min(arm.largest_mean for arm in arms))


def _nothing_better(arms: list[Any], best: Fraction) -> str:
    arm = next(arm for arm in arms if arm.largest_mean <= best)
    return f"no {type(arm).__name__} alternative has a larger mean"


def _instance(means: Any) -> Instance:
    if isinstance(means, Instance):
        return means
    given = list(means) if isinstance(means, Iterable) and not isinstance(means, str) else means
    if isinstance(given, list) and any(isinstance(one, Law) for one in given):
        return Instance(arms=given)
    return Instance(means=given)
