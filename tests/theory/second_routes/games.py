"""Best-arm identification, couplings, linear bandits, AdaP-KLUCB: closed forms, enumeration, and other algorithms."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, product
from math import log
from typing import Any

import mpmath

from banditproof import theory
from banditproof.theory.numbers.enclosure import Enclosure
from second_routes.bounds import SEARCHED, two_armed_time, two_arms
from second_routes.drawing import Route, both, budget, inner, inner_pair, mp, size
from second_routes.formulas import d_epsilon, kl
from second_routes.laws import concave_maximum
from second_routes.more import crossing_term
from second_routes.privacy import reached
from second_routes.testing import coins, counts_of, coupled

# ------------------------------------------------------------------------------------------- best-arm identification


def risky(r: random.Random) -> tuple[Any, ...]:
    return (*two_arms(r), size(r, -4, 1), inner(r))


def two_armed_private_time(x: Any, y: Any, epsilon: Any) -> Any:
    """1 / the best share's least price: in relative entropy at the tie, or in total variation of the rarer arm."""

    def worth(w: Any) -> Any:
        tie = w * x + (1 - w) * y
        return min(w * kl(x, tie) + (1 - w) * kl(y, tie), epsilon * min(w, 1 - w) * (x - y))

    with mpmath.workdps(45):
        return 1 / concave_maximum(worth, mpmath.mpf(0), mpmath.mpf(1), 120)


def entropy(delta: Any) -> Any:
    return kl(delta, 1 - delta)


def sample_bound(name: str) -> Any:
    return lambda x, y, e, d: theory.sample_complexity_lower_bound([x, y], d, epsilon=e)[name].value


def three_arms(r: random.Random) -> tuple[Any, ...]:
    """Three different means, in an order of their own."""
    scale = r.choice([20, 50, 64])
    return (tuple(Fraction(k, scale) for k in r.sample(range(1, scale), 3)),)


def kl_in_floats(p: float, q: float) -> float:
    return p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))


def increasing_root(function: Any, low: float, high: float) -> float:
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return (low + high) / 2


def time_by_roots(means: Any) -> Any:
    """By nested bisection over the common value of all challengers (Garivier and Kaufmann, Theorem 5), in floats."""
    best, *others = sorted(map(float, means), reverse=True)

    def tie(x: float, mean: float) -> float:
        return (best + x * mean) / (1 + x)

    def worth(x: float, mean: float) -> float:
        return kl_in_floats(best, tie(x, mean)) + x * kl_in_floats(mean, tie(x, mean))

    def shares(y: float) -> list[float]:
        found = []
        for mean in others:
            high = 1.0
            while worth(high, mean) < y and high < 1e15:
                high *= 2
            found.append(increasing_root(lambda x, m=mean: worth(x, m) - y, 0.0, high))
        return found

    def excess(y: float) -> float:
        ties = [(mean, tie(x, mean)) for mean, x in zip(others, shares(y), strict=True)]
        return sum(kl_in_floats(best, m) / kl_in_floats(mean, m) for mean, m in ties) - 1

    y = increasing_root(excess, 0.0, kl_in_floats(best, max(others)) * (1 - 1e-12))
    return mpmath.mpf((1 + sum(shares(y))) / y)


def private_game(r: random.Random) -> tuple[Any, ...]:
    return ((*three_arms(r), size(r, -2, 1)),)


def private_time(game: Any) -> Any:
    means, epsilon = game
    return theory.characteristic_time(means=means, epsilon=epsilon)


