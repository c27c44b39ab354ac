"""Appendix B.6, page 189: the chain of inequalities behind the characteristic time of private identification."""

from typing import Any

from banditproof.verify.kernel.bandits import of_each_arm
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.meanings import size, sum_of
from banditproof.verify.kernel.rules import eq, lt
from banditproof.verify.kernel.terms import Formula, Term


@word
def gains(odds: Any, gap: Any) -> Term:
    """g(x) = min(1, x) Delta, in the words of the kernel: the least of two numbers by the size of their difference."""
    return (1 + odds - size(1 - odds)) / 2 * gap


@word
def are_inverses(gaps: Any, inverses: Any, rest: Any) -> tuple[Formula, Formula]:
    """The gaps are positive, and inverses(a) = 1/gaps(a)."""
    positive = of_each_arm(rest, lambda a: lt(0, gaps(a)))
    return positive, of_each_arm(rest, lambda a: eq(inverses(a) * gaps(a), 1))


@word
def inverse_time(inverses: Any, rest: Any, closest: Any) -> Term:
    """1/Delta_min + sum_a 1/Delta_a."""
    return inverses(closest) + sum_of(inverses, rest, "b")
