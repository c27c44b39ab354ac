"""The lines that made what a release or a draw is given, in a run that was written down: callers', and those before.

A name is followed back to the line that last gave it a value before the release: a local variable within its call, a
parameter to the line that called, an attribute within the same object, and what a function returned into that function.
So no line is named that did not run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from banditproof.verify.runs.journal import Journal, Step
from banditproof.verify.runs.recorder import Release
from banditproof.verify.source_lines import located, loops_around, nodes_of, parsed, statements_on

MOST = 5  # lines that are told besides that of the release
DEEPEST = 2  # lines after one another that compute something
MOST_FOLLOWED = 60  # expressions
ASKED = {  # the arguments of a release that a cause is about; "value" is the first one
    "sensitivity": ("sensitivity", "value"),
    "records": ("value", "records"),
    "budget": ("budget",),
    "declaration": ("budget", "sensitivity", "records"),
}
BUILDING = "__init__"
ADDING = ("append", "appendleft", "extend", "insert", "add", "update", "setdefault")
Place = tuple[str, int, str]
"""File, line and function."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Given:
    """What a line gives a value: a local `name`, or an attribute of its object with a dot before; `value` makes it."""

    name: str
    value: ast.expr | None


class Makers:
    """The way back from the releases of a run, over the steps of its journal."""

    def __init__(self, journal: Journal, releases: Sequence[Release] = ()) -> None:
        self.journal, self.steps, self.releases = journal, journal.steps, releases

    def told(self, release: int, cause: str, besides: Sequence[int] = ()) -> list[str]:
        """The lines that make the arguments a cause is about, nearest first; before them those from which releases
        `besides` were called on another way."""
        at = self._step_of(release)
        if at is None:
            return []
        return self._lines(at, self._other_ways(at, besides), _arguments(self.steps[at], ASKED[cause]))

    def feeding(self, file: str, line: int) -> list[str]:
        """The lines that made what a line read when it last ran, nearest first."""
        at = self._last(len(self.steps), file, line)
        return [] if at is None else self._lines(at, (), _expressions(self.steps[at]))

    def _lines(self, at: int, ways: Iterable[Place], read: list[ast.expr]) -> list[str]:
        """What is told of these lines and of those that made what is read at a step: where objects are built last."""
        making = [_beginning(*place) for place in self._making(at, read)]
        ordered = [*(_beginning(*place) for place in ways), *(p for p in making if p[2] != BUILDING), *making]
        lines = dict.fromkeys(ordered)
        lines.pop(_beginning(*self.steps[at].place), None)
        return [located(*place) for place in list(lines)[:MOST]]

    def _step_of(self, release: int) -> int | None:
        """The line of a release, when it was made."""
        if release >= len(self.journal.released):
            return None
        return self._last(self.journal.released[release], *self.releases[release].place[:2])

    def _last(self, before: int, file: str, line: int) -> int | None:
        """The step at which a line last began."""
        steps = self.steps
        began = (k for k in range(before - 1, -1, -1) if steps[k].line == line and steps[k].file == file)
        return next((k for k in began if steps[k].event == "line"), None)

    def _other_ways(self, at: int, besides: Sequence[int]) -> Iterator[Place]:
        """Where the calls that led to this step and to other releases part: two lines, or one and its loop."""
        way = list(self._way(at))
        for step in map(self._step_of, besides):
            for one, other in zip(way, self._way(step), strict=False):
                here, there = self.steps[one], self.steps[other]
                if here.place[:2] != there.place[:2]:
                    yield from (here.place, there.place)
                    break
                if here.frame == there.frame and one != other:
                    yield here.place
                    yield from ((here.file, line, here.function) for line in loops_around(here.file, here.line))
                    break

    def _way(self, k: int | None) -> Iterator[int]:
        """The lines of the calls that a step is in, the innermost first."""
        while k is not None:
            yield k
            k = self._caller(k)

    def _making(self, at: int, read: list[ast.expr]) -> Iterator[Place]:
        todo = [(at, expression, 0) for expression in read]
        for k, expression, depth in todo:
            for name in dict.fromkeys(_read(expression, self._owner(k))):
                for place, j, made in self._made(k, name):
                    deeper = depth + (place is not None and not (made is not None and _only_names(made)))
                    if deeper > DEEPEST:
                        continue
                    yield from [] if place is None else [place]
                    if made is not None and (j, made, deeper) not in todo and len(todo) < MOST_FOLLOWED:
                        todo.append((j, made, deeper))

    # ------------------------------------------------------------------------------------------------- one step back

    def _made(self, k: int, name: str) -> Iterator[tuple[Place | None, int, ast.expr | None]]:
        """(line, its step, what is read there) where a name got what the line of step `k` reads; no line where a
        caller only hands on what it was given itself."""
        if name.endswith("()"):
            for j in self._returns(k, name[:-2]):
                returns = [n.value for n in _statements(self.steps[j]) if isinstance(n, ast.Return)]
                yield self.steps[j].place, j, next(iter(returns), None)
        elif name.startswith("."):
            owner = self.steps[k].owner
            if _given_at(self.steps[k], name):  # a line that adds to it: it is told, what was before is not
                return
            for j in range(k - 1, -1, -1):
                step = self.steps[j]
                if step.event == "line" and step.owner == owner and (given := _given_at(step, name)):
                    if self._done(j, k):
                        kept = step.function == BUILDING  # what an object only keeps from the start, it hands on
                        for each in given:
                            yield None if kept and isinstance(each.value, ast.Name) else step.place, j, each.value
                        return
            yield from self._made(k, f"{name[1:]}()")  # a property
        else:
            yield from self._local(k, name)

    def _local(self, k: int, name: str) -> Iterator[tuple[Place | None, int, ast.expr | None]]:
        frame = self.steps[k].frame
        for j in range(k - 1, -1, -1):
            step = self.steps[j]
            if step.frame != frame:
                continue
            if step.event == "line" and (given := _given_at(step, name)):
                yield from ((step.place, j, each.value) for each in given)
                return
            if step.event == "call":
                yield from self._passed(j, name)
                return

    def _passed(self, began: int, name: str) -> Iterator[tuple[Place | None, int, ast.expr | None]]:
        """Where the caller of a function gives it a parameter."""
        step, outer = self.steps[began], self._caller(began)
        function = _function(step.file, step.line, step.function)
        if function is None or name not in _parameters(function):  # it reads what is around it
            around = self._around(began)
            yield from () if around is None else self._local(around, name)
            return
        if outer is None:
            return
        calls, caller = _calls(self.steps[outer], function.name), self.steps[outer]
        if not calls and function.name != BUILDING:  # under another name, as by a decorator
            for call in _calls(caller):
                yield None if _is_spread(call) else caller.place, outer, call
        for argument in _bound(calls, function, name):
            if argument is None:
                default = _default(function, name)
                if default is not None and not (isinstance(default, ast.Constant) and default.value is None):
                    yield (step.file, function.lineno, step.function), began, None
            else:
                yield None if self._hands_on(outer, argument) else caller.place, outer, argument

    def _around(self, began: int) -> int | None:
        """The line on which the function stands whose variables another one reads, of those that called it."""
        step, outer = self.steps[began], self._caller(began)
        while outer is not None:
            other = self.steps[outer]
            function = _function(other.file, self.steps[self._began(outer)].line, other.function)
            if function is not None and other.file == step.file:
                if function.lineno < step.line <= (function.end_lineno or 0):
                    return outer
            outer = self._caller(outer)
        return None

    def _hands_on(self, k: int, argument: ast.expr) -> bool:
        """Whether an argument is what the function of step `k` was given itself."""
        if not isinstance(argument, ast.Name):
            return isinstance(argument, ast.Starred)
        frame, name = self.steps[k].frame, argument.id
        for j in range(k - 1, -1, -1):
            step = self.steps[j]
            if step.frame != frame:
                continue
            if step.event == "line" and _given_at(step, name):
                return False
            if step.event == "call":
                function = _function(step.file, step.line, step.function)
                return function is not None and name in _parameters(function)
        return False

    def _returns(self, k: int, function: str) -> list[int]:
        """The last line of the latest call of a function that the statement of step `k` made."""
        found = [j for j in self._during(k) if self.steps[j].event == "return" and self.steps[j].function == function]
        inner = (i for j in found for i in range(j - 1, -1, -1) if self._is_line_of(i, self.steps[j].frame))
        return list(islice(inner, 1))

    def _during(self, k: int) -> Iterator[int]:
        """What functions that the statement of step `k` called did, the latest first."""
        frame, statements = self.steps[k].frame, _statements(self.steps[k])
        last = next((j for j in range(k + 1, len(self.steps)) if self._parts(j, frame, statements)), len(self.steps))
        for j in range(last - 1, -1, -1):
            if self._parts(j, frame, statements):
                return
            if self.steps[j].caller == frame:
                yield j

    def _parts(self, k: int, frame: int, statements: list[ast.stmt]) -> bool:
        """Whether a step is the frame's, at another statement."""
        step = self.steps[k]
        on = _statements(step)
        return step.frame == frame and (step.event == "call" or not any(one in on for one in statements))

    def _is_line_of(self, k: int, frame: int) -> bool:
        return self.steps[k].frame == frame and self.steps[k].event == "line"

    def _caller(self, k: int) -> int | None:
        """The line that called the function of a step, in the policy's own code."""
        step = self.steps[k]
        if not step.caller:
            return None
        began = k if step.event == "call" else self._began(k)
        return next((j for j in range(began - 1, -1, -1) if self._is_line_of(j, step.caller)), None)

    def _began(self, k: int) -> int:
        frame = self.steps[k].frame
        calls = (j for j in range(k, -1, -1) if self.steps[j].frame == frame and self.steps[j].event == "call")
        return next(calls, k)

    def _done(self, j: int, k: int) -> bool:
        """Whether the line of step `j` was done with when step `k` began."""
        return any(self.steps[i].frame == self.steps[j].frame for i in range(j + 1, k + 1))

    def _owner(self, k: int) -> str:
        """What the function of a step calls its object."""
        function = _function(self.steps[k].file, self.steps[self._began(k)].line, self.steps[k].function)
        return next(iter(_parameters(function)), "self") if function is not None else "self"


