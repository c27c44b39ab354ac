"""Programs watched at a point: no float comes about in them, and no ball is asked what only a number can answer.

A claim that is no formula is a program, and never shows more than what it computes at points. Its source is compiled
again with every expression handed through ``_exact_value``, and so is that of each function of its document that it
calls: a float leaves no trace in a result that is rounded back to a whole number, and an uncertain comparison of balls
is False. What was computed before, in the module or in a record, is seen where it is read: ``_made_exactly``.
"""

from __future__ import annotations

import ast
import inspect
import math
import textwrap
import types
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np

from banditproof.theory.numbers.term import QUANTITIES, VARIABLES, NoTerm, Term, was_float
from banditproof.verify.proof.compare import MACHINERY, at_exact_point, holds
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.evaluation import call, formula_of, is_ball
from banditproof.verify.proof.statement import trace

FLOATS = (float, complex, np.floating, Decimal)
LIBRARIES = ("mpmath", "scipy", "gmpy2")  # whose numbers round
ASKS = {float, int, bool, str, complex, round, min, max, sorted, hash, format}
TELLS = {isinstance, getattr, hasattr, type, repr, id, hash, str, format}
BUILTIN = types.BuiltinFunctionType
CACHED = type(lru_cache(abs))


class Rounded(ArithmeticError):
    """Exact numbers gave a float, or a ball was asked for more than an enclosure."""


def rounding_at(relation: Callable[..., Any], point: Mapping[str, Any], constants: Any, rational: bool) -> str | None:
    """Which float a program makes of exact numbers where it fails, or what it asks a ball there, or None.

    It has to fail there once more. A relation compiled from its term makes no float.
    """
    if formula_of(relation) is not None:
        return None
    arguments = dict(point) | dict(constants)
    try:
        sides = call(watching(relation), arguments if rational else at_exact_point(arguments))
    except Rounded as error:
        return str(error)
    return None if holds(*sides) is False else "the relation does not certainly fail when it is computed again"


def rounding_on_the_way(relation: Callable[..., Any], domain: Domain, constants: Mapping[str, Any]) -> str | None:
    """Which float a body computes while it is traced, or what it tells a variable by, or None.

    A constant that was rounded is exact in the term, and a body that knows that it is traced may say another thing.
    """
    if (
        isinstance(relation, types.FunctionType)
        and not hasattr(relation, "__wrapped__")
        and watching(relation) is relation
    ):
        return "the body has no source code, so it cannot be watched"
    try:
        said, seen = trace(relation, domain, constants), trace(watching(relation), domain, constants)
    except (Rounded, NoTerm) as error:
        return str(error)
    return None if said == seen else "its body gives another term when it is called again"


