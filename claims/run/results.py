"""``results.json``: the records of a run, with the verdicts of items combined from their parts, and counts."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from banditproof.algorithms.run.checkpoints import write_atomically
from banditproof.claims.documents import catalogue, documents
from banditproof.claims.fingerprint import digest, versions
from banditproof.claims.missing import missing
from banditproof.claims.register import METHODS, without_claim
from banditproof.claims.report.evidence import in_a_row
from banditproof.claims.run.record import Settings
from banditproof.claims.verdict import DECIDING, PROVED, REFUTED, Verdict, as_model, combine, no_stronger
from banditproof.verify.proof.domain import Domain


def assemble(
    records: Sequence[Mapping[str, Any]],
    settings: Settings,
    command: str,
    seconds: float,
    asked: Mapping[str, Sequence[str] | None] | None = None,
    rested_on: Sequence[str] = (),
    kept: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """The whole results document (schema 1).

    Args:
        records: of the claims.
        settings: of the run.
        command: that was typed.
        seconds: that the run took.
        asked: the papers and claims that were asked for.
        rested_on: the ids of claims that were looked at only because others rest on them.
        kept: the documents that an earlier run checked, with its command, time and duration.
    """
    claims = combined([dict(r) for r in records])
    run = {
        "command": command,
        "profile": settings.profile,
        "root_seed": settings.root_seed,
        "versions": versions(),
        "seconds": round(seconds, 2),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "counts": counted([r for r in claims if r["id"] not in rested_on]),
        "catalogue": coverage(asked or {}),
        "asked": {name: list(ids) if ids else None for name, ids in (asked or {}).items()},
        "rested_on": list(rested_on),
        "kept": {paper: dict(run) for paper, run in (kept or {}).items()},
    }
    return {"schema": 1, "run": run, "claims": claims}


def asked_for(results: Mapping[str, Any]) -> dict[str, Any]:
    """The document without the claims that were looked at only because others rest on them."""
    aside = results["run"].get("rested_on", ())
    return {**results, "claims": [r for r in results["claims"] if r["id"] not in aside]}


def modules_of(results: Mapping[str, Any]) -> list[str]:
    """The files that the command of a run named with ``--module``."""
    words = shlex.split(results["run"]["command"])
    named = [b for a, b in zip(words, words[1:], strict=False) if a == "--module"]
    return [*named, *(w.partition("=")[2] for w in words if w.startswith("--module="))]


def coverage(asked: Mapping[str, Sequence[str] | None]) -> dict[str, Any]:
    """Per document that was asked for: how many items its catalogue has, and those that no claim checks yet by title.

    A run of single claims asks for no document, and one that names nothing for all of them.
    """
    known = documents()
    papers = asked.get("papers") or (() if asked.get("claims") else known)
    items = Counter(item.paper for item in catalogue().values())
    return {
        paper: {"items": items[paper], "without claim": {item.id: item.title for item in without_claim(paper)}}
        for paper in papers
        if paper in known and items[paper]
    }


def combined(claims: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The records with the verdicts of items combined from their parts, and held down to what claims rest on."""
    known = {record["id"]: record for record in claims}
    by_parent: dict[str, list[dict[str, Any]]] = {}
    for record in claims:
        record["own_verdict"] = record["verdict"]
        if record["parent"]:
            by_parent.setdefault(record["parent"], []).append(record)
    seen: set[str] = set()

    def settle(record: dict[str, Any]) -> None:
        if record["id"] in seen:
            return
        seen.add(record["id"])
        below = by_parent.get(record["id"], [])
        for basis in (*below, *(known[i] for i in record["rests_on"] if i in known)):
            settle(basis)
        _settle(record, below, known)

    for record in claims:
        settle(record)
    for record in claims:
        record["missing"] = missing(record, by_parent.get(record["id"], []), known)
    corrections = [r for r in claims if r["repairs"]]
    corrections.sort(key=lambda r: (r["role"] == "repair", (r["verdict"] or "").startswith("proved")))
    repairs = {r["repairs"]: r for r in corrections}  # a repair before a special case, and what is proved before others
    for record in claims:
        repair = repairs.get(record["id"])
        if repair is not None:
            record["repair"] = {name: repair[name] for name in ("id", "role", "verdict")}
    for record in claims:
        if record["verdict"] in REFUTED and record["repair"] is None:
            touching = [b for b in by_parent.get(record["id"], []) if b["role"] in DECIDING]
            refuted = [b for b in touching if b["verdict"] in REFUTED]
            record["repair"] = refuted[0]["repair"] if refuted else None
    return claims


