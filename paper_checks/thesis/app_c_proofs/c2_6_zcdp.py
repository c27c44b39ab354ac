"""Appendix C.2.6, page 213: the proof of Theorem 5.6 for AdaC-UCB, and its gap-free bound. L = log T."""

from banditproof.claims.register import claim, mutation
from banditproof.claims.sets import AboveZero, Count, Nonnegative, Positive
from banditproof.claims.steps import argued, deduced
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
    generic_additive,
    last_summand,
    width_from_the_choice_on,
)
from banditproof.paper_checks.thesis.studies import EXPECTED_REGRET, Case, mean_regret, study
from banditproof.theory import log, sqrt


@claim("ALG-PC.2.6/generic", deduced(), false={"top": "2.1"})
def generic_bound_at_the_choice(excess: Positive, tail: AboveZero, top=2):
    r"""(C.19) at the chosen $\ell$: all longer episodes and Term 2 add $2T\,T^{-\beta}+\frac3{\beta-3}$ if the initial
    pull, which $2^{\ell+1}$ contains, is not counted again. This is at most the $T\,T^{-\beta}+\frac\beta{\beta-3}$ of
    (C.19).

    The generic bound (ALG-TC.4) has to include the episodes after the chosen one; here they fit into the last terms of
    (C.19).
    """
    return generic_additive(excess, tail, top)


@claim("ALG-PC.2.6/choice", deduced(), false={"two": "1.9"})
def width_is_half_a_gap(gap: Positive, level: Positive, p: Positive, excess: Nonnegative, two=2):
    r"""(C.20): $\Delta_a\ge2b_{\ell,T}$ from $2^\ell=2\Big(\frac{\beta L}{\Delta_a^2}+\sqrt{\frac{\beta
    L}{\rho\Delta_a^2}}\Big)$ on

    The exact root is (beta L/Delta^2) (1 + sqrt(1 + 4 Delta^2/(rho beta L))), below this sum.
    """
    return width_from_the_choice_on(gap, level, p, excess, two)


@claim("ALG-PC.2.6/pulls", deduced(), false=[{"four": "4.1"}, {"top": "1.9"}])
def pulls_of_adac_ucb(gap: Positive, level: Positive, p: Positive, excess: Positive, four=4, top=2):
    r"""(C.21): $2^{\ell+1}\le4\Big(\frac{2\beta L}{\Delta_a^2}+2\sqrt{\frac{\beta L}{\rho\Delta_a^2}}\Big)$ and
    $T^{1-\beta}+\frac\beta{\beta-3}\le\frac{2\beta}{\beta-3}$

    Four times the choice and 1 + beta/(beta-3) are compared with (C.21); beta = 3 + excess.
    """
    left = four * (2 * level / gap**2 + 2 * p / gap) + 1 + (3 + excess) / excess
    return left, "<=", 8 * level / gap**2 + 8 * p / gap + top * (3 + excess) / excess


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
