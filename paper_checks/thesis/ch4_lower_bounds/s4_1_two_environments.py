r"""Section 4.1, page 78: the two-environment method, and the minimax bound without privacy (Theorem 2.28)."""

from fractions import Fraction
from typing import Any

from banditproof.claims.register import claim
from banditproof.claims.sets import (
    Count,
    EveryBandit,
    EveryFamily,
    EveryFunction,
    EveryPolicy,
    Natural,
    Policy,
    Positive,
    Probability,
    Real,
)
from banditproof.claims.steps import deduced, enumerated, in_kernel
from banditproof.paper_checks.shared.policies import Prime, at_primes, in_the_logarithm
from banditproof.paper_checks.shared.two_environments import (
    action_law,
    bernoulli_laws,
    expected_count,
    few_first,
    histories,
    marginal_entropy,
    means,
    regret,
)
from banditproof.paper_checks.thesis.facts.counted_plays import (
    actions,
    few_plays,
    first_is_good,
    of_plays,
    one_is_better,
)
from banditproof.paper_checks.thesis.facts.counted_plays import regret as regret_of_counts
from banditproof.paper_checks.thesis.facts.environments import Gap
from banditproof.theory import exp, kl_bernoulli, to_ball
from banditproof.theory.numbers.term import quantity
from banditproof.verify.finite.coupled_play import relative_entropy
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

GAPS = ["1/10", "1/4", "2/5"]
POLICIES: list[list[Any]] = [
    *(["random", seed, horizon, arms] for seed in range(3) for horizon, arms in ((1, 2), (3, 2), (4, 2), (3, 3))),
    *(["response", Fraction(9), horizon, arms] for horizon, arms in ((4, 2), (4, 3))),
]
ON_POLICIES = enumerated(
    policy=POLICIES,
    gap=GAPS,
    covers={"policy": f"all: {len(POLICIES)} finite policies with Bernoulli arms", "gap": GAPS},
    rational=True,
)


def environments(policy: Any, gap: Any) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    return means(policy[3], gap, False), means(policy[3], gap, True)


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


def _law(policy: Any, gap: Any, raised: bool) -> tuple[Any, tuple[Fraction, ...]]:
    """The law of histories, and the means, in the first environment or in the one with the last arm raised."""
    values = environments(policy, Fraction(gap))[raised]
    return histories(policy, values), values


@quantity
def regret_in_the_first(policy: Any, gap: Any) -> Fraction:
    """Reg_T in the environment mu."""
    return regret(*_law(policy, gap, False))


@quantity
def regret_in_the_second(policy: Any, gap: Any) -> Fraction:
    """Reg_T in the environment mu'."""
    return regret(*_law(policy, gap, True))


def _few_first(policy: Any, gap: Any, raised: bool) -> Fraction:
    law = action_law(_law(policy, gap, raised)[0])
    return sum((weight for actions, weight in law.items() if few_first(actions)), Fraction(0))


@quantity
def chance_of_few_in_the_first(policy: Any, gap: Any) -> Fraction:
    """M_mu(A): arm 1 is played at most T/2 times."""
    return _few_first(policy, gap, False)


@quantity
def chance_of_many_in_the_second(policy: Any, gap: Any) -> Fraction:
    """M_mu'(A^c)."""
    return 1 - _few_first(policy, gap, True)


@quantity
def rounds_in_environments(policy: Any) -> int:
    """T."""
    return policy[2]


@quantity
def divergence_of_action_laws(policy: Any, gap: Any) -> Any:
    """D_KL(M_mu || M_mu')."""
    return marginal_entropy(policy, *environments(policy, Fraction(gap)))


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


@claim("TH-S4.1b/sum-of-regrets-of-finite-policies", ON_POLICIES, role="implication")
def sum_of_regrets_in_both(policy: Policy, gap: Gap):
    r"""$\mathrm{Reg}_T(\nu_\mu)+\mathrm{Reg}_T(\nu_{\mu'})\ge \frac14\,T\Delta\,e^{-D_{\mathrm{KL}}(\mathbb
    M_\mu\|\mathbb M_{\mu'})}$ (exact laws of finite policies).

    For these policies the bound holds with every factor up to 1.
    """
    bound = rounds_in_environments(policy) * gap * exp(-divergence_of_action_laws(policy, gap)) / 4
    return regret_in_the_first(policy, gap) + regret_in_the_second(policy, gap), ">=", bound


