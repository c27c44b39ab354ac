"""Section 6.6, page 148: the table of leakage scores and the targets of the experiments."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.theory.privacy.leakage import sampled_power

Share = Annotated[Any, "(0, 1]"]


@claim(
    "MIA-E6.6/sampling",
    fails_at(alpha=Fraction(1, 1000), score=5, ratio=Fraction(1, 2), more=1),
    where=["more >= ratio"],
    assuming="""that the output is a mixture, for every n: MIA-D6.5.2 shows it exactly on finite games; and that
    Corollary 6.4 holds for the rows that are drawn""",
)
def power_decreases_with_the_ratio(alpha: Inside, score: Positive, ratio: Inside, more: Share):
    r"""The power of the LR test at level $\alpha$ decreases, at every $\alpha$, with a decrease in the sub-sampling
    ratio: at $\rho=\text{ratio}$ it is at most that at $\rho=\text{more}$, where the limit is
    $(1-\rho)\alpha+\rho\,\Phi(\Phi^{-1}(\alpha)+\sqrt{m^\star/\rho})$.

    At small levels the power increases: the mean of fewer rows reveals a target that is among them much better, and an
    attack with a very small level uses these games only. At levels from Phi(-2), about 2.3 percent, on the power
    decreases. By Theorem 6.6 as printed it would decrease at every level. Here score is m*; 5 is that of a medium
    point.
    """
    return sampled_power(alpha, score, ratio), "<=", sampled_power(alpha, score, more)


@claim(
    "MIA-E6.6/sampling-at-larger-levels",
    enumerated(quantile=["-2", "-1", "0", "2"], score=["1/10", "1", "5", "20"], ratio=["1/20", "1/2"], more=["3/5", 1]),
    where=["more >= ratio"],
    repairs="MIA-E6.6/sampling",
)
def power_decreases_at_larger_levels(
    quantile: Annotated[Any, "[-2, inf)"], score: Positive, ratio: Inside, more: Share
):
    r"""At levels $\alpha=\Phi(q)$ with $q\ge-2$ (moved by $0$), that is $\alpha\ge0.023$, the power
    $(1-\rho)\alpha+\rho\,\Phi(\Phi^{-1}(\alpha)+\sqrt{m^\star/\rho})$ decreases with a decrease in $\rho$.

    With s = m*/rho it is alpha + m* (G(s) - G(0))/s for G(s) = Phi(q + sqrt(s)), and G is concave where
    s + q sqrt(s) + 1 >= 0, which is everywhere for q >= -2.
    """
    alpha = normal_cdf(to_ball(quantile))
    return sampled_power(alpha, score, ratio), "<=", sampled_power(alpha, score, more)
