"""Proofs in the kernel that orders near 0 are orders in probability of what tends to 0 (``verify.kernel.orders``).

Y is f/weight, and 0 where the weight is: f = Y weight, and |Y| is at most a number where |f| is at most that many
weights.
"""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.continuity import rarely_small

x, c, t, since, m, n, most = map(var, ("x", "c", "t", "since", "m", "rounds", "most"))
level, chance = var("level"), var("chance")
UPPER, LOWER = app("remainder", x, 0), app("remainder", x, 1)
MASS, SCALE = app("weight", x, 0), app("weight", x, 1)
F, WEIGHT, NORM = UPPER / LOWER, MASS / SCALE, app("norm", x, 0) / app("norm", x, 1)
NONE = ind(MASS, 0)
ABOVE, BELOW = UPPER * SCALE * (1 - NONE), LOWER * MASS * (1 - NONE) + NONE
LAST = le(c, 0)
WEIGHTLESS, WEIGHS = assume(le(MASS, 0)), assume(lt(0, MASS))
ONE, ZERO = at_most(WEIGHTLESS), not_at_most(WEIGHS)  # what NONE is then


def scale_of(name: str) -> Theorem:
    """A real function is a quotient of two bounded ones, the second above 0."""
    return instance(assume(All(("t",), (), lt(0, app(name, t, 1)))), {"t": x})


def by_weight(at_zero: Theorem, above: Theorem) -> Theorem:
    """What holds where the weight is at most 0, and where it is positive."""
    return cases(at_zero, above, MASS, term(0))


def below_is_positive() -> Theorem:
    there = auto(lt(0, BELOW), product(scale_of("remainder"), WEIGHS), (1 - LOWER * MASS, ZERO))
    return by_weight(auto(lt(0, BELOW), (LOWER * MASS - 1, ONE)), there)


def is_a_product(at_zero: Theorem, elsewhere: Theorem) -> Theorem:
    """f below = above weight."""
    goal, scale = eq(F * BELOW, ABOVE * WEIGHT), scale_of("weight")
    units = (UPPER * MASS, reciprocal(scale_of("remainder"))), (UPPER * MASS, reciprocal(scale))
    there = auto(goal, ZERO, *units)
    weighs = instance(elsewhere, {}, assume(lt(0, NORM)))
    contrary = absurd(contradiction(weighs, (reciprocal_positive(scale), WEIGHTLESS)), eq(F, 0))
    is_zero = cases(instance(at_zero, {}, assume(le(NORM, 0))), contrary, NORM, term(0))
    return by_weight(auto(goal, is_zero, ONE), there)


def is_at_most(factor: Term, sides: tuple[Theorem, Theorem], not_negative: Theorem) -> tuple[Theorem, Theorem]:
    """|above| <= factor below from |f| <= factor weight."""
    scale, lower, found = scale_of("weight"), scale_of("remainder"), []
    both = weak(product(scale, lower))
    for sign, side in zip((1, -1), sides, strict=True):
        goal = le(sign * ABOVE, factor * BELOW)
        here = auto(goal, ONE, not_negative)
        units = (sign * UPPER * SCALE, reciprocal(lower)), (factor * MASS * LOWER, reciprocal(scale))
        found.append(by_weight(here, auto(goal, (both, side), *units, ZERO)))
    return found[0], found[1]


def law_of(k: Any) -> Term:
    return law("X", k)


def far(value: Term, bound: Term, k: Term) -> Term:
    """P(|value| > bound) of X_k."""
    return mean("x", law_of(k), 1 - within(value, bound))


def within(value: Term, bound: Term) -> Term:
    """1[|value| <= bound]."""
    return ind(value, bound) * ind(-value, bound)


def inside(value: Term, bound: Term) -> tuple[Theorem, Theorem]:
    """0 <= 1[|value| <= bound] <= 1."""
    low = product(indicator(value, bound, 3), indicator(-value, bound, 3))
    return low, auto(le(within(value, bound), 1), indicator(value, bound, 4))


def is_inside(sides: tuple[Theorem, Theorem]) -> Theorem:
    """1[|value| <= bound] = 1 from value <= bound and -value <= bound."""
    (value, bound), (first, second) = sides[0].conclusion.args, map(at_most, sides)  # type: ignore[union-attr]
    return auto(eq(within(value, bound), 1), (ind(-value, bound), first), second)


def as_rare(factor: Term, distance: Term, sides: tuple[Theorem, Theorem], k: Term) -> Theorem:
    """P(|Y| > factor) <= P(|norm| > distance), where |above| <= factor below if norm <= distance."""
    goal = le(1 - within(ABOVE, factor * BELOW), 1 - within(NORM, distance))
    here = auto(goal, is_inside(sides), inside(NORM, distance)[1])
    there = auto(goal, (ind(-NORM, distance), not_at_most(assume(lt(distance, NORM)))))
    return mono(cases(here, there, NORM, distance), "x", law_of(k))


