"""Auditing with one run: many canaries, each in the data by a fair coin of its own, and guesses which ones are.

Among r guesses about an (epsilon, delta)-DP run the number of right ones is nearly dominated by a Binomial(r,
e^epsilon/(1 + e^epsilon)) count (Steinke, Nasr and Jagielski, 2023, Theorem 5.2, where neighbours differ in the
presence of one record). The bound is quoted, not derived here; tests try it on mechanisms whose budget is known.
"""

from __future__ import annotations

import numpy as np

from banditproof.theory.errors import InvalidInput


def one_run_error(canaries: int, guesses: int, right: int, epsilon: float, delta: float = 0.0) -> float:
    """At most this likely are as many right guesses in one run of an (epsilon, delta)-DP mechanism.

    Raises InvalidInput unless 0 <= right <= guesses <= canaries, epsilon >= 0 and 0 <= delta <= 1.
    """
    from scipy.stats import binom

    if not 0 <= right <= guesses <= canaries:
        raise InvalidInput("right, guesses, canaries", (right, guesses, canaries), "in increasing order, from 0")
    if not (epsilon >= 0 and 0 <= delta <= 1):
        raise InvalidInput("epsilon, delta", (epsilon, delta), "epsilon >= 0 and delta in [0, 1]")
    p = 1 / (1 + np.exp(-epsilon))
    tail = float(binom.sf(right - 1, guesses, p))
    if not delta or not right:
        return min(1.0, tail)
    masses = np.cumsum(binom.pmf(np.arange(right - 1, -1, -1), guesses, p))
    worst = float((masses / np.arange(1, right + 1)).max())
    return min(1.0, tail + 2 * canaries * delta * worst)


def one_run_epsilon(canaries: int, guesses: int, right: int, error: float, delta: float = 0.0) -> float:
    """The largest epsilon that this many right guesses refute with this error, rounded down; 0 where they refute none.

    Raises InvalidInput as `one_run_error` does, and unless 0 < error < 1.
    """
    if not 0 < error < 1:
        raise InvalidInput("error", error, "between 0 and 1")
    if one_run_error(canaries, guesses, right, 0.0, delta) > error * (1 - 1e-9):
        return 0.0
    low, high = 0.0, 700.0
    for _ in range(60):
        middle = (low + high) / 2
        refuted = one_run_error(canaries, guesses, right, middle, delta) <= error * (1 - 1e-9)
        low, high = (middle, high) if refuted else (low, middle)
    return low
