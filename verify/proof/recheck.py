"""Checking stored evidence again: its rule runs on what a file proposes; nothing is searched, solved or simulated.

What is proved about a formula is proved about the term in the file, and no code of a document runs for it. Programs and
verifiers of certificates are functions of a registered document, which are called.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from banditproof.theory.arguments import checked
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.term import NoTerm, variables
from banditproof.verify.proof.compare import holds, relation_named
from banditproof.verify.proof.enumeration import enumerated, point_list
from banditproof.verify.proof.evaluation import call, formula_of
from banditproof.verify.proof.evidence import (
    KINDS,
    Certificate,
    Counterexample,
    Deduction,
    Enumeration,
    Evidence,
    IntervalProof,
    KernelProof,
    NotEvaluated,
    Quadrature,
    RefusedCertificate,
    Statistics,
    Trend,
    said_of,
)
from banditproof.verify.proof.general import made_again
from banditproof.verify.proof.parsing import parsed
from banditproof.verify.proof.prover import bisection, refute_at, without_value_at
from banditproof.verify.proof.statement import Program, Statement, spoken_otherwise, stating
from banditproof.verify.proof.watching import rounding_on_the_way

MOST_BITS, MOST_NODES = 10_000, 1_000_000  # of a proof that somebody else hands in


@checked
def recheck(data: Mapping[str, Any]) -> str | None:
    """What is wrong with a piece of stored evidence, or None if it holds up."""
    if data.get("kind") not in KINDS:
        raise InvalidInput("data", data, f"stored evidence: its kind is one of {', '.join(KINDS)}")
    try:
        said = said_of(data)
    except KeyError as lacking:
        raise InvalidInput("data", data, f"stored evidence, which has {lacking}") from None
    try:
        evidence = _RULES[KINDS[data["kind"]]](said)
    except NoTerm as why:
        return f"its relation is not a formula ({why})"
    if isinstance(evidence, str):
        return evidence
    again = evidence.to_json()
    other = [n for n in again if n not in LABELS and _text(again[n]) != _text(data.get(n))]
    if again.get("assumes") and not said["assumes"]:
        other.append("assumes")
    return f"it differs from what its rule gives in: {', '.join(other)}" if other else None


LABELS = ("routes", "constants", "relation", "assumes", "left", "right", "tightest")
"""What is for readers; of what is shown, `relation` is what the rule runs on."""


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _statement(said: Mapping[str, Any]) -> Statement:
    """The statement whose term evidence names. Raises NoTerm for the name of a program, and for other variables."""
    formula = formula_of(relation_named(said["relation"]))
    if formula is None:
        raise NoTerm("it is named by a function")
    statement = Statement(said["covers"], *formula)
    if strange := statement.names - set(statement.domain.sets):
        raise NoTerm(f"{min(strange)} is not a variable of its region")
    return statement


def problem_named(said: Mapping[str, Any]) -> Statement | Program:
    """What evidence is about: a term where it names one, or the function that it names has one; else a program."""
    relation, domain, constants = relation_named(said["relation"]), said["covers"], said["constants"]
    if formula_of(relation) is not None:
        return _statement(said)
    try:
        statement = stating(relation, domain, constants)
    except (NoTerm, InvalidInput):
        return Program(domain, relation, constants)
    otherwise = rounding_on_the_way(relation, domain, constants) or spoken_otherwise(statement, relation, constants)
    return Program(domain, relation, constants) if otherwise else statement


def _interval(said: Mapping[str, Any]) -> Evidence | str:
    precision, tree = said["precision"], said["tree"]
    if type(precision) is not int or not 2 <= precision <= MOST_BITS:
        return f"its precision is not between 2 and {MOST_BITS} bits"
    if not isinstance(tree, str) or len(tree) > MOST_NODES:
        return f"its bisection tree has more than {MOST_NODES} boxes, or is not a tree"
    pairs = said["substitutions"].items()
    given = {v: (min(variables(parsed(text)), default=""), image, text) for v, (text, image) in pairs}
    try:
        start = bisection(_statement(said), substitutions=given, precision=precision)
    except InvalidInput as why:
        return str(why)
    return start.certified(tree, said["routes"])


def _deduction(said: Mapping[str, Any]) -> Evidence | str:
    from banditproof.verify.proof.deduction import deduced

    return deduced(_statement(said), said["tree"])


def _enumeration(said: Mapping[str, Any]) -> Evidence | str:
    for point in point_list(said["points"]):
        if not said["covers"].contains(point):
            return f"the point {point} is outside the region"
    evidence = enumerated(problem_named(said), said["points"], said["covers"], rational=said["rational"])
    return f"the relation is not confirmed at {evidence[0]}" if isinstance(evidence, tuple) else evidence


def _quadrature(said: Mapping[str, Any]) -> Evidence | str:
    problem, count = problem_named(said), 0
    for point in point_list(said["points"]):
        count += 1
        if not said["covers"].contains(point):
            return f"the point {point} is outside the region"
        if holds(*problem.sides(point)) is not True:
            return f"the relation is not confirmed at {point}"
    return Quadrature(**{**said, "count": count})


def _kernel(said: Mapping[str, Any]) -> Evidence | str:
    return made_again(said["covers"], said["formula"], said["proof"])


def _certificate(said: Mapping[str, Any]) -> Evidence | str:
    sides = call(relation_named(said["verifier"]), {"data": said["data"], **said["constants"]})
    return Certificate(**said) if holds(*sides) is True else "the verifier does not accept the certificate"


def _counterexample(said: Mapping[str, Any]) -> Evidence | str:
    if not said["covers"].contains(said["point"]):
        return "the point is outside the region"
    if said.get("no_value"):
        return (
            without_value_at(problem_named(said), said["point"])
            or "nothing shows that a side has no value at the point"
        )
    evidence = refute_at(problem_named(said), said["point"], said["rational"])
    return evidence or "the relation does not fail at the point"


_RULES: dict[type[Evidence], Callable[[dict[str, Any]], Evidence | str]] = {
    IntervalProof: _interval,
    Deduction: _deduction,
    Enumeration: _enumeration,
    KernelProof: _kernel,
    Quadrature: _quadrature,
    Certificate: _certificate,
    Counterexample: _counterexample,
    RefusedCertificate: lambda said: RefusedCertificate(**said),  # what was refused shows nothing
    NotEvaluated: lambda said: NotEvaluated(**said),  # neither does this
    Statistics: lambda said: Statistics(**said),
    Trend: lambda said: Trend(**said),
}
