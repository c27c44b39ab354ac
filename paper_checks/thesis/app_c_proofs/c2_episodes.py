"""Appendix C.2.2, page 203: episodes that double per arm, the pulls they cost, and the generic bound."""

from fractions import Fraction
from itertools import product
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.lists import entry_of, length_of, sum_over
from banditproof.paper_checks.thesis.facts.episodes import EVERY_BLOCK, TERM_2_FACTS, TERM_2_JOINT, AboveThree
from banditproof.paper_checks.thesis.facts.index_tables import *
from banditproof.paper_checks.thesis.facts.synthetic_indices import *

Index = Annotated[Any, "all: every index with (C.8), (C.9) that never falls in t"]
Table = Annotated[Any, "all: every table of an index"]
Flags = Annotated[Any, "all: every list of flags"]


LOW_AT_FIRST = ["3/4", [["3/512", [[0, 1, 0], [0, 5, 1]]], ["509/512", [[0, 1, 1]]]]]
LOW_ON_ONE_REWARD = ["1/4", [[1, [[0, 1, "1/2"], [2, 1, 2]]]]]


@claim(
    "ALG-TC.4",
    fails_at(index=[LOW_AT_FIRST, LOW_ON_ONE_REWARD], a=1, beta=4, ell=0, horizon=2048, rational=True),
    where=["2**ell < horizon"],
    called={
        r"means $\frac34$ and $\frac14$; the best arm's index is 0 up to round 4 with probability $\frac3{512}$, else "
        r"1; the index of $a$ is $\frac12$ on one reward, 2 on more": "index, a",
        r"$\ell$": "ell",
        "$T$": "horizon",
        r"$\mathbb E[N_a(T)]$": "left",
        "the printed bound": "right",
        r"$T\,\mathbb P(G^c_{a,\ell,T})$": "horizon * chance_of_a_high_index(index, a, 2**ell, horizon)",
    },
)
def generic_bound(index: Table, a: Natural, beta: AboveThree, ell: Natural, horizon: TwoOrMore):
    r"""For $a$ suboptimal, $2^\ell<T$, $\beta>3$ and an index with (C.8) and (C.9): $\mathbb
    E[N_a(T)]\le2^{\ell+1}+T\,\mathbb P(G^c_{a,\ell,T})+\frac\beta{\beta-3}$.

    Step 2 of the proof only considers episodes with $2^{\ell+1}$ pulls before them and does not count later episodes,
    which are longer. Take $\ell=0$ and an index of arm $a$ that is below $\mu^*$ after episodes of one reward and above
    everything after longer ones, so that $G_{a,0,T}$ is certain. With probability $\frac3{512}$ the best arm's first
    index is too low at $t=3$ and $t=4$. Then arm $a$ is played, has an episode of more than one reward, and is played
    in all later rounds, which the bound does not count.

    The index is a table (`facts/index_tables.py`). The relation checks that it meets (C.9) and never falls in t, and
    runs Algorithm 7 with it line by line, over all draws; where the table does not, 0 stands for the pulls.
    """
    pulls = where(meets_the_hypotheses(index, a, beta), "==", 1, lambda: expected_pulls_of(index, a, horizon), 0)
    paid = horizon * chance_of_a_high_index(index, a, 2**ell, horizon)
    return pulls, "<=", 2 ** (ell + 1) + paid + beta / (beta - 3)


INDICES = [[1], [2], [1, 2], [4], [2**m for m in range(12)], []]


def pulls_of_every_block(block: Positive, paid: Nonnegative, excess: Positive, weight=1) -> Sides:
    """2^(l+1) = 2 block, what the longer episodes pay, and Term 2 with the initial pull; beta = 3 + excess."""
    return 2 * block + paid + 3 / excess + 1, "<=", 2 * block + weight * paid + (3 + excess) / excess


