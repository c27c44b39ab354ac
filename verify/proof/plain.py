"""Is a relation a plain formula? What is proved on boxes must be: a branch taken on a ball is taken for all of it.

flint compares balls with certainty and answers False where it is uncertain, and ``float`` or ``mid`` take one point for
a whole ball. So the source of a relation, and of the functions of its document that it calls, is read: no comparison,
no truth value, no conversion and no inner part of anything that depends on a variable. Branches are written with
``where``, ``minimum`` and the like, which the quantities of ``theory`` are made of too.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Callable, Iterable
from typing import Any

REVIEWED = "banditproof.theory"  # written for balls, and tested as such
HARMLESS = set("abs enumerate isinstance len list range reversed sum system tuple type zip".split())
UNTAINTED = set("isinstance len range system type".split())  # what they return is no ball
METHODS = set("cos erf erfc exp expm1 gamma hypgeom hypgeom_1f1 lambertw lgamma log log1p sin sqrt".split())
METHODS |= set("items keys max min union values".split())
COLLECTS = {"append", "extend"}  # methods of a list, which then holds balls
DEEPEST = 8


def impurity(relation: Callable[..., Any], variables: Iterable[str]) -> str | None:
    """What in a relation does not hold for all points of a ball, or None: 'line 3 compares x > 1 / 2'."""
    return _of_function(relation, frozenset(variables), 0)


def _of_function(function: Callable[..., Any], tainted: frozenset[str], depth: int) -> str | None:
    function = inspect.unwrap(function)
    if depth > DEEPEST:
        return f"{function.__name__} calls too deep to be read"
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):
        return f"the source of {getattr(function, '__name__', function)} cannot be read"
    if not isinstance(tree, ast.FunctionDef):
        return f"{function.__name__} is not a plain function"
    reader = _Reader(function, set(tainted), depth)
    for statement in tree.body:
        reader.visit(statement)
    return reader.found


class _Reader(ast.NodeVisitor):
    """Walks a function in order; `tainted` are the names that may hold balls, `found` is the first impurity."""

    def __init__(self, function: Callable[..., Any], tainted: set[str], depth: int) -> None:
        self.function, self.tainted, self.depth = function, tainted, depth
        self.found: str | None = None

    def holds_balls(self, node: ast.AST | None) -> bool:
        """Whether what an expression gives may depend on a variable."""
        if node is None:
            return False
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in UNTAINTED:
            return False
        if isinstance(node, ast.Name):
            return node.id in self.tainted
        return any(self.holds_balls(child) for child in ast.iter_child_nodes(node))

    def refuse(self, node: ast.AST, what: str) -> None:
        if self.found is None:
            shown = ast.unparse(node).splitlines()[0]
            self.found = f"{self.function.__name__} {what}: {shown[:80]}"

    # -- what may not be

    def visit_Compare(self, node: ast.Compare) -> None:
        if self.holds_balls(node) and not _asks_for_none(node):
            self.refuse(node, "compares balls")
        self.generic_visit(node)

    def visit_If(self, node: ast.If | ast.While | ast.IfExp | ast.Assert) -> None:
        if self.holds_balls(node.test) and not _asks_for_none(node.test):
            self.refuse(node.test, "branches on balls")
        self.generic_visit(node)

    visit_While = visit_IfExp = visit_Assert = visit_If

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        if self.holds_balls(node):
            self.refuse(node, "takes the truth value of balls")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not) and self.holds_balls(node.operand):
            self.refuse(node, "takes the truth value of balls")
        self.generic_visit(node)

    def visit_Try(self, node: ast.Try) -> None:
        self.refuse(node, "depends on what raises")

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, float):
            self.refuse(node, "holds a float (write a Fraction or a constant)")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if self.holds_balls(node.value) and node.attr not in METHODS | COLLECTS:
            self.refuse(node, "looks into balls")
        self.generic_visit(node)

    # -- where balls go

    def visit_Assign(self, node: ast.Assign) -> None:
        self._bind(node.targets, node.value)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._bind([node.target], node.value)
        if node.value is not None:
            self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._bind([node.target], node.value)
        self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._bind([node.target], node.value)
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        self._bind([node.target], node.iter)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self._bind([node.target], node.iter)
        for test in node.ifs:
            if self.holds_balls(test):
                self.refuse(test, "branches on balls")
        self.generic_visit(node)

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp) -> None:
        for generator in node.generators:
            self.visit(generator)
        self.generic_visit(node)

    visit_ListComp = visit_GeneratorExp = visit_SetComp = visit_DictComp = _comprehension

    def _bind(self, targets: Iterable[ast.expr], value: ast.expr | None) -> None:
        if self.holds_balls(value):
            self.tainted |= {n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.tainted |= {a.arg for a in (*node.args.args, *node.args.kwonlyargs)} | {node.name}
        self.generic_visit(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.tainted |= {a.arg for a in node.args.args}
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        balls = [a for a in (*node.args, *(k.value for k in node.keywords)) if self.holds_balls(a)]
        method = isinstance(node.func, ast.Attribute) and (
            self.holds_balls(node.func.value) or (node.func.attr in METHODS and self._called(node.func) is None)
        )
        if not balls or method:
            return
        if (
            isinstance(node.func, ast.Attribute)
            and node.func.attr in COLLECTS
            and isinstance(node.func.value, ast.Name)
        ):
            self.tainted.add(node.func.value.id)
            return
        if isinstance(node.func, ast.Name) and node.func.id in HARMLESS | self.tainted:
            return
        called = self._called(node.func)
        if called is None:
            self.refuse(node, "calls what cannot be read")
        elif not str(getattr(called, "__module__", "")).startswith(REVIEWED):
            self._follow(node, called)

    def _called(self, func: ast.expr) -> Any:
        """The object that a call names, through modules."""
        if isinstance(func, ast.Attribute):
            owner = self._called(func.value)
            return getattr(owner, func.attr, None) if inspect.ismodule(owner) else None
        if not isinstance(func, ast.Name):
            return None
        closure = inspect.getclosurevars(inspect.unwrap(self.function))
        for names in (closure.nonlocals, self.function.__globals__, vars(builtins)):
            if func.id in names:
                return names[func.id]
        return None

    def _follow(self, node: ast.Call, called: Any) -> None:
        if getattr(called, "__module__", None) == "builtins" or not hasattr(inspect.unwrap(called), "__globals__"):
            self.refuse(node, "converts balls")
            return
        try:
            bound = inspect.signature(called).bind(*node.args, **{k.arg: k.value for k in node.keywords if k.arg})
        except (TypeError, ValueError):
            self.refuse(node, "calls what cannot be read")
            return
        given = {name for name, value in bound.arguments.items() if _any_balls(value, self)}
        inner = _of_function(called, frozenset(given), self.depth + 1)
        if inner is not None and self.found is None:
            self.found = inner


def _asks_for_none(node: ast.AST) -> bool:
    """``y is None``: whether a parameter was given, which no ball decides."""
    return isinstance(node, ast.Compare) and all(isinstance(op, ast.Is | ast.IsNot) for op in node.ops)


def _any_balls(value: Any, reader: _Reader) -> bool:
    values = value if isinstance(value, tuple) else value.values() if isinstance(value, dict) else (value,)
    return any(isinstance(v, ast.AST) and reader.holds_balls(v) for v in values)
