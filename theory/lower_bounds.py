"""Lower bounds on the regret of Bernoulli bandits, private and not, side by side and as guaranteed enclosures.

Each bound has the form liminf Reg_T / log T >= sum over suboptimal arms of Delta_a / D_a and differs in D_a, the
information that one pull of arm a may carry.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.theory.bernoulli import d_epsilon, kl_bernoulli, kl_inf, privacy_regime, tv_inf
from banditproof.theory.enclosure import Enclosure
from banditproof.theory.errors import InvalidInput
from banditproof.theory.instance import Instance
from banditproof.theory.numeric import exp, log, minimum, to_ball, working_precision

_BITS = 128


@dataclass(frozen=True)
class LowerBound:
    """One lower bound. Everything per arm is None for optimal arms.

    `terms` are Delta_a / D_a, `constant` is their sum, the coefficient of log T; `value` is the constant, or constant
    times log(horizon) if a horizon was given. `regimes` are "low" or "high" privacy, None for a non-private bound.
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


@dataclass(frozen=True)
class RegretLowerBounds:
    """All regret lower bounds for one instance; `bounds` maps the name of a bound to it."""

    instance: Instance
    epsilon: Fraction | float | None
    horizon: Fraction | float | None
    bounds: dict[str, LowerBound]

    def __getitem__(self, name: str) -> LowerBound:
        return self.bounds[name]

    @property
    def best(self) -> LowerBound:
        """The applicable bound with the largest guaranteed value."""
        return max((bound for bound in self.bounds.values() if bound.applies), key=lambda bound: bound.value.lower)


def regret_lower_bound(means: Iterable[Any] | Instance, epsilon: Any = None, horizon: Any = None) -> RegretLowerBounds:
    """Every regret lower bound of the paper for a Bernoulli bandit with these means.

    `means`: ints, floats, Fractions or strings such as "0.7", in [0, 1], at least one; or an Instance.
    `epsilon`: the budget of pure global DP, positive, inf allowed; None gives the non-private bound only.
    `horizon`: T >= 1; if given, values are multiplied by log T. The bounds are asymptotic: at a finite T a policy may
    do better.

    The names are "lai-robbins" (3), "double-change" (5), "two-regime" (the closed form (8) of (5)), "min-kl-tv" (7),
    and "earlier-tv", the bound that (7) adapts to Bernoulli arms. Raises InvalidInput.

    Source: BDP-EQ3, BDP-T3.1, BDP-EQ8, BDP-EQ7, BDP-S1.5

    >>> regret_lower_bound(["0.75", "0.7"], epsilon=0.25)["double-change"].constant.decimal(8)
    '[7.8109431, 7.8109432]'
    """
    instance = means if isinstance(means, Instance) else Instance(means=means)
    budget = None if epsilon is None else _number("epsilon", epsilon, lambda value: value > 0, "positive")
    finite_from_one = "at least 1 and finite"
    rounds = None if horizon is None else _number("horizon", horizon, lambda T: 1 <= T < math.inf, finite_from_one)
    recipes = [recipe for recipe in _RECIPES if budget is not None or not recipe.private]
    with working_precision(_BITS):
        bounds = {recipe.name: _bound(recipe, instance, budget, rounds) for recipe in recipes}
    return RegretLowerBounds(instance, budget, rounds, bounds)


# -------------------------------------------------------------------------------------------- information per pull, D_a


@dataclass(frozen=True)
class _Recipe:
    name: str
    source: str
    formula: str
    information: Callable[[Any, Any, Any], Any]  # of balls (mu_a, mu*, epsilon)
    private: bool = True
    sees_empty_class: bool = False  # D_a is an infimum over better alternatives, and inf if there are none


def _closed_form(mean: Any, best: Any, epsilon: Any) -> Any:
    if privacy_regime(mean, best, epsilon) == "low":
        return kl_bernoulli(mean, best)
    z = best / (best + (1 - best) * exp(epsilon))
    return kl_bernoulli(z, best) + epsilon * (z - mean)


_RECIPES = (
    _Recipe(
        "lai-robbins", "BDP-EQ3", "KL_inf(P_a, mu*)", lambda mean, best, _: kl_inf(mean, best),
        private=False, sees_empty_class=True,
    ),
    _Recipe("double-change", "BDP-T3.1", "d_epsilon(mu_a, mu*)", d_epsilon),
    _Recipe("two-regime", "BDP-EQ8", "kl(mu_a, mu*), or kl(z, mu*) + epsilon (z - mu_a)", _closed_form),
    _Recipe(
        "min-kl-tv", "BDP-EQ7", "min{kl(mu_a, mu*), 6 epsilon Delta_a}",
        lambda mean, best, epsilon: minimum(kl_bernoulli(mean, best), 6 * epsilon * (best - mean)),
    ),
    _Recipe(
        "earlier-tv", "BDP-S1.5", "min{KL_inf(P_a, mu*), 6 epsilon TV_inf(P_a, mu*)}",
        lambda mean, best, epsilon: minimum(kl_inf(mean, best), 6 * epsilon * tv_inf(mean, best)),
        sees_empty_class=True,
    ),
)  # fmt: skip


# ------------------------------------------------------------------------------------------------------------ one bound


def _bound(recipe: _Recipe, instance: Instance, epsilon: Fraction | float | None, horizon: Any) -> LowerBound:
    best, budget = to_ball(instance.best_mean), None if epsilon is None else to_ball(epsilon)
    pairs = zip(instance.means, instance.gaps, strict=True)
    arms = [(to_ball(mean), to_ball(gap)) if gap else None for mean, gap in pairs]
    terms = [arm and arm[1] / recipe.information(arm[0], best, budget) for arm in arms]
    constant = sum((term for term in terms if term is not None), to_ball(0))
    applies, why = _applicability(recipe, instance)
    return LowerBound(
        name=recipe.name,
        source=recipe.source,
        formula=recipe.formula,
        terms=tuple(None if term is None else Enclosure.from_ball(term) for term in terms),
        regimes=tuple(privacy_regime(arm[0], best, budget) if arm and recipe.private else None for arm in arms),
        constant=Enclosure.from_ball(constant),
        value=Enclosure.from_ball(constant if horizon is None else constant * log(to_ball(horizon))),
        applies=applies,
        why=why,
    )


def _applicability(recipe: _Recipe, instance: Instance) -> tuple[bool, str]:
    if not any(instance.gaps):
        return True, "every arm is optimal: the sum is empty"
    if instance.best_mean < 1:
        return True, "mu* < 1: every suboptimal arm has better alternatives"
    if recipe.sees_empty_class:
        return True, "mu* = 1: no Bernoulli alternative has a larger mean, the infimum is inf and every term is 0"
    return False, "mu* = 1: no Bernoulli alternative has a larger mean, so the change of measure has nowhere to go"


def _number(parameter: str, value: Any, holds: Callable[[Any], bool], allowed: str) -> Fraction | float:
    try:
        number = value.item() if isinstance(value, np.generic) else value
        number = math.inf if float(number) == math.inf else Fraction(number)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise InvalidInput(parameter, value, allowed) from None
    if isinstance(value, bool) or not holds(number):
        raise InvalidInput(parameter, value, allowed)
    return number
