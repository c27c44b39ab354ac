"""Everything is released, and wrongly: sensitivity, records and budget of a release."""

from __future__ import annotations

from collections import deque
from math import sqrt

import numpy as np

from banditproof.algorithms.finite.episodic import AdaPUCB
from banditproof.theory.privacy.budget import Budget
from strangers.common import ONE, Singles, WinStay, leak


@leak(
    "sensitivity",
    "sensitivity=1 / self.seen",
    "The mean of the last 5 rewards moves by 1/5, whatever is declared; after 50 pulls that is 1/50, a tenth.",
)
class WindowedMean(Singles):
    """Was the mean of all rewards once; the window came later."""

    length = 5

    def start(self):
        self.window, self.seen = deque(maxlen=5), 0

    def full(self):
        self.window.extend(self.buffer)
        self.seen += len(self.buffer)
        self.decide(self.release(sum(self.window) / len(self.window), 5, sensitivity=1 / self.seen))


@leak("sensitivity", "2 * total - count", "A reward that goes from 0 to 1 moves the centred sum by 2; 1 is declared.")
class Centred(WinStay):
    """Rewards in [-1, 1] are nicer to look at."""

    bar = 0.0

    def hear(self, total, count):
        self.decide(self.release(2 * total - count, count) / count)


@leak(
    "sensitivity",
    "self.release(total / self.propensity, count)",
    "With propensity 1/3 a reward moves the weighted sum by 3; 1 is declared.",
)
class InversePropensity(WinStay):
    """Every third block goes to a random arm, and what it brings is weighted accordingly."""

    def start(self):
        self.blocks, self.propensity = 0, 1.0

    def hear(self, total, count):
        self.decide(self.release(total / self.propensity, count) / count)
        self.blocks += 1
        self.propensity = 1.0
        if self.blocks % 3 == 0:
            self.current, self.propensity = int(self.generator.integers(3)), 1 / 3


@leak(
    "sensitivity",
    "[[low, high]]",
    "A reward that goes from 0 to 1 leaves one cell and enters another: 2 in the l1 norm. Both cells show in actions, "
    "each at its own threshold, so e^2 is reached.",
)
class Histogram(Singles):
    """One reward is in one cell, so the sensitivity is one."""

    length = 6

    def full(self):
        low, high = sum(r < 0.5 for r in self.buffer), sum(r >= 0.5 for r in self.buffer)
        value = np.array([[low, high]], dtype=float)
        cells = self.noise.laplace(value, sensitivity=1.0, budget=ONE, records=self.records(self.length))[0]
        if cells[0] > 3:
            self.move()
        self.length = 6 if cells[1] > 3 else 5


@leak(
    "sensitivity",
    "np.log((total + 0.5) / (count - total + 0.5))",
    "From sum 0 to 1 of 4 the log odds go from log(0.5/4.5) to log(1.5/3.5), by 1.35; from 1 to 2 by 0.85 only.",
)
class LogOdds(WinStay):
    """A logit moves by less than one: checked at one half, where it is steepest in textbooks of another kind."""

    bar = -2.0

    def hear(self, total, count):
        self.decide(self.release(np.log((total + 0.5) / (count - total + 0.5)), count))


@leak(
    "sensitivity",
    "np.median(self.buffer)",
    "Rewards 0, 0, 0, 1, 1 and 0, 0, 1, 1, 1: the median moves by 1, declared is 1/5 as for a mean.",
)
class RobustMean(Singles):
    """The median is robust, so it cannot be more sensitive than the mean."""

    length = 5

    def full(self):
        self.decide(self.release(float(np.median(self.buffer)), 5, sensitivity=1 / 5))


@leak(
    "records",
    "self.release(total + self.previous, count)",
    "A block is in its own release and in the next one, each at epsilon, and only the first says so: 2 epsilon.",
)
class SmoothedOverTwo(WinStay):
    """Smooths the curve over two blocks."""

    def start(self):
        self.previous = 0.0

    def hear(self, total, count):
        noisy = self.release(total + self.previous, count)
        self.previous = total
        self.decide(noisy / (2 * count))


