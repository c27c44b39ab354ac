"""Starting is quick: heavy libraries are imported by the functions that need them."""

import resource
import subprocess
import sys
from pathlib import Path

HEAVY = {"sympy", "flint", "scipy", "mpmath", "hypothesis", "numba", "matplotlib", "rich", "typer"}
RUNS = 5


def quickest(command: list[str]) -> float:
    """Seconds of computing of the best of a few runs, which are those of an idle machine on a busy one too."""

    def computed() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def run() -> float:
        before = computed()
        subprocess.run(command, check=True, capture_output=True)
        return computed() - before

    return min(run() for _ in range(RUNS))


def test_importing_theory_takes_less_than_300_milliseconds():
    assert quickest([sys.executable, "-c", "import banditproof.theory"]) < 0.3


def test_importing_theory_loads_no_heavy_library():
    code = "import sys, banditproof.theory; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert HEAVY.isdisjoint(loaded.stdout.split())


def test_the_command_shows_its_help_in_less_than_500_milliseconds():
    assert quickest([str(Path(sys.executable).with_name("banditproof")), "--help"]) < 0.5
