"""A statement in cases: its variables as expressions of positive symbols, with what is known of these.

The domain falls into faces: closed ends, zero, single points and open pieces, each a bijection of positive symbols
(counts are taken as reals above their first values). Constraints of the domain, and conditions of the branches that a
formula takes, are known of a case; one that is linear in a symbol is solved for it and gone. A case without open
branch gives goals: what the formula asks to have a value, and its relation. A rule is a pure function of a case and
data, and the cases or goals that it gives imply the case.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, isinf, prod
from typing import Any

from banditproof.theory.numbers.term import (
    NoTerm,
    Term,
    children,
    from_nodes,
    is_reviewed,
    number,
    parts,
    substituted,
    var,
    variables,
)
from banditproof.verify.proof.closed_sums import binomial_masses, binomial_mean, number_of, sum_of_powers
from banditproof.verify.proof.definitions import DEFINED, asked_by, definition_of
from banditproof.verify.proof.domain import Constraint, Domain, Everything, Interval, Points, Set
from banditproof.verify.proof.factoring import as_product, by_powers, factors_of
from banditproof.verify.proof.form_signs import is_zero, sign_of
from banditproof.verify.proof.formulas import (
    Refused,
    choices,
    derivative,
    expanded,
    exponent,
    is_strange,
    log_of,
    normal_law,
    put,
    ratio,
    symbol,
    wave,
)
from banditproof.verify.proof.goals import ALLOWED, Goal, left_open, power_apart, unlog
from banditproof.verify.proof.statement import Statement

MOST_FACES = 600
MOST_COUNTS = 8
MOST_NODES = 400
MOST_BITS = 100_000  # of a power or a binomial of numbers
LONGEST = 64  # summands of a sum that is written out
HIGHEST = 12  # degree of a polynomial that is summed

Known = tuple[Any, str]  # an expression, and '>', '>=' or '==': how it compares with 0


class Open(Exception):
    """A branch that what is known does not settle: the alternatives, one of which holds at every point."""

    def __init__(self, *alternatives: Known) -> None:
        super().__init__(alternatives)
        self.alternatives = alternatives


class Rounded(Exception):
    """A ceiling whose place between whole numbers is open."""

    def __init__(self, argument: Any) -> None:
        super().__init__(argument)
        self.argument = argument


@dataclass(frozen=True)
class Case:
    """A statement where its variables have these values and these expressions compare so with 0.

    `ceilings` are pairs of an expression and what its ceiling is in this case. `walked` is how far `cut` has come.
    """

    statement: Statement
    values: tuple[tuple[str, Any], ...]
    known: tuple[Known, ...] = ()
    ceilings: tuple[tuple[Any, Any], ...] = ()
    walked: _Walk | None = field(default=None, compare=False, repr=False)

    def signs(self, expression: Any) -> frozenset[int]:
        """The signs that an expression may have, by its form or by what is known."""
        import sympy

        sign = sign_of(expression)
        if sign is not None:
            return frozenset([sign])
        possible = frozenset((-1, 0, 1))
        for other, operator in self.known:
            turn = _quotient_sign(expression, other)
            if turn is None and other.atoms(sympy.log):  # what is known is multiplied out inside of logarithms too
                with suppress(Refused):  # too long: what is known is not used
                    turn = _quotient_sign(expanded(expression), other)
            if turn is not None:
                possible &= {turn * s for s in _SIGNS[operator]}
        return possible

    def with_known(self, expression: Any, operator: str) -> Case | None:
        """The case in which this is known as well; None where it cannot be."""
        kept = _tight(expression, operator)
        if kept is True or kept is False:
            return self if kept else None
        possible = self.signs(kept) & _SIGNS[operator]
        if not possible:
            return None
        return replace(self, known=tuple(dict.fromkeys((*self.known, (kept, operator)))))

    def put(self, name: Any, value: Any, known: tuple[Known, ...] | None = None) -> Case | None:
        """The case with an expression for a symbol; None where what is known contradicts it."""

        def at(e: Any) -> Any:
            return _tidied(_put(e, name, value))

        changed: Case | None = replace(
            self,
            values=tuple((n, at(e)) for n, e in self.values),
            ceilings=tuple((at(x), at(v)) for x, v in self.ceilings),
            known=(),
        )
        for expression, operator in self.known if known is None else known:
            changed = changed and changed.with_known(_put(expression, name, value), operator)
        return changed

    @property
    def fresh(self) -> Any:
        """A symbol that stands nowhere in the case."""
        expressions = (
            [e for _, e in self.values] + [e for e, _ in self.known] + [e for pair in self.ceilings for e in pair]
        )
        taken = {s.name for e in expressions for s in e.free_symbols}
        return symbol(next(name for k in range(1, 10_000) if (name := f"s{k}") not in taken))


_SIGNS = {">": frozenset((1,)), ">=": frozenset((0, 1)), "==": frozenset((0,))}


@lru_cache(50_000)
def _put(e: Any, name: Any, value: Any) -> Any:
    return put(e, {name: value})


@lru_cache(50_000)
def _tidied(e: Any) -> Any:
    """A value as one quotient, where it is rational; the zeros of its denominator are the definition's business."""
    return as_product(e) if e.is_rational_function() else e


