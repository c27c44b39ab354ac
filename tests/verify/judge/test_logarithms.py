"""By logarithms where one factor of the smaller side is not positive everywhere."""

import pytest

from banditproof import judge
from banditproof.verify.judge.forms import by_logarithms
from banditproof.verify.judge.points import Asked
from banditproof.verify.judge.reading import read


@pytest.mark.parametrize(
    ("statement", "left"),
    [
        ("(1 - x) exp(x) <= exp(2 x) for x in [-1, 3]", True),
        ("(1 - x)^2 exp(x) <= exp(2 x) for x in [-1, 3]", False),
        ("(1 - x) (1 - x) exp(x) <= exp(2 x) for x in [-1, 3]", False),
        ("(1 - x) (2 - x) exp(x) <= exp(2 x) for x in [-1, 3]", False),
        ("exp(-x) <= (1 - x) exp(x) for x in [-1, 3]", False),
        ("exp(x)/(1 - x) <= exp(2 x) for x in [2, 3]", False),
    ],
)
def test_one_factor_of_the_smaller_side_may_change_its_sign(statement, left):
    reading = read(statement)
    found = by_logarithms(Asked(reading.sentence, dict(reading.ranges)), products=True)
    assert (found is not None) == left
    assert not left or str(reading.sentence.left.args[0]) in str(found[0][0].conditions)


def test_a_side_that_is_not_always_positive_is_compared_where_it_is():
    assert judge("exp(-x) (1 - x^2/n) <= (1 - x/n)^n when x <= n for x >= 0, integer n >= 1").verdict == "proved"
