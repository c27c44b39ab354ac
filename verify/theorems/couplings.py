"""Proofs in the kernel of what couplings are used for, from their dual side: no coupling has to be made.

A coupling of P and Q of which the two parts differ with probability TV shows that E_P a <= E_Q b + low + (high - low)
TV where a(x) <= b(x) + low and a(x) <= b(y) + high for all x and y. That follows from what TV says of events alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.couplings import (
    are_different,
    coupled_environment,
    here,
    history_is,
    history_with,
    if_they_vary,
    independent_records,
    number_of_differences,
    number_of_ones,
    of_names,
    pairs_of_names,
    parts_have_law,
    replaced_records_are_near,
    there,
)
from banditproof.verify.kernel.divergences import coupling
from banditproof.verify.kernel.facts import hahn_jordan
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.meanings import chain_to, drawn, private
from banditproof.verify.kernel.variables import coin
from banditproof.verify.theorems.chernoff import mean_of_coin
from banditproof.verify.theorems.divergences import ABOVE_ONE, at, kl_of_pure, kl_of_renyi, zcdp_groups
from banditproof.verify.theorems.mechanisms import on_tests
from banditproof.verify.theorems.private_algorithms import by_bit

x, y, t, c, s, n, m, low, high = map(var, ("x", "y", "t", "c", "step", "n", "m", "low", "high"))
P, Q = law("P"), law("Q")
FAR = variation_at_most(P, Q, t)


def a(point: Any) -> Term:
    return app("a", point)


def b(point: Any) -> Term:
    return app("b", point)


NEAR, ANYWHERE = All(("x",), (), le(a(x), b(x) + low)), All(("x", "y"), (), le(a(x), b(y) + high))
BOUND = le(mean("x", P, a(x)), mean("x", Q, b(x)) + low + (high - low) * t)


def variation_is_nonnegative(far: Theorem, most: Term) -> Theorem:
    """0 <= most, from the event that never happens."""
    return auto(le(0, most), instance(far, {"A": fn("x", 0)}))


@once
def between_two_laws() -> Theorem:
    """E_P a <= E_Q b + low + (high - low) t, where a <= b + low at each point, a <= b + high at any two, and TV <= t.

    Were it false, every bound of b from below could be raised by a fixed step: between that bound and the step above it
    there is no b(x), else a were at most b(x) + high, and all of a below a test of width high - low + step.
    """
    near, anywhere, far, order = assume(NEAR), assume(ANYWHERE), assume(FAR), assume(le(low, high))
    gap = mean("x", P, a(x)) - mean("x", Q, b(x)) - low - (high - low) * t
    some, is_step = assume(lt(0, s)), assume(eq(s * (1 + t), gap))
    t_low = variation_is_nonnegative(far, t)

    above = assume(All(("x",), (), le(c, b(x))))
    small = assume(lt(b(y), c + s))
    top, width = c + s + high, high - low + s
    most = auto(le(a(x), top), instance(anywhere), small)
    i = ind(b(x) + low, top)
    h = i * (b(x) + low) + (1 - i) * top
    inside, outside = indicator(b(x) + low, top, 1), indicator(b(x) + low, top, 2)
    i_high = auto(le(0, 1 - i))
    wide = auto(lt(0, width), order, some)
    inverse, one = reciprocal_positive(wide), reciprocal(wide)
    V = (h - c - low) / width
    V_low = product(auto(le(0, h - c - low), instance(above, {}), (i_high, order), (i_high, some)), weak(inverse))
    V_high = auto(le(V, 1), (inverse, auto(le(h, top), inside)), one)
    test = on_tests(far, (P, Q), term(0), t, "x", V, {}, [], V_low, V_high)
    of_h = [mean("x", one_law, h) for one_law in (P, Q)]
    spread = auto(le(of_h[0], of_h[1] + width * t), (wide, test), one)
    below_h = mono(auto(le(a(x), h), instance(near, {}), (i_high, most)), "x", P)
    h_below = mono(auto(le(h, b(x) + low), outside), "x", Q)
    false = calc(lt(0, 0), [(1, None, f) for f in (below_h, spread, h_below, some)] + [(1, None, is_step)])
    raised = by_contradiction(le(c + s, b(y)), false)

    # the bound is raised for ever, and b is bounded
    least, largest = var("least"), var("largest")
    start = assume(All(("x",), (), le(-b(x), least)))
    claim = All(("x",), (), le(-least + n * s, b(x)))
    base = auto(le(-least + 0 * s, b(x)), instance(start, {}))
    of_n = for_all("y", raised)
    higher = instance(for_all("c", of_n, All(("x",), (), le(c, b(x)))), {"c": -least + n * s}, assume(claim))
    every = induction("n", base, auto(le(-least + (n + 1) * s, b(x)), instance(higher, {"y": x})), claim)
    below = assume(All(("x",), (), le(b(x), largest)))
    count, natural = least + largest + 1, assume(nat(n))
    enough = assume(le(count / s, n))
    at_n = instance(instance(every, {}, natural), {"x": term(0)})
    last = contradiction(at_n, instance(below, {"x": term(0)}), (some, enough), reciprocal(some))
    never = some_natural(absurd(last, BOUND), "n", count / s)
    never = some_bound(some_bound(never, "largest", ["x"], b(x)), "least", ["x"], -b(x))

    # the step, where the bound is false
    contrary = assume(lt(BOUND.args[1], BOUND.args[0]))
    more = auto(lt(0, 1 + t), t_low)
    size = gap / (1 + t)
    positive = auto(lt(0, size), product(auto(lt(0, gap), contrary), reciprocal_positive(more)))
    whole = auto(eq(size * (1 + t), gap), reciprocal(more))
    at_size = instance(for_all("step", never, some.conclusion, is_step.conclusion), {"step": size}, positive, whole)
    proved = cases(assume(BOUND), at_size, *BOUND.args)
    names = "a b P Q low high t"
    return for_all(names, proved, order.conclusion, NEAR, ANYWHERE, FAR)


# ---------------------------------------------------------------------------------------------- independent records


k, alpha, beta, rho = map(var, ("k", "alpha", "beta", "rho"))
RECORDS = [assume(f) for f in replaced_records_are_near()]


def data(i: Any) -> Term:
    return app("data", i)


def pair(d: Any, record: Any) -> Term:
    return app("pair", d, record)


def price(steps: Any) -> Term:
    """What it costs that data sets are so many steps apart."""
    return alpha + beta * steps + rho * steps * steps


CHAINS = All(("data", "m"), (nat(m), chain_to(m)), le(a(data(0)), b(data(m)) + price(m)))


def near(first: Term, second: Term) -> Term:
    return app("near", first, second)


def chain_with_one_more(chain: Theorem, natural: Theorem) -> tuple[Term, Theorem]:
    """(data(0), x), ..., (data(m), x), (data(m), y): a chain of m + 1 steps, as a function of i."""
    i = var("i")
    at_i = ind(i, m) * pair(data(i), x) + (1 - ind(i, m)) * pair(data(m), y)
    pi, below = assume(nat(i)), assume(lt(i, m + 1))
    next_i = substitute(at_i, {"i": i + 1})
    goal = neighbours(at_i, next_i)

    def moved(here: Term, is_here: Theorem, there: Term, is_there: Theorem, edge: Theorem) -> Theorem:
        first = same(is_here, "w", near(var("w"), next_i))
        return auto(goal, first, same(is_there, "w", near(here, var("w"))), edge)

    more, last = assume(le(i + 1, m)), assume(lt(m, i + 1))
    stays = at_most(auto(le(i, m), more))
    here = auto(eq(at_i, pair(data(i), x)), stays)
    step = instance(chain, {}, pi, auto(lt(i, m), more))
    edge = instance(RECORDS[1], {"d": data(i), "e": data(i + 1)}, step)
    there = auto(eq(next_i, pair(data(i + 1), x)), at_most(more))
    inner = moved(pair(data(i), x), here, pair(data(i + 1), x), there, edge)

    low_i = nat_nonnegative(nat_minus(pi, nat_next(natural), below))
    high_i = nat_nonnegative(nat_minus(natural, nat_next(pi), last))
    is_m = antisymmetric(auto(le(i, m), low_i), auto(le(m, i), high_i))
    here = auto(eq(at_i, pair(data(m), x)), at_most(auto(le(i, m), low_i)), same(is_m, "w", pair(data(var("w")), x)))
    gone = not_at_most(last)
    there = auto(eq(next_i, pair(data(m), y)), gone)
    edge = instance(RECORDS[0], {"d": data(m)})
    outer = moved(pair(data(m), x), here, pair(data(m), y), there, edge)
    return at_i, for_all("i", cases(inner, outer, i + 1, m), nat(i), lt(i, m + 1))


class Sides:
    """Two laws of data sets of k records."""

    def __init__(self) -> None:
        self.laws = [lambda count, name=name: independent_records(lambda i: law(name, i), count) for name in "PQ"]

    def mean(self, side: int, count: Any, body: Term) -> Term:
        """The mean of a body of h."""
        return mean("h", self.laws[side](count), body)

    def none(self, side: int, body: Term) -> Theorem:
        return steps_zero("h", body, "i", "h", var("empty"), self.laws[side](0).args[3])

    def next(self, side: int, natural: Theorem, body: Term) -> Theorem:
        body = substitute(body, {"h": var("z")})
        return steps_next(natural, "z", body, "i", "h", var("empty"), self.laws[side](0).args[3])


def over_records(apart: Theorem, rho_low: Theorem) -> Theorem:
    """E_P a <= E_Q b + beta S + rho (S^2 + V) for data sets of n independent records; S sums t, and V t (1 - t).

    By induction over the records: `between_two_laws` for the last one, with the others given.
    """
    sides, h = Sides(), var("h")

    def far(j: Any) -> Term:
        return app("tv", j)

    def total(count: Any) -> Term:
        return sum_of(far, count)

    def spread(count: Any) -> Term:
        return sum_of(lambda j: far(j) * (1 - far(j)), count)

    def says(count: Any) -> Any:
        S = total(count)
        most = alpha + beta * S + rho * (S * S + spread(count))
        return le(sides.mean(0, count, a(h)), sides.mean(1, count, b(h)) + most)

    claim = All(("a", "b", "alpha", "beta"), (le(k, n), le(0, beta), CHAINS), says(k))
    chains, beta_is = assume(CHAINS), assume(le(0, beta))
    i = var("i")
    none = contradiction(assume(lt(i, 0)), nat_nonnegative(assume(nat(i))))
    nowhere = absurd(none, eq(near(var("empty"), var("empty")), 1))
    start = instance(chains, {"data": fn("i", var("empty")), "m": 0}, nowhere)
    base = auto(says(0), sides.none(0, a(h)), sides.none(1, b(h)), start)
    base = base

    pk, enough = assume(nat(k)), assume(le(k + 1, n))
    few = auto(lt(k, n), enough)
    natural, chain = assume(nat(m)), assume(chain_to(m))
    m_low = nat_nonnegative(natural)
    edge = instance(chain, {}, assume(nat(i)), assume(lt(i, m)))
    along = instance(RECORDS[1], {"d": data(i), "e": data(i + 1)}, edge)
    low_price, high_price = price(m), price(m + 1)
    near_x = instance(chains, {"data": fn("i", pair(data(i), x))}, natural, along)
    at_i, longer = chain_with_one_more(chain, natural)
    far_apart = instance(chains, {"data": fn("i", at_i), "m": m + 1}, nat_next(natural), longer)
    first, last = (substitute(at_i, {"i": j}) for j in (term(0), m + 1))
    begins = at_most(m_low)
    begin = auto(eq(first, pair(data(0), x)), (pair(data(0), x) - pair(data(m), y), begins))
    end = auto(eq(last, pair(data(m), y)))
    wanted = le(a(pair(data(0), x)), b(pair(data(m), y)) + high_price)
    ends = same(begin, "w", a(var("w"))), same(end, "w", b(var("w")))
    anywhere = auto(wanted, far_apart, *ends)
    order = auto(le(low_price, high_price), beta_is, (rho_low, m_low), rho_low)
    variation = instance(apart, {"i": k}, pk, few)
    values = {"a": fn("x", a(pair(data(0), x))), "b": fn("x", b(pair(data(m), x)))}
    values |= {"P": fn("", law("P", k)), "Q": fn("", law("Q", k)), "low": low_price, "high": high_price, "t": far(k)}
    last_record = instance(between_two_laws(), values, order, near_x, anywhere, variation)
    new = {"alpha": alpha + far(k) * (beta + rho), "beta": beta + 2 * rho * far(k)}
    a_next, b_next = (mean("y", law(name, k), f(pair(h, y))) for name, f in (("P", a), ("Q", b)))
    _, _, goal = parts_of(replace(CHAINS, {"a": fn("h", a_next), "b": fn("h", b_next)} | new))
    shorter = auto(goal, last_record)
    t_low = variation_is_nonnegative(variation, far(k))
    more = auto(le(0, new["beta"]), beta_is, (rho_low, t_low))
    before = instance(
        assume(claim), {"a": fn("h", a_next), "b": fn("h", b_next)} | new, auto(le(k, n), enough), more, shorter
    )
    sums = uniform_next(pk, "j", far(var("j")))
    spreads = uniform_next(pk, "j", far(var("j")) * (1 - far(var("j"))))
    step = auto(
        says(k + 1),
        sides.next(0, pk, a(h)),
        before,
        sides.next(1, pk, b(h)),
        (beta, sums),
        (rho * (total(k + 1) + total(k) + far(k)), sums),
        (rho, spreads),
    )
    step = for_all("a b alpha beta", step, le(k + 1, n), le(0, beta), CHAINS)
    return induction("k", base, step, claim, at=n)


u = app("u", x)


@proof
def _on_products(statement: All, of_groups: Theorem, beta: Any, rho: Any, *signs: Theorem) -> Theorem:
    """The mean over independent records of what groups allow, u being the same function of the output for all data."""
    _, given, goal = parts_of(statement.then)
    (apart,) = map(assume, given)
    mean_u, mean_exp = (mean("x", at(y), f) for f in (u, exp(u)))
    chains = of_groups
    tests = {"a": fn("y", mean_u), "b": fn("y", mean_exp - 1), "alpha": term(0), "beta": term(beta)}
    every = for_all("rho", over_records(apart, assume(le(0, var("rho")))), le(0, var("rho")))
    every = instance(every, {"rho": term(rho)})
    return auto(goal.then, instance(every, tests, chains))


def pure_on_products(statement: All) -> Theorem:
    """epsilon-DP: what groups allow."""
    epsilon, chain = var("epsilon"), assume(chain_to(m))
    groups = instance(kl_of_pure(assume(statement.given[-1]), assume(nat(m)), chain), {})
    return _on_products(statement, groups, epsilon, 0, assume(le(0, epsilon)), auto(le(0, 0)))


def zcdp_on_products(statement: All) -> Theorem:
    """rho-zCDP: what groups allow."""
    every = zcdp_groups(assume(statement.given[-1]), assume(nat(m)))
    known = for_all("order", instance(every, {}, assume(chain_to(m)), assume(ABOVE_ONE)), ABOVE_ONE)
    nonnegative, count = assume(le(0, rho)), nat_nonnegative(assume(nat(m)))
    laws, positive = (at(data(0)), at(data(m))), product(product(nonnegative, count), count)
    groups = instance(kl_of_renyi(*laws, rho * m * m, known, positive), {})
    return _on_products(statement, groups, 0, rho, auto(le(0, 0)), nonnegative)


# ------------------------------------------------------------------------------------------- the chances of an event


epsilon, vary, growth = var("epsilon"), var("variation"), var("exponent")
ALIKE = All(("d", "e"), (neighbours(var("d"), var("e")),), le(a(var("d")), exp(epsilon) * a(var("e"))))
PRIVATE = private(at, epsilon)
NOT_NEGATIVE, VARIES = All(("x",), (), le(0, a(x))), variation_at_most(P, Q, vary)
GROWTH = eq(exp(growth), 1 + vary * (exp(epsilon) - 1))


def last_record(h: Term) -> Theorem:
    """E_P F <= (1 + t (e^epsilon - 1)) E_Q F for the last record: by what F is at most."""
    own = mean("y", Q, a(pair(h, y)))
    here, there = (a(pair(h, record)) for record in (x, y))
    grown = instance(assume(ALIKE), {"d": pair(h, x), "e": pair(h, y)}, instance(RECORDS[0], {"d": h}))
    more = auto(le(0, exp(epsilon) - 1), exp_tangent(epsilon))
    most = (auto(le(0, 1 - exp(-epsilon)), (exp(-epsilon), more)), mono(grown, "y", Q))
    high = (exp(epsilon) - 1) * own
    apart = auto(le(here, there + high), (exp(-epsilon), grown), most)
    low = mono(instance(assume(NOT_NEGATIVE), {"x": pair(h, y)}), "y", Q)
    values = {"a": fn("x", here), "b": fn("x", here), "low": term(0), "high": high, "t": vary}
    conditions = auto(le(0, high), product(more, low)), auto(le(here, here + 0)), apart, assume(VARIES)
    return instance(between_two_laws(), values, *conditions)


@lemma(
    "P Q n epsilon variation exponent near pair empty a",
    *replaced_records_are_near(),
    NOT_NEGATIVE,
    ALIKE,
    VARIES,
    GROWTH,
)
def over_equal_records() -> Theorem:
    """E_P F <= (1 + t (e^epsilon - 1))^n E_Q F, for n records of one law and F alike at neighbours."""
    suppose(nat(n), le(0, epsilon))
    d, e, h = map(var, "deh")

    def laws(count: Any) -> list[Term]:
        return [independent_records(lambda i, one=one: one, count) for one in (P, Q)]

    def says(count: Any) -> Rel:
        here, there = (mean("h", one, a(h)) for one in laws(count))
        return le(here, exp(count * growth) * there)

    claim = All(("a",), (NOT_NEGATIVE, ALIKE), says(k))
    starts = [steps_zero("h", a(h), "i", "h", var("empty"), one.args[3]) for one in laws(0)]
    nexts = [steps_next(assume(nat(k)), "z", a(var("z")), "i", "h", var("empty"), one.args[3]) for one in laws(0)]
    shorter = mean("y", Q, a(pair(h, y)))
    along = instance(RECORDS[1], {"x": y}, assume(neighbours(d, e)))
    alike = mono(instance(assume(ALIKE), {"d": pair(d, y), "e": pair(e, y)}, along), "y", Q)
    alike = for_all("d e", alike, neighbours(d, e))
    before = instance(assume(claim), {"a": fn("h", shorter)}, alike)
    last = mono(last_record(h), "h", laws(k)[0])
    step = auto(says(k + 1), *nexts, last, (exp(growth), before))
    return instance(induction("k", auto(says(0), *starts), step, claim, at=n), {})


def of_an_event(log: Any, value: Theorem) -> Theorem:
    """M_1(A) <= e^(n log) M_2(A), where e^log is 1 + t (e^epsilon - 1): a chance is alike at neighbours."""
    output, d, e = app("A", x), var("d"), var("e")
    close = for_all("d e", instance(assume(PRIVATE), {}, assume(neighbours(d, e))), neighbours(d, e))
    chance = fn("h", mean("x", at(var("h")), output))
    return instance(over_equal_records(), {"a": chance, "exponent": log}, close, value)


@proof
def event_on_products(statement: All) -> Theorem:
    """The chance of an event, as a function of the data."""
    return auto(conclusion(statement), of_an_event(growth, assume(GROWTH)))


@proof
def event_at_small_budgets(statement: All) -> Theorem:
    """log(1 + t (e^epsilon - 1)) <= t (e^epsilon - 1), and e^epsilon - 1 <= 4 epsilon for epsilon up to 1."""
    more, half = auto(le(0, exp(epsilon) - 1), exp_tangent(epsilon)), exp(epsilon / 2)
    value = 1 + vary * (exp(epsilon) - 1)
    log, is_value = Term("log", (value,)), exp_log(auto(lt(0, value), product(assume(le(0, vary)), more)))
    two = auto(le(half, 2), (half, exp_tangent(-epsilon / 2)))
    four = auto(le(exp(epsilon), 4), (half + 2, two))
    growth = auto(le(exp(epsilon) - 1, 4 * epsilon), (exp(epsilon), exp_tangent(-epsilon)), (epsilon, four))
    small = auto(le(log, 6 * epsilon * vary), exp_tangent(log), is_value, (vary, growth))
    known = of_an_event(log, is_value)
    larger = exp_monotone(auto(le(n * log, 6 * epsilon * n * vary), (n, small)))
    goal = conclusion(statement)
    low, _ = bounds_of_event(app("A", x), instance(assume(event("A"))))
    return auto(goal, known, (mono(low, "x", goal.args[1].args[1].args[1]), larger))


# ----------------------------------------------------------------------------------------------- a maximal coupling


z = var("z")
FIRST, SECOND, CODE = app("first", z), app("second", z), app("code", x)
DIFFERENT = are_different(z)


def least_of_couplings(C: Term, marginals: list[Theorem], variation: Theorem, goal: Formula) -> Theorem:
    """TV <= Pr[X != Y] for a coupling: P(A) - Q(A) is the mean of A(X) - A(Y), which is 0 where X = Y."""
    idempotent = assume(event("A"))

    def A(point: Term) -> Term:
        return app("A", point)

    same_points = under(FIRST, SECOND, A(var("w")))
    low, high = (bounds_of_event(A(at_z), instance(idempotent, {"x": at_z})) for at_z in (FIRST, SECOND))
    apart_low = auto(le(0, DIFFERENT), bounds_of_event(equal(FIRST, SECOND), equal_is_event(FIRST, SECOND))[1])
    gap = auto(le(0, 1 - A(FIRST) + A(SECOND)), low[1], high[0])
    pointwise = auto(le(A(FIRST), A(SECOND) + DIFFERENT), same_points, (apart_low, gap))
    of_A = [instance(f, {"g": fn("x", A(x))}) for f in marginals]
    _, given, _ = parts_of(variation.conclusion)
    (most,) = given
    chance = mean("z", C, DIFFERENT)
    wanted = replace(most, {"c": chance})
    test = auto(wanted.then, mono(pointwise, "z", C), *of_A)  # type: ignore[union-attr]
    return auto(goal, instance(variation, {"c": chance}, test))


p, q, r, u_01, share = map(var, ("p", "q", "r", "u", "share"))
BOTH = ind(u_01, 1 - share)  # whether both parts are one draw of what the laws share
IS_BOTH = indicator(u_01, 1 - share, 0)
PARTS = (("p", "common"), ("q", "more"), ("r", "less"))
OF_PAIR = Term("dirac", (pair(BOTH * p + (1 - BOTH) * q, BOTH * p + (1 - BOTH) * r),))


def chosen(bit: Term, other: Term) -> Term:
    """The shared draw, or the other one."""
    return bit * p + (1 - bit) * other


def coded(point: Term) -> Term:
    return app("code", point)


def drawn_together() -> Term:
    """The law of the pairs."""
    C = OF_PAIR
    for name, part in reversed(PARTS):
        C = Term("mix", ((name,), law(part), C))
    return Term("mix", (("u",), UNIT, C))


def over_draws(known: Theorem) -> Theorem:
    """The mean of both sides over all that is drawn."""
    for name, part in reversed(PARTS):
        known = mono(known, name, law(part))
    return mono(known, "u", UNIT)


def marginal(side: int, read: Theorem, of_law: Theorem, of_name: Theorem, weight: Theorem) -> Theorem:
    """A part of the pair has its law: g of the part is g of the shared draw, or of the other."""
    g, w = (lambda point: app("g", point)), var("w")
    other, one = (q, r)[side], (P, Q)[side]
    here = same(instance(read, {"x": chosen(BOTH, q), "y": chosen(BOTH, r)}), "w", g(w))

    def apart(bit: Term) -> Term:
        return g(coded(chosen(bit, other))) - bit * g(coded(p)) - (1 - bit) * g(coded(other))

    either = by_bit(BOTH, IS_BOTH, lambda case: auto(eq(apart(BOTH), 0), same(case, "w", apart(w))))
    mixed = instance(of_law, {"g": fn("x", g(CODE))})
    again = mono(same(of_name, "w", g(w)), "x", one)
    goal = coupling(drawn_together(), of_names(P), of_names(Q))[side].then  # type: ignore[union-attr]
    return for_all("g", auto(goal, over_draws(here), over_draws(either), weight, mixed, again))


def rarely_different(reads: list[Theorem], weight: Theorem) -> Theorem:
    """The parts differ with probability `share` at most, since they do not where both are one draw."""
    ends = {"x": chosen(BOTH, q), "y": chosen(BOTH, r)}
    of_pair = pair(ends["x"], ends["y"])
    codes = [coded(ends[name]) for name in "xy"]
    w = var("w")

    def differ(one: Any, other: Any) -> Term:
        return 1 - equal(one, other)

    moved = (
        same(instance(reads[0], ends), "w", differ(w, app("second", of_pair))),
        same(instance(reads[1], ends), "w", differ(codes[0], w)),
    )

    def under_bit(bit: Term) -> Term:
        return bit * differ(coded(chosen(bit, q)), coded(chosen(bit, r)))

    never = by_bit(BOTH, IS_BOTH, lambda case: auto(eq(under_bit(BOTH), 0), same(case, "w", under_bit(w))))
    rest, low = auto(le(0, 1 - BOTH)), bounds_of_event(equal(*codes), equal_is_event(*codes))
    seen = auto(le(differ(app("first", of_pair), app("second", of_pair)), 1 - BOTH), *moved, never, (rest, low[0]))
    return auto(le(mean("z", drawn_together(), DIFFERENT), share), over_draws(seen), weight)


@proof
def a_maximal_coupling(statement: All) -> Theorem:
    """What both laws share is drawn once, with probability 1 - share; else each part from what its law has more of."""
    goal = statement.then
    assert isinstance(goal, All)
    exists = assume(goal.given[0])  # what follows wherever there is one
    most, least = (assume(f) for f in statement.given[-2:])
    *reads, of_name = (assume(f) for f in pairs_of_names())
    laws = {"U": fn("", of_names(P)), "V": fn("", of_names(Q))}
    _, (parts,), _ = parts_of(parts_of(hahn_jordan())[2])
    _, given, _ = parts_of(replace(parts, laws))
    of_P, of_Q, low, high, is_event, all_more, no_less = [assume(f) for f in given]
    weight = unit(1 - share, "u", auto(le(0, 1 - share), high), auto(le(1 - share, 1), low))
    name = instance(of_name)
    marginals = [marginal(k, reads[k], of_law, name, weight) for k, of_law in enumerate((of_P, of_Q))]
    C, variation = drawn_together(), var("variation")
    chance = mean("z", C, DIFFERENT)
    lower = least_of_couplings(C, marginals, least, le(variation, chance))
    inside = app("split", x)
    of_event = instance(most, {"A": fn("x", inside)}, is_event)
    masses = [instance(f, {"g": fn("x", inside)}) for f in (of_P, of_Q)]
    shares = auto(le(share, variation), of_event, *masses, all_more, no_less)
    exact = antisymmetric(auto(le(chance, variation), rarely_different(reads, weight), shares), lower)
    rival = law("rival")
    given = coupling(rival, of_names(P), of_names(Q))
    of_rival = least_of_couplings(rival, list(map(assume, given)), least, le(variation, mean("z", rival, DIFFERENT)))
    no_less = for_all("rival", of_rival, *given)
    of_parts = instance(exists, {"maximal": fn("", C)}, *marginals, exact, no_less)
    return instance(instance(assume(hahn_jordan()), laws), {}, of_parts)


# --------------------------------------------------------------------------------------------- the coupled environment


def second_given_first(arm: Any, reward: Any) -> Term:
    return law("C", arm, reward)


def first_history(statement: All) -> Theorem:
    """The policy goes by the first rewards."""
    return _history(statement, here, nu, 0)


def second_history(statement: All) -> Theorem:
    """The policy goes by the second rewards."""
    return _history(statement, there, nu_prime, 1)


@proof
def _history(statement: All, side: Callable[[Any], Term], bandit: Callable[[Any], Term], which: int) -> Theorem:
    """By induction over the rounds: what a test says of the next history is a test of this one."""
    begins, grows = map(assume, history_with(side, which))
    h, arm, r, w, T = map(var, ("h", "a", "r", "w", "T"))
    start, parts = var("empty"), {"r": app("first", y), "q": app("second", y)}

    def A(point: Term) -> Term:
        return app("A", point)

    def both(arm: Any) -> Term:
        return law("C", arm)

    def runs(count: Any) -> Term:
        return coupled_environment(pi, both, count, side)

    def says(count: Any) -> Any:
        return history_is(runs(count), side, histories(pi, bandit, count)).then

    claim = All(("A",), (), says(n))
    step, plain_step = runs(0).args[3], histories(pi, bandit, 0).args[3]
    at_start = steps_zero("x", A(side(x)), "i", "z", start, step), steps_zero("h", A(h), "i", "h", start, plain_step)
    base = auto(says(0), *at_start, same(begins, "w", A(w)))
    pn = assume(nat(n))
    known = mono(same(instance(grows, {"z": z, "a": arm} | parts), "w", A(w)), "y", both(arm))
    tested = fn("x", A(pair(pair(side(z), arm), x)))
    told = instance(assume(parts_have_law(both, which, bandit)), {"g": tested})
    read = [mono(mono(p_, "a", pi(n, side(z))), "z", runs(n)) for p_ in (known, told)]
    later = mean("a", pi(n, h), mean("r", bandit(arm), A(pair(pair(h, arm), r))))
    before = instance(assume(claim), {"A": fn("h", later)})
    nexts = (
        steps_next(pn, "x", A(side(x)), "i", "z", start, step),
        steps_next(pn, "x", A(x), "i", "h", start, plain_step),
    )
    return instance(induction("n", base, auto(says(n + 1), *nexts, *read, before), claim, at=T), {})


# ------------------------------------------------------------------------------------------ how many records differ

k, so_far, w = map(var, ("k", "total", "w"))
APART, ROOM = app("apart", m), le(m + 1, n)
PAIR = law("C", m)
lead, slope, constant = map(var, ("lead", "slope", "level"))


def differences(count: Any) -> Term:
    return number_of_differences(lambda i: law("C", i), count)


def ones(count: Any) -> Term:
    return number_of_ones(lambda i: coin(app("apart", i)), count)


def chance_of_a_difference() -> Theorem:
    """The premise, of record m."""
    i = var("i")
    says = All(("i",), (nat(i), lt(i, n)), eq(mean("z", law("C", i), are_different(z)), app("apart", i)))
    return instance(assume(says), {"i": m}, assume(nat(m)), auto(lt(m, n), assume(ROOM)))


def of_a_pair(context: Term) -> Theorem:
    """E G(1[X != Y]) = t G(1) + (1 - t) G(0), G being a context of w."""
    differ, (yes, no) = are_different(z), (substitute(context, {"w": term(b)}) for b in (1, 0))
    goal = eq(substitute(context, {"w": differ}), differ * yes + (1 - differ) * no)

    def known(value: int, *facts: Any) -> Theorem:
        is_it = auto(eq(differ, value), *facts)
        return auto(goal, same(is_it, "w", context), (yes - no, is_it))

    each = unless_equal(FIRST, SECOND, lambda p: known(0, is_equal(p)), lambda _, zero: known(1, zero))
    return auto(
        eq(mean("z", PAIR, goal.args[0]), APART * yes + (1 - APART) * no),
        mono(each, "z", PAIR),
        (yes - no, chance_of_a_difference()),
    )


def of_a_coin(context: Term) -> Theorem:
    """The same of a coin with the chance t, which is one."""
    differ = are_different(z)
    low, high = bounds_of_event(equal(FIRST, SECOND), equal_is_event(FIRST, SECOND))
    bounds = mono(auto(le(0, differ), high), "z", PAIR), mono(auto(le(differ, 1)), "z", PAIR)
    inside = (auto(f, p, chance_of_a_difference()) for f, p in zip((le(0, APART), le(APART, 1)), bounds, strict=True))
    return mean_of_coin(APART, context, *inside)


def one_bit_more(law_of: Callable[[Any], Term], of_one: Callable[[Term], Theorem]) -> Theorem:
    """E g(S + X) = t E g(S + 1) + (1 - t) E g(S), for the sum S of m bits and the next bit X."""
    one_step = law_of(m).args[3]
    goes_on = steps_next(assume(nat(m)), "x", app("g", x), "i", "total", term(0), one_step)
    return auto(
        eq(mean("x", law_of(m + 1), app("g", x)), mean("x", law_of(m), AFTER)),
        goes_on,
        mono(of_one(app("g", so_far + w)), "total", law_of(m)),
    )


AFTER = APART * app("g", x + 1) + (1 - APART) * app("g", x)
BY_BITS = (differences, of_a_pair), (ones, of_a_coin)


@proof
def law_of_differences(statement: All) -> Theorem:
    """Bit by bit, for all functions of the number."""

    def says(count: Any) -> Rel:
        return eq(*(mean("x", law_of(count), app("g", x)) for law_of, _ in BY_BITS))

    claim = All(("g",), (le(m, n),), says(m))
    starts = [steps_zero("x", app("g", x), "i", "total", term(0), law_of(0).args[3]) for law_of, _ in BY_BITS]
    before = instance(assume(claim), {"g": fn("x", AFTER)}, auto(le(m, n), assume(ROOM)))
    step = auto(says(m + 1), *(one_bit_more(*bits) for bits in BY_BITS), before)
    whole = induction("m", auto(says(0), *starts), step, claim, at=n)
    return instance(whole, {})


@proof
def square_of_differences(statement: All) -> Theorem:
    """By induction, of all functions that are a polynomial of degree two on 0, ..., m."""

    def is_polynomial(count: Any) -> All:
        return All(("k",), (nat(k), le(k, count)), eq(app("g", k), lead * k * k + slope * k + constant))

    def sums(count: Any) -> tuple[Term, Term]:
        chance = lambda i: app("apart", i)  # noqa: E731
        return sum_of(chance, count), sum_of(lambda i: chance(i) * (1 - chance(i)), count)

    def says(count: Any) -> Rel:
        total, spread = sums(count)
        value = lead * (total * total + spread) + slope * total + constant
        return eq(mean("x", differences(count), app("g", x)), value)

    claim = All(("g", "lead", "slope", "level"), (le(m, n), is_polynomial(m)), says(m))
    start = steps_zero("x", app("g", x), "i", "total", term(0), differences(0).args[3])
    at_zero = instance(assume(is_polynomial(term(0))), {"k": term(0)})
    pm, known = assume(nat(m)), assume(is_polynomial(m + 1))
    place, inside = assume(nat(k)), assume(le(k, m))
    now, later = (
        instance(known, {"k": at}, natural, auto(le(at, m + 1), inside))
        for at, natural in ((k, place), (k + 1, nat_next(place)))
    )
    values = {"slope": slope + 2 * lead * APART, "level": constant + (lead + slope) * APART}
    after = substitute(AFTER, {"x": k})
    wanted = substitute(lead * k * k + slope * k + constant, values)
    is_one = for_all(
        "k", auto(eq(after, wanted), (APART, later), (1 - APART, now)), place.conclusion, inside.conclusion
    )
    before = instance(assume(claim), {"g": fn("x", AFTER), **values}, auto(le(m, n), assume(ROOM)), is_one)
    total, more = sums(m)[0], sums(m + 1)[0]
    nexts = [
        uniform_next(pm, "j", body)
        for body in (app("apart", var("j")), app("apart", var("j")) * (1 - app("apart", var("j"))))
    ]
    step = auto(
        says(m + 1),
        one_bit_more(*BY_BITS[0]),
        before,
        (lead * (more + total + APART) + slope, nexts[0]),
        (lead, nexts[1]),
    )
    whole = induction("m", auto(says(0), start, at_zero), step, claim, at=n)
    goal: Any = statement.then
    return auto(goal.then, instance(whole, {"lead": term(1), "slope": term(0), "level": term(0)}))


@proof
def divergence_on_products(statement: All) -> Theorem:
    """Theorem 4.8 for records of one law."""
    names = "M P Q n epsilon near pair empty"
    one, other = (lambda i: law("P", i)), (lambda i: law("Q", i))
    here, there = (drawn(at, independent_records(laws, n)) for laws in (one, other))
    given = nat(n), le(0, epsilon), *replaced_records_are_near(), PRIVATE
    every = if_they_vary(one, other, n, lambda tv: kl_at_most(here, there, epsilon * sum_of(tv, n)))
    known = pure_on_products(All(tuple(names.split()), given, every))
    equal_laws = instance(known, {name: fn("i", law(name)) for name in "PQ"})
    return auto(conclusion(statement), instance(instance(equal_laws, {"tv": fn("i", vary)})))