# ----------------------------------------------------------------------------------------------------- on the source


def _beginning(file: str, line: int, function: str) -> Place:
    """The first line of a statement on several ones."""
    return file, min((statement.lineno for statement in statements_on(file, line)), default=line), function


def _statements(step: Step) -> list[ast.stmt]:
    return statements_on(step.file, step.line)


@cache
def _functions(file: str) -> dict[tuple[str, int], _Function]:
    """The functions of a file, by name and first line."""
    nodes = (n for n in ast.walk(parsed(file) or ast.Module([], [])) if isinstance(n, _Function))
    return {(n.name, min([n.lineno, *(d.lineno for d in n.decorator_list)])): n for n in nodes}


def _function(file: str, line: int, name: str) -> _Function | None:
    return _functions(file).get((name, line))


def _parameters(function: _Function) -> list[str]:
    every = function.args
    several = [argument.arg for argument in (every.vararg, every.kwarg) if argument is not None]
    return [a.arg for a in (*every.posonlyargs, *every.args, *every.kwonlyargs)] + several


def _default(function: _Function, name: str) -> ast.expr | None:
    """The default of a parameter."""
    every = function.args
    ordered = [*every.posonlyargs, *every.args]
    pairs = list(zip(reversed(ordered), reversed(every.defaults), strict=False))
    pairs += [(a, d) for a, d in zip(every.kwonlyargs, every.kw_defaults, strict=True) if d is not None]
    return next((default for argument, default in pairs if argument.arg == name), None)


