"""What the privacy claims compare with: relations against values found another way."""

from fractions import Fraction

import pytest

from banditproof.paper_checks.bernoulli_dp.app_h_tools.h1_processing import group_privacy_of_a_leak
from banditproof.paper_checks.bernoulli_dp.section_4.s4_privacy import violations
from banditproof.paper_checks.shared.composition import counting, renyi_moment
from banditproof.theory import InvalidInput, to_ball
from banditproof.verify import random_channel


def test_the_leak_is_approximately_private_with_its_delta():
    first, _, bound = group_privacy_of_a_leak(to_ball(0), Fraction(1, 3), 1)
    assert first == Fraction(1, 3) and bound == 0
    with pytest.raises(InvalidInput, match="chances"):
        counting([Fraction(0), Fraction(1, 2)], Fraction(1), Fraction(1, 3))


def test_integer_moments_are_exponentials_of_renyi_divergences():
    channel = random_channel(3, 1)
    left, right = channel.laws[(0,)], channel.laws[(1,)]
    for order in (2, 5):
        total = sum(float(p) ** order * float(right[s]) ** (1 - order) for s, p in left.items())
        assert float(renyi_moment(left, right, order)) == pytest.approx(total, rel=1e-12)


def test_planted_bugs_are_seen_and_the_sound_policy_is_not_blamed():
    case = {"algorithm": "DP-IMED", "epsilon": Fraction(1), "T": 60, "rewards": 2, "batches": 0}
    assert violations(**case, bug="none")[0] == 0
    assert violations(**case, bug="budget doubled")[0] > 0
