"""Section 4: utility with expert advice, exactly in short games and on worst sequences, and where it is vacuous."""

from typing import Any

from banditproof.claims.register import claim
from banditproof.claims.sets import (
    AboveZero,
    Count,
    EveryLaw,
    EveryPolicy,
    Natural,
    Nonnegative,
    Real,
    Sides,
    TwoOrMore,
)
from banditproof.claims.steps import in_kernel
from banditproof.paper_checks.adversarial.studies import worst_losses_study
from banditproof.theory import log, sqrt
from banditproof.verify.kernel.losses import (
    Loss,
    itself,
    losses_with_experts,
    lost,
    lost_after_batches,
    lost_in_batches,
    with_noise,
    worst_regret_at_most,
    worst_regret_with_experts_at_most,
)
from banditproof.verify.kernel.meanings import when
from banditproof.verify.kernel.policies import plays_arms, private_on
from banditproof.verify.kernel.rules import le, lt
from banditproof.verify.kernel.variables import laplace
from banditproof.verify.theorems import batch_privacy as batch_privacy_proofs
from banditproof.verify.theorems import losses as loss_table_proofs


@claim("ADV-T6", in_kernel(loss_table_proofs.experts_as_arms))
def experts_cost_no_more_than_arms(pi: EveryPolicy, T: Natural, N: Count, K: Count, bound: Real):
    r"""For every $\mathcal B$ the worst regret of Algorithm 5 against the experts is at most $\mathrm R_{\mathcal
    B}(T,N)$, for all losses in $[0,1]$ and all advice, whatever the number of actions.

    The experts' random actions, on which nothing else depends, are drawn before the first round; they may have any
    joint law.
    """
    arms = worst_regret_at_most(pi, itself, T, N, bound)
    return when(arms, then=worst_regret_with_experts_at_most(T, N, K, lambda loss: lost(pi, itself, loss, T), bound))


@claim("ADV-T7/in-particular", in_kernel(loss_table_proofs.experts_in_batches(loss_table_proofs.large_reduction)))
def utility_of_large_batches_with_experts(
    pi: EveryPolicy,
    noise: EveryLaw,
    n: Natural,
    m: Natural,
    tau: Count,
    rest: Natural,
    N: Count,
    K: Count,
    epsilon: AboveZero,
    bound: Nonnegative,
):
    r"""For Algorithm 5 around Algorithm 1 with $\tau=\lceil\frac1\varepsilon\rceil$ and noise of any law that does not
    depend on $\tau$, of which $\mathrm{Lap}(1)$ is one: the worst regret against the experts in $T=n\tau+\mathrm{rest}$
    rounds is at most $\frac2\varepsilon\tilde{\mathrm R}_{\mathcal B}(m,N)+\frac2\varepsilon$ for every whole
    $m>\varepsilon T-1$, so with $\varepsilon T$ rounded down or up."""
    heard = with_noise(noise)

    def own(loss: Loss) -> Any:
        after = lost_after_batches(pi, heard, loss, n, tau, rest)
        return lost_in_batches(pi, heard, loss, n, tau) + after

    batch = le(1, tau * epsilon), lt(tau * epsilon, 1 + epsilon), lt(rest, tau)
    given = plays_arms(pi, N), *batch, lt(epsilon * (n * tau + rest), m + 1)
    most = 2 / epsilon * bound + 2 / epsilon
    return when(
        *given,
        worst_regret_at_most(pi, heard, m, N, bound),
        then=worst_regret_with_experts_at_most(n * tau + rest, N, K, own, most),
    )


@claim("ADV-T7/private-with-noise-of-scale-one", in_kernel(batch_privacy_proofs.experts_are_private))
def private_with_experts_and_noise_of_scale_one(
    pi: EveryPolicy, n: Natural, tau: Count, rest: Natural, N: Count, K: Count, epsilon: AboveZero
):
    r"""Algorithm 5 around Algorithm 1 with noise $\mathrm{Lap}(1)$ in the place of
    $\mathrm{Lap}(\frac1{\tau\varepsilon})$ is $\varepsilon$-DP for public advice and $\tau\varepsilon\ge1$, so for
    $\tau=\lceil\frac1\varepsilon\rceil$."""
    both = losses_with_experts(pi, with_noise(laplace(1)), n, tau, rest, N, K)
    return when(plays_arms(pi, N), le(1, tau * epsilon), then=private_on(both, epsilon))


# ------------------------------------------------------------------------------------------------------ exact laws


# --------------------------------------------------------------------------------------------- where they are vacuous


# ---------------------------------------------------------------------------------------------------- worst sequences

LOCAL_RUNS, local_on_worst = worst_losses_study("exp4-local", ["exp4-local"], "1", 200_000)
EXPERT_RUNS, experts_on_worst = worst_losses_study("experts-htinf", ["experts-htinf", "exp3"], "1", 200_000)


@claim(
    "ADV-T9/worst-sequence",
    local_on_worst,
    false={"constant": 1},
    studies=[LOCAL_RUNS],
    restricted="to a stored sequence that a search found, and experts that name an action each",
)
def local_exp4_on_worst_losses(K: TwoOrMore, T: Count, epsilon: AboveZero, constant=16, *, regret=0) -> Sides:
    r"""On a sequence that a search found to be bad, $N=K$, the regret is at most $\frac{16\sqrt{TK\log
    N}\log(KT)}\varepsilon+1$, at a horizon where that is below $T$.

    The check uses one K, one T and one budget. It does not detect wrong powers, nor a constant several times smaller.
    """
    return regret, "<=", constant * sqrt(T * K * log(K)) * log(K * T) / epsilon + 1


@claim(
    "ADV-C8/worst-sequences",
    experts_on_worst,
    false=[{"constant": "1/10"}],
    studies=[EXPERT_RUNS],
    restricted="to stored sequences that a search found, experts that name an action each, and one K, T and epsilon",
)
def htinf_with_experts_on_worst_losses(K: TwoOrMore, T: Count, epsilon: AboveZero, constant=208, *, regret=0) -> Sides:
    r"""On sequences that a search found to be bad, $N=K$, the regret is at most
    $208\sqrt{\frac{TN}\varepsilon}+\frac2\varepsilon$, at a horizon where that is below $T$.

    The regret is far below the bound; the false variants show how small a constant these runs can detect. Runs at one
    horizon cannot test the powers of N, T and epsilon. These follow from Theorem 21, which is cited, by the arithmetic
    at the end of Appendix D.
    """
    return regret, "<=", constant * sqrt(T * K / epsilon) + 2 / epsilon
