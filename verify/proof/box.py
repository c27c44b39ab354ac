"""Certifying a relation on one box in ball arithmetic: the step that both the prover and re-checking take.

Three sound tests are tried, cheapest first: plain evaluation on the box; plain evaluation on the face where the
margin (right minus left) is smallest, for every variable in which the margin is certainly monotone; and the centred
form ``margin(centre) + sum of derivative(box) * (box - centre)``. Derivatives come from first-order Taylor series
with ball coefficients, so relations need no hand-written gradients.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, reduce
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.balls import ball_between
from banditproof.theory.numbers.numeric import hull, to_ball
from banditproof.theory.numbers.term import NoTerm, Term, is_reviewed, parts, text, var, variables
from banditproof.theory.numbers.term import substituted as substituted_terms
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
        self.formula, self.operator = formula, formula[1]
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
        verdict = self._certified(box, lambda part: self.sides(arguments_on(part, self.counts)), self._slopes)
        if verdict is None and self.differentiable and any(a != b for a, b in box.values()):
            by_parts = self._by_parts
            verdict = self._certified(box, lambda part: by_parts.sides(part), lambda part: by_parts.slopes(part))
        return verdict is True

    def _certified(
        self, box: Box, sides_on: Callable[[Box], Any], slopes_on: Callable[[Box], dict[str, Any] | None]
    ) -> bool | None:
        """As above, by one way to enclose both sides on a box; None where that finds no value."""
        left, operator, right = sides_on(box)
        if holds(left, operator, right) is True:
            return True
        if any(is_ball(side) and side.is_nan() for side in (left, right)):  # of which a series may not know
            return None
        if not self.differentiable or all(a == b for a, b in box.values()):
            return False
        slopes = slopes_on(box)
        if slopes is None:
            return False
        face = {n: _smallest_end(ends, slopes.get(n)) for n, ends in box.items()}
        self.worst = {n: (a + b) / 2 for n, (a, b) in face.items()}
        if face != box and holds(*sides_on(face)) is True:
            return True
        return self._centred(face, slopes)

    @cached_property
    def _by_parts(self) -> ByParts:
        return ByParts(self)

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
        moving = [name for name, (a, b) in box.items() if a != b]
        series = {name: balls | {name: flint.arb_series([balls[name], 1], prec=2)} for name in moving}
        return self.slopes_of({name: lambda given=given: self.sides(given) for name, given in series.items()})

    def slopes_of(self, sides: Mapping[str, Callable[[], Any]]) -> dict[str, Any] | None:
        """The margin's derivatives, from both sides as series in each variable; None where one is not known."""
        import flint

        slopes = {}
        for name, series in sides.items():
            try:
                margin, _strict = _margin(*series())
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


