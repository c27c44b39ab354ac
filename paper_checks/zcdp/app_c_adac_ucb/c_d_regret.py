"""Appendix C-D: steps of the proofs of Theorems 10 and 11, the regret of AdaC-UCB. L stands for beta log T."""

from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms import AdaCUCB, BernoulliBandit, NoiseSource, simulate
from banditproof.claims.language import *
from banditproof.paper_checks.zcdp.facts import AboveThree
from banditproof.verify import Relation, event_test

Instance = Annotated[Any, "all: every instance with rewards in [0, 1]"]
HORIZON, BETA = 100_000, 4
MEANS = {"two arms": (0.75, 0.5), "five arms": (0.75, 0.625, 0.5, 0.375, 0.25), "sure arms": (1.0, 0.0)}
RHOS = {"1/100": 0.01, "1": 1.0, "1/100000": 0.00001, "1/10000000": 0.0000001}
CASES = [*((name, rho) for name in list(MEANS)[:2] for rho in ("1/100", "1")), ("two arms", "1/100000")]
CASES += [("sure arms", "1/10000000")]  # where most of the regret is the price of privacy


def run_adac_ucb(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """Regret and pulls of the last arm at the horizon, and a uniform variable, for every run."""
    arrays = {}
    for (name, rho), seed in zip(CASES, seeds.spawn(len(CASES)), strict=True):
        rewards, noise, coins = (np.random.default_rng(s) for s in seed.spawn(3))
        means = MEANS[name]
        policy = AdaCUCB(len(means), Budget.zcdp(RHOS[rho]), NoiseSource(noise), beta=float(BETA), replications=runs)
        result = simulate(policy, BernoulliBandit(means), HORIZON, rewards)
        key = f"{name}, rho {rho}"
        arrays[key], arrays[f"{key}, uniform"] = result.regret[:, 0], coins.random(runs)
        arrays[f"{key}, pulls"] = result.pulls[:, -1]
    return arrays


RUNS = Study("zcdp-adac-ucb-regret", run_adac_ucb, {"runs": 40_000}, {"runs": 400_000})


def mean_test(event: str, values: Any, uniform: Any, largest: float, bound: float) -> dict[str, Any]:
    """That the mean of values in [0, largest] is at most `bound`, as the probability of an event."""
    share = Fraction(min(1.0, bound / largest)).limit_denominator(10**6)
    said = f"{event}: a uniform variable is below its share of {largest:g}"
    return event_test(said, uniform * largest < values, "<=", share)


def mean_over_runs(measured: str = "") -> step:
    """The step that compares the mean regret (or pulls of the last arm) of the study with the relation's right side."""

    def gather(check: Check, relation: Relation) -> bool:
        def tests(stream: str) -> list[dict[str, Any]]:
            arrays, events = check.study(RUNS, stream), []
            for name, rho in CASES:
                means, key = MEANS[name], f"{name}, rho {rho}"
                largest = HORIZON * (1 if measured else max(means) - min(means))
                bound = float(relation(means, HORIZON, RHOS[rho], BETA, **check.constants)[2])
                events.append(mean_test(key, arrays[key + measured], arrays[f"{key}, uniform"], largest, bound))
            return events

        instances = f"all: {len(MEANS)} Bernoulli bandits"
        covers = check.domain.restrict(instance=instances, horizon=[HORIZON], beta=[BETA], rho=list(RHOS))
        return check.statistics(tests, covers=covers, routes=("mean as a probability", "the stated bound"))

    return step(gather, "statistics")


def misleading_block(
    gap: float, rho: float, level: int, horizon: int = HORIZON, beta: float = BETA, best: float = 0.75
) -> float:
    """P(G^c) for arms of means best and best - gap: the index of a block of 2^level rewards is at least mu_1."""
    from scipy.stats import binom, norm

    n = 2**level
    radius = np.sqrt((1 / (2 * n) + 1 / (rho * n**2)) * beta * np.log(horizon))
    k = np.arange(n + 1)
    needed = norm.sf((best - radius - k / n) * n * np.sqrt(2 * rho))
    return float((binom.pmf(k, n, best - gap) * needed).sum())


@claim(
    "ZCDP-PF4/adac-ucb", mean_over_runs(", pulls"), false=mutation("an eighth of the pulls", offset=-2), studies=[RUNS]
)
def pulls_of_the_last_arm(instance: Instance, horizon: Count, rho: Positive, beta: AboveThree, offset=1, *, pulls=0):
    r"""For AdaC-UCB and every $\ell$: $\mathbb E[N_a(T)]\le2^{\ell+1}+\mathbb P(G^c_{a,\ell,T})T+\frac\beta{\beta-3}$.

    The right side is the smallest of the bounds over block lengths, with P(G^c) from the exact law of the block.
    """
    gap = instance[0] - instance[-1]
    bounds = [
        2.0 ** (m + offset) + misleading_block(gap, rho, m, horizon, beta, instance[0]) * horizon for m in range(15)
    ]
    return pulls, "<=", min(bounds) + beta / (beta - 3)


@claim("ZCDP-PF4/last-term", deduced(), false={"three": 1}, role="step")
def last_term(excess: Positive, three=3):
    r"""The pulls for which the index of arm 1 is too small:
    $\sum_{t\ge3}(t/2)^{2-\beta}\le\frac2{\beta-3}\le1+\frac{3}{\beta-3}$, which is $\frac\beta{\beta-3}$.

    There are at most t/2 starts in (t/2, t], at most phi lengths for each, and each pair has probability phi^-beta; the
    sum is at most an integral from 2.
    """
    return 2 / excess, "<=", three / excess + 1


@claim("ZCDP-PF5", deduced(), false=[mutation("1.9", lead="1.9"), mutation("noise 1", noise=1)])
def blocks_that_separate(root_level: Positive, gap: Positive, root_rho: Positive, more: Nonnegative, lead=2, noise=2):
    r"""(18) $\Delta_a<2b_{\ell,T}$ implies $2^\ell<\frac{2\beta}{\Delta_a^2}\log
    T+2\sqrt{\frac\beta{\rho\Delta_a^2}}\sqrt{\log T}$: otherwise $\Delta_a\ge2b_{\ell,T}$ (variables $\sqrt{\beta\log
    T}$, $\sqrt\rho$, and by how much $2^\ell$ exceeds the bound).

    The condition gap^2 >= 4 b^2 for blocks of x rewards, times x^2, leads to the root of gap^2 x^2 - 2 L x - 4 L/rho,
    with sqrt(u + v) <= sqrt(u) + sqrt(v).
    """
    x = lead * root_level**2 / gap**2 + noise * root_level / (root_rho * gap) + more
    return 4 * (x / 2 + 1 / root_rho**2) * root_level**2, "<=", gap**2 * x**2


@claim("ZCDP-PF6/rounding", deduced(), false={"factor": "3.9"})
def rounding_to_a_power(level: Natural, share: AboveZero, factor=4):
    r"""$2^{\ell+1}\le4x$ for $\ell=\lceil\log_2x\rceil$.

    Here x = 2^(l-1) (1 + share), and both sides are doubled. l is not negative, since x >= 2 beta log(2) > 1/2 for two
    arms, T >= 2 and gaps of at most 1.
    """
    return 4 * 2**level, "<=", factor * 2**level * (1 + share)


@claim("ZCDP-PF6/tail", deduced(), false=mutation("a hundred times", times=100))
def tail_is_absorbed(horizon: AtLeastOne, excess: Positive, times=1):
    r"""$T\cdot T^{-\beta}\le\frac\beta{\beta-3}$ for $T\ge1$ and $\beta>3$.

    The logarithms of both sides are compared, with beta = 3 + excess.

    (The bound also holds for twice T^(1-beta), which the argument over all block lengths needs, for T >= 2.)
    """
    return log(times + 0 * horizon) - (2 + excess) * log(horizon), "<=", log((3 + excess) / excess)


@claim("ZCDP-PF6/regret", deduced(), false=[{"lead": "7.9"}, {"noise": "7.9"}, {"lead": "8.1"}, {"noise": "8.1"}])
def regret_of_an_arm(root_log: Positive, root_beta: Positive, gap: Positive, root_rho: Positive, lead=8, noise=8):
    r"""$\Delta_a\cdot4x=\frac{8\beta}{\Delta_a}\log T+8\sqrt{\frac\beta\rho}\sqrt{\log T}$.

    Here x is that of (18), and 4 x is the leading part of (19). This is a displayed identity: the left side has x as in
    (18), the right side is that of the theorem, and any other constant makes it wrong.
    """
    beta, log_T = root_beta**2, root_log**2
    x = 2 * beta * log_T / gap**2 + 2 * root_beta * root_log / (root_rho * gap)
    return 4 * x * gap, "==", lead * beta * log_T / gap + noise * root_beta * root_log / root_rho
