"""Section 2.3.4, page 42: tracing the empirical mean by likelihood ratios, with the true mean and with references."""

from collections.abc import Callable
from fractions import Fraction
from math import floor
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.inference import TargetBit


def chance_of_view(member: int, mean: Any, bit: Any, ones: Any, zeros: Any) -> Any:
    """The probability of a target bit and of ones and zeros in a column, where the bit is one of them if `member`."""
    other_ones, other_zeros = ones - member * bit, zeros - member * (1 - bit)
    law = lambda: comb(other_ones + other_zeros, other_ones) * mean**other_ones * (1 - mean) ** other_zeros  # noqa: E731
    possible = where(other_ones, ">=", 0, lambda: where(other_zeros, ">=", 0, law, 0), 0)
    return where(bit, "==", 1, mean, 1 - mean) * possible


@claim(
    "TH-EQ2.26", deduced(), false={"extra": 1}, where=["s + s_0 >= 1", "u + u_0 >= 1"], restricted="to two coordinates"
)
def likelihood_ratio_of_the_mean(
    mu: Inside, nu: Inside, z: TargetBit, w: TargetBit, s: Natural, s_0: Natural, u: Natural, u_0: Natural, extra=0
):
    r"""For $\mathcal D=\bigotimes_j\mathrm{Bernoulli}(\mu_j)$ and $o=\hat\mu_n$ (sums over $n$): $\ell_n=\sum_j
    z^\star_j\log\frac{\hat\mu_{n,j}}{\mu_j}+(1-z^\star_j)\log\frac{1-\hat\mu_{n,j}}{1-\mu_j}$.

    Two coordinates have the bits z, w, the ones s, u and the zeros s_0, u_0, n of both (it holds where one has more,
    too). The probability of the view under membership is compared with the exponential of the formula times that of
    an independent target (a factor 0 is log 0 = -inf in the formula).
    """

    def printed(bit: Any, ones: Any, zeros: Any, mean: Any) -> Any:
        share = ratio(ones, ones + zeros + extra)
        return bit * share / mean + (1 - bit) * (1 - share) / (1 - mean)

    def chance(member: int) -> Any:
        return chance_of_view(member, mu, z, s, s_0) * chance_of_view(member, nu, w, u, u_0)

    return chance(1), "==", printed(z, s, s_0, mu) * printed(w, u, u_0, nu) * chance(0)


Large = Annotated[Any, "integer [20, inf)"]
Inner = Annotated[Any, "[1/10, 9/10]"]  # the means lie in [a, 1 - a]


def binomial(trials: Any, successes: Any, mu: Any) -> Any:
    return comb(trials, successes) * mu**successes * (1 - mu) ** (trials - successes)


def log_transform(n: Any, mu: Any, power: Any) -> Any:
    """log E[exp(power * one coordinate of the likelihood ratio)] under H_0, for 0 < power < 1."""

    def tilted(chance: Any, share: Any) -> Any:
        return where(share, "==", 0, 0, lambda: chance ** (1 - power) * share**power)

    transforms = lambda s: tilted(mu, ratio(s, n)) + tilted(1 - mu, ratio(n - s, n))  # noqa: E731
    return log(total(lambda s: binomial(n, s, mu) * transforms(s), 0, n))


TRANSFORMS = enumerated(n=[20, 40, 80, 320], mu=["1/10", "1/5", "1/2", "9/10"], power=["1/100", "1/2", "4/5", "99/100"])


@claim("TH-S2.3c/outside", TRANSFORMS, false={"mean": "-0.4"})
def law_outside(n: Large, mu: Inner, power: Inside, mean=Fraction(-1, 2), rate=5):
    r"""Under $H_0$, $\frac nd\log\mathbb E[e^{p\ell_n}]$ is within $5/n$ of $-\frac12p+p^2/2$ for $p\in(0,1)$:
    transforms converge to those of $\mathcal N(-\tau/2,\tau)$.

    The check uses exact transforms of one coordinate; coordinates are independent, so the logarithms of d of them add
    up. Convergence of the transforms on an interval of p implies convergence in law. The means are in [a, 1 - a] with a
    = 1/10.
    """
    return abs(n * log_transform(n, mu, power) - (mean * power + power * power / 2)), "<=", ratio(rate, n)


@claim("TH-S2.3c/inside", TRANSFORMS, false={"mean": "0.4"})
def law_inside(n: Large, mu: Inner, power: Inside, mean=Fraction(1, 2), rate=5):
    r"""Under $H_1$, $\frac nd\log\mathbb E[e^{-p\ell_n}]$ is within $5/n$ of $-\frac12p+p^2/2$ for $p\in(0,1)$:
    transforms converge to those of $\mathcal N(\tau/2,\tau)$.

    The law under H_1 is the law under H_0 tilted by the likelihood ratio: E_in[exp(-p l)] = E_out[exp((1 - p) l)].
    """
    exponent = -mean * power + power * power / 2
    return abs(n * log_transform(n, mu, 1 - power) - exponent), "<=", ratio(rate, n)


