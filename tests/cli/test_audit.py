"""banditproof audit: mechanisms and policies by name, and what cannot be audited."""

import json
import sys
import textwrap
from dataclasses import fields
from functools import partial
from pathlib import Path

import pytest

from banditproof.cli.settings import AuditOptions
from banditproof.theory import Budget
from tests.cases import rows, texts
from tests.cli import calling

TEXTS = texts(__file__)

status = partial(calling.status, command=["audit"])


@pytest.fixture
def targets(tmp_path, monkeypatch):
    code = """
        import numpy as np
        from banditproof.algorithms import DPIMED, GeometricBatches
        from banditproof.theory import Budget

        def laplace(world, size, generator):
            return world + generator.laplace(0, 1, size)

        def make_policy(noise, generator):
            return DPIMED(2, Budget.pure(1.0), GeometricBatches(2), noise, generator=generator)

        def many(noise, generator, replications):
            return DPIMED(2, Budget.pure(1.0), GeometricBatches(2), noise, replications=replications)

        def lonely(noise):
            return noise

        def nan(world, size, generator):
            return np.full(size, np.nan)

        def short(world, size, generator):
            return np.zeros(size - world)

        def typed(world, size, generator):
            return np.zeros(size, dtype=[float, int][world])

        def complex_ones(world, size, generator):
            return np.ones(size) * 1j

        def ragged(world, size, generator):
            return [[0] * (1 + k % 2) for k in range(size)]

        def broken(world, size, generator):
            return {}["key"]

        def no_policy(noise, generator):
            return None

        class Drifting(DPIMED):
            def next_batch(self):
                arm, count = super().next_batch()
                return arm * 0.5, count

        def drifting(noise, generator):
            return Drifting(2, Budget.pure(1.0), GeometricBatches(2), noise, generator=generator)
    """
    (tmp_path / "leaves.py").write_text("import sys; sys.exit(3)")
    (tmp_path / "unfinished.py").write_text("def f(:")
    (tmp_path / "audited_targets.py").write_text(textwrap.dedent(code))
    monkeypatch.chdir(tmp_path)


def test_a_mechanism_sold_at_half_its_budget_is_refuted_with_status_1(targets, capsys):
    assert status(["audited_targets:laplace", "--epsilon", "0.5", "--json"]) == 1
    audit = json.loads(capsys.readouterr().out)
    assert audit["verdict"] == "violation" and 0.5 < audit["shown"] <= 1 and audit["promised"] == 0.5
    assert status(["audited_targets:laplace", "--epsilon", "1"]) == 0
    assert "does not mean private" in capsys.readouterr().out


def test_a_policy_is_audited_by_its_actions(targets, capsys):
    assert status(["audited_targets:make_policy", "--epsilon", "1", "--samples", "200"]) == 0
    said = capsys.readouterr().out
    assert "200 runs" in said and "nothing but the arms of the first 12 pulls" in said
    assert "assert_private(make_policy, Budget.pure(epsilon=1.0))" in said
    assert status(["audited_targets:laplace", "--epsilon", "1", "--samples", "200"]) == 0
    assert "assert_private" not in capsys.readouterr().out


def test_many_replications_are_played_at_once_where_the_target_makes_them(targets, capsys):
    assert status(["audited_targets:many", "--order", "2", "--epsilon", "1", "--samples", "2000"]) == 0
    assert "2000 runs on each" in capsys.readouterr().out


def test_too_few_runs_cannot_refute_and_say_so(targets, capsys):
    for name in ("laplace", "make_policy"):
        assert status([f"audited_targets:{name}", "--epsilon", "1", "--samples", "4"]) == 3
        assert "4 runs" in (said := capsys.readouterr().out) and ("cannot refute" in said or "inconclusive" in said)


@pytest.mark.parametrize(("arguments", "named"), rows(TEXTS["bad input"], data=(0,)))
def test_bad_input_is_named(targets, capsys, arguments, named):
    assert status(arguments) == 2
    assert named in capsys.readouterr().err


def test_a_policy_as_it_is_is_checked_with_its_lines(tmp_path, monkeypatch, capsys):
    code = """
        import random

        class Kept:
            def __init__(self):
                self.noise, self.sums = random.gauss(0, 1), [0.0, 0.0]

            def select_arm(self):
                return int(self.sums[1] > self.sums[0])  # reads rewards

            def update(self, arm, reward):
                self.sums[arm] += reward if arm else -reward
    """
    (tmp_path / "somebody.py").write_text(textwrap.dedent(code))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert status(["somebody:Kept", "--epsilon", "1", "--seconds", "1"]) == 1
    assert "somebody.py:9 in select_arm" in capsys.readouterr().out
    assert status(["somebody:Kept", "--epsilon", "1", "--seconds", "1", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["defects"][0]["cause"] == "raw rewards"


@pytest.fixture
def program(tmp_path, monkeypatch):
    code = """
        import json, random, sys
        for text in sys.stdin:
            line = json.loads(text)
            random.seed(line["reset"])
            noise = random.expovariate(1) - random.expovariate(1)
            print({"sound": json.dumps({"number": line["neighbour"] + noise}),
                   "raw": json.dumps({"number": line["neighbour"]}),
                   "rubbish": "number: 3"}.get(sys.argv[1]) or sys.exit("good-bye"), flush=True)
    """
    (tmp_path / "answers.py").write_text(textwrap.dedent(code))
    monkeypatch.chdir(tmp_path)
    return lambda kind: ["--program", f"{sys.executable} answers.py {kind}", "--epsilon", "1", "--samples", "300"]


@pytest.mark.parametrize(
    ("kind", "code", "told"),
    [
        ("sound", 0, "not refuted"),
        ("raw", 1, "again: cat case.jsonl | "),
        ("rubbish", 2, "line 1 of the program after a reset"),
        ("ends", 3, "it said: good-bye"),
    ],
)
def test_a_program_is_audited_with_the_status_of_its_verdict(program, capsys, kind, code, told):
    assert status([*program(kind), "--case", "case.jsonl"]) == code
    said = capsys.readouterr()
    assert told in " ".join((said.out + said.err).split()) and "Traceback" not in said.err
    assert Path("case-neighbour.jsonl").exists() == (code == 1)


def test_a_program_stands_in_the_place_of_a_target(program, capsys):
    assert status(["audited_targets:laplace", *program("sound")]) == 2
    assert status(["--epsilon", "1"]) == 2
    assert status(["--program", "no-such-program-anywhere", "--epsilon", "1"]) == 2
    assert "a command that can be run" in capsys.readouterr().err
    assert status([*program("raw"), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["verdict"] == "violation"


def test_every_parameter_of_a_budget_has_an_option():
    assert {field.name for field in fields(Budget)} == AuditOptions(target="a:b").budgets.keys()
