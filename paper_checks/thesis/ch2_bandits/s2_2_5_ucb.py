"""Section 2.2.5, page 28: UCB with fixed delta, and the counterparts of private policies without privacy."""

from fractions import Fraction
from itertools import product
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms.environment import RewardList
from banditproof.algorithms.finite.episodic import AdaCUCB, AdaPUCB, AdaRUCB, EpisodicUCB
from banditproof.algorithms.finite.index import KLUCB
from banditproof.algorithms.run.simulator import simulate
from banditproof.claims.language import *
from banditproof.paper_checks.thesis.ch2_bandits.facts import *
from banditproof.theory import kl_ucb_index
from banditproof.verify import RecordingNoise

COMPUTED = ("index of the policy", "printed formula, in balls")


@claim(
    "TH-EQ2.9",
    enumerated(
        [
            {"wins": wins, "pulls": pulls, "inverse_delta": inverse}
            for wins, pulls in ((0, 1), (1, 1), (3, 7), (10, 1000))
            for inverse in (2, 100, 10**14)
        ]
        + [{"wins": 1, "pulls": 2, "inverse_delta": 1}],
        routes=COMPUTED,
    ),
    false={"factor": "1.99"},
    where=["wins <= pulls"],
)
def ucb_index(wins: Natural, pulls: Count, inverse_delta: Count, factor=2):
    r"""$\mathrm{UCB}_a(t-1,\delta)=\hat\mu_a(t-1)+\sqrt{2\log(1/\delta)/N_a(t-1)}$"""
    index = computed_ucb(wins, pulls, inverse_delta)
    return index_agrees(index, wins, pulls, factor * log(to_ball(inverse_delta)))


@claim("TH-T2.23/split", deduced(), false=[{"root": "7.9"}, {"second": 17}], role="step")
def split_of_the_arms(horizon: Positive, arms: Positive, log_horizon: Positive, root=8, second=16):
    r"""$T\Delta+\frac{16K\log T}{\Delta}\le8\sqrt{TK\log T}$ at $\Delta=\sqrt{16K\log(T)/T}$

    This is a line of the proof, as printed. At this gap both summands are equal, and so are the two sides.
    """
    gap = sqrt(second * arms * log_horizon / horizon)
    return horizon * gap + second * arms * log_horizon / gap, "<=", root * sqrt(horizon * arms * log_horizon)


@claim(
    "ALG-A-NP-UCB/ucb",
    enumerated(wins=[1, 3], pulls=[7, 1000], inverse_delta=[2, 100, 10**14], routes=COMPUTED),
    false={"factor": "1.99"},
    twins=["TH-EQ2.9"],
)
def index_of_ucb(wins: Natural, pulls: Count, inverse_delta: Count, factor=2):
    r"""UCB: $\hat\mu+\sqrt{2\log(1/\delta)/N}$."""
    return ucb_index(wins, pulls, inverse_delta, factor)


@claim(
    "ALG-A-NP-UCB/anytime",
    enumerated(wins=[1, 3], pulls=[7, 1000], t=[1001, 10**7], routes=COMPUTED),
    false={"factor": "1.99"},
    twins=["TH-EQ2.12"],
)
def index_of_anytime_ucb(wins: Natural, pulls: Count, t: TwoOrMore, factor=2, shift=0):
    r"""Asymptotically optimal UCB: $\hat\mu+\sqrt{2\log f(t)/N}$, $f(t)=1+t\log^2t$."""
    return anytime_agrees(wins, pulls, t, factor, shift)


@claim(
    "ALG-A-NP-UCB/kl-ucb",
    enumerated(wins=[0, 1, 7], pulls=[7, 1000], t=[1001, 10**7], routes=COMPUTED),
    false={"factor": "0.99"},
    twins=["TH-EQ2.14"],
)
def index_of_klucb(wins: Natural, pulls: Count, t: TwoOrMore, factor=1):
    r"""KL-UCB: $\max\{q:\mathrm{kl}(\hat\mu,q)\le\log f(t)/N\}$."""
    policy = KLUCB(1, exploration="log f(t)")
    policy.clock[:] = t - 1
    printed = kl_ucb_index(to_ball(Fraction(wins, pulls)), to_ball(factor) * log_f(t) / pulls)
    return abs(computed(policy, wins, pulls) - printed), "<=", to_ball("1e-11")


@claim(
    "ALG-A-NP-UCB/episodic",
    enumerated(
        lambda check: [{"rewards": list(r)} for r in product((0, 1), repeat=check.pick(6, 12))],
        rational=True,
        routes=("episodic UCB", "private policies without noise"),
    ),
    false=mutation("budgets of 1", limit=1),
)
def limit_of_infinite_budgets(rewards: Annotated[Any, "all: every list of rewards"], limit="inf"):
    r"""UCB with adaptive episodes and forgetting is AdaP-UCB at $\varepsilon=inf$ and AdaC-UCB at $\rho=inf$: the same
    actions on every list of rewards.

    The left side counts the actions of AdaP-UCB, AdaC-UCB and AdaR-UCB that differ from those of episodic UCB.
    """
    T, large = len(rewards), float(limit)
    budgets = {AdaPUCB: Budget.pure(large), AdaCUCB: Budget.zcdp(large), AdaRUCB: Budget.rdp(2.0, large)}
    private = [kind(2, b, RecordingNoise(np.random.default_rng(0)), beta=3.1) for kind, b in budgets.items()]

    def played(policy: Any) -> list[int]:
        heard, draw = RewardList(list(map(float, rewards)), 2), np.random.default_rng(0)
        return simulate(policy, heard, T, draw, np.arange(1, T + 1)).actions[0].tolist()

    plain = played(EpisodicUCB(2))
    return sum(played(policy) != plain for policy in private), "==", 0
