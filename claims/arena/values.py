"""What a statement is worth at a point, by a route that no prover takes: Fractions, and intervals of mpmath's.

The arena has to know what is false without asking those it tries. A term is walked here once more: exact where it is
rational, else in intervals, with comparisons of its own and a small table of quantities by their printed definitions.
What is outside of the table, infinite on the way or too close to call is not shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.theory.numbers.term import Term, children
from banditproof.verify.proof.domain import Domain, Everything, Interval, Points
from banditproof.verify.proof.statement import Statement

BITS = 300
LONGEST = 2000  # summands
LARGEST_POWER = 4000
LARGEST_COMB = 10_000


class NotShown(Exception):
    """Nothing is certain about the value here."""


class NoValue(Exception):
    """The formula has certainly no value here: it divides by zero, or takes a logarithm or root of what has none."""


def fails_at(statement: Statement, point: Mapping[str, Any]) -> bool:
    """Whether a point certainly lies in the domain of a statement, which certainly does not hold or has no value."""
    try:
        if not lies_in(statement.domain, point):
            return False
        left, right = (value(side, point) for side in (statement.left, statement.right))
        return compared(left, statement.operator, right) is False
    except NoValue:
        return True
    except (NotShown, OverflowError):
        return False


def lies_in(domain: Domain, point: Mapping[str, Any]) -> bool:
    """Whether a point certainly lies in a domain of numbers."""
    for name, values in domain.variables:
        if isinstance(values, Everything) or name not in point or not _belongs(values, point[name]):
            return False
    for constraint in domain.where:
        try:
            left, right = value(constraint.left, point), value(constraint.right, point)
            if compared(left, constraint.operator, right) is not True:
                return False
        except (NoValue, NotShown):
            return False
    return True


def _belongs(values: Any, given: Any) -> bool:
    if not isinstance(given, int | float | Fraction):
        return False
    if isinstance(values, Points):
        return any(given == one for one in values.values)
    assert isinstance(values, Interval)
    if values.integer and not (isinstance(given, int | Fraction) and Fraction(given).denominator == 1):
        return False
    low = given > values.lower or (given == values.lower and not values.lower_open)
    high = given < values.upper or (given == values.upper and not values.upper_open)
    return low and high


def compared(left: Any, operator: str, right: Any) -> bool | None:
    """Whether a comparison of two values is certainly true or false; None where they are too close."""
    below, above = _surely_less(left, right), _surely_less(right, left)
    same = isinstance(left, Fraction | float) and isinstance(right, Fraction | float) and left == right
    if not (below or above or same):
        return None
    return {"<": below, "<=": below or same, "==": same, ">=": above or same, ">": above, "!=": below or above}[
        operator
    ]


def _surely_less(left: Any, right: Any) -> bool:
    if isinstance(left, Fraction | float) and isinstance(right, Fraction | float):
        return left < right
    if isinstance(left, float) or isinstance(right, float):  # an infinity beside an interval, which is finite
        return left == -math.inf or right == math.inf
    return ends(left)[1] < ends(right)[0]


# --------------------------------------------------------------------------------------------------------------- terms


def value(term: Term, point: Mapping[str, Any]) -> Any:
    """A Fraction, an infinity, or an interval with the value of a term. Raises NoValue and NotShown."""
    return _Walk(point).of(term)


class _Walk:
    """One point's values of the nodes that were met."""

    def __init__(self, point: Mapping[str, Any]) -> None:
        self.point = {n: Fraction(v) if isinstance(v, int) else v for n, v in point.items()}
        self.known: dict[Term, Any] = {}

    def of(self, t: Term) -> Any:
        if t not in self.known:
            self.known[t] = self._value(t)
        return self.known[t]

    def _value(self, t: Term) -> Any:
        match t.op:
            case "num":
                return t.args[0]
            case "var":
                return self.point[t.args[0]]
            case "where":
                left, right, then, otherwise = children(t)
                chosen = compared(self.of(left), t.args[0], self.of(right))
                if chosen is None:
                    raise NotShown("a branch")
                return self.of(then if chosen else otherwise)
            case "total":
                return self._sum(t)
        given = [self.of(a) for a in children(t)]
        if t.op == "quantity":
            if t.args[0] not in QUANTITIES:
                raise NotShown(t.args[0])
            return QUANTITIES[t.args[0]](*given)
        return (FUNCTIONS[t.args[0]] if t.op == "fn" else OPERATIONS[t.op])(*given)

    def _sum(self, t: Term) -> Any:
        low, high = self.of(t.args[1]), self.of(t.args[2])
        if not all(isinstance(end, Fraction) and end.denominator == 1 for end in (low, high)) or high - low > LONGEST:
            raise NotShown("a long sum")
        partial: Any = Fraction(0)
        for k in range(int(low), int(high)):
            partial = plus(partial, _Walk({**self.point, t.args[0]: k}).of(t.args[3]))
        return partial


