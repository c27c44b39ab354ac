"""Section 6.4, page 142: the attack with estimates, its relation to others, and what the mean hides by itself."""

from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from banditproof.claims.register import claim
from banditproof.claims.sets import Count, EveryVector, Inside, Natural, Nonnegative, Positive, Real
from banditproof.claims.steps import deduced, enumerated, fails_at, in_kernel
from banditproof.claims.study import Arrays, Study
from banditproof.paper_checks.shared import outlier_proofs
from banditproof.paper_checks.shared.lists import entry_of, length_of
from banditproof.paper_checks.shared.mechanism_proofs import squared
from banditproof.paper_checks.thesis.studies import simulated
from banditproof.theory import sqrt
from banditproof.theory.numbers.normal_law import normal_cdf
from banditproof.theory.numbers.numeric import exp
from banditproof.theory.numbers.term import total
from banditproof.verify.kernel.meanings import for_each, sum_of, when
from banditproof.verify.kernel.rules import eq, le
from banditproof.verify.kernel.terms import Term


def second_moment(mu: Fraction, centred: int) -> Fraction:
    """E of (z - centred * mu)^2 for a bit with mean mu."""
    return mu * (1 - centred * mu) ** 2 + (1 - mu) * (centred * mu) ** 2


@claim(
    "MIA-EQ6.5/covariance",
    fails_at(mu=Fraction(1, 2), rational=True),
    called={r"$\mathbb E[\hat C_0]$": "left", r"$C_\sigma=\mu(1-\mu)$": "right"},
)
def printed_covariance(mu: Inside):
    r"""$\hat C_0=\frac1{n_0}\sum_iZ_i^{\rm ref}(Z_i^{\rm ref})^\top$ is an empirical estimate of $C_\sigma$: $\mathbb
    E[\hat C_0]=C_\sigma$ for one column of bits with mean $\mu$.

    The sum is not centred, so it estimates C_sigma + mu mu^T, the second moment. With Z_i - mu_0 in place of Z_i it
    estimates C_sigma.
    """
    return second_moment(mu, 0), "==", mu * (1 - mu)


@claim("MIA-EQ6.5/centred", deduced(), repairs="MIA-EQ6.5/covariance")
def centred_covariance(mu: Inside):
    r"""$\mathbb E[\frac1{n_0}\sum_i(Z_i^{\rm ref}-\mu)(Z_i^{\rm ref}-\mu)^\top]=C_\sigma$.

    The claim compares the expectation over both values of a bit with the variance in closed form.
    """
    return second_moment(mu, 1), "==", mu * (1 - mu)


def directions(seed: np.random.SeedSequence, runs: int, d: int, references: list[int]) -> Arrays:
    """The squared efficiency of the direction C_0^-1 (z - mu_0) for normal records with variances 1, 2, ..., d: shift
    squared over variance of the score it makes, divided by |z - mu|^2 in the norm of C^-1."""
    generator, spread, arrays = np.random.default_rng(seed), np.sqrt(np.arange(1.0, d + 1)), {}
    for n_0 in references:
        points = spread * generator.standard_normal((runs, n_0, d))
        target = spread * generator.standard_normal((runs, d))
        mean = points.mean(axis=1)
        points -= mean[:, None]
        covariance = np.swapaxes(points, 1, 2) @ points / n_0
        direction = np.linalg.solve(covariance, (target - mean)[..., None])[..., 0]
        separation = (direction * target).sum(axis=1) ** 2 / ((direction * spread) ** 2).sum(axis=1)
        arrays[str(n_0)] = separation / ((target / spread) ** 2).sum(axis=1)
    return arrays


DIRECTIONS = Study("mean-directions", directions, {"runs": 20_000, "d": 10, "references": [16, 25, 40]})


@claim(
    "MIA-X3",
    simulated(DIRECTIONS, n_0=[16, 25, 40], d=[10]),
    false=[{"factor": "0.6"}, {"factor": "1.4"}],
    studies=[DIRECTIONS],
)
def efficiency_of_an_estimated_covariance(n_0: Count, d: Count, factor=1, *, arrays, coins):
    r"""With mean and centred covariance of $n_0>d$ Gaussian reference points the squared efficiency of the direction
    $\hat C_0^{-1}(z^\star-\hat\mu_0)$ is on average within $2/n_0$ of $1-\frac d{n_0}$, so that the score of an
    adversary with references is about $m^\star(1-\frac d{n_0})$.

    One more uniform draw turns a mean into a probability.
    """
    for references, found in arrays.items():
        hit, share = coins.random(len(found)) < found, 1 - Fraction(factor) * d[0] / int(references)
        slack = Fraction(2, int(references))
        yield f"n_0 = {references}, at least", hit, ">=", max(share - slack, Fraction(0))
        yield f"n_0 = {references}, at most", hit, "<=", share + slack


