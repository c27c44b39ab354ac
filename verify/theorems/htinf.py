"""Proofs in the kernel that HTINF for alpha = 2 has a regret of 30 sigma sqrt(K (T + 1)) at most, on heavy tails.

With x_a = p_a^2 and s = 1/eta the minimiser is told by s/p_a - L_a, which is the same for all arms. The potential is
s (sum of p_a + 1/p_fixed), what the estimated losses of the minimiser exceed those of the arm `fixed` by, and more. It
is not bounded, so its mean is taken of the smaller one of it and a number, which may be any.
"""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.losses import (
    THETA,
    inverse_rate,
    is_htinf,
    losses_in_unit,
    of_table,
    played_root,
    skips_above,
    with_noise,
)
from banditproof.verify.kernel.rewards import game
from banditproof.verify.theorems.losses import over_draws, reduction, with_horizon
from banditproof.verify.theorems.noisy_losses import lam, mirrored
from banditproof.verify.theorems.noisy_sums import of_laplace
from banditproof.verify.theorems.policies import PLAYS, all_arms, less_on_arms, picked, sum_over
from banditproof.verify.theorems.regret import Rounds, Smaller, below, size_is_at_least, smaller

a, b, c, e, i, j, k, m, n, q, r, s, t, u, w, x, y, z = map(var, "abceijkmnqrstuwxyz")
K, T, fixed, root, sigma = map(var, ("K", "T", "fixed", "root", "sigma"))
tau, rest, epsilon, side = map(var, ("tau", "rest", "epsilon", "side"))


def over_arms(f: Any) -> Term:
    """The sum of f(b) over the arms b."""
    return K * mean("b", uniform(K), f)


# ---------------------------------------------------------------------------------------------- one step of a potential


def P(b: Any) -> Term:
    return app("p", b)


def Q(b: Any) -> Term:
    return app("q", b)


def roots(of: Any) -> tuple[Formula, Formula]:
    """The numbers are positive, and their squares add up to 1."""
    return All(("b",), (), lt(0, of(b))), eq(over_arms(of(b) * of(b)), 1)


BALANCED = All(("b",), is_arm(b, K), eq(t / Q(b) - s / P(b), equal(b, a) * c + e))


def apart(b: Any) -> Term:
    """(q - p)^2/p."""
    return Q(b) * Q(b) / P(b) - 2 * Q(b) + P(b)


@lemma("p q s t c e a K fixed", nat(K), *is_arm(a, K), *is_arm(fixed, K), le(0, s), *roots(P), *roots(Q), BALANCED)
def moved_on() -> Theorem:
    """As c is added to the loss of an arm a, the potential grows by c if that is fixed, less c q^2 + s (q - p)^2/p."""
    at_b, at_fixed = (instance(assume(BALANCED), {"b": v}, *map(assume, is_arm(v, K))) for v in (b, fixed))
    hit = equal(b, a)
    both = Q(b) * Q(b)
    balance = auto(eq(0, t * Q(b) - s * both / P(b) - hit * c * both - e * both), (both, at_b))
    positive = auto(le(0, apart(b)), (1 / P(b), square(Q(b) - P(b))))
    others = product(auto(le(0, 1 - hit), indicator(b, a, 4), (ind(b, a), indicator(a, b, 4))), positive)
    sums = [sum_over(p, "b", K) for p in (balance, others)]
    at_a = [picked(f, a, K) for f in (lambda b: Q(b) * Q(b), apart)]
    whole = over_arms(Q(b))
    goal = le(
        t * (whole + 1 / Q(fixed)),
        s * (over_arms(P(b)) + 1 / P(fixed))
        + equal(fixed, a) * c
        - c * Q(a) * Q(a)
        - s * apart(a)
        + 2 * (t - s) * whole,
    )
    all_of_q = (e, assume(roots(Q)[1]))
    return auto(goal, sums[0], (s, sums[1]), (c, at_a[0]), (s, at_a[1]), at_fixed, all_of_q)


@lemma("x y s t", lt(0, x), lt(0, y), lt(0, s), le(-s * x / 4, t), le(t, s * x / 4))
def cost() -> Theorem:
    """t - (4/3) t^2/(s p) <= (t/p^2) q^2 + s (q - p)^2/p for |t| <= s p/4."""
    whole = s * x + t
    above = auto(lt(0, whole))
    inverse = reciprocal_positive(above)
    far = auto(le(0, term(4) / 3 * whole - s * x))
    spare = product(product(square(t), weak(inverse)), product(weak(reciprocal_positive(auto(lt(0, s * x)))), far))
    goal = le(t - term(4) / 3 * t * t / (s * x), t / (x * x) * y * y + s * (y * y / x - 2 * y + x))
    return auto(goal, (weak(inverse), square(whole * y / x - s * x)), spare, reciprocal(above))