def farther(low: Term, high: Term, smaller: Theorem, k: Term) -> Theorem:
    """P(|Y| > high) <= P(|Y| > low) from low <= high."""
    room = auto(le(low * BELOW, high * BELOW), (below_is_positive(), smaller))
    first, second = (_more(v, low * BELOW, high * BELOW, room) for v in (ABOVE, -ABOVE))
    goal = le(1 - within(ABOVE, high * BELOW), 1 - within(ABOVE, low * BELOW))
    ends = (indicator(ABOVE, low * BELOW, 3), second), (indicator(-ABOVE, high * BELOW, 3), first)
    return mono(auto(goal, *ends), "x", law_of(k))


def _more(value: Term, low: Term, high: Term, smaller: Theorem) -> Theorem:
    """1[value <= low] <= 1[value <= high] from low <= high."""
    goal, here = le(ind(value, low), ind(value, high)), assume(le(value, low))
    inner = auto(goal, at_most(auto(le(value, high), here, smaller)))
    outer = auto(goal, not_at_most(assume(lt(low, value))))
    return cases(inner, outer, value, low)


def shown(goal: All, values: dict[str, Any], *proofs: Theorem) -> Theorem:
    """That there is what the goal says, by such values."""
    return for_all("c", instance(assume(goal.given[0]), values, *proofs), *goal.given)


def taken(known: Theorem, names: str, given: tuple[Formula, ...], p: Theorem) -> Theorem:
    """c <= 0 from what there is, and from a proof of it for all that it may be."""
    return instance(known, {}, p)


class Orders:
    """What the statement assumes, and what is said of Y."""

    def __init__(self, statement: All):
        self.near, self.vanishing, at_zero, elsewhere = map(assume, statement.given[-4:])
        self.whole, self.statement = is_a_product(at_zero, elsewhere), statement

    def of(self, last: Theorem) -> Theorem:
        """There is Y, of which the last thing is shown."""
        goal, values = self.statement.then, {"above": fn("x", ABOVE), "below": fn("x", BELOW)}
        proofs = for_all("x", below_is_positive()), for_all("x", self.whole), last
        return closed(self.statement, shown(goal, values, *proofs))  # type: ignore[arg-type]

    def rarely_far(self, factor: Term, not_negative: Theorem) -> tuple[Theorem, tuple[Formula, ...]]:
        """P(|Y| > factor) <= P(|norm| > t), from |f| <= factor weight where norm <= t."""
        given = [All(("x",), (le(NORM, t),), le(sign * F, factor * WEIGHT)) for sign in (1, -1)]
        first, second = (instance(assume(f), {}, assume(le(NORM, t))) for f in given)
        return as_rare(factor, t, is_at_most(factor, (first, second), not_negative), n), (lt(0, t), *given)

    def later(self) -> tuple[Theorem, Formula]:
        """P(|norm| > t) <= chance from some n on, as it is taken."""
        rare = All(("rounds",), (nat(n), le(since, n)), le(far(NORM, t, n), chance))
        return instance(self.vanishing, {"small": chance}, assume(lt(0, t)), assume(lt(0, chance))), rare


def little_o_of_vanishing(statement: All) -> Theorem:
    """|Y| > level only where the norm is above the number below which |f| <= level weight."""
    orders = Orders(statement)
    few, near = orders.rarely_far(level, weak(assume(lt(0, level))))
    known, rare = orders.later()
    from_here = nat(n), le(since, n)
    seldom = auto(le(far(ABOVE, level * BELOW, n), chance), few, instance(assume(rare), {}, *map(assume, from_here)))
    enough = All(("since",), (All(("rounds",), from_here, seldom.conclusion),), LAST)
    proved = instance(assume(enough), {}, seldom)
    proved = taken(known, "since", (rare,), proved)
    proved = taken(instance(orders.near, {"small": level}, assume(lt(0, level))), "t", near, proved)
    return orders.of(for_all("level chance", for_all("c", proved, enough), lt(0, level), lt(0, chance)))


