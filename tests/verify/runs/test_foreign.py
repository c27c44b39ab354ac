"""Policies of others as they are: recorded, replayed, solved for, and what is said of them."""
# ruff: noqa: NPY002  (others draw with the functions of numpy.random)

import ast
import copy
import gc
import math
import os
import pickle
import random
import re
import sys
import time
from functools import partial
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from banditproof.theory import Budget
from banditproof.theory.errors import InvalidInput
from banditproof.verify import PLANTED, assert_private, check_privacy, plant, replayed, stopwatch
from banditproof.verify.runs.foreign import check as foreign
from banditproof.verify.runs.foreign import coins
from banditproof.verify.runs.foreign.check import ForeignCheck
from banditproof.verify.runs.foreign.draws import Tape, exchanged, playing
from banditproof.verify.runs.foreign.policies import NO_ARM, Stage
from banditproof.verify.runs.foreign.solving import Solver
from banditproof.verify.runs.foreign.steps import told_beside_steps
from banditproof.verify.thresholds import Thresholds

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))
benchmark = import_module("foreign")
POLICIES = benchmark.POLICIES

ONE = Budget.pure(1.0)
UNDECIDED = {"broken_every_round"}  # its noisy numbers are dropped: fresh runs may refute it, where there is time
SOUND = [name for name in POLICIES if name.startswith("sound")]
BROKEN = [name for name in POLICIES if name not in SOUND]


@pytest.mark.parametrize("name", BROKEN)
def test_broken_policies_of_strangers_are_found_with_their_line(name, every_point):
    seconds = 30 if every_point or name not in UNDECIDED else 6
    report = benchmark.checked_file(name, seconds=seconds)  # where a slow machine counts less work, too
    if name in UNDECIDED:
        assert report.verdict in ("inconclusive", "violation")
    else:
        assert report.verdict == "violation", report
        assert benchmark.line_is_right(name, report), report


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", SOUND)
def test_sound_policies_of_strangers_are_not_called_broken(name, every_point):
    assert benchmark.checked_file(name, seconds=4.5 if every_point else 0.9).verdict != "violation"


def test_a_seed_gives_the_same_report_on_a_busy_machine_and_under_a_tracer(monkeypatch):
    def said(slower):
        monkeypatch.setattr(stopwatch, "thread_time", lambda: slower * time.thread_time())
        monkeypatch.setattr(stopwatch, "monotonic", lambda: slower * time.monotonic())
        return re.sub(r"[0-9.]+ s$", "", str(benchmark.checked_file("sound_phases", seconds=1.5)), flags=re.MULTILINE)

    idle = said(0.1)
    assert idle.startswith("ok: nothing found") and idle == said(1.5)
    before = sys.gettrace()
    sys.settrace(lambda frame, event, argument: None)  # of a coverage tool, or of a debugger
    try:
        assert said(1.0) == idle
    finally:
        sys.settrace(before)
    assert "the clock cut" in said(1000)


BATCHES = """
import numpy as np
class Batches:
    def __init__(self):
        self.batch, self.means, self.arm = [], [9.0, 9.0], 0
    def select_arm(self):
        return self.arm
    def update(self, arm, reward):
        self.batch.append(reward)
        if len(self.batch) == 4:
            total, self.batch = sum(self.batch), []
            noise = np.random.laplace(0, SCALE)
            if noise < -4:
                noise = np.random.laplace(0, SCALE)
            self.means[arm] = total + noise
            self.arm = int(np.argmax(self.means))
"""


def laid_out(scale, folder):
    """The policy as it is, below a hundred lines, and with empty lines inside: its classes."""
    text = BATCHES.replace("SCALE", scale)
    below = text.replace("            total, self", "\n            # a comment\n\n            total, self")
    for k, written in enumerate((text, "# of whom\n\n\n" * 33 + text, below)):
        (folder / f"laid{k}").mkdir()
        (folder / f"laid{k}" / "policy.py").write_text(written)
        yield import_module(f"laid{k}.policy").Batches


