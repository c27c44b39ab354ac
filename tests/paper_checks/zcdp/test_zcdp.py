"""Oracles of the zCDP paper's claims against other routes; what is true of the paper is not tested here."""

from fractions import Fraction
from itertools import product
from math import exp, log, sqrt

import flint
import numpy as np
import pytest
from scipy import integrate
from scipy.stats import binom, norm

from banditproof.algorithms import AdaCUCB, NoiseSource
from banditproof.claims.loading import load
from banditproof.claims.register import PENDING, REGISTER, restate, settle
from banditproof.paper_checks.shared import gaussian_choice
from banditproof.paper_checks.shared.composition import renyi_moment
from banditproof.paper_checks.zcdp import app_a_table_2, app_d_privacy, s1_table_1, s3_privacy
from banditproof.paper_checks.zcdp.app_c_adac_ucb import c_d_privacy, c_d_regret, c_e_budgets
from banditproof.theory import Budget, InvalidInput, minimax_lower_bound, regret_upper_bound
from banditproof.verify.finite.kernels import random_kernel

pytestmark = pytest.mark.usefixtures("precision")


# ------------------------------------------------------------------------------------------------------ restated claims


@pytest.fixture
def one_more_restatement():
    """Restates a claim, and takes the restatement back where it cannot be resolved."""
    load()

    def of(original):
        restate("ZCDP-NEW", original)
        try:
            settle()
        finally:
            PENDING.clear()

    return of


def test_a_restated_claim_has_the_domain_constants_mutations_and_check_of_the_original():
    load()
    claim, source = REGISTER["ZCDP-T8"], REGISTER["TH-T4.14/every-budget"]
    assert (claim.domain, claim.constants, claim.mutations) == (source.domain, source.constants, source.mutations)
    assert claim.check is source.check and claim.module != source.module
    assert claim.paper == "zcdp" and "TH-T4.14" in claim.twins and claim.statement != source.statement


@pytest.mark.parametrize("original", ["TH-NOT-THERE", "TH-P3.12"])
def test_what_nobody_registered_or_its_parts_decide_cannot_be_restated(one_more_restatement, original):
    with pytest.raises(InvalidInput, match="original"):
        one_more_restatement(original)


# ---------------------------------------------------------------------------------------------------- Gaussian choices


def test_the_average_of_a_normal_distribution_function_has_its_closed_form():
    found = gaussian_choice.average(lambda z: gaussian_choice._phi((1 + 2 * z) / 1))
    assert float(found) == pytest.approx(norm.cdf(1 / sqrt(5)), rel=1e-13)


@pytest.mark.parametrize("queries", [(0, 1), (1, 0), (1, 1)])
def test_the_law_of_two_choices_is_that_of_simulated_noise(queries):
    table, rho, runs = (0, 1, (1, 0)), 2.0, 400_000
    law = gaussian_choice.first_choices(table, queries, Fraction(2), Fraction(1))
    generator = np.random.default_rng(0)
    first, second, third = generator.normal(size=(3, runs)) / sqrt(2 * rho)
    released = np.array([table[0] + first, table[1] + second])
    o_3 = released.argmax(axis=0)
    asked = np.array(queries)[o_3]
    released[asked, np.arange(runs)] = np.array(table[2])[asked] + third
    o_4 = released.argmax(axis=0)
    for outcome, probability in law.items():
        frequency = np.mean((o_3 == outcome[0]) & (o_4 == outcome[1]))
        assert abs(float(probability) - frequency) < 5 * sqrt(0.25 / runs)
    assert sum(law.values()).contains(1)


def test_the_law_of_two_choices_is_the_integral_over_the_noise_that_is_kept():
    law = gaussian_choice.first_choices((1, 0, (0, 1)), (0, 1), Fraction(1, 10), Fraction(1, 2))
    s = 0.5 / sqrt(0.2)  # arm 0 asked after o_3 = 0: the noise of arm 1 is kept

    def both(z):
        return norm.pdf(z) * norm.cdf((1 - s * z) / s) * norm.cdf((0 - s * z) / s)

    assert float(law[0, 0]) == pytest.approx(integrate.quad(both, -12, 12, epsabs=1e-13)[0], rel=1e-10)


