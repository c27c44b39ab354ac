"""No false claim comes out proved and no true one refuted; and the false ones are false where they say so."""

import operator
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from banditproof.claims.register import REGISTER, load_module
from banditproof.claims.run.examine import Settings, examine
from banditproof.claims.run.results import combined
from banditproof.theory.numbers.numeric import to_ball, working_precision

HERE = Path(__file__).parent
COMPARE = {
    "<": operator.lt, "<=": operator.le, "==": operator.eq, ">=": operator.ge, ">": operator.gt, "!=": operator.ne,
}  # fmt: skip


def registered(*names):
    """What modules of claims register; the register is afterwards what it was."""
    before = dict(REGISTER)
    REGISTER.clear()
    try:
        for name in names:
            load_module(HERE / f"{name}.py")
        return dict(REGISTER)
    finally:
        REGISTER.clear()
        REGISTER.update(before)


FALSE = registered("flaws", "false_on_regions", "false_in_numbers", "false_in_symbols", "false_in_form")
TRUE = registered("true_claims")
FLAWS, ORDINARY = sys.modules["flaws"].FLAWS, sys.modules["true_claims"].ORDINARY
ITEMS = [n for n in FALSE if n.startswith("FALSE-ITEM-") and "/" not in n]

# What comes out proved although it is false, or refuted although it is true, by cause.
PROVED_BY = {
    "an uncertain comparison of balls is False": "rounded_equality",
    "a float among balls or symbols counts as exact": "third_of_int third_of_count lost_in_a_literal",
    "an exact side was rounded before": """
        boolean_of_floats large_float remainder lost_in_a_float divided_and_multiplied overflow factorial as_text""",
    "Python compares symbols by their form": "tabled truth_of_a_symbol guarded_remainder",
    "the relation in the parameter is not held against the one in the variable": "slip_in_the_parameter",
    "a step may show another relation": "other_relation other_relation_in_balls other_relation_at_points",
    "a certificate is not held against the claim": "own_word one_point_for_all constant_ignored covers_by_hand",
}
EMPTY_PROVED_BY: dict[str, str] = {}
REFUTED_BY = {
    "a float among balls counts as exact": "third_of_constant thirds tenths",
    "an uncertain comparison of balls is False": "boolean_equality branch_on_equality",
    "an exact side was rounded before": "boolean_of_floats truncated_float overflow",
}


def by_name(causes, prefix):
    return {prefix + name: cause for cause, names in causes.items() for name in names.split()}


PROVED = by_name(PROVED_BY, "FALSE-") | by_name(EMPTY_PROVED_BY, "")
REFUTED = by_name(REFUTED_BY, "TRUE-")


def marked(names, known):
    """Each name, marked where it is known to come out wrong."""
    expected = {n: [pytest.mark.xfail(strict=True, reason=known[n])] for n in names if n in known}
    return [pytest.param(n, marks=expected.get(n, [])) for n in names]


def fails(left, relation, right):
    """Whether a comparison of rationals or balls is certainly false, or of something undefined."""
    if any(type(side).__name__ == "arb" for side in (left, right)):
        left, right = to_ball(left), to_ball(right)
        if left.is_nan() or right.is_nan():
            return True
        opposite = {"<": ">=", "<=": ">", ">=": "<", ">": "<="}
        if relation in opposite:
            return bool(COMPARE[opposite[relation]](left, right))
        apart = bool(left < right) or bool(left > right)
        same = left.is_exact() and right.is_exact() and bool(left == right)
        return apart if relation == "==" else same
    exact = int | Fraction | tuple
    assert all(isinstance(s, exact) or s in (float("inf"), -float("inf")) for s in (left, right)), (left, right)
    return not COMPARE[relation](left, right)


@pytest.mark.parametrize("name", marked(FLAWS, PROVED))
def test_a_false_claim_is_not_proved(name):
    record = examine(FALSE[name], Settings())
    assert record["verdict"] != "proved", FLAWS[name].why


@pytest.mark.parametrize("name", marked(ITEMS, PROVED))
def test_a_false_item_is_not_proved_by_parts_that_do_not_cover_it(name):
    below = [examine(c, Settings()) for c in FALSE.values() if c.item == name]
    assert {r["id"]: r["verdict"] for r in combined(below)}[name] != "proved"


@pytest.mark.parametrize("name", marked([n for n in FALSE if n.startswith("EMPTY")], PROVED))
def test_what_speaks_of_no_point_is_not_proved(name):
    assert examine(FALSE[name], Settings())["verdict"] != "proved"


@pytest.mark.parametrize("name", FLAWS)
def test_a_false_claim_fails_where_it_says(name):
    flaw, claim = FLAWS[name], FALSE[name]
    assert claim.domain.contains({"policy": None, **flaw.at})
    constants = {n: c for n, c in claim.constants.items() if flaw.exactly is claim.function}
    given = {**constants, **flaw.at}
    with working_precision(200):
        if flaw.balls:
            given = {n: to_ball(v) for n, v in given.items()}
        else:
            given = {n: Fraction(v) if n in flaw.at and is_real(claim, n, v) else v for n, v in given.items()}
        try:
            sides = flaw.exactly(**given)
        except (ZeroDivisionError, ValueError):
            return  # undefined
        assert fails(*sides)


def is_real(claim, name, value):
    return value not in (float("inf"), -float("inf")) and not getattr(claim.domain.sets.get(name), "integer", False)


@pytest.mark.parametrize("name", marked(TRUE, REFUTED))
def test_a_true_claim_is_not_refuted(name):
    assert examine(TRUE[name], Settings())["verdict"] != "refuted"


def test_true_claims_are_still_proved_for_the_most_part():
    """A checker that proves nothing would be sound too."""
    ordinary = [n for n in TRUE if n in ORDINARY]
    proved = [n for n in ordinary if examine(TRUE[n], Settings())["verdict"] == "proved"]
    assert len(TRUE) >= 60 and proved == ordinary


def test_there_are_enough_false_claims_and_most_are_natural():
    natural = [n for n, flaw in FLAWS.items() if not flaw.contrived]
    assert len(FLAWS) >= 120 and 2 * len(natural) >= len(FLAWS)
