"""Does what a policy knows of an arm grow with its pulls? If it does not, two close arms are confused for ever.

One arm pays at every pull, the other one at half of them. Then the first one stops paying. A policy that knows it from
n pulls leaves it after pulls that grow with n: a mean of n ones falls below 1/2 after n zeros, and so does a batch of a
share of all pulls, a median, or what a posterior knows. One that has left it after as many pulls after a past of
16,000 as after one of 1,000 forgets: a window, a queue with `maxlen`, a discount, a restart now and then. What it knows
has an error that stays, so the order of two arms that are close enough is told wrongly in a share of all pulls.

That is no proof: a policy may adapt to what changes, and know all of what does not. So it is not accused of it, and
does not pass either; longer runs may show what it costs.
"""

from __future__ import annotations

from math import inf

import numpy as np

from banditproof.algorithms.run.sweep import simulate_chunks
from banditproof.verify.guarantees.rare_errors import Turning
from banditproof.verify.guarantees.regret import MakePolicies, simulated
from banditproof.verify.stopwatch import Meter

PASTS = (1000, 16_000)  # pulls before the better arm stops paying
LATER = np.unique((16 * 2 ** (np.arange(16) / 2)).astype(int))  # pulls after that, up to 2,896
LONGEST = PASTS[-1] + int(LATER[-1])
RUNS = 16
ALIKE = 1.6  # times as many pulls after the longer past are as many
LEAVES, KNOWS = 0.5, 0.75  # shares of pulls of the better arm: below, it has been left; above, it was known as better


def pulls_until_left(make: MakePolicies, past: int, seed: int, meter: Meter | None) -> float:
    """The pulls after which the arm that was better for a `past` is pulled less than the other one.

    inf if that takes longer than was looked at, or if the arm was not known to be better.
    """
    times = [past - past // 4, past, *(past + LATER)]
    shares = []
    for best in (0, 1):
        played = simulate_chunks(
            make,
            Turning(best, past),
            times[-1],
            replications=RUNS // 2,
            seed=np.random.SeedSequence(seed, spawn_key=(past, best)),
            record_times=times,
            chunk_size=RUNS,
            workers=1,
            engine=lambda *given: simulated(meter, *given),
        )
        shares.append(1 - np.diff(played.regret, axis=1).mean(axis=0) / Turning.GAP / np.diff(times))
    known, _, *after = np.mean(shares, axis=0)[[0, 0, *range(1, len(times) - 1)]]
    left = (int(pulls) for pulls, share in zip(LATER, after, strict=True) if share < LEAVES)
    return next(left, inf) if known > KNOWS else inf


def forgets_after(make: MakePolicies, seed: int, meter: Meter | None) -> float:
    """As many pulls as pasts of both lengths are forgotten after; inf where the longer one is remembered for longer."""
    first = pulls_until_left(make, PASTS[0], seed, meter)
    later = inf if first == inf else pulls_until_left(make, PASTS[-1], seed + 1, meter)
    return later if later <= ALIKE * first else inf
