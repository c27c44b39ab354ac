r"""Section 5: linear bandits with finitely many arms, AdaR-GOPE, its privacy and its regret.

price is alpha / epsilon. Noise is on the sums of rewards, so the privacy does not depend on the design.
"""

import random
from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.recorded_runs import BUGS, EVERY_RUN, Algorithm, EveryBudget, RewardLists, recorded
from banditproof.claims.register import claim, item, restate
from banditproof.claims.sets import AboveOne, AtLeastOne, Count, Inside, Nonnegative, Positive
from banditproof.claims.steps import enumerated, fails_at, symbolic
from banditproof.theory import Budget, log, sqrt, to_ball
from banditproof.theory.linear.phases import adar_phase_length, phase_level
from banditproof.verify import record
from banditproof.verify.runs.linear_runs import ACTIONS, SHORT, linear_maker, linear_violations

restate("RDP-EQ7", of="TH-S4.3lin")
restate("RDP-AS1", of="ALG-D5.10")
restate("RDP-EQ8", of="ALG-A-ADARGOPE")

item(
    "RDP-A3",
    r"""AdaR-GOPE: phases with an optimal design on the actions left, $T_\ell(a)$ plays of each, least squares on the
    phase, $\tilde\theta_\ell=\hat\theta_\ell+V_\ell^{-1}\sum_{a\in\mathrm{Supp}}aN_a$, $N_a\sim\mathcal
    N(0,\frac{2\alpha}\epsilon)$, elimination of what is $2\beta_\ell$ worse.""",
    twins=["ZCDP-A2"],
)
restate("RDP-A3/window", of="ALG-A8/window")
restate("RDP-A3/window-repaired", of="ALG-A8/window-repaired", repairs="RDP-A3/window")
restate("RDP-A3/inverse", of="ALG-EQ5.7/when-few-are-left", role="edge")
restate("RDP-A3/inverse-repaired", of="ALG-EQ5.7/when-few-are-left-repaired", repairs="RDP-A3/inverse")


@claim("RDP-S5", enumerated(rewards=range(20), rational=True), false={"phases": 4})
def samples_do_not_choose_actions(rewards: RewardLists, phases=1):
    r"""The samples of a phase do not influence its actions: actions that differ on two random reward lists before the
    end of phase <phases>."""
    budget, draw = Budget.rdp(2, 1), random.Random(rewards)
    make = linear_maker("adar-gope", budget, ACTIONS, "none", adversary=False, **SHORT)
    lists = [[float(draw.random() < p) for _ in range(400)] for p in (0.1, 0.9)]
    runs = [record(make, heard, rewards) for heard in lists]
    ends = [release.records[1] for release in runs[0].releases[:phases] if release.records]
    end = ends[-1] if len(ends) == phases else len(lists[0])
    return sum(a != b for a, b in zip(runs[0].actions[:end], runs[1].actions[:end], strict=True)), "==", 0


item("RDP-T7", r"Under Assumption 1 AdaR-GOPE is $(\alpha,\epsilon)$-global RDP.", domain=EVERY_RUN)


@claim("RDP-T7/cost", symbolic(), false={"two": "1.9"})
def cost_of_a_noisy_sum(shift: Annotated[Any, "[-2, 2]"], order: AboveOne, epsilon: Positive, two=2):
    r"""Rewards in $[-1,1]$ move one sum by at most 2, noise $\mathcal N(0,\frac{<two>\alpha}\epsilon)$: $D_\alpha\le
    \epsilon$ (with $[0,1]$ a quarter of it)."""
    return order * shift**2 / (2 * two * order / epsilon), "<=", epsilon


@claim(
    "RDP-T7/recorded-runs",
    recorded({"adar-gope": [["rdp", 2, 1], ["rdp", "11/10", 4]]}, quick=2, pulls={"adar-gope": 60}),
    false=BUGS,
)
def runs_of_adar_gope(
    algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none", adversary=1
):
    r"""Each reward enters one release, actions depend on releases only, and no reward is charged more than $\epsilon$,
    with designs as a program returns them (planted bug: <bug>)."""
    return linear_violations(algorithm, budget, T, rewards, bug, adversary, design="frank-wolfe")


item(
    "RDP-T8",
    r"""With probability $1-\delta$, $R_T\le C_1\sqrt{dT\log\frac{K\log T}\delta}+C_2d^2\sqrt{\frac\alpha\epsilon\log
    \frac{K\log T}\delta\log T}$; with $\delta=\frac1T$, $\mathbb ER_T=\mathcal O(\sqrt{dT\log(KT)})+\mathcal
    O(\sqrt{\frac\alpha\epsilon}d^2\log^{3/2}(KT))$.""",
    twins=["ALG-T5.12"],
)


Dimension = Annotated[Any, "integer [3, inf)"]


def first_phase(d: Any, price: Any, delta: Any) -> tuple[int, Any, Any]:
    """(K, c, the logarithm of the bound at T = c + K) of the first phase on (e_i + e_j) / sqrt(2), i < j, any theta*.

    The products a a^T are independent, so the optimal design is unique, and by symmetry uniform: each action is played
    ceil(c / K) times whatever the rewards are, which is at least once and in all at most c + K times.
    """
    arms = d * (d - 1) // 2
    length = adar_phase_length(d, to_ball("1/2"), phase_level(delta, arms, 1), price)
    return arms, length, log(arms * log(length + arms) / delta)


