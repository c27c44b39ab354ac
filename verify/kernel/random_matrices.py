"""Tables of independent numbers with the law N(0, v), square ones among them, and their largest singular value."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.least_squares import rewards_are_told
from banditproof.verify.kernel.matrices import entry_of, vector
from banditproof.verify.kernel.meanings import event, function_of, own_names, sum_of
from banditproof.verify.kernel.rewards import Given, earned
from banditproof.verify.kernel.rules import eq, le, lt, mean, nat
from banditproof.verify.kernel.terms import All, Term, term, var
from banditproof.verify.kernel.variables import gaussian


def draws(law: Term, count: Any) -> Term:
    """The law of a run in which so many numbers with this law are drawn."""
    t, z, r = map(var, "tzr")
    drawn = Term("dirac", (function_of("after", z, t, t, r),))
    return Term("steps", (("t", "z"), term(count), var("empty"), Term("mix", (("r",), law, drawn))))


def normal_matrix(size: Any) -> Term:
    """The law of a run in which as many numbers as a matrix has entries are drawn from N(0, 1), row by row."""
    return draws(gaussian(1), term(size) * term(size))


def row(i: Any, n: Any, y: Any) -> Term:
    """Row i of a table of n rows: a run of draws."""
    return function_of("row", i, n, y)


def normal_table(variance: Any, rows: Any, count: Any) -> Term:
    """The law of a table of so many rows, each of which holds as many draws as said from N(0, variance)."""
    i, y, w = map(var, "iyw")
    longer = Term("dirac", (function_of("with_row", y, w),))
    step = Term("mix", (("w",), draws(gaussian(variance), count), longer))
    return Term("steps", (("i", "y"), term(rows), var("empty"), step))


def rows_are_told(rows: Any) -> Given:
    """After a row one can tell it, and those that could be told before."""
    own_names("i", "j", "y", "w")
    i, j, y, w = map(var, "ijyw")
    longer, given = function_of("with_row", y, w), (nat(i), lt(i, rows))
    return (
        All(("i", "y", "w"), given, eq(row(i, i + 1, longer), w)),
        All(("i", "j", "y", "w"), (*given, nat(j), lt(j, i)), eq(row(j, i + 1, longer), row(j, i, y))),
    )


def entries_are_told(size: Any) -> Given:
    """After a draw one can tell its number, and those that could be told before."""
    return rewards_are_told(term(size) * term(size))


def chance_of_norm_above(level: Any, size: Any, most: Any) -> All:
    """P(||Z|| > level) <= most for Z of independent N(0, 1): every event that is empty where |Z x| <= level |x|
    for all x is as rare.
    """
    own_names("A", "z", "vector")
    z, A, x = var("z"), function_of("A", var("z")), vector

    def matrix(i: Any, j: Any) -> Term:
        return earned(term(size) * i + j, term(size) * term(size), z)

    def square(i: Any) -> Term:
        return entry_of(matrix, x, i, size) * entry_of(matrix, x, i, size)

    length = sum_of(lambda i: x(i) * x(i), size, "i")
    small = All(("vector",), (), le(sum_of(square, size, "i"), level * level * length))
    return All(("A",), (event("A"), All(("z",), (small,), eq(A, 0))), le(mean("z", normal_matrix(size), A), most))
