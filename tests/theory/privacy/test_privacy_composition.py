"""Composition and group privacy against enumeration, linear programming, and a privacy-loss accountant."""

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution as pld
from scipy.optimize import linprog

from banditproof.theory import Budget, to_ball
from banditproof.theory.privacy import budget_composition as budgets
from banditproof.theory.privacy import privacy_composition as composition

pytestmark = pytest.mark.filterwarnings("ignore:.*is hardly a promise")  # budgets at which noise hardly counts


def test_budgets_on_the_same_data_add_up():
    mixed = budgets.compose(Budget.pure(1.0), Budget.approximate(0.5, 0.01), Budget.approximate(0.0, 0.02))
    assert mixed.epsilon == 1.5 and mixed.delta == pytest.approx(0.03)


def test_composed_budgets_are_rounded_up():
    draw = random.Random(3)
    for _ in range(300):
        once = draw.choice([draw.randint(1, 99) / 100, draw.uniform(0, 1e-9)])
        assert budgets.compose_advanced(Budget.pure(once), 7, 1e-300).epsilon >= 7 * Fraction(once)
    many = budgets.compose(*[Budget.pure(np.array([0.1, 1.0]))] * 1000)
    assert many == Budget.pure(np.array([np.nextafter(100.0, 101.0), 1000.0]))
    assert budgets.compose(Budget.gdp(np.inf), Budget.gdp(1.0)) == Budget.gdp(np.inf)


def test_budgets_on_disjoint_data_do_not():
    rows = budgets.compose_in_parallel(Budget.zcdp(np.array([1.0, 3.0])), Budget.zcdp(2.0))
    assert rows == Budget.zcdp(np.array([2.0, 3.0]))


def test_the_worst_composition_is_that_of_all_outcomes():
    k, epsilon, delta, target = 4, 0.7, 0.05, 1.3
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    law = {"0!": (delta, 0.0), "1!": (0.0, delta)}
    law |= {
        "0": ((1 - delta) * truth, (1 - delta) * (1 - truth)),
        "1": ((1 - delta) * (1 - truth), (1 - delta) * truth),
    }
    excess = 0.0
    for outcome in itertools.product(law.values(), repeat=k):
        left, right = (math.prod(p) for p in zip(*outcome, strict=True))
        excess += max(0.0, left - math.exp(target) * right)
    assert float(composition.worst_composed_delta(k, epsilon, delta, target)) == pytest.approx(excess, rel=1e-12)
    ball = composition.worst_composed_delta(k, to_ball(epsilon), to_ball(delta), to_ball(target))
    assert abs(float(ball) - excess) < 1e-14


def test_the_worst_composition_agrees_with_a_privacy_loss_accountant():
    k, epsilon, target = 8, 0.5, 2.0
    lie = 2 / (1 + math.exp(epsilon))  # the accountant draws a random bit with this probability
    single = pld.from_randomized_response(lie, 2, value_discretization_interval=1e-4)
    found = single.self_compose(k).get_delta_for_epsilon(target)
    exact = float(composition.worst_composed_delta(k, epsilon, 0.0, target))
    assert exact <= found <= exact + 1e-3  # the accountant rounds losses up


def test_advanced_composition_is_used_only_where_it_is_smaller():
    assert budgets.compose_advanced(Budget.pure(0.01), 1000, 1e-6).epsilon == pytest.approx(
        math.sqrt(2000 * math.log(1e6)) * 0.01 + 10 * math.expm1(0.01)
    )
    assert budgets.compose_advanced(Budget.pure(1.0), 10, 1e-6) == budgets.compose(*[Budget.pure(1.0)] * 10)


@pytest.mark.parametrize(("size", "epsilon"), [(1, 0.5), (2, 1.0), (3, 2.0), (5, 0.0)])
def test_the_delta_of_a_group_is_the_value_of_a_linear_program(size, epsilon):
    """Chances p_0, ..., p_k of one event along a chain of neighbours, all four inequalities of each step."""
    delta, r = 1e-4, math.exp(epsilon)
    rows, limits = [], []
    for j in range(size):
        for a, b in ((j, j + 1), (j + 1, j)):
            for sign in (1, -1):  # the event and its complement
                row = np.zeros(size + 1)
                row[a], row[b] = sign, -sign * r
                rows.append(row)
                limits.append(delta if sign == 1 else delta + r - 1)
    objective = np.zeros(size + 1)
    objective[0], objective[-1] = -1, r**size
    best = linprog(objective, A_ub=rows, b_ub=limits, bounds=(0, 1))
    assert -best.fun == pytest.approx(float(composition.group_delta(size, epsilon, delta)), rel=1e-6)


def test_a_tiny_composed_delta_is_not_rounded_to_none():
    """100 uses of 0.0887967, against 7.43696: what is left is far below the unit in the last place of 1."""
    assert composition.worst_composed_delta(100, 0.0887967, 0, 7.43696) == pytest.approx(2.29e-19, rel=5e-3)
    assert composition.worst_composed_delta(3, 1.0, 1.0, 2.0) == 1
    assert composition.worst_composed_delta(100, 10.0, 0.1, 1.0) == 1  # the excess is 1 up to rounding
