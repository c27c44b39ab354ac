"""Section 3: the conversion of a bandit algorithm, its privacy and its utility."""

from typing import Annotated, Any

import numpy as np

from banditproof.claims.recorded_runs import BUGS
from banditproof.claims.register import claim
from banditproof.claims.sets import (
    AboveZero,
    AtLeastOne,
    Count,
    EveryFunction,
    EveryLaw,
    EveryPolicy,
    Natural,
    Nonnegative,
    Positive,
    Probability,
    Real,
    Sides,
    TwoOrMore,
)
from banditproof.claims.steps import deduced, enumerated, in_kernel, pick
from banditproof.paper_checks.adversarial.facts import ATTAINED, SHORT_GAMES, excess_of_batches
from banditproof.paper_checks.adversarial.studies import worst_losses_study
from banditproof.theory import Budget, exp, log, minimum, sqrt
from banditproof.theory.bounds.adversarial import (
    batched_exp4_bound,
    exp3_bound,
    ftpl_bound,
    htinf_bound,
    local_exp4_bound,
)
from banditproof.theory.numbers.numeric import least, ratio
from banditproof.verify.kernel.losses import (
    itself,
    losses_of_both,
    regret_in_what_is_heard,
    sum_of_what_is_heard_at_most,
    with_noise,
    worst_batched_regret_at_most,
    worst_regret_at_most,
)
from banditproof.verify.kernel.meanings import when
from banditproof.verify.kernel.policies import plays_arms, private_on
from banditproof.verify.kernel.rewards import rounds_tell_arms_and_rewards
from banditproof.verify.kernel.rules import le, lt
from banditproof.verify.kernel.variables import laplace
from banditproof.verify.runs.followed import departures
from banditproof.verify.runs.planted import with_bug
from banditproof.verify.runs.recorded import once
from banditproof.verify.theorems import batch_privacy as batch_privacy_proofs
from banditproof.verify.theorems import losses as loss_table_proofs
from banditproof.verify.theorems import noisy_losses as noisy_loss_proofs

Learners = Annotated[Any, "all: every bandit algorithm"]
Lists = Annotated[Any, "all: every sequence of losses"]


def converted(learner: str, batch: int, bug: str) -> Any:
    """Builds Algorithm 1 around a learner on three arms, epsilon = 1/2, with a planted bug where one is named."""
    from banditproof.algorithms.adversarial.conversion import PrivateBatches
    from banditproof.algorithms.adversarial.learners import EXP3, FTPL, HTINF

    def make(noise: Any, generator: np.random.Generator) -> Any:
        learners = {
            "EXP3": lambda: EXP3(3, generator, rate=0.5, mixing=0.3),
            "FTPL": lambda: FTPL(3, generator, rate=0.5, cap=20),
            "HTINF": lambda: HTINF(3, generator, sigma=6**0.5),
        }
        return PrivateBatches(learners[learner](), Budget.pure(0.5), noise, batch=batch)

    return with_bug(bug, make)


RUNS = [
    {"learner": learner, "tau": tau, "T": T, "losses": seed}
    for seed in range(10)
    for learner in ("EXP3", "HTINF", "FTPL")
    for tau, T in ((1, 40), (2, 61), (7, 90))
]


@once
def departures_of_the_conversion(learner: str, tau: int, T: int, losses: int, bug: str) -> Sides:
    return departures(converted(learner, tau, bug), T, Budget.pure(0.5), losses, lists=3), "==", 0


@claim(
    "ADV-L3/recorded-runs",
    enumerated(pick(RUNS[:18], RUNS), rational=True, routes=("recorded run", "replay on neighbours")),
    false=BUGS,
    role="implication",
)
def runs_of_the_conversion(learner: Learners, tau: Count, T: Count, losses: Lists, bug="none") -> Sides:
    r"""In runs of Algorithm 1, a release is the mean, or the sum, of the losses of a batch, plus Laplace noise that
    hides one of these losses. Each loss enters one release. Actions depend on releases only. All this holds whether or
    not $\tau$ divides $T$ ($\varepsilon=\frac12$)."""
    return departures_of_the_conversion(learner, int(tau), int(T), int(losses), bug)


