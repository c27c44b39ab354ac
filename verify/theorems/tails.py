"""Proofs in the kernel of tails: of Laplace noise, of the mean of rewards in [0, 1], and of both together."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.policies import is_arm
from banditproof.verify.kernel.tactics import positive
from banditproof.verify.kernel.variables import gaussian, in_interval, mean_of, sum_of_independent
from banditproof.verify.theorems.hoeffding import two_values
from banditproof.verify.theorems.moments import all_of_them, both, grows, multiplied, tail
from banditproof.verify.theorems.policies import picked, sum_over
from banditproof.verify.theorems.testing import chord

t, x, y, z, i, n, centre, b = map(var, ("t", "x", "y", "z", "i", "n", "centre", "b"))


REWARD = in_interval(law("X"), 0, 1, centre)
V = mean("v", UNIT, ind(var("v"), x))  # x in [0, 1]: what is 0 below and 1 above


@lemma("X centre", REWARD)
def is_centre() -> Theorem:
    """E V = mu for X in [0, 1] of mean mu."""
    return instance(assume(REWARD), {"g": fn("x", V)}, unit(x, "v", assume(le(0, x)), assume(le(x, 1))))


@lemma("X centre t", REWARD)
def below_a_coin() -> Theorem:
    """E g <= 1 + mu (e^t - 1) for X in [0, 1] of mean mu and bounded g with 0 <= g <= e^(t x): by the chord at V.

    What is added to V outside is not seen by the mean, so nothing is there.
    """
    names, given, _ = parts_of(grows(law("X"), t, 0))
    _, high = (instance(assume(f)) for f in given)
    above, below, g = assume(le(0, x)), assume(le(x, 1)), app("g", x)
    inside = ind(0, x) * ind(x, 1)
    is_V, is_inside = unit(x, "v", above, below), auto(eq(inside, 1), at_most(above), at_most(below))
    kept = auto(eq(V + (1 - inside) * g, x), is_V, is_inside)
    outside = instance(assume(REWARD), {"g": fn("x", V + (1 - inside) * g)}, kept)
    low_line, high_line = (mono(indicator(var("v"), x, k), "v", UNIT) for k in (3, 4))
    line = chord(V, low_line, high_line, t)
    less = le(inside * g, 1 - V + V * exp(t))
    here = auto(less, high, same(is_V, "w", exp(t * var("w"))), line, is_inside)
    left, right = (auto(less, line, not_at_most(assume(f))) for f in (lt(x, 0), lt(1, x)))
    each = mono(cases(cases(here, right, x, term(1)), left, term(0), x), "x", law("X"))
    goal = le(mean("x", law("X"), g), 1 + centre * (exp(t) - 1))
    return for_all(names, auto(goal, each, instance(is_centre()), outside), *given)


@lemma("X centre t", REWARD)
def in_the_unit_interval() -> Theorem:
    """E e^(t X) <= e^(t mu + t^2/8) for X in [0, 1] of mean mu: a coin of this mean grows no more."""
    names, given, goal = parts_of(grows(law("X"), t, t * centre + t * t / 8))
    ends = (mono(mono(indicator(var("v"), x, k), "v", UNIT), "x", law("X")) for k in (3, 4))
    low, high = (
        auto(f, end, instance(is_centre())) for f, end in zip((le(0, centre), le(centre, 1)), ends, strict=True)
    )
    coin = instance(two_values(), {"p": centre, "s": t}, low, high)
    below = instance(instance(below_a_coin()), {}, *map(assume, given))
    return for_all(names, auto(goal, below, (exp(t * centre), coin)), *given)


@lemma("X n centre t", nat(n), le(1, n), in_interval(law("X"), 0, 1, centre))
def mean_in_the_unit_interval() -> Theorem:
    """E e^(t M) <= e^(t mu + t^2/(8 n)) for the mean M of n >= 1 independent variables in [0, 1] of mean mu."""
    X = law("X")
    tilt = t / n
    one = instance(in_the_unit_interval(), {"t": tilt})
    most = tilt * centre + tilt * tilt / 8
    each = one
    values = {"X": fn("i", X), "N": n, "t": tilt, "l": fn("i", most)}
    of_sum = instance(all_of_them(), values, each)
    total = sum_of_all(lambda i: X, n)
    at_mean = instance(multiplied(), {"X": fn("", total), "c": 1 / n, "l": n * most}, of_sum)
    names, given, goal = parts_of(grows(mean_of(X, n), t, t * centre + t * t / (8 * n)))
    return for_all(names, auto(goal, instance(at_mean, {}, *map(assume, given))), *given)


@lemma("X n centre beta", nat(n), le(1, n), in_interval(law("X"), 0, 1, centre), le(0, var("beta")))
def mean_tail(sign: int) -> Theorem:
    """Of such a mean: P(M >= mu + beta) <= e^(-2 n beta^2), by the tail at t = 4 n beta, and the same below mu."""
    beta, X = var("beta"), law("X")
    tilt = sign * 4 * n * beta
    at = instance(mean_in_the_unit_interval(), {"t": tilt})
    most = tilt * centre + tilt * tilt / (8 * n)
    end, square = centre + sign * beta, 2 * n * beta * beta
    proved = instance(tail(sign), {"X": fn("", mean_of(X, n)), "t": tilt, "a": end, "l": most}, at)
    goal = le(proved.conclusion.args[0], exp(-square))  # type: ignore[union-attr]
    return auto(goal, proved)


@proof
def _hoeffding(statement: All, sign: int) -> Theorem:
    return auto(statement.then, instance(mean_tail(sign), {}))


hoeffding_above, hoeffding_below = both_sides(_hoeffding)


# ---------------------------------------------------------------------------------------------------- with noise


@lemma("t v")
def of_gaussian() -> Theorem:
    """E e^(t Z) <= e^(t^2 v/2) for Z of N(0, v): the density, moved by t v, is e^(t x - t^2 v/2) times itself."""
    v = var("v")
    (positive,) = suppose(lt(0, v))
    names, given, goal = parts_of(grows(gaussian(v), t, t * t * v / 2))
    high = instance(assume(given[1]))
    c, most = t * v, exp(t * t * v / 2)
    ratio = x * x / (2 * v) - (x - c) * (x - c) / (2 * v)
    below = auto(le(app("g", x), most * exp(ratio)), high)
    return for_all(names, auto(goal, moved(below, positive, "x", gaussian(v), 1, c, most)), *given)


@lemma("X n centre v width delta")
def gaussian_mean(sign: int) -> Theorem:
    """The squares 1/(4 n) and v of the mean and of the noise add up to V; the tail at t = width/V."""
    X, width, v, delta = law("X"), var("width"), var("v"), var("delta")
    known, small = assume(in_interval(X, 0, 1, centre)), assume(lt(0, delta))
    some, spread, far = auto(lt(0, n), assume(le(1, n))), assume(lt(0, v)), assume(le(0, width))
    log, is_delta = level_of_delta()
    wide = assume(le((1 / (2 * n) + 2 * v) * log, width * width))
    V = 1 / (4 * n) + v
    positive = auto(lt(0, V), reciprocal_positive(some), spread)
    inverse, one = reciprocal_positive(positive), reciprocal(positive)
    tilt = sign * width / V
    of_mean = instance(mean_in_the_unit_interval(), {"t": tilt}, assume(nat(n)), assume(le(1, n)), known)
    of_noise = instance(of_gaussian(), {"t": tilt}, spread)
    exponents = {"l": tilt * centre + tilt * tilt / (8 * n), "m": tilt * tilt * v / 2}
    laws = {"X": fn("", mean_of(X, n)), "Y": fn("", gaussian(v))}
    of_both = instance(both(), {**laws, "t": tilt, **exponents}, of_mean, of_noise)
    side = product(far, weak(inverse))
    most, noisy = exponents["l"] + exponents["m"], sum_of_independent(mean_of(X, n), gaussian(v))
    values = {"X": fn("", noisy), "t": tilt, "a": centre + sign * width, "l": most}
    proved = instance(tail(sign), values, of_both, auto(le(0, tilt) if sign == 1 else le(tilt, 0), side))
    exponent = most - tilt * (centre + sign * width)
    enough = exp_monotone(auto(le(exponent, -log), (inverse, wide), one))
    least = auto(le(proved.conclusion.args[0], delta), proved, enough, is_delta)  # type: ignore[union-attr]
    conditions = (f.conclusion for f in (known, spread, far, small, wide))
    suppose(nat(n), le(1, n), *conditions)
    return least


def gaussian_mean_above(statement: All) -> Theorem:
    return _gaussian_mean(statement, 1, *variance())


def gaussian_mean_below(statement: All) -> Theorem:
    return _gaussian_mean(statement, -1, *variance())


def gaussian_mean_above_of_order(statement: All) -> Theorem:
    return _gaussian_mean(statement, 1, *variance_of_order())


def gaussian_mean_below_of_order(statement: All) -> Theorem:
    return _gaussian_mean(statement, -1, *variance_of_order())


def variance() -> tuple[Term, Theorem]:
    """1/(2 rho), which is positive."""
    rho = var("rho")
    return 1 / (2 * rho), reciprocal_positive(auto(lt(0, 2 * rho), assume(lt(0, rho))))


def variance_of_order() -> tuple[Term, Theorem]:
    """alpha/(2 epsilon), which is positive."""
    alpha, epsilon = var("alpha"), var("epsilon")
    positive = reciprocal_positive(auto(lt(0, 2 * epsilon), assume(lt(0, epsilon))))
    return alpha / (2 * epsilon), product(auto(lt(0, alpha), assume(lt(1, alpha))), positive)


@proof
def _gaussian_mean(statement: All, sign: int, square: Term, positive: Theorem) -> Theorem:
    """The noise of a sum has the variance `square`."""
    return auto(statement.then, instance(gaussian_mean(sign), {"v": square / (n * n)}))


def level_of_delta() -> tuple[Term, Theorem]:
    """log(1/delta), and that e^-log(1/delta) = delta."""
    delta = var("delta")
    positive = assume(lt(0, delta))
    log = Term("log", (1 / delta,))
    value, inverse = exp_log(reciprocal_positive(positive)), reciprocal(positive)
    return log, auto(eq(exp(-log), delta), (exp(-log) * delta, value), (exp(-log), inverse))


# ---------------------------------------------------------------------------------------------------- Laplace noise


def size_of(at: Term) -> Term:
    return at * (2 * Term("ind", (term(0), at)) - 1)


def ratio(s: int, c: Any) -> Term:
    """The logarithm of the density at s (x - c) over that at x."""
    return size_of(x) / b - size_of(s * (x - c)) / b


@lemma("z w b")
def farther() -> Theorem:
    """P(X >= z) <= e^(-(z - w)/b) P(X >= w) for X of Lap(b) and z, w >= 0: the density at x >= z is that much."""
    w = var("w")
    c, positive, ends = z - w, assume(lt(0, b)), (assume(le(0, z)), assume(le(0, w)))
    suppose(*(e.conclusion for e in ends), positive.conclusion)
    f, factor = Term("ind", (z, x)), exp(-(z - w) / b)
    goal = le(f, factor * f * exp(ratio(1, c)))
    beyond = assume(le(z, x))
    signs = at_most(auto(le(0, x), beyond)), at_most(auto(le(0, x - c), beyond))
    exponent = auto(eq(ratio(1, c), (z - w) / b), (2 * x / b, signs[0]), (2 * (x - c) / b, signs[1]))
    here = auto(goal, (factor * f, exp_equal(exponent)))
    off = not_at_most(assume(lt(x, z)))
    return moved(cases(here, auto(goal, off), z, x), positive, "x", laplace(b), 1, c, factor * f)


@lemma("z b")
def turned(sign: int) -> Theorem:
    """P(X >= z) <= P(-X >= z) for X of Lap(b), and the other way round, which is the sign -1."""
    f = Term("ind", (z, sign * x))
    (positive,) = suppose(lt(0, b))
    up, down = Term("ind", (term(0), x)), Term("ind", (term(0), -x))
    inside, outside = assume(le(0, x)), assume(le(x, 0))
    flat = eq(size_of(x), size_of(-x))
    # x >= 0: up = 1 and x down = 0
    none = antisymmetric(auto(le(x * down, 0), indicator(term(0), -x, 1)), product(inside, indicator(term(0), -x, 3)))
    right = auto(flat, (2 * x, at_most(inside)), none)
    some = antisymmetric(
        auto(le(-x * up, 0), indicator(term(0), x, 1)), product(auto(le(0, -x), outside), indicator(term(0), x, 3))
    )
    left = auto(flat, (-2 * x, at_most(auto(le(0, -x), outside))), some)
    exponent = auto(eq(ratio(-1, 0), 0), (1 / b, cases(right, left, term(0), x)))
    below = auto(le(f, f * exp(ratio(-1, 0))), (f, exp_equal(exponent)))
    return moved(below, positive, "x", laplace(b), -1, term(0), f)


@lemma("A1 B1")
def in_the_limit() -> Theorem:
    """A <= B from 0 <= A <= 1 and A e^-u <= B for all u > 0."""
    A, B, u = map(var, ("A1", "B1", "u"))
    each, small = assume(All(("u",), (lt(0, u),), le(A * exp(-u), B))), assume(le(A, 1))
    least, above = assume(le(0, A)), assume(lt(B, A))
    gap = auto(lt(0, (A - B) / 2), above)
    near = instance(each, {"u": (A - B) / 2}, gap)
    false = contradiction(gap, near, (gap, small), (least, exp_tangent(-(A - B) / 2)))
    given = each.conclusion, least.conclusion, small.conclusion
    suppose(*given)
    return by_contradiction(le(A, B), false)


def beyond(z: Any) -> Term:
    """P(X >= z) for X of Lap(b)."""
    return mean("x", laplace(b), Term("ind", (term(z), x)))


def _bounds(z: Any) -> tuple[Theorem, Theorem]:
    """0 <= P(X >= z) <= 1."""
    return tuple(mono(indicator(term(z), x, k), "x", laplace(b)) for k in (3, 4))  # type: ignore[return-value]


@lemma("b")
def half() -> Theorem:
    """P(X >= 0) = 1/2 for X of Lap(b): by symmetry at least, and at most twice P(X >= u b), which tends to it."""
    u = var("u")
    (positive,) = suppose(lt(0, b))
    far = auto(lt(0, u * b), product(assume(lt(0, u)), positive))
    apart = instance(farther(), {"z": term(0), "w": u * b}, far)
    right, left = Term("ind", (u * b, x)), Term("ind", (u * b, -x))
    not_both = le(right + left, 1)
    is_right = assume(le(u * b, x))
    off = not_at_most(auto(lt(-x, u * b), is_right, far))
    first = auto(not_both, off)
    is_left = assume(lt(x, u * b))
    sides = mono(cases(first, auto(not_both, not_at_most(is_left)), u * b, x), "x", laplace(b))
    each = for_all(
        "u", auto(le(beyond(0) * exp(-u), term(1) / 2), apart, sides, instance(turned(1), {"z": u * b})), lt(0, u)
    )
    high = instance(in_the_limit(), {"A1": beyond(0), "B1": term(1) / 2}, each, *_bounds(0))
    right, left = Term("ind", (term(0), x)), Term("ind", (term(0), -x))
    either = le(1, right + left)
    up = auto(either, at_most(assume(le(0, x))))
    down = auto(either, at_most(auto(le(0, -x), assume(le(x, 0)))))
    whole = mono(cases(up, down, term(0), x), "x", laplace(b))
    low = auto(le(term(1) / 2, beyond(0)), whole, instance(turned(-1), {"z": term(0)}))
    return antisymmetric(high, low)


@lemma("z b", le(0, z), lt(0, b))
def laplace_tail(sign: int) -> Theorem:
    """P(X >= z) <= e^(-z/b)/2 for X of Lap(b) and z >= 0, and P(X <= -z), which is the sign -1."""
    at = instance(farther(), {"w": term(0)})
    proved = auto(le(beyond(z), exp(-z / b) / 2), at, (exp(-z / b), instance(half())))
    if sign == -1:
        below = mean("x", laplace(b), Term("ind", (x, -z)))
        proved = auto(le(below, exp(-z / b) / 2), proved, instance(turned(-1)))
    return proved


@proof
def _laplace(statement: All, sign: int) -> Theorem:
    scale, level = var("scale"), var("level")
    return auto(statement.then, instance(strict_tail(sign), {"a": level, "b": scale}))


laplace_above, laplace_below = both_sides(_laplace)


@lemma("a b", lt(0, var("a")))
def strict_tail(sign: int) -> Theorem:
    """P(X > a) = e^(-a/b)/2: at most P(X >= a), and at least P(X >= a + u b), which tends to it."""
    a, u = var("a"), var("u")
    more = assume(lt(0, u))
    (positive,) = suppose(lt(0, b))
    at = sign * x
    outside = 1 - Term("ind", (at, a))
    strictly = mean("x", laplace(b), outside)

    def turned_to(z: Term, way: int) -> Theorem:
        """P(-X >= z) <= P(X >= z) for -1, and the other way round for 1; nothing is to be turned where X is above a."""
        return auto(le(0, 0)) if sign == 1 else instance(turned(way), {"z": z})

    below, above = assume(le(at, a)), assume(lt(a, at))
    goal = le(outside, Term("ind", (a, at)))
    not_more = cases(auto(goal, at_most(below)), auto(goal, at_most(above)), at, a)
    tail_at = instance(laplace_tail(1), {"z": a})
    high = auto(le(strictly, exp(-a / b) / 2), mono(not_more, "x", laplace(b)), tail_at, turned_to(a, -1))
    beyond_it, far = a + u * b, product(more, positive)
    reaches = Term("ind", (beyond_it, at))
    goal = le(reaches, outside)
    less = cases(auto(goal, not_at_most(auto(lt(at, beyond_it), below, far))), auto(goal, not_at_most(above)), at, a)
    back = instance(farther(), {"z": term(0), "w": beyond_it}, auto(le(0, beyond_it), far))
    scale = (beyond_it - 0) / b
    proved = auto(
        le(exp(-a / b) / 2 * exp(-u), strictly),
        mono(less, "x", laplace(b)),
        turned_to(beyond_it, 1),
        (exp(-scale), back),
        instance(half()),
    )
    small = exp_monotone(auto(le(-a / b, 0)))
    values = {"A1": exp(-a / b) / 2, "B1": strictly}
    ends = weak(auto(lt(0, exp(-a / b) / 2))), auto(le(exp(-a / b) / 2, 1), small)
    low = instance(in_the_limit(), values, for_all("u", proved, lt(0, u)), *ends)
    return antisymmetric(high, low)


@proof
def _laplace_mean(statement: All, sign: int) -> Theorem:
    """If both together are so far from mu, the mean is more than the width away, or the noise more than log/(n eps)."""
    width, epsilon = var("width"), var("epsilon")
    of_average, of_margin = map(assume, statement.given[-3:-1])
    average, margin = (app(name, var("z"), 0) / app(name, var("z"), 1) for name in ("average", "noise"))
    scale, log = 1 / (n * epsilon), Term("log", (1 / var("delta"),))
    _, is_delta = level_of_delta()
    delta, small = assume(lt(0, var("delta"))), assume(le(var("delta"), 1))
    not_negative = log_not_negative(delta, small)
    z = log / (n * epsilon)
    far = auto(le(0, z), not_negative)
    of_mean = instance(mean_tail(sign), {"beta": width})
    of_noise = instance(laplace_tail(sign), {"z": z, "b": scale}, far)
    upper = [(centre + width, x), (z, y), (centre, x + y - z - width)]
    lower = [(x, centre - width), (y, -z), (x + y + z + width, centre)]
    ends = upper if sign == 1 else lower
    first, second, together = (Term("ind", pair) for pair in ends)
    goal = le(together, first + second)
    one, other = (assume(le(*pair)) for pair in ends[:2])
    not_one, not_other = (assume(lt(b, a)) for a, b in ends[:2])
    neither = not_at_most(auto(lt(*reversed(ends[2])), not_one, not_other))
    rest = auto(goal, neither)
    by_noise = auto(goal, at_most(other))
    by_mean = auto(goal, at_most(one))
    either = cases(by_mean, cases(by_noise, rest, *ends[1]), *ends[0])
    both_tails = mono(instance(for_all("x y", either), {"x": average, "y": margin}), "z", law("joint"))
    moved = instance(of_average, {"g": fn("x", first)}), instance(of_margin, {"g": fn("y", second)})
    enough = exp_monotone(auto(le(-2 * n * width * width, -log)))
    return auto(statement.then, both_tails, *moved, of_mean, of_noise, enough, is_delta)


laplace_mean_above, laplace_mean_below = both_sides(_laplace_mean)


def log_not_negative(positive: Theorem, small: Theorem) -> Theorem:
    """0 <= log(1/delta) for 0 < delta <= 1."""
    delta = var("delta")
    log = Term("log", (1 / delta,))
    below = assume(lt(log, 0))
    value = exp_log(reciprocal_positive(positive))
    at_least_one = auto(le(1, exp(log)), value)
    return by_contradiction(le(0, log), contradiction(below, exp_tangent(-log), at_least_one))


@lemma("z b", le(0, z), lt(0, b))
def both_tails() -> Theorem:
    """P(|X| >= z) <= e^(-z/b) for X of Lap(b) and z >= 0."""
    goal = le(ind(z, size_of(x)), ind(z, x) + ind(x, -z))
    right = auto(eq(size_of(x), x), (2 * x, at_most(assume(le(0, x)))))
    left = auto(eq(size_of(x), -x), (2 * x, not_at_most(assume(lt(x, 0)))))
    sides = (auto(goal, same(p, "w", ind(z, var("w")))) for p in (right, left))
    tails = (instance(laplace_tail(sign)) for sign in (1, -1))
    whole = mono(cases(*sides, term(0), x), "x", laplace(b))
    return auto(le(mean("x", laplace(b), ind(z, size_of(x))), exp(-z / b)), whole, *tails)


@proof
def some_large_noise(statement: All) -> Theorem:
    """An event on which some noise is large is no likelier than all are together, each at most e^(-level/scale)."""
    N, T, scale, level = (var(name) for name in ("N", "T", "lam", "level"))
    count, A, spot, joint = N * T, app("A", z), var("spot"), law("joint")
    names, (event, none), goal = parts_of(statement.then)

    def large(i: Any) -> Term:
        return ind(level, size(app("noise", z, i, 0) / app("noise", z, i, 1)))

    total, is_place = sum_of(large, count, "i"), (nat(spot), lt(spot, count))
    _, rest = bounds_of_event(equal(i, spot), equal_is_event(i, spot))
    others = sum_over(auto(le(0, large(i) * (1 - equal(i, spot))), (indicator(*large(i).args, 3), rest)), "i", count)
    above = auto(le(large(spot), total), others, picked(large, spot, count))
    idempotent = instance(assume(event), {"x": z})
    _, at_most_one = bounds_of_event(A, idempotent)
    fewer = assume(lt(total, A))
    is_large = at_most(assume(le(*large(spot).args)))
    small = by_contradiction(lt(*reversed(large(spot).args)), contradiction(is_large, above, fewer, at_most_one))
    nothing = instance(assume(none), {}, for_all("spot", small, *is_place))
    not_negative = sum_over(indicator(*large(i).args, 3), "i", count)
    below = by_contradiction(le(A, total), contradiction(nothing, fewer, not_negative))
    each = instance(assume(statement.given[-2]), {}, *map(assume, is_arm(i, count)))
    tail = instance(both_tails(), {"z": level, "b": scale})
    of_law = instance(each, {"g": fn("x", ind(level, size_of(x)))})
    chance, bound = mean("z", joint, large(i)), exp(-level / scale)
    whole = sum_over(auto(le(0, bound - chance), of_law, tail), "i", count)
    swapped = fubini("z", joint, "i", uniform(count), large(i))
    union = auto(le(mean("z", joint, A), count * bound), mono(below, "z", joint), (count, swapped), whole)
    return auto(conclusion(statement), union, small_level(N, T, scale, level))


def small_level(N: Term, T: Term, scale: Term, level: Term) -> Theorem:
    """N T e^(-level/scale) <= 1/T, where level is at least a root of 10 times scale log(N T), and so twice that."""
    count, log = N * T, Term("log", (N * T,))
    spread = scale * log
    grown, least = exp_log(product(positive(N), positive(T))), auto(le(T, count))
    at_least_one = auto(le(1, count), least)
    negative = contradiction(exp_tangent(-log), (exp(-log), grown), (exp(-log), at_least_one), assume(lt(log, 0)))
    not_negative = by_contradiction(le(0, log), negative)
    twice = product(weak(positive(scale)), not_negative)
    below = assume(lt(level, 2 * spread))
    some = auto(lt(0, spread), below)
    wide = assume(le(10 * spread * spread, level * level))
    false = contradiction((assume(le(0, level)), below), (twice, below), wide, product(some, some))
    far = by_contradiction(le(2 * spread, level), false)
    enough = exp_monotone(auto(le(-level / scale, -2 * log), (1 / scale, far)))
    of_T = auto(le(T * count * exp(-2 * log), 1), (exp(-2 * log) * T, grown), (exp(-log), grown))
    return auto(le(count * exp(-level / scale), 1 / T), (count, enough), (1 / T, of_T))
