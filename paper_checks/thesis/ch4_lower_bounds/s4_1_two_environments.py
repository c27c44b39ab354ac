r"""Section 4.1, page 78: the two-environment method, and the minimax bound without privacy (Theorem 2.28)."""

from fractions import Fraction

from banditproof.claims.register import claim
from banditproof.claims.sets import (
    Count,
    EveryBandit,
    EveryFamily,
    EveryFunction,
    EveryPolicy,
    Natural,
    Positive,
    Probability,
    Real,
)
from banditproof.claims.steps import deduced, enumerated, in_kernel
from banditproof.paper_checks.thesis.facts.counted_plays import (
    actions,
    few_plays,
    first_is_good,
    of_plays,
    one_is_better,
)
from banditproof.paper_checks.thesis.facts.counted_plays import regret as regret_of_counts
from banditproof.theory import exp, kl_bernoulli
from banditproof.verify.kernel.bandits import (
    arm_is_better,
    first_arm_is_good,
    half_squares,
    least_played,
    pulls,
    whatever_arms_cost,
)
from banditproof.verify.kernel.bandits import histories as run_law
from banditproof.verify.kernel.divergences import kl_at_most
from banditproof.verify.kernel.meanings import drawn, when
from banditproof.verify.kernel.meanings import exp as e_to
from banditproof.verify.kernel.policies import plays_arms
from banditproof.verify.kernel.rules import le, lt
from banditproof.verify.theorems import bandit_divergences as bandit_proofs
from banditproof.verify.theorems import counts as count_proofs
from banditproof.verify.theorems import minimax as minimax_proofs


@claim("TH-S4.1a/least-explored", in_kernel(minimax_proofs.least_is_seldom))
def least_explored_of_every_policy(pi: EveryPolicy, nu: EveryBandit, T: Natural, rest: Count, arm: Natural):
    r"""$\mathbb E_\mu[N_i(T)]\le\frac T{K-1}$ for $i=\arg\min_{a>1}\mathbb E_\mu[N_a(T)]$, with $K-1$ arms beside
    the first, on every bandit."""
    known = plays_arms(pi, rest + 1), least_played(pi, nu, arm, T, rest + 1)
    return when(*known, then=(pulls(pi, nu, arm, T), "<=", T / rest))


EIGHTHS = [Fraction(n, 8) for n in range(9)]


@claim(
    "TH-S4.1b/bretagnolle-huber-certain-events",
    enumerated([{"p": p, "q": q} for p in EIGHTHS for q in EIGHTHS if p in (0, 1) or q in (0, 1)]),
    deduced(),
    false={"factor": "1.01"},
    where=["p*q*(1-p)*(1-q) == 0"],
    role="edge",
)
def certain_events(p: Probability, q: Probability, factor=Fraction(1, 2)):
    r"""Bretagnolle-Huber, for any event: $\mathbb M_\mu(A)+\mathbb M_{\mu'}(A^c)\ge \frac12\,e^{-D_{\mathrm{KL}}}$,
    where one of the probabilities is 0 or 1.

    For p = 0, 1 - q >= (1 - q)/2; for p = 1, 2 - q >= q/2; for q in {0, 1} and other p the right side is 0.
    """
    return p + 1 - q, ">=", factor * exp(-kl_bernoulli(p, q))


@claim("TH-S4.1b/sum-of-regrets", in_kernel(count_proofs.sum_of_two_regrets))
def sum_of_regrets(pi: EveryPolicy, N: EveryFamily, T: Natural, K: Count, arm: Natural, gap: Positive, most: Real):
    r"""$\mathrm{Reg}_T(\nu_\mu)+\mathrm{Reg}_T(\nu_{\mu'})\ge \frac14\,T\Delta\,e^{-D_{\mathrm{KL}}(\mathbb
    M_\mu\|\mathbb M_{\mu'})}$ for every policy, all laws of rewards with these means and every arm $i>1$.

    `most` is any upper bound of the divergence, so the divergence itself; where it is infinite the right side is 0.
    """
    means = first_is_good(gap), one_is_better(gap, arm)
    laws = [actions(pi, N, of, T) for of in means]
    regrets = regret_of_counts(laws[0], gap, means[0], T, K) + regret_of_counts(laws[1], 2 * gap, means[1], T, K)
    known = lt(0, arm), kl_at_most(laws[0], laws[1], most)
    return of_plays(pi, T, K, *known, then=le(T * gap / 4 * e_to(-most), regrets))


