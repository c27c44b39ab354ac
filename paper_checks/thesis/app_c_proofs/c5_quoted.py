"""Appendix C.5, page 231: quoted results on privacy, relative entropies and tails.

Most of them occur elsewhere in the documents and are restated here.
"""

from fractions import Fraction
from itertools import permutations
from typing import Any

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
    Inside,
    Natural,
    Nonnegative,
    Positive,
    Probability,
    Real,
)
from banditproof.claims.steps import deduced, enumerated, in_kernel, tried_at
from banditproof.paper_checks.thesis.facts.episodes import binomial_mass
from banditproof.theory import exp, kl_bernoulli, where
from banditproof.theory.numbers.term import total
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


def on_the_square(*names: str) -> Any:
    """Points of the closed square and its ends, of different numbers: with equal ones both sides may be equal."""
    values = map(Fraction, ("0", "1/4", "1/2", "3/4", "1"))
    points = [dict(zip(names, chosen, strict=True)) for chosen in permutations(values, len(names))]
    return enumerated(lambda check: [p for p in points if check.domain.contains(p)])


@claim("ALG-LC.25/convex-in-the-first", on_the_square("x", "y", "q", "share"), deduced())
def convex_in_the_first(x: Probability, y: Probability, q: Probability, share: Inside):
    r"""$d(\cdot,q)$ is convex on $[0,1]$: $d((1-s)x+sy,q)\le(1-s)d(x,q)+sd(y,q)$, for all $q\in[0,1]$"""
    between = kl_bernoulli((1 - share) * x + share * y, q)
    return between, "<=", (1 - share) * kl_bernoulli(x, q) + share * kl_bernoulli(y, q)


@claim("ALG-LC.25/convex-in-the-second", on_the_square("p", "x", "y", "share"), deduced())
def convex_in_the_second(p: Probability, x: Probability, y: Probability, share: Inside):
    r"""$d(p,\cdot)$ is convex on $[0,1]$: $d(p,(1-s)x+sy)\le(1-s)d(p,x)+sd(p,y)$, for all $p\in[0,1]$"""
    between = kl_bernoulli(p, (1 - share) * x + share * y)
    return between, "<=", (1 - share) * kl_bernoulli(p, x) + share * kl_bernoulli(p, y)


@claim("ALG-LC.25/unique-minimisers", on_the_square("p", "q"), deduced())
def only_equal_means_cost_nothing(p: Probability, q: Probability):
    r"""$d(p,q)>0=d(q,q)$ for $p\ne q$: the minimisers are $q$ and $p$, and there is no other"""
    return where(p, "==", q, 1, lambda: kl_bernoulli(p, q)), ">", 0


ORDER = ["p <= x", "x <= y"]


@claim("ALG-LC.25/rising-in-the-second", on_the_square("p", "x", "y"), deduced(), false={"factor": "1.1"}, where=ORDER)
def second_argument_rises(p: Probability, x: Probability, y: Probability, factor=1):
    r"""$d(p,\cdot)$ rises on $[p,1]$: $d(p,x)\le d(p,y)$ for $p\le x\le y$ (as $e^{-d}$, for values may be infinite)"""
    return exp(-kl_bernoulli(p, y)), "<=", exp(-factor * kl_bernoulli(p, x))


@claim("ALG-LC.25/rising-in-the-first", on_the_square("p", "x", "y"), deduced(), false={"factor": "1.1"}, where=ORDER)
def first_argument_rises(p: Probability, x: Probability, y: Probability, factor=1):
    r"""$d(\cdot,p)$ rises on $[p,1]$: $d(x,p)\le d(y,p)$ for $p\le x\le y$"""
    return exp(-kl_bernoulli(y, p)), "<=", exp(-factor * kl_bernoulli(x, p))


@claim("ALG-LC.25/falling-in-the-second", on_the_square("p", "x", "y"), deduced(), false={"factor": "1.1"}, where=ORDER)
def second_argument_falls(p: Probability, x: Probability, y: Probability, factor=1):
    r"""$d(q,\cdot)$ falls on $[0,q]$: $d(q,1-x)\le d(q,1-y)$ for $1-y\le1-x\le q$, with $q=1-p$"""
    return exp(-kl_bernoulli(1 - p, 1 - y)), "<=", exp(-factor * kl_bernoulli(1 - p, 1 - x))


@claim("ALG-LC.25/falling-in-the-first", on_the_square("p", "x", "y"), deduced(), false={"factor": "1.1"}, where=ORDER)
def first_argument_falls(p: Probability, x: Probability, y: Probability, factor=1):
    r"""$d(\cdot,q)$ falls on $[0,q]$: $d(1-x,q)\le d(1-y,q)$ for $1-y\le1-x\le q$, with $q=1-p$"""
    return exp(-kl_bernoulli(1 - y, 1 - p)), "<=", exp(-factor * kl_bernoulli(1 - x, 1 - p))


def at_shares(side: int) -> Any:
    """Means at both ends and between them, and shares between the mean and the end, where both sides would be equal."""
    inside = [Fraction(text) for text in ("1/10", "1/3", "1/2", "9/10")]
    pairs = [(mean, x) for mean in (Fraction(0), *inside, Fraction(1)) for x in inside if side * (x - mean) >= 0]
    points = [{"n": n, "mu": mean, "x": x} for n in (1, 2, 7, 20) for mean, x in pairs]
    return enumerated(points, routes=("binomial tail", "e^(-n d), in balls"))


@claim(
    "ALG-LC.26/upper",
    tried_at(n=300, mu="1/2", x="9/10"),
    at_shares(1),
    deduced(),
    false={"rate": "1.1"},
    where=["mu <= x"],
)
def chernoff_above(n: Count, mu: Probability, x: Probability, rate=1):
    r"""(C.28): $\mathbb P(\hat\mu_n\ge\mu+\beta)\le e^{-nd(\mu+\beta,\mu)}$ for $\beta\in[0,1-\mu]$, with
    $x=\mu+\beta$"""
    tail = total(lambda k: binomial_mass(n, k, mu) * where(k, ">=", n * x, 1, 0), 0, n)
    return tail, "<=", exp(-rate * n * kl_bernoulli(x, mu))


@claim(
    "ALG-LC.26/lower",
    tried_at(n=300, mu="1/2", x="1/10"),
    at_shares(-1),
    deduced(),
    false={"rate": "1.1"},
    where=["x <= mu"],
)
def chernoff_below(n: Count, mu: Probability, x: Probability, rate=1):
    r"""(C.29): $\mathbb P(\hat\mu_n\le\mu-\beta)\le e^{-nd(\mu-\beta,\mu)}$ for $\beta\in[0,\mu]$, with
    $x=\mu-\beta$"""
    tail = total(lambda k: binomial_mass(n, k, mu) * where(k, "<=", n * x, 1, 0), 0, n)
    return tail, "<=", exp(-rate * n * kl_bernoulli(x, mu))


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
