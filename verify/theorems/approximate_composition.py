"""Proofs in the kernel of advanced composition for (epsilon, delta), by induction over the mechanisms.

No law is split into a part that is close and a rest. What is kept is how far two tests F and G of the outputs so far
are apart, for every price e^t: F <= e^t G + e^(m - s t) + kappa. One more mechanism adds s (1 + s) epsilon^2/2 to m, as
randomised response does, and delta to kappa.
"""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.meanings import close, private, whatever_came_before
from banditproof.verify.theorems.advanced_composition import in_turn, of_randomised_response, of_two_values
from banditproof.verify.theorems.mechanisms import SETS, Outputs, adaptive_composition, on_tests

NAMES = "x h d e y n k m s t c epsilon delta near_one far_one cut most kappa total root budget slack"
x, h, d, e, y, n, k, m, s, t, c, epsilon, delta, near_one, far_one, cut, most, kappa, total, root, budget, slack = map(
    var, NAMES.split()
)
P, Q, r = law("P"), law("Q"), exp(epsilon)
F, G, V = app("F", x), app("G", x), app("V", x)


def on_events(P: Term, Q: Term) -> All:
    return All(("A",), (event("A"),), close(P, Q, epsilon, delta))


def everywhere(f: Rel) -> All:
    return All(("x",), (), f)


LEAK, PRICE = le(0, delta), lt(0, c)
TESTS = tuple(map(everywhere, (le(0, F), le(F, 1), le(0, G))))


@lemma("P Q epsilon delta V most", on_events(P, Q), LEAK, le(0, most), everywhere(le(0, V)), everywhere(le(V, most)))
def on_bounded() -> Theorem:
    """E_P V <= e^epsilon E_Q V + most delta for 0 <= V <= most."""
    low, high = (instance(assume(everywhere(f))) for f in (le(0, V), le(V, most)))
    goal = le(mean("x", P, V), r * mean("x", Q, V) + most * delta)
    room = assume(lt(0, most))
    back, test = reciprocal_positive(room), V / most
    bounds = product(low, weak(back)), auto(le(test, 1), (back, high), reciprocal(room))
    tested = on_tests(assume(on_events(P, Q)), (P, Q), epsilon, delta, "x", test, {}, [], *bounds)
    some = auto(goal, (weak(room), tested), reciprocal(room))
    nothing = auto(goal, mono(high, "x", P), assume(le(most, 0)))
    return cases(nothing, some, most, term(0))


FAR = everywhere(le(F, c * r * G + far_one))
START = (cut - far_one) / r
OVER = (F - cut) * ind(cut, F)
BEYOND = All(("x",), (le(START, c * G),), le(r * OVER, c * G - START))


