"""Proofs in the kernel of the tails of a sum of coins and Laplace noise, with the private divergence.

The moment e^(t X) of Laplace noise is the limit of what shifts by small steps say. That of a coin at (1 - theta) s is
at most that at s to the power 1 - theta; s is the best rate of the divergence, which is at most epsilon, so that the
noise costs at most 1/theta a variable.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.asymptotics import terms_are_few
from banditproof.verify.kernel.divergences import at_most_private_divergence
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.variables import coin, noisy_sum
from banditproof.verify.theorems.chernoff import mean_of_coin
from banditproof.verify.theorems.moments import all_of_them, both, grows, tail
from banditproof.verify.theorems.noisy_losses import NOISE, POSITIVE, H, H_at, lam, mirrored, noise, shifted
from banditproof.verify.theorems.tails import farther, half

A, B, ell, k, t, u, w = map(var, ("A1", "B", "l", "k", "t", "u", "w"))


# ------------------------------------------------------------------------------------------------- the moment of noise


@lemma("A1")
def at_most_one_in_the_limit() -> Theorem:
    """A <= 1 from A <= e^u for all u > 0: else at half of log A."""
    above = assume(lt(1, A))
    (each,) = suppose(All(("u",), (lt(0, u),), le(A, exp(u))))
    level = Term("log", (A,))
    value = exp_log(auto(lt(0, A), above))
    flat = assume(le(level, 0))
    none = contradiction(above, value, exp_monotone(flat))
    steep = assume(lt(0, level))
    at_half = instance(each, {"u": level / 2}, auto(lt(0, level / 2), steep))
    grown = (weak(exp_positive(level / 2)), exp_tangent(level / 2))
    gap = product(exp_positive(level / 2), steep)
    either = cases(none, contradiction(gap, at_half, grown, value), level, term(0))
    return by_contradiction(le(A, 1), either)


@lemma("A1 B u")
def fades() -> Theorem:
    """A <= 0 from A <= B e^(-k u) for all natural k, where B >= 0 and u > 0: else at some k of at least B/(u A)."""
    each = assume(All(("k",), (nat(k),), le(A, B * exp(-k * u))))
    low, step, above = assume(le(0, B)), assume(lt(0, u)), assume(lt(0, A))
    room = product(step, above)
    enough = assume(le(B / (u * A), k))
    at_k = instance(each, {}, assume(nat(k)))
    # A e^(k u) <= B <= k u A, but e^(k u) >= 1 + k u
    false = contradiction(above, at_k, (room, enough), reciprocal(room), (above, exp_tangent(k * u)))
    reached = some_natural(false, "k", B / (u * A))
    given = each.conclusion, low.conclusion, step.conclusion
    suppose(*given)
    return by_contradiction(le(A, 0), reached)


@lemma("lam t", POSITIVE.conclusion)
def one_side() -> Theorem:
    """2 (1 - t lam) E h <= 1 for 0 <= h(w) <= e^(t w) that is 0 below 0, where -1 <= t lam < 1.

    By induction over k: E h <= e^(3 u)/(2 (1 - t lam)) + B e^(-k u) for h <= B, of steps of u lam.
    """
    Q = 1 - t * lam
    step = assume(lt(0, u))
    room, least = suppose(lt(0, Q), le(-1, t * lam))
    c, S = u * lam, exp(3 * u) / (2 * Q)
    over = weak(reciprocal_positive(POSITIVE))
    of_h = (All(("w",), (), le(0, H)), All(("w",), (), le(H, exp(t * w))), All(("w",), (lt(w, 0),), le(H, 0)))
    given = (*of_h, All(("w",), (), le(H, B)))

    def says(count: Any) -> Any:
        return le(noise(H), S + B * exp(-term(count) * u))

    claim = All(("h", "B"), given, says(k))
    low, high = (instance(assume(f), {}) for f in of_h[:2])
    bounded = instance(assume(given[3]), {})
    base = auto(says(0), mono(bounded, "w", NOISE))

    # below c
    is_step = product(step, POSITIVE)
    near, far, outside = assume(lt(w, c)), assume(le(c, w)), assume(lt(w, 0))
    inside = assume(le(0, w))
    slow = auto(le(t * w, w / lam), (product(inside, over), weak(room)))
    short = auto(le(w / lam, u), near)
    small = auto(le(H, exp(u)), high, exp_monotone(auto(le(t * w, u), slow, short)))
    goal = le(H * (1 - ind(c, w)), exp(u) * (ind(0, w) - ind(c, w)))
    off = not_at_most(near)
    here = auto(goal, small, off, at_most(inside))
    before = not_at_most(auto(lt(w, c), outside, is_step))
    there = auto(goal, instance(assume(of_h[2]), {}, outside), before)
    on, up = at_most(far), at_most(auto(le(0, w), far, is_step))
    gone = auto(goal, on, up)
    first = mono(cases(gone, cases(here, there, term(0), w), c, w), "w", NOISE)
    farther_at = instance(farther(), {"z": 0, "w": c, "b": lam}, auto(le(0, c), is_step))
    half_at = instance(half(), {"b": lam})
    shrunk = auto(
        le(exp(-u) / 2, beyond_at(c)), (exp(-u), auto(le(beyond_at(0), exp(u) * beyond_at(c)), farther_at)), half_at
    )
    chance = auto(le(beyond_at(0) - beyond_at(c), u / 2), half_at, shrunk, exp_tangent(-u))
    of_near = auto(le(noise(H * (1 - ind(c, w))), exp(u) * u / 2), first, chance)

    # from c on
    F = H * ind(c, w)
    positive = product(low, indicator(c, w, 3))
    starts = auto(le(F, 0), not_at_most(near))
    moved_on = instance(shifted(), {"h": fn("w", F), "c": c}, positive, starts, auto(le(0, c), is_step))
    later = exp(-t * c) * H_at(w + c) * ind(0, w)
    at_later = [instance(assume(f), {"w": w + c}) for f in (of_h[0], of_h[1], given[3])]
    event = [indicator(term(0), w, which) for which in (3, 4)]
    scaled = weak(exp_positive(-t * c))
    less = auto(le(0, 1 - ind(0, w)))
    ends = (
        for_all("w", product(product(scaled, at_later[0]), event[0])),
        for_all("w", auto(le(later, exp(t * w)), (product(scaled, less), at_later[0]), at_later[1])),
        for_all("w", auto(le(later, 0), (exp(-t * c) * H_at(w + c), not_at_most(outside))), outside.conclusion),
        for_all(
            "w", auto(le(later, B * exp(-t * c)), (product(scaled, less), at_later[0]), (exp(-t * c), at_later[2]))
        ),
    )
    at_k = instance(assume(claim), {"h": fn("w", later), "B": B * exp(-t * c)}, *ends)
    of_far = auto(le(noise(F), exp(t * c - u) * (S + B * exp(-t * c) * exp(-k * u))), moved_on, (exp(t * c - u), at_k))
    # e^u u/2 + e^(t c - u) S <= S
    longer = exp_monotone(auto(le(u, 2 * u + t * c), (step, least)))
    shares = weak(exp_positive(2 * u + t * c)), exp_tangent(Q * u)
    enough = auto(le(Q * u * exp(u), exp(3 * u) - exp(2 * u + t * c)), shares, (product(room, step), longer))
    closes = auto(le(exp(u) * u / 2 + exp(t * c - u) * S, S), enough)
    every = induction("k", base, auto(says(k + 1), of_near, of_far, closes), claim)
    at_each = instance(instance(every, {}, assume(nat(k))), {}, *map(assume, given))
    X = noise(H) - S
    rests = auto(le(X, B * exp(-k * u)), at_each)
    gone = instance(fades(), {"A1": X}, rests, auto(le(0, B), low, bounded), step)
    without = some_bound(auto(le(noise(H), S), gone), "B", ["w"], H)
    wanted = 2 * Q * noise(H)
    at_u = for_all("u", auto(le(wanted, exp(3 * u)), (2 * Q, without)), lt(0, u))
    third = auto(le(wanted, exp(u)), instance(at_u, {"u": u / 3}, auto(lt(0, u / 3), step)))
    return for_all("h", instance(at_most_one_in_the_limit(), {"A1": wanted}, third), *of_h)


def beyond_at(z: Any) -> Term:
    """P(X >= z) for X of Lap(lam)."""
    return noise(Term("ind", (term(z), w)))


@lemma("lam t l")
def of_laplace() -> Theorem:
    """E e^(t X) <= e^l for X of Lap(lam), where |t lam| < 1 and e^-l <= (1 - t lam) (1 + t lam)."""
    P, Q = 1 - t * lam, 1 + t * lam
    sides, small = (assume(lt(0, P)), assume(lt(0, Q))), assume(le(exp(-ell), P * Q))
    names, given, goal = parts_of(grows(NOISE, t, ell))
    low, high = map(assume, given)
    at_w, at_turned = ([instance(f, {"x": s * w}) for f in (low, high)] for s in (1, -1))
    g, turned, outside = app("g", w), app("g", -w), assume(lt(w, 0))

    def below_its_moment(
        body: Term, ends: list[Theorem], kept: Term, is_kept: list[Theorem], s: int
    ) -> tuple[Theorem, ...]:
        """0 <= g kept <= e^(s t w) for an indicator."""
        less = auto(le(0, 1 - kept))
        return (
            for_all("w", product(ends[0], is_kept[0])),
            for_all("w", auto(le(body * kept, exp(s * t * w)), (less, ends[0]), ends[1])),
        )

    right, left = ind(0, w), 1 - ind(0, -w)
    of_right = [indicator(term(0), w, which) for which in (3, 4)]
    of_left = [auto(le(0, left)), auto(le(left, 1))]
    none = for_all("w", auto(le(g * right, 0), not_at_most(outside)), outside.conclusion)
    first = instance(
        instance(one_side(), {}, POSITIVE, sides[0], auto(le(-1, t * lam), sides[1])),
        {"h": fn("w", g * right)},
        *below_its_moment(g, at_w, right, of_right, 1),
        none,
    )
    is_on = at_most(auto(le(0, -w), outside))
    none = for_all("w", auto(le(turned * left, 0), is_on), outside.conclusion)
    second = instance(
        instance(
            one_side(), {"t": -t}, POSITIVE, auto(lt(0, 1 - (-t) * lam), sides[1]), auto(le(-1, -t * lam), sides[0])
        ),
        {"h": fn("w", turned * left)},
        *below_its_moment(turned, at_turned, left, of_left, -1),
        none,
    )
    rest = g * (1 - right)
    over = instance(mirrored(), {"h": fn("w", rest)}, product(at_w[0], auto(le(0, 1 - right))))
    both = product(*sides)
    whole = mono(at_w[0], "w", NOISE)
    proved = auto(le(exp(-ell) * noise(g), 1), (sides[1], first), (sides[0], second), (both, over), (whole, small))
    done = auto(goal, proved)
    conditions = POSITIVE.conclusion, *(p.conclusion for p in sides), small.conclusion
    suppose(*conditions)
    return for_all(names, done, *given)


# --------------------------------------------------------------------------------------------- the private divergence

X, Y, P, n, m, s, r, theta, epsilon, z, x, i = map(
    var, ("X1", "Y1", "P1", "n", "m", "s", "r", "theta", "epsilon", "z", "x", "i")
)
heads, tails = var("heads"), var("tails")
DECAYS = All(
    ("z", "heads", "tails"),
    (le(Y, z), le(z, X), eq(Y * exp(heads), z), eq((1 - Y) * exp(tails), 1 - z)),
    le(r, epsilon * (X - z) + z * heads + (1 - z) * tails),
)


def whole_moment(s: Any) -> Term:
    """E e^(s x) of a coin with the chance Y."""
    return 1 + Y * (exp(s) - 1)


@lemma("X1 Y1 epsilon r P1 B")
def best_rate() -> Theorem:
    """Some s of [0, epsilon] has r <= s X - log(1 + Y (e^s - 1)): epsilon, or the difference of the logits if less."""
    chances, rest = assume(lt(0, Y)), assume(lt(Y, 1))
    above, positive, decays = assume(le(Y, X)), assume(lt(0, epsilon)), assume(DECAYS)
    goal = le(P, B)
    every_rate = assume(
        All(("s", "l"), (le(0, s), le(s, epsilon), eq(exp(ell), whole_moment(s)), le(r, s * X - ell)), goal)
    )
    grown = auto(le(0, exp(epsilon) - 1), exp_tangent(epsilon), weak(positive))
    W = whole_moment(epsilon)
    of_W = auto(lt(0, W), product(weak(chances), grown))
    G, inverse = Term("log", (W,)), reciprocal(of_W)
    value, over = exp_log(of_W), reciprocal_positive(of_W)
    back = auto(eq(exp(-G), 1 / W), (exp(-G), inverse), value)
    farthest = Y * exp(epsilon) / W
    unreached = auto(lt(0, 1 - Y), rest)

    # epsilon
    reached = assume(le(farthest, X))
    spare = product(weak(unreached), grown)
    from_Y = auto(le(Y, farthest), (product(weak(over), weak(chances)), spare), inverse)
    here = auto(eq(Y * exp(epsilon - G), farthest), back)
    there = auto(eq((1 - Y) * exp(-G), 1 - farthest), back, inverse)
    at_most_it = instance(decays, {"z": farthest, "heads": epsilon - G, "tails": -G}, from_Y, reached, here, there)
    sure = auto(le(r, epsilon * X - G), at_most_it)
    full = instance(every_rate, {"s": epsilon, "l": G}, positive, value, sure)

    # less
    short = assume(lt(X, farthest))
    shorter = auto(lt(X * W, Y * exp(epsilon)), (of_W, short), inverse)
    some = auto(lt(0, 1 - X), short, auto(lt(0, 1 - farthest), (unreached, over), inverse))
    is_reached = auto(lt(0, X), above, chances)
    up, down = Term("log", (X / Y,)), Term("log", ((1 - X) / (1 - Y),))
    of_up = exp_log(product(is_reached, reciprocal_positive(chances)))
    of_down = exp_log(product(some, reciprocal_positive(unreached)))
    of_heads = auto(eq(Y * exp(up), X), of_up, reciprocal(chances))
    of_tails = auto(eq((1 - Y) * exp(down), 1 - X), of_down, reciprocal(unreached))
    more = auto(
        le(0, up),
        exp_tangent(-up),
        (exp(-up) / X, of_heads),
        (reciprocal_positive(is_reached), above),
        reciprocal(is_reached),
    )
    fewer = auto(
        le(down, 0), exp_tangent(down), of_down, (reciprocal_positive(unreached), above), reciprocal(unreached)
    )
    level = auto(eq(exp(-down), whole_moment(up - down)), (exp(-down), of_heads), of_tails)
    at_X = instance(decays, {"z": X, "heads": up, "tails": down}, above, of_heads, of_tails)
    odds = auto(le(Y * (1 - Y) * exp(up), Y * (1 - Y) * exp(epsilon + down)), weak(shorter), of_heads, of_tails)
    both = product(chances, unreached)
    per = weak(reciprocal_positive(both))
    unit = reciprocal(both)
    steeper = auto(le(exp(up), exp(epsilon + down)), (per, odds), (exp(up), unit), (exp(epsilon + down), unit))
    slow = auto(le(up - down, epsilon), exp_tangent(up - down - epsilon), (exp(-epsilon - down), steeper))
    part = instance(
        every_rate,
        {"s": up - down, "l": -down},
        auto(le(0, up - down), more, fewer),
        slow,
        level,
        auto(le(r, (up - down) * X + down), at_X),
    )
    conditions = (p.conclusion for p in (chances, rest, above, positive, decays, every_rate))
    suppose(*conditions)
    return cases(full, part, farthest, X)


@lemma("X1 Y1 epsilon r P1 n m k s l theta")
def with_less() -> Theorem:
    """P <= e^(m k - (1 - theta) n r), where (1 - theta) s in place of s costs k a noise and a share theta of r."""
    chances, rest, some = assume(lt(0, Y)), assume(lt(Y, 1)), assume(lt(0, n))
    share, small = assume(lt(0, theta)), assume(le(theta, 1))
    low, high = assume(le(0, s)), assume(le(s, epsilon))
    value, decays = assume(eq(exp(ell), whole_moment(s))), assume(le(r, s * X - ell))
    q, p, one = var("q"), var("p"), 1 - theta
    given = le(0, q), le(q, one * epsilon), eq(exp(p), whole_moment(q))
    moments = assume(All(("q", "p"), given, le(P, exp(n * p + m * k - q * n * X))))
    less = auto(le(0, one), small)
    at = one * s
    grown = product(weak(chances), auto(le(0, exp(at) - 1), exp_tangent(at), product(less, low)))
    log, is_log = Term("log", (whole_moment(at),)), exp_log(auto(lt(0, whole_moment(at)), grown))

    def convex(v: Any) -> Theorem:
        """e^((1 - theta) v) <= theta + (1 - theta) e^v, by its tangent."""
        slope = exp(one * v)
        ends = exp_tangent(-one * v), exp_tangent(theta * v)
        positive = weak(exp_positive(one * v))
        return auto(
            le(slope, theta + one * exp(v)),
            (product(weak(share), positive), ends[0]),
            (product(less, positive), ends[1]),
        )

    unreached = auto(le(0, 1 - Y), rest)
    mixed = auto(
        le(exp(-one * ell) * whole_moment(at), 1),
        (chances, convex(s - ell)),
        (unreached, convex(-ell)),
        (one * exp(-ell), value),
    )
    flat = auto(le(log - one * ell, 0), exp_tangent(log - one * ell), (exp(-one * ell), is_log), mixed)
    proved = instance(
        moments, {"q": at, "p": log}, product(less, low), auto(le(at, one * epsilon), (less, high)), is_log
    )
    count = weak(some)
    exponent = auto(
        le(n * log + m * k - at * n * X, m * k - one * n * r), (count, flat), (product(count, less), decays)
    )
    done = auto(le(P, exp(m * k - one * n * r)), proved, exp_monotone(exponent))
    conditions = (p.conclusion for p in (chances, rest, some, share, small, low, high, value, decays, moments))
    suppose(*conditions)
    return done


# ----------------------------------------------------------------------------------------------------------- the tails

mu, x0 = var("expected"), var("level")


def side(t: Any, sign: int) -> Any:
    return t if sign == 1 else 1 - t


@lemma("expected t l")
def of_coin() -> Theorem:
    """E e^(t X) <= e^l for a coin with e^l = 1 + mu (e^t - 1)."""
    low, high, value = suppose(le(0, mu), le(mu, 1), eq(exp(ell), 1 + mu * (exp(t) - 1)))
    names, given, goal = parts_of(grows(coin(mu), t, ell))
    heights = [instance(assume(given[1]), {"x": term(k)}) for k in (1, 0)]
    split = mean_of_coin(mu, app("g", w), low, high)
    return for_all(names, auto(goal, split, (mu, heights[0]), (1 - mu, heights[1])), *given)


@lemma("expected epsilon level r", at_most_private_divergence(r, x0, mu, epsilon))
def decays_of_sides(sign: int) -> Theorem:
    """What is at most the private divergence, where chance and mean are those of one side of the coins."""
    y, reached = side(mu, sign), side(x0, sign)
    decays = assume(at_most_private_divergence(r, x0, mu, epsilon))
    lower, upper = assume(le(y, z)), assume(le(z, reached))
    logs = assume(eq(y * exp(heads), z)), assume(eq((1 - y) * exp(tails), 1 - z))
    between = product(auto(le(0, z - y), lower), auto(le(0, reached - z), upper))
    names = (heads, tails)[::sign]
    at_z: dict[str, Any] = dict(zip(("z", "heads", "tails"), (side(z, sign), *names), strict=True))
    there = side(z, sign)
    is_between = auto(le((there - x0) * (there - mu), 0), between)
    of_logs = [
        auto(f, e)
        for f, e in zip(
            (eq(mu * exp(names[0]), there), eq((1 - mu) * exp(names[1]), 1 - there)), logs[::sign], strict=True
        )
    ]
    at_most_it = instance(decays, at_z, is_between, *of_logs)
    distance = x0 - there
    if sign == 1:
        is_size = auto(eq(size(distance), reached - z), (2 * distance, at_most(auto(le(0, distance), upper))))
    else:
        gone = assume(lt(distance, 0))
        off = auto(eq(size(distance), reached - z), (2 * distance, not_at_most(gone)))
        flat_there = antisymmetric(auto(le(distance, 0), upper), assume(le(0, distance)))
        zero = auto(eq(size(distance), reached - z), (2 * ind(0, distance), flat_there))
        is_size = cases(zero, off, term(0), distance)
    slow = auto(le(r, epsilon * (reached - z) + z * heads + (1 - z) * tails), at_most_it, (epsilon, is_size))
    return for_all("z heads tails", slow, *(f.conclusion for f in (lower, upper, *logs)))


@lemma("n m expected epsilon theta k level r")
def noisy_tail(sign: int) -> Theorem:
    """P(S >= n x) <= e^(m k - (1 - theta) n r) for x >= mu, e^-k = theta and r of at most the private divergence.

    For the sign -1 that is P(S <= n x) for x <= mu, with the other sides of the coins.
    """
    natural, natural_m, some = assume(nat(n)), assume(nat(m)), assume(le(1, n))
    chances, rest, positive = assume(lt(0, mu)), assume(lt(mu, 1)), assume(lt(0, epsilon))
    share, small, cost = assume(lt(0, theta)), assume(le(theta, 1)), assume(eq(exp(-k), theta))
    beyond = assume(le(mu, x0) if sign == 1 else le(x0, mu))
    decays = assume(at_most_private_divergence(r, x0, mu, epsilon))
    S, scale, count = noisy_sum(mu, n, 1 / epsilon, m), 1 / epsilon, auto(lt(0, n), some)
    happens = ind(n * x0, x) if sign == 1 else ind(x, n * x0)
    chance = mean("x", S, happens)
    y, reached = side(mu, sign), side(x0, sign)
    bounds = [auto(lt(0, y), chances if sign == 1 else rest), auto(lt(y, 1), rest if sign == 1 else chances)]
    above = auto(le(y, reached), beyond)

    # the moments
    q, p, one = var("q"), var("p"), 1 - theta
    whole = 1 + y * (exp(q) - 1)
    given = le(0, q), le(q, one * epsilon), eq(exp(p), whole)
    right, short, value = map(assume, given)
    tilt, grown = sign * q, p if sign == 1 else p - q
    level = auto(eq(exp(grown), 1 + mu * (exp(tilt) - 1)), value if sign == 1 else (exp(-q), value))
    of_one = instance(of_coin(), {"t": tilt, "l": grown}, chances, rest, level)
    of_coins = instance(
        all_of_them(), {"X": fn("i", coin(mu)), "N": n, "t": tilt, "l": fn("i", grown)}, natural, of_one
    )
    over, inverse = reciprocal_positive(positive), reciprocal(positive)
    ratio = q * scale
    flat = auto(le(ratio, one), (over, short), (one, inverse))
    not_below = product(right, weak(over))
    near, far = auto(lt(0, 1 - ratio), flat, share), auto(lt(0, 1 + ratio), not_below)
    ends = (near, far) if sign == 1 else (far, near)
    conditions = [auto(lt(0, 1 - s * tilt * scale), e) for s, e in zip((1, -1), ends, strict=True)]
    squares = product(auto(le(0, one - ratio), flat), auto(le(0, one + ratio), not_below, small))
    enough = auto(
        le(exp(-k), (1 - tilt * scale) * (1 + tilt * scale)),
        cost,
        squares,
        product(weak(share), auto(le(0, one), small)),
    )
    of_noise = instance(of_laplace(), {"lam": scale, "t": tilt, "l": k}, over, *conditions, enough)
    of_noises = instance(
        all_of_them(), {"X": fn("i", laplace(scale)), "N": m, "t": tilt, "l": fn("i", k)}, natural_m, of_noise
    )
    laws = {"X": fn("", sum_of_all(lambda i: coin(mu), n)), "Y": fn("", sum_of_all(lambda i: laplace(scale), m))}
    of_both = instance(both(), {**laws, "t": tilt, "l": n * grown, "m": m * k}, of_coins, of_noises)
    steep = auto(le(0, tilt) if sign == 1 else le(tilt, 0), right)
    of_tail = instance(tail(sign), {"X": fn("", S), "t": tilt, "a": n * x0, "l": n * grown + m * k}, of_both, steep)
    moments = for_all("q p", auto(le(chance, exp(n * p + m * k - q * n * reached)), of_tail), *given)

    decays_here = instance(decays_of_sides(sign), {}, decays)

    # both
    s_given = le(0, s), le(s, epsilon), eq(exp(ell), 1 + y * (exp(s) - 1)), le(r, s * reached - ell)
    values = {"X1": reached, "Y1": y, "P1": chance}
    less = instance(with_less(), values, *bounds, count, share, small, *map(assume, s_given), moments)
    of_any = for_all("s l", less, *s_given)
    proved = instance(
        best_rate(), {**values, "B": exp(m * k - one * n * r)}, *bounds, above, positive, decays_here, of_any
    )
    facts = natural, natural_m, some, chances, rest, positive, share, small, cost, beyond, decays
    suppose(*(f.conclusion for f in facts))
    return proved


@proof
def private_mean(statement: All) -> Theorem:
    """Where theta epsilon <= slack/2, the noise costs k m, which is at most slack n/2 from some m on."""
    slack, decay, since = var("slack"), var("decay"), var("since")
    (hypothesis,) = statement.then.given  # type: ignore[union-attr]
    some = assume(lt(0, slack))
    over = reciprocal_positive(auto(lt(0, 2 * epsilon + slack)))
    share = slack / (2 * epsilon + slack)
    is_share = product(some, over)
    log = Term("log", (share,))
    cost, is_log = -log, exp_log(is_share)
    costs = auto(le(0, cost), exp_tangent(log), is_log)
    per = auto(lt(0, 2 * cost + 1), costs)
    few = slack / (2 * cost + 1)
    is_few = product(some, reciprocal_positive(per))
    from_there = instance(assume(terms_are_few()), {"small": few}, is_few)
    since_given = from_there.conclusion.given[0].given  # type: ignore[union-attr]
    start, later = map(assume, since_given)

    # r <= epsilon, by z = mu
    at_mean = instance(assume(at_most_private_divergence(decay, x0, mu, epsilon)), {"z": mu, "heads": 0, "tails": 0})
    left = product(auto(le(0, 1 + (x0 - mu))), auto(le(0, 1 - ind(0, x0 - mu))))
    slow = auto(le(decay, epsilon), at_mean, (epsilon, auto(le(size(x0 - mu), 1), left)))
    half_of = auto(
        le(share * decay, slack / 2), (slack * (1 / (2 * epsilon + slack)), slow), product(some, product(some, over))
    )

    goals = []
    constant = exp(cost * since)
    for sign, says in zip((1, -1), hypothesis.given[1:], strict=True):  # type: ignore[union-attr]
        names, given, then = parts_of(says)
        m, n = map(var, names.split())
        facts = [assume(f) for f in given]
        side_given = then.given[0]
        bound = instance(
            noisy_tail(sign),
            {"n": n, "m": m, "theta": share, "k": cost, "r": decay},
            facts[1],
            facts[0],
            facts[2],
            auto(eq(exp(-cost), share), is_log),
            assume(side_given),
        )
        count = auto(le(0, n), facts[2])
        many = le(m, since + few * n)
        rare = instance(instance(later, {}, *facts), {}, assume(le(since, m)))
        early = auto(many, assume(le(m, since)), product(weak(is_few), count))
        of_m = cases(auto(many, rare, start), early, since, m)
        spare = product(count, product(some, reciprocal_positive(per)))
        exponent = auto(
            le(m * cost - (1 - share) * n * decay, cost * since - n * (decay - slack)),
            (costs, of_m),
            (count, half_of),
            (n * slack / 2, reciprocal(per)),
            spare,
        )
        proved = auto(substitute_in(then.then, constant), bound, exp_monotone(exponent))
        goals.append(for_all(names, for_all("", proved, side_given), *given))
    reached = instance(assume(hypothesis), {"constant": constant}, *goals)
    at_since = reached
    return instance(from_there, {}, at_since)


def substitute_in(f: Rel, constant: Term) -> Rel:
    """A relation with a number for its constant."""
    return Rel(f.op, tuple(substitute(t, {"constant": constant}) for t in f.args))


END, DECAY, POWER = var("end"), var("decay"), var("logarithm")


def deviation(sign: int) -> Term:
    """x - n mu, or n mu - x for the lower tail."""
    return sign * (END - n * mu)


def tail_at(at: Any, sign: int) -> Term:
    """P(S >= at), or P(S <= at)."""
    happens = ind(at, x) if sign == 1 else ind(x, at)
    return mean("x", noisy_sum(mu, n, 1 / epsilon, m), happens)


def of_both_tails(sign: int) -> tuple[Theorem, ...]:
    """What is said of n, m, mu, epsilon, x and the decay in all bounds for P(S >= x)."""
    given = nat(n), nat(m), le(1, n), lt(0, mu), lt(mu, 1), lt(0, epsilon)
    beyond = le(n * mu, END) if sign == 1 else le(END, n * mu)
    return tuple(map(assume, (*given, beyond, at_most_private_divergence(DECAY, END / n, mu, epsilon))))


@lemma("n m expected epsilon end decay ratio spare")
def deviating_tail(sign: int) -> Theorem:
    """P(S >= x) <= e^(m log R + v - n r) for R >= 1 with epsilon D <= v R: at theta = 1/R, as n r <= epsilon D."""
    ratio, spare = var("ratio"), var("spare")
    known = of_both_tails(sign)
    natural, natural_m, some, chances, rest, positive, beyond, decays = known
    least, enough = assume(le(1, ratio)), assume(le(epsilon * deviation(sign), spare * ratio))
    count = auto(lt(0, n), some)
    inverse, per = reciprocal(count), weak(reciprocal_positive(count))
    reached = END / n
    above = auto(le(mu, reached) if sign == 1 else le(reached, mu), (per, beyond), inverse)

    # n r <= epsilon D, by z = mu
    at_mean = instance(decays, {"z": mu, "heads": 0, "tails": 0})
    apart = sign * (reached - mu)
    event = [indicator(term(0), reached - mu, which) for which in (3, 4)]
    not_below = auto(le(0, apart), above)
    kept = product(not_below, auto(le(0, 1 - ind(0, reached - mu))) if sign == 1 else event[0])
    wide = auto(le(size(reached - mu), apart), kept)
    slow = auto(
        le(n * DECAY, epsilon * deviation(sign)),
        (count, at_mean),
        (product(weak(count), weak(positive)), wide),
        inverse,
    )

    is_ratio = auto(lt(0, ratio), least)
    share, over, one = 1 / ratio, reciprocal_positive(is_ratio), reciprocal(is_ratio)
    log, value = Term("log", (ratio,)), exp_log(is_ratio)
    back = auto(eq(exp(-log), share), (exp(-log), one), value)
    small = auto(le(share, 1), (over, least), one)
    values = {"theta": share, "k": log, "r": DECAY, "level": reached}
    conditions = natural, natural_m, some, chances, rest, positive, over, small, back, above, decays
    bound = instance(noisy_tail(sign), values, *conditions)
    goal = m * log + spare - n * DECAY
    exponent = exp_monotone(auto(le(m * log - (1 - share) * n * DECAY, goal), (over, slow), (over, enough), one))
    place = same(auto(eq(n * reached, END), inverse), "v", tail_at(var("v"), sign))
    proved = auto(le(tail_at(END, sign), exp(goal)), bound, place, exponent)
    conditions = (p.conclusion for p in (*known, least, enough))
    suppose(*conditions)
    return proved


def not_negative(sign: int) -> Theorem:
    """0 <= epsilon D."""
    *_, positive, beyond, _ = of_both_tails(sign)
    return product(weak(positive), auto(le(0, deviation(sign)), beyond))


def by_logarithm(log: Term, value: Theorem, is_log: Theorem, positive: Theorem) -> Theorem:
    """m log <= m l, for two logarithms of one number, where e^l is that, and m >= 0."""
    other = is_log.conclusion.args[0].args[0]  # type: ignore[union-attr]
    least = auto(le(log - other, 0), exp_tangent(log - other), (exp(-other), value), (exp(-other), is_log))
    return auto(le(m * log, m * other), (positive, least))


@lemma("n m expected epsilon end decay logarithm")
def simple_tail(sign: int) -> Theorem:
    """P(S >= x) <= e (1 + m epsilon D)^m e^(-n r), with the ratio 1 + m epsilon D, or 1 + epsilon D without noise."""
    known, far = of_both_tails(sign), not_negative(sign)
    natural_m = known[1]
    size_of = epsilon * deviation(sign)
    is_log = assume(eq(exp(POWER), 1 + m * size_of))

    def by_ratio(M: Term, many: Theorem, costs: Callable[[Term, Theorem], Theorem]) -> Theorem:
        """The same for m k <= m log, where e^k = 1 + M epsilon D and M >= 1."""
        ratio, more = 1 + M * size_of, product(auto(le(0, M - 1), many), far)
        least = auto(le(1, ratio), far, more)
        bound = instance(
            deviating_tail(sign), {"ratio": ratio, "spare": 1}, *known, least, auto(le(size_of, ratio), more)
        )
        log = Term("log", (ratio,))
        cost = costs(log, exp_log(auto(lt(0, ratio), least)))
        exponent = auto(le(m * log + 1 - n * DECAY, 1 + m * POWER - n * DECAY), cost)
        return auto(le(tail_at(END, sign), exp(1 + m * POWER - n * DECAY)), bound, exp_monotone(exponent))

    noisy, none = assume(lt(0, m)), assume(le(m, 0))
    one_at_least = auto(le(1, m), nat_nonnegative(nat_minus(nat_zero(), natural_m, noisy)))
    silent = antisymmetric(none, nat_nonnegative(natural_m))
    with_noise = by_ratio(m, one_at_least, lambda log, value: by_logarithm(log, value, is_log, weak(noisy)))
    without = by_ratio(term(1), auto(le(1, 1)), lambda log, _: auto(le(m * log, m * POWER), (log - POWER, silent)))
    proved = cases(without, with_noise, m, term(0))
    conditions = (*(p.conclusion for p in known), is_log.conclusion)
    suppose(*conditions)
    return proved


def at_the_printed(sign: int, is_log: Theorem) -> Theorem:
    """The simple bound, where the conclusion's logarithm is that of its base."""
    return instance(simple_tail(sign), {})


