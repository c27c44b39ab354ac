"""A comparison with a bound in place of a part of it: a binomial, a sum of binomials, a relative entropy.

Where the comparison gets harder as the part grows, an upper bound of it may stand there, and a lower one where it gets
easier.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any

from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.ways.forms import in_either_order
from banditproof.verify.judge.ways.known_sums import Parted, is_whole
from banditproof.verify.judge.ways.pieces import fixed_sums, summands
from banditproof.verify.judge.ways.points import Asked, seems_true, speaks_of

ZERO, ONE, ROUNDING = num(0), num(1), num(Fraction(1, 10**9))


@dataclass(frozen=True)
class Bound:
    """A formula that a part is at most (`upper`) or at least, where comparisons hold, and the fact that says so."""

    upper: bool
    formula: Expression
    where: tuple[Compare, ...]
    fact: str = ""
    lemma: Asked | None = None  # that it is one, to be shown, where that is no fact


def by_bounds(asked: Asked) -> Iterator[tuple[Asked, tuple[Asked, ...], Bound]]:
    """The comparison with a bound for one part, what else has to hold for it, and the bound."""
    sign, sides = asked.comparison.sign, (asked.comparison.left, asked.comparison.right)
    if sign[0] not in "<>":
        return
    larger, smaller = sides if sign[0] == ">" else sides[::-1]
    found = dict.fromkeys(p for side in sides for p in outside(side))
    for part in found:
        bounds = [*((asked, bound) for bound in _bounds(part, asked)), *_of_conditions(part, asked)]
        if not bounds:
            continue
        s = "part"
        if s in asked.ranges:
            return
        if (steps := rising(larger, part, asked)) is not None and part not in list(outside(smaller)):
            lower = ((free, replace(b, where=()) if part.head == "var" else b) for free, b in bounds if not b.upper)
            yield from _with(asked, part, lower, steps)
            continue
        gap = replaced(binary("sub", larger, smaller), part, name(s))
        try:
            moved = slope(gap, s)
        except NoSlope:
            continue
        ranges = {**asked.ranges, s: _range_of(part, asked)}
        falls = replace(asked, comparison=Compare(moved, "<=", ZERO), ranges=ranges)
        rises = replace(asked, comparison=Compare(moved, ">=", ZERO), ranges=ranges)
        way = next((upper for upper, claim in ((True, falls), (False, rises)) if seems_true(claim)), None)
        if way is not None:
            yield from _with(asked, part, (b for b in bounds if b[1].upper is way), [falls if way else rises])


def cut_at_1(asked: Asked) -> tuple[tuple[Asked, ...], str] | None:
    """The comparison below 1, and from 1 on, for each number above 0 in a power: other bounds hold there."""
    sides = (asked.comparison.left, asked.comparison.right)
    powers = [p for side in sides for p in outside(side) if p.head == "pow" and all(map(names, p.args))]
    cut = [x for x, r in asked.ranges.items() if r == HALF_LINE and any(x in names(p) for p in powers)]
    if not 1 <= len(cut) <= 2:
        return None
    halves = replace(HALF_LINE, high=ONE), replace(HALF_LINE, low=ONE, low_open=False)
    pieces = (dict(zip(cut, of, strict=True)) for of in product(halves, repeat=len(cut)))
    claims = tuple(replace(asked, ranges={**asked.ranges, **piece}) for piece in pieces)
    return claims, f"{' and '.join(cut)} {'is' if len(cut) == 1 else 'are'} cut at 1"


def _range_of(part: Expression, asked: Asked) -> Range:
    """Where the values of a part lie, but for 0 where its bound is 0 too."""
    if part.head == "var":
        return replace(asked.ranges[part.args[0]], integer=False)
    if part.head == "call" and part.args[0] == "log":
        return Range(Expression("neg", (INFINITY,)), INFINITY, True, True)
    law = part.head == "sum" and _binomial_law(part.args[0], part.args[3]) is not None
    if law or part.head == "sum" and not is_whole(part.args[2], asked.ranges, 0):
        return Range(ZERO, INFINITY, False, True)
    counts = part.head == "sum" or (part.head == "call" and part.args[0] == "binom")
    return Range(ONE, INFINITY, False, True) if counts else Range(ZERO, INFINITY, True, True)


def _with(
    asked: Asked, part: Expression, bounds: Iterable[tuple[Asked, Bound]], claims: list[Asked]
) -> Iterator[tuple[Asked, tuple[Asked, ...], Bound]]:
    for free, bound in bounds:
        sides = (replaced(e, part, bound.formula) for e in (asked.comparison.left, asked.comparison.right))
        left, right = sides
        instead = replace(free, comparison=Compare(left, asked.comparison.sign, right))
        needed = tuple(replace(asked, comparison=w) for w in bound.where)
        less, more = (left, right) if asked.comparison.sign[0] == "<" else (right, left)
        eased = Compare(less, "<=", binary("add", more, ROUNDING))  # both sides may be the same and small
        if all(map(seems_true, (replace(free, comparison=eased), *needed))):
            yield instead, (*claims, *needed), bound


def rising(e: Expression, part: Expression, asked: Asked) -> list[Asked] | None:
    """What shows that a formula does not fall, and keeps its value, as a part grows; None where its form does not."""
    if e == part or part not in list(outside(e)):
        return []
    head, a = e.head, e.args
    if head == "add":
        both = [rising(x, part, asked) for x in a]
        return None if None in both else [c for claims in both for c in claims or ()]
    if head == "call" and a[0] in ("sqrt", "exp", "log"):
        return rising(a[1], part, asked)
    if head in ("sub", "mul", "div"):
        changing = [part in list(outside(x)) for x in a]
        if all(changing) or (head != "mul" and changing[1]):
            return None
        inner, other = (a[0], a[1]) if changing[0] else (a[1], a[0])
        sign = ">" if head == "div" else ">="
        steps = rising(inner, part, asked)
        if head == "sub" or steps is None:
            return steps
        return [*steps, replace(asked, comparison=Compare(other, sign, ZERO))]
    return None


def in_order(asked: Asked, of: Expression) -> tuple[Asked, ...]:
    """A comparison for p < q, for q < p and for p = q, where `of` is kl(p, q), without the larger of the two."""
    p, q = (e.args[0] for e in of.args[1:])
    sign, sides = asked.comparison.sign, (asked.comparison.left, asked.comparison.right)
    left, right = (in_either_order(side, p, q) for side in sides)
    if len(left) == len(right) == 1 or asked.conditions:
        return (asked,)
    cases = [
        Asked(Compare(a, sign, b), asked.ranges, some or others)
        for (a, some), (b, others) in zip(left * (2 // len(left)), right * (2 // len(right)), strict=True)
    ]
    same = {p: name(q)}
    equal = Compare(put(asked.comparison.left, same), asked.comparison.sign, put(asked.comparison.right, same))
    return *cases, Asked(equal, {n: r for n, r in asked.ranges.items() if n != p})


def _of_conditions(part: Expression, asked: Asked) -> Iterator[tuple[Asked, Bound]]:
    """What conditions say of a variable, each with the comparison without that condition.

    Its bound has to lie in the range of the variable, on which the comparison moves one way. A variable inside of a
    sum is left alone, since what moves with it is told by the form around sums.
    """
    x = part.args[0] if part.head == "var" else ""
    sides, r = (asked.comparison.left, asked.comparison.right), asked.ranges.get(x)
    bound = any(p.head in ("sum", "prod", "inf", "sup") and x in names(p) for side in sides for p in parts(side))
    if r is None or bound:
        return
    for c in asked.conditions:
        if not isinstance(c, Compare) or c.sign[0] not in "<>":
            continue
        found = linear_part(binary("sub", c.left, c.right), x)
        if found is None or not found[0]:
            continue
        k, rest = found
        upper = (k > 0) == (c.sign[0] == "<")
        formula = binary("div", rest, num(-k))
        end, sign = (r.high, "<" + "=" * (not r.high_open)) if upper else (r.low, ">" + "=" * (not r.low_open))
        where = (Compare(formula, sign, end),) if abs(rational(end) or 0) != inf else ()
        others = tuple(d for d in asked.conditions if d is not c)
        ends = {word for n, s in asked.ranges.items() for word in names(s.low) | names(s.high)}
        gone = x not in ends and not any(speaks_of(d, x) for d in others)
        ranges = {n: s for n, s in asked.ranges.items() if n != x or not gone}
        yield replace(asked, ranges=ranges, conditions=others, printed=False), Bound(upper, formula, where)


def _bounds(part: Expression, asked: Asked) -> Iterator[Bound]:
    if part.head == "call" and part.args[0] == "binom":
        n, k = part.args[1:]
        if is_whole(n, asked.ranges, 0) and is_whole(k, asked.ranges, 0):
            yield from _of_binomial(n, k)
            yield from _by_entropy(n, k, [asked.comparison.left, asked.comparison.right])
    elif part.head == "call" and part.args[0] == "kl" and not asked.conditions:
        yield from _of_entropy(part, asked.ranges)
    elif part.head == "call" and part.args[0] == "Phi":
        yield from _of_normal_law(part.args[1])
    elif part.head == "call" and part.args[0] == "abs":
        yield from (Bound(False, u, ()) for u in (part.args[1], negative(part.args[1])))
    elif part.head == "pow" and part.args[1] == num(2) and asked.conditions:
        yield from _of_distances(part.args[0], asked)  # type: ignore[arg-type]
    elif part.head == "pow" and all(map(names, part.args)):  # pyright: ignore[reportArgumentType]
        yield from _of_power(*part.args)
    elif part.head == "add" or (part.head == "call" and part.args[0] == "log" and part.args[1].head == "add"):
        yield from _of_two_points(part, asked)
    elif part.head == "sum":
        index, low, high, body = part.args
        n = body.args[1] if body.head == "call" and body.args[0] == "binom" and body.args[2] == name(index) else None
        if n is not None and low == ZERO and is_whole(n, asked.ranges, 0) and index not in names(n):
            yield from _of_a_sum(n, high, is_whole(high, asked.ranges, 0))
        if (law := _binomial_law(index, body)) is not None and all(
            is_whole(e, asked.ranges, 0) for e in (law[0], low, high)
        ):
            yield from _of_a_tail(*law, low, high)


def _of_binomial(n: Expression, k: Expression) -> Iterator[Bound]:
    some, inside = Compare(k, ">=", ONE), Compare(k, "<=", n)
    ratio = binary("div", n, k)
    euler = binary("mul", Expression("const", ("e",)), ratio)
    rest = binary("sub", n, k)
    entropy = binary("mul", binary("pow", ratio, k), binary("pow", binary("div", n, rest), rest))
    of_factors = "binom(n, k) is the product of (n - i)/(k - i) for i < k, each of which is at least n/k"
    yield Bound(False, binary("pow", ratio, k), (some, inside), of_factors)
    yield Bound(False, ONE, (inside,), "binom(n, k) >= 1 for k <= n")
    fact = "binom(n, k) <= n^k/k! <= (e n/k)^k"
    yield Bound(True, binary("pow", euler, k), (some, inside), fact)
    ordered = binary("div", binary("pow", n, k), call("factorial", k))
    yield Bound(True, ordered, (inside,), "binom(n, k) k! is a product of k numbers of at most n")
    yield Bound(True, entropy, (some, Compare(rest, ">=", ONE)), "binom(n, k) x^k (1 - x)^(n - k) <= 1, with x = k/n")
    yield Bound(True, binary("pow", n, k), (inside,), "binom(n, k) <= n^k")
    yield Bound(True, binary("pow", num(2), n), (inside,), "binom(n, k) is a term of a sum that is 2^n")


def _by_entropy(n: Expression, k: Expression, sides: Sequence[Expression]) -> Iterator[Bound]:
    """Stirling's bounds, with e^(n h(k/n)) told by logarithms, or by powers where the sides tell it so."""
    rest = binary("sub", n, k)
    by_logs = binary("add", *(binary("mul", x, call("log", binary("div", x, n))) for x in (k, rest)))
    by_powers = binary("mul", *(binary("pow", binary("div", n, x), x) for x in (k, rest)))
    powers = [p for side in sides for p in outside(side) if p.head == "pow" and all(map(names, p.args))]  # pyright: ignore[reportArgumentType]
    forms = {
        call("exp", Expression("neg", (by_logs,))): any(has(side, "log") for side in sides),
        by_powers: bool(powers),
    }
    some, mean = Compare(k, ">=", ONE), binary("div", binary("mul", k, rest), n)
    for power, upper in product((form for form, told in forms.items() if told), (False, True)):
        factor, order, c = (binary("mul", num(2), PI), "<=", "2 pi") if upper else (num(8), ">=", "8")
        bound = binary("div", power, call("sqrt", binary("mul", factor, mean)))
        by_stirling = f"binom(n, k) {order} e^(n h(k/n))/sqrt({c} k (n - k)/n) for 0 < k < n, by Stirling's formula"
        yield Bound(upper, bound, (some, Compare(rest, ">=", ONE)), by_stirling)


