"""A policy that stops trying an arm does not pass, and none is accused for it."""

import numpy as np
import pytest

from banditproof.algorithms import BernoulliBandit
from banditproof.algorithms.finite.index import UCB
from banditproof.algorithms.registration import Setting
from banditproof.algorithms.roster import algorithm
from banditproof.algorithms.run.simulator import simulate
from banditproof.verify import check_theorem
from banditproof.verify.guarantees.stalling import EARLIER, FEW, stalled_pairs
from banditproof.verify.guarantees.theorems import STALLED

WIDTHS = {
    "constant": lambda n, t: (2 / n) ** 0.5,
    "count and time swapped": lambda n, t: (2 * np.log(n) / t) ** 0.5,
    "the arm's own count": lambda n, t: (2 * np.log(n + 1) / n) ** 0.5,
    "right": lambda n, t: (2 * np.log(t) / n) ** 0.5,
    "log2": lambda n, t: (2 * np.log2(t) / n) ** 0.5,
}


def index(width):
    class Index(UCB):
        def score(self, means, samples):
            return means + WIDTHS[width](samples, np.sum(samples, axis=-1, keepdims=True))

    return lambda K, b, T, noise, g, R: Index(K, horizon=T, replications=R)


def pairs(make, T, count=FEW, arms=4):
    def made(horizon):
        return lambda rows, g: make(arms, None, horizon, None, g, rows.stop - rows.start)

    return stalled_pairs(made(T), made(T // EARLIER), T, 0, None)(count)


def roster(name):
    return lambda K, b, T, noise, g, R: algorithm(name).build(Setting(K, T, b, g, R))


@pytest.mark.parametrize(
    ("width", "given_up"), [("constant", 1.0), ("count and time swapped", 1.0), ("right", 0.0), ("log2", 0.0)]
)
def test_an_arm_that_is_given_up_shows_in_every_pair_and_no_other(width, given_up):
    assert pairs(index(width), 4000).tolist() == [given_up] * FEW


@pytest.mark.parametrize("name", ["ucb", "anytime-ucb", "kl-ucb", "imed", "thompson-sampling"])
def test_few_pairs_of_a_sound_policy_stall(name):
    assert pairs(roster(name), 100_000, 16).mean() <= 0.25


def test_what_is_given_up_is_lost_where_it_is_the_best():
    """The bound that the module derives: regret at least (1 - mean)^n (mean - 0.9) (T - n), here by enumeration."""
    T, mean, bandit = 3000, 0.95, BernoulliBandit([0.9, 0.0])
    policy = index("constant")(2, None, T, None, None, 4)
    regret = simulate(policy, bandit, T, np.random.default_rng(0)).regret[:, -1]
    n = round(regret.max() / 0.9)
    assert n == 3
    lost = (1 - mean) ** n * (mean - 0.9) * (T - n)
    unlucky = Unlucky(n)
    policy = index("constant")(2, None, T, None, None, 4)
    given = simulate(policy, unlucky, T, np.random.default_rng(0)).regret[:, -1]
    assert (1 - mean) ** n * given.min() >= lost * (1 - 1e-9)


class Unlucky(BernoulliBandit):
    """Arm 1 has mean 0.95, and pays nothing in its first n pulls."""

    def __init__(self, n):
        super().__init__([0.9, 0.95])
        self.n, self.pulled = n, 0

    def sum_of_rewards(self, arm, count, generator, *, time=0):
        paid = super().sum_of_rewards(arm, count, generator, time=time)
        first = (arm == 1) & (self.pulled < self.n)
        self.pulled = self.pulled + (arm == 1)
        return np.where(first, 0.0, paid)


@pytest.mark.parametrize(("first", "stalls"), [(5, 1.0), (20, 0.0)])
def test_arms_that_were_tried_often_enough_need_not_be_tried_again(first, stalls):
    """Twice log10 of 4000 pulls is 7.2: after as many, an arm that paid nothing is hardly a good one."""

    class Warm(UCB):
        def score(self, means, samples):
            return np.where(samples < first, 100.0 - samples, means)

    make = lambda K, b, T, noise, g, R: Warm(K, horizon=T, replications=R)  # noqa: E731
    assert pairs(make, 4000).tolist() == [stalls] * FEW


@pytest.mark.parametrize("width", WIDTHS)
def test_verdicts_of_the_whole_check(width):
    report = check_theorem(index(width), "anytime-ucb", seconds=20)
    refuted = ("count and time swapped",)  # by its lost runs
    assert report.verdict == (
        "violation" if width in refuted else "ok" if width in ("right", "log2") else "inconclusive"
    )
    assert width != "constant" or any(STALLED in part.cause for part in report.parts), report
