"""Findings: what is refuted, put together by its cause and sorted by how serious it is.

A finding is one mistake: the claims, of one item or of several, in this document and in others, that fail for one cause
or by one check. Its severity is computed from what fails, not given by hand.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from math import isfinite
from typing import Any

from banditproof.claims.documents import catalogue
from banditproof.claims.register import CORRECTIONS, REGISTER, from_a_file
from banditproof.claims.report.evidence import as_float, counterexample, in_a_row, powers_of_ten, readable
from banditproof.claims.report.plain import plain
from banditproof.claims.run.results import CERTAINTIES, caveat, certainty
from banditproof.claims.verdict import DECIDING, HOLDS, REFUTED, TRIVIAL
from banditproof.verify.proof.evidence import BITS, from_data

Record = Mapping[str, Any]

NO_FACTOR = 1.005  # a ratio up to this is not worth a word

STATED = "a main statement (theorem, proposition, lemma, corollary, algorithm) is false"
SEVERITIES = {
    "A": f"{STATED}, and no correction is known",
    "A-": f"{STATED}, and only a special case of it is known to hold",
    "B": f"{STATED}, but a correction is proved or supported; or nothing satisfies the hypotheses of a main statement",
    "C": f"{STATED}, but only at a boundary of its domain, outside the range that the document uses, or because of a "
    "misprint that it corrects elsewhere; or it is trivially true as printed, and false as it is meant",
    "D": "a displayed formula or a step of a proof is false",
    "E": "a remark, an experiment, or one way to read an ambiguous text fails",
}
GRAVE = ("A", "A-", "B", "C")  # what a reader of the first page is told
FAILS = {
    "item": "It is false",
    "part": "This part is false",
    "edge": "False at this boundary",
    "step": "This step of the proof is false",
    "implication": "This consequence is false",
    "reading": "False if the text is read in this way",
    "figure": "Not reproduced",
    "remark": "This remark is false",
    "model": "The algorithm does not follow this model",
    "hypotheses": "Nothing satisfies the hypotheses",
}
MAIN = ("theorem", "proposition", "lemma", "corollary", "algorithm", "claim")  # the last of one's own file
DERIVED = ("equation", "proof step")
UNCOUNTED = ("oracle", "definition")  # no claims of a document


@dataclass(frozen=True)
class Failure:
    """One refuted claim: our words for it, where it fails, both sides there, and the correction that holds.

    `place` is where its item stands, `same` the other claims of the document with this statement and this failure.
    `fails` says in what way it fails, `slip` why that weighs little. `correction` is 'repair' or 'special case', or
    empty, with its statement, id and verdict in `repair`, `repaired_by` and `repaired`; `checked` is what its check is
    restricted to. `operator` is the claimed one, which `left` and `right` do not obey. `ratio` is the larger of the two
    sides over the smaller one where both are positive numbers, `redo` a few lines of Python that compute both sides.
    `certainty` is how sure it is (``run.results.CERTAINTIES``), `caveat` what is assumed or the error of the runs.
    """

    claim: str
    same: tuple[str, ...]
    place: str
    role: str
    severity: str
    fails: str
    statement: str
    slip: str
    reach: str
    ratio: float | None
    point: tuple[tuple[str, str], ...]
    left: str
    operator: str
    right: str
    correction: str
    repair: str
    repaired_by: str
    repaired: str
    checked: str
    redo: str
    certainty: str
    caveat: str

    @property
    def claims(self) -> tuple[str, ...]:
        """The ids of all claims that it tells of."""
        return (self.claim, *self.same)

    @property
    def in_short(self) -> str:
        """Its caveat in a few words: what stands before the first colon."""
        return self.caveat.partition(": ")[0]


@dataclass(frozen=True)
class Answer:
    """What somebody answered to a finding, and what of the finding has `changed` since."""

    by: str
    date: str
    note: str
    changed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finding:
    """What fails in one document for one cause: the most important failure first, what holds, what depends on it.

    `items` are ids, `titles` their places in the document, `statement` our words for the first of them, `elsewhere` the
    items of other documents that fail for the same cause, `holds` the other parts that hold, `dependants` the items
    that rest on these, directly or through others. `stands` says why a main statement is not refuted all the same.
    `modules` are the files that bring its claims, as ``--module`` names them, `answers` those of the authors.
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
    stands: str
    modules: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()

    @property
    def told(self) -> tuple[Failure, ...]:
        """The failures to tell: without remarks and readings, where something graver leads."""
        return tuple(f for f in self.failures if f.severity != "E") or self.failures

    @property
    def besides(self) -> tuple[Failure, ...]:
        """The failures that are told in a line only: remarks and readings, where something graver leads."""
        return tuple(f for f in self.failures if f not in self.told)

    @property
    def ratio(self) -> float:
        """The ratio of the two sides of the leading failure; 1 where there is none."""
        return self.failures[0].ratio or 1.0

    @property
    def claims(self) -> tuple[str, ...]:
        """The ids of all claims that fail."""
        return tuple(claim for failure in self.failures for claim in failure.claims)

    @property
    def what(self) -> str:
        """The kind of its item, where the title does not say it."""
        return "" if self.titles and re.search(rf"\b{self.kind}\b", self.titles[0], re.IGNORECASE) else self.kind

    @property
    def certainties(self) -> tuple[str, ...]:
        """How sure its failures are, the surest first."""
        return tuple(c for c in CERTAINTIES if any(f.certainty == c for f in self.failures))

    @property
    def certainty(self) -> str:
        """How sure its leading failure is; each of the others says how sure itself."""
        return self.failures[0].certainty

    @property
    def surer_or_less(self) -> tuple[Failure, ...]:
        """The failures that are not as sure as the leading one."""
        return tuple(f for f in self.failures if f.certainty != self.certainty)

    @property
    def command(self) -> str:
        """What checks the finding again."""
        files = [word for module in self.modules for word in ("--module", module)]
        return shlex.join(["banditproof", "check", *files, *(w for i in self.items for w in ("--claim", i))])

    def to_json(self) -> dict[str, Any]:
        """Plain data, with the command and how sure it is."""
        return asdict(self) | {"command": self.command, "certainty": self.certainty}


