"""Proofs in the kernel that HTINF has a regret of 30 sigma K^(1 - 1/alpha) (T + 1)^(1/alpha) at most, on heavy tails.

With p = x^(1/alpha) and s = 1/eta the minimiser x is told by s p/x - L, which is the same for all arms. The potential
is s ((alpha - 1) sum of p + p/x of the arm `fixed`): what a loss adds to it is bounded by Young's inequality. It is not
bounded, so its mean is taken of the smaller one of it and a number, which may be any.
"""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.losses import inverse_rate, is_htinf, played_root
from banditproof.verify.kernel.rewards import game
from banditproof.verify.theorems.hoeffding import half_is_less, slow
from banditproof.verify.theorems.policies import PLAYS, all_arms, less_on_arms, picked, sum_over
from banditproof.verify.theorems.regret import Rounds, Smaller, size_is_at_least, smaller
from banditproof.verify.theorems.squares import ordered_logs

a, b, c, d, e, g, i, j, k, m, n, q, r, s, t, u, v, w, x, y, z = map(var, "abcdegijkmnqrstuvwxyz")
K, T, fixed, root, sigma, theta = map(var, ("K", "T", "fixed", "root", "sigma", "theta"))
ALPHA = 1 + d  # so that no exponent has a sign that must be told
ORDER = lt(0, d), le(d, 1)
SHARE = (
    lt(0, theta),
    le(exp(-log(2) * d / (1 + 2 * d)), 1 - theta),
    le((1 + d) * exp((1 - d) * log(theta)), 2 * d),
    le(1, 5 * exp(d * log(theta))),
)


def over_arms(f: Any) -> Term:
    """The sum of f(b) over the arms b."""
    return K * mean("b", uniform(K), f)


# ------------------------------------------------------------------------------------------------------------- numbers


@lemma("u v t", le(0, t), le(t, 1))
def young() -> Theorem:
    """e^(t u + (1 - t) v) <= t e^u + (1 - t) e^v."""
    m = t * u + (1 - t) * v
    other = product(assume(le(0, t)), weak(exp_positive(m))), exp_tangent(u - m)
    rest = product(auto(le(0, 1 - t)), weak(exp_positive(m))), exp_tangent(v - m)
    return auto(le(exp(m), t * exp(u) + (1 - t) * exp(v)), other, rest)


@lemma("t", le(-term(3) / 4, t), le(t, term(3) / 4))
def short() -> Theorem:
    """e^t <= 1 + t + (3/2) t^2 for |t| <= 3/4: e^(t/2) (1 - t/2) <= 1."""
    v, gap = exp(t / 2), auto(lt(0, 1 - t / 2))
    once = auto(le(v * (1 - t / 2), 1), (v, exp_tangent(-t / 2)))
    less = auto(le(exp(t) * (1 - t / 2) * (1 - t / 2), 1), (product(weak(exp_positive(t / 2)), weak(gap)), once), once)
    room = auto(le(0, term(3) / 4 - term(5) / 4 * t + term(3) / 8 * t * t), square(t - term(3) / 4))
    bound = 1 + t + term(3) / 2 * t * t
    more = auto(le(1, bound * (1 - t / 2) * (1 - t / 2)), (square(t), room))
    inverse = weak(reciprocal_positive(product(gap, gap)))
    one = reciprocal(product(gap, gap))
    return auto(le(exp(t), bound), (inverse, less), (inverse, more), (exp(t) - bound, one))


@once
def log_two() -> Theorem:
    """log 2 <= 3/4: (1 + 3/32)^8 is above 2."""
    low, least = exp_tangent(term(3) / 32), term(35) / 32
    for _ in range(3):
        power = low.conclusion.args[1]  # type: ignore[union-attr]
        low, least = auto(le(least * least, power * power), (power, low), (least, low)), least * least
    return ordered_logs(auto(le(exp(log(2)), exp(term(3) / 4)), low, exp_log(auto(lt(0, 2)))))


CHANGE = exp(g) - 1


