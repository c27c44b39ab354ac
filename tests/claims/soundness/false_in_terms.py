"""False claims over real variables whose terms once came out proved: poles that cancel, ends, infinities and names."""

from __future__ import annotations

from fractions import Fraction as F

from flaws import false

from banditproof.claims import Probability, interval


@false("the variable has the name of a shared part", interval(), at={"t0_": 1})
def termed_name_of_a_shared_part(t0_: Probability):
    """t <= (t² + 1/2) - (t² + 1/2) + 3/4: t is overwritten."""
    part = t0_ * t0_ - 2
    return t0_, "<=", part * part - part * part + F(1, 4)
