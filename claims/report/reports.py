"""Writing the reports of a run in the formats asked for; what stands there already is not written again."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Any

from banditproof.algorithms.run.checkpoints import write_atomically
from banditproof.claims.fingerprint import digest, installation
from banditproof.claims.register import Claim
from banditproof.claims.report.printed.passages import Passage
from banditproof.claims.run.record import Settings

PRINTED = ("terminal", "summary", "counts")
STAMP = ".shown.json"
LAYOUT = (".j2", ".css", ".js")
OF_A_RECORD = ("id", "key", "seconds", "status", "verdict", "own_verdict", "reach", "repair", "mutations")
OURS = {
    "*.html": b'<meta name="generator" content="banditproof">',
    "*/*.html": b'<meta name="generator" content="banditproof">',
    "receipts/*.py": b'"""Checks what a receipt says',
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
    with ExitStack() as at_last:
        if printed := [form for form in PRINTED if form in formats]:
            from banditproof.claims.report.terminal import print_report

            at_last.callback(print_report, results, printed[0])
        wanted = [form for form in formats if form not in PRINTED]
        shown = _what_is_shown(results, settings, wanted, passages)
        if (standing := _standing(output, shown)) is not None:
            return standing
        sizes: dict[str, int] = {}
        for name, content in _contents(results, claims, settings, wanted, passages):
            if "/" in name:
                (output / name).parent.mkdir(exist_ok=True)
            write_atomically(output / name, content)
            sizes[name] = len(content)
        if sizes:
            write_atomically(output / STAMP, json.dumps({"shown": shown, "sizes": sizes}).encode())
    return set(sizes)


def _contents(
    results: Mapping[str, Any],
    claims: Sequence[Claim],
    settings: Settings,
    formats: Sequence[str],
    passages: Mapping[str, Passage] | None,
) -> Iterator[tuple[str, bytes]]:
    if "html" in formats:
        from banditproof.claims.report.html_page import pages
        from banditproof.claims.report.receipts import receipts

        for name, text in [*pages(results, claims, settings, passages).items(), *receipts(results["claims"]).values()]:
            yield name, text.encode()
    if "junit" in formats:
        from banditproof.claims.report.text import junit

        yield "junit.xml", junit(results)
    if "markdown" in formats:
        from banditproof.claims.report.text import markdown

        yield "report.md", markdown(results, claims, passages).encode()


def _what_is_shown(
    results: Mapping[str, Any], settings: Settings, formats: Sequence[str], passages: Mapping[str, Passage] | None
) -> str:
    """A hash of all that the files depend on, but for when and by which command the run was made."""
    run = {name: value for name, value in results["run"].items() if name not in ("command", "finished", "seconds")}
    records = [[r.get(name) for name in OF_A_RECORD] for r in results["claims"]]
    own = files("banditproof.claims.report").iterdir()
    layout = sorted((f.name, f.read_text(encoding="utf-8")) for f in own if f.name.endswith(LAYOUT))
    shown = {name: asdict(passage) for name, passage in (passages or {}).items()}
    answers = [asdict(one) for one in results.get("answers", ())]
    return digest([run, records, formats, shown, answers, str(settings), layout, installation()])


def _standing(output: Path, shown: str) -> set[str] | None:
    """The files of an earlier run that show the same; None unless all of them are there as they were written."""
    try:
        stamp = json.loads((output / STAMP).read_bytes())
        whole = all((output / name).stat().st_size == size for name, size in stamp["sizes"].items())
        return set(stamp["sizes"]) if whole and stamp["shown"] == shown else None
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def remove_older(output: Path, written: Collection[str]) -> None:
    """Remove the files of an earlier report that were not written again; every one says in its head that it is ours."""
    for pattern, ours in OURS.items():
        for path in output.glob(pattern):
            if path.relative_to(output).as_posix() not in written and ours in path.read_bytes()[:1000]:
                path.unlink()
                if path.parent != output and not any(path.parent.iterdir()):
                    path.parent.rmdir()
