"""The accountant against closed forms, sums over outcomes and integrals with 50 digits, and against an accountant."""

import functools
import math
import random
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from banditproof.theory import Accountant, Budget, Mechanism, convert, least_noise, worst_composed_delta
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.privacy import accountant as accounting
from banditproof.theory.privacy import loss_pairs
from banditproof.theory.privacy.loss_laws import Curve

DIGITS = 50

# ----------------------------------------------------------- curves H(t) = sup P(S) - e^t Q(S) at every real t, by hand


def of_normal(mu):
    return lambda t: mpmath.ncdf(mu / 2 - t / mu) - mpmath.exp(t) * mpmath.ncdf(-mu / 2 - t / mu)


def of_laplace(d):
    return lambda t: 1 - mpmath.exp((t - d) / 2) if -d < t < d else max(1 - mpmath.exp(t), mpf(0))


def of_atoms(law):
    """Of (P, Q) of each outcome."""
    return lambda t: mpmath.fsum(max(p - mpmath.exp(t) * q, 0) for p, q in law)


def of_response(epsilon, categories=2):
    rest = mpmath.exp(epsilon) + categories - 1
    truth, lie = mpmath.exp(epsilon) / rest, 1 / rest
    return [(truth, lie), (lie, truth), *[(lie, lie)] * (categories - 2)]


def of_whole(weight, steps, far):
    total = mpmath.fsum(weight(k) for k in range(-far, far + 1))
    return [(weight(k - steps) / total, weight(k) / total) for k in range(-far, far + steps + 1)]


def sampled(curve, rate):
    def mixed(t):
        odds = (mpmath.exp(t) - 1 + rate) / rate
        return rate * curve(mpmath.log(odds)) if odds > 0 else 1 - mpmath.exp(t)

    return mixed


def reverse(curve):
    return lambda t: 1 - mpmath.exp(t) + mpmath.exp(t) * curve(-t)


def after_atoms(law, curve):
    """Of a law of outcomes and then another release."""
    return lambda t: mpmath.fsum(p * curve(t - mpmath.log(p / q)) if q else p for p, q in law if p)


def after_laplace(d, curve, kinks=()):
    def both(t):
        ends = sorted({-d, d, *(k for at in kinks if -d < (k := t - at) < d)})
        inside = mpmath.quad(lambda loss: mpmath.exp((loss - d) / 2) / 4 * curve(t - loss), ends)
        return inside + curve(t - d) / 2 + mpmath.exp(-d) / 2 * curve(t + d)

    return both


def after_sampled_normal(mu, rate, curve):
    """Where the first release is (rate N(mu, 1) + (1 - rate) N(0, 1), N(0, 1))."""

    def both(t):
        def weighted(x):
            ratio = 1 - rate + rate * mpmath.exp(mu * x - mu * mu / 2)
            return mpmath.npdf(x) * ratio * curve(t - mpmath.log(ratio))

        return mpmath.quad(weighted, list(range(-16, 17, 2)))

    return both


def times(law, count):
    """Outcomes of several releases of one law."""
    return functools.reduce(lambda one, two: [(p * r, q * s) for p, q in one for r, s in two], [law] * count)


# --------------------------------------------------------------------------------------------------- random releases


def size(r, low, high):
    """A float on a logarithmic scale."""
    return float(f"{math.exp(r.uniform(math.log(low), math.log(high))):.3g}")


def a_gaussian(r):
    sigmas = [size(r, 0.3, 30) for _ in range(3)]
    mu = mpmath.sqrt(mpmath.fsum(mpf(n) / mpf(s) ** 2 for n, s in zip((1, 2, 9), sigmas, strict=True)))
    return [(Mechanism.gaussian(s), n) for n, s in zip((1, 2, 9), sigmas, strict=True)], [of_normal(mu)]


def a_laplace(r):
    scale = size(r, 0.1, 100)
    return [Mechanism.laplace(scale)], [of_laplace(1 / mpf(scale))]


