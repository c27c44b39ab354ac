"""AdaR-UCB and its privacy, Sections 4 and A of the RDP paper: RDP-A2, RDP-T4, RDP-PF1, RDP-PF1b.

AdaR-UCB at (alpha, epsilon) is AdaC-UCB of the zCDP paper at rho = epsilon/alpha. The noise of a mean is read as drawn
once per episode; drawing it again for idle arms is a reading of its own.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.environment import RewardList
from banditproof.algorithms.episodic import AdaCUCB, AdaRUCB
from banditproof.algorithms.simulator import simulate
from banditproof.paper_checks import thesis_episodic_ucb, thesis_privacy_proof
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.gaussian_choice import average
from banditproof.paper_checks.recorded_privacy import BUGS, EVERY_RUN, Sides, check_runs
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_episodic_indices import (
    INDEX,
    OTHER_WIDTHS,
    PARTS,
    algorithm_claims,
    compare_indices,
)
from banditproof.paper_checks.thesis_episodic_privacy import largest_divergence, redrawn_divergence
from banditproof.paper_checks.twins import restate
from banditproof.theory.budget import Budget
from banditproof.theory.numeric import to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.recorder import RecordingNoise
from banditproof.verify.symbolic import SymbolicArgument

RESTATED = (thesis_episodic_ucb, thesis_privacy_proof)  # the modules whose claims are restated here
BUDGETS: list[list[Any]] = [["rdp", 2, 1], ["rdp", "11/10", 4], ["rdp", 30, "1/10"]]

# -------------------------------------------------------------------------------------------------- RDP-A2: Algorithm 2

parts_decide(
    "RDP-A2",
    r"AdaR-UCB: each arm once; then the arm with the largest index (6), $\hat\mu_a+\mathcal N(0,\sigma_a^2)+B_a$, is "
    r"played until $N_{A_\ell}(t)=2N_{A_\ell}(t_\ell-1)$; the mean is that of the arm's last episode.",
    twins=["ZCDP-A4", "ALG-A-ADACUCB"],
)


@claim(
    "RDP-A2/index",
    r"(6): $B_a=\sqrt{(\frac{<plain>}{2n}+\frac{<private>\alpha}{\epsilon n^2})\beta\log t_\ell}$ with "
    r"$n=\frac12N_a(t_\ell-1)$ (1 if $N_a=1$).",
    domain=INDEX, constants=PARTS, mutations=OTHER_WIDTHS, strongest="enumeration", twins=["ALG-EQ5.4"],
)  # fmt: skip
def index_of_adar_ucb(check: Check) -> None:
    compare_indices(check, "adar-ucb", BUDGETS)


algorithm_claims("RDP-A2", "adar-ucb", "AdaR-UCB", r"$\mathcal N(0,\frac\alpha{2\epsilon n^2})$", BUDGETS)
restate("RDP-A2/doubling", "ALG-A7/pseudo-code", role="part")
restate("RDP-A2/half-of-the-samples", "ALG-A7/half-of-the-samples")
restate(
    "RDP-A2/half-of-the-samples-or-one", "ALG-A7/half-of-the-samples-or-one", repairs="RDP-A2/half-of-the-samples"
)  # fmt: skip


def same_run(rewards: int, order: Any, epsilon: Any, factor: Any) -> Sides:
    """Actions and noise of AdaR-UCB at (order, epsilon) and of AdaC-UCB at rho = factor epsilon/order, same seeds."""
    T, found = 60, []
    coming = (np.random.default_rng(rewards).random(T) < 0.5).astype(float)
    budgets = Budget.rdp(float(order), float(epsilon)), Budget.zcdp(float(factor * epsilon / order))
    for kind, budget in zip((AdaRUCB, AdaCUCB), budgets, strict=True):
        noise = RecordingNoise(np.random.default_rng(rewards))
        run = simulate(kind(3, budget, noise, beta=3.1), RewardList(coming, 3), T, np.random.default_rng(0),
                       np.arange(1, T + 1))  # fmt: skip
        found.append([run.actions[0].tolist(), [round(r.scale, 12) for r in noise.releases]])
    return found[0], "==", found[1]


@claim(
    "RDP-A2/dictionary",
    r"AdaR-UCB at $(\alpha,\epsilon)$ is AdaC-UCB of the zCDP paper at $\rho=<factor>\frac\epsilon\alpha$: the same "
    r"noise "
    r"and the same actions.",
    role="implication", domain=Domain.of(rewards="all: every run", order="(1, inf)", epsilon="(0, inf)"),
    constants={"factor": 1}, mutations=[mutation("twice", factor=2)], strongest="enumeration", twins=["ZCDP-A4"],
)  # fmt: skip
def two_names_of_an_algorithm(check: Check) -> None:
    points = [
        {"rewards": s, "order": Fraction(a), "epsilon": Fraction(e)}
        for s in range(check.pick(5, 40)) for a in ("11/10", "2", "30") for e in ("1/10", "4")
    ]  # fmt: skip
    check.enumerate(same_run, points, rational=True, routes=("AdaR-UCB", "AdaC-UCB"))


# ------------------------------------------------------------------------------------------------- RDP-T4: Theorem 4

parts_decide(
    "RDP-T4", r"For rewards in $[0,1]$, AdaR-UCB is $(\alpha,\epsilon)$-global RDP.", domain=EVERY_RUN,
    twins=["ZCDP-T12", "ALG-T5.5"],
)  # fmt: skip
restate(
    "RDP-T4/per-release", "ALG-R5.7/renyi",
    r"One release costs $D_\alpha=\epsilon d^2\le<factor>\epsilon$ when its mean moves by $d/n$.", role="part",
)  # fmt: skip


@claim(
    "RDP-T4/recorded-runs",
    r"A change of one reward affects the mean of one episode; actions depend on releases only; no reward is charged "
    r"more "
    r"than $\epsilon$ of RDP (planted bug: <bug>).",
    domain=EVERY_RUN, constants={"bug": "none", "adversary": 0}, mutations=BUGS, strongest="enumeration",
)  # fmt: skip
def runs_of_adar_ucb(check: Check) -> None:
    check_runs(check, {"adar-ucb": BUDGETS}, quick=1)


@claim(
    "RDP-T4/interactive",
    r"So it is under the Interactive definition of the zCDP paper: also when an adversary plays other arms (planted "
    r"bug: "
    r"<bug>).",
    role="remark", domain=EVERY_RUN, constants={"bug": "none", "adversary": 1}, mutations=BUGS[:3],
    strongest="enumeration", twins=["ZCDP-T12"],
)  # fmt: skip
def runs_of_adar_ucb_with_an_adversary(check: Check) -> None:
    check_runs(check, {"adar-ucb": [["rdp", 2, 1]]}, quick=1)


def divergence_of_actions(T: int, order: Any, epsilon: Any, share: Any) -> Sides:
    """D_order of the actions with noise of variance order/(2 share epsilon) on a sum, plus the quadrature's error."""
    b = float(order) / (2 * float(share) * float(epsilon))
    return to_ball(largest_divergence(T, b, float(order)) + 1e-6), "<=", epsilon


