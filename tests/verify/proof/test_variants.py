"""False variants of a statement, each of which is another statement."""

from dataclasses import replace
from fractions import Fraction
from math import inf

import pytest

from banditproof.claims.check import Check
from banditproof.claims.resolution import Sight, of_program, with_alternatives
from banditproof.theory import d_epsilon, kl_bernoulli, log, maximum, sqrt
from banditproof.theory.numbers.numeric import to_ball
from banditproof.theory.numbers.term import quantity
from banditproof.verify import Domain
from banditproof.verify.proof.compare import evaluate, holds, relation_name
from banditproof.verify.proof.enumeration import noticed_factor
from banditproof.verify.proof.evidence import RULE, Enumeration
from banditproof.verify.proof.statement import trace
from banditproof.verify.proof.variants import orders, shapes, sizes

PLANE = Domain.of(x="(0, 1)", y="(0, 1)", n="integer [1, inf)")


def statement(body):
    return trace(body, PLANE, {})


def texts(variants):
    return {str(variant) for _, variant in variants}


def test_every_part_of_both_sides_is_changed():
    found = texts(shapes(statement(lambda x, y, n: (sqrt(x) + 3 / n, "<=", maximum(x, y) * log(n)))))
    assert found >= {
        "sqrt(x) <= max(x, y) log(n)",
        "3/n <= max(x, y) log(n)",
        "x + 3/n <= max(x, y) log(n)",
        "sqrt(x) + 3 <= max(x, y) log(n)",
        "sqrt(x) + 6/n <= max(x, y) log(n)",
        "sqrt(x) + 3/(n + 1) <= max(x, y) log(n)",
        "sqrt(x) + 3/n <= min(x, y) log(n)",
        "sqrt(x) + 3/n <= x log(n)",
        "sqrt(x) + 3/n <= max(x, y)",
        "sqrt(x) + 3/n <= max(x, y) sqrt(log(n))",
        "sqrt(x) + 3/n <= max(x, y) log(n - 1)",
    }


def test_divergences_are_taken_the_other_way_round_and_priced_too_cheaply():
    found = texts(shapes(statement(lambda x, y, n: (d_epsilon(x, y, n), "<=", kl_bernoulli(x, y)))))
    assert "d_epsilon(x, y, n) <= kl_bernoulli(y, x)" in found
    assert "min(kl_bernoulli(x, y), n |x - y|) <= kl_bernoulli(x, y)" in found


def test_a_tenth_an_order_and_a_turn():
    equal = statement(lambda x, y, n: (x, "==", y))
    assert texts(sizes(equal)) == {"x · 11/10 == y", "x == y · 11/10"} and texts(orders(equal)) == {"x != y"}
    assert texts(orders(statement(lambda x, y, n: (x, "<=", y)))) == {"x < y", "x > y"}


def test_half_of_a_fine_dyadic_number_is_no_float():
    least = Fraction(1, 2**40)
    assert "1/2199023255552 x <= y" in texts(shapes(statement(lambda x, y, n: (least * x, "<=", y))))


def sight(points, body=lambda x, y, n: (x * y, "<=", (x + y) ** 2 / 4), domain=PLANE):
    said = trace(body, domain, {})
    name = relation_name(said.relation)
    return Sight(said, [Enumeration(domain, ("", ""), name, {}, points, len(points), False, rule=RULE)])


MIDDLE, FAR = ({"x": Fraction(a), "y": Fraction(b), "n": 1} for a, b in (("1/2", "1/2"), ("1/100", "99/100")))


def test_points_are_asked_for_at_which_the_variants_that_pass_fail():
    """At x = y the sides are equal and every factor is noticed; at x = 1/100, y = 99/100 none of them is."""
    near, away = sight([MIDDLE]), sight([FAR])
    found = near.resolution()
    assert found.word == "sharp" and found.refuted + found.open == found.tried and not found.accepted
    assert away.resolution().word == "sharp"  # with these points, which lie near x = y:
    assert any(abs(p["x"] - p["y"]) < p["x"] / 2 for p in away.demands)
    with_them = sight([FAR, *away.demands])
    assert with_them.resolution() == away.resolution() and not with_them.demands


