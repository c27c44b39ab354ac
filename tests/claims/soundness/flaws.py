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

from banditproof.claims import claim, step

INF = math.inf
TINY, MINUTE = F(1, 10**12), F(1, 10**30)
HALF, THIRD = F(1, 2), F(1, 3)

Symmetric = Annotated[Any, "[-1, 1]"]
ToThird = Annotated[Any, "[0, 1/3]"]
ToTwo = Annotated[Any, "[0, 2]"]
OneToTwo = Annotated[Any, "[1, 2]"]
Extended = Annotated[Any, "[0, inf]"]
Few = Annotated[Any, "integer [1, 3]"]
Pair = Annotated[Any, "integer [1, 2]"]


STEPS = 60  # rules that a search tries for a goal


def _searched(check: Any, relation: Any) -> bool:
    return check.deduction(relation, STEPS)


searched = step(_searched, "deduction")
"""The step that looks for a tree of rules itself, where a claim of a document has one that is stored."""


@dataclass(frozen=True)
class Flaw:
    """Why a claim is false, and where; ``contrived`` marks what nobody would write by mistake."""

    why: str
    at: Mapping[str, Any]
    exactly: Callable[..., Any]
    balls: bool
    contrived: bool


FLAWS: dict[str, Flaw] = {}
ORDINARY: list[str] = []  # names of true claims that are proved besides


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
