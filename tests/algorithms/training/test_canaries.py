"""Canaries: which one is picked, and the CANIFE loss against differences and at its minimum."""

import numpy as np
import pytest

from banditproof.algorithms.training import Reference, canife_loss, dirac, mislabelled, selected

GENERATOR = np.random.default_rng(0)


def test_the_farthest_candidate_is_picked_in_every_basis_and_not_by_second_moments():
    """The counterexample of MIA-A14: a mean far from 0 shortens what lies along it."""
    mean, candidates = np.array([10.0, 0]), np.array([[13.0, 0], [10, 1]])
    references = mean + GENERATOR.standard_normal((4000, 2))
    basis = np.array([[2.0, 1], [-1, 3]])
    for transform in (np.eye(2), basis):
        assert selected(Reference.estimate(references @ transform), candidates @ transform) == 0
        assert selected(Reference.estimate(references @ transform, centred=False), candidates @ transform) == 1


def test_a_dirac_gradient_is_the_farther_the_less_its_column_varies():
    references = GENERATOR.standard_normal((3000, 3)) * [1, 0.1, 3]
    reference = Reference.estimate(references)
    canaries = np.array([dirac(3, k, 2.0) for k in range(3)])
    np.testing.assert_allclose(reference.squared(canaries), 4 / np.array([1, 0.01, 9]), rtol=0.2)
    assert selected(reference, canaries) == 1 and canaries.sum() == 6


def test_mislabelled_records_have_each_other_label_equally_often():
    y = np.repeat(np.arange(4), 3000)
    wrong = mislabelled(y, 4, GENERATOR)
    table = np.zeros((4, 4))
    np.add.at(table, (y, wrong), 1)
    assert np.diag(table).sum() == 0
    assert np.all(np.abs(table[~np.eye(4, dtype=bool)] - 1000) < 150)


@pytest.mark.parametrize("length", [0.5, 1.5])
def test_the_slope_of_the_canife_loss_is_that_of_its_differences(length):
    references, canary = GENERATOR.standard_normal((6, 4)), GENERATOR.standard_normal(4)
    canary *= length / np.linalg.norm(canary)
    written = sum(np.inner(u, canary) ** 2 for u in references) + max(1 - length, 0) ** 2
    value, slope = canife_loss(canary, references, 1.0)
    steps = 1e-6 * np.eye(4)
    around = [
        (canife_loss(canary + e, references, 1.0)[0] - canife_loss(canary - e, references, 1.0)[0]) for e in steps
    ]
    assert value == pytest.approx(written)
    np.testing.assert_allclose(slope, np.array(around) / 2e-6, atol=1e-7)


def test_the_canife_loss_is_least_along_the_direction_of_least_second_moment():
    references = GENERATOR.standard_normal((50, 3)) * [1, 0.1, 2]
    canary = np.array([0.3, 0.3, 0.3])
    for _ in range(8000):
        canary = canary - 1e-3 * canife_loss(canary, references, 1.0)[1]
    least = np.linalg.eigh(references.T @ references)[1][:, 0]
    assert abs(canary @ least) == pytest.approx(np.linalg.norm(canary), rel=1e-6)
    moment = np.linalg.eigvalsh(references.T @ references)[0]
    assert np.linalg.norm(canary) == pytest.approx(1 / (1 + moment), rel=1e-6)  # where both slopes meet
