"""Proofs in the kernel about subgaussian variables: tails, multiples and sums of independent ones."""

from __future__ import annotations

from functools import cache

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
    exp_log,
    exp_positive,
    exp_tangent,
    indicator,
    induct,
    le,
    lt,
    mean,
    mono,
    nat,
    reciprocal,
    same,
    square,
    steps_next,
    steps_zero,
    unit,
)
from banditproof.verify.kernel.tactics import (
    auto,
    closed,
    exp_monotone,
    fn,
    for_all,
    instance,
    product,
    reciprocal_positive,
    weak,
)
from banditproof.verify.kernel.terms import All, Term, replace, term, var
from banditproof.verify.kernel.variables import multiple, subgaussian, sum_of_independent, sum_of_samples

t, x, y, c = map(var, ("t", "x", "y", "factor"))


def chernoff(statement: All) -> Theorem:
    """The tail at the square sigma^2."""
    epsilon, sigma = var("epsilon"), var("sigma")
    positive = assume(lt(0, sigma))
    conditions = product(positive, positive), assume(le(0, epsilon)), assume(statement.given[-1])
    return closed(statement, instance(tail(), {"v1": sigma * sigma, "level": epsilon}, *conditions))


@cache
def tail() -> Theorem:
    """Pr(X >= level) <= e^(-level^2/(2 v)) for v > 0 and level >= 0: g = e^(t level) 1[level <= x] at t = level/v."""
    X, v, level = law("X"), var("v1"), var("level")
    positive, not_below, known = assume(lt(0, v)), assume(le(0, level)), assume(subgaussian(X, v))
    inverse, one = reciprocal_positive(positive), reciprocal(positive)
    tilt = level / v
    rising = auto(le(0, tilt), product(not_below, weak(inverse)))
    i, grown = Term("ind", (level, x)), exp(tilt * (x - level))
    some, none = indicator(level, x, 3), auto(le(0, 1 - i), indicator(level, x, 4))
    above = auto(
        le(i, grown),
        (some, exp_tangent(tilt * (x - level))),
        (rising, indicator(level, x, 1)),
        (none, weak(exp_positive(tilt * (x - level)))),
    )
    scale = exp(tilt * level)
    low = for_all("x", product(weak(exp_positive(tilt * level)), some))
    high = for_all("x", auto(le(scale * i, exp(tilt * x)), (exp_positive(tilt * level), above)))
    bound = instance(known, {"t": tilt, "g": fn("x", scale * i)}, low, high)
    exponent = auto(eq(tilt * tilt * v / 2 - tilt * level, -level * level / (2 * v)), (tilt * level / 2, one))
    power = same(exponent, "w", exp(var("w")))
    found = auto(le(mean("x", X, i), exp(-level * level / (2 * v))), (exp_positive(-tilt * level), bound), power)
    return for_all("X v1 level", found, *(f.conclusion for f in (positive, not_below, known)))


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
    """The squares add up."""
    one, two = var("sigma_1"), var("sigma_2")
    values = {"v1": one * one, "v2": two * two}
    return closed(statement, instance(squares_add_up(), values, *map(assume, statement.given[-2:])))


@cache
def squares_add_up() -> Theorem:
    """For fixed x the mean of g(x + Y) is at most e^(t x) times the bound of Y: a function of x below e^(t x)."""
    X, Y, one, two = law("X"), law("Y"), var("v1"), var("v2")
    names, given, goal = parts_of(subgaussian(sum_of_independent(X, Y), one + two))
    low, high = map(assume, given)
    known = subgaussian(X, one), subgaussian(Y, two)
    of_X, of_Y = map(assume, known)
    g, most = app("g", x + y), t * t * two / 2
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
    found = for_all(names, auto(goal, (exp_positive(most), at_x)), *given)
    return for_all("X Y v1 v2", found, *known)


@cache
def samples() -> Theorem:
    """The sum of n variables is subgaussian with n times the square, by induction over them."""
    X, n, v = law("X"), var("n"), var("v1")
    known = subgaussian(X, v)
    claim = subgaussian(sum_of_samples(X, n), n * v)
    names, given, goal = parts_of(claim)
    step, g = sum_of_samples(X, 0).args[3], app("g", x)
    high_at_0 = instance(assume(given[1]), {"x": term(0)})
    start = auto(replace(goal, {"n": term(0)}), steps_zero("x", g, "i", "h", term(0), step), high_at_0)
    pn = assume(nat(n))
    values = {"X": fn("", sum_of_samples(X, n)), "Y": fn("", X), "v1": n * v, "v2": v}
    both = instance(squares_add_up(), values, assume(claim), assume(known))
    more = instance(both, {}, *map(assume, given))
    after = auto(replace(goal, {"n": n + 1}), more, steps_next(pn, "x", g, "i", "h", term(0), step))
    every = induct("n", for_all(names, start, *given), for_all(names, after, *given), claim)
    return for_all("X v1", every, known)