@lemma("q K root", nat(K), lt(0, root), le(K, root * root), *roots(Q))
def few() -> Theorem:
    """The sum of the roots is at most sqrt(K): 2 q <= root q^2 + 1/root."""
    each = auto(le(0, root * Q(b) * Q(b) + 1 / root - 2 * Q(b)), (root, square(Q(b) - 1 / root)))
    small = auto(le(K / root, root), (1 / root, assume(le(K, root * root))))
    return auto(le(over_arms(Q(b)), root), sum_over(each, "b", K), (root, assume(roots(Q)[1])), small)


@once
def share() -> tuple[Theorem, Theorem]:
    """1/5 <= Theta <= 1/4: for y = 2^(-1/3) is y^3 = 1/2."""
    y = exp(-log(2) / 3)
    cube = auto(eq(y * y * y, term(1) / 2), (exp(-log(2)) / 2, exp_log(auto(lt(0, 2)))))
    low, high = assume(lt(y, term(3) / 4)), assume(lt(term(4) / 5, y))
    less = contradiction(cube, (y * y, low), (y, low), low)
    more = contradiction(cube, (y * y, high), (y, high), high)
    return (
        auto(le(term(1) / 5, THETA), by_contradiction(le(y, term(4) / 5), more)),
        auto(le(THETA, term(1) / 4), by_contradiction(le(term(3) / 4, y), less)),
    )


# ----------------------------------------------------------------------------------------------- losses that are kept


def kept(M: Any, r: Any) -> Term:
    """r where |r| <= M, else 0, as a bounded function of r."""
    return ind(size(r), M) * (smaller(2 * M, r + M) - M)


level = var("level")


@lemma("level r", lt(0, level))
def is_kept() -> Theorem:
    """It is r 1[|r| <= level]."""
    inside, outside = assume(le(size(r), level)), assume(lt(level, size(r)))
    _, up, down = size_is_at_least(r)
    goal = eq(kept(level, r), r * ind(size(r), level))
    both = Smaller(auto(le(0, 2 * level)), auto(le(0, r + level), down, inside))
    here = instance(both.upper, {}, auto(le(r + level, 2 * level), up, inside))
    off = not_at_most(outside)
    there = auto(goal, (r, off), (smaller(2 * level, r + level) - level, off))
    return cases(auto(goal, (ind(size(r), level), here)), there, size(r), level)


# ------------------------------------------------------------------------------------------------------------ one round


def heard(i: Any, a: Any) -> Term:
    """The law of what is heard of the loss of an arm in a round."""
    return law("M", i, a)


def mu(i: Any, a: Any) -> Term:
    """Its mean."""
    return app("mu", i, a)


POSITIVE, LEARNER = lt(0, sigma), is_htinf(pi, K, sigma)
ROUND, ARM, FIXED = [nat(i)], is_arm(a, K), is_arm(fixed, K)
S, NEXT = inverse_rate(i, sigma), inverse_rate(i + 1, sigma)
LATER, TOLD = app("after", z, a, a, r), app("told", z)


def p_of(b: Any) -> Term:
    return played_root(i, z, b)


def known(which: int, **values: Any) -> Theorem:
    """One of the conditions that make the learner HTINF."""
    given = [replace(g, values) for g in LEARNER[which].given]  # type: ignore[union-attr]
    numbers = {p.conclusion: p for p in (nat_zero(), nat_next(assume(nat(i))))}
    return instance(assume(LEARNER[which]), values, *(numbers.get(g) or assume(g) for g in given))


SETTING = *LEARNER, plays_arms(pi, K), POSITIVE, nat(K), le(1, K), nat(i)


@lemma("pi played_root estimated told after sigma K i z", *SETTING)
def all_of_it() -> Theorem:
    """The squares of the roots add up to 1."""
    at_b = known(2, a=b)
    chance = at_b.conclusion.args[0]  # type: ignore[union-attr]
    each = sum_over(auto(eq(0, chance - p_of(b) * p_of(b)), at_b), "b", K)
    return auto(eq(over_arms(p_of(b) * p_of(b)), 1), all_arms(term(1), i, TOLD), each)


@lemma("sigma i", POSITIVE, nat(i))
def rates() -> Theorem:
    """sigma^2/s <= (5/2) (s' - s) for s = sigma sqrt(i + 1) and s' = sigma sqrt(i + 2)."""
    x, y = (exp(log(i + k) / 2) for k in (1, 2))
    of_x, of_y = (exp_log(auto(lt(0, i + k))) for k in (1, 2))
    low = assume(le(x * y, i + 1 + term(2) / 5))
    false = contradiction(of_x, of_y, (x * y, low), (i + 1 + term(2) / 5, low), (y * y, of_x), (i + 1, of_y))
    steep = by_contradiction(lt(i + 1 + term(2) / 5, x * y), false)
    return auto(le(sigma * sigma / S, term(5) / 2 * (NEXT - S)), (sigma / x, steep), (sigma / x, of_x))


