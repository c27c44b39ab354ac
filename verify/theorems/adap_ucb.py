"""Proofs in the kernel of the regret of AdaP-UCB, whose episodes double (`doubling.py`) and whose noise is Lap(b)."""

from __future__ import annotations

from collections.abc import Callable

from banditproof.verify.kernel.episodes import noisy_mean
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.tactics import positive
from banditproof.verify.theorems.doubling import *
from banditproof.verify.theorems.optimism import Costs, off_is_far, smaller_root
from banditproof.verify.theorems.tails import laplace_tail, mean_tail

c, k, m, n, r, v, w, x = map(var, ("centre", "k", "m", "n", "r", "v", "w", "x"))
T, K, epsilon, few = map(var, ("T", "K", "epsilon", "few"))


@lemma("v w x y")
def one_is_far(sign: int) -> Theorem:
    """If v and w are off together by x and y, on one side, one of them is."""
    y = var("y")
    first, second, both = ind(x, sign * v), ind(y, sign * w), ind(x + y, sign * (v + w))
    goal, near, close = le(both, first + second), assume(lt(sign * v, x)), assume(lt(sign * w, y))
    by_v = auto(goal, at_most(assume(le(x, sign * v))))
    by_w = auto(goal, at_most(assume(le(y, sign * w))))
    neither = auto(goal, not_at_most(auto(lt(sign * (v + w), x + y), near, close)))
    return cases(by_v, cases(by_w, neither, y, sign * w), x, sign * v)


@lemma("X m n centre epsilon level", *OF_CHANCE, lt(0, epsilon))
def rarely(sign: int) -> Theorem:
    """The mean of m >= n rewards with the noise for n is off on one side by a width: 3/2 e^-level at most."""
    q, scale = n / 2 * level / (n * n), 1 / (epsilon * n)
    width, low, is_root = root_of(q, positive(q))
    far, noisy = sign * (r - c), noisy_mean(X_LAW, m, laplace(scale))
    shift = level / epsilon / n
    off = mono(instance(off_is_far(), {"w": width, "q": q, "x": far - shift}, is_root), "r", noisy)
    apart = instance(one_is_far(sign), {"v": v / m - c, "x": width, "y": shift})
    either = mono(mono(apart, "w", laplace(scale)), "v", noisy.args[1])
    of_mean = instance(mean_tail(sign), {"n": m, "beta": width})
    of_noise = instance(laplace_tail(sign), {"z": shift, "b": scale})
    wide = exp_monotone(auto(le(-2 * m * width * width, -level), (auto(le(0, 2 * m)), is_root)))
    goal = le(conclusion(off.conclusion).args[0], 3 * exp(-level) / 2)
    return auto(goal, off, either, of_mean, of_noise, wide)


NOISE = Noise(lambda n: laplace(1 / (epsilon * n)), term(3) / 2, 1 / epsilon, lambda n: n / 2, rarely)


@shown
def plays() -> Theorem:
    """E N_k(T) <= 2 few + 5/2 + 3/excess, where 8 beta log T/gap^2 and 8 beta log T/(gap epsilon) are at most `few`."""
    suppose(lt(0, epsilon), lt(0, GAP))
    known = le(0, few), le(8 * LEVEL, few * GAP * GAP), le(8 * LEVEL, few * GAP * epsilon)
    suppose(*known)
    return for_all("few", NOISE.plays(GAP / 4, after_few()), *known)


def after_few() -> list[Theorem]:
    """After `few` plays the root of the width is at most 3/8 of the gap, and what is for the noise at most 1/4."""
    apart, some = assume(lt(0, GAP)), auto(lt(0, COUNT), assume(le(1, COUNT)))
    early, log_low, _ = levels_in_time()
    third = auto(le(3 * log(T), LEVEL), product(assume(lt(0, excess)), log_low))
    width, _, is_root = NOISE.width(k)
    more, private = auto(le(0, COUNT - few), assume(le(few, COUNT))), assume(lt(0, epsilon))
    over, one, inverse = reciprocal_positive(some), reciprocal(some), reciprocal_positive(private)
    both = product(over, inverse)
    many = auto(le(8 * LEVEL, COUNT * GAP * GAP), product(square(GAP), more))
    wide = auto(le(8 * LEVEL / COUNT, GAP * GAP), (over, many), (GAP * GAP, one))
    far = auto(le(8 * LEVEL, COUNT * GAP * epsilon), product(weak(product(apart, private)), more))
    deep = auto(le(8 * LEVEL / COUNT / epsilon, GAP), (both, far), (GAP * epsilon / epsilon, one))

    def at(level: Term, share: Term, smaller: Theorem) -> Theorem:
        n = COUNT / 2
        goal = le(n / 2 * level / (n * n), share * GAP * (share * GAP))
        return auto(goal, (level / COUNT, one), (over, smaller), wide, square(GAP))

    now, last = at(beta * log(ROUND_NOW), term(3) / 8, early), at(log(T), term(1) / 4, third)
    small = auto(le(width * width, 3 * GAP / 8 * (3 * GAP / 8)), is_root, now)
    half = instance(smaller_root(), {"w": width, "v": 3 * GAP / 8}, small)
    whole = app("half_width", var("n"), var("z"), k) + log(T) / epsilon / (COUNT / 2) + GAP / 4
    return [auto(le(0, GAP / 4)), last, auto(le(whole, GAP), half, deep, (both, early), (both, third))]


