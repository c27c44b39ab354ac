r"""The formula of a sentence with its ranges, where the words around it are more than the reader knows.

Whoever asks for it takes on that the words change nothing: "Perhaps the simplest case is $\log x\le x-1$ for $x>0$".
"""

from __future__ import annotations

import re

from banditproof.verify.judge.rewording import unframed
from banditproof.verify.judge.sentence import Unread
from banditproof.verify.judge.words import PROMISE, checked_length

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
_KIND = (
    r"((?:(?:positive|natural|non-?negative|even|odd|real)\s+)?(?:integers?|whole\s+numbers?|reals?|numbers?)|positive|real"
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


def formula_alone(text: str) -> str:
    """The one formula of a sentence in LaTeX as a statement, for the numbers that the sentence names.

    Raises:
        Unread: no formula stands in it, or several that could be meant, or a promise of privacy.
    """
    if PROMISE.search(checked_length(text)):
        raise Unread("a sentence about mechanisms has no formula that could be read alone")
    text, _ = unframed(text)
    if found := _BASE.search(_MATH.sub(" ", text)):
        raise Unread(f"'{found[0]}' may change what the formula says", found[0], -1)
    claims: list[str] = []
    given: list[str] = []  # what limits the numbers, in words that the reader knows
    for m in _MATH.finditer(text):
        inside = re.sub(r"\\label\s*\{[^{}]*\}|[.,;:\s]+$", "", next(g for g in m.groups() if g))
        before, after = text[: m.start()], text[m.end() :]
        parts = _SIGN.split(inside)
        names = [bool(re.fullmatch(rf"\s*{_NAME}(?:\s*,\s*{_NAME})*\s*", p)) for p in parts]
        kind = _KIND_BEFORE.search(before) or _KIND_BEHIND.match(after)
        mark = re.sub(r"(?<=real|eger) ?(?:numbers?|s)$|\s*(?<!natural )numbers?$", "", kind[1].lower()) if kind else ""
        if len(parts) == 1 and (of := _IN.search(before)) and re.match(r"\s*[(\[]", inside):
            given.append(f"for ${of[1]}\\in{inside}$")
        elif len(parts) == 1:
            if re.fullmatch(r"\s*-?[\d.]+\s*", inside):
                raise Unread(f"{inside} may limit the numbers: write a range", inside, m.start())
            if mark and names[0]:
                given.append(f"for {mark} ${inside}$")
        elif (called := re.match(rf"\s*{_NAME}(\([^()]*\))?\s*:?=[^=<>]*$", inside)) and len(parts) == 2:
            if not called[1] and not _LET.search(before):
                raise Unread(f"does {inside} say what a letter is? Write 'let'", inside, m.start())
            given.insert(0, f"Let ${inside}$.")
        elif any(names) and not any(re.search(r"\\(?:log|ln|exp|sqrt|frac|sum)|\^", p) for p in parts):
            given.append(f"for {mark} ${inside}$")
        elif _IF.search(before):
            given.append(f"when ${inside}$")
        else:
            claims.append(inside)
    if len(claims) != 1:
        raise Unread("no formula stands alone in this sentence" if not claims else "several formulas could be meant")
    lets = " ".join(g for g in given if g.startswith("Let"))
    rest = ", ".join(g for g in given if g.startswith("for"))
    when = " ".join(g for g in given if g.startswith("when"))
    return f"{lets} {'Then ' if lets else ''}${claims[0]}$ {when} {rest}".strip()
