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
from banditproof.verify.testing.adapters import Adapted, history, select_update

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
    return naming(lambda arms, replications: select_update([Player() for _ in range(replications)], arms, **named))


def audited(mechanism):
    return lambda: verify.audit_mechanism(mechanism, BUDGET, samples=200)


def noise():
    return NoiseSource(np.random.default_rng(0))


def answering(answer):
    mechanism = Mechanism("own", lambda value, generator: answer, lambda value, other: 0.0)
    return noise().released(np.array([1.0]), mechanism=mechanism, budget=BUDGET)


PLAYER = Player()
REFUSED = {
    "no output": (audited(lambda world, size, generator: None), r"must be `size` finite numbers, .*, got None"),
    "a history that never stops": (
        naming(lambda arms, replications: history(lambda p, x: 0, arms, replications)),
        "history and select_update take stopped=",
    ),
    "a name of a bug": (lambda: verify.plant("noise halved", private), r"such as PLANTED\['noise halved'\]"),
    "noise of its own": (lambda: verify.finite_kernel(of_its_own, 3), "this policy has another NoiseSource"),
    "for another check": (lambda: regret(TWO, private), r"a function of \(rows, generator\)"),
    "an environment that raises": (
        lambda: regret(paying(lambda arm, count: 1 / 0)),
        "environment must be one whose sum",
    ),
    "a mean that is nan": (
        lambda: regret(paying(lambda a, n: n * 1.0, means=(0.9, np.nan))),
        "environment.means must be 2",
    ),
    "no time": (
        lambda: regret(type("Own", (), {"arms": 2, "means": MEANS, "sum_of_rewards": lambda self, a, n, g: n})()),
        r"def sum_of_rewards\(self, arm, count, generator, \*, time=0\)",
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
    "one player for all runs": (lambda: regret(TWO, lambda rows, g: PLAYER), "creates a new policy at each call"),
    "a slice for a count": (
        lambda: regret(TWO, lambda rows, g: UCB(2, horizon=9, replications=rows)),
        r"rows.stop - rows.start of them, got 'replications=rows'",
    ),
    "a slice as a range": (lambda: regret(TWO, lambda rows, g: [Player() for _ in range(rows)]), "rows.stop - rows"),
    "update(reward), regret": (played(SHORT), r"Own.update must be def update\(self, arm, reward\)"),
    "update of three, regret": (played(LONG), r"Own.update must be def update\(self, arm, reward\)"),
    "select_arm(context), regret": (played(ASKING), r"Own.select_arm must be def select_arm\(self\)"),
    "update(reward), a theorem": (of_a_theorem(SHORT), r"Own.update must be def update\(self, arm, reward\)"),
    "update(reward), an adapter": (lambda: select_update([SHORT()], 2), r"must be def update\(self, arm, reward\)"),
    "update(reward, arm)": (
        lambda: select_update([like(update=lambda self, reward, arm: None)()], 2),
        r"told \(arm, reward\), in this order",
    ),
    "choose()": (
        lambda: Adapted([PLAYER], 2, lambda: 0, lambda p, a, r: None),
        r"choose must be a function of \(player",
    ),
    "hear(arm, reward)": (lambda: Adapted([PLAYER], 2, lambda p: 0, lambda a, r: None), "hear must be a function of"),
    "a clock of replications as one of arms": (
        lambda: simulate(like(EpisodicUCB, score=square)(2, replications=2), TWO, 9, np.random.default_rng(0)),
        r"write self.clock\[:, np.newaxis\]",
    ),
    "no return, replayed": (
        lambda: verify.check_privacy(verify.replayed(like(select_arm=lambda self: None)), BUDGET, seconds=1),
        "a function without a return answers None",
    ),
    "score(means), regret": (
        lambda: regret(TWO, lambda rows, g: Mine(2, replications=rows.stop - rows.start)),
        r"Mine.score\(\) takes 2 positional arguments",
    ),
    "score(means), privacy": (
        lambda: verify.check_privacy(lambda noise, g: Mine(2, BUDGET, noise), BUDGET, seconds=1),
        r"Mine.score\(\) takes 2 positional arguments",
    ),
    "no super().__init__, simulated": (
        lambda: simulate(Bare(2), TWO, 9, np.random.default_rng(0)),
        r"calls super\(\).__init__\(arms\)",
    ),
    "no super().__init__, regret": (lambda: regret(TWO, lambda rows, g: Bare(2)), r"calls super\(\).__init__\(arms\)"),
    "no super().__init__, named": (naming(Bare), r"make_strategy must be a policy whose __init__ calls super"),
    "observe(reward), named": (
        naming(like(Coins, observe=lambda self, reward: None)),
        r"def observe\(self, total, count",
    ),
    "stopped()": (naming(like(Coins, stopped=lambda self: True)), "stopped must be an attribute or a property"),
    "an arm in text": (naming(like(Coins, recommendation="a")), r"recommendation must be \d+ arms"),
    "another name": (adapted(stopped="stoped", recommend="stopped"), "did you mean stopped"),
    "a method with arguments": (adapted(stopped="update", recommend="stopped"), r"must be def update\(self\)"),
    "a player of strategies": (naming(lambda arms, replications: Player()), "make_strategy must be a function"),
    "no dictionary": (of_a_theorem(Player, instances=[[0.7, 0.5]]), r'such as {"two arms": \(0.7, 0.5\)}'),
    "instances of equal arms": (
        of_a_theorem(Player, instances={"a": (0.5, 0.5)}),
        "instances must be means of which two",
    ),
    "instances above 1": (of_a_theorem(Player, instances={"a": (1.5, 0.5)}), r"instances must be means in \[0, 1\]"),
    "a class of policies": (audited(Player), "a policy is checked by check_privacy"),
    "a generator that is the world": (
        audited(lambda g, n, w: g.laplace(w, 1, n)),
        "the input, how many outputs, .* AttributeError: 'int' object has no attribute 'laplace'",
    ),
    "labels that are alike": (lambda: select_update([PLAYER], ["a", "a"]), "labels for them, all different"),
    "a number in text": (lambda: select_update([PLAYER], "2"), "arms must be their number"),
    "half an arm": (lambda: select_update([PLAYER], 0.5), "arms must be their number"),
    "arms below 1": (lambda: select_update([PLAYER], -1), "arms must be an integer, at least 1, got -1"),
    "a list of players": (lambda: regret(TWO, lambda rows, g: [Player()]), "make_policies must be"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_refused_by_name(what):
    asked, said = REFUSED[what]
    with pytest.raises(theory.InvalidInput, match=said):
        asked()


HINTED = {
    "NumPy's own generator": (
        audited(lambda world, size, generator: np.random.laplace(world, 1, size)),  # noqa: NPY002
        "draws from something else than the generator",
    ),
    "a new generator": (
        audited(lambda world, size, generator: np.random.default_rng().laplace(world, 1, size)),
        "draws from something else than the generator",
    ),
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
        assert audited(lambda world, size, generator: generator.integers(2, size=size))().verdict != "violation"
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