@claim("TH-S4.1b/markov-on-policies", in_kernel(count_proofs.markov_in_the_first))
def markov_of_every_policy(pi: EveryPolicy, N: EveryFamily, T: Natural, K: Count, gap: Positive):
    r"""$\mathrm{Reg}_T(\nu_\mu)\ge\mathbb M_\mu(A)\,\frac12\,T\Delta$ for every policy and all laws of rewards."""
    means = first_is_good(gap)
    law = actions(pi, N, means, T)
    lost = regret_of_counts(law, gap, means, T, K)
    return of_plays(pi, T, K, then=le(few_plays(law, 0, T) * T * gap / 2, lost))


@claim("TH-S4.1b/markov-on-finite-policies", ON_POLICIES, role="implication")
def markov_in_the_first(policy: Policy, gap: Gap):
    r"""$\mathrm{Reg}_T(\nu_\mu)\ge\mathbb M_\mu(A)\,\frac12\,T\Delta$."""
    paid = chance_of_few_in_the_first(policy, gap) * rounds_in_environments(policy) * gap / 2
    return regret_in_the_first(policy, gap), ">=", paid


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


@claim("TH-S4.1b/markov-on-finite-policies-in-the-second", ON_POLICIES, role="implication")
def markov_in_the_second(policy: Policy, gap: Gap):
    r"""$\mathrm{Reg}_T(\nu_{\mu'})\ge\mathbb M_{\mu'}(A^c)\,\frac12\,T\Delta$."""
    paid = chance_of_many_in_the_second(policy, gap) * rounds_in_environments(policy) * gap / 2
    return regret_in_the_second(policy, gap), ">=", paid


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


def history_terms(policy: Any, gap: Any) -> list[tuple[Fraction, Fraction]]:
    """What sums up to the divergence of the laws of the histories."""
    before, after = (histories(policy, side) for side in environments(policy, Fraction(gap)))
    return [(weight, weight / after[history]) for history, weight in before.items()]


def pull_terms(policy: Any, gap: Any) -> list[tuple[Fraction, Fraction]]:
    """What sums up to the divergences of the arms, each times its expected pulls."""
    first, second = environments(policy, Fraction(gap))
    before = histories(policy, first)
    return [
        (expected_count(before, arm) * chance, chance / q[reward])
        for arm, (p, q) in enumerate(zip(bernoulli_laws(first), bernoulli_laws(second), strict=True))
        for reward, chance in p.items()
    ]


@quantity
def histories_in_the_logarithm(prime: int, policy: Any, gap: Any) -> Fraction:
    """The coefficient of log prime in the divergence of the laws of the histories."""
    return in_the_logarithm(prime, history_terms(policy, gap))


@quantity
def pulls_in_the_logarithm(prime: int, policy: Any, gap: Any) -> Fraction:
    """The coefficient of log prime in the divergences of the arms, each times its expected pulls."""
    return in_the_logarithm(prime, pull_terms(policy, gap))


def policies_and_gaps() -> list[dict[str, Any]]:
    return [{"policy": policy, "gap": Fraction(gap)} for policy in POLICIES for gap in GAPS]


@claim(
    "TH-S4.1c/decomposition-of-finite-policies",
    at_primes(policies_and_gaps, history_terms, pull_terms),
    false={"factor": "0.99"},
    role="implication",
)
def kl_decomposition(policy: Policy, gap: Gap, prime: Prime, factor=1):
    r"""$D_{\mathrm{KL}}(\mathbb P_\mu\|\mathbb P_{\mu'})=\sum_a\mathbb E_\mu[N_a(T)]D_{\mathrm{KL}}(P_a\|P'_a)$,
    exactly.

    Both are compared in the logarithm of every prime: one from the likelihood ratios of histories, the other from pulls
    times divergences.
    """
    return histories_in_the_logarithm(prime, policy, gap), "==", factor * pulls_in_the_logarithm(prime, policy, gap)


@claim("TH-S4.1c/actions-of-finite-policies", ON_POLICIES, false={"factor": "1/100"}, role="implication")
def data_processing(policy: Policy, gap: Gap, factor=1):
    r"""$D_{\mathrm{KL}}(\mathbb M_\mu\|\mathbb M_{\mu'})\le D_{\mathrm{KL}}(\mathbb P_\mu\|\mathbb P_{\mu'})$ (up to
    $2^{-40}$ in the computation).

    The two are equal if the rewards determine every action.

    For these policies a factor of 1/2 would be enough as well.
    """
    first, second = environments(policy, gap)
    whole = relative_entropy(histories(policy, first), histories(policy, second))
    return marginal_entropy(policy, first, second), "<=", to_ball(factor) * whole + to_ball(Fraction(1, 2**40))
