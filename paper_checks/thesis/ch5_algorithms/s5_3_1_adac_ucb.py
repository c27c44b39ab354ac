"""Section 5.3.1, page 108: AdaC-UCB, its privacy, its regret, and its variants for other definitions of privacy.

The noise of a mean is read as drawn once per episode and stored while the arm is idle; drawn again for every decision
it is not private enough. L = log T.
"""

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from banditproof.algorithms.finite.episodic import AdaCUCB, printed_multiplier
from banditproof.claims.language import *
from banditproof.claims.recorded_runs import BUGS, Algorithm, EveryBudget, RewardLists, recorded
from banditproof.paper_checks.shared import episodes
from banditproof.paper_checks.shared.episodes import Budgets, ListRewards, Name
from banditproof.paper_checks.thesis.ch5_algorithms.facts import ZCDP
from banditproof.verify import RecordingNoise
from banditproof.verify.runs.followed import departures_of


@claim("ALG-EQ5.4", episodes.indices_of("adac-ucb", ZCDP), false=episodes.OTHER_WIDTHS)
def index_of_adac_ucb(name: Name, mean: Real, n: Count, t: TwoOrMore, budget: Budgets, plain=1, private=1):
    r"""$I_a^\rho(t_\ell-1,\beta)=\hat\mu_a+\mathcal N(0,\frac1{2\rho n^2})+\sqrt{(\frac{1}{2n}+ \frac{1}{\rho
    n^2})\beta\log t_\ell}$, $n=\frac12N_a(t_\ell-1)$ (1 if $N_a=1$): the part that is added."""
    return episodes.index_of_policy(name, mean, n, t, budget, plain, private)


@claim("ALG-A-ADACUCB/decisions", episodes.decisions_of("adac-ucb", ZCDP), false=episodes.ONE_PART_ONLY)
def adac_ucb_follows_its_index(name: Name, rewards: ListRewards, budget: EveryBudget, plain=1, private=1):
    r"""AdaC-UCB plays each arm once. Then every episode goes to an arm with the largest index of the stored
    releases."""
    return episodes.wrong_decisions(name, rewards, budget, plain, private)


@claim("ALG-A-ADACUCB/releases", episodes.releases_of("adac-ucb", ZCDP), false={"factor": "1/2"})
def adac_ucb_releases_once_per_episode(name: Name, rewards: ListRewards, budget: EveryBudget, factor=1):
    r"""AdaC-UCB makes one release per episode: the mean of its $n$ rewards with noise $\mathcal N(0,\frac1{2\rho
    n^2})$, drawn once."""
    return episodes.releases_as_printed(name, rewards, budget, factor)


@claim(
    "ALG-T5.5/recorded-runs",
    recorded({"adac-ucb": [["zcdp", "1/2"], ["zcdp", "1/50"]]}, quick=1),
    false=BUGS,
    role="model",
)
def adac_ucb_runs(algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none", adversary=1):
    r"""In runs of AdaC-UCB, a release is the mean of the rewards of an episode, plus Gaussian noise that hides one of
    these rewards. Each reward enters one release. Actions depend on releases only. All this also holds if an adversary
    plays other arms."""
    return departures_of(algorithm, budget, T, rewards, bug, adversary)


@cache
def approximate_run(epsilon: Fraction, delta: Fraction) -> tuple[Any, Any]:
    """Width at n = 8, t = 100, and the scale of the noise on a sum."""
    noise = RecordingNoise(np.random.default_rng(0))
    budget, factor = Budget.approximate(float(epsilon), float(delta)), printed_multiplier(float(epsilon), float(delta))
    policy = AdaCUCB(2, budget, noise, beta=1.0, multiplier=factor)
    policy.clock[:] = 99
    width = float(policy.width(np.array([[8]]), policy.level())[0, 0])
    for _ in range(4):
        _, count = policy.next_batch()
        policy.observe(count / 2, count)
    return width, noise.releases[-1].scale


@claim(
    "ALG-R5.7/program",
    enumerated(epsilon=["1/10", 1, 5], delta=["1/1000000", "1/10"], rational=True),
    false={"factor": "1.01"},
)
def program_of_the_variant(epsilon: Positive, delta: Inside, factor=1):
    r"""AdaC-UCB with the printed $b$ has noise $\mathcal N(0,b/n^2)$ and width
    $\sqrt{(\frac1{2n}+\frac{2b}{n^2})\beta\log t}$.

    The left side is the relative difference of noise and width from the printed ones.
    """
    width, scale = approximate_run(Fraction(epsilon), Fraction(delta))
    b = to_ball(factor) * 2 * log(5 / (4 * to_ball(delta))) / to_ball(epsilon) ** 2
    printed = sqrt((to_ball(1) / 16 + 2 * b / 64) * log(to_ball(100)))
    return abs(to_ball(width) / printed - 1) + abs(to_ball(scale) / sqrt(b) - 1), "<=", to_ball("1e-10")
