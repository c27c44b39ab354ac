"""Scales of Laplace noise are rounded up, wherever they are computed."""

import random
from fractions import Fraction

import numpy as np

from banditproof.algorithms.noise import NoiseSource, quotient_rounded_up


def test_no_quotient_lies_below_the_exact_one_and_exact_ones_stay():
    draw = random.Random(5)
    nearest_below = 0
    for _ in range(20_000):
        a = draw.choice([1.0, draw.uniform(0, 10), 10.0 ** draw.uniform(-300, 300)])
        b = draw.choice([draw.uniform(1e-3, 9), 10.0 ** draw.uniform(-300, 300), draw.randint(1, 99) / 10])
        found = float(quotient_rounded_up(a, np.asarray(b)))
        if np.isfinite(found):
            exact = Fraction(a) / Fraction(b)
            assert Fraction(found) >= exact
            nearest_below += Fraction(a / b) < exact
    assert nearest_below > 5_000
    assert quotient_rounded_up(1.0, np.array([np.inf, 2.0, 0.125])).tolist() == [0.0, 0.5, 8.0]


def test_laplace_noise_of_a_budget_spends_no_more():
    from banditproof.theory import Budget

    class Recorded(NoiseSource):
        scales = []

        def draw(self, distribution, scale, shape):
            self.scales.append(float(np.max(scale)))
            return np.zeros(shape)

    epsilons = [k / 1000 for k in range(1, 2000)]
    for epsilon in epsilons:
        Recorded().laplace(np.zeros(1), sensitivity=1.0, budget=Budget.pure(epsilon))
    assert all(Fraction(s) * Fraction(e) >= 1 for s, e in zip(Recorded.scales, epsilons, strict=True))