def rises() -> Theorem:
    """0 <= s' - s."""
    return auto(le(0, NEXT - S), instance(rates()), product(square(sigma), auto(lt(0, 1 / S))))


def kept_of(a: Any) -> Term:
    """What is kept of what is heard."""
    return kept(skips_above(i, z, a, sigma), r)


def potential(i: Any, z: Any) -> Term:
    """s (the sum of the roots and 1/p of the fixed arm)."""
    return inverse_rate(i, sigma) * (over_arms(played_root(i, z, b)) + 1 / played_root(i, z, fixed))


def round_adds(more: Term) -> Term:
    """The potential, what a round may add to it, and more."""
    return potential(i, z) + 2 * (NEXT - S) * root + more


NAMES = "pi played_root estimated told after sigma K"


@lemma(f"{NAMES} fixed root i z a r", *SETTING, *ARM, *FIXED, lt(0, root), le(K, root * root))
def grown() -> Theorem:
    """What one round adds to the potential, by what is kept of what is heard."""
    scale, here = auto(lt(0, S)), instance(assume(LEARNER[0]))
    at, k = skips_above(i, z, a, sigma), kept_of(a)
    low, high = share()
    above = product(auto(lt(0, THETA), low), product(scale, here))
    raw = instance(is_kept(), {"level": at}, auto(lt(0, at), above))
    fits = indicator(size(r), at, 1)
    inside, (_, up, down) = ind(size(r), at), size_is_at_least(r)
    own = weak(product(scale, here))
    small = inside, product(own, auto(le(0, term(1) / 4 - THETA), high))
    less = own, indicator(size(r), at, 4)
    ends = [auto(le(s * k, S * p_of(a) / 4), raw, (inside, p), fits, small, less) for s, p in ((1, up), (-1, down))]
    c_value = k / (p_of(a) * p_of(a))
    q_of = lambda b: played_root(i + 1, LATER, b)  # noqa: E731
    e_value = NEXT / q_of(fixed) - S / p_of(fixed) - equal(fixed, a) * c_value
    before, after = known(3, a=b, b=fixed), known(3, i=i + 1, z=LATER, a=b, b=fixed)
    added = [known(5, b=v) for v in (b, fixed)]
    heard_of = [(equal(v, a) / (p_of(a) * p_of(a)), raw) for v in (b, fixed)]
    goal = eq(NEXT / q_of(b) - S / p_of(b), equal(b, a) * c_value + e_value)
    balance = auto(goal, before, after, *added, *heard_of)
    one_more = {"i": i + 1, "z": LATER}
    later = nat_next(assume(nat(i)))
    every = [for_all("b", known(0, **at, a=b)) for at in ({}, one_more)]
    ones = instance(all_of_it(), {}), instance(all_of_it(), one_more, *map(assume, SETTING[:-1]), later)
    values = {"p": fn("b", p_of(b)), "q": fn("b", q_of(b)), "s": S, "t": NEXT, "c": c_value, "e": e_value}
    step = instance(moved_on(), values, every[0], ones[0], every[1], ones[1], for_all("b", balance, *is_arm(b, K)))
    at_a = known(0, **one_more)
    paid = instance(cost(), {"x": p_of(a), "y": q_of(a), "s": S, "t": k}, here, at_a, scale, *ends[::-1])
    few_of_q = instance(few(), {"q": fn("b", q_of(b))}, every[1], ones[1])
    longer = rises()
    goal = le(potential(i + 1, LATER), round_adds(equal(fixed, a) * c_value - k + term(4) / 3 * k * k / (S * p_of(a))))
    return auto(goal, step, paid, (longer, few_of_q))


cap, most, spread = map(var, ("cap", "most", "spread"))
WITHIN = nat(i), lt(i, T), *ARM


def of_what_is_heard(f: Any) -> Term:
    return mean("r", heard(i, a), f)


def tame(h: Term) -> tuple[All, ...]:
    """What is kept up to h has at most the mean mu, which is no more than spread/h above it, and a small square."""
    average, k = of_what_is_heard(kept(h, r)), kept(h, r)
    says = le(average, mu(i, a)), le(h * (mu(i, a) - average), spread), le(of_what_is_heard(k * k), 2 * spread)
    return tuple(All(("i", "a", "level"), (*WITHIN, lt(0, h)), f) for f in says)


