"""False claims about ends, corners, jumps, single points, integers and clipped regions."""

from __future__ import annotations

from fractions import Fraction
from fractions import Fraction as F
from typing import Annotated, Any

from flaws import HALF, INF, THIRD, TINY, Extended, Few, Line, ToThird, ToTwo, false, searched

from banditproof.claims.sets import (
    AboveZero,
    AtLeastOne,
    BelowOne,
    Count,
    Natural,
    Nonnegative,
    Positive,
    Probability,
    Real,
)
from banditproof.claims.steps import argued, enumerated, interval, tried_at
from banditproof.theory.numbers.numeric import absolute, exp, maximum, minimum, to_ball, where
from banditproof.verify.proof.domain import Domain

# -------------------------------------------------------------------------------------------------- ends of intervals


@false("equality at the closed end", interval(boxes=200), at={"x": "1/3"})
def below_a_third(x: ToThird, third=THIRD):
    """x < 1/3."""
    return x, "<", third


@false("equality at the closed end", searched, at={"x": 1})
def below_one(x: Probability):
    """x < 1."""
    return x, "<", 1


@false("equality at the closed end", interval(boxes=500), at={"x": 1})
def below_one_in_balls(x: Probability):
    """x < 1."""
    return x, "<", 1


@false("equality at zero", searched, at={"x": 0})
def positive_everywhere(x: Nonnegative):
    """x > 0."""
    return x, ">", 0


@false("equality at zero", searched, at={"x": 0})
def square_positive(x: Real):
    """x² > 0."""
    return x**2, ">", 0


@false("fails beside the open end", searched, at={"x": 1 - F(1, 10**13)})
def short_of_one(x: BelowOne, gap=TINY):
    """x <= 1 - 10^-12 on [0, 1)."""
    return x, "<=", 1 - gap


@false("fails beside the open end", interval(boxes=500), at={"x": 1 - F(1, 10**13)})
def short_of_one_in_balls(x: BelowOne, gap=TINY):
    """x <= 1 - 10^-12 on [0, 1)."""
    return x, "<=", 1 - gap


@false("fails beside the open end", searched, at={"x": F(1, 10**13)})
def away_from_zero(x: AboveZero, gap=TINY):
    """x >= 10^-12 on (0, 1]."""
    return x, ">=", gap


@false("fails beside the open end", tried_at(x=["1/2", 1]), interval(boxes=500), at={"x": F(1, 10**13)})
def away_from_zero_in_balls(x: AboveZero, gap=TINY):
    """x >= 10^-12 on (0, 1]."""
    return x, ">=", gap


@false("the line does not end there", searched, at={"x": 10**12 + 1})
def below_a_million_millions(x: Real):
    """x <= 10^12."""
    return x, "<=", 10**12


@false("e^-inf is 0, and the set has inf", searched, at={"x": INF}, balls=True)
def exponential_positive(x: Extended):
    """e^-x > 0 for x in [0, inf]."""
    return exp(-x), ">", 0


@false("1/(1 + inf) is 0, and the set has inf", searched, at={"x": INF}, balls=True)
def fraction_positive(x: Extended):
    """1/(1 + x) > 0 for x in [0, inf]."""
    return 1 / (1 + x), ">", 0


@false("inf is not below inf + 1", searched, at={"x": INF})
def successor(x: Line):
    """x < x + 1 on the extended line."""
    return x, "<", x + 1


@false("inf / (1 + inf) is undefined", searched, at={"x": INF}, balls=True)
def odds_below_one(x: Extended):
    """x/(1 + x) < 1 for x in [0, inf]."""
    return x / (1 + x), "<", 1


@false("an infinite budget is a budget here", searched, at={"x": INF})
def finite_budget(x: Extended):
    """x < 2 x + 1 for x in [0, inf]."""
    return x, "<", 2 * x + 1


# ------------------------------------------------------------------------------------------ narrow regions and corners


@false("the square is zero at 1/3", interval(boxes=1000), at={"x": "1/3"})
def off_the_third(x: Probability, third=THIRD, width=TINY):
    """(x - 1/3)² >= 10^-24."""
    return (x - third) * (x - third), ">=", width**2


@false("the square is zero at 1/3", searched, at={"x": "1/3"})
def off_the_third_by_a_tree(x: Probability, third=THIRD, width=TINY):
    """(x - 1/3)² >= 10^-24."""
    return (x - third) ** 2, ">=", width**2


@false("negative between two roots 10^-12 apart", interval(boxes=1000), at={"x": HALF + F(1, 2 * 10**12)})
def two_close_roots(x: Probability, half=HALF, width=TINY):
    """(x - 1/2)(x - 1/2 - 10^-12) >= 0."""
    return (x - half) * (x - half - width), ">=", 0