@lru_cache(2048)
def watching(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, raising Rounded at a float; what has no source of its own is left as it is."""
    if QUANTITIES.get(function.__name__) is (inside := getattr(function, "__wrapped__", None)) is not None:
        return _watched_quantity(function, watching(inside))
    within = function.__wrapped__ if isinstance(function, CACHED) else function
    if not isinstance(within, types.FunctionType) or hasattr(within, "__wrapped__"):
        return function
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(within))).body[0]
    except (OSError, TypeError, SyntaxError):
        return function
    if not isinstance(tree, ast.FunctionDef) or tree.name != within.__name__:  # of a lambda, the line that holds it
        return function
    tree.decorator_list, tree.name = [], f"watched_{tree.name}"
    own = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    own |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    tree.body = [_Watching(own).visit(statement) for statement in tree.body]
    exact_value = partial(_exact_value, within.__module__.partition(".")[0])
    around = zip(within.__code__.co_freevars, within.__closure__ or (), strict=True)
    names = {**within.__globals__, **{name: cell.cell_contents for name, cell in around}}
    names |= {"__exact_value__": exact_value, "__no_ball__": _no_ball, "__watched_call__": _watched_call}
    names |= {"__no_text__": _no_text, "__no_number__": _no_number, "__no_variable__": _no_variable}
    names |= {"__made_exactly__": _made_exactly, "__attribute__": _attribute}
    exec(compile(ast.fix_missing_locations(ast.Module([tree], [])), "<watched>", "exec"), names)
    watched: Any = names[tree.name]
    watched.__defaults__, watched.__kwdefaults__ = within.__defaults__, within.__kwdefaults__
    return lru_cache(None)(watched) if isinstance(function, CACHED) else watched


def _watched_quantity(function: Callable[..., Any], watched: Callable[..., Any]) -> Callable[..., Any]:
    """A quantity of a document: of variables the node of a term, of numbers what its watched code computes."""

    def either(*values: Any, **named: Any) -> Any:
        asked = not VARIABLES.isdisjoint(map(type, (*values, *named.values())))
        return (function if asked else watched)(*values, **named)

    return either


class _Watching(ast.NodeTransformer):
    """Puts a call around each expression that is read, and another one around what is compared or decides.

    `own` are the names that the function itself gives values to.
    """

    def __init__(self, own: set[str]) -> None:
        self.own = own

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.arguments | ast.pattern | ast.Slice):
            return node
        if isinstance(node, ast.FormattedValue):
            node.value = _through("__no_number__", self.visit(node.value), ast.unparse(node.value)[:80])
            return node
        shown = ast.unparse(node)[:80] if isinstance(node, ast.expr) else ""
        if shown.endswith((" is None", " is not None")) and isinstance(node, ast.Compare):
            return node  # whether a value was given
        node = self.generic_visit(node)
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name not in self.own:
                node = _through("__made_exactly__", node, shown)
            case ast.Attribute(value=value, attr=name, ctx=ast.Load()):
                node = _through("__attribute__", value, name)
            case ast.Compare(ops=[ast.Is() | ast.IsNot() | ast.In() | ast.NotIn()]):
                node.left = _through("__no_variable__", node.left, shown)
            case ast.Match(subject=subject):
                node.subject = _through("__no_variable__", subject, "match")
            case ast.Compare(left=left, comparators=others):
                node.left = _through("__no_ball__", left, shown)
                node.comparators[:] = [_through("__no_ball__", part, shown) for part in others]
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                node.test = _through("__no_ball__", test, "a branch")
            case ast.BoolOp(values=values):
                node.values = [_through("__no_ball__", value, shown) for value in values]
            case ast.BinOp(op=ast.Mod()):
                node.left = _through("__no_text__", node.left, shown)
            case ast.Call(func=called, args=given):
                node.func, node.args = ast.Name("__watched_call__", ast.Load()), [called, *given]
        read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        kept = ast.Starred | ast.Tuple | ast.JoinedStr
        return (
            _through("__exact_value__", node, shown)
            if isinstance(node, ast.expr) and read and not isinstance(node, kept)
            else node
        )


def _through(name: str, node: ast.expr, shown: str) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [node, ast.Constant(shown)], [])


def _exact_value(family: str, value: Any, shown: str) -> Any:
    """The value of an expression, if it is no float and no list of such; a function of the document is watched too."""
    if isinstance(value, types.FunctionType | CACHED):
        own = str(value.__module__).partition(".")[0] == family and not str(value.__module__).startswith(MACHINERY)
        return watching(value) if own and "__exact_value__" not in getattr(value, "__globals__", ()) else value
    if isinstance(value, types.GeneratorType) and shown.isidentifier():
        raise Rounded(f"{shown} gives another value each time")
    if isinstance(value, set | frozenset | dict):
        list(map(partial(_no_variable, shown=shown), value))
    several = isinstance(value, list | tuple | set | frozenset)
    if not (any(map(_may_round, {*map(type, value)})) if several else _may_round(type(value))):
        return value
    for one in value if several else (value,):
        if _is_float(one):
            raise Rounded(f"{shown} is the float {str(one)[:40]}")
        if type(one).__module__.partition(".")[0] in LIBRARIES and hasattr(type(one), "__float__"):
            raise Rounded(f"{shown} is a number of {type(one).__module__.partition('.')[0]}, which rounds")
        if type(one).__module__.startswith("sympy") and getattr(one, "has", None) and _floats_of(one):
            raise Rounded(f"{shown} contains a SymPy float")
        if isinstance(one, np.integer) or (isinstance(one, np.ndarray) and one.dtype.kind in "iufc"):
            raise Rounded(f"{shown} consists of machine numbers, which may round or overflow")
    return value


@cache
def _may_round(kind: type) -> bool:
    """Whether some values of this type are rounded numbers, or hold such."""
    return issubclass(kind, (*FLOATS, np.integer, np.ndarray)) or kind.__module__.partition(".")[0] in {
        *LIBRARIES,
        "sympy",
    }


class _Analytic:
    """Stands for a complex number in an integrand: it has the operations that keep it analytic, and no others."""

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = lambda self, _: self
    __neg__ = exp = expm1 = erfc = sin = cos = sinh = cosh = lambda self: self
    log = log1p = sqrt = lambda self, analytic: self  # flint asks on which side of the cut

    def __pow__(self, exponent: Any) -> _Analytic:
        if type(exponent) is not int:
            raise TypeError("a power that is not an integer has a branch cut")
        return self

    def __bool__(self) -> bool:
        raise TypeError("a complex number is asked")

    __eq__ = __bool__  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]


def _is_float(value: Any) -> bool:
    return isinstance(value, FLOATS) and not (isinstance(value, float) and math.isinf(value))


def _floats_of(expression: Any) -> bool:
    import sympy

    return isinstance(expression, sympy.Basic) and bool(expression.has(sympy.Float))


def _holds_floats(value: Any) -> bool:
    """Whether it is a record, some entry of which is a float: a budget, a report of runs."""
    return is_dataclass(value) and not isinstance(value, type) and any(map(_is_float, vars(value).values()))


def _made_exactly(value: Any, shown: str) -> Any:
    """What was computed before the program runs, if it is no ball and no number that looks like a float."""
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else (value,):
        if is_ball(one):
            raise Rounded(f"{shown} is a ball that was computed earlier")
        if isinstance(one, Fraction) and was_float(one):
            raise Rounded(f"{shown} was a float before it was a Fraction")
    return value


def _attribute(value: Any, name: str) -> Any:
    """An attribute; what a record of a document holds was computed before, or by code that nobody watches."""
    if type(value) is Term and name.startswith("__"):
        _no_variable(value, name)
    if type(value).__module__.startswith("banditproof.verify.") and _holds_floats(value):
        raise Rounded(f"{name} belongs to a {type(value).__name__}, which comes from runs or floats")
    attribute = getattr(value, name)
    root = value.__name__ if isinstance(value, types.ModuleType) else type(value).__module__
    foreign = root.startswith(MACHINERY) or root.partition(".")[0] in ("builtins", "fractions", "flint")
    return attribute if foreign else _made_exactly(attribute, name)


def _no_variable(value: Any, shown: str) -> Any:
    """The value that is asked what it is, unless it is a variable of a term or of an analytic function."""
    if type(value) in (Term, _Analytic):
        raise Rounded(f"{shown} distinguishes a variable from a number")
    return value


def _no_ball(value: Any, shown: str) -> Any:
    """The value that decides or is compared, unless it is a ball or a record of floats."""
    if is_ball(value):
        raise Rounded(f"{shown} asks a ball")
    if _holds_floats(value):
        raise Rounded(f"{shown} compares records of floats")
    return value


def _watched_call(function: Any, *arguments: Any, **named: Any) -> Any:
    """What a call gives, if no ball is asked by it: by an order of Python's, a conversion, or a text."""
    if isinstance(function, BUILTIN) and function in (exec, eval, locals, globals, vars):
        raise Rounded(f"{function.__name__} looks at the computation from outside")
    if getattr(function, "__qualname__", "") == "acb.integral":
        try:
            arguments[0](_Analytic(), True)
        except Exception as error:
            raise Rounded(f"an integrand of acb.integral is not known to be analytic: {error}") from None
    at = getattr(function, "__self__", None)
    if any(given in TELLS for given in (*arguments, *named.values()) if isinstance(given, type | BUILTIN)):
        raise Rounded(f"{getattr(function, '__name__', 'a call')} receives a function that distinguishes numbers")
    if function in TELLS or isinstance(at, dict | set | frozenset) or hasattr(function, "dispatch"):
        list(map(partial(_no_variable, shown=getattr(function, "__name__", "a call")), arguments))
    if function is str or any(given is float for given in (*arguments, *named.values())):
        list(map(partial(_no_number, shown=f"a call of {function.__name__}"), arguments))
        if function is not str:
            raise Rounded(f"{function.__name__} receives float")
    known = isinstance(function, BUILTIN | type) and (function in ASKS or function.__module__ == "math")
    if known and any(
        map(is_ball, (*arguments, *(a for one in arguments if isinstance(one, list | tuple) for a in one)))
    ):
        raise Rounded(f"{function.__name__} asks a ball")
    return function(*arguments, **named)


def _no_number(value: Any, shown: str) -> Any:
    """The value that becomes text, unless it is a number or a term."""
    if isinstance(value, Fraction | Term) or is_ball(value):
        raise Rounded(f"{shown} writes out a number")
    return value


def _no_text(value: Any, shown: str) -> Any:
    """The left side of `%`, unless it is a text into which numbers are written."""
    if isinstance(value, str | bytes):
        raise Rounded(f"{shown} writes out numbers")
    return value
