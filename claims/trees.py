"""Stored proofs: trees of rules by claim and by the key of the statement that they prove.

They stand beside the claims, one file for each document and one for each file of claims (``draft.proofs.json`` for
``draft.py``), so that a verdict depends on no search. A tree proves nothing by being there: it is replayed whenever the
claim is checked. A statement that has changed has another key, and no tree.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from banditproof.claims.documents import Readable, documents
from banditproof.theory.errors import InvalidInput
from banditproof.verify.proof.statement import Statement

_BESIDE: list[Path] = []


def look_beside(module: Path) -> None:
    """Read the trees of a file of claims too, once there are some."""
    proofs = module.resolve().with_suffix(".proofs.json")
    if proofs not in _BESIDE:
        _BESIDE.append(proofs)


@cache
def _trees_in(proofs: Readable) -> dict[str, dict[str, Any]]:
    """The trees of a file, none where it is not there yet."""
    try:
        by_claim = json.loads(proofs.read_text(encoding="utf-8"))
        if not (isinstance(by_claim, dict) and all(isinstance(trees, dict) for trees in by_claim.values())):
            raise ValueError("no trees by claim and statement")
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError) as error:
        raise InvalidInput("proofs", str(proofs), f"trees in JSON ({error})") from error
    return by_claim


def stored(claim_id: str) -> Mapping[str, Any]:
    """The trees of a claim by the key of their statement."""
    files = (*(d.proofs for d in documents().values() if d.proofs is not None), *_BESIDE)
    return next((trees for file in files if (trees := _trees_in(file).get(claim_id))), {})


def tree_of(claim_id: str, statement: Statement) -> Any:
    """The tree of a claim's statement, or None."""
    trees = stored(claim_id)
    return trees.get(statement.key) if trees else None


def file_for(paper: str, module: str) -> Path:
    """Where the trees of a claim go: beside its document's, or beside the file that holds it."""
    document = documents().get(paper)
    proofs = document.proofs if document else next((p for p in _BESIDE if p.name == f"{module}.proofs.json"), None)
    if not isinstance(proofs, Path):
        raise InvalidInput("claim", paper, "a claim of a file, or of a document whose proofs are stored in a folder")
    return proofs


def store(proofs: Path, found: Mapping[str, Mapping[str, Any] | None]) -> Path:
    """Write trees of claims into their file, one line each; None takes those of a claim away."""
    trees = {claim: tree for claim, tree in {**_trees_in(proofs), **found}.items() if tree}
    lines = (f"{json.dumps(claim)}: {json.dumps(trees[claim], separators=(',', ':'))}" for claim in sorted(trees))
    proofs.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    _trees_in.cache_clear()
    return proofs
