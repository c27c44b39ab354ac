"""Time-uniform audits: wealth against a product written out, errors over whole paths, and stopping."""

from fractions import Fraction

import numpy as np
import pytest

from banditproof.theory.errors import InvalidInput
from banditproof.verify import binomial_interval
from banditproof.verify.privacy.sequential_audit import STAKES, SequentialAudit, share_of_error


def runs(size, p, q, generator):
    """Coins, and beliefs after an event of probability p on the first input and q on the second."""
    worlds = generator.random(size) < 0.5
    happened = generator.random(size) < np.where(worlds, q, p)
    return worlds, np.where(happened, q / (p + q), (1 - q) / (2 - p - q))


def test_wealth_is_the_product_of_bets_however_the_runs_are_cut():
    worlds, beliefs = runs(50, 0.8, 0.2, np.random.default_rng(0))
    whole, cut = SequentialAudit(0.5, 0.01, 0.1), SequentialAudit(0.5, 0.01, 0.1)
    whole.observe(worlds, beliefs)
    for k in range(0, 50, 7):
        cut.observe(worlds[k : k + 7], beliefs[k : k + 7])
    odds, written = np.exp(0.5) / (1 + np.exp(0.5)), 0.0
    for stake in STAKES:
        wealth = 1.0
        for second, belief in zip(worlds, beliefs, strict=True):
            guess, sure = (True, belief) if belief > 0.5 else (False, 1 - belief)
            gain = max(sure - odds, 0) / (odds if guess == second else odds - 1)
            wealth *= 1 + stake * (gain - 0.1 * np.exp(-0.5)) / (1 + 0.1 * np.exp(-0.5))
        written += wealth / len(STAKES)
    for audit in (whole, cut):
        assert np.exp(audit.log_wealth) == pytest.approx(written)
    assert whole.stopped == cut.stopped


def mean_factor(epsilon, delta, laws, beliefs):
    """The mean by which one run multiplies the wealth: outcomes with these laws [2, n] and beliefs [n]."""
    total = 0.0
    for world, law in enumerate(laws):
        for mass, belief in zip(law, beliefs, strict=True):
            audit = SequentialAudit(epsilon, 0.5, delta)
            audit.observe([bool(world)], [belief])
            total += mass / 2 * np.exp(audit.log_wealth)
    return total


def test_wealth_does_not_grow_on_average_where_the_budget_just_holds():
    """For all beliefs, the true ones first: randomised response with a share delta that tells the input."""
    epsilon, delta, generator = 0.7, 0.05, np.random.default_rng(5)
    keep = (1 - delta) * np.exp(epsilon) / (1 + np.exp(epsilon))
    laws = np.array([[keep, 1 - delta - keep, delta, 0], [1 - delta - keep, keep, 0, delta]])
    means = [mean_factor(epsilon, delta, laws, b) for b in [laws[1] / laws.sum(axis=0), *generator.random((50, 4))]]
    assert max(means) <= 1 + 1e-12
    assert means[0] == pytest.approx(1)  # everything it is allowed to leak is bet on
    assert mean_factor(epsilon, 0.0, laws, laws[1] / laws.sum(axis=0)) > 1.0


def test_looking_after_every_run_does_not_raise_the_error():
    generator, wrong = np.random.default_rng(1), 0
    p, q = np.exp(1) / (1 + np.exp(1)), 1 / (1 + np.exp(1))
    for _ in range(300):
        worlds, _ = runs(2000, p, q, generator)
        told = generator.random(2000) < np.where(worlds, p, q)
        wrong += SequentialAudit(1.0, 0.1).observe(worlds, np.where(told, 0.8, 0.2))  # believes in more than there is
    assert binomial_interval(wrong, 300, Fraction(1, 10**6))[0] <= 0.1


def test_a_false_budget_is_refuted_and_the_first_time_is_kept():
    audit = SequentialAudit(0.5, 1e-3)
    assert audit.observe(*runs(1000, 0.73, 0.27, np.random.default_rng(2)))
    stopped = audit.stopped
    audit.observe(np.zeros(1000, bool), np.ones(1000))
    assert audit.refuted and audit.stopped == stopped < 1000 and audit.log_wealth < 0


def test_bad_input_is_named():
    for arguments, name in (((-1, 0.1), "epsilon"), ((1, 1), "error"), ((1, 0.1, 1), "delta")):
        with pytest.raises(InvalidInput, match=name):
            SequentialAudit(*arguments)
    for worlds, beliefs in ((np.ones(2), np.ones(3)), (np.ones(1), [2.0]), (np.ones(1), [np.nan])):
        with pytest.raises(InvalidInput, match="worlds, beliefs"):
            SequentialAudit(1, 0.1).observe(worlds, beliefs)
    with pytest.raises(InvalidInput, match="worlds"):  # NumPy takes -1 for true
        SequentialAudit(1, 0.1).observe(np.array([-1, 1]), np.ones(2))
    with pytest.raises(InvalidInput, match="audit"):
        share_of_error(Fraction(1, 10), 0)
