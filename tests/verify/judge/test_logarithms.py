"""By logarithms where one factor of the smaller side is not positive everywhere; without denominators."""

import pytest

from banditproof import judge
from banditproof.verify.judge.formulas.printing import plain_sentence
from banditproof.verify.judge.reading.readers import read
from banditproof.verify.judge.ways.forms import by_denominators, by_logarithms
from banditproof.verify.judge.ways.points import Asked, failing
from tests.cases import rows, texts

TEXTS = texts(__file__)


@pytest.mark.parametrize(("statement", "left"), rows(TEXTS["one factor"], data=(1,)))
def test_one_factor_of_the_smaller_side_may_change_its_sign(statement, left):
    reading = read(statement)
    found = by_logarithms(Asked(reading.sentence, dict(reading.ranges)), products=True)
    assert (found is not None) == left
    assert not left or str(reading.sentence.left.args[0]) in str(found[0][0].conditions)


def test_what_has_no_value_where_a_factor_is_negative_is_not_shown():
    reading = read("(1 - x) exp(1/(x - 2)) <= exp(2 x) for x in [-1, 3]")
    claims, _ = by_logarithms(Asked(reading.sentence, dict(reading.ranges)), products=True)
    assert any(failing(claim)[0] is not None for claim in claims)


@pytest.mark.parametrize(("statement", "sides"), rows(TEXTS["below"], data=(1,)))
def test_what_stands_below_is_multiplied_as_often_as_it_stands_there(statement, sides):
    reading = read(statement)
    found = by_denominators(Asked(reading.sentence, dict(reading.ranges)))
    assert (found is None) == (sides is None)
    assert found is None or sides in [plain_sentence(claim.comparison) for claim in found[0]]


def test_a_side_that_is_not_always_positive_is_compared_where_it_is():
    assert judge("exp(-x) (1 - x^2/n) <= (1 - x/n)^n when x <= n for x >= 0, integer n >= 1").verdict == "proved"
