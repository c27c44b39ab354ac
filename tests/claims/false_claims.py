"""False claims, written as an author would write them; none of them may come out proved.

Each says why it is false and gives a point of its domain at which it fails. Where the relation is itself the trap (it
branches on a ball, rounds, asks NumPy), ``exactly`` is the printed formula; with ``balls`` it is evaluated in balls of
200 bits and not in rationals. A formula that is undefined at a point fails there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from fractions import Fraction as F
from typing import Annotated, Any

import mpmath
import numpy as np
import sympy

from banditproof.claims.derivations import derivation, fact, facts_hold
from banditproof.claims.register import claim, item
from banditproof.claims.sets import (
    AboveZero,
    AtLeastOne,
    BelowOne,
    Count,
    Inside,
    Natural,
    Nonnegative,
    Policy,
    Positive,
    Probability,
    Real,
)
from banditproof.claims.steps import argued, certified, enumerated, interval, quadrature, symbolic, tried_at
from banditproof.theory.numbers.numeric import absolute, exp, log, maximum, minimum, sqrt, to_ball, where
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.symbolic import SymbolicArgument
from banditproof.verify.proof.symbols import nonnegative, positive, real

INF = math.inf
TINY, MINUTE = F(1, 10**12), F(1, 10**30)
HALF, THIRD = F(1, 2), F(1, 3)

Symmetric = Annotated[Any, "[-1, 1]"]
ToThird = Annotated[Any, "[0, 1/3]"]
ToTwo = Annotated[Any, "[0, 2]"]
OneToTwo = Annotated[Any, "[1, 2]"]
Extended = Annotated[Any, "[0, inf]"]
Line = Annotated[Any, "[-inf, inf]"]
Few = Annotated[Any, "integer [1, 3]"]
Pair = Annotated[Any, "integer [1, 2]"]


@dataclass(frozen=True)
class Flaw:
    """Why a claim is false, and where; ``contrived`` marks what nobody would write by mistake."""

    why: str
    at: Mapping[str, Any]
    exactly: Callable[..., Any]
    balls: bool
    contrived: bool


FLAWS: dict[str, Flaw] = {}


def false(
    why: str, *steps: Any, at: Mapping[str, Any], exactly: Any = None, balls: bool = False, contrived: bool = False,
    **options: Any,
) -> Callable[[Any], Any]:  # fmt: skip
    """Register a false claim under its function's name."""

    def register(relation: Any) -> Any:
        name = f"FALSE-{relation.__name__}"
        point = {n: F(v) if isinstance(v, str) else v for n, v in at.items()}
        FLAWS[name] = Flaw(why, point, exactly or relation, balls, contrived)
        return claim(name, *steps, **options)(relation)

    return register


# -------------------------------------------------------------------------------------------------- ends of intervals


@false("equality at the closed end", interval(boxes=200), at={"x": "1/3"})
def below_a_third(x: ToThird, third=THIRD):
    """x < 1/3."""
    return x, "<", third


@false("equality at the closed end", symbolic(), at={"x": 1})
def below_one(x: Probability):
    """x < 1."""
    return x, "<", 1


@false("equality at the closed end", interval(boxes=500), at={"x": 1})
def below_one_in_balls(x: Probability):
    """x < 1."""
    return x, "<", 1


@false("equality at zero", symbolic(), at={"x": 0})
def positive_everywhere(x: Nonnegative):
    """x > 0."""
    return x, ">", 0


@false("equality at zero", symbolic(), at={"x": 0})
def square_positive(x: Real):
    """x² > 0."""
    return x**2, ">", 0


@false("fails beside the open end", symbolic(), at={"x": 1 - F(1, 10**13)})
def short_of_one(x: BelowOne, gap=TINY):
    """x <= 1 - 10^-12 on [0, 1)."""
    return x, "<=", 1 - gap


@false("fails beside the open end", interval(boxes=500), at={"x": 1 - F(1, 10**13)})
def short_of_one_in_balls(x: BelowOne, gap=TINY):
    """x <= 1 - 10^-12 on [0, 1)."""
    return x, "<=", 1 - gap


@false("fails beside the open end", symbolic(), at={"x": F(1, 10**13)})
def away_from_zero(x: AboveZero, gap=TINY):
    """x >= 10^-12 on (0, 1]."""
    return x, ">=", gap


@false("fails beside the open end", tried_at(x=["1/2", 1]), interval(boxes=500), at={"x": F(1, 10**13)})
def away_from_zero_in_balls(x: AboveZero, gap=TINY):
    """x >= 10^-12 on (0, 1]."""
    return x, ">=", gap


@false("the line does not end there", symbolic(), at={"x": 10**12 + 1})
def below_a_million_millions(x: Real):
    """x <= 10^12."""
    return x, "<=", 10**12


@false("e^-inf is 0, and the set has inf", symbolic(), at={"x": INF}, balls=True)
def exponential_positive(x: Extended):
    """e^-x > 0 for x in [0, inf]."""
    return exp(-x), ">", 0


@false("1/(1 + inf) is 0, and the set has inf", symbolic(), at={"x": INF}, balls=True)
def fraction_positive(x: Extended):
    """1/(1 + x) > 0 for x in [0, inf]."""
    return 1 / (1 + x), ">", 0


@false("inf is not below inf + 1", symbolic(), at={"x": INF})
def successor(x: Line):
    """x < x + 1 on the extended line."""
    return x, "<", x + 1


def extended_by_symbol():
    x = nonnegative("x")
    return SymbolicArgument({"x": x}, 1 / (1 + x), "positive")


@false("inf / (1 + inf) is undefined", symbolic(extended_by_symbol), at={"x": INF}, balls=True)
def odds_below_one(x: Extended):
    """x/(1 + x) < 1 for x in [0, inf]."""
    return x / (1 + x), "<", 1


@false("an infinite budget is a budget here", symbolic(), at={"x": INF})
def finite_budget(x: Extended):
    """x < 2 x + 1 for x in [0, inf]."""
    return x, "<", 2 * x + 1


# ------------------------------------------------------------------------------------------ narrow regions and corners


@false("the square is zero at 1/3", interval(boxes=1000), at={"x": "1/3"})
def off_the_third(x: Probability, third=THIRD, width=TINY):
    """(x - 1/3)² >= 10^-24."""
    return (x - third) * (x - third), ">=", width**2


@false("the square is zero at 1/3", symbolic(), at={"x": "1/3"})
def off_the_third_symbolically(x: Probability, third=THIRD, width=TINY):
    """(x - 1/3)² >= 10^-24."""
    return (x - third) ** 2, ">=", width**2


@false("negative between two roots 10^-12 apart", interval(boxes=1000), at={"x": HALF + F(1, 2 * 10**12)})
def two_close_roots(x: Probability, half=HALF, width=TINY):
    """(x - 1/2)(x - 1/2 - 10^-12) >= 0."""
    return (x - half) * (x - half - width), ">=", 0


