"""Decisions that turn on few lists, noise that ends late, and generators that are held where a class was defined."""

import copy
import random
from collections import deque
from dataclasses import dataclass, field

import numpy as np
import pytest

from banditproof.theory import Budget
from banditproof.verify import check_privacy, replayed
from banditproof.verify.runs.foreign.draws import FreshTape, exchanged, playing


def verdict(make, seconds=12):
    return check_privacy(replayed(make), Budget.pure(1.0), seconds=seconds).verdict


class Batches:
    """Batches of one arm, whose sums are released: sound, and the base of the others."""

    size = 6

    def __init__(self):
        self.rng = np.random.default_rng()
        self.means, self.arm, self.total, self.count, self.t = [1.0, 1.0], 0, 0.0, 0, 0

    def select_arm(self):
        return self.arm

    def update(self, arm, reward):
        self.t += 1
        self.total += reward
        self.count += 1
        if self.count == self.size:
            self.means[arm] = self.released(self.total) / self.size
            self.total, self.count = 0.0, 0
            self.arm = int(self.means[1] > self.means[0])

    def released(self, total):
        return total + self.rng.laplace()


class Elimination:
    """Phases of all arms that are left; `compared` says what drops one."""

    def __init__(self):
        self.rng, self.active, self.report = np.random.default_rng(), [0, 1, 2], [0.0, 0.0, 0.0]
        self.begin()

    def begin(self):
        self.sums, self.queue = dict.fromkeys(self.active, 0.0), [a for a in self.active for _ in range(7)]

    def select_arm(self):
        return self.queue[0]

    def update(self, arm, reward):
        self.sums[self.queue.pop(0)] += reward
        if not self.queue:
            for a in self.active:
                self.report[a] = self.sums[a] + self.rng.laplace()
            best = max(map(self.compared, self.active))
            self.active = [a for a in self.active if best - self.compared(a) <= 3.4]
            self.begin()

    def compared(self, arm):
        return self.report[arm]


class RawElimination(Elimination):
    def compared(self, arm):
        return self.sums[arm]


class Streak(Batches):
    """Begins again after eleven low rewards in a row."""

    def __init__(self):
        super().__init__()
        self.recent = deque(maxlen=11)

    def update(self, arm, reward):
        super().update(arm, reward)
        self.recent.append(reward)
        if len(self.recent) == 11 and sum(self.recent) < 1.5:
            self.arm = 1 - self.arm
            self.recent.clear()


class Low(Batches):
    """Begins again after two low releases, as it may."""

    def update(self, arm, reward):
        super().update(arm, reward)
        if max(self.means) < 0.1:
            self.means = [1.0, 1.0]


@pytest.mark.parametrize("broken", [RawElimination, Streak])
def test_rewards_are_driven_to_where_a_decision_turns(broken):
    report = check_privacy(replayed(broken), Budget.pure(1.0), seconds=12)
    assert report.violations and report.violations[0].cause == "raw rewards", report


class Late(Batches):
    """No noise from pull 150 on."""

    def released(self, total):
        return total + (self.rng.laplace() if self.t < 150 else 0.0)


