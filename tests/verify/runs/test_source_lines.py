"""The lines that make the arguments of a release are read off the source, and those of libraries are not blamed."""

from pathlib import Path

import numpy as np
import pytest

from banditproof.algorithms import AdaPUCB, NoiseSource, Policy
from banditproof.theory import Budget
from banditproof.verify import check_privacy
from banditproof.verify.runs.source_lines import located, told

SOURCE = """
from banditproof.theory import Budget

class Sums:
    def __init__(self, noise):
        self.noise, self.pending, self.share = noise, 0.0, None

    def observe(self, total, count, arm=None):
        self.pending += 2 * total[0]
        value = round(self.pending)
        self.share = Budget.pure(1 / 3)
        noisy = self.noise.laplace(
            value,
            sensitivity=self.width(), budget=self.share,
        )
        self.pending = 0.0

    def width(self):
        return 0.5
"""


def line(text):
    return next(k for k, written in enumerate(SOURCE.splitlines(), 1) if text in written)


@pytest.mark.parametrize(
    ("cause", "from_"),
    [
        ("sensitivity", ["value = round", "return 0.5", "self.pending += 2"]),
        ("budget", ["self.share = Budget"]),
        ("raw rewards", []),
    ],
)
def test_the_lines_are_those_of_the_arguments_that_a_cause_is_about(tmp_path, cause, from_):
    file = tmp_path / "sums.py"
    file.write_text(SOURCE)
    first, *others = told(str(file), line("noisy ="), "observe", cause).split("\n  from ")
    assert first.startswith(f"sums.py:{line('noisy =')} in observe: noisy = self.noise.laplace(value, sensitivity=")
    assert [other.split(" in ")[0] for other in others] == [f"sums.py:{line(text)}" for text in from_]


def test_a_source_that_cannot_be_had_has_its_line_alone():
    assert told("<string>", 3, "observe", "budget") == located("<string>", 3, "observe")


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