@false("negative between two roots 10^-12 apart", symbolic(), at={"x": HALF + F(1, 2 * 10**12)})
def two_close_roots_symbolically(x: Probability, half=HALF, width=TINY):
    """(x - 1/2)(x - 1/2 - 10^-12) >= 0."""
    return (x - half) * (x - half - width), ">=", 0


@false("equality in the corner", interval(boxes=500), at={"x": 1, "y": 1})
def corner(x: Probability, y: Probability):
    """x + y < 2."""
    return x + y, "<", 2


@false("equality in the corner", symbolic(), at={"x": 1, "y": 1})
def corner_symbolically(x: Probability, y: Probability):
    """x + y < 2."""
    return x + y, "<", 2


@false("fails in a corner of width 10^-12", interval(boxes=500), at={"x": 1, "y": 1})
def product_below_one(x: Probability, y: Probability, gap=TINY):
    """x y <= 1 - 10^-12."""
    return x * y, "<=", 1 - gap


@false("fails in a corner of the cube", symbolic(), at={"x": 1, "y": 1, "z": 1})
def cube(x: Probability, y: Probability, z: Probability, gap=F(1, 10**9)):
    """x y z <= 1 - (1 - x)(1 - y)(1 - z) - 10^-9."""
    return x * y * z, "<=", 1 - (1 - x) * (1 - y) * (1 - z) - gap


@false("equality on the diagonal", interval(boxes=500), at={"x": "1/2", "y": "1/2"}, balls=True)
def apart(x: Probability, y: Probability):
    """|x - y| > 0."""
    return absolute(x - y), ">", 0


@false("equality on the diagonal", symbolic(), at={"x": 1, "y": 1})
def squares_apart(x: Real, y: Real):
    """x² + y² > 2 x y."""
    return x**2 + y**2, ">", 2 * x * y


@false("equality on the diagonal", interval(boxes=500), at={"x": "1/2", "y": "1/2"}, balls=True)
def larger_and_smaller(x: Probability, y: Probability):
    """min(x, y) < max(x, y)."""
    return minimum(x, y), "<", maximum(x, y)


@false("equality on the diagonal", interval(boxes=500), at={"x": 0, "y": 0})
def different(x: Probability, y: Probability):
    """x != y."""
    return x, "!=", y


@false("equality at x = y", symbolic(), at={"x": 4, "y": 4})
def means_differ(x: Positive, y: Positive):
    """(x + y)²/4 > x y."""
    return (x + y) ** 2 / 4, ">", x * y


@false("fails in (0, 1/1000)", symbolic(), at={"x": "1/2000"})
def quadratic_near_zero(x: Positive):
    """x² >= x/1000."""
    return x**2, ">=", x / 1000


@false("the maximum of x(1-x) is 1/4 and not below", interval(boxes=500), at={"x": "1/2"})
def variance(x: Probability, quarter=F(1, 4)):
    """x(1 - x) < 1/4."""
    return x * (1 - x), "<", quarter


@false("a factor of 10^-9 too sharp", interval(boxes=2000), at={"x": "1/2"})
def sharper_variance(x: Probability, quarter=F(1, 4) - F(1, 10**9)):
    """x(1 - x) <= 1/4 - 10^-9."""
    return x * (1 - x), "<=", quarter


# -------------------------------------------------------------------------------------- single missing points and parts

left_half, right_half = {"x": "[0, 1/2)"}, {"x": "(1/2, 1]"}


@false("the halves leave out 1/2", symbolic(covers=left_half), symbolic(covers=right_half), at={"x": "1/2"})
def off_the_middle(x: Probability):
    """(2 x - 1)² > 0."""
    return (2 * x - 1) ** 2, ">", 0


@false("1/2 is left out", interval({"x": "[0, 49/100]"}), interval({"x": "[51/100, 1]"}), at={"x": "1/2"})
def off_the_middle_in_balls(x: Probability):
    """(2 x - 1)² > 0."""
    return (2 * x - 1) * (2 * x - 1), ">", 0


@false("zero is in neither part", symbolic(covers={"x": "(-inf, 0)"}), symbolic(covers={"x": "(0, inf)"}), at={"x": 0})
def inverse_of_inverse(x: Real):
    """1/(1/x) = x."""
    return 1 / (1 / x), "==", x


@false("ends are no interior", enumerated(x=[0, 1], rational=True), at={"x": "1/2"})
def zero_or_one(x: Probability):
    """x(1 - x) = 0."""
    return x * (1 - x), "==", 0


@false("the region given by hand is larger", enumerated(x=[0, 1], covers={"x": "[0, 1]"}), at={"x": "1/2"})
def zero_or_one_everywhere(x: Probability):
    """x(1 - x) <= 0."""
    return x * (1 - x), "<=", 0


@false("the tie is missing", symbolic(covers=Domain.of(["x != 1/2"], x="[0, 1]")), at={"x": "1/2"})
def off_the_middle_by_constraint(x: Probability):
    """(2 x - 1)² > 0."""
    return (2 * x - 1) ** 2, ">", 0


@false("closed at 1 in the claim, open in the proof", symbolic(covers={"x": "[0, 1)"}), at={"x": 1})
def open_proof(x: Probability):
    """x < 1."""
    return x, "<", 1


@false("finite in the proof, infinite in the claim", symbolic(covers={"x": "[0, 100]"}), at={"x": 101})
def bounded_proof(x: Nonnegative):
    """x <= 100."""
    return x, "<=", 100


# ------------------------------------------------------------------------------------------------------------- integers


def smallest_factor(n: int) -> int:
    return next(d for d in range(2, n + 1) if n % d == 0)


@false("41² is no prime", enumerated(n=range(40), covers={"n": "integer [0, inf)"}), at={"n": 40})
def euler(n: Natural):
    """n² + n + 41 is prime."""
    value = n**2 + n + 41
    return smallest_factor(value), "==", value


@false("the last count is missing", enumerated(n=range(1, 10), rational=True), at={"n": 10})
def off_by_one(n: Annotated[Any, "integer [1, 10]"]):
    """n < 10."""
    return n, "<", 10


@false("fails from 2 to 9", enumerated(n=range(10, 60), covers={"n": "integer [1, inf)"}), at={"n": 2})
def eventually(n: Count):
    """2^n >= n³."""
    return 2**n, ">=", n**3


@false("fails at 1", symbolic(), at={"n": 1})
def doubles(n: Count):
    """n² > n."""
    return n**2, ">", n


@false("fails at 0", symbolic(), at={"n": 0})
def reciprocal_count(n: Natural):
    """n/n = 1."""
    return n / n if not isinstance(n, int) else F(n, n), "==", 1


@false("3 is in the domain", symbolic(covers={"n": "integer [1, 2]"}), at={"n": 3})
def two_of_three(n: Few):
    """(n - 1)(n - 2) <= 0."""
    return (n - 1) * (n - 2), "<=", 0


