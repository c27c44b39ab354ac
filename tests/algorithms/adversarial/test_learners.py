"""Each learner and conversion against a transcript of its pseudo code on the same coins, losses and noise."""

import math

import numpy as np
import pytest

from banditproof.algorithms.adversarial.conversion import PrivateBatches, batch_for
from banditproof.algorithms.adversarial.experts import EXP4, FromBandit, MultiplicativeWeights, Panel, PrivateEXP4
from banditproof.algorithms.adversarial.learners import EXP3, FTPL, HTINF, Learner, skipping_threshold, tsallis_leader
from banditproof.algorithms.adversarial.losses import HARD, LossTable, hard_losses, hard_panel, play
from banditproof.algorithms.noise import NoiseSource
from banditproof.theory import Budget, InvalidInput

K, T = 3, 60
LOSSES = np.random.default_rng(5).random((T, K))
PANEL = hard_panel("drifting", 4, K)


def pick(chances, coins):
    """The index that one uniform draw names."""
    level, cumulated = coins.random() * math.fsum(chances), 0.0
    for index, chance in enumerate(chances[:-1]):
        cumulated += chance
        if level < cumulated:
            return index
    return len(chances) - 1


def played_by(policy, losses=LOSSES):
    """The arms of a single run, round by round."""
    arms, t = [], 0
    while t < len(losses):
        arm, count = policy.next_batch()
        length = min(int(count[0]), len(losses) - t)
        arms += [int(arm[0])] * length
        policy.observe(losses[t : t + length, arm[0]].sum(keepdims=True), np.array([length]))
        t += length
    return arms


def exp3(coins, rate, mixing):
    """Algorithm 3, printed line by line, as a coroutine: yields an action, receives a loss."""
    w = [1.0] * K
    while True:
        P = [(1 - mixing) * v / sum(w) + mixing / K for v in w]
        arm = pick(P, coins)
        loss = yield arm
        w[arm] *= math.exp(-rate * loss / P[arm])


def htinf(coins, sigma):
    L, t = [0.0] * K, 0
    while True:
        t += 1
        low, high = 0.0, math.sqrt(K)
        scaled = [v / (sigma * math.sqrt(t)) for v in L]
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if sum((v - min(scaled) + middle) ** -2 for v in scaled) > 1 else (low, middle)
        x = [(v - min(scaled) + high) ** -2 for v in scaled]
        arm = pick([v / sum(x) for v in x], coins)
        loss = yield arm
        if abs(loss) <= (1 - 2 ** (-1 / 3)) * sigma * math.sqrt(t) * math.sqrt(x[arm]):
            L[arm] += loss / x[arm]


def ftpl(coins, rate, cap, as_printed):
    L = [0.0] * K
    while True:
        Z = coins.laplace(size=(1, K))[0] / rate
        arm = min(range(K), key=lambda i: L[i] + Z[i])
        loss = yield arm
        M, k, length = 0 if as_printed else cap, 0, 8
        while k < cap and (M in (0, cap)):
            length = min(length, cap - k)
            block = coins.laplace(size=(1, length, K))[0] / rate
            extreme = max if as_printed else min
            hits = [r for r in range(length) if extreme(range(K), key=lambda i: L[i] + block[r][i]) == arm]
            if hits:
                M = k + hits[0] + 1
                break
            k, length = k + length, 2 * length
        L[arm] += loss * M


def converted(learner, tau, epsilon, noise):
    """Algorithm 1 around a coroutine."""
    actions, j, collected = [], 1, 0.0
    arm = next(learner)
    for t in range(1, T + 1):
        actions.append(arm)
        collected += LOSSES[t - 1, arm]
        if t == j * tau:
            arm = learner.send((collected + noise.laplace(size=1)[0] / epsilon) / tau)
            j, collected = j + 1, 0.0
    return actions


