"""The inverse of the KL-UCB index against the index itself."""

import pytest

from banditproof.theory import kl_ucb_index, to_ball, working_precision
from banditproof.theory.laws.index_inverse import largest_mean_with_index_below


@pytest.mark.parametrize("target", ["1/1000", "1/4", "1/2", "9/10", "999/1000"])
@pytest.mark.parametrize("level", ["0", "1/1000", "1/10", "1/2", "3"])
def test_the_index_is_below_the_target_up_to_the_inverse_and_above_it_beyond(target, level):
    with working_precision(128):
        mean = largest_mean_with_index_below(to_ball(target), to_ball(level))
        low, high = mean.lower(), mean.upper()
        assert high - low < 1e-15
        assert mean == 0 or not kl_ucb_index(low, level) > to_ball(target)
        assert not kl_ucb_index(high, level) < to_ball(target)
        assert low <= 0 or kl_ucb_index(low - 1e-9, level) < to_ball(target) or low < 1e-9
        assert kl_ucb_index(high + 1e-9, level) > to_ball(target)


def test_no_index_exceeds_one_and_some_exceed_a_small_target_everywhere():
    assert largest_mean_with_index_below(1, to_ball("1/2")) == 1
    assert largest_mean_with_index_below(to_ball("1/10"), 3) == 0
