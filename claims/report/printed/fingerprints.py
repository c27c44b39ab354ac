"""Fingerprints of printed sentences: hashes of their words in runs of four, no text.

A file of fingerprints has a row for each item: its id, and its spans, the pieces of text that state it. A span is
written ``20:hashes``, or ``8+0+8:hashes`` where it has little prose (a displayed formula) and the words around it are
hashed as well, by which it is found: so many before it, in it and behind it. The hashes stand at equal distances from
the first run of words to the last.
"""

from __future__ import annotations

import csv
import io
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b

from banditproof.claims.documents import Document, Readable
from banditproof.claims.report.printed.words import Word, words
from banditproof.theory.errors import InvalidInput

RUN = 4  # words that are hashed together
MOST = 32  # hashes of an item
FEWEST_WORDS = 16  # of a span; the words around one that has fewer are hashed as well
COLUMNS = ("id", "spans")

_SPAN = re.compile(r"(?:(\d+)\+(\d+)\+(\d+)|(\d+)):((?:[\w-]{6})+)", re.ASCII)


@dataclass(frozen=True)
class Span:
    """A piece of printed text: so many words before it, in it and behind it, and the hashes of their runs by place."""

    before: int
    inside: int
    behind: int
    hashes: tuple[bytes, ...]

    @property
    def length(self) -> int:
        return self.before + self.inside + self.behind

    @property
    def places(self) -> list[int]:
        """The first word of each run that is hashed, counted from the first word before the span."""
        return _places(self.length, len(self.hashes))

    def __str__(self) -> str:
        around = f"{self.before}+{self.inside}+{self.behind}" if self.before or self.behind else f"{self.inside}"
        return f"{around}:{''.join(urlsafe_b64encode(h)[:6].decode() for h in self.hashes)}"


def _places(length: int, count: int) -> list[int]:
    last = length - RUN
    return [round(k * last / (count - 1)) for k in range(count)] if count > 1 else [0]


def hash_of(run: Sequence[str]) -> bytes:
    """32 bits of the words of a run."""
    return blake2b(" ".join(run).encode(), digest_size=4).digest()


# ---------------------------------------------------------------------------------------------------------------- files


def printed_runs(document: Document) -> dict[str, tuple[Span, ...]]:
    """The fingerprints of a document's items; none where it brings no file of them."""
    if document.fingerprints is None:
        return {}
    rows = read_fingerprints(document.fingerprints)
    return {item.id: rows[item.id] for item in document.items() if item.id in rows}


@cache
def read_fingerprints(file: Readable) -> dict[str, tuple[Span, ...]]:
    """The spans of every item. Raises InvalidInput for what is no table of fingerprints."""
    rows = csv.DictReader(file.read_text(encoding="utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    if not set(COLUMNS) <= set(rows.fieldnames or ()):
        raise InvalidInput("fingerprints", str(file), f"a table with the columns {', '.join(COLUMNS)}")
    return {row["id"]: tuple(_span(row["id"], text) for text in row["spans"].split()) for row in rows}


def _span(item: str, text: str) -> Span:
    match = _SPAN.fullmatch(text)
    if match is None:
        raise InvalidInput("fingerprints", f"{item}: {text}", "words:hashes, or before+in+behind:hashes")
    before, inside, behind = (int(match[k] or 0) for k in (1, 2, 3))
    hashes = tuple(urlsafe_b64decode(match[5][k : k + 6] + "==") for k in range(0, len(match[5]), 6))
    return Span(before, inside or int(match[4] or 0), behind, hashes)


def written(fingerprints: Mapping[str, Sequence[Span]]) -> str:
    """The file of these fingerprints."""
    lines = io.StringIO()
    for row in (COLUMNS, *((item, " ".join(map(str, spans))) for item, spans in fingerprints.items())):
        lines.write("\t".join(row) + "\n")
    return lines.getvalue()


# --------------------------------------------------------------------------------------------------------------- making


def fingerprints_of(text: str, spans: Mapping[str, Sequence[tuple[int, int]]]) -> dict[str, tuple[Span, ...]]:
    """The fingerprints of items whose statements stand at these places of a text, as character offsets."""
    in_order = words(text)
    starts = [word.start for word in in_order]
    return {item: tuple(_spans_of(in_order, starts, ends)) for item, ends in spans.items()}


def _spans_of(in_order: Sequence[Word], starts: Sequence[int], ends: Sequence[tuple[int, int]]) -> Iterator[Span]:
    most = max(1, MOST // len(ends))
    for start, end in ends:
        first, last = bisect_left(starts, start), bisect_left(starts, end)
        lacking = max(0, FEWEST_WORDS - (last - first))
        before = min(first, -(-lacking // 2))
        behind = min(len(in_order) - last, lacking - before)
        run = [word.form for word in in_order[first - before : last + behind]]
        if len(run) >= RUN:
            count = min(most, len(run) - RUN + 1)
            hashes = tuple(hash_of(run[k : k + RUN]) for k in _places(len(run), count))
            yield Span(before, last - first, behind, hashes)


def read_spans(lines: Sequence[str], length: int) -> dict[str, list[tuple[int, int]]]:
    """The places of items in a text of this length: lines 'ID<TAB>start-end,start-end' of character offsets.

    Raises InvalidInput for a line of another form and for offsets outside of the text; empty lines, comments (#) and a
    header are passed over, and so is an item without a place (-).
    """
    spans: dict[str, list[tuple[int, int]]] = {}
    for line in lines:
        item, tab, places = line.partition("\t")
        if not item.strip() or item.startswith("#") or item.strip().lower() == "id":
            continue
        if not tab:
            raise InvalidInput("spans", line, "lines 'ID<TAB>start-end,...'")
        listed = [place.strip() for place in places.partition("\t")[0].split(",")]
        for place in (p for p in listed if p not in ("", "-")):
            match = re.fullmatch(r"(\d+)-(\d+)", place)
            start, end = (int(match[1]), int(match[2])) if match else (0, 0)
            if not 0 <= start < end <= length:
                raise InvalidInput("spans", f"{item}: {place}", f"start-end with 0 <= start < end <= {length}")
            spans.setdefault(item.strip(), []).append((start, end))
    return spans
