"""The polytope of private algorithms against bounds known by hand."""

import pytest

from banditproof.verify.adversarial.two_losses import PrivateAlgorithms, transfer_excess


def test_one_round_decides_nothing():
    """The first action cannot depend on losses, whatever the ratio."""
    algorithms = PrivateAlgorithms(1, 1.0)
    assert algorithms.largest({algorithms.leaf((0,), (1,)): 1.0, algorithms.leaf((1,), (1,)): -1.0}) == 0


@pytest.mark.parametrize("ratio", [1.5, 2.0, 4.0])
def test_a_changed_loss_moves_the_second_action_as_far_as_randomised_response_does(ratio):
    """The most that two laws on two outcomes differ with ratios up to r: r/(1 + r) - 1/(1 + r)."""
    algorithms = PrivateAlgorithms(2, ratio)
    moved = algorithms.largest({algorithms.leaf((0, 0), (1, 1)): 1.0, algorithms.leaf((1, 0), (1, 1)): -1.0})
    assert moved == pytest.approx((ratio - 1) / (ratio + 1))


def test_without_privacy_one_look_is_enough_to_break_the_transfer():
    assert transfer_excess(3, 1e9, 1, 1, 2, 2.0) == pytest.approx(1)
