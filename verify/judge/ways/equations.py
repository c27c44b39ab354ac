"""An equation as a condition: its contrapositive, and places where it holds although the claim fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from banditproof.verify.judge.formulas.formula import NoStatement, binary, lies_in, names, num, put, rational
from banditproof.verify.judge.formulas.sentence import Compare, Expression, Sentence
from banditproof.verify.judge.ways.from_conditions import in_ranges
from banditproof.verify.judge.ways.points import Asked, has_value, seems_true, without_equation

ELSE = {"==": (">", "<"), "<=": (">",), ">=": ("<",), "<": (">=",), ">": ("<=",)}
"""What holds of two numbers, in one of these ways, where a comparison of them is false."""


def by_contrapositive(asked: Asked) -> Iterator[tuple[tuple[Asked, ...], str]]:
    """That two sides differ where the claim fails, if an equation of them is a condition."""
    claim, others = asked.comparison, asked.conditions
    for equation in filter(_is_equation, others):
        rest = tuple(c for c in others if c != equation)
        apart = [_apart(equation, asked, (*rest, replace(claim, sign=sign))) for sign in ELSE.get(claim.sign, ())]
        if apart and all(found is not None for found in apart):
            valued = has_value(binary("sub", claim.left, claim.right), asked.ranges, rest)
            because = "both sides of its equation differ where it fails"
            yield (replace(valued, printed=False), *(a for a in apart if a is not None)), because


def _is_equation(condition: Sentence) -> bool:
    return isinstance(condition, Compare) and condition.sign == "=="


def _apart(equation: Sentence, asked: Asked, conditions: tuple[Sentence, ...]) -> Asked | None:
    """That one side of the equation is larger under these conditions, as it seems at points; None if neither is."""
    assert isinstance(equation, Compare)
    larger = (Asked(replace(equation, sign=s), asked.ranges, conditions, printed=False) for s in (">", "<"))
    return next((in_ranges(claim) for claim in larger if seems_true(claim)), None)


def on_solutions(asked: Asked) -> Iterator[Asked]:
    """What a comparison says where a variable of an equation among its conditions is a root of degree 1 or 2."""
    if (found := without_equation(asked)) is not None:  # rational points are found on it
        inner, x, value = found
        yield from on_solutions(replace(inner, printed=False, solved={**asked.solved, x: value}))
        return
    for equation in filter(_is_equation, asked.conditions):
        assert isinstance(equation, Compare)
        difference = binary("sub", equation.left, equation.right)
        for x, r in reversed([*asked.ranges.items()]):
            tied = any(x in names(s.low) | names(s.high) for n, s in asked.ranges.items() if n != x)
            for value, where in () if tied or r.integer else _roots(difference, x, asked):
                there = {x: value}
                rest = tuple(c for c in asked.conditions if c != equation)
                comparison, others = put((asked.comparison, rest), there)
                valued = has_value(put(difference, there), {}).comparison
                ranges = {n: s for n, s in asked.ranges.items() if n != x}
                conditions = (*where, *lies_in(value, r), valued, *others)
                yield Asked(comparison, ranges, conditions, printed=False, solved={**asked.solved, x: value})


def _roots(e: Expression, x: str, asked: Asked) -> Iterator[tuple[Expression, tuple[Compare, ...]]]:
    """The values of x at which a formula of degree 1 or 2 in x is 0, and where that holds."""
    import sympy

    from banditproof.verify.judge.formulas.symbolic import from_sympy, symbols_of, to_sympy

    symbols, zero = symbols_of(asked.ranges), num(0)
    try:
        above, below = sympy.fraction(sympy.together(to_sympy(e, symbols)))
        a, *others = sympy.Poly(above, symbols[x]).all_coeffs()
        found = [tuple(map(from_sympy, root)) for root in _of_degree(a, *others)] if len(others) in (1, 2) else []
        leading, divisor = from_sympy(a), from_sympy(below)
    except (NoStatement, sympy.PolynomialError, KeyError):
        return
    for value, *squares in found:
        nonzero = [f for f in (leading, put(divisor, {x: value})) if rational(f) is None]
        yield value, (*(Compare(f, "!=", zero) for f in nonzero), *(Compare(f, ">=", zero) for f in squares))


def _of_degree(a: Any, b: Any, c: Any = None) -> Iterator[tuple[Any, ...]]:
    """The roots of a x + b, or of a x^2 + b x + c with what has to be at least 0: of SymPy's formulas."""
    from sympy import sqrt

    if c is None:
        yield (-b / a,)
    elif b == 0:
        yield from ((sign * sqrt(-c / a), -c / a) for sign in (-1, 1))
    else:
        square = b**2 - 4 * a * c
        yield from (((-b + sign * sqrt(square)) / (2 * a), square) for sign in (-1, 1))
