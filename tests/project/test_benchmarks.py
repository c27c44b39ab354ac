"""`make benchmarks`: one command, its documents, and its complaints."""

import json
import runpy
import subprocess
import sys

import pytest

from banditproof.verify.judge.reading.readers import read
from banditproof.verify.judge.ways.points import Asked


def benchmarks(root, *arguments):
    command = [sys.executable, root / "benchmarks" / "run.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def test_a_benchmark_is_measured_and_written_down(root, tmp_path):
    done = benchmarks(root, "--only", "regret-lower-bounds", "--output", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "[1 of 1, 0 s] regret-lower-bounds, against one of the seven, by SciPy" in done.stdout
    written = json.loads((tmp_path / "benchmarks.json").read_text())
    (one,) = written["benchmarks"]
    assert [row["size"] for row in one["rows"]] == [10, 100, 1000]
    assert all(row["seconds"] > 0 and row["peak"] > 10 for row in one["rows"])
    assert all(row["ratio"] == row["baseline"] / row["seconds"] for row in one["rows"])
    first, last = one["rows"][-2:]
    assert last["seconds"] == pytest.approx(first["seconds"] * 10 ** one["growth"])
    assert (tmp_path / "benchmarks.svg").read_text().lstrip().startswith("<?xml")


def test_a_ratio_that_has_fallen_is_noticed_and_no_other(root, tmp_path):
    guard, row = tmp_path / "limits.json", "d_epsilon of one float"
    command = [sys.executable, root / "benchmarks" / "limits.py", "--only", row, "--rounds", "2", "--guard", guard]
    made = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert made.returncode == 0 and row in made.stdout, made.stderr
    facts = json.loads(guard.read_text())
    ratio = facts["rows"][0]["ratio"]
    for factor, status in ((0.1, 0), (10, 1)):
        facts["rows"][0] |= {"ratio": factor * ratio, "noise": 0.0}
        guard.write_text(json.dumps(facts))
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.returncode == status and (f"{row}: ratio" in done.stderr) == bool(status), done.stderr


def test_an_unknown_benchmark_is_refused(root, tmp_path):
    done = benchmarks(root, "--only", "regret", "--output", tmp_path)
    assert done.returncode == 2 and "no benchmark is called regret" in done.stderr
    assert list(tmp_path.iterdir()) == []


MEANT = [  # the LaTeX and the plain text of a row, and whether they say the same
    (r"\lim_{\alpha\to\infty}\frac{\alpha+p}{\alpha}=1", "(a + p)/a -> 1 as a -> inf", True),
    (r"\lim_{\alpha\to\infty}\frac{\alpha+p}{\alpha}=1", "(a + 2 p)/a -> 1 as a -> inf", False),
    (r"\text{Adding }N(0,p^2)\text{ to a query of sensitivity 1 is }\tfrac1{2p^2}\text{-zCDP}", "{} p {}", True),
    (r"\text{Adding }N(0,p)\text{ to a query of sensitivity 1 is }\tfrac1{2p^2}\text{-zCDP}", "{} p {}", False),
]


def test_a_row_that_crashes_is_counted_and_the_others_are_settled(root, tmp_path):
    sound = {"id": "B", "plain": "x <= x + 1", "domain": {"x": "[0, 1]"}, "truth": "true"}
    without_text = {"id": "A", "domain": {}, "truth": "true"}
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, [without_text, sound])))
    command = [sys.executable, root / "benchmarks" / "judge.py", tmp_path / "rows.jsonl"]
    told = subprocess.run(command, capture_output=True, text=True, timeout=300).stdout
    assert "{'CRASHED': 1, 'settled': 1}" in told and "KeyError" in told, told


def test_what_latex_means_is_compared_with_the_plain_text(root, tmp_path):
    noise = "adding Gaussian noise of standard deviation", "to a query of sensitivity 1 is (1/(2*p^2))-zCDP"
    rows = [
        {"id": f"M{i}", "latex": latex, "plain": plain.format(*noise), "domain": {"p": "(0, inf)"}}
        for i, (latex, plain, _) in enumerate(MEANT)
    ]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    command = [sys.executable, root / "benchmarks" / "judge.py", tmp_path / "rows.jsonl", "--meaning"]
    told = subprocess.run(command, capture_output=True, text=True, timeout=300).stdout
    assert [f"M{i} ANOTHER MEANING" in told for i in range(len(rows))] == [not same for *_, same in MEANT], told
    assert "not read" not in told


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("log(x) <= x - 1 for x in (0, 5)", [("x", 0, "has no value")]),
        ("1/x < 1 for x in (1, 2)", [("x", 1, "fails")]),
        ("n^2 > n for integer n >= 2", [("n", 1, "fails")]),
        ("x y <= x for x in [0, 1], y in (0, 1)", []),
        ("x/y >= x for x in [0, 1], y in (0, 1)", [("y", 0, "has no value")]),
    ],
)
def test_the_ends_that_a_range_leaves_out_are_named_where_there_is_no_value_or_it_fails(root, statement, told):
    edges = runpy.run_path(str(root / "benchmarks" / "edges.py"))
    reading = read(statement)
    assert [*edges["left_out"](Asked(reading.sentence, dict(reading.ranges), reading.conditions))] == told


def test_the_page_of_curves_says_how_memory_grows_on(root, tmp_path, monkeypatch):
    """At 1 MiB for each of 100 to 1000, and none where it stands, 16 GiB hold 15,000 and more, to one digit 10,000."""
    monkeypatch.syspath_prepend(root / "benchmarks")
    curves = runpy.run_path(str(root / "benchmarks" / "curves.py"))
    rows = [{"case": f"{k} arms", "size": k, "seconds": k**2 / 1e6, "peak": 100.0 + k} for k in (100, 1000)]
    standing = [row | {"peak": 100.0} for row in rows]
    names = dict.fromkeys(curves["CURVES"], standing) | {curves["CURVES"][0]: rows}
    page = tmp_path / "growth.md"
    page.write_text(f"above\n{curves['BEGIN']}\n{curves['END']}\nbelow")
    (tmp_path / "pictures").mkdir()
    curves["write"]([{"name": name, "rows": found, "growth": 2.0} for name, found in names.items()], page)
    first, second = page.read_text().splitlines()[5:7]
    assert first.endswith("| 100 | 1,000 | 0.01 to 1 | 2.00 | 1100 MiB | 10,000 |"), first
    assert second.endswith("| 100 MiB |  |"), second
    assert page.read_text().startswith("above") and page.read_text().endswith("below")
    assert (tmp_path / "pictures" / "growth.svg").stat().st_size > 10_000