@claim("MIA-S6.4a/bernoulli-columns", deduced())
def mean_squared_distance(mu: Inside):
    r"""A Bernoulli column adds 1 to $\mathbb E_{z^\star\sim\mathcal D}\|z^\star-\mu\|^2_{C_\sigma^{-1}}$."""
    return mu * ((1 - mu) / mu) + (1 - mu) * (mu / (1 - mu)), "==", 1


@claim(
    "MIA-S6.4b/one-reference",
    fails_at(n=1, z_1=1, z_2=0, r_1=0, r_2=1, rational=True),
    assuming="for normal records the power is an increasing function of the squared separation",
)
def separation_with_a_reference(n: Count, z_1: Real, z_2: Real, r_1: Real, r_2: Real):
    r"""For $\mu=0$ and $C_\sigma=I_d$ the score $(z^\star-z^{\rm ref})^\top\hat\mu_n$ has the power of $\ell_n$: its
    squared separation $\frac{((z^\star-z^{\rm ref})^\top z^\star)^2}{n\|z^\star-z^{\rm ref}\|^2}$ is
    $\frac1n\|z^\star\|^2$ (with the coordinates $z$ of $z^\star$ and $r$ of $z^{\rm ref}$).

    One reference point is as far from the mean as the target, so its noise enters the score, which loses power. With
    the true mean in its place both scores are equal up to a factor and a constant.

    The separation is the shift of a score's mean by the target, squared, over its variance without the target.
    """
    along = (z_1 - r_1) * z_1 + (z_2 - r_2) * z_2
    return along**2 / (n * ((z_1 - r_1) ** 2 + (z_2 - r_2) ** 2)), "==", (z_1**2 + z_2**2) / n


@claim(
    "MIA-S6.4b/true-mean", deduced(), where=["(z_1 - r_1)**2 + (z_2 - r_2)**2 > 0"], repairs="MIA-S6.4b/one-reference"
)
def separation_with_the_mean(n: Count, z_1: Real, z_2: Real, r_1: Real, r_2: Real):
    r"""With $\mu$ in place of $z^{\rm ref}$ and $C_\sigma=I_d$ the separations are equal (with the coordinates $z$ of
    $z^\star$ and $r$ of $\mu$ in a plane that holds both)."""
    squared = (z_1 - r_1) ** 2 + (z_2 - r_2) ** 2
    return ((z_1 - r_1) * (z_1 - r_1) + (z_2 - r_2) * (z_2 - r_2)) ** 2 / (n * squared), "==", squared / n


def squares(values: Any, count: Any, centre: Any) -> Term:
    """The sum of the squared distances to a centre."""
    return sum_of(lambda j: squared(values(j) - centre), count)


@claim(
    "MIA-S6.4c",
    in_kernel(outlier_proofs.distances_rise),
    restricted="to one column, and to a layer with the mean of the others",
)
def onion(inner: EveryVector, outliers: EveryVector, n: Count, k: Count, place: Natural, balance: Real):
    r"""Removing a layer of outliers is sampling from a law of the same mean and a smaller variance: no remaining point
    $x_i$ is closer to the mean in the Mahalanobis distance than before.

    n points with the mean `balance` are kept, k outliers with the same mean are removed. Each outlier is at least a
    standard deviation of the others from it. Outliers with another mean are the subject of MIA-S6.4c/one-sided. The
    inequality of the two distances is multiplied by both variances: a distance needs a variance that is not 0.
    """
    same_mean = eq(sum_of(inner, n), n * balance), eq(sum_of(outliers, k), k * balance)
    far = for_each(k, lambda i: le(squares(inner, n, balance) / n, squared(outliers(i) - balance)))
    mean = (sum_of(inner, n, "b") + sum_of(outliers, k, "b")) / (n + k)
    before, after = (squares(inner, n, mean) + squares(outliers, k, mean)) / (n + k), squares(inner, n, balance) / n
    then = le(squared(inner(place) - mean) * after, squared(inner(place) - balance) * before)
    return when(*same_mean, far, then=then)


def squared_deviation(points: Any, kept: Any, i: Any) -> Any:
    """(x_i - mean)^2 / variance of a point, by the mean and the variance of the first `kept` points."""
    mean = total(lambda j: entry_of(points, j), 0, kept - 1) / kept
    variance = total(lambda j: (entry_of(points, j) - mean) ** 2, 0, kept - 1) / kept
    return (entry_of(points, i) - mean) ** 2 / variance


POINTS = [[-1, 1, 0, 0, -5, 5], [2, -2, 1, -1, -9, 9], [1, 2, 6, 7, -20, 28], [-10, 10, -10, 10, -11, 11]]


