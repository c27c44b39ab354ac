"""Section 2.2.4, page 26: subgaussian variables, Chernoff's tail, and how they scale and add up."""

from fractions import Fraction

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.ch2_bandits.facts import moment_bound


@claim("TH-L2.21/gaussian", deduced(), false={"half": "0.55"}, role="remark")
def gaussian_tails(epsilon: Nonnegative, sigma: Positive, half=Fraction(1, 2)):
    r"""A Gaussian $X\sim\mathcal N(0,\sigma^2)$ has $\Pr(X\ge\varepsilon)\le e^{-\frac12\varepsilon^2/\sigma^2}$, by
    its exact tail."""
    return normal_cdf(-epsilon / sigma), "<=", exp(-half * epsilon**2 / sigma**2)


@claim(
    "TH-L2.22/sum-of-bounds",
    tried_at(lam=1, sigma_1=1, sigma_2=1),
    argued("e^(lam (X + Y)) is a product of independent factors, whose expectations multiply"),
    false={"power": 3},
    role="step",
)
def sums(lam: Real, sigma_1: Positive, sigma_2: Positive, power=2):
    r"""(2) the sum of independent $\sigma_1$- and $\sigma_2$-subgaussian variables is
    $(\sigma_1^{2}+\sigma_2^{2})^{1/2}$-subgaussian: moments multiply.

    E e^(lam (X + Y)) = E e^(lam X) E e^(lam Y), so the exponents of the bounds add up.
    """
    total = moment_bound(lam, sigma_1) + moment_bound(lam, sigma_2)
    together = sigma_1**2 + sigma_2**2 if power == 2 else exp(2 * log(sigma_1**power + sigma_2**power) / power)
    return total, "==", lam**2 * together / 2


@claim(
    "TH-L2.22/chord",
    tried_at(low=0, width=Fraction(1, 10), share=Fraction(1, 2)),
    argued(
        "the expectation of the chord of e^(lam x) over [a, b] at mean zero is the moment of the two values a and b"
    ),
    false={"weight": "1.01"},
    role="step",
)
def bounded_variables(low: Real, width: Nonnegative, share: BelowOne, weight=1):
    r"""(3) $X\in[a,b]$ of mean zero is $\frac{b-a}2$-subgaussian: $e^{\lambda x}$ lies below its chord
    ($e^{(1-\theta)u+\theta v}\le(1-\theta)e^u+\theta e^v$), and the two values $a,b$ are an instance.

    e^t at t = low + share width is compared with the chord of e^t over [low, low + width], and both are divided by e^t.
    """
    above, below = exp((1 - share) * width), exp(-share * width)
    return weight, "<=", (1 - share) * below + share * above + 0 * low
