"""Proofs in the kernel about divergences and private mechanisms: data processing, transport, tests, conversions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.divergences import coupling, distance_in_steps, renyi_at_distance
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.meanings import chain_to
from banditproof.verify.theorems.mechanisms import on_tests, renamed
from banditproof.verify.theorems.renyi import ABOVE_ONE, alpha, group_privacy, mean_of_exp_positive, raised, young

x, m, epsilon, rho, u = *map(var, ("x", "m", "epsilon", "rho")), app("u", var("x"))


# ------------------------------------------------------------------------------------ of two laws, by their divergence


def no_more_than_nothing(z: Term, c: Term, at_order: Theorem, positive: Theorem) -> Theorem:
    """z <= 0 from z <= (order - 1) c for all orders above 1, and 0 <= c."""
    above = assume(lt(0, z))
    more = auto(lt(0, 2 * c + 2), positive)
    t = z / (2 * c + 2)
    small = product(above, reciprocal_positive(more))
    at_t = instance(for_all("order", at_order, ABOVE_ONE), {"order": 1 + t}, auto(lt(1, 1 + t), small))
    return cases(assume(le(z, 0)), auto(le(z, 0), at_t, small, (z, reciprocal(more))), z, term(0))


def kl_of_renyi(P: Term, Q: Term, cost: Any, known: Theorem, positive: Theorem) -> Theorem:
    """D_KL(P || Q) <= cost from D_alpha(P || Q) <= alpha cost for all alpha > 1, and 0 <= cost."""
    log, middle, order = Term("log", (mean("x", Q, exp(u)),)), mean("x", P, u), assume(ABOVE_ONE)
    some = auto(lt(0, alpha), order)
    above = auto(lt(0, alpha - 1), order)
    a = (alpha - 1) / alpha
    of_order, of_rest = reciprocal(some), reciprocal(above)
    power = auto(eq(alpha * a, alpha - 1), of_order)
    numbers = {"P": fn("", P), "Q": fn("", Q), "a": a, "cost": term(cost), "p": fn("x", a * u), "q": fn("x", u)}
    raise_it = instance(raised(), numbers, order, power, instance(known, {}, order))
    most = a * log + (alpha - 1) * cost
    jensen = mono(exp_tangent(a * u - a * middle), "x", P)
    smaller = auto(le(a * middle, most), exp_tangent(a * middle - most), (exp(a * middle - most), jensen), raise_it)
    ratio = product(weak(some), weak(reciprocal_positive(above)))
    z = middle - log - cost
    at_order = auto(le(z, (alpha - 1) * cost), (ratio, smaller), of_order, of_rest)
    least = no_more_than_nothing(z, term(cost), at_order, positive)
    value = exp_log(mean_of_exp_positive("x", Q, u))
    return for_all("u", auto(kl_at_most(P, Q, cost).then, least, exp_tangent(log), value))


def kl_of_zcdp_groups(statement: All) -> Theorem:
    """Divergences of all orders above 1 are at most order rho m^2, and that of order one is no larger than any."""
    statement = renamed(statement, k="m")
    names, given, _ = parts_of(statement.then)
    (chain,) = map(assume, given)
    cost = rho * m * m
    nonnegative = assume(le(0, rho))
    every = zcdp_groups(assume(statement.given[-1]), assume(nat(m)))
    known = for_all("order", instance(every, {}, chain, assume(ABOVE_ONE)), ABOVE_ONE)
    positive = product(product(nonnegative, nat_nonnegative(assume(nat(m)))), nat_nonnegative(assume(nat(m))))
    laws = law("M", app("data", 0)), law("M", app("data", m))
    return closed(statement, for_all(names, kl_of_renyi(*laws, cost, known, positive), *given))


def zcdp_groups(private: Theorem, natural: Theorem) -> Theorem:
    """D_alpha(M_data(0) || M_data(m)) <= alpha rho m^2 for all chains and orders: the theorem on groups."""
    goal = renyi_at_distance(lambda d: law("M", d), m, lambda order: order * rho * m * m)
    groups = group_privacy(All((), (natural.conclusion, private.conclusion), goal))
    return instance(groups, {}, natural, private)


# ------------------------------------------------------------------------------------------------- pure privacy: ratios


G = app("g", x)
NOT_NEGATIVE = All(("x",), (), le(0, G))


def at(d: Any) -> Term:
    return law("M", d)


def ratio_of_means(private: Theorem, near: Theorem, d: Term, e: Term) -> Theorem:
    """E_M(d) g <= e^epsilon E_M(e) g for all bounded g >= 0 of the output: g over its bound is a test."""
    b, low, high = var("b"), assume(NOT_NEGATIVE), assume(All(("x",), (), le(G, var("b"))))
    somewhere = (instance(f, {"x": term(0)}) for f in (low, high))
    more = auto(lt(0, b + 1), *somewhere)
    inverse, one = reciprocal_positive(more), reciprocal(more)
    at_least = product(instance(low), weak(inverse))
    at_most = auto(le(G / (b + 1), 1), (inverse, instance(high)), inverse, one)
    laws, sets = (at(d), at(e)), {"d": d, "e": e}
    test = on_tests(private, laws, epsilon, 0, "x", G / (b + 1), sets, [near], at_least, at_most)
    left, right = (mean("x", one_law, G) for one_law in laws)
    goal = le(left, exp(epsilon) * right)
    proved = auto(goal, (more, test), (left, one), (exp(epsilon) * right, one))
    return for_all("g", some_bound(proved, "b", ["x"], G), NOT_NEGATIVE)


def ratio_of_groups(private: Theorem, natural: Theorem, chain: Theorem) -> Theorem:
    """E_M(data(0)) g <= e^(m epsilon) E_M(data(m)) g for all bounded g >= 0, where data(0), ... are neighbours."""
    n = var("n")
    first, here, after = (mean("x", at(app("data", i)), G) for i in (term(0), n, n + 1))
    claim = All(("g",), (le(n, m), NOT_NEGATIVE), le(first, exp(n * epsilon) * here))
    base = auto(le(first, exp(0 * epsilon) * first))
    pn, enough, low = assume(nat(n)), assume(le(n + 1, m)), assume(NOT_NEGATIVE)
    near = instance(chain, {"i": n}, pn, auto(lt(n, m), enough))
    step = instance(ratio_of_means(private, near, app("data", n), app("data", n + 1)), {}, low)
    before = instance(assume(claim), {}, auto(le(n, m), enough), low)
    proved = auto(le(first, exp((n + 1) * epsilon) * after), before, (exp(n * epsilon), step))
    at_m = instance(instance(induction("n", base, proved, claim), {"n": m}, natural), {}, low)
    return for_all("g", at_m, NOT_NEGATIVE)


def kl_of_pure(private: Theorem, natural: Theorem, chain: Theorem) -> Theorem:
    """D_KL(M_data(0) || M_data(m)) <= epsilon m: e^u is at most e^(m epsilon) times as large in the mean."""
    P, Q = at(app("data", 0)), at(app("data", m))
    grown = instance(ratio_of_groups(private, natural, chain), {"g": fn("x", exp(u))})
    below = mono(exp_tangent(u - m * epsilon), "x", P)
    goal = kl_at_most(P, Q, epsilon * m).then
    return for_all("u", auto(goal, below, (exp(-m * epsilon), grown)))


def kl_of_pure_groups(statement: All) -> Theorem:
    """The ratio of means over m steps, and e^t >= 1 + t."""
    statement = renamed(statement, k="m")
    names, given, _ = parts_of(statement.then)
    (chain,) = map(assume, given)
    proved = kl_of_pure(assume(statement.given[-1]), assume(nat(m)), chain)
    return closed(statement, for_all(names, proved, *given))


# ------------------------------------------------------------------------------------------------------------ transport


def transport_of_pure(statement: All) -> Theorem:
    """epsilon-DP: what groups of the distance's size allow."""
    private = assume(statement.given[-1])
    return _transport(statement, kl_of_pure(private, assume(nat(m)), assume(chain_to(m))), lambda far: epsilon * far)


