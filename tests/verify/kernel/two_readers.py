"""What the kernel and the second reader say of altered proofs; nothing that one accepts may be refused by the other.

    banditproof export --proofs --output proofs
    python -m tests.verify.kernel.two_readers proofs [--count 100000] [--minutes 60]

Short proofs are altered more often than long ones, each one at least once in each way.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

from banditproof.verify import second_reader
from banditproof.verify.kernel.replay import formula_from_data, replay
from banditproof.verify.kernel.terms import RESERVED, All, Refused, check, free_in, key
from tests.verify.kernel.altered_proofs import ALTERATIONS, Nothing, altered

NO_PLACE = "no place for it"


def kernel(data: Any) -> bool:
    """Whether the kernel makes the statement of a file from its steps."""
    try:
        f = formula_from_data(data["statement"])
        check(f, {})
        if not isinstance(f, All) or free_in(f) - RESERVED.keys():
            return False
        theorem = replay(data["proof"])
    except (Refused, RecursionError):
        return False
    return not theorem.hypotheses and key(theorem.conclusion) == key(f)


def both(data: Any) -> tuple[bool, bool]:
    """Whether the kernel and the second reader accept a file."""
    return kernel(data), second_reader.why(json.dumps(data)) == ""


def outcome(text: str, statement: str, seed: int) -> tuple[str, str]:
    """How a proof was altered, and what is said of it."""
    try:
        how, data = altered([text], seed, tries=4)
    except Nothing:
        return ALTERATIONS[seed % len(ALTERATIONS)].__name__, NO_PLACE
    said = both(data)
    if said[0] != said[1]:
        return (
            how,
            f"DISAGREE: the {'kernel' if said[0] else 'second reader'} alone accepts {data['claims'][0]}, {seed}",
        )
    if not said[0]:
        return how, "both refuse"
    same = key(formula_from_data(data["statement"])) == statement
    return how, f"both accept, {'the same' if same else 'another'} statement"


def shares(texts: list[str], count: int) -> list[int]:
    """How often each proof is altered: once in each way, and beyond that as 1/size^1.5."""
    weights = [len(text) ** -1.5 for text in texts]
    rest = max(0, count - len(ALTERATIONS) * len(texts)) / sum(weights)
    return [len(ALTERATIONS) + round(rest * weight) for weight in weights]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no other proof after them")
    given = parser.parse_args()
    stored = [file.read_text(encoding="utf-8") for file in sorted(given.folder.glob("*.json"))]
    texts = [text for text in stored if json.loads(text)["format"] == second_reader.FORMAT]
    said: Counter[tuple[str, str]] = Counter()
    start, seeds = time.monotonic(), itertools.count()
    for text, share in zip(texts, shares(texts, given.count), strict=True):
        if time.monotonic() - start > 60 * given.minutes:
            break
        statement = key(formula_from_data(json.loads(text)["statement"]))
        for seed in itertools.islice(seeds, share):
            how, word = outcome(text, statement, seed)
            said[how, word.partition(":")[0]] += 1
            if word.startswith("DISAGREE"):
                print(how, word, flush=True)
    for (how, word), n in sorted(said.items()):
        print(f"{n:7}  {how:20} {word}")
    words = Counter[str]()
    for (_, word), n in said.items():
        words[word] += n
    made = said.total() - words[NO_PLACE]
    print(f"{made} alterations of {len(texts)} proofs in {time.monotonic() - start:.0f} s: {dict(words)}")
    return int("DISAGREE" in words)


if __name__ == "__main__":
    raise SystemExit(main())
