"""Harmonic sums and factorials against formulas, from infinity: the gap of the sides has a known limit and is monotone.

With H_n = 1 + ... + 1/n, H_n - log n goes to Euler's constant, by its definition, and by Stirling's formula log n! less
(n + 1/2) log n - n + log(2 pi)/2 goes to 0. So a gap c H_n + f(n) goes where c (log n + gamma) + f(n) goes, which is a
formula without a sum; and its steps are formulas. Euler's constant itself is any number of a short interval to provers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from banditproof.verify.judge.formula import (
    EULER,
    INFINITY,
    PI,
    NoStatement,
    binary,
    call,
    has,
    linear,
    mapped,
    name,
    names,
    num,
    parts,
    put,
    rational,
)
from banditproof.verify.judge.points import Asked, failing
from banditproof.verify.judge.sentence import Compare, Expression, Range

STIRLING = "Stirling's formula: n!/(sqrt(2 pi n) (n/e)^n) goes to 1"
NEAR_EULER = Range(num(Fraction(577215, 10**6)), num(Fraction(577216, 10**6)))
EULER_NAME = "euler_constant"
LATER = (0, 1, 3)  # counts that are looked at one by one first
MOST_STEPS = 8  # terms that one more count adds


@dataclass(frozen=True)
class Term:
    """A multiple of H_m, or of log m!, for whole m = a n + b: `kind` is "sum" or "factorial"."""

    factor: Fraction
    kind: str
    m: Expression
    slope: int

    def far(self) -> Expression:
        """What it comes close to, as n grows."""
        if self.kind == "sum":
            like = binary("add", call("log", self.m), name(EULER_NAME))
        else:
            root = binary("div", call("log", binary("mul", num(2), PI)), num(2))
            most = binary("mul", binary("add", self.m, num(Fraction(1, 2))), call("log", self.m))
            like = binary("add", binary("sub", most, self.m), root)
        return binary("mul", num(self.factor), like)

    def grows(self) -> Expression:
        """What the next n adds."""
        added = num(0)
        for k in range(1, self.slope + 1):
            last = binary("add", self.m, num(k))
            added = binary("add", added, binary("div", num(1), last) if self.kind == "sum" else call("log", last))
        return binary("mul", num(self.factor), added)


@dataclass(frozen=True)
class Gap:
    """A formula of a count as terms and a rest without sums and factorials; `positive` has to be above 0 for it."""

    terms: tuple[Term, ...]
    rest: Expression
    positive: tuple[Expression, ...] = field(default=())

    @property
    def facts(self) -> tuple[str, ...]:
        return (STIRLING,) if any(t.kind == "factorial" for t in self.terms) else ()

    def far(self) -> Expression:
        total = self.rest
        for t in self.terms:
            total = binary("add", total, t.far())
        return without_euler(total)

    def falls(self, n: str) -> Expression:
        """The gap less the next one."""
        total = binary("sub", self.rest, put(self.rest, {n: binary("add", name(n), num(1))}))
        for t in self.terms:
            total = binary("sub", total, t.grows())
        return without_euler(total)

    def less(self, other: Gap) -> Gap:
        turned = tuple(replace(t, factor=-t.factor) for t in other.terms)
        positive = tuple(dict.fromkeys((*self.positive, *other.positive)))
        return Gap((*self.terms, *turned), binary("sub", self.rest, other.rest), positive)

    def times(self, c: Fraction) -> Gap:
        terms = tuple(replace(t, factor=c * t.factor) for t in self.terms)
        return Gap(terms, binary("mul", num(c), self.rest), self.positive)


def without_euler(e: Expression) -> Expression:
    """Euler's constant as a variable: what holds for all numbers of NEAR_EULER holds for it."""
    if e == EULER:
        return name(EULER_NAME)
    return mapped(e, without_euler)


def with_euler(e: Expression, ranges: dict[str, Range]) -> dict[str, Range]:
    return {**ranges, EULER_NAME: NEAR_EULER} if EULER_NAME in names(e) else ranges


# ------------------------------------------------------------------------------------------------------------- gaps


