"""Concentration, counters, tests and couplings."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np

from banditproof import theory
from banditproof.theory.numbers.enclosure import Enclosure
from second_routes.drawing import Route, both, formula, inner, mp, size
from second_routes.formulas import d_epsilon
from second_routes.laws import masses
from second_routes.privacy import laplace_tail


def deviating(r: random.Random) -> tuple[Any, ...]:
    """n, m, mu, epsilon and an x above n mu."""
    n, mu = r.randint(1, 30), inner(r)
    return n, r.randint(1, 5), mu, size(r, -3, 1), n * mu + size(r, -4, 2)


def exponent(n: int, mu: Any, epsilon: Any, x: Any) -> Any:
    inside = min(max(x / n, mpmath.mpf(0)), mpmath.mpf(1))
    return n * (d_epsilon(inside, mu, epsilon) + epsilon * max(x / n - 1, -x / n, 0))


def printed_constant(n: int, m: int, mu: Any, epsilon: Any, x: Any) -> Any:
    D = x - n * mu
    growth = mpmath.e * (1 + m * epsilon * D) ** m
    return D * growth * mpmath.log(1 / mu) + growth + 1


def counter_draw(r: random.Random) -> tuple[Any, ...]:
    return r.choice(["fresh noise per sum", "noise per bit", "binary tree"]), r.randint(1, 40), size(r, -2, 1), inner(r)


def counter_quantile(counter: str, horizon: int, epsilon: Any, beta: Any) -> Any:
    """At its worst step: bisection on the exact tail."""
    depth = (horizon - 1).bit_length() + 1
    ones = max(bin(t).count("1") for t in range(1, horizon + 1))
    terms, scale = {
        "fresh noise per sum": (1, horizon / epsilon),
        "noise per bit": (horizon, 1 / epsilon),
        "binary tree": (ones, depth / epsilon),
    }[counter]
    with mpmath.workdps(70):
        low, high = mpmath.mpf(0), mpmath.mpf(1)
        while 2 * laplace_tail(terms, high) > beta:
            high *= 2
        for _ in range(170):
            middle = (low + high) / 2
            low, high = (middle, high) if 2 * laplace_tail(terms, middle) > beta else (low, middle)
    return low * scale


def experiment(r: random.Random) -> tuple[Any, ...]:
    _, first = masses(r, 4)
    return first, masses(r, 4)[1], 1 + size(r, -2, 1)


def least_delta(first: Any, second: Any, ratio: Any) -> Any:
    """The larger of the two hockey-stick divergences."""
    laws = [(mp(p), mp(q)) for p, q in zip(first, second, strict=True)]
    return max(sum(max(p - ratio * q, 0) for p, q in laws), sum(max(q - ratio * p, 0) for p, q in laws))


def curve_delta(first: Any, second: Any, ratio: Fraction) -> Any:
    return Enclosure.outward(theory.trade_off_curve(dict(enumerate(first)), dict(enumerate(second))).least_delta(ratio))


def coins(r: random.Random) -> tuple[Any, ...]:
    count, scale = r.randint(1, 3), r.choice([10, 16])
    draw_one = lambda: tuple(Fraction(r.randint(0, scale), scale) for _ in range(count))  # noqa: E731
    return draw_one(), draw_one()


def law_of_coins(chances: Any) -> dict[tuple[int, ...], Fraction]:
    law = {(): Fraction(1)}
    for p in chances:
        law = {(*word, bit): mass * (p if bit else 1 - p) for word, mass in law.items() for bit in (0, 1)}
    return law


def transported(p: Any, q: Any, cost: Any) -> Any:
    """The optimum of a transport problem by a general linear program, in floats."""
    from scipy import optimize

    rows, columns = len(p), len(q)
    equal = np.vstack([np.kron(np.eye(rows), np.ones(columns)), np.kron(np.ones(rows), np.eye(columns))])
    solved = optimize.linprog(np.ravel(cost).astype(float), A_eq=equal, b_eq=[*map(float, p), *map(float, q)])
    return mpmath.mpf(solved.fun)


def coupled(first: Any, second: Any, power: int) -> Any:
    one, other = law_of_coins(first), law_of_coins(second)
    cost = [[sum(a != b for a, b in zip(x, y, strict=True)) ** power for y in other] for x in one]
    return transported(one.values(), other.values(), cost)


def transport_draw(r: random.Random) -> tuple[Any, ...]:
    first, second = masses(r, 4)[1], masses(r, 5)[1]
    return first, second, tuple(tuple(r.randint(0, 9) for _ in second) for _ in first)


def counts_of(chances: Any) -> list[Fraction]:
    law = [Fraction(1)]
    for p in chances:
        law = [a * (1 - p) + b * p for a, b in zip([*law, Fraction(0)], [Fraction(0), *law], strict=True)]
    return law


def nearest_sums(first: Any, second: Any) -> Any:
    """E (S - S')^2 with both sums read off the same uniform number."""
    left, right, total, i, j = counts_of(first), counts_of(second), Fraction(0), 0, 0
    while i < len(left) and j < len(right):
        mass = min(left[i], right[j])
        total, left[i], right[j] = total + mass * (i - j) ** 2, left[i] - mass, right[j] - mass
        i, j = i + (not left[i]), j + (not right[j])
    return mp(total)


_FLOATS = mpmath.mpf("1e-7")  # of a linear program in floats
TESTING = [
    formula("private_chernoff_constant", deviating, printed_constant),
    formula(
        "private_chernoff_bound",
        deviating,
        lambda n, m, mu, e, x: printed_constant(n, m, mu, e, x) * mpmath.exp(-exponent(n, mu, e, x)),
    ),
    formula(
        "clean_private_chernoff_bound",
        deviating,
        lambda n, m, mu, e, x: (mpmath.e * max(1, e * (x - n * mu) / m)) ** m * mpmath.exp(-exponent(n, mu, e, x)),
    ),
    Route("usefulness", counter_draw, theory.usefulness, counter_quantile, slack=mpmath.mpf("1e-14"), width=1e-13),
    Route("TradeOffCurve.least_delta", experiment, curve_delta, least_delta),
    *(
        Route(
            f"optimal_coupling{title}",
            coins,
            lambda p, q, cost=cost: theory.optimal_coupling(p, q, cost).value,
            lambda p, q, power=power: coupled(p, q, power),
            slack=_FLOATS,
            width=1e-7,
        )
        for title, cost, power in (("", "hamming", 1), (", squared", "hamming-squared", 2))
    ),
    Route(
        "optimal_transport",
        transport_draw,
        lambda p, q, c: Enclosure.outward(theory.optimal_transport(p, q, c).value),
        transported,
        slack=_FLOATS,
    ),
    Route(
        "maximal_coupling",
        both(coins),
        lambda p, q: Enclosure.outward(
            sum(mass for (x, y), mass in theory.maximal_coupling(p[0], q[0]).items() if x != y)
        ),
        lambda p, q: mp(abs(p[0] - q[0])),
    ),
    Route(
        "least_square_distance",
        coins,
        lambda p, q: theory.least_square_distance([(a, 1) for a in p], [(b, 1) for b in q]),
        nearest_sums,
    ),
]
