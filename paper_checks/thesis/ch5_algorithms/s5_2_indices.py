"""Section 5.2, page 106: the indices of Algorithm 7 and the algorithms they make; Lazy-DP-TS, with which they compete.

The number of samples of an arm's last episode is n = max(1, N/2).
"""

from math import inf
from typing import Any

import numpy as np

from banditproof.algorithms.finite.lazy_dp_ts import LazyDPTS
from banditproof.claims.language import *
from banditproof.claims.recorded_runs import BUGS, Algorithm, EveryBudget, RewardLists, recorded
from banditproof.claims.sets import domain_of
from banditproof.paper_checks.shared import episodes
from banditproof.paper_checks.shared.dyadic_runs import DyadicNoise
from banditproof.paper_checks.shared.episodes import Budgets, ListRewards, Name
from banditproof.paper_checks.thesis.ch5_algorithms.facts import PURE
from banditproof.theory import kl_ucb_index
from banditproof.verify.runs.followed import departures_of


@claim("ALG-EQ5.1", episodes.indices_of("adap-ucb", PURE), false=episodes.OTHER_WIDTHS)
def index_of_adap_ucb(name: Name, mean: Real, n: Count, t: TwoOrMore, budget: Budgets, plain=1, private=1):
    r"""$\mathrm{UCB}_a^\varepsilon(t_\ell-1,\beta)=\tilde\mu_a+\sqrt{\frac{\beta\log t_\ell}{2n}}+ \frac{\beta\log
    t_\ell}{\varepsilon n}$, $n=\frac12N_a(t_\ell-1)$ (1 if $N_a=1$)."""
    return episodes.index_of_policy(name, mean, n, t, budget, plain, private)


item(
    "ALG-EQ5.2",
    r"""$\mathrm{UCB}_a^\varepsilon=\max\{q\in[0,1]:d(\check\mu,q)\le\frac{\beta\log t_\ell}n\}$,
    $\check\mu=\mathrm{Clip}_{0,1}(\tilde\mu+\frac{\beta\log t_\ell}{\varepsilon n})$.""",
    domain=domain_of(index_of_adap_ucb),
)


@claim("ALG-EQ5.2/formula", episodes.indices_of("adap-klucb", PURE), false=episodes.OTHER_WIDTHS)
def index_of_adap_klucb(name: Name, mean: Real, n: Count, t: TwoOrMore, budget: Budgets, plain=1, private=1):
    r"""The policy's index is $\max\{q:d(\check\mu,q)\le\frac{\beta\log t_\ell}n\}$,
    $\check\mu=\mathrm{Clip}_{0,1}(\tilde\mu+\frac{\beta\log t_\ell}{\varepsilon n})$."""
    return episodes.index_of_policy(name, mean, n, t, budget, plain, private)


INSIDE = ["0", "1/100", "1/2", "99/100"]
SIZES: dict[str, Any] = {"n": [1, 16, 4096], "t": [2, 100, 10**7]}


def level(beta: Any, n: Any, t: Any, factor: Any = 1) -> Any:
    return factor * beta * log(to_ball(t)) / n


@claim("ALG-EQ5.2/feasible", deduced(), false={"factor": "1.01"})
def index_is_feasible(x: Probability, beta: Positive, n: Count, t: TwoOrMore, factor=1):
    r"""The index $U$ for the level $\frac{\beta\log t}n$ satisfies $d(\check\mu,U)\le\frac{\beta\log t}n$."""
    return kl_bernoulli(x, kl_ucb_index(x, level(beta, n, t, factor))), "<=", level(beta, n, t)


@claim("ALG-EQ5.2/largest", deduced(), false={"factor": "0.99"})
def index_is_the_largest_mean(x: Probability, mean: Probability, beta: Positive, n: Count, t: TwoOrMore, factor=1):
    r"""No $q$ above the index for the level $\frac{\beta\log t}n$ has $d(\check\mu,q)\le\frac{\beta\log t}n$."""
    index = kl_ucb_index(x, level(beta, n, t, factor))
    return level(beta, n, t), "<", where(mean, "<=", index, inf, lambda: kl_bernoulli(x, mean))


@claim("ALG-EQ5.2/monotone", deduced(), false={"factor": "1.01"}, where=["x <= y", "t <= s"], role="remark")
def index_is_monotone(x: Probability, y: Probability, beta: Positive, n: Count, t: TwoOrMore, s: TwoOrMore, factor=1):
    r"""The index does not fall when $\check\mu$ or $t$ grows."""
    return kl_ucb_index(x, level(beta, n, t, factor)), "<=", kl_ucb_index(y, level(beta, n, s))


@claim("ALG-A-ADAPUCB/decisions", episodes.decisions_of("adap-ucb", PURE), false=episodes.ONE_PART_ONLY)
def adap_ucb_follows_its_index(name: Name, rewards: ListRewards, budget: EveryBudget, plain=1, private=1):
    r"""AdaP-UCB plays each arm once. Then every episode goes to an arm with the largest index of the stored
    releases."""
    return episodes.wrong_decisions(name, rewards, budget, plain, private)


