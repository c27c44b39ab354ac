"""False claims that come out true when a side is rounded: balls, midpoints, floats, precision."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from fractions import Fraction as F
from operator import truediv
from typing import Annotated, Any

import mpmath
import numpy as np
from flaws import HALF, INF, MINUTE, THIRD, Few, OneToTwo, false, searched

from banditproof.claims import Nonnegative, Probability, enumerated, interval
from banditproof.theory.numbers.numeric import exp, log, sqrt, to_ball

# ------------------------------------------------------------------------------------- uncertain comparisons of balls


@false("the branch for x > 1/2", interval(), at={"x": 1}, exactly=lambda x: (int(x > HALF), "<=", 0))
def branch(x: Probability):
    """1[x > 1/2] <= 0."""
    return 1 if x > 0.5 else 0, "<=", 0


@false("equality at 1/2", interval(), at={"x": "1/2"}, exactly=lambda x: (int(x == HALF), "<=", 0))
def equal_branch(x: Probability):
    """1[x = 1/2] <= 0."""
    return 1 if x == 0.5 else 0, "<=", 0


@false("false at zero", interval(), at={"x": 0}, exactly=lambda x: (int(x == 0), "<=", 0))
def truth_of_a_ball(x: Probability):
    """1[x = 0] <= 0."""
    return 0 if x else 1, "<=", 0


def halved(x, steps=0):
    while x > 1:
        x, steps = x / 2, steps + 1
    return steps


@false("3 is halved twice", interval(), at={"x": 3}, exactly=lambda x: (halved(x), "<=", 0))
def loop(x: Annotated[Any, "[0, 4]"]):
    """The number of halvings until x <= 1 is 0."""
    return halved(x), "<=", 0


@false("the smaller one is 2 x", interval(), at={"x": 0}, exactly=lambda x: (min(1, 2 * x), ">=", 1))
def builtin_min(x: Probability):
    """min(1, 2 x) >= 1."""
    return min(1, 2 * x), ">=", 1


@false("the larger one is x - 1/2", interval(), at={"x": 1}, exactly=lambda x: (max(0, x - HALF), "<=", 0))
def builtin_max(x: Probability):
    """(x - 1/2)^+ <= 0."""
    return max(0, x - 0.5), "<=", 0


@false("x itself is smaller", interval(), at={"x": "1/4"}, exactly=lambda x: (min(x, F(2, 5)), ">=", F(2, 5)))
def smallest(x: Annotated[Any, "[1/4, 1]"], low=F(2, 5), high=F(3, 5)):
    """The smallest of x, 2/5 and 3/5 is at least 2/5."""
    return sorted([low, x, high])[0], ">=", low


@false("the count is 2 at 1", interval(), at={"x": 1}, exactly=lambda x: ((x > THIRD) + (x > 2 * THIRD), "<=", 0))
def exceedances(x: Probability, low=THIRD, high=2 * THIRD):
    """How many of 1/3, 2/3 lie below x is 0."""
    return (x > low) + (x > high), "<=", 0


@false("x exceeds 1/2 at 1", interval(), at={"x": 1}, exactly=lambda x: (x > HALF, "==", False))
def boolean_side(x: Probability):
    """(x > 1/2) is false."""
    return bool(x > 0.5), "==", False


@false("x lies in [1/4, 3/4] at 1/2", interval(), at={"x": "1/2"}, exactly=lambda x: (int(0.25 <= x <= 0.75), "<=", 0))
def chained(x: Probability):
    """1[1/4 <= x <= 3/4] <= 0."""
    return int(0.25 <= x <= 0.75), "<=", 0


@false(
    "one of them exceeds 1/2", interval(), at={"x": 1}, exactly=lambda x: (int(any(v > HALF for v in (x, 0))), "<=", 0)
)
def any_of(x: Probability):
    """Neither x nor x² exceeds 1/2."""
    return int(any(v > 0.5 for v in (x, x * x))), "<=", 0


@false("1 is in the set", interval(), at={"x": 1}, exactly=lambda x: (int(x in (0, 1)), "<=", 0))
def membership(x: Probability):
    """x is neither 0 nor 1."""
    return int(x in (0, 1)), "<=", 0


@false("1/3 = 1/3", enumerated(x=["1/3"]), at={"x": "1/3"}, exactly=lambda x: ((x,), "!=", (THIRD,)))
def tuples(x: Annotated[Any, ["1/3"]], third=THIRD):
    """(x) and (1/3) differ at x = 1/3."""
    return (x, 1), "!=", (third, 1)


@false("x = 3 (x/3)", enumerated(x=["1/3", "1/7"]), at={"x": "1/7"}, exactly=lambda x: (int(3 * (x / 3) == x), "<=", 0))
def rounded_equality(x: Annotated[Any, ["1/3", "1/7"]]):
    """3 (x/3) is not x."""
    return 1 if 3 * (x / 3) == x else 0, "<=", 0


# --------------------------------------------------------------------------------------------- the midpoint of a ball


def peak(x, centre=THIRD, width=F(1, 10**4)):
    return exp(-(((to_ball(x) - to_ball(centre)) / to_ball(width)) ** 2))


@false(
    "a peak of height 1 at 1/3", interval(), at={"x": "1/3"}, exactly=lambda x: (peak(x), "<=", (2 + x) / 4), balls=True
)
def math_exp(x: Probability):
    """exp(-(10^4 (x - 1/3))²) <= (2 + x)/4."""
    return math.exp(-((1e4 * (x - to_ball(THIRD))) ** 2)), "<=", (2 + x) / 4


@false("float takes the middle", interval(), at={"x": 1}, exactly=lambda x: (int(x > F(9, 10)), "<=", x / 2 + F(1, 4)))
def through_float(x: Probability):
    """1[x > 9/10] <= x/2 + 1/4."""
    return (1 if float(x) > 0.9 else 0), "<=", x / 2 + 0.25


@false("the middle of the box is its own", interval(), at={"x": 1})
def midpoint(x: Probability):
    """x <= 1/2, at the value of x."""
    return x.mid() if hasattr(x, "mid") else x, "<=", to_ball(HALF) if hasattr(x, "mid") else HALF


@false("rounds to 1 at 1", interval(), at={"x": 1}, exactly=lambda x: (round(x), "<=", 0))
def rounded(x: Probability):
    """The integer nearest to x is 0."""
    return round(float(x)), "<=", 0


@false("a fraction of a float of a ball", interval(), at={"x": 1})
def through_fraction(x: Probability):
    """x <= 1/2."""
    return Fraction(float(x)), "<=", HALF


@false("the floor of 1 is 1", interval(), at={"x": 1}, exactly=lambda x: (x // 1, "<=", 0))
def math_floor(x: Probability):
    """floor(x) <= 0."""
    return math.floor(x), "<=", 0


@false("the ceiling of 3/4 is 1", interval(), at={"x": "3/4"}, exactly=lambda x: (math.ceil(x) - 1, ">=", x))
def math_ceil(x: Probability):
    """ceil(x) - 1 >= x."""
    return math.ceil(x) - 1, ">=", x


@false("math.log of a ball", interval(boxes=300), at={"x": 1}, exactly=lambda x: (log(x), "<", x - 1), balls=True)
def math_log(x: Annotated[Any, "[1/2, 2]"], gap=F(1, 10**6)):
    """log x <= x - 1 - 10^-6."""
    return math.log(x), "<=", x - 1 - gap


# ------------------------------------------------------------------------------------------------------- NumPy on balls


@false("e > 2", interval(), at={"x": 1}, exactly=lambda x: (exp(x), "<=", 2), balls=True)
def numpy_exp(x: Probability):
    """e^x <= 2 on [0, 1]."""
    return np.exp(x), "<=", 2


@false("the root of 1 exceeds 1/2", interval(), at={"x": 1}, exactly=lambda x: (sqrt(x), "<=", HALF), balls=True)
def numpy_sqrt(x: Probability, half=HALF):
    """The root of x is at most 1/2."""
    return np.sqrt(x), "<=", half


@false(
    "the larger one is at least 1/2", interval(), at={"x": 0}, exactly=lambda x: (max(x, 1 - x), "<=", 1 - x / 2 - HALF)
)
def numpy_maximum(x: Probability, half=HALF):
    """max(x, 1 - x) <= (1 - x)/2."""
    return np.maximum(x, 1 - x), "<=", 1 - x / 2 - half


@false("1 at 1", interval(), at={"x": 1}, exactly=lambda x: (int(x > HALF), "<=", 0))
def numpy_where(x: Probability):
    """1[x > 1/2] <= 0."""
    return np.where(x > 0.5, 1, 0).item(), "<=", 0


@false("the floor of 1", interval(), at={"x": 1}, exactly=lambda x: (x // 1, "<=", 0))
def numpy_floor(x: Probability):
    """floor(x) <= 0."""
    return np.floor(x), "<=", 0


@false("clipped to 1/4, not to 0", interval(), at={"x": 1}, exactly=lambda x: (min(max(x, 0), F(1, 4)), "<=", 0))
def numpy_clip(x: Probability):
    """x clipped to [0, 1/4] is 0."""
    return np.clip(x, 0, 0.25), "<=", 0


@false("2^64 is 0 in 64 bits", enumerated(n=range(1, 81)), at={"n": 80}, exactly=lambda n: (2**n, "<=", 2**63))
def overflow(n: Annotated[Any, "integer [1, 80]"]):
    """2^n <= 2^63 for n <= 80."""
    return np.prod(np.full(n, 2)), "<=", 2**63


@false(
    "40! has 48 digits", enumerated(n=range(1, 41)), at={"n": 40}, exactly=lambda n: (math.factorial(n), "<=", 2**63)
)
def factorial(n: Annotated[Any, "integer [1, 40]"]):
    """n! <= 2^63 for n <= 40."""
    return int(np.prod(np.arange(1, n + 1))), "<=", 2**63


# --------------------------------------------------------------------------------------------------- floats in formulas


@false("equality", interval(), at={"x": 1}, exactly=lambda x: (x / 10, "<", x * F(1, 10)))
def tenth(x: OneToTwo):
    """x/10 < 0.1 x."""
    return x / 10, "<", 0.1 * x


@false("equality", interval(), at={"x": 1}, exactly=lambda x: (F(1, 3) * x, "<", x / 3))
def third_of_int(x: OneToTwo, k=3):
    """(1/k) x < x/k at k = 3."""
    return (1 / k) * x, "<", x / k


@false("equality", interval(), at={"n": 3, "x": 1}, exactly=lambda n, x: (F(1, n) * x, "<", x / n))
def third_of_count(n: Annotated[Any, [3]], x: OneToTwo):
    """(1/n) x < x/n at n = 3."""
    return (1 / n) * x, "<", x / n


@false("equality", enumerated(n=[2]), at={"n": 2}, exactly=lambda n: (n, "<", n))
def log_of_count(n: Annotated[Any, [2]], one=F(1)):
    """log n < log (1 n) at n = 2."""
    return log(n), "<", log(n * one)


@false("equality", enumerated(n=range(1, 4)), at={"n": 2}, exactly=lambda n: (n, "!=", n))
def exp_of_count(n: Few, one=F(1)):
    """e^n is not e^(1 n)."""
    return exp(n), "!=", exp(n * one)


@false("equality", enumerated(n=[2]), at={"n": 2}, exactly=lambda n: (n, ">", n))
def root_of_count(n: Annotated[Any, [2]], one=F(1)):
    """The root of n, squared, exceeds n at n = 2."""
    return sqrt(n) ** 2, ">", n * one


@false("equality", interval(), at={"x": 1}, exactly=lambda x: (x, "<", x))
def log_of_two(x: OneToTwo, two=F(2)):
    """x log 2 < x log 2."""
    return log(2) * x, "<", x * log(two)


@false("equality", enumerated(n=[3]), at={"n": 3}, exactly=lambda n: (F(n, 10), "<", 3 * F(1, 10)))
def boolean_of_floats(n: Annotated[Any, [3]]):
    """n/10 < 3 · 0.1 at n = 3."""
    return n / 10 < 3 * 0.1, "==", True


@false("equality", enumerated(n=range(1, 4)), at={"n": 1}, exactly=lambda n: (F(n, 3), "<", F(n, 3)))
def fraction_of_float(n: Annotated[Any, "integer [1, 1]"]):
    """n/3 < n/3."""
    return Fraction(n / 3), "<", F(n, 3)


@false("equality", enumerated(n=range(1, 4)), at={"n": 1}, exactly=lambda n: (F(n, 3) * 3, "<", n))
def decimals(n: Annotated[Any, "integer [1, 3]"]):
    """3 (n/3) < n, in decimals of 28 digits."""
    return Decimal(n) / 3 * 3, "<", n + 0 * n


@false("equality", enumerated(n=[1]), at={"n": 1}, exactly=lambda n: (F(n, 3) * 3, "<", n))
def one_in_decimals(n: Annotated[Any, [1]]):
    """3 (n/3) < n at n = 1, in decimals of 28 digits."""
    return Decimal(n) / 3 * 3, "<", n


@false("equality", enumerated(n=[1]), at={"n": 1}, exactly=lambda n: (F(n, 10) + 2 * F(n, 10), ">", 3 * F(n, 10)))
def numpy_side(n: Annotated[Any, [1]]):
    """n/10 + 2 n/10 > 3 n/10 at n = 1, where n > 0."""
    return np.where(n > 0, n / 10 + 2 * n / 10, 0), ">", np.where(n > 0, 3 * n / 10, 0)


@false("equality", enumerated(n=[1]), at={"n": 1}, exactly=lambda n: (F(n, 10) + 2 * F(n, 10), "!=", 3 * F(n, 10)))
def set_of_floats(n: Annotated[Any, [1]]):
    """The sets of n/10 + 2 n/10 and of 3 n/10 differ at n = 1."""
    return {n / 10 + 2 * n / 10}, "!=", {3 * n / 10}


@false("the root of 3 squared is 3", enumerated(n=[3]), at={"n": 3}, exactly=lambda n: (n, "!=", n))
def multiprecision(n: Annotated[Any, [3]]):
    """The square of the root of n is not n, in mpmath's floats."""
    return mpmath.sqrt(n) ** 2, "!=", n


