"""The report as pages that need nothing else: no network, no fonts, no server.

A document has a page of its own with its findings and its claims; several stand behind an index. Where the claims are
many, their list and their cards, by chapter or section, stand on pages in a folder of the document's name, beside
others with its figures and with the findings that are remarks. Styles and scripts are inside; what the search knows of
the claims is a file beside the index, read when somebody searches. Whatever comes from a claim is escaped: claims may
come from modules that others wrote.
"""

from __future__ import annotations

import json
import posixpath
import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

from banditproof.claims.documents import documents
from banditproof.claims.falling import falling_with, links_of_records
from banditproof.claims.missing import MISSING, census, in_a_line
from banditproof.claims.register import METHODS, ROLES, Claim
from banditproof.claims.report.answers import findings_of
from banditproof.claims.report.cards import cards, chapter, in_full, plain_verdict, printed_in, sections
from banditproof.claims.report.evidence import FRACTION, in_symbols, number, readable, shorter_numbers
from banditproof.claims.report.figures import Figure, drawable, drawn
from banditproof.claims.report.findings import GRAVE, NO_FACTOR, SEVERITIES, Finding, in_short, relation
from banditproof.claims.report.mathml import FORMULA, change, marked, raised, statement
from banditproof.claims.report.plain import by_premise, plain
from banditproof.claims.report.printed.passages import Passage
from banditproof.claims.report.receipts import receipts
from banditproof.claims.report.telling import answer_in_words, lines_around, told
from banditproof.claims.report.terminal import uncovered
from banditproof.claims.resolution import resolved
from banditproof.claims.run.record import Settings
from banditproof.claims.run.results import CERTAINTIES, counted
from banditproof.claims.searching import fields_of, weight_of
from banditproof.claims.verdict import MODEL, NAMED, PROVED, TRIVIAL, VERDICTS
from banditproof.theory.errors import InvalidInput
from banditproof.verify.proof.evidence import KINDS

SIGNS = {
    "proved": "✓",
    TRIVIAL: "○",
    NAMED: "✓",
    MODEL: "✓",
    "supported": "◐",
    "reproduced": "◐",
    "refuted": "✗",
    "not reproduced": "✗",
    "undecided": "?",
    "not checkable": "–",
    "error": "!",
}

MEANINGS = {
    "proved": "a machine-checked proof covers the whole printed domain",
    TRIVIAL: "proved, but without what the statement is about, such as privacy: every constant would do, and the "
    "reading that says something is a claim of its own",
    NAMED: "proved, but the proof starts from textbook theorems, which are named in the formula",
    MODEL: "the same, but for a printed model of an algorithm; recorded runs of the program agree with the model",
    "supported": "the claim was tried, and no violation was found; the card says where and how",
    "refuted": "a counterexample inside the printed domain was verified in ball or rational arithmetic, or runs "
    "violate the claim and did so again with fresh seeds; “repaired”: a corrected statement was found",
    "reproduced": "our own runs show what a figure or an experiment shows; its code and data are not published",
    "not reproduced": "our own runs do not show this; the evidence describes the runs, and they refute nothing",
    "undecided": "the check ran out of time or precision, or its evidence is inconclusive",
    "not checkable": "the claim only cites a result, leaves a constant without a value, or states nothing",
    "error": "the check raised an exception; this is not a verdict",
}


COMMON = ("proved", "supported", "refuted", "undecided", "not checkable")  # columns that every table has
INDEX, CLAIMS = "index.html", "claims.js"
TOGETHER = 100  # claims whose cards stand on one page; more are spread over chapters, and those over sections
LONGEST_IN_A_LINE = 300  # letters of a formula that is set; a longer one is text, which is wrapped
REMARKS = "E"  # the severity of what leaves the pages of long documents

Sections = list[tuple[str, list[dict[str, Any]]]]


def pages(
    results: Mapping[str, Any],
    claims: Sequence[Claim],
    settings: Settings,
    passages: Mapping[str, Passage] | None = None,
) -> dict[str, str]:
    """The pages by the path of their file in the folder of the report.

    Args:
        results: the document written to ``results.json``.
        claims: the registered claims of the run (for docstrings of checks and modules).
        settings: of the run; figures are drawn from its studies.
        passages: what a user's copy prints for an item, by id.

    Raises:
        InvalidInput: when the packages of the extra 'report' are missing.
    """
    missing = [package for package in ("jinja2", "latex2mathml", "matplotlib") if find_spec(package) is None]
    if missing:
        raise InvalidInput(
            "format",
            "html",
            f"one that can be written: pip install 'banditproof[report]' ({', '.join(missing)} missing)",
        )
    papers = list(dict.fromkeys(r["paper"] for r in results["claims"]))
    listed = findings_of(results)
    volumes = [_volume(paper, len(papers) == 1, results, claims, settings, passages or {}) for paper in papers]
    places = {anchor: page for volume in volumes for anchor, page in volume.places()}
    written = {INDEX: _index(results, listed, volumes, places)} if len(volumes) > 1 else {}
    written |= {page: text for volume in volumes for page, text in _pages_of(volume, places, len(volumes) > 1)}
    return written | ({CLAIMS: _to_search(results, claims, places)} if len(written) > 1 else {})