@lru_cache(50_000)
def _quotient_sign(first: Any, second: Any) -> int | None:
    """The sign of first/second where the form shows it: a number, as both are one expression times it, or a product."""
    shared = {f for f, _ in factors_of(second) if f.free_symbols}
    if not any(f in shared for f, _ in factors_of(first)):
        return None
    return sign_of(as_product(first / second))


@lru_cache(50_000)
def _tight(expression: Any, operator: str) -> Any:
    """What has to be known, without factors of known sign: an expression, or whether it is true or false by form."""
    import sympy

    sign = sign_of(expression)
    if sign is not None:
        return sign in _SIGNS[operator]
    rest, squares, turn = [], [], 1
    for factor, power in factors_of(expression):
        sign = sign_of(factor)
        if sign in (1, -1) and power.is_Integer:
            turn *= sign if power % 2 else 1
        elif sign == 1:
            continue
        elif power % 2 == 0 and operator == ">":
            squares.append(factor**2)
        else:
            rest.append(factor if power % 2 or not power.is_Integer else factor**2)
            if not power.is_Integer:
                return expression
    if turn == 1 and squares and not rest:  # all that is known is that they are not 0
        return expanded(sympy.Mul(*squares))
    return expanded(turn * sympy.Mul(*rest)) if rest else turn in _SIGNS[operator]


# ------------------------------------------------------------------------------------------------------------- faces


def faces(
    domain: Domain, counts: int = 0, unused: frozenset[str] = frozenset()
) -> Iterator[tuple[tuple[str, Any], ...]]:
    """The faces of the box of a domain: an expression for each variable. `counts` first values are put in besides one.

    Of a variable that nothing depends on one face is enough.

    Raises Refused for a variable that is no number, or has no end to start from.
    """
    pieces_of = [(n, list(_pieces(n, values, counts))[: 1 if n in unused else None]) for n, values in domain.variables]
    if prod(len(pieces) for _, pieces in pieces_of) > MOST_FACES:
        raise Refused(f"more than {MOST_FACES} faces")
    names = [n for n, _ in pieces_of]
    for chosen in itertools.product(*(pieces for _, pieces in pieces_of)):
        yield tuple(zip(names, chosen, strict=True))


def _pieces(name: str, values: Set, counts: int) -> Iterator[Any]:
    if isinstance(values, Everything):
        raise Refused(f"{name} is not a number")
    u = symbol(f"{name}_")
    if isinstance(values, Points):
        if any(map(isinf, values.values)):
            raise Refused(f"{name} may be infinite")
        yield from map(_exact, values.values)
        return
    low, high = values.lower, values.upper
    if isinf(low) and not values.lower_open or isinf(high) and not values.upper_open:
        raise Refused(f"{name} may be infinite")
    if values.integer:
        yield from _whole_numbers(name, values, counts, u)
        return
    if not isinf(low) and not values.lower_open:
        yield _exact(low)
    if not isinf(high) and not values.upper_open and high != low:
        yield _exact(high)
    if low == high:
        return
    if isinf(low) and isinf(high):
        yield from (_exact(0), u, -u)
    elif isinf(high):
        yield _exact(low) + u
    elif isinf(low):
        yield _exact(high) - u
    elif low < 0 < high:
        yield from (_exact(0), _exact(high) / (1 + u), _exact(low) / (1 + u))
    else:
        yield (_exact(high) + _exact(low) * u) / (1 + u)


def _whole_numbers(name: str, values: Interval, counts: int, u: Any) -> Iterator[Any]:
    if isinf(values.lower):
        raise Refused(f"{name} has no first value")
    low = floor(values.lower) + 1 if values.lower_open else ceil(values.lower)
    if isinf(values.upper):
        yield from (_exact(low + k) for k in range(counts + 1))
        yield _exact(low + counts) + u
        return
    high = ceil(values.upper) - 1 if values.upper_open else floor(values.upper)
    if high - low < MOST_COUNTS:
        yield from map(_exact, range(low, high + 1))
        return
    yield from (_exact(low), _exact(high), (_exact(high) + _exact(low) * u) / (1 + u))


@lru_cache(10_000)
def _exact(value: Any) -> Any:
    import sympy

    return sympy.Rational(Fraction(value).numerator, Fraction(value).denominator)