@false("10^17 + 1 is no float", enumerated(n=[10**17]), at={"n": 10**17}, exactly=lambda n: (n + 1, "<=", n))
def large_float(n: Annotated[Any, [10**17]]):
    """n + 1 <= n at n = 10^17."""
    return int(n + 1.0), "<=", n


@false(
    "the remainder of 3/10 by 1/10 is 0",
    enumerated(n=[3]),
    at={"n": 3},
    exactly=lambda n: (F(n, 10) % F(1, 10), ">", 0),
)
def remainder(n: Annotated[Any, [3]]):
    """n/10 is no multiple of 1/10 at n = 3."""
    return Fraction((n / 10) % 0.1), ">", 0


@false(
    "a nan differs from everything",
    enumerated(n=range(1, 4)),
    at={"n": 1},
    exactly=lambda n: (F(n - n, n - n), "!=", n),
)
def nan_side(n: Few):
    """0/0 != n."""
    return math.inf - math.inf, "!=", n


@false("inf = inf", enumerated(x=[0, 1, INF]), at={"x": INF}, exactly=lambda x: (x, "<", INF))
def infinite_side(x: Annotated[Any, [0, 1, "inf"]]):
    """x < inf for x in {0, 1, inf}."""
    return x, "<", INF


@false("inf - inf is undefined", enumerated(x=[0, 1, INF]), at={"x": INF}, balls=True)
def infinite_difference(x: Annotated[Any, [0, 1, "inf"]]):
    """x - x = 0 for x in {0, 1, inf}."""
    return x - x, "==", 0


