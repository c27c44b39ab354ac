"""Section 4: AdaR-UCB, its privacy and its regret.

AdaR-UCB at (alpha, epsilon) is AdaC-UCB of the zCDP paper at rho = epsilon/alpha. The noise of a mean is read as drawn
once per episode; drawing it again for idle arms is a reading of its own.
"""

from fractions import Fraction
from typing import Any

from banditproof.claims.recorded_runs import BUGS, EVERY_RUN, Algorithm, EveryBudget, RewardLists, recorded
from banditproof.claims.register import claim, item, mutation, restate
from banditproof.claims.sets import AboveOne, Count, Nonnegative, Positive, Real, TwoOrMore
from banditproof.claims.steps import fails_at, pick, quadrature, symbolic, tried_at
from banditproof.paper_checks.rdp.facts import price_against_pure
from banditproof.paper_checks.shared.episodes import (
    ONE_PART_ONLY,
    OTHER_WIDTHS,
    Budgets,
    ListRewards,
    Name,
    decisions_of,
    index_of_policy,
    indices_of,
    releases_as_printed,
    releases_of,
    wrong_decisions,
)
from banditproof.paper_checks.shared.noise import largest_divergence, redrawn_divergence
from banditproof.theory import to_ball
from banditproof.verify.runs.recorded import violations

restate("RDP-EQ5", "BDP-EQ2", r"(5) $T\mu^*-\mathbb E[\sum_tR_t]=\sum_a\Delta_a\mathbb E[N_a(T)]$.")

BUDGETS: list[list[Any]] = [["rdp", 2, 1], ["rdp", "11/10", 4], ["rdp", 30, "1/10"]]

item(
    "RDP-A2",
    r"AdaR-UCB: each arm once; then the arm with the largest index (6), $\hat\mu_a+\mathcal N(0,\sigma_a^2)+B_a$, is "
    r"played until $N_{A_\ell}(t)=2N_{A_\ell}(t_\ell-1)$; the mean is that of the arm's last episode.",
    twins=["ZCDP-A4", "ALG-A-ADACUCB"],
)


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


restate(
    "RDP-A2/doubling",
    "ALG-A7/pseudo-code",
    r"Line 7: our program of AdaR-UCB plays $A_\ell$ until $N_{A_\ell}(t)=2N_{A_\ell}(t_\ell-1)$, after each arm once.",
)
restate(
    "RDP-A2/half-of-the-samples",
    "ALG-A7/half-of-the-samples",
    r"$\frac12N_a(t_\ell-1)$, which stands in (6), is the number of rewards in the last episode of $a$, at every "
    r"decision (at least $0$).",
)
restate("RDP-A2/half-of-the-samples-or-one", "ALG-A7/half-of-the-samples-or-one", repairs="RDP-A2/half-of-the-samples")


item(
    "RDP-T4",
    r"For rewards in $[0,1]$, AdaR-UCB is $(\alpha,\epsilon)$-global RDP.",
    domain=EVERY_RUN,
    twins=["ZCDP-T12", "ALG-T5.5"],
)

restate(
    "RDP-T4/per-release",
    "ALG-R5.7/renyi",
    r"One release costs $D_\alpha=\epsilon d^2\le\epsilon$ when its mean moves by $d/n$.",
)


@claim("RDP-T4/recorded-runs", recorded({"adar-ucb": BUDGETS}, quick=1), false=BUGS)
def runs_of_adar_ucb(
    algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none", adversary=0
):
    r"""A change of one reward affects the mean of one episode; actions depend on releases only; no reward is charged
    more than $\epsilon$ of RDP."""
    return violations(algorithm, budget, T, rewards, bug, adversary)


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
    r"""So it is under the Interactive definition of the zCDP paper: also when an adversary plays other arms (planted
    bug: none)."""
    return violations(algorithm, budget, T, rewards, bug, adversary)


SHORT_GAMES = [
    {"T": T, "order": Fraction(a), "epsilon": Fraction(e)}
    for T in (6, 8)
    for a, e in (("11/10", "1"), ("2", "1/5"), ("2", "4"), ("20", "1"))
]


@claim(
    "RDP-T4/exact-law",
    tried_at(SHORT_GAMES[:4]),
    quadrature(pick(SHORT_GAMES[:4], SHORT_GAMES), error="splines, below 1e-7; probabilities below 1e-12 are left out"),
    false=mutation("an eighth of the variance", share=8, gradual=False),
)
def exact_law_of_adar_ucb(T: TwoOrMore, order: AboveOne, epsilon: Positive, share=1):
    r"""On two arms, binary lists that differ in one of five rewards, noise of variance $\frac\alpha{2\cdot\epsilon}$ on
    a sum: the law of the actions has $D_\alpha\le\epsilon$.

    With the quadrature's error added.
    """
    b = float(order) / (2 * float(share) * float(epsilon))
    return to_ball(largest_divergence(T, b, float(order)) + 1e-6), "<=", epsilon


