"""What of a policy ran, and what never did: statements, and both ways of every branch.

A branch is an `if`, also of a comprehension, a loop, `a if condition else b`, `and` and `or`, on however many lines:
instructions say where they come from in the source, and the order in which they run says which way was gone. Of a
function that was entered every statement and every way is asked for, but for

- what cannot leak: errors that are raised, assertions, documentation, a line for a log or for the screen;
- what an option of the policy excludes, or the kind of an argument (`settled`);
- what the author takes upon himself, by `# pragma: no cover` on the line of a statement or at the head of a block.
"""

from __future__ import annotations

import ast
import builtins
import dis
import linecache
import logging
import re
import sys
import warnings
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from types import CodeType, FrameType
from typing import Any

from banditproof.algorithms.noise import NoiseSource
from banditproof.verify.own_code import OwnCode
from banditproof.verify.runs.flows import LEAVING, Span, flows_of, named
from banditproof.verify.runs.possible_rewards import PossibleRewards
from banditproof.verify.runs.reachable import reachable
from banditproof.verify.runs.settled import BUILDING, Settled
from banditproof.verify.source_lines import located, parsed
from banditproof.verify.tracing import Tracer, traced

MOST_HELD = 200  # objects of a policy that are looked at
MARK = "# pragma: no cover"
_MARKED = re.compile(r"#\s*pragma:\s*no\s*(cover|branch)\b")
_COMPREHENSION = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_SHOWN = {print, str, repr, len, float, int, round, bool, type, id, sum, min, max, sorted, list, tuple}
_TOLD = {"debug", "info", "warning", "warn", "error", "critical", "exception", "log"}


@dataclass(frozen=True)
class Part:
    """Something that can run: the instructions inside a span, or those that are of all of another one.

    With `past`, it is what comes after them without the instructions of that span: the way around a block. `outer` are
    parts whose absence says as much, `quiet` are calls that, if all of them are harmless, make the part so. The jump
    around the way of an expression may have its span: without `jumps` it does not count. What `asks` comes right after
    a conditional jump on what is inside: a comprehension may keep an entry with the span of its test.
    """

    line: int
    text: str
    inside: Span | None = None
    whole: Span | None = None
    past: Span | None = None
    outer: tuple[Part, ...] = ()
    quiet: tuple[ast.Call, ...] = ()
    jumps: bool = True
    asks: bool = False

    def has(self, span: Span | None) -> bool:
        """Whether an instruction of this span is one of it."""
        return span is not None and (span == self.whole or (self.inside is not None and _within(span, self.inside)))

    def runs(self, before: Span | None, now: Span | None) -> bool:
        """Whether it runs when the instructions of these spans follow each other; None at the end of a call."""
        if self.past is None:
            return self.has(now)
        return self.has(before) and not self.has(now) and not (now is not None and _within(now, self.past))


@dataclass(frozen=True)
class Option:
    """A way beside a condition that is settled, as it is by attributes of objects of these classes."""

    way: frozenset[Part]
    relied: frozenset[type]


