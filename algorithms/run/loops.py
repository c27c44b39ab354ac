"""Compiled loops for policies that decide at every pull; `compiled` checks their arguments and calls them.

One run of a policy against a bandit, reward by reward, in the order of draws of `simulate_per_pull`: the policy's coin
flips, the reward, the noise. Importing this module imports numba. Functions that call each other stay in one module: a
cached caller does not notice an edit elsewhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from banditproof.theory.numbers.logarithms import _ATANH_TAIL

FIXED, ANYTIME, KL_UCB, IMED, THOMPSON, TREE, LAZY = range(7)  # which index
BERNOULLI, GAUSSIAN = range(2)  # which rewards
LOWEST, RANDOM, MOST, LEAST = range(4)  # which ties

ONE = 1.0 - 1 / 3  # the reduced shape of a gamma variable of shape one
_TAIL = np.array(_ATANH_TAIL)
_STEPS = 200


@njit(cache=True, nogil=True)
def kl_term(a: float, b: float, difference: float) -> float:
    """`theory.logarithms.kl_term` on floats with b > 0."""
    if difference == 0.0:
        return 0.0
    total = a + b
    v = difference / total
    if abs(v) <= 1 / 3:
        square = v * v
        series = _TAIL[_TAIL.size - 1]
        for k in range(_TAIL.size - 2, -1, -1):
            series = series * square + _TAIL[k]
        return difference * v * (1 + 2 * a / total * v * series)
    return b if a == 0.0 else a * np.log(a / b) - difference


@njit(cache=True, nogil=True)
def kl_below(x: float, y: float) -> float:
    """kl(x, y) for 0 <= x <= y <= 1, as `d_epsilon(x, y, inf)` computes it."""
    gap = y - x
    if gap == 0.0:
        return 0.0
    if y == 1.0:
        return np.inf
    return kl_term(x, y, -gap) + kl_term(1 - x, 1 - y, gap)


@njit(cache=True, nogil=True)
def kl_ucb_index(x: float, level: float) -> float:
    """`theory.bernoulli.kl_ucb_index` on floats: the largest q with kl(x, q) <= level."""
    if x == 1.0:
        return 1.0
    if x == 0.0:
        return -np.expm1(-level)
    entropy = kl_term(x, 0.5, x - 0.5) + kl_term(1 - x, 0.5, 0.5 - x)
    t = (level + np.log(2.0) - entropy) / (1 - x)
    q = min(min(x + np.sqrt(level / 2), x + level + np.sqrt(level * (level + 2 * x))), -np.expm1(-t))
    complement = max(1 - q, np.exp(-t))
    for _ in range(_STEPS):
        if min(q - x, complement) <= 0.0:
            break
        previous = q
        divergence = kl_term(x, q, x - q) + kl_term(1 - x, complement, q - x)
        step = (level - divergence) * q / (q - x)
        q, complement = min(max(q - complement * np.expm1(-step), x), 1.0), complement * np.exp(-step)
        if previous <= q:
            break
    return q


@njit(cache=True, nogil=True)
def _certainly_above(x: float, level: float, q: float) -> bool:
    """Whether kl(x, q) > level beyond any rounding, so that the index of x lies below q; for 0 < x < q < 1."""
    return x * np.log(x / q) + (1 - x) * np.log((1 - x) / (1 - q)) > level * (1 + 1e-9) + 1e-12


@njit(cache=True, nogil=True)
def _kl_ucb_scores(exploration: float, sums: Any, samples: Any, leader: int, score: Any) -> None:
    """Indices of all arms; -inf instead of one that is certainly below the leader's."""
    best = kl_ucb_index(sums[leader] / samples[leader], exploration / samples[leader])
    score[leader] = best
    below = best * (1 - 1e-12)
    for arm in range(sums.size):
        if arm == leader:
            continue
        mean, level = sums[arm] / samples[arm], exploration / samples[arm]
        if 0.0 < mean < below and _certainly_above(mean, level, below):
            score[arm] = -np.inf
        else:
            score[arm] = kl_ucb_index(mean, level)


