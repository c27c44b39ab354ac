"""Noise in two documents: the Laplace mechanism, Chernoff's bound, and AdaC-UCB's actions under Gaussian noise."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from banditproof.claims.language import *
from banditproof.verify.privacy.two_arm_view import (
    Width,
    episode_paths,
    gaussian_path_probability,
    path_sums,
    redrawn_path_probability,
)


def poisson_binomial(probabilities: Sequence[Fraction]) -> list[Fraction]:
    """The law of a sum of independent Bernoulli variables, exactly."""
    law = [Fraction(1)]
    for p in probabilities:
        law = [(law[s] if s < len(law) else 0) * (1 - p) + (law[s - 1] if s else 0) * p for s in range(len(law) + 1)]
    return law


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
