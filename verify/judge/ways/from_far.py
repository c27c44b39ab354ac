"""A comparison from its far end: the gap of the sides does not rise, and from somewhere on it is 0 or more.

So it is 0 or more everywhere. Where a count moves, what the next one adds to a sum, or to the logarithm of a factorial,
is a formula without them; the same is true of the number 1 more in a gamma function; where another number moves, the
sign of the derivative tells. What happens far away, or near an end, is told by leading terms (`leading`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.formulas.printing import plain
from banditproof.verify.judge.ways.points import Asked, Near, failing, has_value
from banditproof.verify.judge.ways.residues import computed

LATER = (0, 1, 3)  # counts that are looked at one by one first
BASES = tuple(Fraction(m, 2) for m in (1, 2, 3, 4, 6, 10))  # where gaps may turn from falling to rising
OF_STEPS = "gamma", "factorial", "digamma", "trigamma"  # what 1 more changes by a formula without them
LARGEST = 10**6  # number whose primes are told apart
MOST_STEPS = 8  # terms that one more count adds
Claims = tuple[Asked | Near, ...]


def by_far_end(asked: Asked) -> Iterator[tuple[Claims, str]]:
    """Claims that imply a comparison, one variable after the other, and why."""
    if asked.comparison.sign not in ("<", "<=", ">", ">=", "=="):
        return
    for word, r in asked.ranges.items():
        others = {n: s for n, s in asked.ranges.items() if n != word}
        tied = any(word in names(s.low) | names(s.high) for s in others.values())
        spoken = any(not isinstance(c, Compare) or word in names(c.left) | names(c.right) for c in asked.conditions)
        if not tied and not spoken and r.integer:
            yield from _by_counts(asked, word, r)
        elif not tied and not spoken and asked.comparison.sign != "==":
            yield from _by_unit_steps(asked, word, r)
            if _is_0_at(asked, word, r):  # where a side has no logarithm
                opened = replace(r, low_open=True)
                inner = replace(asked, ranges={**asked.ranges, word: opened})
                for claims, because in _by_unit_steps(inner, word, opened):
                    yield (at_end(asked, word, r.low), *claims), because
            yield from by_slope(asked, word, r)


def _is_0_at(asked: Asked, x: str, r: Range) -> bool:
    """Whether a side is 0 at the closed low end of the only variable."""
    from banditproof.verify.judge.formulas.certain import NoValue, Unknown, value_at

    low = rational(r.low)
    if r.low_open or not isinstance(low, Fraction) or len(asked.ranges) > 1:
        return False
    with suppress(NoValue, Unknown):
        return any(value_at(side, {x: low}) == 0 for side in (asked.comparison.left, asked.comparison.right))
    return False


def far_part(asked: Asked, word: str, to: Expression, side: int = 0) -> Near:
    return Near(asked.comparison, word, to, side, asked.ranges)


def turned(asked: Asked) -> tuple[Expression, Expression, str]:
    """The larger and the smaller side, and the sign between them; an equation as it stands."""
    c = asked.comparison
    return (c.right, c.left, ">" + c.sign[1:]) if c.sign[0] == "<" else (c.left, c.right, c.sign)


# ---------------------------------------------------------------------------------------------------------- counts


def _by_counts(asked: Asked, n: str, r: Range) -> Iterator[tuple[Claims, str]]:
    low = rational(r.low)
    sides = (asked.comparison.left, asked.comparison.right)
    counting = any(has(side, *COUNTING) or EULER in parts(side) for side in sides)
    if r.low_open or rational(r.high) != rational(INFINITY) or not isinstance(low, Fraction) or not counting:
        return
    larger, smaller, sign = turned(asked)
    try:
        of = (lambda e: (e, ())) if not any(_is_product(side) for side in sides) else logged
        (above, first), (below, second) = of(larger), of(smaller)
        gap = binary("sub", above, below)
        falls = computed(fallen(gap, n, int(low)), n)
    except NoStatement:
        return
    if sign == "==":
        positive = [replace(asked, comparison=Compare(e, ">", num(0))) for e in dict.fromkeys((*first, *second))]
        step = replace(asked, comparison=Compare(falls, "==", num(0)))
        yield (
            (_at(asked, n, int(low)), step, *positive),
            f"it holds at the first {n}, and no step of {n} changes the gap",
        )
        return
    for later in LATER:
        ranges = {**asked.ranges, n: replace(r, low=num(low + later))}
        there = replace(asked, ranges=ranges)
        positive = [replace(there, comparison=Compare(e, ">", num(0))) for e in dict.fromkeys((*first, *second))]
        step = replace(there, comparison=Compare(falls, ">=", num(0)))
        firsts = [_at(asked, n, int(low) + k) for k in range(later)]
        if failing(step, draws=600)[0] is None:
            because = f"the gap of the sides does not rise with {n}, and is {sign} 0 from some {n} on"
            yield (step, far_part(asked, n, INFINITY), *firsts, *positive), because
        elif not later:
            rises = replace(there, comparison=Compare(falls, "<=", num(0)))
            if failing(rises, draws=600)[0] is None:
                because = f"it holds at the first {n}, and the gap of the sides does not fall with {n}"
                yield (_at(asked, n, int(low)), rises, *positive), because


def _by_unit_steps(asked: Asked, x: str, r: Range) -> Iterator[tuple[Claims, str]]:
    """A comparison with gamma functions of a number, by what 1 more does to the gap g of the logarithms of its sides.

    Where g(x) >= g(x + 1) for all x of a range that has no upper end, g(x) >= g(x + k) for every k, and that is at
    least -log(1 + eta) from some k on, whatever eta > 0; so g(x) >= 0, and g(x) > g(x + 1) gives g(x) > 0. Where
    g(x) <= g(x + 1) from m on, and g(x) >= g(x + 1) up to m, every x leads in steps of 1 to one of [m, m + 1] where g
    is no larger. Each step is a formula without gamma functions, since gamma(z + 1) = z gamma(z) for z > 0, and that
    every z is above 0 is one of the claims.
    """
    sides = (asked.comparison.left, asked.comparison.right)
    low = rational(r.low)
    if not any(has(side, *OF_STEPS) for side in sides) or rational(r.high) != rational(INFINITY):
        return
    larger, smaller, sign = turned(asked)
    products = any(_is_product(side) for side in sides)
    try:
        (above, first), (below, second) = (logged(e) if products else (e, ()) for e in (larger, smaller))
        gap = binary("sub", above, below)
        falls = fallen(gap, x, None)
    except NoStatement:
        return
    inside = [binary("add", *of) for p in parts(gap) if (of := _of_factorial(p)) is not None]
    inside += [p.args[1] for p in parts(gap) if p.head == "call" and p.args[0] in ("digamma", "trigamma")]
    needed = tuple(
        replace(asked, comparison=Compare(e, ">", num(0))) for e in dict.fromkeys((*first, *second, *inside))
    )
    down, up = (replace(asked, comparison=Compare(falls, way, num(0))) for way in (">=", "<="))
    if failing(down, draws=600)[0] is None:
        because = f"the gap of the sides does not rise from {x} to {x} + 1, and"
        eta = next(word for word in ("eta", "eta_", "eta__") if word not in asked.ranges)
        eased = (
            binary("mul", binary("add", num(1), name(eta)), larger) if products else binary("add", larger, name(eta))
        )
        ranges = {**asked.ranges, eta: Range(num(0), INFINITY, True, True)}
        near = Near(Compare(eased, ">=", smaller), x, INFINITY, 0, ranges)
        step = replace(down, comparison=Compare(falls, sign, num(0)))
        yield (*needed, near, step), f"{because} its limit is at least 0"
        if sign == ">":
            yield (*needed, far_part(asked, x, INFINITY), down), f"{because} is {sign} 0 from some {x} on"
        return
    if not isinstance(low, Fraction):
        return
    for m in dict.fromkeys((low, *BASES)):
        if m < low or m == low and r.low_open:
            continue
        before = replace(down, ranges={**asked.ranges, x: replace(r, high=num(m), high_open=False)})
        after = replace(up, ranges={**asked.ranges, x: replace(r, low=num(m), low_open=False)})
        base = replace(asked, ranges={**asked.ranges, x: Range(num(m), num(m + 1))})
        claims = (base, after, *((before,) if m > low else ()))
        if all(failing(claim, draws=600)[0] is None for claim in claims):
            because = f"from any {x}, steps of 1 lead to [{m}, {m + 1}] and do not enlarge the gap of the sides"
            yield (*needed, *claims), because
            for shown, moves in _from_an_end(base, gap, x):
                yield (*needed, *shown, *claims[1:]), f"{because}, which {moves} there"
    yield from _later_by_steps(asked, gap, falls, x, r)


def _later_by_steps(asked: Asked, gap: Expression, falls: Expression, x: str, r: Range) -> Iterator[tuple[Claims, str]]:
    """By steps of 1 from some m on; up to m as it stands, or from its end to some c, the gap moving one way."""
    low = rational(r.low)
    if not isinstance(low, Fraction) or r.low_open:
        return
    for m in (m for m in BASES if m > low):
        later, before = replace(r, low=num(m), low_open=False), Range(r.low, num(m))
        there = replace(asked, ranges={**asked.ranges, x: later})
        if failing(replace(there, comparison=Compare(falls, ">=", num(0))), draws=600)[0] is not None:
            continue
        far, why = next(_by_unit_steps(there, x, later))  # by its limit, since the gap does not rise there
        because = f"{x} is cut at {m}; from there on {why}"
        yield (*far, replace(asked, ranges={**asked.ranges, x: before})), because
        for c in (low + (m - low) / 2**k for k in range(1, 5)):
            first, rest = (
                replace(asked, ranges={**asked.ranges, x: s}) for s in (Range(r.low, num(c)), Range(num(c), num(m)))
            )
            if found := next(_from_an_end(first, gap, x), None):
                yield (*far, *found[0], rest), f"{because}; up to {c} the gap {found[1]}"
                return
        return


def _from_an_end(asked: Asked, gap: Expression, x: str) -> Iterator[tuple[Claims, str]]:
    """A comparison on a closed interval from one end of it, the gap moving one way."""
    r = asked.ranges[x]
    with suppress(NoSlope):
        moved = slope(gap, x)
        for end, way, moves in ((r.low, ">=", "rises"), (r.high, "<=", "falls")):
            claim = replace(asked, comparison=Compare(moved, way, num(0)), printed=False)
            if failing(claim, draws=600)[0] is None:
                yield (at_end(asked, x, end), claim, has_value(gap, asked.ranges, asked.conditions)), moves


def by_distance(asked: Asked) -> Iterator[tuple[Claims, str]]:
    """A comparison of gamma functions of two numbers x and y of one range: y is x + h, or x is y + h, for h >= 0."""
    reals = [n for n, r in asked.ranges.items() if not r.integer and rational(r.high) == rational(INFINITY)]
    sides = (asked.comparison.left, asked.comparison.right)
    if len(reals) != 2 or asked.conditions or not any(has(side, "gamma", "factorial") for side in sides):
        return
    x, y = reals
    if asked.ranges[x] != asked.ranges[y] or rational(asked.ranges[x].low) is None:
        return
    h = next(word for word in ("h", "h_", "h__") if word not in asked.ranges)
    both = []
    for near, far in ((x, y), (y, x)):
        ranges = {n: r for n, r in asked.ranges.items() if n != far} | {h: Range(num(0), INFINITY, False, True)}
        there = {far: binary("add", name(near), name(h))}
        c = Compare(put(asked.comparison.left, there), asked.comparison.sign, put(asked.comparison.right, there))
        both.append(list(_by_unit_steps(Asked(c, ranges, printed=False), near, ranges[near])))
    for (first, because), (second, _) in itertools.islice(itertools.product(*both), 4):
        yield (*first, *second), f"one of {x} and {y} is the other one and {h} >= 0; {because}"


def _at(asked: Asked, n: str, k: int) -> Asked:
    """A comparison at one count, factorials being numbers."""
    c = asked.comparison
    left, right = (folded(put(side, {n: num(k)})) for side in (c.left, c.right))
    others = {word: r for word, r in asked.ranges.items() if word != n}
    return replace(asked, comparison=Compare(left, c.sign, right), ranges=others)


def folded(e: Expression) -> Expression:
    """An expression with numbers for factorials, binomials and sums of numbers."""
    from banditproof.verify.judge.formulas.certain import NoValue, Unknown, value_at

    if not names(e) and (e.head in ("sum", "prod") or e.head == "call" and e.args[0] in ("factorial", "binom")):
        try:
            value = value_at(e, {})
        except (NoValue, Unknown):
            return e
        return num(value) if isinstance(value, Fraction) else e
    return mapped(e, folded)


def _of_factorial(e: Expression) -> tuple[Expression, Expression] | None:
    """The two summands of z, of what is gamma(z)."""
    known = {"factorial": num(1), "gamma": num(0)}
    return (e.args[1], known[e.args[0]]) if e.head == "call" and e.args[0] in known else None


def fallen(e: Expression, n: str, low: int | None) -> Expression:
    """A formula less the same with n + 1, for n >= low, without sums and factorials. Raises NoStatement.

    Without `low` a number moves, and whoever asks has to know that the factorials have a value.
    """
    head, a = e.head, e.args
    if n not in names(e):
        return num(0)
    if head == "sum" and low is not None:
        return _fallen_sum(e, n, low)
    function = a[0] if head == "call" else ""
    if function == "log" and (of := _of_factorial(a[1])) is not None:
        total, (z, more) = num(0), of
        steps, first = (_steps_of_numbers(z, n), 1) if low is None else _steps(binary("add", *of), n, low)
        if first < 1:
            raise NoStatement("the factorial of a negative number")
        for k in range(steps):
            total = binary("sub", total, call("log", binary("add", z, binary("add", more, num(k)))))
        return total
    if head == "neg":
        return binary("sub", num(0), fallen(a[0], n, low))
    if head in ("add", "sub"):
        return binary(head, *(fallen(x, n, low) for x in a))
    if head in ("mul", "div") and n not in names(a[1]):
        return binary(head, fallen(a[0], n, low), a[1])
    if head == "mul" and n not in names(a[0]):
        return binary("mul", a[0], fallen(a[1], n, low))
    if function in ("digamma", "trigamma") and low is None:
        return _fallen_polygamma(function, a[1], _steps_of_numbers(a[1], n))
    if has(e, *COUNTING):
        raise NoStatement("a sum, or a factorial, inside of a formula")
    return binary("sub", e, put(e, {n: binary("add", name(n), num(1))}))


def _fallen_polygamma(function: str, z: Expression, steps: int) -> Expression:
    """digamma(z + 1) is digamma(z) + 1/z, and trigamma(z + 1) is trigamma(z) - 1/z^2."""
    total = num(0)
    for k in range(steps):
        at = binary("add", z, num(k))
        if function == "digamma":
            total = binary("sub", total, binary("div", num(1), at))
        else:
            total = binary("add", total, binary("div", num(1), binary("pow", at, num(2))))
    return total


def _fallen_sum(e: Expression, n: str, low: int) -> Expression:
    index, first, last, body = e.args
    before = binary("sub", first, num(1))
    (at_first, starts), (at_last, ends) = (_steps(end, n, low) for end in (before, last))
    if n in names(body) or has(body, *COUNTING):
        raise NoStatement("a sum whose terms move")
    if ends < starts or at_last < at_first:
        raise NoStatement("a sum that runs down")
    total = num(0)
    for end, steps, head in ((before, at_first, "add"), (last, at_last, "sub")):
        for k in range(1, steps + 1):
            total = binary(head, total, put(body, {index: binary("add", end, num(k))}))
    return total


def _steps(e: Expression, n: str, low: int) -> tuple[int, int]:
    """a, and the value at the first count, of an expression a n + b with whole a >= 0 and b. Raises NoStatement."""
    found = linear(e, n)
    if found is None or any(x.denominator != 1 for x in found) or not 0 <= found[0] <= MOST_STEPS:
        raise NoStatement("no whole multiple of a count")
    return int(found[0]), int(found[0] * low + found[1])


def _steps_of_numbers(e: Expression, x: str) -> int:
    """The whole a >= 0 of a x + b, where b does not speak of x. Raises NoStatement."""
    found = linear_part(e, x)
    if found is None or found[0].denominator != 1 or not 0 <= found[0] <= MOST_STEPS:
        raise NoStatement("no whole multiple of a number")
    return int(found[0])


# ----------------------------------------------------------------------------------------------------- factorials


def _is_product(e: Expression) -> bool:
    """Whether there are factorials outside of sums and logarithms."""
    if e.head == "call" and e.args[0] == "log" or e.head == "sum":
        return False
    if e.head == "call" and e.args[0] in ("factorial", "binom", "gamma"):
        return True
    return any(_is_product(part) for part in e.args if isinstance(part, Expression))


def logged(e: Expression) -> tuple[Expression, tuple[Expression, ...]]:
    """The logarithm of a positive product, and what has to be positive for it. Raises NoStatement."""
    head, a = e.head, e.args
    function = a[0] if head == "call" else ""
    if head in ("mul", "div"):
        (first, p), (second, q) = (logged(x) for x in a)
        return binary("add" if head == "mul" else "sub", first, second), (*p, *q)
    if function == "sqrt":
        inner, p = logged(a[1])
        return binary("div", inner, num(2)), p
    if function == "exp":
        return a[1], ()
    if head == "pow" and not _is_product(a[1]):
        inner, p = logged(a[0])
        return binary("mul", a[1], inner), p
    if function in ("factorial", "gamma"):
        return call("log", e), ()
    if function == "binom":
        logs = [call("log", call("factorial", x)) for x in (a[1], a[2], binary("sub", a[1], a[2]))]
        return binary("sub", binary("sub", logs[0], logs[1]), logs[2]), ()
    if has(e, *COUNTING):
        raise NoStatement("a factorial inside of a sum")
    simple = head == "num" and a[0] > 0 and max(a[0].numerator, a[0].denominator) <= LARGEST
    return _by_primes(a[0]) if simple else call("log", e), (e,)


def _by_primes(value: Fraction) -> Expression:
    """The logarithm of a number by those of its primes, so that log(8) is 3 log(2) in both sides."""
    from sympy import factorint

    logs = num(0)
    for part, way in ((value.numerator, "add"), (value.denominator, "sub")):
        for prime, power in factorint(part).items():
            log = call("log", num(prime))
            logs = binary(way, logs, log if power == 1 else binary("mul", num(power), log))
    return logs


# ---------------------------------------------------------------------------------------------------------- numbers


def by_slope(asked: Asked, x: str, r: Range) -> Iterator[tuple[Claims, str]]:
    """Both ends are tried: where the gap does not grow towards one, that one is the far end."""
    (larger, smaller, sign), c = turned(asked), asked.comparison
    gap = binary("sub", larger, smaller)
    low, high = rational(r.low), rational(r.high)
    try:
        moved = slope(gap, x)
    except NoSlope:
        return
    if sign not in (">", ">=") or low is None or high is None or has(gap, *COUNTING, "min", "max", "abs", "inf", "sup"):
        return
    inner = {**asked.ranges, x: replace(r, low_open=True, high_open=True)}
    there = replace(asked, ranges=inner)
    for end, value, down, side in ((r.high, high, "<=", -1), (r.low, low, ">=", 1)):
        falls = replace(there, comparison=Compare(moved, down, num(0)))
        if failing(falls, draws=600)[0] is not None:
            continue
        far = abs(value) == rational(INFINITY)
        near: Asked | Near = far_part(asked, x, INFINITY if value == rational(INFINITY) else end, 0 if far else side)
        if not far and goes_on(gap, x):  # then it is at least its value at the end
            near = at_end(replace(asked, comparison=Compare(c.left, c.sign[0] + "=", c.right)), x, end)
            falls = replace(there, comparison=Compare(moved, down[0] + sign[1:], num(0)))
        ends = [at_end(asked, x, e) for e, o in ((r.low, r.low_open), (r.high, r.high_open)) if not o]
        has_one = has_value(gap, inner, asked.conditions)
        yield (
            (falls, near, has_one, *ends),
            f"the gap of the sides falls towards {x} = {plain(end)}, and is {sign} 0 near it",
        )


def at_end(asked: Asked, x: str, end: Expression) -> Asked:
    c = asked.comparison
    others = {word: r for word, r in asked.ranges.items() if word != x}
    return replace(asked, comparison=Compare(put(c.left, {x: end}), c.sign, put(c.right, {x: end})), ranges=others)
