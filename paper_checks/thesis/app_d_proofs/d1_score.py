"""Appendix D.1, page 236: the likelihood ratio rewritten and expanded, and the moments of its form."""

from fractions import Fraction

from banditproof.claims.register import claim, item
from banditproof.claims.sets import Count, Inside, Nonnegative, Positive, TwoOrMore
from banditproof.claims.steps import enumerated, fails_at, symbolic
from banditproof.paper_checks.thesis.facts.inference import TargetBit
from banditproof.paper_checks.thesis.facts.moments import BITS, expectation, printed_score, variance
from banditproof.theory import log, to_ball


@claim(
    "MIA-SD.1a",
    symbolic(routes=("densities", "printed prefactor")),
    false={"lost": 2},
    restricted="to the prefactors of the densities",
)
def prefactor_of_the_ratio(k: Nonnegative, lost=1):
    r"""The densities of $\hat\mu_{n,j}$ have the prefactors $\frac n{\sigma_j\sqrt{n-1}}$ and $\frac{\sqrt
    n}{\sigma_j}$, so the ratio has $-\frac12\log(1-\frac{<lost>}n)$ (squares; $n=k+3$)."""
    n = k + 3
    return n**2 / (n - 1) / n, "==", 1 / (1 - lost / n)


@claim(
    "MIA-EQD.1",
    enumerated(n=[2, 10, 1000, 10**6], tau=["1/10", "5"]),
    false={"half": "0.49"},
    restricted="to the first terms; that $d_n$ remainders $o_p(1/n)$ add up to $o_p(1)$ is not part of it",
)
def prefactors_add_up(n: TwoOrMore, tau: Positive, half=Fraction(1, 2)):
    r"""$\sum_{j\le\tau n}-\frac12\log(1-\frac1n)=<half>\tau+o(1)$: within $\tau/n$."""
    return abs(-tau * n / 2 * log(to_ball(1 - Fraction(1, n))) - half * tau), "<=", tau / n


item(
    "MIA-RD.1",
    r"""$X_n=(z^\star-\mu)^\top C_\sigma^{-1}(\hat\mu_n-\mu)-\frac1{2n}\|z^\star-\mu\|^2_{C_\sigma^{-1}}$; since
    $\mathbb V_0(\hat\mu_n)=\mathbb V_1(\hat\mu_n)=C_\sigma$: $\mathbb E_{0,1}[X_n]=\mp\frac1{2n}\|z^\star-\mu\|^2_{
    C_\sigma^{-1}}$, $\mathbb V_0[X_n]=\mathbb V_1[X_n]=\frac1n\|z^\star-\mu\|^2_{C_\sigma^{-1}}$.""",
)


@claim(
    "MIA-RD.1/variance-of-the-mean",
    fails_at(n=2, mu=Fraction(1, 2), rational=True),
    strongest="enumeration",
    slip="A lost factor 1/n: the argument for Lemma D.3 has the variances with it, and so has the line after.",
)
def printed_variance_of_the_mean(n: Count, mu: Inside):
    r"""$\mathbb V_0(\hat\mu_n)=C_\sigma$, for one column of bits with mean $\mu$.

    The variance of the mean of n records is C_sigma/n, and (n - 1)/n^2 C_sigma with the target among them.
    """
    return variance(n, mu, None, lambda x: x), "==", mu * (1 - mu)


@claim(
    "MIA-RD.1/over-n",
    enumerated(n=[2, 5, 20], mu=BITS["mu"], target=[0, 1], rational=True),
    false={"factor": 2},
    role="repair",
    repairs="MIA-RD.1/variance-of-the-mean",
    restricted="to bits",
)
def variances_of_the_mean(n: TwoOrMore, mu: Inside, target: TargetBit, factor=1):
    r"""$\mathbb V_0(\hat\mu_n)=\frac{<factor>}nC_\sigma$ and $\mathbb V_1(\hat\mu_n)=\frac{n-1}{n^2}C_\sigma$."""
    apart = abs(variance(n, mu, None, lambda x: x) - factor * mu * (1 - mu) / n)
    return apart + abs(variance(n, mu, target, lambda x: x) - (n - 1) * mu * (1 - mu) / n**2), "==", 0


@claim("MIA-RD.1/moments", enumerated(**BITS, rational=True), false={"factor": "1.01"}, restricted="to bits")
def moments_of_the_form(n: TwoOrMore, mu: Inside, target: TargetBit, factor=1):
    r"""$-\mathbb E_0[X_n]=\mathbb E_1[X_n]=\frac12\mathbb
    V_0[X_n]=<factor>\,\frac1{2n}\|z^\star-\mu\|^2_{C_\sigma^{-1}}$."""
    score, half = printed_score(mu, target, n), factor * (target - mu) ** 2 / (2 * n * mu * (1 - mu))
    means = abs(expectation(n, mu, None, score) + half) + abs(expectation(n, mu, target, score) - half)
    return means + abs(variance(n, mu, None, score) - 2 * half), "==", 0


@claim(
    "MIA-RD.1/variance-inside",
    fails_at(n=2, mu=Fraction(1, 2), target=1, rational=True),
    strongest="enumeration",
    displayed=True,
)
def printed_variance_inside(n: Count, mu: Inside, target: TargetBit):
    r"""$\mathbb V_1[X_n]=\frac1n\|z^\star-\mu\|^2_{C_\sigma^{-1}}$, for one column of bits with mean $\mu$.

    Of the n records n - 1 vary with the target among them, so the variance is (n - 1)/n times that. The limit, which
    the remark is for, is the same.
    """
    return variance(n, mu, target, printed_score(mu, target, n)), "==", (target - mu) ** 2 / (n * mu * (1 - mu))


@claim(
    "MIA-RD.1/variance-without-the-target",
    enumerated(**BITS, rational=True),
    false={"lost": 2},
    role="repair",
    repairs="MIA-RD.1/variance-inside",
    restricted="to bits",
)
def variance_inside(n: TwoOrMore, mu: Inside, target: TargetBit, lost=1):
    r"""$\mathbb V_1[X_n]=\frac{n-<lost>}{n^2}\|z^\star-\mu\|^2_{C_\sigma^{-1}}$."""
    printed = (n - lost) * (target - mu) ** 2 / (n**2 * mu * (1 - mu))
    return variance(n, mu, target, printed_score(mu, target, n)), "==", printed
