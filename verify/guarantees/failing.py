"""A policy that raises does not meet its promise: what it raised is a verdict, with the pulls until then and the line.

What is raised before the first reward is a mistake of who built the policy, or of us, and is passed on; so is every
`InvalidInput`, which is ours: an arm that does not exist, a batch that cannot be told. A method of the policy that
takes other arguments than it is given has not begun to play: that is no verdict either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from os.path import basename
from traceback import extract_tb
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.verify.asking import refuse_other_arguments
from banditproof.verify.source_lines import is_library
from banditproof.verify.stopwatch import OutOfTime


class PolicyFailed(Exception):
    """A policy raised while it played: `told` says what, after how many pulls and in which line."""

    def __init__(self, told: str) -> None:
        super().__init__(told)
        self.told = told


class Pulls:
    """The pulls of a simulation, counted where its rewards are drawn."""

    def __init__(self) -> None:
        self.drawn = 0

    def heard(self, environment: Any) -> Any:
        """The environment, of which every draw of rewards is heard."""
        heard = copy(environment)
        sum_of_rewards = heard.sum_of_rewards

        def counted(arm: Any, count: Any, *given: Any, time: Any = 0, **options: Any) -> Any:
            self.drawn = max(self.drawn, int(np.max(np.asarray(time) + count)))
            try:
                return sum_of_rewards(arm, count, *given, time=time, **options)
            except (InvalidInput, OutOfTime):
                raise
            except Exception as error:  # which is no failure of the policy, unless it named an arm that is not there
                if np.min(arm) < 0 or np.max(arm) >= environment.arms:
                    raise
                raised = f"{type(error).__name__}: {error}{_place(error)}"
                allowed = f"one whose sum_of_rewards(arm, count, generator, *, time) runs; it raised {raised}"
                raise InvalidInput("environment", type(environment).__name__, allowed) from error

        heard.sum_of_rewards = counted
        return heard

    def alone(self, rewards: Callable[[int, int], float]) -> Callable[[int, int], float]:
        """The rewards of one run by itself, of which every draw is heard."""
        self.drawn = 0

        def counted(arm: int, count: int) -> float:
            self.drawn += count
            return rewards(arm, count)

        return counted

    @contextmanager
    def playing(self) -> Iterator[None]:
        """What a policy raises in this block, once it has been paid, is a `PolicyFailed`."""
        try:
            yield
        except (InvalidInput, PolicyFailed, OutOfTime):
            raise
        except Exception as error:
            if not self.drawn:
                raise
            refuse_other_arguments(error, "make_policies")
            told = f"the policy failed after {self.drawn} pulls: {type(error).__name__}: {error}"
            raise PolicyFailed(told + _place(error)) from error


def _place(error: Exception) -> str:
    """The innermost line of what was raised that is in no library; nothing where there is none."""
    own = [f for f in extract_tb(error.__traceback__) if f.line and not is_library(f.filename)]
    return f" ({basename(own[-1].filename)}:{own[-1].lineno} in {own[-1].name}: {own[-1].line})" if own else ""
