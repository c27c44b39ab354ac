"""banditproof membership: what it prints, draws and refuses."""

import json

import pytest

from banditproof.cli import main


def status(arguments):
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return left.value.code


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


@pytest.mark.parametrize(
    ("option", "value", "named"),
    [
        ("--records", "0", "records must be"),
        ("--columns", "x", "columns must be"),
        ("--spread", "0.5", "spread must be"),
        ("--target", "soft", "target must be"),
        ("--gamma", "-1", "gamma must be"),
        ("--ratio", "1", "ratio must be"),
    ],
)
def test_bad_input_is_named(capsys, option, value, named):
    assert status([*SMALL, option, value]) == 2
    assert named in capsys.readouterr().err
