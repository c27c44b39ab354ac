"""A bound as a value: an interval with dyadic ends that is guaranteed to contain the number."""

from __future__ import annotations

import copyreg
import decimal
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from banditproof.theory.arguments import named, question
from banditproof.theory.errors import InvalidInput, no_attribute
from banditproof.theory.numbers.exact_numbers import exact, read
from banditproof.theory.numbers.numeric import NO_NUMBER, to_ball, working_precision

End = Fraction | float  # a dyadic rational, or one of the two float infinities
_FINEST = 1 << 16  # exponents beyond this are rounded outward: the integers would not fit
_BITS = 256  # of arithmetic, where flint has fewer
MOST_DIGITS = 100_000  # of a decimal


# --------------------------------------------------------------------------------------- arithmetic and comparisons


def _enclosed(value: Any) -> Enclosure | None:
    """A number as an Enclosure; None for what is no number, and for arrays, which take their entries one by one."""
    value = value.value if isinstance(value, Valued) else value
    if isinstance(value, Enclosure):
        return value
    if isinstance(value, bool):
        return None
    try:
        if getattr(value, "ndim", 0) or value != value:
            return None
        value = value.item() if hasattr(value, "dtype") else value
        with working_precision(_precision()):
            return Enclosure.outward(value)
    except NO_NUMBER:
        return None


def _precision() -> int:
    import flint

    return max(_BITS, flint.ctx.prec)


def _arithmetic(combine: Callable[[Any, Any], Any], reversed_: bool = False) -> Callable[[Enclosure, Any], Enclosure]:
    def method(self: Enclosure, value: Any) -> Any:
        other = _enclosed(value)
        if other is None:
            if isinstance(value, float):
                raise InvalidInput("number", value, "a number, not nan")
            if isinstance(value, str):  # of which Python would speak as a sequence
                raise TypeError(f"unsupported operand: {value!r} is no number, as '1/3' is")
            return NotImplemented
        return _range(combine, other, self) if reversed_ else _range(combine, self, other)

    return method


def _range(combine: Callable[[Any, Any], Any], one: Enclosure, other: Enclosure) -> Enclosure:
    """The range of an operation that is monotone in each argument: flint computes it between exact ends."""
    crosses = one.lower < 0 < one.upper
    if combine is operator.truediv and other.lower <= 0 <= other.upper:
        raise ZeroDivisionError(f"division by {other}, which may be 0")
    if combine is operator.pow and (one.lower < 0 or one.lower == 0 and other.lower <= 0):
        whole = other.lower == other.upper and float(other.lower).is_integer()
        if not whole or other.lower < 0 <= one.upper:
            raise InvalidInput("base", one, f"certainly positive for the power {other}")
    with working_precision(_precision()):
        ends = [[to_ball(end) for end in dict.fromkeys((e.lower, e.upper))] for e in (one, other)]
        results = [Enclosure.from_ball(combine(*pair)) for pair in product(*ends)]
    if combine is operator.pow and crosses and other.lower > 0:
        results.append(Enclosure(0, 0))  # where even powers turn
    return Enclosure(min(r.lower for r in results), max(r.upper for r in results))


def _comparison(relation: Callable[[Any, Any], bool], sign: str) -> Callable[[Enclosure, Any], bool]:
    def method(self: Enclosure, value: Any) -> Any:
        other = _enclosed(value)
        if other is None:
            return NotImplemented
        answers = {relation(*pair) for pair in product((self.lower, self.upper), (other.lower, other.upper))}
        if sign == "==" and self.lower <= other.upper and other.lower <= self.upper:
            answers.add(True)  # they may meet
        if len(answers) > 1:
            near = ", and abs(e - x) < 1e-9 how far apart they are" * (sign == "==")
            undecided = f"certain, but {self} does not decide it (float(e) {sign} ... compares the middle{near})"
            raise InvalidInput(f"comparison with {sign}", value, undecided)
        return answers.pop()

    return method


