"""Recorded and replayed runs say what happened."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.algorithms.batches import GeometricBatches
from banditproof.algorithms.environment import RewardList
from banditproof.algorithms.finite.dp_index import DPIMED, DPKLUCB
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.run.simulator import simulate
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.runs.recorder import RecordingNoise, ReplayNoise, far_neighbour, record, replay

BUDGET = Budget.pure(0.5)


def make(policy=DPIMED, arms=3):
    return lambda noise, generator: policy(
        arms, BUDGET, GeometricBatches("1.5"), noise, generator=generator, ties="random"
    )


def rewards_of(seed, horizon=40):
    return tuple(np.random.default_rng(seed).random(horizon).tolist())


@pytest.mark.parametrize("policy", [DPIMED, DPKLUCB])
def test_every_release_of_algorithm_1_is_the_sum_of_one_batch_of_rewards(policy):
    rewards = rewards_of(1)
    run = record(make(policy), rewards, seed=4)
    assert [release.records[0] for release in run.releases[1:]] == [release.records[1] for release in run.releases[:-1]]
    assert run.releases[0].records[0] == 0 and run.releases[-1].records[1] == len(rewards)
    for release in run.releases:
        start, stop = release.records
        assert len(set(run.actions[start:stop])) == 1
        assert release.value[0] == pytest.approx(sum(rewards[start:stop]), rel=1e-12)  # rounding of another order
        assert (release.sensitivity, release.budget.epsilon, release.scale) == (1.0, 0.5, 2.0)


def test_a_recorded_run_is_the_run_the_simulator_makes_with_plain_noise():
    rewards, generators = rewards_of(2), [np.random.default_rng(s) for s in np.random.SeedSequence(9).spawn(2)]
    policy = make()(NoiseSource(generators[1]), generators[0])
    plain = simulate(policy, RewardList(rewards, 3), 40, generators[0], np.arange(1, 41))
    assert record(make(), rewards, seed=9).actions == tuple(plain.actions[0].tolist())


@given(st.integers(0, 2**32), st.integers(0, 2**32))
def test_a_replay_releases_what_was_recorded_and_reports_the_new_true_values(seed, other):
    run = record(make(), rewards_of(seed), seed=seed)
    replayed = replay(make(), run, rewards_of(other), seed=seed)
    assert [r.released.item() for r in replayed.releases] == [r.released.item() for r in run.releases]
    for release in replayed.releases:
        assert release.value[0] == pytest.approx(sum(replayed.rewards[slice(*release.records)]), rel=1e-12)


def test_a_replay_on_the_same_rewards_is_the_recorded_run():
    run = record(make(), rewards_of(3), seed=1)
    again = replay(make(), run, rewards_of(3), seed=1)
    assert again.actions == run.actions
    assert all(
        a.shift_to(b) == 0 and a.declared() == b.declared() for a, b in zip(run.releases, again.releases, strict=True)
    )


def test_the_shift_is_the_distance_of_true_values_in_the_declared_norm():
    noise = RecordingNoise(np.random.default_rng(0))
    for value in ([[1.0, 2.0]], [[4.0, -2.0]]):
        noise.laplace(np.array(value), sensitivity=7.0, budget=BUDGET, records=(np.array([0]), np.array([3])))
    assert noise.releases[0].shift_to(noise.releases[1]) == pytest.approx(7.0, abs=1e-14)  # allowance for rounding
    assert noise.releases[0].covers(2) and not noise.releases[0].covers(3)


@pytest.mark.parametrize(
    ("value", "moved", "shift"),
    [
        (1.0, 1 + 2.0**-14, 2.0**-14),  # a small reward, and no rounding of a sum of floats
        (1500.25, 1500.5, 0.25),
        (2.0**17 - 1, 2.0**17, 1),
        (0.1, 0.1 + 1e-9, 1e-9),
        (0.1, 0.1 + 1e-14, 0),
        (float(np.float32(0.1)), float(np.float32(0.1)) + 2.0**-25, 0),  # a sum in single precision
        (float(np.float32(0.1)), float(np.float32(0.1)) + 2.0**-10, 2.0**-10),
    ],
)
def test_a_shift_is_forgiven_where_it_may_be_rounding(value, moved, shift):
    noise = RecordingNoise(np.random.default_rng(0))
    for entry in (value, moved):
        noise.laplace(np.array([entry]), sensitivity=1.0, budget=BUDGET)
    assert noise.releases[0].shift_to(noise.releases[1]) == pytest.approx(shift, rel=1e-6)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_value_that_is_not_a_finite_number_moves_by_infinity(value):
    noise = RecordingNoise(np.random.default_rng(0))
    for entry in (1.0, value):
        noise.laplace(np.array([entry]), sensitivity=1.0, budget=BUDGET)
    finite, other = noise.releases
    assert finite.shift_to(other) == other.shift_to(finite) == np.inf


def test_a_release_without_records_may_contain_any_reward():
    noise = RecordingNoise(np.random.default_rng(0))
    noise.laplace(np.array([1.0]), sensitivity=1.0, budget=BUDGET)
    assert noise.releases[0].records is None and noise.releases[0].covers(10**6)


def test_a_run_that_asks_for_more_than_was_recorded_goes_on_with_true_values():
    noise = ReplayNoise(())
    assert noise.laplace(np.array([3.0]), sensitivity=1.0, budget=BUDGET) == 3.0
    assert len(noise.releases) == 1


def test_a_run_that_asks_for_more_names_of_arms_has_names_of_its_own():
    """A number with noise may be answered by the number, an arm by no scores."""
    noise = ReplayNoise(())
    assert noise.report_noisy_max(np.array([[3.0, 1.0]]), sensitivity=1.0, budget=BUDGET).shape == (1,)
    assert ReplayNoise((), np.random.default_rng(0)).randomised_response(np.array([1]), categories=2, budget=BUDGET)[
        0
    ] in (0, 1)


def test_the_far_neighbour_moves_one_reward_to_the_other_end():
    assert far_neighbour((0.2, 0.5, 1.0), 0) == (1.0, 0.5, 1.0)
    assert far_neighbour((0.2, 0.5, 1.0), 1) == (0.2, 0.0, 1.0)


def test_several_replications_and_lists_of_another_length_are_refused():
    with pytest.raises(InvalidInput, match="replications"):
        record(lambda noise, generator: DPIMED(2, BUDGET, GeometricBatches(2), noise, replications=3), (0.0,) * 5, 0)
    with pytest.raises(InvalidInput, match="rewards"):
        replay(make(), record(make(), rewards_of(0), 0), rewards_of(0)[:-1], 0)