HTINF, on_worst_losses = worst_losses_study("htinf", ["htinf", "exp3"], "1", 200_000)


@claim(
    "ADV-C2/worst-sequences",
    on_worst_losses,
    false=[{"constant": "1/10"}],
    studies=[HTINF],
    restricted="to stored sequences that a search found, at one K, T and epsilon",
)
def htinf_on_worst_losses(K: Count, T: Count, epsilon: AboveZero, constant=208, *, regret=0) -> Sides:
    r"""On sequences that a search found to be bad the regret is at most
    $208\sqrt{\frac{TK}\varepsilon}+\frac2\varepsilon$, at a horizon where that is below $T$.

    The regret is far below the bound; the false variants show how small a constant these runs can detect. Runs at one
    horizon cannot test the powers of K, T and epsilon. These follow from Theorem 21, which is cited, by the arithmetic
    at the end of Appendix D.
    """
    return regret, "<=", constant * sqrt(T * K / epsilon) + 2 / epsilon


# ------------------------------------------------------------------------------------------------------ the reduction


@claim("ADV-EQ3.1", in_kernel(noisy_loss_proofs.regret_in_noisy_losses))
def noisy_regret(pi: EveryPolicy, T: Natural, K: Count, lam: Positive):
    r"""On every sequence of losses and against every arm $i$: $\mathbb E[\sum_t\tilde\ell_t(\mathcal B(\tilde{\mathcal
    H}_t))]-\mathbb E[\sum_t\tilde\ell_t(i)]=\mathbb E[\sum_t\ell_t(\mathcal B(\tilde{\mathcal
    H}_t))]-\sum_t\ell_t(i)$ with noise $\mathrm{Lap}(\lambda)$, afresh in each round; so the suprema are the same.

    Section 3.1 says that the noise is independent. The sums of noisy losses are unbounded, so their means are computed
    as the sums of the means of their terms; the noisy losses of arm i are those that an algorithm observes if it always
    plays arm i.
    """
    then = regret_in_what_is_heard(pi, with_noise(laplace(lam)), T, K)
    return when(plays_arms(pi, K), *rounds_tell_arms_and_rewards(T, K), then=then)


@claim("ADV-EQ3.1/has-a-mean", in_kernel(noisy_loss_proofs.what_is_heard_has_a_mean))
def noisy_losses_have_a_mean(pi: EveryPolicy, T: Natural, K: Count, lam: Positive):
    r"""The expected sums of noisy losses are numbers: $\mathbb E|\sum_t\tilde\ell_t(\mathcal B(\tilde{\mathcal
    H}_t))|\le T(1+4\lambda)$ for every $\mathcal B$, one that always plays arm $i$ among them."""
    heard = sum_of_what_is_heard_at_most(pi, with_noise(laplace(lam)), T, K, T * (1 + 4 * lam))
    return when(plays_arms(pi, K), *rounds_tell_arms_and_rewards(T, K), then=heard)


@claim("ADV-L4", in_kernel(loss_table_proofs.batches), rests_on=["ADV-EQ3.1"])
def utility_of_batches(
    pi: EveryPolicy, noise: EveryLaw, n: Natural, m: Natural, tau: Count, rest: Natural, K: Count, bound: Real
):
    r"""For every $\mathcal B$ and $\tau$, whatever the law of the noise is, of which
    $\mathrm{Lap}(\frac1{\varepsilon\tau})$ is one, the worst regret of Algorithm 1 in $T=n\tau+\mathrm{rest}$ rounds
    is at most $\tau\tilde{\mathrm R}_{\mathcal B}(m,K)+\tau$ for every whole $m\ge\lfloor\frac T\tau\rfloor=n$.

    So the bound holds with T/tau rounded down or up, which the text leaves open. The expected regret is the sum of the
    expected regrets of the rounds.
    """
    heard = with_noise(noise)
    given = plays_arms(pi, K), lt(rest, tau), le(n, m), worst_regret_at_most(pi, heard, m, K, bound)
    return when(*given, then=worst_batched_regret_at_most(pi, heard, n, tau, rest, K, tau * bound + tau))


