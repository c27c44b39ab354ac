"""Formulas written as text, in a small grammar: names, numbers, + - * / **, and a few known functions.

Results files come from strangers, so a text is parsed and its tree is walked; nothing of it ever runs as Python.
Numbers are exact: ``0.1`` is one tenth. The size of a formula and of its exponents is limited.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.theory.errors import InvalidInput

MOST_CHARACTERS, MOST_NODES, LARGEST_EXPONENT, MOST_BITS = 1000, 300, 64, 20_000

Point = Callable[[Mapping[str, Any]], Any]
NUMERIC = ("absolute", "exp", "log", "log1p", "maximum", "minimum", "sqrt")
QUANTITIES = ("d_epsilon", "kl_bernoulli", "privacy_threshold", "tv_bernoulli")
GRAMMAR = f"names, numbers, + - * / ** and the functions {', '.join((*NUMERIC, *QUANTITIES))}"

_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Eq: "==", ast.GtE: ">=", ast.Gt: ">", ast.NotEq: "!="}


def is_number(text: str) -> bool:
    """Whether a text reads as a number, in whichever way numbers are written."""
    try:
        return all(float(part) == float(part) for part in text.split("/", 1))
    except ValueError:
        return False


@dataclass(frozen=True)
class Formula:
    """A parsed formula; ``names`` are its variables, ``partial`` says that it may have no value somewhere."""

    text: str
    names: frozenset[str]
    value: Point
    partial: bool


@cache
def parsed(text: str) -> Formula:
    """The formula that a text says. Raises InvalidInput for anything outside the grammar or beyond its limits."""
    names: set[str] = set()
    tree = _tree(text)
    value = _compiled(tree, text.strip(), names)
    return Formula(text, frozenset(names), value, any(map(_is_partial, ast.walk(tree))))


@cache
def comparison(text: str) -> tuple[Formula, str, Formula]:
    """The two sides and the operator of a single comparison such as ``x <= y / 2``."""
    text = text.strip()
    tree = _tree(text)
    if not (isinstance(tree, ast.Compare) and len(tree.ops) == 1 and type(tree.ops[0]) in _COMPARISONS):
        raise InvalidInput("constraint", text, "one comparison such as 'x <= y'")
    sides = (ast.get_source_segment(text, side) or "" for side in (tree.left, tree.comparators[0]))
    left, right = (parsed(side) for side in sides)
    return left, _COMPARISONS[type(tree.ops[0])], right


def _is_partial(node: ast.AST) -> bool:
    """Whether a step of a formula is a quotient, a power that may be one, or a logarithm or root."""
    match node:
        case ast.BinOp(op=ast.Div(), right=ast.Constant(value=value)):
            return value == 0
        case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=value)):
            return not isinstance(value, int)
        case ast.BinOp(op=ast.Div() | ast.Pow()):
            return True
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("log", "log1p", "sqrt")


def _tree(text: str) -> ast.expr:
    if len(text) > MOST_CHARACTERS:
        raise InvalidInput("formula", f"{text[:40]}...", f"at most {MOST_CHARACTERS} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        nodes = sum(1 for _ in ast.walk(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InvalidInput("formula", text, GRAMMAR) from error
    if nodes > MOST_NODES:
        raise InvalidInput("formula", f"{text[:40]}...", f"at most {MOST_NODES} parts")
    return tree


def _compiled(node: ast.expr, text: str, names: set[str]) -> Point:
    """The node as a function of the point; adds the variables it finds to `names`."""
    match node:
        case ast.Name(id=name):
            names.add(name)
            return lambda point: _looked_up(name, point, text)
        case ast.Constant(value=value) if type(value) in (int, float):
            number = _number(ast.get_source_segment(text, node) or "", text)
            return lambda point: _as_in(point, number)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
            inner = _compiled(operand, text, names)
            return (lambda point: -inner(point)) if isinstance(sign, ast.USub) else inner
        case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
            return _power(_compiled(base, text, names), _compiled(exponent, text, names), text)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _ARITHMETIC:
            one, other, combine = _compiled(left, text, names), _compiled(right, text, names), _ARITHMETIC[type(sign)]
            return lambda point: combine(one(point), other(point))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in (*NUMERIC, *QUANTITIES):
            values = [_compiled(argument, text, names) for argument in arguments]
            return lambda point: _function(name)(*(value(point) for value in values))
    raise InvalidInput("formula", text, GRAMMAR)


def _number(literal: str, text: str) -> Fraction:
    mantissa, _, exponent = literal.lower().replace("_", "").partition("e")
    try:
        if exponent and abs(int(exponent)) > LARGEST_EXPONENT:
            raise InvalidInput("formula", text, f"exponents of ten up to {LARGEST_EXPONENT}")
        return Fraction(literal)
    except (ValueError, OverflowError) as error:
        raise InvalidInput("formula", text, f"decimal numbers ({mantissa[:20]} is none)") from error


def _power(base: Point, exponent: Point, text: str) -> Point:
    """Whole powers by multiplication, since a power of a ball that contains zero is nan in flint; none grows large."""

    def value(point: Mapping[str, Any]) -> Any:
        factor, power = base(point), exponent(point)
        whole = power if isinstance(power, int) else _whole(power)
        if whole is None:
            if isinstance(power, Fraction):
                raise InvalidInput("formula", text, "whole exponents of exact numbers")
            return factor**power
        if isinstance(factor, int | Fraction):
            bits = abs(whole) * max(Fraction(factor).numerator.bit_length(), Fraction(factor).denominator.bit_length())
            if bits > MOST_BITS:
                raise InvalidInput("formula", text, f"powers of at most {MOST_BITS} binary digits")
            return Fraction(factor) ** whole
        if abs(whole) > LARGEST_EXPONENT:
            return factor**whole
        result = _as_in(point, Fraction(1))
        for _ in range(abs(whole)):
            result = result * factor
        return _as_in(point, Fraction(1)) / result if whole < 0 else result

    return value


def _whole(power: Any) -> int | None:
    """An exact whole number as an int."""
    if isinstance(power, Fraction):
        return power.numerator if power.denominator == 1 else None
    if type(power).__name__ == "arb" and power.is_exact() and power.is_integer():
        return int(power.unique_fmpz())
    return None


def _looked_up(name: str, point: Mapping[str, Any], text: str) -> Any:
    if name not in point:
        raise InvalidInput("formula", text, f"the variables {', '.join(point)} ({name} is none)")
    return point[name]


def _as_in(point: Mapping[str, Any], number: Fraction) -> Any:
    """A number in the number system of the point: a ball among balls, a SymPy rational among symbols, else exact."""
    from banditproof.theory.numbers.numeric import to_ball

    kinds = {type(value).__name__ for value in point.values()}
    if kinds & {"arb", "arb_series"}:
        return to_ball(number)
    if any(type(value).__module__.startswith("sympy") for value in point.values()):
        import sympy

        return sympy.Rational(number.numerator, number.denominator)
    return number


@cache
def _function(name: str) -> Callable[..., Any]:
    from banditproof import theory

    return getattr(theory, name)
