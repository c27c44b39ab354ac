"""False claims whose source does not show what they compute: branches, floats and memory behind names."""

import math
from fractions import Fraction as F
from typing import Annotated, Any

import flint
from flaws import false, searched

from banditproof.claims import Inside, Probability, claim, enumerated, interval, tried_at
from banditproof.theory.numbers.numeric import exp

Three = Annotated[Any, [1, 2, 3]]
ONE_49TH = 1 / 49
SQUARES = (k * k for k in [1, 2, 3])


def hinge(v):
    return v if v > 0 else 0


def printed_hinge(x):
    return max(x - F(1, 2), 0), "<=", 0


@false("the branch is called through a loop", interval(), at={"x": 1}, exactly=printed_hinge, contrived=True)
def hinge_in_a_loop(x: Probability):
    """(x - 1/2)+ <= 0."""
    for loss, z in [(hinge, x - F(1, 2))]:
        return loss(z), "<=", 0


def remembered(v=None, seen=[0]):  # noqa: B006
    if v is None:
        return seen[-1] if seen[-1] > 0 else 0
    seen.append(v)
    return 0


@false("a default remembers the last ball", interval(), at={"x": 1}, exactly=printed_hinge, contrived=True)
def hinge_of_what_was_kept(x: Probability):
    """(x - 1/2)+ <= 0."""
    return remembered(x - F(1, 2)) + remembered(), "<=", 0


@false("a float stands outside", enumerated(n=[1, 2, 3], rational=True), at={"n": 1}, exactly=lambda n: (1, "==", 0))
def whole_of_a_float(n: Three):
    """floor(49/49) = 0."""
    return math.floor(ONE_49TH * 49), "==", 0


@false("a quotient of ints rounds", enumerated(n=[1, 2, 3], rational=True), at={"n": 2}, exactly=lambda n: (1, "==", 0))
def whole_of_a_table(n: Three):
    """floor(w/w) = 0 for n > 1."""
    weights = {1: 1, 2: 49, 3: 49}
    return math.floor((1 / weights[n]) * weights[n]), "==", (1 if n == 1 else 0)


def inverse(k):
    return 1 / k


@false("a quotient of ints rounds", interval(), at={"x": 0}, exactly=lambda x: (F(1, 10), ">", F(1, 10)))
def tenth_of_a_helper(x: Probability, k=10):
    """1/10 > 1/10."""
    return inverse(k) + 0 * x, ">", F(1, 10)


def slightly_above_one(a) -> flint.arb:
    return exp(F(a, 10**40))


@false("an uncertain comparison", enumerated(n=[1, 2, 3]), at={"n": 1}, exactly=lambda n: (1, "==", 0))
def ball_of_a_helper(n: Three):
    """exp(n / 10^40) > 1 is false."""
    return (1 if slightly_above_one(n) > 1 else 0), "==", 0


@false("a power of ints is a float", interval(), at={"x": 0}, exactly=lambda x: (F(1, 10), ">", F(1, 10)))
def tenth_of_a_power(x: Probability):
    """1/10 > 1/10."""
    return pow(10, -1) + 0 * x, ">", F(1, 10)


@false("a power of ints is a float", searched, at={"x": "1/2"}, exactly=lambda x: (3 * x / 10, ">", 3 * x / 10))
def tenths_of_a_power(x: Inside):
    """3x/10 > 3x/10."""
    return x * 3 * pow(10, -1), ">", x * F(3, 10)


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


@false("an iterator is used up", enumerated(n=[1, 2, 3], rational=True), at={"n": 2}, exactly=lambda n: (14, "<=", 0))
def sum_of_what_is_left(n: Three):
    """1 + 4 + 9 <= 0 for n > 1."""
    return sum(SQUARES), "<=", (14 if n == 1 else 0)


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