LEARNERS = {
    "EXP3": (lambda g: EXP3(K, g, rate=0.1, mixing=0.2), lambda g: exp3(g, 0.1, 0.2)),
    "HTINF": (lambda g: HTINF(K, g, sigma=0.4), lambda g: htinf(g, 0.4)),
    "FTPL": (lambda g: FTPL(K, g, rate=0.3, cap=20), lambda g: ftpl(g, 0.3, 20, False)),
    "FTPL as printed": (lambda g: FTPL(K, g, rate=0.3, cap=20, as_printed=True), lambda g: ftpl(g, 0.3, 20, True)),
}


@pytest.mark.parametrize("tau", [1, 2, 7])
@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_and_algorithm_1_follow_their_pseudo_code(name, tau):
    make, transcript = LEARNERS[name]
    for seed in range(5):
        coins, noise = np.random.default_rng([seed, 0]), np.random.default_rng([seed, 1])
        expected = converted(transcript(coins), tau, 0.5, noise)
        coins, noise = np.random.default_rng([seed, 0]), np.random.default_rng([seed, 1])
        policy = PrivateBatches(make(coins), Budget.pure(0.5), NoiseSource(noise), batch=tau)
        assert played_by(policy) == expected


def private_exp4(coins, noise, tau, epsilon, delta, rate, mixing):
    """Algorithm 2, printed line by line."""
    N, r, actions = PANEL.experts, 1, []
    w, collected = [1.0] * N, [0.0] * N
    for t in range(1, T + 1):
        mu = PANEL.at(t - 1)
        if t == (r - 1) * tau + 1:
            P = [v / sum(w) for v in w]
        Q = [(1 - mixing) * sum(P[j] * mu[j][i] for j in range(N)) + mixing / K for i in range(K)]
        arm = pick(Q, coins)
        actions.append(arm)
        collected = [c + mu[j][arm] * LOSSES[t - 1, arm] / Q[arm] for j, c in enumerate(collected)]
        if t == r * tau:
            scale = 3 * K * math.sqrt(N * math.log(1 / delta)) / (mixing * tau * epsilon)
            Z = scale * noise.laplace(size=(1, N))[0]
            w = [w[j] * math.exp(-rate * (collected[j] / tau + Z[j])) for j in range(N)]
            r, collected = r + 1, [0.0] * N
    return actions


def test_private_batched_exp4_follows_algorithm_2():
    for seed in range(8):
        coins, noise = np.random.default_rng([seed, 0]), np.random.default_rng([seed, 1])
        expected = private_exp4(coins, noise, 7, 0.5, 0.01, 0.05, 0.3)
        coins, noise = np.random.default_rng([seed, 0]), np.random.default_rng([seed, 1])
        budget = Budget.approximate(0.5, 0.01)
        policy = PrivateEXP4(PANEL, budget, NoiseSource(noise), coins, batch=7, rate=0.05, mixing=0.3)
        assert played_by(policy) == expected


def test_locally_private_exp4_follows_algorithm_6():
    for seed in range(8):
        coins, noise, w, expected = np.random.default_rng([seed, 0]), np.random.default_rng([seed, 1]), [1.0] * 4, []
        for t in range(T):
            mu, P = PANEL.at(t), [v / sum(w) for v in w]
            Q = [0.7 * sum(P[j] * mu[j][i] for j in range(4)) + 0.3 / K for i in range(K)]
            arm = pick(Q, coins)
            expected.append(arm)
            heard = LOSSES[t, arm] + noise.laplace(size=1)[0] / 0.5
            w = [w[j] * math.exp(-0.05 * mu[j][arm] * heard / Q[arm]) for j in range(4)]
        coins, noise = np.random.default_rng([seed, 0]), np.random.default_rng([seed, 1])
        learner = EXP4(PANEL, coins, rate=0.05, mixing=0.3)
        assert played_by(PrivateBatches(learner, Budget.pure(0.5), NoiseSource(noise), batch=1)) == expected


