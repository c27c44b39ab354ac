"""False claims about edges that constraints hide, parameters that are no variables, and lemmas at another point."""

from fractions import Fraction as F
from typing import Annotated, Any

from flaws import false, searched

from banditproof.claims import AtLeastOne, claim, fails_at, interval
from banditproof.theory.numbers.numeric import sqrt

A, THIN = F(31415926, 10**8), F(1, 10**12)
FarOut = Annotated[Any, "[4, inf)"]


@false("a keyword is given by an argument, and is no inverse", searched, at={"x": 4}, exactly=lambda x: (x, "==", x**2))
def square_of_the_root(x: AtLeastOne, *, r=None):
    """The square of the root of x is x²."""
    r = sqrt(x) if r is None else r
    return r * r, "==", x**2


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


@claim("TRUE-with-a-parameter-of-its-own", fails_at(x=2, t=3))
def product_with_the_inverse(x: AtLeastOne, *, t=None):
    """x (1/x) = 1."""
    t = 1 / x if t is None else t
    return x * t, "==", 1
