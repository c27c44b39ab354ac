"""How many statements of known truth `judge` settles, and whether any is settled wrongly.

usage: judge.py STATEMENTS.jsonl [--seconds 60] [--form latex] [--only ID ...] [--workers 2]

Each row has a `plain` statement (or `latex`), the printed `domain` of its variables, and its `truth`.
"""

from __future__ import annotations

import argparse
import collections
import json
import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path


def settle(row: dict, form: str, seconds: float) -> dict:
    """The verdict on a row, and its seconds."""
    from banditproof.verify.judge.door import judge

    since = time.perf_counter()
    answer = judge(row[form], row["domain"], form, seconds=seconds)
    point = answer.failure and {n: str(v) for n, v in answer.failure.point.items()}
    return {
        "id": row["id"],
        "truth": row["truth"],
        "verdict": answer.verdict,
        "why": answer.why,
        "point": point,
        "repair": answer.repair and answer.repair.said,
        "seconds": time.perf_counter() - since,
    }


def right(row: dict) -> bool | None:
    """Whether a verdict is right; None where nothing is settled."""
    if row["verdict"] in ("open", "not read"):
        return None
    return row["verdict"].startswith("proved") == (row["truth"] == "true")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--form", choices=("plain", "latex"), default="plain")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    rows = [json.loads(line) for line in asked.file.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if not asked.only or row["id"] in asked.only]
    with ProcessPoolExecutor(asked.workers) as pool:
        jobs = [pool.submit(settle, row, asked.form, asked.seconds) for row in rows]
        answers = [job.result() for job in jobs]
    counted: collections.Counter[str] = collections.Counter()
    for row in answers:
        verdict = right(row)
        counted["settled" if verdict else "WRONG" if verdict is False else row["verdict"]] += 1
        if not verdict or asked.only:
            print(json.dumps(row, ensure_ascii=False))
    times = [row["seconds"] for row in answers]
    print(
        f"{len(rows)} statements: {dict(counted)}; median {statistics.median(times):.2f} s, longest {max(times):.1f} s"
    )
    false = [row for row in answers if row["truth"] != "true"]
    print(f"of {len(false)} that are not true, {sum(right(row) is True for row in false)} are refuted")


if __name__ == "__main__":
    main()
