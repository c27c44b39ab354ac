"""Error laws of the counters against simulation-free references."""

from fractions import Fraction

import pytest
from scipy import integrate, stats

from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.continual_counting import (
    COUNTERS,
    ErrorLaw,
    counting_error,
    dyadic_cover,
    tree_levels,
    usefulness,
    worst_step,
)


@pytest.mark.parametrize("horizon", [1, 2, 3, 8, 9, 31])
def test_the_cover_of_a_prefix_is_a_partition_by_dyadic_ranges(horizon):
    for t in range(1, horizon + 1):
        cover = dyadic_cover(t)
        assert [i for start, stop in cover for i in range(start, stop)] == list(range(t))
        assert all(start % (stop - start) == 0 and (stop - start).bit_count() == 1 for start, stop in cover)
        assert len(cover) == counting_error("binary tree", t, horizon, 1).terms


@pytest.mark.parametrize("horizon", range(1, 20))
def test_the_levels_are_the_nodes_above_a_leaf(horizon):
    size, nodes = 1, 1
    while size < horizon:
        size, nodes = 2 * size, nodes + 1
    assert tree_levels(horizon) == nodes


def test_the_tail_and_the_variance_are_those_of_a_difference_of_gamma_variables():
    law = ErrorLaw(3, Fraction(5, 2))
    value, _ = integrate.quad(lambda g: 2 * stats.gamma.pdf(g, 3) * stats.gamma.sf(g + 4 / 2.5, 3), 0, 60)
    assert float(law.tail(4)) == pytest.approx(value, rel=1e-9)
    assert law.variance == 2 * 3 * Fraction(25, 4)


@pytest.mark.parametrize("counter", COUNTERS)
@pytest.mark.parametrize("beta", ["1/2", "1/1000"])
def test_usefulness_is_the_smallest_alpha_that_serves_every_step(counter, beta):
    horizon = 11
    alpha = usefulness(counter, horizon, "1/2", beta)
    laws = [counting_error(counter, t, horizon, "1/2") for t in range(1, horizon + 1)]
    assert all(float(law.tail(alpha.upper)) <= float(Fraction(beta)) * (1 + 1e-12) for law in laws)
    worst = counting_error(counter, worst_step(counter, horizon), horizon, "1/2")
    assert float(worst.tail(alpha.lower)) == pytest.approx(float(Fraction(beta)), rel=1e-9)
    assert alpha.width <= alpha.upper * Fraction(1, 2**45)


@pytest.mark.parametrize(
    "call",
    [
        lambda: counting_error("binary tree", 3, 2, 1),
        lambda: counting_error("binary tree", 0, 2, 1),
        lambda: counting_error("abacus", 1, 2, 1),
        lambda: counting_error("binary tree", 1, 2, 0),
        lambda: counting_error("binary tree", 1, 2, float("nan")),
        lambda: usefulness("binary tree", 2, 1, 0),
        lambda: worst_step("abacus", 2),
        lambda: tree_levels(0),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises(InvalidInput, match="must be"):
        call()
