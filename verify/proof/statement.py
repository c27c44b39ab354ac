"""Statements: what a relation says, as a term. Its body is called once, on variables, and nothing reads its source.

A statement is for all variables of a domain: left operator right. It is printed, evaluated, compared and hashed as it
stands. A body that asks a variable for something that only a number can answer is a program there, and ``trace`` says
what it asked.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from banditproof.theory.numbers.numeric import TERM, exactly, to_ball
from banditproof.theory.numbers.term import (
    INDEX,
    NAME,
    SIGNS_OF_TEX,
    Described,
    NoTerm,
    Term,
    guarded,
    number,
    parts,
    tex,
    text,
    tidied,
    var,
    variables,
)
from banditproof.verify.proof.compare import (
    OPERATORS,
    at_exact_point,
    evaluate,
    fits,
    numbers_by_default,
    only_variables,
    parameters_of,
    relation_name,
)
from banditproof.verify.proof.domain import Domain, Everything, shown, unseen_points
from banditproof.verify.proof.evaluation import call, compiled, formula_of, is_ball


@dataclass(frozen=True)
class Statement:
    """For all variables of `domain`: `left` `operator` `right`."""

    domain: Domain
    left: Term
    operator: str
    right: Term

    def __eq__(self, other: object) -> bool:
        """Equal terms are one object; a dataclass of Python 3.13 would ask them by `==`, which terms refuse."""
        if not isinstance(other, Statement):
            return NotImplemented
        same = self.left is other.left and self.right is other.right and self.operator == other.operator
        return same and self.domain == other.domain

    def __str__(self) -> str:
        return f"{text(tidied(self.left))} {self.operator} {text(tidied(self.right))}"

    @property
    def tex(self) -> str:
        """Both sides as LaTeX, without the dollars."""
        sign = SIGNS_OF_TEX.get(self.operator, self.operator)
        return f"{tex(tidied(self.left))}{sign}{tex(tidied(self.right))}"

    @property
    def key(self) -> str:
        """A hash of the statement with its domain: equal for equal statements, whatever code they came from."""
        return sha256(f"for all {self.domain}: {self}".encode()).hexdigest()[:24]

    @property
    def nodes(self) -> int:
        """How many different nodes both sides have."""
        return len({*parts(self.left), *parts(self.right)})

    @property
    def names(self) -> frozenset[str]:
        """The variables that the sides name."""
        return variables(self.left) | variables(self.right)

    @property
    def described(self) -> list[str]:
        """The variables that it names and that are no numbers: of these nobody but an author gives a value."""
        return [n for n, values in self.domain.variables if isinstance(values, Everything) and n in self.names]

    @property
    def unused(self) -> frozenset[str]:
        """The variables of the domain that neither side names."""
        return frozenset(n for n, _ in self.domain.variables) - self.names

    def over(self, domain: Domain) -> Statement:
        """The same on another region."""
        return replace(self, domain=domain)

    def sides(self, point: Mapping[str, Any], rational: bool = False) -> tuple[Any, str, Any]:
        """Both sides at an exact point: in balls, or in rationals where the formula is rational.

        Where balls have no value, rationals are tried: 1/3 + 2/3 is 1 then, and not beyond the domain of a quantity.
        """
        sides = evaluate(self.relation, point, {}, rational)
        if not rational and any(is_ball(side) and side.is_nan() for side in (sides[0], sides[2])):
            return evaluate(self.relation, point, {}, rational=True)
        return sides

    @cached_property
    def name(self) -> str:
        """How evidence names the statement: by its term."""
        return relation_name(self.relation)

    @property
    def constants(self) -> dict[str, Any]:
        """None: they are in the term."""
        return {}

    @cached_property
    def relation(self) -> Callable[..., tuple[Any, str, Any]]:
        """The statement as a function of its numbers, and of what else it names, on every number system."""
        names = tuple(n for n, values in self.domain.variables if hasattr(values, "ends") or n in self.names)
        return compiled(names, tidied(self.left), self.operator, tidied(self.right))


@dataclass(frozen=True)
class Program:
    """A relation that asks its variables for more than a formula can: it shows no more than its values at points."""

    domain: Domain
    relation: Callable[..., Any]
    constants: Mapping[str, Any]

    def over(self, domain: Domain) -> Program:
        """The same on another region."""
        return replace(self, domain=domain)

    def sides(self, point: Mapping[str, Any], rational: bool = False) -> tuple[Any, str, Any]:
        """Both sides at an exact point: in balls, or in rationals where the program is rational."""
        only_variables(point, self.domain, self.relation)
        return evaluate(self.relation, point, self.constants, rational)

    @property
    def names(self) -> frozenset[str]:
        """What it may depend on."""
        return frozenset(parameters_of(self.relation))

    @property
    def name(self) -> str:
        """How evidence names the program: ``module:function``."""
        return relation_name(self.relation)


MOST_COMPARED, LONGEST_COMPARED = 3, 12  # points, and the largest count among their numbers
CLOSE = 1e-9  # a float of a body and its term


def spoken_otherwise(statement: Statement, relation: Callable[..., Any], constants: Mapping[str, Any]) -> str:
    """At which point the body gives another value for numbers than its term has, or ''.

    A body may tell a variable from a number in ways that nobody foresees; then its term is not what it says. Where
    there are points, it is called on balls at some of them; one that takes no balls is left.
    """
    if any(isinstance(values, Everything) for _, values in statement.domain.variables):
        return ""
    drawn = unseen_points(statement.domain, MOST_COMPARED, "body", largest_count=LONGEST_COMPARED, extremes=3)
    for point in drawn:
        given = at_exact_point(point)
        try:
            left, operator, right = call(relation, {**given, **constants})
            term = call(statement.relation, given)
            pairs = [(_ball_around(a), to_ball(b)) for a, b in ((left, term[0]), (right, term[2]))]
        except (ArithmeticError, TypeError, ValueError, AttributeError):
            continue
        if operator != statement.operator or any(not (a.overlaps(b) or a.is_nan() or b.is_nan()) for a, b in pairs):
            return (
                f"its body and its term have different values at {shown(point)} (1/10 in a body is a rounded number:"
                " write Fraction(1, 10))"
            )
    return ""


def _ball_around(side: Any) -> Any:
    """A ball around a side that a body gives: a quotient of counts is a float of Python's, of the term's value."""
    from flint import arb

    if type(side) is not float or not math.isfinite(side):
        return to_ball(side)
    return arb(side, CLOSE * (1 + abs(side)))


def stating(relation: Callable[..., Any], domain: Domain, constants: Mapping[str, Any]) -> Statement:
    """What provers prove: the statement of a relation of a domain's variables, with its constants in it.

    Raises NoTerm for a program, InvalidInput for one that does not take the variables of the domain and the constants.
    """
    fits(relation, domain, constants)
    if (formula := formula_of(relation)) is not None:  # it is compiled from its term
        return Statement(domain, *formula)
    return trace(relation, domain, constants)


def trace(relation: Callable[..., Any], domain: Domain, constants: Mapping[str, Any]) -> Statement:
    """The statement of a relation with its constants, from one call of its body on variables.

    Raises NoTerm where the body asks for more than a formula can, or gives back no two numbers and an operator.
    """
    if bad := [n for n, _ in domain.variables if not NAME.fullmatch(n)]:
        raise NoTerm(f"the variable {bad[0]}: names with an underscore at an end are reserved")
    if bad := [n for n, _ in domain.variables if INDEX.fullmatch(n)]:
        raise NoTerm(
            f"the variable {bad[0]}: sums use this name for their index, and the printed line would not "
            "distinguish them"
        )
    given: dict[str, Any] = {
        n: var(n) if hasattr(values, "ends") else Described(n, values) for n, values in domain.variables
    }
    wanted = inspect.signature(relation).parameters
    arguments = {n: value for n, value in (given | dict(constants)).items() if n in wanted}
    required = [n for n, p in wanted.items() if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
    given_later = [n for n in (*required, *numbers_by_default(relation)) if n not in arguments]
    if given_later:  # a number that stands in for what runs measure would be claimed of instead
        raise NoTerm(f"it computes with {', '.join(given_later)}, the numbers of recorded runs")
    NoTerm.raised.clear()
    with exactly(TERM), guarded():
        try:
            answer = relation(**arguments)
        except NoTerm:
            raise
        except Exception as error:
            raised = f"{type(error).__name__}: {str(error)[:120]}"
            raise NoTerm(f"it only computes with numbers; for a variable Python says {raised}") from error
    if NoTerm.raised:  # and was caught: the body takes another way where it gets numbers
        raise NoTerm(NoTerm.raised[0])
    if not (isinstance(answer, tuple) and len(answer) == 3 and answer[1] in OPERATORS):
        raise NoTerm(f"the body gives no left side, operator ({', '.join(OPERATORS)}) and right side")
    left, operator, right = answer
    if any(isinstance(side, str) for side in (left, right)):
        raise NoTerm("a side is text: a name is not a quantity")
    if any(isinstance(side, tuple | list) for side in (left, right)):
        raise NoTerm("a side is a list: write one claim for each entry, or a sum over the entries")
    left, right = number(left), number(right)
    if tidied(left).op == tidied(right).op == "num":
        raise NoTerm("no variable is left: the sides are numbers, which a program may have computed")
    return Statement(domain, left, operator, right)
