"""Section 5.2, page 106: what is said of the bounds, what doubling and forgetting cost, a blueprint, and a sketch."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.recorded_runs import EveryBudget
from banditproof.claims.register import claim, mutation
from banditproof.claims.sets import AboveOne, AboveZero, Count, Positive, Probability, TwoOrMore
from banditproof.claims.steps import deduced, enumerated, fails_at, interval
from banditproof.paper_checks.shared.episodes import ListRewards, releases_as_printed
from banditproof.paper_checks.thesis.ch5_algorithms.facts import PURE, ZCDP, Bandit
from banditproof.paper_checks.thesis.studies import Case, regrets_of, simulated, study
from banditproof.theory import exp, laplace_sum_tail, log, minimum, sqrt, to_ball, where
from banditproof.theory.numbers.numeric import binary_exponent
from banditproof.verify import Domain


def doubled_pulls(samples: Any, forgetting: int) -> Any:
    """Pulls of an arm that is chosen until its index rests on `samples` rewards: of all, or of the last episode.

    All are the smallest power of two that is at least that; the last episode of more than one is half of all.
    """
    return where(samples, "==", 1, 1, lambda: 2 ** (binary_exponent(samples - 1) + 1 + forgetting))


@claim("ALG-S5.2c/doubling", deduced())
def price_of_doubling(samples: Count):
    r"""an arm that is left once its index rests on $n$ rewards is pulled at most $2n$ times if all are kept"""
    return doubled_pulls(samples, 0), "<=", 2 * samples


@claim("ALG-S5.2c/and-forgetting", deduced())
def price_of_both(samples: Count):
    r"""and at most $4n$ times if the index rests on the last episode, whose length doubles"""
    return doubled_pulls(samples, 1), "<=", 4 * samples


@claim("ALG-S5.2d/problem-dependent", deduced())
def upper_over_lower_bound(ratio: Positive, share: AboveZero):
    r"""upper bound over lower bound is at most $C_1\max\{1,\frac1{C_2}\}$ per arm:
    $C_2\min\{d,\varepsilon\Delta_a\}\le\min\{d,C_2\varepsilon\Delta_a\}$ for $C_2\le1$, because $C_2 x\le x$

    x = d/(epsilon Delta): C_2 x <= x, so that C_2 min{x, 1} <= min{x, C_2}; for C_2 > 1 the minimum only grows.

    As far as C_1 and C_2 are constants: see ALG-T5.4.
    """
    return share * ratio, "<=", ratio


@claim("ALG-S5.2d/minimax", deduced(), false=[{"two": "1.9"}, {"two": 1}])
def rates_differ_by_logarithms(arms: TwoOrMore, horizon: Count, level: Positive, two=2):
    r"""$\sqrt{KT\log T}$ is at most $\sqrt{2\log T}$ times $\sqrt{T(K-1)}$

    The claim compares the squares; level is log T.
    """
    return arms * horizon * level, "<=", two * level * (horizon * (arms - 1))


@claim("ALG-S5.2d/minimax-private", deduced(), false={"two": "1.9"})
def private_rates_differ_by_a_logarithm(arms: TwoOrMore, level: Positive, epsilon: Positive, two=2):
    r"""$\frac{K\log T}\varepsilon$ is at most $2\log T$ times $\frac{K-1}\varepsilon$

    level is log T.
    """
    return arms * level / epsilon, "<=", two * level * ((arms - 1) / epsilon)


@claim(
    "ALG-S5.2d/regimes",
    deduced(),
    false=mutation("from half a gap on", Domain.of(gap="(0, 1]", epsilon="(0, inf)", where=["2*epsilon >= gap"])),
    where=["epsilon >= gap"],
)
def bound_without_budget(gap: AboveZero, epsilon: Positive):
    r"""the bound of Theorem 5.3 does not depend on $\varepsilon\ge\Delta_a$: $\min\{\Delta_a,\varepsilon\}=\Delta_a$"""
    return 1 / minimum(gap, epsilon), "==", 1 / gap


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


@claim("ALG-S5.2e/recalibration", deduced(), false=[{"half": "1/3"}, {"half": "3/5"}])
def recalibrated_bonus(t: AboveOne, beta: Positive, samples: Count, epsilon: Positive, half=Fraction(1, 2)):
    r"""Step 4: the private bonus $\frac{\beta\log t}{\varepsilon n}$ is exceeded by the noise with probability
    $\frac12t^{-\beta}$.

    The left side is the exact tail of Lap(1/(epsilon n)).
    """
    bonus = beta * log(t) / (epsilon * samples)
    return laplace_sum_tail(1, epsilon * samples * bonus), "==", half * exp(-beta * log(t))


@claim("ALG-S5.2e/factor", deduced())
def price_of_doubling_and_forgetting(needed: Count):
    r"""Step 5: if $n$ samples are enough to drop an arm, doubling and forgetting make it $4n$ pulls at most.

    Pulls of an arm that is dropped when its last episode has at least `needed` samples, at worst.
    """
    return doubled_pulls(needed, 1), "<=", 4 * needed


@claim("ALG-S5.2f/order", interval(), false={"factor": "11.5"})
def samples_of_the_sketch(u: Probability, v: Probability, factor=12):
    r"""solving for $n$: $n\ge\frac{12\log(2T)}{\Delta_a\min\{\Delta_a,\varepsilon\}}$ is enough

    The left side is the sum of the widths over Delta at n = factor log(2/delta)/(Delta m), with m = min{Delta,
    epsilon}, u^2 = m/Delta, v = m/eps.
    """
    return 2 * u * sqrt(to_ball(2) / factor) + 2 * v / factor, "<=", 1 + 0 * u


@claim("ALG-S5.2f/summed-bonus", fails_at(log_horizon=2000), role="reading")
def summed_bonus(log_horizon: Annotated[Any, "[2, inf)"], factor=1000, power=1):
    r"""'using that $N_{a_t}(t-1)\approx t$', $\sum_{t\le T}\frac{2\log t}{\varepsilon t}$ gives the additional
    $\log(T)/\varepsilon$: it is at most $1000\log(T)/\varepsilon$

    With the logarithm in each summand the sum is of order log^2 T: it is at least log^2 T - log^2 3, since log t / t
    decreases from 3 on; epsilon = 1.
    """
    return log_horizon**2 - log(to_ball(3)) ** 2, "<=", factor * log_horizon**power


@claim("ALG-S5.2f/summed-bonus-repaired", interval(), false={"factor": "1.04"}, repairs="ALG-S5.2f/summed-bonus")
def bonus_as_a_square(inverse: Annotated[Any, "(0, 1/2]"], factor=Fraction(53, 50)):
    r"""$\sum_{t\le T}\frac{2\log t}{\varepsilon t}\le\frac{53}{50}\log^2(T)/\varepsilon$ for $\frac1{\log
    T}\le\frac12$: the sketch loses a logarithm

    The left side has the summands for t = 2, 3 and the integral from 3 on, divided by log^2 T; inverse = 1/log T.
    """
    start = log(to_ball(2)) + 2 * log(to_ball(3)) / 3
    return (start - log(to_ball(3)) ** 2) * inverse**2 + 1, "<=", factor + 0 * inverse
