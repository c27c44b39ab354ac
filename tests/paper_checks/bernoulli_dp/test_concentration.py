"""The relations of the concentration checks against routes of their own: quadrature, enumeration, SciPy's laws."""

import itertools
import json
from fractions import Fraction as F

import mpmath
import pytest
from scipy import stats

from banditproof.claims import REGISTER, derivation, fact, facts_hold, load
from banditproof.claims.documents import documents
from banditproof.claims.stating import stated_in_general
from banditproof.paper_checks.bernoulli_dp.app_d_concentration import d4_equation_17 as proof
from banditproof.paper_checks.bernoulli_dp.app_d_concentration import d5_constants as constants
from banditproof.paper_checks.bernoulli_dp.app_h_tools.h6_chernoff import limit_of_the_low_maximum
from banditproof.paper_checks.bernoulli_dp.facts import chernoff as facts
from banditproof.paper_checks.bernoulli_dp.section_4 import s4_concentration as private_mean
from banditproof.theory import InvalidInput, to_ball
from banditproof.verify import Domain, stating
from banditproof.verify.kernel.terms import All, Refused, key, replace, var
from banditproof.verify.proof.deduce import search
from banditproof.verify.theorems import noisy_sums as noisy_sum_proofs

load()
STORED = json.loads(documents()["bernoulli-dp"].proofs.read_text(encoding="utf-8"))
TREES = {key: tree for trees in STORED.values() for key, tree in trees.items()}


def middle(ball):
    return float(to_ball(ball).mid())


def laplace_sum_tail_by_quadrature(m, u):
    """Gil-Pelaez inversion of the characteristic function (1 + s^2)^-m."""
    integrand = lambda s: mpmath.sin(s * u) / (s * (1 + s * s) ** m)  # noqa: E731
    return mpmath.mpf(1) / 2 - mpmath.quadosc(integrand, [0, mpmath.inf], omega=u) / mpmath.pi


def markov_optimum(n, m, mu, epsilon, x):
    """The least of the logarithms of Markov's bounds, by direct search over t."""
    bound = lambda t: -t * x + n * mpmath.log(1 - mu + mu * mpmath.exp(t)) - m * mpmath.log(1 - (t / epsilon) ** 2)  # noqa: E731
    return min(bound(epsilon * mpmath.mpf(i) / 4000) for i in range(4000))


# ---------------------------------------------------------------------------------------------------------- derivations


def strictly_below_itself(t, linear=1):
    return t, "<", linear * t


def square(t):
    return 0, "<=", t * t - 2 * t + 1


REAL, UNIT = Domain.of(t="(-inf, inf)"), Domain.of(t="[0, 1]")


SQUARE = stating(square, REAL, {})
OF_THE_SQUARE = {"trees": {SQUARE.key: search(SQUARE)}}


def test_a_derivation_counts_only_facts_that_are_proved():
    data = derivation([fact(square, REAL), fact(strictly_below_itself, UNIT)], "nothing")
    assert facts_hold(data)[::2] == (0, 2) and facts_hold(data | OF_THE_SQUARE)[::2] == (1, 2)


def test_a_derivation_survives_json():
    data = json.loads(json.dumps(derivation([fact(square, REAL)], "a square") | OF_THE_SQUARE))
    assert facts_hold(data) == (1, "==", 1)


def test_a_derivation_needs_facts():
    with pytest.raises(InvalidInput):
        derivation([], "because")
    proved, _, needed = facts_hold({"facts": [], "because": "because"})
    assert proved < needed


@pytest.mark.parametrize(
    "facts_of, changed",
    [
        (facts.LAPLACE_SUM_FACTS, {"offset": F(9, 10)}),
        (facts.LAPLACE_SUM_FACTS, {"rate": F(11, 10)}),
        (facts.SHARP_FACTS, {"euler": F(9, 10)}),
        (facts.SHARP_FACTS, {"rate": F(11, 10)}),
        (facts.NOISE_FACTS, {"root": F(1, 2)}),
        (facts.NOISE_FACTS, {"linear": F(9, 10)}),
    ],
)
def test_facts_with_their_own_constants_hold_and_with_sharper_ones_do_not(facts_of, changed):
    data = {**derivation(facts_of, "as in the claim"), "trees": TREES}
    assert facts_hold(data)[0] == len(facts_of)
    assert facts_hold(data, **changed)[0] < len(facts_of)


# ------------------------------------------------------------------------------------------------ formulas of the facts


def test_the_mgf_of_laplace_noise_is_that_of_quadrature():
    for t, epsilon in [(0.3, 1.0), (-0.9, 2.0)]:
        left, _, right = facts.laplace_mgf(t, epsilon)
        density = lambda y, t=t, e=epsilon: e / 2 * mpmath.exp(t * y - e * abs(y))  # noqa: E731
        integral = mpmath.quad(density, [-mpmath.inf, 0, mpmath.inf])
        assert left == pytest.approx(float(integral), rel=1e-12)
        assert right == pytest.approx(float(integral), rel=1e-12)


