"""A comparison with one number less, where its sides scale alike; without the sine and cosine of an angle, without
roots whose degree moves.

With s^w x in place of each number x, for s > 0 and weights w, a side of degree d is s^d times what it was. Where both
sides have one degree, the comparison holds for all numbers if it holds for those of which one is 1.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from typing import Any

from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.formulas.printing import plain
from banditproof.verify.judge.formulas.symbolic import OPERATORS, from_sympy, symbols_of, to_sympy
from banditproof.verify.judge.ways.forms import is_polynomial
from banditproof.verify.judge.ways.points import Asked, has_value, seems_equal, seems_true, speaks_of, unused
from banditproof.verify.judge.ways.residues import is_whole

ZERO, ONE = num(0), num(1)
MOST_STEPS = 8
ALIKE = ("sqrt", "abs", "min", "max")  # functions that have a degree where their arguments have one
MOST_DEGREE = 12  # of a power of both sides
Changed = tuple[Asked, tuple[Asked, ...], str]

# --------------------------------------------------------------------------------------------------------- degrees


def by_degree(asked: Asked) -> Iterator[Changed]:
    """With 1 for a number above 0 and, where it may be below 0, -1; what holds where it is 0 is asked as well."""
    positive = [
        x for x, r in asked.ranges.items() if not _scales(r) and (low := rational(r.low)) is not None and low > 0
    ]
    tried = [_Degrees(asked, x) for x in ("", *positive)] if len(asked.ranges) > 1 else []
    for x, weights in itertools.chain.from_iterable(degrees.directions() for degrees in tried):
        others = {n: r for n, r in asked.ranges.items() if n != x}
        r = asked.ranges[x]
        values = [ONE] if r == HALF_LINE or x in positive else [ONE, ZERO, num(-1)] if r == LINE else [ONE, ZERO]
        first, *rest = (
            Asked(_at(asked.comparison, x, v), others, tuple(_at(c, x, v) for c in asked.conditions), printed=False)
            for v in values
        )
        alike = ", ".join(n for n, w in weights.items() if w != 0)
        yield first, tuple(rest), f"both sides scale alike in {alike}, so that {x} may be taken as {plain(ONE)}"
        return


def _at(c: Any, x: str, value: Expression) -> Compare:
    """A comparison with a number for a variable, without factors and divisors 1."""

    def folded(e: Expression) -> Expression:
        e = mapped(e, folded)
        return binary(e.head, *e.args) if e.head in ("mul", "div") and ONE in e.args else e

    return Compare(folded(put(c.left, {x: value})), c.sign, folded(put(c.right, {x: value})))


def by_shift(asked: Asked) -> Iterator[Changed]:
    """With 0 for one of the real numbers whose common shift leaves the gap of the sides as it is.

    The gap does not change along a shift where its derivatives in these numbers add up to 0.
    """
    line = [n for n, r in asked.ranges.items() if r == LINE]
    moved = {*map(name, line)}
    speaking = [c for c in asked.conditions if any(speaks_of(c, n) for n in line)]
    kept = all(isinstance(c, Compare) and {c.left, c.right} <= moved for c in speaking)
    tied = any(names(r.low) | names(r.high) for r in asked.ranges.values())
    if len(line) < 2 or tied or not kept:
        return
    gap = binary("sub", asked.comparison.left, asked.comparison.right)
    try:
        slopes = [slope(gap, n) for n in line]
    except NoSlope:
        return
    along = replace(asked, comparison=Compare(reduce(partial(binary, "add"), slopes), "==", ZERO), printed=False)
    if seems_equal(along):
        *_, x = line
        ranges = {n: r for n, r in asked.ranges.items() if n != x}
        comparison, conditions = put((asked.comparison, asked.conditions), {x: ZERO})
        instead = Asked(comparison, ranges, conditions, printed=False)
        valued = has_value(gap, asked.ranges, asked.conditions)
        yield (
            instead,
            (along, valued),
            f"a common shift of {', '.join(line)} changes nothing, so that {x} may be taken as 0",
        )


def by_fixed_sum(asked: Asked) -> Iterator[Changed]:
    """Polynomials of numbers >= 0 of which l(x) = c > 0, for all numbers >= 0: (l/c)^k for each missing degree."""
    import sympy

    c, conditions = asked.comparison, asked.conditions
    least = [rational(r.low) for r in asked.ranges.values()]
    if c.sign not in ("<=", ">=") or not all(isinstance(v, Fraction) and v >= 0 for v in least):
        return
    fixed = conditions[0] if len(conditions) == 1 else None
    if not isinstance(fixed, Compare) or fixed.sign != "==" or not (is_polynomial(c.left) and is_polynomial(c.right)):
        return
    symbols = symbols_of(asked.ranges)
    try:
        equation: Any = sympy.Poly(to_sympy(binary("sub", fixed.left, fixed.right), symbols), *symbols.values())
        gap: Any = sympy.Poly(to_sympy(binary("sub", c.left, c.right), symbols), *symbols.values())
    except (NoStatement, KeyError, sympy.PolynomialError):
        return
    total, linear = -equation.nth(*(0 for _ in symbols)), equation.total_degree() == 1
    if total.is_negative:
        equation, total = -equation, -total
    degree = gap.total_degree()
    alike = all(sum(powers) == degree for powers, _ in gap.terms())
    if not linear or not total.is_positive or alike or degree > MOST_STEPS:
        return
    share = (equation.as_expr() + total) / total
    raised = sum(
        k * sympy.prod(x**q for x, q in zip(gap.gens, powers, strict=True)) * share ** (degree - sum(powers))
        for powers, k in gap.terms()
    )
    comparison = Compare(from_sympy(sympy.expand(raised)), c.sign, ZERO)
    ranges = {n: replace(HALF_LINE, low_open=False) for n in asked.ranges}
    yield (
        Asked(comparison, ranges, (), printed=False),
        (),
        f"{plain(fixed.left)} = {plain(fixed.right)} makes the degrees alike",
    )


def _scales(r: Range) -> bool:
    """Whether a range is the same in every unit."""
    return not r.integer and (r == LINE or replace(r, low_open=True) == HALF_LINE)


class _Degrees:
    """Degrees of formulas, linear in the weights of numbers, and what the weights have to make 0.

    The numbers are those whose multiples by what is above 0 have the same range, and `positive`, which is above 0.
    """

    def __init__(self, asked: Asked, positive: str = "") -> None:
        import sympy

        tied = {n for r in asked.ranges.values() for n in names(r.low) | names(r.high)}
        self.asked, self.symbols, self.positive = asked, symbols_of(asked.ranges), positive
        of = {n for n, r in asked.ranges.items() if (_scales(r) or n == positive) and n not in tied}
        self.weights = {n: sympy.Symbol(f"weight of {n}") for n in asked.ranges if n in of}
        self.vanish: list[Any] = []
        self.added: list[Any] = []  # times log(s), to the difference of two sides

    def directions(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """A number, and weights with which all comparisons are the same in every unit; its own is 1."""
        import sympy

        try:
            for c in (self.asked.comparison, *self.asked.conditions):
                self._compared(c)
            solutions: Any = sympy.linsolve(self.vanish or [0], *self.weights.values()) if self.weights else [()]
            (solved,) = solutions
        except (NoStatement, KeyError, ValueError, ArithmeticError):
            return
        free = {w for e in solved for w in e.free_symbols & set(self.weights.values())}
        order = sorted(self.weights, key=lambda n: (self.asked.ranges[n] == LINE, not self.asked.ranges[n].low_open))
        for x in (n for n in order if n == self.positive or not self.positive):
            for w in sorted(free, key=str):
                unit = {v: int(v == w) for v in free}
                quotients = [sympy.cancel(e.subs(unit)) for e in solved]
                below = sympy.lcm([sympy.fraction(e)[1] for e in quotients])
                found = {n: sympy.cancel(below * e) for n, e in zip(self.weights, quotients, strict=True)}
                if not found[x].is_Rational or found[x] == 0:
                    continue
                there = {self.weights[n]: e for n, e in found.items()}
                if all(sympy.simplify(sympy.expand(f.subs(there))) == 0 for f in self.added):
                    yield x, found

    def _compared(self, c: Any) -> None:
        if not isinstance(c, Compare):
            raise NoStatement("a condition that is no comparison")
        (a, f), (b, g) = self._of(c.left), self._of(c.right)
        self._alike([a, b])
        self.added.append(f - g)

    def _of(self, e: Expression) -> tuple[Any, Any]:
        """d and f where s^d (e + f log(s)) is the formula of scaled numbers; None for d where it is 0."""
        import sympy

        zero, head, a = sympy.S.Zero, e.head, e.args
        if head in ("num", "const", "var"):
            return None if e == ZERO else self.weights.get(a[0], zero) if head == "var" else zero, zero
        if head in ("neg", "add", "sub"):
            (c, f), (d, g) = (zero, zero) if head == "neg" else self._of(a[0]), self._of(a[-1])
            return d if head == "neg" else self._alike([c, d]), f + g if head == "add" else f - g
        if head in ("mul", "div"):
            (c, f), (d, g) = map(self._of, a)
            if g != 0 and (f != 0 or head == "div"):
                self._nothing(g)
                g = zero
            one, other = (a[1], f) if g == 0 else (a[0], g)
            added = getattr(other, OPERATORS[head])(to_sympy(one, self.symbols)) if other != 0 else zero
            return None if c is None or d is None else c + d if head == "mul" else c - d, added
        if head == "pow":
            self._unscaled(a[1])
            base = self._plain(a[0])
            return None if base is None else base * to_sympy(a[1], self.symbols), zero
        if head == "call" and a[0] == "log":
            return zero, self._plain(a[1]) or zero
        if head == "call" and a[0] in ALIKE:
            degree = self._alike([self._plain(x) for x in a[1:]])
            return degree / 2 if a[0] == "sqrt" and degree is not None else degree, zero
        if head == "call":
            self.vanish += [d for d in map(self._plain, a[1:]) if d is not None]
        else:
            self._unscaled(e)
        return zero, zero

    def _plain(self, e: Expression) -> Any:
        """The degree of a formula to which nothing is added."""
        d, f = self._of(e)
        self._nothing(f)
        return d

    def _nothing(self, f: Any) -> None:
        weights = f.free_symbols & set(self.weights.values())
        self.vanish += [f] if f.free_symbols == weights else weights

    def _unscaled(self, e: Expression) -> None:
        self.vanish += [self.weights[n] for n in names(e) if n in self.weights]

    def _alike(self, degrees: list[Any]) -> Any:
        first, *others = [d for d in degrees if d is not None] or [None]
        self.vanish += [d - first for d in others]
        return first


# --------------------------------------------------------------------------------------------------------- circles


def on_the_circle(asked: Asked) -> Iterator[Changed]:
    """With 2 t/(1 + t^2) and (1 - t^2)/(1 + t^2) for the sine and cosine of an angle, and 0 and -1, which no t has."""
    sides = (asked.comparison.left, asked.comparison.right)
    waves = [p for e in sides for p in parts(e) if p.head == "call" and p.args[0] in ("sin", "cos")]
    bound = any(has(e, "sum", "prod", "inf", "sup", "diff") for e in sides)
    if bound or len({p.args[1] for p in waves}) != 1 or asked.conditions:
        return
    angle, t = waves[0].args[1], unused("t", asked)
    square = binary("pow", name(t), num(2))
    whole = binary("add", ONE, square)
    of_t = {"sin": binary("div", binary("mul", num(2), name(t)), whole)}
    of_t["cos"] = binary("div", binary("sub", ONE, square), whole)

    def at(there: dict[str, Expression]) -> Compare:
        def change(e: Expression) -> Expression:
            return there[e.args[0]] if e in waves else mapped(e, change)

        return Compare(change(sides[0]), asked.comparison.sign, change(sides[1]))

    points = (of_t, {"sin": ZERO, "cos": num(-1)})
    claims = [replace(asked, comparison=at(of), ranges={**asked.ranges, t: LINE}, printed=False) for of in points]
    if all(map(seems_true, claims)):
        needed = (claims[1], has_value(angle, asked.ranges))
        yield claims[0], needed, f"the cosine and sine of {plain(angle)} are a point of the circle"


# ----------------------------------------------------------------------------------------------------------- roots


def by_raising(asked: Asked) -> Iterator[Changed]:
    """X^(1/k) <= Y by X <= Y^k: products of positive factors to the power of what is below in their exponents.

    Factors of both sides are put together: (n + k)! is n! (n + 1) ... (n + k), and binom(n, k) is n!/(k! (n - k)!).
    """
    import sympy

    c = asked.comparison
    before = {p for e in (c.left, c.right) for p in parts(e) if _counts(p)}
    roots = any(_is_root(p) for e in (c.left, c.right) for p in parts(e))
    if c.sign not in ("<=", ">=", "<", ">") or not (roots or before):
        return
    of = _Factors(asked)
    try:
        of.take(c.left, sympy.S.One)
        of.take(c.right, -sympy.S.One)
        exponents = {base: sympy.cancel(sympy.together(k)) for base, k in of.powers.items()}
        degree: Any = sympy.lcm([sympy.fraction(k)[1] for k in exponents.values()])
        if not seems_true(replace(asked, comparison=Compare(from_sympy(degree), ">", ZERO))):
            degree = -degree
        sides, above = [ONE, ONE], from_sympy(degree)
        for base, k in ((base, k) for base, k in exponents.items() if k != 0):
            power: Any = sympy.factor(sympy.cancel(k * degree))
            down = power.could_extract_minus_sign()
            sides[down] = binary("mul", sides[down], binary("pow", base, from_sympy(-power if down else power)))
    except (NoStatement, KeyError, sympy.PolynomialError):
        return
    after = {p for e in sides for p in parts(e) if _counts(p)}
    if not degree.free_symbols and len(after) >= len(before):
        return
    claims = (Compare(e, ">", ZERO) for e in (above, *(b for b in exponents if not _counts(b))) if _is_open(e))
    instead = replace(asked, comparison=Compare(sides[0], c.sign, sides[1]), printed=False)
    needed = [replace(asked, comparison=d, printed=False) for d in claims]
    yield instead, (*of.needed, *needed), f"both sides are raised to the power {plain(above)}"


def by_powers_of_roots(asked: Asked) -> Iterator[Changed]:
    """Products of roots by products of powers: (x^4 + y^4)^(1/4) <= sqrt(x^2 + y^2) by both sides to the power 4.

    Both sides are 0 or more, as all their factors are: what stands below a root is, where the side has a value.
    """
    c = asked.comparison
    factors = [list(_rooted(side, Fraction(1))) for side in (c.left, c.right)]
    roots = [base for side in factors for base, k in side if k.denominator > 1 and base.head in ("add", "sub")]
    degree = math.lcm(*(k.denominator for side in factors for _, k in side)) if roots else 1
    if c.sign not in ("<=", ">=", "<", ">") or not 1 < degree <= MOST_DEGREE:
        return
    sides = [reduce(partial(binary, "mul"), (_power(base, k * degree) for base, k in side)) for side in factors]
    signs = [base for side in factors for base, k in side if k.denominator == 1 and (names(base) or base.head != "num")]
    needed = [has_value(side, asked.ranges, asked.conditions) for side in (c.left, c.right) if names(side)]
    needed += [replace(asked, comparison=Compare(base, ">=", ZERO), printed=False) for base in dict.fromkeys(signs)]
    if all(base.head != "num" or base.args[0] >= 0 for side in factors for base, _ in side):
        instead = replace(asked, comparison=Compare(sides[0], c.sign, sides[1]), printed=False)
        yield instead, tuple(needed), f"both sides are raised to the power {degree}"


def _rooted(e: Expression, k: Fraction) -> Iterator[tuple[Expression, Fraction]]:
    """The factors of a formula with their rational exponents."""
    if e.head in ("mul", "div"):
        yield from _rooted(e.args[0], k)
        yield from _rooted(e.args[1], k if e.head == "mul" else -k)
    elif e.head == "call" and e.args[0] == "sqrt":
        yield from _rooted(e.args[1], k / 2)
    elif e.head == "pow" and isinstance(power := rational(e.args[1]), Fraction):
        yield e.args[0], k * power
    else:
        yield e, k


def _power(base: Expression, k: Fraction) -> Expression:
    """A whole power."""
    whole = base if abs(k) == 1 else binary("pow", base, num(abs(k)))
    return whole if k > 0 else binary("div", ONE, whole)


def _is_open(e: Expression) -> bool:
    """Whether it is no positive number by its form."""
    return e.head != "num" or e.args[0] <= 0


def _is_root(e: Expression) -> bool:
    """Whether a power has an exponent with a variable below."""
    return e.head == "pow" and any(p.head == "div" and names(p.args[1]) for p in parts(e.args[1]))


def _counts(e: Expression) -> bool:
    return e.head == "call" and e.args[0] in ("factorial", "binom")


class _Factors:
    """Factors of a product with their exponents, and what has to hold for them to be ones."""

    def __init__(self, asked: Asked) -> None:
        self.asked, self.symbols = asked, symbols_of(asked.ranges)
        self.powers: dict[Expression, Any] = {}
        self.needed: list[Asked] = []

    def take(self, e: Expression, times: Any) -> None:
        """The factors of a formula to a power. Raises NoStatement."""
        function = e.args[0] if e.head == "call" else ""
        if e.head in ("mul", "div"):
            self.take(e.args[0], times)
            self.take(e.args[1], times if e.head == "mul" else -times)
        elif e.head == "pow":
            k = to_sympy(e.args[1], self.symbols)
            if not k.is_rational_function():
                raise NoStatement("an exponent that is no quotient of polynomials")
            if k == 0:
                self.needed.append(has_value(e.args[0], self.asked.ranges, self.asked.conditions))
                return
            if any(p.head == "div" for p in parts(e.args[1])) and names(e.args[1]):
                self.needed.append(has_value(e.args[1], self.asked.ranges, self.asked.conditions))
            self.take(e.args[0], times * k)
        elif function == "sqrt":
            self.take(e.args[1], times / 2)
        elif function == "factorial":
            self.factorial(e.args[1], times)
        elif function == "binom":
            for inside, turn in ((e.args[1], 1), (e.args[2], -1), (binary("sub", *e.args[1:]), -1)):
                self.factorial(inside, turn * times)
        elif e != ONE:
            self.powers[e] = self.powers.get(e, 0) + times

    def factorial(self, inside: Expression, times: Any) -> None:
        """(z + k)! with k as a number, for a whole z + k >= 0."""
        import sympy

        if not is_whole(inside, self.asked.ranges):
            raise NoStatement("a factorial of what need not be a count")
        k, z = sympy.expand(to_sympy(inside, self.symbols)).as_coeff_Add()
        if z == 0 and k < 0:
            raise NoStatement("a factorial without a value, as of a binomial that is 0")
        whole = replace(self.asked, comparison=Compare(inside, ">=", ZERO), printed=False)
        if names(inside):
            self.needed.append(whole)
        if not names(inside) or not 0 < k <= MOST_STEPS:
            base = call("factorial", from_sympy(z + k))
            if z == 0:
                base = num(int(sympy.factorial(k)))
            self.powers[base] = self.powers.get(base, 0) + times
            return
        start = from_sympy(z)
        self.needed.append(replace(whole, comparison=Compare(start, ">=", ZERO)))
        for factor in (call("factorial", start), *(binary("add", start, num(i)) for i in range(1, int(k) + 1))):
            self.powers[factor] = self.powers.get(factor, 0) + times
