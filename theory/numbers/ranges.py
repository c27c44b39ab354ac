"""How a formula on points becomes a function on every number system: domains, ranges over balls, first-order series.

A formula that is monotone in each argument, or that vanishes on the diagonal x = y and grows away from it, takes its
extreme values over a box at corners. Evaluated there on exact points it gives the range up to rounding, where interval
arithmetic on the formula would overestimate.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeVar

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.exact_numbers import exact_or_infinite, with_points
from banditproof.theory.numbers.numeric import (
    BALL,
    FLOAT,
    NO_NUMBER,
    SERIES,
    SYMBOL,
    TERM,
    hull,
    is_ball,
    is_plain,
    log,
    promote,
    sqrt,
    system,
    to_ball,
)

Formula = Callable[..., Any]
F = TypeVar("F", bound=Formula)
Ends = tuple[Any, Any]  # lower and upper end of a ball inside its domain, exact balls; the same object if it is a point

Domains = Mapping[str, tuple[Any, Any, str]]

NOTED: list[Any] = []  # of terms: what has a value where they lie in their domains; for who asks where quantities have
_READY = (np.ndarray, float)
UNIT = (0, 1, "in [0, 1]")
_DOMAINS: Domains = {"epsilon": (0, np.inf, "in [0, inf]"), "level": (0, np.inf, "in [0, inf]")}


def evaluate(
    formula: Formula,
    enclose: Formula,
    gradient: Sequence[Formula] | None,
    domains: Domains = _DOMAINS,
    /,
    **arguments: Any,
) -> Any:
    """`formula` on the arguments, whose names fix their domains (means in [0, 1]; epsilon and level in [0, inf]).

    `domains` gives other closed domains: name -> (low, high, how the error puts it). `enclose(formula, *ends)` does the
    same for balls, of which it gets the ends; `gradient` has one function for each argument, for series. Raises
    InvalidInput if an argument lies outside its domain.
    """
    values = tuple(arguments.values())
    if not all(map(is_ball, map(type, values))):
        values = numbers(domains, **arguments)
    kind = system(*values)
    if kind == BALL:
        ends = _inside(domains, arguments, values)
        if any(low.is_nan() for low, _ in ends):
            return values[0].nan()
        return formula(*(low for low, _ in ends)) if all(low is high for low, high in ends) else enclose(formula, *ends)
    if kind == SERIES:
        return _first_order(formula, enclose, gradient, domains, dict(zip(arguments, values, strict=True)))
    check(domains, **dict(zip(arguments, values, strict=True)))
    if kind != FLOAT:
        return formula(*values)
    with np.errstate(all="ignore"):
        result = formula(*values)
    shape = np.broadcast_shapes(*(value.shape for value in values))
    return result if result.shape == shape else np.broadcast_to(result, shape).copy()


def _inside(domains: Domains, arguments: Mapping[str, Any], values: tuple[Any, ...]) -> list[Ends]:
    """The ends of balls inside their domains. Raises InvalidInput for what is given or certainly lies outside."""
    for name, value in arguments.items():
        if not is_ball(type(value)) and (number := _exact(name, value, domains)) is not None:
            check(domains, **{name: number})
    return [_ends(domains, name, value) for name, value in zip(arguments, values, strict=True)]


def defined_on(domains: Domains = _DOMAINS, /) -> Callable[[F], F]:
    """A decorator of a function that has a value wherever its arguments lie in their domains, and does nothing else
    than `evaluate` with a gradient.

    Who asks only whether it has a value, of balls and series, calls its attribute `asked` in its place: that raises
    InvalidInput just where the function does, and computes nothing.
    """

    def named(function: F) -> F:
        names = tuple(inspect.signature(function).parameters)

        def asked(*given: Any) -> None:
            centres = [one[0] if system(one) == SERIES else one for one in given]
            arguments = dict(zip(names, centres, strict=True))
            _inside(domains, arguments, numbers(domains, **arguments))

        function.asked = asked  # type: ignore[attr-defined]
        return function

    return named


def _exact(name: str, value: Any, domains: Domains) -> Fraction | float | None:
    """The exact number that is given or written out, which a ball would round; None for what is no such number."""
    if is_ball(type(value)):
        return None
    if isinstance(value, int | Fraction):
        return Fraction(value)
    plain = isinstance(value, str) and "+/-" not in value  # which is a ball of flint's
    return exact_or_infinite(name, value, lambda _: True, domains.get(name, UNIT)[2]) if plain else None


def numbers(domains: Domains = _DOMAINS, /, **arguments: Any) -> tuple[Any, ...]:
    """The arguments in the number system that they share, as `promote`; InvalidInput names what is no number.

    Arrays must broadcast together, and cannot be mixed with balls, mpf and expressions.
    """
    for name, value in arguments.items():
        if has_truth(value):
            raise InvalidInput(name, value, _number_that(domains.get(name, UNIT)[2]))
    try:
        values = promote(*arguments.values())
        if system(*values) == FLOAT:
            np.broadcast_shapes(*(value.shape for value in values))
        return values
    except NO_NUMBER:
        for name, value in arguments.items():
            several = np.asarray(value, dtype=object).ravel() if np.iterable(value) else ()
            if not isinstance(value, str) and any(isinstance(one, str) for one in several):
                allowed = "an array of numbers, which gives floats, or one text, which gives an enclosure"
                raise InvalidInput(name, value, allowed) from None
            _number(name, value, domains.get(name, UNIT)[2])
        lists = {name: value for name, value in arguments.items() if np.ndim(value)}
        name, value = next(iter((lists or arguments).items()))
        allowed = "of a shape and a number system that go together with those of the other arguments"
        raise InvalidInput(name, value, allowed) from None


def has_truth(value: Any) -> bool:
    """Whether a value is True or False, or an array or a list with one, which would count as 1 or 0."""
    if isinstance(value, list | tuple):
        return any(map(has_truth, value))
    return isinstance(value, bool | np.bool_) or getattr(value, "dtype", object) is np.dtype(bool)


def inside(domains: Domains = _DOMAINS, /, **arguments: Any) -> tuple[Any, ...]:
    """As `numbers`; raises InvalidInput as well for what lies outside the domain that its name fixes."""
    values = numbers(domains, **arguments)
    check(domains, **dict(zip(arguments, values, strict=True)))
    return values


def _number(name: str, value: Any, allowed: str) -> Any:
    try:
        return promote(value)[0]
    except NO_NUMBER:
        meant = with_points(value) if isinstance(value, str) else ""
        raise InvalidInput(name, value, _number_that(allowed), meant) from None


def _number_that(allowed: str) -> str:
    """What is allowed of numbers, said of what is none: "in [0, 1]", "positive", "a number"."""
    return allowed if "number" in allowed else f"a number{'' if allowed.startswith('in ') else ','} {allowed}"


def number_as_ball(name: str, value: Any, allowed: str) -> Any:
    """A ball around what `to_ball` takes; InvalidInput names what is no number."""
    if has_truth(value):
        raise InvalidInput(name, value, allowed)
    try:
        return to_ball(value)
    except NO_NUMBER:
        raise InvalidInput(name, value, allowed) from None


def check(domains: Domains = _DOMAINS, /, **arguments: Any) -> None:
    """InvalidInput unless every argument is a number in the domain its name fixes.

    Series, terms and free symbols pass, and balls that are not certainly outside.
    """
    for name, value in arguments.items():
        low, high, allowed = domains.get(name, UNIT)
        if is_plain(type(value)):  # which a ball would round, perhaps into the domain
            if not low <= value <= high:
                raise InvalidInput(name, value, allowed)
            continue
        kind = system(value)
        if not isinstance(value, _READY):
            value = _number(name, value, allowed)
        if kind == TERM:
            NOTED.extend(_of_domain(value, low, high))
        if kind in (SERIES, TERM) or kind == SYMBOL and not getattr(value, "is_number", False):
            continue
        if kind == BALL and not (value < low or value > high):
            continue
        try:
            lies_inside = np.all((value >= low) & (value <= high)) if kind == FLOAT else low <= value <= high
        except TypeError:  # an expression that SymPy cannot place
            lies_inside = False
        if not lies_inside:
            raise InvalidInput(name, value, allowed)


LARGEST, SMALLEST = 1e300, 1e-300  # ends beyond stand for what is finite, and for what is positive


def _of_domain(value: Any, low: Any, high: Any) -> Iterator[Any]:
    """Formulas that have a value just where a term lies in a domain."""
    if 0 < low < SMALLEST:
        yield log(value)
    elif low > -LARGEST:
        yield sqrt(value - Fraction(low))
    if high < LARGEST:
        yield sqrt(Fraction(high) - value)


def away_from_diagonal(formula: Formula, x: Ends, y: Ends, *rest: Ends) -> Any:
    """The range of a formula that is 0 for x = y, monotone away from there, and nondecreasing in the rest."""
    (x_low, x_high), (y_low, y_high) = x, y
    low, high = [end for end, _ in rest], [end for _, end in rest]
    corners = []
    if x_low < y_high:
        corners.append(formula(x_low, y_high, *high))
    if x_high > y_low:
        corners.append(formula(x_high, y_low, *high))
    if x_high < y_low:
        corners.append(formula(x_high, y_low, *low))
    elif x_low > y_high:
        corners.append(formula(x_low, y_high, *low))
    else:
        corners.append(to_ball(0))
    return _hull_of(corners)


# for each direction of monotonicity, the ends that belong to the bottom and to the top of the range
_ENDS = {
    "+": lambda low, high: ((low,), (high,)),
    "-": lambda low, high: ((high,), (low,)),
    "?": lambda low, high: ((low,), (low,)) if low is high else ((low, high), (low, high)),
}


def monotone(directions: str) -> Formula:
    """The range of a formula that is nondecreasing (+), nonincreasing (-) or one of both (?) in each argument.

    "?" is for a direction that depends on the other arguments.
    """

    def enclose(formula: Formula, *ends: Ends) -> Any:
        bottom, top = zip(*(_ENDS[sign](*end) for sign, end in zip(directions, ends, strict=True)), strict=True)
        return _hull_of([formula(*corner) for corner in (*product(*bottom), *product(*top))])

    return enclose


def _hull_of(corners: list[Any]) -> Any:
    result = corners[0]
    for corner in corners[1:]:
        result = hull(result, corner)
    return result


def _ends(domains: Domains, name: str, ball: Any) -> Ends:
    low, high, allowed = domains.get(name, UNIT)
    if ball.is_nan():
        return ball, ball
    if ball < low or ball > high:
        raise InvalidInput(name, ball, allowed)
    if ball.is_exact():
        return ball, ball
    lower, upper = ball.lower(), ball.upper()
    return lower if lower > low else to_ball(low), upper if upper < high else to_ball(high)


def _first_order(
    formula: Formula, enclose: Formula, gradient: Sequence[Formula] | None, domains: Domains, arguments: dict
) -> Any:
    """Value and first derivative by the chain rule; without a gradient, by the formula in series arithmetic."""
    from flint import arb_series

    if gradient is None:
        result = formula(*arguments.values())
        return arb_series([result[0], result[1]], prec=2)
    series = [value if isinstance(value, arb_series) else arb_series([value]) for value in arguments.values()]
    centre = [one[0] for one in series]
    slope = to_ball(0)
    for one, derivative in zip(series, gradient, strict=True):
        if not one[1].is_zero():
            slope += derivative(*centre) * one[1]
    value = evaluate(formula, enclose, None, domains, **dict(zip(arguments, centre, strict=True)))
    return arb_series([value, slope], prec=2)
