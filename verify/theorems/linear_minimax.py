"""Proofs in the kernel that every policy on [-1, 1]^d has a large regret for some parameter of bounded mean rewards.

The parameter is (+-size, ..., +-size) with random signs. Two of these that differ in one sign are hard to tell apart,
so that in each round one of them plays that coordinate wrong: half of both costs, in the mean over the signs.
"""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.couplings import variation_at_most
from banditproof.verify.kernel.divergences import kl_at_most
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.linear import (
    actions_fill_the_cube,
    coordinate,
    inner,
    missed_in_round,
    sign_of,
    signs_are_told,
)
from banditproof.verify.kernel.policies import is_arm
from banditproof.verify.theorems.bandit_divergences import (
    HERE,
    THERE,
    Histories,
    a,
    after,
    h,
    j,
    n,
    r,
    tilt_is_positive,
)
from banditproof.verify.theorems.double_change import (
    OF_ARMS,
    action_of_a_round,
    by_some_law,
    epsilon,
    histories_are_told,
    no_divergence,
)
from banditproof.verify.theorems.interactive_regret import decision_law, decision_of_a_round
from banditproof.verify.theorems.minimax import at_arm
from banditproof.verify.theorems.normal_laws import half_distances, half_squares, of_normal_laws
from banditproof.verify.theorems.policies import K, b, i, sum_over
from banditproof.verify.theorems.renyi import mean_of_exp_positive
from banditproof.verify.theorems.testing import errors_of_a_test

c, w, x, y, T = map(var, ("spot", "signs", "x", "y", "T"))
d, delta, rho, other_w = map(var, ("dimension", "size", "rho", "other"))


# ------------------------------------------------------------------------------------------------------ random signs


def entry(k: Any, count: Any, sequence: Any = w) -> Term:
    return app("entry", k, count, sequence)


def turned(k: Any, count: Any) -> Term:
    """Sign k of the sequence, turned where k is c."""
    return (1 - 2 * equal(k, c)) * entry(k, count)


def near(count: Any) -> tuple[All, All]:
    """The sequences w and other are of signs, and are the same but for sign c."""
    place = is_arm(j, count)
    is_sign = eq(entry(j, count) * entry(j, count), 1)
    return All(("j",), place, is_sign), All(("j",), place, eq(entry(j, count, other_w), turned(j, count)))


STEP = Term("mix", (("b",), uniform(2), Term("dirac", (app("pair", h, b),))))


def signs(count: Any) -> Term:
    """The law of so many random signs."""
    return Term("steps", (("i", "h"), term(count), var("empty"), STEP))


def of_coin(body: Term) -> Theorem:
    """E body(b) = body(0)/2 + body(1)/2 for b uniform on 0, 1."""
    zero, one = (uniform_next(p, "b", body) for p in (nat_zero(), nat_next(nat_zero())))
    return auto(
        eq(mean("b", uniform(2), body), substitute(body, {"b": term(0)}) / 2 + substitute(body, {"b": term(1)}) / 2),
        zero,
        one,
    )