def test_draws_keep_their_names_and_values_where_lines_move(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    with exchanged():
        runs = [Stage(replayed(kind)).play((0.5,) * 40, 0, bare=True) for kind in laid_out("1.0", tmp_path)]
    drawn = [([(draw.name, draw.value, draw.spot) for draw in run.tape.draws], run.actions) for run in runs]
    assert len(drawn[0][0]) >= 10 and drawn == drawn[:1] * 3


@pytest.mark.parametrize("scale", ["1.0", "0.5", "1.0 * (total < 3.5)"])
def test_comments_and_empty_lines_change_neither_verdict_nor_evidence(scale, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    told = []
    for kind in laid_out(scale, tmp_path):
        report = check_privacy(replayed(kind), ONE, seconds=0.6)
        lines = re.sub(r":\d+ in|again:.*|[0-9.]+ s$", "", str(report), flags=re.MULTILINE)
        told.append((report.verdict, lines, [(v.rewards, v.neighbour) for v in report.violations], report.replays))
    assert told == told[:1] * 3


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


@pytest.mark.parametrize(("released", "verdict"), [(5, "inconclusive"), (8, "ok")])
def test_a_few_neighbours_are_too_few_to_pass(released, verdict, monkeypatch):
    monkeypatch.setattr(ForeignCheck, "_violations", lambda self: setattr(self, "released", released) or ())
    report = ForeignCheck(replayed(Leader), ONE, 2.0, 0, 32).report()
    assert report.verdict == verdict and (f"only {released} neighbours" in str(report)) == (verdict != "ok")


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


def test_rewards_that_pile_up_on_noisy_sums_are_hidden_in_the_arms():
    report = check_privacy(replayed(Piling), ONE, seconds=4.5)
    assert report.verdict == "ok" and "covers only its arms" in str(report)


def test_what_cannot_be_decided_is_inconclusive_and_says_why():
    report = check_privacy(replayed(TwoDraws), Budget.zcdp(0.05), seconds=1.5)
    assert report.verdict == "inconclusive"
    assert report.missing and all(sentence[0].islower() or " " in sentence for sentence in report.missing)


@pytest.mark.parametrize("kind", [Geometric, Logging])
def test_numbers_that_tell_the_noise_are_not_judged_where_the_arms_are_and_a_note_says_so(kind):
    """A whole number of noise shows the fraction of a sum, and hides it in the arms."""
    report = check_privacy(replayed(kind), ONE, seconds=4.5)
    said = any("not the numbers that it keeps" in note for note in report.notes)
    assert report.verdict == "inconclusive" or (report.ok and said), report


def test_the_page_explains_every_reason_of_an_inconclusive_verdict():
    page = (BENCHMARKS.parent / "docs" / "testing.md").read_text()
    rows = page.partition("| the report says |")[2].partition("\n\n")[0]
    phrases = [phrase for row in rows.splitlines() for phrase in re.findall("`(.*?)`", row.split("|")[1])]
    source = "".join(path.read_text() for path in Path(foreign.__file__).parent.glob("*.py"))
    assert len(phrases) > 20 and [phrase for phrase in phrases if phrase not in source] == []
    targets = (n for n in ast.walk(ast.parse(Path(foreign.__file__).read_text())) if isinstance(n, ast.Subscript))
    reasons = [ast.unparse(n.slice) for n in targets if ast.unparse(n.value) == "self.missing"]
    told = [reason for reason in reasons if re.search("[a-z]+ [a-z]+ [a-z]+ [a-z]+", reason)]
    assert len(told) > 10 and [reason for reason in told if not any(phrase in reason for phrase in phrases)] == []


def test_a_message_names_the_lines_that_made_what_the_noise_reads():
    class Halved(Leader):
        def __init__(self):
            super().__init__()
            half = 1 / 2
            self.scale = half * 1.0

    line = check_privacy(replayed(Halved), ONE, seconds=3).violations[0].line
    assert "random.laplace(0, self.scale)" in line and "self.scale = half * 1.0" in line and "half = 1 / 2" in line
    assert "super().__init__()" not in line and "random.laplace" not in line.partition("self.scale = half")[2]


def test_what_makes_a_scale_grow_is_told_and_not_where_it_began():
    class Growing(Leader):
        def __init__(self):
            super().__init__()
            self.phase, self.scale = 0, 1.0

        def update(self, arm, reward):
            self.phase += 1
            self.scale = 1 / 2**self.phase
            super().update(arm, reward)

    line = check_privacy(replayed(Growing), ONE, seconds=3).violations[0].line
    assert "random.laplace(0, self.scale)" in line and "self.scale = 1 / 2**self.phase" in line
    assert "self.phase += 1" in line and "self.phase, self.scale = 0, 1.0" not in line


class Episodes:
    """A generator that knows its policy: both live until the garbage is collected."""

    def __init__(self):
        self.episodes = self.played()
        self.arm = next(self.episodes)

    def played(self):
        while True:
            total = yield 0
            yield int(total + np.random.laplace() > 0)

    def select_arm(self):
        return self.arm

    def update(self, arm, reward):
        self.arm = self.episodes.send(reward)


def test_what_a_run_knows_does_not_depend_on_when_earlier_ones_are_collected():
    thresholds = gc.get_threshold()
    try:
        with exchanged():
            stage = Stage(replayed(Episodes))
            gc.set_threshold(1, 1, 1)
            one, *others = (stage.play((0.0, 1.0) * 4, 0) for _ in range(4))
    finally:
        gc.set_threshold(*thresholds)
    assert all(other.states == one.states for other in others)


def test_the_price_of_noise_is_that_of_its_scale():
    report = check_privacy(replayed(Leader), ONE, seconds=6)
    assert report.ok and report.spent == pytest.approx(1, rel=1e-4)
    half = check_privacy(replayed(lambda: Leader(0.5)), ONE, seconds=6)
    assert half.violations[0].cause == "budget" and "= 2, more than 1" in half.violations[0].reason
    assert_private(replayed(Leader), ONE, seconds=6)


def test_a_bug_of_a_policy_is_planted_and_one_of_releases_is_refused():
    def halved(policy):
        policy.scale /= 2
        return policy

    assert check_privacy(plant(halved, replayed(Leader)), ONE, seconds=3).violations[0].cause == "budget"
    with pytest.raises(InvalidInput, match="draws its own noise"):
        plant(PLANTED["noise halved"], replayed(Leader))


def test_noise_from_elsewhere_is_never_ok():
    class Elsewhere(Leader):
        def noise(self):
            return random.SystemRandom().gauss(0, 1)

    assert check_privacy(replayed(Elsewhere), ONE, seconds=3).verdict == "inconclusive"


def test_a_policy_with_other_methods_needs_to_be_told_how_it_is_asked():
    with pytest.raises(InvalidInput, match="choose"):
        check_privacy(replayed(object), ONE, seconds=3)
    with pytest.raises(InvalidInput, match="both"):
        replayed(Leader, choose=Leader.select_arm)
    asked = set()

    def choose(policy):
        asked.add(type(policy))
        return policy.select_arm()

    named, found = replayed(lambda: Leader(0.5), choose=choose, hear=Leader.update), replayed(lambda: Leader(0.5))
    told, known = (check_privacy(one, ONE, seconds=1).violations[0] for one in (named, found))
    assert asked == {Leader} and (told.cause, told.reason) == (known.cause, known.reason) and told.cause == "budget"


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


class Responding:
    """Randomised response of the last reward with its own uniform draw, at log(7/3)."""

    def __init__(self):
        self.rng, self.last, self.kept = self.generator(), 0.0, None

    def generator(self):
        return np.random.default_rng()

    def before_a_draw(self):
        pass

    def select_arm(self):
        self.before_a_draw()
        return int(self.rng.random() < (0.7 if self.last > 0.5 else 0.3))

    def update(self, arm, reward):
        self.last = reward


class FromACopy(Responding):
    """As private as the other one, with a generator whose draws no tape knows if copies are real ones."""

    def generator(self):
        return copy.deepcopy(np.random.default_rng())


class FromAPickle(Responding):
    def generator(self):
        return pickle.loads(pickle.dumps(np.random.default_rng()))


class FromATemplate(Responding):
    made = np.random.Generator(np.random.PCG64(1))

    def generator(self):
        return copy.deepcopy(self.made)


class FromBits(Responding):
    def generator(self):
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence()))


class FromAChild(Responding):
    def generator(self):
        return np.random.default_rng().spawn(2)[1]