def _rising(function: str, least: float = -math.inf) -> Callable[[Enclosure], Enclosure]:
    """A function that rises from `least` on, where it is not defined, or has no finite value, below."""

    def method(self: Enclosure) -> Enclosure:
        if self.lower < least or self.lower == least and function == "log":
            raise InvalidInput(
                "enclosure", self, f"certainly {'>' if function == 'log' else '>='} 0 for its {function}"
            )
        with working_precision(_precision()):
            low, high = (Enclosure.from_ball(getattr(to_ball(end), function)()) for end in (self.lower, self.upper))
        return Enclosure(low.lower, high.upper)

    return method


_same = _comparison(operator.eq, "==")


@named
@dataclass(frozen=True, repr=False, eq=False)
class Enclosure:
    """The interval [lower, upper]; each end is a dyadic rational (`Fraction`) or an infinity (`float`).

    It acts as the number that it encloses. Sums, differences, products, quotients and powers with numbers and other
    enclosures enclose the exact result. ``<``, ``<=``, ``>``, ``>=`` and ``==`` are True or False only where the
    interval decides, and raise InvalidInput elsewhere; two enclosures are equal if they have the same ends. `float`,
    `round` and formats such as ``f"{e:.4f}"`` take the middle; `math.floor` and `math.ceil` must be certain.

    Ends may be given as int, float (exact) or dyadic Fraction. Raises InvalidInput for other ends and for
    lower > upper.

    >>> third = Enclosure(0, 1) / 3
    >>> f"{third:.4f}", third < 2, float(third + Fraction(5, 6)), (third * 3).contains(1)
    ('0.1667', True, 1.0, True)
    """

    lower: End
    upper: End

    def __post_init__(self) -> None:
        object.__setattr__(self, "lower", _dyadic("lower", self.lower))
        object.__setattr__(self, "upper", _dyadic("upper", self.upper))
        if self.lower > self.upper:
            raise InvalidInput("lower", self.lower, f"at most upper = {self.upper}")

    @classmethod
    def from_ball(cls, ball: Any) -> Enclosure:
        """The interval of a flint ball, rounded outward; the whole line for nan. InvalidInput for what is none."""
        if isinstance(ball, cls):  # which functions of exact numbers answer
            return ball
        if not hasattr(ball, "is_nan"):
            raise InvalidInput("ball", ball, "a ball of flint (Enclosure.outward takes other numbers)")
        if ball.is_nan():
            return cls(-math.inf, math.inf)
        lower, upper = (ball, ball) if ball.is_exact() else (ball.lower(), ball.upper())
        enclosure = object.__new__(cls)  # both ends are dyadic and in order: nothing to check
        object.__setattr__(enclosure, "lower", _end(lower, up=False))
        object.__setattr__(enclosure, "upper", _end(upper, up=True))
        return enclosure

    @classmethod
    def outward(cls, value: Any) -> Enclosure:
        """The value, if it is dyadic, else an interval around it at flint's precision.

        Takes whatever `to_ball` takes: int, float, Fraction, mpf, decimal or "p/q" string, ball, Enclosure.
        """
        if isinstance(value, cls):
            return value
        try:
            return cls(value, value)
        except InvalidInput:
            return cls.from_ball(to_ball(value))

    @property
    def width(self) -> End:
        """upper - lower; 0 for a point, also at infinity."""
        return Fraction(0) if self.lower == self.upper else self.upper - self.lower

    @property
    def floats(self) -> tuple[float, float]:
        """Both ends as floats, rounded outward."""
        return _outward_float(self.lower, -math.inf), _outward_float(self.upper, math.inf)

    @question
    def contains(self, value: Any) -> bool:
        """Whether the number, or all of the ball or Enclosure, lies in the interval."""
        lower, upper = _rational_ends(value)
        return bool(self.lower <= lower and upper <= self.upper)

    def ball(self) -> Any:
        """A flint ball around the interval, at flint's precision."""
        lower = to_ball(self.lower)
        return lower if self.lower == self.upper else lower.union(to_ball(self.upper))

    def to_dict(self) -> dict[str, float]:
        """{"value": the middle, "lower": ..., "upper": ...}, as floats, the ends rounded outward; for JSON and tables.

        Without a middle, `value` is nan.
        """
        value = float(self) if self._has_middle else math.nan
        return {"value": value, **dict(zip(("lower", "upper"), self.floats, strict=True))}

    def decimal(self, digits: int = 10) -> str:
        """The interval in decimals with `digits` significant digits, rounded outward; one number if it is exact."""
        if not isinstance(digits, int) or not 1 <= digits <= MOST_DIGITS:
            raise InvalidInput("digits", digits, f"an integer from 1 to {MOST_DIGITS}")
        low, high = _decimal(self.lower, digits, "ROUND_FLOOR"), _decimal(self.upper, digits, "ROUND_CEILING")
        return low if low == high else f"[{low}, {high}]"

    def to_json(self) -> dict[str, Any]:
        """{"lower": [m, e], "upper": [m, e], "decimal": ...}, an end being m 2^e; infinities are strings."""
        return {"lower": _end_to_json(self.lower), "upper": _end_to_json(self.upper), "decimal": self.decimal()}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Enclosure:
        """The inverse of `to_json`; raises InvalidInput for anything else."""
        try:
            return cls(_end_from_json(data["lower"]), _end_from_json(data["upper"]))
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidInput("data", data, "an enclosure in JSON form") from error

    def __str__(self) -> str:
        return self.decimal()

    def __repr__(self) -> str:
        """In decimals, rounded outward; the exact ends have dozens of digits.

        >>> Enclosure(Fraction(1, 2**200), Fraction(1, 2**199))
        <Enclosure [6.223015277E-61, 1.244603056E-60], exact ends: .lower, .upper>
        """
        return f"<Enclosure {self}, exact ends: .lower, .upper>"

    if not TYPE_CHECKING:  # or type checkers would let in any name

        def __getattr__(self, name: str) -> Any:
            raise no_attribute(self, name, ": its ends are .lower and .upper" * (name[0] != "_"))

    @property
    def _has_middle(self) -> bool:
        return self.lower == self.upper or not any(isinstance(end, float) for end in (self.lower, self.upper))

    def __bool__(self) -> bool:
        """Whether it is not 0. Raises InvalidInput where the interval does not decide."""
        return not _same(self, 0)

    def __float__(self) -> float:
        """The middle, rounded to the nearest float; inf for the point at infinity. Raises InvalidInput where half of
        the line is open: there is no middle then.
        """
        if not self._has_middle:
            raise InvalidInput("enclosure", self, "an interval with a middle (take .lower or .upper)")
        middle = self.lower if self.lower == self.upper else (self.lower + self.upper) / 2
        try:
            return float(middle)
        except OverflowError:
            return math.inf if middle > 0 else -math.inf

    def __format__(self, form: str) -> str:
        try:
            return format(float(self), form) if form else str(self)
        except ValueError as wrong:
            if isinstance(wrong, InvalidInput):
                raise
            allowed = "that of a float, such as .4f, .3e or g (int(...) is the whole number, where it is one)"
            raise InvalidInput("format", form, allowed) from None

    def __round__(self, digits: int | None = None) -> float | int:
        if digits is not None and not hasattr(digits, "__index__"):
            raise InvalidInput("digits", digits, "an integer, or left out")
        return round(float(self), digits)

    def __int__(self) -> int:
        return self._certain_integer(int)

    def __floor__(self) -> int:
        return self._certain_integer(math.floor)

    def __ceil__(self) -> int:
        return self._certain_integer(math.ceil)

    def _certain_integer(self, rounded: Callable[[Any], int]) -> int:
        if not self._has_middle or math.isinf(self.lower) or rounded(self.lower) != rounded(self.upper):
            allowed = (
                f"an interval whose ends have one {rounded.__name__} (of the middle: {rounded.__name__}(float(e)))"
            )
            raise InvalidInput("enclosure", self, allowed)
        return rounded(self.lower)

    def __array_ufunc__(self, ufunc: Any, method: str, *given: Any, **named: Any) -> Any:
        """NumPy's functions take the number itself, so that what they answer is an enclosure; what asks whether it is
        finite, as root finders do, takes the middle.
        """
        middle = ufunc.__name__ in ("isfinite", "isinf", "isnan")
        taken = (
            (float(one) if middle else np.asarray(one, dtype=object)) if isinstance(one, Enclosure) else one
            for one in given
        )
        with np.errstate(invalid="ignore"):  # which flint leaves behind
            return getattr(ufunc, method)(*taken, **named)

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, Enclosure):
            return _same(self, other)
        same = self.lower == other.lower and self.upper == other.upper
        if not same and self.lower <= other.upper and other.lower <= self.upper:
            from banditproof.theory.hints import hint

            hint("== of enclosures asks for the same ends; these may be equal: abs(a - b) < 1e-9 asks how close")
        return same

    def __hash__(self) -> int:
        return hash(self.lower if self.lower == self.upper else (self.lower, self.upper))

    __lt__, __le__ = _comparison(operator.lt, "<"), _comparison(operator.le, "<=")
    __gt__, __ge__ = _comparison(operator.gt, ">"), _comparison(operator.ge, ">=")
    __add__, __radd__ = _arithmetic(operator.add), _arithmetic(operator.add, True)
    __sub__, __rsub__ = _arithmetic(operator.sub), _arithmetic(operator.sub, True)
    __mul__, __rmul__ = _arithmetic(operator.mul), _arithmetic(operator.mul, True)
    __truediv__, __rtruediv__ = _arithmetic(operator.truediv), _arithmetic(operator.truediv, True)
    __pow__, __rpow__ = _arithmetic(operator.pow), _arithmetic(operator.pow, True)
    log, exp, sqrt = _rising("log", 0), _rising("exp"), _rising("sqrt", 0)  # also what np.log and others call

    def log10(self) -> Enclosure:
        return self.log() / Enclosure(10, 10).log()

    def __neg__(self) -> Enclosure:
        return Enclosure(-self.upper, -self.lower)

    def __pos__(self) -> Enclosure:
        return self

    def __abs__(self) -> Enclosure:
        return self if self.lower >= 0 else -self if self.upper <= 0 else Enclosure(0, max(-self.lower, self.upper))


