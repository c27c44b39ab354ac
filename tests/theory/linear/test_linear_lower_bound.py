"""The structured constant of linear bandits: cvxpy, closed forms, random designs; certificates and bad input."""

import dataclasses
import itertools
import math
from dataclasses import replace
from fractions import Fraction

import cvxpy
import numpy as np
import pytest
from scipy.linalg import null_space

from banditproof.theory import Enclosure, InvalidInput, action_span_ratios, basis_ratios, linear_regret_constant


def instance(seed, count, dimension):
    draw = np.random.default_rng(seed)
    return np.round(draw.standard_normal((count, dimension)), 2), np.round(draw.standard_normal(dimension), 2)


def by_cvxpy(actions, theta, bounds):
    """The program on the orthogonal complement of a*, as a semidefinite program in Schur complements."""
    means = actions @ theta
    best = int(means.argmax())
    images = actions @ null_space(actions[best : best + 1])
    others = [a for a in range(len(actions)) if a != best]
    alpha = cvxpy.Variable(len(others), nonneg=True)
    h = sum(alpha[i] * np.outer(images[a], images[a]) for i, a in enumerate(others))
    constraints = [cvxpy.matrix_frac(images[a], h) <= bounds[a] for a in others]
    gaps = (means[best] - means)[others]
    return cvxpy.Problem(cvxpy.Minimize(gaps @ alpha), constraints).solve(solver="CLARABEL")


@pytest.mark.one_in(5)  # every set of actions, epsilon and ratio
@pytest.mark.parametrize(("seed", "count", "dimension"), [(0, 4, 2), (1, 8, 3), (2, 15, 4)])
@pytest.mark.parametrize("epsilon", [None, "1/20", "1"])
@pytest.mark.parametrize("ratio", ["printed", "bases"])
def test_the_constant_is_that_of_a_semidefinite_program(seed, count, dimension, epsilon, ratio):
    actions, theta = instance(seed, count, dimension)
    constant = linear_regret_constant(actions, theta, epsilon, ratio=ratio)
    bounds = [None if b is None else float(b) for b in constant.thresholds]
    # the solver stops at a relative 1e-8 or so
    assert by_cvxpy(actions, theta, bounds) == pytest.approx(float(constant.value.lower), rel=1e-5)
    assert float(constant.value.width) <= 1e-9 * float(constant.value.upper) and constant.recheck()


@pytest.mark.parametrize("seed", range(3))
def test_the_allocation_meets_the_constraints_as_printed_when_the_best_action_is_sampled_often(seed):
    actions, theta = instance(seed, 10, 3)
    constant = linear_regret_constant(actions, theta, "1/3")
    alpha = np.where(np.isinf(constant.allocation), 1e9, constant.allocation)
    inverse = np.linalg.inv((actions.T * alpha) @ actions)
    for a, bound in enumerate(constant.thresholds):
        if bound is not None:
            assert actions[a] @ inverse @ actions[a] <= float(bound) * (1 + 1e-4)
    cost = sum(x * float(g) for x, g in zip(constant.allocation, constant.gaps, strict=True) if math.isfinite(x))
    assert cost == pytest.approx(float(constant.value.lower), rel=1e-6)


@pytest.mark.parametrize("alpha", ["1/4", "1", "5/2"])
def test_the_example_in_which_optimism_fails_has_its_known_constant(alpha):
    """For {e1, e2, (1 - h, 8 alpha h)} and theta = e1 the constant tends to 128 alpha^2 as h falls."""
    alpha, h = Fraction(alpha), Fraction(1, 1000)
    constant = linear_regret_constant([[1, 0], [0, 1], [1 - h, 8 * alpha * h]], [1, 0])
    assert float(constant.value.lower) == pytest.approx(128 * float(alpha) ** 2, rel=1e-6)


def test_orthonormal_arms_have_the_constant_of_independent_arms():
    gaps = [Fraction(1, 2), Fraction(1, 3), Fraction(3)]
    theta = [0, *(-g for g in gaps)]
    constant = linear_regret_constant(np.eye(4).tolist(), theta, "1/5")
    assert constant.value.contains(sum(max(2 / g, Fraction(5)) for g in gaps))
    assert constant.ratios == (None, 2, 2, 2) and constant.regimes == (None, "high", "low", "high")
    assert constant.applies and constant.best == 0


def test_actions_along_the_best_one_cost_nothing():
    assert linear_regret_constant([[1], [-1], ["1/2"]], [1], 1).value == Enclosure(0, 0)
    assert linear_regret_constant([[3]], [1]).value == Enclosure(0, 0)


def test_the_best_action_may_be_zero():
    constant = linear_regret_constant([[0, 0], [1, 0], [0, 1]], [-1, -2])
    assert constant.best == 0 and constant.value.contains(3)  # 2 / 1 + 2 / 2


def test_no_privacy_and_infinite_budget_agree():
    actions, theta = instance(3, 6, 3)
    assert linear_regret_constant(actions, theta).value == linear_regret_constant(actions, theta, math.inf).value


# ------------------------------------------------------------------------------------------------------- the ratios


