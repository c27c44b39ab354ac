"""The report as pages that need nothing else: no network, no fonts, no other file.

A document has a page of its own, ``report.html.j2`` with ``report.css`` and ``report.js`` inside; several stand behind
an index. Here their contents are put together. Whatever comes from a claim is escaped: claims may come from modules
that others wrote.
"""

from __future__ import annotations

import inspect
import re
import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

from banditproof.claims.documents import catalogue, documents
from banditproof.claims.register import METHODS, ROLES, Claim
from banditproof.claims.report.evidence import (
    FRACTION,
    counterexample,
    domain_in_words,
    in_symbols,
    in_words,
    number,
    pairs,
    shortened,
)
from banditproof.claims.report.figures import Figure, drawable, drawn
from banditproof.claims.report.findings import SEVERITIES, findings
from banditproof.claims.report.mathml import statement
from banditproof.claims.report.terminal import shown_verdict, uncovered
from banditproof.claims.run.examine import Settings
from banditproof.claims.run.results import counted, shortfall, strongest_method, weaker_than_feasible
from banditproof.claims.seeds import ROOT_SEED
from banditproof.claims.verdict import VERDICTS
from banditproof.theory.errors import InvalidInput

SIGNS = {"proved": "✓", "supported": "◐", "refuted": "✗", "undecided": "?", "not checkable": "–", "error": "!"}

MEANINGS = {
    "proved": "symbolic, interval, certificate or enumeration evidence covers the whole printed domain, as computed",
    "supported": "no violation was found by statistics, quadrature, a trend or a proof of a part of the domain",
    "refuted": "a counterexample inside the printed domain, verified in ball or rational arithmetic, or a statistical "
    "violation that repeated on fresh seeds; “repaired” where a corrected statement was found and holds",
    "undecided": "the budget ran out or the evidence speaks neither way",
    "not checkable": "a cited result, an unspecified constant, or no statement",
    "error": "the check raised an exception; this is not a verdict",
}


INDEX = "index.html"


def pages(results: Mapping[str, Any], claims: Sequence[Claim], settings: Settings) -> dict[str, str]:
    """The pages by the name of their file: that of the only document, or one of each document behind an index.

    Args:
        results: the document written to ``results.json``.
        claims: the registered claims of the run (for docstrings of checks and modules).
        settings: of the run; figures are drawn from its studies.

    Raises:
        InvalidInput: when the packages of the extra 'report' are missing.
    """
    missing = [package for package in ("jinja2", "latex2mathml", "matplotlib") if find_spec(package) is None]
    if missing:
        raise InvalidInput(
            "format", "html", f"installed: pip install 'banditproof[report]' ({', '.join(missing)} missing)"
        )
    papers = list(dict.fromkeys(r["paper"] for r in results["claims"]))
    if len(papers) == 1:
        return {INDEX: _page(results, papers[0], {papers[0]: INDEX}, claims, settings)}
    names = {paper: f"{re.sub(r'[^A-Za-z0-9_-]+', '_', paper)}.html" for paper in papers}
    written = {names[paper]: _page(results, paper, names, claims, settings) for paper in papers}
    return {INDEX: _index(results, names)} | written


def _page(
    results: Mapping[str, Any], paper: str, names: Mapping[str, str], claims: Sequence[Claim], settings: Settings
) -> str:
    from markupsafe import Markup

    own = _of_paper(results, paper)
    addresses = {r["id"]: ("" if r["paper"] == paper else names[r["paper"]]) for r in results["claims"]}
    figures = [(f, Markup(drawn(f, settings))) for f in drawable({r["id"] for r in own["claims"]}, settings)]
    chapters = sections(cards(own, claims, settings, [f for f, _ in figures]))
    return _rendered(
        "report.html.j2", addresses, ("scroll.js", "report.js"), run=own["run"], title=title(paper),
        index=INDEX if len(names) > 1 else "", figures=figures, chapters=chapters, **overview(own, results["claims"]),
    )  # fmt: skip


