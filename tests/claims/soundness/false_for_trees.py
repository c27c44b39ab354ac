"""False claims for proofs by trees and by boxes: undefined formulas, ends that are forgotten, substitutions."""

from __future__ import annotations

from flaws import false

from banditproof.claims import AtLeastOne, interval
from banditproof.theory.numbers.numeric import exp

# ------------------------------------------------------------------------------------------------------ substitutions


in_t = {"x": ("t", "[0, 1]", "1/t")}


@false("1/x² is t², not t", interval(substitutions=in_t, boxes=200), at={"x": 2})
def wrong_in_the_parameter(x: AtLeastOne, *, t=None):
    """1/x² >= 1/x, written as t >= t."""
    square = 1 / x**2 if t is None else t
    return square, ">=", 1 / x if t is None else t


@false("the formula in the parameter is another one", interval(substitutions=in_t), at={"x": 2}, balls=True)
def slip_in_the_parameter(x: AtLeastOne, *, t=None):
    """e^(-1/x) <= 1/x, written with 1 - t for 1/x."""
    inverse = 1 / x if t is None else 1 - t
    return exp(-inverse), "<=", inverse if t is None else inverse + t