@dataclass(frozen=True, repr=False, eq=False)
class NoBound(Enclosure):
    """The value of a printed formula where it is no bound, for the reason `why`: it can be shown, and is no number.

    Its ends and decimals are those of the formula. `float`, arithmetic, formats and comparisons with numbers raise
    InvalidInput, so that no figure draws it; in tables of plain values its cells are empty.
    """

    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        return dict.fromkeys(("value", "lower", "upper"))

    def __str__(self) -> str:
        return f"({self.decimal()})"

    def __eq__(self, other: object) -> Any:
        return super().__eq__(other) if isinstance(other, Enclosure) else self._as_a_number(other)

    __hash__ = Enclosure.__hash__

    def _as_a_number(self, *_: Any) -> Any:
        allowed = f"one that applies, to be used as a number, but this one does not (.decimal() shows it): {self.why}"
        raise InvalidInput("bound", self, allowed)

    __float__ = __int__ = __floor__ = __ceil__ = __bool__ = __neg__ = __pos__ = __abs__ = _as_a_number
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _as_a_number
    __truediv__ = __rtruediv__ = __pow__ = __rpow__ = _as_a_number
    __lt__ = __le__ = __gt__ = __ge__ = log = exp = sqrt = log10 = _as_a_number


def same_fields(one: Any, other: Any) -> bool:
    """Whether two objects of one dataclass have the same fields."""
    mine, theirs = (tuple(getattr(each, field.name) for field in fields(each)) for each in (one, other))
    return mine == theirs


