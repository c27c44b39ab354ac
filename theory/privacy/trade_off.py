"""Privacy as hypothesis testing: trade-off functions, exact curves of finite laws, error regions, advantage bounds.

A test tells the output laws of two neighbouring data sets apart; its errors are the probability alpha of a false alarm
and beta of a missed detection. A trade-off function maps alpha to the least beta.

Source: TH-T2.4, TH-R2.33, TH-EQ2.30, TH-S2.3d
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.theory.arguments import named, question
from banditproof.theory.errors import InvalidInput
from banditproof.theory.hints import hint_of_swap
from banditproof.theory.numbers import ranges
from banditproof.theory.numbers.certified import of_numbers
from banditproof.theory.numbers.normal_law import normal_cdf, normal_quantile
from banditproof.theory.numbers.number_types import Number
from banditproof.theory.numbers.numeric import exp, expm1, maximum, product

_DOMAINS: ranges.Domains = {
    "alpha": (0, 1, "in [0, 1]"),
    "epsilon": (0, np.inf, "nonnegative"),
    "mu": (0, float(np.finfo(float).max), "nonnegative and finite"),
}


@named
@of_numbers
def approximate_trade_off(alpha: Number, epsilon: Number, delta: Number) -> Any:
    """f_{epsilon,delta}(alpha) = max(0, 1 - delta - e^epsilon alpha, e^-epsilon (1 - delta - alpha)).

    The least missed detection that (epsilon, delta)-DP permits at false alarm `alpha`. Four number systems.

    >>> float(approximate_trade_off(0.0, 1.0, 0.25))
    0.75

    Source: TH-EQ2.30, TH-R2.33
    """
    hint_of_swap(epsilon, delta)
    alpha, epsilon, delta = ranges.inside(_DOMAINS, alpha=alpha, epsilon=epsilon, delta=delta)
    steep, flat = 1 - delta - product(exp(epsilon), alpha), exp(-epsilon) * (1 - delta - alpha)
    return maximum(0, maximum(steep, flat))


@named
@of_numbers
def gaussian_trade_off(alpha: Number, mu: Number) -> Any:
    """G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu): testing N(0, 1) against N(mu, 1). Floats, arrays, mpf and balls.

    Source: TH-R2.33
    """
    alpha, mu = ranges.inside(_DOMAINS, alpha=alpha, mu=mu)
    return normal_cdf(normal_quantile(1 - alpha) - mu)


Law = Mapping[Any, Fraction]


@dataclass(frozen=True)
class TradeOffCurve:
    """A convex, decreasing, piecewise linear trade-off function, by its vertices (alpha, beta) in exact numbers.

    The first vertex has alpha = 0, the last beta = 0; beyond it the function is 0.
    """

    vertices: tuple[tuple[Fraction, Fraction], ...]

    def value(self, alpha: Fraction) -> Fraction:
        """The least missed detection at false alarm at most `alpha` in [0, 1], exact; randomised tests allowed."""
        alpha = Fraction(alpha)
        if not 0 <= alpha <= 1:
            raise InvalidInput("alpha", alpha, "in [0, 1]")
        for (a, b), (c, d) in zip(self.vertices, self.vertices[1:], strict=False):
            if alpha <= c:
                return b + (d - b) * (alpha - a) / (c - a)
        return Fraction(0)

    def least_delta(self, ratio: Fraction) -> Fraction:
        """The least delta for which the curve lies above f_{log ratio, delta}, exact; `ratio` = e^epsilon >= 1."""
        if ratio < 1:
            raise InvalidInput("ratio", ratio, "e^epsilon, at least 1")
        lines = (max(1 - beta - ratio * alpha, 1 - alpha - ratio * beta) for alpha, beta in self.vertices)
        return max(Fraction(0), *lines)


@named
def trade_off_curve(null: Law, alternative: Law) -> TradeOffCurve:
    """T(P, Q) of two finite laws, outcome -> probability (rationals): outcomes rejected by decreasing Q/P.

    Raises InvalidInput unless each law has nonnegative probabilities that sum to exactly 1.

    >>> half = Fraction(1, 2)
    >>> trade_off_curve({0: half, 1: half}, {1: Fraction(1)}).value(Fraction(1, 4))
    Fraction(1, 2)

    Source: TH-R2.33
    """
    for name, law in (("null", null), ("alternative", alternative)):
        if not isinstance(law, Mapping) or not _adds_up(list(law.values())):
            raise InvalidInput(name, law, "a mapping from outcomes to nonnegative rational probabilities that sum to 1")
    pairs = [(Fraction(null.get(o, 0)), Fraction(alternative.get(o, 0))) for o in {**null, **alternative}]
    pairs = sorted((pair for pair in pairs if pair[1] > 0), key=lambda pair: pair[0] / pair[1])
    alpha, beta = Fraction(0), Fraction(1)
    vertices: list[tuple[Fraction, Fraction]] = []
    for p, q in pairs:
        if p > 0 and not vertices:
            vertices.append((alpha, beta))
        alpha, beta = alpha + p, beta - q
        if p > 0:
            vertices.append((alpha, beta))
    return TradeOffCurve(tuple(vertices or [(alpha, beta)]))


def _adds_up(masses: list[Any]) -> bool:
    try:
        exact = [Fraction(mass) for mass in masses]
    except (TypeError, ValueError, OverflowError):
        return False
    return sum(exact) == 1 and min(exact) >= 0


@dataclass(frozen=True)
class TestingRegion:
    """The pairs of errors (false alarm, missed detection) that (epsilon, delta)-DP permits to a test.

    The part of the unit square with alpha + e^epsilon beta and e^epsilon alpha + beta both at least 1 - delta, and the
    same for 1 - alpha, 1 - beta (the test that decides the opposite).

    Attributes:
        steepness: e^epsilon, at least 1.
        delta: in [0, 1].
    """

    __test__ = False  # the name looks like a test to pytest

    steepness: Any
    delta: Any

    @property
    def corner(self) -> Any:
        """The common value of both errors where the two lines cross, (1 - delta) / (1 + e^epsilon)."""
        return (1 - self.delta) / (1 + self.steepness)

    @property
    def vertices(self) -> tuple[tuple[Any, Any], ...]:
        """The hexagon's corners in order, from (0, 1) by the lower side to (1, 0) and back by the upper side."""
        low, top = self.corner, 1 - self.delta
        below = ((0, 1), (0, top), (low, low), (top, 0), (1, 0))
        return (*below, (1, self.delta), (1 - low, 1 - low), (self.delta, 1))

    @question
    def contains(self, alpha: Any, beta: Any) -> bool:
        """Whether the pair of errors is certainly permitted."""
        pairs = ((alpha, beta), (1 - alpha, 1 - beta))
        lines = (x + self.steepness * y for a, b in pairs for x, y in ((a, b), (b, a)))
        return all(bool(line >= 1 - self.delta) for line in lines) and all(
            bool(0 <= error) and bool(error <= 1) for error in (alpha, beta)
        )