@claim("TH-S4.1b/markov-on-policies", in_kernel(count_proofs.markov_in_the_first))
def markov_of_every_policy(pi: EveryPolicy, N: EveryFamily, T: Natural, K: Count, gap: Positive):
    r"""$\mathrm{Reg}_T(\nu_\mu)\ge\mathbb M_\mu(A)\,\frac12\,T\Delta$ for every policy and all laws of rewards."""
    means = first_is_good(gap)
    law = actions(pi, N, means, T)
    lost = regret_of_counts(law, gap, means, T, K)
    return of_plays(pi, T, K, then=le(few_plays(law, 0, T) * T * gap / 2, lost))


@claim("TH-S4.1b/markov-on-policies-in-the-second", in_kernel(count_proofs.markov_in_the_second))
def markov_of_every_policy_in_the_second(
    pi: EveryPolicy, N: EveryFamily, T: Natural, K: Count, arm: Natural, gap: Positive
):
    r"""$\mathrm{Reg}_T(\nu_{\mu'})\ge\mathbb M_{\mu'}(A^c)\,\frac12\,T\Delta$ for every policy, all laws of rewards and
    every arm $i>1$."""
    means = one_is_better(gap, arm)
    law = actions(pi, N, means, T)
    lost = regret_of_counts(law, 2 * gap, means, T, K)
    many = 1 - few_plays(law, 0, T)
    return of_plays(pi, T, K, lt(0, arm), then=le(many * T * gap / 2, lost))


@claim("TH-S4.1c/bound", in_kernel(minimax_proofs.rarely_played), rests_on=["TH-S4.1c/gaussian-divergence"])
def divergence_of_the_environments(pi: EveryPolicy, N: EveryFamily, T: Natural, rest: Count, arm: Natural, gap: Real):
    r"""$D_{\mathrm{KL}}(\mathbb P_\mu\|\mathbb P_{\mu'})\le\frac{2T\Delta^2}{K-1}$ for
    $i=\arg\min_{a>1}\mathbb E_\mu[N_a(T)]$, laws with $D_{\mathrm{KL}}(\mathcal N(s,1)\|\mathcal
    N(t,1))\le\frac12(s-t)^2$, and $K-1$ arms beside the first.

    That Gaussian laws have this divergence is a known formula, which is not derived from their densities here.
    """
    first, second = first_arm_is_good(N, gap), arm_is_better(N, gap, arm)
    known = plays_arms(pi, rest + 1), half_squares(N), least_played(pi, first, arm, T, rest + 1), le(arm, rest)
    laws = run_law(pi, first, T), run_law(pi, second, T)
    return when(*known, then=kl_at_most(*laws, 2 * T * gap * gap / rest))


@claim("TH-S4.1c/by-arms", in_kernel(minimax_proofs.costs_by_arms))
def costs_by_arms(pi: EveryPolicy, nu: EveryBandit, K: Count, T: Natural):
    r"""$\mathbb E_\mu[\sum_tD_{\mathrm{KL}}(P_{a_t}\|P'_{a_t})]=\sum_a\mathbb E_\mu[N_a(T)]D_{\mathrm{KL}}(P_a\|P'_a)$,
    for the divergences of the arms or any other numbers."""
    return when(plays_arms(pi, K), then=whatever_arms_cost(pi, nu, T, K))


@claim("TH-S4.1c/data-processing", in_kernel(bandit_proofs.actions_of_histories))
def actions_of_histories(
    pi: EveryPolicy, nu: EveryBandit, nu_prime: EveryBandit, T: Natural, channel: EveryFunction, most: Real
):
    r"""$D_{\mathrm{KL}}(\mathbb M_\mu\|\mathbb M_{\mu'})\le D_{\mathrm{KL}}(\mathbb P_\mu\|\mathbb P_{\mu'})$: every
    upper bound of the right side is an upper bound of the left side, for everything that is computed from a history,
    such as its sequence of actions."""
    before = run_law(pi, nu, T), run_law(pi, nu_prime, T)
    after = drawn(channel, before[0]), drawn(channel, before[1])
    return when(kl_at_most(*before, most), then=kl_at_most(*after, most))
