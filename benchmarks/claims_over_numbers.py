"""What became of the claims over numbers that were supported before there was a prover of trees.

    python benchmarks/claims_over_numbers.py report/results.json VERDICTS.jsonl

`claims_over_numbers.txt` names them, and where each is checked today: one that became several is proved where all are.
Beside the verdict of a whole check stands what `judge_claims.py` wrote: what `judge` says of a formula alone.
"""

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from judge_claims import asked

from banditproof.claims.missing import MISSING
from banditproof.claims.verdict import REFUTED, TRIVIAL

NAMES = Path(__file__).with_suffix(".txt")


def today() -> dict[str, list[str]]:
    """The ids of then, each with those under which the claim is checked."""
    lines = (line for line in NAMES.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#"))
    pairs = (line.partition("=") for line in lines)
    return {before.strip(): now.split() if moved else [before.strip()] for before, moved, now in pairs}


def outcome(records: Sequence[Mapping[str, Any]]) -> str:
    """Settled, or what keeps the first claim that is not from being proved."""
    if any(r["verdict"] in REFUTED for r in records):
        return "settled"
    left = [r for r in records if not r["verdict"].startswith(("proved", TRIVIAL))]
    words = [MISSING[r["missing"][0]["what"]] if r["missing"] else r["verdict"] for r in left]
    return words[0] if left else "settled" if records else "withdrawn: it said nothing"


def judged(said: Sequence[str]) -> str:
    """What `judge` says of all of them: the verdict that they share, or open."""
    return said[0] if len(set(said)) == 1 else "open" if said else "-"


def main(results: str, verdicts: str) -> None:
    known = {r["id"]: r for r in json.loads(Path(results).read_text(encoding="utf-8"))["claims"]}
    rows = map(json.loads, Path(verdicts).read_text(encoding="utf-8").splitlines())
    keys, said = {claim: key for claim, _, key in asked(False)}, {row["key"]: row["verdict"] for row in rows}
    pairs = [
        (outcome([known[i] for i in ids]), judged([said.get(keys.get(i, ""), "no formula") for i in ids]))
        for ids in today().values()
    ]
    for (verdict, alone), n in Counter(pairs).most_common():
        print(f"{n:4}  {verdict}; judge: {alone}")
    print(f"{len(pairs)} claims, {sum(verdict == 'settled' for verdict, _ in pairs)} settled")


if __name__ == "__main__":
    main(*sys.argv[1:])