def starts(statement: Statement, counts: int) -> list[Case]:
    """The cases of a statement: its faces, each with the constraints of the domain that are formulas there."""
    cases = []
    for values in faces(statement.domain, counts, idle(statement)):
        of_face = [Case(statement, values)]
        for constraint in statement.domain.where:
            of_face = [under for case in of_face for under in _under(case, constraint)]
            if len(of_face) > MOST_FACES:
                raise Refused(f"more than {MOST_FACES} cases")
        cases += of_face
    return cases


def idle(statement: Statement) -> frozenset[str]:
    """The variables that stand neither in the comparison nor in a constraint: each is one number in all cases."""
    return statement.unused - {name for constraint in statement.domain.where for name in constraint.names}


def _under(case: Case, constraint: Constraint) -> list[Case]:
    """The case where a constraint holds as well: above and below for one that says that its sides differ."""
    try:
        left, right = (_Walk(case).of(side) for side in (constraint.left, constraint.right))
    except (Open, Rounded, Refused, NoTerm):
        return [case]  # not used: more is proved then
    gap = left - right
    if is_strange(gap):
        return [case]
    if constraint.operator == "!=":
        return _cases(case, ((gap, ">"), (-gap, ">")))
    turn = -1 if constraint.operator in ("<", "<=") else 1
    return _cases(case, ((turn * gap, constraint.operator.replace("<", ">")),))


# -------------------------------------------------------------------------------------------------- formulas in cases


