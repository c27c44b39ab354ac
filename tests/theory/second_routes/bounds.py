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


def mirrored(p: Any) -> Any:
    return [[p, 1 - p], [1 - p, p]]


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


def by_gaps(term: Any, rest: Any = lambda K, T, L, e: 0) -> Any:
    """A term for every gap and a rest for all of them, where L is log T."""

    def total(means: Any, epsilon: Any, T: int) -> Any:
        best, e, L = mp(max(means)), mpmath.mpf(float(epsilon)), mpmath.log(T)
        gaps = [best - mp(m) for m in means if mp(m) < best]
        return sum(term(gap, L, e) for gap in gaps) + rest(len(means), mpmath.mpf(T), L, e)

    return total


BETA = Fraction(31, 10)  # the optimism that the bounds take if nothing says otherwise


def sqrt_of_beta(x: Any) -> Any:
    return mpmath.sqrt(mp(BETA) * x)


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


def time_of(family: str) -> Any:
    law = getattr(theory, family)
    return lambda x, y: theory.characteristic_time(theory.Instance([law(x), law(y)])).value


def minimax_bound(name: str, size: str = "arms", budget: str = "epsilon") -> Any:
    return lambda n, T, e: theory.minimax_lower_bound(**{size: n, budget: e}, horizon=T)[name].value


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


def gaussian_d_epsilon(gap: Any, epsilon: Any) -> Any:
    """d_epsilon of N(0, 1) and N(gap, 1): the mean of the clipped logarithm of the ratio, its level by bisection."""

    def under(sign: int, level: Any) -> Any:
        return mpmath.ncdf((level - sign * gap**2 / 2) / gap)

    def mass(c: Any) -> Any:
        kept = under(1, c + epsilon) - under(1, c)
        return kept + mpmath.exp(c) * under(-1, c) + mpmath.exp(c + epsilon) * (1 - under(-1, c + epsilon))

    low, high = -epsilon, mpmath.mpf(0)
    for _ in range(120):
        middle = (low + high) / 2
        low, high = (middle, high) if mass(middle) < 1 else (low, middle)
    ends = low, low + epsilon
    first, last = (under(1, end) for end in ends)
    heights = [mpmath.npdf((end - gap**2 / 2) / gap) for end in ends]
    inside = gap**2 / 2 * (last - first) - gap * (heights[1] - heights[0])
    return ends[0] * first + ends[1] * (1 - last) + inside


def priced_basis(theta: Any, epsilon: Any) -> Any:
    best = max(map(mp, theta))
    return sum((best - mp(t)) / gaussian_d_epsilon(best - mp(t), epsilon) for t in theta if mp(t) < best)


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


SEARCHED = {"slack": mpmath.mpf("1e-8"), "width": 1e-8}  # of a search for the best share or gap

