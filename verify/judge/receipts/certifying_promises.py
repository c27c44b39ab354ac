"""From a refuted promise of privacy to two laws and an event, or an order, by which `checker_of_mechanisms` sees it.

Nothing here is trusted, as in `certifying`: what the checker refuses is no receipt.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.verify.judge.formulas.lists import compare_as_list, private_as_list, range_as_list
from banditproof.verify.judge.formulas.sentence import Compare, Private, Reading
from banditproof.verify.judge.found import Failure
from banditproof.verify.judge.receipts import checker, checker_of_mechanisms
from banditproof.verify.judge.receipts.checker import NoValue, Unsure

ORDERS = "1.0001", "1.01", "1.1", "1.25", "1.5", "2", "3", "5", "10", "50", "500"
FAR = 0, 1, 4, 16, 64  # of a choice that hardly happens, in units of the scores
MOST_ANSWERS = 4
CUT = 10**12  # denominators of a place on the line, and of scores


def broken(reading: Reading, failure: Failure) -> dict[str, Any] | None:
    """The claim that a mechanism breaks the promise at the point of a failure; None where none is seen."""
    sentence = reading.sentence
    if not isinstance(sentence, Private) or not set(reading.ranges) <= set(failure.point):
        return None
    try:
        data: dict[str, Any] = {
            "sentence": private_as_list(sentence),
            "ranges": {n: range_as_list(r) for n, r in reading.ranges.items()},
            "conditions": [compare_as_list(c) for c in reading.conditions if isinstance(c, Compare)],
            "point": {n: str(failure.point[n]) for n in reading.ranges},
        }
    except InvalidInput:
        return None
    at = ", ".join(f"{n} = {v}" for n, v in data["point"].items())
    for shown in _shown(data):
        if not checker_of_mechanisms.check_broken(found := {**data, "shown": shown}):
            return {"said": f"{reading.said} is broken{at and f' at {at}'}", "broken": found}
    return None


def _shown(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Scores, turns, and an event or an order that may tell two laws apart."""
    try:
        _, (law, parameters), (kind, budget) = data["sentence"]
        point = checker.placed(data)
        v, b = (checker_of_mechanisms.given(g, lambda f: checker.value(f, point)) for g in (parameters, budget))
        for made in _made(law, v):
            if kind in ("zcdp", "rdp"):
                yield from ({**made, "order": a} for a in (ORDERS if kind == "zcdp" else [str(b["alpha"][0])]))
            else:
                yield from ({**made, **event} for event in _events(checker_of_mechanisms.PAIRS[law](v, made), b))
    except (Unsure, NoValue, LookupError, ArithmeticError, TypeError, ValueError):
        return


def _made(law: str, v: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if law == "exponential":
        step = Fraction(int(v["sensitivity"][0] * CUT), CUT)
        count = int(v["candidates"][0]) if "candidates" in v else 2
        for far in FAR:
            behind = -far * step
            rows = [behind + step, *[Fraction(0)] * (count - 1)], [behind, *[step] * (count - 1)]
            yield {"scores": [list(map(str, row)) for row in rows]}
    else:
        yield from ({}, {"turned": "yes"})[: 1 + (law == "subsampling")]


def _events(pair: Any, b: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """For two laws on a line, from where the loss exceeds epsilon; of few answers, some."""
    kind, first, *_ = pair
    if kind == "finite":
        answers = range(min(len(first), MOST_ANSWERS))
        for count in range(1, len(answers)):
            yield from ({"answers": list(chosen)} for chosen in itertools.combinations(answers, count))
        return
    m, e = float(first[0]), float(b["epsilon"][0])
    places = ((e + m) / 2, m) if kind == "laplace" else (e / m + m / 2, e / m + m, (e + 1) / m + m)
    yield from ({"at": str(Fraction(at).limit_denominator(CUT))} for at in places)
