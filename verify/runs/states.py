"""The numbers that a policy keeps: in its attributes and in what they hold, each under a path such as `means[2]`."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

State = dict[str, float]

NUMBERS = (bool, int, float, np.number, np.ndarray, list, tuple, dict, deque)
DEEPEST, LONGEST = 6, 5000  # objects within objects; entries of a state


def enter(value: Any, path: str, state: State, depth: int) -> None:
    """Enter the numbers that a value holds into the state, each under its path."""
    if isinstance(value, bool | int | float | np.number | np.bool_):
        state[path] = float(value)
    elif depth > DEEPEST or len(state) > LONGEST:
        return
    elif isinstance(value, np.ndarray):
        if value.dtype.kind in "biuf":
            numbers = np.asarray(value, dtype=float)
            state.update({f"{path}[{','.join(map(str, k))}]": float(numbers[k]) for k in np.ndindex(numbers.shape)})
    elif isinstance(value, dict):
        for key, inner in value.items():
            name = key if isinstance(key, str) and not path else f"[{key!r}]"
            step = f"{path}.{key}" if path and isinstance(key, str) else f"{path}{name}"
            enter(inner, step, state, depth + 1)
    elif isinstance(value, list | tuple | deque):
        state[f"len({path})"] = float(len(value))
        for k, inner in enumerate(value):
            enter(inner, f"{path}[{k}]", state, depth + 1)
    elif isinstance(value, set | frozenset):
        for k, inner in enumerate(sorted(value, key=repr)):
            enter(inner, f"{path}{{{k}}}", state, depth + 1)
    elif type(value).__module__.partition(".")[0] not in _PLAIN and hasattr(value, "__dict__"):
        enter(vars(value), path, state, depth + 1)


_PLAIN = ("builtins", "numpy", "random", "types", "functools", "typing", "banditproof")
