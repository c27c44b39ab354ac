"""``banditproof prove``: looks for a tree of rules that proves a claim, and stores it beside the claims."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from banditproof.claims.check import Check
from banditproof.claims.loading import load, load_module
from banditproof.claims.register import resolve
from banditproof.claims.stating import stated
from banditproof.claims.trees import file_for, store, tree_of
from banditproof.claims.verdict import decide
from banditproof.theory.errors import InvalidInput


def prove_claim(name: str, modules: Sequence[Path], steps: int, again: bool) -> int:
    """Look for a tree of a claim; the exit code says whether it has one."""
    from banditproof.verify.proof.deduce import Stuck, search
    from banditproof.verify.proof.deduction import replay
    from banditproof.verify.proof.formulas import Refused

    load()
    for module in modules:
        load_module(module)
    claim = resolve(name)
    statement = stated(claim)
    if isinstance(statement, str):
        raise InvalidInput("claim", claim.id, f"a claim whose relation is a formula ({statement})")
    looked = Check(claim.id, claim.domain, claim.constants, relation=claim.relation)
    if claim.relation is not None and looked.fails_elsewhere(claim.relation, claim.domain):
        print(f"{claim.id}: it cannot be proved, because it {decide(claim.domain, looked.evidence).reach}")
        return 1
    proofs = file_for(claim.paper, claim.module)
    tree = None if again else tree_of(claim.id, statement)
    try:
        rules = replay(statement, tree) if tree else 0
    except Refused as why:
        print(f"{claim.id}: the stored tree no longer proves it ({why}); searching for another one")
        rules = 0
    if not rules:
        try:
            tree = search(statement, steps)
        except Stuck as why:
            print(f"{claim.id}: no tree was found ({why})")
            return 1
        rules = replay(statement, tree)
        store(proofs, {claim.id: {statement.key: tree}})
    print(f"{claim.id}: a proof by {rules} rules, in {proofs.name}")
    if not any(step.method == "deduction" for step in claim.steps):
        print(f"for 'check' to replay it, {claim.id} needs the step deduced()")
    return 0
