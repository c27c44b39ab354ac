"""Blocks: a comparison of two formulas with its ranges, as claims are written, in the grammar of `judge`.

    sqrt(k) (exp(epsilon) - 1) <= 2 for integer k >= 1, epsilon > 0
    x (1 - p) <= y when x <= y where p = exp(-y) for x, y in (0, 1)
    cases(x < y, d_epsilon(x, y, epsilon), 0) >= 0 for x, y in [0, 1], epsilon > 0

A block says everything: nothing is taken for granted, no range is narrowed by a condition, and besides the functions of
`judge` it has branches, and the functions that its reader names. What comes back is a statement of the provers.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from fractions import Fraction
from math import inf
from typing import Any

from lark import Token, Tree

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.numeric import TERM, exactly
from banditproof.theory.numbers.term import NoTerm, Term, number, tidied, var
from banditproof.verify.judge.formulas.formula import NoStatement, names, term_with
from banditproof.verify.judge.formulas.sentence import Unread
from banditproof.verify.judge.reading import latex_building
from banditproof.verify.judge.reading.building import (
    CONSTANTS,
    FLIPPED,
    NO_RANGE,
    Scope,
    expression,
    plain_name,
    refuse,
)
from banditproof.verify.judge.reading.readers import tree
from banditproof.verify.judge.reading.words import plain_tokens
from banditproof.verify.proof.domain import Domain, Interval, Points, Set
from banditproof.verify.proof.statement import Statement

Functions = Mapping[str, Callable[..., Any]]

CASES = "cases"  # cases(x < y, this, otherwise that)
REALS = Interval(-inf, inf, True, True)


def statement_in(text: str, functions: Functions) -> tuple[Statement, Mapping[str, Term]]:
    """The statement of a block, with its formulas tidied, and the parts that it defines by name.

    Raises Unread with the token at fault: for what the grammar does not know, a name without a range or with two, a
    range or definition that nothing uses.
    """
    block = _Block(text, functions)
    return block.statement(), {name: tidied(value) for name, value in block.values.items()}


def point_in(text: str) -> dict[str, Fraction]:
    """The point of a list 'k = 100, x = 1/2'. Raises Unread."""
    point: dict[str, Fraction] = {}
    for item in _items(_parsed(text, ())[0]):
        name, sign, value = _compared(item)
        if sign != "==" or not plain_name(name):
            raise refuse("a point is written x = 1/2, k = 3", item)
        point[plain_name(name)] = _exact(value, item)
    return point


def ranges_in(text: str) -> dict[str, Set]:
    """The sets of variables that a list of ranges names, in their order. Raises Unread."""
    block = _Block(f"0 = 0 for {text}", {})
    if left := [*block.conditions, *block.definitions.values()]:
        raise refuse("a range is expected here", left[0])
    return block.sets


def _parsed(text: str, functions: Container[str]) -> list[Any]:
    """The parts of a text: what is claimed, and phrases that begin with a word."""
    return list(tree(plain_tokens(text, (), _Names(functions)), "plain", "statement", text).children)


class _Names:
    """The names of what a block may call."""

    def __init__(self, functions: Container[str]) -> None:
        self.functions = functions

    def __contains__(self, name: Any) -> bool:
        return name == CASES or name in self.functions


def _items(items: Any) -> list[Any]:
    return [item for item in items.children if not isinstance(item, Token)]


def _compared(item: Any) -> tuple[Any, str, Any]:
    """The sides and the sign of an item that is one comparison."""
    match item.children:
        case [left, Tree(data="compare", children=[sign, right])] if sign != "~":
            return left, str(sign), right
    raise refuse("one comparison is expected here", item)


def _exact(formula: Any, item: Any) -> Fraction:
    value = tidied(_term(expression(formula, Scope({}, latex=latex_building)), {}, {}))
    if value.op != "num" or not isinstance(value.args[0], Fraction):
        raise refuse("an exact number is expected here", item)
    return value.args[0]


def _term(formula: Any, values: Mapping[str, Term], functions: Functions) -> Term:
    try:
        with exactly(TERM):
            return number(term_with(formula, values, functions))
    except (NoStatement, NoTerm, InvalidInput, TypeError) as why:
        raise Unread(str(why)) from None


class _Block:
    """The parts of a block, read in their order: ranges, definitions, conditions, and then what is claimed."""

    def __init__(self, text: str, functions: Functions) -> None:
        self.functions, self.scope = functions, Scope({}, quantities=_Names(functions), latex=latex_building)
        self.sets: dict[str, Set] = {}
        self.values: dict[str, Term] = {}
        self.used: set[str] = set()
        claimed, *phrases = _parsed(text, functions)
        if not isinstance(claimed, Tree) or claimed.data != "items":
            raise refuse("a comparison stands first, and its ranges behind it", claimed)
        items = _items(claimed)
        self.claimed, later = items[0], items[1:]
        if later:
            raise refuse("a block claims one comparison, and ranges begin with 'for'", later[0])
        assumed = [item for phrase in phrases for item in _assumed(phrase)]
        related = self._ranges(assumed)
        self.definitions = {n: item for item in related if (n := self._defined(item))}
        self.conditions = [item for item in related if not self._defined(item)]

    def statement(self) -> Statement:
        for name, item in self.definitions.items():
            self.values[name] = self._formula(_compared(item)[2])
        left, sign, right = _compared(self.claimed)
        sides = tidied(self._formula(left)), tidied(self._formula(right))
        where = []
        for item in self.conditions:
            first, of, second = _compared(item)
            where.append(f"{constraint(self._formula(first))} {of} {constraint(self._formula(second))}")
        if idle := [n for n in self.sets.keys() | self.definitions.keys() if n not in self.used]:
            raise Unread(f"{min(idle)} has a range or a value and stands nowhere else", min(idle))
        try:
            domain = Domain.of(where=where, **self.sets)
        except InvalidInput as why:
            raise Unread(str(why)) from None
        return Statement(domain, sides[0], sign, sides[1])

    def _formula(self, node: Any) -> Term:
        """The term of a formula of variables and of what is defined."""
        built = expression(node, self.scope)
        values = {n: var(n) for n in self.sets} | self.values
        if unknown := names(built) - values.keys():
            raise Unread(f"{min(unknown)} has no range", min(unknown))
        self.used |= names(built)
        return _term(built, values, self.functions)

    def _defined(self, item: Any) -> str:
        """The name that an item defines, if it is x = ... and x has no range."""
        name = plain_name(item.children[0])
        match item.children:
            case [_, Tree(data="compare", children=[sign, _])] if sign == "==" and name not in self.sets:
                return name
        return ""

    def _ranges(self, items: list[Any]) -> list[Any]:
        """Takes the ranges, in their order; what is left are definitions and conditions."""
        left, waiting = [], []
        marks: set[str] = set()
        for item in items:
            marks |= {str(c).replace("natural", "integer") for c in item.children if _is_mark(c)} - {"each"}
            first, *links = [c for c in item.children if not _is_mark(c)]
            name = plain_name(first)
            if name and name not in self.sets and not links:
                waiting.append((name, item))
                continue
            if name in self.sets and links and links[0].data == "member":
                raise refuse(f"{name} has a range already", item)
            values = self._set(name, links, item) if name and name not in self.sets else None
            if values is not None:
                for one, where in [*waiting, (name, item)]:
                    self._has_range(one, _marked(values, marks, where), where)
            elif marks or waiting:
                raise refuse("a range is expected here", waiting[0][1] if waiting else item)
            else:
                left.append(item)
            waiting, marks = [], set()
        if waiting:
            raise refuse(NO_RANGE.format(waiting[0][0]), waiting[0][1])
        return left

    def _has_range(self, name: str, values: Set, item: Any) -> None:
        if name in CONSTANTS:
            raise refuse(f"{name} is a constant and has no range: choose another letter", item)
        if name in self.sets:
            raise refuse(f"{name} has a range already", item)
        self.sets[name] = values

    def _set(self, name: str, links: list[Any], item: Any) -> Set | None:
        """The range that an item gives a name; None where it is a comparison with a formula."""
        match links:
            case [Tree(data="member", children=children)] if isinstance(children[-1], Tree):
                return _listed(children[-1]) if children[-1].data == "listed" else _interval(children[-1])
            case [Tree(data="compare", children=[sign, end])] if sign in FLIPPED and not _names(end):
                value, strict = _exact(end, item), sign in ("<", ">")
                return (
                    Interval(-inf, value, True, strict) if sign in ("<", "<=") else Interval(value, inf, strict, True)
                )
        return None


def _assumed(phrase: Any) -> list[Any]:
    key, items = phrase.children
    if key.type != "ASSUME":
        raise refuse("a block has ranges (for), conditions (when) and definitions (where), and nothing else", key)
    return _items(items)


def _is_mark(node: Any) -> bool:
    return isinstance(node, Token) and node.type == "MARK"


def _names(node: Any) -> bool:
    tokens = [node] if isinstance(node, Token) else node.scan_values(lambda t: isinstance(t, Token))
    return any(t.type == "NAME" and t not in CONSTANTS for t in tokens)


def _marked(values: Set, marks: set[str], item: Any) -> Set:
    """A range of whole numbers where a word before the name says so."""
    if strange := marks - {"integer", "whole"}:
        raise refuse(f"{min(strange)} is no range: write it with a sign", item)
    if not marks:
        return values
    if not isinstance(values, Interval):
        raise refuse("a list of numbers says by itself whether they are whole", item)
    return Interval(values.lower, values.upper, values.lower_open, values.upper_open, integer=True)


def _interval(values: Any) -> Interval:
    if values.data == "named" and values.children == ["R"]:
        return REALS
    if values.data != "interval" or len(values.children) != 5:
        raise refuse("a range is written in [0, 1), in R, in {0, 1/2} or with a sign", values)
    opening, low, _, high, closing = values.children
    return Interval(_end(low, values), _end(high, values), opening.type == "LPAR", closing.type == "RPAR")


def _end(node: Any, item: Any) -> Fraction | float:
    end = tidied(_term(expression(node, Scope({}, latex=latex_building)), {}, {}))
    if end.op == "neg" and end.args[0].op == "num":
        end = number(-end.args[0].args[0])
    if end.op != "num":
        raise refuse("an end of a range is an exact number or inf", item)
    return end.args[0]


def _listed(values: Any) -> Points:
    return Points(
        tuple(_exact(e, values) for e in values.children if not (isinstance(e, Token) and e in ("{", "}", ",")))
    )


# ------------------------------------------------------------------------------------------------------- constraints

_RANK = {"add": 1, "sub": 1, "neg": 2, "mul": 3, "div": 3, "pow": 5}
_WRITTEN = {"add": "{} + {}", "sub": "{} - {}", "neg": "-{}", "mul": "{} * {}", "div": "{} / {}", "pow": "{}**{}"}
_NEEDS = {"add": (1, 2), "sub": (1, 2), "neg": (3,), "mul": (3, 4), "div": (3, 4), "pow": (6, 5)}
_CALLED = {"min": "minimum", "max": "maximum", "abs": "absolute"}


def constraint(t: Term, needed: int = 0) -> str:
    """A side of a condition as domains write it. Raises Unread for what they have no word for."""
    if t.op == "var":
        return str(t.args[0])
    if t.op == "num":
        rank = 9 if t.args[0] >= 0 and t.args[0].denominator == 1 else 3 if t.args[0] >= 0 else 2
        written = str(t.args[0]).replace("/", " / ")
    elif t.op in _WRITTEN:
        rank = _RANK[t.op]
        written = _WRITTEN[t.op].format(*map(constraint, t.args, _NEEDS[t.op]))
    elif t.op in ("fn", "quantity"):
        rank, name = 9, str(t.args[0])
        written = f"{_CALLED.get(name, name)}({', '.join(map(constraint, t.args[1:]))})"
    else:
        raise Unread("a condition has no sums and no branches")
    return written if rank >= needed else f"({written})"