def mean_of_samples(statement: All) -> Theorem:
    """g(x/T) of the sum, at t/T."""
    names, given, goal = parts_of(statement.then)
    T = var("T")
    low, high = map(assume, given)
    of_sum = instance(instance(samples(), {"v1": 1}, assume(statement.given[-1])), {"n": T}, assume(nat(T)))
    at_mean = [for_all("x", instance(f, {"x": x / T})) for f in (low, high)]
    bound = instance(of_sum, {"t": t / T, "g": fn("x", app("g", x / T))}, *at_mean)
    one = reciprocal(auto(lt(0, T), assume(le(1, T))))
    exponent = auto(eq(t / T * t / T * T / 2, t * t / T / 2), (t * t / T / 2, one))
    return closed(statement, for_all(names, auto(goal, bound, same(exponent, "w", exp(var("w")))), *given))


def tail_of_the_mean(statement: All) -> Theorem:
    """Chernoff's tail of the mean of T variables, whose square is 1/T."""
    return closed(statement, auto(statement.then, _tail_at(statement, var("epsilon"))))


def law_of_mean() -> Term:
    return multiple(1 / var("T"), sum_of_samples(law("X"), var("T")))


def radius(statement: All) -> Theorem:
    """The same tail below the mean, at the radius: what is not below it is above."""
    T, delta, most = var("T"), var("delta"), var("radius")
    known, wide = (assume(f) for f in statement.given[-2:])
    positive, some = assume(lt(0, delta)), auto(lt(0, T), assume(le(1, T)))
    of_mean = instance(_of_means(), {}, assume(nat(T)), assume(le(1, T)), known)
    below = instance(_turned(), {"X": fn("", law_of_mean()), "v1": 1 / T}, of_mean)
    conditions = reciprocal_positive(some), assume(le(0, most)), below
    rare = instance(tail(), {"X": fn("", multiple(-1, law_of_mean())), "v1": 1 / T, "level": most}, *conditions)
    inside, outside = Term("ind", (-x, most)), Term("ind", (most, -x))
    one = le(1, inside + outside)
    is_inside, is_outside = assume(le(-x, most)), assume(le(most, -x))
    either = cases(
        auto(one, at_most(is_inside), indicator(most, -x, 3)),
        auto(one, at_most(is_outside), indicator(-x, most, 3)),
        -x,
        most,
    )
    log, inverse = Term("log", (1 / delta,)), reciprocal(positive)
    value = exp_log(reciprocal_positive(positive))
    back = auto(eq(exp(-log), delta), (exp(-log) * delta, value), (exp(-log), inverse))
    smaller = exp_monotone(auto(le(-T * most * most / 2, -log), wide))
    found = auto(statement.then, mono(either, "x", law_of_mean()), rare, smaller, back)
    return closed(statement, found)


@cache
def _turned() -> Theorem:
    """-X is as subgaussian as X: g(-x) at -t."""
    X, v = law("X"), var("v1")
    known = subgaussian(X, v)
    names, given, goal = parts_of(subgaussian(multiple(-1, X), v))
    at = [for_all("x", instance(assume(f), {"x": -x})) for f in given]
    bound = instance(assume(known), {"t": -t, "g": fn("x", app("g", -x))}, *at)
    return for_all("X v1", for_all(names, auto(goal, bound), *given), known)


def _tail_at(statement: All, level: Term) -> Theorem:
    T = var("T")
    positive = auto(lt(0, T), assume(le(1, T)))
    of_mean = instance(_of_means(), {}, assume(nat(T)), assume(le(1, T)), assume(statement.given[-1]))
    conditions = reciprocal_positive(positive), assume(le(0, level)), of_mean
    return instance(tail(), {"X": fn("", law_of_mean()), "v1": 1 / T, "level": level}, *conditions)


@cache
def _of_means() -> Theorem:
    """What ``mean_of_samples`` says."""
    given = nat(var("T")), le(1, var("T")), subgaussian(law("X"), 1)
    return mean_of_samples(All(("X", "T"), given, subgaussian(law_of_mean(), 1 / var("T"))))


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
