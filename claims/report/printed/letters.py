r"""What a paper has said of its letters before a formula: their ranges, and what a function is.

It helps to draft a formula, and never to judge it: a later section may use the letter for something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from banditproof.claims.report.printed.formulas import AROUND, links_of, sides_of
from banditproof.claims.report.printed.quantities import shared
from banditproof.claims.report.printed.words import FORMULA
from banditproof.verify.judge.formulas.sentence import Unread
from banditproof.verify.judge.reading.latex_signs import BEFORE_BRACKETS, LETTER_FUNCTIONS, LETTERS, ORDERS
from banditproof.verify.judge.reading.readers import read

GUESS = "(0, inf)"
GUESSES = 12  # letters of one formula without a range
LONGEST = 80  # characters of a condition
EXAMPLE = re.compile(r"\s*\((?:\\emph\{)?e\.\s*g\.[^()]*(?:\([^()]*\)[^()]*)*\)")
"""A remark in brackets, which limits nothing: (e.g. $x\\le1$)."""
_NAME = (
    r"(?:\\(?:mathrm|textrm|operatorname)\{[a-zA-Z]+\}|\\(?!m?left|m?right|big)[a-zA-Z]+|[a-zA-Z])"
    r"(?:_(?:\w|\{(?:[\w,]+|\\[a-z]+)\}|\\[a-z]+))?"
)
_NAMES = rf"\s*{_NAME}(?:\s*,\s*{_NAME})*\s*"
_OPEN, _CLOSE = r"(?:\\!)?(?:\\m?left|\\[bB]igg?l?)?\s*\(", r"(?:\\m?right|\\[bB]igg?r?)?\s*\)"
_STARS = r"\^\{?(?:\\star|\*|\\prime)+\}?"
_AT = rf"{_NAME}(?:'|{_STARS})*"
_DEFINED = re.compile(
    rf"\s*(?P<name>{_NAME})\s*{_OPEN}\s*(?P<at>{_AT}(?:\s*,\s*{_AT})*)\s*{_CLOSE}\s*"
    r"(?::=|=|\\coloneqq|\\eqdef|\\triangleq|\{\\triangleq\})"
)
_MAPPED = re.compile(rf"\s*(?P<name>{_NAME})\s*(?::|\\colon)\s*(?P<at>{_NAME})\s*\\mapsto(?P<value>.*)", re.DOTALL)
_BETWEEN = re.compile(rf"\s*(?P<name>{_NAME})\s*(?::|\\colon).*\\(?:to|rightarrow)(?![a-z])", re.DOTALL)
_APPLIED = re.compile(
    rf"(?<![a-zA-Z\\])(?P<name>{_NAME})(?:'|\^\{{?(?:\\prime)+\}}?)*\s*{_OPEN}(?P<alone>\s*-?(?:{_NAME}|\d+)\s*{_CLOSE})?"
)
_SQUARED = re.compile(r"(?<![a-zA-Z\\])(\\ell|[a-zA-Z])\s*(?=\(\s*\1\s*[+-]\s*\d+\s*\))")
"""A letter before brackets with the same letter, a product: \\ell(\\ell+1)."""
_NAMED = re.compile(
    rf"(?<!\bthe )\bfunctions?\s+\$\s*({_NAME})\s*\$|\$\s*({_NAME})\s*\$(?![^.$]{{1,20}}\bthe )[^.$]{{1,20}}\bfunction"
)
_IS = re.compile(
    rf"\s*(?P<name>{_NAME})\s*(?P<sign>:=|=|\\coloneqq|\\eqdef|\\triangleq|\{{\\triangleq\}})(?P<value>.*)", re.DOTALL
)
_PUT = re.compile(r"\b(?:where|with|let|put|set|define|denote|write)(?: us)?(?: also)?[\s,~]*$", re.IGNORECASE)
"""Before a formula that says what a letter is."""
_FIXED = re.compile(
    r"\b(?:let|fix|suppose|assume|given|with|where|for(?: (?:all|any|every|each))?)(?: that)?[\s,~]*$", re.IGNORECASE
)
"""Before a formula that compares letters from here on."""
_ACCENTED = r"\\(?:hat|tilde|bar|widehat|widetilde|check)\s*(?:\{\\?[a-zA-Z]+\}|\\[a-zA-Z]+|[a-zA-Z](?![a-zA-Z]))"
_IS_ACCENTED = re.compile(_ACCENTED)
_BOLD = r"\\(?:mathcal|mathbf|boldsymbol|bm)\s*(?:\{[^{}]*\}|\\?[a-zA-Z]+)"
_BRACES = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
_UPPER = r"\^\{?[ijbLR]\}?(?![a-zA-Z])"
"""Behind or before a lower index, an upper one and no power."""
_ATOM = re.compile(
    rf"(?<![a-zA-Z\\])(?P<stem>{_ACCENTED}|{_NAME}|[a-zA-Z](?=_))"
    rf"(?P<index>(?:'|_{_BRACES}|_\w|{_UPPER}|{_STARS})*)(?P<at>\s*{_OPEN}[^()]*{_CLOSE})?"
)
"""A letter with what belongs to it: an accent, an index, what it is taken at."""
_LISTED = re.compile(
    rf"\s*{_OPEN}(?:[^(),]*,[^()]*|\s*-?(?:{_NAME}(?:_{_BRACES})?(?:'|{_STARS})*|{_BOLD}|\d+)\s*){_CLOSE}"
)
_KNOWN = ("{kl", "{KL", "{TV", "{Pr")
_FUNCTIONS = {"e", "d", "D", *ORDERS, *LETTER_FUNCTIONS, *BEFORE_BRACKETS}
_BOUND = re.compile(
    r"\\(?:sum|prod|int|inf|sup|lim\w*|arg\w*|mathbb|mathcal|mathds|mid|exists|forall)(?![a-zA-Z])"
    r"|\\(?:max|min)\s*(?:\\limits\s*)?_"
)
_NO_NUMBERS = re.compile(
    r"\\top(?![a-z])|(?:TV|KL)\}*\s*(?:\\left)?\((?!\s*\\(?:mathcal|mathrm|text))[^(),]*?\\(?:middle\s*\\)?(?:\||parallel)"
    r"|(?:TV|KL)\}*\s*(?:\\left)?\(\s*[A-Z]|\(\s*(?:\\?[a-z]+\s*\(\s*)?[A-Z](?:'|_\w|_\{[^{}]*\})*\s*\)?\s*(?:\\(?:middle\s*\\)?(?:\||parallel))"
    rf"|[A-Z](?:_(?:\w|{_BRACES}))?\^(?:c|\{{c\}})(?![a-zA-Z_^])"
    r"|(?<![a-zA-Z\\])I_(?:d|\{d\})|\}_\w\^(?:T|\{T\})"
    rf"|(?<![a-zA-Z\\])[a-df-zA-Z](?:_(?:\w|{_BRACES}))?'?\^(?:T|\{{T\}})(?![_^])"
)
"""Entries of vectors, laws that a divergence or a distance is taken of, events that do not happen, transposes, runs."""
_MATRIX = re.compile(r"\\det\s*(?:\\left)?\(\s*([A-Z])\s*(?:\\right)?\)")
_PLAIN_INDEX = re.compile(r"_(?:\w|\{[\w,]+\}|\{?\\[a-z]+\}?)")
_SIGN = re.compile(r"\\(?:in|[lg]eq?(?:slant)?)(?![a-zA-Z])|[<>]")
_OF_A_LAW = re.compile(r"\\Pr(?![a-z])|\\math(?:bb|rm|sf)\s*\{?[PEV]|\\(?:mathrm|operatorname)\{Var\}")
_LAW = re.compile(r"\s*([A-Z](?:_\w)?)\s*\\sim\s*[^=<>]*")
_RANGE = re.compile(r"(\S+) = \1(?: when (?P<when>.*))? for (?P<ranges>.*)")
_LETTER = re.compile(r"[a-zA-Z][\w']*")
_NO_VALUE = re.compile(rf",|\\(?:[lc]?dots|arg|sup|inf|max_|min_|in|mid|sim|approx|to)(?![a-z])|\\\{{|&|{_BOLD}\s*\(")
_ONE = re.compile(r"(integer )?(\S+) in (.*)")


@dataclass(frozen=True)
class Guessed:
    """A formula as it reads alone: in one line, and the letters whose ranges are printed before or guessed."""

    said: str
    printed: tuple[str, ...]
    guessed: tuple[str, ...]
    functions: tuple[str, ...]  # and letters that are defined
    numbers: tuple[tuple[str, str], ...] = ()  # letters in place of what is one number, with what is printed

    @property
    def notes(self) -> str:
        """What has to be known of it."""
        told = [f"The ranges of {', '.join(self.printed)} are printed before."] if self.printed else []
        told += [f"${name}$ is ${printed}$, read as one number." for name, printed in self.numbers]
        told += [f"The definitions of {', '.join(self.functions)} are those of the paper."] if self.functions else []
        return " ".join([*told, *([f"The ranges of {', '.join(self.guessed)} are guesses."] if self.guessed else [])])


@dataclass
class Letters:
    """What was said so far: ranges and conditions as `judge` calls them; functions, and values of letters, in LaTeX."""

    ranges: dict[str, str] = field(default_factory=dict)
    conditions: set[str] = field(default_factory=set)
    functions: dict[str, str] = field(default_factory=dict)  # '' where no formula says what it is
    values: dict[str, str] = field(default_factory=dict)  # within a paragraph: elsewhere the letter is another number
    laws: dict[str, str] = field(default_factory=dict)  # of random variables
    elsewhere: Mapping[tuple[str, int], str] = field(default_factory=dict)  # functions of so many arguments
    matrices: set[str] = field(default_factory=set)  # of the last text
    said: Letters | None = None  # by a person, of the whole paper

    def learn(self, text: str) -> None:
        """Take in what a text says, the last of which counts, unless a person has said something else."""
        self._learn(text)
        if self.said is not None:
            self.ranges |= self.said.ranges
            self.functions |= self.said.functions
            self.values = {n: v for n, v in self.values.items() if n.lstrip("\\") not in self.said.ranges}
            self.values |= self.said.values

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known of any letter."""
        return not (self.ranges or self.functions or self.values)

    def _learn(self, text: str) -> None:
        """Take in what a text says."""
        text = EXAMPLE.sub("", text)
        self.matrices = set(_MATRIX.findall(text))
        self.functions |= {m[1] or m[2]: "" for m in _NAMED.finditer(text)}
        behind, put, fixed = 0, False, False
        for found in FORMULA.finditer(text):
            formula, between = AROUND.sub("", found[0]).strip(), text[behind : found.start()]
            goes_on, behind = not between.strip(" ,~").removeprefix("and"), found.end()
            put, fixed = (
                bool(word.search(between)) or before and goes_on for word, before in ((_PUT, put), (_FIXED, fixed))
            )
            if m := _LAW.fullmatch(formula.rstrip(" .,;")):
                self.laws[m[1]] = m[0]
            elif name := self._defines(formula):
                self.functions[name] = formula.rstrip(" .,;")
            elif m := _MAPPED.match(formula):
                self.functions[m["name"]] = f"{m['name']}({m['at']}) = {m['value'].strip(' .,;')}"
            elif m := _BETWEEN.match(formula):
                self.functions.setdefault(m["name"], "")
            elif (m := _IS.match(formula)) and (put or m["sign"] != "=") and _is_value(m["name"], m["value"]):
                self.values[m["name"]] = formula.rstrip(" .,;")
            elif len(formula) < LONGEST:
                self._limit(formula, fixed)

    def _defines(self, formula: str) -> str:
        """The name of the function that a formula defines; of what has several arguments a later equation is a claim.

        Another definition by cases takes the place of the one before, as a paper prints one for each order of them.
        """
        m, name = _DEFINED.match(formula), _defined(formula)
        known = self.functions.get(name, "")
        again = m and known and known != formula.rstrip(" .,;") and "," in m["at"] and "\\begin{cases}" not in formula
        return "" if again else name

    def _limit(self, formula: str, fixed: bool) -> None:
        """Take in the ranges of a condition; an end that it leaves open is the one that was printed before."""
        sides = [side.strip(" .,;\\") for side in _SIGN.split(formula)]
        for name, values, conditions in _limits(formula, fixed):
            if self.functions.get(name) and not fixed:
                continue  # what is said of the values of a function
            if len(sides) > 2 and name in (sides[0], sides[-1]) and name in self.ranges:
                values = self.ranges[name]  # which bounds another letter
            self.values = {n: v for n, v in self.values.items() if n.lstrip("\\") != name}
            self.conditions = {c for c in self.conditions if name not in _LETTER.findall(c)} | set(conditions)
            known, (low, _, high) = self.ranges.get(name, ""), values.partition(",")
            before = known.partition(",")
            if known and low == "(-inf":
                low = before[0]
            if known and high == " inf)" and conditions and not before[0].startswith("integer"):
                high = before[2]
            self.ranges[name] = f"{low},{high}"

    def _unknown(self, applied: re.Match[str]) -> bool:
        """Whether f(x) is a value of a function that nothing defines, and so no product."""
        name = applied["name"]
        letter = not name.startswith("\\") or name[1:].partition("_")[0] in LETTERS.keys() - LETTER_FUNCTIONS
        known = self._known(name, _arguments(applied))
        return not known if known or name in self.functions else letter and applied["alone"] is not None

    def missing(self, formula: str) -> list[str]:
        """The functions of a formula of which nothing says what they are, as they are printed there."""
        found = [m for m in _APPLIED.finditer(formula) if self._unknown(m)]
        return list(dict.fromkeys(f"${m['name']}({', '.join(['.'] * _arguments(m))})$" for m in found))

    def _known(self, name: str, count: int) -> str:
        """What a function of so many arguments is: what was said before, or the only thing that is said of it."""
        definition = self.functions.get(name, "")
        m = _DEFINED.match(definition)
        return definition if m and m["at"].count(",") + 1 == count else self.elsewhere.get((name, count), definition)

    def _used(self, formula: str, letters: bool, within: tuple[str, ...] = ()) -> list[str]:
        """The definitions of functions, and of `letters`, that a formula uses, each behind those that it uses."""
        used: list[str] = []
        calls = [m for m in _APPLIED.finditer(formula) if m["name"] != r"\Phi"]
        applied, alone = [m["name"] for m in calls], {m["name"] for m in calls if m["alone"]}
        counts = {m["name"]: _arguments(m) for m in calls}
        found = {name: _bare(name, formula) for name in (*applied, *(self.values if letters else ()))}
        own = m["name"] if (m := _IS.match(formula)) else ""
        for name, bare in found.items():
            definition = self._known(name, counts[name]) if name in applied else self.values[name]
            is_used = bare == applied.count(name) if name in applied else bare and name != own
            factor = name in applied and name not in alone and name.lstrip("\\") in self.ranges
            if factor and "," not in definition.partition(")")[0]:
                continue  # a number before brackets, though a function had its name before
            if definition and is_used and definition not in used and name not in within:
                body = definition[len(m[0]) :] if (m := _DEFINED.match(definition)) else definition.partition("=")[2]
                inner = self._used(body, letters, (*within, name))
                used += [d for d in (*inner, definition) if d not in used]
        return used

    def guessed(self, formula: str) -> Guessed | None:
        """A formula as it reads alone, with the ranges that were printed before, and a guess where there is none.

        Where it does not read, each letter with an index of its own is one number, if nothing binds it, and so is the
        value of a function that nothing defines, if both sides have it.
        """
        if self._defines(formula):
            return None
        if _NO_NUMBERS.search(formula) or any(_bare(m, formula) for m in self.matrices):
            return self._shared(formula)
        formula = _SQUARED.sub(r"\1 \\cdot ", formula)
        atoms = list(_ATOM.finditer(formula))
        unknown = *map(self._unknown, _APPLIED.finditer(formula)), *map(self._taken, atoms), *map(_raised, atoms)
        if not any(unknown) and (found := self._read(formula, {})):
            return found
        numbers: dict[str, str] = {}
        short = _ATOM.sub(lambda m: self._number(m, formula, numbers), formula)
        values = {numbers["".join(m[0].split())] for m in atoms if self._taken(m)}
        if numbers and not _BOUND.search(formula) and _on_both(values, short) and (found := self._read(short, numbers)):
            return found
        return self._shared(formula)

    def _shared(self, formula: str) -> Guessed | None:
        """A comparison of which both sides have the same means, chances, sums and the like, one number each."""
        if len(sides := sides_of(formula)) != 2 or not (found := shared(formula, (sides[0], sides[1]))):
            return None
        short, numbers = found
        return self.guessed_with(short, {name: printed for printed, name in numbers.items()})

    def guessed_with(self, formula: str, quantities: Mapping[str, str]) -> Guessed | None:
        """A formula in which some letters stand for quantities already."""
        if _BOUND.search(formula) or not (found := self.guessed(formula)):
            return None
        return replace(found, numbers=(*quantities.items(), *found.numbers))

    def _taken(self, atom: re.Match[str]) -> bool:
        """Whether a letter is taken at something as a function is that nothing defines: N_a(T), and not n_0(a - 1)."""
        at = atom["at"] or ""
        return _is_letter(atom) and not self._known(atom["stem"], at.count(",") + 1) and bool(_LISTED.fullmatch(at))

    def _number(self, atom: re.Match[str], formula: str, numbers: dict[str, str]) -> str:
        """A letter for what is one number, or the text as it stands: N_1 for N_a(T), V_1 for V_{t-1}."""
        base, at, taken = atom["stem"].partition("_")[0], atom["at"] or "", self._taken(atom)
        if not _is_letter(atom):
            return atom[0]
        if (
            not taken
            and not _raised(atom)
            and all(map(_PLAIN_INDEX.fullmatch, re.findall(rf"_{_BRACES}", atom["index"])))
        ):
            return atom[0]
        whole = "".join((atom[0] if taken else atom[0].removesuffix(at)).split())
        if whole not in numbers:
            used = re.findall(rf"{re.escape(base)}_\{{?(\d+)", f"{formula} {' '.join(numbers.values())}")
            numbers[whole] = f"{base}_{{{max(map(int, used), default=0) + 1}}}"
        return numbers[whole] + ("" if taken else at)

    def _read(self, formula: str, numbers: Mapping[str, str]) -> Guessed | None:
        """What the reader makes of a formula, in which letters stand for numbers; it need not know what these are."""
        known = self._used(formula, letters=False)
        more = self._used(formula, letters=True)
        return (more != known and self._read_with(more, formula, numbers)) or self._read_with(known, formula, numbers)

    def _read_with(self, known: Sequence[str], formula: str, numbers: Mapping[str, str]) -> Guessed | None:
        """The same with definitions, as functions that are named by a macro of the paper have them, too."""
        lets = "".join(f"Let ${one}$. " for one in known)
        text = f"{lets}Then ${formula}$." if lets and not formula.startswith("\\begin") else f"{lets}{formula}"
        laws = [law for name, law in self.laws.items() if _bare(name, formula) and _OF_A_LAW.search(formula)]
        if laws:
            text = f"{lets}{'Then ' * bool(lets)}${formula}$" + "".join(f" for ${law}$" for law in laws)
        names = [m["name"] for one in known if (m := _DEFINED.match(one) or _IS.match(one))]
        for macro in (n for n in names if re.fullmatch(r"\\[a-zA-Z]+", n) and n[1:] not in LETTERS):
            text = re.sub(rf"{re.escape(macro)}(?![a-zA-Z])", rf"\\operatorname{{{macro[1:]}}}", text)
        where: dict[str, str] = {}
        if laws:  # the formula of a probability depends on them
            stems = {m["stem"].lstrip("\\") for m in _ATOM.finditer(f"{formula} {laws}")}
            where = {name: values for name, values in self.ranges.items() if name in stems}
        for _ in range(GUESSES):
            try:
                said = read(text, where, "latex").said
            except Unread as error:
                if "has no range" not in str(error) or error.token in where:
                    return None
                where[error.token] = self.ranges.get(error.token, GUESS)
            else:
                printed = tuple(name for name in where if name in self.ranges)
                guesses = tuple(n for n in where if n not in printed)
                said = self._limited(text, where) or said
                return Guessed(said, printed, guesses, tuple(names), tuple((v, k) for k, v in numbers.items()))
        return None

    def _limited(self, text: str, where: Mapping[str, str]) -> str:
        """The same with the conditions that were printed of its letters, "" where there is none."""
        held = sorted(c for c in self.conditions if where.keys() >= {*_LETTER.findall(c)})
        try:
            return read(text, {**where, "": ", ".join(held)}, "latex").said if held else ""
        except Unread:
            return ""


