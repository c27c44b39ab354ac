"""Proofs as data: the steps of a theorem as JSON, and the theorem made again from them; a file is not believed.

``nodes`` are the terms, functions and formulas, each after those it is made of; ``steps`` are the rules in order with
their arguments: {"step": k} an earlier theorem, {"node": k}, {"number": [p, q]}, a text, a count, None, or a list.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.verify.kernel.rules import RULES, Theorem
from banditproof.verify.kernel.terms import LARGEST, All, Fn, Formula, Refused, Rel, Term
from banditproof.verify.kernel.terms import nodes as size

MOST_NODES, MOST_STEPS, DEEPEST, MOST_BITS = 20_000, 4_000, 60, 1_000


def from_nodes(rows: Any) -> list[Any]:
    """The terms, functions and formulas of a table. Raises Refused for what ``writing`` did not write."""
    made: list[Any] = []
    depths: list[int] = []
    if not isinstance(rows, list) or len(rows) > MOST_NODES:
        raise Refused(f"no table of at most {MOST_NODES} nodes")

    def at(place: Any, *kinds: type) -> Any:
        if type(place) is not int or not 0 <= place < len(made) or not isinstance(made[place], kinds):
            raise Refused(f"{str(place)[:30]} is not the place of an earlier {kinds[0].__name__}")
        return made[place]

    def names(given: Any) -> tuple[str, ...]:
        if not isinstance(given, list) or not all(isinstance(n, str) for n in given):
            raise Refused("names are texts")
        return tuple(given)

    def part(given: Any) -> Any:
        return names(given) if isinstance(given, list) else given if isinstance(given, str) else at(given, Term)

    for row in rows:
        match row:
            case ["num", int(p), int(q)]:
                made.append(Term("num", (_fraction([p, q]),)))
            case ["fn", list(params), body]:
                made.append(Fn(names(params), at(body, Term)))
            case ["all", list(params), list(given), then]:
                made.append(All(names(params), tuple(at(g, Rel, All) for g in given), at(then, Rel, All)))
            case ["<=" | "<" | "=" | "nat" as op, *places]:
                made.append(Rel(op, tuple(at(p, Term) for p in places)))
            case [str(op), *parts]:  # a rule that gets it refuses what is no term (``check``)
                made.append(Term(op, tuple(part(p) for p in parts)))
            case _:
                raise Refused(f"no node: {str(row)[:60]}")
        flat = [p for part in row[1:] for p in (part if isinstance(part, list) else [part]) if row[0] != "num"]
        below = [p for p in flat if type(p) is int]
        depths.append(1 + max((depths[p] for p in below), default=0))
        if depths[-1] > DEEPEST or isinstance(made[-1], Term) and size(made[-1]) > LARGEST:
            raise Refused(f"terms are at most {DEEPEST} deep, and have at most {LARGEST} nodes")
    return made


def replay(data: Any) -> Theorem:
    """The theorem of the last step, made again by the rules. Raises Refused where one does not apply."""
    if not isinstance(data, dict) or set(data) != {"nodes", "steps"} or not isinstance(data["steps"], list):
        raise Refused("a proof has nodes and steps")
    if not 0 < len(data["steps"]) <= MOST_STEPS:
        raise Refused(f"a proof has 1 to {MOST_STEPS} steps")
    try:
        nodes, made = from_nodes(data["nodes"]), []
        for row in data["steps"]:
            name, *arguments = _argument(row, nodes, made)
            made.append(RULES[name](*arguments))
    except Refused:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, MemoryError) as error:
        raise Refused(f"not a step of a proof: {type(error).__name__}: {str(error)[:100]}") from error
    return made[-1]


def _argument(value: Any, nodes: list[Any], made: list[Theorem]) -> Any:
    if isinstance(value, dict):
        ((kind, given),) = value.items()
        return _fraction(given) if kind == "number" else _nth({"step": made, "node": nodes}[kind], given)
    if isinstance(value, list):
        return [_argument(v, nodes, made) for v in value]
    if value is None or type(value) in (int, str):
        return value
    raise Refused(f"not an argument: {str(value)[:60]}")


def _fraction(given: Any) -> Fraction:
    p, q = given
    if type(p) is not int or type(q) is not int or max(p.bit_length(), q.bit_length()) > MOST_BITS:
        raise Refused("a number is a quotient of two integers")
    return Fraction(p, q)


def _nth(of: list[Any], k: Any) -> Any:
    if type(k) is not int or not 0 <= k < len(of):
        raise Refused(f"{str(k)[:30]} is not the number of an earlier entry")
    return of[k]


def formula_from_data(rows: Any) -> Formula:
    """The formula that ``writing.formula_to_data`` wrote. Raises Refused for what is none."""
    try:
        formulas = from_nodes(rows)[-1:]
    except (ValueError, TypeError, ArithmeticError) as error:
        raise Refused(f"not a formula: {str(error)[:100]}") from error
    if not formulas or not isinstance(formulas[0], Rel | All):
        raise Refused("no formula")
    return formulas[0]
