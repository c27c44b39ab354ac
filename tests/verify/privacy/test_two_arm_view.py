"""The law of Algorithm 7 on two arms: against direct integrals, simulated runs, and the ends that are known."""

from fractions import Fraction
from math import exp, log, sqrt
from statistics import NormalDist

import flint
import numpy as np
import pytest
from scipy.integrate import dblquad, quad

from banditproof.algorithms.environment import RewardList
from banditproof.algorithms.finite.episodic import AdaCUCB, AdaPUCB
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.run.simulator import simulate
from banditproof.theory.numbers.numeric import log as ball_log
from banditproof.theory.numbers.numeric import sqrt as ball_sqrt
from banditproof.theory.numbers.numeric import to_ball, working_precision
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.privacy.two_arm_view import (
    episode_paths,
    gaussian_path_probability,
    laplace_difference_tail,
    laplace_path_probability,
    neighbouring_sums,
    path_actions,
    path_sums,
    redrawn_path_probability,
)
from banditproof.verify.proof.statistics import binomial_interval

BETA = 3.1
REWARDS = (1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 1)


def laplace_width(epsilon):
    def width(n, t):
        level = to_ball("3.1") * ball_log(to_ball(t))
        return ball_sqrt(level / (2 * n)) + level / (epsilon * n)

    return width


def gaussian_width(b):
    return lambda n, t: sqrt((1 / (2 * n) + 2 * b / n**2) * BETA * log(t))


@pytest.fixture(autouse=True)
def enough_bits():
    with working_precision(192):
        yield


@pytest.mark.parametrize("horizon", [2, 3, 6, 12])
def test_the_probabilities_of_all_paths_add_up_to_one(horizon):
    epsilon, paths = to_ball("0.7"), episode_paths(horizon)
    stored = [laplace_path_probability(p, path_sums(p, REWARDS), epsilon, laplace_width(epsilon)) for p in paths]
    redrawn = [redrawn_path_probability(p, path_sums(p, REWARDS), 1 / epsilon, laplace_width(epsilon)) for p in paths]
    normal = [gaussian_path_probability(p, path_sums(p, REWARDS), sqrt(0.8), gaussian_width(0.8)) for p in paths]
    for total in (sum(stored), sum(redrawn)):
        assert total.contains(1) and float(total.rad()) < 1e-20
    assert sum(normal) == pytest.approx(1, abs=1e-8)


def test_actions_name_the_episodes_and_sums_stop_before_the_last_one():
    paths = {path_actions(path): path for path in episode_paths(6)}
    assert len(paths) == len(episode_paths(6)) and (0, 1, 0, 0, 0, 1) in paths and (0, 1, 0, 0, 1, 1) not in paths
    assert path_sums(paths[0, 1, 0, 0, 0, 1], (1, 0, 1, 1, 1, 0)) == (1, 0, 1, 2)


def test_neighbouring_sums_are_all_pairs_at_distance_one():
    path = next(p for p in episode_paths(6) if path_actions(p) == (0, 1, 0, 0, 0, 1))
    pairs = list(neighbouring_sums(path))
    assert len(pairs) == len(set(pairs)) == 3 * 2 * (2 * 2 * 3) + 4 * (2 * 2 * 2)  # episodes of 1, 1, 1 and 2 pulls
    assert all(sum(abs(a - b) for a, b in zip(*pair, strict=True)) == 1 for pair in pairs)


def test_two_decisions_have_the_probability_of_a_double_integral():
    """Arm 1 twice: its first mean, then its second one, exceed the stored mean of arm 0; widths are equal."""
    epsilon, (x, y, z) = 1.3, (1, 0, 1)

    def density(t, centre):
        return epsilon / 2 * exp(-epsilon * abs(t - centre))

    def above(t, centre):
        return exp(-epsilon * (t - centre)) / 2 if t > centre else 1 - exp(-epsilon * (centre - t)) / 2

    direct = quad(lambda m: density(m, x) * above(m, y) * above(m, z), -40, 40, points=[0, 1], limit=200)[0]
    path = next(p for p in episode_paths(4) if path_actions(p) == (0, 1, 1, 1))
    found = laplace_path_probability(
        path, (x, y, z), to_ball(Fraction(13, 10)), laplace_width(to_ball(Fraction(13, 10)))
    )
    assert float(found.mid()) == pytest.approx(direct, rel=1e-8)


def test_gaussian_decisions_have_the_probability_of_a_double_integral():
    """Arm 0, then arm 1: the first mean of arm 1 is below that of arm 0, and above its second one."""
    s, (x, y, z) = 0.8, (0, 1, 1)
    first, second, third = (NormalDist(mean, s) for mean in (x, y, z))
    direct = dblquad(lambda b, a: first.pdf(a) * second.pdf(b) * third.cdf(b), -8, 8, lambda a: -8, lambda a: a)[0]
    path = next(p for p in episode_paths(4) if path_actions(p) == (0, 1, 0, 1))
    assert gaussian_path_probability(path, (x, y, z), s, gaussian_width(s * s)) == pytest.approx(direct, abs=1e-7)


@pytest.mark.parametrize(("kind", "budget"), [(AdaPUCB, Budget.pure(2.0)), (AdaCUCB, Budget.zcdp(0.5))])
def test_simulated_runs_have_the_law_of_the_recursion(kind, budget):
    runs, T = 20_000, 9
    policy = kind(2, budget, NoiseSource(np.random.default_rng(1)), beta=BETA, replications=runs)
    result = simulate(policy, RewardList(REWARDS[:T], 2), T, np.random.default_rng(0), np.arange(1, T + 1))
    for path in episode_paths(T):
        count = int((result.actions == np.array(path_actions(path))).all(axis=1).sum())
        sums = path_sums(path, REWARDS)
        if kind is AdaPUCB:
            epsilon = to_ball(2)
            law = float(laplace_path_probability(path, sums, epsilon, laplace_width(epsilon)).mid())
        else:
            law = gaussian_path_probability(path, sums, 1.0, gaussian_width(1.0))
        low, high = binomial_interval(count, runs, Fraction(1, 10**8))
        assert low <= law <= high


def test_new_noise_makes_decisions_independent():
    """P(arm 1 twice) is a product; with stored noise it is larger."""
    epsilon = to_ball(1)
    path = next(p for p in episode_paths(4) if path_actions(p) == (0, 1, 1, 1))
    once = next(p for p in episode_paths(3) if path_actions(p) == (0, 1, 1))
    width = laplace_width(epsilon)
    half = redrawn_path_probability(once, (0, 0), 1 / epsilon, width)
    again = redrawn_path_probability(path, (0, 0, 0), 1 / epsilon, width)
    assert half.contains(0.5) and again.contains(flint.arb("0.25"))
    assert laplace_path_probability(path, (0, 0, 0), epsilon, width) > again


@pytest.mark.parametrize(("x", "a", "b"), [(0.0, 1.0, 1.0), (0.7, 1.0, 0.25), (-1.5, 0.5, 2.0), (2.0, 1.0, 1.0)])
def test_the_tail_of_a_difference_is_that_of_a_convolution(x, a, b):
    def density(t, scale):
        return exp(-abs(t) / scale) / (2 * scale)

    def below(t):
        return exp(t / a) / 2 if t < 0 else 1 - exp(-t / a) / 2

    direct = quad(lambda t: density(t, b) * (1 - below(t + x)), -60, 60, points=[0, -x], limit=300)[0]
    assert float(laplace_difference_tail(to_ball(x), to_ball(a), to_ball(b)).mid()) == pytest.approx(direct, rel=1e-7)
