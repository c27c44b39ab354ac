"""Follow the leader and the UCB meta-algorithm: TH-A2.FTL, TH-A2.

The policies of `algorithms` are run on every list of binary rewards of small length, so that their laws under a
Bernoulli bandit are exact, and compared with the pseudo code written out here a second time.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from banditproof.algorithms.environment import RewardList
from banditproof.algorithms.index import UCB, AnytimeUCB, ExploreThenCommit, FollowTheLeader, NonPrivateIndexPolicy
from banditproof.algorithms.simulator import simulate
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.numeric import log, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
COMPOSED = ("formulas proved symbolically, joined by the named textbook facts", "the stated bound")

# ------------------------------------------------------------------------------------ policies on lists of rewards

POLICIES: dict[str, Callable[..., NonPrivateIndexPolicy]] = {
    "FTL": lambda arms, horizon: FollowTheLeader(arms),
    "ETC, m = 2": lambda arms, horizon: ExploreThenCommit(arms, 2),
    "ETC, m = 3": lambda arms, horizon: ExploreThenCommit(arms, 3),
    "UCB": lambda arms, horizon: UCB(arms, horizon=horizon),
    "anytime UCB": lambda arms, horizon: AnytimeUCB(arms),
}


@cache
def actions(policy: str, rewards: tuple[int, ...], arms: int) -> tuple[int, ...]:
    """The arms that a policy without coin flips pulls when it hears these rewards."""
    horizon = len(rewards)
    run = simulate(
        POLICIES[policy](arms, horizon), RewardList(rewards, arms), horizon, np.random.default_rng(0),
        np.arange(1, horizon + 1),
    )  # fmt: skip
    return tuple(run.actions[0].tolist())


def exact_regret(policy: str, means: tuple[Fraction, ...], horizon: int) -> Fraction:
    """Reg_T against Bernoulli arms: a sum over all lists of rewards, each with its probability."""
    best, regret = max(means), Fraction(0)
    for rewards in itertools.product((0, 1), repeat=horizon):
        played = actions(policy, rewards, len(means))
        weight = Fraction(1)
        for arm, reward in zip(played, rewards, strict=True):
            weight *= means[arm] if reward else 1 - means[arm]
        regret += weight * sum(best - means[arm] for arm in played)
    return regret


# ---------------------------------------------------------------------------------------------- TH-A2: the pseudo code


def literal_ucb(rewards: tuple[int, ...], arms: int, rounds: int, width: Callable[[int], Any]) -> list[int]:
    """Algorithm 2 with index mean + width(t) / sqrt(N), each arm first `rounds` times; the lowest arm of several.

    Indices are balls, or rationals where the width is 0. Arms with equal sums and counts tie; no other ball indices do.
    """
    state = [(0, 0)] * arms  # sum and number of the rewards heard
    played = []

    def index(arm: int, t: int) -> Any:
        total, count = state[arm]
        return (
            Fraction(total, count)
            if width(t) == 0
            else to_ball(Fraction(total, count)) + width(t) / sqrt(to_ball(count))
        )

    for t, reward in enumerate(rewards, start=1):
        arm = (t - 1) % arms
        if t > rounds * arms:
            arm = 0
            for other in range(1, arms):
                if state[other] != state[arm] and index(other, t) > index(arm, t):
                    arm = other
        state[arm] = state[arm][0] + reward, state[arm][1] + 1
        played.append(arm)
    return played


def agreement(policy: str, arms: int, horizon: int, rounds: int, factor: Any) -> Sides:
    """On how many lists of binary rewards a policy acts as the pseudo code with sqrt(factor log(...) / N)."""
    lists = list(itertools.product((0, 1), repeat=horizon))
    if policy == "UCB":
        fixed = sqrt(factor * 2 * log(to_ball(horizon)))

        def width(t: int) -> Any:
            return fixed
    else:
        now = [sqrt(factor * log(1 + t * log(to_ball(t)) ** 2)) for t in range(1, horizon + 1)]

        def width(t: int) -> Any:
            return now[t - 1]

    same = sum(list(actions(policy, rewards, arms)) == literal_ucb(rewards, arms, rounds, width) for rewards in lists)
    return same, "==", len(lists)


RUNS = [("UCB", 2, 9), ("UCB", 3, 7), ("anytime UCB", 2, 9), ("anytime UCB", 3, 7), ("UCB", 1, 3), ("UCB", 3, 2)]
ALGORITHM_2 = Domain.of(
    policy="all: the UCB meta-algorithm with (2.9), (2.12)", arms="integer [1, inf)", horizon="integer [1, inf)"
)


@claim(
    "TH-A2", r"Algorithm 2 pulls each arm $<rounds>$ time(s) and then, for $t>K$, an arm with the largest "
             r"$\mathrm{UCB}_a(t-1)$; ties go to the lowest arm here.",
    domain=ALGORITHM_2, constants={"rounds": 1, "factor": 2}, mutations=[mutation("each arm twice", rounds=2)],
    strongest="enumeration",
)  # fmt: skip
def ucb_follows_its_pseudo_code(check: Check) -> None:
    points: Any = [dict(zip(("policy", "arms", "horizon"), run, strict=True)) for run in RUNS]
    check.enumerate(agreement, points, rational=True, routes=("the policy", "pseudo code, indices in balls"))


# --------------------------------------------------------------------------------------------- TH-A2.FTL: linear regret

FTL_ARMS = Domain.of(best="(0, 1)", other="(0, 1)", horizon="integer [2, inf)", where=["other < best"])
FTL_GRID = [
    {"best": best, "other": other, "horizon": horizon}
    for best, other in (("1/2", "1/4"), ("9/10", "1/10"), ("3/4", "7/10"), ("99/100", "98/100"))
    for horizon in (2, 3, 5, 9)
]

parts_decide(
    "TH-A2.FTL",
    r"follow the leader pulls each arm once and then $a_t\in\arg\max_a\hat\mu_a(t-1)$; its regret is linear on some "
    r"instance",
)


def leader_agreement(arms: int, horizon: int, rounds: int) -> Sides:
    lists = list(itertools.product((0, 1), repeat=horizon))
    same = sum(
        list(actions("FTL", rewards, arms)) == literal_ucb(rewards, arms, rounds, lambda t: 0) for rewards in lists
    )
    return same, "==", len(lists)


@claim(
    "TH-A2.FTL/rule",
    r"each arm is pulled $<rounds>$ time(s), then the arm with the largest empirical mean (the lowest of several)",
    domain=Domain.of(arms="integer [1, inf)", horizon="integer [1, inf)"), constants={"rounds": 1},
    mutations=[mutation("each arm twice", rounds=2)], strongest="enumeration",
)  # fmt: skip
def ftl_follows_its_rule(check: Check) -> None:
    points = [{"arms": arms, "horizon": horizon} for arms, horizon in ((1, 3), (2, 9), (3, 7))]
    check.enumerate(leader_agreement, points, rational=True, routes=("the policy", "pseudo code, exact means"))


def ftl_regret(best: Fraction, other: Fraction, horizon: int, factor: Any) -> Sides:
    """The larger of both orders of the arms would only help: the bound must hold for either rule on ties."""
    regret = min(exact_regret("FTL", means, horizon) for means in ((best, other), (other, best)))
    return regret, ">=", factor * (1 - best) * other * (best - other) * (horizon - 1)


def other_leads(wins: Any, pulls: Any, start: Any) -> Sides:
    """After the best arm failed once and the other one won once, the other one's mean exceeds 0 at every state."""
    return start, "<", wins / pulls