def by_identities(asked: Asked) -> Iterator[tuple[Asked, tuple[Asked, ...], str]]:
    """The comparison with a binomial told by others that stand in it, and what has to hold: Pascal's rule, symmetry."""
    sides = (asked.comparison.left, asked.comparison.right)
    found = list(dict.fromkeys(p for side in sides for p in outside(side) if p.head == "call" and p.args[0] == "binom"))
    for part in found:
        n, k = part.args[1:]
        less = (binary("sub", n, ONE), binary("sub", k, ONE))
        above = [p for p in found if _same(p.args[1], less[0])]
        beside = [p for j in (k, less[1]) for p in [q for q in above if _same(q.args[2], j)][:1]]
        mirror = [p for p in found if p != part and _same(p.args[1], n) and _same(binary("sub", n, k), p.args[2])]
        whole = all(is_whole(name(word), asked.ranges, 0) for word in names(part))
        if len(beside) == 2 and whole:
            instead, where, fact = binary("add", *beside), ((n, ONE), (k, ONE)), "Pascal's rule"
        elif mirror and whole:
            instead, where, fact = mirror[0], ((k, ZERO), (n, k)), "binom(n, k) = binom(n, n - k)"
        else:
            continue
        left, right = (replaced(side, part, instead) for side in sides)
        needed = tuple(replace(asked, comparison=Compare(a, ">=", b), printed=False) for a, b in where)
        yield replace(asked, comparison=Compare(left, asked.comparison.sign, right), printed=False), needed, fact
        return


