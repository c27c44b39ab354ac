"""A comparison with a variable in other units: gamma functions of n/2, ranges that are multiples of n, erfc(x)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor, inf, lcm, log
from typing import Any

from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.formulas.printing import plain
from banditproof.verify.judge.ways.points import Asked, seems_true, speaks_of, unused

UNITS = 12
MINUS_INFINITY = Expression("neg", (INFINITY,))


def in_whole_steps(asked: Asked) -> Iterator[tuple[Asked, str]]:
    """With k x for n, where gamma functions are of multiples of n/k: for all numbers x, of which n/k are some."""
    sides = (asked.comparison.left, asked.comparison.right)
    inside = [p.args[1] for side in sides for p in parts(side) if p.head == "call" and p.args[0] == "gamma"]
    if any(has(side, "sum", "prod", "factorial", "binom", "floor", "ceil") for side in sides):
        return
    for n, r in asked.ranges.items():
        found = [linear_part(z, n) for z in inside if n in names(z)]
        low, high = rational(r.low), rational(r.high)
        tied = any(n in names(s.low) | names(s.high) for s in asked.ranges.values())
        if tied or not found or None in found or low is None or high is None:
            continue
        k = lcm(*(of[0].denominator for of in found if of is not None))
        if not (1 < k <= UNITS or k == 1 and r.integer):
            continue
        x = unused("x", asked)
        begin, end = (num(e / k) if isinstance(e, Fraction) else shown for e, shown in ((low, r.low), (high, r.high)))
        ranges = {word: s for word, s in asked.ranges.items() if word != n} | {
            x: Range(begin, end, r.low_open, r.high_open)
        }
        there = {n: name(x) if k == 1 else binary("mul", num(k), name(x))}
        comparison, conditions = put((asked.comparison, asked.conditions), there)
        yield Asked(comparison, ranges, conditions, printed=False), f"for all numbers {x} = {n}/{k}"


def in_multiples(asked: Asked) -> Iterator[tuple[Asked, tuple[Asked, ...], str]]:
    """With n y for x, where x lies between multiples of n > 0, as its range or conditions say."""
    sides = (asked.comparison.left, asked.comparison.right)
    if any(has(side, "sum", "prod", "inf", "sup") for side in sides):
        return
    for x, r in asked.ranges.items():
        others = {word: s for word, s in asked.ranges.items() if word != x}
        tied = any(x in names(s.low) | names(s.high) for s in others.values())
        speaking = [c for c in asked.conditions if speaks_of(c, x)]
        within = r
        for c in speaking:
            within = within and _with_end(within, c, x)
        of = names(within.low) | names(within.high) if within is not None else ()
        if r.integer or tied or within is None or len(of) != 1 or x in of:
            continue
        (n,) = of
        low, high = _share(within.low, n), _share(within.high, n)
        if low is None or high is None:
            continue
        y = unused("y", asked)

        def change(e: Expression, x: str = x, n: str = n, y: str = y) -> Expression:
            if e == binary("div", name(x), name(n)):
                return name(y)
            return binary("mul", name(n), name(y)) if e == name(x) else mapped(e, change)

        comparison = Compare(change(sides[0]), asked.comparison.sign, change(sides[1]))
        conditions = tuple(c for c in asked.conditions if c not in speaking)
        ranges = {**others, y: Range(low, high, within.low_open, within.high_open)}
        positive = Asked(Compare(name(n), ">", num(0)), others, printed=False)
        yield Asked(comparison, ranges, conditions, printed=False), (positive,), f"{x} is written {n} {y}"


def in_logs(asked: Asked) -> Iterator[tuple[Asked, tuple[Asked, ...], str]]:
    """With L for -log(x), where x > 0 stands in logarithms of c x and c/x alone: log(c x) = log(c) - L for c > 0.

    For x >= 1 it is L = log(x), so that L is at least 0.

    Where an end of the range of L is no simple number, one beyond it stands for it, which asks for more.
    """
    for x, r in asked.ranges.items():
        low, high = rational(r.low), rational(r.high)
        tied = any(x in names(s.low) | names(s.high) for s in asked.ranges.values())
        if r.integer or tied or not isinstance(low, Fraction) or high is None or low < 0 or not (low or r.low_open):
            continue
        up, needed, turn = name(unused("L", asked)), [], -1 if low < 1 else 1

        def change(
            e: Expression, x: str = x, up: Expression = up, needed: list[Asked] = needed, turn: int = turn
        ) -> Expression:
            inside = list(factors_of(e.args[1])) if e.head == "call" and e.args[0] == "log" else []
            way = next((way for part, way in inside if part == name(x)), "")
            rest = [of for of in inside if of[0] != name(x)]
            if not way or len(rest) + 1 < len(inside) or any(x in names(part) for part, _ in rest):
                return mapped(e, change)
            c = num(1)
            for part, of in rest:
                c = binary(of, c, part)
            needed += [replace(asked, comparison=Compare(c, ">", num(0)), printed=False)] if names(c) else []
            falls = (way == "mul") == (turn < 0)
            if c == num(1):
                return Expression("neg", (up,)) if falls else up
            return binary("sub" if falls else "add", call("log", c), up)

        c, conditions = asked.comparison, tuple(cond for cond in asked.conditions if isinstance(cond, Compare))
        changed = [Compare(change(d.left), d.sign, change(d.right)) for d in (c, *conditions)]
        gone = not any(x in names(side) for d in changed for side in (d.left, d.right))
        if not gone or changed[0] == c or len(conditions) < len(asked.conditions):
            continue
        both = [(low, r.low_open or low == 0), (high, r.high_open or high == inf)][::turn]
        known = {1: num(0), 0: INFINITY, inf: INFINITY if turn > 0 else MINUS_INFINITY}
        begin = known.get(both[0][0]) or num(Fraction(floor(1000 * turn * log(both[0][0])) - 1, 1000))
        end = known.get(both[1][0]) or num(Fraction(ceil(1000 * turn * log(both[1][0])) + 1, 1000))
        opened = (both[0][0] in known and both[0][1], both[1][0] in known and both[1][1])
        ranges = {word: s for word, s in asked.ranges.items() if word != x} | {up.args[0]: Range(begin, end, *opened)}
        claim = Asked(changed[0], ranges, tuple(changed[1:]), printed=False)
        yield claim, tuple(needed), f"{up.args[0]} is {'-' if turn < 0 else ''}log({x})"


SPOILED = 0.03  # share of points that rounding may spoil
MOST_POWERS = 3  # numbers that stand for exponentials
_OF_POWER = {  # of u = exp(x)
    "exp": lambda u: u,
    "sinh": lambda u: binary("div", binary("sub", u, binary("div", num(1), u)), num(2)),
    "cosh": lambda u: binary("div", binary("add", u, binary("div", num(1), u)), num(2)),
    "tanh": lambda u: binary("div", binary("sub", square(u), num(1)), binary("add", square(u), num(1))),
}


def square(e: Expression) -> Expression:
    return binary("pow", e, num(2))


def in_exponentials(asked: Asked) -> Iterator[tuple[Asked, tuple[Asked, ...], str]]:
    """With a number for exp(m/k) of each product m of variables in exponents: of them only their order is kept.

    That asks for more, for numbers of which exp(x) and exp(a x) are some; a variable stands in exponents alone then.
    """
    try:
        sides = (asked.comparison.left, asked.comparison.right)
        powers = [p for e in sides for p in parts(e) if p.head == "call" and p.args[0] in _OF_POWER and names(p)]
        summed = {p.args[1]: _summands(p.args[1]) for p in powers}
    except NoStatement:
        return
    products = dict.fromkeys(m for of in summed.values() for m in of if names(m))
    if any(has(side, "sum", "prod", "inf", "sup") for side in sides) or not 0 < len(products) <= MOST_POWERS:
        return
    parted = {m: lcm(*(of[m].denominator for of in summed.values() if m in of)) for m in products}
    unit = {m: binary("div", m, num(k)) if k > 1 else m for m, k in parted.items()}
    number = {m: name(unused(f"power_{k}" if k else "power", asked)) for k, m in enumerate(products)}

    def power_of(exponent: Expression) -> Expression:
        whole = num(1)
        for m, q in summed[exponent].items():
            part = binary("pow", number[m], num(q * parted[m])) if m in number else call("exp", num(q))
            whole = binary("mul", whole, part)
        return whole

    def change(e: Expression) -> Expression:
        known = e.head == "call" and e.args[0] in _OF_POWER and e.args[1] in summed
        return _OF_POWER[e.args[0]](power_of(e.args[1])) if known else mapped(e, change)

    changed = Compare(change(sides[0]), asked.comparison.sign, change(sides[1]))
    kept = names(changed.left) | names(changed.right)
    gone = {x for m in products for x in names(m)} - kept
    tied = any(gone & (names(r.low) | names(r.high)) for r in asked.ranges.values())
    if not gone or tied:
        return
    ranges = {x: r for x, r in asked.ranges.items() if x not in gone}
    needed, within = [], []
    for m, e in number.items():
        above = next((c for c in (">", ">=", "<", "<=") if seems_true(_of(asked, unit[m], c, num(0)))), "")
        needed += [_of(asked, unit[m], above, num(0))] if above else []
        one = num(1) if above else num(0)
        ranges[e.args[0]] = (
            Range(num(0), one, True, above == "<") if above[:1] == "<" else Range(one, INFINITY, above != ">=", True)
        )
    for m, n in itertools.permutations(number, 2):
        order = next((c for c in (">", ">=") if seems_true(_of(asked, unit[m], c, unit[n]))), "")
        needed += [_of(asked, unit[m], order, unit[n])] if order else []
        within += [Compare(number[m], order, number[n])] if order else []
    conditions = (c for c in asked.conditions if not any(speaks_of(c, x) for x in gone))
    claim = Asked(changed, ranges, (*within, *conditions), printed=False)
    if seems_true(claim, spoiled=SPOILED):
        written = (f"exp({plain(unit[m])}) is written {e.args[0]}" for m, e in number.items())
        yield claim, tuple(needed), ", ".join(written)


def _of(asked: Asked, left: Expression, sign: str, right: Expression) -> Asked:
    return replace(asked, comparison=Compare(left, sign, right), printed=False)


def _summands(exponent: Expression) -> dict[Expression, Fraction]:
    """A polynomial as rational multiples of products of variables; what is no product is a multiple of 1."""
    import sympy

    from banditproof.verify.judge.formulas.symbolic import from_sympy, to_sympy

    symbols = {word: sympy.Symbol(word) for word in names(exponent)}
    whole = sympy.expand(to_sympy(exponent, symbols))
    found = {}
    for m, q in whole.as_coefficients_dict().items():
        if not q.is_Rational or not m.is_polynomial():
            raise NoStatement("no polynomial with rational factors")
        found[from_sympy(m)] = Fraction(int(q.p), int(q.q))
    return found


def in_roots(asked: Asked) -> Iterator[tuple[Asked, str]]:
    """With s^m for each x >= 0 of which powers x^(k/m) stand in the sides, so that log(x) is m log(s)."""
    sides = (asked.comparison.left, asked.comparison.right)
    powers = {x: q for side in sides for p in parts(side) for x, q in _broken_power(p) if x in asked.ranges}
    m = lcm(*powers.values())
    m = lcm(m, 2) if any(p == call("sqrt", name(x)) for side in sides for p in parts(side) for x in powers) else m
    ends = {x: [_root_of_end(e, m) for e in (asked.ranges[x].low, asked.ranges[x].high)] for x in powers}
    tied = any(powers.keys() & (names(s.low) | names(s.high)) for s in asked.ranges.values())
    counts = any(has(side, "sum", "prod", "inf", "sup") for side in sides) or any(asked.ranges[x].integer for x in ends)
    if not 2 < m <= UNITS or tied or counts or any(None in pair for pair in ends.values()):
        return
    root = {x: name(unused(f"root_{x}", asked)) for x in powers}
    squared = {name(x): binary("pow", s, num(m)) for x, s in root.items()}
    of_call = {call("log", name(x)): binary("mul", num(m), call("log", s)) for x, s in root.items()}
    of_call |= {call("sqrt", name(x)): binary("pow", s, num(Fraction(m, 2))) for x, s in root.items()}

    def change(e: Expression) -> Expression:
        if e.head == "pow" and e.args[0] in squared and isinstance(power := rational(e.args[1]), Fraction):
            return binary("pow", root[e.args[0].args[0]], num(power * m))
        return squared.get(e) or of_call.get(e) or mapped(e, change)

    def changed(c: Sentence) -> Sentence:
        """The order of two numbers is that of their roots."""
        if not isinstance(c, Compare) or {c.left, c.right} <= squared.keys():
            return put(c, root)
        return Compare(change(c.left), c.sign, change(c.right))

    ranges = {n: r for n, r in asked.ranges.items() if n not in powers}
    for x, (low, high) in ends.items():
        ranges[root[x].args[0]] = replace(asked.ranges[x], low=low, high=high)
    comparison = Compare(change(sides[0]), asked.comparison.sign, change(sides[1]))
    because = ", ".join(f"{x} is written {s.args[0]}^{m}" for x, s in root.items())
    yield Asked(comparison, ranges, tuple(changed(c) for c in asked.conditions), printed=False), because


def in_nested_roots(asked: Asked) -> Iterator[tuple[Asked, tuple[Asked, ...], str]]:
    """With t for a root of a x below another root, x being t^2/a; what is a square then is seen below the other one."""
    sides = (asked.comparison.left, asked.comparison.right)
    roots = [p for side in sides for p in outside(side) if _is_root(p)]
    for inner in dict.fromkeys(p for e in roots for p in parts(e.args[1]) if _is_root(p)):
        for x, r in asked.ranges.items():
            of = linear_part(inner.args[1], x)
            tied = any(x in names(s.low) | names(s.high) for s in asked.ranges.values())
            tied = tied or any(speaks_of(c, x) for c in asked.conditions)
            if of is None or of[0] <= 0 or rational(of[1]) != 0 or tied or replace(r, low_open=True) != HALF_LINE:
                continue
            t = unused("t", asked)
            there = {x: binary("mul", num(1 / of[0]), binary("pow", name(t), num(2)))}
            ranges = {n: s for n, s in asked.ranges.items() if n != x} | {t: r}
            left, right = (put(replaced(side, inner, name(t)), there) for side in sides)
            claim = Asked(Compare(left, asked.comparison.sign, right), ranges, asked.conditions, printed=False)
            yield *_with_squares(claim), f"{x} is written {plain(there[x])}"


def in_probabilities(asked: Asked) -> Iterator[tuple[Asked, tuple[Asked, ...], str]]:
    """With q for p + d inside of kl(p, p + d), which is a probability, so that d is the distance of two of them."""
    sides = (asked.comparison.left, asked.comparison.right)
    found = [
        p
        for side in sides
        for call_ in outside(side)
        if call_.head == "call" and call_.args[0] == "kl"
        for p in call_.args[1:]
    ]
    if any(has(side, "sum", "prod", "inf", "sup") for side in sides):
        return
    sums = [e for e in dict.fromkeys(found) if e.head != "var"]
    for p, d in ((e, word) for e in sums for word in sorted(names(e) & asked.ranges.keys())):
        of, r = linear_part(p, d), asked.ranges[d]
        tied = any(d in names(s.low) | names(s.high) for s in asked.ranges.values())
        beside = any(d in names(e) for e in found if e != p)  # it would be a sum then
        if of is None or not of[0] or r.integer or tied or beside or not names(of[1]):
            continue
        within = [
            replace(asked, comparison=Compare(p, sign + "=", num(end)), printed=False)
            for sign, end in ((">", 0), ("<", 1))
        ]
        inside = [replace(w, comparison=replace(w.comparison, sign=w.comparison.sign[0])) for w in within]
        needed = tuple(strict if seems_true(strict) else w for w, strict in zip(within, inside, strict=True))
        if not all(map(seems_true, needed)):
            continue
        q = unused("q", asked)
        there = {
            d: binary("div", binary("sub", name(q), of[1]), num(of[0])) if of[0] != 1 else binary("sub", name(q), of[1])
        }

        def change(c: Compare, p: Expression = p, q: str = q, there: dict[str, Expression] = there) -> Compare:
            left, right = (put(replaced(e, p, name(q)), there) for e in (c.left, c.right))
            return Compare(left, c.sign, right)

        ends = [Compare(there[d], ">" + "="[r.low_open :], r.low)] if r.low != MINUS_INFINITY else []
        ends += [Compare(there[d], "<" + "="[r.high_open :], r.high)] if r.high != INFINITY else []
        conditions = (*ends, *(change(c) for c in asked.conditions if isinstance(c, Compare)))
        opened = [needed[0].comparison.sign == ">", needed[1].comparison.sign == "<"]
        ranges = {n: s for n, s in asked.ranges.items() if n != d} | {q: Range(num(0), num(1), *opened)}
        if len(conditions) == len(ends) + len(asked.conditions):
            claim = Asked(change(asked.comparison), ranges, conditions, printed=False)
            for c in conditions:  # most of them only say that q is a probability
                less = replace(claim, conditions=tuple(o for o in claim.conditions if o != c))
                claim = less if seems_true(less) else claim
            yield claim, needed, f"{plain(p)} is written {q}"


def _is_root(e: Expression) -> bool:
    return e.head == "call" and e.args[0] == "sqrt" and bool(names(e.args[1]))


def _with_squares(asked: Asked) -> tuple[Asked, tuple[Asked, ...]]:
    """The comparison with q for each root of q^2, and that q >= 0."""
    needed: list[Asked] = []

    def change(e: Expression) -> Expression:
        e = mapped(e, change)
        square = _square_root(e.args[1], asked) if _is_root(e) else None
        if square is None:
            return e
        needed.append(replace(asked, comparison=Compare(square, ">=", num(0))))
        return square

    c = asked.comparison
    left, right = change(c.left), change(c.right)
    return replace(asked, comparison=Compare(left, c.sign, right)), tuple(needed)


def _square_root(e: Expression, asked: Asked) -> Expression | None:
    """q where a polynomial is q^2 and q seems to be 0 or more."""
    import sympy

    from banditproof.verify.judge.formulas.symbolic import from_sympy, to_sympy

    symbols = {word: sympy.Symbol(word) for word in names(e)}
    try:
        found: Any = sympy.factor_list(to_sympy(e, symbols))
        factor, powers = found
        q = from_sympy(sympy.sqrt(factor) * sympy.prod(f ** (k // 2) for f, k in powers))
    except (NoStatement, sympy.PolynomialError):
        return None
    if any(k % 2 for _, k in powers):
        return None
    return next((e for e in (q, negative(q)) if seems_true(replace(asked, comparison=Compare(e, ">=", num(0))))), None)


def _broken_power(e: Expression) -> Iterator[tuple[str, int]]:
    """x and m of x^(k/m)."""
    power = rational(e.args[1]) if e.head == "pow" and e.args[0].head == "var" else None
    if isinstance(power, Fraction) and power.denominator > 1:
        yield e.args[0].args[0], power.denominator


def _root_of_end(end: Expression, m: int) -> Expression | None:
    """The m-th root of an end of a range of numbers from 0 on, where it is simple."""
    value = rational(end)
    if value == inf or not isinstance(value, Fraction) or value < 0:
        return end if value == inf else None
    near = Fraction(round(value.numerator ** (1 / m)), round(value.denominator ** (1 / m)))
    return num(near) if near**m == value else None


def in_normal_units(asked: Asked) -> Iterator[tuple[Asked, str]]:
    """With y/sqrt(2) for x, so that erfc(x) is 2 Phi(-y) and erf(x) is 2 Phi(y) - 1."""
    sides, two = (asked.comparison.left, asked.comparison.right), num(2)
    for x, r in asked.ranges.items():
        of_x = [call(word, name(x)) for word in ("erf", "erfc")]
        ends = (r.low in (num(0), MINUS_INFINITY), r.high in (num(0), INFINITY))
        tied = any(x in names(s.low) | names(s.high) for s in asked.ranges.values())
        if tied or r.integer or not all(ends) or any(speaks_of(c, x) for c in asked.conditions):
            continue
        if not any(e in parts(side) for e in of_x for side in sides):
            continue
        y = unused("y", asked)

        def change(e: Expression, x: str = x, y: str = y) -> Expression:
            if e.head == "call" and e.args[0] in ("erf", "erfc") and e.args[1] == name(x):
                sign = name(y) if e.args[0] == "erf" else Expression("neg", (name(y),))
                twice = binary("mul", two, call("Phi", sign))
                return binary("sub", twice, num(1)) if e.args[0] == "erf" else twice
            if e == binary("pow", name(x), two):
                return binary("div", binary("pow", name(y), two), two)
            return binary("div", name(y), call("sqrt", two)) if e == name(x) else mapped(e, change)

        comparison = Compare(change(sides[0]), asked.comparison.sign, change(sides[1]))
        ranges = {word: s for word, s in asked.ranges.items() if word != x} | {y: r}
        yield replace(asked, comparison=comparison, ranges=ranges, printed=False), f"{x} is written {y}/sqrt(2)"


def _with_end(r: Range, c: Sentence, x: str) -> Range | None:
    """A range of x with what a condition says of an end that it does not have yet."""
    if not isinstance(c, Compare) or c.sign[0] not in "<>":
        return None
    small, large = (c.left, c.right) if c.sign[0] == "<" else (c.right, c.left)
    open_ = not c.sign[1:]
    if large == name(x) and r.low == MINUS_INFINITY:
        return replace(r, low=small, low_open=open_)
    return replace(r, high=large, high_open=open_) if small == name(x) and r.high == INFINITY else None


def _share(end: Expression, n: str) -> Expression | None:
    """a of an end a n; infinite ends stay."""
    if end in (INFINITY, MINUS_INFINITY):
        return end
    of = linear_part(end, n)
    return num(of[0]) if of is not None and rational(of[1]) == 0 else None
