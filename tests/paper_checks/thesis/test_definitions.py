"""Oracles of the checks on the four definitions, by routes of their own."""

from fractions import Fraction as F
from itertools import product
from math import exp, log

import numpy as np
import pytest

from banditproof.paper_checks.shared.policies import table_mechanism_of_post_processed
from banditproof.paper_checks.thesis import app_a_definitions
from banditproof.paper_checks.thesis.ch3_definitions import s3_6_table_and_view, s3_7_threat_models
from banditproof.paper_checks.thesis.facts.privacy import WORD
from banditproof.verify.finite.kernels import FiniteKernel, randomised_response_kernel

SECOND = {0: 1 / 2, 1: 1 / 3, 2: 1 / 4, 3: 1 / 3}
THIRD = dict(
    enumerate([1 / 2, 1 / 3, 1 / 4, 1 / 5, 1 / 2, 2 / 3, 1 / 4, 0, 1 / 3, 1 / 7, 3 / 4, 2 / 5, 1 / 2, 1, 1 / 4, 2 / 3])
)


def floating_law(reward_of):
    """The law of the printed policy in floats; reward_of(t, arm) is the reward of step t."""
    law = np.zeros((2, 2, 2))
    for a, b, c in np.ndindex(2, 2, 2):
        one = 2 * a + reward_of(0, a)
        two = 4 * one + 2 * b + reward_of(1, b)
        first = (2 / 3, 1 / 3)[a]
        law[a, b, c] = first * (SECOND[one] if b == 0 else 1 - SECOND[one]) * (THIRD[two] if c == 0 else 1 - THIRD[two])
    return law.ravel()


def smallest_epsilon(laws, rows_apart, delta):
    """The smallest epsilon over all pairs of neighbours and all 256 events, in floats."""
    events = np.array(list(product((0, 1), repeat=8)))
    worst = 0.0
    for (x, p), (y, q) in product(laws.items(), repeat=2):
        if rows_apart(x, y) == 1:
            left, right = events @ p, events @ q
            with np.errstate(divide="ignore", invalid="ignore"):
                needed = np.where(left > delta + 1e-12, np.log((left - delta) / right), -np.inf)
            worst = max(worst, float(np.nanmax(needed)))
    return worst


def test_the_smallest_epsilons_of_the_printed_policy_match_a_search_in_floats():
    lists = {r: floating_law(lambda t, arm, r=r: r[t]) for r in product((0, 1), repeat=2)}
    tables = {x: floating_law(lambda t, arm, x=x: x[t][arm]) for x in product(product((0, 1), repeat=2), repeat=2)}

    def apart(x, y):
        return sum(a != b for a, b in zip(x, y, strict=True))

    for notion, laws, exact in (("view", lists, F(3597, 1400)), ("table", tables, F(4347, 1625))):
        excesses = app_a_definitions.excesses(notion)
        found = max((left - F(17, 100)) / right for left, right in excesses if right)
        assert found == exact
        assert smallest_epsilon(laws, apart, 0.17) == pytest.approx(log(found), abs=1e-12)
    assert log(3597 / 1400) < 0.95 < log(4347 / 1625) and 2.6643 < exp(0.98) < 4347 / 1625


def test_the_printed_rows_are_read_as_the_worked_examples_say():
    kernel = app_a_definitions.printed_policy()
    assert kernel.probability(((1, 0),)) == (F(1, 4), F(3, 4))
    assert kernel.probability(((0, 1), (1, 1))) == (0, 1)
    assert kernel.probability(((1, 1), (0, 1))) == (1, 0)


def test_the_factor_between_lists_and_tables_is_not_smaller_than_k_to_the_t_minus_one():
    point = {"T": 3, "K": 2, "policy": WORD, "ratio": F(3)}
    left, _, right = s3_6_table_and_view.sharp_loss(**point)
    assert left == right == F(1, 3)


def test_a_decision_of_randomised_response_has_the_ratio_of_its_response():
    assert s3_7_threat_models.instantaneous_ratio(randomised_response_kernel(3, 2, F(5))) == 5
    blind = FiniteKernel(3, 2, (0, 1), lambda history: (F(1, 2), F(1, 2)))
    assert s3_7_threat_models.instantaneous_ratio(blind) == 1


def test_the_actions_of_the_contextual_policy_are_a_law():
    law = s3_7_threat_models.contextual_law(((0, 1), (1, 1), (1, 0)), F(3))
    # contexts 0, 1, 1; secrets 0, 0^1, 1^1: the likeliest actions are 0, 0, 1
    assert sum(law.values()) == 1 and max(law, key=law.__getitem__) == (0, 0, 1)
    assert law[0, 0, 1] == F(27, 64)


def test_the_views_of_the_two_readings_of_remark_3_6_differ_for_one_policy_and_adversary():
    outcomes = [table_mechanism_of_post_processed(2, 2, seed)[0] for seed in range(8)]
    assert min(outcomes) == 0 < max(outcomes)
