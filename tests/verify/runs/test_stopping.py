"""Runs that stop before the printed rule allows are seen, down to a threshold a tenth too small."""

import numpy as np
import pytest

from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.identification.roster import STRATEGIES
from banditproof.theory import Budget
from banditproof.theory.best_arm.thresholds import private_threshold, star_threshold, transportation_cost
from banditproof.theory.errors import InvalidInput
from banditproof.verify import against_rivals, check_stopping
from banditproof.verify.guarantees.identification_bugs import ERRORS, threshold_divided

BUGS = {**ERRORS, "a tenth too small": threshold_divided(10 / 9)}
EPSILON, DELTA, CLEAR = 50.0, 1e-60, [BernoulliBandit([0.3, 0.7])]
RULES = {
    "adap-tt": lambda lead, own, other: (
        transportation_cost(lead, own, other) / private_threshold(own, other, DELTA, 2, EPSILON)
    ),
    "adap-tt-star": lambda lead, own, other: (
        transportation_cost(lead, own, other, EPSILON) / star_threshold(lead, own, other, DELTA, 2, EPSILON)
    ),
}


def report(name, bug=lambda strategy: strategy, environments=CLEAR, **options):
    def make(noise, generator):
        return bug(STRATEGIES[name].make(2, Budget.pure(EPSILON), noise, delta=DELTA))

    return check_stopping(make, environments, against_rivals(RULES[name]), **{"runs": 8, **options})


@pytest.mark.parametrize("name", RULES)
def test_strategies_as_printed_stop_when_their_rule_does(name):
    found = report(name)
    assert found.ok and found.stopped == 8 and not found.late and 1 <= found.least < 1.2 and 0.8 < found.open < 1, found


@pytest.mark.parametrize("bug", BUGS)
@pytest.mark.parametrize("name", RULES)
def test_a_wrong_stopping_rule_is_found(name, bug):
    found = report(name, BUGS[bug], runs=4)
    assert found.verdict == "violation" and found.least < 1 and str(found).startswith("violation: 4 of 4 runs"), found


def test_a_rule_that_waits_is_late_and_one_that_never_stops_is_inconclusive():
    late = report("adap-tt", threshold_divided(0.5))
    assert late.ok and late.late == 8 and "went on where the rule would have stopped" in str(late)
    assert report("adap-tt", cap=10).verdict == "inconclusive"


class Nameless:
    """Says of no release which rewards are in it."""

    stopped, arms = np.array([False]), 2

    def __init__(self, noise):
        self.noise = noise

    def next_batch(self):
        return np.array([0]), np.array([1])

    def observe(self, total, count):
        self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(1.0))


def test_what_cannot_be_held_against_the_rule_is_refused():
    with pytest.raises(InvalidInput, match="records"):
        check_stopping(lambda noise, _: Nameless(noise), CLEAR, against_rivals(RULES["adap-tt"]))
    with pytest.raises(InvalidInput, match="runs"):
        report("adap-tt", runs=0)
    with pytest.raises(InvalidInput, match="environments must be at least one, of two arms or more"):
        check_stopping(lambda noise, _: Nameless(noise), [BernoulliBandit([0.5])], against_rivals(RULES["adap-tt"]))
