"""Appendix C.2.6, page 213: the proof of Theorem 5.6 for AdaC-UCB, and its gap-free bound. L = log T."""

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.episodes import (
    ADAC_CASES,
    ADAC_FACTS,
    ADAC_JOINT,
    ADAC_RUNS,
    ADAC_UCB,
    SMALL_BUDGET_RUNS,
    AboveThree,
    Bandit,
    gaps_of,
    last_summand,
)
from banditproof.paper_checks.thesis.studies import EXPECTED_REGRET, Case, mean_regret, study


@claim(
    "ALG-PC.2.6/expected-pulls",
    mean_regret(ADAC_RUNS, ADAC_CASES),
    argued(ADAC_JOINT, *ADAC_FACTS),
    false=mutation("a twentieth, nothing besides", first="2/5", second="2/5", top=0),
    studies=[ADAC_RUNS],
)
def summed_pulls_of_adac_ucb(means: Bandit, rho: Positive, beta: AboveThree, horizon: Count, first=8, second=8, top=2):
    r"""(C.21), summed over the suboptimal arms with their gaps: $\sum_a\Delta_a\mathbb
    E[N_a(T)]\le\sum_{\Delta_a>0}\Big(\frac{8\beta L}{\Delta_a}+8\sqrt{\frac{\beta
    L}\rho}+\Delta_a\frac{2\beta}{\beta-3}\Big)$"""
    level = beta * log(horizon)
    arms = [first * level / g + second * sqrt(level / rho) + g * last_summand(beta, top) for g in gaps_of(means)]
    return EXPECTED_REGRET, "<=", sum(arms)


@claim("ALG-PC.2.6c/split", deduced(), false=[{"root": "3.9"}, {"eight": 9}, {"under": 1}])
def split_of_the_arms(horizon: Positive, arms: Positive, beta: AboveThree, level: Positive, eight=8, root=4, under=2):
    r"""$T\Delta+\frac{8\beta KL}\Delta\le4\sqrt{2\beta KTL}$ at $\Delta=\sqrt{8\beta KL/T}$, the smallest value of the
    sum

    This is a line of the proof. At this gap both summands are equal, and so are the two sides.
    """
    gap = sqrt(eight * beta * arms * level / horizon)
    return horizon * gap + 8 * beta * arms * level / gap, "<=", root * sqrt(under * beta * arms * horizon * level)


LONG = [
    Case("AdaC-UCB", ("1/2", "3/5"), "1/2", 1_000_000),
    Case("AdaC-UCB", ("0", "1"), "1/10000", 1_000_000, share=0.3),
]
LONG_RUNS = study("thesis-adac-ucb-long-runs", LONG, 100_000, 200_000)
GAP_FREE = (
    mean_regret(LONG_RUNS, LONG),
    ADAC_UCB,
    argued(
        "arms with gaps up to Delta cost at most T Delta, each other arm at most its gap times the bound (C.21) on its "
        "pulls; " + ADAC_JOINT,
        *ADAC_FACTS,
        split_of_the_arms,
    ),
)
SHRUNK = [mutation("a hundredth", root="1/100", second="1/100", top=0), mutation("no private term", second=0)]
STUDIES = [LONG_RUNS, SMALL_BUDGET_RUNS]


@claim("ALG-PC.2.6c", *GAP_FREE, false=SHRUNK, studies=STUDIES)
def gap_free_regret(means: Bandit, rho: Positive, beta: AboveThree, horizon: Count, root=4, second=8, top=3, under=2):
    r"""$\mathrm{Reg}_T\le4\sqrt{2\beta KTL}+8K\sqrt{\frac{\beta L}\rho}+\frac{3\beta}{\beta-3}\sum_a\Delta_a$

    (C.21) has 2 beta/(beta - 3) per arm; the last two lines of the proof have 3, which is more.
    """
    K, level = len(means), beta * log(horizon)
    rate = root * sqrt(under * K * horizon * level) + second * K * sqrt(level / rho)
    return EXPECTED_REGRET, "<=", rate + last_summand(beta, top) * sum(gaps_of(means))


@claim("ALG-PC.2.6c/smaller-additive-constant", *GAP_FREE, false=SHRUNK, role="implication", studies=STUDIES)
def gap_free_regret_with_two(
    means: Bandit, rho: Positive, beta: AboveThree, horizon: Count, root=4, second=8, top=2, under=2
):
    r"""$\mathrm{Reg}_T\le4\sqrt{2\beta KTL}+8K\sqrt{\frac{\beta L}\rho}+\frac{2\beta}{\beta-3}\sum_a\Delta_a$, with the
    additive constant of Theorem 5.6"""
    return gap_free_regret(means, rho, beta, horizon, root, second, top, under)