def _index(results: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """What leads to the pages: every document's verdicts, and its findings of the severities A to C."""
    addresses = {r["id"]: names[r["paper"]] for r in results["claims"]}
    documents = []
    for paper, name in names.items():
        view = overview(_of_paper(results, paper), results["claims"])
        graver = [f for f in view["findings"] if f.severity in "ABC"]
        documents.append({"paper": paper, "title": title(paper), "page": name, "graver": graver, **view})
    return _rendered(
        "index.html.j2",
        addresses,
        ("scroll.js",),
        run=results["run"],
        documents=documents,
        **overview(results, results["claims"]),
    )


def _rendered(template: str, addresses: Mapping[str, str], scripts: Sequence[str], **values: Any) -> str:
    """A template filled; `addresses` say for each claim on which page it stands, '' for the page itself."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FunctionLoader(_source), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "formulas": lambda text: Markup(statement(text)),
        "linked": lambda text: Markup(linked(text, addresses)),
        "address": lambda claim_id: f"{addresses.get(claim_id, '')}#{claim_id}",
    }
    words = {"signs": SIGNS, "meanings": MEANINGS, "verdicts": (*VERDICTS, "error"), "severities": SEVERITIES}
    sources = {"style": Markup(_source("report.css")), "script": Markup("".join(map(_source, scripts)))}
    return environment.get_template(template).render(**sources, **words, **values)


def _of_paper(results: Mapping[str, Any], paper: str) -> dict[str, Any]:
    """The results of one document alone, counted anew."""
    own = [r for r in results["claims"] if r["paper"] == paper]
    catalogued = {p: found for p, found in results["run"]["catalogue"].items() if p == paper}
    run = {**results["run"], "counts": counted(own), "catalogue": catalogued}
    return {"run": run, "claims": own}


def title(paper: str) -> str:
    """The title of a document; what no document announces came from a file of claims."""
    known = documents().get(paper)
    return known.title if known else "Claims from outside" if paper == "outside" else paper


def _source(name: str) -> str:
    return files("banditproof.claims.report").joinpath(name).read_text(encoding="utf-8")


# ------------------------------------------------------------------------------------------------------------ overview


def overview(results: Mapping[str, Any], everything: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What stands around the claims: counts, findings, errors, mutations, weaker methods, what can be filtered.

    `everything` are the claims of all documents: a finding names those that rest on it.
    """
    records = results["claims"]
    counts = results["run"]["counts"]
    groups = ("items", "claims under items", "oracles and definitions")
    per_method = counts["verdicts per method"]
    papers = {r["paper"] for r in records}
    found = [f for f in findings(everything) if f.paper in papers]
    methods = [m for m in METHODS if m in per_method] + [m for m in per_method if m not in METHODS]
    return {
        "roles": [role for role in ROLES if any(r["role"] == role for r in records)],
        "present": Counter(_verdict(r) for r in records),
        "tallies": [(name, Counter(counts[name])) for name in groups],
        "methods": [(m, Counter(per_method[m])) for m in methods],
        "findings": found,
        "graded": Counter(f.severity for f in found),
        "refuted": sum(r["own_verdict"] == "refuted" and r["status"] != "error" for r in records),
        "errors": [r for r in records if r["status"] == "error" and r["reach"].startswith("Traceback")],
        "missed": [(r["id"], m) for r in records for m in r["mutations"] if not m["caught"]],
        "resolution": _resolution([m for r in records for m in r["mutations"]]),
        "uncovered": uncovered(results["run"]["catalogue"]),
        "weaker": [{**r, "used": shortfall(r).partition(" instead")[0]} for r in weaker_than_feasible(records)],
    }


def _resolution(mutations: Sequence[Mapping[str, Any]]) -> tuple[int, str] | None:
    """How many mutations are gradual, and the median of the smallest shares of their step that were still caught."""
    steps = sorted(Fraction(m["resolution"]["step"]) for m in mutations if "resolution" in m)
    return (len(steps), number(str(steps[len(steps) // 2]))) if steps else None


def _verdict(record: Mapping[str, Any]) -> str:
    return shown_verdict(record).partition(" (")[0]


# --------------------------------------------------------------------------------------------------------------- cards


def cards(
    results: Mapping[str, Any], claims: Sequence[Claim], settings: Settings, figures: Sequence[Figure]
) -> list[dict[str, Any]]:
    """One card per item with the claims under it; a claim whose item is not part of the run has a card of its own."""
    registered = {c.id: c for c in claims}
    modules = _modules(results["run"]["command"])
    below: dict[str, list[dict[str, Any]]] = {}
    for record in results["claims"]:
        card = _card(record, registered.get(record["id"]), settings, modules, figures)
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
    return [*top, *alone]


def sections(items: Sequence[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    """The cards in the order of the catalogue, under the (sub)sections they are printed in; the others last."""
    printed = catalogue()
    order = {item: k for k, item in enumerate(printed)}
    grouped: dict[str, list[dict[str, Any]]] = {}
    for card in sorted(items, key=lambda card: order.get(card["parent"] or card["id"], len(order))):
        item = printed.get(card["parent"] or card["id"])
        section = "-".join(".".join(item.section.split(".")[:2]).split("-")[:2]) if item else ""
        grouped.setdefault(section, []).append(card)
    return list(grouped.items())


def _card(
    record: Mapping[str, Any],
    claim: Claim | None,
    settings: Settings,
    modules: Sequence[str],
    figures: Sequence[Figure],
) -> dict[str, Any]:
    check = claim.check if claim else None
    outside = record["paper"] == "outside" or bool(check and not check.__module__.startswith("banditproof."))
    return {
        **record, "below": [], "counts": [], "base": _verdict(record), "shown": shown_verdict(record),
        "in_words": domain_in_words(record["domain"]),
        "constants": ", ".join(pairs(record["constants"])),
        "counterexample": record["counterexample"] and counterexample(record["counterexample"]),
        "evidence": [in_words(e) for e in record["evidence"] if e != record["counterexample"]],
        "mutations": [_mutation(m) for m in record["mutations"]], "untried": len(claim.mutations) if claim else 0,
        "method": strongest_method(record), "check": check and _how(check),
        "figures": [f for f in figures if record["id"] in f.claims],
        "rerun": rerun(record["id"], settings, modules if outside else ()),
    }  # fmt: skip


def _mutation(mutation: Mapping[str, Any]) -> dict[str, Any]:
    finest = mutation.get("resolution")
    values = finest["constants"] if finest else {}
    return {
        **mutation,
        "how": shortened(mutation["how"].strip().splitlines()[-1] if mutation["how"].strip() else "", 200),
        "constants": ", ".join(pairs(mutation["constants"])),
        "finest": ", ".join(pairs(values)),
        "step": number(finest["step"]) if finest else "",
    }


def _how(check: Callable[..., Any]) -> dict[str, str]:
    return {
        "name": f"{check.__module__}:{check.__name__}".removeprefix("banditproof."),
        "words": inspect.getdoc(check) or "",
    }


def _modules(command: str) -> list[str]:
    """The files that the run's command named with ``--module``, as options."""
    words = shlex.split(command)
    named = [b for a, b in zip(words, words[1:], strict=False) if a == "--module"]
    return [*named, *(w.partition("=")[2] for w in words if w.startswith("--module="))]


def rerun(claim_id: str, settings: Settings, modules: Sequence[str] = ()) -> str:
    """The command that repeats the check of one claim with the same numbers."""
    words = ["banditproof", "check", *(w for m in modules for w in ("--module", m)), "--claim", claim_id]
    words += ["--profile", settings.profile] if settings.profile != "quick" else []
    return shlex.join(words + (["--seed", str(settings.root_seed)] if settings.root_seed != ROOT_SEED else []))


def linked(text: str, addresses: Mapping[str, str]) -> str:
    """Escaped text in which the ids of claims are links, and numbers and variables are readable.

    `addresses` say for each claim on which page it stands, '' for the page itself.
    """
    from markupsafe import escape

    def link(word: str) -> str:
        core = word.rstrip(".,:;")
        if core in addresses:
            return f'<a href="{addresses[core]}#{escape(core)}">{escape(core)}</a>{word[len(core) :]}'
        return str(escape(number(core) if FRACTION.fullmatch(core) else in_symbols(core))) + word[len(core) :]

    return "".join(link(word) for word in re.split(r"([\w./+-]+)", text))
