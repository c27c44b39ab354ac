"""Writing the reports of a run in the formats asked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from banditproof.algorithms.run.checkpoints import write_atomically
from banditproof.claims.register import Claim
from banditproof.claims.report.printed.passages import Passage
from banditproof.claims.run.examine import Settings

PRINTED = ("terminal", "summary", "counts")
OURS = {
    "*.html": b'<meta name="generator" content="banditproof">',
    "*/*.html": b'<meta name="generator" content="banditproof">',
    "junit.xml": b'<testsuites name="banditproof">',
    "report.md": b"# banditproof report",
}


def write_reports(
    results: Mapping[str, Any],
    claims: Sequence[Claim],
    settings: Settings,
    output: Path,
    formats: Sequence[str],
    passages: Mapping[str, Passage] | None = None,
) -> set[str]:
    """Write the pages, junit.xml and report.md into the output folder, as asked; returns the files.

    "terminal" prints the table of claims and the summary, "summary" the summary and "counts" its last line, also where
    a file cannot be written. `passages` are what a user's copy prints for an item.
    """
    written: set[str] = set()
    with ExitStack() as at_last:
        if printed := [form for form in PRINTED if form in formats]:
            from banditproof.claims.report.terminal import print_report

            at_last.callback(print_report, results, printed[0])
        if "html" in formats:
            from banditproof.claims.report.html_page import pages

            for name, text in pages(results, claims, settings, passages).items():
                (output / name).parent.mkdir(exist_ok=True)
                write_atomically(output / name, text.encode())
                written.add(name)
        if "junit" in formats:
            from banditproof.claims.report.text import junit

            write_atomically(output / "junit.xml", junit(results))
            written.add("junit.xml")
        if "markdown" in formats:
            from banditproof.claims.report.text import markdown

            write_atomically(output / "report.md", markdown(results, claims, passages).encode())
            written.add("report.md")
    return written


def remove_older(output: Path, written: Collection[str]) -> None:
    """Remove the files of an earlier report that were not written again; every one says in its head that it is ours."""
    for pattern, ours in OURS.items():
        for path in output.glob(pattern):
            if path.relative_to(output).as_posix() not in written and ours in path.read_bytes()[:1000]:
                path.unlink()
                if path.parent != output and not any(path.parent.iterdir()):
                    path.parent.rmdir()
