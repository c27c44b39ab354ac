"""Pulls, stopping and recommendation of a strategy are checked together, and planted bugs of strategies are found."""

from math import comb

import numpy as np
import pytest

from banditproof.algorithms import NoiseSource
from banditproof.algorithms.finite.successive_elimination import DPSE
from banditproof.algorithms.identification.top_two import AdaPTT, AdaPTTStar
from banditproof.algorithms.roster import strategy
from banditproof.theory import Budget
from banditproof.verify import (
    announced,
    check_delta_correct,
    check_neighbours,
    check_privacy,
    finite_kernel,
    plant,
    verify_policy_privacy,
)
from banditproof.verify.guarantees.identification_bugs import ERRORS, LEAKS
from banditproof.verify.guarantees.rare_errors import TiltedBandit
from banditproof.verify.testing.adapters import Adapted

RATIO, PULLS = 3, 10
RECOMMENDED = "privacy noise missing from the recommendation"


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
    found = report(announced(explorer), seconds=2)
    assert found.verdict == "ok", found


@pytest.mark.parametrize("name", LEAKS)
@pytest.mark.parametrize("made", [announced, lambda make: make], ids=["asked for", "seen by itself"])
def test_a_leak_through_stopping_or_recommendation_is_found(name, made):
    found = report(made(plant(LEAKS[name], explorer)))
    assert found.verdict == "violation" and "raw rewards" in str(found)


class Stubborn(Explorer):
    """Never stops."""

    over = False


def test_what_was_never_recommended_is_not_called_private():
    def stubborn(noise, generator):
        return Adapted(Stubborn(noise), 2, Stubborn.choose, Stubborn.observe, stopped="over", recommend="best")

    found = report(announced(stubborn), seconds=0.3)
    assert found.verdict == "inconclusive" and "no run stopped" in str(found)


LEAKING = [
    ("adap-tt", 2, 5.0, 0.9, "phase", 100),
    ("adap-tt", 3, 50.0, 0.01, "log", 400),
    ("adap-tt-star", 2, 0.5, 0.9, "log", 400),
    ("adap-tt-star", 4, 2.0, 0.9, "phase", 1000),
    ("dp-se", 2, 8.0, 0.9, "", 1500),
]


@pytest.mark.parametrize(("name", "arms", "epsilon", "delta", "bonus", "horizon"), LEAKING)
def test_a_raw_recommendation_is_found_where_runs_seldom_stop(name, arms, epsilon, delta, bonus, horizon):
    """Noise far out in the tails makes them stop, and then the leak shows."""
    budget, options = Budget.pure(epsilon), {"bonus": bonus} if bonus else {}

    def strategies(noise, generator):
        return LEAKS[RECOMMENDED](strategy(name, arms, delta, epsilon, generator, door=noise, **options))

    make = announced(strategies)
    report = check_privacy(make, budget, horizon=horizon)
    assert report.verdict == "violation" and report.violations[0].cause == "raw rewards", report
    if report.far:
        first = report.violations[0]
        again = check_neighbours(make, budget, first.rewards, first.neighbour, report.seed, far=True)
        assert "far=True" in str(report) and not again.ok


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


RISKS = {
    "adap-tt-star": 1e-60,
    "d-epsilon-tas": 1e-12,
    "d-epsilon-tt": 1e-60,
    "dp-se": 1e-12,
    "successive-elimination": 1e-12,
}


def planted(name, bug, delta):
    options = {"bonus": "log"} if name.startswith("adap") else {}

    def make(arms, generator, replications):
        return bug(strategy(name, arms, delta, 50.0, generator, replications, **options))

    return make


@pytest.mark.parametrize("bug", ERRORS)
@pytest.mark.parametrize("name", RISKS)
def test_a_wrong_stopping_rule_is_found_at_a_small_risk(name, bug, every_point):
    seconds = 80 if every_point else 20
    make = planted(name, ERRORS[bug], RISKS[name])
    report = check_delta_correct(make, 2, RISKS[name], seconds=seconds, progress=False)
    assert report.verdict == "violation", report
    assert report.cause.startswith("a wrong arm is named too often: mean ")


def test_what_is_within_the_risk_after_all_is_no_violation():
    report = check_delta_correct(planted("dp-se", ERRORS["threshold halved"], 0.01), 2, 0.01, seconds=1)
    assert report.verdict != "violation"
    assert "rewards tilted: P(wrong arm) is about 0.00" in str(report)


def test_three_arms_hide_nothing():
    report = check_delta_correct(planted("dp-se", ERRORS["threshold halved"], 1e-12), 3, 1e-12, seconds=4)
    assert report.verdict == "violation" and "means 0.5, 0.5, 0.1, rewards tilted" in report.cause


@pytest.mark.parametrize("start", [0, 3, 7, 100])
def test_weights_of_tilted_runs_are_those_of_the_plain_law(start):
    """Ten pulls of either arm, in two batches, and the larger sum; the first arm in ties: (1 + P(tie)) / 2 is wrong."""
    runs, draw = 200_000, np.random.default_rng(start)
    bandit = TiltedBandit(3, np.full(runs, 0.1), np.full(runs, start))
    bandit.keep(np.arange(runs)[::-1])
    sums = [sum(bandit.sum_of_rewards(np.full(runs, arm), np.full(runs, n), draw) for n in (4, 6)) for arm in range(2)]
    weights = np.exp(bandit.log_weight[bandit.rows])
    wrong = weights * (sums[0] >= sums[1])
    assert (weights == 1).all() == (start == 100)
    for values, mean in ((weights, 1.0), (wrong, (1 + comb(20, 10) / 2**20) / 2)):
        assert abs(values.mean() - mean) <= 5 * values.std() / np.sqrt(runs) + 1e-9 * 20
    assert (sums[0] > sums[1]).mean() > 0.5 or start == 100


def test_a_sound_strategy_alarms_on_no_seed(every_point):
    def make(arms, generator, replications):
        return DPSE(arms, Budget.pure(1.0), NoiseSource(generator), beta=0.1, replications=replications)

    seeds = range(10 if every_point else 1)
    verdicts = [check_delta_correct(make, 2, 0.1, seconds=0.2, seed=seed).verdict for seed in seeds]
    assert "violation" not in verdicts and "ok" in verdicts
