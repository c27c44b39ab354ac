"""The inverse of formula.py: a statement of the provers as a printed sentence, which means exactly the same.

What has no word in print here is refused: a branch, a quantity of a document, a variable that is a policy or one of
finitely many numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from banditproof.theory.numbers.term import Term, parts, tidied
from banditproof.verify.judge.formulas.formula import INFINITY, PI, call, name, num
from banditproof.verify.judge.formulas.printing import latex, said
from banditproof.verify.judge.formulas.sentence import Compare, Expression, Range, Reading
from banditproof.verify.judge.ways.points import Asked, failing
from banditproof.verify.proof.domain import Domain, Interval
from banditproof.verify.proof.statement import Statement

OPERATORS = ("add", "sub", "mul", "div", "pow", "neg")
FUNCTIONS: Mapping[str, str] = {
    **{word: word for word in ("exp", "log", "sqrt", "abs", "min", "max", "floor", "ceil", "atan", "sin", "cos")},
    "comb": "binom",
}
QUANTITIES: Mapping[str, str] = {
    "kl_bernoulli": "kl",
    "tv_bernoulli": "tv",
    "d_epsilon": "d_eps",
    "normal_cdf": "Phi",
    "factorial": "factorial",
}
LETTERS = "kjilmrst"  # of the indexes of sums


class NoWord(ValueError):
    """What a statement says and a printed sentence has no word for."""


def reading_of(statement: Statement) -> Reading:
    """The sentence that says what a statement says. Raises NoWord."""
    asked = asked_of(statement)
    return Reading(
        asked.comparison,
        asked.ranges,
        asked.conditions,
        said=said(asked.comparison, asked.ranges, asked.conditions),
        tex=latex(asked.comparison, asked.ranges, asked.conditions),
    )


def asked_of(statement: Statement) -> Asked:
    """The comparison that a statement is, with its ranges and conditions. Raises NoWord."""
    ranges = {word: _range(word, values) for word, values in statement.domain.variables}
    conditions = tuple(
        Compare(_expression(c.left, {}), c.operator, _expression(c.right, {})) for c in statement.domain.where
    )
    words = _indexes(statement)
    left, right = (_expression(side, words, statement.domain) for side in (statement.left, statement.right))
    return Asked(Compare(left, statement.operator, right), ranges, conditions)


def place_of_failure(statement: Statement) -> dict[str, int | Fraction] | None:
    """A point at which a statement certainly fails, if points of its sentence show one; sums take too long for that."""
    try:
        asked = asked_of(statement)
    except NoWord:
        return None
    found = None if asked.sums else failing(asked)[0]
    if found is None:
        return None
    return {n: int(v) if asked.ranges[n].integer else v for n, v in found.point.items()}


def _range(word: str, values: Any) -> Range:
    if not isinstance(values, Interval):
        raise NoWord(f"{word} is in {values}, which is no interval")
    if any(values.contains(end) for end in values.ends() if isinstance(end, float)):
        raise NoWord(f"{word} may be infinite")
    low, high = (_number(end) for end in values.ends())
    return Range(low, high, values.lower_open, values.upper_open, values.integer)


def _number(value: Fraction | float) -> Expression:
    if isinstance(value, Fraction):
        return num(value)
    return INFINITY if value > 0 else Expression("neg", (INFINITY,))


def _indexes(statement: Statement) -> dict[str, str]:
    """A letter for the index of every sum, which is none of a variable; the index of an inner sum is another one."""
    taken = {word for word, _ in statement.domain.variables}
    bound = {p.args[0] for side in (statement.left, statement.right) for p in parts(side) if p.op == "total"}
    free = [letter for letter in LETTERS if letter not in taken]
    free += [f"k_{n}" for n in range(1, len(taken) + len(bound) + 1) if f"k_{n}" not in taken]
    return dict(zip(sorted(bound, key=lambda b: (len(b), b)), free, strict=False))


def _expression(t: Term, words: Mapping[str, str], domain: Domain | None = None) -> Expression:
    """The expression of a term, whose indexes of sums have these words."""

    def of(part: Term) -> Expression:
        return _expression(part, words, domain)

    if t.op == "num":
        return _number(t.args[0])
    if t.op == "var":
        return name(words.get(t.args[0], t.args[0]))
    if t.op in OPERATORS:
        return Expression(t.op, tuple(map(of, t.args)))
    if t.op == "total":
        bound, low, end, body = t.args
        last = tidied(end - 1)
        if domain is None or not all(is_whole(e, domain) for e in (low, end)):
            raise NoWord(f"a sum from {low} to {last}, which need not be whole numbers")
        return Expression("sum", (words[bound], of(low), of(_without_one(end)), of(body)))
    word, *arguments = t.args
    if t.op == "fn" and word in FUNCTIONS:
        return call(FUNCTIONS[word], *map(of, arguments))
    if t.op == "fn" and word == "log1p":
        return call("log", Expression("add", (num(1), of(arguments[0]))))
    if t.op == "fn" and word == "expm1":
        return Expression("sub", (call("exp", of(arguments[0])), num(1)))
    if t.op == "quantity" and word == "pi":
        return PI
    if t.op == "quantity" and word in QUANTITIES:
        return call(QUANTITIES[word], *map(of, arguments))
    raise NoWord("a branch" if t.op == "where" else f"{word}, which no printed sentence knows")


def _without_one(end: Term) -> Term:
    """The last count of a sum, where its node has the one after it: n of n + 1."""
    if end.op == "num":
        return Term("num", end.args[0] - 1)
    if end.op == "add" and end.args[1] is Term("num", Fraction(1)):
        return end.args[0]
    return end - 1


def is_whole(t: Term, domain: Domain) -> bool:
    """Whether a term is a whole number by its form."""
    if t.op == "num":
        return isinstance(t.args[0], Fraction) and t.args[0].denominator == 1
    if t.op == "var":  # what is no variable of the domain is an index
        values = domain.sets.get(t.args[0])
        return values is None or isinstance(values, Interval) and values.integer
    if t.op == "fn" and t.args[0] in ("floor", "ceil", "comb"):
        return True
    if t.op in ("add", "sub", "mul", "neg") or t.op == "fn" and t.args[0] in ("min", "max", "abs"):
        return all(is_whole(a, domain) for a in t.args if isinstance(a, Term))
    return False
