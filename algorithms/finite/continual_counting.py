"""Private counters under continual observation: three ways to release all prefix sums of a stream of bits.

All take streams [R, T] of R replications and return the T noisy prefix sums [R, T]; the answer at step t depends on
the first t bits and on noise. All noise comes from the given source, which hears of sensitivity and budget.

Source: TH-A2.SM1, TH-A2.SM2, TH-A2.BT
"""

from __future__ import annotations

import numpy as np

from banditproof.algorithms.noise import NoiseSource, quotient_rounded_down
from banditproof.theory import Budget, InvalidInput, dyadic_cover, tree_levels


def count_with_fresh_noise(streams: np.ndarray, epsilon: float, noise: NoiseSource) -> np.ndarray:
    """Simple mechanism I: every prefix sum plus its own Laplace noise of scale T/epsilon.

    One bit moves up to T sums by one each, so the vector of all sums has sensitivity T.

    Source: TH-A2.SM1
    """
    streams = _checked(streams)
    sums = np.cumsum(streams, axis=1)
    return noise.laplace(sums, sensitivity=streams.shape[1], budget=Budget.pure(epsilon), records=_all(streams))


def count_with_noise_per_bit(streams: np.ndarray, epsilon: float, noise: NoiseSource) -> np.ndarray:
    """Simple mechanism II: prefix sums of the bits with Laplace noise of scale 1/epsilon on each.

    Source: TH-A2.SM2
    """
    streams = _checked(streams)
    noisy = noise.laplace(streams, sensitivity=1, budget=Budget.pure(epsilon), records=_all(streams))
    return np.cumsum(noisy, axis=1)


def count_with_binary_tree(streams: np.ndarray, epsilon: float, noise: NoiseSource) -> np.ndarray:
    """The binary tree mechanism: noisy sums over dyadic ranges, added up along the binary digits of t.

    A stream of T bits is padded to a power of two. Each of the `tree_levels(T)` levels partitions the stream, so it
    has sensitivity 1 and takes an equal share of epsilon, rounded down; the noise of a node has scale
    tree_levels(T)/epsilon.

    Source: TH-A2.BT
    """
    streams = _checked(streams)
    replications, horizon = streams.shape
    levels = tree_levels(horizon)
    padded = np.zeros((replications, 1 << (levels - 1)))
    padded[:, :horizon] = streams
    share = Budget.pure(quotient_rounded_down(np.asarray(epsilon), levels))
    nodes = []
    for level in range(levels):
        sums = padded.reshape(replications, -1, 1 << level).sum(axis=2)
        nodes.append(noise.laplace(sums, sensitivity=1, budget=share, records=_all(streams)))
    answers = np.zeros((replications, horizon))
    for t in range(1, horizon + 1):
        for start, stop in dyadic_cover(t):
            answers[:, t - 1] += nodes[(stop - start).bit_length() - 1][:, start // (stop - start)]
    return answers


COUNTERS = {
    "fresh noise per sum": count_with_fresh_noise,
    "noise per bit": count_with_noise_per_bit,
    "binary tree": count_with_binary_tree,
}
"""The three counters by the names that `theory.continual_counting.counting_error` uses."""


def _checked(streams: np.ndarray) -> np.ndarray:
    streams = np.asarray(streams, dtype=float)
    if streams.ndim != 2 or streams.size == 0 or not np.isin(streams, (0.0, 1.0)).all():
        raise InvalidInput("streams", streams.shape, "bits 0 and 1 of shape [R, T] with R, T >= 1")
    return streams


def _all(streams: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The whole stream, for every replication."""
    replications, horizon = streams.shape
    return np.zeros(replications, dtype=int), np.full(replications, horizon)
