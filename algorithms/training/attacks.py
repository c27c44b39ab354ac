"""White-box attacks on gradient descents: the larger a score, the likelier the canary's gradient was averaged.

Gradients have shape [..., d]; d may be that of a part of the parameters, such as the last layer.

Source: MIA-EQ7.2, MIA-A13, MIA-S7.1.2a, MIA-S7.1.2b
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from banditproof.algorithms.membership.game import Played
from banditproof.algorithms.training.descent import Private, Transcript, blocks, descend
from banditproof.algorithms.training.models import Network
from banditproof.theory.errors import InvalidInput

SPAN = 1e-9  # of the largest deviation: what is smaller is rounding, and the references do not vary there


@dataclass(frozen=True)
class Reference:
    """Mean [d] and covariance of reference gradients: variances [r] along orthonormal axes [r, d], `rest` across them.

    Where `rest` is 0, gradients that leave the mean across the axes are infinitely far away.
    """

    mean: np.ndarray
    axes: np.ndarray
    variances: np.ndarray
    rest: float = 0.0

    @classmethod
    def estimate(cls, gradients: np.ndarray, *, centred: bool = True, noise: float = 0.0) -> Reference:
        """Of reference gradients [n_r, d]; `noise` is a variance that is added in every direction.

        It stands for noise (|B| gamma^2 C^2 in DP-SGD, as if every record had its share) or keeps estimates away from
        0. Without `centred` second moments u u^T take the place of the covariance, as Algorithm 14 prints.
        Raises InvalidInput for fewer than two gradients, and a noise that is negative.
        """
        if np.ndim(gradients) != 2 or len(gradients) < 2:
            raise InvalidInput("gradients", np.shape(gradients), "at least two reference gradients, shape [n_r, d]")
        if not 0 <= noise < np.inf:
            raise InvalidInput("noise", noise, "a variance, at least 0")
        mean = gradients.mean(axis=0)
        deviations, axes = np.linalg.svd(gradients - mean if centred else gradients, full_matrices=False)[1:]
        varies = deviations > SPAN * deviations[0]
        return cls(mean, axes[varies], deviations[varies] ** 2 / len(gradients) + noise, noise)

    def solve(self, vectors: np.ndarray) -> np.ndarray:
        """C^-1 v for vectors [..., d] from the span of the axes (all vectors where `rest` is positive)."""
        along = vectors @ self.axes.T
        solved = along / self.variances @ self.axes
        return solved + (vectors - along @ self.axes) / self.rest if self.rest else solved

    def squared(self, gradients: np.ndarray) -> np.ndarray:
        """The Mahalanobis score |g - mean|^2 in the norm of C^-1 of gradients [..., d]; inf out of the span."""
        shifts = gradients - self.mean
        along = shifts @ self.axes.T
        across = np.linalg.norm(shifts - along @ self.axes, axis=-1)
        if self.rest:
            return (along**2 / self.variances).sum(axis=-1) + across**2 / self.rest
        inside = across <= np.sqrt(SPAN) * np.linalg.norm(shifts, axis=-1)
        return np.where(inside, (along**2 / self.variances).sum(axis=-1), np.inf)

    def separation(self, directions: np.ndarray, canary: np.ndarray, n: int) -> np.ndarray:
        """How far a product with `directions` [..., d] moves when the canary [d] is among n records, in deviations.

        (a^T (g - mean))^2 / (n a^T C a), the leakage score of the attack; at best, for a = C^-1 (g - mean), it is
        `squared(canary)` / n. inf where nothing varies along the direction.
        """
        along = directions @ self.axes.T
        variance = (along**2 * self.variances).sum(axis=-1)
        variance += self.rest * ((directions - along @ self.axes) ** 2).sum(axis=-1)
        with np.errstate(divide="ignore"):
            return (directions @ (canary - self.mean)) ** 2 / (n * variance)


Score = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Scores [...] of averaged gradients [..., d], given the canary's gradients [..., d]."""


