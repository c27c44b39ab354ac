"""How far one measurement can carry: the ratios rho_a that stand between privacy and information in linear bandits.

Under a design w the change of measure towards action a costs sum_j w_j |<a_j, G(w)^-1 (a - a*)>| per unit of budget,
G(w) = sum_j w_j a_j a_j^T. A ratio that is to bound this must do so for every w.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.theory.arguments import named
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.exact_numbers import check_count, exact

_MOST_COORDINATES = 500_000  # of all actions in all bases, when these are gone through
_MOST_ACTIONS = 2000  # whose products in pairs are added up exactly: about a minute for floats

Rows = Sequence[Sequence[Fraction]]


def exact_row(name: str, values: Any) -> tuple[Fraction, ...]:
    """Finite numbers, exactly; InvalidInput for others."""
    try:
        listed = values.tolist() if isinstance(values, np.ndarray) else list(values)
    except TypeError:
        raise InvalidInput(name, values, "a list of finite numbers") from None
    return tuple(exact(name, x, lambda _: True, "finite numbers") for x in listed)


def exact_rows(actions: Any) -> tuple[tuple[Fraction, ...], ...]:
    """The actions, a row each, exactly; InvalidInput for what is no table of numbers."""
    try:
        listed = list(actions)
    except TypeError:
        raise InvalidInput("actions", actions, "a table of numbers with a row per action") from None
    if not all(map(np.iterable, listed)):
        raise InvalidInput("actions", actions, "a table of numbers with a row per action")
    rows = tuple(exact_row("actions", row) for row in listed)
    if not rows or not rows[0] or len({len(row) for row in rows}) > 1:
        raise InvalidInput("actions", f"rows of lengths {[len(r) for r in rows]}", "rows of one length, at least one")
    return rows


@named
def action_span_ratios(actions: Rows, best: int) -> tuple[Fraction | None, ...]:
    """rho_a = sum over nonzero a_j of |<a_j, a - a*>| / |a_j|^2, exact; None at the best action.

    Raises InvalidInput, also for more than 2000 actions. Source: TH-L-B1
    """
    actions, best = _checked(actions, best)
    if len(actions) > _MOST_ACTIONS:
        raise InvalidInput("actions", f"{len(actions)} rows", f"at most {_MOST_ACTIONS} rows, for exact ratios")
    rows = [row for row in actions if any(row)]
    differences = rational_matrix([[x - y for x, y in zip(a, actions[best], strict=True)] for a in actions])
    products = rational_matrix(rows) * differences.transpose()
    sizes = type(products)(len(rows), len(actions), [abs(product) for product in products.entries()])
    inverse_norms = rational_matrix([[Fraction(1) / sum(x * x for x in row) for row in rows]])
    ratios: list[Fraction | None] = [as_fraction(x) for x in (inverse_norms * sizes).entries()]
    ratios[best] = None
    return tuple(ratios)


@named
def basis_ratios(actions: Rows, best: int) -> tuple[Fraction | None, ...]:
    """The largest l1 norm of the coordinates of a - a* over all bases made of actions, exact. Source: TH-L-B1

    For every design w, w_j <a_j, G(w)^-1 x> is a mean of x's coordinates along a_j over such bases, with weights
    proportional to det(A_J)^2 prod_{j in J} w_j (Cauchy-Binet and Cramer); so
    sum_j w_j |<a_j, G(w)^-1 (a - a*)>| is at most this number, and near it when w concentrates on the best basis.
    """
    actions, best = _checked(actions, best)
    largest = [Fraction(0)] * len(actions)
    if too_many_bases(actions):
        size = f"{len(actions)} in dimension {len(actions[0])}"
        raise InvalidInput("actions", size, "fewer, because all their bases are tried one by one")
    for norms in norms_in_bases(actions, best):
        largest = list(map(max, largest, norms))
    ratios: list[Fraction | None] = list(largest)
    ratios[best] = None
    return tuple(ratios)


def _checked(actions: Rows, best: int) -> tuple[Rows, int]:
    rows = exact_rows(actions)
    if not any(map(any, rows)):
        raise InvalidInput("actions", actions, "not all zero")
    return rows, check_count("best", best, 0, len(rows) - 1)


def too_many_bases(actions: Rows) -> bool:
    """Whether going through all bases made of actions would take more than a few seconds."""
    return _work_per_basis(actions) * math.comb(len(actions), len(actions[0])) > _MOST_COORDINATES


def affordable_bases(actions: Rows) -> int:
    """How many bases can be gone through in a few seconds."""
    return max(1, _MOST_COORDINATES // _work_per_basis(actions))


def _work_per_basis(actions: Rows) -> int:
    return len(actions) * len(actions[0])


def norms_in_bases(actions: Rows, best: int) -> Iterator[list[Fraction]]:
    """For every basis made of actions, the l1 norms of the coordinates of all a - a*."""
    from flint import fmpq_mat

    count, dimension = len(actions), len(actions[0])
    right = rational_matrix([[x - y for x, y in zip(row, actions[best], strict=True)] for row in actions]).transpose()
    columns = rational_matrix(actions)
    for chosen in itertools.combinations(range(count), dimension):
        basis = fmpq_mat(dimension, dimension, [columns[j, i] for i in range(dimension) for j in chosen])
        if basis.det() != 0:
            coordinates = basis.solve(right).transpose().tolist()
            yield [as_fraction(sum(map(abs, row[1:]), abs(row[0]))) for row in coordinates]


def rational_matrix(rows: Rows) -> Any:
    """The rows as a flint matrix of rationals."""
    from flint import fmpq, fmpq_mat

    return fmpq_mat(len(rows), len(rows[0]), [fmpq(x.numerator, x.denominator) for row in rows for x in row])


def as_fraction(value: Any) -> Fraction:
    """The Fraction equal to a rational of flint."""
    return Fraction(int(value.p), int(value.q))