class Coverage:
    """What did not run while the coverage was collecting, by code object."""

    def __init__(self, own: OwnCode | None = None) -> None:
        self.own = own or OwnCode()
        self._seen: dict[int, tuple[CodeType, _Watch | None]] = {}  # by identity: equal code may be of two files
        self.libraries: set[str] = set()
        self.sourceless: set[str] = set()
        self.interrupted = False
        self.pulls: Callable[[], int] = lambda: 0  # so far, in the run that is watched
        self.run: Any = None  # what says which run is watched
        self.ran: dict[Where, int] = {}  # what ran in the last whole run, and after how many pulls it first did
        self.outside: frozenset[str] = frozenset()  # names of the methods that whoever plays a policy calls
        self.possible: PossibleRewards | None = None  # what the policy is told by methods with the usual names
        self.sources: dict[str, bool] = {}  # attributes of policies, and whether they hold noise sources only
        self._building = False
        self._whole: set[_Watch] | None = None  # the functions of a run of which all is noted
        self._late: set[type] = set()  # of objects that were made in a run: what they are given may depend on rewards

    @contextmanager
    def collecting(self, whole: bool = False) -> Iterator[None]:
        """Trace the block; a function costs nothing any more once all of it has run. Of a `whole` run all that runs in
        it is noted."""
        self._whole = set() if whole else None
        with traced(self._call):
            try:
                yield
            finally:
                self.interrupted |= sys.gettrace() != self._call
        if self._whole is not None:
            self.ran = {(watch, part): pulls for watch in self._whole for part, pulls in watch.since.items()}
            for watch in self._whole:
                watch.left, watch.since = set(), {}
            self._whole = None

    @contextmanager
    def building(self) -> Iterator[None]:
        """While a policy is built no reward is known yet: of a function that runs only there nothing is asked."""
        self._building = True
        try:
            yield
        finally:
            self._building = False

    def _call(self, frame: FrameType, event: str, _: Any) -> Tracer | None:
        code = frame.f_code
        if code.co_name in BUILDING and code.co_argcount and not self._building:
            self._late.add(type(frame.f_locals.get(code.co_varnames[0])))
        if id(code) not in self._seen:
            self._seen[id(code)] = code, self._watch(frame)
        watch = self._seen[id(code)][1]
        if watch is None:
            return None
        watch.entered |= not self._building
        if self._whole is not None and watch not in self._whole and not self._building:
            self._whole.add(watch)
            watch.left, watch.since, watch.seen = set(watch.present), {}, set()
        if not (watch.missing or watch.left):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        frame.f_trace = watch.tracer()  # later versions of Python tell of instructions only when it is set
        return frame.f_trace

    def _watch(self, frame: FrameType) -> _Watch | None:
        code = frame.f_code
        library = self.own.library(code.co_filename)
        if library is not None:
            self.libraries |= {library} - {""}
            return None
        if not linecache.getlines(code.co_filename, frame.f_globals):
            self.sourceless.add(code.co_filename)
            return None
        files = sorted({code.co_filename, *self.own.files()})
        trees = reachable([tree for file in files if (tree := parsed(file)) is not None], self.own.names, frame, files)
        function = _parts(code, Settled(node_of(code), frame, trees, files, self.outside, self.possible))
        parts = [p for p in function.parts if not p.quiet or not all(is_quiet(call, frame) for call in p.quiet)]
        return _Watch(code, parts, function.options, lambda: (self.run, self.pulls()), trees)

    def look_again(self) -> None:
        """What was taken for a library may be the policy's own code, as is known by now."""
        self.libraries.clear()
        self._seen = {number: pair for number, pair in self._seen.copy().items() if pair[1]}

    def first(self) -> dict[Where, tuple[Any, int]]:
        """In which run each part of a function that was entered ran first, and after how many pulls."""
        return {(watch, part): at for watch in self.watched() for part, at in watch.first.items()}

    def names_read(self, where: Where, assigned: bool = False) -> frozenset[str]:
        """The variables and attributes that a part reads, also in the functions that it may call; and those of which
        its variables are `assigned`."""
        watch, part = where
        function = node_of(watch.code)
        if function is None:
            return frozenset()
        functions = [n for tree in watch.trees for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
        names, todo = set[str](), _inside(part, function)
        while todo:
            new = {*_loaded(todo)} - names
            names |= new
            todo = [statement for f in functions if f.name in new for statement in f.body]
        gets = [n for n in ast.walk(function) if isinstance(n, ast.Assign | ast.AugAssign)] if assigned else []
        while new := {*_loaded([n.value for n in gets if not names.isdisjoint(_stored(n))])} - names:
            names |= new
        return frozenset(names)

    def watched(self) -> list[_Watch]:
        """The functions of the policy's own code that were entered after it was built."""
        return [watch for _, watch in self._seen.values() if watch is not None and watch.entered]

    def unreached(self) -> tuple[str, ...]:
        """What did not run in functions that were entered; of a block its beginning.

        Where noise sources are known, what cannot leak is left out, and what could is named.
        """
        places = {}
        for watch in self.watched():
            code, missing = watch.code, watch.asked(self._late)
            could = {part: self.could_leak((watch, part)) for part in missing}
            asked = {part for part in missing if could[part] is not None}
            for part in sorted(asked, key=lambda p: (p.line, p.inside or p.whole)):
                if asked.isdisjoint(part.outer):
                    where = located(code.co_filename, part.line, code.co_name)
                    told = f" (it could leak: {could[part]})" if could[part] else ""
                    places[(f"{part.text} in {where}" if part.text else where) + told] = None
        return tuple(places)

    def could_leak(self, where: Where) -> str | None:
        """Why a part could leak by what the source says: '' if nobody knows, None where it cannot."""
        watch, part = where
        sources = frozenset(name for name, only in self.sources.items() if only)
        function = node_of(watch.code)
        if not sources or function is None:
            return ""
        watched = self.watched()
        excluded = frozenset(
            (named(node), span)
            for other in watched
            if isinstance(node := node_of(other.code), ast.FunctionDef)
            for left in other.missing - other.asked(self._late)
            for span in (left.inside, left.whole)
            if span is not None and left.past is None
        )
        trees = tuple(dict.fromkeys(tree for other in watched for tree in other.trees))
        return flows_of(trees, sources, excluded).leak(function, *_reading(part, function))

    def look(self, policy: Any) -> None:
        """Note under which attributes a policy, and what it holds, keep noise sources, and nothing else."""
        todo, seen = [policy], set[int]()
        while todo and len(seen) < MOST_HELD:
            thing = todo.pop()
            held = getattr(thing, "__dict__", None)
            if id(thing) in seen or not isinstance(held, dict) or isinstance(thing, type | NoiseSource):
                continue
            seen.add(id(thing))
            for name, value in held.items():
                self.sources[name] = self.sources.get(name, True) and isinstance(value, NoiseSource)
                todo += list(value) if isinstance(value, list | tuple) else [value]

    def excused(self) -> tuple[str, ...]:
        """The lines of watched functions for which the author answers."""
        places = {}
        for code in (watch.code for watch in self.watched()):
            if (node := node_of(code)) is not None:
                first, _, last, _ = _span(node)
                lines = [line for line in _marks(code.co_filename) if first <= line <= last]
                places |= {located(code.co_filename, line, code.co_name): None for line in lines}
        return tuple(places)


class _Watch:
    """The parts of one function that have not run, and the pairs of instructions that were seen in a row."""

    def __init__(
        self,
        code: CodeType,
        parts: Collection[Part],
        options: Collection[Option],
        now: Callable[[], tuple[Any, int]],
        trees: tuple[ast.Module, ...],
    ) -> None:
        self.options, self.entered, self.now, self.trees = options, False, now, trees
        self.code, places = code, enumerate(code.co_positions())
        self.spans = {2 * k: (a, c, b, d) for k, (a, b, c, d) in places if a and b and c is not None and d is not None}
        steps = list(dis.get_instructions(code))
        self.jumps = {step.offset for step in steps if "JUMP" in step.opname}
        self.tested: dict[int, Span | None] = {}  # of a conditional jump, and of one behind it: what is tested
        for before, step in pairwise(steps):
            if before.offset in self.tested and "JUMP" in step.opname:
                self.tested[step.offset] = self.tested[before.offset]
            elif "JUMP" in step.opname and "IF" in step.opname:
                self.tested[step.offset] = self.spans.get(before.offset)
        present = {(span, at in self.jumps) for at, span in self.spans.items()}
        self.missing = {p for p in parts if any(p.has(span) and (p.jumps or not jump) for span, jump in present)}
        self.present = frozenset(self.missing)
        self.left: set[Part] = set()  # of a whole run: what has not run in it
        self.since: dict[Part, int] = {}  # and after how many pulls the rest first did
        self.first: dict[Part, tuple[Any, int]] = {}  # in which run a part ran first, and after how many pulls
        self.seen: set[tuple[int | None, int | None]] = set()

    def asked(self, late: Collection[type]) -> set[Part]:
        """What is missing, but for what an option excludes as a whole; objects of `late` classes have no options."""
        excluded = [option.way & self.present for option in self.options if option.relied.isdisjoint(late)]
        return self.missing.difference(*(way for way in excluded if way <= self.missing))

    def tracer(self) -> Tracer:
        """For one call of the function."""
        before: int | None = None
        seen, step = self.seen, self.step

        def follow(frame: FrameType, event: str, argument: Any) -> Tracer | None:
            nonlocal before
            if event in ("opcode", "return"):
                now = frame.f_lasti if event == "opcode" else None
                if (before, now) not in seen:
                    seen.add((before, now))
                    step(before, now)
                    if not (self.missing or self.left):
                        frame.f_trace_opcodes = False
                        return None
                before = now
            elif event == "exception" and argument[0] is not StopIteration:
                before = None
            return follow

        return follow

    def step(self, before: int | None, now: int | None) -> None:
        """One instruction runs after another one of the same call; None before the first and after the last."""
        was = None if before is None else self.spans.get(before)
        at = None if now is None else self.spans.get(now)
        jumped = now in self.jumps
        asked = self.missing | self.left
        tested = None if before is None else self.tested.get(before)
        if ran := {p for p in asked if p.runs(tested if p.asks else was, at) and (p.jumps or not jumped)}:
            run, pulls = self.now()
            for part in sorted(ran, key=lambda p: (p.line, p.text)):
                self.first.setdefault(part, (run, pulls))
                self.since.setdefault(part, pulls)
            self.missing -= ran
            self.left -= ran


Where = tuple[_Watch, Part]
"""A part, and the function that it is of."""


def _within(inner: Span, outer: Span) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]