def ends(game: Any) -> tuple[Any, Any]:
    """1 over what the mixture concedes and over what the allocation guarantees, from the certificate in mpmath."""
    means, epsilon = game
    plan, arms = private_time(game).certificate, [mp(m) for m in means]
    price, best = mp(epsilon), max(range(3), key=lambda a: means[a])
    weights = [mpmath.mpf(w) for w in plan.weights]
    shares = [w / sum(weights) for w in weights]
    earned, mass, guaranteed = [mpmath.mpf(0)] * 3, mpmath.mpf(0), mpmath.inf
    for a in range(3):
        if a == best:
            continue
        gap = arms[best] - arms[a]
        tie = (shares[best] * arms[best] + shares[a] * arms[a]) / (shares[best] + shares[a])
        far, near = kl(arms[best], tie), kl(arms[a], tie)
        cheapest = min(shares[best] * far + shares[a] * near, price * gap * min(shares[best], shares[a]))
        guaranteed = min(guaranteed, cheapest)
        earned[best] += mpmath.mpf(plan.replies[a]) * far + mpmath.mpf(plan.lowered[a]) * price * gap
        earned[a] += mpmath.mpf(plan.replies[a]) * near + mpmath.mpf(plan.raised[a]) * price * gap
        mass += sum(map(mpmath.mpf, (plan.replies[a], plan.raised[a], plan.lowered[a])))
    return mass / max(earned), 1 / guaranteed


# ----------------------------------------------------------------------------------------------------------- couplings


def coupled_draw(r: random.Random) -> tuple[Any, ...]:
    """Two lists of means, often copies of one pair, and a budget."""
    if r.random() < 0.5:
        return (*coins(r), budget(r))
    (p, q), copies = inner_pair(r), r.randint(1, 4)
    return (p,) * copies, (q,) * copies, budget(r)


def bound_of(name: str, parameter: str = "epsilon") -> Any:
    return lambda p, q, e: theory.coupling_kl_bounds(p, q, **{parameter: e})[name].value


def distances(first: Any, second: Any) -> Any:
    return [abs(mp(p) - mp(q)) for p, q in zip(first, second, strict=True)]


def square_distance(first: Any, second: Any) -> Any:
    t = distances(first, second)
    return sum(t) ** 2 + sum(x * (1 - x) for x in t)


def paid(distance: int, epsilon: Any) -> Any:
    return epsilon * distance * reached(epsilon, distance)


def under_maximal(first: Any, second: Any, epsilon: Any) -> Any:
    """Over all sets of coordinates that differ."""
    total = mpmath.mpf(0)
    chances = distances(first, second)
    for differ in product((0, 1), repeat=len(chances)):
        mass = mpmath.mpf(1)
        for t, d in zip(chances, differ, strict=True):
            mass *= t if d else 1 - t
        total += mass * paid(sum(differ), epsilon)
    return total


def odds_ratio(p: Fraction, q: Fraction) -> Any:
    """Of the outcome that p makes likelier than q does."""
    p, q = (p, q) if p > q else (1 - p, 1 - q)
    return mpmath.inf if q == 0 or p == 1 else p * (1 - q) / (q * (1 - p))


def under_nested(first: Any, second: Any, epsilon: Any) -> Any:
    """Both sums of likelier outcomes read off one uniform number; inf where data sets cannot be nested."""
    moved = [(p, q) if p > q else (1 - p, 1 - q) for p, q in zip(first, second, strict=True) if p != q]
    if not moved or len({odds_ratio(p, q) for p, q in moved}) > 1:
        return mpmath.inf
    left, right = counts_of([p for p, _ in moved]), counts_of([q for _, q in moved])
    total, i, j = mpmath.mpf(0), 0, 0
    while i < len(left) and j < len(right):
        mass = min(left[i], right[j])
        total, left[i], right[j] = total + mp(mass) * paid(abs(i - j), epsilon), left[i] - mass, right[j] - mass
        i, j = i + (not left[i]), j + (not right[j])
    return total


# ------------------------------------------------------------------------------------------------------ linear bandits


def rows_draw(r: random.Random) -> tuple[Any, ...]:
    """Actions that span two or three dimensions, the best one, and another one."""
    d = r.choice([2, 3])
    while True:
        rows = tuple(
            tuple(Fraction(r.randint(-9, 9), r.choice([4, 10])) for _ in range(d)) for _ in range(r.randint(d, 5))
        )
        if len(set(rows)) == len(rows) and any(determinant(basis) for basis in combinations(rows, d)):
            best, other = r.sample(range(len(rows)), 2)
            return rows, best, other


def determinant(rows: Any) -> Fraction:
    """By the first row."""
    if len(rows) == 1:
        return rows[0][0]
    minors = [determinant([(*row[:i], *row[i + 1 :]) for row in rows[1:]]) for i in range(len(rows))]
    return sum(((-1) ** i * rows[0][i] * minor for i, minor in enumerate(minors)), Fraction(0))


