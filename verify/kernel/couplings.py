"""Total variation, and data sets of independent records: what is said of laws of data that are coupled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.meanings import binding, event, for_each, function_of, neighbours, own_names
from banditproof.verify.kernel.rules import le, mean
from banditproof.verify.kernel.terms import All, Formula, Term, term, var


def variation_at_most(P: Term, Q: Term, most: Any) -> All:
    """TV(P || Q) <= most: P(A) <= Q(A) + most for all events A."""
    own_names("x", "A")
    A = function_of("A", var("x"))
    return All(("A",), (event("A"),), le(mean("x", P, A), mean("x", Q, A) + most))


def independent_records(P: Callable[[Any], Term], n: Any) -> Term:
    """The law of a data set of n records, which are drawn independently, record i from P(i)."""
    i, h, y = var("i"), var("h"), var("y")
    with binding("i", "h", "y"):
        one = P(i)
    step = Term("mix", (("y",), one, Term("dirac", (function_of("pair", h, y),))))
    return Term("steps", (("i", "h"), term(n), var("empty"), step))


def replaced_records_are_near() -> tuple[Formula, ...]:
    """Data sets that differ in their last record are neighbours, and neighbours stay so with one more record each."""
    own_names("d", "e", "x", "y")
    d, e, x, y = map(var, "dexy")
    replaced = neighbours(function_of("pair", d, x), function_of("pair", d, y))
    longer = neighbours(function_of("pair", d, x), function_of("pair", e, x))
    return All(("d", "x", "y"), (), replaced), All(("d", "e", "x"), (neighbours(d, e),), longer)


def if_they_vary(
    P: Callable[[Any], Term], Q: Callable[[Any], Term], n: Any, says: Callable[[Callable[[Any], Term]], Formula]
) -> All:
    """What `says` says of numbers tv(i) which TV(P(i) || Q(i)) is at most, for i = 0 .. n - 1."""

    def tv(i: Any) -> Term:
        return function_of("tv", i)

    with binding("tv"):
        said = says(tv)
    return All(("tv",), (for_each(n, lambda i: variation_at_most(P(i), Q(i), tv(i))),), said)
