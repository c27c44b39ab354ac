"""Proofs in the kernel of Chernoff's bound for a sum of independent coins, with the divergence of the mean chances.

Y is the mean chance and X the mean that is reached, for the lower tail of the other sides of the coins. For every
s >= 0 and e^l = 1 + Y (e^s - 1) the tail is at most e^(n (l - s X)): log(1 + p (e^s - 1)) lies below its tangent at Y.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.variables import coin
from banditproof.verify.theorems.moments import all_of_them, grows, tail
from banditproof.verify.theorems.policies import of_indicator, sum_over
from banditproof.verify.theorems.tails import in_the_limit

P, X, Y, n, s, power, c, rate, x = map(var, ("chance", "X1", "Y1", "n", "s", "l", "c", "rate", "x"))
heads, tails = var("heads"), var("tails")

BY_MOMENTS = All(("s", "l"), (le(0, s), eq(exp(power), 1 + Y * (exp(s) - 1))), le(P, exp(n * power - s * n * X)))


def of_two_points(X: Any, Y: Any, most: Any) -> All:
    """D_KL(Ber(X) || Ber(Y)) <= most, as its definition says for functions of two points."""
    here, there = X * heads + (1 - X) * tails, Y * exp(heads) + (1 - Y) * exp(tails)
    return All(("heads", "tails"), (), le(here - there + 1, most))


SLOWER = All((), (le(X, 1),), All(("c",), (of_two_points(X, Y, c),), le(rate, c)))


@lemma("chance n X1 Y1 rate", lt(0, n), le(0, Y), le(Y, 1), lt(Y, X), le(0, P), le(P, 1), BY_MOMENTS, SLOWER)
def beyond_the_mean() -> Theorem:
    """P <= e^(-n rate) for rates of at most the divergence: for any where X > 1, or where Y = 0."""
    some, low, less = assume(lt(0, n)), assume(le(0, Y)), assume(lt(Y, X))
    moments, slower, goal = assume(BY_MOMENTS), assume(SLOWER), le(P, exp(-n * rate))

    def at(s: Term, positive: Theorem) -> tuple[Term, Theorem, Theorem]:
        """The l of s >= 0, what e^l is, and what is said of the chance."""
        whole = 1 + Y * (exp(s) - 1)
        grown = product(low, auto(le(0, exp(s) - 1), exp_tangent(s), positive))
        log = Term("log", (whole,))
        value = exp_log(auto(lt(0, whole), grown))
        return log, value, instance(moments, {"s": s, "l": log}, positive, value)

    def of_any_rate(
        room: Term, positive: Theorem, least: Callable[[Term, Term, Theorem, Theorem], list[Any]]
    ) -> Theorem:
        """Where the exponent is at most -s room: at s = n rate/room; a chance is at most 1."""
        small, large = assume(le(rate, 0)), assume(le(0, rate))
        at_once = auto(goal, exp_monotone(auto(le(0, -n * rate), small)))
        s = n * rate / room
        side = product(product(weak(some), large), weak(reciprocal_positive(positive)))
        log, value, proved = at(s, side)
        exponent = auto(le(n * log - s * n * X, -n * rate), *least(s, log, value, side), reciprocal(positive))
        return cases(at_once, auto(goal, proved, exp_monotone(exponent)), rate, term(0))

    # no coin ever shows 1
    nothing = antisymmetric(assume(le(Y, 0)), low)

    def flat(s: Term, log: Term, value: Theorem, side: Theorem) -> list[Any]:
        return [(weak(some), auto(le(log, 0), exp_tangent(log), value, nothing))]

    never = of_any_rate(n * X, product(some, auto(lt(0, X))), flat)

    # more than all of them
    def steep(s: Term, log: Term, value: Theorem, side: Theorem) -> list[Any]:
        fewer = auto(le(0, 1 - exp(-s)), exp_monotone(auto(le(-s, 0), side)))
        spared = product(auto(le(0, 1 - Y)), fewer)
        return [(weak(some), auto(le(log, s), exp_tangent(log - s), value, spared))]

    too_many = of_any_rate(n * (X - 1), product(some, auto(lt(0, X - 1), assume(lt(1, X)))), steep)

    # some of them, and all of them
    chances, reached = assume(lt(0, Y)), assume(le(X, 1))
    known = instance(slower, {}, reached)

    def at_rate(divergence: Term, tangents: list[Any], proved: Theorem) -> Theorem:
        """The rate is at most this divergence, as the tangents say, and so is the chance."""
        wanted = of_two_points(X, Y, divergence)
        slow = instance(known, {"c": divergence}, auto(wanted.then, *tangents))
        return auto(goal, proved, exp_monotone(auto(le(-n * divergence, -n * rate), (n, slow))))

    partly = assume(lt(X, 1))
    rest, above = auto(lt(0, 1 - Y), partly), auto(lt(0, X))
    A, B = Term("log", (X / Y,)), Term("log", ((1 - X) / (1 - Y),))
    of_A = exp_log(product(above, reciprocal_positive(chances)))
    of_B = exp_log(product(auto(lt(0, 1 - X), partly), reciprocal_positive(rest)))
    of_heads = auto(eq(Y * exp(A), X), of_A, reciprocal(chances))
    of_tails = auto(eq((1 - Y) * exp(B), 1 - X), of_B, reciprocal(rest))
    more = auto(le(0, A), exp_tangent(-A), (exp(-A) / X, of_heads))
    fewer = auto(le(B, 0), exp_tangent(B), of_B, (reciprocal_positive(rest), less), reciprocal(rest))
    level = auto(eq(exp(-B), 1 + Y * (exp(A - B) - 1)), (exp(-B), of_heads), of_tails)
    at_best = instance(moments, {"s": A - B, "l": -B}, auto(le(0, A - B), more, fewer), level)
    divergence = X * A + (1 - X) * B
    tangents = [
        (weak(above), exp_tangent(heads - A)),
        (weak(auto(lt(0, 1 - X), partly)), exp_tangent(tails - B)),
        (exp(heads - A), of_heads),
        (exp(tails - B), of_tails),
    ]
    some_of_them = at_rate(divergence, tangents, auto(le(P, exp(-n * divergence)), at_best))

    whole = antisymmetric(reached, assume(le(1, X)))
    L, u = Term("log", (Y,)), var("u")
    of_L, room = exp_log(chances), assume(lt(0, u))
    left = n * (1 - Y) * exp(-L)
    not_less = product(product(weak(some), auto(le(0, 1 - Y))), weak(exp_positive(-L)))
    s = left / u
    side = product(not_less, weak(reciprocal_positive(room)))
    log, value, proved = at(s, side)
    short = auto(le(log, s + L + (1 - Y) * exp(-s - L)), exp_tangent(log - s - L), (exp(-s - L), value), of_L)
    small = auto(
        le(left * exp(-s), u),
        (product(weak(room), weak(exp_positive(-s))), exp_tangent(s)),
        reciprocal(room),
        product(weak(room), weak(exp_positive(-s))),
    )
    exponent = auto(le(n * log - s * n * X, n * L + u), (n, short), small, whole)
    near = auto(le(P * exp(-u), exp(n * L)), auto(le(P, exp(n * L + u)), proved, exp_monotone(exponent)))
    at_end = instance(in_the_limit(), {"A1": P, "B1": exp(n * L)}, near)
    tangents = [
        exp_tangent(heads + L),
        (exp(heads), of_L),
        (heads - tails, whole),
        product(auto(le(0, 1 - Y)), weak(exp_positive(tails))),
    ]
    all_of_the_coins = at_rate(-L, tangents, at_end)

    inside = cases(all_of_the_coins, some_of_them, term(1), X)
    return cases(never, cases(inside, too_many, X, term(1)), Y, term(0))


def mean_of_coin(share: Any, context: Term, low: Theorem, high: Theorem) -> Theorem:
    """E G(x) = p G(1) + (1 - p) G(0) for x of Ber(p), G being a context of w."""
    yes, no = (substitute(context, {"w": term(k)}) for k in (1, 0))
    r = var("r")
    split = mono(of_indicator(r, share, context), "r", UNIT)
    goal = eq(mean("x", coin(share), substitute(context, {"w": x})), share * yes + (1 - share) * no)
    return auto(goal, split, (yes - no, unit(share, "r", low, high)))


@proof
def _chernoff(statement: All, sign: int) -> Theorem:
    """With the chances of the other sides below the mean."""
    a, i, j = var("end"), var("i"), var("j")
    lows, highs, _, slow = map(assume, statement.given[-4:])

    def p(k: Any) -> Term:
        return app("p", k)

    def side(t: Any) -> Any:
        return t if sign == 1 else 1 - t

    mu, S = sum_of(p, n), sum_of_all(lambda k: coin(p(k)), n)
    reached, expected = side(a / n), side(mu / n)
    place = assume(nat(j)), assume(lt(j, n))
    some_of_them = sum_over(instance(lows, {"i": j}, *place), "j", n)
    whole = sum_over(auto(le(0, 1 - p(j)), instance(highs, {"i": j}, *place)), "j", n)
    mean_low = auto(le(0, mu / n), (1 / n, some_of_them))
    mean_high = auto(le(mu / n, 1), (1 / n, whole))
    known = (mean_low, mean_high)[::sign]
    low, high = (auto(f, at) for f, at in zip((le(0, expected), le(expected, 1)), known, strict=True))
    event = Term("ind", (a, x) if sign == 1 else (x, a))
    _, P_high = (mono(indicator(*event.args, k), "x", S) for k in (3, 4))

    # the moments of the coins
    positive, level = assume(le(0, s)), assume(eq(exp(power), 1 + expected * (exp(s) - 1)))
    start = power if sign == 1 else power - s
    tilt = (side(p(i)) - expected) * (exp(s) - 1) * exp(-power)
    at_i = assume(nat(i)), assume(lt(i, n))
    chance_low, chance_high = (instance(f, {}, *at_i) for f in (lows, highs))
    names, given, goal = parts_of(grows(coin(p(i)), sign * s, start + tilt))
    heights = [instance(assume(given[1]), {"x": term(k)}) for k in (1, 0)]
    split = mean_of_coin(p(i), app("g", var("w")), chance_low, chance_high)
    no_less = auto(le(0, 1 - p(i)), chance_high)
    tangent = (weak(exp_positive(start)), exp_tangent(tilt))
    known = auto(goal, split, (chance_low, heights[0]), (no_less, heights[1]), tangent, (exp(start - power), level))
    coins = for_all(names, known, *given)
    values = {"X": fn("i", coin(p(i))), "N": n, "t": sign * s, "l": fn("i", start + tilt)}
    of_sum = instance(all_of_them(), values, coins)
    exponents = n * mean("j", law("Unif", n), substitute(start + tilt, {"i": j}))
    end = instance(
        tail(sign),
        {"X": fn("", S), "t": sign * s, "a": a, "l": exponents},
        of_sum,
        auto(le(0, s) if sign == 1 else le(-s, 0), positive),
    )
    at_s = auto(le(mean("x", S, event), exp(n * power - s * n * reached)), end)
    moments = at_s

    # what the divergence is
    inside = assume(le(reached, 1))
    until = auto(le(a, n), inside) if sign == 1 else auto(le(0, a), (n, inside))
    both = assume(of_two_points(reached, expected, c))
    u = app("u", var("w"))
    ends = [substitute(u, {"w": term(k)}) for k in (1, 0)]
    of_both = instance(both, dict(zip(("heads", "tails"), ends if sign == 1 else ends[::-1], strict=True)))
    share_low = auto(le(0, a / n), mean_low) if sign == 1 else auto(le(0, a / n), inside)
    share_high = auto(le(a / n, 1), inside) if sign == 1 else auto(le(a / n, 1), mean_high)
    here = mean_of_coin(a / n, u, share_low, share_high)
    there = mean_of_coin(mu / n, exp(u), mean_low, mean_high)
    at_most = auto(kl_at_most(coin(a / n), coin(mu / n), c).then, of_both, here, there)
    slower = instance(instance(slow, {}, until), {}, at_most)
    slower = for_all("", for_all("c", slower, both.conclusion), inside.conclusion)
    values = {"chance": mean("x", S, event), "X1": reached, "Y1": expected}
    return instance(beyond_the_mean(), values, low, high, P_high, moments, slower)


chernoff_above, chernoff_below = both_sides(_chernoff)


def of_test(share: Any, low: Theorem, high: Theorem, ends: tuple[Any, Any], context: Term) -> Theorem:
    """E G(u(x)) = p G(A) + (1 - p) G(B) for x of Ber(p), where u is A from 1 on and B below; G is a context of w."""
    A, B = ends
    w = var("w")

    def at(value: Any) -> Term:
        return substitute(context, {"w": term(value)})

    split = mean_of_coin(share, at(B + Term("ind", (term(1), w)) * (A - B)), low, high)
    goal = eq(split.conclusion.args[0], share * at(A) + (1 - share) * at(B))  # type: ignore[union-attr]
    return auto(goal, split)


def at_test(known: Theorem, ends: tuple[Any, Any], p: Any, q: Any, *bounds: Theorem) -> Theorem:
    """p A + (1 - p) B - q e^A - (1 - q) e^B + 1 <= c for D_KL(Ber(p) || Ber(q)) <= c, and the bounds of p and of q."""
    A, B = map(term, ends)
    test = fn("x", B + Term("ind", (term(1), x)) * (A - B))
    w, (p, q) = var("w"), map(term, (p, q))
    here = of_test(p, bounds[0], bounds[1], (A, B), w)
    there = of_test(q, bounds[2], bounds[3], (A, B), exp(w))
    goal = le(p * A + (1 - p) * B - q * exp(A) - (1 - q) * exp(B) + 1, known.conclusion.then.args[1])  # type: ignore[union-attr]
    return auto(goal, instance(known, {"u": test}), here, there)


@proof
def divergence_of_coins(statement: All) -> Theorem:
    """The logarithm of the likelihood ratio is the test for which the supremum is the divergence."""
    p, rest, q, other = map(var, ("reached", "unreached", "expected", "unexpected"))
    above = {t: assume(lt(0, var(t))) for t in ("reached", "unreached", "expected", "unexpected")}
    known = assume(statement.then.given[0])  # type: ignore[union-attr]
    A, B = Term("log", (p / q,)), Term("log", (rest / other,))
    of_A = exp_log(product(above["reached"], reciprocal_positive(above["expected"])))
    of_B = exp_log(product(above["unreached"], reciprocal_positive(above["unexpected"])))
    ratios = (q, of_A), (p, reciprocal(above["expected"])), (other, of_B), (rest, reciprocal(above["unexpected"]))
    sides = [auto(le(0, p)), auto(le(p, 1))]
    sides += [auto(le(0, q)), auto(le(q, 1))]
    bound = at_test(known, (A, B), p, q, *sides)
    goal = le(p * A + rest * B, c)
    return auto(goal, bound, *ratios)


def divergence_where_all_are_reached(statement: All) -> Theorem:
    return _at_an_end(statement, 1)


def divergence_where_none_is_reached(statement: All) -> Theorem:
    return _at_an_end(statement, 0)


@proof
def _at_an_end(statement: All, p: int) -> Theorem:
    """log(1/q) is less than c by the other side's share of e^B, for every B: else at minus one over the difference."""
    q, share = var("expected"), var("expected" if p else "unexpected")
    known = assume(statement.then.given[0])  # type: ignore[union-attr]
    positive = assume(lt(0, share))
    L = Term("log", (1 / share,))
    value = exp_log(reciprocal_positive(positive))
    gap, wanted = L - c, le(L, c)
    is_gap = auto(lt(0, gap), assume(lt(c, L)))
    far = -1 / gap
    ends = (L, far) if p else (far, L)
    bounds = [auto(le(0, term(p))), auto(le(term(p), 1)), weak(assume(lt(0, q))), weak(assume(lt(q, 1)))]
    bound = auto(le(gap, (1 - share) * exp(far)), at_test(known, ends, p, q, *bounds), value)
    steep = weak(is_gap), exp_tangent(-far)
    grown = auto(le(gap * exp(-far), 1 - share), bound)
    return by_contradiction(wanted, contradiction(is_gap, grown, steep, reciprocal(is_gap)))


def divergence_from_none(statement: All) -> Theorem:
    """At A = value/p and B = 0."""
    return _from_an_end(statement, 0)


def divergence_from_all(statement: All) -> Theorem:
    """At A = 0 and B = value/(1 - p)."""
    return _from_an_end(statement, 1)


@proof
def _from_an_end(statement: All, q: int) -> Theorem:
    p, value = var("reached"), var("value")
    known = assume(statement.then.given[0])  # type: ignore[union-attr]
    low, high = (assume(le(0, p)), assume(lt(p, 1))) if q else (assume(lt(0, p)), assume(le(p, 1)))
    share = 1 - p if q else p
    ends = (0, value / share) if q else (value / share, 0)
    bounds = [low if q else weak(low), weak(high) if q else high, auto(le(0, term(q))), auto(le(term(q), 1))]
    return auto(le(value, c), at_test(known, ends, p, q, *bounds))
