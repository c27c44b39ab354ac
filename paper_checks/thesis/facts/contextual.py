"""Linear contextual bandits: sequences of vectors and ridges on which Algorithm 9 and its analysis are followed."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.rare_switching import bonuses, episode_starts, unit_vectors, volumes

Vectors = Annotated[Any, "all: every sequence of unit vectors"]

SEQUENCES: list[list[Any]] = [
    ["same", 1],
    ["axes", 2],
    ["axes", 3],
    ["same", 3],
    ["turn", 2, 12],
    ["random", 2, 0],
    ["random", 3, 0],
]
MORE: list[list[Any]] = [*SEQUENCES, *(["random", d, seed] for d in (2, 3) for seed in range(1, 6)), ["turn", 3, 20]]
RIDGES = [Fraction(1, 10), Fraction(1), Fraction(5)]


def on_sequences(*routes: str, **grid: Any) -> enumerated:
    """The step that evaluates a relation on sequences of vectors, exactly."""
    rounds = grid.pop("T", [1, 7, 24])
    ridges = grid.pop("ridge", RIDGES)
    also = grid.pop("also", [])
    sequences = pick([*SEQUENCES, *also], [*MORE, *also])
    return enumerated(vectors=sequences, T=rounds, ridge=ridges, rational=True, routes=(routes[0], routes[1]), **grid)


@quantity
def dimension_of(vectors: Sequence[Any]) -> int:
    """d."""
    return int(vectors[1])


@quantity
def determinant_in(vectors: Sequence[Any], T: int, ridge: Any, t: int) -> Fraction:
    """det V_t in T rounds."""
    return volumes(unit_vectors(vectors, T), Fraction(ridge))[t] if T else Fraction(ridge) ** dimension_of(vectors)


@quantity
def bonus_in(vectors: Sequence[Any], T: int, ridge: Any, t: int) -> Fraction:
    """|A_t|^2 in the norm of V_{t-1}^-1, t = 1, ..., T."""
    return bonuses(unit_vectors(vectors, T), Fraction(ridge))[t - 1]


@quantity
def largest_quotient_of_starts(vectors: Sequence[Any], T: int, ridge: Any, growth: Any) -> Fraction:
    """The largest t_{l+1}/t_l of two successive episodes of Algorithm 9 within T rounds; 0 where there is one."""
    starts = episode_starts(unit_vectors(vectors, T), Fraction(ridge), Fraction(growth))
    return max((Fraction(b, a) for a, b in pairwise(starts)), default=Fraction(0))


def sum_of_bonuses(vectors: Any, T: Any, ridge: Any, value: Callable[[Any], Any]) -> Any:
    """The sum over T rounds of a value of the bonus."""
    return total(lambda t: value(bonus_in(vectors, T, ridge, t)), 1, T)


@quantity
def episodes_in(vectors: Sequence[Any], T: int, ridge: Any, growth: Any) -> int:
    """How many episodes of Algorithm 9 begin within T rounds."""
    return len(episode_starts(unit_vectors(vectors, T), Fraction(ridge), Fraction(growth)))
