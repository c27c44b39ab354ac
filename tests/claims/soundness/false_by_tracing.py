"""False claims whose bodies tell a variable from a number, round a constant, or take a power 0 of nothing."""

import contextlib
import functools
import math
import numbers
from collections import Counter
from decimal import Decimal
from fractions import Fraction as F
from typing import Annotated, Any

import numpy as np
from flaws import false, searched

from banditproof.claims import Count, Nonnegative, Positive, Probability, Real, enumerated, interval
from banditproof.theory.numbers.numeric import exp, log, to_ball
from banditproof.theory.numbers.term import Term, total

INF = math.inf
HALF, C = F(1, 2), F(777, 1000)
OneToTwo = Annotated[Any, "[1, 2]"]


@false("10 has two digits", searched, at={"n": 10}, exactly=lambda n: (n * n * len(str(int(n))), "==", n**2))
def traced_digits(n: Count):
    """n times its number of digits is at most n."""
    return n * n * len(str(n)), "==", n**2


@false(
    "10 has two digits",
    searched,
    at={"n": 10},
    exactly=lambda n: (n * n, ">=", 100 * (len(str(int(n))) - 1) + 2 * n - 1),
)
def traced_digits_format(n: Count):
    """n >= 10 (d - 1) + 1, d digits."""
    return n * n, ">=", 100 * (len(f"{n}") - 1) + 2 * n - 1


@false("1 has a 1", searched, at={"n": 1}, exactly=lambda n: (n * n * (1 + str(int(n)).count("1")), "==", n**2))
def traced_ones(n: Count):
    """n (1 + number of ones in n) <= n."""
    return n * n * (1 + str(n).count("1")), "==", n**2


@false("sum of a set drops equal ones", searched, at={"x": 1, "y": 1})
def traced_sum_of_set(x: Nonnegative, y: Nonnegative):
    """The sum of {x, y} is x + y."""
    return sum({x, y}), "==", x + y


@false("a set of equal ones has one member", interval(), searched, at={"x": 1, "y": 1})
def traced_size_of_set(x: Probability, y: Probability):
    """2 (x+1) <= |{x, y}| (x+1)."""
    return 2 * (x + y) ** 2, "<=", len({x, y}) * (x + y) ** 2 + (x + F(1, 10)) ** 2


@false(
    "keys that coincide overwrite",
    searched,
    at={"m": 2, "n": 2},
    exactly=lambda m, n: (sum({m: m, n: n}.values()), "==", m + n),
)
def traced_dict_of_weights(m: Count, n: Count):
    """Weights by key add to m + n."""
    return sum({m: m, n: n}.values()), "==", n + m


@false(
    "counts of equal ones",
    searched,
    at={"x": 1, "y": 1},
    exactly=lambda x, y: (x * x * Counter([x, y])[x] + y, "==", y + x**2),
)
def traced_counter(x: Real, y: Real):
    """x occurs once among x, y."""
    return x * x * Counter([x, y])[x] + y, "==", y + x**2


def whole(v):
    try:
        return int(v)
    except TypeError:
        return v


@false("int truncates 1/2", searched, at={"x": HALF}, exactly=lambda x: (int(x) * x, "==", x**2))
def traced_eafp_int(x: Nonnegative):
    """int(x) >= x."""
    return whole(x) * x, "==", x**2


@false("x > 1/2 at 1", interval(), at={"x": 1}, exactly=lambda x: (x * (1 - x) + (x > HALF), "<=", F(3, 10)))
def traced_suppressed(x: Probability):
    """x + 1[x > 1/2] <= x."""
    jump = 0
    with contextlib.suppress(Exception):
        jump = 1 if x > HALF else 0
    return x * (1 - x) + jump, "<=", F(3, 10)


@false("odd counts have a remainder", searched, at={"n": 1}, exactly=lambda n: ((n % 2 + n) * n, "==", n**2))
def traced_isinstance_int(n: Count):
    """n mod 2 = 0."""
    return ((n % 2 if isinstance(n, int) else 0) + n) * n, "==", n**2


@false("3/2 is no number?", searched, at={"x": 1}, exactly=lambda x: (x * x + 1, "==", x**2))
def traced_isinstance_number(x: Real):
    """x + 1 <= x for numbers."""
    return x * x + (1 if isinstance(x, numbers.Number) else 0), "==", x**2