def one_is_tight() -> Theorem:
    """c <= 0, if it is so where P(|Y| > most) <= chance of one variable X_m for some most >= 0.

    |Y| > k/t means that the denominator of Y is at most t, where k bounds its numerator: it is positive, so rarely.
    """
    natural, above, large = nat_nonnegative(assume(nat(n))), assume(lt(0, t)), assume(lt(t, BELOW))
    k, numerator = n + 1, assume(All(("x",), (), le(ABOVE * ABOVE, n)))
    enough = product(auto(le(0, k), natural), weak(reciprocal_positive(above)))
    sides = []
    for v in (ABOVE, -ABOVE):
        bounded = auto(le(v, k), instance(numerator), square(1 - v), natural)
        sides.append(auto(le(v, k / t * BELOW), bounded, (enough, large), (k, reciprocal(above))))
    goal = le(1 - within(ABOVE, k / t * BELOW), ind(BELOW, t))
    there = auto(goal, is_inside((sides[0], sides[1])))
    here = auto(goal, at_most(assume(le(BELOW, t))))
    few = mono(cases(here, there, BELOW, t), "x", law_of(m))
    mass, wanted = mean("x", law_of(m), ind(BELOW, t)), le(far(ABOVE, most * BELOW, m), chance)
    known = assume(All(("most",), (le(0, most), wanted), LAST))
    rare = auto(le(far(ABOVE, k / t * BELOW, m), chance), few, assume(le(mass, chance)))
    false = contradiction(assume(lt(0, c)), instance(known, {"most": k / t}, enough, rare))
    stays = cases(absurd(false, le(chance, mass)), weak(assume(lt(chance, mass))), mass, chance)
    values = {"low": chance, "A": fn("x", 1), "B": fn("x", BELOW), "X": fn("", law_of(m))}
    none = instance(rarely_small(), values, below_is_positive(), stays)
    proved = absurd(contradiction(assume(lt(0, chance)), none), LAST)
    return cases(assume(LAST), some_bound(proved, "rounds", ["x"], ABOVE * ABOVE), c, term(0))


def some_are_tight() -> Theorem:
    """c <= 0, if it is so where P(|Y| > most) <= chance of X_0, ..., X_(since - 1) for some most >= 0, for natural
    `since`: by induction, the levels added up.
    """
    more = var("more")

    def rare(bound: Term, k: Term) -> Rel:
        return le(far(ABOVE, bound * BELOW, k), chance)

    def of_first(count: Term, bound: Term) -> All:
        return All(("rounds",), (nat(n), lt(n, count)), rare(bound, n))

    def enough(count: Term) -> All:
        return All(("most",), (le(0, most), of_first(count, most)), LAST)

    claim = All(("c",), (enough(m),), LAST)
    never = absurd(contradiction(assume(lt(n, 0)), nat_nonnegative(assume(nat(n)))), rare(0 * m, n))
    none = never
    base = instance(assume(enough(term(0))), {"most": 0}, none)

    first, last, natural, one_more = assume(le(0, most)), assume(le(0, more)), assume(nat(m)), assume(nat(n))
    before, together = assume(lt(n, m)), most + more
    of_before = instance(assume(of_first(m, most)), {}, one_more, before)
    early = auto(rare(together, n), farther(most, together, auto(le(most, together), last), n), of_before)
    from_it, gap = assume(le(m, n)), nat_minus(one_more, nat_next(natural), assume(lt(n, m + 1)))
    is_m = antisymmetric(auto(le(n, m), nat_nonnegative(gap)), from_it)
    of_m = auto(rare(together, m), farther(more, together, auto(le(more, together), first), m), assume(rare(more, m)))
    late = auto(rare(together, n), of_m, same(is_m, "w", far(ABOVE, together * BELOW, var("w"))))
    each = cases(late, early, m, n)
    proved = instance(assume(enough(m + 1)), {"most": together}, auto(le(0, together), first, last), each)
    single = All(("most",), (le(0, most), rare(most, m)), LAST)
    proved = instance(for_all("", one_is_tight(), single), {}, for_all("more", proved, le(0, more), rare(more, m)))
    proved = instance(assume(claim), {}, proved)
    return induction("m", base, proved, claim)


def big_o_of_vanishing(statement: All) -> Theorem:
    """From some n on |Y| exceeds `growth` as rarely as the norm exceeds t; the variables before are tight."""
    orders, growth = Orders(statement), var("growth")
    few, near = orders.rarely_far(growth, assume(le(0, growth)))
    known, rare = orders.later()
    first, natural, start, here = assume(le(0, most)), assume(nat(m)), assume(le(since, m)), assume(nat(n))
    both = most + growth
    wanted = le(far(ABOVE, both * BELOW, n), chance)
    from_here = instance(assume(rare), {}, here, auto(le(since, n), start, assume(le(m, n))))
    late = auto(wanted, farther(growth, both, auto(le(growth, both), first), n), few, from_here)
    early_ones = All(("rounds",), (nat(n), lt(n, m)), le(far(ABOVE, most * BELOW, n), chance))
    one = instance(assume(early_ones), {}, here, assume(lt(n, m)))
    early = auto(wanted, farther(most, both, auto(le(most, both), assume(le(0, growth))), n), one)
    each = cases(late, early, m, n)
    enough = All(("growth",), (All(("rounds",), (nat(n),), le(far(ABOVE, growth * BELOW, n), chance)),), LAST)
    proved = instance(assume(enough), {"growth": both}, each)
    tight = instance(some_are_tight(), {}, natural)
    proved = instance(tight, {}, proved)
    proved = taken(known, "since", (rare,), some_natural(proved, "m", since))
    proved = taken(orders.near, "growth t", (le(0, growth), *near), proved)
    return orders.of(for_all("chance", for_all("c", proved, enough), lt(0, chance)))
