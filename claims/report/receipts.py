"""Receipts of findings: files that compute both sides of a counterexample again with the standard library alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from banditproof.verify.proof.evidence import Counterexample, said_of

FOLDER = "receipts"


def receipts(records: Iterable[Mapping[str, Any]]) -> dict[str, tuple[str, str]]:
    """By the id of a refuted claim, where the checker of receipts confirms it: the path of the file, and its text.

    That is so of formulas that it knows, at rational points, where nothing is taken on trust.
    """
    found = {}
    for record in records:
        evidence = record["counterexample"]
        at_a_point = evidence and evidence.get("kind") == Counterexample.kind and not evidence["assumes"]
        if record["verdict"] == "refuted" and at_a_point and (text := _text(json.dumps(evidence, sort_keys=True))):
            found[record["id"]] = f"{FOLDER}/{re.sub(r'[^A-Za-z0-9.-]+', '_', record['id'])}.py", text
    return found


@cache
def _text(evidence: str) -> str:
    from banditproof.theory.errors import InvalidInput
    from banditproof.theory.numbers.term import NoTerm
    from banditproof.verify.judge.receipts.receipt import receipt_of_a_point
    from banditproof.verify.proof.recheck import problem_named
    from banditproof.verify.proof.statement import Statement

    said = said_of(json.loads(evidence))
    try:
        problem = problem_named(said)
    except (NoTerm, InvalidInput, ImportError, AttributeError):  # of a file of claims that is not there any more
        return ""
    if not isinstance(problem, Statement):
        return ""
    return receipt_of_a_point(problem, said["point"], bool(said.get("no_value")))
