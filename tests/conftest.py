import gc
import json
import math
import multiprocessing
import os
import signal
import subprocess
import sys
import warnings
from collections import Counter
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

from banditproof.theory.errors import InvalidInput
from banditproof.verify import stopwatch

# The same examples on every run; no deadline, because a busy machine would miss it at random.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")

stopwatch.ON_THE_WALL = False  # tests run beside others: the seconds that they give count work

# What make test leaves to make nightly: files, tests and cases, each on a line.
NIGHTLY = set(Path(__file__).with_name("nightly.txt").read_text(encoding="utf-8").splitlines())


def pytest_addoption(parser):
    parser.addoption(
        "--every-point", action="store_true", help="10,000 points per second route; every proof attacked (make nightly)"
    )
    parser.addoption("--report", metavar="FOLDER", help="look at the pages of this report in a browser (make pages)")
    parser.addoption("--distributions", metavar="FOLDER", help="try the wheel and the sources in it (make release)")
    parser.addoption("--without", metavar="PYTHON", action="append", default=[], help="a Python that is not tried")


def pytest_configure(config):
    config.addinivalue_line("markers", "one_in(n): of its cases make test runs the first of every n, make nightly all")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is imported and collected stays to the end, so the collection of garbage need not look through it.

    What a test leaves is little, and is looked through seldom: a tenth less work.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(100_000, 20, 20)
        gc.enable()


def pytest_collection_modifyitems(config, items):
    """Leave out what `nightly.txt` names and most of `one_in`, unless everything is asked for, or tests are by name.

    The tests of the repository come first. They share what is dear to make (a wheel, an environment, the site), and
    idle workers take over tests from the end of what another one has still to do: there it would be made again.
    """
    items.sort(key=lambda item: "tests/project/" not in item.nodeid)
    if config.getoption("--every-point") or any("::" in word for word in config.args):
        return
    seen, left_out = Counter(), set()
    if not hasattr(config, "workerinput"):  # a worker of xdist cannot say why it stops
        refuse_unknown_names(items)
    for item in items:
        file, name, case = names_of(item)
        if NIGHTLY & {file, name, case}:
            left_out.add(item)
        elif marker := item.get_closest_marker("one_in"):
            left_out |= {item} if seen[name] % marker.args[0] else set()
            seen[name] += 1
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def names_of(item):
    """The file of a case, its test and itself."""
    return item.nodeid.partition("::")[0], item.nodeid.partition("[")[0], item.nodeid


def refuse_unknown_names(items):
    """A name of `nightly.txt` that no test of a collected file has is mistaken, or left over."""
    files, tests, cases = map(set, zip(*map(names_of, items), strict=True)) if items else (set(),) * 3
    if unknown := {name for name in NIGHTLY if name.partition("::")[0] in files} - files - tests - cases:
        raise pytest.UsageError(f"nightly.txt names what is no test: {', '.join(sorted(unknown))}")


@pytest.fixture(scope="session")
def every_point(request):
    """Whether the tests that draw points are to draw all of them."""
    return request.config.getoption("--every-point")


@pytest.fixture(autouse=True)
def fresh_precision():
    """Every test starts with the precision of a fresh process, whatever checks ran before it in the same one."""
    flint, mpmath = sys.modules.get("flint"), sys.modules.get("mpmath")
    if flint is not None:
        flint.ctx.prec = 53
    if mpmath is not None:
        mpmath.mp.prec = 53


@pytest.fixture(scope="session")
def warm(tmp_path_factory):
    """`with warm(**environment) as python:` starts a process that divides for each command (`warm.py`)."""

    @contextmanager
    def started(**environment):
        program = f"import runpy; runpy.run_path({str(Path(__file__).with_name('warm.py'))!r})['serve']()"
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}

        def run(*words, folder=None, **more):
            said = tmp_path_factory.mktemp("said")
            out, err = said / "out", said / "err"
            out.touch(), err.touch()
            words, of_its_own = [str(word) for word in words], {**os.environ, **environment, **more}
            asked = {"words": words, "folder": str(folder or Path.cwd()), "environment": of_its_own}
            print(json.dumps(asked | {"out": str(out), "err": str(err)}), file=process.stdin, flush=True)
            status = int(process.stdout.readline())
            return subprocess.CompletedProcess(words, status, out.read_text(), err.read_text())

        with subprocess.Popen([sys.executable, "-c", program], env={**os.environ, **environment}, **pipes) as process:
            yield run
            process.stdin.close()

    return started


