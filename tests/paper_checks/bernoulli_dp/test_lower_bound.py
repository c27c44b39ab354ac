"""The comparison of the lower bounds and the general double change, against computations by other means."""

from fractions import Fraction
from math import exp, log

import pytest
from scipy.special import rel_entr

from banditproof.claims.register import REGISTER
from banditproof.claims.stating import stated
from banditproof.theory.numbers.numeric import to_ball
from banditproof.verify import holds
from banditproof.verify.proof.compare import evaluate


def kl(p, q):
    return float(rel_entr(p, q) + rel_entr(1 - p, 1 - q))


def threshold(x, y):
    return log(y / (1 - y)) - log(x / (1 - x))


def improved(means, epsilon):
    statement = stated(REGISTER["BDP-S3.2/strict"])
    return evaluate(statement.relation, {"means": means, "epsilon": epsilon}, {}, rational=True)


@pytest.mark.parametrize(
    ("means", "epsilon"),
    [(["3/4", "7/10"], "1/2"), (["3/4", "7/10"], "1/4"), (["3/4", "5/8", "1/2"], "1"), (["3/4", "1/4", "1/4"], "2")],
)
def test_improved_arms_are_those_below_their_threshold(means, epsilon):
    means = [Fraction(m) for m in means]
    best = float(max(means))
    expected = sum(float(Fraction(epsilon)) < threshold(float(m), best) for m in means if m < max(means))
    assert improved(means, Fraction(epsilon)) == (expected, ">", 0)


def test_an_instance_too_close_to_the_threshold_is_not_decided(relation):
    near = to_ball(3).log()  # the threshold of (1/4, 1/2), as a ball
    assert holds(*improved([Fraction(1, 2), Fraction(1, 4)], near)) is None
    sides = relation("BDP-S3.6/strictly-smaller")(to_ball(Fraction(1, 4)), to_ball(Fraction(1, 2)), near)
    assert holds(*sides) is None


def test_the_policy_that_beats_the_earlier_bound_at_one_does_so_by_far(relation):
    beyond, _, zero = relation("BDP-EQ7/edge-optimal-mean-one")(to_ball(Fraction(1, 2)), to_ball(1), to_ball(1))
    assert zero == 0 and 0 < float(beyond) + 1 / 6 < 1 / 60


def test_the_weaker_reading_compares_log_two(relation):
    left, _, right = relation("BDP-S3.2/strict-on-some-instance")(to_ball(1))
    assert float(left) == pytest.approx(-log(0.5 + 0.5 * exp(-1))) and float(right) == pytest.approx(log(2))
