"""What is said of a finding, in one order and once: every form (text, page, Markdown, LaTeX, JSON) shows all of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from banditproof.claims.register import Claim
from banditproof.claims.report.cards import first_sentence, said_beside
from banditproof.claims.report.evidence import readable
from banditproof.claims.report.findings import NO_FACTOR, Answer, Failure, Finding, Record, in_short
from banditproof.claims.report.working import Working, describes, in_a_sentence, working
from banditproof.claims.steps import fails_at

Line = tuple[str, str]  # a name and what it names


@dataclass(frozen=True)
class Told:
    """What is said of a failing claim besides its statement.

    `why` it fails is a sentence, `notes` all else that is said of it, `corrected` what is said of its correction,
    `counterexample` a sentence with both sides, and `working` how these come about.
    """

    why: str
    notes: tuple[str, ...] = ()
    corrected: str = ""
    counterexample: str = ""
    working: Working | None = None


def told(findings: Sequence[Finding], records: Sequence[Record], claims: Mapping[str, Claim]) -> dict[str, Told]:
    """For every failure, in the words of the claim where it is among `claims`; `records` hold the counterexamples."""
    evidence = {r["id"]: r["counterexample"] for r in records}
    return {w.claim: _told(w, evidence[w.claim], claims) for f in findings for w in f.failures}


def _told(failure: Failure, evidence: Record | None, claims: Mapping[str, Claim]) -> Told:
    claim = claims.get(failure.claim)
    why, *notes = said_beside(claim) or [""]
    expected = failure.repair or any(isinstance(step, fails_at) for step in (claim.steps if claim else ()))
    first, rest = first_sentence(why) if expected else ("", why)  # who did not expect it did not say why
    corrected = " ".join(said_beside(claims.get(failure.repaired_by))[:1])
    said = Told(first, (rest, *notes) if rest else tuple(notes), corrected)
    if evidence is None:
        return said
    values = working(evidence, claim.definitions if claim else {})
    sentence = in_a_sentence(evidence, claim.called if claim else {}, values)
    factor = f", a factor of {in_short(failure.ratio)}" if failure.ratio and failure.ratio > NO_FACTOR else ""
    elsewhere = f" Written out in {failure.claim}." if claim and describes(evidence, claim.called) else ""
    return replace(said, counterexample=f"{sentence}{factor}.{elsewhere}", working=values)


def heading(failure: Failure) -> str:
    """'Theorem 9 (RDP-T9/hypotheses, RDP-T10/hypotheses)': what is about which item, by its number and its ids."""
    return f"{failure.place} ({', '.join(failure.claims)})" if failure.place else ", ".join(failure.claims)


def lines_of(failure: Failure, told: Told | None) -> Iterator[Line]:
    """Why it fails, where and by how much, how sure that is, and the change, each as far as it is known."""
    if told and told.why:
        yield "Why", told.why
    yield "Counterexample", told.counterexample if told and told.counterexample else f"{failure.reach}."
    yield "How sure", how_sure_it_is(failure)
    if failure.slip:
        yield "Why it is less serious", readable(failure.slip)
    if failure.repair:
        yield change_of(failure), f"{failure.repair} ({failure.repaired_by})"
    if told and told.notes:
        yield "Notes", " ".join(told.notes)
    if told and told.corrected:
        yield "How the correction was checked", told.corrected


def change_of(failure: Failure) -> str:
    """'Correction (supported; its check is restricted to the first phase)': its kind, and how sure it is."""
    kind = "Correction" if failure.correction == "repair" else "Known special case"
    return f"{kind} ({failure.repaired}{f'; its check is restricted {failure.checked}' if failure.checked else ''})"


def how_sure_it_is(failure: Failure) -> str:
    """'certified.', or in what way it is not, with all that is taken on trust."""
    return f"{failure.certainty}{f': {failure.caveat}' if failure.caveat else ''}."


def lines_around(finding: Finding) -> Iterator[Line]:
    """What is said of a finding as a whole, behind its failures."""
    if finding.stands:
        yield "Verdict of the item", finding.stands
    for failure in finding.besides:
        text = f"{heading(failure)}. {failure.fails}: {failure.statement} How sure: {how_sure_it_is(failure)}"
        yield "Also, of severity E", text
    away = " away from this boundary, where it was checked" * (finding.failures[0].role == "edge")
    listed = {
        f"What holds{away}": finding.holds,
        "Fails for the same reason": finding.elsewhere,
        "Rests on it": finding.dependants,
    }
    yield from ((name, ", ".join(ids)) for name, ids in listed.items() if ids)
    yield from (("Answer", answer_in_words(answer)) for answer in finding.answers)
    yield "Check again", finding.command


def answer_in_words(answer: Answer) -> str:
    """'B. Author, 2026-01-31: We claim it for n >= 2 only. Changed since: its severity was C.'"""
    changed = f" Changed since: {'; '.join(answer.changed)}." if answer.changed else ""
    return f"{answer.by}, {answer.date}: {answer.note}{changed}"


def to_json(finding: Finding, words: Mapping[str, Told]) -> dict[str, Any]:
    """A finding as plain data, with what is said of its failures."""
    data = finding.to_json()
    for failure in data["failures"]:
        said = words.get(failure["claim"], Told(""))
        failure |= {name: getattr(said, name) for name in ("why", "counterexample", "notes", "corrected")}
    return data
