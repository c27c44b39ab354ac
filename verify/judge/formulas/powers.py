"""Where a statement needs that 0^0 is 1: a convention, which the reader of a verdict has to know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice, product
from typing import Any

from banditproof.verify.judge.formulas.certain import NoValue, Unknown, value_at
from banditproof.verify.judge.formulas.formula import names
from banditproof.verify.judge.formulas.sentence import Expression, Range, Sentence

MOST = 64  # points at which a power is looked at


def zero_powers(what: Any, ranges: Mapping[str, Range]) -> tuple[Expression, ...]:
    """The powers whose base and exponent are both 0 at an end of the ranges, or at 0, each once."""
    ends = {name: _ends(r) for name, r in ranges.items()}
    return tuple(dict.fromkeys(_found(what, ends)))


def _found(what: Any, ends: Mapping[str, list[Fraction]]) -> Iterator[Expression]:
    if isinstance(what, Sentence):
        what = tuple(vars(what).values())
    if isinstance(what, Mapping):
        what = tuple(what.values())
    if isinstance(what, tuple):
        for part in what:
            yield from _found(part, ends)
    if not isinstance(what, Expression):
        return
    if what.head in ("sum", "prod"):
        index, low, high, _ = what.args
        ends = {**ends, index: _ends(Range(low, high, integer=True))}
    elif what.head in ("inf", "sup"):
        ends = {**ends, what.args[0]: _ends(what.args[1])}
    elif what.head == "pow" and _both_zero(what, ends):
        yield what
    yield from _found(what.args, ends)


def _ends(r: Range) -> list[Fraction]:
    """The closed ends of a range that are numbers, and 0 where it lies inside."""
    low, high = _value(r.low, {}), _value(r.high, {})
    closed = [e for e, is_open in ((low, r.low_open), (high, r.high_open)) if isinstance(e, Fraction) and not is_open]
    inside = low is not None and high is not None and low < 0 < high
    return [*closed, Fraction(0)] if inside and Fraction(0) not in closed else closed


def _value(e: Expression, point: Mapping[str, Fraction]) -> Any:
    """An exact value, or infinity; None where there is none."""
    try:
        value = value_at(e, point)
    except (NoValue, Unknown, KeyError, ValueError, OverflowError):
        return None
    return value if isinstance(value, Fraction | float) else None


def _both_zero(e: Expression, ends: Mapping[str, list[Fraction]]) -> bool:
    base, exponent = e.args
    if any(side.head in ("num", "const") and side.args[0] != 0 for side in (base, exponent)):
        return False
    used = sorted(names(e))
    if not all(name in ends for name in used):
        return False
    points = (dict(zip(used, p, strict=True)) for p in product(*(ends[name] for name in used)))
    return any(_value(base, p) == 0 and _value(exponent, p) == 0 for p in islice(points, MOST))
