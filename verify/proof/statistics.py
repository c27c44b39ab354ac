"""Statistics with exact guarantees: binomial intervals for event probabilities, and what they say of a claim.

A claim about random runs is put as a statement about the probability of an event ("policy A has lower regret than
policy B in an independent run"), so that the Clopper-Pearson interval is valid whatever the tails. Interval ends come
from floating-point quantiles and are widened outward by far more than those quantiles' error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from banditproof.theory.arguments import Count, Error, Positive, Share, checked, coins
from banditproof.theory.errors import InvalidInput, one_of

MOST_TRIALS = 10**15  # whole numbers stay whole as floats
REPORT_ERROR = Fraction(1, 10**6)  # probability that any refutation in a whole report is a false alarm
RECORDED_ERROR = Fraction(1, 10**8)  # the same of a check of recorded runs, with its fresh runs; nobody chooses it


@checked
@lru_cache(maxsize=4096)
def binomial_interval(successes: int, trials: Count, error: Error) -> tuple[float, float]:
    """Two-sided Clopper-Pearson interval with coverage at least ``1 - error``, rounded outward.

    Raises:
        InvalidInput: unless 0 <= successes <= trials, trials >= 1 and 0 < error < 1.
    """
    if not (0 <= successes <= trials and 1 <= trials <= MOST_TRIALS) or successes % 1 or trials % 1:
        allowed = f"whole numbers, 0 <= successes <= trials, 1 <= trials <= {MOST_TRIALS:g}"
        raise InvalidInput("successes, trials", (successes, trials), allowed)
    if not 0 < error < 1:
        raise InvalidInput("error", error, "a number in (0, 1)")
    return clopper_pearson(int(successes), int(trials), float(error))


def clopper_pearson(successes: int, trials: int, error: float) -> tuple[float, float]:
    """`binomial_interval` of arguments that have been looked at."""
    return float(lower_end(successes, trials, error)), float(upper_end(successes, trials, error))


SLACK = 1e-9  # far above the quantile routine's relative error, far below any decision made here


def lower_end(successes: Any, trials: int, error: float) -> Any:
    """The lower end of `clopper_pearson`, for one count or for an array of them."""
    from scipy.special import betaincinv

    lower = betaincinv(np.maximum(successes, 1), trials - successes + 1, error / 2)
    return np.where(successes == 0, 0.0, np.maximum(0.0, lower * (1 - SLACK) - 1e-15))


def upper_end(successes: Any, trials: int, error: float) -> Any:
    """The upper end of `clopper_pearson`, for one count or for an array of them."""
    from scipy.special import betainccinv

    upper = betainccinv(successes + 1, np.maximum(trials - successes, 1), error / 2)
    return np.where(successes == trials, 1.0, np.minimum(1.0, upper * (1 + SLACK) + 1e-15))


def outcome(test: Mapping[str, Any], error: Fraction, tests: int) -> str:
    """What the counts say of ``probability of event  operator  stated probability``.

    'consistent' when the whole interval satisfies it, 'violated' when no point of the interval does, otherwise
    'inconclusive'. ``error`` is shared by ``tests`` tests.
    """
    lower, upper = binomial_interval(test["successes"], test["trials"], Fraction(error) / tests)
    stated = float(Fraction(test["probability"]))
    if test["operator"] in (">=", ">"):
        return "consistent" if lower >= stated else "violated" if upper < stated else "inconclusive"
    if test["operator"] in ("<=", "<"):
        return "consistent" if upper <= stated else "violated" if lower > stated else "inconclusive"
    raise InvalidInput("operator", test["operator"], "one of <=, <, >=, >")


def detectable(trials: int, stated: Fraction, operator: str, error: Fraction, power: float = 0.99) -> float:
    """The violation closest to the stated probability that this many trials would reveal with the given power."""
    near, far = float(stated), 1.0 if operator in ("<=", "<") else 0.0
    count = _first_violation(trials, stated, operator, error)
    if count is None:
        return far
    for _ in range(40):
        middle = (near + far) / 2
        near, far = (near, middle) if _tail_probability(count, trials, operator, middle) >= power else (middle, far)
    return far


def chance(trials: int, stated: Fraction, operator: str, error: Fraction, actual: Fraction) -> float:
    """The probability that this many trials are judged 'violated' if the event has the `actual` probability."""
    count = _first_violation(trials, stated, operator, error)
    return 0.0 if count is None else _tail_probability(count, trials, operator, float(actual))


def trials_needed(
    stated: Fraction, operator: str, error: Fraction, actual: Fraction, power: float, most: int = MOST_TRIALS
) -> int | None:
    """A number of trials that are judged 'violated' with this `power`; None where not even `most` are.

    Power does not grow with every trial, so that a few less may do, too.
    """
    if chance(most, stated, operator, error, actual) < power:
        return None
    low, high = 0, 1
    while chance(high, stated, operator, error, actual) < power:
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if chance(middle, stated, operator, error, actual) >= power else (middle, high)
    return high


def _tail_probability(count: int, trials: int, operator: str, actual: float) -> float:
    """The probability of at least `count` successes where many violate, or of at most so many."""
    from scipy.special import betainc, betaincc

    if operator in ("<=", "<"):
        return float(betainc(count, trials - count + 1, actual)) if count else 1.0
    return float(betaincc(count + 1, trials - count, actual)) if count < trials else 1.0


def _first_violation(trials: int, stated: Fraction, operator: str, error: Fraction) -> int | None:
    """The smallest (largest) count that is judged 'violated'; None where no count is."""
    low, high = 0, trials
    test = {"trials": trials, "operator": operator, "probability": stated}
    up = operator in ("<=", "<")
    while low < high:
        middle = (low + high) // 2 if up else (low + high + 1) // 2
        violated = outcome(test | {"successes": middle}, error, 1) == "violated"
        low, high = (
            ((low, middle) if violated else (middle + 1, high))
            if up
            else ((middle, high) if violated else (low, middle - 1))
        )
    return low if outcome(test | {"successes": low}, error, 1) == "violated" else None


@checked
def event_test(event: str, occurred: np.ndarray, operator: str, probability: Any) -> dict[str, Any]:
    """A test for :class:`Statistics` from a boolean array of independent outcomes."""
    occurred = coins("occurred", occurred).ravel()
    one_of("operator", operator, ("<=", "<", ">=", ">"))
    try:
        share = Fraction(probability)
    except (TypeError, ValueError, OverflowError):
        raise InvalidInput("probability", probability, "a finite number") from None
    return {"event": event, "successes": int(occurred.sum()), "trials": int(occurred.size), "operator": operator,
            "probability": share}  # fmt: skip


@checked
def quantile_interval(sample: np.ndarray, quantile: Share, error: Share) -> tuple[float, float]:
    """Distribution-free interval for a quantile from order statistics, coverage at least ``1 - error``."""
    from scipy.stats import binom

    ordered = np.sort(np.asarray(sample, dtype=float).ravel())
    if not ordered.size or np.isnan(ordered).any():
        raise InvalidInput("sample", sample, "at least one number, none of them nan")
    low = int(binom.ppf(error / 2, ordered.size, quantile)) - 1
    high = int(binom.isf(error / 2, ordered.size, quantile)) + 1
    return (ordered[low] if low >= 0 else -np.inf, ordered[high] if high < ordered.size else np.inf)


STAKES = (1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 0.6, 0.9, 1.0)
"""What is bet on one observation, averaged over. Against a rate of r times the bound b, the best stake is about
(r - 1) b; the smallest is for 1.1 times 1e-4. With one near the best, 1.3 times as many runs do as any test needs."""


def log_evidence(sample: Any, mean: float, weights: Sequence[float] | None = None) -> float:
    """The logarithm of an e-value against "independent nonnegative values [n] have expectation at most `mean`".

    The average over the stakes s of the products of 1 + s (x / mean - 1) has expectation at most 1 if the statement is
    true; it exceeds 1/error with probability at most `error` (Markov), whatever the tails. All stakes have the same
    weight in it, unless `weights` are given, which sum up to 1.
    """
    values = np.asarray(sample, dtype=float).ravel()
    if mean == 0:
        return np.inf if (values > 0).any() else 0.0
    with np.errstate(divide="ignore"):
        products = [np.log1p(stake * (values / mean - 1)).sum() for stake in STAKES]
    if weights is not None:
        return float(np.logaddexp.reduce(products + np.log(weights)))
    return float(np.logaddexp.reduce(products) - np.log(len(STAKES)))


@checked
def mean_interval(sample: np.ndarray, largest: Positive, error: Share) -> tuple[float, float]:
    """An interval for the expectation of independent values [n] in [0, largest], coverage at least ``1 - error``.

    No tail is assumed away: a few dozen runs leave room for rare values near `largest`, and the interval says so.

    >>> low, high = mean_interval([1.0] * 50, 1000.0, 0.05)
    >>> round(low, 2), round(high, 1)
    (0.89, 108.6)
    """
    values = np.asarray(sample, dtype=float).ravel()
    if not (values.size and largest > 0 and values.min() >= 0 and values.max() <= largest):
        raise InvalidInput("sample", sample, f"numbers in [0, {largest}]")
    if not 0 < error < 1:
        raise InvalidInput("error", error, "a number in (0, 1)")
    needed = float(np.log(2 / error))

    def lower(values: Any) -> float:
        """The largest mean that the values speak against, from below."""
        refuted, possible = 0.0, float(values.mean())
        for _ in range(50):
            middle = (refuted + possible) / 2
            refuted, possible = (middle, possible) if log_evidence(values, middle) >= needed else (refuted, middle)
        return refuted

    return lower(values), largest - lower(largest - values)
