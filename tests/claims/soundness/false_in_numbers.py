"""False claims that come out true when a side is rounded: balls, midpoints, floats, precision."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Annotated, Any

from flaws import THIRD, false

from banditproof.claims import enumerated

# ---------------------------------------------------------------------------------- exact numbers that decay to floats


def not_itself(**number):
    return tuple(number.values()), "!=", tuple(number.values())


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
