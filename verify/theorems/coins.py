"""Proofs in the kernel about sums of independent coins, and about the largest mean of a divergence.

A coin is b or b + 1 here, so that it may be a reward, or a reward less its mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from banditproof.verify.kernel.asymptotics import bernoulli
from banditproof.verify.kernel.divergences import kl_at_most
from banditproof.verify.kernel.episodes import largest_means
from banditproof.verify.kernel.indicators import under
from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.consistent_regret import by_its_chance, mean_of_bernoulli
from banditproof.verify.theorems.moments import all_of_them, grows, tail
from banditproof.verify.theorems.policies import picked, sum_inside

b, c, g, j, n, p, q, s, t, u, v, x = map(var, "bcgjnpqstuvx")
X, ONE, ZERO = law("X"), var("u1"), var("u0")
COIN = All(("g",), (), eq(mean("x", X, app("g", x)), (1 - p) * app("g", b) + p * app("g", b + 1)))


def total(count: Any) -> Term:
    """The law of the sum of so many coins."""
    return sum_of_all(lambda i: X, count)


@lemma("X p b s", COIN, nat(s))
def counts_only() -> Theorem:
    """E g = 0 for the sum of s coins, if g(j + s b) = 0 for j = 0, ..., s."""
    none = All(("j",), (nat(j), le(j, n)), eq(app("g", j + n * b), 0))
    claim = All(("g",), (none,), eq(mean("x", total(n), app("g", x)), 0))
    chain = total(n).args[3]
    at_0 = instance(assume(replace(none, {"n": term(0)})), {"j": term(0)})
    start = steps_zero("x", app("g", x), "i", "h", term(0), chain)
    base = auto(eq(mean("x", total(0), app("g", x)), 0), start, at_0)
    both = (1 - p) * app("g", x + b) + p * app("g", x + b + 1)
    later = assume(replace(none, {"n": n + 1}))
    pn, pj, few = assume(nat(n)), assume(nat(j)), assume(le(j, n))
    low = instance(later, {}, pj, auto(le(j, n + 1), few))
    high = instance(later, {"j": j + 1}, nat_next(pj), auto(le(j + 1, n + 1), few))
    at_j = auto(eq(substitute(both, {"x": j + n * b}), 0), (1 - p, low), (p, high))
    before = instance(assume(claim), {"g": fn("x", both)}, for_all("j", at_j, nat(j), le(j, n)))
    more = steps_next(pn, "x", app("g", x), "i", "h", term(0), chain)
    last = mono(instance(assume(COIN), {"g": fn("x", app("g", var("h") + x))}), "h", total(n))
    step = auto(eq(mean("x", total(n + 1), app("g", x)), 0), more, last, before)
    return induction("n", base, step, claim, at=s)


def counted(at: Any) -> Term:
    """1 where so many of the s coins are b + 1."""
    return equal(at, x - s * b)


@lemma("X p b s g", COIN, nat(s))
def by_counts() -> Theorem:
    """E g is the sum over j = 0, ..., s of g(j + s b) times the chance that j coins are b + 1."""
    value, pj = app("g", x), assume(nat(j))
    rest, there = value * (1 - sum_of(counted, s + 1)), j + s * b
    few = auto(lt(j, s + 1), assume(le(j, s)))
    found = for_all("u", picked(lambda i: term(1), u, s + 1), *is_arm(u, s + 1), nat(s + 1))
    one = instance(found, {"u": j}, pj, few)
    none = auto(eq(substitute(rest, {"x": there}), 0), (app("g", there), one))
    every = instance(instance(counts_only()), {"g": fn("x", rest)}, for_all("j", none, nat(j), le(j, s)))
    moved = mono(under(j, x - s * b, app("g", var("w") + s * b)), "j", uniform(s + 1))
    parts = sum_of(lambda j: app("g", j + s * b) * counted(j), s + 1)
    each = mono(auto(eq(value * sum_of(counted, s + 1), parts), (s + 1, moved)), "x", total(s))
    inside = sum_inside("j", s + 1, "x", total(s), app("g", there) * counted(j))
    whole = sum_of(lambda j: app("g", j + s * b) * mean("x", total(s), counted(j)), s + 1)
    return auto(eq(mean("x", total(s), value), whole), every, each, inside)


IN_UNIT = le(0, p), le(p, 1)


@lemma("X p b s j t c", COIN, *IN_UNIT, nat(s), le(t, 0), le(1 - p + p * exp(t), exp(c)))
def few_ones() -> Theorem:
    """At most j of s coins are b + 1 with a chance of at most e^(s c - t j), for a tilt t <= 0."""
    spread, low, high = c + t * b, assume(le(0, p)), auto(le(0, 1 - p))
    names, given, goal = parts_of(grows(X, t, spread))
    none, one = (instance(assume(given[1]), {"x": at}) for at in (b, b + 1))
    coin = instance(assume(COIN))
    mixed = exp(t * b), assume(le(1 - p + p * exp(t), exp(c)))
    grown = for_all(names, auto(goal, coin, (high, none), (low, one), mixed), *given)
    values = {"X": fn("i", X), "N": s, "t": t, "l": fn("i", spread)}
    whole = instance(all_of_them(), values, for_all("i", grown, nat(var("i")), lt(var("i"), s)))
    at_most_j = {"X": fn("", total(s)), "t": t, "a": j + s * b, "l": s * spread}
    bound = instance(tail(-1), at_most_j, whole)
    return auto(le(mean("x", total(s), ind(x - s * b, j)), exp(s * c - t * j)), bound)


# ------------------------------------------------------------------------------------------------------- largest means

LARGEST = tuple(assume(f) for f in largest_means())
OF_LARGEST = tuple(f.conclusion for f in LARGEST)


def largest(p: Any, c: Any) -> Term:
    return app("largest_mean", p, c)


def apart(p: Any, q: Any) -> Term:
    """What kl(p, q) is at least, by the numbers u1 and u0: it is their supremum."""
    return p * ONE + (1 - p) * ZERO - q * exp(ONE) - (1 - q) * exp(ZERO) + 1


NAMES = {"u1": app("u", 1), "u0": app("u", 0)}


@lemma("x u1 u0", le(0, x), le(x, 1))
def no_divergence() -> Theorem:
    """kl(x, x) <= 0."""
    low, high = assume(le(0, x)), auto(le(0, 1 - x))
    return auto(le(apart(x, x), 0), (low, exp_tangent(ONE)), (high, exp_tangent(ZERO)))


def chance_of(p: Any) -> Term:
    """p, clipped to [0, 1]."""
    return mean("v", UNIT, ind(v, term(p)))


def divergence_of(p: Term, q: Term, q_in: Sequence[Theorem], *p_in: Theorem) -> Theorem:
    """What kl(p, q) is at least by the function u of the reward, in numbers. Without `p_in` p is clipped to [0, 1]."""
    own = mean_of_bernoulli(p, app("u", x), *p_in) if p_in else by_its_chance(p, app("u", x))
    left = mean("x", bernoulli(p), app("u", x)) - mean("x", bernoulli(q), exp(app("u", x))) + 1
    there = substitute(apart(p if p_in else chance_of(p), q), NAMES)
    return auto(eq(left, there), own, mean_of_bernoulli(q, exp(app("u", x)), *q_in))


@lemma("p c", *OF_LARGEST, *IN_UNIT, le(0, c))
def no_less() -> Theorem:
    """p is at most the largest mean of p."""
    low, high = (assume(f) for f in IN_UNIT)
    none = instance(no_divergence(), {"x": p, **NAMES})
    own = divergence_of(p, p, (low, high), low, high)
    itself = for_all("u", auto(conclusion(kl_at_most(bernoulli(p), bernoulli(p), c)), own, none))
    return instance(LARGEST[3], {"q": p}, itself)


REWARD = replace(COIN, {"b": term(0)})
COUNT = nat(s), le(1, s)


@lemma("X p s j c", REWARD, *IN_UNIT, *COUNT, *OF_LARGEST, nat(j), le(j, s), le(0, c), lt(largest(j / s, c), p))
def tail_below() -> Theorem:
    """At most j of s rewards are 1 with a chance of at most e^(-s c), where the largest mean of j/s at c is below p.

    Chernoff's bound, at the tilt u1 - u0 of two numbers by which kl(j/s, p) is more than c.
    """
    some = auto(lt(0, s))
    inverse = weak(reciprocal_positive(some))
    at, chance, most = j / s, mean("x", total(s), ind(x, j)), exp(-s * c)
    goal, more, near = le(chance, most), assume(lt(most, chance)), assume(lt(largest(at, c), p))
    in_unit = product(nat_nonnegative(assume(nat(j))), inverse), auto(le(at, 1))
    of_p = assume(le(0, p)), assume(le(p, 1))
    low = assume(le(0, c))
    own = instance(no_less(), {"p": at})
    value = substitute(apart(at, p), NAMES)
    far, wanted = assume(lt(c, value)), kl_at_most(bernoulli(at), bernoulli(p), c)
    u1, u0 = NAMES["u1"], NAMES["u0"]
    over = exp_monotone(weak(assume(lt(u0, u1))))
    none = instance(no_divergence(), {"x": at, **NAMES})
    steep = product(auto(le(0, p - at), own), auto(le(0, exp(u1) - exp(u0)), over))
    tilted = auto(le(u1 - u0, 0), by_contradiction(le(u1, u0), contradiction(none, steep, far, low)))
    whole = (1 - p) * exp(u0) + p * exp(u1)
    small = auto(le(exp(-u0) * whole, exp(whole - 1 - u0)), (exp(-u0), exp_tangent(whole - 1)))
    exponent = exp_monotone(auto(le(whole - 1 - u0, (u1 - u0) * at - c), far))
    grown = auto(le(1 - p + p * exp(u1 - u0), exp((u1 - u0) * at - c)), small, exponent)
    values = {"b": term(0), "t": u1 - u0, "c": (u1 - u0) * at - c}
    bound = instance(few_ones(), values, tilted, grown)
    end = exp_monotone(auto(le(s * ((u1 - u0) * at - c) - (u1 - u0) * j, -s * c)))
    false = contradiction(more, bound, end)
    here = auto(conclusion(wanted), divergence_of(at, p, of_p, *in_unit), assume(le(value, c)))
    every = for_all("u", cases(here, absurd(false, conclusion(wanted)), value, c))
    allowed = instance(LARGEST[3], {"p": at, "q": p}, every)
    return cases(assume(goal), absurd(contradiction(allowed, near), goal), chance, most)


@lemma("X p s c", REWARD, *IN_UNIT, *COUNT, *OF_LARGEST, le(0, c))
def seldom_low() -> Theorem:
    """The largest mean of that of s rewards, at c, is below their mean p with a chance of at most e^(-s c).

    It is so up to a number of rewards 1: by induction over the numbers j, for sums of at most j.
    """
    low, ps, pn, pj = map(assume, (le(0, c), nat(s), nat(n), nat(j)))
    bad, most, before = 1 - ind(p, largest(x / s, c)), exp(-s * c), ind(x, n - 1)
    claim = All((), (le(n, s + 1),), le(mean("x", total(s), before * bad), most))
    reward = instance(counts_only(), {"b": term(0)})

    def nothing(f: Term, at_j: Theorem) -> Theorem:
        """E f = 0, as f is 0 at each j up to s."""
        return instance(reward, {"g": fn("x", f)}, for_all("j", at_j, nat(j), le(j, s)))

    at_j, first = substitute(bad, {"x": j}), replace(claim.then, {"n": term(0)})
    off = not_at_most(auto(lt(-term(1), j), nat_nonnegative(pj)))
    none = nothing(ind(x, -term(1)) * bad, auto(eq(ind(j, -term(1)) * at_j, 0), (at_j, off)))
    base = auto(first, none)
    room = assume(le(n + 1, s + 1))
    value, then = largest(n / s, c), replace(claim.then, {"n": n + 1})
    short = instance(tail_below(), {"j": n}, pn, auto(le(n, s), room), assume(lt(value, p)))
    goal = eq((ind(j, n) - ind(j, n - 1)) * at_j, 0)
    less, more = nat_nonnegative(nat_minus(pj, pn, assume(lt(j, n)))), assume(lt(n, j))
    both = at_most(auto(le(j, n), assume(lt(j, n)))), at_most(auto(le(j, n - 1), less))
    inside = auto(goal, (at_j, both[0]), (at_j, both[1]))
    beyond = not_at_most(more), not_at_most(auto(lt(n - 1, j), more))
    outside = auto(goal, (at_j, beyond[0]), (at_j, beyond[1]))
    named = same(antisymmetric(assume(le(n, j)), assume(le(j, n))), "w", ind(p, largest(var("w") / s, c)))
    here = auto(goal, (ind(j, n) - ind(j, n - 1), named), (ind(j, n) - ind(j, n - 1), at_most(assume(le(p, value)))))
    gone = nothing((ind(x, n) - before) * bad, cases(cases(here, outside, j, n), inside, n, j))
    known = instance(assume(claim), {}, auto(le(n, s + 1), room))
    step = cases(auto(then, gone, known), auto(then, short), p, value)
    whole = instance(induction("n", base, step, claim, at=s + 1), {})
    last = auto(eq((1 - ind(j, s)) * at_j, 0), (at_j, at_most(assume(le(j, s)))))
    return auto(le(mean("x", total(s), bad), most), whole, nothing((1 - ind(x, s)) * bad, last))


@lemma("p q c", *OF_LARGEST, le(p, q), le(0, c))
def grows_with_the_mean() -> Theorem:
    """The largest mean of q is at least that of p, for p <= q."""
    U, V = largest(p, c), largest(q, c)
    goal = le(U, V)
    ends = tuple(instance(f) for f in LARGEST[:2])
    clipped = chance_of(q)
    inside = auto(le(ind(v, p), ind(v, q)), at_most(assume(le(v, q))))
    outside = auto(le(ind(v, p), ind(v, q)), not_at_most(auto(lt(p, v), assume(lt(q, v)))))
    smaller = mono(cases(inside, outside, v, q), "v", UNIT)
    in_unit = mono(indicator(v, q, 3), "v", UNIT), mono(indicator(v, q, 4), "v", UNIT)
    u1, u0 = NAMES["u1"], NAMES["u0"]
    wanted = kl_at_most(bernoulli(q), bernoulli(U), c)
    own, new = divergence_of(p, U, ends), divergence_of(q, U, ends)
    feasible = instance(instance(LARGEST[2]))
    tilt = assume(le(u1, u0))
    down = auto(
        conclusion(wanted),
        new,
        own,
        feasible,
        product(auto(le(0, u0 - u1), tilt), auto(le(0, clipped - chance_of(p)), smaller)),
    )
    over = assume(lt(u0, u1))
    none = instance(no_divergence(), {"x": clipped, **NAMES}, *in_unit)
    near = assume(le(clipped, U))
    steep = product(auto(le(0, U - clipped), near), auto(le(0, exp(u1) - exp(u0)), exp_monotone(weak(over))))
    up = auto(conclusion(wanted), new, none, steep)
    every = for_all("u", cases(down, up, u1, u0))
    allowed = instance(LARGEST[3], {"p": q, "q": U}, *ends, every)
    own_kl = conclusion(kl_at_most(bernoulli(q), bernoulli(clipped), c))
    itself = for_all("u", auto(own_kl, divergence_of(q, clipped, in_unit), none))
    beyond = auto(goal, instance(LARGEST[3], {"p": q, "q": clipped}, *in_unit, itself), assume(le(U, clipped)))
    return cases(allowed, beyond, clipped, U)
