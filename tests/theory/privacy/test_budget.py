"""Budgets are values of one of several kinds, also arrays of them."""

import math
import pickle
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy import stats
from second_routes.budgets import KINDS as SECOND

from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import KINDS, Budget
from banditproof.theory.privacy.noise_calibration import (
    calibrate_gaussian,
    calibrate_laplace,
    gaussian_multiplier,
    largest_gaussian_shift,
)

BUDGETS = {kind: known.example() for kind, known in KINDS.items()}
WITH_NOISE = [kind for kind, known in KINDS.items() if known.excess_of_noise is not Budget.excess_of_noise]
"""The kinds that noise can pay for."""


def test_budgets_compare_hash_and_pickle_by_value():
    for budget in BUDGETS.values():
        copy = pickle.loads(pickle.dumps(budget))
        assert copy == budget and hash(copy) == hash(budget)
    assert Budget.pure(1) != Budget.zcdp(1) and Budget.pure(1) != Budget.pure(2) and Budget.pure(1) != (1,)
    for other in (1, 0.5, "pure", Fraction(1)):
        with pytest.raises(TypeError, match="a budget is no number: .* budget.epsilon is one"):
            Budget.pure(1) == other  # noqa: B015


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
    [(Budget.pure, [np.nan], "epsilon"), (Budget.pure, [[1, 0]], "epsilon"), (Budget.pure, [[]], "epsilon"),
     (Budget.pure, ["much"], "epsilon"), (Budget.gdp, [None], "mu"), (Budget.pure, [True], "epsilon"),
     *((getattr(Budget, kind), values, name) for kind, second in SECOND.items() for *values, name in second.outside)],
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


# --------------------------------------------------------------------------------------------- every kind, by its class


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_read_by_its_name_in_order_or_by_names(kind):
    budget, known = BUDGETS[kind], KINDS[kind]
    assert Budget.of(kind, *known.usual) == Budget.of(kind, **budget.parameters) == budget
    assert eval(repr(budget), {"Budget": Budget}) == getattr(Budget, kind)(*known.usual) == budget
    assert type(budget) is known and budget.kind == kind and budget.parameters.keys() == known.ranges.keys()
    with pytest.raises(InvalidInput, match="^budget must be"):
        Budget.of(kind, *KINDS[kind].usual, 1.0)


def test_every_kind_is_written_once_more_in_the_second_routes():
    assert {kind: tuple(known.ranges) for kind, known in KINDS.items()} == {
        kind: second.parameters for kind, second in SECOND.items()
    }


@pytest.mark.parametrize("kind", WITH_NOISE)
def test_no_event_under_the_least_noise_of_a_budget_shows_more_than_it_and_some_show_much_of_it(kind):
    """Events {x > t} on neighbours 0 and 1 with the noise that the budget asks for, and with half of it."""
    budget = KINDS[kind].example()
    law = stats.norm if budget.takes_gaussian else stats.laplace
    scale = float((calibrate_gaussian if budget.takes_gaussian else calibrate_laplace)(budget).value.upper)

    def shown(scale):
        cuts = np.linspace(-2, 3, 41)
        return max(budget.least_amount(law.sf(t, 1, scale), law.sf(t, 0, scale)) for t in cuts)

    assert 0.2 * budget.spent <= shown(scale) <= budget.spent * (1 + 1e-9)
    assert shown(scale / 2) > budget.spent


@pytest.mark.parametrize("kind", WITH_NOISE)
def test_a_release_with_the_least_noise_of_a_budget_costs_what_is_allowed(kind):
    """One scale of the noise is what the value moves by, so the whole budget is its price."""
    budget = KINDS[kind].example()
    counted = budget.counted(budget.takes_gaussian, largest_gaussian_shift)
    scale = float((calibrate_gaussian if budget.takes_gaussian else calibrate_laplace)(budget).value.upper)
    price = (counted.cost_of_gaussian if budget.takes_gaussian else counted.cost_of_laplace)(1 / scale)
    assert price == pytest.approx(counted.allowed, rel=1e-9)


@pytest.mark.parametrize("above", [2.0**-52, 1e-12, 1e-6, 0.01, 1.0, 30.0])
@pytest.mark.parametrize("shift", [1e-5, 1e-3, 0.1, 1.0, 40.0])
def test_the_renyi_price_of_laplace_noise_is_exact_also_near_order_one(above, shift):
    """Against 60 digits."""
    with mpmath.workdps(60):
        budget = Budget.rdp(1.0 + above, 1.0)
        order, moved = mpmath.mpf(budget.order), mpmath.mpf(shift)
        powers = order * mpmath.exp((order - 1) * moved) + (order - 1) * mpmath.exp(-order * moved)
        expected = mpmath.log(powers / (2 * order - 1)) / (order - 1)
    assert budget.cost_of_laplace(shift) == pytest.approx(float(expected), rel=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_prices_of_huge_moves_are_infinite_or_none_and_no_error(kind):
    budget = KINDS[kind].example()
    prices = budget.cost_of_loss, budget.cost_of_laplace, budget.cost_of_gaussian, budget.cost_of_discrete_gaussian
    assert all(price(1e300) is None or price(1e300) >= 1e300 for price in prices)
    most = min(budget.ranges[budget.amount].high, 1e200)
    huge = KINDS[kind].of(kind, **{**budget.parameters, budget.amount: most})
    assert huge.allowed >= most


def test_equal_budgets_have_equal_hashes_also_at_minus_zero():
    assert Budget.approximate(-0.0, 0.1) == Budget.approximate(0.0, 0.1)
    assert len({Budget.approximate(-0.0, 0.1), Budget.approximate(0.0, 0.1)}) == 1


def test_a_kind_with_more_parameters_composes_only_by_a_rule_of_its_own():
    try:

        class Truncated(Budget):
            kind, amount, ranges = "truncated", "rho", {**Budget.zcdp(1).ranges, "mu": Budget.gdp(1).ranges["mu"]}

        for together in (Truncated.total, Truncated.largest):
            with pytest.raises(InvalidInput, match="composition"):
                together({"rho": [1.0, 1.0], "mu": [8.0, 5.0]})
    finally:
        del KINDS["truncated"]
