"""Where the formulas of a document stop: the ends that the ranges of its claims leave out, and what is there.

    python benchmarks/edges.py DOCUMENT [--results results.json]

A claim on (0, 1] says nothing at 0, and one of integers from 2 on nothing at 1. Each line is such an end, at which the
formula has no value or fails. Where the paper prints a range with this end, that is an erratum; a reader looks.
Repairs are left out, and with the results of a check what it refutes.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from pathlib import Path

from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER
from banditproof.theory.numbers.term import NoTerm
from banditproof.verify.judge.formulas import certain
from banditproof.verify.judge.formulas.sentence import Range
from banditproof.verify.judge.ways.of_terms import NoWord, asked_of
from banditproof.verify.judge.ways.points import Asked
from banditproof.verify.proof.statement import stating

ROLES = ("item", "part", "edge", "step", "reading", "remark")
INSIDE = (Fraction(1, 3), Fraction(4, 7), Fraction(1, 7))  # of a range, where the other variables are
MOST = 12  # points at an end


def ends(values: Range) -> tuple[Fraction | None, Fraction | None]:
    """The ends of a range that are numbers."""
    low, high = (certain.value_at(end, {}) if end is not None else None for end in (values.low, values.high))
    return tuple(end if isinstance(end, Fraction) else None for end in (low, high))  # type: ignore[return-value]


def inside(values: Range) -> list[Fraction]:
    """Some numbers of a range."""
    low, high = ends(values)
    low = low if low is not None else min(Fraction(-3), high - 3 if high is not None else Fraction(-3))
    high = high if high is not None else max(low + 6, Fraction(6))
    return [Fraction(ceil(x)) if values.integer else x for x in (low + share * (high - low) for share in INSIDE)]


def left_out(asked: Asked) -> Iterator[tuple[str, Fraction, str]]:
    """The ends that ranges leave out at which there is no value, or the comparison fails."""
    for name, values in asked.ranges.items():
        (low, high), others = ends(values), {n: inside(r) for n, r in asked.ranges.items() if n != name}
        if values.integer:
            tried = [low - 1] if low is not None and low > 0 else []
        else:
            tried = [
                e for e, is_open in ((low, values.low_open), (high, values.high_open)) if e is not None and is_open
            ]
        for end in tried:
            found = set()
            for one in itertools.islice(itertools.product(*others.values()), MOST):
                point = dict(zip(others, one, strict=True)) | {name: end}
                if not all(certain.inside(r, point[n], point) for n, r in asked.ranges.items() if n != name):
                    continue
                try:
                    if all(certain.holds(condition, point) for condition in asked.conditions):  # type: ignore[arg-type]
                        found.add("" if certain.compared(asked.comparison, point)[0] else "fails")
                except certain.NoValue:
                    found.add("has no value")
                except (certain.Unknown, TypeError):
                    continue
            if what := max(found, default=""):
                yield name, end, what


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("document")
    parser.add_argument("--results", type=Path, help="of a check: leave out what it refutes")
    given = parser.parse_args()
    load((given.document,))
    records = json.loads(given.results.read_text(encoding="utf-8"))["claims"] if given.results else ()
    refuted = {record["id"] for record in records if record["verdict"] == "refuted"}
    for claim in REGISTER.values():
        if claim.paper != given.document or claim.role not in ROLES or claim.id in refuted or claim.relation is None:
            continue
        try:
            asked = asked_of(stating(claim.relation, claim.domain, claim.constants))
        except (NoTerm, NoWord):
            continue
        for name, end, what in left_out(asked):
            print(
                f"{claim.id}: {what} at {name} = {end}, which its range leaves out: {' '.join(claim.statement.split())}"
            )


if __name__ == "__main__":
    main()
