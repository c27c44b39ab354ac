"""Whether `judge`, which knows no steps, says of every claim that is a formula what its registered check says.

    python benchmarks/judge_claims.py VERDICTS.jsonl [--work 20000] [--seconds 10] [--workers 2] [--minutes 60]
                                      [--false] [--list]

Takes them in one random order, so that what --minutes allows is a fair part of all. Judges the relations of all claims,
or with --false their false variants, of which none may be proved. What the file holds is judged again only if it was
left open with less --work, so that many are seen soon with little of it. Where the verdicts differ (one proves or
supports what the other refutes), one of both is wrong. A claim of the role `hypotheses` is left out: one instance is
enough there, and `judge` speaks of all. --seconds caps what --work allows; the registered steps have ten times that.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from pathlib import Path
from typing import Any

HOLDS = ("proved", "supported", "reproduced")
REFUTED = ("refuted", "not reproduced")
NOT_REACHED = {"verdict": "not reached"}
SLOW = "steps that take too long"


@cache
def register() -> Mapping[str, Any]:
    """All claims."""
    from banditproof.claims.loading import load
    from banditproof.claims.register import REGISTER

    load()
    return REGISTER


def stated(claim_id: str, variant: str) -> Any:
    """The statement of a claim, or of a false variant of it; None where it is no formula for all its variables."""
    from banditproof.theory.numbers.term import NoTerm
    from banditproof.verify.proof.statement import stating

    claim = register()[claim_id]
    if claim.relation is None or claim.role == "hypotheses":
        return None
    if variant:
        claim = claim.varied(next(m for m in claim.mutations if m.name == variant))
    try:
        return stating(claim.relation, claim.domain, claim.constants)
    except NoTerm:
        return None


def asked(false: bool) -> Iterator[tuple[str, str, str]]:
    """The claims that are formulas, each with the key of its statement; or their false variants, by name."""
    for claim_id, claim in register().items():
        for variant in [m.name for m in claim.mutations] if false else [""]:
            statement = stated(claim_id, variant)
            if statement is not None:
                yield claim_id, variant, statement.key


def registered(claim_id: str, seconds: float) -> str:
    """The verdict of a claim's own steps, without what holds it down: its items, and what it rests on."""
    from banditproof.claims.run.examine import judged, run_check
    from banditproof.claims.run.record import Settings
    from banditproof.verify.judge.ways.proofs import Late, within

    claim = register()[claim_id]
    try:
        with within(seconds):
            return judged(claim, run_check(claim, Settings())).name
    except Late:
        return SLOW
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:80]}"


def settle(claim_id: str, variant: str, work: int, seconds: float, known: str = "") -> dict[str, Any]:
    """What `judge` says of a statement without its steps; `known` is the registered verdict, if it was asked before."""
    from banditproof.verify.judge.engine import judge
    from banditproof.verify.judge.ways.of_terms import NoWord, reading_of

    statement = stated(claim_id, variant)
    row = {"key": statement.key, "id": claim_id, "variant": variant, "work": work, "seconds": 0.0}
    try:
        reading = reading_of(statement)
    except NoWord as why:
        return row | {"verdict": "no word", "why": str(why)[:200]}
    since = time.perf_counter()
    try:
        answer = judge(reading, work, seconds)
    except Exception as error:  # of the engine: it is to answer whatever is asked
        return row | {"verdict": "ERROR", "why": f"{type(error).__name__}: {str(error)[:200]}"}
    point = answer.failure and {n: str(v) for n, v in answer.failure.point.items()}
    said = {"verdict": answer.verdict, "why": answer.why, "point": point, "seconds": time.perf_counter() - since}
    known = known or ("refuted" if variant else registered(claim_id, 10 * seconds))
    return row | said | {"facts": answer.facts, "registered": known}


def compared(registered: str, judged: str) -> str:
    """How a verdict of the judge compares with the registered one."""
    if judged in ("no word", "ERROR", NOT_REACHED["verdict"]):
        return judged
    if registered == SLOW:
        return "unknown"
    proved, refuted = judged.startswith("proved"), judged.startswith("refuted")
    holds, fails = registered.startswith(HOLDS), registered in REFUTED
    if proved and fails or refuted and holds:
        return "DIFFERENT"
    if not proved and not refuted:
        return "weaker" if holds or fails else "same"
    return "same" if fails or registered.startswith("proved") else "stronger"


def judge_all(jobs: list[tuple[str, str, str]], file: Path, given: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """The rows by key; statements that the file does not hold are judged, while there is time, and written into it."""
    end = time.monotonic() + 60 * given.minutes
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    rows = {row["key"]: row for row in map(json.loads, lines)}
    new = {
        key: (claim_id, variant, given.work, given.seconds, rows.get(key, {}).get("registered", ""))
        for claim_id, variant, key in jobs
        if key not in rows or rows[key]["verdict"] == "open" and rows[key]["work"] < given.work
    }
    with ProcessPoolExecutor(given.workers) as pool, file.open("a", encoding="utf-8") as out:
        for done in as_completed([pool.submit(settle, *job) for job in new.values()]):
            row = done.result()
            rows[row["key"]] = row
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
            out.flush()
            if time.monotonic() > end:
                pool.shutdown(cancel_futures=True)
                break
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--work", type=int, default=20_000, help="steps that each may take")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin nothing new after them")
    parser.add_argument("--false", action="store_true", help="the false variants in place of the claims")
    parser.add_argument("--list", action="store_true", help="name what is weaker or stronger as well")
    given = parser.parse_args()
    jobs = list(asked(given.false))
    random.Random(0).shuffle(jobs)
    rows = judge_all(jobs, given.file, given)
    counted: Counter[tuple[str, str, str]] = Counter()
    for claim_id, variant, key in jobs:
        row = rows.get(key, NOT_REACHED)
        known = row.get("registered", "-")
        how = compared(known, row["verdict"])
        counted[how, known, row["verdict"]] += 1
        if how in ("DIFFERENT", "ERROR") or given.list and how in ("weaker", "stronger"):
            print(how, claim_id, variant, f"{known} / {row['verdict']}", row["why"], row.get("point") or "")
    for (how, known, judged), n in sorted(counted.items()):
        print(f"{n:5}  {how:10} {known} / {judged}")
    times = [row["seconds"] for row in rows.values() if row["verdict"] != "no word"]
    print(f"{len(jobs)} of {len({key for *_, key in jobs})} statements; {len(times)} judged")
    print(f"seconds: median {statistics.median(times):.2f}, longest {max(times):.1f}, together {sum(times):.0f}")
    return any(how in ("DIFFERENT", "ERROR") for how, *_ in counted)


if __name__ == "__main__":
    raise SystemExit(main())
