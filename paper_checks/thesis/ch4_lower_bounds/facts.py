r"""What several sections of Chapter 4 share: distances of data, the proofs of the minimax bounds, and the tables."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.environments import *
from banditproof.paper_checks.thesis.facts.linear import divergence_on_the_hard_set
from banditproof.theory import Transport, minimax_lower_bound

Mechanism = Annotated[Any, "all: every private mechanism and pair of data laws"]


# The transport of data


def proved_minimum(solved: Transport) -> Fraction:
    """The value of a transport problem, once its certificate has been verified."""
    if not solved.recheck():
        raise ArithmeticError("plan and potentials do not prove each other optimal")
    return solved.dual_value


def distance(d: Sequence[Any], e: Sequence[Any]) -> int:
    return sum(a != b for a, b in zip(d, e, strict=True))


# The proofs of the minimax bounds

VIEW = "all: every epsilon-View DP policy"
PINSKER = fact(variation_over_share)
VIEW_FACTS = (*TESTING, NON_PRIVATE, PINSKER)


def linear_term(scale: Any, quarter: Any) -> Any:
    """e^-1/4 d/epsilon, scale = d/epsilon."""
    return exp(-1 + 0 * scale) * scale / quarter


def linear_constant(dimension: Count, epsilon: Positive, quarter=4) -> Sides:
    """The printed term against d delta T e^-1/2, the regret averaged over the signs, at delta = 1/(epsilon T)."""
    scale = dimension / epsilon
    return linear_term(scale, quarter), "<=", exp(-1 + 0 * scale) * scale / 2


def free_linear_term(root_horizon: Any, eighth: Any) -> Any:
    """e^-2/8 sqrt(T)."""
    return exp(-2 + 0 * root_horizon) * root_horizon / eighth


def free_linear_constant(root_horizon: Positive, eighth=8) -> Sides:
    """The term against delta T e^-2/2 at delta = 1/sqrt(T), where the divergence is at most 2."""
    return free_linear_term(root_horizon, eighth), "<=", exp(-2 + 0 * root_horizon) * root_horizon / 2


LINEAR_FACTS = (
    fact(bretagnolle_huber),
    PINSKER,
    fact(divergence_on_the_hard_set),
    fact(free_linear_constant),
    fact(linear_constant),
)
LINEAR_JOINTS = (
    "data processing to an event, E_+[sum A] - E_-[sum A] <= 2 T TV for actions in [-1, 1] (so the two regrets of a "
    "coordinate add up to 2 delta T (1 - TV) at least), the average over all signs, the decompositions of relative "
    "entropy, without privacy and under View DP (TH-T4.9, also for a continuum of actions)"
)


@quantity
def worst_linear_regret(policy: str, horizon: int, radius: Any) -> Any:
    """The largest regret of a policy, A_t = 0, over parameters with |theta|_1 <= radius: T times that."""
    if policy != "the origin" and horizon:
        raise InvalidInput("policy", policy, "the origin")
    return 0 if horizon == 0 else math.inf if radius == math.inf else to_ball(radius) * horizon


# Tables 4.1 and 4.2

ENTRIES = enumerated(
    size=[2, 7],
    horizon=[6, 1000],
    budget=["1/1000", "1/10", "1"],
    rational=True,
    routes=("computed bound", "the table, written out"),
)


@quantity
def bound_of_theorem_4_15(arms: int, horizon: int, epsilon: Any) -> Any:
    """As `minimax_lower_bound` computes it."""
    return minimax_lower_bound(arms=arms, horizon=horizon, epsilon=epsilon)["view"].value.ball()


@quantity
def bound_of_theorem_4_17(dimension: int, horizon: int, epsilon: Any) -> Any:
    """As `minimax_lower_bound` computes it."""
    return minimax_lower_bound(dimension=dimension, horizon=horizon, epsilon=epsilon)["view"].value.ball()


@quantity
def bound_of_theorem_4_20(arms: int, horizon: int, rho: Any) -> Any:
    """As `minimax_lower_bound` computes it."""
    return minimax_lower_bound(arms=arms, horizon=horizon, rho=rho)["zcdp"].value.ball()


@quantity
def bound_of_theorem_4_21(dimension: int, horizon: int, rho: Any) -> Any:
    """As `minimax_lower_bound` computes it."""
    return minimax_lower_bound(dimension=dimension, horizon=horizon, rho=rho)["zcdp"].value.ball()


def as_computed(bound: Any, entry: Any) -> Sides:
    """A computed bound, which is known up to rounding, against the entry of a table, written out."""
    return absolute(bound / entry - 1), "<=", Fraction(1, 10**12)
