"""What only LaTeX prints: fractions, roots, harmonic numbers, and sums and infima whose index stands below them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from typing import Any

from lark import Token, Tree

from banditproof.verify.judge.formulas.printing import plain
from banditproof.verify.judge.formulas.sentence import Expression, Range, which
from banditproof.verify.judge.reading import building as b
from banditproof.verify.judge.reading import dots as dots
from banditproof.verify.judge.reading import laws as laws
from banditproof.verify.judge.reading import two_laws as two_laws
from banditproof.verify.judge.reading import vectors as vectors


def frac(node: Tree, scope: b.Scope) -> Expression:
    r"""\frac{a}{b}"""
    return b.binary("div", b.expression(node.children[2], scope), b.expression(node.children[5], scope))


def binom(node: Tree, scope: b.Scope) -> Expression:
    r"""\binom{n}{k}"""
    return b.function("binom", [b.expression(node.children[i], scope) for i in (2, 5)], node, scope)


def root(node: Tree, scope: b.Scope) -> Expression:
    r"""\sqrt{x} and \sqrt[n]{x}"""
    inside = b.expression(node.children[-2], scope)
    if len(node.children) == 4:
        return b.call("sqrt", inside)
    degree = b.expression(node.children[2], scope)
    if degree == b.number(2):
        return b.call("sqrt", inside)
    scope.say("a root is the power with 1 over its degree, and has no value below 0")
    return b.binary("pow", inside, b.binary("div", b.ONE, degree))


def harmonic(arguments: Sequence[Expression], scope: b.Scope) -> Expression:
    """H_n"""
    (high,) = arguments
    index = next(k for k in ("k", "j", "i", *(f"k_{i}" for i in range(99))) if k not in set(b.names_in(high)))
    scope.say("H_n is the sum of 1/k for k = 1, ..., n" if scope.tex else "harmonic(n) is the sum of 1/k for k = 1..n")
    scope.integers.update(b.names_in(high))
    return Expression("sum", (index, b.ONE, high, b.binary("div", b.ONE, b.variable(index))))


def bound_name(element: Any, rest: Sequence[Any], scope: b.Scope) -> str | None:
    """The variable below an infimum or supremum that has no meaning outside; of a sum none may stand outside."""
    word, below, _ = _parts(element)
    if below is None or word == "diff":
        return None
    name = next((str(t) for t in _tokens(below) if t.type == "NAME" and t not in b.CONSTANTS), None)
    if word in ("sum", "prod") and name not in scope.bound:
        if any(t == name for part in rest for t in _before_its_own(part, name)):
            raise b.refuse(f"does what follows belong to the {word}? Write brackets", element)
        scope.say(f"the {'product' if word == 'prod' else 'sum'} ends before + and -")
        return None
    return None if name in scope.bound else name


def _before_its_own(part: Any, name: str | None) -> Sequence[Any]:
    """The tokens of a term before a sum over the same index, to which all behind it belongs."""
    runs = part.children[::2] if isinstance(part, Tree) and part.data == "term" else [part]
    found: list[Any] = []
    for element in [e for run in runs for e in b._elements(run)]:
        if b._is_big(element) and (below := _parts(element)[1]) is not None:
            if next((t for t in _tokens(below) if t.type == "NAME"), None) == name:
                return found
        found += _tokens(element)
    return found


def _parts(element: Any) -> tuple[str, Any, Any]:
    """The word of a sum or infimum, what stands below it, and what stands above it."""
    below = above = None
    for p in element.children[1:] if element.data == "element" else ():
        if p.data == "below" and below is None:
            below = p.children[2]
        elif p.data == "power" and above is None:
            above = p
        else:
            raise b.refuse("this has no meaning at a sum or an infimum", p)
    base = element.children[0] if element.data == "element" else element
    return str(base.children[0]), below, above


def big(element: Any, body: Sequence[Any], after: Sequence[Any], scope: b.Scope) -> Expression:
    """A sum, product, infimum, supremum or derivative of all that follows in its term."""
    word, below, above = _parts(element)
    if not body:
        raise b.refuse(f"nothing stands behind \\{word}", element)
    if below is None:
        raise b.refuse(f"\\{word} has no index below it", element)
    if word == "lim":
        raise b.refuse("a limit stands alone on the left: \\lim_{n\\to\\infty} f = L", element)

    def inside(scope: b.Scope) -> Expression:
        return b.product([("TIMES", body, 0, element), *after], scope)

    if word == "diff":
        name = b.plain_name(below)
        if not name or above is not None:
            raise b.refuse("a derivative is \\frac{d}{dx} f", element)
        return Expression("diff", (inside(scope), name))
    if word == "int":
        return _integral(below, above, body, after, element, scope)
    if word in ("sum", "prod"):
        name, low, high = ends(word, below, above, element, scope)
        whole = b.summed(word, name, low, high, inside, scope)
        if word == "prod" and (len(body) > 1 or after):
            _whole_in_index(name, body, after, element)
        return whole
    if above is not None:
        raise b.refuse(f"a power of {word} has no meaning", above)
    name = b.plain_name(below)
    where = b.usual_range(name, inside(b.within(scope, name)), element, scope) if name else None
    if where is None:
        name, where = _over(word, below, element, scope)
    if len(body) > 1 or after:
        scope.say(f"{word} is taken of the whole product behind it")
    return b.extremum(word, name, where, inside(b.within(scope, name)), element, scope)


def _whole_in_index(name: str, body: Sequence[Any], after: Sequence[Any], element: Any) -> None:
    """Refuses a product whose later factors do not depend on its index: are they in it?"""
    for part in [[e] for e in body] if not after else [list(body), *([*p[1]] for p in after)]:
        if not any(t == name for e in part for t in _tokens(e)):
            raise b.refuse("which factors belong to the product? Write brackets", element)


def _tokens(node: Any) -> Any:
    return [node] if isinstance(node, Token) else node.scan_values(lambda t: isinstance(t, Token))


def ends(word: str, below: Any, above: Any, node: Any, scope: b.Scope) -> tuple[str, Expression, Expression]:
    """The index of a sum and its first and last value."""
    item = below.children[0] if len(below.children) == 1 else None
    if item is not None and all(isinstance(c, Tree) or c.type == "NAME" or c.type == "NUMBER" for c in item.children):
        first, links = item.children[0], item.children[1:]
        if above is not None and len(links) == 1 and links[0].data == "compare" and links[0].children[0] == "==":
            if name := b.plain_name(first):
                return name, b.expression(links[0].children[1], scope), b.exponent(above, scope)
        signs = [str(link.children[0]) for link in links if link.data == "compare"]
        if above is None and len(links) == 1 and signs in ([">"], [">="]) and (name := b.plain_name(first)):
            low = b.expression(links[0].children[1], scope)
            return name, low if signs[0] == ">=" else _next(low, 1), b.INFINITY
        if above is None and len(links) == 2 and len(signs) == 2 and set(signs) <= {"<", "<="}:
            if name := b.plain_name(links[0].children[1]):
                low, high = b.expression(first, scope), b.expression(links[1].children[1], scope)
                low = low if signs[0] == "<=" else _next(low, 1)
                return name, low, high if signs[1] == "<=" else _next(high, -1)
    how = f"the index of \\{word} is written k=a below and its end above"
    raise b.refuse(how if scope.tex else f"{word} is written {word}(f, k=a..b)", node)


def _next(e: Expression, step: int) -> Expression:
    if e.head == "num":
        return b.number(e.args[0] + step)
    return b.binary("add" if step > 0 else "sub", e, b.ONE)


def _over(word: str, below: Any, node: Any, scope: b.Scope) -> tuple[str, Range]:
    """The variable of an infimum and its range."""
    ranged = b.Assumptions(scope)
    for item in below.children:
        if not isinstance(item, Token):
            ranged.add(item)
    name, where = ranged.only(node)
    given = ranged.bounds[name]
    single = b.constant(given.high) - b.constant(given.low) <= 1 and (given.low_open or given.high_open)
    if given.by_sign and not given.real and not given.integer and b.is_count(name) and not single:
        why = f"is {name} a whole number here? Write {name} \\in \\{{a, ..., b\\}} or {name} \\in [a, b]"
        if which(why, b.first_token(node), b.place(node), 2) == 0:
            low = _next(where.low, 1) if where.low_open and where.low.head == "num" else where.low
            where = replace(where, low=low, low_open=where.low_open and low is where.low, integer=True)
    return name, where


_INTEGRALS = "of integrals only those of powers, e^{-at}, and of e^{-t^2} and e^{-t^2/2} to or from infinity are read"


def _integral(
    below: Any, above: Any, body: Sequence[Any], after: Sequence[Any], node: Any, scope: b.Scope
) -> Expression:
    """An integral with its dt behind it."""
    t = b.plain_name(body[-1]) if len(body) > 2 and not after and b.plain_name(body[-2]) == "d" else ""
    if not t or above is None:
        raise b.refuse(_INTEGRALS, node)
    inside = b.product([("TIMES", body[:-2], 0, node)], b.within(scope, t))
    return gaussian(t, b.bare(below, scope), b.exponent(above, scope), inside, node, scope)


def gaussian(t: str, low: Expression, high: Expression, inside: Expression, node: Any, scope: b.Scope) -> Expression:
    """An integral of exp(-t^2) or exp(-t^2/2) from 0, from or to infinity; no other is read."""
    if inside.head == "mul" and t not in b.names_in(inside.args[0]) and t in b.names_in(inside.args[1]):
        return b.binary("mul", inside.args[0], gaussian(t, low, high, inside.args[1], node, scope))
    if inside.head == "div" and t not in b.names_in(inside.args[1]) and t in b.names_in(inside.args[0]):
        return b.binary("div", gaussian(t, low, high, inside.args[0], node, scope), inside.args[1])
    no = b.refuse(_INTEGRALS if scope.tex else re.sub(r"e\^{(\S+)}", r"exp(\1)", _INTEGRALS), node)
    square = b.binary("pow", b.variable(t), b.number(2))
    half = [b.binary("div", square, b.number(2)), b.binary("mul", b.binary("div", b.ONE, b.number(2)), square)]
    wide, narrow = b.call("exp", b.negative(square)), [b.call("exp", b.negative(h)) for h in half]
    pi, two = Expression("const", ("pi",)), b.number(2)
    everywhere = (low, high) == (b.negative(b.INFINITY), b.INFINITY)
    if everywhere and inside in (wide, *narrow):
        tail, value = pi, b.call("sqrt", pi if inside == wide else b.binary("mul", two, pi))
    elif inside == wide and (high == b.INFINITY or low == b.ZERO):
        tail = b.call("erfc", low) if high == b.INFINITY else b.call("erf", high)
        value = b.binary("mul", b.binary("div", b.call("sqrt", pi), two), tail)
    elif inside in narrow and (high == b.INFINITY or low == b.negative(b.INFINITY)):
        tail = b.call("Phi", b.negative(low) if high == b.INFINITY else high)
        value = b.binary("mul", b.call("sqrt", b.binary("mul", two, pi)), tail)
    elif (value := _elementary(t, low, high, inside, scope)) is not None and t not in b.names_in((low, high)):
        scope.say(f"the integral is {plain(value)}")
        return value
    else:
        raise no
    if t in b.names_in((low, high)) or b.INFINITY in tail.args or b.negative(b.INFINITY) in tail.args:
        raise no
    scope.say(f"the integral is {plain(value)}")
    return value


def _elementary(t: str, low: Expression, high: Expression, f: Expression, scope: b.Scope) -> Expression | None:
    """The integral of a polynomial, of 1/t, or of exp(-a t) with a > 0; None of another function."""
    x = b.variable(t)
    infinite = b.INFINITY in (high, b.negative(low)) or low == b.negative(b.INFINITY)
    powers = laws.coefficients(f, x)
    if powers is not None and not infinite:
        terms = [
            b.binary(
                "div",
                b.binary("mul", c, b.binary("sub", *(b.binary("pow", end, b.number(k + 1)) for end in (high, low)))),
                b.number(k + 1),
            )
            for k, c in sorted(powers.items())
        ]
        return reduce(partial(b.binary, "add"), terms)
    if f == b.binary("div", b.ONE, x) and not infinite and all(laws.surely_positive(e, scope) for e in (low, high)):
        return b.binary("sub", *(b.call("log", end) for end in (high, low)))
    if (power := _as_power(f, x)) is not None and laws.surely_positive(power[0], scope):
        return _of_power(*power, low, high, scope)
    slope = laws.coefficients(f.args[1], x) if f.head == "call" and f.args[0] == "exp" else None
    if not slope or {*slope} != {1} or low == b.negative(b.INFINITY):
        return None
    rate = slope[1].args[0] if slope[1].head == "neg" else b.negative(slope[1])
    if not laws.surely_positive(rate, scope):
        return None
    ends = [
        b.ZERO if end == b.INFINITY else b.call("exp", b.negative(b.binary("mul", rate, end))) for end in (low, high)
    ]
    return b.binary("div", b.binary("sub", *ends), rate)


def _as_power(f: Expression, x: Expression) -> tuple[Expression, Fraction] | None:
    """c and q of c x^q."""
    match f:
        case Expression("pow", (base, Expression("num", (power,)))) if base == x:
            return b.ONE, power
        case Expression("call", ("sqrt", inner)) if of := _as_power(inner, x) or inner == x and (b.ONE, Fraction(1)):
            return (of[0], of[1] / 2) if of[0] == b.ONE else None
        case Expression("mul" | "div" as head, (left, right)) if x.args[0] not in b.names_in(left):
            of = (b.ONE, Fraction(1)) if right == x else _as_power(right, x)
            return of and (b.binary(head, left, of[0]), of[1] if head == "mul" else -of[1])
    return None


def _of_power(c: Expression, q: Fraction, low: Expression, high: Expression, scope: b.Scope) -> Expression | None:
    """The integral of c x^q over positive numbers."""
    if q == -1 or not (laws.surely_positive(low, scope) or low == b.ZERO and q > -1):
        return None
    if not (high == b.INFINITY and q < -1 or high != b.INFINITY and laws.surely_positive(high, scope)):
        return None
    at = [b.ZERO if e in (b.INFINITY, b.ZERO) else b.binary("pow", e, b.number(q + 1)) for e in (low, high)]
    return b.binary("mul", c, b.binary("div", b.binary("sub", at[1], at[0]), b.number(q + 1)))


def as_limit(first: Any) -> tuple[Any, Any] | None:
    r"""What goes where, and the formula, of a side \lim_{n\to\infty} f."""
    holders: list[Any] = []
    node = first
    while isinstance(node, Tree) and node.data in ("sum", "term", "run"):
        holders.append(node)
        node = node.children[0]
    if not (isinstance(node, Tree) and node.data == "element" and isinstance(node.children[0], Tree)):
        return None
    if node.children[0].data != "big" or node.children[0].children[0] != "lim":
        return None
    _, below, above = _parts(node)
    if below is None or above is not None or not holders or holders[-1].data != "run":
        raise b.refuse("a limit is \\lim_{n\\to\\infty} f = L", node)
    rest = Tree("run", holders[-1].children[1:])
    for holder in reversed(holders[:-1]):
        rest = Tree(holder.data, [rest, *holder.children[1:]])
    return below, rest