def test_curvatures_are_second_derivatives():
    for t, p in [(0.7, 0.2), (-2.0, 0.6)]:
        along_t = mpmath.diff(lambda s, p=p: mpmath.log(1 - p + p * mpmath.exp(s)), t, 2)
        assert facts.log_mgf_curvature(t, p)[2] == pytest.approx(float(along_t), rel=1e-8)


@pytest.mark.parametrize("n, m, mu, epsilon, x", [(10, 1, 0.3, 0.5, 7), (40, 5, 0.1, 3.0, 20), (5, 3, 0.5, 1.0, 9)])
def test_the_markov_exponent_at_the_chosen_point_is_an_upper_bound_of_the_best_one(n, m, mu, epsilon, x):
    deviation = x - n * mu
    best = min(1 - 1e-9, x / n)
    t_star = min(epsilon, float(mpmath.log(best * (1 - mu) / ((1 - best) * mu)))) if x < n else epsilon
    phi = lambda t: t * x - n * float(mpmath.log(1 - mu + mu * mpmath.exp(t)))  # noqa: E731
    r = (1 - m / (epsilon * deviation)) ** 0.5
    gaps = epsilon * deviation - phi(t_star), phi(r * t_star) - r * phi(t_star)
    left, _, right = facts.sharp_exponent(m, r, t_star / epsilon, *gaps)
    assert min(gaps) >= 0
    assert float(markov_optimum(n, m, mu, epsilon, x)) <= left + 1e-9
    assert left <= right


# ---------------------------------------------------------------------------------------------------------- exact tails


@pytest.mark.parametrize("m, u", [(1, 0.5), (2, 3.0), (4, 1.0)])
def test_the_laplace_tail_of_the_checks_is_that_of_its_characteristic_function(relation, m, u):
    tail, _, bound = relation("BDP-LD.1")(m, to_ball(2), to_ball(u) / 2)
    assert middle(tail) == pytest.approx(float(laplace_sum_tail_by_quadrature(m, u)), abs=1e-9)
    assert middle(bound) == pytest.approx(float(mpmath.exp(1 - u) * (1 + m * u) ** m), rel=1e-12)


@pytest.mark.parametrize("n, mu, epsilon, x", [(5, F(1, 3), F(2), F(1, 2)), (9, F(1, 10), F(1, 2), F(2, 3))])
def test_the_tail_of_the_private_mean_is_a_binomial_mixture_of_laplace_tails(n, mu, epsilon, x):
    weights = stats.binom(n, float(mu)).pmf(range(n + 1))
    noise = stats.laplace(scale=1 / float(epsilon))
    upper = sum(w * noise.sf(n * float(x) - s) for s, w in enumerate(weights))
    lower = sum(w * noise.cdf(n * float(x) - s) for s, w in enumerate(weights))
    assert middle(private_mean.exact_tail(n, 1, mu, epsilon, n * x)) == pytest.approx(upper, rel=1e-10)
    assert middle(private_mean.exact_tail(n, 1, 1 - mu, epsilon, n - n * x)) == pytest.approx(lower, rel=1e-10)


def test_without_noise_the_tail_is_binomial():
    law = stats.binom(7, 0.25)
    assert middle(private_mean.exact_tail(7, 0, F(1, 4), F(1), F(3))) == pytest.approx(law.sf(2))
    assert middle(private_mean.exact_tail(7, 0, F(3, 4), F(1), F(4))) == pytest.approx(law.cdf(3))


@pytest.mark.parametrize("name", ["decay", "epsilon", "slack", "level"])
def test_the_private_mean_is_shown_as_printed_only(name):
    """Not with another number in the conclusion: what is in it stands below 'there is a constant'."""
    statement = stated_in_general(REGISTER["BDP-P4.1"]).formula
    assert key(noisy_sum_proofs.private_mean(statement).conclusion) == key(statement)
    then = replace(statement.then, {name: var(name) * (F(9, 10) if name == "slack" else F(11, 10))})
    other = All(statement.params, statement.given, then)
    with pytest.raises(Refused):
        noisy_sum_proofs.private_mean(other)


def test_both_tails_are_asked_for_at_the_mean_only():
    asked = []
    for x in (F(1, 2), F(2, 3), F(1, 3)):
        facts.at_either_side(lambda mu, x: asked.append((mu, x)) or 1, 1, F(2, 5) + F(1, 10), x)
    half = F(1, 2)
    assert asked == [(half, half), (half, half), (half, F(2, 3)), (half, F(2, 3))]


# ----------------------------------------------------------------------------------------------- integrals of the proof

N, MU, EPSILON, X = 4, F(1, 3), F(3, 2), F(5, 2)


