"""True claims, ordinary ones and such as rounding, ends or jumps bring close to failing; none may be refuted."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction as F
from typing import Annotated, Any

import numpy as np
from flaws import ORDINARY, searched

from banditproof.claims.register import claim
from banditproof.claims.sets import AtLeastOne, Nonnegative, Probability, Real
from banditproof.claims.steps import argued, enumerated, fails_at, interval, tried_at
from banditproof.theory.numbers.numeric import atan, exp, log, sqrt, where

THIRD, TENTH = F(1, 3), F(1, 10)
Symmetric = Annotated[Any, "[-1, 1]"]
ToThird = Annotated[Any, "[0, 1/3]"]
OneToTwo = Annotated[Any, "[1, 2]"]
Few = Annotated[Any, "integer [1, 12]"]


def true(*steps: Any, ordinary: bool = True, **options: Any) -> Callable[[Any], Any]:
    """Register a true claim under its function's name; an ordinary one is proved besides."""

    def register(relation: Any) -> Any:
        name = f"TRUE-{relation.__name__}"
        if ordinary:
            ORDINARY.append(name)
        return claim(name, *steps, **options)(relation)

    return register


# ----------------------------------------------------------------------------------------------------------- intervals


@true(interval(), where=["x <= 0.1"])
def decimal_constraint(x: Probability, bound=F(11, 100)):
    """x <= 0.11 where x <= 0.1."""
    return x, "<=", bound


@true(interval(boxes=300), ordinary=False)
def third_as_literal(x: ToThird):
    """x <= 1/3 on [0, 1/3], with 1/3 as Python has it."""
    return x, "<=", 1 / 3


@true(tried_at(x=["1/3"]), interval(boxes=300), ordinary=False)
def third_as_literal_at_a_point(x: ToThird):
    """x <= 1/3 at x = 1/3, with 1/3 as Python has it."""
    return x, "<=", 1 / 3


@true(interval(boxes=300), ordinary=False)
def tenth_as_literal(x: OneToTwo):
    """0.1 x <= x/10."""
    return 0.1 * x, "<=", x / 10


@true(interval(boxes=300), ordinary=False)
def third_of_constant(x: OneToTwo, k=3):
    """(1/k) x >= x/k."""
    return (1 / k) * x, ">=", x / k


@true(interval(substitutions={"x": ("t", "[0, 1]", "1/t")}))
def inverse(x: AtLeastOne, *, t=None):
    """2/x <= 3."""
    return 2 * (1 / x if t is None else t), "<=", 3


@true(interval())
def single_budget(epsilon: Annotated[Any, ["1/2"]], x: Probability):
    """epsilon (x + 1) >= 1/2 at epsilon = 1/2."""
    return 2 * epsilon * (x + 1), ">=", 1


@true(interval(boxes=300), ordinary=False)
def branch_of_ball(x: Probability):
    """1[x > 1/2] <= 1, by a branch."""
    return 1 if x > 0.5 else 0, "<=", 1


# ---------------------------------------------------------------------------------------------------------------- trees


@true(searched, ordinary=False)
def branches(x: Real):
    """|x| by cases is at least x."""
    return where(x, "<", 0, lambda: -x, lambda: x), ">=", x


@true(searched, ordinary=False)
def thirds(x: Real):
    """x (1/3) 3 = x, in floats."""
    return x * (1 / 3) * 3, "==", x


@true(searched, ordinary=False)
def tenths(x: Nonnegative):
    """0.1 x + 0.2 x <= 0.3 x, in floats."""
    return 0.1 * x + 0.2 * x, "<=", 0.3 * x


@true(argued("squares are nonnegative"), ordinary=False)
def derived(x: Real):
    """x² >= 0."""
    return x**2, ">=", 0


# --------------------------------------------------------------------------------------------------------- enumerations


@true(enumerated(x=["0.1", "0.2", "0.3"], rational=True))
def decimals(x: Annotated[Any, ["0.1", "0.2", "0.3"]]):
    """3 (x/3) = x."""
    return 3 * (x / 3), "==", x


