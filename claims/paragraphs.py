r"""Statements as paragraphs: a section's claims that are formulas stand in a Markdown file, in the order of print.

    # Section 2.1.3, page 20: composition

    ## TH-S2.1f/root-k · reading
    "Roughly $\sqrt k\varepsilon$": $\varepsilon'\le\sqrt k\,\varepsilon(\sqrt{2\log(1/\delta')}+2)$ for all $k$.

        sqrt(k) (exp(epsilon) - 1) <= 2 for integer k >= 1, epsilon > 0
        fails: k = 100, epsilon = 1

    The second term of $\varepsilon'$ is $k\varepsilon(e^\varepsilon-1)$.

A heading holds the id and what the claim is to its item (``MARKS``). The paragraph below it is the printed sentence.
The indented block holds a comparison of two formulas with its ranges, conditions and definitions
(``banditproof.verify.judge.reading.blocks``), and lines that begin with a word (``WORDS``). What follows is for the
reader.

The claims of an item stand in the order in which a statement file has their headings, and those that it does not have
stand before them. A heading with nothing below it is the place of a claim that is written in Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from banditproof.claims.documents import Document, catalogue
from banditproof.claims.raised import text_of
from banditproof.claims.register import REGISTER, ROLES, Claim, Content, Mutation, Written, state
from banditproof.claims.steps import fails_at, in_kernel, interval, judged
from banditproof.theory.errors import InvalidInput, close_to
from banditproof.theory.face import modules_behind
from banditproof.theory.numbers.term import QUANTITIES, Term, parts, quantity
from banditproof.verify.proof.domain import Domain, Interval
from banditproof.verify.proof.statement import Statement

if TYPE_CHECKING:
    from banditproof.claims.kernel_blocks import Sentence

STATEMENTS = ".md"
MARKS = (*(role for role in ROLES if role not in ("item", "repair")), "displayed", "repairs ID", 'restricted "to ..."')
STEPS: Mapping[str, Callable[[], Any]] = {"boxes": interval}
WORDS = {
    "fails": "a point at which it fails: k = 100, epsilon = 1/2",
    "false": "a false variant that the check must refute, as a change of the text of the block: 2 -> 3/2",
    "theorem": "the theorem of banditproof.verify.theorems that proves a sentence in words of the kernel: tails.markov",
    "by": f"the step that shows it, where the engine alone does not: {', '.join(STEPS)}",
    "called": "what a counterexample is told with: $k$ is size; the printed bound is right",
    "assuming": "what the formula takes from prose",
    "slip": "why a failure weighs little",
    "unused": "what the theorem is about and its proof does not use: the bound is true, trivially",
    "cause": "the id of another claim that fails for the same reason",
    "rests on": "ids of claims that it takes for granted",
    "twins": "ids of the same statement in other documents",
    "place": "where it is printed",
    "covered": "why the formula is all that is printed",
}
SEVERAL = ("false",)  # words that may begin several lines
OF_CONTENT = ("false", "fails", "theorem", "by")  # what is read with the formula
TITLE = re.compile(r"(?:[A-Z]|[IVX]+|\d+)(?:[.-]\w+)*\b|[Aa]bstract")
METHODS = {"theorem": in_kernel.method, "fails": fails_at.method, "by": interval.method}
_GRAMMAR = {"cases", "for", "in", "when", "where"}  # words that are no functions
ARITHMETIC = ("num", "var", "neg", "add", "sub", "mul", "div", "where")


class _Functions(Mapping[str, Callable[..., Any]]):
    """What formulas may call: the functions of `theory`, and every quantity of `verify.forms` and of the documents."""

    def __init__(self) -> None:
        for name in ("calculus", "geometric_sums"):
            import_module(f"banditproof.verify.forms.{name}")
        self.theory = import_module("banditproof.theory")
        self.public = {n for n in self.theory.__all__ if not n[:1].isupper()}

    def __getitem__(self, name: str) -> Callable[..., Any]:
        if name in self.public:
            return getattr(self.theory, name)  # type: ignore[no-any-return]
        return quantity(QUANTITIES[name])

    def __contains__(self, name: object) -> bool:
        return name in self.public or name in QUANTITIES

    def __iter__(self) -> Iterator[str]:
        yield from {*self.public, *QUANTITIES}

    def __len__(self) -> int:
        return len({*self.public, *QUANTITIES})


@dataclass
class Paragraph:
    """A claim as it is written: its id, the marks of its heading, and the lines with their numbers."""

    file: str
    line: int
    id: str
    marks: Sequence[str] = ()
    said: str = ""
    block: Sequence[tuple[int, str]] = ()
    notes: str = ""
    text: str = ""
    entries: list[tuple[str, int, str]] = field(default_factory=list)  # word, line, value

    def refuse(self, line: int, what: str, value: object, allowed: str, meant: str = "") -> NoReturn:
        raise InvalidInput(f"{self.file}, line {line}: {what}", value, allowed, meant)


@cache
def register_paragraphs(document: Document) -> None:
    """Register the claims of a document's statement files, which stand beside its modules, once.

    Raises InvalidInput with file, line and the word at fault.
    """
    if not document.package:
        return
    root = import_module(document.package)
    for folder in map(Path, root.__path__):
        for path in sorted(folder.rglob(f"*{STATEMENTS}")):
            below = ".".join(path.relative_to(folder).parent.parts)
            register_file(path, f"{document.package}.{below}".rstrip("."), late=True)


def written_in(path: Path) -> list[Claim]:
    """The registered claims of a statement file."""
    return [c for c in REGISTER.values() if c.written is not None and Path(c.written.file).resolve() == path.resolve()]


def register_file(path: Path, module: str, late: bool = False) -> None:
    """Register the claims of one file; `module` holds it. Their formulas are read now, or `late`."""
    sections, paragraphs = paragraphs_in(path)
    for paragraph in paragraphs:
        if not paragraph.block:
            REGISTER[paragraph.id] = REGISTER.pop(paragraph.id)
            continue
        if " " in paragraph.id:
            paragraph.refuse(paragraph.line, "id", paragraph.id, "a word, with marks behind dots: '## ID · remark'")
        _of_section(paragraph, sections)
        _register(paragraph, module, late)


def paragraphs_in(path: Path) -> tuple[tuple[str, ...], list[Paragraph]]:
    """The sections that the title of a statement file names, and its claims. Raises InvalidInput."""
    from markdown_it import MarkdownIt

    lines = text_of("file", path).splitlines()
    markdown = MarkdownIt("commonmark")
    markdown.core.ruler.enableOnly(["normalize", "block"])
    tokens = markdown.parse("\n".join(lines))
    starts = [(t.map[0], t.tag) for t in tokens if t.type == "heading_open" and t.map and t.level == 0]
    blocks = [t.map for t in tokens if t.type == "code_block" and t.map]
    file, found = str(path), []
    if not starts or starts[0] != (0, "h1"):
        raise InvalidInput(
            f"{file}, line 1: title", lines[0] if lines else "", "a title: '# Section 2.1.3, page 20: ...'"
        )
    for (start, tag), (end, _) in pairwise([*starts[1:], (len(lines), "")]):
        first, *marks = [part.strip() for part in lines[start].lstrip("# ").split("·")]
        one = Paragraph(file, start + 1, first, marks, text="\n".join(lines[start:end]).strip())
        inside = [(a, b) for a, b in blocks if start < a < end]
        if tag != "h2":
            one.refuse(start + 1, "heading", lines[start], "the id of a claim, with two signs: '## ID'")
        if not inside and first in REGISTER and not marks and not "".join(lines[start + 1 : end]).strip():
            found.append(one)
            continue
        if not inside:
            one.refuse(start + 1, first, "no block", "followed by its sentence and an indented block with its formula")
        a, b = inside[0]
        while not lines[b - 1].strip():
            b -= 1
        others = [c for c, _ in inside[1:]] + [k + 1 for k in range(a, b) if not lines[k].strip()]
        if others:
            one.refuse(
                min(others) + 1, first, lines[min(others)].strip(), "a claim with one block: indent no other line"
            )
        one.said, one.notes = " ".join(lines[start + 1 : a]), "\n".join(lines[b:end]).strip()
        one.block = [(k + 1, lines[k].strip()) for k in range(a, b) if lines[k].strip()]
        if not one.said.strip():
            one.refuse(start + 1, first, "no sentence", "followed by the printed sentence, and then by its block")
        found.append(one)
    return _sections(lines[0].partition(":")[0]), found


def _sections(title: str) -> tuple[str, ...]:
    """The sections that a title names: 'Sections 2.2.1 to 2.2.3' are three."""
    named = re.sub(r"\bpages? [\d, -]+", "", title)
    runs = re.findall(r"\b([\d.]+\.)(\d+) to \1(\d+)", named)
    between = [f"{of}{k}" for of, first, last in runs for k in range(int(first) + 1, int(last))]
    return (*TITLE.findall(named), *between)


def blocks_in(path: Path) -> list[tuple[str, str]]:
    """The ids of a statement file with their formulas, whatever else it says. Raises InvalidInput."""
    found: dict[str, str] = {}
    for one in paragraphs_in(path)[1]:
        if one.id in found:
            one.refuse(one.line, "id", one.id, "an id that no other paragraph has")
        found[one.id] = "\n".join(text for _, text in _entries(one))
    return list(found.items())


def _of_section(one: Paragraph, sections: Sequence[str]) -> None:
    entry = catalogue().get(one.id.partition("/")[0])
    if entry is None or not entry.section:
        return
    printed = entry.section.removeprefix("Appendix ")
    if not any(_within(printed, named) or _within(named, printed) for named in map(_uncapitalised, sections)):
        one.refuse(
            one.line, "id", one.id, f"one of {', '.join(sections)}, the section of the title; it is of {printed}"
        )


def _uncapitalised(section: str) -> str:
    return section.replace("Abstract", "abstract")


def _within(one: str, other: str) -> bool:
    return re.match(rf"{re.escape(other)}(?![A-Za-z0-9])", one) is not None


def _register(one: Paragraph, module: str, late: bool) -> None:
    """Register a claim whose block is read now, or when its formula is asked for."""
    formula = _entries(one)
    words = _marked(one)
    for word, line, value in one.entries:
        if word == "called":
            words[word] = _called(one, line, value)
        elif word in ("rests on", "twins"):
            words[word.replace(" ", "_")] = tuple(value.replace(",", " ").split())
        elif word not in OF_CONTENT:
            words[word] = value
    methods = [METHODS[word] for word, _, _ in one.entries if word in METHODS][-1:] or [judged.method]
    read = partial(_content, one, formula, module)
    if not late:
        read = partial(lambda content: content, read())
    try:
        written = Written(one.file, one.line, one.text)
        words["is_varied"] = any(word == "false" for word, _, _ in one.entries)
        state(one.id, read, methods, one.said, written, module=module, notes=one.notes, **words)
    except InvalidInput as error:
        one.refuse(one.line, error.parameter, error.value, error.allowed, error.meant)


def _content(one: Paragraph, formula: Sequence[tuple[int, str]], module: str) -> Content:
    """What the block of a claim says. Raises InvalidInput with the line and the word at fault."""
    steps: tuple[Any, ...] = ()
    false: list[Mutation] = []
    theorem = next((entry for entry in one.entries if entry[0] == "theorem"), None)
    if theorem is not None:
        sentence, steps = _sentence(one, formula, module, *theorem[1:])
        if wrong := next((entry for entry in one.entries if entry[0] in ("false", "fails", "by", "called")), None):
            one.refuse(wrong[1], "word", wrong[0], "left out: a sentence with a theorem has no points")
        return Content(sentence.domain, sentence.relation, steps)
    statement, definitions = _statement(one, formula)
    for word, line, value in one.entries:
        if word == "false":
            false.append(_variant(one, line, formula, value))
        elif word == "fails":
            steps = (_failure(one, line, statement, value),)
        elif word == "by":
            if value not in STEPS:
                one.refuse(line, word, value, f"one of {', '.join(STEPS)}", close_to(value, STEPS))
            steps = (STEPS[value](),)
    chosen: tuple[Any, ...] = steps or (judged(),)
    return Content(statement.domain, statement.relation, chosen, tuple(false), {}, definitions)


def _entries(one: Paragraph) -> list[tuple[int, str]]:
    """The lines of the formula; those that begin with a word become entries of the paragraph."""
    formula: list[tuple[int, str]] = []
    for line, text in one.block:
        head = re.match(r"([A-Za-z][a-z ]*):(?!=)\s*(.*)", text)
        if head is None and one.entries:
            word, start, value = one.entries[-1]
            one.entries[-1] = (word, start, f"{value} {text}")
        elif head is None:
            formula.append((line, text))
        else:
            word = head[1]
            if word in MARKS or word in ("repairs", "restricted"):
                one.refuse(line, "word", word, f"a mark of the heading: '## {one.id} · {word} ...'")
            if word not in WORDS:
                one.refuse(line, "word", word, f"one of {', '.join(WORDS)}", close_to(word, WORDS))
            if word not in SEVERAL and word in [known for known, _, _ in one.entries]:
                one.refuse(line, "word", word, "said once")
            one.entries.append((word, line, head[2]))
    if not formula:
        one.refuse(one.block[0][0], "block", one.block[0][1], "a formula, and then lines that begin with a word")
    return formula


def _sentence(
    one: Paragraph, formula: Sequence[tuple[int, str]], module: str, line: int, theorem: str
) -> tuple[Sentence, tuple[Any, ...]]:
    """A sentence in words of the kernel, and the step that proves it."""
    from banditproof.claims.kernel_blocks import sentence_in, theorem_named
    from banditproof.verify.judge.formulas.sentence import Unread

    try:
        proof = theorem_named(theorem)
    except InvalidInput as error:
        one.refuse(line, "theorem", error.value, error.allowed, error.meant)
    try:
        sentence = sentence_in("\n".join(text for _, text in formula), one.id, module)
    except Unread as why:
        at = next((number for number, text in formula if why.token and why.token in text), formula[0][0])
        one.refuse(at, "sentence", why.token or formula[0][1], f"one that can be read: {why}")
    return sentence, (in_kernel(proof),)


def _statement(one: Paragraph, formula: Sequence[tuple[int, str]]) -> tuple[Statement, Mapping[str, Term]]:
    from banditproof.verify.judge.formulas.sentence import Unread
    from banditproof.verify.judge.reading.blocks import statement_in
    from banditproof.verify.judge.reading.words import CALLED

    text, functions = "\n".join(line for _, line in formula), _functions()
    try:
        return statement_in(text, functions)
    except Unread as why:
        token, at = why.token, why.place
        known = {*functions, *CALLED}
        called = {m[1] for m in re.finditer(r"(\w\w+)\(", text)} - {m[1] for m in re.finditer(r"(\w\w+)\b(?!\()", text)}
        strange = next(
            (name for name in sorted(called - known - _GRAMMAR) if not token.isidentifier() or token == name), ""
        )
        token = strange or token
        if (at < 0 or strange) and token:
            at = next((m.start() for m in re.finditer(rf"(?<!\w){re.escape(token)}(?!\w)", text)), 0)
        line = formula[min(text.count("\n", 0, max(at, 0)), len(formula) - 1)][0]
        meant = close_to(token, known) if token.isidentifier() and token not in known | _GRAMMAR else ""
        if strange:
            one.refuse(line, "formula", token, "made of functions of judge and of banditproof.theory", meant)
        one.refuse(line, "formula", token or text, f"one that can be read: {why}", meant)


def modules_named(text: str) -> frozenset[str]:
    """The modules that read a paragraph, and those of the quantities, words and theorems that its block names."""
    from banditproof.claims.kernel_blocks import HOLDERS, KERNEL, THEOREMS
    from banditproof.verify.judge.reading.words import CALLED
    from banditproof.verify.kernel.document_words import DOCUMENT_WORDS

    _functions()  # loads what documents do not
    behind = modules_behind("banditproof.theory")
    block = "\n".join(line for line in text.splitlines() if line.startswith("    "))
    words = set(re.findall(r"\w+", block))
    quantities = [
        behind[n] if n in behind else QUANTITIES[n].__module__
        for n in words - CALLED.keys()
        if n in behind or n in QUANTITIES
    ]
    spoken = [DOCUMENT_WORDS[n].__module__ for n in words if n in DOCUMENT_WORDS]
    if theorem := re.search(r"^ *theorem:\s*(.*)", block, re.MULTILINE):
        spoken += [f"{THEOREMS}.{theorem[1].partition('.')[0]}", *(f"{KERNEL}.{one}" for one in HOLDERS)]
    return frozenset((__name__, *quantities, *spoken))


@cache
def _functions() -> _Functions:
    return _Functions()


def _marked(one: Paragraph) -> dict[str, Any]:
    """What the marks of a heading say."""
    words: dict[str, Any] = {}
    for mark in one.marks:
        word, _, rest = mark.partition(" ")
        if mark in ROLES:
            words["role"] = mark
        elif mark == "displayed":
            words["displayed"] = True
        elif word == "repairs" and rest:
            item = one.id.partition("/")[0]
            words["repairs"] = rest if "/" in rest or rest == item or rest in catalogue() else f"{item}/{rest}"
        elif word == "restricted" and re.fullmatch('".+"', rest):
            words["restricted"] = rest[1:-1]
        else:
            meant = close_to(word, [*MARKS, "repairs", "restricted"])
            one.refuse(one.line, f"mark of {one.id}", mark, f"one of {', '.join(MARKS)}", meant)
    return words


def _variant(one: Paragraph, line: int, formula: Sequence[tuple[int, str]], change: str) -> Mutation:
    """The false variant that a change of the text makes."""
    before, arrow, after = (part.strip() for part in change.partition("->"))
    text = "\n".join(line for _, line in formula)
    found = [m.start() for m in re.finditer(rf"(?<![\w.]){re.escape(before)}(?![\w.])", text)] if before else []
    if not arrow or len(found) != 1:
        allowed = "a part of the block that stands there once, an arrow and another part: 2 -> 3/2"
        one.refuse(line, "false", f"{change} ({before!r} stands there {len(found)} times)", allowed)
    changed = text[: found[0]] + after + text[found[0] + len(before) :]
    numbers = [number for number, _ in formula]
    statement, _ = _statement(one, list(zip(numbers, changed.split("\n"), strict=True)))
    return Mutation(f"{before} -> {after}", domain=statement.domain, relation=statement.relation)


def _failure(one: Paragraph, line: int, statement: Statement, value: str) -> fails_at:
    from banditproof.verify.judge.formulas.sentence import Unread
    from banditproof.verify.judge.reading.blocks import point_in

    try:
        point = point_in(value)
    except Unread as why:
        one.refuse(line, "fails", value, f"a point, as in x = 1/2, k = 3 ({why})")
    sets = statement.domain.sets
    if point.keys() != sets.keys():
        wrong = next(iter(point.keys() ^ sets.keys()))
        one.refuse(line, "fails", wrong, f"a value for each of {', '.join(sets)}", close_to(wrong, sets))
    whole = {n: isinstance(s, Interval) and s.integer for n, s in sets.items()}
    exact = all(_is_rational(side, statement.domain) for side in (statement.left, statement.right))
    given: dict[str, Any] = {n: int(v) if whole[n] and v == int(v) else v for n, v in point.items()}
    return fails_at(rational=exact, **given)


def _is_rational(side: Term, domain: Domain) -> bool:
    """Whether a formula has rational values by its form."""
    from banditproof.verify.judge.ways.of_terms import is_whole

    return all(
        p.op in ARITHMETIC
        or (p.op == "fn" and p.args[0] in ("min", "max", "abs", "ceil", "floor"))
        or (p.op == "pow" and is_whole(p.args[1], domain))
        for p in parts(side)
    )


def _called(one: Paragraph, line: int, value: str) -> dict[str, str]:
    told: dict[str, str] = {}
    for entry in value.split(";"):
        words, is_, what = (part.strip() for part in entry.rpartition(" is "))
        if not is_ or not words:
            one.refuse(line, "called", entry.strip(), WORDS["called"])
        told[words] = what
    return told