def _settle(record: dict[str, Any], below: Sequence[dict[str, Any]], known: Mapping[str, dict[str, Any]]) -> None:
    """The verdict of one record, once those below it and those that it rests on have theirs."""
    if record["verdict"] == "not checkable" or record["status"] == "error":
        return
    if record["role"] == "item" and (below or record["restricted"]):
        raising = [b["id"] for b in below if b["status"] == "error" and b["role"] in DECIDING]
        if raising:
            record |= {"status": "error", "reach": f"the check of {raising[0]} raised an exception"}
            return
        own = Verdict(record["verdict"], record["reach"]) if record["verdict"] else None
        parts = [
            (b["id"], b["role"], Domain.from_json(b["domain"]), Verdict(b["verdict"] or "undecided", b["reach"]))
            for b in below
        ]
        narrowed = {b["id"]: b["restricted"] for b in below if b["restricted"]}
        narrowed |= {"": record["restricted"]} if record["restricted"] else {}
        record |= combine(own, parts, Domain.from_json(record["domain"]), narrowed, record["cases"]).to_json()
    if record["verdict"] and record["rests_on"]:
        bases = [(i, _basis(known.get(i))) for i in record["rests_on"]]
        record |= no_stronger(Verdict(record["verdict"], record["reach"]), bases).to_json()


def _basis(record: Mapping[str, Any] | None) -> Verdict | None:
    """The verdict of a claim that another one rests on; None where it was not looked at."""
    if record is None:
        return None
    verdict = Verdict(record["verdict"] or "undecided", record["reach"])
    return as_model(verdict) if record["role"] == "model" else verdict


def failing(results: Mapping[str, Any], verdicts: Collection[str]) -> list[Mapping[str, Any]]:
    """What came out with one of these verdicts, as ``--fail-on`` counts it and JUnit has failures.

    These are items, and claims under items that were asked for by name.
    """
    named = (results.get("run", {}).get("asked") or {}).get("claims") or ()
    counted = (c for c in results["claims"] if c["role"] == "item" or c["id"] in named)
    return [c for c in counted if c["status"] != "error" and c["verdict"] in verdicts]


def missed_variants(record: Mapping[str, Any]) -> list[str]:
    """The false variants that a check did not refute, and what they came out as; of one that raises none, which shows
    nothing."""
    tried = record["mutations"] if record["status"] != "error" else ()
    return [f"{m['name']}{' (it is true: proved)' * _is_true(m)}" for m in tried if not m["caught"]]


def _is_true(tried: Mapping[str, Any]) -> bool:
    return tried["how"].startswith("came out proved")


def strongest_method(record: Mapping[str, Any]) -> str | None:
    """The strongest method among the evidence of a record."""
    kinds = {e["kind"] for e in record["evidence"]}
    return next((m for m in METHODS if m in kinds), "counterexample" if "counterexample" in kinds else None)


