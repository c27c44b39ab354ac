"""GOPE and its private forms, against a transcript of the pseudo code, the sensors and the bounds of their inputs."""

from math import ceil, inf, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import sqrtm

from banditproof.algorithms import NoiseSource, simulate, simulate_per_pull
from banditproof.algorithms.environment import GaussianBandit
from banditproof.algorithms.linear.designs import METHODS, design_of, squared_norms, within_span
from banditproof.algorithms.linear.elimination import GOPE, AdaCGOPE, AdaRGOPE, LaplaceSumsGOPE, NoisySumsGOPE
from banditproof.algorithms.linear.environment import LinearBandit, SignBandit
from banditproof.algorithms.registration import LinearSetting
from banditproof.algorithms.roster import algorithms
from banditproof.theory import Budget, InvalidInput
from banditproof.theory.linear.phases import adac_phase_length, adar_phase_length, phase_level
from banditproof.verify import PLANTED, check_privacy, far_neighbour, record, replay
from banditproof.verify.runs.alignment import find_violation
from banditproof.verify.runs.linear_runs import BUDGETS, Stretched, linear_maker
from tests.cases import each

ACTIONS = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0], [-0.5, 0.5]])
RHO, DELTA, SHARE = 0.5, 0.3, 0.05
SHORT = {"delta": 0.9, "share": 0.02}


class Scripted(NoiseSource):
    """Noise that is the same rule for everybody: the k-th standard draw is cos(k), by coordinates."""

    def __init__(self):
        super().__init__()
        self.drawn = 0

    def draw(self, distribution, scale, shape):
        terms = np.cos(np.arange(self.drawn, self.drawn + int(np.prod(shape)))).reshape(shape)
        self.drawn += int(np.prod(shape))
        return scale * terms


def transcript(rewards, placement):
    """Algorithm 2 with a phase's own T_l rewards, the noise of the proof; or with noise on the sums. Actions played."""
    d, K, active, played, drawn, phase = 2, len(ACTIONS), list(range(len(ACTIONS))), [], 0, 0
    while len(played) < len(rewards):
        if len(active) == 1:
            return played + active * (len(rewards) - len(played))
        phase += 1
        width, level = 2.0**-phase, DELTA / (K * phase * (phase + 1))
        f = d + 2 * sqrt(d * log(2 / level)) + 2 * log(2 / level)
        length = SHARE * (8 * d / width**2 * log(4 / level) + 2 * d / width * sqrt(2 / RHO * f))
        mask = np.isin(np.arange(K), active)
        design = METHODS["newton"](ACTIONS[mask])
        counts = {a: ceil(length * w) for a, w in zip(active, design, strict=True) if w > 0}
        V, sums = np.zeros((d, d)), {}
        for a, n in counts.items():
            heard = rewards[len(played) : len(played) + n]
            played += [a] * len(heard)
            V, sums[a] = V + n * np.outer(ACTIONS[a], ACTIONS[a]), sum(heard)
        if len(played) >= len(rewards):
            return played
        inverse = np.linalg.inv(V)
        if placement == "sums":
            noise = np.cos(np.arange(drawn, drawn + K)) * 2 / sqrt(2 * RHO)
            drawn += K
            theta = inverse @ sum(ACTIONS[a] * (s + noise[a]) for a, s in sums.items())
        else:
            g = max(sqrt(ACTIONS[b] @ inverse @ ACTIONS[b]) for b in active)
            noise = np.cos(np.arange(drawn, drawn + d)) * sqrt(2 / RHO) * g
            drawn += d
            theta = inverse @ sum(ACTIONS[a] * s for a, s in sums.items()) + sqrtm(inverse) @ noise
        values = {a: float(ACTIONS[a] @ theta) for a in active}
        active = [a for a in active if max(values.values()) - values[a] <= 2 * width]
    return played


