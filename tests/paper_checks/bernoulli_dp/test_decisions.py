"""States and runs of the proof checks against the policies themselves."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from mpmath import mp, mpf

from banditproof.algorithms import DPIMED, DPKLUCB, GeometricBatches, NoiseSource
from banditproof.paper_checks.bernoulli_dp.app_f_regret import f7_decisions as states
from banditproof.paper_checks.bernoulli_dp.app_f_regret import f9_conclusion as runs
from banditproof.theory import Budget, to_ball


def policy_in_state(kind, means, pulls, epsilon):
    policy = kind(len(means), Budget.pure(epsilon), GeometricBatches(2, 1), NoiseSource())
    policy.samples[:] = pulls
    policy.sums[:] = np.array(means) * np.array(pulls)
    policy.clock[:] = sum(pulls)
    return policy


CASES = [((0.9, 0.0), (3, 1), 4.0), ((1.0, 0.5), (7, 3), 4.0), ((0.25, 0.75), (1, 3), 1.0), ((-0.5, 1.5), (7, 3), 0.25)]


@pytest.mark.parametrize("means, pulls, epsilon", CASES)
def test_the_smaller_index_belongs_to_the_arm_that_dp_imed_pulls(means, pulls, epsilon):
    arm = int(policy_in_state(DPIMED, means, pulls, epsilon).next_batch()[0][0])
    indices = states.imed_indices(to_ball(means[0]), to_ball(means[1]), *pulls, to_ball(epsilon))
    assert indices[arm] < indices[1 - arm]


@pytest.mark.parametrize("state", [states.COUNTEREXAMPLE_37, states.LEADING])
def test_in_the_exhibited_states_dp_imed_pulls_arm_i(state):
    means, pulls = (float(state["mean_i"]), float(state["mean_j"])), (state["pulls_i"], state["pulls_j"])
    assert policy_in_state(DPIMED, means, pulls, float(state["epsilon"])).next_batch()[0][0] == 0


def in_balls(state):
    return {n: to_ball(v) if isinstance(v, Fraction) else v for n, v in state.items()}


def d(x, y, epsilon):
    """d_epsilon by direct minimisation over a fine grid."""
    grid = [mpf(min(x, y)) + abs(mpf(x) - mpf(y)) * k / 4000 for k in range(4001)]
    kl = [
        z * mp.log(z / y) + (1 - z) * mp.log((1 - z) / (1 - y))
        if 0 < z < 1
        else (-mp.log(1 - y) if z == 0 else -mp.log(y))
        for z in grid
    ]
    return min(epsilon * abs(x - z) + k for z, k in zip(grid, kl, strict=True))


def test_the_leading_suboptimal_arm_is_far_from_the_target_by_direct_minimisation(relation):
    excess, _, nothing = relation("BDP-TF.7/42")(**in_balls(states.LEADING))
    assert float(excess) == pytest.approx(float(7 * d(1, 0.45, 4) - mp.log(11)), rel=1e-6) and nothing == 0


def test_the_bound_of_37_by_direct_minimisation(relation):
    excess, _, nothing = relation("BDP-TF.7/37")(**in_balls(states.COUNTEREXAMPLE_37))
    assert float(excess) == pytest.approx(float(mp.log(3) - d(0, 0.4, 4)), rel=1e-6) and nothing == 0


@pytest.mark.parametrize("mean, pulls, t", [(0.3, 7, 50), (-1.0, 7, 50), (0.35, 40, 100)])
def test_a_high_index_is_recognised_where_the_policy_computes_it_high(mean, pulls, t):
    policy = policy_in_state(DPKLUCB, (mean, 0.0), (pulls, 1), 4.0)
    policy.clock[:] = t - 1
    index = policy.score(np.clip([[mean, 0.0]], 0, 1), np.array([[pulls, 1]]))[0, 0]
    exact = (to_ball(v) for v in ("0.5", "0.1", 4, mean))
    high = states.late_round(*exact, pulls, t, "below")[0] != 0
    assert high == (index >= 0.4)


def test_a_prescribed_run_is_the_run_of_a_loop_over_pulls():
    choices, alpha, n0 = [0, 1, 1, 0, 1], Fraction(3, 2), 1
    pulls, done, trace = [0, 0], [0, 0], []
    for arm in (0, 1, *choices):
        size = GeometricBatches(alpha, n0).size(done[arm])
        trace.append((arm, pulls[arm], size))
        pulls[arm] += size
        done[arm] += 1
    assert runs.run_of_choices(choices, 2, alpha, n0, sum(pulls)) == trace


def test_every_listed_run_reaches_its_horizon():
    shortest = min(
        sum(size for _, _, size in runs.run_of_choices(run["choices"], run["arms"], run["alpha"], run["n0"], 10**6))
        for run in runs.RUNS
    )
    assert shortest >= max(runs.HORIZONS)


def test_an_undecided_premise_leaves_both_answers():
    claimed, _, _ = states.if_([(arb(0, 1), "<", 0)], to_ball(2), "<=", to_ball(1))
    assert claimed.contains(0) and claimed.contains(1)
