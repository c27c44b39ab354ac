"""Proofs in the kernel about the privacy loss, the logarithm of a ratio of densities."""

from __future__ import annotations

from banditproof.paper_checks.shared.kernel_proofs import app, bounds_of_event, law, parts_of
from banditproof.verify.kernel.divergences import densities
from banditproof.verify.kernel.meanings import exp, symmetric_neighbours
from banditproof.verify.kernel.rules import Theorem, assume, cases, eq, exp_positive, indicator, le, lt, mean, mono
from banditproof.verify.kernel.tactics import auto, closed, exp_monotone, fn, for_all, instance, product, weak
from banditproof.verify.kernel.terms import All, Term, key, var

d, e, x, epsilon, delta = map(var, ("d", "e", "x", "epsilon", "delta"))
p, q = (app(name, d, e, x) for name in ("density", "other_density"))
HERE, THERE, BY = law("M", d), law("M", e), law("R", d, e)


def of_densities(statement: All) -> list[Theorem]:
    """E_d g = E p g for all g, and the same of q and e."""
    return [assume(f) for f in densities(lambda data: law("M", data))]


def by_densities(facts: list[Theorem], g: Term) -> tuple[Theorem, Theorem]:
    """The means of g under both laws, by the densities."""
    return tuple(instance(f, {"g": fn("x", g)}) for f in facts)  # type: ignore[return-value]


def from_a_tail(statement: All) -> Theorem:
    """(p - r q) A is at most p - r q where r q < p, and at most 0 elsewhere, r = e^epsilon."""
    names, given, goal = parts_of(statement.then)
    near, is_event = map(assume, given)
    facts, tail, ratio = of_densities(statement), assume(statement.given[-1]), exp(epsilon)
    A = app("A", x)
    low, high = bounds_of_event(A, instance(is_event, {"x": x}))
    small, back = Term("ind", (p, ratio * q)), Term("ind", (q, ratio * p))
    large = 1 - small
    inside, outside = indicator(p, ratio * q, 1), indicator(p, ratio * q, 2)
    pointwise = auto(
        le((p - ratio * q) * A, large * (p - ratio * q)), (low, inside), (auto(le(0, 1 - A), high), outside)
    )
    rare = auto(le(large, 1 - small * back), (indicator(p, ratio * q, 3), indicator(q, ratio * p, 4)))
    of_event, of_large = by_densities(facts, A), by_densities(facts, large)
    not_negative = mono(auto(le(0, large), indicator(p, ratio * q, 4)), "x", THERE)
    found = auto(
        goal,
        mono(pointwise, "x", BY),
        of_event[0],
        (ratio, of_event[1]),
        of_large[0],
        (ratio, of_large[1]),
        (weak(exp_positive(epsilon)), not_negative),
        mono(rare, "x", HERE),
        instance(tail, {}, near),
    )
    return closed(statement, for_all(names, found, *given))


def to_a_tail(statement: All) -> Theorem:
    """Where Z > epsilon + lambda privacy says M_d <= e^-lambda M_d + delta; below -(epsilon + lambda) this of e."""
    names, given, goal = parts_of(statement.then)
    (near,) = map(assume, given)
    back = instance(assume(symmetric_neighbours()), {}, near)
    facts, private, more = of_densities(statement), assume(statement.given[-1]), var("margin")
    level = epsilon + more
    ratio, least = exp(level), exp(-more)
    sides = []
    for first, second in ((p, q), (q, p)):
        small = Term("ind", (first, ratio * second))
        large = 1 - small
        is_event = auto(eq(large * large, large), indicator(first, ratio * second, 0))
        sides.append((small, large, is_event, indicator(first, ratio * second, 2)))
    ends = []
    for k, (sets, edge) in enumerate((({}, near), ({"d": e, "e": d}, back))):
        small, large, is_event, bigger = sides[k]
        event = for_all("x", is_event)
        said = instance(private, {**sets, "A": fn("x", large)}, edge, event)
        over = mono(bigger, "x", BY)
        here, there = by_densities(facts, large)
        ends.append((said, over, here, there))
    a, b = (mean("x", HERE, side[1]) for side in sides)
    below = mean("x", THERE, sides[1][1])
    positive = weak(exp_positive(-more))
    first = auto(
        le((1 - least) * a, delta), ends[0][0], (positive, ends[0][1]), (least, ends[0][2]), (exp(epsilon), ends[0][3])
    )
    moved = auto(le(ratio * b, below), ends[1][1], (ratio, ends[1][2]), ends[1][3])
    second = auto(le((1 - least) * below, delta), ends[1][0], (positive, moved))
    scale = weak(exp_positive(-level))
    either = mono(
        auto(
            le(1 - sides[0][0] * sides[1][0], sides[0][1] + sides[1][1]),
            product(
                auto(le(0, sides[0][1]), indicator(p, ratio * q, 4)),
                auto(le(0, sides[1][1]), indicator(q, ratio * p, 4)),
            ),
        ),
        "x",
        HERE,
    )
    rest = auto(le(0, 1 - least), exp_monotone(auto(le(-more, 0), assume(lt(0, more)))))
    found = auto(goal, (rest, either), first, (product(scale, rest), moved), (scale, second))
    return closed(statement, for_all(names, found, *given))


def to_max_divergence(statement: All) -> Theorem:
    """Privacy of the events that are asked about, of the neighbours as they are or turned round."""
    names, given, goal = parts_of(statement.then)
    near, is_event, _ = map(assume, given)
    turned = any(key(f) == key(symmetric_neighbours()) for f in statement.given)
    private = next(f for f in statement.given if isinstance(f, All) and "A" in f.params)
    sets = {"d": e, "e": d} if turned else {}
    edge = instance(assume(symmetric_neighbours()), {}, near) if turned else near
    return closed(statement, for_all(names, auto(goal, instance(assume(private), sets, edge, is_event)), *given))


def from_max_divergence(statement: All) -> Theorem:
    """An event of a probability below delta needs nothing."""
    names, given, goal = parts_of(statement.then)
    near, is_event = map(assume, given)
    A = app("A", x)
    often, seldom = assume(le(delta, mean("x", HERE, A))), assume(le(mean("x", HERE, A), delta))
    said = instance(assume(statement.given[-1]), {}, near, is_event, often)
    low = mono(bounds_of_event(A, instance(is_event, {"x": x}))[0], "x", THERE)
    rare = auto(goal, seldom, (weak(exp_positive(epsilon)), low))
    either = cases(auto(goal, said), rare, delta, mean("x", HERE, A))
    return closed(statement, for_all(names, either, *given))