def transport_of_zcdp(statement: All) -> Theorem:
    """rho-zCDP: what groups of the distance's size allow."""
    every = zcdp_groups(assume(statement.given[-1]), assume(nat(m)))
    known = for_all("order", instance(every, {}, assume(chain_to(m)), assume(ABOVE_ONE)), ABOVE_ONE)
    nonnegative, count = assume(le(0, rho)), nat_nonnegative(assume(nat(m)))
    laws, positive = (at(app("data", 0)), at(app("data", m))), product(product(nonnegative, count), count)
    return _transport(statement, kl_of_renyi(*laws, rho * m * m, known, positive), lambda far: rho * far * far)


@proof
def _transport(statement: All, of_groups: Theorem, cost: Callable[[Term], Term]) -> Theorem:
    """The mean over a coupling of what groups allow, u being the same function of the output for all pairs."""
    z = var("z")
    d, e = app("first", z), app("second", z)
    far, C = app("distance", d, e), law("C")
    steps = [assume(f) for f in distance_in_steps()]
    natural, begins, ends = (instance(f) for f in steps[:3])
    way = {"data": fn("i", app("way", z, var("i"))), "m": far}
    here = instance(for_all("data m", of_groups, nat(m), chain_to(m)), way, natural, _steps_between(steps[3], far))
    here = instance(here, {})
    left, right = mean("x", at(var("s")), u), mean("x", at(var("s")), exp(u))
    pair = auto(
        le(_with(left, d) - _with(right, e) + 1, cost(far)), here, same(begins, "s", left), same(ends, "s", right)
    )
    averaged = mono(pair, "z", C)
    marginals = [assume(f) for f in coupling(C, law("P"), law("Q"))]
    moved = [instance(f, {"g": fn("s", t)}) for f, t in zip(marginals, (left, right), strict=True)]
    goal = statement.then
    assert isinstance(goal, All)
    return auto(goal.then, averaged, *moved)


