"""Appendix C.5, page 231: quoted results on privacy, relative entropies and tails.

Most of them occur elsewhere in the documents and are restated here.
"""

from banditproof.claims.register import claim
from banditproof.claims.sets import (
    AboveOne,
    Count,
    EveryBandit,
    EveryBudget,
    EveryFunction,
    EveryLaw,
    EveryPolicy,
    EveryVariable,
    Natural,
    Nonnegative,
    Positive,
    Real,
)
from banditproof.claims.steps import in_kernel
from banditproof.verify.kernel import meanings
from banditproof.verify.kernel.bandits import histories, kl_of_arms_at_most, of_each_arm, pulls_times, rounds_are_kept
from banditproof.verify.kernel.divergences import at_most_kl, kl_at_most, of_every_event, renyi_at_most
from banditproof.verify.kernel.meanings import at_most_by_mean_size, chance, drawn, size, when
from banditproof.verify.kernel.policies import plays_arms
from banditproof.verify.kernel.variables import in_interval, laplace, mean_of
from banditproof.verify.theorems import bandit_divergences as bandit_proofs
from banditproof.verify.theorems import divergences as divergence_proofs
from banditproof.verify.theorems import mechanisms as kernel_proofs
from banditproof.verify.theorems import renyi as renyi_proofs
from banditproof.verify.theorems import tails as tail_proofs
from banditproof.verify.theorems import testing as testing_proofs


@claim("ALG-LC.16/orders-above-one", in_kernel(renyi_proofs.data_processing))
def processing_of_renyi_divergences(P: EveryLaw, Q: EveryLaw, channel: EveryFunction, alpha: AboveOne, most: Real):
    r"""$D_\alpha(f(P)\|f(Q))\le D_\alpha(P\|Q)$ for $\alpha>1$ and every $f$, also a randomised one, for which the
    proofs use it: every upper bound of the right side is an upper bound of the left side"""
    outputs = drawn(channel, P), drawn(channel, Q)
    return when(renyi_at_most(P, Q, alpha, most), then=renyi_at_most(*outputs, alpha, most))


@claim("ALG-LC.16/order-one", in_kernel(divergence_proofs.processed_kl))
def processing_of_relative_entropy(P: EveryLaw, Q: EveryLaw, channel: EveryFunction, most: Real):
    r"""$D_1(f(P)\|f(Q))\le D_1(P\|Q)$, the Kullback-Leibler divergence: every upper bound of the right side is an upper
    bound of the left side"""
    outputs = drawn(channel, P), drawn(channel, Q)
    return when(kl_at_most(P, Q, most), then=kl_at_most(*outputs, most))


@claim("ALG-LC.17", in_kernel(kernel_proofs.markov))
def markov(X: EveryVariable, epsilon: Positive):
    r"""$\mathbb P(|X|\ge\varepsilon)\le\frac{\mathbb E|X|}\varepsilon$, $\varepsilon>0$"""
    return at_most_by_mean_size(chance(lambda x: (epsilon, size(x)), X), X, lambda c: c / epsilon)


@claim("ALG-LC.20", in_kernel(testing_proofs.bretagnolle_huber))
def bretagnolle_huber(P: EveryLaw, Q: EveryLaw, most: Real):
    r"""$\mathbb P(A)+\mathbb Q(A^c)\ge\frac12e^{-D(\mathbb P,\mathbb Q)}$ for every event $A$: every upper bound of
    $D(\mathbb P,\mathbb Q)$ may stand in its place; if it is infinite, the right side is 0"""
    errors = of_every_event(lambda chance: (meanings.exp(-most) / 2, "<=", chance(P) + 1 - chance(Q)))
    return when(kl_at_most(P, Q, most), then=errors)


@claim("ALG-LC.21", in_kernel(testing_proofs.pinsker))
def pinsker(P: EveryLaw, Q: EveryLaw, most: Real):
    r"""$\mathrm{KL}(\mathbb P\|\mathbb Q)\ge2\,\mathrm{TV}(\mathbb P\|\mathbb Q)^2$: every upper bound of the
    divergence is an upper bound of $2(\mathbb P(A)-\mathbb Q(A))^2$ for every event $A$"""

    def twice_the_square(chance):
        apart = chance(P) - chance(Q)
        return 2 * apart * apart, "<=", most

    return when(kl_at_most(P, Q, most), then=of_every_event(twice_the_square))


