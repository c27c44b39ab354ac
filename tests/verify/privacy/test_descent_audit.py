"""One run of DP-SGD with many canaries: a budget that is kept is not refuted, bugs are; and what sampling gains."""

from fractions import Fraction

import numpy as np
import pytest

from banditproof.algorithms import NoiseSource
from banditproof.algorithms.training import Network, Private, Transcript, average_gradient, blocks, descend, dirac
from banditproof.theory import Budget
from banditproof.theory.privacy.budget import gaussian_delta
from banditproof.theory.privacy.noise_calibration import largest_gaussian_shift
from banditproof.verify import audit_descent, check_descent, sampled_epsilon
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
    audit = audited(source)
    assert privacy_loss(source.releases, RECORDS, Budget.gdp(MU)) == pytest.approx(MU**2, rel=1e-9)
    assert audit.verdict == "not refuted" and audit.right > 75 and audit.shown > 0.1


@pytest.mark.parametrize(("source", "kind", "clip"), [(Quiet, Private, 1.0), (NoiseSource, Unclipped, 4.0)])
def test_a_quarter_of_the_noise_and_gradients_that_are_too_long_are_found_in_one_run(source, kind, clip):
    audit = audited(source(np.random.default_rng(3)), kind, clip)
    print(audit)
    assert audit.verdict == "violation"


SMALL = Network((4, 3))
X_SMALL, Y_SMALL = GENERATOR.standard_normal((12, 4)), GENERATOR.integers(3, size=12)


def training(kind=Private, source=lambda noise: noise, leak=0.0, clip=0.5):
    def train(x, y, noise, generator):
        batches = blocks(12, 4, 6, generator)
        run = descend(SMALL, np.zeros(15), x, y, batches, 0.5, kind(clip, 0.5, source(noise)))
        return Transcript(run.thetas + leak * x.sum(), run.rates)

    return train


class Elsewhere(NoiseSource):
    """Says of every release that it was made of the block before."""

    def __init__(self, noise):
        super().__init__(noise.generator)
        self.noise = noise

    def gaussian(self, value, *, records, **declared):
        return self.noise.gaussian(value, records=tuple(np.maximum(r - 4, 0) for r in records), **declared)


def test_a_descent_that_keeps_its_budget_is_aligned_with_its_neighbours():
    steps = np.bincount([b.start // 4 for b in blocks(12, 4, 6, np.random.default_rng(1))]).max()
    promised = Budget.gdp(float(steps**0.5) * 2 / (0.5 * 4))
    report = check_descent(training(), X_SMALL, Y_SMALL, promised)
    assert report.ok and report.declared_loss == pytest.approx(promised.mu**2)
    assert 0.2 * report.declared_loss < report.aligned_loss <= report.declared_loss
    short = check_descent(training(), X_SMALL, Y_SMALL, Budget.gdp(0.9 * promised.mu))
    assert [p.partition(":")[0] for p in short.problems] == ["budget"]


@pytest.mark.parametrize(
    ("bug", "named"),
    [
        ({"kind": Unclipped, "clip": 2.0}, "sensitivity"),
        ({"source": Elsewhere}, "records"),
        ({"leak": 1e-6}, "raw gradients"),
    ],
)
def test_what_is_wrong_with_a_descent_is_named(bug, named):
    report = check_descent(training(**bug), X_SMALL, Y_SMALL, Budget.gdp(100.0))
    assert {p.partition(":")[0] for p in report.problems} == {named}


def test_without_sampling_the_second_opinion_on_epsilon_is_exact_and_with_it_less_is_spent():
    pytest.importorskip("dp_accounting", reason="dp-accounting is not installed")
    gamma, steps, size = 0.02, 4, 100  # deviations of 2 per unit of a record, so mu = 1 in four steps
    all_of_them = sampled_epsilon(1.0, gamma * size, steps, 1e-5)
    assert gaussian_delta(1.0, all_of_them) == pytest.approx(1e-5, rel=1e-3)
    assert sampled_epsilon(0.1, gamma * size, steps, 1e-5) < all_of_them / 4
    huge = sampled_epsilon(1.0, 0.01, 1000, 1e-5)  # almost no noise: on a fine grid it did not end
    mu = 1000**0.5 / 0.01
    assert gaussian_delta(mu, huge) <= 1e-5 < gaussian_delta(mu, 0.9999 * huge)