@false("true of counts, not of reals", enumerated(x=range(1, 100), rational=True), at={"x": "3/2"})
def reals_are_no_counts(x: AtLeastOne):
    """(x - 1)(x - 2) >= 0."""
    return (x - 1) * (x - 2), ">=", 0


@false("2³² + 1 = 641 · 6700417", enumerated(n=range(5), covers={"n": "integer [0, 5]"}), at={"n": 5})
def fermat(n: Annotated[Any, "integer [0, 5]"]):
    """2^(2^n) + 1 has no divisor below 1000, except itself."""
    value = 2**2**n + 1
    return any(value % d == 0 for d in range(2, min(1000, value))), "==", False


# ------------------------------------------------------------------------------------------------------ discontinuities


@false("a jump at 1/2", interval(), at={"x": 1})
def step(x: Probability, half=HALF):
    """1[x >= 1/2] <= 0."""
    return where(x, "<", half, 0, 1), "<=", 0


@false("a single point", interval(), at={"x": "1/2"})
def spike(x: Probability, half=HALF):
    """1[x = 1/2] <= 0."""
    return where(x, "==", half, 1, 0), "<=", 0


@false("a narrow box around 1/3", interval(), at={"x": "1/3"})
def narrow_box(x: Probability, third=THIRD, width=TINY):
    """1[|x - 1/3| < 10^-12] <= 1/2."""
    return where(absolute(x - third), "<", width, 1, 0), "<=", HALF if isinstance(x, Fraction) else to_ball(HALF)


@false("a jump down under a rising line", interval(), at={"x": "1/2"})
def saw(x: Probability, half=HALF):
    """x - 1[x >= 1/2] >= 0."""
    return x - where(x, "<", half, 0, 1), ">=", 0


@false("a jump across the diagonal", interval(), at={"x": 1, "y": 0})
def order(x: Probability, y: Probability):
    """1[x > y] <= 0."""
    return where(x, "<=", y, 0, 1), "<=", 0


@false("0^0 = 1", interval(), at={"x": 0})
def power_of_zero(x: Probability):
    """0^x <= (3 - x)/4."""
    return where(x, "==", 0, 1, 0), "<=", (3 - x) / 4


@false("the second stair", interval(), at={"x": 2})
def staircase(x: ToTwo):
    """floor(x) <= 0, by cases."""
    return where(x, "<", 1, 0, lambda: where(x, "<", 2, 1, 2)), "<=", 0


@false("a jump inside a maximum", interval(), at={"x": 1}, balls=True)
def jump_in_maximum(x: Probability, half=HALF):
    """max(1[x >= 1/2], 0) <= 0."""
    return maximum(where(x, "<", half, 0 * x, 0 * x + 1), 0 * x), "<=", 0


@false("a jump in a derivation's fact", argued("", covers={"x": "[0, 1]"}), at={"x": 1})
def derived_step(x: Probability, last=F(99, 100)):
    """1[x > 99/100] <= 0."""
    return where(x, "<=", last, 0, 1), "<=", 0


@false("a jump on symbols", symbolic(), at={"x": 1})
def symbolic_step(x: Probability, half=HALF):
    """1[x >= 1/2] <= 0."""
    return where(x, "<", half, 0, 1), "<=", 0


@false("a single point on symbols", symbolic(), at={"x": 0})
def symbolic_spike(x: Nonnegative):
    """1[x = 0] <= 0."""
    return where(x, "==", 0, 1, 0), "<=", 0


@false("the other branch is negative", symbolic(), at={"x": "1/2"})
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


@false("equality is in the domain", interval(boxes=300), at={"x": "1/3"}, where=["x <= 1/3"])
def clipped_third(x: Probability, third=THIRD):
    """x < 1/3 where x <= 1/3."""
    return x, "<", third


@false("equality on the tie", interval(boxes=300), at={"x": "1/2", "y": "1/2"}, where=["x <= y"])
def clipped_order(x: Probability, y: Probability):
    """x < y where x <= y."""
    return x, "<", y


@false("equality at the middle of the edge", interval(boxes=300), at={"x": "1/2", "y": "1/2"}, where=["x + y <= 1"])
def simplex(x: Probability, y: Probability, quarter=F(1, 4)):
    """x y < 1/4 on the simplex."""
    return x * y, "<", quarter


@false("between the parabola and the line", interval(), at={"x": "1/2", "y": "1/4"}, where=["y >= x**2"])
def above_the_parabola(x: Probability, y: Probability):
    """y >= x where y >= x²."""
    return y, ">=", x


@false("one point is left: the corner", interval(boxes=300), at={"x": 1, "y": 1}, where=["x + y >= 2"])
def last_corner(x: Probability, y: Probability):
    """x y < 1 where x + y >= 2."""
    return x * y, "<", 1


@false("the root of 1/50 is larger", interval(), at={"x": "7071/50000"}, where=["x**2 <= 0.02"])
def root_of_a_fiftieth(x: Probability, bound=F(1414, 10000)):
    """x <= 0.1414 where x² <= 0.02."""
    return x, "<=", bound


def strictly_below():
    y, s = positive("y s")
    return SymbolicArgument({"x": y * s / (1 + s), "y": y}, y / (1 + s), "positive")


@false("the tie is not reached", symbolic(strictly_below), at={"x": 1, "y": 1}, where=["x <= y"])
def unreached_tie(x: Positive, y: Positive):
    """x < y where x <= y."""
    return x, "<", y


@false("a pair is missing", enumerated([{"m": 1, "n": 2}, {"m": 1, "n": 3}]), at={"m": 2, "n": 3}, where=["m < n"])
def pairs(m: Few, n: Few):
    """m + n <= 4 where m < n."""
    return m + n, "<=", 4


@false("1/2 is no whole number and not 0", interval(), at={"epsilon": HALF, "x": 0})
def single_budget(epsilon: Annotated[Any, ["1/2"]], x: Probability):
    """epsilon (x + 1) <= 0 at epsilon = 1/2."""
    return epsilon * (x + 1), "<=", 0


@false("constraints do not help a symbolic proof", symbolic(), at={"x": "1/4", "y": "1/4"}, where=["x + y >= 1/2"])
def more_than_half(x: Probability, y: Probability):
    """x + y >= 3/4 where x + y >= 1/2."""
    return x + y, ">=", F(3, 4)


@false("the sign pattern is not the region", symbolic(covers=Domain.of(["x > 1/2"], x="[0, 1]")), at={"x": "1/4"})
def elsewhere(x: Probability):
    """3 x >= 1."""
    return 3 * x, ">=", 1


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


@false("10^-17 is lost in a float", symbolic(), at={"x": 1}, exactly=lambda x: (x * (1 + F(1, 10**17)), "<=", x))
def lost_in_a_literal(x: Nonnegative):
    """x (1 + 10^-17) <= x."""
    return x * (1 + 1e-17), "<=", x


# -------------------------------------------------------------------- symbolic proofs: what is undefined, or of no sign


@false("0/0", symbolic(), at={"x": 0})
def quotient_with_itself(x: Real):
    """x/x = 1."""
    return x / x, "==", 1


