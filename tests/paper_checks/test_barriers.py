"""The algorithms without ears that stand against Lemma 11 of the adversarial paper."""

from fractions import Fraction

import pytest

from banditproof.paper_checks.adversarial.s5_barriers import meets_lemma_11, worst_regret_of_plays
from banditproof.theory.errors import InvalidInput


@pytest.mark.parametrize("plays", [[1], [2, 1], [2, 2, 2], [2, 1, 2, 1], [1, 1, 2, 1, 2]])
def test_the_worst_losses_punish_the_arm_that_is_played_most(plays):
    assert worst_regret_of_plays(plays) == max(plays.count(1), plays.count(2))


def test_the_conditions_of_the_lemma():
    half = Fraction(1, 2)
    assert meets_lemma_11([2, 1, 2, 1], half, 1, 1) == 1
    assert meets_lemma_11([1, 1, 2, 1], half, 1, 1) == 0  # (1): the second arm is not played half of the time
    assert meets_lemma_11([1, 2, 2, 1], half, 1, 1) == 0  # (2): twice within the window
    assert meets_lemma_11([2, 1, 2, 1], half, 2, 1) == 0  # tau < T/2
    assert meets_lemma_11([2, 1, 2, 1], half, 1, 2) == 0  # p <= gamma (T - tau)
    assert meets_lemma_11([2, 2, 2, 1], Fraction(3, 4), 1, 2) == 0  # gamma <= 1/2
    assert meets_lemma_11([2, 1] * 4, half, 3, 2) == 0  # 2 gamma tau <= p
    with pytest.raises(InvalidInput, match="plays must be"):
        meets_lemma_11([2, 1, 3, 1], half, 1, 1)
    with pytest.raises(InvalidInput, match="plays must be"):
        meets_lemma_11([2, 1, 2, 1, 2, 1], Fraction(2, 5), 0, 1)
