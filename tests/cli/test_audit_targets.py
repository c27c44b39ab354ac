"""What people name as the target of `audit`: it is audited, or the message says which function to write."""

import textwrap

import pytest

from tests.cases import texts
from tests.cli.calling import status

TEXTS = texts(__file__)

CODE = "\n" + TEXTS["code"]
WRITE = "a function without arguments that makes a policy"
AUDITED = ("pol.py:mechanism", "folder/inner.py:mechanism", "folder/inner:mechanism", "pol:make")
REFUSED = {
    "pol:WithArms": "def make(): return WithArms(arms=...), and audit pol:make",
    "pol.py:WithArms": "and audit pol.py:make",
    "pol:WithBudget": "def make(): return WithBudget(n_arms=..., epsilon=...)",
    "pol:WithThree": "the class WithThree",
    "pol:make_of": "def make(): return make_of(arms=...)",
    "pol:make_of_two": "a function of k, epsilon",
    "pol:make_of_three": "a function of arms, horizon, delta",
    "pol:policy": "it is an object of class Ucb",
    "pol:number": WRITE,
    "pol:text": WRITE,
    "pol:arms": WRITE,
    "pol:unlike": "(noise, generator)",
    "pol:Ucb.select_arm": WRITE,
    "pol:nothing": "has no attribute 'nothing'",
    "pol:mechanisms": "did you mean pol.py:mechanism?",
    "none:make": "No module named",
    "none.py:make": "in a file that exists (none.py does not)",
    "none.py": "in a file that exists (none.py does not)",
    "none/pol:make": "in a file that exists (none/pol.py does not)",
    "pol": "did you mean pol.py:",
    "pol.py": "did you mean pol.py:",
    "pol.make": "did you mean pol:make?",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "folder").mkdir()
    for name in ("pol.py", "folder/inner.py"):
        (tmp_path / name).write_text(textwrap.dedent(CODE))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("target", AUDITED)
def test_it_is_audited(folder, target, capsys):
    limit = ["--samples", "2000"] if target.endswith("mechanism") else ["--seconds", "0.2"]
    assert status(["audit", target, "--epsilon", "1", *limit]) in (0, 3)
    assert "error" not in capsys.readouterr().err.lower()


@pytest.mark.parametrize(
    ("target", "typed"),
    [("pol:mechanism", "--seconds 5"), ("pol:mechanism", "--rewards-at x"), ("pol:make", "--samples 100")],
)
def test_an_option_that_would_change_nothing_is_refused(folder, target, typed, capsys):
    assert status(["audit", target, "--epsilon", "1", *typed.split()]) == 2
    assert f"{typed[2:].split()[0].replace('-', '_')} must be left out" in capsys.readouterr().err


@pytest.mark.parametrize("target", REFUSED)
def test_it_is_said_what_to_write(folder, target, capsys):
    assert status(["audit", target, "--epsilon", "1"]) == 2
    assert REFUSED[target] in " ".join(capsys.readouterr().err.split())
