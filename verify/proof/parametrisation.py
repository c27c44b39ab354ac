"""Does a parametrisation reach every point of its region? Decided, or said to be open; nothing is sampled.

A symbolic proof speaks of what its symbols reach under their assumptions. Parametrisations are taken as *triangular*:
in some order each variable brings a new symbol (of several, all but one may be held at 1) in which it is continuous;
for given earlier symbols it runs through everything between two limits. That has to hold the slice of the region: some
lower end of the slice (of the variable's set, or of a constraint) is at least the lower limit, and likewise above.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isinf
from typing import Any

from banditproof.theory.numbers.term import NoTerm, var
from banditproof.verify.proof.domain import Constraint, Domain, Everything, Interval, Points, Set
from banditproof.verify.proof.on_symbols import on_symbols
from banditproof.verify.proof.signs import has_sign
from banditproof.verify.proof.symbols import has, settled

THRESHOLD = "privacy_threshold"
MOST_STEPS = 200  # variables tried, over all orders


@dataclass(frozen=True)
class Bound:
    """An end of a slice: where it is, and whether the slice leaves it out."""

    at: Any
    open: bool


@lru_cache(maxsize=2048)
def unreached(formulas: tuple[tuple[str, Any], ...], region: Domain) -> str | None:
    """Why it is not established that a parametrisation reaches its whole region, or None when it does.

    Args:
        formulas: the numeric variables of the region with their SymPy expressions.
        region: what must be reached.
    """
    variables = dict(formulas)
    numbers = [n for n, s in region.variables if not isinstance(s, Everything)]
    if set(numbers) - set(variables):
        return f"it gives no value to {', '.join(sorted(set(numbers) - set(variables)))}"
    return _why_not_reached({}, tuple(numbers), variables, region, [MOST_STEPS])


def _why_not_reached(
    earlier: dict[str, Any], rest: tuple[str, ...], variables: Mapping[str, Any], region: Domain, steps: list[int]
) -> str | None:
    """Why the remaining variables are not reached for given earlier ones, or None; `steps` counts down the tries."""
    known: set[Any] = set().union(*(e.free_symbols for e in earlier.values()))
    why = None
    for name in sorted(rest, key=lambda n: len(variables[n].free_symbols - known)):
        new = sorted(variables[name].free_symbols - known, key=str)
        for mover in new or [None]:
            steps[0] -= 1
            if steps[0] < 0:
                return why or "there are too many orders to try"
            held = {symbol: 1 for symbol in new if symbol is not mover and _ordinary(symbol, [])}
            moved = {n: e.subs(held) for n, e in variables.items()}
            reason = _gap(name, moved[name], mover, earlier, region)
            if reason is None:
                left = tuple(n for n in rest if n != name)
                reason = _why_not_reached({**earlier, name: moved[name]}, left, moved, region, steps)
                if reason is None:
                    return None
                why = reason
            why = why or f"{name}: {reason}"
    return why


def _gap(name: str, expression: Any, symbol: Any, earlier: Mapping[str, Any], region: Domain) -> str | None:
    values = region.sets[name]
    below, above, holes = _slice(name, values, earlier, region.where)
    _from_later(name, region, below, above)
    if symbol is None:
        pinned = any(_same(b.at, expression) and any(_same(b.at, a.at) for a in above) for b in below)
        return None if pinned else f"it is {expression} only"
    holes = [h for h in holes if not any(b.open and _same(b.at, h) for b in (*below, *above))]
    if not _ordinary(symbol, holes):
        return f"{symbol} has other assumptions than real, positive, nonnegative or integer"
    if getattr(values, "integer", False):
        return _gap_of_counts(expression, symbol, below)
    if symbol.is_integer or isinstance(values, Points):
        return f"{expression} only reaches whole steps"
    if holes and not (symbol.is_real and symbol.is_nonzero and expression == symbol and all(h == 0 for h in holes)):
        return f"it may not be {', '.join(map(str, holes))}"
    image = _image(expression, symbol)
    if image is None:
        return f"{expression} is not known to be continuous in {symbol}"
    low, high = image
    if not any(_contains_from(low, bound, 1) for bound in below):
        return f"it starts at {low.at}"
    if not any(_contains_from(high, bound, -1) for bound in above):
        return f"it ends at {high.at}"
    return None


def _ordinary(symbol: Any, holes: list[Any]) -> bool:
    """Whether a symbol has assumptions whose range is known here; one that is not zero goes with a hole at zero."""
    import sympy

    kinds: list[dict[str, bool]] = [{"real": True}, {"positive": True}, {"nonnegative": True}]
    kinds += [{**kind, "integer": True} for kind in kinds] + ([{"real": True, "nonzero": True}] if 0 in holes else [])
    return any(symbol == sympy.Symbol(symbol.name, **kind) for kind in kinds)


def _gap_of_counts(expression: Any, symbol: Any, below: list[Bound]) -> str | None:
    """Counts are a symbol plus the lowest count."""
    import sympy

    offset = sympy.expand(expression - symbol)
    if not symbol.is_integer or offset.has(symbol) or not offset.is_integer:
        return "only a known count plus a count reaches every count"
    lowest = expression.subs(symbol, 1 if symbol.is_positive else 0)
    if not symbol.is_nonnegative or not any(_sign(b.at - lowest) in ("zero", "nonnegative", "positive") for b in below):
        return f"it starts at {lowest}"
    return None


def _image(expression: Any, symbol: Any) -> tuple[Bound, Bound] | None:
    """Two ends between which the expression takes every value, if it is continuous in the symbol."""
    import sympy

    if not _continuous(expression) or not _moves_alike(expression, symbol):
        return None
    closed = bool(symbol.is_nonnegative and not symbol.is_positive)
    start = sympy.S.Zero if symbol.is_nonnegative else sympy.S.NegativeInfinity
    first = expression.subs(symbol, 0) if closed else sympy.limit(expression, symbol, start, "+")
    ends = Bound(first, not closed), Bound(sympy.limit(expression, symbol, sympy.oo), True)
    if not all(end.at.is_extended_real for end in ends):
        return None
    order = _sign(ends[1].at - ends[0].at)
    if order in ("positive", "nonnegative") or ends[1].at == sympy.oo or ends[0].at == -sympy.oo:
        return ends
    if (
        _sign(ends[0].at - ends[1].at) in ("positive", "nonnegative")
        or ends[0].at == sympy.oo
        or ends[1].at == -sympy.oo
    ):
        return ends[1], ends[0]
    return None


def _moves_alike(expression: Any, symbol: Any) -> bool:
    """Whether limits in the symbol are those for all values of the earlier symbols: SymPy takes these as generic.

    What is added changes no limit; what is multiplied must not vanish. Of a quotient of polynomials the coefficients
    that decide, the leading ones and those of the lowest powers, must not vanish either: below, and above where the
    quotient grows without bound.
    """
    import sympy

    rest = expression.as_independent(symbol, as_Add=True)[1]
    factor, core = rest.as_independent(symbol, as_Add=False)
    if not (core.free_symbols and (factor.is_number or has(factor, "nonzero"))):
        return False
    if core.free_symbols == {symbol}:
        return True
    core = sympy.logcombine(core) if core.has(sympy.log) else core
    if core.func in (sympy.log, sympy.exp) or core.is_Pow and core.args[1].is_number and not core.is_polynomial(symbol):
        return _moves_alike(core.args[0], symbol)  # continuous up to its ends
    top, below = sympy.fraction(sympy.together(core))
    if not (top.is_polynomial(symbol) and below.is_polynomial(symbol)):
        return False
    first, second = (sorted(sympy.Poly(side, symbol).terms()) for side in (top, below))  # by rising powers
    deciding = [second[0][1], second[-1][1]]
    deciding += [first[0][1]] * (first[0][0] < second[0][0]) + [first[-1][1]] * (first[-1][0] > second[-1][0])
    return all(end.is_number or has(end, "nonzero") for end in deciding)


def _continuous(expression: Any) -> bool:
    """Whether an expression is made of continuous pieces only: no division by zero, logarithms of positive numbers."""
    import sympy

    for part in sympy.preorder_traversal(expression):
        if isinstance(part, sympy.Pow):
            base, exponent = part.args
            whole = exponent.is_integer and exponent.is_nonnegative
            if not whole and _sign(base) != "positive" and not (exponent.is_integer and _sign(-base) == "positive"):
                return base == sympy.E
        elif isinstance(part, sympy.log):
            if _sign(part.args[0]) != "positive":
                return False
        elif not isinstance(part, sympy.Add | sympy.Mul | sympy.Symbol | sympy.Number | sympy.NumberSymbol | sympy.exp):
            return False
    return True


def _contains_from(end: Bound, bound: Bound, side: int) -> bool:
    """Whether what lies beyond the region's bound lies beyond the image's end as well."""
    import sympy

    if bound.at in (sympy.oo, -sympy.oo) and not bound.open:
        return False
    if end.at in (sympy.oo, -sympy.oo):
        return end.at == -side * sympy.oo
    if bound.at in (sympy.oo, -sympy.oo):
        return False
    sign = _sign(side * (bound.at - end.at))
    return sign == "positive" or (sign in ("zero", "nonnegative") and (bound.open or not end.open))


def _slice(
    name: str, values: Set, earlier: Mapping[str, Any], constraints: tuple[Constraint, ...]
) -> tuple[list[Bound], list[Bound], list[Any]]:
    """Lower and upper bounds of a variable for given earlier ones, and values that it may not take."""
    low, high, holes = [], [], []
    if isinstance(values, Interval):
        low.append(Bound(_exact(values.lower), values.lower_open))
        high.append(Bound(_exact(values.upper), values.upper_open))
    elif isinstance(values, Points):
        low.append(Bound(_exact(min(values.values)), False))
        high.append(Bound(_exact(max(values.values)), False))
    for constraint in constraints:
        if name in constraint.names and constraint.names <= {name, *earlier}:
            _bound(name, constraint, earlier, low, high, holes)
    return low, high, holes


def _bound(
    name: str, constraint: Constraint, earlier: Mapping[str, Any], low: list[Bound], high: list[Bound], holes: list[Any]
) -> None:
    """Add what a constraint says of the variable: one that is linear in it, or a comparison with the threshold."""
    import sympy

    left, operator, right = constraint.left, constraint.operator, constraint.right
    if right.op == "quantity" and right.args[0] == THRESHOLD and left is not var(name):
        _beyond_the_threshold(name, constraint, earlier, low, high)
        return
    unknown = sympy.Dummy(real=True)
    point = {**earlier, name: unknown}
    try:
        (left, right), _ = on_symbols((left, right), point)
        difference = sympy.expand(settled(left) - settled(right))
    except (NoTerm, ValueError):  # a quantity whose branch the symbols leave open gives no bound
        return
    factor = difference.coeff(unknown, 1)
    rest = difference - factor * unknown
    falling = _sign(-factor) == "positive"
    if rest.has(unknown) or not (falling or _sign(factor) == "positive"):
        return
    at = sympy.factor(-rest / factor)
    if falling:
        operator = operator.translate(str.maketrans("<>", "><"))
    if operator == "!=":
        holes.append(at)
    if operator in (">", ">=", "=="):
        low.append(Bound(at, operator == ">"))
    if operator in ("<", "<=", "=="):
        high.append(Bound(at, operator == "<"))


def _beyond_the_threshold(
    name: str, constraint: Constraint, earlier: Mapping[str, Any], low: list[Bound], high: list[Bound]
) -> None:
    """epsilon < |logit y - logit x| with x and epsilon known: y lies beyond the point whose odds are e^epsilon away.

    It bounds y from the side on which another constraint puts y; the bound of the other side is weaker than that.
    """
    import sympy

    operator, budget, sides = constraint.operator, constraint.left, set(constraint.right.args[1:])
    others = sides - {var(name)}
    if operator not in ("<", "<=") or var(name) not in sides or len(others) != 1 or budget.op != "var":
        return
    other, budget = (t.args[0] for t in (*others, budget))
    if other not in earlier or budget not in earlier:
        return
    odds, growth = earlier[other] / (1 - earlier[other]), sympy.exp(earlier[budget])
    if any(_same(bound.at, earlier[other]) for bound in low):
        at = sympy.factor(odds * growth / (1 + odds * growth))
        low.append(Bound(at, operator == "<"))
    if any(_same(bound.at, earlier[other]) for bound in high):
        at = sympy.factor(odds / (odds + growth))
        high.append(Bound(at, operator == "<"))


def _from_later(name: str, region: Domain, low: list[Bound], high: list[Bound]) -> None:
    """What ``w < v`` says of v alone: it lies above the lowest w; the constraint itself is met when w is placed."""
    for constraint in region.where:
        left, operator, right = constraint.left, constraint.operator, constraint.right
        if operator in (">", ">="):
            left, right, operator = right, left, operator.replace(">", "<")
        if operator not in ("<", "<=") or left.op != "var" or right.op != "var":
            continue
        below, above = left.args[0], right.args[0]
        values = region.sets.get(below if above == name else above)
        if isinstance(values, Interval) and above == name:
            low.append(Bound(_exact(values.lower), operator == "<" or values.lower_open))
        if isinstance(values, Interval) and below == name:
            high.append(Bound(_exact(values.upper), operator == "<" or values.upper_open))


def _exact(value: Any) -> Any:
    import sympy

    if isinstance(value, float) and isinf(value):
        return sympy.oo if value > 0 else -sympy.oo
    number = Fraction(value)
    return sympy.Rational(number.numerator, number.denominator)


def _same(one: Any, other: Any) -> bool:
    return _sign(one - other) == "zero"


def _sign(expression: Any) -> str | None:
    return next((sign for sign in ("zero", "positive", "nonnegative") if has_sign(expression, sign)), None)
