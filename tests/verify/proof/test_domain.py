"""Domains: membership, coverage with open ends and ties, and their JSON form."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.verify.proof.domain import Constraint, Domain, Interval, Points, as_set, uncovered

SQUARE = Domain.of(x="[0, 1]", y="[0, 1]")
fractions = st.fractions(min_value=-2, max_value=2, max_denominator=12)


def test_open_ends_are_outside_and_closed_ends_inside():
    values = as_set("[0, 1)")
    assert values.contains(0) and values.contains("999/1000") and not values.contains(1)


def test_integers_only_belong_to_an_integer_interval():
    values = as_set("integer [1, inf)")
    assert values.contains(7) and not values.contains(Fraction(1, 2)) and not values.contains(0)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("{1, ..., 50}", "integer [1, 50]"),
        ("{1, 2, …, 50}", "integer [1, 50]"),
        (r"{0, 1, 2, \dots}", "integer [0, inf)"),
        ("{1/2, 2, 7}", ["1/2", 2, 7]),
    ],
)
def test_a_set_in_braces_is_read_as_it_is_printed(text, same):
    assert as_set(text) == as_set(same)


def test_a_point_belongs_only_where_all_constraints_certainly_hold():
    domain = SQUARE.restrict(where=["x <= y"])
    assert domain.contains({"x": Fraction(1, 3), "y": Fraction(1, 3)})
    assert not domain.contains({"x": Fraction(2, 3), "y": Fraction(1, 3)})


def test_a_constraint_may_call_a_quantity_of_the_theory():
    domain = Domain.of(x="(0, 1)", y="(0, 1)", epsilon="(0, inf)", where=["epsilon < privacy_threshold(x, y)"])
    inside = {"x": Fraction(1, 4), "y": Fraction(3, 4)}  # threshold log 9 = 2.197...
    assert domain.contains(inside | {"epsilon": Fraction(219, 100)})
    assert not domain.contains(inside | {"epsilon": Fraction(220, 100)})


def test_two_halves_cover_the_square_only_with_the_tie():
    below, above = SQUARE.restrict(where=["x < y"]), SQUARE.restrict(where=["x > y"])
    tie = SQUARE.restrict(where=["y == x"])
    assert "= 0" in uncovered(SQUARE, [below, above])
    assert uncovered(SQUARE, [below, above, tie]) is None


def test_a_missing_end_point_is_found():
    domain = Domain.of(x="[0, 1]")
    assert uncovered(domain, [Domain.of(x="(0, 1]")]) == "x in [0, 0]"
    assert uncovered(domain, [Domain.of(x="(0, 1]"), Domain.of(x=[0])]) is None


def test_integers_between_covered_ranges_are_not_invented():
    domain = Domain.of(m="integer [1, 6]")
    assert uncovered(domain, [Domain.of(m="integer [1, 3]"), Domain.of(m="integer [4, 6]")]) is None
    assert uncovered(domain, [Domain.of(m="integer [1, 3]"), Domain.of(m="integer [5, 6]")]) is not None
    assert uncovered(domain, [Domain.of(m=range(1, 7))]) is None


def test_an_infinite_range_is_not_covered_by_a_finite_one():
    assert uncovered(Domain.of(e="(0, inf)"), [Domain.of(e="(0, 1000000]")]) is not None
    assert uncovered(Domain.of(e="(0, inf)"), [Domain.of(e="(0, 5]"), Domain.of(e="[5, inf)")]) is None


def test_named_objects_are_covered_only_by_the_same_name():
    every = Domain.of(policy="all: every policy")
    assert uncovered(every, [Domain.of(policy="all: 200 random policies")]) is not None
    assert uncovered(every, [every]) is None


@given(st.lists(st.tuples(fractions, fractions, st.booleans(), st.booleans()), min_size=1, max_size=5), fractions)
def test_claimed_coverage_agrees_with_membership_point_by_point(ranges, point):
    regions = [Domain.of(x=Interval(min(a, b), max(a, b), lo and a != b, hi and a != b)) for a, b, lo, hi in ranges]
    domain = Domain.of(x="[-2, 2]")
    if uncovered(domain, regions) is None:
        assert any(r.contains({"x": point}) for r in regions)


@given(fractions, fractions)
def test_the_sign_key_of_a_constraint_does_not_depend_on_how_it_is_written(x, y):
    forms = ["x <= y", "y >= x"]
    keys = {Constraint(f).key_and_signs[0] for f in forms}
    assert len(keys) == 1
    assert {Constraint(f).holds({"x": x, "y": y}) for f in forms} == {x <= y}


def test_json_gives_the_same_domain_back():
    domain = Domain.of(x="(0, 1]", n="integer [1, inf)", p=Points((Fraction(1, 3),)), q="all: every q", where=["x < n"])
    assert Domain.from_json(domain.to_json()) == domain


def test_a_point_where_a_constraint_is_not_defined_lies_outside():
    domain = Domain.of(x="[0, 2]", where=["1 / x < 1"])
    assert not domain.contains({"x": Fraction(0)}) and domain.contains({"x": Fraction(3, 2)})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x - y <= z", "x > y - z"),
        ("x - 9 * -0.02 <= 0.5", "0.5 - x < 9 * -0.02"),
        ("0.1 < x", "0.10000000000000000001 < x"),
    ],
)
def test_constraints_that_compare_different_formulas_never_share_a_key(one, other):
    """Texts of two sides put side by side with a minus may read alike: `x - y - z`."""
    assert Constraint(one).key_and_signs[0] is not Constraint(other).key_and_signs[0]


def test_two_constraints_that_look_complementary_but_are_not_leave_a_gap():
    domain = Domain.of(x="[0, 1]", y="[0, 1]", z="[-1/2, -1/4]")
    regions = [domain.restrict(where=["x - y <= z"]), domain.restrict(where=["x > y - z"])]
    assert uncovered(domain, regions) is not None


@pytest.mark.parametrize("side", ["1 / x", "x ** -1", "log(x)", "sqrt(x - 1)", "1 / (x - 1/3)"])
def test_where_a_side_has_no_value_neither_a_constraint_nor_its_opposite_covers(side):
    domain = Domain.of(x="[0, 1]")
    regions = [domain.restrict(where=[f"{side} {sign} 2"]) for sign in ("<=", ">")]
    assert "None" in uncovered(domain, regions)
    assert uncovered(domain.restrict(where=[f"{side} <= 2"]), regions) is None


def test_a_point_where_a_constraint_divides_by_zero_is_outside():
    domain = Domain.of(x="[0, 1]", where=["1/x > 2"])
    assert not domain.contains({"x": 0}) and domain.contains({"x": Fraction(1, 3)})
