"""The examples of README, CONTRIBUTING and the pages of docs run as they are printed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def code_blocks(name):
    return re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(), flags=re.DOTALL)


@pytest.mark.parametrize("number", range(3))
def test_an_example_of_the_readme_runs(number, tmp_path):
    script = tmp_path / "test_example.py"
    script.write_text(code_blocks("README.md")[number])
    command = [sys.executable, "-m", "pytest", "-q", str(script)] if number == 0 else [sys.executable, str(script)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


AWAITED = {
    ("docs/testing.md", 0): "check_privacy(make_policy, budget, seconds=...)",
    ("docs/testing.md", 1): "check_regret(..., seconds=...) and check_theorem",
    ("docs/testing.md", 2): "check_delta_correct",
}
"""Blocks that run as soon as these functions are there; then the entry goes."""


def blocks_of_pages():
    for page in sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.md")):
        for number, block in enumerate(code_blocks(page)):
            missing = AWAITED.get((page, number))
            marks = [pytest.mark.skip(reason=f"needs {missing}")] if missing else []
            yield pytest.param(block, id=f"{page}-{number}", marks=marks)


@pytest.mark.parametrize("block", list(blocks_of_pages()))
def test_an_example_of_a_page_passes_as_a_test_file(block, tmp_path):
    (tmp_path / "test_example.py").write_text(block)
    command = [sys.executable, "-m", "pytest", "-q", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_draft_claim_of_contributing_is_proved_and_its_mutation_caught(tmp_path):
    draft = tmp_path / "draft.py"
    draft.write_text(code_blocks("CONTRIBUTING.md")[0])
    command = [
        sys.executable,
        "-m",
        "banditproof.cli",
        "selftest",
        "--module",
        str(draft),
        "--output",
        str(tmp_path / "out"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 caught, 0 missed" in done.stdout
