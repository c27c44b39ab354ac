"""The relations of the proof's steps against independent evaluations."""

from fractions import Fraction
from itertools import product

import mpmath
import pytest

from banditproof.claims.check import Check
from banditproof.claims.sets import domain_of
from banditproof.paper_checks.bernoulli_dp.facts.divergence import INNER, SETTING, few_outside_l, on_policies, points
from banditproof.paper_checks.bernoulli_dp.section_3.s3_proof import coupled_run_keeps_the_actions, markov, three_events
from banditproof.verify import holds, view_law
from banditproof.verify.privacy.named_policies import policy_named
from banditproof.verify.proof.domain import uncovered

POLICY = ["random", 2, 3, 2]


def pulls_by_reward_lists(policy, mu_1, mu):
    """The law of the number of pulls of arm 1 from the view laws, which fix the rewards of all steps beforehand."""
    kernel = policy_named(policy)
    law = {}
    for rewards in product((0, 1), repeat=kernel.horizon):
        for actions, weight in view_law(kernel, rewards).items():
            for arm, reward in zip(actions, rewards, strict=True):
                mean = mu if arm == 1 else mu_1
                weight *= mean if reward else 1 - mean
            law[sum(actions)] = law.get(sum(actions), 0) + weight
    return law


def test_the_coupled_environment_keeps_the_law_of_the_actions():
    mu_2, mu_2_prime, mu_1 = Fraction(1, 5), Fraction(1, 2), Fraction(3, 5)
    expected = pulls_by_reward_lists(POLICY, mu_1, mu_2)
    for n_2 in range(4):
        coupled, _, direct = coupled_run_keeps_the_actions(POLICY, n_2, mu_2, mu_2_prime, mu_1)
        assert coupled == direct == sum(w for pulls, w in expected.items() if pulls <= n_2)


def test_the_three_events_add_up_to_the_probability_of_few_pulls():
    mu_2, mu_2_prime, mu_1, mu_2_alt = (Fraction(m) for m in INNER[1])
    law = pulls_by_reward_lists(POLICY, mu_1, mu_2)
    setting = (POLICY, Fraction(1, 4), 1, mu_2, mu_2_prime, mu_1, mu_2_alt)
    left, _, right = three_events(*setting)
    assert left == right == law.get(0, 0) + law.get(1, 0)
    assert few_outside_l(*setting[:-1]) > 0  # the rewards may differ often here


def test_the_mean_number_of_pulls_and_its_tail_come_from_one_law():
    law = pulls_by_reward_lists(POLICY, Fraction(1, 2), Fraction(1, 5))
    mean, _, tail = markov(POLICY, 1, Fraction(1, 5), Fraction(1, 2))
    assert mean == sum(k * w for k, w in law.items())
    assert tail == sum(w for k, w in law.items() if k > 1)


@pytest.mark.parametrize(("alpha", "grows"), [("99/100", True), ("1", False), ("3/2", False)])
def test_the_count_grows_with_the_horizon_exactly_for_slack_below_one(relation, alpha, grows):
    counts = [(1 - mpmath.mpf(Fraction(alpha).numerator) / Fraction(alpha).denominator) * log_t for log_t in (10, 1000)]
    assert (counts[1] > counts[0] > 0) == grows == holds(*relation("BDP-S3.5/step-4-count-diverges")(Fraction(alpha)))


def test_the_price_of_a_farther_alternative_is_a_difference_of_kl(relation):
    z, t, u = (mpmath.mpf(k) / 10 for k in (2, 6, 7))
    price, other = (z * mpmath.log(z / y) + (1 - z) * mpmath.log((1 - z) / (1 - y)) for y in (t, u))
    left, _, right = relation("BDP-S3.5/step-4-limit-below-one")(z, t, u)
    assert mpmath.almosteq(left, other - price, rel_eps=1e-8)
    assert mpmath.almosteq(right, mpmath.log((1 - t) / (1 - u)))


def test_listed_points_cover_themselves_only():
    over, whole = points(INNER[:2], seeds=1), domain_of(three_events, SETTING)
    check = Check("BDP-S3.5/step-2-decomposition", whole, {})
    assert on_policies(over)(check, three_events)
    (evidence,) = check.evidence
    assert evidence.count == len(over)
    assert uncovered(whole, [evidence.covers]) is not None
