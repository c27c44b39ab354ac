"""A results document checked again: it comes from a stranger, so nothing in it is believed.

Every claim is compared with the register, every piece of evidence is tied to its claim and evaluated again, verdicts
and counts are computed again, and claims that are missing are named. What a recheck does not do is search, solve or
simulate: counts of simulated events and series of trends are taken as they stand, and said to be.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any

from banditproof.claims.check import Check
from banditproof.claims.documents import documents
from banditproof.claims.fingerprint import imported
from banditproof.claims.register import REGISTER, Claim, resolve
from banditproof.claims.run.examine import Settings, facts, run_check
from banditproof.claims.run.results import combined, counted, coverage
from banditproof.claims.verdict import decide
from banditproof.theory.errors import InvalidInput
from banditproof.verify.proof.compare import relation_named
from banditproof.verify.proof.evidence import (
    KINDS,
    Certificate,
    Counterexample,
    Enumeration,
    Quadrature,
    evidence_from_json,
    from_data,
    to_data,
)
from banditproof.verify.proof.plain import at_points
from banditproof.verify.proof.recheck import point_list, recheck

STATED = (
    "parent",
    "role",
    "aliases",
    "twins",
    "same_check_as",
    "paper",
    "place",
    "kind",
    "statement",
    "domain",
    "constants",
    "repairs",
    "restricted",
    "rests_on",
    "seed",
)
MOST_POINTS = 2_000_000
DERIVED = ("verdict", "reach", "repair", "own_verdict", "status")


def problems_of_claim(record: Mapping[str, Any], settings: Settings) -> list[str]:
    """What is wrong with the record of one claim, taken by itself."""
    try:
        claim = REGISTER[record["id"]]
        return list(_problems(claim, record, settings))
    except KeyError as error:
        return [f"it is not registered, or its record has no {error}"]
    except InvalidInput as error:
        return [str(error)]
    except (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError) as error:
        return [f"cannot be evaluated ({type(error).__name__}: {str(error)[:200]})"]


def _problems(claim: Claim, record: Mapping[str, Any], settings: Settings) -> Iterator[str]:
    expected = facts(claim, settings)
    for name in STATED:
        if record[name] != expected[name]:
            yield f"its {name} is not that of the register"
    evidence = []
    for data in record["evidence"]:
        problem = _problem_of_evidence(claim, data, settings)
        if problem:
            yield f"{str(data.get('kind'))[:20]} evidence: {problem}"
        else:
            evidence.append(evidence_from_json(data))
    if record["status"] == "error":
        if record["own_verdict"] is not None:
            yield "its check raised an error, and it has a verdict"
        return
    if claim.not_checkable or claim.check is None:
        if record["evidence"]:
            yield "it has evidence, though nothing checks it"
        own = "not checkable" if claim.not_checkable else None
    else:
        own = decide(claim.domain, evidence).name
    if record["own_verdict"] != own:
        yield f"the evidence gives '{own}', the document says '{str(record['own_verdict'])[:20]}'"


def _problem_of_evidence(claim: Claim, data: Mapping[str, Any], settings: Settings) -> str | None:
    """Why a piece of evidence does not show what it is said to show of this claim, or None."""
    if data["kind"] not in KINDS:
        return "of an unknown kind"
    evidence = evidence_from_json(data)
    constants = getattr(evidence, "constants", None)
    if constants is not None and to_data(constants) != to_data(dict(claim.constants)):
        return "its constants are not those of the claim"
    if isinstance(evidence, Certificate):
        return None if _same_certificate(claim, data, settings) else "it is not the certificate of this claim"
    relation = getattr(evidence, "relation", None)
    if relation is not None and not _speaks_of(claim, relation):
        return f"{relation[:80]} is not a relation of this claim"
    own = claim.relation is None or relation is None or relation_named(relation) is claim.relation
    if not own and evidence.proves and evidence.complete:
        return f"{str(relation)[:80]} is not the relation that the claim states"
    if claim.assuming not in getattr(evidence, "assumes", claim.assuming):
        return f"it does not say what it takes on trust: {claim.assuming}"
    if isinstance(evidence, Counterexample | Enumeration) and relation is not None:
        point = evidence.point if isinstance(evidence, Counterexample) else next(point_list(evidence.points), None)
        named = relation_named(relation)
        rounded = at_points(named, claim.domain, claim.constants, evidence.rational, point)
        if rounded is not None and (isinstance(evidence, Counterexample) or not evidence.assumes):
            return f"its formula may round ({rounded})"
    if isinstance(evidence, Enumeration | Quadrature) and (problem := _problem_of_points(claim, evidence)):
        return problem
    return recheck(data)


def _same_certificate(claim: Claim, data: Mapping[str, Any], settings: Settings) -> bool:
    """Whether the claim's own check gives this certificate (which verifies it on the way)."""
    check = run_check(claim, settings)
    return any(
        isinstance(e, Certificate) and to_data(from_data(e.to_json())) == to_data(from_data(dict(data)))
        for e in check.evidence
    )


