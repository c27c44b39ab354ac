"""Policies that are written or handed over in another way than expected: what is said shows the way that is right."""

import numpy as np
import pytest

from banditproof.algorithms import BernoulliBandit, EpisodicUCB, Policy, simulate
from banditproof.theory import Budget, InvalidInput
from banditproof.verify import check_privacy, replayed
from banditproof.verify.runs.recorder import record
from banditproof.verify.testing.adapters import select_update

BUDGET = Budget.pure(1.0)
RIGHT_BATCH = "return np.array([arm]), np.array([1])"
RIGHT_OBSERVE = "def observe(self, total, count, arm=None)"
RIGHT_LAPLACE = "noise.laplace(total, sensitivity=1, budget=Budget.pure(1.0), records=(start, stop))"


class Sound(Policy):
    def __init__(self, arms, noise, generator=None):
        super().__init__(arms)
        self.noise, self.clock = noise, 0

    def next_batch(self):
        return np.array([self.clock % self.arms]), np.array([1])

    def observe(self, total, count, arm=None):
        self.noise.laplace(total, sensitivity=1, budget=BUDGET, records=(self.clock, self.clock + 1))
        self.clock += 1


def with_method(name, method):
    return lambda noise, generator: type("Own", (Sound,), {name: method})(2, noise)


def batch(answer):
    return with_method("next_batch", lambda self: answer)


def releasing(call):
    return with_method("observe", lambda self, total, count, arm=None: call(self.noise, total))


class Foreign:
    def __init__(self):
        self.generator, self.sums = np.random.default_rng(), np.zeros(2)

    def select_arm(self):
        return int(np.argmax(self.sums))

    def update(self, arm, reward):
        self.sums[arm] += reward + self.generator.laplace(0, 1)


def foreign(**methods):
    return replayed(type("Theirs", (Foreign,), methods))


def forgotten(noise, generator):
    return type("Own", (Sound,), {"__init__": lambda self: None})()


def scored(score, **kept):
    def make(noise, generator):
        policy = type("Own", (EpisodicUCB,), {"kinds": ("pure",), "score": score})(2, BUDGET, noise)
        vars(policy).update(kept)
        return policy

    return make


class ThreeArguments(Sound):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise)