@claim("RDP-T8/universal", fails_at(d=10**20, price=Fraction(1, 10**60), delta=Fraction(1, 2)))
def universal_constants(d: Dimension, price: Positive, delta: Inside, C_1=10**6, C_2=10**6):
    r"""$R_T\le C_1\sqrt{dT\alpha_T}+C_2d^2\sqrt{\frac\alpha\epsilon\alpha_T}\log T$, $\alpha_T=\log\frac{K\log
    T}\delta$, with universal $C_1=<C_1>$, $C_2=<C_2>$, for the actions $\frac{e_i+e_j}{\sqrt2}$, $i<j$, $\theta^*$ one
    of them and $T$ at the end of the first phase: there each of them is played, $R_T\ge\frac{(d-1)(d-2)}2$, beyond the
    bound with any $C_1,C_2$ where $\frac\alpha\epsilon$ is small (the difference of both sides).

    Step 5 has 4 d (d + 1) for the rounding of the plays to whole numbers, and step 6 leaves it out; it is of a larger
    order than d^(3/2). Other constants fail at another d (`no-constants`). Of the two printed bounds the larger is
    taken. How far it goes beyond says nothing, as the constants are chosen here. price is alpha/epsilon.
    """
    arms, length, level = first_phase(d, price, delta)
    horizon = length + arms
    bound = C_1 * sqrt(d * horizon * level) + C_2 * d**2 * sqrt(price * level) * log(horizon)
    return (d - 1) * (d - 2) // 2 - bound, "<=", 0


@claim(
    "RDP-T8/no-constants", enumerated(constant=[10**k for k in range(1, 40)]), false={"power": 1}, role="implication"
)
def no_constants(constant: Annotated[Any, "integer [10, inf)"], power=4):
    r"""For every $C$ the bound with $C_1=C_2=C$ is exceeded: at $d=10^4C^{<power>}$, $\frac\alpha\epsilon=d^{-4}$,
    $\delta=\frac12$."""
    d = 10**4 * constant**power
    return universal_constants(d, to_ball(Fraction(1, d**4)), to_ball(Fraction(1, 2)), constant, constant)[0], ">", 0


@claim(
    "RDP-T8/universal-repaired",
    enumerated(d=[3, 10, 10**4, 10**20], price=[Fraction(1, 10**60), 1, 10**6], delta=["1/2", "1/1000"]),
    false={"rounding": "0.4"},
    role="repair",
    repairs="RDP-T8/universal",
    restricted="to the first phase on these actions",
)
def with_the_rounding(d: Dimension, price: Positive, delta: Inside, rounding=4, plain=10, private=10):
    r"""With the $<rounding>d(d+1)$ of step 5 in the bound: $\lceil\frac cK\rceil$ plays of each of these actions lose
    at most $<rounding>d(d+1)+<plain>\sqrt{dT\alpha_T}+<private>d^2\sqrt{\frac\alpha\epsilon\alpha_T}\log T$ (at
    $T=c$, the left side from above).

    Half of d (d + 1) would do for the first phase, and smaller constants.
    """
    arms, length, _ = first_phase(d, price, delta)
    level = log(arms * log(length) / delta)
    lost = (length / arms + 1) * ((d - 1) * (d - 2) // 2)
    bound = rounding * d * (d + 1) + plain * sqrt(d * length * level)
    return lost, "<=", bound + private * d**2 * sqrt(price * level) * log(length)


@claim("RDP-T8/two-forms", fails_at(level=4, horizon_level=9), role="reading")
def two_printed_bounds(level: Positive, horizon_level: Positive):
    r"""The bound of the main text, $\sqrt{\log\frac{K\log T}\delta\log T}$, is that of the appendix and of the proof,
    $\sqrt{\log\frac{K\log T}\delta}\,\log T$ (squares).

    log T stands inside the root in the main text, outside of it in the appendix. Here level is the first logarithm and
    horizon_level is log T.
    """
    return level * horizon_level, "==", level * horizon_level**2


@claim("RDP-T8/two-forms-repaired", symbolic(), false={"power": 2}, role="repair", repairs="RDP-T8/two-forms")
def factor_between_the_bounds(level: Positive, horizon_level: Positive, power=1):
    r"""The appendix's is larger by the factor $\sqrt{\log T}$ (its square, $\log^{<power>}T$)."""
    return level * horizon_level**2, "==", level * horizon_level * horizon_level**power


restate("RDP-T8/short-horizon", of="ALG-T5.12/short-horizon")
restate("RDP-T8/short-horizon-repaired", of="ALG-T5.12/short-horizon-repaired", repairs="RDP-T8/short-horizon")


@claim("RDP-T8/order-of-the-expectation", symbolic(), false={"power": 2})
def order_of_the_expectation(arms: Nonnegative, horizon: Positive, power=3):
    r"""$\delta=\frac1T$ and the appendix's form: $\log(KT)\log^2T\le\log^{<power>}(KT)$, so the private part is
    $\mathcal O(\log^{3/2}(KT))$ (squares; arms is $\log K$, horizon $\log T$)."""
    return (arms + horizon) * horizon**2, "<=", (arms + horizon) ** power


@claim("RDP-S6", symbolic(), false={"power": 3}, rests_on=["RDP-EQ8"])
def price_of_the_first_phase(d: AtLeastOne, power=4):
    r"""(1) the price of privacy is $\tilde{\mathcal O}(d^2\sqrt{\alpha/\epsilon})$: the private plays of the first
    phase on a basis lose $4(d-1)\sqrt{2\frac\alpha\epsilon d(d+1)\Lambda}$, at most
    $\sqrt{32d^{<power>}\frac\alpha\epsilon \Lambda}$ (squares)."""
    return 32 * (d - 1) ** 2 * d * (d + 1), "<=", 32 * d**power