@false("a type test", searched, at={"x": 1}, exactly=lambda x: (2 * x * x, "==", x**2), contrived=True)
def traced_isinstance_term(x: Nonnegative):
    """2x <= x."""
    return (x if isinstance(x, Term) else 2 * x) * x, "==", x**2


@false("numerator of a number", searched, at={"x": 2}, exactly=lambda x: (x * x * F(x).numerator, "==", x**2))
def traced_getattr(x: Nonnegative):
    """x · numerator(x) <= x, the numerator 1 if there is none."""
    return x * x * getattr(x, "numerator", 1), "==", x**2


@functools.singledispatch
def rounded_up(v):
    return v


@false("ceil(1/2) is 1", interval(), at={"x": HALF}, exactly=lambda x: (math.ceil(x) * (1 - x), "<=", F(3, 10)))
def traced_dispatch(x: Probability):
    """ceil(x) <= x."""
    return rounded_up(x) * (1 - x), "<=", F(3, 10)


@false("a match of int", searched, at={"n": 3}, exactly=lambda n: ((n + 1) * n, "==", n**2))
def traced_match(n: Count):
    """n + 1 <= n."""
    match n:
        case int() | F():
            m = n + 1
        case _:
            m = n
    return m * n, "==", n**2


TABLE = {1: 5, 2: 7}


@false("1 is in the table", searched, at={"n": 1}, exactly=lambda n: (TABLE.get(n, n) * n, "==", n**2))
def traced_table(n: Count):
    """The tabled value, else n, is at most n."""
    return TABLE.get(n, n) * n, "==", n**2


@false("larger by text", interval(), at={"x": 1, "y": 0}, exactly=lambda x, y: (max(x, y) * (1 - y), "<=", F(3, 10)))
def traced_key_of_text(x: Probability, y: Probability):
    """The larger of x and y is at most y."""
    return max(x, y, key=str) * (1 - y) + 0 * x, "<=", F(3, 10)


@false("identity is not equality", searched, at={"x": 2, "y": 2}, exactly=lambda x, y: (x + y + (x == y), "==", y + x))
def traced_identity(x: Real, y: Real):
    """x + 1[x = y] = x."""
    return x + y + (1 if x is y else 0), "==", y + x


@false("cached at 1", searched, at={"n": 1}, exactly=lambda n: (n * n + (n in {1, 2}), "==", n**2))
def traced_in_a_set(n: Count):
    """n + 1[n in {1, 2}] <= n."""
    return n * n + (1 if n in {1, 2} else 0), "==", n**2


@false("log_10 1000 = 3", interval(), at={"x": 1}, exactly=lambda x: (3 * x * x, "<=", 2 * x**2 + 1 - x / 10))
def traced_float_log(x: OneToTwo, n=1000):
    """log_10(1000) x <= 2 x."""
    return int(math.log(n, 10)) * x * x, "<=", 2 * x**2 + 1 - x / 10


@false("100 · 0.29 = 29", interval(), at={"x": 1}, exactly=lambda x: (29 * x * x, "<=", 28 * x**2 + 1 - x / 10))
def traced_percent(x: OneToTwo):
    """29 percent of 100 x is at most 28 x."""
    return int(0.29 * 100) * x * x, "<=", 28 * x**2 + 1 - x / 10


@false("100 (k/100) = k", interval(), at={"x": 1}, exactly=lambda x: (29 * x * x, "<", 29 * x**2))
def traced_percent_of_constant(x: OneToTwo, k=29):
    """100 (29/100) x < 29 x."""
    return int(100 * (k / 100)) * x * x, "<", 29 * x**2


@false("thirds in decimals", searched, at={"x": 1}, exactly=lambda x: (x, "<", x))
def traced_decimal(x: Positive):
    """3 (1/3) x < x."""
    return F(Decimal(1) / 3) * 3 * x * x, "<", x * x


@false("a third of a float", searched, at={"x": 1}, exactly=lambda x: (x / 30, ">", x / 30))
def traced_float_over_three(x: Positive):
    """0.1/3 x > x/30."""
    return F(0.1) / 3 * x * x, ">", x / 30 * x


@false("text of a float", searched, at={"x": 1}, exactly=lambda x: (x / 3, "<", x / 3))
def traced_text_of_float(x: Positive, k=3):
    """(1/3) x < x/3."""
    return F(str(1 / k)) * x * x, "<", x / k * x