def test_a_panel_played_by_a_bandit_follows_algorithm_5():
    for seed in range(8):
        one, other, expected = np.random.default_rng([seed, 0]), np.random.default_rng([seed, 1]), []
        w, rate = [1.0] * 4, 0.1
        for t in range(T):
            P = [0.8 * v / sum(w) + 0.2 / 4 for v in w]
            expert = pick(P, one)
            arm = pick(list(PANEL.at(t)[expert]), other)
            expected.append(arm)
            w[expert] *= math.exp(-rate * LOSSES[t, arm] / P[expert])
        one, other = np.random.default_rng([seed, 0]), np.random.default_rng([seed, 1])
        assert played_by(FromBandit(EXP3(4, one, rate=rate, mixing=0.2), PANEL, other)) == expected


def test_the_regularised_leader_meets_the_optimality_conditions():
    """At the minimum the gradient L - x^(1/alpha - 1) is the same number for all arms."""
    for alpha in (1.2, 1.5, 2.0):
        estimates = np.random.default_rng(1).normal(size=(40, 6)) * np.logspace(-2, 4, 40)[:, np.newaxis]
        x = tsallis_leader(estimates, alpha)
        gradient = estimates - x ** (1 / alpha - 1)
        spread = gradient.max(axis=1) - gradient.min(axis=1)
        assert (spread <= 1e-9 * np.abs(gradient).max(axis=1)).all() and np.allclose(x.sum(axis=1), 1, atol=1e-12)


def test_the_skipping_threshold_at_two_is_that_of_the_stability_step():
    assert (1 - skipping_threshold(2.0)) ** -3 == pytest.approx(2)


def test_a_learner_of_ones_own_is_private_in_three_lines():
    class RoundRobin(Learner):
        def choose(self):
            return (self.recommended + 1) % self.arms

        def learn(self, arm, loss):
            self.heard = loss

    mine = PrivateBatches(
        RoundRobin(K, np.random.default_rng(0)), Budget.pure(0.2), NoiseSource(np.random.default_rng(0))
    )
    assert played_by(mine)[:11] == [1] * 5 + [2] * 5 + [0]


def test_replications_with_budgets_of_their_own_have_batches_of_their_own():
    coins = np.random.default_rng(3)
    learner = EXP3(K, coins, rate=0.1, mixing=0.2, replications=3)
    policy = PrivateBatches(learner, Budget.pure(np.array([1.0, 0.3, 1 / 49])), NoiseSource(coins))
    assert policy.batch.tolist() == [1, 4, 49]
    played = play(policy, LossTable(LOSSES), [1, 10, T])
    assert played.loss.shape == (3, 3) and (np.diff(played.loss, axis=1) > 0).all()


def test_noise_and_replications_make_no_difference_in_law(every_point):
    """Many replications together, or one by one: the same mean regret within six standard errors."""
    table, runs = LossTable(LOSSES), 400 if every_point else 100

    def regrets(seed, replications):
        coins = np.random.default_rng(seed)
        learner = HTINF(K, coins, sigma=6**0.5, replications=replications)
        return play(PrivateBatches(learner, Budget.pure(0.5), NoiseSource(coins)), table).regret[:, 0]

    together = regrets(0, 400)
    apart = np.concatenate([regrets([1, seed], 1) for seed in range(runs)])
    error = np.sqrt(together.var() / 400 + apart.var() / runs)
    assert abs(together.mean() - apart.mean()) < 6 * error


def test_the_resampled_waiting_time_is_a_cut_geometric_variable():
    """E[P M] = 1 - (1 - P)^cap, at P = 1/2 by symmetry."""
    learner = FTPL(2, np.random.default_rng(0), rate=1.0, cap=3, replications=40_000)
    waiting = learner._waiting(np.zeros(40_000, dtype=np.int64))
    assert abs(waiting.mean() - 2 * (1 - 0.5**3)) < 6 * waiting.std() / 200


def test_multiplicative_weights_are_exponential_in_the_losses():
    weights = MultiplicativeWeights(2, rate=0.5)
    weights.learn(np.array([0.0, 2.0]))
    assert weights.probabilities()[0, 0] == pytest.approx(1 / (1 + math.exp(-1)))


