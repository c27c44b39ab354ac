"""Proofs in the kernel about subgaussian variables: tails, multiples and sums of independent ones."""

from __future__ import annotations

from banditproof.paper_checks.shared.kernel_proofs import app, law, parts_of
from banditproof.verify.kernel.meanings import exp
from banditproof.verify.kernel.rules import (
    Theorem,
    assume,
    eq,
    exp_positive,
    exp_tangent,
    indicator,
    le,
    lt,
    mean,
    mono,
    reciprocal,
    same,
)
from banditproof.verify.kernel.tactics import auto, closed, fn, for_all, instance, product, reciprocal_positive, weak
from banditproof.verify.kernel.terms import All, Term, term, var

t, x, y, c = map(var, ("t", "x", "y", "factor"))


def chernoff(statement: All) -> Theorem:
    """g = e^(t epsilon) 1[epsilon <= x] at t = epsilon/sigma^2."""
    epsilon, sigma = var("epsilon"), var("sigma")
    known, positive, level = assume(statement.given[-1]), assume(lt(0, sigma)), assume(le(0, epsilon))
    square = product(positive, positive)
    inverse, one = reciprocal_positive(square), reciprocal(square)
    tilt = epsilon / (sigma * sigma)
    rising = auto(le(0, tilt), product(level, weak(inverse)))
    i, grown = Term("ind", (epsilon, x)), exp(tilt * (x - epsilon))
    some, none = indicator(epsilon, x, 3), auto(le(0, 1 - i), indicator(epsilon, x, 4))
    above = auto(
        le(i, grown),
        (some, exp_tangent(tilt * (x - epsilon))),
        (rising, indicator(epsilon, x, 1)),
        (none, weak(exp_positive(tilt * (x - epsilon)))),
    )
    scale = exp(tilt * epsilon)
    low = for_all("x", product(weak(exp_positive(tilt * epsilon)), some))
    high = for_all("x", auto(le(scale * i, exp(tilt * x)), (exp_positive(tilt * epsilon), above)))
    bound = instance(known, {"t": tilt, "g": fn("x", scale * i)}, low, high)
    exponent = auto(
        eq(tilt * tilt * sigma * sigma / 2 - tilt * epsilon, -epsilon * epsilon / (2 * sigma * sigma)),
        (tilt * epsilon / 2, one),
    )
    power = same(exponent, "w", exp(var("w")))
    return closed(statement, auto(statement.then, (exp_positive(-tilt * epsilon), bound), power))


def scaling(statement: All) -> Theorem:
    """The bound at t c, of g(c x)."""
    names, given, goal = parts_of(statement.then)
    low, high = map(assume, given)
    at_cx = [for_all("x", instance(f, {"x": c * x})) for f in (low, high)]
    bound = instance(assume(statement.given[-1]), {"t": t * c, "g": fn("x", app("g", c * x))}, *at_cx)
    sign = indicator(term(0), c, 0)
    square = auto(eq(size_squared(c), c * c), (4 * c * c, sign))
    s = var("sigma")
    exponent = auto(eq(t * c * t * c * s * s / 2, t * t * size_squared(c) * s * s / 2), (t * t * s * s / 2, square))
    return closed(statement, for_all(names, auto(goal, bound, same(exponent, "w", exp(var("w")))), *given))


def size_squared(c: Term) -> Term:
    sign = 2 * Term("ind", (term(0), c)) - 1
    return c * sign * c * sign


def sums(statement: All) -> Theorem:
    """For fixed x the mean of g(x + Y) is at most e^(t x) times the bound of Y: a function of x below e^(t x)."""
    names, given, goal = parts_of(statement.then)
    low, high = map(assume, given)
    X, Y, one, two = law("X"), law("Y"), var("sigma_1"), var("sigma_2")
    of_X, of_Y = map(assume, statement.given[-2:])
    g, most = app("g", x + y), t * t * two * two / 2
    at_sum = [instance(f, {"x": x + y}) for f in (low, high)]
    part = exp(-t * x) * g
    of_part = [
        product(weak(exp_positive(-t * x)), at_sum[0]),
        auto(le(part, exp(t * y)), (exp_positive(-t * x), at_sum[1])),
    ]
    at_y = instance(of_Y, {"g": fn("y", part)}, *(for_all("y", f) for f in of_part))
    rest = exp(-most) * mean("y", Y, g)
    lower = auto(le(0, rest), (weak(exp_positive(-most)), mono(at_sum[0], "y", Y)))
    upper = auto(le(rest, exp(t * x)), (exp_positive(t * x - most), at_y))
    at_x = instance(of_X, {"g": fn("x", rest)}, for_all("x", lower), for_all("x", upper))
    return closed(statement, for_all(names, auto(goal, (exp_positive(most), at_x)), *given))
