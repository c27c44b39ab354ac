"""Appendices C.2.1, C.2.2 and C.2.5, page 200: concentration of private means, and the optimism of the indices.

Probabilities are exact: a finite sum over the values of a sum of Bernoulli rewards, with the tail of the noise in
closed form, in balls. For delta > 1 the printed widths are not real numbers (or the printed set is empty); whatever is
meant, a probability is at most 1 and the stated bounds are larger, so 1 stands for the probability there.
"""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.claims.sets import domain_of
from banditproof.theory import kl_ucb_index, noisy_sum_tail
from banditproof.theory.laws.index_inverse import largest_mean_with_index_below
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.variables import has_the_law, laplace, mean_of, sum_in

One = Annotated[Any, [1]]


def beyond_both_widths(n: int, mu: Any, epsilon: Any, level: Any, side: str, noise: Any = 1, spread: Any = 1) -> Any:
    """P(noisy mean -+ noise level / (n epsilon) -+ sqrt(spread level / (2n)) beyond mu), level = log(1/delta) >= 0."""
    width = noise * level / epsilon + sqrt(spread * n * level / 2)
    above = noisy_sum_tail(n, 1, mu, epsilon, n * mu + width)
    return above if side == "upper" else noisy_sum_below(n, mu, epsilon, n * mu - width)


def noisy_sum_below(n: int, mu: Any, epsilon: Any, x: Any) -> Any:
    """P(S <= x) for S = n Bernoulli(mu) + Laplace(1/epsilon): n - S is such a sum, with mean 1 - mu."""
    return noisy_sum_tail(n, 1, 1 - mu, epsilon, n - x)


@word
def with_any_noise(joint: Any, average: Any, noise: Any, X: Any, n: Any, scale: Any) -> tuple[Any, Any, Any]:
    """The law of average + noise, where these are, on one space, the mean of n rewards and Lap(scale); and that."""
    return (
        sum_in(joint, average, noise),
        has_the_law(joint, average, mean_of(X, n)),
        has_the_law(joint, noise, laplace(scale)),
    )


def clipped_mean_below(n: int, mu: Any, epsilon: Any, level: Any, point: Any) -> Any:
    """P(clipped private mean <= point), 0 <= point; level = log(1/delta) moves the mean by level / (n epsilon)."""
    return where(point, ">=", 1, 1, lambda: noisy_sum_below(n, mu, epsilon, n * point - level / epsilon))


def index_at_most(n: int, mu: Any, epsilon: Any, level: Any, strict: int) -> Any:
    """P(U_n <= mu), or P(U_n < mu) if `strict`, with level = log(1/delta)."""

    def certain() -> Any:  # the index is below 1 exactly if the clipped mean is
        return noisy_sum_below(n, mu, epsilon, n - level / epsilon)

    def within() -> Any:
        clipped = largest_mean_with_index_below(mu, level / n)
        return clipped_mean_below(n, mu, epsilon, level, clipped)

    def uncertain() -> Any:
        least = where(kl_ucb_index(0, level / n), ">", mu, 0, within)
        return where(mu, "<=", 0, 0, lambda: least) if strict else least

    return where(level, "<", 0, 1, lambda: where(mu, ">=", 1, certain, uncertain) if strict else uncertain())


def index_below_the_mean(n: int, mu: Any, epsilon: Any, delta: Any, strict: int) -> Any:
    at_zero = 0 if strict else where(mu, ">=", 1, 1, 0)  # the level is infinite and the index 1
    return where(delta, "==", 0, at_zero, lambda: index_at_most(n, mu, epsilon, -log(delta), strict))


@claim("ALG-LC.3/claim-1", deduced(), false={"half": "0.49"})
def clipped_mean_is_large(
    n: Count, mu: Probability, epsilon: Positive, delta: Positive, share: Probability, half=Fraction(1, 2)
):
    r"""$\mathbb P(\mu\ge\check\mu_n(\delta)+\alpha)\le e^{-nd(\mu-\alpha,\mu)}+\frac12\delta$ for
    $\alpha=\mathrm{share}\cdot\mu\in[0,\mu]$ and $\delta>0$ (C.5)

    The divergence is evaluated at the same ball as the tail.
    """
    point = mu * (1 - share)
    bound = exp(-n * kl_bernoulli(point, mu)) + half * delta
    return clipped_mean_below(n, mu, epsilon, -log(delta), point), "<=", bound


@claim("ALG-LC.3/claim-2", deduced(), false={"factor": "0.9"})
def private_index_is_optimistic(n: Count, mu: BelowOne, epsilon: Positive, delta: Nonnegative, factor=Fraction(3, 2)):
    r"""$\mathbb P(\mu\ge U_n(\delta))\le\frac32\,\delta$ for $\mu<1$ and $\delta\ge0$ (C.7)"""
    return index_below_the_mean(n, mu, epsilon, delta, 0), "<=", factor * delta