def findings(records: Sequence[Record], paper: str | None = None, modules: Sequence[str] = ()) -> list[Finding]:
    """One finding for each cause, told of the document of its leading failure; or those of one document, `paper`.

    By document, the most serious first, then by how much rests on them. `modules` are the files that the run read
    (``run.results.modules_of``). Every form lists them in this order.
    """
    by_id = {r["id"]: r for r in records}
    place = {r["id"]: k for k, r in enumerate(records)}
    failures = {r["id"]: _failure(r, by_id) for r in records if _counts(r)}
    order = {i: (f.severity, bool(f.slip), by_id[i].get("cause") is not None, place[i]) for i, f in failures.items()}
    failing = sorted(failures, key=order.__getitem__)
    leading: dict[str, str] = {}
    for claim in failing:
        leading.setdefault(_item(by_id[claim]), claim)
    names = {i: _item(by_id[i]) if leading[_item(by_id[i])] == i else i for i in failing}
    above = _above(records)
    listed = []
    for group in _by_cause(failing, by_id):
        told = [i for i in group if by_id[i]["paper"] == (paper or by_id[group[0]]["paper"])]
        if told:
            finding = _finding(told, group, names, failures, by_id, above)
            brought = any(from_a_file(by_id[i]["paper"], REGISTER.get(i)) for i in told)
            listed.append(replace(finding, modules=tuple(modules)) if brought else finding)
    papers = {p: k for k, p in enumerate(dict.fromkeys(r["paper"] for r in records))}

    def rank(finding: Finding) -> tuple[Any, ...]:
        grade = list(SEVERITIES).index(finding.severity)
        return papers[finding.paper], grade, -len(finding.dependants), place[finding.failures[0].claim]

    return sorted(listed, key=rank)


