"""Statements at the side conditions of rules: infinities, domains of quantities, lost terms; each was proved once."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Annotated, Any

import mpmath
from flaws import INF, false, searched

from banditproof.claims.register import claim
from banditproof.claims.sets import Positive, Probability
from banditproof.claims.steps import enumerated, interval
from banditproof.theory import exp, log, sqrt, where
from banditproof.theory.numbers.numeric import atan

TENTH = F(1, 10)
ODD, CELL = F(777, 1000), F(7777, 10007)
SMALL = F(1, 10**100)
OneTwo = Annotated[Any, [1, 2]]


def budget(x: Any) -> Any:
    """A budget that is infinite up to 2."""
    return where(x, "<=", 2, INF, x)


# -------------------------------------------------------------------- infinite constants in terms: arithmetic in floats


BELOW_QUARTER_TURN = F(157079632679489660, 10**17)


@claim("TRUE-infinite-constant", enumerated(n=[1, 2, 3]))
def t0(n: Annotated[Any, "integer [1, 3]"], eps="inf"):
    """sqrt n + 3 (n/eps + 1/10) <= sqrt n + 31/100, eps = inf (n/inf = 0)."""
    return 3 * (n / eps + TENTH) + sqrt(n), "<=", F(3, 10) + sqrt(n) + F(1, 10**30)


# -------------------------------------------------------------------------- ends of the domains of quantities, in balls


@false("log 1 = 0", searched, where=["y != 0"], at={"y": ODD}, exactly=lambda y: (mpmath.log(1) ** 2, ">", 0))
def hole_elsewhere(y: Positive):
    """(log(y/c))^2 > 0 where y != 0."""
    return log(y / ODD) ** 2, ">", 0


# ---------------------------------------------------------------------------------------------------------- true claims


@claim("TRUE-infinite-budget", interval(boxes=100))
def t1(x: Probability):
    """x + 3 (1/eps + 1/10) <= x + 3/10, eps = inf: 1/inf = 0."""
    return x + 3 * (1 / budget(x) + TENTH), "<=", x + F(3, 10)


@claim("TRUE-infinite-budget-branch", enumerated(x=[1, 2]))
def t2(x: OneTwo):
    """1[3 (1/eps + 1/10) <= 3/10] = 1: both are 3/10."""
    return where(3 * (1 / budget(x) + TENTH), "<=", F(3, 10), 1, 0), "==", 1


@claim("TRUE-infinite-exponent", interval(boxes=100))
def t3(x: Probability):
    """1[3 (e^-eps + 1/10) > 3/10] <= x: e^-inf = 0, so it is 0."""
    return where(3 * (exp(-budget(x)) + TENTH), ">", F(3, 10), 1, 0), "<=", x


@claim("TRUE-quarter-turn", enumerated(x=["inf"], rational=True))
def t5(x: Annotated[Any, ["inf"]]):
    """atan(inf) = pi/2 > 1.5707963267948966."""
    return where(atan(x), ">", BELOW_QUARTER_TURN, 1, 0), "==", 1
