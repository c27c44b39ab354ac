"""The check of the checks: every mutation of every claim must be refuted.

For a refuted claim the control is its repair, on which the same kind of search must fall silent.
"""

from __future__ import annotations

import time
from typing import Any

from banditproof.claims.check import Check
from banditproof.claims.register import Claim, Mutation
from banditproof.claims.run.examine import in_lines, run_check
from banditproof.claims.run.record import Settings
from banditproof.claims.verdict import decide
from banditproof.verify.proof.evaluation import remembering
from banditproof.verify.proof.evidence import Statistics, Trend, to_data
from banditproof.verify.proof.recheck import recheck


def try_mutations(claim: Claim, settings: Settings) -> list[dict[str, Any]]:
    """One record per mutation: whether it was caught, and how."""
    return [_try(claim, mutation, settings) for mutation in claim.mutations]


def _try(claim: Claim, mutation: Mutation, settings: Settings) -> dict[str, Any]:
    started = time.perf_counter()
    caught, how = _caught(claim, mutation, settings)
    record = {"name": mutation.name, "constants": to_data(dict(mutation.constants)), "caught": caught, "how": how}
    return record | {"seconds": round(time.perf_counter() - started, 3)}


def _caught(claim: Claim, mutation: Mutation, settings: Settings) -> tuple[bool, str]:
    """Refuted by evidence that re-verifies, or a trend whose rule the mutation fails."""
    try:
        with remembering():
            check = run_check(claim.varied(mutation), settings, printed=False)
        verdict = decide(check.domain, check.evidence)
        problems = [p for e in check.evidence if e.refutes and (p := recheck(e.to_json()))]
    except Exception as error:  # a crash is a miss, and is shown
        return False, in_lines(error, claim)
    if verdict.name == "refuted":
        return (False, problems[0]) if problems else (True, verdict.reach)
    return _by_runs(check) or (False, f"came out {verdict.name}: {verdict.reach}")


def _by_runs(check: Check) -> tuple[bool, str] | None:
    """Caught by a trend, or by event counts at their stated error: of what is false no repetition is asked."""
    for evidence in check.evidence:
        if isinstance(evidence, Trend) and evidence.verdict == "contradicts":
            return True, f"the trend '{evidence.source}' contradicts it"
        if isinstance(evidence, Statistics) and "violated" in evidence.outcomes:
            event = evidence.tests[evidence.outcomes.index("violated")]["event"]
            return True, f"the runs violate it: {event}"
    return None