class ByParts:
    """A relation on a box by tighter enclosures of what its functions are asked for.

    In ``exp(x)/(1 + exp(x))`` a ball forgets that both exponentials are one, so that on a wide box it is no probability
    and a divergence of it has no value. So what stands under a logarithm, a root or a quotient, or is the argument of a
    quantity, is enclosed first, from the inside out: by its values at both ends of a variable in which it is certainly
    monotone, and by its value in the middle and its slopes.
    """

    def __init__(self, test: BoxTest) -> None:
        left, operator, right = test.formula
        asked = sorted({a for side in (left, right) for t in parts(side) for a in _asked(t)}, key=_size)
        self.test, known = test, dict[Term, Term]()
        self.inner: list[tuple[str, Term, Term]] = []
        for place, part in enumerate(asked):
            name = f"r{place}_"
            self.inner.append((name, substituted_terms(part, known), part))
            known[part] = var(name)
        self.sides_of = [substituted_terms(side, known) for side in (left, right)]

    def sides(self, box: Box) -> tuple[Any, str, Any]:
        """Both sides on a box; of what has no value, nan."""
        balls, _ = self._enclosed(box)
        left, right = (_or_nan(side, balls) for side in self.sides_of)
        return left, self.test.operator, right

    def slopes(self, box: Box) -> dict[str, Any] | None:
        """Enclosures over the box of the margin's derivatives."""
        _, series = self._enclosed(box)
        if not all(series.values()):
            return None

        def sides(given: Mapping[str, Any]) -> tuple[Any, str, Any]:
            left, right = (value_at(side, given) for side in self.sides_of)
            return left, self.test.operator, right

        return self.test.slopes_of({name: lambda given=given: sides(given) for name, given in series.items()})

    def _enclosed(self, box: Box) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """The variables and the parts as balls, and as series in each variable of the box; none beside a pole."""
        import flint

        balls = self._at(box)
        moving = [name for name, (a, b) in box.items() if a != b]
        series = {n: self._series(box, n, balls[n]) for n in moving}
        for name, inside, part in self.inner:
            value = _or_nan(inside, balls)
            slopes = {n: _slope(inside, series[n]) if series[n] else None for n in moving}
            known = {n: slope for n, slope in slopes.items() if slope is not None}
            for ends in self._faces(box, known), self._centre(box, known):
                tighter = [as_ball(_or_nan(part, self._at(face))) + away for face, away in ends]
                value = _closer(as_ball(value), reduce(hull, tighter))
            balls[name] = value
            for n in filter(series.get, moving):
                series[n][name] = flint.arb_series([as_ball(value), known.get(n, flint.arb("nan"))], prec=2)
        return balls, series

    def _series(self, box: Box, name: str, ball: Any) -> dict[str, Any]:
        """The variables as series in one of them; nothing where a substitution has a pole."""
        import flint

        plain = arguments_on(box, self.test.counts) | {name: flint.arb_series([ball, 1], prec=2)}
        try:
            return substituted(plain, self.test.substitutions)
        except (ValueError, ZeroDivisionError):
            return {}

    def _at(self, box: Box) -> dict[str, Any]:
        return substituted(arguments_on(box, self.test.counts), self.test.substitutions)

    def _faces(self, box: Box, slopes: Mapping[str, Any]) -> list[tuple[Box, Any]]:
        """Where a part is smallest and where it is largest, as far as its slopes have a sign."""
        low, high = dict(box), dict(box)
        for n, slope in slopes.items():
            if slope >= 0 or slope <= 0:
                a, b = box[n] if slope >= 0 else box[n][::-1]
                low[n], high[n] = (a, a), (b, b)
        return [(low, 0), (high, 0)]

    def _centre(self, box: Box, slopes: Mapping[str, Any]) -> list[tuple[Box, Any]]:
        """The middle of the variables with a slope, and how far a part may be from its value there."""
        middle = {n: (a + b) / 2 for n, (a, b) in box.items() if n in slopes}
        at = box | {n: (value, value) for n, value in middle.items()}
        away = (slopes[n] * (ball_between(*box[n]) - as_ball(value)) for n, value in middle.items())
        return [(at, sum(away, to_ball(0)))]


def _asked(t: Term) -> Iterator[Term]:
    """What a node asks of its parts to have a value: parts that are formulas of the variables alone."""
    asked = t.args[1:] if t.op == "quantity" or t.op == "fn" and t.args[0] in ("log", "log1p", "sqrt") else ()
    for part in (*asked, *(t.args[1:] if t.op == "div" else ())):
        names = variables(part)
        if part.op not in ("num", "var") and names and not any(n.startswith("_") for n in names):
            yield part


def _size(t: Term) -> tuple[int, str]:
    """Smaller than that of everything that the term is a part of."""
    return sum(1 for _ in parts(t)), text(t)


def _or_nan(term: Term, given: Mapping[str, Any]) -> Any:
    try:
        return value_at(term, given)
    except (ArithmeticError, TypeError, ValueError):  # a branch that is not taken may ask anything
        return to_ball("nan")


def _slope(term: Term, series: Mapping[str, Any]) -> Any:
    """The derivative of a part over the box, None where it is not known."""
    try:
        value = value_at(term, series)
    except (TypeError, AttributeError, ValueError, ZeroDivisionError):
        return None
    if type(value).__name__ != "arb_series":
        return to_ball(0) if isinstance(value, int | Fraction) else None
    return value[1] if value[0].is_finite() and value[1].is_finite() else None


def _closer(first: Any, second: Any) -> Any:
    """What two enclosures of the same numbers have in common."""
    if first.is_nan() or second.is_nan():
        return second if first.is_nan() else first
    try:
        return first.intersection(second)
    except ValueError:  # no number, which cannot be: then neither is believed
        return to_ball("nan")


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
