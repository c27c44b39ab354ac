"""The formulas on single floats, in Python and in compiled loops, beside those on arrays."""

import numpy as np
import pytest

from banditproof.theory.laws import bernoulli_floats as floats
from banditproof.theory.laws.bernoulli import d_epsilon, dp_klucb_index, kl_bernoulli, kl_ucb_index

ULP = 2.0**-52


def means(generator, size):
    """Means anywhere, on a grid, next to either end and at them."""
    pieces = [
        generator.random(size),
        generator.integers(0, 11, size) / 10,
        10.0 ** -generator.uniform(0, 300, size),
        1 - 10.0 ** -generator.uniform(0, 17, size),
    ]
    return generator.permutation(np.concatenate(pieces))


@pytest.fixture
def points():
    generator = np.random.default_rng(7)
    x, y = means(generator, 300), means(generator, 300)
    near = slice(0, 300)
    y[near] = np.clip(x[near] * (1 + 10.0 ** -generator.uniform(0, 16, 300)), 0, 1)
    size = x.size
    epsilon = np.where(generator.random(size) < 0.1, np.inf, 10.0 ** generator.uniform(-6, 3, size))
    epsilon[:5] = 0
    return x, y, epsilon, 10.0 ** generator.uniform(-20, 2, size)


def agree(found, expected, ulps):
    np.testing.assert_allclose(np.array(found, dtype=float), expected, rtol=ulps * ULP, atol=0)


def test_on_single_floats_as_on_arrays(points):
    x, y, epsilon, level = points
    columns = [column.tolist() for column in points]
    agree(list(map(floats.kl, *columns[:2])), kl_bernoulli(x, y), 16)
    agree(list(map(floats.d, *columns[:3])), d_epsilon(x, y, epsilon), 16)
    index = dp_klucb_index(x, level, epsilon)
    agree(list(map(floats.largest_mean, columns[0], columns[3], columns[2])), index, 32)
    agree(list(map(floats.kl_root, columns[0], columns[3])), kl_ucb_index(x, level), 32)


def test_one_float_and_one_entry_of_an_array_have_the_same_value(points):
    x, y, epsilon, _ = points
    one_by_one = [d_epsilon(*each) for each in zip(x.tolist(), y.tolist(), epsilon.tolist(), strict=True)]
    assert {type(each) for each in one_by_one} == {np.float64}
    agree(one_by_one, d_epsilon(x, y, epsilon), 16)


def test_compiled_they_give_the_same(points):
    numba = pytest.importorskip("numba")
    from banditproof.theory.laws import compiling

    assert compiling.sources()
    _, _, epsilon, level = points

    @numba.njit(error_model="numpy")
    def both(x, y, epsilon, level, divergence, index):
        for i in range(x.size):
            divergence[i] = floats.d(x[i], y[i], epsilon[i])
            index[i] = floats.largest_mean(x[i], level[i], epsilon[i])

    x, y = points[:2]
    divergence, index = np.empty_like(x), np.empty_like(x)
    both(x, y, epsilon, level, divergence, index)
    columns = [column.tolist() for column in points]
    agree(divergence, list(map(floats.d, *columns[:3])), 4)
    agree(index, list(map(floats.largest_mean, columns[0], columns[3], columns[2])), 4)


def test_an_edit_of_the_formulas_is_noticed_by_stored_loops():
    pytest.importorskip("numba")
    from banditproof.algorithms.run import batched_loops, loops
    from banditproof.theory.laws import compiling

    for make in (loops.kl_ucb, loops.imed):
        made = [make(source) for source in ("before", "after")]
        closed_over = [[cell.cell_contents for cell in one.py_func.__closure__] for one in made]
        assert closed_over[0] != closed_over[1]
        assert compiling.made(make) is compiling.made(make)
    parts = (loops._kl_ucb_scores, loops._imed_scores, batched_loops._adap_klucb_scores)
    assert all(part.stats.cache_path is None for part in parts)  # or a stored part would still hold the old formula
