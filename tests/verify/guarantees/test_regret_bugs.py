"""Every family of algorithms has ten bugs that do harm, and the search over instances finds nine of ten of them."""

import numpy as np
import pytest

from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.registration import Setting
from banditproof.algorithms.roster import algorithm
from banditproof.algorithms.run.simulator import simulate
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.announcing import Between
from banditproof.verify.guarantees.regret_bugs import REGRET_BUGS, own_bugs
from banditproof.verify.guarantees.theorems import INSTANCES, check_theorem

pytestmark = pytest.mark.filterwarnings("ignore:.*is hardly a promise")  # budgets at which noise hardly counts

FAMILIES = {  # algorithm, budget, horizon at which the harm is measured
    "episodic": ("adap-ucb", Budget.pure(10.0), 2000),
    "index": ("ucb", None, 200),
    "elimination": ("dp-se", Budget.pure(1.0), 20_000),
    "Thompson": ("thompson-sampling", None, 200),
    "lazy Thompson": ("lazy-dp-ts", Budget.pure(10.0), 200),
    "tree": ("dp-ucb", Budget.pure(50.0), 200),
    "KL": ("dp-imed", Budget.pure(1.0), 2000),
}
HORIZONS = {"elimination": None}  # the default; elsewhere the one of the harm is enough
ENOUGH, SHARE, RUNS = 10, 0.9, 40


def maker(name, bug):
    def make(arms, budget, horizon, noise, generator, replications):
        return bug(algorithm(name).build(Setting(arms, horizon, budget, generator, replications)))

    return make


def regrets(name, budget, horizon, bug, seed):
    """On every instance, from a simulation of its own: arrays [RUNS]."""
    for means in INSTANCES.values():
        bandit = BernoulliBandit([float(mean) for mean in means])
        coins, rewards = np.random.default_rng(seed), np.random.default_rng(seed + 1)
        policy = maker(name, bug)(len(means), budget, horizon, NoiseSource(coins), coins, RUNS)
        yield simulate(policy, bandit, horizon, rewards).regret[:, -1]


def harmful(spoilt, sound):
    """Twice the mean regret, by more than five standard errors."""
    excess = spoilt.mean() - 2 * sound.mean()
    return excess > 5 * np.hypot(spoilt.std(), 2 * sound.std()) / np.sqrt(RUNS)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("family", FAMILIES)
def test_ten_bugs_of_a_family_do_harm_and_nine_of_ten_of_those_are_found(family):
    name, budget, horizon = FAMILIES[family]
    horizons = HORIZONS.get(family, (horizon,))
    sound = list(regrets(name, budget, horizon, Between, 1))
    bugs = {
        title: bug
        for title, bug in {**REGRET_BUGS, **own_bugs(name)}.items()
        if any(map(harmful, regrets(name, budget, horizon, bug, 3), sound))
    }
    assert len(bugs) >= ENOUGH, f"harmful: {list(bugs)}"

    def verdict(bug):
        return check_theorem(maker(name, bug), name, budgets=[budget], horizons=horizons, seconds=60).verdict

    missed = [title for title, bug in bugs.items() if verdict(bug) != "violation"]
    assert len(missed) <= (1 - SHARE) * len(bugs), f"missed: {missed}"