@claim("RDP-T4/noise-drawn-again", fails_at(order=5, epsilon=2, T=18), role="reading", twins=["ALG-T5.5", "ZCDP-T12"])
def new_noise_for_idle_arms(order: AboveOne, epsilon: Positive, T: TwoOrMore):
    r"""(6) read literally, with new noise $\mathcal N(0,\sigma^2_{a,\ell})$ in every episode $\ell$ also for idle arms:
    the law of the actions has $D_\alpha\le\epsilon$.

    (6) is 'mu_a^l + N(0, sigma_{a,l}^2) + B_a', which leaves open when the noise is drawn. The first reward of an idle
    arm is asked about in every decision of T = 18 steps.
    """
    return redrawn_divergence(order, order / (2 * epsilon), T), "<=", epsilon


restate(
    "RDP-T4/noise-stored",
    "ALG-R5.7/renyi",
    r"With one draw per episode a reward is in one release, which costs at most $\epsilon$.",
    repairs="RDP-T4/noise-drawn-again",
)

item(
    "RDP-T5",
    r"AdaR-UCB, rewards in $[0,1]$, $\beta>3$: regret at most $\sum_{\Delta_a>0}(\frac{8\beta}{\Delta_a}\log "
    r"T+8\sqrt{\frac{\beta\alpha}\epsilon}\sqrt{\log T}+\frac{2\beta}{\beta-3})$.",
    twins=["ZCDP-T10", "ALG-T5.6"],
)

restate(
    "RDP-T5/bound",
    "ZCDP-T10/bound",
    r"$\mathrm{Reg}_T\le\sum_{\Delta_a>0}\bigl(\frac{8\beta}{\Delta_a}\log "
    r"T+8\sqrt{\frac{\beta\alpha}\epsilon}\sqrt{\log T}+\frac{2\beta}{\beta-3}\bigr)$ (rho is $\frac\epsilon\alpha$).",
)

restate(
    "RDP-T5/short-horizon",
    "ZCDP-T10/short-horizon",
    r"$T\le K$, which the pseudocode does not foresee, and $T=1$: "
    r"$\mathrm{Reg}_T\le\sum_{\Delta_a>0}\bigl(\frac{8\beta}{\Delta_a}\log "
    r"T+8\sqrt{\frac{\beta\alpha}\epsilon}\sqrt{\log T}+\frac{2\beta}{\beta-3}\bigr)$ (rho is $\frac\epsilon\alpha$).",
)

item(
    "RDP-C6",
    r"AdaR-UCB, rewards in $[0,1]$, $\beta>3$: regret at most $\mathcal O(\sqrt{KT\log T})+\mathcal "
    r"O(K\sqrt{\frac\alpha\epsilon\log T})$.",
    twins=["ZCDP-T11", "ALG-PC.2.6c"],
)

restate(
    "RDP-C6/split",
    "ZCDP-T11/split",
    r"$T\Delta+\frac{8\beta KL}\Delta\le4\sqrt{2\beta KTL}$ at $\Delta=\sqrt{8\beta KL/T}$ (squared), the smallest "
    r"value of the sum (level is $L=\log T$).",
    role="part",
)

restate(
    "RDP-C6/bound",
    "ZCDP-T11/bound",
    r"$\mathrm{Reg}_T\le4\sqrt{2\beta KT\log T}+8K\sqrt{\frac{\beta\alpha}\epsilon\log "
    r"T}+\frac{3\beta}{\beta-3}\sum_a\Delta_a$ (rho is $\frac\epsilon\alpha$).",
    notes="The last summand is that of the bounds on the numbers of plays, with 3 in place of 2, which is more.",
)

restate(
    "RDP-C6/order",
    "ALG-T5.6/order",
    r"The gap-free bound has the stated order: for $T\ge K$ the summand that it does not show has "
    r"$(\sum_a\Delta_a)^2\le K^2\le2\,KT\log T$; for $T<K$ the regret is at most $T\le\sqrt{KT}$ (more is $T-K$, level "
    r"$\log T$).",
    notes="The explicit bound is a part of its own.",
)
restate(
    "RDP-C6/one-round",
    "ALG-T5.6/one-round",
    r"'$\mathcal O(\sqrt{KT\log T})+\mathcal O(K\sqrt{\frac\alpha\epsilon\log T})$' leaves open from which $T$ on: on "
    r"means $(0,1)$, $\frac\alpha\epsilon=1$, the first arm's regret 1 is at most $10^{6}\,(\sqrt{2T\log "
    r"T}+2\sqrt{\log T})$.",
)


@claim("RDP-S4", symbolic(), false={"scale": "0.9"}, rests_on=["RDP-T5"])
def price_is_negligible(price: Positive, epsilon: Positive, share: Positive, more: Nonnegative, scale=1):
    r"""The price is negligible: $\sqrt{\frac\alpha\epsilon\log T}\le\eta\frac{\log T}\Delta$ as soon as $\log
    T\ge\frac{\alpha\Delta^2}{\epsilon\eta^2}$, for every $\eta>0$ (the variable epsilon is $\Delta$)."""
    return price_against_pure(price, epsilon, share, more, scale)
