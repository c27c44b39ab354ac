r"""The numbers that LaTeX prints: what a text numbers, counted by LaTeX's own rules, and what its `.aux` file says.

A counter has a value, the counters that begin anew when it steps, and a way to be shown (``\theequation``), which any
counter of the author may have too. Rules of the kernel, amsmath (tags, subequations, rows), amsthm, thmtools and
thm-restate, the algorithm packages, and classes with chapters. Numbers of sections and displays step as the text goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from banditproof.claims.report.printed.latex_source import Source

LEVELS = {"part": 0, "chapter": 0, "section": 1, "subsection": 2, "subsubsection": 3, "paragraph": 4}
CHAPTERED = {"book", "report", "memoir", "amsbook", "scrbook", "scrreprt", "extbook", "extreport", "thesis", "svmono"}
ONE_NUMBER = {"equation", "multline", "dmath", "math display"}
ROWS = {"align", "gather", "flalign", "alignat", "xalignat", "eqnarray", "IEEEeqnarray", "dgroup"}
FLOATS = {"algorithm", "algorithm2e", "figure", "table"}
_SHAPES = {"arabic", "alph", "Alph", "roman", "Roman", "fnsymbol"}


@dataclass(frozen=True)
class Numbered:
    """What has a number: the word of a theorem, "Algorithm" or "equation", its number, its name, and its characters."""

    word: str
    number: str
    name: str
    section: str
    start: int
    end: int


@dataclass(frozen=True)
class Counted:
    """All that a text numbers, in the order in which it ends, and the numbers of its labels."""

    items: list[Numbered]
    labels: dict[str, str]


@dataclass
class _Theorem:
    word: str
    counter: str | None  # None without a number


@dataclass
class _Display:
    numbered: bool
    rows: bool
    tag: str | None = None
    silent: bool = False
    labels: list[str] = field(default_factory=list)
    begun: bool = False


@dataclass
class _Frame:
    """An environment or a group that is open, and what its end restores."""

    name: str
    start: int
    shown: dict[str, str]
    label: str | None
    display: _Display | None = None
    theorem: tuple[str, str, str, str] | None = None  # word, number, name, section
    parent: int | None = None  # the number of an equation whose parts are numbered inside


class Counters:
    """The counters of a document, as the LaTeX2e kernel (ltcounts), report.cls and article.cls define them."""

    def __init__(self, chapters: bool) -> None:
        self.values: dict[str, int] = {}
        self.resets: dict[str, set[str]] = {}
        self.shown: dict[str, str] = {}
        self.same: dict[str, str] = {}
        outer = None
        for name in ("chapter", "section", "subsection", "subsubsection", "paragraph")[not chapters :]:
            self.new(name, outer)
            outer = name
        self.new("part")
        self.shown["part"] = r"\Roman{part}"
        for name in ("equation", "figure", "table", "algorithm"):
            self.new(name)
            if chapters and name != "algorithm":
                self.within(name, "chapter")
                self.shown[name] = rf"\ifnum\value{{chapter}}>0 \thechapter.\fi\arabic{{{name}}}"
        self.new("enumi")

    def new(self, name: str, outer: str | None = None) -> None:
        self.values[name] = 0
        self.shown = {**self.shown, name: rf"\arabic{{{name}}}"}
        if outer:
            self.within(name, outer)

    def within(self, name: str, outer: str, shape: str = "arabic") -> None:
        """``\\numberwithin``: begin anew with the outer counter, and show it in front."""
        self.resets.setdefault(outer, set()).add(name)
        self.shown = {**self.shown, name: rf"\the{outer}.\{shape.lstrip(chr(92))}{{{name}}}"}

    def without(self, name: str, outer: str) -> None:
        self.resets.get(outer, set()).discard(name)
        self.shown = {**self.shown, name: rf"\arabic{{{name}}}"}

    def step(self, name: str) -> None:
        name = self.same.get(name, name)
        if name not in self.values:
            self.new(name)
        self.values[name] += 1
        self._reset(name, set())

    def _reset(self, name: str, seen: set[str]) -> None:
        for inner in self.resets.get(name, ()):
            if inner not in seen:
                self.values[inner] = 0
                self._reset(inner, seen | {name})

    def value(self, name: str) -> int:
        return self.values.get(self.same.get(name, name), 0)

    def number(self, name: str) -> str:
        """What ``\\theNAME`` shows now."""
        return self._read(self.shown.get(name, rf"\arabic{{{name}}}"), 0)

    def _read(self, code: str, depth: int) -> str:
        if depth > 9:
            return ""
        code = re.sub(
            r"\\ifnum\s*\\(?:value\s*\{(\w+)\}|c@(\w+))\s*([<>=])\s*(?:(\d+)|\\z@|\\@ne)\s*(.*?)(?:\\else(.*?))?\\fi",
            lambda m: m[5] if _compare(self.value(m[1] or m[2]), m[3], int(m[4] or ("@ne" in m[0]))) else m[6] or "",
            code,
            flags=re.DOTALL,
        )
        code = re.sub(r"\\the([A-Za-z]+)", lambda m: self._read(self.shown.get(m[1], ""), depth + 1), code)
        shapes = "|".join(sorted(_SHAPES, key=len, reverse=True))
        code = re.sub(
            rf"\\@?({shapes})\*?\s*(?:\{{\s*(\w+)\s*\}}|\\c@(\w+))",
            lambda m: _in_shape(self.value(m[2] or m[3]), m[1]),
            code,
        )
        code = re.sub(r"\\(?:number)?\\?value\s*\{(\w+)\}", lambda m: str(self.value(m[1])), code)
        return plain_number(code)


def plain_number(code: str) -> str:
    r"""A number as a reader sees it, "2'" for ``$2'$``; a sign is the word of its command, "star" for ``$\star$``."""
    code = re.sub(r"\\hspace\*?\s*\{[^{}]*\}|\\(?:text|math|[mh]box|protect|relax|ensuremath|unskip)[a-z]*", "", code)
    code = re.sub(r"\\([A-Za-z]+)", r"\1", code)
    return " ".join(re.sub(r"[{}$\\]", "", code).replace("~", " ").split())


