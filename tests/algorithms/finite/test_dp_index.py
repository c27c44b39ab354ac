"""Algorithm 1 against a literal transcript of its pseudo code, whose indices are found by numerical search."""

from math import log

import numpy as np
import pytest

from banditproof.algorithms import DPIMED, DPKLUCB, NoiseSource, simulate
from banditproof.algorithms.batches import GeometricBatches, PolynomialBatches
from banditproof.algorithms.environment import BernoulliBandit, RewardList
from banditproof.theory import Budget, InvalidInput
from tests.algorithms.finite.scripted import Scripted
from tests.algorithms.finite.textbook import kl, largest_mean


def d_by_search(x, y, epsilon):
    """The infimum over z between x and y of epsilon |x - z| + kl(z, y), by golden section."""
    low, high = min(x, y), max(x, y)
    f = lambda z: epsilon * abs(x - z) + kl(z, y)  # noqa: E731
    for _ in range(40):
        a, b = low + 0.382 * (high - low), low + 0.618 * (high - low)
        low, high = (low, b) if f(a) <= f(b) else (a, high)
    return min(f(low), f(high), f(x), f(y))


def klucb_by_search(x, level, epsilon):
    if d_by_search(x, 1.0, epsilon) <= level:
        return 1.0
    return largest_mean(lambda q: d_by_search(x, q, epsilon) <= level, x, steps=40)


def literal_algorithm_1(kind, arms, epsilon, batch_sizes, rewards, noise):
    """The pseudo code for a whole run on a reward list; the last batch is cut where the rewards end."""
    rewards, noise, actions = list(rewards), list(noise), []

    def pull(arm, times):
        heard = rewards[len(actions) : len(actions) + times]
        actions.extend([arm] * len(heard))
        return sum(heard) + noise.pop(0)

    horizon = len(rewards)
    noisy_sum = [pull(i, batch_sizes[0]) for i in range(arms)]
    m, n = [0] * arms, [batch_sizes[0]] * arms
    t = arms * batch_sizes[0] + 1
    while t <= horizon:
        clipped = [max(0.0, min(1.0, s / k)) for s, k in zip(noisy_sum, n, strict=True)]
        if kind is DPKLUCB:
            index = [-klucb_by_search(c, log(t) / k, epsilon) for c, k in zip(clipped, n, strict=True)]
        else:
            best = max(clipped)
            index = [k * d_by_search(c, best, epsilon) + log(k) for c, k in zip(clipped, n, strict=True)]
        i = index.index(min(index))
        noisy_sum[i] += pull(i, batch_sizes[m[i] + 1])
        m[i] += 1
        n[i] += batch_sizes[m[i]]
        t += batch_sizes[m[i]]
    return actions


@pytest.mark.one_in(5)  # every kind, schedule, epsilon and seed
@pytest.mark.parametrize("kind", [DPIMED, DPKLUCB])
@pytest.mark.parametrize("schedule", [GeometricBatches("1.5", 2), GeometricBatches("1.1"), PolynomialBatches(1)])
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 5.0])
@pytest.mark.parametrize("seed", range(3))
def test_the_actions_are_those_of_the_pseudo_code(kind, schedule, epsilon, seed):
    arms, horizon = 3, 120
    generator = np.random.default_rng([seed, int(10 * epsilon)])
    rewards, terms = generator.random(horizon), generator.laplace(size=horizon)
    policy = kind(arms, Budget.pure(epsilon), schedule, Scripted(terms))
    run = simulate(policy, RewardList(rewards, arms), horizon, generator, np.arange(1, horizon + 1))
    sizes = [schedule.size(m) for m in range(horizon)]
    assert run.actions[0].tolist() == literal_algorithm_1(kind, arms, epsilon, sizes, rewards, terms / epsilon)


def play(policy, rewards):
    """Let the policy run to the end of the rewards; its state stays. Returns the arms of its batches."""
    arms, start = [], 0
    while start < len(rewards):
        arm, count = policy.next_batch()
        stop = min(start + int(count[0]), len(rewards))
        policy.observe(np.array([rewards[start:stop].sum()]), np.array([stop - start]))
        arms.append(int(arm[0]))
        start = stop
    return arms


@pytest.fixture
def played():
    """A DP-IMED run of 300 binary rewards: policy, noise source, rewards, and the arms of its batches."""
    generator = np.random.default_rng(7)
    noise, rewards = Scripted(generator.laplace(size=300)), generator.integers(0, 2, 300).astype(float)
    policy = DPIMED(3, Budget.pure(0.5), GeometricBatches("1.5"), noise)
    return policy, noise, rewards, play(policy, rewards)


def test_the_sum_of_an_arm_holds_all_its_rewards_and_one_noise_term_per_batch(played):
    policy, noise, rewards, arms = played
    for arm in range(3):
        batches = [i for i, played_arm in enumerate(arms) if played_arm == arm]
        of_rewards = sum(rewards[slice(*noise.releases[i].records)].sum() for i in batches)
        of_noise = sum(noise.releases[i].scale * noise.terms[i] for i in batches)
        assert policy.sums[0, arm] == pytest.approx(of_rewards + of_noise, rel=1e-13)  # a few roundings
        assert policy.batches_done[0, arm] == len(batches) > 1


