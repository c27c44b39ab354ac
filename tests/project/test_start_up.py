"""Starting is quick: heavy libraries are imported by the functions that need them."""

import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pytest

HEAVY = {"sympy", "flint", "scipy", "mpmath", "hypothesis", "numba", "matplotlib", "lark", "rich", "typer"}
RUNS = 5


def is_done_within(seconds: float, command: list[str]) -> bool:
    """Whether one of a few runs computes for less: what others do on a busy machine does not count."""

    def run() -> float:
        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        after = getrusage(RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return any(run() < seconds for _ in range(RUNS))


def test_importing_theory_takes_less_than_300_milliseconds():
    assert is_done_within(0.3, [sys.executable, "-c", "import banditproof.theory"])


@pytest.mark.parametrize(
    "code, allowed",
    [
        ("import banditproof.theory", set[str]()),
        ("from banditproof.cli.commands import list_ids; list_ids(find='pinsker')", {"typer"}),
        ("from banditproof.cli.commands import explain; explain('BDP-T4.3')", {"typer"}),
    ],
)
def test_what_is_asked_for_first_loads_no_heavy_library(code: str, allowed: set[str], tmp_path: Path):
    code += "; import sys; print(); print(*sys.modules)"
    beside_no_report = {"cwd": tmp_path, "check": True, "capture_output": True, "text": True}
    loaded = subprocess.run([sys.executable, "-c", code], **beside_no_report)
    assert (HEAVY - allowed).isdisjoint(loaded.stdout.splitlines()[-1].split())


def test_the_command_shows_its_help_in_less_than_500_milliseconds():
    assert is_done_within(0.5, [str(Path(sys.executable).with_name("banditproof")), "--help"])
