"""What fails in a run at the line of its claim: as annotations of GitHub Actions, and as SARIF for other readers."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from banditproof.claims.register import Claim
from banditproof.claims.report.plain import plain
from banditproof.claims.run.results import failing, missed_variants
from banditproof.claims.verdict import REFUTED
from banditproof.verify.testing.annotations import annotation

SARIF = "banditproof.sarif"
RULES = {
    "error": "the check of a claim raised an exception",
    "verdict": "a claim has a verdict that it must not have",
    "variant": "a false variant of a claim was not refuted",
}


@dataclass(frozen=True)
class Failing:
    """What is wrong with a claim: an error where it decides the exit status, a warning where it does not."""

    claim: str
    rule: str
    level: str
    title: str
    message: str
    file: str
    line: int | None


def what_fails(results: Mapping[str, Any], claims: Sequence[Claim], fail_on: Collection[str]) -> Iterator[Failing]:
    """An error for what lets no build pass, a warning for what else is refuted."""
    known = {c.id: c for c in claims}
    fatal = {r["id"] for r in failing(results, fail_on)}
    noted = {r["id"] for r in failing(results, REFUTED)}
    for record in results["claims"]:
        claim = record["id"]
        place = _place(known.get(claim))
        if record["status"] == "error":
            yield Failing(
                claim, "error", "error", f"{claim}: its check raised an exception", record["reach"].strip(), *place
            )
        elif claim in fatal | noted:
            level = "error" if claim in fatal else "warning"
            message = plain(f"{record['statement']} {record['reach']}")
            yield Failing(claim, "verdict", level, f"{claim}: {record['verdict']}", message, *place)
        for name in missed_variants(record):
            yield Failing(claim, "variant", "error", f"{claim}: a false variant was not refuted", name, *place)


def _place(claim: Claim | None) -> tuple[str, int | None]:
    if claim is None:
        return "", None
    return claim.file, claim.place_of_check[1]


def github_lines(failures: Sequence[Failing]) -> Iterator[str]:
    """A workflow command of GitHub Actions for each."""
    for one in failures:
        yield annotation(one.level, one.title, one.message, one.file, one.line)


def sarif(failures: Sequence[Failing], version: str) -> str:
    """A log in the Static Analysis Results Interchange Format 2.1.0; files are named from the working folder."""
    rules = [{"id": name, "shortDescription": {"text": said}} for name, said in RULES.items()]
    driver = {"name": "banditproof", "version": version, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": [*map(_result, failures)]}
    return json.dumps({"version": "2.1.0", "runs": [run]}, indent=1, ensure_ascii=False)


def _result(one: Failing) -> dict[str, Any]:
    said = {"ruleId": one.rule, "level": one.level, "message": {"text": f"{one.title}. {one.message}"}}
    said["partialFingerprints"] = {"claim/v1": f"{one.claim} {one.rule}"}
    path = os.path.relpath(one.file).replace(os.sep, "/") if one.file else ""
    if not path or path.startswith(".."):
        return said
    at = {"artifactLocation": {"uri": path}} | ({"region": {"startLine": one.line}} if one.line else {})
    return said | {"locations": [{"physicalLocation": at}]}
