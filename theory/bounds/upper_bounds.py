"""Upper bounds on the regret of the papers' finite-armed algorithms, for a given instance, horizon and budget.

Every theorem is a recipe in `RECIPES`; `regret_upper_bound` evaluates those of one algorithm as guaranteed enclosures
and says whether the theorem's conditions hold. More recipes join with `register`.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from banditproof.theory.arguments import named
from banditproof.theory.errors import InvalidInput, close_to
from banditproof.theory.hints import hint_of_order
from banditproof.theory.laws.atomic_families import Bounded, FiniteClass
from banditproof.theory.laws.bernoulli import d_epsilon, kl_inf
from banditproof.theory.laws.instance import Bernoulli, Instance, instance_of
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.number_types import Exact
from banditproof.theory.numbers.numeric import log, minimum, sqrt, square, to_ball, working_precision
from banditproof.theory.numbers.ranges import number_as_ball
from banditproof.theory.privacy.budget import Budget, of_kinds
from banditproof.theory.privacy.noise_calibration import gaussian_multiplier
from banditproof.theory.tables import NamedBounds, OneBound

UNSTATED_BETA = "3.1"  # the optimism where nothing says otherwise: theorems need more than 3
_BITS = 256  # near ties of means next to 0 or 1 cancel about a hundred


@dataclass(frozen=True, repr=False)
class UpperBound(OneBound):
    """One upper bound. `terms` are the shares of the arms, None for optimal arms and where a bound has no shares.

    `asymptotic` bounds are limits superior of Reg_T / log T times log T: at a finite T they guarantee nothing.
    """

    terms: tuple[Enclosure | None, ...] | None
    asymptotic: bool


@dataclass(frozen=True, repr=False)
class RegretUpperBounds(NamedBounds[UpperBound]):
    """The regret upper bounds of one algorithm for one instance; `bounds` maps the name of a bound to it."""

    algorithm: str
    instance: Instance
    horizon: int
    budget: Budget | None
    bounds: dict[str, UpperBound]

    @property
    def best(self) -> UpperBound | None:
        """The applicable bound with the smallest guaranteed value that holds at this horizon; None if there is none."""
        finite = [bound for bound in self.bounds.values() if bound.applies and not bound.asymptotic]
        return min(finite, key=lambda bound: bound.value.upper, default=None)


@dataclass(frozen=True, eq=False)
class Problem:
    """What a recipe is evaluated on, in balls: gaps of suboptimal arms, arms K, horizon T, log T, budget and optimism.

    `privacy` is epsilon for a pure budget and b, the variance of the noise on a sum of rewards, for the others.
    `policy` is the policy that was given, or None.
    """

    instance: Instance
    gaps: tuple[Any, ...]
    K: int
    T: Any
    log_T: Any
    privacy: Any
    beta: Any
    policy: Any = None

    @property
    def total_gap(self) -> Any:
        return sum(self.gaps, to_ball(0))


@dataclass(frozen=True)
class Recipe:
    """One theorem: `term(problem, gap, mean)` per suboptimal arm plus `rest(problem)`; `conditions` say what is amiss.

    `kinds` are the kinds of budget it speaks of, None for algorithms without privacy.
    """

    algorithm: str
    name: str
    source: str
    formula: str
    term: Callable[[Problem, Any, Any], Any] | None = None
    rest: Callable[[Problem], Any] | None = None
    conditions: tuple[Callable[[Problem], str | None], ...] = ()
    kinds: tuple[str, ...] | None = None
    asymptotic: bool = False
    aliases: tuple[str, ...] = field(default=())


RECIPES: list[Recipe] = []


def register(*recipes: Recipe) -> None:
    """Add theorems; an algorithm has one recipe per name. Raises InvalidInput."""
    for recipe in recipes:
        if any((known.algorithm, known.name) == (recipe.algorithm, recipe.name) for known in RECIPES):
            raise InvalidInput(
                "recipe", f"{recipe.algorithm}: {recipe.name}", "a name that this algorithm has not registered yet"
            )
        RECIPES.append(recipe)


@named
def regret_upper_bound(
    algorithm: object,
    means: Iterable[Exact] | Instance,
    horizon: int,
    budget: Budget | None = None,
    beta: Exact | None = None,
    policy: object = None,
) -> RegretUpperBounds:
    """Every regret upper bound of an algorithm that the papers prove, at this horizon.

    `algorithm`: its name, such as "UCB" or "AdaP-UCB", or a policy, whose budget and optimism `beta` are then used.
    `means`: ints, floats, Fractions or strings such as "0.7", in [0, 1]; or an Instance. `horizon`: an integer >= 1.
    `budget`: for private algorithms, of a kind the algorithm knows; none for the others. `beta`: the optimism of the
    episodic algorithms, 3.1 if nothing says otherwise. `policy`: with a name, the policy that plays this algorithm,
    whatever its class: the conditions look at its attributes (`beta`, `level`, `exploration`, `batches`, `variant`,
    `delta`).

    Raises InvalidInput, also for an algorithm without a registered bound. Source: TH-T2.23, TH-T2.24, TH-T2.26

    >>> bounds = regret_upper_bound("UCB", ["0.75", "0.5"], 1000)
    >>> bounds["gap-dependent"].value.decimal(6), bounds["gap-free"].value.decimal(6)
    ('[442.846, 442.847]', '[941.065, 941.066]')
    """
    instance = instance_of(means, "means")
    if isinstance(algorithm, type):
        raise InvalidInput("algorithm", algorithm.__name__, "a name or a policy that was made: this is its class")
    name = algorithm if isinstance(algorithm, str) else type(algorithm).__name__
    recipes = _recipes(name)
    if not recipes:
        known = list(dict.fromkeys(recipe.algorithm for recipe in RECIPES))
        allowed = f"one of {', '.join(known)}, or a policy of one of them"
        raise InvalidInput("algorithm", name, allowed, close_to(name, known))
    if isinstance(horizon, bool) or not isinstance(horizon, int) or horizon < 1:
        raise InvalidInput("horizon", horizon, "an integer, at least 1")
    private = recipes[0].kinds is not None
    policy = policy if isinstance(algorithm, str) else algorithm
    if private and budget is None:
        budget = getattr(policy, "budget", None)
    spent: Any = getattr(budget, "epsilon", None)
    if np.ndim(spent) == 0:
        hint_of_order(spent, horizon)
    beta = getattr(policy, "beta", UNSTATED_BETA) if beta is None else beta
    with working_precision(_BITS):
        problem = _problem(instance, horizon, _privacy(recipes[0], budget), beta, policy)
        bounds = {recipe.name: _bound(recipe, problem) for recipe in recipes}
    return RegretUpperBounds(recipes[0].algorithm, instance, horizon, budget if private else None, bounds)


def has_upper_bound(algorithm: Any) -> bool:
    """Whether a theorem is registered for this algorithm, a name or a policy."""
    return bool(_recipes(algorithm if isinstance(algorithm, str) else type(algorithm).__name__))


def _recipes(name: str) -> list[Recipe]:
    importlib.import_module("banditproof.theory.bounds.episodic_upper_bounds")  # registers its own
    return [recipe for recipe in RECIPES if _plain(name) in map(_plain, (recipe.algorithm, *recipe.aliases))]


def _plain(name: str) -> str:
    """KLUCB and KL-UCB are one name."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _problem(instance: Instance, horizon: int, privacy: Any, beta: Any, policy: Any) -> Problem:
    beta = number_as_ball("beta", beta, "positive and finite")
    if not (beta > 0 and beta.is_finite()):
        raise InvalidInput("beta", beta, "positive and finite")
    gaps = tuple(to_ball(gap) for gap in instance.gaps if gap)
    T = to_ball(horizon)
    return Problem(instance, gaps, len(instance.gaps), T, log(T), privacy, beta, policy)