TAME = tame(level)
NEXT_MEAN = of_what_is_heard(smaller(cap, potential(i + 1, LATER)))
ROUND_OF = *SETTING, lt(i, T), *FIXED, lt(0, root), le(K, root * root), *TAME, le(0, cap)
ALL_NAMES = f"M mu spread T {NAMES} fixed root cap i z"


@lemma(f"{ALL_NAMES} a", *ROUND_OF, *ARM)
def of_arm() -> Theorem:
    """What a round adds in the mean where the arm a is played, times the probability of that."""
    scale, here = auto(lt(0, S)), known(0)
    at, k = skips_above(i, z, a, sigma), kept_of(a)
    above = auto(lt(0, at), product(auto(lt(0, THETA), share()[0]), product(scale, here)))
    averages = [instance(assume(f), {"level": at}, *map(assume, WITHIN), above) for f in TAME]
    both = Smaller(assume(le(0, cap)), auto(le(0, potential(i + 1, LATER))))
    adds = instance(grown())
    at_r = mono(auto(le(both.bound.conclusion.args[0], adds.conclusion.args[1]), both.bound, adds), "r", heard(i, a))
    Ek = of_what_is_heard(k)
    missed = auto(le(0, mu(i, a) - Ek), averages[0])
    apart = product(product(scale, here), missed), share()[0]
    near = auto(le(S * p_of(a) * (mu(i, a) - Ek), 5 * spread), (5, averages[1]), apart)
    hit, square_of_p = equal(fixed, a), p_of(a) * p_of(a)
    right = square_of_p * round_adds(-mu(i, a)) + hit * mu(i, fixed) + term(23) / 3 * spread * p_of(a) / S
    facts = (square_of_p, at_r), (hit, averages[0]), (p_of(a) / S, near), (p_of(a) / S, averages[2])
    return auto(le(square_of_p * NEXT_MEAN, right), *facts, under(fixed, a, mu(i, var("w"))))


ENOUGH = le(115 * spread, 168 * sigma * sigma)
GAP = All(("i", "a"), WITHIN, le(mu(i, a) - mu(i, fixed), most))
PLAYED = pi(i, TOLD)


def after_round(f: Term) -> Term:
    """The mean over the arm of the round."""
    return mean("a", PLAYED, f)


@lemma(ALL_NAMES.replace("cap", "cap most"), *ROUND_OF, GAP, le(0, most), le(0, spread), ENOUGH)
def of_round() -> Theorem:
    """What a round adds to the smaller one of the potential and a number, in the mean, and to the regret."""
    scale = auto(lt(0, S))
    arm = known(2, a=b)
    chance, p = arm.conclusion.args[0], p_of(b)  # type: ignore[union-attr]
    at_b = instance(of_arm(), {"a": b}, *map(assume, (*ROUND_OF, *is_arm(b, K))))
    whole = [all_arms(f, i, TOLD) for f in (NEXT_MEAN, mu(i, a), term(1))]
    of_b = substitute(NEXT_MEAN, {"a": b})
    adds = round_adds(-mu(i, b))
    right = chance * adds + equal(fixed, b) * mu(i, fixed) + term(23) / 3 * spread * p / S
    total = sum_over(auto(le(0, right - chance * of_b), at_b, (adds - of_b, arm)), "b", K)
    every = for_all("b", known(0, a=b))
    small = instance(few(), {"q": fn("b", p)}, every, instance(all_of_it()))
    rest = 2 * (NEXT - S) * root + term(23) / 3 * spread * root / S
    play = after_round(NEXT_MEAN) + after_round(mu(i, a)) - mu(i, fixed)
    ones = (round_adds(term(0)), whole[2]), (mu(i, fixed), picked(lambda b: term(1), fixed, K))
    roots_of = product(assume(le(0, spread)), weak(reciprocal_positive(scale))), small
    grows = auto(le(play, potential(i, z) + rest), total, *whole, *ones, roots_of)
    of_cap = Smaller(assume(le(0, cap)), auto(le(0, potential(i + 1, LATER))))
    of_next = Smaller(auto(le(0, cap + most)), auto(le(0, potential(i, z))))
    below_cap = mono(mono(of_cap.most, "r", heard(i, a)), "a", PLAYED)
    gap = instance(assume(GAP), {}, *map(assume, WITHIN))
    at_arms = auto(le(mu(i, a), mu(i, fixed) + most), gap)
    below_gap = less_on_arms(PLAYS, PLAYED, (i, TOLD), mu(i, a), mu(i, fixed) + most, at_arms)
    added = 30 * root * (NEXT - S)
    inverse = auto(lt(0, 1 / (sigma * sigma)))
    room = product(product(assume(lt(0, root)), inverse), rises())
    least = product(product(assume(lt(0, root)), inverse), assume(le(0, spread)))
    little = auto(le(rest, added), (least, instance(rates())), (room, assume(ENOUGH)))
    goal = le(play, smaller(cap + most, potential(i, z)) + added)
    near, far = assume(le(potential(i, z), cap + most)), assume(le(cap + most, potential(i, z)))
    here = auto(goal, grows, little, instance(of_next.upper, {}, near))
    positive = product(assume(lt(0, root)), rises())
    there = auto(goal, below_cap, below_gap, instance(of_next.lower, {}, far), positive)
    return cases(here, there, potential(i, z), cap + most)


