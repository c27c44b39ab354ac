"""Which numbers of a claim's relation its check does not see.

A constant of the signature has false variants; a number that stands in the body has none. Here every such number, of
the relation and of the functions of its module that it calls, is altered up and down, and the check runs again. Of two
variants of an inequality one says more; where the check is content with both, it does not see the number. Not every
such number is a fault: an index, a number of samples or of digits is none of the statement. Constants are tried
likewise, as their false variants may be far off: where half and twice pass, there is room, or the check is loose.
"""

from __future__ import annotations

import ast
import functools
import gc
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from types import CodeType, FunctionType
from typing import Any

from banditproof.claims.register import Claim
from banditproof.claims.run.examine import Settings, run_check
from banditproof.claims.verdict import decide

HOLDS = ("proved", "supported")
EXACT = "_altered_fraction"  # the name under which altered code finds Fraction


@dataclass(frozen=True)
class Literal:
    """A number in the body of a function: where it stands, what it is, and what it is altered to."""

    function: Any  # of Python, not of C
    position: int
    value: int | float
    exponent: bool
    line: int

    def __str__(self) -> str:
        place = f"{self.function.__qualname__}, line {self.function.__code__.co_firstlineno + self.line - 1}"
        return f"{'exponent ' if self.exponent else ''}{self.value} ({place})"

    @property
    def variants(self) -> tuple[Any, ...]:
        """Half and twice the number; an exponent moves by a half, and by 1 where it is whole, as rationals need it."""
        value = Fraction(self.value)
        step = Fraction(1, value.denominator)
        return (value - step, value + step) if self.exponent else _half_and_twice(value)


def _half_and_twice(value: int | Fraction) -> tuple[int | Fraction, int | Fraction]:
    half = Fraction(value, 2)
    return (half.numerator if half.denominator == 1 else half), value * 2


def blind_for(claim: Claim, settings: Settings, among: Iterable[Literal] | None = None) -> list[Literal]:
    """The numbers of the claim's relation that can be altered both ways while it stays proved or supported.

    Of those `among` which they are looked for; all, if it is not given.
    """
    if claim.relation is None:
        return []
    return [
        one
        for one in (literals(claim.relation) if among is None else among)
        if all(_holds_with(claim, settings, one, value) for value in one.variants)
    ]


def blind_constants(claim: Claim, settings: Settings) -> list[str]:
    """The constants of the claim's signature of which half and twice leave it proved or supported; 0 is none."""
    numbers = {n: v for n, v in claim.constants.items() if isinstance(v, int | Fraction) and type(v) is not bool and v}
    return [
        name
        for name, value in numbers.items()
        if all(_holds(claim, settings, {name: other}) for other in _half_and_twice(value))
    ]


def _holds_with(claim: Claim, settings: Settings, literal: Literal, value: int | Fraction) -> bool:
    with altered(literal, value):
        return _holds(claim, settings, {})


def _holds(claim: Claim, settings: Settings, constants: Mapping[str, Any]) -> bool:
    """Whether the check is content with a variant; one that raises has noticed."""
    try:
        check = run_check(claim, settings, constants)
    except Exception:
        return False
    return decide(check.domain, check.evidence).name in HOLDS


def literals(relation: Callable[..., Any]) -> list[Literal]:
    """The numbers in the body of a relation and of the functions of its module that it calls, except 0.

    Functions made inside of others are left out: code that stands alone cannot reach what they hold.
    """
    return [literal for function in _own_functions(relation) for literal in _numbers_of(function)]


def _own_functions(relation: Any) -> list[Any]:
    found: dict[Any, None] = {}

    def follow(called: Any) -> None:
        function: Any = inspect.unwrap(called)
        if not isinstance(function, FunctionType) or function in found or function.__closure__:
            return
        if function.__module__ != relation.__module__:
            return
        found[function] = None
        for node in ast.walk(_tree(function)):
            if isinstance(node, ast.Name):
                follow(function.__globals__.get(node.id))

    follow(relation)
    return list(found)


def _tree(function: Any) -> ast.FunctionDef:
    tree = ast.parse(textwrap.dedent(inspect.getsource(function.__code__))).body[0]
    return tree if isinstance(tree, ast.FunctionDef) else ast.FunctionDef("", _nothing(), [], [])


def _nothing() -> ast.arguments:
    return ast.arguments([], [], None, [], [], None, [])


def _places(tree: ast.FunctionDef) -> list[tuple[ast.Constant, bool]]:
    """The numbers of a body in order, with whether they are exponents; indexes and defaults are none."""
    found: list[tuple[ast.Constant, bool]] = []

    def visit(node: ast.AST, exponent: bool = False) -> None:
        if isinstance(node, ast.Constant):
            number = isinstance(node.value, int | float) and not isinstance(node.value, bool)
            if number and node.value:
                found.append((node, exponent))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            visit(node.left)
            visit(node.right, True)
        elif isinstance(node, ast.Subscript):
            visit(node.value)
        else:
            for child in ast.iter_child_nodes(node):
                visit(child)

    for statement in tree.body:
        visit(statement)
    return found


def _numbers_of(function: Any) -> Iterator[Literal]:
    for position, (node, exponent) in enumerate(_places(_tree(function))):
        value = node.value
        assert isinstance(value, int | float)
        yield Literal(function, position, value, exponent, node.lineno)


@contextmanager
def altered(literal: Literal, value: int | Fraction) -> Iterator[None]:
    """Runs the block with another number in the place of this one; what was remembered of the function is forgotten."""
    function, code = literal.function, literal.function.__code__
    tree = _tree(function)
    node, _ = _places(tree)[literal.position]
    new: ast.expr = ast.Constant(value.numerator)
    if value.denominator != 1:
        name = ast.Name(EXACT, ast.Load())
        new = ast.Call(name, [ast.Constant(value.numerator), ast.Constant(value.denominator)], [])
    _Replace(node, new).visit(tree)
    tree.decorator_list = []
    try:
        function.__globals__[EXACT] = Fraction
        function.__code__ = _compiled(tree, code)
        _forget()
        yield
    finally:
        function.__code__ = code
        del function.__globals__[EXACT]
        _forget()


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST):
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return ast.copy_location(self.new, node) if node is self.old else super().visit(node)


def _compiled(tree: ast.FunctionDef, code: CodeType) -> CodeType:
    """The code of a function of one module level, with the place of the original."""
    module = ast.fix_missing_locations(ast.Module([tree], []))
    made = compile(module, code.co_filename, "exec")
    return next(c for c in made.co_consts if isinstance(c, CodeType) and c.co_name == tree.name).replace(
        co_firstlineno=code.co_firstlineno
    )


def _forget() -> None:
    """Clear every cache of the project."""
    for cached in _caches():
        cached.cache_clear()


@functools.cache
def _caches() -> tuple[Any, ...]:
    kind = type(functools.lru_cache(abs))
    found = [o for o in gc.get_objects() if type(o) is kind]  # isinstance would ask dead weak references
    return tuple(o for o in found if str(getattr(o, "__module__", "")).startswith("banditproof"))
