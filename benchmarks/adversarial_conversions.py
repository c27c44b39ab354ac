"""The conversions of private adversarial bandits at T = 10^6, K = 10, 50 runs, against a plain Python loop of one run.

    python benchmarks/adversarial_conversions.py [horizon]

The runs are compiled (extra `fast`); the compiler's own time is not counted. The plain loop plays EXP3 with mixing in
batches, one replication, no arrays; its time is measured on a tenth of the horizon and scaled to all runs.
"""

import math
import random
import sys
from time import perf_counter

import numpy as np

from banditproof.algorithms.adversarial.compiled import play_compiled
from banditproof.algorithms.adversarial.conversion import PrivateBatches, batch_for
from banditproof.algorithms.adversarial.experts import EXP4, FromBandit, PrivateEXP4
from banditproof.algorithms.adversarial.learners import EXP3, FTPL, HTINF
from banditproof.algorithms.adversarial.losses import LossTable, hard_losses, hard_panel
from banditproof.algorithms.noise import NoiseSource
from banditproof.theory import Budget
from banditproof.theory.bounds.adversarial import exp3_parameters, ftpl_parameters

ARMS, RUNS, EPSILON = 10, 50, 0.1


def plain_exp3(losses, rate, mixing, batch, epsilon, seed):
    """One run of the EXP3 conversion, pull by pull; its total loss."""
    draw, weights, lost = random.Random(seed), [0.0] * ARMS, 0.0
    for start in range(0, len(losses), batch):
        top = max(weights)
        powers = [math.exp(w - top) for w in weights]
        whole = sum(powers)
        chances = [(1 - mixing) * w / whole + mixing / ARMS for w in powers]
        arm = draw.choices(range(ARMS), chances)[0]
        heard = 0.0
        for t in range(start, min(start + batch, len(losses))):
            heard += losses[t][arm]
        lost += heard
        noise = draw.expovariate(1) - draw.expovariate(1)
        weights[arm] -= rate * (heard + noise / epsilon) / batch / chances[arm]
    return lost


def main(horizon: int = 10**6) -> None:
    """Prints seconds per conversion and the ratio to the plain loop."""
    table = hard_losses("stochastic", horizon, ARMS)
    panel = hard_panel("drifting", ARMS, ARMS)
    rate, mixing = (float(x) for x in exp3_parameters(ARMS, horizon, EPSILON))
    scale, cap = (float(x) for x in ftpl_parameters(ARMS, horizon, EPSILON))

    def htinf(generator):
        return PrivateBatches(HTINF(ARMS, generator, sigma=6**0.5, replications=RUNS), budget, NoiseSource(generator))

    budget, approximate = Budget.pure(EPSILON), Budget.approximate(EPSILON, 1e-6)
    policies = {
        "EXP3": lambda g: PrivateBatches(
            EXP3(ARMS, g, rate=rate, mixing=mixing, replications=RUNS), budget, NoiseSource(g)
        ),
        "FTPL": lambda g: PrivateBatches(FTPL(ARMS, g, rate=scale, cap=cap, replications=RUNS), budget, NoiseSource(g)),
        "HTINF": htinf,
        "experts from HTINF": lambda g: FromBandit(htinf(g), panel, g),
        "local EXP4": lambda g: PrivateBatches(
            EXP4(panel, g, rate=rate, mixing=mixing, replications=RUNS), budget, NoiseSource(g), batch=1
        ),
        "batched EXP4": lambda g: PrivateEXP4(
            panel, approximate, NoiseSource(g), g, batch=1000, rate=rate, mixing=0.1, replications=RUNS
        ),
    }
    taken = {}
    for name, make in policies.items():
        play_compiled(make(np.random.default_rng(0)), LossTable(table.losses[:100]))
        start = perf_counter()
        played = play_compiled(make(np.random.default_rng(0)), table)
        taken[name] = perf_counter() - start
        regret = played.regret.mean()
        print(f"{name}: {taken[name]:.1f} s, regret {regret:.0f}", flush=True)
    listed = table.losses[: horizon // 10].tolist()
    start = perf_counter()
    plain_exp3(listed, rate, mixing, int(batch_for(EPSILON)), EPSILON, 0)
    plain = 10 * (perf_counter() - start)
    print(f"plain EXP3, one run: {plain:.1f} s; {RUNS} runs take {RUNS * plain / taken['EXP3']:.0f} times as long")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
