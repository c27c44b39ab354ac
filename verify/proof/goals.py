"""Goals over positive symbols, and the rules that reduce them: the part of a deduction that is about formulas.

A goal says: for all values above 0 of its symbols, an expression is > 0, >= 0, == 0 or != 0. A rule is a pure function
of a goal and of data that gives goals from which this one follows, or raises Refused. Signs are read off the form of
an expression: sums of parts of one sign, products, powers of what is positive; signs of numbers by balls. Nothing here
asks SymPy for a sign, a limit or a simplification; it adds, multiplies out, factors and differentiates.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

LONGEST_PRIME_SEARCH = 10**6
MOST_BOXES = 1500
LARGEST_POWER, MOST_MONOMIALS = 60, 20_000
PRECISIONS = (64, 256, 1024)


class Refused(Exception):
    """The rule does not apply to the goal with these data."""


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


ALLOWED = {">": (1,), ">=": (0, 1), "==": (0,), "!=": (-1, 1)}


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
        raise Refused(f"no positive number: {str(text)[:40]}")
    return sympy.Rational(str(text))


def exponent(text: Any) -> Any:
    """A positive rational exponent from data, of small numbers."""
    found = ratio(text)
    if max(found.p, found.q) > LARGEST_EXPONENT:
        raise Refused(f"an exponent above {LARGEST_EXPONENT}")
    return found


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


# ------------------------------------------------------------------------------------------------------------- signs


@lru_cache(50_000)
def sign_of(expression: Any) -> int | None:
    """The sign for all positive values of the symbols, where the form shows it: 1, 0, -1; None otherwise."""
    import sympy

    if is_strange(expression):
        return None
    found = _by_parts(expression)
    if found is None and expression.free_symbols and isinstance(expression, sympy.Add | sympy.Mul | sympy.Pow):
        signs = [_sign_of_power(_sign_of_factor(f), k) for f, k in factored(expression)]
        found = None if None in signs else _product(signs)
    if found is None and not expression.is_Atom and not expression.is_rational_function():
        multiplied = expanded(expression)
        found = 0 if multiplied == 0 else _by_parts(multiplied)
        found = _by_bounds(expression) or _by_bounds(multiplied) if found is None else found
    return found


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
    sign = _by_parts(least) if least.is_Atom else sign_of(least)
    return sign == 1 or (sign == 0 and strictly)


def _sign_of_factor(factor: Any) -> int | None:
    found = _by_parts(factor)
    found = _by_parts(expanded(factor)) if found is None else found
    return _by_bounds(factor) if found is None else found


def is_strange(expression: Any) -> bool:
    """Whether an expression may be no real number: an infinity, an imaginary or a rounded one."""
    import sympy

    return expression.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo, sympy.I, sympy.Float)


def _product(signs: list[Any]) -> int:
    total = 1
    for sign in signs:
        total *= sign
    return total


def _sign_of_power(sign: int | None, exponent: Any) -> int | None:
    """The sign of a power of a base of known sign, where it has a value."""
    if sign is None or (sign == 0 and not (exponent.is_Rational and exponent > 0)):
        return None
    if sign == -1:
        return None if not exponent.is_Integer else -1 if exponent % 2 else 1
    return sign


@lru_cache(50_000)
def _by_parts(e: Any) -> int | None:
    """The sign from the parts of the expression as it stands."""
    import sympy

    if not e.free_symbols:
        return number_sign(e)
    if e.is_Symbol or isinstance(e, sympy.exp | choices()):
        return 1
    if isinstance(e, normal_law()):
        return sign_of(e.args[0])
    if e.is_Add:
        signs = {_by_parts(a) for a in e.args}
        signs.discard(0)
        return signs.pop() if len(signs) == 1 else _by_coefficients(e)
    if e.is_Mul:
        signs = [_by_parts(a) for a in e.args]
        return None if None in signs else _product(signs)
    if e.is_Pow:
        return _sign_of_power(_by_parts(e.base), e.exp)
    if isinstance(e, sympy.log):
        argument = e.args[0]
        if sign_of(argument) != 1:
            return None
        return sign_of(argument - 1)
    return None


def _by_coefficients(e: Any) -> int | None:
    """The sign of a sum with several numbers times one expression, as in 2 x - sqrt(3) x + 1, once they are added."""
    import sympy

    numbers: dict[Any, Any] = {}
    for t in e.args:
        c, rest = t.as_independent(*t.free_symbols)
        numbers[rest] = numbers.get(rest, sympy.S.Zero) + c
    if len(numbers) == len(e.args):
        return None
    signs = {
        None if None in pair else _product(list(pair))
        for pair in ((number_sign(c), _by_parts(r)) for r, c in numbers.items())
    }
    signs.discard(0)
    return signs.pop() if len(signs) == 1 else None


@lru_cache(20_000)
def number_sign(number: Any) -> int | None:
    """The sign of a number without symbols: of a rational exactly, of others by balls; None where balls do not say."""
    from flint import ctx

    if number.is_Rational:
        return (number.p > 0) - (number.p < 0)
    before = ctx.prec
    try:
        for ctx.prec in PRECISIONS:
            value = ball(number, {})
            if value > 0 or value < 0:
                return 1 if value > 0 else -1
        return None
    except Refused:
        return None
    finally:
        ctx.prec = before


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


# ------------------------------------------------------------------------------------------------------------- forms


@lru_cache(20_000)
def expanded(expression: Any) -> Any:
    """The expression multiplied out, the exponents of a product of exponentials being added."""
    import sympy

    if _is_multiplied_out(expression):
        return expression
    found = sympy.expand(expression, power_exp=False, log=False, power_base=False, func=False)
    if found.has(sympy.exp):
        found = found.replace(sympy.exp, lambda a: sympy.exp(sympy.expand(a, power_exp=False, log=False)))
        found = sympy.expand(found, power_exp=False, log=False, power_base=False)
    return found


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


@lru_cache(20_000)
def factors_of(expression: Any) -> tuple[tuple[Any, Any], ...]:
    """The factors of an expression as one quotient, by their text, each with its power, which is negative below."""
    return tuple(sorted(factored(expression), key=lambda pair: text(pair[0])))


@lru_cache(20_000)
def factored(expression: Any) -> tuple[tuple[Any, Any], ...]:
    """The same in any order."""
    import sympy

    try:
        listed = _factored_by_flint(expression)
    except Refused:
        listed = _factored_by_sympy(expression)
    powers: dict[Any, Any] = {}
    for base, exponent in listed:
        powers[base] = powers.get(base, sympy.S.Zero) + exponent
    return tuple((b, sympy.sympify(k)) for b, k in powers.items() if k and b != 1)


@lru_cache(50_000)
def text(expression: Any) -> str:
    """The expression as text, which orders expressions."""
    return str(expression)


def _factored_by_sympy(expression: Any) -> list[tuple[Any, Any]]:
    import sympy

    listed = []
    for part, turn in zip(sympy.fraction(sympy.together(expression)), (1, -1), strict=True):
        if not part.free_symbols:
            listed.append((part, turn))
            continue
        try:
            number, pairs = sympy.factor_list(part)[:2]
        except sympy.PolynomialError:
            number, pairs = sympy.S.One, [(part, 1)]
        listed += [(number, turn), *((base, turn * exponent) for base, exponent in pairs)]
    return listed


def _factored_by_flint(expression: Any) -> list[tuple[Any, Any]]:
    """As above for quotients of rational polynomials of symbols, logarithms, normal laws, powers of symbols and roots.

    The roots are those of whatever is such a quotient itself. Raises Refused.
    """
    import sympy
    from flint import Ordering, fmpq, fmpq_mpoly_ctx

    def kinds(e: Any) -> set[Any]:
        if e.is_Rational:
            return set()
        if e.is_Symbol or isinstance(e, sympy.log | normal_law() | choices()):
            return {e}
        if e.is_Add or e.is_Mul:
            return set().union(*map(kinds, e.args))
        if e.is_Pow and e.exp.is_Integer and abs(e.exp) <= LARGEST_POWER:
            return kinds(e.base)
        is_root = e.is_Pow and e.exp.is_Rational and not e.exp.is_Integer
        if is_root and abs(e.exp.p) <= LARGEST_POWER:
            return {_root_in(e)} | kinds(e.base)
        if _is_power_of_a_symbol(e):
            return set().union(*(kinds(e.base) if f is None else {f} for f, _ in _apart_in_exponent(e)))
        raise Refused("no quotient of polynomials")

    found = kinds(expression)
    if not found:
        return [(expression, 1)]
    roots = sorted((e for e in found if e.is_Pow and e.exp.is_Rational and not e.exp.is_Integer), key=text)
    turns = {x: math.lcm(*(int(r.exp.q) for r in roots if r.base == x)) for x in found if x.is_Symbol}
    apart = (x for x in found if x not in roots or x.base not in turns)
    generators = sorted({x ** sympy.Rational(1, turns.get(x, 1)) for x in apart}, key=text)
    context = fmpq_mpoly_ctx.get(tuple(f"x{i}" for i in range(len(generators))), Ordering.lex)
    of_generator = dict(zip(generators, context.gens(), strict=True))
    one = context.constant(1)

    def raised(pair: tuple[Any, Any], k: int) -> tuple[Any, Any]:
        above, below = pair
        if k < 0 and above == 0:
            raise Refused("a division by zero")
        return (above**k, below**k) if k >= 0 else (below**-k, above**-k)

    def quotient(e: Any) -> tuple[Any, Any]:
        if e.is_Rational:
            return context.constant(fmpq(int(e.p), int(e.q))), one
        if e in of_generator:
            return of_generator[e], one
        if e in turns or (e.is_Pow and e.exp.is_Rational and e.base in turns):
            x, k = e.as_base_exp()
            return raised((of_generator[x ** sympy.Rational(1, turns[x])], one), int(k * turns[x]))
        if e.is_Pow and e.exp.is_Integer:
            return raised(quotient(e.base), int(e.exp))
        if e.is_Pow and e.exp.is_Rational:
            return raised((of_generator[_root_in(e)], one), int(e.exp.p))
        if _is_power_of_a_symbol(e):
            above, below = one, one
            for f, k in _apart_in_exponent(e):
                a, b = raised(quotient(e.base if f is None else f), k)
                above, below = above * a, below * b
            return above, below
        above, below = quotient(e.args[0])
        for part in e.args[1:]:
            a, b = quotient(part)
            if e.is_Add:
                shared = below.gcd(b)
                above, below = above * (b / shared) + a * (below / shared), below * (b / shared)
            else:
                above, below = above * a, below * b
            if len(above) > MOST_MONOMIALS or len(below) > MOST_MONOMIALS:
                raise Refused("a polynomial that is too long")
        return above, below

    def rational(number: Any) -> Any:
        return sympy.Rational(int(number.p), int(number.q))

    def back(polynomial: Any) -> Any:
        terms = polynomial.to_dict().items()
        return sympy.Add(
            *(
                sympy.Mul(rational(c), *(g ** int(k) for g, k in zip(generators, powers, strict=True)))
                for powers, c in terms
            )
        )

    def reduced(polynomial: Any, listed: list[Any]) -> Any:
        """With g^q as what it is the root of, for the roots g in a list that are of numbers and of polynomials."""
        for place, q, (base, below) in listed:
            given = polynomial.to_dict()
            if below != 1 or all(powers[place] < q for powers in given):
                continue
            by_turns: dict[int, dict[Any, Any]] = {}
            for powers, c in given.items():
                left = tuple(k % q if i == place else k for i, k in enumerate(powers))
                by_turns.setdefault(powers[place] // q, {})[left] = c
            polynomial = context.constant(0)
            for turns_of_base, left in by_turns.items():
                polynomial += context.from_dict(left) * base**turns_of_base
        return polynomial

    of_numbers, of_more = (
        [(generators.index(r), int(r.exp.q), quotient(r.base)) for r in roots if r.base not in turns and is_one(r)]
        for is_one in (lambda r: r.base.is_Rational, lambda r: not r.base.is_Rational)
    )
    above, below = (reduced(part, of_numbers) for part in quotient(expression))
    listed = []
    for part, turn in ((above, 1), (below, -1)):
        if turn == -1 and reduced(part, of_more) == 0:
            raise Refused("a division by zero")
        if reduced(part, of_more) == 0:
            return [(sympy.S.Zero, 1)]
        number, pairs = part.factor()
        listed.append((rational(number), turn))
        for base, exponent in pairs:
            shorter = reduced(base, of_more)
            number, again = (fmpq(1), [(base, 1)]) if shorter == base else shorter.factor()
            listed.append((rational(number), turn * int(exponent)))
            listed += [(back(one), turn * int(exponent * k)) for one, k in again]
    number = sympy.Mul(*(base**k for base, k in listed if base.is_Rational))
    return [(number, 1), *((base, k) for base, k in listed if not base.is_Rational)]


def _root_in(power: Any) -> Any:
    """b^(1/q) of b^(p/q)."""
    import sympy

    return power.base ** sympy.Rational(1, power.exp.q)


def _is_power_of_a_symbol(e: Any) -> bool:
    import sympy

    return (isinstance(e, sympy.exp) or e.is_Pow) and bool(e.exp.free_symbols)


def _apart_in_exponent(e: Any) -> list[tuple[Any, int]]:
    """b^(k + n x) as pairs of b, which is None, and k, and of b^x and n: with whole k and n. Raises Refused."""
    import sympy

    found = []
    for part in sympy.Add.make_args(sympy.expand(e.exp)):
        pair: Any = part.as_coeff_Mul()
        number, rest = pair
        plain = number.is_Integer and abs(number) <= LARGEST_POWER and e.base != sympy.E
        if not number.is_Rational or (rest == 1 and not plain):
            raise Refused("an exponent of another kind")
        if rest == 1:
            found.append((None, int(number)))
        elif abs(number.p) > LARGEST_POWER:
            found.append((e.base ** (number * rest), 1))
        else:
            found.append((e.base ** (rest / number.q), int(number.p)))
    return found


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
        return sympy.log(argument)
    return sympy.Add(*(k * _one_log(f) for f, k in pairs))


def _one_log(factor: Any) -> Any:
    import sympy

    if factor.is_Rational:
        return _log_of_number(factor)
    if factor.is_Pow and sign_of(factor.base) == 1:
        return factor.exp * _one_log(factor.base)
    if isinstance(factor, sympy.exp):
        return factor.args[0]
    return sympy.log(factor)


def _log_of_number(number: Any) -> Any:
    import sympy

    if not number > 0 or max(number.p, number.q) > LONGEST_PRIME_SEARCH:
        return sympy.log(number)
    above, below = sympy.factorint(number.p), sympy.factorint(number.q)
    powers = {p: above.get(p, 0) - below.get(p, 0) for p in (*above, *below)}
    return sympy.Add(*(k * sympy.log(p) for p, k in powers.items()))


def is_zero(expression: Any) -> bool:
    """Whether an expression vanishes when it is multiplied out over one denominator, logarithms apart."""
    import sympy

    if any(base == 0 for base, _ in factored(expression)) or expanded(expression) == 0:
        return True
    numerator, _ = sympy.fraction(sympy.together(tidy(expression)))
    return expanded(numerator) == 0 or expanded(sympy.powsimp(expanded(numerator))) == 0


# ------------------------------------------------------------------------------------------------------------- rules

Rule = Callable[[Goal, Any], list[Goal]]
RULES: dict[str, Rule] = {}


def rule(function: Rule) -> Rule:
    """A rule under its name."""
    RULES[function.__name__] = function
    return function


def applied(name: str, goal: Goal, data: Any) -> list[Goal]:
    """The goals that a rule leaves open, those that hold by form left out. Raises Refused."""
    if name not in RULES:
        raise Refused(f"{name!r} is no rule")
    found = dict.fromkeys(RULES[name](goal, data))
    if any(is_strange(g.expression) for g in found):
        raise Refused("an expression that has no value")
    return [g for g in found if not g.holds_by_form]


@rule
def factors(goal: Goal, data: str) -> list[Goal]:
    """A product: those of its factors whose sign the form does not show, with the signs in `data`, '+' or '-'."""
    pairs = factors_of(tidy(goal.expression))
    if goal.operator == "==":
        if is_zero(goal.expression):
            return []
        raise Refused("no identity")
    total, rest, found = 1, [], []
    strict = goal.operator in (">", "!=")
    for base, power in pairs:
        sign = _sign_of_power(sign_of(base), power)
        if sign is not None:
            total *= sign
        elif power % 2 == 0:  # a square is at least 0
            if strict or power < 0:
                found.append(Goal(base, "!="))
        else:
            rest.append((base, strict or power < 0))
    if total == 0:
        if goal.operator == ">=":
            return []
        raise Refused("it vanishes")
    if len(rest) != len(data) or set(data) - set("+-"):
        raise Refused("another number of signs")
    if goal.operator == "!=":
        return found + [Goal(base, "!=") for base, _ in rest]
    for (base, strictly), mark in zip(rest, data, strict=True):
        found.append(Goal(base if mark == "+" else -base, ">" if strictly else ">="))
        total *= 1 if mark == "+" else -1
    if total != 1:
        raise Refused("the signs do not fit")
    return found


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


def _smooth(e: Any) -> bool:
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


def units(expression: Any, u: Any) -> list[Any]:
    """By what `slope` may divide: 1, the symbol, and coefficients of logarithms that hold it, made positive."""
    import sympy

    found: list[Any] = [sympy.S.One]
    whole = tidy(expression)
    for log in sorted((x for x in whole.atoms(sympy.log) if x.has(u)), key=str):
        dummy = sympy.Dummy()
        named = expanded(whole).xreplace({log: dummy})
        coefficient = sympy.diff(named, dummy)
        if coefficient.has(dummy) or coefficient == 0:
            continue
        product = sympy.Mul(*(f**k for f, k in factors_of(coefficient)))
        sign = sign_of(product)
        if sign in (1, -1) and product.free_symbols:
            found.append(product if sign == 1 else -product)
    return list(dict.fromkeys([*found, u]))


@rule
def slope(goal: Goal, data: Any) -> list[Goal]:
    """F/m for a positive m: at an end of u it is >= 0, and away from that end it does not fall.

    data: the symbol, which unit m of `units`, and '0' or 'oo' for the end. F/m is smooth; its limit at the end is taken
    by continuity, with u^a log u -> 0 for a > 0 as the only other one.
    """
    import sympy

    name, place, end = data
    u = symbol(name)
    listed = units(goal.expression, u)
    if goal.operator not in (">", ">=") or not 0 <= place < len(listed) or end not in ("0", "oo"):
        raise Refused("no slope")
    if not goal.expression.has(u):
        raise Refused("it does not depend on the symbol")
    quotient = tidy(goal.expression)
    if listed[place] != 1:
        terms = sympy.Add.make_args(expanded(quotient / listed[place]))
        logs: dict[Any, list[Any]] = {}
        for t in terms:
            rest, log = t.as_independent(sympy.log)
            logs.setdefault(log, []).append(rest)
        quotient = sympy.Add(*(sympy.factor(sympy.together(sympy.Add(*c))) * log for log, c in logs.items()))
    if not _smooth(quotient) or sign_of(listed[place]) != 1:
        raise Refused("it is not smooth by its form")
    derivative = sympy.diff(quotient, u)
    if end == "0":
        start = limit_at_zero(quotient, u)
    else:
        v = fresh(quotient)
        start = limit_at_zero(quotient.xreplace({u: 1 / v}), v)
        derivative = -derivative
    return [Goal(start, ">="), Goal(derivative, goal.operator)]


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

    if not e.has(u):
        return e
    inside = [x for x in e.atoms(sympy.log, sympy.exp, sympy.Pow, normal_law()) if x.has(u) and _is_function(x)]
    if any(x != y and x.has(y) for x in inside for y in inside):
        raise Refused("a function inside a function")
    names = {x: sympy.Dummy(real=True) for x in inside}
    named = e.xreplace(names)
    values = {}
    for x, name in names.items():
        at_end = _continuous_at_zero(x.args[0], u)
        if not isinstance(x, sympy.exp | normal_law()) and sign_of(at_end) != 1:
            raise Refused("a logarithm or power at its end")
        values[name] = x.func(at_end, *x.args[1:])
    root = fresh(named)
    plain = sympy.powdenest(named.xreplace({u: root**6}), force=False)
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
        raise Refused("a coefficient of open sign")
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
    listed = sorted(grouped.items(), key=lambda pair: str(pair[0]))
    if not listed or any(not isinstance(log, sympy.log) for log, _ in listed):
        raise Refused("no sum of logarithms")
    coefficients = [(sympy.factor(sympy.together(sympy.Add(*c))), log.args[0]) for log, c in listed]
    unit: Any = coefficients[0][0]
    ratios = [(sympy.cancel(c / unit), b) for c, b in coefficients]
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
        raise Refused("a coefficient of open sign")
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
            raise Refused("no logarithm of what is positive, with a coefficient of one sign")
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
    found = goal.expression.xreplace({u: forms[kind]()})
    found = found.replace(
        lambda x: x.is_Pow and not x.exp.is_Integer and not x.base.is_Symbol and bool(x.base.free_symbols),
        lambda x: power_apart(x.base, x.exp),
    )
    return [Goal(found, goal.operator)]


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
    return [Goal(goal.expression.xreplace(case), goal.operator) for case in cases]


@rule
def root(goal: Goal, data: Any) -> list[Goal]:
    """A + B sqrt(E): by squares. data: the place of the root among the roots, and the signs of A and B."""
    import sympy

    place, signs = data
    listed = roots_in(goal.expression)
    if not 0 <= place < len(listed) or goal.operator not in (">", ">="):
        raise Refused("no such root")
    radicand = listed[place]
    if sign_of(radicand) != 1:
        raise Refused("a root of open sign")
    name = sympy.Dummy()

    def named(power: Any) -> Any:
        return radicand ** (power.exp - sympy.Rational(1, 2)) * name

    whole = goal.expression.replace(
        lambda x: x.is_Pow and x.base == radicand and x.exp.is_Rational and x.exp.q == 2, named
    )
    parts = sympy.Poly(expanded(whole), name)
    if parts.degree() < 1 or any(c.has(sympy.sqrt(radicand)) for c in parts.all_coeffs()):
        raise Refused("the root does not stand by itself")
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


def roots_in(expression: Any) -> list[Any]:
    """What stands under square roots, shortest first."""
    found = {p.base for p in expression.atoms(_pow()) if p.free_symbols and p.exp.is_Rational and p.exp.q == 2}
    return sorted(found, key=lambda r: (len(str(r)), str(r)))


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
        raise Refused("no two positive sides")
    above = sympy.factor(sympy.Add(*(t for t, s in zip(terms, signs, strict=True) if s == 1)))
    below = sympy.factor(sympy.Add(*(-t for t, s in zip(terms, signs, strict=True) if s == -1)))
    return [Goal(_one_or_more_logs(above) - _one_or_more_logs(below), goal.operator)]


def _one_or_more_logs(e: Any) -> Any:
    """The logarithm of a positive expression, apart where its factors are positive."""
    import sympy

    parts = sympy.Mul.make_args(e)
    if all(sign_of(p) == 1 for p in parts):
        return tidy(sympy.Add(*(_one_log(p) for p in parts)))
    return tidy(sympy.log(e))


@rule
def sturm(goal: Goal, data: None) -> list[Goal]:
    """A polynomial of one symbol with rational coefficients that is positive at 1 and has no root above 0."""
    import sympy

    listed = symbols_of(goal.expression)
    if len(listed) != 1:
        raise Refused("more than one symbol")
    (u,) = listed
    numerator, denominator = sympy.fraction(sympy.together(goal.expression))
    if sign_of(denominator) != 1:
        raise Refused("a denominator of open sign")
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


@rule
def boxes(goal: Goal, data: Any) -> list[Goal]:
    """Bisection in balls over u = t/(1 - t), t in [0, 1]: only what stays away from 0 is shown."""
    import sympy
    from flint import arb, ctx, fmpq

    free = symbols_of(goal.expression)
    if goal.operator not in (">", ">=", "!=") or not 1 <= len(free) <= 3:
        raise Refused("not for boxes")
    ts = [sympy.Symbol(f"t_{i}", positive=True) for i in range(len(free))]
    changed = tidy(goal.expression).xreplace({u: t / (1 - t) for u, t in zip(free, ts, strict=True)})
    shown: Any = changed.replace(
        lambda x: isinstance(x, sympy.log | sympy.exp), lambda x: x.func(sympy.factor(sympy.together(x.args[0])))
    )
    parts: list[Any] = [sympy.factor(sympy.together(a)) for a in sympy.Add.make_args(shown)]
    shown = sympy.Add(*parts)
    before, ctx.prec = ctx.prec, 64
    try:
        stack, seen = [((fmpq(0), fmpq(1)),) * len(free)], 0
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
