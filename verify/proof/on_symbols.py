"""A formula on symbols: its value, and what its quotients, roots, logarithms and powers ask to have one.

SymPy cancels ``x / x`` and ``log(x) - log(x)`` as soon as they are formed, so a term is walked node by node, and each
says first what it asks. Branches are taken where the assumptions on the symbols decide them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from inspect import signature, unwrap
from typing import Any

from banditproof.theory.numbers import numeric
from banditproof.theory.numbers.numeric import SYMBOL, TERM, exactly
from banditproof.theory.numbers.ranges import NOTED
from banditproof.theory.numbers.term import (
    FINITE_AS,
    NoTerm,
    Term,
    children,
    is_reviewed,
    number,
    quantity_named,
    var,
    variables,
)
from banditproof.verify.proof.signs import by_logarithms
from banditproof.verify.proof.symbols import ceiling, corrected, factored, settled

Need = tuple[str, Any]  # an assumption of SymPy, such as 'nonzero', and the expression that has to satisfy it
LONGEST = 64  # summands of a sum that is written out
_OF_ARGUMENT = {"log": ("positive", 0), "sqrt": ("nonnegative", 0), "log1p": ("positive", 1)}


@cache
def asks(name: str, given: int) -> Term | str:
    """What has a value where a quantity of so many arguments has one, a term of them: its body or `FINITE_AS`.

    A body that is read looks at the domains of its arguments, which a term has none of: they are noted (`NOTED`).
    """
    body: Any = FINITE_AS.get(name) or unwrap(quantity_named(name))
    NOTED.clear()
    try:
        with exactly(TERM):
            definition = number(body(*map(var, list(signature(body).parameters)[:given])))
            return sum(NOTED, definition)
    except NoTerm as why:
        return str(why)
    except Exception as error:
        return f"its body raises {type(error).__name__} on terms"


def on_symbols(terms: Sequence[Term], values: Mapping[str, Any]) -> tuple[list[Any], list[Need]]:
    """The terms at SymPy expressions for their variables, and what they ask to have a value, each once.

    Raises NoTerm where a quantity is a program, or a sum as long as a variable.
    """
    import sympy

    given = tuple(sorted((name, sympy.sympify(value)) for name, value in values.items()))
    computed, asked = _on_symbols(tuple(terms), given)
    return list(computed), list(asked)


@lru_cache(64)  # a proof asks twice: for the difference of its sides, and for what has to have a value
def _on_symbols(terms: tuple[Term, ...], values: tuple[tuple[str, Any], ...]) -> tuple[list[Any], list[Need]]:
    corrected()
    asked: dict[Need, None] = {}
    walk = _Walk(dict(values), asked)
    return [walk.of(term) for term in terms], list(asked)


class _Walk:
    """Computes nodes on symbols and notes what each asks."""

    def __init__(self, values: Mapping[str, Any], asked: dict[Need, None]) -> None:
        self.values, self.asked, self.known = values, asked, {}  # type: ignore[var-annotated]

    def of(self, t: Term) -> Any:
        if t not in self.known:
            with exactly(SYMBOL):
                self.known[t] = self._computed(t)
        return self.known[t]

    def _need(self, assumption: str, expression: Any) -> None:
        import sympy

        self.asked[assumption, sympy.sympify(expression)] = None

    def _computed(self, t: Term) -> Any:
        import sympy

        if t.op == "num":
            value = t.args[0]
            exact = isinstance(value, Fraction)
            return sympy.Rational(value.numerator, value.denominator) if exact else sympy.oo * (1 if value > 0 else -1)
        if t.op == "var":
            return sympy.sympify(self.values[t.args[0]])
        if t.op == "where":
            return self._branch(t)
        if t.op == "total":
            return self._sum(t)
        given = [self.of(a) for a in children(t)]
        if t.op == "quantity":
            return self._quantity(t.args[0], given)
        if t.op == "fn":
            return self._function(t.args[0], given)
        return self._operation(t.op, given)

    def _operation(self, op: str, given: list[Any]) -> Any:
        import sympy

        infinite = [v for v in given if v.has(sympy.oo, -sympy.oo, sympy.zoo, sympy.nan)]
        whole = len(infinite) == 1 and infinite[0] in (sympy.oo, -sympy.oo)
        scaled = op == "mul" and whole and any(v.is_Rational and v != 0 for v in given)
        if infinite and not scaled and (op in ("mul", "div", "pow") or len(infinite) > 1):
            raise NoTerm("an infinity is in a product, quotient or power, or two are added or subtracted")
        if op == "div":
            self._need("nonzero", given[1])
            return given[0] / given[1]
        if op == "pow":
            base, exponent = given
            if not (exponent.is_nonnegative and exponent.is_integer):
                if exponent.is_nonnegative:
                    self._need("nonnegative", base)
                else:
                    self._need("nonzero" if exponent.is_integer else "positive", base)
            return base**exponent
        if op == "neg":
            return -given[0]
        return {"add": lambda: given[0] + given[1], "sub": lambda: given[0] - given[1]}.get(
            op, lambda: given[0] * given[1]
        )()

    def _function(self, name: str, given: list[Any]) -> Any:
        import sympy

        if any(v.has(sympy.oo, -sympy.oo, sympy.zoo, sympy.nan) and v.free_symbols for v in given):
            raise NoTerm(f"{name} of an argument that may be infinite")
        if name in _OF_ARGUMENT:
            assumption, added = _OF_ARGUMENT[name]
            self._need(assumption, given[0] + added)
        if name in ("ceil", "floor", "comb"):
            if name == "comb":
                if not all(v.is_integer for v in given):
                    raise NoTerm("comb of an argument that is not a count")
                for count in given:
                    self._need("nonnegative", count)
                return sympy.binomial(*given)
            return ceiling(given[0]) if name == "ceil" else -ceiling(-given[0])
        if name == "exp" and given[0].has(sympy.log):
            given = [by_logarithms(given[0])]
        of_both = {"min": numeric.minimum, "max": numeric.maximum, "abs": numeric.absolute}
        return _settled(of_both[name](*given)) if name in of_both else getattr(numeric, name)(*given)

    def _quantity(self, name: str, given: list[Any]) -> Any:
        if not is_reviewed(name):
            raise NoTerm(f"{name} is a quantity of the document, and no proof looks into it")
        body = asks(name, len(given))
        if isinstance(body, str):
            raise NoTerm(f"no formula says where {name} has a value: {body}")
        parameters = signature(unwrap(quantity_named(name))).parameters
        given = [factored(v) if v.is_rational_function() else v for v in given]
        if body.op != "quantity" or body.args[0] != name:  # else a number that has a name
            _Walk(dict(zip(parameters, given, strict=False)), self.asked).of(body)  # what it asks
        return _settled(quantity_named(name)(*(int(v) if v.is_Integer else v for v in given)))

    def _branch(self, t: Term) -> Any:
        import sympy

        left, right, then, otherwise = children(t)
        endless = (sympy.Piecewise, sympy.oo, -sympy.oo, sympy.zoo)
        number = self.of(left)  # of numbers only, and so below infinity
        if self.of(right) == sympy.oo and number.free_symbols and number.is_polynomial() and not number.has(*endless):
            return self.of(then if t.args[0] in ("<", "<=") else otherwise)
        if any(v.has(*endless[1:]) and v.free_symbols for v in (number, self.of(right))):
            raise NoTerm("a value that may be infinite is compared")
        condition = {"<": sympy.Lt, "<=": sympy.Le, ">": sympy.Gt, ">=": sympy.Ge, "==": sympy.Eq}[t.args[0]]
        decided = _settled(condition(self.of(left), self.of(right)))
        if decided in (sympy.true, sympy.false):
            return self.of(then if decided == sympy.true else otherwise)
        return numeric.where(self.of(left), t.args[0], self.of(right), self.of(then), self.of(otherwise))

    def _sum(self, t: Term) -> Any:
        low, high = self.of(t.args[1]), self.of(t.args[2])
        if not (low.is_Integer and high.is_Integer and high - low <= LONGEST):
            raise NoTerm("a sum whose length is a variable")
        assert not variables(t.args[1]) & {t.args[0]}
        return sum((_Walk({**self.values, t.args[0]: k}, self.asked).of(t.args[3]) for k in range(low, high)), 0)


def _settled(expression: Any) -> Any:
    """The expression with its branches chosen by the assumptions; as it is where they leave one open."""
    try:
        return settled(expression)
    except ValueError:
        return expression
