"""Policies whose bugs are known (`benchmarks/policies`): what they say of themselves, what the checks make of some."""

import re
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from banditproof.algorithms.noise import Mechanism, NoiseSource
from banditproof.algorithms.policy import Policy
from banditproof.theory import Budget
from banditproof.verify import check_delta_correct, check_privacy
from banditproof.verify.runs.own_mechanisms import LAW_ERROR, broken_losses
from banditproof.verify.runs.recorder import Release
from banditproof.verify.testing.adapters import history

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))
collection, engineer = import_module("collection"), import_module("engineer")
BROKEN, SOUND = (
    {
        f"{kind}/{p.stem}": p
        for kind in engineer.CHECKS
        for p in sorted(engineer.files_of(BENCHMARKS / "policies" / kind, broken))
    }
    for broken in (True, False)
)


def verdict_of(kind, name):
    (run,) = engineer.runs(kind, BENCHMARKS / "policies" / kind, 1, [name])
    return run["verdict"]


def test_there_are_as_many_as_the_docs_say():
    broken, sound = (Counter(name.rpartition("/")[0] for name in names) for names in (BROKEN, SOUND))
    for within in ("", "second/"):
        assert broken[f"{within}privacy"] >= 80 and broken[f"{within}regret"] >= 25
        assert broken[f"{within}identification"] >= 15
        assert sum(sound[f"{within}{kind}"] for kind in ("privacy", "regret", "identification")) >= 46
    assert [broken[f"plain/{kind}"] for kind in ("privacy", "regret", "identification")] == [30, 12, 8]


COLLECTION = Path(__file__).with_name("known_policies.txt").read_text(encoding="utf-8")


def test_a_policy_is_what_it_changes_in_another_one():
    sources = collection.sources(COLLECTION)
    assert sources["ok"] == '"""HARMLESS: sound\nDECLARED: rho=1"""\nimport numpy\na\nb\n    c\n\n\nb\n'
    assert sources["bug"] == '"""BUG: wrong\nDECLARED: rho=1"""\nimport numpy\na\nb\n    c\n\n\nB  # BUG\ne\n'
    assert sources["other"].endswith('budget\nDECLARED: rho=2"""\nimport numpy\na\nb\n    c\n\n\nB  # BUG\ne\nf\n')


def test_blank_lines_stand_where_formatters_put_them():
    formatted = """import numpy


@decorated
class Policy:
    def select(self):
        return 0

    @property
    def inner(self):

        def within():
            return 1

        return within


LAST = [
    Policy
]
"""
    written = [line for line in formatted.splitlines() if line]
    written.insert(written.index("    def inner(self):") + 1, "")  # those within a function are kept
    written.insert(written.index("        return within"), "")
    assert collection.spaced(written) == formatted.splitlines()


@pytest.mark.parametrize(
    "old, new, complaint",
    [
        ("-b\n", "-a\n", "bug, which changes ok: no such line: -a"),  # it stands before the line that was found
        ("-b\n", "b\n", "bug, which changes ok: no such line: b"),
        ('"""BUG: wrong"""\n', "", "bug: a section begins with the docstring of its policy"),
        ("=== other", "=== ok", "two sections are called ok"),
        ("from bug", "from gone", "other changes gone, which does not stand before it"),
    ],
)
def test_a_section_that_does_not_fit_its_base_is_refused(old, new, complaint):
    with pytest.raises(ValueError, match=complaint):
        collection.sources(COLLECTION.replace(old, new))


def test_files_of_ones_own_are_taken_as_they_are(tmp_path):
    (tmp_path / "texts.txt").write_text(COLLECTION)
    assert collection.folder_of(tmp_path) == tmp_path
    written = collection.folder_of(tmp_path / "texts")
    assert sorted(file.name for file in written.iterdir()) == ["bug.py", "ok.py", "other.py"]
    assert (written / "ok.py").read_text() == collection.sources(COLLECTION)["ok"]


def test_one_line_of_a_broken_policy_is_to_blame_and_none_of_a_sound_one():
    assert [name for name, path in BROKEN.items() if path.read_text().count("# BUG") != 1] == []
    assert [name for name, path in SOUND.items() if "# BUG" in path.read_text()] == []


@pytest.mark.parametrize("name", ["bug_elim_best_seen_raw", "bug_mechanism_scale_from_value"])
def test_rare_raw_rewards_and_a_false_loss_are_found(name):
    assert verdict_of("privacy", name) == "violation"


@pytest.mark.parametrize("name", ["ok_explore_then_commit", "ok_mechanism_inverse_laplace"])
def test_a_coroutine_and_an_honest_mechanism_are_fine(name):
    assert verdict_of("privacy", name) == "ok"


class Optional(Policy):
    """Batches of four. An option, a parameter left to its default and a question for a kind have dead ways."""

    def __init__(self, noise, cautious=False):
        super().__init__(2)
        self.noise, self.cautious, self.sums, self.clock = noise, cautious, np.zeros(2), 0
        if cautious:
            self.sums += 1

    def next_batch(self):
        self.arm = int(np.argmax(self.sums))
        if self.cautious:
            self.arm = 1 - self.arm
        return np.array([self.arm]), np.array([4])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        records = (self.clock, self.clock + int(count[0]))
        self.clock = records[1]
        self.sums[played] = self.plain(
            self.noise.laplace(total, sensitivity=1, budget=Budget.pure(1.0), records=records)
        )

    def plain(self, value, scale=None):
        if scale is not None:
            value = value * scale
        return value if isinstance(value, float) else float(value[0])


