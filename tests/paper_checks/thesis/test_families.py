"""What the thesis' claims on families and regret bounds are checked with, against computations of another kind."""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy import stats

from banditproof.paper_checks.thesis.app_b_proofs.b1_regret import event_as_printed
from banditproof.paper_checks.thesis.ch2_bandits.s2_2_4_subgaussian import gaussian_tails
from banditproof.paper_checks.thesis.ch2_bandits.s2_2_5_anytime import level
from banditproof.paper_checks.thesis.ch2_bandits.s2_2_6_lower_bounds import strict_in_finite_classes
from banditproof.paper_checks.thesis.ch4_lower_bounds.s4_3_1_instance import lowest_mass
from banditproof.paper_checks.thesis.facts import changed_arm
from banditproof.theory import InvalidInput, to_ball
from banditproof.theory.laws.bernoulli_quotients import cumulant_over_square, square_over_kl, variance_between
from banditproof.theory.numbers.balls import ball_between
from banditproof.verify.proof.compare import evaluate

F = Fraction


def kl(p, q):
    p, q = mpmath.mpf(p), mpmath.mpf(q)
    return sum(a * mpmath.log(a / b) for a, b in ((p, q), (1 - p, 1 - q)) if a)


# --------------------------------------------------------------------------------------------------------- curvature


@pytest.mark.parametrize(("p", "q"), [(0.25, 0.5), (0.5, 0.51), (0.0, 0.125), (0.75, 0.25)])
def test_the_square_over_kl_is_what_it_says_at_points(p, q):
    value = square_over_kl(to_ball(p), to_ball(q))
    assert float(value.mid()) == pytest.approx(float((mpmath.mpf(p) - q) ** 2 / kl(p, q)), rel=1e-12)


@pytest.mark.parametrize(
    ("low", "high"), [(F(1, 4), F(3, 8)), (F(1, 4), F(3, 4)), (F(7, 16), F(9, 16)), (F(3, 4), F(1))]
)
def test_on_boxes_around_the_diagonal_it_encloses_all_quotients(low, high):
    box = ball_between(low, high)
    enclosure = square_over_kl(box, box)
    points = np.linspace(float(low) + 1e-3, float(high) - 1e-3, 9)
    for p, q in itertools.permutations(points, 2):
        assert enclosure.contains(to_ball(float((p - q) ** 2 / kl(p, q))))
    assert enclosure <= 0.5  # exactly, although it is attained


@pytest.mark.parametrize(("p", "lam"), [(0.5, 1.0), (0.25, -3.0), (0.0, 2.0), (1.0, -2.0), (0.125, 0.01)])
def test_the_cumulant_over_the_square_is_what_it_says_at_points(p, lam):
    expected = (mpmath.log(1 - p + p * mpmath.exp(lam)) - p * mpmath.mpf(lam)) / mpmath.mpf(lam) ** 2
    value = cumulant_over_square(to_ball(p), to_ball(lam))
    assert float(value.mid()) == pytest.approx(float(expected), rel=1e-9, abs=1e-15)


def test_on_boxes_around_zero_the_cumulant_encloses_all_quotients():
    enclosure = cumulant_over_square(ball_between(F(1, 4), F(1, 2)), ball_between(F(-1), F(1)))
    for p, lam in itertools.product(np.linspace(0.25, 0.5, 6), (-0.99, -0.5, 0.25, 0.99)):
        value = (math.log(1 - p + p * math.exp(lam)) - p * lam) / lam**2
        assert enclosure.contains(to_ball(value))
    assert enclosure <= 0.125


def test_the_variance_range_does_not_leak():
    wide = variance_between(to_ball(0).union(to_ball(1)), to_ball(F(1, 3)), F(1))
    assert wide >= 0 and wide <= 0.25
    narrow = variance_between(to_ball(F(1, 8)), to_ball(F(1, 4)), F(2))
    assert narrow.contains(to_ball(F(7, 32))) and narrow.contains(to_ball(F(3, 8)))


# ------------------------------------------------------------------------------------------------- subgaussian tails


def test_tails_of_gaussians_are_those_of_scipy():
    left, _, _ = evaluate(gaussian_tails, {"epsilon": F(3), "sigma": F(2)}, {"half": F(1, 2)})
    assert float(left.mid()) == pytest.approx(stats.norm(0, 2).sf(3), rel=1e-12)


# ----------------------------------------------------------------------------------------------------------- families


def test_levels_of_the_index_are_log_f_over_n(relation):
    assert float(level(100, 7, 1).mid()) == pytest.approx(math.log(1 + 100 * math.log(100) ** 2) / 7)
    assert level(1, 3, 1) == 0
    left, _, right = relation("TH-T2.26/exploration")(to_ball(2))
    t = math.exp(2)
    assert float(left.mid()) == pytest.approx((1 + t * 4) / (t * 4)) and float(right.mid()) == 2


def test_strict_and_weak_infima_come_from_the_next_and_the_same_member():
    strictly, _, weakly = strict_in_finite_classes(["1/4", "1/2", "3/4"], "kl", F(1, 100))
    assert float(strictly) == pytest.approx(float(kl(0.25, 0.75))) and float(weakly) == pytest.approx(
        float(kl(0.25, 0.5))
    )


