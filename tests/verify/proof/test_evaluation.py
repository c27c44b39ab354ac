"""What is remembered of a quantity is what was computed for these very arguments."""

import random
from fractions import Fraction
from inspect import unwrap

import pytest
from flint import arb, arb_series

from banditproof.theory.laws import bernoulli
from banditproof.theory.numbers.numeric import SYMBOL, exactly, to_ball, working_precision
from banditproof.theory.numbers.special import truncated_laplace_mean
from banditproof.theory.numbers.term import number, var
from banditproof.theory.privacy.wide_balls import x_log_x
from banditproof.verify.forms.geometric_sums import geometric_power, geometric_sum
from banditproof.verify.proof import evaluation
from banditproof.verify.proof.compare import holds
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.evaluation import NoValue
from banditproof.verify.proof.statement import Statement

X, N = var("x"), var("n")


def test_arguments_that_print_alike_are_not_taken_for_each_other():
    one, another = (arb_series([arb(middle, 2**-20), 1], 2) for middle in (1, 1 + 2**-50))
    assert repr(one) == repr(another) and one[0].mid() != another[0].mid()
    calls = []
    quantity = evaluation._with_slope(lambda x: calls.append(x) or x)
    with evaluation.remembering():
        for value in (one, another, Fraction(1, 2), Fraction(1, 2)):
            quantity(value)
    assert calls == [one, another, Fraction(1, 2)]


def test_a_value_of_another_precision_or_number_system_is_not_taken_up():
    calls = []
    quantity = evaluation._with_slope(lambda x: calls.append(x) or x)
    with evaluation.remembering():
        for bits in (53, 128, 53):
            with working_precision(bits), exactly(), evaluation.remembering():  # the inner one adds to the outer
                quantity(Fraction(1, 3))
        with exactly(SYMBOL):
            quantity(Fraction(1, 3))
    assert len(calls) == 3
    quantity(Fraction(1, 3))  # outside nothing is remembered
    assert len(calls) == 4


@pytest.mark.parametrize(("name", "arguments"), [("kl_bernoulli", 2), ("d_epsilon", 3)])
def test_a_quantity_that_is_asked_for_a_value_has_one_where_it_gives_one_at_both_ends(name, arguments):
    def by_its_ends(*given):
        return quantity(*given)

    def outcome(valued, given):
        try:
            with exactly():
                return str(valued(*given))
        except (NoValue, TypeError) as why:
            return type(why)

    draw, quantity, outcomes = random.Random(name), unwrap(getattr(bernoulli, name)), []
    by_asking, by_evaluating = evaluation._with_slope(quantity), evaluation._with_slope(by_its_ends)
    for _ in range(400):
        middles = [Fraction(draw.choice((0, 0, 1, 2, 3, 4, 4, 5, -1)), 4) for _ in range(arguments)]
        widths = [draw.choice((0, 0, Fraction(1, 10**30), Fraction(1, 8), Fraction(2, 3))) for _ in range(arguments)]
        given = [to_ball(m) + arb(0, 1) * to_ball(w) if w else m for m, w in zip(middles, widths, strict=True)]
        if draw.random() < 0.3:
            place = draw.randrange(arguments)
            given[place] = arb_series([to_ball(given[place]), 1], prec=2)
        outcomes.append(outcome(by_asking, given))
        assert outcomes[-1] == outcome(by_evaluating, given), given
    without = [one for one in outcomes if one in ("nan", NoValue, TypeError)]
    assert min(len(without), len(outcomes) - len(without)) > 50 and len(set(outcomes)) > 30


@pytest.mark.parametrize(
    ("left", "right", "domain", "point"),
    [
        (truncated_laplace_mean(X, number(0), number(1)), X, {"x": "integer [1, inf)"}, {"x": 4}),
        (x_log_x(X), number(0), {"x": "integer [0, inf)"}, {"x": 0}),
        (geometric_power(X, N), X**N, {"x": "integer [2, 9]", "n": "integer [-3, 0]"}, {"x": 3, "n": -1}),
        (geometric_sum(X, N), -(X**N), {"x": "integer [2, 9]", "n": "integer [-3, 0]"}, {"x": 2, "n": -1}),
    ],
)
def test_a_quantity_of_whole_numbers_is_not_rounded(left, right, domain, point):
    """A float beside a ball would count as exact: what is equal would differ, and a true statement be refuted."""
    statement = Statement(Domain.of(y=[Fraction(1, 3)], **domain), left + var("y"), "==", right + var("y"))
    with working_precision(200):
        assert holds(*statement.sides({"y": Fraction(1, 3), **point})) is not False
        assert holds(*Statement(statement.domain, left, "==", right).sides(point)) is not False
