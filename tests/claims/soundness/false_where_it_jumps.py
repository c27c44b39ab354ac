"""Statements that jump where a rule did not look: closed ends, conditions, slopes of what has none, halves of counts.

Two readers wrote them; each was proved once. At the end bodies that tell a variable from a number, and true statements
that were refuted.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from fractions import Fraction as F
from typing import Annotated, Any

import mpmath
from flaws import HALF, INF, false, searched

from banditproof.claims import Count, Inside, Natural, Probability, claim, fails_at, interval, tried_at
from banditproof.theory import exp, kl_inf, maximum, minimum, where
from banditproof.theory.numbers.special import pi
from banditproof.theory.numbers.term import derivative_at

M = mpmath.mpf
ODD = F(777, 1000)
FALLING, SAME = {"x": ("u", "[0, 1]", "1/u")}, {"x": ("u", "[0, 1]", "u")}
AtLeastOne = Annotated[Any, "[1, inf]"]
MOST = 10**7


def none(**_: Any) -> Any:
    """A side has no value at the point."""
    raise ZeroDivisionError


def just_above(value: Any) -> F:
    """A number that is larger by 10^-20 at most."""
    return F(int(mpmath.ceil(value * M(10) ** 20)), 10**20)


# ------------------------------------------------------------------------------------- closed ends of a substitution


@false("1 at infinity", interval(substitutions=FALLING, boxes=300), at={"x": INF}, exactly=lambda x: (1, "<=", HALF))
def the_other_end_at_infinity(x: AtLeastOne):
    """(1/x) (1 - 1/x) + 1/x <= ..., 1 in place of 1/inf, which is a value of 1/x elsewhere."""
    share = where(x, "==", INF, 1, 1 / x)
    return where(x, "<=", 2, 0, share), "<=", HALF


# -------------------------------------------------------------------------- slopes of a quantity without a Taylor form

with mpmath.workdps(60):
    WHERE = mpmath.log(8 * (M(1) / 3 + mpmath.e / 6))  # the density of Bernoulli(1/3) + Laplace(1) is 1/8
    LEAST = just_above((1 + WHERE) / 8)


# ------------------------------------------------------------------------------------- conditions that jump themselves


@false("the smaller one jumps at 777/1000", searched, at={"x": ODD}, exactly=none)
def second_derivative_across_a_jump(x: Probability):
    """(y^2 (1 + 1[min(1[y > 0.777], 3) > 1/2]))'' >= 2."""
    jump = lambda y: minimum(where(y, ">", ODD, 1, 0), 3)  # noqa: E731
    return derivative_at(lambda y: where(jump(y), ">", HALF, 2 * y**2, y**2), x, 2), ">=", 2


# ------------------------------------------------------------------------ bodies that tell a variable from a number

NUMBERS = frozenset({777})
TABLE: Counter[int] = Counter({777: MOST})
at_777 = {"at": {"n": 777}, "exactly": lambda n: (MOST, "<=", n * n - n), "contrived": True}


@false("7 in the table", searched, **at_777)
def a_table_with_a_default(n: Count):
    """A Counter."""
    return TABLE[n], "<=", n * n - n


@false("777 is in it", searched, **at_777)
def a_set_asked_by_a_function(n: Count):
    """operator.contains."""
    return MOST * operator.contains(NUMBERS, n), "<=", n * n - n


@false("777 is in it", searched, **at_777)
def a_set_asked_by_another_one(n: Count):
    """issuperset."""
    return MOST * NUMBERS.issuperset([n]), "<=", n * n - n


@false("four digits", searched, at={"n": 1000}, exactly=lambda n: (MOST, "<=", n * n - n), contrived=True)
def its_digits(n: Count):
    """str.format."""
    return MOST * (len("{}".format(n)) // 4), "<=", n * n - n  # noqa: UP032


@false("ten bits", searched, at={"n": 1000}, exactly=lambda n: (MOST, "<=", n * n - n), contrived=True)
def its_bits(n: Count):
    """A method that ints have."""
    try:
        blocks = n.bit_length() // 10
    except AttributeError:
        blocks = 0
    return MOST * blocks, "<=", n * n - n


@false("an int", searched, **at_777)
def its_class(n: Count):
    """The class."""
    return (MOST * (n // 700) if n.__class__ is int else 0), "<=", n * n - n


# ------------------------------------------------------------------------------------------------ true, once refuted


@claim("TRUE-ceiling-of-a-large-number", tried_at(x=["1/3", "2/3", "1/7"]))
def ceiling_is_at_least(x: Inside):
    """ceil(10^20 x) >= 10^20 x."""
    return math.ceil(10**20 * x), ">=", 10**20 * x


@claim("TRUE-floor-of-a-large-number", tried_at(n=[1, 2, 3, 4, 5]))
def floor_is_close(n: Count):
    """floor(10^20 e^n) >= 10^20 e^n - 1."""
    return math.floor(10**20 * exp(n)), ">=", 10**20 * exp(n) - 1


@claim("TRUE-a-table-with-a-default", fails_at(n=777))
def zero_at_its_key(n: Natural):
    """n - 777 1[n = 777] is never 777."""
    return n - Counter({777: 777})[n], "!=", 777


@claim("TRUE-pi-times-a-count", searched)
def pi_times_a_count(n: Count):
    """pi n > 0, which did not end."""
    return pi() * n, ">", 0


@claim("TRUE-quotient-of-counts", searched)
def quotient_of_counts(n: Count):
    """n/(n + 1) < 1: a quotient of ints is a float of Python's."""
    return n / (n + 1), "<", 1


@claim("TRUE-infinite-from-one-on", interval(boxes=300))
def larger_than_its_mean(x: Annotated[Any, "[0, 1/2]"]):
    """kl_inf(x, 3/4) >= 1/8, and max(x, 1/4) >= 1/4."""
    return kl_inf(x, F(3, 4)) + maximum(x, F(1, 4)), ">=", F(3, 8)
