"""Section 6.5.3, page 146: attacking with a misspecified target."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.inference import TargetBit
from banditproof.paper_checks.thesis.facts.membership import column_transform, gamma_transform_at_zero


def misspecified(threshold: Any, aligned: Any, assumed: Any) -> Any:
    """Power minus size of a threshold between N(m_scal - m_targ/2, m_targ) and N(-m_targ/2, m_targ)."""
    width = sqrt(assumed)
    return normal_cdf((threshold + assumed / 2) / width) - normal_cdf((threshold + assumed / 2 - aligned) / width)


@claim(
    "MIA-T6.7/threshold-0",
    fails_at(aligned=Fraction(1, 2), assumed=5),
    role="reading",
    called={
        r"$m^{\rm scal}$": "aligned",
        r"$m^{\rm targ}$": "assumed",
        "the advantage with threshold 0": "left",
        "the printed one": "right",
    },
)
def advantage_with_threshold_0(aligned: Real, assumed: Positive):
    r"""'The adversary that uses the misspecified LR score' with the threshold 0 of the Bayes attacker has the advantage
    $\Phi(\frac{|m^{\rm scal}|}{2\sqrt{m^{\rm targ}}})-\Phi(-\frac{|m^{\rm scal}|}{2\sqrt{m^{\rm targ}}})$ at least.

    This is the advantage of the best threshold, (m_scal - m_targ)/2, which is 0 only if m_scal = m_targ. The theorem
    names no threshold; with the best one it holds (`MIA-T6.7/best-threshold`).
    """
    printed = 2 * normal_cdf(abs(aligned) / (2 * sqrt(assumed))) - 1
    return misspecified(0, aligned, assumed), ">=", printed


@claim(
    "MIA-T6.7/two-values",
    enumerated(n=[20, 80, 320], mu=["1/10", "1/2", "4/5"], target=[0, 1], assumed=[0, 1], p=["1/100", "1/2", "99/100"]),
    role="special case",
    repairs="MIA-T6.7/three-values",
    restricted="to Bernoulli columns with means in $[1/10,9/10]$ and targets in $\\{0,1\\}^d$",
)
def misspecified_on_bits(
    n: Annotated[Any, "integer [20, inf)"],
    mu: Annotated[Any, "[1/10, 9/10]"],
    target: TargetBit,
    assumed: TargetBit,
    p: Inside,
    rate=60,
):
    r"""For columns of bits with means in $[\frac1{10},\frac9{10}]$, $z^\star,z^{\rm targ}\in\{0,1\}^d$ and the best
    threshold the theorem holds.

    Checked as: $n\log\mathbb E_1[e^{p\ell_n}]$ of a column, at $z^{\rm targ}$, is within $60/n$ of $(\zeta\zeta^{\rm
    targ}-\frac12(\zeta^{\rm targ})^2)p+\frac{p^2}2(\zeta^{\rm targ})^2$ for $p\in(0,1)$, as it is for $\mathcal
    N(m^{\rm scal}-\frac{m^{\rm targ}}2,m^{\rm targ})$.

    Exact transforms; without the target it is `MIA-T6.3/bits-out`.
    """
    spread = mu * (1 - mu)
    own, both = (assumed - mu) ** 2 / spread, (assumed - mu) * (target - mu) / spread
    limit = (both - own / 2) * p + p * p / 2 * own
    return abs(n * column_transform(n, mu, target, p, assumed) - limit), "<=", to_ball(rate) / n


@claim(
    "MIA-T6.7/bounded-densities",
    enumerated(n=[20, 80, 320], shape=[1, "5/2", 10], target=[0, "1/4", 1, 5], p=["1/100", "1/2", "99/100"]),
    repairs="MIA-T6.7/three-values",
    restricted="to Gamma columns of shapes in $[1,10]$ with $z^\\star_j\\in[0,5]$ and $z^{\\rm targ}_j=0$",
)
def misspecified_on_regular_columns(
    n: Annotated[Any, "integer [20, inf)"],
    shape: Annotated[Any, "[1, 10]"],
    target: Annotated[Any, "[0, 5]"],
    p: Inside,
    rate=2,
):
    r"""Suppose also that the densities of the standardised columns $\frac{Z_j-\mu_j}{\sigma_j}$, their moments of
    order $4+\delta$, and $\frac{|z^\star_j-\mu_j|}{\sigma_j}$ and $\frac{|z^{\rm targ}_j-\mu_j|}{\sigma_j}$ have a
    bound that does not depend on $j$ and $n$. Then the theorem holds for the best threshold, with the test reversed
    where $m^{\rm scal}<0$.

    Checked as: for Gamma columns and $z^{\rm targ}_j=0$, $n\log\mathbb E_1[e^{p\ell_n}]$ of a column, at $z^{\rm
    targ}$, is within $2(1+\zeta^2+(\zeta^{\rm targ})^2)/n$ of $(\zeta\zeta^{\rm targ}-\frac12(\zeta^{\rm
    targ})^2)p+\frac{p^2}2(\zeta^{\rm targ})^2$ for $p\in(0,1)$, with $\zeta=\frac{z^\star_j-\mu_j}{\sigma_j}$, as it is
    for $\mathcal N(m^{\rm scal}-\frac{m^{\rm targ}}2,m^{\rm targ})$.

    Exact transforms, with Tricomi's function. That the hypothesis suffices for all columns is the argument under
    MIA-T6.3/bounded-densities: both worlds are contiguous, and Le Cam's third lemma shifts the mean of the score by the
    covariance of the two linear terms, m_scal. Without the target it is Theorem 6.3 at z_targ.
    """
    own, both, true = shape, shape - target, (target - shape) ** 2 / shape
    limit = (both - own / 2) * p + p * p / 2 * own
    apart = abs(n * gamma_transform_at_zero(n, shape, target, p) - limit)
    return apart, "<=", to_ball(rate) * (1 + own + true) / n
