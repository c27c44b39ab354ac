"""How much of a document that has claims `banditproof review` reads alone, from its text as if nobody had prepared it.

    python benchmarks/review_share.py DOCUMENT TEXT [--list] [--results results.json]

Of the claims that are a formula which `judge` has words for, counts those for which the review of TEXT (`.tex`, `.md`,
`.txt`) has the same formula, read or drafted, whatever the letters are called: at random points both sides have the
same values, or the same ratio, or differences of one positive ratio. A claim that substitutes is not found. DOCUMENT is
a name such as `rdp`. With the results of a check, the same is counted of all claims that it refutes, and which of their
drafts `judge` refutes as they stand.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
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
LETTERS, SIZE, KNOWN = 5, 9, 5  # letters of a formula, its signs if a term may be moved, points at which it is known
SCALES = np.array([1, 1, 1, 1, 1, 3, 3, 9, 9, 90])  # of the points at which it is compared


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


def size(expression: Expression) -> int:
    """How many signs, letters and numbers a formula has."""
    return 1 + sum(size(a) for a in expression.args if isinstance(a, Expression))


def values(compare: Compare, letters: Sequence[str], points: np.ndarray) -> np.ndarray:
    """Both sides at points, a row each; NaN where a sum is too long or a letter is bound."""
    given: Mapping[str, np.ndarray] = dict(zip(letters, points, strict=True))
    try:
        sides = [np.broadcast_to(value_of(side, given), points.shape[1:]) for side in (compare.left, compare.right)]
    except (KeyError, ValueError):
        return np.full((2, points.shape[1]), np.nan)
    return np.array(sides, dtype=float)


def same(one: np.ndarray, other: np.ndarray, loosely: bool) -> bool:
    """Whether two comparisons are one; `loosely` with a term moved, or with both sides multiplied by something.

    Then their differences have one positive ratio, or their sides the same. What does not change from point to point
    is alike by chance.
    """
    if one.shape[1] < KNOWN or not any(map(changes, one)):
        return False
    if not loosely:
        return close(one, other) and not close(*one)
    if close(one, other):
        return True
    less, other_less = one[0] - one[1], other[0] - other[1]
    if not close(*one) and changes(less) and other_less.all():
        factors = less / other_less
        if factors[0] > 0 and np.allclose(factors, factors[0], rtol=1e-9, atol=0):
            return True
    ratios = [sides[0] / sides[1] for sides in (one, other) if sides[1].all()]
    return len(ratios) == 2 and changes(ratios[0]) and close(*ratios)


def close(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether all values are the same, up to rounding."""
    return np.allclose(one, other, rtol=1e-9, atol=1e-12)


def changes(row: np.ndarray) -> bool:
    """Whether values are not all the same, up to rounding."""
    return bool(np.ptp(row) > 1e-6 * np.abs(row).max() > 1e-15)


class Formula:
    """A comparison with its letters and its values at random points, the smaller side first."""

    def __init__(self, compare: Compare) -> None:
        greater = compare.sign.startswith(">")
        self.compare = replace(compare, left=compare.right, right=compare.left) if greater else compare
        self.size = size(compare.left) + size(compare.right)
        self.either = compare.sign in ("=", "!=")
        self.letters = sorted(names(compare.left) | names(compare.right))
        points = np.random.default_rng(1).uniform(0.1, 0.9, (len(self.letters), len(SCALES))) * SCALES
        self.points = points
        self.values = values(self.compare, self.letters, points)

    def says(self, other: Formula) -> bool:
        """Whether another one is this one in other letters, with its terms moved or its sides multiplied."""
        if not 0 < len(self.letters) == len(other.letters) <= LETTERS or self.either != other.either:
            return False
        loosely = min(self.size, other.size) >= SIZE  # what is short is alike by chance
        return any(self.is_as(sides, loosely) for sides in other.renamed(self.points))

    def renamed(self, points: np.ndarray) -> Iterator[np.ndarray]:
        """Its values at points for each order of its letters."""
        for order in itertools.permutations(range(len(points))):
            yield values(self.compare, self.letters, points[list(order)])

    def is_as(self, sides: np.ndarray, loosely: bool) -> bool:
        """Whether it has these values where both have one."""
        finite = np.isfinite(self.values).all(axis=0) & np.isfinite(sides).all(axis=0)
        own, sides = self.values[:, finite], sides[:, finite]
        return same(own, sides, loosely) or self.either and same(own, sides[::-1], loosely)


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
