"""What is told of a policy names its own reason: raw rewards beside a clock, the loop that pays twice, the contexts."""

import json
import time

import numpy as np
import pytest

from banditproof.algorithms import Policy
from banditproof.algorithms.contextual.oful import AdaCOFUL
from banditproof.theory import Budget
from banditproof.theory.errors import InvalidInput
from banditproof.verify import check_privacy
from banditproof.verify.runs.contextual import UNIT, WithContexts
from banditproof.verify.testing.kept import _unpacked, _written

ONE = Budget.pure(1.0)


class Sixes(Policy):
    def __init__(self, noise):
        super().__init__(2, 1)
        self.noise, self.values, self.clock, self.took = noise, np.full(2, 2.0), 0, []

    def next_batch(self):
        self.arm = int(self.values.argmax())
        return np.array([self.arm]), np.array([6])

    def observe(self, total, count, arm=None):
        self.start, self.clock = self.clock, self.clock + int(count[0])
        self.values[self.arm] = self.told(float(total[0])) / 6

    def publish(self, value, budget=ONE):
        records = self.start, self.clock
        return self.noise.laplace(np.array([value]), sensitivity=1, budget=budget, records=records)[0]


class Sleeping(Sixes):
    def told(self, total):
        time.sleep(0)
        return total


class Timed(Sixes):
    def told(self, total):
        began = time.perf_counter()
        self.took.append(time.perf_counter() - began)
        return total


class NoisyByClock(Sixes):
    def told(self, total):
        return total + time.perf_counter_ns() % 1000 / 1000


class Thrice(Sixes):
    def told(self, total):
        for _ in range(3):
            said = self.publish(total)
        return said


class Once(Sixes):
    def told(self, total):
        for _ in range(1):
            said = self.publish(total)
        return said


@pytest.mark.parametrize(
    ("kind", "cause"), [(Sleeping, "raw rewards"), (Timed, "raw rewards"), (NoisyByClock, "outside randomness")]
)
def test_a_clock_is_noise_only_where_it_is_computed_with(kind, cause):
    def make(noise, generator):
        return kind(noise)

    assert check_privacy(make, ONE).violations[0].cause == cause


def test_a_loop_that_calls_a_helper_is_named():
    def make(noise, generator):
        return Thrice(noise)

    told = check_privacy(make, ONE).violations[0].line
    assert "in told: said = self.publish(total)" in told and "in told: for _ in range(3):" in told
    assert check_privacy(lambda noise, generator: Once(noise), ONE, seconds=1).ok


def test_a_contextual_policy_is_told_how_it_can_be_checked():
    budget = Budget.zcdp(0.5)
    with pytest.raises(InvalidInput, match=r"WithContexts\(policy, UNIT\)"):
        check_privacy(lambda noise, generator: AdaCOFUL(3, budget, noise, horizon=100), budget)


def test_so_checked_it_is_private():
    budget = Budget.zcdp(0.5)
    fixed = lambda noise, generator: WithContexts(AdaCOFUL(3, budget, noise, horizon=1000), UNIT)  # noqa: E731
    assert check_privacy(fixed, budget).ok


def test_kept_lists_are_stored_by_their_runs_and_read_again():
    kept = {"rewards": [0.0] * 100_000 + [1.0], "neighbour": [0.5, 1.0, 0.25], "cause": "raw rewards", "far": None}
    text = _written(kept)
    assert len(text.splitlines()) == 6 and len(text) < 300
    assert {name: _unpacked(value) for name, value in json.loads(text).items()} == kept
