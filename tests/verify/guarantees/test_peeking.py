"""Stopping rules that look again and again at an interval of fixed level are found; those that pay for it are not."""

from math import log, sqrt

import numpy as np
import pytest

from banditproof.verify import check_delta_correct
from banditproof.verify.guarantees.rare_errors import PEEKS, ShiftedBandit, nearly_tied, peeking_errors
from banditproof.verify.stopwatch import Meter
from banditproof.verify.testing.adapters import select_update

DELTA, Z = 0.05, 1.959964


def wald(mean, n):
    half = Z * sqrt(mean * (1 - mean) / n)
    return mean - half, mean + half


def wilson(mean, n):
    centre, half = (mean + Z * Z / (2 * n)), Z * sqrt(mean * (1 - mean) / n + Z * Z / (4 * n * n))
    return (centre - half) / (1 + Z * Z / n), (centre + half) / (1 + Z * Z / n)


def hoeffding(mean, n):
    """For every n at once, by a union bound over n and arms: probability DELTA for up to five arms."""
    half = sqrt(log(4 * 5 * n * n / DELTA) / (2 * n))
    return mean - half, mean + half


class Intervals:
    """Pulls the arms in turn, and stops when the interval of the best mean lies above all others."""

    def __init__(self, arms, interval, fewest):
        self.interval, self.fewest = interval, fewest
        self.sums, self.pulls, self.stopped, self.named = [0.0] * arms, [0] * arms, False, 0

    def select_arm(self):
        return self.pulls.index(min(self.pulls))

    def update(self, arm, reward):
        self.sums[arm] += reward
        self.pulls[arm] += 1
        if min(self.pulls) >= self.fewest:
            means = [s / n for s, n in zip(self.sums, self.pulls, strict=True)]
            self.named = means.index(max(means))
            ends = [self.interval(mean, n) for mean, n in zip(means, self.pulls, strict=True)]
            lowest = ends[self.named][0]
            self.stopped = all(lowest > high for k, (_, high) in enumerate(ends) if k != self.named)


class GarivierKaufmann(Intervals):
    """Stops when a likelihood ratio of the best arm against every other one passes log(2 t (K - 1) / DELTA)."""

    def __init__(self, arms):
        super().__init__(arms, None, 10**9)

    def update(self, arm, reward):
        super().update(arm, reward)
        if min(self.pulls) == 0:
            return
        means = [s / n for s, n in zip(self.sums, self.pulls, strict=True)]
        best = self.named = means.index(max(means))
        bar = log(2 * sum(self.pulls) * (len(means) - 1) / DELTA)
        self.stopped = all(self.ratio(best, other) > bar for other in range(len(means)) if other != best)

    def ratio(self, one, two):
        middle = (self.sums[one] + self.sums[two]) / (self.pulls[one] + self.pulls[two])
        return sum(self.pulls[a] * kl(self.sums[a] / self.pulls[a], middle) for a in (one, two))


def kl(p, q):
    return sum(x * log(x / y) for x, y in ((p, q), (1 - p, 1 - q)) if x > 0)


def made(interval, fewest=1):
    def make(arms, generator, replications):
        if interval is GarivierKaufmann:
            players = [GarivierKaufmann(arms) for _ in range(replications)]
        else:
            players = [Intervals(arms, interval, fewest) for _ in range(replications)]
        return select_update(players, arms, stopped="stopped", recommend="named")

    return make


PEEKING = {
    "Wald, 30": made(wald, 30),
    "Wald, 100": made(wald, 100),
    "Wilson, 30": made(wilson, 30),
    "Wilson, 100": made(wilson, 100),
}
SOUND = {"Hoeffding": made(hoeffding), "Garivier and Kaufmann": made(GarivierKaufmann)}


def errors(make, runs, arms=2, **options):
    return peeking_errors(make, arms, DELTA, 10**6, np.random.SeedSequence(0), Meter(), **options)(runs)


def test_a_rule_that_peeks_errs_more_than_it_promises():
    values = errors(PEEKING["Wald, 30"], 12)
    assert 0.06 < values.mean() < 0.15 and values.max() <= 1


def test_a_rule_that_pays_for_its_looks_does_not():
    assert errors(SOUND["Hoeffding"], 3).mean() < 0.01


def test_the_mean_of_the_weights_is_the_probability():
    """A rule that looks once, after ten pulls of each arm: its risk is a sum over binomial laws."""
    from scipy.stats import binom

    class Once(Intervals):
        def update(self, arm, reward):
            super().update(arm, reward)
            if min(self.pulls) >= 10:
                self.stopped, self.named = True, 0 if self.sums[0] - self.sums[1] >= 3 else 1

    def make(arms, generator, replications):
        players = [Once(arms, wald, 10**9) for _ in range(replications)]
        return select_update(players, arms, stopped="stopped", recommend="named")

    for level in (0.5, 0.9):
        law = binom.pmf(np.arange(11), 10, level)
        right = sum(law[i] * law[j] for i in range(11) for j in range(11) if i - j >= 3)
        values = errors(make, 4000, level=level)
        assert values.mean() == pytest.approx(right, abs=5 * values.std() / 4000**0.5)


def test_shifts_move_both_arms_by_as_much_at_every_level():
    for level in (0.5, 0.95):
        bandit = ShiftedBandit(3, level, 0.01, 1)
        moved = (bandit.means - nearly_tied(3, level=level))[:2] / (level * (1 - level)) ** 0.5
        assert moved == pytest.approx([0.02, -0.02], rel=0.05)
    assert (np.diff(PEEKS) < 0).all()


@pytest.mark.parametrize("name", PEEKING)
def test_a_rule_that_peeks_is_a_violation(name):
    report = check_delta_correct(PEEKING[name], 2, DELTA, seconds=60)
    assert report.verdict == "violation" and "rewards shifted" in report.cause


@pytest.mark.parametrize("name", SOUND)
def test_a_rule_that_pays_is_ok(name):
    assert check_delta_correct(SOUND[name], 2, DELTA, seconds=60).verdict == "ok"
