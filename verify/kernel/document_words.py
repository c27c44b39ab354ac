"""Words of a document: functions of its Python files by which its statement files may be written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.terms import Refused

DOCUMENT_WORDS: dict[str, Callable[..., Any]] = {}  # by which sentences of documents are written (``word``)


def word(meaning: Callable[..., Any]) -> Callable[..., Any]:
    """Let the statement files of documents call a function that makes formulas or laws of the kernel's words."""
    name = meaning.__name__
    if DOCUMENT_WORDS.setdefault(name, meaning).__module__ != meaning.__module__:
        raise Refused(f"two words are called {name}")
    DOCUMENT_WORDS[name] = meaning
    return meaning
