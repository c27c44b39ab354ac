"""Minimax regret lower bounds, private and not, as printed and at the best hard instance, side by side.

The printed bounds speak of unit-variance Gaussian arms without a range for the means, where the minimax regret of any
policy is infinite: its first action costs any amount. They are informative for means in a bounded interval; there each
printed number is compared with what the hard instances of `hard_instances` certify and with what a policy that never
looks at a reward suffers, so that `applies` says where it is a lower bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.theory.arguments import named, question
from banditproof.theory.bounds.hard_instances import HardInstance, PricedInstance, hard_instance, priced_instance
from banditproof.theory.errors import InvalidInput, one_of
from banditproof.theory.hints import hint_of_order
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.exact_numbers import exact_budget
from banditproof.theory.numbers.number_types import Exact
from banditproof.theory.numbers.numeric import exp, sqrt, to_ball, working_precision
from banditproof.theory.tables import NamedLowerBounds, OneBound

_BITS = 128
_LONGEST, _LARGEST, _WIDEST = 10**30, 10**15, 10**15  # of the horizon, of the arms, of the span
PRICED = "d-epsilon"
MODELS = {"gaussian": "arms", "linear": "dimension"}


@dataclass(frozen=True, repr=False)
class MinimaxBound(OneBound):
    """One lower bound on the minimax regret over a horizon.

    `terms` are the terms of the printed maximum, `value` is the largest; `regime` is "high" privacy if that is the
    private term and "low" if not, None for a bound without privacy and for the one by d_epsilon, where they are one
    term. Sharpened bounds carry their certificate `instance`.
    """

    terms: dict[str, Enclosure]
    regime: str | None
    instance: HardInstance | PricedInstance | None = None


@dataclass(frozen=True, repr=False)
class MinimaxLowerBounds(NamedLowerBounds[MinimaxBound]):
    """All minimax lower bounds for one problem; `bounds` maps the name of a bound to it.

    `ceiling` is the largest regret of a policy that never looks at a reward (uniform over the arms, or the action 0),
    so the minimax regret is at most that, whatever the privacy budget.
    """

    model: str
    size: int
    horizon: int
    epsilon: Fraction | float | None
    rho: Fraction | float | None
    span: Fraction | float
    ceiling: Enclosure
    bounds: dict[str, MinimaxBound]

    @question
    def recheck(self) -> bool:
        """Whether every bound is that of the problem and every certificate still proves its own, without a solver."""
        try:
            sizes = (self.size, None) if self.model == "gaussian" else (None, self.size)
            given = self.horizon, self.epsilon, self.rho, self.span
            problem = _asked(*_model(*sizes, self.model), *given)
        except InvalidInput:
            return False
        with working_precision(_BITS):
            names = {f"{name}{end}" for name in problem.budgets for end in ("", "-sharpened")}
            names |= {PRICED} if "view" in problem.budgets else set()
            return (
                self.model == problem.model
                and self.ceiling == problem.idle_regret
                and self.bounds.keys() == names
                and all(
                    _is_sharpened(self.bounds[f"{name}-sharpened"], name, problem)
                    and self.bounds[name] == _printed(name, problem, self.bounds[f"{name}-sharpened"])
                    for name in problem.budgets
                )
                and (PRICED not in names or _is_priced(self.bounds[PRICED], problem))
            )


@named
def minimax_lower_bound(
    arms: int | None = None,
    dimension: int | None = None,
    *,
    horizon: int,
    epsilon: Exact | None = None,
    rho: Exact | None = None,
    model: str | None = None,
    span: Exact = 1,
) -> MinimaxLowerBounds:
    """Every minimax regret lower bound of the thesis, each beside the strongest one that its argument gives.

    `arms`: K >= 2 Gaussian arms of unit variance (model "gaussian"); or `dimension`: d >= 1, actions [-1, 1]^d and
    unit-variance Gaussian noise (model "linear").
    `horizon`: T >= 1, an integer.
    `epsilon`: budget of pure View DP; `rho`: budget of Interactive zCDP; positive, inf allowed, None for no such bound.
    `span`: length of the interval in which all mean rewards lie; 1 is means in [0, 1], inf is no restriction, as the
    theorems are printed. For the linear model it bounds 2 |theta|_1.

    Names: "minimax" (TH-T2.28; for the linear model the first term of TH-T4.17), "view" (TH-T4.15, TH-T4.17), "zcdp"
    (TH-T4.20, TH-T4.21), each of them with "-sharpened" appended, and "d-epsilon", which prices what is shown by
    d_epsilon, arm by arm (SHARP-3), and is at least "view-sharpened". Raises InvalidInput.

    Source: TH-T2.28, TH-T4.15, TH-T4.17, TH-T4.20, TH-T4.21, SHARP-3

    >>> bounds = minimax_lower_bound(arms=10, horizon=10_000, epsilon="0.01")
    >>> [(name, bound.value.decimal(4)) for name, bound in bounds.bounds.items()][:4:2]
    [('minimax', '[11.11, 11.12]'), ('view', '[40.9, 40.91]')]
    >>> bounds["view-sharpened"].value.decimal(6)
    '[167.406, 167.407]'
    """
    problem = _asked(*_model(arms, dimension, model), horizon, epsilon, rho, span)
    with working_precision(_BITS):
        bounds: dict[str, MinimaxBound] = {}
        for name in problem.budgets:
            sharp = _sharpened(name, problem)
            bounds |= {name: _printed(name, problem, sharp), sharp.name: sharp}
            if name == "view":
                bounds[PRICED] = _by_price(problem, sharp)
        given = problem.model, problem.size, problem.horizon, problem.epsilon, problem.rho, problem.span
        return MinimaxLowerBounds(*given, problem.idle_regret, bounds)


@named
def privacy_regime_change(
    arms: int | None = None, dimension: int | None = None, *, horizon: int, budget: str = "epsilon"
) -> Enclosure:
    """The budget at which the private term of the printed minimax bound equals the other one.

    Below it (high privacy) the bound depends on the budget. `budget`: "epsilon" for TH-T4.15 and TH-T4.17, "rho" for
    TH-T4.20 and TH-T4.21; `arms`, `dimension`, `horizon` as in `minimax_lower_bound`. Raises InvalidInput.

    Source: TH-S4.5c, TH-S4.18r, TH-S4.20r

    >>> privacy_regime_change(arms=100, horizon=10**6).decimal(4)
    '[0.01221, 0.01222]'
    """
    model, size = _model(arms, dimension, None)
    rounds = _count("horizon", horizon, 1, _LONGEST)
    one_of("budget", budget, ("epsilon", "rho"))
    with working_precision(_BITS):
        terms = _printed_terms(_Problem(model, size, rounds, Fraction(1), Fraction(1), 1))
        ratio = terms["view" if budget == "epsilon" else "zcdp"] / terms["minimax"]
        return Enclosure.from_ball(ratio if budget == "epsilon" else ratio * ratio)


# --------------------------------------------------------------------------------------------------- the printed bounds

# by notion and model: source, formula, and its last term at a budget of 1, from sqrt(T) and K or d
_PRINTED: dict[tuple[str, str], tuple[str, str, Callable[[Any, Any], Any]]] = {
    ("minimax", "gaussian"): ("TH-T2.28", "sqrt(T (K - 1))/27", lambda root, K: root * sqrt(K - 1) / 27),
    ("view", "gaussian"): (
        "TH-T4.15", "max{sqrt(T (K - 1))/27, (K - 1)/(22 epsilon)}", lambda root, K: (K - 1) / 22,
    ),
    ("zcdp", "gaussian"): (
        "TH-T4.20", "max{sqrt(T (K - 1))/27, sqrt((K - 1)/rho)/124}", lambda root, K: sqrt(K - 1) / 124,
    ),
    ("minimax", "linear"): ("TH-T4.17", "e^-2/8 d sqrt(T)", lambda root, d: _exp(-1) * _exp(-1) * root * d / 8),
    ("view", "linear"): ("TH-T4.17", "max{e^-2/8 d sqrt(T), e^-1/4 d/epsilon}", lambda root, d: _exp(-1) * d / 4),
    ("zcdp", "linear"): (
        "TH-T4.21", "max{e^-2/8 d sqrt(T), e^-2.25/4 d/sqrt(rho)}", lambda root, d: _exp(Fraction(-9, 4)) * d / 4,
    ),
}  # fmt: skip


def _exp(power: Any) -> Any:
    return exp(to_ball(power))


@dataclass(frozen=True)
class _Problem:
    model: str
    size: int
    horizon: int
    epsilon: Fraction | float | None
    rho: Fraction | float | None
    span: Fraction | float

    @property
    def budgets(self) -> dict[str, Fraction | float]:
        """The printed bounds by their names, and what each says of privacy: 1 of no privacy."""
        budgets = {"minimax": Fraction(1), "view": self.epsilon, "zcdp": self.rho}
        return {name: budget for name, budget in budgets.items() if budget is not None}

    @property
    def idle_regret(self) -> Enclosure:
        """The largest regret of uniform play over the arms, of the action 0 in the linear model."""
        share = 1 - Fraction(1, self.size) if self.model == "gaussian" else Fraction(1, 2)
        return Enclosure.outward(to_ball(self.span) * to_ball(share * self.horizon))


def _printed_terms(problem: _Problem) -> dict[str, Any]:
    """The terms that the printed maxima are made of, as balls."""
    root, size = sqrt(to_ball(problem.horizon)), to_ball(problem.size)
    prices = {name: sqrt(to_ball(b)) if name == "zcdp" else to_ball(b) for name, b in problem.budgets.items()}
    return {name: _PRINTED[name, problem.model][2](root, size) / price for name, price in prices.items()}


def _printed(name: str, problem: _Problem, sharp: MinimaxBound) -> MinimaxBound:
    printed = _printed_terms(problem)
    free, own = printed["minimax"], printed[name]
    regime = "high" if own > free else "low"
    value = Enclosure.from_ball(own if own > free or name == "minimax" else free if free > own else free.max(own))
    applies, why = _applicability(name, problem, value, sharp)
    terms = {term: Enclosure.from_ball(printed[term]) for term in dict.fromkeys(("minimax", name))}
    shown = None if name == "minimax" else regime
    return MinimaxBound(name, *_PRINTED[name, problem.model][:2], value, applies, why, terms, shown)


def _applicability(name: str, problem: _Problem, value: Enclosure, sharp: MinimaxBound) -> tuple[bool, str]:
    outside = []
    if problem.model == "gaussian":
        outside += ["T >= K - 1"] * (problem.horizon < problem.size - 1)
        outside += ["rho <= 1"] * (name == "zcdp" and (problem.rho or 0) > 1)
    stated = f"outside the printed range {', '.join(outside)}; " if outside else ""
    if problem.span == math.inf:
        return True, stated + sharp.why
    if problem.idle_regret.upper < value.lower:
        return False, f"{stated}a policy that never looks at a reward has a smaller regret, whatever the instance"
    if value.upper <= sharp.value.lower:
        return True, f"{stated}the hard instance of {sharp.name} forces at least as much"
    return False, f"{stated}within this span the argument proves less, and it is unknown whether the bound holds"


# ------------------------------------------------------------------------------------------------- the sharpened bounds


def _sharpened(name: str, problem: _Problem) -> MinimaxBound:
    instance = None if problem.span == math.inf else hard_instance(*_game(name, problem))
    return _stated(name, problem, instance)


def _game(name: str, problem: _Problem) -> tuple[int, int, int, Fraction | None, Fraction | None, Fraction]:
    """The arguments of the hard instance, for a finite span."""
    arms, copies = (problem.size, 1) if problem.model == "gaussian" else (2, 2 * problem.size)
    finite = {n: Fraction(b) for n, b in problem.budgets.items() if n == name and b != math.inf}
    limit = Fraction(problem.span) / (2 * problem.size if problem.model == "linear" else 2)
    return arms, copies, problem.horizon, finite.get("view"), finite.get("zcdp"), limit


def _stated(name: str, problem: _Problem, instance: HardInstance | None) -> MinimaxBound:
    """The bound that a hard instance proves; None where the means are unrestricted."""
    formula = f"max over the gap of {'(T/2) Delta' if problem.model == 'gaussian' else 'd T delta'} h(D)"
    label, source = f"{name}-sharpened", _PRINTED[name, problem.model][0]
    if instance is None:
        why = "the means are unrestricted, so the first action alone can cost any amount"
        infinite = Enclosure(math.inf, math.inf)
        return MinimaxBound(label, source, formula, infinite, True, why, {"hard instance": infinite}, None)
    regime = None if name == "minimax" else "low" if instance.information == "kl" else "high"
    why = f"environments at gap {float(instance.gap):.4g} within the span; the bound on their relative entropy is "
    why += {"kl": "that of the rewards", "view": "that of View DP", "zcdp": "that of zCDP"}[instance.information]
    terms = {"hard instance": instance.value}
    return MinimaxBound(label, source, formula, instance.value, True, why, terms, regime, instance)


def _by_price(problem: _Problem, sharp: MinimaxBound) -> MinimaxBound:
    """What d_epsilon proves beside the sharpened bound."""
    instance = sharp.instance
    if isinstance(instance, HardInstance) and problem.epsilon is not None:
        return _of_price(sharp, priced_instance(instance, problem.epsilon))
    return _of_price(sharp, None)


def _of_price(sharp: MinimaxBound, instance: PricedInstance | None) -> MinimaxBound:
    if instance is None:
        return replace(sharp, name=PRICED, source="SHARP-3")
    why = f"environments at gap {float(instance.gap):.4g} within the span; d_epsilon bounds their relative entropy"
    terms = {"hard instance": instance.value}
    return replace(
        sharp, name=PRICED, source="SHARP-3", regime=None, terms=terms, value=instance.value, why=why, instance=instance
    )


def _is_priced(bound: MinimaxBound, problem: _Problem) -> bool:
    """Whether the bound is what its instance proves, and the instance one of this problem."""
    instance = bound.instance
    if isinstance(instance, PricedInstance):
        arms, copies, horizon, _, _, limit = _game("view", problem)
        game = instance.arms, instance.copies, instance.horizon, instance.epsilon, instance.limit
        if game != (arms, copies, horizon, problem.epsilon, limit) or not instance.recheck():
            return False
    elif instance is not None or problem.span != math.inf:
        return False
    return bound == _of_price(_sharpened("view", problem), instance)


def _is_sharpened(bound: MinimaxBound, name: str, problem: _Problem) -> bool:
    """Whether the bound is what its instance proves, and the instance one of this problem."""
    instance = bound.instance
    if (instance is None) != (problem.span == math.inf) or isinstance(instance, PricedInstance):
        return False
    if instance is not None:
        game = instance.arms, instance.copies, instance.horizon, instance.epsilon, instance.rho, instance.limit
        if game != _game(name, problem) or not instance.recheck():
            return False
    return bound == _stated(name, problem, instance)


# ------------------------------------------------------------------------------------------------------------ arguments


def _model(arms: Any, dimension: Any, model: Any) -> tuple[str, int]:
    given = {"arms": arms, "dimension": dimension}
    if (arms is None) == (dimension is None):
        raise InvalidInput("arms and dimension", (arms, dimension), "one number, and None for the other")
    implied = "gaussian" if dimension is None else "linear"
    if model is not None and (not isinstance(model, str) or model != implied):
        raise InvalidInput("model", model, f'"{implied}" if {MODELS[implied]} is given')
    parameter = MODELS[implied]
    return implied, _count(parameter, given[parameter], 2 if implied == "gaussian" else 1, _LARGEST)


def _asked(model: str, size: int, horizon: Any, epsilon: Any, rho: Any, span: Any) -> _Problem:
    rounds = _count("horizon", horizon, 1, _LONGEST)
    width = exact_budget(span, "span")
    if width != math.inf and width > _WIDEST:
        raise InvalidInput("span", span, f"a positive number, at most {_WIDEST:g}, or inf")
    budget = None if epsilon is None else exact_budget(epsilon)
    concentrated = None if rho is None else exact_budget(rho, "rho")
    hint_of_order(budget, rounds)
    return _Problem(model, size, rounds, budget, concentrated, width)


def _count(parameter: str, value: Any, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value <= most:
        raise InvalidInput(parameter, value, f"an integer from {least} to {most:g}")
    return int(value)
