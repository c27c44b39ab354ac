"""Checking stored evidence again: the formulas are evaluated, but nothing is searched, solved or simulated."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from banditproof.theory.arguments import checked
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.numeric import working_precision
from banditproof.theory.numbers.term import NoTerm, variables
from banditproof.verify.proof.box import excluded
from banditproof.verify.proof.compare import evaluate, fits, holds, relation_named
from banditproof.verify.proof.domain import Domain, Interval, as_set
from banditproof.verify.proof.evaluation import call
from banditproof.verify.proof.evidence import (
    KINDS,
    Certificate,
    Counterexample,
    Enumeration,
    Evidence,
    IntervalProof,
    Quadrature,
    RefusedCertificate,
    Statistics,
    Symbolic,
    Trend,
    evidence_from_json,
)
from banditproof.verify.proof.parsing import parsed
from banditproof.verify.proof.prover import box_test, counts_of, halves
from banditproof.verify.proof.substitution import gap_in_image

MOST_BITS, MOST_NODES, MOST_POINTS = 10_000, 1_000_000, 100_000  # of a proof that somebody else hands in


@checked
def recheck(data: Mapping[str, Any]) -> str | None:
    """What is wrong with a piece of stored evidence, or None if it holds up."""
    if data.get("kind") not in KINDS:
        raise InvalidInput("data", data, f"stored evidence: its kind is one of {', '.join(KINDS)}")
    evidence = evidence_from_json(data)
    return _CHECKERS[type(evidence)](evidence, data)


def _interval(proof: IntervalProof, data: Mapping[str, Any]) -> str | None:
    if type(proof.precision) is not int or not 2 <= proof.precision <= MOST_BITS:
        return f"its precision is none of 2 to {MOST_BITS} bits"
    if not isinstance(proof.tree, str) or len(proof.tree) > MOST_NODES:
        return f"its bisection tree is none of at most {MOST_NODES} boxes"
    domain = proof.covers
    box = {n: (Fraction(a), Fraction(b)) for n, (a, b) in proof.box.items()}
    fits(relation_named(proof.relation), domain, proof.constants)
    gap = _not_spanned(domain, box, proof)
    if gap:
        return gap
    proof = replace(proof, box=box)
    try:
        test, counts = box_test(proof), counts_of(proof)
    except NoTerm as why:
        return f"its relation is no formula ({why})"
    axes = list(box)
    with working_precision(proof.precision):
        stack, position = [box], 0
        while stack:
            if position >= len(proof.tree):
                return "the bisection tree ends early: it does not tile the domain"
            code, current = proof.tree[position], stack.pop()
            position += 1
            if code in "0123456789"[: len(axes)]:
                low, high = halves(current, axes[int(code)])
                stack += [high, low]
            elif code == "P":
                if not test.certified(current):
                    return f"the relation is not certified on {_show(current)}"
            elif code == "V":
                if not excluded(current, counts, domain.where):
                    return f"no constraint excludes {_show(current)}"
            elif code != "U":
                return f"the bisection tree has the unknown code {code!r}"
    return None if position == len(proof.tree) else "the bisection tree has boxes outside the domain"


def _not_spanned(domain: Domain, box: Mapping[str, tuple[Fraction, Fraction]], proof: IntervalProof) -> str | None:
    parameters = [variables(parsed(formula)) for formula, _ in proof.substitutions.values()]
    if any(len(names) != 1 for names in parameters) or len(frozenset().union(*parameters)) < len(parameters):
        return "its substitutions share a parameter"
    for name, values in domain.variables:
        if name in proof.substitutions:
            formula, interval = proof.substitutions[name]
            if gap := gap_in_image(name, values, formula, interval):
                return gap
            (parameter,) = variables(parsed(formula))
            name, values = parameter, as_set(interval)
        if name not in box:
            return f"the proof has no range for {name}"
        low, high = box[name]
        ends = (values.lower, values.upper) if isinstance(values, Interval) else (values.values[0], values.values[-1])  # type: ignore[union-attr]
        if low > ends[0] or high < ends[1]:
            return f"the proof does not span the range of {name}"
    return None


def _show(box: Mapping[str, tuple[Fraction, Fraction]]) -> str:
    return ", ".join(f"{n} in [{float(a):.6g}, {float(b):.6g}]" for n, (a, b) in box.items())


def _symbolic(proof: Symbolic, data: Mapping[str, Any]) -> str | None:
    from banditproof.verify.proof.own_variables import prove_in_own_variables
    from banditproof.verify.proof.symbolic import prove_symbolically

    if type(proof.points) is not int or not 0 <= proof.points <= MOST_POINTS:
        return f"its points are none of 0 to {MOST_POINTS}"
    again = prove_in_own_variables(
        relation_named(proof.relation), proof.covers, proof.constants, seed=proof.seed, points=proof.points
    ) if not proof.argument else prove_symbolically(
        relation_named(proof.relation), relation_named(proof.argument), proof.covers, proof.constants,
        seed=proof.seed, points=proof.points,
    )  # fmt: skip
    if isinstance(again, str):
        return again
    same = (again.certificate, again.sign, again.uncovered) == (proof.certificate, proof.sign, tuple(proof.uncovered))
    return None if same else "the argument now has another certificate"


def point_list(points: Any) -> Iterator[dict[str, Any]]:
    """The points of stored evidence: a list of them, or a grid ``{"grid": {name: values}}`` in its product order."""
    if isinstance(points, Mapping) and "grid" in points:
        grid = points["grid"]
        for values in itertools.product(*grid.values()):
            yield dict(zip(grid, values, strict=True))
    else:
        yield from points


def _points(evidence: Enumeration | Quadrature, data: Mapping[str, Any]) -> str | None:
    relation = relation_named(evidence.relation)
    rational = isinstance(evidence, Enumeration) and evidence.rational
    count = 0
    for point in point_list(evidence.points):
        count += 1
        if not evidence.covers.contains(point):
            return f"the point {point} is outside the region"
        if holds(*evaluate(relation, point, evidence.constants, rational)) is not True:
            return f"the relation is not confirmed at {point}"
    return None if count == evidence.count else f"{evidence.count} points were promised, {count} are stored"


def _certificate(evidence: Certificate, data: Mapping[str, Any]) -> str | None:
    verifier = relation_named(evidence.verifier)
    sides = call(verifier, {"data": evidence.data, **evidence.constants})
    return None if holds(*sides) is True else "the verifier does not accept the certificate"


def _nothing_claimed(evidence: RefusedCertificate, data: Mapping[str, Any]) -> None:
    """What was refused shows nothing."""


def _counterexample(evidence: Counterexample, data: Mapping[str, Any]) -> str | None:
    if not evidence.covers.contains(evidence.point):
        return "the point is outside the region"
    relation = relation_named(evidence.relation)
    sides = evaluate(relation, evidence.point, evidence.constants, evidence.rational)
    return None if holds(*sides) is False else "the relation does not fail at the point"


def _statistics(evidence: Statistics, data: Mapping[str, Any]) -> str | None:
    return None if evidence.outcomes == list(data["outcomes"]) else "the counts give other outcomes"


def _trend(evidence: Trend, data: Mapping[str, Any]) -> str | None:
    return None if evidence.verdict == data["outcome"] else "the rule gives another outcome"


_CHECKERS: dict[type[Evidence], Any] = {
    IntervalProof: _interval,
    Symbolic: _symbolic,
    Enumeration: _points,
    Quadrature: _points,
    Certificate: _certificate,
    RefusedCertificate: _nothing_claimed,
    Counterexample: _counterexample,
    Statistics: _statistics,
    Trend: _trend,
}
