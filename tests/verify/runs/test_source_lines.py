"""The lines that made the arguments of a release are told as they ran, and those of libraries are not blamed."""

import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from banditproof.algorithms import AdaPUCB, NoiseSource, Policy
from banditproof.theory import Budget
from banditproof.verify import check_privacy
from tests.cases import texts

TEXTS = texts(__file__)

SOURCE = "\n" + TEXTS["source"]


def line(text):
    return next(k for k, written in enumerate(SOURCE.splitlines(), 1) if text in written)


LINES = {
    "Passed": ("sensitivity", ["self.release(total, where, 0.5)"]),
    "Computed": ("sensitivity", ["self.release(total, where, width)", "width = self.width()", "return 0.5"]),
    "Twice": ("budget", ["first = self.release(total, where, 1)", "second = self.release(total, where, 1)"]),
    "Default": ("budget", ["def double(self, total, where, share=2.0)"]),
    "Split": ("budget", ["first = self.release(total, where, 1, eps", "epsilon=share", "share = 0.9 if first"]),
    "Carried": ("records", ["self.release(total + self.carried", "self.carried = total[0] / 2"]),
    "Listed": ("records", ["self.release(value, where, 3)", "value = np.array([sum(", "self.pending = [*self.pending"]),
    "Raw": ("raw rewards", ["self.arm = int(np.argmax(", "if where[0] < 2: self.carried = -total[0]"]),
}


@pytest.mark.parametrize("name", LINES)
def test_the_lines_that_made_the_arguments_are_told_and_none_that_did_not_run(tmp_path, monkeypatch, name):
    violation = violation_of(tmp_path, monkeypatch, SOURCE, name)
    cause, texts = LINES[name]
    assert violation.cause == cause
    told = blamed_numbers(violation.line)
    assert {line(text) for text in texts} <= told and len(told) <= 6
    others = [k for k, text in enumerate(SOURCE.splitlines(), 1) if text.startswith("class ")]
    mine = next(k for k in others if f"class {name}(" in SOURCE.splitlines()[k - 1])
    end = min([k for k in others if k > mine], default=10**6)
    assert all(mine < k < end or line("class Base") < k < line("class Passed") for k in told)
    assert line('with np.errstate(all="ignore")') not in told


HELPED = "\n" + TEXTS["helped"]


def violation_of(tmp_path, monkeypatch, source, name):
    """The violation of the policy that a file makes under this name."""
    (tmp_path / "helped.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "helped", raising=False)
    make = getattr(import_module("helped"), name)
    return check_privacy(lambda noise, generator: make(noise), Budget.pure(1.0), seconds=1).violations[0]


def blamed_numbers(line):
    return {int(text.partition(":")[2].partition(" ")[0]) for text in line.split("\n  from ")}


@pytest.mark.parametrize(
    "name", ["function", "alias", "decorator", "closure", "spread", "comprehension", "asked", "generated", "library"]
)
def test_a_helper_of_any_kind_is_followed_back_to_the_line_that_gives_the_sensitivity(tmp_path, monkeypatch, name):
    violation = violation_of(tmp_path, monkeypatch, HELPED, name)
    guilty = next(k for k, text in enumerate(HELPED.splitlines(), 1) if text.endswith(f"  # {name}"))
    assert violation.cause == "sensitivity" and guilty in blamed_numbers(violation.line)


class Stretched(Policy):
    """Hands rewards that are stretched to a policy of the library."""

    def __init__(self, noise):
        super().__init__(2)
        self.inner = AdaPUCB(2, Budget.pure(1.0), noise, beta=3.1)

    def next_batch(self):
        return self.inner.next_batch()

    def observe(self, total, count, arm=None):
        self.inner.observe(2 * total, count, arm)


class Respondents(Policy):
    """Reports each reward at twice the budget."""

    def __init__(self, noise):
        super().__init__(2)
        self.noise, self.clock = noise, 0

    def next_batch(self):
        return np.array([self.clock % 2]), np.array([1])

    def observe(self, total, count, arm=None):
        coin, where = np.array([int(total[0] > 0.5)]), (self.clock, self.clock + 1)
        self.noise.randomised_response(coin, categories=2, budget=Budget.pure(2.0), records=where)
        self.clock += 1


@pytest.mark.parametrize(
    ("make", "blamed"),
    [(Stretched, "self.inner.observe(2 * total, count, arm)"), (Respondents, "self.noise.randomised_response(coin")],
)
def test_the_line_of_ones_own_class_is_blamed_and_no_line_of_a_library(make, blamed):
    report = check_privacy(lambda noise, generator: make(noise), Budget.pure(1.0), seconds=1)
    assert report.verdict == "violation" and isinstance(make(NoiseSource(np.random.default_rng(0))), Policy)
    assert report.violations[0].line.startswith(f"{Path(__file__).name}:") and blamed in report.violations[0].line
