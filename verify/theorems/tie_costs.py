"""Proofs in the kernel of how often two private means cost much: (1 + c) e^-c, as two exponential variables do.

A cost of at least t is reached by a mean from some place on. A grid finds that place up to a step h, and in a step the
private divergence grows by at most epsilon h: so the cost of one mean is at least t with probability at most e^-t.
"""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.divergences import costs_at_most
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.variables import in_interval, private_sum, value_of
from banditproof.verify.theorems.noisy_sums import decays_of_sides, side
from banditproof.verify.theorems.private_means import decays_at, private_tail
from banditproof.verify.theorems.tails import in_the_limit

c, h, k, t, u, w, x, y, z = map(var, ("c", "h", "k", "t", "u", "w", "x", "y", "z"))
n, mu, epsilon, r = map(var, ("n", "expected", "epsilon", "r"))
S = private_sum(law("X"), n, epsilon)


def rare(X: Term) -> All:
    """P(X >= t) <= e^-t for all t >= 0."""
    return All(("t",), (le(0, t),), le(mean("x", X, ind(t, x)), exp(-t)))


@lemma("X h", le(0, h), rare(law("X")))
def in_layers() -> Theorem:
    """E g <= 1 + k (e^h - 1) for g(x) of at most e^(k h), and e^y for y of [0, k h], x <= y: by layers of X."""
    X, step, g = law("X"), assume(le(0, h)), app("g", x)

    def given(count: Term) -> tuple[All, All]:
        return All(("x",), (), le(g, exp(count * h))), All(
            ("x", "y"), (le(x, y), le(0, y), le(y, count * h)), le(g, exp(y))
        )

    claim = All(("g",), given(k), le(mean("x", X, g), 1 + k * (exp(h) - 1)))
    whole, _ = (instance(assume(f), {}) if not f.given else assume(f) for f in given(term(0)))
    base = auto(le(mean("x", X, g), 1), mono(whole, "x", X))

    whole, part = map(assume, given(k + 1))
    natural, level, grown = assume(nat(k)), k * h, exp((k + 1) * h) - exp(k * h)
    reached, more = (
        product(nat_nonnegative(natural), step),
        auto(le(0, grown), exp_monotone(auto(le(level, level + h)))),
    )
    rest, on, off = g - grown * ind(level, x), assume(le(level, x)), assume(lt(x, level))
    above = auto(le(rest, exp(level)), instance(whole), at_most(on))
    below = auto(le(rest, exp(level)), instance(part, {"y": level}, weak(off), reached), not_at_most(off))
    under_y = tuple(map(assume, (le(x, y), le(0, y), le(y, level))))
    inside = instance(part, {}, *under_y[:2], auto(le(y, (k + 1) * h), under_y[2]))
    smaller = auto(le(rest, exp(y)), inside, product(more, indicator(level, x, 3)))
    ends = for_all("x", cases(above, below, level, x)), for_all("x y", smaller, *(f.conclusion for f in under_y))
    before = instance(assume(claim), {"g": fn("x", rest)}, *ends)
    tail = instance(assume(rare(X)), {"t": level}, reached)
    after = auto(le(mean("x", X, g), 1 + (k + 1) * (exp(h) - 1)), before, (more, tail))
    return induction("k", base, after, claim)


def together(X: Term, Y: Term, level: Term) -> Term:
    """P(X + Y >= c) of independent X and Y."""
    return mean("x", X, mean("w", Y, ind(level, x + w)))


@lemma("X Y k h", nat(k), le(0, h), rare(law("X")), rare(law("Y")))
def both_in_layers() -> Theorem:
    """P(X + Y >= k h) <= (1 + k (e^h - 1)) e^(-k h): given X the tail of Y, whose mean is by layers."""
    Y, level = law("Y"), k * h
    happens = ind(level, x + w)
    g = exp(level) * mean("w", Y, happens)
    certain = for_all("x", auto(le(g, exp(level)), (exp(level), mono(indicator(level, x + w, 4), "w", Y))))
    given = tuple(map(assume, (le(x, y), le(0, y), le(y, level))))
    left = level - y
    beyond, short = assume(le(left, w)), assume(lt(w, left))
    goal = le(happens, ind(left, w))
    off = auto(goal, not_at_most(auto(lt(x + w, level), short, given[0])))
    moved_on = mono(cases(auto(goal, at_most(beyond)), off, left, w), "w", Y)
    tail = instance(assume(rare(Y)), {"t": left}, auto(le(0, left), given[2]))
    less = for_all(
        "x y", auto(le(g, exp(y)), (exp(level), moved_on), (exp(level), tail)), *(f.conclusion for f in given)
    )
    proved = instance(instance(instance(in_layers())), {"g": fn("x", g)}, certain, less)
    return auto(le(together(law("X"), Y, level), (1 + k * (exp(h) - 1)) * exp(-level)), (exp(-level), proved))