@lemma(
    "P Q epsilon delta F G c far_one cut",
    on_events(P, Q),
    on_events(Q, P),
    LEAK,
    le(0, epsilon),
    *TESTS,
    PRICE,
    FAR,
    le(0, far_one),
    le(far_one, cut),
    le(cut, 1),
    BEYOND,
)
def one_more_at() -> Theorem:
    """E_P F <= c E_Q G + cut - start + delta, start = (cut - far_one)/r: privacy of (start - c G)+ and (F - cut)+."""
    under = (START - c * G) * ind(c * G, START)
    positive, high, other = (instance(assume(f)) for f in TESTS)
    far = instance(assume(FAR))
    begin = auto(le(0, START))
    early = assume(le(c * G, START)), assume(le(START, c * G))
    over = indicator(cut, F, 1)
    flat = auto(le(F, cut), far, (r, early[0]))
    none_over = auto(le(OVER, 0), (ind(cut, F), flat))
    over_is = auto(le(F - cut, OVER), indicator(cut, F, 2))
    low_over = auto(le(0, OVER), over)
    low_under = auto(le(0, under), indicator(c * G, START, 1))
    most_under = auto(le(under, START), (START, indicator(c * G, START, 4)))
    most_over = auto(le(OVER, 1 - cut), (ind(cut, F), high), (1 - cut, indicator(cut, F, 4)))
    above, below = le(F, cut - r * under + OVER), le(START - under + r * OVER, c * G)
    value = auto(eq(under, START - c * G), (START - c * G, at_most(early[0])))
    first = auto(above, (r, value), far, low_over), auto(below, value, (r, none_over))
    gone = auto(le(under, 0), (ind(c * G, START), early[1]))
    beyond = instance(assume(BEYOND), {}, early[1])
    second = auto(above, (r, gone), over_is), auto(below, low_under, beyond)
    upper, lower = (cases(one, two, c * G, START) for one, two in zip(first, second, strict=True))
    of_under = assume(on_events(Q, P)), assume(LEAK), begin, for_all("x", low_under), for_all("x", most_under)
    of_over = (
        assume(on_events(P, Q)),
        assume(LEAK),
        auto(le(0, 1 - cut)),
        for_all("x", low_over),
        for_all("x", most_over),
    )
    turned = instance(on_bounded(), {"P": fn("", Q), "Q": fn("", P), "V": fn("x", under), "most": START}, *of_under)
    straight = instance(on_bounded(), {"V": fn("x", OVER), "most": 1 - cut}, *of_over)
    goal = le(mean("x", P, F), c * mean("x", Q, G) + cut - START + delta)
    less = auto(le(exp(-epsilon), 1), (exp(-epsilon), exp_tangent(epsilon)))
    early = auto(le(START, cut), (auto(le(0, cut - far_one)), less))
    return auto(goal, mono(upper, "x", P), mono(lower, "x", Q), turned, straight, (delta, early))


NEAR = everywhere(le(r * F, c * G + r * near_one))
BOTH = eq((1 + r) * total, r * near_one + far_one)


@lemma(
    "P Q epsilon delta F G c near_one far_one total",
    on_events(P, Q),
    on_events(Q, P),
    LEAK,
    lt(0, epsilon),
    *TESTS,
    PRICE,
    NEAR,
    FAR,
    le(0, far_one),
    le(far_one, near_one),
    BOTH,
)
def one_more() -> Theorem:
    """E_P F <= c E_Q G + total + delta, where both lines meet or where the first of them is at 1."""
    goal = le(mean("x", P, F), c * mean("x", Q, G) + total + delta)
    apart = auto(lt(0, r - 1), exp_tangent(epsilon))
    gap = product(apart, auto(lt(0, r + 1)))
    D, one, wider = (r - 1) * (r + 1), reciprocal(gap), auto(le(0, near_one - far_one))
    met = far_one + r * r * (near_one - far_one) / D
    solved = auto(eq(total, far_one + r * (r - 1) * (near_one - far_one) / D), (total - far_one, one))
    sums = auto(eq(total, met - (met - far_one) * exp(-epsilon)), solved)
    share = product(wider, weak(reciprocal_positive(gap)))
    later = auto(le(far_one, met), (r * r, share))
    start, over = (met - far_one) / r, (F - met) * ind(met, F)
    near, high, far = (instance(assume(f)) for f in (NEAR, TESTS[1], FAR))
    reached = assume(le(start, c * G))
    below = auto(le(r * (F - met), c * G - start), near, (r * (near_one - far_one), one))
    rest = product(auto(le(0, 1 - ind(met, F))), auto(le(0, c * G - start), reached))
    beyond = for_all("x", auto(le(r * over, c * G - start), (ind(met, F), below), rest), le(start, c * G))
    crossed = instance(one_more_at(), {"cut": met}, beyond, later, assume(le(met, 1)))
    first = auto(goal, crossed, sums)

    # the lines meet above 1, which F does not exceed
    top, reached = (1 - far_one) / r, assume(le((1 - far_one) / r, c * G))
    none = auto(le(r * (F - 1) * ind(1, F), c * G - top), (r * ind(1, F), high), reached)
    at_one = instance(one_more_at(), {"cut": term(1)}, for_all("x", none, le(top, c * G)), assume(le(far_one, 1)))
    less = auto(le(0, 1 - exp(-epsilon)), (exp(-epsilon), exp_tangent(epsilon)))
    second = auto(goal, at_one, sums, (less, assume(le(1, met))))
    more = auto(le(far_one, total), solved, (r, product(share, weak(apart))))
    third = auto(goal, mono(high, "x", P), assume(le(1, far_one)), more)
    return cases(first, cases(second, third, far_one, term(1)), met, term(1))


