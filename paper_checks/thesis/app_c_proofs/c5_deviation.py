r"""Appendix C.5, page 233: the deviation C_G of Gaussian arms, and the time-uniform bound that it enters.

The minimum in C_G is enclosed by a tangent of the convex g_G (``theory.best_arm.thresholds``). It grows like
x + log(x)/2: the printed x + log x is equivalent to it, and wrong in its second term.
"""

from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.studies import simulated
from banditproof.theory.best_arm.thresholds import gaussian_deviation

FAR = ["10", "1000", "1000000", "1000000000000", "1" + 30 * "0"]


@claim("ALG-EQC.30/second-term", fails_at(x="1" + 30 * "0"), role="reading")
def second_term(x: Annotated[Any, "[10, inf)"], share=1, slack=5):
    r"""$\mathcal C_G(x)\approx x+\log x$, read with its second term: $|\mathcal C_G(x)-x-\log x|\le5$."""
    return absolute(gaussian_deviation(x) - x - to_ball(share) * log(x)), "<=", slack


@repaired(
    "ALG-EQC.30/second-term-repaired",
    "ALG-EQC.30/second-term",
    enumerated(x=FAR),
    deduced(),
    false=[{"share": "0.6"}, {"share": "0.4"}],
)
def half_a_logarithm(share=Fraction(1, 2)):
    r"""$|\mathcal C_G(x)-x-\frac12\log x|\le5$ for $x\ge10$.

    At w = 1 - 1/(2x) the value is x + log(2x)/2 + 5/2 - log 16 + log zeta(2) up to what vanishes.
    """


HORIZON = 1024


def run_deviations(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """The largest sum over arms of N (mean - mu)^2 / (2 sigma^2) - 2 log(4 + log N), over times up to the horizon.

    Two Gaussian and two Bernoulli arms (sigma = 1/2); the pair is sampled greedily, the arm that is further off first.
    """
    arrays: Arrays = {}
    for law, seed in zip(("normal", "binary"), seeds.spawn(2), strict=True):
        draw, rows = np.random.default_rng(seed), np.arange(runs)
        mu = np.array([0.3, 0.5])
        pulls, sums = np.zeros((runs, 2)), np.zeros((runs, 2))
        one, two = np.full(runs, -np.inf), np.full(runs, -np.inf)
        for time in range(HORIZON):
            excess = sums**2 / np.maximum(pulls, 1)
            arm = np.where(pulls.min(axis=1) == 0, time % 2, excess.argmax(axis=1))
            noise = draw.normal(0, 0.5, runs) if law == "normal" else (draw.random(runs) < mu[arm]) - mu[arm]
            sums[rows, arm] += noise
            pulls[rows, arm] += 1
            seen = np.maximum(pulls, 1)
            terms = np.where(pulls > 0, 2 * sums**2 / seen - 2 * np.log(4 + np.log(seen)), -np.inf)
            one, two = np.maximum(one, terms[:, 0]), np.maximum(two, terms.sum(axis=1))
        arrays[f"{law}, 1"], arrays[f"{law}, 2"] = one, two
    return arrays | far_out(seeds.spawn(1)[0], runs)


def far_out(seed: np.random.SeedSequence, runs: int) -> Arrays:
    """The same for one Gaussian arm at the times floor(e^(k / 10)) between e^7 and e^400, and with less taken off.

    "far, 1" is the sum of the statement, "without" has no logarithms, "constant" has 2 log 4 for 2 log(4 + log N).
    """
    times = np.floor(np.exp(np.arange(70, 4000) / 10))
    kept = np.sqrt(times[:-1] / times[1:])
    draw = np.random.default_rng(seed)
    normal = draw.standard_normal(runs)  # the sum of the deviations over the root of its variance
    half, reduced = normal**2 / 2, np.full(runs, -np.inf)
    for share, time in zip(kept, times[1:], strict=True):
        normal = share * normal + np.sqrt(1 - share**2) * draw.standard_normal(runs)
        half = np.maximum(half, normal**2 / 2)
        reduced = np.maximum(reduced, normal**2 / 2 - 2 * np.log(4 + np.log(time)))
    return {"far, 1": reduced, "far, without": half, "far, constant": half - 2 * np.log(4)}


DEVIATIONS = Study("thesis-time-uniform-deviations", run_deviations, {"runs": 6000}, {"runs": 40_000})
LEVELS = (0.1, 1.0, 3.0, 5.0)


@claim(
    "ALG-LC.32",
    simulated(DEVIATIONS, arms=[1, 2], x=[Fraction(str(level)) for level in LEVELS]),
    false=[{"share": 0}, {"logarithms": "without"}, {"logarithms": "constant"}],
    studies=[DEVIATIONS],
)
def time_uniform_deviation(arms: Count, x: Positive, share=1, logarithms="with", *, arrays):
    r"""$\Pr\bigl(\exists n:\sum_{a\in S}\frac{N_{n,a}}{2\sigma^2}(\mu_{n,a}-\mu_a)^2>\sum_{a\in S}2\log(4+\log
    N_{n,a})+|S|\,\mathcal C_G(x/|S|)\bigr)\le e^{-x}$ for $\sigma$-sub-Gaussian arms and any sampling (with the
    logarithms).

    Without the logarithms, or with log 4 in their place, the bound fails far out. The margin is large: half of C_G
    would be enough here.
    """
    far = {"with": "far, 1"}.get(logarithms, f"far, {logarithms}")
    cases = [(f"{law}, {size}", size) for law in ("normal", "binary") for size in (1, 2)]
    for name, size in (*cases, (far, 1)):
        for level in LEVELS:
            bound = float(share) * size * gaussian_deviation(level / size)
            at_most = Fraction(float(np.exp(-level))).limit_denominator(10**9)
            yield f"{name} arms, x = {level}", arrays[name] > bound, "<=", at_most
