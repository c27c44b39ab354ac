"""The compiled rounds of a Top Two sampling rule; `top_two_schedule` calls them.

Importing this module imports numba. Functions that call each other stay in one module: a cached caller does not notice
an edit elsewhere.
"""

from __future__ import annotations

import numpy as np
from numba import njit

SHORT = 200  # rounds that are stepped through sooner than leapt over
TRIES = 40
SAFE = 1 + 1e-9  # rounding decides no comparison that holds with this factor


@njit(cache=True, error_model="numpy")
def _balanced(price, count, b, inverse, more, counts):
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
            counts[a] = max(count[a], np.floor(1 / (high / price[a] - inverse)))
            more -= counts[a]
    if not 0 <= more <= 2 * price.size:
        return False
    while more > 0:
        most, arm = -np.inf, 0
        for a in range(price.size):
            if a != b and price[a] * (inverse + 1 / counts[a]) > most:
                most, arm = price[a] * (inverse + 1 / counts[a]), a
        counts[arm] += 1
        more -= 1
    return True


@njit(cache=True, error_model="numpy")
def _certain(price, count, b, leader, others, counts, beta):
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
        if c == b or counts[c] == count[c]:
            continue
        for a in range(price.size):
            if a == b or a == c:
                continue
            x = 1 / leader if price[a] <= price[c] else 1 / early
            if not SAFE * price[a] * (x + 1 / counts[a]) < price[c] * (x + 1 / (counts[c] - 1)):
                return False
            if price[a] > price[c]:
                one, other = np.sqrt(price[c] * rivals), np.sqrt((price[a] - price[c]) * ratio)
                last = min(others, rivals * (counts[c] - count[c]))
                for y in (float(rivals), last):
                    if one * (leader - room - ratio * y) < other * (rivals * counts[c] - y):
                        return False
    return True


@njit(cache=True, error_model="numpy")
def _leap(price, count, goal, b, beta, total, tracked):
    """Move the counts on by as many rounds as are certain, short of the end; returns total and tracked."""
    rival, counts = -1, count.copy()
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
            counts[rival] = count[rival] + others
        elif not _balanced(price, count, b, 1 / leader, others, counts):
            rounds = np.floor(rounds / 2)
            continue
        within = 1.0
        for a in range(price.size):
            if a != b and counts[a] >= goal[a]:
                within = min(within, (goal[a] - 1 - count[a]) / (counts[a] - count[a]))
        if within < 1 or leader >= goal[b]:
            rounds = np.floor(rounds * within) - 1
        elif rival >= 0 or _certain(price, count, b, leader, others, counts, beta):
            counts[b] = leader
            count[:] = counts
            total, tracked = total + int(rounds), tracked + int(of_leader)
            rounds = np.floor((goal[b] - count[b]) / beta) - 2
        else:  # the order of the last pulls is open: a little earlier it may not be
            rounds = rounds - 3 if attempt % 4 else np.floor(0.7 * rounds)
    return total, tracked


@njit(cache=True, error_model="numpy")
def stepped_apart(leader, price, pulls, room, led, own, beta):
    """`pulls_until_doubling`, replication by replication; `price` is 1 / worth."""
    replications, arms = pulls.shape
    added = np.zeros((replications, arms), dtype=np.int64)
    rounds = np.zeros(replications, dtype=np.int64)
    for r in range(replications):
        b, tracked, total = leader[r], own[r], led[r]
        count, of_arm = pulls[r].copy(), price[r].copy()
        goal = count + room[r]
        if tracked == np.floor(beta * total) + 1:  # as it is from the first round led on
            total, tracked = _leap(of_arm, count, goal, b, beta, total, tracked)
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
