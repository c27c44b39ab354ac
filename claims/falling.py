"""What falls if a claim falls: whatever takes it for granted, and the items that it decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from banditproof.claims.register import Claim
from banditproof.claims.verdict import DECIDING

Link = tuple[str, str]  # a claim, and one whose verdict it holds down


def links(claims: Iterable[Claim]) -> list[Link]:
    """Every basis of a registered claim, with the claim."""
    return [link for c in claims for link in _bases(c.id, c.parent, c.role, c.rests_on)]


def links_of_records(records: Iterable[Mapping[str, Any]]) -> list[Link]:
    """The same, for the records of a run."""
    return [link for r in records for link in _bases(r["id"], r["parent"], r["role"], r["rests_on"])]


def _bases(claim: str, parent: str | None, role: str, rests_on: Iterable[str]) -> list[Link]:
    own = [(claim, parent)] if parent and role in DECIDING else []
    return [*own, *((basis, claim) for basis in rests_on)]


def falling_with(claim: str, linked: Sequence[Link]) -> list[str]:
    """The claims that fall if this one does, in the order in which they are reached."""
    above: dict[str, list[str]] = {}
    for basis, other in linked:
        above.setdefault(basis, []).append(other)
    falling, new = [claim], [claim]
    while new:
        fresh = dict.fromkeys(i for name in new for i in above.get(name, ()) if i not in falling)
        falling, new = [*falling, *fresh], list(fresh)
    return falling[1:]
