"""Runs follow the model of an algorithm, and those of an algorithm that does otherwise do not."""

import numpy as np
import pytest

from banditproof.algorithms.policy import Policy
from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.runs.alignment import reward_list
from banditproof.verify.runs.followed import departing, departures, departures_of
from banditproof.verify.runs.planted import PLANTED
from banditproof.verify.runs.recorder import record

ONE = Budget.pure(1.0)


class Doubling(Policy):
    """Two arms, batches of 1, 1, 2, 2, 4, 4, ... pulls; then the arm with the larger released sum of its last batch."""

    def __init__(self, noise, change=""):
        super().__init__(2, 1)
        self.noise, self.change = noise, change
        self.clock, self.batch, self.total, self.sums = 0, 0, 0.0, [0.0, 0.0]

    def next_batch(self):
        self.arm = self.batch if self.batch < 2 else int(np.argmax(self.sums))
        return np.array([self.arm]), np.array([2 ** (self.batch // 2)])

    def observe(self, total, count, arm=None):
        start, self.clock = self.clock, self.clock + int(count[0])
        self.batch += 1
        self.total = float(total[0]) + (self.total if "not reset" in self.change else 0.0)
        records = (0 if self.change == "not reset, and said" else start, self.clock)
        budget = Budget.pure(2.0) if self.change == "half the noise" else ONE
        scale = 3.0 if self.change == "three times the sum" else 1.0

        def release():
            value = np.array([scale * self.total])
            return float(self.noise.laplace(value, sensitivity=1.0, budget=budget, records=records)[0])

        released = (release() + release()) / 2 if self.change == "released twice" else release()
        self.sums[self.arm] = float(total[0]) if self.change == "raw sums" else released


CHANGES = ["not reset", "not reset, and said", "released twice", "half the noise", "three times the sum", "raw sums"]


def made(change):
    return lambda noise, generator: Doubling(noise, change)


def test_an_algorithm_that_is_its_model_does_not_depart_from_it():
    assert departures(made(""), 60, ONE, 3) == 0


@pytest.mark.parametrize("change", CHANGES)
def test_an_algorithm_that_is_changed_departs_from_the_model(change):
    assert departures(made(change), 60, ONE, 3) > 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("not reset", "is not the sum of its rewards"),
        ("not reset, and said", "enters 10 releases"),
        ("released twice", "enters 2 releases"),
        ("half the noise", "is too small"),
        ("three times the sum", "is not the sum of its rewards"),
    ],
)
def test_what_is_not_as_in_the_model_is_said(change, said):
    run = record(made(change), reward_list(2, 60, np.random.default_rng(1)), 1)
    assert said in " ".join(departing(run, ONE))


def test_a_reward_may_enter_several_releases_at_a_share_of_the_budget():
    run = record(made("released twice"), reward_list(2, 60, np.random.default_rng(1)), 1)
    assert list(departing(run, Budget.pure(2.0), most=2)) == []
    assert list(departing(run, ONE, most=2)) != []


@pytest.mark.parametrize("bug", PLANTED)
def test_a_planted_bug_departs_from_the_model(bug):
    assert departures_of("adap-ucb", ["pure", 1], 40, 0, bug)[0] > 0


# ---------------------------------------------------------------------------------------------------- registered claims

load()
MODEL_OF = {i: c for c in REGISTER.values() for i in c.rests_on if REGISTER[i].role == "model"}


def test_a_model_is_compared_with_runs_by_a_check_that_notices_bugs():
    models = [c for c in REGISTER.values() if c.role == "model"]
    assert {c.id for c in models} >= set(MODEL_OF)
    assert all(len(c.mutations) >= 3 for c in models)
