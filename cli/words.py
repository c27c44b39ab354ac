"""What ``explain`` says of a word that is no claim: its entry in the glossary, and what public docstrings say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from inspect import getdoc

from banditproof.theory.errors import close_to

ROOMS = ("theory", "algorithms", "verify", "claims")


def explained(word: str) -> list[str]:
    """What a word means, a sentence or two each: of the glossary, of a public name, and of what docstrings quote."""
    wanted = _squeezed(word)
    return [*_of_the_glossary(wanted), *_of_docstrings(wanted, word.strip().casefold())] if wanted else []


def words_like(word: str) -> str:
    """Words of the glossary, and public names, that a word may be meant for."""
    names = [name for room in ROOMS for name in import_module(f"banditproof.{room}").__all__]
    terms = [term for terms, _ in _entries() for term in terms.split(", ")]
    return close_to(word, dict.fromkeys([*terms, *names]))


def _entries() -> list[tuple[str, str]]:
    """The terms of the glossary, and what they mean."""
    text = files("banditproof.claims").joinpath("glossary.md").read_text(encoding="utf-8")
    return re.findall(r"^(\w.*)\n((?:    .*\n)+)", text, re.MULTILINE)


def _squeezed(text: str) -> str:
    """d-epsilon, d_epsilon and D epsilon are one word."""
    return re.sub(r"[\W_]+", "", text.casefold())


def _of_the_glossary(wanted: str) -> Iterator[str]:
    for terms, meaning in _entries():
        if wanted in map(_squeezed, terms.split(", ")):
            without_links = re.sub(r"\[(.*?)]\(.*?\)", r"\1", " ".join(meaning.split()))
            yield f"{terms}: {without_links}"


def _of_docstrings(wanted: str, quoted: str) -> Iterator[str]:
    for room in ROOMS:
        face = import_module(f"banditproof.{room}")
        for name in face.__all__:
            said = (getdoc(getattr(face, name)) or "").partition(">>>")[0]
            if _squeezed(name) == wanted:
                yield f"{name} (banditproof.{room}): {' '.join(said.partition(chr(10) * 2)[0].split())}"
            for part in re.split(r"(?<=[.;])\s+", said):
                if f'"{quoted}"' in part:
                    yield f"of {name} (banditproof.{room}): {' '.join(part.split())}"