def _to_search(results: Mapping[str, Any], claims: Sequence[Claim], places: Mapping[str, str]) -> str:
    """What the search of the pages knows of each claim, which a page reads as a script: files may read nothing else."""
    known = {claim.id: claim for claim in claims}
    listed = [
        {
            "names": [claim.id, *claim.aliases],
            "verdict": plain_verdict(record),
            "address": f"{places[claim.id]}#{claim.id}",
            "said": textwrap.shorten(plain(claim.shown()), 160, placeholder=" …"),
            "weight": weight_of(claim),
            "fields": [(weight, plain(text)) for weight, text in fields_of(claim) if text],
        }
        for record in results["claims"]
        if (claim := known.get(record["id"])) and claim.id in places
    ]
    return f"window.CLAIMS = {json.dumps(listed, ensure_ascii=False)};\n"


@dataclass(frozen=True)
class Chapter:
    """Sections with their cards, a whole chapter where that is not long, and the page where these stand."""

    name: str
    page: str
    sections: Sections


@dataclass(frozen=True)
class Volume:
    """A document with its pages.

    Attributes:
        paper: its name, and ``title`` its title.
        page: of its findings; the others stand in ``folder``.
        chapters: of the claims; a single one, on the document's page, where that holds all of them.
        figures: with their drawings.
        run: what is said of the run, about this document alone.
        overview: what stands around the claims.
    """

    paper: str
    title: str
    page: str
    folder: str
    chapters: Sequence[Chapter]
    figures: Sequence[tuple[Figure, str]]
    run: Mapping[str, Any]
    overview: Mapping[str, Any]

    @property
    def split(self) -> bool:
        """Whether the cards stand on pages of their own."""
        return self.chapters[0].page != self.page

    def beside(self, name: str) -> str:
        """The page of the list, the figures or the remarks: one of its own where the cards have such."""
        return f"{self.folder}/{name}.html" if self.split else self.page

    def places(self) -> Iterator[tuple[str, str]]:
        """Every anchor that links lead to, with its page."""
        for part in self.chapters:
            for _, listed in part.sections:
                for card in listed:
                    yield from ((c["id"], part.page) for c in (card, *card["below"]))
        yield from ((f"figure-{f.name}", self.beside("figures")) for f, _ in self.figures)


def _volume(
    paper: str,
    alone: bool,
    results: Mapping[str, Any],
    claims: Sequence[Claim],
    settings: Settings,
    passages: Mapping[str, Passage],
) -> Volume:
    from markupsafe import Markup

    own = _of_paper(results, paper)
    folder = _file_name(paper)
    page = INDEX if alone else f"{folder}.html"
    figures = [(f, Markup(drawn(f, settings))) for f in drawable({r["id"] for r in own["claims"]}, settings)]
    printed = sections(cards(own, claims, settings, [f for f, _ in figures]))
    chapters = [Chapter("", page, printed)]
    if len(own["claims"]) > TOGETHER:
        chapters = [Chapter(n, f"{folder}/{_file_name(n or 'other')}.html", listed) for n, listed in _cut(printed)]
    around = overview(own, findings_of(results, paper))
    around["told"] = told(around["findings"], own["claims"], {c.id: c for c in claims})
    around["receipts"] = receipts(own["claims"])
    around["falling"] = falling(paper, results["claims"])
    around["printed"] = {f.items[0]: printed_in(f.items[0]) for f in around["findings"]}
    around["passages"] = passages
    around["identity"] = documents().get(paper)
    return Volume(paper, title(paper), page, folder, chapters, figures, own["run"], around)


def _cut(printed: Sections) -> Iterator[tuple[str, Sections]]:
    """The sections by chapter, one by one where a chapter has many claims, by subsection where a section has."""
    grouped: dict[str, Sections] = {}
    for section, listed in printed:
        grouped.setdefault(chapter(section), []).append((section, listed))
    for name, parts in grouped.items():
        if not _many(parts):
            yield name, parts
            continue
        for section, listed in parts:
            finer = sections(listed, 3) if _many([(section, listed)]) else [(section, listed)]
            yield from ((part, [(part, inside)]) for part, inside in finer)


