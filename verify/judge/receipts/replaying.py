"""Proofs as data, and replaying them without a search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from banditproof.theory.numbers.term import from_nodes, to_nodes
from banditproof.verify.judge.found import Proved
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.statement import Statement


def to_data(proved: Proved) -> dict[str, Any]:
    """A statement with its proof, as JSON."""
    s = proved.statement
    nodes, ends = to_nodes([s.left, s.right])
    data: dict[str, Any] = {
        "said": f"for all {s.domain}: {s}",
        "domain": s.domain.to_json(),
        "operator": s.operator,
        "nodes": nodes,
        "ends": ends,
        "tree": proved.tree,
    }
    if proved.tree is None and (boxes := getattr(proved.proof, "tree", None)) is not None:
        formulas = proved.proof.substitutions
        data |= {"boxes": boxes, "substitutions": formulas, "precision": proved.proof.precision}
    return data


def replayed(data: Mapping[str, Any]) -> str:
    """Why a proof does not prove its statement, or ''."""
    from banditproof.verify.proof.deduction import deduced
    from banditproof.verify.proof.enumeration import enumerated
    from banditproof.verify.proof.evidence import Deduction, Enumeration, IntervalProof
    from banditproof.verify.proof.prover import bisection
    from banditproof.verify.proof.substitution import bounded

    left, right = from_nodes(data["nodes"], data["ends"])
    statement = Statement(Domain.from_json(data["domain"]), left, data["operator"], right)
    if data["said"] != f"for all {statement.domain}: {statement}":
        return f"not confirmed: the proof is of another statement than {data['said']}"
    found: Any
    if data["tree"] is not None:
        found, kind = deduced(statement, data["tree"]), Deduction
    elif "boxes" in data:
        start = bisection(statement, substitutions=bounded(statement.domain) or None, precision=data["precision"])
        found, kind = start.certified(data["boxes"]), IntervalProof
    else:
        found, kind = enumerated(statement, [{}], statement.domain), Enumeration
    if isinstance(found, kind) and found.complete:
        return ""
    return f"not confirmed: {data['said']} ({found})"
