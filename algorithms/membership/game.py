"""The membership inference game: many rounds, with a fixed target or with one of the data's law in each.

Source: MIA-A11, MIA-A12, TH-A4, TH-A5
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from banditproof.algorithms.membership.columns import Columns
from banditproof.algorithms.membership.mechanisms import Mechanism
from banditproof.algorithms.membership.scores import Score
from banditproof.theory.errors import InvalidInput

CELLS = 2_000_000  # numbers held at once


@dataclass(frozen=True)
class Played:
    """The scores of the rounds without the target, `out`, and with it, `inside`; sorted.

    Whoever guesses takes all rounds of one score or none. Raises InvalidInput for a score that is nan.
    """

    out: np.ndarray
    inside: np.ndarray

    def __post_init__(self) -> None:
        if np.isnan(self.out).any() or np.isnan(self.inside).any():
            raise InvalidInput("score", "nan", "a number or an infinity in every round; a score without a value says 0")

    def errors(self, threshold: float) -> tuple[int, int]:
        """How many rounds without the target score above the threshold, and how many with it do."""
        return int((self.out > threshold).sum()), int((self.inside > threshold).sum())

    def advantage(self, threshold: float = 0.0) -> float:
        """1 - alpha - beta at the threshold, as counted."""
        above_out, above_in = self.errors(threshold)
        return above_in / len(self.inside) - above_out / len(self.out)

    def roc(self) -> tuple[np.ndarray, np.ndarray]:
        """Levels and powers of all thresholds, from none to all."""
        thresholds = np.unique(np.concatenate([self.out, self.inside]))[::-1]
        above = [np.searchsorted(s, thresholds, side="left") for s in (self.out, self.inside)]
        rates = [1 - a / len(s) for a, s in zip(above, (self.out, self.inside), strict=True)]
        return np.concatenate([[0.0], rates[0]]), np.concatenate([[0.0], rates[1]])


def play(
    mechanism: Mechanism,
    columns: Columns,
    score: Score,
    n: int,
    games: int,
    generator: np.random.Generator,
    target: np.ndarray | None = None,
) -> Played:
    """Play `games` rounds on n records; without `target` [d] every round has one of the data's law (Algorithm 5).

    The secret bit is drawn in every round. Raises InvalidInput for n or games below 1, a target of another shape, and a
    score that is NaN.
    """
    for name, value in (("n", n), ("games", games)):
        if value < 1:
            raise InvalidInput(name, value, "an integer, at least 1")
    if target is not None and np.shape(target) != (columns.d,):
        raise InvalidInput("target", np.shape(target), f"a vector of {columns.d} numbers")
    secret = generator.random(games) < 0.5
    scores = np.empty(games)
    step = max(1, CELLS // columns.d)
    for start in range(0, games, step):
        inside = secret[start : start + step]
        chosen = columns.records(len(inside), generator) if target is None else target
        targets = np.broadcast_to(chosen, (len(inside), columns.d))
        outputs = mechanism.outputs(columns, n, inside, targets, generator)
        scores[start : start + step] = score(outputs, targets)
    return Played(np.sort(scores[~secret]), np.sort(scores[secret]))