def test_the_slope_of_the_normal_total_variation_is_a_difference_quotient(relation):
    left, _, right = relation("TH-D4.TV/gaussian")(to_ball(F(3, 2)))
    quotient = (stats.norm.cdf(0.75 + 1e-6) - stats.norm.cdf(0.75 - 1e-6)) / 2e-6
    assert float(left.mid()) == pytest.approx(quotient, rel=1e-8) and float(right.mid()) == pytest.approx(
        quotient, rel=1e-8
    )


def test_moving_the_lowest_mass_is_exact():
    attained, _, closed = lowest_mass([["0", "1/2", "1"], ["1/2", "1/4", "1/4"]], F(1, 10))
    assert attained == closed == F(1, 10)
    with pytest.raises(InvalidInput, match="gap must be"):
        lowest_mass([["0", "1/2"], ["1/100", "99/100"]], F(1, 10))


# ------------------------------------------------------------------------------------------------------ two bandits


def by_hand(policy, bandits):
    """Laws of the actions of a response policy by a walk over all histories, written out independently."""
    _, ratio, horizon, arms = policy
    stay = F(ratio) / (1 + F(ratio))
    laws = {(): F(1)}
    for t in range(horizon):
        after = {}
        for history, weight in laws.items():
            for arm in range(arms):
                if t == 0:
                    chance = F(1, arms)
                else:
                    kept = stay if history[-1][1] == 1 else 1 - stay
                    chance = kept if arm == history[-1][0] else (1 - kept) / (arms - 1)
                for reward, p in zip((F(0), F(1, 2), F(1)), bandits[arm], strict=True):
                    key = (*history, (arm, reward))
                    after[key] = after.get(key, 0) + weight * chance * F(p)
        laws = after
    actions = {}
    for history, weight in laws.items():
        key = tuple(arm for arm, _ in history)
        actions[key] = actions.get(key, 0) + weight
    return actions


@pytest.mark.parametrize("bandits", [changed_arm.TWO_ARMS[1], changed_arm.THREE_ARMS[0]])
def test_a_pair_of_bandits_gives_the_enumerated_laws_regrets_and_counts(bandits):
    arms, changed, law = bandits
    policy = ["response", 9, 2, len(arms)]
    both = changed_arm.pair(policy, bandits)
    other = [*arms[: changed - 1], law, *arms[changed:]]
    for found, bandit, regret in ((both.first, arms, both.regrets[0]), (both.second, other, both.regrets[1])):
        expected = by_hand(policy, bandit)
        assert {a: p for a, p in found.items() if p} == {a: p for a, p in expected.items() if p}
        means = [F(arm[1]) / 2 + F(arm[2]) for arm in bandit]
        assert regret == sum(p * sum(max(means) - means[a] for a in actions) for actions, p in expected.items())
    assert both.pulls == sum(p * a.count(changed - 1) for a, p in both.first.items())


def test_the_printed_event_fails_where_the_changed_arm_is_not_pulled():
    left, operator, right = event_as_printed(["only", 2, 1, 3], changed_arm.THREE_ARMS[1])
    # regrets 1/20 and 1/10 of always playing arm 2; half the gap 1/2 of arm 3, which is never pulled
    assert (left, operator, right) == (F(3, 20), ">=", F(1, 4))


def test_bandits_whose_changed_arm_does_not_become_best_are_refused():
    with pytest.raises(InvalidInput, match="bandits must be"):
        changed_arm.pair(["only", 1, 1, 2], [[["0", "0", "1"], ["1", "0", "0"]], 2, ["1/2", "0", "1/2"]])
    with pytest.raises(InvalidInput, match="law must be"):
        changed_arm.pair(["only", 1, 1, 2], [[["0", "1"], ["1", "0", "0"]], 2, ["0", "0", "1"]])


# ------------------------------------------------------------------------------------------------------------ regimes


def test_the_two_step_change_is_cheaper_at_the_printed_threshold(relation):
    """At mu_a = 1/2, mu* = 3/4, epsilon = 3/5 the printed regime is the low one: kl <= epsilon Delta."""
    divergence = kl(0.5, 0.75)
    assert divergence <= mpmath.mpf("0.6") * mpmath.mpf("0.25")
    grid = np.linspace(0.5, 0.75, 2001)
    cheapest = min(mpmath.mpf("0.6") * (z - 0.5) + kl(z, 0.75) for z in grid)
    left, _, right = relation("TH-S4.16c/same-achievable-regret")(to_ball(F(1, 2)), to_ball(F(3, 4)), to_ball(F(3, 5)))
    assert float(left.mid()) == pytest.approx(float(divergence), rel=1e-12)
    assert float(right.mid()) == pytest.approx(float(cheapest), abs=1e-6) and cheapest < divergence


def test_the_gaussian_threshold_tends_to_its_limit(relation):
    value, _, _ = relation("TH-S4.16c/gaussian")(to_ball(F(1, 10**6)))
    assert float(value.mid()) == pytest.approx(1 / math.sqrt(2 * math.pi), rel=1e-9)
    value, _, _ = relation("TH-S4.16c/gaussian")(to_ball(2))
    assert float(value.mid()) == pytest.approx((2 * stats.norm.cdf(1) - 1) / 2, rel=1e-12)