# ------------------------------------------------------------------------------------------------ the parts of a source


def _reading(part: Part, function: ast.AST) -> tuple[list[ast.AST], list[ast.AST]]:
    """What runs where a part does, with all that decides about it, and what is skipped then."""
    nodes = [n for n in ast.walk(function) if isinstance(n, ast.expr | ast.stmt)]
    span = part.inside or part.whole
    assert span is not None
    ran: list[ast.AST] = [*_inside(part, function)]
    skipped: list[ast.AST] = [n for n in nodes if part.past is not None and _within(_span(n), part.past)]
    if part.past is not None and part.inside is None:  # an expression that is decided before its last part
        ran = [n for n in nodes if _span(n) == part.whole]
    around = [n for n in nodes if n is not function and _within(span, _span(n)) and n not in ran]
    for outer in around:
        ran += _deciding(outer)
        skipped += _beside(outer, span)
        if isinstance(outer, ast.For | ast.While) and any(isinstance(n, LEAVING) for n in ran):
            skipped += outer.body
    ran += [n.test for n in nodes if isinstance(n, ast.If) and n.lineno <= part.line and any(_leaving(n))]
    if any(isinstance(n, LEAVING) for n in ran):
        skipped += [n for n in nodes if isinstance(n, ast.stmt) and n.lineno > span[2]]
    return ran, skipped


