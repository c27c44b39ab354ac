"""Which arms a Top Two sampling rule pulls until the next phase ends: known beforehand, since no mean changes.

The leader stays; leader and challenger alternate by tracking, and the challenger is the arm with the smallest
transportation cost at the current counts, so that costs stay balanced. With numba (extra `fast`) thousands of rounds
are leapt over where it is certain which counts they lead to, and the others are stepped through, replication by
replication; else all rounds are, all replications together in NumPy. The pulls are the same either way.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

import numpy as np

LOOPS = "banditproof.algorithms.identification.loops"
WORTH_LOADING = 20_000  # rounds, which NumPy steps through in about the second that loading the compiled loops takes
_stepped = 0  # rounds of this process, at most


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
    if find_spec("numba") is None or _sooner_stepped(int(room.sum(axis=1).max(initial=0))):
        return stepped_together(*arguments, beta)
    from banditproof.algorithms.identification.loops import stepped_apart

    return stepped_apart(*arguments, beta)


def _sooner_stepped(rounds: int) -> bool:
    """Whether NumPy steps through at most so many more rounds, and those before, sooner than the loops are loaded."""
    global _stepped
    if LOOPS in sys.modules or _stepped + rounds > WORTH_LOADING:
        return False
    _stepped += rounds
    return True


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
