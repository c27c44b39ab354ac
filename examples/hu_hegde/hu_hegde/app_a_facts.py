"""Appendix A: the facts that the proofs use."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims import Count, Inside, Positive, argued, claim, deduced, enumerated, fails_at
from banditproof.theory import comb, exp, kl_bernoulli, laplace_sum_tail, log, log1p, minimum, sqrt, total

Half = Annotated[Any, "[0, 1/2]"]
PROBABILITIES = ["0", "1/7", "1/2", "9/10", "1"]


@claim("HH-EQ10", fails_at(n=10, mu="1/2", k=3, rational=False), where=["k < n*mu"], displayed=True)
def lower_tail_as_printed(n: Count, mu: Inside, k: Count):
    r"""Of the mean $X$ of $n$ independent Bernoulli variables of mean $\mu$: $\Pr[X\ge\mu-\lambda]\le
    e^{-n\,\mathrm{kl}(\mu-\lambda,\mu)}$ for $0<\lambda<\mu$; here $\mu-\lambda=k/n$.

    The sign of the event should be turned: the mean is at least mu - lambda with a probability near 1, and at most
    mu - lambda with a small one. With n = 10 fair coins there are 3 heads or more with probability 968/1024.
    """
    tail = total(lambda s: comb(n, s) * mu**s * (1 - mu) ** (n - s), k, n)
    return tail, "<=", exp(-n * kl_bernoulli(Fraction(k, n), mu))


@claim(
    "HH-EQ10/turned",
    enumerated(n=[1, 2, 5, 20], mu=["1/10", "1/2", "9/10"], k=range(1, 19), covers={"n": [1, 2, 5, 20]}),
    repairs="HH-EQ10",
    false={"rate": "1.2"},
    where=["k < n*mu"],
)
def lower_tail(n: Count, mu: Inside, k: Annotated[Any, "integer [0, inf)"], rate=1):
    r"""Of the mean $X$ of $n$ independent Bernoulli variables of mean $\mu$: $\Pr[X\le\mu-\lambda]\le
    e^{-n\,\mathrm{kl}(\mu-\lambda,\mu)}$ for $0<\lambda<\mu$, $\mu-\lambda=k/n$."""
    tail = total(lambda s: comb(n, s) * mu**s * (1 - mu) ** (n - s), 0, k)
    return tail, "<=", exp(-n * rate * kl_bernoulli(Fraction(k, n), mu))


def beta_cdf(a: int, b: int, y: Fraction) -> Fraction:
    """The distribution function of Beta(a, b) at y for integers, by integrating the polynomial of (6) term by term."""
    mass = sum(comb(b - 1, i) * (-1) ** i * y ** (a + i) * Fraction(1, a + i) for i in range(b))
    return mass * a * comb(a + b - 1, a)


def binomial_cdf(n: int, p: Fraction, k: int) -> Fraction:
    return sum((comb(n, s) * p**s * (1 - p) ** (n - s) for s in range(k + 1)), Fraction(0))


@claim(
    "HH-EQ11",
    enumerated(alpha=range(1, 9), beta=range(1, 9), y=PROBABILITIES, rational=True),
    false={"shift": 0},
    displayed=True,
)
def beta_by_binomial(alpha: Count, beta: Count, y: Annotated[Any, "[0, 1]"], shift=1):
    r"""$F^{\rm Beta}_{\alpha,\beta}(y)=1-F^{\rm B}_{\alpha+\beta-1,y}(\alpha-<shift>)$."""
    return beta_cdf(alpha, beta, y), "==", 1 - binomial_cdf(alpha + beta - 1, y, alpha - shift)


@claim("HH-EQ12", deduced(), false={"share": "1/2"}, displayed=True)
def laplace_tail(b: Positive, delta: Positive, share=1):
    r"""$\Pr[|Y|\ge b\ln\frac1\delta]\le\delta$ for $Y\sim\mathrm{Lap}(b)$ and every $\delta>0$.

    The tail of |Y| at z is the smaller of 1 and e^(-z/b).
    """
    return minimum(1, exp(-b * log(1 / delta) / b)), "<=", share * delta


def few_moments(x: Half):
    """-log(1 - x) <= 2 x: of the moment 1/(1 - x) of one Laplace variable, x = h^2 b^2."""
    return log1p(-x) + 2 * x, ">=", 0


def exponent(N: Count, b: Positive, v: Positive, L: Positive, rate=8):
    """2 N h^2 b^2 - h z at h = z/(4 v^2), z = v sqrt(8 L), given v^2 = N b^2 + the rest."""
    square = N * b * b + v * v
    return 2 * N * b * b * rate * L / (16 * square), "<=", (rate - 4) * L / 4


def within_reach(b: Positive, L: Positive, v: Positive, rate=8):
    """h^2 b^2 = 8 L b^2 / (16 v^2) is at most 1/2 where v^2 is at least b^2 L."""
    return rate * L * b * b / (16 * (b * b * L + v * v)), "<=", Fraction(1, 2)


@claim(
    "HH-EQ13",
    enumerated(
        N=[1, 2, 3, 10],
        delta=["1/1000000", "1/100", "1/2", "99/100"],
        b=["1/2", "1"],
        v=["51/100", "3/2", "5", "20"],
        covers={"N": [1, 2, 3, 10]},
    ),
    argued(
        "Chernoff's bound: the moment of N variables at h is (1 - h^2 b^2)^-N, at h = z/(4 v^2) with z = v sqrt(8 L)",
        few_moments,
        exponent,
        within_reach,
    ),
    where=["v*v > b*b*N", "v > b*sqrt(log(2/delta))"],
    false={"rate": "1/4"},
    displayed=True,
)
def laplace_sum(N: Count, b: Positive, delta: Inside, v: Positive, rate=8):
    r"""$\Pr[|Y|>v\sqrt{<rate>\ln\frac2\delta}]\le\delta$ for the sum $Y$ of $N$ variables $\mathrm{Lap}(b)$ and
    $v>b\max\{\sqrt N,\sqrt{\ln\frac2\delta}\}$."""
    return 2 * laplace_sum_tail(N, v * sqrt(rate * log(2 / delta)) / b), "<=", delta
