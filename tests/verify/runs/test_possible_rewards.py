"""Which rewards there are: what may be said, and what the privacy check makes of it."""

import json

import numpy as np
import pytest

from banditproof.algorithms import Policy
from banditproof.theory import Budget, InvalidInput
from banditproof.verify import assert_private, check_privacy, replayed
from banditproof.verify.runs.alignment import reward_list, reward_table
from banditproof.verify.runs.possible_rewards import UNIT, PossibleRewards
from banditproof.verify.testing.kept import tried_first

ONE = Budget.pure(1.0)
BITS = {0, 1}


class Counting(Policy):
    """Batches of eight pulls of the arm with the largest noisy mean; what is released is made by `value`."""

    def __init__(self, noise, mechanism="discrete_laplace", value=lambda total: total, sensitivity=1):
        super().__init__(3)
        self.release, self.value, self.sensitivity = getattr(noise, mechanism), value, sensitivity
        self.mean, self.clock, self.arm = np.full(3, np.inf), 0, 0

    def next_batch(self):
        self.arm = int(np.argmax(self.mean))
        return np.array([self.arm]), np.array([8])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        value, spans = self.value(total), (start, self.clock)
        noisy = self.release(value, sensitivity=self.sensitivity, budget=ONE, records=spans)
        self.mean[played] = noisy[0] / count[0]


def counting(**options):
    return lambda noise, generator: Counting(noise, **options)


@pytest.mark.parametrize(
    "wrong", [(0, 1), [0, 1], "0, 1", "(0, 1)", "[1, 0]", "[0, inf]", {0}, {0, np.nan}, {"a", 1}, 1]
)
def test_what_is_no_set_and_no_interval_is_refused(wrong):
    with pytest.raises(InvalidInput, match="^rewards_in must be a set of at least two numbers"):
        PossibleRewards.of(wrong)


@pytest.mark.parametrize("given", [{0, 1}, "[0, 1]", "[-1.5, 2]", {0, 0.25, 100}, set(range(50)), frozenset({3, 5})])
def test_what_is_printed_is_read_again_and_lists_are_of_it(given):
    possible = PossibleRewards.of(given)
    assert PossibleRewards.of(eval(possible.literal)) == possible == PossibleRewards.of(possible)
    generator, seen = np.random.default_rng(1), set()
    for k in range(7):
        rewards = reward_list(k, 200, generator, possible)
        possible.check("rewards", rewards)
        table = reward_table(k, 200, generator, possible)(3)
        for column in table.T:
            possible.check("rewards", column)
        seen |= set(rewards)
    assert {possible.low, possible.high} <= seen and seen >= set(possible.values)
    assert possible.farthest(possible.low) == possible.high and possible.farthest(possible.high) == possible.low
    with pytest.raises(InvalidInput, match=r"rewards must be in [\[{]"):
        possible.check("rewards", [possible.low, possible.high + 1])


def test_lists_of_the_unit_interval_are_what_they_were():
    lists = [reward_list(k, 60, np.random.default_rng(k)) for k in range(7)]
    assert lists == [reward_list(k, 60, np.random.default_rng(k), UNIT) for k in range(7)]
    assert set(lists[5]) == {0, 0.25, 0.5, 0.75, 1} and str(UNIT) == "[0, 1]"


def test_a_policy_for_bits_is_sound_where_rewards_are_bits():
    unsaid = check_privacy(counting(), ONE, seconds=1)
    assert unsaid.verdict == "violation" and "rewards_in={0, 1}" in str(unsaid)
    report = check_privacy(counting(), ONE, seconds=1, rewards_in=BITS)
    assert report.ok and report.spent == pytest.approx(1) and "on rewards in {0, 1}" in str(report)
    assert assert_private(counting(), ONE, seconds=1, rewards_in=BITS).ok