@lemma("dimension empty pair entry spot", nat(d), *signs_are_told(d))
def by_pairs() -> Theorem:
    """0 <= E f + E g over n random signs, where 0 <= f(w) + g(other) for sequences that are the same but for sign c."""
    f, g, pn, enough = app("f", w), app("g", w), assume(nat(n)), assume(le(n + 1, d))

    def says(count: Any) -> All:
        total = mean("signs", signs(count), f) + mean("signs", signs(count), g)
        pairs = All(("signs", "other"), near(count), le(0, f + app("g", other_w)))
        return All(("f", "g"), (le(count, d), pairs), le(0, total))

    claim, pairs = says(n), assume(says(n + 1).given[1])
    start = instance(assume(says(term(0)).given[1]), {"signs": var("empty"), "other": var("empty")}, *nothing_told())
    begins = [steps_zero("signs", t, "i", "h", var("empty"), STEP) for t in (f, g)]
    base = auto(says(term(0)).then, start, *begins)
    turn = 1 - 2 * equal(n, c)
    longer = instance(pairs, {"signs": app("pair", w, x), "other": app("pair", other_w, y)}, *one_coin_more())
    both = for_all("x y", longer, eq(sign_of(y), turn * sign_of(x)))
    of_f, of_g = (lambda v: app("f", app("pair", w, v))), (lambda v: app("g", app("pair", other_w, v)))
    goal = le(0, of_f(0) + of_f(1) + of_g(0) + of_g(1))

    def by_turn(value: int, is_value: Theorem) -> Theorem:
        known = auto(eq(turn, value), is_value)
        ends = ((v, v if value == 1 else 1 - v) for v in (0, 1))
        each = [
            instance(both, {"x": term(v), "y": term(o)}, auto(eq(sign_of(o), turn * sign_of(v)), known))
            for v, o in ends
        ]
        return auto(goal, *each)

    def hit(proved: Theorem) -> Theorem:
        return by_turn(-1, auto(eq(equal(n, c), 1), same(proved, "v", equal(var("v"), c))))

    signed = unless_equal(n, c, hit, lambda _, zero: by_turn(1, zero))
    coins = [of_coin(t) for t in (of_f(b), of_g(b))]
    first, second = (p.conclusion.args[0] for p in coins)  # type: ignore[union-attr]
    paired = for_all("signs other", auto(le(0, first + second), signed, *coins), *near(n))
    averaged = [mean("b", uniform(2), substitute(t, {"signs": app("pair", w, b)})) for t in (f, g)]
    values = {name: fn("signs", t) for name, t in zip("fg", averaged, strict=True)}
    shorter = instance(assume(claim), values, auto(le(n, d), enough), paired)
    grown = [steps_next(pn, "signs", t, "i", "h", var("empty"), STEP) for t in (f, g)]
    step = auto(says(n + 1).then, shorter, *grown)
    return induction("n", base, step, claim, at=d)


def nothing_told() -> list[Theorem]:
    """The empty sequence is one of signs."""
    none = contradiction(nat_nonnegative(assume(nat(j))), assume(lt(j, 0)))
    ends = {"signs": var("empty"), "other": var("empty")}
    return [for_all("j", absurd(none, f.then), *f.given) for f in (replace(f, ends) for f in near(term(0)))]  # type: ignore[union-attr]


def one_coin_more() -> list[Theorem]:
    """With the coins x and y behind them they are still near, where y has the sign of x, turned where n is c."""
    last, before = (assume(p) for p in signs_are_told(d))
    turn = 1 - 2 * equal(n, c)
    ends = {"signs": (w, x), "other": (other_w, y)}
    pn, pj, early, late, soon = assume(nat(n)), assume(nat(j)), assume(lt(j, n)), assume(le(n, j)), assume(lt(j, n + 1))
    few = auto(lt(n, d), assume(le(n + 1, d)))
    turned_x = assume(eq(sign_of(y), turn * sign_of(x)))
    is_sign = auto(eq(sign_of(x) * sign_of(x), 1), equal_is_event(x, 1))
    is_n = antisymmetric(auto(le(j, n), nat_nonnegative(nat_minus(pj, nat_next(pn), soon))), late)
    kept, new = [], []
    for start, end in ends.values():
        whole = app("pair", start, end)
        kept.append(instance(before, {"i": n, "coins": start, "b": end}, pn, few, pj, early))
        at_n = instance(last, {"i": n, "coins": start, "b": end}, pn, few)
        new.append(auto(eq(entry(j, n + 1, whole), sign_of(end)), at_n, same(is_n, "v", entry(var("v"), n + 1, whole))))
    pairs = {name: app("pair", *end) for name, end in ends.items()}
    goals = [replace(f.then, pairs) for f in near(n + 1)]
    old = [instance(assume(f), {}, pj, early) for f in near(n)]
    at, there = entry(j, n + 1, app("pair", w, x)), 1 - 2 * equal(j, c)
    first = (auto(goals[0], (at + entry(j, n), kept[0]), old[0]), auto(goals[0], (at + sign_of(x), new[0]), is_sign))
    moved = same(is_n, "v", 1 - 2 * equal(var("v"), c))
    second = (
        auto(goals[1], kept[1], old[1], (there, kept[0])),
        auto(goals[1], new[1], (there, new[0]), (sign_of(x), moved), turned_x),
    )
    return [for_all("j", cases(now, then, n, j), *is_arm(j, n + 1)) for then, now in (first, second)]


# --------------------------------------------------------------------------------------------- two parameters


def theta(sequence: Any) -> Any:
    """The entries of the parameter with these signs."""
    return lambda k: delta * entry(k, d, sequence)


