"""Time-uniform audits: wealth against a product written out, errors over whole paths, and stopping."""

from fractions import Fraction

import numpy as np
import pytest

from banditproof.theory.errors import InvalidInput
from banditproof.verify import binomial_interval
from banditproof.verify.privacy.sequential_audit import STAKES, SequentialAudit, share_of_error


def test_wealth_is_the_product_of_bets_however_the_runs_are_cut():
    generator = np.random.default_rng(0)
    first, second = generator.random((2, 50)) < [[0.6], [0.2]]
    whole, cut = SequentialAudit(0.5, 0.01, 0.1), SequentialAudit(0.5, 0.01, 0.1)
    whole.observe(first, second)
    for k in range(0, 50, 7):
        cut.observe(first[k : k + 7], second[k : k + 7])
    written = 0.0
    for stake in STAKES:
        wealth = 1.0
        for x, y in zip(first, second, strict=True):
            wealth *= 1 + stake * (int(x) - np.exp(0.5) * int(y) - 0.1) / (np.exp(0.5) + 0.1)
        written += wealth / len(STAKES)
    for audit in (whole, cut):
        assert np.exp(audit.log_wealth).mean() == pytest.approx(written)
    assert whole.stopped == cut.stopped


def test_every_bet_has_mean_at_most_one_where_the_budget_just_holds():
    ratio, delta, q = np.exp(0.7), 0.05, 0.3
    p = ratio * q + delta
    for stake in STAKES:
        factors = {(x, y): 1 + stake * (x - ratio * y - delta) / (ratio + delta) for x in (0, 1) for y in (0, 1)}
        mean = sum(f * (p if x else 1 - p) * (q if y else 1 - q) for (x, y), f in factors.items())
        assert mean == pytest.approx(1) and min(factors.values()) > 0


def test_looking_after_every_run_does_not_raise_the_error():
    generator, wrong = np.random.default_rng(1), 0
    p, q = np.exp(1) / (1 + np.exp(1)), 1 / (1 + np.exp(1))
    for _ in range(300):
        wrong += SequentialAudit(1.0, 0.1).observe(generator.random(2000) < p, generator.random(2000) < q)
    assert binomial_interval(wrong, 300, Fraction(1, 10**6))[0] <= 0.1


def test_a_false_budget_is_refuted_and_the_first_time_is_kept():
    generator = np.random.default_rng(2)
    audit = SequentialAudit(0.5, 1e-3)
    assert audit.observe(generator.random(1000) < 0.73, generator.random(1000) < 0.27)
    stopped = audit.stopped
    audit.observe(np.zeros(1000, bool), np.ones(1000, bool))
    assert audit.refuted and audit.stopped == stopped < 500


def test_bad_input_is_named():
    for arguments, name in (((-1, 0.1), "epsilon"), ((1, 1), "error"), ((1, 0.1, 1), "delta")):
        with pytest.raises(InvalidInput, match=name):
            SequentialAudit(*arguments)
    with pytest.raises(InvalidInput, match="same length"):
        SequentialAudit(1, 0.1).observe(np.ones(2), np.ones(3))
    with pytest.raises(InvalidInput, match="audit"):
        share_of_error(Fraction(1, 10), 0)
