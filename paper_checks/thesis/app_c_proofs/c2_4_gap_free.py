"""Appendix C.2.4, page 211: gap-free bounds on the regret of AdaP-UCB and AdaP-KLUCB."""

from collections.abc import Sequence
from typing import Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.episodes import (
    ADAP_KL_LONG,
    ADAP_KL_RUNS,
    ADAP_KLUCB,
    ADAP_UCB,
    BLOCKS,
    EVERY_BLOCK,
    FACTS,
    PINSKER_JOINT,
    SMALL_BUDGET_RUNS,
    SPLIT_JOINT,
    AboveThree,
    Bandit,
    BernoulliBandit,
    gaps_of,
    last_summand,
    split_at_a_gap,
)
from banditproof.paper_checks.thesis.studies import EXPECTED_REGRET, Case, mean_regret, study

LONG = [Case("AdaP-UCB", ("1/2", "3/5"), "1", 1_000_000), Case("AdaP-UCB", ("0", "1"), "1/10", 1_000_000, share=0.3)]
LONG_RUNS = study("thesis-adap-ucb-long-runs", LONG, 100_000, 200_000)
NOT_PRIVATE = mutation("no private term", first=0)


def gap_free_bound(means: Sequence[Any], epsilon: Any, beta: Any, horizon: int, root: Any, first: Any, top: Any) -> Any:
    K, L = len(means), log(horizon)
    rate = root * sqrt(beta * K * horizon * L) + first * beta * K * L / epsilon
    return rate + last_summand(beta, top) * sum(gaps_of(means))


@claim(
    "ALG-TC.7",
    mean_regret(LONG_RUNS, LONG),
    ADAP_UCB,
    argued(f"{SPLIT_JOINT}; {EVERY_BLOCK}; {BLOCKS}", *FACTS, split_at_a_gap),
    false=[mutation("a hundredth", root="2/100", first="1/100", top=0), NOT_PRIVATE],
    studies=[LONG_RUNS, SMALL_BUDGET_RUNS],
)
def gap_free_regret(
    means: Bandit, epsilon: Positive, beta: AboveThree, horizon: Count, root=8, first=16, top=3, four=4
):
    r"""rewards in $[0,1]$ ($\beta>3$):
    $\mathrm{Reg}_T(\text{AdaP-UCB})\le\frac{3\beta}{\beta-3}\sum_a\Delta_a+8\sqrt{\beta KTL}+\frac{16\beta
    KL}\varepsilon$

    The argument splits the arms at the gap of ALG-TC.7/split.
    """
    return EXPECTED_REGRET, "<=", gap_free_bound(means, epsilon, beta, horizon, root, first, top)


@claim(
    "ALG-RC.8",
    mean_regret(ADAP_KL_RUNS, ADAP_KL_LONG),
    ADAP_KLUCB,
    argued(f"{PINSKER_JOINT}; {SPLIT_JOINT}; {EVERY_BLOCK}; {BLOCKS}", *FACTS, split_at_a_gap),
    of="ALG-TC.7",
    false=[mutation("a hundredth", root="1/100", first="1/100", top=0), NOT_PRIVATE],
    studies=[ADAP_KL_RUNS, SMALL_BUDGET_RUNS],
)
def gap_free_regret_of_adap_klucb(means: BernoulliBandit):
    r"""AdaP-KLUCB has the gap-free bound of AdaP-UCB, with the same constants: $\mathrm{Reg}_T\le8\sqrt{\beta
    KTL}+\frac{16\beta KL}\varepsilon+\frac{3\beta}{\beta-3}\sum_a\Delta_a$

    Theorem 5.4 does not give this bound, because its constants depend on the means; but the proof of Theorem 5.3 works
    for this index.
    """
