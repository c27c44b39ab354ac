"""What a policy raises while it plays is a verdict; what we refuse, and what is raised before, is passed on."""

import numpy as np
import pytest

from banditproof.algorithms import BernoulliBandit
from banditproof.theory.errors import InvalidInput
from banditproof.verify import check_delta_correct, check_regret, check_theorem, compare_regret
from banditproof.verify.guarantees.players import _reached
from banditproof.verify.testing.adapters import select_update

BANDIT = BernoulliBandit([0.9, 0.1])


class Overflows:
    """A weight is squared at every reward: it is infinite after ten, and what divides by it no number."""

    def __init__(self, raises):
        self.raises, self.weights = raises, np.full(2, 2.0)
        self.stopped, self.recommended = False, 0

    def select_arm(self):
        with np.errstate(all="ignore"):
            shares = self.weights / self.weights.sum()
        if np.isnan(shares).any():
            raise self.raises("probabilities contain NaN")
        return int(shares[1] > 0.5)

    def update(self, arm, reward):
        with np.errstate(all="ignore"):
            self.weights[arm] **= 1 + reward


def players(raises=ValueError):
    return lambda rows, generator: select_update([Overflows(raises) for _ in range(rows.stop - rows.start)], 2)


def test_regret():
    report = check_regret(players(), BANDIT, 200, 100.0, seconds=2)
    assert report.verdict == "violation" and report.runs == 0
    assert report.cause.startswith("the policy failed after ") and " pulls: ValueError: probabilities" in report.cause
    assert "test_failing.py:" in report.cause and "raise self.raises" in report.cause
    assert "seed=0" in str(report)


def test_theorem_also_where_the_pace_is_measured():
    report = check_theorem(
        lambda K, b, T, noise, g, R: select_update([Overflows(ValueError) for _ in range(R)], K),
        "anytime-ucb",
        seconds=10,
    )
    assert report.verdict == "violation" and "the policy failed after " in report.cause


@pytest.mark.parametrize("environments", [2, BANDIT])
def test_identification(environments):
    def make(arms, generator, replications):
        several = [Overflows(ValueError) for _ in range(replications)]
        return select_update(several, arms, stopped="stopped", recommend="recommended")

    report = check_delta_correct(make, environments, 0.1, seconds=2)
    assert report.verdict == "violation" and "the policy failed after " in report.cause


def test_what_we_refuse_is_passed_on():
    with pytest.raises(InvalidInput, match="arm"):
        check_regret(
            lambda rows, g: select_update([Wrong() for _ in range(rows.stop - rows.start)], 2), BANDIT, 50, 20.0
        )


class Wrong(Overflows):
    def __init__(self):
        super().__init__(ValueError)

    def select_arm(self):
        return 7


def test_what_is_raised_before_the_first_reward_is_passed_on():
    def make(rows, generator):
        raise KeyError("no such option")

    with pytest.raises(KeyError, match="no such option"):
        check_regret(make, BANDIT, 50, 20.0)


def test_what_the_reference_raises_is_passed_on():
    with pytest.raises(ZeroDivisionError):
        compare_regret(players(), players(ZeroDivisionError), BANDIT, 200)


class Listed(Wrong):
    def select_arm(self):
        return [0]


@pytest.mark.parametrize(
    ("made", "said"), [(lambda: Wrong, r"write Wrong\(\.\.\.\) in it"), (Listed, "arm must be one of")]
)
def test_a_class_and_a_list_for_an_arm_are_refused(made, said):
    with pytest.raises(InvalidInput, match=said):
        check_regret(lambda rows, g: made(), BANDIT, 50, 20.0)


def test_a_compiled_method_that_a_policy_keeps_is_followed_no_further():
    class Thompson:
        def __init__(self, draw):
            self.draw, self.good = draw, [1.0, 1.0]

    policy = Thompson(np.random.default_rng(0).beta)
    assert id(policy.good) in _reached(policy)
