"""Gross leaks of every family of bandits are refuted by the actions alone, within a few thousand runs.

benchmarks/audit_power.py has all of them.
"""

from fractions import Fraction

import numpy as np
import pytest

from banditproof.algorithms.adversarial.conversion import PrivateBatches
from banditproof.algorithms.adversarial.learners import EXP3
from banditproof.algorithms.identification.top_two import AdaPTT
from banditproof.theory import Budget
from banditproof.verify import ADVERSARIAL_BUGS, LINEAR_BUGS, PLANTED, announced, audit_until_refuted, plant
from banditproof.verify.guarantees.identification_bugs import LEAKS
from banditproof.verify.runs.contextual import contextual_maker
from banditproof.verify.runs.linear_runs import ACTIONS, linear_maker
from banditproof.verify.runs.planted import Bug
from banditproof.verify.runs.recorded import maker

PURE, GAUSSIAN = Budget.pure(2), Budget.zcdp(0.5)


class Hasty(AdaPTT):
    """Stops as soon as one mean leads by a little."""

    def threshold(self, leads, own, others, epsilon):
        return np.full(leads.shape, 0.5)


def identify(noise, generator, replications=1):
    return Hasty(2, PURE, noise, delta=0.5, replications=replications)


def exp3(noise, generator, replications=1):
    learner = EXP3(2, generator, rate=10.0, mixing=0.02, replications=replications)
    return PrivateBatches(learner, PURE, noise, batch=4)


COINS = tuple(float(digit) for digit in "011011100101000000000111")
LEAKY = {  # with a pair of lists and how many runs are enough on it, or None for the audit's own choice of lists
    "finite": (maker("dp-imed", ("pure", 2), 24, "none"), PURE, PLANTED["value scaled up"], None, 5000),
    "linear": (
        linear_maker("adac-gope", GAUSSIAN, ACTIONS),
        GAUSSIAN,
        LINEAR_BUGS["noise of the wrong dimension"],
        (((1.0, 0.0) * 30), (1.0, 1.0) + (1.0, 0.0) * 29),
        1000,
    ),
    "contextual": (
        contextual_maker("adac-oful-axes", GAUSSIAN),
        GAUSSIAN,
        PLANTED["raw value used"],
        (COINS, (0.0, 0.0, *COINS[2:])),
        1000,
    ),
    "adversarial": (exp3, PURE, ADVERSARIAL_BUGS["noise scaled by the wrong batch size"], None, 8000),
    "identification": (
        identify,
        PURE,
        LEAKS["privacy noise missing from the recommendation"],
        ((0.75,) * 24, (0.0,) + (0.75,) * 23),
        2000,
    ),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("family", LEAKY)
def test_a_leak_is_refuted_by_the_actions_alone(family):
    make, budget, bug, lists, runs = LEAKY[family]
    leaky = announced(plant(bug, make)) if family == "identification" else plant(bug, make)
    own = None if lists is None else [lists]
    audit = audit_until_refuted(leaky, budget, horizon=24, runs=runs, neighbours=own, error=Fraction(1, 1000))
    assert audit.verdict == "violation", audit


def test_a_sound_policy_and_a_word_too_little_about_records_are_not_refuted():
    """What is declared about a release changes no action: no audit of actions can tell it."""
    for bug in (Bug, PLANTED["records too short"]):
        audit = audit_until_refuted(
            plant(bug, LEAKY["finite"][0]), PURE, horizon=24, runs=2400, error=Fraction(1, 1000)
        )
        assert audit.verdict == "not refuted", audit