def _with(t: Term, point: Term) -> Term:
    return substitute(t, {"s": point})


def _steps_between(steps: Theorem, far: Term) -> Theorem:
    """way(z, 0), way(z, 1), ... are neighbours one by one, as a chain."""
    given = nat(var("i")), lt(var("i"), far)
    return for_all("i", instance(steps, {}, *map(assume, given)), *given)


# -------------------------------------------------------------------------------------------- f-divergences


V, W = app("v", x), app("w", x)


def lines_below(f: str, v: Term, w: Term, point: str) -> All:
    """v t + w <= f(t) for all t > 0 and values of the point."""
    t = var("t")
    return All((point, "t"), (lt(0, t),), le((v * t + w) * app(f, t, 1), app(f, t, 0)))


@proof
def data_processing(statement: All) -> Theorem:
    """The mean of lines below f is a line below f."""
    divergence, (_, given, goal) = assume(statement.given[-1]), parts_of(statement.then)
    channel = law("channel", x)
    v, w = (mean("y", channel, app(name, var("y"))) for name in "vw")
    (below,) = map(assume, given)
    t = var("t")
    line = mono(instance(below, {"x": var("y")}, assume(lt(0, t))), "y", channel)
    lines = auto(lines_below("f", v, w, "x").then, line)
    return auto(goal, instance(divergence, {"v": fn("x", v), "w": fn("x", w)}, lines))


@proof
def processed_kl(statement: All) -> Theorem:
    """For KL the function of the input is log E e^u, at least E u."""
    channel, after = law("channel", x), app("u", var("y"))
    divergence, goal = assume(statement.given[-1]), parts_of(statement.then)[2]
    whole, middle = mean("y", channel, exp(after)), mean("y", channel, after)
    log = Term("log", (whole,))
    jensen = mono(exp_tangent(after - log), "y", channel)
    value = exp_log(mean_of_exp_positive("y", channel, after))
    below = mono(auto(le(middle, log), jensen, (exp(-log), value)), "x", law("P"))
    return auto(goal, instance(divergence, {"u": fn("x", log)}), below, mono(value, "x", law("Q")))


