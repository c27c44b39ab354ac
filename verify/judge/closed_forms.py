"""Guesses that are proved: closed forms of sums, zeros of derivatives, ratios of neighbours. SymPy proposes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from banditproof.verify.judge.formula import (
    NoStatement,
    binary,
    call,
    has,
    linear,
    mapped,
    name,
    names,
    num,
    parts,
    put,
    rational,
)
from banditproof.verify.judge.points import Asked
from banditproof.verify.judge.sentence import Compare, Expression, Range, Unread

# -------------------------------------------------------------------------------------------------- SymPy and back

_TO = {"add": "__add__", "sub": "__sub__", "mul": "__mul__", "div": "__truediv__", "pow": "__pow__"}


def to_sympy(e: Expression, symbols: Mapping[str, Any]) -> Any:
    """The expression in SymPy's words. Raises NoStatement."""
    import sympy

    head, a = e.head, e.args
    if head == "num":
        return sympy.Rational(a[0].numerator, a[0].denominator)
    if head == "var":
        return symbols[a[0]]
    if head == "const":
        return {"pi": sympy.pi, "e": sympy.E, "euler": sympy.EulerGamma, "inf": sympy.oo}[a[0]]
    if head == "neg":
        return -to_sympy(a[0], symbols)
    if head in _TO:
        return getattr(to_sympy(a[0], symbols), _TO[head])(to_sympy(a[1], symbols))
    if head == "call" and a[0] in (
        "exp",
        "log",
        "sqrt",
        "factorial",
        "gamma",
        "erfc",
        "erf",
        "sinh",
        "cosh",
        "tanh",
        "abs",
    ):
        return getattr(sympy, "Abs" if a[0] == "abs" else a[0])(to_sympy(a[1], symbols))
    if head == "call" and a[0] == "binom":
        return sympy.binomial(*(to_sympy(x, symbols) for x in a[1:]))
    if head == "call" and a[0] == "Phi":
        return sympy.erfc(-to_sympy(a[1], symbols) / sympy.sqrt(2)) / 2
    if head == "call" and a[0] == "kl":
        p, q = (to_sympy(x, symbols) for x in a[1:])
        return p * sympy.log(p / q) + (1 - p) * sympy.log((1 - p) / (1 - q))
    if head == "sum":
        k = sympy.Symbol(a[0], positive=True, integer=True)
        low, high = (to_sympy(x, symbols) for x in a[1:3])
        return sympy.Sum(to_sympy(a[3], {**symbols, a[0]: k}), (k, low, high))
    raise NoStatement(f"SymPy is not asked about {head}")


def symbols_of(ranges: Mapping[str, Range]) -> dict[str, Any]:
    import sympy

    def symbol(word: str, r: Range) -> Any:
        low = rational(r.low)
        known = {"positive": True} if low is not None and low >= 0 else {"real": True}
        return sympy.Symbol(word, **known, **({"integer": True} if r.integer else {}))

    return {word: symbol(word, r) for word, r in ranges.items()}


def from_sympy(x: Any) -> Expression:
    """Back into an expression. Raises NoStatement."""
    import sympy

    if x.is_Rational:
        return num(Fraction(int(x.p), int(x.q)))
    if x.is_Symbol:
        return name(x.name)
    if x is sympy.E:
        return Expression("const", ("e",))
    if x is sympy.pi:
        return Expression("const", ("pi",))
    if x is sympy.EulerGamma:
        return Expression("const", ("euler",))
    if x.is_Add:
        first, *rest = (from_sympy(a) for a in x.args)
        for other in rest:
            first = binary("add", first, other)
        return first
    if x.is_Mul:
        above, below = num(1), num(1)
        for a in x.args:
            base, power = a.as_base_exp()
            if power.is_Rational and power < 0:
                below = binary("mul", below, from_sympy(base**-power))
            else:
                above = binary("mul", above, from_sympy(a))
        return binary("div", above, below)
    if x.is_Pow:
        base, power = x.as_base_exp()
        if power == sympy.Rational(1, 2):
            return call("sqrt", from_sympy(base))
        if power.is_Rational and power < 0:
            return binary("div", num(1), from_sympy(base**-power))
        if base is sympy.E:
            return call("exp", from_sympy(power))
        return binary("pow", from_sympy(base), from_sympy(power))
    if isinstance(x, sympy.exp | sympy.log):
        return call(type(x).__name__, from_sympy(x.args[0]))
    raise NoStatement(f"SymPy answers {str(x)[:60]}")


# ------------------------------------------------------------------------------------------------------------ sums


MOST_PARTS = 40  # of a sum: SymPy may never be done with simplifying a long one


def by_closed_sum(asked: Asked, geometric: bool) -> tuple[tuple[Asked, ...], str] | None:
    """The closed form of a sum, geometric or by Gosper's algorithm, is proved; then it stands for the sum."""
    sums = [p for side in (asked.comparison.left, asked.comparison.right) for p in parts(side) if p.head == "sum"]
    if len(set(sums)) != 1:
        return None
    total = sums[0]
    if sum(1 for _ in parts(total)) > MOST_PARTS:
        return None
    try:
        form = _closed(total, asked.ranges, geometric)
    except (NoStatement, Unread, ArithmeticError, TypeError, ValueError, KeyError, NotImplementedError):
        return None
    if form is None:
        return None

    def change(e: Expression) -> Expression:
        return form if e == total else mapped(e, change)

    equal = Asked(Compare(total, "==", form), asked.ranges, asked.conditions)
    left, right = change(asked.comparison.left), change(asked.comparison.right)
    return (
        equal,
        Asked(Compare(left, asked.comparison.sign, right), asked.ranges, asked.conditions),
    ), "the sum has a closed form"