def test_the_bonus_is_the_width_of_the_program():
    policy = AdaCUCB(2, Budget.zcdp(0.7), NoiseSource(), beta=4.0)
    level = np.array([[4.0 * log(17)]])
    width = policy.width(np.array([[8.0]]), level)[0, 0]
    assert float(gaussian_choice.bonus(8, 17, Fraction(7, 10), 4)) == pytest.approx(width, rel=1e-12)


def test_noise_drawn_again_adds_up_the_divergences_of_single_choices():
    total = 0.0
    for start, collected, n in c_d_privacy.REDRAWN:
        deviation = sqrt((1 / 4 + 1 / n**2) / 2)
        bonus = [sqrt((1 / (2 * m) + 1 / m**2) * 4 * log(start)) for m in (2, n)]
        p, q = (norm.cdf((r / 2 + bonus[0] - collected / n - bonus[1]) / deviation) for r in (0, 1))
        total += 10 * log(p**1.1 / q**0.1 + (1 - p) ** 1.1 / (1 - q) ** 0.1)
    left, _, right = c_d_privacy.noise_drawn_again(Fraction(1), Fraction(11, 10), None, c_d_privacy.REDRAWN)
    assert float(left) == pytest.approx(total, rel=1e-9) and float(right) == pytest.approx(1.1)


def test_what_one_choice_tells_is_the_hockey_stick_of_its_event():
    game = c_e_budgets.LONG_GAME
    b = 2 * log(1.25e5) / 100

    def index(mean, n):
        return mean + sqrt((1 / (2 * n) + 2 * b / n**2) * 4 * log(game["start"]))

    other = index(game["collected"] / game["other"], game["other"])
    deviation = sqrt(b * (game["block"] ** -2 + game["other"] ** -2))
    p, q = (norm.cdf((index(r / game["block"], game["block"]) - other) / deviation) for r in (1, 0))
    found = c_e_budgets.classical_noise_for_every_budget(Fraction(10), Fraction(1, 10**5), **game)[0]
    assert float(found) == pytest.approx(p - exp(10) * q, rel=1e-6)


# ------------------------------------------------------------------------------------------------------- interactions


def test_the_divergence_along_fixed_queries_is_the_largest_sum_over_histories():
    kernel, order = random_kernel(3, 2, 2), Fraction(2)
    largest = 0.0
    for arm, left, right in product((0, 1), repeat=3):
        p, q = (kernel.probability(((arm, r),)) for r in (left, right))
        largest = max(largest, log(sum(float(x) ** 2 / float(y) for x, y in zip(p, q, strict=True))))
    assert float(s3_privacy.along_fixed_queries(kernel, order)) == pytest.approx(largest, rel=1e-12)


def test_a_policy_mixed_with_uniform_play_gives_every_arm_some_probability():
    kernel = s3_privacy.some_policy(2, 2, s3_privacy.OFF_PATH)
    assert min(min(kernel.probability(h)) for h in kernel.histories()) >= Fraction(1, 20)


def test_laws_split_at_a_user_when_their_prefixes_agree():
    left = {(0, 0): Fraction(1, 8), (0, 1): Fraction(3, 8), (1, 0): Fraction(1, 2)}
    right = {(0, 0): Fraction(1, 4), (0, 1): Fraction(1, 4), (1, 0): Fraction(1, 2)}
    found = app_d_privacy.split_at((left, right), 1, lambda p, q: renyi_moment(p, q, 2))
    assert found == Fraction(1, 2) * (Fraction(1, 16) / Fraction(1, 2) + Fraction(9, 16) / Fraction(1, 2)) + Fraction(
        1, 2
    )


# ------------------------------------------------------------------------------------------------------------ AdaC-UCB


def test_misleading_blocks_have_the_tail_of_noisy_coins():
    n, rho, gap = 32, 1.0, 0.25
    radius = sqrt((1 / (2 * n) + 1 / (rho * n**2)) * c_d_regret.BETA * log(c_d_regret.HORIZON))
    k = np.arange(n + 1)
    tail = (binom.pmf(k, n, 0.5) * norm.sf((0.5 + gap - radius - k / n) * n * sqrt(2 * rho))).sum()
    assert c_d_regret.misleading_block(gap, rho, 5) == pytest.approx(tail, rel=1e-9)


