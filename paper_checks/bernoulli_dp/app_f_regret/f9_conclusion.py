r"""Appendix F.7 and F.9: the two halves of Theorem 4.3, counting the pulls of a run, and other batches (SF.2).

The bounds are asymptotic and about the mean, which rare runs dominate. Their proofs are checked step by step in
f7_batches, f7_decisions and f7_imed; what the repaired steps give together, with explicit constants, is in
facts.regret and decides here. Besides, simulated regret is followed up to very large horizons, where a batched run
costs a logarithmic number of draws. It shows medians, with distribution-free intervals, and no more than that.
"""

import itertools
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms.batches import GeometricBatches, PolynomialBatches
from banditproof.claims.language import *
from banditproof.paper_checks.bernoulli_dp.facts.regret import *


def run_of_choices(choices: list[int], arms: int, alpha: Fraction, n0: int, horizon: int) -> list[tuple[int, int, int]]:
    """The batches of a run whose decisions are prescribed: (arm, its pulls before, length), the first ones included."""
    schedule, done, batches, clock = GeometricBatches(alpha, n0), [0] * arms, [], 0
    for arm in itertools.chain(range(arms), choices):
        if clock >= horizon:
            break
        batches.append((arm, schedule.total(done[arm] - 1), schedule.size(done[arm])))
        done[arm] += 1
        clock += batches[-1][2]
    return batches


Choices = Annotated[Any, "all: every sequence of selected arms"]
DECISIONS = {1: 6, 2: 6, 3: 4}  # by arms, after the first batches; every later batch has at least two pulls
HORIZONS = (2, 9, 11)  # every run below lasts at least 11 pulls
RUNS = [
    {"choices": list(choices), "arms": arms, "alpha": alpha, "n0": n0, "horizon": horizon}
    for arms, length in DECISIONS.items()
    for choices in itertools.product(range(arms), repeat=length)
    for alpha, n0, horizon in itertools.product((Fraction(3, 2), Fraction(2)), (1, 2), HORIZONS)
]
COUNTED = enumerated(
    RUNS,
    covers={"choices": "all: every sequence of 6 (3 arms: 4) decisions"},
    rational=True,
    routes=("runs of Algorithm 1 counted pull by pull", "the bound, exact"),
)


@claim("BDP-TF.7/34", COUNTED, false={"initial": 0}, role="step")
def pulls_are_counted_by_batches(choices: Choices, arms: Count, alpha: AboveOne, n0: Count, horizon: Count, initial=1):
    r"""(34): an arm is pulled at most $n_0+\sum_{t\le T}\sum_mB_{m+1}\mathbb 1[i(t)=i,N_i(t-1)=n_m,t\in\mathcal T]$
    times up to $T$, whatever is selected

    The left side is the largest excess, over the arms, of the number of pulls up to T over n_0 plus all batches chosen
    for the arm up to T.
    """
    pulls, chosen, clock = [0] * arms, [0] * arms, 0
    for arm, before, size in run_of_choices(choices, arms, alpha, n0, horizon):
        pulls[arm] += min(size, horizon - clock)
        chosen[arm] += size if before else 0
        clock += size
    return max(p - initial * n0 - c for p, c in zip(pulls, chosen, strict=True)), "<=", 0


@claim("BDP-TF.7/38-once", COUNTED, false={"times": 0}, role="step")
def a_count_is_met_once(choices: Choices, arms: Count, alpha: AboveOne, n0: Count, horizon: Count, times=1):
    r"""before (38): $\{i(t)=i,\,N_i(t-1)=n_m\}$ occurs at most once for each $m$

    The left side is the largest number of pulls, over arms and m, at which the arm has had exactly n_m pulls before.
    """
    met: Counter[tuple[int, int]] = Counter()
    pulls = [0] * arms
    boundaries = set(itertools.takewhile(lambda n: n <= 2 * horizon, GeometricBatches(alpha, n0).totals()))
    for arm, _, size in run_of_choices(choices, arms, alpha, n0, horizon):
        met.update((arm, n) for n in range(pulls[arm], pulls[arm] + size) if n in boundaries)
        pulls[arm] += size
    return max(met.values(), default=0), "<=", times