@cache
def context() -> Any:
    """Intervals of mpmath's, with a precision of their own."""
    from mpmath.ctx_iv import MPIntervalContext

    intervals = MPIntervalContext()
    intervals.prec = BITS
    return intervals


def interval(x: Any) -> Any:
    """A finite value as an interval."""
    if isinstance(x, Fraction):
        return context().mpf(x.numerator) / context().mpf(x.denominator)
    if isinstance(x, float):
        raise NotShown("an infinity")
    return x


def ends(x: Any) -> tuple[Fraction, Fraction]:
    """The ends of a finite value."""
    if isinstance(x, Fraction):
        return x, x
    low, high = (_fraction(end) for end in interval(x)._mpi_)
    return low, high


def _fraction(raw: tuple[int, int, int, int]) -> Fraction:
    negative, digits, exponent, _ = raw
    if not digits and exponent:
        raise NotShown("no finite number")
    return (-1) ** negative * digits * Fraction(2) ** int(exponent)


def exact(*values: Any) -> bool:
    return all(isinstance(v, Fraction) for v in values)


def sign(x: Any) -> int | None:
    """-1, 0 or 1; None where it is not certain."""
    low, high = ends(x)
    return 1 if low > 0 else -1 if high < 0 else 0 if low == high else None


def plus(x: Any, y: Any) -> Any:
    return x + y if exact(x, y) else interval(x) + interval(y)


def minus(x: Any, y: Any) -> Any:
    return x - y if exact(x, y) else interval(x) - interval(y)


def times(x: Any, y: Any) -> Any:
    return x * y if exact(x, y) else interval(x) * interval(y)


def over(x: Any, y: Any) -> Any:
    if sign(y) is None:
        raise NotShown("a divisor")
    if sign(y) == 0:
        raise NoValue("division by zero")
    return x / y if exact(x, y) else interval(x) / interval(y)


def to_the(base: Any, power: Any) -> Any:
    if exact(power) and power.denominator == 1:
        if abs(power) > LARGEST_POWER:
            raise NotShown("a large power")
        if power < 0:
            if sign(base) == 0:
                raise NoValue("division by zero")
            if sign(base) is None:
                raise NotShown("a divisor")
        return base ** int(power) if exact(base) else interval(base) ** int(power)
    if sign(base) == -1:
        raise NoValue("a negative number to a power that is not an integer")
    if sign(base) == 0:
        if sign(power) == 1:
            return Fraction(0)
        raise NotShown("a power of zero")
    return exp(times(power, log(base)))


def log(x: Any) -> Any:
    if sign(x) is None:
        raise NotShown("a logarithm")
    if sign(x) != 1:
        raise NoValue("a logarithm of a number that is not positive")
    return Fraction(0) if x == 1 else context().log(interval(x))


def exp(x: Any) -> Any:
    if exact(x) and not x:
        return Fraction(1)
    if max(map(abs, ends(x))) > LARGEST_POWER:
        raise NotShown("a large exponential")
    return context().exp(interval(x))


def sqrt(x: Any) -> Any:
    if sign(x) == -1:
        raise NoValue("a root of a negative number")
    if exact(x):
        above, below = math.isqrt(x.numerator), math.isqrt(x.denominator)
        if above**2 == x.numerator and below**2 == x.denominator:
            return Fraction(above, below)
    elif sign(x) is None:
        raise NotShown("a root")
    return context().sqrt(interval(x))


