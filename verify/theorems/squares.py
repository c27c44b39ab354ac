"""Proofs in the kernel of what e^(m X + s X^2/2) may be in the mean, for a subgaussian X.

For a walk U of n steps +-c from p, E e^(X U) = E e^(p X) cosh(c X)^n. That is nearly E e^(p X + v X^2/2) for v = n c^2,
and at most E e^(U U/2). No normal law is needed: with q = 1 - k c^2, k steps cost e^(p^2/(2 q))/sqrt(q), step by step.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.linear import one_subgaussian
from banditproof.verify.kernel.tactics import positive
from banditproof.verify.theorems.hoeffding import GROWN, L, doubled, in_the_limit, two_values
from banditproof.verify.theorems.moments import all_of_them, grows, tail
from banditproof.verify.theorems.subgaussian import tail_of_subgaussian, turned

c, k, m, n, p, r, s, u, v, w, x, y, z, R = map(var, "ckmnprsuvwxyzR")


def ordered_logs(known: Theorem) -> Theorem:
    """a <= b from exp(a) <= exp(b)."""
    a, b = (side.args[0] for side in known.conclusion.args)  # type: ignore[union-attr]
    return auto(le(a, b), exp_tangent(a - b), (exp(-b), known))


# ------------------------------------------------------------------------------------- numbers: cosh(x) >= 1 + x^2/2


@lemma("u", le(0, u))
def odd_part() -> Theorem:
    """2 u <= e^u - e^-u for u >= 0: it more than doubles from t to 2 t, and is at least 2 t - t^2."""
    at_k, low, next_k = w * GROWN, assume(le(0, w)), exp((k + 1) * L)

    def says(more: Term, grown: Term) -> Rel:
        return le((2 * w - w * w) * grown, exp(more) - exp(-more))

    some = auto(lt(0, 1 + w), low)
    inverse = weak(reciprocal_positive(some))
    below = auto(le((1 + w) * exp(-w), 1), (exp(-w), exp_tangent(w)))
    falls = auto(le(exp(-w), 1 / (1 + w)), (inverse, below), reciprocal(some))
    flat = auto(le(1 / (1 + w), 1 - w + w * w), (inverse, product(low, square(w))), (1 - w + w * w, reciprocal(some)))
    base = auto(says(w, term(1)), exp_tangent(w), falls, flat)
    claim = All(("w",), (le(0, w),), says(at_k, GROWN))
    rising = product(low, weak(exp_positive(k * L)))
    odd = auto(le(0, exp(at_k) - exp(-at_k)), exp_monotone(auto(le(-at_k, at_k), rising)))
    even = auto(le(0, exp(at_k) + exp(-at_k) - 2), exp_tangent(at_k), exp_tangent(-at_k))
    both = instance(assume(claim), {}, low), product(odd, even)
    twice = auto(le(2 * (2 * w - w * w) * GROWN, exp(2 * at_k) - exp(-2 * at_k)), *both)
    sides = [same(doubled(), "v", e) for e in (exp(w * v), exp(-w * v))]
    step = auto(says(w * next_k, next_k), twice, *sides, (2 * w - w * w, doubled()))
    here = instance(induction("k", base, step, claim, at=k), {"w": u * exp(-k * L)})
    X = 2 * u - exp(u) + exp(-u)
    known = auto(le(X, u * u * exp(-k * L)), (exp(k * L) * exp(-k * L), here))
    return auto(le(2 * u, exp(u) - exp(-u)), in_the_limit(X, u * u, term(0), known, square(u), auto(le(0, 0))))


@lemma("x")
def even_part() -> Theorem:
    """2 + x^2 <= e^x + e^-x: the rest is the square of e^(x/2) - e^(-x/2) less that of x."""
    goal = le(2 + x * x, exp(x) + exp(-x))

    def of(u: Term, low: Theorem) -> Theorem:
        odd = instance(odd_part(), {"u": u}, low)
        both = exp(u) - exp(-u)
        return auto(goal, product(auto(le(0, both - 2 * u), odd), auto(le(0, both + 2 * u), odd, low)))

    up, down = of(x / 2, auto(le(0, x / 2), assume(le(0, x)))), of(-x / 2, auto(le(0, -x / 2), assume(le(x, 0))))
    return cases(up, down, term(0), x)


# ------------------------------------------------------------------------------------------------ a walk of small steps

INSIDE = ind(-R, x) * ind(x, R)
CLIPPED = 2 * R * mean("u", UNIT, ind(u, (x + R) / (2 * R))) - R
HALF = term(Fraction(1, 2))
STEP = HALF * exp(c * CLIPPED) + HALF * exp(-c * CLIPPED)
NOISE = one_subgaussian(law("X"))


def is_clipped(low: Theorem, high: Theorem) -> Theorem:
    """The clipped x is x, for x in [-R, R]."""
    share, some = (x + R) / (2 * R), positive(2 * R)
    inverse = reciprocal_positive(some)
    above = product(auto(le(0, x + R), low), weak(inverse))
    below = auto(le(share, 1), (weak(inverse), high))
    return auto(eq(CLIPPED, x), (2 * R, unit(share, "u", above, below)))


def by_place(goal: Rel, inside: Callable[[Theorem], Theorem], outside: Theorem) -> Theorem:
    """A goal that follows for x in [-R, R], where the clipped x is x, and where INSIDE is 0."""
    low, high = assume(le(-R, x)), assume(le(x, R))
    here = inside(is_clipped(low, high))
    off = [auto(goal, not_at_most(assume(f))) for f in (lt(x, -R), lt(R, x))]
    return cases(cases(here, off[1], x, R), off[0], -R, x)


def moment_of(f: Term) -> Term:
    return mean("x", law("X"), INSIDE * f)


@lemma("X R p", NOISE, lt(0, R))
def clipped_moment() -> Theorem:
    """E e^(p X) 1[|X| <= R] <= e^(p^2/2), by bounded terms."""
    f, grown = INSIDE * exp(p * CLIPPED), exp(p * x)
    goal, ends = le(f, grown), ((grown, indicator(-R, x, 4)), (ind(-R, x) * grown, indicator(x, R, 4)))
    below = by_place(goal, lambda is_x: auto(goal, same(is_x, "w", INSIDE * exp(p * w)), *ends), exp_positive(p * x))
    return instance(assume(NOISE), {"t": p, "g": fn("x", f)}, for_all("x", below))


def left(k: Any) -> Term:
    """What k steps leave of 1."""
    return 1 - k * c * c


@lemma("X R c k", NOISE, lt(0, R), nat(k))
def walk() -> Theorem:
    """E e^(p X) cosh(c X)^k <= e^(p^2/(2 q))/sqrt(q) for q = 1 - k c^2 > 0, for all p, X being clipped."""

    def cost(q: Term) -> Term:
        return p * p / 2 / q - log(q) / 2

    def says(k: Any) -> All:
        return All(("p",), (lt(0, left(k)),), le(moment_of(exp(p * CLIPPED + k * log(STEP))), exp(cost(left(k)))))

    claim, q, after, spread = says(k), left(k), left(k + 1), c * c / left(k)
    no_log = exp_equal(auto(eq(-log(term(1)) / 2, 0), log_of_one()))
    base = auto(says(term(0)).then, instance(clipped_moment(), {}), (exp(p * p / 2), no_log))
    some = auto(lt(0, q), assume(lt(0, after)))
    one, last, step = reciprocal(some), reciprocal(assume(lt(0, after))), exp_log(positive(STEP))
    f = INSIDE * exp(p * CLIPPED + k * log(STEP))
    more = mono(auto(eq(f * exp(log(STEP)), f * STEP), (f, step)), "x", law("X"))
    both = [instance(assume(claim), {"p": p + sign * c}, some) for sign in (1, -1)]
    coin = instance(two_values(), {"p": HALF, "s": 2 * p * c / q})
    before = (p * p + c * c) / 2 / q - log(q) / 2
    fall = auto(le(after / q, exp(-spread)), exp_tangent(-spread), one)
    ratio = auto(le(after, q * exp(-spread)), (some, fall), (after, one))
    values = exp_log(assume(lt(0, after))), (exp(-spread), exp_log(some))
    logs = ordered_logs(auto(le(exp(log(after)), exp(log(q) - spread)), ratio, *values))
    wide = reciprocal_positive(assume(lt(0, after))), square(spread)
    ones = (spread, one), (1 / q, one), (1 / q, last), (spread / q, last)
    steeper = auto(le(1 / q + spread / q, 1 / after), wide, one, *ones)
    exponent = auto(le(before + p * p * spread / 2 / q, cost(after)), logs, (square(p), steeper))
    grown = auto(says(k + 1).then, more, *both, (exp(before), coin), exp_monotone(exponent))
    return induction("k", base, grown, claim, at=k)


@once
def log_of_one() -> Theorem:
    """log 1 = 0."""
    value = exp_log(auto(lt(0, term(1))))
    L1 = log(term(1))
    return antisymmetric(auto(le(L1, 0), exp_tangent(L1), value), auto(le(0, L1), exp_tangent(-L1), (exp(-L1), value)))


# ---------------------------------------------------------------------------------------- steps without end, no clip

Y, C, G = map(var, ("Y", "C", "G"))
COUNT = nat(n), le(1, n)
TILTED = exp(p * CLIPPED + v * CLIPPED * CLIPPED / 2)
MOST = exp(p * p / 2 / (1 - v) - log(1 - v) / 2)


@lemma("Y C", le(0, C), All(("n",), COUNT, le(Y, C / n)))
def vanishes() -> Theorem:
    """Y <= 0, if Y <= C/n for all natural n."""
    above, large = assume(lt(0, Y)), assume(le(C / Y + 1, n))
    share = auto(le(0, C / Y), (weak(reciprocal_positive(above)), auto(le(0, C))))
    many, one = auto(le(C + Y, n * Y), (weak(above), large), (C, reciprocal(above))), auto(le(1, n), large, share)
    at = instance(assume(All(("n",), COUNT, le(Y, C / n))), {}, assume(nat(n)), one)
    some = auto(lt(0, n), one)
    false = contradiction(above, many, auto(le(n * Y, C), (weak(some), at), (C, reciprocal(some))))
    return cases(assume(le(Y, 0)), some_natural(absurd(false, le(Y, 0)), "n", C / Y + 1), Y, term(0))


@lemma("z", le(0, z))
def slower() -> Theorem:
    """e^(z - z^2) <= 1 + z for z >= 0."""
    share, low, some = z / (1 + z), assume(le(0, z)), auto(lt(0, 1 + z))
    whole = auto(le((1 - share) * exp(share), 1), (exp(share), exp_tangent(-share)))
    below = auto(le(exp(share), 1 + z), (weak(some), whole))
    less = auto(le(z - z * z, share), (weak(reciprocal_positive(some)), product(low, square(z))))
    return auto(le(exp(z - z * z), 1 + z), exp_monotone(less), below)


STEPS = *COUNT, eq(n * c * c, v)
REST = v * c * c * R * R * R * R / 4


@lemma("y R v c n", *STEPS, le(y * y, R * R))
def many_steps() -> Theorem:
    """v y^2/2 <= n log cosh(c y) + v c^2 R^4/4 for y^2 <= R^2."""
    cosh, t, is_v = HALF * exp(c * y) + HALF * exp(-c * y), c * c * y * y / 2, assume(STEPS[2])
    slow, even = instance(slower(), {"z": t}), instance(even_part(), {"x": c * y})
    logs = ordered_logs(auto(le(exp(t - t * t), exp(log(cosh))), slow, even, exp_log(positive(cosh))))
    near = auto(le(0, R * R - y * y))
    fourth = product(near, auto(le(0, R * R + y * y)))
    low = auto(le(0, v))
    parts = (nat_nonnegative(assume(nat(n))), logs), (y * y / 2, is_v), (t * y * y / 2, is_v)
    return auto(le(v * y * y / 2, n * log(cosh) + REST), *parts, (product(low, square(c)), fourth))


@lemma("X R p v c n", NOISE, lt(0, R), *STEPS, lt(v, 1))
def by_steps() -> Theorem:
    """E e^(p X + v X^2/2) (1 - v c^2 R^4/4) <= e^(p^2/(2 (1 - v)))/sqrt(1 - v), where n c^2 = v, for clipped X."""
    share = mean("u", UNIT, ind(u, (x + R) / (2 * R)))
    ends = [mono(indicator(u, (x + R) / (2 * R), which), "u", UNIT) for which in (3, 4)]
    inside = auto(le(CLIPPED * CLIPPED, R * R), (4 * R * R, product(ends[0], auto(le(0, 1 - share), ends[1]))))
    steps = instance(many_steps(), {"y": CLIPPED}, inside)
    whole = p * CLIPPED + n * log(STEP)
    larger = exp_monotone(auto(le(TILTED.args[0], whole + REST), steps))
    tilted = auto(le(INSIDE * TILTED, exp(REST) * INSIDE * exp(whole)), (auto(le(0, INSIDE)), larger))
    at_n = instance(instance(walk(), {"k": n}))
    end = same(auto(eq(left(n), 1 - v)), "w", exp(p * p / 2 / w - log(w) / 2))
    M, near = moment_of(TILTED), mono(tilted, "x", law("X"))
    bound = auto(le(M, exp(REST) * MOST), near, (exp(REST), at_n), (exp(REST), end))
    return auto(le(M * (1 - REST), MOST), (exp(-REST), bound), (auto(le(0, M)), exp_tangent(-REST)))


@lemma("X R p v", NOISE, lt(0, R), le(0, v), lt(v, 1))
def clipped_square() -> Theorem:
    """E e^(p X + v X^2/2) 1[|X| <= R] <= e^(p^2/(2 (1 - v)))/sqrt(1 - v): in the limit of many steps."""
    M, nothing = moment_of(TILTED), term(0)
    some, many, bound = assume(lt(0, v)), auto(lt(0, n), assume(le(1, n))), M * v * R * R * R * R / 4

    def of(c: Term, is_v: Theorem) -> Theorem:
        steps = instance(by_steps(), {"c": c}, *map(assume, COUNT), is_v)
        return auto(le(M - MOST, bound * v / n), steps, (bound / n, is_v), (bound * c * c, reciprocal(many)))

    root, value = exp(log(v / n) / 2), exp_log(product(some, reciprocal_positive(many)))
    is_root = auto(eq(n * root * root, v), (n, value), (v, reciprocal(many)))
    is_zero = antisymmetric(auto(le(n * nothing * nothing, v)), auto(le(v, n * nothing * nothing), assume(le(v, 0))))
    each = for_all("n", cases(of(nothing, is_zero), of(root, is_root), v, nothing), *COUNT)
    return auto(le(M, MOST), instance(vanishes(), {"Y": M - MOST, "C": bound * v}, each))


BELOW = All(("x",), (), le(0, app("g", x))), All(("x",), (), le(app("g", x), exp((m * x + s * x * x / 2) / (1 + s))))
SHARES = {"p": m / (1 + s), "v": s / (1 + s)}


@lemma("R x s m g", lt(0, R), le(0, s), *BELOW)
def kept() -> Theorem:
    """What g has in [-R, R] is at most the clipped bound."""
    g, high = app("g", x), instance(assume(BELOW[1]), {})
    exponent = SHARES["p"] * w + SHARES["v"] * w * w / 2
    goal = le(INSIDE * g, INSIDE * substitute(TILTED, SHARES))

    def in_range(is_x: Theorem) -> Theorem:
        return auto(goal, (auto(le(0, INSIDE)), high), same(is_x, "w", INSIDE * exp(exponent)))

    return by_place(goal, in_range, auto(le(0, term(0))))


@lemma("X s m g", NOISE, le(0, s), *BELOW)
def one_round() -> Theorem:
    """E g <= sqrt(1 + s) e^(m^2/(2 (1 + s))) for bounded g with 0 <= g <= e^((m X + s X^2/2)/(1 + s)).

    In the limit of wide intervals: what g has outside is at most its bound G times the tails of X.
    """
    g, X, low = app("g", x), law("X"), instance(assume(BELOW[0]), {})
    some, wide = auto(lt(0, 1 + s)), auto(lt(0, n), assume(le(1, n)))
    ends = auto(le(0, SHARES["v"])), auto(lt(SHARES["v"], 1))
    bound = instance(clipped_square(), SHARES | {"R": n}, wide, *ends)
    near = mono(instance(kept(), {"R": n}, wide), "x", X)
    tails = [
        instance(tail_of_subgaussian(), {"X": fn("", one), "v1": term(1), "level": n}, known, weak(wide))
        for one, known in ((X, assume(NOISE)), (multiple(-1, X), instance(turned(), {"v1": term(1)})))
    ]
    inside, sides = ind(-n, x) * ind(x, n), ind(n, x) + ind(n, -x)
    goal, height = le(1 - inside, sides), instance(assume(All(("x",), (), le(g, G))), {})
    far = [auto(goal, at_most(assume(f))) for f in (le(n, x), le(n, -x))]
    between = auto(goal, *(at_most(assume(f)) for f in (lt(-x, n), lt(x, n))))
    apart = cases(far[0], cases(far[1], between, n, -x), n, x)
    spilt = mono(auto(le((1 - inside) * g, G * sides), (low, apart), (auto(le(0, sides)), height)), "x", X)
    high = auto(le(0, G), height)
    falls = exp(-n * n / 2)
    thin = auto(le(n * falls, 2), (falls, exp_tangent(n * n / 2)), (falls, square(n - 1)))
    thinner = auto(le(falls, 2 / n), (weak(reciprocal_positive(wide)), thin), (falls, reciprocal(wide)))
    M, own, rest = mean("x", X, g), substitute(MOST, SHARES), 1 - SHARES["v"]
    each = auto(le(M - own, 4 * G / n), near, bound, spilt, *((high, t) for t in (*tails, thinner)))
    at_end = instance(vanishes(), {"Y": M - own, "C": 4 * G}, auto(le(0, 4 * G), high), for_all("n", each, *COUNT))
    met = some_bound(auto(le(M, own), at_end), "G", ["x"], g)
    # 1 - v is 1/(1 + s)
    above = auto(lt(0, rest))
    value = auto(eq(exp(log(rest)), 1 / (1 + s)), exp_log(above))
    inverse = exp_log(some), (exp(-log(rest)) * (1 + s), value), (exp(-log(rest)), reciprocal(some))
    logs, tilt = ordered_logs(auto(le(exp(-log(rest)), exp(log(1 + s))), *inverse)), m * m / (1 + s)
    squares = auto(eq(SHARES["p"] * SHARES["p"] / rest, tilt), (tilt, reciprocal(above)))
    exponent = exp_monotone(auto(le(own.args[0], tilt / 2 + log(1 + s) / 2), logs, (term(1) / 2, squares)))
    return auto(le(M, exp(tilt / 2 + log(1 + s) / 2)), met, exponent)


# ------------------------------------------------------------------------------------------------------ sums of squares

d, i, ROOT, DELTA = map(var, ("dimension", "i", "root", "delta"))


U, LEVEL = map(var, ("u", "level"))
OF_STEP = le(0, s), eq(d * s, 2 * ROOT), le(2 * LEVEL, s * ROOT), le(2 * U, 1 + s - 1 / (1 + s))


@lemma("s dimension root level u", le(1, d), *OF_STEP)
def is_enough() -> Theorem:
    """What the squares cost is less than what Chernoff's tail gives, by the level."""
    least, step, room, cheap = map(assume, OF_STEP)
    share, some = s / (1 + s), auto(lt(0, 1 + s))
    inverse, one = weak(reciprocal_positive(some)), reciprocal(some)
    ones = (LEVEL, one), (d * (1 + s), one), (share, step), (1 / (1 + s), step), step
    goal = le(d * U / 2 - share / 2 * (d + 2 * ROOT + 2 * LEVEL), -LEVEL)
    return auto(goal, (d / 4, cheap), (inverse, room), *ones)


