"""The time that replaying every stored tree of rules takes, and the dearest trees.

    python benchmarks/replay.py [trees shown, 10] [processes, 1]

A tree that does not prove its statement is named, and makes the exit status 1.
"""

from __future__ import annotations

import gc
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from time import perf_counter, process_time

from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER
from banditproof.claims.stating import stated
from banditproof.claims.trees import stored
from banditproof.cli.proving import facts_of
from banditproof.verify.proof.deduction import deduced, replay
from banditproof.verify.proof.statement import Statement

TREES: dict = {}  # of every statement's key: the claim, the statement and the tree; forked processes have them


def main() -> int:
    shown, processes = (int(given) for given in (*sys.argv[1:], *("10", "1")[len(sys.argv) - 1 :]))
    load()
    for claim in REGISTER.values():
        if not (by_key := stored(claim.id)):
            continue
        for statement in (stated(claim), *(s for _, s in facts_of(claim))):
            if isinstance(statement, Statement) and statement.key in by_key:
                TREES[statement.key] = claim.id, statement, by_key[statement.key]
    gc.freeze()
    gc.set_threshold(100_000)  # as in a check
    start = perf_counter()
    with ProcessPoolExecutor(processes, mp_context=get_context("fork")) as pool:
        told = list(pool.map(partial(_replayed, processes), range(processes)))
    wall = perf_counter() - start
    costs = [cost for costs, _ in told for cost in costs]
    refused = [why for _, whys in told for why in whys]
    for seconds, rules, name in sorted(costs, reverse=True)[:shown]:
        print(f"{seconds:8.3f} s {rules:6} rules  {name}")
    total, rules = sum(seconds for seconds, _, _ in costs), sum(n for _, n, _ in costs)
    print(f"{total:8.1f} s {rules:6} rules  {len(costs)} trees, in {wall:.1f} s of {processes} processes")
    print(*refused, sep="\n", end="\n" if refused else "")
    return 1 if refused else 0


def _replayed(processes: int, place: int) -> tuple[list, list]:
    """Seconds, rules and claim of every tree of one process's share, and the trees that prove nothing."""
    costs, refused = [], []
    for name, statement, tree in list(TREES.values())[place::processes]:
        start = process_time()
        try:
            rules = replay(statement, tree)
        except Exception:
            refused.append(f"{name}: {deduced(statement, tree)}")
            continue
        costs.append((process_time() - start, rules, name))
    return costs, refused


if __name__ == "__main__":
    sys.exit(main())