# ----------------------------------------------------------------------------------------------------------- all rounds


@lemma(f"{NAMES} fixed root", *SETTING[:-1], *FIXED, lt(0, root), le(K, root * root))
def at_the_start() -> Theorem:
    """The potential is at most 2 sigma sqrt(K) before the first round: all roots are 1/sqrt(K)."""
    start = {"i": term(0), "z": var("empty")}
    p, first = (played_root(0, var("empty"), v) for v in (b, fixed))
    positive = known(0, **start, a=b), known(0, **start, a=fixed)
    scale = inverse_rate(0, sigma)
    none = [known(4, a=v) for v in (b, fixed)]
    flat = known(3, **start, a=b, b=fixed)
    above = auto(lt(0, scale))
    facts = *((1 / scale, q) for q in (flat, *none)), (1 / p - 1 / first, reciprocal(above))
    same_inverse = auto(eq(1 / p, 1 / first), *facts)
    alike = auto(eq(p, first), (p * first, same_inverse))
    each = sum_over(auto(eq(0, p * p - first * first), (p + first, alike)), "b", K)
    every = for_all("b", positive[0])
    ones = instance(all_of_it(), start, nat_zero())
    squared = auto(eq(K * first * first, 1), each, ones)
    far = assume(lt(root, 1 / first))
    inverse = reciprocal_positive(positive[1])
    false = contradiction((root, far), (weak(inverse), far), assume(le(K, root * root)), (1 / first / first, squared))
    short = by_contradiction(le(1 / first, root), false)
    few_of_p = instance(few(), {"q": fn("b", p)}, every, ones)
    return auto(le(potential(0, var("empty")), 2 * scale * root), (scale, few_of_p), (scale, short))


GAME = Rounds(game(pi, lambda t, z, a: heard(t, a), T))


def lost_in(k: Any) -> Term:
    """The mean of the loss of round k."""
    return GAME.mean(k, mean("a", pi(k, TOLD), mu(k, a)))


@lemma(
    f"M mu spread T {NAMES} fixed root most",
    *SETTING[:-1],
    nat(T),
    *FIXED,
    lt(0, root),
    le(K, root * root),
    *TAME,
    GAP,
    le(0, most),
    le(0, spread),
    ENOUGH,
)
def regret_is_small() -> Theorem:
    """The regret of T rounds on what is tame is at most 30 sqrt(K) sigma sqrt(T + 1)."""

    def says(rounds: Any) -> Rel:
        own = sum_of(lost_in, rounds) - sum_of(lambda j: mu(j, fixed), rounds)
        return le(own + GAME.mean(rounds, smaller(cap, potential(rounds, z))), 30 * root * inverse_rate(rounds, sigma))

    low, enough, pn = assume(le(0, cap)), assume(le(n + 1, T)), assume(nat(n))
    claim = All(("cap",), (le(0, cap), le(n, T)), says(n))
    first = Smaller(low, auto(le(0, potential(0, var("empty")))))
    least = product(assume(lt(0, root)), auto(lt(0, inverse_rate(0, sigma))))
    base = auto(says(0), GAME.none(smaller(cap, potential(0, z))), first.bound, instance(at_the_start()), least)
    before = instance(assume(claim), {"cap": cap + most}, auto(le(0, cap + most), low), auto(le(n, T), enough))
    one_round = instance(of_round(), {"i": n}, *map(assume, SETTING[:-1]), pn, auto(lt(n, T), enough), low)
    step = mono(one_round, "z", GAME.law(n))
    more = [uniform_next(pn, "j", f) for f in (lost_in(j), mu(j, fixed))]
    proved = auto(says(n + 1), GAME.next(pn, smaller(cap, potential(n + 1, z))), step, before, *more)
    at_T = instance(induction("n", base, proved, claim, at=T), {"cap": term(0)})
    own = sum_of(lost_in, T) - sum_of(lambda j: mu(j, fixed), T)
    return auto(le(own, 30 * root * inverse_rate(T, sigma)), at_T)


# ------------------------------------------------------------------------------------------------------- Laplace noise