EACH = All(
    ("i", "h"), (nat(var("i")), lt(var("i"), k)), private(lambda d: in_turn(var("i"), var("h"), d), epsilon, delta)
)
outputs = Outputs(in_turn)
SPENT = s * (1 + s) * epsilon * epsilon / 2


def priced(left: Term, right: Term, exponent: Any, rest: Any) -> Rel:
    """left <= e^t right + e^(exponent - s t) + rest."""
    return le(left, exp(t) * right + exp(exponent - s * t) + rest)


@lemma("M d e epsilon delta k s", nat(k), EACH, neighbours(d, e), neighbours(e, d), lt(0, epsilon), LEAK, lt(0, s))
def after_all() -> Theorem:
    """Tests of the outputs of k mechanisms are as far apart as those of the last ones, and k times as much more."""
    given = *TESTS, le(0, kappa), All(("x", "t"), (), priced(F, G, m, kappa))

    def says(j: Any) -> Rel:
        one, two = (mean("x", outputs.law(side, j), f) for side, f in zip(SETS, (F, G), strict=True))
        return priced(one, two, m + j * SPENT, kappa + j * delta)

    claim = All(("F", "G", "m", "kappa", "t"), (le(n, k), *given), says(n))
    of_start = instance(assume(given[-1]), {"x": var("empty")})
    base = auto(says(0), of_start, *(outputs.none(side, f) for side, f in zip(SETS, (F, G), strict=True)))

    pn, enough = assume(nat(n)), assume(le(n + 1, k))
    below = auto(lt(n, k), enough)
    forth, back = (
        for_all("A", instance(instance(assume(EACH), {"i": n}, pn, below), to, assume(event("A"))), event("A"))
        for to, near in (({"d": d, "e": e}, neighbours(d, e)), ({"d": e, "e": d}, neighbours(e, d)))
    )
    longer = outputs.longer
    tests = [for_all("y", instance(assume(f), {"x": longer})) for f in TESTS]
    lines = [instance(assume(given[-1]), {"x": longer, "t": at}) for at in (t - epsilon, t + epsilon)]
    near_one, far_one = (exp(m - s * at) + kappa for at in (t - epsilon, t + epsilon))
    drop = exp_monotone(auto(le(m - s * (t + epsilon), m - s * (t - epsilon))))
    total = exp(m - s * t) * of_randomised_response(1 + s) + kappa
    values = {
        "P": fn("", outputs.one("d")),
        "Q": fn("", outputs.one("e")),
        "F": fn("y", app("F", longer)),
        "G": fn("y", app("G", longer)),
        "c": exp(t),
        "near_one": near_one,
        "far_one": far_one,
        "total": total,
    }
    field = reciprocal(auto(lt(0, 1 + r)))
    both = auto(
        eq((1 + r) * total, r * near_one + far_one),
        (exp(m - s * t) * (exp((1 + s) * epsilon) + exp(-s * epsilon)), field),
    )
    positive = auto(le(0, far_one), assume(le(0, kappa)))
    near_line, far_line = (
        for_all("y", auto(f, (factor, line)))
        for f, factor, line in (
            (le(r * app("F", longer), exp(t) * app("G", longer) + r * near_one), r, lines[0]),
            (le(app("F", longer), exp(t) * r * app("G", longer) + far_one), term(1), lines[1]),
        )
    )
    wider = auto(le(far_one, near_one), drop)
    single = instance(one_more(), values, forth, back, *tests, near_line, far_line, positive, wider, both)
    spent = instance(of_two_values(), {"order": 1 + s})
    one, two = (mean("y", outputs.one(side), app(f, longer)) for side, f in zip(SETS, "FG", strict=True))
    again = auto(priced(one, two, m + SPENT, kappa + delta), single, (exp(m - s * t), spent))
    bounds = [mono(instance(f), "y", outputs.one(side)) for f, side in zip(tests, "dde", strict=True)]
    before = instance(
        assume(claim),
        {"F": fn("h", one), "G": fn("h", two), "m": m + SPENT, "kappa": kappa + delta},
        auto(le(n, k), enough),
        *(for_all("x", instance(for_all("h", f), {"h": x})) for f in bounds),
        auto(le(0, kappa + delta), assume(le(0, kappa))),
        for_all("x t", instance(for_all("h t", again), {"h": x})),
    )
    nexts = [outputs.next(pn, side, f) for side, f in zip(SETS, (F, G), strict=True)]
    step = auto(says(n + 1), before, nexts[0], (exp(t), nexts[1]))
    return induction("n", base, step, claim, at=k)