class _Walk:
    """The value of a term in a case, and what it asks to have one. Raises Open, Rounded, Refused, NoTerm."""

    def __init__(self, case: Case, bound: dict[str, Any] | None = None, asked: dict[Goal, None] | None = None) -> None:
        self.case = case
        self.names = dict(case.values) | (bound or {})
        self.asked: dict[Goal, None] = {} if asked is None else asked
        self.done: dict[Term, Any] = {}

    @classmethod
    def further(cls, case: Case) -> _Walk:
        """A walk that begins with what `cut` has seen of the same case where less was known: it holds here as well."""
        walk, before = cls(case), case.walked
        if before is not None and replace(case, known=case.known[: len(before.case.known)]) == before.case:
            walk.done |= before.done
            walk.asked |= before.asked
        return walk

    def of(self, t: Term) -> Any:
        if t not in self.done:
            self.done[t] = self._computed(t)
        return self.done[t]

    def _computed(self, t: Term) -> Any:
        import sympy

        if t.op == "num":
            if isinstance(t.args[0], float):
                return sympy.oo if t.args[0] > 0 else -sympy.oo
            return _exact(t.args[0])
        if t.op == "var":
            return self.names[t.args[0]]
        if t.op == "where":
            return self._branch(t)
        if t.op == "total":
            return self._sum(t)
        if t.op == "quantity":
            return self._quantity(t)
        if t.op == "fn" and t.args[0] == "comb":
            return self._choose(*t.args[1:])
        if t.op == "fn" and t.args[0] in ("ceil", "floor") and is_whole(t.args[1], self.case.statement.domain):
            return self.of(t.args[1])
        given = [self.of(a) for a in children(t)]
        if any(is_strange(v) for v in given):
            return _of_infinity(t.args[0] if t.op == "fn" else t.op, given)
        name = t.args[0] if t.op == "fn" else t.op
        if name in ("min", "max"):
            return self._least(*given) if name == "min" else -self._least(*(-v for v in given))
        if name == "abs":
            return -self._least(given[0], -given[0])
        if name in ("ceil", "floor"):
            return self._ceiling(given[0]) if name == "ceil" else -self._ceiling(-given[0])
        value, asked = _combined(name, *given)
        self.asked.update(asked)
        return self._power_of_nothing(given[1]) if value is None else value

    def _power_of_nothing(self, exponent: Any) -> Any:
        import sympy

        signs = self.case.signs(exponent)
        if -1 in signs:
            raise Refused("a power of 0 whose exponent may be negative")
        if len(signs) > 1:
            raise Open((exponent, ">"), (exponent, "=="))
        return sympy.Integer(0 if 1 in signs else 1)

    def _least(self, first: Any, second: Any) -> Any:
        gap = _difference(first, second)
        signs = self.case.signs(gap)
        if 1 not in signs or -1 not in signs:
            return second if 1 in signs else first
        raise Open((gap, ">"), (-gap, ">="))

    def _ceiling(self, argument: Any) -> Any:
        import sympy

        if argument.is_Rational:
            return sympy.ceiling(argument)
        for x, value in self.case.ceilings:
            if expanded(x - argument) == 0:
                return value
        raise Rounded(argument)

    def _choose(self, of_all: Term, chosen: Term) -> Any:
        """A binomial of counts: a number, or one with comb(n, k) = n/k comb(n - 1, k - 1) used while k is above 0.

        Then with n - k in the place of k: comb(n, k) = comb(n, n - k).
        """
        import sympy

        n, k = self.of(of_all), self.of(chosen)
        if n.is_Integer and k.is_Integer:
            if n < 0 or k < 0:
                raise Refused("comb of an argument that is not a count")
            _short(n)
            return sympy.binomial(n, k)
        domain = self.case.statement.domain
        if not (is_whole(of_all, domain) and is_whole(chosen, domain)):
            raise Refused("comb of an argument that need not be a count")
        if not (self._counts(k) and self._counts(expanded(n - k))):
            raise Refused("comb(n, k) where 0 <= k <= n is not known")
        n, k, factor = expanded(n), expanded(k), sympy.S.One
        for _ in range(2):  # of the chosen, then of the others
            for _ in range(min(HIGHEST, floor(k.as_coeff_Add()[0]))):
                if not self.case.signs(k - 1) <= {0, 1}:
                    break
                factor, n, k = factor * n / k, n - 1, k - 1
            k = expanded(n - k)
        return factor if k == 0 or expanded(n - k) == 0 else factor * choices()(n, k)

    def _counts(self, whole: Any) -> bool:
        """Whether a whole number is at least 0, or above -1, which is the same."""
        return self.case.signs(whole) <= {0, 1} or self.case.signs(whole + 1) == {1}

    def _quantity(self, t: Term) -> Any:
        import sympy

        name = t.args[0]
        if not is_reviewed(name):
            raise Refused(f"{name} is a quantity of the document, and no proof looks into it")
        if name in ("pi", "pi_beside"):
            return sympy.pi
        if name == "normal_cdf":
            return normal_law()(self.of(t.args[1])) + sympy.Rational(1, 2)
        if name in DEFINED:
            self.of(asked_by(t))  # where it has a value
            return self.of(definition_of(t))
        raise Refused(f"{name} has no definition here")

    def _branch(self, t: Term) -> Any:
        import sympy

        sign = t.args[0]
        left, right, then, otherwise = t.args[1:]
        a, b = self.of(left), self.of(right)
        if is_strange(a) or is_strange(b):
            if a == b == sympy.oo and sign == "==":
                return self.of(then)
            if a.has(sympy.oo, -sympy.oo):
                raise Refused("a value that may be infinite is compared")
            if b.has(sympy.oo, -sympy.oo):
                if b not in (sympy.oo, -sympy.oo):
                    raise Refused("a value that may be infinite is compared")
                return self.of(then if sign in (("<", "<=") if b == sympy.oo else (">", ">=")) else otherwise)
        gap = _difference(a, b)
        signs = self.case.signs(gap)
        if sign == "==":
            if signs == {0} or 0 not in signs:
                return self.of(then if signs == {0} else otherwise)
            raise Open((gap, "=="), (gap, ">"), (-gap, ">"))
        if sign in ("<", "<="):
            gap, signs, sign = -gap, frozenset(-s for s in signs), sign.replace("<", ">")
        holds = _SIGNS[sign]
        if signs <= holds or not signs & holds:
            return self.of(then if signs <= holds else otherwise)
        raise Open((gap, sign), (-gap, ">" if sign == ">=" else ">="))

    def _sum(self, t: Term) -> Any:
        import sympy

        name, low_term, high_term, body = t.args
        low, high = self.of(low_term), self.of(high_term)
        if not (low.is_Integer and high.is_Integer and high - low <= LONGEST):
            return self._closed_sum(t, low, high)
        walks = (self._at(name, sympy.Integer(k)) for k in range(int(low), int(high)))
        return sympy.Add(*(walk.of(body) for walk in walks))

    def _at(self, name: str, value: Any) -> _Walk:
        """The same where the index of a sum has this value."""
        bound = {n: v for n, v in self.names.items() if n.startswith("_")}
        return _Walk(self.case, bound | {name: value}, self.asked)

    def _closed_sum(self, t: Term, low: Any, high: Any) -> Any:
        """The sum of a polynomial in the index, or of one times the masses of a binomial law; as long as a variable."""
        import sympy

        name, low_term, high_term, body = t.args
        length = expanded(high - low)
        domain = self.case.statement.domain
        if not (is_whole(low_term, domain) and is_whole(high_term, domain)):
            raise Refused("an end of a sum that need not be an integer")
        if not self.case.signs(length) <= {0, 1}:
            raise Refused("a sum that may end before it begins")
        masses = binomial_masses(t)
        if masses is None:
            return self._sum_of(self._summand(name, body, low), length)
        trials, chance, other, rest = masses
        n, p, q = (self.of(part) for part in (trials, chance, other))
        whole = sympy.S.One if is_zero(p + q - 1) else _tidied(p + q)
        if not self.case.signs(n) <= {0, 1} or sign_of(whole) != 1:
            raise Refused("neither a binomial law nor a multiple of one")
        return binomial_mean(_by_index(*self._summand(name, rest, low)), n, p, whole)

    def _sum_of(self, summand: tuple[Any, Any, Any], length: Any) -> Any:
        """A sum as long as a variable: that of a polynomial in closed form, of other terms only that it is a number.

        Such a number is called by all that makes it up. It is positive, or the difference of two that are.
        """
        import sympy

        with suppress(Refused):
            return sum_of_powers(_by_index(*summand), length)
        first, later, above = summand
        if is_strange(later) or not is_zero(later.subs(above, 0) - first):
            raise Refused("another value at the start of a sum")
        if any(str(s).startswith("_") for s in (later + length).free_symbols - {above}):
            raise Refused("a sum that depends on the index of another one")
        longer, result = self.case.signs(length) == {1}, sympy.S.Zero
        for term in sympy.Add.make_args(sympy.expand(later)):
            rest, grows = term.as_independent(above, as_Add=False)
            called = f"sum({grows}, {above}, {length})"
            if grows.is_polynomial(above):
                result += rest * sum_of_powers(by_powers(grows, above), length)
            elif longer and sign_of(grows) == 1:
                result += rest * symbol(called)
            else:
                result += rest * (symbol(f"{called}+") - symbol(f"{called}-"))
        return result

    def _summand(self, name: str, body: Term, low: Any) -> tuple[Any, Any, Any]:
        """The first summand, a later one, and the symbol there for how far its index is above the first."""
        above = symbol(f"{name}__")  # no variable and no other symbol is called so
        try:
            first, later = (self._at(name, value).of(body) for value in (low, low + above))
        except (Open, Rounded) as why:  # what is known of a case is about its variables, and not about an index
            raise Refused(f"a branch inside of a sum: {why}") from None
        return first, later, above