def two_laplaces(r):
    b, c = (1 / size(r, 0.2, 5) for _ in range(2))
    d, e = 1 / mpf(b), 1 / mpf(c)
    return [Mechanism.laplace(b), Mechanism.laplace(c)], [after_laplace(d, of_laplace(e), (-e, e))]


def responses(r):
    epsilon, n = size(r, 0.01, 1), r.randint(1, 200)
    p = 1 / (1 + mpmath.exp(-mpf(epsilon)))
    law = [
        (mpmath.binomial(n, k) * p**k * (1 - p) ** (n - k), mpmath.binomial(n, k) * (1 - p) ** k * p ** (n - k))
        for k in range(n + 1)
    ]
    return [(Mechanism.randomised_response(epsilon), n)], [of_atoms(law)]


def response_of_many(r):
    epsilon, k, n = size(r, 0.1, 3), r.randint(2, 6), r.randint(1, 3)
    return [(Mechanism.randomised_response(epsilon, k), n)], [of_atoms(times(of_response(mpf(epsilon), k), n))]


def different_responses(r):
    """One of them twice another: their grids have steps a power of two apart."""
    epsilons = [size(r, 0.05, 1) for _ in range(7)]
    epsilons.append(2 * min(epsilons))
    laws = [of_response(mpf(e)) for e in epsilons]
    law = functools.reduce(lambda one, two: [(p * a, q * b) for p, q in one for a, b in two], laws)
    return [Mechanism.randomised_response(e) for e in epsilons], [of_atoms(law)]


def a_geometric(r):
    scale, steps = size(r, 0.3, 3), r.randint(1, 4)
    law = of_whole(lambda k: mpmath.exp(-abs(k) / mpf(scale)), steps, 400)
    return [Mechanism.geometric(scale, steps)], [of_atoms(law)]


def a_discrete_gaussian(r):
    sigma, steps = size(r, 0.5, 6), r.randint(1, 3)
    law = of_whole(lambda k: mpmath.exp(-(k**2) / (2 * mpf(sigma) ** 2)), steps, math.ceil(16 * sigma))
    return [Mechanism.discrete_gaussian(sigma, steps)], [of_atoms(law)]


def two_vectors(r):
    p, q = ([r.randint(0, 9) + (i == 0) for i in range(4)] for _ in range(2))
    n = r.randint(1, 4)
    law = times([(mpf(a) / sum(p), mpf(b) / sum(q)) for a, b in zip(p, q, strict=True)], n)
    return [(Mechanism.finite(p, q), n)], [of_atoms(law), of_atoms([(b, a) for a, b in law])]


def sampled_vectors(r):
    p, q = ([r.randint(0, 9) + (i == 0) for i in range(3)] for _ in range(2))
    n, rate = r.randint(1, 4), Fraction(r.randint(1, 20), 20)
    law = [(mpf(a) / sum(p), mpf(b) / sum(q)) for a, b in zip(p, q, strict=True)]
    share = mpf(rate.numerator) / rate.denominator
    law = times([(share * a + (1 - share) * b, b) for a, b in law], n)
    return [(Mechanism.finite(p, q).subsampled(rate), n)], [of_atoms(law), of_atoms([(b, a) for a, b in law])]


def a_sampled_laplace(r):
    scale, rate = size(r, 0.1, 10), size(r, 0.01, 1)
    curve = sampled(of_laplace(1 / mpf(scale)), mpf(rate))
    return [Mechanism.laplace(scale).subsampled(rate)], [curve, reverse(curve)]


def a_sampled_gaussian(r):
    sigma, rate = size(r, 0.4, 4), size(r, 0.05, 1)
    curve = sampled(of_normal(1 / mpf(sigma)), mpf(rate))
    return [Mechanism.gaussian(sigma).subsampled(rate)], [curve, reverse(curve)]


def without_replacement(r):
    scale, rate = size(r, 0.1, 10), size(r, 0.01, 1)
    curve = sampled(of_laplace(1 / mpf(scale)), mpf(rate))
    return [Mechanism.laplace(scale).without_replacement(rate)], [curve, reverse(curve)]


