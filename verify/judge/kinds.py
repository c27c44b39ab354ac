"""The plan of a sentence of any kind: comparisons from `goals`, limits and constants from here on."""

from __future__ import annotations

from typing import Any

from banditproof.verify.judge.goals import Plan, plan
from banditproof.verify.judge.sentence import Reading


def plan_of(reading: Reading, budget: Any) -> Plan:
    """What to show and what to look for."""
    return plan(reading)