def test_the_bound_of_theorem_10_is_the_library_s():
    means, horizon = ("3/4", "1/2", "1/4"), 1000
    known = regret_upper_bound("AdaC-UCB", means, horizon, Budget.zcdp(0.5), beta=4)["gap-dependent"].value
    level = 4 * log(horizon)
    found = sum(8 * level / gap + 8 * sqrt(level / 0.5) + 2 * 4 / (4 - 3) for gap in (0.25, 0.5))
    assert found == pytest.approx(float(known.upper), rel=1e-12)


def test_a_mean_is_judged_by_a_uniform_variable_below_its_share():
    generator = np.random.default_rng(1)
    values, uniform = generator.random(50_000) * 10, generator.random(50_000)
    test = c_d_regret.mean_test("mean 5", values, uniform, 10.0, 6.0)
    assert abs(test["successes"] / test["trials"] - 0.5) < 0.02 and test["probability"] == Fraction(3, 5)


def test_the_lower_bound_in_the_comparison_of_rates_is_that_of_the_library():
    _, _, right = s1_table_1.uniformly_in_the_arms(1000, 10, flint.arb(1) / 10**6, 1, 0)
    known = minimax_lower_bound(arms=10, horizon=1000, rho=Fraction(1, 10**6))
    assert float(right) == pytest.approx(max(sqrt(9000) / 27, sqrt(9e6) / 124), rel=1e-12)
    assert any(float(bound.value.lower) == pytest.approx(float(right), rel=1e-9) for bound in known.bounds.values())


# ------------------------------------------------------------------------------- linear and contextual bandits: rates


def squares(sides):
    """Both sides of a relation between squares, as floats, rooted."""
    return tuple(sqrt(float(side)) for side in (sides[0], sides[2]))


def test_rates_of_theorem_4_are_squares_of_the_printed_ones_over_their_common_factors():
    K, T, d, square = 20, 1000, 3, 1.5
    k, L = log(K), log(T)
    inside, cell = log(K * log(T) / (1 / T)), log(K * T)
    theorem, table = squares(s1_table_1.linear_free_term(k, L, square))
    assert sqrt(d * T) * theorem == pytest.approx(sqrt(d * T * inside))
    assert sqrt(d * T) * table == pytest.approx(sqrt(square) * sqrt(d * T * cell))


def test_constants_of_theorem_9_are_those_printed(relation):
    d, T, rho = 3.0, 50.0, 0.3
    assert squares(relation("ZCDP-TB1/linear-below-free-term")(d, T)) == pytest.approx(
        (exp(-2) / 8 * d * sqrt(T), d * sqrt(T) / 60)
    )
    assert squares(relation("ZCDP-TB1/linear-below-private-term")(d, rho)) == pytest.approx(
        (exp(-2.25) / 4 * d / sqrt(rho), d / sqrt(rho) / 38)
    )


def test_the_footnote_has_two_to_the_d_arms():
    d, T = 7.0, 400.0
    lower, upper = squares(s1_table_1.no_contradiction_at_the_corners(d, log(T), 2))
    assert lower / upper == pytest.approx(d * sqrt(T) / (sqrt(2) * sqrt(d * T * log(2**d * T))))
    upper, lower = squares(s1_table_1.tight_in_the_dimension(d, log(T), 2))
    assert upper / lower == pytest.approx(sqrt(d * T * log(2**d * T)) / (sqrt(2 * log(T)) * d * sqrt(T)))


def test_the_last_step_of_theorem_5_is_the_printed_product(relation):
    d, T, price, C, ridge, b = 4.0, 900.0, 2.5, 0.5, 0.1, 1.7
    L, potential, rise = log(T), log(1 + T / (ridge * d)), 1 + log(1 + 1 / ridge) / log(2)
    outer, gamma, episodes = (
        2 * sqrt(1 + C) * sqrt(2 * d * potential),
        b * sqrt(price) * d * L,
        d / log(1 + C) * potential,
    )
    free, cell = squares(relation("ZCDP-TB1/contextual-free-term")(d, T, C, ridge, b))
    assert free == pytest.approx(outer * b * sqrt(d * L) * sqrt(T))
    assert cell == pytest.approx(sqrt(8 * (1 + C) * rise) * b * d * L * sqrt(T))
    private, cell = squares(s1_table_1.contextual_private_term(d, T, price, C, ridge, b))
    assert private == pytest.approx(outer * gamma * sqrt((1 + C) * (1 + ridge) * episodes))
    assert cell == pytest.approx(sqrt(8 * (1 + ridge) / log(1 + C)) * (1 + C) * rise * b * sqrt(price) * d**2 * L**2)


