"""The rule for what falls to a limit at infinity or at 0: normal tails, exponentials beside powers.

A limit is found by form: exponentials of what falls as -c u^a vanish against powers and logarithms, what a normal
variable has between 0 and x tends to 1/2 as fast, and the rest is continuous at infinity as `limit_at_zero` shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from banditproof.verify.proof.factoring import as_product, factors_of
from banditproof.verify.proof.form_signs import sign_of, sign_of_power, tidy
from banditproof.verify.proof.formulas import (
    Refused,
    derivative,
    expanded,
    fresh,
    is_strange,
    normal_law,
    put,
    symbol,
    symbols_of,
    text,
)
from banditproof.verify.proof.goals import Goal, is_smooth, limit_at_zero, rule
from banditproof.verify.proof.touching import from_data, to_data

LONGEST = 600  # letters of a goal that is tried
RATES = ("2", "1", "1/2")  # at which an exponent may grow


@rule
def falls(goal: Goal, data: Any) -> list[Goal]:
    """F/m for a positive m: its limit at infinity is >= 0, and it does not rise. data: the symbol, and m."""
    name, unit = data
    u, quotient = symbol(name), divided(goal, name, unit)
    return [Goal(limit_at_infinity(quotient, u), ">="), Goal(-derivative(quotient, u), goal.operator)]


@rule
def hill(goal: Goal, data: Any) -> list[Goal]:
    """F/m for a positive m: its limits at 0 and at infinity are >= 0, and it rises first, and falls then.

    What has the sign of its derivative, divided by another m, does not rise, so that it changes its sign once, from
    plus to minus; or it begins at 0 or above, and rises first and falls then. data: the symbol, and each m.
    """
    name, units = data
    u, quotient = symbol(name), divided(goal, name, units[0])
    goals = [Goal(limit_at_infinity(quotient, u), ">="), Goal(limit_at_zero(quotient, u), ">=")]
    for unit in units[1:-1]:
        quotient = divided(Goal(of_open_sign(derivative(quotient, u)), goal.operator), name, unit)
        goals.append(Goal(limit_at_zero(quotient, u), ">="))
    quotient = divided(Goal(of_open_sign(derivative(quotient, u)), goal.operator), name, units[-1])
    return [*goals, Goal(-derivative(quotient, u), goal.operator)]


def of_open_sign(e: Any) -> Any:
    """What has the sign of an expression: its one factor of unknown sign, or less that."""
    total, rest = 1, []
    for base, power in factors_of(tidy(e)):
        sign = sign_of_power(sign_of(base), power)
        if sign is None:
            rest.append((base, power))
        else:
            total *= sign
    if len(rest) != 1 or total == 0 or not (rest[0][1].is_Integer and rest[0][1] % 2 and rest[0][1] > 0):
        raise Refused("more than one factor of unknown sign, or none")
    return total * rest[0][0]


def divided(goal: Goal, name: str, unit_data: Any) -> Any:
    """The expression of a goal by a unit that is positive, and smooth. Raises Refused."""
    known = {s.name for s in goal.expression.free_symbols}
    unit = from_data(unit_data, known, [0])
    if goal.operator not in (">", ">=") or name not in known:
        raise Refused("no inequality with this symbol")
    if is_strange(unit) or not is_smooth(unit) or sign_of(unit) != 1:
        raise Refused("no unit that has a value above 0 by its form")
    quotient = sum((as_product(c / unit) * f for f, c in _by_functions(goal.expression).items()), start=unit - unit)
    if not is_smooth(quotient):
        raise Refused("it is not smooth by its form")
    return quotient


def _by_functions(e: Any) -> dict[Any, Any]:
    """The coefficients of products of exponentials, logarithms and normal laws in an expression."""
    import sympy

    kinds = (sympy.exp, normal_law(), sympy.log)
    found: dict[Any, Any] = {}
    for t in sympy.Add.make_args(expanded(tidy(e))):
        c, f = t.as_independent(*kinds)
        if any(x.as_base_exp()[0].is_Add for x in sympy.Mul.make_args(f)):  # exp(x)/(x exp(x) + exp(x)), say
            c, f = as_product(t).as_independent(*kinds)
        found[f] = found.get(f, sympy.S.Zero) + c
    return found


def limit_at_infinity(e: Any, u: Any) -> Any:
    """The limit of a smooth expression as a symbol grows. Raises Refused."""
    import sympy

    rest = sympy.S.Zero
    for t in sympy.Add.make_args(e):
        if not _vanishes(t, u):
            rest += _of_laws(t, u)
    v = fresh(rest)
    return limit_at_zero(put(rest, {u: 1 / v}), v)


def _vanishes(t: Any, u: Any) -> bool:
    """Whether a product holds an exponential that goes to 0, and otherwise only what powers of the symbol bound."""
    import sympy

    parts: Any = sympy.Mul.make_args(t)
    small = [f for f in parts if isinstance(f, sympy.exp) and f.has(u) and rate(-f.args[0], u)]  # type: ignore[operator]
    return len(small) == 1 and all(f is small[0] or is_bounded_by_powers(f, u) for f in parts)


def rate(e: Any, u: Any) -> str:
    """The power of the symbol as a positive multiple of which an expression grows, or ''."""
    import sympy

    v = fresh(e)
    for power in RATES:
        try:
            if sign_of(limit_at_zero(put(e, {u: 1 / v}) * v ** sympy.Rational(power), v)) == 1:
                return power
        except Refused:
            continue
    return ""


def is_bounded_by_powers(e: Any, u: Any) -> bool:
    """Whether a smooth expression is at most c u^k in size for large u, by its form."""
    import sympy

    if not e.has(u) or e.is_Symbol or isinstance(e, normal_law()):
        return True
    if e.is_Add or e.is_Mul:
        return all(is_bounded_by_powers(a, u) for a in e.args)
    if isinstance(e, sympy.log):
        return _is_algebraic(e.args[0], u) and sign_of(e.args[0]) == 1  # so it is at least c u^-k
    if e.is_Pow and e.exp.is_Rational:
        if e.exp > 0:
            return is_bounded_by_powers(e.base, u)
        return _is_algebraic(e.base, u) and sign_of(e.base) in (1, -1)
    return False


def _is_algebraic(e: Any, u: Any) -> bool:
    """Whether it is made of the symbol and of what is free of it by sums, products and rational powers."""
    if not e.has(u) or e.is_Symbol:
        return True
    if e.is_Pow:
        return e.exp.is_Rational and _is_algebraic(e.base, u)
    return (e.is_Add or e.is_Mul) and all(_is_algebraic(a, u) for a in e.args)


def _of_laws(t: Any, u: Any) -> Any:
    """A product with 1/2 for what a normal variable has between 0 and x, where x grows as a power of the symbol.

    The other factors are bounded by powers, and the tail beyond x is at most exp(-x^2/2).
    """
    laws = [x for x in t.atoms(normal_law()) if x.has(u)]
    if not laws:
        return t
    import sympy

    c, power = t.as_independent(normal_law())
    law, k = power.as_base_exp()
    if laws != [law] or not (k.is_Integer and k > 0) or not rate(law.args[0], u) or not is_bounded_by_powers(c, u):
        raise Refused("a normal law that does not stand alone, or does not tend to 1/2")
    return c * sympy.Rational(1, 2) ** k


def moves(goal: Goal) -> Iterator[tuple[str, Any, int]]:
    """`falls` and `hill` with data: by the coefficients of normal laws, by exponentials, and as it stands."""
    if goal.operator not in (">", ">=") or len(text(goal.expression)) > LONGEST:
        return
    for u in symbols_of(goal.expression):
        for unit in _units(goal.expression, u):
            yield "falls", [u.name, unit], 1
            try:
                inner = of_open_sign(derivative(divided(goal, u.name, unit), u))
            except Refused:
                continue
            for below in _units(inner, u):
                yield "hill", [u.name, [unit, below]], 1
                if inner.has(normal_law()):
                    yield "hill", [u.name, [unit, below, "1"]], 1


def _units(e: Any, u: Any) -> list[Any]:
    """By what one may divide, as data: 1, coefficients of normal laws, and exponentials."""
    import sympy

    units = [sympy.S.One]
    for f, c in _by_functions(e).items():
        powers, laws = f.as_independent(normal_law())
        found = [as_product(c) * powers] if laws.has(u) else [powers]
        units += [c * sign for c in found if (sign := sign_of(c)) in (1, -1) and c.has(u)]
    listed = []
    for unit in list(dict.fromkeys(units))[:4]:
        try:
            listed.append(to_data(unit))
        except Refused:
            continue
    return listed
