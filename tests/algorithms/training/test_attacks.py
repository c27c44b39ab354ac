"""Attacks on descents: scores against formulas written out, their laws, and games against theory."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from banditproof.algorithms import NoiseSource
from banditproof.algorithms.training import (
    Attacked,
    Epoch,
    Network,
    Private,
    Reference,
    attack_extremes,
    blocks,
    covariance,
    descend,
    glir,
    scalar_product,
    traced,
)
from banditproof.theory import InvalidInput, normal_cdf
from banditproof.verify.proof.statistics import binomial_interval

ERROR = Fraction(1, 10**6)
MIXED = np.random.default_rng(3).standard_normal((5, 5))
GRADIENTS = np.random.default_rng(4).standard_normal((400, 5)) @ MIXED + [3, 0, 0, 0, 1]
CANARY = np.array([1.0, 4, -2, 0, 3])


@pytest.mark.parametrize("noise", [0.0, 0.7])
@pytest.mark.parametrize("centred", [True, False])
def test_scores_are_those_of_the_inverse_matrix(centred, noise):
    mean = GRADIENTS.mean(axis=0)
    about = GRADIENTS - mean if centred else GRADIENTS
    inverse = np.linalg.inv(about.T @ about / 400 + noise * np.eye(5))
    reference = Reference.estimate(GRADIENTS, centred=centred, noise=noise)
    shift, batch = CANARY - mean, GRADIENTS[:7]
    assert reference.squared(CANARY) == pytest.approx(shift @ inverse @ shift)
    expected = (batch - mean) @ inverse @ shift - shift @ inverse @ shift / (2 * 9)
    np.testing.assert_allclose(covariance(reference, 9)(batch, CANARY), expected)


def test_where_references_do_not_vary_a_gradient_is_infinitely_far_unless_there_is_noise():
    flat = GRADIENTS * [1, 1, 1, 1, 0]
    inside, outside = CANARY * [1, 1, 1, 1, 0], CANARY
    reference = Reference.estimate(flat)
    assert np.isfinite(reference.squared(inside)) and reference.squared(outside) == np.inf
    small = np.linalg.inv(np.cov(flat[:, :4].T, bias=True))
    shift = (inside - reference.mean)[:4]
    assert reference.squared(inside) == pytest.approx(shift @ small @ shift)
    noisy = Reference.estimate(flat, noise=0.5)
    matrix = np.linalg.inv(np.cov(flat.T, bias=True) + 0.5 * np.eye(5))
    assert noisy.squared(outside) == pytest.approx((outside - noisy.mean) @ matrix @ (outside - noisy.mean))
    np.testing.assert_allclose(noisy.solve(outside), matrix @ outside)


def test_no_direction_separates_better_than_that_of_the_covariance_score():
    epoch = small_epoch()
    reference, canary = Reference.estimate(epoch.gradients()), epoch.gradients()[5]
    direction = reference.solve(canary - reference.mean)
    best = epoch.separation(direction, canary)
    assert best == pytest.approx(reference.squared(canary) / epoch.n)
    near = direction * (1 + 0.1 * np.random.default_rng(0).standard_normal((300, 15)))
    others = [epoch.separation(a, canary) for a in near]
    assert 0.5 * best < max(others) <= best
    assert epoch.separation(canary, canary) < 0.9 * best


def test_the_levels_of_glir_are_uniform_for_normal_gradients_without_the_canary():
    """Kolmogorov-Smirnov, by the Dvoretzky-Kiefer-Wolfowitz inequality with Massart's constant."""
    generator, size, games = np.random.default_rng(8), 6, 20_000
    reference = Reference(np.array([1.0, -1, 0]), np.eye(3), np.array([4.0, 1, 9]))
    records = reference.mean + np.sqrt(reference.variances) * generator.standard_normal((games, size, 3))
    canary = np.array([2.0, 0.5, -4])
    levels = np.sort(np.exp(-glir(reference, size)(records.mean(axis=1), canary)))
    gap = np.abs(levels - (np.arange(games) + 0.5) / games).max()
    assert gap < np.sqrt(np.log(2 / 1e-6) / (2 * games)) + 0.5 / games
    records[:, 0] = canary
    assert np.median(np.exp(-glir(reference, size)(records.mean(axis=1), canary))) < 0.2


def small_epoch():
    generator = np.random.default_rng(11)
    x = generator.standard_normal((300, 4)) * [1, 1, 1, 0.2]
    y = generator.integers(3, size=300)
    return Epoch(Network((4, 3)), np.zeros(15), x, y, n=96, size=16, rate=1e-3)


