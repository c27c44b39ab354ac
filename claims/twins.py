"""The same statement in another document: one check under two ids, so that the documents cannot drift apart."""

from __future__ import annotations

from collections.abc import Iterable

from banditproof.claims.register import REGISTER, Claim, claim, parts_decide
from banditproof.theory.errors import InvalidInput


def restate(
    claim_id: str,
    original: str,
    statement: str | None = None,
    *,
    place: str = "",
    role: str | None = None,
    repairs: str | None = None,
    twins: Iterable[str] = (),
) -> Claim:
    """Register under `claim_id` what another document states as `original`: its domain, constants, mutations, check.

    `statement` puts it into the words of this document, with the placeholders of the original. A role is that of the
    original unless one is given. Twins are named by their items. Raises InvalidInput for an original that is not
    registered or has no check.
    """
    source = REGISTER.get(original)
    if source is None or source.check is None:
        raise InvalidInput("original", original, "a registered claim with a check of its own")
    if role is None and "/" in claim_id and source.role != "item":
        role = source.role
    claim(
        claim_id,
        statement or source.statement,
        domain=source.domain,
        place=place,
        constants=source.constants,
        mutations=source.mutations,
        role=role,
        repairs=repairs,
        twins=dict.fromkeys((item_of(original), *twins)),
        strongest=source.strongest,
        studies=source.studies,
    )(source.check)
    return REGISTER[claim_id]


def restate_parts(claim_id: str, statement: str, parts: dict[str, str], *, place: str = "") -> None:
    """Register an item that its parts decide; `parts` maps the name of each to the claim that it restates."""
    parts_decide(claim_id, statement, place=place, twins=dict.fromkeys(map(item_of, parts.values())))
    for name, original in parts.items():
        restate(f"{claim_id}/{name}", original, role="part")


def item_of(claim_id: str) -> str:
    """The item that a claim stands under, or is."""
    return claim_id.partition("/")[0]