def _many(parts: Sections) -> bool:
    return sum(1 + len(card["below"]) for _, listed in parts for card in listed) > TOGETHER


def _file_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "_", text)


def _pages_of(volume: Volume, places: Mapping[str, str], indexed: bool) -> Iterator[tuple[str, str]]:
    """The document's page, and those beside it."""
    shared = {"volume": volume, "index": INDEX if indexed else "", "searched": indexed or volume.split}
    shared |= volume.overview
    yield volume.page, _rendered("report.html.j2", volume.page, places, **shared)
    if not volume.split:
        return
    bare: dict[str, Any] = {"sections": [], "listed": False, "remarks": False, "figures": []}
    beside: dict[str, dict[str, Any]] = {"claims": {"heading": "Claims", "listed": True}}
    if volume.overview["graded"][REMARKS]:
        beside["remarks"] = {"heading": "Remarks", "remarks": True}
    if volume.figures:
        beside["figures"] = {"heading": "Figures", "figures": volume.figures}
    shown = {volume.beside(name): values for name, values in beside.items()}
    shown |= {part.page: {"heading": in_full(part.name), "sections": part.sections} for part in volume.chapters}
    for page, values in shown.items():
        yield page, _rendered("part.html.j2", page, places, **shared, **bare | values)


def _index(
    results: Mapping[str, Any], listed: Sequence[Finding], volumes: Sequence[Volume], places: Mapping[str, str]
) -> str:
    """What leads to the pages: every document's verdicts, and its findings of the severities A to C."""
    around = overview(results, listed)
    return _rendered("index.html.j2", INDEX, places, run=results["run"], volumes=volumes, searched=True, **around)


