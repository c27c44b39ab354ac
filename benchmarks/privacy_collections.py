"""How many of the policies whose privacy is known the check judges rightly, at default settings.

A plain script: python benchmarks/privacy_collections.py [specimens|strangers] [seeds, 5] [seconds, 5]

`specimens` were written before the check was tuned, `strangers` by somebody who had not seen it. Every policy is
checked with every seed; a cause counts as named when it is the stored one or the stored line is blamed.
"""

from __future__ import annotations

import importlib
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from banditproof.verify import check_privacy

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "verify"))
ROOMS = {"specimens": [], "strangers": ["raw", "releases", "noise", "odd"]}


def collection(name: str) -> dict:
    for room in ROOMS[name]:
        importlib.import_module(f"{name}.{room}")
    return {one.name: one for one in importlib.import_module(f"{name}.common").COLLECTION}


def judged(name: str, seconds: float, policy: str, seed: int) -> tuple[str, int, str, str, bool, float]:
    importlib.import_module(name)
    one, start = collection(name)[policy], time.perf_counter()
    report = check_privacy(one.make_policy, one.budget, seconds=seconds, seed=1000 * seed)
    found = report.violations[0] if report.violations else None
    blamed = "" if found is None else f"{found.line} {found.reason}"
    named = found is not None and (found.cause == one.cause or bool(one.line) and one.line in blamed)
    told = found.cause if found else "; ".join(report.missing[:1])
    return policy, seed, report.verdict, told, named, time.perf_counter() - start


def main(name: str = "specimens", seeds: str = "5", seconds: str = "5") -> None:
    importlib.import_module(name)
    known = collection(name)
    with ProcessPoolExecutor(2) as pool:
        runs = [(policy, seed) for policy in known for seed in range(int(seeds))]
        rows = list(pool.map(partial(judged, name, float(seconds)), *zip(*runs, strict=True)))
    bugs = [row for row in rows if known[row[0]].leaks]
    sound = [row for row in rows if not known[row[0]].leaks]
    found = [row for row in bugs if row[2] == "violation"]
    for policy, seed, verdict, told, named, taken in rows:
        right = verdict == "violation" if known[policy].leaks else verdict != "violation"
        if not right or known[policy].leaks and not named:
            sign, cause = "" if right else "WRONG", known[policy].cause
            print(f"{sign}\t{policy}\tseed {seed}\t{verdict}\t{cause}\t{told}\t{taken:.1f} s", flush=True)
    clean = sum(row[2] == "ok" for row in bugs)
    print(f"{name}: {len(found)} of {len(bugs)} runs of bugs found, {clean} called ok, the others inconclusive")
    print(f"cause or line named in {sum(row[4] for row in found)} of {len(found)}")
    print(f"{sum(row[2] == 'violation' for row in sound)} false alarms in {len(sound)} runs, ", end="")
    print(f"{sum(row[2] == 'inconclusive' for row in sound)} inconclusive")
    print(f"median seconds: bugs {sorted(row[5] for row in bugs)[len(bugs) // 2]:.2f}, ", end="")
    print(f"sound {sorted(row[5] for row in sound)[len(sound) // 2]:.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
