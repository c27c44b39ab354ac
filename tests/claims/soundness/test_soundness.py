"""No false claim comes out proved and no true one refuted; and the false ones are false where they say so."""

import operator
import sys
from fractions import Fraction
from functools import cache, partial
from itertools import islice
from pathlib import Path
from unittest.mock import patch

import pytest

from banditproof.claims import REGISTER, Check, load_module
from banditproof.claims.run.examine import empty, examine
from banditproof.claims.run.record import Settings
from banditproof.claims.run.results import combined
from banditproof.claims.stating import stated
from banditproof.theory import InvalidInput, to_ball, working_precision
from banditproof.verify.proof.compare import holds
from banditproof.verify.proof.deduce import Stuck, search
from banditproof.verify.proof.evaluation import is_ball

HERE = Path(__file__).parent
BOXES = 300
QUICK_SHARE = 48  # of the formulas for which a tree is looked for, one in so many without --every-point
COMPARE = {
    "<": operator.lt, "<=": operator.le, "==": operator.eq, ">=": operator.ge, ">": operator.gt, "!=": operator.ne,
}  # fmt: skip


def registered(*names):
    """What modules of claims register; the register is afterwards what it was."""
    with patch.dict(REGISTER, clear=True):
        for name in names:
            load_module(HERE / f"{name}.py")
        return dict(REGISTER)


FALSE = registered(
    "flaws",
    "formulas",
    "false_on_regions",
    "false_in_numbers",
    "false_for_trees",
    "false_in_form",
    "false_by_hiding",
    "false_beside_the_domain",
    "false_in_terms",
    "false_by_tracing",
    "false_in_programs",
    "false_for_terms",
    "false_at_side_conditions",
    "false_where_it_jumps",
    "programs",
)
TRUE = {name: FALSE.pop(name) for name in list(FALSE) if name.startswith("TRUE-")}
FLAWS, ORDINARY, searched = (getattr(sys.modules["flaws"], n) for n in ("FLAWS", "ORDINARY", "searched"))
ITEMS = [n for n in FALSE if n.startswith("FALSE-ITEM-") and "/" not in n]


def fails(left, relation, right):
    """Whether a comparison of rationals or balls is certainly false, or of something undefined."""
    if any(type(side).__name__ in ("arb", "mpf") for side in (left, right)):
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


@pytest.mark.one_in(12)
@pytest.mark.parametrize("name", FLAWS)
def test_a_false_claim_fails_where_it_says_and_is_not_proved(name, every_point):
    """What rules prove wrongly they prove in few boxes; with --every-point bisection goes on to the end."""
    assert fails_where_it_says(FLAWS[name], FALSE[name])
    record = examine(FALSE[name], Settings(), Check if every_point else partial(Check, box_limit=BOXES))
    assert record["verdict"] != "proved", FLAWS[name].why


def test_no_tree_is_found_for_a_formula_that_is_false(every_point):
    """A program may be false while the term that its body gives is true: of terms that fail at their point."""
    tried = 0
    for name, flaw in islice(FLAWS.items(), 0, None, 1 if every_point else QUICK_SHARE):
        statement = stated(FALSE[name])
        if isinstance(statement, str) or not fails_as_term(statement, flaw):
            continue
        tried += 1
        with pytest.raises(Stuck):
            search(statement, 60)
            pytest.fail(name)
    assert tried > (100 if every_point else 100 // QUICK_SHARE)


@pytest.mark.one_in(20)
@pytest.mark.parametrize("name", [n for n in FLAWS if FALSE[n].written and FALSE[n].steps == (searched,)])
def test_no_tree_is_found_where_no_goal_is_tried_at_points(name):
    with pytest.raises(Stuck):
        search(stated(FALSE[name]), 6, blind=True)


def fails_as_term(statement, flaw):
    try:
        left, operator, right = statement.sides({n: Fraction(v) for n, v in flaw.at.items() if n in statement.names})
    except (ArithmeticError, ValueError, TypeError, InvalidInput):
        return True  # no value
    return any(is_ball(side) and side.is_nan() for side in (left, right)) or holds(left, operator, right) is False


@pytest.mark.parametrize("name", ITEMS)
def test_a_false_item_is_not_proved_by_parts_that_do_not_cover_it(name):
    below = [examine(c, Settings()) for c in FALSE.values() if c.item == name]
    assert {r["id"]: r["verdict"] for r in combined(below)}[name] != "proved"


@pytest.mark.parametrize("name", [n for n in FALSE if n.startswith(("EMPTY-", "IRRATIONAL-"))])
def test_what_speaks_of_no_point_or_fails_at_no_rational_one_is_not_proved(name):
    assert examine(FALSE[name], Settings())["verdict"] != "proved"


def fails_where_it_says(flaw, claim):
    """Whether a claim is false at a point of its domain, or has no value there."""
    if not claim.domain.contains({"policy": None, **flaw.at}):
        return False
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
            return True  # undefined
        return fails(*sides)


def is_real(claim, name, value):
    return value not in (float("inf"), -float("inf")) and not getattr(claim.domain.sets.get(name), "integer", False)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", TRUE)
def test_a_true_claim_is_not_refuted(name):
    assert verdict_of(name) != "refuted"


def test_true_claims_are_still_proved_for_the_most_part(every_point):
    """A checker that proves nothing would be sound too."""
    ordinary = [n for n in TRUE if n in ORDINARY and not empty(TRUE[n])]  # x > 0 for x > 0 says nothing
    asked = ordinary if every_point else ordinary[::4]
    proved = [n for n in asked if verdict_of(n) == "proved"]
    assert len(TRUE) >= 60 and proved == asked


@cache
def verdict_of(name):
    return examine(TRUE[name], Settings())["verdict"]


def test_there_are_enough_false_claims_and_most_are_natural():
    natural = [n for n, flaw in FLAWS.items() if not flaw.contrived]
    assert len(FLAWS) >= 120 and 2 * len(natural) >= len(FLAWS)
