"""What users' functions and objects answer is looked at where it comes in, and said by name; nobody else is accused."""

import random
import warnings
from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest

from banditproof import theory, verify
from banditproof.algorithms import AdaPUCB, BernoulliBandit, EpisodicUCB, NoiseSource, Policy, simulate
from banditproof.algorithms.finite.index import UCB
from banditproof.algorithms.noise import Mechanism
from banditproof.theory import Budget
from banditproof.verify.testing import adapters
from tests.cases import rows, texts

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


RNG, MEANS = np.random.default_rng(0), np.array([0.9, 0.1])


def simulated_in(answer, **named):
    return lambda: simulate(UCB(2, horizon=90), paying(answer, **named), 90, np.random.default_rng(0))


def regret(environment, make=policies):
    return verify.check_regret(make, environment, 100, 50, seconds=0.2)


def simulated():
    arms, sums = [], [0.0, 0.0]
    for _ in range(4):
        arms.append(int(np.argmax(sums)))
        sums[arms[-1]] += random.random() < 0.5
    return arms


class Player:
    stopped = 0

    def select_arm(self):
        return 0

    def update(self, arm, reward):
        pass


def like(kind=Player, **changed):
    return type("Own", (kind,), changed)


class Mine(EpisodicUCB):
    def score(self, means):
        return means


def square(self, means, samples):
    return means + np.log(self.clock) / samples


class Coins(Policy):
    """Names arm 0 after five pulls."""

    def __init__(self, arms, replications=1):
        super().__init__(arms, replications)
        self.time = 0

    def next_batch(self):
        return np.zeros(self.replications, int), np.ones(self.replications, int)

    def observe(self, total, count, arm=None):
        self.time += 1

    stopped = property(lambda self: np.full(self.replications, self.time > 5))
    recommendation = property(lambda self: np.zeros(self.replications, int))


Bare = like(Coins, __init__=lambda self, *given: None)
SHORT, LONG = (like(update=lambda self, reward: None), like(update=lambda self, arm, reward, context: None))
ASKING = like(select_arm=lambda self, context: 0)


def played(kind):
    """The check of regret, and of a theorem, of such players."""
    return lambda: regret(TWO, lambda rows, generator: kind())


def of_a_theorem(kind, **options):
    make = lambda arms, budget, horizon, noise, generator, replications: kind()  # noqa: E731
    return lambda: verify.check_theorem(make, "adap-ucb", budgets=[BUDGET], seconds=1, **options)


def naming(make, environments=TWO):
    return lambda: verify.check_delta_correct(
        lambda arms, generator, replications: make(arms, replications), environments, 0.1, seconds=1
    )


def adapted(**named):
    return naming(lambda arms, rows: adapters.select_update([Player() for _ in range(rows)], arms, **named))


def audited(mechanism):
    return lambda: verify.audit_mechanism(mechanism, BUDGET, samples=200)


def noise():
    return NoiseSource(np.random.default_rng(0))


def answering(answer):
    mechanism = Mechanism("own", lambda value, generator: answer, lambda value, other: 0.0)
    return noise().released(np.array([1.0]), mechanism=mechanism, budget=BUDGET)


PLAYER = Player()
REFUSED = {what: asked for what, *asked in rows(texts(__file__)["refused"])}  # in the names of this file


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_refused_by_name(what):
    asked, said = REFUSED[what]
    with pytest.raises(theory.InvalidInput, match=said):
        eval(asked)


HINTED = {
    "NumPy's own generator": (
        audited(lambda world, size, generator: np.random.laplace(world, 1, size)),  # noqa: NPY002
        "draws from something else than the generator",
    ),
    "a new generator": (
        audited(lambda world, size, generator: np.random.default_rng().laplace(world, 1, size)),
        "draws from something else than the generator",
    ),
    "no input": (audited(lambda world, size, generator: generator.laplace(0, 1, size)), "does the mechanism use its"),
    "sums of 2": (lambda: theory.Mechanism.finite([1, 1], [2, 0]), "sum to 2 and to 2, not to 1"),
    "a coin keeps it": (lambda: verify.check_delta_correct(lambda *a: None, TWO, 0.9), "a guess keeps it"),
    "no promise": (lambda: verify.check_privacy(private, Budget.pure(np.inf), seconds=0.01), "promises nothing"),
    "rewards beyond 1": (
        lambda: simulate(private(noise(), None), paying(lambda a, n: 9.0 * n), 10, np.random.default_rng(0)),
        "outside of",
    ),
    "one reward for a sum": (simulated_in(lambda a, n: RNG.binomial(1, MEANS[a]) * 1.0), "pays arm 0 0.45 a pull"),
    "a mean for a sum": (simulated_in(lambda a, n: RNG.binomial(n, MEANS[a]) / n), "arm 0 0.45 a pull, .* says 0.9"),
    "means in another order": (simulated_in(lambda a, n: RNG.binomial(n, MEANS[1 - a]) * 1.0), "pays arm 0 0.1 a p"),
    "means in percent": (simulated_in(lambda a, n: RNG.binomial(n, MEANS[a]) * 1.0, means=(90, 10)), "means says 90"),
    "another horizon": (
        lambda: simulate(UCB(2, horizon=9), TWO, 90, np.random.default_rng(0)),
        "made for horizon = 9, and plays 90 pulls",
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
        assert simulated_in(lambda arm, count: np.random.binomial(count, MEANS[arm]) * 1.0)()  # noqa: NPY002
        assert simulated_in(lambda arm, count: np.random.normal(count * MEANS[arm], np.sqrt(count)))()  # noqa: NPY002
        assert simulated_in(lambda arm, count: RNG.binomial(count, MEANS[arm]) * np.ones(1)[: 2 - arm.size])()
        assert simulate(UCB(2, horizon=90), TWO, 9, np.random.default_rng(0))
        assert regret(TWO, lambda rows, generator: Player()).verdict != "violation"
        assert (
            audited(lambda world, size, generator: (world + generator.integers(2, size=size)) % 2)().verdict
            != "violation"
        )
        assert EpisodicUCB(2).budget.epsilon == np.inf
        assert int(theory.Enclosure(3, Fraction(7, 2))) == 3


def test_a_look_at_the_rewards_changes_no_result():
    def drawn(environment):
        np.random.seed(0)  # noqa: NPY002
        return simulate(UCB(2, horizon=90), environment, 90, np.random.default_rng(0)).pulls.tolist()

    def sums(self, arm, count, generator, *, time=0):
        self.asked += 1
        return np.random.binomial(count, MEANS[arm]) * (self.asked < 50.0)  # noqa: NPY002

    own = type("Own", (), {"arms": 2, "means": MEANS, "asked": 0, "sum_of_rewards": sums})
    looked_at, unseen = own(), type("Unseen", (own,), {"__module__": "banditproof.own"})()
    assert drawn(looked_at) == drawn(unseen) and looked_at.asked == unseen.asked == 90