def _of_value(name: str) -> Callable[..., Any]:
    def method(self: Any, *others: Any) -> Any:
        return getattr(self.value, name)(*others)

    return method


class Valued:
    """A result that acts as the number in its field `value`, an Enclosure: in sums, comparisons, formats and figures.

    Two results of one kind are equal if all of their fields are.
    """

    value: Any

    __add__, __radd__, __sub__, __rsub__ = map(_of_value, ("__add__", "__radd__", "__sub__", "__rsub__"))
    __mul__, __rmul__, __pow__, __rpow__ = map(_of_value, ("__mul__", "__rmul__", "__pow__", "__rpow__"))
    __truediv__, __rtruediv__, __neg__ = map(_of_value, ("__truediv__", "__rtruediv__", "__neg__"))
    __lt__, __le__, __gt__, __ge__ = map(_of_value, ("__lt__", "__le__", "__gt__", "__ge__"))
    __abs__, __round__, __floor__, __ceil__, __int__ = map(
        _of_value, ("__abs__", "__round__", "__floor__", "__ceil__", "__int__")
    )
    __bool__, __float__ = map(_of_value, ("__bool__", "__float__"))
    log, log10, exp, sqrt = map(_of_value, ("log", "log10", "exp", "sqrt"))

    def __init_subclass__(cls) -> None:
        setattr(cls, "__eq__", Valued.__eq__)  # noqa: B010, a dataclass keeps what its class has

    def __eq__(self, other: object) -> Any:
        return same_fields(self, other) if type(self) is type(other) else self.value == other

    __hash__ = object.__hash__

    def __format__(self, form: str) -> str:
        return format(self.value, form) if form else str(self)

    if not TYPE_CHECKING:  # which sees itself what is misspelt

        def __getattr__(self, name: str) -> Any:
            of_value = name in ("lower", "upper", *vars(Enclosure))
            raise no_attribute(self, name, f": its number is value, as in result.value.{name}" if of_value else "")


