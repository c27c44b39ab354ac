"""The examples of README and CONTRIBUTING run as they are printed."""

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
    command = [sys.executable, "-m", "pytest", "-q", str(script)] if number < 2 else [sys.executable, str(script)]
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
