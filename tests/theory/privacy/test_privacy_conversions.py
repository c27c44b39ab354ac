"""Conversions of privacy budgets against accountants and optimisation over the orders."""

import math

import mpmath
import numpy as np
import pytest
from dp_accounting.rdp import rdp_privacy_accountant
from hypothesis import given
from hypothesis import strategies as st

from banditproof.theory import Budget, to_ball
from banditproof.theory.privacy import budget_composition as budgets
from banditproof.theory.privacy import privacy_conversions as conversions


def renyi_of_response(epsilon, order):
    p = mpmath.exp(epsilon) / (1 + mpmath.exp(epsilon))
    return mpmath.log(p**order * (1 - p) ** (1 - order) + (1 - p) ** order * p ** (1 - order)) / (order - 1)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 3.0, 8.0])
def test_the_sharp_rho_is_the_supremum_over_orders_of_randomised_response(epsilon):
    with mpmath.workdps(40):
        orders = [1 + mpmath.mpf(10) ** k for k in np.linspace(-8, 1, 100)]
        found = max(renyi_of_response(epsilon, a) / a for a in orders)
        sharp = conversions.sharp_zcdp_of_pure(mpmath.mpf(epsilon))
        assert found < sharp < conversions.zcdp_of_pure(mpmath.mpf(epsilon))
    assert float(found) == pytest.approx(float(sharp), rel=1e-6)  # the orders stop at 1 + 1e-8


@pytest.mark.parametrize(("order", "delta"), [(1.5, 1e-5), (4.0, 1e-3), (32.0, 1e-9)])
def test_the_epsilon_of_one_order_is_the_accountants(order, delta):
    rho = 0.3
    epsilon, _ = rdp_privacy_accountant.compute_epsilon([order], [rho * order], delta)
    assert float(conversions.epsilon_of_renyi(order, rho * order, delta)) == pytest.approx(epsilon, rel=1e-12)


@given(st.floats(1e-4, 20), st.floats(1e-12, 0.5))
def test_the_sharp_epsilon_lies_between_gaussian_noise_and_the_printed_one(rho, delta):
    from banditproof.theory.privacy.noise_calibration import gaussian_delta

    sharp = conversions.sharp_epsilon_of_zcdp(rho, delta)
    assert sharp <= conversions.epsilon_of_zcdp(rho, delta)
    assert gaussian_delta(math.sqrt(2 * rho), sharp) <= delta * (1 + 1e-9)


def test_all_number_systems_agree():
    import sympy

    with mpmath.workdps(30):
        for function, point in [
            (conversions.zcdp_of_pure, (0.75,)),
            (conversions.sharp_zcdp_of_pure, (0.75,)),
            (conversions.zcdp_of_gaussian, (0.75,)),
            (conversions.epsilon_of_zcdp, (0.75, 0.125)),
            (conversions.epsilon_of_renyi, (3.0, 0.75, 0.125)),
        ]:
            expected = float(function(*point))
            assert float(function(*map(mpmath.mpf, point))) == pytest.approx(expected, rel=1e-14)
            assert float(function(*map(to_ball, point))) == pytest.approx(expected, rel=1e-14)
            symbols = sympy.symbols(f"a:{len(point)}", positive=True)
            value = function(*symbols).subs(dict(zip(symbols, point, strict=True)))
            assert float(value) == pytest.approx(expected, rel=1e-14)


def test_budgets_are_converted_and_arrays_stay_arrays():
    assert budgets.convert(Budget.pure(np.array([1.0, 2.0])), "zcdp") == Budget.zcdp(np.array([0.5, 2.0]))
    same = Budget.approximate(1.0, 0.1)
    assert budgets.convert(same, "approximate") is same
    sharp = budgets.convert(Budget.zcdp(0.5), "approximate", delta=1e-5, sharp=True)
    assert sharp.epsilon < budgets.convert(Budget.zcdp(0.5), "approximate", delta=1e-5).epsilon
    for kind in (Budget.pure, Budget.zcdp, Budget.gdp):
        one, other = (budgets.convert(kind(x), "approximate", delta=1e-5, sharp=True).epsilon for x in (0.5, 4.0))
        both = budgets.convert(kind(np.array([0.5, 4.0])), "approximate", delta=1e-5, sharp=True)
        assert both.epsilon.tolist() == [one, other]
