"""Statements that look true to a computer algebra system, or to a rule that forgot a case: each was proved once."""

from __future__ import annotations

import math
from fractions import Fraction as F
from typing import Annotated, Any

from flaws import HALF, false, searched

from banditproof.claims import Count, Natural, Nonnegative, Positive, Probability, claim, enumerated, interval
from banditproof.theory import d_epsilon, minimum, where
from banditproof.theory.bounds.adap_klucb import deviation_share
from banditproof.theory.numbers.numeric import least_integer
from banditproof.theory.numbers.term import derivative_at, total

TWO_OR_THREE, SOME = Annotated[Any, [2, 3]], Annotated[Any, [0, 3, 6]]
ODD = F(777, 1000)


def undefined(**_: Any) -> Any:
    raise ZeroDivisionError


# ------------------------------------------------------------------------------------------------- signs of counts


@claim("TRUE-above-its-negative", searched)
def above_its_negative(m: Count, n: Count):
    """1/(m n) > -1/(m n)."""
    return 1 / (m * n), ">", -1 / (m * n)


# -------------------------------------------------------------------------------------------- domains of quantities


@false("infinite above log 3", interval(boxes=200), at={"v": F(10986122886681096913953, 10**22)}, balls=True)
def share_is_finite(v: Annotated[Any, "[1, 1.0986122886681096914)"]):
    """gamma(v) <= 10."""
    return deviation_share(v, F(1, 3), F(3, 4)), "<=", 10


# ------------------------------------------------------------------------------------------------ slopes across kinks


@false("a jump has no derivative", searched, at={"x": HALF}, exactly=undefined)
def slope_of_a_step(x: Probability):
    """1[x >= 1/2]' x + x^2/2 + x/3 <= 1."""
    return derivative_at(lambda y: where(y, "<", HALF, 0 * y, 1 + 0 * y), x) * x + x * x / 2 + x / 3, "<=", 1


@false("a kink has no derivative", searched, at={"x": HALF}, exactly=undefined)
def slope_of_a_minimum(x: Probability):
    """min(x, 1/2)' >= 1[x <= 1/2]."""
    return derivative_at(lambda y: minimum(y, HALF), x), ">=", where(x, "<=", HALF, 1, 0)


@false("it is 0 all along", searched, at={"x": 0}, exactly=lambda x: (0, ">=", 1))
def slope_along_the_diagonal(x: Annotated[Any, [0]]):
    """d_1(x, x)' >= 1 at 0."""
    return derivative_at(lambda y: d_epsilon(y, y, 1), x), ">=", 1


# ------------------------------------------------------------------------------------------- what a symbol reaches


def falling(m: Any) -> Any:
    return math.prod([m - i for i in range(10)])


@false(
    "10!/11 is no count",
    searched,
    at={"m": 10, "n": 329900},
    contrived=True,
    exactly=lambda m, n: (math.ceil(n - F(falling(m), 11)), "==", n - F(falling(m), 11)),
)
def whole_elevenths(m: Natural, n: Natural):
    """n - m (m - 1) ... (m - 9)/11 is whole."""
    return least_integer(n - falling(m) / 11), "==", n - falling(m) / 11


@false("0/0 at x = 7.77 y", searched, at={"x": F(777, 100), "y": 1}, exactly=undefined)
def two_symbols_of_one_name(x: Nonnegative, y: Positive):
    """(x - 7.77 y)/(x - 7.77 y) = 1."""
    return (x - F(777, 100) * y) / (x - F(777, 100) * y), "==", 1


# --------------------------------------------------------------------------------------------------- sums within sums


def half_or_thirds(n: Any, x: Any) -> Any:
    return total(lambda k: where(k, "<", 100, lambda: x / 2, lambda: total(lambda j: x / 3, 0, n - 1)), 0, n - 1)


@false(
    "the second branch is never taken",
    enumerated(n=[2, 3], x=[0, 3, 6], rational=True),
    at={"n": 2, "x": 3},
    exactly=lambda n, x: (F(n * x, 2), "==", F(n * n * x, 3)),
)
def second_branch(n: TWO_OR_THREE, x: SOME):
    """The sum of n halves of x is n^2 x/3."""
    return half_or_thirds(n, x), "==", n * n * x / 3


@claim("TRUE-first-branch", enumerated(n=[2, 3], x=[0, 3, 6], rational=True))
def first_branch(n: TWO_OR_THREE, x: SOME):
    """The sum of n halves of x is n x/2."""
    return half_or_thirds(n, x), "==", n * x / 2
