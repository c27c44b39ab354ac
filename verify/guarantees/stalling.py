"""Does a policy ever stop trying an arm? Then its regret is linear, in runs too rare for a simulation.

Let arm b pay nothing, beside one that pays 0.9. An arm with mean above 0.9 shows the same first n rewards with
probability (1 - mean)^n > 0. A policy that pulls b no more than n times, however long it plays, loses it for good in
all these runs: its regret on that instance is at least (1 - mean)^n (mean - 0.9) (T - n), linear in T. So where regret
grows more slowly than every power of T, the pulls of b grow without end, like log T / log 10 at least (Lai and
Robbins). Rare runs need not be waited for: the instance on which b pays nothing shows what happens in them.

That the pulls grow is looked at in pairs of independent runs, one `EARLIER` times as long as the other: a pair stalls
where the longer run has pulled such arms hardly more often than the shorter one (by less than half of what log T asks
for), and so rarely that a good arm may be lost.
Of a policy that has stopped trying nearly every pair stalls, and few of any other. That at most half of them stall is
what is tested, only where the reference, the algorithm of the same name, passes at that horizon. The theory speaks of T
to infinity: a policy that stalls at a finite T may go on later, so it is not accused, and does not pass either.
"""

from __future__ import annotations

from math import log

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit
from banditproof.verify.guarantees.regret import MakePolicies, regret_of_runs
from banditproof.verify.guarantees.sequential import Draw
from banditproof.verify.stopwatch import Meter

MEANS = ("0.9", "0", "0", "0")  # three arms, so that their pulls together seldom stay the same by chance
MEANS_HALF = ("0.5", *MEANS[1:])
HORIZONS, EARLIER = (100_000, 20_000), 16  # of the longer runs, and how many times shorter the others are
AT_MOST = 0.5  # share of pairs that may stall
EXCLUDED = 0.97  # share of pairs that is excluded before a policy passes
GROWN = 0.5  # of the growth of log T / -log(1 - mean): a pair that shows less stalls
FEW, MANY = 4, 32  # pairs of the first round at either horizon
REFERENCE, REFERENCE_STALLS = 8, 0.25  # pairs of the reference, and the share of them that may stall


def stalled_pairs(
    longer: MakePolicies, shorter: MakePolicies, T: int, seed: int, meter: Meter | None, means: tuple[str, ...] = MEANS
) -> Draw:
    """Draws whether pairs of runs stall, 1 or 0: arms that pay nothing are pulled hardly more in T pulls than before,
    and so rarely that an arm as good as the best one shows nothing so often with a probability above 1 / T^2.

    `longer` and `shorter` make the policies for T pulls and for T / EARLIER.
    """
    environment = BernoulliBandit([float(mean) for mean in means])
    of_a_pull, arms = environment.means.max(), len(means) - 1
    needed = -1 / log(1 - of_a_pull)  # pulls of an arm, times log T
    few = GROWN * arms * needed * log(EARLIER)
    late = regret_of_runs(longer, environment, T, seed, None, meter=meter)
    early = regret_of_runs(shorter, environment, T // EARLIER, seed + 1, None, meter=meter)

    def draw(count: int) -> np.ndarray:
        after, before = late(count) / of_a_pull, early(count) / of_a_pull  # pulls of arms that pay nothing
        return ((after < before + few) & (after < arms * 2 * needed * log(T))).astype(float)

    return draw