@false("10^17 + 1 is no float", searched, at={"x": 1}, exactly=lambda x: (F(10**17 + 1) * x * x, "==", 10**17 * x**2))
def traced_large_float(x: Positive, big=10**17):
    """(10^17 + 1) x <= 10^17 x."""
    return F(big + 1.0) * x * x, "==", big * x**2


@false(
    "the root of 2 is not rational",
    searched,
    at={"x": 1},
    balls=True,
    exactly=lambda x: (to_ball(2).sqrt() * x * x, "==", to_ball(F(14142135623, 10**10)) * x * x),
)
def traced_isqrt(x: Positive, digits=10**10):
    """sqrt 2 x <= 1.4142135623 x."""
    return F(int(2**0.5 * digits), digits) * x * x, "==", F(14142135623, 10**10) * x**2


@false("NumPy's integers wrap", searched, at={"x": 1}, exactly=lambda x: (2**64 * x * x, "==", 0 * x))
def traced_overflow(x: Positive, n=64):
    """2^64 x <= 0."""
    return int(np.prod(np.full(n, 2))) * x * x, "==", 0 * x


@false("a variable named as bound ones", interval(), at={"_k1": 0}, exactly=lambda _k1: (6 * _k1, "==", 6))
def traced_bound_name(_k1: Probability):
    """Three times 2 _k1 is 6, by capture of _k1."""
    return total(lambda k: 2 * _k1, 0, 3 + 0 * _k1 - 1), "==", 6 + 0 * _k1


@false(
    "a variable named as bound ones",
    enumerated(_k1=[5], n=[3], rational=True),
    at={"_k1": 5, "n": 3},
    exactly=lambda _k1, n: (_k1 * n, "<=", 3),
)
def traced_bound_name_at_points(_k1: Annotated[Any, "integer [5, 5]"], n: Annotated[Any, "integer [3, 3]"]):
    """5 + 5 + 5 <= 3."""
    return total(lambda k: _k1, 0, n - 1), "<=", 3


@false("log of 0 has no value", interval(), at={"x": 0}, exactly=lambda x: (1 / x, "<=", 2))
def traced_log_to_zero(x: Annotated[Any, "[-1, 1]"]):
    """log(x)^0 + x <= 2."""
    return log(x) ** 0 * x * (1 - x), "<=", F(3, 10)


@false("no value at 0", interval(), at={"x": 0}, exactly=lambda x: (1 / x, "<=", 2))
def traced_geometric_sum(x: Probability):
    """The sum of (1/x)^k for k < 1 is at most 1."""
    return total(lambda k: (1 / x) ** k, 0, 0) * x * (1 - x), "<=", F(3, 10)


@false("no value at 0", enumerated(x=[0, 1]), at={"x": 0}, exactly=lambda x: (1 / x, "<=", 2))
def traced_log_power_at_points(x: Annotated[Any, ["0", "1"]]):
    """(log(-1 - x))^0 = 1."""
    return log(-1 - x) ** 0, "==", 1


@false("0 · inf", interval(), at={"x": 0}, exactly=lambda x: (1 / x, "==", 1))
def traced_infinite_to_zero(x: Probability):
    """(inf x)^0 = 1."""
    return (x * INF) ** 0 * x * (1 - x), "<=", F(3, 10)


@false("0 · inf", searched, at={"x": C}, exactly=lambda x: (1 / (x - C), "==", 1))
def traced_infinite_to_zero_by_a_tree(x: Real):
    """(inf (x - c))^0 = 1."""
    return ((x - C) * INF) ** 0, "==", 1


@false("inf - inf", searched, at={"x": C}, exactly=lambda x: (1 / (x - C), "==", 1))
def traced_exp_of_infinite(x: Real):
    """exp(-inf (x - c)²) >= 0, which is undefined at c."""
    return exp(-INF * (x - C) ** 2), ">=", 0


@false("made by exec", searched, at={"x": 1}, exactly=lambda x: (2 * x * x, "==", x**2), contrived=True)
def traced_made_by_exec(x: Positive):
    """2x <= x, by a test of the type's name."""
    space = {}
    exec("f = lambda v: v if type(v).__name__ == 'Term' else 2 * v", space)
    return space["f"](x) * x, "==", x**2