def conditioning(statement: All) -> Theorem:
    """Lines that do not depend on the input are some of those for each input: at each they are below its divergence."""
    return _below_the_mean(statement, law("P", var("z")), law("Q", var("z")), [])


def coupled(statement: All) -> Theorem:
    """The same for a pair of data sets as the input, whose parts have the laws of the data."""
    marginals = [assume(f) for f in coupling(law("C"), law("P"), law("Q"))]
    return _below_the_mean(statement, at(app("first", var("z"))), at(app("second", var("z"))), marginals)


@proof
def _below_the_mean(statement: All, P: Term, Q: Term, marginals: list[Theorem]) -> Theorem:
    bound, goal = assume(statement.given[-1]), conclusion(statement)
    value = mean("x", P, V) + mean("x", Q, W)
    (lower,) = parts_of(bound.conclusion)[1]
    _, (known,), _ = parts_of(lower)
    averaged = instance(bound, {"g": fn("z", value)}, instance(assume(known)))
    values = (mean("x", at(var("s")), t) for t in (V, W))
    moved = [instance(f, {"g": fn("s", t)}) for f, t in zip(marginals, values, strict=False)]
    return auto(goal, averaged, *moved)


# -------------------------------------------------------------------------------------------------------------- testing


@proof
def of_tests(statement: All) -> Theorem:
    """Both inequalities are the definition at an event: not to reject, or, of the neighbours swapped, to reject."""
    _, given, goal = parts_of(statement.then)
    near, is_event = map(assume, given)
    private, A = assume(statement.given[-1]), app("A", x)
    idempotent = instance(is_event)
    whole = {"A": fn("x", 1 - A)}, for_all("x", auto(eq((1 - A) * (1 - A), 1 - A), idempotent))
    if (swap := symmetric_neighbours()) in statement.given:
        swapped = {"d": var("e"), "e": var("d")}
        proved = instance(private, swapped, instance(assume(swap)))
    else:
        proved = instance(private, whole[0])
    return auto(goal, proved)


@proof
def from_tests(statement: All) -> Theorem:
    """The definition at an event is the inequality of the test that rejects outside of it."""
    tests, A = assume(statement.given[-1]), app("A", x)
    return auto(conclusion(statement), instance(tests, {"A": fn("x", 1 - A)}))


# ------------------------------------------------------------------------------------------- from zCDP to (eps, delta)


def powers_of_event(A: Term, idempotent: Theorem, c: Term, positive: Theorem) -> tuple[Theorem, Theorem]:
    """1 + (e^c - 1) A <= e^(c A) <= 1 + (e^c - 1) A for c >= 0, since A is 0 or 1."""
    low, high = bounds_of_event(A, idempotent)
    half, power, line = term(1) / 2, exp(c * A), 1 + (exp(c) - 1) * A
    small, large = assume(le(A, half)), assume(le(half, A))
    nothing = auto(le(A, 0), (low, small), idempotent)
    everything = auto(le(1, A), (auto(le(0, 1 - A)), large), idempotent)
    grown = auto(le(0, exp(c) - 1), exp_tangent(c), positive)
    of_nothing = exp_monotone(auto(le(c * A, 0), (positive, nothing)))
    of_all = exp_monotone(auto(le(c * A, c), (positive, high)))
    from_all = exp_monotone(auto(le(c, c * A), (positive, everything)))
    from_nothing = auto(le(1, power), exp_tangent(c * A), (positive, low))
    lower = cases(
        auto(le(line, power), from_nothing, (grown, nothing)), auto(le(line, power), from_all, (grown, high)), A, half
    )
    upper = cases(
        auto(le(power, line), of_nothing, (grown, low)), auto(le(power, line), of_all, (grown, everything)), A, half
    )
    return lower, upper


