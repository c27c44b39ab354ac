"""Exact optimal designs, for claims about phased elimination."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

from banditproof.paper_checks.shared.linear_designs import exact_rows, information, solved
from banditproof.paper_checks.shared.response_ucb import inner
from banditproof.theory.numbers.term import quantity

Row = tuple[Fraction, ...]
DesignName = Annotated[Any, "all: every optimal design"]

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def _basis(d: int) -> list[list[int]]:
    return [[int(i == j) for j in range(d)] for i in range(d)]


DESIGNS: dict[str, tuple[Any, list[Fraction]]] = {
    "line": ([[1]], [Fraction(1)]),
    "plane": (_basis(2), [HALF] * 2),
    "flat plane": ([[1, 0], [0, Fraction(1, 10)]], [HALF] * 2),
    "three in the plane": ([[HALF, 0], [0, HALF], [HALF, HALF]], [THIRD] * 3),
    "two bases": ([[1, 0], [0, 1], ["3/5", "4/5"], ["-4/5", "3/5"]], [Fraction(1, 8)] * 2 + [Fraction(3, 8)] * 2),
    "five dimensions": (_basis(5), [Fraction(1, 5)] * 5),
    "cross of three": ([[HALF, HALF, 0], [HALF, -HALF, 0], [0, 0, 1], [HALF, 0, 0]], [THIRD] * 3 + [Fraction(0)]),
    "corners": ([[x, y, HALF] for x in (HALF, -HALF) for y in (HALF, -HALF)], [Fraction(1, 4)] * 4),
}
"""Actions and weights of designs with max |a|^2 = d in the norm of V^-1, which certifies that they are optimal."""

SEVEN = exact_rows(
    [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
        ["3/5", "4/5", 0],
        [0, "3/5", "4/5"],
        ["1/3", "2/3", "2/3"],
        ["2/3", "-1/3", "2/3"],
    ]
)
RETURNED = [Fraction(n, 10**4) for n in (3099, 2911, 2906, 271, 271, 271, 271)]
"""What Frank-Wolfe steps return for these unit vectors when they stop at max |a|^2 <= 1.01 d, to four decimals."""


def actions_of(name: str) -> tuple[Row, ...]:
    return exact_rows(DESIGNS[name][0])


def weights_of(name: str) -> list[Fraction]:
    return DESIGNS[name][1]


def design_matrix(rows: Sequence[Row], weights: Sequence[Any]) -> list[list[Any]]:
    """sum w a a^T."""
    return information(rows, weights)


def bilinear(matrix: list[list[Any]], left: Sequence[Any], right: Sequence[Any]) -> Any:
    """x^T V^-1 y."""
    return inner(left, solved(matrix, right))


def largest_squared_norm(rows: Sequence[Row], weights: Sequence[Any], over: Sequence[Row] | None = None) -> Any:
    """max |a|^2 in the norm of V^-1, V = sum w a a^T."""
    matrix = design_matrix(rows, weights)
    return max(bilinear(matrix, row, row) for row in (over or rows))


@quantity
def dimension_of_a_design(design: str) -> int:
    """d."""
    return len(actions_of(design)[0])


@quantity
def actions_in_a_design(design: str) -> int:
    """K."""
    return len(actions_of(design))


@quantity
def largest_squared_norm_of(design: str) -> Fraction:
    """max |a|^2 in the norm of V(pi*)^-1."""
    return Fraction(largest_squared_norm(actions_of(design), weights_of(design)))
