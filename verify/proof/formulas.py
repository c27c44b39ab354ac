"""Formulas of positive symbols: their numbers, the two functions beside those of SymPy, and multiplying out.

Nothing here or in what builds on it asks SymPy for a sign, a limit or a simplification; it adds, multiplies out,
factors and differentiates.
"""

from __future__ import annotations

import math
import os
import re
from functools import cache, lru_cache
from typing import Any

os.environ.setdefault("SYMPY_CACHE_SIZE", "20000")  # read when SymPy is imported; proofs outgrow its own 1000


class Refused(Exception):
    """The rule does not apply to the goal with these data."""


def symbol(name: str) -> Any:
    """The positive symbol of a name."""
    import sympy

    return sympy.Symbol(name, positive=True)


def symbols_of(expression: Any) -> list[Any]:
    """The symbols, by name."""
    return sorted(expression.free_symbols, key=str)


def ratio(text: Any) -> Any:
    """A positive rational number from data. Raises Refused for anything else."""
    import sympy

    if not _RATIO.fullmatch(str(text)):
        raise Refused(f"not a positive number: {str(text)[:40]}")
    return sympy.Rational(str(text))


def exponent(text: Any) -> Any:
    """A positive rational exponent from data, of small numbers."""
    power = ratio(text)
    if max(power.p, power.q) > LARGEST_EXPONENT:
        raise Refused(f"an exponent above {LARGEST_EXPONENT}")
    return power


LARGEST_EXPONENT = 64  # of a power in data: factoring takes its time by the degree
_RATIO = re.compile(r"0*[1-9]\d{0,5}(/0*[1-9]\d{0,5})?")


def fresh(*expressions: Any) -> Any:
    """A symbol that stands in none of the expressions."""
    taken = {s.name for e in expressions for s in e.free_symbols}
    return symbol(next(name for k in range(1, 10_000) if (name := f"w{k}") not in taken))


@cache
def normal_law() -> Any:
    """What a standard normal variable has between 0 and x, Phi(x) - 1/2, as a function of SymPy: it is odd."""
    import sympy

    class FromZero(sympy.Function):
        nargs = 1

        @classmethod
        def eval(cls, x: Any) -> Any:
            if x == 0:
                return sympy.S.Zero
            return -cls(-x) if x.could_extract_minus_sign() else None

        def fdiff(self, argindex: int = 1) -> Any:
            x: Any = self.args[0]
            return sympy.exp(-(x**2) / 2) / sympy.sqrt(2 * sympy.pi)

    return FromZero


@cache
def choices() -> Any:
    """comb(n, k) of counts that hold symbols, as a function of SymPy of which nothing is known but that it is positive.

    Who writes it has seen that 0 <= k <= n.
    """
    import sympy

    class Choices(sympy.Function):
        nargs = 2

    return Choices


@cache
def waves() -> Any:
    """What sin and cos are, as functions of SymPy of which nothing is known but that they have values."""
    import sympy

    class Wave(sympy.Function):
        nargs = 1

    return Wave


@cache
def wave(name: str) -> Any:
    return type(name, (waves(),), {})


def log_of(argument: Any) -> Any:
    """The logarithm, but that SymPy does not ask whether a sum or product with symbols is 0, which takes long.

    Whether the argument is above 0 is for who writes the logarithm to see, or to ask.
    """
    import sympy

    is_plain = isinstance(argument, sympy.Add | sympy.Mul) and argument.free_symbols
    return sympy.log(argument, evaluate=not is_plain)


def put(e: Any, values: Any) -> Any:
    """An expression with others for some of its parts, whose logarithms are those of `log_of`."""
    import sympy

    if e in values:
        return values[e]
    arguments = [put(a, values) for a in e.args]
    if all(a is b for a, b in zip(arguments, e.args, strict=True)):
        return e
    return log_of(*arguments) if isinstance(e, sympy.log) else e.func(*arguments)


@lru_cache(50_000)
def text(expression: Any) -> str:
    """The expression as text, which orders expressions."""
    return str(expression)


@lru_cache(50_000)
def is_strange(expression: Any) -> bool:
    """Whether an expression may be no real number: an infinity, an imaginary or a rounded one."""
    import sympy

    if expression.args:
        return any(map(is_strange, expression.args))
    return isinstance(expression, sympy.Float) or expression in (sympy.nan, sympy.zoo, sympy.oo, -sympy.oo, sympy.I)


