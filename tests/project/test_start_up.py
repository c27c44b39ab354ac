"""Starting is quick: heavy libraries are imported by the functions that need them."""

import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

HEAVY = {"sympy", "flint", "scipy", "mpmath", "hypothesis", "numba", "matplotlib", "rich", "typer"}
RUNS = 5


def quickest(command: list[str]) -> float:
    """Seconds of computing of the best of a few runs: what others do on a busy machine does not count."""

    def run() -> float:
        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        after = getrusage(RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return min(run() for _ in range(RUNS))


def test_importing_theory_takes_less_than_300_milliseconds():
    assert quickest([sys.executable, "-c", "import banditproof.theory"]) < 0.3


def test_importing_theory_loads_no_heavy_library():
    code = "import sys, banditproof.theory; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert HEAVY.isdisjoint(loaded.stdout.split())


def test_the_command_shows_its_help_in_less_than_500_milliseconds():
    assert quickest([str(Path(sys.executable).with_name("banditproof")), "--help"]) < 0.5
