"""Proofs in the kernel about subgaussian variables: tails, multiples and sums of independent ones."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.variables import noisy, sum_until
from banditproof.verify.theorems.hoeffding import two_values
from banditproof.verify.theorems.moments import all_of_them, both, grows, multiplied, stopped, tail
from banditproof.verify.theorems.testing import chord

t, x, y, c = map(var, ("t", "x", "y", "factor"))


def of_subgaussian(known: Theorem, X: Term, at: Any, square: Any) -> Theorem:
    """What a subgaussian variable says at one t, in the words of ``moment_proofs``."""
    names, given, goal = parts_of(grows(X, at, term(at) * at * square / 2))
    return for_all(names, auto(goal, instance(known, {"t": term(at)}, *map(assume, given))), *given)


@proof
def chernoff(statement: All) -> Theorem:
    """The tail at the square sigma^2."""
    epsilon, sigma = var("epsilon"), var("sigma")
    return instance(tail_of_subgaussian(), {"v1": sigma * sigma, "level": epsilon})


@lemma("X v1 level", lt(0, var("v1")), le(0, var("level")))
def tail_of_subgaussian() -> Theorem:
    """Pr(X >= level) <= e^(-level^2/(2 v)) for v > 0 and level >= 0: the tail at t = level/v."""
    X, v, level = law("X"), var("v1"), var("level")
    (known,) = suppose(subgaussian(X, v))
    tilt = level / v
    at = of_subgaussian(known, X, tilt, v)
    bound = instance(tail(1), {"t": tilt, "a": level, "l": tilt * tilt * v / 2}, at)
    goal = le(mean("x", X, Term("ind", (level, x))), exp(-level * level / (2 * v)))
    return auto(goal, bound)


@proof
def scaling(statement: All) -> Theorem:
    """The bound at t c, of g(c x)."""
    s = var("sigma")
    at = of_subgaussian(assume(statement.given[-1]), law("X"), t * c, s * s)
    bound = instance(instance(multiplied(), {"c": c, "l": t * c * t * c * s * s / 2}, at), {})
    sign = indicator(term(0), c, 0)
    exponent = auto(eq(t * c * t * c * s * s / 2, t * t * size_squared(c) * s * s / 2), sign)
    return auto(conclusion(statement), bound, exp_equal(exponent))


def size_squared(c: Term) -> Term:
    sign = 2 * Term("ind", (term(0), c)) - 1
    return c * sign * c * sign


@proof
def sums(statement: All) -> Theorem:
    """The squares add up."""
    _, given, goal = parts_of(statement.then)
    pairs = zip(map(assume, statement.given[-2:]), (law("X"), law("Y")), ("sigma_1", "sigma_2"), strict=True)
    of_each = [of_subgaussian(known, one, t, var(s) * var(s)) for known, one, s in pairs]
    squares = {k: t * t * var(s) * var(s) / 2 for k, s in (("l", "sigma_1"), ("m", "sigma_2"))}
    return auto(goal, instance(instance(both(), squares, *of_each), {}))


@lemma(
    "X T",
    nat(var("T")),
    le(1, var("T")),
    All(("i",), (nat(var("i")), lt(var("i"), var("T"))), subgaussian(law("X", var("i")), 1)),
)
def mean_of_independent() -> Theorem:
    """The mean of T >= 1 independent variables that are 1-subgaussian is subgaussian with the square 1/T."""
    T, i = var("T"), var("i")
    each = All(("i",), (nat(i), lt(i, T)), subgaussian(law("X", i), 1))
    names, given, goal = parts_of(subgaussian(law_of_mean(), 1 / T))
    in_range = nat(i), lt(i, T)
    one = of_subgaussian(instance(assume(each), {}, *map(assume, in_range)), law("X", i), t / T, 1)
    values = {"N": T, "t": t / T, "l": fn("i", t / T * t / T / 2)}
    of_sum = instance(all_of_them(), values, one)
    total = {"X": fn("", sum_of_all(lambda i: law("X", i), T)), "c": 1 / T, "l": T * t / T * t / T / 2}
    bound = instance(instance(multiplied(), total, of_sum), {}, *map(assume, given))
    return for_all(names, auto(goal, bound), *given)


@lemma("X v1")
def samples() -> Theorem:
    """The sum of n variables with one law is subgaussian with n times the square."""
    X, n, v = law("X"), var("n"), var("v1")
    known = subgaussian(X, v)
    suppose(known)
    names, given, goal = parts_of(subgaussian(sum_of_all(lambda i: X, n), n * v))
    one = of_subgaussian(assume(known), X, t, v)
    values = {"N": n, "X": fn("i", X), "l": fn("i", t * t * v / 2)}
    bound = instance(instance(all_of_them(), values, assume(nat(n)), one), {}, *map(assume, given))
    return for_all("n", for_all(names, auto(goal, bound), *given), nat(n))


@proof
def mean_of_samples(statement: All) -> Theorem:
    return _of_mean(statement)


def _of_mean(statement: All) -> Theorem:
    return instance(mean_of_independent())


@proof
def tail_of_the_mean(statement: All) -> Theorem:
    """Chernoff's tail of the mean of T variables, whose square is 1/T."""
    T = var("T")
    positive = auto(lt(0, T))
    conditions = reciprocal_positive(positive), assume(le(0, var("epsilon"))), _of_mean(statement)
    values = {"X": fn("", law_of_mean()), "v1": 1 / T, "level": var("epsilon")}
    return auto(statement.then, instance(tail_of_subgaussian(), values, *conditions))