PAIR, NEXT_TO, TOGETHER = parts_of(private(composed_adaptively(in_turn, k), budget, slack + k * delta))


@lemma(
    "M near epsilon delta k s budget slack",
    nat(k),
    EACH,
    symmetric_neighbours(),
    lt(0, epsilon),
    LEAK,
    lt(0, s),
    le(exp(k * SPENT - s * budget), slack),
)
def at_a_price() -> Theorem:
    """Privacy together, if e^(k s (1 + s) epsilon^2/2 - s budget) is at most the slack."""
    A = app("A", x)
    near, is_event = assume(neighbours(d, e)), assume(event("A"))
    low, high = bounds_of_event(A, instance(is_event))
    rise, grown = exp_positive(t), le(A, exp(t) * A + exp(-s * t))
    up = product(assume(le(0, t)), auto(le(0, A), low))
    above = auto(grown, up, (low, exp_tangent(t)))
    down = product(auto(le(0, -t), assume(le(t, 0))), weak(assume(lt(0, s))))
    below = auto(grown, down, exp_tangent(-s * t), high, product(weak(rise), low))
    line = auto(priced(A, A, 0, 0), cases(above, below, term(0), t))
    turned = instance(assume(symmetric_neighbours()), {}, near)
    values = {"F": fn("x", A), "G": fn("x", A), "m": term(0), "kappa": term(0), "t": budget}
    bounds = for_all("x", low), for_all("x", high), for_all("x", low)
    far = instance(after_all(), {}, near, turned)
    at_budget = instance(far, values, *bounds, for_all("x t", line))
    return for_all(PAIR, auto(TOGETHER, at_budget), *NEXT_TO)


@once
def in_sum() -> Theorem:
    """For all M, epsilon and delta: simple composition, by the sums of the budgets."""
    i, each, leak = var("i"), app("epsilon", var("i")), app("delta", var("i"))
    given = whatever_came_before(k, lambda i, h: private(lambda d: in_turn(i, h, d), each, leak))
    then = private(composed_adaptively(in_turn, k), sum_of(lambda i: each, k, "i"), sum_of(lambda i: leak, k, "i"))
    positive = All(("i",), (nat(i),), le(0, leak))
    return adaptive_composition(All(("M", "k", "epsilon", "delta"), (nat(k), positive, given), then))


@lemma("M near epsilon delta k budget slack", nat(k), EACH, LEAK, le(0, slack), le(k * epsilon, budget))
def one_by_one() -> Theorem:
    """Privacy together, if the budget is at least k epsilon."""
    values = {"epsilon": fn("i", epsilon), "delta": fn("i", delta)}
    summed = instance(instance(in_sum(), values), {}, *map(assume, NEXT_TO))
    A = app("A", x)
    low, _ = bounds_of_event(A, instance(assume(event("A"))))
    more = exp_monotone(assume(le(k * epsilon, budget)))
    chance = mono(low, "x", composed_adaptively(in_turn, k)(e))
    return for_all(PAIR, auto(TOGETHER, summed, (chance, more)), *NEXT_TO)


@lemma("M near epsilon delta k budget slack", nat(k), EACH, LEAK, le(0, budget), le(1, slack))
def all_allowed() -> Theorem:
    """Privacy together, if the slack is at least 1."""
    A, law_of = app("A", x), composed_adaptively(in_turn, k)
    low, high = bounds_of_event(A, instance(assume(event("A"))))
    chance = exp_positive(budget), mono(low, "x", law_of(e))
    proved = auto(TOGETHER, mono(high, "x", law_of(d)), chance)
    return for_all(PAIR, proved, *NEXT_TO)


