"""Section 6.4, page 142: the attack with estimates, its relation to others, and what the mean hides by itself."""

from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from banditproof.claims.language import *
from banditproof.paper_checks.shared.lists import entry_of, length_of
from banditproof.paper_checks.thesis.studies import simulated
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.meanings import sum_of
from banditproof.verify.kernel.terms import Term
from banditproof.verify.theorems.noise import squared


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


@word
def squares(values: Any, count: Any, centre: Any) -> Term:
    """The sum of the squared distances to a centre."""
    return sum_of(lambda j: squared(values(j) - centre), count)


def squared_deviation(points: Any, kept: Any, i: Any) -> Any:
    """(x_i - mean)^2 / variance of a point, by the mean and the variance of the first `kept` points."""
    mean = total(lambda j: entry_of(points, j), 0, kept - 1) / kept
    variance = total(lambda j: (entry_of(points, j) - mean) ** 2, 0, kept - 1) / kept
    return (entry_of(points, i) - mean) ** 2 / variance


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
