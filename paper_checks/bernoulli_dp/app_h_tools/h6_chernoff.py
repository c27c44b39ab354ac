"""Appendix H: the Chernoff bound in divergence form (BDP-LH.6) and the maximal inequality (BDP-LH.7)."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.meanings import for_each, formula, sum_of
from banditproof.verify.kernel.variables import coin, sum_of_all


@word
def of_coins(p: Any, n: Any) -> tuple[Any, Any, tuple[Any, Any]]:
    """The sum of the chances, the law of the sum of the coins, and that chances are in [0, 1]."""
    chances = for_each(n, lambda i: formula((0, "<=", p(i)))), for_each(n, lambda i: formula((p(i), "<=", 1)))
    return sum_of(p, n), sum_of_all(lambda i: coin(p(i)), n), chances


@quantity
def limit_of_the_low_maximum(law: str, mean: Fraction, epsilon: Fraction) -> Fraction:
    """lim P[max over s <= n of X_1 + ... + X_s <= (1 + epsilon) mean n], exactly.

    The variables are 'all equal' to one Bernoulli(mean) variable, so that nothing depends on n.
    """
    if law != "all equal":
        raise InvalidInput("law", law, "'all equal'")
    return Fraction(1 if 1 <= (1 + epsilon) * mean else 1 - mean)


@claim(
    "BDP-LH.7/any-dependence",
    fails_at(law="all equal", mean=Fraction(1, 2), epsilon=Fraction(1, 2), rational=True),
    slip="The lemma does not say that the variables are independent; Appendix C uses it for i.i.d. variables alone.",
    called={
        r"$X_i$ that all show the same coin": "law",
        r"$\mu$": "mean",
        r"$\epsilon$": "epsilon",
        r"$\lim_n\Pr[\max_{s\le n}\sum_{i\le s}X_i\le(1+\epsilon)\mu n]$": "left",
    },
)
def maximal_inequality(
    law: Annotated[Any, "all: every sequence of variables with the common mean and sub-Gaussian deviations"],
    mean: Positive,
    epsilon: Positive,
):
    r"""For every sequence of $X_i$ of mean $\mu>0$ for which $X_i-\mu$ is $\sigma$-sub-Gaussian, as the lemma assumes
    no more, and every $\epsilon>0$: $\lim_n\Pr[\max_{s\le n}\sum_{i\le s}X_i\le(1+\epsilon)\mu n]=1$.

    Let all X_i be the same fair coin: for every n and every epsilon < 1, the event is that the coin shows 0 and has
    probability 1/2. All variables are equal, so nothing depends on n and the limit is known. For independent variables
    the lemma holds.
    """
    return limit_of_the_low_maximum(law, mean, epsilon), "==", 1
