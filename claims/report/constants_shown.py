"""Formulas with the constants of a claim filled in, as one would print them: no factor 1, no summand or exponent 0."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_PLACE = re.compile(r"(?:(?P<sign>[-+])\s*)?<(?P<name>\w+)>(?P<space>(?:\\,|\s)*)(?P<dot>\\cdot(?![a-z])\s*)?")
_GROUP = r"\{(?:[^{}]|\{[^{}]*\})*\}"
_BRACKETS = r"\((?:[^()]|\([^()]*\))*\)"
_WORDS = r"\\(?:le|ge|lt|gt|leq|geq|to|in|ne|text|quad|pm|mid|cdot|times|approx|sim|wedge|vee|ldots|dots)(?![a-zA-Z])"
_NO_FACTOR = re.compile(_WORDS)
_ATOM = rf"(?:{_BRACKETS}|(?!{_WORDS})\\?[A-Za-z]+(?:{_GROUP})*)(?:[_^](?:{_GROUP}|\\?[A-Za-z]+|\d))*"
_FACTORS = re.compile(rf"{_ATOM}(?:(?:\\,|\s)*(?:/\s*(?:\d+|{_ATOM})|{_ATOM}))*")
_BASE = re.compile(r"(?P<dot>\\cdot\s*)?(?P<base>\\[A-Za-z]+|[A-Za-z])$")
_FUNCTIONS = (r"\log", r"\ln")  # what they are applied to goes with them
_NO_TERM = re.compile(r"(?:\\(?:le|ge|lt|gt|leq|geq|to|in|ne|approx|sim|cdot)|[-+=<>(\[{,;:&|]|^)\s*$")


def filled(formula: str, values: Mapping[str, Any]) -> str:
    """LaTeX with `values` for the placeholders ``<name>``.

    >>> filled(r"x \\le <factor>\\,\\epsilon^2+<slack>", {"factor": 1, "slack": 0})
    'x \\\\le \\\\epsilon^2'
    >>> filled(r"x\\le-<slack>\\epsilon", {"slack": 0}), filled(r"<half> x", {"half": "1/2"})
    ('x\\\\le 0', '1/2 x')
    >>> filled(r"2\\sqrt T\\log^{<p>}(KT)+e^{-1/<q>}", {"p": 0, "q": 1}), filled("x^{<p>}", {"p": 0})
    ('2\\\\sqrt T+e^{-1}', '1')
    """
    out, position = "", 0
    for place in _PLACE.finditer(formula):
        if place.start() < position or place["name"] not in values:
            continue
        out, value = out + formula[position : place.start()], values[place["name"]]
        position, rest = place.end(), formula[place.end() :]
        factor = bool(place["dot"] or re.match(r"\\?[A-Za-z(\[|]", rest)) and not _NO_FACTOR.match(rest)
        sign = place["sign"] or ""
        alone = not sign and out.endswith("^{") and rest.startswith("}")
        if value == 1 and alone:
            out, position = out[:-2] + " " * rest[1:2].isalpha(), position + 1
        elif str(value) == "0" and alone and (power := _BASE.search(out[:-2])):
            out, position = out[: power.start()], position + 1
            argument = re.compile(_ATOM).match(formula, position) if power["base"] in _FUNCTIONS else None
            position = argument.end() if argument else position
            if not _FACTORS.match(formula[position:]):
                out += "1" if _NO_TERM.search(out) else ""
            elif re.search(r"[a-z]$", out) and formula[position : position + 1].isalpha():
                out += " "
        elif value == 1 and out.endswith("/") and not factor:
            out = out[:-1]
        elif value == -1 and factor:
            out += "-"
        elif value == 1 and factor:
            out += f"{sign} " if rest[:1].isalpha() else sign
        elif str(value) == "0" and (not factor or _FACTORS.match(rest)):
            swallowed = _FACTORS.match(rest) if factor else None
            position += swallowed.end() if swallowed else 0
            if _NO_TERM.search(out):
                out += " 0" if re.search(r"[a-z]$", out) else "0"
            if not swallowed:
                out += place["space"]
        else:
            out += f"{sign}{value}{place['space']}{place['dot'] or ''}"
    return out + formula[position:]
