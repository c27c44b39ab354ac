"""What a user would write with numba in an afternoon: no checks, floats as they come, one generator for everything.

The other side of `limits` and `simulations`: every function does the work of one row and nothing else.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

STEPS = 50


@njit(cache=True, error_model="numpy")
def kl(p: float, q: float) -> float:
    total = 0.0
    if p > 0.0:
        total += p * math.log(p / q)
    if p < 1.0:
        total += (1 - p) * math.log((1 - p) / (1 - q))
    return total


@njit(cache=True, error_model="numpy")
def kl_ucb(p: float, level: float) -> float:
    """The largest q with kl(p, q) <= level, by Newton's method from Pinsker's bound."""
    if p >= 1.0:
        return 1.0
    q = min(p + math.sqrt(level / 2), 1 - (1 - p) * math.exp(-level / (1 - p)) * 1e-3)
    for _ in range(STEPS):
        step = (kl(p, q) - level) * q * (1 - q) / (q - p)
        q = min(max(q - step, 0.5 * (p + q)), 0.5 * (1 + q))
        if abs(step) < 1e-12:
            break
    return q


@njit(cache=True, error_model="numpy")
def kl_ucb_indices(p: Any, level: Any, indices: Any) -> None:
    for i in range(p.size):
        indices[i] = kl_ucb(p[i], level[i])


@njit(cache=True, error_model="numpy")
def per_pull(index: int, means: Any, horizon: int, g: Any) -> Any:
    """One run of UCB (0), KL-UCB (1) or IMED (2); the number of pulls of every arm.

    An index of UCB stands until its arm is pulled again.
    """
    arms = means.size
    sums, pulls, score = np.zeros(arms), np.zeros(arms), np.zeros(arms)
    bonus = 4 * math.log(horizon)
    for t in range(horizon):
        arm = t
        if t >= arms:
            if index == 1:
                level = math.log(t + 1)
                for a in range(arms):
                    score[a] = kl_ucb(sums[a] / pulls[a], level / pulls[a])
            elif index == 2:
                best = 0.0
                for a in range(arms):
                    best = max(best, sums[a] / pulls[a])
                for a in range(arms):
                    score[a] = -pulls[a] * kl(sums[a] / pulls[a], best) - math.log(pulls[a])
            arm = 0
            for a in range(1, arms):
                if score[a] > score[arm]:
                    arm = a
        sums[arm] += g.random() < means[arm]
        pulls[arm] += 1
        if index == 0:
            score[arm] = sums[arm] / pulls[arm] + math.sqrt(bonus / pulls[arm])
    return pulls


@njit(cache=True, error_model="numpy")
def kl_ucb_cached(means: Any, horizon: int, g: Any) -> Any:
    """KL-UCB, whose indices are computed only for arms that the leader's index does not beat."""
    arms = means.size
    sums, pulls = np.zeros(arms), np.zeros(arms)
    leader = 0
    for t in range(horizon):
        arm = t
        if t >= arms:
            level = math.log(t + 1)
            most, arm = kl_ucb(sums[leader] / pulls[leader], level / pulls[leader]), leader
            for a in range(arms):
                mean = sums[a] / pulls[a]
                if a != leader and (mean >= most or kl(mean, most) * pulls[a] < level):
                    index = kl_ucb(mean, level / pulls[a])
                    if index > most:
                        most, arm = index, a
        leader = arm
        sums[arm] += g.random() < means[arm]
        pulls[arm] += 1
    return pulls


@njit(cache=True, error_model="numpy")
def dp_imed(epsilons: Any, means: Any, horizon: int, sizes: Any, g: Any) -> Any:
    """A run of DP-IMED at every budget; the pulls of every arm [R, K]."""
    arms = means.size
    found = np.zeros((epsilons.size, arms))
    for r in range(epsilons.size):
        epsilon, t = epsilons[r], 0
        sums, pulls, done = np.zeros(arms), np.zeros(arms), np.zeros(arms, np.int64)
        x = np.zeros(arms)
        while t < horizon:
            arm = t
            if t >= arms:
                y = 0.0
                for a in range(arms):
                    x[a] = min(max(sums[a] / pulls[a], 1e-12), 1 - 1e-12)
                    y = max(y, x[a])
                least, saturated = np.inf, y / (y + (1 - y) * math.exp(epsilon))
                for a in range(arms):
                    z = max(x[a], saturated)
                    value = pulls[a] * (epsilon * (z - x[a]) + kl(z, y)) + math.log(pulls[a])
                    if value < least:
                        least, arm = value, a
            count = min(sizes[done[arm]], horizon - t)
            sums[arm] += g.binomial(count, means[arm]) + g.laplace(0.0, 1 / epsilon)
            pulls[arm] += count
            done[arm] += 1
            t += count
        found[r] = pulls
    return found


