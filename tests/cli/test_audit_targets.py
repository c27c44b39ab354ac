"""What people name as the target of `audit`: it is audited, or the message says which function to write."""

import textwrap

import pytest

from tests.cases import rows, texts
from tests.cli.calling import status

TEXTS = texts(__file__)

CODE = "\n" + TEXTS["code"]
AUDITED = ("pol.py:mechanism", "folder/inner.py:mechanism", "folder/inner:mechanism", "pol:make")
REFUSED = dict(rows(TEXTS["refused"]))


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
    [
        *(("pol:mechanism", typed) for typed in ("--seconds 5", "--rewards-at x", "--arms 5")),
        ("pol:make", "--samples 100"),
    ],
)
def test_an_option_that_would_change_nothing_is_refused(folder, target, typed, capsys):
    assert status(["audit", target, "--epsilon", "1", *typed.split()]) == 2
    assert f"{typed[2:].split()[0].replace('-', '_')} must be left out" in capsys.readouterr().err


@pytest.mark.parametrize("target", REFUSED)
def test_it_is_said_what_to_write(folder, target, capsys):
    assert status(["audit", target, "--epsilon", "1"]) == 2
    assert REFUSED[target] in " ".join(capsys.readouterr().err.split())
