"""Proofs in the kernel of the regret of UCB, by a potential as in ``optimism``.

For each number s of rewards it holds the chance that the mean of s rewards of an arm will be off, given those that
were drawn: this is a martingale. For the best arm it is multiplied with the rounds that are left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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
from banditproof.verify.theorems.optimism import *
from banditproof.verify.theorems.policies import an_arm, picked, sum_inside, sum_over
from banditproof.verify.theorems.subgaussian import samples, tail_of_subgaussian
from banditproof.verify.theorems.subgaussian import turned as turned_subgaussian

a, b, j, k, n, q, r, s, t, u, v, w, x, z = map(var, "abjknqrstuvwxz")
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
    moved_on = instance(SHIFTED, {"g": fn("r", next_one)}, *arm(a))
    return auto(le(mean("r", nu(a), next_one), potential(n, z)), moved_on, step)


# -------------------------------------------------------------------------------------------- means that will be off


def going_on(of: Term, count: Any, off_by: Any, s: Any, rounds: Any) -> Term:
    """The law of a sum that is off by so much after `count` rewards of an arm, with the noise of those up to the s-th.

    Of the noise i = 0, ..., rounds - 1 it takes what is neither before the count nor after s.
    """
    i, h = var("i"), var("h")
    step = Term("mix", (("x",), noise(of), Term("dirac", (h + ind(count, i) * ind(i + 1, s) * x,))))
    return Term("steps", (("i", "h"), term(rounds), term(off_by), step))


def still_to_come(of: Term, count: Any, off_by: Any, s: Any, g: Callable[[Any], Term]) -> Term:
    """E g of the sum of s rewards, after `count` ones whose sum is off by so much; 0 beyond s."""
    return ind(count, s) * mean("x", going_on(of, count, off_by, s, T), g(x))


def deviation(of: Term, i: Any, z: Any) -> Term:
    return pulled(i, z, of) * mean_so_far(i, z, of) - pulled(i, z, of) * centre(of)


@dataclass(frozen=True)
class Off:
    """When the sum of s rewards of an arm is off, by its distance from s means, and how rarely that is so at most."""

    of: Term
    at: Callable[[Any, Any], Term]
    bound: Callable[[Any], Term]
    rarely: Callable[[Term], Theorem]

    def given(self, count: Any, off_by: Any, s: Any) -> Term:
        return still_to_come(self.of, count, off_by, s, lambda x: self.at(s, x))

    def chance(self, i: Any, z: Any, s: Any) -> Term:
        """The chance that s rewards will be off, given those that were drawn in the run z of i rounds."""
        return self.given(pulled(i, z, self.of), deviation(self.of, i, z), s)

    def chances(self, i: Any, z: Any) -> Term:
        return sum_of(lambda j: self.chance(i, z, j + 1), T)

    def now(self) -> Term:
        return self.at(pulled(n, z, self.of), deviation(self.of, n, z))

    def sure(self, j: Any) -> Term:
        """What is off now, if there are j + 1 rewards."""
        return equal(j, pulled(n, z, self.of) - 1) * self.at(j + 1, deviation(self.of, n, z))

    def rare(self) -> Term:
        """What the chances add up to, at most, before there are rewards."""
        return sum_of(lambda j: self.bound(j + 1), T)


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


@lemma("a N1 D1 s T g", nat(N), nat(s), nat(T), le(s, T))
def martingale() -> Theorem:
    """One reward more leaves E g of s rewards as it is; at s = N it is known, and gone after that."""
    value = app("g", x)
    now = still_to_come(a, N, D, s, lambda x: app("g", x))
    after = still_to_come(a, N + 1, D + r, s, lambda x: app("g", x))
    goal = le(mean("r", noise(a), after) + equal(s, N) * app("g", D), now)
    pn, ps = assume(nat(N)), assume(nat(s))
    far, near, gone = assume(lt(N, s)), assume(le(N, s)), assume(lt(s, N))
    before = at_most(auto(le(N + 1, s), nat_nonnegative(nat_minus(pn, ps, far))))
    early = mean("r", noise(a), mean("x", going_on(a, N + 1, D + r, s, T), value))
    known = ind(N, s) * app("g", D)
    first = instance(one_is_drawn(), {}, far)
    later = auto(goal, (early, before), (at(N, D, T), at_most(far)), first, (known, not_at_most(far)))
    over = not_at_most(auto(lt(s, N + 1), assume(le(s, N))))
    hit = at_most(near), at_most(assume(le(s, N)))
    ended = instance(not_yet(True), {}, assume(le(s, N)))
    here = auto(goal, (early, over), ended, (known, hit[1]))
    none = not_at_most(gone)
    after_that = early, not_at_most(auto(lt(s, N + 1), gone))
    past = auto(goal, after_that, (at(N, D, T), none), (ind(s, N) * app("g", D), none))
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


@lemma("a s T q", All(("a",), is_arm(a, K), one_subgaussian(noise(a))), *is_arm(a, K), nat(s), le(1, s))
def rarely_off(sign: int) -> Theorem:
    """The sum of s rewards is off by the root of q with a chance of at most e^(-q/(2 s))."""
    total, off = drawn(a, s), is_off(sign * x, q)
    goal = le(mean("x", total, off), exp(-q / (2 * s)))
    low, high = off.args
    one = mono(auto(le(off, 1), (high, indicator(*low.args, 4))), "x", total)
    some, large = auto(lt(0, s)), assume(lt(0, q))
    none = product(weak(reciprocal_positive(some)), auto(le(0, -q), assume(le(q, 0))))
    trivial = auto(goal, one, exp_monotone(auto(le(0, -q / (2 * s)), none)))
    root = exp(log(q) / 2)
    is_root = auto(eq(root * root, q), exp_log(large))
    far = mono(instance(off_is_far(), {"w": root, "x": sign * x}, is_root), "x", total)
    of_one = instance(NOISE)
    of_sum = instance(instance(samples(), {"X": fn("", noise(a)), "v1": term(1)}, of_one), {"n": s})
    signed = of_sum if sign == 1 else instance(turned_subgaussian(), {"X": fn("", total), "v1": s}, of_sum)
    side = total if sign == 1 else multiple(-1, total)
    tail = instance(tail_of_subgaussian(), {"X": fn("", side), "v1": s, "level": root}, signed)
    exponent = exp_monotone(auto(le(-root * root / (2 * s), -q / (2 * s)), (1 / (2 * s), is_root)))
    return cases(trivial, auto(goal, far, tail, exponent), q, term(0))


def by_square(of: Term, sign: int, square_: Callable[[Any], Any], bound: Callable[[Any], Term]) -> Off:
    """Off by the root of a square or more; `bound` is e^(-square/(2 s))."""

    def rarely(s: Term) -> Theorem:
        known = assume(nat(s)), assume(le(1, s))
        tail = instance(rarely_off(sign), {"a": of, "q": square_(s)}, NOISE, *arm(of), *known)
        exponent = auto(eq(-square_(s) / (2 * s), bound(s).args[0]), reciprocal(auto(lt(0, s), known[1])))
        return auto(le(tail.conclusion.args[0], bound(s)), tail, exp_equal(exponent))  # type: ignore[union-attr]

    return Off(of, lambda s, x: is_off(sign * x, square_(s)), bound, rarely)


# ------------------------------------------------------------------------------------------------------ one round


def chance_after(off: Off, s: Term, whole: Theorem, in_range: Theorem) -> Theorem:
    """After a round the chance for s rewards is no larger, and by as much smaller as was sure if its arm was played."""
    of = off.of
    count, off_by = pulled(n, z, of), deviation(of, n, z)
    changes = after_round(NEXT_PULLED, of), after_round(NEXT_SUM, of)
    told, sure = mean("r", noise(a), off.chance(n + 1, RUN, s)), equal(s, count) * off.at(s, off_by)
    goal = le(told + equal(a, of) * sure, off.chance(n, z, s))

    def so_far(counted: Theorem, summed: Theorem) -> list[Theorem]:
        return [mono(f, "r", noise(a)) for f in rewritten(lambda c, d: off.given(c, d, s), [counted, summed])]

    def then(it_is: Theorem) -> Theorem:
        one = is_equal(it_is)
        named = same(it_is, "w", centre(w))
        counted = auto(eq(pulled(n + 1, RUN, of), count + 1), changes[0], one)
        summed = auto(
            eq(deviation(of, n + 1, RUN), off_by + r), changes[1], (centre(of), counted), (REWARD, one), named
        )
        by_name = same(it_is, "w", mean("r", noise(w), off.given(count + 1, off_by + r, s)))
        values = {"a": of, "N1": count, "D1": off_by, "s": s, "g": fn("x", off.at(s, x))}
        stays = instance(martingale(), values, of_arm(0, of), whole, in_range)
        return auto(goal, *so_far(counted, summed), by_name, stays, (sure, one))

    def other(_: Term, zero: Theorem) -> Theorem:
        counted = auto(eq(pulled(n + 1, RUN, of), count), changes[0], zero)
        summed = auto(eq(deviation(of, n + 1, RUN), off_by), changes[1], (centre(of), counted), (REWARD, zero))
        return auto(goal, *so_far(counted, summed), (sure, zero))

    return unless_equal(a, of, then, other)


def up_to_T() -> Theorem:
    """j + 1 <= T for j < T."""
    fewer = nat_nonnegative(nat_minus(assume(nat(j)), assume(nat(T)), assume(lt(j, T))))
    return auto(le(j + 1, T), fewer)


def off_is_counted(off: Off, played: bool) -> Theorem:
    """The sum over s of 1[N = s] 1[off] is 1[off] for an arm that was played, and at least 0."""
    if not played:
        return sum_over(auto(le(0, off.sure(j))), "j", T)
    count, off_by = pulled(n, z, off.of), deviation(off.of, n, z)
    spot = count - 1
    place = nat_minus(nat_zero(), of_arm(0, off.of), auto(lt(0, count), begun(off.of)))
    found = for_all("j", picked(lambda i: off.at(i + 1, off_by), j, T), *is_arm(j, T))
    return auto(
        eq(sum_of(off.sure, T), off.now()),
        instance(found, {"j": spot}, place, auto(lt(spot, T), of_arm(1, off.of), SOON)),
    )


def chances_after(off: Off) -> Theorem:
    """The sum over s of the chances after a round, and what was sure if the arm was played, is at most what it was."""
    step = chance_after(off, j + 1, nat_next(assume(nat(j))), up_to_T())
    left_side, right_side = step.conclusion.args  # type: ignore[union-attr]
    total = sum_over(auto(le(0, right_side - left_side), step), "j", T)
    inside = sum_inside("j", T, "r", noise(a), off.chance(n + 1, RUN, j + 1))
    sure = equal(a, off.of) * sum_of(off.sure, T)
    return auto(le(mean("r", noise(a), off.chances(n + 1, RUN)) + sure, off.chances(n, z)), total, inside)


def sure_is_in_chances(off: Off) -> Theorem:
    """What is sure now is among the chances."""
    values = {"a": off.of, "N1": pulled(n, z, off.of), "D1": deviation(off.of, n, z), "s": j + 1}
    values |= {"g": fn("x", off.at(j + 1, x))}
    stays = instance(martingale(), values, of_arm(0, off.of), nat_next(assume(nat(j))), up_to_T())
    each = auto(le(0, off.chance(n, z, j + 1) - off.sure(j)), stays)
    return auto(le(sum_of(off.sure, T), off.chances(n, z)), sum_over(each, "j", T))


@lemma("n t u v", nat(n), nat(t), le(v, u))
def round_passes() -> Theorem:
    """From round n + 1 on there is v, and u is spent in round n, if from n on there was u, for v <= u."""
    goal = le(0, ind(n, t) * u - equal(t, n) * u - ind(n + 1, t) * v)
    gone, there, soon, later = (assume(f) for f in (lt(t, n), le(t, n), le(n, t), lt(n, t)))
    past = auto(goal, (v, not_at_most(auto(lt(t, n + 1), gone))), (u - u * ind(t, n), not_at_most(gone)))
    here = auto(goal, (v, not_at_most(auto(lt(t, n + 1), there))), (u * ind(n, t), at_most(there)))
    beyond = auto(le(n + 1, t), nat_nonnegative(nat_minus(PN, assume(nat(t)), later)))
    to_come = auto(goal, (v, at_most(beyond)), (u - u * ind(t, n), at_most(later)), (u, not_at_most(later)))
    return cases(cases(here, past, n, t), to_come, t, n)


KNOWN = nat(T), le(1, T), nat(K), le(1, K)


@dataclass(frozen=True)
class Plays:
    """How often the arm k is played: `most` times, and once more where it, or the best arm, is off.

    `one_is_off`: in a round n in which k is played, after more than `most` plays, it is too high or the best arm is too
    low, in this round. In round t the best arm is too low by too_low(t).
    """

    most: Term
    most_low: Callable[[], Theorem]
    too_low: Callable[[Any], Off]
    too_high: Off
    one_is_off: Callable[[Theorem], Theorem]
    rounds: Runs = ROUNDS

    def left(self, count: Any) -> Term:
        return above_zero(self.most + 1 - count)

    def misled(self, i: Any, z: Any) -> Term:
        """The chances that the best arm will be too low in a round from i on."""
        return sum_of(lambda t: ind(i, t) * self.too_low(t).chances(i, z), T, "t")

    def total(self) -> Term:
        """What plays are at most."""
        return self.most + 1 + sum_of(lambda t: self.too_low(t).rare(), T, "t") + self.too_high.rare()

    def are_paid(self, first: bool) -> Theorem:
        """A round adds no more plays of k than it takes from what is left and from what is off."""
        count, changed, left, low = pulled(n, z, k), after_round(NEXT_PULLED, k), self.left, self.too_low(n)
        off = self.too_high.now()
        whole = count + left(count) if first else count + left(count) + sum_of(low.sure, T) + equal(a, k) * off
        goal = le(pulled(n + 1, RUN, k) + left(pulled(n + 1, RUN, k)), whole)
        positive = [] if first else [off_is_counted(low, False), auto(le(0, off))]

        def then(it_is: Theorem) -> Theorem:
            one = is_equal(it_is)
            now = auto(eq(pulled(n + 1, RUN, k), count + 1), changed, one)
            fewer = same(now, "w", left(w))

            def spent(enough: Theorem) -> Theorem:
                some = (
                    at_most(auto(le(0, self.most - count), enough)),
                    at_most(auto(le(0, self.most + 1 - count), enough)),
                )
                paid = (self.most - count, some[0]), (self.most + 1 - count, some[1])
                return auto(goal, now, fewer, *paid, *positive, (off, one))

            if first:
                none = of_arm(3, k, auto(le(n, k), IS_NEXT, it_is))
                return spent(auto(le(count, self.most), none, self.most_low()))
            grown = instance(grows_above_zero(), {"u": self.most + 1 - count, "v": self.most - count})
            found = self.one_is_off(it_is)
            more = auto(goal, now, fewer, grown, off_is_counted(low, True), found, (off, one))
            return cases(spent(assume(le(count, self.most))), more, count, self.most)

        def other(_: Term, zero: Theorem) -> Theorem:
            now = auto(eq(pulled(n + 1, RUN, k), count), changed, zero)
            return auto(goal, now, same(now, "w", left(w)), *positive, (off, zero))

        return unless_equal(a, k, then, other)

    def potential(self, i: Any, z: Any) -> Term:
        return pulled(i, z, k) + self.left(pulled(i, z, k)) + self.misled(i, z) + self.too_high.chances(i, z)

    def falls(self, first: bool) -> Theorem:
        """The mean of the potential after a round is at most what it was."""
        told, high = noise(a), self.too_high
        low, now = self.too_low(t), self.too_low(n)
        of_best, of_k = chances_after(low), chances_after(high)
        after, before = mean("r", told, low.chances(n + 1, RUN)), low.chances(n, z)
        fewer = auto(le(after, before), of_best)
        passed = instance(round_passes(), {"u": before, "v": after}, PN, assume(nat(t)), fewer)
        over_rounds = sum_over(passed, "t", T)
        inside = sum_inside("t", T, "r", told, ind(n + 1, t) * low.chances(n + 1, RUN))
        found = for_all("v", picked(lambda t: self.too_low(t).chances(n, z), v, T), *is_arm(v, T))
        of_now = instance(found, {"v": n}, PN, SOON)
        spent = auto(
            le(mean("r", told, self.misled(n + 1, RUN)) + now.chances(n, z), self.misled(n, z)),
            over_rounds,
            inside,
            of_now,
        )
        sure = sure_is_in_chances(now)
        free_k = product(product(indicator(a, k, 3), indicator(k, a, 3)), off_is_counted(high, False))
        facts = (free_k, off_is_counted(now, False)) if first else ((equal(a, k), off_is_counted(high, True)),)
        goal = le(mean("r", told, self.potential(n + 1, RUN)), self.potential(n, z))
        return falls_with_rewards(
            self.potential, auto(goal, mono(self.are_paid(first), "r", told), spent, sure, of_k, *facts)
        )

    def at_the_start(self) -> Theorem:
        """Before the first round the potential is at most the total."""
        start = var("empty")
        low = self._rare(self.too_low(t))
        on = at_most(nat_nonnegative(assume(nat(t))))
        each = auto(le(0, self.too_low(t).rare() - ind(0, t) * self.too_low(t).chances(0, start)), low, on)
        misled = sum_over(each, "t", T)
        none = instance(NOT_PULLED, {"a": k}, *arm(k))
        some = auto(le(0, self.most + 1), self.most_low()), indicator(0, self.most + 1, 4)
        rest = auto(le(self.left(0), self.most + 1), some)
        own = same(none, "w", self.left(w))
        return auto(le(self.potential(0, start), self.total()), none, own, rest, misled, self._rare(self.too_high))

    def _rare(self, off: Off) -> Theorem:
        """The chances at the start are at most what they add up to."""
        start, s, of = var("empty"), j + 1, off.of
        none = instance(NOT_PULLED, {"a": of}, *arm(of))
        whole, least = nat_next(assume(nat(j))), auto(le(1, s), nat_nonnegative(assume(nat(j))))
        gone = auto(eq(deviation(of, 0, start), 0), (mean_so_far(0, start, of) - centre(of), none))
        now = rewritten(lambda c, d: off.given(c, d, s), [none, gone])
        in_range = auto(lt(s, T + 1), assume(lt(j, T)))
        begun_now = instance(from_the_start(), {"a": of, "s": s, "g": fn("x", off.at(s, x))}, whole, in_range)
        mean_off, on = mean("x", going_on(of, 0, 0, s, T), off.at(s, x)), at_most(auto(le(0, s), least))
        rarely = instance(for_all("s", off.rarely(var("s")), nat(var("s")), le(1, var("s"))), {"s": s}, whole, least)
        each = auto(le(0, off.bound(s) - off.chance(0, start, s)), *now, rarely, begun_now, (mean_off, on))
        return auto(le(off.chances(0, start), off.rare()), sum_over(each, "j", T))

    def of_an_arm(self) -> Theorem:
        """E N_k(T) is at most the total."""
        end = auto(le(pulled(n, z, k), self.potential(n, z)), not_below_zero(self.most + 1 - pulled(n, z, k)))
        return self.rounds.stay_below(
            lambda i, z: pulled(i, z, k), self.potential, self.falls, self.at_the_start(), end
        )


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


def one_is_off_now(
    it_is: Theorem, narrow: Theorem, lead: Any, far: Any, sides: list[Off], of_widths: Theorem = WIDTH_SQUARE
) -> Theorem:
    """In a round of k, which a is, whose gap is at least its width, the lead of the best index and `far`: it is off.

    Or the mean of the best arm is, by its width and the lead.
    """
    width = [app("half_width", n, z, of) for of in (best, k)]
    low = [instance(WIDTH_LOW, {"i": n, "a": of}) for of in (best, k)]
    of_k = same(it_is, "w", index_of_average(n, z, w))
    larger = auto(
        le(index_of_average(n, z, best), index_of_average(n, z, k)),
        instance(IS_LARGEST_MEAN, {"b": best}, *arm(best)),
        of_k,
    )
    squares = width[0] * width[0] + term(lead) * lead, term(far) * far
    values = {"high": centre(best), "low": centre(k), "w_1": width[0], "w_k": width[1], "v_1": lead, "v_k": far}
    values |= {"m_1": mean_so_far(n, z, best), "m_k": mean_so_far(n, z, k)} | {"q_1": squares[0], "q_k": squares[1]}
    off = instance(one_is_off(), values, larger, narrow, *low)
    sums = []
    for (of, sign), f, side in zip(SIDES, squares, sides, strict=True):
        count, far_now = pulled(n, z, of), sign * (mean_so_far(n, z, of) - centre(of))
        whole = instance(off_in_sum(), {"N1": count, "x": far_now, "q": f}, begun(of))
        square_ = auto(eq(count * count * f, side.at(count, x).args[1].args[0]), (count, width_of(of, of_widths)))
        distance = count * far_now
        sums += [whole, same(square_, "w", ind(0, distance) * ind(w, distance * distance))]
    return auto(le(1, sum((side.now() for side in sides), term(0))), off, *sums)


def width_of(of: Term, squares: Theorem = WIDTH_SQUARE) -> Theorem:
    return instance(squares, {"i": n, "a": of}, PN, SOON, *arm(of), begun(of))


IS_LARGEST_MEAN = assume(All(("b",), is_arm(b, K), le(index_of_average(n, z, b), index_of_average(n, z, a))))


def narrow_width() -> Theorem:
    """The width is at most half the gap after more than MOST plays."""
    f, count, steep = app("half_width", n, z, k), pulled(n, z, k), assume(lt(0, GAP))
    wide = assume(lt(GAP, 2 * f))
    near = product(auto(lt(0, 2 * f - GAP), wide), auto(lt(0, 2 * f + GAP), wide, steep))
    scaled = product(nat_nonnegative(of_arm(0, k)), weak(near))
    inverse = reciprocal_positive(steep)
    small = auto(le(count * GAP * GAP, 16 * LEVEL), scaled, width_of(k))
    twice = product(weak(inverse), weak(inverse))
    one = reciprocal(steep)
    few = auto(le(count, MOST), (twice, small), (count * GAP / GAP, one), (count, one))
    return by_contradiction(le(2 * f, GAP), contradiction(few, assume(lt(MOST, count))))


def level_low() -> Theorem:
    """0 <= log T."""
    return ordered(auto(le(exp(term(0)), exp(LEVEL)), exp_log(auto(lt(0, T)))))


def most_low() -> Theorem:
    """0 <= MOST."""
    inverse = weak(reciprocal_positive(assume(lt(0, GAP))))
    return auto(le(0, MOST), product(level_low(), product(inverse, inverse)))


AS_OFTEN = [by_square(of, sign, lambda s: 4 * s * LEVEL, lambda s: exp(-2 * LEVEL)) for of, sign in SIDES]
WITH_A_HORIZON = Plays(
    MOST,
    most_low,
    lambda t: AS_OFTEN[0],
    AS_OFTEN[1],
    lambda it_is: one_is_off_now(it_is, narrow_width(), 0, app("half_width", n, z, k), AS_OFTEN),
)


@once
def plays_of_an_arm() -> Theorem:
    """E N_k(T) <= MOST + 3."""
    suppose(*KNOWN)
    value = exp_log(auto(lt(0, T)))
    inverse = auto(eq(T * exp(-LEVEL), 1), (exp(-LEVEL), value))
    square_ = auto(eq(T * T * exp(-2 * LEVEL), 1), inverse)
    whole = WITH_A_HORIZON.of_an_arm()
    return auto(le(whole.conclusion.args[0], MOST + 3), whole, square_)  # type: ignore[union-attr]


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