def _arguments(applied: re.Match[str]) -> int:
    """How many arguments a function is taken at."""
    depth, count = 0, 1
    for sign in re.finditer(r"[({[\])},]", applied.string[applied.end("name") :]):
        depth += {"(": 1, "{": 1, "[": 1, ",": 0}.get(sign[0], -1)
        count += sign[0] == "," and depth == 1
        if not depth:
            break
    return count


def _on_both(values: Iterable[str], formula: str) -> bool:
    """Whether each comparison has these on both of its sides or on none: on one alone, it says what they are."""
    sides = map(sides_of, links_of(formula) or [formula])
    return all(len({value in side for side in two}) == 1 for two in sides if two for value in values)


def said_once(texts: Iterable[str]) -> dict[tuple[str, int], str]:
    """The functions of several arguments of which the texts print one definition alone."""
    found: dict[tuple[str, int], set[str]] = {}
    for formula in (AROUND.sub("", m[0]).strip() for text in texts for m in FORMULA.finditer(text)):
        if (name := _defined(formula)) and (m := _DEFINED.match(formula)) and "," in m["at"]:
            found.setdefault((name, m["at"].count(",") + 1), set()).add(formula.rstrip(" .,;"))
    return {key: forms.pop() for key, forms in found.items() if len(forms) == 1}


