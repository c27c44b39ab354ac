"""A source of given noise."""

from banditproof.algorithms.noise import NoiseSource


class GivenNoise(NoiseSource):
    """The k-th release gets the first numbers of the k-th row, times its scale."""

    def __init__(self, rows):
        super().__init__()
        self.rows = iter(rows)

    def draw(self, distribution, scale, shape):
        return scale * next(self.rows)[: shape[1]].reshape(shape)
