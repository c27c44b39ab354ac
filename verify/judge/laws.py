"""Normal and Bernoulli laws: their probabilities, means and divergences as formulas of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lark import Token, Tree

from banditproof.verify.judge import building as b
from banditproof.verify.judge.mechanisms import coefficient
from banditproof.verify.judge.printing import plain
from banditproof.verify.judge.sentence import Expression

BERNOULLI = ("Ber", "Bern", "Bernoulli")
TWO = b.number(2)


def normal(node: Any, scope: b.Scope) -> tuple[Expression, Expression] | None:
    """Mean and variance of N(mean, variance)."""
    given = _given(node, ("N",), scope)
    if len(given) != 2:
        return None
    mean, variance = given
    root = variance.args[0] if variance.head == "pow" and variance.args[1] == TWO else variance
    if root.head != "var" and (variance.head != "num" or variance.args[0] <= 0):
        raise b.refuse("the variance of a normal law is a positive number, v or s^2 here", node)
    return mean, variance


def bernoulli(node: Any, scope: b.Scope) -> Expression | None:
    """p of Ber(p)."""
    given = _given(node, BERNOULLI, scope)
    return given[0] if len(given) == 1 else None


def _given(node: Any, names: Sequence[str], scope: b.Scope) -> list[Expression]:
    """The parameters of a law that has one of these names."""
    while isinstance(node, Tree) and node.data in ("items", "item") and len(node.children) == 1:
        node = node.children[0]
    match node:
        case Tree(data="run", children=[Token(value=str() as name), Tree(data="group", children=[_, inner, _])]):
            if name in names and name not in (*scope.functions, *scope.known):
                return [b.bare(c, scope) for c in getattr(inner, "children", ()) if not isinstance(c, Token)]
    return []


def given(name: str, law: Any, scope: b.Scope) -> bool:
    """Takes X ~ N(mean, variance) or X ~ Ber(p); whether it is one."""
    if (of_normal := normal(law, scope)) is not None:
        scope.laws[name] = of_normal
    elif (p := bernoulli(law, scope)) is not None:
        scope.coins[name] = p
    return name in scope.laws or name in scope.coins


def probability(inside: Sequence[Any], node: Any, scope: b.Scope) -> Expression:
    """P(X >= t), P(|X| >= t) and P(|X - mean| >= t) of X ~ N(mean, variance), by Phi."""
    no = b.refuse("a probability is read as P(X >= t) or P(|X| >= t) with X ~ N(0, 1)", node)
    match inside:
        case [Tree(children=[left, Tree(data="compare", children=[sign, right])])] if sign in b.FLIPPED:
            sides, sign = [b.expression(_with_name(side, scope), scope) for side in (left, right)], str(sign)
        case _:
            raise no
    held = [{*b.names_in(side)} & scope.laws.keys() for side in sides]
    if held[1]:
        sides, held, sign = sides[::-1], held[::-1], b.FLIPPED[sign]
    if len(held[0]) != 1 or held[1] or held[0] & {*scope.bound}:
        raise no
    (name,) = held[0]
    mean, variance = scope.laws[name]
    x, at = sides
    sized = x.head == "call" and x.args[0] == "abs"
    x = x.args[1] if sized else x
    shift = (
        b.ZERO if x == b.variable(name) else x.args[1] if x.head == "sub" and x.args[0] == b.variable(name) else None
    )
    if shift is None or {name} & {*b.names_in((at, shift, mean, variance))}:
        raise no
    if sized and shift != mean:
        raise b.refuse(f"of |{name}| a probability is read only around the mean, |{name} - mean|", node)
    return _tail(at, shift, mean, variance, sign, sized, scope)


def _with_name(side: Any, scope: b.Scope) -> Any:
    """The side of P(N(0, 1) >= t), or P(|N(0, 1)| >= t), with a variable that has this law."""
    sized = isinstance(side, Tree) and side.data == "abs"
    inner = side.children[1] if sized else side
    if (law := normal(inner, scope)) is None:
        return side
    name = Token("NAME", f"N_{len(scope.laws)}", start_pos=b.place(inner))
    scope.laws[str(name)] = law
    return Tree("abs", [side.children[0], name, side.children[2]]) if sized else name


def _tail(
    at: Expression, shift: Expression, mean: Expression, variance: Expression, sign: str, sized: bool, scope: b.Scope
) -> Expression:
    if shift != mean:
        at = at if shift == b.ZERO else b.binary("add", at, shift)
        at = at if mean == b.ZERO else b.binary("sub", at, mean)
    if variance != b.ONE:
        at = b.binary("div", at, deviation(variance))
    below = b.call("Phi", at)
    above = b.binary("sub", b.ONE, below)
    scope.say("the probability is that of a normal law with this mean and variance, by Phi")
    if not sized:
        return above if sign[0] == ">" else below
    outside = b.call("min", b.ONE, b.binary("mul", TWO, above))  # also where t is negative
    return outside if sign[0] == ">" else b.binary("sub", b.ONE, outside)


def deviation(variance: Expression) -> Expression:
    """s of s^2."""
    return variance.args[0] if variance.head == "pow" else b.call("sqrt", variance)


def mean(inside: Sequence[Any], node: Any, scope: b.Scope) -> Expression:
    """E[f(X)] of X ~ Ber(p), and E[exp(a X)], E[X], E[X^2] of X ~ N(mean, variance)."""
    no = b.refuse("a mean is read as E[f(X)] with X ~ Ber(p), and as E[exp(a X)] with X ~ N(0, 1)", node)
    if len(inside) != 1:
        raise no
    f = b.bare(inside[0], scope)
    names = {*b.names_in(f)} & {*scope.laws, *scope.coins}
    if len(names) != 1 or names & {*scope.bound}:
        raise no
    (name,) = names
    if name in scope.coins:
        p = scope.coins[name]
        at = [b.put(f, {name: value}) for value in (b.ZERO, b.ONE)]
        chances = [b.binary("sub", b.ONE, p), p]
        scope.say(f"{name} is 1 with probability {plain(p)}, and else 0")
        return b.binary("add", *(b.binary("mul", c, v) for c, v in zip(chances, at, strict=True)))
    value = _of_normal(f, b.variable(name), *scope.laws[name])
    if value is None:
        raise no
    scope.say("the mean is that of a normal law with this mean and variance")
    return value


def _of_normal(f: Expression, x: Expression, m: Expression, v: Expression) -> Expression | None:
    """The mean of exp(a X), exp(a (X - m)), X, X^2 or (X - m)^2; None of other formulas."""
    centred = b.binary("sub", x, m)
    squares = {x: m, centred: b.ZERO, b.binary("pow", centred, TWO): v}
    squares[b.binary("pow", x, TWO)] = v if m == b.ZERO else b.binary("add", v, b.binary("pow", m, TWO))
    if f in squares:
        return squares[f]
    if f.head != "call" or f.args[0] != "exp":
        return None
    for of in (x, centred):
        if (a := coefficient(f.args[1], of)) is not None and x.args[0] not in b.names_in((a, m, v)):
            half = b.binary("div", b.binary("mul", b.binary("pow", a, TWO), v), TWO)
            moved = half if of is centred or m == b.ZERO else b.binary("add", b.binary("mul", a, m), half)
            return b.call("exp", moved)
    return None


def divergence(name: str, nodes: Sequence[Any], scope: b.Scope) -> Expression | None:
    """The relative entropy, or the distance in total variation, of two normal laws; None of numbers."""
    given = [node for node in nodes if not isinstance(node, Token)]
    if name not in ("kl", "tv") or len(given) != 2:
        return None
    one, other = (normal(node, scope) for node in given)
    if one is None and other is None:
        return None
    if one is None or other is None:
        raise b.refuse("the other law is no normal law", given[0])
    for node, law in zip(given, (one, other), strict=True):
        scope.laws[f"law at {b.place(node)}"] = law  # its variance is positive
    (m, v), (n, w) = one, other
    shift = b.binary("pow", b.binary("sub", m, n), TWO)
    if name == "tv":
        if v != w:
            raise b.refuse("the distance of normal laws is read where their variances are equal", nodes[0])
        size = b.binary("div", b.call("abs", b.binary("sub", m, n)), b.binary("mul", TWO, deviation(v)))
        return b.binary("sub", b.binary("mul", TWO, b.call("Phi", size)), b.ONE)
    if v == w:
        return b.binary("div", shift, b.binary("mul", TWO, v))
    spread = b.binary("div", b.binary("add", v, shift), w)
    whole = b.binary("sub", b.binary("add", b.call("log", b.binary("div", w, v)), spread), b.ONE)
    return b.binary("div", whole, TWO)


def distance(node: Any, scope: b.Scope) -> Expression:
    """‖P - Q‖_TV of two laws that are named."""
    match node:
        case Tree(data="sum", children=[left, Token(type="MINUS"), right]):
            p, q = bernoulli(left, scope), bernoulli(right, scope)
            between = b.call("tv", p, q) if p and q else divergence("tv", [left, right], scope)
        case _:
            between = None
    if between is None:
        raise b.refuse("the distance in total variation is read of two laws, Ber(p) - Ber(q)", node)
    scope.say("the distance in total variation is the largest difference of a probability, at most 1")
    return between