def set_no_bound(result: Any) -> None:
    """Where a result does not apply, its value and its constant are no bounds."""
    for name in () if result.applies else ("value", "constant"):
        if (printed := getattr(result, name, None)) is not None:
            object.__setattr__(result, name, NoBound(printed.lower, printed.upper, result.why))


def register_ball_pickling() -> None:
    """Let flint balls pickle, exactly: mantissa and exponent of middle and radius; infinities and nan by name.

    Call it once in every process that sends or receives balls.
    """
    from flint import arb

    copyreg.pickle(arb, lambda ball: (_ball_from_parts, _ball_parts(ball)))


_Parts = tuple[int, int] | str  # mantissa and exponent, or "inf", "-inf", "nan"


def _ball_parts(ball: Any) -> tuple[_Parts, _Parts]:
    return ("nan", (0, 0)) if ball.is_nan() else (_parts(ball.mid()), _parts(ball.rad()))


def _parts(exact: Any) -> _Parts:
    if not exact.is_finite():
        return "inf" if exact > 0 else "-inf"
    mantissa, exponent = exact.man_exp()
    return int(mantissa), int(exponent)


def _ball_from_parts(middle: _Parts, radius: _Parts) -> Any:
    from flint import arb

    if isinstance(radius, str):
        return arb.neg_inf().union(arb.pos_inf())
    mantissa, exponent = radius
    if mantissa == 0:
        return arb(middle)
    # flint rounds a given radius up to the next number with 30 bits: hand it one a little below
    return arb(arb(middle), arb((mantissa * 2**40 - 1, exponent - 40)))


