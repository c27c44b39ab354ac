"""Seeds that a program gives itself, and those that come from outside."""

import hashlib
import os
import random
import secrets
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from banditproof.theory import Budget
from banditproof.verify import check_privacy, replayed
from banditproof.verify.runs.foreign.draws import exchanged, is_seeded
from banditproof.verify.runs.foreign.policies import Stage

START = 17
FIXED = np.random.default_rng(START)
GIVEN = np.random.default_rng(START)
FREE = np.random.default_rng()


class Deciding:
    """Sums of eight rewards; the arm changes where a noisy sum is low, and no number is kept."""

    def __init__(self):
        self.epoch, self.arm, self.total, self.count = 0, 0, 0.0, 0

    def select_arm(self):
        return self.arm

    def update(self, arm, reward):
        self.total += reward
        self.count += 1
        if self.count == 8:
            self.epoch += 1
            if self.total + self.noise(arm) < 4:
                self.arm = 1 - arm
            self.total, self.count = 0.0, 0


class ByTheEpoch(Deciding):
    def noise(self, arm):
        return np.random.default_rng(self.epoch).laplace(0, 1)


class ByTheArm(Deciding):
    def noise(self, arm):
        return random.Random(f"{arm} {self.epoch}").expovariate(1) - random.Random(START + arm).expovariate(1)


class ByTheArmThatWasTold(Deciding):
    """Where arms come from, plays no part: the arm that is told has been played, and is known."""

    def update(self, arm, reward):
        self.name = f"{arm} {self.epoch}"
        super().update(arm, reward)
        if not self.count and random.random() < 0.1:
            self.arm = random.randrange(2)

    def noise(self, _):
        return random.Random(self.name).expovariate(1) - random.Random(self.name[::-1]).expovariate(1)


class ByTheArmAndTheSystem(ByTheArmThatWasTold):
    def noise(self, arm):
        self.name += str(os.urandom(8))
        return super().noise(arm)


def laplace_of(scale, *parts):
    return np.random.default_rng(list(parts)).laplace(0.0, scale)


@dataclass
class ByAField(Deciding):
    """What scales the noise is given, and what seeds it counts."""

    epsilon: float
    epoch: int = 0
    arm: int = 0
    total: float = 0.0
    count: int = 0

    def noise(self, arm):
        return laplace_of(1 / self.epsilon, arm, self.epoch)


class ByCounters(Deciding):
    """Whoever runs it says how many arms there are, and their counters begin with zeros."""

    def __init__(self, arms=2):
        super().__init__()
        self.releases, self.switches = np.zeros(arms, dtype=int), [0] * arms

    def noise(self, arm):
        self.releases[arm] += 1
        return np.random.default_rng(START * arm + int(self.releases[arm]) + self.switches[arm]).laplace(0, 1)


class ByAnOldState(Deciding):
    def noise(self, arm):
        state = np.random.RandomState(START * self.epoch)
        return state.exponential() - state.exponential()


class ByAChild(Deciding):
    def noise(self, arm):
        bits = np.random.PCG64(np.random.SeedSequence([START, self.epoch]))
        return np.random.Generator(bits).spawn(2)[1].laplace()


class BySeedingAll(Deciding):
    def noise(self, arm):
        random.seed(self.epoch)
        return random.expovariate(1) - random.expovariate(1)


class ByAHelper(Deciding):
    class Noise:
        def __init__(self, number):
            self.rng = np.random.default_rng(number)

        def __call__(self):
            return self.rng.laplace()

    def __init__(self):
        super().__init__()
        self.source = self.Noise(2 * START)

    def noise(self, arm):
        return self.source()


class ByTheModule(Deciding):
    def noise(self, arm):
        return FIXED.laplace()


class ByItsClass(Deciding):
    rng = random.Random(START)

    def noise(self, arm):
        return self.rng.expovariate(1) - self.rng.expovariate(1)


class ByAHash(Deciding):
    def noise(self, arm):
        word = hashlib.sha256(f"{START} {self.epoch}".encode()).digest()
        share = (int.from_bytes(word[:6], "big") + 0.5) / 2**48 - 0.5
        return -np.sign(share) * np.log(1 - 2 * abs(share))


class ByACongruence(Deciding):
    state = 12345

    def noise(self, arm):
        self.state = (1103515245 * self.state + 12345) % 2**31
        share = (self.state + 0.5) / 2**31 - 0.5
        return -np.sign(share) * np.log(1 - 2 * abs(share))


class ByAKey(Deciding):
    def __init__(self, key=b"k"):
        super().__init__()
        self.key = key

    def noise(self, arm):
        share = (int.from_bytes(hashlib.sha256(self.key + bytes([self.epoch])).digest()[:6], "big") + 0.5) / 2**48 - 0.5
        return -np.sign(share) * np.log(1 - 2 * abs(share))


class ByNoKey(ByAKey):
    """It is given a key, which it does not use."""

    def noise(self, arm):
        return 0.0


class BySystem(Deciding):
    def noise(self, arm):
        return np.random.default_rng().laplace(0, 1)


class ByBytes(Deciding):
    def __init__(self):
        super().__init__()
        self.salt = int.from_bytes(os.urandom(8), "big")

    def noise(self, arm):
        return np.random.default_rng([self.salt, self.epoch]).laplace(0, 1)


class BySecret(Deciding):
    def __init__(self):
        super().__init__()
        self.rng = random.Random(secrets.randbits(64))

    def noise(self, arm):
        return self.rng.expovariate(1) - self.rng.expovariate(1)


