"""A results document checked again: it comes from a stranger, so nothing in it is believed.

Every claim's registered steps run again on the evidence of the document (``replay``), and the record that they give is
compared with the one in the document, entry by entry. Verdicts and counts are combined again, and claims that are
missing are named. What a recheck does not do is search by bisection or run studies: counts of simulated events and
series of trends are taken as they stand, and said to be.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from banditproof.claims.documents import documents
from banditproof.claims.register import REGISTER, Claim, resolve
from banditproof.claims.resolution import with_alternatives
from banditproof.claims.run.examine import Settings, examine
from banditproof.claims.run.merging import foundation
from banditproof.claims.run.replay import Replay
from banditproof.claims.run.results import asked_for, combined, counted, coverage
from banditproof.verify.proof.evidence import to_data

NOT_REGISTERED = "it is not registered; a file that registers claims is named with --module FILE"
COMBINED = ("verdict", "own_verdict", "reach", "missing", "repair", "status")  # compared in the document as a whole
NOT_CHECKED = ("seconds", "key", "studies", "mutations")
DIFFERENCES = 8  # of one claim that are named


@dataclass(frozen=True)
class Rechecked:
    """What came of the record of one claim.

    Attributes:
        problems: what is wrong with it, taken by itself.
        record: the record that the claim's steps give, without the verdicts of other claims; None where they fail.
        resting: how many pieces of evidence rest on simulated numbers of the document.
    """

    problems: list[str] = field(default_factory=list)
    record: dict[str, Any] | None = None
    resting: int = 0


def rechecked(record: Mapping[str, Any], settings: Settings, simulate: bool = False) -> Rechecked:
    """The record of one claim checked again; `simulate` runs studies too."""
    claim = REGISTER.get(record["id"])
    if claim is None:
        return Rechecked([NOT_REGISTERED])
    try:
        return _rechecked(claim, record, settings, simulate)
    except Exception as error:  # whatever a stranger's record makes a library raise is a problem of the record
        return Rechecked([f"cannot be evaluated ({type(error).__name__}: {str(error)[:200]})"])


def _rechecked(claim: Claim, record: Mapping[str, Any], settings: Settings, simulate: bool) -> Rechecked:
    replays: list[Replay] = []

    def replay(*arguments: Any, **options: Any) -> Replay:
        replays.append(Replay(*arguments, stored=record["evidence"], simulate=simulate, **options))
        return replays[-1]

    again = json.loads(json.dumps(examine(claim, settings, replay)))
    if record["mutations"] and again["resolution"]:
        again["resolution"] = with_alternatives(again["resolution"], record["mutations"])
    ran = replays[-1] if replays else None
    problems = [*_unlike_the_register(claim, record), *_differences(record, again, ran)]
    whole = ran is None or not ran.problem and again["status"] == "done"
    return Rechecked(problems, again if whole else None, ran.resting if ran else 0)


def _differences(record: Mapping[str, Any], again: Mapping[str, Any], ran: Replay | None) -> Iterator[str]:
    """In what a record is not the one that its steps give."""
    left_out = {*COMBINED, *NOT_CHECKED, "evidence"}
    if ran and (ran.problem or again["status"] == "error"):
        left_out |= {"attempts", "counterexample"}
        yield ran.problem or f"its check raises an error on its evidence: {again['reach'].strip().splitlines()[-1]}"
    elif record["status"] != again["status"]:
        yield f"its status is {str(record['status'])[:40]!r}; here it is '{again['status']}', with '{again['verdict']}'"
    else:
        yield from itertools.islice(_unlike_evidence(record["evidence"], again["evidence"]), DIFFERENCES)
    for name in again:
        if name not in left_out and _text(record.get(name)) != _text(again[name]):
            yield f"its {name} {'are' if name[-1] == 's' else 'is'} not what the register and its steps give"


def _unlike_evidence(stored: Sequence[Any], again: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if len(stored) != len(again):
        kinds = ", ".join(e["kind"] for e in again) or "none"
        yield f"it has {len(stored)} pieces of evidence, its steps give {len(again)} ({kinds})"
    for given, computed in zip(stored, again, strict=False):
        given = given if isinstance(given, Mapping) else {}
        names = [n for n in {**computed, **given} if _text(given.get(n)) != _text(computed.get(n)) or n not in given]
        unknown = [n for n in names if n not in computed]
        other = ", ".join(n for n in names if n in computed)
        if other:
            yield f"{computed['kind']} evidence: not what its step gives: {other}"
        if unknown:
            yield f"{computed['kind']} evidence: it has {', '.join(unknown)[:100]}, which such evidence has not"


def _unlike_the_register(claim: Claim, record: Mapping[str, Any]) -> Iterator[str]:
    yield from _unknown(record, "claim")
    variants = [[m["name"], m["constants"]] for m in record["mutations"]]
    if variants and variants != [[m.name, to_data(dict(m.constants))] for m in claim.mutations]:
        yield "its mutations are not those of the register"
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


def problems_of_document(results: Mapping[str, Any], own: Sequence[Mapping[str, Any] | None]) -> Iterator[str]:
    """What is wrong with the document as a whole: combined verdicts, counts, claims that are missing or repeated.

    Args:
        results: the document.
        own: for each of its claims the record that its steps give, if they do.
    """
    records = results["claims"]
    yield from (f"the document: {problem}" for problem in _unknown(results, "document"))
    yield from (f"the run: {problem}" for problem in _unknown(results["run"], "run"))
    ids = [record["id"] for record in records]
    yield from (f"{name}: it stands in the document twice" for name in sorted({i for i in ids if ids.count(i) > 1}))
    fresh = [
        dict(again or given | {"verdict": given["own_verdict"], "repair": None})
        for given, again in zip(records, own, strict=True)
    ]
    for given, again, shown in zip(records, combined(fresh), own, strict=True):
        for name in COMBINED:
            if _text(given[name]) != _text(again[name]) and (shown or name in ("verdict", "repair")):
                said = f"{str(again[name])[:100]!r}, the document says {str(given[name])[:100]!r}"
                which = "the evidence gives" if name == "own_verdict" else f"its {name}, with what it rests on, is"
                yield f"{given['id']}: {which} {said}"
    told = {record["id"]: record for record in asked_for(results)["claims"]}
    below = {claim.id for claim in foundation(REGISTER[i] for i in told if i in REGISTER)}
    if aside := sorted({*results["run"].get("rested_on", ())} - below):
        yield f"{', '.join(aside[:10])}: set aside as what others rest on, which nothing in the document does"
    if results["run"]["counts"] != counted([*told.values()]):
        yield "the counts are not those of the claims"
    if results["run"]["catalogue"] != coverage(results["run"].get("asked") or {}):
        yield "the items without a claim are not those of the catalogue and the register"
    under = [c.id for c in REGISTER.values() if c.parent in told]  # which combine with what is there, asked for or not
    missing = sorted({*_asked(results["run"].get("asked") or {}), *under} - set(told))
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
