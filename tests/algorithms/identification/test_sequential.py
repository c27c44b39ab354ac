"""TTUCB, Track-and-Stop and LUCB: what they pull, when they stop, and what is refused."""

import numpy as np
import pytest

from banditproof.algorithms import BernoulliBandit, Strategy
from banditproof.algorithms.identification.sequential import LUCB, TTUCB, TrackAndStop, gaussian_weights
from banditproof.algorithms.identification.ttucb_loop import run_ttucb
from banditproof.algorithms.registration import IdentificationSetting
from banditproof.algorithms.roster import algorithms, strategy
from banditproof.algorithms.run.identification import identify, identify_fastest
from banditproof.theory import Gaussian, Instance, characteristic_time
from banditproof.theory.best_arm.thresholds import plain_threshold


def transcript_of_ttucb(rewards, delta, beta):
    """TTUCB one pull at a time: the arms that it pulls until it stops, and the arm that it names."""
    K = len(rewards)
    N, L, own, played = [1] * K, [0] * K, [0] * K, list(range(K))
    while True:
        mu = [sum(rewards[a][: N[a]]) / N[a] for a in range(K)]

        def W(a, b, mu=mu):
            return 2 * max(mu[a] - mu[b], 0) ** 2 / (1 / N[a] + 1 / N[b])

        best = int(np.argmax(mu))
        if all(W(best, b) > plain_threshold(float(N[best]), float(N[b]), delta, K) for b in range(K) if b != best):
            return played, best
        b = int(np.argmax([mu[a] + np.sqrt(np.log(sum(N)) / (2 * N[a])) for a in range(K)]))
        c = min((a for a in range(K) if a != b), key=lambda a: W(b, a))
        L[b] += 1
        leads = own[b] <= beta * L[b]
        own[b] += leads
        played.append(b if leads else c)
        N[played[-1]] += 1


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("beta", [0.5, 0.3, 1 / 3, 0.1])
def test_ttucb_pulls_what_its_pseudocode_pulls(seed, beta):
    rewards = (np.random.default_rng(seed).random((3, 3000)) < np.array([[0.9], [0.5], [0.2]])).astype(float)
    run, played = TTUCB(3, delta=0.2, beta=beta), []
    while not run.stopped[0]:
        arm, count = run.next_batch()
        played.append(int(arm[0]))
        run.observe(rewards[arm[0], run.pulls[0, arm[0]]][np.newaxis], count)
    assert (played, int(run.recommendation[0])) == transcript_of_ttucb(rewards, 0.2, beta)


@pytest.mark.parametrize("means", [[0.9, 0.8, 0.5], [0.1, 0.1, 0.2, 0.15], [0.501, 0.5], [0.9, 0.89, *[0.1] * 30]])
def test_tracked_weights_are_those_of_the_game(means):
    arms = [Gaussian(str(mean), "0.5") for mean in means]
    expected = characteristic_time(Instance(arms)).allocation
    assert np.allclose(gaussian_weights(np.array([means]))[0], expected, atol=1e-7)


def test_tied_best_arms_share_the_weight():
    assert gaussian_weights(np.array([[0.5, 0.1, 0.5]])).tolist() == [[0.5, 0.0, 0.5]]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", algorithms(IdentificationSetting))
def test_every_strategy_stops_with_the_best_arm(name):
    options = {"bonus": "log"} if name.startswith("adap") else {}
    run = strategy(name, 3, 0.1, 2.0, np.random.default_rng(0), 50, **options)
    assert isinstance(run, Strategy)
    ended = identify(run, BernoulliBandit([0.1, 0.9, 0.3]), 10**6, np.random.default_rng(1))
    assert (ended.recommendation == 1).all()


@pytest.mark.parametrize("make", [TTUCB, TrackAndStop, LUCB])
def test_a_stopped_run_stays_stopped(make):
    run = make(2, delta=0.5, replications=3)
    for _ in range(400):
        arm, count = run.next_batch()
        run.observe((arm == 0).astype(float), count)
    assert run.stopped.all() and (run.recommendation == 0).all() and (run.next_batch()[0] == 0).all()


def test_the_optimal_share_is_tracked():
    run = TTUCB(2, delta=1e-9, share="optimal", replications=1)
    for _ in range(300):
        arm, count = run.next_batch()
        run.observe(np.where(arm == 0, 0.55, 0.5), count)
    assert abs(run.pulls[0, 0] / run.pulls.sum() - 0.5) < 0.02


class OneUniformAReward(BernoulliBandit):
    """Rewards drawn as the compiled loop draws them."""

    def sum_of_rewards(self, arm, count, generator, *, time=0):
        return (generator.random(arm.shape) < self.means[arm]).astype(float)


@pytest.mark.one_in(5)  # both shares, all means and every cap
@pytest.mark.parametrize("share", ["fixed", "optimal"])
@pytest.mark.parametrize(
    ("means", "beta"),
    [([0.3, 0.8, 0.5], 0.5), ([0.5, 0.0, 1.0, 0.5], 0.2), ([0.4, 0.6], 0.9), ([0.4, 0.6, 0.5], 1 / 3)],
)
@pytest.mark.parametrize("cap", [1, 40, 10**5])
def test_the_compiled_ttucb_is_the_reference_draw_for_draw(share, means, beta, cap):
    pytest.importorskip("numba")
    one, other = np.random.default_rng(3), np.random.default_rng(3)
    fast, pulls = run_ttucb(
        TTUCB(len(means), delta=0.1, beta=beta, share=share, replications=4), BernoulliBandit(means), cap, one
    )
    for r in range(4):
        slow = TTUCB(len(means), delta=0.1, beta=beta, share=share)
        ended = identify(slow, OneUniformAReward(means), cap, other)
        assert (ended.recommendation[0], slow.pulls[0].tolist()) == (fast[r], pulls[r].tolist())
    assert one.random() == other.random()


def test_the_fastest_run_keeps_what_the_loop_does_not_know():
    class Mine(TTUCB):
        pass

    bandit = BernoulliBandit([0.2, 0.8])
    fast, slow = (
        identify_fastest(make(2, delta=0.1, replications=50), bandit, 10**5, np.random.default_rng(0))
        for make in (TTUCB, Mine)
    )
    expected = identify(Mine(2, delta=0.1, replications=50), bandit, 10**5, np.random.default_rng(0))
    assert slow.pulls.tolist() == expected.pulls.tolist() and (fast.recommendation == 1).all()


def test_progress_counts_the_runs_that_have_ended():
    seen = []
    strategy = TTUCB(2, delta=0.1, replications=20)
    identify(strategy, BernoulliBandit([0.2, 0.8]), 10**4, np.random.default_rng(0), lambda *at: seen.append(at))
    assert seen[0] == (0, 20) and seen[-1] == (20, 20) and seen == sorted(seen)