def gaussian_and_laplace(r):
    sigma, b, n = size(r, 0.5, 5), 1 / size(r, 0.2, 3), r.randint(1, 9)
    normal = of_normal(mpmath.sqrt(n) / mpf(sigma))
    return [Mechanism.laplace(b), (Mechanism.gaussian(sigma), n)], [after_laplace(1 / mpf(b), normal)]


def gaussian_and_responses(r):
    sigma, epsilon = size(r, 0.5, 5), size(r, 0.05, 1)
    law = times(of_response(mpf(epsilon)), 6)
    releases = [Mechanism.gaussian(sigma), (Mechanism.randomised_response(epsilon), 6)]
    return releases, [after_atoms(law, of_normal(1 / mpf(sigma)))]


def gaussian_and_sampled_gaussian(r):
    sigma, other, rate = size(r, 0.5, 3), size(r, 0.5, 3), size(r, 0.1, 0.9)
    curve = after_sampled_normal(1 / mpf(sigma), mpf(rate), of_normal(1 / mpf(other)))
    return [Mechanism.gaussian(sigma).subsampled(rate), Mechanism.gaussian(other)], [curve, reverse(curve)]


DRAWN = [
    a_gaussian,
    a_laplace,
    two_laplaces,
    responses,
    response_of_many,
    different_responses,
    a_geometric,
    a_discrete_gaussian,
    two_vectors,
    sampled_vectors,
    a_sampled_laplace,
    a_sampled_gaussian,
    without_replacement,
    gaussian_and_laplace,
    gaussian_and_responses,
    gaussian_and_sampled_gaussian,
]
TIGHT, WIDEST = 0.01, 0.5  # relative; up to a delta that protects few


def misses(draw, seed, points):
    """Where an enclosure does not hold the truth, or is wider than a hundredth of it."""
    r, found = random.Random(f"{draw.__name__} {seed}"), []
    with mpmath.workdps(DIGITS):
        releases, curves = draw(r)
        accountant = Accountant(*releases)
        for _ in range(points):
            epsilon = size(r, 0.01, 10)
            truth = max(curve(mpf(epsilon)) for curve in curves)
            least = accountant.delta(epsilon)
            low, high = (mpf(end.numerator) / end.denominator for end in (least.lower, least.upper))
            if not low <= truth + mpf(10) ** -40 or not truth - mpf(10) ** -40 <= high:
                found.append(("delta", releases, epsilon, least, truth))
            if truth < 1e-12:
                continue
            delta = float(truth)
            above, below = math.nextafter(delta, 1), math.nextafter(delta, 0)
            if not accountant.epsilon(above).lower <= epsilon or not accountant.epsilon(below).upper >= epsilon:
                found.append(("epsilon", releases, epsilon, accountant.epsilon(above), delta))
            least, most = (accountant.epsilon(min(delta * (1 + sign * 1e-6), 1)) for sign in (1, -1))  # it may jump
            if truth <= WIDEST and least.upper - most.lower > TIGHT * epsilon:
                found.append(("width", releases, epsilon, accountant.epsilon(delta), delta))
    return found


INTEGRALS = {gaussian_and_laplace: 8, gaussian_and_sampled_gaussian: 32}  # that take so many times as long


