"""Proofs in the kernel for AdaP-TT*, whose threshold has two cases: two more events than that of AdaP-TT, that a sum is
large by itself, and that a noise is larger than what the labels of phases say without their power."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.linear import one_subgaussian
from banditproof.verify.kernel.phases import (
    far_threshold,
    length,
    masked,
    near_threshold,
    noise_level,
    stops_by,
    summed,
    widths_of_deviations,
)
from banditproof.verify.kernel.rewards import part
from banditproof.verify.theorems.phases import *
from banditproof.verify.theorems.squares import ordered_logs
from banditproof.verify.theorems.time_uniform import lifted

wa, wb, h, V, largest = map(var, ("wa", "wb", "h", "V", "largest"))

# ---------------------------------------------------------------------------------------------------------- rare events

L = var("L")
OF_HEIGHT = nat(N), le(1, N), le(1, 2 * h), le(2 * L + 4 * v + HALF + log(2 * h), 2 * h), le(4, exp(v))


@lemma("X N h L v", one_subgaussian(law("X")), le(0, L), *OF_HEIGHT)
def one_sum() -> Theorem:
    """P(S^2/(2 N) >= h) <= e^-L/12 for the sum of N noises: at 1 - 1/(2 h) for the weight."""
    X, some = law("X"), auto(lt(0, 2 * h))
    low = exp_log(some)
    logs = ordered_logs(auto(le(exp(term(0)), exp(log(2 * h))), low))
    half = auto(le(exp(term(HALF)), 4), (2 * exp(term(HALF)), exp_tangent(-term(HALF))))
    large = ordered_logs(auto(le(exp(term(HALF)), exp(v)), half))
    wide = auto(lt(1, 2 * h), large, logs)
    count = auto(lt(0, N))
    weight, steep = 1 - 1 / (2 * h), (2 * h - 1) / N
    inverse = reciprocal_positive(some)
    one = reciprocal(some)
    share = auto(lt(0, weight), (inverse, wide))
    event = ind(h, x * x / (2 * N))
    inside, outside = assume(le(h, x * x / (2 * N))), assume(lt(x * x / (2 * N), h))
    goal = le(event, exp(weight * (x * x / (2 * N)) - weight * h))
    there = exp_monotone(
        auto(le(0, weight * (x * x / (2 * N)) - weight * h), product(share, auto(le(0, x * x / (2 * N) - h), inside)))
    )
    markov = cases(auto(goal, there), auto(goal, not_at_most(outside)), h, x * x / (2 * N))
    whole = auto(eq(1 + steep * N, 2 * h))
    own = same(whole, "v", steep * x * x / v), same(whole, "v", log(v))
    factor = exp(-weight * h + log(2 * h) / 2)
    scale = exp_equal(
        auto(
            eq(
                weight * (x * x / (2 * N)) - weight * h,
                -weight * h + log(2 * h) / 2 + (steep * x * x / (1 + steep * N) - log(1 + steep * N)) / 2,
            ),
            *own,
        )
    )
    most = for_all("x", auto(le(event, lifted(factor, steep, N, x)), markov, scale))
    steep_low = product(auto(lt(0, 2 * h - 1), wide), reciprocal_positive(count))
    values = {"C": factor, "u": steep, "n": N, "g": fn("x", event)}
    rare = instance(many_noises(), values, steep_low, most)
    quarter = auto(
        le(exp(term(HALF) / 2), Fraction(4, 3)), (Fraction(4, 3) * exp(term(HALF) / 2), exp_tangent(-term(HALF) / 2))
    )
    falls = auto(le(exp(-v), Fraction(1, 4)))
    twice = auto(le(exp(-2 * v), Fraction(1, 16)), falls)
    small = exp_monotone(auto(le(-weight * h + log(2 * h) / 2, -L - 2 * v + term(HALF) / 2), one))
    third = auto(le(exp(term(HALF) / 2 - 2 * v), Fraction(1, 12)), (exp(-2 * v), quarter), twice)
    return auto(le(mean("x", sum_of_all(lambda _: X, N), event), exp(-L) / 12), rare, small, (exp(-L), third))


# ------------------------------------------------------------------------------------------------- what is not far off

SCALE = 1 / (1 / na + 1 / nb) / (2 * sigma * sigma)
ALL_NEAR = (
    lt(0, na),
    lt(0, nb),
    lt(0, sigma),
    lt(0, epsilon),
    le(ma, mb),
    le(0, wa),
    le(0, wb),
    lt(sa * sa / (2 * na), wa * wa * na / 2),
    lt(sb * sb / (2 * nb), wb * wb * nb / 2),
)
STAR = "sa sb na nb ya yb ma mb wa wb sigma epsilon"


@lemma("s n w", lt(0, n), le(0, w), lt(var("s") * var("s") / (2 * n), w * w * n / 2))
def size_of_sum() -> Theorem:
    """|s| <= n w from s^2/(2 n) < w^2 n/2."""
    s = var("s")
    square_ = auto(le(s * s, n * w * (n * w)))
    right = auto(eq(size(s), s), (2 * s, at_most(assume(le(0, s)))))
    left = auto(eq(size(s), -s), (2 * s, not_at_most(assume(lt(s, 0)))))

    def of(sign: int, at: Theorem) -> Theorem:
        goal = le(size(s), n * w)
        above = assume(lt(n * w, sign * s))
        false = contradiction(
            product(auto(lt(0, sign * s - n * w), above), auto(lt(0, sign * s + n * w), above)), square_
        )
        smaller = by_contradiction(le(sign * s, n * w), false)
        return auto(goal, at, smaller)

    return cases(of(1, right), of(-1, left), term(0), s)


@lemma("s y p q", le(size(var("s")), p), le(size(y), q))
def product_of_sizes() -> Theorem:
    """s y <= p q for |s| <= p and |y| <= q."""
    s = var("s")
    shown_ = []
    for of, most in ((s, p), (y, q)):
        right = auto(eq(size(of), of), (2 * of, at_most(assume(le(0, of)))))
        left = auto(eq(size(of), -of), (2 * of, not_at_most(assume(lt(of, 0)))))
        for goal in (le(-most, of), le(of, most)):
            shown_.append(cases(auto(goal, right, assume(le(0, of))), auto(goal, left, assume(lt(of, 0))), term(0), of))
    one = product(auto(le(0, p - s), shown_[1]), auto(le(0, q + y), shown_[2]))
    other = product(auto(le(0, p + s), shown_[0]), auto(le(0, q - y), shown_[3]))
    return auto(le(s * y, p * q), (HALF, one), (HALF, other))


QUIET = lt(size(ya), ta), lt(size(yb), tb), lt(sa * sa / (2 * na) + sb * sb / (2 * nb), u)


def spread_positive() -> tuple[Theorem, Theorem]:
    """1/na + 1/nb > 0, and what the costs are divided by."""
    spread = product_sum()
    return spread, product(reciprocal_positive(spread), reciprocal_positive(auto(lt(0, 2 * sigma * sigma))))


def product_sum() -> Theorem:
    return auto(lt(0, 1 / na + 1 / nb))


@lemma(
    "n s y t w sigma",
    lt(0, n),
    lt(0, sigma),
    le(0, w),
    lt(var("s") * var("s") / (2 * n), w * w * n / 2),
    lt(size(y), var("t")),
)
def square_is_split() -> Theorem:
    """n (sigma s/n + y)^2/(2 sigma^2) <= s^2/(2 n) + n w t/sigma + n t^2/(2 sigma^2)."""
    s, t = var("s"), var("t")
    e, some, ps = sigma * s / n + y, assume(lt(0, n)), assume(lt(0, sigma))
    of_sum = instance(size_of_sum())
    cross = instance(product_of_sizes(), {"p": n * w, "q": t}, of_sum)
    small = instance(smaller_square())
    down, one = weak(reciprocal_positive(product(ps, ps))), weak(reciprocal_positive(ps))
    high = product(product(weak(some), down), auto(le(0, t * t - y * y), small))
    goal = le(n * e * e / (2 * sigma * sigma), s * s / (2 * n) + n * w * t / sigma + n * t * t / (2 * sigma * sigma))
    return auto(goal, (one, cross), (HALF, high))


@lemma("sa sb na nb ya yb ta tb ma mb wa wb sigma u", *(f for f in ALL_NEAR if f != lt(0, epsilon)), *QUIET)
def near_costs_less() -> Theorem:
    """What a short lead against an arm that is no worse costs."""
    ea, eb = sigma * sa / na + ya, sigma * sb / nb + yb
    spread, scale = spread_positive()
    ahead = instance(square_of_part(), {"v": LEAD, "w": ea - eb})
    wide = instance(cauchy(), {"e": ea, "f": eb})
    both = na * ea * ea + nb * eb * eb
    down = reciprocal_positive(auto(lt(0, 2 * sigma * sigma)))
    top = auto(
        le(part(LEAD, 1) * part(LEAD, 1) / (1 / na + 1 / nb), both),
        (reciprocal_positive(spread), ahead),
        (reciprocal_positive(spread), wide),
        (both, reciprocal(spread)),
    )
    cost = auto(le(part(LEAD, 1) * part(LEAD, 1) * SCALE, both / (2 * sigma * sigma)), (down, top))
    halves = []
    for n_, s_, y_, t_, w_ in ((na, sa, ya, ta, wa), (nb, sb, yb, tb, wb)):
        halves.append(instance(square_is_split(), {"n": n_, "s": s_, "y": y_, "t": t_, "w": w_}))
    rest = (na * ta * ta + nb * tb * tb) / (2 * sigma * sigma) + (na * wa * ta + nb * wb * tb) / sigma
    return auto(lt(part(LEAD, 1) * part(LEAD, 1) * SCALE, u + rest), cost, *halves, assume(QUIET[2]))


LOUD = lt(size(ya), V / na), lt(size(yb), V / nb)


@lemma(STAR + " V", *ALL_NEAR, lt(0, V), *LOUD)
def far_costs_less() -> Theorem:
    """What a long lead against an arm that is no worse costs."""
    spread, scale = spread_positive()
    sides, most = [], sigma * (wa + wb) + V / na + V / nb
    for n_, s_, y_, w_, sign in ((na, sa, ya, wa, 1), (nb, sb, yb, wb, -1)):
        of_sum = instance(size_of_sum(), {"s": s_, "n": n_, "w": w_})
        signs = []
        for of in (s_, y_):
            right = auto(le(sign * of, size(of)), (2 * of, at_most(assume(le(0, of)))), assume(le(0, of)))
            left = auto(le(sign * of, size(of)), (2 * of, not_at_most(assume(lt(of, 0)))), assume(lt(of, 0)))
            signs.append(cases(right, left, term(0), of))
        some, ps = assume(lt(0, n_)), assume(lt(0, sigma))
        share = product(ps, reciprocal_positive(some))
        sides.append(
            auto(
                lt(sign * (sigma * s_ / n_ + y_), sigma * w_ + V / n_),
                (weak(share), of_sum),
                (weak(share), signs[0]),
                signs[1],
            )
        )
    lead = auto(lt(LEAD, most), *sides)
    inside = auto(lt(part(LEAD, 1), most), (LEAD, at_most(assume(le(0, LEAD)))), lead)
    outside = auto(lt(part(LEAD, 1), most), (LEAD, not_at_most(assume(lt(LEAD, 0)))))
    ahead = cases(inside, outside, term(0), LEAD)
    bound = sigma * (na * wa + nb * wb) + V
    whole = auto(lt(part(LEAD, 1), bound * (1 / na + 1 / nb)), ahead)
    inverse = reciprocal_positive(spread)
    divided = auto(lt(part(LEAD, 1) / (1 / na + 1 / nb), bound), (inverse, whole))
    down = product(assume(lt(0, epsilon)), reciprocal_positive(auto(lt(0, 2 * sigma * sigma))))
    goal = lt(
        3 * epsilon * part(LEAD, 1) * SCALE,
        3 * epsilon * (na * wa + nb * wb) / (2 * sigma) + 3 * epsilon * V / (2 * sigma * sigma),
    )
    return auto(goal, (down, divided))


# ------------------------------------------------------------------------------------------------------------ the union

SHARE_OF = 2 * delta / 3
HEIGHTS = widths_of_deviations(m, delta, ARMS, zeta, EXPONENT)
HEIGHT, ROOT = app("height_of", k), app("root_of", k)
LEVEL = noise_level(k, SHARE_OF, ARMS, zeta, EXPONENT)
PLAIN_LEVEL = log(3 * ARMS * zeta * LABEL / delta)
IS_OFF = ind(HEIGHT, summed(z, a, k) * summed(z, a, k) / (2 * length(k)))
IS_LOUD = ind(2 * PLAIN_LEVEL / (epsilon * length(k)), size(masked(z, a, k)))


def of_height(place: int) -> Theorem:
    return instance(assume(HEIGHTS[place]), {}, *map(assume, IN_M))


def zeta_is_large() -> Theorem:
    return auto(le(1, zeta), one_term())


def one_is_rare() -> Theorem:
    """The sum of a phase is large by itself with a chance of at most e^-level/12."""
    count, one = of_phase(lengths()), of_phase(are_at_least_one())
    low = level_low()
    noise_of = instance(assume(ARM_NOISE_OF), {}, *on_arm(a))
    values = {"X": fn("", law("noise", a)), "N": length(k), "h": HEIGHT, "L": LEVEL, "v": app("phase_log", k)}
    enough = auto(le(2 * LEVEL + 4 * app("phase_log", k) + HALF + log(2 * HEIGHT), 2 * HEIGHT), of_height(2))
    rare = instance(one_sum(), values, noise_of, low, count, one, of_height(1), enough, of_phase(have_logs()))
    body = ind(HEIGHT, x * x / (2 * length(k)))
    goal = le(mean("z", JOINT, IS_OFF), exp(-LEVEL) / 12)
    same_ = auto(eq(length(k), length(k)))

    def drawn(of: Term, event: Term, other: list[Theorem], far: Theorem) -> Theorem:
        values = {"joined": fn("x y", event), "a": of, "o": k, "p": length(k), "q": length(k)}
        return instance(
            assume(FRESH[2]), values, *other, far, *map(assume, IN_M), *map(assume, IN_M), count, count, same_, same_
        )

    def here(one: Theorem) -> Theorem:
        it_is = antisymmetric(assume(le(a, best)), assume(le(best, a)))
        own = ind(HEIGHT, y * y / (2 * length(k)))
        by_name = same(it_is, "w", mean("z", JOINT, substitute(IS_OFF, {"a": w})))
        noise_name = same(it_is, "w", mean("x", sum_of_all(lambda _: law("noise", w), length(k)), body))

        def rival(of: Any, natural: Theorem, apart: Theorem) -> Theorem:
            far = drawn(term(of), own, [natural, auto(lt(of, ARMS))], apart)
            return auto(goal, rare, far, by_name, noise_name)

        zero = auto(lt(0, (0 - best) * (0 - best)), product(assume(lt(0, best)), assume(lt(0, best))))
        gone = antisymmetric(assume(le(best, 0)), nat_nonnegative(assume(nat(best))))
        other = auto(lt(0, (term(1) - best) * (term(1) - best)), gone)
        first = rival(1, nat_equal(nat_next(nat_zero()), auto(eq(term(0) + 1, 1))), other)
        return cases(first, rival(0, nat_zero(), zero), best, term(0))

    def apart(far: Theorem, _: Theorem) -> Theorem:
        return auto(goal, drawn(a, body, on_arm(a), far), rare)

    return by_place(goal, a, apart, here)


def level_low() -> Theorem:
    third = auto(lt(0, SHARE_OF)), auto(lt(SHARE_OF, 1))
    known = auto(le(1, ARMS)), *third, zeta_is_large(), assume(lt(1, EXPONENT)), *map(assume, (*DOUBLE, *IN_M))
    return instance(level_is_low(), {"K": ARMS, "delta": SHARE_OF}, *known)


SQUARE = 1 / (k + 1) / (k + 1)


@lemma("p q x", lt(0, p), lt(0, q), lt(0, x), le(q * x, p * p))
def larger_product() -> Theorem:
    """1/p^2 <= 1/(q x) for q x <= p^2."""
    known = assume(le(q * x, p * p))
    ends = [reciprocal_positive(assume(lt(0, f))) for f in (p, p, q, x)]
    inverse = product(product(ends[0], ends[1]), product(ends[2], ends[3]))
    return auto(le(1 / p / p, 1 / q / x), (inverse, known))


@lemma("n", nat(n))
def squares_add_up() -> Theorem:
    """The sum of 1/(k + 1)^2 is at most 2."""
    body = 1 / (k + 1) / (k + 1)
    total = lambda n: sum_of(lambda k: 1 / (k + 1) / (k + 1), n, "k")  # noqa: E731
    some, before, after = (auto(lt(0, f)) for f in (n + 1, n + HALF, n + 1 + HALF))
    claim = le(total(n), 2 - 1 / (n + HALF))
    base = auto(le(total(0), 2 - 1 / (term(0) + HALF)))
    fall = auto(
        eq(1 / (n + HALF) - 1 / (n + 1 + HALF), 1 / (n + HALF) / (n + 1 + HALF)), (1 / (n + HALF), reciprocal(after))
    )
    values = {"p": n + 1, "q": n + HALF, "x": n + 1 + HALF}
    smaller = instance(larger_product(), values)
    grown = auto(
        le(total(n + 1), 2 - 1 / (n + 1 + HALF)), uniform_next(assume(nat(n)), "k", body), assume(claim), smaller, fall
    )
    whole = induction("n", base, grown, claim)
    return auto(le(total(n), 2), instance(whole, {}))


def loud_is_rare() -> Theorem:
    """A noise is larger than the label says, without its power, with a chance of at most delta/(18 K (k + 1)^2)."""
    low = nat_nonnegative(assume(nat(k)))
    long = of_phase(are_labelled())
    some, large = auto(lt(0, ARMS)), zeta_is_large()
    number = delta / 3 / ARMS / (zeta * LABEL)
    value = inverse_of(PLAIN_LEVEL, number)
    whole = product(auto(le(0, zeta - 1), large), auto(le(0, LABEL)))
    wide = auto(le(k + 1, zeta * LABEL), whole, long)
    step, under = auto(lt(0, k + 1), low), auto(lt(0, zeta * LABEL))
    inverse = product(reciprocal_positive(step), reciprocal_positive(under))
    share = auto(le(1 / (zeta * LABEL), 1 / (k + 1)), (inverse, wide), (1 / (zeta * LABEL), reciprocal(step)))
    scale = product(assume(lt(0, delta)), reciprocal_positive(some))
    most = delta / 3 / ARMS / (k + 1)
    fewer = auto(le(exp(-PLAIN_LEVEL), most), value, (weak(scale), share))
    inside = 3 * ARMS * zeta * LABEL / delta
    down = reciprocal_positive(assume(lt(0, delta)))
    at_least = auto(le(delta, 3 * ARMS * zeta * LABEL), (3 * ARMS, wide), low)
    big = auto(le(1, inside), (down, at_least))
    level = ordered_logs(auto(le(exp(term(0)), exp(PLAIN_LEVEL)), big, exp_log(auto(lt(0, inside)))))
    tail = instance(
        noise_above(), {"c": epsilon * length(k), "v": 2 * PLAIN_LEVEL}, auto(le(0, 2 * PLAIN_LEVEL), level)
    )
    square_ = auto(
        le(exp(-2 * PLAIN_LEVEL), most * most),
        (exp(-PLAIN_LEVEL), fewer),
        (weak(product(scale, reciprocal_positive(step))), fewer),
    )
    half = auto(le(1 / ARMS, HALF))
    small = auto(le(delta * delta, delta))
    places = product(reciprocal_positive(step), reciprocal_positive(step))
    by_arms = weak(product(places, reciprocal_positive(some)))
    last = auto(
        le(most * most, delta / 18 / ARMS / (k + 1) / (k + 1)),
        (weak(product(product(places, auto(lt(0, delta * delta))), reciprocal_positive(some))), half),
        (by_arms, small),
    )
    drawn = instance(
        assume(FRESH[3]),
        {"g": fn("y", ind(2 * PLAIN_LEVEL / (epsilon * length(k)), size(y)))},
        *on_arm(a),
        *map(assume, IN_M),
    )
    return auto(le(mean("z", JOINT, IS_LOUD), delta / 18 / ARMS / (k + 1) / (k + 1)), drawn, tail, square_, last)


STAR_STOPS = stops_by(
    lambda k, o: near_threshold(k, o, delta, epsilon, sigma, rivals, zeta, EXPONENT),
    lambda a: app("centre", a),
    sigma,
    m,
    ARMS,
    lambda k, o: far_threshold(k, o, delta, epsilon, sigma, ARMS, zeta),
    epsilon,
)


def at_share(known: Theorem) -> Theorem:
    """What is known for every delta, at 2 delta/3."""
    return instance(for_all("delta", known, lt(0, delta), lt(delta, 1)), {"delta": SHARE_OF})


def star_union() -> tuple[Term, Theorem]:
    """What counts all that may be off, and that its mean is at most delta."""
    total, most = union()
    sums = [("k", m), ("a", ARMS)]
    off, bound = exp(-LEVEL) / 12, delta / 18 / ARMS / (k + 1) / (k + 1)
    rare = auto(le(0, off - mean("z", JOINT, IS_OFF)), one_is_rare())
    offs, off_cost, all_off = summed_up(IS_OFF, off, rare, term(1), sums)
    rare = auto(le(0, bound - mean("z", JOINT, IS_LOUD)), loud_is_rare())
    louds, loud_cost, all_loud = summed_up(IS_LOUD, bound, rare, term(1), sums)
    levels = ARMS * mean("a", uniform(ARMS), m * mean("k", uniform(m), exp(-LEVEL_OF)))
    of_off = auto(le(off_cost, SHARE_OF / 24), at_share(noises_cost(levels)))
    squares = instance(squares_add_up(), {"n": m})
    of_loud = auto(le(loud_cost, delta / 9), (delta / 18, squares))
    whole = substitute(total, {"delta": SHARE_OF}) + offs + louds
    return whole, auto(le(mean("z", JOINT, whole), delta), at_share(most), all_off, all_loud, of_off, of_loud)


@lemma("x y")
def is_largest() -> Theorem:
    """x <= x + (y - x) 1[x <= y]."""
    goal = le(x, x + (y - x) * ind(x, y))
    above = auto(goal, assume(le(x, y)))
    return cases(above, auto(goal, (y - x, not_at_most(assume(lt(y, x))))), x, y)


@lemma("x y")
def is_larger() -> Theorem:
    """y <= x + (y - x) 1[x <= y]."""
    goal = le(y, x + (y - x) * ind(x, y))
    above = auto(goal, (y - x, at_most(assume(le(x, y)))))
    return cases(above, auto(goal, (y - x, not_at_most(assume(lt(y, x)))), assume(lt(y, x))), x, y)


@lemma("y")
def size_is_low() -> Theorem:
    """0 <= |y|."""
    right = auto(le(0, size(y)), (2 * y, at_most(assume(le(0, y)))), assume(le(0, y)))
    return cases(right, auto(le(0, size(y)), (2 * y, not_at_most(assume(lt(y, 0)))), assume(lt(y, 0))), term(0), y)


@proof
def star_seldom_wrong(statement: All) -> Theorem:
    """What is named wrongly is counted: besides what it is for AdaP-TT a sum that is large, or a louder noise."""
    total, most = star_union()
    pairs, noises = (at_share(f) for f in (far_is_counted(), is_counted(IS_NOISY)))
    offs, louds = is_counted(IS_OFF), is_counted(IS_LOUD)
    stop, goal = Stop(STAR_STOPS), le(EVENT, total)
    far, noisy, off, loud = (f.conclusion.args[1] for f in (pairs, noises, offs, louds))  # type: ignore[union-attr]
    first = far_is_counted().conclusion.args[1]  # type: ignore[union-attr]
    low = at_share(auto(le(0, first), sum_of_positive())), *(auto(le(0, f)) for f in (noisy, off, loud))
    here = lambda t: substitute(t, AT)  # noqa: E731
    plain, far_off = (substitute(f, {"delta": SHARE_OF}) for f in (PLAIN, FAR))
    at_phases = (K_NAMED, K_BEST)
    ta, tb = (substitute(WIDE, {"delta": SHARE_OF, "k": phase}) for phase in at_phases)
    wa_, wb_ = (app("root_of", phase) for phase in at_phases)
    ha, hb = (app("height_of", phase) for phase in at_phases)
    ma_, mb_ = (substitute(PLAIN_LEVEL, {"k": phase}) for phase in at_phases)
    values = stop.values | {"ta": ta, "tb": tb, "wa": wa_, "wb": wb_, "u": here(plain)}
    ya_, yb_ = values["ya"], values["yb"]
    roots = []
    for phase, (_, _, _, where), height, part_ in zip(at_phases, stop.sides, (ha, hb), ("a", "b"), strict=True):
        square_ = instance(assume(HEIGHTS[4]), {"k": phase}, *where)
        s_, n_, w_ = values[f"s{part_}"], values[f"n{part_}"], values[f"w{part_}"]
        small = assume(lt(s_ * s_ / (2 * n_), height))
        roots += [
            instance(assume(HEIGHTS[3]), {"k": phase}, *where),
            auto(lt(s_ * s_ / (2 * n_), w_ * w_ * n_ / 2), small, square_),
        ]
    sure = *stop.lengths, assume(lt(0, sigma)), stop.no_worse, roots[0], roots[2], roots[1], roots[3]
    quiet = [assume(f) for f in (lt(size(ya_), ta), lt(size(yb_), tb), lt(here(far_off), here(plain)))]
    near = instance(near_costs_less(), values, *sure, *quiet)
    most_of = ma_ + (mb_ - ma_) * ind(ma_, mb_)
    V_ = 2 * most_of / epsilon
    ends = [instance(f(), {"x": ma_, "y": mb_}) for f in (is_largest, is_larger)]
    down = reciprocal_positive(assume(lt(0, epsilon)))
    hushed = []
    for y_, mine, n_, end, positive in zip(
        (ya_, yb_), (ma_, mb_), (values["na"], values["nb"]), ends, stop.lengths, strict=True
    ):
        hushed.append(
            auto(
                lt(size(y_), V_ / n_),
                assume(lt(size(y_), 2 * mine / (epsilon * n_))),
                (product(down, reciprocal_positive(positive)), end),
            )
        )
    above = auto(lt(0, V_ / values["na"]), hushed[0], instance(size_is_low(), {"y": ya_}))
    positive_V = auto(lt(0, V_), (stop.lengths[0], above))
    far_cost = instance(
        far_costs_less(),
        values | {"V": V_},
        stop.lengths[0],
        stop.lengths[1],
        assume(lt(0, sigma)),
        assume(lt(0, epsilon)),
        *sure[3:],
        positive_V,
        *hushed,
    )

    def widths(of: Term) -> list[tuple[Term, Theorem]]:
        phases = zip(at_phases, stop.lengths, strict=True)
        return [(substitute(of, {"k": phase}), reciprocal(p)) for phase, p in phases]

    def apart(wrong: Theorem, zero: Theorem) -> Theorem:
        lead = replace(STAR_STOPS[6].given[-1], {"a": NAMED, "b": best}).args[1]  # type: ignore[union-attr]
        close, long = assume(lt(lead, 3 * epsilon)), assume(le(3 * epsilon, lead))
        level, root = LEVEL, ROOT
        first = (
            widths(level * level / (2 * sigma * sigma) / epsilon / epsilon / length(k)),
            widths(level * root / epsilon / sigma),
        )
        by_near = contradiction(near, stop.cost(5, wrong, close), *first[0], *first[1])
        by_far = contradiction(
            far_cost, stop.cost(6, wrong, long), (most_of / (sigma * sigma), reciprocal(assume(lt(0, epsilon))))
        )
        rest = cases(absurd(by_far, goal), absurd(by_near, goal), 3 * epsilon, lead)

        def counted(event: Theorem, *more: Any) -> Callable[[Theorem], Theorem]:
            return lambda one: auto(goal, (STOPPED, zero), stop.stopped, one, event, *more, *low)

        events = []
        for known, levels, sizes in (
            (stop.of_both(noises), (ta, tb), (size(ya_), size(yb_))),
            (
                stop.of_both(louds),
                [2 * f / (epsilon * n_) for f, n_ in ((ma_, values["na"]), (mb_, values["nb"]))],
                (size(ya_), size(yb_)),
            ),
            (stop.of_both(offs), (ha, hb), [values[f"s{c}"] * values[f"s{c}"] / (2 * values[f"n{c}"]) for c in "ab"]),
        ):
            events += [(le(t, of), counted(event)) for event, t, of in zip(known, levels, sizes, strict=True)]
        events.append(
            (
                le(here(plain), here(far_off)),
                counted(stop.pair(pairs), (here(substitute(IS_FAR, {"delta": SHARE_OF})), zero)),
            )
        )
        return unless(events, rest)

    each = stop.seldom(goal, auto(le(0, total), *low), apart)
    proved = auto(conclusion(statement), mono(each, "z", JOINT), most)
    return instance(for_all("", proved, lt(0, rivals)), {})
