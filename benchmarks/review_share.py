"""How much of a document that has claims `banditproof review` reads alone, from its text as if nobody had prepared it.

    python benchmarks/review_share.py DOCUMENT TEXT [--list] [--results results.json]

Of the claims that are a formula which `judge` has words for, counts those for which the review of TEXT (`.tex`, `.md`,
`.txt`) has the same formula, read or drafted: the same values of both sides at random points, whatever the letters are
called. A claim that divides, substitutes or moves a term is not found. DOCUMENT is a name such as `rdp`. With the
results of a check, the same is counted of all claims that it refutes, and which of their drafts `judge` refutes as
they stand.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from banditproof import judge
from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER, Claim
from banditproof.claims.reviewing import DRAFT, drafts_of
from banditproof.theory.numbers.term import NoTerm
from banditproof.verify.judge.formulas.floats import value_of
from banditproof.verify.judge.formulas.sentence import All, Compare, Expression, Sentence
from banditproof.verify.judge.reading.readers import read
from banditproof.verify.judge.ways.of_terms import NoWord, asked_of
from banditproof.verify.proof.statement import stating

ROLES = ("part", "edge", "step", "reading")
SECONDS = 5.0  # for a draft that is judged
LETTERS, POINTS = 5, 5  # of a formula that is compared; at which it is compared


def comparisons(sentence: Sentence) -> Iterator[Compare]:
    """The comparisons of a statement."""
    match sentence:
        case Compare():
            yield sentence
        case All(parts=parts):
            for part in parts:
                yield from comparisons(part)


def names(expression: Expression) -> set[str]:
    """The variables of a formula, with the indexes of its sums."""
    if expression.head == "var":
        return {expression.args[0]}
    return {name for a in expression.args if isinstance(a, Expression) for name in names(a)}


def values(compare: Compare, letters: Sequence[str], points: np.ndarray) -> np.ndarray:
    """Both sides at points, a row each; NaN where a sum is too long or a letter is bound."""
    given: Mapping[str, np.ndarray] = dict(zip(letters, points, strict=True))
    try:
        sides = [np.broadcast_to(value_of(side, given), points.shape[1:]) for side in (compare.left, compare.right)]
    except (KeyError, ValueError):
        return np.full((2, points.shape[1]), np.nan)
    return np.array(sides, dtype=float)


def same(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two comparisons have the same two sides, in either order."""
    return any(np.allclose(one, sides, rtol=1e-9, atol=1e-12) for sides in (other, other[::-1]))


class Formula:
    """A comparison with its letters and its values at random points."""

    def __init__(self, compare: Compare) -> None:
        self.compare = compare
        self.letters = sorted(names(compare.left) | names(compare.right))
        draw = np.random.default_rng(1)
        self.points = draw.uniform(0.1, 0.9, (len(self.letters), POINTS)) * np.array([1, 1, 1, 3, 9])
        self.values = values(compare, self.letters, self.points)
        equal = np.broadcast_to(np.array([0.2, 0.3, 0.6, 2, 5]), self.points.shape)
        self.equal = values(compare, self.letters, equal)  # no renaming changes it

    def says(self, other: Formula) -> bool:
        """Whether another one is this one in other letters."""
        if not 0 < len(self.letters) == len(other.letters) <= LETTERS:
            return False
        finite = np.isfinite(self.equal).all(axis=0) & np.isfinite(other.equal).all(axis=0)
        if not np.isfinite(self.values).all() or not same(self.equal[:, finite], other.equal[:, finite]):
            return False
        orders = itertools.permutations(range(len(self.letters)))
        return any(same(self.values, values(other.compare, other.letters, self.points[list(o)])) for o in orders)


def claimed(claims: Sequence[Claim]) -> Iterator[tuple[Claim, Formula]]:
    """Those claims that are a formula with words in `judge`."""
    for claim in claims:
        if claim.relation is None:
            continue
        try:
            yield claim, Formula(asked_of(stating(claim.relation, claim.domain, claim.constants)).comparison)
        except (NoTerm, NoWord):
            continue


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("document")
    parser.add_argument("text", type=Path)
    parser.add_argument("--list", action="store_true", help="name the claims that are found")
    parser.add_argument("--results", type=Path, help="of a check: count what it refutes, too")
    asked = parser.parse_args()
    load()
    rows = drafts_of(asked.text)
    said = [row.block.removeprefix(f"{DRAFT} ") for row in rows if row.block != DRAFT]
    drafted = [(text, Formula(c)) for text in said for c in comparisons(read(text).sentence)]
    ours = [claim for claim in REGISTER.values() if claim.paper == asked.document]
    counted: Counter[str] = Counter()
    for claim, formula in claimed([claim for claim in ours if claim.role in ROLES]):
        found = any(formula.says(draft) for _, draft in drafted)
        counted.update([claim.role] + [f"{claim.role} found"] * found)
        if asked.list and found:
            print(claim.id)
    print(len(rows), "sentences,", len(said), "read or drafted;", dict(counted))
    if asked.results is not None:
        records = json.loads(asked.results.read_text(encoding="utf-8"))["claims"]
        refuted = {record["id"] for record in records if record["verdict"] == "refuted"}
        print(dict(alone([claim for claim in ours if claim.id in refuted], drafted)))


def alone(refuted: Sequence[Claim], drafted: Sequence[tuple[str, Formula]]) -> Counter[str]:
    """Of claims that are refuted: how many are such a formula, are drafted, and have a draft that is refuted."""
    counted = Counter({"refuted": len(refuted)})
    for _, formula in claimed(refuted):
        texts = [text for text, draft in drafted if formula.says(draft)]
        falls = any(judge(text, seconds=SECONDS).verdict == "refuted" for text in texts)
        counted.update(["formula"] + ["drafted"] * bool(texts) + ["refuted alone"] * falls)
    return counted


if __name__ == "__main__":
    main()
