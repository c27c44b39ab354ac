"""What users' functions and objects answer is looked at where it comes in, and said by name; nobody else is accused."""

import random
import warnings
from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest

from banditproof import theory, verify
from banditproof.algorithms import AdaPUCB, BernoulliBandit, NoiseSource, simulate
from banditproof.algorithms.noise import Mechanism
from banditproof.theory import Budget
from banditproof.verify.testing.adapters import select_update

BUDGET, TWO = Budget.pure(1.0), BernoulliBandit([0.9, 0.1])


def private(noise, generator):
    return AdaPUCB(2, BUDGET, noise)


def of_its_own(noise, generator):
    return AdaPUCB(2, BUDGET, NoiseSource(generator))


def policies(rows, generator):
    return AdaPUCB(2, BUDGET, NoiseSource(generator), replications=rows.stop - rows.start)


def paying(answer, arms=2, means=(0.9, 0.1)):
    """An environment of these answers."""

    def sum_of_rewards(self, arm, count, generator, *, time=0):
        return answer(arm, count)

    return type("Own", (), {"arms": arms, "means": means, "sum_of_rewards": sum_of_rewards})()


def regret(environment, make=policies):
    return verify.check_regret(make, environment, 100, 50, seconds=0.2)


def simulated():
    arms, sums = [], [0.0, 0.0]
    for _ in range(4):
        arms.append(int(np.argmax(sums)))
        sums[arms[-1]] += random.random() < 0.5
    return arms


class Player:
    def select_arm(self):
        return 0

    def update(self, arm, reward):
        pass


def noise():
    return NoiseSource(np.random.default_rng(0))


def answering(answer):
    mechanism = Mechanism("own", lambda value, generator: answer, lambda value, other: 0.0)
    return noise().released(np.array([1.0]), mechanism=mechanism, budget=BUDGET)


PLAYER = Player()
REFUSED = {
    "no list of numbers": (lambda: theory.sensitivity(lambda r: r.mean(), (0, 1), n=3), "a function of one list"),
    "no number": (lambda: theory.sensitivity(lambda r: None, (0, 1), n=3), "what statistic returns must be a finite"),
    "random": (lambda: theory.sensitivity(lambda r: random.random(), (0, 1), n=3), "it is random"),
    "uncalled": (lambda: theory.sensitivity(theory.statistics.mean, (0, 1), n=3), r"did you mean mean\("),
    "budgets in a list": (lambda: theory.compose([BUDGET, BUDGET]), r"each by itself: f\(\*budgets\)"),
    "releases in a list": (lambda: theory.Accountant([theory.Mechanism.laplace(1.0)]), r"Accountant\(\*releases\)"),
    "no conversion": (lambda: theory.convert(Budget.zcdp(1), "pure"), "approximate or zcdp, which zcdp implies"),
    "no sum of 1": (lambda: theory.Bounded([0, 1], ["1/2", "1/4"]), "got 'a sum of 0.75'"),
    "a sample": (lambda: theory.Bounded([0.5, 0.1]), "samples="),
    "by hand": (lambda: theory.Mechanism("laplace", 1, 2), r"Mechanism.laplace\(scale\)"),
    "radius": (
        lambda: verify.check_concentration(lambda n, g: g.random(n), 0.5, -1, 0.1),
        r"radius must be a number in \[0",
    ),
    "one draw": (lambda: verify.check_concentration(lambda n, g: 0.0, 0.5, 0.1, 0.1), "what is drawn must be 32"),
    "no coins": (lambda: verify.audit_one_run(np.arange(100.0), np.ones(100), BUDGET, 2), "hardly ever all the same"),
    "sign": (lambda: verify.event_test("e", np.array([True]), "=<", 0.5), "did you mean <=?"),
    "text": (lambda: verify.largest_change(lambda r: "a", 3), "what function returns must be a number"),
    "nothing": (lambda: verify.largest_change(lambda r: None, 3), "what function returns must be a number"),
    "another order": (
        lambda: verify.audit_mechanism(lambda generator, world, size: generator.random(size), BUDGET),
        r"a function of \(world, size, generator\)",
    ),
    "equal inputs": (
        lambda: verify.audit_inputs(lambda d, n, g: g.random(n), [([0], [0])], BUDGET),
        "inputs that differ",
    ),
    "equal arms": (
        lambda: verify.check_delta_correct(lambda *a: None, BernoulliBandit([0.2, 0.2]), 0.1),
        "two different means",
    ),
    "a name of a bug": (lambda: verify.plant("noise halved", private), r"such as PLANTED\['noise halved'\]"),
    "noise of its own": (lambda: verify.check_privacy(of_its_own, BUDGET), "this policy has another NoiseSource"),
    "for another check": (lambda: regret(TWO, private), r"a function of \(rows, generator\)"),
    "no policies": (
        lambda: verify.check_theorem(lambda *a: None, "adap-ucb", budgets=[BUDGET], seconds=1),
        "make_policies must be a function that returns a Policy",
    ),
    "an environment that raises": (
        lambda: regret(paying(lambda arm, count: 1 / 0)),
        "environment must be one whose sum",
    ),
    "a mean that is nan": (
        lambda: regret(paying(lambda a, n: n * 1.0, means=(0.9, np.nan))),
        "environment.means must be 2",
    ),
    "arms in text": (lambda: regret(paying(lambda a, n: n * 1.0, arms="2")), "environment.arms must be an integer"),
    "nan": (lambda: noise().laplace(np.array([np.nan]), sensitivity=1, budget=BUDGET), "none of them nan"),
    "a release of nothing": (lambda: answering(None), "what sample returns must be an array of numbers"),
    "a release of one": (lambda: answering(1.0), "what sample returns must be an array of numbers"),
    "one player": (lambda: select_update([PLAYER, PLAYER], 2), "different objects"),
    "a class": (lambda: select_update([Player, Player], 2), r"as in Player\(\)"),
    "no such line": (
        lambda: verify.check_privacy(verify.replayed(simulated, rewards_at="bernouli"), BUDGET),
        "no line with it drew any",
    ),
    "no policy": (lambda: verify.check_privacy(verify.replayed(list), BUDGET), "select_arm and update"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_refused_by_name(what):
    asked, said = REFUSED[what]
    with pytest.raises(theory.InvalidInput, match=said):
        asked()


HINTED = {
    "sums of 2": (lambda: theory.Mechanism.finite([1, 1], [2, 0]), "sum to 2 and to 2, not to 1"),
    "a coin keeps it": (lambda: verify.check_delta_correct(lambda *a: None, TWO, 0.9), "a guess keeps it"),
    "no promise": (lambda: verify.check_privacy(private, Budget.pure(np.inf), seconds=0.01), "promises nothing"),
    "rewards beyond 1": (
        lambda: simulate(private(noise(), None), paying(lambda a, n: 9.0 * n), 10, np.random.default_rng(0)),
        "outside of",
    ),
}


@pytest.mark.parametrize("what", HINTED)
def test_it_is_hinted_at(what):
    asked, said = HINTED[what]
    with pytest.warns(UserWarning, match=said), suppress(AttributeError, theory.InvalidInput):  # what comes after it
        asked()


def test_what_is_right_is_taken_in_silence():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert theory.Mechanism.finite([0.5, Fraction(1, 2)], [0.9, 0.1])
        assert theory.sensitivity(lambda r: sum(r), (0, 1), n=3).lower == 1
        assert regret(TWO).verdict != "violation"
        assert int(theory.Enclosure(3, Fraction(7, 2))) == 3
