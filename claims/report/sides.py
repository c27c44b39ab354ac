"""The two sides of a counterexample in words: formulas of numbers that have names, or the names of quantities."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping
from copy import deepcopy

from banditproof.claims.report.evidence import in_symbols, variable

LONGEST = 100  # signs of a formula; a side that is longer is called by its place
LONGEST_ARGUMENT, ARGUMENTS = 30, 5  # of a quantity that is shown with what it depends on
FUNCTIONS = {"sqrt": "√({})", "log": "log({})", "exp": "exp({})", "abs": "|{}|"}
FUNCTIONS |= dict.fromkeys(("min", "minimum"), "min({})") | dict.fromkeys(("max", "maximum"), "max({})")
TRANSPARENT = ("to_ball", "as_ball", "Fraction", "float", "int", "settled", "ball")  # how a number is held
QUOTIENTS = ("ratio", "Fraction")
OF_LISTS = {"sum": "sum of {}", "len": "number of {}"}
VAGUE = frozenset("claimed left right side sides found value values part above other second first exact larger".split())
SPELLED = {"kl": "KL", "tv": "TV", "dp": "DP", "zcdp": "zCDP", "klucb": "KL-UCB", "imed": "IMED", "ucb": "UCB"}
SPELLED |= {name: name.capitalize() for name in "bernoulli gaussian laplace chernoff renyi hoeffding edgeworth".split()}
KNOWN = {"kl_bernoulli": "kl", "tv_bernoulli": "TV", "d_epsilon": "d_ε", "normal_cdf": "Φ"}
KNOWN |= {"kl_inf": "KL_inf", "tv_inf": "TV_inf", "d_inf": "d_inf"}
LOOSE = r"(?: (?:from|of|at|with|under|in|by|to|for|as|is|and|the|a))+$"  # what a name may not end with


def words(name: str) -> str:
    """The name of a quantity as words: 'KL of actions' for ``kl_of_actions``."""
    spelled = " ".join(SPELLED.get(w, in_symbols(w)) for w in name.strip("_").split("_"))
    return KNOWN.get(name) or re.sub(LOOSE, "", spelled)


def named(
    side: ast.expr, given: Collection[str], known: Collection[str], constants: Mapping[str, str]
) -> tuple[str, Used]:
    """A side of a relation for reading, and what in it has a number of its own; nothing where it cannot be told.

    Args:
        given: the names of the counterexample's variables.
        known: those of the other numbers.
        constants: of the claim, shown by their values.
    """
    if isinstance(side, ast.Name) and side.id in known and side.id not in {*given, *constants}:
        return ("" if side.id in VAGUE else words(side.id)), []  # its number is that of the side
    reader = _Reader({*given, *(set(known) - VAGUE)}, constants)
    try:
        text = reader.formula(side)
    except _Unreadable:
        return "", []
    return (text, [(part, node) for part, node in reader.used if part != text]) if len(text) <= LONGEST else ("", [])


Used = list[tuple[str, ast.expr]]


def _is(node: ast.expr, value: int) -> bool:
    return isinstance(node, ast.Constant) and node.value == value


class _Unreadable(Exception):
    """A part of a formula has neither a number nor a name."""


class _Reader(ast.NodeTransformer):
    """Replaces the parts of a formula by names that stand for what is shown of them; `used` are its quantities."""

    def __init__(self, known: Collection[str], constants: Mapping[str, str]) -> None:
        self.known, self.constants = known, constants
        self.used: Used = []
        self.parts: list[str] = []

    def formula(self, node: ast.expr) -> str:
        text = ast.unparse(self.visit(deepcopy(node)))
        text = text.replace(" ** ", "^").replace(" * ", "·").replace(" // ", "/").replace(" / ", "/")
        return re.sub(r"part_(\d+)", lambda match: self.parts[int(match[1])], text)

    def _placeholder(self, text: str) -> ast.Name:
        self.parts.append(text)
        return ast.Name(f"part_{len(self.parts) - 1}", ast.Load())

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if value := self.constants.get(node.id):
            return ast.parse(value.replace("^", "**").replace("·", "*"), mode="eval").body
        if node.id not in self.known:
            raise _Unreadable
        self.used.append((variable(node.id), node))
        return self._placeholder(variable(node.id))

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """An operation whose constants were put in: nobody reads 'x·1 + 0'."""
        left, right = self.visit(node.left), self.visit(node.right)
        zero, one = (_is(right, 0), _is(left, 0)), (_is(right, 1), _is(left, 1))
        match node.op:
            case ast.Add() if any(zero):
                return left if zero[0] else right
            case ast.Mult() if any(zero):
                return ast.Constant(0)
            case ast.Mult() if any(one):
                return left if one[0] else right
            case ast.Sub() if zero[0]:
                return left
            case ast.Div() | ast.Pow() if one[0]:
                return left
        return ast.BinOp(left, node.op, right)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if node.value in ("inf", "-inf"):
            return self._placeholder(node.value.replace("inf", "∞"))
        if isinstance(node.value, str | bool):
            raise _Unreadable
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in TRANSPARENT and not node.keywords and len(node.args) < 2:
            return self.visit(node.args[0] if node.args else node.func.value)  # type: ignore[attr-defined]
        if name in QUOTIENTS and len(node.args) == 2:
            return self.visit(ast.BinOp(node.args[0], ast.Div(), node.args[1]))
        if name == "where" or not isinstance(node.func, ast.Name | ast.Attribute):
            raise _Unreadable
        if name in FUNCTIONS:
            arguments = [node.func.value, *node.args] if isinstance(node.func, ast.Attribute) else node.args
            return self._placeholder(FUNCTIONS[name].format(", ".join(map(self._part, arguments))))
        if name in OF_LISTS and len(node.args) == 1:
            of = node.args[0]
            called = of.func if isinstance(of, ast.Call) else of
            listed = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
            if not listed:
                raise _Unreadable
            return self._quantity(OF_LISTS[name].format(words(listed)), node)
        arguments = self._arguments(node)
        if not arguments and (len(name.strip("_").split("_")) == 1 or name in KNOWN) and name not in SPELLED:
            raise _Unreadable  # one word says too little
        return self._quantity(f"{words(name)}({', '.join(arguments)})" if arguments else words(name), node)

    def _quantity(self, text: str, node: ast.expr) -> ast.expr:
        self.used.append((text, node))
        return self._placeholder(text)

    def _arguments(self, node: ast.Call) -> list[str]:
        """What a quantity depends on: all of it, or only what its author calls by a word."""
        named = [a.value.strip() for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        held = len(self.used)
        try:
            shown = [self._part(a) for a in node.args if not (isinstance(a, ast.Constant) and a.value in named)]
        except _Unreadable:
            shown = []
        shown = [*named, *shown]
        if not node.keywords and all(len(a) <= LONGEST_ARGUMENT for a in shown) and len(shown) <= ARGUMENTS:
            if len(shown) == len(node.args):
                return shown
        del self.used[held:]
        return named

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        base = node.value
        if node.attr in ("value", "lower", "upper") and isinstance(base, ast.Name) and base.id not in VAGUE:
            return self._placeholder(words(base.id))
        if node.attr in ("value", "lower", "upper"):
            return self.visit(base)
        return self._placeholder(words(node.attr))

    def _part(self, node: ast.expr) -> str:
        inner = _Reader(self.known, self.constants)
        text = inner.formula(node)
        self.used += inner.used
        return text

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if not isinstance(node, ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop):
            raise _Unreadable
        return super().generic_visit(node)
