"""Which arms a Top Two sampling rule pulls until the next phase ends: known beforehand, since no mean changes.

The leader stays; leader and challenger alternate by tracking, and the challenger is the arm with the smallest
transportation cost at the current counts. With numba (extra `fast`) replications are stepped through in a compiled
loop, else all together in NumPy: the same pulls either way.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np


def pulls_until_doubling(
    leader: np.ndarray,
    worth: np.ndarray,
    pulls: np.ndarray,
    room: np.ndarray,
    led: np.ndarray,
    own: np.ndarray,
    beta: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Pulls of every arm [R, K] until some arm has been pulled `room` [R, K] times more, and rounds led [R].

    `worth` [R, K] is the numerator of the cost, worth / (1/n_leader + 1/n), whose reciprocal is compared; `pulls` are
    the counts before. The leader is pulled in a round if its `own` pulls while leading [R] are at most `beta` times the
    rounds `led` [R], this one included. Ties go to the lowest arm.
    """
    with np.errstate(divide="ignore"):
        arguments = leader, 1 / worth, pulls.astype(float), room, led, own
    if find_spec("numba") is None:
        return stepped_together(*arguments, beta)
    return _compiled()(*arguments, beta)


def stepped_together(
    leader: np.ndarray,
    price: np.ndarray,
    pulls: np.ndarray,
    room: np.ndarray,
    led: np.ndarray,
    own: np.ndarray,
    beta: float,
) -> tuple[np.ndarray, np.ndarray]:
    """`pulls_until_doubling` in NumPy, round by round; `price` is 1 / worth."""
    added, rounds = np.zeros(pulls.shape, dtype=np.int64), np.zeros(leader.size, dtype=np.int64)
    rows, own = np.arange(leader.size), own.copy()
    while rows.size:
        ahead = leader[rows]
        counts = pulls[rows] + added[rows]
        weakness = price[rows] / counts + price[rows] * (1 / counts[np.arange(rows.size), ahead])[:, np.newaxis]
        weakness[np.arange(rows.size), ahead] = -np.inf
        rounds[rows] += 1
        keep = own[rows] <= beta * (led[rows] + rounds[rows])
        own[rows] += keep
        arm = np.where(keep, ahead, weakness.argmax(axis=1))
        added[rows, arm] += 1
        rows = rows[added[rows, arm] < room[rows, arm]]
    return added, rounds


@cache
def _compiled() -> Any:
    from numba import njit

    return njit(_stepped_apart, error_model="numpy")


def _stepped_apart(leader, price, pulls, room, led, own, beta):  # compiled by numba: types are those of the call
    replications, arms = pulls.shape
    added = np.zeros((replications, arms), dtype=np.int64)
    rounds = np.zeros(replications, dtype=np.int64)
    for r in range(replications):
        b, tracked, total = leader[r], own[r], led[r]
        count, of_arm = pulls[r].copy(), price[r].copy()
        goal, of_arm[b] = count + room[r], -np.inf  # never the weakest
        share = of_arm / count
        arm = b
        while count[arm] < goal[arm]:
            total += 1
            if tracked <= beta * total:
                tracked += 1
                arm = b
                count[b] += 1
            else:
                inverse, arm = 1 / count[b], 0
                most = of_arm[0] * inverse + share[0]
                for a in range(1, arms):  # without branches: which arm it is cannot be predicted
                    weakness = of_arm[a] * inverse + share[a]
                    arm = a if weakness > most else arm
                    most = weakness if weakness > most else most
                count[arm] += 1
                share[arm] = of_arm[arm] / count[arm]
        rounds[r] = total - led[r]
        added[r] = count - pulls[r]
    return added, rounds
