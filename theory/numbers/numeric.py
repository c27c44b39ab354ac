"""Five number systems behind one set of functions.

A quantity is written once on these functions and can then be evaluated on

- floats and NumPy arrays (float64; `Fraction` and `int` count as float when nothing finer is among the arguments),
- text such as "0.85" or "2/3", which is the number that it says, and Decimals: where nothing but these, ints and
  Fractions is given, the value is a ball around the exact one; beside floats it is the nearest float,
- `mpmath.mpf`, at mpmath's precision,
- `flint.arb` balls, at flint's precision, giving enclosures; and `flint.arb_series` with ball coefficients, giving the
  value and the first derivative for mean-value forms (functions that branch return them to first order),
- SymPy expressions, giving expressions (`Piecewise` where a formula branches),
- terms, giving terms: what a claim states, see `term`.

None of mpmath, flint and SymPy is imported before one of its objects appears. Where a comparison of balls is uncertain
the answer is the hull of both branches: for a continuous, piecewise continuously differentiable function this encloses
the value and, coefficient by coefficient, its generalised gradient, so the mean-value form stays valid.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from functools import cache, reduce
from types import FunctionType
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput, one_of
from banditproof.theory.numbers.exact_numbers import check_count, exact, read
from banditproof.theory.numbers.number_types import Number
from banditproof.theory.numbers.term import FLOATS, Term, certified, finite_as, fn, quantity
from banditproof.theory.numbers.term import number as to_term

FLOATS.update((np.float64, np.ndarray))
FLOAT, MPF, BALL, SERIES, SYMBOL, TERM = range(6)
_NAMES = ("a float or an array of floats", "mpf", "a ball", "a series of balls", "an expression of SymPy", "a term")
NO_NUMBER = (TypeError, ValueError, ArithmeticError, AttributeError)
"""What the libraries raise for what is no number of theirs."""
RELATIONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq}
_REVERSED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


@cache
def system_of_type(kind: type) -> int:
    if kind is Term:
        return TERM
    modules = {(cls.__module__ or "").split(".")[0] for cls in kind.__mro__}
    if "flint" in modules:
        return SERIES if kind.__name__ == "arb_series" else BALL
    if hasattr(kind, "ball"):  # an Enclosure
        return BALL
    return MPF if "mpmath" in modules else SYMBOL if "sympy" in modules else FLOAT


@cache
def is_ball(kind: type) -> bool:
    """Whether values of a type are balls of flint."""
    return system_of_type(kind) == BALL and kind.__name__ == "arb"


@cache
def is_plain(kind: type) -> bool:
    """Whether values of a type are exact numbers of Python, which a ball or a float would round."""
    return issubclass(kind, int | Fraction) and kind is not bool


@cache
def _flint() -> tuple[Any, Any, Any]:
    from flint import arb, fmpq, fmpz

    return arb, fmpq, fmpz


@cache
def _of_types(types: tuple[type, ...]) -> int | None:
    """The system that values of these types share where that is one for all values, inside `exactly` as well."""
    kinds = [*map(system_of_type, types)]
    finest = max(kinds)
    if finest == FLOAT:
        return FLOAT if any(issubclass(kind, np.ndarray | np.floating) for kind in types) else None
    return None if finest == SYMBOL and (BALL in kinds or SERIES in kinds) else finest


def system(*values: Any) -> int:
    """The number system that the values share: FLOAT, MPF, BALL, SERIES, SYMBOL or TERM; the finest one wins."""
    types = tuple(map(type, values))
    known = _of_types(types)
    if known is not None:
        return known
    kinds = [*map(system_of_type, types)]
    finest = max(kinds)
    if finest == FLOAT:
        if _EXACTLY[0] != FLOAT and _round_nothing_but_infinity(values):
            return _EXACTLY[0]
        said = any(isinstance(value, str | Decimal) for value in values)
        return BALL if said and all(map(is_exact, values)) else FLOAT
    if finest == SYMBOL and (BALL in kinds or SERIES in kinds):
        raise InvalidInput(
            "value",
            next(v for v in values if system_of_type(type(v)) == SYMBOL),
            "a ball or a number, because the other arguments are balls",
        )
    return finest


def _round_nothing_but_infinity(values: Iterable[Any]) -> bool:
    """Whether values are exact numbers and infinities, not floats that are infinite alone."""
    kinds = {type(value) for value in values if type(value) is not float or not math.isinf(value)}
    return bool(kinds) and all(issubclass(kind, int | Fraction | Infinity) for kind in kinds)


def is_exact(value: Any) -> bool:
    """Whether nothing is rounded in a value before it is computed with: text, ints, Fractions and infinities."""
    return isinstance(value, str | int | Fraction | Decimal) or type(value) is float and math.isinf(value)


def promote(*values: Any) -> tuple[Any, ...]:
    """The values, all brought into the number system that they share; numbers become exact or enclosing balls.

    Raises InvalidInput for what is no number of that system.
    """
    if all(map(is_ball, map(type, values))):
        return values
    kind = system(*values)
    return tuple([_converted(kind, value) for value in values])


def _converted(kind: int, value: Any) -> Any:
    try:
        return _CONVERT[kind](value)
    except NO_NUMBER:
        raise InvalidInput("value", value, f"a number that can be converted to {_NAMES[kind]}") from None


def to_ball(value: Any) -> Any:
    """A flint ball around an int, Fraction, float (exact), mpf, decimal or "p/q" string, or Enclosure; balls pass."""
    kind = type(value)
    if is_ball(kind):
        return value
    if _EXACTLY[0] == TERM:  # a relation is traced: the number itself
        return to_term(read(value) if isinstance(value, str) else value)
    arb, fmpq, fmpz = _flint()
    if is_plain(kind):
        return arb(int(value)) if isinstance(value, int) else arb(fmpq(value.numerator, value.denominator))
    if isinstance(value, (float, np.floating)):
        return arb(float(value))
    if isinstance(value, np.integer):
        return arb(int(value))
    if isinstance(value, (fmpq, fmpz)):
        return arb(value)
    if isinstance(value, Decimal):
        return to_ball(Fraction(value) if value.is_finite() else float(value))
    if hasattr(value, "ball"):
        return value.ball()
    refused = InvalidInput("value", value, "a number, a decimal string, an Enclosure or a ball")
    if value is None or isinstance(value, complex | bool | np.bool_):  # flint takes None for 0, and True for 1
        raise refused
    try:
        if isinstance(value, str):  # balls such as "0.5 +/- 0.1" are flint's
            return to_ball(read(value)) if "/" in value else arb(value if _SPECIAL.search(value) else _checked(value))
        return arb(value)
    except (TypeError, ValueError, ZeroDivisionError):
        raise refused from None


class Infinity(float):
    """An infinity beside exact numbers: what is computed with it is a ball, never a float.

    n/inf is the ball 0 then, and inf - inf has no value. Beside expressions of SymPy it is SymPy's.
    """


def _of_infinity(combine: Callable[..., Any], reversed_: bool) -> Callable[..., Any]:
    def method(self: Infinity, other: Any) -> Any:
        kind = system_of_type(type(other))
        own = _to_symbol(float(self)) if kind == SYMBOL else to_ball(float(self))
        given = other if kind != FLOAT else to_ball(other)
        return combine(given, own) if reversed_ else combine(own, given)

    return method


for _name in ("add", "sub", "mul", "truediv", "pow"):
    for _reversed in (False, True):
        setattr(Infinity, f"__{'r' * _reversed}{_name}__", _of_infinity(getattr(operator, _name), _reversed))
Infinity.__neg__ = lambda self: Infinity(-float(self))  # type: ignore[method-assign]
Infinity.__abs__ = lambda self: Infinity(abs(float(self)))  # type: ignore[method-assign]


@contextmanager
def working_precision(bits: int) -> Iterator[None]:
    """Compute with `bits` bits in flint and mpmath inside the block; both are restored afterwards."""
    import flint
    import mpmath

    if not (isinstance(bits, (int, np.integer)) and bits >= 2):
        raise InvalidInput("bits", bits, "an integer, at least 2")
    before = flint.ctx.prec, mpmath.mp.prec
    flint.ctx.prec, mpmath.mp.prec = int(bits), int(bits)
    try:
        yield
    finally:
        flint.ctx.prec, mpmath.mp.prec = before


_EXACTLY = [FLOAT]


@contextmanager
def exactly(kind: int = BALL) -> Iterator[None]:
    """Inside the block ints and Fractions count as balls (or SYMBOL) where they would count as floats: no rounding.

    Beside a ball a Fraction is the ball around it, and beside a term the number; outside, Python refuses the pair, and
    takes a power of a ball by a Fraction for one by a float.
    """
    before = _EXACTLY[0]
    _EXACTLY[0] = kind
    for name, method in _BESIDE_BALLS.items() if before == FLOAT else ():
        setattr(Fraction, name, method)
    try:
        yield
    finally:
        _EXACTLY[0] = before
        for name, method in _OF_FRACTIONS.items() if before == FLOAT else ():
            setattr(Fraction, name, method)


def inside_exactly() -> bool:
    """Whether this runs inside a block of `exactly`."""
    return _EXACTLY[0] != FLOAT


_new = object.__new__


def _beside_balls(plain: Callable[..., Any], combine: Callable[..., Any], reversed_: bool) -> Callable[..., Any]:
    fast = _IN_LOWEST_TERMS.get(combine)

    def method(self: Any, other: Any) -> Any:
        kind = type(other)
        if fast is not None and (kind is Fraction or kind is int):
            a, b = self._numerator, self._denominator
            c, d = (other._numerator, other._denominator) if kind is Fraction else (other, 1)
            over, under = fast(c, d, a, b) if reversed_ else fast(a, b, c, d)
            if under:
                fraction: Any = _new(Fraction)
                fraction._numerator, fraction._denominator = over, under
                return fraction
        if system_of_type(kind) not in (BALL, SERIES, TERM):
            return plain(self, other)
        return combine(other, to_ball(self)) if reversed_ else combine(to_ball(self), other)

    return method


def _sum_of_ratios(a: int, b: int, c: int, d: int) -> tuple[int, int]:
    shared = math.gcd(b, d)
    if shared == 1:
        return a * d + c * b, b * d
    rest = b // shared
    over = a * (d // shared) + c * rest
    last = math.gcd(over, shared)
    return over // last, rest * (d // last)


def _product_of_ratios(a: int, b: int, c: int, d: int) -> tuple[int, int]:
    first, second = math.gcd(a, d), math.gcd(c, b)
    return (a // first) * (c // second), (b // second) * (d // first)


def _quotient_of_ratios(a: int, b: int, c: int, d: int) -> tuple[int, int]:
    if c == 0:
        return 0, 0  # no number: Python says what is wrong
    return _product_of_ratios(a, b, d, c) if c > 0 else _product_of_ratios(-a, b, d, -c)


# Most exact arithmetic is this, and Python's own reaches it after a dispatch that takes twice as long.
_IN_LOWEST_TERMS = {
    operator.add: _sum_of_ratios,
    operator.sub: lambda a, b, c, d: _sum_of_ratios(a, b, -c, d),
    operator.mul: _product_of_ratios,
    operator.truediv: _quotient_of_ratios,
}


_PAIRED = {name: getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "pow")}
_OF_FRACTIONS = {f"__{r}{name}__": getattr(Fraction, f"__{r}{name}__") for name in _PAIRED for r in ("", "r")}
_BESIDE_BALLS = {
    name: _beside_balls(plain, _PAIRED[name.strip("_").removeprefix("r")], name.startswith("__r"))
    for name, plain in _OF_FRACTIONS.items()
}


_LARGEST_FACTORIAL = 100_000
_SPECIAL = re.compile(r"inf|nan|\+/-")


def _checked(text: str) -> str:
    """The text, unless it is no number, or one that takes forever to read."""
    read(text)
    return text


def _to_float(value: Any) -> Any:
    if isinstance(value, (np.ndarray, list, tuple)):
        array = np.asarray(value)
        if array.dtype.kind in "US":  # text is exact, and floats are not
            raise TypeError(value)
        if array.dtype.kind in "iuf":
            return array.astype(np.float64, copy=False)
        return np.array([_to_float(one) for one in array.ravel().tolist()], dtype=np.float64).reshape(array.shape)
    if isinstance(value, str) and not _SPECIAL.search(value.lower()):
        return np.float64(float(read(value)))
    if value is None or isinstance(value, bytes | bool | np.bool_):  # which NumPy takes for nan, text, and 0 or 1
        raise TypeError(value)
    return np.float64(value)


def _to_mpf(value: Any) -> Any:
    import mpmath

    converted = mpmath.mpmathify(value.item() if isinstance(value, np.generic) else value)
    if isinstance(converted, mpmath.mpc):
        raise TypeError(value)
    return converted


def _to_series_or_ball(value: Any) -> Any:
    return value if system_of_type(type(value)) == SERIES else to_ball(value)


def _to_symbol(value: Any) -> Any:
    import sympy

    if isinstance(value, sympy.Expr):
        return value
    if isinstance(value, str):  # which SymPy would evaluate as Python
        value = float(value) if _SPECIAL.search(value.lower()) else read(value)
    symbol = sympy.sympify(value.item() if isinstance(value, np.generic) else value)
    if not (isinstance(symbol, sympy.Number) and symbol.is_extended_real):  # which nan is not
        raise TypeError(value)
    return symbol


_CONVERT: dict[int, Callable[[Any], Any]] = {
    FLOAT: _to_float,
    MPF: _to_mpf,
    BALL: to_ball,
    SERIES: _to_series_or_ball,
    SYMBOL: _to_symbol,
    TERM: to_term,
}


# ------------------------------------------------------------------------------------------------ elementary functions


def ratio(over: Any, under: Any) -> Any:
    """over / under, of two ints as a Fraction: Python would give a float."""
    return Fraction(over, under) if isinstance(over, int) and isinstance(under, int) else over / under


def comb(n: Any, k: Any) -> Any:
    """The binomial coefficient of two counts. Raises InvalidInput for other numbers."""
    if TERM in map(system_of_type, (type(n), type(k))):
        return fn("comb", n, k)
    return math.comb(check_count("n", n, 0), check_count("k", k, 0))


@quantity
def factorial(n: int) -> int:
    """n! of a count, which may be an exact ball. Raises InvalidInput for other numbers."""
    whole = to_ball(n).unique_fmpz() if system_of_type(type(n)) == BALL else n
    if isinstance(n, bool) or whole is None or not (int(whole) == whole and 0 <= whole <= _LARGEST_FACTORIAL):
        raise InvalidInput("n", n, f"a whole number from 0 to {_LARGEST_FACTORIAL}")
    return math.factorial(int(whole))


@finite_as(lambda x: log(x))
def binary_exponent(x: Any) -> Any:
    """floor(log2 x) for x > 0, exactly: the number of binary digits before the point, less 1. Of balls the hull."""
    if system(x) not in (BALL, SERIES):
        number = Fraction(x)
        if number <= 0:
            raise InvalidInput("x", x, "positive")
        least = number.numerator.bit_length() - number.denominator.bit_length()
        return least if number >= Fraction(2) ** least else least - 1
    low, high = to_ball(x).lower(), to_ball(x).upper()
    if not (low > 0 and high.is_finite()):
        raise InvalidInput("x", x, "positive and finite")
    low, high = (int(m).bit_length() + int(e) - 1 for m, e in (low.man_exp(), high.man_exp()))
    return low if low == high else hull(low, high)


def least_integer(x: Any) -> Any:
    """The smallest integer at or above x: an int for exact numbers, a ball for a ball, an array for an array."""
    x = exact("x", str(x), lambda _: True, "a number") if isinstance(x, str | Decimal) else x
    if isinstance(x, int | Fraction | Term) or hasattr(x, "ball"):
        return math.ceil(x)
    return to_ball(x).ceil() if system(x) == BALL else np.ceil(x)


def _answered(name: str, result: Any, *given: Any) -> Any:
    """A result of what is `given`: of text and enclosures, where no ball is among them, an enclosure."""
    if not is_ball(type(result)) or inside_exactly() or any(is_ball(type(value)) for value in given):
        return result
    return certified().enclosed(name, result)


def _elementary(name: str) -> Callable[[Number], Any]:
    def function(x: Any) -> Any:
        if is_ball(type(x)):
            return _ball_function(name, x)
        kind = system(x)
        return _answered(name, _IMPLEMENTATIONS[kind](name, _converted(kind, x)))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`{name}` in the number system of its argument; of text an `Enclosure`."
    return function


def _float_function(name: str, x: Any) -> Any:
    with np.errstate(all="ignore"):
        return getattr(np, name)(x)


def _mpf_function(name: str, x: Any) -> Any:
    import mpmath

    if name == "log1p" and x == -1 or name == "log" and x == 0:
        return -mpmath.inf
    return getattr(mpmath, name)(x)


def _ball_function(name: str, x: Any) -> Any:
    if (
        not x.is_finite() and x == x.pos_inf() and name not in ("atan", "sin", "cos")
    ):  # flint would answer the whole line
        return x
    if name == "log" and x.is_zero() or name == "log1p" and (x + 1).is_zero():
        return x.neg_inf()
    return getattr(x, name)()


def _series_function(name: str, x: Any) -> Any:
    if name in ("log", "exp", "sqrt", "atan", "sin", "cos"):
        return getattr(x, name)()
    tail = (x + 1).log() if name == "log1p" else x.exp()
    return _with_constant_term(tail, _ball_function(name, x[0]))  # log1p and expm1 are sharp at the centre


def _symbol_function(name: str, x: Any) -> Any:
    import sympy

    shifted = {"log1p": lambda: sympy.log(1 + x), "expm1": lambda: sympy.exp(x) - 1}
    result = shifted[name]() if name in shifted else getattr(sympy, name)(x)
    return -sympy.oo if result is sympy.zoo else result  # log 0


_IMPLEMENTATIONS = {
    FLOAT: _float_function,
    MPF: _mpf_function,
    BALL: _ball_function,
    SERIES: _series_function,
    SYMBOL: _symbol_function,
    TERM: fn,
}

log, log1p = _elementary("log"), _elementary("log1p")
exp, expm1, sqrt = _elementary("exp"), _elementary("expm1"), _elementary("sqrt")
atan, sin, cos = _elementary("atan"), _elementary("sin"), _elementary("cos")


# ------------------------------------------------------------------------------------------------------------ branches


_NOT_GIVEN = object()


def where(left: Number, relation: str, right: Number, then: Any = _NOT_GIVEN, otherwise: Any = _NOT_GIVEN) -> Any:
    """As ``joined``, for branches that need not meet: where a box leaves the branch open, there is no slope.

    Raises ValueError for a Taylor series whose comparison is uncertain: a slope is no help across a jump; InvalidInput
    for ``where(a == b, then, otherwise)``, in which Python has compared already.
    """
    if otherwise is _NOT_GIVEN or then is _NOT_GIVEN:
        compared = 'left, sign, right and both values: where(a, "==", b, then, otherwise), not where(a == b, ...)'
        raise InvalidInput("arguments of where", left, compared)
    if system(left, right) == SERIES and _decide(_comparable(left), relation, _comparable(right)) is None:
        raise ValueError(f"this box does not decide the comparison {relation}, and the value may jump there")
    return joined(left, relation, right, then, otherwise)


def joined(left: Any, relation: str, right: Any, then: Any, otherwise: Any) -> Any:
    """`then` if `left relation right` holds, else `otherwise`; the relation is one of < <= > >= ==.

    Branches are values or functions without arguments, all with one value or all with a tuple of them. A function is
    called only if its branch is taken, except that arrays call both and select, and balls whose comparison is
    uncertain call both and return the hull. Where ``left == right`` both branches must have the same value: across a
    jump the hull of the slopes would be wrong. So relations write ``where``, and this is for formulas of ``theory``.

    Raises ValueError for a Taylor series whose comparison is uncertain if the branches have no value in common.
    """
    if not isinstance(relation, str) or relation not in RELATIONS:
        one_of("relation", relation, RELATIONS)
    kind = system(left, right)
    if kind == SYMBOL:
        return _symbolic_where(left, relation, right, then, otherwise)
    if kind == TERM:
        return _branching(left, relation, right, then, otherwise)
    if is_plain(type(left)) and is_plain(type(right)):
        return _value(then if RELATIONS[relation](left, right) else otherwise)
    if kind in (BALL, SERIES):
        ends = _comparable(left), _comparable(right)
        decision = _decide(ends[0], relation, ends[1])
        if decision is None:
            then, otherwise = _value(then), _value(otherwise)
            if any(to_ball(end).is_nan() for end in ends):  # where a condition has no value neither has what it decides
                return hull(then, to_ball("nan")) if not isinstance(then, tuple) else (to_ball("nan"),) * len(then)
            if kind == SERIES and not _may_meet(then, otherwise):
                raise ValueError(
                    f"this box does not decide the comparison {relation}, and the two branches differ there"
                )
            return hull(then, otherwise)
        return _value(then if decision else otherwise)
    condition = RELATIONS[relation](*promote(left, right))
    if isinstance(condition, np.ndarray):
        with np.errstate(all="ignore"):
            then, otherwise = _value(then), _value(otherwise)
        if isinstance(then, tuple):
            return tuple(np.where(condition, a, b) for a, b in zip(then, otherwise, strict=True))
        return np.where(condition, then, otherwise)
    return _value(then if condition else otherwise)


def _may_meet(a: Any, b: Any) -> bool:
    if isinstance(a, tuple):
        return all(map(_may_meet, a, b))
    return to_ball(_comparable(a)).overlaps(to_ball(_comparable(b)))


def hull(a: Any, b: Any) -> Any:
    """The smallest ball, or series of balls to first order, that contains both; of tuples, entry by entry."""
    if isinstance(a, tuple):
        return tuple(hull(one, other) for one, other in zip(a, b, strict=True))
    if system(a, b) != SERIES:
        return _of_both("union", to_ball(a), to_ball(b))
    from flint import arb_series

    a, b = (value if isinstance(value, arb_series) else arb_series([to_ball(value)]) for value in (a, b))
    return arb_series([a[0].union(b[0]), a[1].union(b[1])], prec=2)


def _of_both(name: str, a: Any, b: Any) -> Any:
    """`union`, `min` or `max` of two balls; flint's own take no balls of another make, which take flint's."""
    return getattr(a, name)(b) if type(a) is not type(to_ball(0)) else getattr(b, name)(a)


def _value(branch: Any) -> Any:
    return branch() if isinstance(branch, FunctionType) else branch  # series and symbols are callable too


def _comparable(x: Any) -> Any:
    """A ball, or a number that flint compares exactly with balls: a series by its constant term."""
    kind = type(x)
    if kind is int or kind is float or is_ball(kind):
        return x
    return x[0] if system_of_type(kind) == SERIES else to_ball(x)


def _decide(left: Any, relation: str, right: Any) -> bool | None:
    """Whether the relation holds for all points of both balls, for none, or (None) neither is certain."""
    if RELATIONS[relation](left, right):
        return True
    if relation == "==":
        return None if to_ball(left).overlaps(to_ball(right)) else False
    return False if RELATIONS[_REVERSED[relation]](left, right) else None


def _symbolic_where(left: Any, relation: str, right: Any, then: Any, otherwise: Any) -> Any:
    import sympy

    condition = sympy.Rel(_to_symbol(left), _to_symbol(right), relation)
    if condition in (sympy.true, sympy.false):
        return sympy.sympify(_value(then if condition else otherwise))
    then, otherwise = sympy.sympify(_value(then)), sympy.sympify(_value(otherwise))
    others = otherwise.args if isinstance(otherwise, sympy.Piecewise) else [(otherwise, True)]
    return sympy.Piecewise((then, condition), *others)


def _branching(left: Any, relation: str, right: Any, then: Any, otherwise: Any) -> Any:
    """A branch as a term, or the branch that numbers decide."""
    left, right = to_term(left), to_term(right)
    if left.op == right.op == "num":
        return _value(then if RELATIONS[relation](left.args[0], right.args[0]) else otherwise)
    then, otherwise = _value(then), _value(otherwise)
    if isinstance(then, tuple):
        return tuple(_branching(left, relation, right, *both) for both in zip(then, otherwise, strict=True))
    return Term("where", relation, left, right, to_term(then), to_term(otherwise))


def _with_constant_term(series: Any, constant: Any) -> Any:
    coefficients = [series[i] for i in range(series.prec)]
    return type(series)([constant, *coefficients[1:]], prec=series.prec)


def minimum(a: Number, b: Number) -> Any:
    """The smaller of two values, element by element; of exact numbers exactly."""
    return _extremum("<=", np.minimum, "min", "Min", a, b)


def maximum(a: Number, b: Number) -> Any:
    """The larger of two values, element by element; of exact numbers exactly."""
    return _extremum(">=", np.maximum, "max", "Max", a, b)


def _extremum(relation: str, of_floats: Any, of_balls: str, of_symbols: str, a: Any, b: Any) -> Any:
    if is_plain(type(a)) and is_plain(type(b)):
        return a if RELATIONS[relation](a, b) else b
    kind, given = system(a, b), (a, b)
    a, b = promote(a, b)
    if kind == TERM:
        return fn(of_balls, a, b)
    if kind == FLOAT:
        try:
            return of_floats(a, b)
        except ValueError:
            raise InvalidInput("b", b, f"of a shape that broadcasts with that of a, {a.shape}") from None
    if kind == BALL:
        return _answered(of_balls, _of_both(of_balls, a, b), *given)
    if kind == SYMBOL:
        import sympy

        return getattr(sympy, of_symbols)(a, b)
    if _decide(_comparable(a), relation, _comparable(b)):
        return a
    return b if _decide(_comparable(b), relation, _comparable(a)) else hull(a, b)


def least(values: Iterable[Any]) -> Any:
    """The smallest of several values. Of balls an enclosure of the minimum, nan as soon as one of them is nan.

    Python's `min` would compare: what is uncertain, and what is nan, it passes over. Raises InvalidInput for none.
    """
    return reduce(minimum, _some(values))


def most(values: Iterable[Any]) -> Any:
    """The largest of several values, as `least`."""
    return reduce(maximum, _some(values))


def _some(values: Any) -> list[Any]:
    if isinstance(values, str) or not np.iterable(values) or not (some := list(values)):
        raise InvalidInput("values", values, "a list of at least one number")
    return some


def lower_end(ball: Any) -> Any:
    """The lower end of a ball, an exact ball; -inf for nan, which bounds nothing."""
    return ball.neg_inf() if ball.is_nan() else ball.lower()


def square(x: Any) -> Any:
    """x^2; of a ball its range, rounded outward (flint's own power is nan for a ball that contains 0)."""
    (x,) = promote(x)
    kind = system(x)
    if kind == SERIES:
        return _with_constant_term(x * x, square(x[0]))
    if kind == TERM:
        return x**2
    if kind != BALL or x.is_exact() or x.is_nan():
        return x * x
    low, high = x.abs_lower(), x.abs_upper()
    return (low * low).union(high * high)


def absolute(x: Number) -> Any:
    """|x|; of an exact number exactly."""
    if is_plain(type(x)):
        return abs(x)
    (number,) = promote(x)
    return _answered("absolute", abs(number), x) if system(number) != SERIES else maximum(number, -number)


def clip(x: Any, low: Any, high: Any) -> Any:
    """The point of [low, high] nearest to x."""
    return minimum(maximum(x, low), high)


def clip01(x: Number) -> Any:
    """The point of [0, 1] nearest to x, written [x]_0^1 in the papers."""
    return clip(x, 0, 1)


def interior(expression: Any) -> Any:
    """A SymPy expression without the pieces that hold at single points (conditions `Eq`): the formula inside."""
    import sympy

    return expression.replace(lambda part: isinstance(part, sympy.Eq), lambda part: sympy.false)


def product(factor: Any, amount: Any) -> Any:
    """factor * amount for nonnegative values, with inf * 0 = 0: an infinite price of nothing is nothing."""
    kind = system(factor, amount)
    if kind == TERM:
        return factor * amount
    if kind == SYMBOL:
        return amount * 0 if getattr(amount, "is_zero", amount == 0) else factor * amount
    return joined(amount, "==", 0, lambda: amount * 0, lambda: factor * amount)