@lru_cache(50_000)
def _difference(first: Any, second: Any) -> Any:
    return first - second


@lru_cache(50_000)
def _combined(name: str, first: Any, second: Any = None) -> tuple[Any, dict[Goal, None]]:
    """The value of an operation or function of values, and what it asks to have one; None for a power of 0."""
    import sympy

    def asking(operator: str, expression: Any, value: Any) -> tuple[Any, dict[Goal, None]]:
        return value, {Goal(expression, operator): None}

    if name == "neg":
        return -first, {}
    if name in ("add", "sub"):
        return first + second if name == "add" else first - second, {}
    if name == "mul":
        return first * second, {}
    if name == "div":
        return asking("!=", second, first / second)
    if name in ("log", "log1p"):
        argument = first + 1 if name == "log1p" else first
        return asking(">", argument, log_of(argument))
    if name == "sqrt":
        return asking(">=", first, power_apart(first, sympy.Rational(1, 2)))
    if name in ("exp", "expm1"):
        return sympy.exp(first) - (1 if name == "expm1" else 0), {}
    if name in ("sin", "cos"):
        return wave(name)(first) if first != 0 else sympy.Integer(name == "cos"), {}
    if name != "pow":
        raise Refused(f"{name} has no rule")
    if first.is_Rational and second.is_Rational:
        _short(int(max(abs(first.p), first.q)).bit_length() * abs(second))
    if second.is_Integer:
        return asking("!=", first, first**second) if second < 0 else (first**second, {})
    if sign_of(first) == 0:
        return None, {}
    if not first.free_symbols and second.is_Add:  # 2^(x + 1) is 2 2^x
        value = sympy.Mul(*(power_apart(first, part) for part in second.args))
    else:
        value = power_apart(first, second)
    return asking(">=" if second.is_Rational and second > 0 else ">", first, value)


def is_whole(t: Term, domain: Domain) -> bool:
    """Whether a term of a domain's variables is a whole number by its form, where it has a value."""
    if t.op == "num":
        return isinstance(t.args[0], Fraction) and t.args[0].denominator == 1
    if t.op == "var":
        values = domain.sets.get(t.args[0])
        counted = isinstance(values, Interval) and values.integer
        whole = isinstance(values, Points) and all(v == floor(v) for v in values.values)
        return t.args[0].startswith("_") or counted or whole
    if t.op in ("add", "sub", "mul", "neg") or (t.op == "fn" and t.args[0] in ("min", "max")):
        return all(is_whole(part, domain) for part in children(t))
    if t.op == "pow" or t.op == "quantity" and t.args[0] in ("geometric_power", "geometric_sum"):
        base, count = children(t)
        return is_whole(base, domain) and _is_count(count, domain)
    return t.op == "fn" and t.args[0] in ("ceil", "floor")