def counted(claims: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Verdicts of the items (definitions and reference facts apart), of the claims under them, and per method."""

    def tally(records: Sequence[Mapping[str, Any]]) -> dict[str, int]:
        return dict(Counter("error" if r["status"] == "error" else r["verdict"] or "undecided" for r in records))

    items = [r for r in claims if r["role"] == "item"]
    counted = [r for r in items if r["kind"] not in ("oracle", "definition")]
    methods: dict[str, Counter[str]] = {}
    for record in claims:
        if record["evidence"]:
            methods.setdefault(strongest_method(record) or "none", Counter())[record["own_verdict"] or "undecided"] += 1
    mutations = [m for r in claims for m in r["mutations"]]
    refuted = [r for r in claims if r["own_verdict"] == "refuted" and r["evidence"]]
    return {
        "items": tally(counted),
        "definitions and reference facts": tally([r for r in items if r not in counted]),
        "claims under items": tally([r for r in claims if r["role"] != "item"]),
        "refutations": dict(Counter(map(certainty, refuted))),
        "checks": {
            "of their own": sum(bool(r["evidence"]) and not r["same_check_as"] for r in claims),
            "the same under another id": sum(bool(r["evidence"] and r["same_check_as"]) for r in claims),
        },
        "verdicts per method": {m: dict(c) for m, c in sorted(methods.items())},
        "mutations": {"tried": len(mutations), "caught": sum(m["caught"] for m in mutations)},
    }


CERTAINTIES = {
    "certified": "both sides were computed at one point, exactly or with guaranteed error bounds; nothing is assumed "
    "but claims that are proved, and these are named",
    "on trust": "the counterexample relies on a step that no machine has checked; that step is shown",
    "by runs": "simulations with two independent seeds contradict it; the error probability is shown",
}


def certainty(record: Mapping[str, Any]) -> str:
    """How sure it is that a claim fails, one of ``CERTAINTIES``."""
    if (counterexample := record["counterexample"]) is None:
        return "by runs"
    return "on trust" if counterexample.get("assumes") or record.get("missing") else "certified"


def caveat(record: Mapping[str, Any]) -> str:
    """What the failure of a claim takes for granted, or the error probability of the runs that show it."""
    if (counterexample := record["counterexample"]) is not None:
        trusted = filter(None, (counterexample.get("assumes"), *(e["says"] for e in record.get("missing", ()))))
        proved = f"it uses {in_a_row(record['rests_on'])}, proved by machine" if record.get("rests_on") else ""
        return "; ".join(trusted) or proved
    errors = [Fraction(e["error"]) for e in record.get("evidence", ()) if e["kind"] == "statistics" and e["fresh"]]
    error = f"at most {float(max(errors)):.2g}" if errors else "unknown"
    return f"runs contradict a true statement like this with probability {error}"


def shown_verdict(record: Mapping[str, Any]) -> str:
    """The verdict as readers see it: 'error' for a check that raised, 'refuted (repaired)' where a repair holds."""
    if record["status"] == "error":
        return "error"
    verdict, correction = record["verdict"] or "undecided", record["repair"] or {}
    if verdict != "refuted" or correction.get("verdict") not in (*PROVED, "supported"):
        return verdict
    return f"{verdict} ({'a special case holds' if correction.get('role') == 'special case' else 'repaired'})"


def write_results(results: Mapping[str, Any], path: Path) -> None:
    """Write the document atomically, a claim a line, with a digest of it; NaN and infinities are not JSON and raise.

    With an indentation Python's json would take ten times as long.
    """
    dumped = partial(json.dumps, allow_nan=False, ensure_ascii=False)
    head = {name: value for name, value in results.items() if name not in ("claims", DIGEST)}
    lines = [f"{dumped(name)}: {dumped(value)}" for name, value in (head | {DIGEST: _digest(results)}).items()]
    claims = ",\n".join(map(dumped, results["claims"]))
    write_atomically(path, ("{" + ",\n".join([*lines, f'"claims": [\n{claims}\n]']) + "}\n").encode())


DIGEST = "digest"


def _digest(results: Mapping[str, Any]) -> str:
    return digest({name: value for name, value in results.items() if name != DIGEST})


def changed(results: Mapping[str, Any]) -> str:
    """What its digest says of a results document, for a sentence about the file; nothing where it fits.

    A mishap is noticed, not a forger, who can compute a digest too: ``recheck`` believes no digest.
    """
    if DIGEST not in results:
        return "has no checksum, so a change would go unnoticed"
    return "" if results[DIGEST] == _digest(results) else "was changed since it was written"
