"""Real random variables by their laws: what subgaussian means, multiples and sums of independent ones."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.meanings import exp, function_of, own_names
from banditproof.verify.kernel.rules import eq, le, mean
from banditproof.verify.kernel.terms import All, Term, term, var


def subgaussian(law: Term, square: Any) -> All:
    """E e^(t X) <= e^(t^2 square/2) for all real t, where X has the law; X is sigma-subgaussian for square = sigma^2.

    The mean is the supremum of those of the bounded functions g with 0 <= g <= e^(t x).
    """
    own_names("t", "g", "x")
    t, x = var("t"), var("x")
    g = function_of("g", x)
    given = All(("x",), (), le(0, g)), All(("x",), (), le(g, exp(t * x)))
    return All(("t", "g"), given, le(mean("x", law, g), exp(t * t * square / 2)))


def in_interval(law: Term, low: Any, high: Any, centre: Any) -> All:
    """X is in [low, high] almost surely and has the mean `centre`: so has every bounded function that is x there."""
    own_names("g", "x")
    x = var("x")
    g = function_of("g", x)
    there = All(("x",), (le(low, x), le(x, high)), eq(g, x))
    return All(("g",), (there,), eq(mean("x", law, g), centre))


def multiple(c: Any, law: Term) -> Term:
    """The law of c X, where X has the law."""
    own_names("x")
    return Term("mix", (("x",), law, Term("dirac", (c * var("x"),))))


def sum_of_independent(first: Term, second: Term) -> Term:
    """The law of X + Y, where X and Y are independent and have these laws."""
    own_names("x", "y")
    both = Term("dirac", (var("x") + var("y"),))
    return Term("mix", (("x",), first, Term("mix", (("y",), second, both))))


def sum_of_samples(law: Term, count: Any) -> Term:
    """The law of the sum of so many independent variables that have the law."""
    own_names("i", "h", "x")
    step = Term("mix", (("x",), law, Term("dirac", (var("h") + var("x"),))))
    return Term("steps", (("i", "h"), term(count), term(0), step))
