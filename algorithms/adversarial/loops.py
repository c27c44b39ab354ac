"""Compiled loops for learners on a loss table, one for every algorithm; `compiled` calls them.

A loop is one run, round by round, in the order of draws of `losses.play`: the learner's coins, the action of an expert,
the noise of a batch, the resampling. Its arguments are the learner's, then the `Experts` that it chooses among if it
does not choose actions, `Batches`, and a `Table`, whose losses it fills in. Importing this module imports numba.
Functions that call each other stay in one module: a stored loop does not notice an edit elsewhere.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from banditproof.theory.laws.compiling import PART, STORED

NEWTON_STEPS, CLOSE = 60, 1e-13
MARGIN = 1e-10  # relative: far more than any rounding


class Experts(NamedTuple):
    """The advice [P, N, K] of a panel, and the coins with which the chosen expert's advice draws an action."""

    advice: Any
    coins: Any


class Batches(NamedTuple):
    """A learner hears the mean loss of every `size` rounds, with Laplace noise of `scale` on the sum (none at 0)."""

    size: int
    scale: float
    noise: Any


class Table(NamedTuple):
    """Cumulated losses [T + 1, K], and what was `lost` [M] up to the record `times` [M], which a loop fills in."""

    cumulated: Any
    times: Any
    lost: Any


class Account(NamedTuple):
    """What was lost so far, and which record time comes next (the last one remains when all are written)."""

    total: float
    row: int


@njit(**PART)
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


@njit(**PART)
def _softmax(log_weights: Any, chances: Any) -> None:
    top, whole = -np.inf, 0.0
    for weight in log_weights:
        top = max(top, weight)
    for j in range(chances.size):
        chances[j] = np.exp(log_weights[j] - top)
        whole += chances[j]
    for j in range(chances.size):  # as a loop, because numba takes longer to begin an operation on a few entries
        chances[j] /= whole


@njit(**PART)
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


@njit(**PART)
def _mixture(beliefs: Any, advice: Any, mixing: float, chances: Any) -> None:
    """(1 - mixing) beliefs advice + mixing / K."""
    for a in range(chances.size):
        total = 0.0
        for j in range(beliefs.size):
            total += beliefs[j] * advice[j, a]
        chances[a] = (1 - mixing) * total + mixing / chances.size


@njit(**PART)
def _uniform(coins: Any) -> float:
    """What NumPy makes a Laplace variable of."""
    u = coins.random()
    while u == 0.0:
        u = coins.random()
    return u


@njit(**PART)
def _laplace(u: float) -> float:
    """The Laplace variable that NumPy makes of u; it is at least 1 - 1 / (2 u), and at least 0 from u = 1/2 on."""
    return -np.log(2.0 - u - u) if u >= 0.5 else np.log(u + u)


@njit(**PART)
def _certainly_above(other: float, u: float, own: float) -> bool:
    """Whether a number and what u stands for, a Laplace variable or a bound of one, are more than `own`."""
    least = other + min(1.0 - 0.5 / u, 0.0)
    return least - own > MARGIN * (abs(other) + abs(own) + 1.0)


@njit(**PART)
def _smallest(estimates: Any, rate: float, coins: Any) -> int:
    """The arm whose perturbed estimate is the smallest; a logarithm is taken where it may be that."""
    arm, least = 0, np.inf
    for a in range(estimates.size):
        u = _uniform(coins)
        if not _certainly_above(rate * estimates[a], u, rate * least):
            value = estimates[a] + _laplace(u) / rate
            if value < least:
                arm, least = a, value
    return arm


@njit(**PART)
def _waiting(estimates: Any, arm: int, rate: float, cap: int, as_printed: bool, coins: Any, drawn: Any) -> int:
    """`FTPL._waiting` of one replication; the block in which the arm comes is drawn to its end, as there.

    `drawn` [K] is room to work in. Most arms are seen not to come first without a logarithm.
    """
    waited, length, sign = 0, 8, -1.0 if as_printed else 1.0
    while waited < cap:
        length = min(length, cap - waited)
        first = -1
        for k in range(length):
            for a in range(estimates.size):
                drawn[a] = _uniform(coins)
            if first >= 0:  # what is drawn for the rest of the block is not looked at
                continue
            own, first = sign * (rate * estimates[arm] + _laplace(drawn[arm])), k
            for a in range(estimates.size):
                level = rate * estimates[a]
                if a != arm and not _certainly_above(sign * level, 1.0 - drawn[a] if as_printed else drawn[a], own):
                    if sign * (level + _laplace(drawn[a])) < own:
                        first = -1
                        break
        if first >= 0:
            return waited + first + 1
        waited, length = waited + length, 2 * length
    return 0 if as_printed else cap


@njit(**PART)
def _arms(experts: Experts | None, table: Table) -> int:
    """How many arms there are to choose among: experts or actions."""
    if experts is None:
        return table.cumulated.shape[1]
    return experts.advice.shape[1]


@njit(inline="always", **PART)
def _play(
    arm: int, start: int, stop: int, account: Account, experts: Experts | None, table: Table
) -> tuple[float, Account]:
    """What the arm loses in the rounds from `start` to `stop`: as an action, or as an expert, who draws one a round."""
    cumulated, times, lost = table
    total, row = account
    if experts is None:
        heard = cumulated[stop, arm] - cumulated[start, arm]
        while start < times[row] <= stop:
            lost[row] = total + (cumulated[times[row], arm] - cumulated[start, arm])
            if row == times.size - 1:
                break
            row += 1
        return heard, Account(total + heard, row)
    heard, period = 0.0, experts.advice.shape[0]
    for t in range(start, stop):
        action = _draw(experts.advice[t % period, arm], experts.coins)
        loss = cumulated[t + 1, action] - cumulated[t, action]
        heard += loss
        total += loss
        if times[row] == t + 1:
            lost[row] = total
            row = min(row + 1, times.size - 1)
    return heard, Account(total, row)