def test_gaps_of_the_tables_are_ratios_of_the_printed_bounds():
    d, T, rho, L = 3.0, 50.0, 0.3, 5.0
    assert squares(s1_table_1.gap_of_the_linear_free_terms(d, T, L, 2)) == pytest.approx(
        (sqrt(d * T * L), 2 * sqrt(L) * exp(-2) / 8 * d * sqrt(T))
    )
    below = exp(-2.25) / 4 * d / sqrt(rho)
    assert squares(s1_table_1.gap_of_the_linear_private_terms(d, rho, L, 2)) == pytest.approx(
        (d / sqrt(rho) * L**1.5, 2 * L**1.5 * below)
    )
    assert squares(s1_table_1.contextual_up_to_the_dimension(d, rho, L, 2)) == pytest.approx(
        (d**2 / sqrt(rho) * L**2, 2 * d * L**2 * below)
    )
    assert squares(app_a_table_2.linear_smaller_than_converted(d, rho, L, 2)) == pytest.approx(
        (2 * d / sqrt(rho) * L**1.5, d**2 / sqrt(rho) * L**2)
    )


def test_the_better_of_the_horizon_and_the_linear_bounds():
    d, T, rho = 3, 10**6, Fraction(1, 4)
    L, M = log(T), log(2**d * T)
    below = max(exp(-2) / 8 * d * sqrt(T), exp(-2.25) / 4 * d / 0.5)
    left, _, right = s1_table_1.linear_uniformly_in_the_dimension(d, T, rho, 5, 2)
    assert float(left) == pytest.approx(sqrt(d * T * M) + d / 0.5 * M**1.5)
    assert float(right) == pytest.approx(5 * L**2 * below)
    left, _, right = s1_table_1.contextual_against_linear(d, T, rho, 5, 2)
    assert float(left) == pytest.approx(d * L * sqrt(T) + d**2 / 0.5 * L**2)
    assert float(right) == pytest.approx(5 * L**2 * below)
    assert float(s1_table_1.contextual_against_linear(d, 10, rho, 5, 2)[0]) == 10


# ------------------------------------------------------------------------------------- private least squares and sums


def test_the_divergence_of_a_linear_release_is_an_integral_along_the_change(relation):
    order, rho, gauge, change, norm = 1.5, 0.3, 1.0, 1.25, 0.8
    deviation, shift = sqrt(2 / rho * gauge), change * sqrt(norm)

    def moment(z):
        return norm_pdf(z, shift, deviation) ** order * norm_pdf(z, 0, deviation) ** (1 - order)

    def norm_pdf(z, mean, scale):
        return exp(-(((z - mean) / scale) ** 2) / 2) / (scale * sqrt(2 * np.pi))

    direct = log(integrate.quad(moment, -60, 60, epsabs=1e-14)[0]) / (order - 1)
    found, _, budget = relation("ZCDP-PF8/private-sums")(norm, gauge, change, rho, order)
    assert found == pytest.approx(direct, rel=1e-7) and budget == order * rho


@pytest.mark.parametrize(("blocks", "changed"), [(1, 1), (4, 2), (5, 5)])
def test_the_shift_of_partial_sums_in_units_of_their_noise(blocks, changed):
    """The same by floats: partial sums have the covariance L L^T for L of ones, and the block moves by one."""
    lower = np.tril(np.ones((blocks, blocks)))
    shift = (np.arange(1, blocks + 1) >= changed).astype(float)
    want = shift @ np.linalg.inv(lower @ lower.T) @ shift
    assert app_d_privacy.divergence_of_partial_sums(blocks, changed) == pytest.approx(want)
