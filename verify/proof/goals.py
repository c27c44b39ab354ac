"""Goals over positive symbols, and the rules that reduce them: the part of a deduction that is about formulas.

A goal says: for all values above 0 of its symbols, an expression is > 0, >= 0, == 0 or != 0. A rule is a pure function
of a goal and of data that gives goals from which this one follows, or raises Refused. Formulas (`formulas`), their
factors (`factoring`) and the signs that are read off them (`form_signs`) are files of their own, trusted as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from banditproof.verify.proof.factoring import as_product, factors_of
from banditproof.verify.proof.form_signs import (
    ball,
    in_order,
    is_zero,
    one_log,
    sign_by_parts,
    sign_of,
    sign_of_power,
    tidy,
)
from banditproof.verify.proof.formulas import (
    Refused,
    choices,
    derivative,
    expanded,
    exponent,
    fresh,
    is_strange,
    normal_law,
    put,
    ratio,
    symbol,
    symbols_of,
    text,
)

MOST_BOXES = 1500


@dataclass(frozen=True)
class Goal:
    """For all positive values of the symbols: `expression` `operator` 0."""

    expression: Any
    operator: str  # '>', '>=', '==', '!='

    def __str__(self) -> str:
        return f"{self.expression} {self.operator} 0"

    @property
    def holds_by_form(self) -> bool:
        """Whether the sign of the expression is read off and says so."""
        sign = sign_of(self.expression)
        return sign is not None and sign in ALLOWED[self.operator]

    @property
    def holds_at_sight(self) -> bool:
        """Whether it holds by form, and nothing has to be multiplied out or factored to see it."""
        return not is_strange(self.expression) and sign_by_parts(self.expression) in ALLOWED[self.operator]


ALLOWED = {">": (1,), ">=": (0, 1), "==": (0,), "!=": (-1, 1)}


# ------------------------------------------------------------------------------------------------------------- rules

Rule = Callable[[Goal, Any], list[Goal]]
RULES: dict[str, Rule] = {}


def rule(function: Rule) -> Rule:
    """A rule under its name."""
    RULES[function.__name__] = function
    return function


def applied(name: str, goal: Goal, data: Any, shown: int = 0) -> list[Goal]:
    """The goals that a rule leaves open: all of them, or where fewer are shown, those that do not hold by form.

    Raises Refused.
    """
    if name not in RULES:
        raise Refused(f"{name!r} is no rule")
    goals = dict.fromkeys(RULES[name](goal, data))
    if any(is_strange(g.expression) for g in goals):
        raise Refused("an expression that has no value")
    return left_open(list(goals), shown, lambda g: g.holds_at_sight, lambda g: g.holds_by_form)


def left_open(goals: list[Goal], shown: int, *tests: Callable[[Goal], bool]) -> list[Goal]:
    """The goals of a list that no test settles; once no more are left than a tree shows, none is looked at further."""
    for settles in tests:
        for goal in tuple(goals):
            if len(goals) > shown and settles(goal):
                goals.remove(goal)
    return goals


@rule
def factors(goal: Goal, data: str) -> list[Goal]:
    """A product: those of its factors whose sign the form does not show, with the signs in `data`, '+' or '-'."""
    pairs = in_order(factors_of(tidy(goal.expression)))
    if goal.operator == "==":
        if is_zero(goal.expression):
            return []
        raise Refused("no identity")
    total, rest, goals = 1, [], []
    strict = goal.operator in (">", "!=")
    for base, power in pairs:
        sign = sign_of_power(sign_of(base), power)
        if sign is not None:
            total *= sign
        elif power % 2 == 0:  # a square is at least 0
            if strict or power < 0:
                goals.append(Goal(base, "!="))
        else:
            rest.append((base, strict or power < 0))
    if total == 0:
        if goal.operator == ">=":
            return []
        raise Refused("it vanishes")
    if len(rest) != len(data) or set(data) - set("+-"):
        raise Refused("another number of signs")
    if goal.operator == "!=":
        return goals + [Goal(base, "!=") for base, _ in rest]
    for (base, strictly), mark in zip(rest, data, strict=True):
        goals.append(Goal(base if mark == "+" else -base, ">" if strictly else ">="))
        total *= 1 if mark == "+" else -1
    if total != 1:
        raise Refused("the signs do not fit")
    return goals


@rule
def side(goal: Goal, data: str) -> list[Goal]:
    """What is not 0 is above it, or below it."""
    if goal.operator != "!=" or data not in ("+", "-"):
        raise Refused("no side")
    return [Goal(goal.expression if data == "+" else -goal.expression, ">")]


@rule
def opened(goal: Goal, data: None) -> list[Goal]:
    """The same multiplied out, logarithms apart."""
    return [Goal(expanded(tidy(goal.expression)), goal.operator)]


def is_smooth(e: Any) -> bool:
    """Whether an expression has a value and derivatives for all positive values of its symbols, by its form."""
    import sympy

    for part in _nodes(e):
        if part.func == sympy.log and sign_of(part.args[0]) != 1:
            return False
        if part.is_Pow and part.base != sympy.E and not (part.exp.is_Integer and part.exp > 0):
            sign = sign_of(part.base)
            if sign != 1 and not (sign == -1 and part.exp.is_Integer):
                return False
        known = sympy.log | sympy.exp | normal_law()
        if not (part.is_Add or part.is_Mul or part.is_Pow or part.is_Atom or isinstance(part, known)):
            return False
    return not is_strange(e)


def _nodes(e: Any) -> Iterator[Any]:
    """The expression and all that it is made of."""
    import sympy

    yield from sympy.preorder_traversal(e)


@lru_cache(20_000)
def units(expression: Any, u: Any) -> tuple[Any, ...]:
    """By what `slope` may divide: 1, coefficients of logarithms that hold the symbol, made positive, and the symbol."""
    import sympy

    coefficients = []
    whole = tidy(expression)
    for log in sorted((x for x in whole.atoms(sympy.log) if x.has(u)), key=str):
        dummy = sympy.Dummy()
        named = expanded(whole).xreplace({log: dummy})
        coefficient = derivative(named, dummy)
        if coefficient.has(dummy) or coefficient == 0:
            continue
        product = as_product(coefficient)
        sign = sign_of(product)
        if sign in (1, -1) and product.free_symbols:
            coefficients.append(product if sign == 1 else -product)
    return (sympy.S.One, *dict.fromkeys([*coefficients, u]))


@rule
def slope(goal: Goal, data: Any) -> list[Goal]:
    """F/m for a positive m: at an end of u it is >= 0, and away from that end it does not fall.

    data: the symbol, which unit m of `units`, and '0' or 'oo' for the end. F/m is smooth; its limit at the end is taken
    by continuity, with u^a log u -> 0 for a > 0 as the only other one.
    """
    import sympy

    name, place, end = data
    u = symbol(name)
    unit = next(islice(units(goal.expression, u), place, None), None)
    if goal.operator not in (">", ">=") or unit is None or end not in ("0", "oo"):
        raise Refused("no slope")
    if not goal.expression.has(u):
        raise Refused("it does not depend on the symbol")
    quotient = tidy(goal.expression)
    if unit != 1:
        terms = sympy.Add.make_args(expanded(quotient / unit))
        logs: dict[Any, list[Any]] = {}
        for t in terms:
            rest, log = t.as_independent(sympy.log)
            logs.setdefault(log, []).append(rest)
        quotient = sympy.Add(*(as_product(sympy.Add(*c)) * log for log, c in logs.items()))
    if not is_smooth(quotient) or sign_of(unit) != 1:
        raise Refused("it is not smooth by its form")
    slope_of_it = derivative(quotient, u)
    if end == "0":
        start = limit_at_zero(quotient, u)
    else:
        v = fresh(quotient)
        start = limit_at_zero(put(quotient, {u: 1 / v}), v)
        slope_of_it = -slope_of_it
    return [Goal(start, ">="), Goal(slope_of_it, goal.operator)]


def limit_at_zero(e: Any, u: Any) -> Any:
    """The limit for u -> 0 of a smooth expression, by continuity of its parts and u^a log u -> 0. Raises Refused."""
    import sympy

    e = expanded(tidy(e))
    log_u = sympy.log(u)
    terms = sympy.Add.make_args(e)
    by_power: dict[int, list[Any]] = {}
    for t in terms:
        power = 0
        for f in sympy.Mul.make_args(t):
            base, k = f.as_base_exp()
            if base == log_u:
                if not (k.is_Integer and k > 0):
                    raise Refused("a logarithm below")
                power = int(k)
        rest = sympy.sympify(t / log_u**power)
        if rest.has(log_u):
            raise Refused("a logarithm inside")
        by_power.setdefault(power, []).append(rest)
    total = sympy.S.Zero
    for power, coefficients in by_power.items():
        whole = sympy.Add(*coefficients)
        if power:  # vanishes as u^(1/2) does: then the product with the logarithm goes to 0
            if not is_zero(whole):
                _continuous_at_zero(whole / sympy.sqrt(u), u)
        else:
            total += _continuous_at_zero(whole, u)
    return total


def _continuous_at_zero(e: Any, u: Any) -> Any:
    """The value for u = 0, once a common power of u is cancelled from one quotient."""
    import sympy

    if not e.has(u) or _is_continuous_at_zero(e, u):
        return put(e, {u: sympy.S.Zero})
    inside = [x for x in e.atoms(sympy.log, sympy.exp, sympy.Pow, normal_law()) if x.has(u) and _is_function(x)]
    if any(x != y and x.has(y) for x in inside for y in inside):
        raise Refused("a function inside a function")
    names = {x: sympy.Dummy(real=True) for x in inside}
    named = put(e, names)
    values = {}
    for x, name in names.items():
        at_end = _continuous_at_zero(x.args[0], u)
        if not isinstance(x, sympy.exp | normal_law()) and sign_of(at_end) != 1:
            raise Refused("a logarithm or power at its end")
        values[name] = x.func(at_end, *x.args[1:])
    root = fresh(named)
    plain = sympy.powdenest(put(named, {u: root**6}), force=False)
    power, parts = 0, []
    numerator, denominator = sympy.fraction(sympy.together(plain))
    for part, turn in ((numerator, 1), (denominator, -1)):
        part = expanded(part)
        try:
            polynomial = sympy.Poly(part, root)
        except sympy.PolynomialError:
            raise Refused("a power at zero") from None
        if any(c.has(root) for c in polynomial.all_coeffs()):
            raise Refused("a root at zero")
        least = min(m[0] for m in polynomial.monoms())
        power += turn * least
        lowest = polynomial.coeff_monomial(root**least).xreplace(values)
        parts.append(lowest)
    top, bottom = parts
    if sign_of(bottom) not in (1, -1):
        raise Refused("a denominator that may vanish at zero")
    if power < 0:
        raise Refused("a pole at zero")
    return sympy.S.Zero if power > 0 else top / bottom


def _is_continuous_at_zero(e: Any, u: Any) -> bool:
    """Whether every logarithm, root and denominator of a smooth expression stays away from 0 for u = 0."""
    import sympy

    for x in _nodes(e):
        base, power = (x.args[0], sympy.Rational(1, 2)) if isinstance(x, sympy.log) else x.as_base_exp()
        if not x.has(u) or base == sympy.E or (power.is_Integer and power > 0):
            continue
        sign = sign_of(put(base, {u: sympy.S.Zero}))
        if sign != 1 and not (sign == -1 and power.is_Integer):
            return False
    return True


def _is_function(x: Any) -> bool:
    """Whether a node is a logarithm, an exponential, a normal law or a broken power of more than a symbol."""
    import sympy

    return not x.is_Pow or x.base == sympy.E or (not x.base.is_Symbol and x.exp.is_Rational and not x.exp.is_Integer)


@rule
def unlog(goal: Goal, data: None) -> list[Goal]:
    """c (n1 log B1 + n2 log B2 + ...) with whole n: the product of the powers against 1."""
    import sympy

    unit, pairs, rest = _logs_with_one_coefficient(goal.expression)
    if rest != 0:
        raise Refused("more than logarithms")
    sign = sign_of(unit)
    if sign not in (1, -1):
        raise Refused("a coefficient of unknown sign")
    up = sympy.Mul(*(b ** (k * sign) for k, b in pairs if k * sign > 0))
    down = sympy.Mul(*(b ** (-k * sign) for k, b in pairs if k * sign < 0))
    return [Goal(up - down, goal.operator)]


def _logs_with_one_coefficient(expression: Any) -> tuple[Any, list[tuple[Any, Any]], Any]:
    """unit, pairs (n, B) and a rest with expression = unit * sum of n log B + rest, the n whole, the B positive."""
    import sympy

    grouped: dict[Any, list[Any]] = {}
    for t in sympy.Add.make_args(expanded(tidy(expression))):
        rest, log = t.as_independent(sympy.log)
        grouped.setdefault(log, []).append(rest)
    rest = sympy.Add(*grouped.pop(sympy.S.One, []))
    by_log = sorted(grouped.items(), key=lambda pair: str(pair[0]))
    if not by_log or any(not isinstance(log, sympy.log) for log, _ in by_log):
        raise Refused("not a sum of logarithms")
    coefficients = [(as_product(sympy.Add(*c)), log.args[0]) for log, c in by_log]
    unit: Any = coefficients[0][0]
    ratios = [(as_product(c / unit), b) for c, b in coefficients]
    if not all(r.is_Rational for r, _ in ratios) or any(sign_of(b) != 1 for _, b in ratios):
        raise Refused("no common coefficient")
    whole = sympy.ilcm(1, *(r.q for r, _ in ratios))
    return unit / whole, [(int(r * whole), b) for r, b in ratios], rest


@rule
def joined(goal: Goal, data: None) -> list[Goal]:
    """unit * log X + rest, of several logarithms: log X >= 1 - 1/X, and log X <= X - 1 for a negative unit."""
    import sympy

    if goal.operator not in (">", ">="):
        raise Refused("no inequality")
    unit, pairs, rest = _logs_with_one_coefficient(goal.expression)
    sign = sign_of(unit)
    if sign not in (1, -1):
        raise Refused("a coefficient of unknown sign")
    argument = sympy.Mul(*(b**k for k, b in pairs))
    return [Goal(unit * (1 - 1 / argument if sign > 0 else argument - 1) + rest, goal.operator)]


@rule
def tangents(goal: Goal, data: None) -> list[Goal]:
    """c1 log X1 + c2 log X2 + ... + rest: log X >= 1 - 1/X, and log X <= X - 1, with equality for X = 1 alone."""
    import sympy

    if goal.operator not in (">", ">="):
        raise Refused("no inequality")
    below, touched = sympy.S.Zero, []
    for t in sympy.Add.make_args(goal.expression):
        c, log = t.as_independent(sympy.log)
        if not t.free_symbols or log == 1:
            below += t
            continue
        sign = sign_of(c)
        if not isinstance(log, sympy.log) or sign not in (1, -1) or sign_of(log.args[0]) != 1:
            raise Refused("a summand is not the logarithm of a positive expression with a coefficient of known sign")
        x = log.args[0]
        below += c * (1 - 1 / x if sign == 1 else x - 1)
        touched.append(x - 1)
    if not touched:
        raise Refused("no logarithm")
    return [Goal(below, ">="), *([Goal(touched[0], "!=")] if goal.operator == ">" else [])]


@rule
def normal(goal: Goal, data: str) -> list[Goal]:
    """Bounds of what a normal variable has between 0 and x > 0, put in where they make the expression smaller.

    data: 'tail', at least 1/2 - exp(-x^2/2)/2; 'half', below 1/2; 'line', below x/sqrt(2 pi).
    """
    import sympy

    if goal.operator not in (">", ">="):
        raise Refused("no inequality")
    bounds = {
        "tail": lambda x: (1 - sympy.exp(-expanded(x**2) / 2)) / 2,
        "half": lambda x: sympy.Rational(1, 2),
        "line": lambda x: x / sympy.sqrt(2 * sympy.pi),
    }
    if data not in bounds:
        raise Refused("no such bound")
    below = []
    for t in sympy.Add.make_args(expanded(goal.expression)):
        c, law = t.as_independent(normal_law())
        applies = (
            isinstance(law, normal_law()) and sign_of(c) == (1 if data == "tail" else -1) and sign_of(law.args[0]) == 1
        )
        below.append(c * bounds[data](law.args[0]) if applies else t)
    return [Goal(sympy.Add(*below), goal.operator)]


@rule
def replace(goal: Goal, data: Any) -> list[Goal]:
    """A symbol as an increasing bijection of (0, inf): a power, w^2 + 2 c w, log(1 + w), exp(w) - 1, w times another.

    data: the symbol, and how: 'power 2', 'shift 1', 'log 1', 'exp 1', 'times u_'.
    """
    import sympy

    name, how = data
    kind, _, number = how.partition(" ")
    u = symbol(name)
    c = exponent(number) if kind == "power" else symbol(number) if kind == "times" else ratio(number)
    if not goal.expression.has(u) or (kind == "times" and (c == u or not goal.expression.has(c))):
        raise Refused("no such symbol")
    w = fresh(goal.expression)
    forms = {
        "power": lambda: w**c,
        "shift": lambda: w**2 + 2 * c * w,
        "log": lambda: sympy.log(1 + w) / c,
        "exp": lambda: sympy.exp(c * w) - 1,
        "times": lambda: c * w,
    }
    if kind not in forms:
        raise Refused("no such substitution")
    substituted = put(goal.expression, {u: forms[kind]()})
    substituted = substituted.replace(
        lambda x: x.is_Pow and not x.exp.is_Integer and not x.base.is_Symbol and bool(x.base.free_symbols),
        lambda x: power_apart(x.base, x.exp),
    )
    return [Goal(substituted, goal.operator)]


def power_apart(base: Any, exponent: Any) -> Any:
    """A power as a product of powers of the base's factors, where all of them are positive by their form."""
    import sympy

    pairs = factors_of(base)
    if not all(sign_of(f) == 1 for f, _ in pairs):
        return base**exponent
    return sympy.Mul(*(f ** (k * exponent) for f, k in pairs))


