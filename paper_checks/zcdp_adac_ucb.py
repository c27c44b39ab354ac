r"""Algorithm 4 of the zCDP paper, AdaC-UCB: what a run does, and how often it looks at rewards.

Conventions where the pseudo code is silent: the noise of a block is drawn once and stored; the last block of an arm
that was pulled once has one reward; a last episode may be cut at the horizon.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from math import log, sqrt
from typing import Any

import numpy as np

from banditproof.algorithms.environment import RewardList
from banditproof.algorithms.episodic import AdaCUCB
from banditproof.algorithms.simulator import simulate
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.budget import Budget
from banditproof.verify.domain import Domain
from banditproof.verify.recorder import RecordingNoise, Release

Sides = tuple[Any, str, Any]
EVERY_RUN = Domain.of(
    arms="integer [1, inf)", horizon="integer [1, inf)", rho="(0, inf)", beta="(3, inf)",
    run="all: every reward list and noise",
)  # fmt: skip


@cache
def recorded(
    arms: int, horizon: int, rho: Fraction, beta: Fraction, run: int
) -> tuple[tuple[int, ...], tuple[Release, ...]]:
    """Actions and releases of run number `run` on random rewards in [0, 1] (binary for even numbers)."""
    rewards = np.random.default_rng(run).random(horizon)
    noise = RecordingNoise(np.random.default_rng((run, 1)))
    policy = AdaCUCB(arms, Budget.zcdp(float(rho)), noise, beta=float(beta))
    listed = RewardList(rewards if run % 2 else np.round(rewards), arms)
    result = simulate(policy, listed, horizon, np.random.default_rng(run), np.arange(1, horizon + 1))
    return tuple(result.actions[0].tolist()), tuple(noise.releases)


def runs(check: Check) -> list[dict[str, Any]]:
    seeds = range(check.pick(3, 40))
    return [
        {"arms": K, "horizon": T, "rho": Fraction(rho), "beta": Fraction(31, 10), "run": seed}
        for K, T in ((2, 40), (3, 500), (5, 64)) for rho in ("1/10", "1", "20") for seed in seeds
    ]  # fmt: skip


parts_decide(
    "ZCDP-A4",
    r"AdaC-UCB: each arm once; then, with $t_\ell=t+1$, the arm of the largest index (EQ14) is played until its pulls "
    r"have doubled. The index holds the mean of the last episode of the arm, $\mathcal N(0,\sigma^2_{a,\ell})$ and "
    r"$B_a(t_\ell-1,\beta)$.",
    domain=EVERY_RUN,
)


def index_not_followed(
    arms: int, horizon: int, rho: Any, beta: Any, run: int, hoeffding: Any, private: Any, noise: Any
) -> Sides:
    """Episodes whose arm does not have the largest index of EQ14, and releases with other noise than EQ14's.

    The index is computed anew from the released sums of the last blocks.
    """
    actions, releases = recorded(arms, horizon, rho, beta, run)
    last: dict[int, tuple[float, int]] = {}
    wrong = 0
    for k, release in enumerate(releases):
        start, stop, *_ = release.records or (0, 0)
        arm, n = actions[start], stop - start
        if k < arms:
            wrong += arm != k or n != 1
        else:
            index = {
                a: mean + sqrt((float(hoeffding) / m + float(private / rho) / m**2) * float(beta) * log(start + 1))
                for a, (mean, m) in last.items()
            }
            wrong += max(index, key=lambda a: index[a]) != arm
        deviation = release.scale / n  # of the noise on the mean
        wrong += abs(deviation**2 * float(noise * rho) * n**2 - 1) > 1e-9  # rounding of a square root
        last[arm] = float(release.released[0]) / n, n
    return wrong, "==", 0


@claim(
    "ZCDP-A4/index",
    r"Every episode plays the arm of the largest $\hat\mu_a+\mathcal N(0,\frac1{<noise>\rho n^2})+\sqrt{(\frac{"
    r"<hoeffding>}n+\frac{<private>}{\rho n^2})\beta\log t_\ell}$, $n$ the length of the last episode of $a$.",
    domain=EVERY_RUN, constants={"hoeffding": "1/2", "private": 1, "noise": 2},
    mutations=[mutation("1/(3n)", hoeffding="1/3", gradual=False), mutation("no term for the noise", private=0),
               mutation("half the variance", noise=4)],
    strongest="enumeration",
)  # fmt: skip
def arm_of_the_largest_index(check: Check) -> None:
    """Releases of the program against the printed formulas."""
    check.enumerate(index_not_followed, runs(check), rational=True, routes=("recorded run", "EQ14 from the releases"))


def episodes_not_doubling(arms: int, horizon: int, rho: Any, beta: Any, run: int, growth: int) -> Sides:
    """Episodes, but for the last one, that do not bring the pulls of their arm to `growth` times what they were."""
    actions, releases = recorded(arms, horizon, rho, beta, run)
    pulls: dict[int, int] = defaultdict(int)
    wrong = 0
    for release in releases[:-1]:
        start, stop, *_ = release.records or (0, 0)
        arm = actions[start]
        wrong += set(actions[start:stop]) != {arm}
        pulls[arm], before = pulls[arm] + stop - start, pulls[arm]
        wrong += pulls[arm] != max(1, growth * before)
    return wrong, "==", 0


@claim(
    "ZCDP-A4/doubling",
    r"One arm per episode, played until $N_a(t)=<growth>N_a(t_\ell-1)$; so $N_a\in\{1,2,4,\dots\}$ between episodes.",
    domain=EVERY_RUN, constants={"growth": 2}, mutations=[mutation("three times", growth=3)], strongest="enumeration",
)  # fmt: skip
def pulls_double(check: Check) -> None:
    check.enumerate(episodes_not_doubling, runs(check), rational=True, routes=("recorded run", "pulls per arm"))


def rewards_not_released_once(arms: int, horizon: int, rho: Any, beta: Any, run: int, times: int) -> Sides:
    """Rewards that do not enter exactly `times` releases."""
    _, releases = recorded(arms, horizon, rho, beta, run)
    entered = [sum(release.covers(t) for release in releases) for t in range(horizon)]
    return sum(count != times for count in entered), "==", 0


@claim(
    "ZCDP-A4/forgetting",
    r"Each reward enters $<times>$ released mean: that of its own episode.",
    domain=EVERY_RUN, constants={"times": 1}, mutations=[mutation("two", times=2)], strongest="enumeration",
)  # fmt: skip
def rewards_are_used_once(check: Check) -> None:
    check.enumerate(rewards_not_released_once, runs(check), rational=True, routes=("declared records", "one release"))


def last_episode(level: int, half: Any) -> Sides:
    """An arm with 2^level pulls: the length of its last episode, and half of its pulls."""
    pulls = [1]
    for _ in range(level):
        pulls.append(2 * pulls[-1])
    length = pulls[-1] - (pulls[-2] if level else 0)
    return length, "==", half * 2**level


@claim(
    "ZCDP-A4/half-of-the-pulls",
    r"$<half>N_a(t_\ell-1)$, which stands in EQ14, is the number of rewards in the last episode of $a$, also for an "
    r"arm "
    "that was pulled once.",
    role="reading", domain=Domain.of(level="integer [0, inf)"), constants={"half": "1/2"}, strongest="enumeration",
)  # fmt: skip
def half_of_the_pulls(check: Check) -> None:
    """After the initialisation one reward is there, and one half stands for it: its variance is 2/rho instead of
    1/(2 rho), four times what its privacy needs."""
    check.counterexample(last_episode, {"level": 0}, rational=True)


@claim(
    "ZCDP-A4/half-of-the-pulls-from-two-on",
    r"From two pulls on, the last episode has $<half>N_a$ rewards.",
    role="repair", repairs="ZCDP-A4/half-of-the-pulls", domain=Domain.of(level="integer [1, inf)"),
    constants={"half": "1/2"}, mutations=[mutation("a third", half="1/3")], strongest="enumeration",
)  # fmt: skip
def half_of_the_pulls_from_two_on(check: Check) -> None:
    check.enumerate(last_episode, {"level": range(1, 40)}, rational=True, routes=("episode by episode", "half"))


# --------------------------------------------------------------------------------------------------- how many episodes

parts_decide(
    "ZCDP-S1",
    r"The algorithms touch rewards at $O(\log T)$ times only: AdaC-UCB in at most $K\lceil\log_2T\rceil$ episodes "
    "(AdaC-GOPE and AdaC-OFUL are parts of their own).",
)


@cache
def most_episodes(arms: int, horizon: int) -> int:
    """The largest number of episodes of any run, the first pulls included.

    An arm with 2^m pulls has had 1 + m episodes; only the arm whose last episode is cut may have another number.
    """
    if arms == 1:
        return 1 + (horizon - 1).bit_length()
    powers = (m for m in range(horizon.bit_length()) if 2**m <= horizon - arms + 1)
    return max(1 + m + most_episodes(arms - 1, horizon - 2**m) for m in powers)


def logarithmic(arms: int, horizon: int, share: Any) -> Sides:
    return most_episodes(arms, horizon), "<=", share * arms * (horizon - 1).bit_length()


EPISODES = Domain.of(arms="integer [2, inf)", horizon="integer [2, inf)", where=["horizon >= arms"])


@claim(
    "ZCDP-S1/adac-ucb",
    r"AdaC-UCB has at most $<share>K\lceil\log_2T\rceil$ episodes for $T\ge K\ge2$, its first $K$ pulls included.",
    domain=EPISODES, constants={"share": 1}, mutations=[mutation("90 %", share="0.9")], strongest="enumeration",
)  # fmt: skip
def episodes_of_adac_ucb(check: Check) -> None:
    """The worst division of T pulls among the arms. (With one arm there is one more: 1 + ceil(log2 T).)"""
    largest = check.pick(48, 200)
    points = [{"arms": K, "horizon": T} for K in (2, 3, 4) for T in range(K, largest)]
    check.enumerate(logarithmic, points, rational=True, routes=("worst division of the pulls", "K logarithms"))


def episodes_of_runs(arms: int, horizon: int, rho: Any, beta: Any, run: int, share: Any) -> Sides:
    _, releases = recorded(arms, horizon, rho, beta, run)
    return len(releases), "<=", share * most_episodes(arms, horizon)


@claim(
    "ZCDP-S1/adac-ucb-runs",
    r"Recorded runs have at most $<share>$ times the largest number of episodes that any division of the pulls allows.",
    domain=EVERY_RUN, constants={"share": 1}, mutations=[mutation("half", share="1/2")], strongest="enumeration",
)  # fmt: skip
def episodes_of_recorded_runs(check: Check) -> None:
    points = [point for point in runs(check) if point["horizon"] < 100]
    check.enumerate(episodes_of_runs, points, rational=True, routes=("recorded run", "worst division"))