H, loss, SMALL = app("h", w), var("loss"), (lt(0, lam), le(lam, 1))


@lemma("w")
def squares_grow() -> Theorem:
    """w^2 <= (64/9) (e^(w/2) + e^(-w/2) - 2): for v = e^(w/8) >= 1 + w/8 is v^2 - 1/v^2 >= 3 (v - 1)."""
    goal = le(9 * w * w / 64, exp(w / 2) + exp(-w / 2) - 2)

    def at(sign: int) -> Theorem:
        x = sign * w
        v, inverse = exp(x / 8), exp(-x / 8)
        low = assume(le(0, w) if sign == 1 else le(w, 0))
        over = auto(le(0, v - 1), exp_tangent(x / 8), low)
        facts = (product(over, exp_positive(-x / 8)), square(v - 1)), (inverse * inverse, over)
        steep = auto(le(3 * (v - 1), v * v - inverse * inverse), *facts)
        far = auto(le(3 * x / 8, v * v - inverse * inverse), steep, exp_tangent(x / 8))
        positive = auto(le(0, x), low)
        return auto(goal, (auto(le(0, v * v - inverse * inverse), far, positive), far), (positive, far))

    return cases(at(1), at(-1), term(0), w)


@lemma("lam h", *SMALL, *below(H, 1 + w * w, "w"))
def square_of_noise() -> Theorem:
    """E h <= 6 for 0 <= h(w) <= 1 + w^2 and w of Lap(lam), lam <= 1."""
    whole, up = H + term(128) / 9 - 1, term(64) / 9 * exp(w / 2)
    positive = auto(le(0, whole))
    both = Smaller(positive, auto(le(0, up)))
    first = both.bound.conclusion.args[0]  # type: ignore[union-attr]
    l = log(term(4) / 3)  # noqa: E741
    of_l = exp_log(auto(lt(0, term(4) / 3)))
    inverse = auto(eq(exp(-l), term(3) / 4), (exp(-l) * 3 / 4, of_l))
    other = term(64) / 9 * exp(-w / 2)
    goal = le(whole - first, other)
    near, far = assume(le(whole, up)), assume(le(up, whole))
    top = instance(squares_grow()), instance(assume(below(H, 1 + w * w, "w")[1]))
    here, there = auto(goal, instance(both.lower, {}, near)), auto(goal, instance(both.upper, {}, far), *top)
    floor, rest, moments = auto(le(0, whole - first), both.most), cases(here, there, whole, up), []
    for sign, part, low, high in ((1, first, both.not_negative, both.bound), (-1, whole - first, floor, rest)):
        tilt, g, most = term(sign) / 2, term(9) / 64 * part, assume(SMALL[1])
        sides = [auto(lt(0, 1 - s * tilt * lam)) for s in (1, -1)]
        enough = auto(le(exp(-l), (1 - tilt * lam) * (1 + tilt * lam)), inverse, (lam, most), most)
        at = instance(of_laplace(), {"t": tilt, "l": l}, assume(SMALL[0]), *sides, enough)
        ends = auto(le(0, g), low), auto(le(g, exp(sign * w / 2)), high)
        moments.append(instance(at, {"g": fn("w", g)}, *(for_all("w", p) for p in ends)))
    return auto(le(mean("w", laplace(lam), H), 6), *moments, of_l)


def over_noise(f: Any) -> Term:
    return mean("w", laplace(lam), f)


def kept_noisy(sign: int) -> Term:
    """What is kept of the loss with noise, which is turned for the sign -1."""
    return kept(level, loss + sign * w)


@lemma("level r", lt(0, level))
def of_kept(which: int) -> Theorem:
    """-level <= k, k <= level, k^2 <= r^2 and level (r - k) <= r^2 for what is kept of r."""
    k, inside, raw = kept(level, r), ind(size(r), level), instance(is_kept())
    _, up, down = size_is_at_least(r)
    if which < 2:
        s, p = ((-1, down), (1, up))[which]
        fits = indicator(size(r), level, 1)
        return auto(le(s * k, level), raw, (inside, p), fits, (level, indicator(size(r), level, 4)))
    if which == 2:
        once = indicator(size(r), level, 0)
        return auto(le(k * k, r * r), (k, raw), (r * inside, raw), (r * r, once), (r * r, indicator(size(r), level, 4)))
    goal = le(level * (r - k), r * r)
    near, far, positive = assume(le(size(r), level)), assume(lt(level, size(r))), assume(le(0, r))
    here = auto(goal, (level, raw), (level * r, at_most(near)), square(r))
    gone = (level, raw), (level * r, not_at_most(far))
    larger = auto(le(level, r), far, (r, at_most(positive)))
    below_0 = auto(goal, *gone, (level, assume(le(r, 0))), square(r))
    there = cases(auto(goal, *gone, (positive, larger)), below_0, term(0), r)
    return cases(here, there, size(r), level)


