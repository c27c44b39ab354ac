r"""The quantities of a formula that stand on both of its sides, such as the mean in $\mathbb E[X]\le\mathbb E[X]+x$.

They are means, chances, sums and the like, and norms and products of vectors.

What they are does not matter to such a step: a draft has one number in their place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_BRACES = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
_INDEXED = rf"(?:\s*(?:\\limits)?\s*[_^]\s*(?:{_BRACES}|\\[a-zA-Z]+|\w))"
_MEAN = re.compile(
    rf"(?:\\Pr|\{{?\\(?:mathbb|mathbf|mathop|operatorname|mathrm)\s*\{{(?:\\mathbb\{{)?(?:E|P|V|Var|Pr)\}}\}}?\}}?){_INDEXED}*"
    r"\s*(?:\\(?:m?left|[bB]igg?[lr]?)\s*)?(?=[(\[{]|\\\{)"
)
_BOUND = re.compile(rf"\\(?:sum|prod|inf|sup|max|min|int|lim(?:inf|sup)?)(?![a-zA-Z]){_INDEXED}+")
_NORM = re.compile(
    rf"(?:\\left\s*)?(?:\\\||\\lVert)(?:(?!\\\||\\rVert).)+(?:\\\||\\rVert)(?:\s*_\s*(?:{_BRACES}|\\[a-zA-Z]+|\w))?"
    r"|(?:\\left\s*)?\\langle(?:(?!\\[lr]angle).)+\\rangle"
)
_SIGN = re.compile(r"\\(?:[lg]eq?|[lg]eqslant|neq?|lesssim|gtrsim|q?quad|middle|text|qquad)(?![a-zA-Z])|[<>=≤≥+,;-]")
_LEAD = re.compile(rf"\s*(?:-|{_BOUND.pattern})")
_BRACKET = re.compile(r"\\(?:left|right)\s*\.|\\[{}]|[{(\[]|[})\]]")
_SPARE = "QGHUWY"


def shared(formula: str, sides: tuple[str, str]) -> tuple[str, dict[str, str]] | None:
    """A comparison with a number for each of its quantities, and what these are; None if one is on one side alone."""
    letter = next((c for c in _SPARE if c not in formula), None)
    found = [formula[a:b] for a, b in _spans(formula)]
    whole = list(dict.fromkeys("".join(one.split()) for one in found))
    bare = ["".join(side.split()) for side in sides]
    if letter is None or not whole or not all(one in side for one in whole for side in bare):
        return None
    names = {one: f"{letter}_{{{k}}}" for k, one in enumerate(whole, start=1)}
    out, last = [], 0
    for (a, b), one in zip(_spans(formula), found, strict=True):
        out += [formula[last:a], f" {names[''.join(one.split())]} "]
        last = b
    return "".join([*out, formula[last:]]), names


def _spans(formula: str) -> Iterator[tuple[int, int]]:
    """Where the quantities stand that no other one holds."""
    at = 0
    while at < len(formula):
        if m := _MEAN.match(formula, at):
            end = _closed(formula, m.end())
        elif m := _BOUND.match(formula, at):
            end = _reached(formula, m.end())
        elif m := _NORM.match(formula, at):
            end = m.end()
        else:
            at += 1
            continue
        if end is None:
            return
        yield at, end
        at = end


def _closed(formula: str, begin: int) -> int | None:
    """The end of the brackets that open here."""
    depth = 0
    for sign in _BRACKET.finditer(formula, begin):
        depth += 1 if sign[0][-1] in "{([" or "left" in sign[0] else -1
        if depth <= 0:
            return sign.end()
    return None


def _reached(formula: str, begin: int) -> int:
    """The end of what a sum or an infimum is taken of: the next sign on its level, or the bracket around it."""
    depth, at = 0, begin
    while lead := _LEAD.match(formula, at):
        at = lead.end()
    while at < len(formula):
        if bracket := _BRACKET.match(formula, at):
            depth += 1 if bracket[0][-1] in "{([" or "left" in bracket[0] else -1
            if depth < 0:
                return len(formula[:at].removesuffix("\\right"))
            at = bracket.end()
        elif not depth and (sign := _SIGN.match(formula, at)):
            return sign.start()
        else:
            at += 1
    return len(formula)
