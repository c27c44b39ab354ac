"""The processor time that replaying every stored tree of rules takes, in one process, and the dearest trees.

    python benchmarks/replay.py [trees shown, 10]

A tree that does not prove its statement is named, and makes the exit status 1.
"""

from __future__ import annotations

import gc
import sys
from time import process_time

from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER
from banditproof.claims.stating import stated
from banditproof.claims.trees import stored
from banditproof.cli.proving import facts_of
from banditproof.verify.proof.deduction import deduced, replay
from banditproof.verify.proof.statement import Statement


def main() -> int:
    load()
    trees = {}
    for claim in REGISTER.values():
        if not (by_key := stored(claim.id)):
            continue
        for statement in (stated(claim), *(s for _, s in facts_of(claim))):
            if isinstance(statement, Statement) and statement.key in by_key:
                trees[statement.key] = claim.id, statement, by_key[statement.key]
    gc.freeze()
    gc.set_threshold(100_000)  # as in a check
    costs, refused = [], []
    for name, statement, tree in trees.values():
        start = process_time()
        try:
            rules = replay(statement, tree)
        except Exception:
            refused.append(f"{name}: {deduced(statement, tree)}")
            continue
        costs.append((process_time() - start, rules, name))
    for seconds, rules, name in sorted(costs, reverse=True)[: int(sys.argv[1]) if len(sys.argv) > 1 else 10]:
        print(f"{seconds:8.3f} s {rules:6} rules  {name}")
    total, rules = sum(seconds for seconds, _, _ in costs), sum(n for _, n, _ in costs)
    print(f"{total:8.1f} s {rules:6} rules  {len(costs)} trees")
    print(*refused, sep="\n", end="\n" if refused else "")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
