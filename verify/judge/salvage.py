"""What is left of a sentence that is not read, without the words that only name: "the claimed bound $A$" is $A$.

Every word that is left out stands in vocabulary.txt, or is a name. A word of the grammar is never left out beside a
formula, nor what is done to a number ("of $x$", "by $x$"); what is left is read by the grammar, or refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from banditproof.verify.judge.sentence import Unread
from banditproof.verify.judge.words import NO_NAME, PROMISE, word_at

_PIECE = re.compile(
    r"(?P<formula>\$\$.*?\$\$|\$[^$]*\$|\\\[.*?\\\]|\\\(.*?\\\)|\\begin\{(\w+\*?)\}.*?\\end\{\2\})"
    r"|(?P<stop>[.:;?!](?=\s|$))|(?P<skip>\.(?=\)))|(?P<comma>,)|(?P<open>[(\[])|(?P<close>[)\]])"
    r"|(?P<word>[Bb]inary\s+(?:relative\s+)?entropy|[^\W\d_]+(?:(?:[-–]+|['’])[^\W\d_]+)*['’]?)|(?P<other>[^\s~])",
    re.DOTALL,
)
_RELATION = re.compile(r"[<>=≤≥≠∈]|\\(?:[lg]eq?|[lg]eqslant|neq?|in|to|sim|le|ge|asymp|succeq|preceq)(?![A-Za-z])")
_OPEN = re.compile(r"^\W*(?:[+*/^<>=≤≥)]|-\s)|(?:[-+*/^<>=≤≥(]|\\cdot|\\times)\W*$")  # what is a part of a formula
_LAW = re.compile(r"gauss|laplac|poisson|bernoulli|r[eé]nyi|exponential|geometric|normal|binomial|rademacher", re.I)
_QUIET = {"", "IS", "IN", "AND", "ON", "AS", "ARROW", "THEN"}  # words of the grammar that say nothing between names
_NOUN = re.compile(r"\b(?:quantity|inequality|bound|estimate|identity)$")
_BEHIND = frozenset("which as by via thanks due see so hence thus because proving showing giving yielding".split())
_STATISTICS = frozenset(
    "expected mean means average averages median random probability probabilities moment moments variance".split()
)
_REASON = frozenset("by from with using given since because via due thanks in as on under noting".split())
_SUBJECT = frozenset("the we one this it our a an".split())


class _Piece(NamedTuple):
    """A part of a sentence: its sign, "key" (a word of the grammar), "name", "glue", "said" or "math"."""

    kind: str
    begin: int
    end: int
    words: str
    key: str = ""


@cache
def vocabulary() -> dict[str, str]:
    """What each word is that only names."""
    kind, found = "", dict[str, str]()
    for line in (files("banditproof.verify.judge") / "vocabulary.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            kind = line.strip("[]")
        elif not line.startswith("#"):
            found |= dict.fromkeys(line.split(), kind)
    return found


def _kind(word: str, first: bool) -> str:
    """Whether a word is a name, glue or what a claim may stand behind; nothing for an unknown one."""
    if known := vocabulary().get("-".join(word.lower().split())):
        return known
    parts = re.split(r"[-–]+", word)
    proper = all(p[:1].isupper() and not _LAW.match(p) and not NO_NAME.fullmatch(p) for p in parts)
    if proper and (not first or len(parts) > 1 or re.search(r"['’]s?$", word)) and not word.endswith("ly"):
        return "name"
    return "name" if len(parts) > 1 and all(vocabulary().get(p.lower()) == "name" for p in parts) else ""


def _pieces(text: str) -> Iterator[_Piece]:
    """The parts of a text; a word that is not known ends the search."""
    at, first = 0, True
    while m := _PIECE.search(text, at):
        kind, at = m.lastgroup or "", m.end()
        if kind in ("formula", "stop", "comma", "open", "close"):
            yield _Piece(kind, m.start(), at, m[0])
        elif kind == "skip":
            continue
        elif phrase := word_at(text, m.start()):
            at = phrase[2]
            noun = not phrase[0] and _NOUN.search(text, m.start(), at)
            yield _Piece("name" if noun else "key", m.start(), at, text[m.start() : at], phrase[0])
        elif kind == "word" and (named := _kind(m[0], first)):
            yield _Piece(named, m.start(), at, m[0])
        elif re.fullmatch(r"[aA]", m[0]):
            yield _Piece("key", m.start(), at, m[0])
        else:
            raise Unread(f"the word {m[0]!r} is not read here", m[0], m.start())
        first = kind == "stop"


def salvaged(text: str) -> tuple[str, list[str]]:
    """The text with spaces for the words that only name, and these words.

    Raises:
        Unread: a word is not known, or stands where it may matter.
    """
    if PROMISE.search(text):
        raise Unread("what is said of a mechanism is read as it stands")
    pieces, found = list(_pieces(text)), list[str]()
    for begin, end, put in _left_out(pieces):
        found.append(" ".join(text[begin:end].split()).strip(" ,.:;()"))
        text = text[:begin] + put.ljust(end - begin) + text[end:]
    return re.sub(r"\([\s.]*\)", lambda m: " " * len(m[0]), text), found


def _left_out(pieces: Sequence[_Piece]) -> Iterator[tuple[int, int, str]]:
    """What is left out of a text, and what is put there."""
    told = False  # whether a formula stands before the sentence
    for sentence in _split(pieces, ("stop",)):
        before, silent = False, not any(p.kind == "formula" for p in sentence)
        if told and silent and (limits := [p for p in sentence if p.key in ("ASSUME", "WITH", "ON", "IN")]):
            raise _refused(limits[0])  # "$A$. This holds in the last phase."
        told = told or not silent
        for clause in _split(sentence, ("comma", "open", "close")):
            yield from _of_clause(clause, before)
            before = before or any(p.kind == "formula" for p in clause)


def _split(pieces: Sequence[_Piece], ends: tuple[str, ...]) -> Iterator[list[_Piece]]:
    """The parts with the sign that ends each."""
    part: list[_Piece] = []
    for p in pieces:
        part.append(p)
        if p.kind in ends:
            yield part
            part = []
    if part:
        yield part


def _named(pieces: Sequence[_Piece]) -> bool:
    return any(p.kind in ("name", "glue", "said", "math") for p in pieces)


def _refused(piece: _Piece) -> Unread:
    return Unread(f"the word {piece.words!r} is not read here", piece.words, piece.begin)


def _of_clause(clause: list[_Piece], before: bool) -> Iterator[tuple[int, int, str]]:
    """What is left out of a clause, and what is put there; `before`: a formula stands before it in its sentence."""
    at = [i for i, p in enumerate(clause) if p.kind == "formula"]
    titled = clause[-1].words == ":" and all(re.fullmatch(r"\W*\d[\d.]*\W*", clause[i].words) for i in at)
    if not _named(clause):
        return
    if not at or titled and not before:
        yield from _without_formula(clause, before, titled)
        return
    yield from _lead(clause[: at[0]], clause[at[0]])
    for i, j in zip(at, at[1:], strict=False):
        yield from _between(clause[i], clause[i + 1 : j], clause[j], clause[: at[0]])
    yield from _tail(clause[at[-1] + 1 :])


def _without_formula(clause: list[_Piece], before: bool, titled: bool) -> Iterator[tuple[int, int, str]]:
    """A clause of names alone: "for the analysis of the policy,"; behind a formula one that gives a reason."""
    quiet = _QUIET | {"ASSUME", "WITH"} | ({"SIGN"} if titled else set())
    averaged = clause[0].kind == "key" and clause[0].key and any(p.words.lower() in _STATISTICS for p in clause)
    for p in clause:
        if p.kind == "key" and p.key not in quiet or averaged or before and clause[0].words not in _BEHIND:
            raise _refused(p)
    yield clause[0].begin, clause[-1].begin if clause[-1].kind == "close" else clause[-1].end, ""


def _lead(run: Sequence[_Piece], formula: _Piece) -> Iterator[tuple[int, int, str]]:
    """The words before the first formula of a clause: "the authors then use the bound", "for every gap"."""
    if _named(run) and _claims([p for p in run if p.words.lower() != "for"]):
        yield from _beside(run, formula, False)
        return
    at = max((i for i, p in enumerate(run) if p.kind == "key" and p.key not in _QUIET), default=-1)
    said, rest = run[: max(at, 0)], run[at + 1 :]
    if _named(said):
        if run[at].key not in ("ASSUME", "EXISTS") or not _claims(said):
            raise _refused(run[at])
        yield said[0].begin, said[-1].end, ""
    last = max((i for i, p in enumerate(rest) if p.key in _QUIET - {"", "THEN"}), default=-1)
    if last >= 0 and _named(rest[:last]):
        raise _refused(rest[last])
    if _named(rest):
        yield from _beside(rest[last + 1 :], formula, at >= 0 or last >= 0)


def _claims(words: Sequence[_Piece]) -> bool:
    """Whether a claim follows: "the authors show that", and no reason: "by the fact that" says what is assumed."""
    return (
        not _reasons(words)
        and (words[-1].kind == "said" or words[-1].key == "THEN")
        and all(p.kind != "key" or p.key in _QUIET for p in words)
    )


def _reasons(words: Sequence[_Piece]) -> bool:
    """Whether what follows these words is a reason, and no claim: "using that", "by the inequality"."""
    said = [p.words.lower() for p in words] or ["by"]
    return said[0] in _REASON and not {"we", "one", "i", "they"} & {*said}


def _beside(run: Sequence[_Piece], formula: _Piece, bound: bool) -> Iterator[tuple[int, int, str]]:
    """Names right before a formula, behind a word that binds it ("for every gap $x > 0$"), or before a claim."""
    if not _named(run):
        return
    last, compares = run[-1], _RELATION.search(formula.words) is not None
    apposed = last.kind == "name" and (compares or not _ALONE.fullmatch(formula.words)) or _is_called(last, formula)
    fits = apposed or (last.kind == "said" or last.key == "THEN") and compares and not bound
    done = any(p.kind == "math" and (last.kind == "name" or p.words.lower() in _STATISTICS) for p in run)
    broken = _OPEN.search(formula.words.strip("$\\[]() ")) or bound and any(p.kind in ("glue", "said") for p in run)
    bare = bound and _BELOW.match(formula.words)  # a learning rate below 1 is positive, and nobody says so
    if bare or not fits or done and not _is_called(last, formula) or broken or not bound and _reasons(run):
        raise _refused(last)
    yield run[0].begin, last.end, ""


_BELOW = re.compile(r"\W*\\?\w+\s*(?:[<≤]|\\l(?:e|t)(?![a-z]*f))")
_ALONE = re.compile(r"\W*\\?\w+\W*")
_DEFINES = re.compile(r"\W*(?:\\mathrm\{)?\w+\}?(?:_\w|_\{\w+\})?\s*(?:\([^()]*\))?\s*:?=")
_OPERATION = {
    **dict.fromkeys(("sum", "sums", "series"), r"\+|\\?sum\b|\\sum_"),
    **dict.fromkeys(("ratio", "quotient"), r"/|\\[dt]?frac"),
    "difference": r"-",
    "product": r"\*|\\cdot|\\?prod",
}


def _is_called(noun: _Piece, formula: _Piece) -> bool:
    """Whether a formula is what a noun says, by its form: "the ratio $a/b$", "the entropy $h(p) = ...$"."""
    sign = _OPERATION.get(noun.words.lower(), "(?!)")
    return noun.kind == "math" and bool(_DEFINES.match(formula.words) or re.search(sign, formula.words))


def _between(
    left: _Piece, run: Sequence[_Piece], right: _Piece, lead: Sequence[_Piece]
) -> Iterator[tuple[int, int, str]]:
    """The words between two formulas: "for $x > 0$ the bound $A$", "$A$ for each gap $x > 0$"."""
    if not _named(run):
        return
    keys = [i for i, p in enumerate(run) if p.kind == "key" and p.key]
    if keys:
        if keys[0] and _named(run[: keys[0]]):
            raise _refused(run[0])
        if any(_named(run[i + 1 : j]) for i, j in zip(keys, keys[1:], strict=False)):
            raise _refused(run[-1])
        yield from _beside(run[keys[-1] + 1 :], right, True)
    elif any(p.key == "ASSUME" for p in lead) and _RELATION.search(left.words) and run[0].words.lower() in _SUBJECT:
        yield from ((begin, end, ",") for begin, end, _ in _beside(run, right, False))
    else:
        raise _refused(run[0])


def _tail(run: Sequence[_Piece]) -> Iterator[tuple[int, int, str]]:
    """The words behind the last formula: "by Jensen's inequality"."""
    words = [p for p in run if p.kind in ("key", "name", "glue", "said", "math")]
    if not _named(words):
        return
    told = run[-1].words == ":" and words[0].words.lower().split()[0] in _SUBJECT  # "for $x > 0$ the bound is true:"
    holds = len(words) == 1 and words[0].words == "applies"
    if any(p.key not in _QUIET for p in words) or not (told or holds or words[0].words in _BEHIND):
        raise _refused(words[0])
    yield words[0].begin, words[-1].end, ""