def _counts(record: Record) -> bool:
    failed = record["own_verdict"] in REFUTED and record["status"] != "error"
    return failed and record["role"] not in CORRECTIONS


def _item(record: Record) -> str:
    return record["parent"] or record["id"]


def _by_cause(failing: Sequence[str], by_id: Mapping[str, Record]) -> Iterator[list[str]]:
    """Refuted claims together that fail for one cause: one names the other as its cause, or both are one check.

    That they stand under one item is no cause: its mistakes are told one by one. `failing` has the most important
    claims first.
    """
    rank = {claim: k for k, claim in enumerate(failing)}
    heads = {claim: claim for claim in failing}  # of the claims that are told together, the most important one

    def head(claim: str) -> str:
        return claim if heads[claim] == claim else head(heads[claim])

    checks: dict[str, str] = {}
    for claim in failing:
        for other in (by_id[claim].get("cause"), checks.setdefault(by_id[claim]["same_check_as"] or claim, claim)):
            if other in heads:
                first, second = sorted((head(claim), head(other)), key=rank.__getitem__)
                heads[second] = first
    groups: dict[str, list[str]] = {}
    for claim in failing:
        groups.setdefault(head(claim), []).append(claim)
    yield from groups.values()


def _above(records: Sequence[Record]) -> dict[str, set[str]]:
    """For each item those that rest on it: that take it for granted here, or are derived from it in the document."""
    above: dict[str, set[str]] = {}
    for record in records:
        for basis in record["rests_on"]:
            above.setdefault(basis.partition("/")[0], set()).add(_item(record))
    known = {_item(r) for r in records}
    for entry in catalogue().values():
        if entry.id in known:
            for basis in entry.uses:
                above.setdefault(basis, set()).add(entry.id)
    return above


def _resting(items: Iterable[str], above: Mapping[str, set[str]]) -> set[str]:
    """The items that rest on these, directly or through others."""
    reached, new = set(items), list(items)
    while new:
        fresh = above.get(new.pop(), set()) - reached
        reached |= fresh
        new += fresh
    return reached - set(items)


def _finding(
    told: Sequence[str],
    group: Sequence[str],
    names: Mapping[str, str],
    failures: Mapping[str, Failure],
    by_id: Mapping[str, Record],
    above: Mapping[str, set[str]],
) -> Finding:
    """The finding of one document: `told` are its failing claims of a `group`, the most important one first.

    `names` are the items of leading failures, and the claims themselves of others.
    """
    grave = [claim for claim in told if failures[claim].severity != "E"] or told  # whose items stand in the heading
    leading = [names[claim] for claim in grave if names[claim] == _item(by_id[claim])]
    worst = [i for i in grave if failures[i].severity == failures[grave[0]].severity]
    first = next((names[i] for i in worst if names[i] in leading), names[worst[0]])
    items = tuple(dict.fromkeys((first, *leading, *(names[i] for i in grave if _item(by_id[i]) not in leading))))
    others = [i for i in group if by_id[i]["paper"] != by_id[told[0]]["paper"]]
    beside = [i for i in others if failures[i].severity != "E"] or others
    theirs = [names[i] for i in beside if names[i] == _item(by_id[i])]
    others = (*theirs, *(names[i] for i in beside if _item(by_id[i]) not in theirs))
    unseen = [t for i in items if i in by_id for t in by_id[i]["twins"] if t not in by_id]
    lead = by_id.get(items[0], by_id[told[0]])  # a part may be checked without its item
    alike: dict[tuple[str, ...], list[str]] = {}  # twins within a document are told once
    for claim in told:
        one = failures[claim]
        alike.setdefault((one.statement, one.certainty, one.caveat, one.slip, one.repair), []).append(claim)
    printed = [r for r in by_id.values() if r["parent"] in items and r["role"] in DECIDING]
    return Finding(
        failures[told[0]].severity,
        by_id[told[0]]["paper"],
        items,
        tuple(_heading(by_id[item]["place"]) for item in items if item in by_id),
        _kind(_item(by_id[told[0]]), by_id),
        lead["statement"],
        tuple(_once(*(failures[claim] for claim in claims)) for claims in alike.values()),
        tuple(r["id"] for r in printed if r["own_verdict"] in HOLDS),
        tuple(dict.fromkeys((*others, *unseen))),
        tuple(sorted(_resting({i.partition("/")[0] for i in items}, above), key=[*catalogue(), *by_id].index)),
        _stands(lead, failures[told[0]]),
    )


