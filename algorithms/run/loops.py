"""Compiled loops for policies that decide at every pull, one for every index; `compiled` calls them.

A loop is one run of a policy against a bandit, reward by reward, in the order of draws of `simulate_per_pull`: the
policy's coin flips, the reward, the noise. Its arguments are what the index asks for, then `ties`, a `Bandit`, `Draws`
and a `Record`, which it fills. Importing this module imports numba. Functions that call each other stay in one module:
a stored loop does not notice an edit elsewhere. A loop that calls formulas of `theory` is made by `compiling.made`.

Where an index costs logarithms, bounds that are cheaper say which arms can have the best one at all. The margins of the
bounds hold more than any rounding, and among the arms that are left the index itself decides: the choice is that of the
reference, at a fraction of its cost.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from banditproof.theory.laws.bernoulli_floats import kl_apart, kl_root
from banditproof.theory.laws.compiling import PART, STORED

LOWEST, RANDOM, MOST, LEAST = range(4)  # which ties

ONE = 1.0 - 1 / 3  # the reduced shape of a gamma variable of shape one
ROUNDED = 1e-14  # of the terms of a divergence: far more than what rounding makes of them
MARGIN = 1e-10  # of a level, as much as that


class Bandit(NamedTuple):
    """Normal rewards with a standard deviation, or Bernoulli ones where it is None: each kind has loops of its own, as
    a choice at every pull would cost a third of the simplest."""

    means: Any
    deviation: Any


class Draws(NamedTuple):
    """The generators of the rewards, of the policy's coins and of its noise."""

    rewards: Any
    coins: Any
    noise: Any


class Record(NamedTuple):
    """The pulls of every arm [M, K] and the last action [M] after `stops` pulls [M], of which the first is none."""

    stops: Any
    pulls: Any
    actions: Any


@njit(**PART)
def _reward(mean: float, deviation: Any, rewards: Any) -> float:
    if deviation is None:
        return 1.0 if rewards.random() < mean else 0.0
    return mean + deviation * rewards.standard_normal()


@njit(**PART)
def _negentropy(x: float) -> float:
    """x log x + (1-x) log(1-x)."""
    if x <= 0.0 or x >= 1.0:
        return 0.0
    return x * np.log(x) + (1 - x) * np.log(1 - x)


@njit(**PART)
def _certainly_above(x: float, negentropy: float, n: float, level: float, log_q: float, log_q_c: float) -> bool:
    """Whether n kl(x, q) > level beyond any rounding, given log q and log(1 - q)."""
    cross = -x * log_q - (1 - x) * log_q_c
    return n * (negentropy + cross - ROUNDED * (1 + cross)) > level * (1 + MARGIN) + MARGIN


@njit(**PART)
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


@njit(**PART)
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


@njit(inline="always", **PART)
def _best(score: Any, samples: Any, ties: int, coins: Any) -> int:
    """The arm with the largest score; among equal ones by the rule for ties, as in `BatchedIndexPolicy`."""
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


@njit(**PART)
def _rival(score: Any, arm: int, ties: int) -> float:
    """The best other score: above it, the arm is the best one. Where ties draw coins at each pull, there is no such."""
    best = np.inf if ties == RANDOM else -np.inf
    for other in range(score.size):
        if other != arm:
            best = max(best, score[other])
    return best


@njit(inline="always", **PART)
def _certainly_best(score: Any, slack: float) -> int:
    """The arm whose score is the largest by more than `slack` and any rounding; -1 where there is none."""
    best, second = 0, -np.inf
    for arm in range(1, score.size):
        if score[arm] > score[best]:
            best, second = arm, score[best]
        elif score[arm] > second:
            second = score[arm]
    return best if score[best] - second > slack + MARGIN * abs(score[best]) else -1


