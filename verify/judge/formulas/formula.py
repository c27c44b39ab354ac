"""What is done to printed formulas without asking for their values: substitution, derivatives, the provers' terms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import count
from math import inf
from typing import Any

from banditproof.theory.numbers.term import NoTerm, Term, number
from banditproof.verify.judge.formulas.sentence import (
    Compare,
    Exists,
    Expression,
    Limit,
    Order,
    Range,
    Sentence,
    Unread,
    names,
)
from banditproof.verify.proof.domain import Domain

# ---------------------------------------------------------------------------------------------------------- making


PI = Expression("const", ("pi",))
EULER = Expression("const", ("euler",))
INFINITY = Expression("const", ("inf",))
LINE = Range(Expression("neg", (INFINITY,)), INFINITY, True, True)
HALF_LINE = Range(Expression("num", (Fraction(0),)), INFINITY, True, True)
ONE, ZERO = Expression("num", (Fraction(1),)), Expression("num", (Fraction(0),))
COUNTING = (
    "sum",
    "prod",
    "factorial",
    "binom",
    "gamma",
    "digamma",
    "trigamma",
    "floor",
    "ceil",
)  # what speaks of whole numbers


def num(value: Any) -> Expression:
    return Expression("num", (Fraction(value),))


def name(word: str) -> Expression:
    return Expression("var", (word,))


def call(function: str, *arguments: Expression) -> Expression:
    return Expression("call", (function, *arguments))


def binary(head: str, left: Expression, right: Expression) -> Expression:
    """The node, without a factor 1, a summand 0 and an exponent 1 that a derivative leaves."""
    a, b = _known(left), _known(right)
    if a is not None and b is not None and head in ("add", "sub", "mul"):
        return num({"add": a + b, "sub": a - b, "mul": a * b}[head])
    if head == "add" and 0 in (a, b):
        return right if a == 0 else left
    if head == "sub" and b == 0:
        return left
    if head == "mul" and 1 in (a, b):
        return right if a == 1 else left
    if head == "mul" and 0 in (a, b):
        return num(0)
    if head in ("div", "pow") and b == 1:
        return left
    return Expression(head, (left, right))


def _known(e: Expression) -> Fraction | None:
    return e.args[0] if e.head == "num" else None


def parts(e: Expression) -> Iterator[Expression]:
    """The expression and everything in it, but for ranges."""
    yield e
    for argument in e.args:
        if isinstance(argument, Expression):
            yield from parts(argument)


def mapped(e: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """The expression with its direct parts changed."""
    return Expression(e.head, tuple(change(a) if isinstance(a, Expression) else a for a in e.args))


def linear(e: Expression, n: str) -> tuple[Fraction, Fraction] | None:
    """a and b where an expression is a n + b by its form."""
    head, args = e.head, e.args
    if head == "num":
        return Fraction(0), args[0]
    if head == "var":
        return (Fraction(1), Fraction(0)) if args[0] == n else None
    if head not in ("neg", "add", "sub", "mul", "div"):
        return None
    of = [linear(a, n) for a in args]
    if None in of:
        return None
    (a, b), (c, d) = of[0], of[-1]  # type: ignore[misc]
    if head == "neg":
        return -a, -b
    if head in ("add", "sub"):
        turn = 1 if head == "add" else -1
        return a + turn * c, b + turn * d
    if head == "mul":
        return (a * d + b * c, b * d) if not (a and c) else None
    return (a / d, b / d) if not c and d else None


def linear_part(e: Expression, x: str) -> tuple[Fraction, Expression] | None:
    """a and b where an expression is a x + b by its form, and b does not speak of x."""
    head, args = e.head, e.args
    if x not in names(e):
        return Fraction(0), e
    if head == "var":
        return Fraction(1), num(0)
    if head in ("mul", "div"):
        for factor, rest in ((args[1], args[0]), (args[0], args[1]))[: 1 if head == "div" else 2]:
            c, of = rational(factor), linear_part(rest, x)
            if isinstance(c, Fraction) and c and of is not None:
                return (of[0] / c if head == "div" else of[0] * c), binary(head, of[1], factor)
        return None
    of_parts = [linear_part(a, x) for a in args] if head in ("neg", "add", "sub") else [None]
    if None in of_parts:
        return None
    (a, b), (c, d) = of_parts[0], of_parts[-1]  # type: ignore[misc]
    if head == "neg":
        return -a, Expression("neg", (b,))
    return (a + c if head == "add" else a - c), binary(head, b, d)


def factors_of(e: Expression, way: str = "mul") -> Iterator[tuple[Expression, str]]:
    """The factors of a product, with mul or div: what they do to it."""
    if e.head in ("mul", "div"):
        yield from factors_of(e.args[0], way)
        turned = way if e.head == "mul" else "div" if way == "mul" else "mul"
        yield from factors_of(e.args[1], turned)
    else:
        yield e, way


def negative(e: Expression) -> Expression:
    """The expression with its sign changed; a number stays a number."""
    return num(-e.args[0]) if e.head == "num" else Expression("neg", (e,))


def names_in(e: Any, bound: frozenset[str] = frozenset()) -> Iterator[str]:
    """The free variables of formulas, ranges and sentences, in the order of print, with repetitions."""
    if isinstance(e, Expression):
        if e.head == "var":
            yield from e.args[:1] * (e.args[0] not in bound)
        elif e.head in ("sum", "prod", "inf", "sup"):
            index, *over, body = e.args
            yield from names_in(tuple(over), bound)
            yield from names_in(body, bound | {index})
        elif e.head == "diff":
            yield from names_in(e.args[0], bound)
        elif e.head not in ("num", "const"):
            yield from names_in(e.args, bound)
    elif isinstance(e, Order):
        yield from names_in((e.left, e.right, e.to), bound)
    elif isinstance(e, Limit):
        yield from names_in((e.body, e.value, e.to), bound)
    elif isinstance(e, Exists):
        yield from names_in(e.range, bound)
        yield from names_in(e.sentence, bound | {e.name})
    elif isinstance(e, Range):
        yield from names_in((e.low, e.high), bound)
    elif isinstance(e, Sentence):
        yield from names_in(tuple(vars(e).values()), bound)
    elif isinstance(e, Mapping):
        yield from names_in(tuple(e.values()), bound)
    elif isinstance(e, tuple):
        for part in e:
            yield from names_in(part, bound)


def put(e: Any, values: Mapping[str, Expression], read: bool = False) -> Any:
    """A formula, a range or a sentence with expressions in place of free variables.

    A bound name that stands in one of them becomes another name; of what is being `read` that is refused, since its
    author may have meant either.
    """
    if not values:
        return e
    if isinstance(e, Expression):
        if e.head == "var":
            return values.get(e.args[0], e)
        if e.head in ("num", "const"):
            return e
        if e.head == "neg":
            return negative(put(e.args[0], values, read))
        if e.head in ("sum", "prod", "inf", "sup"):
            index, *over, body = e.args
            index, inside = _under(index, body, values, read)
            return Expression(e.head, (index, *put(tuple(over), values, read), put(body, inside, read)))
        if e.head == "diff":
            body, x = e.args
            return _put_into_derivative(body, x, values, read)
        return mapped(e, lambda part: put(part, values, read))
    if isinstance(e, Exists):
        word, inside = _under(e.name, e.sentence, values, read)
        return replace(e, name=word, range=put(e.range, values, read), sentence=put(e.sentence, inside, read))
    if isinstance(e, Range | Sentence):
        given: Any = e
        return replace(given, **{k: put(v, values, read) for k, v in vars(e).items()})
    if isinstance(e, tuple):
        return tuple(put(a, values, read) for a in e)
    if isinstance(e, Mapping):
        return {k: put(v, values, read) for k, v in e.items()}
    return e


def _put_into_derivative(body: Expression, x: str, values: Mapping[str, Expression], read: bool) -> Expression:
    at, inside = values.get(x, name(x)), {*names_in(body)}
    others = {n for k in inside & {*values} - {x} for n in names_in(values[k])}
    if at.head != "var" or x in others or at.args[0] in inside - {x}:
        raise Unread(f"{x} is differentiated and has a value: write the derivative at it out")
    return Expression("diff", (put(body, values, read), at.args[0]))


def _under(word: str, body: Any, values: Mapping[str, Expression], read: bool) -> tuple[str, Mapping[str, Expression]]:
    """A bound name and what is put into the body that it stands in."""
    inside = {n: e for n, e in values.items() if n != word and n in {*names_in(body)}}
    put_in = {n for e in inside.values() for n in names_in(e)}
    if word not in put_in:
        return word, inside
    if read:
        raise Unread(f"{word} is bound in the statement and stands in what is put into it: choose another letter")
    other = fresh(word, dict.fromkeys(put_in), dict.fromkeys(names_in(body)))
    return other, {**inside, word: name(other)}


def outside(e: Expression) -> Iterator[Expression]:
    """The parts of a formula that stand in no sum or infimum, and these themselves."""
    yield e
    if e.head not in ("sum", "prod", "inf", "sup"):
        for part in e.args:
            if isinstance(part, Expression):
                yield from outside(part)


def replaced(e: Expression, part: Expression, other: Expression) -> Expression:
    """The expression with another one in place of a part."""
    return other if e == part else mapped(e, lambda inner: replaced(inner, part, other))


def has(e: Expression, *heads: str) -> bool:
    """Whether a head, or a function of this name, occurs."""
    return any(p.head in heads or p.head == "call" and p.args[0] in heads for p in parts(e))


# ------------------------------------------------------------------------------------------------------ derivative


ENTIRE = ("exp", "cosh", "sinh", "tanh", "Phi", "erf", "erfc")


def goes_on(e: Expression, x: str) -> bool:
    """Whether a formula is smooth on the whole line by its form: sums, products and whole powers, exp of such."""
    for p in parts(e):
        power = rational(p.args[1]) if p.head == "pow" else 1
        whole = isinstance(power, Fraction) and power.denominator == 1 and power >= 0 or power == 1
        inside = p.args[1] if p.head == "div" else p.args[0] if p.head == "pow" and not whole else None
        if inside is not None and x in names(inside):
            return False
        if p.head == "pow" and x in names(p.args[1]):
            return False
        if p.head == "call" and p.args[0] not in ENTIRE and x in names(p):
            return False
    return True


class NoSlope(ValueError):
    """A formula for whose derivative there is no rule here."""


def slope(e: Expression, x: str) -> Expression:
    """The derivative, where it exists. Raises NoSlope."""
    if x not in names(e):
        return num(0)
    head, a = e.head, e.args
    if head == "var":
        return num(1)
    if head == "neg":
        return Expression("neg", (slope(a[0], x),))
    if head in ("add", "sub"):
        return binary(head, slope(a[0], x), slope(a[1], x))
    if head == "mul":
        return binary("add", binary("mul", slope(a[0], x), a[1]), binary("mul", a[0], slope(a[1], x)))
    if head == "div":
        if x not in names(a[1]):
            return binary("div", slope(a[0], x), a[1])
        above = binary("sub", binary("mul", slope(a[0], x), a[1]), binary("mul", a[0], slope(a[1], x)))
        return binary("div", above, binary("pow", a[1], num(2)))
    if head == "pow":
        if x not in names(a[1]):
            lower = binary("pow", a[0], binary("sub", a[1], num(1)))
            return binary("mul", binary("mul", a[1], lower), slope(a[0], x))
        exponent = binary("mul", a[1], call("log", a[0]))
        return binary("mul", e, slope(exponent, x))
    if head == "call" and a[0] == "log" and a[1].head == "call" and a[1].args[0] == "gamma":
        return binary("mul", call("digamma", a[1].args[1]), slope(a[1].args[1], x))
    if head == "call":
        return _slope_of_call(a[0], a[1:], x)
    raise NoSlope(f"the derivative of {head}")


def _slope_of_call(function: str, a: tuple[Expression, ...], x: str) -> Expression:
    if function == "kl":
        p, q = a
        odds = binary("sub", call("log", binary("div", p, q)), call("log", binary("div", _less(p), _less(q))))
        moved = binary("div", binary("sub", q, p), binary("mul", q, _less(q)))
        return binary("add", binary("mul", odds, slope(p, x)), binary("mul", moved, slope(q, x)))
    outer = {
        "exp": lambda u: call("exp", u),
        "log": lambda u: binary("div", num(1), u),
        "sqrt": lambda u: binary("div", num(1), binary("mul", num(2), call("sqrt", u))),
        "Phi": lambda u: binary("div", call("exp", _half_square(u)), call("sqrt", binary("mul", num(2), PI))),
        "sinh": lambda u: call("cosh", u),
        "cosh": lambda u: call("sinh", u),
        "tanh": lambda u: _less(binary("pow", call("tanh", u), num(2))),
        "atan": lambda u: binary("div", num(1), binary("add", num(1), binary("pow", u, num(2)))),
        "sin": lambda u: call("cos", u),
        "gamma": lambda u: binary("mul", call("gamma", u), call("digamma", u)),
        "digamma": lambda u: call("trigamma", u),
        "cos": lambda u: Expression("neg", (call("sin", u),)),
        "W": lambda u: binary(
            "div", num(1), binary("mul", call("exp", call("W", u)), binary("add", num(1), call("W", u)))
        ),
        "erf": lambda u: binary("div", binary("mul", num(2), call("exp", _minus_square(u))), call("sqrt", PI)),
        "erfc": lambda u: binary("div", binary("mul", num(-2), call("exp", _minus_square(u))), call("sqrt", PI)),
    }.get(function)
    if outer is None:
        raise NoSlope(f"the derivative of {function}")
    return binary("mul", outer(a[0]), slope(a[0], x))


def _less(e: Expression) -> Expression:
    return binary("sub", num(1), e)


def _minus_square(u: Expression) -> Expression:
    return Expression("neg", (binary("pow", u, num(2)),))


def _half_square(u: Expression) -> Expression:
    return Expression("neg", (binary("div", binary("pow", u, num(2)), num(2)),))


# ----------------------------------------------------------------------------------------------------------- terms


class NoStatement(ValueError):
    """What the provers have no word for."""


def term(e: Expression, values: Mapping[str, Term]) -> Term:
    """The term of an expression. Raises NoStatement."""
    from banditproof.theory.numbers.numeric import TERM, exactly

    with exactly(TERM):
        try:
            return number(_term(e, values))
        except NoTerm as why:
            raise NoStatement(str(why)) from None


def _term(e: Expression, values: Mapping[str, Any]) -> Any:
    return term_with(e, values, {})


def term_with(e: Expression, values: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> Any:
    """The term of an expression that has more functions than a printed one. Raises NoStatement and NoTerm."""
    from banditproof.theory.numbers.numeric import where
    from banditproof.theory.numbers.term import total

    def of(part: Expression) -> Any:
        return term_with(part, values, functions)

    head, args = e.head, e.args
    if head == "num":
        return number(args[0])
    if head == "var":
        if args[0] not in values:
            raise NoStatement(f"{args[0]} has no range")
        return values[args[0]]
    if head == "const":
        return _constant(args[0])
    if head == "neg":
        return -of(args[0])
    if head in _OPERATORS:
        return _OPERATORS[head](number(of(args[0])), number(of(args[1])))
    if head == "call":
        given = [number(of(a)) for a in args[1:]]
        return functions[args[0]](*given) if args[0] in functions else _called(args[0], given)
    if head == "sum":
        index, low, high, body = args
        return total(lambda k: term_with(body, {**values, index: k}, functions), of(low), number(of(high)))
    if head == "cases":
        return where(of(args[1]), args[0], of(args[2]), of(args[3]), of(args[4]))
    raise NoStatement(f"no prover knows {head}")


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: a**b,
}


def _constant(word: str) -> Any:
    from banditproof.theory.numbers import special
    from banditproof.theory.numbers.term import fn

    if word == "e":
        return fn("exp", number(1))
    if word == "pi":
        return special.pi()
    if word == "inf":
        return number(inf)
    raise NoStatement(f"no prover knows the constant {word}")


def _called(function: str, a: list[Any]) -> Any:
    from banditproof import theory
    from banditproof.theory.numbers import special
    from banditproof.theory.numbers.term import fn

    if function in ("min", "max"):
        made = a[0]
        for other in a[1:]:
            made = fn(function, made, other)
        return made
    known: dict[str, Callable[..., Any]] = {
        "exp": theory.exp,
        "log": theory.log,
        "sqrt": theory.sqrt,
        "abs": theory.absolute,
        **{word: partial(fn, word) for word in ("floor", "ceil", "atan", "sin", "cos")},
        "kl": theory.kl_bernoulli,
        "tv": theory.tv_bernoulli,
        "d_eps": theory.d_epsilon,
        "Phi": theory.normal_cdf,
        "erfc": lambda x: 2 * theory.normal_cdf(-fn("sqrt", number(2)) * x),
        "erf": lambda x: 1 - 2 * theory.normal_cdf(-fn("sqrt", number(2)) * x),
        "factorial": theory.factorial,
        "binom": theory.comb,
        "gamma": lambda x: theory.exp(special.log_gamma(x)),
        "digamma": special.digamma,
        "trigamma": lambda x: special.hurwitz_zeta(number(2), x),
        "sinh": lambda x: (theory.exp(x) - theory.exp(-x)) / 2,
        "cosh": lambda x: (theory.exp(x) + theory.exp(-x)) / 2,
        "tanh": lambda x: (1 - theory.exp(-2 * x)) / (1 + theory.exp(-2 * x)),
    }
    if function not in known:
        raise NoStatement(f"no prover knows {function}")
    return known[function](*a)


def domain_of(ranges: Mapping[str, Range], conditions: tuple[Compare, ...]) -> Domain:
    """The domain of ranges and conditions: an end that is no rational becomes a condition. Raises NoStatement."""
    from banditproof.theory.errors import InvalidInput

    sets, where = {}, []
    for word, r in ranges.items():
        ends = []
        for end, other, sign in (
            (r.low, -inf, ">" if r.low_open else ">="),
            (r.high, inf, "<" if r.high_open else "<="),
        ):
            value = rational(end)
            if value is None:
                where.append(f"{word} {sign} {written(end)}")
            ends.append(other if value is None else value)
        left = "(" if r.low_open or ends[0] == -inf else "["
        right = ")" if r.high_open or ends[1] == inf else "]"
        if not r.integer or ends[0] == -inf:
            ends = [_bound(r.low, ends[0]), ends[1]]
        sets[word] = f"{'integer ' if r.integer else ''}{left}{ends[0]}, {ends[1]}{right}"
    where += [f"{written(c.left)} {c.sign} {written(c.right)}" for c in conditions]
    try:
        return Domain.of(where=where, **sets)
    except InvalidInput as error:
        raise NoStatement(str(error)) from None


def _bound(end: Expression, value: Any) -> Any:
    """A rational below an end that is none, such as 0 for e: the condition says the rest."""
    if value != -inf or end.head == "const" and end.args[0] == "inf" or end.head == "neg":
        return value
    if not names(end):
        from banditproof.verify.judge.formulas.floats import value_of

        low = float(value_of(end, {}))
        if low > 0:
            return Fraction(int(low * 8), 16)
    return value


def rational(e: Expression) -> Fraction | float | None:
    """The value of an end that is a rational number or an infinity."""
    if e.head == "const" and e.args[0] == "inf":
        return inf
    if e.head == "neg":
        value = rational(e.args[0])
        return None if value is None else -value
    if names(e) or any(p.head not in ("num", "neg", "add", "sub", "mul", "div", "pow") for p in parts(e)):
        return None
    from banditproof.verify.judge.formulas.certain import value_at

    value = value_at(e, {})
    return value if isinstance(value, Fraction) else None


def lies_in(value: Expression, r: Range) -> list[Compare]:
    """That a value lies between the ends of a range that are not infinite."""
    ends = ((r.low, ">" if r.low_open else ">="), (r.high, "<" if r.high_open else "<="))
    return [Compare(value, sign, end) for end, sign in ends if rational(end) not in (inf, -inf)]


_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**"}
_WORDS = {
    "abs": "absolute",
    "min": "minimum",
    "max": "maximum",
    "kl": "kl_bernoulli",
    "tv": "tv_bernoulli",
    "d_eps": "d_epsilon",
}
_KNOWN_IN_CONDITIONS = {"exp", "log", "sqrt", "floor", "ceil", *_WORDS}


def written(e: Expression) -> str:
    """An expression as conditions of a domain are written. Raises NoStatement."""
    head, a = e.head, e.args
    if head == "num":
        return f"({a[0]})" if a[0].denominator != 1 or a[0] < 0 else str(a[0])
    if head == "var":
        return a[0]
    if head == "const" and a[0] == "e":
        return "exp(1)"
    if head == "neg":
        return f"(-{written(a[0])})"
    if head in _SIGNS:
        return f"({written(a[0])} {_SIGNS[head]} {written(a[1])})"
    if head == "call" and a[0] in _KNOWN_IN_CONDITIONS:
        return f"{_WORDS.get(a[0], a[0])}({', '.join(map(written, a[1:]))})"
    raise NoStatement(f"a condition with {a[0] if head in ('call', 'const') else head}")


def fresh(stem: str, *taken: Mapping[str, object]) -> str:
    """A name that is not taken; none ends in an underscore, as those of the provers do."""
    names = (f"{stem}_{k}" if k else stem for k in count())
    return next(word for word in names if not any(word in others for others in taken))
