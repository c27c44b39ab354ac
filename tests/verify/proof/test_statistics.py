"""Binomial intervals keep their coverage, and outcomes follow from them."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy.stats import binom

from banditproof.verify.proof.statistics import binomial_interval, detectable, event_test, outcome, quantile_interval


@pytest.mark.parametrize(("successes", "trials"), [(0, 20), (3, 20), (20, 20), (400, 1000), (1, 10**5)])
def test_the_ends_have_tail_probability_at_most_half_the_error(successes, trials):
    error = Fraction(1, 10**9)
    lower, upper = binomial_interval(successes, trials, error)
    with mpmath.workdps(40):
        tail = lambda k, p: mpmath.betainc(k, trials - k + 1, 0, p, regularized=True)  # noqa: E731
        if successes:
            assert tail(successes, mpmath.mpf(lower)) <= mpmath.mpf(5) / 10**10
        if successes < trials:
            assert 1 - tail(successes + 1, mpmath.mpf(upper)) <= mpmath.mpf(5) / 10**10


def test_coverage_holds_exactly_for_every_truth_on_a_grid():
    error, trials = Fraction(1, 20), 25
    intervals = [binomial_interval(k, trials, error) for k in range(trials + 1)]
    for truth in np.linspace(0.01, 0.99, 49):
        covered = sum(binom.pmf(k, trials, truth) for k, (a, b) in enumerate(intervals) if a <= truth <= b)
        assert covered >= 0.95 - 1e-12


def test_outcomes_need_the_whole_interval():
    def judged(successes):
        test = {"successes": successes, "trials": 1000, "operator": ">=", "probability": Fraction(1, 2)}
        return outcome(test, Fraction(1, 10**6), 1)

    assert [judged(k) for k in (300, 505, 700)] == ["violated", "inconclusive", "consistent"]


def test_detectable_is_the_smallest_violation_seen_with_the_power():
    error, trials = Fraction(1, 10**6), 2000
    seen = detectable(trials, Fraction(1, 2), ">=", error)
    rejected = [
        k
        for k in range(trials + 1)
        if outcome({"successes": k, "trials": trials, "operator": ">=", "probability": Fraction(1, 2)}, error, 1)
        == "violated"
    ]
    assert binom.cdf(max(rejected), trials, seen) >= 0.99
    assert binom.cdf(max(rejected), trials, seen + 0.002) < 0.99


def test_an_event_test_counts():
    assert event_test("e", [True, False, True], "<=", "1/2")["successes"] == 2


def test_a_quantile_interval_covers_the_quantile_of_a_heavy_tailed_law():
    generator, covered = np.random.default_rng(5), 0
    for _ in range(300):
        low, high = quantile_interval(generator.pareto(1.0, 101), 0.5, 0.1)
        covered += low <= 1.0 <= high  # the median of pareto(1) is 1
    assert covered >= binom.ppf(1e-6, 300, 0.9)