@lemma("d theta g", *ORDER, *SHARE[:2], le(-theta, CHANGE), le(CHANGE, theta))
def tilted() -> Theorem:
    """k - 4 k^2/d <= d (1 - (1 + k)^(-1/d)) for k = e^g - 1 in [-theta, theta]."""
    k, step, L = CHANGE, log(2) * d / (1 + 2 * d), log(2)
    low_log = auto(le(0, L), half_is_less())
    wide = auto(lt(0, 1 + 2 * d))
    inverse = weak(reciprocal_positive(wide))
    rate = product(weak(assume(ORDER[0])), inverse)
    small_step = auto(le(step, term(1) / 4), (rate, log_two()))
    floor = auto(le(term(3) / 4, 1 + k), exp_tangent(-step), small_step)
    up = auto(le(g, step), exp_tangent(g), exp_tangent(-step))
    down = ordered_logs(auto(le(exp(-step), exp(g))))
    below_1 = auto(le(1 / (1 + 2 * d), 1), (inverse, auto(le(0, 2 * d))))
    little = auto(le(step, term(3) / 4 * d), (product(low_log, weak(assume(ORDER[0]))), below_1), (d, log_two()))
    over = weak(reciprocal_positive(assume(ORDER[0])))
    t = -g / d
    ends = (
        auto(le(-term(3) / 4, t), (over, up), (over, little)),
        auto(le(t, term(3) / 4), (over, down), (over, little)),
    )
    bent = instance(short(), {"t": t}, *ends)
    tangent = auto(le(k, g * (1 + k)), (exp(g), exp_tangent(-g)))
    inverse_of = weak(reciprocal_positive(auto(lt(0, 1 + k))))
    most = auto(le(1 / (1 + k), term(4) / 3), (inverse_of, floor))
    low = auto(le(k - term(4) / 3 * k * k, g), (inverse_of, tangent), (k * k, most))
    rise, squares = exp_tangent(g), le(g * g, term(16) / 9 * k * k)
    above, under_0 = assume(le(0, k)), assume(le(k, 0))
    least = auto(le(0, g), (inverse_of, tangent), (inverse_of, above))
    here = auto(squares, (least, rise), (above, rise))
    turned = auto(le(0, -k), under_0)
    fall = auto(le(term(4) / 3 * k, g), (inverse_of, tangent), (turned, most))
    there = auto(squares, (auto(le(0, -g), rise, under_0), fall), (turned, fall))
    square_of = cases(here, there, term(0), k)
    smaller_1 = product(square(k), over), assume(ORDER[1])
    goal = le(k - 4 * k * k / d, d * (1 - exp(t)))
    return auto(goal, (d, bent), low, (over, square_of), smaller_1)


AT_P, AT_Q = exp(a), exp(b)  # of the roots, by their logarithms


@lemma("s t a b d theta", *ORDER, *SHARE, lt(0, s), le(-theta * s * AT_P, t), le(t, theta * s * AT_P))
def cost() -> Theorem:
    """t - 4 t^2/(d s p) <= t y/x + s (d p - alpha q + y p/x) for |t| <= theta s p, x = p^alpha and y = q^alpha."""
    whole = auto(lt(0, s * AT_P))
    over, one = weak(reciprocal_positive(whole)), reciprocal(whole)
    k = t / (s * AT_P)
    ends = (auto(le(-theta, k), (over, assume(le(-theta * s * AT_P, t)))), auto(le(k, theta), (theta, one)))
    above = auto(lt(0, 1 + k), ends[0])
    g_value = log(1 + k)
    of_g = exp_log(above)
    change = exp(g_value) - 1
    at = [auto(f, p, of_g) for f, p in zip((le(-theta, change), le(change, theta)), ends, strict=True)]
    bent = instance(tilted(), {"g": g_value}, *map(assume, (*ORDER, *SHARE[:2])), *at)
    share = 1 / (1 + d)
    wide = reciprocal(auto(lt(0, 1 + d)))
    at_most_1 = auto(le(share, 1), (share, auto(le(0, d))))
    points = {"u": (1 + d) * (b - a) + g_value, "v": -g_value / d, "t": share}
    mixed = instance(young(), points, at_most_1)
    full = reciprocal(assume(ORDER[0]))
    left = mixed.conclusion.args[0]  # type: ignore[union-attr]
    exponent = exp_equal(auto(eq(left.args[0], b - a), (g_value * share, full)))
    ratio, tail = exp((1 + d) * (b - a)), exp(-g_value / d)
    of_mixed = (1 + d, mixed), (1 + d, exponent), (ratio * exp(g_value), wide), (tail, wide), (ratio, of_g)
    both = auto(le((1 + d) * exp(b - a), ratio * (1 + k) + d * tail), *of_mixed)
    y = exp((1 + d) * b)
    gain = t * y * exp(-(1 + d) * a) + s * (d * AT_P - (1 + d) * AT_Q + exp(-d * a) * y)
    of_k = auto(le(k - 4 * k * k / d, d * (1 - tail)), bent, of_g, (4 / d * (exp(g_value) - 1 + k), of_g))
    return auto(le(t - 4 * t * t / (d * s * AT_P), gain), (weak(whole), both), (weak(whole), of_k))


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


