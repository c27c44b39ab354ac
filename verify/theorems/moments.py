"""Proofs in the kernel about E e^(t X) at one t: multiples, sums of independent variables, Chernoff's tail."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.variables import sum_of_independent, sum_until

t, x, y, i, n, mu, h, w = map(var, ("t", "x", "y", "i", "n", "mu", "h", "w"))


def grows(X: Term, t: Any, most: Any) -> All:
    """E e^(t X) <= e^most, at one t: so is E g for bounded functions g with 0 <= g <= e^(t x)."""
    g = app("g", x)
    given = All(("x",), (), le(0, g)), All(("x",), (), le(g, exp(t * x)))
    return All(("g",), given, le(mean("x", X, g), exp(most)))


@lemma("X Y t l m", grows(law("X"), t, var("l")), grows(law("Y"), t, var("m")))
def both() -> Theorem:
    """Of independent X and Y the exponents add up: for fixed x the mean of g(x + Y) is at most e^(t x) times e^m."""
    X, Y, one, two = law("X"), law("Y"), var("l"), var("m")
    names, given, goal = parts_of(grows(sum_of_independent(X, Y), t, one + two))
    low, high = map(assume, given)
    known = grows(X, t, one), grows(Y, t, two)
    of_X, of_Y = map(assume, known)
    g = app("g", x + y)
    at_sum = [instance(f, {"x": x + y}) for f in (low, high)]
    part = exp(-t * x) * g
    of_part = [product(weak(exp_positive(-t * x)), at_sum[0]), auto(le(part, exp(t * y)), (exp(-t * x), at_sum[1]))]
    at_y = instance(of_Y, {"g": fn("y", part)}, *(for_all("y", f) for f in of_part))
    rest = exp(-two) * mean("y", Y, g)
    lower = auto(le(0, rest), (exp(-two), mono(at_sum[0], "y", Y)))
    upper = auto(le(rest, exp(t * x)), (exp(t * x - two), at_y))
    at_x = instance(of_X, {"g": fn("x", rest)}, lower, upper)
    return for_all(names, auto(goal, (exp(two), at_x)), *given)


def sum_to(n: Any) -> Term:
    """l(0) + ... + l(n - 1)."""
    return term(n) * mean("j", law("Unif", n), app("l", var("j")))


@lemma("X N t l", nat(var("N")), All(("i",), (nat(i), lt(i, var("N"))), grows(law("X", i), t, app("l", i))))
def all_of_them() -> Theorem:
    """The same of n variables X(0), ..., X(n - 1) with the exponents l(i), by induction over them."""
    X, N = law("X", i), var("N")
    each = All(("i",), (nat(i), lt(i, N)), grows(X, t, app("l", i)))
    claim = All((), (le(n, N),), grows(sum_of_all(lambda i: law("X", i), n), t, sum_to(n)))
    _, given, goal = parts_of(claim.then)
    step, g = sum_of_all(lambda i: law("X", i), 0).args[3], app("g", x)
    at_0 = instance(assume(given[1]), {"x": term(0)})
    start = auto(replace(goal, {"n": term(0)}), steps_zero("x", g, "i", "h", term(0), step), at_0)
    pn, room = assume(nat(n)), assume(le(n + 1, N))
    before = instance(assume(claim), {}, auto(le(n, N), room))
    last = instance(assume(each), {"i": n}, pn, auto(lt(n, N), room))
    values = {"X": fn("", sum_of_all(lambda i: law("X", i), n)), "Y": fn("", law("X", n)), "l": sum_to(n)}
    more = instance(instance(both(), {**values, "m": app("l", n)}, before, last), {}, *map(assume, given))
    whole = exp_equal(uniform_next(pn, "j", app("l", var("j"))))
    after = auto(replace(goal, {"n": n + 1}), more, steps_next(pn, "x", g, "i", "h", term(0), step), whole)
    first = start
    then = after
    return instance(induction("n", first, then, claim, at=N))


@lemma(
    "X N t l level",
    nat(var("N")),
    le(0, var("l")),
    All(("i",), (nat(i), lt(i, var("N"))), grows(law("X", i), t, var("l"))),
)
def stopped() -> Theorem:
    """That of the sum that stops at a level is at most n l, for l >= 0: a sum that stops is at most what goes on."""
    N, most, level = var("N"), var("l"), var("level")
    each = All(("i",), (nat(i), lt(i, N)), grows(law("X", i), t, most))
    claim = All((), (le(n, N),), grows(sum_until(level, lambda i: law("X", i), n), t, n * most))
    _, given, goal = parts_of(claim.then)
    step, g, w = sum_until(level, lambda i: law("X", i), 0).args[3], app("g", x), var("w")
    at_0 = instance(assume(given[1]), {"x": term(0)})
    start = auto(replace(goal, {"n": term(0)}), steps_zero("x", g, "i", "h", term(0), step), at_0)
    pn, room = assume(nat(n)), assume(le(n + 1, N))
    last = instance(assume(each), {"i": n}, pn, auto(lt(n, N), room))
    going, then = 1 - ind(level, h), mean("y", law("X", n), app("g", h + w * y))
    low, high = map(assume, given)
    goes_on = [instance(f, {"x": h + y}) for f in (low, high)]
    part = exp(-t * h) * app("g", h + y)
    of_part = product(weak(exp_positive(-t * h)), goes_on[0]), auto(le(part, exp(t * y)), (exp(-t * h), goes_on[1]))
    bound = instance(last, {"g": fn("y", part)}, *(for_all("y", f) for f in of_part))
    more = (exp(t * h), exp_tangent(most)), product(weak(exp_positive(t * h)), assume(le(0, most)))
    later, ends = substitute(then, {"w": going}), exp(t * h + most)

    def at(value: int, here: Theorem, *known: Any) -> Theorem:
        return auto(le(later, ends), same(auto(eq(going, value), here), "w", then), *known)

    open_yet = at(1, not_at_most(assume(lt(h, level))), (exp(t * h), bound))
    stopped = at(0, at_most(assume(le(level, h))), instance(high, {"x": h}), *more)
    rest = exp(-most) * later
    lower = product(weak(exp_positive(-most)), mono(instance(low, {"x": h + going * y}), "y", law("X", n)))
    upper = auto(le(rest, exp(t * h)), (exp(-most), cases(stopped, open_yet, level, h)))
    before = instance(assume(claim), {}, auto(le(n, N), room))
    at_n = instance(
        before,
        {"g": fn("h", rest)},
        for_all("x", instance(for_all("h", lower), {"h": x})),
        for_all("x", instance(for_all("h", upper), {"h": x})),
    )
    after = auto(replace(goal, {"n": n + 1}), (exp(most), at_n), steps_next(pn, "x", g, "i", "h", term(0), step))
    return instance(induction("n", start, for_all("g", after, *given), claim, at=N))


@lemma("X t c l", grows(law("X"), t * var("c"), var("l")))
def multiplied() -> Theorem:
    """That of c X at t is that of X at t c."""
    X, c = law("X"), var("c")
    known = grows(X, t * c, var("l"))
    names, given, goal = parts_of(grows(multiple(c, X), t, var("l")))
    at = [for_all("x", instance(assume(f), {"x": c * x})) for f in given]
    bound = instance(assume(known), {"g": fn("x", app("g", c * x))}, *at)
    return for_all(names, auto(goal, bound), *given)


@lemma("X t a l")
def tail(sign: int) -> Theorem:
    """P(X >= a) <= e^(l - t a) for t >= 0, and P(X <= a) for t <= 0, which is the sign -1."""
    X, a, most = law("X"), var("a"), var("l")
    known, _ = suppose(grows(X, t, most), le(0, t) if sign == 1 else le(t, 0))
    ends = (a, x) if sign == 1 else (x, a)
    happens, grown = Term("ind", ends), exp(t * (x - a))
    some, none = indicator(*ends, 3), auto(le(0, 1 - happens))
    above = auto(
        le(happens, grown),
        (some, exp_tangent(t * (x - a))),
        (sign * t, indicator(*ends, 1)),
        (none, weak(exp_positive(t * (x - a)))),
    )
    scaled = exp(t * a) * happens
    high = auto(le(scaled, exp(t * x)), (exp(t * a), above))
    bound = instance(known, {"g": fn("x", scaled)}, high)
    return auto(le(mean("x", X, happens), exp(most - t * a)), (exp(-t * a), bound))