@lemma("X Y c", le(0, c), rare(law("X")), rare(law("Y")))
def both_exponential() -> Theorem:
    """P(X + Y >= c) <= (1 + c) e^-c for independent X and Y with such tails: in k layers, more and more of them."""
    natural, many, small = assume(nat(k)), assume(le(c / u + 1, k)), assume(lt(0, u))
    level, whole = assume(le(0, c)), together(law("X"), law("Y"), c)
    some = auto(lt(0, k), many, product(level, weak(reciprocal_positive(small))))
    over, inverse, h = weak(reciprocal_positive(some)), reciprocal(some), c / k
    at_k = instance(both_in_layers(), {"h": h}, natural, product(level, over))
    equal = auto(eq(k * h, c), (c, inverse))
    place = same(equal, "v", together(law("X"), law("Y"), var("v"))), same(equal, "v", exp(-var("v")))
    spare = product(over, weak(small))
    short = auto(le(h, u), (spare, many), spare, (u, inverse), (c / k, reciprocal(small)))
    steep = auto(
        le(1 + k * (exp(h) - 1), (1 + c) * exp(h)),
        (product(weak(some), weak(exp_positive(h))), exp_tangent(-h)),
        (c * exp(h), inverse),
        exp_monotone(product(level, over)),
    )
    near = auto(
        le(whole, (1 + c) * exp(h) * exp(-c)), at_k, place[0], (1 + k * (exp(h) - 1), place[1]), (exp(-c), steep)
    )
    later = auto(
        le(whole * exp(-u), (1 + c) * exp(-c)),
        (exp(-u), near),
        (product(auto(le(0, 1 + c)), weak(exp_positive(-c - u))), exp_monotone(short)),
    )
    each = for_all("u", some_natural(later, "k", c / u + 1), small.conclusion)
    bounds = [mono(mono(indicator(c, x + w, which), "w", law("Y")), "x", law("X")) for which in (3, 4)]
    return instance(in_the_limit(), {"A1": whole, "B1": (1 + c) * exp(-c)}, each, *bounds)


# ------------------------------------------------------------------------------------------------ the cost of one mean


def cost(at: Any, name: str = "cost") -> Term:
    """A real function is a quotient of bounded ones."""
    return app(name, at, 0) / app(name, at, 1)


def premises(sign: int) -> tuple[Formula, ...]:
    """What is said of n, mu, epsilon, the rewards and the cost."""
    numbers = nat(n), le(1, n), lt(0, mu), lt(mu, 1), lt(0, epsilon)
    return *numbers, in_interval(law("X"), 0, 1, mu), *costs_at_most(cost, n, mu, epsilon, sign)


@lemma("X n expected epsilon t cost h k x")
def beyond_a_place(sign: int) -> Theorem:
    """P(S is beyond n mu + k h) <= e^(-t + epsilon h) where the cost is at least t at some x of the next step."""
    natural, some, *_, positive, _, paid, _ = suppose(*premises(sign))
    (_, _), costly = suppose(lt(0, h), nat(k)), assume(le(t, cost(x)))
    beyond = sign * (x - n * mu)
    far, last = suppose(lt(k * h, beyond), le(beyond, (k + 1) * h))
    suppose(costly.conclusion)
    count = auto(lt(0, n))
    over = weak(reciprocal_positive(count))
    level, decay = mu + sign * k * h / n, (t - epsilon * h) / n

    # what is at most the divergence at x is, less a step of it, at most that at the place
    here = decays_at(level, sign)
    inside = [assume(f) for f in here.given]
    of_x = instance(paid)
    at_x = instance(decays_of_sides(sign), {"level": x / n, "r": cost(x) / n}, of_x)
    wider = auto(le(z, side(x / n, sign)), inside[1])
    there = instance(at_x, {}, inside[0], wider, *inside[2:])
    slack = (product(over, weak(positive)), last)
    changed = replace(here, {"r": decay})
    assert isinstance(changed, All)
    fewer = auto(changed.then, there, (over, costly), slack)
    decays = for_all("z heads tails", fewer, *here.given)
    bound = instance(private_tail(sign), {"level": level, "r": decay}, decays)
    place = same(auto(eq(n * level, n * mu + sign * k * h)), "v", _reach(var("v"), sign))
    return auto(le(_reach(n * mu + sign * k * h, sign), exp(-t + epsilon * h)), bound, place)


