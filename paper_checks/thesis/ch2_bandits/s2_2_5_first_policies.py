"""Section 2.2.5, page 27: follow the leader, explore then commit, and the UCB meta-algorithm.

The policies of `algorithms` are run on every list of binary rewards of small length, so that their laws under a
Bernoulli bandit are exact, and compared with the pseudo code written out here a second time.
"""

import itertools
from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.ch2_bandits.facts import actions, exact_regret, log_f


def literal_ucb(rewards: tuple[int, ...], arms: int, rounds: int, width: Callable[[int], Any]) -> list[int]:
    """Algorithm 2 with index mean + width(t) / sqrt(N), each arm first `rounds` times; the lowest arm of several.

    Indices are balls, or rationals where the width is 0. Arms with equal sums and counts tie; no other ball indices do.
    """
    state = [(0, 0)] * arms  # sum and number of the rewards heard
    played = []

    def index(arm: int, t: int) -> Any:
        total, count = state[arm]
        mean = Fraction(total, count)
        return mean if width(t) == 0 else to_ball(mean) + width(t) / sqrt(to_ball(count))

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


def same_actions(policy: str, arms: int, horizon: int, rounds: int, width: Callable[[int], Any]) -> Sides:
    """On how many lists of binary rewards a policy acts as the pseudo code, against the number of lists."""
    lists = list(itertools.product((0, 1), repeat=horizon))
    same = sum(list(actions(policy, rewards, arms)) == literal_ucb(rewards, arms, rounds, width) for rewards in lists)
    return same, "==", len(lists)


@claim(
    "TH-A2.FTL/rule",
    enumerated(
        [{"arms": 1, "horizon": 3}, {"arms": 2, "horizon": 9}, {"arms": 3, "horizon": 7}],
        rational=True,
        routes=("the policy", "pseudo code, exact means"),
    ),
    false={"rounds": 2},
)
def ftl_follows_its_rule(arms: Count, horizon: Count, rounds=1):
    r"""each arm is pulled once, then the arm with the largest empirical mean (the lowest of several)"""
    return same_actions("FTL", arms, horizon, rounds, lambda t: 0)


def other_leads(wins: Positive, pulls: Positive, start=0) -> Sides:
    """After the best arm failed once and the other one won once, the other one's mean exceeds 0 at every state."""
    return start, "<", wins / pulls


def regret_if_never_left(best: Inside, other: Inside, gap: Positive, pulls: Positive, factor=1) -> Sides:
    """The claimed bound against the probability of the first two rewards times the regret of T - 1 pulls."""
    return factor * (1 - best) * other * gap * pulls, "<=", (1 - best) * other * (gap * pulls)


@quantity
def regret_of_ftl(best: Fraction, other: Fraction, horizon: int) -> Fraction:
    """The smaller regret of the two orders of two Bernoulli arms."""
    return min(_exact_regret("FTL", means, horizon) for means in ((best, other), (other, best)))


@quantity
def regret_of_etc(best: Fraction, other: Fraction, m: int, horizon: int) -> Fraction:
    """The regrets for both orders of two Bernoulli arms, added."""
    if m not in (2, 3):
        raise InvalidInput("m", m, "2 or 3")
    both = (_exact_regret(f"ETC, m = {m}", means, horizon) for means in ((best, other), (other, best)))
    return sum(both, Fraction(0))


def _exact_regret(policy: str, means: tuple[Fraction, ...], horizon: int) -> Fraction:
    if horizon > LONGEST_ENUMERATED:
        raise InvalidInput("horizon", horizon, f"at most {LONGEST_ENUMERATED}")
    return exact_regret(policy, means, horizon)


LONGEST_ENUMERATED = 10


@claim(
    "TH-A2.FTL/linear-regret",
    enumerated(
        [
            {"best": best, "other": other, "horizon": horizon}
            for best, other in (("1/2", "1/4"), ("9/10", "1/10"), ("3/4", "7/10"), ("99/100", "98/100"))
            for horizon in (2, 3, 5, 9)
        ],
        rational=True,
        routes=("regret summed over all lists of rewards", "probability that the other arm is never left"),
    ),
    argued(
        "with probability (1 - p) q the first rewards are 0 and 1; from then on the best arm's mean stays 0 and the "
        "other one's positive, so the other arm is pulled T - 1 times",
        other_leads,
        regret_if_never_left,
    ),
    false={"factor": 100},
    where=["other < best"],
)
def follow_the_leader_has_linear_regret(best: Inside, other: Inside, horizon: TwoOrMore, factor=1, start=0):
    r"""two Bernoulli arms of means $q<p$: $\mathrm{Reg}_T\ge(1-p)\,q\,(p-q)\,(T-1)$, which is linear in $T$

    The left side is the smaller regret of the two orders of the arms, so that the bound holds for either rule on ties.
    """
    return regret_of_ftl(best, other, horizon), ">=", factor * (1 - best) * other * (best - other) * (horizon - 1)


