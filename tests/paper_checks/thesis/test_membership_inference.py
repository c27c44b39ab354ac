"""Oracles of the checks on membership games and audits, by routes of their own."""

from fractions import Fraction as F
from itertools import product
from math import exp, log, prod, sqrt, tanh

import mpmath
import numpy as np
import pytest
from scipy.stats import binom

from banditproof.paper_checks.thesis import s9_perspectives as perspectives
from banditproof.paper_checks.thesis.ch2_inference import s2_3_4_tracing as tracing
from banditproof.paper_checks.thesis.ch2_inference import s2_3_5_scalar_product as scalar_product
from banditproof.paper_checks.thesis.ch2_inference import s2_3_6_private as private
from banditproof.paper_checks.thesis.ch2_inference import s2_3_7_audits as audits
from banditproof.paper_checks.thesis.facts.inference import column_means, executions
from banditproof.theory.errors import InvalidInput
from banditproof.verify.finite.channels import random_channel, total_variation
from banditproof.verify.privacy.membership import (
    MembershipGame,
    best_region,
    empirical_mean,
    likelihood_score,
    power,
    randomised_power,
)

FAIR = MembershipGame(empirical_mean(2), {0: F(1, 2), 1: F(1, 2)})


def test_the_game_of_the_mean_of_two_fair_bits_is_as_by_hand():
    out, inside = FAIR.laws()
    assert out == {(z, s): F(1, 2) * F((1, 2, 1)[s], 4) for z in (0, 1) for s in (0, 1, 2)}
    assert [inside[0, s] for s in (0, 1, 2)] == [F(1, 4), F(1, 4), 0]
    assert likelihood_score(out, inside) == {(0, 0): 2, (0, 1): 1, (0, 2): 0, (1, 0): 0, (1, 1): 1, (1, 2): 2}
    assert total_variation(inside, out) == F(1, 4)


def test_ties_cost_the_likelihood_ratio_its_power_and_a_coin_gives_it_back():
    out, inside = FAIR.laws()
    assert power(out, inside, likelihood_score(out, inside), F(1, 8)) == 0
    assert best_region(out, inside, F(1, 8))[0] == randomised_power(out, inside, F(1, 8)) == F(1, 4)
    assert power(out, inside, likelihood_score(out, inside), F(1, 4)) == F(1, 2)


def test_errors_and_laws_agree_with_a_simulation_of_the_crafter():
    game = MembershipGame(random_channel(3, 2), {0: F(1, 3), 1: F(2, 3)})
    generator = np.random.default_rng(0)
    runs = 40_000
    data = (generator.random((runs, 2)) < 2 / 3).astype(int)
    b = generator.integers(0, 2, runs)
    target = np.where(b, data[np.arange(runs), generator.integers(0, 2, runs)], generator.random(runs) < 2 / 3)
    draws = generator.random(runs)
    laws = {d: np.cumsum([float(p) for p in law.values()]) for d, law in game.mechanism.laws.items()}
    output = np.array([np.searchsorted(laws[tuple(d)], u) for d, u in zip(data.tolist(), draws, strict=True)])
    for (z, o, side), p in game.crafted().items():
        seen = int(np.sum((target == z) & (output == o) & (b == side)))
        assert abs(seen - runs * float(p)) < 6 * sqrt(runs * float(p) + 1)


def test_the_transform_of_a_coordinate_matches_direct_summation():
    n, mu, power_ = 30, 0.3, 0.4
    s = np.arange(n + 1)
    weights = binom.pmf(s, n, mu)
    direct = np.sum(weights * (mu * (s / n / mu) ** power_ + (1 - mu) * ((1 - s / n) / (1 - mu)) ** power_))
    ball = tracing.log_transform(n, *(_ball(x) for x in (F(3, 10), F(2, 5))))
    assert abs(float(ball) - log(direct)) < 1e-12