@claim("ADV-T1/in-particular", in_kernel(loss_table_proofs.in_large_batches))
def utility_of_large_batches(
    pi: EveryPolicy,
    noise: EveryLaw,
    n: Natural,
    m: Natural,
    tau: Count,
    rest: Natural,
    K: Count,
    epsilon: AboveZero,
    bound: Nonnegative,
):
    r"""(b) for Algorithm 1 with $\tau=\lceil\frac1\varepsilon\rceil$ and noise of any law that does not depend on
    $\tau$, of which $\mathrm{Lap}(1)$ is one: the worst regret in $T=n\tau+\mathrm{rest}$ rounds is at most
    $\frac2\varepsilon\tilde{\mathrm R}_{\mathcal B}(m,K)+\frac2\varepsilon$ for every whole $m>\varepsilon T-1$, so
    with $\varepsilon T$ rounded down or up."""
    heard = with_noise(noise)
    batch = le(1, tau * epsilon), lt(tau * epsilon, 1 + epsilon), lt(rest, tau)
    given = plays_arms(pi, K), *batch, lt(epsilon * (n * tau + rest), m + 1)
    most = 2 / epsilon * bound + 2 / epsilon
    return when(
        *given,
        worst_regret_at_most(pi, heard, m, K, bound),
        then=worst_batched_regret_at_most(pi, heard, n, tau, rest, K, most),
    )


@claim("ADV-T1/private-with-noise-of-scale-one", in_kernel(batch_privacy_proofs.algorithm_1))
def private_with_noise_of_scale_one(
    pi: EveryPolicy, n: Natural, tau: Count, rest: Natural, K: Count, epsilon: AboveZero
):
    r"""(b): Algorithm 1 with noise $\mathrm{Lap}(1)$ in the place of $\mathrm{Lap}(\frac1{\tau\varepsilon})$ is
    $\varepsilon$-DP for $\tau\varepsilon\ge1$, so for $\tau=\lceil\frac1\varepsilon\rceil$."""
    both = losses_of_both(pi, with_noise(laplace(1)), n, tau, rest, K)
    return when(plays_arms(pi, K), le(1, tau * epsilon), then=private_on(both, epsilon))


@claim("ADV-T5", in_kernel(loss_table_proofs.batches))
def utility_of_batches_without_noise(
    pi: EveryPolicy, n: Natural, m: Natural, tau: Count, rest: Natural, K: Count, bound: Real
):
    r"""For every $\mathcal B$ and $\tau$ the worst regret of the batched $\mathcal B$ in $T=n\tau+\mathrm{rest}$ rounds
    is at most $\tau\mathrm R_{\mathcal B}(m,K)+\tau$ for every whole $m\ge\lfloor\frac T\tau\rfloor=n$, so with
    $\frac T\tau$ rounded down or up."""
    given = plays_arms(pi, K), lt(rest, tau), le(n, m), worst_regret_at_most(pi, itself, m, K, bound)
    return when(*given, then=worst_batched_regret_at_most(pi, itself, n, tau, rest, K, tau * bound + tau))


@claim("ADV-X6", in_kernel(loss_table_proofs.in_more_rounds), rests_on=["ADV-EQ3.1"])
def more_rounds_cost_no_less(M: EveryFunction, pi: EveryPolicy, n: Natural, k: Natural, K: Count, bound: Real):
    r"""For a fixed $\mathcal B$ the worst regret does not fall with the horizon, whatever noise it hears: rounds in
    which all arms lose $0$ change no regret."""
    longer = worst_regret_at_most(pi, M, n + k, K, bound)
    return when(plays_arms(pi, K), longer, then=worst_regret_at_most(pi, M, n, K, bound))


# ---------------------------------------------------------------------------------------------- exact laws, short games

ALGORITHMS = "to learners that compare losses with levels"
EXACT = ("exact law", "the inequality")