def test_each_reward_is_in_exactly_one_release(played):
    _, noise, rewards, _ = played
    touched = [time for release in noise.releases for time in range(*release.records)]
    assert touched == list(range(len(rewards)))


def test_every_release_is_the_sum_of_its_batch_with_noise_of_scale_one_over_epsilon(played):
    _, noise, rewards, _ = played
    for _, value, scale, (start, stop) in noise.releases:
        assert value == rewards[start:stop].sum()
        assert scale == 1 / 0.5


def test_batches_of_an_arm_follow_the_schedule(played):
    policy, noise, _, arms = played
    for arm in range(3):
        lengths = [
            stop - start
            for (_, _, _, (start, stop)), played_arm in zip(noise.releases, arms, strict=True)
            if played_arm == arm
        ]
        if arm == arms[-1]:
            lengths.pop()  # cut at the end of the run
        assert lengths == [policy.batches.size(m) for m in range(len(lengths))]


def with_state(kind, sums, samples, epsilon=1.0, **options):
    policy = kind(len(sums), Budget.pure(epsilon), GeometricBatches(2), NoiseSource(), **options)
    policy.sums, policy.samples = np.array([sums], dtype=float), np.array([samples])
    policy.clock = policy.samples.sum(axis=1)
    policy.batches_done = np.ones_like(policy.samples)
    return policy


def test_noise_beyond_the_unit_interval_is_clipped_before_the_index_sees_it():
    for kind in (DPIMED, DPKLUCB):
        outside, clipped = with_state(kind, [-50, 90, 40], [10, 30, 80]), with_state(kind, [0, 30, 40], [10, 30, 80])
        assert outside.next_batch() == clipped.next_batch()


@pytest.mark.parametrize(
    ("sums", "samples", "arm"),
    [
        pytest.param([20, 99, 7], [10, 20, 5], 2, id="the least sampled of all that look perfect"),
        pytest.param([-3, -1, -2], [10, 5, 20], 1, id="the least sampled of all that look worthless"),
        pytest.param([0, 10], [10, 10], 1, id="a perfect one: N epsilon (1 - 0) + log N against log N"),
        pytest.param([0, 10**6], [1, 10**6], 0, id="one below a perfect one: 1 + log 1 against log 10^6"),
    ],
)
def test_imed_goes_to(sums, samples, arm):
    assert with_state(DPIMED, sums, samples).next_batch()[0].tolist() == [arm]


SATURATED = [5, 5, 5, 5], [10, 20, 5, 20]  # few samples and a tiny budget: every DP-KLUCB index is 1


@pytest.mark.parametrize(("ties", "arm"), [("lowest-arm", 0), ("most-pulled", 1), ("least-pulled", 2)])
def test_ties_go_where_their_name_says(ties, arm):
    assert with_state(DPKLUCB, *SATURATED, epsilon=0.01, ties=ties).next_batch()[0].tolist() == [arm]


def test_random_ties_reach_all_tied_arms_equally_and_no_other():
    from scipy.stats import chisquare

    draws = 8000
    policy = DPKLUCB(5, Budget.pure(0.01), GeometricBatches(2), NoiseSource(), replications=draws,
                     ties="random", generator=np.random.default_rng(3))  # fmt: skip
    policy.sums, policy.samples = np.tile([*SATURATED[0], 0.0], (draws, 1)), np.tile([*SATURATED[1], 10**9], (draws, 1))
    policy.clock = policy.samples.sum(axis=1)
    counts = np.bincount(policy.next_batch()[0], minlength=5)
    assert counts[4] == 0
    assert chisquare(counts[:4]).pvalue > 1e-6


def test_every_arm_is_heard_of_before_any_is_played_twice():
    for ties in ("lowest-arm", "random"):
        generator = np.random.default_rng(4)
        policy = DPIMED(
            6, Budget.pure(0.1), GeometricBatches(2, 3), NoiseSource(generator), ties=ties, generator=generator
        )
        arms = play(policy, np.ones(6 * 3))
        assert sorted(arms) == list(range(6))
        assert policy.samples.tolist() == [[3] * 6]


def test_the_index_of_an_arm_is_asked_for_only_when_some_replication_has_heard_of_all():
    class Counting(DPIMED):
        asked = 0

        def score(self, means, samples):
            self.asked += 1
            return super().score(means, samples)

    policy = Counting(4, Budget.pure(1.0), GeometricBatches(2), NoiseSource(np.random.default_rng(0)), replications=2)
    played = [[0, 2], [1, 0], [3, 1], [2, 2], [3, 3]]  # the first replication has heard of all after four batches
    seen = []
    for arms in played:
        recommended, count = policy.next_batch()
        seen.append(recommended.tolist())
        policy.observe(np.ones(2), count, np.array(arms))
    assert seen[:4] == [[0, 0], [1, 0], [2, 1], [2, 3]] and seen[4][1] == 3
    assert policy.asked == 1