def _calls(step: Step, function: str = "") -> list[ast.Call]:
    """The calls on a line, of something with the name of a function if one is given."""
    nodes = (node for statement in _statements(step) for node in nodes_of(statement))
    return [node for node in nodes if isinstance(node, ast.Call) and (not function or _called(node) == function)]


def _is_spread(call: ast.Call) -> bool:
    """Whether a call hands on arguments that are not written one by one."""
    return any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords)


def _called(call: ast.Call) -> str:
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def _bound(calls: list[ast.Call], function: _Function, name: str) -> Iterator[ast.expr | None]:
    """What calls give a parameter, None for nothing; all that they are given where that is not to be seen."""
    ordered = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    for call in calls:
        shift = isinstance(call.func, ast.Attribute) and ordered[:1] in (["self"], ["cls"])
        given = {k.arg: k.value for k in call.keywords if k.arg is not None}
        place = ordered.index(name) - shift if name in ordered else len(call.args)
        stars = [k for k, a in enumerate(call.args) if isinstance(a, ast.Starred)]
        if name in given:
            yield given[name]
        elif 0 <= place < min([len(call.args), *stars]):
            yield call.args[place]
        elif function.args.vararg is not None and name == function.args.vararg.arg:
            yield from call.args[len(ordered) - shift :]
        elif function.args.kwarg is not None and name == function.args.kwarg.arg:
            yield from (keyword.value for keyword in call.keywords if keyword.arg not in ordered)
        elif stars and stars[-1] + 1 < len(call.args):  # `f(*several, this)`
            yield call
        elif _is_spread(call):  # as `f(*given, **options)` may
            yield from (call.args[k] for k in stars)
            yield from (ast.Starred(keyword.value) for keyword in call.keywords if keyword.arg is None)
        else:
            yield None