@false("0/0 at 1", symbolic(), at={"x": 1})
def cancelled(x: ToTwo):
    """(x² - 1)/(x - 1) = x + 1."""
    return (x**2 - 1) / (x - 1), "==", x + 1


@false("1/0 at 0", symbolic(), at={"x": 0})
def times_inverse(x: Nonnegative):
    """x · (1/x) <= 1."""
    return x * (1 / x), "<=", 1


@false("1/0 - 1/0 on the diagonal", symbolic(), at={"x": 1, "y": 1})
def equal_poles(x: Probability, y: Probability):
    """1/(x - y) + 1/(y - x) = 0."""
    return 1 / (x - y) + 1 / (y - x), "==", 0


@false("the root of -1", symbolic(), at={"x": -1}, balls=True)
def squared_root(x: Real):
    """The square of the root of x is x."""
    return sqrt(x) ** 2, "==", x


@false("the logarithm of -1", symbolic(), at={"x": -1}, balls=True)
def exp_of_log(x: Real):
    """e^(log x) = x."""
    return exp(log(x)), "==", x


@false("the logarithm of -1", symbolic(), at={"x": -1}, balls=True)
def log_minus_log(x: Real):
    """log x - log x <= 0."""
    return log(x) - log(x), "<=", 0


@false("-inf + inf at 0", symbolic(), at={"x": 0}, balls=True)
def log_minus_log_at_zero(x: Nonnegative):
    """log x - log x = 0."""
    return log(x) - log(x), "==", 0


@false("0 log 0", symbolic(), at={"x": 0}, balls=True)
def entropy_at_zero(x: Nonnegative):
    """x log x - x log x = 0."""
    return x * log(x), "==", x * log(x)


@false("undefined for x < 1", symbolic(), at={"x": 0}, balls=True)
def twice_a_logarithm(x: Real):
    """2 log(x - 1) = log(x - 1) + log(x - 1)."""
    return 2 * log(x - 1), "==", log(x - 1) + log(x - 1)


@false("log x is not defined for x = -1", symbolic(), at={"x": -1}, balls=True)
def log_of_square(x: Real):
    """log x² = 2 log x."""
    return log(x**2), "==", 2 * log(x)


@false("the root of (-1)² is 1", symbolic(), at={"x": -1}, balls=True)
def root_of_square(x: Real):
    """The root of x² is x."""
    return sqrt(x**2), "==", x


@false("roots of negative numbers", symbolic(), at={"x": -1, "y": -1}, balls=True)
def root_of_product(x: Real, y: Real):
    """The root of a product is the product of the roots."""
    return sqrt(x * y), "==", sqrt(x) * sqrt(y)


@false("log of a product of negative numbers", symbolic(), at={"x": -1, "y": -1}, balls=True)
def log_of_product(x: Real, y: Real):
    """log(x y) = log x + log y."""
    return log(x * y), "==", log(x) + log(y)


@false("0^-1", symbolic(), at={"x": 0, "y": -1}, balls=True)
def power_sign(x: Nonnegative, y: Real):
    """x^y >= 0."""
    return x**y, ">=", 0


@false("1/0", symbolic(), at={"x": 0})
def inverse_nonnegative(x: Nonnegative):
    """1/x >= 0."""
    return 1 / x, ">=", 0


@false("1/0", symbolic(), at={"x": 0})
def inverse_square(x: Real):
    """1/x² > 0."""
    return 1 / x**2, ">", 0


@false("0/0", symbolic(), at={"x": 0})
def sign_quotient(x: Real):
    """|x|/x <= 1."""
    return absolute(x) / x if not isinstance(x, Fraction) else abs(x) / x, "<=", 1


@false("0 · (1/0)", symbolic(), at={"x": 0})
def zero_times_pole(x: Real):
    """0/x = 0."""
    return 0 / x, "==", 0


@false("-1 is negative", symbolic(), at={"x": -1})
def assumed_sign(x: Real):
    """x³ >= 0."""
    return x**3, ">=", 0


@false("log of numbers below 1 is negative", symbolic(), at={"x": "1/2"}, balls=True)
def assumed_log(x: Positive):
    """log x >= 0."""
    return log(x), ">=", 0


@false("x = 1 is a case of its own", symbolic(), at={"x": 1}, exactly=lambda x: (2 if x == 1 else 0, "<=", x))
def special_case(x: Nonnegative):
    """The value, which is 2 at 1 and else 0, is at most x."""
    return 2 if x == 1 else 0, "<=", x


@false("1 is in the table", symbolic(), at={"n": 1})
def tabled(n: Count):
    """The tabled value, else n, is at most n."""
    return {1: 5}.get(n, n), "<=", n


@false("2 is in the list", symbolic(), at={"n": 2})
def listed(n: Count):
    """n, but 10 for 1, 2, 3, is at most n."""
    return 10 if n in (1, 2, 3) else n, "<=", n


@false("0 is false", symbolic(), at={"n": 0})
def truth_of_a_symbol(n: Natural):
    """n or else 1 is n."""
    return n or 1, "==", n


@false("odd numbers have a remainder", symbolic(), at={"n": 1})
def guarded_remainder(n: Count):
    """n mod 2 = 0."""
    return n % 2 if isinstance(n, int) else 0, "==", 0


@false("equal at x = y", symbolic(), at={"x": 1, "y": 1})
def kronecker(x: Real, y: Real):
    """1[x = y] = 0."""
    return int(x == y), "==", 0


@false("1/2 is no integer", symbolic(), at={"x": "1/2"})
def hidden_type(x: Probability):
    """x is 0, unless it is a symbol."""
    return 0 if isinstance(x, sympy.Basic) else x, "<=", 0


# -------------------------------------------------------------------------------- parametrisations that do not reach


def by_exp():
    s = positive("s")
    return SymbolicArgument({"x": sympy.exp(s)}, s, "positive")


@false("e^s exceeds 1", symbolic(by_exp), at={"x": "1/2"}, balls=True)
def log_positive(x: Positive):
    """log x >= 0."""
    return log(x), ">=", 0


def by_log():
    e = nonnegative("e")
    return SymbolicArgument({"x": 1 + sympy.log(1 + e)}, sympy.log(1 + e), "nonnegative")


@false("starts at 1", symbolic(by_log), at={"x": "1/2"})
def budgets_above_one(x: Positive):
    """x >= 1."""
    return x, ">=", 1


def shifted():
    s = nonnegative("s")
    return SymbolicArgument({"x": 1 + s}, s * (1000 * s + 999), "nonnegative")


@false("negative in (999/1000, 1)", symbolic(shifted), at={"x": F(9995, 10000)})
def shifted_by_one(x: Annotated[Any, "(999/1000, inf)"]):
    """(x - 1)(1000 x - 1) >= 0."""
    return (x - 1) * (1000 * x - 1), ">=", 0


def nearly_one():
    s, c = nonnegative("s"), 1 - sympy.Rational(1, 10**9)
    return SymbolicArgument({"x": c * s / (1 + s)}, c / (1 + s), "positive")


