"""Statements with the constants of a claim filled in as one would print them: no factor 1, no summand 0."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
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


_NAMED = r"(?:\$<\w+>\$|(?<!\$)<\w+>(?!\$))"
_ASIDE = re.compile(rf"\s+\((?:[A-Za-z ,:-]|{_NAMED}|\$[a-zA-Z]\$)*\)")  # of words and constants only
_VARIED = "times factor power exponent mass sign added jump by lag late longer missed stored centred"
_OF_A_VARIANT = re.compile(rf"\b(?:{_VARIED.replace(' ', '|')})\b")
_DIVIDED = rf",\s+(?:[a-z]+\s+)*divided\s+by\s+{_NAMED}"
_TIMES = re.compile(rf"{_NAMED}\s+times\s+(?=\S)|,?\s+times\s+{_NAMED}(?=[.;:)])|\s+times\s+{_NAMED}(?!\w)|{_DIVIDED}")
_POWER = re.compile(r"\^\s*\{<(\w+)>(?:/(\d+))?\}")
_GREEK = re.compile(r"(?:var)?epsilon|alpha|beta|gamma|delta|rho|mu|lambda")


def completed(statement: str, values: Mapping[str, Any]) -> str:
    r"""A statement, its formulas in dollars, with `values` for the placeholders ``<name>``.

    >>> completed("at most $<factor>$ times $<factor>x$ (noise times $<factor>$)", {"factor": 1})
    'at most $x$'
    >>> completed("right, its threshold divided by <divisor>. Done", {"divisor": 1})
    'right. Done'
    >>> completed("at most $<factor>$ times $<factor>x$ (noise times $<factor>$)", {"factor": 2})
    'at most $2$ times $2x$ (noise times $2$)'
    """

    def neutral(found: re.Match[str], *nothing: str) -> bool:
        return all(str(values.get(n)) in nothing for n in re.findall(r"<(\w+)>", found[0]))

    def aside(found: re.Match[str]) -> str:
        told = "<" not in found[0] or not _OF_A_VARIANT.search(found[0]) or not neutral(found, "0", "1")
        return found[0] if told else ""

    statement = _ASIDE.sub(aside, statement)
    statement = _TIMES.sub(lambda found: "" if neutral(found, "1") else found[0], statement)
    parts = [filled(part, values) if i % 2 else part for i, part in enumerate(statement.split("$"))]
    return re.sub(r"<(\w+)>", lambda m: str(values.get(m[1], m[0])), "$".join(parts))


def filled(formula: str, values: Mapping[str, Any]) -> str:
    """LaTeX with `values` for the placeholders ``<name>``.

    >>> filled(r"x \\le <factor>\\,\\epsilon^2+<slack>", {"factor": 1, "slack": 0})
    'x \\\\le \\\\epsilon^2'
    >>> filled(r"x\\le-<slack>\\epsilon", {"slack": 0}), filled(r"<half> x", {"half": "1/2"})
    ('x\\\\le 0', '\\\\frac12 x')
    >>> filled(r"2\\sqrt T\\log^{<p>}(KT)+e^{-1/<q>}", {"p": 0, "q": 1}), filled("x^{<p>}", {"p": 0})
    ('2\\\\sqrt T+e^{-1}', '1')
    >>> filled(r"\\log^{<p>/2}T\\cdot<q>", {"p": 2, "q": 1}), filled(r"x^{<p>/2}", {"p": 3})
    ('\\\\log T', 'x^{3/2}')
    """
    formula, values = _powers(formula, values)
    out, position = "", 0
    for place in _PLACE.finditer(formula):
        if place.start() < position or place["name"] not in values:
            continue
        out, value = out + formula[position : place.start()], values[place["name"]]
        position, rest = place.end(), formula[place.end() :]
        first = r"\\?[A-Za-z(\[|]|\d" if "\\," in place["space"] else r"\\?[A-Za-z(\[|]"
        factor = bool(place["dot"] or re.match(first, rest)) and not _NO_FACTOR.match(rest)
        sign = place["sign"] or ""
        alone = not sign and out.endswith("^{") and rest.startswith("}")
        fraction = re.fullmatch(r"(-?)(\d+)/(\d+)", str(value))
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
        elif value == 1 and not factor and (divided := re.search(r"(?:/|\\cdot\s*)$", out)):
            out = out[: divided.start()]
        elif value == -1 and factor:
            out += "-"
        elif value == 1 and factor:
            out += sign or " " * (out[-1:].isalpha() and rest[:1].isalpha())
        elif str(value) == "0" and (not factor or _FACTORS.match(rest)):
            swallowed = _FACTORS.match(rest) if factor else None
            position += swallowed.end() if swallowed else 0
            if _NO_TERM.search(out):
                out += " 0" if re.search(r"[a-z]$", out) else "0"
            if not swallowed:
                out += place["space"]
        else:
            if fraction and (factor or rest.startswith("/")):
                above, below = (part if len(part) == 1 else f"{{{part}}}" for part in fraction.groups()[1:])
                value = rf"{fraction[1]}\frac{above}{below}"
            out += f"{sign}{_as_latex(value, rest)}{place['space']}{place['dot'] or ''}"
    return out + formula[position:]


def _powers(formula: str, values: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The formula with one placeholder for an exponent 'a/b' that is a whole number, and the values with its own."""
    values = dict(values)

    def whole(power: re.Match[str]) -> str:
        name, divisor = power[1], int(power[2] or 1)
        try:
            reduced = Fraction(str(values.get(name))) / divisor
        except ValueError:  # a name, or no constant at all
            return power[0]
        if divisor == 1 or reduced.denominator > 1:
            return power[0].replace(" ", "")
        values[f"{name}_{divisor}"] = reduced.numerator
        return f"^{{<{name}_{divisor}>}}"

    return _POWER.sub(whole, formula), values


def _as_latex(value: Any, rest: str) -> str:
    """A name as a Greek letter, a long power of ten as one."""
    if re.fullmatch("10{5,}", str(value)):
        power = f"10^{{{len(str(value)) - 1}}}"
        return f"({power})" if rest.startswith("^") else power
    return f"\\{value}" if _GREEK.fullmatch(str(value)) else str(value)