def test_a_leak_of_bits_is_found_and_the_printed_line_shows_it_again():
    report = check_privacy(counting(), Budget.pure(0.5), seconds=2, rewards_in=BITS)
    first = report.violations[0]
    assert report.verdict == "violation" and first.cause == "budget" and {*first.rewards, *first.neighbour} <= BITS
    call, printed = str(report).partition("again: ")[2].partition("\nseen:")[0], []
    exec(call, {"make_policy": counting(), "print": printed.append})
    assert "rewards_in={0, 1}" in " ".join(call.split()) and printed[0].violations[0].cause == "budget"


def test_rewards_up_to_a_hundred_move_a_sum_by_a_hundred():
    plain = counting(mechanism="laplace")
    assert check_privacy(plain, ONE, seconds=2).ok
    report = check_privacy(plain, ONE, seconds=2, rewards_in="[0, 100]")
    assert report.verdict == "violation" and "moves by 100" in report.violations[0].reason
    assert check_privacy(counting(mechanism="laplace", sensitivity=100), ONE, seconds=2, rewards_in="[0, 100]").ok
    assert check_privacy(
        counting(mechanism="laplace", value=lambda t: t - 5, sensitivity=2), ONE, seconds=2, rewards_in="[-1, 1]"
    ).ok


def test_a_reward_between_the_ends_is_compared_with_them():
    """Only the reward 1 of 0, 1 and 2 counts: the ends alone do not move what is released."""

    class Middle(Counting):
        def next_batch(self):
            return super().next_batch()[0], np.array([1])

    def make(noise, generator):
        return Middle(noise, value=lambda total: (total == 1) * 3.0)

    report = check_privacy(make, ONE, seconds=2, rewards_in={0, 1, 2})
    assert report.verdict == "violation" and report.violations[0].cause == "sensitivity"


class Clicks:
    """A policy of somebody else for clicks, which are 0 or 1."""

    def __init__(self):
        self.arm, self.batch, self.means = 0, [], [9.0, 9.0]

    def select_arm(self):
        return self.arm

    def update(self, arm, reward):
        if reward not in (0, 1):
            raise ValueError("a click is 0 or 1")
        self.batch.append(reward)
        if len(self.batch) == 4:
            self.means[arm] = (sum(self.batch) + np.random.laplace(0, 1.0)) / 4  # noqa: NPY002
            self.batch, self.arm = [], int(np.argmax(self.means))


def test_a_policy_that_does_not_use_this_library_for_bits():
    said = " ".join(str(check_privacy(replayed(Clicks), ONE, seconds=6)).split())
    assert said.startswith("inconclusive: ") and "a click is 0 or 1" in said and "rewards_in={0, 1}" in said
    assert check_privacy(replayed(Clicks), ONE, seconds=6, rewards_in=BITS).ok
    report = check_privacy(replayed(Clicks), Budget.pure(0.5), seconds=6, rewards_in=BITS)
    assert report.verdict == "violation" and "rewards_in={0, 1}" in " ".join(str(report).split())


def test_kept_lists_are_tried_with_the_rewards_that_there_are(tmp_path):
    place, half = tmp_path / "kept.json", Budget.pure(0.5)

    def session(rewards_in, budget=half, value=None):
        options = {} if value is None else {"value": value}
        make = counting(**options)
        check = lambda: check_privacy(make, budget, seconds=1, rewards_in=rewards_in)  # noqa: E731
        return tried_first(place, "a test", make, budget, rewards_in, check)

    assert not session({0, 3}).kept and 3 in json.loads(place.read_text())["neighbour"]
    again = session({0, 3})
    assert again.kept and "rewards_in={0, 3}" in str(again)
    assert not session(BITS).kept  # the kept lists are not among these rewards


def test_the_black_box_audit_says_that_it_knows_no_other_rewards():
    with pytest.raises(InvalidInput, match="rewards_in must be '\\[0, 1\\]' for black_box"):
        assert_private(counting(), ONE, black_box=True, rewards_in=BITS)
