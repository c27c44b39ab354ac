"""Membership games: what is drawn at once against exact laws, scores against theory, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest

from banditproof.algorithms.membership import (
    BernoulliColumns,
    GaussianColumns,
    Mean,
    OwnMechanism,
    SubSampledMean,
    asymptotic,
    empirical,
    likelihood_ratio,
    play,
    scalar_product,
)
from banditproof.algorithms.membership.game import Played
from banditproof.paper_checks.thesis.facts.inference import column_means, fixed_laws
from banditproof.paper_checks.thesis.facts.membership import sub_sampled_mean
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.leakage import gaussian_leakage, sampled_leakage
from banditproof.verify.proof.statistics import binomial_interval

HALF = Fraction(1, 2)
ERROR = Fraction(1, 10**6)  # of every interval here


def counted(mechanism, n, means, target, games=20_000):
    """How often each output came out without and with the target."""
    columns, generator = BernoulliColumns(np.array(means)), np.random.default_rng(7)
    inside = np.arange(games) % 2 == 0
    targets = np.broadcast_to(np.array(target, dtype=float), (games, len(means)))
    outputs = mechanism.outputs(columns, n, inside, targets, generator)
    return [[tuple(row) for row in outputs[inside == b]] for b in (False, True)]


@pytest.mark.parametrize(
    ("mechanism", "n", "exact", "used"),
    [
        (Mean(), 3, column_means(3, HALF, Fraction(1, 4), 2), 3),
        (SubSampledMean(0.5), 4, sub_sampled_mean(4, 2, (HALF, Fraction(1, 4))), 2),
        (OwnMechanism(lambda data, generator: data.mean(axis=0)), 3, column_means(3, HALF, Fraction(1, 4), 2), 3),
    ],
)
def test_outputs_have_the_exact_laws_with_and_without_the_target(mechanism, n, exact, used):
    seen = counted(mechanism, n, [0.5, 0.25], [1, 0], games=4_000 if isinstance(mechanism, OwnMechanism) else 20_000)
    for outputs, law in zip(seen, fixed_laws(exact, (1, 0)), strict=True):
        for sums, p in law.items():
            hits = int(np.isclose(np.array(outputs), np.array(sums) / used).all(axis=1).sum())
            low, high = binomial_interval(hits, len(outputs), ERROR)
            assert low <= p <= high


def test_the_exact_ratio_of_bits_is_that_of_the_laws():
    columns = BernoulliColumns(np.array([0.5, 0.25]))
    out, inside = fixed_laws(column_means(3, HALF, Fraction(1, 4), 2), (1, 0))
    score = likelihood_ratio(columns, 3)
    for sums, p in out.items():
        found = score(np.array([sums]) / 3, np.array([[1.0, 0.0]]))[0]
        assert np.exp(found) == pytest.approx(float(inside[sums] / p))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("form", ["exact", "form"])
@pytest.mark.parametrize("data", ["bits", "normal"])
def test_the_advantage_at_threshold_0_is_that_of_the_limit(form, data):
    generator, n, d = np.random.default_rng(3), 200, 1000
    bits, normal = (
        BernoulliColumns(generator.uniform(0.25, 0.75, d)),
        GaussianColumns(np.zeros(d), np.linspace(1, 2, d)),
    )
    columns = bits if data == "bits" else normal
    target = columns.records(1, generator)[0]
    score = likelihood_ratio(columns, n) if form == "exact" else asymptotic(columns.mean, columns.variance, n)
    played = play(Mean(), columns, score, n, 4_000, generator, target)
    expected = gaussian_leakage(float(((target - columns.mean) ** 2 / columns.variance).sum()) / n)
    near = pytest.approx(float(expected), abs=0.06)  # four deviations and the distance to the limit
    assert played.advantage() == near


def test_a_sub_sampled_mean_leaks_as_the_mixture_and_not_as_printed():
    generator, n = np.random.default_rng(5), 400
    columns = BernoulliColumns(np.full(2_000, 0.3))
    target, squared = columns.easiest(), 2_000 * 0.7 / 0.3 / 400
    score = asymptotic(columns.mean, columns.variance, 40)
    played = play(SubSampledMean(0.1), columns, score, n, 6_000, generator, target)
    assert played.advantage() == pytest.approx(float(sampled_leakage(squared, 0.1)), abs=0.03)
    assert played.advantage() < float(gaussian_leakage(0.1 * squared)) - 0.2


def test_random_targets_references_and_one_reference_lose_power_in_this_order():
    generator, n = np.random.default_rng(11), 100
    columns = BernoulliColumns(np.full(500, 0.4))
    references = columns.records(200, generator)
    scores = [asymptotic(columns.mean, columns.variance, n), empirical(references, n), scalar_product(references[0])]
    best = []
    for score in scores:
        levels, powers = play(Mean(), columns, score, n, 4_000, np.random.default_rng(1)).roc()
        best.append((powers - levels).max())
    assert best[0] > best[1] > best[2] > 0.05


def test_the_same_seed_plays_the_same_games_whatever_is_held_at_once(monkeypatch):
    columns = BernoulliColumns(np.full(50, 0.4))
    score = asymptotic(columns.mean, columns.variance, 10)
    first, second = (play(Mean(), columns, score, 10, 100, np.random.default_rng(2), columns.easiest()) for _ in "ab")
    assert (first.out == second.out).all() and len(first.out) + len(first.inside) == 100
    levels, powers = first.roc()
    assert levels[0] == powers[0] == 0 and levels[-1] == powers[-1] == 1 and (np.diff(levels) >= 0).all()


BITS = BernoulliColumns(np.array([0.4, 0.6]))
FORM = asymptotic(BITS.mean, BITS.variance, 5)


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("n", {"n": 0}),
        ("games", {"games": 0}),
        ("target", {"target": np.ones(3)}),
        ("output of the mechanism", {"mechanism": OwnMechanism(lambda data, g: data[0] * np.nan)}),
        ("output of the mechanism", {"mechanism": OwnMechanism(lambda data, g: np.ones(g.integers(1, 9))), "games": 9}),
        ("score", {"score": lambda x, z: np.nan * x[:, 0]}),
    ],
)
def test_what_cannot_be_played_is_refused_by_name(name, changed):
    game = {"mechanism": Mean(), "columns": BITS, "score": FORM, "n": 5, "games": 5, **changed}
    with pytest.raises(InvalidInput, match=f"{name} must be"):
        play(**game, generator=np.random.default_rng(0))


@pytest.mark.parametrize("secret", [np.arange(40) < 20, np.arange(40) >= 20, np.arange(40) % 2 == 0])
def test_rounds_of_equal_score_are_guessed_alike_and_a_score_that_is_nan_is_named(secret):
    for scores in (np.zeros(40), np.full(40, np.inf), np.repeat([0.0, 1.0], 20) * 0):
        played = Played(np.sort(scores[~secret]), np.sort(scores[secret]))
        assert [played.advantage(t) for t in (-1.0, 0.0, 1.0)] == [0, 0, 0]
        assert [rates.tolist() for rates in played.roc()] == [[0, 1], [0, 1]]
    with pytest.raises(InvalidInput, match="score must be a number or an infinity"):
        Played(np.zeros(2), np.array([0, np.nan]))