def _ball(value):
    from banditproof.theory.numbers.numeric import to_ball

    return to_ball(value)


def test_a_column_of_a_view_has_the_law_of_the_game():
    n, mean = 3, F(2, 5)
    laws = column_means(n, mean, F(1, 3), 2).laws()
    for member, (bit, ones) in product((0, 1), product((0, 1), range(n + 1))):
        listed = sum(p for ((z, _), (s, _)), p in laws[member].items() if (z, s) == (bit, ones))
        assert tracing.chance_of_view(member, mean, bit, ones, n - ones) == listed


@pytest.mark.parametrize("references", [0, 4])
def test_the_squared_separation_is_that_of_the_variances(references):
    # E_in - E_out = 1/n and Var_out = 1/n + 1/n_0
    n = 3
    variance = F(1, n) + (F(1, references) if references else 0)
    mu = F(2, 5)
    reference = tracing.estimated(references, mu) if references else tracing.known(mu)
    assert tracing.squared_separation(n, mu, reference) == F(1, n**2) / variance


def test_the_fingerprint_of_the_exact_mean_is_two_thirds():
    # f(z) = mean(z): E sum (z_i - p) mean(z) = E (1 - p^2) = 2/3 = 2 E p^2, and a constant estimate gives 0
    polynomial = scalar_product.times([F(1)], (F(1, 2), F(1, 2)))
    assert scalar_product.average(polynomial) == F(1, 2)
    for n in (1, 2, 3):
        left, _, right = scalar_product.members_are_correlated(n, 0, F(1), F(1, 6))
        assert left == right == 0


def test_wilson_excludes_a_small_probability_after_one_success(relation):
    from scipy.stats import binomtest

    interval = binomtest(1, 10).proportion_ci(confidence_level=0.95, method="wilson")
    none = binomtest(0, 10).proportion_ci(confidence_level=0.95, method="wilson")
    assert none.low <= 0.01 <= none.high and interval.low > 0.01
    left, _, right = relation("TH-A2.AUD/wilson")(10, F(1, 100), F(1, 20))
    assert left == 1 - F(99, 100) ** 10 > right


def test_the_tight_epsilon_of_a_bit_is_the_worst_of_four_ratios():
    assert audits.tight_ratio(F(3, 4), F(1, 4)) == 3
    assert audits.tight_ratio(F(9, 10), F(1, 2)) == 5  # (1 - 1/2)/(1 - 9/10)
    assert audits.tight_ratio(F(1), F(0), F(1, 10)) == float("inf")
    assert audits.tight_ratio(F(1), F(0), F(1)) == 1


def test_proportions_among_all_rounds_accuse_a_coin(relation):
    left, _, right = relation("TH-A2.AUDMI/all-rounds")(400, F(1, 20))
    limit = 400 * (1 - 2 * sqrt(log(80) / 0.566 / 400))
    assert float(left) == pytest.approx(binom.cdf(np.ceil(limit) - 1, 400, 0.5), abs=1e-9)
    assert left > F(99, 100) > right


def test_the_bounds_on_the_advantage_at_a_point(relation):
    ratio, delta = F(3), F(1, 10)
    left, _, right = relation("TH-S2.3d/comparison")(ratio, delta)
    assert left == F(11, 20) and right == F(7, 10)


def test_the_radius_is_hoeffdings():
    exact = mpmath.sqrt(mpmath.log(80) / 2 / 50)
    assert abs(float(audits.radius(50, F(1, 20), F(4), F(1))) - float(exact)) < 1e-9
    assert 2 * exp(-2 * 50 * float(exact) ** 2) == pytest.approx(1 / 40)


