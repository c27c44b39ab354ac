"""One-run audits: the tail against sums written out, and canaries in a mechanism that keeps its budget exactly."""

from fractions import Fraction
from math import comb, exp

import numpy as np
import pytest

from banditproof.theory.errors import InvalidInput
from banditproof.verify import binomial_interval
from banditproof.verify.privacy.one_run_audit import one_run_epsilon, one_run_error


def test_the_tail_is_that_of_the_sum_written_out():
    p = exp(0.8) / (1 + exp(0.8))
    law = [comb(12, k) * p**k * (1 - p) ** (12 - k) for k in range(13)]
    assert one_run_error(20, 12, 10, 0.8) == pytest.approx(sum(law[10:]))
    slack = max(sum(law[10 - i : 10]) / i for i in range(1, 11))
    assert one_run_error(20, 12, 10, 0.8, 1e-3) == pytest.approx(sum(law[10:]) + 2 * 20 * 1e-3 * slack)


def test_the_largest_refuted_epsilon_is_where_the_tail_meets_the_error():
    found = one_run_epsilon(1000, 200, 180, 0.05, 1e-6)
    assert one_run_error(1000, 200, 180, found, 1e-6) <= 0.05 < one_run_error(1000, 200, 180, found + 1e-6, 1e-6)
    assert one_run_epsilon(1000, 200, 100, 0.05) == 0


def test_randomised_response_is_the_worst_case_and_keeps_the_error():
    """Every canary's bit goes through randomised response of its own, so right guesses are exactly binomial."""
    generator, epsilon = np.random.default_rng(0), 1.0
    right = generator.binomial(300, 1 / (1 + exp(-epsilon)), 500)
    shown = np.array([one_run_epsilon(300, 300, int(n), 0.1) for n in right])
    assert binomial_interval(int((shown > epsilon).sum()), 500, Fraction(1, 10**6))[0] <= 0.1
    assert np.median(shown) > 0.7


def test_bad_input_is_named():
    with pytest.raises(InvalidInput, match="right"):
        one_run_error(5, 6, 1, 1.0)
    with pytest.raises(InvalidInput, match="epsilon"):
        one_run_error(5, 5, 1, -1.0)
    with pytest.raises(InvalidInput, match="error"):
        one_run_epsilon(5, 5, 1, 0)
