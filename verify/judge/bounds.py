"""Bounds that may depend on the other variables: a limit, or an O, is printed for each of their values.

What bounds is guessed in floats, among simple products; that it does is for the provers.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from math import inf

from banditproof.verify.judge.formula import binary, call, name, num, rational
from banditproof.verify.judge.sentence import Expression, Range

MOST_OTHERS, MOST = 2, 40
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


def shrinking_with(word: str, others: Known) -> Iterator[Expression]:
    """What goes to 0 at infinity at a rate that another variable gives: n^(-a/2) for a > 0."""
    for a, r in others.items():
        low = rational(r.low)
        if low is not None and (low > 0 or low == 0 and r.low_open):
            yield binary("pow", name(word), Expression("neg", (binary("div", name(a), num(2)),)))