def test_algorithm_13_is_the_sum_over_steps_of_what_it_says():
    epoch = small_epoch()
    reference = Reference.estimate(epoch.gradients(), noise=0.01)
    run = descend(epoch.network, epoch.theta, epoch.x, epoch.y, blocks(300, 16, 5), np.linspace(0.1, 1, 5))
    x, y, total = np.array([1.0, 0, -2, 1]), 2, 0.0
    for t in range(5):
        own = epoch.network.gradients(run.thetas[t], x[None], np.array([y]))[0]
        batch = epoch.network.gradients(run.thetas[t], epoch.x[16 * t : 16 * t + 16], epoch.y[16 * t : 16 * t + 16])
        total += covariance(reference, 16)(batch.mean(axis=0), own)
    traces = traced(epoch.network, run, (x, y), {"covariance": covariance(reference, 16), "product": scalar_product})
    assert traces["covariance"] == pytest.approx(total)
    assert traced(epoch.network, run, (x, y), {"product": scalar_product}, printed=True) == {
        "product": pytest.approx(-traces["product"])
    }


def test_scores_gain_with_the_canary_what_theory_says_and_lose_it_with_the_printed_sign():
    epoch = small_epoch()
    reference = Reference.estimate(epoch.gradients(), noise=0.01)
    canary = (np.array([0.0, 0, 0, 3]), 1)
    own = epoch.network.gradients(epoch.theta, canary[0][None], np.array([1]))[0]
    direction = reference.solve(own - reference.mean)
    scores = {"covariance": covariance(reference, 16), "product": scalar_product}
    generator = np.random.default_rng(2)
    secret, told = epoch.rounds(canary, scores, 1200, generator)
    for name, along in {"covariance": direction, "product": own}.items():
        separation = epoch.separation(along, own)
        right = Attacked("planted", name, 0.0, separation, secret, told[name]).ordered()
        low, high = binomial_interval(int(right.sum()), len(right), ERROR)
        assert low < normal_cdf(np.sqrt(separation / 2)) < high and low > 0.5
    secret, told = epoch.rounds(canary, {"covariance": scores["covariance"]}, 300, generator, printed=True)
    assert told["covariance"][secret].mean() < told["covariance"][~secret].mean()


def test_what_is_found_of_a_private_epoch_is_what_theory_says_of_clipped_gradients_and_noise():
    generator = np.random.default_rng(6)
    epoch = replace(small_epoch(), n=16, private=Private(0.6, 0.05, NoiseSource(generator)))
    extremes = attack_extremes(epoch, 800, generator)
    assert np.linalg.norm(epoch.gradients(), axis=1).max() == pytest.approx(0.6)
    for a in extremes:
        right = a.ordered()
        low, high = binomial_interval(int(right.sum()), len(right), ERROR)
        if a.attack == "covariance":
            assert low < normal_cdf(np.sqrt(a.separation / 2)) < high
        if a.target == "easy":
            assert low > 0.5
    clear = attack_extremes(replace(epoch, private=replace(epoch.private, gamma=0.01)), 2, generator)
    assert clear[0].separation > 1.5 * extremes[0].separation  # noise hides


def test_the_targets_of_an_experiment_are_the_farthest_and_the_nearest_row_and_leave_the_rows():
    epoch = small_epoch()
    distances = Reference.estimate(epoch.gradients(), noise=0.1 * epoch.gradients().var(axis=0).mean())
    squared = distances.squared(epoch.gradients())
    extremes = attack_extremes(epoch, 6, np.random.default_rng(0), ridge=0.1)
    assert [(a.target, a.attack) for a in extremes[:4:3]] == [("easy", "covariance"), ("hard", "covariance")]
    for a, row in ((extremes[0], squared.argmax()), (extremes[3], squared.argmin())):
        kept = np.setdiff1d(np.arange(300), [squared.argmax(), squared.argmin()])
        others = epoch.gradients(kept)
        reference = Reference.estimate(others, noise=0.1 * others.var(axis=0).mean())
        assert a.distance == pytest.approx(reference.squared(epoch.gradients(np.array([row]))[0]))
        assert a.secret.shape == a.scores.shape == (6,)
        assert sorted([*a.played.out, *a.played.inside]) == sorted(a.scores)
    with pytest.raises(InvalidInput, match="ridge"):
        attack_extremes(epoch, 6, np.random.default_rng(0), ridge=-1)
    with pytest.raises(InvalidInput, match="attacks"):
        attack_extremes(epoch, 6, np.random.default_rng(0), attacks=["norm"])
