"""Parts of a printed statement that no check speaks of yet: undecided, so that their item is no stronger than that."""

from __future__ import annotations

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim


def open_part(claim_id: str, statement: str, missing: str) -> None:
    """Register a part that stays undecided; `missing` says what a check of it would rest on."""

    @claim(claim_id, statement, role="part", strongest="certificate")
    def nothing_yet(check: Check) -> None:
        check.could_not("certificate", missing)
