"""What the cards of the claims show: an item with the claims under it, in the order and sections of its document."""

from __future__ import annotations

import inspect
import re
import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from banditproof.claims.documents import catalogue
from banditproof.claims.register import REGISTER, Claim, from_a_file
from banditproof.claims.report.evidence import in_words, pairs, readable, shortened, with_signs
from banditproof.claims.report.figures import Figure
from banditproof.claims.report.proofs import proof
from banditproof.claims.report.regions import in_words as domain_in_words
from banditproof.claims.report.working import told_at
from banditproof.claims.run.record import Settings
from banditproof.claims.run.results import modules_of, shown_verdict, strongest_method
from banditproof.claims.seeds import ROOT_SEED
from banditproof.claims.verdict import VERDICTS
from banditproof.verify.proof.domain import Domain


def plain_verdict(record: Mapping[str, Any]) -> str:
    """The verdict without what is added to it in parentheses."""
    return shown_verdict(record).partition(" (")[0]


def cards(
    results: Mapping[str, Any], claims: Sequence[Claim], settings: Settings, figures: Sequence[Figure]
) -> list[dict[str, Any]]:
    """One card per item with the claims under it; a claim whose item is not part of the run has a card of its own."""
    registered = {c.id: c for c in claims}
    stated = {e["relation"]: r for r in reversed(results["claims"]) for e in r["evidence"] if e.get("relation")}
    modules = modules_of(results)
    below: dict[str, list[dict[str, Any]]] = {}
    for record in results["claims"]:
        card = _card(record, registered.get(record["id"]), settings, modules, figures, stated)
        below.setdefault(record["parent"] or "", []).append(card)
    top = below.pop("", [])
    present = {card["id"] for card in top}
    alone = [card for parent, cards in below.items() if parent not in present for card in cards]
    for card in top:
        card["below"] = [
            c | {"place": "" if c["place"] == card["place"] else c["place"]} for c in below.get(card["id"], [])
        ]
        counted = Counter(c["base"] for c in card["below"])
        card["counts"] = [(v, counted[v]) for v in (*VERDICTS, "error") if counted[v]]
        for unmet in (c["id"] for c in card["below"] if c["role"] == "hypotheses" and c["base"] == "refuted"):
            card["hypotheses"] = f"see {unmet}, which is refuted"
        if card["base"] != "refuted":
            card["beyond"] = [c["id"] for c in card["below"] if c["role"] == "edge" and c["base"] == "refuted"]
    return [*top, *alone]


def sections(items: Sequence[dict[str, Any]], levels: int = 2) -> list[tuple[str, list[dict[str, Any]]]]:
    """The cards in the order of the catalogue, under the sections they are printed in; the others under ''.

    The sections' numbers are cut after so many `levels`: '5.2' of '5.2.1'.
    """
    printed = catalogue()
    order = {item: k for k, item in enumerate(printed)}
    grouped: dict[str, list[dict[str, Any]]] = {}
    for card in sorted(items, key=lambda card: order.get(card["parent"] or card["id"], len(order))):
        item = printed.get(card["parent"] or card["id"])
        section = "-".join(".".join(item.section.split(".")[:levels]).split("-")[:levels]) if item else ""
        grouped.setdefault(section, []).append(card)
    return [(section, grouped[section]) for section in _in_order(list(grouped))]


def _in_order(names: list[str]) -> list[str]:
    """Sections by their numbers, appendices last; as the catalogue has them where chapters have Roman numbers."""
    if any(re.fullmatch("[IVX]{2,}", chapter(name)) for name in names):
        return names

    def place(name: str) -> tuple[int, list[tuple[int, str]]]:
        parts = [(int(n), "") if n.isdigit() else (0, n) for n in re.split(r"[.-]", name)]
        return (0 if name[:1].isdigit() else 2 if len(chapter(name)) == 1 else 1 if name == "" else -1), parts

    return sorted(names, key=place)


def printed_in(item_id: str) -> str:
    """'Theorem 5.2, Section 5.2, page 88', as far as the catalogue knows where an item is printed."""
    item = catalogue().get(item_id)
    if item is None:
        return ""
    section, page = in_full(item.section) if item.section else "", f"page {item.page}" if item.page else ""
    return ", ".join(filter(None, [item.number, section, page]))