@proof
def _private_chernoff(statement: All, sign: int) -> Theorem:
    """The middle summand of the constant is enough, and the others are not negative."""
    _, given, _ = parts_of(statement.then)
    largest, is_log = var("largest"), assume(given[0])
    _, _, _, chances, rest, _, _, _ = of_both_tails(sign)
    (of_largest,) = (assume(f) for f in statement.given if isinstance(f, All) and f.params == ("y",))
    largest_is = instance(instance(of_largest, {"y": mu}))
    side_chance = mu if sign == 1 else var("unexpected")
    is_chance = auto(lt(0, side_chance))
    L = Term("log", (1 / side_chance,))
    level = exp_log(reciprocal_positive(is_chance))
    back = auto(eq(exp(-L), side_chance), (exp(-L) * side_chance, level))
    costs_some = auto(le(0, L), exp_tangent(-L), back, rest if sign == 1 else chances)
    positive_largest = auto(le(0, largest), largest_is, product(weak(exp_positive(1 + m * POWER)), costs_some))
    factor = weak(exp_positive(-n * DECAY))
    rest_of_it = product(factor, product(auto(le(0, deviation(sign))), positive_largest))
    printed = (deviation(sign) * largest + exp(1) * exp(m * POWER) + 1) * exp(-n * DECAY)
    return auto(le(tail_at(END, sign), printed), at_the_printed(sign, is_log), rest_of_it)


private_chernoff_above, private_chernoff_below = both_sides(_private_chernoff)


GROWN = var("grown")  # the logarithm of the base


@proof
def _simple(statement: All, sign: int) -> Theorem:
    return auto(statement.then, instance(simple_tail(sign), {"logarithm": GROWN}))


simple_above, simple_below = both_sides(_simple)


@proof
def _sharp(statement: All, sign: int) -> Theorem:
    """The ratio max(1, epsilon D/m) itself, with m to spare."""
    ratio, known = var("ratio"), of_both_tails(sign)
    is_log = assume(eq(exp(GROWN), ratio))
    bound = instance(deviating_tail(sign), {"spare": m})
    log = Term("log", (ratio,))
    cost = by_logarithm(log, exp_log(auto(lt(0, ratio))), is_log, nat_nonnegative(known[1]))
    exponent = auto(le(m * log + m - n * DECAY, m * GROWN + m - n * DECAY), cost)
    return auto(statement.then, bound, exp_monotone(exponent))


sharp_above, sharp_below = both_sides(_sharp)
