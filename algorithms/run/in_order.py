"""Pieces of a simulation, here or on other processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from banditproof.theory.arguments import Workers

Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]


def in_order(function: Callable[[Any], Any], arguments: Iterable[Any], workers: Workers | Map) -> Iterator[Any]:
    """The results in the order of the arguments: from so many processes, or from a `map` that calls elsewhere.

    On processes, through joblib: what is called need not be known by name.
    """
    if callable(workers):
        return workers(function, arguments)
    if workers == 1:
        return map(function, arguments)
    from joblib import Parallel, delayed

    return iter(Parallel(n_jobs=workers, return_as="generator")(delayed(function)(one) for one in arguments))
