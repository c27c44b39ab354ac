"""Findings: what is refuted, put together by its cause and sorted by how much it matters.

A finding is an item of a document with everything refuted under it; items whose refutations are the same check are one.
Its severity is computed from what fails, not given by hand:

- A: a main statement (theorem, proposition, lemma, corollary, algorithm) fails, and no repair of it is known to hold;
- B: a main statement fails, and one with another constant, term or hypothesis holds;
- C: it fails at an edge of its domain only;
- D: a displayed formula or a step of a proof fails;
- E: a remark, a figure, an experiment, a table, the introduction, or a reading of what the text leaves open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import isfinite, log
from typing import Any

from banditproof.claims.report.evidence import counterexample, powers_of_ten
from banditproof.claims.report.plain import plain
from banditproof.verify.proof.evidence import BITS, from_data

Record = Mapping[str, Any]

NO_FACTOR = 1.005  # a ratio up to this is not worth a word

SEVERITIES = {
    "A": "a theorem, proposition, lemma, corollary or algorithm fails, and no repair of it is known to hold",
    "B": "a theorem, proposition, lemma, corollary or algorithm fails, and a repair of it holds",
    "C": "such a statement fails at an edge of its domain only",
    "D": "a displayed formula or a step of a proof fails",
    "E": "a remark, a figure, a table, or a reading of what the text leaves open",
}
FAILS = {
    "item": "It fails",
    "part": "This part of it fails",
    "edge": "At this edge of its domain it fails",
    "step": "This step of its proof fails",
    "implication": "This consequence of it fails",
    "reading": "Read like this it fails",
    "figure": "This of the figure fails",
    "remark": "This remark fails",
}
CONTRARY = {"≤": ">", "<": "≥", "≥": "<", ">": "≤", "=": "≠", "≠": "="}
MAIN = ("theorem", "proposition", "lemma", "corollary", "algorithm", "claim")  # the last of one's own file
DERIVED = ("equation", "proof step")


@dataclass(frozen=True)
class Failure:
    """One refuted claim: its words, where it fails, both sides there, and the repair that holds with its verdict.

    `checked` is what the check of the repair is restricted to. `operator` is the claimed one, which `left` and `right`
    do not obey. `ratio` is the larger of the two sides over the smaller one where both are positive numbers, `redo` a
    few lines of Python that compute both sides.
    """

    claim: str
    role: str
    severity: str
    statement: str
    reach: str
    ratio: float | None
    point: tuple[tuple[str, str], ...]
    left: str
    operator: str
    right: str
    repair: str
    repaired_by: str
    repaired: str
    checked: str
    redo: str
    certified: bool

    @property
    def sides(self) -> str:
        """'claimed left side ≤ right side, in fact 3 > 2'."""
        return f"claimed left side {self.operator} right side, {self.truth}"

    @property
    def truth(self) -> str:
        """'in fact 3 > 2'."""
        return f"in fact {self.left} {CONTRARY.get(self.operator, 'and')} {self.right}"


@dataclass(frozen=True)
class Finding:
    """Items of one document that fail for one cause: the worst failure first, what holds, and what depends on it.

    `items` are ids, `titles` their places in the document, `statement` what the first of them says, `elsewhere` the
    items of other documents that say the same, `holds` the other parts that hold, `dependants` what rests on it.
    """

    severity: str
    paper: str
    items: tuple[str, ...]
    titles: tuple[str, ...]
    kind: str
    statement: str
    failures: tuple[Failure, ...]
    holds: tuple[str, ...]
    elsewhere: tuple[str, ...]
    dependants: tuple[str, ...]

    @property
    def ratio(self) -> float:
        """The largest ratio of the two sides among the worst failures; 1 where there is none."""
        return max((f.ratio or 1.0 for f in self.failures if f.severity == self.severity), default=1.0)

    @property
    def command(self) -> str:
        """What checks the finding again."""
        return " ".join(["banditproof check", *(f"--claim {item}" for item in self.items)])

    def to_json(self) -> dict[str, Any]:
        """Plain data, with the command."""
        return asdict(self) | {"command": self.command}


def findings(records: Sequence[Record]) -> list[Finding]:
    """The findings of every document: by severity, then the ratio of the sides, then the number of dependants."""
    by_id = {r["id"]: r for r in records}
    groups = _by_cause([r for r in records if _counts(r)])
    found = [_finding(group, by_id, records) for group in groups]
    return sorted(found, key=lambda f: (f.paper, f.severity, -log(f.ratio), -len(f.dependants), f.items))


def _counts(record: Record) -> bool:
    return record["own_verdict"] == "refuted" and record["status"] != "error" and record["role"] != "repair"


def _item(record: Record) -> str:
    return record["parent"] or record["id"]


def _by_cause(refuted: Sequence[Record]) -> Iterator[list[Record]]:
    """Refuted claims of one document together whose items share a check."""
    causes: dict[tuple[str, str], set[str]] = {}
    for r in refuted:
        causes.setdefault((r["paper"], _item(r)), set()).add(r["same_check_as"] or r["id"])
    joined: list[tuple[str, set[str], set[str]]] = []
    for (paper, item), checks in causes.items():
        same = [g for g in joined if g[0] == paper and g[2] & checks]
        joined = [g for g in joined if g not in same]
        joined.append((paper, {item}.union(*(g[1] for g in same)), checks.union(*(g[2] for g in same))))
    for paper, items, _ in joined:
        yield [r for r in refuted if r["paper"] == paper and _item(r) in items]


def _finding(group: Sequence[Record], by_id: Mapping[str, Record], records: Sequence[Record]) -> Finding:
    failures = sorted((_failure(r, by_id) for r in group), key=lambda f: (f.severity, -log(f.ratio or 1.0), f.claim))
    items = tuple(dict.fromkeys(_item(by_id[f.claim]) for f in failures))
    lead = by_id.get(items[0], group[0])  # a part may be checked without its item
    distinct = {f.statement: f for f in reversed(failures)}  # twins within a document are told once
    printed = [r for r in records if r["parent"] in items and r["role"] in ("part", "edge")]
    names = {*items, *(r["id"] for r in group)}
    twins = {t for item in items for t in (by_id[item]["twins"] if item in by_id else ()) if t not in items}
    return Finding(
        failures[0].severity,
        group[0]["paper"],
        items,
        tuple(by_id[item]["place"] for item in items if item in by_id),
        lead["kind"],
        lead["statement"],
        tuple(f for f in failures if distinct[f.statement] is f),
        tuple(r["id"] for r in printed if r["own_verdict"] in ("proved", "supported")),
        tuple(sorted(twins)),
        tuple(r["id"] for r in records if names & set(r["rests_on"])),
    )


def _severity(record: Record, item: Record, repaired: bool) -> str:
    if record["role"] not in ("item", "part", "edge", "step"):
        return "E"
    if record["role"] == "step":
        return "D"
    if item["kind"] not in MAIN:
        return "D" if item["kind"] in DERIVED else "E"
    if record["role"] == "edge":
        return "C"
    return "B" if repaired else "A"


def _failure(record: Record, by_id: Mapping[str, Record]) -> Failure:
    repair = record["repair"] or {}
    holds = repair.get("verdict") in ("proved", "supported")
    mended = by_id.get(repair["id"]) if holds else None
    shown = counterexample(record["counterexample"]) if record["counterexample"] else None
    left, operator, right = shown["brief"] if shown else ("", "", "")
    return Failure(
        record["id"],
        record["role"],
        _severity(record, by_id.get(_item(record), record), holds),
        record["statement"],
        record["reach"],
        _ratio(record["counterexample"]),
        tuple(shown["point"]) if shown else (),
        left,
        operator,
        right,
        mended["statement"] if mended else "",
        mended["id"] if mended else "",
        repair["verdict"] if holds else "",
        (mended["restricted"] or "") if mended else "",
        redo(record["counterexample"]) if record["counterexample"] else "",
        bool(shown) and not shown["assumes"],
    )


def redo(evidence: Record) -> str:
    """Python that computes both sides of a counterexample again."""
    module, _, name = evidence["relation"].partition(":")
    point, constants = (_as_python(from_data(evidence[part])) for part in ("point", "constants"))
    rational = ", rational=True" if evidence["rational"] else ""
    given = f"point, constants = {point}, {constants}"
    fractions = ["from fractions import Fraction"] if "Fraction(" in given else []
    imports = ["from banditproof.verify.proof.compare import evaluate", f"from {module} import {name}"]
    call = f"print(evaluate({name}, point, constants{rational}))"
    if not evidence["rational"]:
        imports.append("from banditproof.theory.numbers.numeric import working_precision")
        call = f"with working_precision({BITS}): {call}"
    return "\n".join([*fractions, *imports, given, call])


def _as_python(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{k!r}: {_as_python(v)}' for k, v in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_as_python, value))}]"
    if isinstance(value, Fraction):
        return f"Fraction({_as_python(value.numerator)}, {_as_python(value.denominator)})"
    if type(value) is int and abs(value) >= 10**6 and str(abs(value)).rstrip("0") == "1":
        return f"{'-' * (value < 0)}10**{len(str(abs(value))) - 1}"
    return f'float("{value}")' if isinstance(value, float) else repr(value)


def _ratio(evidence: Record | None) -> float | None:
    """The larger side over the smaller one, where both are positive."""
    if evidence is None or evidence["operator"] not in ("<=", "<", ">=", ">", "=="):
        return None
    sides = [_as_float(evidence[name]) for name in ("left", "right")]
    if any(s is None or not isfinite(s) or s <= 0 for s in sides):
        return None
    low, high = sorted(s for s in sides if s is not None)
    return high / low if isfinite(high / low) else None


def _as_float(value: Any) -> float | None:
    if isinstance(value, Mapping) and "decimal" in value:
        ends = value["decimal"].strip("[]").split(",")
        try:
            return sum(map(float, ends)) / len(ends)
        except ValueError:
            return None
    exact = from_data(value)
    try:
        return float(exact)
    except (TypeError, ValueError, OverflowError):
        return None


def relation(records: Sequence[Record], found: Sequence[Finding]) -> str:
    """How the refuted items and the findings belong together, in one sentence."""
    refuted = {r["id"] for r in records if r["role"] == "item" and r["verdict"] == "refuted" and r["status"] != "error"}
    stated = [f for f in found if refuted & set(f.items)]
    main = sum(f.severity in "ABC" for f in stated)
    made = f"The {_many(len(refuted), 'refuted item')} make{'s' * (len(refuted) == 1)} {len(stated)} of the "
    made += f"{_many(len(found), 'finding')}, {main} of them of severity A to C; refuted claims with one cause are one."
    others = [f.severity for f in found if f not in stated]
    counts = {
        "a step of a proof or a displayed formula": others.count("D"),
        "a remark, a figure or a reading": len(others) - others.count("D"),
    }
    told = "; ".join(f"{what} in {n}" for what, n in counts.items() if n)
    return made + (f" In the other {len(others)} the item is not refuted, what fails is {told}." if others else "")


def _many(count: int, name: str) -> str:
    return f"{count} {name}{'s' * (count != 1)}"


# ------------------------------------------------------------------------------------------------------------- in text


def one_line(finding: Finding, width: int = 220) -> str:
    """'A ALG-T5.12 theorem: what fails, by what factor, and what holds instead'."""
    worst = finding.failures[0]
    factor = f"; factor {in_short(finding.ratio)}" if finding.ratio > NO_FACTOR else ""
    mended = f"; instead ({worst.repaired}): {_what_is_new(worst)}" if worst.repair else ""
    lead, *others = finding.items
    more = f" (+{len(others)})" if others else ""
    title = plain(finding.titles[0] if finding.titles else "")
    title = f", {title}" if title and len(title) <= 48 else ""
    text = f"{finding.severity} {lead}{more} {finding.kind}{title}: {plain(worst.statement)}"
    room = max(width // 2, width - len(factor) - len(mended))
    return _cut(_cut(text, room) + factor + mended, width)


def _what_is_new(failure: Failure) -> str:
    """The repair, from a few words before the first that the failed statement does not have."""
    old, new = plain(failure.statement).split(), plain(failure.repair).split()
    same = next((k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    return f"… {' '.join(new[same - 3 :])}" if same >= 6 else " ".join(new)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 1]}…"


def in_short(ratio: float) -> str:
    """A factor to three digits: '7.66', '62,400', '1.2·10^13'."""
    short = f"{ratio:.3g}"
    return f"{float(short):,.0f}" if 1000 <= float(short) < 1e7 else powers_of_ten(short)
