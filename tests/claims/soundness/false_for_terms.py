"""Statements that look true to a computer algebra system, or to a rule that forgot a case: each was proved once."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Annotated, Any

from flaws import searched

from banditproof.claims import Count, claim, enumerated
from banditproof.theory import where
from banditproof.theory.numbers.term import total

TWO_OR_THREE, SOME = Annotated[Any, [2, 3]], Annotated[Any, [0, 3, 6]]
ODD = F(777, 1000)


# ------------------------------------------------------------------------------------------------- signs of counts


@claim("TRUE-above-its-negative", searched)
def above_its_negative(m: Count, n: Count):
    """1/(m n) > -1/(m n)."""
    return 1 / (m * n), ">", -1 / (m * n)


# --------------------------------------------------------------------------------------------------- sums within sums


def half_or_thirds(n: Any, x: Any) -> Any:
    return total(lambda k: where(k, "<", 100, lambda: x / 2, lambda: total(lambda j: x / 3, 0, n - 1)), 0, n - 1)


@claim("TRUE-first-branch", enumerated(n=[2, 3], x=[0, 3, 6], rational=True))
def first_branch(n: TWO_OR_THREE, x: SOME):
    """The sum of n halves of x is n x/2."""
    return half_or_thirds(n, x), "==", n * x / 2