L, PER_ROUND = log(1 / slack), k * epsilon * (exp(epsilon) - 1)


@lemma(
    "M near epsilon delta k s root slack",
    nat(k),
    EACH,
    symmetric_neighbours(),
    lt(0, epsilon),
    LEAK,
    lt(0, slack),
    lt(0, s),
    le(k * s * epsilon * epsilon, root),
    eq(s * root, 2 * L),
)
def at_a_root() -> Theorem:
    """Privacy together with the budget root + k epsilon (e^epsilon - 1), at a price s for which s root is 2 L."""
    more = auto(le(k * epsilon * epsilon, PER_ROUND), (k * epsilon, exp_tangent(epsilon)))
    spent = k * SPENT - s * (root + PER_ROUND)
    small = exp_monotone(auto(le(spent, -L), (s, more)))
    inverse = reciprocal_positive(assume(lt(0, slack)))
    back = auto(eq(exp(-L), slack), (slack * exp(-L), exp_log(inverse)))
    return instance(at_a_price(), {"budget": root + PER_ROUND}, auto(le(exp(spent), slack), small, back))


PRICE_OF_ROOT = root / (k * epsilon)


def simple(budget: Term, *known: Any) -> Theorem:
    """The conclusion from k epsilon <= budget."""
    return instance(one_by_one(), {"budget": budget}, auto(le(k * epsilon, budget), *known))


def from_root(whole: Term, squared: Term, *small: Any) -> Theorem:
    """The conclusion for epsilon > 0, at the price root/(k epsilon); where the root is 0, the slack is 1."""
    some, budget = assume(lt(0, epsilon)), whole + PER_ROUND
    room = product(auto(lt(0, k)), some)
    one = reciprocal(room)
    price = product(assume(lt(0, root)), reciprocal_positive(room))
    spent = auto(le(k * PRICE_OF_ROOT * epsilon * epsilon, whole), (root * epsilon, one), *small)
    factor = epsilon / (k * epsilon) if whole != root else 1 / (k * epsilon)
    twice = auto(eq(PRICE_OF_ROOT * whole, 2 * L), (2 * L, one))
    priced = instance(at_a_root(), {"s": PRICE_OF_ROOT, "root": whole}, some, price, spent, twice)

    none = antisymmetric(assume(le(root, 0)), assume(le(0, root)))
    no_log = auto(eq(L, 0), (L, one), (factor * root / 2, none))
    inverse = assume(lt(0, slack))
    exact = exp_log(reciprocal_positive(inverse))
    free = auto(le(1, slack), (slack, exact), (slack, exp_equal(no_log)))
    flat = instance(all_allowed(), {"budget": budget}, auto(le(0, budget), (k * epsilon, exp_tangent(epsilon))), free)
    return cases(flat, priced, root, term(0))


@proof
def advanced(statement: All) -> Theorem:
    """With epsilon^2 under the root, as in the literature."""
    more = auto(le(0, PER_ROUND), (k * epsilon, exp_tangent(epsilon)))
    nothing = simple(root * epsilon + PER_ROUND, (k, assume(le(epsilon, 0))), more)
    return cases(nothing, from_root(root * epsilon, 2 * k * L), epsilon, term(0))


@proof
def advanced_with_a_larger_root(statement: All) -> Theorem:
    """With epsilon itself under the root: for epsilon >= 1 simple composition is enough."""
    more = auto(le(k * epsilon * epsilon, PER_ROUND), (k * epsilon, exp_tangent(epsilon)))
    nothing = simple(root + PER_ROUND, (k, assume(le(epsilon, 0))), more)
    large = simple(root + PER_ROUND, more, (k * epsilon, assume(le(1, epsilon))))
    small = from_root(root, 2 * k * L * epsilon, (root, assume(le(epsilon, 1))))
    return cases(nothing, cases(small, large, epsilon, term(1)), epsilon, term(0))
