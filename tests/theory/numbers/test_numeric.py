"""One formula, four number systems: dispatch, branches, exactness, precision, and what is imported."""

import math
import operator
import subprocess
import sys
from fractions import Fraction

import flint
import mpmath
import numpy as np
import pytest
import sympy
from flint import arb, arb_series
from hypothesis import given
from hypothesis import strategies as st

from banditproof.theory import Enclosure, InvalidInput
from banditproof.theory.numbers import logarithms, numeric


def test_importing_theory_and_computing_on_floats_loads_no_other_number_system():
    program = (
        "import sys, banditproof.theory as t; t.d_epsilon(.3, .7, .5); t.dp_klucb_index(.3, .1, .5);"
        "t.laplace_sum_tail(2, 1.0); t.Instance(means=[.5]);"
        "print({'flint', 'mpmath', 'sympy', 'scipy'} & set(sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"


@pytest.mark.parametrize("name", ["log", "log1p", "exp", "expm1", "sqrt"])
def test_elementary_functions_agree_in_all_systems(name):
    function, x = getattr(numeric, name), Fraction(3, 8)
    truth = getattr(mpmath, name)(mpmath.mpf(3) / 8)
    assert function(x) == pytest.approx(float(truth), rel=1e-15)
    assert function(mpmath.mpf(3) / 8) == truth
    assert function(numeric.to_ball(x)).overlaps(arb(truth, 1e-16))
    assert float(function(sympy.Rational(3, 8))) == pytest.approx(float(truth), rel=1e-15)
    series = function(arb_series([numeric.to_ball(x), 1]))
    slope = mpmath.diff(getattr(mpmath, name), mpmath.mpf(3) / 8)
    assert series[0].overlaps(arb(truth, 1e-16)) and series[1].overlaps(arb(slope, 1e-10))
    assert function(np.array([0.375, 0.375])).tolist() == [function(0.375)] * 2


@pytest.mark.parametrize("number", [float, mpmath.mpf, lambda v: arb(float(v))])
def test_limits_at_infinity_and_zero_hold_in_floats_mpf_and_balls(number):
    inf = number("inf")
    assert numeric.log(number(0)) == -inf and numeric.log1p(number(-1)) == -inf
    assert numeric.exp(-inf) == 0 and numeric.expm1(-inf) == -1
    for name in ("log", "log1p", "exp", "expm1", "sqrt"):
        assert getattr(numeric, name)(inf) == inf
    for sign in (1, -1):
        assert abs(numeric.atan(sign * inf) - sign * numeric.atan(number(1)) * 2) < 1e-13


def test_fractions_and_ints_become_balls_around_them_when_a_ball_is_among_them():
    third, ball = numeric.promote(Fraction(1, 3), arb(1))
    assert isinstance(third, arb) and (third * 3).contains(1) and ball == 1
    assert numeric.to_ball(2) == 2
    assert numeric.promote(Fraction(1, 2), 3) == (0.5, 3.0)


@pytest.mark.parametrize(
    ("value", "exact"),
    [("0.1", Fraction(1, 10)), ("1/3", Fraction(1, 3)), (Fraction(1, 3), Fraction(1, 3)), (0.1, Fraction(0.1)),
     (7, Fraction(7)), (mpmath.mpf(0.1), Fraction(0.1)), (np.float64(0.1), Fraction(0.1)), (np.int64(3), Fraction(3))],
)  # fmt: skip
def test_to_ball_contains_the_exact_value(value, exact):
    with numeric.working_precision(40):  # fewer bits than a float has
        ball = numeric.to_ball(value)
        scaled = ball * exact.denominator
    assert scaled.contains(flint.fmpz(exact.numerator))


def test_to_ball_takes_enclosures_and_refuses_nonsense():
    ball = numeric.to_ball(Enclosure(0, 1))
    assert ball.contains(0) and ball.contains(1)
    for value in ("many", object(), None):
        with pytest.raises(InvalidInput, match="a decimal string"):
            numeric.to_ball(value)


def test_working_precision_is_set_inside_and_restored_also_after_an_error():
    before = flint.ctx.prec, mpmath.mp.prec
    with pytest.raises(RuntimeError), numeric.working_precision(300):
        assert (flint.ctx.prec, mpmath.mp.prec) == (300, 300)
        raise RuntimeError
    assert (flint.ctx.prec, mpmath.mp.prec) == before
    with pytest.raises(InvalidInput, match="bits"), numeric.working_precision(0):
        raise AssertionError("not reached")


def test_the_branch_not_taken_is_not_evaluated_for_single_numbers():
    def forbidden():
        raise AssertionError

    for x in (0.5, mpmath.mpf("0.5"), arb(0.5), sympy.Rational(1, 2)):
        assert numeric.where(x, "<", 1, lambda x=x: 2 * x, forbidden) == 1
        assert numeric.where(x, ">=", 1, forbidden, 3) == 3


def test_arrays_select_element_by_element_without_warnings():
    x = np.array([0.0, 2.0])
    result = numeric.where(x, ">", 0, lambda: 1 / x, 0.0)
    assert result.tolist() == [0.0, 0.5]
    first, second = numeric.where(x, ">", 0, lambda: (x, 1), (7.0, 8.0))
    assert first.tolist() == [7.0, 2.0] and second.tolist() == [8.0, 1.0]


def test_uncertain_comparisons_of_balls_give_the_hull_of_both_branches():
    result = numeric.where(arb(0, 1), "<", 0, arb(-2), arb(3))
    assert result.contains(-2) and result.contains(3)
    assert numeric.where(arb(0, 1), "==", 5, 1, 2) == 2
    assert numeric.where(arb(0, 1), "==", 0, 1, 2).contains(1)


def test_symbols_branch_into_a_flat_piecewise():
    x = sympy.Symbol("x", real=True)
    expression = numeric.where(x, "<", 0, -1, lambda: numeric.where(x, "==", 0, 0, 1))
    assert expression == sympy.Piecewise((-1, x < 0), (0, sympy.Eq(x, 0)), (1, True))
    assert numeric.interior(expression) == sympy.Piecewise((-1, x < 0), (1, True))


@pytest.mark.parametrize("name", ["minimum", "maximum"])
def test_extrema_agree_in_all_systems(name):
    pick = {"minimum": min, "maximum": max}[name]
    for a, b in ((1, 2), (3, 2)):
        for number in (float, mpmath.mpf, arb, sympy.Integer):
            assert getattr(numeric, name)(number(a), number(b)) == pick(a, b)
    assert getattr(numeric, name)([1.0, 3.0], 2).tolist() == [pick(1, 2), pick(3, 2)]


def test_a_kink_inside_a_ball_gives_both_slopes_to_first_order():
    x = arb_series([arb(0, 1), 1])
    slope = numeric.absolute(x)[1]
    assert slope.contains(-1) and slope.contains(1)
    assert numeric.absolute(x).prec == 2
    assert numeric.maximum(arb_series([arb(3), 1]), x)[1] == 1
    clipped = numeric.clip01(arb_series([arb(1, 0.5), 1]))[1]
    assert clipped.contains(0) and clipped.contains(1)


@pytest.mark.parametrize("height", [1, float("inf")])
def test_a_jump_has_no_slope(height):
    """The hull of the two slopes, which are zero, would prove that a step is nowhere higher than at its foot."""
    x = arb_series([arb(0.5, 0.25), 1], prec=2)
    with pytest.raises(ValueError, match="branches differ"):
        numeric.joined(x, "<", arb(0.5), 0 * x, height + 0 * x)
    assert numeric.joined(x, "<", arb(0.5), 0 * x, x - arb(0.5))[1].contains(1)


def test_the_mean_value_form_of_a_branching_formula_encloses_it():
    def formula(x):
        return numeric.absolute(x - 0.25) * numeric.exp(x) + numeric.minimum(x, 1 - x)

    centre, box = formula(arb(0.4)), formula(arb_series([arb(0.4, 0.2), 1]))
    for x in np.linspace(0.2, 0.6, 41):
        assert (centre + box[1] * arb(x - 0.4)).overlaps(arb(float(formula(x)), 1e-12))


def test_clip01_moves_to_the_nearest_point_of_the_unit_interval():
    assert numeric.clip01([-1.0, 0.5, 2.0]).tolist() == [0, 0.5, 1]
    assert numeric.clip01(sympy.Symbol("x")).subs("x", 3) == 1


positive = st.floats(1e-300, 1e300)


@given(positive, st.floats(-0.9, 1e6))
def test_kl_term_and_log_ratio_keep_all_digits_in_floats_mpf_and_balls(b, share):
    a = b * (1 + share)
    if not (0 < a < 1e300):
        return
    with mpmath.workdps(120):
        exact_a, exact_b = mpmath.mpf(a), mpmath.mpf(b)
        term = exact_a * mpmath.log(exact_a / exact_b) - (exact_a - exact_b)
        ratio = mpmath.log(exact_a / exact_b)
    assert float(logarithms.kl_term(a, b, a - b)) == pytest.approx(float(term), rel=16 * 2**-52, abs=1e-320)
    assert float(logarithms.log_ratio(a, b, a - b)) == pytest.approx(float(ratio), rel=8 * 2**-52)
    in_mpf = logarithms.kl_term(exact_a, exact_b, mpmath.mpf(a - b))
    assert mpmath.almosteq(in_mpf, term, rel_eps=mpmath.mpf(2) ** -48)
    enclosure = logarithms.kl_term(arb(a), arb(b), arb(a) - arb(b))
    assert enclosure.overlaps(arb(term, abs(arb(term)) * arb("1e-60")))
    assert enclosure.is_zero() or enclosure.rel_accuracy_bits() > 35


def test_kl_term_has_its_limits_at_zero():
    assert logarithms.kl_term([0.0, 0.5, 0.0], [0.5, 0.0, 0.0], [-0.5, 0.5, 0.0]).tolist() == [0.5, math.inf, 0.0]
    assert logarithms.kl_term(arb(0), arb(0.5), arb(-0.5)) == 0.5
    assert logarithms.kl_term(arb(0.5), arb(0), arb(0.5)) == arb.pos_inf()
    assert logarithms.kl_term(mpmath.mpf(0.5), 0, 0.5) == mpmath.inf
    touching = logarithms.kl_term(arb(0, 0.1), arb(0.5), arb(0, 0.1) - arb(0.5))
    assert touching.contains(0.5) and touching.is_finite()


def test_the_square_of_a_ball_is_its_range_also_around_zero():
    wide = numeric.square(arb(0, 2))
    assert wide.contains(0) and wide.lower() > -1e-7 and 4 <= wide.upper() < 4.001
    assert numeric.square(arb(-3, 1)).overlaps(arb(4)) and numeric.square(arb(-3, 1)).lower() > 3.99
    assert numeric.square(arb(-3)) == 9 and numeric.square(arb("nan")).is_nan()
    third = numeric.to_ball("0.1") - numeric.to_ball("0.1")
    assert not numeric.square(third).is_nan() and numeric.square(third).contains(0)
    series = numeric.square(arb_series([arb(0, 1), 1], prec=2))
    assert series[0].lower() > -1e-7 and series[1].contains(0)
    assert numeric.square(3.0) == 9 and numeric.square(mpmath.mpf(3)) == 9
    assert numeric.square(sympy.Symbol("x")) == sympy.Symbol("x") ** 2


def test_what_is_nan_certifies_nothing():
    nan = arb("nan")
    for values in ([arb(1), nan, arb(2)], [nan, arb(1)], [arb(1), nan]):
        assert numeric.least(values).is_nan() and numeric.most(values).is_nan()
    assert numeric.least([arb(1, 0.5), arb(2), arb(1.25)]).contains(1) and numeric.most([arb(1), arb(2)]) == 2
    assert numeric.lower_end(nan) == nan.neg_inf() and numeric.lower_end(arb(2)) == 2
    assert Enclosure.from_ball(numeric.least([arb(1), nan])) == Enclosure(-math.inf, math.inf)


def test_exact_numbers_beside_an_infinity_are_not_rounded():
    with numeric.exactly():
        assert numeric.system(Fraction(1, 3), float("inf")) == numeric.BALL
        assert numeric.system(float("inf")) == numeric.FLOAT
    assert numeric.system(Fraction(1, 3), float("inf")) == numeric.FLOAT


@pytest.mark.parametrize("x", [arb(2), arb_series([arb(2), 1], prec=2)])
def test_fractions_stand_beside_balls_where_nothing_is_rounded(x):
    third, number = Fraction(1, 3), numeric.to_ball(Fraction(1, 3))
    with numeric.exactly():
        pairs = [(x + third, x + number), (third - x, number - x), (third * x, number * x), (x / third, x / number)]
        assert isinstance(third + third, Fraction)
        assert third**2 == Fraction(1, 9)
    for found, expected in pairs:
        assert str(found) == str(expected)


RATIOS = st.fractions(max_denominator=10**4) | st.integers(-60, 60)


@given(RATIOS, RATIOS, st.sampled_from([operator.add, operator.sub, operator.mul, operator.truediv]))
def test_fractions_compute_where_nothing_is_rounded_as_they_do_elsewhere(a, b, operation):
    a = Fraction(a) if isinstance(b, int) else a
    try:
        expected = operation(a, b)
    except ZeroDivisionError:
        with numeric.exactly(), pytest.raises(ZeroDivisionError):
            operation(a, b)
        return
    with numeric.exactly():
        found = operation(a, b)
    assert type(found) is Fraction
    assert (found.numerator, found.denominator) == (expected.numerator, expected.denominator)


def test_a_power_by_a_fraction_is_no_power_by_a_float():
    with numeric.working_precision(200):
        with numeric.exactly():
            assert (arb(8) ** Fraction(1, 3)).contains(2)
        assert not (arb(8) ** Fraction(1, 3)).contains(2)  # Python's own


def test_an_infinity_beside_exact_numbers_computes_in_balls_and_not_in_floats():
    infinity = numeric.Infinity(math.inf)
    with numeric.exactly():
        assert [1 / infinity, Fraction(1, 3) / infinity, numeric.exp(-infinity)] == [0, 0, 0]
        assert all(type(v) is arb for v in (3 * (1 / infinity + Fraction(1, 10)), infinity + 1, abs(-infinity) - 2))
        assert all(v.is_nan() for v in (infinity - infinity, 0 * infinity, infinity / infinity))
        assert numeric.minimum(infinity, 3) == 3 and numeric.where(infinity, ">", 3, 1, 0) == 1
        assert 1 - infinity < -(10**9) and -infinity < Fraction(-5) and infinity > 10**400
        assert infinity * sympy.Symbol("x", positive=True) == sympy.oo