def _once(first: Failure, *others: Failure) -> Failure:
    """Failures that say the same, told as one."""
    places = dict.fromkeys(f.place for f in (first, *others) if f.place)
    return replace(first, same=tuple(f.claim for f in others), place=in_a_row(list(places)))


def _heading(place: str) -> str:
    """'Theorem 8: KL decomposition' for '(Theorem 8) KL decomposition'."""
    match = re.match(r"\(((?:[^()]|\([^()]*\))+)\)\s+(?=\S)", place)
    return f"{match[1]}: {place[match.end() :]}" if match and re.search(r"\d", match[1]) else place


def _stands(item: Record, failure: Failure) -> str:
    """Why an item has another verdict than refuted though a main statement fails; empty where it is refuted."""
    if failure.severity not in GRAVE or item["role"] != "item" or item["verdict"] in (*REFUTED, None):
        return ""
    why = {
        "edge": "this boundary lies outside the domain on which it was checked",
        "hypotheses": "nothing satisfies its hypotheses, so no example can contradict it",
        "reading": "read literally, its proof does not use what it is about",
    }.get(failure.role, "the claim that fails is not a part of it")
    return f"{item['id']} itself counts as {item['verdict']}: {why}."


def _kind(item: str, by_id: Mapping[str, Record]) -> str:
    """The kind of an item, also of one that was not part of the run."""
    if item in by_id:
        return by_id[item]["kind"]
    return catalogue()[item].kind if item in catalogue() else "claim"


def _is_trivial(item: str, by_id: Mapping[str, Record]) -> bool:
    return by_id.get(item, {}).get("verdict") == TRIVIAL


def _severity(record: Record, kind: str, correction: str, trivial: bool) -> str:
    role = record["role"]
    if role == "reading" and trivial and kind in MAIN:
        return "C"
    if role == "hypotheses":
        return "C" if record.get("slip") else "B"
    if role not in ("item", "part", "edge", "step") or record["own_verdict"] == "not reproduced":
        return "E"
    if role == "step":
        return "D"
    if kind not in (*MAIN, *DERIVED):
        return "D" if record.get("displayed") else "E"
    if kind == "proof step":
        return "D"
    if role == "edge":
        return "C"
    if kind in DERIVED:
        return "D"
    if record.get("slip"):
        return "C"
    return {"repair": "B", "special case": "A-"}.get(correction, "A")


def _failure(record: Record, by_id: Mapping[str, Record]) -> Failure:
    repair = record["repair"] or {}
    holds = repair.get("verdict") in HOLDS
    mended = by_id.get(repair["id"]) if holds else None
    correction = repair.get("role", "repair") if holds else ""
    shown = counterexample(record["counterexample"]) if record["counterexample"] else None
    left, operator, right = shown["brief"] if shown else ("", "", "")
    return Failure(
        record["id"],
        (),
        _place(record, by_id),
        record["role"],
        _severity(record, _kind(_item(record), by_id), correction, _is_trivial(_item(record), by_id)),
        "Not reproduced" if record["own_verdict"] == "not reproduced" else FAILS[record["role"]],
        record["statement"],
        record.get("slip", ""),
        record["reach"],
        _ratio(record["counterexample"]),
        tuple(shown["point"]) if shown else (),
        left,
        operator,
        right,
        correction,
        mended["statement"] if mended else "",
        mended["id"] if mended else "",
        repair["verdict"] if holds else "",
        readable(mended["restricted"] or "") if mended else "",
        redo(record["counterexample"]) if record["counterexample"] else "",
        certainty(record),
        readable(powers_of_ten(caveat(record))),
    )


