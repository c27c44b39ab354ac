"""The report as JUnit XML (for CI) and as Markdown (for reading in a repository)."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from banditproof.claims.missing import MISSING, census, in_a_line, of_numbers, over_numbers
from banditproof.claims.register import Claim
from banditproof.claims.report.answers import findings_of
from banditproof.claims.report.errata import as_markdown
from banditproof.claims.report.findings import SEVERITIES, relation
from banditproof.claims.report.printed.passages import Passage
from banditproof.claims.report.telling import told
from banditproof.claims.report.terminal import counts_line, uncovered
from banditproof.claims.run.results import failing, shown_verdict, strongest_method
from banditproof.claims.verdict import REFUTED

NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(results: Mapping[str, Any]) -> bytes:
    """JUnit XML: what is refuted fails as for ``--fail-on refuted``, checks that raised are errors, what is open is
    skipped. What fails under an item (a step, a reading) is told in the output of its case."""
    suites = ElementTree.Element("testsuites", name="banditproof")
    failed = {c["id"] for c in failing(results, ["refuted"])}
    for paper in dict.fromkeys(c["paper"] for c in results["claims"]):
        claims = [c for c in results["claims"] if c["paper"] == paper]
        suite = ElementTree.SubElement(
            suites,
            "testsuite",
            name=paper,
            tests=str(len(claims)),
            time=f"{sum(c['seconds'] for c in claims):.3f}",
            failures=str(sum(c["id"] in failed for c in claims)),
            errors=str(sum(c["status"] == "error" for c in claims)),
            skipped=str(sum(_skipped(c) for c in claims)),
        )
        for claim in claims:
            case = ElementTree.SubElement(
                suite, "testcase", classname=paper, name=claim["id"], time=f"{claim['seconds']:.3f}"
            )
            if claim["status"] == "error":
                ElementTree.SubElement(case, "error", message=claim["reach"].strip().splitlines()[-1]).text = claim[
                    "reach"
                ]
            elif claim["id"] in failed:
                ElementTree.SubElement(case, "failure", message=claim["reach"]).text = claim["statement"]
            elif _skipped(claim):
                ElementTree.SubElement(case, "skipped", message=f"{claim['verdict'] or 'undecided'}: {claim['reach']}")
            elif claim["verdict"] in REFUTED:
                ElementTree.SubElement(case, "system-out").text = f"{claim['verdict']}: {claim['reach']}"
    text = ElementTree.tostring(suites, encoding="unicode")
    return f"<?xml version='1.0' encoding='utf-8'?>\n{NO_XML.sub(_escaped, text)}".encode()


def _escaped(character: re.Match[str]) -> str:
    """The name of a character that XML has no place for, as Python writes it."""
    return ascii(character[0])[1:-1]


def _skipped(claim: Mapping[str, Any]) -> bool:
    return claim["status"] != "error" and claim["verdict"] in ("undecided", "not checkable", None)


def markdown(
    results: Mapping[str, Any], registered: Sequence[Claim], passages: Mapping[str, Passage] | None = None
) -> str:
    """Every item with the claims under it, its verdict, method and reach; what needs attention first."""
    claims = results["claims"]
    lines = ["# banditproof report", "", counts_line(results), "", f"`{results['run']['command']}`", ""]
    for line, titles in uncovered(results["run"]["catalogue"]):
        lines += [f"<details><summary>{line}</summary>", ""]
        lines += [f"- **{item}** {_cell(title)}" for item, title in titles.items()]
        lines += ["", "</details>", ""]
    listed = findings_of(results)
    lines += ["## Findings", "", *(f"- {s}: {meaning}" for s, meaning in SEVERITIES.items()), ""]
    lines += [relation(claims, listed), ""] if listed else []
    sections = as_markdown(listed, told(listed, claims, {c.id: c for c in registered}), passages)
    lines += [sections.replace("\n# ", "\n### ").replace("\n## ", "\n#### "), ""]
    lines += ["## All claims", "", "| claim | role | verdict | method | reach | seconds |", "|---|---|---|---|---|---|"]
    for item in (c for c in claims if c["role"] == "item"):
        for c in (item, *(b for b in claims if b["parent"] == item["id"])):
            cells = (
                c["id"],
                c["role"],
                shown_verdict(c),
                strongest_method(c) or "",
                _cell(c["reach"]),
                str(c["seconds"]),
            )
            lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "## Why the supported items are not proved", ""]
    lines += ["| items | of these, with no other reason | reason |", "|---|---|---|"]
    lines += [f"| {some} | {alone} | {MISSING[what].format('…')} |" for what, some, alone in census(claims)]
    lines += ["", "## Claims over numbers", "", *_over_numbers(claims)]
    lines += ["", "## False variants", "", "| claim | false variant | caught |", "|---|---|---|"]
    for c in claims:
        for m in c["mutations"]:
            lines.append(f"| {c['id']} | {_cell(m['name'])} | {'yes' if m['caught'] else 'NO'} |")
    return "\n".join(lines) + "\n"


def _over_numbers(claims: Sequence[Mapping[str, Any]]) -> list[str]:
    """How claims whose variables are numbers come out, and what each that is not decided lacks."""
    verdicts = Counter(str(c["verdict"]) for c in claims if over_numbers(c))
    lines = [f"Verdicts: {', '.join(f'{n} {verdict}' for verdict, n in verdicts.most_common()) or 'none'}."]
    for word, lacking in of_numbers(claims).items():
        lines += ["", f"<details><summary>{len(lacking)}: {MISSING[word].format('…')}</summary>", ""]
        lines += [f"- **{c['id']}** ({c['role']}) {_cell(in_a_line(c))}" for c in lacking]
        lines += ["", "</details>"]
    return lines


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