def covariance(reference: Reference, size: int) -> Score:
    """(g* - mu)^T C^-1 (g_batch - mu) - |g* - mu|^2 / (2 |B|), in the norm of C^-1. Source: MIA-EQ7.2"""

    def score(batch: np.ndarray, canary: np.ndarray) -> np.ndarray:
        shift = canary - reference.mean
        direction = reference.solve(shift)
        return (direction * (batch - reference.mean)).sum(axis=-1) - (direction * shift).sum(axis=-1) / (2 * size)

    return score


def scalar_product(batch: np.ndarray, canary: np.ndarray) -> np.ndarray:
    """g*^T g_batch. Source: MIA-E7.4"""
    return (canary * batch).sum(axis=-1)


def glir(reference: Reference, size: int) -> Score:
    """-log of the level at which the average is too near to the canary: the score of [LPK23] that has a meaning.

    The squared distance |B| |g_batch - g*|^2 is non-central chi-squared for normal gradients without the canary, with
    as many degrees as axes and non-centrality |B| |mu - g*|^2. The print has the inverse of the distribution
    function, |B| - 1 for |B| and the length for its square.
    """
    from scipy.stats import ncx2

    def score(batch: np.ndarray, canary: np.ndarray) -> np.ndarray:
        distance = reference.solve(batch - canary) * (batch - canary)
        return -ncx2.logcdf(size * distance.sum(axis=-1), len(reference.axes), size * reference.squared(canary))

    return score


def traced(
    network: Network,
    run: Transcript,
    canary: tuple[np.ndarray, int],
    scores: Mapping[str, Score],
    *,
    part: slice = slice(None),
    printed: bool = False,
) -> dict[str, float]:
    """The sums over the steps of a run of scores of a canary (x [features], y): Algorithm 13 for the covariance.

    The canary's gradient is taken anew at the parameters that every step started from; `part` are the parameters
    that are looked at. `printed` takes the batch gradients with the sign of the print, which is the opposite one.
    """
    x, y = np.asarray(canary[0])[None], np.array([canary[1]])
    own = np.concatenate([network.gradients(theta, x, y)[:, part] for theta in run.thetas[:-1]])
    averages = run.gradients(printed)[:, part]
    return {name: float(score(averages, own).sum()) for name, score in scores.items()}


@dataclass(frozen=True)
class Epoch:
    """The game of Figure 7.2: one epoch of mini-batch descent on n records drawn from the rows of x and y.

    The descent starts at `theta` and takes n // size steps at one rate; the canary takes the place of one of the
    records or of none. Attacks look at the parameters `part`. Source: MIA-E7.4
    """

    network: Network
    theta: np.ndarray
    x: np.ndarray
    y: np.ndarray
    n: int
    size: int
    rate: float
    part: slice = field(default_factory=lambda: slice(None))
    private: Private | None = None

    def references(self, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """The gradients [n_r, d] of rows at the start."""
        return self.network.gradients(self.theta, self.x[rows], self.y[rows])[:, self.part]

    def play(
        self,
        canary: tuple[np.ndarray, int],
        scores: Mapping[str, Score],
        games: int,
        generator: np.random.Generator,
        printed: bool = False,
    ) -> dict[str, Played]:
        """The scores of every attack in `games` rounds, each with a secret bit and an epoch of its own."""
        batches = blocks(self.n, self.size, self.n // self.size)
        secret = generator.random(games) < 0.5
        found = np.empty((games, len(scores)))
        for game, inside in enumerate(secret):
            rows = generator.integers(len(self.x), size=self.n)
            x, y = self.x[rows], self.y[rows]
            if inside:
                place = generator.integers(self.size * len(batches))
                x[place], y[place] = canary
            run = descend(self.network, self.theta, x, y, batches, self.rate, self.private)
            told = traced(self.network, run, canary, scores, part=self.part, printed=printed)
            found[game] = list(told.values())
        columns = zip(scores, found.T, strict=True)
        return {name: Played(np.sort(column[~secret]), np.sort(column[secret])) for name, column in columns}