@proof
def approximate_of_zcdp(statement: All) -> Theorem:
    """u = budget A and the order 1 + root/rho; for rho = 0 a small u of order 2, for root = 0 delta is 1."""
    _, given, goal = parts_of(statement.then)
    _, is_event = map(assume, given)
    delta, root, A = var("delta"), var("root"), app("A", x)
    log, budget = Term("log", (1 / delta,)), rho + 2 * root
    positive, no_less = assume(lt(0, delta)), assume(le(0, rho))
    value = exp_log(reciprocal_positive(positive))
    back = auto(eq(exp(-log), delta), (exp(-log) * delta, value))
    laws, idempotent = (at(var("d")), at(var("e"))), instance(is_event)
    low, high = bounds_of_event(A, idempotent)
    p, q = (mean("x", one, A) for one in laws)
    p_high, (q_low, q_high) = mono(high, "x", laws[0]), (mono(f, "x", laws[1]) for f in (low, high))
    private = assume(statement.given[-1])

    def at_order(order: Term, above: Theorem, c: Term, positive_c: Theorem) -> tuple[Theorem, list[Fact]]:
        """What the divergence of this order says of u = c A, and bounds of its two means."""
        here = instance(instance(private, {"order": order}, above), {"u": fn("x", c * A)})
        rest, whole = auto(le(0, order - 1), above), auto(le(0, order), above)
        lower, _ = powers_of_event(A, idempotent, (order - 1) * c, product(rest, positive_c))
        _, upper = powers_of_event(A, idempotent, order * c, product(whole, positive_c))
        return here, [(whole, mono(lower, "x", laws[0])), (rest, mono(upper, "x", laws[1]))]

    # rho = 0: with e^c = 1 + 2 delta the order 2 gives P(A) <= (1 + delta) Q(A)
    none = assume(le(rho, 0))
    c, of_c = Term("log", (1 + 2 * delta,)), exp_log(auto(lt(0, 1 + 2 * delta)))
    shrinks = auto(le(0, c), exp_tangent(-c), (exp(-c), of_c))
    second, bounds = at_order(term(2), auto(lt(1, 2)), c, shrinks)
    nothing = exp_monotone(auto(le(2 * rho, 0), none))
    grown = [(exp(c) * q, of_c), ((1 + 2 * delta) * q, of_c), (p, of_c)]
    scaled = auto(le(4 * delta * p, 4 * delta * (1 + delta) * q), second, *bounds, nothing, *grown)
    budget_low = auto(le(1, exp(budget)), exp_tangent(budget))
    at_zero = auto(goal, (1 / delta, scaled), q_high, budget_low)

    # root = 0: then delta = 1
    some, no_root = assume(lt(0, rho)), assume(le(root, 0))
    i, of_rho = reciprocal_positive(some), reciprocal(some)
    no_square = auto(le(root * root, 0), no_root)
    whole = auto(le(1, delta), exp_tangent(-log), (i, no_square), of_rho, back)
    trivial = auto(goal, p_high, whole)

    # else the order is 1 + root/rho
    root_positive = assume(lt(0, root))
    step = product(root_positive, i)
    order = 1 + root / rho
    above, b_low = auto(lt(1, order), step), auto(le(0, budget))
    main, bounds = at_order(order, above, budget, b_low)
    first, last = (order - 1) * budget, exp((order - 1) * order * rho)
    of_last = exp_equal(auto(eq((order - 1) * order * rho, first - log), of_rho))
    rest, whole_order = weak(auto(lt(0, order - 1), step)), auto(lt(0, order), above)
    last_low = auto(le(1, last), exp_tangent((order - 1) * order * rho), (product(rest, weak(whole_order)), no_less))
    scale = exp(first)
    scaled = auto(
        le(order * scale * p, order * scale * exp(budget) * q + order * scale * delta),
        main,
        *bounds,
        (whole_order, p_high),
        (rest, last_low),
        (rest, q_low),
        of_last,
        back,
    )
    of_order = reciprocal(whole_order)
    smaller = product(weak(reciprocal_positive(whole_order)), weak(exp_positive(-first)))
    general = auto(goal, (smaller, scaled), of_order)

    return cases(at_zero, cases(trivial, general, root, term(0)), rho, term(0))


# ------------------------------------------------------------------------------------------------ from eps-DP to zCDP


