"""Private adversarial bandits: parameters and regret bounds as printed, in four number systems, and side by side.

K actions, N experts, T rounds, budgets epsilon and delta. A printed bound is shown with the conditions under which it
is stated and the printed algorithm is defined; rates, whose constants are not printed, are shown with constant 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from banditproof.theory.arguments import named
from banditproof.theory.errors import InvalidInput
from banditproof.theory.hints import hint_of_order
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.exact_numbers import exact_budget
from banditproof.theory.numbers.number_types import Exact
from banditproof.theory.numbers.numeric import exp, log, maximum, minimum, sqrt, to_ball, working_precision
from banditproof.theory.tables import NamedBounds, OneBound


def root(x: Any, over: int, under: int) -> Any:
    """x^(over/under) for positive x."""
    return exp(log(x) * over / under)


# ---------------------------------------------------------------------------------------------------------- parameters


def exp3_parameters(K: Any, T: Any, epsilon: Any) -> tuple[Any, Any]:
    """Learning rate and mixing weight of the EXP3 conversion, as printed: for epsilon K T > 1. Source: ADV-C22"""
    m = epsilon * K * T
    rate = sqrt(log(K) / (22 * m * log(m) ** 2))
    return rate, 4 * rate * K * log(m)


def ftpl_parameters(K: Any, T: Any, epsilon: Any) -> tuple[Any, Any]:
    """Inverse scale of the perturbation and cap of the resampling of the FTPL conversion. Source: ADV-C24"""
    m = epsilon * K * T
    cap = sqrt(m)
    return minimum(sqrt(log(K) / (m + 10 * m * log(m) ** 2)), 1 / (cap * (1 + 4 * log(epsilon * T)))), cap


def local_exp4_parameters(K: Any, N: Any, T: Any, epsilon: Any) -> tuple[Any, Any]:
    """Learning rate and mixing weight of locally private EXP4, as printed. Source: ADV-T9"""
    L = log(K * T)
    rate = sqrt(log(N) / (3 * T * K * (1 + 10 * L**2 / epsilon**2)))
    return rate, 4 * rate * K * L / epsilon


@dataclass(frozen=True)
class BatchedEXP4Parameters:
    """Parameters of private batched EXP4 as printed, without rounding; `mixing` is the larger of `mixings`.

    `printed_mixing` says that the first of them is without the factor log(1/delta)^(1/3) that the proof uses.
    """

    rate: Any
    batch: Any
    mixings: tuple[Any, Any]

    @property
    def mixing(self) -> Any:
        """The mixing weight gamma."""
        return maximum(*self.mixings)


def batched_exp4_parameters(
    K: Any, N: Any, T: Any, epsilon: Any, delta: Any, *, as_proved: bool = False
) -> BatchedEXP4Parameters:
    """Parameters of private batched EXP4, for N >= 2 and delta < 1; `as_proved`: with the mixing weight of the proof.

    The statement prints N^(1/3) in the first entry of gamma's maximum where the proof has (N log(1/delta))^(1/3).
    Source: ADV-T10
    """
    D, L = log(1 / delta), log(N * T)
    rate = root(N * D, 1, 6) * root(L * log(N), 1, 3) / (root(T * epsilon, 1, 3) * sqrt(K))
    batch = root(N * D * T, 1, 3) * root(L / epsilon, 2, 3) / root(log(N), 1, 3)
    first = root(rate * N * (D if as_proved else 1), 1, 3) * root(K * L / (epsilon * batch), 2, 3)
    return BatchedEXP4Parameters(rate, batch, (first, 12 * rate * K * sqrt(N * D) * L / (epsilon * batch)))


# ------------------------------------------------------------------------------------------------- printed upper bounds


def htinf_bound(K: Any, T: Any, epsilon: Any) -> Any:
    """208 sqrt(T K / epsilon) + 2 / epsilon; with N for K that of Corollary 8. Source: ADV-C2, ADV-C8"""
    return 208 * sqrt(T * K / epsilon) + 2 / epsilon


def exp3_bound(K: Any, T: Any, epsilon: Any) -> Any:
    """36 sqrt(T K log K / epsilon) log(K T) + 4 / epsilon. Source: ADV-C22"""
    return 36 * sqrt(T * K * log(K) / epsilon) * log(K * T) + 4 / epsilon


def ftpl_bound(K: Any, T: Any, epsilon: Any) -> Any:
    """32 sqrt(K T / epsilon) log K log(K T) + 2 / epsilon. Source: ADV-C24"""
    return 32 * sqrt(K * T / epsilon) * log(K) * log(K * T) + 2 / epsilon


def local_exp4_bound(K: Any, N: Any, T: Any, epsilon: Any) -> Any:
    """16 sqrt(T K log N) log(K T) / epsilon + 1. Source: ADV-T9"""
    return 16 * sqrt(T * K * log(N)) * log(K * T) / epsilon + 1


def batched_exp4_terms(K: Any, N: Any, T: Any, epsilon: Any, delta: Any) -> tuple[Any, Any]:
    """The terms N^(1/6) K^(1/2) T^(2/3) (D L^2 log^2 N)^(1/6) / epsilon^(1/3) and (N D)^(1/2) L log N / epsilon.

    D = log(1/delta), L = log(N T). Source: ADV-T10
    """
    D, L = log(1 / delta), log(N * T)
    first = root(N * D, 1, 6) * sqrt(K) * root(T, 2, 3) * root(L * log(N) / epsilon, 1, 3)
    return first, sqrt(N * D) * L * log(N) / epsilon


def batched_exp4_bound(K: Any, N: Any, T: Any, epsilon: Any, delta: Any) -> Any:
    """100 times the first term and the second one. Source: ADV-T10"""
    first, second = batched_exp4_terms(K, N, T, epsilon, delta)
    return 100 * first + second


# -------------------------------------------------------------------------------------------------- the lower bound


def barrier_terms(T: Any, epsilon: Any, gamma: Any, tau: Any, p: Any) -> tuple[Any, Any]:
    """gamma T / 4 and (1 - e^(epsilon p)/2) p / (4 gamma) - tau / 2: the regret is at least the larger one.

    For algorithms that meet conditions (1) and (2) of Section 5.2 at (gamma, tau, p). Source: ADV-L11
    """
    return gamma * T / 4, (1 - exp(epsilon * p) / 2) * p / (4 * gamma) - tau / 2


# ------------------------------------------------------------------------------------------------------- side by side


@dataclass(frozen=True, repr=False)
class AdversarialBound(OneBound):
    """One bound on the worst-case expected regret. `kind` is "upper", "lower", or "rate" (constant not printed)."""

    kind: str


@dataclass(frozen=True, repr=False)
class AdversarialBounds(NamedBounds[AdversarialBound]):
    """All bounds for one problem by name; `best` is the smallest upper bound that applies, or None."""

    arms: int
    experts: int | None
    horizon: int
    epsilon: Fraction
    delta: Fraction | None
    bounds: dict[str, AdversarialBound]

    @property
    def best(self) -> AdversarialBound | None:
        uppers = [bound for bound in self.bounds.values() if bound.kind == "upper" and bound.applies]
        return min(uppers, key=lambda bound: bound.value.upper, default=None)


@dataclass(frozen=True)
class _Recipe:
    name: str
    kind: str
    source: str
    formula: str
    value: Callable[..., Any]
    conditions: Callable[..., dict[str, bool]]
    experts: bool = False


@named
def adversarial_bounds(
    arms: int, *, horizon: int, epsilon: Exact, experts: int | None = None, delta: Exact | None = None
) -> AdversarialBounds:
    """Every regret bound of the paper for K arms, T rounds and a budget, and for N experts where that is given.

    `arms` and `experts` at least 2, `horizon` at least 2, `epsilon` positive, `delta` in (0, 1) for the bound of
    approximate privacy. Raises InvalidInput. Source: ADV-TAB1, ADV-TAB2, ADV-X9

    >>> bounds = adversarial_bounds(10, horizon=10**8, epsilon="0.1", experts=8)
    >>> bounds["htinf"].value.decimal(6), bounds.best.name
    ('[20800000, 20800100]', 'experts-htinf')
    """
    for name, value, least in (("arms", arms, 2), ("horizon", horizon, 2), ("experts", experts, 2)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
            raise InvalidInput(name, value, f"an integer, at least {least}")
    budget = exact_budget(epsilon)
    if budget == float("inf"):
        raise InvalidInput("epsilon", epsilon, "positive and finite")
    hint_of_order(budget, horizon)
    given = None if delta is None else exact_budget(delta, "delta")
    if given is not None and given >= 1:
        raise InvalidInput("delta", delta, "in (0, 1)")
    failure = None if given is None else Fraction(given)
    with working_precision(256):
        problem = {"K": arms, "N": experts, "T": horizon, "epsilon": Fraction(budget), "delta": failure}
        missing = {name for name, value in problem.items() if value is None}
        usable = [r for r in _RECIPES if not (r.experts and experts is None) and not missing & set(_names(r.value))]
        bounds = {recipe.name: _bound(recipe, problem) for recipe in usable}
    return AdversarialBounds(arms, experts, horizon, Fraction(budget), failure, bounds)


def _names(function: Callable[..., Any]) -> tuple[str, ...]:
    return function.__code__.co_varnames[: function.__code__.co_argcount]


def _bound(recipe: _Recipe, problem: dict[str, Any]) -> AdversarialBound:
    balls = {name: to_ball(problem[name]) for name in _names(recipe.value)}
    value = Enclosure.from_ball(recipe.value(**balls))
    conditions = recipe.conditions(**problem)
    failing = [name for name, holds in conditions.items() if not holds]
    met = f"within {', '.join(conditions)}" if conditions else "no conditions are printed"
    why = f"outside {', '.join(failing)}" if failing else met
    if recipe.kind == "rate":
        why = f"a rate whose constant is not printed; {why}"
    elif recipe.kind == "upper" and value.lower >= problem["T"]:
        why += ", and no smaller than the trivial bound"
    applies = recipe.kind != "rate" and not failing
    return AdversarialBound(recipe.name, recipe.source, recipe.formula, value, applies, why, recipe.kind)


def _always(**_: Any) -> dict[str, bool]:
    return {}


def _long(T: int, epsilon: Fraction, **_: Any) -> dict[str, bool]:
    return {"1/T <= epsilon <= 1": Fraction(1, T) <= epsilon <= 1}


def _exp3(K: int, T: int, epsilon: Fraction, **_: Any) -> dict[str, bool]:
    defined = epsilon * K * T > 1
    mixing = defined and bool(exp3_parameters(to_ball(K), to_ball(T), to_ball(epsilon))[1] <= 1)
    return {"epsilon <= 1": epsilon <= 1, "epsilon K T > 1": defined, "gamma <= 1": mixing}


def _local(K: int, N: int, T: int, epsilon: Fraction, **_: Any) -> dict[str, bool]:
    mixing = local_exp4_parameters(*map(to_ball, (K, N, T, epsilon)))[1]
    return {"epsilon <= 1": epsilon <= 1, "gamma <= 1": bool(mixing <= 1)}


def _batched(K: int, N: int, T: int, epsilon: Fraction, delta: Fraction, **_: Any) -> dict[str, bool]:
    parameters = batched_exp4_parameters(*map(to_ball, (K, N, T, epsilon, delta)), as_proved=True)
    return {
        "epsilon <= 1": epsilon <= 1,
        "gamma <= 1 (that of the proof)": bool(parameters.mixing <= 1),
        "1 <= tau <= T": bool(parameters.batch >= 1) and bool(parameters.batch <= T),
    }


_RECIPES = (
    _Recipe("trivial", "upper", "ADV-D2.2", "T", lambda T: T, _always),
    _Recipe("minimax", "lower", "ADV-S1.3", "min{sqrt(K T), T}/20", lambda K, T: minimum(sqrt(K * T), T) / 20, _always),
    _Recipe("htinf", "upper", "ADV-C2", "208 sqrt(T K/epsilon) + 2/epsilon", htinf_bound, _long),
    _Recipe("exp3", "upper", "ADV-C22", "36 sqrt(T K log K/epsilon) log(K T) + 4/epsilon", exp3_bound, _exp3),
    _Recipe("ftpl", "upper", "ADV-C24", "32 sqrt(K T/epsilon) log K log(K T) + 2/epsilon", ftpl_bound, _long),
    _Recipe(
        "experts-htinf",
        "upper",
        "ADV-C8",
        "208 sqrt(T N/epsilon) + 2/epsilon",
        lambda N, T, epsilon: htinf_bound(N, T, epsilon),
        _long,
        True,
    ),
    _Recipe(
        "experts-local", "upper", "ADV-T9", "16 sqrt(T K log N) log(K T)/epsilon + 1", local_exp4_bound, _local, True
    ),
    _Recipe(
        "experts-batched",
        "upper",
        "ADV-T10",
        "100 (N D)^(1/6) K^(1/2) T^(2/3) (L log N/epsilon)^(1/3) + (N D)^(1/2) L log N/epsilon",
        batched_exp4_bound,
        _batched,
        True,
    ),
    _Recipe(
        "experts-minimax",
        "rate",
        "ADV-S1.3",
        "sqrt(K T log N/log K)",
        lambda K, N, T: sqrt(K * T * log(N) / log(K)),
        lambda K, N, **_: {"N >= K": N >= K},
        True,
    ),
    _Recipe("barrier", "rate", "ADV-L11", "sqrt(T/epsilon)", lambda T, epsilon: sqrt(T / epsilon), _long),
    _Recipe(
        "prior",
        "rate",
        "ADV-TAB1",
        "sqrt(K T log(K T))/epsilon",
        lambda K, T, epsilon: sqrt(K * T * log(K * T)) / epsilon,
        _always,
    ),
    _Recipe(
        "prior-local",
        "rate",
        "ADV-S1.1",
        "sqrt(K T log K)/epsilon",
        lambda K, T, epsilon: sqrt(K * T * log(K)) / epsilon,
        _always,
    ),
    _Recipe(
        "table-bandits", "rate", "ADV-TAB1", "sqrt(K T/epsilon)", lambda K, T, epsilon: sqrt(K * T / epsilon), _always
    ),
    _Recipe(
        "table-experts",
        "rate",
        "ADV-TAB1",
        "sqrt(N T/epsilon)",
        lambda N, T, epsilon: sqrt(N * T / epsilon),
        _always,
        True,
    ),
    _Recipe(
        "table-experts-local",
        "rate",
        "ADV-TAB1",
        "sqrt(K T log N) log(K T)/epsilon",
        lambda K, N, T, epsilon: sqrt(K * T * log(N)) * log(K * T) / epsilon,
        _always,
        True,
    ),
    _Recipe(
        "table-experts-batched",
        "rate",
        "ADV-TAB1",
        "N^(1/6) K^(1/2) T^(2/3) log(N T)/epsilon^(1/3) + N^(1/2) log(N T)/epsilon",
        lambda K, N, T, epsilon: (
            root(N, 1, 6) * sqrt(K) * root(T, 2, 3) * log(N * T) / root(epsilon, 1, 3) + sqrt(N) * log(N * T) / epsilon
        ),
        _always,
        True,
    ),
)
