"""One run of DP-SGD with many canaries: a budget that is kept is not refuted, bugs are; and what sampling gains."""

from fractions import Fraction

import numpy as np
import pytest

from banditproof.algorithms import NoiseSource
from banditproof.algorithms.training import Network, Private, average_gradient, blocks, descend, dirac
from banditproof.theory import Budget
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import gaussian_delta, largest_gaussian_shift
from banditproof.verify import audit_descent, sampled_epsilon
from banditproof.verify.runs.ledger import privacy_loss
from banditproof.verify.runs.recorder import RecordingNoise

NETWORK, STEPS, RECORDS = Network((60, 10)), 8, 100
GENERATOR = np.random.default_rng(0)
X, Y = GENERATOR.standard_normal((RECORDS, 60)), GENERATOR.integers(10, size=RECORDS)
BUDGET = Budget.approximate(2.0, 1e-5)
MU = largest_gaussian_shift(2.0, 1e-5)
ERROR = Fraction(1, 100)
GAMMA = STEPS**0.5 / (RECORDS * MU)


class Quiet(NoiseSource):
    """A quarter of the noise that is asked for."""

    def draw(self, distribution, scale, shape):
        return 0.25 * super().draw(distribution, scale, shape)


class Unclipped(Private):
    """Clips at four times the length that the noise was made for."""

    def released(self, average, batch, size):
        return Private(self.clip / 4, self.gamma, self.source, self.neighbours).released(average, batch, size)


def audited(source, kind=Private, clip=1.0, guesses=120, seed=1):
    private, theta = kind(clip, GAMMA, source, "presence"), np.zeros(NETWORK.d)
    return audit_descent(
        lambda sent: descend(NETWORK, theta, X, Y, blocks(RECORDS, RECORDS, STEPS), 0.1, private, sent=sent),
        lambda at: average_gradient(NETWORK, at, X, Y, RECORDS, private),
        np.array([dirac(NETWORK.d, k, 50.0) for k in range(600)]),
        BUDGET,
        guesses,
        np.random.default_rng(seed),
        ERROR,
    )


def test_a_run_that_keeps_its_budget_is_not_refuted_though_much_of_it_is_seen():
    source = RecordingNoise(np.random.default_rng(3))
    found = audited(source)
    assert privacy_loss(source.releases, RECORDS, Budget.gdp(MU)) == pytest.approx(MU**2, rel=1e-9)
    assert found.verdict == "not refuted" and found.right > 75 and found.shown > 0.1


@pytest.mark.parametrize(("source", "kind", "clip"), [(Quiet, Private, 1.0), (NoiseSource, Unclipped, 4.0)])
def test_a_quarter_of_the_noise_and_gradients_that_are_too_long_are_found_in_one_run(source, kind, clip):
    found = audited(source(np.random.default_rng(3)), kind, clip)
    print(found)
    assert found.verdict == "violation"


def test_without_sampling_the_second_opinion_on_epsilon_is_exact_and_with_it_less_is_spent():
    pytest.importorskip("dp_accounting", reason="dp-accounting is not installed")
    gamma, steps, size = 0.02, 4, 100  # deviations of 2 per unit of a record, so mu = 1 in four steps
    all_of_them = sampled_epsilon(1.0, gamma * size, steps, 1e-5)
    assert gaussian_delta(1.0, all_of_them) == pytest.approx(1e-5, rel=1e-3)
    assert sampled_epsilon(0.1, gamma * size, steps, 1e-5) < all_of_them / 4


def test_bad_input_is_named():
    with pytest.raises(InvalidInput, match="rate"):
        sampled_epsilon(0.0, 1.0, 1, 1e-5)
    with pytest.raises(InvalidInput, match="candidates"):
        audit_descent(lambda sent: None, lambda theta: theta, np.zeros(3), BUDGET, 2, GENERATOR)