def _same(a: Expression, b: Expression) -> bool:
    """Whether two formulas are one and the same sum of variables and numbers."""
    import sympy

    from banditproof.verify.judge.formulas.symbolic import to_sympy

    symbols = {word: sympy.Symbol(word) for word in names(a) | names(b)}
    try:
        return bool(sympy.expand(to_sympy(a, symbols) - to_sympy(b, symbols)) == 0)
    except NoStatement:
        return False


def _of_a_sum(n: Expression, d: Expression, whole: bool) -> Iterator[Bound]:
    """Of binom(n, i) over i from 0 to d."""
    if whole:
        some, inside = Compare(d, ">=", ONE), Compare(d, "<=", n)
        euler = binary("mul", Expression("const", ("e",)), binary("div", n, d))
        fact = "sum(binom(n, i), i=0..d) <= (n/d)^d (1 + d/n)^n <= (e n/d)^d for 1 <= d <= n"
        yield Bound(True, binary("pow", euler, d), (some, inside), fact)
        some_words = "sum(binom(n, i), i=0..d) counts subsets of at most d things, of which"
        more = binary("pow", binary("add", n, ONE), d)
        yield Bound(True, binary("add", binary("pow", n, d), ONE), (), f"{some_words} there are at most n^d + 1")
        yield Bound(True, more, (), f"{some_words} there are at most (n + 1)^d")
    share = d.args[1] if d.head == "call" and d.args[0] == "floor" else d
    alpha = binary("div", share, n)
    if share.head == "mul" and n in share.args:
        alpha = share.args[1 - share.args.index(n)]
    rest = binary("sub", ONE, alpha)
    inside = (Compare(alpha, ">", ZERO), Compare(alpha, "<=", binary("div", ONE, num(2))))
    logs = (binary("mul", x, call("log", x)) for x in (alpha, rest))
    entropy = Expression("neg", (binary("add", *logs),))
    fact = "for x <= 1/2 every binom(n, i) with i <= x n is at most binom(n, i) x^i (1 - x)^(n - i) e^(n H(x))"
    yield Bound(True, call("exp", binary("mul", n, entropy)), inside, fact)
    yield Bound(True, binary("pow", num(2), n), (), "all binom(n, i) together are 2^n")