@njit(cache=True, nogil=True)
def _imed_scores(sums: Any, samples: Any, score: Any) -> None:
    best = 0.0
    for arm in range(sums.size):
        best = max(best, sums[arm] / samples[arm])
    for arm in range(sums.size):
        mean, n = sums[arm] / samples[arm], samples[arm]
        score[arm] = -(n * kl_below(mean, best) + np.log(n))


@njit(cache=True, nogil=True)
def _choose(score: Any, samples: Any, ties: int, coins: Any) -> int:
    """The arm with the best score, as `BatchedIndexPolicy` breaks ties."""
    best = 0
    for arm in range(1, score.size):
        if score[arm] > score[best]:
            best = arm
    if ties == LOWEST:
        return best
    chosen, preference = best, -np.inf
    for arm in range(score.size):
        wish = coins.random() if ties == RANDOM else float(samples[arm] if ties == MOST else -samples[arm])
        if score[arm] == score[best] and wish > preference:
            chosen, preference = arm, wish
    return chosen


@njit(cache=True, nogil=True)
def _tree_sum(value: float, number: int, exact: Any, noisy: Any, scale: float, noise: Any) -> float:
    """Reward number `number` enters an arm's binary tree; the noisy sum of all its rewards."""
    node = 0
    while not number >> node & 1:
        value += exact[node]
        node += 1
    exact[node] = value
    noisy[node] = value + scale * noise.laplace(0.0, 1.0) if scale > 0.0 else value
    total = 0.0
    for level in range(exact.size):
        if number >> level & 1:
            total += noisy[level]
    return total


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def run(
    index: int, ties: int, level: float, bonus: float, scale: float, tree_levels: int, anytime: bool,
    kind: int, means: Any, deviation: float, horizon: int, times: Any,
    rewards: Any, coins: Any, noise: Any, pulls: Any, actions: Any,
) -> None:  # fmt: skip
    """One run; fills `pulls` [M, K] and `actions` [M] at the record times and, in the last row of `pulls`, the end.

    The meaning of level, bonus and anytime depends on the index. FIXED: mean + sqrt(2 level / N). TREE: (noisy sum +
    bonus) / N + sqrt(2 level / N), level being log t if anytime. KL_UCB: level log t, or log f(t) if anytime. LAZY:
    level is the optimism, bonus epsilon.
    """
    arms = means.size
    sums, samples = np.zeros(arms), np.zeros(arms, dtype=np.int64)
    score = np.full(arms, np.inf)
    exact, noisy = np.zeros((arms, tree_levels)), np.zeros((arms, tree_levels))
    reduced = np.full((arms, 2), ONE)
    slope = 1 / np.sqrt(9 * reduced)
    released, heard = np.zeros(arms), np.zeros(arms, dtype=np.int64)
    unheard, arm, recorded = arms, 0, 0
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
                    score[a] = sums[a] / samples[a] + np.sqrt(2 * now / samples[a])
            elif index == KL_UCB:
                log_t = np.log(t)
                _kl_ucb_scores(np.log1p(t * log_t**2) if anytime else log_t, sums, samples, arm, score)
            elif index == IMED:
                _imed_scores(sums, samples, score)
            elif index == TREE and anytime:
                now = np.log(t)
                for a in range(arms):
                    score[a] = (sums[a] + bonus) / samples[a] + np.sqrt(2 * now / samples[a])
        arm = _choose(score, samples, ties, coins)
        if kind == BERNOULLI:
            reward = 1.0 if rewards.random() < means[arm] else 0.0
        else:
            reward = means[arm] + deviation * rewards.standard_normal()
        if samples[arm] == 0:
            unheard -= 1
        samples[arm] += 1
        n = samples[arm]
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
            score[arm] = -np.inf
        if t == times[recorded]:
            actions[recorded] = arm
            pulls[recorded] = samples
            recorded += 1
            if recorded == times.size:
                recorded -= 1
    pulls[times.size] = samples
