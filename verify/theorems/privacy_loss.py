"""Proofs in the kernel about the privacy loss, the logarithm of a ratio of densities."""

from __future__ import annotations

from banditproof.verify.kernel.divergences import densities, zcdp
from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.continuity import rarely_small
from banditproof.verify.theorems.hoeffding import L, half_is_less, in_the_limit

d, e, x, epsilon, delta = map(var, ("d", "e", "x", "epsilon", "delta"))
p, q = (app(name, d, e, x) for name in ("density", "other_density"))
HERE, THERE, BY = law("M", d), law("M", e), law("R", d, e)


def of_densities() -> list[Theorem]:
    """E_d g = E p g for all g, and the same of q and e."""
    return [assume(f) for f in densities(lambda data: law("M", data))]


def by_densities(facts: list[Theorem], g: Term) -> tuple[Theorem, Theorem]:
    """The means of g under both laws, by the densities."""
    return tuple(instance(f, {"g": fn("x", g)}) for f in facts)  # type: ignore[return-value]


@proof
def from_a_tail(statement: All) -> Theorem:
    """(p - r q) A is at most p - r q where r q < p, and at most 0 elsewhere, r = e^epsilon."""
    facts, tail, ratio = of_densities(), assume(statement.given[-1]), exp(epsilon)
    A = app("A", x)
    small, back = Term("ind", (p, ratio * q)), Term("ind", (q, ratio * p))
    large = 1 - small
    inside, outside = indicator(p, ratio * q, 1), indicator(p, ratio * q, 2)
    pointwise = auto(le((p - ratio * q) * A, large * (p - ratio * q)), inside, (auto(le(0, 1 - A)), outside))
    rare = auto(le(large, 1 - small * back), indicator(q, ratio * p, 4))
    of_event, of_large = by_densities(facts, A), by_densities(facts, large)
    not_negative = mono(auto(le(0, large)), "x", THERE)
    return auto(
        conclusion(statement),
        mono(pointwise, "x", BY),
        of_event[0],
        of_event[1],
        of_large[0],
        (ratio, of_large[1]),
        not_negative,
        mono(rare, "x", HERE),
        instance(tail),
    )


@proof
def to_an_excess(statement: All) -> Theorem:
    """The excess is that of the event of all outputs where p >= e^epsilon q."""
    _, given, goal = parts_of(statement.then)
    facts, private, ratio = of_densities(), assume(statement.given[-1]), exp(epsilon)
    larger = Term("ind", (ratio * q, p))
    said = instance(private, {"A": fn("x", larger)}, indicator(ratio * q, p, 0))
    here, there = by_densities(facts, larger)
    return auto(goal, said, here, (ratio, there))


@proof
def from_an_excess(statement: All) -> Theorem:
    """(p - r q) A is at most (p - r q)^+, r = e^epsilon."""
    facts, excess, ratio, A = of_densities(), assume(statement.given[-1]), exp(epsilon), app("A", x)
    inside, outside = (indicator(ratio * q, p, k) for k in (1, 2))
    pointwise = auto(
        le((p - ratio * q) * A, Term("ind", (ratio * q, p)) * (p - ratio * q)), (1 - A, inside), (A, outside)
    )
    here, there = by_densities(facts, A)
    return auto(conclusion(statement), mono(pointwise, "x", BY), here, (ratio, there), instance(excess))


@proof
def to_a_bounded_loss(statement: All) -> Theorem:
    """The law R gives no mass to the outputs with p > e^epsilon q, nor to those with q > e^epsilon p."""
    _, given, goal = parts_of(statement.then)
    (near,) = map(assume, given)
    back = instance(assume(symmetric_neighbours()))
    facts, known, ratio = of_densities(), assume(statement.given[-1]), exp(epsilon)
    rare, parts, most = [], [], All(("x",), (), le(p, M))
    for first, second, sets, edge in ((p, q, {}, near), (q, p, {"d": e, "e": d}, back)):
        small = Term("ind", (first, ratio * second))
        is_event = indicator(first, ratio * second, 0)
        large = 1 - small
        of_event = auto(eq(large * large, large), is_event)
        here, there = by_densities(facts, large)[:: 1 if first is p else -1]
        said = instance(known, {**sets, "A": fn("x", large)}, edge, of_event)
        at_most_zero = auto(le(mean("x", BY, (first - ratio * second) * large), 0), said, here, (ratio, there))
        low = auto(le(0, large))
        bounded = mono(auto(le(p * large, M * large), (low, instance(assume(most), {}))), "x", BY)
        no_mass, count = _no_mass(first, ratio * second, at_most_zero), nat_nonnegative(assume(nat(M)))
        none = auto(le(mean("x", HERE, large), 0), by_densities(facts, large)[0], bounded, (count, no_mass))
        rare.append(some_bound(none, "M_1", ["x"], p))
        parts.append((small, low))
    (first, low), (second, other) = parts
    either = mono(auto(le(1 - first * second, 2 - first - second), product(low, other)), "x", HERE)
    return auto(goal, either, *rare)