# -------------------------------------------------------------------------------------------------------- single ends


def _dyadic(name: str, value: Any) -> End:
    if isinstance(value, float) and math.isinf(value):
        return value
    try:
        if isinstance(value, bool):  # which is no number
            raise TypeError(value)
        exact = value if type(value) is Fraction else read(value) if isinstance(value, str) else Fraction(value)
    except (TypeError, ValueError, ArithmeticError):
        raise InvalidInput(
            name, value, "a dyadic rational or an infinity (Enclosure.outward takes any number)"
        ) from None
    if exact.denominator & (exact.denominator - 1):
        raise InvalidInput(name, value, "a dyadic rational or an infinity (Enclosure.outward takes any number)")
    return exact


_fraction: Any = Fraction
_lowest_terms = getattr(_fraction, "_from_coprime_ints", None) or partial(_fraction, _normalize=False)  # before 3.12


def dyadic_fraction(over: int, bits: int) -> Fraction:
    """over / 2^bits, for over > 0: without a greatest common divisor."""
    even = min((over & -over).bit_length() - 1, bits)
    return _lowest_terms(over >> even, 1 << (bits - even))


def _end(exact: Any, up: bool) -> End:
    """An exact ball as a Fraction or an infinity; exponents beyond _FINEST are rounded outward."""
    if not exact.is_finite():
        return math.inf if exact > 0 else -math.inf
    mantissa, exponent = map(int, exact.man_exp())
    if 0 < -exponent <= _FINEST and mantissa & 1:  # which flint's mantissas are, but that of 0
        return _lowest_terms(mantissa, 1 << -exponent)
    if exponent > _FINEST:
        if up == (mantissa > 0):
            return math.inf if up else -math.inf
        return Fraction(2) ** _FINEST * (1 if mantissa > 0 else -1)
    if exponent < -_FINEST:
        dropped = -exponent - _FINEST
        mantissa, exponent = -(-mantissa >> dropped) if up else mantissa >> dropped, -_FINEST
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def _end_to_json(end: End) -> list[int] | str:
    if isinstance(end, float):
        return "inf" if end > 0 else "-inf"
    exponent = 1 - end.denominator.bit_length()
    return [end.numerator, exponent]


def _end_from_json(data: list[int] | str) -> End:
    if data in ("inf", "-inf"):
        return float(data)
    mantissa, exponent = data
    if not (isinstance(mantissa, int) and isinstance(exponent, int) and abs(exponent) <= 2 * _FINEST):
        raise ValueError(data)
    return Fraction(mantissa) * Fraction(2) ** exponent


def _rational_ends(value: Any) -> tuple[Any, Any]:
    """The exact value, twice, or the ends of a ball or an Enclosure."""
    if isinstance(value, Enclosure):
        return value.lower, value.upper
    if isinstance(value, float) and not math.isfinite(value):
        return value, value
    if isinstance(value, (int, float, str, Fraction)):
        number = exact("value", value, lambda _: True, "a number, a decimal string, an Enclosure or a ball")
        return number, number
    interval = Enclosure.from_ball(to_ball(value))
    return interval.lower, interval.upper


def _outward_float(end: End, toward: float) -> float:
    try:
        nearest = float(end)
    except OverflowError:
        nearest = math.inf if end > 0 else -math.inf
    inward = nearest > end if toward < 0 else nearest < end
    return math.nextafter(nearest, toward) if inward else nearest


def _decimal(end: End, digits: int, rounding: str) -> str:
    if isinstance(end, float):
        return "inf" if end > 0 else "-inf"
    context = decimal.Context(prec=digits, rounding=rounding, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX)
    quotient = context.divide(decimal.Decimal(end.numerator), decimal.Decimal(end.denominator))
    shortest = quotient.normalize(context)
    return format(shortest, "f") if -7 <= shortest.adjusted() < 21 else str(shortest)
