"""False claims whose source does not show what they compute: branches, floats and memory behind names."""

import math
from fractions import Fraction as F
from typing import Annotated, Any

from flaws import false

from banditproof.claims import Probability, claim, enumerated, interval, tried_at

Three = Annotated[Any, [1, 2, 3]]


def hinge(v):
    return v if v > 0 else 0


def printed_hinge(x):
    return max(x - F(1, 2), 0), "<=", 0


@false("the branch is called through a loop", interval(), at={"x": 1}, exactly=printed_hinge, contrived=True)
def hinge_in_a_loop(x: Probability):
    """(x - 1/2)+ <= 0."""
    for loss, z in [(hinge, x - F(1, 2))]:
        return loss(z), "<=", 0


@false("a quotient of ints rounds", enumerated(n=[1, 2, 3], rational=True), at={"n": 2}, exactly=lambda n: (1, "==", 0))
def whole_of_a_table(n: Three):
    """floor(w/w) = 0 for n > 1."""
    weights = {1: 1, 2: 49, 3: 49}
    return math.floor((1 / weights[n]) * weights[n]), "==", (1 if n == 1 else 0)


@false(
    "parts of a Fraction are ints", enumerated(n=[1, 2, 3], rational=True), at={"n": 1}, exactly=lambda n: (n, "==", 0)
)
def quotient_of_parts(n: Three, scale=10**20):
    """n = 0, by 1 + n/10^20 in floats."""
    part = F(n, scale)
    return scale * (F(1 + part.numerator / part.denominator) - 1), "==", 0


@false("a text rounds", enumerated(n=[1, 2, 3], rational=True), at={"n": 1}, exactly=lambda n: (n, "==", 0))
def digits_of_a_text(n: Three, scale=10**20):
    """n = 0, by ten digits of n/10^20."""
    return scale * F("%.10f" % F(n, scale)), "==", 0  # noqa: UP031


def stronger(x: Probability):
    return x, "<=", F(3, 4)


@claim("TRUE-the-stronger-fails", tried_at(x=1, of=stronger), interval())
def at_most_one(x: Probability):
    """x <= 1, though x <= 3/4 fails."""
    return x, "<=", 1


@claim("TRUE-by-a-stronger-that-fails", interval(of=stronger))
def at_most_one_by_more(x: Probability):
    """x <= 1, though x <= 3/4 fails."""
    return x, "<=", 1