def _privacy(recipe: Recipe, budget: Budget | None) -> Any:
    """epsilon, or b; None without privacy."""
    if recipe.kinds is None:
        if budget is not None:
            raise InvalidInput("budget", budget, f"left out for {recipe.algorithm}, which has no privacy budget")
        return None
    if not isinstance(budget, Budget) or budget.kind not in recipe.kinds:
        raise InvalidInput("budget", budget, f"{of_kinds(recipe.kinds)}, for {recipe.algorithm}")
    values = {}
    for name, value in budget.parameters.items():
        distinct = {float(one) for one in (value.ravel() if hasattr(value, "ravel") else [value])}
        if len(distinct) > 1:
            raise InvalidInput(name, value, "one number")
        values[name] = distinct.pop()
    budget = replace(budget, **values)
    if not budget.takes_gaussian:
        return to_ball(budget.epsilon)
    variance = budget.gaussian_variance()  # else of the noise that is drawn: its multiplier is a float
    return square(to_ball(float(gaussian_multiplier(budget)))) if variance is None else variance


def _bound(recipe: Recipe, problem: Problem) -> UpperBound:
    total, terms = to_ball(0), None
    if recipe.term is not None:
        instance = problem.instance
        arms = zip(instance.means, instance.gaps, strict=True)
        balls = [recipe.term(problem, to_ball(gap), to_ball(mean)) if gap else None for mean, gap in arms]
        terms = tuple(None if ball is None else Enclosure.from_ball(ball) for ball in balls)
        total = sum((ball for ball in balls if ball is not None), total)
    if recipe.rest is not None:
        total = total + recipe.rest(problem)
    against = [reason for condition in recipe.conditions if (reason := condition(problem)) is not None]
    why = "; ".join(against) or "the conditions of the theorem hold"
    value = Enclosure.from_ball(total)
    return UpperBound(recipe.name, recipe.source, recipe.formula, value, not against, why, terms, recipe.asymptotic)


