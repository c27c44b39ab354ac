r"""The statements that a copy of a paper prints under a number: what a catalogue of it begins with.

From LaTeX they are its environments, with the numbers that its counters give; from a PDF or a text the headings at the
beginnings of lines ("Theorem 3.2 (Name).") and the numbers at their ends ("(17)", ``\tag{17}``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from banditproof.claims.report.printed.copies import Copy
from banditproof.claims.report.printed.words import MATHS

_SAME = ("theorem", "lemma", "proposition", "corollary", "definition", "algorithm", "remark", "assumption")
KINDS = {name: name for name in _SAME}
KINDS |= {"fact": "lemma", "claim": "lemma", "conjecture": "statement", "protocol": "algorithm"}
"""The word of a heading, and the kind of its item in a catalogue."""
LETTERS = {"theorem": "T", "lemma": "L", "proposition": "P", "corollary": "C", "definition": "D", "algorithm": "A"}
LETTERS |= {"remark": "R", "assumption": "AS", "equation": "EQ", "statement": "S"}
LONGEST = 6000  # characters of a statement whose end nothing shows


@dataclass(frozen=True)
class Printed:
    """A statement with a number, and where it stands.

    Attributes:
        kind: theorem, lemma, ..., algorithm or equation.
        word: what the paper calls it ("Claim"), and ``number`` its number; "(17)" is the equation 17.
        name: in brackets behind the number; empty where there is none.
        section: the number of the section it stands in; empty before the first.
        start, end: its characters in the text of the copy.
    """

    kind: str
    word: str
    number: str
    name: str
    section: str
    start: int
    end: int

    @property
    def called(self) -> str:
        """As the paper refers to it."""
        return f"({self.number})" if self.kind == "equation" else f"{self.word} {self.number}"

    @property
    def id(self) -> str:
        """The end of its id: 'T3.2'."""
        return LETTERS[self.kind] + self.number


def printed_statements(copy: Copy) -> list[Printed]:
    """The numbered statements of a copy in their order, each number of a word once."""
    statements = _of_latex(copy.text, copy.preamble) if copy.path.suffix.lower() == ".tex" else _of_text(copy.text)
    once: dict[tuple[str, str], Printed] = {}
    for one in sorted(statements, key=lambda p: p.start):
        once.setdefault((one.word.lower(), one.number), one)
    return list(once.values())


# ----------------------------------------------------------------------------------------------------------------- text

_WORDS = "|".join(KINDS)
_NUMBER = r"(?:[A-Z]{0,2}\.?\d+(?:\.\d+)*[a-z]?|[A-Z](?:\.\d+)+|[IVX]+)"
_NAME = r"\((?:[^()\n]|\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*\))*\)"
_HEADING = re.compile(
    rf"^[ \t]*(?:#+[ \t]*|\|[ \t]*)?(?P<marks>\*{{0,3}})(?P<word>{_WORDS})[ \t\u00a0~]+(?P<number>{_NUMBER})(?![\w.]\w)"
    rf"\*{{0,3}}[ \t]*(?:(?P<stop>[.:](?=[*\s])|$)|(?P<name>{_NAME}|\(.*\)(?=\.?[ \t]*$)))?"
    r"(?P<rest>[^\n]*)",
    re.MULTILINE | re.IGNORECASE,
)
_SECTION = re.compile(
    r"^[ \t]*(?:#+[ \t]*)?\*{0,2}(?:(?:section|appendix|chapter)[ \t]+)?(?P<number>\d+(?:\.\d+)*|[A-Z](?:\.\d+)*)\.?"
    r"\*{0,2}[ \t]+\*{0,2}(?P<title>[A-Z][^\n=<>|$\\]{2,80})$",
    re.MULTILINE,
)
_NUMBERED = re.compile(
    rf"\\tag\*?\{{(?P<tag>{_NUMBER})\}}|(?<=[ \t]{{3}})\((?P<number>{_NUMBER})\)[ \t]*$"
    rf"|^[ \t]*\((?P<alone>\d+(?:\.\d+)*)\)[ \t]*$"
    rf"|(?<=[ \t])\((?P<inside>{_NUMBER})\)[ \t]*(?:\$\$|\\\])[ \t]*$"
    r"|(?<=[ \t])\((?P<next>\d+)\)[ \t]*$",
    re.MULTILINE,
)
_RELATION = re.compile(r"[=<>≤≥∼≜≡≈]|\\[a-z]")
_BREAK = re.compile(r"\n[ \t]*\*{0,3}Proofs?\b[^\n]*|\n[ \t]*#+[ \t]|\n[ \t]*\n[ \t]*\n", re.IGNORECASE)


def _of_text(text: str) -> Iterator[Printed]:
    sections = [(m.start(), m["number"]) for m in _in_order(_SECTION.finditer(text))]
    headings = [m for m in _HEADING.finditer(text) if _heads(text, m)]
    starts = sorted([m.start() for m in headings] + [start for start, _ in sections])
    for heading in headings:
        after = next((s for s in starts if s > heading.start()), len(text))
        broken = _BREAK.search(text, heading.end(), after)
        end = min(after, broken.start() if broken else after, heading.start() + LONGEST)
        if heading["word"].lower() in ("algorithm", "protocol"):
            end = min(after, heading.start() + LONGEST)
        name = (heading["name"] or "")[1:-1]
        if not name and heading["word"].lower() in ("algorithm", "protocol"):
            name = heading["rest"].strip(" \t.*|")
        yield _printed(heading["word"], heading["number"], name, _at(sections, heading.start()), heading.start(), end)
    last = 0  # after one blank a number is that of an equation where it is the next one, behind a relation
    for equation in _NUMBERED.finditer(text):
        number = equation["tag"] or equation["number"] or equation["alone"] or equation["inside"] or equation["next"]
        if equation["next"]:
            line = text[text.rfind("\n", 0, equation.start()) + 1 : equation.start()]
            if not last < int(number) <= last + 3 or not _RELATION.search(line):
                continue
        last = int(number) if number.isdigit() else last
        start = text.rfind("\n\n", max(0, equation.start() - LONGEST), equation.start()) + 2
        yield _printed("equation", number, "", _at(sections, equation.start()), max(start, 0), equation.end())


def _heads(text: str, match: re.Match[str]) -> bool:
    """Whether this begins a statement, and is no reference that happens to begin a line."""
    stop, rest = match["stop"], match["rest"].strip(" \t.*|")
    before = text[text.rfind("\n", 0, max(0, match.start() - 1)) + 1 : max(0, match.start() - 1)].strip()
    if not match["word"][0].isupper():
        return False
    marked = bool(match["marks"]) or "#" in match[0][: match.start("word") - match.start()]
    if KINDS[match["word"].lower()] == "algorithm" and rest and stop is None:  # its name stands behind the number
        return marked or not rest[0].islower() and not match["rest"].rstrip().endswith((".", ",", ":"))
    if not rest and (stop or match["name"]) or marked and (stop is not None or match["name"]) or stop == ":":
        return True
    return (stop is not None or match["name"] is not None) and (not before or bool(stop) and before[-1] in ".:;)*|$}")


def _in_order(headings: Iterable[re.Match[str]]) -> Iterator[re.Match[str]]:
    """Headings of sections whose numbers rise: others are lines of a table, of a list or of a formula."""
    last: tuple[int, ...] = ()
    for one in headings:
        parts = one["number"].split(".")
        place = tuple(int(p) if p.isdigit() else 100 + ord(p) for p in parts)
        first_letter_in_order = place[0] < 100 or last and place[0] - max(last[0], 164) <= 1
        if place > last and (not last or place[0] - last[0] <= 1 or place[0] == 165) and first_letter_in_order:
            last = place
            yield one


def _at(sections: list[tuple[int, str]], start: int) -> str:
    return next((number for place, number in reversed(sections) if place <= start), "")


def _printed(word: str, number: str, name: str, section: str, start: int, end: int) -> Printed:
    kind = KINDS.get(word.lower(), word.lower())
    return Printed(kind, word.capitalize(), number, name, section, start, end)


# ---------------------------------------------------------------------------------------------------------------- LaTeX

_DECLARED = re.compile(
    r"\\(?:newtheorem|declaretheorem)(?P<star>\*?)(?:\[(?P<options>[^\]]*)\])?\{(?P<env>\w+)\}"
    r"(?:\[(?P<shared>\w+)\])?(?:\{(?P<word>[^{}]*)\})?(?:\[(?P<within>\w+)\])?"
)
_STEP = re.compile(
    r"\\(?P<level>chapter|section|subsection|subsubsection)(?P<bare>\*?)(?:\[[^\]]*\])?\{"
    r"|\\appendix\b"
    r"|\\begin\{(?P<env>[A-Za-z]+\*?)\}(?:\{(?P<restated>\w+)\})?(?:\[(?P<name>(?:[^\[\]]|\[[^\]]*\])*)\])?"
)
_LEVELS = ("chapter", "section", "subsection", "subsubsection")
_DISPLAYED = re.compile(rf"(?:{MATHS})")


def _of_latex(text: str, preamble: str) -> Iterator[Printed]:
    """Environments by their counters, as LaTeX counts them; displayed formulas that have a label or a tag."""
    words, shared, within = _declared(preamble + text)
    counters: dict[str, int] = dict.fromkeys(_LEVELS, 0)
    top = "chapter" if re.search(r"\\chapter\b", text) else "section"
    appendix = False

    def of_section(level: str) -> str:
        shown = _LEVELS[_LEVELS.index(top) : _LEVELS.index(level) + 1]
        numbers = [str(counters[name]) for name in shown]
        if appendix and numbers:
            numbers[0] = chr(64 + max(1, counters[top]))
        return ".".join(numbers)

    deepest = top
    for step in _STEP.finditer(text):
        if step[0] == r"\appendix":
            appendix, counters[top] = True, 0
            continue
        if level := step["level"]:
            if not step["bare"]:
                counters[level] += 1
                deepest = level
                for inner in _LEVELS[_LEVELS.index(level) + 1 :]:
                    counters[inner] = 0
                for counter, outer in within.items():
                    if outer in _LEVELS and _LEVELS.index(outer) >= _LEVELS.index(level):
                        counters[counter] = 0
            continue
        env = step["restated"] if step["env"] in ("restatable", "thmrestate") else step["env"]
        end = text.find(rf"\end{{{step['env']}}}", step.end())
        end = len(text) if end < 0 else end
        section = of_section(deepest) if counters[top] else ""
        if env in words:
            counter = shared.get(env, env)
            counters[counter] = counters.get(counter, 0) + 1
            outer = within.get(counter)
            prefix = f"{of_section(outer)}." if outer in _LEVELS else ""
            word = words[env]
            if word.lower() in KINDS:
                name = step["name"] or ""
                yield _printed(word, f"{prefix}{counters[counter]}", name, section, step.start(), end)
        elif _DISPLAYED.fullmatch(env):
            for tag in re.findall(r"\\tag\*?\{([^{}]*)\}", text[step.end() : end]):
                yield _printed("equation", tag, "", section, step.start(), end)
            labels = len(re.findall(r"\\label\{", text[step.end() : end]))
            counters["equation"] = counters.get("equation", 0)
            rows = 1 if env in ("equation", "multline") else text.count("\\\\", step.end(), end) + 1
            unnumbered = len(re.findall(r"\\(?:nonumber|notag|tag)\b", text[step.end() : end]))
            for row in range(max(0, rows - unnumbered)):
                counters["equation"] += 1
                if labels and (labels > 1 or row == 0):
                    yield _printed("equation", str(counters["equation"]), "", section, step.start(), end)


def _declared(text: str) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """The words that environments print, the counters that they share, and within what these count."""
    words = {"algorithm": "Algorithm"} | {name: name.capitalize() for name in KINDS}
    shared: dict[str, str] = {}
    within: dict[str, str] = {}
    for match in _DECLARED.finditer(text):
        env, options = match["env"], dict(re.findall(r"(\w+)\s*=\s*\{?([\w ]+)\}?", match["options"] or ""))
        if match["star"]:
            words.pop(env, None)
            continue
        words[env] = (match["word"] or options.get("name") or options.get("title") or env).strip()
        if sibling := match["shared"] or options.get("sibling") or options.get("sharecounter"):
            shared[env] = shared.get(sibling, sibling)
        if outer := match["within"] or options.get("within") or options.get("numberwithin"):
            within[env] = outer
    return words, shared, within
