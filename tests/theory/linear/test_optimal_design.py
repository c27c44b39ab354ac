"""G-optimal designs: against cvxpy, known designs and exact arithmetic; certificates, pruning, spans, bad input."""

import dataclasses
import itertools
from fractions import Fraction

import cvxpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditproof.theory import Enclosure, InvalidInput, g_optimal_design
from banditproof.theory.linear import optimal_design
from banditproof.theory.linear.design_certificate import norm_brackets
from banditproof.theory.linear.design_solver import fewer_points

CUBE = np.array(list(itertools.product([-1, 1], repeat=4)), dtype=float)


def gaussian(count, dimension, seed=0):
    return np.random.default_rng(seed).standard_normal((count, dimension))


def exact_worst_norm(actions, weights):
    """max_a a^T V^-1 a in rationals, V = sum w a a^T / sum w, by elimination."""
    rows = [[Fraction(x) for x in row] for row in np.asarray(actions).tolist()]
    mass = [Fraction(w) for w in np.asarray(weights).tolist()]
    size, total = len(rows[0]), sum(mass)
    v = [
        [sum(w * a[i] * a[j] for w, a in zip(mass, rows, strict=True)) / total for j in range(size)]
        for i in range(size)
    ]

    def norm(action):
        table = [[*row, value] for row, value in zip(v, action, strict=True)]
        for i in range(size):
            table[i] = [x / table[i][i] for x in table[i]]
            for k in range(size):
                if k != i:
                    table[k] = [x - table[k][i] * y for x, y in zip(table[k], table[i], strict=True)]
        return sum(x * row[-1] for x, row in zip(action, table, strict=True))

    return max(norm(action) for action in rows)


def log_det(actions, weights):
    return np.linalg.slogdet((actions.T * weights) @ actions)[1]


@pytest.mark.parametrize(("count", "dimension"), [(12, 2), (40, 4), (60, 6)])
def test_the_determinant_is_that_of_cvxpy(count, dimension):
    actions = gaussian(count, dimension)
    weights = cvxpy.Variable(count, nonneg=True)
    information = actions.T @ cvxpy.diag(weights) @ actions
    cvxpy.Problem(cvxpy.Maximize(cvxpy.log_det(information)), [cvxpy.sum(weights) == 1]).solve()
    feasible = np.maximum(weights.value, 0) / np.maximum(weights.value, 0).sum()
    other, design = log_det(actions, feasible), g_optimal_design(actions)
    assert design.gap.upper <= 1e-9 and design.log_det.width < 1e-12
    # no design is better by more than the certified gap (and rounding); the solver's own is a little worse
    assert other - 1e-12 <= float(design.log_det.upper + design.log_det_gap.upper) <= other + 1e-3


def test_text_in_an_action_is_a_number():
    assert g_optimal_design([["1/3", 0], ["0", 1]]).weights.tolist() == [0.5, 0.5]
    with pytest.raises(InvalidInput, match=r"actions\[1\] must be a row of numbers, got 'x'"):
        g_optimal_design([["1/3", 0], ["x", 1]])


@pytest.mark.parametrize(("count", "dimension"), [(12, 2), (40, 4)])
def test_the_weights_are_those_of_the_multiplicative_algorithm(count, dimension):
    actions = gaussian(count, dimension)
    weights = np.full(count, 1 / count)
    for _ in range(20_000):
        inverse = np.linalg.inv((actions.T * weights) @ actions)
        weights *= np.einsum("ij,jk,ik->i", actions, inverse, actions) / dimension
    # 20,000 iterations of a method of order 1/n
    assert g_optimal_design(actions).weights == pytest.approx(weights, abs=1e-3)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(0, 8))
def test_the_enclosure_contains_the_exact_value_and_is_close_to_the_dimension(seed, dimension, more):
    draw = np.random.default_rng(seed)
    actions = np.concatenate([np.eye(dimension), draw.integers(-4, 5, (more, dimension))])
    design = g_optimal_design(actions)
    assert design.value.contains(exact_worst_norm(actions, design.weights))
    assert dimension - 1e-9 <= design.value.upper <= dimension + 1e-8
    assert design.gap.upper >= design.value.upper - dimension and design.recheck()


def test_quadratic_regression_puts_a_third_on_the_ends_and_the_middle():
    x = np.linspace(-1, 1, 201)
    design = g_optimal_design(np.vander(x, 3))
    assert x[design.support].round(12).tolist() == [-1, 0, 1]
    assert design.weights[design.support] == pytest.approx([1 / 3] * 3, abs=1e-9)


def test_polynomials_of_degree_four_are_designed_at_the_roots_of_legendre_derivatives():
    x = np.linspace(-1, 1, 4001)
    design = g_optimal_design(np.vander(x, 5))
    at = sum(np.isclose(x, root, atol=6e-4) * design.weights for root in (-1, -np.sqrt(3 / 7), 0, np.sqrt(3 / 7), 1))
    assert at.sum() == pytest.approx(1, abs=1e-6) and design.gap.upper < 1e-8


