r"""Section 5: linear bandits with finitely many arms, AdaR-GOPE, its privacy and its regret.

price is alpha / epsilon. Noise is on the sums of rewards, so the privacy does not depend on the design.
"""

import random
from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.claims.recorded_runs import BUGS, Algorithm, EveryBudget, RewardLists, recorded
from banditproof.theory.linear.phases import adar_phase_length, phase_level
from banditproof.verify import record
from banditproof.verify.runs.followed import linear_departures
from banditproof.verify.runs.linear_runs import ACTIONS, linear_maker


@claim("RDP-S5", enumerated(rewards=range(20), rational=True), false={"phases": 4})
def samples_do_not_choose_actions(rewards: RewardLists, phases=1):
    r"""The samples of a phase do not influence its actions: actions that differ on two random reward lists before the
    end of phase 1."""
    budget, draw = Budget.rdp(2, 1), random.Random(rewards)
    make = linear_maker("adar-gope", budget, ACTIONS, "none", adversary=False)
    lists = [[float(draw.random() < p) for _ in range(400)] for p in (0.1, 0.9)]
    runs = [record(make, heard, rewards) for heard in lists]
    ends = [release.records[1] for release in runs[0].releases[:phases] if release.records]
    end = ends[-1] if len(ends) == phases else len(lists[0])
    return sum(a != b for a, b in zip(runs[0].actions[:end], runs[1].actions[:end], strict=True)), "==", 0


@claim(
    "RDP-T7/recorded-runs",
    recorded({"adar-gope": [["rdp", 2, 1], ["rdp", "11/10", 4]]}, quick=2, pulls={"adar-gope": 60}),
    false=BUGS,
    role="model",
)
def runs_of_adar_gope(
    algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none", adversary=1
):
    r"""In runs of AdaR-GOPE, each reward enters one release, actions depend on releases only, and no reward is charged
    more than $\epsilon$, with designs as a program returns them."""
    return linear_departures(algorithm, budget, T, rewards, bug, adversary, design="frank-wolfe")


Dimension = Annotated[Any, "integer [3, inf)"]


def first_phase(d: Any, price: Any, delta: Any) -> tuple[int, Any, Any]:
    """(K, c, the logarithm of the bound at T = c + K) of the first phase on (e_i + e_j) / sqrt(2), i < j, any theta*.

    The products a a^T are independent, so the optimal design is unique, and by symmetry uniform: each action is played
    ceil(c / K) times whatever the rewards are, which is at least once and in all at most c + K times.
    """
    arms = d * (d - 1) // 2
    length = adar_phase_length(d, to_ball("1/2"), phase_level(delta, arms, 1), price)
    return arms, length, log(arms * log(length + arms) / delta)


@claim(
    "RDP-T8/universal",
    fails_at(d=10**5, price=Fraction(1, 10**9), delta=Fraction(1, 2)),
    called={
        r"$C_1=C_2=10$, the actions $(e_i+e_j)/\sqrt2$, and $d$": "d",
        r"$\alpha/\epsilon$": "price",
        "$K$": "arms",
        "$T$": "horizon",
        "a lower bound on the regret": "(d - 1) * (d - 2) // 2",
        "the printed bound": "bound",
    },
    assuming="""the first phase and other constants: the optimal design on these actions is the uniform one, as the
    matrices a a^T are independent, so that each is played at least once whatever the rewards are, and T is the end of
    the phase; larger constants fail at a larger d (RDP-T8/no-constants)""",
)
def universal_constants(d: Dimension, price: Positive, delta: Inside, C_1=10, C_2=10):
    r"""$R_T\le C_1\sqrt{dT\Lambda}+C_2d^2\sqrt{\frac\alpha\epsilon\Lambda}\log T$ with $\Lambda=\log\frac{K\log
    T}\delta$ and universal constants $C_1$ and $C_2$.

    The design has $\frac{d(d-1)}2$ actions and plays each at least once. At $T$ of the order of $d^2$ the regret is
    therefore of order $d^2$, but the bound is of order $d^{3/2}$ if $\frac\alpha\epsilon$ is small. Step 5 of the proof
    has $4d(d+1)$ for this rounding, and step 6 drops it. With that summand, which is within the private term if
    $\epsilon\le\alpha$, these runs obey the bound. The check uses $C_1=C_2=10$, the actions $(e_i+e_j)/\sqrt2$, $i<j\le
    d$, $\theta^*$ one of them, and $T=c+K$ at the end of the first phase, whose length before rounding is
    $c=32d\log\frac{8K}\delta+4d\sqrt{\frac{2\alpha}\epsilon d(d+1)\log\frac{8K}\delta}$ by (8); there the regret is at
    least $\frac{(d-1)(d-2)}2$.

    For any constants, some d exceeds the bound (also with log T inside the root, as Section 5 prints it, which is a
    smaller bound).
    """
    arms, length, level = first_phase(d, price, delta)
    horizon = length + arms
    bound = C_1 * sqrt(d * horizon * level) + C_2 * d**2 * sqrt(price * level) * log(horizon)
    return (d - 1) * (d - 2) // 2 - bound, "<=", 0