@false("negative between two roots 10^-12 apart", searched, at={"x": HALF + F(1, 2 * 10**12)})
def two_close_roots_by_a_tree(x: Probability, half=HALF, width=TINY):
    """(x - 1/2)(x - 1/2 - 10^-12) >= 0."""
    return (x - half) * (x - half - width), ">=", 0


@false("equality in the corner", interval(boxes=500), at={"x": 1, "y": 1})
def corner(x: Probability, y: Probability):
    """x + y < 2."""
    return x + y, "<", 2


@false("equality in the corner", searched, at={"x": 1, "y": 1})
def corner_by_a_tree(x: Probability, y: Probability):
    """x + y < 2."""
    return x + y, "<", 2


@false("fails in a corner of width 10^-12", interval(boxes=500), at={"x": 1, "y": 1})
def product_below_one(x: Probability, y: Probability, gap=TINY):
    """x y <= 1 - 10^-12."""
    return x * y, "<=", 1 - gap


@false("fails in a corner of the cube", searched, at={"x": 1, "y": 1, "z": 1})
def cube(x: Probability, y: Probability, z: Probability, gap=F(1, 10**9)):
    """x y z <= 1 - (1 - x)(1 - y)(1 - z) - 10^-9."""
    return x * y * z, "<=", 1 - (1 - x) * (1 - y) * (1 - z) - gap


@false("equality on the diagonal", interval(boxes=500), at={"x": "1/2", "y": "1/2"}, balls=True)
def apart(x: Probability, y: Probability):
    """|x - y| > 0."""
    return absolute(x - y), ">", 0


@false("equality on the diagonal", searched, at={"x": 1, "y": 1})
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


@false("equality at x = y", searched, at={"x": 4, "y": 4})
def means_differ(x: Positive, y: Positive):
    """(x + y)²/4 > x y."""
    return (x + y) ** 2 / 4, ">", x * y


@false("fails in (0, 1/1000)", searched, at={"x": "1/2000"})
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


@false("the halves leave out 1/2", interval(covers=left_half), interval(covers=right_half), at={"x": "1/2"})
def off_the_middle(x: Probability):
    """(2 x - 1)² > 0."""
    return (2 * x - 1) ** 2, ">", 0


@false("1/2 is left out", interval({"x": "[0, 49/100]"}), interval({"x": "[51/100, 1]"}), at={"x": "1/2"})
def off_the_middle_in_balls(x: Probability):
    """(2 x - 1)² > 0."""
    return (2 * x - 1) * (2 * x - 1), ">", 0


@false("1/0 at zero", searched, at={"x": 0})
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


@false("the tie is missing", interval(covers=Domain.of(["x != 1/2"], x="[0, 1]")), at={"x": "1/2"})
def off_the_middle_by_constraint(x: Probability):
    """(2 x - 1)² > 0."""
    return (2 * x - 1) ** 2, ">", 0


@false("closed at 1 in the claim, open in the proof", interval(covers={"x": "[0, 1)"}), at={"x": 1})
def open_proof(x: Probability):
    """x < 1."""
    return x, "<", 1


@false("finite in the proof, infinite in the claim", interval(covers={"x": "[0, 100]"}), at={"x": 101})
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


@false("fails at 1", searched, at={"n": 1})
def doubles(n: Count):
    """n² > n."""
    return n**2, ">", n


@false("fails at 0", searched, at={"n": 0})
def reciprocal_count(n: Natural):
    """n/n = 1."""
    return n / n if not isinstance(n, int) else F(n, n), "==", 1


@false("3 is in the domain", interval(covers={"n": "integer [1, 2]"}), at={"n": 3})
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


@false("a jump on symbols", searched, at={"x": 1})
def stepping(x: Probability, half=HALF):
    """1[x >= 1/2] <= 0."""
    return where(x, "<", half, 0, 1), "<=", 0


@false("a single point on symbols", searched, at={"x": 0})
def spiking(x: Nonnegative):
    """1[x = 0] <= 0."""
    return where(x, "==", 0, 1, 0), "<=", 0


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


@false("the tie is not reached", searched, at={"x": 1, "y": 1}, where=["x <= y"])
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


@false("the constraint does not say as much", searched, at={"x": "1/4", "y": "1/4"}, where=["x + y >= 1/2"])
def more_than_half(x: Probability, y: Probability):
    """x + y >= 3/4 where x + y >= 1/2."""
    return x + y, ">=", F(3, 4)


@false("the sign pattern is not the region", interval(covers=Domain.of(["x > 1/2"], x="[0, 1]")), at={"x": "1/4"})
def elsewhere(x: Probability):
    """3 x >= 1."""
    return 3 * x, ">=", 1
