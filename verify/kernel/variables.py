"""Real random variables by their laws: what subgaussian means, multiples and sums of independent ones."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.meanings import exp, function_of, own_names
from banditproof.verify.kernel.rules import le, mean
from banditproof.verify.kernel.terms import All, Term, var


def subgaussian(law: Term, square: Any) -> All:
    """E e^(t X) <= e^(t^2 square/2) for all real t, where X has the law; X is sigma-subgaussian for square = sigma^2.

    The mean is the supremum of those of the bounded functions g with 0 <= g <= e^(t x).
    """
    own_names("t", "g", "x")
    t, x = var("t"), var("x")
    g = function_of("g", x)
    given = All(("x",), (), le(0, g)), All(("x",), (), le(g, exp(t * x)))
    return All(("t", "g"), given, le(mean("x", law, g), exp(t * t * square / 2)))


def multiple(c: Any, law: Term) -> Term:
    """The law of c X, where X has the law."""
    own_names("x")
    return Term("mix", (("x",), law, Term("dirac", (c * var("x"),))))


def sum_of_independent(first: Term, second: Term) -> Term:
    """The law of X + Y, where X and Y are independent and have these laws."""
    own_names("x", "y")
    both = Term("dirac", (var("x") + var("y"),))
    return Term("mix", (("x",), first, Term("mix", (("y",), second, both))))
