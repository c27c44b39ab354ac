"""Loss sequences that are bad for an algorithm, found by search and kept as data in `worst.json`.

    python -m banditproof.algorithms.adversarial.search > worst.json

makes the data again. A sequence is a number of pieces of equal length with constant losses; the search changes one loss
of one piece at a time, keeps what loses more on the same coins, and measures what it found on fresh ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from banditproof.algorithms.adversarial.compiled import play_fastest
from banditproof.algorithms.adversarial.losses import LossTable, hard_panel
from banditproof.algorithms.policy import Policy
from banditproof.algorithms.registration import Game
from banditproof.algorithms.roster import algorithm as algorithm_named
from banditproof.theory.errors import InvalidInput, close_to
from banditproof.theory.privacy.budget import Budget

LEVELS = (0.0, 0.5, 1.0)


@dataclass(frozen=True)
class WorstCase:
    """What a search found: `pieces` [P][K], and the mean `regret` and its standard `error` on fresh coins.

    The rest says how it came about: the algorithm with its budget, the horizon, the seed, the steps and runs.
    """

    algorithm: str
    epsilon: float
    horizon: int
    seed: int
    steps: int
    runs: int
    regret: float
    error: float
    pieces: tuple[tuple[float, ...], ...]

    def losses(self, horizon: int | None = None) -> LossTable:
        """The sequence, stretched to another horizon if one is given."""
        rounds = self.horizon if horizon is None else horizon
        return LossTable(np.array(self.pieces)[np.arange(rounds) * len(self.pieces) // rounds])


def search_losses(
    make: Callable[[int, np.random.Generator], Policy],
    horizon: int,
    arms: int,
    *,
    pieces: int = 12,
    steps: int = 150,
    runs: int = 48,
    seed: int = 0,
) -> tuple[np.ndarray, float, float]:
    """The worst pieces [P, K] that hill climbing finds for `make(runs, generator)`, their mean regret and its error.

    Raises InvalidInput for fewer rounds than pieces.
    """
    if horizon < pieces:
        raise InvalidInput("horizon", horizon, f"at least the number of pieces, {pieces}")

    def regrets(levels: np.ndarray, coins: list[int], played: int) -> np.ndarray:
        table = LossTable(levels[np.arange(horizon) * pieces // horizon])
        return play_fastest(make(played, np.random.default_rng(coins)), table).regret[:, 0]

    draw = np.random.default_rng([seed, 1])
    levels = draw.choice(LEVELS, size=(pieces, arms))
    best = regrets(levels, [seed, 2], runs).mean()
    for _ in range(steps):
        changed = levels.copy()
        start = draw.integers(pieces)
        stop = start + draw.integers(1, 4)
        changed[start:stop, draw.integers(arms)] = draw.choice(LEVELS)
        regret = regrets(changed, [seed, 2], runs).mean()
        if regret >= best:
            levels, best = changed, regret
    fresh = regrets(levels, [seed, 3], 8 * runs)
    return levels, float(fresh.mean()), float(fresh.std() / np.sqrt(fresh.size))


PROBLEMS = {
    "exp3": (0.5, 4096),
    "htinf": (0.5, 4096),
    "ftpl": (0.5, 2048),
    "experts-htinf": (0.5, 4096),
    "exp4-local": (1.0, 4096),
    "exp3-every-round": (0.5, 4096),
}
ARMS, SEED, STEPS, RUNS = 3, 20260101, 150, 48


def found_again(algorithm: str) -> WorstCase:
    """The search whose outcome is stored for this algorithm, done again."""
    epsilon, horizon = PROBLEMS[algorithm]

    def make(played: int, generator: np.random.Generator) -> Policy:
        budget, panel = Budget.pure(epsilon), hard_panel("constant", ARMS, ARMS)
        return algorithm_named(algorithm, Game).build(Game(ARMS, horizon, budget, generator, played, panel))

    levels, regret, error = search_losses(make, horizon, ARMS, steps=STEPS, runs=RUNS, seed=SEED)
    pieces = tuple(tuple(row) for row in levels.tolist())
    return WorstCase(algorithm, epsilon, horizon, SEED, STEPS, RUNS, round(regret, 3), round(error, 3), pieces)


@cache
def stored() -> dict[str, WorstCase]:
    """The worst cases that are stored, by algorithm."""
    text = files("banditproof.algorithms.adversarial").joinpath("worst.json").read_text(encoding="utf-8")
    listed = [{**case, "pieces": tuple(map(tuple, case["pieces"]))} for case in json.loads(text)]
    return {case["algorithm"]: WorstCase(**case) for case in listed}


def worst_losses(algorithm: str, horizon: int | None = None) -> LossTable:
    """The stored sequence that is bad for this algorithm. Raises InvalidInput for one that has none."""
    if algorithm not in stored():
        raise InvalidInput("algorithm", algorithm, f"one of {', '.join(stored())}", close_to(algorithm, stored()))
    return stored()[algorithm].losses(horizon)


if __name__ == "__main__":
    cases = [json.dumps(asdict(found_again(name))) for name in PROBLEMS]
    print("[\n  " + ",\n  ".join(cases) + "\n]")
