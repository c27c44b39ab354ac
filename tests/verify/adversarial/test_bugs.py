"""Every planted bug of the adversarial algorithms is caught, at default settings; sound policies raise no alarm."""

import pytest

from banditproof.algorithms.adversarial.conversion import PrivateBatches
from banditproof.algorithms.adversarial.experts import EXP4, FromBandit, Panel, PrivateEXP4
from banditproof.algorithms.adversarial.learners import EXP3, FTPL, HTINF
from banditproof.algorithms.noise import NoiseSource
from banditproof.theory import Budget
from banditproof.theory.errors import InvalidInput
from banditproof.verify import ADVERSARIAL_BUGS, check_estimates, check_privacy, plant

PURE = Budget.pure(0.04)  # batches of 25, which do not fill every run
TIGHT = Budget.approximate(0.5, 0.64)
AGREEING = Panel([[1, 0], [1, 0], [1, 0], [0, 1]])
PANEL = Panel([[0.5, 0.5, 0], [0, 0, 1], [1, 0, 0]])
LEARNERS = {
    "EXP3": lambda g, runs: EXP3(3, g, rate=0.5, mixing=0.2, replications=runs),
    "HTINF": lambda g, runs: HTINF(3, g, sigma=6**0.5, replications=runs),
    "FTPL": lambda g, runs: FTPL(3, g, rate=0.2, cap=60, replications=runs),
    "EXP4": lambda g, runs: EXP4(PANEL, g, rate=0.5, mixing=0.2, replications=runs),
}


def private(learner):
    return lambda noise, g: PrivateBatches(LEARNERS[learner](g, 1), PURE, noise)


POLICIES = {
    **{name: (PURE, private(name)) for name in ("EXP3", "HTINF", "FTPL")},
    "experts": (PURE, lambda noise, g: FromBandit(private("EXP3")(noise, g), PANEL, g)),
    "batched EXP4": (TIGHT, lambda noise, g: PrivateEXP4(AGREEING, TIGHT, noise, g, batch=5, rate=0.5, mixing=0.9)),
}
CAUGHT = [
    ("noise scaled by the wrong batch size", "EXP3"),
    ("noise scaled by the wrong batch size", "experts"),
    ("noise scaled by the wrong batch size", "batched EXP4"),
    ("last partial batch released", "EXP3"),
    ("last partial batch released", "FTPL"),
    ("expert weights updated with raw losses", "batched EXP4"),
]


@pytest.mark.parametrize(("bug", "policy"), CAUGHT)
def test_a_bug_of_the_releases_is_caught(bug, policy):
    budget, make = POLICIES[policy]
    assert check_privacy(plant(ADVERSARIAL_BUGS[bug], make), budget).verdict == "violation"


BIASED = {"EXP3": "estimator not unbiased", "HTINF": "estimator not unbiased", "EXP4": "estimator not unbiased"}
BIASED["FTPL"] = "resampling with the wrong optimum"


@pytest.mark.parametrize(("learner", "bug"), BIASED.items())
def test_biased_estimates_are_caught_and_sound_ones_are_not(learner, bug, every_point):
    make = LEARNERS[learner]
    assert not check_estimates(lambda g, runs: ADVERSARIAL_BUGS[bug](make(g, runs))).ok
    for seed in range(3 if every_point else 1):
        report = check_estimates(make, seed=seed)
        assert report.ok, report


def test_every_bug_has_a_test_that_catches_it():
    assert {bug for bug, _ in CAUGHT} | set(BIASED.values()) == set(ADVERSARIAL_BUGS)


def test_what_makes_no_estimates_is_refused():
    with pytest.raises(InvalidInput, match="make_learner"):
        check_estimates(lambda g, runs: EXP3(7, g, rate=0.1, mixing=0.1, replications=runs))
    with pytest.raises(InvalidInput, match="a function that returns a learner such as EXP3, .*, got 'nothing'"):
        check_estimates(lambda g, runs: None)
    with pytest.raises(InvalidInput, match="make_learner"):
        check_estimates(lambda g, runs: POLICIES["EXP3"][1](NoiseSource(), g))
