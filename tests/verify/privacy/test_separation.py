"""Policies that separate the definitions: their gaps, recomputed by hand and by brute force."""

from dataclasses import replace
from fractions import Fraction as F
from itertools import product

import pytest

from banditproof.verify.privacy.enumeration import acr_delta_over_adversaries, table_delta, view_delta
from banditproof.verify.privacy.policy_privacy import largest_delta
from banditproof.verify.privacy.separation import (
    MATCHED,
    matched_answer_kernel,
    off_path_kernel,
    own_scale_kernel,
    prefix_code_kernel,
    read_off_kernel,
    secret_word_kernel,
    separation,
)


@pytest.mark.parametrize(("horizon", "arms"), [(2, 2), (3, 2), (2, 3), (4, 2)])
def test_a_secret_word_is_seen_by_tables_and_hidden_from_lists(horizon, arms):
    gap = separation(secret_word_kernel(horizon, arms, F(1, 2)), "table", "view", F(2))
    assert gap.gap == arms ** (horizon - 1) and gap.recheck()


def test_the_gap_between_lists_and_tables_is_the_same_at_every_epsilon_with_own_rewards():
    kernel = own_scale_kernel(2, F(2, 3))
    for ratio in (F(1), F(11, 10), F(40)):
        assert table_delta(kernel, ratio).delta == F(2, 3)
        assert view_delta(kernel, ratio).delta == F(1, 3)


def test_a_tree_names_every_word_and_a_table_one():
    kernel = prefix_code_kernel(3, 2, F(1, 2))
    assert acr_delta_over_adversaries(kernel, F(2)).delta == F(1, 2)
    assert table_delta(kernel, F(2)).delta == F(1, 4)


def test_an_arm_that_is_hardly_played_can_be_asked_for():
    assert separation(off_path_kernel(F(1, 1000)), "interactive", "table", F(3)).gap == 1000


def interactive_delta_by_hand(kernel):
    """delta at epsilon = 0 over all answers (query, reward) of the prefixes that matter, tables being consistent.

    Step 3 is arm 0 and the policy ignores the first query and the second reward, so an adversary is a choice of the
    second query per (a_1, a_2) and of the third per (a_1, a_2), and a table matters in row 1 and row 3.
    """
    prefixes = list(product((0, 1), repeat=2))
    worst = F(0)
    for second, third in product(product((0, 1), repeat=4), repeat=2):
        laws = {}
        for r1, row in product((0, 1), product((0, 1), repeat=2)):
            law = {}
            for (prefix, q2, q3), last in product(zip(prefixes, second, third, strict=True), (0, 1)):
                told = ((0, r1), (q2, 0), (q3, row[q3]))
                p = kernel.probability(())[prefix[0]] * kernel.probability(told[:1])[prefix[1]]
                law[(*prefix, last)] = p * kernel.probability(told)[last]
            laws[r1, row] = law
        for (x, p), (y, q) in product(laws.items(), repeat=2):
            if (x[0] != y[0]) + (x[1] != y[1]) == 1:
                worst = max(worst, sum(max(F(0), p[a] - q[a]) for a in p))
    return worst


def test_adaptive_release_can_see_more_than_the_interaction():
    kernel = matched_answer_kernel()
    assert interactive_delta_by_hand(kernel) == F(2, 3)
    assert largest_delta(kernel, "interactive", F(1)).excess(F(1)) == F(2, 3)
    # by hand: 3/4 - 1/4 from the second action, then 3/4 * 0 + 1/4 * 2/3 more on each branch of the tree
    witness = largest_delta(kernel, "acr", F(1))
    assert witness.excess(F(1)) == F(1, 2) + 2 * F(1, 4) * F(2, 3) == F(5, 6) and witness.holds(kernel)


def test_paying_by_the_arm_played_and_by_the_arm_asked_for_separate_both_ways():
    deltas = {
        (horizon, notion): largest_delta(read_off_kernel(horizon), notion, F(1)).excess(F(1))
        for horizon in (3, 4)
        for notion in ("interactive", "post-processed")
    }
    assert deltas[3, "interactive"] == deltas[4, "post-processed"] == F(2, 3)
    assert deltas[3, "post-processed"] == deltas[4, "interactive"] == F(5, 6)


def test_a_gap_with_another_witness_does_not_recheck():
    gap = separation(matched_answer_kernel(MATCHED), "acr", "interactive", F(1))
    wrong = replace(gap, narrow=replace(gap.narrow, left=gap.narrow.left / 2))
    weaker = replace(gap, wide=gap.narrow, kernel=matched_answer_kernel((F(1, 2), *MATCHED[1:])))
    assert gap.recheck() and not wrong.recheck() and not weaker.recheck()
