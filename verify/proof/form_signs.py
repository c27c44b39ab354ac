"""Signs of formulas of positive symbols, read off their form: sums of parts of one sign, products, powers; of numbers
by balls. With them logarithms are taken apart, and a zero is seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from banditproof.verify.proof.factoring import factors_of
from banditproof.verify.proof.formulas import Refused, choices, expanded, is_strange, log_of, normal_law, text, waves

LONGEST_PRIME_SEARCH = 10**6
PRECISIONS = (64, 256, 1024)


@lru_cache(50_000)
def sign_of(expression: Any) -> int | None:
    """The sign for all positive values of the symbols, where the form shows it: 1, 0, -1; None otherwise."""
    import sympy

    if is_strange(expression):
        return None
    sign = sign_by_parts(expression)
    if sign is None and expression.free_symbols and isinstance(expression, sympy.Add | sympy.Mul | sympy.Pow):
        signs = [sign_of_power(_sign_of_factor(f), k) for f, k in factors_of(expression)]
        sign = None if None in signs else _product(signs)
    if sign is None and not expression.is_Atom and not expression.is_rational_function():
        try:
            multiplied = expanded(expression)
        except Refused:
            return _by_bounds(expression)
        sign = 0 if multiplied == 0 else sign_by_parts(multiplied)
        sign = _by_bounds(expression) or _by_bounds(multiplied) if sign is None else sign
    return sign


def _by_bounds(e: Any) -> int | None:
    """The sign of a difference of two logarithms, exponentials, powers or normal laws, which increase, or of a sum

    whose exponentials and normal laws are as small, or as large, as the signs in them allow.
    """
    import sympy

    if not e.is_Add or e.is_rational_function():
        return None
    if len(e.args) == 2:
        (c, f), (d, g) = (t.as_independent(sympy.exp, normal_law(), sympy.log) for t in e.args)
        if c + d == 0 and f.func == g.func and isinstance(f, sympy.exp | normal_law() | sympy.log):
            of_factor, of_arguments = sign_of(c), sign_of(f.args[0] - g.args[0])  # all three of them increase
            if of_factor is not None and of_arguments is not None:
                return of_factor * of_arguments
        (c, f), (d, g) = (t.as_coeff_Mul() for t in e.args)
        if c + d == 0 and f.is_Pow and g.is_Pow and f.exp == g.exp and f.exp.is_Rational and f.exp > 0:
            of_arguments = sign_of(f.base - g.base) if sign_of(f.base) == sign_of(g.base) == 1 else None
            return None if of_arguments is None else (1 if c > 0 else -1) * of_arguments
    if not e.has(sympy.exp, normal_law()):
        return None
    return next((turn for turn in (1, -1) if _stays_above(sympy.Add(*(turn * t for t in e.args)))), None)


def _stays_above(e: Any) -> bool:
    """Whether a sum is above 0 where each exponential is taken as 0 or 1 and each normal law as 0 or 1/2: the worse."""
    import sympy

    least, strictly = sympy.S.Zero, False
    for t in sympy.Add.make_args(e):
        c, f = t.as_independent(sympy.exp, normal_law())
        if f == 1:
            least += t
            continue
        of_factor, of_argument = sign_of(c), sign_of(f.args[0]) if isinstance(f, sympy.exp | normal_law()) else None
        if of_factor not in (1, -1) or of_argument is None:
            return False
        if isinstance(f, normal_law()):
            least += 0 if of_factor * of_argument >= 0 else -c * of_factor / 2
        elif of_factor == 1:
            least += c if of_argument >= 0 else 0
        elif of_argument <= 0:
            least += c
        else:
            return False
        strictly = strictly or of_argument != 0
    sign = sign_by_parts(least) if least.is_Atom else sign_of(least)
    return sign == 1 or (sign == 0 and strictly)


def _sign_of_factor(factor: Any) -> int | None:
    sign = sign_by_parts(factor)
    sign = sign_by_parts(expanded(factor)) if sign is None else sign
    return _by_bounds(factor) if sign is None else sign


def _product(signs: list[Any]) -> int:
    total = 1
    for sign in signs:
        total *= sign
    return total


def sign_of_power(sign: int | None, exponent: Any) -> int | None:
    """The sign of a power of a base of known sign, where it has a value."""
    if sign is None or (sign == 0 and not (exponent.is_Rational and exponent > 0)):
        return None
    if sign == -1:
        return None if not exponent.is_Integer else -1 if exponent % 2 else 1
    return sign


@lru_cache(50_000)
def sign_by_parts(e: Any) -> int | None:
    """The sign from the parts of the expression as it stands."""
    import sympy

    if e.is_number:
        return number_sign(e)
    if e.is_Symbol or isinstance(e, sympy.exp | choices()):
        return 1
    if isinstance(e, normal_law()):
        return sign_of(e.args[0])
    if e.is_Add:
        signs = {sign_by_parts(a) for a in e.args}
        signs.discard(0)
        return signs.pop() if len(signs) == 1 else _by_coefficients(e)
    if e.is_Mul:
        signs = [sign_by_parts(a) for a in e.args]
        return None if None in signs else _product(signs)
    if e.is_Pow:
        return sign_of_power(sign_by_parts(e.base), e.exp)
    if isinstance(e, sympy.log):
        argument = e.args[0]
        if sign_of(argument) != 1:
            return None
        return sign_of(argument - 1)
    return None


def _by_coefficients(e: Any) -> int | None:
    """The sign of a sum with several numbers times one expression, as in 2 x - sqrt(3) x + 1, once they are added."""
    import sympy

    if not any(f.is_number and not f.is_Rational for t in e.args for f in sympy.Mul.make_args(t)):
        return None  # what has rational coefficients is added already
    numbers: dict[Any, Any] = {}
    for t in e.args:
        c, rest = t.as_independent(*t.free_symbols)
        numbers[rest] = numbers.get(rest, sympy.S.Zero) + c
    if len(numbers) == len(e.args):
        return None
    signs = {
        None if None in pair else _product(list(pair))
        for pair in ((number_sign(c), sign_by_parts(r)) for r, c in numbers.items())
    }
    signs.discard(0)
    return signs.pop() if len(signs) == 1 else None


@lru_cache(20_000)
def number_sign(number: Any) -> int | None:
    """The sign of a number without symbols: of a rational exactly, of others by balls.

    Where balls do not say, it is 0 if logarithms of whole numbers by those of primes say so, and None otherwise.
    """
    import sympy
    from flint import ctx

    if number.is_Rational:
        return (number.p > 0) - (number.p < 0)
    before = ctx.prec
    try:
        for ctx.prec in PRECISIONS:
            value = ball(number, {})
            if value > 0 or value < 0:
                return 1 if value > 0 else -1
    except Refused:
        return None
    finally:
        ctx.prec = before
    is_zero = number.has(sympy.log) and sympy.expand(sympy.expand_log(number, factor=True)) == 0
    return 0 if is_zero else None


def ball(e: Any, values: Any) -> Any:
    """The range of an expression over balls for its symbols. Raises Refused for what is no sum, product, power, ..."""
    import sympy
    from flint import arb, fmpq

    if e.is_Rational:
        return arb(fmpq(int(e.p), int(e.q)))
    if e.is_Symbol:
        return values[e]
    if e in (sympy.E, sympy.pi):
        return arb(1).exp() if e == sympy.E else arb.pi()
    if isinstance(e, sympy.log | sympy.exp):
        inside = ball(e.args[0], values)
        return inside.log() if isinstance(e, sympy.log) else inside.exp()
    if isinstance(e, normal_law()):
        return (ball(e.args[0], values) / arb(2).sqrt()).erf() / 2
    if isinstance(e, waves()):
        return getattr(ball(e.args[0], values), e.func.__name__)()
    if e.is_Add or e.is_Mul:
        total, *others = (ball(a, values) for a in e.args)
        for other in others:
            total = total + other if e.is_Add else total * other
        return total
    if e.is_Pow:
        base = ball(e.base, values)
        if e.exp == sympy.Rational(1, 2):
            return base.sqrt()
        if e.exp.is_Integer:
            k = int(e.exp)
            if k > 0 and k % 2 == 0:
                return _even(base, k)
            return base**k
        return (base.log() * ball(e.exp, values)).exp()
    raise Refused(f"no balls for {e.func}")


def _even(base: Any, power: int) -> Any:
    """An even power over a ball that may hold 0."""
    from flint import arb

    low, high = arb(base.abs_lower()), arb(base.abs_upper())
    return (low**power).union(high**power)


def in_order(pairs: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Those of the factors whose sign the form does not show, by their text, after the others."""
    with_sign = [(sign_of(base) is None, base, power) for base, power in pairs]
    shown = [(base, power) for is_open, base, power in with_sign if not is_open]
    rest = [(base, power) for is_open, base, power in with_sign if is_open]
    return shown + (sorted(rest, key=lambda pair: text(pair[0])) if len(rest) > 1 else rest)


