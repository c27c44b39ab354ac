"""Appendix C.2.4, page 211: the gap-free bound on the regret of AdaP-KLUCB."""

from collections.abc import Sequence
from typing import Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.episodes import (
    ADAP_KL_LONG,
    ADAP_KL_RUNS,
    ADAP_KLUCB,
    BLOCKS,
    EVERY_BLOCK,
    FACTS,
    PINSKER_JOINT,
    SMALL_BUDGET_RUNS,
    SPLIT_JOINT,
    AboveThree,
    BernoulliBandit,
    gaps_of,
    last_summand,
    split_at_a_gap,
)
from banditproof.paper_checks.thesis.studies import EXPECTED_REGRET, mean_regret

NOT_PRIVATE = mutation("no private term", first=0)


def gap_free_bound(means: Sequence[Any], epsilon: Any, beta: Any, horizon: int, root: Any, first: Any, top: Any) -> Any:
    K, L = len(means), log(horizon)
    rate = root * sqrt(beta * K * horizon * L) + first * beta * K * L / epsilon
    return rate + last_summand(beta, top) * sum(gaps_of(means))


@claim(
    "ALG-RC.8",
    mean_regret(ADAP_KL_RUNS, ADAP_KL_LONG),
    ADAP_KLUCB,
    argued(f"{PINSKER_JOINT}; {SPLIT_JOINT}; {EVERY_BLOCK}; {BLOCKS}", *FACTS, split_at_a_gap),
    false=[mutation("a hundredth", root="1/100", first="1/100", top=0), NOT_PRIVATE],
    studies=[ADAP_KL_RUNS, SMALL_BUDGET_RUNS],
)
def gap_free_regret(
    means: BernoulliBandit, epsilon: Positive, beta: AboveThree, horizon: Count, root=8, first=16, top=3, four=4
):
    r"""AdaP-KLUCB has the gap-free bound of AdaP-UCB, with the same constants: $\mathrm{Reg}_T\le8\sqrt{\beta
    KTL}+\frac{16\beta KL}\varepsilon+\frac{3\beta}{\beta-3}\sum_a\Delta_a$

    Theorem 5.4 does not give this bound, because its constants depend on the means; but the proof of Theorem 5.3 works
    for this index.
    """
    return EXPECTED_REGRET, "<=", gap_free_bound(means, epsilon, beta, horizon, root, first, top)
