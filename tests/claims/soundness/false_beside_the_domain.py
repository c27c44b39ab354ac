"""False claims about edges that constraints hide, parameters that are no variables, and lemmas at another point."""

from fractions import Fraction as F
from typing import Annotated, Any

from flaws import false, searched

from banditproof.claims import AtLeastOne, Probability, claim, enumerated, fails_at, interval
from banditproof.theory.numbers.numeric import sqrt
from banditproof.theory.numbers.poisson_mass import floor

A, THIN = F(31415926, 10**8), F(1, 10**12)
FarOut = Annotated[Any, "[4, inf)"]
Fifty = Annotated[Any, "integer [1, 49]"]


@false(
    "a keyword is given by the points",
    enumerated(n=range(1, 50), start=[0], rational=True),
    at={"n": 1},
    exactly=lambda n: (F(n * (n + 1), 2), "<=", F(n * (n - 1), 2)),
)
def sum_from_the_start(n: Fifty, *, start=1):
    """1 + ... + n <= n (n - 1)/2."""
    return sum(range(start, n + start)), "<=", F(n * (n - 1), 2)


@false("a keyword is given by an argument, and is no inverse", searched, at={"x": 4}, exactly=lambda x: (x, "==", x**2))
def square_of_the_root(x: AtLeastOne, *, r=None):
    """The square of the root of x is x²."""
    r = sqrt(x) if r is None else r
    return r * r, "==", x**2


def lemma(x, *, t=None):
    t = 1 / x if t is None else t
    return (t - A) ** 2, ">", THIN


@false(
    "a lemma in the parameter, called elsewhere",
    interval(substitutions={"x": ("t", "[0, 1/4]", "1/t")}),
    at={"x": 2 / A},
    exactly=lambda x: lemma(x / 2),
)
def lemma_at_the_half(x: FarOut, *, t=None):
    """(2/x - a)² > 10^-12."""
    return lemma(x / 2, t=t)


@false(
    "x is another one where t is read",
    interval(substitutions={"x": ("t", "[0, 1/4]", "1/t")}),
    at={"x": 2 / A},
    exactly=lambda x: ((2 / x - A) ** 2, ">", THIN),
)
def variable_that_was_halved(x: FarOut, *, t=None):
    """(2/x - a)² > 10^-12."""
    x = x / 2
    t = 1 / x if t is None else t
    return (t - A) ** 2, ">", THIN


@false("a jump within the box", interval(), at={"x": A})
def below_a_floor(x: Probability, c=A, d=F(1, 10**9)):
    """x >= (c + d) floor(x + 1 - c)."""
    return x, ">=", (c + d) * floor(x + 1 - c)


@false("symbols are told apart as keys", searched, at={"m": 20, "n": 20})
def keys_of_a_table(m: Annotated[Any, "integer [4, inf)"], n: Annotated[Any, "integer [20, inf)"]):
    """m and n are two numbers."""
    return len({m: 1, n: 1}), "==", 2


@false(
    "the key of an order rounds",
    enumerated(n=[3], rational=True),
    at={"n": 3},
    exactly=lambda n: (F(1, 3) + F(1, 10**20), "==", F(1, 3)),
)
def largest_by_a_float(n: Annotated[Any, "integer [3, 3]"]):
    """The larger of 1/3 and 1/3 + 10^-20 is 1/3."""
    return max([F(1, n), F(1, n) + F(1, 10**20)], key=float), "==", F(1, n)


@claim("TRUE-with-a-parameter-of-its-own", fails_at(x=2, t=3))
def product_with_the_inverse(x: AtLeastOne, *, t=None):
    """x (1/x) = 1."""
    t = 1 / x if t is None else t
    return x * t, "==", 1