def test_the_design_does_not_depend_on_coordinates():
    actions, change = gaussian(30, 3), np.array([[2.0, 1, 0], [0, 0.5, 3], [1e-3, 0, 1]])
    assert g_optimal_design(actions @ change).weights == pytest.approx(g_optimal_design(actions).weights, abs=1e-7)


def test_actions_of_very_different_sizes_are_no_obstacle():
    design = g_optimal_design(gaussian(200, 5) * 10.0 ** np.arange(-200, 300, 100))
    assert design.gap.upper < 1e-9 and design.recheck()


def test_an_ill_conditioned_set_gets_the_gap_it_has():
    design = g_optimal_design(np.vander(np.linspace(0.5, 1.5, 60), 10))
    assert design.gap.upper < 1e-2 and design.gap.width <= 1e-9 and design.recheck()


# ----------------------------------------------------------------------------------------------------------- pruning


def test_pruning_leaves_at_most_the_number_of_caratheodory_and_the_same_information():
    weights = np.full(len(CUBE), 1 / len(CUBE))
    pruned = fewer_points(CUBE, weights)
    assert (pruned > 0).sum() <= 10 and pruned.min() >= 0
    assert (CUBE.T * pruned) @ CUBE == pytest.approx(np.eye(4), abs=1e-12)


def test_a_pruned_design_is_as_good():
    actions = np.concatenate([CUBE, -CUBE, 0.5 * CUBE])
    design = g_optimal_design(actions, prune=True)
    assert len(design.support) <= 10 and design.gap.upper < 1e-9 and design.recheck()


# -------------------------------------------------------------------------------------------------- spans, duplicates


def test_a_set_that_does_not_span_gets_the_design_of_its_span_and_says_so():
    inner = gaussian(40, 2)
    actions = inner @ np.array([[1.0, 2, 0, 1], [0, 0, 1, 1]])
    design = g_optimal_design(actions)
    assert design.dimension == 2 and len(design.coordinates) == 2 and "span 2 of 4" in design.note
    assert design.weights == pytest.approx(g_optimal_design(inner).weights, abs=1e-7) and design.recheck()
    with pytest.raises(InvalidInput, match="spans all 4 dimensions"):
        g_optimal_design(actions, spanning=True)


def test_a_set_that_spans_has_no_note():
    assert g_optimal_design(np.eye(3), spanning=True).note == ""


def test_duplicates_and_zeros_change_nothing():
    actions = gaussian(20, 3)
    design = g_optimal_design(np.concatenate([actions, actions, np.zeros((2, 3))]))
    shared = design.weights[:20] + design.weights[20:40]
    assert shared == pytest.approx(g_optimal_design(actions).weights, abs=1e-7)
    assert design.weights[40:].tolist() == [0, 0]


# ------------------------------------------------------------------------------------------------------ certificates


def test_a_corrupted_certificate_is_rejected():
    design = g_optimal_design(gaussian(50, 3))
    moved = design.weights.copy()
    moved[design.support[0]] += 1e-4
    lost = design.weights.copy()
    lost[design.support[0]] = -lost[design.support[0]]
    assert design.recheck()
    assert not dataclasses.replace(design, weights=moved).recheck()
    assert not dataclasses.replace(design, weights=lost).recheck()
    assert not dataclasses.replace(design, value=Enclosure(3, 3 + 2**-60)).recheck()
    assert not dataclasses.replace(design, log_det=Enclosure(0, 1)).recheck()
    assert not dataclasses.replace(design, weights=design.weights[:-1]).recheck()
    assert not dataclasses.replace(design, actions=2 * design.actions).recheck()  # another determinant


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5))
def test_float_brackets_contain_the_exact_norms(seed, dimension):
    draw = np.random.default_rng(seed)
    points = draw.uniform(-1, 1, (6, dimension)) * 2.0 ** -draw.integers(0, 60, (6, dimension))
    whitened = draw.standard_normal((dimension, dimension)) * 10.0 ** draw.integers(-3, 6)
    below, above = norm_brackets(points, whitened)
    for i in range(6):
        image = [
            sum(Fraction(w) * Fraction(x) for w, x in zip(row, points[i].tolist(), strict=True))
            for row in whitened.tolist()
        ]
        assert Fraction(below[i]) <= sum(x * x for x in image) <= Fraction(above[i])


def test_any_weights_on_the_gap_bound_the_determinant():
    actions = gaussian(15, 2)
    design, best = g_optimal_design(actions, tol=0.5), g_optimal_design(actions)
    assert float(best.log_det.upper) <= float(design.log_det.lower + design.log_det_gap.upper) + 1e-12


def test_sixty_dimensions_end_with_a_small_gap_and_too_many_are_refused(monkeypatch):
    actions = np.random.default_rng(0).standard_normal((150, 60))
    assert g_optimal_design(actions).gap.upper < 1e-9
    monkeypatch.setattr(optimal_design, "LARGEST_DIMENSION", 2)
    with pytest.raises(InvalidInput, match="spans at most 2 dimensions"):
        g_optimal_design(np.eye(3))
