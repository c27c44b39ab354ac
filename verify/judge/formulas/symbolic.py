"""Formulas in SymPy's words and back: SymPy proposes, and what it proposes is proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import Any

from banditproof.verify.judge.formulas.formula import NoStatement, binary, call, name, names, num, parts, rational
from banditproof.verify.judge.formulas.sentence import Expression, Range

OPERATORS = {"add": "__add__", "sub": "__sub__", "mul": "__mul__", "div": "__truediv__", "pow": "__pow__"}


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
    if head in OPERATORS:
        return getattr(to_sympy(a[0], symbols), OPERATORS[head])(to_sympy(a[1], symbols))
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
        "sin",
        "cos",
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
    if isinstance(
        x,
        sympy.exp
        | sympy.log
        | sympy.atan
        | sympy.factorial
        | sympy.erf
        | sympy.erfc
        | sympy.tanh
        | sympy.sin
        | sympy.cos,
    ):
        return call(type(x).__name__, from_sympy(x.args[0]))
    raise NoStatement(f"SymPy answers {str(x)[:60]}")


# ------------------------------------------------------------------------------------------------------------ sums


MOST_ROOTS, HIGHEST = 2, 3  # of what a variable stands in; degree of polynomials that are solved
DEEPEST = 10  # equations that SymPy takes one from another


class _Seen(list[Any]):
    """The equations that SymPy has met on its way: it turns one into the next until the stack is full, for 20 s."""

    def append(self, equation: Any) -> None:
        if len(self) == DEEPEST:
            raise RecursionError
        super().append(equation)


def _is_root(e: Expression) -> bool:
    of_power = e.head == "pow" and isinstance(value := rational(e.args[1]), Fraction) and value.denominator > 1
    return of_power or e.head == "call" and e.args[0] == "sqrt"


def roots(body: Expression, word: str, ranges: Mapping[str, Range]) -> tuple[Expression, ...]:
    """Zeros of the derivative, and of the distance of two numbers of which one is chosen, as SymPy finds them.

    With several roots that would take it minutes. One of a quadratic equation is also told as c/(a + sqrt(b)),
    which may have a value where (a - sqrt(b))/d has none.
    """
    import sympy

    if (choice := next((p for p in parts(body) if _is_choice(p) and word in names(p)), None)) is not None:
        return _zeros(binary("sub", *choice.args[1:]), word, tuple(ranges.items()), _itself)
    return _zeros(body, word, tuple(ranges.items()), sympy.diff)


def is_zero(e: Expression, ranges: Mapping[str, Range]) -> bool:
    """Whether a formula is known to be 0 where it has a value: only quotients of polynomials are looked at."""
    import sympy

    with suppress(NoStatement, sympy.PolynomialError):
        return bool(sympy.cancel(sympy.together(to_sympy(e, symbols_of(ranges)))) == 0)
    return False


def _itself(x: Any, _: Any) -> Any:
    return x


def _is_choice(e: Expression) -> bool:
    return e.head == "call" and e.args[0] in ("min", "max") and len(e.args) == 3


def _roots_of(equation: Any, x: Any) -> list[Any]:
    """Roots as SymPy finds them, but those of polynomials of a degree that has no formula; they are not looked at."""
    import sympy

    above = sympy.fraction(sympy.together(equation))[0]
    factors = [equation]
    if above.is_polynomial(x):
        factors = [f for f, _ in sympy.factor_list(above, x)[1]]
        factors = [f for f in factors if sympy.degree(f, x) <= HIGHEST or len(sympy.Poly(f, x).terms()) == 2]
    found = [root for f in factors for root in sympy.solve(f, x, check=False, simplify=False, tsolve_saw=_Seen())]
    return [root for root in found if not root.has(x) and root.is_positive is not False]


@lru_cache(500)
def _zeros(
    body: Expression, word: str, ranges: tuple[tuple[str, Range], ...], of: Callable[..., Any]
) -> tuple[Expression, ...]:
    return tuple(_solved(body, word, dict(ranges), of))


def _solved(body: Expression, word: str, ranges: Mapping[str, Range], of: Callable[..., Any]) -> Iterator[Expression]:
    import sympy

    if len({p for p in parts(body) if _is_root(p) and word in names(p)}) > MOST_ROOTS:
        return
    symbols = symbols_of(ranges) | {word: sympy.Symbol(word, positive=True)}
    try:
        equation = of(to_sympy(body, symbols), symbols[word])
        found = _roots_of(equation, symbols[word])
    except (NoStatement, NotImplementedError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return
    for root in found[:4]:
        with suppress(NoStatement):
            yield from_sympy(sympy.simplify(root))
    with suppress(NoStatement, sympy.PolynomialError, NotImplementedError):
        of_x = sympy.Poly(sympy.fraction(sympy.together(equation))[0], symbols[word])
        if of_x.degree() == 2:
            a, b, c = of_x.all_coeffs()
            root = sympy.sqrt(sympy.factor(b**2 - 4 * a * c))
            yield from (from_sympy(2 * c / (sign * root - b)) for sign in (-1, 1))
