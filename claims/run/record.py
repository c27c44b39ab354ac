"""The record of a claim in ``results.json``: what stands in it before its check has run, and its key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from banditproof.claims.falling import falling_with, links
from banditproof.claims.fingerprint import MACHINERY, PROJECT, digest, source_digest, versions
from banditproof.claims.paragraphs import modules_named
from banditproof.claims.register import REGISTER, Claim
from banditproof.claims.seeds import ROOT_SEED, derived_seed
from banditproof.claims.stating import stated, stated_in_general
from banditproof.claims.trees import stored
from banditproof.claims.witnesses import hypotheses, told_by
from banditproof.theory.errors import one_of
from banditproof.verify.proof.evidence import to_data
from banditproof.verify.proof.statistics import REPORT_ERROR

# The report's one error budget is divided by this many statistical tests, a generous bound on how many there are.
STATISTICAL_TESTS = 1000


@dataclass(frozen=True)
class Settings:
    """What a run of checks depends on besides the claims."""

    profile: str = "quick"
    root_seed: int = ROOT_SEED
    studies: Path | None = None

    def __post_init__(self) -> None:
        one_of("profile", self.profile, ("quick", "full"))

    @property
    def error(self) -> Fraction:
        return REPORT_ERROR / STATISTICAL_TESTS


def as_restated(record: Mapping[str, Any], claim: Claim, settings: Settings) -> dict[str, Any]:
    """The record of a claim whose check is that of another one, from the record of the other."""
    copied = ("stated", "status", "verdict", "reach", "resolution", "evidence", "attempts", "counterexample")
    return facts(claim, settings) | {name: record[name] for name in copied}


def facts(claim: Claim, settings: Settings) -> dict[str, Any]:
    """The record of a claim before its body is read and its check has run."""
    return {
        "id": claim.id,
        "parent": claim.parent,
        "role": claim.role,
        "aliases": list(claim.aliases),
        "twins": list(claim.twins),
        "same_check_as": claim.same_check_as,
        "paper": claim.paper,
        "place": claim.place,
        "kind": claim.kind,
        "statement": claim.shown(),
        "stated": None,
        "domain": claim.domain.to_json(),
        "constants": to_data(dict(claim.constants)),
        "repairs": claim.repairs,
        "restricted": claim.restricted,
        "cases": list(claim.cases),
        "rests_on": list(claim.rests_on),
        "slip": claim.slip,
        "unused": claim.unused,
        "displayed": claim.displayed,
        "cause": claim.cause,
        "hypotheses": hypotheses(claim.id) if claim.role == "item" else None,
        "repair": None,
        "missing": [],
        "studies": [f"{s.name}-{s.key(settings.profile, settings.root_seed)}" for s in claim.studies],
        "status": "pending",
        "verdict": None,
        "reach": "",
        "resolution": None,
        "evidence": [],
        "attempts": [],
        "counterexample": None,
        "mutations": [],
        "seed": derived_seed(settings.root_seed, claim.checked_as),
        "key": key(claim, settings),
        "seconds": 0.0,
    }


def as_stated(claim: Claim) -> dict[str, str] | None:
    """What the machine reads: both sides as text and as LaTeX, and the key of the statement; None for a program."""
    statement = stated_in_general(claim) or stated(claim)
    return None if isinstance(statement, str) else {"text": str(statement), "tex": statement.tex, "key": statement.key}


CLAIMED = ("statement", "domain", "constants", "restricted", "cases", "rests_on")


def outdated(records: Mapping[str, Mapping[str, Any]], claims: Iterable[Claim], settings: Settings) -> set[str]:
    """The claims that say something else than their records of a run, and those whose verdicts rest on one of them."""
    other = [c.id for c in claims if c.id not in records or not _is_of(records[c.id], c, settings)]
    linked = links(REGISTER.values())
    return {*other, *(i for name in other for i in falling_with(name, linked))}


def _is_of(record: Mapping[str, Any], claim: Claim, settings: Settings) -> bool:
    """Whether a record is of what the claim says now; a program of one's own is told by its source and libraries."""
    now, read = facts(claim, settings), as_stated(REGISTER[claim.checked_as])
    words = digest([record.get(name) for name in CLAIMED]) == digest([now[name] for name in CLAIMED])
    told = record.get("stated") or {}
    program = read is None and not claim.module.startswith(f"{PROJECT}.")
    return words and told.get("key") == (read or {}).get("key") and (not program or record.get("key") == now["key"])


def key(claim: Claim, settings: Settings) -> str:
    """Hash of all that the record depends on; a stored record with the same key need not be computed again."""
    facts = [
        claim.id,
        claim.statement,
        _said(claim),
        claim.not_checkable,
        settings.profile,
        settings.root_seed,
        versions(),
        source_digest(*sorted(modules_told(claim)), *MACHINERY),
        claim.role,
        claim.repairs,
        [
            claim.slip,
            claim.unused,
            claim.displayed,
            claim.cause,
            _hypotheses_of(claim) if claim.role == "item" else None,
        ],
        stored(claim.checked_as),
        [claim.checked_as, claim.place, claim.notes, claim.twins, claim.restricted, claim.cases, claim.rests_on],
        None if claim.module.startswith(f"{PROJECT}.") else as_stated(claim),  # it may have read a file
    ]
    return digest(facts)


def _hypotheses_of(claim: Claim) -> list[Any]:
    """What the sentence on an item's hypotheses is made from."""
    told, claims = told_by(claim.id)
    return [told, [[c.id, c.role, _said(c)] for c in claims]]


def _said(claim: Claim) -> Any:
    """The text of a paragraph, whose reading takes longer than all else of a key; of another claim what it gives."""
    if (written := _source(claim).written) is not None:
        return written.text
    mutations = [to_data([m.name, dict(m.constants), m.domain]) for m in claim.mutations]
    return [claim.domain.to_json(), to_data(dict(claim.constants)), mutations]


def modules_told(claim: Claim) -> frozenset[str]:
    """The modules with its code; of a paragraph those that its words name, so that nothing is read to see them."""
    source = _source(claim)
    if source.written is None:
        return claim.modules
    return modules_named(source.written.text) | {source.module, claim.module}


def _source(claim: Claim) -> Claim:
    return claim if claim.same_check_as is None else REGISTER[claim.same_check_as]