def weighed(h: Any, r: Any) -> Term:
    """|r|^alpha where |r| <= h, else 0, as a bounded function of r."""
    return ind(size(r), h) * smaller(exp((1 + d) * log(h)), size(r) * exp(d * log(size(r))))


@lemma("v c d theta", *ORDER, *SHARE, le(v, c + log(theta)))
def square_or_power() -> Theorem:
    """(1 + d) (4/d) e^(2 v - c) <= 8 e^((1 + d) v - d c), since (1 + d) e^((1 - d) (v - c)) <= 2 d."""
    rest = auto(le(0, 1 - d))
    less = exp_monotone(auto(le((1 - d) * (v - c), (1 - d) * log(theta)), (rest, assume(le(v, c + log(theta))))))
    small = auto(le((1 + d) * exp((1 - d) * (v - c)), 2 * d), (1 + d, less))
    goal = le((1 + d) * 4 / d * exp(2 * v - c), 8 * exp((1 + d) * v - d * c))
    power = exp((1 + d) * v - d * c)
    return auto(goal, (4 / d * power, small))


@lemma("level r c d theta", *ORDER, *SHARE, eq(level, theta * exp(c)))
def square_paid() -> Theorem:
    """(1 + d) (4/d) k^2 e^-c <= 8 |k|^alpha e^(-d c) for what is kept of r below theta e^c."""
    above = auto(lt(0, level))
    k, V, at, inside = kept(level, r), weighed(level, r), size(r), ind(size(r), level)
    raw, (positive, up, down) = instance(is_kept(), {}), size_is_at_least(r)
    goal = le((1 + d) * 4 / d * k * k * exp(-c), 8 * V * exp(-d * c))
    far, none, some, near = assume(lt(level, at)), assume(le(at, 0)), assume(lt(0, at)), assume(le(at, level))
    off, on = not_at_most(far), at_most(near)
    whole, part = exp((1 + d) * log(level)), at * exp(d * log(at))
    both = Smaller(auto(le(0, whole)), product(positive, weak(exp_positive(d * log(at)))))
    least = both.most.conclusion.args[0]  # type: ignore[union-attr]
    zero = antisymmetric(auto(le(r, 0), up, none), auto(le(0, r), down, none))
    gone = auto(eq(k, 0), raw, (r, off))
    nothing = auto(eq(k, 0), raw, (inside, zero))
    scale = 8 * exp(-d * c)
    missing, empty = (auto(goal, (k * (1 + d) * 4 / d * exp(-c), p)) for p in (gone, nothing))
    v_value = log(at)
    of_v = exp_log(some)
    of_level, of_theta = exp_log(above), exp_log(assume(SHARE[0]))
    of_c = assume(eq(level, theta * exp(c))), (exp(c), of_theta)
    logs = ordered_logs(auto(le(exp(v_value), exp(c + log(theta))), near, of_v, *of_c))
    power = instance(square_or_power(), {"v": v_value}, logs)
    in_level = ordered_logs(auto(le(exp(v_value), exp(log(level))), near, of_v, of_level))
    high = exp_monotone(auto(le((1 + d) * v_value, (1 + d) * log(level)), (1 + d, in_level)))
    same_part = auto(eq(part, exp((1 + d) * v_value)), (exp(d * v_value), of_v))
    is_part = instance(both.upper, {}, auto(le(part, whole), same_part, high))
    squared = auto(eq(at * at, r * r), (4 * r * r, indicator(term(0), r, 0)))
    steps = (k + r * inside, raw), (r * r * (inside + 1), on), squared, (at + exp(v_value), of_v)
    of_k = auto(eq(k * k, exp(2 * v_value)), *steps)
    of_V = auto(eq(V, exp((1 + d) * v_value)), (least, on), is_part, same_part)
    here = auto(goal, power, ((1 + d) * 4 / d * exp(-c), of_k), (scale, of_V))
    return cases(cases(empty, here, at, term(0)), missing, at, level)


# ------------------------------------------------------------------------------------------------------------ one round


def heard(i: Any, a: Any) -> Term:
    """The law of what is heard of the loss of an arm in a round."""
    return law("M", i, a)


def mu(i: Any, a: Any) -> Term:
    """Its mean."""
    return app("mu", i, a)


