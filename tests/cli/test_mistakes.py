"""Plausible mistakes: each is refused in a line that helps, and none is accepted."""

import json
import shlex

import pytest

from banditproof.claims.report.lookup import FILE as INDEX
from tests.cases import rows, texts
from tests.cli.calling import status

TEXTS = texts(__file__)

NO_LOSSES = {"large": "2,0", "below": "-0.1,0", "letter": "x,0"}
HEAD = "from banditproof.claims import Probability, claim, interval\n@claim('ONE-1', interval())\n"
MISTAKES = dict(rows(TEXTS["mistakes"]))
MANY = f"simulate --runs 2 --algorithm ucb --horizon 1e9 --means 0.5{999 * ',0.4'}"
MISTAKES[MANY] = "runs times arms must be at most"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = {"profile": "quick", "root_seed": 0, "rested_on": [1]}
    content = {
        "actions.csv": "1,0\n0,1\n0.6,0.6\n",
        "words.csv": "a,b\n1\n",
        "square.csv": "x,y\n1,0\n0,1\n",
        "huge.csv": "1e300,0\n0,1e-300\n",
        "line.csv": "1,1\n2,2\n",
        "nan.csv": "1,0\nnan,1\n",
        "ragged.csv": "1,0\n1\n",
        "twice.csv": "1,0\n1,0\n0,1\n",
        **{f"{name}.csv": f"1,0\n{row}\n0,1\n" for name, row in NO_LOSSES.items()},
        "empty.csv": "x,y\n",
        "broken.py": "def (",
        "title.md": "# Section 1: a title\n\nand no claim\n",
        "empty.md": "",
        "unread.md": "# Section 1: a title\n\n## ONE-1\n$x$.\n\n    x <= for x in [0, 1]\n",
        "words.txt": "",
        "deep.json": "[" * 100_000,
        "notes": "kept",
        "twice.json": 2 * (json.dumps({"id": "a", "quote": "1 < 2", "remark": "no"}) + "\n"),
        "typed.json": json.dumps({"quote": "1 < 2", "remark": "no", "fromula": "1 < 2"}),
        "twice.jsonl": 2 * (json.dumps({"id": "a", "statement": "1 < 2"}) + "\n"),
        "typed.jsonl": json.dumps({"statment": "1 < 2"}),
        "formula.jsonl": json.dumps({"formula": "1 < 2"}),
        "heading.csv": "id,statement\na,1 < 2\n",
        "twins.md": "# S" + 2 * "\n\n## a\nX.\n\n    1 < 2",
        "one.py": "def mean(records):\n    return records.mean(axis=0)\n",
        "undefined.py": f"{HEAD}def f(x: Probability):\n    'x'\n    return x, '>=', nothing\n",
        "exits.py": "import sys\nsys.exit(0)\n",
        "paper.tex": "\\begin{theorem} For all $x$ in $[0,1]$, $x^2\\le x$. \\end{theorem}\n",
        "cut.json": '{"schema": 1, "claims": [{"id": "BDP-T',
        "other.json": '{"schema": 2, "claims": []}',
        "report.json": json.dumps({"schema": 1, "run": run | {"rested_on": []}, "claims": []}),
        "certificates.json": json.dumps({"schema": 1, "certificates": []}),
        "aside.json": json.dumps({"schema": 1, "run": run, "claims": []}),
    }
    for name, text in content.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "bytes.md").write_bytes(b"#\xff\n")
    return tmp_path


def _files(folder):
    """What is in a folder, but for the index of a good file and what Python compiled."""
    return sorted(p for p in folder.rglob("*") if p.name != INDEX and "__pycache__" not in p.parts)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("command", MISTAKES)
def test_a_mistake_is_refused_in_one_line_that_helps(command, folder, capsys):
    before = _files(folder)
    code, (out, err) = status(shlex.split(command)), capsys.readouterr()
    assert code == 2 and out == ""
    assert len(err.splitlines()) == 1 and err.startswith("banditproof: ") and MISTAKES[command] in err, err
    assert _files(folder) == before, "nothing is written before the input is known to be good"
