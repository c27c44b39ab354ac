"""Geometric sums: the powers of alpha below a count, and the power that they make up.

Source: BDP-EQ14
"""

from __future__ import annotations

from typing import Any

from banditproof.theory.numbers.numeric import ratio
from banditproof.theory.numbers.term import finite_as, quantity


@finite_as(lambda alpha, m: alpha**m / (alpha - 1))
def geometric_sum(alpha: Any, m: Any) -> Any:
    """(alpha^m - 1) / (alpha - 1) = 1 + alpha + ... + alpha^(m - 1)."""
    return ratio(alpha**m - 1, alpha - 1)


@quantity
def geometric_power(alpha: Any, m: Any) -> Any:
    """alpha^m = 1 + (alpha - 1) (1 + alpha + ... + alpha^(m - 1))."""
    return alpha**m
