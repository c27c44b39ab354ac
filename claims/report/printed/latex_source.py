r"""LaTeX with its structure in sight: tokens and arguments as TeX reads them, and macros that hide structure opened.

Tokens are those of pylatexenc. An argument is a group in braces, whatever stands inside it, or one token; a bracket
ends at the first "]" outside of braces. A macro or an environment of the author is opened where its body begins or ends
an environment, declares, numbers or labels something: ``\be`` for ``\begin{equation}``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

OPENED = 10  # macros in the bodies of macros are opened so often
LARGEST = 1 << 22  # characters of what macros may become
_SPECIAL = re.compile(r"[\\{}]")
_STRUCTURE = re.compile(
    r"\\(?:begin|end|newtheorem|declaretheorem|spnewtheorem|part|chapter|(?:sub){0,2}section|appendix|label|tag|notag|"
    r"nonumber|eqno|caption|(?:ref)?stepcounter|setcounter|addtocounter|numberwithin|counterwithin)(?![A-Za-z@])"
)
_DEFINES = re.compile(
    r"\\(?P<how>(?:re)?newcommand|providecommand|DeclareRobustCommand|(?:re)?newenvironment|[gex]?def|"
    r"(?:New|Renew|Provide|Declare)Document(?:Command|Environment))\*?(?![A-Za-z@])"
)
STANDARD = frozenset(
    "begin end newtheorem declaretheorem spnewtheorem part chapter section subsection subsubsection appendix label tag "
    "notag nonumber eqno caption refstepcounter stepcounter setcounter addtocounter numberwithin counterwithin item "
    "document proof".split()
)


class Source:
    """A text of LaTeX, read from any place."""

    def __init__(self, text: str) -> None:
        from pylatexenc.latexwalker import LatexWalker
        from pylatexenc.macrospec import LatexContextDb

        self.text = text
        self._walker = LatexWalker(text, latex_context=LatexContextDb(), tolerant_parsing=True)

    def token(self, at: int) -> Any:
        """The next token behind blanks, with `tok`, `arg`, `pos` and `len`; None at the end."""
        from pylatexenc.latexwalker import LatexWalkerEndOfStream, LatexWalkerParseError

        try:
            return self._walker.get_token(at, environments=False)
        except (LatexWalkerEndOfStream, LatexWalkerParseError):
            return None

    def special(self, at: int) -> Any:
        r"""The next token that is a macro or a brace; None where there is no more."""
        found = _SPECIAL.search(self.text, at)
        return None if found is None else self.token(found.start())

    def argument(self, at: int) -> tuple[str, int]:
        """A group without its braces, or one token; and where it ends."""
        first = self.token(at)
        if first is None:
            return "", len(self.text)
        start = first.pos + first.len
        if first.tok != "brace_open":
            return self.text[first.pos : start], start
        end = self._closing(start, "}")
        return self.text[start:end], end + 1

    def optional(self, at: int) -> tuple[str | None, int]:
        """What stands in brackets, if a bracket comes next; and where it ends."""
        first = self.token(at)
        if first is None or self.text[first.pos] != "[":
            return None, at
        end = self._closing(first.pos + 1, "]")
        return self.text[first.pos + 1 : end], end + 1

    def starred(self, at: int) -> tuple[bool, int]:
        """Whether a star comes next."""
        first = self.token(at)
        if first is not None and self.text[first.pos] == "*":
            return True, first.pos + 1
        return False, at

    def arguments(self, at: int, kinds: str) -> tuple[list[Any], int]:
        """Arguments of these kinds: "*", "[" and "{"."""
        read = {"*": self.starred, "[": self.optional, "{": self.argument}
        got = []
        for kind in kinds:
            value, at = read[kind](at)
            got.append(value)
        return got, at

    def _closing(self, at: int, closer: str) -> int:
        depth, ends = 0, re.compile(r"[\\{}]" if closer == "}" else r"[\\{}\]]")
        while found := ends.search(self.text, at):
            if found[0] == closer and not depth:
                return found.start()
            depth += {"{": 1, "}": -1}.get(found[0], 0)
            at = found.end() + (found[0] == "\\")
        return len(self.text)


@dataclass(frozen=True)
class Definition:
    """What an author defines: arguments, each None or what stands for it where it is left out, and what it becomes."""

    defaults: tuple[str | None, ...]
    body: str
    ending: str | None = None  # of an environment

    def opened(self, given: Sequence[str | None], body: str) -> str:
        """A body with its arguments."""
        values = [d or "" if g is None else g for g, d in zip(given, self.defaults, strict=True)]
        return re.sub(r"#([1-9])", lambda m: values[int(m[1]) - 1] if int(m[1]) <= len(values) else "", body)


@dataclass(frozen=True)
class Definitions:
    """The macros and environments of a text by name, and the places of their definitions."""

    macros: Mapping[str, Definition]
    environments: Mapping[str, Definition]
    places: tuple[tuple[int, int], ...]


def definitions(source: Source) -> Definitions:
    """What the text defines; of several definitions of a name the last."""
    macros, environments, places, at = {}, {}, [], 0
    while found := _DEFINES.search(source.text, at):
        name, definition, at = _definition(source, found["how"], found.end())
        places.append((found.start(), at))
        if definition is not None:
            (macros if definition.ending is None else environments)[name] = definition
    return Definitions(macros, environments, tuple(places))


def _definition(source: Source, how: str, at: int) -> tuple[str, Definition | None, int]:
    name, at = source.argument(at)
    name = name.strip().lstrip("\\")
    if how.endswith("def"):
        brace = source.text.find("{", at)
        parameters = source.text[at:brace].strip() if brace >= 0 else "-"
        body, at = source.argument(brace) if brace >= 0 else ("", len(source.text))
        plain = re.fullmatch(r"(?:#\d)*", parameters)
        return name, Definition((None,) * (len(parameters) // 2), body) if plain else None, at
    ending = None
    if "Document" in how:
        kinds, at = source.argument(at)
        listed = re.findall(r"[mo]|O\s*\{[^{}]*\}", kinds)
        known = re.fullmatch(r"(?:\s|\+|[mo]|O\s*\{[^{}]*\})*", kinds)
        defaults = tuple(None if k == "m" else k[1:].strip(" {}") for k in listed)
    else:
        (count, first), at = source.arguments(at, "[[")
        number = int(count) if (count or "").strip().isdigit() else 0
        defaults, known = ((first, *[None] * (number - 1)) if first is not None else (None,) * number), True
    body, at = source.argument(at)
    if how.lower().endswith("environment"):
        ending, at = source.argument(at)
    return name, Definition(defaults, body, ending) if known else None, at


def opened(lines: Sequence[tuple[str, str]], spoken: re.Pattern[str]) -> list[tuple[str, str]]:
    """Lines with their places, in which the macros and environments that hide structure are opened.

    So are macros without arguments whose body matches `spoken` outside of commands, since readers see these words.
    """
    for _ in range(OPENED):
        source = Source("\n".join(line for _, line in lines))
        known = definitions(source)
        wanted = _hiding(known, spoken)
        pieces = list(_pieces(source, known, wanted)) if wanted else []
        if sum(len(text) for _, text, _ in pieces) > LARGEST or not any(new for *_, new in pieces):
            break
        lines = _placed(lines, pieces)
    return list(lines)


def opened_in(text: str, defined: str) -> str:
    """A piece of a text with every macro opened that `defined` defines."""
    macros = {n: d for n, d in definitions(Source(defined)).macros.items() if n not in STANDARD}
    for _ in range(OPENED):
        pieces = list(_pieces(Source(text), Definitions(macros, {}, ()), macros)) if macros else []
        if sum(len(piece) for _, piece, _ in pieces) > LARGEST or not any(new for *_, new in pieces):
            break
        text = "".join(piece for _, piece, _ in pieces)
    return text


def _hiding(known: Definitions, spoken: re.Pattern[str]) -> dict[str, Definition]:
    r"""The macros to open, and as ``begin NAME`` and ``end NAME`` the environments."""
    macros = {name: d for name, d in known.macros.items() if name not in STANDARD and not name.startswith("the")}
    hiding = {name for name, d in macros.items() if _STRUCTURE.search(d.body)}
    while more := {
        name
        for name, d in macros.items()
        if name not in hiding and any(used in hiding for used in re.findall(r"\\([A-Za-z@]+)", d.body))
    }:
        hiding |= more
    hiding |= {name for name, d in macros.items() if not d.defaults and spoken.search(outside(d.body))}
    wanted = {name: macros[name] for name in hiding}
    for name, d in known.environments.items():
        begins = re.search(r"\\begin\s*\{(\w+\*?)\}", d.body)
        if begins and begins[1] != name and name not in STANDARD:
            wanted |= {f"begin {name}": d, f"end {name}": d}
    return wanted


def outside(body: str) -> str:
    """A macro's words: what stands in no formula and is no command."""
    return re.sub(r"\$[^$]*\$|\\(?:ensuremath|math\w+|operatorname\*?)\s*\{.*\}|\\[A-Za-z]+", "", body)