@named
@of_numbers
def testing_region(epsilon: Number, delta: Number) -> TestingRegion:
    """The region of `epsilon` >= 0 and `delta` in [0, 1], in floats, mpf, balls or SymPy expressions.

    For exact rational arithmetic build `TestingRegion(steepness, delta)` from e^epsilon.

    >>> round(float(testing_region(0.0, 0.5).corner), 2)
    0.25

    Source: TH-T2.4
    """
    hint_of_swap(epsilon, delta)
    epsilon, delta = ranges.inside(_DOMAINS, epsilon=epsilon, delta=delta)
    return TestingRegion(exp(epsilon), delta)


testing_region.__test__ = False  # type: ignore[attr-defined]


@dataclass(frozen=True)
class AdvantageBounds:
    """Upper bounds on the advantage 1 - alpha - beta of a membership adversary; `pure` is None unless delta = 0."""

    pure: Any
    elementary: Any
    sharp: Any


@named
@of_numbers
def advantage_bounds(epsilon: Number, delta: Number = 0) -> AdvantageBounds:
    """e^epsilon - 1 (pure), 1 - e^-epsilon (1 - delta), and the sharp (e^epsilon - 1 + 2 delta)/(e^epsilon + 1).

    The sharp one is the largest value of 1 - alpha - beta over `testing_region`. Four number systems.

    Source: TH-S2.3d
    """
    hint_of_swap(epsilon, delta)
    is_pure = isinstance(delta, (int, float)) and delta == 0
    epsilon, delta = ranges.inside(_DOMAINS, epsilon=epsilon, delta=delta)
    lie = exp(-epsilon)  # so that a large epsilon does not overflow
    return AdvantageBounds(
        pure=expm1(epsilon) if is_pure else None,
        elementary=1 - lie * (1 - delta),
        sharp=(-expm1(-epsilon) + 2 * delta * lie) / (1 + lie),
    )
