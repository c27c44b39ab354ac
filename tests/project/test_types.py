"""What type checkers see of the wheel: every public name has a type, right code passes, mistakes are seen."""

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from typing import Annotated, get_origin

import pytest

from banditproof.theory.face import modules_behind

ROOMS = ("theory", "algorithms", "verify", "claims")
NAMES = [(room, name) for room in ROOMS for name in modules_behind(f"banditproof.{room}")]
SETS = [  # what an annotation of a claim's variable prints: the variable is of every number system in turn
    (room, name) for room, name in NAMES if get_origin(getattr(import_module(f"banditproof.{room}"), name)) is Annotated
]

USE = """\
from fractions import Fraction

import numpy as np
from flint import arb

import banditproof
from banditproof.algorithms import BernoulliBandit, DPIMED, GeometricBatches, NoiseSource, Policy, simulate
from banditproof.claims import Probability, claim, figure, interval
from banditproof.theory import Budget, Enclosure, d_epsilon, kl_bernoulli, maximum, normal_cdf, regret_lower_bound
from banditproof.verify import PLANTED, announced, assert_private, check_privacy, plant


def make(noise: NoiseSource, generator: np.random.Generator) -> Policy:
    return DPIMED(2, Budget.pure(1), GeometricBatches(2), noise, generator=generator)


@claim("TYPES-1", interval(), false={"factor": "0.9"})
def half(x: Probability, factor: int = 1) -> tuple[object, str, object]:
    return x * (1 - x), "<=", factor


budget, generator = Budget.pure(1.0), np.random.default_rng(0)
policy, bandit = make(NoiseSource(generator), generator), BernoulliBandit([0.5, 0.4])
bounds = regret_lower_bound(["0.75", Fraction(1, 2), 0.4], epsilon="1/2")
"""
RIGHT = """\
width: Fraction | float = bounds["d-epsilon"].value.width
text: str = banditproof.__version__ + bounds.best.value.decimal(3)
ok: bool = check_privacy(make, budget, seconds=1, horizon=10).ok
verdict: str = assert_private(plant(PLANTED["noise halved"], make), budget).verdict
costs = kl_bernoulli(0.5, Fraction(1, 2)) + d_epsilon(np.linspace(0, 1, 3), 0.5, np.float64(1)) * 2
shares = maximum(np.zeros(3), 0) + normal_cdf(arb(1))
simulate(policy, bandit, 100, generator).actions.sum()
half(Fraction(1, 2), factor=2)[1].upper()
banditproof.theory.Enclosure(0, 1).contains(banditproof.theory.kl_bernoulli(0.1, 0.2))
"""
MISTAKES = """\
Budget.pure("x")
banditproof.theory.d_delta(0.1, 0.2)
banditproof.theroy
banditproof.__version__ + 1
check_privacy(3, budget)
check_privacy(lambda noise: policy, budget)
check_privacy(make, budget, second=3)
check_privacy(make, budget).verdct
assert_private(make, 1.0)
assert_private(make, budget).ok + "no"
kl_bernoulli("0.5", 0.4)
kl_bernoulli(0.5)
d_epsilon(0.5, 0.4, eps=1)
normal_cdf(None)
regret_lower_bound(0.5)
bounds["d-epsilon"].valeu
Enclosure(0, 1).decimal("3")
simulate(policy, bandit, "100", generator)
BernoulliBandit(0.5)
plant(make)
announced(make)()
half(0.1, factor="x")
half()
"""
FILES = {
    "names": "import banditproof\n" + "".join(f"reveal_type(banditproof.{room}.{name})\n" for room, name in NAMES),
    "right": USE + RIGHT,
    "mistakes": USE + MISTAKES,
}


def pyright(folder, python):
    told = checker(folder, "pyright", "--outputjson", "--pythonpath", python, *(f"{name}.py" for name in FILES))
    for said in json.loads(told)["generalDiagnostics"]:
        name = re.search(r"(\w+)\.py$", said["file"])[1]
        yield name, said["range"]["start"]["line"], said["severity"], said["message"]


def mypy(folder, python):
    told = checker(folder, "mypy", "--python-executable", python, *(f"{name}.py" for name in FILES))
    for name, line, severity, message in re.findall(r"^(\w+)\.py:(\d+): (\w+): (.*)$", told, flags=re.MULTILINE):
        yield name, int(line) - 1, severity, message


def checker(folder, name, *arguments):
    seen = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "MYPYPATH")}
    return subprocess.run(
        [sys.executable, "-m", name, *map(str, arguments)], cwd=folder, env=seen, capture_output=True, text=True
    ).stdout


@pytest.fixture(scope="module", params=[pyright, mypy], ids=["pyright", "mypy"])
def told(request, environment, tmp_path_factory):
    """What a checker says in the project of a user of the wheel: (file, line from 0, severity, message)."""
    folder = tmp_path_factory.mktemp("project")
    for name, source in FILES.items():
        (folder / f"{name}.py").write_text(source)
    return list(request.param(folder, environment / "bin" / "python"))


def test_every_public_name_has_a_type(told):
    types = {line: re.search(r'(?: is |type is )"(.*)"$', m)[1] for file, line, s, m in told if file == "names"}
    assert list(types) == list(range(1, len(NAMES) + 1))
    shown = dict(zip(NAMES, types.values(), strict=True))
    erased = [
        name for name, said in shown.items() if said in ("Any", "Unknown") or re.search("Unknown|[*]args: Any", said)
    ]
    assert sorted({*erased} - {*SETS}) == []


def test_right_code_has_no_error(told):
    assert [(FILES["right"].splitlines()[line], m) for file, line, s, m in told if file == "right"] == []


def test_every_planted_mistake_is_seen_and_nothing_else(told):
    lines = FILES["mistakes"].splitlines()
    seen = {lines[line] for file, line, severity, _ in told if (file, severity) == ("mistakes", "error")}
    assert seen == set(MISTAKES.splitlines())
