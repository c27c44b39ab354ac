"""Stored proofs: trees of rules by claim and by the key of the statement that they prove.

They stand beside the claims, one file for each document, so that a verdict depends on no search. A tree proves nothing
by being there: it is replayed whenever the claim is checked. A statement that has changed has another key, and no tree.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from banditproof.claims.documents import Document, documents
from banditproof.theory.errors import InvalidInput
from banditproof.verify.proof.statement import Statement


@cache
def _read(document: Document) -> dict[str, dict[str, Any]]:
    """The trees of a document, none where it has no file of them yet."""
    if document.proofs is None:
        return {}
    try:
        found = json.loads(document.proofs.read_text(encoding="utf-8"))
        if not (isinstance(found, dict) and all(isinstance(trees, dict) for trees in found.values())):
            raise ValueError("no trees by claim and statement")
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError) as error:
        raise InvalidInput("proofs", str(document.proofs), f"trees in JSON ({error})") from error
    return found


def stored(claim_id: str) -> Mapping[str, Any]:
    """The trees of a claim by the key of their statement."""
    return next((trees for d in documents().values() if (trees := _read(d).get(claim_id))), {})


def tree_of(claim_id: str, statement: Statement) -> Any:
    """The tree of a claim's statement, or None."""
    trees = stored(claim_id)
    return trees.get(statement.key) if trees else None


def store(document: Document, found: Mapping[str, Mapping[str, Any] | None]) -> Path:
    """Write trees of claims beside a document's claims, one line each; None takes those of a claim away."""
    if not isinstance(document.proofs, Path):
        raise InvalidInput("document", document.name, "one with a file of proofs in a folder")
    trees = {claim: tree for claim, tree in {**_read(document), **found}.items() if tree}
    lines = (f"{json.dumps(claim)}: {json.dumps(trees[claim], separators=(',', ':'))}" for claim in sorted(trees))
    document.proofs.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    _read.cache_clear()
    return document.proofs
