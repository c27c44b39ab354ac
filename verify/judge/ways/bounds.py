"""Bounds that may depend on the other variables: a limit, or an O, is printed for each of their values.

What bounds is guessed in floats, among simple products; that it does is for the provers.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from math import inf, isfinite
from typing import Any

import numpy as np

from banditproof.verify.judge.formulas.floats import value_of
from banditproof.verify.judge.formulas.formula import binary, call, name, names, num, parts, rational
from banditproof.verify.judge.formulas.sentence import Expression, Range

MOST_OTHERS, MOST = 2, 40
SCALES, DRAWS, GROWS = (1.5, 3.0), 20_000, 1.4
Known = Mapping[str, Range]


def factors(others: Known) -> Iterator[Expression]:
    """Positive functions of the other variables, the simpler ones first; 1 is not among them."""
    if not 1 <= len(others) <= MOST_OTHERS:
        return
    listed = [list(enumerate(_of_one(word, r))) for word, r in others.items()]
    for choice in sorted(itertools.product(*listed), key=lambda c: sum(k for k, _ in c))[: MOST + 1]:
        if any(k for k, _ in choice):
            product = num(1)
            for _, e in choice:
                product = binary("mul", product, e)
            yield product


def _of_one(word: str, r: Range) -> list[Expression]:
    x, one = name(word), num(1)
    low, high = rational(r.low), rational(r.high)
    if (low, high) == (0, 1):
        rest = binary("sub", one, x)
        below = [x, rest, binary("mul", x, x), binary("mul", rest, rest)]
        logs = [call("log", binary("div", one, y)) for y in (x, rest)]
        below += [binary("mul", log, log) for log in logs]
        return [one, *(binary("div", one, y) for y in below), binary("mul", logs[0], logs[0])]
    if low is None or low == -inf or low < 0:
        return [one]
    above = binary("add", one, x)
    grown = binary("mul", binary("mul", x, x), call("exp", x))
    log = call("log", x)
    listed = [one, x, binary("mul", x, x), above, binary("mul", above, above), grown]
    listed += [binary("mul", binary("mul", log, log), above)]
    if r.low_open or low > 0:
        listed += [binary("div", one, x), binary("div", one, binary("mul", x, x))]
    return listed


def shrinking_with(word: str, others: Known, body: Expression) -> Iterator[Expression]:
    """What goes to 0 at infinity at a rate that an exponent in a formula gives: n^(-a/2) for a > 0."""
    powers = [p.args for p in parts(body) if p.head == "pow" and word in names(p.args[0])]
    for a, r in others.items():
        low = rational(r.low)
        if not any(a in names(exponent) for _, exponent in powers):
            continue
        if low is not None and (low > 0 or low == 0 and r.low_open):
            yield binary("pow", name(word), Expression("neg", (binary("div", name(a), num(2)),)))


def steady(left: Expression, right: Expression, ranges: Known) -> float | None:
    """The largest ratio of two formulas at points of all scales, if it does not grow with the scales; None else."""
    most = []
    for wide in SCALES:
        generator = np.random.default_rng(5)
        at = {n: _spread(r, wide, generator.uniform(-1, 1, DRAWS)) for n, r in ranges.items()}
        try:
            with np.errstate(all="ignore"):
                ratio = value_of(left, at) / value_of(right, at)
        except (ValueError, KeyError, MemoryError):
            return None
        ratio = ratio[np.isfinite(ratio)]
        if not ratio.size:
            return None
        most.append(float(ratio.max()))
    return max(most) if most[1] <= GROWS * most[0] and most[1] >= 0 else None


def _spread(r: Range, wide: float, u: Any) -> Any:
    """Numbers of a range, of all scales up to `wide` digits from its ends."""
    low, high = (float(value_of(end, {})) for end in (r.low, r.high))
    scale = 10.0 ** (wide * u)
    if isfinite(low) and isfinite(high):
        return low + (high - low) / (1 + scale)
    values = low + scale if isfinite(low) else high - scale if isfinite(high) else np.sign(u) * scale**2
    return np.maximum(low, np.floor(values)) if r.integer else values
