"""The report as one page that needs nothing else: no network, no fonts, no second file.

The page is ``report.html.j2`` with ``report.css`` and ``report.js`` inside; here its contents are put together.
Whatever comes from a claim is escaped: claims may come from modules that others wrote.
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
from banditproof.claims.run.results import shortfall, strongest_method, weaker_than_feasible
from banditproof.claims.seeds import ROOT_SEED
from banditproof.claims.verdict import VERDICTS
from banditproof.theory.errors import InvalidInput

TITLES = {
    "bernoulli-dp": "Optimal Regret of Bernoulli Bandits under Global Differential Privacy",
    "thesis": "Privacy-Utility Trade-offs in Sequential Decision-Making under Uncertainty",
    "zcdp": "Concentrated Differential Privacy for Bandits",
    "rdp": "Rényi Differentially Private Bandits",
    "adversarial": "Faster Rates for Private Adversarial Bandits",
    "outside": "Claims from outside",
}

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


def page(results: Mapping[str, Any], claims: Sequence[Claim], settings: Settings) -> str:
    """The page as one string of HTML.

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
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    records = results["claims"]
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {
        "formulas": lambda text: Markup(statement(text)),
        "linked": lambda text: Markup(linked(text, {r["id"] for r in records})),
    }
    figures = [(f, Markup(drawn(f, settings))) for f in drawable({r["id"] for r in records}, settings)]
    return environment.from_string(_source("report.html.j2")).render(
        style=Markup(_source("report.css")), script=Markup(_source("report.js")), run=results["run"], signs=SIGNS,
        meanings=MEANINGS, verdicts=(*VERDICTS, "error"), titles=TITLES, figures=figures,
        items=cards(results, claims, settings, [f for f, _ in figures]), **overview(results),
    )  # fmt: skip


def _source(name: str) -> str:
    return files("banditproof.claims.report").joinpath(name).read_text(encoding="utf-8")


# ------------------------------------------------------------------------------------------------------------ overview


def overview(results: Mapping[str, Any]) -> dict[str, Any]:
    """What stands around the claims: counts, findings, errors, mutations, weaker methods, what can be filtered."""
    records = results["claims"]
    counts = results["run"]["counts"]
    groups = ("items", "claims under items", "oracles and definitions")
    per_method = counts["verdicts per method"]
    methods = [m for m in METHODS if m in per_method] + [m for m in per_method if m not in METHODS]
    return {
        "papers": list(dict.fromkeys(r["paper"] for r in records)),
        "roles": [role for role in ROLES if any(r["role"] == role for r in records)],
        "present": Counter(_verdict(r) for r in records),
        "tallies": [(name, Counter(counts[name])) for name in groups],
        "methods": [(m, Counter(per_method[m])) for m in methods],
        "findings": findings(records),
        "severities": SEVERITIES,
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


def linked(text: str, ids: set[str]) -> str:
    """Escaped text in which the ids of claims on the page are links, and numbers and variables are readable."""
    from markupsafe import escape

    def link(word: str) -> str:
        core = word.rstrip(".,:;")
        if core in ids:
            return f'<a href="#{escape(core)}">{escape(core)}</a>{word[len(core) :]}'
        return str(escape(number(core) if FRACTION.fullmatch(core) else in_symbols(core))) + word[len(core) :]

    return "".join(link(word) for word in re.split(r"([\w./+-]+)", text))
