"""Prefixes as sums of dyadic ranges, and what the counters refuse."""

import pytest

from banditproof.theory.privacy.continual_counting import counting_error, dyadic_cover


@pytest.mark.parametrize("horizon", [1, 2, 3, 8, 9, 31])
def test_the_cover_of_a_prefix_is_a_partition_by_dyadic_ranges(horizon):
    for t in range(1, horizon + 1):
        cover = dyadic_cover(t)
        assert [i for start, stop in cover for i in range(start, stop)] == list(range(t))
        assert all(start % (stop - start) == 0 and (stop - start).bit_count() == 1 for start, stop in cover)
        assert len(cover) == counting_error("binary tree", t, horizon, 1).terms