@claim(
    "RDP-T4/exact-law",
    r"On two arms, binary lists that differ in one of five rewards, noise of variance $\frac\alpha{2\cdot<share>"
    r"\epsilon}$ on a sum: the law of the actions has $D_\alpha\le\epsilon$.",
    domain=Domain.of(T="integer [2, inf)", order="(1, inf)", epsilon="(0, inf)"), constants={"share": 1},
    mutations=[mutation("an eighth of the variance", share=8, gradual=False)], strongest="quadrature",
)  # fmt: skip
def exact_law_of_adar_ucb(check: Check) -> None:
    pairs = (("11/10", "1"), ("2", "1/5"), ("2", "4"), ("20", "1"))
    horizons = check.pick((6,), (6, 8))
    points = [{"T": T, "order": Fraction(a), "epsilon": Fraction(e)} for T in horizons for a, e in pairs]
    check.quadrature(divergence_of_actions, points, "splines, below 1e-7; probabilities below 1e-12 are left out",
                     routes=("law of the actions", "budget"))  # fmt: skip
    if float(check.constants["share"]) > 1:
        check.search(divergence_of_actions, points)


def loss_with_new_noise(order: Any, epsilon: Any, T: int) -> Sides:
    return redrawn_divergence(order, order / (2 * epsilon), T), "<=", epsilon


