"""Every planted bug of the linear and contextual algorithms is caught, at default settings, by the sensor it is for."""

import numpy as np
import pytest

from banditproof.algorithms.linear.elimination import AdaCGOPE
from banditproof.algorithms.linear.environment import SignBandit
from banditproof.algorithms.noise import NoiseSource
from banditproof.theory import Budget
from banditproof.theory.errors import InvalidInput
from banditproof.verify import LINEAR_BUGS, check_privacy, compare_regret, plant
from banditproof.verify.runs.contextual import contextual_maker
from banditproof.verify.runs.linear_runs import ACTIONS, linear_maker
from banditproof.verify.runs.linear_runs import BUDGETS as LINEAR

EPISODIC = {"adac-oful": Budget.zcdp(0.5), "adar-oful": Budget.rdp(2, 1)}
TREES = {"linpriv-diagonals": Budget.pure(2), "joint-dp-linucb": Budget.zcdp(0.5)}
BUDGETS = LINEAR | EPISODIC | TREES
OF_NOISE = ["noise of the wrong dimension", "norm factor missing", "noise added once"]
CAUGHT = [
    ("contexts leak into the release", "joint-dp-linucb"),
    *((bug, name) for bug in OF_NOISE for name in BUDGETS),
    *(("rewards reused across phases", name) for name in LINEAR | EPISODIC),
]
WRONG_SET = "design solved on the wrong set"


def maker_of(name):
    if name in LINEAR:
        return linear_maker(name, BUDGETS[name], ACTIONS)
    return contextual_maker(name, BUDGETS[name])


@pytest.mark.one_in(24)  # every bug and every policy
@pytest.mark.parametrize(("bug", "name"), CAUGHT)
def test_a_bug_breaks_the_privacy_of_the_policy(bug, name):
    make, horizon = maker_of(name), 60 if name in TREES else None  # the trees are built for 63 rounds
    report = check_privacy(plant(LINEAR_BUGS[bug], make), BUDGETS[name], horizon=horizon)
    assert report.verdict == "violation"


def test_a_design_on_the_wrong_set_costs_regret():
    """Half of every phase goes to an action that was dropped in the first ones."""
    actions = np.array([[1.0, 0.0], [0.98, 0.1], [0.0, 1.0]])
    environment = SignBandit(actions, [0.95, 0.0])

    def sound(rows, generator):
        noise = NoiseSource(generator)
        return AdaCGOPE(actions, Budget.zcdp(1), noise, share=0.1, replications=rows.stop - rows.start)

    reports = [
        compare_regret(make, sound, environment, 100_000)
        for make in (sound, lambda rows, generator: LINEAR_BUGS[WRONG_SET](sound(rows, generator)))
    ]
    assert [report.ok for report in reports] == [True, False], reports


def test_every_bug_has_a_test_that_catches_it():
    assert {bug for bug, _ in CAUGHT} | {WRONG_SET} == set(LINEAR_BUGS)


@pytest.mark.parametrize(
    ("bug", "name"),
    [
        ("rewards reused across phases", "linpriv-diagonals"),
        (WRONG_SET, "adac-oful"),
        ("contexts leak into the release", "adac-gope"),
    ],
)
def test_a_bug_of_another_family_is_refused(bug, name):
    policy = maker_of(name)(NoiseSource(), np.random.default_rng(0))
    with pytest.raises(InvalidInput, match="policy"):
        LINEAR_BUGS[bug](policy)
