"""Slopes by closed forms: true ones are proved, and nothing false beside them, at seams and at ends of the domain."""

import itertools
from fractions import Fraction as F
from math import inf

import pytest

from banditproof.theory import (
    absolute,
    d_epsilon,
    d_epsilon_depsilon,
    d_epsilon_dx,
    d_epsilon_dy,
    exp,
    kl_bernoulli,
    log,
    maximum,
    privacy_threshold,
    sqrt,
    where,
)
from banditproof.theory.numbers.numeric import TERM, exactly, to_ball
from banditproof.theory.numbers.term import derivative_at, number, total, var
from banditproof.verify.proof import lemmas
from banditproof.verify.proof.deduce import _CLOSED_FORMS, Stuck, search
from banditproof.verify.proof.deduction import deduced
from banditproof.verify.proof.domain import Domain, Interval
from banditproof.verify.proof.evaluation import value_at
from banditproof.verify.proof.evidence import Deduction
from banditproof.verify.proof.formulas import Refused
from banditproof.verify.proof.slopes import PARTIAL, around, slope_in
from banditproof.verify.proof.statement import stating
from tests.verify.proof.test_lemmas import nodes

UNIT, INSIDE, POSITIVE, ZERO, ONE = "[0, 1]", "(0, 1)", "(0, inf)", "[0, 0]", "[1, 1]"
FEW = 60


def of(relation, x=UNIT, y=UNIT, e=POSITIVE, where=()):
    return stating(relation, Domain.of(where=where, x=x, y=y, e=e), {})


def is_proved(statement):
    try:
        return isinstance(deduced(statement, search(statement, FEW)), Deduction)
    except Stuck:
        return False


def step(statement, slope, values, formula):
    """What the rule leaves open for a slope, from the formula of moved1 that the quantity is said to be."""
    return lemmas.slope(statement, [nodes(slope), values, nodes(formula)])


X, Y, E, V = var("x"), var("y"), var("e"), var("moved1")


# ----------------------------------------------------------------------------------------------- conditions of the rule


@pytest.mark.parametrize(
    ("slope", "values", "formula", "domain"),
    [
        # Only at the point itself, or on one side of it, the formula is d_epsilon.
        (lambda: d_epsilon_dy(X, Y, E), "[0, 1]", lambda: E * X + V, {"y": ZERO}),
        (lambda: d_epsilon_dx(X, Y, E), "[0, 1]", lambda: E * (V + X), {"x": ZERO, "y": "[1/2, 1/2]"}),
        (lambda: d_epsilon_dx(X, Y, E), "[0, 1]", lambda: E * absolute(V - Y), {"y": ZERO}),
        (lambda: d_epsilon_dx(X, Y, E), "[0, 1]", lambda: kl_bernoulli(V, Y), {"y": ZERO}),
    ],
)
def test_a_formula_that_is_not_the_quantity_around_the_point_proves_nothing(slope, values, formula, domain):
    statement = of(lambda x, y, e: (0 * slope(), ">=", -1), **domain)
    try:
        below = step(statement, slope, values, formula)
    except Refused:
        return
    assert not is_proved(below[0])


@pytest.mark.parametrize("values", ["[0, 1]", "(0, 1)", "[0, 1/2)", "(1/2, 1]", "(1/4, 1/2)"])
def test_these_are_neighbourhoods_of_their_points(values):
    assert str(around(values, Interval(F(0), F(1)))) == values


def test_the_point_has_to_lie_in_the_neighbourhood():
    statement = of(lambda x, y, e: (d_epsilon_dx(x, y, e), "<=", e), y=ZERO)
    below = step(statement, lambda: d_epsilon_dx(X, Y, E), "(1/4, 1/2)", lambda: E * V)
    assert [is_proved(s) for s in below] == [True, False, False, True]


@pytest.mark.parametrize("budget", [inf, privacy_threshold(X, number(0))])
def test_without_privacy_there_is_no_budget_around_which_another_moves(budget):
    """From 3 on d_epsilon(1/2, 1/4) does not depend on the budget; that says nothing of an infinite one."""
    statement = of(lambda x, y, e: (d_epsilon_depsilon(x, y, budget), "==", 0), x="[1/2, 1/2]", y="[1/4, 1/4]")
    flat = lambda: X * log(X / Y) + (1 - X) * log((1 - X) / (1 - Y))  # noqa: E731
    below = step(statement, lambda: d_epsilon_depsilon(X, Y, budget), "(3, inf)", flat)
    assert is_proved(below[0]) and not all(map(is_proved, below))


def test_a_slope_is_asked_for_at_arguments_of_its_domain():
    """Beyond the square d_epsilon has no value, whatever the formula does there."""
    statement = of(lambda x, y, e: (d_epsilon_dx(x, y, e), "==", e), x="[0, 2]", y=ZERO)
    below = step(statement, lambda: d_epsilon_dx(X, Y, E), "[0, 1]", lambda: E * V)
    assert not all(map(is_proved, below))
    outside = of(lambda x, y, e: (d_epsilon_dx(x, y, e), "==", e), y=ZERO, e="(-2, -1)")
    assert not all(map(is_proved, step(outside, lambda: d_epsilon_dx(X, Y, E), "[0, 1]", lambda: E * V)))