@pytest.mark.parametrize(("placement", "policy"), [("middle", AdaCGOPE), ("sums", NoisySumsGOPE)])
@pytest.mark.parametrize("seed", range(4))
def test_the_policy_follows_the_pseudo_code_on_fixed_rewards_and_noise(placement, policy, seed):
    generator = np.random.default_rng(seed)
    means = ACTIONS @ generator.normal(size=2) * 0.6
    horizon, expected = 4000, None
    # the reward of pull t depends on t and on the action through its mean: the transcript reads it off a table
    table = np.clip(means + 0.5 * generator.normal(size=(horizon, 1)), -1, 1)

    class Table:
        arms, means = len(ACTIONS), np.full(len(ACTIONS), np.nan)

        def sum_of_rewards(self, arm, count, generator=None, *, time=0):
            return np.array([table[t : t + n, a].sum() for a, n, t in zip(arm, count, time, strict=True)])

    made = policy(ACTIONS, Budget.zcdp(RHO), Scripted(), delta=DELTA, share=SHARE)
    result = simulate(made, Table(), horizon, generator, np.arange(1, horizon + 1))
    played = result.actions[0].tolist()
    expected = transcript([table[t, a] for t, a in enumerate(played)], placement)
    assert played == expected
    assert len(set(played[-100:])) < len(set(played[:200]))


@pytest.mark.parametrize("delta", [k / 100 for k in range(1, 100, 7)])
def test_an_action_that_is_worse_by_just_the_width_stays(delta):
    """After phase 1 the estimates differ by 1 = 2 / 2, and by more than 2 / 4 after phase 2."""
    policy = GOPE(np.eye(2), delta=delta)
    for phase, left in ((1, [True, True]), (2, [True, False])):
        while policy.phase[0] == phase:
            action, count = policy.next_batch()
            policy.observe(np.where(action == 0, 0.5, -0.5) * count, count)
            if policy.alone[0]:
                break
        assert policy.active[0].tolist() == left


def test_phase_lengths_are_those_of_the_formulas():
    made = AdaCGOPE(ACTIONS, Budget.zcdp(RHO), NoiseSource(np.random.default_rng(0)), delta=DELTA)
    assert made.length[0] == pytest.approx(adac_phase_length(2, 0.5, phase_level(DELTA, 4, 1.0), RHO), rel=1e-9)
    other = AdaRGOPE(ACTIONS, Budget.rdp(3, 0.7), NoiseSource(np.random.default_rng(0)), delta=DELTA)
    assert other.length[0] == pytest.approx(adar_phase_length(2, 0.5, phase_level(DELTA, 4, 1.0), 3 / 0.7), rel=1e-9)
    plain = GOPE(ACTIONS, delta=DELTA)
    assert plain.length[0] == pytest.approx(2 * 2 * 4 * log(4 * 2 / DELTA), rel=1e-12)


def test_no_noise_is_the_limit_of_a_large_budget():
    environment, generator = LinearBandit(ACTIONS, [0.8, 0.1]), np.random.default_rng
    runs = [
        simulate(make(), environment, 20_000, generator(1), [20_000]).pulls
        for make in (
            lambda: AdaCGOPE(ACTIONS, Budget.zcdp(inf), NoiseSource(), replications=20),
            lambda: NoisySumsGOPE(ACTIONS, Budget.zcdp(inf), NoiseSource(), replications=20),
        )
    ]
    assert (runs[0] == runs[1]).all()


def test_replications_that_move_together_are_those_that_move_alone():
    environment, times = SignBandit(ACTIONS, [0.7, 0.2]), np.arange(200, 20_001, 200)

    def regret(replications, engine, seed):
        noise = NoiseSource(np.random.default_rng(seed))
        made = AdaCGOPE(ACTIONS, Budget.zcdp(0.05), noise, delta=0.1, share=0.05, replications=replications)
        return engine(made, environment, times[-1], np.random.default_rng(seed + 1000), times).regret

    together = regret(400, simulate, 0)
    alone = np.concatenate([regret(1, simulate_per_pull, seed) for seed in range(60)])
    error = together[:, -1].std() * sqrt(1 / 400 + 1 / 60)
    assert abs(together[:, -1].mean() - alone[:, -1].mean()) < 4 * error
    assert together[:, -1].std() > 0


