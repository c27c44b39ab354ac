"""Appendix C-E: AdaC-UCB for other budgets."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.claims.recorded_runs import Algorithm, EveryBudget, RewardLists
from banditproof.paper_checks.shared.gaussian_choice import fresh_choice
from banditproof.verify.runs.recorded import violations

LONG_GAME: dict[str, Any] = {"block": 32, "other": 2048, "collected": 1497, "start": 4161}


@claim(
    "ZCDP-S16/approximate",
    fails_at(epsilon=10, delta=Fraction(1, 10**5), **LONG_GAME),
    where=["collected <= other", "start == 2*block + 2*other + 1"],
    twins=["TH-T2.14", "ALG-R5.7"],
    displayed=True,
    cause="ZCDP-T18/approximate",
    slip="It fails only for budgets above 3, where the Gaussian mechanism of Theorem 18 fails as well.",
    called={
        "a choice of AdaC-UCB between two arms": "block, other, collected, start",
        r"what it spends of $\delta$": "left",
        r"all of $\delta$": "right",
    },
)
def classical_noise_for_every_budget(
    epsilon: Positive,
    delta: Inside,
    block: Count,
    other: Count,
    collected: Natural,
    start: Annotated[Any, "integer [3, inf)"],
    inside=Fraction(5, 4),
):
    r"""With $\frac2{\epsilon^2}\log\frac{5/4}\delta$ AdaC-UCB is $(\epsilon,\delta)$-Interactive DP, for every
    $\epsilon>0$ and $\delta\in(0,1)$.

    A recommendation that compares the released mean of 32 rewards with a mean that is almost free of noise reveals as
    much as the release itself. For large budgets, the exact delta of the release exceeds the declared one. Up to
    epsilon = 3 each release meets its budget.

    The left side is Pr[o_t = 0] on d minus e^epsilon Pr[o_t = 0] on d', for fixed queries and t = start. There are two
    arms, beta = 4, and noise of variance b = 2 log(inside/delta)/epsilon^2 on sums. The last block of arm 0, of length
    block, has one reward of 1 or none. The last block of arm 1 is twice as long as all pulls of arm 0 and has
    `collected` of `other`.
    """
    b = 2 * log(to_ball(inside) / to_ball(delta)) / to_ball(epsilon) ** 2
    chances = [fresh_choice([(r, block), (collected, other)], start, 1 / (2 * b), 4)[0] for r in (1, 0)]
    return chances[0] - exp(to_ball(epsilon)) * chances[1], "<=", delta


@claim(
    "ZCDP-S16/rdp",
    enumerated(
        algorithm="adar-ucb",
        budget=[["rdp", 2, 1], ["rdp", "11/10", 4]],
        T=40,
        rewards=pick(range(1), range(20)),
        covers={"algorithm": "all: AdaR-UCB", "budget": "all: two budgets", "rewards": "all: some lists"},
        rational=True,
        routes=("recorded run", "replay on neighbours"),
    ),
    false={"bug": "noise halved"},
)
def other_budget_renyi(algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none"):
    r"""With $\frac\alpha{2\epsilon}$ no recorded run violates $(\alpha,\epsilon)$-RDP.

    AdaR-UCB is AdaC-UCB with b = alpha/(2 epsilon).
    """
    return violations(algorithm, budget, T, rewards, bug)