WRONG = {
    "batch of one array": (batch(np.array([0])), RIGHT_BATCH),
    "batch of nothing": (batch(None), RIGHT_BATCH),
    "batch of a number": (batch(0), RIGHT_BATCH),
    "batch of numbers": (batch((0, 1)), RIGHT_BATCH),
    "batch of lists": (batch(([0], [1])), RIGHT_BATCH),
    "batch of three": (batch((np.array([0]), np.array([1]), 1)), RIGHT_BATCH),
    "batch of floats": (batch((np.array([0.0]), np.array([1]))), RIGHT_BATCH),
    "batch of text": (batch("ab"), RIGHT_BATCH),
    "counts before arms": (batch((np.array([1]), np.array([0]))), "next_batch returns the arms, counted from 0, and"),
    "score(means)": (scored(lambda self, means: means), "def score(self, means, samples)"),
    "a name of the class": (scored(None, samples=0), "Own.samples must be one entry per replication"),
    "a name of the class, for two": (scored(None, samples=np.zeros(2)), "one entry per replication (1)"),
    "next_batch asks": (with_method("next_batch", lambda self, time: None), "def next_batch(self)"),
    "next_batch is none": (with_method("next_batch", None), "def next_batch(self)"),
    "observe(arm, reward)": (with_method("observe", lambda self, arm, reward: None), RIGHT_OBSERVE),
    "observe(reward)": (with_method("observe", lambda self, reward: None), RIGHT_OBSERVE),
    "observe()": (with_method("observe", lambda self: None), RIGHT_OBSERVE),
    "observe of four": (with_method("observe", lambda self, total, count, arm, reward: None), RIGHT_OBSERVE),
    "observe is none": (with_method("observe", None), RIGHT_OBSERVE),
    "no super().__init__": (forgotten, "super().__init__(arms)"),
    "laplace(0, 1.0)": (releasing(lambda noise, total: noise.laplace(0, 1.0)), RIGHT_LAPLACE),
    "laplace of three": (releasing(lambda noise, total: noise.laplace(total, 1.0, BUDGET)), RIGHT_LAPLACE),
    "laplace(scale=)": (releasing(lambda noise, total: noise.laplace(total, scale=1.0)), RIGHT_LAPLACE),
    "laplace(epsilon=)": (
        releasing(lambda noise, total: noise.laplace(total, sensitivity=1, epsilon=1.0)),
        RIGHT_LAPLACE,
    ),
    "laplace without budget": (releasing(lambda noise, total: noise.laplace(total, sensitivity=1)), RIGHT_LAPLACE),
    "laplace of a number as budget": (
        releasing(lambda noise, total: noise.laplace(total, sensitivity=1, budget=1.0)),
        "Budget.pure(1.0)",
    ),
    "gaussian(total, 1.0)": (releasing(lambda noise, total: noise.gaussian(total, 1.0)), "Budget.zcdp(0.5)"),
    "records of one number": (
        releasing(lambda noise, total: noise.laplace(total, sensitivity=1, budget=BUDGET, records=3)),
        "(start, stop)",
    ),
    "noise.normal": (releasing(lambda noise, total: noise.normal(total)), RIGHT_LAPLACE),
    "make()": (lambda: None, "lambda noise, generator: MyPolicy(3, noise, generator)"),
    "a class": (ThreeArguments, "lambda noise, generator: MyPolicy(3, noise, generator)"),
    "a policy": (Sound(2, None), "lambda noise, generator: MyPolicy(3, noise, generator)"),
    "a policy of another library": (lambda noise, generator: Foreign(), "is checked by replayed(make)"),
    "select_arm asks": (foreign(select_arm=lambda self, time: 0), "choose=lambda policy: ..."),
    "update(reward)": (foreign(update=lambda self, reward: None), "hear=lambda policy, arm, reward: ..."),
}
OF_REPLAYED = {
    "with arguments": ({"make": lambda noise, generator: Foreign()}, "lambda: MyPolicy(3, epsilon=1.0)"),
    "a class with arguments": ({"make": Sound}, "lambda: MyPolicy(3, epsilon=1.0)"),
    "an object": ({"make": Foreign()}, "a function that builds a fresh policy"),
    "choose()": ({"make": Foreign, "choose": lambda: 0, "hear": lambda p, a, r: None}, "lambda policy: ..."),
    "hear(arm, reward)": ({"make": Foreign, "choose": lambda p: 0, "hear": lambda a, r: None}, "policy, arm, reward"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_called_wrong_is_told_how_it_is_called(name):
    make, right = WRONG[name]
    with pytest.raises((InvalidInput, AttributeError, TypeError)) as error:
        check_privacy(make, BUDGET, seconds=0.2)
    assert right in "\n".join([str(error.value), *getattr(error.value, "__notes__", [])])


@pytest.mark.parametrize("name", OF_REPLAYED)
def test_replayed_says_what_it_takes(name):
    given, right = OF_REPLAYED[name]
    with pytest.raises(InvalidInput) as error:
        replayed(**given)
    assert right in str(error.value)


def test_what_is_right_is_let_in():
    told = {"observe": lambda self, total, count: setattr(self, "clock", self.clock + 1)}
    for kind in (Sound, type("Short", (Sound,), told), type("Named", (Sound,), {"observe": lambda self, *heard: None})):
        run = record(lambda noise, generator, kind=kind: kind(2, noise), (0.0, 1.0, 0.5), seed=0)
        assert len(run.actions) == 3


class Bare(EpisodicUCB):
    kinds = ("pure",)


def test_a_class_without_a_method_of_its_own_is_told_so():
    report = check_privacy(lambda noise, generator: Bare(2, BUDGET, noise), BUDGET, seconds=0.5)
    assert report.verdict != "ok" and "Bare has no method of its own (write what it does, such as score" in str(report)


def test_the_simulator_says_it_too():
    policy = with_method("observe", lambda self, arm, reward: None)(None, None)
    with pytest.raises(InvalidInput, match="def observe"):
        simulate(policy, BernoulliBandit([0.5, 0.4]), 10, np.random.default_rng(0))


def test_noise_drawn_by_hand_beside_an_adapter_names_the_cure():
    report = check_privacy(lambda noise, generator: select_update(ByHand(), 2), BUDGET, seconds=1)
    assert report.verdict == "violation" and "replayed(make) of banditproof.verify" in str(report)


class ByHand(Foreign):
    def update(self, arm, reward):
        rng = self.generator
        self.sums[arm] += reward + rng.laplace(0, 1)
