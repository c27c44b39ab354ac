"""Section 6.6, page 148: the table of leakage scores and the targets of the experiments."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import Inside, Positive
from banditproof.claims.steps import enumerated
from banditproof.theory import to_ball
from banditproof.theory.numbers.normal_law import normal_cdf
from banditproof.theory.privacy.leakage import sampled_power

Share = Annotated[Any, "(0, 1]"]


def squared_distance(bit: Any, p: Any) -> Any:
    return (bit - p) ** 2 / (p * (1 - p))


PARAMETERS = [Fraction(k, 24) for k in range(1, 24)]


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