def reward(value: Any) -> Term:
    return law("N", value)


def bandit(sequence: Any) -> Any:
    return fn("x", reward(inner(theta(sequence), x, d)))


def on(sequence: Any, of: Histories, t: Term) -> Term:
    return substitute(t, {"nu" if of is HERE else "nu_prime": bandit(sequence)})


SIGN = entry(c, d)
MISSED = (1 - SIGN * coordinate(a, c)) / 2
CUBE = [All(("a", "i"), is_arm(i, d), f) for f in (le(-1, coordinate(a, i)), le(coordinate(a, i), 1))]
FAR = half_distances(reward)


def missed_is_a_chance() -> tuple[Theorem, Theorem]:
    """0 <= (1 - s a_c)/2 <= 1, for a sign s."""
    is_sign = instance(assume(near(d)[0]), {"j": c}, *map(assume, is_arm(c, d)))
    plus = (1 + SIGN) / 2
    low, high = bounds_of_event(plus, auto(eq(plus * plus, plus), is_sign))
    inside = [instance(assume(f), {"i": c}, *map(assume, is_arm(c, d))) for f in CUBE]
    minus = auto(le(0, 1 - plus), high)
    bound = [auto(f, (low, inside[k]), (minus, inside[1 - k])) for k, f in ((1, le(0, MISSED)), (0, le(MISSED, 1)))]
    return bound[0], bound[1]


def worths_differ() -> Theorem:
    """<theta, a> - <theta', a> = 2 size s a_c, for parameters that are the same but for sign c."""
    moved = 2 * delta * entry(i, d) * coordinate(a, i) * equal(i, c)
    now, then = (theta(of)(i) * coordinate(a, i) for of in (w, other_w))
    turned_i = instance(assume(near(d)[1]), {"j": i}, *map(assume, is_arm(i, d)))
    same_sum = sum_over(auto(eq(0, now - then - moved), (delta * coordinate(a, i), turned_i)), "i", d)
    only = at_arm(lambda k: 2 * delta * entry(k, d) * coordinate(a, k), c, (assume(nat(c)), assume(lt(c, K))))
    at_c = instance(for_all("K", only, nat(K), lt(c, K)), {"K": d}, assume(lt(c, d)))
    goal = eq(inner(theta(w), a, d) - inner(theta(other_w), a, d), 2 * delta * SIGN * coordinate(a, c))
    return auto(goal, same_sum, at_c)


def laws_vary() -> Theorem:
    """TV of the laws of the rewards of an action for both parameters is at most the size."""
    A, of_event, distances, differ = app("A", x), event("A"), assume(FAR), worths_differ()
    first, second = inner(theta(w), a, d), inner(theta(other_w), a, d)
    low, high = ((assume(le(0, delta)), f) for f in missed_is_a_chance())
    goal = variation_at_most(reward(first), reward(second), delta).then
    up = instance(instance(distances, {"s": first, "t": second}, assume(le(first, second))), {}, assume(of_event))
    idempotent = instance(assume(of_event), {})
    without = for_all("x", auto(eq((1 - A) * (1 - A), 1 - A), idempotent))
    back = instance(distances, {"s": second, "t": first}, weak(assume(lt(second, first))))
    down = instance(back, {"A": fn("x", 1 - A)}, without)
    proved = cases(auto(goal, up, differ, high), auto(goal, down, differ, low), first, second)
    return for_all("a", for_all("A", proved, of_event))


def price(spread: Term) -> Term:
    return T * delta * exp(-spread)


def cost(sequence: Any, k: Any) -> Term:
    """What coordinate c costs in round k, in the mean, where the parameter has these signs."""
    body = mean("a", law("pi", k, h), delta * (1 - entry(c, d, sequence) * coordinate(a, c)))
    return on(sequence, HERE, HERE.mean(k, body))


def whole_cost(sequence: Any) -> Term:
    return sum_of(lambda k: cost(sequence, k), T)


LAWS = on(w, HERE, decision_law(HERE)), on(other_w, THERE, decision_law(THERE))  # of the action in round n