@true(enumerated(x=["1/3", "1/7"]), ordinary=False)
def equal_in_balls(x: Annotated[Any, ["1/3", "1/7"]]):
    """3 (x/3) = x, in balls."""
    return 3 * (x / 3), "==", x


@true(enumerated(x=["1/3", "1/7"]), ordinary=False)
def equal_tuples(x: Annotated[Any, ["1/3", "1/7"]]):
    """(3 (x/3), 1) = (x, 1), in balls."""
    return (3 * (x / 3), 1), "==", (x, 1)


@true(enumerated(x=["1/3", "1/7"]), ordinary=False)
def boolean_equality(x: Annotated[Any, ["1/3", "1/7"]]):
    """3 (x/3) <= x is true, in balls."""
    return 3 * (x / 3) <= x, "==", True


@true(enumerated(x=["1/3", "1/7"]), ordinary=False)
def branch_on_equality(x: Annotated[Any, ["1/3", "1/7"]]):
    """1[3 (x/3) = x] = 1, by a branch."""
    return 1 if 3 * (x / 3) == x else 0, "==", 1


@true(enumerated(n=[3]), ordinary=False)
def boolean_of_floats(n: Annotated[Any, [3]]):
    """0.1 n <= 3/10 at n = 3."""
    return 0.1 * n <= 0.3, "==", True


@true(enumerated(n=[29]), ordinary=False)
def truncated_float(n: Annotated[Any, [29]]):
    """The integer part of 100 (n/100) is n at n = 29."""
    return int(100 * (n / 100)), "==", n


@true(enumerated(n=[1]), ordinary=False)
def in_decimals(n: Annotated[Any, [1]]):
    """3 (n/3) >= n at n = 1, in decimals."""
    return Decimal(n) / 3 * 3, ">=", n


@true(enumerated(n=[2]), ordinary=False)
def log_of_count(n: Annotated[Any, [2]], one=F(1)):
    """log n >= log (1 n) at n = 2."""
    return log(n), ">=", log(n * one)


@true(enumerated(n=[2]), ordinary=False)
def root_of_count(n: Annotated[Any, [2]], one=F(1)):
    """The root of n, squared, is at most n at n = 2."""
    return sqrt(n) ** 2, "<=", n * one


@true(enumerated(n=range(1, 13)), ordinary=False)
def root_of_ints(n: Few):
    """The root of n, squared, is at most n."""
    return (n**0.5) ** 2, "<=", n


@true(enumerated(n=[1, 80], rational=True), ordinary=False)
def overflow(n: Annotated[Any, [1, 80]]):
    """2^n > 0, in NumPy's integers."""
    return np.prod(np.full(n, 2)), ">", 0


@true(enumerated(x=[0, 1, math.inf]), ordinary=False)
def to_infinity(x: Annotated[Any, "[0, inf]"]):
    """e^-x <= 1 for x in [0, inf]."""
    return exp(-x), "<=", 1


unordered = [{"m": 1, "n": 2}, {"n": 1, "m": 2}, {"m": 1, "n": 1}, {"m": 2, "n": 2}]


@true(enumerated(unordered, rational=True), ordinary=False)
def keys_in_any_order(m: Annotated[Any, "integer [1, 2]"], n: Annotated[Any, "integer [1, 2]"]):
    """m + n <= 4."""
    return m + n, "<=", 4


# ------------------------------------------------------------------------ what rounding or a limit made look refuted


@true(fails_at(x=THIRD, rational=True), ordinary=False)
def parts_of_a_rational(x: Probability):
    """x = x, where the quotient of its parts is a float."""
    return F(x.numerator / x.denominator), "==", x


@true(fails_at(x=0), ordinary=False)
def limit_of_the_arc_tangent(x: Probability):
    """arctan(-log x) <= 2, which is pi/2 at 0."""
    return atan(-log(x)), "<=", 2
