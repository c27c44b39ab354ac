"""Compiled loops for learners on a loss table; `compiled` checks their arguments and calls them.

One run, round by round, in the order of draws of `losses.play`: the learner's coins, the action of an expert, the noise
of a batch, the resampling. Importing this module imports numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

EXP3, HTINF, FTPL, EXP4 = range(4)  # which learner
NEWTON_STEPS, CLOSE = 60, 1e-13


@njit(cache=True, nogil=True, error_model="numpy")
def _draw(chances: Any, coins: Any) -> int:
    """`sampling.draw_index` on one row."""
    total = 0.0
    for chance in chances:
        total += chance
    level, reached = coins.random() * total, 0.0
    for index in range(chances.size - 1):
        reached += chances[index]
        if reached > level:
            return index
    return chances.size - 1


@njit(cache=True, nogil=True, error_model="numpy")
def _softmax(log_weights: Any, chances: Any) -> None:
    top, whole = log_weights.max(), 0.0
    for j in range(chances.size):
        chances[j] = np.exp(log_weights[j] - top)
        whole += chances[j]
    chances /= whole


@njit(cache=True, nogil=True, error_model="numpy")
def _tsallis(estimates: Any, scale: float, alpha: float, chances: Any) -> None:
    """`learners.tsallis_leader` on one row of estimates / scale."""
    power, least, distance = alpha / (alpha - 1), estimates.min(), 1.0
    for _ in range(NEWTON_STEPS):
        total, slope = 0.0, 0.0
        for a in range(chances.size):
            base = (estimates[a] - least) / scale + distance
            chances[a] = 1 / (base * base) if alpha == 2.0 else base**-power
            total += chances[a]
            slope += chances[a] / base
        if abs(total - 1) < CLOSE:
            break
        distance += (total - 1) / (power * slope)
    chances /= chances.sum()


@njit(cache=True, nogil=True, error_model="numpy")
def _mixture(beliefs: Any, advice: Any, mixing: float, chances: Any) -> None:
    """(1 - mixing) beliefs advice + mixing / K."""
    for a in range(chances.size):
        total = 0.0
        for j in range(beliefs.size):
            total += beliefs[j] * advice[j, a]
        chances[a] = (1 - mixing) * total + mixing / chances.size


@njit(cache=True, nogil=True, error_model="numpy")
def _smallest(estimates: Any, rate: float, coins: Any) -> int:
    """The arm whose perturbed estimate is the smallest."""
    arm, least = 0, np.inf
    for a in range(estimates.size):
        value = estimates[a] + coins.laplace(0.0, 1.0) / rate
        if value < least:
            arm, least = a, value
    return arm


@njit(cache=True, nogil=True, error_model="numpy")
def _waiting(estimates: Any, arm: int, rate: float, cap: int, as_printed: bool, coins: Any) -> int:
    """`FTPL._waiting` of one replication; the block in which the arm comes is drawn to its end, as there."""
    drawn, length, sign = 0, 8, -1.0 if as_printed else 1.0
    while drawn < cap:
        length = min(length, cap - drawn)
        found = -1
        for k in range(length):
            if found >= 0:  # what is drawn for the rest of the block is not looked at
                for _ in range(estimates.size):
                    while coins.random() == 0.0:  # then a Laplace variable draws again
                        pass
                continue
            own, least = 0.0, np.inf
            for a in range(estimates.size):
                value = sign * (rate * estimates[a] + coins.laplace(0.0, 1.0))
                least = min(least, value)
                if a == arm:
                    own = value
            if own == least:
                found = k
        if found >= 0:
            return drawn + found + 1
        drawn, length = drawn + length, 2 * length
    return 0 if as_printed else cap


@njit(cache=True, nogil=True, error_model="numpy")
def run(
    learner: int, rate: float, mixing: float, alpha: float, threshold: float, cap: int, as_printed: bool,
    batch: int, scale: float, cumulated: Any, advice: Any, through_experts: bool, times: Any,
    coins: Any, panel_coins: Any, noise: Any, lost: Any,
) -> None:  # fmt: skip
    """One run of a learner that hears means of batches with Laplace noise of `scale` on their sums; fills `lost` [M].

    `cumulated` [T + 1, K] are the cumulated losses, `advice` [P, N, K] that of the panel. With `through_experts` the
    learner chooses an expert, whose advice draws an action in every round. For HTINF `rate` is sigma.
    """
    horizon, actions = cumulated.shape[0] - 1, cumulated.shape[1]
    period, experts = advice.shape[0], advice.shape[1]
    arms = experts if through_experts else actions
    state = np.zeros(experts if learner == EXP4 else arms)  # log-weights, or estimates
    chances, beliefs = np.full(arms, 1 / arms), np.zeros(experts)
    t, number, recorded, total = 0, 0, 0, 0.0
    while t < horizon:
        if learner == EXP3:
            _softmax(state, chances)
            chances = (1 - mixing) * chances + mixing / arms
        elif learner == HTINF:
            size = rate * (number + 1) ** (1 / alpha)
            _tsallis(state, size, alpha, chances)
        elif learner == EXP4:
            _softmax(state, beliefs)
            _mixture(beliefs, advice[number % period], mixing, chances)
        arm = _smallest(state, rate, coins) if learner == FTPL else _draw(chances, coins)
        stop, heard = min(t + batch, horizon), 0.0
        if through_experts:
            for s in range(t, stop):
                action = _draw(advice[s % period, arm], panel_coins)
                loss = cumulated[s + 1, action] - cumulated[s, action]
                heard += loss
                total += loss
                if times[recorded] == s + 1:
                    lost[recorded] = total
                    recorded = min(recorded + 1, times.size - 1)
        else:
            heard = cumulated[stop, arm] - cumulated[t, arm]
            while t < times[recorded] <= stop:
                lost[recorded] = total + (cumulated[times[recorded], arm] - cumulated[t, arm])
                if recorded == times.size - 1:
                    break
                recorded += 1
            total += heard
        if stop - t == batch:
            released = heard + scale * noise.laplace(0.0, 1.0) if scale > 0.0 else heard
            loss = released / batch
            if learner == EXP3:
                state[arm] -= rate * loss / chances[arm]
            elif learner == FTPL:
                state[arm] += loss * _waiting(state, arm, rate, cap, as_printed, coins)
            elif learner == HTINF:
                if abs(loss) <= threshold * size * chances[arm] ** (1 / alpha):
                    state[arm] += loss / chances[arm]
            else:
                estimate = loss / chances[arm]
                for j in range(experts):
                    state[j] -= rate * (advice[number % period, j, arm] * estimate)
            number += 1
        t = stop


@njit(cache=True, nogil=True, error_model="numpy")
def run_batched_exp4(
    rate: float, mixing: float, batch: int, scale: float, cumulated: Any, advice: Any, times: Any,
    coins: Any, noise: Any, lost: Any,
) -> None:  # fmt: skip
    """One run of `PrivateEXP4` with Laplace noise of `scale` on every expert's mean loss; fills `lost` [M]."""
    horizon, actions = cumulated.shape[0] - 1, cumulated.shape[1]
    period, experts = advice.shape[0], advice.shape[1]
    log_weights, sums, beliefs, chances = np.zeros(experts), np.zeros(experts), np.zeros(experts), np.zeros(actions)
    recorded, total = 0, 0.0
    _softmax(log_weights, beliefs)
    for t in range(horizon):
        phase = t % period
        _mixture(beliefs, advice[phase], mixing, chances)
        arm = _draw(chances, coins)
        loss = cumulated[t + 1, arm] - cumulated[t, arm]
        total += loss
        estimate = loss / chances[arm]
        for j in range(experts):
            sums[j] += advice[phase, j, arm] * estimate
        if (t + 1) % batch == 0:
            for j in range(experts):
                released = sums[j] / batch
                if scale > 0.0:
                    released += scale * noise.laplace(0.0, 1.0)
                log_weights[j] -= rate * released
                sums[j] = 0.0
            _softmax(log_weights, beliefs)
        if times[recorded] == t + 1:
            lost[recorded] = total
            recorded = min(recorded + 1, times.size - 1)
