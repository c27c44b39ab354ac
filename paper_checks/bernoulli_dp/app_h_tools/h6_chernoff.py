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
def probability_that_the_maximum_stays_low(law: str, n: int, mean: Fraction, epsilon: Fraction) -> Fraction:
    """P[max over s <= n of X_1 + ... + X_s <= (1 + epsilon) mean n], exactly.

    Laws of the sequence: 'independent' Bernoulli(mean) variables; 'all equal' to one Bernoulli(mean) variable;
    'independent signed': +1 or -1 with the given mean.
    """
    threshold = (1 + epsilon) * mean * n
    if law == "all equal":
        return Fraction((1 - mean if threshold >= 0 else 0) + (mean if n <= threshold else 0))
    up, low = (mean, 0) if law == "independent" else ((1 + mean) / 2, -1)
    alive = {0: Fraction(1)}
    for _ in range(n):
        step: dict[int, Fraction] = {}
        for total, p in alive.items():
            for move, q in ((1, up), (low, 1 - up)):
                if total + move <= threshold:
                    step[total + move] = step.get(total + move, Fraction(0)) + p * q
        alive = step
    return sum(alive.values(), Fraction(0))


@quantity
def limit_of_the_low_maximum(law: str, mean: Any, epsilon: Any) -> Fraction:
    """Its limit in n for variables that are all equal, of which nothing depends on n."""
    if law != "all equal":
        raise InvalidInput("law", law, "'all equal'")
    return probability_that_the_maximum_stays_low(law, 1, mean, epsilon)


@quantity
def variance_proxy(law: str) -> Fraction:
    """sigma^2 by Hoeffding's lemma: the square of half the range of a variable."""
    return Fraction(1) if law == "independent signed" else Fraction(1, 4)


@claim(
    "BDP-LH.7/any-dependence",
    fails_at(law="all equal", mean=Fraction(1, 2), epsilon=Fraction(1, 2), rational=True),
    role="reading",
)
def maximal_inequality(
    law: Annotated[Any, "all: every sequence of variables with the common mean and sub-Gaussian deviations"],
    mean: Positive,
    epsilon: Positive,
):
    r"""'Assume that $X_i$ has positive mean $\mu$ and that $X_i-\mu$ is $\sigma$-sub-Gaussian' read for $X_i$ that
    depend on each other in any way: for every $\epsilon>0$, $\lim_n\Pr[\max_{s\le n}\sum_{i\le s}X_i\le(1+\epsilon)\mu
    n]=1$.

    Let all X_i be the same fair coin: for every n and every epsilon < 1, the event is that the coin shows 0 and has
    probability 1/2. All variables are equal, so nothing depends on n and the limit is known. The lemma says nothing
    about dependence; it is named after Hoeffding and used for i.i.d. variables (App. C).
    """
    return limit_of_the_low_maximum(law, mean, epsilon), "==", 1


def chernoff_exponent(v: Positive, deviation: Positive, scale=1):
    """With v = n sigma^2: the exponent t^2 v / 2 - t deviation at t = deviation / v."""
    t = deviation / v
    return t * t * v / 2 - t * deviation, "==", -scale * deviation * deviation / (2 * v)


@claim(
    "BDP-LH.7",
    enumerated(
        lambda check: [
            {"law": law, "n": n, "mean": Fraction(mean), "epsilon": Fraction(epsilon)}
            for law, means in (("independent", ("1/2", "1/10", "9/10")), ("independent signed", ("1/10",)))
            for mean in means
            for n in check.pick((1, 5, 20, 60), (1, 5, 20, 60, 150))
            for epsilon in ("1/20", "1/2", "2")
        ],
        covers={"law": "all: independent Bernoulli and signed variables"},
        rational=True,
        routes=("exact law of the path", "bound"),
    ),
    argued(
        "sum up to s <= mu n + M_s with the martingale M_s = sum of X_i - mu; Doob's inequality for e^(t M_s), t > 0, "
        "and E e^(t M_n) <= e^(n t^2 sigma^2 / 2), at t = epsilon mu / sigma^2",
        chernoff_exponent,
    ),
    false={"scale": 2},
    restricted="to independent variables",
)
def maximal_inequality_for_independent_variables(
    law: Annotated[
        Any, "all: every sequence of independent variables with the common mean and sub-Gaussian deviations"
    ],
    n: Count,
    mean: Positive,
    epsilon: Positive,
    scale=1,
):
    r"""if every $X_i$ has mean $\mu>0$ and $X_i-\mu$ is $\sigma$-sub-Gaussian, then for every $\epsilon>0$ the maximum
    stays below $(1+\epsilon)\mu n$ in the limit: for independent $X_i$, $\Pr[\max_{s\le n}\sum_{i\le
    s}X_i>(1+\epsilon)\mu n]\le e^{-n\epsilon^2\mu^2/(2\sigma^2)}$, which tends to 0

    The sum up to s is at most mu n plus a martingale; the exponential of t times the martingale is a submartingale, and
    Doob's inequality applies. By Hoeffding's lemma sigma^2 is the square of half the range.
    """
    exponent = scale * n * epsilon**2 * mean**2 / (2 * variance_proxy(law))
    return 1 - probability_that_the_maximum_stays_low(law, n, mean, epsilon), "<=", exp(-exponent)
