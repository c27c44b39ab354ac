"""``banditproof prove``: looks for trees of rules that prove a claim and its arguments' facts, and stores them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from banditproof.claims.check import Check
from banditproof.claims.derivations import facts_asked
from banditproof.claims.loading import load, load_module
from banditproof.claims.paragraphs import STATEMENTS, written_in
from banditproof.claims.register import REGISTER, Claim, resolve
from banditproof.claims.stating import stated
from banditproof.claims.steps import fails_at
from banditproof.claims.trees import file_for, store, stored
from banditproof.claims.verdict import decide
from banditproof.cli.progress import progress_bar
from banditproof.cli.statuses import Status, gravest
from banditproof.theory.errors import InvalidInput
from banditproof.verify.proof.statement import Statement

OF_JUDGE = 30.0  # seconds, where no tree is found


def prove_claims(name: str | None, modules: Sequence[Path], steps: int, again: bool) -> int:
    """Look for the trees of a claim and its facts, or of all claims of the files; 0 where each has one.

    The name of a file stands for all of its claims. Raises InvalidInput for a name of no claim, and where
    neither a claim nor a file is named.
    """
    load()
    if name is not None and name.endswith(".py"):
        name, modules = None, (*modules, Path(name))
    file = Path(name) if name is not None and name.endswith(STATEMENTS) else None
    for module in (*modules, *([file] if file and not written_in(file) else [])):
        load_module(module)
    if file is not None and written_in(file):
        claims = [c for c in written_in(file) if not any(isinstance(step, fails_at) for step in c.steps)]
    elif file is not None:
        raise InvalidInput("module", str(file), "a file with at least one claim")
    elif name is not None:
        claims = [resolve(name)]
    elif not modules:
        raise InvalidInput("claim", "no claim", "the id of a claim, or --module FILE for all claims of a file")
    else:
        own = [c for c in REGISTER.values() if c.module in {m.stem for m in modules}]
        claims = list(filter(_may_have_trees, own))
        if not claims:
            why = [f"{c.id}: {told}" for c in own if isinstance(told := stated(c), str)]
            allowed = f"a file with a claim that is a formula of numbers{f' ({why[0]})' if why else ''}"
            raise InvalidInput("module", ", ".join(map(str, modules)), allowed)
    codes = []
    with progress_bar(len(claims), doing="proving") as progress:
        for claim in claims:
            progress.begun("claim", claim.id)
            codes.append(_prove_claim(claim, steps, again))
            progress("claim", {"id": claim.id, "verdict": "no proof" if codes[-1] else "proved"})
    if name is None or file is not None:
        print(f"{codes.count(0)} of {len(codes)} claims have all their proofs")
    return gravest(codes)


def _may_have_trees(claim: Claim) -> bool:
    """Whether a claim is a formula of numbers, or argues by some."""
    argued = any(step.method == "certificate" for step in claim.steps)
    statement = stated(claim)
    return claim.relation is not None and (argued or not (isinstance(statement, str) or statement.described))


def _prove_claim(claim: Claim, steps: int, again: bool) -> int:
    """Look for the trees of a claim and of its facts; 0 where there is one for each.

    The claim itself needs none where facts are joined to it in words, unless `check` is told to replay one.
    """
    wanted = facts_of(claim)
    by_tree = any(step.method == "deduction" for step in claim.steps)
    own = by_tree or not wanted
    if own:
        wanted = [(claim.id, _own(claim)), *wanted]
    looked = Check(claim.id, claim.domain, claim.constants, relation=claim.relation)
    if own and claim.relation is not None and looked.fails_elsewhere(claim.relation, claim.domain):
        print(f"{claim.id}: it cannot be proved, because it {decide(claim.domain, looked.evidence).reach}")
        return Status.VIOLATION
    proofs, known = file_for(claim.paper, claim.module), {} if again else stored(claim.id)
    trees = {s.key: tree for said, s in wanted if (tree := _tree(said, s, known.get(s.key), steps))}
    if trees:
        store(proofs, {claim.id: trees})
        print(f"{len(trees)} of {len({s.key for _, s in wanted})} trees stand in {proofs.name}")
    if wanted[0][0] == claim.id and not by_tree and trees:
        print(f"for 'check' to replay it, {claim.id} needs the step deduced()")
    return Status.OK if all(s.key in trees for _, s in wanted) else Status.OPEN


def facts_of(claim: Claim) -> list[tuple[str, Statement]]:
    """The facts of a claim's arguments: what a reader calls them, and their statements."""
    check = Check(claim.id, claim.domain, claim.constants, relation=claim.relation)
    with facts_asked() as asked:
        for step in claim.steps:
            if step.method == "certificate" and claim.relation is not None:
                step(check, claim.relation)
    return [(f"{claim.id}, the fact {relation.rpartition(':')[2]}", statement) for relation, statement in asked]


def _own(claim: Claim) -> Statement:
    statement = stated(claim)
    if isinstance(statement, str):
        parts = [c.id for c in REGISTER.values() if c.parent == claim.id and not isinstance(stated(c), str)]
        said = f", such as {' or '.join(parts[:3])}" if parts else f" ({statement})"
        raise InvalidInput("claim", claim.id, f"a claim whose relation is a formula{said}")
    return statement


def _tree(said: str, statement: Statement, tree: Any, steps: int) -> Any:
    """The tree of a statement that is stored, or another one; None where there is none."""
    from banditproof.verify.proof.deduce import Stuck, search
    from banditproof.verify.proof.deduction import replay
    from banditproof.verify.proof.formulas import Refused

    try:
        rules = replay(statement, tree) if tree else 0
    except Refused as why:
        print(f"{said}: the stored tree no longer proves it ({why}); searching for another one")
        rules = 0
    if not rules:
        try:
            tree = search(statement, steps)
        except Stuck as why:
            print(f"{said}: no tree was found ({why}){_otherwise(statement)}")
            return None
        rules = replay(statement, tree)
    print(f"{said}: a proof by {rules} rules")
    return tree


def _otherwise(statement: Statement) -> str:
    """What to do where `judge` proves a statement from several; nothing where it does not, or has no words for it."""
    from banditproof.verify.judge.engine import judge
    from banditproof.verify.judge.ways.of_terms import NoWord, reading_of

    try:
        reading = reading_of(statement)
    except NoWord:
        return ""
    answer = judge(reading, seconds=OF_JUDGE)
    if answer.verdict != "proved" or not answer.implied_by:
        return ""
    command = f"banditproof judge {shlex.quote(reading.said)} --receipt receipt.py"
    return (
        f"\n'judge' proves it from several statements ({answer.implied_by}), which a claim cannot store; a receipt "
        f"is written by: {command}"
    )
