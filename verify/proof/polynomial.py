"""Terms as polynomials over what algebra does not open: two terms with one polynomial are equal for every value.

A polynomial maps monomials to numbers; a monomial is a set of pairs of an atom and its power. Products and powers are
multiplied out, the exponential of a sum is a product, a square of a root is what stands under it, and a quotient of
something else than one monomial is an atom of its own.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction

from banditproof.theory.numbers.term import Term, children

Monomial = frozenset[tuple[Hashable, Fraction]]
Polynomial = dict[Monomial, Fraction]

ONE: Monomial = frozenset()
LARGEST_POWER = 12
MOST_MONOMIALS = 2000


class TooLong(ArithmeticError):
    """A product with more monomials than anybody would read."""


def polynomial(term: Term) -> Polynomial:
    """The polynomial of a term, without monomials of coefficient 0. Raises TooLong."""
    done: dict[Term, Polynomial] = {}

    def of(t: Term) -> Polynomial:
        if t not in done:
            done[t] = _node(t, [of(a) for a in children(t)])
        return done[t]

    return of(term)


def _node(t: Term, given: list[Polynomial]) -> Polynomial:
    if t.op == "num":
        value = t.args[0]
        return _number(value) if isinstance(value, Fraction) else _atom(t)
    if t.op == "var":
        return _atom(t)
    if t.op == "add":
        return _sum(given[0], given[1])
    if t.op in ("sub", "neg"):
        return _sum(given[0] if t.op == "sub" else {}, given[-1], -1)
    if t.op == "mul":
        return _product(given[0], given[1])
    if t.op == "div":
        return _product(given[0], _inverse(given[1]))
    if t.op == "pow" and (power := constant(given[1])) is not None and _small(power):
        return _power(given[0] if power > 0 else _inverse(given[0]), abs(int(power)))
    if t.op == "fn" and t.args[0] in ("exp", "expm1"):
        return _sum(_exponential(given[0]), _number(Fraction(1)), -1 if t.args[0] == "expm1" else 0)
    if t.op == "fn" and t.args[0] == "log1p":
        return _atom(("log", key(_sum(_number(Fraction(1)), given[0]))))
    name = t.args[0] if t.op in ("fn", "quantity", "where", "total") else ""
    return _atom((name or t.op, *map(key, given)))


def key(one: Polynomial) -> Hashable:
    """What is the same for equal polynomials."""
    return frozenset(one.items())


def constant(one: Polynomial) -> Fraction | None:
    """The number that a polynomial is, or None."""
    if not one:
        return Fraction(0)
    return one.get(ONE) if len(one) == 1 else None


def _small(power: Fraction) -> bool:
    return power.denominator == 1 and abs(power) <= LARGEST_POWER


def _number(value: Fraction) -> Polynomial:
    return {ONE: value} if value else {}


def _atom(atom: Hashable, power: Fraction = Fraction(1)) -> Polynomial:
    return {frozenset([(atom, power)]): Fraction(1)}


def _sum(first: Polynomial, second: Polynomial, sign: int = 1) -> Polynomial:
    total = dict(first)
    for monomial, value in second.items():
        total[monomial] = total.get(monomial, Fraction(0)) + sign * value
    return {monomial: value for monomial, value in total.items() if value}


def _product(first: Polynomial, second: Polynomial) -> Polynomial:
    if len(first) * len(second) > MOST_MONOMIALS:
        raise TooLong
    product: Polynomial = {}
    for a, x in first.items():
        for b, y in second.items():
            product = _sum(product, _times(a, b, x * y))
    return product


def _times(a: Monomial, b: Monomial, value: Fraction) -> Polynomial:
    """The product of two monomials: one, unless the square of a root opens."""
    powers: dict[Hashable, Fraction] = dict(a)
    for atom, power in b:
        powers[atom] = powers.get(atom, Fraction(0)) + power
    opened: Polynomial | None = None
    for atom, power in list(powers.items()):
        if isinstance(atom, tuple) and atom[0] == "sqrt" and power >= 2:
            halves = int(power // 2)
            powers[atom] = power - 2 * halves
            under = _power(dict(atom[1]), halves)
            opened = under if opened is None else _product(opened, under)
    left = {frozenset((atom, power) for atom, power in powers.items() if power): value}
    return left if opened is None else _product(left, opened)


def _power(base: Polynomial, power: int) -> Polynomial:
    product = _number(Fraction(1))
    for _ in range(power):
        product = _product(product, base)
    return product


def _inverse(one: Polynomial) -> Polynomial:
    """1 over a polynomial: of one monomial the monomial with opposite powers, else an atom of its own."""
    if len(one) == 1:
        ((monomial, value),) = one.items()
        return {frozenset((atom, -power) for atom, power in monomial): 1 / value}
    if not one:
        return _atom(("1/0",))
    lead = min(one.items(), key=lambda entry: repr(sorted(map(repr, entry[0]))))[1]
    return {frozenset([(("1/", key({m: v / lead for m, v in one.items()})), Fraction(1))]): 1 / lead}


def _exponential(power: Polynomial) -> Polynomial:
    """exp of a sum as a product of powers of exp of its monomials."""
    return {frozenset((("exp", monomial), value) for monomial, value in power.items()): Fraction(1)}


def linear_in(one: Mapping[Monomial, Fraction]) -> tuple[str, Fraction, Fraction] | None:
    """The variable, slope and constant of a polynomial that is linear in one variable; None for others."""
    live = [m for m in one if m]
    if len(live) != 1 or len(live[0]) != 1:
        return None
    ((atom, power),) = live[0]
    if not (isinstance(atom, Term) and atom.op == "var" and power == 1):
        return None
    return atom.args[0], one[live[0]], one.get(ONE, Fraction(0))