def test_actions_that_no_longer_span_are_handled_within_their_span():
    actions = np.array([[1.0, 0, 0], [0.95, 0.1, 0], [0, 0, 1.0], [0, 1.0, 0]])
    made = AdaCGOPE(actions, Budget.zcdp(5), NoiseSource(np.random.default_rng(0)), replications=50)
    pulls = simulate(made, LinearBandit(actions, [0.9, 0.0, 0.0]), 400_000, np.random.default_rng(1)).pulls
    assert (pulls[:, 0] > 100_000).all() and (pulls[:, 0] + pulls[:, 1] > 390_000).all()


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", BUDGETS)
def test_a_linear_policy_is_private_also_when_an_adversary_plays_other_actions(name, every_point):
    budget, seconds = BUDGETS[name], 5 if every_point else 0.5
    report = check_privacy(linear_maker(name, budget, ACTIONS, **SHORT), budget, seconds=seconds, horizon=1500)
    assert report.ok, report
    assert report.spent <= report.allowed * (1 + 1e-12)
    asked = linear_maker(name, budget, ACTIONS, adversary=True, **SHORT)
    assert [find_violation(asked, 60, budget, seed, lists=3) for seed in range(3)] == [None] * 3


@pytest.mark.parametrize("name", BUDGETS)
def test_many_seeds_of_a_linear_policy_give_no_false_alarm(name, every_point):
    make = linear_maker(name, BUDGETS[name], ACTIONS, **SHORT)
    for seed in range(100 if every_point else 25):
        assert find_violation(make, 60, BUDGETS[name], seed, lists=1, neighbours=2) is None


@pytest.mark.parametrize("name", BUDGETS)
def test_every_planted_bug_is_found_in_a_linear_policy(name):
    def found(bug):
        make = linear_maker(name, BUDGETS[name], ACTIONS, bug, **SHORT)
        return any(find_violation(make, 60, BUDGETS[name], seed) is not None for seed in range(4))

    assert {bug for bug in PLANTED if not found(bug)} == set()


