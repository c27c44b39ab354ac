"""d_epsilon on the whole closed square: the float64 error, the definition, the dual, enclosures, derivatives.

The oracle is the closed dual form, evaluated by mpmath with enough digits to survive its cancellation; it is itself
compared with direct minimisation of the definition.
"""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from flint import arb, arb_series

from banditproof.theory.errors import InvalidInput
from banditproof.theory.laws import bernoulli
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.numeric import interior, working_precision

mp = mpmath.mp


def draw_means(rng: np.random.Generator, n: int) -> np.ndarray:
    """A mixture: uniform, exact 0 and 1, tiny down to 1e-300, next to 1 down to one ulp."""
    u, tiny, near_one = rng.random(n), 10.0 ** -(300 * rng.random(n)), 1 - 10.0 ** -(15.9 * rng.random(n))
    return np.choose(rng.integers(0, 7, n), [np.zeros(n), np.ones(n), u, tiny, near_one, u * 1e-3, 1 - u * 1e-3])


def draw_pairs(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Two means, in four of ten cases 1e-3 to 1e-16 apart, absolutely or relatively."""
    x, y = draw_means(rng, n), draw_means(rng, n)
    distance = 10.0 ** -(3 + 13 * rng.random(n)) * rng.choice([-1, 1], n)
    close = np.clip(np.where(rng.random(n) < 0.5, x + distance, x * (1 + distance)), 0, 1)
    return x, np.where(rng.random(n) < 0.4, close, y)


def draw_budgets(rng: np.random.Generator, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A mixture: 0, tiny (to 1e-300), moderate, 700, 1e4, inf, and next to the threshold of the two regimes."""
    n = len(x)
    choices = [
        np.zeros(n), 10.0 ** -(300 * rng.random(n)), 10.0 ** -(12 * rng.random(n)), rng.random(n), 10 * rng.random(n),
        1000 * rng.random(n), np.full(n, 700.0), np.full(n, 1e4), np.full(n, np.inf),
    ]  # fmt: skip
    epsilon = np.choose(rng.integers(0, len(choices), n), choices)
    threshold = bernoulli.privacy_threshold(x, y)
    near = threshold * (1 + rng.choice([0, 1e-16, -1e-16, 1e-8, -1e-8, 1e-3, -1e-3, 0.1, -0.1], n))
    return np.where((rng.random(n) < 0.25) & np.isfinite(threshold), near, epsilon)


def bits_needed(*values: mpmath.mpf) -> int:
    """200 bits, and three times the bits by which the values are small: the oracle cancels to second order."""
    return 200 + 3 * max(0, *(-mpmath.mag(value) for value in values if value not in (0, mp.inf)))


def oracle(x: float, y: float, epsilon: float) -> mpmath.mpf:
    """d_epsilon from the dual closed form: -epsilon x - log(1 - y + y e^-epsilon), or kl in the printed form."""
    x, y, epsilon = mp.mpf(x), mp.mpf(y), mp.mpf(epsilon)
    with mpmath.workprec(bits_needed(x, y, 1 - x, 1 - y, x - y, epsilon)):
        if x > y:
            x, y = 1 - x, 1 - y
        if x == y or epsilon == 0:
            return mp.mpf(0)
        if y == 1:
            return epsilon * (1 - x)
        if epsilon < mp.inf and y * (1 - x) > x * (1 - y) * mpmath.exp(epsilon):
            return -epsilon * x - mpmath.log(1 - y + y * mpmath.exp(-epsilon))
        return (x * mpmath.log(x / y) if x else 0) + (1 - x) * mpmath.log((1 - x) / (1 - y))


def ulps(value: float, truth: mpmath.mpf) -> float:
    nearest = float(truth)
    if np.isinf(nearest):
        return 0.0 if value == nearest else np.inf
    return float(abs(mp.mpf(float(value)) - truth) / mp.mpf(math.ulp(nearest)))


def test_float64_stays_within_16_ulp_on_the_whole_closed_square(every_point):
    rng = np.random.default_rng(20240)
    x, y = draw_pairs(rng, 10_000 if every_point else 2000)
    epsilon = draw_budgets(rng, x, y)
    computed = bernoulli.d_epsilon(x, y, epsilon)
    errors = [ulps(d, oracle(*point)) for d, *point in zip(computed, x, y, epsilon, strict=True)]
    assert max(errors) <= 16


def test_float64_stays_within_16_ulp_where_floats_end():
    ends = [0.0, np.finfo(float).tiny, 1e-300, 1e-17, 0.5, 1 - 2.0**-53, 1.0]
    budgets = [np.finfo(float).tiny, 1e-20, 1.0, 50.0, 700.0, 740.0, 750.0, 1e4, np.finfo(float).max, np.inf]
    for point in itertools.product(ends, ends, budgets):
        assert ulps(bernoulli.d_epsilon(*point), oracle(*point)) <= 16


def test_scalars_and_arrays_give_the_same_floats():
    rng = np.random.default_rng(3)
    x, y = draw_pairs(rng, 500)
    epsilon = draw_budgets(rng, x, y)
    scalars = [bernoulli.d_epsilon(float(a), float(b), float(e)) for a, b, e in zip(x, y, epsilon, strict=True)]
    # numpy's vectorised and scalar logarithms may differ in the last bits
    np.testing.assert_allclose(scalars, bernoulli.d_epsilon(x, y, epsilon), rtol=16 * 2.0**-52, atol=0)


def minimum_of_the_definition(x: mpmath.mpf, y: mpmath.mpf, epsilon: mpmath.mpf) -> mpmath.mpf:
    """The least value of epsilon |x - z| + kl(z, y) for z between x and y, by Newton's method on its derivative.

    The variable is the odds z / (1-z), whose logarithm the derivative follows with slope one.
    """
    if y in (0, 1):
        return epsilon * abs(x - y)  # kl(z, y) is infinite elsewhere
    odds = y / (1 - y)
    for _ in range(3):
        derivative = (epsilon if x < y else -epsilon) + mpmath.log(odds) - mpmath.log(y / (1 - y))
        odds *= mpmath.exp(-derivative)
    z = min(max(odds / (1 + odds), min(x, y)), max(x, y))
    kl = (z * mpmath.log(z / y) if z else 0) + ((1 - z) * mpmath.log((1 - z) / (1 - y)) if z < 1 else 0)
    return epsilon * abs(x - z) + kl


def test_the_closed_form_agrees_with_direct_minimisation_to_1e30_on_thousands_of_points(every_point):
    rng = np.random.default_rng(7)
    x, y = draw_pairs(rng, 10_000 if every_point else 2000)
    epsilon = np.minimum(draw_budgets(rng, x, y), 1e4)
    with mpmath.workdps(60):
        for point in zip(x, y, epsilon, strict=True):
            point = [mp.mpf(v) for v in point]
            direct = minimum_of_the_definition(*point)
            assert abs(bernoulli.d_epsilon(*point) - direct) <= mp.mpf("1e-30")


def points_of(ball: arb, domain_end: float) -> list[float]:
    """The ends of a ball, cut at 0 and at the end of the domain, and a point between them, as floats inside it."""
    ends = [max(float(ball.lower()), 0.0), min(float(ball.upper()), domain_end)]
    candidates = [*ends, 0.37 * ends[0] + 0.63 * ends[1], float(ball.mid())]
    return [point for point in candidates if ball.contains(arb(point)) and 0 <= point <= domain_end]


def point_of_box(rng: np.random.Generator, x: arb, y: arb, epsilon: arb) -> tuple[float, float, float]:
    return rng.choice(points_of(x, 1.0)), rng.choice(points_of(y, 1.0)), rng.choice(points_of(epsilon, np.inf))


def random_balls(rng: np.random.Generator, n: int) -> list[tuple[arb, arb, arb]]:
    """Points and balls with radii from 1e-16 to 1 around the drawn means, so that many leak out of [0, 1]."""
    x, y = draw_pairs(rng, n)
    epsilon = np.minimum(draw_budgets(rng, x, y), 1e4)
    radii = np.where(rng.random((n, 3)) < 0.3, 0, 10.0 ** -(16 * rng.random((n, 3))))
    return [(arb(a, r), arb(b, s), arb(e, e * t)) for a, b, e, (r, s, t) in zip(x, y, epsilon, radii, strict=True)]


@pytest.mark.parametrize("bits", [53, 200])
def test_enclosures_contain_the_mpmath_value_also_for_balls_touching_0_and_1(bits):
    rng = np.random.default_rng(bits)
    with working_precision(bits):
        for x, y, epsilon in random_balls(rng, 300):
            enclosure = bernoulli.d_epsilon(x, y, epsilon)
            assert enclosure.is_finite()
            for _ in range(4):
                truth = oracle(*point_of_box(rng, x, y, epsilon))
                assert enclosure.overlaps(arb(truth, arb(truth) * arb("1e-55")))  # the oracle has 200 bits


def test_enclosures_of_boxes_are_their_ranges_up_to_rounding():
    for x, y in ((arb(0.2, 0.1), arb(0.7, 0.2)), (arb(0.8, 0.2), arb(0.25, 0.25))):
        for epsilon in (0.1, 1.0, 30.0):
            enclosure = bernoulli.d_epsilon(x, y, arb(epsilon))
            corners = [oracle(a, b, epsilon) for a in points_of(x, 1.0)[:2] for b in points_of(y, 1.0)[:2]]
            precision = 1e-8 * float(max(corners))  # the radius of a ball has 30 bits
            assert float(enclosure.upper()) == pytest.approx(float(max(corners)), abs=precision)
            assert float(enclosure.lower()) == pytest.approx(float(min(corners)), abs=precision)


def test_balls_overlapping_the_diagonal_reach_down_to_zero():
    assert bernoulli.d_epsilon(arb(0.5, 0.2), arb(0.4, 0.2), arb(1)).contains(0)


def test_nan_balls_stay_nan_and_balls_outside_the_square_are_refused():
    assert bernoulli.d_epsilon(arb.nan(), arb(0.5), arb(1)).is_nan()
    with pytest.raises(InvalidInput, match="x must be in"):
        bernoulli.d_epsilon(arb(1.5, 0.1), arb(0.5), arb(1))


@pytest.mark.parametrize("number", [float, mp.mpf, arb, sympy.Rational])
def test_the_edges_of_the_square_are_limits_in_every_number_system(number):
    x, e = number("0.3") if number is not float else 0.3, number(2)
    zero, one = number(0), number(1)

    def same(a, b):
        return a.overlaps(b) if isinstance(a, arb) else abs(a - b) < 1e-14

    assert same(bernoulli.d_epsilon(x, zero, e), e * x)
    assert same(bernoulli.d_epsilon(x, one, e), e * (1 - x))
    as_function = {float: np, mp.mpf: mpmath, sympy.Rational: sympy}.get(number)
    exp, log = (as_function.exp, as_function.log) if as_function else (arb.exp, arb.log)
    assert same(bernoulli.d_epsilon(zero, x, e), -log(1 - x + x * exp(-e)))
    assert same(bernoulli.d_epsilon(one, x, e), -log(x + (1 - x) * exp(-e)))
    for corner in (zero, one, x):
        assert same(bernoulli.d_epsilon(corner, corner, e), zero)
    assert bernoulli.d_epsilon(zero, one, e) == e and bernoulli.d_epsilon(one, zero, e) == e


def test_no_budget_costs_nothing_and_no_privacy_is_kl():
    rng = np.random.default_rng(1)
    x, y = draw_pairs(rng, 2000)
    assert np.all(bernoulli.d_epsilon(x, y, 0.0) == 0)
    np.testing.assert_array_equal(bernoulli.d_epsilon(x, y, np.inf), bernoulli.kl_bernoulli(x, y))


def test_the_reference_values_hold_to_twenty_digits():
    table = {
        (".5", ".3", ".7"): ".17217488606236436441",
        ("2", ".3", ".7"): ".33891914415488144548",
        ("1", "0", ".5"): ".37988549304172247537",
        (".1", ".5", "1"): ".05",
        (".25", ".9", ".2"): ".16974971566300464792",
        (".25", ".7", ".75"): ".006401275618341593584",
        ("1", ".1", ".8"): ".60460547087965234957",
    }
    with mpmath.workdps(40):
        for (epsilon, x, y), value in table.items():
            computed = bernoulli.d_epsilon(mp.mpf(x), mp.mpf(y), mp.mpf(epsilon))
            assert mpmath.almosteq(computed, mp.mpf(value), rel_eps=mp.mpf("1e-19"))


def test_the_minimiser_attains_the_value_and_nothing_nearby_is_smaller():
    rng = np.random.default_rng(5)
    x, y = rng.random(500), rng.random(500)
    epsilon = 3 * rng.random(500)
    z = bernoulli.d_epsilon_minimiser(x, y, epsilon)
    value = bernoulli.d_epsilon_objective(z, x, y, epsilon)
    np.testing.assert_allclose(value, bernoulli.d_epsilon(x, y, epsilon), rtol=1e-13)
    for other in rng.random((20, 500)):
        point = x + other * (y - x)
        assert np.all(bernoulli.d_epsilon_objective(point, x, y, epsilon) >= value * (1 - 1e-13))


def test_every_dual_point_is_a_lower_bound_and_the_optimum_attains_it():
    rng = np.random.default_rng(6)
    x, y, epsilon = rng.random(500), rng.random(500), 3 * rng.random(500)
    lam, value = bernoulli.d_epsilon_dual(x, y, epsilon)
    d = bernoulli.d_epsilon(x, y, epsilon)
    np.testing.assert_allclose(value, d, rtol=0, atol=1e-15)
    for share in rng.uniform(-1, 1, (20, 500)):
        assert np.all(bernoulli.d_epsilon_dual_objective(share * epsilon, x, y) <= d + 1e-15)
    assert np.all(np.abs(lam) <= epsilon)


@pytest.mark.parametrize(
    "point", [(0, 0.5, 2), (1, 0.5, 2), (0.3, 0, 2), (0.3, 1, 2), (0, 0, 2), (1, 1, 2), (0, 1, 800), (0, 0.5, np.inf)]
)
def test_the_dual_is_the_value_on_the_edges_and_in_balls(point):
    assert bernoulli.d_epsilon_dual(*point)[1] == pytest.approx(float(oracle(*point)), rel=1e-15)
    assert bernoulli.d_epsilon_dual(arb(point[0]), *point[1:])[1].overlaps(arb(oracle(*point), 1e-50))


@pytest.mark.parametrize("seed", range(30))
def test_derivatives_are_the_slopes_of_the_oracle(seed):
    rng = np.random.default_rng(seed)
    x, y, epsilon = rng.random(), rng.random(), 4 * rng.random()
    with mpmath.workdps(60):
        step = mp.mpf("1e-20")
        slope_x = mpmath.diff(lambda v: oracle(v, y, epsilon), x, h=step)
        slope_y = mpmath.diff(lambda v: oracle(x, v, epsilon), y, h=step)
        slope_epsilon = mpmath.diff(lambda v: oracle(x, y, v), epsilon, h=step)
    assert bernoulli.d_epsilon_dx(x, y, epsilon) == pytest.approx(float(slope_x), rel=1e-13)
    assert bernoulli.d_epsilon_dy(x, y, epsilon) == pytest.approx(float(slope_y), rel=1e-13)
    assert bernoulli.d_epsilon_depsilon(x, y, epsilon) == pytest.approx(float(slope_epsilon), rel=1e-13, abs=1e-15)


def test_one_sided_derivatives_at_the_edges_are_as_documented():
    e = 1.5
    assert bernoulli.d_epsilon_dx([0, 0.3, 1], 0, e).tolist() == [e, e, e]
    assert bernoulli.d_epsilon_dx([0, 0.3, 1], 1, e).tolist() == [-e, -e, -e]
    assert bernoulli.d_epsilon_dx(0, 0.3, e) == -e and bernoulli.d_epsilon_dx(1, 0.3, e) == e
    step = 1e-9
    for x in (0.0, 0.3, 1.0):
        right = float((oracle(x, step, e) - oracle(x, 0, e)) / mp.mpf(step))
        left = float((oracle(x, 1, e) - oracle(x, 1 - step, e)) / (mp.mpf(1) - mp.mpf(1 - step)))
        assert bernoulli.d_epsilon_dy(x, 0, e) == pytest.approx(right, rel=1e-7)
        assert bernoulli.d_epsilon_dy(x, 1, e) == pytest.approx(left, rel=1e-7)


def test_derivative_enclosures_contain_the_derivative_at_points_of_the_box():
    rng = np.random.default_rng(9)
    functions = [getattr(bernoulli, f"d_epsilon_{name}") for name in ("dx", "dy", "depsilon", "minimiser")]
    for x, y, epsilon in random_balls(rng, 150):
        boxes = [f(x, y, epsilon) for f in functions]
        for _ in range(3):
            point = point_of_box(rng, x, y, epsilon)
            for f, box in zip(functions, boxes, strict=True):
                with mpmath.workdps(60):
                    value = f(*(mp.mpf(v) for v in point))
                assert box.overlaps(arb(value, abs(arb(value)) * arb("1e-40")))  # 60 digits less the cancellation


def test_a_series_gives_a_mean_value_form_that_encloses_the_function():
    rng = np.random.default_rng(10)
    for _ in range(200):
        x, y, epsilon = rng.random(), rng.random(), 3 * rng.random()
        r = min(x, 1 - x, y, 1 - y) * rng.random()
        centre = bernoulli.d_epsilon(arb(x), arb(y), arb(epsilon))
        series = bernoulli.d_epsilon(arb_series([arb(x, r), 1]), arb_series([arb(y, r), -1]), arb(epsilon))
        for share in (-1, -0.3, 0.5, 1):
            truth = oracle(x + share * r, y - share * r, epsilon)
            assert (centre + series[1] * arb(share * r)).overlaps(arb(float(truth), 1e-15))


def test_the_threshold_separates_the_regimes():
    x, y = 0.3, 0.7
    threshold = bernoulli.privacy_threshold(x, y)
    assert threshold == pytest.approx(np.log(0.7 / 0.3) * 2, rel=1e-15)
    assert bernoulli.privacy_regime(x, y, threshold * 1.001) == "low"
    assert bernoulli.privacy_regime(x, y, threshold * 0.999) == "high"
    assert bernoulli.privacy_regime([0, 0.5], [0.5, 1], 1e6).tolist() == ["high", "high"]
    assert bernoulli.privacy_regime(arb("0.3"), arb("0.7"), arb(1)) == "high"
    with pytest.raises(InvalidInput, match="so far from the privacy threshold that its side is certain"):
        bernoulli.privacy_regime(arb("0.3"), arb("0.7"), arb(1.7, 1))


def test_the_symbolic_form_is_the_printed_one_on_each_side_of_the_threshold():
    x, y, epsilon = sympy.symbols("x y epsilon", positive=True)
    expression = interior(bernoulli.d_epsilon(x, y, epsilon))
    z = y / (y + (1 - y) * sympy.exp(epsilon))
    high = z * sympy.log(z / y) + (1 - z) * sympy.log((1 - z) / (1 - y)) + epsilon * (z - x)
    low = x * sympy.log(x / y) + (1 - x) * sympy.log((1 - x) / (1 - y))
    for point, printed in (({x: "1/4", y: "3/4", epsilon: "1/2"}, high), ({x: "1/4", y: "3/4", epsilon: "5/2"}, low)):
        at = {symbol: sympy.Rational(value) for symbol, value in point.items()}
        assert abs((expression - printed).subs(at).evalf(30)) < sympy.Float("1e-28", 30)


@pytest.mark.parametrize(
    ("x", "y", "epsilon"), [("0.85", "0.2", "0.5"), ("1/3", "2/3", "inf"), ("0.1", "0.10000001", 3), ("0.3", 1, "1/7")]
)
def test_text_is_the_number_that_it_says(x, y, epsilon):
    """An enclosure of the value at the rationals, where the nearest floats would give another value."""
    with working_precision(200):
        given = bernoulli.d_epsilon(x, y, epsilon)
        exact = bernoulli.d_epsilon(*map(as_ball, (x, y, epsilon)))
        assert isinstance(given, Enclosure) and given.ball().overlaps(exact)
        assert given.width < 1e-50 and exact.rad() < 1e-50


def as_ball(number):
    if number == "inf":
        return arb(number)
    top, bottom = Fraction(number).as_integer_ratio()
    return arb(top) / arb(bottom)


def test_text_beside_floats_is_the_nearest_float():
    assert bernoulli.d_epsilon("0.85", 0.2, "0.5") == bernoulli.d_epsilon(0.85, 0.2, 0.5)
    assert isinstance(bernoulli.d_epsilon("0.85", 0.2, "0.5"), float)
