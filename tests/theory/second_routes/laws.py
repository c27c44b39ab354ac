"""The verbs of laws."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import mpmath

from banditproof import theory
from second_routes.drawing import Route, both, budget, mp, order, pair, positives, reals, size
from second_routes.formulas import (
    d_epsilon,
    gaussian_kl,
    gaussian_tv,
    kl,
    kl_exponential,
    kl_poisson,
    off_the_pole,
    renyi,
    renyi_exponential,
    renyi_poisson,
    tv_exponential,
    tv_poisson,
)


def gaussian_pair(r: random.Random) -> tuple[Any, ...]:
    x, y = reals(r)
    return x, y, size(r, -3, 2)


def climb(r: random.Random) -> tuple[Fraction, Fraction]:
    """A mean and a larger target."""
    x, y = positives(r)
    return (min(x, y), max(x, y)) if x != y else (x, 2 * x)


def unit_climb(r: random.Random) -> tuple[Fraction, Fraction]:
    while True:
        x, y = sorted(pair(r))
        if x < y < 1:
            return x, y


def masses(r: random.Random, atoms: int = 3) -> tuple[Any, ...]:
    """Points of [0, 1] below 1, decimal or dyadic, and probabilities."""
    scale = r.choice([10, 100, 64])
    points = tuple(Fraction(k, scale) for k in sorted(r.sample(range(scale), atoms)))
    weights = [r.randint(1, 9) for _ in points]
    return points, tuple(Fraction(w, sum(weights)) for w in weights)


def two_laws(r: random.Random) -> tuple[Any, ...]:
    points, first = masses(r)
    return points, first, masses(r)[1]


def between(points: Any, weights: Any, r: random.Random) -> Fraction:
    """A target between the mean and 1."""
    mean = sum((x * p for x, p in zip(points, weights, strict=True)), Fraction(0))
    return mean + (1 - mean) * Fraction(r.randint(1, 63), 64)


def with_target(r: random.Random) -> tuple[Any, ...]:
    points, weights = masses(r)
    return points, weights, between(points, weights, r)


def below_top(r: random.Random) -> tuple[Any, ...]:
    """A law on fixed points and a target between its mean and the largest of them."""
    points, weights = masses(r)
    mean = sum((x * p for x, p in zip(points, weights, strict=True)), Fraction(0))
    return points, weights, mean + (points[-1] - mean) * Fraction(r.randint(1, 63), 64)


def of_points(truth: Any) -> Any:
    """What holds on [0, 1], after the largest point became 1."""

    def scaled(points: Any, weights: Any, target: Any, *budgets: Any) -> Any:
        return truth([x / points[-1] for x in points], weights, target / mp(points[-1]), *budgets)

    return scaled


def sums(points: Any, first: Any, second: Any) -> Any:
    return [(mp(p), mp(q)) for p, q in zip(first, second, strict=True)]


def finite_kl(points: Any, first: Any, second: Any) -> Any:
    return sum(p * mpmath.log(p / q) for p, q in sums(points, first, second))


def finite_renyi(points: Any, first: Any, second: Any, alpha: Any) -> Any:
    if alpha == 1:
        return finite_kl(points, first, second)
    return mpmath.log(sum(p**alpha * q ** (1 - alpha) for p, q in sums(points, first, second))) / (alpha - 1)


def concave_maximum(function: Any, low: Any, high: Any, steps: int = 260) -> Any:
    """By golden sections."""
    ratio = (mpmath.sqrt(5) - 1) / 2
    for _ in range(steps):
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, b) if function(a) >= function(b) else (a, high)
    return function((low + high) / 2)


def bounded_kl_inf(points: Any, weights: Any, target: Any, epsilon: Any = None) -> Any:
    """The dual of Honda and Takemura; with a budget, gains beyond that of the top plus epsilon are capped."""
    law = [(mp(x), mp(p)) for x, p in zip(points, weights, strict=True)]

    def dual(lam: Any) -> Any:
        gain = lambda x: mpmath.log(1 - lam * (x - target))  # noqa: E731
        cap = mpmath.inf if epsilon is None or lam * (1 - target) >= 1 else gain(1) + epsilon
        if epsilon is not None and lam * (1 - target) >= 1:
            return -mpmath.inf
        return sum(p * min(gain(x), cap) for x, p in law)

    end = 1 / (1 - target)
    at_end = dual(end) if epsilon is None else -mpmath.inf
    with mpmath.workdps(60):
        return max(concave_maximum(dual, mpmath.mpf(0), end), at_end)


def bounded_tv_inf(points: Any, weights: Any, target: Any) -> Any:
    """Mass moves to 1 from the lowest atom on."""
    missing, moved = target - sum(mp(x) * mp(p) for x, p in zip(points, weights, strict=True)), mpmath.mpf(0)
    for x, p in zip(points, weights, strict=True):
        if x == 1:
            break
        amount = min(mp(p), missing / (1 - mp(x)))
        moved, missing = moved + amount, missing - amount * (1 - mp(x))
    return moved


def different(r: random.Random) -> tuple[Fraction, Fraction]:
    """Two means that are not equal."""
    while True:
        x, y = reals(r)
        if x != y:
            return x, y


def class_draw(r: random.Random) -> tuple[Any, ...]:
    """Means of a finite class with its own law first, a target below the largest, a budget."""
    scale = r.choice([10, 100, 64])
    means = tuple(Fraction(k, scale) - 1 for k in r.sample(range(3 * scale), 4))
    return means, max(means) - Fraction(r.randint(1, 2 * scale), 2 * scale), budget(r)


def class_d_inf(means: Any, target: Any, epsilon: Any) -> Any:
    law, *_ = listed = [mp(m) for m in means]
    if law > target:
        return mpmath.mpf(0)
    cost = lambda q, p: epsilon * gaussian_tv(law, q, 1) + gaussian_kl(q, p, 1)  # noqa: E731
    return min(cost(q, p) for p in listed if p > target for q in listed if law <= q <= p)


def class_kl_inf(means: Any, target: Any, _: Any) -> Any:
    law, *_ = listed = [mp(m) for m in means]
    return mpmath.mpf(0) if law > target else min(gaussian_kl(law, p, 1) for p in listed if p > target)


def finite_class(means: Any) -> Any:
    laws = [theory.Gaussian(m) for m in means]
    return theory.FiniteClass(laws[0], laws)


def class_tv_inf(means: Any, target: Any, _: Any) -> Any:
    law, *_ = listed = [mp(m) for m in means]
    return mpmath.mpf(0) if law > target else min(gaussian_tv(law, p, 1) for p in listed if p > target)


def in_class(first: Any, second: Any) -> tuple[Any, Any]:
    """Two Gaussian laws as members of one finite class."""
    laws = [theory.Gaussian(first), theory.Gaussian(second)]
    return theory.FiniteClass(laws[0], laws), theory.FiniteClass(laws[1], laws)


def between_members(verb: str) -> Any:
    def value(x: Any, y: Any, *more: Any) -> Any:
        one, other = in_class(x, y)
        return getattr(one, verb)(other, *more)

    return value


def of_two(verb: str, family: Any) -> Any:
    """A divergence between two laws on the same points."""
    return lambda points, p, q, *order: getattr(family(points, p), verb)(family(points, q), *order)


def infimum(verb: str, family: Any) -> Any:
    return lambda points, p, target, *budget: getattr(family(points, p), verb)(target, *budget).value


G, P, E, B = theory.Gaussian, theory.Poisson, theory.Exponential, theory.Bernoulli
_ONE = mpmath.mpf("1e-25")  # golden sections find values to the square of where they stop
VERBS = [
    Route("Gaussian.kl", gaussian_pair, lambda x, y, s: G(x, s).kl(G(y, s)), gaussian_kl),
    Route("Gaussian.tv", gaussian_pair, lambda x, y, s: G(x, s).tv(G(y, s)), gaussian_tv),
    Route(
        "Gaussian.renyi",
        both(gaussian_pair, order),
        lambda x, y, s, a: G(x, s).renyi(G(y, s), a),
        lambda x, y, s, a: a * gaussian_kl(x, y, s),
    ),
    Route("Poisson.kl", positives, lambda x, y: P(x).kl(P(y)), kl_poisson),
    Route("Poisson.tv", positives, lambda x, y: P(x).tv(P(y)), tv_poisson),
    Route("Poisson.renyi", both(positives, order), lambda x, y, a: P(x).renyi(P(y), a), renyi_poisson),
    Route("Exponential.kl", positives, lambda x, y: E(x).kl(E(y)), kl_exponential),
    Route("Exponential.tv", positives, lambda x, y: E(x).tv(E(y)), tv_exponential),
    Route("Exponential.renyi", off_the_pole, lambda x, y, a: E(x).renyi(E(y), a), renyi_exponential),
    Route("Bernoulli.kl", pair, lambda x, y: B(x).kl(B(y)), kl),
    Route("Bernoulli.tv", pair, lambda x, y: B(x).tv(B(y)), lambda x, y: abs(x - y)),
    Route("Bernoulli.renyi", both(pair, order), lambda x, y, a: B(x).renyi(B(y), a), renyi),
    Route("Gaussian.kl_inf", climb, lambda x, y: G(x).kl_inf(y).value, lambda x, y: gaussian_kl(x, y, 1)),
    Route("Gaussian.tv_inf", climb, lambda x, y: G(x).tv_inf(y).value, lambda x, y: gaussian_tv(x, y, 1)),
    Route("Poisson.kl_inf", climb, lambda x, y: P(x).kl_inf(y).value, kl_poisson),
    Route("Poisson.tv_inf", climb, lambda x, y: P(x).tv_inf(y).value, tv_poisson),
    Route("Exponential.kl_inf", climb, lambda x, y: E(x).kl_inf(y).value, kl_exponential),
    Route("Exponential.tv_inf", climb, lambda x, y: E(x).tv_inf(y).value, tv_exponential),
    Route("Bernoulli.kl_inf", unit_climb, lambda x, y: B(x).kl_inf(y).value, kl),
    Route("Bernoulli.tv_inf", unit_climb, lambda x, y: B(x).tv_inf(y).value, lambda x, y: y - x),
    Route("Bernoulli.d_inf", both(unit_climb, budget), lambda x, y, e: B(x).d_inf(y, e).value, d_epsilon),
    Route("FiniteClass.kl_inf", class_draw, lambda m, t, e: finite_class(m).kl_inf(t).value, class_kl_inf),
    Route("FiniteClass.d_inf", class_draw, lambda m, t, e: finite_class(m).d_inf(t, e).value, class_d_inf),
    Route("FiniteClass.tv_inf", class_draw, lambda m, t, e: finite_class(m).tv_inf(t).value, class_tv_inf),
    Route("FiniteClass.kl", different, between_members("kl"), lambda x, y: gaussian_kl(x, y, 1)),
    Route("FiniteClass.tv", different, between_members("tv"), lambda x, y: gaussian_tv(x, y, 1)),
    Route(
        "FiniteClass.renyi", both(different, order), between_members("renyi"), lambda x, y, a: a * gaussian_kl(x, y, 1)
    ),
    *(
        Route(f"{family.__name__}.{verb}", draw, of_two(verb, family), truth)
        for family in (theory.Bounded, theory.FinitelySupported)
        for verb, draw, truth in (
            ("kl", two_laws, finite_kl),
            ("tv", two_laws, lambda x, p, q: sum(abs(a - b) for a, b in sums(x, p, q)) / 2),
            ("renyi", both(two_laws, order), finite_renyi),
        )
    ),
    Route("Bernoulli.d_epsilon", both(pair, budget), lambda x, y, e: B(x).d_epsilon(B(y), e).value, d_epsilon),
    *(
        Route(f"{family.__name__}.{verb}", both(draw, *drawn), infimum(verb, family), scaled(truth), **settings)
        for family, draw, scaled in (
            (theory.Bounded, with_target, lambda truth: truth),
            (theory.FinitelySupported, below_top, of_points),
        )
        for verb, drawn, truth, settings in (
            ("kl_inf", (), bounded_kl_inf, {"slack": _ONE}),
            ("tv_inf", (), bounded_tv_inf, {}),
            ("d_inf", (budget,), bounded_kl_inf, {"slack": _ONE}),
        )
    ),
]