def _inside(part: Part, function: ast.AST) -> list[ast.AST]:
    """The expressions and statements of a function that are inside of a part."""
    span = part.inside or part.whole
    assert span is not None
    return [n for n in ast.walk(function) if isinstance(n, ast.expr | ast.stmt) and _within(_span(n), span)]


def _stored(node: ast.AST) -> set[str]:
    """The variables that a statement sets."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _loaded(nodes: Collection[ast.AST]) -> Iterator[str]:
    """The variables and attributes that are read, but for a container in which only an entry is replaced."""
    every = [inner for node in nodes for inner in ast.walk(node)]
    replaced = {id(n.value) for n in every if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store)}
    for node in every:
        match node:
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name, ctx=ast.Load()) if (
                id(node) not in replaced
            ):
                yield name
            case ast.AugAssign(target=ast.Name(id=name) | ast.Attribute(attr=name)):
                yield name


def _deciding(node: ast.AST) -> list[ast.AST]:
    """What decides which way is gone inside a node."""
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            return [test]
        case ast.BoolOp(values=values):
            return list(values[:-1])
        case ast.For(iter=through):
            return [through]
        case ast.Match(subject=subject, cases=cases):
            return [subject, *(case.guard for case in cases if case.guard is not None)]
        case ast.Try(body=body):
            return list(body)
    return [g for c in getattr(node, "generators", ()) for g in (c.iter, *c.ifs)]


def _beside(node: ast.AST, span: Span) -> list[ast.AST]:
    """The other ways beside the one that holds this span."""
    ways: list[list[ast.AST]] = []
    match node:
        case ast.If(body=body, orelse=orelse):
            ways = [[*body], [*orelse]]
        case ast.IfExp(body=one, orelse=two):
            ways = [[one], [two]]
        case ast.Match(cases=cases):
            ways = [[*case.body] for case in cases]
    return [n for way in ways if way and not _within(span, _span(way[0], way[-1])) for n in way]


@cache
def _marks(file: str) -> dict[int, str]:
    """The lines with a mark, "cover" or "branch"."""
    lines = enumerate(linecache.getlines(file), 1)
    return {k: mark[1] for k, line in lines if "pragma" in line and (mark := _MARKED.search(line))}


def node_of(code: CodeType) -> ast.AST | None:
    """The function, lambda or comprehension that a code object is of; None for other code."""
    tree = parsed(code.co_filename)
    spans = [(a, c, b, d) for a, b, c, d in code.co_positions() if a and b and c is not None and d]
    if tree is None or not spans:
        return None
    if not code.co_name.startswith("<"):
        named = (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == code.co_name)
        return next((n for n in named if _first_line(n) == code.co_firstlineno), None)
    kinds = ast.Lambda if code.co_name == "<lambda>" else _COMPREHENSION
    around = [n for n in ast.walk(tree) if isinstance(n, kinds) and all(_within(s, _span(n)) for s in spans)]
    return next(reversed(around), None)  # the innermost one


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _span(first: Any, last: Any = None) -> Span:
    last = last or first
    return first.lineno, first.col_offset, last.end_lineno, last.end_col_offset


def _parts(code: CodeType, settled: Settled) -> _Parts:
    """What is asked for of a function."""
    node, marks = node_of(code), _marks(code.co_filename)
    function = _Parts(marks, linecache.getlines(code.co_filename), settled)
    if isinstance(node, ast.FunctionDef):
        if not function.marked(_first_line(node), node.body[0].lineno - 1):
            function.block(node.body, ())
    elif isinstance(node, ast.Lambda):
        function.within(node.body, ())
    elif node is not None:
        function.within(node, ())
    return function


class _Parts:
    """Collects the parts of a function, outer ones first; `options` are the ways beside a condition that is settled."""

    def __init__(self, marks: dict[int, str], lines: list[str], settled: Settled) -> None:
        self.marks, self.lines, self.settled = marks, lines, settled
        self.parts: list[Part] = []
        self.options: list[Option] = []

    @contextmanager
    def beside(self, *tests: ast.AST) -> Iterator[None]:
        """The parts that are added are a way beside a condition, which these tests make together."""
        before = len(self.parts)
        yield
        self.settled.relied.clear()
        if all(map(self.settled, tests)):
            self.options.append(Option(frozenset(self.parts[before:]), frozenset(self.settled.relied)))

    def marked(self, first: int, last: int, *kinds: str) -> bool:
        """Whether the author answers for what these lines begin."""
        return any(self.marks.get(line) in (kinds or ("cover",)) for line in range(first, max(first, last) + 1))

    def add(self, part: Part) -> tuple[Part, ...]:
        self.parts.append(part)
        return (part,)

    def block(self, statements: list[ast.stmt], outer: tuple[Part, ...]) -> None:
        """The parts of statements; what follows one that may leave the block is a way beside what decides that."""
        with ExitStack() as ways:
            for statement in statements:
                outer = self.statement(statement, outer) or outer
                if tests := list(_leaving(statement)):
                    ways.enter_context(self.beside(*tests))

    def statement(self, node: Any, outer: tuple[Part, ...]) -> tuple[Part, ...]:
        """The parts of a statement; the one that says whether it was begun is returned."""
        blocks = [getattr(node, name, None) for name in ("body", "handlers", "cases")]
        first = next((b[0] for b in blocks if b and not isinstance(b, ast.expr)), None)
        place = getattr(first, "pattern", first)
        last = node.end_lineno if place is None else max(node.lineno, place.lineno - 1)
        excluded = self.marked(node.lineno, last)
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return ()
            case ast.If(test=test) | ast.While(test=test):
                began = () if excluded else self.begin(node, test, outer)
                if not excluded:
                    with self.beside(test):
                        self.around(node, test, began or outer)
                    with self.beside(test):
                        self.block(node.body, began or outer)
                with self.beside(test):
                    self.otherwise(node, began or outer)
                return began
            case ast.For(target=target, iter=through):
                began = () if excluded else self.begin(node, through, outer)
                if not excluded:
                    text = f"the case that the loop over `{_short(through)}` ends"
                    if not self.marked(node.lineno, last, "branch") and not self.endless(through):
                        body = _span(target, node.body[-1])
                        self.add(Part(node.lineno, text, _span(through), _span(node), body, began or outer))
                    self.block(node.body, began or outer)
                self.otherwise(node, began or outer)
                return began
            case ast.With(items=items):
                began = () if excluded else self.begin(node, items[0].context_expr, outer)
                if not excluded:
                    self.block(node.body, began or outer)
                return began
            case ast.Try() | ast.TryStar():
                if not excluded:
                    self.block(node.body, outer)
                for handler in node.handlers:
                    if not self.marked(handler.lineno, handler.body[0].lineno - 1):
                        self.block(handler.body, outer)
                self.block(node.orelse, outer)
                self.block(node.finalbody, outer)
                return ()
            case ast.Match(subject=subject):
                began = () if excluded else self.begin(node, subject, outer)
                tests: list[ast.AST] = [subject]
                for case in node.cases if not excluded else ():
                    tests += [case.pattern, *([] if case.guard is None else [case.guard])]
                    if not self.marked(case.pattern.lineno, case.body[0].lineno - 1):
                        with self.beside(*tests):
                            self.block(case.body, began or outer)
                return began
        if excluded or _is_idle(node):
            return ()
        text = f"`{_short(node)}`" if self.lines[node.lineno - 1].encode()[: node.col_offset].strip() else ""
        began = self.add(Part(node.lineno, text, _span(node), outer=outer, quiet=_only_call(node)))
        self.inner(node, began)
        return began

    def endless(self, through: ast.expr) -> bool:
        """Whether it is an iterator of itertools that never ends, once it has begun."""
        if not isinstance(through, ast.Call):
            return False
        module, _, name = ast.unparse(through.func).rpartition(".")
        imports = (line for line in self.lines if line.startswith("from itertools import"))
        of_itertools = module == "itertools" or not module and any(name in line for line in imports)
        few = name != "repeat" or len(through.args) + len(through.keywords) == 1
        return of_itertools and name in ("count", "cycle", "repeat") and few

    def begin(self, node: Any, head: ast.expr, outer: tuple[Part, ...]) -> tuple[Part, ...]:
        began = self.add(Part(node.lineno, "", _span(head), _span(node), outer=outer))
        self.within(head, began, decides=not isinstance(node, ast.For | ast.With | ast.Match))
        return began

    def around(self, node: Any, test: ast.expr, outer: tuple[Part, ...]) -> None:
        """The way around a block that has no other way beside it."""
        nothing = all(isinstance(statement, ast.Pass) for statement in node.body)
        if isinstance(test, ast.Constant) or nothing or not all(isinstance(n, ast.Pass) for n in node.orelse):
            return
        if not self.marked(node.lineno, max(node.lineno, node.body[0].lineno - 1), "branch"):
            calls = [_only_call(statement) for statement in node.body]
            quiet = tuple(call for said in calls for call in said) if all(calls) else ()
            text = f"the case that `{_short(test)}` is false"
            self.add(
                Part(node.lineno, text, _span(test), _span(node), _span(node.body[0], node.body[-1]), outer, quiet)
            )

    def otherwise(self, node: Any, outer: tuple[Part, ...]) -> None:
        """The block after `else:`, unless that line is marked."""
        if node.orelse and not self.marked(node.body[-1].end_lineno + 1, node.orelse[0].lineno - 1):
            self.block(node.orelse, outer)

    def inner(self, node: ast.AST, outer: tuple[Part, ...]) -> None:
        for child in ast.iter_child_nodes(node):
            self.within(child, outer)

    def within(self, node: Any, outer: tuple[Part, ...], decides: bool = False) -> None:
        """The ways of an expression; whether a test `decides` between ways that are asked for themselves."""
        match node:
            case ast.Lambda(args=args):
                self.inner(args, outer)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.within(test, outer, decides=True)
                for way in (body, orelse):
                    with self.beside(test):
                        self.within(way, self.way(way, outer), decides)
            case ast.BoolOp(values=values):
                self.within(values[0], outer, decides)
                for k, value in enumerate(values[1:], 1):
                    if decides and self.settled(value):
                        continue
                    with self.beside(ast.BoolOp(node.op, values[:k])):
                        self.within(value, self.way(value, outer), decides)
                if not decides and not all(map(_is_truth, values[:-1])):
                    if not self.marked(node.lineno, node.end_lineno or node.lineno, "cover", "branch"):
                        text = f"the case that `{_short(node)}` is decided before its last part"
                        with self.beside(*values[:-1]):
                            self.add(Part(node.lineno, text, None, _span(node), _span(node), outer))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.within(operand, outer, decides)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
                order = [part for generator in node.generators for part in (generator.iter, *generator.ifs)]
                tests = [test for generator in node.generators for test in generator.ifs]
                for part, then in pairwise([*order, made[0]]):
                    self.within(part, outer, decides=part in tests)
                    if part in tests:
                        with self.beside(part):
                            self.left_out(part, then, outer)
                for one in made:
                    self.within(one, self.way(one, outer))
            case _:
                self.inner(node, outer)

    def left_out(self, test: ast.expr, then: ast.expr, outer: tuple[Part, ...]) -> None:
        """The way of what a comprehension leaves out, past what comes where the test is true."""
        if not isinstance(test, ast.Constant) and not self.marked(
            test.lineno, test.end_lineno or test.lineno, "branch"
        ):
            text = f"the case that `{_short(test)}` is false"
            self.add(Part(test.lineno, text, _span(test), past=_span(then), outer=outer, asks=True))

    def way(self, node: Any, outer: tuple[Part, ...]) -> tuple[Part, ...]:
        if self.marked(node.lineno, node.end_lineno):
            return outer
        return self.add(Part(node.lineno, f"`{_short(node)}`", _span(node), outer=outer, jumps=False))


def _leaving(node: ast.stmt) -> Iterator[ast.AST]:
    """The conditions that decide whether a statement leaves the block that it is in."""
    match node:
        case ast.If(test=test, body=body, orelse=orelse):
            inner = [*_leaving(body[-1]), *(_leaving(orelse[-1]) if orelse else ())]
            if inner or any(isinstance(way[-1], LEAVING) for way in (body, orelse) if way):
                yield from (test, *inner)
        case ast.Match(subject=subject, cases=cases):
            inner = [test for case in cases for test in _leaving(case.body[-1])]
            if inner or any(isinstance(case.body[-1], LEAVING) for case in cases):
                yield from (subject, *inner, *(case.pattern for case in cases))
                yield from (case.guard for case in cases if case.guard is not None)


def _short(node: ast.AST) -> str:
    text = ast.unparse(node).replace("\n", " ")
    return text if len(text) <= 60 else f"{text[:57]}..."


def _is_truth(node: ast.expr) -> bool:
    """Whether an expression is True or False, so that it says no more than which way was gone."""
    return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))


# ---------------------------------------------------------------------------------------------------- what cannot leak


def _is_idle(node: ast.stmt) -> bool:
    """Whether nothing can leak by a statement: what it does is end the run, or nothing."""
    idle = ast.Raise | ast.Assert | ast.Pass | ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal
    return isinstance(node, idle) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _only_call(node: ast.stmt) -> tuple[ast.Call, ...]:
    """The call that a statement consists of: it may be for a log."""
    return (node.value,) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else ()


def is_quiet(call: ast.Call, frame: FrameType) -> bool:
    """Whether a call only prints, warns or logs: the function is looked up where the frame would look."""
    function = _object_behind(call.func, frame)
    method = getattr(function, "__name__", "")
    owner = getattr(function, "__self__", None)
    known = (
        function is print
        or function is warnings.warn
        or (method in _TOLD and getattr(function, "__module__", "") == "logging")
    )
    if not known and not (method in _TOLD and isinstance(owner, logging.Logger)):
        return False
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return all(_is_plain(argument, frame) for argument in given)


def _object_behind(node: ast.expr, frame: FrameType) -> Any:
    """The object behind a name or behind attributes of one, if looking it up runs no code of the policy."""
    if isinstance(node, ast.Name):
        if node.id in frame.f_locals:
            return frame.f_locals[node.id] if node.id == "self" else None
        if node.id in (*frame.f_code.co_varnames, *frame.f_code.co_cellvars, *frame.f_code.co_freevars):
            return None
        return frame.f_globals.get(node.id, getattr(builtins, node.id, None))
    if isinstance(node, ast.Attribute) and (owner := _object_behind(node.value, frame)) is not None:
        held = getattr(owner, "__dict__", {})
        kept = held.get(node.attr, getattr(type(owner), node.attr, None))
        if isinstance(owner, logging.Logger):
            return getattr(owner, node.attr, None)
        return None if isinstance(kept, property) else kept
    return None


def _is_plain(node: ast.AST, frame: FrameType) -> bool:
    """Whether computing an argument runs no code of the policy."""
    if isinstance(node, ast.Call):
        plain = isinstance(node.func, ast.Name) and any(_object_behind(node.func, frame) is known for known in _SHOWN)
        return plain and not node.keywords and all(_is_plain(a, frame) for a in node.args)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
        return not isinstance(getattr(type(frame.f_locals.get("self")), node.attr, None), property)
    if isinstance(node, ast.NamedExpr | ast.Lambda | ast.Await | ast.Yield | ast.YieldFrom | _COMPREHENSION):
        return False
    return all(_is_plain(child, frame) for child in ast.iter_child_nodes(node))
