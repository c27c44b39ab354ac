"""Derivations as trees: what a claim follows from, in which words, and how each of the formulas is proved.

A derivation's facts are functions of the document; their docstrings say what they state and their bodies are the
formulas. A fact that some claim states as well is that claim, and is linked.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from typing import Any

from banditproof.claims.report.evidence import in_symbols
from banditproof.claims.report.regions import in_words
from banditproof.theory.errors import InvalidInput
from banditproof.verify.proof.compare import relation_named
from banditproof.verify.proof.domain import Domain

TREE = "a stored tree of rules, replayed without search"


def proof(evidence: Mapping[str, Any], stated: Mapping[str, Mapping[str, Any]]) -> dict[str, Any] | None:
    """A certificate's derivation: the sentences that join its facts, and a step for each fact; None for other evidence.

    `stated` are the records of the claims by the name of their relation.
    """
    data = evidence.get("data")
    if not isinstance(data, Mapping) or "facts" not in data:
        return None
    joints = re.split(r";\s+(?![^()]*\))", data["because"].strip())
    steps = [_step(entry, stated.get(entry["relation"])) for entry in data["facts"]]
    return {"joints": joints, "steps": steps}


def _step(entry: Mapping[str, Any], claim: Mapping[str, Any] | None) -> dict[str, Any]:
    relation = _function_named(entry["relation"])
    words = _words(relation) if relation else ""
    name = entry["relation"].rpartition(":")[2].replace("_", " ").strip()
    return {
        "statement": claim["statement"] if claim else words or name,
        "claim": claim["id"] if claim else "",
        "domain": in_words(Domain.from_json(entry["domain"])),
        "formula": in_symbols(_formula(relation)) if relation else "",
        "rule": TREE,
    }


def _words(relation: Callable[..., Any]) -> str:
    """The first paragraph of a relation's docstring."""
    return (inspect.getdoc(relation) or "").partition("\n\n")[0]


def _function_named(name: str) -> Callable[..., Any] | None:
    """The function of this name; none where only the process that checked the claim knew it."""
    try:
        return relation_named(name) if name else None
    except InvalidInput:
        return None


def _formula(relation: Callable[..., Any]) -> str:
    """The body of a relation, its last line as 'left <= right'."""
    (function,) = ast.parse(textwrap.dedent(inspect.getsource(relation))).body
    body = function.body[1:] if ast.get_docstring(function) else function.body  # type: ignore[attr-defined]
    return "\n".join(map(_line, body))


def _line(node: ast.stmt) -> str:
    sides = node.value.elts if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) else []
    if len(sides) == 3 and isinstance(sides[1], ast.Constant):
        return f"{ast.unparse(sides[0])} {sides[1].value} {ast.unparse(sides[2])}"
    return ast.unparse(node)
