"""Budgets that were converted, composed or shared by groups: exact sums and mpmath against floats rounded up."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np

from banditproof import theory
from banditproof.theory import Budget
from banditproof.theory.numbers.enclosure import Enclosure
from second_routes.drawing import Route, both, inner_pair, mp, pair, size
from second_routes.formulas import logit
from second_routes.more import best_order
from second_routes.privacy import delta_of, ordinary


def least(value: Any) -> Enclosure:
    """The interval in which a number lies of which a float is the least one above."""
    return Enclosure(float(np.nextafter(float(value), 0.0)), float(value))


def amount(r: random.Random) -> Fraction:
    """A budget, which is a float."""
    return Fraction(ordinary(size(r, -12, 2)))


def small_delta(r: random.Random) -> Fraction:
    return Fraction(float(f"{r.randint(1, 99)}e-{r.randint(4, 40)}"))


def amounts(r: random.Random) -> tuple[Any, ...]:
    return (tuple(amount(r) for _ in range(r.randint(1, 9))),)


def pairs(r: random.Random) -> tuple[Any, ...]:
    return (tuple((amount(r), small_delta(r)) for _ in range(r.randint(1, 9))),)


def uses(r: random.Random) -> tuple[Any, ...]:
    return r.choice([r.randint(1, 9), r.randint(10, 100_000)]), Fraction(ordinary(size(r, -8, 1))), small_delta(r)


def group(r: random.Random) -> tuple[Any, ...]:
    return (
        r.randint(1, 30),
        Fraction(ordinary(min(size(r, -8, 0), Fraction(1)))),
        Fraction(float(f"1e-{r.randint(16, 40)}")),
    )


def of_floats(maker: str) -> Any:
    return lambda *numbers: getattr(Budget, maker)(*map(float, numbers))


def composed(maker: str, part: str, function: Any = theory.compose) -> Any:
    def value(parts: Any) -> Enclosure:
        budgets = [of_floats(maker)(*(p if isinstance(p, tuple) else (p,))) for p in parts]
        return least(getattr(function(*budgets), part))

    return value


def advanced(k: int, e: Any, s: Any) -> Any:
    return min(k * e, mpmath.sqrt(-2 * k * mpmath.log(s)) * e + k * e * mpmath.expm1(e))


def converted(maker: str, kind: str, part: str, **options: Any) -> Any:
    """Of a budget of one parameter; to approximate ones, the second argument is the delta."""

    def value(number: Fraction, delta: Fraction | None = None) -> Enclosure:
        given = {} if delta is None else {"delta": float(delta)}
        return least(getattr(theory.convert(of_floats(maker)(number), kind, **given, **options), part))

    return value


def spread(rho: Any, delta: Any) -> Any:
    return rho + 2 * mpmath.sqrt(-rho * mpmath.log(delta))


def near_threshold(r: random.Random) -> tuple[Any, ...]:
    """Two means, different at the ends, and a budget that is often next to their threshold."""
    x, y = inner_pair(r) if r.random() < 0.9 else pair(r)
    if x == y or not (0 < x < 1 and 0 < y < 1) or r.random() < 0.4:
        return (x, y, amount(r)) if x != y or 0 < x < 1 else near_threshold(r)
    with mpmath.workdps(80):
        threshold = abs(logit(mp(x)) - logit(mp(y)))
        close = Fraction(int(threshold * mpmath.mpf(2) ** 200), 2**200)
    return x, y, close * (1 + r.choice([-1, 1]) * Fraction(1, r.choice([10, 2]) ** r.randint(1, 30)))


def in_regime(x: Fraction, y: Fraction, epsilon: Fraction) -> Enclosure:
    said = theory.privacy_regime(*map(theory.to_ball, (x, y, epsilon)))
    return Enclosure(*[{"low": 1, "high": 0}[said]] * 2)


def regime_by_odds(x: Any, y: Any, epsilon: Any) -> Any:
    """Whether e^epsilon is at least the odds ratio of the means."""
    if x == y:
        return mpmath.mpf(1)
    low, high = min(x, y), max(x, y)
    if low == 0 or high == 1:
        return mpmath.mpf(0)
    return mpmath.mpf(int(mpmath.exp(epsilon) * low * (1 - high) >= high * (1 - low)))


def change_draw(r: random.Random) -> tuple[Any, ...]:
    model, budget = r.choice(["arms", "dimension"]), r.choice(["epsilon", "rho"])
    return model, budget, r.choice([r.randint(2, 99), 10 ** r.randint(1, 12)]), r.randint(1, 10 ** r.randint(1, 25))


def change_of_regime(model: str, budget: str, n: int, horizon: int) -> Any:
    """Where the printed terms are equal, solved by hand."""
    if model == "arms":
        if budget == "epsilon":
            return mpmath.mpf(27) / 22 * mpmath.sqrt(mpmath.mpf(n - 1) / horizon)
        return (mpmath.mpf(27) / 124) ** 2 / horizon
    return 2 * mpmath.e / mpmath.sqrt(horizon) if budget == "epsilon" else 4 / mpmath.sqrt(mpmath.e) / horizon


def decided_draw(r: random.Random) -> tuple[Fraction, Fraction]:
    return size(r, -3, 1), Fraction(1, 10 ** r.randint(1, 30)) if r.random() < 0.5 else Fraction(r.randint(1, 99), 100)


def classical_keeps(epsilon: Any, delta: Any) -> Any:
    deviation = mpmath.sqrt(2 * mpmath.log(5 / (4 * delta))) / epsilon
    return mpmath.mpf(int(delta_of(1 / deviation, epsilon) <= delta))


def held(epsilon: Fraction, delta: Fraction) -> Enclosure:
    return Enclosure(*[int(theory.classical_gaussian_holds(epsilon, delta))] * 2)


_OF_ORDERS = mpmath.mpf("1e-9")  # the minimiser over orders is one of floats
BUDGETS = [
    Route("compose", amounts, composed("pure", "epsilon"), lambda parts: sum(map(mp, parts))),
    Route("compose zcdp", amounts, composed("zcdp", "rho"), lambda parts: sum(map(mp, parts))),
    Route("compose gdp", amounts, composed("gdp", "mu"), lambda parts: mpmath.sqrt(sum(mp(p) ** 2 for p in parts))),
    Route("compose, epsilon", pairs, composed("approximate", "epsilon"), lambda parts: sum(mp(e) for e, _ in parts)),
    Route("compose, delta", pairs, composed("approximate", "delta"), lambda parts: sum(mp(d) for _, d in parts)),
    Route(
        "compose_in_parallel",
        pairs,
        composed("approximate", "delta", theory.compose_in_parallel),
        lambda parts: max(mp(d) for _, d in parts),
    ),
    Route(
        "compose_advanced",
        uses,
        lambda k, e, s: least(theory.compose_advanced(Budget.pure(float(e)), k, float(s)).epsilon),
        advanced,
    ),
    Route(
        "budget_of_group",
        uses,
        lambda k, e, _: least(theory.budget_of_group(Budget.pure(float(e)), k).epsilon),
        lambda k, e, _: k * e,
    ),
    Route(
        "budget_of_group zcdp",
        uses,
        lambda k, e, _: least(theory.budget_of_group(Budget.zcdp(float(e)), k).rho),
        lambda k, e, _: k * k * e,
    ),
    Route(
        "budget_of_group, delta",
        group,
        lambda k, e, d: least(theory.budget_of_group(of_floats("approximate")(e, d), k).delta),
        lambda k, e, d: d * sum(mpmath.exp(j * e) for j in range(k)),
    ),
    Route("convert pure to zcdp", both(amount), converted("pure", "zcdp", "rho"), lambda e: e**2 / 2),
    Route(
        "convert pure to zcdp, sharp",
        both(amount),
        converted("pure", "zcdp", "rho", sharp=True),
        lambda e: e * mpmath.tanh(e / 2),
    ),
    Route("convert gdp to zcdp", both(amount), converted("gdp", "zcdp", "rho"), lambda mu: mu**2 / 2),
    Route(
        "convert zcdp to approximate", both(amount, small_delta), converted("zcdp", "approximate", "epsilon"), spread
    ),
    Route(
        "convert gdp to approximate",
        both(amount, small_delta),
        converted("gdp", "approximate", "epsilon"),
        lambda mu, d: spread(mu**2 / 2, d),
    ),
    Route(
        "convert pure to approximate",
        both(amount, small_delta),
        converted("pure", "approximate", "epsilon"),
        lambda e, d: min(e, spread(e**2 / 2, d)),
    ),
    Route(
        "convert zcdp to approximate, sharp",
        both(lambda r: Fraction(ordinary(size(r, -4, 1))), small_delta),
        converted("zcdp", "approximate", "epsilon", sharp=True),
        best_order,
        slack=_OF_ORDERS,
    ),
    Route("privacy_regime", near_threshold, in_regime, regime_by_odds),
    Route(
        "privacy_regime_change",
        change_draw,
        lambda model, budget, n, T: theory.privacy_regime_change(**{model: n}, horizon=T, budget=budget),
        change_of_regime,
    ),
    Route("classical_gaussian_holds", decided_draw, held, classical_keeps),
]
