"""What authors answer to findings: kept in a small file beside the results, which no run changes or removes.

An answer belongs to the claims that failed when it was given. It is shown with every finding in which one of them
fails, and says what of that finding is another than it was.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from banditproof.algorithms.run.checkpoints import write_atomically
from banditproof.claims.report.findings import Answer, Finding, Record, findings
from banditproof.claims.run.results import modules_of
from banditproof.theory.errors import InvalidInput, close_to

FILE = "answers.json"
COMPARED = {  # what a failure is, and how its change is told
    "fails": "{} fails in another way",
    "statement": "the statement of {} has changed",
    "counterexample": "the counterexample to {} has changed",
    "certainty": "the certainty of {} has changed",
    "correction": "the correction of {} has changed",
}


@dataclass(frozen=True)
class Given:
    """An answer as it was given: to which `claims`, by whom, when, and what the finding `was` then."""

    claims: tuple[str, ...]
    by: str
    date: str
    note: str
    was: Mapping[str, Any]


def findings_of(results: Record, paper: str | None = None) -> list[Finding]:
    """The findings of a results document, with the ``answers`` that were put beside it; ``results.json`` holds none."""
    given: Sequence[Given] = results.get("answers", ())
    return [answered(f, given) for f in findings(results["claims"], paper, modules_of(results))]


def answers_beside(folder: Path, named: Path | None = None) -> list[Given]:
    """The answers of the file that is named, or of that in the folder of the results, where there is one."""
    path = named or folder / FILE
    return read_answers(path) if named is not None or path.is_file() else []


def answered(finding: Finding, given: Sequence[Given]) -> Finding:
    """The finding with the answers to it, in the order in which they were given."""
    own = [one for one in given if {*one.claims} & {*finding.claims}]
    return replace(finding, answers=tuple(Answer(g.by, g.date, g.note, _changes(g.was, finding)) for g in own))


def without_finding(results: Record) -> list[Given]:
    """The answers to claims of these results that fail no longer."""
    if not results["answers"]:
        return []
    failing = {claim for paper in {r["paper"] for r in results["claims"]} for claim in _failing(results, paper)}
    known = {r["id"] for r in results["claims"]}
    return [g for g in results["answers"] if known & {*g.claims} and not failing & {*g.claims}]


def _failing(results: Record, paper: str) -> set[str]:
    return {claim for finding in findings(results["claims"], paper) for claim in finding.claims}


def accept(results: Record, claim: str, by: str, note: str, path: Path) -> Finding:
    """Add an answer to the file; returns the finding. Raises InvalidInput where `claim` names none, or several."""
    for name, text in (("by", by), ("note", note)):
        if not text.strip():
            raise InvalidInput(name, text, "a text that is not empty")
    finding = _finding_of(results, claim)
    new = Given(finding.claims, by.strip(), datetime.now(UTC).date().isoformat(), note.strip(), _content(finding))
    listed = [_to_json(one) for one in (*(read_answers(path) if path.exists() else ()), new)]
    text = json.dumps({"schema": 1, "answers": listed}, indent=1, ensure_ascii=False) + "\n"
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        raise InvalidInput("answers", str(path), f"a writable file ({error.strerror})") from error
    return finding


def _finding_of(results: Record, claim: str) -> Finding:
    """The one finding in which a claim fails, or that an item heads."""
    papers = {r["id"]: r["paper"] for r in results["claims"]}
    if claim not in papers:
        raise InvalidInput("accept", claim, "the id of a claim in the results", close_to(claim, papers))
    listed = findings(results["claims"], papers[claim])
    named = [f for f in listed if claim in f.claims] or [f for f in listed if claim in f.items]
    if not named:
        raise InvalidInput("accept", claim, "the id of a claim that is refuted; this one is not")
    if len(named) > 1:
        ids = ", ".join(f.claims[0] for f in named)
        raise InvalidInput("accept", claim, f"one of {ids}, because this item has several findings")
    return named[0]


def _content(finding: Finding) -> dict[str, Any]:
    """What a finding is, as far as an answer may speak of it."""
    failures = {
        claim: {
            "fails": failure.fails,
            "statement": failure.statement,
            "counterexample": [*map(list, failure.point), failure.left, failure.operator, failure.right],
            "certainty": failure.certainty,
            "correction": failure.repair,
        }
        for failure in finding.failures
        for claim in failure.claims
    }
    return {"severity": finding.severity, "failures": failures}


def _changes(was: Mapping[str, Any], finding: Finding) -> tuple[str, ...]:
    """What of a finding is another than it was."""
    now = _content(finding)
    then, here = was["failures"], now["failures"]
    told = [f"its severity was {was['severity']}"] if was["severity"] != now["severity"] else []
    told += [f"{claim} no longer fails" for claim in then if claim not in here]
    told += [f"{claim} fails as well" for claim in here if claim not in then]
    for claim in (c for c in here if c in then):
        told += [said.format(claim) for part, said in COMPARED.items() if then[claim].get(part) != here[claim][part]]
    return tuple(told)


def read_answers(path: Path) -> list[Given]:
    """The answers of a file, in the order in which they were given. Raises InvalidInput for another file."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["schema"] != 1 or not isinstance(content["answers"], list):
            raise ValueError(content["schema"])
        return [_from_json(one) for one in content["answers"]]
    except OSError as error:
        raise InvalidInput("answers", str(path), f"a file of 'findings --accept' ({error.strerror})") from error
    except (RecursionError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise InvalidInput("answers", str(path), f"a file of 'findings --accept' ({type(error).__name__})") from error


def _to_json(one: Given) -> dict[str, Any]:
    return {"claims": one.claims, "by": one.by, "date": one.date, "note": one.note, "finding": one.was}


def _from_json(data: Any) -> Given:
    claims, was = data["claims"], data["finding"]
    words = (data["by"], data["date"], data["note"], was["severity"], *claims, *was["failures"])
    if not isinstance(claims, list) or not all(isinstance(word, str) for word in words):
        raise TypeError("words")
    if not all(isinstance(failure, dict) for failure in was["failures"].values()):
        raise TypeError("failures")
    return Given(tuple(claims), data["by"], data["date"], data["note"], was)
