"""Compiled rounds of the contextual policies; `compiled` calls them.

A kernel plays all replications through a `window`: sets [R, B, K, d], means [R, B, K] of the rewards, noise [R, B] and
its deviation, and whether rewards are clipped. It draws as the policy does, changes the policy's arrays in place and
fills `arm` and `heard` [R, B]. One of a policy that switches rarely plays on to the next update of each replication.
Importing this module imports numba. Functions that call each other stay in one module: a cached caller does not notice
an edit elsewhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from banditproof.algorithms.contextual.policy import GROWN, TIE

SUMS: dict[str, Any] = {"cache": True, "nogil": True, "fastmath": {"reassoc", "contract"}}
"""Options of a function that adds up in whichever order is fastest."""


@njit(**SUMS)
def _times(vector: Any, matrix: Any, product: Any) -> None:
    """`product` = `vector` `matrix`."""
    product[:] = 0.0
    for i in range(vector.size):
        for j in range(product.size):
            product[j] += vector[i] * matrix[i, j]


@njit(**SUMS)
def _dot(one: Any, other: Any) -> float:
    total = 0.0
    for i in range(one.size):
        total += one[i] * other[i]
    return total


@njit(**SUMS)
def _index(vector: Any, estimate: Any, inverse: Any, width: float, turned: Any) -> float:
    """<estimate, x> + width |x| in the norm of `inverse`; `turned` [d] is room to work in."""
    _times(vector, inverse, turned)
    return _dot(vector, estimate) + width * np.sqrt(max(_dot(turned, vector), 0.0))


@njit(cache=True, nogil=True)
def normals(generator: Any, mean: float, deviation: float, out: Any) -> None:
    """Fills `out`, contiguous, in a third of the time that NumPy takes for the same numbers."""
    flat = out.ravel()
    for i in range(flat.size):
        flat[i] = generator.standard_normal() * deviation + mean


@njit(cache=True, nogil=True)
def _first_best(index: Any) -> int:
    """`policy.first_best` of one set."""
    best = index.max()
    for k in range(index.size):
        if index[k] >= best - TIE * abs(best):
            return k
    return -1


@njit(**SUMS)
def _add_rank_one(inverse: Any, vector: Any, turned: Any) -> float:
    """`policy.add_rank_one` for one matrix; `turned` [d] is room to work in."""
    _times(vector, inverse, turned)
    growth = 1.0 + _dot(turned, vector)
    for i in range(vector.size):
        share = turned[i] / growth
        for j in range(vector.size):
            inverse[i, j] -= share * turned[j]
    return growth


@njit(**SUMS)
def _least_eigenvalue(matrix: Any, low: float) -> float:
    """The least eigenvalue of a symmetric matrix, whose eigenvalues are at least `low` > 0; the matrix is used up.

    Reflections leave a tridiagonal matrix, and from below its least eigenvalue steps of Laguerre rise to it. Both are
    stable: the error is a few roundings of the largest eigenvalue, as that of `eigvalsh`.
    """
    size, mirror, moved = len(matrix), np.empty(len(matrix)), np.empty(len(matrix))
    squares = np.zeros(size)  # of the entries beside the diagonal
    for k in range(size - 1):
        mirror[:] = matrix[k]
        mirror[: k + 1] = 0.0
        squares[k + 1], edge = _dot(mirror, mirror), mirror[k + 1]
        if squares[k + 1] == edge * edge:
            continue
        length = np.sqrt(squares[k + 1])
        mirror[k + 1] += length if edge > 0.0 else -length
        factor = 1.0 / (squares[k + 1] + abs(edge) * length)
        _times(mirror[k + 1 :], matrix[k + 1 :], moved)
        shift = factor * _dot(mirror, moved) / 2.0
        for i in range(size):
            moved[i] = factor * (moved[i] - shift * mirror[i])
        for i in range(k + 1, size):
            for j in range(size):
                matrix[i, j] -= mirror[i] * moved[j] + moved[i] * mirror[j]
    value = low
    for _ in range(100):
        inverse, slope, bend, first, second = 1.0, 0.0, 0.0, 0.0, 0.0
        for k in range(size):
            share, slope, bend = squares[k] * inverse, slope * inverse, bend * inverse
            pivot = matrix[k, k] - value - share
            if pivot <= 0.0:
                return value
            inverse, slope, bend = 1.0 / pivot, share * slope - 1.0, share * (bend - 2.0 * slope * slope)
            first -= slope * inverse
            second += slope * slope * inverse * inverse - bend * inverse
        step = size / (first + np.sqrt(max((size - 1) * (size * second - first * first), 0.0)))
        value += step
        if step <= 1e-15 * value:
            break
    return value


@njit(cache=True, nogil=True)
def _invert(matrix: Any) -> float:
    """A positive definite matrix becomes its inverse, by elimination; the logarithm of its determinant."""
    volume = 0.0
    for k in range(len(matrix)):
        pivot, matrix[k, k] = matrix[k, k], 1.0
        volume += np.log(pivot)
        for j in range(len(matrix)):
            matrix[k, j] /= pivot
        for i in range(len(matrix)):
            if i != k:
                share, matrix[i, k] = matrix[i, k], 0.0
                for j in range(len(matrix)):
                    matrix[i, j] -= share * matrix[k, j]
    return volume


@njit(cache=True, nogil=True)
def _reward(mean: float, noise: float, deviation: float, clipped: bool) -> float:
    reward = mean + deviation * noise
    return min(max(reward, -1.0), 1.0) if clipped else reward


@njit(cache=True, nogil=True)
def _enter(value: Any, number: int, time: int, true: Any, began: Any, total: Any) -> int:
    """Item number `number` of a stream enters its tree [levels, D] as in `PrefixTree.add`; the node it closes.

    `total` [D] becomes the sum that the node holds.
    """
    node = 0
    while not number >> node & 1:
        node += 1
    for i in range(value.size):
        below = 0.0
        for level in range(node):
            below += true[level, i]
            true[level, i] = 0.0
        total[i] = true[node, i] = value[i] + below
    began[node] = began[node - 1] if node > 0 else time
    return node


@njit(cache=True, nogil=True)
def oful_rounds(window: Any, width: Any, inverse: Any, log_volume: Any, total: Any, arm: Any, heard: Any) -> None:
    """`OFUL`; its width is sqrt(level + log volume) + offset."""
    sets, means, noise, deviation, clipped = window
    level, offset = width
    replications, rounds, arms, dimension = sets.shape
    estimate, turned, index = np.empty(dimension), np.empty(dimension), np.empty(arms)
    for r in range(replications):
        for t in range(rounds):
            _times(total[r], inverse[r], estimate)
            bonus = np.sqrt(level + log_volume[r]) + offset
            for k in range(arms):
                index[k] = _index(sets[r, t, k], estimate, inverse[r], bonus, turned)
            arm[r, t] = _first_best(index)
            chosen = sets[r, t, arm[r, t]]
            heard[r, t] = _reward(means[r, t, arm[r, t]], noise[r, t], deviation, clipped)
            log_volume[r] += np.log(_add_rank_one(inverse[r], chosen, turned))
            for i in range(dimension):
                total[r, i] += chosen[i] * heard[r, t]


@njit(cache=True, nogil=True)
def linpriv_rounds(
    window: Any, width: Any, scale: Any, inverse: Any, estimate: Any, source: Any, tree: Any, arm: Any, heard: Any
) -> None:
    """`LinPriv`; its width is sqrt(2 d log((1 + t/lambda) / delta)) + offset [R], its noise has `scale` [R]."""
    sets, means, noise, deviation, clipped = window
    ridge, confidence, offset = width
    clock, generator = source
    items, true, noisy, began = tree
    replications, rounds, arms, dimension = sets.shape
    value, total, turned = np.empty(dimension), np.empty(dimension), np.empty(dimension)
    index = np.empty(arms)
    draws = scale.max() > 0.0
    for t in range(rounds):
        plain = np.sqrt(2 * dimension * np.log((1 + (clock + t + 1) / ridge) / confidence))
        for r in range(replications):
            bonus = plain + offset[r]
            for k in range(arms):
                index[k] = _index(sets[r, t, k], estimate[r, k], inverse[r, k], bonus, turned)
            arm[r, t] = _first_best(index)
            a = arm[r, t]
            heard[r, t] = _reward(means[r, t, a], noise[r, t], deviation, clipped)
            items[r, a] += 1
            for i in range(dimension):
                value[i] = sets[r, t, a, i] * heard[r, t]
            node = _enter(value, items[r, a], clock + t, true[r, a], began[r, a], total)
            for i in range(dimension):
                noisy[r, a, node, i] = total[i] + scale[r] * generator.laplace(0.0, 1.0) if draws else total[i]
                for level in range(node):
                    noisy[r, a, level, i] = 0.0
                total[i] = 0.0
                for level in range(noisy.shape[2]):
                    total[i] += noisy[r, a, level, i]
            _add_rank_one(inverse[r, a], sets[r, t, a], turned)
            _times(total, inverse[r, a], estimate[r, a])


@njit(cache=True, nogil=True)
def joint_rounds(window: Any, width: Any, scale: Any, source: Any, tree: Any, arm: Any, heard: Any) -> None:
    """`JointDPLinUCB`; its width is sqrt(level + d log(1 + t / (ridge d))) + offset, `diagonal` is added to V: [R]."""
    sets, means, noise, deviation, clipped = window
    level, ridge, diagonal, offset = width
    clock, generator = source
    items, true, noisy, began = tree
    replications, rounds, arms, dimension = sets.shape
    size, root = true.shape[3], np.sqrt(2.0)
    value, total, both, index = np.empty(size), np.empty(size), np.empty(dimension + 1), np.empty(arms)
    design, sums = np.empty((dimension, dimension)), np.empty(dimension)
    estimate, turned = np.empty(dimension), np.empty(dimension)
    draws = scale.max() > 0.0
    for t in range(rounds):
        for r in range(replications):
            entry = 0
            for i in range(dimension + 1):
                for j in range(i, dimension + 1):
                    entered = 0.0
                    for node in range(noisy.shape[2]):
                        entered += noisy[r, 0, node, entry]
                    if j == dimension:
                        if i < dimension:
                            sums[i] = entered / root
                    elif i == j:
                        design[i, i] = entered + diagonal[r]
                    else:
                        design[i, j] = design[j, i] = entered / root
                    entry += 1
            _invert(design)
            _times(sums, design, estimate)
            bonus = np.sqrt(level + dimension * np.log(1 + (clock + t) / (ridge[r] * dimension))) + offset[r]
            for k in range(arms):
                index[k] = _index(sets[r, t, k], estimate, design, bonus, turned)
            arm[r, t] = _first_best(index)
            a = arm[r, t]
            heard[r, t] = _reward(means[r, t, a], noise[r, t], deviation, clipped)
            both[:dimension], both[dimension] = sets[r, t, a], heard[r, t]
            entry = 0
            for i in range(dimension + 1):
                for j in range(i, dimension + 1):
                    value[entry] = both[i] * both[j] if i == j else both[i] * both[j] * root
                    entry += 1
            items[r, 0] += 1
            node = _enter(value, items[r, 0], clock + t, true[r, 0], began[r, 0], total)
            for i in range(size):
                noisy[r, 0, node, i] = total[i] + scale[r] * generator.normal(0.0, 1.0) if draws else total[i]
                for lower in range(node):
                    noisy[r, 0, lower, i] = 0.0


@njit(**SUMS)
def rounds_until_update(
    window: Any,
    width: Any,
    known: Any,
    spread: Any,
    rule: Any,
    sums: Any,
    today: Any,
    start: Any,
    due: Any,
    played: Any,
) -> None:
    """`AdaCOFUL` from round `start` [R] on, which becomes the one after an update that is `due` [R], or the last one.

    First the `rule` is made anew where an update was due: inverse [R, d, d], estimate [R, d], logarithm of the
    determinant and width [R]. The width is sqrt(level + log volume) + offset + noise sqrt(updates / least eigenvalue),
    where `spread` [R, B] bounds that eigenvalue after each round; with none [R, 0] it is computed. An update is due
    once the logarithm of the determinant has grown by `growth`. The designs and the sums of a_s r_s, together `sums`,
    grow by what is played; the inverses of the designs and the logarithms of their determinants, `today`, go along.
    """
    sets, means, noise, deviation, clipped = window
    level, offset, growth, ridge = width
    released, updates, of_noise = known
    used, estimate, last, bonus = rule
    design, pending = sums
    inverse, volume = today
    arm, heard = played
    replications, rounds, arms, dimension = sets.shape
    turned, score = np.empty(dimension), np.empty(arms)
    for r in range(replications):
        if due[r]:
            used[r] = inverse[r]
            _times(released[r], used[r], estimate[r])
            last[r] = volume[r]
            least = spread[r, start[r] - 1] if spread.size else _least_eigenvalue(design[r].copy(), ridge)
            plain = np.sqrt(level + volume[r] - dimension * np.log(ridge)) + offset
            bonus[r] = plain + of_noise[r] * np.sqrt(updates[r] / least)
            due[r] = False
        while start[r] < rounds and not due[r]:
            t = start[r]
            for k in range(arms):
                score[k] = _index(sets[r, t, k], estimate[r], used[r], bonus[r], turned)
            arm[r, t] = _first_best(score)
            chosen = sets[r, t, arm[r, t]]
            heard[r, t] = _reward(means[r, t, arm[r, t]], noise[r, t], deviation, clipped)
            for i in range(dimension):
                pending[r, i] += chosen[i] * heard[r, t]
                for j in range(dimension):
                    design[r, i, j] += chosen[i] * chosen[j]
            volume[r] += np.log(_add_rank_one(inverse[r], chosen, turned))
            due[r] = volume[r] > last[r] + growth + GROWN
            start[r] = t + 1
