"""AdaC-OFUL and its relatives against a transcript of Algorithm 9, whatever the number of rounds shown at once."""

from math import log
from typing import Any

import numpy as np
import pytest
from flint import fmpq, fmpq_mat, fmpz_mat

from banditproof.algorithms.contextual.environment import ContextualBandit, GaussianContexts, GivenContexts
from banditproof.algorithms.contextual.oful import OFUL, AdaCOFUL, AdaROFUL, RarelySwitchingOFUL
from banditproof.algorithms.contextual.policy import add_rank_one
from banditproof.algorithms.contextual.simulation import simulate_contextual
from banditproof.algorithms.noise import NoiseSource
from banditproof.theory import Budget, InvalidInput
from banditproof.theory.linear.confidence import most_updates
from tests.algorithms.contextual.given import GivenNoise

D, K, T, RIDGE, GROWTH, DELTA, RHO = 3, 5, 400, 0.5, 0.7, 0.01, 0.3


def algorithm_9(sets, rewards, normals, rho):
    """The pseudo code line by line; rewards[t][k] is what vector k of round t would bring."""
    V = {0: RIDGE * np.eye(D)}
    theta, tau, ell, past, picked = {0: np.zeros(D)}, 0, 1, [], []
    Y = {m: np.sqrt(2 / rho) * normals[m - 1] for m in range(1, len(normals) + 1)}
    for t in range(1, len(sets) + 1):
        if np.linalg.det(V[t - 1]) > (1 + GROWTH) * np.linalg.det(V[tau]):
            theta[t - 1] = np.linalg.inv(V[t - 1]) @ (
                sum(a * r for a, r in past) + sum(Y[m] for m in range(1, ell + 1))
            )
            ell, tau = ell + 1, t - 1
        level = np.log(T / DELTA)
        noise = np.sqrt(2 * (ell - 1) / rho * (D + 2 * np.sqrt(D * level) + 2 * level)) if rho < np.inf else 0.0
        beta = np.sqrt(2 * np.log(1 / DELTA) + np.log(np.linalg.det(V[tau]) / RIDGE**D)) + np.sqrt(RIDGE)
        width = beta + noise / np.sqrt(np.linalg.eigvalsh(V[tau])[0])
        inverse = np.linalg.inv(V[tau])
        index = np.array([theta[tau] @ a + width * np.sqrt(a @ inverse @ a) for a in sets[t - 1]])
        k = int(np.argmax(index > index.max() - 1e-9))  # in the first round the vectors, of norm 1, are all as good
        picked.append(k)
        a = sets[t - 1][k]
        past.append((a, rewards[t - 1][k]))
        V[t] = V[t - 1] + np.outer(a, a)
    return picked, ell - 1


def replayed(policy, sets, rewards, window):
    picked, clock = [], 0
    while clock < len(sets):
        shown = sets[np.newaxis, clock : clock + window]
        start, rounds = np.zeros(1, dtype=int), shown.shape[1]
        while start[0] < rounds:
            arm, stop = policy.next_batch(shown, start)
            heard = rewards[np.arange(clock, clock + rounds), arm[0]][np.newaxis]
            policy.observe(heard)
            picked += arm[0, start[0] : stop[0]].tolist()
            start = stop
        clock += rounds
    return picked


@pytest.fixture(scope="module")
def rounds():
    draw = np.random.default_rng(3)
    sets = GaussianContexts(K, D, 0.3, unit=True).draw(1, 0, T, draw)[0]
    return sets, np.clip(sets @ [0.6, -0.6, 0.5] + 0.3 * draw.standard_normal((T, K)), -1, 1)


