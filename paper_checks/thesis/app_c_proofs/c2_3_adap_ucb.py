"""Appendix C.2.3, page 206: the pulls of AdaP-UCB in the proof of Theorem 5.3, and how their constant comes about.

L = log T, n = 2^l is the length of an episode, Delta the gap of an arm.
"""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.episodes import *
from banditproof.paper_checks.thesis.studies import EXPECTED_REGRET, Case, mean_regret, study

CASES = [
    Case("AdaP-UCB", ("2/5", "9/10"), "1", 20_000),
    Case("AdaP-UCB", ("1/2", "3/4"), "1/4", 20_000, share=0.3),  # gap = epsilon
    Case("AdaP-UCB", ("1/2", "3/4"), "1/2", 20_000, share=0.3),  # 2 gap = epsilon
    Case("AdaP-UCB", ("0", "1"), "1/10", 20_000, "4", share=0.3),
    Case("AdaP-UCB", ("1/4", "3/8", "1/2", "5/8", "3/4"), "1", 20_000, share=0.1),
]
RUNS = study("thesis-adap-ucb-regret", CASES, 100_000, 400_000)


@claim(
    "ALG-EQC.11-13/choice",
    fails_at(gap=Fraction(1, 2), epsilon=1, beta=4, horizon=54),
    cause="ALG-EQC.11-13/third-implication",
    called={r"$\Delta_a$": "gap", "$T$": "horizon", r"$\gamma$": "left"},
)
def gamma_is_positive(gap: AboveZero, epsilon: Positive, beta: AboveThree, horizon: TwoOrMore, factor=4):
    r"""'We ensure $\gamma>0$' by $\ell=\lceil\frac1{\log2}\log\frac{4\beta\log T}{\Delta_a\min\{\varepsilon,
    2\Delta_a\}}\rceil$, where $\gamma=\Delta_a-2\sqrt{\frac{\beta\log T}{2\cdot2^\ell}}-\frac{2\beta\log
    T}{\varepsilon2^\ell}$: $\gamma\ge0$

    The choice uses the last implication of (C.12). At $\Delta_a=\frac12$, $\varepsilon=1$, $\beta=4$, $T=54$ it gives
    $2^\ell=128$, but $\gamma\ge0$ needs 238. The factor has to be $4+2\sqrt3$ in place of 4.
    """
    level = beta * log(to_ball(horizon))
    block = 2 ** least_integer(log(factor * level / (gap * minimum(epsilon, 2 * gap))) / log(to_ball(2)))
    return gap - 2 * sqrt(level / (2 * block)) - 2 * level / (epsilon * block), ">=", 0


def told_apart_later(q: Annotated[Any, "[0, 2/5]"], first=16, two=2) -> Sides:
    """Both widths and both deviations over Delta, at n = (first/4) beta L / (Delta min{epsilon, two Delta})."""
    return (1 + q) * sqrt(2 * two / (to_ball(1) * first)) + (1 + q * q) * 4 / first, "<=", 1 + 0 * q


@claim(
    "ALG-EQC.11-13/pulls",
    mean_regret(RUNS, CASES),
    argued(
        f"for beta >= 25/4 as Theorem 5.3, at n = 4 beta L / (Delta min{{epsilon, 2 Delta}}): {EVERY_BLOCK}; {BLOCKS}",
        told_apart_later,
        *FACTS[1:],
        covers={"beta": "[25/4, inf)"},
    ),
    false=mutation("beta / 2 for 16 beta, nothing besides", first="1/2", top=0),
    studies=[RUNS],
)
def pulls_of_adap_ucb(means: Bandit, epsilon: Positive, beta: AboveThree, horizon: Count, first=16, top=3, two=2):
    r"""(C.13), summed over the suboptimal arms with their gaps: $\sum_a\Delta_a\mathbb
    E[N_a(T)]\le\sum_a\Big(\frac{16\beta L}{\min\{\varepsilon,2\Delta_a\}}+\Delta_a\frac{3\beta}{\beta-3}\Big)$"""
    arms = [
        first * beta * log(horizon) / min(epsilon, two * gap) + gap * last_summand(beta, top) for gap in gaps_of(means)
    ]
    return EXPECTED_REGRET, "<=", sum(arms)
