"""Linear contextual bandits: sequences of vectors and ridges on which Algorithm 9 and its analysis are followed."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.steps import enumerated, pick

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


def dimension_of(vectors: Sequence[Any]) -> int:
    return int(vectors[1])
