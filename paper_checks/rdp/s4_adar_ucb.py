"""Section 4: AdaR-UCB, its privacy and its regret.

AdaR-UCB at (alpha, epsilon) is AdaC-UCB of the zCDP paper at rho = epsilon/alpha. The noise of a mean is read as drawn
once per episode; drawing it again for idle arms is a reading of its own.
"""

from typing import Any

from banditproof.claims.language import *
from banditproof.claims.recorded_runs import BUGS, Algorithm, EveryBudget, RewardLists, recorded
from banditproof.paper_checks.shared.episodes import *
from banditproof.verify.runs.followed import departures_of
from banditproof.verify.runs.recorded import violations

BUDGETS: list[list[Any]] = [["rdp", 2, 1], ["rdp", "11/10", 4], ["rdp", 30, "1/10"]]


@claim("RDP-A2/index", indices_of("adar-ucb", BUDGETS), false=OTHER_WIDTHS, twins=["ALG-EQ5.4"])
def index_of_adar_ucb(name: Name, mean: Real, n: Count, t: TwoOrMore, budget: Budgets, plain=1, private=1):
    r"""(6): $B_a=\sqrt{(\frac{1}{2n}+\frac{\alpha}{\epsilon n^2})\beta\log t_\ell}$ with $n=\frac12N_a(t_\ell-1)$ (1 if
    $N_a=1$)."""
    return index_of_policy(name, mean, n, t, budget, plain, private)


@claim("RDP-A2/decisions", decisions_of("adar-ucb", BUDGETS), false=ONE_PART_ONLY)
def adar_ucb_follows_its_index(name: Name, rewards: ListRewards, budget: EveryBudget, plain=1, private=1):
    r"""AdaR-UCB: after each arm once, every episode goes to an arm with the largest index of the stored releases."""
    return wrong_decisions(name, rewards, budget, plain, private)


@claim("RDP-A2/releases", releases_of("adar-ucb", BUDGETS), false={"factor": "1/2"})
def adar_ucb_releases_once_per_episode(name: Name, rewards: ListRewards, budget: EveryBudget, factor=1):
    r"""AdaR-UCB: one release per episode, the mean of its $n$ rewards with noise $\mathcal N(0,\frac\alpha{2\epsilon
    n^2})$, drawn once."""
    return releases_as_printed(name, rewards, budget, factor)


@claim("RDP-T4/recorded-runs", recorded({"adar-ucb": BUDGETS}, quick=1), false=BUGS, role="model")
def runs_of_adar_ucb(
    algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none", adversary=0
):
    r"""In runs of AdaR-UCB, a release is the mean of the rewards of an episode, plus Gaussian noise that hides one of
    these rewards. Each reward enters one release. Actions depend on releases only."""
    return departures_of(algorithm, budget, T, rewards, bug, adversary)


@claim(
    "RDP-T4/interactive",
    recorded({"adar-ucb": [["rdp", 2, 1]]}, quick=1),
    false=BUGS[:3],
    role="remark",
    twins=["ZCDP-T12"],
)
def runs_of_adar_ucb_with_an_adversary(
    algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none", adversary=1
):
    r"""The same holds under the Interactive definition of the zCDP paper, where an adversary plays other arms (planted
    bug: none)."""
    return violations(algorithm, budget, T, rewards, bug, adversary)
