"""Stochastic orders: what a function of random points is small or bounded beside, near 0 and in probability.

A real function of points takes the place of the norm, another one that of its power.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.meanings import binding, function_of, own_names, there_is
from banditproof.verify.kernel.rules import eq, le, lt, mean, nat
from banditproof.verify.kernel.terms import All, Formula, Term, term, var

Real = Callable[[Any], Term]  # a real function of points
Laws = Callable[[Any], Term]  # the law of each variable of a sequence


def zero_at_zero(f: Real, norm: Real) -> All:
    """f(0) = 0, where 0 is the point without norm."""
    own_names("x")
    x = var("x")
    return All(("x",), (le(norm(x), 0),), eq(f(x), 0))


def positive_elsewhere(weight: Real, norm: Real) -> All:
    """A weight, as a power of the norm, is positive where the norm is."""
    own_names("x")
    x = var("x")
    return All(("x",), (lt(0, norm(x)),), lt(0, weight(x)))


def _is_beside(f: Real, factor: Any, weight: Real, norm: Real) -> tuple[Formula, ...]:
    """|f(x)| <= factor weight(x) where norm(x) <= t, for a number t > 0."""
    own_names("x")
    x, t = var("x"), var("t")
    sides = le(f(x), factor * weight(x)), le(-f(x), factor * weight(x))
    return lt(0, t), *(All(("x",), (le(norm(x), t),), side) for side in sides)


def little_o(f: Real, weight: Real, norm: Real) -> All:
    """f(h) = o(weight(h)) as h -> 0."""
    small = var("small")
    with binding("small"):
        near = there_is(("t",), *_is_beside(f, small, weight, norm))
    return All(("small",), (lt(0, small),), near)


def big_o(f: Real, weight: Real, norm: Real) -> All:
    """f(h) = O(weight(h)) as h -> 0."""
    growth = var("growth")
    return there_is(("growth", "t"), le(0, growth), *_is_beside(f, growth, weight, norm))


def exceeds(X: Laws, f: Real, level: Real, n: Any) -> Term:
    """P(|f(x)| > level(x)) for x = X_n."""
    own_names("x")
    x = var("x")
    return mean("x", X(n), 1 - Term("ind", (f(x), level(x))) * Term("ind", (-f(x), level(x))))


def _one(point: Any) -> Term:
    return term(1)


def vanishes(X: Laws, f: Real, below: Real = _one) -> All:
    """f(X_n)/below(X_n) -> 0 in probability, where what it is divided by is positive."""
    t, small, n = var("t"), var("small"), var("rounds")
    with binding("t", "small", "since", "rounds"):
        rare = le(exceeds(X, f, lambda x: t * below(x), n), small)
    later = All(("rounds",), (nat(n), le(var("since"), n)), rare)
    return All(("t", "small"), (lt(0, t), lt(0, small)), there_is(("since",), later))


def is_tight(X: Laws, f: Real, below: Real) -> All:
    """f(X_n)/below(X_n) is uniformly tight: for every number > 0 there is a level that is exceeded with at most that
    probability, for all n."""
    small, growth, n = var("small"), var("growth"), var("rounds")
    with binding("small", "growth", "rounds"):
        rare = le(exceeds(X, f, lambda x: growth * below(x), n), small)
    return All(("small",), (lt(0, small),), there_is(("growth",), All(("rounds",), (nat(n),), rare)))


def _is_a_product(f: Real, weight: Real, says: Callable[[Real, Real], Formula]) -> All:
    """f = Y weight for a real function Y = above/below, of which something is said."""
    own_names("x")
    x = var("x")
    above, below = (lambda point: function_of("above", point)), lambda point: function_of("below", point)
    with binding("above", "below"):
        said = says(above, below)
    positive, product = lt(0, below(x)), eq(f(x) * below(x), above(x) * weight(x))
    return there_is(("above", "below"), All(("x",), (), positive), All(("x",), (), product), said)


def little_o_p(X: Laws, f: Real, weight: Real) -> All:
    """f(X_n) = o_p(weight(X_n)): f(X_n) = Y_n weight(X_n), and Y_n -> 0 in probability."""
    return _is_a_product(f, weight, lambda above, below: vanishes(X, above, below))


def big_o_p(X: Laws, f: Real, weight: Real) -> All:
    """f(X_n) = O_p(weight(X_n)): f(X_n) = Y_n weight(X_n), and Y_n is uniformly tight."""
    return _is_a_product(f, weight, lambda above, below: is_tight(X, above, below))
