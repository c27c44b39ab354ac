"""Reading which constant is the best one: "the largest c with A(c) is 2"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from banditproof.verify.judge.formulas.formula import name
from banditproof.verify.judge.formulas.printing import said
from banditproof.verify.judge.formulas.sentence import Best, Compare, Reading, Unread, names
from banditproof.verify.judge.reading.fields import fields_of

BEST = re.compile(r"\s*(?:the\s+)?(?:largest|greatest|smallest|least|best|optimal|sharpest)\b", re.IGNORECASE)
_ONE = r"(?:(?:ln|log|sqrt|exp)\s)?[^\s,;]+"
PRINTED = re.compile(
    r"\s*(?:the\s+)?(?:(?:best|optimal|sharpest)\s+\(\s*(?:i\.\s?e\.,?\s+)?(?:the\s+)?(?=\w+\)))?"
    r"(?P<which>largest|greatest|smallest|least|best|optimal|sharpest)\)?(?:\s+possible)?"
    r"(?:\s+(?:real\s+)?(?:constant|number|value))?\s+(?P<d>\$?)(?P<name>\\?[A-Za-z]+)(?P=d)"
    r"\s+(?:such\s+that|so\s+that|for\s+which|with|in(?:\s+the\s+inequality)?)\s+(?P<body>.+?)"
    rf"\s+(?:is|equals)\s+(?P<value>\$[^$]+\$|{_ONE}(?:\s*[-+*/=]\s*{_ONE})*)(?P<for>,?\s+for\s.+?)?[\s.]*",
    re.IGNORECASE | re.DOTALL,
)
UP, DOWN = ("largest", "greatest"), ("smallest", "least")


def of_a_best(text: str, reader: Callable[..., Reading], ranges: Mapping[str, str] | str | None) -> Reading | None:
    """The reading of "the largest c with A is 2"; None of another statement."""
    if not isinstance(text, str) or not BEST.match(text.lstrip()):
        return None
    found = PRINTED.fullmatch(text)
    if found is None:
        return None
    reading = _read_best(found, reader, ranges)
    return replace(reading, said=said(reading.sentence, reading.ranges, reading.conditions), tex="")


def _read_best(found: re.Match[str], read: Callable[..., Reading], where: Mapping[str, str] | str | None) -> Reading:
    """The reading of such a statement; `read` reads its parts. Raises Unread."""
    word = found["name"]
    rest, value = f"{found['body']}{found['for'] or ''}", found["value"].strip("$")
    whole = read(rest, {**fields_of(where), word: "R"})
    said = read(value if "=" in value else f"{word} = {value}", {word: "R"})
    c = next(iter(said.ranges), "")
    equation = said.sentence
    if not isinstance(whole.sentence, Compare) or c not in whole.ranges:
        raise Unread(f"the best {word} of what? One comparison with {word} is expected")
    if not isinstance(equation, Compare) or equation.sign != "==" or equation.left != name(c) or names(equation.right):
        raise Unread(f"a number is expected as the best {word}", value, found.start("value"))
    largest = None if found["which"].lower() not in (*UP, *DOWN) else found["which"].lower() in UP
    ranges = {n: r for n, r in whole.ranges.items() if n != c}
    if any(c in names(r.low) | names(r.high) for r in ranges.values()):
        raise Unread(f"a range that depends on {word}")
    return replace(whole, sentence=Best(c, whole.sentence, equation.right, largest), ranges=ranges)
