"""Which numbers of pulls does a policy's own code name? A run that is shorter never meets what happens after them.

Read are the constants in comparisons, remainders and limits (`min`, `max`, `maxlen`) of the classes of a policy, of the
players that it holds and of what these hold, libraries aside. A name or an attribute is looked up, nothing is called.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from textwrap import dedent
from typing import Any

import numpy as np

from banditproof.verify.guarantees.failing import is_library

_LEAST, _MOST = 20, 10**9  # numbers that may count pulls
_DEEPEST, _PLAYERS = 3, 1  # objects within objects; how many of a list of players are read
_LIMITS = ("min", "max", "minimum", "maximum", "clip")
_ARITHMETIC: dict[type, Any] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Pow: lambda a, b: a**b if abs(a) <= _MOST and 0 <= b <= 30 else None,
    ast.LShift: lambda a, b: a << b if 0 <= b <= 30 else None,
}


def thresholds(policy: Any) -> list[int]:
    """The whole numbers from 20 to 10^9 that the policy's own code compares something with, in order."""
    found: set[int] = set()
    for thing in _held(policy, _DEEPEST, set()):
        for kind in type(thing).__mro__:
            found |= set(_named(kind, thing))
    return sorted(found)


def beyond(policy: Any, horizon: int) -> str:
    """What is said beside the horizon of the longest runs where the policy's own code names more than half of it."""
    named = next((N for N in thresholds(policy) if 2 * N > horizon), None)
    return "" if named is None else f", though the policy's own code names {named:,}: not beyond that"


def _held(thing: Any, deeper: int, met: set[int]) -> Iterator[Any]:
    """The objects of classes with code of their own, from this one on."""
    if id(thing) in met or isinstance(thing, str | int | float):
        return
    met.add(id(thing))
    if isinstance(thing, list | tuple) or isinstance(thing, np.ndarray) and thing.dtype == object:
        for each in thing[:_PLAYERS]:
            yield from _held(each, deeper, met)
    elif deeper and hasattr(thing, "__dict__") and not isinstance(thing, type):
        yield thing
        for each in list(vars(thing).values()):
            yield from _held(each, deeper - 1, met)


def _named(kind: type, thing: Any) -> Iterator[int]:
    """The numbers that the code of a class compares with; none where it is a library's, or cannot be read."""
    module = sys.modules.get(kind.__module__)
    try:
        if is_library(inspect.getfile(kind)):
            return
        tree = ast.parse(dedent(inspect.getsource(kind)))
    except (OSError, TypeError, SyntaxError):
        return
    names = dict(vars(module)) if module is not None else {}
    for node in ast.walk(tree):
        for part in _limits(node):
            number = _value(part, thing, kind, names)
            if isinstance(number, int | float) and number == number // 1 and _LEAST <= number <= _MOST:
                yield int(number)


def _limits(node: ast.AST) -> Iterator[ast.expr]:
    """What may be a limit in this place of the code."""
    if isinstance(node, ast.Compare):
        yield from (node.left, *node.comparators)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.FloorDiv):
        yield node.right
    elif isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        yield from node.args if called in _LIMITS else ()
        yield from (each.value for each in node.keywords if each.arg == "maxlen")
    elif isinstance(node, ast.MatchValue):
        yield node.value


def _value(part: ast.expr, thing: Any, kind: type, names: dict[str, Any]) -> Any:
    """The number that an expression of constants, names and attributes stands for; None for every other."""
    if isinstance(part, ast.Constant):
        value = part.value
    elif isinstance(part, ast.Name):
        value = names.get(part.id)
    elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
        given = vars(thing).get(part.attr) if part.value.id in ("self", "cls", kind.__name__) else None
        value = inspect.getattr_static(kind, part.attr, None) if given is None else given
    elif isinstance(part, ast.BinOp) and type(part.op) in _ARITHMETIC:
        sides = _value(part.left, thing, kind, names), _value(part.right, thing, kind, names)
        value = None if None in sides else _ARITHMETIC[type(part.op)](*sides)
    else:
        return None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