@false("10^-17 is lost in a float", enumerated(n=[1]), at={"n": 1}, exactly=lambda n: (n * (1 + F(1, 10**17)), "<=", n))
def lost_in_a_float(n: Annotated[Any, [1]]):
    """n (1 + 10^-17) <= n."""
    return n * int((1 + 1e-17) * 2**60), "<=", n * 2**60


@false("10^-17 is lost in a float", searched, at={"x": 1}, exactly=lambda x: (x * (1 + F(1, 10**17)), "<=", x))
def lost_in_a_literal(x: Nonnegative):
    """x (1 + 10^-17) <= x."""
    return x * (1 + 1e-17), "<=", x


# --------------------------------------------------------------------------------------------------------- precision


@false("ten bits are few", interval(precision=10, boxes=300), at={"x": "1/2"})
def ten_bits(x: Probability, quarter=F(1, 4), gap=F(1, 10**6)):
    """x(1 - x) <= 1/4 - 10^-6."""
    return x * (1 - x), "<=", quarter - gap


@false(
    "10^-40 is lost beside 10^20",
    enumerated(x=[0, "1/2"]),
    at={"x": "1/2"},
    exactly=lambda x: (x + F(1, 10**40), "<=", x),
)
def cancelled_digits(x: Annotated[Any, ["0", "1/2"]], gap=F(1, 10**40)):
    """(x + 10^20 + 10^-40) - 10^20 <= x."""
    return (x + 10**20 + gap) - 10**20, "<=", x


