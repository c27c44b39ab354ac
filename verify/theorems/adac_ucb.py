"""Proofs in the kernel of the regret of AdaC-UCB, whose episodes double (`doubling.py`) and whose noise is Gaussian."""

from __future__ import annotations

from banditproof.verify.kernel.episodes import noisy_mean
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.tactics import positive
from banditproof.verify.kernel.variables import gaussian
from banditproof.verify.theorems.doubling import *
from banditproof.verify.theorems.optimism import Costs, off_is_far, smaller_root
from banditproof.verify.theorems.policies import sum_over
from banditproof.verify.theorems.tails import gaussian_mean

c, k, m, n, r = map(var, ("centre", "k", "m", "n", "r"))
T, K, rho, root, best, few = map(var, ("T", "K", "rho", "root", "best", "few"))


@lemma("X m n centre rho level", *OF_CHANCE, lt(0, rho))
def rarely(sign: int) -> Theorem:
    """The mean of m >= n rewards with the noise for n is off on one side by the width of a level: at most e^-level."""
    variance, high = 1 / (2 * rho * n * n), assume(lt(0, level))
    q = (n / 2 + 1 / rho) * level / (n * n)
    width, low, is_root = root_of(q, positive(q))
    log_delta, of_log = log(1 / exp(-level)), exp_log(exp_positive(level))
    is_level = antisymmetric(*(ordered(auto(f, of_log)) for f in _both_orders(log_delta, level)))
    fewer, sizes = (
        product(weak(high), auto(le(0, 1 / n - 1 / m), instance(fewer_samples()))),
        1 / (2 * m) + 2 * variance,
    )
    wide = auto(le(sizes * log_delta, width * width), is_root, (sizes, is_level), fewer)
    values = {"n": m, "v": variance, "width": width, "delta": exp(-level)}
    known = *map(assume, OF_CHANCE[:3]), positive(variance), low, exp_positive(-level), wide
    noisy, far = noisy_mean(X_LAW, m, gaussian(variance)), sign * (r - c)
    off = mono(instance(off_is_far(), {"w": width, "q": q, "x": far}, is_root), "r", noisy)
    return auto(le(off.conclusion.args[0], exp(-level)), off, instance(gaussian_mean(sign), values, *known))  # type: ignore[union-attr]


def _both_orders(u: Term, v: Term) -> tuple[Rel, Rel]:
    return le(exp(u), exp(v)), le(exp(v), exp(u))


NOISE = Noise(lambda n: gaussian(1 / (2 * rho * n * n)), term(1), term(0), lambda n: n / 2 + 1 / rho, rarely)


@shown
def plays() -> Theorem:
    """E N_k(T) <= 2 few + 2 + 2/excess, where 4 beta log T/gap^2 and 4 root/gap are at most `few` together."""
    suppose(lt(0, rho), lt(0, GAP))
    known = le(0, few), le(0, root), le(LEVEL / rho, root * root), le(4 * LEVEL + 4 * root * GAP, few * GAP * GAP)
    suppose(*known)
    return for_all("few", NOISE.plays(GAP / 2, after_few()), *known)


def after_few() -> list[Theorem]:
    """After `few` plays the width is at most half the gap."""
    n, apart, many = COUNT / 2, assume(lt(0, GAP)), assume(le(few, COUNT))
    some, spread = auto(lt(0, n), assume(le(1, COUNT))), n / 2 + 1 / rho
    early, log_low, level_low = levels_in_time()
    steep = auto(le(2 * LEVEL + 2 * root * GAP, n * GAP * GAP), product(square(GAP), auto(le(0, COUNT - few), many)))
    reach = auto(
        le(2 * root, n * GAP), (reciprocal_positive(apart), steep), product(level_low, weak(reciprocal_positive(apart)))
    )
    wide = auto(le(4 * spread * LEVEL, n * n * GAP * GAP), (weak(some), steep), (auto(le(0, 2 * root)), reach))
    one, over = reciprocal(some), product(reciprocal_positive(some), reciprocal_positive(some))
    whole = auto(le(spread * LEVEL / (n * n), GAP * GAP / 4), (over, wide), (GAP * GAP * (1 + n / n), one))
    share = weak(product(over, auto(lt(0, spread), some)))

    def at(level: Term, *smaller: Theorem) -> Theorem:
        return auto(
            le(spread * level / (n * n), GAP * GAP / 4), whole, product(share, auto(le(0, LEVEL - level), *smaller))
        )

    width, _, is_root = NOISE.width(k)
    now = auto(le(width * width, GAP / 2 * (GAP / 2)), is_root, at(beta * log(ROUND_NOW), early))
    last = at(log(T), log_low, product(auto(le(0, beta - 1)), log_low))
    half = instance(smaller_root(), {"w": width, "v": GAP / 2}, now)
    return [
        auto(le(0, GAP / 2)),
        auto(le(spread * log(T) / (n * n), GAP / 2 * (GAP / 2)), last),
        auto(le(width + GAP / 2, GAP), half),
    ]