@pytest.mark.parametrize(
    "data",
    [
        [nodes(lambda: d_epsilon(X, Y, E)), "[0, 1]", nodes(lambda: V)],
        [nodes(lambda: d_epsilon_dy(X, Y, E)), "[0, 1]", nodes(lambda: V)],  # it does not occur
        [nodes(lambda: d_epsilon_dx(X, Y, 2 * E)), "[0, 1]", nodes(lambda: V)],
        [nodes(lambda: d_epsilon_dx(X, Y, E)), "[0, 1]", nodes(lambda: var("moved2"))],
        [nodes(lambda: d_epsilon_dx(X, Y, E)), "[0, 1]", []],
        [nodes(lambda: d_epsilon_dx(X, Y, E)), "[0, 1]"],
    ],
)
def test_data_that_do_not_fit_are_refused(data):
    with pytest.raises((Refused, ValueError)):
        lemmas.slope(of(lambda x, y, e: (d_epsilon_dx(x, y, e), "<=", e)), data)


# ------------------------------------------------------------------------------------------------ slopes of formulas


def sloped(formula):
    with exactly(TERM):
        return slope_in(number(formula(V)), V)


@pytest.mark.parametrize(
    "formula",
    [
        lambda v: v * maximum(v, 1),
        lambda v: absolute(v),
        lambda v: sqrt(v),
        lambda v: kl_bernoulli(v, Y),
        lambda v: d_epsilon(v, Y, 1),
        lambda v: v**v,
        lambda v: X**v,  # 0^v jumps at 0
        lambda v: where(v, "==", 0, 0, 1 / v),
        lambda v: where(where(v, "<", 1, 0, 1), "<", X, v, 2),  # a side that jumps
        lambda v: v + float("inf"),
        lambda v: where(X, "==", 0, float("inf"), v),
        lambda v: total(lambda k: v**2, 0, var("n") - 1),
        lambda v: -(-v // 1),
    ],
)
def test_what_has_no_rule_is_refused(formula):
    with pytest.raises(Refused):
        sloped(formula)


FORMULAS = (
    lambda v: v**3 - 2 * v + X,
    lambda v: exp(-2 * v) * log(1 + v) / (2 + v),
    lambda v: (1 + v) ** F(3, 2) - X * v,
    lambda v: where(X, "<", 1, log(1 + X * v), 1 / (1 + v)),
    lambda v: where(v, "<", 1, exp(v), v**2),
    lambda v: 2 * where(v + X, ">=", 2, exp(v), where(v, "<=", F(1, 2), v, 1 / v)),
)


@pytest.mark.parametrize("formula", FORMULAS)
def test_away_from_seams_the_slope_is_that_of_the_other_rules(formula):
    slope, seams = sloped(formula)
    with exactly(TERM):
        other = derivative_at(formula, V)
    points = [{"moved1": F(a, 7), "x": F(b, 5)} for a in (1, 3, 9, 20) for b in (1, 4, 7)]
    for point in points:
        assert abs(value_at(slope, point) - value_at(other, point)) < 1e-10
        assert all(value_at(seam, point) == 0 for seam in seams)


@pytest.mark.parametrize(
    ("formula", "at", "smooth"),
    [
        (lambda v: where(v, "<=", 1, v**2, 2 * v - 1), 1, True),
        (lambda v: where(v, "<", 1, v**2, 2 * v - 1), 1, True),
        (lambda v: where(v, ">", 1, v**2, 2 * v - 1), 1, True),
        (lambda v: where(v, "<=", 1, v, 2 * v - 1), 1, False),  # a kink
        (lambda v: where(v, "<=", 1, v, v + 1), 1, False),  # a jump with one slope on both sides
        (lambda v: where(v, "<", 1, v, v + F(1, 10**9)), 1, False),
        (lambda v: where(v**2, ">=", 1, v, 2 - v), 1, False),
        (lambda v: where(1, "<=", v, v, 2 - v), 1, False),
        # The other branch of a seam has a seam of its own at the same point, or one that the conditions exclude.
        (lambda v: where(v, "<=", 1, v, where(v, "<=", 1, 7, v)), 1, False),
        (lambda v: where(v, "<=", 1, where(v, "<", 1, v, 3 - 2 * v), v), 1, False),
        (lambda v: where(v, "<", 2, v, where(v, "<=", 1, 7, v)), 1, True),
        (lambda v: where(v, "<=", 0, where(v, "<=", 1, 7, v), v), 1, True),
        (lambda v: where(X, "<", 1, where(v, "<=", 1, 7, v), v), 1, True),  # x is 3
        (lambda v: where(X, ">", 1, where(v, "<=", 1, 7, v), v), 1, False),
        (lambda v: 5 * where(v, "<=", 1, v, 2 * v - 1) - 3, 1, False),
        (lambda v: exp(where(v, "<=", 1, v, 2 * v - 1)), 1, False),
    ],
)
def test_where_branches_meet_both_have_one_value_and_one_slope(formula, at, smooth):
    _, seams = sloped(formula)
    assert all(value_at(seam, {"moved1": at, "x": 3}) == 0 for seam in seams) is smooth


@pytest.mark.parametrize("slope", [d_epsilon_dx, d_epsilon_dy, d_epsilon_depsilon])
def test_the_slope_of_a_closed_form_is_the_quantity_of_theory(slope):
    """Which is compared with differences of d_epsilon elsewhere (`tests/theory/laws/test_d_epsilon.py`)."""
    place, given = PARTIAL[slope.__name__][1], [X, Y, E]
    given[place] = V
    with exactly(TERM):
        found, _ = slope_in(number(_CLOSED_FORMS[slope.__name__](*given)), V)
    compared = 0
    for x, y, e in itertools.product((0, F(1, 10), F(1, 2), F(5, 7), 1), (0, F(1, 9), F(4, 5), 1), (F(1, 3), 2, 7)):
        value = value_at(found, {"x": x, "y": y, "e": e, "moved1": (x, y, e)[place]})
        if value_is_known := getattr(value, "is_finite", lambda: True)():
            assert abs(to_ball(value) - slope(to_ball(x), to_ball(y), to_ball(e))) < 1e-10
        compared += value_is_known
    assert compared > 50