def wrong_commitment(best: Any, other: Any, m: Any, ties: int) -> Any:
    """P(the worse of two Bernoulli arms has more successes in m pulls), with `ties` = 1 or as many."""

    def successes(mean: Any, count: Any) -> Any:
        return comb(m, count) * mean**count * (1 - mean) ** (m - count)

    fewer = lambda k: total(lambda j: successes(best, j), 0, minimum(m + 1, k + ties) - 1)  # noqa: E731
    return total(lambda k: successes(other, k) * fewer(k), 0, m)


@claim(
    "TH-A2.ETC/exact-regret",
    enumerated(
        [
            {"best": best, "other": other, "m": m, "horizon": horizon}
            for best, other in (("1/2", "1/4"), ("1", "0"), ("9/10", "4/5"))
            for m, horizon in ((2, 4), (2, 9), (3, 8))
        ],
        rational=True,
        routes=("sum over all lists of rewards", "binomial tails"),
    ),
    false={"rounds": 2},
    where=["other < best", "horizon >= 2 * m"],
)
def regret_of_explore_then_commit(best: Probability, other: Probability, m: TwoOrMore, horizon: Count, rounds=1):
    r"""two Bernoulli arms: $\mathrm{Reg}_T=m\Delta+(T-2m)\,\Delta\,\mathbb P(\text{the worse arm wins $1m$ rounds})$,
    exactly

    The regrets for both orders of the arms are added: ties go to the first arm, so they cost regret in one order only.
    """
    gap, explored = best - other, rounds * m
    wrong = sum(wrong_commitment(best, other, explored, ties) for ties in (0, 1))
    return regret_of_etc(best, other, m, horizon), "==", 2 * explored * gap + (horizon - 2 * explored) * gap * wrong


@quantity
def chance_that_the_worse_mean_wins(gap: Any, m: int) -> Any:
    """P(mean of m rewards of the worse of two normal arms >= that of the better one), unit variance, by quadrature."""
    import mpmath

    with mpmath.workdps(30):
        shift = mpmath.mpf(str(to_ball(gap).mid().str(25, radius=False))) * mpmath.sqrt(m)
        # sums at steps of 1/3 miss this integral by about e^(-9 pi^2), and what lies beyond 14 is smaller still
        places = (mpmath.mpf(k) / 3 for k in range(-42, 43))
        return to_ball(mpmath.fsum(mpmath.npdf(x) * mpmath.ncdf(x - shift) for x in places) / 3)


@claim(
    "TH-A2.ETC/gaussian-arms",
    tried_at(gap=Fraction(1, 2), m=7),
    quadrature(gap=["1/10", "1/2", "2"], m=[2, 7, 50], error="1e-15 (mpmath, 30 digits)"),
    false={"spread": 1},
    role="remark",
)
def commits_wrongly_with_normal_rewards(gap: Positive, m: TwoOrMore, spread=2):
    r"""two normal arms of unit variance: $\mathrm{Reg}_T=m\Delta+(T-2m)\,\Delta\,\Phi(-\Delta\sqrt{m/2})$

    P(mean of m rewards of the worse arm >= that of the better one), by quadrature, is compared with Phi(-gap
    sqrt(m/2)): the difference of two means of m rewards is normal with variance 2/m.
    """
    closed = normal_cdf(-gap * sqrt(ratio(m, spread)))
    return abs(chance_that_the_worse_mean_wins(gap, m) - closed), "<=", Fraction(1, 10**15)


@claim("TH-A2.ETC/too-small", deduced(), where=["other < best"])
def too_little_exploration(best: Inside, other: Inside, m: TwoOrMore):
    r"""$m$ fixed: the share of $T$ that is lost is at least $\Delta\,((1-p)q)^m>0$ for Bernoulli arms $0<q<p<1$: linear
    regret

    Only one event is counted: every reward of the better arm is 0 and every reward of the worse arm is 1. Ties are left
    out, since no rule on ties avoids this event.

    This is one term of many: seven times as much would hold as well.
    """
    lost = (best - other) * wrong_commitment(best, other, m, 0)
    least = (best - other) * ((1 - best) * other) ** m
    return lost, ">=", where(least, ">", 0, least, inf)


@claim(
    "TH-A2",
    enumerated(
        [
            {"policy": policy, "arms": arms, "horizon": horizon}
            for policy, sizes in (("UCB", [(2, 9), (3, 7), (1, 3), (3, 2)]), ("anytime UCB", [(2, 9), (3, 7)]))
            for arms, horizon in sizes
        ],
        rational=True,
        routes=("the policy", "pseudo code, indices in balls"),
    ),
    false={"rounds": 2},
)
def ucb_follows_its_pseudo_code(
    policy: Annotated[Any, "all: the UCB meta-algorithm with (2.9), (2.12)"],
    arms: Count,
    horizon: Count,
    rounds=1,
    factor=2,
):
    r"""Algorithm 2 pulls each arm once and then, for $t>K$, an arm with the largest $\mathrm{UCB}_a(t-1)$; ties
    go to the lowest arm here.

    The widths are sqrt(factor log(T^2) / N) and sqrt(factor log(f(t)) / N).
    """
    fixed = 2 * log(to_ball(horizon))
    widths = [sqrt(factor * (fixed if policy == "UCB" else log_f(t))) for t in range(1, horizon + 1)]
    return same_actions(policy, arms, horizon, rounds, lambda t: widths[t - 1])
