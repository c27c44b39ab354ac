"""Appendix D.2, page 239: the expansion of a column's ratio, its moments, and Lindeberg's condition."""

from fractions import Fraction
from functools import reduce
from typing import Annotated, Any

from banditproof.claims.register import claim, item, restate
from banditproof.claims.sets import Inside, Positive, Real, TwoOrMore
from banditproof.claims.steps import enumerated, fails_at
from banditproof.paper_checks.thesis.facts.inference import TargetBit
from banditproof.paper_checks.thesis.facts.moments import (
    BITS,
    LAWS,
    LISTED,
    EachLaw,
    FiveOrMore,
    Sizes,
    Spread,
    TwentyOrMore,
    average,
    expectation,
    exponential_ratio,
    first_and_third,
    first_term,
    moments_of_the_mean,
    product_of,
    sum_of,
    variance,
)
from banditproof.theory import log, sqrt, to_ball
from banditproof.theory.numbers.numeric import exp, minimum


def share_of_the_third_cumulant(n: int, delta: Any, target: Any) -> Any:
    """What stands in front of lambda_3 (mu - z)/(n sigma) R once the squares are taken off, for exponential records."""
    ratio, squares, rest = exponential_ratio(n, delta, target)
    return n * (ratio - squares) / (2 * (1 - target) * rest)


def left_of_the_expansion(n: int, delta: Any, target: Any, share: Any) -> Any:
    """n times what Lemma D.2 leaves over, with `share` in front of its third cumulant (2 for exponential records)."""
    ratio, squares, rest = exponential_ratio(n, delta, target)
    return n * abs(ratio - squares - share * 2 * (1 - target) * rest / n)


item(
    "MIA-LD.2",
    r"""$\log\frac{d_{n-1,j}(\delta^{\rm in}_{n,j})}{d_{n,j}(\delta^{\rm out}_{n,j})}=\frac12((\delta^{\rm
    out}_{n,j})^2- (\delta^{\rm in}_{n,j})^2)+\frac{\lambda_{3,j}(\mu_j-z^\star_j)}{n\sigma_j}R_{n,j}+o_p(\frac1n)$""",
)


@claim(
    "MIA-LD.2/third-cumulant",
    fails_at(sizes=[10, 100, 1000], slack=Fraction(1, 10), delta=2, target=2),
    strongest="enumeration",
    assuming=LISTED,
    cause="TH-T2.41/q1",
)
def expansion_as_printed(sizes: Sizes, slack: Positive, delta: Real, target: Positive):
    r"""For exponential records of mean 1, at fixed $\delta^{\rm out}$, the factor of the term
    $\frac{\lambda_{3,j}(\mu_j-z^\star_j)}{n\sigma_j}R_{n,j}$ is 1 in the limit: what the other terms of the expansion
    leave for it reaches 1, up to any slack, for some $n$ of every list that goes on far enough.

    It tends to 1/6: the density's first correction is lambda_3/6 times a Hermite polynomial, and the 6 is lost, as it
    is in the example after Theorem 2.41. With lambda_3/6 the expansion holds; Theorem 6.3 does not feel it, as these
    terms of all columns add up to o_p(1) either way. Here sizes is the list of n, delta is
    delta^out and target is z*.
    """
    shares = (-share_of_the_third_cumulant(n, delta, target) for n in sizes)
    return 1, "<=", (1 + slack) * -reduce(minimum, shares)


@claim(
    "MIA-LD.2/a-sixth",
    enumerated(n=[100, 10_000, 1_000_000], delta=["-3/2", "0", "1/2", "2"], target=["1/4", "1", "3"]),
    false={"share": "0.2"},
    role="repair",
    repairs="MIA-LD.2/third-cumulant",
    restricted="to exponential records",
)
def expansion_with_a_sixth(
    n: Annotated[Any, "integer [100, inf)"],
    delta: Annotated[Any, "[-2, 2]"],
    target: Annotated[Any, "[0, 3]"],
    share=Fraction(1, 6),
    rate=40,
):
    r"""The expansion holds with $<share>\,\lambda_{3,j}$ in place of $\lambda_{3,j}$. Checked as: for exponential
    records, $|\delta^{\rm out}|\le2$ and $0\le z^\star\le3$ the remainder is at most $<rate>\,n^{-3/2}$.

    Printed is an order; the number before it is a choice, 16 would do.
    """
    return left_of_the_expansion(n, delta, target, share), "<=", rate / sqrt(to_ball(n))


@claim(
    "MIA-LD.3",
    enumerated(**BITS, rational=True, routes=("exact laws", "printed")),
    false=[{"factor": "1.2"}, {"constant": "0.4"}],
    restricted="to the first term of $Y_{n,j}$, for bits",
)
def moments_of_the_first_term(n: TwoOrMore, mu: Inside, target: TargetBit, factor=1, constant=Fraction(1, 2), rate=8):
    r"""$\mathbb E_0[Y_{n,j}]=-\frac{<constant>}n-\frac{\zeta_j^2}{2n}$, $\mathbb E_1[Y_{n,j}]=-\frac{<constant>}n+
    \frac{\zeta_j^2}{2n}$ and $\mathbb V_0[Y_{n,j}]=<factor>\frac{\zeta_j^2}n$ up to
    $<rate>(1+\zeta_j^4+\kappa_j)/n^2$, with the kurtosis $\kappa_j$ of the bits."""
    term, distance = first_term(mu, target, n), (target - mu) ** 2 / (mu * (1 - mu))
    kurtosis = 1 / (mu * (1 - mu)) - 3
    means = abs(expectation(n, mu, None, term) + constant / n + distance / (2 * n))
    means += abs(expectation(n, mu, target, term) + constant / n - distance / (2 * n))
    spread = abs(variance(n, mu, None, term) - factor * distance / n)
    return means + spread, "<=", rate * (1 + distance**2 + kurtosis) / n**2