Averages = Callable[[Callable[[Any], Any]], Any]
"""Of a function of a mean, its average over the law of that mean."""


def known(mu: Any) -> Averages:
    """The true mean."""
    return lambda function: function(mu)


def estimated(m: Any, mu: Any) -> Averages:
    """The mean of m bits."""
    return lambda function: total(lambda k: binomial(m, k, mu) * function(ratio(k, m)), 0, m)


def squared_separation(n: Any, mu: Any, reference: Averages) -> Any:
    """(E_in - E_out)^2 / Var_out of one coordinate (z - mu)(mean - reference mean)/(mu (1 - mu)).

    This is the leading term of a coordinate of the score.
    """

    own = estimated(n, mu)

    def of_bit(z: int) -> tuple[Any, Any, Any]:
        """What targets with this bit add to mean and square outside, and to the mean inside."""
        chance = lambda p: p if z else 1 - p  # noqa: E731
        scored = lambda mean, x: (z - mu) * (mean - x) / (mu * (1 - mu))  # noqa: E731
        moment = lambda mean, power: reference(lambda x: scored(mean, x) ** power)  # noqa: E731
        first, second = own(lambda mean: moment(mean, 1)), own(lambda mean: moment(mean, 2))
        return chance(mu) * first, chance(mu) * second, own(lambda mean: chance(mean) * moment(mean, 1))

    outside, square, inside = (a + b for a, b in zip(of_bit(0), of_bit(1), strict=True))
    return (inside - outside) ** 2 / (square - outside * outside)


@claim("TH-EQ2.27/squared-separation", deduced())
def price_of_references(n: Count, share: Count, mu: Inside):
    r"""The squared separation of the leading term of the score is $\frac{1+\lambda}\lambda$ times larger with $\mu$
    than with $\hat\mu_0$ from $n_0=\lambda n$ references in its place.

    In the normal limit the squared separation determines the power, so the same factor of more coordinates compensates
    for it.
    """
    more = ratio(1 + share, share)
    with_references = squared_separation(n, mu, estimated(share * n, mu))
    return more * with_references, "==", squared_separation(n, mu, known(mu))


def neither_0_nor_1(m: Any, mu: Any) -> Averages:
    """The mean of m bits, given that it is neither 0 nor 1."""
    mass = total(lambda k: binomial(m, k, mu), 1, m - 1)
    return lambda function: total(lambda k: binomial(m, k, mu) * function(ratio(k, m)), 1, m - 1) / mass


def score_separation(n: Any, mu: Any, reference: Averages) -> Any:
    """The squared separation of one coordinate of the printed score, a difference of independent terms."""
    own = neither_0_nor_1(n, mu)

    def of_bit(share: Callable[[Any], Any]) -> tuple[Any, Any, Any]:
        """What targets with a bit of this share add to mean and square outside, and to the mean inside."""
        value = lambda x: log(share(x))  # noqa: E731
        first, other = own(value), reference(value)
        square = own(lambda x: value(x) ** 2) - 2 * first * other + reference(lambda x: value(x) ** 2)
        inside = own(lambda x: share(x) * value(x)) - own(share) * other
        return share(mu) * (first - other), share(mu) * square, inside

    outside, square, inside = (a + b for a, b in zip(of_bit(lambda x: x), of_bit(lambda x: 1 - x), strict=True))
    return (inside - outside) ** 2 / (square - outside * outside)


@claim("TH-EQ2.27/score", enumerated(n=pick([40, 80], [40, 80, 160]), share=[1, 2], mu=["1/5", "1/2", "4/5"]))
def references_and_the_score(
    n: Annotated[Any, "integer [40, inf)"], share: Count, mu: Annotated[Any, "[1/5, 4/5]"], rate=4
):
    r"""For the printed scores themselves the ratio of squared separations times $\frac{1+\lambda}\lambda$ is within
    $4/n$ of 1 (given that no mean is 0 or 1, where the score is undefined)."""
    with_references = score_separation(n, mu, neither_0_nor_1(share * n, mu))
    oracle = score_separation(n, mu, known(mu))
    return abs(ratio(1 + share, share) * with_references / oracle - 1), "<=", ratio(rate, n)


@claim("TH-EQ2.27/records", fails_at(n=1, share=1, mu=Fraction(1, 2), rational=True), role="reading")
def references_and_records(n: Count, share: Count, mu: Inside):
    r"""Read as a statement about the size $n$ of the data set: with $n(1+\lambda)/\lambda$ records the power is that of
    the true mean with $n$ records.

    The number of coordinates stays the same, and there are (1 + lambda)/lambda times as many records (n = share * k).
    More records hide the target better, so the separation decreases with n.
    """
    more = floor(ratio(n * (1 + share), share))
    with_references = squared_separation(more, mu, estimated(share * more, mu))
    return with_references, ">=", squared_separation(n, mu, known(mu))
