"""False variants of a statement, each of which is another statement."""

from fractions import Fraction

from banditproof.claims.resolution import fails_at_some, resolution
from banditproof.theory import d_epsilon, kl_bernoulli, log, maximum, sqrt
from banditproof.verify import Domain
from banditproof.verify.proof.compare import relation_name
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


def seen(points, body=lambda x, y, n: (x * y, "<=", (x + y) ** 2 / 4)):
    said = statement(body)
    evidence = Enumeration(PLANE, ("", ""), relation_name(said.relation), {}, points, len(points), False, rule=RULE)
    return resolution(said, [evidence])


def test_the_resolution_of_points_is_what_fails_at_one_of_them():
    """At x = y the two sides are equal: every factor is noticed there, and at x = 1/10, y = 9/10 none of them."""
    middle, far = ({"x": Fraction(a), "y": Fraction(b), "n": 1} for a, b in (("1/2", "1/2"), ("1/100", "99/100")))
    sharp, blind = seen([middle]), seen([far])
    assert sharp.size == "1.1" and not blind.size and blind.word == "blind"
    assert "without the factor y (left)" in blind.accepted and "turned round" not in blind.accepted
    assert sharp.refuted + len(sharp.accepted) + sharp.open == sharp.tried
    assert set(seen([middle, far]).accepted) <= set(sharp.accepted)


def test_a_variant_that_is_false_fails_somewhere():
    false = [v for said, v in shapes(statement(lambda x, y, n: (x * y, "<=", x))) if said.startswith("without")]
    assert any(fails_at_some(v.relation, [{"x": Fraction(1, 2), "y": Fraction(3, 4), "n": 1}]) for v in false)