def summed(e: Expression, n: str, low: int) -> Gap:
    """A formula as a sum with harmonic sums times numbers. Raises NoStatement."""
    if e.head == "call" and e.args[0] == "log" and _is_counting(e.args[1]):
        return logged(e.args[1], n, low)
    head, a = e.head, e.args
    if not has(e, "sum") and not _has_log_of_counting(e):
        if has(e, "factorial", "binom", "gamma", "prod"):
            raise NoStatement("factorials beside a sum")
        return Gap((), e)
    if head in ("add", "sub"):
        first, second = (summed(x, n, low) for x in a)
        return first.less(second if head == "sub" else second.times(Fraction(-1)))
    if head == "neg":
        return summed(a[0], n, low).times(Fraction(-1))
    if head in ("mul", "div"):
        for x, y in ((a[0], a[1]), (a[1], a[0]))[: 2 if head == "mul" else 1]:
            c = rational(y)
            if isinstance(c, Fraction) and (head == "mul" or c):
                return summed(x, n, low).times(c if head == "mul" else 1 / c)
    if head == "sum":
        return _harmonic(e, n, low)
    raise NoStatement("a sum inside of a formula")


def _harmonic(e: Expression, n: str, low: int) -> Gap:
    """sum(c/k) from a whole number, or from a n + b, to a n + b."""
    index, first, last, body = e.args
    c = _over(body, index)
    ends = [_whole(end, n, low) for end in (binary("sub", first, num(1)), last)]
    terms, rest = [], num(0)
    for sign, (slope, at_first), m in zip((-1, 1), ends, (binary("sub", first, num(1)), last), strict=True):
        if slope:
            if at_first < 1:
                raise NoStatement("a sum that begins with no summand")
            terms.append(Term(sign * c, "sum", m, slope))
        elif not 0 <= at_first <= 1000:
            raise NoStatement("a sum from where there is none")
        else:
            rest = num(_known(rest) + sign * c * sum(Fraction(1, k) for k in range(1, at_first + 1)))
    if ends[1][0] < ends[0][0] or ends[1][1] < ends[0][1]:
        raise NoStatement("a sum that runs down")
    return Gap(tuple(terms), rest)


def _known(e: Expression) -> Fraction:
    return e.args[0]


def _over(body: Expression, index: str) -> Fraction:
    """c where a summand is c/k. Raises NoStatement."""
    if body.head == "div":
        c = rational(body.args[0])
        if isinstance(c, Fraction) and body.args[1] == name(index):
            return c
    if body.head == "pow" and body.args[0] == name(index) and rational(body.args[1]) == -1:
        return Fraction(1)
    raise NoStatement("a summand that is no number over the index")


def _whole(e: Expression, n: str, low: int) -> tuple[int, int]:
    """a and the value at the first count, of a n + b with whole a >= 0. Raises NoStatement."""
    from banditproof.verify.judge.certain import value_at

    if linear(e, n) is None:
        raise NoStatement("an end that is no multiple of the count")
    at = [value_at(e, {n: Fraction(k)}) for k in (low, low + 1)]
    if not all(isinstance(v, Fraction) and v.denominator == 1 for v in at) or not 0 <= at[1] - at[0] <= MOST_STEPS:
        raise NoStatement("an end that is no multiple of the count")
    return int(at[1] - at[0]), int(at[0])


def logged(e: Expression, n: str, low: int) -> Gap:
    """The logarithm of a positive product with factorials. Raises NoStatement."""
    head, a = e.head, e.args
    function = a[0] if head == "call" else ""
    if head in ("mul", "div"):
        first, second = (logged(x, n, low) for x in a)
        return first.less(second if head == "div" else second.times(Fraction(-1)))
    if function == "sqrt":
        return logged(a[1], n, low).times(Fraction(1, 2))
    if function == "exp" and not _is_counting(a[1]):
        return Gap((), a[1])
    if head == "pow":
        if not _is_counting(e):
            return Gap((), binary("mul", a[1], call("log", a[0])), (a[0],))
        c = rational(a[1])
        if isinstance(c, Fraction):
            return logged(a[0], n, low).times(c)
    if function in ("factorial", "gamma"):
        return _factorial(a[1] if function == "factorial" else binary("sub", a[1], num(1)), n, low)
    if function == "binom":
        whole, below = (_factorial(x, n, low) for x in a[1:])
        return whole.less(below).less(_factorial(binary("sub", a[1], a[2]), n, low))
    if _is_counting(e):
        raise NoStatement("a factorial inside of a sum")
    return Gap((), call("log", e), (e,))


def _has_log_of_counting(e: Expression) -> bool:
    return any(p.head == "call" and p.args[0] == "log" and _is_counting(p.args[1]) for p in parts(e))


def _is_counting(e: Expression) -> bool:
    return has(e, "factorial", "binom", "gamma", "sum", "prod")


def _factorial(m: Expression, n: str, low: int) -> Gap:
    from math import factorial

    slope, at_first = _whole(m, n, low)
    if slope and at_first >= 1:
        return Gap((Term(Fraction(1), "factorial", m, slope),), num(0))
    if not slope and 0 <= at_first <= 100:
        return Gap((), call("log", num(factorial(at_first))))
    raise NoStatement("the factorial of 0, or of something else than a multiple of the count")


