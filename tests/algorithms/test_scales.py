"""Scales of Laplace noise are rounded up and shares of a budget down, wherever they are computed."""

import random
from fractions import Fraction

import numpy as np
import pytest

from banditproof.algorithms.finite.continual_counting import count_with_binary_tree
from banditproof.algorithms.finite.dp_ucb import DPUCB
from banditproof.algorithms.noise import NoiseSource, quotient_rounded_down, quotient_rounded_up
from banditproof.theory import Budget, tree_levels


class Spent(NoiseSource):
    """Adds no noise and remembers what the releases say they spend, and at which scale."""

    def __init__(self):
        super().__init__()
        self.budgets, self.scales = [], []

    def release(self, distribution, value, scale, *, budget, **declared):
        self.budgets += [Fraction(float(e)) for e in np.atleast_1d(budget.epsilon)]
        self.scales += [Fraction(float(s)) for s in np.ravel(scale)]
        return value


def test_no_quotient_lies_below_the_exact_one_and_exact_ones_stay():
    draw = random.Random(5)
    nearest_below = 0
    for _ in range(20_000):
        a = draw.choice([1.0, draw.uniform(0, 10), 10.0 ** draw.uniform(-300, 300)])
        b = draw.choice([draw.uniform(1e-3, 9), 10.0 ** draw.uniform(-300, 300), draw.randint(1, 99) / 10])
        quotient = float(quotient_rounded_up(a, np.asarray(b)))
        if np.isfinite(quotient):
            exact = Fraction(a) / Fraction(b)
            assert Fraction(quotient) >= exact
            nearest_below += Fraction(a / b) < exact
    assert nearest_below > 5_000
    assert quotient_rounded_up(1.0, np.array([np.inf, 2.0, 0.125])).tolist() == [0.0, 0.5, 8.0]


def test_no_share_lies_above_the_exact_one_and_exact_ones_stay():
    draw = random.Random(6)
    nearest_above = 0
    for _ in range(20_000):
        a = draw.choice([draw.uniform(0, 10), 10.0 ** draw.uniform(-320, 308), draw.randint(1, 99) / 10])
        b = draw.choice([draw.randint(1, 99), draw.randint(1, 10**15), draw.uniform(1e-3, 9)])
        quotient, exact = float(quotient_rounded_down(np.asarray(a), b)), Fraction(a) / Fraction(b)
        assert 0 <= quotient < np.inf and Fraction(quotient) <= exact
        if 1e-250 < quotient < 1e290:
            assert Fraction(float(np.nextafter(quotient, np.inf))) > exact
        nearest_above += np.isfinite(a / b) and Fraction(a / b) > exact
    assert nearest_above > 5_000
    assert quotient_rounded_down(np.array([np.inf, 2.0, 0.75]), 4).tolist() == [np.inf, 0.5, 0.1875]


EPSILONS = [*(k / 10 for k in range(1, 100)), 1 / 3, 1e-12, 5e6]


@pytest.mark.parametrize(("variant", "trees"), [("thesis", 1), ("mt15", 3)])
@pytest.mark.parametrize("horizon", [2, 5, 100, 1000, 10**7])
def test_the_nodes_of_a_tree_spend_no_more_than_its_budget(variant, trees, horizon):
    policy = DPUCB(3, Budget.pure(np.array(EPSILONS)), Spent(), horizon=horizon, variant=variant)
    shares = [trees * policy.levels * Fraction(share) for share in policy.node_budget.tolist()]
    assert all(0 <= 1 - spent / Fraction(e) < Fraction(1, 2**51) for spent, e in zip(shares, EPSILONS, strict=True))
    policy.observe(np.ones(len(EPSILONS)), np.ones(len(EPSILONS), dtype=int), np.zeros(len(EPSILONS), dtype=int))
    assert all(
        trees * policy.levels / scale <= Fraction(e) for scale, e in zip(policy.noise.scales, EPSILONS, strict=True)
    )


@pytest.mark.parametrize("horizon", [1, 3, 6, 17, 100])
@pytest.mark.parametrize("epsilon", EPSILONS[::7])
def test_the_levels_of_a_counter_spend_no_more_than_its_budget(horizon, epsilon):
    noise = Spent()
    count_with_binary_tree(np.ones((1, horizon)), epsilon, noise)
    assert len(noise.budgets) == tree_levels(horizon)
    assert 0 <= 1 - sum(noise.budgets) / Fraction(epsilon) < Fraction(1, 2**51)


def test_laplace_noise_of_a_budget_spends_no_more():
    class Recorded(NoiseSource):
        scales = []

        def draw(self, distribution, scale, shape):
            self.scales.append(float(np.max(scale)))
            return np.zeros(shape)

    epsilons = [k / 1000 for k in range(1, 2000)]
    for epsilon in epsilons:
        Recorded().laplace(np.zeros(1), sensitivity=1.0, budget=Budget.pure(epsilon))
    assert all(Fraction(s) * Fraction(e) >= 1 for s, e in zip(Recorded.scales, epsilons, strict=True))