def _raised(atom: re.Match[str]) -> bool:
    """Whether it has an upper index beside a lower one."""
    return "_" in atom["stem"] + atom["index"] and bool(re.search(_UPPER, atom["index"])) and _is_letter(atom)


def _is_letter(atom: re.Match[str]) -> bool:
    """Whether it begins with a letter that is no function of `judge`."""
    base = atom["stem"].partition("_")[0]
    known = base[0] != "\\" or base[1:] in LETTERS or bool(_IS_ACCENTED.match(base))
    return known and base.lstrip("\\") not in _FUNCTIONS


def _defined(formula: str) -> str:
    """The name of the function that a formula defines, where it says nothing else: f of f(x) = x^2."""
    m = _DEFINED.match(formula)
    if not m or links_of(formula) or m["name"].rstrip("}").endswith(_KNOWN):
        return ""
    body = "".join(formula[m.end() :].split())
    return m["name"] if all("".join(at.split()) in body for at in m["at"].split(",")) else ""


def _bare(name: str, formula: str) -> int:
    """How often a formula has this name and no longer one."""
    return len(re.findall(rf"(?<![a-zA-Z\\]){re.escape(name)}(?![a-zA-Z_])", formula))


def _is_value(name: str, value: str) -> bool:
    """Whether this can be what a letter is: a formula in other letters, and no list or chain."""
    letters = re.search(r"(?<![a-zA-Z\\])[a-zA-Z]|\\(?:" + "|".join(LETTERS) + r")(?![a-zA-Z])", value)
    return bool(letters) and not (_NO_VALUE.search(value) or links_of(f"{name}={value}") or _bare(name, value))


def _limits(formula: str, fixed: bool) -> Iterator[tuple[str, str, list[str]]]:
    r"""The letters of a condition such as $x,y>0$ or, if it is `fixed`, $0<x<\lambda$: ranges and comparisons."""
    formula = re.sub(r"^\s*\\forall", "", formula)
    sides = _SIGN.split(formula)
    alone = fixed and all(re.fullmatch(rf"{_NAMES}|\s*[\d.]+\s*", side) for side in sides)
    for name in (n for side in sides if re.fullmatch(_NAMES, side) for n in re.findall(_NAME, side)):
        try:
            said = read(f"${name} = {name}$ for ${formula.strip(' .,;')}$", None, "latex").said
        except Unread:
            continue
        if (m := _RANGE.fullmatch(said)) and (alone or not m["when"]):
            conditions = m["when"].split(" and ") if m["when"] else []
            for one in re.split(r", (?=(?:integer )?\S+ in )", m["ranges"]):
                if (r := _ONE.fullmatch(one)) and (r[2] == m[1] or conditions):
                    yield r[2], f"integer {r[3]}" if r[1] else r[3], conditions