def both_cost(close: Theorem, spread: Term) -> Theorem:
    """T size e^-spread <= what coordinate c costs for both parameters, in T rounds: in each one it is a test.

    `close` says that the divergence of the laws of the action is at most the spread.
    """
    positive, chances = assume(le(0, delta)), missed_is_a_chance()
    missed, low, high = substitute(MISSED, {"a": x}), *(instance(for_all("a", f), {"a": x}) for f in chances)
    test = errors_of_a_test(close, LAWS, "x", missed, low, high, spread)
    turned_c = instance(assume(near(d)[1]), {"j": c}, *map(assume, is_arm(c, d)))
    wrong = on(other_w, HERE, HERE.mean(n, mean("a", law("pi", n, h), coordinate(a, c))))
    goal = le(0, cost(w, n) + cost(other_w, n) - delta * exp(-spread))
    in_round = auto(goal, (positive, test), (delta * wrong, turned_c))
    return auto(le(price(spread), whole_cost(w) + whole_cost(other_w)), sum_over(in_round, "n", T))


# ------------------------------------------------------------------------------------------- all signs, in the mean


BEST, LEVEL, LARGEST = var("optimal"), var("bound"), var("c")
IS_BEST = All(("i",), is_arm(i, d), eq(coordinate(BEST, i), entry(i, d)))
SIGNS = near(d)[0]


def total() -> Term:
    """What all coordinates cost."""
    return term(d) * mean("spot", uniform(d), whole_cost(w))


def regret() -> Term:
    return sum_of(lambda k: missed_in_round(pi, theta(w), BEST, reward, d, k), T)


def regret_is_total() -> Theorem:
    """The regret is the sum of what the coordinates cost, the action with the signs of the parameter being the best."""
    is_sign, is_best = (
        instance(assume(f), {v: i}, *map(assume, is_arm(i, d))) for f, v in ((SIGNS, "j"), (IS_BEST, "i"))
    )
    value = delta * entry(i, d)
    best = sum_over(auto(eq(0, value * coordinate(BEST, i) - delta), (value, is_best), (delta, is_sign)), "i", d)
    played = inner(theta(w), a, d)
    of_told = instance(for_all("nu", histories_are_told()), {"nu": bandit(w)})
    told = instance(instance(of_told, {"n": j}, assume(nat(j))), {"F": fn("h", mean("a", pi(j, h), played))})
    runs = on(w, HERE, HERE.law(j))
    one = value * coordinate(a, i)
    by_actions = mono(fubini("a", pi(j, h), "i", uniform(d), one), "h", runs)
    by_histories = fubini("h", runs, "i", uniform(d), mean("a", pi(j, h), one))
    in_round = term(d) * mean("spot", uniform(d), cost(w, j))
    missed = missed_in_round(pi, theta(w), BEST, reward, d, j)
    each = auto(eq(0, missed - in_round), told, best, (d, by_actions), (d, by_histories))
    swapped = fubini("j", uniform(T), "spot", uniform(d), cost(w, j))
    return auto(eq(regret(), total()), sum_over(each, "j", T), (T * d, swapped))


def total_is_small(wherever: Theorem) -> Theorem:
    """The costs of all signs are at most the level: else there is a parameter of that regret, and c <= 0."""
    place = [assume(f) for f in is_arm(i, d)]
    low, high = (instance(assume(f), {}, *place) for f in CUBE)
    is_sign, is_best = instance(assume(SIGNS), {"j": i}, *place), instance(assume(IS_BEST), {}, *place)
    plus, value, positive = (1 + entry(i, d)) / 2, delta * entry(i, d), assume(le(0, delta))
    up, one = bounds_of_event(plus, auto(eq(plus * plus, plus), is_sign))
    ends = (product(positive, up), product(positive, auto(le(0, 1 - plus), one)))
    worth, best, room = inner(theta(w), a, d), inner(theta(w), BEST, d), assume(le(d * delta, 1))
    most = sum_over(auto(le(0, delta - value * coordinate(a, i)), (ends[0], high), (ends[1], low)), "i", d)
    least = sum_over(auto(le(0, delta + value * coordinate(a, i)), (ends[0], low), (ends[1], high)), "i", d)
    whole = sum_over(auto(eq(0, value * coordinate(BEST, i) - delta), (value, is_best), (delta, is_sign)), "i", d)
    of_all = [
        for_all("a", auto(f, *facts))
        for f, facts in ((le(worth, best), (most, whole)), (le(-1, worth), (least, room)), (le(worth, 1), (most, room)))
    ]
    above = auto(le(LEVEL, regret()), assume(lt(LEVEL, total())), regret_is_total())
    none = instance(wherever, {"theta": fn("i", theta(w)(i))}, *of_all, above)
    inside = [for_all("i", f, *is_arm(i, d)) for f in (auto(le(-1, entry(i, d)), up), auto(le(entry(i, d), 1), one))]
    there = instance(assume(FILLED), {"vector": fn("i", entry(i, d))}, *inside)
    nothing = instance(there, {}, for_all("optimal", none, IS_BEST))
    false = contradiction(nothing, assume(lt(0, LARGEST)))
    return by_contradiction(le(total(), LEVEL), false)


