"""Every private algorithm of the roster: private and no worse than its bound; with a planted bug, found out."""

from fractions import Fraction
from math import log, sqrt

import numpy as np
import pytest

from banditproof.algorithms import BernoulliBandit, NoiseSource
from banditproof.algorithms.registration import Setting
from banditproof.algorithms.roster import algorithm, algorithms
from banditproof.algorithms.run.sweep import simulate_chunks
from banditproof.paper_checks.thesis.ch5_algorithms.facts import pulls_of_an_arm
from banditproof.theory import adap_klucb_regret_bound, regret_upper_bound
from banditproof.theory.privacy.budget import KINDS
from banditproof.verify import PLANTED, check_regret
from banditproof.verify.announcing import Between
from banditproof.verify.guarantees.regret_bugs import REGRET_BUGS
from banditproof.verify.proof.statistics import binomial_interval, log_evidence
from banditproof.verify.runs.alignment import find_violation
from banditproof.verify.runs.recorded import Queried, budget_of, maker

BUDGETS = {kind: [kind, *known.usual] for kind, known in KINDS.items()}
PRIVATE = [(name, kind) for name, entry in algorithms().items() for kind in entry.kinds]
HARMLESS = {"dp-ucb-mt15": {"budget doubled", "budget split wrongly"}}
"""DP-UCB of 2015 spends half of its budget on two arms."""


def test_the_roster_has_private_algorithms_for_every_kind_of_budget_of_the_documents():
    assert {kind for _, kind in PRIVATE} >= {"pure", "approximate", "zcdp", "rdp"} and len(PRIVATE) >= 10


def pulls(name):
    return algorithm(name).pulls


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("name", "kind"), PRIVATE)
def test_a_private_algorithm_passes_every_sensor(name, kind, every_point):
    make = maker(name, BUDGETS[kind], pulls(name), "none")
    for seed in range(3 if every_point else 1):
        assert find_violation(make, pulls(name), budget_of(BUDGETS[kind]), seed, lists=4) is None


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "kind"), PRIVATE)
def test_many_seeds_of_a_private_algorithm_give_no_false_alarm(name, kind, every_point):
    T = min(pulls(name), 20)
    budget, make = budget_of(BUDGETS[kind]), maker(name, BUDGETS[kind], T, "none")
    for seed in range(200 if every_point else 60):
        assert find_violation(make, T, budget, seed, lists=1, neighbours=1) is None


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("name", "kind"), PRIVATE)
def test_the_planted_privacy_bugs_are_found_in_every_private_algorithm(name, kind):
    budget = budget_of(BUDGETS[kind])

    def found(bug):
        make = maker(name, BUDGETS[kind], pulls(name), bug)
        return any(find_violation(make, pulls(name), budget, seed) is not None for seed in range(4))

    missed = {bug for bug in PLANTED if bug not in HARMLESS.get(name, ()) and not found(bug)}
    assert missed == set()


def test_a_bug_is_also_found_when_an_adversary_plays_other_arms():
    make = maker("adap-ucb", ["pure", 4], 40, "raw value used", adversary=True)
    assert find_violation(make, 40, budget_of(["pure", 4]), 0) is not None


def test_an_adversary_asks_for_an_arm_that_was_not_recommended():
    noise = NoiseSource(np.random.default_rng(0))
    policy = maker("adap-ucb", ["pure", 4], 40, "none", adversary=True)(noise, np.random.default_rng(0))
    assert isinstance(policy, Queried)
    asked = []
    for _ in range(12):
        arm, count = policy.next_batch()
        asked.append(int(arm[0]) != int(policy.policy.recommended[0]))
        policy.observe(np.zeros(1), count)
    assert any(asked) and not all(asked)


# ----------------------------------------------------------------------------------------------------------- regret

MEANS, GAP, EPSILON = (0.05, 0.95), 0.9, 50.0


LENGTHS = {"dp-ucb": 2500, "dp-se": 5000, "adap-klucb": 1500}


def horizon(name):
    return LENGTHS.get(name, 4000)


def printed_bound(name):
    """The regret bound that the papers state for an algorithm; for DP-SE the sum of its epochs."""
    T, L = horizon(name), log(horizon(name))
    if name == "dp-ucb":
        return 8 * sqrt(8) * 2 * L**2.5 / EPSILON + 4 * GAP + 4 * L / GAP
    if name == "dp-se":
        return GAP * float(pulls_of_an_arm(Fraction(9, 10), 2, Fraction(50), Fraction(1, T)).mid()) + 1
    if name == "adap-klucb":
        return float(adap_klucb_regret_bound(["0.05", "0.95"], 50, "3.1", T).upper)
    budget = budget_of(["pure", 50] if name == "adap-ucb" else BUDGETS["zcdp" if name == "adac-ucb" else "rdp"])
    title = {"adap-ucb": "AdaP-UCB", "adac-ucb": "AdaC-UCB", "adar-ucb": "AdaR-UCB"}[name]
    return float(regret_upper_bound(title, ["0.05", "0.95"], T, budget, "3.1")["gap-dependent"].value.upper)


SPOILING = ("rewards upside down", "next arm credited", "rewards ignored")
BOUNDED = ["dp-ucb", "dp-se", "adap-ucb", "adap-klucb", "adac-ucb", "adar-ucb"]


def policies(name, spoil=Between):
    kind = algorithm(name).kinds[0]
    budget = budget_of({"pure": ["pure", 50]}.get(kind, BUDGETS[kind]))
    options = {"beta": 3.1} if name.startswith("ada") else {}

    def make(rows, generator):
        setting = Setting(2, horizon(name), budget, generator, rows.stop - rows.start)
        return spoil(algorithm(name).build(setting, **options))

    return make


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", BOUNDED)
def test_an_algorithm_keeps_its_regret_bound_and_its_spoilt_versions_break_it(name):
    bound, bandit = printed_bound(name), BernoulliBandit(MEANS)
    assert check_regret(policies(name), bandit, horizon(name), bound, seed=1).ok
    kept = [
        bug
        for bug in SPOILING
        if check_regret(policies(name, REGRET_BUGS[bug]), bandit, horizon(name), bound, seed=1).ok
    ]
    assert kept == []


def test_alarms_of_two_hundred_seeds_at_a_bound_hardly_above_the_mean_are_as_rare_as_stated():
    def regret(replications, seed):
        result = simulate_chunks(
            policies("adap-ucb"), BernoulliBandit(MEANS), 2000, replications=replications, seed=seed
        )
        return result.regret[:, -1]

    bound, error = 1.02 * regret(20_000, 0).mean(), 0.05
    groups = regret(4000, 1).reshape(200, 20)
    alarms = sum(log_evidence(group, bound) >= -np.log(error) for group in groups)
    assert binomial_interval(alarms, 200, Fraction(1, 10**6))[0] <= error