@pytest.mark.parametrize("window", [1, 7, 64, T])
@pytest.mark.parametrize("kind", ["zcdp", "rdp", "free"])
def test_the_policy_picks_what_the_pseudo_code_picks(rounds, window, kind):
    sets, rewards = rounds
    normals = np.random.default_rng(4).standard_normal((60, D))
    options: dict[str, Any] = {"horizon": T, "ridge": RIDGE, "growth": GROWTH, "confidence": DELTA}
    policies: dict[str, AdaCOFUL] = {
        "zcdp": AdaCOFUL(D, Budget.zcdp(RHO), GivenNoise(normals), **options),
        "rdp": AdaROFUL(D, Budget.rdp(2.0, 2 * RHO), GivenNoise(normals), **options),
        "free": RarelySwitchingOFUL(D, **options),
    }
    policy = policies[kind]
    picked, updates = algorithm_9(sets, rewards, normals, np.inf if kind == "free" else RHO)
    assert replayed(policy, sets, rewards, window) == picked
    # the policy updates after the round, the pseudo code before the next one
    assert 0 <= policy.updates[0] - updates <= 1 and updates > 8


@pytest.mark.parametrize("ridge", range(1, 12))
@pytest.mark.parametrize("window", [1, 3])
def test_a_determinant_that_has_grown_by_just_the_factor_brings_no_update(ridge, window):
    """One vector of norm 1 takes the determinant from ridge^2 to (1 + 1 / ridge) ridge^2."""
    policy = RarelySwitchingOFUL(2, horizon=T, ridge=ridge, growth=1 / ridge)
    sets, updates = np.tile([[0.6, 0.8]], (3, 1, 1)), []
    for t in range(0, 3, window):
        replayed(policy, sets[t : t + window], np.zeros((window, 1)), window)
        updates.append(int(policy.updates[0]))
    assert updates == ([0, 1, 1] if window == 1 else [1])


def test_oful_picks_what_a_fresh_factorisation_in_every_round_picks(rounds):
    sets, rewards = rounds
    policy = OFUL(D, horizon=T, ridge=RIDGE, confidence=DELTA)
    design, total, picked = RIDGE * np.eye(D), np.zeros(D), []
    for t in range(T):
        width = np.sqrt(2 * np.log(1 / DELTA) + np.log(np.linalg.det(design) / RIDGE**D)) + np.sqrt(RIDGE)
        inverse = np.linalg.inv(design)
        index = np.array([a @ inverse @ total + width * np.sqrt(a @ inverse @ a) for a in sets[t]])
        picked.append(int(np.argmax(index > index.max() - 1e-9)))
        a = sets[t, picked[-1]]
        design, total = design + np.outer(a, a), total + rewards[t, picked[-1]] * a
    assert replayed(policy, sets, rewards, 50) == picked


@pytest.mark.parametrize(("spread", "fresh"), [(1.0, 1e-13), (1e-3, 1e-9), (0.0, 1e-7)])
def test_rank_one_updates_stay_at_the_exact_inverse(spread, fresh):
    """Contexts in all directions, around a line, and on it, where a fresh inverse in floats loses up to `fresh`."""
    draws = np.array([[0.8, -0.6, 0.0]]) + spread * np.random.default_rng(0).standard_normal((20_000, D))
    whole = np.rint(draws * 2**20).astype(np.int64)
    vectors = whole / 2**20
    exact = fmpq_mat(fmpz_mat((whole.T @ whole + int(RIDGE * 2**40) * np.eye(D, dtype=np.int64)).tolist())) / 2**40
    true = np.array([[float(fmpq(x).p) / float(fmpq(x).q) for x in row] for row in exact.inv().tolist()])
    inverse, log_volume = np.eye(D)[np.newaxis] / RIDGE, np.zeros(1)
    for x in vectors:
        log_volume += np.log(add_rank_one(inverse, x[np.newaxis]))
    assert np.abs(inverse[0] - true).max() <= 3e-12 * np.abs(true).max()
    assert np.abs(np.linalg.inv(RIDGE * np.eye(D) + vectors.T @ vectors) - true).max() <= fresh * np.abs(true).max()
    volume = log(exact.det().p) - log(exact.det().q) - D * log(RIDGE)
    assert log_volume[0] == pytest.approx(volume, rel=1e-10)