def _rendered(template: str, here: str, places: Mapping[str, str], **values: Any) -> str:
    """A template filled for the page `here`; `places` say for each claim on which page it stands."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined, pass_context
    from markupsafe import Markup, escape

    @cache
    def to(page: str) -> str:
        return "" if page == here else posixpath.relpath(page, posixpath.dirname(here) or ".")

    addresses = {anchor: to(page) for anchor, page in places.items()}
    environment = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=_compiled(),
    )
    environment.filters |= {
        "resolved": resolved,
        "by_premise": by_premise,
        "in_a_line": in_a_line,
        "formulas": lambda text: Markup(statement(text)),
        "readable": readable,
        "change": lambda printed, repaired: Markup(change(printed, repaired)),
        "marked": lambda printed, *others: [Markup(side) for side in marked(printed, *others)],
        "scripts": lambda text: Markup(raised(str(escape(text)))),
        # what differs between pages takes the context, or it would be compiled into the templates
        "linked": pass_context(lambda _, text: Markup(linked(text, addresses))),
        "address": pass_context(lambda _, anchor: f"{addresses.get(anchor, '')}#{anchor}"),
        "to": pass_context(lambda _, page: to(page)),
        "in_full": in_full,
        "verdict": plain_verdict,
        "answered": answer_in_words,
        "in_short": in_short,
    }
    words = {"signs": SIGNS, "meanings": MEANINGS, "verdicts": (*VERDICTS, "error"), "severities": SEVERITIES}
    words["certainties"] = CERTAINTIES
    sources = {name: Markup(_source(name)) for name in ("report.css", "scroll.js", "report.js", "search.js")}
    known = {
        "sources": sources,
        "kinds": KINDS,
        "here": here,
        "root": f"{posixpath.relpath('.', posixpath.dirname(here) or '.')}/",
        "REMARKS": REMARKS,
        "LONGEST_IN_A_LINE": LONGEST_IN_A_LINE,
        "GRAVE": GRAVE,
        "lines_around": lines_around,
        "COMMON": COMMON,
        "NO_FACTOR": NO_FACTOR,
    }
    return environment.get_template(template).render(**known, **words, **values)


@cache
def _compiled() -> Any:
    """The templates of this process, each compiled once: every page has filters of its own, and so an environment."""
    from jinja2 import BytecodeCache

    class Compiled(BytecodeCache):
        def __init__(self) -> None:
            self.known: dict[tuple[str, str], Any] = {}

        def load_bytecode(self, bucket: Any) -> None:
            bucket.code = self.known.get((bucket.key, bucket.checksum))

        def dump_bytecode(self, bucket: Any) -> None:
            self.known[bucket.key, bucket.checksum] = bucket.code

    return Compiled()


def _of_paper(results: Mapping[str, Any], paper: str) -> dict[str, Any]:
    """The results of one document alone, counted anew."""
    own = [r for r in results["claims"] if r["paper"] == paper]
    catalogued = {p: counts for p, counts in results["run"]["catalogue"].items() if p == paper}
    checked_by = results["run"].get("kept", {}).get(paper, {})  # an earlier run, of which the document was kept
    run = {**results["run"], **checked_by, "counts": counted(own), "catalogue": catalogued}
    return {"run": run, "claims": own}


def title(paper: str) -> str:
    """The title of a document; what no document announces came from a file of claims."""
    known = documents().get(paper)
    return known.title if known else "Claims from outside" if paper == "outside" else paper


def _source(name: str) -> str:
    return files("banditproof.claims.report").joinpath(name).read_text(encoding="utf-8")


# ------------------------------------------------------------------------------------------------------------ overview


def overview(results: Mapping[str, Any], findings: Sequence[Finding]) -> dict[str, Any]:
    """What stands around the claims: counts, findings, errors, mutations, weaker methods, what can be filtered."""
    records = results["claims"]
    counts = results["run"]["counts"]
    groups = ("items", "claims under items", "definitions and reference facts")
    per_method = counts["verdicts per method"]
    methods = [m for m in METHODS if m in per_method] + [m for m in per_method if m not in METHODS]
    return {
        "roles": [role for role in ROLES if any(r["role"] == role for r in records)],
        "present": Counter(plain_verdict(r) for r in records),
        "tallies": [(name, Counter(counts[name])) for name in groups],
        "methods": [(m, Counter(per_method[m])) for m in methods],
        "findings": findings,
        "bases": _bases(records),
        "relation": relation(records, findings) if findings else "",
        "graded": Counter(f.severity for f in findings),
        "errors": [r for r in records if r["status"] == "error" and r["reach"].startswith("Traceback")],
        "missed": [(r["id"], m) for r in records for m in r["mutations"] if not m["caught"]],
        "uncovered": uncovered(results["run"]["catalogue"]),
        "blind": [r for r in records if r["resolution"] and r["resolution"]["word"] == "blind"],
        "lacking": [(MISSING[what].format("…"), some, alone) for what, some, alone in census(records)],
    }


def _bases(records: Sequence[Mapping[str, Any]]) -> str:
    """How many claims take something for granted, in a sentence or two."""
    kept = [r for r in records if r["verdict"] in (*PROVED, "supported")]
    words = sum(any(e.get("assumes") for e in r["evidence"]) for r in kept)
    narrow = sum(bool(r["restricted"]) for r in kept)
    others = sum(bool(r["rests_on"]) for r in kept)
    return (
        f"Of the {len(kept)} proved or supported claims, {others} rest on other claims, {words} rest on a "
        f"fact that is only given in words, and {narrow} are checked for a part of what is printed."
    )


def falling(
    paper: str, records: Sequence[Mapping[str, Any]]
) -> list[tuple[Mapping[str, Any], list[Mapping[str, Any]]]]:
    """The claims of a document that others rest on, and of others that it rests on, with those that fall if they do."""
    known = {r["id"]: r for r in records}
    linked = links_of_records(records)
    bases = dict.fromkeys(basis for r in records for basis in r["rests_on"] if basis in known)
    pairs = [(known[basis], [known[i] for i in falling_with(basis, linked) if i in known]) for basis in bases]
    own = [(basis, above) for basis, above in pairs if any(r["paper"] == paper for r in (basis, *above))]
    return sorted(own, key=lambda pair: -len(pair[1]))


# --------------------------------------------------------------------------------------------------------------- links


@cache
def _word(core: str) -> str:
    from markupsafe import escape

    return str(escape(number(core) if FRACTION.fullmatch(core) else in_symbols(core)))


def linked(text: str, addresses: Mapping[str, str]) -> str:
    """Escaped text in which the ids of claims are links, and formulas, numbers and variables are readable.

    `addresses` say for each claim on which page it stands, '' for the page itself.
    """
    from markupsafe import escape

    def link(word: str) -> str:
        core = word.rstrip(".,:;")
        if core in addresses:
            return f'<a href="{addresses[core]}#{escape(core)}">{escape(core)}</a>{word[len(core) :]}'
        return _word(core) + word[len(core) :]

    def words(text: str) -> str:
        pieces = re.split(
            r"([\w./+-]+|[_^][\w.]+)", shorter_numbers(text)
        )  # 'x^2/4': a script is no part of a fraction
        return raised("".join(link(word) for word in pieces))

    pieces, end = "", 0
    for formula in FORMULA.finditer(text):
        pieces, end = f"{pieces}{words(text[end : formula.start()])}{statement(formula[0])}", formula.end()
    return pieces + words(text[end:])
