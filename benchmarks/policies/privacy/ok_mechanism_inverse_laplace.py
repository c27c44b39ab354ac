r"""
HARMLESS: a mechanism of its own: Laplace noise by inversion, in a closure with tuples for its state
DECLARED: epsilon=1.0
"""
import numpy as np

from banditproof.algorithms import Policy
from banditproof.algorithms.noise import Mechanism
from banditproof.theory import Budget

BUDGET = Budget.pure(1.0)
SCALE = 1.0


def sample(value, generator):
    uniform = generator.random(value.shape) - 0.5
    return value - SCALE * np.sign(uniform) * np.log1p(-2 * np.abs(uniform))


def loss(value, other):
    return float(np.abs(value - other).sum() / SCALE)


INVERSE = Mechanism("laplace by inversion", sample, loss)


def policy(noise):
    class Greedy(Policy):
        sums, pulls, clock, arm = (0.0, 0.0), (0, 0), 0, 0

        def next_batch(self):
            means = [s / max(1, n) + (n == 0) * 9 for s, n in zip(self.sums, self.pulls)]
            self.arm = means.index(max(means))
            return np.array([self.arm]), np.array([7])

        def observe(self, total, count, arm=None):
            a = self.arm if arm is None else int(arm[0])
            where = (self.clock, self.clock + int(count[0]))
            noisy = noise.released(total, mechanism=INVERSE, budget=BUDGET, records=where)
            self.clock = where[1]
            self.sums = tuple(s + (i == a) * float(noisy[0]) for i, s in enumerate(self.sums))
            self.pulls = tuple(n + (i == a) * int(count[0]) for i, n in enumerate(self.pulls))

    return Greedy(2)


def make(noise, generator):
    return policy(noise)