def _binomial_law(index: str, body: Expression) -> tuple[Expression, Expression] | None:
    """n and p where a summand is the chance of k successes in n trials."""
    of = Parted(index)
    try:
        of.take(body, 1)
    except NoStatement:
        return None
    bare = not (of.power or of.factorials or of.inside or of.where) and of.constant == ONE
    if not bare or len(of.binomials) != 1 or len(of.bases) != 2:
        return None
    ((n, k),) = of.binomials
    for (p, a, b), (q, c, d) in (of.bases, of.bases[::-1]):
        if k == name(index) and (a, b, c, d) == (ONE, ZERO, num(-1), n) and q == binary("sub", ONE, p):
            return n, p
    return None


def _of_a_tail(n: Expression, p: Expression, low: Expression, high: Expression) -> Iterator[Bound]:
    inside = [Compare(p, ">", ZERO), Compare(p, "<", ONE), Compare(n, ">=", ONE)]
    mean, fact = binary("mul", n, p), "P(X >= m) <= exp(-n kl(m/n, p)) for m >= n p, Chernoff's bound, and so below"
    for m, other, sign in ((low, (high, n), ">="), (high, (low, ZERO), "<=")):
        if other[0] == other[1]:
            entropy = binary("mul", n, call("kl", binary("div", m, n), p))
            ends = (Compare(m, sign, mean), Compare(m, "<=", n))
            yield Bound(True, call("exp", Expression("neg", (entropy,))), (*inside, *ends), fact)