def no_loss(goal: Rel, private: Theorem, near: Theorem) -> Theorem:
    """The same where epsilon is 0: E_d g <= E_e g for g = alpha e^((alpha - 1) u), of which E_e g is left."""
    nothing = antisymmetric(assume(le(epsilon, 0)), assume(le(0, epsilon)))
    grown, law_of_e = alpha * exp((alpha - 1) * u), at(var("e"))
    moved = instance(ratio_of_means(private, near, var("d"), var("e")), {"g": fn("x", grown)})
    one, right = (same(nothing, "t", substitute(side, {"epsilon": var("t")})) for side in (exp(epsilon), goal.args[-1]))
    return auto(goal, moved, (mean("x", law_of_e, grown), one), right, mono(young(u), "x", law_of_e))


@proof
def moments_of_pure(statement: All) -> Theorem:
    """Means of e^((alpha - 1) u) grow by a factor e^epsilon at most; then Young's inequality at u - epsilon."""
    _, given, goal = parts_of(statement.then)
    near, private = assume(given[0]), assume(statement.given[-1])
    d, e, F = var("d"), var("e"), exp((alpha - 1) * u)
    upper = instance(ratio_of_means(private, near, d, e), {"g": fn("x", F)})
    below = le(alpha * exp(epsilon) * F, (alpha - 1) * exp(alpha * u) + exp(alpha * epsilon))
    young_at_budget = auto(below, (exp(alpha * epsilon), young(u - epsilon)))
    return auto(goal.then, (alpha, upper), mono(young_at_budget, "x", at(e)))


@proof
def randomised_response_is_worst(statement: All) -> Theorem:
    """t^alpha lies below its chord over [1/r, r], r = e^epsilon, and the ratio of the laws has mean one.

    Of t w^(alpha - 1) alpha - (alpha - 1) w^alpha <= t^alpha, w = e^u, this is said at the two ends, where t is linear.
    """
    _, given, goal = parts_of(statement.then)
    near, budget = assume(given[0]), assume(lt(0, epsilon))
    private, swap = assume(statement.given[-1]), assume(symmetric_neighbours())
    d, e, r = var("d"), var("e"), exp(epsilon)
    apart = auto(lt(0, r - 1), exp_tangent(epsilon), budget)
    wide = auto(lt(0, 1 + r))
    of_apart, of_wide = reciprocal(apart), reciprocal(wide)
    rise = (exp(alpha * epsilon) - exp(-alpha * epsilon)) * r / (1 + r)
    slope = rise / (r - 1)
    constant = exp(alpha * epsilon) - slope * r
    F, H = alpha * exp((alpha - 1) * u) - slope, (alpha - 1) * exp(alpha * u) + constant
    top_is_chord = auto(
        eq(constant + slope / r, exp(-alpha * epsilon)), (exp(-epsilon) * rise * (r + 1), of_apart), of_wide
    )
    at_bottom = auto(le(F / r, H), young(u + epsilon), top_is_chord)
    i = Term("ind", (term(0), F))
    of_i = [indicator(term(0), F, k) for k in range(5)]
    rest = auto(le(0, 1 - i))
    chord = auto(le(r * F * i + F * (1 - i) / r, H), young(u - epsilon), (rest, at_bottom))
    up, down = for_all("x", auto(le(0, F * i), of_i[1])), for_all("x", auto(le(0, -F * (1 - i)), of_i[2]))
    laws = at(d), at(e)
    upper = instance(ratio_of_means(private, near, d, e), {"g": fn("x", F * i)}, up)
    back = instance(swap)
    lower = instance(ratio_of_means(private, back, e, d), {"g": fn("x", -F * (1 - i))}, down)
    mean_of_chord = mono(chord, "x", laws[1])
    ends = auto(eq(constant + slope, (exp(alpha * epsilon) + exp((1 - alpha) * epsilon)) / (1 + r)), of_apart, of_wide)
    return cases(
        no_loss(goal.then, private, near),
        auto(goal.then, upper, (exp(-epsilon), lower), mean_of_chord, ends),
        epsilon,
        term(0),
    )
