"""``banditproof locate``: where the items of a document stand in the user's copy, and fingerprints for one's own."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from banditproof.cli.documents import say_what_is_missing
from banditproof.cli.statuses import Status

if TYPE_CHECKING:
    from banditproof.claims.documents import Document
    from banditproof.claims.report.printed.locating import Located

TextOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--text",
        metavar="<file>",
        help="Your copy of a paper, .pdf, .tex or .txt, to show its printed passages (repeatable).",
    ),
]


def locate(
    copy: Annotated[Path, typer.Argument(metavar="PAPER", help="Your copy of the paper: .pdf, .tex or .txt.")],
    paper: Annotated[
        str | None, typer.Option("--paper", metavar="<name>", help="Name of the document; by default it is recognised.")
    ] = None,
    make: Annotated[
        list[Path] | None,
        typer.Option(
            "--make",
            metavar="<file>",
            help="Make fingerprints from lines 'ID<TAB>start-end,...' that give places in the text PAPER (repeatable).",
        ),
    ] = None,
    into: Annotated[
        Path | None, typer.Option("--into", help="With --make: the file to which the fingerprints are added.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Find the items of a document in your own copy of it.

    Print the page or line of every item, the words that differ, and the items that are missing.

    Only words are compared, not formulas and numbers. The exit status is 0 if all items read as catalogued, 1 if some
    do not, and 2 if the copy cannot be read or belongs to no known document. With --make, write the fingerprints of
    your own document instead.
    """
    if make:
        return _make(copy, make, into)
    from banditproof.claims.report.printed.copies import read_copy
    from banditproof.claims.report.printed.locating import Index, locate, recognised

    read = read_copy(copy)
    say_what_is_missing(read.missing)
    index = Index(read)
    document = recognised(index, paper)
    located = locate(document, index)
    if as_json:
        from banditproof.cli.documents import print_document

        print_document({"paper": document.name, "copy": str(copy), "items": [item.to_json() for item in located]})
    else:
        _print_located(document, located)
    return Status.VIOLATION if any(item.state != "found" for item in located) else Status.OK


def _print_located(document: Document, located: list[Located]) -> None:
    """What is there, what reads differently and what is not there, and how many of each."""
    from banditproof.claims.report.plain import plain
    from banditproof.claims.report.terminal import printable

    items = {item.id: item for item in document.items()}
    for state, heading in HEADINGS.items():
        listed = [one for one in located if one.state == state]
        if listed:
            print(f"{heading}:")
        for one in listed:
            item = items[one.item]
            name = item.number or plain(item.title)
            where = f"{printable(one.place, 60):<12} " if one.place else ""
            print(f"  {one.item:<16} {where}{printable(name, 100)}")
            if one.altered:
                there = f"{one.share:.0%} of its words were found"
                print(f"      {printable('; '.join([there, *one.altered[:3]]), 400)}")
    counts = Counter(one.state for one in located)
    without = len(items) - len(located)
    said = [f"{counts[state]} {state}" for state in HEADINGS]
    print(
        f"{document.name}, {len(located)} items: {', '.join(said)}"
        + (f"; {without} have no fingerprints" * bool(without))
    )


HEADINGS = {"found": "found, as catalogued", "differs": "found, but reads differently", "not found": "not found"}


def _make(text: Path, spans: list[Path], into: Path | None) -> int:
    """Write the fingerprints of the spans into a file, where other rows stay, or print them."""
    from banditproof.algorithms.run.checkpoints import write_atomically
    from banditproof.claims.report.printed.copies import read_text
    from banditproof.claims.report.printed.fingerprints import fingerprints_of, read_fingerprints, read_spans, written
    from banditproof.theory.errors import InvalidInput

    if text.suffix.lower() == ".pdf":
        raise InvalidInput(
            "text", str(text), "a text file, because offsets count its characters (pdftotext converts a PDF)"
        )
    content = read_text(text)
    places = {}
    for path in spans:
        places |= read_spans(read_text(path).splitlines(), len(content))
    made = fingerprints_of(content, places)
    without = [item for item, own in made.items() if not own]
    if without:
        print(f"too few words in and around: {', '.join(without)}", file=sys.stderr)
    rows = {item: own for item, own in made.items() if own}
    if into is None:
        print(written(rows), end="")
        return 0
    kept = read_fingerprints(into) if into.is_file() else {}
    write_atomically(into, written({**kept, **rows}).encode())
    print(f"{into}: {len(rows)} rows written, {len({**kept, **rows})} in it")
    return 0
