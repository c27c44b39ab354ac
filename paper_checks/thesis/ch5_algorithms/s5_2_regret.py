"""Section 5.2, page 106: the regret of AdaP-KLUCB, and the order of the gap-free bounds."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.ch5_algorithms.facts import AboveThree, Bandit, BernoulliBandit, unproved
from banditproof.paper_checks.thesis.facts import episodes
from banditproof.paper_checks.thesis.studies import EXPECTED_REGRET, Case, mean_regret, study
from banditproof.theory import log1p

EVERY_EPISODE = f"{episodes.EVERY_BLOCK}; {episodes.BLOCKS}"


def bound_of_5_4(means: Sequence[Any], epsilon: Any, beta: Any, horizon: int, first: Any, top: Any) -> Any:
    """With C_1 = first beta and C_2 = 1; d(mu_a, 1) is infinite."""
    best, total = max(means), 0.0
    for mean in (m for m in means if m < best):
        gap, divergence = best - mean, kl_bernoulli(mean, best)
        total += first * beta * log(horizon) * gap / min(divergence, epsilon * gap) + episodes.last_summand(beta, top)
    return total


@claim(
    "ALG-T5.4/edge-best-mean-one",
    unproved("the argument gives a summand log(T)/d(mu_a + Delta/2, mu_a) that does not fall when the budget grows"),
    mean_regret(episodes.ADAP_KL_RUNS, episodes.CERTAIN),
    false=mutation(first="1/100", top=0),
    studies=[episodes.ADAP_KL_RUNS],
)
def certain_best_arm(means: BernoulliBandit, epsilon: Positive, beta: AboveThree, horizon: Count, first=16, top=3):
    r"""$\mu^\star=1$, where $d(\mu_a,1)=\infty$ and the bound is $\frac{C_1\log T}{C_2\varepsilon}+\frac{3\beta}
    {\beta-3}$, with $C_1=16\beta$ and $C_2=1$; with a large budget nothing but the last summand is left

    Here the optimism (C.9) fails with <=, see ALG-EQC.9; with < the argument works.

    There are only runs and no argument. In the runs the regret is at most a quarter of the bound, so a quarter of the
    first constant would be enough as well.
    """
    return EXPECTED_REGRET, "<=", bound_of_5_4(means, epsilon, beta, horizon, first, top)


@claim(
    "ALG-T5.4/one-constant-for-all",
    unproved("for mu* near 1 the argument needs log(T)/d(mu*, mu_a) samples, see ALG-T5.4/constants-of-the-proof"),
    mean_regret(episodes.ADAP_KL_RUNS, episodes.CORNER),
    false=mutation(first="1/100", top=0),
    role="reading",
    studies=[episodes.ADAP_KL_RUNS],
)
def every_pair_of_means(means: BernoulliBandit, epsilon: Positive, beta: AboveThree, horizon: Count, first=16, top=3):
    r"""with $C_1=16\beta$, $C_2=1$ for every pair of means: at means near 0 and 1, where $d(\mu_a,\mu^\star)$ is many
    times $\Delta_a^2$

    'Constants C_1(beta), C_2 > 0' leaves open what else they depend on.

    There are only runs and no argument. In the runs the regret is at most a sixth of the bound, so a sixth of the first
    constant would be enough as well.
    """
    return EXPECTED_REGRET, "<=", bound_of_5_4(means, epsilon, beta, horizon, first, top)


@claim("ALG-T5.4/constants-of-the-proof", fails_at(h=Fraction(10**7)), role="reading")
def samples_for_a_deviation(h: Positive, constant=1000000):
    r"""'$C_1(\beta)$' depends on $\beta$ alone (here $C_1=10^{6}$), as the infimum that defines it in the proof:
    $\gamma_{\ell,T}\le1$ asks for $2^\ell\ge\frac{\log T}{d(\mu^\star,\mu_a)}$, so
    $d(\mu_a,\mu^\star)\le\frac{C_1}4d(\mu^\star,\mu_a)$ whenever $C_2\varepsilon\Delta_a\ge d(\mu_a,\mu^\star)$; at
    $\mu_a=\frac12$, $\mu^\star=\frac{e^h}{1+e^h}$

    d(1/2, y) = log cosh(h/2) grows without bound as y tends to 1, but d(y, 1/2) stays below log 2, so no constant is
    enough.
    """
    divergence = h / 2 + log1p(exp(-h)) - log(to_ball(2))
    return divergence, "<=", constant * log(to_ball(2)) / 4


@claim("ALG-S5.2b/additive", deduced(), false={"two": "1.9"})
def gap_free_order(arms: Annotated[Any, "[2, inf)"], more: Nonnegative, level: Annotated[Any, "[1/2, inf)"], two=2):
    r"""the summand of the gap-free bounds that the order does not show: for $T\ge K$ $(\sum_a\Delta_a)^2\le
    K^2\le2\,KTL$, and for $T<K$ the regret is at most $T\le\sqrt{KT}$

    T = K + more. The explicit bounds are ALG-TC.7 and ALG-RC.8.
    """
    return arms**2, "<=", two * arms * (arms + more) * level


ORDER = [  # both bounds are below the largest regret, T times the largest gap; the first nearly as small as it can be
    Case("AdaP-UCB", ("0", "0", "0", "0", "0", "0", "0", "1"), "1/200000", 10**10, "8"),
    Case("AdaP-UCB", ("1/2", "51/100"), "1", 10**10, "5"),
]
ORDER_RUNS = study("thesis-adap-ucb-order", ORDER, 10_000, 100_000)


def root_of_beta(root: AboveOne) -> Sides:
    """8 sqrt(beta) against 16 beta, root = sqrt(beta)."""
    return 8 * root, "<=", 16 * root**2


def order_constant(beta: Any, two_root: Any) -> Any:
    """The constant before the order, in the claim and in the fact that ends its proof; two_root is sqrt 2."""
    return 16 * beta + 3 * two_root * beta / (beta - 3)


def sum_of_the_order(rate: Positive, private: Positive, two_root: Positive, excess: Positive, times: Any = 1) -> Sides:
    """Theorem C.7 with 16 beta for 8 sqrt(beta) and two_root = sqrt 2 times the rate for the sum of gaps.

    rate = sqrt(K T L), private = K L / epsilon, beta = 3 + excess.
    """
    beta, last = 3 + excess, 3 * two_root * (3 + excess) / excess
    constant = order_constant(beta, two_root)
    return 16 * beta * rate + 16 * beta * private + last * rate, "<=", times * constant * (rate + private)


ORDER_FACTS = [*episodes.FACTS, *map(fact, (episodes.split_at_a_gap, gap_free_order, root_of_beta, sum_of_the_order))]


@claim(
    "ALG-S5.2b/regret",
    mean_regret(ORDER_RUNS, ORDER),
    argued(f"{episodes.SPLIT_JOINT}; {EVERY_EPISODE}", *ORDER_FACTS),
    false={"times": "1/8"},
    studies=[ORDER_RUNS],
)
def regret_of_this_order(means: Bandit, epsilon: Positive, beta: AboveThree, horizon: Count, times=1, two=2):
    r"""AdaP-UCB, $T\ge K$: $\mathrm{Reg}_T\le\big(16\beta+\frac{3\sqrt{2}\beta}{\beta-3}\big)\big( \sqrt{KT\log
    T}+\frac{K\log T}\varepsilon\big)$; AdaP-KLUCB has the same bound by ALG-RC.8"""
    K, L = len(means), log(horizon)
    constant = order_constant(beta, sqrt(two))
    return EXPECTED_REGRET, "<=", times * constant * (sqrt(K * horizon * L) + K * L / epsilon)