def _is_count(t: Term, domain: Domain) -> bool:
    """Whether a term is a whole number and nonnegative by its form."""
    if t.op == "num":
        return is_whole(t, domain) and t.args[0] >= 0
    if t.op == "var":
        values = domain.sets.get(t.args[0])
        return is_whole(t, domain) and isinstance(values, Interval | Points) and all(e >= 0 for e in values.ends())
    return t.op in ("add", "mul") and all(_is_count(part, domain) for part in children(t))


def _of_infinity(op: str, given: list[Any]) -> Any:
    """What an operation makes of an infinity and of numbers. Raises Refused where that is no number and no infinity."""
    import sympy

    if op == "sub":
        return _of_infinity("add", [given[0], -given[1]])
    infinite = [v for v in given if v in (sympy.oo, -sympy.oo)]
    if op == "add" and len(infinite) == 2 and infinite[0] == infinite[1]:
        return infinite[0]
    numbers = [v for v in given if not v.has(sympy.oo, -sympy.oo, sympy.zoo, sympy.nan)]
    if len(infinite) != 1 or len(infinite) + len(numbers) != len(given):
        raise Refused("the formula computes with a value that may be infinite")
    (end,) = infinite
    if op in ("add", "neg"):
        return -end if op == "neg" else end
    if op == "mul" and sign_of(numbers[0]) in (1, -1):
        return end * sign_of(numbers[0])
    if op in ("min", "max"):
        return end if (op == "max") == (end == sympy.oo) else numbers[0]
    if op == "exp":
        return sympy.oo if end == sympy.oo else sympy.S.Zero
    raise Refused("the formula computes with a value that may be infinite")


# ------------------------------------------------------------------------------------------------------------- rules


def cut(case: Case, data: Any) -> list[Case]:
    """The alternatives of the first open branch of the statement, or the signs of a slope or bound of what is known.

    data: None, or ['slope' or 'bound', which of the known, a symbol].
    """
    if data is None:
        walk = _Walk.further(case)
        try:
            in_value(case, walk)
        except Open as branch:
            return [replace(narrower, walked=walk) for narrower in _cases(case, branch.alternatives)]
        raise Refused("there is no open branch")
    what, place, name = data
    slope, rest = linear(case, place, name)
    if what == "bound" and sign_of(slope) not in (1, -1):
        raise Refused("a bound whose slope has an unknown sign")
    e = slope if what == "slope" else -rest / slope
    return _cases(case, ((e, ">"), (e, "=="), (-e, ">")))


def _short(bits: Any) -> None:
    """A few nodes can ask for a power or a binomial of numbers with more digits than a machine holds."""
    if bits > MOST_BITS:
        raise Refused(f"a number of more than {MOST_BITS} bits")


def read(data: Any, domain: Domain) -> Term:
    """A term of a domain's variables from data, as `to_nodes` writes it. Raises Refused and NoTerm."""
    if not (isinstance(data, list) and 0 < len(data) <= MOST_NODES and all(isinstance(n, list) and n for n in data)):
        raise Refused("the nodes do not form a term")
    (term,) = from_nodes(data, [len(data) - 1])
    if strange := sorted(variables(term) - domain.sets.keys()):
        raise Refused(f"{strange[0][:40]} is not a variable")
    return term


def split(case: Case, data: Any) -> list[Case]:
    """Where a term of the variables is above, at and below 0; it has a value by its form. data: its nodes."""
    walk = _Walk(case)
    e = walk.of(read(data, case.statement.domain))
    if is_strange(e) or not all(_settled(case, goal) for goal in walk.asked):
        raise Refused("a term that need not have a value")
    return _cases(case, ((e, ">"), (e, "=="), (-e, ">")))


def exponentiated(case: Case, data: int) -> list[Case]:
    """What is known of n1 log B1 + n2 log B2 + ..., times what has one sign, as of the product of the powers and 1."""
    if not 0 <= data < len(case.known):
        raise Refused("nothing known there")
    (of_product,) = unlog(Goal(*case.known[data]), None)
    others = tuple(k for i, k in enumerate(case.known) if i != data)
    return _if_possible(replace(case, known=others).with_known(of_product.expression, of_product.operator))


def _cases(case: Case, alternatives: tuple[Known, ...]) -> list[Case]:
    return [narrower for e, operator in alternatives if (narrower := case.with_known(e, operator)) is not None]


def linear(case: Case, place: int, name: str) -> tuple[Any, Any]:
    """slope and rest of what is known, an expression slope * symbol + rest."""
    if not 0 <= place < len(case.known):
        raise Refused("nothing known there")
    return _linear(case.known[place][0], symbol(name))