def _arguments(step: Step, names: tuple[str, ...]) -> list[ast.expr]:
    """What the call on a line that says its budget is given; all that is read there, if no call does."""
    statements = _statements(step)
    calls = (n for statement in statements for n in nodes_of(statement) if isinstance(n, ast.Call))
    call = next((c for c in calls if any(k.arg == "budget" for k in c.keywords)), None)
    if call is None:
        return _expressions(step)
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    given |= {"value": call.args[0]} if call.args else {}
    return [given[name if name in given else None] for name in names if name in given or None in given]


def _expressions(step: Step) -> list[ast.expr]:
    """What is read on a line, but for what it gives a value."""
    children = (node for statement in _statements(step) for node in ast.iter_child_nodes(statement))
    return [n for n in children if isinstance(n, ast.expr) and not isinstance(getattr(n, "ctx", None), ast.Store)]


def _only_names(expression: ast.expr) -> bool:
    """Whether an expression computes nothing."""
    kinds = ast.Name | ast.Attribute | ast.Subscript | ast.Tuple | ast.List | ast.Starred
    match expression:
        case ast.Subscript(value=value):
            return _only_names(value)
    return isinstance(expression, kinds) and all(
        _only_names(n) for n in ast.iter_child_nodes(expression) if isinstance(n, ast.expr)
    )


@cache
def _givers(file: str) -> dict[int, list[Given]]:
    """What the statement at each line gives a value."""
    lines: dict[int, list[Given]] = {}
    todo: list[tuple[ast.AST, str]] = [(parsed(file) or ast.Module([], []), "self")]
    for node, owner in todo:
        if isinstance(node, _Function):
            owner = next(iter(_parameters(node)), "self")
        given = list(_given(node, owner))
        if given and isinstance(node, ast.stmt):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                if node in statements_on(file, line):
                    lines.setdefault(line, []).extend(given)
        todo += [(child, owner) for child in ast.iter_child_nodes(node)]
    return lines


def _given_at(step: Step, name: str) -> list[Given]:
    return [given for given in _givers(step.file).get(step.line, ()) if given.name == name]


def _given(node: ast.AST, owner: str) -> Iterator[Given]:
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _targets(target, value, owner)
        case ast.AugAssign(target=target, value=value) | ast.AnnAssign(target=target, value=value):
            yield from _targets(target, value, owner) if value is not None else ()
        case ast.For(target=target, iter=value):
            yield from _targets(target, value, owner)
        case ast.With(items=items):
            for item in items:
                if item.optional_vars is not None:
                    yield from _targets(item.optional_vars, item.context_expr, owner)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=target, attr=method)) as call) if method in ADDING:
            yield from _targets(target, call, owner)
    if isinstance(node, ast.stmt):
        for inner in nodes_of(node):
            if isinstance(inner, ast.NamedExpr):
                yield Given(inner.target.id, inner.value)


def _targets(target: ast.expr, value: ast.expr, owner: str) -> Iterator[Given]:
    match target:
        case ast.Tuple(elts=several) | ast.List(elts=several):
            values = value.elts if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(several) else ()
            for k, each in enumerate(several):
                yield from _targets(each, values[k] if values else value, owner)
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == owner:
            yield Given(f".{attribute}", value)
        case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Starred(value=inner):
            yield from _targets(inner, value, owner)
        case ast.Name(id=name):
            yield Given(name, value)


def _read(expression: ast.AST, owner: str) -> Iterator[str]:
    """The variables, attributes with a dot before them and functions with brackets that an expression reads.

    Indices are left out, and the variables of comprehensions.
    """
    match expression:
        case ast.Name(id=name):
            yield name
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == owner:
            yield f".{attribute}"
        case ast.Subscript(value=value):
            yield from _read(value, owner)
        case ast.Call(func=function, args=arguments, keywords=keywords):
            yield f"{_called(expression)}()"
            yield from (function.id,) if isinstance(function, ast.Name) else ()
            inner = function.value if isinstance(function, ast.Attribute) else None
            if inner is not None and not (isinstance(inner, ast.Name) and inner.id == owner):
                yield from _read(inner, owner)
            for argument in (*arguments, *(keyword.value for keyword in keywords)):
                yield from _read(argument, owner)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            own = {n.id for g in expression.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
            inner_names = (name for child in ast.iter_child_nodes(expression) for name in _read(child, owner))
            yield from (name for name in inner_names if name not in own)
        case _:
            for child in ast.iter_child_nodes(expression):
                yield from _read(child, owner)
