"""False claims about ends, corners, jumps, single points, integers and clipped regions."""

from __future__ import annotations

from fractions import Fraction
from fractions import Fraction as F
from typing import Annotated, Any

from flaws import HALF, THIRD, TINY, Few, ToTwo, false, searched

from banditproof.claims.sets import AboveZero, AtLeastOne, Count, Natural, Nonnegative, Probability, Real
from banditproof.claims.steps import argued, enumerated, interval, tried_at
from banditproof.theory.numbers.numeric import absolute, to_ball, where
from banditproof.verify.proof.domain import Domain

# -------------------------------------------------------------------------------------------------- ends of intervals


@false("fails beside the open end", tried_at(x=["1/2", 1]), interval(boxes=500), at={"x": F(1, 10**13)})
def away_from_zero_in_balls(x: AboveZero, gap=TINY):
    """x >= 10^-12 on (0, 1]."""
    return x, ">=", gap


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


@false("a narrow box around 1/3", interval(), at={"x": "1/3"})
def narrow_box(x: Probability, third=THIRD, width=TINY):
    """1[|x - 1/3| < 10^-12] <= 1/2."""
    return where(absolute(x - third), "<", width, 1, 0), "<=", HALF if isinstance(x, Fraction) else to_ball(HALF)


@false("the second stair", interval(), at={"x": 2})
def staircase(x: ToTwo):
    """floor(x) <= 0, by cases."""
    return where(x, "<", 1, 0, lambda: where(x, "<", 2, 1, 2)), "<=", 0


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


@false("equality is in the domain", interval(boxes=300), at={"x": "1/3"}, where=["x <= 1/3"])
def clipped_third(x: Probability, third=THIRD):
    """x < 1/3 where x <= 1/3."""
    return x, "<", third


@false("the root of 1/50 is larger", interval(), at={"x": "7071/50000"}, where=["x**2 <= 0.02"])
def root_of_a_fiftieth(x: Probability, bound=F(1414, 10000)):
    """x <= 0.1414 where x² <= 0.02."""
    return x, "<=", bound


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
