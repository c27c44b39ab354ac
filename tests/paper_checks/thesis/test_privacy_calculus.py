"""What the claims on Section 2.1 of the thesis compare with: relations against values found another way."""

import math
from fractions import Fraction
from itertools import permutations, product

import mpmath
import numpy as np
import pytest
from scipy import stats

from banditproof.paper_checks.thesis.ch2_privacy import s2_1_2_privacy_loss as loss
from banditproof.paper_checks.thesis.ch2_privacy import s2_1_3_groups as groups
from banditproof.paper_checks.thesis.ch2_privacy import s2_1_4_mechanisms as mechanisms
from banditproof.paper_checks.thesis.ch2_privacy import s2_1_5_counting as counting
from banditproof.paper_checks.thesis.facts import privacy
from banditproof.theory.numbers.numeric import to_ball
from banditproof.theory.privacy.wide_balls import normalised_slope
from banditproof.verify.finite.channels import FiniteChannel, channel_delta, channel_ratio, randomised_response


def test_the_normalised_slope_encloses_the_function_and_stays_positive():
    low, high = to_ball("1/5"), to_ball(30)
    found = normalised_slope(low, high, to_ball(0))
    for x in np.linspace(0.2, 30, 50):
        value = (1 - math.tanh(x) / x) * (1 + 1 / x**2)
        assert found.lower() <= value <= found.upper()
    whole = normalised_slope(to_ball(0), low.pos_inf(), to_ball(0))
    assert whole > 0 and whole.contains(to_ball(1) / 3) and whole.contains(to_ball(1))
    assert not normalised_slope(to_ball(0), high, to_ball("-1/10")) > 0


def exact_over_promised(epsilon, w):
    """Both sides of the classical formula divided by delta = 5/4 e^(-1/(2 w^2))."""
    return mechanisms.classical_formula_for_every_budget(epsilon, None, w=w)


@pytest.mark.parametrize(("epsilon", "w"), [(0.5, 0.3), (2.9, 1.49), (1.0, 0.05)])
def test_the_scaled_form_of_the_classical_delta_is_the_exact_curve(epsilon, w):
    with mpmath.workdps(60):
        delta = mpmath.mpf(5) / 4 * mpmath.exp(-1 / (2 * mpmath.mpf(w) ** 2))
        mu = mpmath.mpf(epsilon) * mpmath.mpf(w)
        shift = epsilon / mu
        exact = mpmath.ncdf(mu / 2 - shift) - mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - shift)
        ratio = float(exact / delta)
    left, _, right = exact_over_promised(to_ball(epsilon), to_ball(w))
    assert float(left) == pytest.approx(ratio, rel=1e-9) and right == 1


def test_the_scaled_form_covers_all_points_of_a_box():
    box = exact_over_promised(to_ball(1).union(to_ball(2)), to_ball("1/4").union(to_ball("1/2")))[0]
    for epsilon, w in product((1, 1.5, 2), (0.25, 0.3, 0.5)):
        assert box.contains(exact_over_promised(to_ball(epsilon), to_ball(w))[0])
    unbounded = exact_over_promised(to_ball(1), to_ball(0).union(to_ball("1/2")))[0]
    assert unbounded.is_finite() and unbounded < 1


def test_the_classical_formula_is_short_of_noise_at_a_budget_of_ten():
    sigma = math.sqrt(2 * math.log(1.25e5)) / 10
    excess = stats.norm.sf(10 * sigma - 0.5 / sigma) - math.exp(10) * stats.norm.sf(10 * sigma + 0.5 / sigma)
    left, _, right = mechanisms.classical_formula_for_every_budget(to_ball(10), to_ball("1/100000"), to_ball("5/4"))
    assert float(left) == pytest.approx(excess / 1e-5, rel=1e-9) and right == 1 and excess > 2e-5


@pytest.mark.parametrize(
    ("ratio", "delta", "size"), [(20, "1/1000", 2), (20, "1/10", 2), (2, "1/10", 6), (1, "1/3", 4)]
)
def test_the_worst_chain_is_private_in_both_directions_and_no_larger_one_is(ratio, delta, size):
    ratio, delta = Fraction(ratio), Fraction(delta)

    def chain(chances):
        laws = {
            bits: {"yes": chances[sum(bits)], "no": 1 - chances[sum(bits)]} for bits in product((0, 1), repeat=size)
        }
        return FiniteChannel(size, (0, 1), laws)

    chances = [groups.most_of_an_event(ratio, delta, k) for k in range(size + 1)]
    assert channel_delta(chain(chances), ratio).value <= delta
    more = [*chances[:-1], chances[-1] + (1 - chances[-1]) / 10**6]
    assert chances[-1] == 1 or channel_delta(chain(more), ratio).value > delta
    if (ratio, size) == (20, 2) and delta < Fraction(1, 21):
        assert chances[-1] == Fraction(21, 1000)


