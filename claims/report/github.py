"""What fails in a run, as annotations of a workflow of GitHub Actions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from banditproof.claims.register import Claim
from banditproof.claims.report.plain import plain
from banditproof.claims.run.results import failing, missed_variants
from banditproof.claims.verdict import REFUTED
from banditproof.verify.testing.annotations import annotation


def lines_of_failures(results: Mapping[str, Any], claims: Sequence[Claim], fail_on: Collection[str]) -> Iterator[str]:
    """An error for what makes the exit status 1 or 3, a warning for what else is refuted; at the line of its claim."""
    known = {c.id: c for c in claims}
    fatal = {r["id"] for r in failing(results, fail_on)}
    noted = {r["id"] for r in failing(results, REFUTED)}
    for record in results["claims"]:
        claim = record["id"]
        if record["status"] == "error":
            yield _at(known.get(claim), "error", f"{claim}: its check raised", record["reach"].strip())
        elif claim in fatal | noted:
            level = "error" if claim in fatal else "warning"
            message = plain(f"{record['statement']} {record['reach']}")
            yield _at(known.get(claim), level, f"{claim}: {record['verdict']}", message)
        for name in missed_variants(record):
            yield _at(known.get(claim), "error", f"{claim}: a false variant was not refuted", name)


def _at(claim: Claim | None, level: str, title: str, message: str) -> str:
    if claim is None:
        return annotation(level, title, message)
    line = claim.function.__code__.co_firstlineno if claim.function is not None else None
    return annotation(level, title, message, claim.file, line)