def other_leads_argument(start: Any) -> SymbolicArgument:
    import sympy

    wins, losses = sympy.Symbol("wins", positive=True), sympy.Symbol("losses", nonnegative=True)
    return SymbolicArgument({"wins": wins, "pulls": wins + losses}, wins / (wins + losses) - start, "positive")


LEADING = Domain.of(wins="(0, inf)", pulls="(0, inf)", where=["wins <= pulls"])
NEVER_OVERTAKEN = derivation(
    [fact(other_leads, LEADING, other_leads_argument)],
    "with probability (1 - p) q the first rewards are 0 and 1; from then on the best arm's mean stays 0 and the other "
    "one's positive, so the other arm is pulled T - 1 times",
)


@claim(
    "TH-A2.FTL/linear-regret",
    r"two Bernoulli arms of means $q<p$: $\mathrm{Reg}_T\ge<factor>\,(1-p)\,q\,(p-q)\,(T-1)$, which is linear in $T$",
    domain=FTL_ARMS, constants={"factor": 1, "start": 0}, mutations=[mutation("100 times as much", factor=100)],
    strongest="certificate",
)  # fmt: skip
def follow_the_leader_has_linear_regret(check: Check) -> None:
    routes = ("regret summed over all lists of rewards", "probability that the other arm is never left")
    if check.enumerate(ftl_regret, FTL_GRID, rational=True, routes=routes):
        check.certificate(facts_hold, NEVER_OVERTAKEN, routes=COMPOSED)
