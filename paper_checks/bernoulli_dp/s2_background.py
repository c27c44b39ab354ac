r"""Section 2: the bandit protocol, regret, the Lai-Robbins bound (3), and privacy of a policy on tables and on lists.

Policies are random rational kernels, re-created from an integer, so that every law and every likelihood ratio is
exact. A finite set of policies supports a statement about every policy; it never proves it.
"""

from typing import Annotated, Any

import numpy as np

from banditproof.claims.language import *
from banditproof.claims.steps import trend

Zero = Annotated[Any, "[0, 0]"]
One = Annotated[Any, "[1, 1]"]


@claim("BDP-D2.1c/first-is-zero", deduced(), false={"scale": "0.99"})
def kl_of_mean_zero(p: Zero, q: Inside, scale=1):
    r"""$\mathrm{kl}(0,q)=\lim_{p\to0}\mathrm{kl}(p,q)=-\log(1-q)$."""
    return kl_bernoulli(p, q), "==", -scale * log(1 - q)


@claim("BDP-D2.1c/first-is-one", deduced(), false={"scale": "0.99"})
def kl_of_mean_one(p: One, q: Inside, scale=1):
    r"""$\mathrm{kl}(1,q)=\lim_{p\to1}\mathrm{kl}(p,q)=-\log q$."""
    return kl_bernoulli(p, q), "==", -scale * log(q)


Certain = Annotated[Any, "integer [0, 1]"]


@claim("BDP-D2.1c/corners", enumerated(p=[0, 1], q=[0, 1]))
def kl_at_the_corners(p: Certain, q: Certain):
    r"""$\mathrm{kl}(0,0)=\mathrm{kl}(1,1)=0$ and $\mathrm{kl}(0,1)=\mathrm{kl}(1,0)=\infty$ (as
    $e^{-\mathrm{kl}}$)."""
    return exp(-kl_bernoulli(p, q)), "==", where(p, "==", q, 1, 0)


MEANS = (0.8, 0.2)
TIMES = (32, 64, 128, 256, 512, 1024)


def run_non_private(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """Mean regret of KL-UCB and IMED at the record times."""
    from banditproof.algorithms.environment import BernoulliBandit
    from banditproof.algorithms.finite.index import IMED, KLUCB
    from banditproof.algorithms.run.simulator import simulate

    curves = {}
    for policy, seed in zip((KLUCB, IMED), seeds.spawn(2), strict=True):
        rewards, choices = (np.random.default_rng(s) for s in seed.spawn(2))
        player = policy(2, replications=runs, generator=choices)
        result = simulate(player, BernoulliBandit(MEANS), TIMES[-1], rewards, TIMES)
        curves[policy.__name__] = result.regret.mean(axis=0)
    return curves


NON_PRIVATE = Study("non-private-regret", run_non_private, {"runs": 500}, {"runs": 20_000})


def growth_of(name: str) -> trend:
    """Between t and 2t the mean regret of a policy, over its limit by (3)."""

    def series(check: Check) -> list[tuple[int, float]]:
        constant = float(check.constants["share"]) * (MEANS[0] - MEANS[1]) / float(kl_bernoulli(MEANS[1], MEANS[0]))
        growth = np.diff(check.study(NON_PRIVATE)[name]) / (constant * np.log(2))
        return [(t, float(g)) for t, g in zip(TIMES[1:], growth, strict=True)]

    covers = {"means": "all: (0.8, 0.2)", "horizon": f"integer [{TIMES[0]}, {TIMES[-1]}]"}
    return trend("stays_below", series, f"growth of the mean regret of {name} over its limit", covers=covers, bound=1.5)


@claim("BDP-S2.1", growth_of("KLUCB"), growth_of("IMED"), false={"share": "1/2"}, studies=[NON_PRIVATE])
def same_constant_as_the_lower_bound(
    policy: Annotated[Any, "all: KL-UCB and IMED"],
    means: Annotated[Any, "all: every Bernoulli bandit"],
    horizon: Count,
    share=1,
):
    r"""KL-UCB and IMED attain (3) with the same constant: between $t$ and $2t$ their regret grows by about $c\log2$,
    $c=\Delta/\mathrm{kl}$ (rule: at most $\frac32$ times that)."""