@claim(
    "ALG-TC.4/every-block",
    enumerated(
        [
            {"low": low, "beta": beta, "ell": ell, "horizon": horizon}
            for low, beta, ell, horizon in product(INDICES, (4, 7), (0, 1, 2, 5), (3, 50, 128, 1000, 4096))
            if 2**ell < horizon
        ],
        covers={"low": "all: synthetic indices", "beta": [4, 7], "ell": range(6), "horizon": [3, 50, 128, 1000, 4096]},
        rational=True,
        routes=("expected pulls, exactly", "the bound"),
    ),
    argued(f"{EVERY_BLOCK}: {TERM_2_JOINT}", *TERM_2_FACTS, pulls_of_every_block),
    false={"weight": "0.0"},
    where=["2**ell < horizon"],
    repairs="ALG-TC.4",
)
def bound_with_every_block(low: Index, beta: AboveThree, ell: Natural, horizon: TwoOrMore, weight=1):
    r"""for such an index $\mathbb E[N_a(T)]\le2^{\ell+1}+\sum_{m\ge\ell,\,2^{m+1}<T}2^{m+1}\mathbb
    P(G^c_{a,m,T})+\frac\beta{\beta-3}$"""
    last = blocks_below(horizon) - 1
    paid = weight * total(lambda m: 2 ** (m + 1) * chance_of_misleading(low, m), ell, maximum(ell, last) - 1)
    return expected_pulls_with_an_index(low, beta, horizon), "<=", 2 ** (ell + 1) + paid + beta / (beta - 3)


@claim(
    "ALG-TC.4/step-which-episode",
    fails_at(good=[1, 0, 1], ell=0, rational=True),
    role="step",
    cause="ALG-TC.4",
    called={
        r"episodes with 1, 2 and 4 pulls, the second of them with $I_1^\varepsilon\le\mu_1$": "good",
        r"$\ell$": "ell",
        r"the number of episodes that start with $2^{\ell+1}$ pulls and $I_1^\varepsilon>\mu_1$": "left",
    },
)
def episode_as_printed(good: Flags, ell: Natural, longer=0):
    r"""Step 2 of the proof: if more than $2^{\ell+1}$ pulls of arm $a$ fall into episodes with $I_1^\varepsilon>\mu_1$,
    then one of them, $t_{\ell'}$, starts with $N_a(t_{\ell'}-1)=2^{\ell+1}$

    At $2^{\ell+1}$ pulls the arm may be played because $I_1^\varepsilon\le\mu_1$, and the next episode alone is longer
    than $2^{\ell+1}$. The premise only implies an episode that starts with $2^m$ pulls for some $m\ge\ell+1$. (Entry
    $m$ of `good` says whether the episode that starts with $2^m$ pulls has $I_1^\varepsilon>\mu_1$. Where the premise
    holds, the left side counts the episodes that the step is about; where it does not, it is 1.)
    """
    played = sum_over(good, lambda m, flag: 2**m * flag)
    last = length_of(good) if longer else minimum(length_of(good), ell + 2)
    starts = total(lambda m: entry_of(good, m), ell + 1, maximum(ell + 1, last) - 1)
    return where(played, ">", 2 ** (ell + 1), starts, 1), ">=", 1


@repaired(
    "ALG-TC.4/step-some-episode",
    "ALG-TC.4/step-which-episode",
    enumerated(
        good=[list(good) for size in range(1, 8) for good in product((0, 1), repeat=size)],
        ell=range(4),
        covers={"good": "all: lists of at most 7 flags"},
        rational=True,
        routes=("all lists", "the step"),
    ),
)
def some_longer_episode(longer=1):
    r"""Step 2: if more than $2^{\ell+1}$ pulls of arm $a$ fall into episodes with $I_1>\mu_1$, then one of them starts
    with $N_a=2^m$ pulls for some $m\ge\ell+1$"""


def misled_starts(t: int, beta: Any) -> Any:
    return total(lambda phi: to_ball(phi) ** (1 - beta), -(-t // 2), t)


BETAS = ["301/100", "31/10", "4", "10", "60"]


def bound_of_term_2(beta: Any, top: Any) -> Any:
    return top / (beta - 3)


@claim(
    "ALG-PC.2.2",
    enumerated(
        lambda check: {"arms": [2, 3, 7], "horizon": [2, 3, 20, check.pick(400, 3000)], "beta": BETAS},
        routes=("triple sum, in balls", "the printed bound"),
    ),
    deduced(),
    false=mutation("2/3", top="2/3"),
)
def term_two(arms: TwoOrMore, horizon: Count, beta: AboveThree, top=3, weight=Fraction(3, 2)):
    r"""$\sum_{t=K+1}^T\sum_{\phi=t/2}^t\sum_{s\le\phi}\frac32\phi^{-\beta}\le\frac{3}{\beta-3}$ for $\beta>3$ and
    $K\ge2$

    The sum over phi is at most (2/t)^(beta - 2), and that is at most 2^(beta - 2)/(beta - 3) times the difference of
    (t - 1)^(3 - beta) and t^(3 - beta).
    """
    starts = total(lambda t: misled_starts(t, beta), arms + 1, horizon)
    return to_ball(weight) * starts, "<=", bound_of_term_2(beta, to_ball(top))
