r"""The formulas of a text with their ranges, where the words around them are more than the reader knows.

Whoever asks for it takes on that the words change nothing: "Perhaps the simplest case is $\log x\le x-1$ for $x>0$".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from banditproof.verify.judge.formulas.sentence import Unread
from banditproof.verify.judge.reading.rewording import unframed
from banditproof.verify.judge.reading.words import GREEK, PROMISE, checked_length

_MATH = re.compile(
    r"\$\$(.+?)\$\$|\$(.+?)\$|\\\[(.+?)\\\]|\\\((.+?)\\\)|\\begin\{(?:equation|align|gather|displaymath)\*?\}(.+?)\\end\{\w+\*?\}",
    re.DOTALL,
)
_NAME = r"(?:\\[a-zA-Z]+|[A-Za-z])(?:_(?:\w|\{[\w,]+\}|\\[a-z]+))?'*"
_SIGN = re.compile(r"\\(?:[lg]eq?|[lg]eqslant|neq?|in|to|sim)(?![a-zA-Z])|:=|[<>=]")
_IF = re.compile(
    r"\b(?:if|when|whenever|provided(?:\s+that)?|such\s+that|with|where|assume|suppose|solves|conditions?|from)\W*$",
    re.IGNORECASE,
)
_WITH = re.compile(r"\b(?:with|where)\W*$", re.IGNORECASE)  # "with $f'(x)=2x$" says something
_KIND = (
    r"((?:(?:positive|natural|non-?negative|even|odd|real)\s+)?(?:integers?|whole\s+numbers?|real\s+numbers?|reals?|numbers?)|positive|real"
    r"|non-?negative)"
)
_KIND_BEFORE = re.compile(rf"\b{_KIND}(?:\s*\$[^$]*\$\s*(?:,|and))?\W*$", re.IGNORECASE)
_KIND_BEHIND = re.compile(
    rf"(?:\s*(?:,|and)\s*\$[^$]*\$)*\s*(?:is|are|be|denotes?|,)?\s*(?:strictly\s+)?(?:an?\s+|any\s+)?{_KIND}\b",
    re.IGNORECASE,
)
_LET = re.compile(r"\b(?:let|write|writing|put|putting|set|setting|with|where|define|choice|denote)\W*$", re.IGNORECASE)
_IN = re.compile(rf"\$\s*({_NAME})\s*\$\s+(?:in|on|over|from)\s*$")
_BASE = re.compile(r"\b(?:base|bits|binary\s+logarithm|log\s+to)\b", re.IGNORECASE)


# Where both sides are equal, which limits nothing: "with equality iff $x=0$".
_EQUAL = re.compile(r"\bequality\b[^.$]*$", re.IGNORECASE)
# What is said of a formula that compares nothing: "$f(x)$ is strictly convex in $x$".
_SHAPE = re.compile(
    r"\s*is\s+(?:also\s+)?(?:(?:strictly|monotonically)\s+)?(?:non-?)?(?:increasing|decreasing|convex|concave)\b"
    r"(?:\s+(?:in|on|over|for)\s+\$[^$]+\$)*"
)
# What is no word, but a part of a formula or of its range.
_INTERVAL = re.compile(r"\s*[\[(\]][^()\[\]]*,[^()\[\]]*[\])\[]\s*|\s*\\?\{.*\}\s*")
_OTHER = re.compile(
    r"\b(?:(?:or|union|united|resp|respectively|as\s+well\s+as|plus|minus|without|intersect\w*)\b"
    r"|(?:also|same|likewise|similarly)\b[^$]*\b(?:for|in|on|if|when)\b)",
    re.IGNORECASE,
)
_CITED = re.compile(r"\b(?:see|cf\.?|refs?\.?)\s*$", re.IGNORECASE)
_STOP = re.compile(r"(?<!\bi\.e)(?<!\be\.g)(?<!\bcf)\.(?=\s+[A-Z\\$*(])|\n\s*\n")
_LETTER = re.compile(rf"\\(?:var)?(?:{'|'.join(GREEK)}|ell)(?![a-zA-Z])|(?<![\\a-zA-Z])[A-Za-z](?![a-zA-Z])")


@dataclass(frozen=True)
class _Part:
    """A formula of a text: what it is for ("claim", "for", "when", "let"), its place, the number of its sentence."""

    text: str
    kind: str
    place: int
    sentence: int

    @property
    def letters(self) -> frozenset[str]:
        return frozenset(_LETTER.findall(self.text))

    @property
    def claimed(self) -> bool:
        return "claim" in self.kind


def formulas_alone(text: str) -> list[str]:
    """The formulas that a text in LaTeX claims, each as a statement with what the text says of its letters.

    Raises:
        Unread: no formula is claimed, or something may limit the numbers, or the text promises privacy.
    """
    if PROMISE.search(checked_length(text)):
        raise Unread("a sentence about mechanisms has no formula that could be read alone")
    text, _ = unframed(text)
    if found := _BASE.search(_MATH.sub(" ", text)):
        raise Unread(f"'{found[0]}' may change what the formula says", found[0], -1)
    if cut := re.search(r"\d\$,\$\d", text):
        raise Unread("a decimal is written with a point, not with a comma", cut[0], -1)
    formulas = list(_MATH.finditer(text))
    found = [_part(m, text) for m in formulas]
    for m, part, before, ranged in zip(formulas[1:], found[1:], formulas, found, strict=False):
        inside, words = next(g for g in m.groups() if g).strip(), text[before.end() : m.start()]
        said = _CITED.search(words) or any(one and inside in one.text for one in found)
        other = ranged and ranged.kind == "for" and not (part and part.claimed) and _OTHER.search(words)
        if other or part is None and not said and _INTERVAL.fullmatch(inside):
            raise Unread(f"{inside} is a range of its own: write a statement for each range", inside, -1)
    parts = [part for part in found if part]
    claims = [part for part in parts if part.claimed]
    if not any(part.kind == "claim" for part in parts):
        raise Unread("no formula stands alone in this sentence")
    return [_stated(claim, parts) for claim in claims]


def _part(m: re.Match[str], text: str) -> _Part | None:
    """What a formula is for; None of one that neither claims nor limits anything."""
    inside = re.sub(r"\\label\s*\{[^{}]*\}|[.,;:\s]+$", "", next(g for g in m.groups() if g))
    before, after = text[: m.start()], text[m.end() :]
    sides = _SIGN.split(inside)
    names = [bool(re.fullmatch(rf"\s*{_NAME}(?:\s*,\s*{_NAME})*\s*", side)) for side in sides]
    kind = _KIND_BEFORE.search(before) or _KIND_BEHIND.match(after)
    mark = re.sub(r"(?<=real|eger) ?(?:numbers?|s)$|\s*(?<!natural )numbers?$", "", kind[1].lower()) if kind else ""
    place = m.start(), len(_STOP.findall(_MATH.sub(lambda f: "x" * len(f[0]), before)))

    if _EQUAL.search(before):
        return None
    if len(sides) == 1:
        if shape := _SHAPE.match(after):
            return _Part(f"${inside}${shape[0]}", "claim", *place)
        if (of := _IN.search(before)) and re.match(r"\s*[(\[]", inside):
            return _Part(f"${of[1]}\\in{inside}$", "for", *place)
        if re.fullmatch(r"\s*-?[\d.]+\s*", inside):
            raise Unread(f"{inside} may limit the numbers: write a range", inside, m.start())
        return _Part(f"{mark} ${inside}$", "for", *place) if mark and names[0] else None
    called = re.match(rf"\s*{_NAME}(\(\s*{_NAME}(?:\s*,\s*{_NAME})*\s*\))?\s*:?=[^=<>]*$", inside)
    if called and len(sides) == 2 and not re.match(r"[^=]*'\s*\(", inside):
        if called[1] or _LET.search(before):
            return _Part(f"${inside}$", "let", *place)
        if not _LETTER.search(sides[1]):
            raise Unread(f"does {inside} say what a letter is? Write 'let'", inside, m.start())
        return _Part(f"${inside}$", "let or claim", *place)
    of_set = names[0] and len(sides) == 2 and "\\in" in _SIGN.findall(inside)
    if of_set or any(names) and not any(re.search(r"\\(?:log|ln|exp|sqrt|frac|sum)|\^", side) for side in sides):
        return _Part(f"{mark} ${inside}$", "for", *place)
    given = _IF.search(before) and not (_WITH.search(before) and {*_SIGN.findall(inside)} == {"="})
    return _Part(f"${inside}$", "when" if given else "claim", *place)


def _stated(claim: _Part, parts: Sequence[_Part]) -> str:
    """A claim with what the text lets its letters be, and what limits them."""
    if sum(part.claimed for part in parts) == 1:
        given = [part for part in parts if part is not claim]
    else:
        lets = [part for part in parts if "let" in part.kind and part is not claim and part.letters & claim.letters]
        letters = claim.letters.union(*(part.letters for part in lets))
        limits = {part for letter in letters for part in _limits(letter, claim, parts)}
        given = lets + sorted(limits, key=lambda part: part.place)
    said = {kind: [part.text for part in given if kind in part.kind] for kind in ("let", "when", "for")}
    lets_said = "".join(f"Let {text}. " for text in reversed(said["let"])) + ("Then " if said["let"] else "")
    when = " ".join(f"when {text}" for text in said["when"])
    rest = ", ".join(f"for {text}" for text in said["for"])
    return f"{lets_said}{claim.text} {when} {rest}".strip()


def _limits(letter: str, claim: _Part, parts: Sequence[_Part]) -> list[_Part]:
    """What limits a letter of a claim: in its own sentence, if that says anything of it, else in the nearest one.

    Where a sentence makes several claims, each has the limits on the side on which the first claim has them.
    """
    limits = [part for part in parts if part.kind in ("for", "when") and letter in part.letters]
    if not limits:
        return limits
    away = min((abs(part.sentence - claim.sentence), part.sentence > claim.sentence) for part in limits)
    sentence = claim.sentence + (away[0] if away[1] else -away[0])
    limits = [part for part in limits if part.sentence == sentence]
    claims = [part.place for part in parts if part.claimed and part.sentence == claim.sentence]
    if len(claims) == 1 or sentence != claim.sentence:
        return limits
    behind = [sum(place < part.place for place in claims) for part in limits]  # behind how many claims each stands
    mine = claims.index(claim.place)
    if behind[0] == 0:
        side = max(k for k in behind if k <= mine)
    else:
        side = min((k for k in behind if k > mine), default=max(behind))
    return [part for part, k in zip(limits, behind, strict=True) if k == side]