class TwoEqualChildren(Responding):
    """One uniform draw decides for two rewards: children of equal seeds are equal. The loss is infinite."""

    number = 0

    def before_a_draw(self):
        self.rng = np.random.default_rng(self.number // 2).spawn(1)[0]
        self.number += 1


class Restoring(Responding):
    """Each uniform draw comes twice, for two rewards: the loss is infinite."""

    def generator(self):
        return random.Random()

    def before_a_draw(self):
        if self.kept is None:
            self.kept = self.rng.getstate()
        else:
            self.rng.setstate(self.kept)
            self.kept = None


class RestoringTheModule(Restoring):
    def generator(self):
        return np.random

    def before_a_draw(self):
        if self.kept is None:
            self.kept = np.random.get_state()
        else:
            np.random.set_state(self.kept)
            self.kept = None


@pytest.mark.parametrize("policy", [FromATemplate])
def test_a_generator_that_is_older_than_the_run_is_not_followed_where_it_is_copied(policy):
    report = check_privacy(replayed(policy), Budget.pure(1.0), seconds=9)
    assert report.verdict == "inconclusive" and "not followed" in str(report)


@pytest.mark.parametrize("policy", [Restoring, RestoringTheModule])
def test_a_draw_that_comes_twice_does_not_pass(policy):
    assert check_privacy(replayed(policy), Budget.pure(1.0), seconds=9).verdict != "ok"


@pytest.mark.parametrize("policy", [Responding, FromBits, FromAChild, FromACopy, FromAPickle])
def test_a_generator_is_followed_however_it_is_made(policy):
    assert check_privacy(replayed(policy), Budget.pure(1.0), seconds=6).verdict == "ok"


def test_children_of_equal_seeds_are_equal():
    report = check_privacy(replayed(TwoEqualChildren), Budget.pure(1.0), seconds=9)
    assert report.verdict != "ok", report


class Failing(Leader):
    """Raises where it is told to: when it is asked, or told of a pull."""

    at, answer = 1, None

    def __init__(self):
        super().__init__()
        self.pulls = 0

    def select_arm(self):
        return self.arm if self.answer is None else self.answer

    def update(self, arm, reward):
        self.pulls += 1
        if self.pulls == self.at:
            raise KeyError("the cache is full")
        super().update(arm, reward)


@pytest.mark.parametrize("pull", [1, 20])
def test_what_a_policy_raises_is_passed_on_with_its_line_and_pull(pull):
    with pytest.raises(KeyError, match="the cache is full") as caught:
        check_privacy(replayed(type("Policy", (Failing,), {"at": pull})), ONE, seconds=3)
    assert any(entry.path.name == "test_foreign.py" and entry.name == "update" for entry in caught.traceback)
    assert f"raised this at pull {pull} of a run" in caught.value.__notes__[0]
    assert ("horizon=" in caught.value.__notes__[0]) == (pull > 1)


def test_what_is_raised_in_some_runs_only_is_a_verdict():
    class Policy(Leader):
        def update(self, arm, reward):
            super().update(arm, reward)
            if min(self.means) < 0 or max(self.means) < 0.5:
                raise ValueError("probabilities contain NaN")

    report = check_privacy(replayed(Policy), ONE, seconds=3)
    said = " ".join(str(report).split())
    assert report.verdict == "inconclusive" and "in some runs, which rewards or noise decide" in said
    assert "ValueError: probabilities contain NaN (at test_foreign.py" in said
    with exchanged():
        arms = Stage(replayed(Policy)).fresh((0.0,) * 80, 80, 0)
    assert len(arms) == 81 and arms[0] == 0 and arms[-1] == NO_ARM


@pytest.mark.parametrize("answer", ["blue", [0, 1], "0", float("nan"), -1, 10**8])
def test_an_answer_that_is_no_number_is_named(answer):
    with pytest.raises(InvalidInput, match=f"arm must be a (whole )?number .*, got {re.escape(repr(answer))}"):
        check_privacy(replayed(type("Policy", (Failing,), {"answer": answer})), ONE, seconds=3)


@pytest.mark.parametrize("missing", [("select_arm", lambda self, context: 0), ("update", lambda self, reward: None)])
def test_a_policy_with_another_signature_is_sent_to_choose_and_hear(missing):
    with pytest.raises(InvalidInput, match=f"Policy.{missing[0]} must be def {missing[0]}.*choose=lambda policy"):
        check_privacy(replayed(type("Policy", (Leader,), dict([missing]))), ONE, seconds=3)


def test_what_a_policy_raises_says_what_it_was_told_last():
    def update(self, arm, reward):
        [0.0, 0.0][reward]

    with pytest.raises(TypeError) as caught:
        check_privacy(replayed(type("Policy", (Leader,), {"update": update})), ONE, seconds=3)
    assert "last told (arm, reward) = (" in caught.value.__notes__[-1]


def test_an_exception_where_the_noise_is_far_out_is_told_with_its_line():
    class Clipped(Leader):
        def learn(self, arm, total):
            super().learn(arm, total)
            if abs(self.means[arm]) > 2.5:
                raise ValueError("no such mean")

    report = check_privacy(replayed(Clipped), ONE, seconds=3)
    assert report.verdict == "inconclusive"
    assert "of one arm" not in str(report)  # which nobody counts here
    assert re.search(r"(?:noise decide|tails): ValueError: no such mean \(at test_foreign.py:\d+ in learn", str(report))


def test_a_policy_in_place_of_a_function_that_builds_one_is_refused():
    with pytest.raises(InvalidInput, match="make must be a function that builds a fresh policy for each run"):
        replayed(Leader())


def test_one_policy_for_all_runs_is_refused():
    """It would know the rewards of earlier runs, and look as if it told them."""
    policy = Leader()
    with pytest.raises(InvalidInput, match="a fresh policy for each run; it returned the same object twice"):
        check_privacy(replayed(lambda: policy), ONE, seconds=3)


class Batches:
    """Sums of four rewards with noise that a subclass draws."""

    def __init__(self):
        self.arm, self.means, self.batch = 0, [9.0, 9.0], []

    def select_arm(self):
        return self.arm

    def update(self, arm, reward):
        self.batch.append(reward)
        if len(self.batch) == 4:
            self.means[arm] = (sum(self.batch) + self.noise()) / 4
            self.batch, self.arm = [], int(np.argmax(self.means))


class SeededInCode(Batches):
    def __init__(self):
        super().__init__()
        self.noise = partial(np.random.default_rng(42).laplace, 0, 1)


class SeededByTheRound(Batches):
    rounds = 0

    def noise(self):
        self.rounds += 1
        return np.random.default_rng([17, self.rounds]).laplace(0, 1)


class SeededGlobally(Batches):
    def __init__(self):
        super().__init__()
        random.seed("a fixed word")

    def noise(self):
        return random.expovariate(1) - random.expovariate(1)


class SeededBesideFreshNoise(Batches):
    """A draw that is the same in every run, beside one that is not: the sum is private."""

    def __init__(self):
        super().__init__()
        self.fixed = np.random.default_rng(0)

    def noise(self):
        return self.fixed.laplace(0, 1) + np.random.default_rng().laplace(0, 1)


class SeededBySystem(Batches):
    def __init__(self):
        super().__init__()
        self.noise = partial(np.random.default_rng().laplace, 0, 1)


class SeededByCaller(Batches):
    def __init__(self, seed=0):
        super().__init__()
        self.noise = partial(np.random.default_rng(seed).laplace, 0, 1)


@pytest.mark.parametrize("policy", [SeededInCode, SeededByTheRound, SeededGlobally])
def test_noise_from_a_seed_in_the_code_is_no_noise(policy):
    report = check_privacy(replayed(policy), Budget.pure(1.0))
    assert report.verdict == "violation" and "follows from the seed" in report.violations[0].reason


@pytest.mark.parametrize("policy", [SeededBesideFreshNoise, SeededBySystem, SeededByCaller])
def test_a_seed_of_the_system_or_of_the_caller_is_not_accused(policy):
    """What the caller could have seeded is left open: it says nothing of a run with a seed of its own."""
    verdict = check_privacy(replayed(policy), Budget.pure(1.0)).verdict
    assert verdict == ("inconclusive" if policy is SeededByCaller else "ok")


class Late:
    """Sums of six rewards, with noise in the first pulls only."""

    def __init__(self, last=0):
        self.last, self.t, self.s, self.c, self.v = last, 0, np.zeros(2), np.zeros(2, int), np.full(2, 2.0)

    def select_arm(self):
        return int(self.v.argmax())

    def update(self, arm, reward):
        self.t += 1
        self.s[arm] += reward
        self.c[arm] += 1
        if self.c[arm] == 6:
            self.v[arm] = self.told(self.s[arm]) / 6
            self.s[arm], self.c[arm] = 0.0, 0

    def told(self, total):
        if self.t > self.last:
            return total
        return total + np.random.laplace(0, 1)


class Fading(Late):
    def told(self, total):
        return total + np.random.laplace(0, 1 / (1 + max(0, self.t / self.last - 1)))


class Wider(Late):
    def told(self, total):
        if self.t > self.last:
            return total + np.random.laplace(0, 2)
        return total + np.random.laplace(0, 1)


class ShortDay(Late):
    """Means, also of a batch that is short since a day ends, with the noise of a full one."""

    def update(self, arm, reward):
        self.t, self.s[arm], self.c[arm] = self.t + 1, self.s[arm] + reward, self.c[arm] + 1
        if self.c[arm] == 6 or self.t % self.last == 0:
            self.v[arm] = self.s[arm] / self.c[arm] + np.random.laplace(0, 1 / 6)
            self.s[arm], self.c[arm] = 0.0, 0


class Branchless(Late):
    def told(self, total):
        return total + np.random.laplace(0, 1) * (self.t <= self.last)


class Stepping(Late):
    """Keeps no noisy number, only which arm is the best."""

    def __init__(self, last):
        super().__init__(last)
        self.best = 0

    def step(self, reward, arm):
        place = self.t % 20
        if reward is not None and (self.t - 1) % 20 < 10:
            self.s[arm] += reward
        if place == 10:
            scale = [1.0, 0.01][self.t > self.last]
            self.best, self.s = int(np.argmax(self.s + np.random.laplace(0, scale, 2))), np.zeros(2)
        self.t += 1
        return place // 5 if place < 10 else self.best

    select_arm = None


def closure(last):
    batch, means, arm, t, player = [], [2.0, 2.0], 0, 0, SimpleNamespace()

    def update(pulled, reward):
        nonlocal arm, t
        t += 1
        batch.append(reward)
        if len(batch) == 6:
            means[pulled] = (sum(batch) + (np.random.laplace(0, 1) if t <= last else 0.0)) / 6
            batch.clear()
            arm = means.index(max(means))

    player.update, player.select_arm = update, lambda: arm
    return player


@pytest.mark.parametrize("kind", [Late, Fading, Branchless, Stepping, closure])
@pytest.mark.parametrize("last", [24, 40, 60, 100, 300, 900, 3000])
def test_noise_that_ends_or_fades_late_is_never_called_ok(kind, last):
    assert check_privacy(replayed(lambda: kind(last)), Budget.pure(1.0)).verdict != "ok"


def test_what_is_open_does_not_end_the_search_for_a_violation():
    check = ForeignCheck(replayed(lambda: Late(40)), ONE, 6.0, 0, 128)
    check.missing["noise without a price"] = None
    assert check.report().verdict == "violation"


def test_a_threshold_beyond_all_runs_is_named_with_a_horizon():
    report = check_privacy(replayed(lambda: Branchless(50_000)), Budget.pure(1.0), seconds=6)
    assert report.verdict == "inconclusive" and "(give horizon=56000)" in str(report), report


class Waiting(Late):
    def select_arm(self):
        time.sleep(0.005)
        return super().select_arm()


def test_a_policy_that_waits_does_not_take_much_longer_than_its_seconds():
    clock = stopwatch.WallClock()
    report = check_privacy(replayed(lambda: Waiting(10**9)), Budget.pure(1.0), seconds=2)
    assert clock.seconds() < 2 * 2 and report.verdict == "inconclusive", report  # with a second to load
    assert "most of it waiting" in str(report)


class Unreached(Batches):
    def noise(self):
        if sum(self.batch) > 5:  # of four rewards
            self.means = self.batch
        return np.random.laplace(0, 1)


@pytest.mark.parametrize(("horizon", "cure"), [(None, "(give a horizon; write"), (40, "(give a longer horizon; write")])
def test_a_report_counts_releases_and_pulls_and_names_a_cure_that_helps(horizon, cure):
    report = check_privacy(replayed(Unreached), ONE, horizon=horizon)
    assert [cure in reason for reason in report.missing] == [True]
    assert report.longest == horizon or horizon is None and report.longest > 2000
    assert report.longest - 8 <= 4 * report.releases <= report.longest


def test_thresholds_are_read_from_the_run():
    stage = Stage(replayed(lambda: Branchless(60)))
    read = Thresholds(stage.own)
    with exchanged(), read.reading(lambda: stage.coverage.pulls()):
        stage.play((0.5,) * 90, 0, bare=True)
    found = [(t.pull, t.passed, t.decides) for t in read.found() if "self.last" in t.line]
    assert found == [(60, True, False), (66, True, False)]  # as many as it says, and more


class InTurn(Late):
    """Compares in the first pulls only."""

    def select_arm(self):
        return self.t % 20 if self.t < 2 else super().select_arm()


def test_what_is_compared_in_the_first_pulls_only_lies_not_ahead():
    stage = Stage(replayed(lambda: InTurn(60)))
    for pulls, ahead in ((2, True), (90, False)):
        read = Thresholds(stage.own)
        with exchanged(), read.reading(lambda: stage.coverage.pulls()):
            stage.play((0.5,) * pulls, 0, bare=True)
        assert any("% 20" in t.line and not t.passed for t in read.found()) == ahead


class SignAndWidth:
    """Discounted sums whose noise is a width times a sign, as a stranger wrote it."""

    def __init__(self):
        self.sums, self.weights, self.batch, self.arm = [0.0, 0.0], [0.0, 0.0], [], 0

    def select_arm(self):
        return self.arm

    def update(self, arm, reward):
        self.batch.append(reward)
        if len(self.batch) == 5:
            noise = random.choice([-1, 1]) * random.expovariate(1)
            self.sums, self.weights = [0.8 * s for s in self.sums], [0.8 * w for w in self.weights]
            self.sums[arm] += sum(self.batch) + noise
            self.weights[arm] += 5
            self.arm = int(self.sums[0] * self.weights[1] <= self.sums[1] * self.weights[0])
            self.batch = []


def test_a_width_has_no_end_where_another_draw_is_its_sign():
    stage, generator = Stage(replayed(SignAndWidth)), np.random.default_rng(5)
    with exchanged():
        for seed in range(12):
            rewards = tuple(generator.random(22).tolist())
            run = stage.play(rewards, seed)
            for time in range(0, 20, 3):
                neighbour = (*rewards[:time], float(generator.random()), *rewards[time + 1 :])
                assert not list(told_beside_steps(stage, run, seed, neighbour)), (seed, time)


class Resuming(Batches):
    """What is called between two pulls starts from what was released, or from raw sums below."""

    def __init__(self):
        super().__init__()
        self.totals, self.left = [0.0, 0.0], 1

    def noise(self):
        return np.random.laplace(0, 1)

    def update(self, arm, reward):
        self.totals[arm] += reward
        super().update(arm, reward)

    def restart(self):
        self.batch = []


class ResumingRaw(Resuming):
    def restart(self):
        self.means = [total / 16 for total in self.totals]


class Refilled(Resuming):
    def update(self, arm, reward):
        self.totals[arm] += reward
        self.batch.append(reward)
        if len(self.batch) % 10 == 0 and self.left:
            self.left = 0
            self.means = [total + self.noise() for total in self.totals]
            self.arm = int(np.argmax(self.means))

    def new_day(self):
        self.left = 1


@pytest.mark.parametrize(
    "policy, verdicts", [(Resuming, {"ok"}), (ResumingRaw, {"violation"}), (Refilled, {"violation"})]
)
def test_other_methods_are_called_between_two_pulls(policy, verdicts, seconds):
    report = check_privacy(replayed(policy), Budget.pure(1.0), seconds=seconds)
    assert report.verdict in verdicts, report
    assert report.ok or re.search(r"after (restart|new_day)\(\) before pull", str(report))


class OneSided(Batches):
    def noise(self):
        return abs(np.random.laplace(0, 1))


class Bounded(Batches):
    def noise(self):
        return np.random.uniform(-2, 2)


class TwoNormal(Batches):
    def __init__(self, scale):
        super().__init__()
        self.noise = lambda: random.gauss(0, scale) + random.gauss(0, scale)


class SeededByCountless(Batches):
    """Every run has a seed of the system."""

    def __init__(self):
        super().__init__()
        self.noise = partial(np.random.default_rng(int.from_bytes(os.urandom(8), "big")).laplace, 0, 1)


class PerPaid(Batches):
    """A noisy sum over a raw count of rewards that paid: what is kept, or what decides beside a kept sum."""

    noise, totals = staticmethod(partial(np.random.laplace, 0, 1)), None

    def update(self, arm, reward):
        self.batch.append(reward)
        if len(self.batch) == 4:
            noisy, paid = sum(self.batch) + self.noise(), 1 + sum(reward > 0 for reward in self.batch)
            self.learn(arm, noisy, paid)
            self.batch = []

    def learn(self, arm, noisy, paid):
        self.means[arm] = noisy / paid
        self.arm = int(np.argmax(self.means))


class BesidePaid(PerPaid):
    def learn(self, arm, noisy, paid):
        self.means[arm] = noisy
        self.arm = int(noisy / paid < 1)


class PerPull(PerPaid):
    def learn(self, arm, noisy, paid):
        super().learn(arm, noisy, len(self.batch))


class Buffered(Batches):
    """UCB on noisy sums. Noise is drawn ahead, and begins anew or is used again when it is used up."""

    def __init__(self, fresh):
        super().__init__()
        self.fresh, self.used, self.ahead = fresh, 0, np.random.laplace(0, 1, 12)
        self.sums, self.counts = np.full(2, 9.0), np.ones(2)

    def noise(self):
        if self.used == 12 and self.fresh:
            self.used, self.ahead = 0, np.random.laplace(0, 1, 12)
        self.used += 1
        return self.ahead[(self.used - 1) % 12]

    def update(self, arm, reward):
        self.batch.append(reward)
        if len(self.batch) == 4:
            self.sums[arm] += sum(self.batch) + self.noise()
            self.counts[arm] += 4
            widths = np.sqrt(2 * np.log(self.counts.sum()) / self.counts)
            self.batch, self.arm = [], int(np.argmax(self.sums / self.counts + widths))


class SumAndDifference(Batches):
    """What is kept of two noisy sums; the arm needs both."""

    def __init__(self):
        super().__init__()
        self.t, self.raw, self.both, self.gap = 0, np.zeros(2), 0.0, 0.0

    def update(self, arm, reward):
        self.t, self.raw[arm] = self.t + 1, self.raw[arm] + reward
        if self.t % 8 == 0:
            one, two = self.raw + np.random.laplace(0, 1, 2)
            self.both, self.gap, self.raw = one + two, one - two, np.zeros(2)
        lead = 0 if self.both + self.gap > 4 else 1
        self.arm = lead if self.t % 16 < 8 else self.t // 4 % 2


class Counters(Batches):
    """A binary counter of batches for each arm; each of its levels has a part of the budget."""

    def __init__(self, levels, paid):
        super().__init__()
        self.levels, self.paid, self.told, self.nodes = levels, paid, [0.0, 0.0], [[], []]

    def update(self, arm, reward):
        self.batch.append(reward)
        if len(self.batch) == 4:
            nodes, level, total = self.nodes[arm], 0, sum(self.batch)
            while nodes and nodes[-1][0] == level:
                level, total = level + 1, total + nodes.pop()[1]
            node = (level, total, total + np.random.laplace(0, self.paid))
            nodes.append(node)
            self.means[arm] = (self.told[arm] + sum(noisy for *_, noisy in nodes)) / 4
            if level == self.levels - 1:
                self.told[arm] += nodes.pop()[2]
            self.batch, self.arm = [], int(np.argmax(self.means))


class Tossing(PerPull):
    """A coin at every pull."""

    def select_arm(self):
        return int(random.random() < 0.5) if random.random() < 0.2 else self.arm


class TwoSums(Batches):
    """A noisy sum of each batch, and one of every four batches of an arm: two draws at some pulls."""

    def __init__(self, scale):
        super().__init__()
        self.noise, self.long, self.coarse = lambda: random.gauss(0, scale), [9.0, 9.0], [(0.0, 0), (0.0, 0)]

    def update(self, arm, reward):
        self.batch.append(reward)
        if len(self.batch) == 4:
            total, batches = self.coarse[arm][0] + sum(self.batch), self.coarse[arm][1] + 1
            self.means[arm] = (sum(self.batch) + self.noise()) / 4
            if batches == 4:
                self.long[arm] = (total + self.noise()) / 16
                total, batches = 0.0, 0
            self.coarse[arm] = total, batches
            blend = [one + two for one, two in zip(self.means, self.long, strict=True)]
            self.batch, self.arm = [], blend.index(max(blend))


class Wheel(Batches):
    """Three pulls of each of three arms, then some of one that a wheel of fortune picks by their sums."""

    def __init__(self, rate):
        super().__init__()
        self.rng, self.rate, self.t, self.sums = np.random.default_rng(), rate, 0, np.zeros(3)

    def select_arm(self):
        return self.t // 3 if self.t < 9 else self.arm

    def update(self, arm, reward):
        self.sums[arm] += reward * (self.t < 9)
        self.t += 1
        if self.t == 9:
            weights = np.exp(self.rate * self.sums)
            self.arm = int(self.rng.choice(3, p=weights / weights.sum()))
        elif self.t == 20:
            self.t, self.sums = 0, np.zeros(3)


class ArmByArm(Batches):
    """A batch of each arm, which others interrupt, so that some are not full at the end of a run."""

    def __init__(self, scale):
        super().__init__()
        self.scale, self.totals, self.heard = scale, [0.0, 0.0], [0, 0]

    def select_arm(self):
        return random.randrange(2) if random.random() < 0.25 else int(np.argmax(self.means))

    def update(self, arm, reward):
        self.totals[arm], self.heard[arm] = self.totals[arm] + reward, self.heard[arm] + 1
        if self.heard[arm] == 7:
            self.means[arm] = (self.totals[arm] + np.random.laplace(0, self.scale)) / 7
            self.totals[arm] = self.heard[arm] = 0


class Level(Batches):
    """Leaves an arm whose noisy sum is below a noisy level, which is then drawn anew."""

    def __init__(self, scale):
        super().__init__()
        self.noise = lambda: np.random.laplace(0, scale)
        self.level, self.answer = 2 + self.noise(), 9.0

    def update(self, arm, reward):
        self.batch.append(reward)
        if len(self.batch) == 4:
            self.answer, self.batch = sum(self.batch) + self.noise(), []
            if self.answer < self.level:
                self.level, self.arm = 2 + self.noise(), 1 - self.arm


class FirstLook(Batches):
    """A noisy look at the first half, with a quarter of the budget, may end a batch, which is told with the rest."""

    def __init__(self, scale):
        super().__init__()
        self.scale, self.total, self.heard, self.look = scale, 0.0, 0, 0.0

    def update(self, arm, reward):
        self.total, self.heard = self.total + reward, self.heard + 1
        if self.heard == 4:
            self.look = self.total + np.random.laplace(0, 4 * self.scale)
        if self.heard == 8 or (self.heard == 4 and self.look < 0):
            self.means[arm] = (self.total + np.random.laplace(0, 4 / 3 * self.scale)) / self.heard
            self.total, self.heard, self.arm = 0.0, 0, int(np.argmax(self.means))


class BesideBuffers(Batches):
    """Noisy sums, and in every decision also what no sum has yet; it explores by coins, which hide that too seldom."""

    def __init__(self, beside):
        super().__init__()
        self.beside, self.buffer, self.sums, self.told, self.t = beside, np.zeros(2), np.zeros(2), np.zeros(2), 0

    def select_arm(self):
        if self.told.min() == 0:
            return int(np.argmin(self.told))
        if random.random() < min(1.0, 4 / self.t):
            return random.randrange(2)
        return int(np.argmax((self.sums + self.beside * self.buffer) / self.told))

    def update(self, arm, reward):
        self.t += 1
        self.buffer[arm] += reward
        if self.t % 8 == 0:
            for k in {0, 1} if self.told.all() else {arm}:
                self.sums[k] += self.buffer[k] + np.random.laplace(0, 1)
                self.buffer[k], self.told[k] = 0.0, self.told[k] + 8


class Voting(Batches):
    """Every vote is flipped at once, or told by a coin; noise that is added for other reasons hides nothing more."""

    def __init__(self, flips, jitter):
        super().__init__()
        self.flips, self.jitter, self.votes, self.t = flips, jitter, [0, 0], 0

    def select_arm(self):
        return self.t % 2 if self.t < 10 else self.arm

    def update(self, arm, reward):
        vote, self.t = int(reward > 0.5), self.t + 1
        if self.flips:
            vote ^= int(random.random() < 0.3)
        elif random.random() < 0.5:
            vote = random.randint(0, 1)
        self.votes[arm] += vote
        self.means = [votes + self.jitter() for votes in self.votes]
        self.arm = self.means.index(max(self.means))


class Subsampled(Batches):
    """A secret coin decides whether the last reward of a batch counts, which is worth more noise (amplification)."""

    def update(self, arm, reward):
        self.batch.append(reward)
        if len(self.batch) == 4:
            spent = math.log1p(2 * math.expm1(1.0))
            counted = reward if np.random.random() < 0.5 else 0.0
            self.means[arm] = counted + np.random.laplace(0, 1 / spent)
            self.batch, self.arm = [], int(np.argmax(self.means))


class NeverEmptied(Batches):
    """The largest of noisy sums that go on."""

    def __init__(self):
        super().__init__()
        self.t, self.sums = 0, [0.0, 0.0]

    def select_arm(self):
        return self.t % 20 % 2 if self.t % 20 < 8 else self.arm

    def update(self, arm, reward):
        self.sums[arm] += reward * (self.t % 20 < 8)
        self.t += 1
        if self.t % 20 == 8:
            self.arm = int(np.argmax([total + np.random.laplace(0, 2) for total in self.sums]))


class SoFar(Batches):
    """All rewards of an arm so far, after each batch: as many releases as are affordable for one of two arms."""

    spent = 0.2

    def __init__(self):
        super().__init__()
        self.totals, self.counts = [0.0, 0.0], [0, 0]

    def update(self, arm, reward):
        self.totals[arm] += reward
        self.counts[arm] += 1
        if self.counts[arm] % 4 == 0:
            noisy = self.totals[arm] + np.random.laplace(0, 1 / self.spent)
            self.means[arm] = noisy / self.counts[arm]
            self.arm = int(np.argmax(self.means))


class Interrupted(Leader):
    """Coins end a batch of four before its time: the mean of fewer rewards has the noise of a whole one."""

    def select_arm(self):
        if self.batch and random.random() < 0.1:
            self.means[self.arm] = np.mean(self.batch) + self.noise() / 4
            self.batch, self.arm = [], 1 - self.arm
        return self.arm


class Dropped:
    """Noisy sums of the arms that are left, by their names; worse arms are dropped by them."""

    def __init__(self):
        self.alive = [0, 1, 2, 3]
        self.begin()

    def begin(self):
        self.sums, self.todo = dict.fromkeys(self.alive, 0.0), 3 * self.alive

    def select_arm(self):
        return self.todo[0]

    def update(self, arm, reward):
        self.sums[self.todo.pop(0)] += reward
        if not self.todo:
            if len(self.alive) > 1:
                self.noisy = {arm: self.sums[arm] + np.random.normal(0, 1.0) for arm in self.alive}
                self.alive = [arm for arm in self.alive if self.noisy[arm] >= max(self.noisy.values()) - 2.5]
            self.begin()


@pytest.mark.one_in(12)
@pytest.mark.parametrize(
    "make, budget, verdict",
    [
        (OneSided, Budget.pure(1.0), "violation"),
        (Bounded, Budget.pure(1.0), "violation"),
        (partial(TwoNormal, 1.5), Budget.zcdp(0.05), "violation"),
        (partial(TwoNormal, 2.5), Budget.zcdp(0.05), "ok"),
        (SeededByCountless, Budget.pure(1.0), "ok"),
        (PerPaid, Budget.pure(1.0), "violation"),
        (BesidePaid, Budget.pure(1.0), "violation"),
        (PerPull, Budget.pure(1.0), "ok"),
        (Tossing, Budget.pure(1.0), "ok"),
        (SumAndDifference, Budget.pure(1.0), "ok"),
        (partial(Buffered, False), Budget.pure(1.0), "violation"),
        (partial(Buffered, True), Budget.pure(1.0), "ok"),
        (partial(Counters, 4, 3), Budget.pure(1.0), "violation"),
        (partial(Counters, 3, 3), Budget.pure(1.0), "ok"),
        (partial(TwoSums, 3.2), Budget.zcdp(0.1), "ok"),
        (partial(TwoSums, 2.2), Budget.zcdp(0.1), "violation"),
        (partial(TwoSums, 3.2), Budget.pure(1.0), "violation"),
        (partial(Wheel, 1.0), Budget.pure(1.0), "ok"),
        (partial(Wheel, 3.0), Budget.pure(1.0), "violation"),
        (partial(ArmByArm, 1.0), Budget.pure(1.0), "ok"),
        (partial(ArmByArm, 0.5), Budget.pure(1.0), "violation"),
        (partial(Level, 1.0), Budget.pure(1.0), "ok"),
        (partial(Level, 0.5), Budget.pure(1.0), "violation"),
        (partial(FirstLook, 1.0), Budget.pure(1.0), "ok"),
        (partial(FirstLook, 0.5), Budget.pure(1.0), "violation"),
        (partial(BesideBuffers, 1), Budget.pure(1.0), "violation"),
        (partial(BesideBuffers, 0), Budget.pure(1.0), "ok"),
        (Interrupted, Budget.pure(1.0), "violation"),
    ],
)
def test_noise_with_an_end_noise_of_several_draws_and_rewards_beside_noise(make, budget, verdict, seconds):
    assert check_privacy(replayed(make), budget, seconds=seconds).verdict == verdict


def test_a_reward_of_a_batch_that_has_not_ended_is_looked_for_in_other_runs():
    """No draw hides a reward in all runs of a policy that drops arms, so the arms alone have no price."""
    for seed in range(4):
        check = ForeignCheck(replayed(Dropped), Budget.zcdp(0.5), 30.0, seed, 32)
        with exchanged():
            assert not check._lists() and not check.arms_alone, seed


def test_noise_that_turns_arms_on_the_neighbour_excuses_no_price():
    """Where noise before a release is made anew, the other arm may have as large a sum by then: another number."""
    rewards, neighbour = (1.0,) * 28, (0.0,) + (1.0,) * 27
    with exchanged():
        stage = Stage(replayed(SoFar))
        solver = Solver(stage, Budget.pure(0.8))
        for seed in [seed for seed in range(4) if 20 <= stage.play(rewards, seed).actions.count(0) < 28]:
            recorded = solver.recorded(stage.play(rewards, seed), seed)
            recorded.noisy.update(solver.first_effects(recorded, neighbour))
            aligned = solver.whole(recorded, neighbour, dear=True)
            assert aligned.cost > 0.8 and not solver.otherwise(recorded, aligned), seed


def test_so_many_runs_are_made_that_draws_which_would_excuse_an_arm_turn_it_in_one_of_them():
    """Draws that turn it with probability eta move each chance by eta at most."""
    for chances, most in ((0.9, 0.05), math.e), ((0.0, 0.2), math.e**2), ((0.5, 0.99), 2.0):
        eta = math.log(1 / coins.UNTURNED) / coins.runs_needed(chances, most)
        events = chances, [1 - chance for chance in chances]
        excused = [all(max(e) - share * eta <= most * (min(e) + share * eta) for e in events) for share in (0.99, 1.01)]
        assert excused == [False, True]
    assert coins.runs_needed((0.5, 0.4), 2.0) == math.inf


@pytest.mark.parametrize("flips", [True, False])
@pytest.mark.parametrize("jitter", [lambda: random.gauss(0, 0.1), lambda: np.random.laplace(0, 0.1)])
def test_votes_that_are_private_before_noise_is_added_are_not_accused(flips, jitter, seconds):
    report = check_privacy(replayed(partial(Voting, flips, jitter)), Budget.pure(1.2), seconds=seconds or 6)
    assert report.verdict != "violation", report


def test_rewards_that_count_by_secret_coins_are_not_accused(seconds):
    """A reward that falls to 0 is brought back by no other coin, but a coin changes how far it moves the number."""
    report = check_privacy(replayed(Subsampled), Budget.pure(1.0), seconds=seconds or 6)
    assert report.verdict != "violation", report


def test_the_largest_of_noisy_sums_that_are_never_emptied_is_not_ok():
    """Runs of one decision show half the budget; it was "ok"."""
    assert check_privacy(replayed(NeverEmptied), Budget.pure(1.0)).verdict != "ok"


@pytest.mark.parametrize("kind, never", [(Late, "ok"), (Fading, "ok"), (ShortDay, "ok"), (Wider, "violation")])
def test_late_stretches_are_looked_at_and_named(kind, never):
    """On a machine that is slow, or busy, less is seen, and the verdict is open."""
    report = check_privacy(replayed(lambda: kind(100)), Budget.pure(1.0), seconds=9)
    assert report.verdict != never, report
    if report.ok:
        assert report.compared[1][0] > 100 and "of later pulls nothing is known" in str(report)


class Committing:
    """Each arm 25 times, one noisy sum each, then the arm of the largest one."""

    def __init__(self):
        self.t, self.sums = 0, [0.0] * 4

    def select_arm(self):
        if self.t < 100:
            return self.t // 25
        if self.t == 100:
            self.told = [self.noisy(total) for total in self.sums]
        return max(range(4), key=self.told.__getitem__)

    def update(self, arm, reward):
        self.t += 1
        self.sums[arm] += reward if self.t <= 100 else 0

    def noisy(self, total):
        return total + np.random.laplace(0, 1)


class CommittingOnNothing(Committing):
    def noisy(self, total):
        return total + np.random.laplace(0, 1) if total else 0.0


class CommittingOnAll(Committing):
    def noisy(self, total):
        return total + np.random.laplace(0, 1) if total < 25 else total


@pytest.mark.parametrize(
    "kind, verdicts", [(Committing, {"ok"}), (CommittingOnNothing, {"violation"}), (CommittingOnAll, {"violation"})]
)
def test_noise_that_is_left_out_where_all_rewards_are_the_same_is_found(kind, verdicts, seconds):
    """A mean of 25 rewards is 0, or 1, on few lists: those where nobody is paid, or everybody."""
    report = check_privacy(replayed(kind), Budget.pure(1.0), seconds=seconds)
    assert report.verdict in verdicts, report


RNGS = {"noise": np.random.default_rng(), "name": "noise"}
LAPLACE = np.random.default_rng().laplace
PAIR = (random.Random().expovariate, random.Random())
SHORT = partial(np.random.laplace, 0.0)


class Holder:
    rng = staticmethod(np.random.default_rng())


def test_memory_that_nothing_was_written_to_is_the_same_in_every_run():
    """A buffer made by np.empty held what was there before, and the policy seemed to draw from another source."""
    with exchanged():
        for size in range(8, 400, 8):
            np.full(size, 7.0)  # whose memory is free again
            assert not np.empty(size).any() and not np.empty_like(np.ones(size)).any()


def test_generators_are_exchanged_in_what_holds_them_since_a_module_was_imported():
    def drawn():
        with exchanged(), playing(Tape(7)):
            held = RNGS["noise"].laplace(), LAPLACE(0.0, 2.0), PAIR[0](1.0), PAIR[1].random(), SHORT(1.0)
            return *held, Holder.rng.normal(), Holder().rng.normal(), RNGS["name"]

    before = dict(RNGS), LAPLACE, PAIR, SHORT, Holder.__dict__["rng"]
    first = drawn()
    assert first == drawn() and len(set(first)) == len(first)
    assert (dict(RNGS), LAPLACE, PAIR, SHORT, Holder.__dict__["rng"]) == before


class ByInversion:
    """Keeps the totals of all batches of five; their means pass."""

    def __init__(self):
        self.total, self.pulls, self.batch, self.arm = [0.0, 0.0], [0, 0], [], 0

    def select_arm(self):
        return self.arm

    def update(self, arm, reward):
        self.batch.append(reward)
        if len(self.batch) == 5:
            u = random.random() - 0.5
            self.total[arm] += sum(self.batch) - np.copysign(np.log(1 - 2 * abs(u)), u)
            self.pulls[arm], self.batch = self.pulls[arm] + 5, []
            means = [total / max(pulls, 1) for total, pulls in zip(self.total, self.pulls, strict=True)]
            self.arm = 1 - int(self.pulls[1] > 0 and means[0] > means[1])


def test_a_draw_that_is_solved_for_a_mean_fits_the_total_as_well():
    with exchanged():
        check = ForeignCheck(replayed(ByInversion), ONE, 0.9, 0, 20)
        check.pulls = 20
        assert not [check._list(k, 1.0) for k in (0, 1, 3)][-1]
    assert check.released and not check.doubts
