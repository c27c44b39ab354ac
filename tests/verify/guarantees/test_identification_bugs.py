"""Pulls, stopping and recommendation of a strategy are checked together, and planted bugs of strategies are found."""

from fractions import Fraction

import numpy as np
import pytest

from banditproof.algorithms import BernoulliBandit, NoiseSource
from banditproof.algorithms.finite.successive_elimination import DPSE
from banditproof.algorithms.identification.top_two import AdaPTT, AdaPTTStar
from banditproof.algorithms.run.identification import identify
from banditproof.theory import Budget
from banditproof.verify import (
    announced,
    check_delta_correct,
    check_privacy,
    finite_kernel,
    plant,
    verify_policy_privacy,
)
from banditproof.verify.guarantees.identification_bugs import ERRORS, LEAKS
from banditproof.verify.proof.statistics import binomial_interval
from banditproof.verify.testing.adapters import Adapted

RATIO, PULLS = 3, 10


class Explorer:
    """Somebody else's strategy: both arms equally often, then the larger noisy sum."""

    def __init__(self, noise):
        self.noise, self.sums, self.time, self.best = noise, [0.0, 0.0], 0, None

    def choose(self):
        return self.time % 2

    def observe(self, arm, reward):
        self.sums[arm] += reward
        self.time += 1
        if self.time == 2 * PULLS:
            span = np.array([0]), np.array([self.time])
            noisy = [
                self.noise.laplace(
                    np.array([total]), sensitivity=1.0, budget=Budget.pure(1.0), records=(*span, np.array([arm]))
                )
                for arm, total in enumerate(self.sums)
            ]
            self.best = int(np.argmax(noisy))


def explorer(noise, generator):
    return Adapted(
        Explorer(noise), 2, Explorer.choose, Explorer.observe, stopped=lambda p: p.best is not None, recommend="best"
    )


def report(make, seconds=5):
    return check_privacy(make, Budget.pure(1.0), seconds=seconds, horizon=3 * PULLS)


def test_the_whole_output_of_a_strategy_is_private():
    found = report(announced(explorer))
    assert found.verdict == "ok", found


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_through_stopping_or_recommendation_is_found(name):
    found = report(announced(plant(LEAKS[name], explorer)))
    assert found.verdict == "violation" and "raw rewards" in str(found)


class TwoAnswers(NoiseSource):
    """Releases whether a sum is at least half its count, through randomised response: a law that can be listed."""

    def __init__(self, source):
        super().__init__()
        self.source = source

    def laplace(self, value, *, sensitivity, budget, records=None, norm="l1"):
        assert records is not None
        count = records[1] - records[0]
        asked = (2 * value >= count).astype(int)
        return count * self.source.randomised_response(asked, categories=2, budget=budget, records=records[:2])


def truncated(policy, bug=lambda strategy: strategy):
    class Hasty(policy):
        """Stops as soon as one mean leads, so that five rewards show it."""

        def threshold(self, leads, own, others, epsilon):
            return np.full(leads.shape, 1e-9)

    def make(noise, generator):
        return bug(Hasty(2, Budget.pure(np.log(RATIO)), TwoAnswers(noise), delta=0.5))

    return finite_kernel(announced(make), 5)


@pytest.mark.parametrize("policy", [AdaPTT, AdaPTTStar])
def test_truncated_strategies_spend_their_budget_and_no_more(policy):
    found = verify_policy_privacy(truncated(policy), "view")
    assert float(found.pure.ratio) == pytest.approx(RATIO, rel=1e-9)


@pytest.mark.parametrize("name", LEAKS)
def test_truncated_strategies_with_a_leak_have_no_budget(name):
    assert verify_policy_privacy(truncated(AdaPTT, LEAKS[name]), "view").pure.ratio == np.inf


DELTAS = {"threshold halved": (1e-5, 100_000), "stale counts in the stopping rule": (1e-5, 100_000)}


def errors(bug, delta, runs, seed=0):
    """Exact 1 - 1e-6 interval of P(wrong arm) of DP-SE on two arms that are hard to tell apart."""
    play, rewards = (np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(2))
    run = bug(DPSE(2, Budget.pure(1.0), NoiseSource(play), beta=delta, replications=runs))
    named = identify(run, BernoulliBandit([0.499999, 0.5]), 10**15, rewards).recommendation
    assert (named >= 0).all()
    return binomial_interval(int((named == 0).sum()), runs, Fraction(1, 10**6))


@pytest.mark.parametrize("name", ERRORS)
def test_a_wrong_stopping_rule_names_the_wrong_arm_more_often_than_delta(name):
    delta, runs = DELTAS.get(name, (0.01, 2000))
    assert errors(ERRORS[name], delta, runs)[0] > delta
    assert errors(lambda strategy: strategy, 0.01, 2000)[0] <= 0.01


def test_a_sound_strategy_alarms_on_no_seed():
    def make(arms, generator, replications):
        return DPSE(arms, Budget.pure(1.0), NoiseSource(generator), beta=0.1, replications=replications)

    bandit = BernoulliBandit([0.4, 0.6])
    verdicts = [check_delta_correct(make, bandit, 0.1, seconds=0.2, seed=seed).verdict for seed in range(10)]
    assert "violation" not in verdicts and "ok" in verdicts