@claim(
    "MIA-S6.4c/of-lists",
    enumerated(points=POINTS, i=range(4), rational=True),
    false={"factor": "20"},
    role="implication",
)
def onion_of_lists(
    points: Annotated[Any, "all: every list of numbers whose last two are outliers with the mean of the others"],
    i: Natural,
    factor=1,
):
    r"""The same for the last two points of a list."""
    n = length_of(points)
    return factor * squared_deviation(points, n, i), "<=", squared_deviation(points, n - 2, i)


@claim("MIA-S6.4c/one-sided", fails_at(points=[-1, 0, 1, 10], i=1, rational=True), role="reading")
def onion_with_outliers_on_one_side(
    points: Annotated[Any, "all: every list of numbers whose last one is the farthest from their mean"], i: Natural
):
    r"""'A smaller variance', read for outliers on one side too, whose removal moves the mean: the Mahalanobis distance
    of no remaining point $x_i$ falls (places are counted from 0).

    The mean changes: without 10, the mean of -1, 0, 1, 10 changes from 5/2 to 0, and the point 0 is then at distance 0.
    If the mean stays the same, as in MIA-S6.4c, the distances do increase.
    """
    n = length_of(points)
    return squared_deviation(points, n, i), "<=", squared_deviation(points, n - 1, i)


ACROSS = [-1, -1, 1, 1, 0, 0, 0, 0, -10, 10]
ALONG = [0, 0, 0, 0, -1, -1, 1, 1, 0, 0]


@claim("MIA-S6.4c/two-columns", fails_at(first=ACROSS, second=ALONG, i=4, rational=True), role="reading")
def onion_of_two_columns(
    first: Annotated[Any, "all: every list of numbers"], second: Annotated[Any, "all: every list as long"], i: Natural
):
    r"""Two columns, a diagonal covariance, and outliers that are the points of the largest Mahalanobis distance: where
    the last two points are such outliers and have the mean of the others, no remaining point $x_i$ has a smaller
    squared distance without them (places are counted from 0).

    The outliers (-10, 0) and (10, 0) lie at the mean of the second column. Without them its variance rises from 2/5 to
    1/2, and the squared distance of the point (0, -1) falls from 5/2 to 2. The distances of the outliers were 4.9.
    """
    n = length_of(first)
    before = squared_deviation(first, n, i) + squared_deviation(second, n, i)
    return before, "<=", squared_deviation(first, n - 2, i) + squared_deviation(second, n - 2, i)


def gain(epsilon: Any, score: Any, beside: Any = 0) -> Any:
    """Power less e^epsilon times level, N(sqrt(m), 1) against N(0, 1), `beside` from epsilon/sqrt(m) + sqrt(m)/2."""
    threshold = epsilon / sqrt(score) + sqrt(score) / 2 + beside
    return normal_cdf(sqrt(score) - threshold) - exp(epsilon) * normal_cdf(-threshold)


def printed_delta(epsilon: Any, score: Any, half: Any) -> Any:
    width = sqrt(score)
    return normal_cdf(-epsilon / width + half * width) - exp(epsilon) * normal_cdf(-epsilon / width - half * width)


@claim("MIA-S6.4d/no-threshold-above", deduced(), false={"half": "0.45"})
def privacy_of_the_mean(epsilon: Nonnegative, score: Positive, beside: Real, half=Fraction(1, 2)):
    r"""No threshold of (6.3) has $1-\beta-e^\varepsilon\alpha>\delta(\varepsilon)$ for any $\varepsilon\ge0$, with
    $\delta(\varepsilon)=[\Phi(-\frac\varepsilon{\sqrt{m^\star}}+\frac12\sqrt{m^\star})-e^\varepsilon\Phi(-\frac\varepsilon{\sqrt{m^\star}}-\frac12
    \sqrt{m^\star})]$.

    The threshold is counted from the best one. (6.3) is the curve of levels and powers of all thresholds, and its two
    ends are their limits, so the claim asks about no other test. For the complements of these events the inequality is
    the same, at sqrt(m) minus the threshold. At m = 0 the quotients have no value.
    """
    return gain(epsilon, score, beside), "<=", printed_delta(epsilon, score, half)


@claim("MIA-S6.4d/attained", deduced(), false={"half": "0.45"})
def best_threshold_of_the_mean(epsilon: Nonnegative, score: Positive, half=Fraction(1, 2)):
    r"""The bound is attained: at the threshold $\frac\varepsilon{\sqrt{m^\star}}+\frac12\sqrt{m^\star}$,
    $1-\beta-e^\varepsilon\alpha=\delta(\varepsilon)$."""
    return gain(epsilon, score), "==", printed_delta(epsilon, score, half)
