"""The value of a formula in floats, for pictures and guesses: nothing is concluded from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import e, inf, pi
from typing import Any

import numpy as np

from banditproof.verify.judge.formulas.sentence import Expression, Range

EULER = 0.5772156649015329
CONSTANTS = {"pi": pi, "e": e, "euler": EULER, "inf": inf}
MOST_TERMS = 100_000  # of a sum
AT_ONCE = 4 * 10**6  # terms of all sums of an array together
TRIED = 400  # places at which an infimum is looked for
STEP = 1e-6  # of a slope, relative to its place

Values = Mapping[str, Any]


def value_of(expression: Expression, values: Values) -> Any:
    """The value at floats or arrays of them, which have one shape; NaN where there is none.

    Raises ValueError for a sum of more than 100,000 terms, KeyError for a variable without a value.
    """
    with np.errstate(all="ignore"):
        return _value(expression, {name: np.asarray(value, dtype=float) for name, value in values.items()})


def _value(expression: Expression, values: dict[str, Any]) -> Any:
    head, args = expression.head, expression.args
    if head == "num":
        return np.asarray(float(args[0]))
    if head == "const":
        return np.asarray(CONSTANTS[args[0]])
    if head == "var":
        return values[args[0]]
    if head == "neg":
        return -_value(args[0], values)
    if head == "sub" and args[1].head == "call" and args[1].args[0] == "Phi" and args[0] == Expression("num", (1,)):
        return _FUNCTIONS["Phi"](-_value(args[1].args[1], values))  # which floats round to 1
    if head in _OPERATORS:
        return _OPERATORS[head](_value(args[0], values), _value(args[1], values))
    if head == "call":
        return _FUNCTIONS[args[0]](*(_value(argument, values) for argument in args[1:]))
    if head in ("sum", "prod"):
        return _repeated(head, *args, values=values)
    if head in ("inf", "sup"):
        return _extreme(head, *args, values=values)
    body, name = args  # diff
    step = STEP * (1 + abs(values[name]))
    above, below = (_value(body, {**values, name: values[name] + s}) for s in (step, -step))
    return (above - below) / (2 * step)


def _repeated(head: str, index: str, low: Expression, high: Expression, body: Expression, *, values: Any) -> Any:
    first, last = np.broadcast_arrays(np.ceil(_value(low, values)), np.floor(_value(high, values)))
    if np.any(last - first > MOST_TERMS):
        raise ValueError("a sum of too many terms")
    begin, end = int(np.min(first, initial=0)), int(np.max(last, initial=-1)) + 1
    empty = 0.0 if head == "sum" else 1.0
    if 1 < (end - begin) * first.size <= AT_ONCE and (terms := _of_index(body, index, begin, end)) is not None:
        counts, terms = (x.reshape(-1, *(1,) * first.ndim) for x in (np.arange(begin, end), terms))
        chosen = np.where((first <= counts) & (counts <= last), terms, empty)
        return chosen.sum(axis=0) if head == "sum" else chosen.prod(axis=0)
    total = np.full(first.shape, empty)
    for k in range(begin, end):
        term, inside = _value(body, {**values, index: np.asarray(float(k))}), (first <= k) & (k <= last)
        total = np.where(inside, total + term if head == "sum" else total * term, total)
    return total


def _of_index(body: Expression, index: str, begin: int, end: int) -> Any:
    """All values of what is summed, where it speaks of nothing but its index; None elsewhere."""
    counts = np.arange(begin, end, dtype=float)
    try:
        return np.broadcast_to(_value(body, {index: counts}), counts.shape)
    except KeyError:
        return None


def _extreme(head: str, name: str, over: Range, body: Expression, *, values: Any) -> Any:
    low, high = _value(over.low, values), _value(over.high, values)
    found = None
    for share in np.linspace(0, 1, TRIED + 2)[1:-1]:
        value = _value(body, {**values, name: _between(low, high, share)})
        found = value if found is None else (np.fmin if head == "inf" else np.fmax)(found, value)
    return found


def _between(low: Any, high: Any, share: float) -> Any:
    """A place between two ends, at least one of which may be infinite."""
    above = low + share / (1 - share)
    below = high - (1 - share) / share
    line = share / (1 - share) - (1 - share) / share
    bounded = low + share * (high - low)
    return np.where(np.isinf(low), np.where(np.isinf(high), line, below), np.where(np.isinf(high), above, bounded))


def _entropy(p: Any, q: Any) -> Any:
    """p log(p / q), with 0 log 0 = 0."""
    return np.where(p == 0, 0.0, np.where(q == 0, np.where(p > 0, inf, np.nan), p * np.log(p / np.where(q == 0, 1, q))))


def _kl(p: Any, q: Any) -> Any:
    inside = (p >= 0) & (p <= 1) & (q >= 0) & (q <= 1)
    return np.where(inside, _entropy(p, q) + _entropy(1 - p, 1 - q), np.nan)


def _d_epsilon(x: Any, y: Any, epsilon: Any) -> Any:
    """The infimum over z between x and y of kl(z, y) + epsilon |x - z|, at the place where the slopes are equal."""
    tilt = np.exp(np.where(x < y, -epsilon, epsilon))
    z = y * tilt / (1 - y + y * tilt)
    z = np.where(x < y, np.clip(z, np.minimum(x, y), y), np.clip(z, y, np.maximum(x, y)))
    return _kl(z, y) + epsilon * abs(x - z)


def _special(name: str) -> Callable[..., Any]:
    def function(*values: Any) -> Any:
        from scipy import special

        return getattr(special, name)(*values)

    return function


def _lambert(x: Any) -> Any:
    """W, which at -1/e as a float would differ from -1 by the root of what was rounded."""
    value = _special("lambertw")(x)
    return np.where(abs(x + np.exp(-1)) < 1e-15, -1, np.where(np.imag(value) == 0, np.real(value), np.nan))


def _zeta(x: Any) -> Any:
    from mpmath import zeta

    return np.vectorize(lambda s: np.nan if s == 1 else float(zeta(s)), otypes=[float])(x)


_OPERATORS: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": lambda a, b: np.where(b == 0, np.nan, a / np.where(b == 0, 1, b)),
    "pow": np.power,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "exp": np.exp,
    "log": lambda x: np.where(x > 0, np.log(np.where(x > 0, x, 1)), np.nan),
    "sqrt": np.sqrt,
    "abs": np.abs,
    "floor": np.floor,
    "ceil": np.ceil,
    "Phi": _special("ndtr"),
    "erf": _special("erf"),
    "erfc": _special("erfc"),
    "gamma": _special("gamma"),
    "digamma": _special("digamma"),
    "trigamma": lambda x: _special("polygamma")(1, x),
    "factorial": lambda n: _special("gamma")(n + 1),
    "binom": _special("binom"),
    "W": _lambert,
    "zeta": _zeta,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "atan": np.arctan,
    "sin": np.sin,
    "cos": np.cos,
    "kl": _kl,
    "tv": lambda p, q: np.abs(p - q),
    "d_eps": _d_epsilon,
    "min": lambda *values: np.minimum.reduce(np.broadcast_arrays(*values)),
    "max": lambda *values: np.maximum.reduce(np.broadcast_arrays(*values)),
}