def _no_mass(left: Term, right: Term, none: Theorem) -> Theorem:
    """R(right < left) <= 0 from E (left - right) <= 0 there: R(t < left - right) is 0 for all t > 0."""
    t, excess, small = var("t"), left - right, Term("ind", (left, right))
    large, near = 1 - small, Term("ind", (excess, t))
    low = auto(le(0, large))
    beyond = auto(le(t * large * (1 - near), large * excess), (low, indicator(excess, t, 2)), indicator(left, right, 2))
    above = assume(lt(0, t))
    inverse, one = weak(reciprocal_positive(above)), reciprocal(above)
    mass, inner = mean("x", BY, large), mean("x", BY, large * near)
    whole = auto(le(t * (mass - inner), 0), mono(beyond, "x", BY), none)
    stays = auto(le(mass, inner), (inverse, whole), one)
    contrary = absurd(contradiction(assume(lt(0, large)), at_most(assume(le(left, right)))), lt(0, excess))
    positive = cases(contrary, auto(lt(0, excess), assume(lt(right, left))), left, right)
    values = {"low": mass, "A": fn("x", large), "B": fn("x", excess), "X": fn("", BY)}
    of_event = auto(eq(large * large, large), indicator(left, right, 0))
    return instance(rarely_small(), values, of_event, positive, stays)


@proof
def to_a_tail(statement: All) -> Theorem:
    """Where Z > epsilon + lambda privacy says M_d <= e^-lambda M_d + delta; below -(epsilon + lambda) this of e."""
    _, given, goal = parts_of(statement.then)
    (near,) = map(assume, given)
    back = instance(assume(symmetric_neighbours()))
    facts, private, more = of_densities(), assume(statement.given[-1]), var("margin")
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
        event = is_event
        said = instance(private, {**sets, "A": fn("x", large)}, edge, event)
        over = mono(bigger, "x", BY)
        here, there = by_densities(facts, large)
        ends.append((said, over, here, there))
    a, b = (mean("x", HERE, side[1]) for side in sides)
    below = mean("x", THERE, sides[1][1])
    first = auto(le((1 - least) * a, delta), ends[0][0], (exp(-more), ends[0][1]), ends[0][2], ends[0][3])
    moved = auto(le(ratio * b, below), ends[1][1], ends[1][2], ends[1][3])
    second = auto(le((1 - least) * below, delta), ends[1][0], moved)
    scale = weak(exp_positive(-level))
    either = mono(
        auto(
            le(1 - sides[0][0] * sides[1][0], sides[0][1] + sides[1][1]),
            product(auto(le(0, sides[0][1])), auto(le(0, sides[1][1]))),
        ),
        "x",
        HERE,
    )
    rest = auto(le(0, 1 - least), exp_monotone(auto(le(-more, 0))))
    return auto(goal, (rest, either), first, (product(scale, rest), moved), second)


@proof
def to_max_divergence(statement: All) -> Theorem:
    """Privacy of the events that are asked about, of the neighbours as they are or turned round."""
    _, given, goal = parts_of(statement.then)
    near, is_event, _ = map(assume, given)
    turned = any(key(f) == key(symmetric_neighbours()) for f in statement.given)
    private = next(f for f in statement.given if isinstance(f, All) and "A" in f.params)
    sets = {"d": e, "e": d} if turned else {}
    edge = instance(assume(symmetric_neighbours())) if turned else near
    return auto(goal, instance(assume(private), sets, edge))