def _of_entropy(part: Expression, ranges: Mapping[str, Range]) -> Iterator[Bound]:
    """Refined inequalities of Pinsker, and that of Bretagnolle and Huber, which are shown."""
    p, q = part.args[1:]
    if p.head != "var" or q.head != "var" or p == q or not names(part) <= ranges.keys():
        return
    square = binary("pow", binary("sub", p, q), num(2))
    inner = {n: ranges[n] for n in ranges if n in names(part)}
    # kl(p, q) is the integral of (p - t)/(t (1 - t)) from q to p, and 1/(t (1 - t)) >= 4 + 4 (1 - 2 t)^2. That
    # integral is 2 d^2 + 8 d^2 (p - 1/2 - 2 d/3)^2 + 4/9 d^4 with d = p - q.
    away = binary("sub", p, num(Fraction(1, 2)))
    middle = binary("sub", away, binary("mul", num(Fraction(2, 3)), binary("sub", p, q)))
    fourth = binary("mul", num(Fraction(4, 9)), binary("pow", binary("sub", p, q), num(4)))
    bent = binary("mul", binary("mul", num(8), square), binary("pow", middle, num(2)))
    refined = binary("add", binary("mul", num(2), square), fourth)
    exact = binary("add", refined, bent)
    for below in (
        binary("mul", num(2), square),
        exact,
        binary("div", square, binary("mul", num(2), call("max", p, q))),
        Expression("neg", (call("log", binary("sub", ONE, square)),)),
    ):
        yield Bound(False, below, (), "", Asked(Compare(part, ">=", below), inner))


def _of_normal_law(x: Expression) -> Iterator[Bound]:
    half = num(Fraction(1, 2))
    rest = call("exp", Expression("neg", (binary("div", binary("mul", num(2), binary("pow", x, num(2))), PI),)))
    above = binary("add", half, binary("mul", half, call("sqrt", binary("sub", ONE, rest))))
    fact = "Phi(x) <= 1/2 + sqrt(1 - exp(-2 x^2/pi))/2 for x >= 0, Polya's inequality"
    yield Bound(True, above, (Compare(x, ">=", ZERO),), fact)
    part, square = call("Phi", x), binary("pow", x, num(2))
    beyond = binary("mul", half, call("exp", Expression("neg", (binary("div", square, num(2)),))))
    below = binary("sub", ONE, beyond)
    yield Bound(False, below, (Compare(x, ">=", ZERO), Compare(part, ">=", below)))
    yield Bound(True, beyond, (Compare(x, "<=", ZERO), Compare(part, "<=", beyond)))


