"""``banditproof prove``: looks for a tree of rules that proves a claim, and stores it beside the claims."""

from __future__ import annotations

from banditproof.claims.documents import documents
from banditproof.claims.loading import load
from banditproof.claims.register import resolve
from banditproof.claims.stating import stated
from banditproof.claims.trees import store, tree_of
from banditproof.theory.errors import InvalidInput


def prove_claim(name: str, steps: int, again: bool) -> int:
    """Look for a tree of a claim; the exit code says whether it has one."""
    from banditproof.verify.proof.deduce import Stuck, search
    from banditproof.verify.proof.deduction import replay

    load()
    claim = resolve(name)
    statement = stated(claim)
    if isinstance(statement, str):
        raise InvalidInput("claim", claim.id, f"one whose relation is a formula ({statement})")
    document = documents()[claim.paper]
    try:
        tree = (None if again else tree_of(claim.id, statement)) or search(statement, steps)
    except Stuck as why:
        print(f"{claim.id}: no tree was found ({why})")
        return 1
    where = store(document, {claim.id: {statement.key: tree}})
    print(f"{claim.id}: {replay(statement, tree)} rules, in {where.name} of {document.name}")
    return 0
