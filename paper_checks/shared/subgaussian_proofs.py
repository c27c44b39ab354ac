"""Proofs in the kernel about subgaussian variables: tails, multiples and sums of independent ones."""

from __future__ import annotations

from banditproof.paper_checks.shared.hoeffding_proofs import two_values
from banditproof.paper_checks.shared.kernel_proofs import app, law, parts_of
from banditproof.paper_checks.shared.policy_proofs import at_most, not_at_most
from banditproof.paper_checks.shared.testing_proofs import chord
from banditproof.verify.kernel.meanings import exp
from banditproof.verify.kernel.rules import (
    Theorem,
    antisymmetric,
    assume,
    cases,
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
    square,
    unit,
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
    Y, two = law("Y"), var("sigma_2")
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


def hoeffding(statement: All) -> Theorem:
    """e^(t x) is at most its chord over [low, high], at mean zero the moment of two values."""
    names, given, goal = parts_of(statement.then)
    low_g, high_g = (instance(assume(f), {"x": x}) for f in given)
    a, b, X, g = var("low"), var("high"), law("X"), app("g", x)
    known = assume(statement.given[-1])
    above, below = assume(le(a, x)), assume(le(x, b))
    inside = Term("ind", (a, x)) * Term("ind", (x, b))

    def by_chord(clip: Term, is_clip: Theorem, chord: Theorem) -> tuple[Theorem, Theorem]:
        """The mean of the clipped x is 0, and that of g at most that of the chord."""
        there = (le(a, x), le(x, b))
        centred = instance(known, {"g": fn("x", clip)}, for_all("x", is_clip, *there))
        is_inside = auto(eq(inside, 1), at_most(above), (Term("ind", (a, x)), at_most(below)))
        kept = auto(eq(clip + (1 - inside) * g, x), is_clip, (g, is_inside))
        outside = instance(known, {"g": fn("x", clip + (1 - inside) * g)}, for_all("x", kept, *there))
        line = chord.conclusion.args[1]  # type: ignore[union-attr]
        less = le(inside * g, line)
        here = auto(less, high_g, same(is_clip, "w", exp(t * var("w"))), chord, (g, is_inside))
        positive = auto(le(0, line), exp_positive(t * clip), chord)
        zeros = not_at_most(assume(lt(x, a))), not_at_most(assume(lt(b, x)))
        left = auto(less, positive, (Term("ind", (x, b)) * g, zeros[0]))
        right = auto(less, positive, (Term("ind", (a, x)) * g, zeros[1]))
        each = cases(cases(here, right, x, b), left, a, x)
        return centred, auto(le(mean("x", X, g), mean("x", X, line)), mono(each, "x", X), centred, outside)

    # low < high: the clipped x is low + width V, V being the share of [0, 1] below
    wide = assume(lt(a, b))
    width, v = b - a, var("v")
    some_width = auto(lt(0, width), wide)
    share = (x - a) / width
    V = mean("v", law("Unit"), Term("ind", (v, share)))
    inverse = reciprocal(some_width)
    shares = product(auto(le(0, x - a), above), weak(reciprocal_positive(some_width)))
    at_most_one = auto(le(share, 1), (weak(reciprocal_positive(some_width)), below), inverse)
    is_share = unit(share, "v", shares, at_most_one)
    is_clip = auto(eq(a + width * V, x), (width, is_share), (x - a, inverse))
    V_low, V_high = (mono(indicator(v, share, k), "v", law("Unit")) for k in (3, 4))
    line = chord(V, V_low, V_high, t * width)
    scaled = auto(le(exp(t * (a + width * V)), exp(t * a) * line.conclusion.args[1]), (exp_positive(t * a), line))  # type: ignore[union-attr]
    centred, bound = by_chord(a + width * V, is_clip, scaled)
    p = mean("x", X, V)
    means = mono(V_low, "x", X), mono(V_high, "x", X)
    two = instance(two_values(), {"p": p, "s": t * width}, *means)
    tilt = same(centred, "w", exp(t * var("w")))
    factor = (1 - p) + p * exp(t * width)
    apart = auto(goal, bound, two, (exp(-p * t * width) * factor, tilt))

    # low = high: both are 0
    no_width = assume(le(b, a))
    is_point = antisymmetric(above, auto(le(x, a), below, no_width))
    centred, bound = by_chord(a, is_point, auto(le(exp(t * a), exp(t * a))))
    at_zero = same(centred, "w", exp(t * var("w")))
    certain = auto(goal, bound, at_zero, exp_tangent(t * t * width * width / 8), square(t * width))
    return closed(statement, for_all(names, cases(certain, apart, b, a), *given))