@shown
def cost_of_plays() -> Theorem:
    """The gap of k times E N_k(T), where it is positive: 2 + 2/(beta - 3) is at most 2 beta/(beta - 3)."""
    apart = assume(lt(0, GAP))
    inverse = reciprocal_positive(apart)
    least = 4 * LEVEL / GAP / GAP + 4 * root / GAP
    low = auto(
        le(0, least), product(level_is_not_negative(), product(inverse, inverse)), product(assume(le(0, root)), inverse)
    )
    suppose(lt(0, rho), le(0, root), le(LEVEL / rho, root * root), lt(0, GAP))
    of_arm = instance(plays(), {"few": least}, low)
    most = 8 * LEVEL / GAP + 8 * root + 2 * beta / excess * GAP
    return auto(le(GAP * MEAN_PLAYS, most), (apart, of_arm))


@proof
def by_gaps(statement: All) -> Theorem:
    """The regret is at most the sum of what its arms may cost."""
    most, costs = app("most", k), costs_of_one(2)

    def cost(apart: Theorem, said: list[Theorem]) -> Theorem:
        inverse = reciprocal(apart)
        own = product(product(costs, weak(apart)), auto(le(0, 1 - GAP), gap_is_at_most_one()))
        scaled = auto(le(GAP * GAP * MEAN_PLAYS, most * GAP), *said, (apart, cost_of_plays()), (LEVEL, inverse), own)
        return auto(
            le(GAP * MEAN_PLAYS, most), (reciprocal_positive(apart), scaled), (most - GAP * MEAN_PLAYS, inverse)
        )

    return sum_of_most(statement, cost)


@shown
def split_at_a_gap() -> Theorem:
    """The regret is at most 4 lead and, for each arm, 8 root and 2 beta/(beta - 3) times its gap."""
    rest, level, twice = 8 * root + 2 * beta / excess * GAP, 8 * LEVEL, 2 * var("lead")
    lead, wide = assume(le(0, var("lead"))), assume(le(2 * K * T * LEVEL, var("lead") * var("lead")))
    rest_low = auto(le(0, rest), assume(le(0, root)), product(costs_of_one(2), gap_is_not_negative()))
    low = auto(le(0, level), level_is_not_negative())
    costs = Costs(MEAN_PLAYS, level, rest, cost_of_plays(), plays_are_not_negative(), all_plays(), low, rest_low)
    return costs.split_for(twice, auto(le(0, twice), lead), auto(le(K * T * level, twice * twice), wide))


@proof
def without_gaps(statement: All) -> Theorem:
    """The regret is at most 4 lead + 8 K root, and at most three beta/(beta - 3) times the gaps."""
    gaps = product(costs_of_one(2), sum_over(gap_is_not_negative(), "k", K))
    return auto(statement.then, split_at_a_gap(), gaps)


@proof
def of_an_arm(statement: All) -> Theorem:
    """What is said of the plays of k, of any arm."""
    spot = var("arm")
    apart = assume(lt(0, GAP))
    inverse = reciprocal(apart)
    goal = le(MEAN_PLAYS * GAP * GAP, 8 * LEVEL + 8 * root * GAP + 2 * beta / excess * GAP * GAP)
    said = auto(goal, (apart, cost_of_plays()), (8 * LEVEL, inverse))
    of_any = for_all("k", said, *is_arm(k, K), lt(0, GAP))
    return auto(statement.then, instance(of_any, {"k": spot}))
