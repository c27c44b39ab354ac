"""Rules of the prover for places inside where sides touch, and for what falls to a limit at infinity."""

import pytest

from banditproof import judge
from banditproof.verify.judge.receipts.receipt import receipt
from banditproof.verify.proof import far, touching
from banditproof.verify.proof.formulas import Refused, normal_law, symbol
from banditproof.verify.proof.goals import Goal, applied


def test_an_answer_with_equal_sides_has_a_receipt_of_their_equality():
    answer = judge("x log(1/x) < 1/e for x in (0, 1]")
    assert answer.verdict == "refuted at an edge"
    assert "both sides are equal at x = exp(-1)" in receipt(answer)


def test_a_place_has_to_be_positive_and_to_have_a_value():
    import sympy

    x, y = symbol("x"), symbol("y")
    goal = Goal(x * sympy.log(x) + sympy.exp(-1) + y, ">=")
    assert len(touching.around(goal, ["x", ["exp", "-1"]])) == 3
    for place in (
        "-1",
        "0",
        "z",
        "x",
        ["log", "y"],
        ["pow", "y", "65"],
        ["exp"],
        ["sin", "y"],
        "1/0",
        ["add", "y", "-1"],
    ):
        with pytest.raises((Refused, ArithmeticError)):
            touching.around(goal, ["x", place])


def test_coefficients_of_logarithms_have_to_add_up():
    import sympy

    a, b, c, d = map(symbol, "abcd")
    sum_of_logs = a * sympy.log(a / c) + b * sympy.log(b / d)
    log_of_sums = sympy.log((a + b) / (c + d))
    right = Goal(sum_of_logs - (a + b) * log_of_sums, ">=")
    (name, data, _), *_ = touching.pools(right)
    assert applied(name, right, data) == []
    wrong = Goal(sum_of_logs - (a + 2 * b) * log_of_sums, ">=")
    assert not list(touching.pools(wrong))
    with pytest.raises(Refused):
        touching.pooled(wrong, data)


def test_limits_at_infinity_by_form():
    import sympy

    x, c = symbol("x"), symbol("c")
    law = normal_law()
    assert far.limit_at_infinity(x**3 * sympy.exp(-c * x), x) == 0
    assert far.limit_at_infinity(law(c * x) - sympy.Rational(1, 2), x) == 0
    assert far.limit_at_infinity(sympy.log(x) * sympy.exp(-(x**2)) + (x + 1) / x, x) == 1
    for e in (x * sympy.exp(x), sympy.exp(x) * (1 - 2 * law(x)), law(1 / x) * x**2, sympy.exp(-1 / x) * x):
        with pytest.raises(Refused):
            far.limit_at_infinity(sympy.expand(e), x)


def test_what_rises_and_falls_is_at_least_its_limits_and_nothing_else_is():
    import sympy

    x = symbol("x")
    hill = Goal(x / (1 + x**2), ">")
    assert all(g.holds_by_form for g in far.hill(hill, ["x", ["1", "1"]]))
    valley = Goal((x - 1) ** 2 / (1 + x**2) - sympy.Rational(1, 10), ">")
    assert not all(g.holds_by_form for g in far.hill(valley, ["x", ["1", "1"]]))
