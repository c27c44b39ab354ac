"""Does a statistic stay within its radius as often as a concentration statement says?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from banditproof.theory.arguments import Nonnegative, Seed, Share, checked
from banditproof.theory.errors import InvalidInput, one_of
from banditproof.verify.asking import called_as
from banditproof.verify.guarantees.report import StatisticalReport
from banditproof.verify.guarantees.sequential import check_mean

SIDES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "both": np.abs,
    "above": lambda deviation: deviation,
    "below": lambda deviation: -deviation,
}


@checked
def check_concentration(
    draw: Callable[[int, np.random.Generator], np.ndarray],
    mean: float,
    radius: Nonnegative,
    delta: Share,
    *,
    side: str = "both",
    seed: Seed = 0,
    **options: Any,
) -> StatisticalReport:
    """Test "P(|statistic - `mean`| > `radius`) <= `delta`"; `side` "above" or "below" is without absolute value.

    `draw(count, generator)` returns `count` independent values of the statistic. `options` are the `error`, `missed`,
    `seconds` and `progress` of `check_mean`, whose test this is. Raises InvalidInput.
    """
    one_of("side", side, SIDES)
    generator = np.random.default_rng(seed)
    what = {"both": "|statistic - mean|", "above": "statistic - mean", "below": "mean - statistic"}[side]

    def left(count: int) -> np.ndarray:
        with called_as("draw", "(count, generator): how many values, and what draws them"):
            drawn = np.asarray(draw(count, generator), dtype=float)
        if drawn.shape != (count,):
            raise InvalidInput("what is drawn", drawn.tolist(), f"{count} numbers, as many as `count`")
        return (SIDES[side](drawn - mean) > radius).astype(float)

    return check_mean(
        left, delta, 1.0, tested=f"P({what} > {radius:g}) <= {delta:g}", cause="the radius is left too often", **options
    )
