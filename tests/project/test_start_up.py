"""Starting is quick: heavy libraries are imported by the functions that need them."""

import subprocess
import sys
import time
from pathlib import Path

HEAVY = {"sympy", "flint", "scipy", "mpmath", "hypothesis", "numba", "matplotlib", "rich", "typer"}
RUNS = 5


def quickest(command: list[str]) -> float:
    """Wall time in seconds of the best of a few runs: what remains on a busy machine is the command's own work."""

    def run() -> float:
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        return time.perf_counter() - start

    return min(run() for _ in range(RUNS))


def test_importing_theory_takes_less_than_300_milliseconds():
    assert quickest([sys.executable, "-c", "import banditproof.theory"]) < 0.3


def test_importing_theory_loads_no_heavy_library():
    code = "import sys, banditproof.theory; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert HEAVY.isdisjoint(loaded.stdout.split())


def test_the_command_shows_its_help_in_less_than_500_milliseconds():
    assert quickest([str(Path(sys.executable).with_name("banditproof")), "--help"]) < 0.5