@leak(
    "records",
    "self.sum = reward",
    "The last reward of a block is the first of the next: in two releases at epsilon, declared in one.",
)
class FencePost(Singles):
    """Running sum instead of a buffer, for memory's sake."""

    def start(self):
        self.sum, self.heard = 0.0, 0

    def hear(self, reward, count):
        self.sum += reward
        self.heard += 1
        if self.heard == self.length:
            self.decide(self.release(self.sum, self.length) / self.length)
            self.sum = reward
            self.heard = 0


@leak(
    "records",
    "super().observe(self.raw[played], count, arm)",
    "The first reward of an arm is in all of its releases, each at epsilon, of which each declares its batch only. "
    "That the other arm is next after it shows two Laplace laws' difference: a factor of e^0.59 or more per release.",
)
class CumulativeEpisodes(AdaPUCB):
    """An episode forgets too much: hand the base class the sum so far."""

    def __init__(self, noise, generator):
        super().__init__(2, ONE, noise)
        self.raw = np.zeros(2)

    def observe(self, total, count, arm=None):
        played = self.recommended if arm is None else arm
        self.raw[played] += total
        super().observe(self.raw[played], count, arm)


@leak(
    "records",
    "self.release(self.total, count)",
    "Every third release is the sum over all arms since the last such, at epsilon, declared as the last block's: "
    "rewards of the two blocks before are in two releases at epsilon each.",
)
class GlobalMean(WinStay):
    """Compares each third block with the average over all arms."""

    def start(self):
        self.total, self.blocks = 0.0, 0

    def hear(self, total, count):
        self.total += total
        self.blocks += 1
        if self.blocks % 3:
            self.decide(self.release(total, count) / count)
        else:
            self.decide(self.release(self.total, count) / (3 * count))
            self.total = 0.0


@leak(
    "budget",
    "epsilon=self.epsilon",
    "Sum and sum of squares of a block at epsilon each. Block sums 3 and 2: P(first < 2) and P(second < 1) differ by e "
    "each, and (move, long block) shows both: e^2.",
)
class MeanAndVariance(Singles):
    """UCB-V: the variance decides how long the next block is."""

    def full(self):
        n = len(self.buffer)
        first = self.release(sum(self.buffer), n, epsilon=self.epsilon)
        second = self.release(sum(r * r for r in self.buffer), n, epsilon=self.epsilon)
        self.length = 4 if second < 1 else 3
        self.decide(first / n)


@leak(
    "budget",
    "self.history",
    "At every restart the rewards of the whole run are released again at epsilon: the first block is in its own "
    "release and in that of every restart. All are declared; 2 epsilon after 80 pulls.",
)
class RestartsFromHistory(WinStay):
    """A fresh policy every 80 pulls, warm-started on the history. Every policy by itself is epsilon-DP."""

    def start(self):
        self.history = 0.0

    def hear(self, total, count):
        self.history += total
        super().hear(total, count)
        end = self.clock + count
        if end % 80 == 0:
            records = (np.array([0]), np.array([end]))
            noisy = self.noise.laplace(np.array([self.history]), sensitivity=1.0, budget=ONE, records=records)
            self.current = 0 if noisy[0] < end / 2 else 1


@leak(
    "budget",
    "1 / (self.blocks + 1)",
    "The sum so far at epsilon/2, epsilon/3, epsilon/4, ...: three cost 13/12 epsilon, and the series diverges.",
)
class HarmonicShares(WinStay):
    """Shares that go to zero, so that their sum stays finite."""

    length = 10

    def start(self):
        self.sum, self.blocks = 0.0, 0

    def hear(self, total, count):
        self.sum += total
        self.blocks += 1
        end = self.clock + count
        share = Budget.pure(self.epsilon * (1 / (self.blocks + 1)))
        records = (np.array([0]), np.array([end]))
        noisy = self.noise.laplace(np.array([self.sum]), sensitivity=1.0, budget=share, records=records)
        self.decide(noisy[0] / end)