def chernoff_value(y):
    x, mu = mpmath.mpf(y) / N, mpmath.mpf(1) / 3
    return mpmath.exp(-N * (x * mpmath.log(x / mu) + (1 - x) * mpmath.log((1 - x) / (1 - mu))))


def minus_chernoff_slope(y):
    return -mpmath.diff(chernoff_value, y)


def test_the_integrals_of_the_proof_are_those_of_quadrature():
    deviation, epsilon = float(X - N * MU), float(EPSILON)
    tail = lambda z: mpmath.exp(-epsilon * z) * (2 + epsilon * z) / 4  # noqa: E731
    density = lambda z: -mpmath.diff(tail, z)  # noqa: E731
    bound = lambda z: mpmath.exp(1 - epsilon * z) * (1 + 2 * epsilon * z) ** 2  # noqa: E731
    expected = {
        "tail": mpmath.quad(lambda z: tail(z) * minus_chernoff_slope(float(X) - z), [0, deviation]),
        "density": mpmath.quad(lambda z: density(z) * chernoff_value(float(X) - z), [0, deviation]),
        "bound": mpmath.quad(lambda z: bound(z) * minus_chernoff_slope(float(X) - z), [0, deviation]),
    }
    slope, value = (proof.chernoff_weight(N, MU, X, s) for s in (True, False))
    found = {
        "tail": proof.integral(proof.tail_shape(2), slope, EPSILON, 0, X - N * MU),
        "density": proof.integral(proof.density_shape(2, EPSILON), value, EPSILON, 0, X - N * MU),
        "bound": proof.integral(proof.bound_shape(2), slope, EPSILON, 0, X - N * MU),
    }
    for name, ball in found.items():  # mpmath's numerical derivatives are good to about 1e-12
        assert middle(ball) == pytest.approx(float(expected[name]), rel=1e-9), name


def test_the_slope_of_the_chernoff_bound_is_its_numerical_derivative(relation):
    left, _, right = relation("BDP-EQ17/23")(N, float(X) / N, float(MU))
    assert left == pytest.approx(float(minus_chernoff_slope(float(X))), rel=1e-9)
    assert right == pytest.approx(left, rel=1e-12)


def test_the_split_at_zero_counts_every_value_of_the_sum():
    left, _, right = proof.split_at_zero(N, 1, MU, EPSILON, X, F(1, 2))
    law, noise = stats.binom(N, float(MU)), stats.laplace(scale=1 / float(EPSILON))
    positive = sum(law.pmf(s) * noise.sf(max(0.0, float(X) - s)) for s in range(N + 1))
    assert middle(left) == pytest.approx(sum(law.pmf(s) * noise.sf(float(X) - s) for s in range(N + 1)))
    assert middle(right) == pytest.approx(law.sf(2) / 2 + positive)


# ------------------------------------------------------------------------------------------------------------ constants


def test_the_assembled_constant_has_the_terms_of_the_three_steps():
    n, m, mu, epsilon, x = 3, 2, 0.25, 0.5, 2.0
    growth = 2.718281828459045 * (1 + m * epsilon * (x - n * mu)) ** m
    expected = 1 + n * growth * 1.3862943611198906 + growth
    assert middle(constants.assembled_constant(3, 2, F(1, 4), F(1, 2), F(2))) == pytest.approx(expected, rel=1e-12)
    linear = (x - n * mu) * growth * 1.3862943611198906 + growth + 1
    assert middle(constants.constant_with(2, F(1, 4), F(1, 2), F(5, 4))) == pytest.approx(linear, rel=1e-12)


def test_the_limits_along_sequences_are_approached_by_values():
    def rate(m, n):
        return (1 + (m + 1) * mpmath.log(1 + (m + 1) * n)) / n

    m = mpmath.mpf(10) ** 4000  # log log m / log m is 1e-3 there
    for sequence, size in [("m*log(m)", m * mpmath.log(m)), ("m*log(m)**2", m * mpmath.log(m) ** 2)]:
        _, lower, upper = constants.limits(sequence, F(1), 1)
        assert lower == upper
        assert float(rate(m, size)) == pytest.approx(float(lower), abs=5e-3)


def test_nothing_is_claimed_of_a_sequence_outside_the_hypothesis():
    assert constants.subexponential("m*log(m)", F(1), power=1) == (0, "<=", 0)


# ------------------------------------------------------------------------------------------------ sums and their maxima


@pytest.mark.parametrize("mean", [F(1, 2), F(2, 3), F(9, 10)])
def test_the_limit_for_equal_variables_is_the_chance_at_every_n(mean):
    for n in (1, 6):
        low = [coin for coin in (0, 1) if max(itertools.accumulate([coin] * n)) <= F(3, 2) * mean * n]
        chance = sum((mean if coin else 1 - mean for coin in low), F(0))
        assert limit_of_the_low_maximum("all equal", mean, F(1, 2)) == chance
