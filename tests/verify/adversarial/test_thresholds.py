"""Exact laws of short games: they are laws, agree with each other, and with regrets counted by hand."""

from fractions import Fraction

import pytest

from banditproof.verify.adversarial.thresholds import (
    actions_of,
    advice_of,
    averaged,
    drawn_losses,
    exactly_above,
    expected_regret,
    laplace_above,
    law_of_batches,
    law_of_experts,
    listed,
    tables,
    threshold_learner,
)

HALF = Fraction(1, 2)


@pytest.mark.parametrize("seed", range(4))
def test_probabilities_add_up_to_one(seed):
    losses = drawn_losses(seed)
    assert sum(law_of_batches(seed, 5, 2, losses, exactly_above).values()) == 1
    noisy = sum(law_of_batches(seed, 5, 2, losses, laplace_above(Fraction(1))).values())
    assert noisy.contains(1) and noisy.rad() < 1e-12
    assert sum(law_of_experts(seed, 3, 2, losses, advice_of(seed), exactly_above).values()) == 1


def test_experts_that_name_an_action_each_play_as_the_learner_alone():
    losses = drawn_losses(5)
    law = actions_of(law_of_experts(2, 3, 1, losses, advice_of(0), exactly_above))
    alone = law_of_batches(2, 3, 1, losses, exactly_above)
    assert all(law.get(actions, 0) == alone.get(actions, 0) for actions in {*law, *alone})
    assert expected_regret(law, losses, 3, advice_of(0)) == expected_regret(alone, losses, 3)


def test_regret_by_hand():
    losses = listed([[Fraction(1), Fraction(0)], [HALF, Fraction(1)]])
    law = {(0, 0): HALF, (1, 1): HALF}
    assert expected_regret(law, losses, 2) == HALF * Fraction(3, 2) + HALF * 1 - 1
    even = [[HALF, HALF], [Fraction(1), Fraction(0)]]
    assert expected_regret(law, losses, 2, lambda t: even) == Fraction(5, 4) - min(Fraction(5, 4), Fraction(3, 2))


def test_means_of_batches_and_all_tables():
    losses = listed([[Fraction(1), Fraction(0)], [HALF, Fraction(1)], [Fraction(0), Fraction(1)]])
    assert averaged(losses, 2)(0, ()) == [Fraction(3, 4), HALF]
    found = [tuple(tuple(table(t, ())) for t in range(2)) for table in tables(2, 1)]
    assert len(set(found)) == 16 == len(found)


def test_the_learner_that_never_leaves():
    learner = threshold_learner(0)
    assert {learner(word)[0] for word in ((), (1,), (0, 1))} == {0}