LOSS = *SMALL, lt(0, level), le(0, loss), le(loss, 1)


@lemma("level loss w", *LOSS[2:])
def together() -> Theorem:
    """What is kept of a loss with noise, and with this noise turned, is at most twice the loss."""
    at = [loss + s * w for s in (1, -1)]
    raw = [instance(is_kept(), {"r": v}) for v in at]
    near, far = ([assume(f(v)) for v in at] for f in (lambda v: le(size(v), level), lambda v: lt(level, size(v))))
    goal = le(kept_noisy(1) + kept_noisy(-1), 2 * loss)

    def one(k: int) -> Theorem:
        """One of them is kept: the other one is not negative, or both would add up to less than 0."""
        v, other = at[k], at[1 - k]
        off = (2 * other, not_at_most(assume(lt(other, 0))))
        false = contradiction(far[1 - k], off, near[k], size_is_at_least(v)[1])
        gone = (other, not_at_most(far[1 - k]))
        return auto(goal, *raw, (v, at_most(near[k])), gone, by_contradiction(le(0, other), false))

    both = auto(goal, *raw, *((v, at_most(p)) for v, p in zip(at, near, strict=True)))
    none = auto(goal, *raw, *((v, not_at_most(p)) for v, p in zip(at, far, strict=True)))
    first, second = (size(v) for v in at)
    return cases(cases(both, one(0), second, level), cases(one(1), none, second, level), first, level)


@lemma("lam level loss", *LOSS)
def as_far_as_turned() -> Theorem:
    """The mean of what is kept of a loss with noise is that with the noise turned."""
    sides = []
    for sign in (1, -1):
        moved_up = kept_noisy(sign) + level
        low = auto(le(0, moved_up), instance(of_kept(0), {"r": loss + sign * w}))
        turned = instance(mirrored(), {"h": fn("w", moved_up)}, for_all("w", low))
        sides.append(auto(le(over_noise(kept_noisy(sign)), over_noise(kept_noisy(-sign))), turned))
    return antisymmetric(*sides)


@lemma("lam level loss", *LOSS)
def noise_is_tame(which: int) -> Theorem:
    """A loss in [0, 1] with noise is tame: of which the first, second and third condition."""
    k, turned = kept_noisy(1), instance(as_far_as_turned())
    pair = instance(together())
    unit_square = auto(le(loss * loss, 1), (loss, assume(LOSS[-1])), assume(LOSS[-1]))
    if which == 0:
        return auto(le(over_noise(k), loss), turned, mono(pair, "w", laplace(lam)))
    if which == 1:
        g = level * (2 * loss - k - kept_noisy(-1)) / 2
        missed = [instance(of_kept(3), {"r": loss + s * w}) for s in (1, -1)]
        low, high = auto(le(0, g), (level, pair)), auto(le(g, 1 + w * w), *missed, unit_square)
        return auto(le(level * (loss - over_noise(k)), 6), (level, turned), at_most_six(g, low, high))
    g = k * k / 2
    squared = instance(of_kept(2), {"r": loss + w})
    low, high = auto(le(0, g), square(k)), auto(le(g, 1 + w * w), squared, square(loss - w), unit_square)
    return auto(le(over_noise(k * k), 12), at_most_six(g, low, high))


def at_most_six(g: Term, low: Theorem, high: Theorem) -> Theorem:
    """E g <= 6."""
    return instance(square_of_noise(), {"h": fn("w", g)}, *map(assume, SMALL), for_all("w", low), for_all("w", high))


# ------------------------------------------------------------------------------------------------------ the statements


@lemma(
    "pi played_root estimated told after sigma K T lam root",
    *SETTING[:-1],
    nat(T),
    *SMALL,
    lt(0, root),
    le(K, root * root),
    le(115, 28 * sigma * sigma),
)
def on_noisy_losses() -> Theorem:
    """The regret of T rounds on losses in [0, 1] with noise Lap(lam), lam <= 1."""
    values = {
        "M": fn("i a", with_noise(laplace(lam))(of_table(i, a))),
        "mu": fn("i a", of_table(i, a)),
        "spread": term(6),
        "most": term(1),
    }
    given = losses_in_unit(T, K)
    low, high = (instance(assume(f), {}, *map(assume, WITHIN)) for f in given)
    conditions = *map(assume, (*SMALL, lt(0, level))), low, high
    at_arm = [instance(noise_is_tame(k), {"loss": of_table(i, a)}, *conditions) for k in range(3)]
    tamed = [for_all("i a level", p, *WITHIN, lt(0, level)) for p in at_arm]
    floor = instance(assume(given[0]), {"a": fixed}, *map(assume, (*WITHIN[:2], *FIXED)))
    gap = for_all("i a", auto(le(of_table(i, a) - of_table(i, fixed), 1), high, floor), *WITHIN)
    small = instance(regret_is_small(), values, *map(assume, FIXED), *tamed, gap)
    return for_all("loss fixed", small, *given, *FIXED)