# The name of a lower bound on regret: the information that each gap is divided by.
INFORMATION = {
    "lai-robbins": lambda x, y, e: kl(x, y),
    "d-epsilon": d_epsilon,
    "two-regime": d_epsilon,
    "earlier-tv": lambda x, y, e: min(kl(x, y), 6 * e * (y - x)),
    "d-inf": d_epsilon,
    "min-kl-tv": lambda x, y, e: min(kl(x, y), 6 * e * (y - x)),
    "kl-tv": lambda x, y, e: min(kl(x, y), e * (y - x)),
}
# An upper bound on regret: its algorithm, its name and the kind of its budget; its formula.
UPPER = {
    "UCB": (("UCB", "gap-dependent"), by_gaps(lambda gap, L, e: 3 * gap + 16 * L / gap)),
    "UCB, gap-free": (
        ("UCB", "gap-free"),
        by_gaps(lambda gap, L, e: 3 * gap, lambda K, T, L, e: 8 * mpmath.sqrt(T * K * L)),
    ),
    "AdaP-UCB": (
        ("AdaP-UCB", "gap-dependent", "pure"),
        by_gaps(lambda gap, L, e: mp(16 * BETA) * L / min(gap, e) + mp(3 * BETA / (BETA - 3))),
    ),
    "AdaC-UCB": (
        ("AdaC-UCB", "gap-dependent", "zcdp"),
        by_gaps(lambda gap, L, e: mp(8 * BETA) * L / gap + 8 * sqrt_of_beta(L / e) + mp(2 * BETA / (BETA - 3))),
    ),
    "anytime UCB": (("anytime UCB", "asymptotic"), by_gaps(lambda gap, L, e: 2 * L / gap)),
    "KL-UCB": (("KL-UCB", "asymptotic"), summed(lambda x, y, e: kl(x, y))),
    "DP-IMED": (
        ("DP-IMED", "asymptotic", "pure"),
        lambda means, e, T: 2 * summed(d_epsilon)(means, mpmath.mpf(float(e)), T),
    ),
    "DP-UCB": (
        ("DP-UCB", "gap-dependent, stated without a proof", "pure"),
        by_gaps(
            lambda gap, L, e: 4 * gap + 4 * L / gap,
            lambda K, T, L, e: 8 * mpmath.sqrt(8) * K * L ** mpmath.mpf(2.5) / e,
        ),
    ),
    "AdaP-UCB, gap-free": (
        ("AdaP-UCB", "gap-free", "pure"),
        by_gaps(
            lambda gap, L, e: mp(3 * BETA / (BETA - 3)) * gap,
            lambda K, T, L, e: 8 * sqrt_of_beta(K * T * L) + 16 * mp(BETA) * K * L / e,
        ),
    ),
    "AdaC-UCB, gap-free": (
        ("AdaC-UCB", "gap-free", "zcdp"),
        by_gaps(
            lambda gap, L, e: mp(3 * BETA / (BETA - 3)) * gap,
            lambda K, T, L, e: 4 * sqrt_of_beta(2 * K * T * L) + 8 * K * sqrt_of_beta(L / e),
        ),
    ),
}
# A minimax bound that is the best of hard instances: how it is asked for, and what the instances force.
SHARPENED = {
    "": (("view-sharpened",), forced),
    " zcdp": (("zcdp-sharpened", "arms", "rho"), lambda K, T, e: forced(K, T, rho=e)),
    " linear": (
        ("view-sharpened", "dimension"),
        lambda d, T, e: forced(2, T, e, copies=2 * d, limit=1 / mpmath.mpf(2 * d)),
    ),
}
# What is exact for a mirrored pair, and its formula; the gap g costs g (1 - k g) with k <= 1/2, which grows with g: of
# the means between two ends the corners are worst.
MIRRORED = {
    "exact_minimax_regret": (
        lambda p, q: theory.exact_minimax_regret(mirrored(p), 2, ratio=q).value,
        lambda p, q: abs(2 * p - 1) * (mpmath.mpf(3) / 2 - randomised_response(p, q)),
        1e-9,
    ),
    "minimax_regret_over_means": (
        lambda p, q: theory.minimax_regret_over_means([sorted((p, 1 - p))] * 2, 2, ratio=q, tolerance="1e-9").value,
        lambda p, q: abs(2 * p - 1) * (mpmath.mpf(3) / 2 - randomised_response(p, q)),
        1e-8,
    ),
    "exact_identification_error": (
        lambda p, q: theory.exact_identification_error(mirrored(p), 1, ratio=q).value,
        lambda p, q: 1 - randomised_response(p, q),
        1e-9,
    ),
    "printed_bounds_beside, view": (
        lambda p, q: (
            theory.printed_bounds_beside(theory.exact_minimax_regret(mirrored(p), 2, ratio=q))[
                "two environments, view"
            ].value
        ),
        lambda p, q: abs(2 * p - 1) / 4 * q ** (-2 * abs(2 * p - 1)),
        1e-15,
    ),
}
# A family of laws: the divergence of its means.
DIVERGENCES = {"Bernoulli": kl, "Poisson": kl_poisson, "Exponential": kl_exponential}

BOUNDS = [
    *(Route(f"regret_lower_bound {name}", arms_draw, lower_bound(name), summed(D)) for name, D in INFORMATION.items()),
    *(
        Route(f"regret_upper_bound {title}", arms_draw, upper_bound(*asked), truth)
        for title, (asked, truth) in UPPER.items()
    ),
    Route(
        "minimax_lower_bound",
        minimax_draw,
        minimax_bound("view"),
        lambda K, T, e: max(mpmath.sqrt(T * (K - 1)) / 27, (K - 1) / (22 * e)),
    ),
    *(
        Route(f"minimax_lower_bound, sharpened{title}", minimax_draw, minimax_bound(*asked), truth, **SEARCHED)
        for title, (asked, truth) in SHARPENED.items()
    ),
    *(Route(name, mirrored_draw, value, truth, width=width) for name, (value, truth, width) in MIRRORED.items()),
    *(
        Route(f"characteristic_time {family}", two_arms, time_of(family), two_armed_time(divergence), **SEARCHED)
        for family, divergence in DIVERGENCES.items()
    ),
    Route("characteristic_time Gaussian", two_arms, time_of("Gaussian"), lambda x, y: 8 / (x - y) ** 2, width=1e-8),
    Route(
        "linear_regret_constant",
        actions_draw,
        lambda theta, e: theory.linear_regret_constant(unit_vectors(len(theta)), theta, e, ratio="bases").value,
        basis_constant,
        width=1e-6,
    ),
    Route(
        "linear_regret_alternatives",
        actions_draw,
        lambda theta, e: theory.linear_regret_alternatives(unit_vectors(len(theta)), theta, e).value,
        priced_basis,
        width=1e-6,
        slack=mpmath.mpf("1e-7"),  # the bound of the alternatives that were found
    ),
    Route(
        "g_optimal_design",
        design_draw,
        lambda rows: theory.g_optimal_design([[float(x) for x in row] for row in rows]).value,
        norms_of,
        width=1e-8,
    ),
]