@proof
def from_max_divergence(statement: All) -> Theorem:
    """An event of a probability below delta needs nothing."""
    _, _, goal = parts_of(statement.then)
    A = app("A", x)
    often, seldom = assume(le(delta, mean("x", HERE, A))), assume(le(mean("x", HERE, A), delta))
    said = instance(assume(statement.given[-1]), {}, often)
    return cases(auto(goal, said), auto(goal, seldom), delta, mean("x", HERE, A))


# ------------------------------------------------------------------------------------------------ the loss under zCDP

B, u, M, k, rho, alpha = app("B", x), app("u", x), var("M_1"), var("k"), var("rho"), var("order")


def zero_or_one(square: Theorem, left: Term, right: Term) -> Theorem:
    """left = right for a number v that is its own square, where they are the same at 0 and at 1."""
    v = square.conclusion.args[1]  # type: ignore[union-attr]
    goal = eq(*(substitute(side, {"v": v}) for side in (left, right)))
    low, high = bounds_of_event(v, square)
    small, large = assume(le(v, term(1) / 2)), assume(lt(term(1) / 2, v))
    none = antisymmetric(auto(le(v, 0), square, (low, small)), low)
    one = antisymmetric(high, auto(le(1, v), square, (auto(le(0, 1 - v)), weak(large))))
    return cases(*(auto(goal, *(same(p, "v", side) for side in (left, right))) for p in (none, one)), v, term(1) / 2)


@lemma("d e B u order")
def moments(turned: bool = False) -> Theorem:
    """E_d B e^((alpha - 1) u) <= e^((alpha - 1) alpha rho) for an event B on which e^u q <= p: by u there, -m outside.

    alpha E_d of that less (alpha - 1) E_e of it is at most the bound, and e^(alpha u) q is at most e^((alpha - 1) u) p.
    Or `turned`, with d and e exchanged.
    """
    (one, first), (other, second) = [(p, HERE), (q, THERE)][:: -1 if turned else 1]
    bound = exp((alpha - 1) * alpha * rho)
    under = All(("x",), (), le(B * exp(u) * other, B * one))
    given = neighbours(d, e), event("B"), under, lt(1, alpha)
    suppose(neighbours(d, e), event("B"), under, lt(1, alpha))
    near, is_event, under, _ = map(assume, given)
    goal = le(mean("x", first, B * exp((alpha - 1) * u)), bound)
    laws, private = of_densities()[:: -1 if turned else 1], assume(zcdp(lambda data: law("M", data), rho))
    edge = instance(assume(symmetric_neighbours())) if turned else near
    square, smaller = instance(is_event, {}), instance(under, {})
    m, v, more = k * L / alpha, var("v"), auto(le(0, alpha - 1))
    chosen = u * B - m * (1 - B)

    def power(c: Term) -> Theorem:
        """e^(c chosen) = B e^(c u) + (1 - B) e^(-c m)."""
        left = exp(c * (u * v - m * (1 - v)))
        return zero_or_one(square, left, v * exp(c * u) + (1 - v) * exp(-c * m))

    of_chosen = instance(instance(private, {"d": e, "e": d} if turned else {}, edge), {"u": fn("x", chosen)})
    rest = auto(le(0, 1 - B))
    here = auto(le(B * exp((alpha - 1) * u), exp((alpha - 1) * chosen)), power(alpha - 1), rest)
    there = auto(le(exp(alpha * chosen), B * exp(alpha * u) + exp(-k * L)), power(alpha))
    moved = auto(le(other * B * exp(alpha * u), one * B * exp((alpha - 1) * u)), smaller)
    by = [
        instance(f, {"g": fn("x", g)})
        for f, g in zip(laws, (B * exp((alpha - 1) * u), B * exp(alpha * u)), strict=True)
    ]
    X = goal.args[0] - bound
    at_k = auto(
        le(X, (alpha - 1) * exp(-k * L)),
        of_chosen,
        (alpha, mono(here, "x", first)),
        (alpha - 1, mono(there, "x", second)),
        (alpha - 1, mono(moved, "x", BY)),
        (alpha - 1, by[0]),
        (alpha - 1, by[1]),
    )
    return auto(goal, in_the_limit(X, alpha - 1, term(0), at_k, more, auto(le(0, 0))))


@proof
def moments_of_the_loss(statement: All) -> Theorem:
    return moments()