def cost_of_few(few: Term, low: Theorem, *enough: Theorem, plays: Callable[[], Theorem] = plays) -> Theorem:
    """The gap of k times E N_k(T), where it is positive: 5/2 + 3/(beta - 3) is at most 3 beta/(beta - 3)."""
    apart, beyond = assume(lt(0, GAP)), assume(lt(0, excess))
    of_arm, slack = instance(plays(), {"few": few}, low, *enough), product(apart, reciprocal_positive(beyond))
    goal = le(GAP * MEAN_PLAYS, 2 * few * GAP + 3 * beta / excess * GAP)
    return auto(goal, (apart, of_arm), apart, slack)


@proof
def by_gaps(statement: All) -> Theorem:
    """The regret is at most the sum of what its arms may cost."""
    return cost_of_gaps(statement, plays)


def cost_of_gaps(statement: All, plays: Callable[[], Theorem]) -> Theorem:
    """The regret from the plays of an arm: 2 few gap is what it may cost beyond the constant."""
    rest = app("most", k) - 3 * beta / excess

    def cost(apart: Theorem, said: list[Theorem]) -> Theorem:
        one, few = reciprocal(apart), rest / GAP / 2
        inverse = weak(reciprocal_positive(apart))
        over = auto(le(0, rest), (inverse, said[0]), (rest, one), product(level_is_not_negative(), inverse))
        low = auto(le(0, few), product(over, inverse))
        enough = [
            auto(le(8 * LEVEL, few * GAP * t), f, (rest * t, one)) for t, f in zip((GAP, epsilon), said, strict=True)
        ]
        own = product(costs_of_one(3), auto(le(0, 1 - GAP), gap_is_at_most_one()))
        return auto(le(GAP * MEAN_PLAYS, app("most", k)), cost_of_few(few, low, *enough, plays=plays), (rest, one), own)

    return sum_of_most(statement, cost)


@shown
def split_at_a_gap(plays: Callable[[], Theorem] = plays, index: Index = private_index) -> Theorem:
    """The regret is at most 8 lead and, for each arm, 16 beta log T/epsilon and 3 beta/(beta - 3) times its gap."""
    private = suppose(lt(0, epsilon))[0]
    deep = product(level_is_not_negative(), weak(reciprocal_positive(private)))
    level, rest, four = 16 * LEVEL, 16 * LEVEL / epsilon + 3 * beta / excess * GAP, 4 * var("lead")
    rest_low = auto(le(0, rest), deep, product(costs_of_one(3), gap_is_not_negative()))
    lead, wide = assume(le(0, var("lead"))), assume(le(K * T * LEVEL, var("lead") * var("lead")))
    low = auto(le(0, level), level_is_not_negative())
    costs = Costs(
        MEAN_PLAYS, level, rest, cost_of_plays(plays), plays_are_not_negative(index), all_plays(index), low, rest_low
    )
    return costs.split_for(four, auto(le(0, four), lead), auto(le(K * T * level, four * four), wide))


def cost_of_plays(plays: Callable[[], Theorem]) -> Theorem:
    """The same with both parts of `few` together."""
    apart, private = assume(lt(0, GAP)), assume(lt(0, epsilon))
    one, inverse, over = reciprocal(apart), reciprocal_positive(apart), reciprocal_positive(private)
    few, low = 8 * LEVEL / GAP / GAP + 8 * LEVEL / GAP / epsilon, level_is_not_negative()
    parts = [product(low, weak(product(inverse, t))) for t in (inverse, over)]
    twice = LEVEL * (1 + GAP / GAP), one
    first = [twice, (LEVEL / epsilon * GAP, one), product(product(low, weak(over)), weak(apart))]
    second = (LEVEL * GAP / GAP, reciprocal(private)), (LEVEL, one), (LEVEL * epsilon / GAP, one)
    enough = (
        auto(le(8 * LEVEL, few * GAP * GAP), *first),
        auto(le(8 * LEVEL, few * GAP * epsilon), *second, product(product(low, weak(private)), weak(inverse))),
    )
    cost = cost_of_few(few, auto(le(0, few), *parts), *enough, plays=plays)
    return auto(
        le(GAP * MEAN_PLAYS, 16 * LEVEL / GAP + 16 * LEVEL / epsilon + 3 * beta / excess * GAP),
        cost,
        (LEVEL / GAP, one),
        (LEVEL / epsilon, one),
    )


@proof
def without_gaps(statement: All) -> Theorem:
    """The regret is at most 8 lead + 16 K beta log T/epsilon, and three beta/(beta - 3) times the gaps."""
    return auto(statement.then, split_at_a_gap())
