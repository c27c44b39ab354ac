"""A function whose every step is looked at: no float comes about and no ball is asked, however that is written.

Its source is compiled again with each expression handed through ``_seen``, and so is that of every function of the same
document that it comes to call. A float in between leaves no trace in a result that is rounded back to a whole number.
"""

from __future__ import annotations

import ast
import copy
import inspect
import itertools
import sys
import types
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np

from banditproof.verify.proof.compare import MACHINERY, at_exact_point, call, is_ball
from banditproof.verify.proof.plain import syntax
from banditproof.verify.proof.plain.sealed import Asked, opened, sealed
from banditproof.verify.proof.plain.values import EXACT, holds_a_float

LAZY = (map, filter, zip, enumerate, reversed, *(v for v in vars(itertools).values() if isinstance(v, type)))
MOST_LOOKS, _LOOKS = 500_000, [0]
FLOATS = (float, complex, np.floating, np.ndarray)
CONTAINERS = (dict, list, tuple, set, frozenset)
_SEEN, _CALLED, _WRITTEN, _DIVIDED = "__seen__", "__called__", "__written__", "__divided__"


class Rounded(ArithmeticError):
    """Exact numbers gave a float."""


def rounding_at(relation: Callable[..., Any], point: Any, constants: Any, rational: bool) -> str | None:
    """Which float a relation makes of exact numbers at a point on its way, or what it asks a ball there, or None."""
    arguments = dict(point) | dict(constants)
    try:
        call(watching(relation), arguments if rational else at_exact_point(arguments))
    except (Rounded, Asked) as error:
        return str(error)
    return None


def rounding_at_some(relation: Callable[..., Any], points: Iterable[Any], constants: Any, rational: bool) -> str | None:
    """As above, at point after point until MOST_LOOKS expressions have been looked at."""
    before = _LOOKS[0]
    for point in points:
        if problem := rounding_at(relation, point, constants, rational):
            return problem
        if _LOOKS[0] - before > MOST_LOOKS:
            break
    return None