def _place(record: Record, by_id: Mapping[str, Record]) -> str:
    """'Theorem 8' where the document numbers the item of a claim, else what the item is about."""
    item = _item(record)
    entry = catalogue().get(item)
    return entry.number or entry.title if entry else _heading(by_id.get(item, record)["place"])


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
    sides = [as_float(evidence[name]) for name in ("left", "right")]
    if any(s is None or not isfinite(s) or s <= 0 for s in sides):
        return None
    low, high = sorted(s for s in sides if s is not None)
    return high / low if isfinite(high / low) else None


def relation(records: Sequence[Record], listed: Sequence[Finding]) -> str:
    """How the refuted items and the findings belong together, in two sentences."""
    refuted = {
        r["id"]
        for r in records
        if r["role"] == "item" and r["verdict"] == "refuted" and r["kind"] not in UNCOUNTED and r["status"] != "error"
    }

    def refutes(finding: Finding) -> bool:
        own = {f.claim.partition("/")[0] for f in finding.failures if f.role in ("item", "part", "edge")}
        return bool(refuted & (own | set(finding.elsewhere)))

    stated = sum(map(refutes, listed))
    if not stated:
        be = "is" if len(listed) == 1 else "are"
        trivial = [r["id"] for r in records if r["role"] == "item" and r["verdict"] == TRIVIAL]
        but = f", but trivially true as printed: {', '.join(trivial)}" if trivial else ""
        return f"No item is refuted{but}. There {be} {_many(len(listed), 'finding')} ({how_sure(listed)})."
    grave = [f for f in listed if f.severity in GRAVE]
    text = f"{_many(len(listed), 'finding')}, {len(grave)} of severity A to C" + f" ({how_sure(grave)})" * bool(grave)
    refute = f"refute{'s' * (stated == 1)} {_many(len(refuted), 'item')}"
    return f"{text}. Claims that fail for the same reason share a finding. {stated} of the findings {refute}."


def how_sure(listed: Sequence[Finding]) -> str:
    """'30 certified, 14 on trust'."""
    counted = Counter(f.certainty for f in listed)
    return ", ".join(f"{counted[word]} {word}" for word in CERTAINTIES if counted[word])


def _many(count: int, name: str) -> str:
    return f"{count} {name}{'s' * (count != 1)}"


# ------------------------------------------------------------------------------------------------------------- in text


ALSO = 6  # items of one cause that a line names


def one_line(finding: Finding, width: int = 260) -> str:
    """'A certified ALG-T5.12 theorem: what fails, by what factor, and what holds instead'."""
    worst = finding.failures[0]
    factor = f"; factor {in_short(finding.ratio)}" if finding.ratio > NO_FACTOR else ""
    instead = "correction" if worst.correction == "repair" else "known special case"
    narrow = f", check restricted {worst.checked}" if worst.checked else ""
    mended = f"; {instead} ({worst.repaired}{narrow}): {_what_is_new(worst)}" if worst.repair else ""
    lead, *others = (*finding.items, *finding.elsewhere)
    more = f" (also {', '.join(others[:ALSO])}{f' and {len(others) - ALSO} more' * (len(others) > ALSO)})" * bool(
        others
    )
    title = plain(finding.titles[0] if finding.titles else "")
    title = f", {title}" if title and len(title) <= 48 else ""
    kind = f" {finding.what}" if finding.what else ""
    text = f"{finding.severity} {finding.certainty} {lead}{more}{kind}{title}: {plain(worst.statement)}"
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