@false("ends at 1 - 10^-9", symbolic(nearly_one), at={"x": 1 - F(1, 10**10)})
def nearly_all(x: BelowOne, gap=F(1, 10**9)):
    """x <= 1 - 10^-9."""
    return x, "<=", 1 - gap


def itself():
    x = nonnegative("x")
    return SymbolicArgument({"x": x}, x, "nonnegative")


@false("starts at 0", symbolic(itself), at={"x": F(-1, 10**7)})
def nearly_nonnegative(x: Annotated[Any, "(-1e-6, inf)"]):
    """x >= 0."""
    return x, ">=", 0


def above_one():
    s, gap = positive("s"), sympy.Rational(1, 10**7)
    return SymbolicArgument({"x": 1 + gap + s}, s, "positive")


@false("starts at 1 + 10^-7", symbolic(above_one), at={"x": 1 + F(1, 10**8)})
def well_above_one(x: Annotated[Any, "(1, inf)"], gap=F(1, 10**7)):
    """x >= 1 + 10^-7."""
    return x, ">=", 1 + gap


def by_square():
    s = real("s")
    return SymbolicArgument({"x": s**2}, s**2, "nonnegative")


@false("squares are nonnegative", symbolic(by_square), at={"x": -1})
def squares_only(x: Real):
    """x >= 0."""
    return x, ">=", 0


def by_odds():
    s = nonnegative("s")
    return SymbolicArgument({"x": s / (1 + s)}, 1 / (1 + s), "positive")


@false("odds never reach 1", symbolic(by_odds), at={"x": 1})
def odds_only(x: Probability):
    """x < 1."""
    return x, "<", 1


def positive_odds():
    s = positive("s")
    return SymbolicArgument({"x": s / (1 + s)}, s / (1 + s), "positive")


@false("positive odds never reach 0", symbolic(positive_odds), at={"x": 0})
def positive_odds_only(x: BelowOne):
    """x > 0."""
    return x, ">", 0


def diagonal():
    s = real("s")
    return SymbolicArgument({"x": s, "y": s}, sympy.S.Zero, "zero")


@false("only the diagonal", symbolic(diagonal), at={"x": 0, "y": 1})
def all_equal(x: Real, y: Real):
    """x = y."""
    return x, "==", y


def one_above_the_other():
    s, t = positive("s t")
    return SymbolicArgument({"x": s, "y": s + t}, t, "positive")


@false("only one order", symbolic(one_above_the_other), at={"x": 2, "y": 1})
def ordered(x: Positive, y: Positive):
    """x < y."""
    return x, "<", y


def two_for_one():
    s, t = nonnegative("s t")
    return SymbolicArgument({"x": s + t + 1}, s + t, "nonnegative")


@false("two symbols that start at 1", symbolic(two_for_one), at={"x": "1/2"})
def sum_of_symbols(x: Nonnegative):
    """x >= 1."""
    return x, ">=", 1


def even_counts():
    n = sympy.Symbol("n", integer=True, nonnegative=True)
    return SymbolicArgument({"n": 2 * n}, 0, "zero")


@false("even counts only", symbolic(even_counts), at={"n": 1}, exactly=lambda n: ((-1) ** n, "==", 1))
def alternating(n: Natural):
    """(-1)^n = 1."""
    return (-1) ** n, "==", 1


def later_counts():
    n = sympy.Symbol("n", integer=True, positive=True)
    return SymbolicArgument({"n": n + 1}, n, "positive")


@false("1 is a count", symbolic(later_counts), at={"n": 1})
def from_two(n: Count):
    """n > 1."""
    return n, ">", 1


def nonzero():
    x = sympy.Symbol("x", real=True, nonzero=True)
    return SymbolicArgument({"x": x}, x**2, "positive")


@false("the symbol is never 0", symbolic(nonzero), at={"x": 0})
def square_of_nonzero(x: Real):
    """x² > 0."""
    return x**2, ">", 0


def nonzero_quotient():
    return SymbolicArgument({"x": sympy.Symbol("x", real=True, nonzero=True)}, 0, "zero")


@false("the symbol is never 0", symbolic(nonzero_quotient), at={"x": 0})
def quotient_of_nonzero(x: Real):
    """x/x = 1."""
    return x / x, "==", 1


def negative():
    x = sympy.Symbol("x", negative=True)
    return SymbolicArgument({"x": x}, x**2, "positive")


@false("the symbol is negative", symbolic(negative), at={"x": 0})
def square_of_negative(x: Real):
    """x² > 0."""
    return x**2, ">", 0


def power_of_minus_one(exponent):
    return (-1) ** exponent if not isinstance(exponent, Fraction) else (-1) ** int(exponent)


def whole():
    return SymbolicArgument({"x": sympy.Symbol("n", integer=True, positive=True)}, 0, "zero")


@false("counts are no reals: (-1)³ at 3/2", symbolic(whole), at={"x": "3/2"})
def counts_for_reals(x: AtLeastOne):
    """(-1)^(2 x) = 1."""
    return power_of_minus_one(2 * x), "==", 1


nine_and_a_half = [F(3, 2), *range(1, 10)]


@false("3/2 is one of the points", symbolic(whole), at={"x": "3/2"}, contrived=True)
def counts_for_points(x: Annotated[Any, nine_and_a_half]):
    """(-1)^(2 x) = 1 for 1, 3/2, 2, 3, ..., 9."""
    return power_of_minus_one(2 * x), "==", 1


def plain():
    return SymbolicArgument({"x": sympy.Symbol("x")}, 0, "zero")


@false("a symbol without assumptions", symbolic(plain), at={"x": -1}, balls=True)
def complex_root(x: Real):
    """The square of the root of x is x."""
    return sqrt(x) ** 2, "==", x


def without_y():
    s = nonnegative("s")
    return SymbolicArgument({"x": s, "y": sympy.S.Zero}, s, "nonnegative")


@false("y is held at 0", symbolic(without_y), at={"x": 0, "y": 1})
def held(x: Nonnegative, y: Nonnegative):
    """x >= y."""
    return x, ">=", y


def through_zero():
    s = positive("s")
    return SymbolicArgument({"x": s - 1 / s}, 0, "zero")


@false("s - 1/s reaches 0, where x/x is undefined", symbolic(through_zero), at={"x": 0})
def laurent(x: Real):
    """x/x = 1."""
    return x / x, "==", 1


# ------------------------------------------------------------------------------------------------------ substitutions


same = {"x": ("t", "[0, 1]", "t"), "y": ("t", "[0, 1]", "t")}


@false("both variables are the same parameter", interval(substitutions=same), at={"x": 1, "y": 0})
def one_parameter_for_two(x: Probability, y: Probability):
    """x <= y."""
    return x, "<=", y


@false("x is replaced by y", interval(substitutions={"x": ("s", "[0, 1]", "y")}), at={"x": 1, "y": 0})
def replaced_by_the_other(x: Probability, y: Probability):
    """x <= y."""
    return x, "<=", y


