"""banditproof trace: what it prints, draws and refuses."""

import gzip
import json
import struct

import numpy as np
import pytest

from tests.cases import rows, texts
from tests.cli.calling import changed, status

TEXTS = texts(__file__)

GENERATOR = np.random.default_rng(0)


@pytest.fixture
def folder(tmp_path):
    """120 images of 3 x 3 pixels in the files of FMNIST."""
    images, labels = GENERATOR.integers(256, size=(120, 3, 3), dtype=np.uint8), np.arange(120, dtype=np.uint8) % 10
    for name, array in (("images-idx3", images), ("labels-idx1", labels)):
        header = bytes([0, 0, 8, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape)
        (tmp_path / f"train-{name}-ubyte.gz").write_bytes(gzip.compress(header + array.tobytes()))
    return tmp_path


def small(folder):
    return ["trace", "--data", f"fmnist={folder}", "--steps", "3", "--size", "8", "--games", "60"]


def test_each_target_is_attacked_three_times_and_drawn(capsys, folder):
    picture = folder / "roc.svg"
    options = ["--hidden", "4", "--references", "100", "--json", "--plot", str(picture)]
    assert status([*small(folder), *options]) == 0
    told = json.loads(capsys.readouterr().out)
    attacks = ["covariance", "scalar product", "GLiR"]
    assert [row["mechanism"] for row in told["rows"]] == [f"{t}, {a}" for t in ("easy", "hard") for a in attacks]
    assert told["records"] == 24 and told["parameters"] == 4 * 10 + 10 * 5
    easy, hard = told["rows"][0], told["rows"][3]
    assert easy["distance"] > hard["distance"] and easy["score"] > hard["score"] > 0
    assert told["rows"][2]["power"]["0.1"]["theory"] is None
    assert "easy, GLiR" in picture.read_text()


def test_private_epochs_say_what_they_spend(capsys, folder):
    assert status([*small(folder), "--clip", "0.5", "--gamma", "0.5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mu"] == 2 / (0.5 * 8)


def test_the_table_has_a_row_for_every_attack(capsys, folder):
    assert status(small(folder)) == 0
    assert "60 epochs of 3 steps" in capsys.readouterr().out


@pytest.mark.parametrize(("option", "value", "named"), rows(TEXTS["bad input"]))
def test_bad_input_is_named(capsys, folder, option, value, named):
    assert status(changed(small(folder), option, value)) == 2
    assert named in capsys.readouterr().err
