"""False claims for proofs by trees and by boxes: undefined formulas, ends that are forgotten, substitutions."""

from __future__ import annotations

from fractions import Fraction
from fractions import Fraction as F
from typing import Annotated, Any

import sympy
from flaws import ToTwo, false, searched

from banditproof.claims import AtLeastOne, Count, Natural, Nonnegative, Probability, Real, interval
from banditproof.theory.numbers.numeric import absolute, exp

# ----------------------------------------------------------------------------- trees: what is undefined, or of no sign


def undefined(x):
    """What a formula is at a point without value."""
    raise ZeroDivisionError


@false("0/0 at the root of 2", searched, interval(boxes=50), at={"x": 0}, exactly=undefined)
def cancelled_at_an_irrational_point(x: ToTwo):
    """(x² - 2)²/(x² - 2)² > 0."""
    return (x * x - 2) ** 2 / (x * x - 2) ** 2, ">", 0


@false("0/0 at the root of 2", searched, at={"x": 0}, exactly=undefined)
def cubic_over_quadratic(x: Nonnegative):
    """(x³ - 2x)/(x² - 2) = x."""
    return (x**3 - 2 * x) / (x**2 - 2), "==", x


@false("0/0 at c", searched, interval(covers={"x": "[0, 1/2]"}, boxes=50), at={"x": F(2, 5)})
def cancelled_at_a_constant(x: Probability, c=F(2, 5)):
    """(x - c)(1 + x)/(x - c) >= 1."""
    return (x - c) * (1 + x) / (x - c), ">=", 1


@false("a pole of the tangent", searched, at={"x": 0}, exactly=undefined)
def tangent_minus_tangent(x: ToTwo):
    """tan x - tan x = 0, through a pole at pi/2."""
    return sympy.tan(x) - sympy.tan(x), "==", 0


@false("0/0", searched, at={"x": 0})
def sign_quotient(x: Real):
    """|x|/x <= 1."""
    return absolute(x) / x if not isinstance(x, Fraction) else abs(x) / x, "<=", 1


@false("x = 1 is a case of its own", searched, at={"x": 1}, exactly=lambda x: (2 if x == 1 else 0, "<=", x))
def special_case(x: Nonnegative):
    """The value, which is 2 at 1 and else 0, is at most x."""
    return 2 if x == 1 else 0, "<=", x


@false("1 is in the table", searched, at={"n": 1})
def tabled(n: Count):
    """The tabled value, else n, is at most n."""
    return {1: 5}.get(n, n), "<=", n


@false("2 is in the list", searched, at={"n": 2})
def listed(n: Count):
    """n, but 10 for 1, 2, 3, is at most n."""
    return 10 if n in (1, 2, 3) else n, "<=", n


@false("0 is false", searched, at={"n": 0})
def truth_of_a_symbol(n: Natural):
    """n or else 1 is n."""
    return n or 1, "==", n


@false("odd numbers have a remainder", searched, at={"n": 1})
def guarded_remainder(n: Count):
    """n mod 2 = 0."""
    return n % 2 if isinstance(n, int) else 0, "==", 0


@false("equal at x = y", searched, at={"x": 1, "y": 1})
def kronecker(x: Real, y: Real):
    """1[x = y] = 0."""
    return int(x == y), "==", 0


@false("1/2 is no integer", searched, at={"x": "1/2"})
def hidden_type(x: Probability):
    """x is 0, unless it is a symbol."""
    return 0 if isinstance(x, sympy.Basic) else x, "<=", 0


# ------------------------------------------------------------------------------- true on a part of the domain only


def power_of_minus_one(exponent):
    return (-1) ** exponent if not isinstance(exponent, Fraction) else (-1) ** int(exponent)


@false("counts are no reals: (-1)³ at 3/2", searched, at={"x": "3/2"})
def counts_for_reals(x: AtLeastOne):
    """(-1)^(2 x) = 1."""
    return power_of_minus_one(2 * x), "==", 1


nine_and_a_half = [F(3, 2), *range(1, 10)]


@false("3/2 is one of the points", searched, at={"x": "3/2"}, contrived=True)
def counts_for_points(x: Annotated[Any, nine_and_a_half]):
    """(-1)^(2 x) = 1 for 1, 3/2, 2, 3, ..., 9."""
    return power_of_minus_one(2 * x), "==", 1


# ------------------------------------------------------------------------------------------------------ substitutions


in_t = {"x": ("t", "[0, 1]", "1/t")}


@false("1/x² is t², not t", interval(substitutions=in_t, boxes=200), at={"x": 2})
def wrong_in_the_parameter(x: AtLeastOne, *, t=None):
    """1/x² >= 1/x, written as t >= t."""
    square = 1 / x**2 if t is None else t
    return square, ">=", 1 / x if t is None else t


@false("the formula in the parameter is another one", interval(substitutions=in_t), at={"x": 2}, balls=True)
def slip_in_the_parameter(x: AtLeastOne, *, t=None):
    """e^(-1/x) <= 1/x, written with 1 - t for 1/x."""
    inverse = 1 / x if t is None else 1 - t
    return exp(-inverse), "<=", inverse if t is None else inverse + t


@false(
    "a branch on a ball of the parameter",
    interval(substitutions={"x": ("t", "[0, 1]", "2*t")}),
    at={"x": 2},
    exactly=lambda x: (int(x > 1), "<=", 0),
)
def substituted_branch(x: ToTwo):
    """1[x > 1] <= 0."""
    return 1 if x > 1 else 0, "<=", 0
