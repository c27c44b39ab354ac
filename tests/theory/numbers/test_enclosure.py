"""Enclosures: exact ends, outward rounding, JSON, and balls that travel between processes."""

import json
import math
import pickle
from fractions import Fraction

import mpmath
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from banditproof.theory import Enclosure, register_ball_pickling, working_precision

ends = st.one_of(st.floats(allow_nan=False), st.integers(-(10**30), 10**30))


def ordered(a, b) -> Enclosure:
    return Enclosure(min(a, b), max(a, b))


@given(ends, ends)
def test_json_brings_back_the_same_enclosure_and_never_says_nan_or_infinity(a, b):
    enclosure = ordered(a, b)
    text = json.dumps(enclosure.to_json(), allow_nan=False)
    assert Enclosure.from_json(json.loads(text)) == enclosure


@given(ends, ends, st.integers(1, 20))
def test_decimals_and_floats_are_outward(a, b, digits):
    enclosure = ordered(a, b)
    low, high = enclosure.floats
    assert low <= enclosure.lower and enclosure.upper <= high
    parts = enclosure.decimal(digits).strip("[]").split(", ")
    if all("inf" not in part for part in parts):
        assert Fraction(parts[0]) <= enclosure.lower and enclosure.upper <= Fraction(parts[-1])


@given(st.fractions(), st.integers(10, 200))
def test_outward_contains_the_rational_at_every_precision(value, bits):
    with working_precision(bits):
        enclosure = Enclosure.outward(value)
    assert enclosure.contains(value)
    assert enclosure.width <= abs(value) * Fraction(2) ** (3 - bits)


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6))
def test_the_interval_of_a_ball_contains_the_ball_and_comes_back_as_a_wider_ball(middle, radius):
    ball = arb(middle, radius)
    enclosure = Enclosure.from_ball(ball)
    assert enclosure.contains(ball) and enclosure.contains(middle)
    assert enclosure.ball().contains(ball.lower()) and enclosure.ball().contains(ball.upper())


def test_exact_values_are_points():
    assert Enclosure.outward(0.1) == Enclosure(0.1, 0.1) and Enclosure.outward(0.1).width == 0
    assert Enclosure.outward("0.5") == Enclosure(Fraction(1, 2), Fraction(1, 2))
    assert Enclosure(2, 2).decimal() == "2" and str(Enclosure(0, math.inf)) == "[0, inf]"


def test_a_third_is_between_its_decimals():
    assert Enclosure.outward("1/3").decimal(5) == "[0.33333, 0.33334]"
    assert Enclosure.outward("-1/3").decimal(5) == "[-0.33334, -0.33333]"


def test_contains_takes_numbers_strings_balls_and_enclosures():
    enclosure = Enclosure(0, 1)
    for inside in (0, 1.0, "0.3", "1/3", Fraction(1, 3), mpmath.mpf(1), arb(0.5, 0.25), Enclosure(0, 1)):
        assert enclosure.contains(inside)
    for outside in (-1, 1.5, "1.0001", arb(0.5, 1), Enclosure(0, 2), math.inf, math.nan, arb.nan()):
        assert not enclosure.contains(outside)


def test_infinite_and_undefined_balls_become_unbounded_enclosures():
    assert Enclosure.from_ball(arb.nan()) == Enclosure(-math.inf, math.inf)
    assert Enclosure.from_ball(arb.pos_inf()) == Enclosure(math.inf, math.inf)
    assert Enclosure(math.inf, math.inf).width == 0 and Enclosure(0, math.inf).width == math.inf


def test_absurd_exponents_are_rounded_outward():
    tiny, huge = Enclosure.from_ball((-(arb(10) ** 9)).exp()), Enclosure.from_ball((arb(10) ** 9).exp())
    assert tiny.lower == 0 and 0 < tiny.upper < 1e-300
    assert huge.lower > 1e300 and huge.upper == math.inf
    below = Enclosure.from_ball(-((arb(10) ** 9).exp()))
    assert below.lower == -math.inf and below.upper < -1e300


def test_enclosures_pickle():
    enclosure = Enclosure(Fraction(1, 4), math.inf)
    assert pickle.loads(pickle.dumps(enclosure)) == enclosure


def same_ball(a: arb, b: arb) -> bool:
    return a.is_nan() and b.is_nan() or bool(a.mid() == b.mid() and a.rad() == b.rad())


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(0, 1e300), st.integers(2, 300))
def test_balls_pickle_exactly_at_every_precision(middle, radius, bits):
    register_ball_pickling()
    with working_precision(bits):
        ball = arb(middle, radius) / 3
        data = pickle.dumps(ball)
    assert same_ball(pickle.loads(data), ball)


@pytest.mark.parametrize(
    "ball",
    [arb(0), arb(0, 1), arb.nan(), arb.pos_inf(), arb.neg_inf(), arb.neg_inf().union(arb.pos_inf()),
     (-(arb(10) ** 9)).exp(), arb(1, 2.0**-1000), arb("1e-100000")],
)  # fmt: skip
def test_special_balls_pickle_exactly(ball):
    register_ball_pickling()
    assert same_ball(pickle.loads(pickle.dumps(ball)), ball)


@given(ends, ends)
def test_it_shows_itself_in_decimals_that_enclose_it_and_says_where_the_exact_ends_are(a, b):
    enclosure = ordered(a, b)
    shown = repr(enclosure)
    assert len(shown) < 100 and shown.endswith(", exact ends: .lower, .upper>")
    told = shown.removeprefix("<Enclosure ").partition(", exact")[0].strip("[]").split(", ")
    low, high = (float(end) if "inf" in end else Fraction(end) for end in (told[0], told[-1]))
    assert low <= enclosure.lower <= enclosure.upper <= high