def test_what_no_run_can_reach_is_no_dead_branch():
    report = check_privacy(lambda noise, _: Optional(noise), Budget.pure(1.0), seconds=2)
    assert report.ok, report
    assert report.most_pulls > 500 and f"(of one arm: {report.most_pulls})" in str(report)


class Mood(Optional):
    """As `Optional`, but what looks like an option changes while it plays, and then raw rewards decide."""

    mood, raw = False, 0.0

    def next_batch(self):
        if self.mood:
            self.sums = self.raw
        return super().next_batch()

    def observe(self, total, count, arm=None):
        super().observe(total, count, arm)
        self.raw = np.array([float(total[0]), 0.0])
        self.mood = self.clock > 10**9


def test_an_attribute_that_is_set_in_a_run_is_no_option():
    report = check_privacy(lambda noise, _: Mood(noise), Budget.pure(1.0), seconds=1)
    assert report.verdict == "inconclusive" and "self.sums = self.raw" in str(report)


def test_a_seed_gives_one_report():
    first, second = (
        str(check_privacy(lambda noise, _: Optional(noise), Budget.pure(1.0), seconds=0.5, seed=3)) for _ in range(2)
    )
    assert re.sub(r"[\d.]+ s", "", first) == re.sub(r"[\d.]+ s", "", second)


class Whole(Optional):
    """Releases by a mechanism of its own, of whatever scale."""

    scale = 1.0

    def drawn(self, shape, generator):
        return generator.laplace(0, self.scale, shape)

    def observe(self, total, count, arm=None):
        own = Mechanism(
            "wide",
            lambda value, generator: value + self.drawn(value.shape, generator),
            lambda value, other: float(np.abs(value - other).sum()),
        )
        records = (self.clock, self.clock + int(count[0]))
        self.clock = records[1]
        released = self.noise.released(total, mechanism=own, budget=Budget.pure(1.0), records=records)
        self.sums[self.arm if arm is None else int(arm[0])] = released[0]


def test_a_mechanism_of_ones_own_keeps_the_loss_that_it_states():
    assert not check_privacy(lambda noise, _: Whole(noise), Budget.pure(1.0), seconds=1).violations

    def half(noise: NoiseSource, _: np.random.Generator) -> Policy:
        policy = Whole(noise)
        policy.scale = 0.5
        return policy

    (violation,) = check_privacy(half, Budget.pure(1.0), seconds=1).violations
    assert violation.cause == "noise" and "states a loss of 1 between" in violation.reason


SHARE = 1 - np.exp(-0.25)


@pytest.mark.parametrize(
    ("noise", "too_little", "kept"),
    [
        (lambda generator, shape: generator.geometric(SHARE, shape) - generator.geometric(SHARE, shape), 0.125, 0.25),
        (lambda generator, shape: generator.normal(0, 2**0.5, shape), 1.0, 4.0),  # light tails: rare answers cost most
    ],
)
def test_more_answers_are_drawn_of_the_pair_of_values_that_shows_most(noise, too_little, kept, every_point):
    def answered(value: float, loss: float) -> Release:
        mechanism = Mechanism(
            "own", lambda v, generator: v + noise(generator, v.shape), lambda v, w: loss * float(np.abs(v - w).sum())
        )
        one = np.array([value])
        return Release(one, one, "own", 1.0, 1.0, Budget.pure(loss), "l1", (0, 1), "", mechanism)

    for seed in range(2 if every_point else 1):
        halved, whole = (
            list(broken_losses([(answered(0, loss), answered(1, loss))], seed, LAW_ERROR))
            for loss in (too_little, kept)
        )
        assert halved and not whole


def test_a_strategy_that_errs_in_half_of_the_orders_is_a_violation():
    def make(arms, generator, replications):
        return history(
            lambda pulled, rewards: len(pulled) % 2,
            arms,
            replications,
            stopped=lambda pulled, rewards: len(pulled) == 100,
            recommend=lambda pulled, rewards: 1,
        )

    assert check_delta_correct(make, 2, 0.1, seconds=5).verdict == "violation"


def test_noise_on_whole_numbers_keeps_its_loss_of_whole_rewards_alone():
    """The fraction of a sum of rewards in [0, 1] shows, though values that differ by 1 cost what is stated."""

    def steps(noise: NoiseSource, _: np.random.Generator) -> Policy:
        policy = Whole(noise)
        policy.drawn = lambda shape, of: of.geometric(1 - np.exp(-1), shape) - of.geometric(1 - np.exp(-1), shape)
        return policy

    (violation,) = check_privacy(steps, Budget.pure(1.0), seconds=2).violations
    assert violation.cause == "noise" and "states a loss of 0." in violation.reason
    assert not check_privacy(steps, Budget.pure(1.0), rewards_in={0, 1}, seconds=2).violations