@lru_cache(50_000)
def _linear(expression: Any, u: Any) -> tuple[Any, Any]:
    expression = expanded(expression)
    slope = derivative(expression, u)
    rest = expanded(expression - slope * u)
    if slope == 0 or slope.has(u) or rest.has(u):
        raise Refused("not linear in the symbol")
    return as_product(slope), rest


def solve(case: Case, data: Any) -> list[Case]:
    """What is known, solved for a symbol in which it is linear with a slope of one sign, and put in everywhere.

    data: which of the known, the symbol, and '+' or '*' for how the symbol moves away from its bound.
    """
    place, name, how = data
    slope, rest = linear(case, place, name)
    u, operator = symbol(name), case.known[place][1]
    others = tuple(k for i, k in enumerate(case.known) if i != place)
    sign = min(of_slope) if len(of_slope := case.signs(slope)) == 1 else 0
    if not sign or how not in ("+", "*"):
        raise Refused("a slope of unknown sign")
    bound = _bound(slope, rest)
    plain = replace(case, known=others)
    if operator == ">=":
        cases = [replace(case, known=(*others, (case.known[place][0], op))) for op in (">", "==")]
        return [c for one in cases for c in solve(one, [len(others), name, how])]
    if operator == "==":
        return _if_possible(plain.put(u, bound, (*others, (bound, ">"))))
    w = case.fresh
    signs = case.signs(bound)
    if sign == 1:
        if signs <= {-1, 0}:
            return [plain]
        if -1 in signs or (how == "*" and sign_of(bound) != 1):
            raise Refused("a bound of unknown sign")
        return _if_possible(plain.put(u, bound + w if how == "+" else bound * (1 + w)))
    value = bound / (1 + w) if how == "+" else bound * w / (1 + w)
    return _if_possible(plain.put(u, value, (*others, (bound, ">"))))


@lru_cache(50_000)
def _bound(slope: Any, rest: Any) -> Any:
    """Where slope * symbol + rest is 0."""
    return _tidied(-rest / slope)


def _if_possible(case: Case | None) -> list[Case]:
    return [] if case is None else [case]


def power(case: Case, data: Any) -> list[Case]:
    """A symbol as a power of another: data are the symbol and the exponent."""
    name, power_of = data
    return _if_possible(case.put(symbol(name), case.fresh ** exponent(power_of)))


def logarithm(case: Case, data: str) -> list[Case]:
    """A symbol u as log(1 + w)."""
    import sympy

    return _if_possible(case.put(symbol(data), sympy.log(1 + case.fresh)))


def places(case: Case, data: Any) -> list[Case]:
    """A symbol below, at and above a number: data are both."""
    name, at = data
    u, c, w = symbol(name), ratio(at), case.fresh
    return [changed for v in (c / (1 + w), c, c + w) if (changed := case.put(u, v)) is not None]


def order(case: Case, data: Any) -> list[Case]:
    """Two symbols in either order, or equal."""
    u, v, w = symbol(data[0]), symbol(data[1]), case.fresh
    if u == v:
        raise Refused("no two symbols")
    return [changed for a, e in ((u, v), (u, v + w), (v, u + w)) if (changed := case.put(a, e)) is not None]


def ceiling(case: Case, data: Any) -> list[Case]:
    """The first open ceiling: its argument is whole, or below it by something between 0 and 1.

    data: None, or a base b of a logarithm: what is between is log_b of a number between 1 and b then.
    """
    import sympy

    base, w = ratio(data or 2), case.fresh
    if base <= 1:
        raise Refused("not the base of a logarithm")
    between = w / (1 + w) if data is None else sympy.log((1 + base * w) / (1 + w)) / sympy.log(base)
    try:
        in_value(case)
    except Rounded as rounded:
        x = rounded.argument
        return [replace(case, ceilings=(*case.ceilings, (x, value))) for value in (x, x + between)]
    raise Refused("there is no open ceiling")


def drop(case: Case, data: int) -> list[Case]:
    """The same without one thing that is known."""
    if not 0 <= data < len(case.known):
        raise Refused("nothing known there")
    return [replace(case, known=tuple(k for i, k in enumerate(case.known) if i != data))]


RULES: dict[str, Callable[[Case, Any], list[Case]]] = {
    f.__name__: f for f in (cut, split, exponentiated, solve, power, logarithm, places, order, ceiling, drop)
}


def in_value(case: Case, walk: _Walk | None = None) -> list[Goal]:
    """What a case without open branches comes to: its formulas have values, and the relation holds."""
    import sympy

    walk = walk or _Walk.further(case)
    statement = case.statement
    left, right, operator = walk.of(statement.left), walk.of(statement.right), statement.operator
    asked = list(walk.asked)
    if operator in ("<", "<="):
        left, right, operator = right, left, operator.replace("<", ">")
    if not (is_strange(left) or is_strange(right)):
        return [*asked, Goal(_difference(left, right), operator)]
    infinite = (sympy.oo, -sympy.oo, sympy.zoo, sympy.nan)
    if left == sympy.oo and operator in (">", ">=", "!=") and not right.has(*infinite):
        return asked
    if left == right == sympy.oo and operator in (">=", "=="):
        return asked
    if left.has(*infinite) or right.has(*infinite):
        raise Refused("an infinite side")
    return [*asked, Goal(left - right, operator)]


