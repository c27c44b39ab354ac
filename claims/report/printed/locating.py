"""Where the items of a document stand in a copy of it, and which of them read differently there.

An item is where most of its fingerprint's runs of words are found close together. A run that is not found as it stands
is looked for with other words between its own: across the end of a page (figures, footnotes) that is no difference.
Formulas and digits are not compared.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from banditproof.claims.documents import CatalogueItem, Document, documents
from banditproof.claims.report.printed.copies import Copy
from banditproof.claims.report.printed.fingerprints import RUN, Span, hash_of, printed_runs
from banditproof.claims.report.printed.words import Word, words
from banditproof.theory.errors import InvalidInput

ENOUGH = 0.3  # the share of its runs from which a span counts as found, and so many of them
FEWEST_RUNS = 3
RECOGNISED = 0.3  # the share of a document's runs of words that a copy of it has at least
FLOAT = 250  # words of a figure, table or footnote that stand in a sentence where a page ends
NARROW = 12  # words among which the words of a run are looked for one by one
MOST_PLACES = 6  # of a span that are compared
NEAR_A_TIE = 0.1  # places whose shares differ by no more are told apart by number and section


@dataclass(frozen=True)
class Place:
    """Where a span stands in a copy.

    Attributes:
        start: the first character, and ``end`` the one behind the last.
        share: of the runs of words that are there, ``count`` of them.
        altered: what reads differently: the span's words by number, from 1, and the copy's words there.
    """

    start: int
    end: int
    share: float
    count: int
    altered: tuple[str, ...]


@dataclass(frozen=True)
class Located:
    """An item in a copy: 'found', 'differs' or 'not found', its places (one for each span) and the first in words.

    Attributes:
        share: of the runs of words of its fingerprint that are there.
        altered: what reads differently, in words.
    """

    item: str
    state: str
    share: float
    place: str
    places: tuple[Place, ...]
    altered: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """Plain data, without the places' offsets."""
        shown = {"id": self.item, "state": self.state, "place": self.place, "share": round(self.share, 3)}
        return {**shown, "altered": list(self.altered)}