def _reach(place: Any, sign: int) -> Term:
    """The probability that the private sum is beyond a place."""
    return mean("x", S, ind(place, x) if sign == 1 else ind(x, place))


@lemma("X n expected epsilon t cost")
def one_is_rare(sign: int) -> Theorem:
    """P(cost(S) >= t) <= e^-t for t > 0."""
    *_, positive, _, _, free = suppose(*premises(sign))
    (_,), beyond, small = suppose(lt(0, t)), sign * (x - n * mu), assume(lt(0, h))
    happens = ind(t, cost(x))
    P, most = mean("x", S, happens), exp(-t + epsilon * h)
    contrary = assume(lt(most, P))

    # no sum up to n mu + k h costs as much
    claim = All(("x",), (le(beyond, k * h),), lt(cost(x), t))
    base = auto(lt(cost(x), t), instance(free, {}, assume(le(beyond, 0))))
    before, costly = assume(claim), assume(le(t, cost(x)))
    near, far = assume(le(beyond, k * h)), assume(lt(k * h, beyond))
    cheap = instance(before, {}, near)
    place = n * mu + sign * k * h
    event = ind(place, x) if sign == 1 else ind(x, place)
    on = at_most(auto(le(place, x) if sign == 1 else le(x, place), far))
    less = cases(auto(le(happens, event), not_at_most(cheap)), auto(le(happens, event), on), beyond, k * h)
    at_place = instance(beyond_a_place(sign), {}, assume(nat(k)), far, assume(le(beyond, (k + 1) * h)), costly)
    false = contradiction(contrary, mono(less, "x", S), at_place)
    either = cases(contradiction(cheap, costly), false, beyond, k * h)
    every = induction("k", base, by_contradiction(lt(cost(x), t), either), claim)

    # so none does
    reached = assume(le(beyond / h, k))
    up_to = auto(le(beyond, k * h), (weak(small), reached), (beyond, reciprocal(small)))
    never = auto(le(happens, 0), not_at_most(instance(instance(every, {}, assume(nat(k))), {}, up_to)))
    none = mono(some_natural(never, "k", beyond / h), "x", S)
    near_it = by_contradiction(le(P, most), contradiction(contrary, none, exp_positive(-t + epsilon * h)))
    at_u = instance(
        for_all("h", near_it, small.conclusion),
        {"h": u / epsilon},
        product(assume(lt(0, u)), reciprocal_positive(positive)),
    )
    later = auto(le(P * exp(-u), exp(-t)), (exp(-u), at_u))
    bounds = [mono(indicator(t, cost(x), which), "x", S) for which in (3, 4)]
    return instance(in_the_limit(), {"A1": P, "B1": exp(-t)}, for_all("u", later, lt(0, u)), *bounds)


@lemma("X n expected epsilon cost")
def cost_is_rare(sign: int) -> Theorem:
    """The cost of a private mean has the tail of an exponential variable: P(cost(S) >= t) <= e^-t for t >= 0."""
    suppose(*premises(sign))
    positive, at_most_one = assume(lt(0, t)), mono(indicator(t, cost(x), 4), "x", S)
    goal = le(mean("x", S, ind(t, cost(x))), exp(-t))
    certain = auto(goal, at_most_one, exp_monotone(auto(le(0, -t), assume(le(t, 0)))))
    return for_all("t", cases(certain, instance(one_is_rare(sign), {}, positive), t, term(0)), le(0, t))


@proof
def two_costs(statement: All) -> Theorem:
    """Of two independent private means: the costs are two such variables."""
    other = fn("x y", app("other_cost", x, y))
    second = {"X": fn("", law("Y")), "n": var("m"), "expected": var("second_mean"), "cost": other}
    tails = instance(cost_is_rare(-1)), instance(cost_is_rare(1), second)
    laws = value_of(cost, S), value_of(lambda at: cost(at, "other_cost"), private_sum(law("Y"), var("m"), epsilon))
    values = {"X": fn("", laws[0]), "Y": fn("", laws[1]), "c": var("level")}
    return auto(statement.then, instance(both_exponential(), values, *tails))
