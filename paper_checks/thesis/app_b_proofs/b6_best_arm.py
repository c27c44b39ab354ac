"""Appendix B.6, page 189: the chain of inequalities behind the characteristic time of private identification."""

from typing import Any

from banditproof.claims.register import claim
from banditproof.claims.sets import Count, EveryBudget, EveryVector, Natural, Real
from banditproof.claims.steps import in_kernel
from banditproof.verify.kernel.bandits import of_each_arm
from banditproof.verify.kernel.meanings import size, sum_of, when
from banditproof.verify.kernel.rules import eq, le, lt
from banditproof.verify.kernel.terms import Formula, Term
from banditproof.verify.theorems import odds as odds_proofs


def gains(odds: Any, gap: Any) -> Term:
    """g(x) = min(1, x) Delta, in the words of the kernel: the least of two numbers by the size of their difference."""
    return (1 + odds - size(1 - odds)) / 2 * gap


def are_inverses(gaps: Any, inverses: Any, rest: Any) -> tuple[Formula, Formula]:
    """The gaps are positive, and inverses(a) = 1/gaps(a)."""
    positive = of_each_arm(rest, lambda a: lt(0, gaps(a)))
    return positive, of_each_arm(rest, lambda a: eq(inverses(a) * gaps(a), 1))


def inverse_time(inverses: Any, rest: Any, closest: Any) -> Term:
    """1/Delta_min + sum_a 1/Delta_a."""
    return inverses(closest) + sum_of(inverses, rest, "b")


@claim("TH-S.B6/bound", in_kernel(odds_proofs.ratio))
def bound_of_every_ratio(
    gaps: EveryVector, inverses: EveryVector, weights: EveryBudget, rest: Count, closest: Natural, least: Real
):
    r"""$\frac{\min_ag_a(x_a)}{1+\sum_ax_a}\le\big(\frac1{\Delta_{\min}}+\sum_a\frac1{\Delta_a}\big)^{-1}$ (steps (c),
    (d) and 2) for any number of arms beside the best one, all gaps and all $x_a\ge0$.

    It is written as the proof has it, $\min_ag_a(x_a)(\frac1{\Delta_{\min}}+\sum_a\frac1{\Delta_a})\le1+\sum_ax_a$:
    both divisors are positive. `least` is any number that no g_a(x_a) is below, so the smallest one too; the gap of any
    arm may stand for the smallest gap.
    """
    known = *are_inverses(gaps, inverses, rest), lt(closest, rest)
    lowest = of_each_arm(rest, lambda a: le(least, gains(weights(a), gaps(a))))
    bound = least * inverse_time(inverses, rest, closest)
    return when(*known, lowest, then=le(bound, 1 + sum_of(weights, rest, "b")))


@claim("TH-S.B6/bound-attained", in_kernel(odds_proofs.ratio_attained))
def bound_is_always_attained(gaps: EveryVector, inverses: EveryVector, rest: Count, closest: Natural, arm: Natural):
    r"""$\frac{\min_ag_a(x_a)}{1+\sum_ax_a}=\big(\frac1{\Delta_{\min}}+\sum_a\frac1{\Delta_a}\big)^{-1}$ at
    $x_a=\Delta_{\min}/\Delta_a$, for any number of arms beside the best one and all gaps.

    It is said of g_a(x_a) for every arm a, and so of the smallest one.
    """
    smallest = of_each_arm(rest, lambda a: le(gaps(closest), gaps(a)))
    known = *are_inverses(gaps, inverses, rest), lt(closest, rest), smallest, lt(arm, rest)

    def odds(a: Any) -> Term:
        return gaps(closest) * inverses(a)

    gained = gains(odds(arm), gaps(arm)) * inverse_time(inverses, rest, closest)
    return when(*known, then=eq(gained, 1 + sum_of(odds, rest, "b")))
