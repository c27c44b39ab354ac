"""Games on one epoch of training: was the canary among the records? The experiment of Figure 7.2.

Source: MIA-E7.4
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from banditproof.algorithms.membership.game import Played
from banditproof.algorithms.training.attacks import Reference, Score, covariance, glir, scalar_product, traced
from banditproof.algorithms.training.descent import Private, blocks, clipped, descend
from banditproof.algorithms.training.models import Network
from banditproof.theory.errors import InvalidInput

CELLS = 8_000_000  # numbers held at once
ATTACKS = ("covariance", "scalar product", "GLiR")


@dataclass(frozen=True)
class Epoch:
    """One epoch of mini-batch descent on n records drawn from the rows of x and y, a canary in place of one or of none.

    The descent starts at `theta` and takes n // size steps at one rate; attacks look at the parameters `part`.
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

    def gradients(self, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """The gradients [n_r, d] of rows at the start, clipped where the descent is private."""
        return clipped(self.network.gradients(self.theta, self.x[rows], self.y[rows]), self.private)[:, self.part]

    @property
    def spread(self) -> float:
        """The variance of the noise, as if every record had its share."""
        return 0.0 if self.private is None else self.private.spread(self.size)

    def chunks(self) -> Iterator[np.ndarray]:
        """The gradients of all rows, some at a time."""
        step = max(1, CELLS // self.network.d)
        return (self.gradients(slice(k, k + step)) for k in range(0, len(self.x), step))

    def separation(self, direction: np.ndarray, canary: np.ndarray) -> float:
        """How far the epoch's summed products with `direction` move with the canary's gradient among n records, in
        deviations and squared: the leakage score of the attack, at a parameter that does not move.

        (a^T (g* - mu))^2 / (n a^T C a), which is largest, |g* - mu|^2 / n in the norm of C^-1, for a = C^-1 (g* - mu);
        the noise of a private descent is part of C.
        """
        products = np.concatenate([chunk @ direction for chunk in self.chunks()])
        variance = products.var() + self.spread * float(direction @ direction)
        return float((direction @ canary - products.mean()) ** 2 / (self.n * variance))

    def rounds(
        self,
        canary: tuple[np.ndarray, int],
        scores: Mapping[str, Score],
        games: int,
        generator: np.random.Generator,
        printed: bool = False,
    ) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Whether the canary was in [games], and the scores of every attack [games]; every round is a new epoch."""
        batches = blocks(self.n, self.size, self.n // self.size)
        secret = generator.random(games) < 0.5
        attacked = np.empty((games, len(scores)))
        for game, inside in enumerate(secret):
            rows = generator.integers(len(self.x), size=self.n)
            x, y = self.x[rows], self.y[rows]
            if inside:
                place = generator.integers(self.size * len(batches))
                x[place], y[place] = canary
            run = descend(self.network, self.theta, x, y, batches, self.rate, self.private)
            told = traced(self.network, run, canary, scores, part=self.part, private=self.private, printed=printed)
            attacked[game] = list(told.values())
        return secret, dict(zip(scores, attacked.T, strict=True))


@dataclass(frozen=True)
class Attacked:
    """What an attack found of a target, which was in where `secret` [games] says so: its `scores` [games].

    `distance` is the target's Mahalanobis score among the other rows, `separation` the leakage score of the attack,
    None where the attack is not linear in the batch gradient.
    """

    target: str
    attack: str
    distance: float
    separation: float | None
    secret: np.ndarray
    scores: np.ndarray

    @property
    def played(self) -> Played:
        """The scores without and with the target, sorted."""
        return Played(np.sort(self.scores[~self.secret]), np.sort(self.scores[self.secret]))

    def ordered(self) -> np.ndarray:
        """Whether the score with the target is above that without it, in pairs of rounds as they were played."""
        out, inside = self.scores[~self.secret], self.scores[self.secret]
        pairs = min(len(out), len(inside))
        return inside[:pairs] > out[:pairs]


def attack_extremes(
    epoch: Epoch,
    games: int,
    generator: np.random.Generator,
    *,
    ridge: float = 0.0,
    references: int | None = None,
    attacks: Collection[str] = ATTACKS,
) -> list[Attacked]:
    """Attack the row with the highest Mahalanobis score (easy) and the one with the lowest (hard), in `games` each.

    Mean and covariance are estimated once, at the start, from `references` rows (None: all), as in Algorithm 14;
    `ridge` times the mean variance is added in every direction, and the noise of a private descent. The two targets are
    then taken out of the rows.
    Raises InvalidInput for a ridge that is negative, and for attacks that are not in `ATTACKS`.
    """
    if not 0 <= ridge < np.inf:
        raise InvalidInput("ridge", ridge, "a finite number, at least 0")
    if not set(attacks) <= set(ATTACKS):
        raise InvalidInput("attacks", attacks, f"among {', '.join(ATTACKS)}")

    def estimate(rows: Epoch) -> Reference:
        chosen = slice(None) if references is None else generator.permutation(len(rows.x))[:references]
        gradients = rows.gradients(chosen)
        return Reference.estimate(gradients, noise=epoch.spread + ridge * float(gradients.var(axis=0).mean()))

    first = estimate(epoch)
    distances = np.concatenate([first.squared(chunk) for chunk in epoch.chunks()])
    extremes = {"easy": int(distances.argmax()), "hard": int(distances.argmin())}
    kept = np.setdiff1d(np.arange(len(epoch.x)), list(extremes.values()))
    rest = replace(epoch, x=epoch.x[kept], y=epoch.y[kept])
    reference = estimate(rest)
    known = (covariance(reference, epoch.size), scalar_product, glir(reference, epoch.size))
    scores: dict[str, Score] = {n: s for n, s in zip(ATTACKS, known, strict=True) if n in attacks}
    attacked = []
    for target, row in extremes.items():
        own = epoch.gradients(np.array([row]))[0]
        directions = {"covariance": reference.solve(own - reference.mean), "scalar product": own}
        separations = {name: rest.separation(direction, own) for name, direction in directions.items()}
        secret, told = rest.rounds((epoch.x[row], epoch.y[row]), scores, games, generator)
        distance = float(reference.squared(own))
        attacked += [Attacked(target, name, distance, separations.get(name), secret, s) for name, s in told.items()]
    return attacked
