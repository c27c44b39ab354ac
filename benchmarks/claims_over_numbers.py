"""What became of the claims over numbers that were supported before there was a prover of trees.

    python benchmarks/claims_over_numbers.py report/results.json [--list]

`claims_over_numbers.txt` names them, and where each is checked today. One that is split, or moved below its item,
counts as proved where all claims that it became are. The others are counted by the first word of what they lack.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from banditproof.claims.missing import MISSING
from banditproof.claims.verdict import REFUTED

NAMES = Path(__file__).with_suffix(".txt")


def today() -> dict[str, list[str]]:
    """The ids of then, each with those under which the claim is checked."""
    lines = (line for line in NAMES.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#"))
    pairs = (line.partition("=") for line in lines)
    return {before.strip(): now.split() if moved else [before.strip()] for before, moved, now in pairs}


def outcome(ids: list[str], known: Mapping[str, Mapping[str, Any]]) -> str:
    """'proved', 'refuted', or what keeps the first that is neither from being proved."""
    if not ids:
        return "withdrawn: it said nothing"
    records = [known[claim_id] for claim_id in ids]
    if any(r["verdict"] in REFUTED for r in records):
        return "refuted"
    open_ = [r for r in records if r["verdict"] != "proved"]
    if not open_:
        return "proved"
    lacks = open_[0]["missing"]
    return MISSING[lacks[0]["what"]].format("...") if lacks else open_[0]["verdict"]


def main() -> int:
    parser = argparse.ArgumentParser(description="Count what became of the claims over numbers.")
    parser.add_argument("results", type=Path, help="results.json of a whole check")
    parser.add_argument("--list", action="store_true", help="name the claims as well")
    asked = parser.parse_args()
    known = {r["id"]: r for r in json.loads(asked.results.read_text(encoding="utf-8"))["claims"]}
    outcomes = {claim_id: outcome(ids, known) for claim_id, ids in today().items()}
    moved = sum(ids != [claim_id] for claim_id, ids in today().items())
    decided = sum(word in ("proved", "refuted") for word in outcomes.values())
    print(f"{len(outcomes)} claims, {moved} of them under other ids today: {decided} are proved or refuted")
    for word, n in Counter(outcomes.values()).most_common():
        print(f"{n:4}  {word}")
        if asked.list:
            print("".join(f"      {claim_id}\n" for claim_id, said in outcomes.items() if said == word), end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
