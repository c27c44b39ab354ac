"""Branches that noise or a coin seldom reaches: what tells rewards there is never ok, its sound neighbour is."""

import numpy as np
import pytest

from banditproof.algorithms import Policy
from banditproof.theory import Budget
from banditproof.verify import check_privacy, replayed

ONE = Budget.pure(1.0)


class Batches:
    """Noisy means of six rewards; `seldom` may tell another number."""

    def __init__(self):
        self.rng = np.random.default_rng()
        self.sums, self.counts, self.means = np.zeros(2), np.zeros(2, int), np.full(2, 2.0)

    def select_arm(self):
        return int(self.means.argmax())

    def update(self, arm, reward):
        self.sums[arm] += reward
        self.counts[arm] += 1
        if self.counts[arm] == 6:
            total, self.sums[arm], self.counts[arm] = self.sums[arm], 0.0, 0
            self.means[arm] = self.told(total, total + self.rng.laplace(0, 1)) / 6


class LowRaw(Batches):
    def told(self, total, noisy):
        if noisy < -3:
            return total
        return noisy


class LowFixed(Batches):
    def told(self, total, noisy):
        if noisy < -3:
            return -3.0
        return noisy


class CoinRaw(Batches):
    def told(self, total, noisy):
        return total if self.rng.random() < 0.004 else noisy


class CoinHalf(Batches):
    def told(self, total, noisy):
        return noisy / 2 if self.rng.random() < 0.004 else noisy


class AgainRaw(Batches):
    def told(self, total, noisy):
        while noisy < -4:
            noisy = total
        return noisy


class AgainHigher(Batches):
    def told(self, total, noisy):
        while noisy < -4:
            noisy += 2
        return noisy


class Releasing(Policy):
    def __init__(self, noise, generator):
        super().__init__(2, 1)
        self.noise, self.coins, self.start, self.means = noise, generator, 0, np.full(2, 2.0)

    def next_batch(self):
        self.arm = int(self.means.argmax())
        return np.array([self.arm]), np.array([6])

    def observe(self, total, count, arm=None):
        chosen, stop = self.arm if arm is None else int(arm[0]), self.start + int(count[0])
        told = self.noise.laplace(total, sensitivity=1.0, budget=ONE, records=(self.start, stop))
        self.means[chosen] = self.told(total, float(told[0])) / 6
        self.start = stop


class HighRaw(Releasing):
    def told(self, total, noisy):
        return noisy if noisy < 13 else float(total[0])


class HighCut(Releasing):
    def told(self, total, noisy):
        return noisy if noisy < 13 else 13.0


class CoinRawReleasing(Releasing):
    def told(self, total, noisy):
        return float(total[0]) if self.coins.random() < 0.002 else noisy


class CoinHalfReleasing(Releasing):
    def told(self, total, noisy):
        return noisy / 2 if self.coins.random() < 0.002 else noisy


PAIRS = [(LowRaw, LowFixed), (CoinRaw, CoinHalf), (AgainRaw, AgainHigher)]
RELEASING = [(HighRaw, HighCut), (CoinRawReleasing, CoinHalfReleasing)]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("broken", "sound"), PAIRS)
def test_a_branch_that_runs_seldom_is_looked_at(broken, sound, seed):
    assert check_privacy(replayed(sound), ONE, seed=seed, seconds=6).verdict == "ok"
    report = check_privacy(replayed(broken), ONE, seed=seed, seconds=6)
    assert report.verdict != "ok" and (report.violations or "test_seldom.py" in str(report)), report


@pytest.mark.parametrize(("broken", "sound"), RELEASING)
def test_so_is_one_of_a_policy_that_releases(broken, sound):
    assert check_privacy(sound, ONE).verdict == "ok"
    report = check_privacy(broken, ONE)
    assert report.verdict != "ok" and (report.violations or "told" in str(report)), report
