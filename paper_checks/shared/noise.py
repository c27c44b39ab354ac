"""Noise in two documents: the Laplace mechanism, Chernoff's bound, and AdaC-UCB's actions under Gaussian noise."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Annotated, Any

import numpy as np

from banditproof.claims.derivations import derivation, fact
from banditproof.claims.sets import Inside, Probability, Real, Sides
from banditproof.theory import InvalidInput, absolute, exp, log, sqrt, to_ball
from banditproof.theory.numbers.term import quantity
from banditproof.verify import Formula
from banditproof.verify.privacy.two_arm_view import (
    Width,
    episode_paths,
    gaussian_path_probability,
    path_sums,
    redrawn_path_probability,
)


def laplace_log_ratio(y: Real, d: Annotated[Any, "[-1, 1]"], factor: Any = 1) -> Sides:
    """The log-ratio, over epsilon, of two Laplace densities at the output y, with centres 0 and d in sensitivities."""
    return absolute(y - d) - absolute(y), "<=", factor


def poisson_binomial(probabilities: Sequence[Fraction]) -> list[Fraction]:
    """The law of a sum of independent Bernoulli variables, exactly."""
    law = [Fraction(1)]
    for p in probabilities:
        law = [(law[s] if s < len(law) else 0) * (1 - p) + (law[s - 1] if s else 0) * p for s in range(len(law) + 1)]
    return law


@quantity
def chernoff_bound(n: int, mu: Fraction, a: int) -> Fraction:
    """e^(-n kl(a/n, mu/n)) for an integer a, as a product of rational powers; 0 for a > n and a < 0."""
    if not 0 <= a <= n:
        return Fraction(0)
    hit = (mu / a) ** a if a else Fraction(1)
    miss = ((n - mu) / (n - a)) ** (n - a) if n - a else Fraction(1)
    return hit * miss


@quantity
def tail_of_coins_from(probabilities: Sequence[Fraction], a: Any, side: int) -> Fraction:
    """P(S >= a) for side 1, P(S <= a) for side -1, of a sum of coins with these probabilities; a whole a."""
    if Fraction(a).denominator != 1:
        raise InvalidInput("a", a, "an integer")
    law = enumerate(poisson_binomial(probabilities))
    return sum((p for s, p in law if side * (s - a) >= 0), Fraction(0))


@quantity
def chernoff_bound_of_coins(n: int, mu: Any, a: Any) -> Any:
    """e^(-n kl(a/n, mu/n)) for a whole a, exactly; 0 where kl is infinite."""
    if Fraction(a).denominator != 1:
        raise InvalidInput("a", a, "an integer")
    return chernoff_bound(n, mu, int(a))


def log_mgf_concave(p: Inside, t: Real):
    """log(1 - p + p e^t) is concave in p."""
    return _second_derivative()(p, t), "<=", 0


@cache
def _second_derivative() -> Formula:
    import sympy

    p, t = sympy.symbols("p t")
    formula = sympy.factor(sympy.diff(sympy.log(1 - p + p * sympy.exp(t)), p, 2))
    return Formula((p, t), formula)


def tilt_reaches_kl(y: Inside, mu: Inside):
    """At t = logit y - logit mu the dual objective t y - log(1 - mu + mu e^t) is kl(y, mu)."""
    t = log(y * (1 - mu) / ((1 - y) * mu))
    return t * y - log(1 - mu + mu * exp(t)), "==", y * log(y / mu) + (1 - y) * log((1 - y) / (1 - mu))


def at_most_one(t: Probability, rate: Any = 1):
    """rate <= 1, which a derivation of a bound with that factor in its exponent needs."""
    return 0, "<=", (1 - rate) * t


CHERNOFF_PROOF = derivation(
    [fact(log_mgf_concave), fact(tilt_reaches_kl), fact(at_most_one)],
    "Markov's inequality for e^(tS), whose expectation is largest for equal p_i (concavity in p, Jensen), at the t "
    "where t a - n log(1 - mu/n + e^t mu/n) is n kl(a/n, mu/n); the ends 0 and 1 by limits; beyond [0, n] both sides "
    "are 0",
)

BETA = "3.1"


def gaussian_width(b: Any, beta: Any) -> Width:
    def width(n: int, t: int) -> Any:
        return sqrt((to_ball(1) / (2 * n) + 2 * to_ball(b) / (n * n)) * to_ball(beta) * log(to_ball(t)))

    return width


def gaussian_laws(T: int, rewards: Any, b: float) -> np.ndarray:
    """The law of the action sequences of AdaC-UCB with optimism 3.1 on a list of rewards, in floats."""

    def width(n: int, t: int) -> float:
        return float(np.sqrt((1 / (2 * n) + 2 * b / n**2) * float(BETA) * np.log(t)))

    return np.array(
        [gaussian_path_probability(path, path_sums(path, rewards), np.sqrt(b), width) for path in episode_paths(T)]
    )


@cache
def largest_divergence(T: int, b: float, order: float) -> float:
    """Over neighbouring binary lists, less symmetric ones: the last reward that a decision sees is number T - 2."""
    lists = [(*r, *(0,) * (T - 5)) for r in product((0, 1), repeat=5)]
    laws, worst = {r: gaussian_laws(T, r, b) for r in lists}, 0.0
    for r, left in laws.items():
        for t in range(5):
            right = laws[(*r[:t], 1 - r[t], *r[t + 1 :])]
            seen = (left > 1e-12) & (right > 1e-12)
            with np.errstate(over="raise"):  # an order that floats cannot take decides nothing
                moment = np.sum(right[seen] * (left[seen] / right[seen]) ** order)
            worst = max(worst, float(np.log(moment) / (order - 1)))
    return worst


@quantity
def redrawn_divergence(order: Any, b: Any, T: int) -> Any:
    """D_order of the actions when noise is drawn again for every decision: all rewards 1 but the first two, of which
    the first is 0 or 1; a ball."""
    width = gaussian_width(b, BETA)
    total = to_ball(0)
    for path in episode_paths(T):
        sums = [0, 0, *path_sums(path, [0, 0, *[1] * (T - 2)])[2:]]
        left, right = (
            redrawn_path_probability(path, [first, *sums[1:]], sqrt(to_ball(b)), width, "normal") for first in (0, 1)
        )
        total += right * exp(order * log(left / right))
    return log(total) / (order - 1)
