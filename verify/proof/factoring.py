"""Factoring: a formula of positive symbols as one quotient of products."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from banditproof.verify.proof.formulas import Refused, choices, normal_law, text, waves

LARGEST_POWER, MOST_MONOMIALS = 60, 20_000
LARGEST_DEGREE = 200  # beyond it SymPy takes minutes, as for exp(-629 t^2/1250) beside exp(-t^2/2)


@lru_cache(20_000)
def factors_of(expression: Any) -> tuple[tuple[Any, Any], ...]:
    """The factors of an expression as one quotient, each with its power, which is negative below."""
    import sympy

    try:
        pairs = _factored_by_flint(expression)
    except Refused:
        pairs = _factored_by_sympy(expression)
    powers: dict[Any, Any] = {}
    for base, exponent in pairs:
        powers[base] = powers.get(base, sympy.S.Zero) + exponent
    return tuple((b, sympy.sympify(k)) for b, k in powers.items() if k and b != 1)


@lru_cache(50_000)
def as_product(expression: Any) -> Any:
    """The expression as one quotient, factored."""
    import sympy

    return sympy.Mul(*(f**k for f, k in factors_of(expression)))


def _factored_by_sympy(expression: Any) -> list[tuple[Any, Any]]:
    import sympy

    factored = []
    for part, turn in zip(sympy.fraction(sympy.together(expression)), (1, -1), strict=True):
        if not part.free_symbols:
            factored.append((part, turn))
            continue
        try:
            number, pairs = (sympy.S.One, [(part, 1)]) if _is_high(part) else sympy.factor_list(part)[:2]
        except sympy.PolynomialError:
            number, pairs = sympy.S.One, [(part, 1)]
        factored += [(number, turn), *((base, turn * exponent) for base, exponent in pairs)]
    return factored


def _is_high(part: Any) -> bool:
    import sympy
    from sympy.polys.polyerrors import BasePolynomialError

    try:
        return max(sympy.Poly(part).degree_list()) > LARGEST_DEGREE
    except BasePolynomialError:  # of no symbols, or with one in an exponent
        return False


def _factored_by_flint(expression: Any) -> list[tuple[Any, Any]]:
    """As above for quotients of rational polynomials of symbols, logarithms, normal laws, powers of symbols and roots.

    The roots are those of whatever is such a quotient itself. Raises Refused.
    """
    import sympy
    from flint import fmpq

    unknowns = _unknowns(expression)
    if not unknowns:
        return [(expression, 1)]
    quotients = _quotients(unknowns)
    of_numbers, of_more = quotients.roots_of(numbers=True), quotients.roots_of(numbers=False)
    above, below = (quotients.reduced(part, of_numbers) for part in quotients.of(expression))
    factored = []
    for part, turn in ((above, 1), (below, -1)):
        if turn == -1 and quotients.reduced(part, of_more) == 0:
            raise Refused("a division by zero")
        if quotients.reduced(part, of_more) == 0:
            return [(sympy.S.Zero, 1)]
        number, pairs = part.factor()
        factored.append((_rational(number), turn))
        for base, exponent in pairs:
            shorter = quotients.reduced(base, of_more)
            number, again = (fmpq(1), [(base, 1)]) if shorter == base else shorter.factor()
            factored.append((_rational(number), turn * int(exponent)))
            factored += [(quotients.back(one), turn * int(exponent * k)) for one, k in again]
    number = sympy.Mul(*(base**k for base, k in factored if base.is_Rational))
    return [(number, 1), *((base, k) for base, k in factored if not base.is_Rational)]


def by_powers(expression: Any, u: Any) -> dict[int, Any]:
    """The coefficients of an expression as a polynomial of a symbol. Raises Refused for what is none.

    A coefficient may hold the symbol, inside of a function.
    """
    import sympy

    try:
        quotients = _quotients(_unknowns(expression) | {u})
        above, below = quotients.of(expression)
        if quotients.roots or below != 1:
            raise Refused("not a polynomial of symbols and functions")
    except Refused:
        try:
            return {k: c for (k,), c in sympy.Poly(expression, u).terms()}
        except sympy.PolynomialError:
            raise Refused("no polynomial of the symbol") from None
    place, terms = quotients.generators.index(u), {0: {}}
    for powers, c in above.to_dict().items():
        others = tuple(0 if i == place else k for i, k in enumerate(powers))
        terms.setdefault(int(powers[place]), {})[others] = c
    return {k: quotients.back(quotients.context.from_dict(of_power)) for k, of_power in terms.items()}


@lru_cache(50_000)
def _unknowns(e: Any) -> frozenset[Any]:
    """What a quotient of polynomials is one of: symbols, logarithms and the like, and roots. Raises Refused."""
    import sympy

    if e.is_Rational:
        return frozenset()
    if e.is_Symbol or e == sympy.E or isinstance(e, sympy.log | normal_law() | choices() | waves()):
        return frozenset([e])
    if _is_power_of_e(e):
        return frozenset([sympy.E])
    if e.is_Add or e.is_Mul:
        return frozenset().union(*map(_unknowns, e.args))
    if e.is_Pow and e.exp.is_Integer and abs(e.exp) <= LARGEST_POWER:
        return _unknowns(e.base)
    if _is_root(e) and abs(e.exp.p) <= LARGEST_POWER:
        return _unknowns(e.base) | {_root_in(e)}
    if _is_power_of_a_symbol(e):
        return frozenset().union(*(_unknowns(e.base) if f is None else {f} for f, _ in _apart_in_exponent(e)))
    raise Refused("not a quotient of polynomials")


Quotient = tuple[Any, Any]  # of polynomials of flint: above and below


class _Quotients:
    """Quotients of polynomials in some unknowns, and the polynomials as expressions.

    A symbol that stands under roots is a power of the generator that all of its roots are powers of.
    """

    def __init__(self, unknowns: frozenset[Any]) -> None:
        import sympy
        from flint import Ordering, fmpq_mpoly_ctx

        self.roots = sorted(filter(_is_root, unknowns), key=text)
        self.turns = {x: math.lcm(*(int(r.exp.q) for r in self.roots if r.base == x)) for x in unknowns if x.is_Symbol}
        apart = (x for x in unknowns if x not in self.roots or x.base not in self.turns)
        of_root = {x: x ** sympy.Rational(1, q) for x, q in self.turns.items() if q > 1}
        self.generators = sorted({of_root.get(x, x) for x in apart}, key=text)
        self.context = fmpq_mpoly_ctx.get(tuple(f"x{i}" for i in range(len(self.generators))), Ordering.lex)
        self.of_generator = dict(zip(self.generators, self.context.gens(), strict=True))
        self.one = self.context.constant(1)

    def of(self, e: Any) -> Quotient:
        """The quotient that an expression in the unknowns is. Raises Refused."""
        import sympy

        if e.is_Rational:
            return self.context.constant(int(e.p)) / int(e.q), self.one
        if e in self.of_generator:
            return self.of_generator[e], self.one
        if e in self.turns or (e.is_Pow and e.exp.is_Rational and e.base in self.turns):
            x, k = e.as_base_exp()
            generator = self.of_generator[x ** sympy.Rational(1, self.turns[x])]
            return _raised((generator, self.one), int(k * self.turns[x]))
        if _is_power_of_e(e) or (e.is_Pow and e.exp.is_Integer):
            base, k = e.as_base_exp()
            return _raised(self.of(base), int(k))
        if e.is_Pow and e.exp.is_Rational:
            return _raised((self.of_generator[_root_in(e)], self.one), int(e.exp.p))
        if _is_power_of_a_symbol(e):
            above, below = self.one, self.one
            for f, k in _apart_in_exponent(e):
                a, b = _raised(self.of(e.base if f is None else f), k)
                above, below = above * a, below * b
            return above, below
        above, below = self.of(e.args[0])
        for part in e.args[1:]:
            a, b = self.of(part)
            if e.is_Add and below is self.one and b is self.one:
                above = above + a
            elif e.is_Add:
                shared = below.gcd(b)
                above, below = above * (b / shared) + a * (below / shared), below * (b / shared)
            else:
                above, below = above * a, below * b
            if len(above) > MOST_MONOMIALS or len(below) > MOST_MONOMIALS:
                raise Refused("a polynomial that is too long")
        return above, below

    def roots_of(self, *, numbers: bool) -> list[tuple[int, int, Quotient]]:
        """The generators that are roots of numbers, or those of polynomials: place, which root it is, and of what."""
        roots = [r for r in self.roots if r.base not in self.turns and r.base.is_Rational == numbers]
        return [(self.generators.index(r), int(r.exp.q), self.of(r.base)) for r in roots]

    def reduced(self, polynomial: Any, roots: list[tuple[int, int, Quotient]]) -> Any:
        """With g^q as what it is the root of, for those of the generators g in a list that are roots of polynomials."""
        for place, q, (base, below) in roots:
            given = polynomial.to_dict()
            if below != 1 or all(powers[place] < q for powers in given):
                continue
            by_turns: dict[int, dict[Any, Any]] = {}
            for powers, c in given.items():
                left = tuple(k % q if i == place else k for i, k in enumerate(powers))
                by_turns.setdefault(powers[place] // q, {})[left] = c
            polynomial = self.context.constant(0)
            for turns_of_base, left in by_turns.items():
                polynomial += self.context.from_dict(left) * base**turns_of_base
        return polynomial

    def back(self, polynomial: Any) -> Any:
        """A polynomial as an expression."""
        return _of_terms(tuple(self.generators), tuple(polynomial.to_dict().items()))


@lru_cache(5_000)
def _quotients(unknowns: frozenset[Any]) -> _Quotients:
    return _Quotients(unknowns)


@lru_cache(50_000)
def _of_terms(generators: tuple[Any, ...], terms: tuple[Any, ...]) -> Any:
    """The sum of the products of powers of generators, each with its number."""
    import sympy

    products = []
    for powers, c in terms:
        factors = [g if k == 1 else g ** int(k) for g, k in zip(generators, powers, strict=True) if k]
        products.append(sympy.Mul(*factors) if c == 1 else sympy.Mul(_rational(c), *factors))
    return sympy.Add(*products)


def _raised(quotient: Quotient, k: int) -> Quotient:
    """A power of a quotient, by a whole exponent of either sign. Raises Refused for a division by zero."""
    above, below = quotient
    if k < 0 and above == 0:
        raise Refused("a division by zero")
    return (above**k, below**k) if k >= 0 else (below**-k, above**-k)


def _rational(number: Any) -> Any:
    """A rational of flint as one of SymPy."""
    import sympy

    return sympy.Integer(int(number.p)) if number.q == 1 else sympy.Rational(int(number.p), int(number.q))


def _is_root(e: Any) -> bool:
    return e.is_Pow and e.exp.is_Rational and not e.exp.is_Integer


def _root_in(power: Any) -> Any:
    """b^(1/q) of b^(p/q)."""
    import sympy

    return power.base ** sympy.Rational(1, power.exp.q)


def _is_power_of_e(e: Any) -> bool:
    import sympy

    power = e.args[0] if isinstance(e, sympy.exp) else None
    return isinstance(power, sympy.Integer) and abs(int(power)) <= LARGEST_POWER


def _is_power_of_a_symbol(e: Any) -> bool:
    import sympy

    return (isinstance(e, sympy.exp) or e.is_Pow) and bool(e.exp.free_symbols)


def _apart_in_exponent(e: Any) -> list[tuple[Any, int]]:
    """b^(k + n x) as pairs of b, which is None, and k, and of b^x and n: with whole k and n. Raises Refused."""
    import sympy

    pairs = []
    for part in sympy.Add.make_args(sympy.expand(e.exp)):
        pair: Any = part.as_coeff_Mul()
        number, rest = pair
        plain = number.is_Integer and abs(number) <= LARGEST_POWER and e.base != sympy.E
        if not number.is_Rational or (rest == 1 and not plain):
            raise Refused("an exponent of another kind")
        if rest == 1:
            pairs.append((None, int(number)))
        elif abs(number.p) > LARGEST_POWER:
            pairs.append((e.base ** (number * rest), 1))
        else:
            pairs.append((e.base ** (rest / number.q), int(number.p)))
    return pairs
