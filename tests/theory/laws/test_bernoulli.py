"""kl and total variation, the infima over better alternatives, and the indices, on every number system."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from flint import arb, arb_series
from hypothesis import given
from hypothesis import strategies as st

from banditproof.theory import Enclosure
from banditproof.theory.laws import bernoulli
from banditproof.theory.numbers.numeric import interior

mp = mpmath.mp
means = st.floats(0, 1)
inner_means = st.floats(1e-6, 1 - 1e-6)


def printed_kl(p, q, digits: int = 1400) -> mpmath.mpf:
    """p log(p/q) + (1-p) log((1-p)/(1-q)) with enough digits for its cancellation."""
    p, q = mp.mpf(p), mp.mpf(q)
    with mpmath.workdps(digits):
        if q in (0, 1):
            return mp.mpf(0) if p == q else mp.inf
        return (p * mpmath.log(p / q) if p else 0) + ((1 - p) * mpmath.log((1 - p) / (1 - q)) if p < 1 else 0)


@given(means, means)
def test_kl_in_floats_is_the_printed_formula_to_16_ulp(p, q):
    truth = printed_kl(p, q)
    if mpmath.isinf(truth):
        assert bernoulli.kl_bernoulli(p, q) == np.inf
    else:
        assert abs(bernoulli.kl_bernoulli(p, q) - truth) <= 16 * np.spacing(float(truth))


@given(means, means, st.floats(0, 1), st.floats(0, 1))
def test_kl_of_balls_contains_kl_of_their_points(p, q, r, s):
    enclosure = bernoulli.kl_bernoulli(arb(p, r), arb(q, s))
    truth = printed_kl(p, q)
    assert enclosure == arb.pos_inf() if r == s == 0 and mpmath.isinf(truth) else enclosure.overlaps(arb(truth))
    assert not enclosure.is_nan()


@pytest.mark.parametrize(
    ("p", "q", "value"),
    [(0, "1/3", "-log(2/3)"), (1, "1/3", "log(3)"), (0, 0, "0"), (1, 1, "0"), ("1/3", "1/3", "0"),
     (0, 1, "oo"), (1, 0, "oo"), ("1/3", 0, "oo"), ("1/3", 1, "oo")],
)  # fmt: skip
def test_the_singular_values_of_kl_are_limits_in_every_number_system(p, q, value):
    exact, limit = (Fraction(p), Fraction(q)), sympy.sympify(value)
    number = float(limit) if limit.is_finite else np.inf
    assert bernoulli.kl_bernoulli(*exact).floats == pytest.approx((number, number), rel=4e-15, abs=1e-30)
    assert bernoulli.kl_bernoulli(*(mp.convert(v) for v in exact)) == pytest.approx(number, rel=1e-15)
    assert bernoulli.kl_bernoulli(*(sympy.Rational(v) for v in exact)).equals(limit)
    enclosure = bernoulli.kl_bernoulli(arb(exact[0].numerator) / exact[0].denominator, exact[1])
    assert enclosure.overlaps(arb(number, 1e-15)) if limit.is_finite else enclosure == arb.pos_inf()


def test_symbolic_kl_is_the_printed_formula_inside():
    p, q = sympy.symbols("p q", positive=True)
    printed = p * sympy.log(p / q) + (1 - p) * sympy.log((1 - p) / (1 - q))
    assert sympy.simplify(interior(bernoulli.kl_bernoulli(p, q)) - printed) == 0


def test_total_variation_is_the_distance_of_the_means():
    assert bernoulli.tv_bernoulli(0.25, 1) == 0.75
    p, q = sympy.symbols("p q", real=True)
    assert bernoulli.tv_bernoulli(p, q) == sympy.Abs(p - q)
    box = bernoulli.tv_bernoulli(arb(0.5, 0.125), arb(0.75, 0.0625))
    assert box.contains(arb("0.0625")) and box.contains(arb("0.4375")) and not box.contains(arb("0.44"))


def test_series_of_kl_and_tv_carry_the_partial_derivatives():
    kl = bernoulli.kl_bernoulli(arb_series([arb("0.3"), 1]), arb_series([arb("0.6"), 2]))
    by_p = mpmath.log(mp.mpf("0.3") / mp.mpf("0.7")) - mpmath.log(mp.mpf("0.6") / mp.mpf("0.4"))
    by_q = (mp.mpf("0.6") - mp.mpf("0.3")) / (mp.mpf("0.6") * mp.mpf("0.4"))
    assert kl[1].overlaps(arb(by_p + 2 * by_q, 1e-14))
    tv = bernoulli.tv_bernoulli(arb_series([arb("0.3"), 1]), arb_series([arb("0.6"), 3]))
    assert tv[1] == 2


@given(means, inner_means)
def test_kl_inf_and_tv_inf_are_infima_over_strictly_better_means(mean, target):
    if mean > target:
        assert bernoulli.kl_inf(mean, target) == 0 and bernoulli.tv_inf(mean, target) == 0
        return
    alternatives = target + (1 - target) * np.logspace(-15, -0.01, 40)
    values = bernoulli.kl_bernoulli(mean, alternatives)
    infimum = bernoulli.kl_inf(mean, target)
    assert np.all(values >= infimum)
    assert values[0] == pytest.approx(infimum, rel=1e-6, abs=1e-12)  # approached, not attained
    assert bernoulli.tv_inf(mean, target) == target - mean


@pytest.mark.parametrize("mean", [0, 0.5, 1])
def test_nothing_is_better_than_mean_one_so_the_infima_are_infinite(mean):
    assert bernoulli.kl_inf(mean, 1) == np.inf and bernoulli.tv_inf(mean, 1) == np.inf
    assert bernoulli.d_inf(mean, 1, 0.5) == np.inf
    assert bernoulli.kl_inf(arb(mean), arb(1)) == arb.pos_inf()
    assert bernoulli.kl_inf(mp.mpf(mean), 1) == mp.inf
    assert bernoulli.kl_inf(sympy.nsimplify(mean), 1) == sympy.oo


@given(means, inner_means, st.floats(0, 20))
def test_d_inf_below_the_target_is_d_epsilon(mean, target, epsilon):
    expected = bernoulli.d_epsilon(mean, target, epsilon) if mean <= target else 0
    assert bernoulli.d_inf(mean, target, epsilon) == expected


# -------------------------------------------------------------------------------------------------------------- indices


def largest_feasible(x: float, level: float, epsilon: float) -> mpmath.mpf:
    """By bisection: the largest mu in [x, 1] with min over z in [x, mu] of epsilon (z-x) + kl(z, mu) <= level."""
    x, level, epsilon = mp.mpf(x), mp.mpf(level), mp.mpf(epsilon)

    def feasible(mu):
        free = epsilon == mp.inf or x * (1 - mu) * mpmath.exp(epsilon) >= mu * (1 - x)
        if mu == 1:
            return level >= (mp.inf if epsilon == mp.inf and x < 1 else 0 if x == 1 else epsilon * (1 - x))
        value = printed_kl(x, mu, digits=40) if free else -epsilon * x - mpmath.log(1 - mu + mu * mpmath.exp(-epsilon))
        return value <= level

    if feasible(mp.mpf(1)):
        return mp.mpf(1)
    low, high = x, mp.mpf(1)
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if feasible(middle) else (low, middle)
    return low


INDEX_POINTS = [
    (x, level, epsilon)
    for x in (0.0, 1e-5, 0.3, 0.5, 0.9, 1 - 1e-6, 1.0)
    for level in (1e-12, 1e-3, 0.1, 1.0, 20.0)
    for epsilon in (1e-3, 0.25, 2.0, 20.0, np.inf)
]


@pytest.mark.parametrize("epsilon", sorted({point[2] for point in INDEX_POINTS}))
def test_the_index_is_the_largest_feasible_mean(epsilon):
    with mpmath.workdps(40):
        for x, level, _ in (point for point in INDEX_POINTS if point[2] == epsilon):
            truth = largest_feasible(x, level, epsilon)
            # near x the level determines the index only to the square root of the rounding in kl
            tolerance = 1e-14 + 4e-16 * level / max(float(truth) - x, 1e-7)
            assert bernoulli.dp_klucb_index(x, level, epsilon) == pytest.approx(float(truth), rel=0, abs=tolerance)
            in_mpf = bernoulli.dp_klucb_index(mp.mpf(x), mp.mpf(level), mp.mpf(epsilon))
            assert abs(in_mpf - truth) < 1e-22
            assert bernoulli.dp_klucb_index(arb(x), level, epsilon).overlaps(arb(truth, 1e-22))


@pytest.mark.parametrize(
    ("x", "level"), [(1e-100, 1e-30), (1e-18, 1e-18), (1e-30, 1e-17), (1e-200, 1e-200), (3e-280, 2e-270), (0, 1e-300)]
)
@pytest.mark.parametrize("epsilon", [np.inf, 1000.0])
def test_the_index_of_tiny_means_and_levels(x, level, epsilon):
    """A root below it and one above it, told by the divergence in 400 digits: nothing is subtracted from 1 there."""
    index, ball = (
        bernoulli.dp_klucb_index(x, level, epsilon),
        bernoulli.dp_klucb_index(arb(x), arb(level), arb(epsilon)),
    )
    with mpmath.workdps(400):
        below, above = (mp.mpf(index) * (1 + sign * mp.mpf("1e-10")) for sign in (-1, 1))
        assert below < x or largest_feasible_holds(x, below, level)
        assert not largest_feasible_holds(x, above, level)
        ends = Enclosure.from_ball(ball)
        assert below <= mp.mpf(ends.lower.numerator) / ends.lower.denominator
        assert mp.mpf(ends.upper.numerator) / ends.upper.denominator <= above


def largest_feasible_holds(x, q, level):
    x = mp.mpf(x)
    return (x * mp.log(x / q) if x else 0) + (1 - x) * mp.log((1 - x) / (1 - q)) <= level


@pytest.mark.parametrize("epsilon", [36, 37, 1000])
def test_the_index_of_a_ball_stays_sharp_for_large_budgets(epsilon):
    found = Enclosure.from_ball(bernoulli.dp_klucb_index(arb(0.25), arb(0.004), arb(epsilon)))
    assert found.upper - found.lower < 1e-12 and found.contains(bernoulli.kl_ucb_index(0.25, 0.004))


def test_index_arrays_agree_with_scalars_and_broadcast():
    x, level, epsilon = (np.array(column) for column in zip(*INDEX_POINTS, strict=True))
    one_by_one = [bernoulli.dp_klucb_index(*point) for point in INDEX_POINTS]
    np.testing.assert_allclose(bernoulli.dp_klucb_index(x, level, epsilon), one_by_one, rtol=1e-14)
    assert bernoulli.dp_klucb_index(np.zeros((3, 1)), 0.1, np.array([0.5, 1.0])).shape == (3, 2)
    assert bernoulli.d_epsilon(0.5, 0.7, np.array([0.5, 1.0])).shape == (2,)
    assert bernoulli.d_epsilon_dx([0, 0.3, 1], 0, 1.5).shape == (3,)


def test_index_balls_contain_the_index_of_their_points():
    for x, level, epsilon in ((0.3, 0.1, 0.5), (0.3, 0.01, 2.0), (0.02, 0.3, 0.25)):
        box = bernoulli.dp_klucb_index(arb(x, 0.02), arb(level, 0.005), arb(epsilon, 0.1))
        for dx in (-0.02, 0, 0.02):
            for dl in (-0.005, 0, 0.005):
                for de in (-0.1, 0, 0.1):
                    assert box.contains(arb(bernoulli.dp_klucb_index(max(x + dx, 0), level + dl, epsilon + de)))


def test_kl_ucb_is_the_index_without_a_price_for_privacy():
    x = np.linspace(0, 1, 11)
    np.testing.assert_array_equal(bernoulli.kl_ucb_index(x, 0.2), bernoulli.dp_klucb_index(x, 0.2, np.inf))
    assert bernoulli.kl_ucb_index(0.0, 0.2) == pytest.approx(-np.expm1(-0.2), rel=1e-15)


def test_every_arm_ties_at_one_while_the_level_pays_for_the_way_there():
    assert bernoulli.dp_klucb_index(0.5, np.log(1e6) / 110, 0.25) == 1
    assert bernoulli.dp_klucb_index(0.5, np.log(1e6) / 111, 0.25) < 1