def in_full(section: str) -> str:
    """'Section 5.2' of '5.2'; what is a word, as 'abstract', stands for itself."""
    if re.match(r"[A-Za-z]{6}", section):
        return section[0].upper() + section[1:]
    return f"Section {section}" if section else "Others"


def chapter(section: str) -> str:
    """The chapter of a section: '5' of '5.2', 'III' of 'III-A'."""
    return re.split(r"[.-]", section)[0]


def _card(
    record: Mapping[str, Any],
    claim: Claim | None,
    settings: Settings,
    modules: Sequence[str],
    figures: Sequence[Figure],
    stated: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    check = claim.check if claim else None
    shown = [e for e in record["evidence"] if e != record["counterexample"]]
    return {
        **record, "below": [], "counts": [], "beyond": [],
        "base": plain_verdict(record), "shown": shown_verdict(record),
        "in_words": domain_in_words(Domain.from_json(record["domain"])),
        "constants": ", ".join(pairs(record["constants"])),
        "counterexample": record["counterexample"]
        and told_at(record["counterexample"], claim.called if claim else {}, claim.definitions if claim else {}),
        "evidence": [_evidence(e, stated) for e in shown],
        "mutations": [_mutation(m) for m in record["mutations"]],
        "untried": len(claim.mutations) if claim and claim.is_varied and not record["mutations"] else 0,
        "spoken": claim and claim.spoken,
        "method": strongest_method(record), "check": check and _how(check),
        "notes": _notes(claim),
        "figures": [f for f in figures if record["id"] in f.claims],
        "models": [i for i in record["rests_on"] if i in REGISTER and REGISTER[i].role == "model"],
        "rerun": rerun(record["id"], settings, modules if from_a_file(record["paper"], claim) else ()),
    }  # fmt: skip


def _evidence(evidence: Mapping[str, Any], stated: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    covers = domain_in_words(Domain.from_json(evidence["covers"]))
    view = in_words(evidence) | {"covers": covers, "proof": proof(evidence, stated)}
    return view | ({"counterexample": told_at(evidence, {})} if evidence["kind"] == "counterexample" else {})


def _mutation(mutation: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **mutation,
        "how": shortened(mutation["how"].strip().splitlines()[-1] if mutation["how"].strip() else "", 200),
        "constants": ", ".join(pairs(mutation["constants"])),
    }


def said_beside(claim: Claim | None) -> list[str]:
    """What is said of a claim beside its statement, for reading: first why it fails, or what is computed."""
    return list(map(readable, _notes(claim)))


def first_sentence(text: str) -> tuple[str, str]:
    """The first sentence of a paragraph, and the rest; a full stop in a formula or in parentheses ends none."""
    for stop in re.finditer(r"(?<=[.?])\s+(?=[^a-z])", text):
        begun = text[: stop.start()]
        if begun.count("$") % 2 == 0 and begun.count("(") <= begun.count(")"):
            return begun, text[stop.end() :]
    return text, ""


def _notes(claim: Claim | None) -> list[str]:
    """What is said of a claim beside its statement, in paragraphs; a function of the check shows it as its words."""
    if claim is None or claim.check and (claim.is_general or claim.written is None and claim.relation is None):
        return []  # a paragraph is read here only where its formula is asked for
    return [" ".join(paragraph.split()) for paragraph in with_signs(claim.notes).split("\n\n") if paragraph.strip()]


def _how(check: Callable[..., Any]) -> dict[str, str]:
    return {
        "name": f"{check.__module__}:{check.__name__}".removeprefix("banditproof."),
        "words": inspect.getdoc(check) or "",
    }


def rerun(claim_id: str, settings: Settings, modules: Sequence[str] = ()) -> str:
    """The command that repeats the check of one claim with the same numbers."""
    words = ["banditproof", "check", *(w for m in modules for w in ("--module", m)), "--claim", claim_id]
    words += ["--profile", settings.profile] if settings.profile != "quick" else []
    return shlex.join(words + (["--seed", str(settings.root_seed)] if settings.root_seed != ROOT_SEED else []))
