"""Real random variables by their laws: what subgaussian means, multiples and sums of independent ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.meanings import binding, composed, event, exp, formula, function_of, own_names, size
from banditproof.verify.kernel.rules import eq, le, lt, mean, nat
from banditproof.verify.kernel.terms import All, Formula, Term, term, var


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


def mean_at_most(law: Term, value: Callable[[Any], Any], most: Any) -> All:
    """E value(Z) <= most, where Z has the law and value >= 0: so is the mean of every bounded function up to it."""
    own_names("g", "z")
    z, g = var("z"), function_of("g", var("z"))
    return All(("g",), (All(("z",), (), le(g, value(z))),), le(mean("z", law, g), most))


def mean_at_least(law: Term, value: Callable[[Any], Any], least: Any) -> All:
    """E value(Z) >= least: whatever it is at most is at least that."""
    c = var("c")
    with binding("c"):
        at_most = mean_at_most(law, value, c)
    return All(("c",), (at_most,), le(least, c))


def multiple(c: Any, law: Term) -> Term:
    """The law of c X, where X has the law."""
    own_names("x")
    return Term("mix", (("x",), law, Term("dirac", (c * var("x"),))))


def sum_of_independent(first: Term, second: Term) -> Term:
    """The law of X + Y, where X and Y are independent and have these laws."""
    own_names("x", "y")
    both = Term("dirac", (var("x") + var("y"),))
    return Term("mix", (("x",), first, Term("mix", (("y",), second, both))))


def sum_in(joint: Term, first: Callable[[Any], Term], second: Callable[[Any], Term]) -> Term:
    """The law of first(Z) + second(Z), where Z has the joint law: the two depend in any way."""
    own_names("z")
    z = var("z")
    return Term("mix", (("z",), joint, Term("dirac", (first(z) + second(z),))))


def has_the_law(joint: Term, value: Callable[[Any], Term], law: Term) -> All:
    """value(Z), where Z has the joint law, has this law: means of functions are the same."""
    own_names("g", "x", "z")
    there = mean("z", joint, function_of("g", value(var("z"))))
    return All(("g",), (), eq(there, mean("x", law, function_of("g", var("x")))))


def some_is_large(joint: Term, values: Callable[..., Any], count: Any, level: Any, says: Callable[[Term], Any]) -> All:
    """What `says` says of the chance of every event on which |values(Z, i)| >= level for some i below the count."""
    own_names("x", "i", "z")
    i, z, A = var("i"), var("z"), function_of("A", var("z"))
    with binding("A"):
        said = formula(says(mean("z", joint, A)))
    all_small = All(("i",), (nat(i), lt(i, count)), lt(size(values(z, i)), level))
    return All(("A",), (event("A"), All(("z",), (all_small,), eq(A, 0))), said)


def sum_of_all(laws: Callable[[Any], Term], count: Any) -> Term:
    """The law of X_0 + ... + X_(count - 1), where these are independent and X_i has the law `laws(i)`."""
    with binding("i", "h", "x"):
        each = laws(var("i"))
    step = Term("mix", (("x",), each, Term("dirac", (var("h") + var("x"),))))
    return Term("steps", (("i", "h"), term(count), term(0), step))


def sum_of_squares(laws: Callable[[Any], Term], count: Any) -> Term:
    """The law of X_0^2 + ... + X_(count - 1)^2, where these are independent and X_i has the law `laws(i)`."""
    own_names("y")
    squared = Term("dirac", (var("y") * var("y"),))
    return sum_of_all(lambda i: Term("mix", (("y",), laws(i), squared)), count)


def sum_until(level: Any, laws: Callable[[Any], Term], count: Any) -> Term:
    """The law of X_0 + X_1 + ..., up to the first sum that is at least the level, or to that of `count` variables.

    It is at least the level if the largest of the sums of `count` variables or less is.
    """
    with binding("i", "h", "x"):
        each, end = laws(var("i")), term(level)
    going = 1 - Term("ind", (end, var("h")))
    step = Term("mix", (("x",), each, Term("dirac", (var("h") + going * var("x"),))))
    return Term("steps", (("i", "h"), term(count), term(0), step))


def mean_of(law: Term, count: Any) -> Term:
    """The law of the mean of so many independent variables that have the law."""
    return multiple(1 / term(count), sum_of_all(lambda i: law, count))


def coin(chance: Any) -> Term:
    """Ber(p): 1 with this probability, else 0."""
    own_names("r")
    return Term("mix", (("r",), Term("law", ("Unit",)), Term("dirac", (Term("ind", (var("r"), term(chance))),))))


def laplace(scale: Any) -> Term:
    """Lap(scale), of density e^(-|x|/scale)/(2 scale)."""
    return Term("law", ("Lap", term(scale)))


def gaussian(variance: Any) -> Term:
    """N(0, variance)."""
    return Term("law", ("Normal", term(variance)))


def unit_normal(mean: Any) -> Term:
    """N(mean, 1)."""
    own_names("deviation")
    return Term("mix", (("deviation",), gaussian(1), Term("dirac", (mean + var("deviation"),))))


def noisy(number: Any, noise: Term) -> Term:
    """The law of a number with noise added."""
    own_names("r")
    return Term("mix", (("r",), noise, Term("dirac", (number + var("r"),))))


def with_noise(values: Callable[[Any], Any], noise: Term, count: Any) -> Term:
    """The law of values(0), ..., values(count - 1), to each of which independent noise is added."""
    return composed(lambda i, d: noisy(values(i), noise), count)(0)


def noisy_sum(chance: Any, coins: Any, scale: Any, noises: Any) -> Term:
    """The law of the sum of so many coins with this chance and so many variables of Lap(scale), all independent."""
    return sum_of_independent(sum_of_all(lambda i: coin(chance), coins), sum_of_all(lambda i: laplace(scale), noises))


def private_sum(law: Term, count: Any, epsilon: Any) -> Term:
    """The law of the sum of so many independent variables that have the law and of one of Lap(1/epsilon)."""
    return sum_of_independent(sum_of_all(lambda i: law, count), laplace(1 / term(epsilon)))


def value_of(f: Callable[[Any], Any], law: Term) -> Term:
    """The law of f(X), where X has the law."""
    own_names("x")
    return Term("mix", (("x",), law, Term("dirac", (f(var("x")),))))


def on_interval(low: Any, high: Any, says: Callable[[Term], Formula]) -> All:
    """What `says` says of all numbers from low to high."""
    y = var("y")
    with binding("y"):
        said = says(y)
    return All(("y",), (le(low, y), le(y, high)), said)


def of_power(base: Any, exponent: Any, says: Callable[[Term], Any]) -> All:
    """What `says` says of base^exponent, for a base above 0: of e^(exponent log) for the number with e^log = base."""
    logarithm = var("logarithm")
    with binding("logarithm"):
        said = formula(says(exp(exponent * logarithm)))
    return All(("logarithm",), (eq(exp(logarithm), base),), said)