def _closed(total: Expression, ranges: Mapping[str, Range], geometric: bool) -> Expression | None:
    import sympy
    from sympy.concrete.gosper import gosper_sum

    index, low, high, body = total.args
    symbols = symbols_of(ranges)
    k = sympy.Symbol(index, positive=True, integer=True)
    f, a, b = to_sympy(body, {**symbols, index: k}), to_sympy(low, symbols), to_sympy(high, symbols)
    ratio = sympy.simplify(f.subs(k, k + 1) / f)
    if (k not in ratio.free_symbols) != geometric:
        return None
    if geometric:
        if ratio == 1:
            return None
        return from_sympy(sympy.simplify(f.subs(k, a) * (1 - ratio ** (b - a + 1)) / (1 - ratio)))
    form = gosper_sum(f, (k, a, b))
    return None if form is None else from_sympy(sympy.simplify(form))


# ------------------------------------------------------------------------------------------------- roots of slopes


def roots(body: Expression, word: str, ranges: Mapping[str, Range]) -> Iterator[Expression]:
    """Zeros of the derivative, as SymPy finds them."""
    import sympy

    symbols = symbols_of(ranges) | {word: sympy.Symbol(word, positive=True)}
    try:
        found = sympy.solve(sympy.diff(to_sympy(body, symbols), symbols[word]), symbols[word])
    except (NoStatement, NotImplementedError, ValueError, TypeError, KeyError, AttributeError):
        return
    for root in found[:4]:
        try:
            yield from_sympy(sympy.simplify(root))
        except NoStatement:
            continue


# ------------------------------------------------------------------------------------------- ratios of neighbours


def by_neighbours(asked: Asked) -> tuple[tuple[Asked, ...], str] | None:
    """Of positive products with factorials: the first count, and that the ratio of neighbours is on the right side."""
    from banditproof.verify.judge.from_far import folded

    comparison = asked.comparison
    sides = (comparison.left, comparison.right)
    if len(asked.ranges) != 1 or not any(has(s, "factorial", "binom") for s in sides):
        return None
    (n, r), *_ = asked.ranges.items()
    if not r.integer or comparison.sign == "==" or asked.conditions or (low := rational(r.low)) is None:
        return None
    others: list[Expression] = []
    try:
        left, right = (_ratio(side, n, int(low), others) for side in sides)
    except (NoStatement, OverflowError):
        return None
    first = [folded(put(side, {n: num(low)})) for side in sides]
    start = Asked(Compare(first[0], comparison.sign, first[1]), {})
    positive = [Asked(Compare(other, ">", num(0)), asked.ranges) for other in dict.fromkeys(others)]
    weak = {"<": "<=", ">": ">="}.get(comparison.sign, comparison.sign)
    step = Asked(Compare(left, weak, right), asked.ranges)
    return (
        start,
        *positive,
        step,
    ), f"both sides are positive: the first count, and the ratio of each to the next in {n}"


def _ratio(e: Expression, n: str, low: int, others: list[Expression]) -> Expression:
    """e(n + 1) / e(n) of a positive product; `others` are the factors that have to be shown positive."""
    head, a = e.head, e.args
    if n not in names(e):
        others.append(e)
        return num(1)
    if head in ("mul", "div"):
        return binary(head, _ratio(a[0], n, low, others), _ratio(a[1], n, low, others))
    if head == "pow" and n not in names(a[1]):
        return binary("pow", _ratio(a[0], n, low, others), a[1])
    if head == "call" and a[0] == "sqrt":
        return call("sqrt", _ratio(a[1], n, low, others))
    if head == "call" and a[0] == "factorial":
        return _factorial_ratio(a[1], n, low)
    if head == "call" and a[0] == "binom":
        above, below = a[1:]
        rest = binary("sub", above, below)
        lower = binary("mul", _factorial_ratio(below, n, low), _factorial_ratio(rest, n, low))
        return binary("div", _factorial_ratio(above, n, low), lower)
    if has(e, "factorial", "binom", "gamma", "sum", "prod"):
        raise NoStatement("a factorial inside of a sum")
    others.append(e)
    return binary("div", put(e, {n: binary("add", name(n), num(1))}), e)


def _factorial_ratio(inside: Expression, n: str, low: int) -> Expression:
    """Of the factorial of a n + b with whole a >= 0, at least 0 at the first count."""
    from banditproof.verify.judge.certain import value_at

    at = [value_at(inside, {n: Fraction(k)}) for k in range(low, low + 4)]
    step = at[1] - at[0]
    steady = all(isinstance(v, Fraction) and v.denominator == 1 for v in at) and linear(inside, n) is not None
    if not steady or not 0 <= step <= 8 or at[0] < 0:
        raise NoStatement("a factorial of something else than a multiple of the count")
    product = num(1)
    for k in range(1, int(step) + 1):
        product = binary("mul", product, binary("add", inside, num(k)))
    return product