def goals_of(case: Case, shown: int = 0) -> list[Goal]:
    """The goals that a case leaves open: all, or where fewer are shown, those that what is known does not settle."""
    try:
        goals = in_value(case)
    except (Open, Rounded) as why:
        raise Refused(f"a branch is open: {why}") from None
    return left_open(list(dict.fromkeys(goals)), shown, lambda g: g.holds_at_sight, lambda g: _settled(case, g))


def _settled(case: Case, goal: Goal) -> bool:
    return goal.holds_by_form or case.signs(goal.expression) <= set(ALLOWED[goal.operator])


def _by_index(first: Any, later: Any, above: Any) -> dict[int, Any]:
    """The coefficients of a summand as a polynomial of how far the index is above its first value."""
    import sympy

    rest, grows = _tidied(later).as_independent(above, as_Add=False)
    coefficients = {k: rest * c for k, c in by_powers(grows, above).items()}
    if any(c.has(above) for c in coefficients.values()) or max(coefficients) > HIGHEST:
        raise Refused("no polynomial of the index")
    if not is_zero(coefficients.get(0, sympy.S.Zero) - first):
        raise Refused("another value at the start of a sum")
    return coefficients


def step_of(statement: Statement, name: str) -> list[Statement]:
    """A statement about a count by induction: at its first value, and the steps of both sides compared.

    Sums up to the count lose all summands but those that the step adds. Raises Refused where a summand depends on it.
    """
    values = statement.domain.sets.get(name)
    if not (isinstance(values, Interval) and values.integer and not isinf(values.lower) and isinf(values.upper)):
        raise Refused("not a count without an upper end")
    if any(name in c.names for c in statement.domain.where) or statement.operator not in ("<", "<=", "==", ">=", ">"):
        raise Refused("a constraint on the count, or an operator that is not an order")
    low = floor(values.lower) + 1 if values.lower_open else ceil(values.lower)
    at_first: dict[str, Any] = {name: [low]}
    from_first: dict[str, Any] = {name: Interval(Fraction(low), values.upper, False, True, True)}
    first = statement.over(statement.domain.restrict(**at_first))
    from_there = statement.domain.restrict(**from_first)
    sides = [_step(side, name, low) for side in (statement.left, statement.right)]
    weak = statement.operator if statement.operator == "==" else statement.operator[0] + "="
    return [first, Statement(from_there, sides[0], weak, sides[1])]


def _step(t: Term, name: str, least: int) -> Term:
    """How a term changes when a count grows by 1, with the same values asked for."""
    n = var(name)
    if name not in variables(t):
        return t - t  # asks what the term asks
    if t.op in ("add", "sub"):
        first, second = (_step(a, name, least) for a in t.args)
        return Term(t.op, first, second)
    if t.op == "neg":
        return Term("neg", _step(t.args[0], name, least))
    if t.op == "mul" and any(name not in variables(a) or a.op == "total" for a in t.args):
        first, second = t.args if name not in variables(t.args[0]) else t.args[::-1]
        risen = first if name not in variables(first) else substituted(first, {n: n + 1})
        return risen * _step(second, name, least) + _step(first, name, least) * second
    if t.op == "div" and name not in variables(t.args[1]):
        return _step(t.args[0], name, least) / t.args[1]
    if t.op == "total":
        bound, low, high, body = t.args
        if name in variables(low) or name in variables(body):
            raise Refused("a summand that depends on the count")
        if bound_again(t):  # the last count would be put in for the other index as well
            raise Refused("an index that means two things")
        grows = number_of(substituted(high, {n: n + 1}) - high)
        summands = number_of(substituted(high, {n: number(least)}) - low)
        if grows != 1 or summands is None or summands < 0:  # below its start a sum would not grow
            raise Refused("an end that does not grow by one, beginning at the start of the sum")
        return substituted(body, {var(bound): high})
    if any(p.op == "total" for p in _parts_with(t, name)):
        raise Refused("a sum inside a formula")
    return substituted(t, {n: n + 1}) - t


def bound_again(t: Term) -> bool:
    """Whether a sum inside of a sum has the same index."""
    return any(p.op == "total" and p.args[0] == t.args[0] for p in parts(t.args[3]))


def _parts_with(t: Term, name: str) -> Iterator[Term]:
    return (p for p in parts(t) if name in variables(p))
