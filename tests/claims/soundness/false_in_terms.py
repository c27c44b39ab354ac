"""False claims over real variables whose terms once came out proved: poles that cancel, ends, infinities and names."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Annotated, Any

from flaws import HALF, INF, Extended, false, searched

from banditproof.claims import Nonnegative, Probability, interval
from banditproof.theory.numbers.numeric import expm1, log, where
from banditproof.theory.privacy.wide_balls import growth_ratio, x_log_x

ODD = F(777, 1000)


def undefined(**_: Any):
    raise ZeroDivisionError


@false("the variable has the name of the compiled constant", interval(), at={"c0_": 1})
def termed_name_of_a_constant(c0_: Probability):
    """c <= 1/2."""
    return c0_, "<=", HALF


@false("the variable has the name of a shared part", interval(), at={"t0_": 1})
def termed_name_of_a_shared_part(t0_: Probability):
    """t <= (t² + 1/2) - (t² + 1/2) + 3/4: t is overwritten."""
    part = t0_ * t0_ - 2
    return t0_, "<=", part * part - part * part + F(1, 4)


@false("inf at one point, where symbols are taken for numbers", searched, at={"x": ODD}, exactly=lambda x: (1, "<=", 0))
def termed_branch_on_an_infinite_branch(x: Nonnegative):
    """1[(inf if x = 0.777 else x) = inf] <= 0."""
    return where(where(x, "==", ODD, INF, x), "<", INF, 0, 1), "<=", 0


@false(
    "1/x at inf, x/x² has none", interval(substitutions={"x": ("t", "[0, 1]", "1/t")}), at={"x": INF}, exactly=undefined
)
def termed_quotient_at_infinity(x: Annotated[Any, "[1, inf]"]):
    """x/x² <= 1 on [1, inf]."""
    return x / x**2, "<=", 1


@false(
    "the end of the image is not reached",
    interval(substitutions={"x": ("t", "[0, 1)", "t/(1 - t)")}),
    at={"x": INF},
    balls=True,
)
def termed_odds_at_infinity(x: Extended):
    """x/(1 + x) <= 1 on [0, inf]: inf/inf."""
    return x / (1 + x), "<=", 1


@false(
    "the mean of e^x over [-1, 0] is 0.63",
    interval(),
    at={"x": -1},
    balls=True,
    exactly=lambda x: (expm1(x) / x, ">=", F(4, 5)),
)
def termed_growth_of_negative(x: Annotated[Any, "[-1, 0]"]):
    """(e^x - 1)/x >= 4/5 on [-1, 0]."""
    return growth_ratio(x), ">=", F(4, 5)


@false(
    "negative numbers have no x log x",
    interval(),
    at={"x": F(-1, 2)},
    balls=True,
    exactly=lambda x: (x * log(x), "<=", F(1, 10)),
)
def termed_below_zero_x_log_x(x: Annotated[Any, "[-1, 1/10]"]):
    """x log x <= 1/10."""
    return x_log_x(x), "<=", F(1, 10)