POSITIVE, LEARNER = lt(0, sigma), is_htinf(pi, K, ALPHA, sigma, theta)
ARM, FIXED = is_arm(a, K), is_arm(fixed, K)
S, NEXT = inverse_rate(i, ALPHA, sigma), inverse_rate(i + 1, ALPHA, sigma)
LATER, TOLD = app("after", z, a, a, r), app("told", z)
ROOT = exp(d / (1 + d) * log(K))  # K^(1 - 1/alpha)
NAMES = "pi played_root estimated told after sigma theta d K"
SETTING = *LEARNER, plays_arms(pi, K), *ORDER, *SHARE, POSITIVE, nat(K), le(1, K), nat(i)


def p_of(b: Any) -> Term:
    """x^(1/alpha) for the probability x of an arm after the run z."""
    return played_root(i, z, b)


def q_of(b: Any) -> Term:
    """The same after one round more."""
    return played_root(i + 1, LATER, b)


def chance(p: Term) -> Term:
    """x = p^alpha."""
    return exp((1 + d) * log(p))


def slope(p: Term) -> Term:
    """p/x."""
    return exp(-d * log(p))


def known(which: int, **values: Any) -> Theorem:
    """One of the conditions that make the learner HTINF."""
    given = [replace(g, values) for g in LEARNER[which].given]  # type: ignore[union-attr]
    numbers = {p.conclusion: p for p in (nat_zero(), nat_next(assume(nat(i))))}
    return instance(assume(LEARNER[which]), values, *(numbers.get(g) or assume(g) for g in given))


@lemma(f"{NAMES} i z", *SETTING)
def all_of_it() -> Theorem:
    """The probabilities add up to 1."""
    at_b = known(2, a=b)
    left, right = at_b.conclusion.args  # type: ignore[union-attr]
    each = sum_over(auto(eq(0, left - right), at_b), "b", K)
    return auto(eq(over_arms(chance(p_of(b))), 1), all_arms(term(1), i, TOLD), each)


@lemma(f"{NAMES} i z", *SETTING)
def few() -> Theorem:
    """The sum of the x^(1/alpha) is at most K^(1 - 1/alpha)."""
    share, p, of_K = 1 / (1 + d), p_of(b), exp_log(auto(lt(0, K)))
    of_p = exp_log(known(0, a=b))
    at_most_1 = auto(le(share, 1), (share, auto(le(0, d))))
    u = log(K) + (1 + d) * log(p)
    mixed = instance(young(), {"u": u, "v": term(0), "t": share}, at_most_1)
    scale = exp(-share * log(K))
    goal = le(0, scale * (share * K * chance(p) + 1 - share) - p)
    each = auto(goal, (scale, mixed), of_p, (scale * share * chance(p), of_K))
    ones = scale * share * K, instance(all_of_it())
    return auto(le(over_arms(p), ROOT), sum_over(each, "b", K), ones, (scale, of_K))


@lemma("sigma d i", POSITIVE, *ORDER, nat(i))
def rates() -> Theorem:
    """2 s/(3 (i + 1)) <= alpha (s' - s): log((i + 2)/(i + 1)) is at least 2/(3 (i + 1))."""
    now, then = i + 1, i + 1 + 1
    of_now, of_then = (exp_log(auto(lt(0, v))) for v in (now, then))
    u = log(then) - log(now)
    ratio = auto(eq(exp(u) * now, then), (exp(u), of_now), of_then)
    up = auto(le(0, u), ordered_logs(auto(le(exp(log(now)), exp(log(then))), of_now, of_then)))
    steep = auto(le(2, u * (2 * now + 1)), (now, instance(slow(), {"u": u}, up)), (2, ratio), (u, ratio))
    enough = auto(le(2, 3 * u * now), steep, (up, auto(le(2 * now + 1, 3 * now))))
    growth = S * (1 + d), exp_tangent(u / (1 + d))
    return auto(le(term(2) / 3 * S / now, (1 + d) * (NEXT - S)), growth, (S / now / 3, enough))


def rises() -> Theorem:
    """0 <= s' - s."""
    share = weak(reciprocal_positive(auto(lt(0, 1 + d))))
    return auto(le(0, NEXT - S), (share, instance(rates())))


def kept_of(a: Any) -> Term:
    """What is kept of what is heard."""
    return kept(level_of(a), r)


def level_of(a: Any) -> Term:
    """The size from which on a loss of the arm is skipped."""
    return theta * S * p_of(a)


