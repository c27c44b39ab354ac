"""Appendix A: the privacy proof and its mechanisms."""

from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.claims.register import claim, item, restate, restate_parts
from banditproof.claims.sets import AboveOne, Count, Positive, Probability
from banditproof.claims.steps import enumerated, fails_at, symbolic
from banditproof.theory import sqrt, to_ball
from banditproof.verify.plays.gaussian_choice import average

restate_parts(
    "RDP-L11",
    r"$\mathcal G$ applies $\mathcal M$ to each block of a fixed partition: if $\mathcal M$ is "
    r"$(\alpha,\epsilon)$-RDP, so is $\mathcal G$.",
    {"moments": "TH-L2.10/zcdp"},
)

restate(
    "RDP-L11/indexes-up-to-T",
    "TH-L2.10/indexes-up-to-n",
    r"'Let $t_1,\dots,t_{\ell+1}$ be in $[1,T+<outside>]$ such that $1=t_1<\dots<t_\ell<t_{\ell+1}-1=T$' ($T=n$, "
    r"$\ell=k$): there are such indexes.",
)

restate("RDP-L11/indexes-up-to-T-plus-one", "TH-L2.10/indexes-up-to-n-plus-one", repairs="RDP-L11/indexes-up-to-T")

item(
    "RDP-PF1",
    r"Adaptive episodes: the starts $t_\ell$ have the same law under neighbouring streams $r$ and $r'$; the "
    r"expectation over them makes $\mathcal G$, and with it the algorithm, $(\alpha,\epsilon)$-RDP.",
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


@claim("RDP-PF1/same-law-of-the-starts", fails_at(order=2, epsilon=2, change=1), strongest="enumeration")
def starts_do_not_move(order: AboveOne, epsilon: Positive, change: Probability):
    r"""'The time-steps $t_\ell$ corresponding to the beginning of each adaptive episode are random variables that have
    the same law under $r^T$ and $r'^T$': $\mathbb P(t_3=6)$ of AdaR-UCB on two arms is the same for $r_3=0$ and
    $r_3$ changed.

    Past the changed reward, starts follow the noisy means: 2/3 for rewards 0, more if the third reward is 1.
    """
    deviation = sqrt(to_ball(order) / (2 * to_ball(epsilon)))
    return long_second_episode(0, deviation), "==", long_second_episode(change, deviation)


restate(
    "RDP-PF1/same-law-up-to-the-change",
    "ALG-PC.1.2/step-1",
    r"Up to step $j+<later>$, the changed one, actions and so the starts of episodes have the same law.",
    role="repair",
    repairs="RDP-PF1/same-law-of-the-starts",
)

restate(
    "RDP-PF1/same-episode",
    "ALG-PC.1.2/step-3",
    "Given the actions up to step $j+<known>$, the episode that contains $j$ is the same: the partition can be fixed "
    "that far.",
    role="step",
)

restate(
    "RDP-PF1/conclusion",
    "ALG-PC.1.2/conclusion",
    "What is to be shown holds, by conditioning on the past as in the zCDP paper: moments of views, minus one, are "
    "at most $<factor>$ times those of a release.",
    role="implication",
)

item(
    "RDP-PF1b",
    r"Mechanisms of the proofs; AdaR-UCB: the mean of an episode has sensitivity $\frac1{t_{i+1}-t_i}$ and gets noise "
    r"of variance $\frac\alpha{2\epsilon(t_{i+1}-t_i)^2}$.",
)


@claim("RDP-PF1b/sensitivity", enumerated(n=range(1, 9), rational=True), false={"factor": "0.5"})
def sensitivity_of_the_mean(n: Count, factor=1):
    r"""Rewards in $[0,1]$: the mean of $n$ has sensitivity $<factor>\frac1n$.

    By brute force over binary blocks of n rewards.
    """
    worst = Fraction(0)
    for block in product((0, 1), repeat=n):
        for k in range(n):
            worst = max(worst, abs(Fraction(sum(block), n) - Fraction(sum(block) + 1 - 2 * block[k], n)))
    return worst, "==", factor * Fraction(1, n)


@claim("RDP-PF1b/ucb", symbolic(), false={"factor": "0.99"})
def mechanism_of_adar_ucb(n: Positive, order: AboveOne, epsilon: Positive, d: Positive, factor=1):
    r"""A mean of $n$ rewards of which one moves by $d$ has $D_\alpha=<factor>\epsilon d^2$.

    D_order for a mean that moves by d/n against noise of variance order/(2 epsilon n^2).
    """
    variance = order / (2 * epsilon * n * n)
    return order * (d / n) ** 2 / (2 * variance), "==", factor * epsilon * d * d
