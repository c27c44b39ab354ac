"""Formulas of constraints and substitutions, read from text into terms.

A text is names, numbers, + - * / ** and a few known functions. Results files come from strangers, so its tree is
walked, and nothing of it ever runs as Python. Numbers are exact: ``0.1`` is one tenth. Its size is limited.
"""

from __future__ import annotations

import ast
from fractions import Fraction
from functools import cache

from banditproof import theory
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.term import FUNCTIONS, NAME, NoTerm, Term, fn, number, takes, var

MOST_CHARACTERS, MOST_NODES, LARGEST_EXPONENT = 1000, 300, 64

_ELEMENTARY = {name: name for name in ("exp", "log", "log1p", "sqrt")}
_ELEMENTARY |= {"absolute": "abs", "maximum": "max", "minimum": "min"}
_QUANTITIES = ("d_epsilon", "kl_bernoulli", "privacy_threshold", "tv_bernoulli")
_ARITHMETIC = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Pow: "pow"}
_COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Eq: "==", ast.GtE: ">=", ast.Gt: ">", ast.NotEq: "!="}
GRAMMAR = f"names, numbers, + - * / ** and the functions {', '.join(sorted((*_ELEMENTARY, *_QUANTITIES)))}"

_HABITS = {"=>": ">=", "=<": "<=", "≥": ">=", "≤": "<=", "^": "**"}  # and how they are written


@cache
def parsed(text: str) -> Term:
    """The term that a text says. Raises InvalidInput for anything outside the grammar or beyond its limits."""
    return _term(_tree(text), text.strip())


@cache
def comparison(text: str) -> tuple[Term, str, Term]:
    """The two sides and the operator of a single comparison such as ``x <= y / 2``."""
    match _tree(text):
        case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in _COMPARISONS:
            return _term(left, text.strip()), _COMPARISONS[type(sign)], _term(right, text.strip())
    raise InvalidInput("constraint", text, "one comparison such as 'x <= y'")


def _tree(text: str) -> ast.expr:
    if len(text) > MOST_CHARACTERS:
        raise InvalidInput("formula", f"{text[:40]}...", f"at most {MOST_CHARACTERS} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        nodes = sum(1 for _ in ast.walk(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _unread(text) from error
    if nodes > MOST_NODES:
        raise InvalidInput("formula", f"{text[:40]}...", f"at most {MOST_NODES} parts")
    return tree


def _term(node: ast.expr, text: str) -> Term:
    match node:
        case ast.Name(id=name) if NAME.fullmatch(name):
            return var(name)
        case ast.Constant(value=value) if type(value) in (int, float):
            return _number(ast.get_source_segment(text, node) or "", text)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _term(operand, text)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_term(operand, text)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _ARITHMETIC:
            return Term(_ARITHMETIC[type(sign)], _term(left, text), _term(right, text))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            return _call(name, [_term(argument, text) for argument in arguments], text)
    raise _unread(text)


def _unread(text: str) -> InvalidInput:
    meant = text
    for habit, written in _HABITS.items():
        meant = meant.replace(habit, written)
    return InvalidInput("formula", text, GRAMMAR, meant if meant != text else "")


def _call(name: str, arguments: list[Term], text: str) -> Term:
    if name in _ELEMENTARY and len(arguments) == FUNCTIONS[_ELEMENTARY[name]]:
        return fn(_ELEMENTARY[name], *arguments)
    if name in _QUANTITIES and takes(getattr(theory, name), len(arguments)):
        return Term("quantity", name, *arguments)
    raise InvalidInput("formula", text, f"{GRAMMAR}, each with as many arguments as it has")


def _number(literal: str, text: str) -> Term:
    mantissa, _, exponent = literal.lower().replace("_", "").partition("e")
    if exponent.lstrip("+-").isdigit() and abs(int(exponent)) > LARGEST_EXPONENT:
        raise InvalidInput("formula", text, f"exponents of ten up to {LARGEST_EXPONENT}")
    try:
        return number(Fraction(literal))
    except (ValueError, NoTerm) as error:
        raise InvalidInput("formula", text, f"decimal numbers ({mantissa[:20]} is not one)") from error
