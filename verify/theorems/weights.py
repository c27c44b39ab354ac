"""Proof in the kernel of the bound of multiplicative weights on real losses, and of what it needs of e^x."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.losses import of_table, weight
from banditproof.verify.theorems.policies import an_arm, sum_over

b, i, k, y, T, N, eta, fixed = map(var, ("b", "i", "k", "y", "T", "N", "eta", "fixed"))


@lemma("y", le(y, 1))
def second_order() -> Theorem:
    """e^y <= 1 + y + y^2 for y <= 1: (1 - y)(1 + y + y^2) >= 1 for y <= 0, and (1 - y/6)^6 (1 + y + y^2) >= 1 above."""
    low, most = assume(le(0, y)), 1 + y + y * y
    negative = assume(le(y, 0))
    gap = auto(lt(0, 1 - y), negative)
    cubes = product(auto(le(0, -y), negative), square(y))
    scaled = auto(le(exp(y) * (1 - y), most * (1 - y)), exp_tangent(-y), cubes)
    first = auto(le(exp(y), most), (weak(reciprocal_positive(gap)), scaled), reciprocal(gap))

    d, rest, one = 1 - y / 6, auto(le(0, 1 - y)), auto(le(0, 1))
    root = exp_tangent(-y / 6)
    twice = auto(le(d * d, exp(-y / 3)), (d, root), root)
    thrice = auto(le(d * d * d, exp(-y / 2)), (d * d, root), twice)
    sixth = auto(le(d * d * d * d * d * d, exp(-y)), (d * d * d, thrice), thrice)
    ups, downs = [one], [one]
    for _ in range(6):
        ups.append(product(ups[-1], low))
        downs.append(product(downs[-1], rest))
    terms = [product(square(y), product(ups[k], downs[6 - k])) for k in range(7)]
    most_low = auto(le(0, most), low)
    second = auto(le(exp(y), most), auto(le(1, exp(-y) * most), *terms, (most_low, sixth)))
    return cases(first, second, y, term(0))


def exponents(p: Theorem) -> Theorem:
    """a <= b from exp(a) <= exp(b)."""
    a, b = (side.args[0] for side in p.conclusion.args)  # type: ignore[union-attr]
    return auto(le(a, b), exp_tangent(a - b), (exp(-b), p))


@proof
def multiplicative_weights(statement: All) -> Theorem:
    """The sum of the weights grows by 1 - eta M + eta^2 Q at most, where M is the mean loss of the round and Q the mean
    square; at the end it is at least the weight of each one."""
    _, given, goal = parts_of(statement.then)
    played, above, *chosen = map(assume, given)
    pm = assume(nat(k))
    arm = [assume(f) for f in is_arm(b, N)]

    def W(t: Any) -> Term:
        return sum_of(lambda b: weight(t, b, eta), N, "b")

    def lost(t: Any, power: int) -> Term:
        return sum_of(lambda b: app("share", t, b) * of_table(t, b) * (of_table(t, b) if power == 2 else 1), N, "b")

    def change(t: Any) -> Term:
        return -eta * lost(t, 1) + eta * eta * lost(t, 2)

    def so_far(t: Any) -> Term:
        return term(t) * mean("i", uniform(term(t)), change(i))

    def changes(t: Any) -> Term:
        return N * exp(so_far(t))

    here = pm, assume(lt(k, T)), *arm
    loss, own = of_table(k, b), app("share", k, b)
    x = -eta * loss
    exponential = instance(second_order(), {"y": x}, instance(above, {"i": k, "j": b}, *here))
    total = uniform_next(pm, "i", of_table(i, b))
    moved = same(total, "v", exp(-eta * var("v")))
    of_share = instance(played, {"i": k, "j": b}, *here)
    next_weight = weight(k + 1, b, eta)
    factor = 1 + x + x * x
    difference = own * W(k) * factor - next_weight
    summed = sum_over(auto(le(0, difference), moved, (exp(exponent(weight(k, b, eta))), exponential), of_share), "b", N)
    shares = sum_over(auto(eq(0, own * W(k) - weight(k, b, eta)), of_share), "b", N)
    grown = auto(le(W(k + 1), W(k) * exp(change(k))), summed, shares, exp_tangent(change(k)))

    claim = All((), (le(k, T),), le(W(k), changes(k)))
    enough = assume(le(k + 1, T))
    before = instance(assume(claim), {}, auto(le(k, T), enough))
    grown = instance(for_all("", grown, lt(k, T)), {}, auto(lt(k, T), enough))
    longer = same(uniform_next(pm, "i", change(i)), "v", N * exp(var("v")))
    step = auto(le(W(k + 1), changes(k + 1)), grown, before, longer)
    base = auto(le(W(0), changes(0)))
    at_end = instance(induction("k", base, step, claim, at=T))

    w_fixed, w_b = weight(T, fixed, eta), weight(T, b, eta)
    hit = equal(fixed, b)
    kept = under(fixed, b, weight(T, var("w"), eta))
    rest = product(weak(exp_positive(exponent(w_b))), auto(le(0, 1 - hit), square(1 - hit), equal_is_event(fixed, b)))
    spread = sum_over(auto(le(0, w_b - w_fixed * hit), rest, kept), "b", N)
    counted = one_of(fixed, chosen)
    some = auto(lt(0, N))
    log = Term("log", (N,))
    both = auto(le(w_fixed, exp(log + so_far(T))), spread, counted, at_end, exp_log(some))
    return auto(goal, exponents(both))


def exponent(power: Term) -> Term:
    return power.args[0]


def one_of(arm: Term, chosen: list[Theorem]) -> Theorem:
    """1[arm = b] adds up to 1 over all N."""
    arm_is_known = an_arm(arm)
    return instance(for_all("K", arm_is_known, *arm_is_known.hypotheses.values()), {"K": N})