@claim(
    "MIA-LD.4",
    fails_at(level=1),
    strongest="enumeration",
    assuming="Y_{n,n} >= 5/2 wherever -sqrt(s) <= delta_out <= 0, s = 4/n, for every n = 2^k >= 64",
    cause="MIA-T6.3/three-values",
)
def lindeberg_of_skewed_columns(level: Positive):
    r"""The $Y_{n,j}$ verify the Lindeberg-Feller condition: for $d=n$, $z^\star=\mu+\sigma$, so that $m^\star=1$, and
    columns that are standard normal but for $j=2^k$, which has a Gamma law of skewness $\lambda_{3,j}=j$, the limsup of
    $\sum_j\mathbb E_0[Y_{n,j}^2\mathbb 1(|Y_{n,j}|>1)]$ is 0: less every positive level it is at most 0 (the
    difference of both sides).

    No assumption bounds the third cumulants of all columns together, so the term of one column alone stays above 5/2 in
    about four of five runs. With one bound on the moments and distances of all standardised columns the condition
    holds.

    At n = 2^k the sum of column n is Gamma of shape
    s = 4/n, which is below its mean with probability at least s^s e^-s, at least (1/16)^(1/16) e^(-1/16) for n >= 64.
    There -sqrt(s) <= delta_out <= 0, delta_in = sqrt(n/(n-1)) (delta_out - 1/sqrt(n)), so that R <= -27/10, and Y =
    (delta_out^2 - delta_in^2)/2 - R >= 5/2.
    """
    below = exp(-(1 + log(to_ball(16))) / 16)
    return to_ball(Fraction(25, 4)) * below - level, "<=", 0


@claim(
    "MIA-LD.4/spread-target",
    enumerated(**BITS, rational=True),
    false={"rate": 9},
    role="special case",
    repairs="MIA-LD.4",
    restricted="to the first term of $Y_{n,j}$, for bits",
)
def lindeberg_of_a_spread_target(n: FiveOrMore, mu: Spread, target: TargetBit, rate=12):
    r"""For columns of bits with means in $[\frac15,\frac45]$ it holds. Checked as: for the first term of $Y_{n,j}$,
    $n\mathbb E_0[Y_{n,j}^4]\le<rate>(1+\zeta_j^4)/n$, so that $\sum_{j\le\tau n}\mathbb
    E_0[Y_{n,j}^2\mathbb 1(|Y_{n,j}|>\epsilon)]\le\tau n\mathbb E_0[Y_{n,j}^4]/\epsilon^2$ vanishes."""
    term, distance = first_term(mu, target, n), (target - mu) ** 2 / (mu * (1 - mu))
    return n * expectation(n, mu, None, lambda x: term(x) ** 4), "<=", rate * (1 + distance**2) / n


@claim(
    "MIA-LD.4/bounded-moments",
    enumerated(n=[20, 200, 10**4], law=list(LAWS), zeta=["-2", "0", "1/2", "2"]),
    false={"rate": 10},
    role="repair",
    repairs="MIA-LD.4",
    restricted="to exponential, uniform, Laplace and sign columns with distances of at most 2, under $H_0$",
)
def lindeberg_with_bounded_moments(n: TwentyOrMore, law: EachLaw, zeta: Annotated[Any, "[-2, 2]"], rate=400):
    r"""Suppose besides that the moments of order $4+\delta$ of $\frac{Z_j-\mu_j}{\sigma_j}$ and the distances
    $|\zeta_j|=\frac{|z^\star_j-\mu_j|}{\sigma_j}$ have a bound that does not depend on $j$ and $n$. Then the condition
    holds. Checked as: $n\mathbb E_0[Y_{n,j}^4]\le<rate>(1+\zeta_j^4)/n$, all of $Y_{n,j}$, so that
    $\sum_{j\le\tau n}\mathbb E_0[Y_{n,j}^2\mathbb 1(|Y_{n,j}|>\epsilon)]\le\tau n\mathbb E_0[Y_{n,j}^4]/\epsilon^2$
    vanishes.

    With moments of order 4 only, Y^2 <= c (zeta^2 delta^2/n + (1 + lambda_3^2 zeta^2)(1 + delta^4)/n^2). The second
    summand adds up to O(1/n), and the first to tau c zeta^2 E[delta^2 1(|Y| > epsilon)], which vanishes as delta^2 is
    uniformly integrable and P(|Y| > epsilon) tends to 0 uniformly.
    """
    squares, third = first_and_third(n, zeta, LAWS[law][0])
    value = sum_of((1, squares), (1, third))
    square = product_of(value, value)
    fourth = average(n, law, product_of(square, square))
    return n * fourth, "<=", to_ball(rate) * (1 + to_ball(zeta) ** 4) / n


restate("MIA-LD.4/hypotheses", "MIA-T6.3/hypotheses", role="hypotheses")


@claim("MIA-LD.2/hypotheses", enumerated(order=[6]), false={"moment": 264}, role="hypotheses")
def some_columns_have_what_the_expansion_needs(order: Annotated[Any, "integer [6, 6]"], moment=265):
    r"""Some columns meet all that the lemma assumes: exponential records of mean 1 have a density and
    $\mathbb E[(Z_j-\mu_j)^6]=<moment>$, so that their moments of order $4+\delta$ are finite."""
    found = moments_of_the_mean(1, LAWS["exponential"], order)[order]
    return abs(found - moment), "<=", to_ball(Fraction(1, 10**9))