@claim(
    "RDP-T4/noise-drawn-again",
    r"(6) read literally, with new noise $\mathcal N(0,\sigma^2_{a,\ell})$ in every episode $\ell$ also for idle "
    r"arms: the "
    r"law of the actions has $D_\alpha\le\epsilon$.",
    role="reading", domain=Domain.of(order="(1, inf)", epsilon="(0, inf)", T="integer [2, inf)"),
    twins=["ALG-T5.5", "ZCDP-T12"],
)  # fmt: skip
def new_noise_for_idle_arms(check: Check) -> None:
    """The first reward of an idle arm is asked about in every decision of T = 18 steps."""
    check.counterexample(loss_with_new_noise, {"order": Fraction(5), "epsilon": Fraction(2), "T": 18})


restate(
    "RDP-T4/noise-stored", "ALG-R5.7/renyi",
    r"With one draw per episode a reward is in one release, which costs at most $<factor>\epsilon$.",
    role="repair", repairs="RDP-T4/noise-drawn-again",
)  # fmt: skip

# --------------------------------------------------------------------------------------- RDP-PF1: adaptive episodes

parts_decide(
    "RDP-PF1",
    r"Adaptive episodes: the starts $t_\ell$ have the same law under neighbouring streams $r$ and $r'$; the "
    r"expectation "
    r"over them makes $\mathcal G$, and with it the algorithm, $(\alpha,\epsilon)$-RDP.",
    twins=["ZCDP-PF7", "ALG-PC.1.2"],
)


def long_second_episode(shift: Any, deviation: Any) -> Any:
    """P(t_3 = 6) for two arms and rewards 0, 0 and `shift` = r_3: the second episode goes to the arm of the first.

    The noisy mean of the idle arm is below a noisy 0, and below shift plus noise; widths are equal (one reward each).
    """
    from flint import acb

    def above(z: Any, centre: Any) -> Any:
        return ((z - centre) / acb(2).sqrt()).erfc() / 2

    centre = acb(to_ball(shift) / deviation)
    return 2 * average(lambda z: above(z, acb(0)) * above(z, centre))


def same_starts(order: Any, epsilon: Any, change: Any) -> Sides:
    """P(t_3 = 6) under r = (0, 0, 0, ...) and r' = (0, 0, change, ...), K = 2."""
    from banditproof.theory.numeric import sqrt

    deviation = sqrt(to_ball(order) / (2 * to_ball(epsilon)))
    return long_second_episode(0, deviation), "==", long_second_episode(change, deviation)


STREAMS = Domain.of(order="(1, inf)", epsilon="(0, inf)", change="[0, 1]")


@claim(
    "RDP-PF1/same-law-of-the-starts",
    r"'The time-steps $t_\ell$ corresponding to the beginning of each adaptive episode are random variables that have "
    r"the same law under $r^T$ and $r'^T$': $\mathbb P(t_3=6)$ of AdaR-UCB on two arms is the same for $r_3=0$ and "
    r"$r_3$ "
    r"changed.",
    domain=STREAMS, strongest="enumeration",
)  # fmt: skip
def starts_do_not_move(check: Check) -> None:
    """Past the changed reward, starts follow the noisy means: 2/3 for rewards 0, more if the third reward is 1."""
    check.counterexample(same_starts, {"order": Fraction(2), "epsilon": Fraction(2), "change": Fraction(1)})


