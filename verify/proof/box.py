"""Certifying a relation on one box in ball arithmetic: the step that both the prover and re-checking take.

Three sound tests are tried, cheapest first: plain evaluation on the box; plain evaluation on the face where the
margin (right minus left) is smallest, for every variable in which the margin is certainly monotone; and the centred
form ``margin(centre) + sum of derivative(box) * (box - centre)``. Derivatives come from first-order Taylor series
with ball coefficients, so relations need no hand-written gradients.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.balls import ball_between
from banditproof.theory.numbers.numeric import to_ball
from banditproof.theory.numbers.term import NoTerm, is_reviewed, parts
from banditproof.verify.proof.compare import Relation, as_ball, holds
from banditproof.verify.proof.domain import Constraint
from banditproof.verify.proof.evaluation import call, formula_of, is_ball, value_at
from banditproof.verify.proof.parsing import parsed

Box = dict[str, tuple[Fraction, Fraction]]


def arguments_on(box: Mapping[str, tuple[Fraction, Fraction]], counts: Sequence[str]) -> dict[str, Any]:
    """Balls for the variables of a box; variables that count something are passed as ints."""
    return {n: _count(a) if n in counts else ball_between(a, b) for n, (a, b) in box.items()}


def _count(value: Fraction) -> int:
    if value.denominator != 1:
        raise InvalidInput("count", value, "a whole number")
    return value.numerator


def substituted(arguments: dict[str, Any], substitutions: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The arguments together with the variables that were expressed through a parameter.

    A formula is continuous inside its parameter's interval, so a variable is a number there: where balls give nan, as
    they do beside a pole at an end, it is somewhere on the line.
    """
    values = {v: value_at(parsed(text), arguments) for v, (text, _image) in substitutions.items()}
    return arguments | {v: _somewhere(value) if is_ball(value) else value for v, value in values.items()}


def _somewhere(value: Any) -> Any:
    return value.neg_inf().union(value.pos_inf()) if value.is_nan() else value


def excluded(box: Box, counts: Sequence[str], constraints: Sequence[Constraint]) -> bool:
    """Whether some constraint fails on the whole box."""
    balls = arguments_on(box, counts)
    names = set(balls)

    def fails(constraint: Constraint) -> bool:
        try:
            return constraint.holds(balls) is False
        except ArithmeticError:  # where it has no value nothing is left out
            return False

    return any(fails(c) for c in constraints if c.names <= names)


class BoxTest:
    """A relation that is compiled from its term, ready to be certified on boxes."""

    def __init__(
        self, relation: Relation, counts: Sequence[str] = (), substitutions: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        formula = formula_of(relation)
        assert formula is not None, "a program may mean something else for a ball than for its points"
        named = {t.args[0] for side in (formula[0], formula[2]) for t in parts(side) if t.op == "quantity"}
        if own := sorted(name for name in named if not is_reviewed(name)):
            raise NoTerm(f"{own[0]} is a quantity of the document, and may branch on a ball")
        self.operator = formula[1]
        self.relation, self.counts, self.substitutions = relation, counts, substitutions or {}
        self.differentiable = True
        self.worst: dict[str, Fraction] = {}

    def sides(self, arguments: dict[str, Any]) -> tuple[Any, str, Any]:
        """Both sides on a box; of what has no value, nan."""
        try:
            return call(self.relation, substituted(arguments, self.substitutions))
        except ZeroDivisionError:
            return to_ball("nan"), self.operator, to_ball("nan")

    def certified(self, box: Box) -> bool:
        """Whether the relation certainly holds at every point of the box.

        ``worst`` is afterwards the point of the box where the margin seems smallest: a candidate for a counterexample.
        """
        self.worst = {n: (a + b) / 2 for n, (a, b) in box.items()}
        left, operator, right = self.sides(arguments_on(box, self.counts))
        if holds(left, operator, right) is True:
            return True
        if any(is_ball(side) and side.is_nan() for side in (left, right)):  # of which a series may not know
            return False
        if not self.differentiable or all(a == b for a, b in box.values()):
            return False
        slopes = self._slopes(box)
        if slopes is None:
            return False
        face = {n: _smallest_end(ends, slopes.get(n)) for n, ends in box.items()}
        self.worst = {n: (a + b) / 2 for n, (a, b) in face.items()}
        if face != box and holds(*self.sides(arguments_on(face, self.counts))) is True:
            return True
        return self._centred(face, slopes)

    def fails_at(self, point: Mapping[str, Fraction]) -> bool:
        """Whether the relation certainly fails at a point."""
        return holds(*self.sides(arguments_on({n: (v, v) for n, v in point.items()}, self.counts))) is False

    def _centred(self, box: Box, slopes: Mapping[str, Any]) -> bool:
        centre = {n: ((a + b) / 2, (a + b) / 2) for n, (a, b) in box.items()}
        margin, strict = _margin(*self.sides(arguments_on(centre, self.counts)))
        for name, (a, b) in box.items():
            if a != b:
                margin += slopes[name] * (ball_between(a, b) - as_ball((a + b) / 2))
        return bool(margin > 0) if strict else bool(margin >= 0)

    def _slopes(self, box: Box) -> dict[str, Any] | None:
        """Enclosures over the box of the margin's derivatives, one variable at a time."""
        import flint

        balls = arguments_on(box, self.counts)
        slopes = {}
        for name, (a, b) in box.items():
            if a == b:
                continue
            series = balls | {name: flint.arb_series([balls[name], 1], prec=2)}
            try:
                margin, _strict = _margin(*self.sides(series))
            except (TypeError, AttributeError):
                self.differentiable = False  # the relation uses a function that has no Taylor form
                return None
            except (ValueError, ZeroDivisionError):
                return None  # a series cannot be divided by one whose constant term may vanish
            if not isinstance(margin, flint.arb_series):
                self.differentiable = False  # the variable did not come through as a series
                return None
            slopes[name] = margin[1]
            if not (margin[0].is_finite() and slopes[name].is_finite()):
                return None
        return slopes


def _margin(left: Any, operator: str, right: Any) -> tuple[Any, bool]:
    """The quantity that the relation says is non-negative, and whether it must be positive."""
    left, right = (as_ball(side) if isinstance(side, Fraction) else side for side in (left, right))
    if operator in ("<=", "<"):
        return right - left, operator == "<"
    if operator in (">=", ">"):
        return left - right, operator == ">"
    raise TypeError(f"operator {operator} has no margin")


def _smallest_end(ends: tuple[Fraction, Fraction], slope: Any) -> tuple[Fraction, Fraction]:
    if slope is None:
        return ends
    if slope >= 0:
        return (ends[0], ends[0])
    if slope <= 0:
        return (ends[1], ends[1])
    return ends
