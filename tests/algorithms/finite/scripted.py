"""A source of given noise that keeps what was declared."""

from typing import NamedTuple

import numpy as np

from banditproof.algorithms.noise import NoiseSource


class Released(NamedTuple):
    """What a single run declared with a release: the law, the value before noise, the scale, first and last record."""

    distribution: str
    value: float
    scale: float
    records: tuple[int, ...]


class Scripted(NoiseSource):
    """Gives out given standard noise terms, one per release of a single run, each times the scale."""

    def __init__(self, terms):
        super().__init__()
        self.terms, self.releases = list(terms), []

    def draw(self, distribution, scale, shape):
        return scale * self.terms[len(self.releases)]

    def release(self, distribution, value, scale, **declared):
        released = super().release(distribution, value, scale, **declared)
        records = tuple(int(end[0]) for end in declared["records"])
        self.releases.append(Released(distribution, float(value[0]), float(np.ravel(scale)[0]), records))
        return released
