"""Compiled loops for policies that decide at every pull; `compiled` checks their arguments and calls them.

One run of a policy against a bandit, reward by reward, in the order of draws of `simulate_per_pull`: the policy's coin
flips, the reward, the noise. Importing this module imports numba. Functions that call each other stay in one module: a
cached caller does not notice an edit elsewhere; what `theory` states is called through `compiling`.

Where an index costs logarithms, bounds that are cheaper say which arms can have the best one at all. The margins of the
bounds hold more than any rounding, and among the arms that are left the index itself decides: the choice is that of the
reference, at a fraction of its cost.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from banditproof.theory.laws.bernoulli_floats import kl_apart, kl_root
from banditproof.theory.laws.compiling import OPTIONS

FIXED, ANYTIME, KL_UCB, IMED, THOMPSON, TREE, LAZY = range(7)  # which index
BERNOULLI, GAUSSIAN = range(2)  # which rewards
LOWEST, RANDOM, MOST, LEAST = range(4)  # which ties

ONE = 1.0 - 1 / 3  # the reduced shape of a gamma variable of shape one
ROUNDED = 1e-14  # of the terms of a divergence: far more than what rounding makes of them
MARGIN = 1e-10  # of a level, as much as that


@njit(**OPTIONS)
def _negentropy(x: float) -> float:
    """x log x + (1-x) log(1-x)."""
    if x <= 0.0 or x >= 1.0:
        return 0.0
    return x * np.log(x) + (1 - x) * np.log(1 - x)


@njit(**OPTIONS)
def _certainly_above(x: float, negentropy: float, n: float, level: float, log_q: float, log_q_c: float) -> bool:
    """Whether n kl(x, q) > level beyond any rounding, given log q and log(1 - q)."""
    cross = -x * log_q - (1 - x) * log_q_c
    return n * (negentropy + cross - ROUNDED * (1 + cross)) > level * (1 + MARGIN) + MARGIN


@njit(**OPTIONS)
def _kl_ucb_scores(
    level: float, mean: Any, pulls: Any, negentropy: Any, leader: int, before: float, score: Any
) -> float:
    """Indices of the arms that may have the largest one, -inf for the others; about the leader's index.

    Newton's method from `before` gives a q about the leader's index. Where q is certainly below it, and certainly above
    those of all other arms, the leader is the only one left.
    """
    x, n = mean[leader], pulls[leader]
    q = before if x < before < 1.0 else x + np.sqrt(level / (2 * n))
    log_q, log_q_c = 0.0, 0.0
    if 0.0 < x < q < 1.0:
        for attempt in range(4):
            log_q, log_q_c = np.log(q), np.log(1 - q)
            missing = level / n - (negentropy[leader] - x * log_q - (1 - x) * log_q_c)
            step = missing * q * (1 - q) / (q - x)
            if not x < q + step < 1.0:
                break
            if 0.0 <= step < 1e-6 * (q - x) and attempt > 0:
                cross = -x * log_q - (1 - x) * log_q_c
                certain = n * (negentropy[leader] + cross + ROUNDED * (1 + cross)) < level * (1 - MARGIN) - MARGIN
                open_ = 0
                for arm in range(mean.size):
                    score[arm] = -np.inf
                    if arm != leader and not (
                        mean[arm] < q
                        and _certainly_above(mean[arm], negentropy[arm], pulls[arm], level, log_q, log_q_c)
                    ):
                        score[arm], open_ = 0.0, open_ + 1
                if certain and open_ == 0:
                    score[leader] = q
                    return q
                break
            q += step - 1e-7 * (q - x)
    best = kl_root(x, level / n)
    score[leader] = best
    below = best * (1 - 1e-12)
    log_q, log_q_c = np.log(below), np.log(1 - below)
    for arm in range(mean.size):
        if arm != leader:
            out = 0.0 < mean[arm] < below and _certainly_above(
                mean[arm], negentropy[arm], pulls[arm], level, log_q, log_q_c
            )
            score[arm] = -np.inf if out else kl_root(mean[arm], level / pulls[arm])
    return best


@njit(**OPTIONS)
def _imed_scores(mean: Any, pulls: Any, log_pulls: Any, negentropy: Any, score: Any) -> None:
    """Indices of the arms that may have the best one, -inf for the others; the best mean's index is -log N."""
    best = mean.max()
    log_best, log_best_c = np.log(best), np.log(1 - best)
    least, open_ = np.inf, 0
    for arm in range(mean.size):
        score[arm], error = log_pulls[arm], MARGIN
        if mean[arm] < best == 1.0:
            score[arm] = np.inf
        elif mean[arm] < best:
            cross = -mean[arm] * log_best - (1 - mean[arm]) * log_best_c
            score[arm] += pulls[arm] * (negentropy[arm] + cross)
            error += pulls[arm] * ROUNDED * (1 + cross)
        least = min(least, score[arm] + error)
        score[arm] -= error
    for arm in range(mean.size):
        open_ += score[arm] <= least
    for arm in range(mean.size):
        if score[arm] > least:
            score[arm] = -np.inf
        elif open_ == 1:
            score[arm] = 0.0
        else:
            x = mean[arm]
            divergence = 0.0 if x == best else np.inf if best == 1.0 else kl_apart(x, 1 - x, best, 1 - best, best - x)
            score[arm] = -(pulls[arm] * divergence + log_pulls[arm])


