"""Budgets are values of one of five kinds, also arrays of them."""

import math
import pickle

import mpmath
import numpy as np
import pytest

from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget
from banditproof.theory.privacy.noise_calibration import gaussian_multiplier

BUDGETS = {
    "pure": Budget.pure(0.5),
    "approximate": Budget.approximate(0.5, 1e-6),
    "zcdp": Budget.zcdp(0.1),
    "rdp": Budget.rdp(2, 0.3),
    "gdp": Budget.gdp(1),
}


def test_each_kind_has_its_own_parameters():
    assert {kind: " ".join(budget.parameters) for kind, budget in BUDGETS.items()} == {
        "pure": "epsilon",
        "approximate": "epsilon delta",
        "zcdp": "rho",
        "rdp": "epsilon order",
        "gdp": "mu",
    }
    assert all(budget.kind == kind for kind, budget in BUDGETS.items())


def test_budgets_compare_hash_and_pickle_by_value():
    for budget in BUDGETS.values():
        copy = pickle.loads(pickle.dumps(budget))
        assert copy == budget and hash(copy) == hash(budget)
    assert Budget.pure(1) != Budget.zcdp(1) and Budget.pure(1) != Budget.pure(2) and Budget.pure(1) != 1


def test_a_sweep_is_one_budget_with_an_array_that_nobody_can_change():
    epsilons = np.array([0.1, 1.0])
    sweep = Budget.pure(epsilons)
    epsilons[0] = 7
    assert sweep == Budget.pure([0.1, 1.0])
    with pytest.raises(ValueError, match="read-only"):
        sweep.epsilon[0] = 2


def test_no_privacy_is_an_infinite_budget():
    assert Budget.pure(np.inf).epsilon == np.inf
    assert str(Budget.approximate(1, 0.25)) == "approximate(epsilon=1.0, delta=0.25)"


@pytest.mark.parametrize(
    ("make", "arguments", "name"),
    [(Budget.pure, [0], "epsilon"), (Budget.pure, [-1], "epsilon"), (Budget.pure, [np.nan], "epsilon"),
     (Budget.pure, [[1, 0]], "epsilon"), (Budget.pure, [[]], "epsilon"), (Budget.pure, ["much"], "epsilon"),
     (Budget.approximate, [-1, 0.1], "epsilon"), (Budget.approximate, [1, 1], "delta"),
     (Budget.approximate, [1, 0], "delta"), (Budget.zcdp, [0], "rho"), (Budget.rdp, [1, 1], "order"),
     (Budget.gdp, [None], "mu"), (Budget.pure, [True], "epsilon")],
)  # fmt: skip
def test_bad_budgets_are_named(make, arguments, name):
    with pytest.raises(InvalidInput, match=f"^{name} must be"):
        make(*arguments)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 3.0, 20.0])
@pytest.mark.parametrize("delta", [1e-8, 1e-3, 0.3])
def test_the_analytic_multiplier_lies_on_the_exact_curve(epsilon, delta):
    """The curve is written with mpmath; the classical 2 log(1.25/delta) / epsilon^2 is more for epsilon <= 1."""
    sigma = mpmath.mpf(float(gaussian_multiplier(Budget.approximate(epsilon, delta))))
    exact = mpmath.ncdf(1 / (2 * sigma) - epsilon * sigma) - mpmath.exp(epsilon) * mpmath.ncdf(
        -1 / (2 * sigma) - epsilon * sigma
    )
    assert abs(exact / delta - 1) < 1e-8
    if epsilon <= 1:
        assert sigma < math.sqrt(2 * math.log(1.25 / delta)) / epsilon


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        (0.3, {}),
        ("foo", {}),
        ("pure", {}),
        ("zcdp", {"epsilon": 1.0}),
        ("pure", {"epsilon": 1.0, "rho": 1.0}),
        ([], {}),
    ],
)
def test_a_budget_is_made_by_its_kind(kind, parameters):
    with pytest.raises(InvalidInput, match=r"^budget must be one of Budget.pure\(epsilon\), .*Budget.zcdp\(rho\)"):
        Budget(kind, **parameters)
