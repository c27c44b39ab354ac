"""Proofs in the kernel of a bound on the means of several arms in all rounds at once, by a mixture over slices.

For u = w/(1 - w) e^(-4 w k) and the sum S of N noises, e^(u S^2/(2 (1 + u N)))/sqrt(1 + u N) does not grow in the mean;
so neither does the mixture over k, with weights (k + 1)^(-2 w)/zeta(2 w), nor the product of such mixtures over arms.
The slice k is for e^(4 w k) <= N <= e^(4 w (k + 1)), where its exponent is w S^2/(2 N) at least.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.verify.kernel.episodes import (
    mean_so_far,
    means_are_near,
    pulled,
    rounds_are_counted,
    runs_of_rounds,
    second_logs,
    with_noise_of,
)
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.linear import one_subgaussian
from banditproof.verify.kernel.policies import plays_arms, power
from banditproof.verify.theorems.optimism import PN, SOON, arm, centre, rewritten
from banditproof.verify.theorems.policies import less_on_arms, picked, sum_inside, sum_over
from banditproof.verify.theorems.self_normalised import LONGER, SCALE, Falling, potential, scaled
from banditproof.verify.theorems.squares import log_of_one, one_round, ordered_logs

a, b, c, k, n, r, s, u, v, w, x, z, C = map(var, "abcknrsuvwxzC")
T, K, weight, zeta, sigma, level = map(var, ("T", "K", "weight", "zeta", "sigma", "level"))
NOISE = one_subgaussian(law("X"))


def lifted(C: Any, u: Any, c: Any, s: Any) -> Term:
    """C e^(u s^2/(2 (1 + u c)))/sqrt(1 + u c)."""
    return substitute(potential(u * s * s / (1 + u * c), log(1 + u * c)), {"delta": term(C)})


@lemma("a b v", lt(0, a), lt(0, b), lt(0, v), eq(a * b, v))
def inverse_of_product() -> Theorem:
    """1/v = 1/a 1/b for v = a b."""
    return auto(eq(1 / v, 1 / a / b), (1 / v / a / b, assume(eq(a * b, v))))


OF_SLICE = All(("x",), (), le(0, app("g", x))), All(("x",), (), le(app("g", x), lifted(C, u, c + 1, s + x)))


@lemma("X C u c s g", NOISE, lt(0, C), lt(0, u), le(0, c), *OF_SLICE)
def slice_stays() -> Theorem:
    """One noise more does not make it larger in the mean."""
    before, after, share = 1 + u * c, 1 + u * (c + 1), u / (1 + u * c)
    some, more, wide = (auto(lt(0, f)) for f in (before, after, 1 + share))
    inverse = instance(inverse_of_product(), {"a": before, "b": 1 + share, "v": after})
    logs = ordered_logs(
        auto(
            le(exp(log(1 + share) + log(before)), exp(log(after))),
            (before, exp_log(wide)),
            (exp(log(1 + share)), exp_log(some)),
            exp_log(more),
        )
    )
    m, g = share * s, app("g", x)
    scalars = {"delta": C, "norm": share * s * s, "volume": log(before), "s": share, "m": m, "r": x, "v": g}
    scalars |= {"norm_after": u * (s + x) * (s + x) / after, "volume_after": log(after)}
    change = (2 * x * m + x * x * share - m * m) / (1 + share)
    longer = auto(eq(scalars["norm_after"], share * s * s + change), (u * (s + x) * (s + x), inverse))
    scale = substitute(SCALE, scalars)
    most = instance(scaled(), scalars, auto(le(0, share)), longer, logs, instance(assume(OF_SLICE[1])))
    least = auto(le(0, g * scale))
    of = {"s": share, "m": m, "g": fn("x", g * scale)}
    bound = instance(one_round(), of, for_all("x", least), for_all("x", most))
    back = C * exp((share * s * s - log(before)) / 2 - m * m / (1 + share) / 2 - log(1 + share) / 2)
    return auto(le(mean("x", law("X"), g), lifted(C, u, c, s)), (back, bound))


# ----------------------------------------------------------------------------------------------------------- mixtures


def share_of(k: Any) -> Term:
    return power(k + 1, -2 * weight) / zeta


def steepness(k: Any) -> Term:
    return weight / (1 - weight) * exp(-4 * weight * k)


def part(k: Any, c: Any, s: Any) -> Term:
    return lifted(share_of(k), steepness(k), c, s)


def mixture(c: Any, s: Any) -> Term:
    return sum_of(lambda k: part(k, c, s), T, "k")


NAMED = lt(0, weight), lt(weight, 1), lt(0, zeta), nat(T), le(1, T)
IN_T = nat(k), lt(k, T)


@lemma("k c s weight zeta T", *NAMED, *IN_T)
def is_a_part() -> Theorem:
    """One part of a mixture is at most all of it."""
    one = part(var("i"), c, s)
    rest = auto(le(0, one * (1 - equal(var("i"), k))), *_not_above_one(var("i"), k, one))
    found = picked(lambda i: part(i, c, s), k, T)
    return auto(le(part(k, c, s), mixture(c, s)), sum_over(rest, "i", T), found)


def _not_above_one(s: Term, t: Term, positive: Term) -> list[Any]:
    ends = ind(s, t), ind(t, s)
    below = auto(le(equal(s, t), 1), indicator(*ends[1].args, 4))
    return [(positive, below)]


@lemma("c s weight zeta T", *NAMED)
def is_positive() -> Theorem:
    """A mixture is positive."""
    first = instance(is_a_part(), {"k": term(0)})
    return auto(lt(0, mixture(c, s)), first)


DRAWN = mean("draw", UNIT, ind(var("draw"), w / v))
TAKEN = le(0, x), le(x, C * v), lt(0, w), le(w, v), lt(0, v)


@lemma("x C v w", *TAKEN)
def is_split() -> Theorem:
    """x times w/v, as the chance that a uniform number is below w/v: it is bounded where x is."""
    low, high = (auto(le(0, w / v)), auto(le(w / v, 1)))
    return unit(w / v, "draw", low, high)


OF_MIXTURE = All(("x",), (), le(0, app("f", x))), All(("x",), (), le(app("f", x), C * mixture(c + 1, s + x)))


@lemma("X C c s f weight zeta T", NOISE, lt(0, C), le(0, c), *NAMED, *OF_MIXTURE)
def mixture_stays() -> Theorem:
    """One noise more does not make a mixture larger in the mean: what is below it is split into its parts."""
    f, X = app("f", x), law("X")
    low, high = (instance(assume(g), {}) for g in OF_MIXTURE)
    whole, one = mixture(c + 1, s + x), part(k, c + 1, s + x)
    some = instance(is_positive(), {"c": c + 1, "s": s + x})
    positive, below = auto(lt(0, one)), instance(is_a_part(), {"c": c + 1, "s": s + x}, *map(assume, IN_T))
    values = {"x": f, "v": whole, "w": one}
    drawn = instance(is_split(), values, high, positive, below)
    chosen = f * substitute(DRAWN, {"v": whole, "w": one})
    inverse, own = weak(reciprocal_positive(some)), (one * C, reciprocal(some))
    share = product(inverse, weak(positive))
    most = auto(le(chosen, C * one), (f, drawn), (share, high), own)
    least = auto(le(0, chosen))
    values = {"C": C * share_of(k), "u": steepness(k), "g": fn("x", chosen)}
    each = instance(slice_stays(), values, auto(lt(0, steepness(k))), for_all("x", least), for_all("x", most))
    parts = sum_over(auto(le(0, C * part(k, c, s) - mean("x", X, chosen)), each), "k", T)
    inside = sum_inside("k", T, "x", X, chosen)
    adds = sum_over(auto(eq(0, chosen - f * one / whole), (f, drawn)), "k", T)
    total = T * mean("k", uniform(T), chosen)
    back = mono(auto(eq(f, total), adds, (f, reciprocal(some))), "x", X)
    return auto(le(mean("x", X, f), C * mixture(c, s)), back, inside, parts)


ZETA = le(sum_of(lambda k: power(k + 1, -2 * weight), T, "k"), zeta)


@lemma("weight zeta T", *NAMED, ZETA)
def begins_small() -> Theorem:
    """A mixture is at most 1 before the first noise."""
    none = sum_over(
        auto(
            eq(0, part(k, 0, 0) - share_of(k)), (share_of(k), exp_equal(auto(eq(-log(term(1)) / 2, 0), log_of_one())))
        ),
        "k",
        T,
    )
    positive = assume(lt(0, zeta))
    return auto(le(mixture(0, 0), 1), none, reciprocal(positive))


# ------------------------------------------------------------------------------------------------------------ slices

RATE = 2 * weight - 2 * weight * log(4 * weight) + log(zeta) - log(1 - weight) / 2


def target(c: Any, s: Any) -> Term:
    """What a mixture is the exponential of, at least."""
    return weight * (s * s / (2 * c) - 2 * log(4 + log(c))) - RATE


STEP, HALF = 4 * weight, Fraction(1, 2)
IN_SLICE = le(exp(STEP * k), c), le(c, exp(STEP * (k + 1)))


@lemma("k c s weight zeta", lt(HALF, weight), lt(weight, 1), lt(0, zeta), nat(k), le(1, c), *IN_SLICE)
def is_covered() -> Theorem:
    """The part of its slice is large."""
    steep, some, least = steepness(k), auto(lt(0, c)), auto(lt(0, weight))
    wide, rest = auto(lt(0, 1 + steep * c)), auto(lt(0, 1 - weight))
    # w/c <= u/(1 + u c)
    enough = auto(le(weight * (1 + steep * c), steep * c))
    inverse = product(reciprocal_positive(some), reciprocal_positive(wide))
    ratio = auto(le(weight / c, steep / (1 + steep * c)), (inverse, enough), (weight / c, reciprocal(wide)))
    squares = auto(le(weight * s * s / c, steep * s * s / (1 + steep * c)), (square(s), ratio))
    # log(k + 1) + log(4 w) <= log(4 + log c)
    count = ordered_logs(auto(le(exp(STEP * k), exp(log(c))), exp_log(some)))
    room = auto(lt(0, 4 + log(c)), count)
    slices, four = exp_log(auto(lt(0, k + 1))), exp_log(auto(lt(0, STEP)))
    logs = ordered_logs(
        auto(
            le(exp(log(k + 1) + log(STEP)), exp(log(4 + log(c)))),
            (exp(log(k + 1)), four),
            (STEP, slices),
            exp_log(room),
            count,
        )
    )
    # log(1 + u c) <= 4 w - log(1 - w)
    grown = exp_monotone(auto(le(0, STEP)))
    fits = auto(le((1 - weight) * (1 + steep * c), exp(STEP)), (weak(rest), grown))
    parts = (exp(log(1 - weight)), exp_log(wide)), (1 + steep * c, exp_log(rest))
    cost = ordered_logs(auto(le(exp(log(1 - weight) + log(1 + steep * c)), exp(STEP)), *parts, fits))
    exponent = -2 * weight * log(k + 1) - log(zeta) + (steep * s * s / (1 + steep * c) - log(1 + steep * c)) / 2
    larger = exp_monotone(auto(le(target(c, s), exponent), squares, (least, logs), cost))
    value = exp_log(assume(lt(0, zeta)))
    share = auto(eq(exp(-log(zeta)), 1 / zeta), (exp(-log(zeta)) / zeta, value))
    return auto(le(exp(target(c, s)), part(k, c, s)), larger, (exp(exponent + log(zeta)), share))


IN_ROUNDS = lt(HALF, weight), lt(weight, 1), lt(0, zeta), nat(T), le(1, T), le(1, c), le(c, T)


@lemma("c s weight zeta T", *IN_ROUNDS)
def is_in_mixture() -> Theorem:
    """A mixture is at least that of the slice of its count."""
    goal = le(exp(target(c, s)), mixture(c, s))

    def in_slice(k: Any, natural: Theorem, soon: Theorem, *known: Theorem) -> Theorem:
        large = instance(is_covered(), {"k": k}, natural, *known)
        return auto(goal, large, instance(is_a_part(), {"k": k}, natural, soon))

    def rises(n: Term) -> Theorem:
        low = nat_nonnegative(assume(nat(n)))
        return exp_monotone(auto(le(n, STEP * n), (low, assume(lt(HALF, weight))), low))

    claim, enough = All((), (le(c, exp(STEP * n)),), goal), assume(le(c, exp(STEP * (n + 1))))
    more = exp_monotone(auto(le(0, STEP)))
    base = in_slice(
        term(0),
        nat_zero(),
        auto(lt(0, T)),
        auto(le(exp(STEP * 0), c)),
        auto(le(c, exp(STEP * 1)), assume(le(c, 1)), more),
    )
    above = assume(lt(exp(STEP * n), c))
    count = rises(n)
    soon = auto(lt(n, T), exp_tangent(n), count, above)
    here = in_slice(n, assume(nat(n)), soon, weak(above), enough)
    base = auto(goal, base)
    whole = induction(
        "n", base, cases(instance(assume(claim), {}, assume(le(c, exp(STEP * n)))), here, c, exp(STEP * n)), claim, at=T
    )
    return instance(whole, {}, auto(le(c, exp(STEP * T)), exp_tangent(T), rises(T)))


# ------------------------------------------------------------------------------------------------------------- rounds

W, CHOSEN, chosen = var("W"), var("cho"), lambda a: app("among", a)
GROWN = CHOSEN * (log(mixture(c + 1, s + x)) - log(mixture(c, s)))
OF_ARM = All(("x",), (), le(0, app("f", x))), All(("x",), (), le(app("f", x), exp(W + GROWN)))


@lemma("cho", eq(CHOSEN * CHOSEN, CHOSEN), le(CHOSEN, HALF))
def is_left_out() -> Theorem:
    """An arm of which `chosen` is at most 1/2 is not chosen."""
    low, _ = bounds_of_event(CHOSEN, assume(eq(CHOSEN * CHOSEN, CHOSEN)))
    return antisymmetric(auto(le(CHOSEN, 0)), low)


@lemma("cho", eq(CHOSEN * CHOSEN, CHOSEN), le(HALF, CHOSEN))
def is_taken() -> Theorem:
    """An arm of which it is at least that is chosen."""
    _, high = bounds_of_event(CHOSEN, assume(eq(CHOSEN * CHOSEN, CHOSEN)))
    large = product(auto(le(0, 1 - CHOSEN), high), auto(le(0, CHOSEN - HALF)))
    return antisymmetric(high, auto(le(1, CHOSEN), large))


@lemma("X W cho c s f weight zeta T", NOISE, eq(CHOSEN * CHOSEN, CHOSEN), le(0, c), *NAMED, *OF_ARM)
def arm_stays() -> Theorem:
    """The factor of an arm does not grow in the mean, whether it is one of those chosen or not."""
    f, X = app("f", x), law("X")
    goal, high = le(mean("x", X, f), exp(W)), instance(assume(OF_ARM[1]))
    none, all_of_it = (
        instance(p, {}, assume(q)) for p, q in ((is_left_out(), le(CHOSEN, HALF)), (is_taken(), le(HALF, CHOSEN)))
    )
    flat = same(none, "v", exp(W + v * (log(mixture(c + 1, s + x)) - log(mixture(c, s)))))
    unchanged = auto(goal, mono(auto(le(f, exp(W)), high, flat), "x", X))
    before, after = exp_log(instance(is_positive())), exp_log(instance(is_positive(), {"c": c + 1, "s": s + x}))
    factor = exp(W - log(mixture(c, s)))
    grown = same(all_of_it, "v", exp(W + v * (log(mixture(c + 1, s + x)) - log(mixture(c, s)))))
    most = for_all("x", auto(le(f, factor * mixture(c + 1, s + x)), high, grown, (factor, after)))
    stays = instance(mixture_stays(), {"C": factor}, most)
    return cases(unchanged, auto(goal, stays, (factor, before)), CHOSEN, term(HALF))


def off(n: Any, z: Any, of: Term) -> Term:
    """The sum of the noise of an arm, over sigma."""
    return (pulled(n, z, of) * mean_so_far(n, z, of) - pulled(n, z, of) * centre(of)) / sigma


def log_mixture(n: Any, z: Any, of: Term) -> Term:
    return log(mixture(pulled(n, z, of), off(n, z, of)))


def total_log(n: Any, z: Any) -> Term:
    return sum_of(lambda b: chosen(b) * log_mixture(n, z, b), K, "b")


def counted(n: Any, z: Any) -> tuple[Formula, ...]:
    """Plays of an arm are from 0 to n."""
    return tuple(All(("b",), is_arm(b, K), f) for f in (le(0, pulled(n, z, b)), le(pulled(n, z, b), n)))


_, NOT_PULLED, NEXT_PULLED, NEXT_SUM = (assume(f) for f in rounds_are_counted(T, K))
SHIFTED = assume(with_noise_of(nu, centre, lambda a: law("noise", a), K, sigma))
REWARD = centre(a) + sigma * x
NOISY = app("after", z, a, a, REWARD)
IS_CHOICE = All(("a",), is_arm(a, K), eq(chosen(a) * chosen(a), chosen(a)))


def after_round(equation: Theorem, of: Term, reward: Term) -> Theorem:
    return instance(equation, {"i": n, "r": reward}, PN, SOON, *arm(a), *arm(of))


def arm_after_round() -> Theorem:
    """What the arm b adds to the logarithm after a round: more than before only if it was played."""
    changes = after_round(NEXT_PULLED, b, REWARD), after_round(NEXT_SUM, b, REWARD)
    grown = log(mixture(pulled(n, z, a) + 1, off(n, z, a) + x)) - log_mixture(n, z, a)
    goal = eq(0, chosen(b) * (log_mixture(n + 1, NOISY, b) - log_mixture(n, z, b)) - chosen(a) * grown * equal(b, a))

    def new(count: Theorem, total: Theorem) -> list[Theorem]:
        return rewritten(lambda c, s: log(mixture(c, s)), [count, total])

    def then(it_is: Theorem) -> Theorem:
        one, count = is_equal(it_is), pulled(n, z, b)
        more = auto(eq(pulled(n + 1, NOISY, b), count + 1), changes[0], one)
        of_name = same(it_is, "w", centre(w))
        total = auto(
            eq(off(n + 1, NOISY, b), off(n, z, b) + x),
            (1 / sigma, changes[1]),
            (centre(b) / sigma, more),
            (REWARD / sigma, one),
            (1 / sigma, of_name),
        )
        named = same(
            it_is, "w", chosen(w) * (log(mixture(pulled(n, z, w) + 1, off(n, z, w) + x)) - log_mixture(n, z, w))
        )
        return auto(goal, *((chosen(b), f) for f in new(more, total)), named, (chosen(a) * grown, one))

    def other(_: Term, zero: Theorem) -> Theorem:
        count = auto(eq(pulled(n + 1, NOISY, b), pulled(n, z, b)), changes[0], zero)
        total = auto(
            eq(off(n + 1, NOISY, b), off(n, z, b)),
            (1 / sigma, changes[1]),
            (centre(b) / sigma, count),
            (REWARD / sigma, zero),
        )
        return auto(goal, *((chosen(b), f) for f in new(count, total)), (chosen(a) * grown, zero))

    return unless_equal(b, a, then, other)


def height(n: Any, z: Any) -> Term:
    return exp(total_log(n, z) - level)


def falls(_: Theorem, __: Theorem, ___: Theorem, low: Theorem, high: Theorem) -> Theorem:
    """The product of the mixtures of the arms does not grow in the mean over arm and reward."""
    f, total = app("f", NOISY), total_log(n, z) - level
    grown = log(mixture(pulled(n, z, a) + 1, off(n, z, a) + x)) - log_mixture(n, z, a)
    found = picked(lambda _: chosen(a) * grown, a, K)
    more = exp_monotone(
        auto(le(total_log(n + 1, NOISY) - level, total + chosen(a) * grown), sum_over(arm_after_round(), "b", K), found)
    )
    most = for_all("x", auto(le(f, exp(total + chosen(a) * grown)), instance(high, {"r": REWARD}), more))
    values = {"X": fn("", law("noise", a)), "W": total, "cho": chosen(a), "c": pulled(n, z, a), "s": off(n, z, a)}
    known = [instance(assume(g), {}, *arm(a)) for g in (SUBGAUSSIAN, IS_CHOICE)]
    count = instance(assume(counted(n, z)[0]), {"b": a}, *arm(a))
    stays = instance(
        arm_stays(), values | {"f": fn("x", f)}, *known, count, for_all("x", instance(low, {"r": REWARD})), most
    )
    told = mean("r", nu(a), app("f", LONGER))
    moved_on = instance(SHIFTED, {"g": fn("r", app("f", LONGER))}, *arm(a))
    on_arms = auto(le(told, exp(total)), moved_on, stays)
    of_arms = All(("a",), is_arm(a, K), le(told, v))
    of_one = instance(assume(of_arms), {}, *arm(a))
    fallen = for_all("v", less_on_arms(assume(plays_arms(pi, K)), pi(n, z), (n, z), told, v, of_one), of_arms)
    return instance(fallen, {"v": exp(total)}, for_all("a", on_arms, *is_arm(a, K)))


SUBGAUSSIAN = All(("a",), is_arm(a, K), one_subgaussian(law("noise", a)))
EMPTY = var("empty")


def begins() -> Theorem:
    none = instance(NOT_PULLED, {"a": b}, *arm(b))
    flat = auto(eq(off(0, EMPTY, b), 0), ((mean_so_far(0, EMPTY, b) - centre(b)) / sigma, none))
    small, value = begins_small(), exp_log(instance(is_positive(), {"c": term(0), "s": term(0)}))
    at_zero = ordered_logs(auto(le(exp(log(mixture(0, 0))), exp(term(0))), value, instance(small)))
    is_choice = instance(assume(IS_CHOICE), {"a": b}, *arm(b))
    new = rewritten(lambda c, s: log(mixture(c, s)), [none, flat])
    each = auto(
        le(0, -chosen(b) * log_mixture(0, EMPTY, b)),
        *((chosen(b), f) for f in new),
        product(auto(le(0, chosen(b)), is_choice), auto(le(0, -log(mixture(0, 0))), at_zero)),
    )
    return exp_monotone(auto(le(total_log(0, EMPTY) - level, -level), sum_over(each, "b", K)))


def counts_begin() -> list[Theorem]:
    none = instance(NOT_PULLED, {"a": b}, *arm(b))
    return [for_all("b", auto(conclusion(f), none), *is_arm(b, K)) for f in counted(term(0), EMPTY)]


def counts_go_on() -> list[Theorem]:
    changed = after_round(NEXT_PULLED, b, r)
    low, high = (instance(assume(f), {}, *arm(b)) for f in counted(n, z))
    shown = (
        auto(conclusion(counted(n + 1, LONGER)[0]), changed, low),
        auto(le(pulled(n + 1, LONGER, b), n + 1), changed, high, *_not_above_one(a, b, term(1))),
    )
    return [for_all("b", f, *is_arm(b, K)) for f in shown]


SIZE, rest = var("arms"), var("rest")
RATE_OF_REST = 2 * weight - 2 * weight * log(4 * weight) + log(zeta) - log(rest) / 2
SAYS = means_are_near(chosen, centre, sigma, K, SIZE * (RATE_OF_REST + level / SIZE) / weight)


@lemma("c v", le(1, c), eq(exp(exp(v) - 4), c))
def second_log_is_large() -> Theorem:
    """log(4 + log c) <= v."""
    value = exp_log(auto(lt(0, c)))
    low = ordered_logs(auto(le(exp(term(0)), exp(log(c))), value))
    logs = ordered_logs(auto(le(exp(log(c)), exp(exp(v) - 4)), value))
    return ordered_logs(auto(le(exp(log(4 + log(c))), exp(v)), exp_log(auto(lt(0, 4 + log(c)), low)), logs))


def is_near(n: Any, z: Any, within: Theorem) -> Theorem:
    """What is said of a round, where the potential is below 1: each arm adds no more to it than its mixture says."""
    says = SAYS(n, z)
    count, played = pulled(n, z, b), assume(says.given[0])
    distance = mean_so_far(n, z, b) - centre(b)
    own = weight * (count / (2 * sigma * sigma) * distance * distance - 2 * app("second_log", n, z, b)) - RATE
    goal, is_choice = le(0, chosen(b) * (log_mixture(n, z, b) - own)), instance(assume(IS_CHOICE), {"a": b}, *arm(b))
    low, some = assume(le(chosen(b), HALF)), assume(le(HALF, chosen(b)))
    none = instance(is_left_out(), {"cho": chosen(b)}, is_choice, low)
    taken = instance(is_taken(), {"cho": chosen(b)}, is_choice, some)
    once = instance(played, {"a": b}, *arm(b), taken)
    at_most_T = auto(le(count, T), instance(assume(counted(n, z)[1]), {}, *arm(b)), within)
    at = {"c": count, "s": off(n, z, b)}
    large, value = instance(is_in_mixture(), at, once, at_most_T), exp_log(instance(is_positive(), at))
    logs = ordered_logs(auto(le(exp(large.conclusion.args[0].args[0]), exp(log_mixture(n, z, b))), large, value))  # type: ignore[union-attr]
    one = reciprocal(auto(lt(0, count), once))
    h = app("second_log", n, z, b)
    second = instance(
        second_log_is_large(),
        {"c": count, "v": h},
        once,
        instance(assume(second_logs(K)), {"t": n, "a": b}, *arm(b), once),
    )
    whole = auto(
        le(own, log_mixture(n, z, b)),
        logs,
        (weight, second),
        (weight * count * distance * distance / (2 * sigma * sigma), one),
    )
    here = auto(goal, (auto(le(0, chosen(b)), taken), whole))
    each = cases(auto(goal, (log_mixture(n, z, b) - own, none)), here, chosen(b), term(HALF))
    small = auto(lt(total_log(n, z), level), exp_tangent(total_log(n, z) - level), assume(lt(height(n, z), 1)))
    inverse = reciprocal_positive(assume(lt(0, weight)))
    is_rest, size_of = (same(auto(eq(rest, 1 - weight)), "w", log(w)), assume(eq(sum_of(chosen, K, "b"), SIZE)))
    near = auto(
        says.then,
        (inverse, sum_over(each, "b", K)),
        (inverse, small),
        (SIZE / weight / 2, is_rest),
        (RATE / weight, size_of),
    )
    return for_all("", near, *says.given)


@proof
def all_rounds(statement: All) -> Theorem:
    """By the product of the mixtures of the arms."""
    runs, invariant = runs_of_rounds(pi, nu, T), (counted, counts_go_on, counts_begin)
    potential = Falling(runs, height, exp(-level), SAYS, is_near, falls, begins, *invariant)
    whole = for_all("", potential.seldom_reaches(statement.then), lt(0, weight))  # type: ignore[arg-type]
    return instance(whole, {})
