"""Rules of reading that stand as text beside this file: patterns of words, and what each of them means.

A rule is a pattern, which may go on in the next line, and behind an arrow what it means; `-> =NAME` gives it a name for
the rules that follow. Lines that begin with `# ` are remarks, and a part begins with its name behind `===`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

ARROW = "->"
_NAME = re.compile(r"\{([A-Z][A-Z_]*)\}")
Done = str | Callable[[re.Match[str]], str]  # what is put in the place of words


def of_any_space(words: str) -> str:
    """A pattern of words whose spaces may be any."""
    return words.replace("[- ]", "(?:-| )").replace(" ?", r"\s*").replace(" ", r"\s+")


def pattern(words: str) -> re.Pattern[str]:
    """Words with any space between them, or none where a question mark follows it, in small letters or capitals."""
    return re.compile(of_any_space(words), re.IGNORECASE)


@cache
def _parts(file: str) -> dict[str, list[str]]:
    """The lines of a file by the names of its parts."""
    found: dict[str, list[str]] = {}
    for line in (files("banditproof.verify.judge.reading") / file).read_text(encoding="utf-8").splitlines():
        if line.startswith("=== "):
            found[line[4:]] = []
        elif not line.startswith("# "):
            found[[*found][-1]].append(line)
    return found


def rules(file: str, part: str, words: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The patterns of a part with what they mean; `words` has what {NAMES} in them stand for, besides its own."""
    begun, known = "", dict(words)
    for line in _parts(file)[part]:
        if not line.startswith(ARROW):
            begun += line
            continue
        said, meaning, begun = _NAME.sub(lambda m: str(known[m[1]]), begun), line[len(ARROW) + 1 :], ""
        if meaning[:1] == "=":
            known[meaning[1:]] = said
        else:
            yield said, meaning


def phrases(file: str, part: str, words: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """The kind of a token, its value and the words that it stands for; nothing and nothing where they are left out."""
    split = ((pattern, *meaning.partition(" ")[::2]) for pattern, meaning in rules(file, part, words))
    return [(kind, value, pattern) for pattern, kind, value in split]


def rewritings(
    file: str, part: str, words: Mapping[str, Any], functions: Mapping[str, Done] | None = None
) -> list[tuple[re.Pattern[str], Done]]:
    """Patterns, and what is put in the place of what they match: a text, or a function by its name behind a colon."""
    found: list[tuple[re.Pattern[str], Done]] = []
    for words_of, meaning in rules(file, part, words):
        done: Done = (functions or {})[meaning[1:]] if meaning[:1] == ":" else meaning
        found.append((pattern(words_of), meaning[1:-1] if meaning[:1] == meaning[-1:] == '"' else done))
    return found
