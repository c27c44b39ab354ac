"""Appendix D.4, page 245: the same steps for a misspecified target."""

from fractions import Fraction
from itertools import product

from banditproof.claims.register import claim, item, restate
from banditproof.claims.sets import Inside, TwoOrMore
from banditproof.claims.steps import enumerated, fails_at
from banditproof.paper_checks.thesis.facts.inference import TargetBit
from banditproof.paper_checks.thesis.facts.membership import Vector, squared_length
from banditproof.paper_checks.thesis.facts.moments import BITS, expectation, first_term, printed_score, variance

item(
    "MIA-TD.4",
    r"""(a) $\ell_n(\hat\mu_n;z^{\rm targ},\mu,C_\sigma)\rightsquigarrow\mathcal N(-\frac{m^{\rm targ}}2,m^\star)$ under
    $H_0$, (b) $\mathcal N(\frac{m^\star-m^{\rm diff}}2,m^\star)$ under $H_1$ with $m^{\rm diff}=\lim\frac1n\|z^\star-
    z^{\rm targ}\|^2_{C_\sigma^{-1}}$, and $\lim\mathrm{Adv}_n(\mathcal A_{\rm miss})=\Phi(\frac{|m^{\rm
    scal}|}{2\sqrt{m^{\rm targ}}})-\Phi(-\frac{|m^{\rm scal}|}{2\sqrt{m^{\rm targ}}})$.""",
)
restate("MIA-TD.4/three-values", "MIA-T6.7/three-values", cause="MIA-T6.3/three-values")
restate("MIA-TD.4/bounded-densities", "MIA-T6.7/bounded-densities", role="repair", repairs="MIA-TD.4/three-values")
restate("MIA-TD.4/hypotheses", "MIA-T6.7/hypotheses", role="hypotheses")


@claim(
    "MIA-TD.4/variance-as-printed",
    fails_at(target=[1, 1], assumed=[1, 0], rational=True),
    strongest="enumeration",
    assuming="the score has the variance of its linear form in the limit (MIA-EQ6.4)",
    slip="The variance is m* for m^targ: the proof, and the advantage in the same theorem, have m^targ.",
)
def printed_variance_of_the_misspecified(target: Vector, assumed: Vector):
    r"""(a) The variance of the limit is $m^\star$: for standard normal columns, where that of the score's linear form
    is $\frac1n\|z^{\rm targ}\|^2$ at every $n$, $\|z^{\rm targ}\|^2=\|z^\star\|^2$ (times $n$).

    The score is linear in the output with the coefficients of z^targ, so its variance does not depend on z*. It is
    m^targ, as the proof has it.
    """
    return squared_length(assumed), "==", squared_length(target)


@claim(
    "MIA-TD.4/variance",
    enumerated(**BITS, rational=True),
    false={"factor": "1.01"},
    restricted="to bits, for the linear form of the score",
)
def variance_of_the_misspecified(n: TwoOrMore, mu: Inside, target: TargetBit, factor=1):
    r"""The variance is $<factor>\,m^{\rm targ}$, as in the proof."""
    assumed = printed_score(mu, target, n)
    return variance(n, mu, None, assumed), "==", factor * (target - mu) ** 2 / (n * mu * (1 - mu))


restate("MIA-TD.4/variance-repaired", of="MIA-TD.4/variance", role="repair", repairs="MIA-TD.4/variance-as-printed")
PAIRS = [{"target": [a, b], "assumed": [c, 1]} for a, b, c in product((-3, 0, 2), (1, 5), (-1, 4))]


@claim("MIA-TD.4/mean", enumerated(PAIRS, rational=True, routes=("mean of the form", "printed")), false={"sign": -1})
def mean_of_the_misspecified(target: Vector, assumed: Vector, sign=1):
    r"""(b) $m^{\rm scal}-\frac{m^{\rm targ}}2=\frac{m^\star-<sign>m^{\rm diff}}2$ (for $\mu=0$, $C_\sigma=I$, times
    $n$)."""
    along = sum(a * b for a, b in zip(target, assumed, strict=True))
    apart = squared_length(a - b for a, b in zip(target, assumed, strict=True))
    return 2 * along - squared_length(assumed), "==", squared_length(target) - sign * apart