def potential(i: Any, z: Any) -> Term:
    """s ((alpha - 1) times the sum of the x^(1/alpha), and p/x of the fixed arm)."""
    own = played_root(i, z, b)
    return inverse_rate(i, ALPHA, sigma) * (d * over_arms(own) + slope(played_root(i, z, fixed)))


def round_adds(more: Term) -> Term:
    """The potential, what a round may add to it, and more."""
    return potential(i, z) + (1 + d) * (NEXT - S) * ROOT + more


@lemma(f"{NAMES} fixed i z a r", *SETTING, *ARM, *FIXED)
def grown() -> Theorem:
    """What one round adds to the potential, by what is kept of what is heard and its power."""
    scale, here = auto(lt(0, S)), known(0)
    at, k, x = level_of(a), kept_of(a), chance(p_of(a))
    above = product(product(assume(SHARE[0]), scale), here)
    raw = instance(is_kept(), {"level": at})
    c_value = k / x
    e_value = NEXT * slope(q_of(fixed)) - S * slope(p_of(fixed)) - equal(fixed, a) * c_value
    before, after = known(3, a=b, b=fixed), known(3, i=i + 1, z=LATER, a=b, b=fixed)
    added = [known(5, b=v) for v in (b, fixed)]
    heard_of = [(equal(v, a) / x, raw) for v in (b, fixed)]
    goal = eq(NEXT * slope(q_of(b)) - S * slope(p_of(b)), equal(b, a) * c_value + e_value)
    balance = auto(goal, before, after, *added, *heard_of)
    one_more = {"i": i + 1, "z": LATER}
    ones, few_of_q = instance(all_of_it(), one_more), instance(few(), one_more)
    hit, y = equal(b, a), chance(q_of(b))

    def apart(b: Any) -> Term:
        return d * p_of(b) - (1 + d) * q_of(b) + slope(p_of(b)) * chance(q_of(b))

    of_p = {v: exp_log(known(0, a=v)) for v in (a, b)}
    of_q = {v: exp_log(known(0, **one_more, a=v)) for v in (a, b)}
    flat = instance(cost(), {"s": term(1), "t": term(0), "a": log(p_of(b)), "b": log(q_of(b))})
    positive = auto(le(0, apart(b)), flat, (d, of_p[b]), (1 + d, of_q[b]))
    others = product(auto(le(0, 1 - hit), (ind(b, a), indicator(a, b, 4))), positive)
    difference = NEXT * q_of(b) - S * slope(p_of(b)) * y - hit * c_value * y - e_value * y
    summed = auto(eq(0, difference), (y, balance), (NEXT, of_q[b]))
    sums = [sum_over(p, "b", K) for p in (summed, others)]
    at_a = [picked(f, a, K, "b") for f in (lambda b: chance(q_of(b)), apart)]
    at_fixed = instance(for_all("b", balance, *is_arm(b, K)), {"b": fixed})
    inside, (_, up, down) = ind(size(r), at), size_is_at_least(r)
    fits, less = indicator(size(r), at, 1), (weak(above), indicator(size(r), at, 4))
    edge = theta * S * exp(log(p_of(a)))
    ends = [auto(le(s * k, edge), raw, (inside, p), fits, less, (theta * S, of_p[a])) for s, p in ((-1, down), (1, up))]
    values = {"s": S, "t": k, "a": log(p_of(a)), "b": log(q_of(a))}
    paid = instance(cost(), values, auto(le(-edge, k), ends[0]), ends[1])
    own = (S * d, of_p[a]), (S * (1 + d), of_q[a])
    longer = product(auto(le(0, 1 + d)), rises()), few_of_q
    adds = round_adds(equal(fixed, a) * c_value - k + 4 * k * k * exp(-log(p_of(a))) / (d * S))
    facts = sums[0], (S, sums[1]), (c_value, at_a[0]), (S, at_a[1]), at_fixed, (e_value, ones)
    return auto(le(potential(i + 1, LATER), adds), *facts, paid, *own, longer)


cap, most, spread = map(var, ("cap", "most", "spread"))
WITHIN = nat(i), lt(i, T), *ARM


def of_what_is_heard(f: Any) -> Term:
    return mean("r", heard(i, a), f)