@proof
def largest_sum(statement: All) -> Theorem:
    """The sum stops at the level: its tail at t = epsilon mu/sigma^2, where mu costs t mu for each variable."""
    n, mu, sigma, epsilon, delta = map(var, ("n", "average", "sigma", "epsilon", "delta"))
    spread, level, i = sigma * sigma, (1 + epsilon) * mu * n, var("i")
    positive = assume(lt(0, delta))
    tilt = epsilon * mu / spread
    most = tilt * mu + tilt * tilt * spread / 2
    known = next(assume(f) for f in statement.given if isinstance(f, All))
    in_range = nat(i), lt(i, n)
    X, moved = law("X", i), noisy(mu, law("X", i))
    names, given, goal = parts_of(grows(moved, tilt, most))
    at = [for_all("x", instance(assume(f), {"x": mu + x})) for f in given]
    of_one = of_subgaussian(instance(known, {}, *map(assume, in_range)), X, tilt, spread)
    scaled = exp(-tilt * mu) * app("g", mu + x)
    of_part = (
        product(weak(exp_positive(-tilt * mu)), instance(at[0])),
        auto(le(scaled, exp(tilt * x)), (exp(-tilt * mu), instance(at[1]))),
    )
    bound = auto(goal, (exp(tilt * mu), instance(of_one, {"g": fn("x", scaled)}, *(for_all("x", f) for f in of_part))))
    each = for_all("i", for_all(names, bound, *given), *in_range)
    values = {"X": fn("i", moved), "N": n, "t": tilt, "l": most, "level": level}
    of_sum = instance(stopped(), values, each)
    stops = sum_until(level, lambda i: noisy(mu, law("X", i)), n)
    rare = instance(tail(1), {"X": fn("", stops), "t": tilt, "a": level, "l": n * most}, of_sum)
    log = Term("log", (1 / delta,))
    value = exp_log(reciprocal_positive(positive))
    smaller = exp_monotone(auto(le(n * most - tilt * level, -log)))
    return auto(statement.then, rare, smaller, (exp(-log) * delta, value))


def law_of_mean() -> Term:
    return multiple(1 / var("T"), sum_of_all(lambda i: law("X", i), var("T")))


@proof
def radius(statement: All) -> Theorem:
    """The same tail below the mean, at the radius: what is not below it is above."""
    T, delta, most = var("T"), var("delta"), var("radius")
    positive, some = assume(lt(0, delta)), auto(lt(0, T))
    of_mean = _of_mean(statement)
    below = instance(turned(), {"X": fn("", law_of_mean()), "v1": 1 / T}, of_mean)
    conditions = reciprocal_positive(some), assume(le(0, most)), below
    rare = instance(
        tail_of_subgaussian(), {"X": fn("", multiple(-1, law_of_mean())), "v1": 1 / T, "level": most}, *conditions
    )
    inside, outside = Term("ind", (-x, most)), Term("ind", (most, -x))
    one = le(1, inside + outside)
    is_inside, is_outside = assume(le(-x, most)), assume(le(most, -x))
    either = cases(auto(one, at_most(is_inside)), auto(one, at_most(is_outside)), -x, most)
    log = Term("log", (1 / delta,))
    value = exp_log(reciprocal_positive(positive))
    smaller = exp_monotone(auto(le(-T * most * most / 2, -log)))
    return auto(statement.then, mono(either, "x", law_of_mean()), rare, smaller, (exp(-log) * delta, value))


