"""banditproof membership: what it prints, draws and refuses."""

import json
import textwrap
from pathlib import Path

import pytest

from tests.cases import each
from tests.cli.calling import status

SMALL = ["membership", "--records", "100", "--columns", "300", "--games", "600"]


def test_theory_lies_in_the_interval_that_is_counted(capsys, tmp_path):
    picture = tmp_path / "trade_offs.svg"
    assert status([*SMALL, "--gamma", "1", "--ratio", "0.2", "--json", "--plot", str(picture)]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["mechanism"] for row in rows] == ["mean", "noisy, gamma 1", "sampled, ratio 0.2"]
    for row in rows:
        low, high = row["advantage"]
        assert low <= row["leakage"] <= high
    assert rows[2]["leakage as printed"] > rows[2]["advantage"][1]  # MIA-T6.6
    assert "noisy, gamma 1" in picture.read_text()


def test_the_table_has_a_row_for_every_mechanism(capsys):
    assert status([*SMALL, "--target", "hard"]) == 0
    assert "600 games, hard target" in capsys.readouterr().out


@pytest.fixture
def mechanisms(tmp_path, monkeypatch):
    (tmp_path / "own_mechanisms.py").write_text(
        textwrap.dedent("""
            import numpy as np

            def rounded(records, generator):
                return np.round(records.mean(axis=0), 2)

            def first(records, generator):
                return records.mean(axis=0)[:1]

            def nan(records, generator):
                return np.full(records.shape[1], np.nan)

            def words(records, generator):
                return ["mean"] * records.shape[1]

            def growing(records, generator):
                return records.mean(axis=0)[: 1 + generator.integers(2)]

            def broken(records, generator):
                return records[len(records)]
        """)
    )
    monkeypatch.chdir(tmp_path)


def test_who_knows_less_wins_less_and_own_mechanisms_are_attacked(mechanisms, capsys):
    known = ["--misspecified", "0.2", "--references", "200", "--mechanism", "own_mechanisms:rounded"]
    assert status([*SMALL, *known, "--json"]) == 0
    full, wrong, estimated, own = json.loads(capsys.readouterr().out)["rows"]
    assert wrong["leakage"] < full["leakage"] and wrong["advantage"][0] <= wrong["leakage"] <= wrong["advantage"][1]
    assert estimated["advantage"][0] < full["leakage"]
    assert own["leakage"] is None and own["advantage"][0] > 0
    assert status([*SMALL, *known, "--plot", "curves.svg"]) == 0
    assert (
        "power: as measured" in capsys.readouterr().out and "own_mechanisms:rounded" in Path("curves.svg").read_text()
    )


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", ["first", "nan", "words", "growing"])
def test_outputs_that_cannot_be_attacked_are_named(mechanisms, capsys, name):
    assert status([*SMALL, "--mechanism", f"own_mechanisms:{name}"]) == 2
    assert "output of the mechanism must be" in capsys.readouterr().err


def test_own_mechanisms_that_raise_are_named_with_the_line(mechanisms, capsys):
    assert status([*SMALL, "--mechanism", "own_mechanisms:broken"]) == 2
    assert "IndexError in line 20" in capsys.readouterr().err


WRONG = each(
    misspecified=["1", "0.99"], references=["1", "2"], mechanism=["nowhere:x"], records=["0"], columns=["x"],
    spread=["0.5"], target=["soft"], gamma=["-1"], ratio=["1"],
)  # fmt: skip


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_bad_input_is_named(capsys, name, value):
    assert status([*SMALL, f"--{name}", value]) == 2
    assert f"{name} must be" in capsys.readouterr().err