FILLED = actions_fill_the_cube(d)[-1]


def some_parameter(wherever: Theorem, enough: Theorem, close: Theorem, spread: Term) -> Theorem:
    """c <= 0, where the level is below half of d prices: of what a pair of signs costs, d times."""
    small = auto(le(0, LEVEL - total() + 0), total_is_small(wherever))
    every = instance(by_pairs(), {"spot": d})
    of_all = instance(for_all("spot", for_all("signs other", small, *near(d))), {"spot": d})
    most = instance(every, {"f": fn("signs", LEVEL - total()), "g": fn("signs", 0)}, of_all)
    share = price(spread) / 2
    half = whole_cost(w) - share
    both = auto(le(0, half + whole_cost(other_w) - share), both_cost(close, spread))
    values, of_pairs = {"f": fn("signs", half), "g": fn("signs", half)}, for_all("signs other", both, *near(d))
    pairs = instance(instance(by_pairs(), {}), values, of_pairs)
    each = auto(le(0, mean("signs", signs(d), whole_cost(w)) - share), pairs)
    swapped = fubini("signs", signs(d), "spot", uniform(d), whole_cost(w))
    false = contradiction(most, sum_over(each, "spot", d), (d, swapped), enough)
    return by_contradiction(le(LARGEST, 0), false)


def at_two_sizes(statement: All, hard: tuple[Theorem, Term, Theorem], scale: Theorem, levels: list[Theorem]) -> Theorem:
    """The size is 1/(scale T), or 1/d where that is larger. Then the price is at least twice the factor, times T size.

    `hard` says what is close, how much, and what the price is at least; the level is below factor d/scale and factor T.
    """
    close, spread, least = hard
    wherever = assume(statement.then.given[0])  # type: ignore[union-attr]
    s, factor = scale.conclusion.args[1], levels[1].conclusion.args[1] / T  # type: ignore[union-attr]
    dimensions, rounds = auto(lt(0, d)), auto(lt(0, T))
    of_size = le(0, delta), le(d * delta, 1), le(s * T * delta, 1), lt(LEVEL, factor * d * T * delta)
    enough = auto(lt(LEVEL, d * price(spread) / 2), assume(of_size[-1]), (dimensions, least))
    every = for_all("size", some_parameter(wherever, enough, close, spread), *of_size)
    over_s, over_T, over_d = map(reciprocal_positive, (scale, rounds, dimensions))
    fits, above, inverse, first = assume(le(d, s * T)), assume(lt(s * T, d)), product(over_s, over_T), 1 / (s * T)
    inside = instance(
        every,
        {"size": first},
        auto(le(d * first, 1), (weak(inverse), fits)),
        auto(lt(LEVEL, factor * d * T * first), levels[0]),
    )
    beyond = instance(
        every,
        {"size": 1 / d},
        auto(le(s * T * (1 / d), 1), (weak(over_d), above)),
        auto(lt(LEVEL, factor * d * T * (1 / d)), levels[1]),
    )
    return cases(inside, beyond, d, s * T)


# ------------------------------------------------------------------------------------ no privacy, and two kinds of it