@njit(**PART)
def _scores_from(t: int, until: int, mean: Any, count: Any, score: Any) -> float:
    """The scores mean + sqrt(2 log t / N) at time t, and by how much one of them rises at most `until` then."""
    slack = 0.0
    for arm in range(mean.size):
        bonus = np.sqrt(2 * np.log(t) / count[arm])
        score[arm], slack = mean[arm] + bonus, max(slack, np.sqrt(2 * np.log(until) / count[arm]) - bonus)
    return slack


@njit(inline="always", **PART)
def _enter_tree(value: float, number: int, closed: int, exact: Any) -> int:
    """Reward number `number` enters an arm's binary tree; how many nodes the sum of all its rewards adds then.

    `exact` holds the sums of the `closed` nodes at the set bits of the number before, the largest first: a reward takes
    from the end those that go into its own.
    """
    while not number & 1:
        closed, number = closed - 1, number >> 1
        value += exact[closed]
    exact[closed] = value
    return closed + 1


@njit(**PART)
def _tree_sum(known: int, closed: int, exact: Any, uniform: Any, scale: float, noisy: Any) -> float:
    """The noisy sum of `closed` nodes; `noisy` [levels + 1] gets those of so many together, of which some are known.

    A Laplace variable is made of a `uniform` one, as NumPy makes it.
    """
    for node in range(known, closed):
        u = uniform[node]
        variable = -np.log(2.0 - u - u) if u >= 0.5 else np.log(u + u)
        noisy[node + 1] = noisy[node] + (exact[node] + scale * variable)
    return noisy[closed]


@njit(**PART)
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


@njit(**PART)
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


@njit(**STORED)
def ucb(level: float, ties: int, bandit: Bandit, draws: Draws, record: Record) -> None:
    """UCB: mean + sqrt(2 level / N); at level 0 the mean."""
    (means, deviation), (rewards, coins, _) = bandit, draws
    arms, arm, rival = means.size, 0, np.inf
    sums, samples, score = np.zeros(arms), np.zeros(arms, dtype=np.int64), np.full(arms, np.inf)
    for row in range(1, record.stops.size):
        for _ in range(record.stops[row - 1], record.stops[row]):
            if not score[arm] > rival:
                arm = _best(score, samples, ties, coins)
                rival = _rival(score, arm, ties)
            sums[arm] += _reward(means[arm], deviation, rewards)
            n = samples[arm] + 1
            samples[arm], score[arm] = n, sums[arm] / n + np.sqrt(2 * level / n)
        record.pulls[row], record.actions[row] = samples, arm


@njit(**STORED)
def anytime_ucb(ties: int, bandit: Bandit, draws: Draws, record: Record) -> None:
    """UCB with level log f(t), f(t) = 1 + t log(t)^2."""
    (means, deviation), (rewards, coins, _) = bandit, draws
    arms, arm = means.size, 0
    sums, samples, score = np.zeros(arms), np.zeros(arms, dtype=np.int64), np.full(arms, np.inf)
    mean, count = np.zeros(arms), np.zeros(arms)
    for row in range(1, record.stops.size):
        for t in range(record.stops[row - 1] + 1, record.stops[row] + 1):
            if t > arms:  # every arm has been heard of
                level = np.log1p(t * np.log(t) ** 2)
                for a in range(arms):
                    score[a] = mean[a] + np.sqrt(2 * level / count[a])
            arm = _best(score, samples, ties, coins)
            sums[arm] += _reward(means[arm], deviation, rewards)
            samples[arm] += 1
            count[arm], mean[arm], score[arm] = samples[arm], sums[arm] / samples[arm], -np.inf
        record.pulls[row], record.actions[row] = samples, arm