@lru_cache(20_000)
def tidy(expression: Any) -> Any:
    """The same with logarithms of products apart where every factor is positive by its form."""
    import sympy

    if not expression.has(sympy.log):
        return expression
    return expression.replace(sympy.log, _apart)


def _apart(argument: Any) -> Any:
    import sympy

    if argument.is_Rational:
        return _log_of_number(argument)
    if not argument.free_symbols:
        return sympy.log(argument)
    pairs = factors_of(argument)
    if not all(sign_of(f) == 1 for f, _ in pairs):
        return log_of(argument)
    return sympy.Add(*(k * one_log(f) for f, k in pairs))


def one_log(factor: Any) -> Any:
    import sympy

    if factor.is_Rational:
        return _log_of_number(factor)
    if factor.is_Pow and sign_of(factor.base) == 1:
        return factor.exp * one_log(factor.base)
    if isinstance(factor, sympy.exp):
        return factor.args[0]
    return log_of(factor)


def _log_of_number(number: Any) -> Any:
    import sympy

    if not number > 0 or max(number.p, number.q) > LONGEST_PRIME_SEARCH:
        return sympy.log(number)
    above, below = sympy.factorint(number.p), sympy.factorint(number.q)
    powers = {p: above.get(p, 0) - below.get(p, 0) for p in (*above, *below)}
    return sympy.Add(*(k * sympy.log(p) for p, k in powers.items()))


def is_zero(expression: Any) -> bool:
    """Whether an expression vanishes as one quotient, logarithms apart: factored, or multiplied out."""
    import sympy

    tidied = tidy(expression)
    if any(base == 0 for base, _ in factors_of(tidied)):
        return True
    numerator = expanded(sympy.fraction(sympy.together(tidied))[0])
    return numerator == 0 or expanded(sympy.powsimp(numerator)) == 0