@once
def decisions_diverge() -> Theorem:
    """D_KL of the decisions of round n on two bandits is at most n times what the rewards of an action tell at most."""
    u, v, pn, most = app("u", h), app("u", a), assume(nat(n)), var("most")
    of_actions = All(("a",), (), kl_at_most(HERE.bandit(a), THERE.bandit(a), most))

    def says(m: Any) -> All:
        return kl_at_most(HERE.law(m), THERE.law(m), m * most)

    tilted, decided = mean("a", pi(n, h), mean("r", THERE.bandit(a), exp(app("u", after(a, r))))), exp(v)
    w, U = Term("log", (tilted,)), Term("log", (mean("a", pi(n, h), decided),))
    value, chosen = exp_log(tilt_is_positive(app("u", after(a, r)))), exp_log(mean_of_exp_positive("a", pi(n, h), v))
    base = auto(says(term(0)).then, HERE.none(u), THERE.none(exp(u)), exp_tangent(app("u", var("empty"))))
    told = instance(instance(assume(of_actions), {}), {"u": fn("r", app("u", after(a, r)) - w)})
    fair = mono(auto(eq(exp(-w) * tilted, 1), value), "h", HERE.law(n))
    before = instance(assume(says(n)), {"u": fn("h", w)})
    of_round = mono(mono(told, "a", pi(n, h)), "h", HERE.law(n))
    rounds = [HERE.next(pn, u), THERE.next(pn, exp(u)), mono(value, "h", THERE.law(n))]
    step = auto(says(n + 1).then, before, of_round, fair, *rounds)
    every = instance(induction("n", base, step, says(n), at=n), {"u": fn("h", U)})
    jensen = mono(exp_tangent(v - U), "a", pi(n, h))
    below = auto(le(mean("a", pi(n, h), v), U), jensen, (exp(-U), chosen))
    means = mono(below, "h", HERE.law(n)), mono(chosen, "h", THERE.law(n))
    goal = kl_at_most(decision_law(HERE), decision_law(THERE), n * most)
    proved = for_all("u", auto(goal.then, every, *means))
    return for_all("pi nu nu_prime most n empty pair", proved, of_actions, nat(n))


def close_without_privacy() -> tuple[Theorem, Term, Theorem]:
    """The divergence is 2 T size^2, which is at most 2 where size T is at most a root of T."""
    positive, root, square_of = assume(le(0, delta)), var("root"), 2 * delta * delta
    first, second = inner(theta(w), a, d), inner(theta(other_w), a, d)
    of_means = instance(instance(assume(half_squares(reward)), {"s": first, "t": second}), {})
    spot = SIGN * coordinate(a, c)
    low, high = (auto(f, *missed_is_a_chance()) for f in (le(0, 1 - spot), le(0, 1 + spot)))
    squares = same(worths_differ(), "v", var("v") * var("v")), (square_of, product(low, high))
    bound = kl_at_most(reward(first), reward(second), square_of)
    told = for_all("a", for_all("u", auto(bound.then, of_means, *squares)))
    laws = {"nu": bandit(w), "nu_prime": bandit(other_w), "most": square_of}
    known = instance(instance(decisions_diverge(), laws, told, assume(nat(n))), {})
    later, spread = auto(le(0, T - n), assume(lt(n, T))), 2 * T * delta * delta
    close = for_all("u", auto(kl_at_most(*LAWS, spread).then, known, (product(positive, positive), later)))
    fits, moves = assume(le(1 / root * T * delta, 1)), product(positive, auto(le(0, T)))
    turned = assume(lt(0, root)), reciprocal(assume(lt(0, root)))
    few = auto(le(T * delta, root), (turned[0], fits))
    whole = auto(le(T * delta * T * delta, T), (moves, few), (turned[0], few))
    small = auto(le(T * delta * delta, 1), (reciprocal_positive(auto(lt(0, T))), whole))
    near_two = exp_monotone(auto(le(-2, -spread), small))
    return close, spread, auto(le(exp(-2) * T * delta, price(spread)), (moves, near_two))


def close_under_zcdp() -> tuple[Theorem, Term, Theorem]:
    """The divergence is T rho (1 + 2 size T) size, at most 3/8 where rho is the square of a root up to 1."""
    root, moved, low = var("root_rho"), T * delta, product(assume(le(0, delta)), auto(le(0, T)))
    third, positive, rho = term(3) / 8, assume(le(0, delta)), root * root
    values = {"nu": bandit(w), "nu_prime": bandit(other_w), "tv": fn("a", delta), "m": T, "q": delta, "rho": rho}
    soon, laws = assume(lt(n, T)), laws_vary()
    near_rounds = instance(decision_of_a_round(None), values, positive, laws, assume(nat(n)), weak(soon))
    spread = T * rho * (1 + 2 * moved) * delta
    dear = product(product(square(root), auto(le(0, 1 + 2 * moved), low)), positive)
    later = auto(le(0, T - n), soon)
    close = for_all("u", auto(kl_at_most(*LAWS, spread).then, instance(near_rounds, {}), (dear, later)))
    fits, step = assume(le(4 * root * moved, 1)), product(assume(lt(0, root)), low)
    squares = auto(le(16 * root * moved * root * moved, 1), (step, fits), fits)
    linear = auto(le(4 * root * root * moved, 1), (weak(assume(lt(0, root))), fits))
    small = exp_monotone(auto(le(-third, -spread), squares, linear))
    return close, spread, auto(le(5 * moved / 8, price(spread)), (low, small), (low, exp_tangent(-third)))


