"""Which arms a Top Two sampling rule pulls until the next phase ends: known beforehand, since no mean changes.

The leader stays; leader and challenger alternate by tracking, and the challenger is the arm with the smallest
transportation cost at the current counts, so that costs stay balanced. With numba (extra `fast`) thousands of rounds
are leapt over where it is certain which counts they lead to, and the others are stepped through, replication by
replication; else all rounds are, all replications together in NumPy. The pulls are the same either way.
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


SHORT = 200  # rounds that are stepped through sooner than leapt over
TRIES = 40
SAFE = 1 + 1e-9  # rounding decides no comparison that holds with this factor


@cache
def _compiled() -> Any:
    from numba import njit

    return _kernel(lambda function: njit(function, error_model="numpy"))


def _kernel(compiled: Any) -> Any:
    balanced, certain = compiled(_balanced), compiled(_certain)

    @compiled
    def leap(price, count, goal, b, beta, total, tracked):
        """Move the counts on by as many rounds as are certain, short of the end; returns total and tracked."""
        rival, found = -1, count.copy()
        for a in range(price.size):
            if a != b and rival < 0 and price[a] == np.inf:  # weaker than all others, whatever the counts
                rival = a
        rounds = np.floor((goal[b] - count[b]) / beta) - 2
        for attempt in range(TRIES):
            if rounds < SHORT:
                break
            of_leader = np.floor(beta * (total + rounds)) + 1 - tracked
            leader, others = count[b] + of_leader, rounds - of_leader
            if rival >= 0:
                found[rival] = count[rival] + others
            elif not balanced(price, count, b, 1 / leader, others, found):
                rounds = np.floor(rounds / 2)
                continue
            within = 1.0
            for a in range(price.size):
                if a != b and found[a] >= goal[a]:
                    within = min(within, (goal[a] - 1 - count[a]) / (found[a] - count[a]))
            if within < 1 or leader >= goal[b]:
                rounds = np.floor(rounds * within) - 1
            elif rival >= 0 or certain(price, count, b, leader, others, found, beta):
                found[b] = leader
                count[:] = found
                total, tracked = total + int(rounds), tracked + int(of_leader)
                rounds = np.floor((goal[b] - count[b]) / beta) - 2
            else:  # the order of the last pulls is open: a little earlier it may not be
                rounds = rounds - 3 if attempt % 4 else np.floor(0.7 * rounds)
        return total, tracked

    @compiled
    def stepped_apart(leader, price, pulls, room, led, own, beta):
        replications, arms = pulls.shape
        added = np.zeros((replications, arms), dtype=np.int64)
        rounds = np.zeros(replications, dtype=np.int64)
        for r in range(replications):
            b, tracked, total = leader[r], own[r], led[r]
            count, of_arm = pulls[r].copy(), price[r].copy()
            goal = count + room[r]
            if tracked == np.floor(beta * total) + 1:  # as it is from the first round led on
                total, tracked = leap(of_arm, count, goal, b, beta, total, tracked)
            of_arm[b] = -np.inf  # never the weakest
            share, arm = of_arm / count, b
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

    return stepped_apart


def _balanced(price, count, b, inverse, more, found):
    """Put into `found` what `more` pulls of challengers would come to if the leader had 1/`inverse` pulls all along.

    Equal costs are solved for by bisection and rounded; whether the pulls come to that is for `_certain` to say.
    """
    low, high = 0.0, 0.0
    for a in range(price.size):
        if a != b:
            low, high = max(low, price[a] * inverse), max(high, price[a] * (inverse + 1 / count[a]))
            more += count[a]
    for _ in range(60):
        level, needed = (low + high) / 2, 0.0
        for a in range(price.size):
            if a != b:
                needed += max(count[a], 1 / (level / price[a] - inverse))
        low, high = (level, high) if needed > more else (low, level)
    for a in range(price.size):
        if a != b:
            found[a] = max(count[a], np.floor(1 / (high / price[a] - inverse)))
            more -= found[a]
    if not 0 <= more <= 2 * price.size:
        return False
    while more > 0:
        most, arm = -np.inf, 0
        for a in range(price.size):
            if a != b and price[a] * (inverse + 1 / found[a]) > most:
                most, arm = price[a] * (inverse + 1 / found[a]), a
        found[arm] += 1
        more -= 1
    return True


def _certain(price, count, b, leader, others, found, beta):
    """Whether `others` pulls of challengers lead from `count` to `found`, the leader ending at `leader`.

    If not, some arm a ends above found[a]. Take its last pull, with D such pulls after it: then the other arms together
    lack D + 1 of what is found, so one of them, c, lacks d >= (D + 1) / (K - 2) of them, and d >= 1. The rule chose a,
    so price_a (x + 1/found_a) >= price_c (x + 1/(found_c - d)), x one over the leader's pulls at that time: at least
    1/leader, and at most 1/(leader - room - ratio (D + 1)) since leader and challengers alternate by tracking. This
    is excluded for all D. If price_a <= price_c, D = 0 at the least x is the worst. Else D < K - 2 has d = 1 and the
    largest x; from there on, with y = D + 1, price_c / (found_c - y/(K-2)) - (price_a - price_c) / (leader - room -
    ratio y) increases where the root of the slopes' quotient, linear in y, is in order at both ends.
    """
    rivals, ratio, room = price.size - 2, beta / (1 - beta), 2 / (1 - beta)
    if rivals == 0:
        return True
    early = leader - room - ratio * rivals
    if early <= 0:
        return False
    for c in range(price.size):
        if c == b or found[c] == count[c]:
            continue
        for a in range(price.size):
            if a == b or a == c:
                continue
            x = 1 / leader if price[a] <= price[c] else 1 / early
            if not SAFE * price[a] * (x + 1 / found[a]) < price[c] * (x + 1 / (found[c] - 1)):
                return False
            if price[a] > price[c]:
                one, other = np.sqrt(price[c] * rivals), np.sqrt((price[a] - price[c]) * ratio)
                last = min(others, rivals * (found[c] - count[c]))
                for y in (float(rivals), last):
                    if one * (leader - room - ratio * y) < other * (rivals * found[c] - y):
                        return False
    return True
