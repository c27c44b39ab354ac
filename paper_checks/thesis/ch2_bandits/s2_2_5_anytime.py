"""Section 2.2.5, page 29: anytime UCB, KL-UCB and the divergence behind it, with their regret."""

import itertools
from fractions import Fraction
from math import inf
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.ch2_bandits.facts import actions, anytime_agrees
from banditproof.theory import kl_ucb_index, log1p
from banditproof.theory.numbers.exact_numbers import check_count


@claim(
    "TH-EQ2.12/formula",
    enumerated(
        [
            {"wins": wins, "pulls": pulls, "t": t}
            for (wins, pulls), t in itertools.product(((0, 1), (1, 1), (3, 7), (1000, 1001)), (2, 8, 1002, 10**9))
            if pulls < t
        ],
        routes=("index of the policy", "formula (2.12), in balls"),
    ),
    false=[{"factor": "1.99"}, {"shift": -1}],
    where=["wins <= pulls", "pulls < t"],
)
def anytime_index(wins: Natural, pulls: Count, t: TwoOrMore, factor=2, shift=0):
    r"""the policy's index before pull $t$ is $\hat\mu_a+\sqrt{2\log f(t)/N_a}$"""
    return anytime_agrees(wins, pulls, t, factor, shift)


@quantity
def lists_with_a_common_beginning(arms: int, short: int, long: int, drop: int) -> int:
    """On how many lists of rewards both runs begin alike, the longer one with the first `drop` rewards at the end."""
    lists = itertools.product((0, 1), repeat=check_count("long", long, short, 10))

    def played(rewards: tuple[int, ...], horizon: int) -> tuple[int, ...]:
        return actions("anytime UCB", rewards[:horizon], arms)

    return sum(played(rewards, short) == played(rewards[drop:] + rewards[:drop], long)[:short] for rewards in lists)


@claim(
    "TH-EQ2.12/anytime",
    enumerated(
        [{"arms": arms, "short": short, "long": 7} for arms, short in ((2, 4), (2, 7), (3, 6))],
        rational=True,
        routes=("shorter run", "beginning of the longer run"),
    ),
    false={"drop": 1},
    where=["short <= long"],
)
def horizon_plays_no_part(arms: Count, short: Count, long: Count, drop=0):
    r"""a run that goes on longer begins like the shorter one

    The left side counts the lists of binary rewards on which the actions of the shorter run are the first actions of
    the longer run.
    """
    return lists_with_a_common_beginning(arms, short, long, drop), "==", 2**long


def level(time: int, samples: int, factor: Any = 1, power: Any = 2) -> Any:
    """log f(t) / N with f(t) = 1 + factor t log^power t."""
    t = to_ball(time)
    return log1p(factor * t * log(t) ** to_ball(power)) / samples


@claim("TH-EQ2.14/feasible", deduced(), false=[{"factor": "1.01"}, {"power": "2.01"}])
def index_is_feasible(x: Probability, time: Count, samples: Count, factor=1, power=2):
    r"""The index for $f(t)=1+t\log^{2}t$ satisfies $\mathrm{kl}(\hat\mu,U)\le\log f(t)/N$."""
    index = kl_ucb_index(x, level(time, samples, factor, power))
    return kl_bernoulli(x, index), "<=", level(time, samples)


@claim(
    "TH-EQ2.14/largest",
    tried_at(x=Fraction(1, 2), mean=Fraction(4353, 5000), time=10, samples=10),  # just below the index
    deduced(),
    false=[{"factor": "0.99"}, {"power": "1.99"}],
)
def index_is_largest(x: Probability, mean: Probability, time: Count, samples: Count, factor=1, power=2):
    r"""No mean above the index for $f(t)=1+t\log^{2}t$ is as close as $\log f(t)/N$."""
    index = kl_ucb_index(x, level(time, samples, factor, power))
    return level(time, samples), "<", where(mean, "<=", index, inf, lambda: kl_bernoulli(x, mean))


@claim("TH-EQ2.14/first-step", deduced(), role="edge")
def index_at_the_first_step(x: Probability, time: Annotated[Any, [1]], samples: Count):
    r"""At $t=1$, $f(1)=1$ and the index is the mean."""
    return kl_ucb_index(x, level(time, samples)), "==", x


@claim("TH-T2.26/exploration", deduced(), false={"factor": "1.3"}, role="step")
def exploration_is_logarithmic(log_time: AtLeastOne, factor=2):
    r"""$\log f(t)\sim\log t$: $f(t)=1+t\log^2t\le2\,t\log^2t$ for $t\ge e$, so $\log f(t)\le\log t+2\log\log t+\log2$.

    Both sides are divided by t log^2 t.
    """
    return 1 + exp(-log_time) / log_time**2, "<=", factor + 0 * log_time
