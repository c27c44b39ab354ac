"""Claims by words: of their ids, printed numbers, titles, statements and notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

from banditproof.claims.documents import Document, catalogue, documents
from banditproof.claims.paragraphs import TITLE
from banditproof.claims.register import Claim, in_full
from banditproof.claims.report.plain import plain

_KINDS = ("theorem", "proposition", "lemma", "corollary", "algorithm", "definition")  # what is asked for, comes first
_WORD = re.compile(r"[^\W_]+(?:\.\d+)*")
_LITTLE = frozenset("a an and by for from in is of on or that the to under with".split())  # as in search.js
_PLAIN = str.maketrans("éèüöäá", "eeuoaa")


@cache
def _squeezed(text: str) -> str:
    """A text in which hyphens, blanks and capitals do not count: 'AdaP-KLUCB' has 'klucb' and 'adapklucb'."""
    return re.sub(r"[\W_]+", "", text.casefold().translate(_PLAIN))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold().translate(_PLAIN))


def _asked(text: str) -> list[str]:
    """The words that are looked for: those that say nothing by themselves only where there are no others."""
    words = _words(re.sub(r"['’]s\b", "", in_full(text)))
    return [word for word in words if word not in _LITTLE] or words


def searched(text: str, claims: Iterable[Claim]) -> list[Claim]:
    """The claims in which most words of the text are found, the nearest first: by id or number, by title, by the rest.

    Claims with more of the words come before those with fewer; less than half is too few, and none may lack a
    printed number such as 5.3. A word counts where it begins a word, or stands within a name such as AdaP-KLUCB.
    """
    wanted, together = _asked(text), _squeezed(text)
    ranked: list[tuple[int, float, int, Claim]] = []
    for place, claim in enumerate(claims):
        fields = {_held(said): weight for weight, said in fields_of(claim) if _may_hold(wanted, said)}
        scores = [max((weight * _fit(word, *held) for held, weight in fields.items()), default=0.0) for word in wanted]
        missing = scores.count(0.0)
        unnumbered = any("." in word and not score for word, score in zip(wanted, scores, strict=True))
        if wanted and 2 * missing <= len(wanted) and not unnumbered:
            named = 100 * (together in map(_squeezed, (claim.id, *claim.aliases)))
            named += sum(weight for (squeezed, _), weight in fields.items() if together in squeezed)
            ranked.append((missing, -(sum(scores) + named) * weight_of(claim), place, claim))
    most = min((missing for missing, *_ in ranked), default=0)
    return [claim for missing, _, _, claim in sorted(ranked, key=lambda one: one[:3]) if missing == most]


def weight_of(claim: Claim) -> float:
    """How much an answer counts: items twice, and theorems before what is seldom asked for."""
    kind = 1.2 - 0.02 * _KINDS.index(claim.kind) if claim.kind in _KINDS else 1.0
    return kind * (2 if claim.id in catalogue() else 1)


def fields_of(claim: Claim) -> Sequence[tuple[float, str]]:
    """What is said of a claim, each text with its weight, the heaviest first; the ids are the first text."""
    entry = catalogue().get(claim.item)
    document = documents().get(claim.paper)
    part = document.parts.get(claim.id.partition("-")[0], "") if document else ""
    section = entry.section.removeprefix("Appendix ") if entry else ""
    about = _sections_of(document).get(section, "") if document else ""
    title, printed = ("", claim.place) if entry is None else (entry.title, f"{entry.number} {entry.paper}")
    return (
        (8.0, " ".join((claim.id, *claim.aliases))),
        (6.0, f"{printed} {claim.paper} {claim.role}"),
        (4.0, title),
        (3.0, part),
        (2.0, claim.shown()),
        (0.1, about),
        (1.0, claim.notes or ""),
        (1.0, "inequality" if re.search(r"[≤≥]|\\[lg]eq?(?![a-z])|[<>]=", claim.shown()) else ""),
    )


@cache
def _sections_of(document: Document) -> Mapping[str, str]:
    """What its sections are about, as the titles of its statement files say."""
    found: dict[str, str] = {}
    for folder in import_module(document.package).__path__ if document.package else ():
        for path in sorted(Path(folder).rglob("*.md")):
            with path.open(encoding="utf-8") as text:
                named, _, about = text.readline().partition(":")
            for section in TITLE.findall(named):
                found[section] = f"{found.get(section, '')} {about.strip()}".strip()
    return found


def _may_hold(wanted: Iterable[str], said: str) -> bool:
    """Whether one of the words may stand in the text: what is written in signs is read only where it may."""
    raw = _squeezed(said)
    return any(len(word) < 3 or not word.isascii() or _squeezed(word) in raw for word in wanted)


@cache
def _held(text: str) -> tuple[str, frozenset[str]]:
    read = plain(text)
    return _squeezed(read), frozenset(_words(read))


def _fit(word: str, squeezed: str, words: frozenset[str]) -> float:
    if word in words:
        return 1.0
    if len(word) > 2 and any(held.startswith(word) for held in words):
        return 0.8
    return 0.6 if len(word) > 3 and "." not in word and _squeezed(word) in squeezed else 0.0
