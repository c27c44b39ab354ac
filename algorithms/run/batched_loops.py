"""The compiled loop of batched index policies; `batched` checks its arguments and calls it.

All replications move together, batch by batch, in the order of draws of `simulate`: the coins of all, the sums of their
rewards, the noise. A replication that has reached the horizon draws no more. Importing this module imports numba.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

from banditproof.theory.laws.bernoulli_floats import d_apart, kl, kl_root
from banditproof.theory.laws.compiling import PART, STORED

FORMULA, DP_IMED, ADAP_KLUCB = range(3)  # which index
FIXED, LOGARITHM, LOG_F = range(3)  # how the level grows, in the order of `GROWTHS`
BERNOULLI, GAUSSIAN = range(2)  # which rewards
LOWEST, RANDOM, MOST, LEAST = range(4)  # which ties
BELOW_ONE = float(np.nextafter(1.0, 0.0))
MARGIN = 1e-10  # relative: far more than any rounding


@njit(**PART)
def _adap_klucb_scores(mean: Any, samples: Any, level: float, epsilon: float, score: Any) -> None:
    """Indices of `AdaPKLUCB`; -inf for an arm that is certainly not the best."""
    leader, most = 0, -np.inf
    for a in range(mean.size):
        own = level / samples[a]
        shifted = min(max(mean[a] + own / epsilon, 0.0), 1.0)
        score[a] = shifted
        if shifted + np.sqrt(own / 2) > most:
            leader, most = a, shifted + np.sqrt(own / 2)
    best = 1.0 if score[leader] >= 1.0 else min(kl_root(score[leader], level / samples[leader]), BELOW_ONE)
    below = best * (1 - 1e-12)
    for a in range(mean.size):
        shifted, own = score[a], level / samples[a]
        if a == leader:
            score[a] = best
        elif shifted >= 1.0:
            score[a] = 1.0
        elif shifted >= below or kl(shifted, below) <= own * (1 + 1e-9):
            score[a] = min(kl_root(shifted, own), BELOW_ONE)
        else:
            score[a] = -np.inf


def loop(sources: str, index: int, formula: Any) -> Any:
    """The loop of one index, which is a constant in it; `compiling.made` calls this.

    `formula` is `BatchedIndexPolicy.index` of the policy where the index is FORMULA.
    """

    @njit(**STORED)
    def play(
        chosen: Any,
        parameters: Any,
        state: Any,
        sizes: Any,
        bandit: Any,
        horizon: int,
        times: Any,
        kept: Any,
        generators: Any,
    ) -> None:
        """Every replication to its end.

        `chosen`: ties, whether means are clipped, whether the last batch alone counts, whether noise is Gaussian.
        `parameters`: the factor of the level, how it grows, epsilon, multiplier and scale of the noise, all but how it
        grows [R]. `state` of the policy: sums, samples, batches done, clock, recommended. `kept`: as `_Trajectory`.
        """
        if index < 0:
            print(sources)  # never: it is closed over for the key
        ties, clipping, forgetting, gaussian = chosen
        factor, growth, epsilon, multiplier, scale = parameters
        sums, samples, done, clock, recommended = state
        kind, means, deviation, gaps = bandit
        pulls, regret, recorded, written, start, before = kept
        rewards, coins, noise = generators
        replications, arms = sums.shape
        rows, running = np.arange(replications), replications
        mean, log_samples = np.zeros((replications, arms)), np.zeros((replications, arms))
        # divergences, their derivatives in the best mean, and that mean; nan for an arm with another mean than then
        known, slope = np.empty((replications, arms)), np.empty((replications, arms))
        where = np.full((replications, arms), np.nan)
        unheard = np.full(replications, arms)
        part: Any = np.zeros(replications)  # e^-epsilon
        lost: Any = np.zeros(replications)  # what that lacks to 1
        for r in range(replications):
            part[r], lost[r] = math.exp(-epsilon[r]), -math.expm1(-epsilon[r])
        score, count, total = np.zeros(arms), np.zeros(replications, dtype=np.int64), np.zeros(replications)
        while running > 0:
            for k in range(running):
                r = rows[k]
                level, t = factor[r], clock[r] + 1
                if unheard[r] > 0:
                    for a in range(arms):
                        score[a] = np.inf if samples[r, a] == 0 else 0.0
                elif index == DP_IMED:
                    best, least = -np.inf, np.inf
                    for a in range(arms):
                        best = max(best, mean[r, a])
                    for a in range(arms):
                        if mean[r, a] == best:
                            least, score[a] = min(least, log_samples[r, a]), -log_samples[r, a]
                    for a in range(arms):
                        x = mean[r, a]
                        if x == best:
                            continue
                        if where[r, a] != best:  # divergences are convex in the best mean: one lies above its tangent
                            move = slope[r, a] * (best - where[r, a])
                            over = samples[r, a] * (known[r, a] + move) + log_samples[r, a] - least
                            if over > MARGIN * (1 + samples[r, a] * (known[r, a] + abs(move))):
                                score[a] = -np.inf
                                continue
                            known[r, a] = d_apart(x, 1 - x, best, 1 - best, best - x, epsilon[r], part[r], lost[r])
                            z = max(x, best * part[r] / (1 - best * lost[r]))
                            where[r, a], slope[r, a] = best, (best - z) / (best * (1 - best))
                        score[a] = -(samples[r, a] * known[r, a] + log_samples[r, a])
                else:
                    if growth == LOGARITHM:
                        level = level * np.log(t)
                    elif growth == LOG_F:
                        level = level * np.log1p(t * np.log(t) ** 2)
                    if index == ADAP_KLUCB:
                        _adap_klucb_scores(mean[r], samples[r], level, epsilon[r], score)
                    else:
                        for a in range(arms):
                            score[a] = formula(mean[r, a], samples[r, a], level, epsilon[r], multiplier[r])
                arm = 0
                for a in range(1, arms):
                    if score[a] > score[arm]:
                        arm = a
                if ties != LOWEST:
                    best, preferred = score[arm], -np.inf
                    for a in range(arms):
                        wish = coins.random() if ties == RANDOM else float(samples[r, a])
                        wish = -wish if ties == LEAST else wish
                        if score[a] == best and wish > preferred:
                            arm, preferred = a, wish
                recommended[r] = arm
                count[r] = min(sizes[min(done[r, arm], sizes.size - 1)], horizon - clock[r])
            noisy = False
            for k in range(running):
                r = rows[k]
                arm = recommended[r]
                if kind == BERNOULLI:
                    total[r] = rewards.binomial(count[r], means[arm])
                else:
                    spread = deviation * np.sqrt(count[r])
                    total[r] = count[r] * means[arm] + spread * rewards.standard_normal()
                noisy = noisy or scale[r] != 0.0
            if noisy:
                for k in range(running):
                    r = rows[k]
                    drawn = noise.standard_normal() if gaussian else noise.laplace(0.0, 1.0)
                    total[r] += scale[r] * drawn
            left = 0
            for k in range(running):
                r = rows[k]
                arm, n = recommended[r], count[r]
                unheard[r] -= samples[r, arm] == 0
                if forgetting:
                    sums[r, arm], samples[r, arm] = 0.0, 0
                sums[r, arm] += total[r]
                samples[r, arm] += n
                done[r, arm] += 1
                mean[r, arm], where[r, arm] = sums[r, arm] / samples[r, arm], np.nan
                if clipping:
                    mean[r, arm] = min(max(mean[r, arm], 0.0), 1.0)
                if index == DP_IMED:
                    log_samples[r, arm] = np.log(samples[r, arm])
                end, m = clock[r] + n, recorded[r]
                if m < times.size and times[m] <= end:
                    written[r, m], start[r, m], before[r, m] = arm, clock[r], regret[r]
                    while m < times.size and times[m] <= end:
                        m += 1
                    recorded[r] = m
                pulls[r, arm] += n
                regret[r] += gaps[arm] * n
                clock[r] = end
                if end < horizon:
                    rows[left], left = r, left + 1
            running = left

    return play
