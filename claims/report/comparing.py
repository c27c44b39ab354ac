"""Two results documents side by side: what was gained, lost and changed, and which findings are new or gone."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from banditproof.claims.report.answers import findings_of
from banditproof.claims.report.findings import Finding
from banditproof.claims.run.results import asked_for
from banditproof.claims.verdict import MODEL, NAMED, TRIVIAL

STRENGTH = {"proved": 4, TRIVIAL: 3.5, NAMED: 3, MODEL: 2, "supported": 1, "reproduced": 1}  # of all other verdicts 0
STATED = ("statement", "domain", "constants", "restricted", "cases", "rests_on")  # what a verdict is about
NOBODY = "no longer a claim"

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Change:
    """What became of one claim: its verdicts then and now; `about` names what it says otherwise now."""

    claim: str
    before: str
    now: str
    about: tuple[str, ...] = ()

    def __str__(self) -> str:
        otherwise = f" (changed: {', '.join(self.about).replace('_', ' ')})" if self.about else ""
        return f"{self.claim}: {self.before}, now {self.now}{otherwise}"


@dataclass(frozen=True)
class Comparison:
    """What newer results say against older ones.

    `lost` are claims whose verdict is weaker than it was, or that were proved or supported and exist no more; `gained`
    those with a stronger one, `changed` those with another one that is neither, `restated` those with the same one for
    something else, `gone` those that nothing is lost with. `new` counts the others by verdict. `not_asked` counts, by
    document, older claims that the newer run was not asked for. Findings are told by grade and items.
    """

    lost: tuple[Change, ...]
    gained: tuple[Change, ...]
    changed: tuple[Change, ...]
    restated: tuple[Change, ...]
    gone: tuple[Change, ...]
    new: Mapping[str, int]
    not_asked: Mapping[str, int]
    new_findings: tuple[str, ...]
    gone_findings: tuple[str, ...]
    regraded_findings: tuple[str, ...]
    runs_differ: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def compared(old: Record, new: Record, papers: Sequence[str] | None = None) -> Comparison:
    """What `new` results say against `old` ones, of these `papers` or of all.

    What only other claims made a run look at is compared where both documents hold it, and never missed.
    """
    before = {r["id"]: r for r in old["claims"] if papers is None or r["paper"] in papers}
    now = {r["id"]: r for r in new["claims"] if papers is None or r["paper"] in papers}
    asked, was_asked = _scope(new), {r["id"] for r in asked_for(old)["claims"]}
    with_kind: list[tuple[str | None, Change]] = []
    not_asked: dict[str, int] = {}
    for name, record in before.items():
        if name in now:
            about = tuple(part for part in STATED if (record.get(part) or None) != (now[name].get(part) or None))
            change = Change(name, _verdict(record), _verdict(now[name]), about)
        elif name not in was_asked:
            continue
        elif not asked(record):
            not_asked[record["paper"]] = not_asked.get(record["paper"], 0) + 1
            continue
        else:
            change = Change(name, _verdict(record), NOBODY)
        with_kind.append((_kind(change), change))
    fresh: dict[str, int] = {}
    for name in now.keys() - before.keys():
        fresh[_verdict(now[name])] = fresh.get(_verdict(now[name]), 0) + 1
    differ = tuple(
        f"{name} {old['run'].get(name)}, now {new['run'].get(name)}"
        for name in ("profile", "root_seed")
        if old["run"].get(name) != new["run"].get(name)
    )

    def of(kind: str) -> tuple[Change, ...]:
        return tuple(change for told, change in with_kind if told == kind)

    added, ended, regraded = _of_findings(old, new, papers, now, asked)
    changes = of("lost"), of("gained"), of("changed"), of("restated"), of("gone")
    return Comparison(*changes, dict(sorted(fresh.items())), not_asked, added, ended, regraded, differ)


def _verdict(record: Record) -> str:
    return "error" if record["status"] == "error" else record["verdict"] or "undecided"


def _kind(change: Change) -> str | None:
    """Where a change is told; None where there is none."""
    before, now = STRENGTH.get(change.before, 0), STRENGTH.get(change.now, 0)
    if before != now:
        return "lost" if now < before else "gained"
    if change.now == NOBODY:
        return "gone"
    if change.before != change.now:
        return "changed"
    return "restated" if change.about else None


def _scope(results: Record) -> Callable[[Record], bool]:
    """Whether a run was asked for a claim, which it may no longer know.

    A run of single claims was asked for these and for those under them, one of documents or files for all that their
    documents have, one that names nothing for everything.
    """
    asked = results["run"].get("asked") or {}
    papers, claims = asked.get("papers"), asked.get("claims")
    words = shlex.split(results["run"]["command"])
    if claims and any(word.partition("=")[0] == "--claim" for word in words):
        return lambda record: record["id"] in claims or record["parent"] in claims
    if papers or claims:
        known = {*(papers or ()), *(r["paper"] for r in asked_for(results)["claims"])}
        return lambda record: record["paper"] in known
    return lambda record: True


def _of_findings(
    old: Record, new: Record, papers: Sequence[str] | None, now: Mapping[str, Record], asked: Callable[[Record], bool]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The findings that are new, gone and of another grade; one is the same as long as a claim of it fails in both."""
    before, after = ([f for f in findings_of(asked_for(r)) if papers is None or f.paper in papers] for r in (old, new))
    records = {r["id"]: r for r in old["claims"]}
    looked_at = [f for f in before if any(i in now or asked(records[i]) for i in f.claims)]
    grades = {i: f.severity for f in reversed(before) for i in f.claims}

    def same(finding: Finding, others: Sequence[Finding]) -> bool:
        return any({*finding.claims} & {*other.claims} for other in others)

    pairs = [(f, next((grades[i] for i in f.claims if i in grades), f.severity)) for f in after]
    return (
        tuple(map(_grade_and_items, (f for f in after if not same(f, before)))),
        tuple(map(_grade_and_items, (f for f in looked_at if not same(f, after)))),
        tuple(f"{_grade_and_items(f)}, before {grade}" for f, grade in pairs if grade != f.severity),
    )


def _grade_and_items(finding: Finding) -> str:
    return f"{finding.severity} {', '.join(finding.items)}"
