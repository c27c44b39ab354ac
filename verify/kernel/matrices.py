"""Square matrices by their entries: forms and their order, inverses, and determinants by elimination.

Of a matrix of some size only the entries in the first rows and columns are read, so the kernel's functions, which are
bounded, leave none out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.meanings import binding, function_of, own_names, sum_of
from banditproof.verify.kernel.policies import the_same
from banditproof.verify.kernel.rules import eq, le, lt, nat
from banditproof.verify.kernel.terms import All, Formula, Rel, Term, var

Matrix = Callable[[Any, Any], Any]
Vector = Callable[[Any], Any]
Given = tuple[Formula, ...]


def entry_of(M: Matrix, x: Vector, i: Any, size: Any) -> Term:
    """Entry i of M x."""
    return sum_of(lambda j: M(i, j) * x(j), size)


def form(M: Matrix, x: Vector, size: Any) -> Term:
    """x^T M x."""
    return sum_of(lambda i: x(i) * entry_of(M, x, i, size), size, "i")


def vector(i: Any) -> Term:
    return function_of("vector", i)


def place(*entries: Term, size: Any) -> tuple[Rel, ...]:
    """The rows and columns are 0 .. size - 1."""
    return tuple(f for k in entries for f in (nat(k), lt(k, size)))


def positive_semidefinite(M: Matrix, size: Any) -> Given:
    """M is symmetric, and x^T M x >= 0 for all vectors x."""
    own_names("i", "r")
    i, r = var("i"), var("r")
    symmetric = All(("i", "r"), place(i, r, size=size), eq(M(i, r), M(r, i)))
    with binding("vector"):
        of_vector = form(M, vector, size)
    return symmetric, All(("vector",), (), le(0, of_vector))


def is_above(M: Matrix, N: Matrix, size: Any) -> Formula:
    """x^T N x <= x^T M x for all vectors x."""
    with binding("vector"):
        forms = form(N, vector, size), form(M, vector, size)
    return All(("vector",), (), le(*forms))


def is_inverse(G: Matrix, M: Matrix, size: Any) -> Formula:
    """M G is the identity: of square matrices one side is enough."""
    i, r = var("i"), var("r")
    with binding("i", "r"):
        product = entry_of(M, lambda j: G(j, r), i, size)
    return All(("i", "r"), place(i, r, size=size), eq(product, the_same(i, r)))


def is_root(H: Matrix, G: Matrix, size: Any) -> Formula:
    """H H^T is G, as for the positive semidefinite root of G, which is symmetric."""
    i, r = var("i"), var("r")
    with binding("i", "r"):
        squared = sum_of(lambda j: H(i, j) * H(r, j), size)
    return All(("i", "r"), place(i, r, size=size), eq(squared, G(i, r)))


def unit_vectors(b: Any, j: Any) -> Term:
    """Entry j of the unit vector e_b."""
    return the_same(b, j)


def eliminates(columns: Matrix, minors: Vector, M: Matrix, size: Any) -> Given:
    """M S is lower triangular for a matrix S, `columns`, with ones on its diagonal and zeros below.

    So S adds to each column multiples of earlier ones, and minors(k) is the product of the first k pivots, which are
    the diagonal of M S: det M = minors(size).
    """
    i, r = var("i"), var("r")
    with binding("i", "r"):
        reduced = entry_of(M, lambda j: columns(j, r), i, size)
        pivot = entry_of(M, lambda j: columns(j, r), r, size)
    column, both = place(r, size=size), place(i, r, size=size)
    return (
        All(("r",), column, eq(columns(r, r), 1)),
        All(("i", "r"), (*both, lt(r, i)), eq(columns(i, r), 0)),
        All(("i", "r"), (*both, lt(i, r)), eq(reduced, 0)),
        eq(minors(0), 1),
        All(("r",), column, eq(minors(r + 1), minors(r) * pivot)),
    )