@claim(
    "RDP-T8/no-constants", enumerated(constant=[10**k for k in range(1, 40)]), false={"power": 1}, role="implication"
)
def no_constants(constant: Annotated[Any, "integer [10, inf)"], power=4):
    r"""For every $C$ the bound with $C_1=C_2=C$ is exceeded: at $d=10^4C^{4}$, $\frac\alpha\epsilon=d^{-4}$,
    $\delta=\frac12$."""
    d = 10**4 * constant**power
    return universal_constants(d, to_ball(ratio(1, d**4)), to_ball(Fraction(1, 2)), constant, constant)[0], ">", 0


@claim(
    "RDP-T8/universal-repaired",
    enumerated(d=[3, 10, 10**4, 10**20], price=[Fraction(1, 10**60), 1, 10**6], delta=["1/2", "1/1000"]),
    false={"rounding": "0.4"},
    repairs="RDP-T8/universal",
    restricted="to the first phase on these actions",
)
def with_the_rounding(d: Dimension, price: Positive, delta: Inside, rounding=4, plain=10, private=10):
    r"""With the $4d(d+1)$ of step 5 in the bound: $\lceil\frac cK\rceil$ plays of each of these actions lose at most
    $4d(d+1)+10\sqrt{dT\Lambda}+10d^2\sqrt{\frac\alpha\epsilon\Lambda}\log T$ (at the end of the first phase, of $c$
    plays before they are rounded).

    The first phase would also obey the bound with half of the summand $4d(d+1)$, and with smaller constants.
    """
    arms, length, _ = first_phase(d, price, delta)
    level = log(arms * log(length) / delta)
    lost = (length / arms + 1) * ((d - 1) * (d - 2) // 2)
    bound = rounding * d * (d + 1) + plain * sqrt(d * length * level)
    return lost, "<=", bound + private * d**2 * sqrt(price * level) * log(length)


def first_phase_at(horizon: Any, d: Any, arms: Any, price: Any) -> Any:
    """The length of the first phase, before it is rounded, at delta = 1 / horizon."""
    return adar_phase_length(d, to_ball("1/2"), phase_level(1 / to_ball(horizon), arms, 1), price)


@claim("RDP-S6/anytime", fails_at(d=2, arms=10, price=1, T=100), role="reading")
def anytime_at_the_confidence_of_the_expectation(d: Count, arms: TwoOrMore, price: Positive, T: TwoOrMore):
    r"""(3) 'AdaR-GOPE, which is anytime', run with the $\delta=\frac1T$ at which Theorem 8 bounds the expected regret:
    the first phase is as long for the horizon $T^2$ as for $T$ (lengths before rounding).

    For a fixed $\delta$ the algorithm needs no horizon. The expected regret, which Table 1 and the comparison with
    other algorithms are about, is bounded at $\delta=\frac1T$ only, and then every phase depends on $T$.
    """
    return first_phase_at(T**2, d, arms, price), "==", first_phase_at(T, d, arms, price)
