"""Fields beside a statement: `{"q": "(0, 1), q <= p"}` says what `for q in (0, 1), q <= p` says behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from lark import Token

from banditproof.verify.judge.formulas.sentence import Unread
from banditproof.verify.judge.reading.words import CLOSES, KEYS, OPENS, closed, plain_tokens

LATEX = re.compile(r"[$]|\\(?!\s*\{\S*\})")
ASSUMING = {*KEYS} - {"IFF", "IMPLIES", "EXISTS"}  # words behind which more is assumed
ROW = re.compile(r"\s*\d+\s*,[^=<>]*(?:\.\.\.|…|dots)[^=<>]*")  # 1, 2, ...
FROM = re.compile(r"^\s*(integers?|whole numbers?)\s+from\s+(\S.*?)\s+to\s+([^\s,;]+)(?=\s*(?:$|[,;]))", re.IGNORECASE)
TYPES = {"int": "integer", "float": "real"}
_TYPED = re.compile(r"\s*([A-Za-z]\w*)\s*=\s*(int|integers?|float|reals?|positive(?: integer)?)\s*")  # "n = int"
_OTHERWISE = re.compile(r"\s*([A-Za-z]\w*)\s*(?::\s*([\[({].*))?")  # "q: [0, 1]", and a name alone
SETS = re.compile(r"N|Z|R|reals|[NZ]_0|[NZR]_\+?")


def fields_of(where: Mapping[str, str] | str | None) -> dict[str, str]:
    """The fields by the names they speak of; text without names is one field."""
    fields = {"": where} if isinstance(where, str) else dict(where or {})
    if typed := _TYPED.fullmatch(str(fields.get("", ""))):
        fields = {**fields, typed[1]: typed[2]}
        del fields[""]
    for name, text in fields.items():
        if not isinstance(name, str) or not isinstance(text, str):
            raise Unread(f"the range of {name!r} is text such as '[0, 1)'")
        if not name and (other := _OTHERWISE.fullmatch(text)):
            raise Unread(f"{other[1]} has no range here: write {other[1]}={other[2] or '[0, 1]'}")
    return fields


def names_of(*fields: str) -> list[str]:
    """The names of fields: "p, q" speaks of both."""
    return [name for field in fields for part in field.split(",") if (name := part.strip())]


def in_field(field: str, error: Unread) -> Unread:
    """What cannot be read, said of a field."""
    return Unread(f"the range of {field}: {error}" if field else f"beside the statement: {error}", error.token)


def field_tokens(names: Sequence[str], text: str) -> tuple[list[Token], str]:
    """What stands after `for` in a statement, and the form it is written in; a part without a name speaks of all names.

    The tokens have no place, which would be one of another text.
    """
    form = "latex" if LATEX.search(text) else "plain"
    text = TYPES.get(text.strip(), text) if names else text
    text = f"{names[0]} = {text}" if names and ROW.fullmatch(text) else FROM.sub(r"\1 in [\2, \3]", text)
    if form == "latex":
        from banditproof.verify.judge.reading.latex_words import latex_tokens

        found = latex_tokens(text, names)
    else:
        found = plain_tokens(text, names)
    of = [Token("NAME", word) for name in names for word in (",", name)][1:]
    of = [Token("COMMA", ",") if word == "," else word for word in of]
    told: list[Token] = []
    for part in _parts(found):
        told += [Token("COMMA", ",")] * bool(told) + _named(part, of)
    return [Token(t.type, str(t)) for t in told], form


def _parts(found: Sequence[Token]) -> Iterator[list[Token]]:
    """The parts of a list, which commas and words divide."""
    part: list[Token] = []
    depth = 0
    for token in found:
        depth += (token.type in OPENS) - (token.type in CLOSES)
        if depth or token.type not in ("COMMA", "AND", *ASSUMING):
            part.append(token)
        elif part:
            yield part
            part = []
    if part:
        yield part


def _named(part: list[Token], names: list[Token]) -> list[Token]:
    """A part that begins with "in", a sign, or a set, with the names before it; a formula alone is what they are."""
    at = next((i for i, t in enumerate(part) if t.type != "MARK"), len(part))
    marks, rest = part[:at], part[at:]
    if not rest or rest[0].type in ("SIGN", "IN"):
        return [*marks, *names, *rest]
    if _is_set(rest, names):
        return [*marks, *names, Token("IN", "in"), *rest]
    if (
        marks
        or not names
        or rest[0] in names
        or len(rest) == 1
        and rest[0].type != "NUMBER"
        or any(t.type in ("SIGN", "IN", "ARROW", "COLON") for t in rest)
    ):
        return part
    return [*names, Token("SIGN", "=="), *rest]


def _is_set(rest: Sequence[Token], names: Sequence[Token]) -> bool:
    """Whether an interval, a set in braces, or a set by its name stands alone here."""
    end = closed(rest, 0) if rest[0].type in ("LPAR", "LSQB", "LCURLY") else 0
    if end < 0 or any(t.type not in ("MARK", "WITHOUT", "POW") for t in rest[end + 1 : end + 2]):
        return False
    if end:
        return rest[0].type == "LCURLY" or any(t.type == "COMMA" for t in rest[:end])
    return rest[0].type == "SET" or rest[0] not in names and bool(SETS.fullmatch(rest[0]))