def test_products_of_events_are_searched_completely(relation):
    """The best rectangle of the diagonal law, by brute force over all pairs of events."""
    for size, ratio in [(2, Fraction(1)), (3, Fraction(3, 2))]:
        _, _, found = relation("TH-L2.10/product-events")(size, ratio)
        best = Fraction(0)
        for rows, columns in product(range(1 << size), repeat=2):
            p = Fraction((rows & columns).bit_count(), size)
            best = max(best, p - ratio * Fraction(rows.bit_count() * columns.bit_count(), size * size))
        assert found == best


def test_randomised_response_always_shows_its_full_loss():
    channel = randomised_response(Fraction(4))
    assert loss.chance_of_loss_above(channel, Fraction(3)) == 1
    assert loss.chance_of_loss_above(channel, Fraction(4)) == 0
    assert channel_delta(channel, Fraction(3)).value == Fraction(1, 5)


@pytest.mark.parametrize(
    ("moment", "variance"), [(mechanisms.laplace_moment, 2 * 0.49), (mechanisms.normal_moment, 0.49)]
)
def test_moments_of_the_noise(moment, variance):
    scale = Fraction(7, 10)
    assert float(moment(0, scale)) == pytest.approx(1, abs=1e-14)
    assert float(moment(2, scale)) == pytest.approx(variance, abs=1e-14)


def test_the_error_of_gaussian_noise_grows_with_the_root_of_the_logarithm():
    """Simulated root mean squares at two deltas differ by the root of the ratio of logarithms."""
    errors = []
    for delta in (1e-2, 1e-8):
        variance = 2 * 3 / (0.5 * 10) ** 2 * math.log(1.25 / delta)
        draws = np.random.default_rng(0).normal(0, math.sqrt(variance), size=(40_000, 3))
        errors.append(math.sqrt((draws**2).sum(axis=1).mean()))
        squared = float(mechanisms.exact_gaussian_error(10, 3, to_ball("1/2"), to_ball(delta), 1)[0])
        assert errors[-1] == pytest.approx(math.sqrt(squared), rel=0.01)
    assert errors[1] / errors[0] == pytest.approx(math.sqrt(math.log(1.25e8) / math.log(1.25e2)), rel=0.01)


@pytest.mark.parametrize("T", [1, 2, 3, 6, 8])
def test_noisy_values_of_the_tree_and_their_change(T):
    nodes = privacy.tree_nodes(T)
    size = 1 << math.ceil(math.log2(T))
    assert len(nodes) == len(set(nodes)) == 2 * size - 1
    above = sum(i <= 0 < j for i, j in nodes)
    assert counting.change_of_releases(T, "binary tree") == above == math.ceil(math.log2(T)) + 1
    assert privacy.p_sums_with(1, above - 1) == above
    assert counting.change_of_releases(T, "noise per bit") == 1
    assert counting.change_of_releases(T, "fresh noise per sum") == T


def test_the_nodes_that_hold_a_step_are_those_of_the_list_of_nodes():
    for levels, step in ((3, 1), (3, 6), (4, 16)):
        listed = sum(i < step <= j for i, j in privacy.tree_nodes(2**levels))
        assert privacy.p_sums_with(step, levels) == listed == levels + 1


def test_single_draws_show_which_answers_they_enter():
    rows, exact = counting.noise_matrix("noise per bit", 4, 0.5)
    assert np.array_equal(rows, 2 * np.triu(np.ones((4, 4)))) and exact.tolist() == [1, 2, 3, 4]


def test_the_tail_of_the_tree_is_a_simulated_one(relation):
    runs = 200_000
    noise = np.random.default_rng(1).laplace(scale=4, size=(runs, 3)).sum(axis=1)
    reach = 4 * 3**1.5 * 0.5
    seen = (np.abs(noise) >= reach).mean()
    exact = float(relation("TH-A2.BT/high-probability")(3, Fraction(1, 2))[0])
    assert abs(seen - exact) <= 5 * math.sqrt(exact / runs)


@pytest.mark.parametrize("records, values, root", [(1, 2, Fraction(2)), (3, 2, Fraction(3, 2)), (3, 3, Fraction(5))])
def test_the_odds_of_the_exponential_mechanism_are_those_of_its_laws(records, values, root):
    """The largest over all data sets and changes of a record is that of the mechanism, whose weights are listed."""
    laws, odds = {}, []
    for data in product(range(values), repeat=records):
        weights = [root ** data.count(o) for o in range(values)]
        laws[data] = {o: w / sum(weights) for o, w in enumerate(weights)}
        for old, new in permutations(range(values), 2):
            if old in data:
                others = sum(weights) - weights[old] - weights[new]
                odds.append(mechanisms.odds_of_an_output(data.count(old), data.count(new), others, root))
    assert max(odds) == channel_ratio(FiniteChannel(records, tuple(range(values)), laws)).value


def test_the_largest_difference_of_bits_is_that_of_all_pairs():
    for k in (1, 3):
        pairs = product(product((0, 1), repeat=k), repeat=2)
        assert mechanisms.largest_difference(k) == max(
            sum(abs(a - b) for a, b in zip(*two, strict=True)) for two in pairs
        )