@claim(
    "MIA-SD.4b",
    enumerated({**BITS, "assumed": [0, 1]}, rational=True),
    false={"factor": "1.2"},
    restricted="to the first term of $Y^{\\rm targ}_{n,j}$, for bits",
)
def moments_of_the_misspecified(n: TwoOrMore, mu: Inside, target: TargetBit, assumed: TargetBit, factor=1, rate=8):
    r"""$\mathbb E_1[Y^{\rm targ}_{n,j}]=-\frac1{2n}+<factor>\frac{(z^\star_j-\mu_j)^2-(z^\star_j-z^{\rm
    targ}_j)^2}{2n\sigma_j^2}$ up to $<rate>(1+\zeta_j^4)/n^2$."""
    spread = mu * (1 - mu)
    mean = expectation(n, mu, target, first_term(mu, assumed, n))
    printed = -Fraction(1, 2 * n) + factor * ((target - mu) ** 2 - (target - assumed) ** 2) / (2 * n * spread)
    largest = max((target - mu) ** 2, (assumed - mu) ** 2) / spread
    return abs(mean - printed), "<=", rate * (1 + largest**2) / n**2


item(
    "MIA-SD.4c",
    r"""$\lim\mathrm{Adv}_n(\mathcal A_{\rm miss})=\Phi(\frac{|m^\star+m^{\rm targ}-m^{\rm
    diff}|}{4\sqrt{m^\star}})-\Phi(- \dots)=\Phi(\frac{|m^{\rm scal}|}{2\sqrt{m^{\rm targ}}})-\Phi(-\dots)$,
    because $m^{\rm diff}=m^\star+m^{\rm targ}-2m^{\rm scal}$.""",
)


@claim(
    "MIA-SD.4c/chain-as-printed",
    fails_at(target=[1, 1], assumed=[1, 0], rational=True),
    strongest="enumeration",
    displayed=True,
    slip="The first root is of m* for m^targ: the lines before and after have m^targ.",
)
def chain_of_the_advantage(target: Vector, assumed: Vector):
    r"""$\frac{|m^\star+m^{\rm targ}-m^{\rm diff}|}{4\sqrt{m^\star}}=\frac{|m^{\rm scal}|}{2\sqrt{m^{\rm targ}}}$
    (squares, cross-multiplied; for $\mu=0$, $C_\sigma=I$, times $n$).

    The first root is that of the variance of the score, which is m^targ and not m*.
    """
    along = sum(a * b for a, b in zip(target, assumed, strict=True))
    return along**2 * squared_length(assumed), "==", along**2 * squared_length(target)


@claim("MIA-SD.4c/chain", enumerated(PAIRS, rational=True), false={"factor": "1.01"})
def chain_with_the_other_root(target: Vector, assumed: Vector, factor=1):
    r"""With $\sqrt{m^{\rm targ}}$ in both: $|m^\star+m^{\rm targ}-m^{\rm diff}|=<factor>\,2|m^{\rm scal}|$."""
    along = sum(a * b for a, b in zip(target, assumed, strict=True))
    apart = squared_length(a - b for a, b in zip(target, assumed, strict=True))
    return abs(squared_length(target) + squared_length(assumed) - apart), "==", factor * 2 * abs(along)


restate("MIA-SD.4c/chain-repaired", of="MIA-SD.4c/chain", role="repair", repairs="MIA-SD.4c/chain-as-printed")

restate(
    "MIA-RD.7",
    "MIA-RD.1/variance-of-the-mean",
    r"""With $\mathbb V_0(\hat\mu_n)=\mathbb V_1(\hat\mu_n)=C_\sigma$ the form of the score has the expectations and
    variances of Theorem 6.7: $\mathbb V_0(\hat\mu_n)=C_\sigma$, for one column of bits with mean $\mu$.""",
    role="item",
)
restate("MIA-RD.7/over-n", "MIA-RD.1/over-n", role="repair", repairs="MIA-RD.7")
