"""What keeps a claim that is supported, or proved from a model or from named facts, from being proved.

It is a word of a closed list for each claim that stands in the way. Of a claim with a counterexample it is what keeps
this from being certified: what it rests on and is not proved.

It is computed from the records of a run, so it changes when the evidence does and nobody writes it down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from banditproof.claims.register import UNCOVERED
from banditproof.claims.verdict import MODEL, NAMED, REFUTED, TRIVIAL, within
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.evidence import KINDS

Record = Mapping[str, Any]

WHOLE = ("proved", TRIVIAL)  # verdicts that nothing is missing from

MISSING = {
    "unmet": "nothing satisfies its hypotheses, as {0} shows",
    "everything": "it is about {0}, but only examples were checked",
    "program": "it is stated by a program, not by a formula",
    "runs": "only simulations, or a trend towards a limit, support it",
    "words": "its formulas are proved, but the steps between them are only given in words",
    "region": "a proof covers only part of its domain",
    "proof": "it is a formula, and no prover has proved it yet",
    "narrowed": "its check is restricted {0}",
    "whole": "nobody has recorded why its parts, or its formula, make up the whole statement",
    "uncheckable": "it cannot be checked",
    "basis": "it rests on {0}, which is not proved",
    "fact": "it is proved from {0}, which is named but not derived",
    "model": "it is proved for a model of the algorithm, and only runs ({0}) indicate that the algorithm follows "
    "this model",
}
"""The words, with what each says of a claim; ``{0}`` is a set, a restriction or another claim."""


def missing(record: Record, below: Sequence[Record], known: Mapping[str, Record]) -> list[dict[str, str]]:
    """What separates a claim from being proved: entries of `what` (a word of ``MISSING``), `claim`, `says`.

    Args:
        record: of the claim, with the verdict that its parts leave it.
        below: the records of the claims under it.
        known: all records of the run, by id.
    """
    if record["verdict"] in REFUTED and record["counterexample"]:
        bases = ((i, known.get(i, {})) for i in record["rests_on"])
        return [_entry("basis", record, i) for i, r in bases if r.get("verdict") not in WHOLE or r["restricted"]]
    if record["verdict"] not in (NAMED, MODEL, "supported"):
        return []
    unmet = (p for p in below if p["role"] == "hypotheses" and p["verdict"] in REFUTED)
    entries = [*(_entry("unmet", record, p["id"]) for p in unmet), *_of(record, known)]
    for part in (p for p in below if _holds_down(p, record)):
        if part["verdict"] == "not checkable":
            entries.append(_entry("uncheckable", part))
        elif part["verdict"] not in WHOLE:
            entries += _of(part, known)
        elif part["restricted"]:
            entries.append(_entry("narrowed", part, part["restricted"]))
    # where all that its parts speak of is proved, they leave some of it open
    entries = entries or [_entry("region", record)]
    return [dict(entry) for entry in dict.fromkeys(tuple(entry.items()) for entry in entries)]


def _holds_down(below: Record, item: Record) -> bool:
    """Whether an item is no stronger than a claim under it: a part, or an edge inside of its domain."""
    inside = below["role"] == "edge" and within(*(Domain.from_json(r["domain"]) for r in (below, item)))
    return below["role"] == "part" or inside


def _of(record: Record, known: Mapping[str, Record]) -> Iterable[dict[str, str]]:
    """What a claim lacks by itself."""
    if record["own_verdict"] == NAMED:
        yield _entry("fact", record, "a fact of the textbooks")
    elif record["evidence"] and record["own_verdict"] != "proved":
        yield _short_of_a_proof(record)
    if record["restricted"] and record["restricted"].endswith(UNCOVERED.partition("{}")[2]):
        yield _entry("whole", record)
    elif record["restricted"]:
        yield _entry("narrowed", record, record["restricted"])
    for basis in record["rests_on"]:
        if known.get(basis, {}).get("verdict") not in WHOLE:
            is_model = known.get(basis, {}).get("role") == "model"
            yield _entry("model" if is_model else "basis", record, basis)


def _short_of_a_proof(record: Record) -> dict[str, str]:
    sets = record["domain"]["variables"].values()
    described = [s.partition("all: ")[2] for s in sets if isinstance(s, str) and s.startswith("all: ")]
    kinds = {e["kind"] for e in record["evidence"]}
    if described:
        return _entry("everything", record, " and ".join(dict.fromkeys(described)))
    if kinds <= {"statistics", "trend"}:
        return _entry("runs", record)
    if any(e["kind"] == "certificate" and e.get("assumes") for e in record["evidence"]):
        return _entry("words", record)
    if record["stated"] is None:
        return _entry("program", record)
    proving = [e for e in record["evidence"] if KINDS[e["kind"]].proves and e["kind"] != "enumeration"]
    return _entry("region" if proving else "proof", record)


def _entry(what: str, record: Record, said: str = "") -> dict[str, str]:
    return {"what": what, "claim": record["id"], "says": MISSING[what].format(said)}


def over_numbers(record: Record) -> bool:
    """Whether a claim has a check of its own, and all its variables are numbers."""
    sets = record["domain"]["variables"].values()
    described = (isinstance(s, str) and s.startswith("all: ") for s in sets)
    return bool(record["evidence"] and record["same_check_as"] is None and sets) and not any(described)


def in_a_line(record: Record) -> str:
    """What a claim lacks, in one sentence: 'TH-A1: ...; TH-A1/tail: ...', each with the claim that it is about."""
    by_claim: dict[str, list[str]] = {}
    for entry in record.get("missing", ()):
        by_claim.setdefault(entry["claim"], []).append(entry["says"])
    return "; ".join(f"{claim}: {', and '.join(says)}" for claim, says in by_claim.items())


def census(records: Iterable[Record]) -> list[tuple[str, int, int]]:
    """For each word how many supported items lack it, and how many lack nothing else."""
    items = [r for r in records if r["role"] == "item" and r["verdict"] not in REFUTED]
    lacking = [frozenset(e["what"] for e in r["missing"]) for r in items if r.get("missing")]
    any_of = Counter(word for words in lacking for word in words)
    alone = Counter(next(iter(words)) for words in lacking if len(words) == 1)
    return [(word, any_of[word], alone[word]) for word in MISSING if any_of[word]]


def of_numbers(records: Iterable[Record]) -> dict[str, list[Record]]:
    """The claims over numbers that are supported, by the first word of what they lack."""
    by_word: dict[str, list[Record]] = {}
    for record in records:
        if record.get("missing") and record["verdict"] not in REFUTED and over_numbers(record):
            by_word.setdefault(record["missing"][0]["what"], []).append(record)
    return {word: by_word[word] for word in MISSING if word in by_word}
