"""``banditproof prove``: looks for trees of rules that prove claims, and stores them beside the claims."""

from __future__ import annotations

from collections.abc import Sequence

from banditproof.claims.documents import documents
from banditproof.claims.loading import load
from banditproof.claims.register import resolve
from banditproof.claims.stating import stated
from banditproof.claims.trees import store, tree_of
from banditproof.theory.errors import InvalidInput


def prove_claims(claims: Sequence[str], steps: int, again: bool) -> int:
    """Look for a tree of each claim; the exit code says whether all have one."""
    from banditproof.verify.proof.deduce import Stuck, search
    from banditproof.verify.proof.deduction import replay

    load()
    missing = 0
    for claim in {claim.id: claim for claim in map(resolve, claims)}.values():
        statement = stated(claim)
        if isinstance(statement, str):
            raise InvalidInput("claim", claim.id, f"one whose relation is a formula ({statement})")
        document = documents()[claim.paper]
        tree = None if again else tree_of(claim.id, statement)
        try:
            tree = tree or search(statement, steps)
        except Stuck as why:
            missing += 1
            print(f"{claim.id}: no tree was found ({why})")
            continue
        where = store(document, {claim.id: {statement.key: tree}})
        print(f"{claim.id}: {replay(statement, tree)} rules, in {where.name} of {document.name}")
    return 1 if missing else 0
