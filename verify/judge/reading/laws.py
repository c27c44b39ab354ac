"""Laws that are named: their probabilities and means as formulas of numbers."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from functools import partial, reduce
from math import comb, factorial, prod
from typing import Any

from lark import Token, Tree

from banditproof.verify.judge.formulas.printing import plain
from banditproof.verify.judge.formulas.sentence import Compare, Expression, Sentence, which
from banditproof.verify.judge.reading import building as b
from banditproof.verify.judge.reading.mechanisms import coefficient

BERNOULLI = ("Ber", "Bern", "Bernoulli")
# Other laws by the names that papers print, with how many parameters each has: Gamma has a shape and a rate.
NAMES = {
    **dict.fromkeys(("Poisson", "Poi", "Pois"), ("Poisson", 1)),
    **dict.fromkeys(("Bin", "Binomial", "Binom"), ("Bin", 2)),
    **dict.fromkeys(("Exp", "Exponential"), ("Exp", 1)),
    "Rate": ("Rate", 1),
    "ChiSquare": ("ChiSquare", 1),
    **dict.fromkeys(("Rad", "Rademacher"), ("Rad", 1)),
    **dict.fromkeys(("Geom", "Geo", "Geometric"), ("Geom", 1)),
    **dict.fromkeys(("GammaLaw", "gamma"), ("GammaLaw", 2)),
    **dict.fromkeys(("BetaLaw", "Beta"), ("BetaLaw", 2)),
    **dict.fromkeys(("U", "Unif", "Uniform"), ("U", 2)),
    **dict.fromkeys(("Lap", "Laplace"), ("Lap", 1)),
}
TWO = b.number(2)
MOST_POWER = 8  # of a mean of powers


def normal(node: Any, scope: b.Scope) -> tuple[Expression, Expression] | None:
    """Mean and variance of N(mean, variance)."""
    given = parameters_of(node, ("N",), scope)
    if len(given) != 2:
        return None
    mean, variance = given
    if not _of_positive(variance):
        raise b.refuse("the variance of a normal law is a positive number, or made of such: v, s^2 or s^2/n here", node)
    return mean, variance


def _of_positive(e: Expression) -> bool:
    """Whether a formula is positive where its letters are."""
    if e.head in ("add", "mul", "div", "pow"):
        return all(map(_of_positive, e.args[: 1 if e.head == "pow" else 2]))
    return e.head == "var" or e.head == "num" and e.args[0] > 0


def bernoulli(node: Any, scope: b.Scope) -> Expression | None:
    """p of Ber(p)."""
    given = parameters_of(node, BERNOULLI, scope)
    return given[0] if len(given) == 1 else None


def parameters_of(node: Any, names: Sequence[str], scope: b.Scope) -> list[Expression]:
    """The parameters of a law that has one of these names."""
    while isinstance(node, Tree) and node.data in ("items", "item") and len(node.children) == 1:
        node = node.children[0]
    match node:
        case Tree(
            data="run", children=[Token(value=str() as name), Tree(data="group" | "vector" as kind, children=inside)]
        ):
            if name in names and name not in (*scope.functions, *scope.known):
                if kind == "vector":
                    return [b.expression(c, scope) for c in inside[1:-1:2]]
                return [b.bare(c, scope) for c in getattr(inside[1], "children", ()) if not isinstance(c, Token)]
        case Tree(data="call", children=[Token(value="gamma"), _, inner, _]) if "gamma" in names:
            return [b.bare(c, scope) for c in inner.children if not isinstance(c, Token)]
    return []


def given(name: str, law: Any, scope: b.Scope) -> bool:
    """Takes X ~ N(mean, variance) or X ~ Ber(p); whether it is one."""
    if (of_normal := normal(law, scope)) is not None:
        scope.laws[name] = of_normal
    elif (p := bernoulli(law, scope)) is not None:
        scope.coins[name] = p
    else:
        for word, (kind, count) in NAMES.items():
            if len(parameters := parameters_of(law, (word,), scope)) == count:
                if word == "gamma" and which("is the second number of Gamma a rate or a scale?", word, 0, 2):
                    parameters[1] = b.binary("div", b.ONE, parameters[1])
                scope.others[name] = (kind, parameters)
    return name in scope.laws or name in scope.coins or name in scope.others


def check(kind: str, parameters: list[Expression], node: Any, scope: b.Scope) -> None:
    """Refuses parameters of a law that are not seen to be some."""
    first = parameters[0]
    unsaid = first.head == "var" and first.args[0] not in scope.ranges  # its range is the usual one, in sentences.py
    if unsaid and kind in ("Bin", "ChiSquare"):
        scope.integers.add(first.args[0])
    if kind == "Exp" and first != b.ONE:
        raise b.refuse("is this the rate or the mean? Write 'X is exponential with rate a', or 'with mean a'", node)
    if kind in ("Bin", "ChiSquare") and not unsaid and not whole(first, scope):
        which = "the number of trials comes first, Bin(n, p), and" if kind == "Bin" else "a count"
        raise b.refuse(f"{which} is a whole number: write 'integer n >= 1' before the law", node)
    if kind not in ("Rad", "U") and not unsaid and not nonnegative(first, scope):
        raise b.refuse("the parameter of this law is positive: write its range before the law", node)
    for name in b.names_in(tuple(parameters[kind == "Bin" :])) if kind != "ChiSquare" else ():
        if name in scope.ranges and not scope.ranges[name].integer:
            scope.ranges[name].real = True
    if kind == "U" and [*b.names_in(tuple(parameters))]:
        scope.intervals.append(Compare(parameters[0], "<", parameters[1]))
    if kind in ("Bin", "Geom"):
        scope.coins[f"law at {b.place(node)}"] = parameters[kind == "Bin"]


def nonnegative(e: Expression, scope: b.Scope) -> bool:
    """Whether a formula is seen to be 0 or more, from its signs and the ranges that are printed."""
    match e:
        case Expression("num", (value,)):
            return value >= 0
        case Expression("var", (name,)):
            ranged = name in scope.ranges and b.constant(scope.ranges[name].low) >= 0
            usual = name not in scope.ranges and name in _usual(scope)
            return ranged or usual or any(nonnegative(low, scope) for low in _below(name, scope))
        case Expression("call", (word, *_)) if word in ("sqrt", "exp", "abs", "factorial"):
            return True
        case Expression("pow", (base, power)):
            return nonnegative(base, scope) or power == TWO
        case Expression("add" | "mul" | "div", parts):
            return all(nonnegative(part, scope) for part in parts)
    return e.head == "const"


def _below(name: str, scope: b.Scope) -> Iterator[Expression]:
    """What is printed to be at most this number, and has a lower end of its own."""
    for c in scope.conditions:
        if isinstance(c, Compare) and c.sign in b.FLIPPED:
            low, high = (c.left, c.right) if c.sign[0] == "<" else (c.right, c.left)
            if high == b.variable(name) and name not in (of := {*b.names_in(low)}):
                if all(b.constant(scope.ranges[n].low) >= 0 if n in scope.ranges else n in _usual(scope) for n in of):
                    yield low


def _usual(scope: b.Scope) -> set[str]:
    """The parameters of laws that are positive where no range is printed."""
    of = (parameters for kind, parameters in scope.others.values() if kind != "U")
    return {n for parameters in of for n in b.names_in(tuple(parameters))}


def whole(e: Expression, scope: b.Scope) -> bool:
    """Whether a formula is seen to be a whole number."""
    match e:
        case Expression("num", (value,)):
            return value.denominator == 1
        case Expression("var", (name,)):
            given = scope.ranges.get(name)
            counted = given is not None and (given.integer or b.is_count(name) and not given.real)
            scope.integers |= {name} if counted else set()
            return counted
        case Expression("add" | "sub" | "mul", parts):
            return all(whole(part, scope) for part in parts)
    return e.head == "call" and e.args[0] in ("floor", "ceil")


def _of_other(
    kind: str, parameters: list[Expression], sign: str, at: Expression, node: Any, scope: b.Scope
) -> Expression:
    """P(X >= t) and its kind of X with a law other than the normal one."""
    check(kind, parameters, node, scope)
    if kind in ("GammaLaw", "BetaLaw"):
        raise b.refuse("of this law means are read, and no probabilities", node)
    if kind == "U":
        low, high = parameters
        part = b.binary("div", b.binary("sub", at, low), b.binary("sub", high, low))
        below = b.call("min", b.ONE, b.call("max", b.ZERO, part))
        return b.ZERO if sign == "==" else below if sign[0] == "<" else b.binary("sub", b.ONE, below)
    maybe_below = not nonnegative(at, scope)
    if maybe_below and (kind not in ("Poisson", "Bin") or sign == "=="):
        raise b.refuse("is this number 0 or more? Write its range: the formula of the probability needs it", node)
    if kind == "Lap":
        above = b.binary("div", b.call("exp", b.negative(b.binary("div", at, parameters[0]))), TWO)
        return b.ZERO if sign == "==" else above if sign[0] == ">" else b.binary("sub", b.ONE, above)
    if kind in ("Exp", "Rate", "ChiSquare"):
        if sign == "==":
            return b.ZERO
        above = _above(kind, parameters[0], at, node)
        return above if sign[0] == ">" else b.binary("sub", b.ONE, above)
    if not whole(at, scope):
        if sign == "==" or kind == "Geom":
            raise b.refuse("is this a whole number? Write integer before it", node)
        at = b.call("ceil" if sign in (">=", "<") else "floor", at)
    if kind == "Geom":
        return _of_waiting(parameters[0], sign, at, node, scope)
    if sign == "==":
        return _of_count(kind, parameters, at)
    last = at if sign in ("<=", ">") else b.binary("sub", at, b.ONE)
    if kind == "Bin" and at != parameters[0]:
        last = b.call("min", last, parameters[0])
    if maybe_below:  # the sum up to -1 is empty
        last = b.call("max", b.negative(b.ONE), last)
    index = next(k for k in ("i", "j", "k", "l") if k not in {*b.names_in((*parameters, at)), *scope.bound})
    below = Expression("sum", (index, b.ZERO, last, _of_count(kind, parameters, b.variable(index))))
    return below if sign[0] == "<" else b.binary("sub", b.ONE, below)


def _of_count(kind: str, parameters: list[Expression], k: Expression) -> Expression:
    """The probability of a count."""
    if k == b.ZERO:
        if kind == "Poisson":
            return b.call("exp", b.negative(parameters[0]))
        return b.binary("pow", b.binary("sub", b.ONE, parameters[1]), parameters[0])
    if kind == "Poisson":
        (mean,) = parameters
        power = b.binary("mul", b.call("exp", b.negative(mean)), b.binary("pow", mean, k))
        return b.binary("div", power, b.call("factorial", k))
    n, p = parameters
    chance = b.binary("mul", b.call("binom", n, k), b.binary("pow", p, k))
    return b.binary("mul", chance, b.binary("pow", b.binary("sub", b.ONE, p), b.binary("sub", n, k)))


def _first_of_waiting(node: Any, scope: b.Scope) -> int:
    """Whether a geometric law counts the trials up to the first success (1), or the failures before it (0)."""
    first = 1 - which("does the geometric law count trials, from 1, or failures, from 0?", "geometric", 0, 2)
    scope.say("the geometric law counts " + ("trials: 1, 2, ..." if first else "failures: 0, 1, ..."))
    return first


def _of_waiting(p: Expression, sign: str, at: Expression, node: Any, scope: b.Scope) -> Expression:
    """P(X > k) and its kind of a geometric law, k >= 0."""
    first, failure = _first_of_waiting(node, scope), b.binary("sub", b.ONE, p)
    more = at if first else b.binary("add", at, b.ONE)  # P(X > k) is the failure's probability to this power
    if sign == "==" and first and not positive(at, scope):
        raise b.refuse("is this number 1 or more? Write its range: the law begins at 1", node)
    if sign == "==":
        return b.binary("mul", p, b.binary("pow", failure, b.binary("sub", at, b.ONE) if first else at))
    if sign in (">=", "<"):
        if first and not positive(at, scope):
            raise b.refuse("is this number 1 or more? Write its range: the law begins at 1", node)
        more = b.binary("sub", at, b.ONE) if first else at
    above = b.binary("pow", failure, more)
    return above if sign[0] == ">" else b.binary("sub", b.ONE, above)


def positive(e: Expression, scope: b.Scope) -> bool:
    """Whether a whole number is seen to be 1 or more."""
    if e.head == "var" and e.args[0] in scope.ranges:
        given = scope.ranges[e.args[0]]
        return b.constant(given.low) >= 1 or b.constant(given.low) >= 0 and given.low_open
    if e.head == "add":
        return all(nonnegative(part, scope) for part in e.args) and any(positive(part, scope) for part in e.args)
    return e.head == "num" and e.args[0] >= 1 or e.head == "mul" and all(positive(part, scope) for part in e.args)


def _above(kind: str, parameter: Expression, at: Expression, node: Any) -> Expression:
    """P(X > t) for t >= 0, of an exponential or a chi-square law."""
    if kind != "ChiSquare":
        return b.call("exp", b.negative(at if parameter == b.ONE else b.binary("mul", parameter, at)))
    half = b.binary("div", at, TWO)
    if parameter == b.ONE:
        return b.binary("mul", TWO, b.binary("sub", b.ONE, b.call("Phi", b.call("sqrt", at))))
    if parameter.head != "num" or parameter.args[0] % 2:
        raise b.refuse("a chi-square law is read with 1 degree of freedom, or with an even number of them", node)
    total: Expression = b.ONE
    for j in range(1, int(parameter.args[0]) // 2):
        total = b.binary(
            "add", total, b.binary("div", b.binary("pow", half, b.number(j)), b.call("factorial", b.number(j)))
        )
    decay = b.call("exp", b.negative(half))
    return decay if total == b.ONE else b.binary("mul", decay, total)


def probability(inside: Sequence[Any], node: Any, scope: b.Scope) -> Expression:
    """P(X >= t) of X with a named law; P(|X| >= t) and P(|X - mean| >= t) of X ~ N(mean, variance), by Phi."""
    no = b.refuse(
        "a probability is read as P(X >= t) or P(|X| >= t) with X ~ N(0, 1), or another law that is named", node
    )
    match inside:
        case [Tree(children=[left, Tree(data="compare", children=[sign, right])])] if sign in (*b.FLIPPED, "=="):
            sides, sign = [b.expression(_with_name(side, scope), scope) for side in (left, right)], str(sign)
        case _:
            raise no
    held = [{*b.names_in(side)} & {*scope.laws, *scope.others} for side in sides]
    if held[1]:
        sides, held, sign = sides[::-1], held[::-1], b.FLIPPED.get(sign, sign)
    if len(held[0]) != 1 or held[1] or held[0] & {*scope.bound}:
        raise no
    (name,) = held[0]
    if scope.others.get(name, ("",))[0] == "Lap" and sides[0] == b.call("abs", b.variable(name)):
        (scale,) = scope.others[name][1]  # |X| is exponential
        check("Lap", [scale], node, scope)
        return _of_other("Rate", [b.binary("div", b.ONE, scale)], sign, sides[1], node, scope)
    sides[0], sides[1], sign = _alone(sides[0], sides[1], sign, name, scope)
    if name in scope.others and sides[0] == b.variable(name) and scope.others[name][0] != "Rad":
        scope.say("the probability is that of the law with this name")
        return _of_other(scope.others[name][0], scope.others[name][1], sign, sides[1], node, scope)
    if name in scope.others or sign == "==":
        raise no
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


def _alone(x: Expression, at: Expression, sign: str, name: str, scope: b.Scope) -> tuple[Expression, Expression, str]:
    """The event X >= t + m for X - m >= t: what is added to X, or multiplies it and is above 0, changes sides."""
    if (
        x.head not in ("add", "sub", "mul", "div")
        or name in scope.laws
        and (x.head == "sub" and x.args[0].head == "var")
    ):
        return x, at, sign
    first, second = x.args
    if {name} & {*b.names_in(first)} and {name} & {*b.names_in(second)}:
        return x, at, sign
    held, other = (first, second) if {name} & {*b.names_in(first)} else (second, first)
    if x.head == "add":
        return _alone(held, b.binary("sub", at, other), sign, name, scope)
    if x.head == "sub" and held is first:
        return _alone(held, b.binary("add", at, other), sign, name, scope)
    if x.head == "sub":
        return _alone(held, b.binary("sub", other, at), b.FLIPPED.get(sign, sign), name, scope)
    above = positive(other, scope) or other.head == "num" and other.args[0] > 0
    if not above or x.head == "div" and held is second:
        return x, at, sign
    return _alone(held, b.binary("div" if x.head == "mul" else "mul", at, other), sign, name, scope)


def _with_name(side: Any, scope: b.Scope) -> Any:
    """The side of P(N(0, 1) >= t), P(|N(0, 1)| >= t) or P(Poisson(a) = k), with a variable that has this law."""
    sized = isinstance(side, Tree) and side.data == "abs"
    inner = side.children[1] if sized else side
    name = Token("NAME", f"N_{len(scope.laws) + len(scope.others)}", start_pos=b.place(inner))
    if not given(str(name), inner, scope):
        return side
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
    return variance.args[0] if variance.head == "pow" and variance.args[1] == TWO else b.call("sqrt", variance)


def mean(inside: Sequence[Any], node: Any, scope: b.Scope) -> Expression:
    """E[f(X)] of X ~ Ber(p) or of a random sign; of other laws of polynomials, and of some exponentials."""
    f, name = _of_one_law(inside, node, scope)
    if name in scope.coins:
        p = scope.coins[name]
        at = [b.put(f, {name: value}) for value in (b.ZERO, b.ONE)]
        chances = [b.binary("sub", b.ONE, p), p]
        scope.say(f"{name} is 1 with probability {plain(p)}, and else 0")
        return b.binary("add", *(b.binary("mul", c, v) for c, v in zip(chances, at, strict=True)))
    if name in scope.laws:
        m, v = scope.laws[name]
        scope.say("the mean is that of a normal law with this mean and variance")
        value = _of_normal(f, b.variable(name), m, v)
        moments = [_normal_moment(k, m, v) for k in range(MOST_POWER + 1)] if value is None else []
    else:
        kind, parameters = scope.others[name]
        if kind == "Rad":
            scope.say(f"{name} is 1 or -1, each with probability 1/2")
            return b.binary("div", b.binary("add", b.put(f, {name: b.number(-1)}), b.put(f, {name: b.ONE})), TWO)
        check(kind, parameters, node, scope)
        scope.say("the mean is that of the law with this name")
        value = _exponential_mean(kind, parameters, f, name)
        moments = _moments(kind, parameters, node, scope) if value is None else []
    if value is None and (of_powers := coefficients(f, b.variable(name))) is not None:
        terms = [_times(c, moments[k]) for k, c in sorted(of_powers.items())]
        value = reduce(partial(b.binary, "add"), terms)
    if value is None:
        raise b.refuse(f"of this law a mean is read of a polynomial in {name} of degree {MOST_POWER} at most", node)
    return value


def variance(inside: Sequence[Any], node: Any, scope: b.Scope) -> Expression:
    """Var(a X + c) of X with a named law."""
    f, name = _of_one_law(inside, node, scope)
    slopes = coefficients(f, b.variable(name))
    if slopes is None or not {*slopes} <= {0, 1} or 1 not in slopes:
        raise b.refuse(f"a variance is read of {name}, and of a multiple of it", node)
    if name in scope.coins:
        p = scope.coins[name]
        value = b.binary("mul", p, b.binary("sub", b.ONE, p))
    elif name in scope.laws:
        value = scope.laws[name][1]
    else:
        kind, parameters = scope.others[name]
        if kind != "Rad":
            check(kind, parameters, node, scope)
        value = _variance(kind, parameters)
    scope.say("the variance is that of the law with this name")
    return _times(b.binary("pow", slopes[1], TWO), value) if slopes[1] != b.ONE else value


def _of_one_law(inside: Sequence[Any], node: Any, scope: b.Scope) -> tuple[Expression, str]:
    """The formula of a mean, and the only letter of it that has a law."""
    no = b.refuse("a mean is read as E[f(X)] of one letter X whose law is named, as in X ~ N(0, 1)", node)
    if len(inside) != 1:
        raise no
    f = b.bare(inside[0], scope)
    names = {*b.names_in(f)} & {*scope.laws, *scope.coins, *scope.others}
    if len(names) != 1 or names & {*scope.bound}:
        raise no
    return f, names.pop()


def _times(c: Expression, e: Expression) -> Expression:
    return e if c == b.ONE else c if e == b.ONE else b.binary("mul", c, e)


def coefficients(e: Expression, x: Expression) -> dict[int, Expression] | None:
    """The coefficients of a polynomial in x by their degrees; None of another formula."""
    if x.args[0] not in b.names_in(e):
        return {0: e}
    if e == x:
        return {1: b.ONE}
    match e:
        case Expression("neg", (inner,)):
            of = coefficients(inner, x)
            return of and {k: b.negative(c) for k, c in of.items()}
        case Expression("add" | "sub", (left, right)):
            one, other = coefficients(left, x), coefficients(right, x)
            if one is None or other is None:
                return None
            sums = dict(one)
            for k, c in other.items():
                sums[k] = b.binary(e.head, one[k], c) if k in one else c if e.head == "add" else b.negative(c)
            return sums
        case Expression("mul", (left, right)):
            one, other = coefficients(left, x), coefficients(right, x)
            if one is None or other is None or max(one) + max(other) > MOST_POWER:
                return None
            return _multiplied(one, other)
        case Expression("div", (left, right)) if x.args[0] not in b.names_in(right):
            of = coefficients(left, x)
            return of and {k: b.binary("div", c, right) for k, c in of.items()}
        case Expression("pow", (base, Expression("num", (power,)))) if power.denominator == 1 and power >= 1:
            of = coefficients(base, x)
            if of is None or max(of) * power > MOST_POWER:
                return None
            return reduce(_multiplied, [of] * int(power))
    return None


def _multiplied(one: dict[int, Expression], other: dict[int, Expression]) -> dict[int, Expression]:
    product: dict[int, Expression] = {}
    for (j, c), (k, d) in itertools.product(one.items(), other.items()):
        product[j + k] = b.binary("add", product[j + k], _times(c, d)) if j + k in product else _times(c, d)
    return product


def _power(e: Expression, k: int) -> Expression:
    return b.ONE if k == 0 or e == b.ONE else e if k == 1 else b.binary("pow", e, b.number(k))


def _sum(terms: Iterable[Expression]) -> Expression:
    return reduce(partial(b.binary, "add"), terms)


def _normal_moment(k: int, m: Expression, v: Expression) -> Expression:
    """E[X^k] of a normal law."""
    ways = [(j, comb(k, 2 * j) * prod(range(1, 2 * j, 2))) for j in range(k // 2 + 1)]
    if m == b.ZERO:
        return b.ZERO if k % 2 else _times(b.number(ways[-1][1]), _power(v, k // 2))
    return _sum(_times(b.number(count), _times(_power(m, k - 2 * j), _power(v, j))) for j, count in ways)


def _moments(kind: str, parameters: list[Expression], node: Any, scope: b.Scope) -> list[Expression]:
    """E[X^k] for k = 0, 1, ..."""
    orders = range(MOST_POWER + 1)
    if kind in ("Poisson", "Bin", "Geom"):
        if kind == "Poisson":
            falling = [_power(parameters[0], j) for j in orders]
        elif kind == "Bin":
            n, p = parameters
            falls = [b.ONE, n, *(b.binary("sub", n, b.number(j)) for j in orders[1:-1])]
            falling = [_times(reduce(_times, falls[: j + 1]), _power(p, j)) for j in orders]
        else:
            first, p = _first_of_waiting(node, scope), parameters[0]
            failure = b.binary("sub", b.ONE, p)
            falling = [b.ONE] + [
                b.binary("div", _times(b.number(factorial(j)), _power(failure, j - first)), _power(p, j))
                for j in orders[1:]
            ]
        # of the powers by the falling factorials, with the numbers of Stirling
        return [b.ONE] + [
            _sum(_times(b.number(_stirling(k, j)), falling[j]) for j in range(1, k + 1)) for k in orders[1:]
        ]
    if kind == "U":
        low, high = parameters
        sums = [
            _sum(_times(_power(low, j), _power(high, k - j)) for j in range(k + 1) if low != b.ZERO or not j)
            for k in orders
        ]
        return [b.ONE] + [b.binary("div", total, b.number(k + 1)) for k, total in enumerate(sums)][1:]
    if kind == "Lap":
        return [b.ZERO if k % 2 else _times(b.number(factorial(k)), _power(parameters[0], k)) for k in orders]
    if kind in ("Exp", "Rate"):
        return [b.binary("div", b.number(factorial(k)), _power(parameters[0], k)) for k in orders]
    one, other = parameters[0], parameters[-1]
    total = b.binary("add", one, other)
    values = [b.ONE]
    for k in orders[:-1]:  # by a factor from one moment to the next one
        up, all_up = (
            e if not k else b.binary("add", e, b.number(2 * k if kind == "ChiSquare" else k)) for e in (one, total)
        )
        step = up if kind == "ChiSquare" else b.binary("div", up, all_up if kind == "BetaLaw" else other)
        values.append(_times(values[-1], step))
    return values


def _stirling(k: int, j: int) -> int:
    """In how many ways k things are put into j groups."""
    return sum((-1) ** (j - i) * comb(j, i) * i**k for i in range(j + 1)) // factorial(j)


def _variance(kind: str, parameters: list[Expression]) -> Expression:
    one = parameters[0]
    if kind in ("Rad", "Poisson"):
        return one
    if kind == "Lap":
        return b.binary("mul", TWO, _power(one, 2))
    if kind in ("Exp", "Rate"):
        return b.binary("div", b.ONE, _power(one, 2))
    if kind == "ChiSquare":
        return b.binary("mul", TWO, one)
    if kind == "Geom":
        return b.binary("div", b.binary("sub", b.ONE, one), _power(one, 2))
    other = parameters[1]
    if kind == "Bin":
        return b.binary("mul", b.binary("mul", one, other), b.binary("sub", b.ONE, other))
    if kind == "U":
        return b.binary("div", _power(b.binary("sub", other, one), 2), b.number(12))
    if kind == "GammaLaw":
        return b.binary("div", one, _power(other, 2))
    total = b.binary("add", one, other)
    below = b.binary("mul", _power(total, 2), b.binary("add", total, b.ONE))
    return b.binary("div", b.binary("mul", one, other), below)


def _exponential_mean(kind: str, parameters: list[Expression], f: Expression, name: str) -> Expression | None:
    """E[exp(a X)] of counts; None of another formula."""
    a = coefficient(f.args[1], b.variable(name)) if f.head == "call" and f.args[0] == "exp" else None
    if a is None or name in b.names_in((a, *parameters)) or kind not in ("Bin", "Poisson"):
        return None
    more = b.binary("sub", b.call("exp", a), b.ONE)
    if kind == "Poisson":
        return b.call("exp", b.binary("mul", parameters[0], more))
    return b.binary("pow", b.binary("add", b.ONE, b.binary("mul", parameters[1], more)), parameters[0])


def _of_normal(f: Expression, x: Expression, m: Expression, v: Expression) -> Expression | None:
    """The mean of exp(a X), exp(a (X - m)), (X - m)^2 or |X - m|; None of other formulas."""
    centred = b.binary("sub", x, m)
    if f == b.binary("pow", centred, TWO):
        return v
    if f.head == "call" and f.args[0] == "abs" and f.args[1] == (x if m == b.ZERO else centred):
        root = b.call("sqrt", b.binary("div", TWO, Expression("const", ("pi",))))
        return root if v == b.ONE else b.binary("mul", deviation(v), root)
    if f.head != "call" or f.args[0] != "exp":
        return None
    for of in (x, centred):
        if (a := coefficient(f.args[1], of)) is not None and x.args[0] not in b.names_in((a, m, v)):
            half = b.binary("div", b.binary("mul", b.binary("pow", a, TWO), v), TWO)
            moved = half if of is centred or m == b.ZERO else b.binary("add", b.binary("mul", a, m), half)
            return b.call("exp", moved)
    return None


def solved(claim: Compare, node: Any, scope: b.Scope) -> list[Sentence]:
    """The comparison, solved for every quantile in it: Phi^-1(a) <= x says that 0 < a < 1 and a <= Phi(x)."""
    arguments: list[Expression] = []
    left, sign, right = (
        _without_quantiles(claim.left, arguments),
        claim.sign,
        _without_quantiles(claim.right, arguments),
    )
    if not _has_quantile(left):
        left, sign, right = right, b.FLIPPED.get(sign, sign), left
    while _has_quantile(left) and left.args[0] != b.QUANTILE:
        match left:
            case Expression("neg", (inner,)):
                left, sign, right = inner, b.FLIPPED.get(sign, sign), b.negative(right)
            case Expression("add" | "sub" as head, (one, other)) if _has_quantile(one):
                left, right = one, b.binary("sub" if head == "add" else "add", right, other)
            case Expression("add", (one, other)):
                left, right = other, b.binary("sub", right, one)
            case Expression("sub", (one, other)):
                left, sign, right = other, b.FLIPPED.get(sign, sign), b.binary("sub", one, right)
            case Expression("mul", (one, other)) if not _has_quantile(one) and surely_positive(one, scope):
                left, right = other, b.binary("div", right, one)
            case Expression("mul" | "div" as head, (one, other)) if surely_positive(other, scope):
                left, right = one, b.binary("div" if head == "mul" else "mul", right, other)
            case _:
                raise b.refuse("Phi^-1 is read where the comparison can be solved for it, as in Phi^-1(p) <= x", node)
    if _has_quantile(left):
        arguments.append(left.args[1])
        left, right = left.args[1], _without_quantiles(b.call("Phi", right), arguments)
    if _has_quantile(left) or _has_quantile(right):
        raise b.refuse("of two values of Phi^-1 a comparison is read if each stands alone on its side", node)
    inside = [c for a in dict.fromkeys(arguments) for c in (Compare(b.ZERO, "<", a), Compare(a, "<", b.ONE))]
    return [*(c for c in inside if not _within_unit(c, scope)), Compare(left, sign, right)]


def _has_quantile(e: Any) -> bool:
    return isinstance(e, Expression) and (e.args[0] == b.QUANTILE or any(map(_has_quantile, e.args)))


def _without_quantiles(e: Any, arguments: list[Expression]) -> Any:
    """The formula with a for Phi(Phi^-1(a)), and 1 - a for Phi(-Phi^-1(a)); their arguments are put down."""
    if not isinstance(e, Expression):
        return e
    e = Expression(e.head, tuple(_without_quantiles(a, arguments) for a in e.args))
    match e:
        case Expression("call", ("Phi", Expression("call", (b.QUANTILE, a)))):
            arguments.append(a)
            return a
        case Expression("call", ("Phi", Expression("neg", (Expression("call", (b.QUANTILE, a)),)))):
            arguments.append(a)
            return b.binary("sub", b.ONE, a)
    return e


def surely_positive(e: Expression, scope: b.Scope) -> bool:
    """Whether a formula is seen to be positive, by the ranges that are printed."""
    if e.head == "neg" and e.args[0].head == "neg":
        return surely_positive(e.args[0].args[0], scope)
    if e.head == "var":
        r = scope.ranges.get(e.args[0])
        return r is not None and (b.constant(r.low) > 0 or b.constant(r.low) == 0 and r.low_open)
    if e.head in ("mul", "div", "add") or e.head == "call" and e.args[0] == "sqrt":
        return all(surely_positive(a, scope) for a in e.args if isinstance(a, Expression))
    return e.head == "const" or e.head == "num" and e.args[0] > 0


def _within_unit(c: Compare, scope: b.Scope) -> bool:
    """Whether ranges say that 0 < a, or a < 1, of a letter a, 1 - a, or a number."""
    a, low = (c.right, True) if c.left == b.ZERO else (c.left, False)
    if a.head == "sub" and a.args[0] == b.ONE:
        a, low = a.args[1], not low
    if a.head == "num":
        return a.args[0] > 0 if low else a.args[0] < 1
    r = scope.ranges.get(a.args[0]) if a.head == "var" else None
    if r is None:
        return False
    end, open_ = (b.constant(r.low), r.low_open) if low else (-b.constant(r.high) + 1, r.high_open)
    return end > 0 or end == 0 and open_
