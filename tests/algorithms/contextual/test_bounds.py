"""Regret bounds with constants against runs, the width of the policies, and their formula in floats."""

import numpy as np
import pytest

from banditproof.algorithms.contextual.bounds import contextual_regret_bounds
from banditproof.algorithms.contextual.environment import ContextualBandit, GaussianContexts
from banditproof.algorithms.contextual.oful import OFUL, AdaCOFUL, AdaROFUL, RarelySwitchingOFUL
from banditproof.algorithms.contextual.simulation import simulate_contextual
from banditproof.algorithms.contextual.tree_policies import JointDPLinUCB, LinPriv
from banditproof.algorithms.noise import NoiseSource
from banditproof.theory import Budget

pytestmark = pytest.mark.filterwarnings("ignore:.*is hardly a promise")  # budgets at which noise hardly counts

D, K, T, DELTA = 2, 4, 2000, 0.001
OPTIONS = {"horizon": T, "replications": 20, "bounded": False}
BANDIT = ContextualBandit([0.6, 0.8], GaussianContexts(K, D, 0.5, unit=True))


def noise():
    return NoiseSource(np.random.default_rng(3))


POLICIES = {
    "oful": lambda **o: OFUL(D, **o),
    "rs-oful": lambda **o: RarelySwitchingOFUL(D, **o),
    "adac-oful": lambda **o: AdaCOFUL(D, Budget.zcdp(1e6), noise(), **o),
    "adar-oful": lambda **o: AdaROFUL(D, Budget.rdp(2, 2e6), noise(), **o),
    "linpriv": lambda **o: LinPriv(D, K, Budget.pure(1e6), noise(), **o),
    "joint-dp-linucb": lambda **o: JointDPLinUCB(D, Budget.zcdp(1e6), noise(), **o),
}


@pytest.mark.parametrize("name", POLICIES)
def test_runs_stay_below_the_bound_and_the_bound_below_the_trivial_one(name):
    policy = POLICIES[name](**OPTIONS)
    (bound,) = contextual_regret_bounds(policy, T, assumed=True)
    regret = simulate_contextual([policy], BANDIT, T, np.random.default_rng(0))[0, :, 0]
    assert regret.max() < float(bound.value.lower) <= 2 * T and bound.applies and not bound.asymptotic


@pytest.mark.parametrize("name", ["oful", "rs-oful"])
def test_the_bound_is_that_of_the_formula(name):
    growth = {"oful": 0.0, "rs-oful": 1.0}[name]
    horizon, ridge = 10**6, 0.1
    (bound,) = contextual_regret_bounds(POLICIES[name](horizon=horizon), horizon, assumed=True)
    volume = D * np.log(1 + horizon / (ridge * D))
    width = np.sqrt(2 * np.log(1 / DELTA) + volume) + np.sqrt(ridge)
    by_hand = 2 * np.sqrt((1 + growth) * 2 * horizon * volume) * width + DELTA * 2 * horizon
    assert float(bound.value.upper) == pytest.approx(by_hand, rel=1e-12) and by_hand < 2 * horizon


@pytest.mark.parametrize("name", POLICIES)
def test_the_largest_width_covers_those_that_are_played(name):
    """At the end of a run the index of a vector exceeds its estimated value by at most the width of the bound."""
    from banditproof.algorithms.contextual.bounds import WIDEST
    from banditproof.theory.numbers.numeric import to_ball

    policy = POLICIES[name](**OPTIONS)
    simulate_contextual([policy], BANDIT, T - 1, np.random.default_rng(0))
    widest = float(WIDEST[type(policy)](policy, to_ball(T), to_ball(D), to_ball(1))[0])
    if isinstance(policy, AdaCOFUL):
        assert (policy.width <= widest).all()
        return
    sets = np.concatenate([np.eye(D)[np.newaxis]] * 20)[:, [0, 1, 0, 1]]
    both = policy.scores(sets) + policy.scores(-sets)  # the estimated values cancel
    assert (both / 2 <= widest / np.sqrt(0.1)).all()


def test_assumptions_that_fail_and_widths_that_trust_the_contexts():
    (bound,) = contextual_regret_bounds(POLICIES["adac-oful"](**OPTIONS), T, assumed=False)
    assert not bound.applies and "norm at most 1" in bound.why
    (bound,) = contextual_regret_bounds(POLICIES["linpriv"](**OPTIONS, radius=2.0), T, assumed=True)
    assert not bound.applies  # its printed width has 1 for the norm of the parameter
    trusting = AdaCOFUL(D, Budget.zcdp(1.0), noise(), eigenvalue=0.1, **OPTIONS)
    assert contextual_regret_bounds(trusting, T, assumed=True) == []

    class Other(OFUL):
        pass

    assert contextual_regret_bounds(Other(D, **OPTIONS), T, assumed=True) == []
