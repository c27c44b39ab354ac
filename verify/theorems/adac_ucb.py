"""Proofs in the kernel of the regret of AdaC-UCB, by a potential.

It holds what an arm was played so far, what it may still be played while its width is no less than half its gap, and
for each round s to come the chance s^-beta, for each release of both arms, that an index is off in round s, times the
length of an episode that begins there, which is at most s.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from banditproof.verify.kernel.episodes import (
    begins,
    episodes_are_counted,
    in_time,
    next_length,
    noisy_mean,
    noisy_means,
    private_index,
    private_widths,
    pulled,
    released,
    runs_of_episodes,
    until,
)
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.tactics import natural, positive
from banditproof.verify.kernel.variables import gaussian, in_interval
from banditproof.verify.theorems.optimism import (
    GAP,
    IS_NEXT,
    LATER,
    PN,
    SIDES,
    SOON,
    Costs,
    Runs,
    above_zero,
    arm,
    centre,
    gap_is_not_negative,
    grows_above_zero,
    is_off,
    not_below_zero,
    off_is_far,
    one_is_off,
    ordered,
    rewritten,
    switched,
)
from banditproof.verify.theorems.policies import an_arm, picked, sum_inside, sum_over
from banditproof.verify.theorems.tails import gaussian_mean, is_centre

a, b, j, k, m, n, r, s, t, u, v, w, x, z = map(var, "abjkmnrstuvwxz")
q, d, p, B, D, L, N = map(var, ("q", "d", "p", "B1", "D1", "L1", "N1"))
T, K, rho, excess, root, best, gap = map(var, ("T", "K", "rho", "excess", "root", "best", "gap"))
beta = excess + 3


@lemma("s", le(2, s))
def log_is_positive() -> Theorem:
    """0 < log s for s >= 2."""
    value = exp_log(auto(lt(0, s), assume(le(2, s))))
    small = exp_monotone(assume(le(log(s), 0)))
    return by_contradiction(lt(0, log(s)), contradiction(value, small, assume(le(2, s))))


@lemma("s excess", le(2, s), lt(0, excess))
def power_falls() -> Theorem:
    """excess s^(-1 - excess) <= (s - 1)^-excess - s^-excess for s >= 2: log(s - 1) <= log s - 1/s."""
    some = assume(le(2, s))
    here, before = exp_log(auto(lt(0, s), some)), exp_log(auto(lt(0, s - 1), some))
    inverse = reciprocal(auto(lt(0, s), some))
    lower = exp(log(s) - 1 / s)
    falls = auto(le(exp(log(s - 1)), lower), before, (exp(-1 / s), here), (s, exp_tangent(-1 / s)), inverse)
    apart = ordered(falls)
    scaled = exp_monotone(auto(le(-excess * log(s) + excess / s, -excess * log(s - 1)), (excess, apart)))
    at_s = exp(-excess * log(s))
    ends = (at_s, exp_tangent(excess / s)), (exp(-(1 + excess) * log(s)) * excess / s, here), (at_s * excess, inverse)
    one = (exp(-(1 + excess) * log(s)) * excess, inverse)
    return auto(le(excess * exp(-(1 + excess) * log(s)), exp(-excess * log(s - 1)) - at_s), scaled, *ends, one)


def _later(m: Any) -> Term:
    return sum_of(lambda j: exp(-(1 + excess) * log(j + 2)), m)


@lemma("T excess", nat(T), lt(0, excess))
def powers_add_up() -> Theorem:
    """The sum of s^(-1 - excess) over s = 2, ..., T + 1 is at most 1/excess."""

    def says(m: Any) -> Rel:
        return le(excess * _later(m), exp(-excess * log(1)) - exp(-excess * log(m + 1)))

    pn = assume(nat(n))
    falls = instance(power_falls(), {"s": n + 2}, auto(le(2, n + 2), nat_nonnegative(pn)), assume(lt(0, excess)))
    more = uniform_next(pn, "j", _later(n).args[1].args[2])
    step = auto(says(n + 1), more, assume(says(n)), falls)
    whole = induction("n", auto(says(term(0))), step, says(n), at=T)
    one = ordered(auto(le(exp(term(0)), exp(log(1))), exp_log(auto(lt(0, 1)))))
    small = exp_monotone(auto(le(-excess * log(1), 0), (excess, one)))
    total = auto(le(excess * _later(T), 1), whole, small, exp_positive(-excess * log(T + 1)))
    positive = assume(lt(0, excess))
    return auto(le(_later(T), 1 / excess), (reciprocal_positive(positive), total), (_later(T), reciprocal(positive)))


@lemma("u d T", le(0, d))
def time_passes() -> Theorem:
    """min(u + d, T) - min(u, T) <= d."""
    goal, soon, more = le(until(u + d, T) - until(u, T), d), assume(le(u, T)), assume(le(0, d))
    late = assume(lt(T, u))
    end, gone = ind(u + d, T), not_at_most(late)
    over = not_at_most(auto(lt(T, u + d), late, more))
    early = auto(goal, (T - u, at_most(soon)), indicator(T, u + d, 3), (end, more), indicator(u + d, T, 2), more)
    return cases(early, auto(goal, (T - u, gone), (u + d - T, over), more), u, T)


@lemma("u d T", le(0, d), le(T, u))
def time_is_over() -> Theorem:
    """min(u + d, T) - min(u, T) <= 0 for T <= u."""
    return auto(le(until(u + d, T) - until(u, T), 0), indicator(u + d, T, 1), indicator(u, T, 2))


def square_of_width(size: Any, s: Any) -> Term:
    return (1 / (2 * size) + 1 / (rho * size * size)) * beta * log(s)


X_LAW, VARIANCE = law("X"), 1 / (2 * rho * n * n)
NOISY = noisy_mean(X_LAW, m, gaussian(VARIANCE))
c = var("centre")


@lemma("X m n centre rho excess s")
def rarely(sign: int) -> Theorem:
    """The mean of m >= n rewards with the noise for n is off on one side by the width of round s: at most s^-beta."""
    known = nat(m), le(1, m), in_interval(X_LAW, 0, 1, c), lt(0, n), le(n, m), lt(0, rho), lt(0, excess), le(2, s)
    suppose(*known)
    square_, grown = square_of_width(n, s), beta * log(s)
    late = instance(log_is_positive())
    spread = auto(lt(0, 1 / (2 * n) + 1 / (rho * n * n)), positive(1 / (2 * n)), positive(1 / (rho * n * n)))
    grows = product(auto(lt(0, beta), assume(lt(0, excess))), late)
    level = product(spread, grows)
    width = exp(log(square_) / 2)
    is_root = auto(eq(width * width, square_), exp_log(auto(lt(0, square_), level)))
    delta, log_delta = exp(-grown), log(1 / exp(-grown))
    of_log = exp_log(exp_positive(grown))
    is_level = antisymmetric(*(ordered(auto(f, of_log)) for f in _both_orders(log_delta, grown)))
    of_m, of_n = auto(lt(0, m), assume(le(1, m))), assume(lt(0, n))
    apart = product(weak(product(positive(1 / m), positive(1 / n))), auto(le(0, m - n), assume(le(n, m))))
    more = auto(le(1 / m, 1 / n), apart, (1 / n, reciprocal(of_m)), (1 / m, reciprocal(of_n)))
    fewer = product(weak(grows), auto(le(0, 1 / n - 1 / m), more))
    wide = auto(
        le((1 / (2 * m) + 2 * VARIANCE) * log_delta, width * width),
        is_root,
        (1 / (2 * m) + 2 * VARIANCE, is_level),
        fewer,
    )
    values = {"n": m, "v": VARIANCE, "width": width, "delta": delta}
    tail = instance(
        gaussian_mean(sign),
        values,
        *map(assume, known[:3]),
        positive(VARIANCE),
        weak(exp_positive(log(square_) / 2)),
        exp_positive(-grown),
        wide,
    )
    far = sign * (var("r") - c)
    off = mono(
        instance(off_is_far(), {"w": width, "q": square_, "x": far}, weak(exp_positive(log(square_) / 2)), is_root),
        "r",
        NOISY,
    )
    return auto(le(mean("r", NOISY, is_off(far, square_)), delta), off, tail)


def _both_orders(u: Term, v: Term) -> tuple[Rel, Rel]:
    return le(exp(u), exp(v)), le(exp(v), exp(u))


def most_before(level: Any) -> Term:
    """After how many plays of an arm its width is less than half its gap."""
    return 8 * level / gap / gap + 8 * root / gap


@lemma("gap w q n d L1 N1 rho root")
def still_small() -> Theorem:
    """While the width is more than half the gap, an arm that is played as often again has this number of plays."""
    of_width = lt(0, gap), lt(gap, 2 * w), eq(w * w, q), lt(0, n), eq(q, (1 / (2 * n) + 1 / (rho * n * n)) * d)
    of_level = le(d, L), le(0, L), le(L / rho, root * root), le(0, root), lt(0, rho)
    steep, wide, is_square, some, is_width = suppose(*of_width)
    early, _, private, root_low, _ = suppose(*of_level)
    (few,) = suppose(le(N, 2 * n))
    least = 2 * L / gap / gap + 2 * root / gap
    more, of_n = auto(lt(0, n - least), assume(lt(least, n))), reciprocal(some)
    cleared = auto(
        eq(2 * n * n * q, n * d + 2 * d / rho), (2 * n * n, is_width), (d + 2 * d / (rho * n) + 2 * d / rho, of_n)
    )
    near = product(auto(lt(0, 2 * w - gap), wide), auto(lt(0, 2 * w + gap), wide, steep))
    small = product(product(some, some), auto(lt(0, 4 * q - gap * gap), near, is_square))
    late = auto(le(2 * n * d + 4 * d / rho, 2 * n * L + 4 * root * root), (n, early), (1 / rho, early), private)
    large = product(some, product(more, product(steep, steep)))
    beside = product(weak(more), product(root_low, weak(steep)))
    false = contradiction(small, cleared, late, large, beside)
    return auto(le(2 * N, most_before(L)), few, by_contradiction(le(n, least), false))


@lemma("N1 t s d B1 D1 p")
def charged() -> Theorem:
    """What is kept for round s pays for an index that is off in round t = s, and what is left is kept for later."""
    counted, cheap, bad, some, low = suppose(le(N + 1, t), le(0, p), le(0, B), lt(0, d), le(0, N))
    kept = s * B + (s - N) * p
    (grown,) = suppose(All((), (le(t + d, s),), le(D, kept)))
    goal, far, near, gone = (
        le(ind(t + d, s) * D + equal(t, s) * t * B, ind(t, s) * kept),
        *map(assume, (le(t + d, s), le(t, s), lt(s, t))),
    )
    over = not_at_most(auto(lt(t, s), far, some))
    later = auto(
        goal,
        (D, at_most(far)),
        (kept, at_most(auto(le(t, s), far, some))),
        instance(grown, {}, far),
        (t * B * ind(t, s), over),
    )
    missed = not_at_most(assume(lt(s, t + d)))
    rest, off = product(auto(le(0, s - N), near, counted), cheap), product(auto(le(0, s - t), near), bad)
    paid = product(product(auto(le(0, t), counted, low), bad), auto(le(0, 1 - ind(s, t)), indicator(s, t, 4)))
    here = auto(goal, (D, missed), (kept - t * B * ind(s, t), at_most(near)), rest, off, paid)
    before = auto(goal, (D, missed), (kept - t * B * ind(s, t), not_at_most(gone)))
    return cases(later, cases(here, before, t, s), t + d, s)


@lemma("N1 t s B1 p")
def not_negative() -> Theorem:
    """What is kept for a round is not negative."""
    counted, cheap, bad, low = suppose(le(N + 1, t), le(0, p), le(0, B), le(0, N))
    goal, near = le(0, ind(t, s) * (s * B + (s - N) * p)), assume(le(t, s))
    kept = s * B + (s - N) * p
    rest = product(auto(le(0, s - N), near, counted), cheap)
    on = auto(goal, (kept, at_most(near)), rest, product(auto(le(0, s), near, counted, low), bad))
    return cases(on, auto(goal, (kept, not_at_most(assume(lt(s, t))))), t, s)


@lemma("N1", nat(N), le(1, N))
def doubles() -> Theorem:
    """An arm that was played before is played as often again."""
    return auto(eq(next_length(N), N), (ind(0, N), not_at_most(auto(lt(0, N), assume(le(1, N))))))


@lemma("N1", eq(N, 0))
def plays_once() -> Theorem:
    """The first episode of an arm is one round."""
    none = assume(eq(N, 0))
    low, high = at_most(auto(le(N, 0), none)), at_most(auto(le(0, N), none))
    return auto(eq(next_length(N), 1), none, (ind(0, N), low), high)


NONE = antisymmetric(assume(le(N, 0)), nat_nonnegative(assume(nat(N))))
BEFORE = nat_minus(nat_zero(), assume(nat(N)), assume(lt(0, N)))
SOME = auto(le(1, N), nat_nonnegative(BEFORE))


def by_plays(first: Theorem, again: Theorem, names: str = "N1") -> Theorem:
    """What is shown of an arm that was never played, and of one that was, for all N1."""
    return for_all(names, cases(first, again, N, term(0)), nat(N))


@once
def lengths() -> tuple[Theorem, Theorem, Theorem]:
    """The length of an episode is a natural number, at least 1, and no less than all plays before."""
    pn = assume(nat(N))
    first, again = instance(plays_once(), {}, NONE), instance(doubles(), {}, pn, SOME)
    more = next_length(N)
    is_natural = nat_equal(natural(term(1)), auto(eq(1, more), first)), nat_equal(pn, auto(eq(N, more), again))
    return (
        by_plays(*is_natural),
        by_plays(auto(le(1, more), first), auto(le(1, more), again, SOME)),
        for_all("N1", auto(le(N, more), product(indicator(N, 0, 3), indicator(0, N, 3))), nat(N)),
    )


KNOWN = nat(T), le(1, T), nat(K), le(1, K), lt(0, rho), lt(0, excess), le(0, root)


def shown(body: Callable[[], Theorem]) -> Callable[[], Theorem]:
    """What every statement about the algorithm needs, proved once from what their numbers are."""

    @once
    @wraps(body)
    def theorem() -> Theorem:
        suppose(*KNOWN)
        return body()

    return theorem


def release(of: Any, size: Any) -> Term:
    return law("release", of, size)


LEVEL = beta * log(T)
MOST = substitute(most_before(LEVEL), {"gap": GAP})
RUNS = runs_of_episodes(pi, release, T)
COUNTED = [assume(f) for f in episodes_are_counted(T, K)]
FIRST_ROUND, NOT_PULLED, NOT_IN_TIME, NEXT_ROUND, NEXT_PULLED, NEXT_RELEASED, NEXT_IN_TIME = COUNTED[2:]
WIDTH_LOW, WIDTH_SQUARE = (assume(f) for f in private_widths(rho, beta, T, K))
REWARDS = assume(All(("a",), is_arm(a, K), in_interval(nu(a), 0, 1, centre(a))))
RELEASED = [assume(f) for f in noisy_means(release, nu, lambda n: gaussian(substitute(VARIANCE, {"n": n})), K)]
RUN, MORE = app("after", z, a, a, r), next_length(pulled(n, z, a))
TOLD = release(a, pulled(n, z, a))


def invariant(i: Any, z: Any) -> tuple[Formula, ...]:
    """What is true of a run of i episodes: its counts are numbers, and each arm was played once in the first ones."""
    arms, count = is_arm(b, K), pulled(i, z, b)
    return (
        nat(begins(i, z)),
        All(("b",), arms, nat(count)),
        All(("b",), arms, le(count + 1, begins(i, z))),
        All(("b",), (*arms, lt(b, i)), le(1, count)),
        All(("b",), (*arms, le(i, b)), eq(count, 0)),
    )


ROUND, *OF_ARMS = (assume(f) for f in invariant(n, z))


def of_arm(place: int, of: Term, *more: Theorem) -> Theorem:
    """What the invariant says of an arm: its count is natural, below the round, at least 1, 0."""
    return instance(OF_ARMS[place], {"b": of}, *arm(of), *more)


def index_is_off(of: Term, sign: int, mean_: Any, count: Any, s: Any) -> Term:
    return is_off(sign * (mean_ - centre(of)), square_of_width(count / 2, s))


def falling(s: Any) -> Term:
    """s^(1 - beta)."""
    return exp(-(2 + excess) * log(s))


def kept(of: Term, sign: int, count: Any, mean_: Any, s: Any) -> Term:
    """What is kept for round s: its number if the index of the arm is off, and s^(1 - beta) for a release to come."""
    return s * (index_is_off(of, sign, mean_, count, s) * ind(1, count)) + (s - count) * falling(s)


def kept_of(of: Term, sign: int, i: Any, z: Any, s: Any) -> Term:
    return kept(of, sign, pulled(i, z, of), released(i, z, of), s)


def for_rounds(i: Any, z: Any) -> Term:
    def of_round(j: Term) -> Term:
        return ind(begins(i, z), j + 2) * sum((kept_of(*side, i, z, j + 2) for side in SIDES), term(0))

    return sum_of(of_round, T)


def left(count: Any) -> Term:
    return above_zero(MOST + 1 - count)


def potential(i: Any, z: Any) -> Term:
    return in_time(i, z, k) + left(pulled(i, z, k)) + for_rounds(i, z)


def after_episode(equation: Theorem, of: Term) -> Theorem:
    """What an equation of the counts says of an arm after an episode of the arm a."""
    return instance(equation, {"i": n, "z": z, "a": a, "b": of, "r": r}, PN, SOON, *arm(a), *arm(of))


def next_round() -> Theorem:
    return instance(NEXT_ROUND, {"i": n, "z": z, "a": a, "r": r}, PN, SOON, *arm(a))


LENGTH = [instance(f, {"N1": pulled(n, z, a)}, of_arm(0, a)) for f in lengths()]


def is_told() -> Theorem:
    """What is released is a noisy mean of so many rewards, whether the episode is the first one or not."""
    g, size = app("g", r), next_length(N)

    def noisy(count: Term, size: Term) -> Term:
        return mean("r", noisy_mean(nu(a), size, gaussian(substitute(VARIANCE, {"n": (count + size) / 2}))), g)

    goal = eq(mean("r", release(a, N), g), noisy(N, size))
    whole = same(NONE, "x", mean("r", release(a, x), g)), same(NONE, "x", noisy(x, next_length(x)))
    first = auto(goal, instance(RELEASED[0], {"a": a}, *arm(a)), *whole)
    longer = same(instance(doubles(), {}, assume(nat(N)), SOME), "x", noisy(N, x))
    return by_plays(first, auto(goal, instance(RELEASED[1], {"a": a, "m": N - 1}, *arm(a), BEFORE), longer), "N1 g")


def hardly_off(of: Term, sign: int, s: Term, late: Theorem, it_is: Theorem) -> Theorem:
    """After an episode of the arm a, which `it_is`, its index is off in round s with probability at most s^-beta."""
    count, size = pulled(n, z, a), (pulled(n, z, a) + MORE) / 2
    far = index_is_off(a, sign, r, count + MORE, s)
    law_of = instance(is_told(), {"g": fn("r", far), "N1": count}, of_arm(0, a))
    values = {"X": fn("", nu(a)), "m": MORE, "n": size, "centre": centre(a), "s": s}
    more, fewer = auto(lt(0, size), LENGTH[1], nat_nonnegative(of_arm(0, a))), auto(le(size, MORE), LENGTH[2])
    known = instance(REWARDS, {"a": a}, *arm(a)), more, fewer, assume(lt(0, rho)), assume(lt(0, excess)), late
    tail = instance(rarely(sign), values, *LENGTH[:2], *known)
    named = same(it_is, "w", mean("r", TOLD, index_is_off(w, sign, r, pulled(n, z, w) + MORE, s)))
    chance = mean("r", TOLD, index_is_off(of, sign, r, pulled(n, z, of) + MORE, s))
    return auto(le(chance, exp(-beta * log(s))), law_of, tail, named)


def kept_after(of: Term, sign: int, s: Term, late: Theorem) -> Theorem:
    """An episode of the arm a leaves no more for round s in the mean than was kept for it."""
    told, count, told_mean = TOLD, pulled(n, z, of), released(n, z, of)
    changes = [after_episode(f, of) for f in (NEXT_PULLED, NEXT_RELEASED)]
    goal = le(mean("r", told, kept_of(of, sign, n + 1, RUN, s)), kept_of(of, sign, n, z, s))
    is_s = exp_log(auto(lt(0, s), late))

    def rewrite(to: tuple[Any, ...], *facts: Fact) -> list[Theorem]:
        changed = [auto(eq(f.conclusion.args[0], value), f, *facts) for f, value in zip(changes, to, strict=True)]  # type: ignore[union-attr]
        return [mono(f, "r", told) for f in rewritten(lambda c, m: kept(of, sign, c, m, s), changed)]

    def then(it_is: Theorem) -> Theorem:
        one = auto(eq(equal(a, of), 1), at_most(auto(le(a, of), it_is)), (ind(a, of), at_most(auto(le(of, a), it_is))))
        new = rewrite((count + MORE, r), (MORE, one), (r - told_mean, one))
        off = index_is_off(of, sign, r, count + MORE, s)
        below = mono(auto(le(off * ind(1, count + MORE), off), (off, indicator(1, count + MORE, 4))), "r", told)
        chance = hardly_off(of, sign, s, late, it_is)
        value = auto(eq(s * exp(-beta * log(s)), falling(s)), (exp(-beta * log(s)), is_s))
        more = product(auto(le(0, MORE - 1), LENGTH[1]), weak(exp_positive(-(2 + excess) * log(s))))
        high = auto(le(0, s), late)
        old = product(high, _off_is_not_negative(of, sign, count, told_mean, s))
        return auto(goal, *new, (high, below), (high, chance), value, more, old)

    def other(_: Term, zero: Theorem) -> Theorem:
        return auto(goal, *rewrite((count, told_mean), (MORE, zero), (r - told_mean, zero)))

    return unless_equal(a, of, then, other)


def _off_is_not_negative(of: Term, sign: int, count: Term, mean_: Term, s: Term) -> Theorem:
    low, high = index_is_off(of, sign, mean_, count, s).args
    return product(product(indicator(*low.args, 3), indicator(*high.args, 3)), indicator(1, count, 3))


def off_in(of: Term, sign: int, s: Any) -> Term:
    """1 where the index of an arm that was played is off in round s."""
    count = pulled(n, z, of)
    return index_is_off(of, sign, released(n, z, of), count, s) * ind(1, count)


def cost_in(s: Any) -> Term:
    """The round, for each of the two arms whose index is off."""
    return begins(n, z) * sum((off_in(*side, s) for side in SIDES), term(0))


def all_costs() -> Term:
    return sum_of(lambda j: equal(begins(n, z), j + 2) * cost_in(j + 2), T)


def of_round(of: Term, sign: int, s: Term) -> tuple[Term, list[Theorem]]:
    """The chance of an arm to be off, with what is known of what is kept for it in round s."""
    count, off = pulled(n, z, of), off_in(of, sign, s)
    low, cheap = nat_nonnegative(of_arm(0, of)), weak(exp_positive(-(2 + excess) * log(s)))
    is_off_low = _off_is_not_negative(of, sign, count, released(n, z, of), s)
    return off, [of_arm(1, of), cheap, is_off_low, low]


def rounds_pay() -> Theorem:
    """All that is kept for rounds to come is no less than the costs and what is kept after an episode of the arm a."""
    s, t, told = j + 2, begins(n, z), TOLD
    late = auto(le(2, s), nat_nonnegative(assume(nat(j))))
    each, kept_next = [], term(0)
    for of, sign in SIDES:
        off, (below, cheap, low, counted) = of_round(of, sign, s)
        after = kept_after(of, sign, s, late)
        given = {"N1": pulled(n, z, of), "t": t, "s": s, "d": MORE, "B1": off, "p": falling(s)}
        values = given | {"D1": conclusion(after.conclusion).args[0]}
        enough = for_all("", after, le(t + MORE, s))
        each.append(instance(charged(), values, below, cheap, low, auto(lt(0, MORE), LENGTH[1]), counted, enough))
        kept_next = kept_next + kept_of(of, sign, n + 1, RUN, s)
    body = ind(begins(n + 1, RUN), s) * kept_next
    moved_on = mono(same(next_round(), "w", ind(w, s) * kept_next), "r", told)
    now = ind(t, s) * sum((kept_of(*side, n, z, s) for side in SIDES), term(0))
    in_round = auto(le(0, now - mean("r", told, body) - equal(t, s) * cost_in(s)), *each, moved_on)
    whole = sum_over(in_round, "j", T)
    inside = sum_inside("j", T, "r", told, body)
    goal = le(mean("r", told, for_rounds(n + 1, RUN)) + all_costs(), for_rounds(n, z))
    return auto(goal, whole, inside)


def costs_are_not_negative() -> Theorem:
    s = j + 2
    t = nat_nonnegative(ROUND)
    each = [product(t, of_round(*side, s)[1][2]) for side in SIDES]
    equal_low = product(indicator(begins(n, z), s, 3), indicator(s, begins(n, z), 3))
    in_round = product(equal_low, auto(le(0, cost_in(s)), *each))
    return auto(le(0, all_costs()), sum_over(in_round, "j", T))


def cost_of_this_round(early: Theorem, begun: Theorem) -> Theorem:
    """In a round t of 2, ..., T + 1 all costs are those of this round."""
    t = begins(n, z)
    spot = t - 2
    place = nat_minus(natural(term(1)), ROUND, auto(lt(1, t), begun)), auto(lt(spot, T), early)
    found = for_all("j", picked(lambda j: cost_in(j + 2), j, T), *is_arm(j, T))
    at = instance(found, {"j": spot}, *place)
    return auto(eq(all_costs(), cost_in(t)), at)


IS_LARGEST = assume(All(("b",), is_arm(b, K), le(private_index(n, z, b), private_index(n, z, a))))


def begun(of: Term) -> Theorem:
    """Every arm was played before the later episodes."""
    return of_arm(2, of, auto(lt(of, n), assume(lt(of, K)), assume(LATER)))


def square_of(of: Term) -> Theorem:
    """The square of the width of an arm, by its plays."""
    width, size = app("half_width", n, z, of), pulled(n, z, of) / 2
    said = instance(WIDTH_SQUARE, {"i": n, "z": z, "a": of}, PN, SOON, *arm(of), begun(of))
    one = reciprocal(auto(lt(0, size), begun(of)))
    goal = eq(width * width, square_of_width(size, begins(n, z)))
    parts = width * width * (1 + size / size), beta * log(begins(n, z)) / (2 * size)
    return auto(goal, (1 / (size * size), said), *((part, one) for part in parts))


def costs_of_playing(it_is: Theorem) -> Theorem:
    """Round t costs t at least if a, which is k, has an episode though the width is at most half the gap."""
    t, width = begins(n, z), [app("half_width", n, z, of) for of in (best, k)]
    squares = [square_of(of) for of in (best, k)]
    low = [instance(WIDTH_LOW, {"i": n, "z": z, "a": of}) for of in (best, k)]
    of_k = same(it_is, "w", private_index(n, z, w))
    larger = auto(
        le(private_index(n, z, best), private_index(n, z, k)), instance(IS_LARGEST, {"b": best}, *arm(best)), of_k
    )
    values = {"high": centre(best), "low": centre(k), "w_1": width[0], "w_k": width[1]}
    values |= {f"m_{name}": released(n, z, of) for name, of in (("1", best), ("k", k))}
    values |= {f"q_{name}": square_of_width(pulled(n, z, of) / 2, t) for name, of in (("1", best), ("k", k))}
    wide = assume(le(2 * width[1], GAP))
    off = instance(one_is_off(), values, larger, wide, *low, *squares)
    known = [(off_in(*side, t).args[0], at_most(begun(side[0]))) for side in SIDES]
    one = auto(le(1, sum((off_in(*side, t) for side in SIDES), term(0))), off, *known)
    return auto(le(t, cost_in(t)), (nat_nonnegative(ROUND), one))


def few_plays() -> Theorem:
    """2 N_k <= MOST while the width is more than half the gap, in a round up to T."""
    t, size, width = begins(n, z), pulled(n, z, k) / 2, app("half_width", n, z, k)
    early, some = assume(le(t, T)), assume(lt(0, GAP))
    square_ = square_of(k)
    least = of_arm(1, k)
    positive_t = auto(lt(0, t), least, nat_nonnegative(of_arm(0, k)))
    positive_T = auto(lt(0, T), early, positive_t)
    values_of_log = exp_log(positive_t), exp_log(positive_T)
    later = ordered(auto(le(exp(log(t)), exp(log(T))), early, *values_of_log))
    started = ordered(
        auto(le(exp(term(0)), exp(log(T))), values_of_log[1], early, least, nat_nonnegative(of_arm(0, k)))
    )
    scaled = auto(le(beta * log(t), LEVEL), (auto(le(0, beta), assume(lt(0, excess))), later))
    level = product(auto(le(0, beta), assume(lt(0, excess))), started)
    wide = assume(lt(GAP, 2 * width))
    private, root_low, some_rho = assume(le(LEVEL / rho, root * root)), assume(le(0, root)), assume(lt(0, rho))
    values = {
        "gap": GAP,
        "w": width,
        "q": width * width,
        "n": size,
        "d": beta * log(t),
        "L1": LEVEL,
        "N1": pulled(n, z, k),
    }
    return instance(
        still_small(),
        values,
        some,
        wide,
        auto(eq(width * width, width * width)),
        auto(lt(0, size), begun(k)),
        square_,
        scaled,
        level,
        private,
        root_low,
        some_rho,
        auto(le(pulled(n, z, k), 2 * size)),
    )


def level_is_not_negative() -> Theorem:
    """0 <= LEVEL."""
    first = assume(le(1, T))
    started = ordered(auto(le(exp(term(0)), exp(log(T))), exp_log(auto(lt(0, T), first)), first))
    return product(auto(le(0, beta), assume(lt(0, excess))), started)


def most_is_not_negative() -> Theorem:
    """0 <= MOST."""
    inverse = weak(reciprocal_positive(assume(lt(0, GAP))))
    return auto(
        le(0, MOST), product(level_is_not_negative(), product(inverse, inverse)), product(assume(le(0, root)), inverse)
    )


def plays_are_paid(first: bool) -> Theorem:
    """An episode of the arm a adds no more plays of k than it takes from what is left, with the costs of the round."""
    t, count, told_in_time = begins(n, z), pulled(n, z, k), in_time(n, z, k)
    changes = after_episode(NEXT_IN_TIME, k), after_episode(NEXT_PULLED, k)
    costs = costs_are_not_negative()
    goal = le(in_time(n + 1, RUN, k) + left(pulled(n + 1, RUN, k)), told_in_time + left(count) + all_costs())
    gain = until(t - 1 + MORE, T) - until(t - 1, T)

    def then(it_is: Theorem) -> Theorem:
        one = auto(eq(equal(a, k), 1), at_most(auto(le(a, k), it_is)), (ind(a, k), at_most(auto(le(k, a), it_is))))
        plays = auto(eq(in_time(n + 1, RUN, k), told_in_time + gain), changes[0], (gain, one))
        now = auto(eq(pulled(n + 1, RUN, k), count + MORE), changes[1], (MORE, one))
        left_now = same(now, "w", left(w))
        longer = weak(auto(lt(0, MORE), LENGTH[1]))
        fewer = instance(
            grows_above_zero(),
            {"u": MOST + 1 - count, "v": MOST + 1 - count - MORE},
            auto(le(MOST + 1 - count - MORE, MOST + 1 - count), longer),
        )
        passes = instance(time_passes(), {"u": t - 1, "d": MORE}, longer)
        gap_of_rounds = nat_nonnegative(nat_minus(assume(nat(T)), ROUND, assume(lt(T, t))))
        over = instance(time_is_over(), {"u": t - 1, "d": MORE}, longer, auto(le(T, t - 1), gap_of_rounds))
        late = auto(goal, plays, left_now, fewer, over, costs)

        def spent(enough: Theorem) -> Theorem:
            """What is left falls by the length of the episode."""
            some = (
                at_most(auto(le(0, MOST + 1 - count - MORE), enough)),
                at_most(auto(le(0, MOST + 1 - count), enough, longer)),
            )
            return auto(
                goal, plays, left_now, passes, costs, (MOST + 1 - count - MORE, some[0]), (MOST + 1 - count, some[1])
            )

        this = same(it_is, "w", next_length(pulled(n, z, w)))
        if first:
            none = of_arm(3, k, auto(le(n, k), IS_NEXT, it_is))
            early = spent(
                auto(
                    le(count + MORE, MOST + 1),
                    none,
                    this,
                    instance(plays_once(), {"N1": count}, none),
                    most_is_not_negative(),
                )
            )
        else:
            again = instance(doubles(), {"N1": count}, of_arm(0, k), begun(k))
            small = spent(auto(le(count + MORE, MOST + 1), this, again, few_plays()))
            here = cost_of_this_round(assume(le(t, T)), auto(le(2, t), of_arm(1, k), begun(k)))
            off = auto(goal, plays, left_now, fewer, passes, this, again, here, costs_of_playing(it_is), of_arm(1, k))
            early = cases(off, small, 2 * app("half_width", n, z, k), GAP)
        return cases(early, late, t, T)

    def other(_: Term, zero: Theorem) -> Theorem:
        now = auto(eq(pulled(n + 1, RUN, k), count), changes[1], (MORE, zero))
        return auto(goal, changes[0], (gain, zero), same(now, "w", left(w)), costs)

    return unless_equal(a, k, then, other)


def potential_falls(first: bool) -> Theorem:
    """The mean of the potential after an episode of the arm a is at most what it was."""
    told = TOLD
    goal = le(mean("r", told, potential(n + 1, RUN)), potential(n, z))
    return auto(goal, rounds_pay(), mono(plays_are_paid(first), "r", told))


def still_true(first: bool) -> list[Theorem]:
    """What is true of a run of n episodes is true after an episode of the arm a."""
    count, now, moved_on = pulled(n, z, b), pulled(n + 1, RUN, b), next_round()
    counted = after_episode(NEXT_PULLED, b)
    more, low = auto(lt(0, MORE), LENGTH[1]), nat_nonnegative(of_arm(0, b))

    def by_case(then: Callable[[Theorem], Theorem], other: Callable[[Theorem], Theorem]) -> Theorem:
        """From a = b and the count after an episode of b; or from 1[a = b] = 0 and the count that stays."""

        def same_arm(it_is: Theorem) -> Theorem:
            one = auto(eq(equal(a, b), 1), at_most(auto(le(a, b), it_is)), (ind(a, b), at_most(auto(le(b, a), it_is))))
            own = same(it_is, "w", next_length(pulled(n, z, w)))
            return then(auto(eq(now, count + next_length(count)), counted, (MORE, one), own))

        def another(_: Term, zero: Theorem) -> Theorem:
            return other(auto(eq(now, count), counted, (MORE, zero)))

        return unless_equal(a, b, same_arm, another)

    own_length = [instance(f, {"N1": count}, of_arm(0, b)) for f in lengths()]
    longer = auto(lt(0, next_length(count)), own_length[1])
    is_natural = by_case(
        lambda f: nat_equal(nat_sum(of_arm(0, b), own_length[0]), switched(f)),
        lambda f: nat_equal(of_arm(0, b), switched(f)),
    )
    in_rounds, was_in_rounds = le(now + 1, begins(n + 1, RUN)), of_arm(1, b)
    one, other = indicator(a, b, 4), (product(weak(more), indicator(a, b, 3)), indicator(b, a, 4))
    fits = auto(in_rounds, counted, moved_on, was_in_rounds, (weak(more), one), other)
    played = le(1, now)

    def was_played(p: Theorem) -> Theorem:
        return by_case(lambda f: auto(played, f, p, longer), lambda f: auto(played, f, p))

    never = le(n + 1, b)
    if first:
        not_before = nat_nonnegative(nat_minus(assume(nat(b)), nat_next(PN), assume(lt(b, n + 1))))
        it_is = antisymmetric(assume(le(n, b)), auto(le(b, n), not_before))
        ends = at_most(auto(le(a, b), it_is, IS_NEXT)), at_most(auto(le(b, a), it_is, IS_NEXT))
        newly = auto(played, counted, ends[0], (MORE * ind(a, b), ends[1]), (MORE, ends[0]), LENGTH[1], low)
        is_played = cases(newly, was_played(of_arm(2, b, assume(lt(b, n)))), n, b)
        other = not_at_most(auto(lt(a, b), IS_NEXT, assume(never)))
        not_yet = auto(eq(now, 0), counted, (MORE * ind(a, b), other), of_arm(3, b, auto(le(n, b), assume(never))))
    else:
        is_played = was_played(begun(b))
        not_yet = absurd(contradiction(assume(never), assume(lt(b, K)), assume(LATER)), eq(now, 0))
    goals = invariant(n + 1, RUN)
    shown = is_natural, fits, is_played, not_yet
    of_arms = [for_all("b", p, *f.given) for p, f in zip(shown, goals[1:], strict=True) if isinstance(f, All)]
    return [nat_equal(nat_sum(ROUND, LENGTH[0]), switched(moved_on)), *of_arms]


TOTAL = MOST + 1 + 2 / excess


def at_the_start() -> Theorem:
    """The potential before the first episode is at most TOTAL."""
    start = var("empty")
    none = {of: instance(NOT_PULLED, {"a": of}, *arm(of)) for of in (best, k)}
    s, now = j + 2, begins(0, start)
    is_s = exp_log(auto(lt(0, s), nat_nonnegative(assume(nat(j)))))
    later = exp(-(1 + excess) * log(s))
    product_ = auto(eq(s * falling(s), later), (falling(s), is_s))
    empty = []
    for of, sign in SIDES:
        off = index_is_off(of, sign, released(0, start, of), pulled(0, start, of), s)
        unknown = not_at_most(auto(lt(pulled(0, start, of), 1), none[of]))
        empty.append(
            auto(eq(kept_of(of, sign, 0, start, s), later), (s * off, unknown), (falling(s), none[of]), product_)
        )
    low = weak(exp_positive(-(1 + excess) * log(s)))
    body = for_rounds(0, start).args[1].args[2]
    each = auto(le(0, 2 * later - body), *((ind(now, s), f) for f in empty), (2 * later, indicator(now, s, 4)), low)
    of_rounds = auto(le(for_rounds(0, start), 2 / excess), sum_over(each, "j", T), instance(powers_add_up()))
    own = same(none[k], "w", left(w))
    whole = auto(le(left(0), MOST + 1), (auto(le(0, MOST + 1), most_is_not_negative()), indicator(0, MOST + 1, 4)))
    return auto(le(potential(0, start), TOTAL), instance(NOT_IN_TIME, {"a": k}, *arm(k)), own, whole, of_rounds)


def nothing_yet() -> list[Theorem]:
    """What is true of a run without episodes."""
    start = var("empty")
    none, (_, *goals) = instance(NOT_PULLED, {"a": b}, *arm(b)), invariant(0, start)
    natural_now = nat_equal(nat_zero(), switched(none))
    false = contradiction(nat_nonnegative(assume(nat(b))), assume(lt(b, 0)))
    shown = (natural_now, auto(conclusion(goals[1]), none, FIRST_ROUND), absurd(false, conclusion(goals[2])), none)
    of_arms = [for_all("b", p, *f.given) for p, f in zip(shown, goals, strict=True) if isinstance(f, All)]
    return [nat_equal(natural(term(1)), switched(FIRST_ROUND)), *of_arms]


WHOLE_RUNS = Runs(RUNS, TOLD, RUN, private_index, invariant, nothing_yet, still_true)


@shown
def plays_of_an_arm() -> Theorem:
    """E N_k(T) <= TOTAL."""
    rest = sum_over(auto(le(0, for_rounds(n, z).args[1].args[2]), *map(_kept_low, SIDES)), "j", T)
    end = auto(le(in_time(n, z, k), potential(n, z)), rest, not_below_zero(MOST + 1 - pulled(n, z, k)))
    return WHOLE_RUNS.stay_below(lambda i, z: in_time(i, z, k), potential, potential_falls, at_the_start(), end)


def _kept_low(side: tuple[Term, int]) -> Theorem:
    of, sign = side
    s = j + 2
    off, known = of_round(of, sign, s)
    values = {"N1": pulled(n, z, of), "t": begins(n, z), "s": s, "B1": off, "p": falling(s)}
    return instance(not_negative(), values, *known)


@lemma("u d T", le(0, d))
def time_does_not_go_back() -> Theorem:
    """min(u, T) <= min(u + d, T)."""
    goal, more = le(until(u, T), until(u + d, T)), assume(le(0, d))
    early, late, over = assume(le(u + d, T)), assume(lt(T, u + d)), assume(le(u, T))
    soon = auto(goal, (u - T, at_most(auto(le(u, T), early, more))), (u + d - T, at_most(early)), more)
    gone = not_at_most(late)
    now = auto(goal, (u - T, at_most(over)), (u + d - T, gone), over)
    done = auto(goal, (u - T, not_at_most(assume(lt(T, u)))), (u + d - T, gone))
    return cases(soon, cases(now, done, u, T), u + d, T)


@shown
def plays_are_not_negative() -> Theorem:
    """0 <= E N_k(T)."""

    def falls(first: bool) -> Theorem:
        longer, t = weak(auto(lt(0, MORE), LENGTH[1])), begins(n, z)
        passes = instance(time_does_not_go_back(), {"u": t - 1, "d": MORE}, longer)
        ends = product(
            product(indicator(a, k, 3), indicator(k, a, 3)),
            auto(le(0, until(t - 1 + MORE, T) - until(t - 1, T)), passes),
        )
        more = auto(le(-in_time(n + 1, RUN, k), -in_time(n, z, k)), after_episode(NEXT_IN_TIME, k), ends)
        return mono(more, "r", TOLD)

    def negative(i: Any, z: Any) -> Term:
        return -in_time(i, z, k)

    begin = auto(le(negative(0, var("empty")), 0), instance(NOT_IN_TIME, {"a": k}, *arm(k)))
    least = WHOLE_RUNS.stay_below(negative, negative, falls, begin, auto(le(negative(n, z), negative(n, z))))
    return auto(le(0, mean("z", RUNS, in_time(T, z, k))), least)


@shown
def all_plays() -> Theorem:
    """The sum of E N_k(T) over the arms is at most T."""

    def in_all(i: Any, z: Any) -> Term:
        return sum_of(lambda k: in_time(i, z, k), K, "k")

    def rest(i: Any, z: Any) -> Term:
        return in_all(i, z) + T - until(begins(i, z) - 1, T)

    def falls(first: bool) -> Theorem:
        t = begins(n, z)
        gain = until(t - 1 + MORE, T) - until(t - 1, T)
        one = an_arm(a)
        each = sum_over(
            auto(eq(0, in_time(n + 1, RUN, k) - in_time(n, z, k) - equal(a, k) * gain), after_episode(NEXT_IN_TIME, k)),
            "k",
            K,
        )
        moved_on = same(next_round(), "w", until(w - 1, T))
        return mono(auto(le(rest(n + 1, RUN), rest(n, z)), each, moved_on, (gain, one)), "r", TOLD)

    start = var("empty")
    none = sum_over(switched(instance(NOT_IN_TIME, {"a": k}, *arm(k))), "k", K)
    first = same(FIRST_ROUND, "w", until(w - 1, T))
    on = at_most(auto(le(0, T), assume(le(1, T))))
    begin = auto(le(rest(0, start), T), none, first, (T, on))
    end = auto(le(in_all(n, z), rest(n, z)), instance(_until(), {"u": begins(n, z) - 1}))
    whole = WHOLE_RUNS.stay_below(in_all, rest, falls, begin, end)
    inside = sum_inside("k", K, "z", RUNS, in_time(T, z, k))
    return auto(le(sum_of(lambda k: mean("z", RUNS, in_time(T, z, k)), K, "k"), T), inside, whole)


@lemma("u T")
def _until() -> Theorem:
    return auto(le(until(u, T), T), indicator(u, T, 1))


def centre_in_range(of: Term) -> tuple[Theorem, Theorem]:
    """0 <= centre <= 1 of an arm."""
    told = nu(of)
    is_it = instance(is_centre(), {"X": fn("", told), "centre": centre(of)}, instance(REWARDS, {"a": of}, *arm(of)))
    low, high = (mono(mono(indicator(v, x, part), "v", UNIT), "x", told) for part in (3, 4))
    return auto(le(0, centre(of)), low, is_it), auto(le(centre(of), 1), high, is_it)


MEAN_PLAYS = mean("z", RUNS, in_time(T, z, k))


@shown
def cost_of_plays() -> Theorem:
    """The gap of k times E N_k(T), where it is positive: 1 + 2/(beta - 3) is at most 2 beta/(beta - 3)."""
    apart, beyond = assume(lt(0, GAP)), assume(lt(0, excess))
    inverse, slack = reciprocal(apart), product(apart, reciprocal_positive(beyond))
    most = 8 * LEVEL / GAP + 8 * root + 2 * beta / excess * GAP
    return auto(
        le(GAP * MEAN_PLAYS, most),
        (weak(apart), plays_of_an_arm()),
        (8 * LEVEL / GAP + 8 * root, inverse),
        (GAP, reciprocal(beyond)),
        apart,
        slack,
    )


@proof
def by_gaps(statement: All) -> Theorem:
    """The regret is at most the sum of what its arms may cost."""
    costs, apart = app("most", k), assume(lt(0, GAP))
    goal, small = le(0, costs - GAP * MEAN_PLAYS), auto(le(GAP, 1), centre_in_range(best)[1], centre_in_range(k)[0])
    free, of_costs = (assume(g) for g in statement.given if isinstance(g, All) and free_in(g.then) & {"most"})
    enough = instance(instance(of_costs, {"a": k}, *arm(k)), {}, auto(lt(centre(k), centre(best)), apart))
    inverse, own = reciprocal(apart), product(product(costs_of_one(), weak(apart)), auto(le(0, 1 - GAP), small))
    scaled = auto(le(GAP * GAP * MEAN_PLAYS, costs * GAP), enough, (apart, cost_of_plays()), (LEVEL, inverse), own)
    some = auto(goal, (reciprocal_positive(apart), scaled), (costs - GAP * MEAN_PLAYS, inverse))
    none = antisymmetric(assume(le(GAP, 0)), gap_is_not_negative())
    no_costs = auto(goal, (MEAN_PLAYS, none), instance(free, {"i": k}, arm(k)[0]))
    return auto(statement.then, sum_over(cases(no_costs, some, GAP, term(0)), "k", K))


def costs_of_one() -> Theorem:
    """0 <= 2 beta/(beta - 3)."""
    beyond = assume(lt(0, excess))
    return product(auto(le(0, 2 * beta), beyond), weak(reciprocal_positive(beyond)))


@shown
def split_at_a_gap() -> Theorem:
    """The regret is at most 4 lead and, for each arm, 8 root and 2 beta/(beta - 3) times its gap."""
    rest, level, twice = 8 * root + 2 * beta / excess * GAP, 8 * LEVEL, 2 * var("lead")
    lead, wide = assume(le(0, var("lead"))), assume(le(2 * K * T * LEVEL, var("lead") * var("lead")))
    rest_low = auto(le(0, rest), assume(le(0, root)), product(costs_of_one(), gap_is_not_negative()))
    low = auto(le(0, level), level_is_not_negative())
    costs = Costs(MEAN_PLAYS, level, rest, cost_of_plays(), plays_are_not_negative(), all_plays(), low, rest_low)
    return costs.split_for(twice, auto(le(0, twice), lead), auto(le(K * T * level, twice * twice), wide))


@proof
def without_gaps(statement: All) -> Theorem:
    """The regret is at most 4 lead + 8 K root, and at most three beta/(beta - 3) times the gaps."""
    gaps = product(costs_of_one(), sum_over(gap_is_not_negative(), "k", K))
    return auto(statement.then, split_at_a_gap(), gaps)


@proof
def of_an_arm(statement: All) -> Theorem:
    """What is said of the plays of k, of any arm."""
    spot = var("arm")
    apart, own = assume(lt(0, GAP)), product(costs_of_one(), square(GAP))
    inverse, slack = reciprocal(apart), product(apart, weak(apart))
    goal = le(MEAN_PLAYS * GAP * GAP, 8 * LEVEL + 8 * root * GAP + 2 * beta / excess * GAP * GAP)
    said = auto(goal, (apart, cost_of_plays()), (8 * LEVEL, inverse), own, slack)
    of_any = for_all("k", said, *is_arm(k, K), lt(0, GAP))
    steep = auto(lt(0, centre(best) - centre(spot)), assume(lt(centre(spot), centre(best))))
    return auto(statement.then, instance(of_any, {"k": spot}, *arm(spot), steep))