def _compare(one: int, sign: str, other: int) -> bool:
    return {"<": one < other, ">": one > other, "=": one == other}[sign]


def _in_shape(value: int, shape: str) -> str:
    if shape in ("alph", "Alph"):
        letter = chr(96 + value) if 1 <= value <= 26 else ""
        return letter.upper() if shape == "Alph" else letter
    if shape in ("roman", "Roman"):
        pairs = zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
                    ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"), strict=True)  # fmt: skip
        text = ""
        for size, sign in pairs:
            text, value = text + sign * (value // size), value % size
        return text.upper() if shape == "Roman" else text
    if shape == "fnsymbol":
        return ("*", "†", "‡", "§", "¶", "‖", "**", "††", "‡‡")[value - 1] if 1 <= value <= 9 else ""
    return str(value)


def counted(text: str, preamble: str, known: dict[str, str]) -> Counted:
    """What the text numbers; `known` are the words of theorem environments that a class may have declared."""
    machine = _Machine(preamble, text, known)
    machine.run(preamble, in_text=False)
    machine.run(text, in_text=True)
    return Counted(machine.items, machine.labels)


class _Machine:
    """Reads a text token by token, as LaTeX does, and keeps its counters."""

    def __init__(self, preamble: str, text: str, known: dict[str, str]) -> None:
        declared = re.search(r"\\documentclass\s*(?:\[[^\]]*\])?\s*\{\s*([^{}]+?)\s*\}", preamble + text)
        self.chapters = (declared is not None and declared[1] in CHAPTERED) or bool(re.search(r"\\chapter\b", text))
        self.counters = Counters(self.chapters)
        if declared is not None and declared[1].startswith("IEEEtran"):
            self.counters.shown["section"] = r"\Roman{section}"
            self.counters.shown["subsection"] = r"\thesection-\Alph{subsection}"
        self.depth_of_numbers = 2 if self.chapters else 3
        self.known, self.theorems = known, dict[str, _Theorem]()
        self.items: list[Numbered] = []
        self.labels: dict[str, str] = {}
        self.label: str | None = None
        self.section, self.main = "", True
        self.frames: list[_Frame] = []
        self.whole = text

    @property
    def top(self) -> str:
        return "chapter" if self.chapters else "section"

    def run(self, text: str, *, in_text: bool) -> None:
        named = re.sub(r"\\@addtoreset", r"\\addtoreset ", text)  # an @ is a letter in what authors copy from classes
        self.source, self.in_text, at = Source(named), in_text, 0
        self.frames = []
        while (token := self.source.special(at)) is not None:
            at = token.pos + token.len
            if token.tok == "brace_open":
                self._push("{", token.pos)
            elif token.tok == "brace_close":
                if self.frames and self.frames[-1].name == "{":
                    self._restore(self.frames.pop())
            elif token.tok == "mathmode_display":
                self._display_math(token.arg, token.pos)
            elif token.tok == "macro":
                at = self._macro(token.arg, token.pos, at)
        if in_text:
            while self.frames:
                self._end(self.frames[-1].name, len(text), len(text))

    # ------------------------------------------------------------------------------------------ groups and environments

    def _push(self, name: str, start: int) -> _Frame:
        frame = _Frame(name, start, self.counters.shown, self.label)
        self.frames.append(frame)
        return frame

    def _restore(self, frame: _Frame) -> None:
        self.counters.shown, self.label = frame.shown, frame.label

    def _display_math(self, sign: str, start: int) -> None:
        if sign == r"\[":
            self._push("math display", start).display = _Display(False, False)
        elif sign == r"\]":
            self._end("math display", start, start + 2)

    def _begin(self, name: str, start: int, at: int) -> int:
        if not self.in_text:
            return at
        bare, frame, title, inner = name.rstrip("*"), self._push(name, start), None, name
        if bare in ("restatable", "thmrestate"):
            (title, inner, _macro), at = self.source.arguments(at, "[{{")
        theorem = self._theorem(inner.strip())
        if theorem is not None:
            if inner == name:
                title, at = self.source.optional(at)
            if theorem.counter is not None:
                self.counters.step(theorem.counter)
                self.label = self.counters.number(theorem.counter)
                options = dict(re.findall(r"(\w+)\s*=\s*\{?([^{},]*)", title or ""))
                if options.keys() & {"name", "label", "restate", "continues"}:  # of thmtools
                    title = options.get("name", "")
                    self.labels |= {options["label"]: self.label} if "label" in options else {}
                frame.theorem = theorem.word, self.label, (title or "").strip(), self.section
        elif bare == "subequations":
            self.counters.step("equation")
            self.label = self.counters.number("equation")
            frame.parent = self.counters.value("equation")
            whole = self.label
            self.counters.values["equation"] = 0
            self.counters.shown = {
                **self.counters.shown,
                "parentequation": whole,
                "equation": whole + r"\alph{equation}",
            }
        elif (bare in ONE_NUMBER or bare in ROWS) and not self._display():
            frame.display = _Display(name == bare, bare in ROWS)
        elif name in ("appendices", "appendix"):
            self._appendix()
        elif name in ("algorithmic", "lstlisting"):
            self.label = None  # of a line, which is no statement
        return at

    def _theorem(self, name: str) -> _Theorem | None:
        if name in self.theorems:
            return self.theorems[name]
        if name in self.known:
            self.theorems[name] = _Theorem(self.known[name], name)
            return self.theorems[name]
        return None

    def _end(self, name: str, start: int, end: int) -> None:
        """Close the environment and what was left open inside it."""
        if name not in [frame.name for frame in self.frames]:
            return
        while self.frames:
            frame = self.frames.pop()
            if frame.display is not None:
                self._row(frame, end, last=True)
            if frame.theorem is not None:
                word, number, title, section = frame.theorem
                self.items.append(Numbered(word, number, title, section, frame.start, start))
            self._restore(frame)
            if frame.parent is not None:
                self.counters.values["equation"] = frame.parent
            if frame.name == name:
                return

    def _display(self) -> _Frame | None:
        """The display that is open, outside of a box inside it."""
        return next((frame for frame in reversed(self.frames) if frame.display is not None), None)

    def _row(self, frame: _Frame, end: int, *, last: bool) -> None:
        """The end of a row, or of the display: its number, unless it has none."""
        display = frame.display
        assert display is not None
        number = display.tag
        if number is None and display.numbered and not display.silent:
            self.counters.step("equation")
            number = self.counters.number("equation")
        if number is not None:
            self.items.append(Numbered("equation", number, "", self.section, frame.start, end))
            self.labels |= dict.fromkeys(display.labels, number)
        frame.display = _Display(display.numbered, display.rows)

    # ----------------------------------------------------------------------------------------------------------- macros

    def _macro(self, name: str, start: int, at: int) -> int:
        source = self.source
        if name in ("begin", "end"):
            environment, at = source.argument(at)
            if name == "begin":
                return self._begin(environment.strip(), start, at)
            self._end(environment.strip(), start, at)
            return at
        if name == "\\":
            frame = self.frames[-1] if self.frames else None
            if frame is not None and frame.display is not None and frame.display.rows:
                self._row(frame, at, last=False)
            return source.starred(at)[1]
        if name == "verb":
            mark = source.text[at : at + 1]
            closed = source.text.find(mark, at + 1) if mark else -1
            return closed + 1 if closed >= 0 else at
        if name in LEVELS:
            return self._heading(name, at)
        reader = _READERS.get(name)
        return at if reader is None else getattr(self, reader)(name, at)

    def _heading(self, name: str, at: int) -> int:
        (star, _short, _title), end = self.source.arguments(at, "*[{")
        if star or not self.main and name == "chapter" or LEVELS[name] > self.depth_of_numbers:
            return end
        if name != "chapter" or self.chapters:
            self.counters.step(name)
            self.label = self.counters.number(name)
            if name != "part":
                self.section = self.label
        return at  # whose title may have a label

    def _appendix(self) -> None:
        for name in (self.top, "section", "subsection"):
            self.counters.values[name] = 0
        self.counters.shown = {**self.counters.shown, self.top: rf"\Alph{{{self.top}}}"}

    def _read_appendix(self, _name: str, at: int) -> int:
        self._appendix()
        return at

    def _read_matter(self, name: str, at: int) -> int:
        self.main = name == "mainmatter"
        return at

    def _read_label(self, _name: str, at: int) -> int:
        key, at = self.source.argument(at)
        display = self._display()
        if display is not None and display.display is not None:
            display.display.labels.append(key)
        elif self.label is not None:
            self.labels[key] = self.label
        return at

    def _read_item(self, _name: str, at: int) -> int:
        if any(frame.name == "enumerate" for frame in self.frames):
            self.label = None  # of the item, which is no statement
        return at

    def _read_tag(self, _name: str, at: int) -> int:
        (_star, tag), at = self.source.arguments(at, "*{")
        tag = _resolved(tag, self.labels)
        if (frame := self._display()) is not None and frame.display is not None:
            frame.display.tag = plain_number(tag)
        return at

    def _read_silent(self, _name: str, at: int) -> int:
        if (frame := self._display()) is not None and frame.display is not None:
            frame.display.silent = True
        return at

    def _read_eqno(self, _name: str, at: int) -> int:
        end = self.source.text.find("$$", at)
        if end >= 0 and self.in_text:
            start = max(0, self.source.text.rfind("$$", 0, at))
            number = plain_number(self.source.text[at:end]).strip("() ")
            if number:
                self.items.append(Numbered("equation", number, "", self.section, start, end + 2))
        return max(at, end)

    def _read_caption(self, name: str, at: int) -> int:
        kind = ""
        star, at = self.source.starred(at)
        if name == "captionof":
            kind, at = self.source.argument(at)
        (_short, title), _end = self.source.arguments(at, "[{")
        frame = next((f for f in reversed(self.frames) if f.name.rstrip("*") in FLOATS), None)
        kind = kind or ("" if frame is None else frame.name.rstrip("*").removesuffix("2e"))
        if star or not kind or not self.in_text:
            return at
        self.counters.step(kind)
        self.label = self.counters.number(kind)
        if kind == "algorithm":
            start = at if frame is None else frame.start
            closed = -1 if frame is None else self.source.text.find(rf"\end{{{frame.name}}}", at)
            end = len(self.source.text) if closed < 0 else closed
            title = re.sub(r"\\label\s*\{[^{}]*\}", "", title).strip()
            self.items.append(Numbered("Algorithm", self.label, title, self.section, start, end))
        return at

    # ------------------------------------------------------------------------------------------------------ definitions

    def _read_definition(self, name: str, at: int) -> int:
        r"""Skip what is defined, but for ``\theCOUNTER``; an environment that steps a counter is a theorem."""
        source = self.source
        _star, at = source.starred(at)
        defined, at = source.argument(at)
        defined = defined.strip().lstrip("\\")
        if name.endswith("def"):
            brace = source.text.find("{", at)
            body, at = source.argument(brace) if brace >= 0 else ("", len(source.text))
        elif "Document" in name:
            (_kinds, body), at = source.arguments(at, "{{")
        else:
            (_count, _first, body), at = source.arguments(at, "[[{")
        if name.lower().endswith("environment"):
            _ending, at = source.argument(at)
            if steps := re.search(r"\\refstepcounter\s*\{(\w+)\}", body):
                said = re.findall(r"([A-Za-z]+)[\s~\\{}]*\\the", body)
                self.theorems[defined] = _Theorem((said or [defined])[-1].capitalize(), steps[1])
        elif defined.startswith("the") and defined != "the" and re.search(r"\\|^\w*$", body):
            self.counters.shown = {**self.counters.shown, defined.removeprefix("the"): body}
        return at

    def _read_newtheorem(self, name: str, at: int) -> int:
        (star, env, shared, word, outer), at = self.source.arguments(at, "*{[{[")
        if name == "spnewtheorem":
            _styles, at = self.source.arguments(at, "{{")
        if name in ("newsiamthm", "newsiamremark"):
            shared = "theorem"
        self._declare(env.strip(), word, None if star or name == "newproof" else shared or env.strip(), outer,
                      own=not shared)  # fmt: skip
        return at

    def _declare(self, env: str, word: str, counter: str | None, outer: str | None, *, own: bool) -> None:
        if counter is not None:
            counter = counter.strip()
            alias = self.theorems.get(counter)
            counter = alias.counter if alias is not None and alias.counter else counter
            if own and counter not in self.counters.same:
                self.counters.new(counter, outer.strip() if outer else None)
        self.theorems[env] = _Theorem(plain_number(word) or env.capitalize(), counter)

    def _read_declaretheorem(self, _name: str, at: int) -> int:
        (before, envs, after), at = self.source.arguments(at, "[{[")
        told = re.findall(r"([A-Za-z ]+)=\s*(\{[^{}]*\}|[^,]*)", f"{before or ''},{after or ''}")
        options = {key.strip(): value.strip(" {}\n") for key, value in told}

        def option(*names: str) -> str | None:
            return next((options[name] for name in names if name in options), None)

        shared = option("sibling", "sharenumber", "sharecounter", "numberlike")
        outer = option("parent", "numberwithin", "within")
        for env in map(str.strip, envs.split(",")):
            said = option("name", "title", "heading") or env.capitalize()
            often = len(re.findall(rf"\\begin\s*\{{{re.escape(env)}\}}", self.whole))
            silent = options.get("numbered") == "no" or options.get("numbered") == "unless unique" and often < 2
            self._declare(env, said, None if silent else shared or env, outer, own=not shared)
        return at

    def _read_newtcbtheorem(self, _name: str, at: int) -> int:
        (before, env, word, options), at = self.source.arguments(at, "[{{{")
        _prefix, at = self.source.argument(at)
        told = f"{before or ''},{options}"
        shared = re.search(r"use counter(?: from)?\s*=\s*(\w+)", told)
        outer = re.search(r"(?:number within|use counter within)\s*=\s*(\w+)", told)
        self._declare(env, word, shared[1] if shared else env, outer[1] if outer else None, own=shared is None)
        return at

    def _read_let(self, _name: str, at: int) -> int:
        _old, at = self.source.argument(at)
        value, end = self.source.argument(at)
        return self.source.argument(end)[1] if value == "=" else end

    def _read_newcounter(self, _name: str, at: int) -> int:
        (name, outer), at = self.source.arguments(at, "{[")
        self.counters.new(name.strip(), outer)
        return at

    def _read_newaliascnt(self, _name: str, at: int) -> int:
        given, at = self.source.arguments(at, "{{")
        name, other = (str(argument) for argument in given)
        self.counters.same[name] = self.counters.same.get(other, other)
        self.counters.shown = {**self.counters.shown, name: rf"\the{other}"}
        return at

    def _read_set(self, name: str, at: int) -> int:
        (counter, value), at = self.source.arguments(at, "{{")
        counter = counter.strip()
        used = re.fullmatch(r"\s*(?:\\value\s*\{(\w+)\}|([-+]?\d+))\s*", value)
        if used is None:
            return at
        amount = self.counters.value(used[1]) if used[1] else int(used[2])
        amount += self.counters.value(counter) if name == "addtocounter" else 0
        if counter == "secnumdepth":
            self.depth_of_numbers = amount
        else:
            self.counters.values[str(self.counters.same.get(counter, counter))] = amount
        return at

    def _read_step(self, name: str, at: int) -> int:
        counter, at = self.source.argument(at)
        self.counters.step(counter.strip())
        if name == "refstepcounter":
            self.label = self.counters.number(counter.strip())
        return at

    def _read_within(self, name: str, at: int) -> int:
        star, at = self.source.starred(at)
        (shape, counter, outer), at = self.source.arguments(at, "[{{")
        counter, outer = counter.strip(), outer.strip()
        if star or name == "addtoreset":
            self.counters.resets.setdefault(outer, set()).add(counter)
        else:
            self.counters.within(counter, outer, shape or "arabic")
        return at

    def _read_without(self, _name: str, at: int) -> int:
        (_star, counter, outer), at = self.source.arguments(at, "*{{")
        self.counters.without(counter.strip(), outer.strip())
        return at

    def _read_usepackage(self, _name: str, at: int) -> int:
        (options, packages), at = self.source.arguments(at, "[{")
        if {"algorithm", "algorithm2e"} & {name.strip() for name in packages.split(",")}:
            for outer in ("part", "chapter", "section"):
                if re.search(rf"\b(?:algo)?{outer}\b", options or ""):
                    self.counters.within("algorithm", outer)
        return at


_READERS = {
    "appendix": "_read_appendix",
    "label": "_read_label",
    "item": "_read_item",
    "tag": "_read_tag",
    "eqno": "_read_eqno",
    "caption": "_read_caption",
    "newtheorem": "_read_newtheorem",
    "declaretheorem": "_read_declaretheorem",
    "newtcbtheorem": "_read_newtcbtheorem",
    "let": "_read_let",
    "newcounter": "_read_newcounter",
    "newaliascnt": "_read_newaliascnt",
    "usepackage": "_read_usepackage",
    "addtoreset": "_read_within",
    "frontmatter": "_read_matter",
    "mainmatter": "_read_matter",
    "backmatter": "_read_matter",
    "appendices": "_read_appendix",
    "notag": "_read_silent",
    "nonumber": "_read_silent",
    "IEEEnonumber": "_read_silent",
    "leqno": "_read_eqno",
    "captionof": "_read_caption",
    "spnewtheorem": "_read_newtheorem",
    "newdefinition": "_read_newtheorem",
    "newproof": "_read_newtheorem",
    "newsiamthm": "_read_newtheorem",
    "newsiamremark": "_read_newtheorem",
    "setcounter": "_read_set",
    "addtocounter": "_read_set",
    "stepcounter": "_read_step",
    "refstepcounter": "_read_step",
    "numberwithin": "_read_within",
    "counterwithin": "_read_within",
    "counterwithout": "_read_without",
    "RequirePackage": "_read_usepackage",
} | dict.fromkeys(
    "newcommand renewcommand providecommand DeclareRobustCommand def gdef edef xdef newenvironment renewenvironment "
    "NewDocumentCommand RenewDocumentCommand ProvideDocumentCommand DeclareDocumentCommand NewDocumentEnvironment "
    "RenewDocumentEnvironment DeclareDocumentEnvironment".split(),
    "_read_definition",
)


# ----------------------------------------------------------------------------------------------------------------- .aux


def numbers_of_aux(path: Path) -> dict[str, str]:
    """The numbers of the labels of an `.aux` file and of those that it reads, as LaTeX wrote them."""
    found: dict[str, str] = {}
    for text in _aux_texts(path, path.parent, set()):
        source = Source(text)
        for label in re.finditer(r"\\newlabel(?=\{)", text):
            (key, content), _ = source.arguments(label.end(), "{{")
            if not key.endswith("@cref"):
                found[key] = Source(content).argument(0)[0]
    return {key: plain_number(_resolved(number, found)) for key, number in found.items()}


def _resolved(number: str, labels: Mapping[str, str]) -> str:
    """A number with those that it refers to."""
    return re.sub(r"\\(?:eq)?ref\s*\{([^{}]*)\}", lambda m: labels.get(m[1], "??"), number)


def _aux_texts(path: Path, folder: Path, seen: set[Path]) -> Iterator[str]:
    if path in seen or not path.is_file():
        return
    seen.add(path)
    text = path.read_text(encoding="utf-8", errors="replace")
    yield text
    for name in re.findall(r"\\@input\s*\{([^{}]+)\}", text):
        yield from _aux_texts(folder / name, folder, seen)
