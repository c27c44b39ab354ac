"""What a claim states, as the machine reads it: its relation as a term, or why it has none."""

from __future__ import annotations

from functools import cache

from banditproof.claims.register import Claim
from banditproof.theory.numbers.term import NoTerm
from banditproof.verify.proof.evaluation import formula_of
from banditproof.verify.proof.general import General, general
from banditproof.verify.proof.statement import Statement, trace


@cache
def _traced(function: object, domain: object, constants: tuple[tuple[str, object], ...]) -> Statement | str:
    if (formula := formula_of(function)) is not None:  # type: ignore[arg-type]
        return Statement(domain, *formula)  # type: ignore[arg-type]
    try:
        return trace(function, domain, dict(constants))  # type: ignore[arg-type]
    except NoTerm as why:
        return str(why)


def stated_in_general(claim: Claim) -> General | None:
    """The formula of a claim about every mechanism, law or policy; None for another claim."""
    return general(claim.function, claim.domain, claim.constants) if claim.is_general else None  # type: ignore[arg-type]


def stated(claim: Claim) -> Statement | str:
    """The statement of a claim at its printed constants; a sentence where it is no term."""
    if claim.relation is None:
        return "no relation: its parts decide it, or a program gathers the evidence"
    try:
        return _traced(claim.relation, claim.domain, tuple(claim.constants.items()))
    except TypeError:  # constants that have no hash
        return _traced.__wrapped__(claim.relation, claim.domain, tuple(claim.constants.items()))