AVERAGE = of_what_is_heard(kept(level, r))
TAME = tuple(  # what is kept up to a level has the whole mean at most, and not much less, and a small power
    All(("i", "a", "level"), (*WITHIN, lt(0, level)), f)
    for f in (
        le(AVERAGE, mu(i, a)),
        le(exp(d * log(level)) * (mu(i, a) - AVERAGE), spread),
        le(of_what_is_heard(weighed(level, r)), spread),
    )
)
NEXT_MEAN = of_what_is_heard(smaller(cap, potential(i + 1, LATER)))
ROUND_OF = *SETTING, lt(i, T), *FIXED, *TAME, le(0, cap), le(0, spread)
ALL_NAMES = f"M mu spread T {NAMES} fixed cap i z"
FADED = exp(-d * log(S))  # s^-(alpha - 1)


@lemma(f"{ALL_NAMES} a", *ROUND_OF, *ARM)
def of_arm() -> Theorem:
    """What a round adds in the mean where the arm a is played, times the probability of that."""
    scale, here, p = auto(lt(0, S)), known(0), p_of(a)
    at, k, x = level_of(a), kept_of(a), chance(p)
    averages = [instance(assume(f), {"level": at}) for f in TAME]
    both = Smaller(assume(le(0, cap)), auto(le(0, potential(i + 1, LATER))))
    adds, c = instance(grown()), log(S) + log(p)
    of_S, of_p, of_theta = exp_log(scale), exp_log(here), exp_log(assume(SHARE[0]))
    is_level = auto(eq(at, theta * exp(c)), (theta * exp(log(S)), of_p), (theta * p, of_S))
    paid = instance(square_paid(), {"level": at, "c": c}, is_level)
    least, hit = both.bound.conclusion.args[0], equal(fixed, a)  # type: ignore[union-attr]
    inverse = auto(eq(exp(-log(S)), 1 / S), (exp(-log(S)) / S, of_S))
    V = weighed(at, r)
    less = (1 + d) * round_adds(hit * k / x - k) + 8 * V * exp(-d * c)
    square_of = (1 + d) * 4 / d * k * k * exp(-log(p)), inverse
    at_r = mono(auto(le((1 + d) * least, less), (1 + d, both.bound), (1 + d, adds), paid, square_of), "r", heard(i, a))
    Ek, faded = of_what_is_heard(k), exp(-d * c)
    missed = auto(le(0, mu(i, a) - Ek), averages[0])
    of_at = exp_log(auto(lt(0, at)))
    logs = ordered_logs(auto(le(exp(log(theta) + c), exp(log(at))), of_at, is_level, (exp(c), of_theta)))
    high = exp_monotone(auto(le(d * (log(theta) + c), d * log(at)), (d, logs)))
    room = product(missed, weak(exp_positive(d * c)))
    steps = (room, assume(SHARE[3])), (5, averages[1]), (product(auto(le(0, 5)), missed), high)
    near = auto(le(exp(d * c) * (mu(i, a) - Ek), 5 * spread), *steps)
    at_most = auto(le(mu(i, a) - Ek, 5 * spread * faded), (faded, near))
    right = (1 + d) * (x * round_adds(-mu(i, a)) + hit * mu(i, fixed)) + (5 * (1 + d) + 8) * spread * p * FADED
    facts = (x, at_r), ((1 + d) * hit, averages[0]), ((1 + d) * x, at_most), (8 * x * faded, averages[2])
    power = (5 * (1 + d) + 8) * spread * FADED, of_p
    return auto(le((1 + d) * x * NEXT_MEAN, right), *facts, power, (1 + d, under(fixed, a, mu(i, var("w")))))


GAP = All(("i", "a"), WITHIN, le(mu(i, a) - mu(i, fixed), most))
ENOUGH = le(spread, exp((1 + d) * log(sigma)))


@lemma("sigma spread d i", *ORDER, POSITIVE, nat(i), ENOUGH)
def fewer() -> Theorem:
    """sigma^alpha s^-(alpha - 1) is at most 3 alpha/2 times s' - s."""
    now, level = i + 1, log(sigma) + log(i + 1) / (1 + d)
    of_sigma, of_now, of_S = exp_log(assume(POSITIVE)), exp_log(auto(lt(0, now))), exp_log(auto(lt(0, S)))
    same_S = auto(eq(exp(log(S)), exp(level)), of_S, (exp(log(now) / (1 + d)), of_sigma))
    ends = [ordered_logs(auto(le(*pair), same_S)) for pair in (same_S.conclusion.args, same_S.conclusion.args[::-1])]  # type: ignore[union-attr]
    log_S = antisymmetric(*ends)
    power = (1 + d) * log(sigma)
    exponent = exp_equal(auto(eq(power - d * log(S), log(S) - log(now)), (1 + d, log_S)))
    inverse = auto(eq(exp(-log(now)), 1 / now), (exp(-log(now)) / now, of_now))
    value = auto(eq(exp(power) * FADED, S / now), exponent, (exp(log(S)), inverse), (1 / now, of_S))
    goal = le(spread * FADED, term(3) / 2 * (1 + d) * (NEXT - S))
    return auto(goal, (FADED, assume(ENOUGH)), value, (term(3) / 2, instance(rates())))