@false("the parameter is a variable", interval(substitutions={"x": ("y", "[1/2, 1]", "1/y")}), at={"x": 2, "y": 1})
def parameter_is_a_variable(x: OneToTwo, y: Annotated[Any, "[1/2, 1]"]):
    """x y <= 1."""
    return x * y, "<=", 1


@false("the image ends at 1/2", interval(substitutions={"x": ("t", "[0, 1]", "t/2")}), at={"x": 1})
def small_image(x: Probability, half=HALF):
    """x <= 1/2."""
    return x, "<=", half


@false("the image starts at 2", interval(substitutions={"x": ("t", "[0, 1/2]", "1/t")}), at={"x": 1})
def image_from_two(x: AtLeastOne, half=HALF):
    """1/x <= 1/2."""
    return 1 / x, "<=", half


@false("a pole inside", interval(substitutions={"x": ("t", "[-1, 1]", "1/t")}), at={"x": 0})
def pole_inside(x: Real):
    """x² >= 1."""
    return x * x, ">=", 1


@false("equality at the end", interval(substitutions={"x": ("t", "[0, 1]", "1/3*t")}, boxes=300), at={"x": "1/3"})
def rational_substitution(x: ToThird, third=THIRD):
    """x < 1/3."""
    return x, "<", third


@false("large x", interval(substitutions={"x": ("t", "[0, 1)", "t/(1 - t)")}, boxes=300), at={"x": 10**6 + 1})
def large_values(x: Nonnegative):
    """x <= 10^6."""
    return x, "<=", 10**6


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


@false("a number is no parameter", interval(substitutions={"x": ("t", "[0, 1]", "1/2 + 0*t")}), at={"x": 0})
def constant_substitution(x: Probability, half=HALF):
    """x >= 1/2."""
    return x, ">=", half


@false("folded at 1/2", interval(substitutions={"x": ("t", "[0, 1]", "t*(1 - t)*2")}), at={"x": 1})
def folded(x: Probability, half=HALF):
    """x <= 1/2."""
    return x, "<=", half


@false(
    "a branch on a ball of the parameter",
    interval(substitutions={"x": ("t", "[0, 1]", "2*t")}),
    at={"x": 2},
    exactly=lambda x: (int(x > 1), "<=", 0),
)
def substituted_branch(x: ToTwo):
    """1[x > 1] <= 0."""
    return 1 if x > 1 else 0, "<=", 0


# -------------------------------------------------------------------------------------- names, parameters, and defaults


def constant_over_variable(x):
    return x, ">=", 1


@false(
    "a constant named x", at={"x": 0}, exactly=constant_over_variable, domain=Domain.of(x="[0, 1]"), constants={"x": 1}
)
def overridden(check):
    """x >= 1."""
    check.interval(constant_over_variable)


def takes_the_rest(x, **rest):
    return x * (1 - rest.get("y", 1)), "<=", 0


@false("y is never passed", at={"x": 1, "y": 0}, exactly=takes_the_rest, domain=Domain.of(x="[0, 1]", y="[0, 1]"))
def keywords(check):
    """x (1 - y) <= 0."""
    check.interval(takes_the_rest)


def misspelt(x, epsilom=0):
    return x * epsilom, "<=", 0


@false(
    "epsilon is misspelt",
    at={"x": 1, "epsilon": 1},
    exactly=lambda x, epsilon: (x * epsilon, "<=", 0),
    domain=Domain.of(x="[0, 1]", epsilon="[0, 1]"),
)
def with_a_default(check):
    """x epsilon <= 0."""
    check.interval(misspelt)


def defaulted(x, y=0):
    return x * y, "<=", 0


@false("y has a default and a set", at={"x": 1, "y": 1}, exactly=defaulted, domain=Domain.of(x="[0, 1]", y="[0, 1]"))
def default_and_set(check):
    """x y <= 0."""
    check.symbolic(defaulted)
    check.enumerate(defaulted, {"x": [0, 1]})


def no_y(x):
    return x, ">=", 0


@false("the relation does not take y", interval(of=no_y), symbolic(of=no_y), at={"x": 0, "y": 1})
def forgotten_variable(x: Probability, y: Probability):
    """x >= y."""
    return x, ">=", y


def weaker(x):
    return x, ">=", 0


@false("another relation is shown", symbolic(of=weaker), at={"x": 0}, contrived=True)
def other_relation(x: Probability):
    """x > 0."""
    return x, ">", 0


@false("another relation is shown", interval(of=weaker), at={"x": 0}, contrived=True)
def other_relation_in_balls(x: Probability, half=HALF):
    """x >= 1/2."""
    return x, ">=", half


def other_count(n):
    return n, ">=", 1


@false("another relation is shown", enumerated(n=[1, 2, 3], of=other_count), at={"n": 1}, contrived=True)
def other_relation_at_points(n: Few):
    """n >= 2."""
    return n, ">=", 2


@false("a loose constant", symbolic(), at={"x": 1})
def wrong_constant(x: Probability, factor=F(99, 100)):
    """x <= 0.99 (2 x - x²)."""
    return x, "<=", factor * (2 * x - x**2)


@false("twelve variables at once", interval(boxes=100), at={f"x{i}": 1 for i in range(12)}, exactly=lambda **x: (
    sum(x.values()), "<", 12), domain=Domain.of(**{f"x{i}": "[0, 1]" for i in range(12)}))  # fmt: skip
def twelve(check):
    """The sum of twelve numbers of [0, 1] is below 12."""
    check.interval(sum_of_twelve)


def sum_of_twelve(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11):
    return x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9 + x10 + x11, "<", 12


# ------------------------------------------------------------------------------------------------------- enumerations


unordered = [{"m": 1, "n": 1}, {"m": 1, "n": 2}, {"n": 2, "m": 1}, {"m": 2, "n": 1}]


@false("the same point in two orders", enumerated(unordered, rational=True), at={"m": 2, "n": 2})
def two_orders(m: Pair, n: Pair):
    """m + n <= 3."""
    return m + n, "<=", 3


labelled = [{"m": 1, "n": 1}, {"m": 1, "n": 2}, {"m": 2, "n": 1}, {"m": 2, "n": 1, "case": "again"}]


@false("the same point with a label", enumerated(labelled, rational=True), at={"m": 2, "n": 2})
def extra_label(m: Pair, n: Pair):
    """m + n <= 3."""
    return m + n, "<=", 3


@false("every value, not every pair", enumerated([{"m": 1, "n": 1}, {"m": 2, "n": 2}]), at={"m": 1, "n": 2})
def pairs_of_equal(m: Pair, n: Pair):
    """m = n."""
    return m, "==", n


twice = [{"m": 1, "n": 2}, {"m": 1, "n": 2}, {"m": 2, "n": 1}, {"m": F(2), "n": F(1)}]


@false("points named twice", enumerated(twice, rational=True), at={"m": 2, "n": 2})
def named_twice(m: Pair, n: Pair):
    """m != n."""
    return m, "!=", n


