"""Section 5.1, page 102: DP-SE, which drops arms in epochs, and successive elimination without privacy.

In epoch e an arm is pulled R_e times, with D = 2^-e, S active arms, and in units of 1/D
2 h_e = 2 sqrt(log(8 S e^2/beta) / (2 R_e)) and 2 c_e = 2 log(4 S e^2/beta) / (R_e epsilon) of slack.
"""

from math import floor
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms.finite.successive_elimination import DPSE, SuccessiveElimination
from banditproof.claims.language import *
from banditproof.claims.recorded_runs import BUGS, Algorithm, EveryBudget, RewardLists, recorded
from banditproof.paper_checks.thesis.ch5_algorithms.facts import AN_EPOCH, Silent, pulls_up_to, real_pulls
from banditproof.verify import RecordingNoise
from banditproof.verify.runs.followed import departures_of


def wrong_batches(arms: int, epochs: int, epsilon: Any, beta: Any, factor: Any) -> Sides:
    """Batches of a policy that hears equal sums, so that no arm is dropped, against R_e; each arm once per epoch."""
    if epsilon is None:
        policy: Any = SuccessiveElimination(arms, beta=float(beta))
    else:
        policy = DPSE(arms, Budget.pure(float(epsilon)), Silent(), beta=float(beta))
    wrong = 0
    for epoch in range(1, epochs + 1):
        wanted = factor * real_pulls(arms, epoch, epsilon, beta)
        for turn in range(arms):
            arm, count = policy.next_batch()
            wrong += not (arm[0] == turn and wanted < int(count[0]) <= wanted + 1)
            policy.observe(count / 2, count)
    return wrong, "==", 0


BATCHES = ("batches of the policy", "formula in balls")


@claim(
    "ALG-A-DPSE/schedule",
    enumerated(arms=[2, 5], epochs=6, beta=["1/2", "1/10000000"], epsilon=["1/1000", "1/10", 1], routes=BATCHES),
    false={"factor": "1.01"},
)
def schedule_of_dp_se(arms: Count, epochs: Count, beta: Inside, epsilon: Positive, factor=1):
    r"""Epoch $e$ pulls every active arm
    $R_e=\lfloor\max\{\frac{32}{\Delta_e^2}\log\frac{8|S|e^2}\beta,\frac8{\varepsilon\Delta_e}\log\frac{4|S|e^2}\beta\}\rfloor+1$
    times, $\Delta_e=2^{-e}$."""
    return wrong_batches(arms, epochs, epsilon, beta, factor)


@claim("ALG-A-DPSE/recorded-runs", recorded({"dp-se": [["pure", 4]]}, quick=4), false=BUGS, role="model")
def dp_se_runs(algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none", adversary=0):
    r"""In runs of DP-SE, a release is the sum of the rewards of an arm in an epoch, plus Laplace noise that hides one
    of these rewards. Each reward enters one release. Actions depend on releases only."""
    return departures_of(algorithm, budget, T, rewards, bug, adversary)


@claim("ALG-A-DPSE/not-anytime", deduced())
def dp_se_needs_the_horizon(horizon: TwoOrMore, arms: TwoOrMore):
    r"""With $\beta=1/T$ the first epoch is longer for $2T$ than for $T$ ($\varepsilon=1$).

    An epoch has floor(x) + 1 pulls, which is 1 - ceil(-x).
    """
    once, twice = (1 - least_integer(-real_pulls(arms, 1, 1, ratio(1, T))) for T in (horizon, 2 * horizon))
    return once, "<", twice


@claim("ALG-A-DPSE/few-means", deduced(), false={"exponent": "1/2"})
def number_of_means_of_dp_se(horizon: TwoOrMore, arms: TwoOrMore, epsilon: Positive, epoch: Count, exponent=1):
    r"""DP-SE releases $\mathcal O(\log T)$ private means: at most $K\log_2T$.

    An epoch releases one mean of each arm, at most $K$. The claim is that epoch e begins before T only for 2^e <= T,
    also if no arm is ever dropped, with beta = 1/T; so there are at most log2 T epochs.
    """

    def pulls(e: Any) -> Any:
        return arms * (floor(real_pulls(arms, e, epsilon, ratio(1, horizon))) + 1)

    before = total(pulls, 1, epoch - 1)
    return where(before, "<", horizon, 2**epoch, 0), "<=", horizon**exponent


@claim(
    "ALG-A-DPSE/regret",
    deduced(),
    false=mutation(plain=20, private=20),
    where=[*AN_EPOCH, "arms <= horizon", "gap * gap * horizon >= 1"],
)
def regret_of_dp_se(
    gap: AboveZero, last: Count, arms: TwoOrMore, epsilon: Positive, horizon: TwoOrMore, plain=1200, private=200
):
    r"""On the good event a suboptimal arm costs at most $1200\frac{\log T}{\Delta_a}+200\frac{\log T}\varepsilon$ for
    $K\le T$ and $\Delta_a\ge T^{-1/2}$: the additional $\mathcal O(\log(T)/\varepsilon)$.

    The text only gives an order. Both numbers are choices; a third of the first and an eighth of the second would be
    enough here.
    """
    L = log(to_ball(horizon))
    left = to_ball(gap) * pulls_up_to(last, arms, epsilon, ratio(1, horizon))
    return left, "<=", plain * L / to_ball(gap) + private * L / to_ball(epsilon)


@claim(
    "ALG-A-SE",
    enumerated(arms=[2, 5, 10], epochs=8, beta=["1/2", "1/100", "1/10000000"], routes=BATCHES),
    false={"factor": "1.01"},
)
def schedule_without_noise(arms: TwoOrMore, epochs: Count, beta: Inside, factor=1):
    r"""Successive elimination is DP-SE without noise and without the allowance for noise:
    $R_e=\lfloor\frac{32}{\Delta_e^2}\log\frac{8|S|e^2}\beta\rfloor+1$."""
    return wrong_batches(arms, epochs, None, beta, factor)


@claim(
    "ALG-A-SE/elimination",
    enumerated(
        arms=[2, 4, 8],
        seed=pick(range(8), range(60)),
        rational=True,
        routes=("arms of the policy", "means of the epoch"),
    ),
    false={"extra": 1},
)
def elimination_rule(arms: TwoOrMore, seed: Annotated[Any, "all: random means and rewards"], extra=0):
    r"""After an epoch the arms within $(2)h_e$ of the best mean of that epoch stay, and no others.

    The left side counts the epochs after which the set of active arms is different.
    """
    generator, wrong = np.random.default_rng(seed), 0
    policy = SuccessiveElimination(arms, beta=0.1, noise=RecordingNoise())
    means = generator.random(arms)
    for epoch in range(1, 6):
        active = np.flatnonzero(policy.active[0])
        if active.size == 1:
            break
        heard = {}
        for _ in active:
            arm, count = policy.next_batch()
            heard[int(arm[0])] = float(generator.binomial(int(count[0]), means[arm[0]])) / int(count[0])
            policy.observe(np.array([heard[int(arm[0])] * int(count[0])]), count)
        half = np.sqrt(np.log(8 * active.size * epoch**2 / 0.1) / (2 * int(count[0])))
        kept = [arm for arm in active if max(heard.values()) - heard[int(arm)] <= (2 + extra) * half]
        wrong += list(np.flatnonzero(policy.active[0])) != kept
    return wrong, "==", 0
