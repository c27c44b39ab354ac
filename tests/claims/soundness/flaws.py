"""False claims, written as an author would write them; none of them may come out proved.

Each says why it is false and gives a point of its domain at which it fails. Where the relation is itself the trap (it
branches on a ball, rounds, asks NumPy), ``exactly`` is the printed formula; with ``balls`` it is evaluated in balls of
200 bits and not in rationals. A formula that is undefined at a point fails there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Annotated, Any

import sympy

from banditproof.claims.register import claim
from banditproof.verify.proof.symbolic import SymbolicArgument
from banditproof.verify.proof.symbols import positive

INF = math.inf
TINY, MINUTE = F(1, 10**12), F(1, 10**30)
HALF, THIRD = F(1, 2), F(1, 3)

Symmetric = Annotated[Any, "[-1, 1]"]
ToThird = Annotated[Any, "[0, 1/3]"]
ToTwo = Annotated[Any, "[0, 2]"]
OneToTwo = Annotated[Any, "[1, 2]"]
Extended = Annotated[Any, "[0, inf]"]
Line = Annotated[Any, "[-inf, inf]"]
Few = Annotated[Any, "integer [1, 3]"]
Pair = Annotated[Any, "integer [1, 2]"]


@dataclass(frozen=True)
class Flaw:
    """Why a claim is false, and where; ``contrived`` marks what nobody would write by mistake."""

    why: str
    at: Mapping[str, Any]
    exactly: Callable[..., Any]
    balls: bool
    contrived: bool


FLAWS: dict[str, Flaw] = {}


def false(
    why: str, *steps: Any, at: Mapping[str, Any], exactly: Any = None, balls: bool = False, contrived: bool = False,
    **options: Any,
) -> Callable[[Any], Any]:  # fmt: skip
    """Register a false claim under its function's name."""

    def register(relation: Any) -> Any:
        name = f"FALSE-{relation.__name__}"
        point = {n: F(v) if isinstance(v, str) else v for n, v in at.items()}
        FLAWS[name] = Flaw(why, point, exactly or relation, balls, contrived)
        return claim(name, *steps, **options)(relation)

    return register


def by_exp():
    s = positive("s")
    return SymbolicArgument({"x": sympy.exp(s)}, s, "positive")


def strictly_below():
    y, s = positive("y s")
    return SymbolicArgument({"x": y * s / (1 + s), "y": y}, y / (1 + s), "positive")