@leak(
    "budget",
    "while not 0 <= mean <= 1 and tries < 3:",
    "Up to three releases of one block at epsilon each; how many there were shows in the length of the next block. "
    "Sums 4 and 3 of 4: P(three times outside [0, 4]) = 0.509^3 and 0.209^3, a factor 14 > e.",
)
class TriesAgain(WinStay):
    """Rejects impossible draws."""

    def hear(self, total, count):
        mean, tries = self.release(total, count) / count, 1
        while not 0 <= mean <= 1 and tries < 3:
            mean, tries = self.release(total, count) / count, tries + 1
        self.length = 4 if 0 <= mean <= 1 else 5
        self.decide(mean)


@leak(
    "budget",
    "self.epsilon / sqrt(self.levels)",
    "10 levels at epsilon / sqrt(10). At n = 2, 4, ..., 256 the answer is one node, which the first reward is in: all "
    "rewards 1 or all but the first, the eight answers lie below n / 2 with a factor e^0.316 each: e^2.5.",
)
class TreeByAdvancedComposition(WinStay):
    """The binary tree over all rewards, L levels at epsilon / sqrt(L): that is advanced composition."""

    length, levels = 1, 10

    def start(self):
        self.history, self.nodes = [], {}

    def hear(self, total, count):
        self.history.append(total)
        number = len(self.history)
        closed = number & -number
        share = Budget.pure(self.epsilon / sqrt(self.levels))
        value, records = sum(self.history[-closed:]), (np.array([number - closed]), np.array([number]))
        self.nodes[closed] = float(
            self.noise.laplace(np.array([value]), sensitivity=1.0, budget=share, records=records)[0]
        )
        answer = sum(self.nodes[1 << level] for level in range(self.levels) if number >> level & 1)
        self.decide(answer / number)


@leak(
    "budget",
    "Budget.zcdp(self.rho / sqrt(2))",
    "zCDP adds up in rho: two releases at rho / sqrt(2) cost 0.707 > rho = 0.5. Both above 6, for sums 1 and 0, have "
    "P = exp(-22.5) and exp(-30.6): a divergence of order 10 of at least 5.6 > 10 rho.",
    Budget.zcdp(0.5),
)
class RhoInQuadrature(Singles):
    """Two Gaussian releases: noise adds in quadrature, so the budget does too. Stays beyond reasonable doubt only."""

    rho, bar = 0.5, 1.5

    def full(self):
        share = Budget.zcdp(self.rho / sqrt(2))
        values = sum(self.buffer), sum(r * r for r in self.buffer)
        records = self.records(len(self.buffer))
        first, second = (
            float(self.noise.gaussian(np.array([v]), sensitivity=1.0, budget=share, records=records)[0]) for v in values
        )
        self.decide(first / len(self.buffer))
        self.length = 4 if second < 6 else 3


@leak(
    "budget",
    "self.spent = 0.0",
    "At pulls 1000 and 2000 the ledger is wiped. A reward of the first day costs epsilon/2 in its block and in each of "
    "the reviews at 700, 1400 and 2100: 2 epsilon in the end, and no more than epsilon before pull 1400.",
    pulls=2200,
)
class DailyAllowance(WinStay):
    """Spends at most epsilon per day of 1000 pulls: half on the blocks, half on a review of all history."""

    length = 10

    def start(self):
        self.history, self.spent = 0.0, 0.5

    def hear(self, total, count):
        self.history += total
        self.decide(self.release(total, count, epsilon=self.epsilon / 2) / count)
        end = self.clock + count
        if end % 1000 == 0:
            self.spent = 0.0
        if end % 700 == 0 and self.spent + 0.5 <= self.epsilon:
            self.spent += 0.5
            share, records = Budget.pure(self.epsilon / 2), (np.array([0]), np.array([end]))
            noisy = self.noise.laplace(np.array([self.history]), sensitivity=1.0, budget=share, records=records)
            self.current = int(noisy[0] < end / 2)