def _pieces(source: Source, known: Definitions, wanted: Mapping[str, Definition]) -> Iterator[tuple[int, str, bool]]:
    """The text in pieces: where each stands in it, what it becomes, and whether that is new."""
    macros = [re.escape(name) for name in sorted(wanted, key=len, reverse=True) if " " not in name]
    around = [re.escape(name.removeprefix("begin ")) for name in wanted if name.startswith("begin ")]
    uses = [rf"\\(?P<macro>{'|'.join(macros)})(?![A-Za-z@])"] * bool(macros)
    uses += [rf"\\(?P<edge>begin|end)\s*\{{(?P<env>{'|'.join(around)})\}}"] * bool(around)
    pattern, skipped, at = re.compile("|".join(uses)), dict(known.places), 0
    starts = sorted(skipped)
    for use in pattern.finditer(source.text):
        before = bisect_right(starts, use.start()) - 1
        if use.start() < at or before >= 0 and use.start() < skipped[starts[before]]:
            continue
        named = use.groupdict()
        name = named.get("macro") or f"{named['edge']} {named['env']}"
        definition, end, given = wanted[name], use.end(), []
        ends = name.startswith("end ")
        for default in () if ends else definition.defaults:
            one, end = source.argument(end) if default is None else source.optional(end)
            given.append(one)
        if not ends and not definition.defaults and "macro" in named and source.text.startswith("{}", end):
            end += 2
        body = definition.opened([None] * len(definition.defaults) if ends else given,
                                 definition.ending or "" if ends else definition.body)  # fmt: skip
        yield at, source.text[at : use.start()], False
        yield use.start(), body, True
        at = end
    yield at, source.text[at:], False


def _placed(lines: Sequence[tuple[str, str]], pieces: Sequence[tuple[int, str, bool]]) -> list[tuple[str, str]]:
    """The pieces as lines, each with the place where its text begins."""
    offsets = [0, *accumulate(len(line) + 1 for _, line in lines)]
    placed: list[tuple[str, str]] = []
    row, place = "", lines[0][0]
    for start, text, new in pieces:
        at = start
        for part in re.findall(r"[^\n]*\n|[^\n]+", text):
            if not row:
                place = lines[min(bisect_right(offsets, at), len(lines)) - 1][0]
            row += part
            if row.endswith("\n"):
                placed.append((place, row[:-1]))
                row = ""
            at += 0 if new else len(part)
    return [*placed, (place, row)]