def difference(rows: Any, best: int, other: int) -> tuple[Fraction, ...]:
    return tuple(x - y for x, y in zip(rows[other], rows[best], strict=True))


def projected(rows: Any, best: int, other: int) -> Any:
    total, moved = mpmath.mpf(0), difference(rows, best, other)
    for row in rows:
        if any(row):
            total += abs(sum(mp(a) * mp(x) for a, x in zip(row, moved, strict=True))) / sum(mp(a) ** 2 for a in row)
    return total


def by_cramer(rows: Any, best: int, other: int) -> Any:
    """The largest l1 norm of coordinates in a basis of actions, by determinants with one action replaced."""
    moved, largest = difference(rows, best, other), Fraction(0)
    for basis in combinations(rows, len(rows[0])):
        if whole := determinant(basis):
            swapped = [determinant([*basis[:i], moved, *basis[i + 1 :]]) for i in range(len(basis))]
            largest = max(largest, sum(abs(part / whole) for part in swapped))
    return mp(largest)


def ratio(function: str) -> Any:
    return lambda rows, best, other: Enclosure.outward(getattr(theory, function)(rows, best)[other])


def plane_draw(r: random.Random) -> tuple[Any, ...]:
    """Actions of the plane, a parameter with one best action, which is not zero, and a budget."""
    while True:
        rows, *_ = rows_draw(r)
        theta = (Fraction(r.randint(-20, 20), 8), Fraction(r.randint(-20, 20), 10))
        means = [row[0] * theta[0] + row[1] * theta[1] for row in rows]
        if len(rows[0]) == 2 and means.count(max(means)) == 1 and any(rows[means.index(max(means))]):
            return rows, theta, size(r, -4, 1)


def plane_constant(rows: Any, theta: Any, epsilon: Any) -> Any:
    """Modulo the best action one direction is left: how much information it needs, times its least price."""
    means = [mp(row[0] * theta[0] + row[1] * theta[1]) for row in rows]
    best = means.index(max(means))
    seen = [
        (mp(row[0] * rows[best][1] - row[1] * rows[best][0]) ** 2, max(means) - m, i)
        for i, (row, m) in enumerate(zip(rows, means, strict=True))
        if i != best
    ]
    needed = max(y / (gap * min(gap, epsilon * projected(rows, best, i)) / 2) for y, gap, i in seen if y)
    return needed * min(gap / y for y, gap, _ in seen if y)


# ---------------------------------------------------------------------------------------------------------- AdaP-KLUCB


def klucb_draw(r: random.Random) -> tuple[Any, ...]:
    while True:
        means = (*inner_pair(r), inner(r))
        if 10**-6 < min(means) and sorted(means)[1] < max(means) < 1 - Fraction(1, 10**6):
            horizon = r.choice([r.randint(2, 5000), 10 ** r.randint(1, 9)])
            return means, size(r, -4, 2), 3 + size(r, -3, 1), horizon, r.choice([None, r.randint(3, 40)])


def share_of_level(mean: Any, gap: Any, level: Any) -> Any:
    """gamma with kl(mean + gamma gap, mean) = level, by bisection on [0, 1]; inf from 1 on."""
    if kl(mean + gap, mean) <= level:
        return mpmath.inf
    low, high = mpmath.mpf(0), mpmath.mpf(1)
    for _ in range(220):
        middle = (low + high) / 2
        low, high = (middle, high) if kl(mean + middle * gap, mean) < level else (low, middle)
    return low


def klucb_bound(means: Any, epsilon: Any, tau: Any, horizon: int, phase: int | None) -> Any:
    best, total = mp(max(means)), mpmath.mpf(0)
    for mean in map(mp, means):
        if mean < best:
            level = 0 if phase is None else mpmath.log(horizon) / 2**phase
            gamma = share_of_level(mean, best - mean, level) if level else mpmath.mpf(0)
            if mpmath.isinf(gamma):
                return mpmath.inf
            coefficient = crossing_term(mean, best, epsilon, tau, gamma)
            total += (best - mean) * coefficient * mpmath.log(horizon) + 3 * tau / (tau - 3)
    return total


