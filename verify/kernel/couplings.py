"""Total variation, and data sets of independent records: what is said of laws of data that are coupled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.divergences import average, coupling, first, second
from banditproof.verify.kernel.games import code
from banditproof.verify.kernel.meanings import (
    binding,
    drawn,
    event,
    for_each,
    function_of,
    neighbours,
    own_names,
    there_is,
)
from banditproof.verify.kernel.policies import the_same
from banditproof.verify.kernel.rules import eq, le, mean
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


# ---------------------------------------------------------------------------------------------------- one coupling


def of_names(law: Term) -> Term:
    """The law of the name of a point: pairs hold names, which maps can give back."""
    return drawn(lambda x: Term("dirac", (code(x),)), law)


def pairs_of_names() -> tuple[Formula, ...]:
    """Off a pair the names of both points can be read, and the name of a name is this name."""
    own_names("x", "y")
    x, y = var("x"), var("y")
    both = function_of("pair", x, y)
    given = eq(first(both), code(x)), eq(second(both), code(y)), eq(code(code(x)), code(x))
    return tuple(All(("x", "y") if k < 2 else ("x",), (), f) for k, f in enumerate(given))


def variation_is(P: Term, Q: Term, t: Any) -> tuple[Formula, ...]:
    """TV(P || Q) = t: the least number that P(A) - Q(A) is at most, for all events A."""
    with binding("c"):
        most = variation_at_most(P, Q, var("c"))
    return variation_at_most(P, Q, t), All(("c",), (most,), le(t, var("c")))


def are_different(z: Any) -> Term:
    """1 where the two parts of a pair differ, else 0."""
    return 1 - the_same(first(z), second(z))


def some_coupling_is_maximal(P: Term, Q: Term, variation: Any) -> All:
    """Some coupling of P and Q has parts that differ with the probability `variation`, and no coupling with less."""
    best, rival = (Term("law", (name,)) for name in ("maximal", "rival"))
    no_less = All(("rival",), coupling(rival, P, Q), le(variation, average(are_different, rival)))
    return there_is(("maximal",), *coupling(best, P, Q), eq(average(are_different, best), variation), no_less)