def test_of_described_objects_no_more_is_said_than_by_the_author():
    described = Domain.of(x="(0, 1)", y="(0, 1)", n="integer [1, inf)", policy="all: policies")
    said = trace(lambda x, y, n: (x * y, "<=", (x + y) ** 2 / 4), described, {})
    without = Sight(said, [])
    found = without.resolution()
    assert found.word == "blind" and not without.demands
    assert "without the factor y (left)" in found.accepted
    uniform, name = described.restrict(policy="all: uniform play"), relation_name(said.relation)
    seen = Sight(said, [Enumeration(uniform, ("", ""), name, {}, [FAR], 1, False, rule=RULE)])
    assert seen.resolution().word == "sharp" and seen.demands and seen.region == uniform


@quantity
def product_of_pair(pair, times):
    return pair[0] * pair[1] * times


def test_what_is_no_number_is_not_exchanged_for_one_and_stays_in_the_points_that_are_asked_for():
    pairs = Domain.of(y="(0, 1)", pair="all: every pair of numbers up to 1")
    said = trace(lambda y, pair: (product_of_pair(pair, y), "<=", sqrt(y)), pairs, {})
    assert texts(shapes(said)) == {"product_of_pair(pair, y) <= y"}
    point = {"y": Fraction(1, 100), "pair": [Fraction(1), Fraction(1)]}
    two = pairs.restrict(pair="all: ones")
    seen = Sight(said, [Enumeration(two, ("", ""), relation_name(said.relation), {}, [point], 1, False, rule=RULE)])
    assert seen.resolution().word == "sharp" and seen.region == two  # with points closer to y = 1
    assert seen.demands and all(asked["pair"] == point["pair"] for asked in seen.demands)


def test_what_always_holds_is_no_false_variant():
    """Twice the left side is still at most the right one: the check is no worse for it, and the bound is loose."""
    found = sight([MIDDLE], lambda x, y, n: (x * y, "<=", n + 2)).resolution()
    assert found.word == "coarse" and not found.size and found.open == found.tried - 1


SIDES = [(2, "<=", 3, 1.5), (3, ">", 2, 1.5), (-3, "<", -2, 1.5), (1, "==", 1, 1), (-1, "<=", 1, inf), (0, "<", 1, inf)]


@pytest.mark.parametrize(("left", "operator", "right", "factor"), SIDES)
def test_sides_notice_a_factor(left, operator, right, factor):
    assert noticed_factor(left, operator, to_ball(right)) == noticed_factor(left, operator, right) == factor


def below_its_square(n):
    return n, "<=", n**2 / 4 + 1


def test_points_notice_the_least_factor_rounded_up():
    check = Check("X", Domain.of(n="integer [1, inf)"), {})
    assert check.enumerate(below_its_square, {"n": [1, 3]})
    assert check.evidence[0].noticed == "1.09"  # 13/12 at n = 3


def test_of_a_program_the_authors_alternatives_are_the_variants():
    points = Enumeration(PLANE, ("", ""), "a:b", {}, [MIDDLE], 1, False, noticed="1.5", rule=RULE)
    found = of_program([points]).to_json()
    assert found["word"] == "coarse" and of_program([replace(points, noticed="", rule=RULE)]).word == "blind"
    tried = [{"name": "half", "caught": True}, {"name": "double", "caught": False}]
    assert with_alternatives(found, tried[:1])["word"] == "coarse"
    assert with_alternatives(found, tried)["accepted"] == ["double"]


def test_a_variant_that_is_false_fails_somewhere():
    false = [v for said, v in shapes(statement(lambda x, y, n: (x * y, "<=", x))) if said.startswith("without")]
    assert any(
        holds(*evaluate(v.relation, {"x": Fraction(1, 2), "y": Fraction(3, 4), "n": 1}, {})) is False for v in false
    )