class Index:
    """The words of a copy and where every run of them stands."""

    def __init__(self, copy: Copy) -> None:
        self.copy = copy
        self.words: list[Word] = words(copy.text)
        self.forms = [word.form for word in self.words]
        self.runs: dict[bytes, list[int]] = {}
        for k in range(len(self.forms) - RUN + 1):
            self.runs.setdefault(hash_of(self.forms[k : k + RUN]), []).append(k)

    def candidates(self, span: Span) -> list[list[tuple[int, int]]]:
        """The places where most runs of a span are found close together, best first: (place in the copy, run) each."""
        hits = sorted((q, k) for k, h in enumerate(span.hashes) for q in self.runs.get(h, ()))
        reach = span.length + max(20, span.length // 2)
        windows: list[tuple[int, int, int]] = []
        counted: dict[int, int] = {}
        first = 0
        for last, (q, k) in enumerate(hits):
            counted[k] = counted.get(k, 0) + 1
            while hits[first][0] < q - reach:
                counted[hits[first][1]] -= 1
                first += 1
            windows.append((sum(map(bool, counted.values())), first, last))
        chosen: list[list[tuple[int, int]]] = []
        taken: list[tuple[int, int]] = []
        fewest = max(1.0, max((count for count, *_ in windows), default=0) * (1 - 2 * NEAR_A_TIE))
        for count, first, last in sorted(windows, key=lambda w: (-w[0], hits[w[2]][0] - hits[w[1]][0])):
            low, high = hits[first][0], hits[last][0]
            if count < fewest or len(chosen) == MOST_PLACES:
                break
            if all(high < a or low > b for a, b in taken):
                chosen.append(hits[first : last + 1])
                taken.append((low, high))
        return chosen

    def place(self, span: Span, hits: Sequence[tuple[int, int]]) -> Place:
        """Where a span stands, from the hits of its runs there."""
        where = self._aligned(span, hits)
        for k in range(len(span.hashes)):
            if k not in where:
                run = self._with_words_between(span, k, where)
                if run:
                    where[k] = run
        present = sorted(where)
        first, last = self._ends(span, where)
        altered = tuple(self._altered(span, where))
        return Place(
            self.words[first].start, self.words[last].end, len(present) / len(span.hashes), len(present), altered
        )

    def _aligned(self, span: Span, hits: Sequence[tuple[int, int]]) -> dict[int, tuple[int, ...]]:
        """The words of each run that is there as it stands: of several places the one that fits the others."""
        places = span.places
        shift = median(q - places[k] for q, k in hits)
        best: dict[int, int] = {}
        for q, k in hits:
            if k not in best or abs(q - places[k] - shift) < abs(best[k] - places[k] - shift):
                best[k] = q
        kept: dict[int, tuple[int, ...]] = {}
        for k in sorted(best):  # in their order
            if all(best[k] > w[0] for w in kept.values()):
                kept[k] = tuple(range(best[k], best[k] + RUN))
        return kept

    def _with_words_between(self, span: Span, k: int, where: Mapping[int, tuple[int, ...]]) -> tuple[int, ...] | None:
        """The words of a run, with others between them, between the runs before and behind it."""
        wanted, place = span.hashes[k], span.places[k]
        before = max((j for j in where if j < k), default=None)
        behind = min((j for j in where if j > k), default=None)
        low = _at(span, where, before, place) if before is not None else None
        high = _at(span, where, behind, place + RUN - 1) + 1 if behind is not None else None  # behind its last
        if low is not None:
            for words_ in self._split(range(low, min(len(self.forms), high or low + FLOAT)), False):
                if self._hash(words_) == wanted:
                    return words_
        if high is not None:
            for words_ in self._split(range(max(0, low if low is not None else high - FLOAT), high), True):
                if self._hash(words_) == wanted:
                    return words_
        low = low if low is not None else (high or NARROW) - NARROW
        around = range(max(0, low), min(len(self.forms), high or low + NARROW, low + NARROW))
        return next((w for w in combinations(around, RUN) if self._hash(w) == wanted), None)

    def _hash(self, places: Sequence[int]) -> bytes:
        return hash_of([self.forms[q] for q in places])

    @staticmethod
    def _split(places: range, from_behind: bool) -> Iterator[tuple[int, ...]]:
        """Runs in two pieces: one at the beginning (end) of the places, the other anywhere behind (before) it."""
        for piece in range(1, RUN):
            for k in range(piece, len(places) - (RUN - piece) + 1) if not from_behind else ():
                yield (*places[:piece], *places[k : k + RUN - piece])
            for k in range(len(places) - piece - (RUN - piece), -1, -1) if from_behind else ():
                yield (*places[k : k + RUN - piece], *places[len(places) - piece :])

    def _ends(self, span: Span, where: Mapping[int, tuple[int, ...]]) -> tuple[int, int]:
        """The first and the last word of what is in the span; of a formula, the words on both sides of it."""

        def word(place: int) -> int:
            """The word of the copy at a place of the span, told by the run that is nearest to it."""
            k = min(where, key=lambda j: max(span.places[j] - place, place - span.places[j] - RUN + 1, 0))
            return max(0, min(len(self.words) - 1, _at(span, where, k, place)))

        if not span.inside:
            return word(max(0, span.before - 1)), word(min(span.length - 1, span.before))
        return word(span.before), word(span.before + span.inside - 1)

    def _altered(self, span: Span, where: Mapping[int, tuple[int, ...]]) -> Iterator[str]:
        """What is not there, and what was put in between, in words; the words around a span do not count."""
        own = range(span.before, span.before + span.inside)
        known = {p + i: where[k][i] for k, p in enumerate(span.places) if k in where for i in range(RUN)}
        gaps = {p + i for k, p in enumerate(span.places) if k not in where for i in range(RUN)}.intersection(own)
        lost = sorted(gaps - set(known))
        told = False
        for low, high in _stretches(lost):
            before = max((known[p] for p in known if p < low), default=None)
            behind = min((known[p] for p in known if p > high), default=None)
            shown = self._words_between(before, behind)
            told = True
            yield f"words {_numbers(low, high, span)}{f': here “{shown}”' if shown else ': not here'}"
        for p in own[:-1]:
            if p in known and p + 1 in known and known[p + 1] > known[p] + 1:
                before, behind = self.words[known[p]], self.words[known[p + 1]]
                told = True
                if not self.copy.crosses_a_page(before.start, behind.end):
                    shown = self._words_between(known[p], known[p + 1])
                    yield f"between words {_numbers(p, p + 1, span)}: here “{shown}”"
        if gaps and not told:
            yield f"words {_numbers(min(gaps), max(gaps), span)}: in another order"

    def _words_between(self, before: int | None, behind: int | None) -> str:
        """The copy's words between two of them; eight at most."""
        if before is None and behind is None:
            return ""
        low = before + 1 if before is not None else max(0, (behind or 0) - 6)
        high = behind if behind is not None else low + 6
        between = self.forms[low:high]
        return " ".join(between[:8]) + (" …" if len(between) > 8 else "")


def _at(span: Span, where: Mapping[int, tuple[int, ...]], k: int, place: int) -> int:
    """The word of a copy at a place of the span, as far as the words of a run that is there tell."""
    first, run = span.places[k], where[k]
    if place < first:
        return run[0] - (first - place)
    return run[place - first] if place < first + RUN else run[-1] + place - (first + RUN - 1)


def _numbers(low: int, high: int, span: Span) -> str:
    """'3 to 6 of 20', counted in the span."""
    first, last = low - span.before + 1, high - span.before + 1
    return f"{first}{f' to {last}' if last > first else ''} of {span.inside}"


def _stretches(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Numbers that follow each other, as first and last."""
    start = previous = None
    for n in numbers:
        if previous is None or n != previous + 1:
            if start is not None and previous is not None:
                yield start, previous
            start = n
        previous = n
    if start is not None and previous is not None:
        yield start, previous


# ---------------------------------------------------------------------------------------------------------------- items


def locate(document: Document, index: Index) -> list[Located]:
    """Every item of a document that has fingerprints, in the order of its catalogue, as the copy has it."""
    fingerprints = printed_runs(document)
    items = [item for item in document.items() if item.id in fingerprints]
    choices = {item.id: [_choices(index, span) for span in fingerprints[item.id]] for item in items}
    anchors = _anchors(items, choices)
    return [_located(item, choices[item.id], anchors, index.copy) for item in items]


def _choices(index: Index, span: Span) -> list[Place]:
    """The places of a span, those that share most runs with it first; none where too few are there."""
    places = [index.place(span, hits) for hits in index.candidates(span)]
    fewest = min(FEWEST_RUNS, len(span.hashes))
    enough = [p for p in places if p.share >= ENOUGH and p.count >= fewest]
    return sorted(enough, key=lambda p: (-p.share, len(p.altered)))


Anchors = Mapping[str, Sequence[int]]


def _anchors(items: Sequence[CatalogueItem], choices: Mapping[str, Sequence[Sequence[Place]]]) -> Anchors:
    """Where the items of each section stand that stand in one place only."""
    by_section: dict[str, list[int]] = {}
    for item in items:
        for places in choices[item.id]:
            if item.section and len(places) == 1 and not places[0].altered:
                by_section.setdefault(item.section, []).append(places[0].start)
    return {section: sorted(starts) for section, starts in by_section.items()}


def _located(item: CatalogueItem, choices: Sequence[Sequence[Place]], anchors: Anchors, copy: Copy) -> Located:
    chosen: list[Place] = []
    for places in choices:
        best = [p for p in places if p.share >= places[0].share - NEAR_A_TIE]
        if best:
            chosen.append(min(best, key=lambda p: _misfit(p, item, anchors, chosen, copy)))
    if not chosen or 2 * len(chosen) < len(choices):
        return Located(item.id, "not found", 0.0, "", (), ())
    share = sum(p.share for p in chosen) / len(choices)
    altered = [text for p in chosen for text in p.altered]
    altered += [f"{len(choices) - len(chosen)} of its {len(choices)} passages are not there"] * (
        len(chosen) < len(choices)
    )
    state = "differs" if altered else "found"
    return Located(item.id, state, share, copy.place(chosen[0].start), tuple(chosen), tuple(altered))


def _misfit(
    place: Place, item: CatalogueItem, anchors: Anchors, chosen: Sequence[Place], copy: Copy
) -> tuple[float, ...]:
    """How badly a place fits an item's number, its other spans and its section; the earlier one is better."""
    head = " ".join(copy.text[max(0, place.start - 200) : place.start + 40].split())
    numbered = bool(item.number) and item.number in head
    beside = min((abs(place.start - p.end) for p in chosen), default=0)
    own = anchors.get(item.section, ())
    k = bisect_left(own, place.start)
    near = min((abs(place.start - a) for a in own[max(0, k - 1) : k + 1]), default=0)
    return (not numbered, len(place.altered), beside or near, place.start)


# ------------------------------------------------------------------------------------------------------------ documents


def recognised(index: Index, paper: str | None = None) -> Document:
    """The document that this is a copy of: the one asked for, or the one most of whose items are there.

    Raises InvalidInput for a document without fingerprints, and where the copy is of none of them.
    """
    known = {name: document for name, document in documents().items() if document.fingerprints}
    if paper is not None:
        if paper not in known:
            raise InvalidInput("paper", paper, f"one with fingerprints: {', '.join(known)}")
        return known[paper]
    shares = {name: _share(index, document) for name, document in known.items()}
    best = max(shares, key=lambda name: shares[name], default="")
    if not best or shares[best] < RECOGNISED:
        told = f" ({shares[best]:.0%} of the printed words of {best} are in it)" if best else ""
        raise InvalidInput(
            "text",
            str(index.copy.path),
            f"a copy of one of {', '.join(known)}{told}; use --paper to look for one of them anyway",
        )
    return known[best]


def _share(index: Index, document: Document) -> float:
    """The share of a document's runs of words that are in the copy."""
    runs = [h for spans in printed_runs(document).values() for span in spans for h in span.hashes]
    return sum(h in index.runs for h in runs) / max(1, len(runs))