def test_divergences_that_are_kept_are_those_of_a_policy_that_keeps_none():
    class Forgetful(DPIMED):
        def score(self, means, samples):
            self._known = DPIMED._known
            return super().score(means, samples)

    def run(kind):
        generator, rewards, means = np.random.default_rng(0), np.random.default_rng(1), [0.9, *[0.5, 0.2] * 10]
        policy = kind(21, Budget.pure(np.repeat([0.3, 2.0], 20)), GeometricBatches(2), NoiseSource(generator))
        return simulate(policy, BernoulliBandit(means), 3000, rewards, [100, 1000, 3000])

    kept, plain = run(DPIMED), run(Forgetful)
    assert np.array_equal(kept.pulls, plain.pulls) and np.array_equal(kept.actions, plain.actions)


def test_counters_advance_on_what_was_played_not_on_what_was_recommended():
    policy = DPIMED(3, Budget.pure(np.inf), GeometricBatches(2), NoiseSource())
    assert policy.next_batch()[0].tolist() == [0]
    policy.observe(np.array([4.0]), np.array([5]), arm=np.array([2]))
    assert policy.sums.tolist() == [[0, 0, 4]]
    assert policy.samples.tolist() == [[0, 0, 5]]
    assert policy.batches_done.tolist() == [[0, 0, 1]]
    assert policy.clock.tolist() == [5]
    assert policy.next_batch()[0].tolist() == [0]


def test_a_policy_kept_to_single_pulls_still_finds_its_batch_sizes():
    policy = DPIMED(1, Budget.pure(np.inf), GeometricBatches(2), NoiseSource())
    for _ in range(40):
        policy.next_batch()
        policy.observe(np.array([1.0]), np.array([1]))
    assert policy.next_batch()[1].tolist() == [2**40]


def test_with_forgetting_mean_and_samples_are_those_of_the_last_batch():
    policy = DPIMED(1, Budget.pure(np.inf), GeometricBatches(2), NoiseSource(), forgetting=True)
    rewards = np.array([1, 0, 0, 1, 1, 1, 0], dtype=float)  # batches of 1, 2 and 4
    play(policy, rewards)
    assert policy.sums.tolist() == [[3.0]]
    assert policy.samples.tolist() == [[4]]
    assert policy.batches_done.tolist() == [[3]]


def test_replications_that_are_kept_go_on_as_if_the_others_had_never_been_there():
    epsilon, noise = np.array([0.1, 1.0, np.inf]), NoiseSource(np.random.default_rng(5))
    policy = DPKLUCB(2, Budget.pure(epsilon), GeometricBatches(2), noise)
    policy.observe(np.array([1.0, 2.0, 3.0]), np.array([4, 5, 6]))
    policy.keep(np.array([False, True, True]))
    assert policy.replications == 2
    assert policy.samples.tolist() == [[5, 0], [6, 0]]
    assert policy.clock.tolist() == [5, 6]
    assert policy.sums[1].tolist() == [3.0, 0.0]
    assert np.asarray(policy.budget.epsilon).tolist() == [1.0, np.inf]


@pytest.mark.parametrize(
    ("parameter", "options"),
    [
        *(("arms", {"arms": arms}) for arms in (0, 2.5)),
        ("replications", {"replications": 0}),
        *(("epsilon", {"budget": budget}) for budget in (0.0, -1.0, np.nan, np.array([1.0, 0.0]), np.ones((2, 2)))),
        ("epsilon", {"budget": np.ones(3), "replications": 2}),
        ("ties", {"ties": "first"}),
        ("generator", {"ties": "random"}),
    ],
)
def test_bad_input_is_named(parameter, options):
    arguments = {"arms": 2, "budget": 1.0, "batches": GeometricBatches(2), "noise": NoiseSource(), **options}
    with pytest.raises(InvalidInput, match=parameter):
        arguments["budget"] = Budget.pure(arguments["budget"])
        DPIMED(**arguments)


@pytest.mark.parametrize("replications", [1, 3])
@pytest.mark.parametrize("index", [0.0, [0.0] * 3, [[0.0]], np.nan, 1j, "1"], ids=str)
def test_an_index_that_is_no_table_of_numbers_for_replications_and_arms_is_refused(index, replications):
    class Mine(DPIMED):
        def score(self, means, samples):
            whole = isinstance(index, list) or index == 0
            return np.array(index) if whole else np.full(samples.shape, index)

    policy = Mine(3, Budget.pure(np.inf), GeometricBatches(2), NoiseSource(), replications=replications)
    with pytest.raises(InvalidInput, match=r"score .*replications and arms"):
        simulate(policy, BernoulliBandit([0.2, 0.5, 0.7]), 100, np.random.default_rng(0))
