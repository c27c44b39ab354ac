"""False claims about ends, corners, jumps, single points, integers and clipped regions."""

from __future__ import annotations

from fractions import Fraction
from fractions import Fraction as F
from typing import Annotated, Any

from flaws import HALF, THIRD, TINY, Few, false, searched

from banditproof.claims.sets import Natural, Probability, Real
from banditproof.claims.steps import argued, enumerated, interval
from banditproof.theory.numbers.numeric import absolute, to_ball, where

# ------------------------------------------------------------------------------------------------------------- integers


def smallest_factor(n: int) -> int:
    return next(d for d in range(2, n + 1) if n % d == 0)


@false("41² is no prime", enumerated(n=range(40), covers={"n": "integer [0, inf)"}), at={"n": 40})
def euler(n: Natural):
    """n² + n + 41 is prime."""
    value = n**2 + n + 41
    return smallest_factor(value), "==", value


@false("fails at 0", searched, at={"n": 0})
def reciprocal_count(n: Natural):
    """n/n = 1."""
    return n / n if not isinstance(n, int) else F(n, n), "==", 1


@false("2³² + 1 = 641 · 6700417", enumerated(n=range(5), covers={"n": "integer [0, 5]"}), at={"n": 5})
def fermat(n: Annotated[Any, "integer [0, 5]"]):
    """2^(2^n) + 1 has no divisor below 1000, except itself."""
    value = 2**2**n + 1
    return any(value % d == 0 for d in range(2, min(1000, value))), "==", False


# ------------------------------------------------------------------------------------------------------ discontinuities


@false("a narrow box around 1/3", interval(), at={"x": "1/3"})
def narrow_box(x: Probability, third=THIRD, width=TINY):
    """1[|x - 1/3| < 10^-12] <= 1/2."""
    return where(absolute(x - third), "<", width, 1, 0), "<=", HALF if isinstance(x, Fraction) else to_ball(HALF)


@false("a jump in a derivation's fact", argued("", covers={"x": "[0, 1]"}), at={"x": 1})
def derived_step(x: Probability, last=F(99, 100)):
    """1[x > 99/100] <= 0."""
    return where(x, "<=", last, 0, 1), "<=", 0


@false("the other branch is negative", searched, at={"x": "1/2"})
def branches(x: Real):
    """x² - x, for x < 0 by cases, is never negative."""
    return where(x, "<", 0, lambda: x**2, lambda: x**2 - x), ">=", 0


@false("floor(1) = 1", interval(boxes=300), at={"x": 1}, exactly=lambda x: (x // 1, "<=", 0))
def floor_of_one(x: Probability):
    """floor(x) <= 0."""
    return x.floor(), "<=", 0


def floor_or_not(x):
    try:
        return x.floor()
    except AttributeError:
        return 0 * x


@false("the series knows no floor", interval(), at={"x": 1}, exactly=lambda x: (x // 1, "<=", 0))
def floor_of_series(x: Probability):
    """floor(x) <= 0."""
    return floor_or_not(x), "<=", 0


@false("the sign of 0 is 0", interval(boxes=300), at={"x": 0}, exactly=lambda x: ((x > 0) - (x < 0), ">=", 1))
def sign(x: Probability):
    """sgn(x) >= 1."""
    return x.sgn(), ">=", 1


# ------------------------------------------------------------------------------------------------- clipped by `where`


@false("a pair is missing", enumerated([{"m": 1, "n": 2}, {"m": 1, "n": 3}]), at={"m": 2, "n": 3}, where=["m < n"])
def pairs(m: Few, n: Few):
    """m + n <= 4 where m < n."""
    return m + n, "<=", 4


@false("1/2 is no whole number and not 0", interval(), at={"epsilon": HALF, "x": 0})
def single_budget(epsilon: Annotated[Any, ["1/2"]], x: Probability):
    """epsilon (x + 1) <= 0 at epsilon = 1/2."""
    return epsilon * (x + 1), "<=", 0
