"""Bounds for instances, characteristic times, designs."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import mpmath

from banditproof import theory
from second_routes.drawing import Route, budget, inner_pair, mp, pair, size, unit
from second_routes.formulas import d_epsilon, kl, kl_exponential, kl_poisson
from second_routes.laws import concave_maximum


def arms_draw(r: random.Random) -> tuple[Any, ...]:
    """Means of three arms with a unique best one below 1, a budget, a horizon."""
    while True:
        x, y = pair(r)
        means = (x, y, unit(r))
        if max(means) < 1 and sorted(means)[1] < max(means):
            return means, budget(r), r.choice([10 ** r.randint(1, 9), r.randint(2, 5000)])


def mirrored_draw(r: random.Random) -> tuple[Any, ...]:
    """The mean of one of two mirrored arms, and e^epsilon."""
    while True:
        p, q = unit(r), 1 + Fraction(r.randint(0, 1000), r.choice([1, 7, 100, 1000]))
        if 2 * p != 1:
            return p, q


def randomised_response(p: Any, q: Any) -> Any:
    """How often the best private decision after one reward of a mirrored pair is right."""
    better = max(p, 1 - p)
    return (q * better + 1 - better) / (1 + q)


def lower_bound(name: str) -> Any:
    return lambda means, epsilon, T: theory.regret_lower_bound(means, epsilon, T)[name].value


def summed(information: Any) -> Any:
    """log T times the sum over suboptimal arms of gap / information(mean, best, epsilon)."""

    def total(means: Any, epsilon: Any, T: int) -> Any:
        best = mp(max(means))
        terms = [(best - mp(m)) / information(mp(m), best, epsilon) for m in means if mp(m) < best]
        return mpmath.log(T) * sum(terms)

    return total


def upper_bound(algorithm: str, name: str, maker: str | None = None) -> Any:
    def value(means: Any, epsilon: Fraction, T: int) -> Any:
        budget_given = None if maker is None else getattr(theory.Budget, maker)(float(epsilon))
        return theory.regret_upper_bound(algorithm, means, T, budget_given)[name].value

    return value


def by_gaps(term: Any, rest: Any = lambda K, T, e, gaps: 0) -> Any:
    def total(means: Any, epsilon: Any, T: int) -> Any:
        best, e = mp(max(means)), mpmath.mpf(float(epsilon))
        gaps = [best - mp(m) for m in means if mp(m) < best]
        return sum(term(gap, mpmath.log(T), e) for gap in gaps) + rest(len(means), mpmath.mpf(T), e, gaps)

    return total


BETA = Fraction(31, 10)  # the optimism that the bounds take if nothing says otherwise


def minimax_draw(r: random.Random) -> tuple[Any, ...]:
    return r.randint(2, 50), 10 ** r.randint(1, 9) + r.randint(0, 99), size(r, -9, 1)


def forced(arms: int, horizon: int, epsilon: Any = None, rho: Any = None, copies: int = 1, limit: Any = 0.5) -> Any:
    """The best of the regrets that environments at a gap force, over a fine grid and then by golden sections."""
    rewards = mpmath.mpf(horizon - 1)

    def regret(log_gap: Any) -> Any:
        gap = mpmath.exp(log_gap)
        t = mpmath.erf(gap / mpmath.sqrt(2))
        informations = [2 * rewards / (arms - 1) * gap**2]
        if epsilon is not None:
            informations.append(epsilon * rewards / (arms - 1) * t)
        if rho is not None:
            spread = t * (1 - t) if t <= 0.5 else mpmath.mpf(1) / 4
            informations.append(rho / (arms - 1) * (rewards * t + mpmath.sqrt(rewards * spread)) ** 2)
        shares = [share for D in informations for share in (1 - mpmath.sqrt(D / 2), 1 - mpmath.sqrt(-mpmath.expm1(-D)))]
        return horizon * copies * gap / 2 * max(shares)

    with mpmath.workdps(25):
        last = mpmath.log(limit)
        grid = [last - mpmath.mpf(i) / 4 for i in range(120)]
        best = max(grid, key=regret)
        low, high = best - mpmath.mpf(1) / 4, min(best + mpmath.mpf(1) / 4, last)
        return max(concave_maximum(regret, low, high, 60), regret(best))


def two_arms(r: random.Random) -> tuple[Any, ...]:
    while True:
        x, y = inner_pair(r)
        if abs(x - y) > Fraction(1, 10**6) and min(x, y) > Fraction(1, 10**6):
            return max(x, y), min(x, y)


def two_armed_time(divergence: Any) -> Any:
    """1 / the best weighted divergence to the tie, over the share of the first arm."""

    def time(x: Any, y: Any) -> Any:
        def worth(w: Any) -> Any:
            tie = w * x + (1 - w) * y
            return w * divergence(x, tie) + (1 - w) * divergence(y, tie)

        with mpmath.workdps(45):
            return 1 / concave_maximum(worth, mpmath.mpf(0), mpmath.mpf(1), 120)

    return time


def time_of(family: Any) -> Any:
    return lambda x, y: theory.characteristic_time(theory.Instance([family(x), family(y)])).value


def actions_draw(r: random.Random) -> tuple[Any, ...]:
    """The parameter of a bandit whose actions are a basis, and a budget."""
    while True:
        theta = tuple(Fraction(r.randint(-40, 40), r.choice([10, 16])) for _ in range(r.randint(2, 4)))
        if sorted(theta)[-1] > sorted(theta)[-2]:
            return theta, budget(r)


def basis_constant(theta: Any, epsilon: Any) -> Any:
    best = max(map(mp, theta))
    gaps = [best - mp(t) for t in theta if mp(t) < best]
    return sum(2 * gap / min(gap**2, 2 * epsilon * gap) for gap in gaps)


def unit_vectors(d: int) -> list[list[int]]:
    return [[int(i == j) for j in range(d)] for i in range(d)]


def design_draw(r: random.Random) -> tuple[Any, ...]:
    while True:
        rows = tuple(
            tuple(Fraction(r.randint(-9, 9), r.choice([4, 8])) for _ in range(2)) for _ in range(r.randint(2, 6))
        )
        if any(a[0] * b[1] != a[1] * b[0] for a in rows for b in rows):
            return (rows,)


def norms_of(rows: Any) -> Any:
    """The largest norm under the weights of the design that was found."""
    weights = [mpmath.mpf(float(w)) for w in theory.g_optimal_design([[float(x) for x in row] for row in rows]).weights]
    points = [mpmath.matrix([mp(x) for x in row]) for row in rows]
    information = sum((w * a * a.T for w, a in zip(weights, points, strict=True)), mpmath.zeros(2)) / sum(weights)
    inverse = information**-1
    return max((a.T * inverse * a)[0] for a in points)


_D = mpmath.mpf("1e-8")
BOUNDS = [
    Route("regret_lower_bound lai-robbins", arms_draw, lower_bound("lai-robbins"), summed(lambda x, y, e: kl(x, y))),
    Route("regret_lower_bound double-change", arms_draw, lower_bound("double-change"), summed(d_epsilon)),
    Route("regret_lower_bound two-regime", arms_draw, lower_bound("two-regime"), summed(d_epsilon)),
    Route(
        "regret_lower_bound earlier-tv",
        arms_draw,
        lower_bound("earlier-tv"),
        summed(lambda x, y, e: min(kl(x, y), 6 * e * (y - x))),
    ),
    Route("regret_lower_bound d-inf", arms_draw, lower_bound("d-inf"), summed(d_epsilon)),
    Route(
        "regret_lower_bound min-kl-tv",
        arms_draw,
        lower_bound("min-kl-tv"),
        summed(lambda x, y, e: min(kl(x, y), 6 * e * (y - x))),
    ),
    Route(
        "regret_lower_bound kl-tv", arms_draw, lower_bound("kl-tv"), summed(lambda x, y, e: min(kl(x, y), e * (y - x)))
    ),
    Route(
        "regret_upper_bound UCB",
        arms_draw,
        upper_bound("UCB", "gap-dependent"),
        by_gaps(lambda gap, L, e: 3 * gap + 16 * L / gap),
    ),
    Route(
        "regret_upper_bound UCB, gap-free",
        arms_draw,
        upper_bound("UCB", "gap-free"),
        by_gaps(lambda gap, L, e: 3 * gap, lambda K, T, e, gaps: 8 * mpmath.sqrt(T * K * mpmath.log(T))),
    ),
    Route(
        "regret_upper_bound AdaP-UCB",
        arms_draw,
        upper_bound("AdaP-UCB", "gap-dependent", "pure"),
        by_gaps(lambda gap, L, e: mp(16 * BETA) * L / min(gap, e) + mp(3 * BETA / (BETA - 3))),
    ),
    Route(
        "regret_upper_bound AdaC-UCB",
        arms_draw,
        upper_bound("AdaC-UCB", "gap-dependent", "zcdp"),
        by_gaps(
            lambda gap, L, e: mp(8 * BETA) * L / gap + 8 * mpmath.sqrt(mp(BETA) * L / e) + mp(2 * BETA / (BETA - 3))
        ),
    ),
    Route(
        "regret_upper_bound anytime UCB",
        arms_draw,
        upper_bound("anytime UCB", "asymptotic"),
        by_gaps(lambda gap, L, e: 2 * L / gap),
    ),
    Route(
        "regret_upper_bound KL-UCB", arms_draw, upper_bound("KL-UCB", "asymptotic"), summed(lambda x, y, e: kl(x, y))
    ),
    Route(
        "regret_upper_bound DP-IMED",
        arms_draw,
        upper_bound("DP-IMED", "asymptotic", "pure"),
        lambda means, e, T: 2 * summed(d_epsilon)(means, mpmath.mpf(float(e)), T),
    ),
    Route(
        "regret_upper_bound DP-UCB",
        arms_draw,
        upper_bound("DP-UCB", "gap-dependent, stated without a proof", "pure"),
        by_gaps(
            lambda gap, L, e: 4 * gap + 4 * L / gap,
            lambda K, T, e, gaps: 8 * mpmath.sqrt(8) * K * mpmath.log(T) ** mpmath.mpf(2.5) / e,
        ),
    ),
    Route(
        "regret_upper_bound AdaP-UCB, gap-free",
        arms_draw,
        upper_bound("AdaP-UCB", "gap-free", "pure"),
        by_gaps(
            lambda gap, L, e: mp(3 * BETA / (BETA - 3)) * gap,
            lambda K, T, e, gaps: (
                8 * mpmath.sqrt(mp(BETA) * K * T * mpmath.log(T)) + 16 * mp(BETA) * K * mpmath.log(T) / e
            ),
        ),
    ),
    Route(
        "regret_upper_bound AdaC-UCB, gap-free",
        arms_draw,
        upper_bound("AdaC-UCB", "gap-free", "zcdp"),
        by_gaps(
            lambda gap, L, e: mp(3 * BETA / (BETA - 3)) * gap,
            lambda K, T, e, gaps: (
                4 * mpmath.sqrt(2 * mp(BETA) * K * T * mpmath.log(T))
                + 8 * K * mpmath.sqrt(mp(BETA) * mpmath.log(T) / e)
            ),
        ),
    ),
    Route(
        "minimax_lower_bound",
        minimax_draw,
        lambda K, T, e: theory.minimax_lower_bound(arms=K, horizon=T, epsilon=e)["view"].value,
        lambda K, T, e: max(mpmath.sqrt(T * (K - 1)) / 27, (K - 1) / (22 * e)),
    ),
    Route(
        "minimax_lower_bound, sharpened",
        minimax_draw,
        lambda K, T, e: theory.minimax_lower_bound(arms=K, horizon=T, epsilon=e)["view-sharpened"].value,
        forced,
        slack=_D,
        width=1e-8,
    ),
    Route(
        "minimax_lower_bound, sharpened zcdp",
        minimax_draw,
        lambda K, T, e: theory.minimax_lower_bound(arms=K, horizon=T, rho=e)["zcdp-sharpened"].value,
        lambda K, T, e: forced(K, T, rho=e),
        slack=_D,
        width=1e-8,
    ),
    Route(
        "minimax_lower_bound, sharpened linear",
        minimax_draw,
        lambda d, T, e: theory.minimax_lower_bound(dimension=d, horizon=T, epsilon=e)["view-sharpened"].value,
        lambda d, T, e: forced(2, T, e, copies=2 * d, limit=1 / mpmath.mpf(2 * d)),
        slack=_D,
        width=1e-8,
    ),
    Route(
        "exact_minimax_regret",
        mirrored_draw,
        lambda p, q: theory.exact_minimax_regret([[p, 1 - p], [1 - p, p]], 2, ratio=q).value,
        lambda p, q: abs(2 * p - 1) * (mpmath.mpf(3) / 2 - randomised_response(p, q)),
        width=1e-9,
    ),
    Route(  # the gap g costs g (1 - k g) with k <= 1/2, which grows with g: the corners are worst
        "minimax_regret_over_means",
        mirrored_draw,
        lambda p, q: (
            theory.minimax_regret_over_means([(min(p, 1 - p), max(p, 1 - p))] * 2, 2, ratio=q, tolerance="1e-9").value
        ),
        lambda p, q: abs(2 * p - 1) * (mpmath.mpf(3) / 2 - randomised_response(p, q)),
        width=1e-8,
    ),
    Route(
        "exact_identification_error",
        mirrored_draw,
        lambda p, q: theory.exact_identification_error([[p, 1 - p], [1 - p, p]], 1, ratio=q).value,
        lambda p, q: 1 - randomised_response(p, q),
        width=1e-9,
    ),
    Route(
        "printed_bounds_beside, view",
        mirrored_draw,
        lambda p, q: (
            theory.printed_bounds_beside(theory.exact_minimax_regret([[p, 1 - p], [1 - p, p]], 2, ratio=q))[
                "two environments, view"
            ].value
        ),
        lambda p, q: abs(2 * p - 1) / 4 * q ** (-2 * abs(2 * p - 1)),
    ),
    Route(
        "characteristic_time Bernoulli", two_arms, time_of(theory.Bernoulli), two_armed_time(kl), slack=_D, width=1e-8
    ),
    Route(
        "characteristic_time Gaussian", two_arms, time_of(theory.Gaussian), lambda x, y: 8 / (x - y) ** 2, width=1e-8
    ),
    Route(
        "characteristic_time Poisson",
        two_arms,
        time_of(theory.Poisson),
        two_armed_time(kl_poisson),
        slack=_D,
        width=1e-8,
    ),
    Route(
        "characteristic_time Exponential",
        two_arms,
        time_of(theory.Exponential),
        two_armed_time(kl_exponential),
        slack=_D,
        width=1e-8,
    ),
    Route(
        "linear_regret_constant",
        actions_draw,
        lambda theta, e: theory.linear_regret_constant(unit_vectors(len(theta)), theta, e, ratio="bases").value,
        basis_constant,
        width=1e-6,
    ),
    Route(
        "g_optimal_design",
        design_draw,
        lambda rows: theory.g_optimal_design([[float(x) for x in row] for row in rows]).value,
        norms_of,
        width=1e-8,
    ),
]
