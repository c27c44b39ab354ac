"""Proofs in the kernel of how large the likelihood ratio of a coupled run is: where an arm is played n times at most,
the sum S of W = log (dP'/dP'') over its second rewards, which have the law P', is hardly more than n times kl = E W.

With N plays of the arm, e^(theta S - q N) has a mean of at most 1, q = theta kl + 2 theta^2 E W^2, if theta W <= 1/2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.asymptotics import bernoulli
from banditproof.verify.kernel.couplings import kept_of_rounds, second_reward_has_law, sum_of_kept
from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.consistent_regret import mean_of_bernoulli
from banditproof.verify.theorems.coupled_counts import *
from banditproof.verify.theorems.couplings import nu, second_given_first

mu, other = var("mean"), var("larger")
HEADS, TAILS = var("at_one"), var("at_zero")


def weight(reward: Any) -> Term:
    return equal(reward, 1) * HEADS + (1 - equal(reward, 1)) * TAILS


KL, SQUARE = mu * HEADS + (1 - mu) * TAILS, mu * HEADS * HEADS + (1 - mu) * TAILS * TAILS
RATE = theta * KL + 2 * theta * theta * SQUARE
KEPT = [assume(f) for f in kept_of_rounds(2, lambda a, r, q: equal(a, arm) * weight(q))]
SECOND = assume(second_reward_has_law(second_given_first, nu, arm, bernoulli(mu)))


def S(rounds: Any, z: Any) -> Term:
    return sum_of_kept(2, rounds, z)


def potential(rounds: Any, z: Any) -> Term:
    return exp(theta * S(rounds, z) - RATE * N(rounds, z))


def positive(rounds: Any, z: Any) -> Term:
    """1 where the sum is above 0."""
    return 1 - ind(S(rounds, z), 0)


def of_played(F: Term) -> Theorem:
    """1[a = arm] E F(q) = 1[a = arm] (F(0) + mu (F(1) - F(0))), in the mean over both rewards of a."""
    w = var("w")
    moved = under(a, arm, mean("r", nu(w), mean("q", second_given_first(w, r), F)))
    low, high = assume(le(0, mu)), assume(le(mu, 1))
    value = mean_of_bernoulli(mu, substitute(F, {"q": var("x")}), low, high)
    zero, one = (substitute(F, {"q": term(k)}) for k in (0, 1))
    goal = eq(PLAYED * mean("r", nu(a), mean("q", second_given_first(a, r), F)), PLAYED * (zero + mu * (one - zero)))
    return auto(goal, moved, (PLAYED, instance(SECOND, {"u": fn("q", F)})), (PLAYED, value))


@lemma("x", le(2 * var("x"), 1))
def square_above() -> Theorem:
    """e^x <= 1 + x + 2 x^2 for x <= 1/2."""
    x = var("x")
    some = auto(lt(0, 1 - x))
    top = 1 + x + 2 * x * x
    whole = auto(le((1 - x) * exp(x), (1 - x) * top), (exp(x), exp_tangent(-x)))
    return auto(le(exp(x), top), (reciprocal_positive(some), whole))


def if_played(then: Callable[[Theorem], Theorem], other: Callable[[Theorem], Theorem]) -> Theorem:
    """What follows from 1[a = arm] = 1, and otherwise from 1[a = arm] = 0."""
    return unless_equal(a, arm, lambda it_is: then(is_equal(it_is)), lambda _, zero: other(zero))


@once
def mean_of_potential() -> Theorem:
    """E e^(theta S - q N) <= 1 where theta W <= 1/2."""
    suppose(le(0, mu), le(mu, 1), le(2 * theta * HEADS, 1), le(2 * theta * TAILS, 1))
    plays, sums = one_more(0, KEPT_PLAYS), one_more(2, KEPT)
    w = weight(q)
    exponent = theta * S(n, z) + theta * PLAYED * w - RATE * N(n, z) - RATE * PLAYED
    split = exp_equal(auto(eq(theta * S(n + 1, RUN) - RATE * N(n + 1, RUN), exponent), (theta, sums), (RATE, plays)))
    now, rest = potential(n, z), exp(-RATE * PLAYED)
    more = exp(theta * w) - 1
    last = eq(exp(theta * PLAYED * w), 1 + PLAYED * more)
    by = lambda known: auto(last, same(known, "v", exp(theta * var("v") * w)), (more, known))  # noqa: E731
    of_last = if_played(by, by)
    each = auto(eq(potential(n + 1, RUN), now * rest * (1 + PLAYED * more)), split, (now * rest, of_last))
    ends = [instance(square_above(), {"x": theta * at}) for at in (HEADS, TAILS)]
    grown = auto(
        le(exp(theta * TAILS) + mu * (exp(theta * HEADS) - exp(theta * TAILS)) - 1, RATE),
        (mu, ends[0]),
        (1 - mu, ends[1]),
    )
    once_more = product(indicator(a, arm, 3), indicator(arm, a, 3))
    small = auto(le(rest * (1 + RATE * PLAYED), 1), (rest, exp_tangent(RATE * PLAYED)))
    facts = (now * rest, of_played(exp(theta * w))), (product(once_more, auto(le(0, now * rest))), grown), (now, small)
    return after_rounds(potential, 1, each, *facts)


@once
def never_positive() -> Theorem:
    """P(S > 0) <= 0 where no log-likelihood ratio is above 0 with a probability above 0."""
    suppose(le(0, mu), le(mu, 1))
    above = [1 - ind(at, 0) for at in (HEADS, TAILS)]
    none = suppose(eq(mu * above[0], 0), eq((1 - mu) * above[1], 0))
    sums, more = one_more(2, KEPT), 1 - ind(weight(q), 0)
    now, later = positive(n, z), positive(n + 1, RUN)
    goal = le(later, now + PLAYED * more)
    low = product(product(indicator(a, arm, 3), indicator(arm, a, 3)), auto(le(0, more)))
    before = auto(goal, not_at_most(assume(lt(0, S(n, z)))), low)
    so_far = assume(le(S(n, z), 0))
    small = product(
        product(indicator(a, arm, 3), indicator(arm, a, 3)), auto(le(0, -weight(q)), assume(le(weight(q), 0)))
    )
    stays = auto(goal, at_most(auto(le(S(n + 1, RUN), 0), sums, so_far, small)), low)
    ratio_is = not_at_most(assume(lt(0, weight(q))))

    def hit(one: Theorem) -> Theorem:
        return auto(goal, one, (PLAYED, ratio_is))

    def other_arm(zero: Theorem) -> Theorem:
        flat = at_most(auto(le(S(n + 1, RUN), 0), sums, so_far, (weight(q), zero)))
        return auto(goal, flat, low)

    rises = if_played(hit, other_arm)
    each = cases(cases(stays, rises, weight(q), term(0)), before, S(n, z), term(0))
    return after_rounds(positive, 0, each, of_played(more), (PLAYED, none[0]), (PLAYED, none[1]))


LEVEL, FEW = (1 + alpha) * most * KL, ind(sum_of_kept(1, T, z), (1 + alpha) * most * var("variation"))
RARE = ind(N(T, z), most) * (FEW * (1 - ind(S(T, z), LEVEL)))


@once
def rarely() -> Theorem:
    """P(N <= n, S > (1 + alpha) n kl) (1 + n theta alpha kl/2) <= 1 for small theta > 0."""
    some, low, count = suppose(lt(0, alpha), lt(0, KL), le(0, most))
    suppose(le(0, mu), le(mu, 1), le(2 * theta * HEADS, 1), le(2 * theta * TAILS, 1))
    small, spare = suppose(lt(0, theta), le(4 * theta * SQUARE, alpha * KL))
    power = most * (theta * alpha * KL / 2)
    goal = le(RARE * exp(power), potential(T, z))
    few, much = assume(le(N(T, z), most)), assume(lt(LEVEL, S(T, z)))
    rate_low = auto(le(0, RATE))
    facts = (small, much), (rate_low, few), (product(count, weak(small)), spare)
    exponent = exp_monotone(auto(le(power, theta * S(T, z) - RATE * N(T, z)), *facts))
    is_few, is_much = ind(N(T, z), most), 1 - ind(S(T, z), LEVEL)
    differ = indicator(*FEW.args, 4)
    ones = at_most(few), not_at_most(much)
    rest = exp(power) * is_few * is_much
    below = auto(
        le(RARE * exp(power), rest),
        (product(product(exp_positive(power), indicator(*is_few.args, 3)), auto(le(0, is_much))), differ),
    )
    both = auto(goal, below, exponent, (exp(power) * is_much, ones[0]))
    often = auto(goal, below, (exp(power) * is_much, not_at_most(assume(lt(most, N(T, z))))))
    little = auto(goal, below, (exp(power) * is_few, at_most(assume(le(S(T, z), LEVEL)))))
    each = cases(cases(little, both, S(T, z), LEVEL), often, N(T, z), most)
    chance = mean("z", runs(T), RARE)
    in_mean = auto(le(chance * exp(power), 1), mono(each, "z", runs(T)), mean_of_potential())
    return auto(le(chance * (1 + power), 1), in_mean, (mono(not_negative(RARE), "z", runs(T)), exp_tangent(power)))


OF_HEADS = All((), (lt(0, mu),), eq(other * exp(HEADS), mu))
OF_TAILS = All((), (lt(mu, 1),), eq((1 - other) * exp(TAILS), 1 - mu))


@lemma("mean larger at_one at_zero", le(0, mu), lt(mu, other), le(other, 1), OF_HEADS, OF_TAILS)
def divergence_is_positive() -> Theorem:
    """0 < kl(mu, other): the tails add more than other - mu by the square of the root of their ratio."""
    low, less = assume(le(0, mu)), assume(lt(mu, other))
    rest = auto(lt(0, 1 - mu))
    of_tails = instance(assume(OF_TAILS))
    root = exp(-TAILS / 2)
    squared = auto(eq((1 - mu) * root * root, 1 - other), (exp(-TAILS), of_tails))
    tails = auto(le(2 * (1 - mu) * (1 - root), (1 - mu) * TAILS), (2 * (1 - mu), exp_tangent(-TAILS / 2)))
    of_heads = instance(assume(OF_HEADS), {}, assume(lt(0, mu)))
    some = auto(le(mu - other, mu * HEADS), (mu, exp_tangent(-HEADS)), (exp(-HEADS), of_heads))
    none = auto(le(mu - other, mu * HEADS), antisymmetric(assume(le(mu, 0)), low))
    heads = cases(none, some, mu, term(0))
    goal = lt(0, KL)
    large, small = assume(le(1, root)), assume(lt(root, 1))
    false = contradiction(squared, less, (1 - mu, auto(le(1, root * root), large)))
    gap = product(rest, product(auto(lt(0, 1 - root), small), auto(lt(0, 1 - root), small)))
    return cases(absurd(false, goal), auto(goal, tails, heads, squared, gap), term(1), root)


def no_ratio(chance: Term, at: Term, given: All, low: Theorem, equal_means: Theorem) -> tuple[Theorem, Theorem]:
    """chance W = 0 and chance 1[W > 0] = 0, where W = 0 if that value is possible at all."""
    goals = eq(chance * at, 0), eq(chance * (1 - ind(at, 0)), 0)
    none = antisymmetric(assume(le(chance, 0)), low)
    some = assume(lt(0, chance))
    known = instance(assume(given), {}, auto(given.given[0], some))  # type: ignore[arg-type]
    one = auto(eq(exp(at), 1), (1 / chance, known), (1 / chance * exp(at), equal_means), reciprocal(some))
    above = auto(le(at, 0), exp_tangent(at), one)
    below = auto(le(0, at), exp_tangent(-at), (exp(-at), one))
    ratio_is = antisymmetric(above, below)
    zero = at_most(above)
    proved = (auto(goals[0], (chance, ratio_is)), auto(goals[1], (chance, zero)))
    idle = auto(goals[0], (at, none)), auto(goals[1], (1 - ind(at, 0), none))
    return tuple(cases(i, p, chance, term(0)) for i, p in zip(idle, proved, strict=True))  # type: ignore[return-value]


@proof
def ratios_are_small(statement: All) -> Theorem:
    """With theta = alpha kl/(4 M^2 (1 + alpha)), M = 1 + W(1)^2 + W(0)^2; where the means are equal the sum is 0."""
    limit = Limit(statement)
    low, above = assume(le(0, mu)), assume(le(mu, other))
    high = auto(le(mu, 1))

    # equal means
    means = antisymmetric(assume(le(other, mu)), above)
    parts = [no_ratio(mu, HEADS, OF_HEADS, low, means), no_ratio(1 - mu, TAILS, OF_TAILS, auto(le(0, 1 - mu)), means)]
    body, sums = substitute(RARE, limit.at), S(ROUNDS, z)
    level = auto(
        eq((1 + alpha) * COUNT * KL, 0), ((1 + alpha) * COUNT, parts[0][0]), ((1 + alpha) * COUNT, parts[1][0])
    )
    at_zero = same(level, "v", ind(sums, var("v")))
    few, differ = body.args[0], body.args[1].args[0]
    rises = positive(ROUNDS, z)
    rises_low = auto(le(0, rises))
    first = auto(le(differ * rises, rises), (rises_low, indicator(*differ.args, 4)))
    small = auto(
        le(body, rises), (few * differ, at_zero), (indicator(*few.args, 3), first), (rises_low, indicator(*few.args, 4))
    )
    given = [part[1].conclusion for part in parts]
    never = for_all("T", never_positive(), nat(T), low.conclusion, high.conclusion, *given)
    of_rounds = instance(never, {"T": ROUNDS}, limit.natural, *(part[1] for part in parts))
    at_once = limit.at_once(auto(le(limit.chance, 0), mono(small, "z", runs(ROUNDS)), of_rounds))

    # a larger mean
    less, some = assume(lt(mu, other)), assume(lt(0, alpha))
    gain = instance(divergence_is_positive(), {}, less)
    M, share = 1 + HEADS * HEADS + TAILS * TAILS, 1 / (4 + 4 * alpha)
    rest = auto(le(0, 1 - mu))
    sizes = [auto(le(at, M), square(at - 1)) for at in (HEADS, TAILS)]
    over, more = auto(lt(0, M)), auto(lt(0, 4 + 4 * alpha))
    inverse, of_share = reciprocal_positive(over), reciprocal_positive(more)
    scaled, part = KL / M, alpha * share
    scaled_low, part_low = product(gain, inverse), product(some, of_share)
    scaled_high = auto(le(scaled, 1), (inverse, auto(le(KL, M), (low, sizes[0]), (rest, sizes[1]))))
    best = part * scaled / M
    is_best = product(product(part_low, scaled_low), inverse)
    at_M = auto(eq(best * M, part * scaled))
    quarter = auto(le(4 * best * M, 1), (part_low, scaled_high))
    halves = [
        auto(le(2 * best * v, 1), (is_best, size), quarter) for v, size in zip((HEADS, TAILS), sizes, strict=True)
    ]
    squares = auto(le(SQUARE, M))
    at_least_one = auto(le(1, M))
    less_than_all = auto(le(scaled, KL), (gain, auto(le(1 / M, 1), (inverse, at_least_one))))
    share_high = auto(le(4 * share, 1), (of_share, auto(le(4, 4 + 4 * alpha))))
    one = auto(le(4 * part, alpha), (some, share_high))
    spare = auto(le(4 * best * SQUARE, alpha * KL), (is_best, squares), at_M, (part_low, less_than_all), (gain, one))
    bounds = low.conclusion, high.conclusion, le(2 * theta * HEADS, 1), le(2 * theta * TAILS, 1)
    known = lt(0, alpha), lt(0, KL), *bounds, lt(0, theta), le(4 * theta * SQUARE, alpha * KL)

    def bound() -> Theorem:
        every = for_all("theta", rarely(), *known)
        return instance(every, {"theta": best}, gain, *halves, is_best, spare)

    rate = auto(lt(0, best * alpha * KL / 2), product(product(is_best, some), gain))
    return cases(at_once, limit.slowly(rate, bound), other, mu)
