"""Policies of others as they are: recorded, replayed, solved for, and what is said of them."""
# ruff: noqa: NPY002  (others draw with the functions of numpy.random)

import importlib.util
import random
import re
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from banditproof.theory import Budget
from banditproof.theory.errors import InvalidInput
from banditproof.verify import assert_private, check_privacy, replayed, stopwatch
from banditproof.verify.runs.foreign.draws import Tape, exchanged, playing

PATH = Path(__file__).parents[3] / "benchmarks" / "foreign.py"
spec = importlib.util.spec_from_file_location("foreign_benchmark", PATH)
benchmark = sys.modules["foreign_benchmark"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(benchmark)

ONE = Budget.pure(1.0)
UNDECIDED = {"broken_every_round"}  # its noisy numbers are dropped, and may be charged for less than each
SOUND = [name for name in benchmark.POLICIES if name.startswith("sound")]
BROKEN = [name for name in benchmark.POLICIES if name not in SOUND]


@pytest.mark.parametrize("name", BROKEN)
def test_broken_policies_of_strangers_are_found_with_their_line(name):
    report = benchmark.checked_file(name, seconds=10)  # where a slow machine counts less work, too
    if name in UNDECIDED:
        assert report.verdict == "inconclusive"
    else:
        assert report.verdict == "violation", report
        assert benchmark.line_is_right(name, report), report


@pytest.mark.parametrize("name", SOUND)
def test_sound_policies_of_strangers_are_not_called_broken(name):
    assert benchmark.checked_file(name, seconds=1.5).verdict != "violation"


def test_a_seed_gives_the_same_report_on_a_busy_machine_and_under_a_tracer(monkeypatch):
    def said(slower):
        monkeypatch.setattr(stopwatch, "thread_time", lambda: slower * time.thread_time())
        monkeypatch.setattr(stopwatch, "monotonic", lambda: slower * time.monotonic())
        return re.sub(r"[0-9.]+ s$", "", str(benchmark.checked_file("sound_phases", seconds=0.5)), flags=re.MULTILINE)

    idle = said(0.1)
    assert idle.startswith("nothing found") and idle == said(1.5)
    before = sys.gettrace()
    sys.settrace(lambda frame, event, argument: None)  # of a coverage tool, or of a debugger
    try:
        assert said(1.0) == idle
    finally:
        sys.settrace(before)
    assert "the clock cut" in said(1000)


class Leader:
    """A private leader with batches of four, told otherwise by the classes below it."""

    def __init__(self, scale=1.0):
        self.scale, self.arm, self.batch, self.means = scale, 0, [], [9.0, 9.0]

    def noise(self):
        return np.random.laplace(0, self.scale)

    def select_arm(self):
        return self.arm

    def update(self, arm, reward):
        self.batch.append(reward)
        if len(self.batch) == 4:
            self.learn(arm, sum(self.batch))
            self.batch = []
            self.arm = self.means.index(max(self.means))

    def learn(self, arm, total):
        self.means[arm] = (total + self.noise()) / 4


class Geometric(Leader):
    def noise(self):
        return np.random.geometric(0.63) - np.random.geometric(0.63)


class Logging(Leader):
    def learn(self, arm, total):
        noisy = total + self.noise()
        self.error, self.ratio = noisy - total, (noisy + 1) / (total + 1)
        self.means[arm] = noisy / 4


class Piling(Leader):
    """Rewards pile up on a noisy sum; only what was released decides."""

    def __init__(self):
        super().__init__()
        self.sums, self.clock = [0.0, 0.0], 0

    def update(self, arm, reward):
        self.sums[arm] += reward
        self.clock += 1
        if self.clock % 4 == 0:
            self.sums[arm] += self.noise()
            self.means[arm] = self.sums[arm]
            self.arm = self.means.index(max(self.means))


class TwoDraws(Leader):
    """A first sum with little noise is never used, only one with more."""

    def learn(self, arm, total):
        self.first = total + random.gauss(0, 1)
        self.means[arm] = self.first + random.gauss(0, 3)


@pytest.mark.parametrize(
    ("kind", "budget"), [(Geometric, ONE), (Logging, ONE), (Piling, ONE), (TwoDraws, Budget.zcdp(0.05))]
)
def test_what_cannot_be_decided_is_inconclusive_and_says_why(kind, budget):
    report = check_privacy(replayed(kind), budget, seconds=1.5)
    assert report.verdict == "inconclusive"
    assert report.missing and all(sentence[0].islower() or " " in sentence for sentence in report.missing)


def test_the_price_of_noise_is_that_of_its_scale():
    report = check_privacy(replayed(Leader), ONE, seconds=2)
    assert report.ok and report.spent == pytest.approx(1, rel=1e-4)
    half = check_privacy(replayed(lambda: Leader(0.5)), ONE, seconds=2)
    assert half.violations[0].cause == "budget" and "= 2, more than 1" in half.violations[0].reason
    assert_private(replayed(Leader), ONE, seconds=2)


def test_noise_from_elsewhere_is_never_ok():
    class Elsewhere(Leader):
        def noise(self):
            return random.SystemRandom().gauss(0, 1)

    assert check_privacy(replayed(Elsewhere), ONE, seconds=1).verdict == "inconclusive"


def test_a_policy_with_other_methods_needs_to_be_told_how_it_is_asked():
    with pytest.raises(InvalidInput, match="choose"):
        check_privacy(replayed(object), ONE, seconds=1)
    with pytest.raises(InvalidInput, match="both"):
        replayed(Leader, choose=Leader.select_arm)
    asked = replayed(Leader, choose=Leader.select_arm, hear=Leader.update)
    assert check_privacy(asked, ONE, seconds=1).verdict == check_privacy(replayed(Leader), ONE, seconds=1).verdict


def test_draws_of_every_kind_are_replayed_and_the_modules_are_put_back():
    before = random.random, np.random.laplace, np.random.default_rng, random.Random

    def drawn():
        fresh, seeded, legacy = np.random.default_rng(), random.Random(3), np.random.RandomState(3)
        numbers = [random.random(), random.gauss(1, 2), np.random.laplace(size=2).tolist(), fresh.normal()]
        numbers += [seeded.expovariate(2), legacy.uniform(1, 2), random.choice([1, 2, 3]), fresh.integers(9)]
        random.seed(5)
        first = random.random()
        random.seed(5)
        return numbers, first == random.random()

    with exchanged():
        runs = []
        for seed in (0, 0, 1):
            with playing(Tape(seed)):
                runs.append(drawn())
    assert runs[0] == runs[1] and runs[0][0] != runs[2][0] and runs[0][1]
    assert before == (random.random, np.random.laplace, np.random.default_rng, random.Random)