@claim("ALG-A-ADAPUCB/releases", episodes.releases_of("adap-ucb", PURE), false={"factor": "1/2"})
def adap_ucb_releases_once_per_episode(name: Name, rewards: ListRewards, budget: EveryBudget, factor=1):
    r"""AdaP-UCB makes one release per episode: the mean of its $n$ rewards with noise $\mathrm{Lap}(\frac1{\varepsilon
    n})$, drawn once."""
    return episodes.releases_as_printed(name, rewards, budget, factor)


# With a large budget the clipped means stay below 1, and the plain part of the index decides.
PURE_AND_LARGE = [*PURE, ["pure", "100"]]


@claim("ALG-A-ADAPKLUCB/decisions", episodes.decisions_of("adap-klucb", PURE_AND_LARGE), false=episodes.ONE_PART_ONLY)
def adap_klucb_follows_its_index(name: Name, rewards: ListRewards, budget: EveryBudget, plain=1, private=1):
    r"""AdaP-KLUCB plays each arm once. Then every episode goes to an arm with the largest index of the stored releases.

    In these runs, half or twice a part of the index would lead to the same decisions. ALG-EQ5.2/formula compares the
    index itself, up to a hundredth.
    """
    return episodes.wrong_decisions(name, rewards, budget, plain, private)


@claim("ALG-A-ADAPKLUCB/releases", episodes.releases_of("adap-klucb", PURE_AND_LARGE), false={"factor": "1/2"})
def adap_klucb_releases_once_per_episode(name: Name, rewards: ListRewards, budget: EveryBudget, factor=1):
    r"""AdaP-KLUCB makes one release per episode: the mean of its $n$ rewards with noise
    $\mathrm{Lap}(\frac1{\varepsilon n})$, drawn once."""
    return episodes.releases_as_printed(name, rewards, budget, factor)


class BetaMeans:
    """Stands for a generator: answers a Beta law with its mean and keeps the parameters."""

    def __init__(self) -> None:
        self.asked: list[tuple[np.ndarray, np.ndarray]] = []

    def beta(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        self.asked.append((a, b))
        return a / (a + b)


@claim(
    "ALG-A-LAZYDPTS/pseudo-code",
    enumerated(lambda check: {"rewards": range(check.pick(4, 30)), "epsilon": [1, 50], "length": [40]}, rational=True),
    false={"optimism": 2},
)
def pseudo_code_of_lazy_dp_ts(rewards: ListRewards, epsilon: Positive, length: Count, optimism=3):
    r"""Releases after $2^r$ new rewards, of these only, and Beta laws around
    $\bar\mu_j=\mathrm{Clip}_{0,1}(\tilde\mu_j+\frac{3\log t}{\varepsilon O_j})$.

    The left side counts the differences from the pseudocode in the releases, after 1, then 2, 4, 8, ... new rewards of
    an arm, and in the Beta laws.
    """
    noise, coins, coming = DyadicNoise(np.random.default_rng(rewards)), BetaMeans(), np.random.default_rng(rewards + 1)
    policy = LazyDPTS(2, Budget.pure(float(epsilon)), noise, coins)  # type: ignore[arg-type]
    known: list[tuple[float, int]] = [(0.0, 0)] * 2
    fresh: list[list[float]] = [[], []]
    phase, wrong, done = [0, 0], 0, 0
    for clock in range(length):
        arm = int(policy.next_batch()[0][0])
        if clock >= 2:
            for a, (mean, number) in enumerate(known):
                shifted = float(optimism) * np.log(clock + 1) / (float(epsilon) * number)
                m = min(max(mean + shifted, 0.0), 1.0)
                asked = [float(part[0, a]) for part in coins.asked[-1]]
                wrong += not np.allclose(asked, [m * number + 1, (1 - m) * number + 1])
        else:
            wrong += arm != clock
        fresh[arm].append(float(coming.random() < 0.5))
        policy.observe(np.array(fresh[arm][-1:]), np.ones(1, dtype=np.int64))
        if len(fresh[arm]) == 2 ** phase[arm]:
            release = noise.releases[done]
            wrong += release.value.item() != sum(fresh[arm]) or release.scale != 1 / float(epsilon)
            known[arm], fresh[arm] = (release.released.item() / len(fresh[arm]), len(fresh[arm])), []
            phase[arm], done = phase[arm] + 1, done + 1
    return wrong + len(noise.releases) - done, "==", 0


@claim("ALG-A-LAZYDPTS/privacy", recorded({"lazy-dp-ts": [["pure", 1]]}, quick=2), false=BUGS[:6], role="model")
def lazy_dp_ts_runs(algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none", adversary=0):
    r"""Drawing from the Beta laws is post-processing: in runs of Lazy-DP-TS, a release is the sum of new rewards of an
    arm, plus Laplace noise that hides one of these rewards. Each reward enters one release. Actions depend on releases
    only."""
    return departures_of(algorithm, budget, T, rewards, bug, adversary)
