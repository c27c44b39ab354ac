"""Proofs in the kernel of Theorem 21 of the paper on adversarial bandits: HTINF on random losses with heavy tails."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.losses import heavy_tailed_losses, skipped_share
from banditproof.verify.kernel.rewards import part
from banditproof.verify.theorems.hoeffding import half_is_less
from banditproof.verify.theorems.htinf import *
from banditproof.verify.theorems.regret import Smaller, below, part_is_not_negative, parts_differ, size_is_at_least
from banditproof.verify.theorems.squares import ordered_logs


def nu_in(i: Any, a: Any) -> Term:
    """The law of the loss of an arm in a round."""
    return law("nu", i, a)


HEAVY = heavy_tailed_losses(nu_in, T, K, ALPHA, sigma)
KEPT = kept(level, r)
KEPT_PARTS = KEPT * ind(0, r), -KEPT * ind(r, 0)
GAIN, LOST = app("gain", i, a), app("loss", i, a)


@lemma("nu T K d sigma gain loss i a level", nat(T), nat(K), *WITHIN, *ORDER, POSITIVE, *HEAVY, lt(0, level))
def heavy_tails_are_tame(which: int) -> Theorem:
    """Heavy-tailed losses that are truncated nonnegative are tame: of which the first, second and third condition."""
    one_law, within = nu_in(i, a), [assume(f) for f in WITHIN]
    moment, truncated = (assume(f) for f in HEAVY[:2])
    gains, gain_least, losses, loss_least = (instance(assume(f), {}) for f in HEAVY[2:])
    inside, raw, positive = ind(size(r), level), instance(is_kept()), assume(lt(0, level))
    parts = [part_is_not_negative(r, s) for s in (1, -1)]
    at_most_1 = indicator(size(r), level, 4)
    signs = ind(0, r), -ind(r, 0)
    ends = [
        (auto(le(0, k), (f, raw), (p, indicator(size(r), level, 3))), auto(le(k, part(r, s)), (f, raw), (p, at_most_1)))
        for k, p, s, f in zip(KEPT_PARTS, parts, (1, -1), signs, strict=True)
    ]
    averages = [mean("r", one_law, k) for k in KEPT_PARTS]
    g, far = app("g", r), 1 - inside
    off = auto(le(0, far))
    facts = raw, *((f, raw) for f in signs), (inside, parts_differ(r))
    whole = mono(auto(eq(KEPT, KEPT_PARTS[0] - KEPT_PARTS[1]), *facts), "r", one_law)
    below_parts = [below(g, part(r, s)) for s in (1, -1)]
    low_of = [[instance(assume(f), {}) for f in given] for given in below_parts]

    def of_two(side: int, number: Term, of_far: Theorem) -> Theorem:
        """E g <= E k + number for g below a part of r, from: E g 1[|r| > level] <= number."""
        low, high = low_of[side]
        near = auto(le(g * inside, KEPT_PARTS[side]), (inside, high), (signs[side], raw))
        goal = le(mean("r", one_law, g), averages[side] + number)
        return for_all("g", auto(goal, mono(near, "r", one_law), of_far), *below_parts[side])

    if which == 0:
        beyond, longer, left = below(g, part(r, 1) * far), KEPT_PARTS[0] + g, GAIN - averages[0]
        low, high = (instance(assume(f), {}) for f in beyond)
        fits = auto(le(0, longer), ends[0][0], low), auto(le(longer, part(r, 1)), (signs[0], raw), high)
        whole_gain = instance(gains, {"g": fn("r", longer)}, *(for_all("r", p) for p in fits))
        far_up = for_all("g", auto(le(mean("r", one_law, g), left), whole_gain), *beyond)
        far_down = instance(truncated, {"u": level, "c": left}, far_up)
        low, high = low_of[1]
        cut = auto(le(0, g * far), (off, low)), auto(le(g * far, part(r, -1) * far), (off, high))
        rest = instance(far_down, {"g": fn("r", g * far)}, *(for_all("r", p) for p in cut))
        least = instance(loss_least, {"c": averages[1] + left}, of_two(1, left, rest))
        return auto(le(mean("r", one_law, KEPT), GAIN - LOST), whole, least)
    own_size, own_log = eq(size(r), exp(v)), assume(eq(size(r), exp(v)))
    power, most_of = exp(d * log(level)), exp((1 + d) * log(sigma))
    if which == 1:
        low, high = low_of[0]
        beyond = power * g * far
        none = auto(replace(le(beyond, 0), {"r": term(0)}), (power * app("g", 0), at_most(weak(positive))))
        near, farther = assume(le(size(r), level)), assume(lt(level, size(r)))
        goal = le(beyond, exp((1 + d) * v))
        logs = ordered_logs(auto(le(exp(log(level)), exp(v)), farther, own_log, exp_log(positive)))
        higher = exp_monotone(auto(le(d * log(level), d * v), (d, logs)))
        short = auto(le(g, exp(v)), high, *size_is_at_least(r)[:2], own_log, *parts)
        there = auto(goal, (power * g, not_at_most(farther)), (low, higher), (exp(d * v), short))
        here = auto(goal, (power * g, at_most(near)))
        floor = auto(le(0, beyond), product(product(weak(exp_positive(d * log(level))), low), off))
        fits = for_all("r", floor), none, for_all("r v", cases(here, there, size(r), level), own_size)
        small = instance(moment, {"g": fn("r", beyond)}, *within, *fits)
        inverse = exp(-d * log(level))
        rest = auto(le(mean("r", one_law, g * far), inverse * most_of), (inverse, small))
        above = instance(gain_least, {"c": averages[0] + inverse * most_of}, of_two(0, inverse * most_of, rest))
        under_loss = instance(losses, {"g": fn("r", KEPT_PARTS[1])}, *(for_all("r", p) for p in ends[1]))
        goal = le(power * (GAIN - LOST - mean("r", one_law, KEPT)), most_of)
        return auto(goal, *((power, p) for p in (above, under_loss, whole)))
    V = weighed(level, r)

    def of_smaller(r: Term) -> Smaller:
        up = product(size_is_at_least(r)[0], weak(exp_positive(d * log(size(r)))))
        return Smaller(auto(le(0, exp((1 + d) * log(level)))), up)

    at_0 = replace(le(V, 0), {"r": term(0)})
    both, at_start = of_smaller(r), of_smaller(term(0))
    none = auto(at_0, (ind(size(term(0)), level), at_start.bound))
    sides, of_size = (exp(log(size(r))), exp(v)), exp_log(auto(lt(0, size(r)), own_log))
    log_v = [ordered_logs(auto(le(*pair), own_log, of_size)) for pair in (sides, sides[::-1])]
    value = exp_equal(auto(eq(d * log(size(r)), d * v), (d, antisymmetric(*log_v))))
    floor = auto(le(0, V))
    steps = (both.not_negative, at_most_1), both.bound, (size(r), value), (exp(d * v), own_log)
    fits = for_all("r", floor), none, for_all("r v", auto(le(V, exp((1 + d) * v)), *steps), own_size)
    return instance(moment, {"g": fn("r", V)}, *within, *fits)


BELOW_TWO = lt(0, d), lt(0, e), eq(d + e, 1)
FIRST = 1 - exp(-log(2) * d / (1 + 2 * d))
SECOND = exp(log(2 * d / (1 + d)) / e)


@lemma("d e", *BELOW_TWO)
def shares_below_two(which: int) -> Theorem:
    """d/5 <= t for the first number t of which Theta is the smaller one, and 1 <= 5 t^(alpha - 1) for both of them."""
    L, order, y = log(2), assume(lt(0, d)), 2 * d / (1 + d)
    x = L * d / (1 + 2 * d)
    inverse = weak(reciprocal_positive(auto(lt(0, 1 + 2 * d))))
    small = auto(le(d, 1))
    third = auto(le(term(1) / 3, 1 / (1 + 2 * d)), (inverse, small))
    slower = auto(le(L * d / 3, x), (product(auto(le(0, L), half_is_less()), weak(order)), third))
    mixed = instance(young(), {"u": -L / 3, "v": term(0), "t": d})
    fifth = auto(le(term(1) / 5, TWO), share_of_two()[3], (5, exp_log(share_of_two()[0])))
    first = auto(le(d / 5, FIRST), exp_monotone(auto(le(-x, -L * d / 3), slower)), mixed, (order, fifth))
    A, B = log(5), log(d)
    of_A, of_B = exp_log(auto(lt(0, 5))), exp_log(order)
    half = auto(le(exp(term(1) / 2), 2), (2 * exp(term(1) / 2), exp_tangent(-term(1) / 2)))
    e_low = auto(le(exp(term(1)), exp(A)), (exp(term(1) / 2), half), (2, half), of_A)
    large = ordered_logs(e_low)
    inverse_A = auto(eq(exp(-A), term(1) / 5), (exp(-A) / 5, of_A))
    positive = auto(lt(0, FIRST), first)
    of_first = exp_log(positive)
    logs = ordered_logs(auto(le(exp(B - A), exp(log(FIRST))), first, of_first, (exp(-A), of_B), (d, inverse_A)))
    tangent = auto(le(d - 1, d * B), (exp(-B), of_B), (d, exp_tangent(-B)))
    rest = product(auto(le(0, 1 - d)), auto(le(0, A - 1), large))
    enough = exp_monotone(auto(le(-A, d * log(FIRST)), (order, logs), tangent, rest))
    above = auto(lt(0, y))
    of_y = exp_log(above)
    lower = auto(le(-e / (2 * d), log(y)), (exp(-log(y)) / y, of_y), exp_tangent(-log(y)))
    q = log(y) / e
    logs = ordered_logs(auto(le(exp(q), exp(log(SECOND))), exp_log(exp_positive(q))))
    half_less = auto(le(-term(1) / 2, d * q), (product(order, reciprocal_positive(assume(lt(0, e)))), lower))
    enough_too = exp_monotone(auto(le(-A, d * log(SECOND)), (order, logs), half_less, large))
    ends = [auto(le(1, 5 * p.conclusion.args[1]), (5, p), (5, inverse_A)) for p in (enough, enough_too)]  # type: ignore[union-attr]
    return (first, *ends)[which]


THETA = skipped_share(d, e)


@lemma("d e", *BELOW_TWO)
def share_below_two(which: int) -> Theorem:
    """What is asked of Theta holds for alpha = 1 + d below 2."""
    before, after = assume(le(SECOND, FIRST)), assume(lt(FIRST, SECOND))
    is_second = auto(eq(THETA, SECOND), (SECOND - FIRST, at_most(before)))
    is_first = auto(eq(THETA, FIRST), (SECOND - FIRST, not_at_most(after)))
    low = instance(shares_below_two(0))
    goal = replace(SHARE[which], {"theta": THETA})
    if which == 0:
        positive = exp_positive(SECOND.args[0])
        return cases(auto(goal, is_second), auto(goal, is_first, low), SECOND, FIRST)
    if which == 1:
        return cases(auto(goal, before), auto(goal, is_first), SECOND, FIRST)
    if which == 3:
        sides = [same(p, "v", 5 * exp(d * log(var("v")))) for p in (is_second, is_first)]
        shown = [auto(goal, p, instance(shares_below_two(k))) for p, k in zip(sides, (2, 1), strict=True)]
        return cases(*shown, SECOND, FIRST)
    small = cases(auto(le(THETA, SECOND), is_second), auto(le(THETA, SECOND), is_first, after), SECOND, FIRST)
    positive, y = exp_log(instance(share_below_two(0))), 2 * d / (1 + d)
    logs = ordered_logs(auto(le(exp(log(THETA)), exp(log(y) / e)), positive, small))
    above = auto(lt(0, y))
    lack = assume(lt(0, e))
    facts = (lack, logs), (log(THETA), assume(BELOW_TWO[2])), (log(y), reciprocal(lack))
    less = exp_monotone(auto(le((1 - d) * log(THETA), log(y)), *facts))
    return auto(goal, (1 + d, less), (1 + d, exp_log(above)))


@lemma(f"nu T {NAMES}", *SETTING[:-1], nat(T))
def on_heavy_tails() -> Theorem:
    """The regret of T rounds on losses with heavy tails that are truncated nonnegative."""
    top, value = var("top"), GAIN - LOST
    values = {"M": fn("i a", nu_in(i, a)), "mu": fn("i a", value), "spread": exp(ALPHA * log(sigma)), "most": top}
    conditions = *map(assume, WITHIN), *map(assume, (*ORDER, POSITIVE, *HEAVY, lt(0, level)))
    at_arm = [instance(heavy_tails_are_tame(k), {}, *conditions) for k in range(3)]
    tamed = [for_all("i a level", p, *WITHIN, lt(0, level)) for p in at_arm]
    apart = value - substitute(value, {"a": fixed})
    bounded = assume(All(("i", "a"), (), le(apart, top)))
    gap = for_all("i a", instance(bounded), *WITHIN)
    natural = nat_nonnegative(assume(nat(top)))
    small = instance(regret_is_small(), values, *map(assume, FIXED), *tamed, gap, natural)
    own = small.conclusion.args[0]  # type: ignore[union-attr]
    bound = 30 * sigma * exp((1 - 1 / ALPHA) * log(K)) * exp(log(T + 1) / ALPHA)
    shown = auto(le(own, bound), small)
    return for_all("gain loss fixed", some_bound(shown, "top", ["i", "a"], apart), *HEAVY, *FIXED)


@proof
def theorem_21_below_two(statement: All) -> Theorem:
    """HTINF for alpha below 2."""
    values = {"d": var("excess"), "e": var("lack")}
    shares = [instance(share_below_two(k), values) for k in range(4)]
    theta_value = skipped_share(*values.values())
    order = auto(le(var("excess"), 1))
    return instance(on_heavy_tails(), {"d": var("excess"), "theta": theta_value}, order, *shares)


@proof
def theorem_21_at_two(statement: All) -> Theorem:
    """HTINF for alpha = 2."""
    return instance(on_heavy_tails(), {"d": term(1), "theta": TWO}, *share_of_two())
