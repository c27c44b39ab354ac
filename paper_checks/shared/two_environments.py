"""Two environments that differ in one arm, and what a finite policy does in both, in exact arithmetic.

Arm 1 has mean Delta, the others 0; in the second environment the last arm has mean 2 Delta. Rewards are Bernoulli, so
that laws of actions are enumerated; the proofs only use the gaps and the divergences of the two laws of the last arm.

Source: TH-S4.1a, TH-S4.1b, TH-S4.1c
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from banditproof.theory.numbers.numeric import sqrt, to_ball


def means(arms: int, gap: Fraction, raised: bool) -> tuple[Fraction, ...]:
    """(Delta, 0, ..., 0), with 2 Delta for the last arm where it is raised."""
    return (Fraction(gap), *(Fraction(0),) * (arms - 2), 2 * Fraction(gap) * raised)


def bernoulli_laws(values: tuple[Fraction, ...]) -> tuple[dict[Any, Fraction], ...]:
    """The laws of Bernoulli arms with these means, atoms of probability zero left out."""
    return tuple({r: p for r, p in ((0, 1 - m), (1, m)) if p} for m in values)


def expected_count(law: Mapping[Any, Fraction], arm: int) -> Fraction:
    """E[N_arm(T)] under a law of histories."""
    return sum((w * sum(a == arm for a, _ in h) for h, w in law.items()), Fraction(0))


def regret(law: Mapping[Any, Fraction], values: tuple[Fraction, ...]) -> Fraction:
    """Reg_T from the pulls."""
    return sum(((max(values) - m) * expected_count(law, arm) for arm, m in enumerate(values)), Fraction(0))


def ratio(over: Any, under: Any) -> Any:
    """over/under for balls and counts."""
    return to_ball(over) / to_ball(under)


def root(value: Any) -> Any:
    """The square root for balls and counts."""
    return sqrt(to_ball(value))