@claim("ALG-LC.22/upper", in_kernel(tail_proofs.laplace_above))
def upper_tail_of_laplace(scale: Positive, level: Positive):
    r"""$\mathbb P(\mathrm{Lap}(b)>a)=\frac12e^{-a/b}$ for $a,b>0$."""
    return 1 - chance(lambda x: (x, level), laplace(scale)), "==", meanings.exp(-level / scale) / 2


@claim("ALG-LC.22/lower", in_kernel(tail_proofs.laplace_below))
def lower_tail_of_laplace(scale: Positive, level: Positive):
    r"""$\mathbb P(\mathrm{Lap}(b)<-a)=\frac12e^{-a/b}$ for $a,b>0$."""
    return 1 - chance(lambda x: (-x, level), laplace(scale)), "==", meanings.exp(-level / scale) / 2


@claim("ALG-LC.23/upper", in_kernel(tail_proofs.hoeffding_above))
def hoeffding_above(X: EveryVariable, n: Count, centre: Real, beta: Nonnegative):
    r"""i.i.d. $X_i$ in $[0,1]$ of mean $\mu$, $\beta\ge0$: $\mathbb P(\hat\mu_n\ge\mu+\beta)\le e^{-2n\beta^2}$."""
    above = chance(lambda x: (centre + beta, x), mean_of(X, n))
    return when(in_interval(X, 0, 1, centre), then=(above, "<=", meanings.exp(-2 * n * beta * beta)))


@claim("ALG-LC.23/lower", in_kernel(tail_proofs.hoeffding_below))
def hoeffding_below(X: EveryVariable, n: Count, centre: Real, beta: Nonnegative):
    r"""i.i.d. $X_i$ in $[0,1]$ of mean $\mu$, $\beta\ge0$: $\mathbb P(\hat\mu_n\le\mu-\beta)\le e^{-2n\beta^2}$."""
    below = chance(lambda x: (x, centre - beta), mean_of(X, n))
    return when(in_interval(X, 0, 1, centre), then=(below, "<=", meanings.exp(-2 * n * beta * beta)))


@claim("ALG-LC.19/at-most", in_kernel(bandit_proofs.decomposition_at_most))
def divergence_of_histories_at_most(
    pi: EveryPolicy, nu: EveryBandit, nu_prime: EveryBandit, K: Count, T: Natural, cost: EveryBudget
):
    r"""$\mathrm{KL}(\mathbb P_{\nu\pi}\|\mathbb P_{\nu'\pi})\le\sum_a\mathbb E_\nu[N_a(T)]\mathrm{KL}(P_a\|P'_a)$: if
    each divergence of an arm is at most some number, the left side is at most the sum with these numbers; an arm that
    is never played adds nothing"""
    return when(
        plays_arms(pi, K),
        kl_of_arms_at_most(pi, nu, nu_prime, T, K, cost),
        then=kl_at_most(histories(pi, nu, T), histories(pi, nu_prime, T), pulls_times(pi, nu, T, K, cost)),
    )


@claim("ALG-LC.19/at-least", in_kernel(bandit_proofs.decomposition_at_least))
def divergence_of_histories_at_least(
    pi: EveryPolicy, nu: EveryBandit, nu_prime: EveryBandit, K: Count, T: Natural, cost: EveryBudget
):
    r"""$\mathrm{KL}(\mathbb P_{\nu\pi}\|\mathbb P_{\nu'\pi})\ge\sum_a\mathbb E_\nu[N_a(T)]\mathrm{KL}(P_a\|P'_a)$: if
    each divergence of an arm is at least some number, the left side is at least the sum with these numbers, so it is
    infinite if the divergence of an arm that counts is"""
    return when(
        plays_arms(pi, K),
        rounds_are_kept(),
        of_each_arm(K, lambda a: at_most_kl(cost(a), nu(a), nu_prime(a))),
        then=at_most_kl(pulls_times(pi, nu, T, K, cost), histories(pi, nu, T), histories(pi, nu_prime, T)),
    )