def two_armed_d_epsilon_time(x: Any, y: Any, epsilon: Any) -> Any:
    """1 / the price of the tie that costs both arms as much."""
    low, high = min(x, y), max(x, y)
    for _ in range(150):
        middle = (low + high) / 2
        dear = d_epsilon(max(x, y), middle, epsilon) > d_epsilon(min(x, y), middle, epsilon)
        low, high = (middle, high) if dear else (low, middle)
    return 1 / d_epsilon(max(x, y), low, epsilon)


# A lower bound on samples: the time of two arms, times what the risk asks.
SAMPLES = {
    "kl": lambda x, y, e, d: two_armed_time(kl)(x, y) * entropy(d),
    "kl-log": lambda x, y, e, d: -two_armed_time(kl)(x, y) * mpmath.log(12 * d / 5),
    "private": lambda x, y, e, d: -two_armed_private_time(x, y, e) * mpmath.log(3 * d),
    "private-kl": lambda x, y, e, d: two_armed_private_time(x, y, e) * entropy(d),
    "d-epsilon": lambda x, y, e, d: two_armed_d_epsilon_time(x, y, e) * entropy(d),
    "private-relaxed": lambda x, y, e, d: -max(two_armed_time(kl)(x, y), 2 / (x - y) / e) * mpmath.log(3 * d),
}
# A bound on the divergence of transcripts by a coupling of the data: how it is asked for, and its formula.
COUPLINGS = {
    "data-processing": (("data-processing",), lambda p, q, e: sum(kl(mp(a), mp(b)) for a, b in zip(p, q, strict=True))),
    "theorem-4.8": (("theorem-4.8",), lambda p, q, e: e * sum(distances(p, q))),
    "karwa-vadhan": (("karwa-vadhan",), lambda p, q, e: 6 * e * sum(distances(p, q))),
    "group-privacy": (("group-privacy",), lambda p, q, e: min(under_maximal(p, q, e), under_nested(p, q, e))),
    "theorem-4.8, zcdp": (("theorem-4.8", "rho"), lambda p, q, rho: rho * square_distance(p, q)),
}

_ROOTS = mpmath.mpf("1e-7")  # of bisections in floats
_FLOATS = mpmath.mpf("1e-7")  # of a linear program in floats
_CERTIFICATE = mpmath.mpf("1e-30")
_BISECTED = mpmath.mpf("1e-20")
GAMES = [
    *(
        Route(f"sample_complexity_lower_bound {name}", risky, sample_bound(name), truth, **SEARCHED)
        for name, truth in SAMPLES.items()
    ),
    Route(
        "characteristic_time, three arms",
        three_arms,
        lambda means: theory.characteristic_time(means=means).value,
        time_by_roots,
        slack=_ROOTS,
        width=1e-8,
    ),
    *(
        Route(
            f"Strategies, {side}",
            private_game,
            lambda game: private_time(game).value,
            lambda game, end=end: ends(game)[end],
            slack=_CERTIFICATE,
            width=1e-8,
        )
        for end, side in enumerate(("mixture", "allocation"))
    ),
    *(
        Route(f"coupling_kl_bounds {title}", coupled_draw, bound_of(*asked), truth)
        for title, (asked, truth) in COUPLINGS.items()
    ),
    Route(
        "coupling_kl_bounds transport",
        both(coins, budget),
        bound_of("transport", "rho"),
        lambda p, q, rho: rho * coupled(p, q, 2),
        slack=_FLOATS,
        width=1e-7,
    ),
    Route("action_span_ratios", rows_draw, ratio("action_span_ratios"), projected),
    Route("basis_ratios", rows_draw, ratio("basis_ratios"), by_cramer),
    Route(
        "linear_regret_constant, plane",
        plane_draw,
        lambda rows, theta, e: theory.linear_regret_constant(rows, theta, e).value,
        plane_constant,
        width=1e-6,
    ),
    Route(
        "adap_klucb_regret_bound",
        klucb_draw,
        lambda *a: theory.adap_klucb_regret_bound(*a),
        klucb_bound,
        slack=_BISECTED,
    ),
]