@claim(
    "ALG-LC.3/edge-mean-one",
    fails_at(n=1, mu=1, epsilon=1, delta=Fraction(1, 2)),
    called={r"$\mathbb P(\mu\ge U_n(\delta))$": "left", r"$\frac32\,\delta$": "right"},
)
def index_of_a_certain_arm(n: Count, mu: One, epsilon: Positive, delta: Positive, factor=Fraction(3, 2), strict=0):
    r"""(C.7) at $\mu=1$: $\mathbb P(\mu\ge U_n(\delta))\le\frac32\,\delta$.

    $U_n(\delta)\in[0,1]$ is never above $\mu=1$, so the probability is 1. With $>$ in place of $\ge$ the inequality,
    $\mathbb P(\mu>U_n(\delta))\le\frac32\delta$, holds for every $\mu$. Step (c) of the proof, $d(\check\mu_n,U_n)=
    \frac1n\log\frac1\delta$, fails at $\mu=1$.
    """
    return index_below_the_mean(n, mu, epsilon, delta, strict), "<=", factor * delta


@repaired("ALG-LC.3/claim-2-strict", "ALG-LC.3/edge-mean-one", deduced(), false=[{"factor": "0.9"}, {"strict": 0}])
def private_index_is_strictly_optimistic(mu: Probability, delta: Nonnegative, strict=1):
    r"""$\mathbb P(\mu>U_n(\delta))\le\frac32\,\delta$ for every $\mu\in[0,1]$

    At mu = 1 the index is below 1 only if the clipped mean is below 1, hence if the noise is below -log(1/delta)/(n
    eps).
    """


@claim("ALG-EQC.9/adap-ucb", deduced(), false={"factor": "0.45"}, restricted="to Bernoulli rewards")
def ucb_index(samples: Count, mu: Probability, epsilon: Positive, t: Count, beta: Positive, factor=Fraction(3, 2)):
    r"""AdaP-UCB: $\mathbb P(I_a(t-1,\beta,s)\le\mu_a)\le\frac32\,t^{-\beta}$

    This is (C.3) at delta = t^-beta <= 1.
    """
    level = beta * log(to_ball(t))
    return beyond_both_widths(samples, mu, epsilon, level, "lower"), "<=", factor * exp(-level)


def index_at_a_time(samples: Any, mu: Any, epsilon: Any, t: Any, beta: Any, factor: Any, strict: int) -> Sides:
    level = beta * log(to_ball(t))
    return index_at_most(samples, mu, epsilon, level, strict), "<=", factor * exp(-level)


@claim("ALG-EQC.9/adap-klucb", deduced(), false={"factor": "0.45"})
def klucb_index(samples: Count, mu: BelowOne, epsilon: Positive, t: Count, beta: Positive, factor=Fraction(3, 2)):
    r"""AdaP-KLUCB, $\mu_a<1$: $\mathbb P(I_a(t-1,\beta,s)\le\mu_a)\le\frac32\,t^{-\beta}$; this is (C.7) at
    $\delta=t^{-\beta}$, not (C.3) as printed"""
    return index_at_a_time(samples, mu, epsilon, t, beta, factor, 0)


@claim(
    "ALG-EQC.9/edge-adap-klucb-mean-one",
    fails_at(samples=1, mu=1, epsilon=1, t=3, beta=4),
    cause="ALG-LC.3/edge-mean-one",
    called={
        "$s$": "samples",
        r"$\mu_a$": "mu",
        r"$\mathbb P(I_a^\varepsilon\le\mu_a)$": "left",
        r"$\frac32\,t^{-\beta}$": "right",
    },
)
def klucb_index_of_a_certain_arm(
    samples: Count, mu: One, epsilon: Positive, t: Count, beta: Positive, factor=Fraction(3, 2), strict=0
):
    r"""(C.9) for the index of AdaP-KLUCB at $\mu_a=1$: $\mathbb
    P(I_a^\varepsilon(t-1,\beta,s)\le\mu_a)\le\frac32\,t^{-\beta}$.

    The index lies in $[0,1]$, so it is always at most $\mu_a=1$. With $<$ in place of $\le$ the inequality holds, and
    $<$ is enough for the proof of Theorem C.4.
    """
    return index_at_a_time(samples, mu, epsilon, t, beta, factor, strict)


@repaired("ALG-EQC.9/adap-klucb-strict", "ALG-EQC.9/edge-adap-klucb-mean-one", deduced())
def klucb_index_strictly(mu: Probability, strict=1):
    r"""AdaP-KLUCB, every $\mu_a\in[0,1]$: $\mathbb P(I_a(t-1,\beta,s)<\mu_a)\le\frac32\,t^{-\beta}$, which is enough
    for the proof, because an arm is played only if its index is at least that of the best arm"""


item(
    "ALG-EQC.9",
    r"$\mathbb P(I_a(t-1,\beta,s)\le\mu_a)\le\frac32t^{-\beta}$ for every arm, sample size $s$ and time $t$, for "
    r"AdaP-UCB and for AdaP-KLUCB",
    domain=domain_of(ucb_index),
)
