"""What the strategies draw is in range, is often at an edge, and shrinks to something small."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from banditproof.theory import Budget
from banditproof.theory.privacy.budget import KINDS
from banditproof.verify.testing.strategies import (
    action_sets,
    bandit_instances,
    budgets,
    loss_sequences,
    neighbouring_rewards,
    reward_tables,
    rewards,
)

QUICK = settings(max_examples=100, derandomize=True, deadline=None, database=None)
SMALLEST = settings(QUICK, phases=[Phase.generate, Phase.shrink])  # nobody reads which parts might be anything else
SIZES = st.tuples(st.integers(1, 4), st.integers(0, 3)).map(lambda ends: (ends[0], sum(ends)))


def drawn(strategy, count=100):
    found = []

    @settings(max_examples=count, derandomize=True, deadline=None, database=None)
    @given(strategy)
    def collect(value):
        found.append(value)

    collect()
    return found


def share(strategy, event):
    values = drawn(strategy)
    return sum(map(event, values)) / len(values)


def smallest(strategy, condition=lambda value: True):
    return find(strategy, condition, settings=SMALLEST)


@QUICK
@given(SIZES.flatmap(lambda arms: st.tuples(st.just(arms), bandit_instances(arms, unique_best=True))))
def test_a_unique_best_arm_is_unique(drawn):
    (least, most), bandit = drawn
    assert least <= bandit.arms <= most and (bandit.means == bandit.means.max()).sum() == 1


@QUICK
@given(bandit_instances(low=0.25, high=0.75))
def test_means_stay_in_their_range(bandit):
    assert (bandit.means >= 0.25).all() and (bandit.means <= 0.75).all()


@QUICK
@given(bandit_instances(low=0.5, high=np.nextafter(0.5, 1), unique_best=True))
def test_even_two_neighbouring_floats_leave_room_for_a_best_arm(bandit):
    assert (bandit.means == bandit.means.max()).sum() == 1


def second_gap(bandit):
    one, two = np.sort(bandit.means)[-1:-3:-1]
    return one - two


def test_instances_are_often_at_the_edges():
    assert share(bandit_instances(), lambda bandit: bool({0.0, 1.0} & {*bandit.means.tolist()})) > 0.3
    assert share(bandit_instances(), lambda bandit: second_gap(bandit) == 0) > 0.1
    assert share(bandit_instances(unique_best=True), lambda bandit: second_gap(bandit) < 1e-8) > 0.2


def test_an_instance_shrinks_to_two_arms_with_round_means():
    assert smallest(bandit_instances()).means.tolist() == [0.0, 0.0]
    assert smallest(bandit_instances(), lambda bandit: second_gap(bandit) > 0.3).means.tolist() == [0.0, 1.0]


@QUICK
@given(SIZES.flatmap(lambda horizon: st.tuples(st.just(horizon), neighbouring_rewards(horizon))))
def test_neighbours_differ_in_one_reward(drawn):
    (least, most), (first, second) = drawn
    assert least <= len(first) == len(second) <= most and all(0 <= r <= 1 for r in first + second)
    assert sum(r != s for r, s in zip(first, second, strict=True)) == 1


def test_neighbours_are_often_far_apart_and_shrink_to_zero_and_one():
    assert share(neighbouring_rewards(), lambda pair: np.abs(np.subtract(*pair)).max() >= 0.5) > 0.5
    assert smallest(neighbouring_rewards()) == ([0.0], [1.0])


@QUICK
@given(st.tuples(SIZES, SIZES).flatmap(lambda r: st.tuples(st.just(r), reward_tables(*r) | loss_sequences(*r))))
def test_tables_have_a_row_per_time_and_a_column_per_arm(drawn):
    (arms, horizon), table = drawn
    rows, columns = np.shape(table)
    assert horizon[0] <= rows <= horizon[1] and arms[0] <= columns <= arms[1]
    assert np.min(table) >= 0 and np.max(table) <= 1


def test_tables_shrink_to_one_zero():
    assert smallest(reward_tables()) == [[0.0]] and smallest(loss_sequences()) == [[0.0, 0.0]]


def test_losses_repeat_alternate_and_change_once():
    sequences = [np.array(losses) for losses in drawn(loss_sequences((2, 2), (8, 8)))]
    changes = [tuple((losses[1:] != losses[:-1]).any(axis=1).tolist()) for losses in sequences]
    for pattern in (7 * (False,), 7 * (True,), (False, False, False, True, False, False, False)):
        assert changes.count(pattern) > 0.03 * len(changes)


@QUICK
@given(st.tuples(SIZES, st.integers(1, 3)).flatmap(lambda s: action_sets((s[0][0], s[0][1] + 3), (1, s[1]))))
def test_actions_span_and_differ(actions):
    exact = np.array(actions)
    assert len({tuple(row) for row in actions}) == len(actions) and exact.any(axis=1).all()
    assert np.abs(exact).max() <= 1 and full_rank(actions)


def full_rank(actions):
    from sympy import Matrix, Rational

    return Matrix([[Rational(entry) for entry in row] for row in actions]).rank() == len(actions[0])


def test_some_actions_nearly_repeat_and_sets_shrink_to_one():
    def nearly(actions):
        distances = np.abs(np.array(actions)[:, None] - np.array(actions)).max(axis=2)
        return (distances[~np.eye(len(actions), dtype=bool)] < 1e-2).any()

    assert share(action_sets(), nearly) > 0.1
    assert smallest(action_sets()) == [[1.0]]
    assert smallest(action_sets(dimension=(2, 2))) == [[1.0, 0.0], [0.0, 1.0]]
    assert any(
        len(actions) > 1 and np.linalg.matrix_rank(actions) == 1
        for actions in drawn(action_sets((2, 2), (2, 2), spanning=False))
    )


@pytest.mark.parametrize("kind", KINDS)
def test_budgets_of_every_kind_are_often_at_the_edges_and_shrink_to_one(kind):
    sizes = [budget.spent for budget in drawn(budgets([kind]))]
    most = min(1e9, KINDS[kind].ranges[KINDS[kind].amount].high)
    assert min(sizes) == 1e-9 and max(sizes) == most
    assert all(sum(near) > len(sizes) / 8 for near in zip(*((s < 1e-3, s > most / 1e6) for s in sizes), strict=True))
    least = smallest(budgets([kind]))
    assert least.kind == kind and least.spent == 1.0


def test_a_budget_may_be_no_privacy_at_all():
    assert Budget.pure(np.inf) in drawn(budgets(["pure"], most=np.inf))
    assert drawn(budgets(["zcdp"], least=np.inf, most=np.inf))[0] == Budget.zcdp(np.inf)


def test_rewards_shrink_to_the_lower_end():
    assert smallest(rewards(0.25, 0.5)) == 0.25


def test_without_hypothesis_the_error_says_what_to_install():
    program = "import sys; sys.modules['hypothesis'] = None; import banditproof.verify.testing.strategies"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode and "needs hypothesis: pip install hypothesis" in done.stderr.splitlines()[-1]