PLAYED = pi(i, TOLD)


def after_round(f: Term) -> Term:
    """The mean over the arm of the round."""
    return mean("a", PLAYED, f)


@lemma(ALL_NAMES.replace("cap", "cap most"), *ROUND_OF, GAP, le(0, most), ENOUGH)
def of_round() -> Theorem:
    """What a round adds to the smaller one of the potential and a number, in the mean, and to the regret."""
    arm = known(2, a=b)
    share, p = arm.conclusion.args[0], p_of(b)  # type: ignore[union-attr]
    at_b = instance(of_arm(), {"a": b}, *map(assume, (*ROUND_OF, *is_arm(b, K))))
    whole = [all_arms(f, i, TOLD) for f in (NEXT_MEAN, mu(i, a), term(1))]
    of_b, factor = substitute(NEXT_MEAN, {"a": b}), (5 * (1 + d) + 8) * spread * FADED
    adds = round_adds(-mu(i, b))
    right = (1 + d) * (share * adds + equal(fixed, b) * mu(i, fixed)) + factor * p
    total = sum_over(auto(le(0, right - (1 + d) * share * of_b), at_b, ((1 + d) * (adds - of_b), arm)), "b", K)
    rest = (1 + d) * (1 + d) * (NEXT - S) * ROOT + factor * ROOT
    play = after_round(NEXT_MEAN) + after_round(mu(i, a)) - mu(i, fixed)
    ones = ((1 + d) * round_adds(term(0)), whole[2]), ((1 + d) * mu(i, fixed), picked(lambda b: term(1), fixed, K, "b"))
    eight = auto(le(0, 5 * (1 + d) + 8))
    small = product(product(eight, assume(le(0, spread))), weak(exp_positive(-d * log(S)))), instance(few())
    parts = [(1 + d, p) for p in whole[:2]]
    grows = auto(le((1 + d) * play, (1 + d) * potential(i, z) + rest), total, *parts, *ones, small)
    added, over = 30 * ROOT * (NEXT - S), weak(reciprocal_positive(auto(lt(0, 1 + d))))
    positive = product(weak(exp_positive(d / (1 + d) * log(K))), rises())
    eights = product(eight, weak(exp_positive(d / (1 + d) * log(K)))), instance(fewer())
    much = product(positive, auto(le(0, 1 + d))), assume(ORDER[1])
    more = positive, auto(le(0, 1 + d))
    fits = auto(le((1 + d) * play, (1 + d) * (potential(i, z) + added)), grows, eights, much, more)
    up = auto(le(play, potential(i, z) + added), (over, fits))
    of_cap = Smaller(assume(le(0, cap)), auto(le(0, potential(i + 1, LATER))))
    of_next = Smaller(auto(le(0, cap + most)), auto(le(0, potential(i, z))))
    below_cap = mono(mono(of_cap.most, "r", heard(i, a)), "a", PLAYED)
    at_arms = auto(le(mu(i, a), mu(i, fixed) + most), instance(assume(GAP), {}, *map(assume, WITHIN)))
    below_gap = less_on_arms(PLAYS, PLAYED, (i, TOLD), mu(i, a), mu(i, fixed) + most, at_arms)
    goal = le(play, smaller(cap + most, potential(i, z)) + added)
    near, far = assume(le(potential(i, z), cap + most)), assume(le(cap + most, potential(i, z)))
    here = auto(goal, up, instance(of_next.upper, {}, near))
    there = auto(goal, below_cap, below_gap, instance(of_next.lower, {}, far), positive)
    return cases(here, there, potential(i, z), cap + most)


# ----------------------------------------------------------------------------------------------------------- all rounds


