"""Proofs in the kernel of the Laplace and the Gaussian mechanism: a vector of numbers with noise on each of them."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.variables import gaussian, noisy, with_noise
from banditproof.verify.theorems.bandit_divergences import summand_at_most
from banditproof.verify.theorems.mechanisms import empty, h, k, n, y
from banditproof.verify.theorems.private_algorithms import Sums
from banditproof.verify.theorems.renyi import ABOVE_ONE, above, alpha, composed_pair, positive_order, young

x, i, w, p, q, scale = map(var, ("x", "i", "w", "p", "q", "scale"))


# ------------------------------------------------------------------------------------------------------------- sizes


@lemma("t")
def size_of(sign: int) -> Theorem:
    """t <= |t|, and -t <= |t|, which is the sign -1."""
    t = var("t")
    goal = le(sign * t, size(t))
    inside, outside = assume(le(0, t)), assume(lt(t, 0))
    here = auto(goal, (2 * t, at_most(inside)), inside)
    return cases(here, auto(goal, (2 * t, not_at_most(outside)), outside), term(0), t)


@lemma("x c")
def triangle() -> Theorem:
    """|x - c| <= |x| + |c|."""
    c = var("c")
    goal = le(size(x - c), size(x) + size(c))
    inside, outside = assume(le(0, x - c)), assume(lt(x - c, 0))
    up, down = ([instance(size_of(s), {"t": v}) for v in (x, c)] for s in (1, -1))
    here = auto(goal, (2 * (x - c), at_most(inside)), up[0], down[1])
    there = auto(goal, (2 * (x - c), not_at_most(outside)), down[0], up[1])
    return cases(here, there, term(0), x - c)


# ----------------------------------------------------------------------------------------------- many coordinates


@lemma("P Q eps k")
def pure_pair() -> Theorem:
    """E_P g <= e^e(i) E_Q g of the outputs i = 0 .. k - 1, for all g >= 0: of all of them with the sum of the e(i)."""
    g = app("g", x)
    outputs = {s: composed_adaptively(lambda i, h, d, s=s: law(s, i, h), n)(0) for s in "PQ"}
    positive = All(("x",), (), le(0, g))

    def says(m: Any) -> Any:
        left, right = (mean("x", replace_count(law_of, m), g) for law_of in outputs.values())
        return le(left, exp(sum_of(lambda j: app("eps", j), m)) * right)

    one, other = (mean("y", law(s, i, h), app("g", y)) for s in "PQ")
    each = All(
        ("i", "h", "g"), (nat(i), lt(i, k), All(("y",), (), le(0, app("g", y)))), le(one, exp(app("eps", i)) * other)
    )
    suppose(
        nat(k),
        All(
            ("i", "h", "g"),
            (nat(i), lt(i, k), All(("y",), (), le(0, app("g", y)))),
            le(one, exp(app("eps", i)) * other),
        ),
    )
    claim = All(("g",), (le(n, k), positive), says(n))
    steps = {s: law_of.args[3] for s, law_of in outputs.items()}
    starts = [steps_zero("x", g, "i", "h", empty, steps[s]) for s in "PQ"]
    base = auto(says(0), *starts)
    pn, room, low = assume(nat(n)), assume(le(n + 1, k)), assume(positive)
    longer = app("g", app("pair", h, y))
    at = instance(low, {"x": app("pair", h, y)})
    last = instance(assume(each), {"i": n, "g": fn("y", longer)}, pn, auto(lt(n, k), room), at)
    nexts = [steps_next(pn, "x", g, "i", "h", empty, steps[s]) for s in "PQ"]
    ratio = exp(app("eps", n))
    rest = ratio * mean("y", law("Q", n, h), longer)
    rest_low = mono(instance(low, {"x": app("pair", h, y)}), "y", law("Q", n, h))
    rest_positive = for_all("h", product(weak(exp_positive(app("eps", n))), rest_low))
    before = instance(assume(claim), {"g": fn("h", rest)}, auto(le(n, k), room), rest_positive)
    growth = exp_equal(uniform_next(pn, "j", app("eps", var("j"))))
    proved = auto(says(n + 1), nexts[0], mono(last, "h", outputs["P"]), before, nexts[1], growth)
    return for_all("g", instance(induction("n", base, proved, claim, at=k), {}, low), positive)


def replace_count(law_of: Term, m: Any) -> Term:
    """The same law after m rounds."""
    return Term("steps", (law_of.args[0], term(m), *law_of.args[2:]))


def change(i: Any) -> Term:
    return app("f_1", i) - app("f_2", i)


def distance_at_least(power: Any) -> Theorem:
    """power(change(i)) is at most the sum of them over j < k, for natural i < k."""
    proved = summand_at_most(lambda j: power(change(j)), power_is_nonnegative(power, var("j")))
    every = for_all("n T", proved, nat(n), nat(var("T")), lt(n, var("T")))
    below = mono(power_is_nonnegative(power, var("j")), "j", law("Unif", i))
    natural = assume(nat(i))
    here = instance(every, {"n": i, "T": k}, natural, assume(nat(k)), assume(lt(i, k)))
    return auto(
        le(power(change(i)), sum_of(lambda j: power(change(j)), k)), here, product(nat_nonnegative(natural), below)
    )


def power_is_nonnegative(power: Any, j: Any) -> Theorem:
    c = change(j)
    if power is squared:
        return square(c)
    up, down = (instance(size_of(s), {"t": c}) for s in (1, -1))
    return auto(le(0, size(c)), up, down)


@word
def squared(t: Any) -> Term:
    return t * t


def equal_by(power: Any) -> Theorem:
    """f_1(i) = tf_1(i), where power(change(i)) <= 0."""
    c, none = change(i), assume(le(power(change(i)), 0))
    if power is size:
        up, down = (instance(size_of(s), {"t": c}) for s in (1, -1))
        return antisymmetric(
            auto(le(app("f_1", i), app("f_2", i)), up, none), auto(le(app("f_2", i), app("f_1", i)), down, none)
        )
    ends = []
    for a, b in (("f_1", "f_2"), ("f_2", "f_1")):
        gap = auto(lt(0, app(a, i) - app(b, i)), assume(lt(app(b, i), app(a, i))))
        squares = product(gap, gap)
        false = contradiction(squares, none)
        goal = le(app(a, i), app(b, i))
        ends.append(by_contradiction(goal, false))
    return antisymmetric(*ends)


# ---------------------------------------------------------------------------------------------- the Laplace mechanism


@lemma("p q b g")
def one_laplace() -> Theorem:
    """E g(p + Z) <= e^(|p - q|/b) E g(q + Z) for g >= 0 and Z of Lap(b): the density moves by |p - q| at most."""
    b, c = var("b"), q - p
    positive, low = suppose(lt(0, b), All(("y",), (), le(0, app("g", y))))
    far = size(p - q) / b
    f = app("g", p + x)
    exponent = size(x) / b - size(x - c) / b
    near = instance(triangle(), {"c": c})
    flip = instance(turned_size(), {"t": p - q})
    at_least = auto(le(0, far + exponent), (1 / b, near), (1 / b, flip))
    grown = exp_monotone(at_least)
    below = auto(le(f, exp(far) * f * exp(exponent)), (instance(low, {"y": p + x}), grown))
    proved = moved(below, positive, "x", laplace(b), 1, c, exp(far) * f)
    goal = le(mean("y", noisy(p, laplace(b)), app("g", y)), exp(far) * mean("y", noisy(q, laplace(b)), app("g", y)))
    return auto(goal, proved)


@lemma("t")
def turned_size() -> Theorem:
    """|-t| = |t|."""
    t = var("t")
    goal = le(size(-t), size(t))
    inside, outside = assume(le(0, -t)), assume(lt(-t, 0))
    here = auto(goal, (-2 * t, at_most(inside)), instance(size_of(-1)))
    there = auto(goal, (-2 * t, not_at_most(outside)), instance(size_of(1)))
    one = for_all("t", cases(here, there, term(0), -t))
    return antisymmetric(instance(one), auto(le(size(t), size(-t)), instance(one, {"t": -t})))


@lemma("f_1 f_2 k s epsilon")
def laplace_of_vectors() -> Theorem:
    """E g <= e^epsilon E g for all g >= 0 and two vectors at most s apart, with Lap(s/epsilon) on each coordinate.

    Coordinate i costs |f_1(i) - tf_1(i)| epsilon/s, or nothing where s = 0 and both are equal.
    """
    s, epsilon, g = var("s"), var("epsilon"), app("g", x)
    noise, rate = laplace(s / epsilon), epsilon / s
    total = sum_of(lambda j: size(change(j)), k)
    small, budget, not_below = assume(le(total, s)), assume(lt(0, epsilon)), assume(le(0, s))
    low = All(("y",), (), le(0, app("g", y)))
    sides = [mean("y", noisy(app(a, i), noise), app("g", y)) for a in ("f_1", "f_2")]
    each = le(sides[0], exp(size(change(i)) * rate) * sides[1])
    scale = product(assume(lt(0, s)), reciprocal_positive(budget))
    at = instance(one_laplace(), {"p": app("f_1", i), "q": app("f_2", i), "b": s / epsilon}, scale, assume(low))
    apart = auto(each, at)
    none = auto(le(size(change(i)), 0), distance_at_least(size), small, assume(le(s, 0)))
    equal = instance(for_all("i", equal_by(size), le(size(change(i)), 0)), {}, none)
    as_is = same(equal, "w", mean("y", noisy(w, noise), app("g", y)))
    flat = exp_equal(auto(eq(size(change(i)) * rate, 0), (rate, zero_size(equal))))
    one = cases(auto(each, as_is, (sides[1], flat)), apart, s, term(0))
    P, Q = (fn("i h", noisy(app(a, i), noise)) for a in ("f_1", "f_2"))
    all_of = instance(pure_pair(), {"P": P, "Q": Q, "eps": fn("i", size(change(i)) * rate)}, assume(nat(k)), one)
    positive = assume(All(("x",), (), le(0, g)))
    proved = instance(all_of, {}, positive)
    most = exp_monotone(within(total, rate, s, small, budget))
    laws = [with_noise(lambda i, a=a: app(a, i), noise, k) for a in ("f_1", "f_2")]
    not_negative = mono(instance(positive), "x", laws[1])
    goal = le(mean("x", laws[0], g), exp(epsilon) * mean("x", laws[1], g))
    every = for_all("g", auto(goal, proved, (not_negative, most)), positive.conclusion)
    conditions = (f.conclusion for f in (not_below, budget, small))
    suppose(nat(k), *conditions)
    return every


@proof
def laplace_mechanism(statement: All) -> Theorem:
    """An event is such a function."""
    return auto(conclusion(statement), instance(instance(laplace_of_vectors(), {}), {"g": fn("x", app("A", x))}))


@proof
def noisy_sums_of_phases(statement: All) -> Theorem:
    """The sum of the phase that holds the changed reward moves by at most 1, and no other one does."""
    _, given, goal = parts_of(statement.then)
    epsilon, m, T, A = var("epsilon"), var("m"), var("T"), app("A", var("y"))
    sums = Sums(statement, given)
    moved_by = for_all("takes h", sums.difference())

    def in_phase(p: Any, at: Any) -> Term:
        return Term("ind", (app("ends", p), term(at))) * (1 - Term("ind", (app("ends", p + 1), term(at))))

    def total(side: str) -> Term:
        return sum_of(lambda at: in_phase(p, at) * app(side, at), T)

    here = instance(moved_by, {"takes": fn("p m", in_phase(p, m)), "h": p})
    _, second = (Term("ind", (app("ends", e), var("j"))) for e in (p, p + 1))
    bits = [indicator(app("ends", e), var("j"), which) for e in (p, p + 1) for which in (3, 4)]
    holds = product(bits[0], auto(le(0, 1 - second)))
    gap, (first_low, first_high), (other_low, other_high) = sums.gap(var("j")), sums.in_unit(0), sums.in_unit(1)
    up, down = auto(le(gap, 1), first_high, other_low), auto(le(-gap, 1), first_low, other_high)
    differ = total("rewards") - total("others")
    inside = in_phase(p, var("j"))
    reach = le(size(differ), inside)
    above, below = assume(le(0, differ)), assume(lt(differ, 0))
    right = auto(reach, at_most(above), here, (holds, up))
    one = cases(right, auto(reach, not_at_most(below), here, (holds, down)), term(0), differ)

    def reached(n: Any) -> Term:
        return sum_of(lambda at: size(substitute(differ, {"p": at})), n)

    claim = All((), (le(n, k),), le(reached(n) + Term("ind", (app("ends", n), var("j"))), 1))
    pn, room = assume(nat(n)), assume(le(n + 1, k))
    later = instance(assume(statement.given[-1]), {"i": n}, pn, auto(lt(n, k), room))
    after, before = (Term("ind", (app("ends", e), var("j"))) for e in (n + 1, n))
    is_after, is_not = assume(le(app("ends", n + 1), var("j"))), assume(lt(var("j"), app("ends", n + 1)))
    is_before = at_most(auto(le(app("ends", n), var("j")), is_after, later))
    last = le(substitute(inside, {"p": n}) + after, before)
    ordered = cases(auto(last, is_before), auto(last, not_at_most(is_not)), app("ends", n + 1), var("j"))
    longer = uniform_next(pn, "j", size(substitute(differ, {"p": var("j")})))
    at_n = instance(for_all("p", one), {"p": n})
    known = instance(assume(claim), {}, auto(le(n, k), room))
    goal_after = le(reached(n + 1) + after, 1)
    step = auto(goal_after, known, ordered, at_n, longer)
    base = auto(le(reached(0) + Term("ind", (app("ends", 0), var("j"))), 1))
    small = auto(le(reached(k), 1), instance(induction("n", base, step, claim, at=k)))
    values = {side: fn("p", total(name)) for side, name in (("f_1", "rewards"), ("f_2", "others"))}
    conditions = assume(nat(k)), auto(le(0, 1)), assume(lt(0, epsilon)), small
    known = instance(laplace_of_vectors(), {**values, "s": term(1)}, *conditions)
    proved = instance(known, {"g": fn("x", mean("y", law("f", x), A))})
    return auto(goal, proved)


@proof
def laplace_of_one_number(statement: All) -> Theorem:
    """As in one coordinate; where the sensitivity is 0 the two numbers are equal."""
    _, _, goal = parts_of(statement.then)
    here, there, most, epsilon = map(var, ("f_1", "f_2", "most", "epsilon"))
    small, budget, some = assume(statement.given[-1]), assume(lt(0, epsilon)), assume(lt(0, most))
    A, noise = app("A", y), laplace(most / epsilon)
    scale = product(some, reciprocal_positive(budget))
    values = {"p": here, "q": there, "b": most / epsilon, "g": fn("y", A)}
    at = instance(one_laplace(), values, scale)
    rate = product(weak(budget), weak(reciprocal_positive(some)))
    far = exp_monotone(auto(le(size(here - there) * epsilon / most, epsilon), (rate, small), reciprocal(some)))
    apart = auto(goal, at, far)
    none = assume(le(most, 0))
    ends = [instance(size_of(s), {"t": here - there}) for s in (1, -1)]
    equal = antisymmetric(auto(le(here, there), ends[0], none), auto(le(there, here), ends[1], none))
    as_is = same(equal, "w", mean("y", noisy(w, noise), A))
    at_least = exp_monotone(auto(le(0, epsilon)))
    return cases(auto(goal, as_is, at_least), apart, most, term(0))


def zero_size(equal: Theorem) -> Theorem:
    """|p - q| = 0 from p = q."""
    return auto(eq(size(change(i)), 0), (2 * Term("ind", (term(0), change(i))) - 1, equal))


def within(total: Term, rate: Term, s: Term, small: Theorem, budget: Theorem) -> Theorem:
    """total epsilon/s <= epsilon from total <= s, for s >= 0."""
    epsilon = var("epsilon")
    goal = le(total * rate, epsilon)
    some = assume(lt(0, s))
    right = auto(goal, (product(weak(budget), weak(reciprocal_positive(some))), small), (epsilon, reciprocal(some)))
    zero = antisymmetric(assume(le(s, 0)), assume(le(0, s)))
    return cases(auto(goal, same(zero, "w", total * epsilon / w), budget), right, s, term(0))


# --------------------------------------------------------------------------------------------- the Gaussian mechanism


@lemma("p q v1 order")
def one_gaussian() -> Theorem:
    """D_alpha(p + Z || q + Z) <= alpha (p - q)^2/(2 v) for Z of N(0, v).

    With w = e^r, the density moved by c = q - p over itself, Young's inequality is alpha t^(alpha - 1) <=
    (alpha - 1) t^alpha w + w^(1 - alpha), the last being a number times the density moved by (1 - alpha) c over itself.
    A part V of the left side is at most the first summand on the right, and the rest at most the second.
    """
    v, c = var("v1"), q - p
    positive, _ = suppose(lt(0, v), ABOVE_ONE)
    cost = (p - q) * (p - q) / (2 * v)
    u, there = app("u", p + x), (1 - alpha) * c

    def moved_by(c: Term) -> Term:
        return x * x / (2 * v) - (x - c) * (x - c) / (2 * v)

    r, most = moved_by(c), exp((alpha - 1) * alpha * cost)
    whole = alpha * exp((alpha - 1) * u)
    B, R = (alpha - 1) * exp(alpha * u) * exp(r), most * exp(moved_by(there))
    B_low = product(above(), weak(exp_positive(alpha * u + r)))
    R_positive = exp_positive((alpha - 1) * alpha * cost + moved_by(there))
    total = auto(lt(0, B + R))
    inverse = weak(reciprocal_positive(total))
    share, one = B / (B + R), reciprocal(total)
    is_share = unit(share, "w", product(B_low, inverse), auto(le(share, 1), (1 / (B + R), R_positive), one))
    V = mean("w", UNIT, Term("ind", (w, share)))
    _, V_high = (mono(indicator(w, share, which), "w", UNIT) for which in (3, 4))
    fits = auto(le(whole, B + R), young(u + r))
    first = auto(le(whole * V, B), fits, (B + R, is_share), one)
    second = auto(le(whole * (1 - V), R), (auto(le(0, 1 - V), V_high), fits), (-B - R, is_share), one)
    one_moved = moved(first, positive, "x", gaussian(v), 1, c, (alpha - 1) * exp(alpha * u))
    other_moved = moved(second, positive, "x", gaussian(v), 1, there, most)
    goal = renyi_at_most(noisy(p, gaussian(v)), noisy(q, gaussian(v)), alpha, alpha * cost)
    return for_all("u", auto(goal.then, one_moved, other_moved))


@proof
def renyi_mechanism(statement: All) -> Theorem:
    """At one order, with s^2 order/(2 epsilon) for the variance of the noise."""
    a, epsilon = var("alpha"), var("epsilon")
    rate = auto(lt(0, a / (2 * epsilon)))
    every = gaussian_mechanism(var("s"), a / (2 * epsilon), rate, assume(statement.given[-1]))
    proved = instance(every, {"order": a})
    return auto(statement.then.then, instance(proved, {}))  # type: ignore[union-attr]


@proof
def zcdp_mechanism(statement: All) -> Theorem:
    """At all orders, with s^2/(2 rho) for the variance of the noise."""
    rho = var("rho")
    rate = _half_inverse(rho)
    found = gaussian_mechanism(var("s"), 1 / (2 * rho), rate, assume(statement.given[-1]))
    _, given, goal = parts_of(statement.then)
    return auto(goal.then, instance(instance(found, {}), {}))


def _half_inverse(budget: Term) -> Theorem:
    """0 < 1/(2 budget)."""
    return reciprocal_positive(auto(lt(0, 2 * budget)))


def gaussian_mechanism(s: Term, b: Term, rate: Theorem, small: Theorem) -> Theorem:
    """D_alpha <= alpha/(2 b) of two vectors at most s apart, with N(0, b s^2) on each coordinate: for all orders.

    Coordinate i costs alpha change^2/(2 b s^2), or nothing where s = 0 and both are equal.
    """
    v = b * s * s
    noise = gaussian(v)
    cost = change(i) * change(i) / (2 * v)
    some = assume(lt(0, s))
    laws = noisy(app("f_1", i), noise), noisy(app("f_2", i), noise)
    each = renyi_at_most(*laws, alpha, alpha * cost)
    values = {"p": app("f_1", i), "q": app("f_2", i), "v1": v}
    apart = instance(instance(one_gaussian(), values, product(product(rate, some), some), assume(ABOVE_ONE)), {})
    part = distance_at_least(squared)
    zero = antisymmetric(assume(le(s, 0)), assume(le(0, s)))
    none = auto(le(squared(change(i)), 0), part, (s, zero))
    equal = instance(for_all("i", equal_by(squared), le(squared(change(i)), 0)), {}, none)
    u = app("u", y)
    swapped = same(equal, "w", mean("y", noisy(w, noise), exp((alpha - 1) * u)))
    alone = mono(instance(for_all("u", young(app("u", x)))), "x", laws[1])
    flat = auto(eq(cost, 0), (change(i) / (2 * v), equal))
    cost_free = same(flat, "w", exp((alpha - 1) * alpha * w))
    together = auto(each.then, (alpha, swapped), alone, cost_free)
    one = for_all("i h", for_all("u", cases(together, apart, s, term(0))), nat(i), lt(i, k))
    P, Q = (fn("i h", one_law) for one_law in laws)
    conditions = assume(nat(k)), assume(ABOVE_ONE), one
    all_of = instance(composed_pair(), {"P": P, "Q": Q, "rho": fn("i", cost)}, *conditions)
    all_laws = with_noise(lambda i: app("f_1", i), noise, k), with_noise(lambda i: app("f_2", i), noise, k)
    goal = renyi_at_most(*all_laws, alpha, alpha / (2 * b))
    total = sum_of(lambda j: squared(change(j)), k)
    most = le(total / (2 * v), 1 / (2 * b))
    spread = product(some, some)
    right = auto(most, (1 / (2 * b), reciprocal(spread)), (reciprocal_positive(product(rate, spread)), small))
    flat = auto(most, same(zero, "w", total / (2 * b * w * w)), reciprocal_positive(rate))
    fits = cases(flat, right, s, term(0))
    larger = exp_monotone(
        auto(
            le((alpha - 1) * alpha * total / (2 * v), (alpha - 1) * alpha / (2 * b)),
            (product(above(), weak(positive_order())), fits),
        )
    )
    return for_all("order", for_all("u", auto(goal.then, instance(all_of, {}), larger)), ABOVE_ONE)


# -------------------------------------------------------------------------------------------------------- sensitivities


def _sums(power: Any, m: Any) -> Term:
    return sum_of(lambda j: power(change(j)), m)


@lemma("n", nat(n))
def sum_of_sizes_is_nonnegative() -> Theorem:
    """0 <= the sum of |f_1(j) - f_2(j)| over j < n."""
    pn = assume(nat(n))
    low = mono(power_is_nonnegative(size, var("j")), "j", law("Unif", n))
    return auto(le(0, _sums(size, n)), product(nat_nonnegative(pn), low))


def _next_sums() -> tuple[list[Theorem], Theorem]:
    """Both sums up to n + 1, and that the size of the last change has its square."""
    pn, c = assume(nat(n)), change(n)
    nexts = [uniform_next(pn, "j", power(change(var("j")))) for power in (size, squared)]
    return nexts, auto(eq(size(c) * size(c), c * c), (4 * c * c, indicator(term(0), c, 0)))


@proof
def squares_at_most_sizes(statement: All) -> Theorem:
    """By induction the sum of squares is at most the square of the sum."""
    s, c, pn = var("s"), change(n), assume(nat(n))
    (sizes, squares), same_square = _next_sums()
    low = instance(sum_of_sizes_is_nonnegative(), {}, pn)

    def says(m: Any) -> Any:
        return le(_sums(squared, m), _sums(size, m) * _sums(size, m))

    cross = product(low, power_is_nonnegative(size, n))
    both = _sums(size, n + 1) + _sums(size, n) + size(c)
    step = auto(says(n + 1), assume(says(n)), squares, (both, sizes), same_square, cross)
    at_k = induction("n", auto(says(0)), step, says(n), at=k)
    gap = auto(le(0, s - _sums(size, k)))
    at_least = instance(sum_of_sizes_is_nonnegative(), {"n": k})
    both_ends = product(gap, at_least), product(gap, assume(le(0, s)))
    return auto(parts_of(statement)[2], at_k, *both_ends)


@proof
def sizes_at_most_squares(statement: All) -> Theorem:
    """The squares of |c_j| - t add up to at least 0, here with t the mean of the |c_j|."""
    t = var("t")
    (sizes, squares), same_square = _next_sums()

    def says(m: Any) -> Any:
        return le(2 * t * _sums(size, m), _sums(squared, m) + m * t * t)

    far = square(size(change(n)) - t)
    step = auto(says(n + 1), assume(says(n)), squares, (2 * t, sizes), same_square, far)
    every = for_all("t", induct("n", auto(says(term(0))), step, says(n)))
    at_k = instance(instance(every, {"t": _sums(size, k) / k}), {"n": k})
    return auto(parts_of(statement)[2], (k, at_k))
