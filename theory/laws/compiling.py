"""What compiled loops share: the formulas of single floats that they may call, and what makes a stored loop stale.

numba stores a compiled loop beside the module that it stands in, and sees when that module changes, but not what it
calls from another one. So a loop that uses formulas is made by a function that `made` calls with the digest of their
modules: what a loop closes over is part of the key that it is stored under. Importing this module imports numba.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from inspect import getfile
from pathlib import Path
from typing import Any

from numba import njit
from numba.extending import register_jitable

from banditproof.theory.laws import bernoulli_floats
from banditproof.theory.numbers import logarithms

PART: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
"""Options of a function that loops call: no copy of its own is stored, so that a loop made anew takes it anew."""
STORED: dict[str, Any] = {**PART, "cache": True}
"""Options of a loop."""

for _name in ("kl_term", "kl_apart", "kl", "d", "d_apart", "kl_root", "largest_mean", "_free"):
    register_jitable(error_model="numpy")(getattr(bernoulli_floats, _name))


@cache
def sources(*formulas: Callable[..., Any]) -> str:
    """A digest of the modules whose formulas loops call, and of those that the given ones stand in."""
    modules = {str(module.__file__) for module in (bernoulli_floats, logarithms)} | set(map(getfile, formulas))
    return blake2b(b"".join(Path(file).read_bytes() for file in sorted(modules)), digest_size=16).hexdigest()


@cache
def made(make: Callable[..., Any], *chosen: Any) -> Any:
    """The loop that `make(sources, *chosen)` returns; one for every choice, in which the choice is a constant.

    What is chosen are numbers, names and formulas of numbers, plain functions that the loop may call.
    """
    formulas = [one for one in chosen if callable(one)]
    for formula in formulas:
        register_jitable(error_model="numpy")(formula)
    return make(sources(*formulas), *chosen)


def entry_by_entry(sources: str, name: str) -> Any:
    """The loop that fills `found` [N] with a formula of three columns [N]; `made` calls this."""
    formula = getattr(bernoulli_floats, name)

    @njit(**STORED)
    def run(first: Any, second: Any, third: Any, out: Any) -> None:
        if out.size < 0:
            print(sources)  # never: it is closed over for the key
        for i in range(out.size):
            out[i] = formula(first[i], second[i], third[i])

    return run
