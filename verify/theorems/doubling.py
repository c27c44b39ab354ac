"""Proofs in the kernel of how often an arm is played whose episodes double, by a potential: AdaC-UCB and AdaP-UCB.

What an index is made of enters by two chances. `low(N, x, s)` is 1 where the index of the best arm, after N plays and
with x released, is below its mean in round s; `bad(N, x)` is 1 where that of the arm k may exceed the best mean later.
The potential holds the plays so far; those up to `few`, twice; `factor` or, after them, all rounds to come if what is
released now is bad; and for each round s to come twice its number, if the best arm is low then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
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
from banditproof.verify.kernel.tactics import natural
from banditproof.verify.kernel.variables import in_interval
from banditproof.verify.theorems.optimism import (
    ENOUGH,
    GAP,
    IS_NEXT,
    LATER,
    PN,
    SOON,
    Runs,
    above_zero,
    arm,
    centre,
    gap_is_not_negative,
    grows_above_zero,
    is_off,
    not_below_zero,
    ordered,
    rewritten,
    switched,
)
from banditproof.verify.theorems.policies import an_arm, picked, sum_inside, sum_over
from banditproof.verify.theorems.tails import is_centre

a, b, j, k, n, r, s, t, u, v, w, x, z = map(var, "abjknrstuvwxz")
d, p, q, B, D, N = map(var, ("d", "p", "q", "B1", "D1", "N1"))
T, K, excess, best, few, factor = map(var, ("T", "K", "excess", "best", "few", "factor"))
beta = excess + 3


def low(count: Any, mean_: Any, s: Any) -> Term:
    return app("low", count, mean_, s)


def bad(count: Any, mean_: Any) -> Term:
    return app("bad", count, mean_)


@lemma("s", le(2, s))
def log_is_positive() -> Theorem:
    """0 < log s for s >= 2."""
    value = exp_log(auto(lt(0, s)))
    small = exp_monotone(assume(le(log(s), 0)))
    return by_contradiction(lt(0, log(s)), contradiction(value, small, assume(le(2, s))))


@lemma("s excess", le(2, s), lt(0, excess))
def power_falls() -> Theorem:
    """excess s^(-1 - excess) <= (s - 1)^-excess - s^-excess for s >= 2: log(s - 1) <= log s - 1/s."""
    here, before = exp_log(auto(lt(0, s))), exp_log(auto(lt(0, s - 1)))
    inverse = reciprocal(auto(lt(0, s)))
    lower = exp(log(s) - 1 / s)
    falls = auto(le(exp(log(s - 1)), lower), before, (exp(-1 / s), here), (s, exp_tangent(-1 / s)))
    apart = ordered(falls)
    scaled = exp_monotone(auto(le(-excess * log(s) + excess / s, -excess * log(s - 1)), (excess, apart)))
    at_s = exp(-excess * log(s))
    ends = (at_s, exp_tangent(excess / s)), (exp(-(1 + excess) * log(s)) * excess / s, here), (at_s * excess, inverse)
    return auto(le(excess * exp(-(1 + excess) * log(s)), exp(-excess * log(s - 1)) - at_s), scaled, *ends)


def _later(m: Any) -> Term:
    return sum_of(lambda j: exp(-(1 + excess) * log(j + 2)), m)


@lemma("T excess", nat(T), lt(0, excess))
def powers_add_up() -> Theorem:
    """The sum of s^(-1 - excess) over s = 2, ..., T + 1 is at most 1/excess."""

    def says(m: Any) -> Rel:
        return le(excess * _later(m), exp(-excess * log(1)) - exp(-excess * log(m + 1)))

    pn = assume(nat(n))
    falls = instance(power_falls(), {"s": n + 2}, auto(le(2, n + 2), nat_nonnegative(pn)))
    more = uniform_next(pn, "j", _later(n).args[1].args[2])
    step = auto(says(n + 1), more, assume(says(n)), falls)
    whole = induction("n", auto(says(term(0))), step, says(n), at=T)
    one = ordered(auto(le(exp(term(0)), exp(log(1))), exp_log(auto(lt(0, 1)))))
    small = exp_monotone(auto(le(-excess * log(1), 0), (excess, one)))
    total = auto(le(excess * _later(T), 1), whole, small)
    positive = assume(lt(0, excess))
    return auto(le(_later(T), 1 / excess), (reciprocal_positive(positive), total))


@lemma("u d T", le(0, d))
def time_passes() -> Theorem:
    """min(u + d, T) - min(u, T) <= d."""
    goal, soon = le(until(u + d, T) - until(u, T), d), assume(le(u, T))
    late = assume(lt(T, u))
    gone = not_at_most(late)
    over = not_at_most(auto(lt(T, u + d), late))
    early = auto(goal, (T - u, at_most(soon)), indicator(u + d, T, 2))
    return cases(early, auto(goal, (T - u, gone), (u + d - T, over)), u, T)


@lemma("u d T", le(0, d))
def time_does_not_go_back() -> Theorem:
    """min(u, T) <= min(u + d, T)."""
    goal = le(until(u, T), until(u + d, T))
    early, late, over = assume(le(u + d, T)), assume(lt(T, u + d)), assume(le(u, T))
    soon = auto(goal, (u - T, at_most(auto(le(u, T), early))), (u + d - T, at_most(early)))
    gone = not_at_most(late)
    now = auto(goal, (u + d - T, gone), over)
    done = auto(goal, (u - T, not_at_most(assume(lt(T, u)))), (u + d - T, gone))
    return cases(soon, cases(now, done, u, T), u + d, T)


@lemma("u T")
def in_all() -> Theorem:
    """min(u, T) <= T."""
    return auto(le(until(u, T), T), indicator(u, T, 1))


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
    over = not_at_most(auto(lt(t, s), far))
    later = auto(
        goal,
        (D, at_most(far)),
        (kept, at_most(auto(le(t, s), far))),
        instance(grown, {}, far),
        (t * B * ind(t, s), over),
    )
    missed = not_at_most(assume(lt(s, t + d)))
    rest, off = product(auto(le(0, s - N), near), cheap), product(auto(le(0, s - t), near), bad)
    paid = product(product(auto(le(0, t)), bad), auto(le(0, 1 - ind(s, t))))
    here = auto(goal, (D, missed), (kept - t * B * ind(s, t), at_most(near)), rest, off, paid)
    before = auto(goal, (D, missed), (kept - t * B * ind(s, t), not_at_most(gone)))
    return cases(later, cases(here, before, t, s), t + d, s)


@lemma("N1 t s B1 p")
def not_negative() -> Theorem:
    """What is kept for a round is not negative."""
    counted, cheap, bad, low = suppose(le(N + 1, t), le(0, p), le(0, B), le(0, N))
    goal, near = le(0, ind(t, s) * (s * B + (s - N) * p)), assume(le(t, s))
    kept = s * B + (s - N) * p
    rest = product(auto(le(0, s - N), near), cheap)
    on = auto(goal, rest, product(auto(le(0, s), near), bad))
    return cases(on, auto(goal, (kept, not_at_most(assume(lt(s, t))))), t, s)


@lemma("N1", nat(N), le(1, N))
def doubles() -> Theorem:
    """An arm that was played before is played as often again."""
    return auto(eq(next_length(N), N), (ind(0, N), not_at_most(auto(lt(0, N)))))


@lemma("N1", eq(N, 0))
def plays_once() -> Theorem:
    """The first episode of an arm is one round."""
    low, high = at_most(auto(le(N, 0))), at_most(auto(le(0, N)))
    return auto(eq(next_length(N), 1), (ind(0, N), low), high)


NONE = antisymmetric(assume(le(N, 0)), nat_nonnegative(assume(nat(N))))
BEFORE = nat_minus(nat_zero(), assume(nat(N)), assume(lt(0, N)))
SOME = auto(le(1, N), nat_nonnegative(BEFORE))


def by_plays(first: Theorem, again: Theorem, names: str = "N1", *given: Formula) -> Theorem:
    """What is shown of an arm that was never played, and of one that was, for all N1."""
    return for_all(names, cases(first, again, N, term(0)), *given, nat(N))


@once
def lengths() -> tuple[Theorem, Theorem, Theorem]:
    """The length of an episode is a natural number, at least 1, and no less than all plays before."""
    pn = assume(nat(N))
    first, again = instance(plays_once(), {}, NONE), instance(doubles(), {}, pn, SOME)
    more = next_length(N)
    is_natural = nat_equal(natural(term(1)), auto(eq(1, more), first)), nat_equal(pn, auto(eq(N, more), again))
    return (
        by_plays(*is_natural),
        by_plays(auto(le(1, more), first), auto(le(1, more), SOME)),
        for_all("N1", auto(le(N, more)), nat(N)),
    )


KNOWN = nat(T), le(1, T), nat(K), le(1, K), lt(0, excess)


def shown(body: Callable[..., Theorem]) -> Callable[..., Theorem]:
    """What every statement about such an algorithm needs, proved once from what its numbers are."""

    @once
    @wraps(body)
    def theorem(*arguments: Any) -> Theorem:
        suppose(*KNOWN)
        return body(*arguments)

    return theorem


def release(of: Any, count: Any) -> Term:
    return law("release", of, count)


RUNS = runs_of_episodes(pi, release, T)
FIRST_ROUND, NOT_PULLED, NOT_IN_TIME, NEXT_ROUND, NEXT_PULLED, NEXT_RELEASED, NEXT_IN_TIME = (
    assume(f) for f in episodes_are_counted(T, K)[2:]
)
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


def begun(of: Term) -> Theorem:
    """Every arm was played before the later episodes."""
    return of_arm(2, of, auto(lt(of, n), assume(lt(of, K)), assume(LATER)))


LENGTH = [instance(f, {"N1": pulled(n, z, a)}, of_arm(0, a)) for f in lengths()]
LONGER = weak(auto(lt(0, MORE), LENGTH[1]))


def after_episode(equation: Theorem, of: Term) -> Theorem:
    """What an equation of the counts says of an arm after an episode of the arm a."""
    return instance(equation, {"i": n, "b": of}, PN, SOON, *arm(a), *arm(of))


def next_round() -> Theorem:
    return instance(NEXT_ROUND, {"i": n}, PN, SOON, *arm(a))


# ------------------------------------------------------------------------------------------------------ the premises

m = var("m")
OFF = (
    All(("m", "r", "s"), (), le(0, low(m, r, s))),
    All(("m", "r"), (), le(0, bad(m, r))),
    All(("m", "r"), (), le(bad(m, r), 1)),
)
NEXT = m + next_length(m)
RARE = (
    All(("m", "s"), (nat(m), le(2, s)), le(mean("r", release(best, m), low(NEXT, r, s)), factor * exp(-beta * log(s)))),
    All(("m",), (nat(m),), le(T * mean("r", release(k, m), bad(NEXT, r)), factor)),
)
PAST = le(1, pulled(n, z, k)), le(few, pulled(n, z, k))
ONE_IS_OFF = le(
    1, low(pulled(n, z, best), released(n, z, best), begins(n, z)) + bad(pulled(n, z, k), released(n, z, k))
)
Index = Callable[[Any, Any, Any], Term]


def is_larger(index: Index) -> Rel:
    return le(index(n, z, best), index(n, z, k))


def in_time_and_larger(index: Index) -> tuple[Formula, ...]:
    return nat(n), LATER, le(n + 1, T), *invariant(n, z), is_larger(index), *PAST, le(begins(n, z), T)


BOUNDS = le(0, few), le(0, factor), le(factor, 2)


def premises(index: Index) -> tuple[Formula, ...]:
    return *OFF, *RARE, All(("n", "z"), in_time_and_larger(index), ONE_IS_OFF), *BOUNDS


# ----------------------------------------------------------------------------------------------------- the potential


def falling(s: Any) -> Term:
    """What is kept for a round of each release to come: 2 factor s^(1 - beta)."""
    return 2 * factor * exp(-(2 + excess) * log(s))


def kept(count: Any, mean_: Any, s: Any) -> Term:
    """What is kept for round s: twice its number if the best arm is low, and a part for a release to come."""
    return s * (2 * low(count, mean_, s) * ind(1, count)) + (s - count) * falling(s)


def kept_of(i: Any, z: Any, s: Any) -> Term:
    return kept(pulled(i, z, best), released(i, z, best), s)


def for_rounds(i: Any, z: Any) -> Term:
    return sum_of(lambda j: ind(begins(i, z), j + 2) * kept_of(i, z, j + 2), T)


def left(count: Any) -> Term:
    return above_zero(2 * few + 1 - count)


def owed(count: Any, mean_: Any, t: Any) -> Term:
    """After `few` plays all rounds to come if what is released is bad; before that, `factor`."""
    past = ind(1, count) * ind(few, count)
    return past * bad(count, mean_) * (T - until(t - 1, T)) + (1 - past) * factor


def spent(i: Any, z: Any) -> Term:
    count = pulled(i, z, k)
    return in_time(i, z, k) + left(count) + owed(count, released(i, z, k), begins(i, z))


def potential(i: Any, z: Any) -> Term:
    return spent(i, z) + for_rounds(i, z)


def kept_after(s: Term, late: Theorem) -> Theorem:
    """An episode of the arm a leaves no more for round s in the mean than was kept for it."""
    count, told_mean = pulled(n, z, best), released(n, z, best)
    changes = [after_episode(f, best) for f in (NEXT_PULLED, NEXT_RELEASED)]
    goal = le(mean("r", TOLD, kept_of(n + 1, RUN, s)), kept_of(n, z, s))
    is_s = exp_log(auto(lt(0, s), late))

    def rewrite(to: tuple[Any, ...], *facts: Fact) -> list[Theorem]:
        changed = [auto(eq(f.conclusion.args[0], value), f, *facts) for f, value in zip(changes, to, strict=True)]  # type: ignore[union-attr]
        return [mono(f, "r", TOLD) for f in rewritten(lambda c, m: kept(c, m, s), changed)]

    def then(it_is: Theorem) -> Theorem:
        one = is_equal(it_is)
        new = rewrite((count + MORE, r), (MORE, one), (r - told_mean, one))
        off = low(count + MORE, r, s)
        is_low = instance(assume(OFF[0]), {"m": count + MORE, "s": s})
        below = mono(auto(le(off * ind(1, count + MORE), off), (is_low, indicator(1, count + MORE, 4))), "r", TOLD)
        rare = instance(assume(RARE[0]), {"m": count, "s": s}, of_arm(0, best), late)
        named = same(
            it_is, "w", mean("r", release(w, pulled(n, z, w)), low(count + next_length(pulled(n, z, w)), r, s))
        )
        value = auto(eq(2 * s * factor * exp(-beta * log(s)), falling(s)), (2 * factor * exp(-beta * log(s)), is_s))
        more = product(auto(le(0, MORE - 1), LENGTH[1]), _falling_low(s))
        high = auto(le(0, 2 * s), late)
        old = product(high, _off_low(s))
        return auto(
            goal,
            *new,
            (high, below),
            (high, auto(le(mean("r", TOLD, off), factor * exp(-beta * log(s))), rare, named)),
            value,
            more,
            old,
        )

    def other(_: Term, zero: Theorem) -> Theorem:
        return auto(goal, *rewrite((count, told_mean), (MORE, zero), (r - told_mean, zero)))

    return unless_equal(a, best, then, other)


def _falling_low(s: Term) -> Theorem:
    return product(assume(BOUNDS[1]), auto(le(0, 2 * exp(-(2 + excess) * log(s)))))


def off_in(s: Any) -> Term:
    """1 where the best arm, once it was played, is low in round s."""
    count = pulled(n, z, best)
    return low(count, released(n, z, best), s) * ind(1, count)


def _off_low(s: Term) -> Theorem:
    is_low = instance(assume(OFF[0]), {"m": pulled(n, z, best), "r": released(n, z, best), "s": s})
    return product(is_low, indicator(1, pulled(n, z, best), 3))


def cost_in(s: Any) -> Term:
    return 2 * begins(n, z) * off_in(s)


def all_costs() -> Term:
    return sum_of(lambda j: equal(begins(n, z), j + 2) * cost_in(j + 2), T)


def of_round(s: Term) -> tuple[dict[str, Term], list[Theorem]]:
    """What is kept for round s, with what is known of it."""
    count = pulled(n, z, best)
    values = {"N1": count, "t": begins(n, z), "s": s, "B1": 2 * off_in(s), "p": falling(s)}
    is_low = auto(le(0, 2 * off_in(s)), _off_low(s))
    return values, [of_arm(1, best), _falling_low(s), is_low, nat_nonnegative(of_arm(0, best))]


def rounds_pay() -> Theorem:
    """All that is kept for rounds to come is no less than the costs and what is kept after an episode of the arm a."""
    s, t = j + 2, begins(n, z)
    after = kept_after(s, auto(le(2, s), nat_nonnegative(assume(nat(j)))))
    given, (below, cheap, is_low, counted) = of_round(s)
    values = given | {"d": MORE, "D1": conclusion(after.conclusion).args[0]}
    enough = for_all("", after, le(t + MORE, s))
    each = instance(charged(), values, below, cheap, is_low, auto(lt(0, MORE), LENGTH[1]), counted, enough)
    body, now = ind(begins(n + 1, RUN), s) * kept_of(n + 1, RUN, s), ind(t, s) * kept_of(n, z, s)
    moved_on = mono(same(next_round(), "w", ind(w, s) * kept_of(n + 1, RUN, s)), "r", TOLD)
    in_round = auto(le(0, now - mean("r", TOLD, body) - equal(t, s) * cost_in(s)), each, moved_on)
    whole, inside = sum_over(in_round, "j", T), sum_inside("j", T, "r", TOLD, body)
    return auto(le(mean("r", TOLD, for_rounds(n + 1, RUN)) + all_costs(), for_rounds(n, z)), whole, inside)


def costs_are_not_negative() -> Theorem:
    s = j + 2
    equal_low = product(indicator(begins(n, z), s, 3), indicator(s, begins(n, z), 3))
    in_round = product(equal_low, auto(le(0, cost_in(s)), product(nat_nonnegative(ROUND), _off_low(s))))
    return auto(le(0, all_costs()), sum_over(in_round, "j", T))


def cost_of_this_round(early: Theorem, begun: Theorem) -> Theorem:
    """In a round t of 2, ..., T + 1 all costs are those of this round."""
    t = begins(n, z)
    spot = t - 2
    place = nat_minus(natural(term(1)), ROUND, auto(lt(1, t), begun)), auto(lt(spot, T), early)
    found = for_all("j", picked(lambda j: cost_in(j + 2), j, T), *is_arm(j, T))
    at = instance(found, {"j": spot}, *place)
    return auto(eq(all_costs(), cost_in(t)), at)


# ------------------------------------------------------------------------------------------- an episode of the arm k

COUNT, MEAN, ROUND_NOW = pulled(n, z, k), released(n, z, k), begins(n, z)
GAIN = until(ROUND_NOW - 1 + MORE, T) - until(ROUND_NOW - 1, T)
AFTER = owed(COUNT + MORE, r, ROUND_NOW + MORE)
IS_BAD_LOW, IS_BAD_HIGH = (instance(assume(f), {"m": COUNT, "r": MEAN}) for f in OFF[1:])
PAST_LOW = product(indicator(1, COUNT, 3), indicator(few, COUNT, 3))
REST = auto(le(0, T - until(ROUND_NOW - 1, T)), instance(in_all(), {"u": ROUND_NOW - 1}))
REST_AFTER = auto(le(0, T - until(ROUND_NOW + MORE - 1, T)), instance(in_all(), {"u": ROUND_NOW + MORE - 1}))


def same_after(values: list[Theorem]) -> list[Theorem]:
    """The mean of what is spent after the episode: `values` are the plays in time, the plays and what is released."""

    def body(now: Term, count: Term, mean_: Term, t: Term) -> Term:
        return now + left(count) + owed(count, mean_, t)

    return [mono(f, "r", TOLD) for f in rewritten(body, [*values, next_round()])]


def changed(to: tuple[Term, ...], one: Theorem) -> list[Theorem]:
    """The plays in time, the plays and what is released after the episode, from 1[a = k] = 1 or 0."""
    changes = [after_episode(f, k) for f in (NEXT_IN_TIME, NEXT_PULLED, NEXT_RELEASED)]
    factors = GAIN, MORE, r - MEAN
    return [
        auto(eq(conclusion(f.conclusion).args[0], value), f, (part, one))
        for f, value, part in zip(changes, to, factors, strict=True)
    ]


def seldom_owed(it_is: Theorem) -> Theorem:
    """What is owed after the release has a mean of at most `factor`."""
    chance = mean("r", TOLD, bad(COUNT + MORE, r))
    rare = instance(assume(RARE[1]), {"m": COUNT}, of_arm(0, k))
    named = same(it_is, "w", mean("r", release(w, pulled(n, z, w)), bad(COUNT + next_length(pulled(n, z, w)), r)))
    seldom = auto(le(T * chance, factor), rare, (T, named))
    not_negative = mono(instance(assume(OFF[1]), {"m": COUNT + MORE}), "r", TOLD)
    begun = instance(
        not_before(),
        {"u": ROUND_NOW + MORE - 1},
        auto(le(0, ROUND_NOW + MORE - 1), of_arm(1, k), LONGER, nat_nonnegative(of_arm(0, k))),
    )
    fewer = auto(le((T - until(ROUND_NOW + MORE - 1, T)) * chance, factor), seldom, (not_negative, begun))
    low = product(indicator(1, COUNT + MORE, 3), indicator(few, COUNT + MORE, 3))
    return auto(le(mean("r", TOLD, AFTER), factor), (low, fewer))


@lemma("u T", le(0, u), le(0, T))
def not_before() -> Theorem:
    """0 <= min(u, T)."""
    goal = le(0, until(u, T))
    soon = auto(goal, (u - T, at_most(assume(le(u, T)))))
    return cases(soon, auto(goal, (u - T, not_at_most(assume(lt(T, u))))), u, T)


def early(none: Theorem, enough: Theorem, it_is: Theorem) -> Theorem:
    """Before `few` plays, from 1[few <= N] 1[1 <= N] = 0 and N + MORE <= 2 few + 1, what is left pays."""
    rest = 2 * few + 1 - COUNT
    some = at_most(auto(le(0, rest - MORE), enough)), at_most(auto(le(0, rest), enough, LONGER))
    passes = instance(time_passes(), {"u": ROUND_NOW - 1, "d": MORE}, LONGER)
    own = bad(COUNT, MEAN) * (T - until(ROUND_NOW - 1, T)) - factor, none
    return auto(
        PAID, seldom_owed(it_is), own, (rest - MORE, some[0]), (rest, some[1]), passes, costs_are_not_negative()
    )


PAID = le(
    in_time(n, z, k) + GAIN + left(COUNT + MORE) + mean("r", TOLD, AFTER),
    in_time(n, z, k) + left(COUNT) + owed(COUNT, MEAN, ROUND_NOW) + all_costs(),
)


def late(index: Index, it_is: Theorem) -> Theorem:
    """After `few` plays: all rounds to come are owed if what was released is bad, and else the best arm is low."""
    some, enough = of_k(), assume(le(few, COUNT))
    past = at_most(some), at_most(enough)
    more = at_most(auto(le(1, COUNT + MORE), some, LONGER)), at_most(auto(le(few, COUNT + MORE), enough, LONGER))
    smaller = auto(le(2 * few + 1 - COUNT - MORE, 2 * few + 1 - COUNT), LONGER)
    fewer = instance(grows_above_zero(), {"u": 2 * few + 1 - COUNT, "v": 2 * few + 1 - COUNT - MORE}, smaller)
    own = auto(
        eq(owed(COUNT, MEAN, ROUND_NOW), bad(COUNT, MEAN) * (T - until(ROUND_NOW - 1, T))),
        (ind(few, COUNT) * (bad(COUNT, MEAN) * (T - until(ROUND_NOW - 1, T)) - factor), past[0]),
        (bad(COUNT, MEAN) * (T - until(ROUND_NOW - 1, T)) - factor, past[1]),
    )
    rest = T - until(ROUND_NOW + MORE - 1, T)
    is_bad = bad(COUNT + MORE, r)
    new = auto(
        eq(AFTER, is_bad * rest),
        (ind(few, COUNT + MORE) * (is_bad * rest - factor), more[0]),
        (is_bad * rest - factor, more[1]),
    )
    at_most_rest = mono(
        auto(le(AFTER, rest), new, (REST_AFTER, instance(assume(OFF[2]), {"m": COUNT + MORE}))), "r", TOLD
    )
    over = assume(lt(T, ROUND_NOW))
    gone = nat_nonnegative(nat_minus(assume(nat(T)), ROUND, over))
    up = product(auto(le(0, ROUND_NOW - 1 - T), gone), indicator(ROUND_NOW - 1, T, 3))
    after = auto(PAID, own, fewer, at_most_rest, up, product(IS_BAD_LOW, REST), costs_are_not_negative())
    return cases(in_due_time(index, it_is, some, own, fewer, at_most_rest), after, ROUND_NOW, T)


def of_k() -> Theorem:
    """1 <= N_k from 0 < N_k."""
    return auto(le(1, COUNT), nat_nonnegative(nat_minus(nat_zero(), of_arm(0, k), assume(lt(0, COUNT)))))


def in_due_time(index: Index, it_is: Theorem, some: Theorem, *known: Theorem) -> Theorem:
    """In a round up to T the costs are twice its number if the best arm is low: more than N_k + factor."""
    t = ROUND_NOW
    of_a = same(it_is, "w", index(n, z, w))
    is_largest = assume(All(("b",), is_arm(b, K), le(index(n, z, b), index(n, z, a))))
    larger = auto(is_larger(index), instance(is_largest, {"b": best}, *arm(best)), of_a)
    soon = assume(le(t, T))
    given = PN, assume(LATER), ENOUGH, *map(assume, invariant(n, z)), larger, some, assume(le(few, COUNT)), soon
    decided = instance(assume(premises(index)[-4]), {}, *given)
    here = cost_of_this_round(soon, auto(le(2, t), of_arm(1, k), some))
    played = 2 * t * low(pulled(n, z, best), released(n, z, best), t), at_most(begun(best))
    again = instance(doubles(), {"N1": COUNT}, of_arm(0, k), some)
    longer = same(it_is, "w", next_length(pulled(n, z, w)))
    passes = instance(time_passes(), {"u": t - 1, "d": MORE}, LONGER)
    few_rounds = auto(
        le(GAIN + mean("r", TOLD, AFTER), 2 * t),
        passes,
        longer,
        again,
        seldom_owed(it_is),
        of_arm(1, k),
        some,
        assume(BOUNDS[2]),
    )
    either = (IS_BAD_LOW, known[2]), (auto(le(0, 1 - bad(COUNT, MEAN)), IS_BAD_HIGH), few_rounds)
    return auto(PAID, *known[:2], *either, here, played, (nat_nonnegative(ROUND), decided))


def is_paid(first: bool, index: Index) -> Theorem:
    """An episode of the arm a adds no more plays of k than it takes from what is kept, with the costs of the round."""
    goal = le(mean("r", TOLD, spent(n + 1, RUN)), spent(n, z) + all_costs())

    def then(it_is: Theorem) -> Theorem:
        new = changed((in_time(n, z, k) + GAIN, COUNT + MORE, r), is_equal(it_is))
        return auto(goal, *same_after(new), paid(first, index, it_is))

    def other(_: Term, zero: Theorem) -> Theorem:
        new = same_after(changed((in_time(n, z, k), COUNT, MEAN), zero))
        passes = instance(time_does_not_go_back(), {"u": ROUND_NOW - 1, "d": MORE}, LONGER)
        less = product(product(PAST_LOW, IS_BAD_LOW), auto(le(0, GAIN), passes))
        return auto(goal, *new, less, costs_are_not_negative())

    return unless_equal(a, k, then, other)


def paid(first: bool, index: Index, it_is: Theorem) -> Theorem:
    longer = same(it_is, "w", next_length(pulled(n, z, w)))
    never = antisymmetric(assume(le(COUNT, 0)), nat_nonnegative(of_arm(0, k)))
    none = auto(eq(ind(1, COUNT) * ind(few, COUNT), 0), (ind(few, COUNT), not_at_most(auto(lt(COUNT, 1), never))))
    once_ = auto(
        le(COUNT + MORE, 2 * few + 1), never, longer, instance(plays_once(), {"N1": COUNT}, never), assume(BOUNDS[0])
    )
    if first:
        nothing = of_arm(3, k, auto(le(n, k), IS_NEXT, it_is))
        return cases(
            early(none, once_, it_is), absurd(contradiction(nothing, assume(lt(0, COUNT))), PAID), COUNT, term(0)
        )
    not_yet = assume(lt(COUNT, few))
    still = auto(eq(ind(1, COUNT) * ind(few, COUNT), 0), (ind(1, COUNT), not_at_most(not_yet)))
    again = instance(doubles(), {"N1": COUNT}, of_arm(0, k), of_k())
    twice = auto(le(COUNT + MORE, 2 * few + 1), not_yet, longer, again)
    return cases(
        early(none, once_, it_is), cases(late(index, it_is), early(still, twice, it_is), few, COUNT), COUNT, term(0)
    )


def potential_falls(first: bool, index: Index) -> Theorem:
    """The mean of the potential after an episode of the arm a is at most what it was."""
    return auto(le(mean("r", TOLD, potential(n + 1, RUN)), potential(n, z)), rounds_pay(), is_paid(first, index))


def still_true(first: bool) -> list[Theorem]:
    """What is true of a run of n episodes is true after an episode of the arm a."""
    count, now, moved_on = pulled(n, z, b), pulled(n + 1, RUN, b), next_round()
    counted = after_episode(NEXT_PULLED, b)
    more, low = auto(lt(0, MORE), LENGTH[1]), nat_nonnegative(of_arm(0, b))

    def by_case(then: Callable[[Theorem], Theorem], other: Callable[[Theorem], Theorem]) -> Theorem:
        """From a = b and the count after an episode of b; or from 1[a = b] = 0 and the count that stays."""

        def same_arm(it_is: Theorem) -> Theorem:
            one = is_equal(it_is)
            own = same(it_is, "w", next_length(pulled(n, z, w)))
            return then(auto(eq(now, count + next_length(count)), counted, (MORE, one), own))

        def another(_: Term, zero: Theorem) -> Theorem:
            return other(auto(eq(now, count), counted, (MORE, zero)))

        return unless_equal(a, b, same_arm, another)

    own_length = [instance(f, {"N1": count}, of_arm(0, b)) for f in lengths()]
    is_natural = by_case(
        lambda f: nat_equal(nat_sum(of_arm(0, b), own_length[0]), switched(f)),
        lambda f: nat_equal(of_arm(0, b), switched(f)),
    )
    in_rounds, was_in_rounds = le(now + 1, begins(n + 1, RUN)), of_arm(1, b)
    one, other = indicator(a, b, 4), (product(weak(more), indicator(a, b, 3)), indicator(b, a, 4))
    fits = auto(in_rounds, counted, moved_on, was_in_rounds, (weak(more), one), other)
    played = le(1, now)

    def was_played(p: Theorem) -> Theorem:
        return by_case(lambda f: auto(played, f, p), lambda f: auto(played, f, p))

    never = le(n + 1, b)
    if first:
        not_before = nat_nonnegative(nat_minus(assume(nat(b)), nat_next(PN), assume(lt(b, n + 1))))
        it_is = antisymmetric(assume(le(n, b)), auto(le(b, n), not_before))
        ends = at_most(auto(le(a, b), it_is, IS_NEXT)), at_most(auto(le(b, a), it_is, IS_NEXT))
        newly = auto(played, counted, (MORE * ind(a, b), ends[1]), (MORE, ends[0]), LENGTH[1], low)
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


TOTAL = 2 * few + 1 + factor + 2 * factor / excess


def at_the_start() -> Theorem:
    """The potential before the first episode is at most TOTAL."""
    start = var("empty")
    none, never = (instance(NOT_PULLED, {"a": of}, *arm(of)) for of in (best, k))
    s, now = j + 2, begins(0, start)
    is_s, later = exp_log(auto(lt(0, s), nat_nonnegative(assume(nat(j))))), exp(-(1 + excess) * log(s))
    unknown = not_at_most(auto(lt(pulled(0, start, best), 1), none))
    value = auto(eq(s * falling(s), 2 * factor * later), (2 * factor * exp(-(2 + excess) * log(s)), is_s))
    is_low = s * 2 * low(pulled(0, start, best), released(0, start, best), s)
    kept_now = auto(eq(kept_of(0, start, s), 2 * factor * later), (is_low, unknown), (falling(s), none), value)
    high = product(assume(BOUNDS[1]), weak(exp_positive(-(1 + excess) * log(s))))
    body = for_rounds(0, start).args[1].args[2]
    each = auto(le(0, 2 * factor * later - body), (ind(now, s), kept_now), (high, indicator(now, s, 4)))
    total = assume(BOUNDS[1]), instance(powers_add_up())
    of_rounds = auto(le(for_rounds(0, start), 2 * factor / excess), sum_over(each, "j", T), total)
    own = same(never, "w", left(w))
    whole = auto(le(left(0), 2 * few + 1), (auto(le(0, 2 * few + 1), assume(BOUNDS[0])), indicator(0, 2 * few + 1, 4)))
    not_yet = not_at_most(auto(lt(pulled(0, start, k), 1), never))
    rest = bad(pulled(0, start, k), released(0, start, k)) * (T - until(now - 1, T)) - factor
    is_owed = auto(
        eq(owed(pulled(0, start, k), released(0, start, k), now), factor),
        (ind(few, pulled(0, start, k)) * rest, not_yet),
    )
    in_time_ = instance(NOT_IN_TIME, {"a": k}, *arm(k))
    return auto(le(potential(0, start), TOTAL), in_time_, own, whole, is_owed, of_rounds)


def nothing_yet() -> list[Theorem]:
    """What is true of a run without episodes."""
    start = var("empty")
    none, (_, *goals) = instance(NOT_PULLED, {"a": b}, *arm(b)), invariant(0, start)
    natural_now = nat_equal(nat_zero(), switched(none))
    false = contradiction(nat_nonnegative(assume(nat(b))), assume(lt(b, 0)))
    shown = (natural_now, auto(conclusion(goals[1]), none, FIRST_ROUND), absurd(false, conclusion(goals[2])), none)
    of_arms = [for_all("b", p, *f.given) for p, f in zip(shown, goals, strict=True) if isinstance(f, All)]
    return [nat_equal(natural(term(1)), switched(FIRST_ROUND)), *of_arms]


def runs_with(index: Index) -> Runs:
    return Runs(RUNS, TOLD, RUN, index, invariant, nothing_yet, still_true)


MEAN_PLAYS = mean("z", RUNS, in_time(T, z, k))


@shown
def plays_of_an_arm(index: Index = private_index) -> Theorem:
    """E N_k(T) <= TOTAL, for all `low`, `bad`, `few` and `factor` of which the premises hold."""
    values, known = of_round(j + 2)
    rest = sum_over(auto(le(0, for_rounds(n, z).args[1].args[2]), instance(not_negative(), values, *known)), "j", T)
    past = product(PAST_LOW, auto(le(0, bad(COUNT, MEAN) * (T - until(ROUND_NOW - 1, T))), product(IS_BAD_LOW, REST)))
    before = product(assume(BOUNDS[1]), auto(le(0, 1 - ind(1, COUNT) * ind(few, COUNT)), *_both()))
    end = auto(le(in_time(n, z, k), potential(n, z)), rest, past, before, not_below_zero(2 * few + 1 - COUNT))
    runs = runs_with(index)
    falls = partial(potential_falls, index=index)
    whole = runs.stay_below(lambda i, z: in_time(i, z, k), potential, falls, at_the_start(), end)
    return for_all("low bad few factor", whole, *premises(index))


def _both() -> tuple[Fact, Fact]:
    return (indicator(1, COUNT, 3), indicator(few, COUNT, 4)), indicator(1, COUNT, 4)


@shown
def plays_are_not_negative(index: Index = private_index) -> Theorem:
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
    least = runs_with(index).stay_below(negative, negative, falls, begin, auto(le(negative(n, z), negative(n, z))))
    return auto(le(0, mean("z", RUNS, in_time(T, z, k))), least)


@shown
def all_plays(index: Index = private_index) -> Theorem:
    """The sum of E N_k(T) over the arms is at most T."""

    def plays(i: Any, z: Any) -> Term:
        return sum_of(lambda k: in_time(i, z, k), K, "k")

    def rest(i: Any, z: Any) -> Term:
        return plays(i, z) + T - until(begins(i, z) - 1, T)

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
    on = at_most(auto(le(0, T)))
    begin = auto(le(rest(0, start), T), none, first, (T, on))
    end = auto(le(plays(n, z), rest(n, z)), instance(in_all(), {"u": begins(n, z) - 1}))
    whole = runs_with(index).stay_below(plays, rest, falls, begin, end)
    inside = sum_inside("k", K, "z", RUNS, in_time(T, z, k))
    return auto(le(sum_of(lambda k: mean("z", RUNS, in_time(T, z, k)), K, "k"), T), inside, whole)


def far_enough(w: Term, event: Term, low: Theorem, wide: Theorem, far: Theorem) -> Theorem:
    """The event is_off(x, q) is sure where 0 <= w, q <= w w and w <= x."""
    first, second = event.args
    q, x = second.args[0], first.args[1]
    larger = product(auto(le(0, x - w), far), auto(le(0, x + w), far, low))
    square_ = at_most(auto(le(q, x * x), larger, wide))
    return auto(eq(event, 1), (second, at_most(auto(le(0, x), far, low))), square_)


def product_at_most_one(event: Term) -> Theorem:
    """1[..] 1[..] <= 1."""
    first, second = event.args
    return auto(le(event, 1), (indicator(*first.args, 3), indicator(*second.args, 4)))


# --------------------------------------------------------------------------------------------------- noise and widths

REWARDS = assume(All(("a",), is_arm(a, K), in_interval(nu(a), 0, 1, centre(a))))
LEVEL = beta * log(T)
level, X_LAW, c = var("level"), law("X"), var("centre")
OF_CHANCE = nat(m), le(1, m), in_interval(X_LAW, 0, 1, c), lt(0, n), le(n, m), lt(0, level)


@dataclass(frozen=True)
class Noise:
    """The noise of a mean for n; what it adds to the width is share level/n, and spread(n) level/n^2 to its square.

    `rarely` says that m >= n rewards are off by the width of a level, on one side, with a chance of factor e^-level.
    """

    law: Callable[[Any], Term]
    factor: Term
    share: Term
    spread: Callable[[Any], Term]
    rarely: Callable[[int], Theorem]

    def off(self, x: Any, size: Any, at: Any) -> Term:
        """1 where x is at least the width of a level."""
        return is_off(x - self.share * at / size, self.spread(size) * at / (size * size))

    def told(self) -> Theorem:
        """What is released is a noisy mean of so many rewards, whether the episode is the first one or not."""
        first_, later = (assume(f) for f in noisy_means(release, nu, self.law, K))
        g, size = app("g", r), next_length(N)

        def noisy(count: Term, size: Term) -> Term:
            return mean("r", noisy_mean(nu(a), size, self.law((count + size) / 2)), g)

        goal = eq(mean("r", release(a, N), g), noisy(N, size))
        whole = same(NONE, "x", mean("r", release(a, x), g)), same(NONE, "x", noisy(x, next_length(x)))
        first = auto(goal, instance(first_, {}, *arm(a)), *whole)
        longer = same(instance(doubles(), {}, assume(nat(N)), SOME), "x", noisy(N, x))
        again = auto(goal, instance(later, {"m": N - 1}, *arm(a), BEFORE), longer)
        return by_plays(first, again, "a N1 g", *is_arm(a, K))

    def chance(self, of: Term, sign: int, at: Term, high: Theorem) -> Theorem:
        """After m plays and an episode the arm is off by the width of a level with a chance of factor e^-level."""
        values = {"X": fn("", nu(of)), "m": next_length(m), "n": NEXT / 2, "centre": centre(of), "level": at}
        natural_, some, more = (instance(f, {"N1": m}, assume(nat(m))) for f in lengths())
        size = auto(lt(0, NEXT / 2), some, nat_nonnegative(assume(nat(m)))), auto(le(NEXT / 2, next_length(m)))
        tail = instance(self.rarely(sign), values, natural_, some, instance(REWARDS, {"a": of}, *arm(of)), *size, high)
        g = fn("r", self.off(sign * (r - centre(of)), NEXT / 2, at))
        told = instance(self.told(), {"a": of, "N1": m, "g": g}, *arm(of), assume(nat(m)))
        return auto(le(told.conclusion.args[0], tail.conclusion.args[1]), told, tail)  # type: ignore[union-attr]

    def plays(self, y: Term, enough: list[Theorem]) -> Theorem:
        """E N_k(T) <= 2 few + 1 + factor + 2 factor/excess, where `enough` is that y is so after `few` plays of k:

        0 <= y, its square is that of the width of log T at least, and the gap holds y and both widths.
        """
        is_low, is_bad = self.off(centre(best) - r, m / 2, beta * log(s)), self.off(r - centre(k), m / 2, log(T))
        off = [product(*(indicator(*f.args, 3) for f in event.args)) for event in (is_low, is_bad)]
        off = [for_all(names, p) for names, p in zip(("m r s", "m r"), off, strict=True)]
        below = for_all("m r", product_at_most_one(is_bad))
        own = auto(le(0, self.factor)), auto(le(self.factor, 2))
        values = {"low": fn("m r s", is_low), "bad": fn("m r", is_bad), "factor": self.factor}
        rare = self._rare(below)
        return instance(plays_of_an_arm(), values, *off, below, *rare, self._decided(y, enough), *own)

    def _rare(self, below: Theorem) -> tuple[Theorem, Theorem]:
        late = instance(log_is_positive(), {}, assume(le(2, s)))
        of_best = self.chance(best, -1, beta * log(s), product(auto(lt(0, beta)), late))
        return for_all("m s", of_best, *RARE[0].given), self.rarely_bad(below)

    def rarely_bad(self, below: Theorem) -> Theorem:
        """T times the chance that k will be off by the width of log T is at most the factor."""
        of_k = self.chance(k, 1, log(T), instance(log_is_positive(), {"s": T}, assume(le(2, T))))
        chance = conclusion(of_k.conclusion).args[0]
        grown = exp_log(auto(lt(0, T)))
        seldom = auto(le(T * chance, self.factor), (T, of_k), (self.factor * exp(-log(T)), grown))
        one = nat_nonnegative(nat_minus(assume(nat(T)), natural(term(2)), assume(lt(T, 2))))
        always = auto(le(T * chance, self.factor), one, (T, mono(instance(below, {"m": NEXT}), "r", release(k, m))))
        return for_all("m", cases(seldom, always, term(2), T), *RARE[1].given)

    def width(self, of: Term) -> tuple[Term, Theorem, Theorem]:
        """The root in the width of an arm that was played, which is at least 0, with its square."""
        said = private_widths(self.share, self.spread, beta, T, K)
        low, value = (instance(assume(f), {"i": n, "a": of}, PN, SOON, *arm(of), begun(of)) for f in said)
        size, whole, at = pulled(n, z, of) / 2, app("half_width", n, z, of), beta * log(ROUND_NOW)
        one, root = reciprocal(auto(lt(0, size), begun(of))), whole - self.share * at / size
        square_ = eq(root * root, self.spread(size) * at / (size * size))
        ends = (whole * whole * (1 + size / size), one), (whole * self.share * at / size, one)
        over = weak(reciprocal_positive(auto(lt(0, size), begun(of))))
        return root, auto(le(0, root), (over, low), (whole, one)), auto(square_, (1 / (size * size), value), *ends)

    def _decided(self, y: Term, enough: list[Theorem]) -> Theorem:
        """If the best arm is not low and k has the larger index, the mean of k is off by y at least."""
        sizes = [pulled(n, z, of) / 2 for of in (best, k)]
        far_best, far = centre(best) - released(n, z, best), released(n, z, k) - centre(k)
        is_low, is_bad = self.off(far_best, sizes[0], beta * log(ROUND_NOW)), self.off(far, sizes[1], log(T))
        goal, (root, low_root, square_) = le(1, is_low + is_bad), self.width(best)
        above, short = far_best - self.share * beta * log(ROUND_NOW) / sizes[0], far - self.share * log(T) / sizes[1]
        near, missed = assume(le(root, above)), assume(lt(above, root))
        of_best = far_enough(root, is_low, low_root, square_, near)
        low, wide, gap = enough
        of_k = far_enough(y, is_bad, low, wide, auto(le(y, short), missed, assume(is_larger(private_index)), gap))
        others = (product(*(indicator(*f.args, 3) for f in event.args)) for event in (is_bad, is_low))
        first, second = (auto(goal, *both) for both in zip((of_best, of_k), others, strict=True))
        return for_all("n z", cases(first, second, root, above), *in_time_and_larger(private_index))


@lemma("m n", lt(0, n), le(n, m))
def fewer_samples() -> Theorem:
    """1/m <= 1/n for 0 < n <= m."""
    some = auto(lt(0, m))
    both = product(reciprocal_positive(some), reciprocal_positive(assume(lt(0, n))))
    apart = product(weak(both), auto(le(0, m - n)))
    return auto(le(1 / m, 1 / n), apart)


def root_of(q: Term, some: Theorem) -> tuple[Term, Theorem, Theorem]:
    """The root of q > 0, which is not negative, with its square."""
    root = exp(log(q) / 2)
    return root, weak(exp_positive(log(q) / 2)), auto(eq(root * root, q), exp_log(some))


def levels_in_time() -> tuple[Theorem, Theorem, Theorem]:
    """beta log t <= beta log T, and 0 <= log T, in a round t of 2, ..., T."""
    t = ROUND_NOW
    some = auto(lt(0, t), of_arm(1, k), nat_nonnegative(of_arm(0, k)))
    at, end = exp_log(some), exp_log(auto(lt(0, T)))
    later = ordered(auto(le(exp(log(t)), exp(log(T))), at, end, assume(le(t, T))))
    scaled = auto(le(beta * log(t), LEVEL), (auto(le(0, beta)), later))
    return scaled, log_is_not_negative(), level_is_not_negative()


def log_is_not_negative() -> Theorem:
    """0 <= log T."""
    return ordered(auto(le(exp(term(0)), exp(log(T))), exp_log(auto(lt(0, T)))))


def level_is_not_negative() -> Theorem:
    """0 <= LEVEL."""
    return product(auto(le(0, beta)), log_is_not_negative())


def centre_in_range(of: Term) -> tuple[Theorem, Theorem]:
    """0 <= centre <= 1 of an arm."""
    told = nu(of)
    is_it = instance(is_centre(), {"X": fn("", told), "centre": centre(of)}, instance(REWARDS, {"a": of}, *arm(of)))
    low, high = (mono(mono(indicator(v, x, part), "v", UNIT), "x", told) for part in (3, 4))
    return auto(le(0, centre(of)), is_it), auto(le(centre(of), 1), high, is_it)


def costs_of_one(times: int) -> Theorem:
    """0 <= times beta/(beta - 3)."""
    beyond = assume(lt(0, excess))
    return product(auto(le(0, times * beta)), weak(reciprocal_positive(beyond)))


def sum_of_most(statement: All, cost: Callable[[Theorem, list[Theorem]], Theorem]) -> Theorem:
    """The regret is at most the sum of what its arms may cost, from GAP E N_k(T) <= most(k) where the gap is positive.

    `cost` shows it from 0 < GAP, what the statement says of most(k) there, and GAP <= 1.
    """
    most, apart = app("most", k), assume(lt(0, GAP))
    free, *of_most = (assume(g) for g in statement.given if isinstance(g, All) and free_in(g.then) & {"most"})
    steep = auto(lt(centre(k), centre(best)), apart)
    said = [instance(instance(f, {"a": k}, *arm(k)), {}, steep) for f in of_most]
    some = auto(le(0, most - GAP * MEAN_PLAYS), cost(apart, said))
    none = antisymmetric(assume(le(GAP, 0)), gap_is_not_negative())
    no_costs = auto(le(0, most - GAP * MEAN_PLAYS), (MEAN_PLAYS, none), instance(free, {"i": k}, arm(k)[0]))
    return auto(statement.then, sum_over(cases(no_costs, some, GAP, term(0)), "k", K))


def gap_is_at_most_one() -> Theorem:
    return auto(le(GAP, 1), centre_in_range(best)[1], centre_in_range(k)[0])