class MissingDimension(AdaCGOPE):
    """The pseudo code's noise without its factor d."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, printed=True, **options)
        self.dimension = 1


def test_the_printed_noise_without_its_dimension_breaks_the_privacy():
    budget = Budget.zcdp(0.5)

    def make(noise, generator):
        return Stretched(MissingDimension(ACTIONS, budget, noise, **SHORT))

    assert check_privacy(make, budget, seconds=4).verdict == "violation"


def test_the_printed_noise_is_private_at_an_optimal_design_and_not_at_one_that_frank_wolfe_returns():
    budget, generator = Budget.zcdp(0.5), np.random.default_rng(3)
    rows = generator.normal(size=(10, 3))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)

    def make(design):
        return lambda noise, _: Stretched(AdaCGOPE(rows, budget, noise, delta=0.9, printed=True, design=design))

    assert find_violation(make("newton"), 6000, budget, 0, lists=2) is None
    found = find_violation(make("frank-wolfe"), 6000, budget, 0, lists=2)
    assert found is not None and {violation.sensor for violation in found.violations} >= {"ledger"}


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5), st.floats(1, 1e5))
def test_one_reward_moves_the_whitened_statistic_by_at_most_two_roots_of_d_over_c(seed, d, c):
    rows = np.random.default_rng(seed).normal(size=(3 * d + 1, d))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    counts = np.ceil(c * METHODS["newton"](rows))
    values, vectors = np.linalg.eigh((rows.T * counts) @ rows)
    root = (vectors / np.sqrt(values)) @ vectors.T
    moves = 2 * np.linalg.norm(rows[counts > 0] @ root, axis=1)  # of phi, by a reward that goes from -1 to 1
    assert moves.max() <= 2 * sqrt(d / c) * (1 + 1e-8)
    plain = 2 * np.linalg.norm(rows[counts > 0] @ root @ root, axis=1)  # of the estimate: no such bound
    assert plain.max() <= moves.max() / sqrt(values.min()) * (1 + 1e-8)


def test_the_declared_sensitivity_is_attained_and_not_exceeded():
    budget, ratios = Budget.zcdp(0.5), []
    make = linear_maker("adac-gope", budget, ACTIONS, **SHORT)
    for seed in range(6):
        rewards = np.random.default_rng(seed).integers(2, size=60).astype(float).tolist()
        run = record(make, rewards, seed)
        for time in range(40):
            other = replay(make, run, far_neighbour(run.rewards, time), seed)
            ratios += [a.shift_to(b) / a.sensitivity for a, b in zip(run.releases, other.releases, strict=True)]
    assert 0.98 < max(ratios) <= 1


def test_plays_go_to_actions_that_are_left():
    made = AdaCGOPE(ACTIONS, Budget.zcdp(1), NoiseSource(np.random.default_rng(0)), share=0.05, replications=30)
    environment, generator = SignBandit(ACTIONS, [0.9, 0.0]), np.random.default_rng(1)
    for _ in range(60):
        arm, count = made.next_batch()
        assert made.active[np.arange(30), arm].all() and not made.planned[~made.active & ~made.alone[:, None]].any()
        count = np.minimum(count, 10**6)
        made.observe(environment.sum_of_rewards(arm, count, generator), count)
    assert made.alone.any()


@pytest.mark.parametrize("method", METHODS)
def test_designs_keep_their_promises(method):
    generator = np.random.default_rng(5)
    promised = {"newton": 1 + 1e-6, "frank-wolfe": 1.01, "core-set": 2.0}[method]
    for dimension in (1, 2, 3, 6, 10):
        points = generator.normal(size=(60, dimension))
        weights = METHODS[method](points)
        assert weights.sum() == pytest.approx(1) and (weights >= 0).all()
        assert squared_norms(points, weights).max() <= dimension * promised
        if method == "newton":
            assert (weights > 0).sum() <= dimension * (dimension + 1) / 2
        if method == "core-set" and dimension >= 3:  # as the related works state (ZCDP-S19)
            assert (weights > 0).sum() <= 4 * dimension * log(log(dimension)) + 16


def test_a_design_of_part_of_the_actions_leaves_the_others_out():
    actions = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, 0.5, 0]])
    design = design_of(actions, np.array([True, True, False, True]), "newton")
    assert design.rank == 2 and design.weights.tolist() == pytest.approx([0.5, 0.5, 0, 0])
    assert within_span(actions[:2]).shape == (2, 2)


NO_ACTIONS = [[[1.0, 0.0], [2.0, 0.0]], [[1.0, 0.0], [0.5, 0.0]], [[0.5, float("nan")]], []]


@pytest.mark.parametrize(
    ("name", "value"),
    each(actions=NO_ACTIONS, delta=[0, 1.5], design=["best"], share=[0], rewards=[(1, 1)], budget=[Budget.pure(1)]),
)
def test_bad_input_is_refused_by_name(name, value):
    with pytest.raises(InvalidInput) as refused:
        AdaCGOPE(**{"actions": ACTIONS, "budget": Budget.zcdp(1), "noise": NoiseSource(), name: value})
    assert refused.value.parameter == name


def test_sign_rewards_have_the_stated_means():
    bandit, generator = SignBandit(ACTIONS, [0.6, -0.2]), np.random.default_rng(0)
    total = bandit.sum_of_rewards(np.arange(4), np.full(4, 100_000), generator)
    assert np.abs(total / 100_000 - bandit.means).max() < 0.02
    assert {bandit.reward(0, generator) for _ in range(50)} == {-1.0, 1.0}
    assert isinstance(LinearBandit(ACTIONS, [0.6, -0.2]), GaussianBandit)


def test_the_laplace_phases_are_long_enough_for_their_noise():
    """What they allow for is exceeded with half of their level at most, by simulation; by half of it too often."""
    policy, rows = LaplaceSumsGOPE(ACTIONS, Budget.pure(0.5), NoiseSource(), delta=0.9), np.zeros(1, int)
    for support in (1, 3, 12):
        noise = np.random.default_rng(support).laplace(scale=policy.width / 0.5, size=(200_000, support)).sum(axis=1)
        allowed, level = policy.price(rows, np.array([support]))[0], policy.level(rows)[0]
        assert (np.abs(noise) >= allowed).mean() <= level / 2
    assert (np.abs(noise) >= allowed / 2).mean() > level / 2


def test_every_algorithm_of_the_roster_is_built_and_runs():
    environment = SignBandit(ACTIONS, [0.7, 0.2])
    for name, entry in algorithms(LinearSetting).items():
        setting = LinearSetting(4, 1000, BUDGETS.get(name), np.random.default_rng(0), 3, ACTIONS)
        result = simulate(entry.build(setting), environment, 1000, np.random.default_rng(1))
        assert (result.pulls.sum(axis=1) == 1000).all()
        assert isinstance(entry.build(setting), GOPE | LaplaceSumsGOPE)