def kl_ucb(sources: str) -> Any:
    """The loop of KL-UCB."""

    @njit(**STORED)
    def run(of_f: bool, ties: int, bandit: Bandit, draws: Draws, record: Record) -> None:
        """The level is log f(t), as in `anytime_ucb`, or log t."""
        if ties < 0:
            print(sources)  # never: it is closed over for the key
        (means, deviation), (rewards, coins, _) = bandit, draws
        arms, arm, reached = means.size, 0, 0.0
        sums, samples, score = np.zeros(arms), np.zeros(arms, dtype=np.int64), np.full(arms, np.inf)
        mean, count, negentropy = np.zeros(arms), np.zeros(arms), np.zeros(arms)
        for row in range(1, record.stops.size):
            for t in range(record.stops[row - 1] + 1, record.stops[row] + 1):
                if t > arms:
                    level = np.log1p(t * np.log(t) ** 2) if of_f else np.log(t)
                    reached = _kl_ucb_scores(level, mean, count, negentropy, arm, reached, score)
                arm = _best(score, samples, ties, coins)
                sums[arm] += _reward(means[arm], deviation, rewards)
                samples[arm] += 1
                count[arm], mean[arm], score[arm] = samples[arm], sums[arm] / samples[arm], -np.inf
                negentropy[arm] = _negentropy(mean[arm])
            record.pulls[row], record.actions[row] = samples, arm

    return run


def imed(sources: str) -> Any:
    """The loop of IMED."""

    @njit(**STORED)
    def run(ties: int, bandit: Bandit, draws: Draws, record: Record) -> None:
        if ties < 0:
            print(sources)  # never: it is closed over for the key
        (means, deviation), (rewards, coins, _) = bandit, draws
        arms, arm = means.size, 0
        sums, samples, score = np.zeros(arms), np.zeros(arms, dtype=np.int64), np.full(arms, np.inf)
        mean, count, log_count, negentropy = np.zeros(arms), np.zeros(arms), np.zeros(arms), np.zeros(arms)
        for row in range(1, record.stops.size):
            for t in range(record.stops[row - 1] + 1, record.stops[row] + 1):
                if t > arms:
                    _imed_scores(mean, count, log_count, negentropy, score)
                arm = _best(score, samples, ties, coins)
                sums[arm] += _reward(means[arm], deviation, rewards)
                samples[arm] += 1
                count[arm], mean[arm], score[arm] = samples[arm], sums[arm] / samples[arm], -np.inf
                log_count[arm], negentropy[arm] = np.log(samples[arm]), _negentropy(mean[arm])
            record.pulls[row], record.actions[row] = samples, arm

    return run


@njit(**STORED)
def thompson_sampling(ties: int, bandit: Bandit, draws: Draws, record: Record) -> None:
    """A mean from the Beta law of every arm."""
    (means, deviation), (rewards, coins, _) = bandit, draws
    arms, arm = means.size, 0
    sums, samples, score = np.zeros(arms), np.zeros(arms, dtype=np.int64), np.zeros(arms)
    reduced = np.full((arms, 2), ONE)
    slope = 1 / np.sqrt(9 * reduced)
    for row in range(1, record.stops.size):
        for _ in range(record.stops[row - 1], record.stops[row]):
            for a in range(arms):
                if samples[a] == 0:
                    score[a] = coins.beta(1.0, 1.0)
                else:
                    wins = _gamma(reduced[a, 0], slope[a, 0], coins)
                    score[a] = wins / (wins + _gamma(reduced[a, 1], slope[a, 1], coins))
            arm = _best(score, samples, ties, coins)
            sums[arm] += _reward(means[arm], deviation, rewards)
            samples[arm] += 1
            reduced[arm, 0], reduced[arm, 1] = 1.0 + sums[arm] - 1 / 3, 1.0 + samples[arm] - sums[arm] - 1 / 3
            for side in range(2):
                slope[arm, side] = 1 / np.sqrt(9 * reduced[arm, side])
        record.pulls[row], record.actions[row] = samples, arm