@claim(
    "ADV-A1",
    in_kernel(batch_privacy_proofs.algorithm_1),
    covered="""The formula has each line of the loop: at the start of a batch B draws its arm, which is played until the
    batch ends; then B observes the mean of its losses with fresh noise of the printed scale; the last batch may be
    incomplete. The paper says nothing else about the algorithm except that it is private.""",
)
def privacy_of_the_pseudocode(pi: EveryPolicy, n: Natural, tau: Count, rest: Natural, K: Count, epsilon: AboveZero):
    r"""Algorithm 1 around any $\mathcal B$, batch by batch as it is printed, is $\varepsilon$-DP: $\mathcal B$ draws an
    arm after what it heard of the batches before, and hears of the mean loss of that arm with noise
    $\mathrm{Lap}(\frac1{\tau\varepsilon})$ when the batch ends; rounds after the last whole batch play one more arm.
    Events of all actions on two tables of losses in $T=n\tau+\mathrm{rest}$ rounds that differ in one row are
    $\varepsilon$-close."""
    both = losses_of_both(pi, with_noise(laplace(1 / (tau * epsilon))), n, tau, rest, K)
    return when(plays_arms(pi, K), then=private_on(both, epsilon))


@claim(
    "ADV-A1/exact-laws",
    enumerated(SHORT_GAMES, rational=True, routes=EXACT),
    false=[{"power": 2}, {"noise": "9/10"}, {"power": 0, "noise": "2/5"}],
    role="implication",
    restricted=ALGORITHMS,
)
def exact_privacy_of_algorithm_1(learner: Learners, losses: Lists, T: Count, tau: Count, power=1, noise=1) -> Sides:
    r"""Exact laws of Algorithm 1's actions at $\varepsilon=\frac12$, whether or not $\tau$ divides $T$: with noise
    $\mathrm{Lap}(\frac1{\tau\varepsilon})$ on a mean every ratio of neighbours is within $e^\varepsilon$ (to
    $10^{-9}$)."""
    scale = noise * ratio(2, tau**power)
    return excess_of_batches(learner, losses, T, tau, scale, exp(ratio(1, 2))), "<=", ATTAINED


# ------------------------------------------------------------------------------------------------- rates and constants


@claim(
    "ADV-X9/above-minimax",
    enumerated(K=[2, 3, 1000], T=[1, 10, 10**30], epsilon=["1", "1/1000"]),
    restricted="to N = K, lambda = 1, alpha = 2, sigma = 1 and delta up to 1/e",
)
def bounds_above_minimax(K: TwoOrMore, T: Count, epsilon: AboveZero) -> Sides:
    r"""Every printed upper bound is at least $\frac1{20}\min\{\sqrt{KT},T\}$, which no algorithm is below: the
    least of those of Corollaries 2 and 8, 22 and 24, Lemma 25, and Theorems 9, 10 and 21."""
    bounds = [
        htinf_bound(K, T, epsilon),
        exp3_bound(K, T, epsilon),
        ftpl_bound(K, T, epsilon),
        11 * sqrt(K * T) * log(K) * log(K * T) + 10 * sqrt(K * T),
        local_exp4_bound(K, K, T, epsilon),
        batched_exp4_bound(K, K, T, epsilon, exp(-1)),
        30 * sqrt(K * (T + 1)),
    ]
    return minimum(sqrt(K * T), T) / 20, "<=", least(bounds)


@claim("ADV-X9/barrier-below-every-round", deduced())
def barrier_below_the_horizon(share_of_all: Probability, T: AtLeastOne, e: AtLeastOne):
    r"""The second term of Lemma 11, for $e^{\varepsilon p}=e\ge1$ and $\tau=0$, asks for no more than $\frac T8$: with
    $p=s\gamma T$, $s\in[0,1]$ (as $p\le\gamma(T-\tau)$), $(1-\frac e2)\frac p{4\gamma} =(1-\frac e2)\frac{sT}4\le\frac
    T8$."""
    return (1 - e / 2) * share_of_all * T / 4, "<=", T / 8
