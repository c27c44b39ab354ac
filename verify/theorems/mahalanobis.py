"""Proofs in the kernel that the squared distance from the mean, over the variances, has the number of columns as mean.

Records need not be bounded: means are those of bounded functions up to a value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.variables import mean_at_least, mean_at_most
from banditproof.verify.theorems.policies import sum_inside, sum_over

i, j, m, z, s, t, c, d, B = map(var, ("i", "j", "m", "z", "s", "t", "c", "dimension", "B"))
Z, OF_G = law("Z"), app("g", z)
LARGE = lt(0, B)


def apart(k: Any, at: Any = z) -> Term:
    """What entry k of a record differs by from its mean."""
    return app("value", k, at, 0) / app("value", k, at, 1) - app("centre", k)


def squared(k: Any, at: Any = z) -> Term:
    return apart(k, at) * apart(k, at)


def over_variance(k: Any) -> Term:
    return app("one_over", k) * squared(k)


class Column:
    """What is known of a column: its variance, and one over it."""

    def __init__(self, k: Term, natural: Theorem, room: Theorem):
        self.k, self.place = k, (natural, room)
        self.low, self.spread_low = (
            instance(assume(All(("i",), (nat(i),), le(0, app(name, i)))), {"i": k}, natural)
            for name in ("one_over", "spread")
        )
        self.one = self.of(eq(app("one_over", i) * app("spread", i), 1))

    def of(self, says: Formula) -> Theorem:
        """What is assumed of all columns."""
        return instance(assume(All(("i",), (nat(i), lt(i, d)), says)), {"i": self.k}, *self.place)

    def mean(self, says: Callable[..., All]) -> Theorem:
        """What is assumed of the mean of the square."""
        return self.of(says(Z, lambda at: squared(i, at), app("spread", i)))


def cut(k: Any) -> Term:
    """The smaller one of B and the square over the variance: the mean of an indicator, which is bounded."""
    return B * mean("s", UNIT, ind(s, over_variance(k) / B))


def by_size(column: Column, small: Callable[..., Theorem], large: Callable[..., Theorem]) -> Theorem:
    """What follows where the square over the variance is at most B, so that it is not cut, and where it is more."""
    k, some = column.k, assume(LARGE)
    value, share = over_variance(k), over_variance(k) / B
    inverse, one = reciprocal_positive(some), reciprocal(some)
    inside, outside = assume(le(value, B)), assume(lt(B, value))
    low = product(product(column.low, square(apart(k))), weak(inverse))
    whole = unit(share, "s", auto(le(0, share), low), auto(le(share, 1), (inverse, inside), one))
    above, near, far = auto(le(1, share), (inverse, outside), one), assume(le(s, 1)), assume(lt(1, s))
    of_one = le(ind(s, 1), ind(s, share))
    on = auto(of_one, at_most(auto(le(s, share), near, above)))
    sure = mono(cases(on, auto(of_one, not_at_most(far)), s, term(1)), "s", UNIT)
    always = unit(term(1), "s", auto(le(0, 1)), auto(le(1, 1)))
    whole_B = antisymmetric(
        auto(le(cut(k), B), (some, mono(indicator(s, share, 4), "s", UNIT))),
        auto(le(B, cut(k)), (some, sure), (B, always)),
    )
    uncut = auto(eq(cut(k), value), (B, whole), (value, one))
    return cases(small(uncut, inside), large(whole_B, outside), value, B)


@proof
def at_most_the_columns(statement: All) -> Theorem:
    """A bounded function up to the sum is at most the sum of what is cut at its bound."""
    goal: Any = statement.then
    return some_bound(by_cuts(goal), "bound", ["z"], OF_G)


def by_cuts(goal: All) -> Theorem:
    """Each column that is cut has a mean of at most 1."""
    bound = var("bound")
    high = auto(lt(0, bound + 1), nat_nonnegative(assume(nat(bound))))
    below, under_it = (instance(assume(f), {}) for f in (goal.given[0], All(("z",), (), le(OF_G, bound))))
    all_cut = for_all("B t", all_are_cut(), LARGE, le(t, sum_of(over_variance, d)), le(t, B))
    at_g = instance(all_cut, {"B": bound + 1, "t": OF_G}, high, below, auto(le(OF_G, bound + 1), under_it))
    parts = substitute(cut(j), {"B": bound + 1})
    return auto(
        goal.then,
        mono(at_g, "z", Z),
        sum_inside("j", d, "z", Z, parts),
        sum_over(instance(for_all("B", small_mean(), LARGE), {"B": bound + 1}, high), "j", d),
    )


def small_mean() -> Theorem:
    """0 <= 1 - E of a column that is cut: times the variance it is a bounded function up to the square."""
    column = Column(j, assume(nat(j)), assume(lt(j, d)))

    def kept(p: Theorem, more: Any) -> Theorem:
        return auto(le(cut(j), over_variance(j)), p, more)

    smaller = by_size(column, kept, kept)
    scaled = app("spread", j) * cut(j)
    below = auto(le(scaled, squared(j)), (column.spread_low, smaller), (squared(j), column.one))
    mean_of = instance(column.mean(mean_at_most), {"g": fn("z", scaled)}, for_all("z", below))
    whole = mean("z", Z, cut(j))
    return auto(le(0, 1 - whole), (column.low, mean_of), (whole - 1, column.one))


def all_are_cut() -> Theorem:
    """t is at most the sum of all columns that are cut, if it is at most B and the sum of those that are not."""
    pm, room = assume(nat(m)), assume(le(m + 1, d))
    column, value = Column(m, pm, auto(lt(m, d), room)), over_variance(m)

    def says(count: Any) -> Formula:
        return le(t, sum_of(cut, count))

    claim = All(("t",), (le(m, d), le(t, sum_of(over_variance, m)), le(t, B)), says(m))
    below, bounded = assume(le(t, sum_of(over_variance, m + 1))), assume(le(t, B))
    sums, cuts = (uniform_next(pm, "j", of(j)) for of in (over_variance, cut))
    low = product(column.low, square(apart(m)))
    rest = mono(product(weak(assume(LARGE)), mono(indicator(s, over_variance(j) / B, 3), "s", UNIT)), "j", uniform(m))

    def small(uncut: Theorem, _: Theorem) -> Theorem:
        fewer = auto(le(t - value, sum_of(over_variance, m)), below, sums)
        less = auto(le(m, d), room), fewer, auto(le(t - value, B), bounded, low)
        return auto(says(m + 1), instance(assume(claim), {"t": t - value}, *less), cuts, uncut)

    def large(whole: Theorem, _: Theorem) -> Theorem:
        return auto(says(m + 1), bounded, cuts, whole, (nat_nonnegative(pm), rest))

    base = auto(says(0), assume(le(t, sum_of(over_variance, 0))))
    whole = induction("m", base, by_size(column, small, large), claim, at=d)
    return instance(whole, {}, assume(le(t, sum_of(over_variance, d))), bounded)


@proof
def at_least_the_columns(statement: All) -> Theorem:
    """Column by column: a bounded function up to one of them is added to what is bounded already."""
    b, pm, room = app("b", z), assume(nat(m)), assume(le(m + 1, d))
    column = Column(m, pm, auto(lt(m, d), room))

    def bound(count: Any, base: Term) -> All:
        return mean_at_most(
            Z, lambda at: substitute(base, {"z": at}) + sum_of(lambda k: app("one_over", k) * squared(k, at), count), c
        )

    def says(count: Any) -> Rel:
        return le(mean("z", Z, b) + count, c)

    claim = All(("b", "c"), (le(m, d), bound(m, b)), says(m))
    start = instance(assume(bound(term(0), b)), {"g": fn("z", b)})
    below, known = All(("z",), (), le(OF_G, squared(m))), assume(bound(m + 1, b))
    more = b + app("one_over", m) * OF_G
    h = app("h", z)
    up_to = All(("z",), (), le(h, more + sum_of(over_variance, m)))
    sums = uniform_next(pm, "j", over_variance(j))
    fits = auto(
        le(h, b + sum_of(over_variance, m + 1)), instance(assume(up_to)), sums, (column.low, instance(assume(below)))
    )
    every = for_all("h", instance(known, {"g": fn("z", h)}, for_all("z", fits)), up_to)
    before = instance(assume(claim), {"b": fn("z", more)}, auto(le(m, d), room), every)
    left = app("spread", m) * (c - m - mean("z", Z, b))
    most = auto(le(mean("z", Z, OF_G), left), (column.spread_low, before), (mean("z", Z, OF_G), column.one))
    least = instance(column.mean(mean_at_least), {"c": left}, for_all("g", most, below))
    step = auto(says(m + 1), (column.low, least), column.one)
    whole = induction("m", auto(says(0), start), step, claim, at=d)
    goal = statement.then
    return auto(goal.then, instance(whole, {"b": fn("z", 0)}))  # type: ignore[union-attr]