@lemma("X v1")
def turned() -> Theorem:
    """-X is as subgaussian as X: g(-x) at -t."""
    X, v = law("X"), var("v1")
    known = subgaussian(X, v)
    suppose(known)
    names, given, goal = parts_of(subgaussian(multiple(-1, X), v))
    at = [for_all("x", instance(assume(f), {"x": -x})) for f in given]
    bound = instance(assume(known), {"t": -t, "g": fn("x", app("g", -x))}, *at)
    return for_all(names, auto(goal, bound), *given)


@proof
def hoeffding(statement: All) -> Theorem:
    """e^(t x) is at most its chord over [low, high], at mean zero the moment of two values."""
    _, given, goal = parts_of(statement.then)
    _, high_g = (instance(assume(f)) for f in given)
    a, b, X, g = var("low"), var("high"), law("X"), app("g", x)
    known = assume(statement.given[-1])
    above, below = assume(le(a, x)), assume(le(x, b))
    inside = Term("ind", (a, x)) * Term("ind", (x, b))

    def by_chord(clip: Term, is_clip: Theorem, chord: Theorem) -> tuple[Theorem, Theorem]:
        """The mean of the clipped x is 0, and that of g at most that of the chord."""
        centred = instance(known, {"g": fn("x", clip)}, is_clip)
        is_inside = auto(eq(inside, 1), at_most(above), at_most(below))
        kept = auto(eq(clip + (1 - inside) * g, x), is_clip, is_inside)
        outside = instance(known, {"g": fn("x", clip + (1 - inside) * g)}, kept)
        line = chord.conclusion.args[1]  # type: ignore[union-attr]
        less = le(inside * g, line)
        here = auto(less, high_g, same(is_clip, "w", exp(t * var("w"))), chord, is_inside)
        positive = auto(le(0, line), chord)
        zeros = not_at_most(assume(lt(x, a))), not_at_most(assume(lt(b, x)))
        left = auto(less, positive, zeros[0])
        each = cases(cases(here, auto(less, positive, zeros[1]), x, b), left, a, x)
        return centred, auto(le(mean("x", X, g), mean("x", X, line)), mono(each, "x", X), centred, outside)

    # low < high: the clipped x is low + width V, V being the share of [0, 1] below
    wide = assume(lt(a, b))
    width, v = b - a, var("v")
    some_width = auto(lt(0, width), wide)
    share = (x - a) / width
    V = mean("v", law("Unit"), Term("ind", (v, share)))
    inverse = reciprocal(some_width)
    shares = product(auto(le(0, x - a), above), weak(reciprocal_positive(some_width)))
    at_most_one = auto(le(share, 1), (reciprocal_positive(some_width), below), inverse)
    is_share = unit(share, "v", shares, at_most_one)
    is_clip = auto(eq(a + width * V, x), (width, is_share), inverse)
    V_low, V_high = (mono(indicator(v, share, k), "v", law("Unit")) for k in (3, 4))
    line = chord(V, V_low, V_high, t * width)
    scaled = auto(le(exp(t * (a + width * V)), exp(t * a) * line.conclusion.args[1]), line)  # type: ignore[union-attr]
    centred, bound = by_chord(a + width * V, is_clip, scaled)
    p = mean("x", X, V)
    means = mono(V_low, "x", X), mono(V_high, "x", X)
    two = instance(two_values(), {"p": p, "s": t * width}, *means)
    tilt = same(centred, "w", exp(t * var("w")))
    apart = auto(goal, bound, two, tilt)

    # low = high: both are 0
    no_width = assume(le(b, a))
    is_point = antisymmetric(above, auto(le(x, a), below, no_width))
    centred, bound = by_chord(a, is_point, auto(le(exp(t * a), exp(t * a))))
    at_zero = same(centred, "w", exp(t * var("w")))
    certain = auto(goal, bound, at_zero, exp_tangent(t * t * width * width / 8), square(t * width))
    return cases(certain, apart, b, a)