def _of_power(u: Expression, v: Expression) -> Iterator[Bound]:
    less, fact = binary("sub", u, ONE), "u^v <= 1 + v (u - 1) for u > 0, v in [0, 1], Bernoulli's inequality"
    inside = (Compare(u, ">", ZERO), Compare(v, ">=", ZERO), Compare(v, "<=", ONE))
    chord = binary("add", ONE, binary("mul", v, less))
    yield Bound(True, chord, inside, fact)
    yield Bound(False, binary("div", u, binary("sub", u, binary("mul", v, less))), inside, f"{fact}, for 1/u")
    yield Bound(False, chord, (inside[0], Compare(v, ">=", ONE)), "u^v >= 1 + v (u - 1) for u > 0, v >= 1")


def _of_distances(total: Expression, asked: Asked) -> Iterator[Bound]:
    """(sum abs(a_i))^2 <= (sum w_i) (sum a_i^2/w_i), where weights w_i of what stands in a_i have a fixed sum."""
    distances = [e for _, e in summands(total, True)]
    fixed = fixed_sums(asked)
    if len(fixed) != 2 or len(distances) < 2 or any(e.head != "call" or e.args[0] != "abs" for e in distances):
        return
    blocks = [names(e) for e in distances]
    if sorted(v for block in blocks for v in block) != sorted(asked.ranges):
        return
    for share in SHARES:
        weights = {
            v: share_ * w for (of, _), share_ in zip(fixed, (share, 1 - share), strict=True) for v, w in of.items()
        }
        whole = share * fixed[0][1] + (1 - share) * fixed[1][1]
        bound, where = ZERO, []
        for distance, block in zip(distances, blocks, strict=True):
            weight = ZERO
            for v in asked.ranges:
                weight = binary("add", weight, binary("mul", num(weights[v]), name(v))) if v in block else weight
            bound = binary("add", bound, binary("div", binary("pow", distance.args[1], num(2)), weight))
            where.append(Compare(weight, ">", ZERO))
        fact = "(sum |a|)^2 <= (sum w) (sum a^2/w) for w > 0, the inequality of Cauchy and Schwarz"
        yield Bound(True, binary("mul", num(whole), bound), tuple(where), fact)


SHARES = tuple(Fraction(n, 3) for n in (1, 2)) + (Fraction(1, 2),)


def _of_two_points(part: Expression, asked: Asked) -> Iterator[Bound]:
    """Of p e^s + (1 - p) e^r, and of its logarithm: the moments of a law on two points."""
    import sympy

    from banditproof.verify.judge.formulas.symbolic import from_sympy, symbols_of, to_sympy

    inside = part.args[1] if part.head == "call" else part
    if not any(e.head == "call" and e.args[0] == "exp" for e in outside(inside)):
        return
    try:
        e = sympy.expand(to_sympy(inside, symbols_of(asked.ranges)), power_exp=False, power_base=False)
    except (NoStatement, KeyError):
        return
    weights: dict[Any, Any] = {}
    for term in sympy.Add.make_args(e):
        weight, power = term.as_independent(*term.atoms(sympy.exp)) if term.has(sympy.exp) else (term, sympy.S.One)
        exponent = power.args[0] if isinstance(power, sympy.exp) else sympy.S.Zero if power == 1 else None
        weights[exponent] = weights.get(exponent, sympy.S.Zero) + weight
    total: Any = sum(weights.values(), sympy.S.Zero)
    if len(weights) != 2 or None in weights or sympy.simplify(total - 1) != 0:
        return
    (s, p), (r, _) = sorted(weights.items(), key=lambda item: (len(str(item[1])), str(item)))
    try:
        p_, mean, square = (from_sympy(x) for x in (p, p * s + (1 - p) * r, (s - r) ** 2))
    except NoStatement:
        return
    rest = binary("sub", ONE, p_)
    odds = call("log", binary("div", rest, p_))
    factor = binary("div", binary("sub", ONE, binary("mul", num(2), p_)), binary("mul", num(4), odds))
    bound = binary("add", mean, binary("mul", factor, square))
    fact = "log(p e^t + 1 - p) <= p t + (1 - 2 p)/(4 log((1 - p)/p)) t^2, the inequality of Kearns and Saul"
    above = bound if part.head == "call" else call("exp", bound)
    half = num(Fraction(1, 2))
    for apart in (Compare(p_, "<", half), Compare(p_, ">", half)):
        yield Bound(True, above, (Compare(p_, ">", ZERO), Compare(p_, "<", ONE), apart), fact)