@njit(**STORED)
def dp_ucb(
    tree_levels: int, scale: float, bonus: float, level: float, anytime: bool,
    ties: int, bandit: Bandit, draws: Draws, record: Record,
) -> None:  # fmt: skip
    """DP-UCB: (noisy sum + bonus) / N + sqrt(2 level / N), the level being log t if anytime.

    A node of a tree keeps the uniform variable of its noise. As log x >= 1 - 1/x, that bounds the noisy sum from below:
    while the bound of the arm that was pulled is certainly above the other scores, no logarithm is asked for.
    """
    (means, deviation), (rewards, coins, noise) = bandit, draws
    arms, arm, stands, rival = means.size, 0, False, np.inf  # whether the arm is pulled again, and the best other score
    samples, score, now = np.zeros(arms, dtype=np.int64), np.full(arms, np.inf), np.zeros(arms)
    mean, count = np.zeros(arms), np.zeros(arms)  # the mean with its fixed bonus
    closed, known = np.zeros(arms, dtype=np.int64), np.zeros(arms, dtype=np.int64)
    exact, uniform = np.zeros((arms, tree_levels)), np.full((arms, tree_levels), 0.5)
    noisy = np.zeros((arms, tree_levels + 1))  # sums of nodes, or lower bounds of those that are not known
    until, slack = arms + 1, np.inf if anytime else 0.0
    for row in range(1, record.stops.size):
        for t in range(record.stops[row - 1] + 1, record.stops[row] + 1):
            if not stands or anytime and t >= until:
                if t > 1:
                    total = _tree_sum(known[arm], closed[arm], exact[arm], uniform[arm], scale, noisy[arm])
                    known[arm], mean[arm] = closed[arm], (total + bonus) / samples[arm]
                    score[arm] = mean[arm] + np.sqrt(2 * level / samples[arm])
                if anytime and t >= until:  # scores of this time stand for a while: the logarithm rises slowly
                    until, level = t + t // 64 + 1, np.log(t)
                    slack = _scores_from(t, until, mean, count, score)
                arm = _certainly_best(score, slack) if ties != RANDOM else -1
                if arm < 0:
                    if anytime and t > arms:
                        _scores_from(t, t, mean, count, now)
                    arm = _best(now if anytime and t > arms else score, samples, ties, coins)
                rival = _rival(score, arm, ties)
            reward, n = _reward(means[arm], deviation, rewards), samples[arm] + 1
            new = _enter_tree(reward, n, closed[arm], exact[arm]) - 1
            samples[arm], count[arm], closed[arm], known[arm] = n, n, new + 1, min(known[arm], new)
            least = noisy[arm, new] + exact[arm, new]
            if scale > 0.0:
                u = noise.random()
                while u == 0.0:
                    u = noise.random()
                uniform[arm, new] = u
                least += scale * min(1.0 - 0.5 / u, 0.0)
            noisy[arm, new + 1] = least
            bound = (least + bonus) / n + np.sqrt(2 * level / n)
            stands = bound - rival > slack + MARGIN * abs(bound)
        record.pulls[row], record.actions[row] = samples, arm


@njit(**STORED)
def lazy_dp_ts(
    optimism: float, epsilon: float, scale: float, ties: int, bandit: Bandit, draws: Draws, record: Record
) -> None:
    """Lazy-DP-TS: a mean from the Beta law of what every arm has released."""
    (means, deviation), (rewards, coins, noise) = bandit, draws
    arms, arm = means.size, 0
    sums, samples, score = np.zeros(arms), np.zeros(arms, dtype=np.int64), np.zeros(arms)
    released, heard = np.zeros(arms), np.zeros(arms, dtype=np.int64)
    for row in range(1, record.stops.size):
        for t in range(record.stops[row - 1] + 1, record.stops[row] + 1):
            _lazy_scores(optimism, epsilon, t, released, heard, coins, score)
            arm = _best(score, samples, ties, coins)
            sums[arm] += _reward(means[arm], deviation, rewards)
            samples[arm] += 1
            if samples[arm] & (samples[arm] + 1) == 0:  # an arm's releases hold 1, 2, 4, ... rewards
                heard[arm] = (samples[arm] + 1) // 2
                total = sums[arm] + scale * noise.laplace(0.0, 1.0) if scale > 0.0 else sums[arm]
                released[arm], sums[arm] = total / heard[arm], 0.0
        record.pulls[row], record.actions[row] = samples, arm
