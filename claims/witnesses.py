"""Whether anything meets all that a theorem assumes: an instance that does, found by machine, or that there is none."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from banditproof.claims.documents import catalogue
from banditproof.claims.register import REGISTER, Claim
from banditproof.verify.proof.domain import Domain, Everything, draw_point

UNRESTRICTED = "none of its assumptions restricts the instance"
IN_A_MODEL = "met in a small world; a test evaluates some of its values"


def hypotheses(item: str) -> str | None:
    """An instance that meets all hypotheses of an item, in a sentence; None where nobody has looked for one.

    The catalogue says where they are: nowhere ('-'), in the `domain` of the item's claims, or in a claim of its own.
    """
    told = _place_of(item)
    if told == "-":
        return UNRESTRICTED
    if told == "domain":
        claim = _with_numbers(item)
        if claim is not None and claim.is_general:
            return IN_A_MODEL  # its premises are more than what its domain says
        point = draw_point(_numbers(claim), random.Random(item)) if claim is not None else None
        shown = ", ".join(f"{name} = {_short(value)}" for name, value in point.items()) if point else ""
        return f"met, for instance, at {shown}" if shown else None
    return f"see {told}" if told in REGISTER and REGISTER[told].role == "hypotheses" else None


def told_by(item: str) -> tuple[str, list[Claim]]:
    """What the sentence on an item's hypotheses is made from: where they are, and the claims that have them."""
    told = _place_of(item)
    return told, _and_parts(item) if told == "domain" else [c for c in (REGISTER.get(told),) if c is not None]


def _place_of(item: str) -> str:
    entry = catalogue().get(item)
    return entry.hypotheses if entry is not None else ""


def _and_parts(item: str) -> list[Claim]:
    return [REGISTER[item], *(c for c in REGISTER.values() if c.parent == item and c.role == "part")]


def _with_numbers(item: str) -> Claim | None:
    """The item's claim, or its first part with variables that are numbers."""
    return next((c for c in _and_parts(item) if _numbers(c).variables), None)


def _numbers(claim: Claim) -> Domain:
    """The domain without described objects (every policy), and without what is said of them."""
    numbers = tuple((n, s) for n, s in claim.domain.variables if not isinstance(s, Everything))
    names = {n for n, _ in numbers}
    return Domain(numbers, tuple(c for c in claim.domain.where if set(c.names) <= names))


def _short(value: Any) -> str:
    return f"{float(value):.4g}" if isinstance(value, Fraction) and value.denominator > 1000 else str(value)