@pytest.mark.parametrize("draw", DRAWN, ids=lambda draw: draw.__name__)
def test_no_closed_form_sum_or_integral_leaves_the_enclosure(draw, every_point):
    """700 points for each of 16 kinds in a nightly run, fewer where they are integrals; 14 otherwise."""
    rounds, points = (20, 35) if every_point else (2, 7)
    assert [m for k in range(rounds) for m in misses(draw, k, max(points // INTEGRALS.get(draw, 1), 1))] == []


def test_grids_agree_with_the_closed_form_of_many_gaussians():
    """The law of the loss of one, composed a million times, against one curve."""
    closed, pair = Accountant((Mechanism.gaussian(1000.0), 10**6)), loss_pairs.normal(Fraction(1, 10**6))
    low, high = (Curve(accounting.composed([(pair, 10**6)], up)) for up in (False, True))
    for delta in (Fraction(1, 10), Fraction(1, 10**6), Fraction(1, 10**12)):
        least, most = low.epsilon(delta), high.epsilon(delta)
        assert Enclosure.from_ball(least).lower <= closed.epsilon(delta).lower
        assert closed.epsilon(delta).upper <= Enclosure.from_ball(most).upper
        assert most - least <= 0.002 * most


@pytest.mark.parametrize(("epsilon", "k", "target"), [(0.1, 100, 2.0), (1.0, 10, 4.0), (0.01, 1000, 0.5)])
def test_randomised_response_is_composed_optimally(epsilon, k, target):
    found = Accountant((Mechanism.randomised_response(epsilon), k)).delta(target)
    assert float(found) == pytest.approx(worst_composed_delta(k, epsilon, 0.0, target), rel=1e-3)


def test_both_directions_of_a_subsampled_gaussian_count():
    """Removing a record tells more at epsilon > 0, and adding one less; at 0 both have the total variation."""
    mechanism = Mechanism.gaussian(0.8).subsampled(0.2)
    laws = {up: [Curve(accounting.composed([(pair, 8)], up)) for pair in mechanism.attained] for up in (False, True)}
    (removed, added), (_, most) = laws[False], laws[True]
    assert removed.delta(Fraction(2)) > 1.5 * most.delta(Fraction(2))
    assert float(removed.delta(Fraction(0))) == pytest.approx(float(added.delta(Fraction(0))), rel=1e-3)
    both = Accountant((mechanism, 8)).delta(2.0)
    assert float(both) == pytest.approx(float(removed.delta(Fraction(2))), rel=1e-3)


@pytest.mark.parametrize("rate", [0.01, 0.3])
def test_another_accountant_stays_above_the_lower_end(rate):
    """Its pessimistic estimate is an upper bound: never below ours from below, and little above ours from above."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    n, ours = 50, Accountant((Mechanism.gaussian(1.0).subsampled(rate), 50))
    theirs = pld.from_gaussian_mechanism(1.0, sampling_prob=rate, value_discretization_interval=1e-4).self_compose(n)
    for delta in (1e-3, 1e-6, 1e-9):
        found, epsilon = ours.epsilon(delta), theirs.get_epsilon_for_delta(delta)
        assert found.lower <= epsilon <= float(found.upper) * 1.01
        assert found.width <= 0.01 * found.upper


def test_the_exponential_mechanism_is_between_its_worst_pair_and_all_of_bounded_range():
    width = 1.5
    with mpmath.workdps(DIGITS):
        for epsilon in (0.0, 0.75, 1.0):
            root = 1 - mpmath.exp((mpf(epsilon) - width) / 2)
            truth = root**2 / (1 - mpmath.exp(-mpf(width)))
            found = Accountant(Mechanism.exponential(width)).delta(epsilon)
            low, high = (mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
            assert low <= truth + mpf(10) ** -40 and truth <= high + mpf(10) ** -40 and high <= 1.01 * low + 0.005
    many = Accountant((Mechanism.exponential(0.2), 100)).epsilon(1e-6)
    assert many.upper < Fraction(3, 4) * Accountant((Mechanism.randomised_response(0.2), 100)).epsilon(1e-6).lower
    response = Accountant((Mechanism.randomised_response(0.1), 100)).epsilon(1e-6)
    assert many.lower >= response.lower * Fraction(999, 1000)  # losses of 0.1 and -0.1 are one of its pairs


def test_divergences_have_their_closed_forms():
    d, order = 0.7, 3.5
    laplace = Accountant((Mechanism.laplace(1 / d), 4)).renyi(order)
    above = order / (2 * order - 1) * math.exp((order - 1) * d) + (order - 1) / (2 * order - 1) * math.exp(-order * d)
    assert laplace.lower <= 4 * math.log(above) / (order - 1) * (1 + 1e-5) and laplace.width < 1e-4
    assert laplace.upper >= 4 * math.log(above) / (order - 1) * (1 - 1e-5)
    both = Accountant(Mechanism.gaussian(2.0), (Mechanism.randomised_response(1.0), 2)).renyi(2)
    p = 1 / (1 + math.exp(-1))
    assert float(both) == pytest.approx(0.25 + 2 * math.log(p * p / (1 - p) + (1 - p) ** 2 / p), rel=1e-6)
    assert Accountant(Mechanism.gaussian(1.0).without_replacement(0.5)).renyi(2).upper == math.inf


@pytest.mark.parametrize(
    ("rate", "sigma", "order"), [(0.5, 1.0, 2), (0.01, 2.0, 9), (0.1, 0.75, 5), (0.25, 1.5, 3), (0.1, 2.0, 2.5)]
)
def test_divergences_of_a_sampled_gaussian_are_those_of_integration(rate, sigma, order):
    """Of the worse direction: exactly at whole orders, and no larger than at the next one between them."""
    found = Accountant((Mechanism.gaussian(sigma).subsampled(rate), 3)).renyi(order)
    with mpmath.workdps(30):

        def divergence(order, turned=False):
            def part(x):
                mixed = rate * mpmath.npdf(x, 1 / mpf(sigma), 1) + (1 - rate) * mpmath.npdf(x)
                p, q = (mpmath.npdf(x), mixed) if turned else (mixed, mpmath.npdf(x))
                return p**order * q ** (1 - order)

            return 3 * mpmath.log(mpmath.quad(part, range(-15, 41))) / (order - 1)

        truth, next_one = divergence(mpf(order)), divergence(math.ceil(order))
        assert divergence(order, turned=True) <= truth <= float(found.upper) * (1 + 1e-12)
        assert float(found.lower) <= truth <= 1.01 * float(found.lower)
        assert float(found.upper) == pytest.approx(float(next_one), rel=1e-9)


def test_gaussian_privacy_is_converted_by_the_accountants_curve():
    for mu, delta in ((0.5, 1e-5), (1.0, 0.01), (3.0, 1e-9)):
        epsilon = convert(Budget.gdp(mu), "approximate", delta=delta).epsilon
        assert epsilon == pytest.approx(float(Accountant(Mechanism.gaussian(1 / mu)).epsilon(delta)), rel=1e-9)


@pytest.mark.parametrize(
    ("mechanism", "count"),
    [
        (Mechanism.gaussian, 20),
        (Mechanism.laplace, 50),
        (lambda scale: Mechanism.geometric(scale, 2), 3),
        (lambda scale: Mechanism.randomised_response(1 / scale), 10),
    ],
)
def test_the_least_noise_uses_the_budget_and_never_more(mechanism, count):
    found = least_noise(mechanism, 1.5, 1e-6, count)
    again = Accountant((mechanism(found.noise), count)).epsilon(1e-6)
    assert found.epsilon == again and 0.998 * 1.5 <= again.lower and again.upper <= 1.5
    less = Accountant((mechanism(0.99 * found.noise), count)).epsilon(1e-6)
    assert less.lower > 1.5


def test_limits_are_right():
    response, normal = Accountant((Mechanism.randomised_response(0.5), 3)), Accountant(Mechanism.gaussian(1.0))
    assert response.epsilon(0).contains(Fraction(3, 2)) and response.epsilon(0).width < 1e-60
    assert response.epsilon(1) == normal.epsilon(1) == Enclosure(0, 0)
    assert normal.epsilon(0).lower == math.inf and normal.epsilon(5e-324).upper < 40
    assert 38 < normal.epsilon(Fraction(1, 10**400)).lower
    assert response.delta(1.6) == Enclosure(0, 0) and response.epsilon(1e-300).upper <= 1.5 + 1e-12
    told = Accountant(Mechanism.finite([0.5, 0.5], [1, 0]))
    assert told.epsilon(0.25).lower == math.inf and told.delta(50).contains(0.5)
    assert Accountant((Mechanism.finite([1, 0], [0, 1]), 2), Mechanism.laplace(1.0)).delta(9.0) == Enclosure(1, 1)
    nothing = Accountant((Mechanism.finite([1, 2], [2, 4]), 5))
    assert nothing.epsilon(0).upper < 1e-60 and nothing.delta(0).upper < 1e-15
    single = np.float32(0.1)
    assert Mechanism.laplace(single) != Mechanism.laplace(0.1) and Mechanism.laplace(1) == Mechanism.laplace(1.0)
    whole = Mechanism.gaussian(2.0).subsampled(1)
    assert whole == Mechanism.gaussian(2.0) == Mechanism.gaussian(2.0).without_replacement(1.0)


HALF = Mechanism.laplace(2.0)
NO_NUMBERS = (0, -1.0, math.nan, math.inf, "1", None, True)


@pytest.mark.parametrize("value", NO_NUMBERS)
@pytest.mark.parametrize(
    "make",
    [
        Mechanism.gaussian,
        Mechanism.laplace,
        Mechanism.geometric,
        Mechanism.discrete_gaussian,
        Mechanism.randomised_response,
        Mechanism.exponential,
        lambda x: Mechanism.gaussian(1.0, x),
        lambda x: Mechanism.laplace(1.0, x),
        lambda x: least_noise(Mechanism.gaussian, x, 0.1),
    ],
)
def test_parameters_that_are_not_positive_and_finite_are_refused(make, value):
    with pytest.raises(InvalidInput):
        make(value)


@pytest.mark.parametrize(
    ("wrong", "parameter"),
    [
        (lambda: Accountant(), "releases"),
        (lambda: Accountant(Budget.pure(1.0)), "releases"),
        (lambda: Accountant(*(getattr(HALF, kind)(0.5) for kind in ("subsampled", "without_replacement"))), "releases"),
        (lambda: Accountant((Mechanism.gaussian(1.0), 0)), "count"),
        (lambda: Accountant((Mechanism.gaussian(1.0), 1.5)), "count"),
        (lambda: Accountant(Mechanism.gaussian(1.0)).epsilon(-0.1), "delta"),
        (lambda: Accountant(Mechanism.gaussian(1.0)).epsilon(1.1), "delta"),
        (lambda: Accountant(Mechanism.gaussian(1.0)).epsilon(math.nan), "delta"),
        (lambda: Accountant(Mechanism.gaussian(1.0)).delta(-1), "epsilon"),
        (lambda: Accountant(Mechanism.gaussian(1.0)).delta(math.inf), "epsilon"),
        (lambda: Accountant(Mechanism.gaussian(1.0)).delta(math.nan), "epsilon"),
        (lambda: Accountant(Mechanism.gaussian(1.0)).renyi(1), "order"),
        (lambda: Mechanism.gaussian(1.0).subsampled(0), "rate"),
        (lambda: Mechanism.gaussian(1.0).subsampled(1.5), "rate"),
        (lambda: Mechanism.gaussian(1.0).subsampled(0.5).subsampled(0.5), "mechanism"),
        (lambda: Mechanism.exponential(1.0).subsampled(0.5), "mechanism"),
        (lambda: Mechanism.finite([1, 2], [3, 1]).without_replacement(0.5), "mechanism"),
        (lambda: Mechanism.finite([1, 2], [3]), "without"),
        (lambda: Mechanism.finite([1, -2], [3, 1]), "with_record"),
        (lambda: Mechanism.finite([0, 0], [3, 1]), "with_record"),
        (lambda: Mechanism.finite([math.nan, 1], [3, 1]), "with_record"),
        (lambda: Mechanism.randomised_response(1.0, 1), "categories"),
        (lambda: Mechanism.geometric(1.0, 0), "sensitivity"),
        (lambda: Mechanism.gaussian(1e-9), "sensitivity / sigma"),
        (lambda: least_noise(lambda s: Mechanism.gaussian(1.0), 1.0, 1e-5), "epsilon"),
    ],
)
def test_wrong_calls_name_the_parameter(wrong, parameter):
    with pytest.raises(InvalidInput) as refused:
        wrong()
    assert refused.value.parameter == parameter