@njit(**OPTIONS)
def _among_ties(score: Any, samples: Any, best: int, ties: int, coins: Any) -> int:
    """The arm that has the score of the `best` and wins by the rule for ties, as in `BatchedIndexPolicy`."""
    chosen, preference = best, -np.inf
    for arm in range(score.size):
        wish = coins.random() if ties == RANDOM else float(samples[arm] if ties == MOST else -samples[arm])
        if score[arm] == score[best] and wish > preference:
            chosen, preference = arm, wish
    return chosen


@njit(**OPTIONS)
def _tree_sum(value: float, number: int, exact: Any, noisy: Any, scale: float, noise: Any) -> float:
    """Reward number `number` enters an arm's binary tree; the noisy sum of all its rewards."""
    node = 0
    while not number >> node & 1:
        value += exact[node]
        node += 1
    exact[node] = value
    noisy[node] = value + scale * noise.laplace(0.0, 1.0) if scale > 0.0 else value
    total, level = 0.0, 0
    while number:
        total += noisy[level] if number & 1 else 0.0  # without a branch: which levels are closed cannot be predicted
        number, level = number >> 1, level + 1
    return total


@njit(**OPTIONS)
def _gamma(reduced: float, slope: float, coins: Any) -> float:
    """A gamma variable of shape reduced + 1/3, at least 1, as NumPy draws it; slope is 1 / sqrt(9 reduced)."""
    if reduced == ONE:
        return coins.standard_exponential()
    while True:
        x, v = 0.0, 0.0
        while v <= 0.0:
            x = coins.standard_normal()
            v = 1.0 + slope * x
        v = v * v * v
        u = coins.random()
        if u < 1.0 - 0.0331 * (x * x) * (x * x) or np.log(u) < 0.5 * x * x + reduced * (1.0 - v + np.log(v)):
            return reduced * v


@njit(**OPTIONS)
def _lazy_scores(optimism: float, epsilon: float, t: int, released: Any, heard: Any, coins: Any, score: Any) -> None:
    """A mean for every arm from its Beta law in `LazyDPTS`; inf for an arm that has not been heard of."""
    log_t = np.log(t)
    for arm in range(score.size):
        n = max(heard[arm], 1)
        mean = min(max(released[arm] + optimism * log_t / (epsilon * n), 0.0), 1.0)
        won, lost = mean * n + 1.0 - 1 / 3, (1.0 - mean) * n + 1.0 - 1 / 3
        wins = _gamma(won, 1 / np.sqrt(9 * won), coins)
        drawn = wins / (wins + _gamma(lost, 1 / np.sqrt(9 * lost), coins))
        score[arm] = np.inf if heard[arm] == 0 else drawn