@false("four points of a square", enumerated(x=[0, 1], y=[0, 1], rational=True), at={"x": "1/2", "y": "1/2"})
def corners_only(x: Probability, y: Probability):
    """x(1 - x) + y(1 - y) = 0."""
    return x * (1 - x) + y * (1 - y), "==", 0


some = [{"policy": {"name": name, "arms": k}, "K": k} for k, name in ((1, "a"), (2, "b"))]


@false(
    "two policies are not all",
    enumerated(some, covers={"policy": "all: every policy"}),
    at={"K": 3},
    exactly=lambda K: (K, "<=", 2),
)
def every_policy(K: Count, policy: Policy):
    """No policy has more than 2 arms."""
    return policy["arms"], "<=", 2


@false(
    "K is not all counts",
    enumerated(K=[1, 2], covers={"K": "integer [1, inf)"}),
    at={"K": 3},
    exactly=lambda K: (K, "<=", 2),
)
def not_all_counts(K: Count, policy: Policy):
    """K <= 2, for every policy."""
    return K, "<=", 2


@false("0.3 is no 3/10", enumerated(x=[0.1, 0.2, 0.3]), at={"x": "3/10"}, exactly=lambda x: (x, "!=", F(3, 10)))
def float_points(x: Annotated[Any, ["0.1", "0.2", "0.3"]]):
    """x differs from 3/10."""
    return (x, 0), "!=", (F(3, 10), 0)


@false("quadrature proves nothing", quadrature(x=[0, "1/2"], error="estimated"), at={"x": 1})
def supported_only(x: Probability):
    """x < 1."""
    return x, "<", 1


@false("an int divided by an int", enumerated(n=[3]), at={"n": 3}, exactly=lambda n: (F(n, 10), "!=", 3 * F(1, 10)))
def divided_ints(n: Annotated[Any, [3]]):
    """n/10 is not 3 · 0.1."""
    return n / 10, "!=", 3 * 0.1


@false("an int divided by an int", enumerated(n=[49]), at={"n": 49}, exactly=lambda n: (F(1, n) * n, "<", 1))
def divided_and_multiplied(n: Annotated[Any, [49]]):
    """(1/n) n < 1."""
    return Fraction(1 / n * n), "<", 1


@false("sorted as text", enumerated(n=range(1, 13)), at={"n": 10}, exactly=lambda n: (n, "<=", 9), contrived=True)
def as_text(n: Annotated[Any, "integer [1, 12]"]):
    """n <= 9."""
    return str(n), "<=", "9"


# ------------------------------------------------------------------------------------------------ certificates, facts


def trivially(data):
    return data, "==", data


@false("a verifier of nothing", certified(trivially, True), at={"x": 1}, contrived=True)
def own_word(x: Probability):
    """x < 1."""
    return x, "<", 1


def at_one_point(data, factor=2):
    return data["x"] ** 2, "<=", factor * data["x"]


@false("one point for all", certified(at_one_point, {"x": F(1)}), at={"x": 3}, contrived=True)
def one_point_for_all(x: Nonnegative, factor=2):
    """x² <= 2 x."""
    return x**2, "<=", factor * x


def without_constants(data):
    return sum(data), "<=", 1


@false("the verifier ignores the constant", certified(without_constants, [F(1, 2), F(1, 4)]), at={"x": 1})
def constant_ignored(x: Probability, bound=F(1, 1000)):
    """x <= 1/1000, since the weights of the certificate sum to at most 1."""
    return x, "<=", bound


@false("a region that the data do not have", certified(at_one_point, {"x": F(1)}, covers={"x": "[0, 10]"}), at={"x": 3})
def covers_by_hand(x: Annotated[Any, "[0, 10]"], factor=2):
    """x² <= 2 x on [0, 10]."""
    return x**2, "<=", factor * x


def square_of_y(y: Real):
    return y**2, ">=", 0


@false("a fact about another variable", argued("", square_of_y), at={"x": -1})
def fact_about_y(x: Real):
    """x >= 0."""
    return x, ">=", 0


def on_the_positive(x: Positive):
    return x, ">", 0


@false("a fact on a smaller domain", argued("", on_the_positive), at={"x": -1})
def fact_on_less(x: Real):
    """x > 0."""
    return x, ">", 0


@false("joined in words", argued("as is well known", on_the_positive), at={"x": -1})
def joined_in_words(x: Real):
    """x > 0."""
    return x, ">", 0


def with_a_constant(x: Nonnegative, slack=1):
    return x + slack, ">", 0


@false("the fact has a constant of its own", argued("", with_a_constant), at={"x": 0})
def fact_with_a_default(x: Nonnegative):
    """x > 0."""
    return x, ">", 0


@false("the argument of the fact does not reach (0, 1)", argued("", argument=by_exp), at={"x": "1/2"}, balls=True)
def fact_not_reached(x: Positive):
    """log x >= 0."""
    return log(x), ">=", 0


def listed_facts(check):
    return derivation([fact(on_the_positive)], "")


@false("a derivation without a joint", certified(facts_hold, listed_facts), at={"x": 0})
def no_joint(x: Nonnegative):
    """x > 0."""
    return x, ">", 0


@false("the claim itself is false", argued("Markov's inequality"), at={"x": 1})
def own_relation(x: Probability):
    """x < 1."""
    return x, "<", 1


# --------------------------------------------------------------------------------------------------------- precision


@false("10^-30 too large", interval(boxes=200), at={"x": 0})
def thirty_digits(x: Probability, gap=MINUTE):
    """x + 10^-30 <= x."""
    return x + gap, "<=", x


@false("10^-30 too large", symbolic(), at={"x": 0})
def thirty_digits_symbolically(x: Probability, gap=MINUTE):
    """x + 10^-30 <= x."""
    return x + gap, "<=", x


@false("equality at 0", interval(boxes=300), at={"x": 0}, balls=True)
def tangent(x: Symmetric, gap=MINUTE):
    """e^x >= 1 + x + 10^-30."""
    return exp(x), ">=", 1 + x + gap


@false("e^-100 is below 10^-30", interval(boxes=300), at={"x": 100}, balls=True)
def small_exponential(x: Annotated[Any, "[0, 100]"], gap=MINUTE):
    """e^-x >= 10^-30 on [0, 100]."""
    return exp(-x), ">=", gap


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


@false("small is not zero", symbolic(), at={"x": 1})
def nearly_zero(x: Real, gap=F(1, 10**15)):
    """10^-15 x = 0."""
    return gap * x, "==", 0


@false("log(1 + 10^-30) is positive", symbolic(), at={"x": 1}, balls=True)
def hidden_in_a_logarithm(x: OneToTwo, one=F(1)):
    """log(e^x (1 + 10^-30)) <= x."""
    return log(exp(x) * (one + MINUTE if not hasattr(x, "mid") else one + to_ball(MINUTE))), "<=", x


# -------------------------------------------------------------------------------------------- textbook statements, bent


