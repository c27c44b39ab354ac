"""Tails of counts by Chernoff's bound, and sums that are none."""

import pytest

from banditproof import judge
from banditproof.verify.judge.formulas.floats import value_of
from banditproof.verify.judge.formulas.printing import plain
from banditproof.verify.judge.reading.readers import read
from banditproof.verify.judge.ways.points import Asked
from banditproof.verify.judge.ways.tails import by_chernoff, threshold
from tests.cases import rows, texts

TEXTS = texts(__file__)


def shown(statement):
    reading = read(statement)
    return list(by_chernoff(Asked(reading.sentence, dict(reading.ranges), reading.conditions)))


@pytest.mark.parametrize(("statement", "found"), rows(TEXTS["tails"], data=(1,)))
def test_a_tail_has_a_bound_where_it_is_one(statement, found):
    assert bool(shown(statement)) == found


@pytest.mark.parametrize(("last", "upper", "x"), rows(TEXTS["thresholds"], data=(1, 2)))
def test_a_threshold_is_one_that_the_event_implies(last, upper, x):
    """Each count from 0 to 9 that is in the event meets the threshold, at numbers of all kinds."""
    reading = read(f"{last} <= x + n for x in [1, 9], integer n in [1, 9]")
    found = threshold(reading.sentence.left, upper, dict(reading.ranges))
    assert (None if found is None else plain(found)) == x
    if found is None:
        return
    for at in (1.0, 1.5, 2.0, 4.2, 7.9):
        point = {"x": at, "n": round(at)}
        value, end = value_of(found, point), value_of(reading.sentence.left, point)
        assert all(k >= value if upper else k <= value for k in range(10) if (k > end if upper else k <= end))


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        (
            "Let X ~ Poisson(m), m > 0. Then P(X >= m + x) <= exp(-x^2/(2 (m + x))) for every x > 0.",
            "proved from named facts",
        ),
        ("Let X ~ Poisson(m), m > 0. Then P(X >= m + x) <= exp(-x^2/(m + x)) for every x > 0.", "refuted"),
    ],
)
def test_tails_are_settled(statement, verdict):
    answer = judge(statement)
    assert answer.verdict == verdict
    assert verdict == "refuted" or "Chernoff" in answer.facts[0]
