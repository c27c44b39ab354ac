"""Sums whose value is a formula: series that converge, and sums with binomials over all of their counts.

What is recognised is an identity by its form, so that a point may refute with it: each comes with the textbook fact
that says it, and with the comparisons under which the series converges.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from math import inf
from typing import Any

from banditproof.verify.judge.formulas.formula import rational as rational_of
from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.ways.points import Asked, seems_true, speaks_of

ZERO, ONE = num(0), num(1)
ZETA: Mapping[int, int] = {2: 6, 4: 90, 6: 945, 8: 9450}  # the sum of k^-s is pi^s over this
TELESCOPES = "a telescoping sum"
MOST_FIRST = 20  # terms of a series that are left out at its beginning
GEOMETRIC = "a geometric series whose ratio r has |r| < 1 sums to its first term over 1 - r, and so do its derivatives"
Sum = tuple[Expression, tuple[Compare, ...], str]


@dataclass(frozen=True)
class Known:
    """A formula with the values of its sums, where these converge, and the facts that say so."""

    formula: Expression
    where: tuple[Compare, ...] = ()
    facts: tuple[str, ...] = ()


def with_known_sums(e: Expression, ranges: Mapping[str, Range]) -> Known:
    """The formula with the value of every series and of every sum of binomials that is known. Raises NoStatement."""
    where: list[Compare] = []
    facts: list[str] = []

    def change(part: Expression) -> Expression:
        if part.head in ("inf", "sup", "prod", "diff"):
            return part
        if part.head != "sum":
            return mapped(part, change)
        if part.args[2] != INFINITY and not _has_identity(part):
            return part
        value, conditions, fact = _sum(part, ranges)
        where.extend(conditions)
        facts.append(fact)
        return value

    changed = change(e)
    return Known(changed, tuple(dict.fromkeys(where)), tuple(dict.fromkeys(facts)))


def series(e: Expression) -> Iterator[Expression]:
    """The sums of a formula that go on for ever."""
    return (p for p in parts(e) if p.head == "sum" and p.args[2] == INFINITY)


def has_known_sum(e: Expression) -> bool:
    """Whether a sum stands in a formula that its value is looked for of."""
    found = (p for p in parts(e) if p.head == "sum" and _has_identity(p))
    return any(True for _ in series(e)) or any(_rounded_log(p) is None for p in found)


def has_rounded_logs(e: Expression) -> bool:
    return any(p.head == "sum" and _rounded_log(p) is not None for p in parts(e))


def _has_identity(e: Expression) -> bool:
    """Whether a sum is one of binom(n, k) over k up to n."""
    index, low, high, body = e.args
    with_binomial = low in (ZERO, ONE) and call("binom", high, name(index)) in parts(body)
    return with_binomial or _products(e) is not None or _rounded_log(e) is not None


def _rounded_log(e: Expression) -> tuple[Expression, Expression] | None:
    """The last of the summands floor(log_b(k)), or ceil(log_b(k)), of a sum from k = 1 on, and b."""
    index, low, high, body = e.args
    inside = body.args[1] if body.head == "call" and body.args[0] in ("floor", "ceil") else ZERO
    b = inside.args[1].args[1] if inside.head == "div" and inside.args[1].head == "call" else ZERO
    base = rational_of(b) if b.head == "num" else None
    if low != ONE or not isinstance(base, Fraction) or base.denominator != 1 or base < 2:
        return None
    logs = binary("div", call("log", name(index)), call("log", b))
    return (call(body.args[0], put(logs, {index: high})), b) if inside == logs else None


def _products(e: Expression) -> tuple[Expression, Expression, Expression] | None:
    """a, b and r where a sum has all products binom(a, k) binom(b, r - k) that are not 0."""
    index, low, high, body = e.args
    k = name(index)
    if body.head == "pow" and body == binary("pow", call("binom", high, k), num(2)) and low == ZERO:
        return high, high, high
    pair = body.args if body.head == "mul" and low == ZERO else ()
    for one, other in (
        (pair, pair[::-1]) if all(p.head == "call" and p.args[0] == "binom" for p in pair) and pair else ()
    ):
        (a, i), (b, j) = one.args[1:], other.args[1:]
        whole = j.args[0] if j.head == "sub" and j.args[1] == k else None
        if i == k and whole is not None and high in (a, whole) and index not in names(a) | names(b) | names(whole):
            return a, b, whole
    return None


def _sum(e: Expression, ranges: Mapping[str, Range]) -> Sum:
    index, low, high, body = e.args
    if body.head in ("add", "sub") and (high == INFINITY or _has_identity(e)):
        halves = [Expression("sum", (index, low, high, part)) for part in body.args]
        (a, first, fact), (b, second, other) = (_sum(half, ranges) for half in halves)
        return binary(body.head, a, b), (*first, *second), fact if fact == other else f"{fact}, and {other}"
    if (found := _products(e)) is not None:
        a, b, r = found
        if not all(is_whole(x, ranges, 0) for x in found):
            raise NoStatement("binomials of what need not be counts")
        return call("binom", binary("add", a, b), r), (), "Vandermonde's identity"
    if (rounded := _rounded_log(e)) is not None:
        if not is_whole(high, ranges, 1):
            raise NoStatement("a sum of logarithms up to what need not be a count")
        last, base = rounded
        up = last.args[0] == "ceil"
        steps = binary("sub", binary("pow", base, last), ONE)
        steps = binary("div", steps if up else binary("mul", base, steps), binary("sub", base, ONE))
        summands = binary("mul", high if up else binary("add", high, ONE), last)
        fact = (
            "k runs from b^(j - 1) + 1 to b^j where ceil(log_b(k)) is j" if up else "floor(log_b(k)) is j from b^j on"
        )
        return binary("sub", summands, steps), (), f"{fact}, before b^(j + 1)" if not up else fact
    if high == INFINITY and (opened := _with_opened_logarithm(body, index)) is not None:
        value, where, fact = _sum(Expression("sum", (index, low, high, opened[0])), ranges)
        return value, (*where, *opened[1]), fact
    of = Parted(index)
    of.take(body, 1)
    value, where, fact = _of_product(of, body, low, high, ranges)
    return value, (*where, *of.where), fact


def _with_opened_logarithm(body: Expression, index: str) -> tuple[Expression, tuple[Compare, ...]] | None:
    """f(k) log(c b^k) as f(k) log(c) + f(k) k log(b), and where b and c are positive; None of another summand."""
    factors = _factors(body)
    logs = [f for f in factors if f.head == "call" and f.args[0] == "log" and index in names(f)]
    if len(logs) != 1:
        return None
    of = Parted(index)
    of.take(logs[0].args[1], 1)
    if of.inside or of.binomials or of.power or of.factorials:
        return None
    positive = tuple(Compare(e, ">", ZERO) for e in (of.constant, *(base for base, _, _ in of.bases)))
    rest = reduce(_times, (f for f in factors if f is not logs[0]), ONE)
    pieces = [call("log", of.constant)] * (of.constant != ONE)
    for base, a, b in of.bases:
        up = _joined("add", _times(a, name(index)), b)
        pieces.append(_times(up, call("log", base)))
    terms = [_times(rest, part) for piece in pieces for part in _distributed(piece)]
    return reduce(lambda x, y: binary("add", x, y), terms), tuple(c for c in positive if names(c.left))


def _factors(e: Expression) -> list[Expression]:
    return [f for part in e.args for f in _factors(part)] if e.head == "mul" else [e]


def _distributed(e: Expression) -> list[Expression]:
    """(x + y) z as x z and y z."""
    if e.head == "mul" and e.args[0].head == "add":
        return [_times(part, e.args[1]) for part in e.args[0].args]
    return [e]


def _of_product(of: Parted, body: Expression, low: Expression, high: Expression, ranges: Mapping[str, Range]) -> Sum:
    """The sum of a product."""
    if high != INFINITY:
        if not is_whole(high, ranges, 0):
            raise NoStatement("a sum of binomials up to what need not be a count")
        return _binomial(of, low, high)
    if of.binomials or not is_whole(low, ranges, 1):
        raise NoStatement("a series from something that need not be a whole number")
    start = rational_of(low)
    alternates = rational_of(of.ratio()) == -1
    if alternates and not of.power and not of.factorials and start in (0, 1):
        odd = binary("sub" if start else "add", binary("mul", num(2), name(of.index)), ONE)
        if of.inside == [(odd, -1)]:
            value = binary("div", PI, num(-4 if start else 4))
            return _times(of.factor, value), (), "1 - 1/3 + 1/5 - ... = pi/4"
    if of.inside:
        return _telescoping(of, low)
    if not of.bases and not of.factorials and isinstance(start, Fraction):
        return _of_powers(of, start)
    first, ratio = put(body, {of.index: low}), of.ratio()
    within = (Compare(ratio, "<", ONE), Compare(ratio, ">", num(-1)))
    rest = binary("sub", ONE, ratio)
    if of.factorials == 1 and not of.power and start in (0, 1):
        of_all = call("exp", ratio) if start == 0 else binary("sub", call("exp", ratio), ONE)
        return _times(of.factor, of_all), (), "the series of the exponential function"
    if of.factorials:
        raise NoStatement("a series with factorials")
    if not of.power:
        return binary("div", first, rest), within, GEOMETRIC
    if start == 1 and of.power == -1:
        log = Expression("neg", (call("log", rest),))
        closed = (within[0], replace(within[1], sign=">="))  # at -1 by Abel's theorem
        return _times(of.factor, log), closed, "the series of the logarithm"
    if start == 1 and alternates and -of.power in ZETA:
        s = int(-of.power)  # the even terms are 2^-s of all, and what alternates is all less twice those
        value = binary("mul", num(Fraction(2, 2**s) - 1), binary("div", binary("pow", PI, num(s)), num(ZETA[s])))
        return _times(of.factor, value), (), f"sum((-1)^(k+1)/k^{s}, k=1..inf) = (1 - 2^(1-{s})) zeta({s})"
    if start in (0, 1) and of.power == 1:
        return _times(of.factor, binary("div", ratio, binary("pow", rest, num(2)))), within, GEOMETRIC
    if start in (0, 1) and of.power == 2:
        above = binary("mul", ratio, binary("add", ONE, ratio))
        return _times(of.factor, binary("div", above, binary("pow", rest, num(3)))), within, GEOMETRIC
    raise NoStatement("a series whose value is not known here")


def by_factors(asked: Asked) -> Iterator[tuple[tuple[Asked, ...], str]]:
    """A comparison of c r^n with a formula in n, from each count to the next, which multiplies the power with r."""
    sign, sides = asked.comparison.sign, (asked.comparison.left, asked.comparison.right)
    if sign not in ("<=", ">="):
        return
    for n, r in asked.ranges.items():
        low = rational_of(r.low)
        free = not any(n in names(s.low) | names(s.high) for s in asked.ranges.values())
        if not r.integer or not free or r.low_open or not isinstance(low, Fraction) or rational_of(r.high) != inf:
            continue
        if any(speaks_of(c, n) for c in asked.conditions):
            continue
        first, others = {n: num(low)}, {word: s for word, s in asked.ranges.items() if word != n}
        start = Asked(Compare(put(sides[0], first), sign, put(sides[1], first)), others, asked.conditions)
        for power, other, order in ((*sides, sign), (*sides[::-1], ">=" if sign == "<=" else "<=")):
            of = Parted(n)
            try:
                of.take(power, 1)
            except NoStatement:
                continue
            if of.power or of.factorials or of.inside or of.binomials or of.where or len(of.bases) != 1:
                continue
            ratio, later = of.ratio(), put(other, {n: binary("add", name(n), ONE)})
            step = replace(asked, comparison=Compare(binary("mul", ratio, other), order, later))
            claims = (start, replace(asked, comparison=Compare(ratio, ">=", ZERO)), step)
            if all(map(seems_true, claims)):
                yield claims, f"at the first {n}, and from each to the next, which multiplies a side with a factor"


def _of_powers(of: Parted, start: Fraction) -> Sum:
    s = -of.power
    if s <= 1 or not 1 <= start <= MOST_FIRST:
        raise NoStatement("a series that does not converge, or begins too late")
    if s.denominator == 1 and int(s) in ZETA:
        whole = binary("div", binary("pow", PI, num(s)), num(ZETA[int(s)]))
        fact = f"sum(1/k^{s}, k=1..inf) = pi^{s}/{ZETA[int(s)]}"
    else:
        whole, fact = call("zeta", num(s)), f"sum(1/k^s, k=1..inf) = zeta(s), with s = {s}"
    for k in range(1, int(start)):
        whole = binary("sub", whole, binary("div", ONE, binary("pow", num(k), num(s))))
    return _times(of.factor, whole), (), fact


def _telescoping(of: Parted, low: Expression) -> Sum:
    """A rational function of the index that is a difference of neighbours."""
    import sympy
    from sympy.concrete.gosper import gosper_sum

    from banditproof.verify.judge.formulas.symbolic import from_sympy, to_sympy

    if of.bases or of.factorials or of.power.denominator != 1:
        raise NoStatement("a series whose value is not known here")
    k, last = sympy.Symbol(of.index, positive=True), sympy.Symbol("last", positive=True)
    symbols = {of.index: k, **{n: sympy.Symbol(n, positive=True) for n in names(low)}}
    f = k ** int(of.power)
    for factor, up in of.inside:
        f *= to_sympy(factor, symbols) ** up
    if not f.is_rational_function(k):
        raise NoStatement("a series whose value is not known here")
    above, below = (sympy.Poly(p, k) for p in sympy.fraction(sympy.together(f)))
    roots = sympy.roots(below)
    from_low = rational_of(low)
    if below.degree() < above.degree() + 2 or sum(roots.values()) < below.degree():
        raise NoStatement("a series whose value is not known here")
    if not all(r.is_Rational and r < (from_low if isinstance(from_low, Fraction) else 1) for r in roots):
        raise NoStatement("a series one of whose terms may have no value")
    closed = gosper_sum(f, (k, to_sympy(low, symbols), last))
    if closed is None:
        raise NoStatement("a series that does not telescope")
    value = sympy.limit(sympy.simplify(closed), last, sympy.oo)
    return _times(of.factor, from_sympy(sympy.simplify(value))), (), TELESCOPES


def _binomial(of: Parted, low: Expression, n: Expression) -> Sum:
    """The sum of c k^p binom(n, k) x^k y^(n - k) over all k, for p up to 2, and of that with 1/(k + 1) for k^p."""
    after = binary("add", name(of.index), ONE)
    over = low == ZERO and not of.power and of.inside == [(after, -1)]  # c binom(n, k)/(k + 1) x^k y^(n - k)
    known = over or not of.inside
    if not known or of.factorials or of.binomials != [(n, name(of.index))] or of.power not in (0, 1, 2):
        raise NoStatement("a sum of binomials that is not known here")
    x = y = c = ONE
    for base, a, b in of.bases:
        if a == num(-1) and b == n:
            y = _times(y, base)
        else:
            x, c = _times(x, _power(base, a)), _times(c, _power(base, b))
    c = _times(of.constant, c)
    both = binary("add", x, y)

    if over:
        if rational_of(x) in (None, 0):
            raise NoStatement("a sum of binomials that is not known here")
        up = binary("add", n, ONE)
        whole = binary("sub", binary("pow", both, up), ONE if y == ONE else binary("pow", y, up))
        fact = "binom(n, k)/(k + 1) is binom(n + 1, k + 1)/(n + 1), and the binomial theorem"
        return _times(c, binary("div", whole, binary("mul", up, x))), (), fact

    def lowered(k: int) -> Expression:
        return binary("pow", both, binary("sub", n, num(k)) if k else n)

    one = _times(binary("mul", n, x), lowered(1))
    two = binary("mul", binary("mul", n, binary("sub", n, ONE)), binary("mul", binary("pow", x, num(2)), lowered(2)))
    whole = lowered(0) if not of.power else one if of.power == 1 else binary("add", one, two)
    if low == ONE and not of.power:
        whole = binary("sub", whole, binary("pow", y, n))
    return _times(c, whole), (), "the binomial theorem"


@dataclass
class Parted:
    """A product as constant * index^power * base^(a index + b) * ... * (sums with the index)^(+-1)."""

    index: str
    constant: Expression = ONE
    power: Fraction = Fraction(0)
    factorials: Fraction = Fraction(0)  # below the stroke
    bases: list[tuple[Expression, Expression, Expression]] = field(default_factory=list)
    inside: list[tuple[Expression, int]] = field(default_factory=list)
    binomials: list[tuple[Expression, ...]] = field(default_factory=list)
    where: list[Compare] = field(default_factory=list)  # what stands below a root has to be positive

    @property
    def factor(self) -> Expression:
        """All that does not change with the index."""
        c = self.constant
        for base, _, b in self.bases:
            c = _times(c, _power(base, b))
        return c

    def ratio(self) -> Expression:
        """What the next index multiplies base^(a index) with."""
        r = ONE
        for base, a, _ in self.bases:
            r = _times(r, _power(base, a))
        return r

    def take(self, e: Expression, up: Fraction | int) -> None:
        """Takes a factor, or a power of one; of what stands below a root every factor is taken to be positive."""
        head: str = e.head
        a: Any = e.args
        if up != int(up) and names(e) - {self.index} and head not in ("mul", "div", "pow"):
            self.where.append(Compare(e, ">", ZERO))
        if self.index not in names(e):
            self.constant = _times(self.constant, _power(e, num(up))) if up > 0 else self._below(e, up)
        elif head == "var":
            self.power += up
        elif head == "neg" and up == int(up):
            self.constant = self.constant if up % 2 == 0 else Expression("neg", (self.constant,))
            self.take(a[0], up)
        elif head in ("mul", "div"):
            self.take(a[0], up)
            self.take(a[1], up if head == "mul" else -up)
        elif head == "pow" and self.index not in names(a[0]):
            self._exponential(a[0], a[1], up)
        elif head == "call" and a[0] == "exp":
            self._exponential(Expression("const", ("e",)), a[1], up)
        elif head == "call" and a[0] == "sqrt":
            self.take(a[1], Fraction(up) / 2)
        elif head == "pow" and isinstance(power := rational_of(a[1]), Fraction):
            if a[0] == name(self.index):
                self.power += up * power
            elif power.denominator == 1 and 0 < abs(power) <= 4:
                self.take(a[0], up * power)
            else:
                raise NoStatement("a power of a formula with the index")
        elif e == call("factorial", name(self.index)):
            self.factorials -= up
        elif head == "call" and a[0] == "binom" and up == 1:
            self.binomials.append(a[1:])
        elif head in ("add", "sub") and names(e) == {self.index} and up == int(up):
            self.inside.append((e, int(up)))
        else:
            raise NoStatement("a summand that is no such product")

    def _below(self, e: Expression, up: Fraction | int) -> Expression:
        return binary("div", self.constant, _power(e, num(-up)))

    def _exponential(self, base: Expression, exponent: Expression, up: Fraction | int) -> None:
        a, b = _linear(exponent, self.index)
        if up == -1:
            a, b = (ZERO if x == ZERO else Expression("neg", (x,)) for x in (a, b))
        elif up != 1:
            a, b = (ZERO if x == ZERO else _times(num(up), x) for x in (a, b))
        whole = (isinstance(c := rational_of(x), Fraction) and c.denominator == 1 for x in (a, b))
        c = rational_of(base) if not names(base) else None
        surely = base == Expression("const", ("e",)) or (isinstance(c, Fraction) and c > 0)
        if up != int(up) and not surely:
            self.where.append(Compare(base, ">", ZERO))
            surely = True
        if not surely and not all(whole) and not (a in (num(-1), ONE) and names(b)):
            raise NoStatement("a power of what may be negative")
        self.bases.append((base, a, b))


def _linear(e: Expression, k: str) -> tuple[Expression, Expression]:
    """a and b of a k + b, which do not speak of k."""
    head, args = e.head, e.args
    if k not in names(e):
        return ZERO, e
    if head == "var":
        return ONE, ZERO
    if head == "neg":
        return tuple(x if x == ZERO else _times(num(-1), x) for x in _linear(args[0], k))  # type: ignore[return-value]
    if head in ("add", "sub"):
        (a, b), (c, d) = (_linear(part, k) for part in args)
        return _joined(head, a, c), _joined(head, b, d)
    if head == "mul" or (head == "div" and k not in names(args[1])):
        free, other = (args[1], args[0]) if k not in names(args[1]) else args
        if k not in names(free):
            a, b = _linear(other, k)
            of = (lambda x: _times(x, free)) if head == "mul" else (lambda x: binary("div", x, free))
            return of(a), ZERO if b == ZERO else of(b)
    raise NoStatement("an exponent that is not linear in the index")


def _joined(head: str, a: Expression, b: Expression) -> Expression:
    if b == ZERO:
        return a
    if a == ZERO:
        return b if head == "add" else _times(num(-1), b)
    return binary(head, a, b)


def _times(a: Expression, b: Expression) -> Expression:
    if a.head == b.head == "num":
        return num(a.args[0] * b.args[0])
    return b if a == ONE else a if b == ONE else binary("mul", a, b)


def _power(base: Expression, exponent: Expression) -> Expression:
    if exponent == ZERO:
        return ONE
    if base == Expression("const", ("e",)):
        return call("exp", exponent)
    return base if exponent == ONE else binary("pow", base, exponent)


def is_whole(e: Expression, ranges: Mapping[str, Range], least: int) -> bool:
    """Whether a formula is a whole number by its form; one with variables has to be at least a number."""
    value = rational_of(e)
    if isinstance(value, Fraction):
        return value.denominator == 1 and (value >= 0 or least > 0)
    if e.head == "var":
        r = ranges.get(e.args[0])
        low = None if r is None else rational_of(r.low)
        return r is not None and r.integer and isinstance(low, Fraction) and low >= least
    return e.head in ("add", "mul") and all(is_whole(a, ranges, least) for a in e.args)


def below_its_series(asked: Asked) -> tuple[tuple[Asked, ...], str, tuple[str, ...]] | None:
    """A comparison that only gets harder as a sum grows, by the series of which the sum is a part."""
    sign, sides = asked.comparison.sign, (asked.comparison.left, asked.comparison.right)
    sums = {p for side in sides for p in parts(side) if p.head == "sum"}
    if len(sums) != 1 or sign[0] not in "<>":
        return None
    (total,) = sums
    index, low, high, body = total.args
    if high == INFINITY or index in asked.ranges or not names(high):
        return None
    try:
        whole, where, fact = _sum(Expression("sum", (index, low, INFINITY, body)), asked.ranges)
    except NoStatement:
        return None
    larger, smaller = sides if sign[0] == ">" else sides[::-1]
    s = name(f"sum_over_{index}")

    def change(e: Expression) -> Expression:
        return s if e == total else mapped(e, change)

    gap = change(binary("sub", larger, smaller))
    try:
        of_sum = slope(gap, s.args[0])
    except NoSlope:
        return None
    if s.args[0] in names(of_sum):
        return None
    strict, indexes = sign in ("<", ">"), {**asked.ranges, index: Range(low, INFINITY, False, True, True)}
    claims = [
        replace(asked, comparison=Compare(put(gap, {s.args[0]: whole}), ">=", ZERO)),
        replace(asked, comparison=Compare(of_sum, "<" if strict else "<=", ZERO)),
        replace(asked, comparison=Compare(body, ">" if strict else ">=", ZERO), ranges=indexes),
        *(replace(asked, comparison=c) for c in where),
    ]
    if not all(map(seems_true, claims[:2])):
        return None
    return tuple(claims), "the sum is a part of a series of positive terms", (fact,)