@lemma(f"{NAMES} fixed", *SETTING[:-1], *FIXED)
def at_the_start() -> Theorem:
    """The potential is at most alpha sigma K^(1 - 1/alpha) before the first round: all arms are alike."""
    start = {"i": term(0), "z": var("empty")}
    p, first = (played_root(0, var("empty"), v) for v in (b, fixed))
    scale = inverse_rate(0, ALPHA, sigma)
    above, order = auto(lt(0, scale)), assume(ORDER[0])
    flat = *((1 / scale, known(4, a=v)) for v in (b, fixed)), (1 / scale, known(3, **start, a=b, b=fixed))
    slopes = auto(eq(slope(p), slope(first)), *flat)
    over = weak(reciprocal_positive(order))
    ends = []
    for one, other in ((p, first), (first, p)):
        logs = ordered_logs(auto(le(slope(one), slope(other)), slopes))
        ends.append(auto(le(log(other), log(one)), (over, logs)))
    same_logs = antisymmetric(*ends)
    alike = exp_equal(auto(eq((1 + d) * log(p), (1 + d) * log(first)), (1 + d, same_logs)))
    of_p, of_first = (exp_log(known(0, **start, a=v)) for v in (b, fixed))
    each = sum_over(auto(eq(0, chance(p) - chance(first)), alike), "b", K)
    each_root = sum_over(auto(eq(0, p - first), exp_equal(same_logs), of_p, of_first), "b", K)
    ones, few_of_p = instance(all_of_it(), start), instance(few(), start)
    steep = auto(eq(slope(first), K * first), (slope(first), ones), (slope(first), each), (K, of_first))
    goal = le(potential(0, var("empty")), (1 + d) * scale * ROOT)
    return auto(goal, (scale, steep), (scale, each_root), (product(above, auto(lt(0, 1 + d))), few_of_p))


GAME = Rounds(game(pi, lambda t, z, a: heard(t, a), T))


def lost_in(k: Any) -> Term:
    """The mean of the loss of round k."""
    return GAME.mean(k, mean("a", pi(k, TOLD), mu(k, a)))


CONDITIONS = *SETTING[:-1], nat(T), *FIXED, *TAME, GAP, le(0, most), le(0, spread), ENOUGH


@lemma(f"M mu spread T {NAMES} fixed most", *CONDITIONS)
def regret_is_small() -> Theorem:
    """The regret of T rounds on what is tame is at most 30 sigma K^(1 - 1/alpha) (T + 1)^(1/alpha)."""

    def says(rounds: Any) -> Rel:
        own = sum_of(lost_in, rounds) - sum_of(lambda j: mu(j, fixed), rounds)
        most_of = 30 * ROOT * inverse_rate(rounds, ALPHA, sigma)
        return le(own + GAME.mean(rounds, smaller(cap, potential(rounds, z))), most_of)

    low, enough, pn = assume(le(0, cap)), assume(le(n + 1, T)), assume(nat(n))
    claim = All(("cap",), (le(0, cap), le(n, T)), says(n))
    first = Smaller(low, auto(le(0, potential(0, var("empty")))))
    least = product(weak(exp_positive(d / (1 + d) * log(K))), auto(le(0, inverse_rate(0, ALPHA, sigma))))
    room = least, auto(le(1 + d, 30))
    base = auto(says(0), GAME.none(smaller(cap, potential(0, z))), first.bound, instance(at_the_start()), room)
    before = instance(assume(claim), {"cap": cap + most}, auto(le(0, cap + most), low), auto(le(n, T), enough))
    one_round = instance(of_round(), {"i": n}, pn, auto(lt(n, T), enough), low)
    step = mono(one_round, "z", GAME.law(n))
    more = [uniform_next(pn, "j", f) for f in (lost_in(j), mu(j, fixed))]
    proved = auto(says(n + 1), GAME.next(pn, smaller(cap, potential(n + 1, z))), step, before, *more)
    at_T = instance(induction("n", base, proved, claim, at=T), {"cap": term(0)})
    own = sum_of(lost_in, T) - sum_of(lambda j: mu(j, fixed), T)
    return auto(le(own, 30 * ROOT * inverse_rate(T, ALPHA, sigma)), at_T)


TWO = 1 - exp(-log(2) / 3)  # Theta for alpha = 2


@once
def share_of_two() -> tuple[Theorem, ...]:
    """What is asked of Theta holds for alpha = 2, where it is between 1/5 and 1."""
    y = exp(-log(2) / 3)
    cube = auto(eq(y * y * y, term(1) / 2), (exp(-log(2)) / 2, exp_log(auto(lt(0, 2)))))
    high = assume(lt(term(4) / 5, y))
    less = by_contradiction(le(y, term(4) / 5), contradiction(cube, (y * y, high), (y, high), high))
    positive = auto(lt(0, TWO), less)
    given = [replace(f, {"d": term(1), "theta": TWO}) for f in SHARE]
    return positive, auto(given[1]), auto(given[2]), auto(given[3], less, (5, exp_log(positive)))
