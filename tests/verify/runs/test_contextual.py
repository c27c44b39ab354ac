"""The privacy sensors on contextual policies: clean ones pass, spoilt ones are found, contexts included."""

import pytest

from banditproof.algorithms.contextual.oful import AdaCOFUL
from banditproof.algorithms.noise import NoiseSource
from banditproof.theory import Budget
from banditproof.verify import PLANTED, check_privacy
from banditproof.verify.runs.alignment import find_violation
from banditproof.verify.runs.contextual import AXES, UNIT, PrivateContexts, WithContexts, contextual_maker
from banditproof.verify.runs.recorded import budget_of

BUDGETS = {
    "adac-oful": ["zcdp", "1/2"],
    "adac-oful-axes": ["zcdp", "1/2"],
    "adar-oful": ["rdp", 2, 1],
    "linpriv": ["pure", 2],
    "joint-dp-linucb": ["zcdp", "1/2"],
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", BUDGETS)
def test_a_policy_passes_the_privacy_check(name):
    budget = budget_of(BUDGETS[name])
    report = check_privacy(contextual_maker(name, budget), budget, seconds=0.4, horizon=30)
    assert report.ok, report


@pytest.mark.parametrize("name", BUDGETS)
def test_many_seeds_give_no_false_alarm(name, every_point):
    budget = budget_of(BUDGETS[name])
    make = contextual_maker(name, budget)
    for seed in range(100 if every_point else 25):
        assert find_violation(make, 8, budget, seed, lists=1, neighbours=1) is None


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", BUDGETS)
def test_the_planted_bugs_are_found(name):
    budget = budget_of(BUDGETS[name])

    def found(bug):
        make = contextual_maker(name, budget, bug)
        return any(find_violation(make, 40, budget, seed) is not None for seed in range(4))

    assert {bug for bug in PLANTED if not found(bug)} == set()


BUDGET = Budget.zcdp(0.5)


def test_public_contexts_made_private_are_found():
    def make(noise, _):
        return PrivateContexts(AdaCOFUL(3, BUDGET, noise, horizon=100), AXES)

    assert any(find_violation(make, 40, BUDGET, seed) is not None for seed in range(4))


def test_contexts_are_the_same_in_every_run_of_a_round():
    policies = [WithContexts(AdaCOFUL(3, BUDGET, NoiseSource(), horizon=5), UNIT) for _ in range(2)]
    assert (policies[0].shown() == policies[1].shown()).all()
