"""Does what a policy knows of an arm grow with its pulls? If it does not, two close arms are confused for ever.

One arm pays at every pull, the other one at half of them. Then the first one stops paying. A policy that knows it from
n pulls needs more pulls to leave it the larger n is: a mean of n ones falls below 1/2 after n zeros, and so does a
batch of a share of all pulls, a median, or what a posterior knows. One that pulls it as often after a past of 16,000 as
after one of 1,000 forgets: a window, a queue with `maxlen`, a discount, a restart now and then. What it knows has an
error that stays, so the order of two arms that are close enough is told wrongly in a share of all pulls.

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

PASTS, LATER = (1000, 16_000), 3000  # pulls before the better arm stops paying, and after that
LONGEST = PASTS[-1] + LATER
RUNS, PULLS = 8, 2 * (sum(PASTS) + 2 * LATER)  # runs in all, and pulls in which half of them move together
# Parts of the longer past and of what follows, where there is no time for all of it, and times as many pulls after the
# longer past as are called as many: batches that double go on 1.4 times longer after four times the past.
SCALES = {1: 1.6, 4: 1.25}
LEFT, KNOWN = 0.5, 0.75  # shares of pulls of the better arm: below, it has been left; above, it was known as better


def pulls_of_left(make: MakePolicies, past: int, seed: int, meter: Meter | None, later: int = LATER) -> float:
    """How often the arm that was better for a `past` is pulled when it pays no more, on average.

    inf if it is not left in the `later` pulls, or if it was not known to be better.
    """
    times = [past - past // 4, past, past + later // 2, past + later]
    pulls = []
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
        others = np.diff(played.regret, axis=1) / Turning.GAP
        pulls.append((np.diff(times) - others).mean(axis=0))
    before, first, last = np.mean(pulls, axis=0)
    left = before > KNOWN * (past // 4) and last < LEFT * (later - later // 2)
    return float(first + last) if left else inf


def forgets_after(make: MakePolicies, seed: int, meter: Meter | None, scale: int = 1) -> float:
    """As many pulls as show that an arm pays no more, however long the past was; inf where more are needed then.

    The longer past, and what follows either, are so many times shorter.
    """
    first = pulls_of_left(make, PASTS[0], seed, meter, LATER // scale)
    later = inf if first == inf else pulls_of_left(make, PASTS[-1] // scale, seed + 1, meter, LATER // scale)
    return later if later <= SCALES[scale] * first else inf
