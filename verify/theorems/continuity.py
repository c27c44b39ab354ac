"""Proofs in the kernel that a law is continuous: what is positive is rarely small.

The kernel has no rule for limits of events. It has Fubini's theorem, which no law satisfies that is not continuous.
"""

from __future__ import annotations

from banditproof.verify.kernel.language import *

x, y, n, low, t, until, gap = map(var, ("x", "y", "n", "low", "t", "until", "gap"))
X = law("X")


def A(point: Term) -> Term:
    return app("A", point)


def B(point: Term) -> Term:
    return app("B", point)


def below(level: Term) -> Term:
    """P(A and B <= level)."""
    return mean("x", X, A(x) * ind(B(x), level))


POSITIVE = All(("x",), (lt(0, A(x)),), lt(0, B(x)))
STAYS = All(("t",), (lt(0, t),), le(low, below(t)))
CLOSE = All(("t",), (lt(0, t), lt(t, until)), le(below(until), below(t) + gap))


def bounds(point: Term) -> tuple[Theorem, Theorem]:
    """0 <= A <= 1 at a point."""
    return bounds_of_event(A(point), instance(assume(event("A")), {"x": point}))


def nothing(point: Term) -> Theorem:
    """A = 0 where A <= 0."""
    return antisymmetric(assume(le(A(point), 0)), bounds(point)[0])


def is_positive(point: Term) -> Theorem:
    """0 < B where 0 < A."""
    return instance(assume(POSITIVE), {"x": point}, assume(lt(0, A(point))))


@once
def squared() -> Theorem:
    """low^2 <= gap, where P(A and B <= t) is at least low for all t, and close to that for t = until below until.

    By Fubini's theorem for two points x and y of A with B(x) <= B(y) <= until: given y, the chance of x is at least
    low; given x, that of y is at most P(A and B <= until) - P(A and B <= B(x)/2).
    """
    small, order = ind(B(y), until), ind(B(x), B(y))
    chance = mean("x", X, A(x) * order)
    goal = le(low * A(y) * small, A(y) * small * chance)
    likely = instance(assume(STAYS), {"t": B(y)}, is_positive(y))
    weight = product(bounds(y)[0], indicator(B(y), until, 3))
    given_y = cases(auto(goal, (small * (chance - low), nothing(y))), auto(goal, (weight, likely)), A(y), term(0))

    chance, not_negative = mean("y", X, A(y) * small * order), assume(le(0, gap))
    goal = le(A(x) * chance, gap)
    rare = cases(_inside(small, order), _outside(small, order), B(x), until)
    (above, most), at_zero = bounds(x), auto(goal, (chance, nothing(x)), not_negative)
    given_x = cases(at_zero, auto(goal, (above, rare), (auto(le(0, 1 - A(x)), most), not_negative)), A(x), term(0))

    turned = fubini("y", X, "x", X, A(x) * A(y) * small * order)
    least = assume(le(0, low)), instance(assume(STAYS), {"t": until}, assume(lt(0, until)))
    return auto(le(low * low, gap), mono(given_y, "y", X), mono(given_x, "x", X), turned, least)


def _inside(small: Term, order: Term) -> Theorem:
    """P(A(y) and B(x) <= B(y) <= until) <= gap for 0 < B(x) <= until: then B(y) is not below B(x)/2."""
    half, positive = B(x) / 2, is_positive(x)
    less, large = auto(lt(half, B(x)), positive), assume(lt(half, B(y)))
    goal, inner = le(small * order, small - ind(B(y), half)), assume(le(B(y), half))
    here = auto(
        goal,
        (small, not_at_most(auto(lt(B(y), B(x)), inner, less))),
        at_most(auto(le(B(y), until), inner, less, assume(le(B(x), until)))),
    )
    there = auto(goal, not_at_most(large), (ind(B(y), until), indicator(B(x), B(y), 4)))
    pointwise = cases(here, there, B(y), half)
    every = mono(
        auto(le(A(y) * small * order, A(y) * small - A(y) * ind(B(y), half)), (bounds(y)[0], pointwise)), "y", X
    )
    close = instance(
        assume(CLOSE), {"t": half}, auto(lt(0, half), positive), auto(lt(half, until), less, assume(le(B(x), until)))
    )
    return auto(le(mean("y", X, A(y) * small * order), gap), every, close)


def _outside(small: Term, order: Term) -> Theorem:
    """The same for until < B(x): nothing is between."""
    beyond, inner = assume(lt(until, B(x))), assume(le(B(y), until))
    goal = le(small * order, 0)
    here = auto(goal, (small, not_at_most(auto(lt(B(y), B(x)), inner, beyond))))
    there = auto(goal, (order, not_at_most(assume(lt(until, B(y))))))
    none = mono(auto(le(A(y) * small * order, 0), (bounds(y)[0], cases(here, there, B(y), until))), "y", X)
    return auto(le(mean("y", X, A(y) * small * order), gap), none, assume(le(0, gap)))


@lemma("low A B X", event("A"), POSITIVE, STAYS)
def rarely_small() -> Theorem:
    """low <= 0 from low <= P(A and B <= t) for all t > 0, if B > 0 on the event A: this tends to 0 with t.

    Else let gap be low^2/2. P(A and B <= t) cannot fall by gap again and again, so for some t it is close to what it is
    below t: by induction over how often gap fits into it.
    """
    above, floor = assume(lt(0, low)), assume(STAYS)
    step = low * low / 2
    claim = All(("until",), (lt(0, until), le(below(until), n * step)), le(low, 0))
    start, room = assume(lt(0, until)), assume(le(below(until), (n + 1) * step))
    at_zero = auto(le(low, 0), instance(floor, {"t": until}, start), assume(le(below(until), 0 * step)))
    base = at_zero

    close = le(below(until), below(t) + step)
    fallen = assume(lt(below(t) + step, below(until)))
    lower = instance(assume(claim), {"until": t}, assume(lt(0, t)), auto(le(below(t), n * step), weak(fallen), room))
    contrary = absurd(contradiction(above, lower), close)
    near = cases(assume(close), contrary, below(until), below(t) + step)
    proved = for_all("gap until", squared(), le(0, gap), lt(0, until), CLOSE)
    proved = instance(proved, {"gap": step}, start, near)
    proved = instance(for_all("", proved, le(0, low)), {}, above)
    next_one = absurd(contradiction(proved, product(above, above)), le(low, 0))

    reach = 1 / step
    whole = product(above, auto(lt(0, low / 2), above))
    times, one = assume(le(reach, n)), reciprocal(auto(lt(0, step), whole))
    most = mono(auto(le(A(x) * ind(B(x), term(1)), 1), bounds(x)[1]), "x", X)
    enough = auto(le(below(term(1)), n * step), most, (step, times), one)
    last = instance(induction("n", base, next_one, claim, at=n), {"until": term(1)}, enough)
    contrary = some_natural(last, "n", reach)
    return cases(assume(le(low, 0)), contrary, low, term(0))