@pytest.mark.parametrize(("points", "size", "best"), [(2, 1, 0.231059), (3, 1, 0.242784), (5, 2, 0.244405)])
def test_subset_mechanisms_reach_the_values_of_the_linear_program(points, size, best):
    """The optimum over all mechanisms at epsilon = 1, one record, uniform on so many points."""
    game = private.subset_game(points, size, F(exp(1)))
    assert float(total_variation(*game.laws())) == pytest.approx(best, abs=1e-6) and best < tanh(1 / 4)
    assert private.advantage_of_subsets(size, points - size, F(exp(1))) == total_variation(*game.laws())


def test_the_remainder_of_the_median_is_that_of_a_simulation():
    half, n, runs = 10, 21, 40_000
    x = np.random.default_rng(1).random((runs, n))
    remainder = np.median(x, axis=1) - 0.5 - np.sign(x - 0.5).mean(axis=1) / 2  # V = -2
    left, _, _ = perspectives.median_is_nearly_linear(half, F(-2), F(2, 5))
    squares = n * remainder**2
    assert abs(squares.mean() - sqrt(float(left) / n)) < 5 * squares.std() / sqrt(runs)


def test_the_remainder_of_the_rate_is_its_integral_over_the_gamma_law():
    n = 7
    squared = mpmath.quad(lambda y: (1 - y) ** 4 / y**2 * y ** (n - 1) * mpmath.exp(-n * y), [0, 1, 3, mpmath.inf])
    left, _, right = perspectives.rate_is_nearly_linear(F(n - 3), F(-1), F(1))
    assert left == right
    assert float(left) == pytest.approx(float(n * squared * n**n / mpmath.factorial(n - 1)), rel=1e-9)


def test_the_printed_score_points_the_wrong_way_on_simulated_means(relation):
    """Mean 1, target 1/2, n = 10: by hand the printed score is x (estimate - 1) plus a constant."""
    x = 1 + np.random.default_rng(2).standard_normal((40_000, 10))
    without = x.mean(axis=1)
    x[:, 0] = 0.5
    gap = 0.5 * (x.mean(axis=1) - without)
    left, _, _ = relation("MIA-S9.4/score")(F(1, 2), F(1), 10)
    assert left == F(-1, 40) and abs(gap.mean() - float(left)) < 5 * gap.std() / 200


def test_ties_leave_the_equation_of_the_median_without_a_zero():
    places = [F(-1), F(0), F(1, 2), F(1), F(2)]
    assert [perspectives.score_of_signs([0, 0, 1], x) * 3 for x in places] == [3, 1, -1, -2, -3]


def test_a_law_on_other_records_is_refused():
    for data in ({0: F(1)}, {0: F(1, 2), 1: F(1, 3)}, {0: F(3, 2), 1: F(-1, 2)}):
        with pytest.raises(InvalidInput, match="data"):
            MembershipGame(empirical_mean(2), data)


def test_executions_of_a_program_have_its_law():
    """Tosses of a coin until the first head, three at most; the second draw depends on the first."""

    def program(draw):
        for count in (1, 2, 3):
            if draw({"head": F(1, 3), "tail": F(2, 3), "edge": F(0)}) == "head":
                return count
        return None

    assert executions(program) == {1: F(1, 3), 2: F(2, 9), 3: F(4, 27), None: F(8, 27)}


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("member", [False, True])
def test_moments_of_a_centred_score_are_those_of_all_lists_of_signs(order, member):
    n, m, mean, alpha = 3, 2, F(-4, 5), F(1, 10)

    def signs(count):
        chance = {1: (1 + mean) / 2, -1: (1 - mean) / 2}
        return [(prod(chance[s] for s in z), z) for z in product((1, -1), repeat=count)]

    found = F(0)
    for (p, z), (q, r), (w, (other, reference)) in product(signs(n), signs(m), signs(2)):
        for error in (alpha, -alpha):
            answer = F(sum(z), n) + error - F(sum(r), m)
            found += p * q * w / 2 * (((z[0] if member else other) - reference) * answer) ** order
    assert scalar_product.moment_of_a_centred_score(order, member, n, m, mean, alpha) == found