def test_the_printed_ratio_by_hand():
    # a* = (1, 1), a = (1, 0): a - a* = (0, -1); its products are 0, -1 and -1, the squared lengths 1, 2 and 4
    rows = [[Fraction(x) for x in row] for row in ([1, 0], [1, 1], [0, 2], [0, 0])]
    assert action_span_ratios(rows, 1)[0] == Fraction(0) + Fraction(1, 2) + Fraction(2, 4)


def test_the_printed_ratio_is_its_definition_and_refuses_more_actions_than_it_can_add_up():
    actions, best = np.random.default_rng(0).normal(size=(30, 3)).tolist(), 7
    rows = [[Fraction(x) for x in row] for row in actions]

    def product(a, b):
        return sum(x * y for x, y in zip(a, b, strict=True))

    towards = [[x - y for x, y in zip(a, rows[best], strict=True)] for a in rows]
    expected = [sum(abs(product(row, one)) / product(row, row) for row in rows) for one in towards]
    expected[best] = None
    assert list(action_span_ratios(actions, best)) == expected
    with pytest.raises(InvalidInput, match="at most 2000 rows"):
        action_span_ratios([[n] for n in range(2001)], 0)


@pytest.mark.parametrize("seed", range(4))
def test_the_ratio_over_bases_is_the_supremum_over_designs(seed):
    draw = np.random.default_rng(seed)
    actions = draw.integers(-3, 4, (5, 2)).astype(float) + np.eye(5, 2) * 7
    rows = [[Fraction(x) for x in row] for row in actions.tolist()]
    stated = float(basis_ratios(rows, 1)[0])
    move = actions[0] - actions[1]

    def total(weights):
        direction = np.linalg.solve((actions.T * weights) @ actions, move)
        return weights @ np.abs(actions @ direction)

    designs = [10.0 ** draw.uniform(-4, 0, 5) for _ in range(500)]
    pairs = itertools.combinations(range(5), 2)
    concentrated = [np.where(np.isin(np.arange(5), pair), 1.0, 1e-9) for pair in pairs]
    assert max(map(total, designs)) <= stated * (1 + 1e-9)
    assert max(map(total, concentrated)) == pytest.approx(stated, rel=1e-3)


def test_only_the_ratio_over_bases_survives_a_change_of_coordinates():
    actions = [[Fraction(x) for x in row] for row in ([1, 0], [0, 1], [2, 1])]
    changed = [[row[0] + row[1], (row[0] - row[1]) / 50] for row in actions]
    assert basis_ratios(actions, 0) == basis_ratios(changed, 0)
    assert action_span_ratios(actions, 0) != action_span_ratios(changed, 0)


def test_a_printed_ratio_that_is_too_small_is_said_not_to_apply():
    nearly_parallel = [[1, "1/100"], [1, "-1/100"]]
    printed = linear_regret_constant(nearly_parallel, ["1/2", 50], 1)
    sound = linear_regret_constant(nearly_parallel, ["1/2", 50], 1, ratio="bases")
    assert not printed.applies and "too small" in printed.why and sound.applies
    assert printed.value.contains(Fraction(10001, 2)) and sound.value.contains(2)
    assert linear_regret_constant(nearly_parallel, ["1/2", 50]).applies


# ------------------------------------------------------------------------------------------- certificates, bad input


def test_a_corrupted_certificate_is_rejected():
    constant = linear_regret_constant(*instance(4, 8, 3), "1/2")
    assert constant.recheck()
    sampled = int(np.flatnonzero((constant.allocation > 0) & np.isfinite(constant.allocation))[0])
    less, negative = constant.allocation.copy(), constant.multipliers.copy()
    less[sampled] *= 0.99
    negative[int(negative.argmax())] *= -1
    for change in (
        {"allocation": less},
        {"multipliers": 0 * constant.multipliers},
        {"multipliers": negative},
        {"inverse": constant.inverse * np.nan},
        {"value": Enclosure(constant.value.upper, constant.value.upper)},
        {"thresholds": tuple(b and 2 * b for b in constant.thresholds)},
        {"epsilon": Fraction(1, 50)},
    ):
        assert not dataclasses.replace(constant, **change).recheck(), change


def test_an_unknown_ratio_and_too_many_bases_are_refused():
    with pytest.raises(InvalidInput, match="one of printed, bases"):
        linear_regret_constant([[1, 0], [0, 1]], [1, 0], 1, ratio="other")
    actions, theta = instance(5, 60, 5)
    with pytest.raises(InvalidInput, match="bases are tried one by one"):
        linear_regret_constant(actions, theta, 1, ratio="bases")


@pytest.mark.parametrize("factor", [1000.0, 1.001, 0.999])
def test_an_allocation_of_another_cost_is_no_certificate(factor):
    """The bounds are made feasible by rescaling, so that the value stays right; what is shown is not."""
    constant = linear_regret_constant([[1, 0], [0, 1], ["1/2", "2/3"]], [1, "1/2"], "1/3")
    assert constant.recheck()
    assert not replace(constant, allocation=factor * constant.allocation).recheck()