# ----------------------------------------------------------------------------------------------------------- conditions


def _law(arm: Any) -> Any:
    """What the rewards of an arm are drawn from: the class that a law may be one of decides no upper bound."""
    return arm.law if isinstance(arm, FiniteClass) else arm


def _rewards(arm: Any) -> tuple[Any, ...]:
    """The possible rewards of a law, [0, 1] by its ends; () where they are unbounded."""
    arm = _law(arm)
    if isinstance(arm, Bernoulli | Bounded):
        return (0, 1)
    return tuple(getattr(arm, "points", ()))


def one_subgaussian(problem: Problem) -> str | None:
    """Rewards in an interval of length 2, and normal ones with standard deviation at most 1, are 1-subgaussian."""
    for arm in problem.instance.arms:
        rewards = _rewards(arm)
        deviation = (max(rewards) - min(rewards)) / 2 if rewards else getattr(_law(arm), "sigma", math.inf)
        if not deviation <= 1:
            return f"{arm} is not known to be 1-subgaussian"
    return None


def unit_rewards(problem: Problem) -> str | None:
    rewards = [_rewards(arm) for arm in problem.instance.arms]
    return None if all(r and min(r) >= 0 and max(r) <= 1 for r in rewards) else "needs rewards in [0, 1]"


def printed_delta(problem: Problem) -> str | None:
    """delta = 1/T^2, as far as a float can say it."""
    level = getattr(problem.policy, "level", None)
    close = level is None or abs(level - 2 * float(problem.log_T)) <= 1e-9 * level
    return None if close else "needs delta = 1/T^2"


def printed_exploration(problem: Problem) -> str | None:
    level = getattr(problem.policy, "exploration", "log f(t)")
    return None if level == "log f(t)" else f"needs the level log f(t), not {level}"


def bernoulli_arms(problem: Problem) -> str | None:
    return None if all(isinstance(_law(a), Bernoulli) for a in problem.instance.arms) else "needs rewards in {0, 1}"


def small_gaps(problem: Problem) -> str | None:
    return None if all(gap <= 1 for gap in problem.instance.gaps) else "a gap exceeds 1"


def optimism(problem: Problem) -> str | None:
    return None if problem.beta > 3 else "needs beta > 3"


# ---------------------------------------------------------------------------------------------------------- the recipes


def _kl_term(problem: Problem, gap: Any, mean: Any) -> Any:
    best = to_ball(problem.instance.best_mean)
    return problem.log_T * gap / kl_inf(mean, best)


def _below_three(problem: Problem) -> Any:
    """beta / (beta - 3), inf where the theorem says nothing."""
    return problem.beta / (problem.beta - 3) if problem.beta > 3 else to_ball("inf")


def _growth(problem: Problem) -> Any:
    """alpha, the ratio of the batches of Algorithm 1; 2 where no policy was given."""
    return getattr(getattr(problem.policy, "batches", None), "alpha", 2)


def _double_change_term(problem: Problem, gap: Any, mean: Any) -> Any:
    best = to_ball(problem.instance.best_mean)
    return to_ball(_growth(problem)) * problem.log_T * gap / d_epsilon(mean, best, problem.privacy)


def geometric_batches(problem: Problem) -> str | None:
    stated = problem.policy is None or hasattr(getattr(problem.policy, "batches", None), "alpha")
    return None if stated else "needs batches that grow geometrically"


def printed_tree(problem: Problem) -> str | None:
    """The bound is printed without a delta; with 1/T^2 it can fail, with 1/T the simulations keep it."""
    policy = problem.policy
    variant, delta, horizon = (getattr(policy, name, None) for name in ("variant", "delta", "horizon"))
    stated = policy is None or (variant == "thesis" and bool(horizon) and delta == 1 / horizon)
    return None if stated else "read for the index of the thesis with delta = 1/T"