def tail_of_the_loss(statement: All) -> Theorem:
    return _tail(statement, False)


def lower_tail_of_the_loss(statement: All) -> Theorem:
    return _tail(statement, True)


@proof
def _tail(statement: All, turned: bool) -> Theorem:
    """Of order 1 + t/(2 rho), on the event that Z > rho + t; that Z < -(rho + t) is likelier under the other law."""
    _, _, goal = parts_of(statement.then)
    (one, first), (other, _) = [(p, HERE), (q, THERE)][:: -1 if turned else 1]
    far, t = var("excess"), assume(le(0, var("excess")))
    level, tilt, inverse = rho + far, far / (2 * rho), reciprocal_positive(assume(lt(0, rho)))
    small = Term("ind", (one, exp(level) * other))
    is_event = auto(eq((1 - small) * (1 - small), 1 - small), indicator(one, exp(level) * other, 0))
    reached = auto(le((1 - small) * exp(level) * other, (1 - small) * one), indicator(one, exp(level) * other, 2))
    beyond = assume(lt(0, far))
    above = auto(lt(1, 1 + tilt), product(beyond, inverse))
    values = {"B": fn("x", 1 - small), "u": fn("x", level), "order": 1 + tilt}
    bound = instance(moments(turned), values, is_event, reached, above)
    gain = far * far / (4 * rho)
    rare = le(mean("x", first, 1 - small), exp(-gain))
    proved = auto(rare, (exp(-tilt * level), bound))
    certain = same(antisymmetric(assume(le(far, 0)), t), "v", exp(-var("v") * var("v") / (4 * rho)))
    known = cases(auto(rare, certain), proved, far, term(0))
    if turned:
        moved = auto(le(p * (1 - small), exp(-level) * q * (1 - small)), reached)
        by = [instance(f, {"g": fn("x", 1 - small)}) for f in of_densities()]
        known = auto(goal, mono(moved, "x", BY), by[0], (exp(-level), by[1]), known)
    return auto(goal, known)


@proof
def mean_of_the_loss(statement: All) -> Theorem:
    """Of order 1 + h for h = 2^-k: what both sides differ by is at most h times a number."""
    _, _, inner = parts_of(statement.then)
    h = exp(-k * L)
    natural = nat_nonnegative(assume(nat(k)))
    small = exp_monotone(auto(le(-k * L, 0), (natural, auto(le(0, L), half_is_less()))))
    private = instance(assume(statement.given[-1]), {"order": 1 + h})
    bound = instance(private, {})
    rest = 1 + exp(3 * u)
    up, down = assume(le(0, u)), assume(le(u, 0))
    gap = auto(le(0, 1 - h), small)
    steep = le(exp((2 + h) * u), rest)
    where_up = auto(steep, exp_monotone(auto(le((2 + h) * u, 3 * u), (gap, up))))
    where_down = auto(steep, exp_monotone(auto(le((2 + h) * u, 0), down)))
    there = auto(
        le(exp((1 + h) * u), exp(u) + h * rest),
        exp_tangent(-h * u),
        (exp(-k * L) * exp((1 + h) * u), exp_tangent(u)),
        cases(where_up, where_down, term(0), u),
    )
    y = h * (1 + h) * rho
    once = auto(le(exp(y), 1 + y * exp(y)), exp_tangent(-y))
    square_small = auto(le(y * y, 4 * h * h * rho * rho), gap)
    most = exp_monotone(auto(le(y, 2 * rho), gap))
    C = rho + 4 * rho * rho * exp(2 * rho)
    falls = mono(exp_tangent(-u), "x", HERE)
    whole = C + mean("x", THERE, rest) + mean("x", HERE, exp(-u))
    goal = inner.then
    Y = goal.args[0] - goal.args[1]
    here = mono(exp_tangent(h * u), "x", HERE)
    scaled = auto(
        le(h * Y, h * h * whole),
        bound,
        here,
        mono(there, "x", THERE),
        once,
        (y * y, most),
        (exp(2 * rho), square_small),
        falls,
    )
    at_k = auto(le(Y, whole * h), (exp(k * L), scaled))
    return auto(goal, in_the_limit(Y, whole, term(0), at_k, auto(le(0, whole)), auto(le(0, 0))))
