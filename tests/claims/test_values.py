"""The arena's own values: what they are by hand, what has none, and that they agree with the balls of the provers."""

from fractions import Fraction as F
from math import inf

import pytest

from banditproof.claims import REGISTER, load
from banditproof.claims.arena.values import NotShown, NoValue, compared, ends, fails_at, value
from banditproof.claims.stating import stated
from banditproof.theory import d_epsilon, kl_bernoulli, normal_cdf
from banditproof.theory.numbers.numeric import atan, exp, log, maximum, sqrt, where
from banditproof.theory.numbers.term import fn, total, var
from banditproof.verify.proof.compare import evaluate, holds
from banditproof.verify.proof.domain import Domain, unseen_points
from banditproof.verify.proof.enumeration import unread
from banditproof.verify.proof.statement import Statement

X = var("x")
HALF = F(1, 2)


@pytest.mark.parametrize(
    ("term", "at", "near"),
    [
        (X * X - 1 / X, 2, F(7, 2)),
        (sqrt(X), F(9, 4), F(3, 2)),
        (total(lambda k: k * X, 0, 4), 3, F(30)),
        (fn("comb", X, 2), 5, F(10)),
        (fn("floor", log(X)), 10, F(2)),
        (maximum(X, 1 - X), F(1, 4), F(3, 4)),
        (where(X, "<", HALF, 1 / (X - 1), X), 1, F(1)),
        (exp(X), 1, 2.718281828459045),
        (atan(X), 1, 0.7853981633974483),
        (normal_cdf(X), 1, 0.8413447460685429),
        (kl_bernoulli(X, HALF), F(1, 4), 0.13081203594113694),
        (d_epsilon(X, F(1, 4), 5), HALF, 0.14384103622589045),
        (d_epsilon(X, F(1, 4), F(1, 10)), 1, 0.1 - 0.025949),
    ],
)
def test_a_value_is_what_it_is_by_hand(term, at, near):
    low, high = ends(value(term, {"x": F(at)}))
    assert high - low < F(1, 10**40)
    assert low == high == near if isinstance(near, F) else abs(float(low) - near) < 1e-5


@pytest.mark.parametrize("term", [1 / X, log(X), (X - X) / X, X**-1, sqrt(X - 1), log(X) ** 0, X * log(X)])
def test_what_has_no_value_at_zero_is_false_there(term):
    with pytest.raises(NoValue):
        value(term, {"x": F(0)})
    assert fails_at(Statement(Domain.of(x="[0, 1]"), term, "<=", X + 9), {"x": F(0)})


@pytest.mark.parametrize("at", [inf, F(10) ** 9])
def test_what_is_infinite_or_endless_is_not_shown(at):
    with pytest.raises(NotShown):
        value(exp(X) - exp(X), {"x": at})


@pytest.mark.parametrize(
    ("left", "operator", "right", "truth"),
    [(F(1), "<", F(1), False), (F(1), "<=", F(1), True), (F(1), "!=", F(1), False), (inf, ">", F(1), True)],
)
def test_a_comparison_is_what_it_says(left, operator, right, truth):
    assert compared(left, operator, right) is truth


def test_two_roots_of_one_number_are_too_close_to_call():
    assert compared(value(sqrt(X), {"x": F(2)}), "==", value(exp(log(X) / 2), {"x": F(2)})) is None


def test_a_point_outside_of_the_domain_shows_nothing():
    outside = Statement(Domain.of(["x < 1/2"], x="[0, 1)"), X, "<=", X - 1)
    assert [fails_at(outside, {"x": F(n, 4)}) for n in (-1, 0, 1, 2, 4)] == [False, True, True, False, False]


def test_they_agree_with_balls_wherever_both_decide():
    load()
    statements = [s for c in list(REGISTER.values())[::40] if not isinstance(s := stated(c), str)]
    statements = [s for s in statements if not unread(s)]  # a quantity of a document may take no balls
    decided = 0
    for one in statements:
        for point in unseen_points(one.domain, 3, "values", extremes=3, largest_count=12):
            try:
                first = holds(*evaluate(one.relation, point, {}))
                second = compared(value(one.left, point), one.operator, value(one.right, point))
            except NoValue:  # then balls decide nothing either
                second = None
                assert first is None, (str(one), point)
            except (NotShown, ArithmeticError):
                continue
            decided += first is not None and second is not None
            assert first is None or second is None or first is second, (str(one), point)
    assert decided >= 20
