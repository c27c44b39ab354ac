"""Proofs in the kernel of Corollaries 2 and 8 of the paper on adversarial bandits: HTINF in batches with Laplace noise.

A loss in [0, 1] with noise is tame for alpha = 2, since the noise may be turned, and has E (1 + w^2) <= 6. The regret
of the batched algorithm follows from that on noisy losses, as for every learner.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.losses import is_htinf, losses_in_unit, of_table, with_noise
from banditproof.verify.theorems.htinf import *
from banditproof.verify.theorems.losses import over_draws, reduction, with_horizon
from banditproof.verify.theorems.noisy_losses import lam, mirrored
from banditproof.verify.theorems.noisy_sums import of_laplace
from banditproof.verify.theorems.optimism import smaller_root
from banditproof.verify.theorems.regret import Smaller, below, size_is_at_least

tau, rest, epsilon, side = map(var, ("tau", "rest", "epsilon", "side"))
SIX = exp(log(6) / 2)


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
    for sign, share, low, high in ((1, first, both.not_negative, both.bound), (-1, whole - first, floor, rest)):
        tilt, g, most = term(sign) / 2, term(9) / 64 * share, assume(SMALL[1])
        enough = auto(le(exp(-l), (1 - tilt * lam) * (1 + tilt * lam)), inverse, most)
        at = instance(of_laplace(), {"t": tilt, "l": l}, enough)
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
    """-level <= k, |k|^2 <= r^2 and level (r - k) <= r^2 for what is kept of r."""
    k, inside, raw = kept(level, r), ind(size(r), level), instance(is_kept())
    positive, up, down = size_is_at_least(r)
    if which == 0:
        less = level, indicator(size(r), level, 4)
        return auto(le(-k, level), less)
    if which == 1:
        power = size(r) * exp(log(size(r)))
        both = Smaller(auto(le(0, exp(2 * log(level)))), product(positive, weak(exp_positive(log(size(r))))))
        V = inside * both.most.conclusion.args[0]  # type: ignore[union-attr]
        some, none = assume(lt(0, size(r))), assume(le(size(r), 0))
        squared = auto(eq(size(r) * size(r), r * r), (4 * r * r, indicator(term(0), r, 0)))
        there = auto(le(power, r * r), (size(r), exp_log(some)), squared)
        here = auto(le(power, r * r), (exp(log(size(r))), none))
        at_most_1 = both.not_negative, indicator(size(r), level, 4)
        return auto(le(V, r * r), at_most_1, both.bound, cases(here, there, size(r), term(0)))
    goal = le(level * (r - k), r * r)
    near, far, positive = assume(le(size(r), level)), assume(lt(level, size(r))), assume(le(0, r))
    here = auto(goal, (level, raw), (level * r, at_most(near)), square(r))
    gone = (level, raw), (level * r, not_at_most(far))
    larger = auto(le(level, r), far, (r, at_most(positive)))
    below_0 = auto(goal, *gone, (level, assume(le(r, 0))))
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


def power_of_noisy(sign: int) -> Term:
    """The square of it, as a bounded function."""
    return substitute(weighed(level, loss + sign * w), {"d": term(1)})


@lemma("lam level loss", *LOSS)
def as_far_as_turned(f: Callable[[int], Term], least: Callable[[Term], Theorem]) -> Theorem:
    """The mean of a function f(1) of the noise, at least -level, is that of f(-1), with the noise turned."""
    sides = []
    for sign in (1, -1):
        low = for_all("w", auto(le(0, f(sign) + level), least(loss + sign * w)))
        turned = instance(mirrored(), {"h": fn("w", f(sign) + level)}, low)
        sides.append(auto(le(over_noise(f(sign)), over_noise(f(-sign))), turned))
    return antisymmetric(*sides)


def at_least(r: Term) -> Theorem:
    return instance(of_kept(0), {"r": r})


def power_not_negative(r: Term) -> Theorem:
    V = substitute(weighed(level, r), {"d": term(1)})
    return auto(le(0, V))


@lemma("lam level loss", *LOSS)
def noise_is_tame(which: int) -> Theorem:
    """A loss in [0, 1] with noise is tame for alpha = 2: of which the first, second and third condition."""
    k, pair = kept_noisy(1), instance(together())
    unit_square = auto(le(loss * loss, 1), assume(LOSS[-1]))
    kind = (power_of_noisy, power_not_negative) if which == 2 else (kept_noisy, at_least)
    turned = instance(as_far_as_turned(*kind))
    if which == 0:
        return auto(le(over_noise(k), loss), turned, mono(pair, "w", laplace(lam)))
    facts = [instance(of_kept(3 - which), {"r": loss + s * w}) for s in (1, -1)]
    if which == 1:
        g = level * (2 * loss - k - kept_noisy(-1)) / 2
        low, high = auto(le(0, g), (level, pair)), auto(le(g, 1 + w * w), *facts, unit_square)
        return auto(le(level * (loss - over_noise(k)), 6), (level, turned), at_most_six(g, low, high))
    g = (power_of_noisy(1) + power_of_noisy(-1)) / 2
    low, high = auto(le(0, g)), auto(le(g, 1 + w * w), *facts, unit_square)
    return auto(le(over_noise(power_of_noisy(1)), 6), turned, at_most_six(g, low, high))


def at_most_six(g: Term, low: Theorem, high: Theorem) -> Theorem:
    """E g <= 6."""
    return instance(square_of_noise(), {"h": fn("w", g)}, for_all("w", low), for_all("w", high))


# ------------------------------------------------------------------------------------------------------ the corollaries


LEARNS = *is_htinf(pi, K, 2, SIX, TWO), plays_arms(pi, K), nat(K), le(1, K)


@lemma("pi played_root estimated told after K T lam", *LEARNS, nat(T), *SMALL)
def on_noisy_losses() -> Theorem:
    """The regret of T rounds on losses in [0, 1] with noise Lap(lam), lam <= 1, for alpha = 2 and sigma = sqrt(6)."""
    values = {
        "M": fn("i a", with_noise(laplace(lam))(of_table(i, a))),
        "mu": fn("i a", of_table(i, a)),
        **{"spread": term(6), "most": term(1), "d": term(1), "sigma": SIX, "theta": TWO},
    }
    given = losses_in_unit(T, K)
    low, high = (instance(assume(f), {}, *map(assume, WITHIN)) for f in given)
    conditions = *map(assume, (*SMALL, lt(0, level))), low, high
    at_arm = [instance(noise_is_tame(k), {"loss": of_table(i, a)}, *conditions) for k in range(3)]
    missed = replace(TAME[1].then, values)  # type: ignore[type-var]
    gap_of = missed.args[0].args[1]  # type: ignore[union-attr]
    at_arm[1] = auto(missed, at_arm[1], (gap_of, exp_log(assume(lt(0, level)))))
    tamed = [for_all("i a level", p, *WITHIN, lt(0, level)) for p in at_arm]
    floor = instance(assume(given[0]), {"a": fixed}, *map(assume, (*WITHIN[:2], *FIXED)))
    gap = for_all("i a", auto(le(of_table(i, a) - of_table(i, fixed), 1), high, floor), *WITHIN)
    root_of_six = exp_log(exp_positive(log(6) / 2))
    enough = auto(le(6, exp(2 * log(SIX))), (exp(log(SIX)) + SIX, root_of_six), exp_log(auto(lt(0, 6))))
    order = auto(lt(0, 1)), auto(le(1, 1)), *share_of_two(), exp_positive(log(6) / 2)
    small = instance(regret_is_small(), values, *order, *map(assume, FIXED), *tamed, gap, enough)
    return for_all("loss fixed", small, *given, *FIXED)


ROUNDS = n * tau + rest
OF_BATCHES = (
    *(nat(n), nat(tau), le(1, tau), nat(rest), lt(rest, tau), lt(0, epsilon), le(epsilon, 1)),
    *(le(1, tau * epsilon), lt(tau * epsilon, 1 + epsilon), le(1, epsilon * ROUNDS)),
    *(le(0, side), le(K * ROUNDS, epsilon * side * side)),
)


@lemma("pi played_root estimated told after K n tau rest epsilon side", *LEARNS, *OF_BATCHES)
def converted() -> Theorem:
    """The regret of Algorithm 1 around HTINF with sigma = sqrt(6) is 208 sqrt(T K/epsilon) + 2/epsilon at most."""
    of_K, of_six, of_n = (exp_log(auto(lt(0, v))) for v in (K, term(6), n + 1))
    scale = 1 / (tau * epsilon)
    above = auto(lt(0, scale))
    regret = instance(on_noisy_losses(), {"lam": scale, "T": n})
    most = regret.conclusion.then.args[1]  # type: ignore[union-attr]
    heard = {"M": fn("p", with_noise(laplace(scale))(var("p"))), "m": n, "bound": most}
    known = instance(reduction(), heard, regret)
    loss = known.conclusion.then.args[0]  # type: ignore[union-attr]
    one = reciprocal(assume(lt(0, epsilon)))
    spare = product(nat_nonnegative(assume(nat(n))), auto(le(0, tau * epsilon - 1)))
    long = auto(le(n + 1, 2 * epsilon * ROUNDS), spare)
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
    above = auto(lt(0, X))
    false = contradiction((above, far), (208 * side, far), squared, square(side))
    short = by_contradiction(le(X, 208 * side), false)
    rest_of = product(auto(le(0, 2 / epsilon - tau)), auto(le(0, most + 1)))
    goal = le(loss, 208 * side + 2 / epsilon)
    given = known.conclusion.given  # type: ignore[union-attr]
    return for_all("loss fixed", auto(goal, instance(known, {}, *map(assume, given)), short, rest_of), *given)


@proof
def regret_on_noisy_losses(statement: All) -> Theorem:
    """The product of the roots of 6, K and T + 1 is at most any number whose square is large enough."""
    bound = instance(on_noisy_losses())
    names, given, goal = parts_of(statement.then)
    small = instance(bound, {})
    own = small.conclusion.args[1] / 30  # type: ignore[union-attr]
    of_K, of_six, of_T = (exp_log(auto(lt(0, v))) for v in (K, term(6), T + 1))
    steps = (exp(log(6)) * exp(log(T + 1)), of_K), (K * exp(log(T + 1)), of_six), (6 * K, of_T)
    squared = auto(le(own * own, side * side), auto(eq(own * own, 6 * K * (T + 1)), *steps))
    short = instance(smaller_root(), {"w": own, "v": side}, squared)
    return for_all(names, auto(goal, small, (30, short)), *given)


@proof
def corollary_2(statement: All) -> Theorem:
    """Algorithm 1 around HTINF."""
    return instance(converted())


@proof
def corollary_8(statement: All) -> Theorem:
    """Algorithm 5 around it: the experts are its arms."""
    return with_horizon(statement, over_draws(statement, instance(converted(), {"K": var("N")})))
