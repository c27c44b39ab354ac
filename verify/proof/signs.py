"""Signs of expressions, read off their form: what SymPy simplifies and the assumptions on the symbols settle."""

from __future__ import annotations

import inspect
import random
import sys
from typing import Any

from banditproof.theory.numbers.numeric import SYMBOL, system
from banditproof.verify.proof.symbols import corrected, split_log


def shortest(expression: Any) -> Any:
    """The shortest of the forms in which a sign is looked for."""
    import sympy

    return min((expression, sympy.factor(expression)), key=lambda form: len(str(form)))


def is_zero(expression: Any, searches: bool = True) -> bool:
    """Whether an expression simplifies to zero under its symbols' assumptions.

    An expression that is not zero at one random point is not simplified at all: failing to would take minutes. Without
    `searches` it is simplified all the same.
    """
    import sympy

    if searches and _differs_from_zero(sympy.sympify(expression)):
        return False

    def split_logs(e: Any) -> Any:
        return sympy.expand(e.replace(sympy.log, lambda a: sympy.expand_log(sympy.log(sympy.factor(a)))))

    for simplify in (
        by_logarithms,
        sympy.expand,
        split_logs,
        sympy.simplify,
        lambda e: sympy.simplify(sympy.expand_log(sympy.expand(e))),
    ):
        expression = simplify(expression)
        if expression == 0:
            return True
    return False


def by_logarithms(expression: Any) -> Any:
    """An expression that is linear in logarithms, with the coefficient of each in lowest terms; numbers unchanged."""
    import sympy

    if system(expression) != SYMBOL:
        return expression

    expression = sympy.expand_log(sympy.sympify(expression)).replace(sympy.log, split_log)
    names = {log: sympy.Dummy() for log in expression.atoms(sympy.log)}
    named = expression.xreplace(names)
    slopes: dict[Any, Any] = {log: sympy.diff(named, name) for log, name in names.items()}
    if any(slope.has(*names.values()) for slope in slopes.values()):
        return expression
    total: Any = sympy.factor(named.xreplace(dict.fromkeys(names.values(), sympy.S.Zero)))
    for log, coefficient in slopes.items():
        total += sympy.factor(coefficient) * log
    return total


def _differs_from_zero(expression: Any) -> bool:
    """Whether the expression is certainly not zero at a point that satisfies its symbols' assumptions."""
    draw = random.Random(1)
    try:
        value = expression.subs({s: draw_symbol(s, draw) for s in sorted(expression.free_symbols, key=str)}).evalf(30)
    except (TypeError, ValueError):
        return False
    return bool(value.is_number and value.is_finite and abs(value) > 1e-9)


def has_sign(expression: Any, sign: str, searches: bool = True) -> bool:
    """Whether the sign follows from the form of the expression and the assumptions on its symbols.

    A function of the author's own that says itself which sign it has is not asked.
    """
    import sympy

    corrected()
    if any(_is_own(type(part)) for part in sympy.preorder_traversal(expression)):
        return False
    if sign == "zero":
        return is_zero(expression, searches)
    # one after the other: to factor many variables may take minutes, by the order in which SymPy meets them
    forms = (lambda e: e, sympy.together, sympy.expand, sympy.factor)
    return any(bool(getattr(form(expression), f"is_{sign}")) for form in forms)


def _is_own(kind: type) -> bool:
    """Whether a class is neither SymPy's nor ours: the module that it says it comes from does not know it."""
    from sympy.core.function import AppliedUndef

    name = kind.__module__ or ""
    home = vars(sys.modules[name]) if name.startswith(("sympy.", "banditproof.verify.")) and name in sys.modules else {}
    methods = [inspect.unwrap(m) for m in vars(kind).values() if callable(m)]
    made_there = bool(methods) and all(getattr(m, "__globals__", home) is home for m in methods)
    unknown = issubclass(kind, AppliedUndef) and not any(name.startswith("_eval") for name in vars(kind))
    return not (home.get(kind.__name__) is kind or made_there or unknown)


def draw_symbol(symbol: Any, draw: random.Random) -> Any:
    import sympy

    if symbol.is_integer:
        return sympy.Integer(draw.randint(1 if symbol.is_positive else 0, 9))
    size = sympy.Rational(draw.randint(1, 400), draw.choice((1, 10, 40, 400)))
    return size if symbol.is_nonnegative or draw.random() < 0.5 else -size