@njit(**PART)
def _noisy_mean(total: float, batches: Batches) -> float:
    """What a learner hears of the losses of a batch."""
    size, scale, noise = batches
    released = total + scale * noise.laplace(0.0, 1.0) if scale > 0.0 else total
    return released / size


@njit(**STORED)
def exp3(rate: float, mixing: float, coins: Any, experts: Experts | None, batches: Batches, table: Table) -> None:
    """EXP3: P = (1 - mixing) w / sum w + mixing / K, and w of the played arm is multiplied by e^(-rate loss / P)."""
    horizon, arms, size, account = table.cumulated.shape[0] - 1, _arms(experts, table), batches.size, Account(0.0, 0)
    log_weights, powers, chances = np.zeros(arms), np.ones(arms), np.zeros(arms)
    arm, top = 0, 0.0
    for start in range(0, horizon, size):
        before, top, whole = top, log_weights.max(), 0.0
        for a in range(arms):  # of the powers, only that of the last arm is new while the largest weight stands
            if a == arm or top != before:
                powers[a] = np.exp(log_weights[a] - top)
            whole += powers[a]
        for a in range(arms):
            chances[a] = (1 - mixing) * (powers[a] / whole) + mixing / arms
        arm = _draw(chances, coins)
        heard, account = _play(arm, start, min(start + size, horizon), account, experts, table)
        if start + size <= horizon:  # an incomplete batch tells nothing
            log_weights[arm] -= rate * _noisy_mean(heard, batches) / chances[arm]


@njit(**STORED)
def htinf(
    sigma: float, alpha: float, threshold: float, coins: Any, experts: Experts | None, batches: Batches, table: Table
) -> None:
    """HTINF: the Tsallis leader of the estimates; a loss too large for its arm is skipped."""
    horizon, arms, size, account = table.cumulated.shape[0] - 1, _arms(experts, table), batches.size, Account(0.0, 0)
    estimates, chances = np.zeros(arms), np.zeros(arms)
    for start in range(0, horizon, size):
        scale = sigma * (start // size + 1) ** (1 / alpha)
        _tsallis(estimates, scale, alpha, chances)
        arm = _draw(chances, coins)
        heard, account = _play(arm, start, min(start + size, horizon), account, experts, table)
        if start + size <= horizon:
            loss = _noisy_mean(heard, batches)
            if abs(loss) <= threshold * scale * chances[arm] ** (1 / alpha):
                estimates[arm] += loss / chances[arm]


@njit(**STORED)
def ftpl(
    rate: float, cap: int, as_printed: bool, coins: Any, experts: Experts | None, batches: Batches, table: Table
) -> None:
    """FTPL: the arm whose perturbed estimate is the smallest; its loss times the resampled waiting is added."""
    horizon, arms, size, account = table.cumulated.shape[0] - 1, _arms(experts, table), batches.size, Account(0.0, 0)
    estimates, drawn = np.zeros(arms), np.empty(arms)
    for start in range(0, horizon, size):
        arm = _smallest(estimates, rate, coins)
        heard, account = _play(arm, start, min(start + size, horizon), account, experts, table)
        if start + size <= horizon:
            loss = _noisy_mean(heard, batches)
            estimates[arm] += loss * _waiting(estimates, arm, rate, cap, as_printed, coins, drawn)


@njit(**STORED)
def exp4(rate: float, mixing: float, advice: Any, coins: Any, batches: Batches, table: Table) -> None:
    """EXP4: Q = (1 - mixing) sum_j P(j) advice_j + mixing / K; the advice [P, N, K] changes with every batch."""
    horizon, actions, size, account = table.cumulated.shape[0] - 1, advice.shape[2], batches.size, Account(0.0, 0)
    log_weights, beliefs, chances = np.zeros(advice.shape[1]), np.zeros(advice.shape[1]), np.zeros(actions)
    for start in range(0, horizon, size):
        phase = start // size % advice.shape[0]
        _softmax(log_weights, beliefs)
        _mixture(beliefs, advice[phase], mixing, chances)
        arm = _draw(chances, coins)
        heard, account = _play(arm, start, min(start + size, horizon), account, None, table)
        if start + size <= horizon:
            estimate = _noisy_mean(heard, batches) / chances[arm]
            for j in range(log_weights.size):
                log_weights[j] -= rate * (advice[phase, j, arm] * estimate)


@njit(**STORED)
def private_exp4(rate: float, mixing: float, advice: Any, coins: Any, batches: Batches, table: Table) -> None:
    """`PrivateEXP4`: the weights move once per batch, by noisy means of the estimated losses of all experts."""
    horizon, actions, (size, scale, noise) = table.cumulated.shape[0] - 1, advice.shape[2], batches
    log_weights, sums, beliefs = np.zeros(advice.shape[1]), np.zeros(advice.shape[1]), np.zeros(advice.shape[1])
    chances, account = np.zeros(actions), Account(0.0, 0)
    for start in range(0, horizon, size):
        _softmax(log_weights, beliefs)
        sums[:] = 0.0
        for t in range(start, min(start + size, horizon)):
            phase = t % advice.shape[0]
            _mixture(beliefs, advice[phase], mixing, chances)
            arm = _draw(chances, coins)
            loss, account = _play(arm, t, t + 1, account, None, table)
            estimate = loss / chances[arm]
            for j in range(sums.size):
                sums[j] += advice[phase, j, arm] * estimate
        if start + size <= horizon:
            for j in range(sums.size):
                mean = sums[j] / size
                log_weights[j] -= rate * (mean + scale * noise.laplace(0.0, 1.0) if scale > 0.0 else mean)