def _speaks_of(claim: Claim, relation: str) -> bool:
    """Whether a relation is the claim's own, or one that its steps or its check name."""
    function = relation_named(relation)
    if function is claim.function or any(getattr(step, "of", None) is function for step in claim.steps):
        return True
    gathering = [claim.function, *(getattr(step, "gather", None) for step in claim.steps)]
    modules = {g.__module__ for g in gathering if g is not None}
    return function.__module__ in modules.union(*map(imported, modules))


def _problem_of_points(claim: Claim, evidence: Enumeration | Quadrature) -> str | None:
    """Points have to be there, and to cover what the evidence says that it covers."""
    points = evidence.points
    grid = points.get("grid") if isinstance(points, Mapping) else None
    size = prod(len(values) for values in grid.values()) if grid is not None else len(points)
    if not 0 < size <= MOST_POINTS:
        return f"{size} points"
    check = Check(claim.id, claim.domain, claim.constants)
    region = check.region_of(relation_named(evidence.relation), grid if grid is not None else points, evidence.covers)
    return None if region == evidence.covers else f"its points cover {region}, not {evidence.covers}"


def problems_of_document(results: Mapping[str, Any], own: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What is wrong with the document as a whole: combined verdicts, counts, claims that are missing or repeated.

    Args:
        results: the document.
        own: its claims with the verdicts that their own evidence gives.
    """
    ids = [record["id"] for record in own]
    yield from (f"{name}: it stands in the document twice" for name in sorted({i for i in ids if ids.count(i) > 1}))
    fresh = [dict(record) | {"verdict": record["own_verdict"], "repair": None} for record in own]
    for given, again in zip(own, combined(fresh), strict=True):
        for name in ("verdict", "repair"):
            if given[name] != again[name]:
                yield f"{given['id']}: the {name} of its parts is {again[name]!r}, the document says {given[name]!r}"
    if results["run"]["counts"] != counted(list(own)):
        yield "the counts are not those of the claims"
    if results["run"]["catalogue"] != coverage(results["run"].get("asked") or {}):
        yield "the items without a claim are not those of the catalogue and the register"
    missing = [name for name in _asked(results["run"].get("asked") or {}) if name not in set(ids)]
    if missing:
        yield f"{len(missing)} registered claims are missing: {', '.join(itertools.islice(missing, 10))} ..."


def _asked(asked: Mapping[str, Any]) -> list[str]:
    """The ids that the run was asked for."""
    papers, claims = asked.get("papers"), asked.get("claims")
    known = [c for c in REGISTER.values() if c.paper in (papers or documents())]
    if claims:
        wanted = {resolve(name).id for name in claims}
        known = [c for c in REGISTER.values() if c.id in wanted or c.parent in wanted]
    return [c.id for c in known]
