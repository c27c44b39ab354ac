"""Section 5.2, page 106: what is said of the bounds, what doubling and forgetting cost, a blueprint, and a sketch."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.claims.recorded_runs import EveryBudget
from banditproof.paper_checks.shared.episodes import ListRewards, releases_as_printed
from banditproof.paper_checks.thesis.ch5_algorithms.facts import PURE, ZCDP, Bandit
from banditproof.paper_checks.thesis.studies import Case, regrets_of, simulated, study

PRIVATE, FREE = (Case("AdaP-UCB", ("1/2", "3/4"), budget, 20_000, share=0.2) for budget in ("1/2", "50"))
TWO_BUDGETS = study("thesis-adap-ucb-two-budgets", [PRIVATE, FREE], 60_000, 400_000)


@claim("ALG-S5.2d/regret-without-budget", simulated(TWO_BUDGETS), role="reading", studies=[TWO_BUDGETS])
def regret_without_budget(means: Bandit, half=Fraction(1, 2), *, arrays, coins):
    r"""'the regrets ... are independent of $\varepsilon$' in the low-privacy regime, of the regrets themselves: at
    $\varepsilon=2\Delta_a$ the regret exceeds that of an independent run at $\varepsilon=200\Delta_a$ with probability
    at most $1/2$

    If both had the same law, the probability would be at most 1/2. The width contains beta log t/(epsilon n) at every
    budget.
    """
    private, free = (coins.permutation(regrets_of(arrays, case)) for case in (PRIVATE, FREE))
    yield "more regret at the smaller budget", private > free, "<=", half


@claim(
    "ALG-S5.2e/disjoint-and-calibrated",
    enumerated(
        [
            {"name": name, "rewards": s, "budget": budget}
            for name, budgets in {"adap-ucb": PURE, "adap-klucb": PURE, "adac-ucb": ZCDP}.items()
            for budget in budgets
            for s in range(3)
        ]
    ),
    false={"factor": "0.5"},
)
def disjoint_inputs(name: Annotated[Any, "all: the algorithms"], rewards: ListRewards, budget: EveryBudget, factor=1):
    r"""Steps 1 to 3 in AdaP-UCB, AdaP-KLUCB and AdaC-UCB: the private quantity is the mean of an episode, each reward
    is in one, and its noise is that of one release."""
    return releases_as_printed(name, rewards, budget, factor)


@claim("ALG-S5.2f/summed-bonus", fails_at(log_horizon=2000), role="reading")
def summed_bonus(log_horizon: Annotated[Any, "[2, inf)"], factor=1000, power=1):
    r"""'using that $N_{a_t}(t-1)\approx t$', $\sum_{t\le T}\frac{2\log t}{\varepsilon t}$ gives the additional
    $\log(T)/\varepsilon$: it is at most $1000\log(T)/\varepsilon$

    With the logarithm in each summand the sum is of order log^2 T: it is at least log^2 T - log^2 3, since log t / t
    decreases from 3 on; epsilon = 1.
    """
    return log_horizon**2 - log(to_ball(3)) ** 2, "<=", factor * log_horizon**power
