"""A policy with finitely many answers, as a kernel whose privacy is exact."""

from fractions import Fraction
from math import e, log

import numpy as np
import pytest

from banditproof.algorithms import DPIMED, GeometricBatches, Policy
from banditproof.theory import Budget, InvalidInput
from banditproof.verify import finite_kernel, verify_policy_privacy


class Responses(Policy):
    """Pulls arm 0, then the arm whose number was last answered; it asks for the reward with budget log(ratio)."""

    def __init__(self, noise, ratio, raw=False):
        super().__init__(2)
        self.noise, self.budget, self.raw, self.arm, self.clock = noise, Budget.pure(log(ratio)), raw, 0, 0

    def next_batch(self):
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        spans = np.array([self.clock]), np.array([self.clock + 1])
        answer = self.noise.randomised_response(total.astype(int), categories=2, budget=self.budget, records=spans)
        self.arm, self.clock = int(total[0]) if self.raw else int(answer[0]), self.clock + 1


@pytest.mark.parametrize("horizon", [2, 3])
@pytest.mark.parametrize("notion", ["view", "table"])
def test_randomised_response_has_exactly_its_budget(horizon, notion):
    kernel = finite_kernel(lambda noise, generator: Responses(noise, 3), horizon)
    assert float(verify_policy_privacy(kernel, notion).pure.ratio) == pytest.approx(3, rel=1e-12)


def test_raw_rewards_have_no_budget():
    kernel = finite_kernel(lambda noise, generator: Responses(noise, 3, raw=True), 3)
    assert verify_policy_privacy(kernel, "view").pure.ratio == np.inf


class Chooses(Policy):
    """Pulls each arm once, then the one that the exponential mechanism names."""

    def __init__(self, noise):
        super().__init__(2)
        self.noise, self.sums, self.clock = noise, np.zeros((1, 2)), 0

    def next_batch(self):
        if self.clock < 2:
            return np.array([self.clock]), np.array([1])
        spans = np.array([0]), np.array([2])
        if self.clock == 2:
            self.best = self.noise.exponential_mechanism(
                self.sums, sensitivity=1.0, budget=Budget.pure(1.0), records=spans
            )
        return self.best, np.array([1])

    def observe(self, total, count, arm=None):
        if self.clock < 2:
            self.sums[0, self.clock] = total[0]
        self.clock += 1


def test_the_exponential_mechanism_follows_its_weights():
    kernel = finite_kernel(lambda noise, generator: Chooses(noise), 3)
    law = kernel.probability(((0, 0), (1, 1)))
    assert float(law[1] / law[0]) == pytest.approx(e**0.5, rel=1e-14) and sum(law) == Fraction(1)
    assert 1 < verify_policy_privacy(kernel, "view").pure.ratio <= e


def test_a_policy_of_another_library_is_refused_with_what_makes_one_of_it():
    with pytest.raises(InvalidInput, match="has no arms, .*; a policy of another library is checked by"):
        finite_kernel(lambda noise, generator: object(), 2)


def test_what_has_no_finite_law_is_refused():
    with pytest.raises(InvalidInput, match="finitely many answers"):
        finite_kernel(lambda noise, generator: DPIMED(2, Budget.pure(1.0), GeometricBatches(2), noise), 4)
    with pytest.raises(InvalidInput, match="coins"):
        finite_kernel(lambda noise, generator: (generator.random(), Responses(noise, 3))[1], 2)
