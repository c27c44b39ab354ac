"""The check of the checks: every mutation of every claim must be refuted, and how small a one would be is measured.

For a refuted claim the control is its repair, on which the same kind of search must fall silent.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from banditproof.claims.check import Check
from banditproof.claims.register import Claim, Mutation
from banditproof.claims.run.examine import Settings, run_check
from banditproof.claims.verdict import decide
from banditproof.verify.proof.evidence import Trend, to_data
from banditproof.verify.proof.recheck import recheck

FINEST = 7  # halvings of a mutation's step that are tried
BOXES_FOR_RESOLUTION = 300


def try_mutations(claim: Claim, settings: Settings) -> list[dict[str, Any]]:
    """One record per mutation: whether it was caught, how, and the smallest step of its constants that still is."""
    return [_try(claim, mutation, settings) for mutation in claim.mutations]


def _try(claim: Claim, mutation: Mutation, settings: Settings) -> dict[str, Any]:
    started = time.perf_counter()
    caught, how = _caught(claim, mutation.constants, mutation, settings)
    record = {"name": mutation.name, "constants": to_data(dict(mutation.constants)), "caught": caught, "how": how}
    steps = _continuous(claim.constants, mutation.constants)
    if caught and steps and mutation.gradual:
        record["resolution"] = _resolution(claim, mutation, steps, settings)
    return record | {"seconds": round(time.perf_counter() - started, 3)}


def _caught(
    claim: Claim, constants: Mapping[str, Any], mutation: Mutation, settings: Settings, box_limit: int | None = None
) -> tuple[bool, str]:
    """Refuted by evidence that re-verifies, or a trend whose rule the mutation fails."""
    try:
        check = run_check(claim, settings, constants, mutation.domain, box_limit)
    except Exception:  # a crash is a miss, and is shown
        return False, traceback.format_exc(limit=-2)
    verdict = decide(check.domain, check.evidence)
    if verdict.name == "refuted":
        problems = [p for e in check.evidence if e.refutes and (p := recheck(e.to_json()))]
        return (False, problems[0]) if problems else (True, verdict.reach)
    return _by_trend(check) or (False, f"came out {verdict.name}: {verdict.reach}")


def _by_trend(check: Check) -> tuple[bool, str] | None:
    failed = [e for e in check.evidence if isinstance(e, Trend) and e.verdict == "contradicts"]
    return (True, f"the trend '{failed[0].source}' contradicts it") if failed else None


def _continuous(true: Mapping[str, Any], mutated: Mapping[str, Any]) -> list[str]:
    """The constants that can be moved gradually: numbers of which at least one is not a count."""

    def numeric(value: Any) -> bool:
        return isinstance(value, int | Fraction) and not isinstance(value, bool)

    pairs = {n: (true[n], v) for n, v in mutated.items() if n in true}
    return [n for n, (a, b) in pairs.items() if numeric(a) and numeric(b) and isinstance(a * 1 + b, Fraction)]


def _resolution(claim: Claim, mutation: Mutation, names: list[str], settings: Settings) -> dict[str, Any]:
    """The smallest power of 1/2, down to FINEST, of the way to the mutated constants that is still caught.

    The finest step comes first: most checks that are exact catch it, and are done.
    """

    def moved(halvings: int) -> dict[str, Any]:
        return _moved(claim, mutation, names, Fraction(1, 2**halvings))

    caught, missed, halvings = 0, FINEST + 1, FINEST
    while missed - caught > 1:
        if _caught(claim, moved(halvings), mutation, settings, box_limit=BOXES_FOR_RESOLUTION)[0]:
            caught = halvings
        else:
            missed = halvings
        halvings = (missed + caught) // 2
    return {"constants": to_data(moved(caught)), "step": to_data(Fraction(1, 2**caught))}


def _moved(claim: Claim, mutation: Mutation, names: list[str], step: Fraction) -> dict[str, Any]:
    """The mutation's constants, the named ones only part of the way from their true values."""
    part = {n: Fraction(claim.constants[n]) + (mutation.constants[n] - claim.constants[n]) * step for n in names}
    return {**mutation.constants, **part}