@lru_cache(1024)
def watching(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, raising Rounded as soon as one of its expressions has a float for a value; infinities are exact.

    What the rooms below do with floats is tested where it stands; what has no source, or stands
    around another function as the arena's alterations do, is left as it is.
    """
    within = function.__wrapped__ if isinstance(function, syntax.CACHE) else function
    tree = syntax.source(within)
    if isinstance(tree, str) or not inspect.isfunction(within) or hasattr(within, "__wrapped__"):
        return function
    handed = copy.deepcopy(tree)
    handed.name = f"watched_{tree.name}"  # or it would stand for itself where it calls itself
    handed.body = [_Handed().visit(statement) for statement in handed.body]
    code = syntax.compiled(handed, within.__code__)
    cells = dict(zip(within.__code__.co_freevars, within.__closure__ or (), strict=True))
    seen = partial(_seen, within.__module__.partition(".")[0])
    names = {**within.__globals__, _SEEN: seen, _CALLED: _called, _WRITTEN: _written, _DIVIDED: _divided}
    closure = tuple(cells[name] for name in code.co_freevars)
    watched = types.FunctionType(code, names, within.__name__, within.__defaults__, closure)
    watched.__kwdefaults__ = within.__kwdefaults__
    return lru_cache(None)(watched) if isinstance(function, syntax.CACHE) else watched


class _Handed(ast.NodeTransformer):
    """Puts a call around each expression that is read."""

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.arguments | ast.pattern):
            return node
        shown = ast.Constant(ast.unparse(node)[:80] if isinstance(node, ast.expr) else "")
        if isinstance(node, ast.JoinedStr):
            for part in (part for part in node.values if isinstance(part, ast.FormattedValue)):
                part.value = _handed_to(_WRITTEN, self.visit(part.value), shown)
            return node
        node = self.generic_visit(node)
        if isinstance(node, ast.Call):
            node.args.insert(0, node.func)
            node.func = ast.Name(_CALLED, ast.Load())
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            node.left = _handed_to(_DIVIDED, node.left, shown)
        plain = isinstance(node, ast.Constant) and not isinstance(node.value, float | complex)
        if not isinstance(node, ast.expr) or isinstance(node, ast.Slice | ast.Starred) or plain:
            return node
        read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        sliced = isinstance(node, ast.Tuple) and any(isinstance(entry, ast.Slice) for entry in node.elts)
        return _handed_to(_SEEN, node, shown) if read and not sliced else node


def _handed_to(name: str, node: ast.expr, shown: ast.Constant) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [node, shown], [])


def _called(function: Any, *arguments: Any, **named: Any) -> Any:
    """What a call gives. The machinery, which is made for balls, gets them open."""
    if function in (locals, globals, vars, dir, eval, exec):
        raise Asked(f"{function.__name__} looks at what is computed from outside of it")
    home = str(getattr(function, "__module__", ""))
    if not home.startswith((*MACHINERY, "flint")):
        return function(*arguments, **named)
    return function(*map(_handed_over, arguments), **{n: _handed_over(value) for n, value in named.items()})


def _handed_over(value: Any) -> Any:
    """An argument with its balls open; a function of the document gets sealed ones and gives open ones."""
    if not isinstance(value, types.FunctionType) or _SEEN not in value.__globals__:
        return opened(value)
    return lambda *arguments, **named: opened(value(*arguments, **named))


def _seen(family: str, value: Any, shown: str) -> Any:
    """The value of an expression, if it is no float; what it will compute later is looked at then."""
    _LOOKS[0] += 1
    look = _look(type(value))
    return value if look is None else look(family, value, shown)


@cache
def _look(kind: type) -> Callable[[str, Any, str], Any] | None:
    """What is to be seen of values of a type: None for those of which nothing is."""
    if kind in EXACT:
        return None
    if issubclass(kind, (*CONTAINERS, *FLOATS)):
        return _without_floats
    if issubclass(kind, Decimal) or kind.__name__ in ("Float", "mpf"):
        return _rounded
    if issubclass(kind, np.integer):
        return _of_machine_integers
    if kind is getattr(sys.modules.get("flint"), "arb", None):
        return lambda family, value, shown: sealed(value)
    if issubclass(kind, LAZY):
        return lambda family, value, shown: (_seen(family, one, shown) for one in value)
    if issubclass(kind, partial):
        return lambda family, value, shown: partial(_seen(family, value.func, shown), *value.args, **value.keywords)
    if kind is types.MethodType:
        return lambda family, value, shown: types.MethodType(_seen(family, value.__func__, shown), value.__self__)
    return _within if kind in (types.FunctionType, syntax.CACHE) else None


def _without_floats(family: str, value: Any, shown: str) -> Any:
    """A number or a container without floats; what stands deeper in it is seen when it is taken out."""
    entries = value.values() if isinstance(value, dict) else value if isinstance(value, CONTAINERS) else (value,)
    if any(issubclass(kind, FLOATS) for kind in set(map(type, entries))):
        if any(holds_a_float(entry) for entry in entries if isinstance(entry, FLOATS)):
            _rounded(family, value, shown)
    if isinstance(value, np.ndarray) and value.dtype.kind in "iu":
        _of_machine_integers(family, value, shown)
    return value


def _rounded(family: str, value: Any, shown: str) -> Any:
    raise Rounded(f"{shown} is the float {str(value)[:40]}")


def _of_machine_integers(family: str, value: Any, shown: str) -> Any:
    raise Rounded(f"{shown} is of machine integers, which may overflow")


def _within(family: str, value: Any, shown: str) -> Any:
    """A function, looked at within where it is the document's own."""
    home = str(value.__module__)
    own = home.partition(".")[0] == family and not home.startswith(MACHINERY)
    return watching(value) if own and _SEEN not in getattr(value, "__globals__", ()) else value


def _written(value: Any, shown: str) -> Any:
    """A value that is written out in a text, if it is no number that may be rounded there."""
    if isinstance(value, Fraction) or is_ball(value):
        raise Rounded(f"{shown} writes out a number")
    return value


def _divided(value: Any, shown: str) -> Any:
    """What stands before %, if it is no text."""
    if isinstance(value, str | bytes):
        raise Rounded(f"{shown} writes out numbers")
    return value