def larger_of_both(statement: All, private: Theorem) -> Theorem:
    """c <= 0 where the bound is at most the free term, of the factor e^-2/2, and where it is below the private one."""
    free, root, most = (var(name) for name in ("free", "root", "bound"))
    positive = assume(lt(0, root))
    scale, factor = reciprocal_positive(positive), exp(-2) / 2
    below = assume(le(most, free))
    levels = [auto(lt(most, factor * d / (1 / root)), below), auto(lt(most, factor * T), below)]
    of_free = at_two_sizes(statement, close_without_privacy(), scale, levels)
    ways = for_all("", of_free, below.conclusion), for_all("", private, le(most, var("level")))
    return instance(assume(statement.given[-1]), {}, *ways)


@of_normal_laws
def under_interactive_zcdp(statement: All) -> Theorem:
    """The factor is 5/16, which is more than e^-2.25."""
    root, ninth = var("root_rho"), term(9) / 4
    small = auto(lt(exp(-ninth), term(5) / 16), (exp(-ninth), exp_tangent(ninth)))
    positive, below = assume(lt(0, root)), assume(le(LEVEL, var("level")))
    share = product(reciprocal_positive(positive), auto(lt(0, d)))
    private = auto(lt(LEVEL, 5 * d / (16 * 4 * root)), below, (share, small))
    levels = [private, auto(lt(LEVEL, term(5) / 16 * T), below)]
    of_level = at_two_sizes(statement, close_under_zcdp(), auto(lt(0, 4 * root)), levels)
    return larger_of_both(statement, of_level)


def close_under_view_privacy() -> tuple[Theorem, Term, Theorem]:
    """The divergence is T epsilon size, which is at most 1."""
    positive, moved, low = assume(le(0, delta)), T * delta, product(assume(le(0, delta)), auto(le(0, T)))
    spread, charge, budget = epsilon * moved, epsilon * delta, assume(lt(0, epsilon))
    here, there = (law_of.body for law_of in (bandit(w), bandit(other_w)))
    laws = [substitute(of, {"x": a}) for of in (here, there)]
    far = instance(laws_vary(), {})
    of_arm = by_some_law((laws[0], laws[1], laws[1]), (delta, term(0)), charge, far, no_divergence(laws[1]))
    values = {"nu": bandit(w), "nu_prime": bandit(other_w), "k": n, "cost": fn("x", charge)}
    rounds = for_all("nu nu_prime cost k", action_of_a_round(), OF_ARMS, nat(var("k")), le(0, epsilon))
    known = instance(rounds, values, for_all("a", of_arm, *is_arm(a, K)), assume(nat(n)))
    every = for_all("nu", instance(histories_are_told(), {}, assume(nat(n))))
    decided = [fn("h", mean("a", pi(n, h), f)) for f in (app("u", a), exp(app("u", a)))]
    told = [
        instance(instance(every, {"nu": bandit(of)}), {"F": F}) for of, F in zip((w, other_w), decided, strict=True)
    ]
    later = product(weak(budget), positive), auto(le(0, T - n), assume(lt(n, T)))
    close = for_all("u", auto(kl_at_most(*LAWS, spread).then, instance(known, {}), *told, later))
    small = exp_monotone(auto(le(-1, -spread), assume(le(epsilon * T * delta, 1))))
    return close, spread, auto(le(exp(-1) * moved, price(spread)), (low, small))


@of_normal_laws
def under_view_privacy(statement: All) -> Theorem:
    """The factor is e^-1/2, twice the printed one."""
    budget = assume(lt(0, epsilon))
    below = assume(le(LEVEL, var("level")))
    levels = [auto(lt(LEVEL, exp(-1) / 2 * d / epsilon), below), auto(lt(LEVEL, exp(-1) / 2 * T), below)]
    return larger_of_both(statement, at_two_sizes(statement, close_under_view_privacy(), budget, levels))
