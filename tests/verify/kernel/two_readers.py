"""What the kernel and the second reader say of altered proofs; nothing that one accepts may be refused by the other.

    banditproof export --proofs --output proofs
    python -m tests.verify.kernel.two_readers proofs [--count 100000] [--minutes 60]

Short proofs are altered more often than long ones. An altered file that was read before counts once.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from banditproof.verify import second_reader
from banditproof.verify.kernel.replay import formula_from_data, replay
from banditproof.verify.kernel.terms import RESERVED, All, Refused, check, free_in, key
from tests.verify.kernel.altered_proofs import Nothing, altered


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
    try:
        second_reader.replay(json.dumps(data))
    except Exception:
        return kernel(data), False
    return kernel(data), True


def outcome(data: Any, statement: str) -> str:
    """What is said of an altered proof."""
    said = both(data)
    if said[0] != said[1]:
        return f"DISAGREE: the {'kernel' if said[0] else 'second reader'} alone accepts"
    if not said[0]:
        return "both refuse"
    same = key(formula_from_data(data["statement"])) == statement
    return f"both accept, {'the same' if same else 'another'} statement"


def different(text: str, seeds: Iterator[int], share: int) -> Iterator[tuple[int, str, Any]]:
    """So many alterations of a proof, no two of which are equal, or as many as it has: seed, kind and file."""
    seen = set[int]()
    for seed in itertools.islice(seeds, 4 * share):
        with suppress(Nothing):
            how, data = altered([text], seed, tries=4)
            one = hash(json.dumps([data["statement"], data["proof"]]))
            if one not in seen:
                seen.add(one)
                yield seed, how, data
        if len(seen) == share:
            return


def shares(texts: list[str], count: int) -> list[int]:
    """How often each proof is altered: as 1/size^2, but from 6 to 2,000 times."""
    weights = [len(text) ** -2.0 for text in texts]
    return [6 + min(2_000, round(2 * count * weight / sum(weights))) for weight in weights]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no other proof after them")
    given = parser.parse_args()
    stored = [file.read_text(encoding="utf-8") for file in sorted(given.folder.glob("*.json"))]
    texts = [text for text in stored if json.loads(text)["format"] == second_reader.FORMAT]
    random.Random(0).shuffle(texts)
    said: Counter[tuple[str, str]] = Counter()
    start, seeds, read = time.monotonic(), itertools.count(), 0
    for text, share in zip(texts, shares(texts, given.count), strict=True):
        if said.total() >= given.count or time.monotonic() - start > 60 * given.minutes:
            break
        second_reader.forget()  # of one proof nearly all terms stay the same
        statement, read = key(formula_from_data(json.loads(text)["statement"])), read + 1
        for seed, how, data in different(text, seeds, share):
            word = outcome(data, statement)
            said[how, word] += 1
            if word.startswith("DISAGREE"):
                print(how, seed, data["claims"][0], word, flush=True)
    for (how, word), n in sorted(said.items()):
        print(f"{n:7}  {how:20} {word}")
    print(f"{said.total()} different alterations of {read} of {len(texts)} proofs in {time.monotonic() - start:.0f} s:")
    for word in sorted({word for _, word in said}):
        print(f"{sum(n for (_, one), n in said.items() if one == word):7}  {word}")
    return int(any(word.startswith("DISAGREE") for _, word in said))


if __name__ == "__main__":
    raise SystemExit(main())
