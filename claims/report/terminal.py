"""The report on the terminal: one line per item, the refuted claims in full, and the counts."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from banditproof.claims.register import REGISTER
from banditproof.claims.report.answers import findings_of
from banditproof.claims.report.evidence import shorter_numbers
from banditproof.claims.report.findings import GRAVE, SEVERITIES, Finding, how_sure, one_line, relation
from banditproof.claims.report.plain import plain
from banditproof.claims.report.telling import (
    Told,
    answer_in_words,
    heading,
    how_sure_it_is,
    lines_around,
    lines_of,
    told,
)
from banditproof.claims.run.results import CERTAINTIES, missed_variants, shown_verdict, strongest_method
from banditproof.claims.verdict import MODEL, NAMED, TRIVIAL, VERDICTS

if TYPE_CHECKING:
    from banditproof.claims.report.comparing import Comparison

COLOURS = {
    "proved": "green",
    TRIVIAL: "cyan",
    NAMED: "green",
    MODEL: "green",
    "supported": "cyan",
    "reproduced": "cyan",
    "refuted": "red",
    "not reproduced": "magenta",
    "undecided": "yellow",
    "not checkable": "dim",
    "error": "bold red",
}


def print_report(results: Mapping[str, Any], form: str = "terminal") -> None:
    """Print the table of items ("terminal"), what a reader must not miss ("summary"), or checks that fail ("counts").

    All end with the counts.
    """
    from rich.console import Console

    console = Console(soft_wrap=False)
    if form == "terminal":
        console.print(_table(results))
    for record in results["claims"]:
        if record["status"] == "error":
            print(error_line(record))
        elif record["own_verdict"] == "undecided":
            print(printable(f"undecided: {record['id']}: {record['reach']}", 300))
        for name in missed_variants(record):
            print(printable(f"false variant not refuted: {record['id']}: {name}", 200))
    if form == "counts":
        print(counts_line(results))
        return
    listed = findings_of(results)
    graver = [f for f in listed if f.severity in GRAVE]
    if graver or not listed:
        print_summary(graver, told(graver, results["claims"], REGISTER))
    if lesser := Counter(f.severity for f in listed if f not in graver):
        counted = ", ".join(f"{lesser[s]} {s} ({SEVERITIES[s]})" for s in sorted(lesser))
        print(f"less serious: {counted}; 'findings' shows them with --severity {min(lesser)}")
    print(counts_line(results))
    if listed:
        print(relation(results["claims"], listed))
    for line, _ in uncovered(results["run"]["catalogue"]):
        console.print(f"{line} (banditproof list --uncovered names them)", soft_wrap=True, highlight=False)


def lines_of_comparison(comparison: Comparison, old: str) -> Iterator[str]:
    """What newer results say against older ones, in a few lines; last in one line whether something is lost."""
    for what in comparison.runs_differ:
        yield printable(f"the runs differ: {what}")
    told = {
        "lost": comparison.lost,
        "gained": comparison.gained,
        "changed": comparison.changed,
        "gone": comparison.gone,
        "same verdict, changed claim": comparison.restated,
        "new finding": comparison.new_findings,
        "finding gone": comparison.gone_findings,
        "finding of another severity": comparison.regraded_findings,
    }
    for name, changes in told.items():
        most = len(changes) if name == "lost" else LISTED
        yield from (printable(f"{name}: {change}", 300) for change in changes[:most])
        if len(changes) > most:
            yield f"{name}: and {len(changes) - most} more"
    if comparison.new:
        yield printable(f"new claims: {', '.join(f'{count} {verdict}' for verdict, count in comparison.new.items())}")
    for paper, count in comparison.not_asked.items():
        yield printable(f"not compared: {count} claims of {paper}, which this run did not cover")
    changed = (*comparison.changed, *comparison.gone)
    counted = [("lost", comparison.lost), ("gained", comparison.gained), ("changed", changed)]
    said = ", ".join(f"{len(changes)} {name}" for name, changes in counted)
    findings = f"findings: {len(comparison.new_findings)} new, {len(comparison.gone_findings)} gone"
    yield printable(f"compared with {old}: {said}; {findings}")


LISTED = 20  # changes of one kind that lose nothing


def error_line(record: Mapping[str, Any]) -> str:
    """A check that raised, in a line: what and where."""
    *_, last = record["reach"].strip().splitlines()
    return printable(f"error in {record['id']}: {last}", 300)


def _table(results: Mapping[str, Any]) -> Any:
    """A row for every item, and for every claim under one that was not looked at."""
    from rich.table import Table

    table = Table("claim", "verdict", "method", "reach", title="Items of the papers (the page shows more claims)")
    looked_at = {r["id"] for r in results["claims"]}
    for record in (r for r in results["claims"] if r["parent"] not in looked_at):  # items, and claims asked for by name
        verdict = shown_verdict(record)
        colour = COLOURS[verdict.partition(" (")[0]]
        reach = _escaped(shorter_numbers(record["reach"]), 90)
        table.add_row(record["id"], f"[{colour}]{verdict}[/]", strongest_method(record) or "", reach)
    return table


def print_findings(findings: Sequence[Finding], told: Mapping[str, Told]) -> None:
    """Every finding with all that is said of it, by document; first what the grades mean."""
    _print_legend(findings)
    for paper in dict.fromkeys(f.paper for f in findings):
        own = [f for f in findings if f.paper == paper]
        print(_graded(paper, own))
        for finding in own:
            kind = f" ({finding.what})" if finding.what else ""
            title = " ".join(
                (f"{finding.severity} {finding.certainty} {', '.join(finding.items)}{kind}", *finding.titles[:1])
            )
            _print_wrapped(f"  {_line(title)}", "bold red" if finding.severity in GRAVE else "bold")
            for failure in finding.told:
                print(f"    {_line(f'{heading(failure)}. {failure.fails}: {failure.statement}')}")
                for name, text in lines_of(failure, told.get(failure.claim)):
                    print(f"      {_line(f'{name}: {text}')}")
            for name, text in lines_around(finding):
                print(f"    {name}: {printable(text) if text == finding.command else _line(text)}")
    if not findings:
        print("no findings")


def print_summary(findings: Sequence[Finding], told: Mapping[str, Told], most: int = 20) -> None:
    """A line for every finding, by document, at most so many of one, and what leads it in brief."""
    _print_legend(findings)
    for paper in dict.fromkeys(f.paper for f in findings):
        own = [f for f in findings if f.paper == paper]
        print(_graded(paper, own))
        room = len(own) if len(own) < most else most - 2  # besides the first line and the last
        for finding in own[:room]:
            _print_wrapped(
                f"  {printable(one_line(finding), 1000)}", "bold red" if finding.severity in GRAVE else "bold"
            )
            worst = finding.failures[0]
            said = told.get(worst.claim, Told(""))
            lines = {"why": said.why, "counterexample": said.counterexample}
            lines |= {"how sure": how_sure_it_is(worst)} if worst.caveat else {}
            answers = [("answer", answer_in_words(answer)) for answer in finding.answers]
            for name, text in (*lines.items(), *answers):
                if text:
                    print(f"      {name}: {_line(text)}")
        if len(own) > room:
            print(f"  and {len(own) - room} more: banditproof findings --paper {paper}")
    if not findings:
        print("no findings")


def _print_legend(listed: Sequence[Finding]) -> None:
    for severity in (s for s in SEVERITIES if any(f.severity == s for f in listed)):
        print(f"{severity}: {SEVERITIES[severity]}")
    for certainty in (c for c in CERTAINTIES if any(c in f.certainties for f in listed)):
        print(f"{certainty}: {CERTAINTIES[certainty]}")


def _graded(paper: str, own: Sequence[Finding]) -> str:
    """'rdp: 4 B, 2 C (6 certified)'."""
    counted = Counter(f.severity for f in own)
    return f"{paper}: {', '.join(f'{counted[s]} {s}' for s in SEVERITIES if counted[s])} ({how_sure(own)})"


def _line(text: str) -> str:
    return printable(plain(text))


def _print_wrapped(line: str, look: str) -> None:
    """A line as it is, on a terminal cut between words, and with the look for its first one, the severity."""
    if not sys.stdout.isatty():
        print(line)
        return
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    severity, _, rest = line.strip().partition(" ")
    Console(highlight=False).print(Padding(Text.assemble((severity, look), f" {rest}"), (0, 0, 0, 2), expand=False))


def uncovered(coverage: Mapping[str, Any]) -> list[tuple[str, Mapping[str, str]]]:
    """Per document with items that no claim checks yet: a line that counts them, and their titles by id."""
    return [
        (f"{paper}: {len(counts['without claim'])} of {counts['items']} catalogued items have no claim yet", items)
        for paper, counts in coverage.items()
        if (items := counts["without claim"])
    ]


def counts_line(results: Mapping[str, Any]) -> str:
    """Verdicts of the items, of the claims under them, and the mutations, in one line."""
    counts = results["run"]["counts"]

    def tally(counted: Mapping[str, int]) -> str:
        return ", ".join(f"{counted[v]} {v}" for v in (*VERDICTS, "error") if counted.get(v)) or "none"

    mutations, checks, apart = counts["mutations"], counts["checks"], "definitions and reference facts"
    again = checks.get("the same under another id")
    shared = f" ({again} more claim{'s share' if again > 1 else ' shares'} one of them)" if again else ""
    return (
        f"items: {tally(counts['items'])} | {apart}: {tally(counts[apart])} | "
        f"claims under them: {tally(counts['claims under items'])} | "
        f"refutations: {_each(counts['refutations'])} | "
        f"checks: {checks.get('of their own', 0)}{shared} | "
        f"false variants caught: {mutations['caught']} of {mutations['tried']} | {results['run']['seconds']:.0f} s"
    )


def _each(counted: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in counted.items() if number) or "none"


def print_selftest(records: Sequence[Mapping[str, Any]], quiet: bool = False) -> None:
    """Every mutation with its fate, where it is `quiet` those that were missed; and every check that raised."""
    for record in records:
        if record["status"] == "error":
            print(error_line(record))
    tried = [(r["id"], m) for r in records for m in r["mutations"]]
    for claim_id, m in tried:
        if not (quiet and m["caught"]):
            print(f"{'caught' if m['caught'] else 'MISSED':7} {claim_id}: {m['name']}")
        if not m["caught"]:
            print(f"        {m['how']}", file=sys.stderr)
    missed = sum(not m["caught"] for _, m in tried)
    claims = len({claim_id for claim_id, _ in tried})
    print(f"{len(tried)} false variants of {claims} claims: {len(tried) - missed} caught, {missed} missed")


def printable(text: str, length: int | None = None) -> str:
    """Text of a file on one line of a terminal: no character of it moves the cursor or changes what stands there.

    With a `length` it is cut there.
    """
    text = text if length is None else text[: 2 * length]
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in " ".join(text.split()))
    return line if length is None or len(line) <= length else line[: length - 1] + "…"


def _escaped(text: str, length: int) -> str:
    from rich.markup import escape

    return escape(printable(text, length))