@njit(cache=True, error_model="numpy")
def exp3(losses: Any, rate: float, mixing: float, batch: int, epsilon: float, runs: int, g: Any) -> float:
    """EXP3 on means of batches with Laplace noise, `cumulated` losses [T + 1, K]."""
    horizon, arms, lost = losses.shape[0] - 1, losses.shape[1], 0.0
    weights, chances = np.zeros(arms), np.zeros(arms)
    for _ in range(runs):
        weights[:] = 0.0
        for start in range(0, horizon, batch):
            top = weights.max()
            whole = 0.0
            for a in range(arms):
                chances[a] = math.exp(weights[a] - top)
                whole += chances[a]
            level, reached, arm = g.random(), 0.0, arms - 1
            for a in range(arms):
                chances[a] = (1 - mixing) * chances[a] / whole + mixing / arms
            for a in range(arms - 1):
                reached += chances[a]
                if reached > level:
                    arm = a
                    break
            stop = min(start + batch, horizon)
            heard = losses[stop, arm] - losses[start, arm]
            lost += heard
            weights[arm] -= rate * (heard + g.laplace(0.0, 1 / epsilon)) / batch / chances[arm]
    return lost


@njit(cache=True, error_model="numpy")
def ftpl(losses: Any, rate: float, cap: int, batch: int, epsilon: float, runs: int, g: Any) -> float:
    """FTPL with geometric resampling on means of batches with Laplace noise."""
    horizon, arms, lost = losses.shape[0] - 1, losses.shape[1], 0.0
    estimates = np.zeros(arms)
    for _ in range(runs):
        estimates[:] = 0.0
        for start in range(0, horizon, batch):
            arm = _perturbed(estimates, rate, g)
            stop = min(start + batch, horizon)
            heard = losses[stop, arm] - losses[start, arm]
            lost += heard
            loss = (heard + g.laplace(0.0, 1 / epsilon)) / batch
            waited = 1
            while waited < cap and _perturbed(estimates, rate, g) != arm:
                waited += 1
            estimates[arm] += loss * waited
    return lost


@njit(cache=True, error_model="numpy")
def _perturbed(estimates: Any, rate: float, g: Any) -> int:
    arm, least = 0, np.inf
    for a in range(estimates.size):
        value = estimates[a] + g.laplace(0.0, 1.0) / rate
        if value < least:
            arm, least = a, value
    return arm


@njit(cache=True, error_model="numpy")
def adac_oful(theta: Any, rounds: int, arms: int, rho: float, g: Any) -> float:
    """AdaC-OFUL with growth 1; inverse and determinant by rank-one updates, all in one loop."""
    d, ridge, delta = theta.size, 0.1, 0.001
    design, inverse, lost = np.eye(d) * ridge, np.eye(d) / ridge, 0.0
    used, total, noise, estimate = inverse.copy(), np.zeros(d), np.zeros(d), np.zeros(d)
    volume, last, updates, width = 0.0, 0.0, 0, math.sqrt(2 * math.log(1 / delta)) + math.sqrt(ridge)
    level = math.log(rounds / delta)
    sets, turned = np.zeros((arms, d)), np.zeros(d)
    for _ in range(rounds):
        for a in range(arms):
            for i in range(d):
                sets[a, i] = d**-0.5 + math.sqrt(0.1) * g.standard_normal()
        if volume > last + math.log(2.0):
            updates += 1
            last = volume
            used[:] = inverse
            for i in range(d):
                noise[i] += math.sqrt(2 / rho) * g.standard_normal()
            estimate = used @ (total + noise)
            width = math.sqrt(2 * math.log(1 / delta) + volume) + math.sqrt(ridge)
            length = math.sqrt(2 * updates / rho * (d + 2 * math.sqrt(d * level) + 2 * level))
            width += length / math.sqrt(np.linalg.eigvalsh(design)[0])
        mapped = sets @ used
        best, arm, top = -np.inf, 0, -np.inf
        for a in range(arms):
            mean, square, true = 0.0, 0.0, 0.0
            for i in range(d):
                mean += sets[a, i] * estimate[i]
                square += mapped[a, i] * sets[a, i]
                true += sets[a, i] * theta[i]
            top = max(top, true)
            if mean + width * math.sqrt(square) > best:
                best, arm = mean + width * math.sqrt(square), a
        x = sets[arm]
        true = 0.0
        for i in range(d):
            true += x[i] * theta[i]
        lost += top - true
        reward = true + g.standard_normal()
        growth = 1.0
        for i in range(d):
            turned[i] = 0.0
            for j in range(d):
                turned[i] += inverse[i, j] * x[j]
            growth += turned[i] * x[i]
        volume += math.log(growth)
        for i in range(d):
            total[i] += x[i] * reward
            for j in range(d):
                inverse[i, j] -= turned[i] * turned[j] / growth
                design[i, j] += x[i] * x[j]
    return lost