restate(
    "RDP-PF1/same-law-up-to-the-change", "ALG-PC.1.2/step-1",
    r"Up to step $j+<later>$, the changed one, actions and so the starts of episodes have the same law.",
    role="repair", repairs="RDP-PF1/same-law-of-the-starts",
)  # fmt: skip
restate(
    "RDP-PF1/same-episode", "ALG-PC.1.2/step-3",
    r"Given the actions up to step $j+<known>$, the episode that contains $j$ is the same: the partition can be fixed "
    r"that far.",
    role="step",
)  # fmt: skip
restate(
    "RDP-PF1/conclusion", "ALG-PC.1.2/conclusion",
    r"What is to be shown holds, by conditioning on the past as in the zCDP paper: moments of views, minus one, are at "
    r"most $<factor>$ times those of a release.",
    role="implication",
)  # fmt: skip

# ----------------------------------------------------------------------------------------------- RDP-PF1b: mechanisms

parts_decide(
    "RDP-PF1b",
    r"Mechanisms of the proofs; AdaR-UCB: the mean of an episode has sensitivity $\frac1{t_{i+1}-t_i}$ and gets "
    r"noise of "
    r"variance $\frac\alpha{2\epsilon(t_{i+1}-t_i)^2}$.",
)


def sensitivity_of_a_mean(n: int, factor: Any) -> Sides:
    """By brute force over binary blocks of n rewards."""
    worst = Fraction(0)
    for block in product((0, 1), repeat=n):
        for k in range(n):
            worst = max(worst, abs(Fraction(sum(block), n) - Fraction(sum(block) + 1 - 2 * block[k], n)))
    return worst, "==", factor * Fraction(1, n)


@claim(
    "RDP-PF1b/sensitivity", r"Rewards in $[0,1]$: the mean of $n$ has sensitivity $<factor>\frac1n$.",
    domain=Domain.of(n="integer [1, inf)"), constants={"factor": 1}, mutations=[mutation("a half", factor="1/2")],
    strongest="enumeration",
)  # fmt: skip
def sensitivity_of_the_mean(check: Check) -> None:
    check.enumerate(sensitivity_of_a_mean, {"n": range(1, 9)}, rational=True, routes=("brute force", "1/n"))


def cost_of_a_mean(n: Any, order: Any, epsilon: Any, d: Any, factor: Any) -> Sides:
    """D_order for a mean that moves by d/n against noise of variance order/(2 epsilon n^2)."""
    variance = order / (2 * epsilon * n * n)
    return order * (d / n) ** 2 / (2 * variance), "==", factor * epsilon * d * d


def any_mean() -> SymbolicArgument:
    import sympy

    n, more, epsilon, d = sympy.symbols("n more epsilon d", positive=True)
    return SymbolicArgument({"n": n, "order": 1 + more, "epsilon": epsilon, "d": d}, 0, "zero")


@claim(
    "RDP-PF1b/ucb", r"A mean of $n$ rewards of which one moves by $d$ has $D_\alpha=<factor>\epsilon d^2$.",
    domain=Domain.of(n="(0, inf)", order="(1, inf)", epsilon="(0, inf)", d="(0, inf)"), constants={"factor": 1},
    mutations=[mutation("1 % less", factor="0.99")], strongest="symbolic",
)  # fmt: skip
def mechanism_of_adar_ucb(check: Check) -> None:
    one = {"n": Fraction(3), "order": Fraction(2), "epsilon": Fraction(1), "d": Fraction(1)}
    if not check.search(cost_of_a_mean, [one]):
        check.symbolic(cost_of_a_mean, any_mean, routes=("closed form of the divergence", "budget"))
