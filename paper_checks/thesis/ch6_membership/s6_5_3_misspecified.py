"""Section 6.5.3, page 146: attacking with a misspecified target."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import Inside, Positive, Real, TwoOrMore
from banditproof.claims.steps import enumerated, fails_at
from banditproof.paper_checks.thesis.facts.inference import TargetBit
from banditproof.paper_checks.thesis.facts.membership import (
    POWERS,
    column_transform,
    gamma_sum_is_below,
    gamma_transform_at_zero,
)
from banditproof.theory import sqrt, to_ball
from banditproof.theory.numbers.normal_law import normal_cdf
from banditproof.theory.numbers.numeric import ratio
from banditproof.theory.numbers.special import doublings
from banditproof.theory.privacy.leakage import gaussian_leakage


def misspecified(threshold: Any, aligned: Any, assumed: Any) -> Any:
    """Power minus size of a threshold between N(m_scal - m_targ/2, m_targ) and N(-m_targ/2, m_targ)."""
    width = sqrt(assumed)
    return normal_cdf((threshold + assumed / 2) / width) - normal_cdf((threshold + assumed / 2 - aligned) / width)


@claim("MIA-T6.7/threshold-0", fails_at(aligned=Fraction(1, 2), assumed=5), role="reading")
def advantage_with_threshold_0(aligned: Real, assumed: Positive):
    r"""'The adversary that uses the misspecified LR score' with the threshold 0 of the Bayes attacker has the advantage
    $\Phi(\frac{|m^{\rm scal}|}{2\sqrt{m^{\rm targ}}})-\Phi(-\frac{|m^{\rm scal}|}{2\sqrt{m^{\rm targ}}})$ at least.

    This is the advantage of the best threshold, (m_scal - m_targ)/2, which is 0 only if m_scal = m_targ. The theorem
    names no threshold. Here aligned is m_scal and assumed is m_targ.
    """
    printed = 2 * normal_cdf(abs(aligned) / (2 * sqrt(assumed))) - 1
    return misspecified(0, aligned, assumed), ">=", printed


@claim(
    "MIA-T6.7/off-the-lattice",
    fails_at(score=1, slack=Fraction(1, 4)),
    role="edge",
    assuming="the advantage is 0 for every n: a whole number and one with a half are apart",
    cause="MIA-T6.3/three-values",
    called={
        r"fair bits, $d=n$ and $z_1^{\rm targ}=1/2$, where $m^{\rm scal}=m^{\rm targ}=1$": "score,",
        "slack": "slack",
        "the limit": "left",
        "the advantage and the slack": "right",
    },
)
def assumed_between_the_values(score: Annotated[Any, [1]], slack: Inside):
    r"""The advantage tends to the printed limit also where the assumed target lies between the values of the data.

    The sum of the first column is a whole number in both worlds, which has probability 0 with half a record in it: the
    score is minus infinity in both, and every threshold has advantage 0, for every $n$. Checked for fair bits, $d=n$,
    $z^*\in\{0,1\}^d$ and $z^{\rm targ}=z^*$ but for $z_1^{\rm targ}=\frac12$, so that $m^{\rm scal}=m^{\rm targ}=1$
    (`score`): for large $n$ the advantage 0 would be within any slack of $\Phi(1/2)-\Phi(-1/2)$.
    """
    return gaussian_leakage(score), "<=", 0 + slack


@claim(
    "MIA-T6.7/uneven-columns",
    fails_at(n=64),
    assuming=POWERS,
    cause="MIA-T6.3/uneven-columns",
    called={
        r"normal columns but Gamma ones for $j=1,2,4,\dots$, $d=n$ and $n$": "n",
        "the advantage of a threshold, at least,": "gamma_sum_is_below(n, share + share**2)",
        "the printed limit": "printed",
    },
)
def one_column_gives_the_misspecified_away(n: TwoOrMore, slack=Fraction(1, 4)):
    r"""No threshold on the misspecified score has a larger advantage than $\Phi\big(\frac{|m^{\rm scal}|}{2\sqrt{m^{\rm
    targ}}}\big)-\Phi\big(-\frac{|m^{\rm scal}|}{2\sqrt{m^{\rm targ}}}\big)$ in the limit, for columns that differ in
    any way.

    The score is minus infinity where the sum of column $n$ is less than the target's own value, which never happens
    with the target and nearly always without; low thresholds tell this apart. Checked for normal columns with
    $z_j^*=\mu_j$ and $z_j^{\rm targ}=\mu_j+\sigma_j$, but for $j=1,2,4,\dots$ Gamma columns of shape $j^{-2}$ and scale
    1 with $z_j^{\rm targ}=z_j^*=\mu_j+\sigma_j$, and $d=n$ a power of two, where $m^{\rm scal}=(1+\log_2n)/n$ and
    $m^{\rm targ}=1$: no advantage would be above its limit and 1/4. No expansion holds for all columns at once unless
    their densities and moments have one bound.
    """
    share = to_ball(ratio(1, n))
    printed = gaussian_leakage((share * (1 + doublings(n))) ** 2)
    return gamma_sum_is_below(n, share + share**2) - printed - slack, "<=", 0


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
