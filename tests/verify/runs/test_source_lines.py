"""The lines that made the arguments of a release are told as they ran, and those of libraries are not blamed."""

import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from banditproof.algorithms import AdaPUCB, NoiseSource, Policy
from banditproof.theory import Budget
from banditproof.verify import check_privacy

SOURCE = """
import numpy as np
from banditproof.algorithms import Policy
from banditproof.theory import Budget

class Innocent:
    def finish(self, total):
        self.carried = np.floor(total)
        return self.noise.laplace(total, sensitivity=0.1, budget=Budget.pure(9), records=(0, 1))

class Base(Policy):
    def __init__(self, noise):
        super().__init__(2)
        self.noise, self.clock, self.means, self.carried, self.pending = noise, 0, np.zeros(2), 0.0, 0.0

    def next_batch(self):
        with np.errstate(all="ignore"):
            self.arm = int(np.argmax(self.means))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        start, self.clock = self.clock, self.clock + int(count[0])
        self.means[self.arm] = self.finish(total, (start, self.clock))

    def release(self, value, where, width, epsilon=1.0):
        return self.noise.laplace(
            value, sensitivity=width, budget=Budget.pure(epsilon), records=where
        )[0]

class Passed(Base):
    def finish(self, total, where):
        return self.release(total, where, 0.5)

class Computed(Base):
    def finish(self, total, where):
        width = self.width()
        return self.release(total, where, width)

    def width(self):
        return 0.5

class Twice(Base):
    def finish(self, total, where):
        first = self.release(total, where, 1)
        second = self.release(total, where, 1)
        return first + second

class Default(Base):
    def finish(self, total, where):
        return self.double(total, where)

    def double(self, total, where, share=2.0):
        return self.release(total, where, 1, share)

class Split(Base):
    def finish(self, total, where):
        first = self.release(total, where, 1, epsilon=0.25)
        share = 0.9 if first < 100 else 0.5
        return self.release(total, where, 1, epsilon=share)

class Carried(Base):
    def finish(self, total, where):
        noisy = self.release(total + self.carried, where, 2)
        self.carried = total[0] / 2
        return noisy

class Listed(Base):
    def finish(self, total, where):
        self.pending = [*self.pending, total[0]][-3:] if self.pending else [total[0]]
        value = np.array([sum(x for x in self.pending)])
        return self.release(value, where, 3)

class Raw(Base):
    def finish(self, total, where):
        if where[0] < 2: self.carried = -total[0]; return self.carried
        else: return self.release(total, where, 1)
"""


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


HELPED = """
from functools import partial, wraps
import numpy as np
from banditproof.algorithms import Policy
from banditproof.theory import Budget

def logged(function):
    @wraps(function)
    def inner(*args, **named):
        return function(*args, **named)
    return inner

def release(noise, value, where, width):
    return noise.laplace(value, sensitivity=width, budget=Budget.pure(1.0), records=where)[0]

class Base(Policy):
    def __init__(self, noise):
        super().__init__(2)
        self.noise, self.clock, self.means, self.config = noise, 0, np.zeros(2), {"width": 0.5}
        self.sending = self.sender()
        next(self.sending)

    def next_batch(self):
        self.arm = int(np.argmax(self.means))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        start, self.clock = self.clock, self.clock + int(count[0])
        self.means[self.arm] = self.finish(total, (start, self.clock))

    def sender(self):
        got = yield
        while True:
            got = yield release(self.noise, *got, 0.5)  # generated

    @property
    def width(self):
        return 0.5  # asked

    @logged
    def send(self, total, where, width=1):
        return release(self.noise, total, where, width)

class function(Base):
    def finish(self, total, where):
        return release(self.noise, total, where, 0.5)  # function

class alias(Base):
    def finish(self, total, where):
        go = partial(release, self.noise, width=0.5)  # alias
        return go(total, where)

class decorator(Base):
    def finish(self, total, where):
        return self.send(total, where, width=0.5)  # decorator

class closure(Base):
    def finish(self, total, where):
        width = 0.5  # closure
        def send():
            return release(self.noise, total, where, width)
        return send()

class spread(Base):
    def finish(self, total, where):
        options = {"width": 0.5}  # spread
        return release(self.noise, total, where, **options)

class comprehension(Base):
    def finish(self, total, where):
        width = 0.5  # comprehension
        return [release(self.noise, part, where, width) for part in [total]][0]

class asked(Base):
    def finish(self, total, where):
        return release(self.noise, total, where, self.width)

class generated(Base):
    def finish(self, total, where):
        return self.sending.send((total, where))

class library(Base):
    def finish(self, total, where):
        made = lambda x: np.array([release(self.noise, x, where, 0.5)])  # library
        return np.apply_along_axis(made, 0, total)[0]
"""


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