@lru_cache(20_000)
def expanded(expression: Any) -> Any:
    """The expression multiplied out, the exponents of a product of exponentials being added.

    Raises Refused for what would be too long.
    """
    import sympy

    if _is_multiplied_out(expression):
        return expression
    if _lengths(expression)[1] > MOST_ATOMS:
        raise Refused(f"a formula of more than {MOST_ATOMS} atoms, once it is multiplied out")
    multiplied = _multiplied_out(expression)
    if multiplied.has(sympy.exp):
        multiplied = _multiplied_out(multiplied.replace(sympy.exp, lambda a: sympy.exp(_multiplied_out(a))))
    return multiplied


@lru_cache(50_000)
def _multiplied_out(e: Any) -> Any:
    """The expression with every product and every whole power of sums in it as a sum, from the inside out."""
    import sympy

    if e.is_Atom:
        return e
    arguments = [_multiplied_out(a) for a in e.args]
    if all(a is b for a, b in zip(arguments, e.args, strict=True)):
        inside = e
    else:
        inside = log_of(*arguments) if isinstance(e, sympy.log) else e.func(*arguments)
    if not (inside.is_Mul or (inside.is_Pow and inside.base.is_Add)):
        return inside
    multiplied = _at_the_top(inside)
    if not multiplied.is_Add:
        return multiplied
    terms = [_at_the_top(t) if t.is_Mul and any(map(_is_below, t.args)) else t for t in multiplied.args]
    return sympy.Add(*terms)


def _at_the_top(e: Any) -> Any:
    import sympy

    return sympy.expand(e, deep=False, power_exp=False, power_base=False, log=False, func=False, basic=False)


MOST_ATOMS = 100_000  # of a formula that is multiplied out


def _lengths(e: Any) -> tuple[int, int]:
    """How many summands and how many atoms an expression has at most when it is multiplied out."""
    if e.is_Atom:
        return 1, 1
    if e.is_Add:
        lengths = [_lengths(a) for a in e.args]
        return sum(n for n, _ in lengths), sum(atoms for _, atoms in lengths)
    if e.is_Mul:
        above, below = (1, 0), (1, 0)
        for factor in e.args:
            if _is_below(factor):
                below = _times(below, _power(_lengths(factor.base), -factor.exp))
            else:
                above = _times(above, _lengths(factor))
        return above[0], above[1] + above[0] * below[1]
    if e.is_Pow and e.exp.is_Integer and e.exp > 0:
        return _power(_lengths(e.base), e.exp)
    if _is_below(e):
        return 1, _power(_lengths(e.base), -e.exp)[1]
    return 1, sum(_lengths(a)[1] for a in e.args)


def _is_below(e: Any) -> bool:
    return e.is_Pow and e.exp.is_Integer and e.exp < 0


def _times(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
    """The lengths of a product."""
    return first[0] * second[0], first[1] * second[0] + first[0] * second[1]


def _power(lengths: tuple[int, int], k: Any) -> tuple[int, int]:
    """The lengths of a power with a whole exponent above 0: as many summands as there are products of k of them."""
    summands, atoms = lengths
    powers = math.comb(summands + int(k) - 1, int(k))
    return powers, int(k) * atoms * powers // summands


def _is_multiplied_out(e: Any) -> bool:
    import sympy

    return all(_stays(f) for t in sympy.Add.make_args(e) for f in sympy.Mul.make_args(t))


def _stays(factor: Any) -> bool:
    """Whether nothing can be multiplied out in a factor of a term: a power of a symbol, a logarithm, a root."""
    import sympy

    if factor.is_Rational or factor.is_Symbol or factor in (sympy.E, sympy.pi):
        return True
    if isinstance(factor, sympy.exp):
        return _is_multiplied_out(factor.args[0])
    base, power = factor.as_base_exp()
    if isinstance(base, sympy.log | normal_law()):
        return power.is_Integer and power > 0 and _is_multiplied_out(base.args[0])
    if base.is_Add:
        return power.is_Rational and 0 < power < 1 and _is_multiplied_out(base)
    return power.is_Rational and (base.is_Symbol or base.is_Rational)


@lru_cache(50_000)
def derivative(e: Any, u: Any) -> Any:
    """The derivative by a symbol, part by part; SymPy's alone asks every part whether it is a number."""
    import sympy

    if e == u or u not in e.free_symbols:
        return sympy.Integer(e == u)
    if e.is_Add:
        return sympy.Add(*(derivative(a, u) for a in e.args))
    if e.is_Mul:
        return sympy.Add(*(sympy.Mul(derivative(a, u), *e.args[:i], *e.args[i + 1 :]) for i, a in enumerate(e.args)))
    if e.is_Pow and e.exp.is_Rational:
        return e.exp * e.base ** (e.exp - 1) * derivative(e.base, u)
    if isinstance(e, sympy.log):
        return derivative(e.args[0], u) / e.args[0]
    if isinstance(e, sympy.exp):
        return derivative(e.args[0], u) * e
    return sympy.diff(e, u)
