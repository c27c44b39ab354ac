"""A proof in the kernel that no point comes closer to the mean, in standard deviations, when outliers are removed."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.noise import squared
from banditproof.verify.theorems.policies import sum_over

n, k, balance, centre, place, i = map(var, ("n", "k", "balance", "centre", "place", "i"))


def from_centre(values: str, at: Any, c: Any) -> Term:
    """The squared distance of a point to a centre."""
    return squared(app(values, at) - c)


def squares(values: str, count: Any, c: Any) -> Term:
    """The sum of these squares."""
    return sum_of(lambda j: from_centre(values, j, c), count)


def all_squares(c: Any) -> Term:
    return squares("inner", n, c) + squares("outliers", k, c)


@proof
def distances_rise(statement: All) -> Theorem:
    """All points have the same mean, and the outliers have raised the variance."""
    _, of_outliers = (assume(f) for f in statement.given if isinstance(f, Rel) and f.op == "=")
    mean = (sum_of(lambda j: app("inner", j), n) + sum_of(lambda j: app("outliers", j), k)) / (n + k)
    share = 1 / (n + k)
    same_mean = auto(eq(mean, balance), (share, of_outliers))

    (far,) = (f for f in statement.given if isinstance(f, All))
    after = squares("inner", n, balance) / n
    here = instance(assume(far), {}, assume(nat(i)), assume(lt(i, k)))
    farther = sum_over(auto(le(0, from_centre("outliers", i, balance) - after), here), "i", k)
    least = auto(le((n + k) * after, all_squares(balance)), farther)
    raised = auto(le(after, all_squares(balance) * share), least)

    left, right = from_centre("inner", place, centre) * after, all_squares(centre) * share
    first, second = same(same_mean, "centre", left), same(same_mean, "centre", right)
    return auto(
        statement.then, ((app("inner", place) - balance) * (app("inner", place) - balance), raised), first, second
    )
