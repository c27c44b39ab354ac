"""Proofs in the kernel of the regret of UCB, by a potential as in ``optimism``.

For each number s of rewards it holds the chance that the mean of s rewards of an arm will be off, given those that
were drawn: this is a martingale. For the best arm it is multiplied with the rounds that are left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.context import generalised
from banditproof.verify.kernel.episodes import (
    index_of_average,
    mean_so_far,
    pulled,
    rounds_are_counted,
    runs_of_rounds,
    ucb,
    with_noise_of,
)
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.linear import one_subgaussian
from banditproof.verify.theorems.optimism import (
    ENOUGH,
    GAP,
    IS_NEXT,
    LATER,
    PN,
    SIDES,
    SOON,
    Costs,
    Potential,
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
    over_arms,
    rewritten,
    switched,
)
from banditproof.verify.theorems.policies import an_arm, picked, sum_inside, sum_over
from banditproof.verify.theorems.subgaussian import samples, tail_of_subgaussian
from banditproof.verify.theorems.subgaussian import turned as turned_subgaussian

a, b, j, k, n, q, r, s, u, v, w, x, z = map(var, "abjknqrsuvwxz")
T, K, best, N = map(var, ("T", "K", "best", "N1"))
LEVEL, MOST = log(T), 16 * log(T) / GAP / GAP


def noise(of: Any) -> Term:
    return law("noise", of)


def drawn(of: Any, count: Any) -> Term:
    """The law of the sum of the noise of so many rewards of an arm."""
    return sum_of_all(lambda i: noise(of), count)


REWARD, RUN = centre(a) + r, app("after", z, a, a, centre(a) + r)
PLAIN = app("after", z, a, a, r)
LAW = runs_of_rounds(pi, nu, T)
_, NOT_PULLED, NEXT_PULLED, NEXT_SUM = (assume(f) for f in rounds_are_counted(T, K))
WIDTH_LOW, WIDTH_SQUARE = (assume(f) for f in ucb(pi, T, K)[-2:])
SHIFTED = assume(with_noise_of(nu, centre, noise, K))
NOISE = assume(All(("a",), is_arm(a, K), one_subgaussian(noise(a))))


def invariant(i: Any, z: Any) -> tuple[Formula, ...]:
    """Plays of an arm are a number of at most i; each arm is played once in the first rounds."""
    arms, count = is_arm(b, K), pulled(i, z, b)
    return (
        All(("b",), arms, nat(count)),
        All(("b",), arms, le(count, i)),
        All(("b",), (*arms, lt(b, i)), le(1, count)),
        All(("b",), (*arms, le(i, b)), eq(count, 0)),
    )


OF_ARMS = [assume(f) for f in invariant(n, z)]


def of_arm(place: int, of: Term, *more: Theorem) -> Theorem:
    return instance(OF_ARMS[place], {"b": of}, *arm(of), *more)


def after_round(equation: Theorem, of: Term, reward: Term = REWARD) -> Theorem:
    values = {"i": n, "z": z, "a": a, "b": of, "r": reward}
    return instance(equation, values, PN, SOON, *arm(a), *arm(of))


def begun(of: Term) -> Theorem:
    return of_arm(2, of, auto(lt(of, n), assume(lt(of, K)), assume(LATER)))


def nothing_yet() -> list[Theorem]:
    none, goals = instance(NOT_PULLED, {"a": b}, *arm(b)), invariant(0, var("empty"))
    false = contradiction(nat_nonnegative(assume(nat(b))), assume(lt(b, 0)))
    shown = (
        nat_equal(nat_zero(), switched(none)),
        auto(conclusion(goals[1]), none),
        absurd(false, conclusion(goals[2])),
        none,
    )
    return [for_all("b", p, *f.given) for p, f in zip(shown, goals, strict=True) if isinstance(f, All)]


def still_true(first: bool) -> list[Theorem]:
    """The invariant after a round in which a is played."""
    count, now, counted = pulled(n, z, b), pulled(n + 1, PLAIN, b), after_round(NEXT_PULLED, b, r)
    low = nat_nonnegative(of_arm(0, b))

    def both(goal: Formula, then: Callable[[Theorem], Theorem], other: Callable[[Theorem], Theorem]) -> Theorem:
        def same_arm(it_is: Theorem) -> Theorem:
            return then(auto(eq(count + 1, now), counted, is_equal(it_is)))

        return unless_equal(a, b, same_arm, lambda _, zero: other(auto(eq(count, now), counted, zero)))

    is_natural = both(nat(now), lambda f: nat_equal(nat_next(of_arm(0, b)), f), lambda f: nat_equal(of_arm(0, b), f))
    once_more = (indicator(a, b, 4)), (indicator(a, b, 3), indicator(b, a, 4))
    fits = auto(le(now, n + 1), counted, of_arm(1, b), *once_more)
    never, played = le(n + 1, b), le(1, now)
    if first:
        not_before = nat_nonnegative(nat_minus(assume(nat(b)), nat_next(PN), assume(lt(b, n + 1))))
        it_is = antisymmetric(assume(le(n, b)), auto(le(b, n), not_before))
        ends = at_most(auto(le(a, b), it_is, IS_NEXT)), at_most(auto(le(b, a), it_is, IS_NEXT))
        newly = auto(played, counted, ends[0], (ind(a, b), ends[1]), low)
        is_played = cases(newly, auto(played, counted, of_arm(2, b, assume(lt(b, n)))), n, b)
        other = not_at_most(auto(lt(a, b), IS_NEXT, assume(never)))
        not_yet = auto(eq(now, 0), counted, (ind(a, b), other), of_arm(3, b, auto(le(n, b), assume(never))))
    else:
        is_played = auto(played, counted, begun(b))
        not_yet = absurd(contradiction(assume(never), assume(lt(b, K)), assume(LATER)), eq(now, 0))
    goals, shown = invariant(n + 1, PLAIN), (is_natural, fits, is_played, not_yet)
    return [for_all("b", p, *f.given) for p, f in zip(shown, goals, strict=True) if isinstance(f, All)]


ROUNDS = Runs(LAW, nu(a), PLAIN, index_of_average, invariant, nothing_yet, still_true)


def falls_with_rewards(potential: Potential, step: Theorem) -> Theorem:
    """What the mean of a potential is over rewards, from that over the noise."""
    next_one = potential(n + 1, PLAIN)
    moved_on = instance(SHIFTED, {"a": a, "g": fn("r", next_one)}, *arm(a))
    return auto(le(mean("r", nu(a), next_one), potential(n, z)), moved_on, step)


# -------------------------------------------------------------------------------------------- means that will be off


def going_on(of: Term, count: Any, off_by: Any, s: Any, rounds: Any) -> Term:
    """The law of a sum that is off by so much after `count` rewards of an arm, with the noise of those up to the s-th.

    Of the noise i = 0, ..., rounds - 1 it takes what is neither before the count nor after s.
    """
    i, h = var("i"), var("h")
    step = Term("mix", (("x",), noise(of), Term("dirac", (h + ind(count, i) * ind(i + 1, s) * x,))))
    return Term("steps", (("i", "h"), term(rounds), term(off_by), step))


def will_be_off(of: Term, sign: int, count: Any, off_by: Any, s: Any) -> Term:
    """The chance that s rewards of an arm are off, after `count` ones whose sum is off by so much; 0 beyond s."""
    return ind(count, s) * mean("x", going_on(of, count, off_by, s, T), is_off(sign * x, 4 * s * LEVEL))


def deviation(of: Term, i: Any, z: Any) -> Term:
    return pulled(i, z, of) * mean_so_far(i, z, of) - pulled(i, z, of) * centre(of)


def chance(of: Term, sign: int, i: Any, z: Any, s: Any) -> Term:
    return will_be_off(of, sign, pulled(i, z, of), deviation(of, i, z), s)


def is_now_off(of: Term, sign: int) -> Term:
    return is_off(sign * deviation(of, n, z), 4 * pulled(n, z, of) * LEVEL)


def at(count: Any, off_by: Any, rounds: Any) -> Term:
    """E g of that sum."""
    return mean("x", going_on(a, count, off_by, s, rounds), app("g", x))


def one_more(count: Any, off_by: Any, rounds: Theorem) -> tuple[Theorem, Callable[[Term, Theorem], Theorem]]:
    """What one round more does to E g, and g with a factor before the noise rewritten: 1[count <= m] or 1[m < s]."""
    m = rounds.conclusion.args[0]  # type: ignore[union-attr]
    law_of = going_on(a, count, off_by, s, m)
    more = steps_next(rounds, "x", app("g", x), "i", "h", term(off_by), law_of.args[3])

    def rewrite(factors: Term, known: Theorem) -> Theorem:
        inner = mono(same(known, "w", app("g", var("h") + factors * x)), "x", noise(a))
        return mono(inner, "h", law_of)

    return more, rewrite


D, m = var("D1"), var("m")


@lemma("a N1 D1 s T g", nat(N), nat(s), nat(T))
def not_yet(ended: bool) -> Theorem:
    """E g = g(D) after T rounds up to the count N, or after any if the count is no less than s."""
    at_most_N = le(s, N) if ended else le(T, N)
    suppose(at_most_N)
    claim = All(("g",), () if ended else (le(n, N),), eq(at(N, D, n), app("g", D)))
    step = going_on(a, N, D, s, n).args[3]
    base = auto(eq(at(N, D, 0), app("g", D)), steps_zero("x", app("g", x), "i", "h", D, step))
    more, rewrite = one_more(N, D, PN)
    own = instance(assume(claim), {}, *([] if ended else [auto(le(n, N), assume(le(n + 1, N)))]))
    if ended:
        past = not_at_most(auto(lt(s, n + 1), assume(le(N, n))))
        early = not_at_most(assume(lt(n, N)))
        goal = eq(at(N, D, n + 1), app("g", D))
        gone = auto(goal, more, rewrite(ind(N, n) * w, past), own)
        proved = cases(gone, auto(goal, more, rewrite(w * ind(n + 1, s), early), own), N, n)
        return instance(induction("n", base, proved, claim, at=T), {})
    early = not_at_most(auto(lt(n, N), assume(le(n + 1, N))))
    proved = auto(eq(at(N, D, n + 1), app("g", D)), more, rewrite(w * ind(n + 1, s), early), own)
    return instance(induction("n", base, proved, claim, at=T))


@lemma("a N1 D1 s T g", nat(N), nat(s), nat(T), lt(N, s), le(s, T))
def one_is_drawn() -> Theorem:
    """E g is the mean, over the next reward, of what it is after that."""

    def later(rounds: Any) -> Term:
        return mean("r", noise(a), at(N + 1, D + r, rounds))

    pN, more_than_N = assume(nat(N)), nat_next(assume(nat(N)))
    first, rewrite = one_more(N, D, pN)
    hit = (
        at_most(auto(le(N, N))),
        at_most(auto(le(N + 1, s), nat_nonnegative(nat_minus(pN, assume(nat(s)), assume(lt(N, s)))))),
    )
    until_N = instance(not_yet(False), {"T": N, "g": fn("x", mean("r", noise(a), app("g", x + r)))})
    now = auto(eq(at(N, D, N + 1), mean("r", noise(a), app("g", D + r))), first, rewrite(w, hit[1]), until_N)
    none = instance(not_yet(False), {"N1": N + 1, "D1": D + r, "T": N + 1})
    base = auto(eq(at(N, D, N + 1), later(N + 1)), now, mono(none, "r", noise(a)))
    claim = All(("g",), (), eq(at(N, D, N + 1 + m), later(N + 1 + m)))
    at_m, rounds = N + 1 + m, nat_sum(more_than_N, assume(nat(m)))
    low = nat_nonnegative(assume(nat(m)))
    one, rewrite_one = one_more(N, D, rounds)
    other, rewrite_other = one_more(N + 1, D + r, rounds)
    passed = at_most(auto(le(N, at_m), low)), at_most(auto(le(N + 1, at_m), low))
    goal = eq(at(N, D, at_m + 1), later(at_m + 1))
    known = instance(assume(claim), {"g": fn("x", mean("r", noise(a), app("g", x + ind(at_m + 1, s) * r)))})
    sides = (
        rewrite_one(w * ind(at_m + 1, s), passed[0]),
        mono(rewrite_other(w * ind(at_m + 1, s), passed[1]), "r", noise(a)),
    )
    step = auto(goal, one, mono(other, "r", noise(a)), *sides, known)
    fewer = nat_minus(pN, assume(nat(T)), auto(lt(N, T)))
    whole = induct(
        "m", generalised(base, replace(claim, {"m": term(0)})), generalised(step, replace(claim, {"m": m + 1})), claim
    )
    return instance(instance(whole, {"m": T - N - 1}, fewer), {})


@lemma("a N1 D1 s T", nat(N), nat(s), nat(T), le(s, T))
def martingale(sign: int) -> Theorem:
    """One reward more leaves the chance for s rewards as it is; at s = N it is known, and gone after that."""
    off, off_now = is_off(sign * x, 4 * s * LEVEL), is_off(sign * D, 4 * N * LEVEL)
    now = will_be_off(a, sign, N, D, s)
    goal = le(mean("r", noise(a), will_be_off(a, sign, N + 1, D + r, s)) + equal(N, s) * off_now, now)
    pn, ps = assume(nat(N)), assume(nat(s))
    far, near, gone = assume(lt(N, s)), assume(le(N, s)), assume(lt(s, N))
    before = at_most(auto(le(N + 1, s), nat_nonnegative(nat_minus(pn, ps, far))))
    early = mean("r", noise(a), mean("x", going_on(a, N + 1, D + r, s, T), off))
    chance_now = mean("x", going_on(a, N, D, s, T), off)
    drawn_now = instance(one_is_drawn(), {"g": fn("x", off)}, far)
    later = auto(goal, (early, before), (chance_now, at_most(far)), drawn_now, (ind(N, s) * off_now, not_at_most(far)))
    it_is = antisymmetric(near, assume(le(s, N)))
    over = not_at_most(auto(lt(s, N + 1), it_is))
    ended = instance(not_yet(True), {"g": fn("x", off)}, assume(le(s, N)))
    known = same(it_is, "w", is_off(sign * D, 4 * w * LEVEL))
    hit = at_most(near), at_most(assume(le(s, N)))
    here = auto(goal, (early, over), ended, known, (ind(N, s) * off_now, hit[1]))
    past = auto(
        goal, (early, not_at_most(auto(lt(s, N + 1), gone))), (chance_now - ind(s, N) * off_now, not_at_most(gone))
    )
    return cases(cases(here, past, N, s), later, s, N)


@lemma("a s T g", nat(s), nat(T), lt(s, T + 1))
def from_the_start() -> Theorem:
    """Without rewards it is the sum of the noise of s rewards."""
    ps, zero = assume(nat(s)), term(0)
    claim = All(("g",), (le(n, s),), eq(at(zero, zero, n), mean("x", drawn(a, n), app("g", x))))
    more, rewrite = one_more(zero, zero, PN)
    step, own_step = going_on(a, zero, zero, s, n).args[3], drawn(a, n).args[3]
    starts = [steps_zero("x", app("g", x), "i", "h", zero, f) for f in (step, own_step)]
    base = auto(eq(at(zero, zero, 0), mean("x", drawn(a, 0), app("g", x))), *starts)
    own = steps_next(PN, "x", app("g", x), "i", "h", zero, own_step)
    room = assume(le(n + 1, s))
    hits = rewrite(w * ind(n + 1, s), at_most(nat_nonnegative(PN))), rewrite(w, at_most(room))
    known = instance(assume(claim), {"g": fn("x", mean("r", noise(a), app("g", x + r)))}, auto(le(n, s), room))
    goal = eq(at(zero, zero, n + 1), mean("x", drawn(a, n + 1), app("g", x)))
    to_s = instance(induction("n", base, auto(goal, more, *hits, own, known), claim, at=s))
    last = eq(at(zero, zero, s + m), mean("x", drawn(a, s), app("g", x)))
    further, rewrite_further = one_more(zero, zero, nat_sum(ps, assume(nat(m))))
    beyond = not_at_most(auto(lt(s, s + m + 1), nat_nonnegative(assume(nat(m)))))
    stays = auto(replace(last, {"m": m + 1}), further, rewrite_further(ind(zero, s + m) * w, beyond), assume(last))
    whole = induct("m", to_s, stays, last)
    rest = nat_minus(ps, nat_next(assume(nat(T))), assume(lt(s, T + 1)))
    return instance(whole, {"m": T - s}, rest)


@lemma("a s T", All(("a",), is_arm(a, K), one_subgaussian(noise(a))), *is_arm(a, K), nat(s), le(1, s))
def rarely_off(sign: int) -> Theorem:
    """The mean of s rewards is off with a chance of at most T^-2."""
    square_, total = 4 * s * LEVEL, drawn(a, s)
    off = is_off(sign * x, square_)
    goal = le(mean("x", total, off), exp(-2 * LEVEL))
    low, high = off.args
    one = mono(auto(le(off, 1), (high, indicator(*low.args, 4))), "x", total)
    trivial = auto(goal, one, exp_monotone(auto(le(0, -2 * LEVEL), assume(le(LEVEL, 0)))))
    some, late = auto(lt(0, s)), assume(lt(0, LEVEL))
    root = exp(log(square_) / 2)
    is_root = auto(eq(root * root, square_), exp_log(product(product(auto(lt(0, term(4))), some), late)))
    far = mono(instance(off_is_far(), {"w": root, "q": square_, "x": sign * x}, is_root), "x", total)
    of_one = instance(NOISE, {"a": a}, *arm(a))
    of_sum = instance(instance(samples(), {"X": fn("", noise(a)), "v1": term(1)}, of_one), {"n": s})
    signed = of_sum if sign == 1 else instance(turned_subgaussian(), {"X": fn("", total), "v1": s}, of_sum)
    side = total if sign == 1 else multiple(-1, total)
    tail = instance(tail_of_subgaussian(), {"X": fn("", side), "v1": s, "level": root}, signed)
    exponent = exp_monotone(auto(le(-root * root / (2 * s), -2 * LEVEL), (1 / (2 * s), is_root)))
    return cases(trivial, auto(goal, far, tail, exponent), LEVEL, term(0))


# ------------------------------------------------------------------------------------------------------ one round


def left(count: Any) -> Term:
    return above_zero(MOST + 1 - count)


def all_chances(of: Term, sign: int, i: Any, z: Any) -> Term:
    return sum_of(lambda j: chance(of, sign, i, z, j + 1), T)


def chance_after(of: Term, sign: int, s: Term, whole: Theorem, in_range: Theorem) -> Theorem:
    """After a round the chance for s rewards is no larger, and by as much smaller as was sure if `of` was played."""
    count, off_by = pulled(n, z, of), deviation(of, n, z)
    changes = after_round(NEXT_PULLED, of), after_round(NEXT_SUM, of)
    after = chance(of, sign, n + 1, RUN, s)
    told = mean("r", noise(a), after)
    goal = le(told + equal(a, of) * equal(count, s) * is_now_off(of, sign), chance(of, sign, n, z, s))

    def then(it_is: Theorem) -> Theorem:
        one = is_equal(it_is)
        named = same(it_is, "w", centre(w))
        counted = auto(eq(pulled(n + 1, RUN, of), count + 1), changes[0], one)
        summed = auto(
            eq(deviation(of, n + 1, RUN), off_by + r), changes[1], (centre(of), counted), (REWARD, one), named
        )
        new = [
            mono(f, "r", noise(a)) for f in rewritten(lambda c, d: will_be_off(of, sign, c, d, s), [counted, summed])
        ]
        by_name = same(it_is, "w", mean("r", noise(w), will_be_off(of, sign, count + 1, off_by + r, s)))
        values = {"a": of, "N1": count, "D1": off_by, "s": s}
        stays = instance(martingale(sign), values, of_arm(0, of), whole, in_range)
        return auto(goal, *new, by_name, stays, (equal(count, s) * is_now_off(of, sign), one))

    def other(_: Term, zero: Theorem) -> Theorem:
        counted = auto(eq(pulled(n + 1, RUN, of), count), changes[0], zero)
        summed = auto(eq(deviation(of, n + 1, RUN), off_by), changes[1], (centre(of), counted), (REWARD, zero))
        new = [
            mono(f, "r", noise(a)) for f in rewritten(lambda c, d: will_be_off(of, sign, c, d, s), [counted, summed])
        ]
        return auto(goal, *new, (equal(count, s) * is_now_off(of, sign), zero))

    return unless_equal(a, of, then, other)


def up_to_T() -> Theorem:
    """j + 1 <= T for j < T."""
    fewer = nat_nonnegative(nat_minus(assume(nat(j)), assume(nat(T)), assume(lt(j, T))))
    return auto(le(j + 1, T), fewer)


def off_is_counted(of: Term, sign: int, played: bool) -> Theorem:
    """The sum over s of 1[N = s] 1[off] is 1[off] for an arm that was played, and at least 0."""
    count, off = pulled(n, z, of), is_now_off(of, sign)
    if not played:
        return sum_over(auto(le(0, equal(count, j + 1) * off)), "j", T)
    spot = count - 1
    place = nat_minus(nat_zero(), of_arm(0, of), auto(lt(0, count), begun(of))), auto(lt(spot, T), of_arm(1, of), SOON)
    found = for_all("j", picked(lambda _: off, j, T), *is_arm(j, T))
    total = sum_of(lambda j: equal(count, j + 1) * off, T)
    return auto(eq(total, off), instance(found, {"j": spot}, *place))


def chances_after(of: Term, sign: int) -> Theorem:
    """The sum over s of the chances after a round, and what was sure if the arm was played, is at most what it was."""
    whole = nat_next(assume(nat(j)))
    step = chance_after(of, sign, j + 1, whole, up_to_T())
    left_side, right_side = step.conclusion.args  # type: ignore[union-attr]
    total = sum_over(auto(le(0, right_side - left_side), step), "j", T)
    after = chance(of, sign, n + 1, RUN, j + 1)
    inside = sum_inside("j", T, "r", noise(a), after)
    sure = equal(a, of) * sum_of(lambda j: equal(pulled(n, z, of), j + 1) * is_now_off(of, sign), T)
    goal = le(mean("r", noise(a), all_chances(of, sign, n + 1, RUN)) + sure, all_chances(of, sign, n, z))
    return auto(goal, total, inside)


def sure_is_in_chances(of: Term, sign: int) -> Theorem:
    """What is sure now is among the chances."""
    count, s = pulled(n, z, of), j + 1
    values = {"a": of, "N1": count, "D1": deviation(of, n, z), "s": s}
    stays = instance(martingale(sign), values, of_arm(0, of), nat_next(assume(nat(j))), up_to_T())
    each = auto(le(0, chance(of, sign, n, z, s) - equal(count, s) * is_now_off(of, sign)), stays)
    total = sum_of(lambda j: equal(count, j + 1) * is_now_off(of, sign), T)
    return auto(le(total, all_chances(of, sign, n, z)), sum_over(each, "j", T))


@lemma("N1 x q", le(1, N))
def off_in_sum() -> Theorem:
    """What is off in the mean of N rewards is so in their sum."""
    goal = le(is_off(x, q), is_off(N * x, N * N * q))
    low, high, off, small = (assume(f) for f in (le(0, x), le(q, x * x), lt(x, 0), lt(x * x, q)))
    wide = product(auto(le(0, N)), low)
    squares = product(product(auto(le(0, N)), auto(le(0, N))), auto(le(0, x * x - q), high))
    positive = at_most(wide), at_most(auto(le(N * N * q, N * x * (N * x)), squares))
    ends = ind(0, x), ind(q, x * x)
    both = auto(goal, positive[0], (ind(0, N * x), positive[1]), (ends[0], indicator(*ends[1].args, 4)))
    near = cases(both, auto(goal, (ends[0], not_at_most(small))), q, x * x)
    return cases(near, auto(goal, (ends[1], not_at_most(off))), term(0), x)


def one_is_off_now(it_is: Theorem) -> Theorem:
    """In a round of k, which a is, while its width is at most half its gap: its mean or that of the best arm is off."""
    width = [app("half_width", n, z, of) for of in (best, k)]
    low = [instance(WIDTH_LOW, {"i": n, "z": z, "a": of}) for of in (best, k)]
    of_k = same(it_is, "w", index_of_average(n, z, w))
    larger = auto(
        le(index_of_average(n, z, best), index_of_average(n, z, k)),
        instance(IS_LARGEST_MEAN, {"b": best}, *arm(best)),
        of_k,
    )
    values = {"high": centre(best), "low": centre(k), "w_1": width[0], "w_k": width[1]}
    values |= {"m_1": mean_so_far(n, z, best), "m_k": mean_so_far(n, z, k)}
    values |= {"q_1": width[0] * width[0], "q_k": width[1] * width[1]}
    squares = [auto(eq(f * f, f * f)) for f in width]
    off = instance(one_is_off(), values, larger, assume(le(2 * width[1], GAP)), *low, *squares)
    sums = []
    for (of, sign), f in zip(SIDES, width, strict=True):
        far = sign * (mean_so_far(n, z, of) - centre(of))
        whole = instance(off_in_sum(), {"N1": pulled(n, z, of), "x": far, "q": f * f}, begun(of))
        square_ = auto(
            eq(pulled(n, z, of) * pulled(n, z, of) * f * f, 4 * pulled(n, z, of) * LEVEL),
            (pulled(n, z, of), width_of(of)),
        )
        distance = pulled(n, z, of) * far
        named = same(square_, "w", ind(0, distance) * ind(w, distance * distance))
        sums += [whole, named]
    return auto(le(1, sum((is_now_off(*side) for side in SIDES), term(0))), off, *sums)


def width_of(of: Term) -> Theorem:
    return instance(WIDTH_SQUARE, {"i": n, "z": z, "a": of}, PN, SOON, *arm(of), begun(of))


IS_LARGEST_MEAN = assume(All(("b",), is_arm(b, K), le(index_of_average(n, z, b), index_of_average(n, z, a))))


def few_plays() -> Theorem:
    """N_k <= MOST while the width is more than half the gap."""
    f, count, steep = app("half_width", n, z, k), pulled(n, z, k), assume(lt(0, GAP))
    wide = assume(lt(GAP, 2 * f))
    near = product(auto(lt(0, 2 * f - GAP), wide), auto(lt(0, 2 * f + GAP), wide, steep))
    scaled = product(nat_nonnegative(of_arm(0, k)), weak(near))
    inverse = reciprocal_positive(steep)
    small = auto(le(count * GAP * GAP, 16 * LEVEL), scaled, width_of(k))
    twice = product(weak(inverse), weak(inverse))
    one = reciprocal(steep)
    return auto(le(count, MOST), (twice, small), (count * GAP / GAP, one), (count, one))


def level_low() -> Theorem:
    """0 <= log T."""
    return ordered(auto(le(exp(term(0)), exp(LEVEL)), exp_log(auto(lt(0, T)))))


def most_low() -> Theorem:
    """0 <= MOST."""
    inverse = weak(reciprocal_positive(assume(lt(0, GAP))))
    return auto(le(0, MOST), product(level_low(), product(inverse, inverse)))


def plays_are_paid(first: bool) -> Theorem:
    """A round adds no more plays of k than it takes from what is left and from what is off."""
    count, changed = pulled(n, z, k), after_round(NEXT_PULLED, k)
    chances, off = all_chances(best, -1, n, z), is_now_off(k, 1)
    sure = sure_is_in_chances(best, -1)
    low = off_is_counted(best, -1, False), product(*(indicator(*f.args, 3) for f in off.args))
    whole = count + left(count) + chances if first else count + left(count) + chances + equal(a, k) * off
    goal = le(pulled(n + 1, RUN, k) + left(pulled(n + 1, RUN, k)), whole)

    def then(it_is: Theorem) -> Theorem:
        one = is_equal(it_is)
        now = auto(eq(pulled(n + 1, RUN, k), count + 1), changed, one)
        fewer = same(now, "w", left(w))

        def spent(enough: Theorem) -> Theorem:
            some = at_most(auto(le(0, MOST - count), enough)), at_most(auto(le(0, MOST + 1 - count), enough))
            paid = (MOST - count, some[0]), (MOST + 1 - count, some[1])
            return auto(goal, now, fewer, *paid, sure, *low, (off, one))

        if first:
            none = of_arm(3, k, auto(le(n, k), IS_NEXT, it_is))
            return spent(auto(le(count, MOST), none, most_low()))
        grown = instance(grows_above_zero(), {"u": MOST + 1 - count, "v": MOST - count})
        here = auto(goal, now, fewer, grown, sure, off_is_counted(best, -1, True), one_is_off_now(it_is), (off, one))
        return cases(here, spent(few_plays()), 2 * app("half_width", n, z, k), GAP)

    def other(_: Term, zero: Theorem) -> Theorem:
        now = auto(eq(pulled(n + 1, RUN, k), count), changed, zero)
        return auto(goal, now, same(now, "w", left(w)))

    return unless_equal(a, k, then, other)


def potential(i: Any, z: Any) -> Term:
    to_come = (T - i) * all_chances(best, -1, i, z) + all_chances(k, 1, i, z)
    return pulled(i, z, k) + left(pulled(i, z, k)) + to_come


def potential_falls(first: bool) -> Theorem:
    """The mean of the potential after a round is at most what it was."""
    told = noise(a)
    of_best, of_k = chances_after(best, -1), chances_after(k, 1)
    sure = [
        product(product(indicator(a, of, 3), indicator(of, a, 3)), off_is_counted(of, sign, False))
        for of, sign in SIDES
    ]
    fewer = auto(le(mean("r", told, all_chances(best, -1, n + 1, RUN)), all_chances(best, -1, n, z)), of_best)
    known = sure[1] if first else (equal(a, k), off_is_counted(k, 1, True))
    paid, later = mono(plays_are_paid(first), "r", told), auto(le(0, T - n - 1), ENOUGH)
    step = auto(le(mean("r", told, potential(n + 1, RUN)), potential(n, z)), paid, (later, fewer), of_k, known)
    return falls_with_rewards(potential, step)


def at_the_start() -> Theorem:
    """Before the first round the potential is at most MOST + 3."""
    start, s = var("empty"), j + 1
    none = {of: instance(NOT_PULLED, {"a": of}, *arm(of)) for of in (best, k)}
    whole, least = nat_next(assume(nat(j))), auto(le(1, s), nat_nonnegative(assume(nat(j))))
    sums = []
    for of, sign in SIDES:
        gone = none[of], auto(eq(deviation(of, 0, start), 0), (mean_so_far(0, start, of) - centre(of), none[of]))
        now = rewritten(lambda c, d, of=of, sign=sign: will_be_off(of, sign, c, d, s), [*gone])
        tail = instance(rarely_off(sign), {"a": of, "s": s}, NOISE, *arm(of), whole, least)
        on = at_most(auto(le(0, s), least))
        off = is_off(sign * x, 4 * s * LEVEL)
        in_range = auto(lt(s, T + 1), assume(lt(j, T)))
        begun_now = instance(from_the_start(), {"a": of, "s": s, "g": fn("x", off)}, whole, in_range)
        mean_off = mean("x", going_on(of, 0, 0, s, T), off)
        each = auto(le(0, exp(-2 * LEVEL) - chance(of, sign, 0, start, s)), *now, tail, begun_now, (mean_off, on))
        sums.append(auto(le(all_chances(of, sign, 0, start), T * exp(-2 * LEVEL)), sum_over(each, "j", T)))
    value = exp_log(auto(lt(0, T)))
    inverse = auto(eq(T * exp(-LEVEL), 1), (exp(-LEVEL), value))
    square_ = auto(eq(T * T * exp(-2 * LEVEL), 1), inverse)
    one = auto(le(T * exp(-2 * LEVEL), 1), square_)
    own = same(none[k], "w", left(w))
    rest = auto(le(left(0), MOST + 1), (auto(le(0, MOST + 1), most_low()), indicator(0, MOST + 1, 4)))
    return auto(le(potential(0, start), MOST + 3), none[k], own, rest, (auto(le(0, T)), sums[0]), square_, sums[1], one)


KNOWN = nat(T), le(1, T), nat(K), le(1, K)


@once
def plays_of_an_arm() -> Theorem:
    """E N_k(T) <= MOST + 3."""
    suppose(*KNOWN)
    low = [auto(le(0, all_chances(of, sign, n, z))) for of, sign in SIDES]
    later = auto(le(0, T - n), assume(le(n, T)))
    end = auto(le(pulled(n, z, k), potential(n, z)), product(later, low[0]), not_below_zero(MOST + 1 - pulled(n, z, k)))
    return ROUNDS.stay_below(lambda i, z: pulled(i, z, k), potential, potential_falls, at_the_start(), end)


# ---------------------------------------------------------------------------------------------------------- regret

MEAN_PLAYS, LEAD = mean("z", LAW, pulled(T, z, k)), var("lead")


@once
def plays_are_not_negative() -> Theorem:
    """0 <= E N_k(T)."""
    suppose(*KNOWN)
    none, end = term(0), auto(le(-pulled(n, z, k), 0), nat_nonnegative(of_arm(0, k)))

    def falls(first: bool) -> Theorem:
        return auto(le(none, none))

    least = ROUNDS.stay_below(lambda i, z: -pulled(i, z, k), lambda i, z: none, falls, falls(True), end)
    return auto(le(0, MEAN_PLAYS), least)


@once
def all_plays() -> Theorem:
    """The sum of E N_k(T) over the arms is at most T."""
    suppose(*KNOWN)

    def in_all(i: Any, z: Any) -> Term:
        return sum_of(lambda k: pulled(i, z, k), K, "k")

    def rest(i: Any, z: Any) -> Term:
        return in_all(i, z) + T - i

    def falls(first: bool) -> Theorem:
        change = pulled(n + 1, RUN, k) - pulled(n, z, k) - equal(a, k)
        each = sum_over(auto(eq(0, change), after_round(NEXT_PULLED, k)), "k", K)
        goal = le(rest(n + 1, RUN), rest(n, z))
        return falls_with_rewards(rest, mono(auto(goal, each, an_arm(a)), "r", noise(a)))

    none = sum_over(switched(instance(NOT_PULLED, {"a": k}, *arm(k))), "k", K)
    begin = auto(le(rest(0, var("empty")), T), none)
    end = auto(le(in_all(n, z), rest(n, z)), assume(le(n, T)))
    whole = ROUNDS.stay_below(in_all, rest, falls, begin, end)
    inside = sum_inside("k", K, "z", LAW, pulled(T, z, k))
    return auto(le(sum_of(lambda k: MEAN_PLAYS, K, "k"), T), inside, whole)


@proof
def by_gaps(statement: All) -> Theorem:
    """Regret is the sum of the gaps times the plays."""
    costs, apart = app("most", k), assume(lt(0, GAP))
    free, of_costs = (assume(g) for g in statement.given if isinstance(g, All) and free_in(g.then) & {"most"})
    enough = instance(instance(of_costs, {"a": k}, *arm(k)), {}, auto(lt(centre(k), centre(best)), apart))
    goal, inverse = le(GAP * MEAN_PLAYS, costs + 3 * GAP), reciprocal(apart)
    scaled = auto(le(16 * LEVEL / GAP, costs), (reciprocal_positive(apart), enough), (costs, inverse))
    some = auto(goal, (apart, plays_of_an_arm()), (16 * LEVEL / GAP, inverse), scaled)
    none = antisymmetric(assume(le(GAP, 0)), gap_is_not_negative())
    no_costs = auto(goal, (MEAN_PLAYS - 3, none), instance(free, {"i": k}, arm(k)[0]))
    return auto(statement.then, over_arms(cases(no_costs, some, GAP, term(0))))


@once
def split_at_a_gap() -> Theorem:
    """The regret is at most 8 lead and three times the gaps."""
    suppose(*KNOWN)
    lead, wide, gap_low = assume(le(0, LEAD)), assume(le(T * K * LEVEL, LEAD * LEAD)), gap_is_not_negative()
    apart = assume(lt(0, GAP))
    cost = auto(
        le(GAP * MEAN_PLAYS, 16 * LEVEL / GAP + 3 * GAP),
        (apart, plays_of_an_arm()),
        (16 * LEVEL / GAP, reciprocal(apart)),
    )
    lows = auto(le(0, 16 * LEVEL), level_low()), auto(le(0, 3 * GAP), gap_low)
    costs = Costs(MEAN_PLAYS, 16 * LEVEL, 3 * GAP, cost, plays_are_not_negative(), all_plays(), *lows)
    return costs.split_for(
        4 * LEAD, auto(le(0, 4 * LEAD), lead), auto(le(K * T * 16 * LEVEL, 4 * LEAD * (4 * LEAD)), wide)
    )


@proof
def without_gaps(statement: All) -> Theorem:
    """The regret is at most 8 lead and three times the gaps."""
    return auto(statement.then, split_at_a_gap())