@rule
def ordered(goal: Goal, data: Any) -> list[Goal]:
    """Two symbols in either order, or equal; or a symbol below, at and above a number."""
    first, second = data
    u = symbol(first)
    w = fresh(goal.expression)
    if isinstance(second, str) and second[:1].isalpha():
        v = symbol(second)
        if u == v or not (goal.expression.has(u) and goal.expression.has(v)):
            raise Refused("no two symbols")
        cases = [{u: v}, {u: v + w}, {v: u + w}]
    else:
        c = ratio(second)
        if not goal.expression.has(u):
            raise Refused("no such symbol")
        cases = [{u: c}, {u: c + w}, {u: c / (1 + w)}]
    return [Goal(put(goal.expression, case), goal.operator) for case in cases]


@rule
def root(goal: Goal, data: Any) -> list[Goal]:
    """A + B sqrt(E): by squares. data: the place of the root among the roots, and the signs of A and B."""
    import sympy

    place, signs = data
    radicands = roots_in(goal.expression)
    if not 0 <= place < len(radicands) or goal.operator not in (">", ">="):
        raise Refused("no such root")
    radicand = radicands[place]
    if sign_of(radicand) != 1:
        raise Refused("a root of an expression that need not be positive")
    name = sympy.Dummy()

    def named(power: Any) -> Any:
        return radicand ** (power.exp - sympy.Rational(1, 2)) * name

    whole = goal.expression.replace(
        lambda x: x.is_Pow and x.base == radicand and x.exp.is_Rational and x.exp.q == 2, named
    )
    parts = sympy.Poly(expanded(whole), name)
    if parts.degree() < 1 or any(c.has(sympy.sqrt(radicand)) for c in parts.all_coeffs()):
        raise Refused("the expression is not A + B sqrt(E) with A and B free of this root")
    a = b = sympy.S.Zero
    for (k,), c in parts.terms():
        if k % 2:
            b += c * radicand ** ((k - 1) // 2)
        else:
            a += c * radicand ** (k // 2)
    if signs == "++":
        return [Goal(a, ">="), Goal(b, goal.operator)]
    if signs == "+-":  # A >= |B| sqrt(E)
        return [Goal(a, ">="), Goal(a**2 - b**2 * radicand, goal.operator)]
    if signs == "-+":  # B sqrt(E) >= |A|
        return [Goal(b, ">="), Goal(b**2 * radicand - a**2, goal.operator)]
    raise Refused("no such signs")


@rule
def chosen(goal: Goal, data: int) -> list[Goal]:
    """A binomial coefficient as 1, and as more: it is a whole number above 0. data: its place among them."""
    found = sorted(goal.expression.atoms(choices()), key=text)
    if type(data) is not int or not 0 <= data < len(found):
        raise Refused("no such binomial coefficient")
    w = fresh(goal.expression)
    return [Goal(put(goal.expression, {found[data]: value}), goal.operator) for value in (1, 1 + w)]


def roots_in(expression: Any) -> list[Any]:
    """What stands under square roots, shortest first."""
    radicands = {p.base for p in expression.atoms(_pow()) if p.free_symbols and p.exp.is_Rational and p.exp.q == 2}
    return sorted(radicands, key=lambda r: (len(str(r)), str(r)))


def _pow() -> Any:
    import sympy

    return sympy.Pow


@rule
def logs(goal: Goal, data: str) -> list[Goal]:
    """P - Q with positive P and Q: their logarithms instead."""
    import sympy

    e = expanded(goal.expression) if data == "expanded" else goal.expression
    terms = sympy.Add.make_args(e)
    signs = [sign_of(t) for t in terms]
    if set(signs) != {1, -1}:
        raise Refused("the two sides are not both positive")
    above = as_product(sympy.Add(*(t for t, s in zip(terms, signs, strict=True) if s == 1)))
    below = as_product(sympy.Add(*(-t for t, s in zip(terms, signs, strict=True) if s == -1)))
    return [Goal(_one_or_more_logs(above) - _one_or_more_logs(below), goal.operator)]


def _one_or_more_logs(e: Any) -> Any:
    """The logarithm of a positive expression, apart where its factors are positive."""
    import sympy

    parts = sympy.Mul.make_args(e)
    if all(sign_of(p) == 1 for p in parts):
        return tidy(sympy.Add(*(one_log(p) for p in parts)))
    return tidy(sympy.log(e))


@rule
def quadratic(goal: Goal, data: str) -> list[Goal]:
    """a u^2 + b u + c with a > 0 and 4 a c >= b^2, more for a strict inequality. data: the symbol u."""
    import sympy

    u = symbol(data)
    if goal.operator not in (">", ">=") or not goal.expression.is_polynomial(u):
        raise Refused("no inequality between polynomials of the symbol")
    polynomial = sympy.Poly(expanded(goal.expression), u)
    if polynomial.degree() != 2:
        raise Refused("not of degree 2")
    a, b, c = (polynomial.coeff_monomial(u**k) for k in (2, 1, 0))
    return [Goal(a, ">"), Goal(expanded(4 * a * c - b**2), goal.operator)]


@rule
def sturm(goal: Goal, data: None) -> list[Goal]:
    """A polynomial of one symbol with rational coefficients that is positive at 1 and has no root above 0."""
    import sympy

    symbols = symbols_of(goal.expression)
    if len(symbols) != 1:
        raise Refused("more than one symbol")
    (u,) = symbols
    numerator, denominator = sympy.fraction(sympy.together(goal.expression))
    if sign_of(denominator) != 1:
        raise Refused("a denominator of unknown sign")
    try:
        polynomial: Any = sympy.Poly(numerator, u, domain="QQ")
    except sympy.PolynomialError:
        raise Refused("no polynomial") from None
    if goal.operator not in (">", ">="):
        raise Refused("no inequality")
    if goal.operator == ">=":
        _, pairs = polynomial.factor_list()
        odd = [p for p, k in pairs if k % 2]
        leading = polynomial.LC()
        product = sympy.Poly(1, u, domain="QQ")
        for p in odd:
            product *= p
        polynomial = product * (1 if (leading > 0) == (product.LC() > 0) else -1)
    if polynomial.eval(1) > 0 and polynomial.count_roots(0, None) == (1 if polynomial.eval(0) == 0 else 0):
        return []
    raise Refused("it has roots")


def between_0_and_1(goal: Goal, data: Any) -> tuple[list[Any], Any]:
    """For each symbol u of a goal a symbol t = u/(1 + u), and what the goal's expression is in these."""
    import sympy

    free = symbols_of(goal.expression)
    if goal.operator not in (">", ">=", "!=") or not 1 <= len(free) <= 3:
        raise Refused("not for boxes")
    ts = [sympy.Symbol(f"t_{i}", positive=True) for i in range(len(free))]
    logs_apart = goal.expression if data == "whole" else tidy(goal.expression)
    changed = put(logs_apart, {u: t / (1 - t) for u, t in zip(free, ts, strict=True)})
    shown: Any = changed.replace(
        lambda x: isinstance(x, sympy.log | sympy.exp), lambda x: x.func(sympy.factor(sympy.together(x.args[0])))
    )
    return ts, sympy.Add(*(sympy.factor(sympy.together(a)) for a in sympy.Add.make_args(shown)))


@rule
def boxes(goal: Goal, data: Any) -> list[Goal]:
    """Bisection in balls over u = t/(1 - t), t in [0, 1]: only what stays away from 0 is shown.

    data: 'whole' for logarithms as they stand, whose arguments may stay finite where their factors do not.
    """
    from flint import arb, ctx, fmpq

    ts, shown = between_0_and_1(goal, data)
    before, ctx.prec = ctx.prec, 64
    try:
        stack, seen = [((fmpq(0), fmpq(1)),) * len(ts)], 0
        while stack:
            box = stack.pop()
            seen += 1
            if seen > MOST_BOXES:
                raise Refused("too many boxes")
            value = ball(shown, {t: arb(a).union(arb(b)) for t, (a, b) in zip(ts, box, strict=True)})
            if value > 0:
                continue
            if value < 0 or min(b - a for a, b in box) < fmpq(1, 2**14):
                raise Refused("open at a corner")
            i = max(range(len(box)), key=lambda i: box[i][1] - box[i][0])
            a, b = box[i]
            stack += [(*box[:i], half, *box[i + 1 :]) for half in ((a, (a + b) / 2), ((a + b) / 2, b))]
    finally:
        ctx.prec = before
    return []