@proof
def sum_of_squares(statement: All) -> Theorem:
    """Chernoff's tail at s/(1 + s) of twice the exponent, for s = 2 root/d: each square costs log(1 + s)/2.

    That is at most (s + s^2/2)/(2 (1 + s)), by 2 u <= e^u - e^-u at u = log(1 + s).
    """
    s, level, some = 2 * ROOT / d, log(1 / DELTA), auto(lt(0, 1 + 2 * ROOT / d))
    share, (each, _) = s / (1 + s), statement.given[-2:]
    one = Term("mix", (("x",), law("X", i), Term("dirac", (x * x,))))
    names, given, goal = parts_of(grows(one, share / 2, log(1 + s) / 2))
    low, high = (for_all("x", instance(assume(f), {"x": x * x})) for f in given)
    known = instance(assume(each), {}, assume(nat(i)), assume(lt(i, d)))
    values = {"X": fn("", law("X", i)), "s": s, "m": term(0), "g": fn("x", app("g", x * x))}
    cost = for_all(names, auto(goal, instance(one_round(), values, known, low, high)), *given)
    values = {"X": fn("i", one), "N": d, "t": share / 2, "l": fn("i", log(1 + s) / 2)}
    total = instance(all_of_them(), values, cost)
    whole = statement.then.args[0].args[1]  # type: ignore[union-attr]
    at = d + 2 * ROOT + 2 * level
    values = {"X": fn("", whole), "t": share / 2, "a": at, "l": d * log(1 + s) / 2}
    rare = instance(tail(1), values, total)
    u, value = log(1 + s), exp_log(some)
    inverse = auto(eq(exp(-u), 1 / (1 + s)), (exp(-u) / (1 + s), value))
    positive_u = ordered_logs(auto(le(exp(term(0)), exp(u)), value))
    cheap = auto(le(2 * u, 1 + s - 1 / (1 + s)), instance(odd_part(), {"u": u}, positive_u), value, inverse)
    exponent = instance(is_enough(), {"s": s, "level": level, "u": u}, cheap)
    own = exp_log(positive(1 / DELTA))
    is_delta = auto(eq(exp(-level), DELTA), (-exp(-level) * DELTA, own))
    return auto(statement.then, rare, exp_monotone(exponent), is_delta)
