"""Kinds of proofs, each with true statements and false neighbours: places inside where sides touch, what falls to a

limit at infinity, harmonic sums and factorials, roundings, closed sums, infima that are not reached, limits with
parameters. A true one is proved, a false one is refuted; what stays open is named.
"""

import pytest

from banditproof import judge
from banditproof.verify.judge.receipts import receipt
from banditproof.verify.proof import far, touching
from banditproof.verify.proof.formulas import Refused, normal_law, symbol
from banditproof.verify.proof.goals import Goal, applied

PROVED, REFUTED = "proved", "refuted"
TOUCHING = [
    ("x log(x) >= -exp(-1) for x in (0, 1]", PROVED),
    ("x log(x) >= -0.3678 for x in (0, 1]", REFUTED),
    ("x log(1/x) < 1/e for x in (0, 1]", REFUTED),
    ("log(x) <= 0.3679 x for x > 0", PROVED),
    ("log(x) <= 0.3678 x for x > 0", REFUTED),
    ("x exp(-c x) <= 1/(e c) for x >= 0, c > 0", PROVED),
    ("x y <= x log(x) - x + exp(y) for x > 0, y in (-inf, inf)", PROVED),
    ("x y <= x log(x) + exp(y - 1) for x >= 0, y in (-inf, inf)", PROVED),
    ("x y <= x log(x) + exp(y - 1) - x/10^9 for x >= 0, y in (-inf, inf)", REFUTED),
    ("m d + n d exp(-m d^2/4) >= (4/d) (1 + log(n d^2/4)) for m >= 0, d > 0, n > 0", PROVED),
    ("1 + x + sqrt(2 x) - sqrt(1 + 2 (x + sqrt(2 x))) = x for x >= 0", PROVED),
    ("1 + x + sqrt(2 x) - sqrt(1 + 2 (x + sqrt(2 x))) >= 1.01 x for x >= 0", REFUTED),
    ("atan(x) >= 3 x/(1 + 2 sqrt(1 + x^2)) for x >= 0", PROVED),
    ("atan(x) >= 3 x/(1 + 1.9 sqrt(1 + x^2)) for x >= 0", REFUTED),
    ("sin(x) <= x for x >= 0", PROVED),
    ("sin(x) <= 0.999 x for x >= 0", REFUTED),
    ("sin(x) >= x - x^3/6 for x >= 0", PROVED),
    ("sin(x) >= x - x^3/6.01 for x >= 0", REFUTED),
    ("cos(x) >= 1 - x^2/2 for x in R", PROVED),
    ("cos(x) >= 1 - x^2/2.01 for x in R", REFUTED),
    ("cos(x) <= 1 - x^2/2 + x^4/25 for x in R", REFUTED),
    ("tan(x) >= x for x in [0, 1]", PROVED),
    ("tan(x) >= x for x in [0, 2]", REFUTED),
    ("-p log(p) - q log(q) - (1 - p - q) log(1 - p - q) <= log(3) when p + q < 1 for p in (0, 1), q in (0, 1)", PROVED),
    ("-p log(p) - q log(q) - (1 - p - q) log(1 - p - q) <= 1.09 when p + q < 1 for p in (0, 1), q in (0, 1)", REFUTED),
    ("x exp(-x^2) < 1/sqrt(2 e) for x >= 0", REFUTED),
    ("sqrt(2) x < x^2/2 + 1 for x >= 0", REFUTED),
]
FAR = [
    ("1 - Phi(x) <= exp(-x^2/2)/(x sqrt(2 pi)) for x > 0", PROVED),
    ("1 - Phi(x) >= exp(-x^2/2)/(x sqrt(2 pi)) for x > 0", REFUTED),
    ("1 - Phi(x) >= x/(x^2 + 1) exp(-x^2/2)/sqrt(2 pi) for x > 0", PROVED),
    ("1 - Phi(x) <= (1/x - 1/x^3 + 3/x^5) exp(-x^2/2)/sqrt(2 pi) for x > 0", PROVED),
    ("1 - Phi(x) <= (1/x - 1/x^3 + 1/x^5) exp(-x^2/2)/sqrt(2 pi) for x > 0", REFUTED),
    ("1 - Phi(x) <= exp(-x sqrt(2/pi))/2 for x >= 0", PROVED),
]
COUNTS = [
    ("n! <= sqrt(2 pi n) (n/e)^n exp(1/(12 n)) for integer n >= 1", PROVED),
    ("n! <= sqrt(2 pi n) (n/e)^n exp(1/(13 n)) for integer n >= 1", REFUTED),
    ("n! <= n^n for integer n >= 1", PROVED),
    ("n! < n^n for integer n >= 1", REFUTED),
    ("binom(2 n, n) <= 4^n/sqrt(pi n) for integer n >= 1", PROVED),
    ("binom(2 n, n) <= 4^n/sqrt(3.2 n) for integer n >= 1", REFUTED),
    ("sum(k/(k + 1)!, k=1..n) = 1 - 1/(n + 1)! for integer n >= 1", PROVED),
    ("sum(k/(k + 1)!, k=1..n) <= 1 - 1/(n + 2)! for integer n >= 1", PROVED),
    ("sum(k k!, k=1..n) >= (n + 1)! for integer n >= 1", REFUTED),
    ("sum(binom(m + k, k), k=0..n) = binom(n + m + 1, n) for integer n >= 0, integer m >= 0", PROVED),
    ("sum((-1)^(k + 1)/k, k=1..2 n) = sum(1/(n + k), k=1..n) for integer n >= 1", PROVED),
    ("sum((-1)^(k + 1)/k, k=1..2 n) = sum(1/(n + k), k=2..n) for integer n >= 1", REFUTED),
    ("sum(1/(n + k), k=1..n) <= log(2) for integer n >= 1", PROVED),
    ("sum(1/(n + k), k=1..n) <= 0.69 for integer n >= 1", REFUTED),
    ("sum(1/k, k=n..2*n) >= log(2) for integer n >= 1", PROVED),
    ("sum(1/k, k=n..2*n) >= 0.7 for integer n >= 1", REFUTED),
    ("sum(1/k, k=1..n) - log(n) -> euler as n -> inf for integer n >= 1", PROVED),
    ("sum(1/k, k=1..n) - log(n) - euler -> 1/2 as n -> inf for integer n >= 1", REFUTED),
    ("n!/(sqrt(pi n) (n/e)^n) -> 1 as n -> inf for integer n >= 1", REFUTED),
    ("n! ~ sqrt(2 pi n) (n/e)^n as n -> inf for integer n >= 1", PROVED),
    ("ceil(n/3) <= (n + 2)/3 for integer n >= 1", PROVED),
    ("ceil(n/3) <= (n + 1)/3 for integer n >= 1", REFUTED),
    ("floor(2 n/3) + ceil(n/3) = n for integer n >= 0", PROVED),
    ("sum(exp(-k a), k=1..n) <= 1/(exp(a) - 1) for a > 0, integer n >= 1", PROVED),
    ("sum(exp(-k a), k=1..n) <= 1/(exp(a) - 0.9) for a > 0, integer n >= 1", REFUTED),
]
LIMITS = [
    ("inf(exp(-x), x > 0) = 0 for y in (0, 1)", PROVED),
    ("inf(t + 1, t in (0, 1)) > 1 for y in (0, 1)", REFUTED),
    ("inf(x + y/x, x > 0) = sqrt(y) for y > 0", REFUTED),
    ("inf(exp(t^2/2 - t x), t > 0) = exp(-x^2) for x > 0", REFUTED),
    ("3 n^2 + n = Theta(n^2) as n -> inf for integer n >= 1", PROVED),
    ("n = Omega(n^2) as n -> inf for integer n >= 1", REFUTED),
    ("(1 + x/n)^n -> exp(x) as n -> inf for integer n >= 1, x > 0", PROVED),
    ("(1 + x/n)^n -> exp(2 x) as n -> inf for integer n >= 1, x > 0", REFUTED),
    ("(1 - 1/n)^n -> 1/3 as n -> inf for integer n >= 2", REFUTED),
    ("n exp(-c n) -> 0 as n -> inf for integer n >= 1, c > 0", PROVED),
    ("n exp(-c n) -> 1 as n -> inf for integer n >= 1, c > 0", REFUTED),
    ("a n/(n + b) -> a as n -> inf for integer n >= 1, a > 0, b > 0", PROVED),
]
TWO = [
    ("kl(p, q) >= (p - q)^2/(2 max(p, q)) for p in [0, 1], q in (0, 1)", PROVED),
    ("kl(p, q) >= (p - q)^2/(2 min(p, q)) for p in (0, 1), q in (0, 1)", REFUTED),
    ("kl(p, q) >= (p - q)^2/(2 max(p (1 - p), q (1 - q))) for p in (0, 1), q in (0, 1)", REFUTED),
    ("abs(p - q) <= sqrt(1 - exp(-kl(p, q)/2)) for p in [0, 1], q in (0, 1)", REFUTED),
    ("abs(p - q) <= sqrt(kl(p, q)/2) for p in [0, 1], q in (0, 1)", PROVED),
    ("W(x) >= e x for x in [-1/e, 0)", PROVED),
    ("W(x) <= x/2 + 1/4 for x in [1, 10]", PROVED),
    ("W(x) >= x/2 for x in [1, 10]", REFUTED),
    ("W(x) <= log(x) for x >= 2", REFUTED),
]
SLOW = [
    ("cos(x) <= 1 - x^2/2 + x^4/24 for x in R", PROVED),
    # nightly
    ("sqrt(pi)/2 erfc(x) exp(x^2) > 1/(x + sqrt(x^2 + 2)) for x >= 0", PROVED),
    ("sqrt(pi)/2 erfc(x) exp(x^2) <= 1/(x + sqrt(x^2 + 4/pi)) for x >= 0", PROVED),
    ("sqrt(pi)/2 erfc(x) exp(x^2) < 1/(x + sqrt(x^2 + 4/pi)) for x >= 0", REFUTED),
    ("log(x) <= a/e x^(1/a) for a > 0, x > 0", PROVED),
    ("a log(a/c) + b log(b/d) >= (a + b) log((a + b)/(c + d)) for a > 0, b > 0, c > 0, d > 0", PROVED),
    ("sum(1/k, k=1..n) - log(n) - 1/(2 n) - euler < -1/(12 n^2 + 6/5) for integer n >= 1", PROVED),
    ("sum(1/k, k=1..n) - log(n) - 1/(2 n) - euler < -1/(12 n^2 + 1/2) for integer n >= 1", REFUTED),
    ("p^n -> 0 as n -> inf for integer n >= 1, p in (0, 1)", PROVED),
]


@pytest.mark.parametrize("kind", [TOUCHING, FAR, COUNTS, LIMITS, TWO])
def test_true_ones_are_proved_and_their_neighbours_refuted(kind, every_point):
    for place, (statement, verdict) in enumerate(kind):
        if every_point or place % 10 == 0:
            assert judge(statement, seconds=20).verdict.startswith(verdict), statement


@pytest.mark.parametrize("statement, verdict", SLOW)
def test_the_slower_ones(statement, verdict, every_point):
    if every_point:
        assert judge(statement, seconds=60).verdict.startswith(verdict)


def test_an_answer_with_equal_sides_has_a_receipt_of_their_equality():
    answer = judge("x log(1/x) < 1/e for x in (0, 1]")
    assert answer.verdict == "refuted at an edge"
    assert "both sides are equal at x = exp(-1)" in receipt(answer)


# ------------------------------------------------------------------------------------------------------------ rules


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