@claim("BDP-TF.7", *explicit_bounds(["DP-IMED"]), assuming=SHARP, false=FALSE)
def regret_of_dp_imed(means: Means, alpha: AboveOne, n0: Count, epsilon: Positive, factor=1, power=1):
    r"""for $\mu^\star<1$ and batches (14) with $\alpha>1$, DP-IMED satisfies $\mathrm{Reg}_T\le\sum_{i\ne i^*}
    \frac{\alpha\Delta_i\log T}{d_\epsilon(\mu_i,\mu^\star)}+o(\log T)$"""
    return against_what_is_lost(means, epsilon, alpha, factor, power)


@claim("BDP-TF.9", *explicit_bounds(["DP-KLUCB"]), assuming=SHARP, false=FALSE)
def regret_of_dp_klucb(means: Means, alpha: AboveOne, n0: Count, epsilon: Positive, factor=1, power=1):
    r"""for $\mu^\star<1$ and batches (14) with $\alpha>1$, DP-KLUCB satisfies $\mathrm{Reg}_T\le\sum_{i\ne i^*}
    \frac{\alpha\Delta_i\log T}{d_\epsilon(\mu_i,\mu^\star)}+o(\log T)$"""
    return against_what_is_lost(means, epsilon, alpha, factor, power)


item(
    "BDP-SF.2",
    r"""the analysis only needs the number of batches to be sublinear in $T$; hence polynomially increasing batches may
    replace the geometric ones, which makes the regret asymptotically optimal (constant 1 in place of $\alpha$)""",
    domain=Domain.of(means=EVERY_BANDIT, epsilon="(0, inf)", power="integer [1, inf)"),
)


def run_polynomial(
    seed: np.random.SeedSequence, runs: int, decades: Sequence[int], policies: Sequence[str]
) -> dict[str, np.ndarray]:
    """Batches B_m = (m + 1)^2, and for contrast geometric ones of ratio 4."""
    horizons = [10**d for d in decades]
    schedules = {"polynomial": PolynomialBatches(2), "geometric": GeometricBatches(4, 1)}
    names = list(itertools.product(schedules, policies))
    regret = {
        f"{name}: {policy}": normalised_regret(policy, "spread", schedules[name], horizons, runs, child)
        for (name, policy), child in zip(names, seed.spawn(len(names)), strict=True)
    }
    return {"horizons": np.array(horizons), **regret}


POLYNOMIAL = Study(
    "regret-of-polynomial-batches",
    run_polynomial,
    {"runs": 200, "decades": (4, 5, 6, 7, 8, 9), "policies": ("DP-IMED",)},
    {"runs": 400, "decades": (4, 5, 6, 7, 8, 9, 10), "policies": ("DP-IMED", "DP-KLUCB")},
)


def medians_of(policy: str) -> step:
    """The step of one policy, under the profiles that run it."""

    def follow(check: Check, relation: Any) -> bool:
        if policy not in POLYNOMIAL.parameters(check.profile)["policies"]:
            return True
        data, constants = check.study(POLYNOMIAL), check.constants
        series = median_series(data["horizons"], data[f"{constants['schedule']}: {policy}"])
        bound = float(constants["factor"] * (1 + constants["tolerance"]))
        covers = check.domain.restrict(means="all: the instance 'spread'", epsilon=[1], power=[2])
        return check.trend("stays_below", series, f"{policy}, B_m = (m + 1)^2", covers, MEDIANS, bound=bound)

    return step(follow, "trend")


@claim(
    "BDP-SF.2/medians",
    medians_of("DP-IMED"),
    medians_of("DP-KLUCB"),
    false=[{"factor": "1/2"}, {"schedule": "geometric"}],
    role="remark",
    studies=[POLYNOMIAL],
)
def regret_with_polynomial_batches(
    means: Means, epsilon: Positive, power: Count, schedule="polynomial", factor=1, tolerance=Fraction(2, 5)
):
    r"""polynomial batches: for large $T$ the median of $\mathrm{Reg}_T/\log T$ is at most
    $(1+2/5)\sum_{\Delta_i>0}\Delta_i/d_\epsilon(\mu_i,\mu^\star)$ (the mean is beyond simulation)

    The tolerance is for lower-order terms: after the few pulls of a suboptimal arm, B_{m+1}/n_m is still near 1/4.
    """