SIX = exp(log(6) / 2)

ROUNDS = n * tau + rest
LEARNS = *is_htinf(pi, K, SIX), plays_arms(pi, K), nat(K), le(1, K)
OF_BATCHES = (
    *(nat(n), nat(tau), le(1, tau), nat(rest), lt(rest, tau), lt(0, epsilon), le(epsilon, 1)),
    *(le(1, tau * epsilon), lt(tau * epsilon, 1 + epsilon), le(1, epsilon * ROUNDS)),
    *(le(0, side), le(K * ROUNDS, epsilon * side * side)),
)


@lemma("pi played_root estimated told after K n tau rest epsilon side", *LEARNS, *OF_BATCHES)
def converted() -> Theorem:
    """The regret of Algorithm 1 around HTINF with sigma = sqrt(6) is 208 sqrt(T K/epsilon) + 2/epsilon at most."""
    of_K, of_six, of_n = (exp_log(auto(lt(0, v))) for v in (K, term(6), n + 1))
    positive = auto(lt(0, tau * epsilon))
    scale = 1 / (tau * epsilon)
    small = auto(le(scale, 1), (scale, assume(le(1, tau * epsilon))), reciprocal(positive))
    values = {"sigma": SIX, "lam": scale, "root": exp(log(K) / 2), "T": n}
    wide, steep = auto(le(K, exp(log(K) / 2) * exp(log(K) / 2)), of_K), auto(le(115, 28 * SIX * SIX), of_six)
    regret = instance(on_noisy_losses(), values, auto(lt(0, scale), reciprocal_positive(positive)), small, wide, steep)
    most = regret.conclusion.then.args[1]  # type: ignore[union-attr]
    heard = {"M": fn("p", with_noise(laplace(scale))(var("p"))), "m": n, "bound": most}
    known = instance(reduction(), heard, regret)
    loss = known.conclusion.then.args[0]  # type: ignore[union-attr]
    inverse = weak(reciprocal_positive(assume(lt(0, epsilon))))
    one = reciprocal(assume(lt(0, epsilon)))
    twice = auto(le(tau, 2 / epsilon), (inverse, assume(OF_BATCHES[8])), (inverse, assume(le(epsilon, 1))), (tau, one))
    spare = product(nat_nonnegative(assume(nat(n))), auto(le(0, tau * epsilon - 1)))
    late = product(assume(lt(0, epsilon)), nat_nonnegative(assume(nat(rest))))
    long = auto(le(n + 1, 2 * epsilon * ROUNDS), spare, late, assume(le(1, epsilon * ROUNDS)))
    X = 2 / epsilon * most
    square_of_X = auto(
        eq(X * X, 21600 * K * (n + 1) / (epsilon * epsilon)),
        (3600 * exp(log(6)) * exp(log(n + 1)) / (epsilon * epsilon), of_K),
        (3600 * K * exp(log(n + 1)) / (epsilon * epsilon), of_six),
        (21600 * K / (epsilon * epsilon), of_n),
    )
    room = (21600 * K / (epsilon * epsilon), long), (43200 / epsilon, assume(OF_BATCHES[-1]))
    ones = (43200 * K * ROUNDS / epsilon, one), (43200 * side * side, one)
    squared = auto(le(X * X, 43200 * side * side), square_of_X, *room, *ones)
    far = assume(lt(208 * side, X))
    above = auto(lt(0, X), far)
    false = contradiction((above, far), (208 * side, far), squared, square(side))
    short = by_contradiction(le(X, 208 * side), false)
    rest_of = product(auto(le(0, 2 / epsilon - tau), twice), auto(le(0, most + 1)))
    goal = le(loss, 208 * side + 2 / epsilon)
    given = known.conclusion.given  # type: ignore[union-attr]
    return for_all("loss fixed", auto(goal, instance(known, {}, *map(assume, given)), short, rest_of), *given)


@proof
def corollary_2(statement: All) -> Theorem:
    """Algorithm 1 around HTINF."""
    return instance(converted())


@proof
def corollary_8(statement: All) -> Theorem:
    """Algorithm 5 around it: the experts are its arms."""
    return with_horizon(statement, over_draws(statement, instance(converted(), {"K": var("N")})))
