"""A comparison of two numbers of one interval, for each order of them: without a factor that is their distance, from
the place where they are equal, and above a chord from there to an end.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.ways.forms import ordered
from banditproof.verify.judge.ways.pieces import SPOILED, is_continuous, summands
from banditproof.verify.judge.ways.points import Asked, has_value, seems_equal, seems_true, speaks_of

ZERO = num(0)
Claims = tuple[Asked, ...]


def by_order(asked: Asked, changed: bool) -> Iterator[tuple[Claims, str]]:
    """Claims that imply a weak comparison of p and q, numbers of one interval, and why.

    `changed`: those where a factor, or |p - q|, goes, or sides are the same at p = q; else, the others.

    Let s be the smaller and l the larger of them. A factor l - s > 0 of all summands of the gap g of the sides does not
    change its sign. Where g is at least 0 at l = s, and does not fall as l moves up from s (or as s moves down from l),
    it is at least 0: between them g is continuous and has the derivative that is asked for, as both lie inside of the
    interval. Ends of the interval that belong to it are asked one by one, and so is p = q.
    """
    c = asked.comparison
    if c.sign not in ("<=", ">="):
        return
    more, less = (c.left, c.right) if c.sign == ">=" else (c.right, c.left)
    gaps = [binary("sub", more, less)]
    if less.head == "call" and less.args[0] == "abs":  # |f| is the larger of f and -f
        gaps = [binary(way, more, less.args[1]) for way in ("sub", "add")]
    for p, q in _pairs(asked):
        orders, powers = _orders(asked, p, q), [e for gap in gaps for e in parts(gap) if e.head == "pow"]
        if orders is None or any({p, q} & names(e.args[1]) for e in powers):
            continue
        rests = [
            (small, large, gap, _without_factor(ordered(gap, name(small), name(large)), name(small), name(large)))
            for (small, large), gap in itertools.product(orders, gaps)
        ]
        if changed is not (any(rest != gap for *_, gap, rest in rests) or _touching(asked, p, q)):
            continue
        both, others = _inside(asked, p, q), tuple(d for d in asked.conditions if not speaks_of(d, p))
        choices = []
        for small, large, gap, rest in rests:
            there = replace(both, conditions=(*others, Compare(name(small), "<", name(large))), printed=False)
            anywhere = replace(both, conditions=others)
            choices.append(list(_from_equal(rest, small, large, there, anywhere)))
            choices[-1] += _from_chord(rest, small, large, there, anywhere)
            if rest != gap:
                choices[-1].append((replace(there, comparison=Compare(rest, ">=", ZERO)),))
        edges = _edges(asked, p, q, orders, others)
        for level in range(max(map(len, choices), default=0) if all(choices) else 0):
            chosen = (options[min(level, len(options) - 1)] for options in choices)
            yield (*itertools.chain(*chosen), *edges), f"for each order of {p} and {q}"
    if (closed := _with_ends(asked)) != asked and seems_true(closed):  # a chord needs an end that belongs to the range
        for claims, because in by_order(closed, changed):
            yield claims, f"{because}, also at the ends of their range"


def _with_ends(asked: Asked) -> Asked:
    closed = {
        n: replace(r, low_open=False, high_open=False)
        for n, r in asked.ranges.items()
        if not r.integer and r.low.head == r.high.head == "num"
    }
    ranges = {**asked.ranges, **closed}
    return replace(asked, ranges=ranges, printed=False) if ranges != asked.ranges else asked


def _touching(asked: Asked, p: str, q: str) -> bool:
    """Whether floats see the same sides wherever p = q."""
    left, right = (put(side, {q: name(p)}) for side in (asked.comparison.left, asked.comparison.right))
    return seems_equal(Asked(Compare(left, "==", right), {n: r for n, r in asked.ranges.items() if n != q}))


def _pairs(asked: Asked) -> Iterator[tuple[str, str]]:
    """Two real variables of one interval, with which nothing else is tied."""
    for (p, of_p), (q, of_q) in itertools.combinations(asked.ranges.items(), 2):
        same = (of_p.low, of_p.high) == (of_q.low, of_q.high)
        tied = any({p, q} & (names(r.low) | names(r.high)) for r in asked.ranges.values())
        if same and not tied and not of_p.integer and not of_q.integer:
            yield p, q


def _orders(asked: Asked, p: str, q: str) -> list[tuple[str, str]] | None:
    """(smaller, larger) as the conditions allow it; None where these say more of the two."""
    orders = [(p, q), (q, p)]
    for c in asked.conditions:
        if not speaks_of(c, p) and not speaks_of(c, q):
            continue
        if not isinstance(c, Compare) or c.sign[0] not in "<>" or {c.left, c.right} != {name(p), name(q)}:
            return None
        small, large = (c.left, c.right) if c.sign[0] == "<" else (c.right, c.left)
        orders = [order for order in orders if order == (small.args[0], large.args[0])]
    return orders


def _inside(asked: Asked, p: str, q: str) -> Asked:
    opened = {n: replace(r, low_open=True, high_open=True) if n in (p, q) else r for n, r in asked.ranges.items()}
    return replace(asked, ranges=opened, printed=False)


def _from_equal(rest: Expression, small: str, large: str, there: Asked, anywhere: Asked) -> Iterator[Claims]:
    """That the rest is at least 0 where both are equal, and does not fall as they move apart."""
    ranges = {n: r for n, r in anywhere.ranges.items() if n != large}
    sides = rest.args if rest.head == "sub" else (rest, ZERO)  # floats see less of a difference
    equal = replace(anywhere, comparison=_at(Compare(sides[0], ">=", sides[1]), large, name(small)), ranges=ranges)
    for word, sign in ((large, ">="), (small, "<=")):
        try:
            moved = replace(there, comparison=Compare(slope(rest, word), sign, ZERO))
            wherever = replace(anywhere, comparison=moved.comparison, printed=False)
            moved = wherever if seems_true(wherever, known=True) else moved  # it asks for more, and is often simpler
        except NoSlope:
            return
        if (seems_true(equal) or seems_equal(equal)) and seems_true(moved):
            yield equal, moved, has_value(rest, there.ranges, there.conditions)


def _from_chord(rest: Expression, small: str, large: str, there: Asked, anywhere: Asked) -> Iterator[Claims]:
    """That the rest is concave between the other number and an end of the interval, and at least 0 at both of them.

    It is continuous there by its form, but for kl(x, y), which is so for 0 < y < 1.
    """
    entropies = [p for p in parts(rest) if p.head == "call" and p.args[0] == "kl"]
    without = rest
    for kl in entropies:
        without = replaced(without, kl, binary("add", *kl.args[1:]))
    ends = (large, there.ranges[large].high, small), (small, there.ranges[small].low, large)
    for word, end, other in ends if is_continuous(without) else ():
        if not isinstance(rational(end), Fraction):
            continue
        try:
            concave = replace(there, comparison=Compare(slope(slope(rest, word), word), "<=", ZERO))
        except NoSlope:
            return
        places = [{word: end}, {word: name(other)}]
        least = [Compare(put(rest, place), ">=", ZERO) for place in places]
        inside = [
            Compare(put(kl.args[2], place), sign, limit)
            for kl in entropies
            for place in places
            for sign, limit in ((">", ZERO), ("<", num(1)))
        ]
        of_other = {n: r for n, r in anywhere.ranges.items() if n != word}
        claims = [replace(anywhere, comparison=c, ranges=of_other) for c in (*least, *inside)]
        if seems_true(concave, spoiled=SPOILED) and all(map(seems_true, claims)):
            yield (concave, has_value(rest, there.ranges, there.conditions), *claims)


def _edges(asked: Asked, p: str, q: str, orders: list[tuple[str, str]], others: tuple[Sentence, ...]) -> Claims:
    """The comparison at the ends that belong to the interval, and for equal numbers."""
    c, made = asked.comparison, []
    for word in (p, q):
        r: Range = asked.ranges[word]
        rest = {n: s for n, s in asked.ranges.items() if n != word}
        for end, open_ in ((r.low, r.low_open), (r.high, r.high_open)):
            if not open_:
                at, there = _at(c, word, end), tuple(_at(d, word, end) for d in asked.conditions)  # type: ignore[arg-type]
                made.append(replace(asked, comparison=at, ranges=rest, conditions=there, printed=False))
    if not any(speaks_of(d, p) and isinstance(d, Compare) and d.sign in ("<", ">") for d in asked.conditions):
        inner = _inside(asked, p, q)
        rest = {n: s for n, s in inner.ranges.items() if n != q}
        made.append(replace(inner, comparison=_at(c, q, name(p)), ranges=rest, conditions=others))
    return tuple(made)


def _at(c: Compare, word: str, value: Expression) -> Compare:
    return Compare(put(c.left, {word: value}), c.sign, put(c.right, {word: value}))


def _without_factor(e: Expression, small: Expression, large: Expression) -> Expression:
    """A sum without the highest power of large - small that all its summands have."""
    found = [(up, _factored(part, small, large)) for up, part in summands(e, True)]
    least = min(k for _, (k, _) in found)
    if not least:
        return e
    distance, total = binary("sub", large, small), ZERO
    for up, (k, rest) in found:
        part = rest if k == least else binary("mul", binary("pow", distance, num(k - least)), rest)
        total = binary("add" if up else "sub", total, part)
    return total


def _factored(e: Expression, small: Expression, large: Expression) -> tuple[int, Expression]:
    """The power of large - small in a product, and the rest of it."""
    if e.head == "sub" and set(e.args) == {small, large} and small != large:
        return 1, num(1 if e.args[0] == large else -1)
    if e.head == "pow" and e.args[1].head == "num" and e.args[1].args[0].denominator == 1 and e.args[1].args[0] > 0:
        power = int(e.args[1].args[0])
        k, rest = _factored(e.args[0], small, large)
        return k * power, binary("pow", rest, num(power)) if rest.head != "num" else num(rest.args[0] ** power)
    if e.head == "neg":
        k, rest = _factored(e.args[0], small, large)
        return k, Expression("neg", (rest,))
    if e.head == "mul":
        (j, a), (k, b) = (_factored(part, small, large) for part in e.args)
        return j + k, binary("mul", a, b)
    if e.head == "div":
        k, rest = _factored(e.args[0], small, large)
        return k, binary("div", rest, e.args[1])
    return 0, e
