"""A proof in the kernel that no point comes closer to the mean, in standard deviations, when outliers are removed."""

from __future__ import annotations

from typing import Any

from banditproof.paper_checks.shared.kernel_proofs import app
from banditproof.paper_checks.shared.mechanism_proofs import squared
from banditproof.paper_checks.shared.policy_proofs import sum_over
from banditproof.verify.kernel.meanings import sum_of
from banditproof.verify.kernel.rules import Theorem, assume, eq, le, lt, nat, reciprocal, same, square
from banditproof.verify.kernel.tactics import auto, closed, instance, reciprocal_positive, weak
from banditproof.verify.kernel.terms import All, Rel, Term, var

n, k, balance, centre, place, i = map(var, ("n", "k", "balance", "centre", "place", "i"))


def from_centre(values: str, at: Any, c: Any) -> Term:
    """The squared distance of a point to a centre."""
    return squared(app(values, at) - c)


def squares(values: str, count: Any, c: Any) -> Term:
    """The sum of these squares."""
    return sum_of(lambda j: from_centre(values, j, c), count)


def all_squares(c: Any) -> Term:
    return squares("inner", n, c) + squares("outliers", k, c)


def distances_rise(statement: All) -> Theorem:
    """All points have the same mean, and the outliers have raised the variance."""
    some = auto(lt(0, n), assume(le(1, n)))
    positive = auto(lt(0, n + k), some, assume(le(1, k)))
    of_n, of_all = reciprocal(some), reciprocal(positive)
    of_kept, of_outliers = (assume(f) for f in statement.given if isinstance(f, Rel) and f.op == "=")
    mean = (sum_of(lambda j: app("inner", j), n) + sum_of(lambda j: app("outliers", j), k)) / (n + k)
    share = 1 / (n + k)
    same_mean = auto(eq(mean, balance), (share, of_kept), (share, of_outliers), (balance, of_all))

    (far,) = (f for f in statement.given if isinstance(f, All))
    after = squares("inner", n, balance) / n
    here = instance(assume(far), {"i": i}, assume(nat(i)), assume(lt(i, k)))
    farther = sum_over(auto(le(0, from_centre("outliers", i, balance) - after), here), "i", k)
    least = auto(le((n + k) * after, all_squares(balance)), farther, (squares("inner", n, balance), of_n))
    raised = auto(
        le(after, all_squares(balance) * share), (weak(reciprocal_positive(positive)), least), (after, of_all)
    )

    apart = from_centre("inner", place, balance)
    grown = auto(
        le(apart * after, apart * all_squares(balance) * share), (square(app("inner", place) - balance), raised)
    )
    left, right = from_centre("inner", place, centre) * after, all_squares(centre) * share
    first, second = same(same_mean, "centre", left), same(same_mean, "centre", right)
    return closed(statement, auto(statement.then, grown, first, (apart, second)))
