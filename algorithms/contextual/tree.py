"""The tree mechanism for streams of vectors: running sums from noisy sums over dyadic stretches."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from banditproof.algorithms.noise import Records
from banditproof.theory.arguments import Size, checked

Release = Callable[[np.ndarray, np.ndarray, Records], np.ndarray]
"""How a node is released: its sum [n, D], the replications [n] it belongs to and its records to the noisy sum."""


def levels_of(horizon: int) -> int:
    """In how many nodes an item of a stream of up to `horizon` items enters: floor(log2 T) + 1. Source: ALG-A-TREE"""
    return int(horizon).bit_length()


class PrefixTree:
    """Noisy running sums `sums` [R, S, D] of S streams of vectors in R^D per replication.

    Item number n of a stream closes a node over its last 2^j items, j the lowest set bit of n; a node is released once,
    when it closes. Source: ALG-A-TREE
    """

    @checked
    def __init__(self, replications: Size, streams: int, horizon: int, size: int) -> None:
        self.levels = levels_of(horizon)
        shape = (replications, streams, self.levels)
        self.items = np.zeros((replications, streams), dtype=np.int64)
        self.true, self.noisy = np.zeros((*shape, size)), np.zeros((*shape, size))
        self.began = np.zeros(shape, dtype=np.int64)  # the round of a node's first item

    @property
    def sums(self) -> np.ndarray:
        return self.noisy.sum(axis=2)

    def add(self, stream: np.ndarray, value: np.ndarray, time: np.ndarray, release: Release) -> None:
        """One more item `value` [R, D], heard in the rounds `time` [R], for `stream` [R] of every replication."""
        rows = np.arange(stream.size)
        self.items[rows, stream] += 1
        number = self.items[rows, stream]
        level = np.log2(number & -number).astype(np.int64)
        lower = np.arange(self.levels) < level[:, np.newaxis]
        nodes = self.true[rows, stream]
        total = value + np.where(lower[:, :, np.newaxis], nodes, 0.0).sum(axis=1)
        below = self.began[rows, stream, np.maximum(level - 1, 0)]
        began = np.where(level > 0, below, time)
        for kept in (self.true, self.noisy):
            kept[rows, stream] = np.where(lower[:, :, np.newaxis], 0.0, kept[rows, stream])
        self.true[rows, stream, level], self.began[rows, stream, level] = total, began
        self.noisy[rows, stream, level] = release(total, rows, (began, time + 1, stream))