class Later(Batches):
    """Noise that was drawn when the policy was made, for each of the batches from pull 150 on: as good as any other."""

    def __init__(self):
        super().__init__()
        self.held = self.rng.laplace(size=100).tolist()

    def released(self, total):
        return total + (self.rng.laplace() if self.t < 150 else self.held[self.t // self.size % 100])


class Again(Batches):
    """Twenty draws, again and again."""

    def __init__(self):
        super().__init__()
        self.held, self.log = self.rng.laplace(size=20).tolist(), []

    def released(self, total):
        self.log.append(total + self.held[len(self.log) % 20])
        return self.log[-1]


@pytest.mark.parametrize("broken", [Late, Again])
def test_noise_that_ends_late_is_found_where_an_arm_shows_it(broken):
    report = check_privacy(replayed(broken), Budget.pure(1.0), seconds=30)
    assert report.violations and len(report.violations[0].rewards) > 100, report


def test_noise_that_was_drawn_long_ago_is_noise():
    assert verdict(Later, 30) != "violation"


class FromOneCopy(Batches):
    def __init__(self):
        super().__init__()
        self.rng = copy.deepcopy(self.rng)


class FromManyCopies(Batches):
    def released(self, total):
        return total + copy.deepcopy(self.rng).laplace()


class FromEqualStates(Batches):
    def __init__(self):
        super().__init__()
        self.rng = random.Random()

    def released(self, total):
        before = self.rng.getstate()
        noisy = total + self.rng.expovariate(1.0) - self.rng.expovariate(1.0)
        self.rng.setstate(before)
        return noisy


_held = np.random.default_rng()


@dataclass
class Held(Batches):
    """A field of a data class, and defaults of parameters, hold what was imported with the class."""

    rng: np.random.Generator = field(default_factory=np.random.default_rng)

    def __post_init__(self):
        rng = self.rng
        super().__init__()
        self.rng = rng

    def released(self, total, *, other=_held):
        return super().released(total) if self.t % 12 else total + other.laplace()


class Choosing:
    """The exponential mechanism after six pulls of each arm, by Python's own choice."""

    def __init__(self):
        self.sums, self.t, self.chosen = [0.0, 0.0], 0, None

    def select_arm(self):
        return self.t % 2 if self.chosen is None else self.chosen

    def update(self, arm, reward):
        self.t += 1
        if self.chosen is None:
            self.sums[arm] += reward
            if self.t == 12:
                self.chosen = random.choices([0, 1], weights=[np.exp(total / 2) for total in self.sums])[0]
        elif self.t == 20:
            self.__init__()


class Signed(Batches):
    """Noise of a width and a sign."""

    def released(self, total):
        width = random.expovariate(1.0)
        return total + (width if random.random() < 0.5 else -width)


class Geometric(Batches):
    """The difference of two geometric variables, which costs -log(1 - p) for each unit."""

    p = 1 - np.exp(-1.0)

    def released(self, total):
        return total + self.rng.geometric(self.p) - self.rng.geometric(self.p)


class Named(Geometric):
    """Its noise has a name, and an arm that was not pulled is the next."""

    def __init__(self):
        super().__init__()
        self.means = np.full(2, 99.0)

    def update(self, arm, reward):
        self.total += reward
        self.count += 1
        if self.count == self.size:
            noise = self.rng.geometric(self.p) - self.rng.geometric(self.p)
            self.means[arm] = (self.total + noise) / self.size
            self.total = self.count = 0
            self.arm = int(self.means.argmax())


class TooNarrow(Geometric):
    p = 1 - np.exp(-1.1)


class Growing(Batches):
    """Batches that become longer than short runs are."""

    @property
    def size(self):
        return min(4 + self.t // 20, 40)


def test_late_stretches_grow_until_a_reward_shows():
    report = check_privacy(replayed(Growing), Budget.pure(1.0), seconds=30)
    assert report.verdict == "ok" and max(last - first for first, last in report.compared) > 100, report


def test_a_copy_draws_the_same_in_fresh_runs_too():
    with exchanged():
        rows = []
        for seed in (0, 1):
            with playing(FreshTape(seed)):
                one, other = np.random.default_rng(), np.random.default_rng()
                copies = [copy.deepcopy(one) for _ in range(2)]
                rows.append([x.normal() for x in (one, *copies, other, copy.deepcopy(other))])
    for one, *copies, other, copied in rows:
        assert copies == [one, one] and copied == other
    assert len({number for row in rows for number in row}) == 4


@pytest.mark.parametrize("broken", [FromManyCopies, FromEqualStates])
def test_copies_and_states_give_the_same_draws(broken):
    assert verdict(broken) == "violation"


def test_what_classes_hold_is_given_back():
    real, held = np.random.Generator, _held
    with exchanged():
        assert Held.released.__kwdefaults__["other"] is not held and type(Held().rng) is not real
    assert Held.released.__kwdefaults__["other"] is held and type(Held().rng) is real


def test_whole_numbered_noise_has_its_exact_price():
    report = check_privacy(replayed(TooNarrow), Budget.pure(1.0), seconds=12, rewards_in={0, 1})
    assert report.violations and "costs epsilon = 1.1" in str(report)


@pytest.mark.parametrize("sound", [Signed, Geometric, Named, Elimination, FromOneCopy, Held, Choosing, Low])
def test_sound_neighbours_pass(sound, seconds):
    """Decisions by released numbers, a width with its sign, whole-numbered noise, one copy, a choice by weights."""
    report = check_privacy(replayed(sound), Budget.pure(1.0), seconds=seconds or 12, rewards_in={0, 1})
    assert report.verdict == "ok" and "leaves the noisy number unchanged" not in str(report), report
    assert report.spent == pytest.approx(1.0, rel=1e-6) or sound is Choosing