def best_below_one(problem: Problem) -> str | None:
    return None if problem.instance.best_mean < 1 else "needs mu* < 1"


register(
    *(
        Recipe(
            algorithm, "asymptotic", "BDP-T4.3", "alpha log(T) sum Delta_a / d_epsilon(mu_a, mu*)",
            _double_change_term, None, (bernoulli_arms, best_below_one, geometric_batches), ("pure",), asymptotic=True,
        )
        for algorithm in ("DP-KLUCB", "DP-IMED")
    ),
    Recipe(
        "UCB", "gap-dependent", "TH-T2.23", "3 sum Delta_a + sum 16 log(T) / Delta_a",
        lambda p, gap, _: 16 * p.log_T / gap, lambda p: 3 * p.total_gap, (one_subgaussian, printed_delta),
    ),
    Recipe(
        "UCB", "gap-free", "TH-T2.23", "8 sqrt(T K log T) + 3 sum Delta_a",
        None, lambda p: 8 * sqrt(p.T * p.K * p.log_T) + 3 * p.total_gap, (one_subgaussian, printed_delta),
    ),
    Recipe(
        "UCB", "gap-free, gaps at most 1", "TH-T2.23", "8 sqrt(T K log T) + 3 K",
        None, lambda p: 8 * sqrt(p.T * p.K * p.log_T) + 3 * p.K, (one_subgaussian, printed_delta, small_gaps),
    ),
    Recipe(
        "anytime UCB", "asymptotic", "TH-T2.24", "log(T) sum 2 / Delta_a",
        lambda p, gap, _: 2 * p.log_T / gap, None, (one_subgaussian,), asymptotic=True,
    ),
    Recipe(
        "KL-UCB", "asymptotic", "TH-T2.26", "log(T) sum Delta_a / kl(mu_a, mu*)",
        _kl_term, None, (bernoulli_arms, printed_exploration), asymptotic=True,
    ),
    Recipe(
        "DP-UCB", "gap-dependent, stated without a proof", "ALG-S5.1b",
        "8 sqrt(8) K log(T)^2.5 / epsilon + 4 sum Delta_a + sum 4 log(T) / Delta_a",
        lambda p, gap, _: 4 * gap + 4 * p.log_T / gap,
        lambda p: 8 * sqrt(to_ball(8)) * p.K * p.log_T**2 * sqrt(p.log_T) / p.privacy,
        (unit_rewards, printed_tree), ("pure",),
    ),
    Recipe(
        "AdaP-UCB", "gap-dependent", "ALG-T5.3", "sum (16 beta log(T) / min(Delta_a, epsilon) + 3 beta / (beta - 3))",
        lambda p, gap, _: 16 * p.beta * p.log_T / minimum(gap, p.privacy) + 3 * _below_three(p), None,
        (unit_rewards, optimism), ("pure",),
    ),
    Recipe(
        "AdaP-UCB", "gap-free", "ALG-TC.7",
        "8 sqrt(beta K T log T) + 16 beta K log(T) / epsilon + 3 beta / (beta - 3) sum Delta_a",
        None,
        lambda p: 8 * sqrt(p.beta * p.K * p.T * p.log_T) + 16 * p.beta * p.K * p.log_T / p.privacy
        + 3 * _below_three(p) * p.total_gap,
        (unit_rewards, optimism), ("pure",),
    ),
    *(
        recipe for algorithm, kinds, sources in (
            ("AdaC-UCB", ("zcdp", "approximate"), ("ALG-T5.6", "ALG-PC.2.6c")),
            ("AdaR-UCB", ("rdp",), ("RDP-T5", "RDP-C6")),
        )
        for recipe in (
            Recipe(
                algorithm, "gap-dependent", sources[0],
                "sum (8 beta log(T) / Delta_a + 8 sqrt(2 b beta log T) + 2 beta / (beta - 3))",
                lambda p, gap, _: 8 * p.beta * p.log_T / gap + 8 * sqrt(2 * p.privacy * p.beta * p.log_T)
                + 2 * _below_three(p), None, (unit_rewards, optimism), kinds,
            ),
            Recipe(
                algorithm, "gap-free", sources[1],
                "4 sqrt(2 beta K T log T) + 8 K sqrt(2 b beta log T) + 3 beta / (beta - 3) sum Delta_a",
                None,
                lambda p: 4 * sqrt(2 * p.beta * p.K * p.T * p.log_T) + 8 * p.K * sqrt(2 * p.privacy * p.beta * p.log_T)
                + 3 * _below_three(p) * p.total_gap, (unit_rewards, optimism), kinds,
            ),
        )
    ),
)  # fmt: skip