def of_mpmath(function: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    """An increasing function by mpmath's numbers at both ends, at a precision far beyond that of its interval."""

    def enclosed(x: Any) -> Any:
        import mpmath

        with mpmath.workprec(2 * BITS):
            low, high = (function(mpmath, mpmath.mpf(e.numerator) / e.denominator) for e in ends(x))
            room = mpmath.mpf(2) ** (16 - BITS) * (1 + abs(low) + abs(high))
            return context().mpf([low - room, high + room])

    return enclosed


def whole(x: Any, rounded: Callable[[Fraction], int]) -> Fraction:
    low, high = map(rounded, ends(x))
    if low != high:
        raise NotShown("a ceiling or floor")
    return Fraction(low)


def smaller(x: Any, y: Any) -> Any:
    return _chosen(x, y, "<=")


def larger(x: Any, y: Any) -> Any:
    return _chosen(x, y, ">=")


def _chosen(x: Any, y: Any, operator: str) -> Any:
    holds = compared(x, operator, y)
    if holds is not None:
        return x if holds else y
    pick = min if operator == "<=" else max
    (a, b), (c, d) = ends(x), ends(y)
    return between(pick(a, c), pick(b, d))


def between(low: Any, high: Any) -> Any:
    """An interval around two values and what lies between them."""
    low, high = interval(low), interval(high)
    return context().mpf([low.a, high.b])


def absolute(x: Any) -> Any:
    return abs(x) if isinstance(x, Fraction | float) else larger(x, -x)


def binomial(n: Any, k: Any) -> Fraction:
    if not exact(n, k) or {n.denominator, k.denominator} != {1}:
        raise NotShown("a binomial coefficient")
    if n < 0 or k < 0:
        raise NoValue("a binomial coefficient of numbers that are not counts")
    if n > LARGEST_COMB:
        raise NotShown("a large binomial coefficient")
    return Fraction(math.comb(int(n), int(k)))


OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": plus,
    "sub": minus,
    "mul": times,
    "div": over,
    "pow": to_the,
    "neg": lambda x: -x,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "exp": exp,
    "log": log,
    "sqrt": sqrt,
    "abs": absolute,
    "min": smaller,
    "max": larger,
    "comb": binomial,
    "log1p": lambda x: log(plus(x, Fraction(1))),
    "expm1": lambda x: minus(exp(x), Fraction(1)),
    "atan": of_mpmath(lambda mp, x: mp.atan(x)),
    "ceil": lambda x: whole(x, math.ceil),
    "floor": lambda x: whole(x, math.floor),
}


# ---------------------------------------------------------------------------------------------------------- quantities


def share(x: Any) -> Any:
    """A number in [0, 1]."""
    low, high = ends(x)
    if low >= 0 and high <= 1:
        return x
    raise NotShown("a number that is not a share")


def kl(p: Any, q: Any) -> Any:
    """p log(p/q) + (1 - p) log((1 - p)/(1 - q)), where 0 log 0 = 0."""
    p, q = share(p), share(q)
    if exact(p, q) and p == q:
        return Fraction(0)
    if exact(q) and q in (0, 1):
        if exact(p):
            return math.inf
        raise NotShown("an edge")
    parts = ((p, q), (minus(Fraction(1), p), minus(Fraction(1), q)))
    divergence: Any = Fraction(0)
    for a, b in parts:
        if not (exact(a) and a == 0):
            divergence = plus(divergence, times(a, log(over(a, b))))
    return divergence


def d_epsilon(x: Any, y: Any, epsilon: Any) -> Any:
    """The infimum over z between x and y of epsilon |x - z| + kl(z, y), between a feasible z and a feasible tilt."""
    x, y = share(x), share(y)
    if not exact(x, y):
        raise NotShown("an interval")
    if x == y or (exact(epsilon) and epsilon == 0):
        return Fraction(0)
    if epsilon == math.inf:
        return kl(x, y)
    if not exact(epsilon) or epsilon < 0:
        raise NotShown("a budget")
    if y in (0, 1):
        return epsilon * abs(x - y)
    tilt = epsilon if x > y else -epsilon
    if 0 < x < 1:
        free = ends(log(over(x * (1 - y), y * (1 - x))))[0]
        tilt = min(free, epsilon) if x > y else max(free, -epsilon)
    lower = minus(tilt * x, log(plus(1 - y, times(y, exp(tilt)))))
    z = ends(exp(tilt))[0] * y
    z = z / (1 - y + z)
    z = min(max(z, min(x, y)), max(x, y))
    upper = plus(epsilon * abs(x - z), kl(z, y))
    return between(lower, upper)


def normal_cdf(x: Any) -> Any:
    return of_mpmath(lambda mp, y: mp.ncdf(y))(x)


QUANTITIES: dict[str, Callable[..., Any]] = {
    "kl_bernoulli": kl,
    "tv_bernoulli": lambda p, q: absolute(minus(share(p), share(q))),
    "d_epsilon": d_epsilon,
    "d_epsilon_dual_objective": lambda lam, x, y: minus(
        times(lam, share(x)), log(plus(minus(Fraction(1), share(y)), times(y, exp(lam))))
    ),
    "kl_gaussian": lambda x, y, sigma=Fraction(1): over(to_the(minus(x, y), Fraction(2)), times(2 * sigma, sigma)),
    "normal_cdf": normal_cdf,
    "pi_beside": lambda _: context().mpf(context().pi),
}