def test_rarely_switching_updates_as_rarely_as_printed():
    policy = RarelySwitchingOFUL(D, horizon=5000, ridge=0.1, replications=20)
    bandit = ContextualBandit([0.5, 0.5, 0.0], GaussianContexts(unit=True), clipped=True)
    simulate_contextual([policy], bandit, 5000, np.random.default_rng(0))
    bound = float(most_updates(5000, 0.1, D, 1.0))
    assert policy.updates.max() <= bound < 2 * policy.updates.min()


def test_the_design_is_the_sum_of_the_played_vectors(rounds):
    sets, rewards = rounds
    policy = RarelySwitchingOFUL(D, horizon=T, ridge=RIDGE)
    picked = replayed(policy, sets, rewards, 64)
    played = sets[np.arange(T), picked]
    assert policy.design[0] == pytest.approx(RIDGE * np.eye(D) + played.T @ played, rel=1e-12)


def test_the_simulator_counts_the_regret_of_a_policy_played_round_by_round():
    contexts = GivenContexts(np.random.default_rng(1).uniform(-0.5, 0.5, (30, 4, D)))
    bandit = ContextualBandit([0.9, 0.1, -0.3], contexts, deviation=0.0)
    options = {"horizon": 200, "ridge": RIDGE, "replications": 2}
    regret = simulate_contextual([RarelySwitchingOFUL(D, **options)], bandit, 200, np.random.default_rng(0), [50, 200])
    sets = contexts.draw(1, 0, 200, None)[0]
    values = sets @ bandit.theta
    picked = replayed(RarelySwitchingOFUL(D, horizon=200, ridge=RIDGE), sets, values, 1)
    lost = np.cumsum(values.max(axis=1) - values[np.arange(200), picked])
    assert regret[0] == pytest.approx(np.tile(lost[[49, 199]], (2, 1)))


def test_policies_in_one_simulation_meet_the_same_rounds():
    bandit = ContextualBandit([0.9, 0.1, -0.3], GaussianContexts(unit=True), clipped=True)
    free = [RarelySwitchingOFUL(D, horizon=300, replications=4) for _ in range(2)]
    huge = AdaCOFUL(D, Budget.zcdp(1e12), NoiseSource(np.random.default_rng(0)), horizon=300, replications=4)
    one, two, private = simulate_contextual([*free, huge], bandit, 300, np.random.default_rng(0))
    assert (one == two).all() and private == pytest.approx(one, rel=1e-3)


def test_the_printed_width_is_wider_where_contexts_are_spread_less_than_observed():
    wide, narrow = (
        RarelySwitchingOFUL(D, horizon=T)
        if value is None
        else AdaCOFUL(D, Budget.zcdp(RHO), NoiseSource(np.random.default_rng(0)), horizon=T, eigenvalue=value)
        for value in (0.01, None)
    )
    bandit = ContextualBandit([0.9, 0.1, -0.3], GaussianContexts(unit=True), clipped=True)
    simulate_contextual([wide, narrow], bandit, T, np.random.default_rng(0))
    assert (wide.width > narrow.width).all()


def test_other_budgets_rewards_and_contexts_are_refused():
    with pytest.raises(InvalidInput, match="budget"):
        AdaCOFUL(D, Budget.pure(1.0), NoiseSource(), horizon=T)
    policy = RarelySwitchingOFUL(D, horizon=T)
    with pytest.raises(InvalidInput, match="contexts"):
        policy.next_batch(np.ones((1, 1, 2, 2)), np.zeros(1, dtype=int))
    policy.next_batch(np.ones((1, 1, 2, D)), np.zeros(1, dtype=int))
    with pytest.raises(InvalidInput, match="norm at most 1"):
        policy.observe(np.zeros((1, 1)))
    policy.next_batch(np.eye(D)[np.newaxis, np.newaxis], np.zeros(1, dtype=int))
    with pytest.raises(InvalidInput, match="rewards"):
        policy.observe(np.array([[1.5]]))
