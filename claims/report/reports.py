"""Writing the reports of a run in the formats asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from banditproof.algorithms.run.checkpoints import write_atomically
from banditproof.claims.register import Claim
from banditproof.claims.report.printed.passages import Passage
from banditproof.claims.run.examine import Settings


def write_reports(
    results: Mapping[str, Any],
    claims: Sequence[Claim],
    settings: Settings,
    output: Path,
    formats: Sequence[str],
    passages: Mapping[str, Passage] | None = None,
) -> None:
    """Write the pages, junit.xml and report.md into the output folder and print the table, as asked.

    The table is printed also where a file cannot be written. `passages` are what a user's copy prints for an item.
    """
    with ExitStack() as at_last:
        if "terminal" in formats:
            from banditproof.claims.report.terminal import print_report

            at_last.callback(print_report, results)
        if "html" in formats:
            from banditproof.claims.report.html_page import pages

            for name, text in pages(results, claims, settings, passages).items():
                (output / name).parent.mkdir(exist_ok=True)
                write_atomically(output / name, text.encode())
        if "junit" in formats:
            from banditproof.claims.report.text import junit

            write_atomically(output / "junit.xml", junit(results))
        if "markdown" in formats:
            from banditproof.claims.report.text import markdown

            write_atomically(output / "report.md", markdown(results, claims, passages).encode())
