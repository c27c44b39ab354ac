"""How far from the limit: ours beside the plain compiled loop, or the bare solver, that does the same and nothing else.

    python benchmarks/limits.py [--only NAME ...] [--rounds 7] [--output limits.json] [--markdown] [--guard limits.json]

Both sides of a row run in turn, in one process, so that what else the machine does falls on both; the ratio is the
median over the rounds of the quotients of their CPU times (above 1: we are faster). `--guard` compares the ratios with
those of a file and fails where one has fallen by a tenth and twice its noise; times, and rows that stand alone, are not
compared. A file that is not there is made, of this machine: another processor has other ratios.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from time import process_time
from typing import Any

import numpy as np

ENOUGH = 0.05  # seconds of CPU that a measurement takes at least, by repeating short calls


@dataclass(frozen=True)
class Limit:
    """A row: `sides()` gives (ours, the limit or None, what a call counts); the goal is a ratio, or seconds alone."""

    name: str
    against: str
    unit: str
    goal: float
    sides: Callable[[], tuple[Callable[[], Any], Callable[[], Any] | None, float, float]]


LIMITS: dict[str, Limit] = {}
ALONE = "nothing"


def limit(name: str, against: str, *, goal: float, unit: str = "s") -> Callable[..., Any]:
    """Register a function that returns both sides, with the work in a call of each; `goal` is a ratio, or the seconds
    of a row that stands alone."""

    def register(sides: Callable[[], Any]) -> Callable[[], Any]:
        LIMITS[name] = Limit(name, against, unit, goal, sides)
        return sides

    return register


def drawn() -> np.random.Generator:
    return np.random.default_rng(1)


def alone(ours: Callable[[], Any]) -> tuple[Callable[[], Any], None, float, float]:
    return ours, None, 1, 1


def both(pair: Any, work: float, other_work: float) -> tuple[Callable[[], Any], Callable[[], Any] | None, float, float]:
    """The sides of a benchmark of speed."""
    return pair.ours, pair.baseline, work, other_work


# ---------------------------------------------------------------------------------------------------------- simulations

MEANS, HORIZON = [0.75, 0.625, 0.5, 0.375, 0.25], 10**7


@limit("DP-IMED, 100 budgets x 20 runs x 1e7", "a plain numba loop", goal=1)
def dp_imed() -> Any:
    from simulations import sweep

    return both(sweep(100), 1, 1)


def per_pull(name: str) -> Any:
    import plain_loops

    from banditproof.algorithms import BernoulliBandit
    from banditproof.algorithms.finite.index import IMED, KLUCB, UCB
    from banditproof.algorithms.run.compiled import simulate_compiled

    pulls, generator = 100_000, np.random.default_rng(0)
    make = {"UCB": lambda: UCB(5, horizon=pulls), "KL-UCB": lambda: KLUCB(5), "IMED": lambda: IMED(5)}[name]
    bandit, means = BernoulliBandit(MEANS), np.array(MEANS)
    plain = {
        "UCB": lambda: plain_loops.per_pull(0, means, pulls, drawn()),
        "KL-UCB": lambda: plain_loops.kl_ucb_cached(means, pulls, drawn()),
        "IMED": lambda: plain_loops.per_pull(2, means, pulls, drawn()),
    }[name]
    return lambda: simulate_compiled(make(), bandit, pulls, generator), plain, pulls, pulls


for _name in ("UCB", "KL-UCB", "IMED"):
    limit(f"{_name}, a pull", "a plain numba loop", goal=0.8)(lambda name=_name: per_pull(name))


def adversarial(name: str) -> Any:
    from simulations import BATCH, conversion

    runs, horizon = 5, 10**5
    batches = runs * -(-horizon // BATCH)
    return both(conversion(name.lower(), horizon, runs), batches, batches)


for _name in ("EXP3", "FTPL"):
    limit(f"{_name}, a batch", "a plain numba loop", goal=0.9)(lambda name=_name: adversarial(name))


@limit("AdaC-OFUL, d = 30, a step", "a plain numba loop", goal=0.8)
def adac_oful() -> Any:
    from simulations import contextual

    runs, rounds = 10, 1000
    return both(contextual("adac-oful", rounds, np.ones(30) / math.sqrt(30), runs), runs * rounds, rounds)


@limit("figure 5.2: 4 algorithms, 20 runs, 1e7", ALONE, goal=8)
def figure_5_2() -> Any:
    from banditproof.algorithms import BernoulliBandit, NoiseSource
    from banditproof.algorithms.finite.dp_ucb import DPUCB
    from banditproof.algorithms.finite.episodic import AdaPKLUCB, AdaPUCB
    from banditproof.algorithms.finite.successive_elimination import DPSE
    from banditproof.algorithms.run.compiled import simulate_fastest
    from banditproof.algorithms.run.simulator import simulate
    from banditproof.theory import Budget

    bandit, budget = BernoulliBandit(MEANS), Budget.pure(1.0)

    def ours() -> None:
        g = np.random.default_rng(0)
        for policy in (
            AdaPUCB(5, budget, NoiseSource(g), replications=20),
            AdaPKLUCB(5, budget, NoiseSource(g), replications=20),
            DPSE(5, budget, NoiseSource(g), horizon=HORIZON, replications=20),
        ):
            simulate(policy, bandit, HORIZON, g)
        trees = DPUCB(5, budget, NoiseSource(g), replications=20, **DPUCB.presets["figure-5.2"])
        simulate_fastest(trees, bandit, HORIZON, g)

    return alone(ours)


IDENTIFY = """
import time
import numpy as np
from banditproof.algorithms import BernoulliBandit
from banditproof.algorithms.identification.sequential import TTUCB
from banditproof.algorithms.run.identification import identify_fastest
start = time.process_time()
identify_fastest(TTUCB(2, delta=0.1), BernoulliBandit([0.9, 0.1]), 1000, np.random.default_rng(0))
print(time.process_time() - start)
"""


@limit("identify, first use in a process", ALONE, goal=1)
def first_use() -> Any:
    """The seconds are those that the process itself spends in the call, without what it imports before."""
    return (
        lambda: float(subprocess.run([sys.executable, "-c", IDENTIFY], capture_output=True, check=True).stdout),
        None,
        0,
        0,
    )


# -------------------------------------------------------------------------------------------------------------- numbers


@limit("kl_ucb_index of 100,000", "a plain numba loop", goal=0.8)
def kl_ucb_index() -> Any:
    import plain_loops

    from banditproof.theory.laws.bernoulli import kl_ucb_index as index

    generator = np.random.default_rng(0)
    p, level = generator.random(100_000), generator.exponential(size=100_000) * 0.1
    indices = np.empty_like(p)
    return lambda: index(p, level), lambda: plain_loops.kl_ucb_indices(p, level, indices), 1, 1


def plain_d_epsilon(x: float, y: float, epsilon: float) -> float:
    """d_epsilon of floats as one writes it."""
    if x > y:
        x, y = 1 - x, 1 - y
    z = max(x, y / (y + (1 - y) * math.exp(epsilon)))
    return epsilon * (z - x) + z * math.log(z / y) + (1 - z) * math.log((1 - z) / (1 - y))


@limit("d_epsilon of one float", "the formula in plain Python", goal=0.2)
def d_epsilon() -> Any:
    from banditproof.theory import d_epsilon as d

    return lambda: d(0.3, 0.6, 0.5), lambda: plain_d_epsilon(0.3, 0.6, 0.5), 1, 1


def kl_inf(atoms: int) -> Any:
    from scipy.optimize import minimize_scalar

    from banditproof.theory import Bounded

    values = np.sort(np.random.default_rng(0).integers(0, 10**4, atoms * 3) / 10**4)
    values = np.unique(values)[:: max(1, np.unique(values).size // atoms)][:atoms]
    law = Bounded([f"{v:.4f}" for v in values], [f"1/{values.size}"] * values.size)
    target = float(law.mean) + 0.1

    def plain() -> float:
        dual = lambda lam: -np.mean(np.log1p(-lam * (values - target)))  # noqa: E731
        return -minimize_scalar(dual, bounds=(0, (1 - 1e-9) / (1 - target)), method="bounded").fun

    return lambda: law.kl_inf(target), plain, 1, 1


for _atoms, _goal in ((100, 0.0015), (1000, 0.015)):
    limit(f"KL_inf, {_atoms} atoms, certified", "SciPy in floats (goal in seconds)", goal=_goal)(
        lambda atoms=_atoms: kl_inf(atoms)
    )


@limit("regret_lower_bound, 100,000 arms", ALONE, goal=6)
def lower_bound() -> Any:
    from banditproof.theory import regret_lower_bound

    means = np.r_[0.9, np.linspace(0.8, 0.1, 99_999)].tolist()
    return alone(lambda: regret_lower_bound(means, epsilon="0.25", horizon=10**6))


@limit("T*, 10 arms, certified", "Clarabel alone, no certificate", goal=0.4)
def characteristic() -> Any:
    from importlib import import_module

    import cvxpy
    from programs import in_exponential_cones, means_of

    from banditproof.theory import characteristic_time

    means = means_of(10)
    problem = in_exponential_cones(means, None)
    data, _, _ = problem.get_problem_data(cvxpy.CLARABEL)
    from cvxpy.reductions.solvers.conic_solvers.clarabel_conif import CLARABEL, dims_to_solver_cones

    cones, settings = dims_to_solver_cones(data["dims"]), CLARABEL.parse_solver_opts(False, {})
    from scipy import sparse

    solver = import_module("clarabel").DefaultSolver
    upper = sparse.csc_matrix((data["c"].size, data["c"].size))

    def bare() -> Any:
        return solver(upper, data["c"], data["A"], data["b"], cones, settings).solve()

    return lambda: characteristic_time(means=means), bare, 1, 1


@limit("audit_mechanism, 20,000 runs", "drawing alone", goal=0.3)
def audit() -> Any:
    from banditproof.theory import Budget
    from banditproof.verify import audit_mechanism

    def laplace(world: int, size: int, generator: np.random.Generator) -> np.ndarray:
        return world + generator.laplace(size=size)

    def drawing() -> None:
        search, fresh = (np.random.default_rng(child) for child in np.random.SeedSequence(0).spawn(2))
        for world in (0, 1):
            laplace(world, 20_000, search)
            laplace(world, 20_000, fresh)

    return lambda: audit_mechanism(laplace, Budget.pure(1.0), samples=20_000), drawing, 1, 1


# ------------------------------------------------------------------------------------------------------- measuring them


def seconds(call: Callable[[], Any], times: int, told: bool = False) -> float:
    """CPU seconds of a call, or what it tells itself."""
    start = process_time()
    for _ in range(times):
        found = call()
    return found if told else (process_time() - start) / times


def measure(one: Limit, rounds: int) -> dict[str, Any]:
    """Median seconds of both sides, their median ratio and its noise, half the spread of the middle half of rounds."""
    ours, plain, work, other_work = one.sides()
    own_clock = not work  # the call says itself how long it took
    work, other_work = work or 1, other_work or 1
    repeated = []
    for call in (ours, plain):
        if call is None:
            repeated.append(0)
            continue
        call()  # imports, compilation
        once = 1.0 if own_clock else max(seconds(call, 1), 1e-7)
        repeated.append(max(1, math.ceil(ENOUGH / once)) if once < 2 * ENOUGH else 1)
    rounds = rounds if repeated[0] > 1 or plain is not None else min(rounds, 3)
    taken = [
        (seconds(ours, repeated[0], own_clock) / work, seconds(plain, repeated[1]) / other_work if plain else math.nan)
        for _ in range(rounds)
    ]
    ratios = [other / own for own, other in taken]
    low, _, high = quantiles(ratios, n=4) if len(ratios) > 1 else (ratios[0],) * 3
    facts = {"name": one.name, "against": one.against, "goal": one.goal, "ours": median(own for own, _ in taken)}
    if plain is None:
        return facts | {"limit": None, "ratio": None, "noise": None}
    return facts | {"limit": median(o for _, o in taken), "ratio": median(ratios), "noise": (high - low) / 2}


def shown(seconds: float | None) -> str:
    if seconds is None:
        return ""
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure ours beside the plain compiled loop or the bare solver.")
    parser.add_argument("--only", action="append", metavar="TEXT", help="rows whose name contains this (repeatable)")
    parser.add_argument("--rounds", type=int, default=7, help="times that both sides run in turn")
    parser.add_argument("--output", type=Path, help="a file for the figures, as JSON")
    parser.add_argument("--markdown", action="store_true", help="print the table of the documentation")
    parser.add_argument("--guard", type=Path, help="fail where a ratio has fallen below that of this file, or make it")
    parser.add_argument("--row", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.row:  # a process of its own, with what it imports and compiles
        print(json.dumps(measure(LIMITS[asked.row], asked.rounds)))
        return 0
    chosen = [one for one in LIMITS.values() if not asked.only or any(text in one.name for text in asked.only)]
    if asked.guard:
        chosen = [one for one in chosen if one.against != ALONE]
    rows = []
    for one in chosen:
        command = [sys.executable, __file__, "--row", one.name, "--rounds", str(asked.rounds)]
        rows.append(json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout))
        row = rows[-1]
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.3g} +- {row['noise']:.2g}"
        if asked.markdown:
            cells = [row["name"], row["against"], shown(row["limit"]), shown(row["ours"]), ratio, f"{one.goal}"]
            print(f"| {' | '.join(cells)} |", flush=True)
        else:
            both = f"{shown(row['limit']):>9} {shown(row['ours']):>9}"
            print(f"{row['name']:40} {both}  {ratio:16} goal {one.goal}", flush=True)
    known = asked.guard if asked.guard and asked.guard.is_file() else None
    for file in filter(None, (asked.output, None if known else asked.guard)):
        file.write_text(json.dumps({"cores": os.cpu_count(), "rows": rows}, indent=1), encoding="utf-8")
    return fallen(rows, json.loads(known.read_text(encoding="utf-8"))["rows"]) if known else 0


def fallen(rows: list[dict[str, Any]], before: list[dict[str, Any]]) -> int:
    """1, with a line for each, if a ratio is below the earlier one by more than twice the noise of the two."""
    known, status = {row["name"]: row for row in before}, 0
    for row in rows:
        old = known.get(row["name"])
        if old is None or row["ratio"] is None or old["ratio"] is None:
            continue
        noise = 2 * (row["noise"] + old["noise"]) + 0.1 * old["ratio"]
        if row["ratio"] < old["ratio"] - noise:
            print(f"{row['name']}: ratio {row['ratio']:.3g}, was {old['ratio']:.3g} +- {noise:.2g}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
