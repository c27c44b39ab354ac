"""Sines and cosines of one number in a bounded range: polynomials stand for them beside each multiple of pi/2.

With t = k pi/2 + y or k pi/2 - y and y in [0, 4/5], sines and cosines of t are those of y up to their signs. Taylor's
sums enclose these, and are 0 or more there. A polynomial below a sum of products is y^m times another one; that this is
above 0 is what is left to show, also where the sides touch at a multiple of pi/2.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import ceil, factorial, floor, lcm, pi
from typing import Any

from banditproof.verify.judge.formulas.formula import NoStatement, binary, has, names, num, parts
from banditproof.verify.judge.formulas.sentence import Compare, Expression, Range
from banditproof.verify.judge.formulas.symbolic import from_sympy, to_sympy
from banditproof.verify.judge.ways.points import Asked, unused

WIDTH, DEGREE, MOST, FINE = Fraction(4, 5), 11, 16, 10**6  # of a piece, of a lower bound, of pieces, of their ends
FACT = "Taylor's sums enclose sine and cosine between 0 and pi/2"
KNOWN = {"num", "var", "const", "neg", "add", "sub", "mul", "div"}
Claims = list[tuple[Any, Range]]  # polynomials in y, each with a range in which it has to be above 0


def by_circles(asked: Asked) -> Iterator[tuple[tuple[Asked, ...], str, tuple[str, ...]]]:
    """Comparisons of polynomials that imply one of sines and cosines of multiples of one number."""
    c, sides = asked.comparison, (asked.comparison.left, asked.comparison.right)
    if c.sign[0] not in "<>" or asked.conditions or len(asked.ranges) != 1:
        return
    if not any(has(side, "sin", "cos") for side in sides) or not all(map(_is_known, sides)):
        return
    ((x, r),) = asked.ranges.items()
    larger, smaller = sides if c.sign[0] == ">" else sides[::-1]
    if r.integer or (found := _claims(binary("sub", larger, smaller), x, r, len(c.sign) == 1)) is None:
        return
    y = unused("y", asked)
    told = [(from_sympy(p.subs(_letters()[0], _symbol(y))), within) for p, within in found]
    claims = tuple(Asked(Compare(p, ">", num(0)), {y: within}, printed=False) for p, within in told)
    yield claims, f"beside each multiple of pi/2, {y} away from it", (FACT,)


def _is_known(side: Expression) -> bool:
    """Whether a side has only operations of arithmetic, whole powers, sines and cosines."""

    def known(p: Expression) -> bool:
        whole = p.head == "pow" and p.args[1].head == "num" and p.args[1].args[0].denominator == 1
        return p.head in KNOWN or whole or p.head == "call" and p.args[0] in ("sin", "cos")

    return all(map(known, parts(side)))


def _claims(gap: Expression, x: str, r: Range, strict: bool) -> Claims | None:
    """What shows that a formula is above 0, or not below, and that nothing is divided by 0; None if it is not known."""
    from sympy import PolynomialError

    try:
        found = _Circle(gap, x, r).claims(strict)
        for p in parts(gap):
            divisor = p.args[1] if p.head == "div" else p.args[0] if p.head == "pow" and p.args[1].args[0] < 0 else None
            if divisor is None or x not in names(divisor) or found is None:
                continue
            ways = (divisor, Expression("neg", (divisor,)))
            above = next((c for way in ways if (c := _Circle(way, x, r).claims(strict=True)) is not None), None)
            found = None if above is None else [*found, *above]
    except (NoStatement, PolynomialError):
        return None
    return found


@cache
def _letters() -> tuple[Any, Any, Any]:
    """y, and what stands for its sine and cosine."""
    return _symbol("y"), _symbol("s"), _symbol("c")


def _symbol(word: str) -> Any:
    import sympy

    return sympy.Symbol(word)


class _Circle:
    """A formula of sines and cosines of multiples of t = x/q, between two ends of t."""

    def __init__(self, formula: Expression, x: str, r: Range) -> None:
        import sympy

        self.t = sympy.Symbol("t", real=True)
        told = to_sympy(formula, {x: self.t})
        angles = [(f.args[0], f.args[0].coeff(self.t)) for f in told.atoms(sympy.sin, sympy.cos)]
        if any(not k.is_Rational or k == 0 or angle != k * self.t for angle, k in angles):
            raise NoStatement("an angle that is no multiple of the number")
        q = lcm(*(int(k.q) for _, k in angles))
        self.formula = sympy.expand_trig(told.subs(self.t, q * self.t))
        self.ends = [to_sympy(end, {}) / q for end in (r.low, r.high)]
        self.closed = [not r.low_open, not r.high_open]
        if not all(end.is_finite for end in self.ends):
            raise NoStatement("an infinite range")

    def claims(self, strict: bool) -> Claims | None:
        """Polynomials that have to be above 0 in their ranges; None where this is not seen to be enough."""
        import sympy

        low, high = (float(end) * 2 / pi for end in self.ends)
        if high - low > MOST:
            return None
        found: Claims = []
        for k in range(floor(low - 0.6), ceil(high + 0.6) + 1):
            for way in (1, -1):
                near, far = self.ends[::way]
                begin, end = (way * (e - k * sympy.pi / 2) for e in (near, far))
                if not end.is_positive or float(begin) >= WIDTH:
                    continue
                at_centre = bool(begin.is_negative or begin == 0 and self.closed[::way][0])
                piece = self._piece(k, way, strict, at_centre)
                if piece is None:
                    return None
                first = Fraction(max(0, floor(float(begin) * FINE) - 1), FINE)
                last = min(WIDTH, Fraction(ceil(float(end) * FINE) + 1, FINE))
                found += [(p, Range(num(first), num(last))) for p in piece]
        return found

    def _piece(self, k: int, way: int, strict: bool, at_centre: bool) -> list[Any] | None:
        """What has to be above 0 beside k pi/2, so that numerator and denominator are, but for 0 at the centre."""
        import sympy

        y, s, c = _letters()
        sine, cosine = [(way * s, c), (c, -way * s), (-way * s, -c), (-c, way * s)][k % 4]
        there = self.formula.subs({sympy.sin(self.t): sine, sympy.cos(self.t): cosine})
        above, below = sympy.fraction(sympy.together(there.subs(self.t, k * sympy.pi / 2 + way * y)))
        inside: Any = below.subs({s: sympy.sin(y), c: sympy.cos(y)})
        if float(inside.subs(y, 0.4)) < 0:
            above, below = -above, -below
        found = []
        for part in (above, below):
            m, rest = _below(part)
            if rest is None or m and at_centre and (strict or part is below):
                return None
            found += [rest] * bool(rest.free_symbols)
        return found


def _below(part: Any) -> tuple[int, Any]:
    """m and f with y^m f(y) below a polynomial in y, sin(y) and cos(y), and f(0) > 0; f is None without one."""
    import sympy

    y, s, c = _letters()
    lower = sympy.Integer(0)
    for (i, j, m), k in sympy.Poly(part, y, s, c).terms():
        sine, cosine = (_taylor(first, upper=bool(k < 0)) for first in (1, 0))
        lower += k * y**i * sine**j * cosine**m
    terms = {m: k for (m,), k in sympy.Poly(sympy.expand(lower), y).terms() if k != 0}
    m = min(terms, default=0)
    return m, sum(k * y ** (i - m) for i, k in terms.items()) if terms and terms[m].is_positive else None


@cache
def _taylor(first: int, upper: bool) -> Any:
    """Taylor's sum of sine (first = 1) or cosine (0), whose last sign is + above and - below."""
    import sympy

    powers = range(first, DEGREE + first + 2 * upper, 2)
    return sum((-1) ** (n // 2) * _letters()[0] ** n / sympy.Integer(factorial(n)) for n in powers)
