"""Rules for inequalities that are equalities inside: around a place that is named, and logarithms about a common point.

They are rules of `goals`, in its words: a goal is for all values above 0 of its symbols.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from banditproof.verify.proof.factoring import as_product, factors_of
from banditproof.verify.proof.form_signs import is_zero, sign_of, tidy
from banditproof.verify.proof.formulas import (
    Refused,
    derivative,
    expanded,
    fresh,
    is_strange,
    put,
    symbol,
    symbols_of,
    text,
)
from banditproof.verify.proof.goals import Goal, is_smooth, power_apart, rule

LARGEST_NUMBER, MOST_PARTS = 10**6, 60  # of a place in data
LONGEST = 300  # letters of a goal whose derivatives are set to 0
DEEPEST = 4  # functions that are undone one after the other

# -------------------------------------------------------------------------------------------------- places as data


def to_data(e: Any) -> Any:
    """A place as data: a ratio, the name of a symbol, or an operation with what it is of. Raises Refused."""
    import sympy

    if e.is_Rational:
        return str(e)
    if e.is_Symbol:
        return e.name
    if e in (sympy.E, sympy.pi):
        return ["exp", "1"] if e == sympy.E else ["pi"]
    if e.is_Add or e.is_Mul or isinstance(e, sympy.exp | sympy.log):
        word = "add" if e.is_Add else "mul" if e.is_Mul else type(e).__name__
        return [word, *map(to_data, e.args)]
    if e.is_Pow:
        return ["pow", *map(to_data, e.args)]
    raise Refused(f"a place with {type(e).__name__}")


def from_data(data: Any, known: set[str], parts: list[int]) -> Any:
    """The place that data name, of known symbols. Raises Refused."""
    import sympy

    parts[0] += 1
    if parts[0] > MOST_PARTS:
        raise Refused("a place of too many parts")
    if isinstance(data, str):
        if data in known:
            return symbol(data)
        if len(data) > 15 or not set(data) <= set("-/0123456789"):
            raise Refused(f"no number and no symbol: {data[:40]}")
        value = Fraction(data)
        if max(abs(value.numerator), value.denominator) > LARGEST_NUMBER:
            raise Refused("a large number")
        return sympy.Rational(value.numerator, value.denominator)
    made = {"add": sympy.Add, "mul": sympy.Mul, "pow": sympy.Pow, "exp": sympy.exp, "log": sympy.log}
    if not (isinstance(data, list) and data and data[0] in {*made, "pi"}):
        raise Refused("no place")
    if data == ["pi"]:
        return sympy.pi
    inside = [from_data(d, known, parts) for d in data[1:]]
    asked = {"pow": 2, "exp": 1, "log": 1}.get(data[0], len(inside))
    if len(inside) != asked or (data[0] == "pow" and inside[1].is_Rational and abs(inside[1]) > 64):
        raise Refused("no place")
    return made[data[0]](*inside)


# ------------------------------------------------------------------------------------------------------------ rules


@rule
def around(goal: Goal, data: Any) -> list[Goal]:
    """A symbol u below, at and above a positive c of the other symbols: c/(1 + w), c and c (1 + w).

    data: the symbol, and c.
    """
    name, place = data
    u, known = symbol(name), {s.name for s in goal.expression.free_symbols}
    c = from_data(place, known - {name}, [0])
    if name not in known or is_strange(c) or not is_smooth(c) or sign_of(c) != 1:
        raise Refused("no place that has a value above 0 by its form")
    w = fresh(goal.expression)
    return [Goal(_put(goal.expression, u, value), goal.operator) for value in (c, c * (1 + w), c / (1 + w))]


def _put(e: Any, u: Any, value: Any) -> Any:
    """The expression with a positive value for a symbol, powers of products of positive factors being apart."""
    return tidy(
        put(e, {u: value}).replace(
            lambda x: x.is_Pow and not x.exp.is_Integer and not x.base.is_Symbol and bool(x.base.free_symbols),
            lambda x: power_apart(x.base, x.exp),
        )
    )


@rule
def pooled(goal: Goal, data: Any) -> list[Goal]:
    """c1 log X1 + ... + ck log Xk + (c1 + ... + ck) log Y + rest with all c > 0: the sum of ci log(Xi Y).

    And log Z >= 1 - 1/Z, with equality for Z = 1 alone. data: 'whole' for the logarithms as they stand, 'apart' for
    those of their factors; and which of the coefficients is that of log Y.
    """
    how, place = data
    if goal.operator not in (">", ">="):
        raise Refused("no inequality")
    groups, rest = _by_coefficient(goal.expression, how)
    if type(place) is not int or not 0 <= place < len(groups) or len(groups) < 3:
        raise Refused("no such coefficient")
    total, y = groups.pop(place)
    if not is_zero(total - sum(c for c, _ in groups)):
        raise Refused("the coefficients do not add up")
    below = rest + sum(c * (1 - 1 / (x * y)) for c, x in groups)
    touched = [Goal(groups[0][1] * y - 1, "!=")] if goal.operator == ">" else []
    return [Goal(below, ">="), *touched]


def _by_coefficient(expression: Any, how: str) -> tuple[list[tuple[Any, Any]], Any]:
    """pairs (c, X) and a rest with expression = sum of c log X + rest, all c and X positive, each c once."""
    import sympy

    rest, coefficients = sympy.S.Zero, {}
    for t in sympy.Add.make_args(expression if how == "whole" else expanded(tidy(expression))):
        c, log = t.as_independent(sympy.log)
        if log == 1:
            rest += t
        elif not isinstance(log, sympy.log) or sign_of(log.args[0]) != 1:
            raise Refused("a summand with more than one logarithm")
        else:
            coefficients[log.args[0]] = coefficients.get(log.args[0], sympy.S.Zero) + c
    pairs: dict[Any, Any] = {}
    for x, c in sorted(coefficients.items(), key=lambda pair: text(pair[0])):
        product = as_product(c)
        sign = sign_of(product)
        if sign not in (1, -1):
            raise Refused("a coefficient of unknown sign")
        unit = product * sign
        pairs[unit] = pairs.get(unit, sympy.S.One) * x**sign
    return list(pairs.items()), rest


# ----------------------------------------------------------------------------------------------- what may be tried


def pools(goal: Goal) -> Iterator[tuple[str, Any, int]]:
    """`pooled` with data, where a coefficient is the sum of the others."""
    import sympy

    if goal.operator not in (">", ">=") or not 3 <= len(goal.expression.atoms(sympy.log)) <= 12:
        return
    for how in ("whole", "apart"):
        try:
            groups, _ = _by_coefficient(goal.expression, how)
        except Refused:
            continue
        for place, (c, _) in enumerate(groups if 3 <= len(groups) <= 8 else ()):
            if is_zero(2 * c - sum(other for other, _ in groups)):
                yield "pooled", [how, place], 1


def places(goal: Goal) -> Iterator[tuple[str, Any, int]]:
    """`around` with data: the places where a derivative vanishes."""
    import sympy

    e = goal.expression
    if len(text(e)) > LONGEST:
        return
    for u in symbols_of(e):
        if any(p.base.has(u) and p.exp.has(u) for p in e.atoms(sympy.Pow)):
            continue  # logarithms first
        for c in dict.fromkeys(_zeros(derivative(tidy(e), u), u, DEEPEST)):
            if c == 1 or is_strange(c) or sign_of(c) != 1:
                continue  # 1 is tried by `ordered`
            try:
                yield "around", [u.name, to_data(c)], 1
            except Refused:
                continue


def _zeros(e: Any, u: Any, deep: int) -> Iterator[Any]:
    """Where an expression vanishes, as far as functions can be undone: guesses, which nothing rests on."""
    import sympy

    if deep == 0:
        return
    for factor, power in factors_of(tidy(e)):
        if not factor.has(u) or not (power.is_Rational and power > 0) or sign_of(factor) in (1, -1):
            continue
        inside = [x for x in factor.atoms(sympy.log, sympy.exp, sympy.Pow) if x.has(u) and _is_opaque(x)]
        if not inside:
            yield from _of_polynomial(factor, u)
            continue
        top = [x for x in inside if not any(x != y and y.has(x) for y in inside)]
        if len(top) == 1:
            yield from _undone(factor, top[0], u, deep)
        yield from _between_two(factor, u, deep)


def _is_opaque(x: Any) -> bool:
    return not x.is_Pow or not x.exp.is_Integer


def _of_polynomial(e: Any, u: Any) -> Iterator[Any]:
    import sympy

    try:
        p = sympy.Poly(e, u)
    except sympy.PolynomialError:
        return
    c = [as_product(x) for x in p.all_coeffs()]
    if any(x.has(u) for x in c):
        return
    if len(c) == 2 or len(c) > 2 and all(x == 0 for x in c[1:-1]):
        ratio = as_product(-c[-1] / c[0])
        if sign_of(ratio) == 1:
            yield power_apart(ratio, sympy.Rational(1, len(c) - 1)) if len(c) > 2 else ratio
    elif len(c) == 3:
        root = sympy.sqrt(as_product(c[1] ** 2 - 4 * c[0] * c[2]))
        for turn in (1, -1):
            yield (-c[1] + turn * root) / (2 * c[0])


def _undone(factor: Any, x: Any, u: Any, deep: int) -> Iterator[Any]:
    """Of a x + b with a and b free of the symbol: where x is -b/a."""
    import sympy

    dummy = sympy.Dummy()
    named = put(factor, {x: dummy})
    if named.has(u):
        return
    a = derivative(named, dummy)
    if a == 0 or a.has(dummy):
        return
    value = as_product(-named.xreplace({dummy: sympy.S.Zero}) / a)
    if isinstance(x, sympy.log):
        yield from _zeros(x.args[0] - sympy.exp(value), u, deep - 1)
    elif sign_of(value) == 1:
        if isinstance(x, sympy.exp):
            yield from _zeros(x.args[0] - sympy.log(value), u, deep - 1)
        elif not x.exp.has(u):
            yield from _zeros(x.base - power_apart(value, 1 / x.exp), u, deep - 1)


def _between_two(factor: Any, u: Any, deep: int) -> Iterator[Any]:
    """Of a difference of positive products where their logarithms agree; of logarithms where their product is 1."""
    import sympy

    terms = sympy.Add.make_args(expanded(factor))
    signs = [sign_of(t) for t in terms]
    if len(terms) == 2 and set(signs) == {1, -1} and factor.has(sympy.exp, sympy.Pow):
        up, down = terms if signs[0] == 1 else terms[::-1]
        down = -down
        gap = expanded(tidy(sympy.log(up) - sympy.log(down)))
        if gap != expanded(factor):
            yield from _zeros(gap, u, deep - 1)
    try:
        groups, rest = _by_coefficient(factor, "apart")
    except Refused:
        return
    if len(groups) == 1 and not rest.has(u) and not groups[0][0].has(u):
        (c, x), *_ = groups
        yield from _zeros(x - sympy.exp(as_product(-rest / c)), u, deep - 1)
