"""Runs that stop before the printed rule allows are seen, down to a threshold a tenth too small."""

import numpy as np
import pytest

from banditproof.algorithms import AdaPUCB
from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.roster import strategy
from banditproof.theory import Budget
from banditproof.theory.best_arm.thresholds import private_threshold, star_threshold, transportation_cost
from banditproof.theory.errors import InvalidInput
from banditproof.verify import against_rivals, check_stopping
from banditproof.verify.guarantees.identification_bugs import ERRORS, threshold_divided

BUGS = {**ERRORS, "a tenth too small": threshold_divided(10 / 9), "a hundredth too small": threshold_divided(1.01)}
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
        return bug(strategy(name, 2, DELTA, EPSILON, generator, door=noise))

    return check_stopping(make, environments, against_rivals(RULES[name]), **{"runs": 4, **options})


@pytest.mark.parametrize("name", RULES)
def test_strategies_as_printed_stop_when_their_rule_does(name):
    found = report(name)
    assert found.ok and found.stopped == 16 and not found.late and 1 <= found.least < 1.01 and 0.99 < found.open < 1, (
        found
    )


@pytest.mark.one_in(2)
@pytest.mark.parametrize("bug", BUGS)
@pytest.mark.parametrize("name", RULES)
def test_a_wrong_stopping_rule_is_found(name, bug):
    found = report(name, BUGS[bug], runs=3)
    assert found.verdict == "violation" and found.least < 1 and str(found).startswith("violation: 12 of 12 runs"), found


def test_a_rule_that_waits_is_late_and_one_that_never_stops_is_inconclusive():
    late = report("adap-tt", threshold_divided(0.5))
    assert late.ok and late.late == 16 and "continued although the rule would have stopped" in str(late)
    assert report("adap-tt", cap=10).verdict == "inconclusive"


def test_a_strategy_that_stops_a_phase_late_may_have_less_evidence_by_then():
    class Wavering:
        """Hears (1, 0), which is enough, pulls both arms once more, and stops with means that say nothing."""

        arms, stopped, clock = 2, np.array([False]), 0

        def __init__(self, noise):
            self.noise = noise

        def next_batch(self):
            return np.array([self.clock % 2]), np.array([1])

        def observe(self, total, count):
            records = tuple(np.array([one]) for one in (self.clock, self.clock + 1))
            self.noise.laplace(total, sensitivity=0.0, budget=Budget.pure(1.0), records=records)
            self.clock += 1
            self.stopped = np.array([self.clock == 4])

    class Fading(BernoulliBandit):
        def sum_of_rewards(self, arm, count, generator, *, time=0):
            return np.array([1.0 if int(np.ravel(time)[0]) == 0 else 0.0])

    lead = against_rivals(lambda lead, own, other: 2 * lead)
    found = check_stopping(lambda noise, _: Wavering(noise), [Fading([0.5, 0.4])], lead, runs=3)
    assert found.verdict == "ok" and found.late == found.stopped == 3 and found.least == 2, found


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
    with pytest.raises(InvalidInput, match="make_strategy must be a policy with `stopped` and `recommendation`"):
        check_stopping(lambda noise, _: AdaPUCB(2, Budget.pure(1.0), noise), CLEAR, against_rivals(RULES["adap-tt"]))
    with pytest.raises(InvalidInput, match="runs"):
        report("adap-tt", runs=0)
    with pytest.raises(InvalidInput, match="environments must be a list of environments that have two or more arms"):
        check_stopping(lambda noise, _: Nameless(noise), [BernoulliBandit([0.5])], against_rivals(RULES["adap-tt"]))