@pytest.fixture
def divided_workers(monkeypatch):
    """Workers of a pool divide from this process, which has imported everything.

    Those of a user start with nothing: what is tested about their start, or their end, does without this.
    """
    dividing = multiprocessing.get_context("fork")
    monkeypatch.setattr(multiprocessing, "get_context", lambda method=None: dividing)


@pytest.fixture(scope="session")
def python(warm):
    """`python(*words, folder=None)` runs what ``python words`` runs, in a process that need not import anything first.

    It returns what ``subprocess.run`` does. What is tested about a start itself needs a start of its own.
    """
    with warm() as run:
        yield run


@pytest.fixture(scope="session")
def banditproof(python):
    """`banditproof(*arguments, folder=None)` runs a command of the command line."""
    return partial(python, "-m", "banditproof.cli")


@pytest.fixture
def alone(tmp_path):
    """`alone(program, *words)` runs a file, or a text, by the standard library alone: nothing else can be imported."""

    def run(program, *words):
        if isinstance(program, str):
            path = tmp_path / "alone.py"
            path.write_text(program, encoding="utf-8")
        else:
            path = program
        command = [sys.executable, "-I", "-S", path, *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=120)

    return run


@pytest.fixture
def at_most():
    """`with at_most(seconds, what):` fails the test, whatever is running, where the block computes for longer."""

    @contextmanager
    def limited(seconds, what=""):
        def stop(*_):
            pytest.fail(f"more than {seconds} s {what}")

        before = signal.signal(signal.SIGPROF, stop)  # of computing: a busy machine fails nothing
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)

    return limited


JUNK = [
    *(None, "abc", "", "0.5", b"x", {}, set(), object(), 1j, math.nan, math.inf, -math.inf, True, False, -1, 0, 1, 2.5),
    *(
        -0.5,
        10**400,
        1e300,
        5e-324,
        Fraction(1, 3),
        Decimal("0.5"),
        np.float32(0.5),
        np.int64(-3),
        "inf",
        "nan",
        "pure",
    ),
    *([], [1, 2], [[1, 2], [3]], ["a"], [None], (), (0.5,), [math.nan, 0.5], {"a": 1}, range(3), ["0.5", "0.4"]),
    *(np.zeros(0), np.zeros((2, 2)), np.array(["a"]), np.array([1j]), np.array([True]), np.array(0.5), slice(2)),
    *(np.array([np.nan, 1.0]), np.array([None, 1], dtype=object), np.array(0, dtype="datetime64[s]")),
]


@pytest.fixture
def altered_call(at_most, tmp_path, monkeypatch):
    """`altered_call(function, given)` puts everything that may be of another kind in place of every argument, and lists
    what should not have happened.

    `given` are arguments that are answered, or a function that makes them afresh. What must not happen is another
    exception than an InvalidInput that names a parameter (or one that `passes`), or more than `seconds` of computing.
    Calls run in a folder of their own, since text in place of a path is the name of a file or folder.
    """
    monkeypatch.chdir(tmp_path)

    def attack(function, given, seconds=4, passes=()):
        make = given if callable(given) else lambda: given
        function(**make())
        told = []
        for name, junk in product(make(), JUNK):
            try:
                with at_most(seconds, (name, junk)), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    function(**{**make(), name: junk})
            except InvalidInput as refused:
                told += [] if refused.parameter else [f"{name}={junk!r:.80} is refused without a name"]
            except passes:
                continue
            except Exception as error:
                told.append(f"{name}={junk!r:.80}: {error!r:.120}")
        return told

    return attack