def loop(sources: str, index: int) -> Any:
    """The loop of one index, which is a constant in it; `compiling.made` calls this."""

    @njit(**OPTIONS)
    def run(
        ties: int, level: float, bonus: float, scale: float, tree_levels: int, anytime: bool,
        kind: int, means: Any, deviation: float, horizon: int, times: Any,
        rewards: Any, coins: Any, noise: Any, pulls: Any, actions: Any,
    ) -> None:  # fmt: skip
        """One run; fills `pulls` [M, K] and `actions` [M] at the record times and, in the last row of `pulls`, the end.

        The meaning of level, bonus and anytime depends on the index. FIXED: mean + sqrt(2 level / N). TREE: (noisy sum
        + bonus) / N + sqrt(2 level / N), level being log t if anytime. KL_UCB: level log t, or log f(t) if anytime.
        LAZY: level is the optimism, bonus epsilon.
        """
        if index < 0:
            print(sources)  # never: it is closed over for the key
        arms = means.size
        sums, samples, count = np.zeros(arms), np.zeros(arms, dtype=np.int64), np.zeros(arms)
        mean, negentropy, log_count = np.zeros(arms), np.zeros(arms), np.zeros(arms)
        score = np.full(arms, np.inf)
        exact, noisy = np.zeros((arms, tree_levels)), np.zeros((arms, tree_levels))
        reduced = np.full((arms, 2), ONE)
        slope = 1 / np.sqrt(9 * reduced)
        released, heard = np.zeros(arms), np.zeros(arms, dtype=np.int64)
        unheard, arm, recorded, due, reached = arms, 0, 0, times[0], 0.0
        for t in range(1, horizon + 1):
            if index == THOMPSON:
                for a in range(arms):
                    if samples[a] == 0:
                        score[a] = coins.beta(1.0, 1.0)
                    else:
                        wins = _gamma(reduced[a, 0], slope[a, 0], coins)
                        score[a] = wins / (wins + _gamma(reduced[a, 1], slope[a, 1], coins))
            elif index == LAZY:
                _lazy_scores(level, bonus, t, released, heard, coins, score)
            elif unheard == 0:
                if index == ANYTIME:
                    log_t = np.log(t)
                    now = np.log1p(t * log_t**2)
                    for a in range(arms):
                        score[a] = mean[a] + np.sqrt(2 * now / count[a])
                elif index == KL_UCB:
                    log_t = np.log(t)
                    now = np.log1p(t * log_t**2) if anytime else log_t
                    reached = _kl_ucb_scores(now, mean, count, negentropy, arm, reached, score)
                elif index == IMED:
                    _imed_scores(mean, count, log_count, negentropy, score)
                elif index == TREE and anytime:
                    now = np.log(t)
                    for a in range(arms):
                        score[a] = (sums[a] + bonus) / count[a] + np.sqrt(2 * now / count[a])
            arm = 0
            for a in range(1, arms):
                if score[a] > score[arm]:
                    arm = a
            if ties != LOWEST:
                arm = _among_ties(score, samples, arm, ties, coins)
            if kind == BERNOULLI:
                reward = 1.0 if rewards.random() < means[arm] else 0.0
            else:
                reward = means[arm] + deviation * rewards.standard_normal()
            if samples[arm] == 0:
                unheard -= 1
            samples[arm] += 1
            n = samples[arm]
            count[arm] = n
            if index == TREE:
                sums[arm] = _tree_sum(reward, n, exact[arm], noisy[arm], scale, noise)
            else:
                sums[arm] += reward
            if index == THOMPSON:
                reduced[arm, 0], reduced[arm, 1] = 1.0 + sums[arm] - 1 / 3, 1.0 + n - sums[arm] - 1 / 3
                for side in range(2):
                    slope[arm, side] = 1 / np.sqrt(9 * reduced[arm, side])
            elif index == LAZY:
                if n & (n + 1) == 0:  # an arm's releases hold 1, 2, 4, ... rewards
                    heard[arm] = (n + 1) // 2
                    total = sums[arm] + scale * noise.laplace(0.0, 1.0) if scale > 0.0 else sums[arm]
                    released[arm], sums[arm] = total / heard[arm], 0.0
            elif index == FIXED:
                score[arm] = sums[arm] / n + np.sqrt(2 * level / n)
            elif index == TREE and not anytime:
                score[arm] = (sums[arm] + bonus) / n + np.sqrt(2 * level / n)
            else:
                score[arm], mean[arm] = -np.inf, sums[arm] / n
                if index == KL_UCB or index == IMED:
                    negentropy[arm], log_count[arm] = _negentropy(mean[arm]), np.log(n)
            if t == due:
                actions[recorded] = arm
                pulls[recorded] = samples
                recorded += 1
                due = times[recorded] if recorded < times.size else 0
        pulls[times.size] = samples

    return run