def test_regret_is_against_the_best_action_or_expert_in_hindsight():
    coins = np.random.default_rng(0)
    played = play(FTPL(K, coins, rate=0.1, cap=5), LossTable(LOSSES), [20, T])
    best = [min(math.fsum(LOSSES[:t, i]) for i in range(K)) for t in (20, T)]
    assert played.loss[0] - played.regret[0] == pytest.approx(best)
    experts = play(EXP4(PANEL, coins, rate=0.1, mixing=0.1), LossTable(LOSSES), panel=PANEL)
    expected = min(math.fsum(float(PANEL.at(t)[j] @ LOSSES[t]) for t in range(T)) for j in range(4))
    assert experts.loss[0, 0] - experts.regret[0, 0] == pytest.approx(expected)


@pytest.mark.parametrize("name", HARD)
def test_hard_losses_are_losses_and_come_again(name):
    one, again = hard_losses(name, 50, 4, seed=2), hard_losses(name, 50, 4, seed=2)
    assert (one.losses == again.losses).all() and one.losses.shape == (50, 4)


@pytest.mark.parametrize(
    "build",
    [
        lambda: LossTable([[0.0, math.nan]]),
        lambda: LossTable([[0.0, 1.5]]),
        lambda: Panel([[0.5, 0.6]]),
        lambda: Panel([0.5, 0.5]),
        lambda: Panel([[float("nan"), 1.0]]),
        lambda: Panel([[[1.0, 0.0]], [[1.0, 0.0, 0.0]]]),
        lambda: Panel([["one", "zero"]]),
        lambda: MultiplicativeWeights(0, rate=0.1),
        lambda: MultiplicativeWeights(2, rate=0.1).learn(np.ones(3)),
        lambda: MultiplicativeWeights(2, rate=0.1).learn(np.array([1.0, math.nan])),
        lambda: heard(EXP3(K, np.random.default_rng(0), rate=0.1, mixing=0.5), math.nan),
        lambda: heard(FTPL(K, np.random.default_rng(0), rate=0.1, cap=2), math.inf),
        lambda: heard(batched(), math.nan),
        lambda: heard(PrivateBatches(leader(), Budget.pure(1.0), NoiseSource()), math.nan),
        lambda: heard(EXP4(PANEL, np.random.default_rng(0), rate=0.1, mixing=0.5), -math.inf),
        lambda: hard_losses("neddle", 10),
        lambda: hard_losses("needle", 10, 1),
        lambda: hard_panel("all", 2, 2),
        lambda: EXP3(2, np.random.default_rng(0), rate=0.1, mixing=1.5),
        lambda: EXP3(2, np.random.default_rng(0), rate=math.inf, mixing=0.5),
        lambda: HTINF(2, np.random.default_rng(0), alpha=1.0, sigma=1.0),
        lambda: FTPL(2, np.random.default_rng(0), rate=0.1, cap=0.5),
        lambda: FromBandit(EXP3(2, np.random.default_rng(0), rate=0.1, mixing=0.5), PANEL, np.random.default_rng(0)),
        lambda: PrivateBatches(leader(), Budget.zcdp(1.0), NoiseSource()),
        lambda: PrivateBatches(leader(), Budget.pure(1.0), NoiseSource(), batch=0),
        lambda: play(leader(), LossTable(LOSSES)),
        lambda: play(leader(K), LossTable(LOSSES), [T + 1]),
        lambda: batched(batch=0),
        lambda: batched(budget=Budget.pure(1.0)),
    ],
)
def test_bad_input_is_one_clear_error(build):
    with pytest.raises(InvalidInput):
        build()


def leader(arms=2):
    return HTINF(arms, np.random.default_rng(0), sigma=1.0)


def heard(policy, loss):
    policy.next_batch()
    policy.observe(np.array([loss]), np.ones(1, dtype=int))


def batched(batch=2, budget=None):
    given = budget or Budget.approximate(1.0, 0.1)
    return PrivateEXP4(PANEL, given, NoiseSource(), np.random.default_rng(0), batch=batch, rate=0.1, mixing=0.1)


def test_a_float_that_stands_for_one_over_n_has_batches_of_n():
    assert [int(batch_for(1 / n)) for n in range(1, 2000)] == list(range(1, 2000))
    assert int(batch_for(0.3)) == 4
