"""Proof in the kernel that Laplace noise on losses changes no regret, though a sum of noise is not bounded.

Noise is cut at M and -M. What is left is bounded and odd, so its mean is 0. What is cut off of T rounds has an integral
of at most T times a number that is halved where M grows by lam log 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.losses import always, lost, of_table, runs_on_losses, with_noise
from banditproof.verify.kernel.rewards import OF_THE_SUM, did, earned, integral, part, sum_of_rewards
from banditproof.verify.theorems.hoeffding import L, half_is_less, in_the_limit, two
from banditproof.verify.theorems.noise import turned_size
from banditproof.verify.theorems.policies import PLAYS, less_on_arms, sum_inside, sum_over
from banditproof.verify.theorems.regret import (
    TOLD,
    Part,
    Smaller,
    Sums,
    below,
    of_round,
    part_is_not_negative,
    parts_differ,
    size_is_at_least,
    smaller,
)

B, K, T, c, i, j, k, lam, w, x, z, fixed = map(var, ("B", "K", "T", "c", "i", "j", "k", "lam", "w", "x", "z", "fixed"))
NOISE, POSITIVE = laplace(lam), assume(lt(0, lam))
LEVEL = k * lam * L  # where noise is cut
H = app("h", w)


def noise(f: Term) -> Term:
    """E f(w) for the noise w."""
    return mean("w", NOISE, f)


def steepness(at: Term) -> Term:
    return size(at) / lam


# ----------------------------------------------------------------------------------------------------------- one noise


def step_not_negative() -> Theorem:
    """0 <= lam log 2."""
    return product(weak(POSITIVE), auto(le(0, L), half_is_less()))


@lemma("h c")
def shifted() -> Theorem:
    """E h(w) <= e^(-c/lam) E h(w + c) for c >= 0 and h >= 0 that is 0 below c."""
    low, none, _ = suppose(All(("w",), (), le(0, H)), All(("w",), (lt(w, c),), le(H, 0)), le(0, c))
    factor, ratio = exp(-c / lam), exp(steepness(w) - steepness(w - c))
    goal = le(H, factor * H * ratio)
    far = assume(le(c, w))
    signs = at_most(auto(le(0, w), far)), at_most(auto(le(0, w - c), far))
    exponent = auto(eq(steepness(w) - steepness(w - c), c / lam), signs[0], signs[1])
    here = auto(goal, (factor * H, exp_equal(exponent)))
    nothing = antisymmetric(instance(none, {}, assume(lt(w, c))), instance(low, {}))
    return moved(cases(here, auto(goal, nothing), c, w), POSITIVE, "w", NOISE, 1, c, factor * H)


def moved_part(right: Theorem) -> tuple[Theorem, Theorem]:
    """max(w, 0) - c <= max(w - c, 0), and max(w, 0) <= c for w < c, where 0 <= c."""
    c = right.conclusion.args[1]  # type: ignore[union-attr]
    inside, outside = assume(le(0, w)), assume(lt(w, 0))
    after, sign = indicator(term(0), w - c, 2), part_is_not_negative(w - c, 1)
    less, short = le(part(w, 1) - c, part(w - c, 1)), le(part(w, 1), c)
    there = auto(less, (w, at_most(inside)), after), auto(less, (w, not_at_most(outside)), right, sign)
    here = auto(short, (w, at_most(inside)), assume(lt(w, c))), auto(short, (w, not_at_most(outside)), right)
    return cases(*there, term(0), w), cases(*here, term(0), w)


def at_shifted(p: Theorem, c: Term, goal: Any) -> Theorem:
    """What holds at all w, at w + c, in these words."""
    return for_all("w", auto(goal, instance(for_all("w", p), {"w": w + c})))


@lemma("h")
def integrable() -> Theorem:
    """E h(w) <= 2 lam log 2 for 0 <= h(w) <= max(w, 0): it is at most lam log 2 and half of that of another such h."""
    step = lam * L
    given = (*below(H, part(w, 1), "w"), All(("w",), (), le(H, B)))
    suppose(*given[:2])

    def says(count: Any) -> Any:
        return le(noise(H), 2 * step + B * exp(-term(count) * L))

    claim = All(("h",), given, says(k))
    low, high, bounded = (instance(assume(f), {}) for f in given)
    base = auto(says(0), mono(bounded, "w", NOISE), step_not_negative())

    both = Smaller(low, step_not_negative())
    near, far = le(H, step), le(step, H)
    is_near, is_far = instance(both.lower, {}, assume(near)), instance(both.upper, {}, assume(far))
    left = H - smaller(H, step)
    shorter, small = moved_part(step_not_negative())
    goal = le(left, part(w - step, 1))
    below_part = cases(
        auto(goal, is_near, part_is_not_negative(w - step, 1)), auto(goal, is_far, high, shorter), H, step
    )
    starts = auto(le(left, 0), instance(for_all("", is_near, near), {}, auto(near, high, small)))
    floor, ceiling = auto(le(0, left), both.most), auto(le(left, B), bounded)
    halved = instance(shifted(), {"h": fn("w", left), "c": step}, floor, starts, step_not_negative())
    later = substitute(left, {"w": w + step})
    goals = (floor, le(0, later)), (below_part, le(later, part(w, 1))), (ceiling, le(later, B))
    moved_on = [at_shifted(p, step, goal) for p, goal in goals]
    before = instance(assume(claim), {"h": fn("w", later)}, *moved_on)
    one, half = reciprocal(POSITIVE), auto(eq(exp(-L), term(1) / 2), two())
    factor = same(auto(eq(-step / lam, -L), one), "v", exp(var("v")) * noise(later))
    proved = auto(says(k + 1), mono(both.bound, "w", NOISE), halved, factor, before, half)
    every = induction("k", base, proved, claim)
    at_k = instance(instance(every, {}, assume(nat(k))), {}, *map(assume, given))
    X = noise(H) - 2 * step
    positive = auto(le(0, B), bounded)
    limit = in_the_limit(X, B, term(0), auto(le(X, B * exp(-k * L)), at_k), positive, auto(le(0, 0)))
    return some_bound(auto(le(noise(H), 2 * step), limit), "B", ["w"], H)


@lemma("h", All(("w",), (), le(0, H)))
def mirrored() -> Theorem:
    """E h(w) <= E h(-w) for h >= 0."""
    level = auto(eq(steepness(w) - steepness(-w), 0), (1 / lam, instance(turned_size(), {"t": w})))
    ratio = exp_equal(level)
    below_it = auto(le(H, H * exp(steepness(w) - steepness(-w))), (H, ratio))
    return moved(below_it, POSITIVE, "w", NOISE, -1, term(0), H)


def level_not_negative() -> Theorem:
    """0 <= k lam log 2."""
    return product(nat_nonnegative(assume(nat(k))), step_not_negative())


def kept(w: Term, sign: int) -> Term:
    """The smaller one of M and a part of the noise w."""
    return smaller(LEVEL, part(w, sign))


def is_kept(w: Term, sign: int) -> Smaller:
    return Smaller(level_not_negative(), part_is_not_negative(w, sign))


@once
def odd() -> Theorem:
    """What is kept of both parts of the noise is the same in the mean."""
    sides = []
    for sign in (1, -1):
        low = is_kept(w, sign).not_negative
        proved = instance(mirrored(), {"h": fn("w", kept(w, sign))}, low)
        sides.append(auto(le(noise(kept(w, sign)), noise(kept(w, -sign))), proved))
    return antisymmetric(*sides)


def cut(w: Term, sign: int) -> Term:
    """What is cut off of a part of the noise w."""
    return part(w, sign) - kept(w, sign)


REST = 2 * lam * L * exp(-k * L)


@once
def cut_off(sign: int) -> Theorem:
    """E h(w) <= 2^-k 2 lam log 2 for h between 0 and what is cut off of a part."""
    given = below(H, cut(w, sign), "w")
    low, high = (instance(assume(f), {}) for f in given)
    if sign == -1:
        turned = H_at(-w)
        goals = zip(given, (le(0, turned), le(turned, cut(w, 1))), strict=True)
        ends = [for_all("w", auto(g, instance(assume(f), {"w": -w}))) for f, g in goals]
        proved = instance(cut_off(1), {"h": fn("w", turned)}, *ends)
        return for_all("h", auto(le(noise(H), REST), instance(mirrored(), {}, assume(given[0])), proved), *given)
    level, both = level_not_negative(), is_kept(w, 1)
    near, far = le(part(w, 1), LEVEL), le(LEVEL, part(w, 1))
    is_near, is_far = instance(both.upper, {}, assume(near)), instance(both.lower, {}, assume(far))
    shorter, small = moved_part(level)
    starts = auto(le(H, 0), high, instance(for_all("", is_near, near), {}, small))
    goal = le(H, part(w - LEVEL, 1))
    far_off = part_is_not_negative(w - LEVEL, 1)
    below_part = cases(auto(goal, is_near, high, far_off), auto(goal, is_far, high, shorter), part(w, 1), LEVEL)
    moved_on = fn("w", H_at(w + LEVEL))
    fewer = instance(shifted(), {"c": LEVEL}, assume(given[0]), starts, level)
    goals = (low, le(0, H_at(w + LEVEL))), (below_part, le(H_at(w + LEVEL), part(w, 1)))
    whole = instance(integrable(), {"h": moved_on}, *(at_shifted(p, LEVEL, goal) for p, goal in goals))
    exponent = auto(eq(-LEVEL / lam, -k * L), (-k * L, reciprocal(POSITIVE)))
    factor = same(exponent, "v", exp(var("v")) * noise(H_at(w + LEVEL)))
    proved = auto(le(noise(H), REST), fewer, factor, (exp(-k * L), whole))
    return for_all("h", proved, *given)


def H_at(w: Term) -> Term:
    return app("h", w)


# --------------------------------------------------------------------------------------------------------- all rounds


def heard(i: Any, a: Any) -> Term:
    return with_noise(NOISE)(of_table(i, a))


RUNS, TOTAL = runs_on_losses(pi, with_noise(NOISE), T), sum_of_rewards(T, z)


def noise_in(k: Any) -> Term:
    """The noise of round k in the run z."""
    return earned(k, T, z) - of_table(k, did(k, T, z))


class CutOff(Part):
    """What is cut off of one part of the noise of a round."""

    runs = RUNS

    def __init__(self, sign: int):
        self.sign = sign

    @property
    def mean(self) -> Term:
        return REST

    def in_run(self, k: Any) -> Term:
        return cut(noise_in(k), self.sign)

    def in_run_not_negative(self, k: Any) -> Theorem:
        return auto(le(0, self.in_run(k)), is_kept(noise_in(k), self.sign).bound)

    def smaller(self, some: Theorem) -> Sequence[Theorem]:
        at_least = some.conclusion.args[1]  # type: ignore[union-attr]
        of_noise = Smaller(some, auto(le(0, cut(w, self.sign)), is_kept(w, self.sign).bound))
        least = smaller(at_least, cut(w, self.sign))
        ends = (for_all("w", p) for p in (of_noise.not_negative, of_noise.bound))
        told = of_round(substitute(least, {"w": NOISE_TOLD}), heard)
        return told, instance(cut_off(self.sign), {"h": fn("w", least)}, *ends)


NOISE_TOLD = var("y") - of_table(i, x)  # of round i, by its arm x and what is told of it


def mean_of_losses() -> Theorem:
    """The losses of the arms that are played are in the mean what is lost in the rounds."""
    return over_the_rounds(of_table(j, did(j, T, z)), of_round(of_table(i, x), heard))


def mean_of_what_is_kept() -> Theorem:
    """What is kept of the noise is 0 in the mean."""
    both = [of_round(substitute(kept(w, s), {"w": NOISE_TOLD}), heard) for s in (1, -1)]
    left = [p.conclusion.args[0] for p in both]  # type: ignore[union-attr]
    return over_the_rounds(kept_in(j), auto(eq(left[0] - left[1], 0), *both, odd()))


def kept_in(k: Any) -> Term:
    return kept(noise_in(k), 1) - kept(noise_in(k), -1)


def over_the_rounds(body: Term, of_each: Theorem) -> Theorem:
    """E of a sum over the rounds is the sum of what each of them has."""
    left, right = of_each.conclusion.args  # type: ignore[union-attr]
    each = sum_over(auto(eq(0, left - right), of_each), "i", T)
    whole = mean("z", RUNS, T * mean("j", law("Unif", T), body))
    total = T * mean("i", law("Unif", T), right)
    return auto(eq(whole, total), sum_inside("j", T, "z", RUNS, body), each)


def of_part(sign: int, number: Term) -> tuple[Formula, Formula]:
    """The number is the integral of one part of the sum of what is heard."""
    return integral(RUNS, lambda z: part(TOTAL, sign), number, "z")


def one_side(sign: int) -> Theorem:
    """s (gained - lost) is at most s times what is lost, and T times what is cut off of the noise."""
    numbers: dict[int, Term] = dict(zip((1, -1), map(var, OF_THE_SUM), strict=True))
    first, other = (
        [assume(f) for f in integral(RUNS, lambda z, s=s: part(TOTAL, s), numbers[s], "z")] for s in (sign, -sign)
    )
    most, Y = numbers[-sign], part(TOTAL, -sign)
    sums = Sums(CutOff(sign))
    bound = sums.at_most(Y, part_is_not_negative(TOTAL, -sign), most, other[0])
    f = app("f", z)
    given = below(f, part(TOTAL, sign), "z")
    high = instance(assume(given[1]), {})
    played, kept_of = (sum_of(body, T) for body in (lambda j: of_table(j, did(j, T, z)), kept_in))
    h = f - sign * (played + kept_of)
    natural = assume(nat(T))
    each = (T, mono(parts_differ(noise_in(j)), "j", law("Unif", T)))
    rest = Sums(CutOff(-sign)).not_negative(natural)
    goal = le(h, Y + sums.in_run(T))
    reached = auto(goal, high, parts_differ(TOTAL), each, rest)
    floor = auto(le(0, Y + sums.in_run(T)), part_is_not_negative(TOTAL, -sign), sums.not_negative(natural))
    up, event = h * ind(0, h), [indicator(term(0), h, which) for which in range(5)]
    upto = auto(le(up, Y + sums.in_run(T)), (event[3], reached), (auto(le(0, 1 - ind(0, h))), floor))
    of_h = instance(bound, {"f": fn("z", up)}, event[1], upto)
    above = mono(auto(le(h, up), event[2]), "z", RUNS)
    losses = lost(pi, with_noise(NOISE), of_table, T)
    c = most + sign * losses + T * REST
    proved = auto(le(mean("z", RUNS, f), c), above, of_h, mean_of_losses(), mean_of_what_is_kept())
    least = instance(first[1], {"c": c}, for_all("f", proved, *given))
    X, C = numbers[sign] - most - sign * losses, 2 * T * lam * L
    positive = product(nat_nonnegative(natural), auto(le(0, 2 * lam * L), step_not_negative()))
    at_k = auto(le(X, C * exp(-k * L)), least)
    return in_the_limit(X, C, term(0), at_k, auto(le(0, C), positive), auto(le(0, 0)))


@once
def mean_of_what_is_heard() -> Theorem:
    """What is heard in T rounds adds up to what is lost, in the mean, for every algorithm that plays arms."""
    gained, lost_parts = map(var, OF_THE_SUM)
    losses = lost(pi, with_noise(NOISE), of_table, T)
    low, high = one_side(1), one_side(-1)
    return antisymmetric(auto(le(gained - lost_parts, losses), low), auto(le(losses, gained - lost_parts), high))


def of_any_algorithm() -> Theorem:
    """The same for all laws of arms, and both integrals."""
    names = "pi", *OF_THE_SUM
    parts = (f for s, name in zip((1, -1), OF_THE_SUM, strict=True) for f in of_part(s, var(name)))
    return for_all(" ".join(names), mean_of_what_is_heard(), PLAYS.conclusion, *parts)


@proof
def regret_in_noisy_losses(statement: All) -> Theorem:
    """What is heard adds up to what is lost, of the algorithm and of one that plays one arm."""
    _, _, inner = parts_of(statement.then)
    own_names, own_given, goal = parts_of(inner)
    played = instance(of_any_algorithm(), {})
    one_arm = {"pi": fn("i h", always(fixed)(i, var("h"))), "gained": var("more"), "lost": var("less")}
    event, without = (assume(f) for f in PLAYS.conclusion.given)  # type: ignore[union-attr]
    there = instance(without, {"a": fixed})
    none = auto(eq(mean("x", always(fixed)(i, var("h")), app("A", x)), 0), there)
    plays = for_all("i h A", none, event.conclusion, without.conclusion)
    alone = instance(of_any_algorithm(), one_arm, plays)
    return for_all(own_names, auto(goal, played, alone), *own_given)


@proof
def what_is_heard_has_a_mean(statement: All) -> Theorem:
    """Its size is at most that of the losses and of both parts of the noise, of which nothing is cut off at 0."""
    _, given, inner = parts_of(statement.then)
    own_names, own_given, goal = parts_of(inner)
    low, high = map(assume, given)
    natural, a = assume(nat(T)), var("a")
    arm = assume(nat(i)), assume(lt(i, T)), assume(nat(a)), assume(lt(a, K))
    floor, top = (instance(p, {}, *arm) for p in (low, high))
    loss = of_table(i, a)
    small = auto(le(size(loss), 1), at_most(floor), top)
    each = less_on_arms(PLAYS, pi(i, TOLD), (i, TOLD), size(loss), term(1), small)
    told = of_round(size(of_table(i, x)), heard)
    size_in = size(of_table(j, did(j, T, z)))
    sizes = sum_of(lambda j: size(of_table(j, did(j, T, z))), T)
    at_round = mono(each, "z", runs_on_losses(pi, with_noise(NOISE), i))
    of_each = auto(le(0, 1 - told.conclusion.args[0]), told, at_round)  # type: ignore[union-attr]
    over_all = sum_inside("j", T, "z", RUNS, size_in), sum_over(of_each, "i", T)

    f = app("f", z)
    of_f = below(f, sizes, "z")
    bounded = mono(instance(assume(of_f[1]), {}), "z", RUNS)
    known = for_all("f", auto(le(mean("z", RUNS, f), T), bounded, *over_all), *of_f)
    sides = size_is_at_least(of_table(j, did(j, T, z)))
    positive = auto(le(0, sizes), mono(sides[0], "j", law("Unif", T)))
    up, down = (Sums(CutOff(s)) for s in (1, -1))
    first = up.at_most(sizes, positive, T, known)
    both = sizes + up.in_run(T)
    floor_of_both = auto(le(0, both), positive, up.not_negative(natural))
    second = down.at_most(both, floor_of_both, T + T * REST, first)
    uncut = instance(for_all("k", second, nat(k)), {"k": 0})

    whole = substitute(both + down.in_run(T), {"k": term(0)})
    noise_parts = [part_is_not_negative(noise_in(j), s) for s in (1, -1)]
    facts = [(nat_nonnegative(natural), mono(p, "j", law("Unif", T))) for p in (sides[1], sides[2], *noise_parts)]
    equal_parts = (T, mono(parts_differ(noise_in(j)), "j", law("Unif", T)))
    above, under = (auto(le(s * TOTAL, whole), equal_parts, *facts) for s in (1, -1))
    sign = ind(0, TOTAL)
    shares = indicator(term(0), TOTAL, 3), auto(le(0, 1 - sign))
    g = app("g", z)
    ends = [assume(f) for f in own_given]
    upto = auto(le(g, whole), instance(ends[1], {}), *zip(shares, (above, under), strict=True))
    of_g = instance(uncut, {"f": fn("z", g)}, upto)
    return for_all(own_names, auto(goal, of_g, two(), exp_tangent(L)), *own_given)
