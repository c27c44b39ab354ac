"""How far can one reward move a value? The largest change that Hypothesis finds, to compare with what was declared.

A search from below: what it finds is attained, what it does not find may exist.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from banditproof.theory.arguments import Seed, checked, floats
from banditproof.theory.errors import InvalidInput, one_of

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Neighbours = tuple[tuple[float, ...], tuple[float, ...]]


@dataclass(frozen=True)
class LargestChange:
    """The largest change found and the neighbouring reward lists that attain it."""

    change: float
    rewards: tuple[float, ...]
    neighbour: tuple[float, ...]


def _answer(value: object) -> np.ndarray:
    allowed = "a number or an array of numbers, all finite"
    answer = floats("what function returns", value, allowed).ravel()
    if not np.isfinite(answer).all():
        raise InvalidInput("what function returns", value, allowed)
    return answer


@checked
def largest_change(
    function: Callable[[np.ndarray], np.ndarray | float],
    horizon: Annotated[int, "[1, 1000]"],
    *,
    norm: str = "l1",
    examples: Annotated[int, "[1, 1000000]"] = 300,
    seed: Seed = 0,
) -> LargestChange:
    """The largest |function(r) - function(r')| found over neighbouring lists [horizon] of rewards in [0, 1].

    `norm` is "l1" or "l2". The search depends on `seed` alone. Raises InvalidInput for another norm or horizon < 1.
    """
    one_of("norm", norm, ("l1", "l2"))
    order = 1 if norm == "l1" else 2

    def change(lists: Neighbours) -> float:
        first, second = (_answer(function(np.array(rewards))) for rewards in lists)
        return float(np.linalg.norm(first - second, ord=order))

    return LargestChange(*_maximise(change, horizon, examples, seed))


def neighbours(horizon: int) -> "SearchStrategy[Neighbours]":
    """Hypothesis strategy: a list of `horizon` rewards in [0, 1], often 0 or 1, and the list with one redrawn."""
    from hypothesis import strategies as st

    if horizon < 1:
        raise InvalidInput("horizon", horizon, "an integer >= 1")
    reward = st.sampled_from((0.0, 1.0)) | st.floats(0.0, 1.0)

    def pair(rewards: Sequence[float], time: int, changed: float) -> Neighbours:
        return tuple(rewards), (*rewards[:time], changed, *rewards[time + 1 :])

    return st.builds(pair, st.lists(reward, min_size=horizon, max_size=horizon), st.integers(0, horizon - 1), reward)


def _maximise(score: Callable[[Neighbours], float], horizon: int, examples: int, seed: int) -> tuple[float, Any, Any]:
    import hypothesis

    best: tuple[float, Any, Any] = (-1.0, (), ())

    @hypothesis.seed(int(seed))
    @hypothesis.settings(
        max_examples=int(examples),
        database=None,
        deadline=None,
        suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.data_too_large],
        phases=[hypothesis.Phase.generate, hypothesis.Phase.target],
    )
    @hypothesis.given(neighbours(horizon))
    def visit(lists: Neighbours) -> None:
        nonlocal best
        value = score(lists)
        hypothesis.target(min(value, 1e300))
        best = max(best, (value, *lists), key=lambda found: found[0])

    visit()
    return best
