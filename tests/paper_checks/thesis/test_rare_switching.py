"""Designs and updates in exact arithmetic against floating-point linear algebra and the policy itself."""

from fractions import Fraction

import numpy as np
import pytest

from banditproof.algorithms.contextual.oful import RarelySwitchingOFUL
from banditproof.paper_checks.thesis.facts.rare_switching import (
    designs,
    determinant,
    episode_starts,
    last_updates,
    squared_bonus,
    unit_vectors,
)

SEQUENCES = [["same", 1], ["axes", 3], ["turn", 2, 3], ["random", 2, 0], ["random", 3, 1]]


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_the_vectors_have_norm_one(sequence):
    assert {sum(x * x for x in a) for a in unit_vectors(sequence, 20)} == {1}


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_determinants_and_bonuses_are_those_of_numpy(sequence):
    vectors = unit_vectors(sequence, 9)
    exact = designs(vectors, Fraction(1, 3))[-1]
    floats, a = np.array(exact, dtype=float), np.array(vectors[-1], dtype=float)
    assert float(determinant(exact)) == pytest.approx(np.linalg.det(floats))
    assert float(squared_bonus(exact, vectors[-1])) == pytest.approx(a @ np.linalg.solve(floats, a))


def test_an_axis_that_is_played_again_and_again_updates_at_every_doubling():
    assert episode_starts(unit_vectors(["same", 1], 40), Fraction(1), Fraction(99, 100)) == [1, 2, 4, 8, 16, 32]


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_the_policy_updates_when_the_sequence_says(sequence):
    rounds, growth = 60, Fraction(7, 10)
    vectors = unit_vectors(sequence, rounds)
    policy = RarelySwitchingOFUL(sequence[1], horizon=rounds, ridge=0.5, growth=float(growth))
    opened = []
    for a in vectors:
        policy.next_batch(np.array(a, dtype=float)[np.newaxis, np.newaxis, np.newaxis], np.zeros(1, dtype=int))
        opened.append(int(policy.opened[0]))
        policy.observe(np.zeros((1, 1)))
    assert opened == last_updates(vectors, Fraction(1, 2), growth)
