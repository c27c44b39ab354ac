"""Appendix C-D: Theorem 12, AdaC-UCB is private.

The text does not say whether the noise of an index is drawn once per block of rewards or again at every episode start.
The proof releases each block once, and so does the program; drawing again is a reading of its own.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.claims.recorded_runs import BUGS, Algorithm, EveryBudget, RewardLists, recorded
from banditproof.paper_checks.shared.gaussian_choice import *
from banditproof.paper_checks.shared.lists import length_of
from banditproof.paper_checks.zcdp.facts import BUDGETS
from banditproof.verify.runs.followed import departures_of

Adversary = Annotated[Any, "all: every adversary and pair of tables"]
Course = Annotated[Any, "all: every course of the interaction"]


@claim("ZCDP-T12/recorded-runs", recorded({"adac-ucb": BUDGETS}, quick=1), false=BUGS, role="model")
def recorded_runs_are_aligned(algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none"):
    r"""In runs of AdaC-UCB, a release is the mean of the $n$ rewards of an episode, plus noise of variance
    $\frac1{2\rho n^2}$. Each reward enters one release. Actions depend on releases only."""
    return departures_of(algorithm, budget, T, rewards, bug)


@claim(
    "ZCDP-T12/interactive-runs",
    recorded({"adac-ucb": BUDGETS}, quick=1),
    false=[m for m in BUGS if "noise" in m.name or "raw" in m.name],
    role="model",
)
def interactive_runs_are_aligned(algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none"):
    r"""The same against an adversary who asks for other arms than the recommended ones, by the recommendations so far
    .

     Given the recommendations, the rewards that the adversary takes from a table form a list.
    """
    return departures_of(algorithm, budget, T, rewards, bug, adversary=1)


@claim(
    "ZCDP-T12/first-choices",
    enumerated(
        rho=pick(["1", "10"], ["1/10", "1", "10"]),
        order=["11/10", 2, 8, 64],
        adversary=list(product((0, 1), repeat=2)),
        covers={"adversary": "all: K = 2, T = 4, binary tables"},
        rational=True,
    ),
    false=mutation("half the noise", noise="1/2"),
    role="implication",
)
def first_choices_of_two_arms(rho: Positive, order: AboveOne, adversary: Adversary, noise=1):
    r"""$K=2$, $T=4$, binary rewards: $D_\alpha(\mathrm{View}_{B,\pi,d}\|\mathrm{View}_{B,\pi,d'})\le\alpha\rho$ over
    all tables and adversaries.

    The check computes normal integrals in ball arithmetic: the largest D_order of (o_3, o_4) over binary tables, for an
    adversary given by the arms that it asks for after o_3. The choices reveal about half of the budget.
    """
    laws = {table: first_choices(table, adversary, rho, Fraction(noise)) for table in tables()}
    largest = to_ball(0)
    for left, right in product(laws, laws):
        if neighbouring(left, right):
            largest = largest.max(divergence(laws[left], laws[right], order))
    return largest / to_ball(rho * order), "<=", 1


REDRAWN = [[9, 0, 2], [13, 4, 4], [21, 8, 8]]

"""Episode starts with the sum and length of the last block of arm 1; arm 0 had (0, 0) or (1, 0) in its last block."""


@quantity
def divergence_at_a_start(rho: Any, order: Any, starts: Sequence[Any], place: int) -> Any:
    """D_order of the recommendation at one of the episode starts, with fresh noise."""
    start, collected, n = starts[place]
    left, right = (fresh_choice([(reward, 2), (collected, n)], start, rho, 4) for reward in (0, 1))
    return divergence(left, right, order)


def along_the_course(rho: Any, order: Any, starts: Any) -> Any:
    """The sum over the episode starts."""
    return total(lambda place: divergence_at_a_start(rho, order, starts, place), 0, length_of(starts) - 1)


@claim(
    "ZCDP-T12/noise-drawn-again",
    fails_at(rho=1, order=Fraction(11, 10), adversary="always asks for arm 1", starts=REDRAWN),
    role="reading",
)
def noise_drawn_again(rho: Positive, order: AboveOne, adversary: Adversary, starts: Course):
    r"""The same if $\mathcal N(0,\sigma^2_{a,\ell})$ is drawn again at every episode start $\ell$, also for arms that
    were not played in between: $D_\alpha\le\alpha\rho$.

    The index is 'mu_a^l + N(0, sigma_{a,l}^2) + B_a', which leaves open when the noise is drawn. The left side is the
    D_order of the recommendations at `starts` for fixed queries, with two arms and beta = 4. The pulls are: arm 0, arm
    1 three times with last rewards (0, 0), arm 0 three times with last rewards (0, 0) or (1, 0), then arm 1 with
    rewards 1. Episodes start at t = 9, 13 and 21 while the changed block is the last one of arm 0, and each start
    reveals it anew. Recommendations at different starts are independent, so divergences add up.
    """
    return along_the_course(rho, order, starts), "<=", rho * order


@claim(
    "ZCDP-T12/noise-drawn-again-composed",
    enumerated(
        [
            {"rho": Fraction(r), "order": Fraction(o), "adversary": "always asks for arm 1", "starts": REDRAWN[:k]}
            for r in ("1/10", "1", "4")
            for o in ("11/10", "2", "16")
            for k in (1, 2, 3)
        ]
    ),
    repairs="ZCDP-T12/noise-drawn-again",
)
def noise_drawn_again_composes(rho: Positive, order: AboveOne, adversary: Adversary, starts: Course):
    r"""Drawn again at each of $E$ episode starts at which a block is the last one of its arm: $D_\alpha\le
    E\,\alpha\rho$ along these courses."""
    return along_the_course(rho, order, starts), "<=", length_of(starts) * rho * order