@false("10^-30 apart", enumerated(x=["1/3"]), at={"x": "1/3"})
def rationals_apart(x: Annotated[Any, ["1/3"]], gap=MINUTE):
    """x + 10^-30 = x."""
    return x + gap, "==", x


@false("log(1 + 10^-30) is positive", searched, at={"x": 1}, balls=True)
def hidden_in_a_logarithm(x: OneToTwo, one=F(1)):
    """log(e^x (1 + 10^-30)) <= x."""
    return log(exp(x) * (one + MINUTE if not hasattr(x, "mid") else one + to_ball(MINUTE))), "<=", x


# ---------------------------------------------------------------------------------- exact numbers that decay to floats


def less_than_itself(x):
    return x, "<", x


def not_itself(**number):
    return tuple(number.values()), "!=", tuple(number.values())


@false("a float below 1/3", enumerated(x=[THIRD], rational=True), at={"x": THIRD}, exactly=less_than_itself)
def numerator_by_denominator(x: Annotated[Any, "[1/3, 1/3]"]):
    """x < x, of the parts of a rational."""
    return F(x.numerator / x.denominator), "<", x


@false("the parts of a sum are watched too", enumerated(x=[THIRD], rational=True), at={"x": THIRD}, exactly=not_itself)
def parts_of_a_sum(x: Annotated[Any, "[1/3, 1/3]"]):
    """x + 1 != x + 1."""
    shifted = x + 1
    return F(shifted.numerator / shifted.denominator), "!=", x + 1


@false("a quotient of a dict's entries", enumerated(n=[1, 2], rational=True), at={"n": 1}, exactly=not_itself)
def shares(n: Annotated[Any, "integer [1, 2]"]):
    """3 (n/3) != n."""
    share = {"part": n, "whole": 3}
    return 3 * F(share["part"] / share["whole"]), "!=", n


@false("a quotient by name", enumerated(n=[1, 2], rational=True), at={"n": 1}, exactly=not_itself)
def by_an_operator(n: Annotated[Any, "integer [1, 2]"]):
    """3 (n/3) != n."""
    return 3 * F(truediv(n, 3)), "!=", n


@false("a root is a float", enumerated(n=[1, 2], rational=True), at={"n": 1}, exactly=not_itself)
def square_of_a_root(n: Annotated[Any, "integer [1, 2]"]):
    """(sqrt 2)² n != 2 n."""
    return F(2 ** F(1, 2)) ** 2 * n, "!=", 2 * n


@false("the cube root of 8 is 2", enumerated(x=[8]), interval(), at={"x": 8}, exactly=lambda x: (2, "<", 2))
def power_by_a_float(x: Annotated[Any, "[8, 8]"]):
    """8^(1/3) < 2."""
    return x ** F(1, 3), "<", 2
