"""The value of a formula at an exact point: a rational where that is possible, else a ball around it, or that there is
none.

That a formula has no value is a statement too, and certified like one: a divisor that is exactly 0, an argument that is
certainly outside. A ball without a value is rounding, and no evidence of anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from math import comb, factorial, inf, prod
from typing import Any

from banditproof.verify.judge.formulas.sentence import Compare, Expression, Range, names

Point = Mapping[str, Fraction]
MOST_TERMS = 20_000  # of a sum
MOST_FACTORS = 32  # of a power that is multiplied out
MOST_ROOT = 12  # of a number that is a power of another one
MOST_DIGITS = 4000  # of an exact power, else it is a ball
PRECISIONS = (64, 128, 320, 1000)  # bits


class NoValue(ArithmeticError):
    """That a formula certainly has no value, and why."""


class Unknown(ArithmeticError):
    """That nothing certain is known: a ball is too wide, or a quantity has no enclosure here."""


class LogOfZero(NoValue):
    """That the logarithm of 0 has no value."""


def compared(comparison: Compare, point: Point) -> tuple[bool, Any, Any]:
    """Whether the comparison holds at the point, and both sides. Raises NoValue, and Unknown where it is undecided."""
    for bits in PRECISIONS:
        left, right = (value_at(side, point, bits) for side in (comparison.left, comparison.right))
        answer = _holds(left, comparison.sign, right)
        if answer is not None:
            return answer, left, right
        if isinstance(left, Fraction | float) and isinstance(right, Fraction | float):
            break
    raise Unknown(f"both sides are equal up to {PRECISIONS[-1]} bits")


def holds(comparison: Compare, point: Point) -> bool:
    """Whether the comparison certainly holds at the point."""
    try:
        return compared(comparison, point)[0]
    except (NoValue, Unknown):
        return False


def inside(values: Range, value: Fraction, point: Point) -> bool:
    """Whether a number certainly lies in a range, whose ends may depend on other variables."""
    if values.integer and value.denominator != 1:
        return False
    ends = (">" if values.low_open else ">=", values.low), ("<" if values.high_open else "<=", values.high)
    return all(
        _SIGNS[sign](value, end.args[0])
        if end.head == "num"
        else holds(Compare(Expression("num", (value,)), sign, end), point)
        for sign, end in ends
    )


def _holds(left: Any, sign: str, right: Any) -> bool | None:
    """Of rationals, infinities and balls; None where that is not certain."""
    if not _is_ball(left) and not _is_ball(right):
        return _SIGNS[sign](left, right)
    left, right = (side if _is_ball(side) else _ball(side) for side in (left, right))
    if left == right:  # both are exact
        return sign in ("<=", ">=", "==")
    if left < right:
        return sign in ("<", "<=", "!=")
    if left > right:
        return sign in (">", ">=", "!=")
    return None


_SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


def value_at(expression: Expression, point: Mapping[str, Any], bits: int = 64) -> Any:
    """A Fraction, an infinity, or a ball. Raises NoValue and Unknown."""
    if expression.head == "num":
        return expression.args[0]
    from flint import ctx

    before, ctx.prec = ctx.prec, bits
    try:
        return _value(expression, dict(point))
    finally:
        ctx.prec = before


_LITERAL: ContextVar[bool] = ContextVar("literal", default=False)


@contextmanager
def literally() -> Iterator[None]:
    """While 0 log 0 has no value, as where a text says nothing about it."""
    before = _LITERAL.set(True)
    try:
        yield
    finally:
        _LITERAL.reset(before)


def _value(expression: Expression, point: dict[str, Any]) -> Any:
    head, args = expression.head, expression.args
    if head == "num":
        return args[0]
    if head == "var":
        return point[args[0]]
    if head == "const":
        return _constant(args[0])
    if head == "neg":
        return -_value(args[0], point)
    if head == "mul":
        return _product(args, point)
    if head == "div" and all(a.head == "call" and a.args[0] == "log" for a in args):
        return _quotient_of_logs(*(_value(a.args[1], point) for a in args))
    if head in _OPERATORS:
        return _OPERATORS[head](_value(args[0], point), (_firm if head in ("div", "pow") else _value)(args[1], point))
    if head == "call":
        return _FUNCTIONS[args[0]](*((_value if args[0] == "abs" else _firm)(part, point) for part in args[1:]))
    if head in ("sum", "prod"):
        return _repeated(head, *args, point=point)
    raise Unknown(f"{head} has no value at a point")


def _firm(expression: Expression, point: dict[str, Any]) -> Any:
    """A value where a logarithm of 0 has none: 0 log 0 is 0, and 0 exp(-log 0) is nothing."""
    try:
        return _value(expression, point)
    except LogOfZero as why:
        raise NoValue(*why.args) from why


def _product(factors: tuple[Expression, Expression], point: dict[str, Any]) -> Any:
    """A product, in which 0 times the logarithm of 0 is 0: the convention of entropies. log 1 is no such 0."""
    values, without = [], None
    for factor in factors:
        try:
            values.append(_value(factor, point))
        except LogOfZero as why:
            without = why
    if without is None:
        return _mul(*values)
    if not _LITERAL.get() and any(_vanishes(factor, point) for factor in factors):
        return Fraction(0)
    raise without


def _vanishes(factor: Expression, point: dict[str, Any]) -> bool:
    """Whether a factor is exactly 0, by a part of it without logarithms."""
    if factor.head in ("mul", "neg"):
        return any(_vanishes(part, point) for part in factor.args)
    value = None if _has_log(factor) else _value(factor, point)
    return isinstance(value, Fraction) and not value


def _has_log(e: Any) -> bool:
    return isinstance(e, Expression) and (e.head == "call" and e.args[0] == "log" or any(map(_has_log, e.args)))


def _repeated(head: str, index: str, low: Expression, high: Expression, body: Expression, *, point: Any) -> Any:
    first, last = _value(low, point), _value(high, point)
    if not (isinstance(first, Fraction) and isinstance(last, Fraction) and last - first <= MOST_TERMS):
        raise Unknown("a sum whose ends are no rationals, or with too many terms")
    begin, end = -(-first.numerator // first.denominator), last.numerator // last.denominator
    total: Any = Fraction(0 if head == "sum" else 1)
    so_far, others = point.get(_SO_FAR, {}), sorted(names(body) - {index}) if _SO_FAR in point else ()
    given = (head, begin, *(point[n] for n in others))
    known, reached, before = so_far.get(id(body), ((), begin, total))
    if known == given and reached <= end + 1:
        begin, total = reached, before
    inside = {**point, _SO_FAR: {}}
    for k in range(begin, end + 1):
        term = _value(body, inside | {index: Fraction(k)})
        total = _add(total, term) if head == "sum" else _mul(total, term)
        if isinstance(total, Fraction) and total.denominator.bit_length() > 4 * MOST_DIGITS:
            total = _ball(total)
    so_far[id(body)] = given, end + 1, total
    return total


_SO_FAR = ""  # in a point: what the sums inside of a sum came to at its index before, which the next one only lengthens


# ------------------------------------------------------------------------------------------------------ numbers


def _is_ball(value: Any) -> bool:
    return not isinstance(value, Fraction | float)


def _ball(value: Any) -> Any:
    from banditproof.theory.numbers.numeric import to_ball

    return value if _is_ball(value) else to_ball(value)


def _finite(ball: Any) -> Any:
    if not ball.is_finite():
        raise Unknown("a ball without a value")
    return ball


def _constant(name: str) -> Any:
    if name == "inf":
        return inf
    from flint import arb

    return {"pi": arb.pi, "e": arb.const_e, "euler": arb.const_euler}[name]()


def _infinite(*values: Any) -> bool:
    return any(isinstance(value, float) for value in values)


def _add(a: Any, b: Any) -> Any:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a + b
    if _infinite(a, b):
        known = [value for value in (a, b) if isinstance(value, float)]
        if len(set(known)) > 1:
            raise NoValue("inf - inf")
        return known[0]
    return _finite(_ball(a) + _ball(b))


def _mul(a: Any, b: Any) -> Any:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a * b
    if isinstance(a, Fraction) and not a or isinstance(b, Fraction) and not b:
        if _infinite(a, b):
            raise NoValue("0 times inf")
        return Fraction(0)
    if _infinite(a, b):
        signs = [_sign(value) for value in (a, b)]
        return inf * signs[0] * signs[1]
    return _finite(_ball(a) * _ball(b))


def _sign(value: Any) -> int:
    if not _is_ball(value):
        return (value > 0) - (value < 0)
    if value > 0:
        return 1
    if value < 0:
        return -1
    raise Unknown("the sign of a ball")


def _div(a: Any, b: Any) -> Any:
    if not _is_ball(b) and b == 0:
        raise NoValue("a quotient by 0")
    if _infinite(a, b):
        if _infinite(a) and _infinite(b):
            raise NoValue("inf / inf")
        return Fraction(0) if _infinite(b) else a * _sign(b)
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a / b
    return _finite(_ball(a) / _ball(b))


def _pow(a: Any, b: Any) -> Any:
    if _infinite(a, b):
        raise Unknown("a power of or to infinity")
    if isinstance(b, Fraction) and b.denominator == 1:
        if isinstance(a, Fraction):
            if not a and b < 0:
                raise NoValue("a negative power of 0")
            if abs(b) * max(a.numerator.bit_length(), a.denominator.bit_length()) <= 4 * MOST_DIGITS:
                return a ** int(b)
        if (
            not isinstance(a, int | Fraction) and 0 < b <= MOST_FACTORS and a.contains(0)
        ):  # of which FLINT knows no power
            return _finite(prod([a] * int(b)))
        return _finite(_ball(a) ** _ball(b))
    sign = _sign(a)
    if sign < 0:
        if not isinstance(b, Fraction) and b.contains_integer():
            raise Unknown("a power of a negative number that may be whole")
        raise NoValue("a power of a negative number that is not whole")
    if not sign:
        if _sign(b) < 0:
            raise NoValue("a negative power of 0")
        return Fraction(0)
    if isinstance(a, Fraction) and a == 1:
        return a
    if isinstance(b, Fraction) and b == Fraction(1, 2):
        return _sqrt(a)
    return _finite(_ball(a) ** _ball(b))


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "add": _add,
    "sub": lambda a, b: _add(a, -b),
    "mul": _mul,
    "div": _div,
    "pow": _pow,
}


def _exp(x: Any) -> Any:
    if isinstance(x, float):
        return inf if x > 0 else Fraction(0)
    return Fraction(1) if isinstance(x, Fraction) and not x else _finite(_ball(x).exp())


def _log(x: Any) -> Any:
    if isinstance(x, float) and x > 0:
        return inf
    if isinstance(x, Fraction) and not x:
        raise LogOfZero("the logarithm of a number that is not positive")
    if _sign(x) <= 0:
        raise NoValue("the logarithm of a number that is not positive")
    return Fraction(0) if x == 1 else _finite(_ball(x).log())


def _quotient_of_logs(a: Any, b: Any) -> Any:
    """log(a)/log(b), exactly where a = b^k and k has a small denominator: no ball tells that log(4)/log(2) is 2."""
    if not _is_ball(b) and b == 0:
        raise NoValue("a division by the logarithm of 0")
    quotient = _div(_log(a), _log(b))
    if not _is_ball(quotient) or _is_ball(a) or _is_ball(b) or not abs(quotient) < MOST_DIGITS:
        return quotient
    k = Fraction(float(quotient.mid())).limit_denominator(MOST_ROOT)
    return k if a**k.denominator == b**k.numerator else quotient


def _sqrt(x: Any) -> Any:
    if isinstance(x, float) and x > 0:
        return inf
    if isinstance(x, Fraction) and x >= 0:
        from math import isqrt

        roots = isqrt(x.numerator), isqrt(x.denominator)
        if roots[0] ** 2 == x.numerator and roots[1] ** 2 == x.denominator:
            return Fraction(*roots)
    if _is_ball(x) and not x < 0 and not x > 0:
        raise Unknown("the root of a ball around 0")
    if _sign(x) < 0:
        raise NoValue("the root of a negative number")
    return _finite(_ball(x).sqrt())


def _abs(x: Any) -> Any:
    return abs(x)


def _rounded(up: bool) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        if isinstance(x, float):
            return x
        if isinstance(x, Fraction):
            return Fraction(-(-x.numerator // x.denominator) if up else x.numerator // x.denominator)
        value = (x.ceil() if up else x.floor()).unique_fmpz()
        if value is None:
            raise Unknown("a number that is rounded is too near to a whole one")
        return Fraction(int(value))

    return function


def _extreme(larger: bool) -> Callable[..., Any]:
    def function(*values: Any) -> Any:
        best = values[0]
        for value in values[1:]:
            if not _is_ball(best) and not _is_ball(value):
                best = max(best, value) if larger else min(best, value)
            elif _infinite(best, value):
                known = next(v for v in (best, value) if isinstance(v, float))
                best = known if (known > 0) == larger else (value if known is best else best)
            else:
                a, b = _ball(best), _ball(value)
                best = _finite(a.max(b) if larger else a.min(b))
        return best

    return function


def _entropy(p: Any, q: Any) -> Any:
    """p log(p / q), with 0 log 0 = 0."""
    if isinstance(p, Fraction) and not p:
        return Fraction(0)
    if isinstance(q, Fraction) and not q:
        if _sign(p) > 0:
            return inf
        raise Unknown("a relative entropy near 0")
    return _mul(p, _log(_div(p, q)))


def _probability(p: Any) -> None:
    if _infinite(p) or _sign_or_none(p) == -1 or _sign_or_none(_add(Fraction(1), -p)) == -1:
        raise NoValue("a probability outside [0, 1]")
    if _is_ball(p) and (_sign_or_none(p) is None or _sign_or_none(1 - p) is None):
        raise Unknown("a probability near 0 or 1")


def _sign_or_none(value: Any) -> int | None:
    try:
        return _sign(value)
    except Unknown:
        return None


def _kl(p: Any, q: Any) -> Any:
    for value in (p, q):
        _probability(value)
    return _add(_entropy(p, q), _entropy(_add(Fraction(1), -p), _add(Fraction(1), -q)))


def _d_eps(x: Any, y: Any, epsilon: Any) -> Any:
    from banditproof.theory.laws.bernoulli import d_epsilon

    for value in (x, y):
        _probability(value)
    if _sign(epsilon) < 0:
        raise NoValue("a negative epsilon")
    if isinstance(epsilon, float):  # an infinite budget
        return _kl(x, y)
    value = _finite(_ball(d_epsilon(_ball(x), _ball(y), _ball(epsilon))))
    return Fraction(0) if value == 0 else value


def _erfc(x: Any) -> Any:
    if isinstance(x, float):
        return Fraction(0) if x > 0 else Fraction(2)
    return _finite(_ball(x).erfc())


def _phi(x: Any) -> Any:
    if isinstance(x, float):
        return Fraction(1) if x > 0 else Fraction(0)
    if isinstance(x, Fraction) and not x:
        return Fraction(1, 2)
    return _finite((-_ball(x) / _ball(Fraction(2)).sqrt()).erfc() / 2)


def _gamma(x: Any) -> Any:
    if isinstance(x, float):
        raise Unknown("gamma at infinity")
    if isinstance(x, Fraction) and x.denominator == 1:
        if x <= 0:
            raise NoValue("gamma at a whole number that is not positive")
        if x <= 2000:
            return Fraction(factorial(int(x) - 1))
    return _finite(_ball(x).gamma())


def _polygamma(order: int, name: str) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        if isinstance(x, float):
            raise Unknown(f"{name} at infinity")
        if isinstance(x, Fraction) and x.denominator == 1 and x <= 0:
            raise NoValue(f"{name} at a whole number that is not positive")
        from flint import acb

        return _finite(acb(_ball(x)).polygamma(order).real)

    return function


def _binom(n: Any, k: Any) -> Any:
    if isinstance(n, Fraction) and isinstance(k, Fraction) and n.denominator == k.denominator == 1 and n >= 0:
        if n <= 20_000:
            return Fraction(comb(int(n), int(k))) if 0 <= k <= n else Fraction(0)
        return _finite(_ball(n).bin(int(k))) if 0 <= k <= 10_000 else _raise(Unknown("a large binomial coefficient"))
    raise Unknown("a binomial coefficient of numbers that are not whole")


def _raise(error: Exception) -> Any:
    raise error


def _lambert(x: Any) -> Any:
    from flint import arb

    if isinstance(x, Fraction) and not x:
        return x
    if isinstance(x, float):
        return x if x > 0 else _raise(NoValue("W below -1/e"))
    ball = _ball(x)
    if ball < -(arb(-1).exp()):
        raise NoValue("W below -1/e")
    return _finite(ball.lambertw())


def _zeta(x: Any) -> Any:
    if isinstance(x, float):
        return Fraction(1) if x > 0 else _raise(NoValue("zeta at -inf"))
    if isinstance(x, Fraction) and x == 1:
        raise NoValue("zeta at 1")
    return _finite(_ball(x).zeta())


def _hyperbolic(name: str) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        if isinstance(x, float):
            raise Unknown(f"{name} at infinity")
        return (
            Fraction(name in ("cosh", "cos"))
            if isinstance(x, Fraction) and not x
            else _finite(getattr(_ball(x), name)())
        )

    return function


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "exp": _exp,
    "log": _log,
    "sqrt": _sqrt,
    "abs": _abs,
    "floor": _rounded(False),
    "ceil": _rounded(True),
    "Phi": _phi,
    "erfc": _erfc,
    "erf": lambda x: _add(Fraction(1), -_erfc(x)),
    "gamma": _gamma,
    "digamma": _polygamma(0, "digamma"),
    "trigamma": _polygamma(1, "trigamma"),
    "factorial": lambda n: _gamma(_add(n, Fraction(1))),
    "binom": _binom,
    "W": _lambert,
    "zeta": _zeta,
    "kl": _kl,
    "d_eps": _d_eps,
    "tv": lambda p, q: _abs(_add(p, -q)),
    "min": _extreme(False),
    "max": _extreme(True),
    **{name: _hyperbolic(name) for name in ("sinh", "cosh", "tanh", "atan", "sin", "cos")},
}
