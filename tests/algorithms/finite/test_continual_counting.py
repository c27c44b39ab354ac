"""The counters against slow transcripts of their definitions, the privacy ledger, and their exact error laws."""

import numpy as np
import pytest
from scipy import stats

from banditproof.algorithms.contextual.tree import levels_of
from banditproof.algorithms.finite.continual_counting import COUNTERS, count_with_binary_tree
from banditproof.algorithms.noise import NoiseSource
from banditproof.theory import Budget
from banditproof.theory.privacy.continual_counting import counting_error, dyadic_cover, tree_levels, worst_step
from banditproof.verify.runs.ledger import privacy_loss
from banditproof.verify.runs.recorder import RecordingNoise


@pytest.mark.parametrize("horizon", range(1, 20))
def test_the_nodes_that_close_have_a_level_less_than_the_padded_tree_unless_nothing_is_padded(horizon):
    closed = {stop - start for t in range(1, horizon + 1) for start, stop in dyadic_cover(t)}
    assert levels_of(horizon) == len(closed) == tree_levels(horizon) - (horizon & (horizon - 1) > 0)


@pytest.fixture
def streams():
    return np.random.default_rng(1).integers(0, 2, size=(4, 13))


@pytest.mark.parametrize("counter", COUNTERS)
def test_without_noise_the_answers_are_the_prefix_sums(counter, streams):
    answers = COUNTERS[counter](streams, np.inf, NoiseSource())
    assert np.array_equal(answers, np.cumsum(streams, axis=1))


@pytest.mark.parametrize("counter", COUNTERS)
def test_the_ledger_charges_every_bit_with_the_budget(counter):
    noise = RecordingNoise(np.random.default_rng(2))
    COUNTERS[counter](np.ones((1, 8)), 0.5, noise)
    assert privacy_loss(noise.releases, 8, Budget.pure(0.5)) == pytest.approx(0.5, rel=1e-12)


def test_the_tree_adds_the_noise_of_the_nodes_along_the_binary_digits():
    recorded = RecordingNoise(np.random.default_rng(3))
    stream = np.array([[1, 0, 1, 1, 0, 1, 1]])
    answers = count_with_binary_tree(stream, 1.0, recorded)
    levels = [release.released[0] for release in recorded.releases]
    assert [len(level) for level in levels] == [8, 4, 2, 1]
    for t in range(1, 8):
        total, start = 0.0, 0
        for level in (3, 2, 1, 0):
            if t & (1 << level):
                total += levels[level][start >> level]
                start += 1 << level
        assert answers[0, t - 1] == pytest.approx(total, abs=1e-12)
    assert {release.scale for release in recorded.releases} == {float(tree_levels(7))}


@pytest.mark.parametrize("counter", COUNTERS)
def test_the_errors_follow_their_exact_law(counter):
    """DKW: 20,000 runs put the empirical law within 0.0163 of the true one but for a chance of 1e-4."""
    runs, horizon = 20_000, 8
    noise = NoiseSource(np.random.default_rng(4))
    answers = COUNTERS[counter](np.zeros((runs, horizon)), 1.0, noise)
    for t in (1, worst_step(counter, horizon), horizon):
        law = counting_error(counter, t, horizon, 1)
        errors = np.sort(np.abs(answers[:, t - 1]))
        exact = np.array([1 - float(law.tail(float(x))) for x in errors[::200]])
        seen = np.arange(0, runs, 200) / runs
        assert np.abs(exact - seen).max() <= 0.0163
        assert errors.size == runs and stats.kurtosis(answers[:, t - 1]) > 0  # heavier tails than the normal law


@pytest.mark.parametrize("counter", COUNTERS)
def test_the_answer_at_a_step_depends_on_the_bits_so_far(counter, streams):
    later = streams.copy()
    later[:, 7:] = 1 - later[:, 7:]
    first, second = (COUNTERS[counter](s, 1.0, NoiseSource(np.random.default_rng(5))) for s in (streams, later))
    assert np.allclose(first[:, :7], second[:, :7], atol=1e-9) and not np.allclose(first[:, 7:], second[:, 7:])
