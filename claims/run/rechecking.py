"""A results document checked again: it comes from a stranger, so nothing in it is believed.

Every claim's registered steps run again on the evidence of the document (``replay``), and the record that they give is
compared with the one in the document, entry by entry. Verdicts and counts are combined again, and claims that are
missing are named. What proves or refutes is done again. A recheck searches for nothing, runs no studies, and does not
evaluate the points that only support a claim: these, counts of simulated events and series of trends are taken as they
stand, and said to be.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from banditproof.claims.documents import documents
from banditproof.claims.register import REGISTER, Claim, resolve
from banditproof.claims.report.evidence import coordinates, in_symbols, rounded
from banditproof.claims.resolution import with_alternatives
from banditproof.claims.run.examine import examine, judged_as
from banditproof.claims.run.merging import foundation
from banditproof.claims.run.record import Settings, as_restated
from banditproof.claims.run.replay import Replay
from banditproof.claims.run.results import asked_for, combined, counted, coverage
from banditproof.claims.verdict import decide
from banditproof.theory.numbers.numeric import working_precision
from banditproof.verify.proof.compare import evaluate, holds, relation_named
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.evidence import BITS, Evidence, from_data, to_data

NOT_REGISTERED = "it is not registered; a file that registers claims is named with --module FILE"
COMBINED = ("verdict", "own_verdict", "reach", "missing", "repair", "status")  # compared in the document as a whole
NOT_CHECKED = ("seconds", "key", "studies", "mutations")
DIFFERENCES = 8  # of one claim that are named


@dataclass(frozen=True)
class Problem:
    """What is wrong with a claim of the document, or with the document as a whole; `open` where nobody knows yet."""

    said: str
    claim: str = ""
    open: bool = False

    def __str__(self) -> str:
        return f"{self.claim}: {self.said}" if self.claim else self.said


@dataclass(frozen=True)
class Rechecked:
    """What came of the record of one claim.

    Attributes:
        problems: what is wrong with it, taken by itself.
        record: the record that the claim's steps give, without the verdicts of other claims; None where they fail.
        resting: how many pieces of evidence rest on simulated numbers of the document.
        taken: how many enumerations were taken from the document, without an evaluation of their points.
    """

    problems: list[str] = field(default_factory=list)
    record: dict[str, Any] | None = None
    resting: int = 0
    taken: int = 0


def alike(records: Sequence[Mapping[str, Any]]) -> list[tuple[int, ...]]:
    """The places of the records, together those of claims that restate one another and of which the same is shown.

    The steps of such claims are the same, run on the same evidence, and are judged alike: once is enough, as in a run.
    """
    together: dict[Any, tuple[int, ...]] = {}
    for place, record in enumerate(records):
        claim = REGISTER.get(record["id"])
        shown = claim and (claim.checked_as, judged_as(claim), _text(record.get("evidence")))
        together[shown or place] = (*together.get(shown or place, ()), place)
    return list(together.values())


def rechecked(records: Sequence[Mapping[str, Any]], settings: Settings, redo: bool = False) -> list[Rechecked]:
    """Records that are ``alike`` checked again; `redo` evaluates all points and runs studies too."""
    replayed: Replayed | None = None
    outcomes = []
    for record in records:
        try:
            claim = REGISTER.get(record["id"])
            if claim is not None:
                replayed = _replayed(claim, record, settings, redo) if replayed is None else replayed
                outcomes.append(_compared(claim, record, replayed, settings))
            else:
                outcomes.append(Rechecked([NOT_REGISTERED]))
        except Exception as error:  # whatever a stranger's record makes a library raise is a problem of the record
            outcomes.append(Rechecked([f"cannot be evaluated ({type(error).__name__}: {str(error)[:200]})"]))
    return outcomes


@dataclass(frozen=True)
class Replayed:
    """What the steps of a claim give on the evidence of its record, and the replay of them, if it has a check."""

    claim: Claim
    record: dict[str, Any]
    ran: Replay | None


def _replayed(claim: Claim, record: Mapping[str, Any], settings: Settings, redo: bool) -> Replayed:
    replays: list[Replay] = []

    def replay(*arguments: Any, **options: Any) -> Replay:
        replays.append(Replay(*arguments, record=record, redo=redo, **options))
        return replays[-1]

    again = examine(claim, settings, replay)
    ran = replays[-1] if replays else None
    if ran and ran.taken and _proves(claim, ran.evidence):
        shown = [e for place, e in enumerate(ran.evidence) if place not in ran.taken]
        if not _proves(claim, shown):  # a proof is not taken from a file
            return _replayed(claim, record, settings, True)
    return Replayed(claim, again, ran)


def _proves(claim: Claim, evidence: Sequence[Evidence]) -> bool:
    return decide(claim.domain, evidence).name == "proved"


def _compared(claim: Claim, record: Mapping[str, Any], replayed: Replayed, settings: Settings) -> Rechecked:
    ran, again = replayed.ran, replayed.record
    again = json.loads(json.dumps(again if claim is replayed.claim else as_restated(again, claim, settings)))
    if record["mutations"] and again["resolution"]:
        again["resolution"] = with_alternatives(again["resolution"], record["mutations"])
    problems = [*_unlike_the_register(claim, record), *_differences(record, again, ran)]
    whole = ran is None or not ran.problem and again["status"] == "done"
    resting, taken = (ran.resting, len(ran.taken)) if ran else (0, 0)
    return Rechecked(problems, again if whole else None, resting, taken)


def _differences(record: Mapping[str, Any], again: Mapping[str, Any], ran: Replay | None) -> Iterator[str]:
    """In what a record is not the one that its steps give."""
    left_out = {*COMBINED, *NOT_CHECKED, "evidence"}
    if ran and (ran.problem or again["status"] == "error"):
        left_out |= {"attempts", "counterexample"}
        yield ran.problem or f"its check raises an error on its evidence: {again['reach'].strip().splitlines()[-1]}"
    elif record["status"] != again["status"]:
        yield f"its status is {str(record['status'])[:40]!r}; here it is '{again['status']}', with '{again['verdict']}'"
    else:
        yield from itertools.islice(_unlike_evidence(record["evidence"], again), DIFFERENCES)
    for name in again:
        if name in left_out or _text(record.get(name)) == _text(again[name]):
            continue
        if name == "seed":
            yield "its seed does not derive from the root seed of the run"
        elif name != "counterexample" or _text(record["evidence"]) == _text(again["evidence"]):  # else it is said above
            yield f"its {name} {'are' if name[-1] == 's' else 'is'} not what the register and its steps give"


def _unlike_evidence(stored: Sequence[Any], record: Mapping[str, Any]) -> Iterator[str]:
    again, domain = record["evidence"], Domain.from_json(record["domain"])
    if len(stored) != len(again):
        kinds = ", ".join(e["kind"] for e in again) or "none"
        yield f"the file has {len(stored)} pieces of evidence for it, but its steps give {len(again)} ({kinds})"
    for given, computed in zip(stored, again, strict=False):
        given = given if isinstance(given, Mapping) else {}
        names = [n for n in {**computed, **given} if _text(given.get(n)) != _text(computed.get(n)) or n not in given]
        unknown = [n for n in names if n not in computed]
        other = [n for n in names if n in computed]
        if computed["kind"] == given.get("kind") == "counterexample" and "point" in other:
            yield f"counterexample evidence: {_at_another_point(given, computed, domain)}"
        elif other:
            yield f"{computed['kind']} evidence differs from what its step gives in: {', '.join(other)}"
        if unknown:
            yield f"{computed['kind']} evidence: it has {', '.join(unknown)[:100]}, which such evidence does not have"


def _at_another_point(given: Mapping[str, Any], computed: Mapping[str, Any], domain: Domain) -> str:
    """What the relation says at a point that is not the one of its step."""
    try:
        point, other = (", ".join(f"{n} = {v}" for n, v in coordinates(e["point"])) for e in (given, computed))
    except Exception as error:
        return f"its point cannot be read ({type(error).__name__})"
    try:
        relation, constants = relation_named(computed["relation"]), from_data(computed["constants"])
        with working_precision(BITS):
            values = from_data(given["point"])
            left, operator, right = evaluate(relation, values, constants, computed["rational"])
            verdict = holds(left, operator, right)
            inside = "" if domain.contains(values) else ", outside of its domain,"
        sides = f"{rounded(to_data(left))} {in_symbols(operator)} {rounded(to_data(right))}"
    except Exception as error:  # whatever a stranger's point makes a relation raise
        return f"at {point} the claim cannot be evaluated ({type(error).__name__})"
    fate = {True: f"holds, {sides} is true", False: f"fails as well, {sides} is false", None: f"is open: {sides}"}[
        verdict
    ]
    return f"at {point}{inside} the claim {fate}; its step gives another point, {other}"


def _unlike_the_register(claim: Claim, record: Mapping[str, Any]) -> Iterator[str]:
    yield from _unknown(record, "claim")
    variants = [[m["name"], m["constants"]] for m in record["mutations"]]
    if variants and variants != [[m.name, to_data(dict(m.constants))] for m in claim.mutations]:
        yield "its mutations differ from those in the register"
    for one in record["mutations"]:
        yield from _unknown(one, "mutation")


def _unknown(data: Mapping[str, Any], kind: str) -> Iterator[str]:
    known = _entries()[kind]
    if unknown := [name for name in data if name not in known]:
        yield f"unknown entries: {', '.join(unknown)[:200]}"


@cache
def _entries() -> dict[str, set[str]]:
    """The entries that the schema knows, by what they belong to."""
    schema = json.loads(files("banditproof.claims").joinpath("results.schema.json").read_text(encoding="utf-8"))
    parts = {"document": schema, "run": schema["properties"]["run"], **schema["$defs"]}
    return {name: set(part.get("properties", ())) for name, part in parts.items()}


def _text(value: Any) -> str:
    """What JSON tells apart: 1, true and '1' are three values."""
    return json.dumps(value, sort_keys=True)


def problems_of_document(results: Mapping[str, Any], own: Sequence[Mapping[str, Any] | None]) -> Iterator[Problem]:
    """What is wrong with the document as a whole: combined verdicts, counts, claims that are missing or repeated.

    Args:
        results: the document.
        own: for each of its claims the record that its steps give, if they do.
    """
    records = results["claims"]
    yield from (Problem(f"the file has {problem}") for problem in _unknown(results, "document"))
    yield from (Problem(f"the run has {problem}") for problem in _unknown(results["run"], "run"))
    ids = [record["id"] for record in records]
    yield from (Problem("the file contains it twice", name) for name, often in Counter(ids).items() if often > 1)
    fresh = [
        dict(again or given | {"verdict": given["own_verdict"], "repair": None})
        for given, again in zip(records, own, strict=True)
    ]
    for given, again, shown in zip(records, combined(fresh), own, strict=True):
        for name in COMBINED:
            if _text(given[name]) != _text(again[name]) and (shown or name in ("verdict", "repair")):
                said = f"{str(again[name])[:100]!r}, the file says {str(given[name])[:100]!r}"
                which = "the evidence gives" if name == "own_verdict" else f"its {name}, with what it rests on, is"
                yield Problem(f"{which} {said}", given["id"])
    told = {record["id"]: record for record in asked_for(results)["claims"]}
    if results["run"]["catalogue"] != coverage(results["run"].get("asked") or {}):
        yield Problem("the list of items without a claim differs from the catalogue and the register")
    under = [c.id for c in REGISTER.values() if c.parent in told]  # which combine with what is there, asked for or not
    asked = {*_ids_asked_for(results["run"].get("asked") or {}), *under}
    if missing := [name for name in REGISTER if name in asked and name not in told]:
        some = f"{', '.join(missing[:10])}{', ...' * (len(missing) > 10)}"
        yield Problem(
            f"the file holds fewer claims than its run was asked for: {len(missing)} of {len(asked)} are missing "
            f"({some}), so the counts at its head do not cover these"
        )
    elif results["run"]["counts"] != counted([*told.values()]):
        yield Problem("the counts at the head of the file do not match its claims")
    below = {claim.id for claim in foundation(REGISTER[i] for i in {*told, *missing} if i in REGISTER)}
    if aside := sorted({*results["run"].get("rested_on", ())} - below):
        yield Problem(f"no claim in the file rests on {', '.join(aside[:10])}, which it lists under rested_on")


def _ids_asked_for(asked: Mapping[str, Any]) -> list[str]:
    """The ids that the run was asked for."""
    papers, claims = asked.get("papers"), asked.get("claims")
    known = [c for c in REGISTER.values() if c.paper in (papers or documents())]
    if claims:
        wanted = {resolve(name).id for name in claims}
        known = [c for c in REGISTER.values() if c.id in wanted or c.parent in wanted]
    return [c.id for c in known]