class ByTheSystemsGenerator(Deciding):
    rng = random.SystemRandom()

    def noise(self, arm):
        return self.rng.expovariate(1) - self.rng.expovariate(1)


class ByAnotherGenerator(Deciding):
    def __init__(self):
        super().__init__()
        self.root = np.random.default_rng()

    def noise(self, arm):
        return np.random.default_rng([self.root.integers(2**60), self.epoch]).laplace(0, 1)


class ByCaller(Deciding):
    def __init__(self, start=START):
        super().__init__()
        self.start = start

    def noise(self, arm):
        return np.random.default_rng([self.start, self.epoch]).laplace(0, 1)


class ByAGenerator(Deciding):
    def __init__(self, rng):
        super().__init__()
        self.rng = rng

    def noise(self, arm):
        return self.rng.laplace()


class Cloning(ByAGenerator):
    """Its file makes some of them by a constant, and whoever runs it may give another seed."""

    def __init__(self, begin=START):
        super().__init__(None)
        self.begin = begin

    def other(self):
        return Cloning(2 * START)

    def noise(self, arm):
        return np.random.default_rng([self.begin, self.epoch]).laplace()


class ByALength(Deciding):
    def __init__(self, start=START):
        super().__init__()
        self.zeros = [0] * start

    def noise(self, arm):
        return np.random.default_rng([len(self.zeros), self.epoch]).laplace(0, 1)


class ByTheProcess(Deciding):
    def noise(self, arm):
        return np.random.default_rng(os.getpid() + self.epoch).laplace(0, 1)


class SeededCoin(BySystem):
    """Only what has nothing to do with rewards is the same in every run."""

    def __init__(self):
        super().__init__()
        self.coin = random.Random(0)

    def select_arm(self):
        return int(self.coin.random() < 0.5) if self.coin.random() < 0.1 else self.arm


def function_with_a_seed():
    return ByCaller(3)


HELD = (ByTheModule, ByItsClass)
OWN = (*HELD, ByTheEpoch, ByTheArm, ByCounters, ByAnOldState, ByAChild, BySeedingAll, ByAHelper)


@pytest.mark.one_in(24)
@pytest.mark.parametrize("policy", [*OWN, ByAHash, ByACongruence, ByNoKey, ByTheArmThatWasTold, partial(ByAField, 1.0)])
@pytest.mark.parametrize("within", [False, True])
def test_noise_that_is_the_same_in_every_run_hides_nothing(policy, within, seconds):
    """Whether its class or a function makes the policy."""
    report = check_privacy(replayed((lambda: policy()) if within else policy), Budget.pure(1.0), seconds=seconds)
    assert report.verdict == "violation", report
    assert policy not in OWN or "follows from the seed" in report.violations[0].reason


@pytest.mark.parametrize(
    "policy, verdicts",
    [
        (BySystem, {"ok"}),
        (ByTheSystemsGenerator, {"ok"}),
        (ByBytes, {"ok"}),
        (ByTheArmAndTheSystem, {"ok", "inconclusive"}),
        (BySecret, {"ok"}),
        (ByAnotherGenerator, {"ok", "inconclusive"}),
        (SeededCoin, {"ok"}),
        (ByCaller, {"inconclusive"}),
        (partial(ByCaller, 5), {"inconclusive"}),
        (function_with_a_seed, {"inconclusive"}),
        (ByTheProcess, {"inconclusive"}),
        (ByALength, {"inconclusive"}),
        (Cloning, {"inconclusive"}),
        (lambda: ByAGenerator(FREE), {"ok"}),
        (lambda: ByAGenerator(GIVEN), {"ok", "inconclusive"}),
        (ByAKey, {"inconclusive"}),
        (lambda: ByAKey(secrets.token_bytes(8)), {"inconclusive"}),
        (lambda: ByAField(1.0, 5), {"inconclusive"}),
    ],
)
def test_a_seed_from_outside_is_not_accused(policy, verdicts, seconds):
    report = check_privacy(replayed(policy), Budget.pure(1.0), seconds=seconds)
    assert report.verdict in verdicts, report


@pytest.mark.parametrize("policy", [*(made for made in OWN if made not in HELD), ByAHash, ByACongruence])
def test_what_a_seed_of_the_program_draws_is_what_it_draws_without_the_check(policy):
    rewards = tuple(np.random.default_rng(1).random(64).tolist())

    def arms():
        made, asked = policy(), []
        for reward in rewards:
            asked.append(made.select_arm())
            made.update(asked[-1], reward)
        return tuple(asked)

    real = arms()
    with exchanged():
        stage = Stage(replayed(policy))
        runs = [stage.play(rewards, seed, bare=True).actions[:64] for seed in (1, 2)]
        assert [*runs, stage.fresh(rewards, 63, 5)] == [real] * 3


@pytest.mark.parametrize("second, told", [(1, False), (0, True)], ids=["children", "one child twice"])
def test_children_of_what_nobody_seeded_are_not_seeded_and_give_one_generator_each(second, told):
    class Draws:
        def __init__(self):
            children = np.random.SeedSequence().spawn(2)
            self.one, self.two = (np.random.default_rng(children[k]) for k in (0, second))

        def select_arm(self):
            return int(self.one.laplace() + self.two.laplace() > 0)

        def update(self, arm, reward):
            pass

    with exchanged():
        tape = Stage(replayed(Draws)).play((1.0, 0.0), 0).tape
    assert bool(tape.told) == told and not any(is_seeded(draw.name) for draw in tape.draws)