# ------------------------------------------------------------------------------------------------------------- ways


def by_limit(asked: Asked) -> Iterator[tuple[tuple[Asked, ...], str, tuple[str, ...]]]:
    """A comparison for all counts from some on: the gap does not rise, and goes to 0 or above; or it does not fall."""
    comparison, ranges = asked.comparison, dict(asked.ranges)
    if asked.conditions or comparison.sign not in ("<", "<=", ">", ">=") or len(ranges) != 1:
        return
    ((n, r),) = ranges.items()
    low = rational(r.low)
    if not r.integer or r.low_open or rational(r.high) != rational(INFINITY) or not isinstance(low, Fraction):
        return
    for later in LATER:
        first = [Asked(_at(comparison, n, int(low) + k), {}) for k in range(later)]
        from_there = {n: replace(r, low=num(low + later))}
        for claims, because, facts in _falling(comparison, n, int(low) + later, from_there):
            yield (*claims, *first), because, facts


def _at(comparison: Compare, n: str, k: int) -> Compare:
    """A comparison at one count, factorials being numbers."""
    left, right = (folded(put(side, {n: num(k)})) for side in (comparison.left, comparison.right))
    return Compare(left, comparison.sign, right)


def folded(e: Expression) -> Expression:
    """An expression with numbers for factorials and binomials of numbers."""
    from banditproof.verify.judge.certain import NoValue, Unknown, value_at

    if e.head == "call" and e.args[0] in ("factorial", "binom") and not names(e):
        try:
            value = value_at(e, {})
        except (NoValue, Unknown):
            return e
        return num(value) if isinstance(value, Fraction) else e
    return mapped(e, folded)


def _falling(
    comparison: Compare, n: str, low: int, ranges: dict[str, Range]
) -> Iterator[tuple[tuple[Asked, ...], str, tuple[str, ...]]]:
    upward = comparison.sign[0] == ">"
    larger, smaller = (comparison.left, comparison.right)[:: 1 if upward else -1]
    try:
        gap = gap_of(larger, smaller, n, low)
    except (NoStatement, ArithmeticError):
        return
    falls, positive = gap.falls(n), [Asked(Compare(e, ">", num(0)), ranges) for e in gap.positive]
    sign = ">" if len(comparison.sign) == 1 else ">="
    step = Asked(Compare(falls, sign, num(0)), with_euler(falls, ranges))
    if failing(step, draws=600)[0] is not None:
        rises = Asked(Compare(falls, "<=", num(0)), with_euler(falls, ranges))
        if gap.terms[0].kind == "factorial" and failing(rises, draws=600)[0] is None:
            first = Asked(_at(comparison, n, low), {})
            yield (
                (first, rises, *positive),
                f"it holds at the first count, and the gap of the logarithms rises with {n}",
                (),
            )
        return
    for at_last in _at_last(gap, n, ranges):
        yield (
            (step, at_last, *positive),
            f"the gap of the sides does not rise with {n}, and goes to a limit that is 0 or more",
            gap.facts,
        )


def gap_of(larger: Expression, smaller: Expression, n: str, low: int) -> Gap:
    """The difference of two sides, or of their logarithms, with a sum or a factorial. Raises NoStatement."""
    of = summed if any(has(e, "sum") or _has_log_of_counting(e) for e in (larger, smaller)) else logged
    gap = of(larger, n, low).less(of(smaller, n, low))
    if not gap.terms:
        raise NoStatement("neither a sum nor a factorial")
    return gap


def _at_last(gap: Gap, n: str, ranges: dict[str, Range]) -> Iterator[Asked]:
    """That the limit of the gap is 0 or more: it comes close to what is at least -c/n, or -c/sqrt(n)."""
    far = gap.far()
    for power in (num(1), num(Fraction(1, 2))):
        for c in (1, 10):
            shrinking = binary("div", num(-c), binary("pow", name(n), power))
            claim = Asked(Compare(far, ">=", shrinking), with_euler(far, ranges))
            if failing(claim, draws=600)[0] is None:
                yield claim
                break


def without_counting(body: Expression, value: Expression, n: str, low: int) -> tuple[Gap, Expression] | None:
    """Of a limit with a sum or factorials: the gap, and a formula without them that goes to 0 if that limit is true."""
    if not any(_is_counting(p) for p in parts(body)):
        return None
    try:
        gap = gap_of(body, value, n, low)
    except (NoStatement, ArithmeticError):
        return None
    return gap, gap.far()