@false("Pinsker with 4 for 2, near 1/2", interval(boxes=2000), at={"p": HALF, "q": F(51, 100)}, balls=True)
def pinsker(p: Annotated[Any, "[1/10, 9/10]"], q: Annotated[Any, "[1/10, 9/10]"], factor=4):
    """kl(p, q) >= 4 (p - q)²."""
    return p * log(p / q) + (1 - p) * log((1 - p) / (1 - q)), ">=", factor * (p - q) * (p - q)


@false("log(1 + x) <= x has no slack at 0", interval(boxes=1000), at={"x": 0}, balls=True)
def logarithm(x: Probability):
    """log(1 + x) < x."""
    return log(1 + x), "<", x


@false("Bernoulli's inequality needs x >= -2", symbolic(), at={"x": -5})
def bernoulli(x: Real):
    """(1 + x)³ >= 1 + 3 x."""
    return (1 + x) ** 3, ">=", 1 + 3 * x


@false("the mean inequality the wrong way round", symbolic(), at={"x": 1, "y": 4}, balls=True)
def means(x: Positive, y: Positive):
    """The geometric mean is at least the arithmetic one."""
    return sqrt(x * y), ">=", (x + y) / 2


@false("Cauchy and Schwarz without a factor", symbolic(), at={"a": 1, "b": 1})
def cauchy(a: Real, b: Real):
    """(a + b)² <= a² + b²."""
    return (a + b) ** 2, "<=", a**2 + b**2


@false("cosh x exceeds e^(x²/4)", interval(boxes=1000), at={"x": 1}, balls=True)
def hoeffding(x: Symmetric):
    """cosh x <= e^(x²/4)."""
    return (exp(x) + exp(-x)) / 2, "<=", exp(x * x / 4)


@false("randomised response at epsilon = 1", interval(boxes=1000), at={"epsilon": 1}, balls=True)
def randomised_response(epsilon: Probability, factor=F(1, 5)):
    """(e^eps - 1)/(e^eps + 1) <= eps/5 + eps²/5."""
    growth = exp(epsilon)
    return (growth - 1) / (growth + 1), "<=", factor * epsilon * (1 + epsilon)


@false("the union bound is tight for disjoint events", symbolic(), at={"p": "1/2", "q": "1/2"})
def union(p: Probability, q: Probability):
    """p + q - p q >= p + q."""
    return p + q - p * q, ">=", p + q


@false("Young's inequality for p = 2 needs the half twice", symbolic(), at={"x": 1, "y": 1})
def young(x: Nonnegative, y: Nonnegative):
    """x y <= x²/2 + y²/4."""
    return x * y, "<=", x**2 / 2 + y**2 / 4


@false("concave, not convex", interval(boxes=1000), at={"x": 1, "y": 4}, balls=True)
def jensen(x: Annotated[Any, "[1, 4]"], y: Annotated[Any, "[1, 4]"]):
    """The root of the mean is at most the mean of the roots."""
    return sqrt((x + y) / 2), "<=", (sqrt(x) + sqrt(y)) / 2


@false("0! = 1", enumerated(n=range(1, 30), covers={"n": "integer [0, inf)"}), at={"n": 0})
def factorials(n: Natural):
    """n! <= n^n - 1[n = 0]."""
    return math.factorial(n), "<=", n**n - (n == 0)


@false("composition doubles the budget", symbolic(), at={"epsilon": 1}, balls=True)
def composition(epsilon: Nonnegative):
    """e^(2 eps) <= 2 e^eps."""
    return exp(2 * epsilon), "<=", 2 * exp(epsilon)


# ----------------------------------------------------------------------------------------- items, and what is not there


def item_of(name: str, statement: str, domain: Domain) -> None:
    item(f"FALSE-ITEM-{name}", statement, domain=domain)


item_of("point", "x = 0 on [0, 1]", Domain.of(x="[0, 1]"))


@claim("FALSE-ITEM-point/at-zero", interval())
def part_at_zero(x: Annotated[Any, "[0, 0]"]):
    """x <= 0 at x = 0."""
    return x, "<=", 0


item_of("other", "x = 0 on [0, 1]", Domain.of(x="[0, 1]"))


@claim("FALSE-ITEM-other/about-y", symbolic())
def part_about_y(y: Real):
    """y² >= 0."""
    return y**2, ">=", 0


item_of("halves", "(2 x - 1)² > 0 on [0, 1]", Domain.of(x="[0, 1]"))


@claim("FALSE-ITEM-halves/left", symbolic())
def part_left(x: Annotated[Any, "[0, 1/2)"]):
    """(2 x - 1)² > 0."""
    return (2 * x - 1) ** 2, ">", 0


@claim("FALSE-ITEM-halves/right", symbolic())
def part_right(x: Annotated[Any, "(1/2, 1]"]):
    """(2 x - 1)² > 0."""
    return (2 * x - 1) ** 2, ">", 0


item_of("tie", "x < y where x <= y", Domain.of(["x <= y"], x="(0, inf)", y="(0, inf)"))


@claim("FALSE-ITEM-tie/below", symbolic(strictly_below), where=["x < y"])
def part_below(x: Positive, y: Positive):
    """x < y where x < y."""
    return x, "<", y


item_of("edge", "x > 0 on [0, 1]", Domain.of(x="[0, 1]"))


@claim("FALSE-ITEM-edge/inside", symbolic())
def part_inside(x: Inside):
    """x > 0 on (0, 1)."""
    return x, ">", 0


@claim("FALSE-ITEM-edge/one", symbolic(), role="edge")
def edge_at_one(x: Annotated[Any, "[1, 1]"]):
    """x > 0 at 1."""
    return x, ">", 0


ITEMS = {
    "FALSE-ITEM-point": lambda: (F(1), "==", 0),
    "FALSE-ITEM-other": lambda: (F(1), "==", 0),
    "FALSE-ITEM-halves": lambda: ((2 * HALF - 1) ** 2, ">", 0),
    "FALSE-ITEM-tie": lambda: (F(1), "<", F(1)),
    "FALSE-ITEM-edge": lambda: (F(0), ">", 0),
}


@claim("EMPTY-constraint", interval(), where=["x > 2"])
def nothing_above_two(x: Probability):
    """x < 0 where x > 2."""
    return x, "<", 0


@claim("EMPTY-constraints", interval(boxes=200), where=["x < 1/3", "x > 2/3"])
def nothing_between(x: Probability):
    """x > 5 where x < 1/3 and x > 2/3."""
    return x, ">", 5


@claim("EMPTY-interval", interval(boxes=50))
def open_point(x: Annotated[Any, "(1/2, 1/2)"]):
    """x > 5 on (1/2, 1/2)."""
    return x, ">", 5


@claim("EMPTY-enumeration", enumerated(n=[1, 2], rational=True))
def no_integer(n: Annotated[Any, "integer (1, 2)"]):
    """n >= 0 on the integers between 1 and 2."""
    return n, ">=", 0
