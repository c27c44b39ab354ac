"""Deductions: proofs of statements about numbers as trees of rules, replayed without search.

    root    ["faces", counts, [case, ...]]       one for each face, or ["steps", count, [root, root]],
                                                 or [rule, data, [root, ...]] with a rule of `lemmas`
    case    [rule, data, [case, ...]]            or ["goals", null, [goal, ...]]
    goal    [rule, data, [goal, ...]]

What a rule leaves open is computed, in its order; a tree says which rule comes next, and nothing of what it gives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from banditproof.theory.numbers.term import NoTerm
from banditproof.verify.proof import far, touching  # noqa: F401, their rules are among those of `goals`
from banditproof.verify.proof.cases import RULES as OF_CASES
from banditproof.verify.proof.cases import Case, Open, Rounded, goals_of, starts, step_of
from banditproof.verify.proof.domain import EMPTY
from banditproof.verify.proof.evidence import RULE, Deduction
from banditproof.verify.proof.formulas import Refused
from banditproof.verify.proof.goals import Goal, applied
from banditproof.verify.proof.lemmas import RULES as OF_STATEMENTS
from banditproof.verify.proof.special_points import undefined_somewhere
from banditproof.verify.proof.statement import Statement

ROUTES = ("cases of the domain, solved for symbols above 0", "rules for signs, replayed")
MOST_RULES = 20_000
MOST_FIRST = 6  # counts that are put in one by one


@cache
def unfit() -> tuple[type[Exception], ...]:
    """What data of a stranger, or a form for which SymPy has no rule, may raise."""
    from sympy.polys.polyerrors import BasePolynomialError

    python = (TypeError, ValueError, AttributeError, IndexError, KeyError, ArithmeticError, RecursionError)
    return (*python, NotImplementedError, BasePolynomialError)


def deduced(statement: Statement, tree: Any, *, searches: bool = True) -> Deduction | str:
    """The evidence that a tree gives for a statement, or why it gives none."""
    if problem := undefined_somewhere(statement, searches):
        return problem
    try:
        count = replay(statement, tree)
    except (Refused, NoTerm, Open, Rounded) as why:
        return f"the tree does not prove the statement ({str(why)[:200]})"
    except unfit() as why:
        return f"the tree has data that do not fit ({type(why).__name__}: {str(why)[:200]})"
    return Deduction(
        covers=statement.domain, routes=ROUTES, relation=statement.name, constants={}, tree=tree, rules=count, rule=RULE
    )


def replay(statement: Statement, tree: Any) -> int:
    """How many rules a tree that proves the statement has. Raises Refused where it does not."""
    counter = [0]
    _root(statement, tree, counter)
    return counter[0]


def _node(tree: Any, counter: list[int]) -> tuple[str, Any, Sequence[Any]]:
    counter[0] += 1
    if counter[0] > MOST_RULES or not (
        isinstance(tree, list | tuple) and len(tree) == 3 and isinstance(tree[2], list | tuple)
    ):
        raise Refused(f"not a node: {str(tree)[:80]}")
    return tree[0], tree[1], tree[2]


def _each(
    check: Callable[[Any, Any, list[int]], None], open_: Sequence[Any], trees: Sequence[Any], counter: list[int]
) -> None:
    if len(open_) != len(trees):
        raise Refused(f"{len(open_)} goals are left open, but {len(trees)} are shown")
    for one, tree in zip(open_, trees, strict=True):
        check(one, tree, counter)


def _root(statement: Statement, tree: Any, counter: list[int]) -> None:
    name, data, below = _node(tree, counter)
    if name == "steps":
        _each(_root, step_of(statement, data), below, counter)
        return
    if name in OF_STATEMENTS:
        _each(_root, OF_STATEMENTS[name](statement, data), below, counter)
        return
    if name != "faces" or type(data) is not int or not 0 <= data <= MOST_FIRST:
        raise Refused(f"no root: {name!r}")
    if not (listed := starts(statement, data)):
        raise Refused(f"no case is left, because {EMPTY}")
    _each(_case, listed, below, counter)


def _case(case: Case, tree: Any, counter: list[int]) -> None:
    name, data, below = _node(tree, counter)
    if name == "goals":
        _each(_goal, goals_of(case, len(below)), below, counter)
        return
    if name not in OF_CASES:
        raise Refused(f"{name!r} is no rule of cases")
    _each(_case, OF_CASES[name](case, data), below, counter)


def _goal(goal: Goal, tree: Any, counter: list[int]) -> None:
    name, data, below = _node(tree, counter)
    _each(_goal, applied(name, goal, data, len(below)), below, counter)
