"""Proofs in the kernel of how many samples a private strategy needs to identify the best arm.

In every round the event that the strategy has recommended an arm is a test of the bandit against one with another best
arm: the divergence of the actions of the round pays for it. No round is the last one; the samples are counted up to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.identification import answers_are_final, is_sample
from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.bandit_divergences import Histories, K, a, after, b, h, j, n, over_arms, q, r
from banditproof.verify.theorems.consistent_regret import theta
from banditproof.verify.theorems.double_change import (
    OF_ARMS,
    action_of_a_round,
    by_some_law,
    epsilon,
    histories_are_told,
    kl_by_variation,
    no_divergence,
    price_is_nonnegative,
    round_law,
)
from banditproof.verify.theorems.minimax import at_arm
from banditproof.verify.theorems.policies import mean_over_arms, sum_over
from banditproof.verify.theorems.testing import chord

x, w, m, i, c, top, rival, delta = map(var, ("x", "w", "m", "i", "c", "top", "rival_top", "delta"))
ALL = 2 * K
delta_low, third, half = assume(lt(0, delta)), term(1) / 3, term(1) / 2


# ------------------------------------------------------------------------------------------------------------- numbers


@lemma("delta", delta_low.conclusion)
def at_least_a_logarithm() -> Theorem:
    """-log(3 delta) <= (1 - 2 delta) (log(1 - delta) - log delta) for 0 < delta <= 1/3."""
    (small,) = suppose(le(delta, third))
    rest = auto(lt(0, 1 - delta))
    k, low, t, three = log(1 - delta), log(delta), log(3 * delta), log(3)
    of_k, of_low, of_three = (exp_log(p) for p in (rest, delta_low, auto(lt(0, 3))))
    of_t = exp_log(auto(lt(0, 3 * delta)))
    # e >= (7/6)^6 > 5/2, and 1/e >= (5/6)^6 > 1/3
    powers = []
    for sign, base in ((1, term(7) / 6), (-1, term(5) / 6)):
        root = exp(term(sign) / 6)
        first = auto(le(base, root), exp_tangent(term(sign) / 6))
        twice = auto(le(base * base, root * root), (exp(term(sign) / 6), first), (base, first))
        third_power = auto(
            le(base * base * base, root * root * root), (exp(term(sign) / 6), twice), (base * base, first)
        )
        whole = auto(
            le(base * base * base * base * base * base, exp(term(sign))),
            (exp(term(sign) / 2), third_power),
            (base * base * base, third_power),
        )
        powers.append(whole)
    few = auto(le(exp(-1), term(2) / 5), (exp(-1), powers[0]))
    at_most_3 = auto(le(exp(1), 3), (exp(1), powers[1]))
    one = auto(le(1, three), exp_tangent(1 - three), (exp(1 - three) / 3, of_three), at_most_3)
    of_small = auto(le(-exp(-1), delta * low), (delta_low, exp_tangent(-1 - low)), (exp(-1 - low), of_low))
    one_minus = 1 - delta
    log_low = auto(le(-delta, one_minus * k), (1 - delta, exp_tangent(-k)), (exp(-k), of_k))
    excess = (1 - 2 * delta) * k + term(1) / 5
    scaled = auto(le(0, one_minus * excess), (1 - 2 * delta, log_low), square(10 * delta - 3))
    of_large = auto(le(0, excess), (1 / (1 - delta), scaled))
    of_product = auto(
        le(three + low, t),
        exp_tangent(three + low - t),
        (exp(low - t), of_three),
        (3 * exp(-t), of_low),
        (exp(-t), of_t),
    )
    goal = le(-t, (1 - 2 * delta) * (k - low))
    return auto(goal, of_product, of_large, of_small, few, one)


# -------------------------------------------------------------------------------------------------------------- actions

SAMPLED = is_sample(b, K)
SOME_ARMS, NATURAL = assume(le(1, K)), assume(nat(K))


def alternative(k: Any) -> Term:
    return app("alternative", k)


def worth(name: Any) -> Term:
    return app("worth", name, 0) / app("worth", name, 1)


def observed(name: Callable[[Any], Term]) -> Any:
    """What the actions observe on a bandit."""
    return fn("x", law("laws", name(x) * is_sample(x, K)))


NU, LAM = observed(theta), observed(alternative)


@once
def all_actions() -> tuple[Theorem, Theorem]:
    """There are 2 K actions, at least one."""
    return nat_sum(NATURAL, NATURAL), auto(le(1, ALL), SOME_ARMS)


@lemma("f")
def only_arms() -> Theorem:
    """The sum over all actions of f(b) 1[b < K] is that of f(b) over the arms."""
    f = app("f", b)

    def says(k: Any) -> Any:
        return eq((K + k) * mean("b", uniform(K + k), f * SAMPLED), K * mean("b", uniform(K), f))

    below = at_most(auto(le(b + 1, K), nat_nonnegative(nat_minus(assume(nat(b)), NATURAL, assume(lt(b, K))))))
    base = auto(says(term(0)), sum_over(auto(eq(0, f * SAMPLED - f), (f, below)), "b", K))
    pm = assume(nat(m))
    over = not_at_most(auto(lt(K, K + m + 1), nat_nonnegative(pm)))
    more = uniform_next(nat_sum(NATURAL, pm), "b", f * SAMPLED)
    step = auto(says(m + 1), assume(says(m)), more, (app("f", K + m), over))
    return instance(induct("m", base, step, says(m)), {"m": K}, NATURAL)


def chance(bandit: Any, action: Any, m: Any) -> Term:
    """The probability of an action in round m."""
    return Histories(lambda k: applied(bandit, k)).mean(m, mean("q", pi(m, h), equal(q, action)))


def applied(bandit: Any, k: Any) -> Term:
    return substitute(bandit.body, {bandit.params[0]: term(k)})


def sampled(m: Any, arm: Any) -> Term:
    """E N_arm(m) on the first bandit."""
    return m * mean("j", uniform(m), chance(NU, arm, j))


def costs_of_arms(f: Any) -> Theorem:
    """The sum over n rounds of the mean of f(a) 1[a < K] is that over the arms b of f(b) E N_b."""
    cost = fn("a", f(a) * is_sample(a, K))
    every = for_all("price nu n K", over_arms(app("price", a)), nat(K), le(1, K), plays_arms(pi, K))
    each = instance(every, {"price": cost, "nu": NU, "n": j, "K": ALL}, *all_actions())
    body = chance(NU, b, j) * f(b) * SAMPLED
    turned = fubini("j", uniform(n), "b", uniform(ALL), body)
    arms = instance(only_arms(), {"f": fn("b", f(b) * sampled(n, b))})
    in_round = Histories(lambda k: applied(NU, k)).mean(j, mean("a", pi(j, h), f(a) * is_sample(a, K)))
    goal = eq(n * mean("j", uniform(n), in_round), K * mean("b", uniform(K), f(b) * sampled(n, b)))
    return auto(goal, mono(each, "j", uniform(n)), turned, arms)


@proof
def kl_of_actions(statement: All) -> Theorem:
    """An action that stops costs nothing."""
    natural, some = all_actions()
    collected = fn("a", app("tv", a) * is_sample(a, K))
    return instance(kl_by_variation(), {"tv": collected, "K": ALL}, natural)


# --------------------------------------------------------------------------------------------------- one of both prices


def charge(k: Any) -> Term:
    return app("charge", k)


LAWS = law("laws", theta(a)), law("laws", alternative(a))
PRICES = All(("a",), is_arm(a, K), private_divergence_at_most(*LAWS, epsilon, charge(a)))
BY_ENTROPY, BY_VARIATION = (
    All(("a",), is_arm(a, K), f) for f in (kl_at_most(*LAWS, charge(a)), variation_at_most(*LAWS, charge(a) / epsilon))
)


@lemma("nu nu_prime cost k K")
def of_a_round() -> Theorem:
    """D_KL of the actions of all rounds on the bandits is one theorem, for all laws and prices."""
    suppose(OF_ARMS, nat(var("k")), nat(K), le(1, K), plays_arms(pi, K))
    return action_of_a_round()


def divergence_of_actions() -> Theorem:
    """D_KL of the actions of round n is at most the sum over the rounds before it of the mean of charge(a) 1[a < K].

    It is known of the arms; of what is observed after the stop the laws are the same.
    """
    s, A, tilted = is_sample(a, K), app("A", x), exp(app("u", x))
    wanted = private_divergence_at_most(applied(NU, a), applied(LAM, a), epsilon, charge(a) * s)
    (sums,), of_event, of_arm = wanted.given, event("A"), assume(le(a + 1, K))
    assert isinstance(sums, All)
    arm = instance(assume(PRICES), {}, assume(nat(a)), auto(lt(a, K), of_arm))
    given = arm.conclusion.given[0].given  # type: ignore[union-attr]

    def moved(proved: Theorem, name: Callable[[Any], Term], body: Term) -> Theorem:
        return same(proved, "w", mean("x", law("laws", name(a) * w), body))

    sampled = at_most(of_arm)
    apart, close = instance(assume(given[0]), {}, assume(of_event)), instance(assume(given[1]), {})
    first = for_all("A", auto(sums.given[0].then, apart, moved(sampled, theta, A)), of_event)  # type: ignore[union-attr]
    last = for_all("u", auto(sums.given[1].then, close, moved(sampled, alternative, tilted)))  # type: ignore[union-attr]
    known = instance(arm, {}, for_all("between apart extra", instance(assume(sums), {}, first, last), *given))
    here = auto(wanted.then, known, (charge(a), sampled))

    stopped, idle = not_at_most(assume(lt(K, a + 1))), law("laws", 0)
    first = for_all("A", auto(variation_at_most(applied(NU, a), idle, 0).then, moved(stopped, theta, A)), of_event)
    still = mono(exp_tangent(app("u", x)), "x", idle)
    last = auto(kl_at_most(idle, applied(LAM, a), 0).then, still, moved(stopped, alternative, tilted))
    values = {"between": fn("", idle), "apart": 0, "extra": 0}
    nothing = instance(assume(sums), values, first, for_all("u", last))
    there = auto(wanted.then, nothing, (charge(a), stopped))
    each = for_all("a", for_all("least", cases(here, there, s.args[0], s.args[1]), sums), *is_arm(a, ALL))

    values = {"nu": NU, "nu_prime": LAM, "k": n, "K": ALL, "cost": fn("a", charge(a) * s)}
    natural, some = all_actions()
    return instance(of_a_round(), values, each, assume(nat(n)), natural)


def told(bandit: Any, m: Any, F: Any) -> Theorem:
    """E F(h) over the histories of m rounds, less the mean over what is told of them, is 0."""
    every = instance(for_all("nu", histories_are_told()), {"nu": bandit})
    proved = instance(instance(every, {"n": m}, assume(nat(m))), {"F": fn("h", F)})
    return auto(eq(0, proved.conclusion.args[1] - proved.conclusion.args[0]), proved)  # type: ignore[union-attr]


RIGHT = K + top


def price_of_a_round() -> Theorem:
    """(1 - 2 delta) G - 2 G (1 - delta - p) <= sum of charge(b) E N_b, p being the chance of the answer `top` in round
    n, which has at most the chance delta on the other bandit; G = log(1 - delta) - log delta."""
    near = divergence_of_actions()
    small, rare = assume(lt(delta, half)), assume(le(chance(LAM, RIGHT, n), delta))
    rest = auto(lt(0, 1 - delta))
    of_k, of_low = exp_log(rest), exp_log(delta_low)
    G, hit = log(1 - delta) - log(delta), equal(x, RIGHT)
    low, high = bounds_of_event(hit, equal_is_event(x, RIGHT))
    at_best = instance(near, {"u": fn("x", G * (2 * hit - 1))})
    laws = tuple(substitute(round_law(n), {"nu": bandit}) for bandit in (NU, LAM))
    line = chord(hit, low, high, 2 * G)
    below = mono(auto(le(exp(G * (2 * hit - 1)), exp(-G) * (1 - hit) + exp(G) * hit), line), "x", laws[1])
    downs = auto(eq((1 - delta) * exp(-G), delta), of_k, of_low)
    more = weak(steep(rest, downs, G, small))
    wide = auto(le(0, exp(G) - exp(-G)), exp_monotone(auto(le(-G, G), more)))
    q_is = told(LAM, n, mean("q", pi(n, h), equal(q, RIGHT)))
    p_is = told(NU, n, mean("q", pi(n, h), equal(q, RIGHT)))
    in_round = mean("a", pi(j, h), charge(a) * is_sample(a, K))
    so_far = sum_over(told(NU, j, in_round), "j", n)
    p = chance(NU, RIGHT, n)
    total = K * mean("b", uniform(K), charge(b) * sampled(n, b))
    goal = le((1 - 2 * delta) * G - 2 * G * (1 - delta - p), total)
    return auto(goal, at_best, below, (wide, rare), q_is, of_low, of_k, p_is, so_far, costs_of_arms(charge))


def steep(rest: Theorem, downs: Theorem, G: Term, small: Theorem) -> Theorem:
    """0 < log(1 - delta) - log delta, for delta below 1/2."""
    scaled = auto(lt(0, (1 - delta) * G), (rest, exp_tangent(-G)), downs, small)
    return auto(lt(0, G), (reciprocal_positive(rest), scaled), (G, reciprocal(rest)))


# --------------------------------------------------------------------------------------------------------- the theorem

FINAL = assume(answers_are_final(lambda k, history: pi(k, history), K))
k = var("k")


def answers_stay(bandit: Any, arm: Term, is_one: tuple[Theorem, Theorem]) -> Theorem:
    """The chance of an answer in round n is at most that in round n + k, for natural n and k."""
    runs, answer, pn, pk = Histories(lambda a: applied(bandit, a)), K + arm, assume(nat(n)), assume(nat(k))

    def of_round(m: Any) -> Term:
        return mean("q", pi(m, h), equal(q, answer))

    hit = equal(a, answer)
    next_one = mean("q", pi(n + 1, after(a, r)), equal(q, answer))
    final = instance(FINAL, {"i": n + 1, "a": arm, "A": fn("x", equal(x, answer))}, *is_one)
    named = under(a, answer, mean("q", pi(n + 1, after(w, r)), equal(q, answer)))
    low = mono(bounds_of_event(equal(q, answer), equal_is_event(q, answer))[0], "q", pi(n + 1, after(a, r)))
    rest = auto(le(0, 1 - hit), bounds_of_event(hit, equal_is_event(a, answer))[1])
    again = auto(le(hit, next_one), product(low, rest), named, (hit, final))
    averaged = mono(mono(mono(again, "r", applied(bandit, a)), "a", pi(n, h)), "h", runs.law(n))
    one_more = auto(
        le(chance(bandit, answer, n), chance(bandit, answer, n + 1)), averaged, runs.next(pn, of_round(n + 1))
    )
    later = for_all("n", one_more, nat(n))
    claim = le(chance(bandit, answer, n), chance(bandit, answer, n + k))
    step = instance(later, {"n": n + k}, nat_sum(pn, pk))
    goal = le(chance(bandit, answer, n), chance(bandit, answer, n + k + 1))
    every = induct("k", auto(le(claim.args[0], chance(bandit, answer, n))), auto(goal, assume(claim), step), claim)
    return for_all("n k", instance(every, {}, pk), nat(n), nat(k))


def wrong_answers_are_rare(correct: Theorem, is_best: list[Theorem], another: Theorem, is_top: Any) -> Theorem:
    """The chance of the answer `top` in round n is at most delta on the bandit on which `rival` is best."""
    x_answer, y_answer = K + top, K + rival
    pn, pk = assume(nat(n)), assume(nat(k))
    first = instance(answers_stay(LAM, top, is_top), {}, pn, pk)
    is_rival = (
        next(p for p in is_best if p.conclusion == nat(rival)),
        next(p for p in is_best if p.conclusion == lt(rival, K)),
    )
    second = instance(answers_stay(LAM, rival, is_rival), {"n": k, "k": n}, pk, pn)
    one, two = equal(q, x_answer), equal(q, y_answer)
    lows = [bounds_of_event(e, equal_is_event(q, y)) for e, y in ((one, x_answer), (two, y_answer))]
    goal = le(one + two, 1)
    both = product(*(auto(le(0, 1 - e), bounds[1]) for e, bounds in zip((one, two), lows, strict=True)))

    def equal_answers(proved: Theorem) -> Theorem:
        return absurd(contradiction(another, (top - rival, proved)), goal)

    def different(_: Term, zero: Theorem) -> Theorem:
        return auto(goal, both, under(q, x_answer, equal(w, y_answer)), (one, zero))

    apart = unless_equal(top, rival, equal_answers, different)
    at_end = mono(mono(apart, "q", pi(n + k, h)), "h", Histories(lambda a: applied(LAM, a)).law(n + k))
    rest = 1 - chance(LAM, x_answer, n)
    each = auto(le(chance(LAM, y_answer, k), rest), first, second, at_end)
    values = {"theta": fn("x", alternative(x)), "top": rival, "bandit": var("other_bandit")}
    names = correct.conclusion.params  # type: ignore[union-attr]
    known = instance(correct, {name: t for name, t in values.items() if name in names}, *is_best)
    enough = instance(known, {"c": rest}, for_all("k", each, nat(k)))
    return auto(le(chance(LAM, x_answer, n), delta), enough)


@proof
def samples_at_level(statement: All, few: Theorem, free: Theorem) -> Theorem:
    """Were the product below the level, the answer would be right with a chance below 1 - delta in all rounds.

    The level is at most (1 - 2 delta) (log(1 - delta) - log delta) for delta below 1/2, and at most 0 above.
    """
    _, given, goal = parts_of(statement.then)
    correct, duration, game = assume(statement.given[-1]), var("duration"), var("game")
    *best, taken, value = map(assume, given)
    is_top = best[-3], best[-2]
    least = value.conclusion.given[-1]  # type: ignore[union-attr]
    *rivals, another, _ = map(assume, least.given)  # type: ignore[union-attr]
    level, k_log, l_log = goal.args[0], log(1 - delta), log(delta)
    G, p = k_log - l_log, chance(NU, RIGHT, n)
    left, total = level - 2 * G * (1 - delta - p), K * mean("b", uniform(K), charge(b) * sampled(n, b))
    rare = wrong_answers_are_rare(correct, rivals, another, is_top)
    paid = instance(for_all("", price_of_a_round(), le(chance(LAM, RIGHT, n), delta)), {}, rare)
    pays = auto(le(left, total), instance(for_all("", paid, le(0, epsilon))), few)
    of_arm = instance(assume(PRICES), {"a": b}, assume(nat(b)), assume(lt(b, K)))
    charge_low = price_is_nonnegative(of_arm, weak(assume(lt(0, epsilon))))

    # the value is at least 0: of the first arm alone
    first = fn("b", equal(b, 0))
    hit = bounds_of_event(equal(b, 0), equal_is_event(b, 0))[0]
    one = instance(
        for_all(
            "arm",
            at_arm(lambda _: term(1), var("arm"), (assume(nat(var("arm"))), assume(lt(var("arm"), K)))),
            *is_arm(var("arm"), K),
        ),
        {"arm": 0},
    )
    alone = [for_all("a", substitute_b(hit), *is_arm(a, K)), auto(eq(K * mean("b", uniform(K), equal(b, 0)), 1), one)]

    def at_most_game(shares: Any, conditions: list[Theorem], number: Any, proved: Theorem) -> Theorem:
        every = for_all(" ".join(least.params), proved, *least.given)  # type: ignore[union-attr]
        return instance(value, {"shares": shares, "c": number}, *conditions, every)

    paid_first = product(weak(auto(lt(0, K))), mean_over_arms(product(hit, charge_low)))
    game_low = at_most_game(
        first, alone, 0, auto(le(0, K * mean("b", uniform(K), equal(b, 0) * charge(b))), paid_first)
    )

    # the samples of n rounds, shared by the arms
    of_arms = costs_of_arms(lambda _: term(1))
    M = of_arms.conclusion.args[0]  # type: ignore[union-attr]
    pn, N = assume(nat(n)), sampled(n, b)
    chances_low = mono(
        mono(bounds_of_event(equal(q, b), equal_is_event(q, b))[0], "q", pi(j, h)),
        "h",
        Histories(lambda a: applied(NU, a)).law(j),
    )
    N_low = product(nat_nonnegative(pn), mono(chances_low, "j", uniform(n)))
    some, none = assume(lt(0, M)), assume(le(M, 0))
    inverse = weak(reciprocal_positive(some))
    fair = auto(eq(K * mean("b", uniform(K), N / M), 1), of_arms, reciprocal(some))
    conditions = [for_all("a", substitute_b(auto(le(0, N / M), product(N_low, inverse))), *is_arm(a, K)), fair]
    shared = auto(le(left / M, K * mean("b", uniform(K), N / M * charge(b))), (inverse, pays))
    of_some = auto(
        le(left, M * game), (some, at_most_game(fn("b", N / M), conditions, left / M, shared)), reciprocal(some)
    )
    above, most = assume(lt(M * game, left)), var("most")
    bound = assume(All(("b",), (), le(charge(b), most)))
    below = mono(auto(le(charge(b) * N, most * N), (N_low, instance(bound, {}))), "b", uniform(K))
    M_low = auto(le(0, M), of_arms, product(weak(auto(lt(0, K))), mono(N_low, "b", uniform(K))))
    nothing = antisymmetric(none, M_low)
    some_arms = weak(auto(lt(0, K)))
    sums = [(1, None, above), (1, None, pays), (1, some_arms, below), (-1, most, of_arms)]
    false = calc(lt(0, 0), [*sums, (1, most, nothing), (-1, game, nothing)])
    never = some_bound(
        absurd(false, le(game + 1, K * mean("b", uniform(K), equal(b, 0) * charge(b)))), "most", ["b"], charge(b)
    )
    too_much = contradiction(at_most_game(first, alone, game + 1, never))
    of_none = by_contradiction(le(left, M * game), too_much)
    whole = cases(of_none, of_some, M, term(0))
    so_far = instance(taken, {"rounds": n}, pn)
    at_n = auto(le(left, duration * game), whole, (game_low, so_far))

    # delta below 1/2, and above
    small = assume(lt(delta, half))
    rest = auto(lt(0, 1 - delta))
    of_k, of_l = exp_log(rest), exp_log(delta_low)
    downs = auto(eq((1 - delta) * exp(-G), delta), of_k, of_l)
    steep_log = steep(rest, downs, G, small)
    twice = auto(lt(0, 2 * G), steep_log)
    most_likely = 1 - delta + (duration * game - level) / (2 * G)
    likely = auto(le(p, most_likely), (reciprocal_positive(twice), at_n), reciprocal(twice))
    right = instance(instance(correct, {}), {"c": most_likely}, for_all("n", likely, nat(n)))
    proved = auto(goal, (twice, right), reciprocal(twice))
    none_yet = instance(taken, {"rounds": 0})
    easy = auto(goal, free, product(game_low, auto(le(0, duration), none_yet)))
    return cases(easy, proved, half, delta)


def substitute_b(p: Theorem) -> Theorem:
    """The same of a, said of b."""
    return instance(for_all("b", p), {"b": a})


# ------------------------------------------------------------------------------------------------------- other prices


@proof
def samples_by_private_divergence(statement: All) -> Theorem:
    """For a chance delta of an error, which the statement calls 1/(1 + ratio)."""
    odds = var("ratio")
    rate, many = 1 / (1 + odds), assume(le(1, odds))
    is_rate = assume(eq(delta * (1 + odds), 1))
    named = All((*statement.params, "delta"), (lt(0, delta), is_rate.conclusion, *statement.given), statement.then)
    general = _with(named, rate, delta)
    assert isinstance(general, All)
    even, large, k_log, l_log = 1 - 2 * delta, assume(le(half, delta)), log(1 - delta), log(delta)
    rest = auto(eq(1 - delta, delta * odds), is_rate)
    few_errors = auto(le(0, even), (delta_low, many), is_rate)
    some = auto(lt(0, odds))
    right = auto(lt(0, 1 - delta), rest, product(delta_low, some))
    gone = exp(-k_log)
    same_odds = auto(
        le(log(odds), k_log - l_log),
        exp_tangent(log(odds) + l_log - k_log),
        (exp(log(odds) - k_log), exp_log(delta_low)),
        exp_log(some),
        (gone, rest),
        exp_log(right),
    )
    level = even * log(odds)
    few = auto(le(level, even * (k_log - l_log)), (few_errors, same_odds))
    free = auto(le(level, 0), antisymmetric(auto(le(even, 0), large), few_errors))
    return instance(samples_at_level(general, few, free), {"delta": rate})


def _with(f: Any, old: Term, new: Term) -> Any:
    """A formula or term with one term in place of another one."""
    if f == old:
        return new
    if isinstance(f, All):
        return All(f.params, tuple(_with(g, old, new) for g in f.given), _with(f.then, old, new))
    return type(f)(f.op, tuple(_with(a, old, new) for a in f.args)) if isinstance(f, Rel | Term) else f


@proof
def of_other_prices(statement: All, known: Theorem, scale: Any = 1) -> Theorem:
    """The statement with prices that are `scale` times smaller than the charges that it has for d_epsilon, and with
    -log(3 delta) for the level."""
    _, given, goal = parts_of(statement.then)
    game, number, level, scale = var("game"), c, -log(3 * delta), term(scale)
    *best, taken, value = map(assume, given)
    assert isinstance(value.conclusion, All)
    least = value.conclusion.given[-1]
    assert isinstance(least, All)
    theorem = All(least.params, (*least.given[:-1], PRICES), least.then)
    of_value = All(value.conclusion.params, (*value.conclusion.given[:-1], theorem), le(number, game))
    whole = All(statement.then.params, (*given[:-1], of_value), le(level, var("duration") * game))  # type: ignore[union-attr]
    t, large = log(3 * delta), assume(le(third, delta))
    of_t = exp_log(auto(lt(0, 3 * delta)))
    free = auto(le(level, 0), exp_tangent(-t), (exp(-t), of_t), auto(le(1, 3 * delta), large))
    below_half = assume(lt(delta, half))
    rest = auto(lt(0, 1 - delta))
    G = log(1 - delta) - log(delta)
    downs = auto(eq((1 - delta) * exp(-G), delta), exp_log(rest), exp_log(delta_low))
    most = le(level, (1 - 2 * delta) * G)
    some = auto(most, free, product(auto(lt(0, 1 - 2 * delta), below_half), steep(rest, downs, G, below_half)))
    few = instance(at_least_a_logarithm(), {}, assume(le(delta, third)))
    below = cases(few, some, delta, third)
    above = instance(for_all("", free, large.conclusion), {}, auto(le(third, delta), assume(le(half, delta))))
    every = samples_at_level(All(statement.params, statement.given, whole), below, above)
    every = instance(every, {})
    at = instance(assume(theorem), {"charge": fn("a", scale * charge(a))}, *map(assume, least.given[:-1]), known)
    smaller = auto(le(number / scale, least.then.args[1]), at)  # type: ignore[union-attr]
    of_value = instance(
        value,
        {"c": number / scale},
        *map(assume, value.conclusion.given[:-1]),
        for_all(" ".join(least.params), smaller, *least.given),
    )
    larger = auto(le(number, scale * game), of_value)
    conditions = for_all("shares c", larger, *value.conclusion.given[:-1], theorem)
    return auto(goal, instance(every, {"game": scale * game}, conditions))


def one_law(place: int, close: Theorem, most: Term) -> Theorem:
    """d_epsilon(P_a, Q_a) <= most for all arms, from one of both prices: there is no change before it or after it."""
    prices = (most / epsilon, term(0)) if place else (term(0), most)
    here = instance(close, {}, *map(assume, is_arm(a, K)))
    same_law = for_all("A", auto(variation_at_most(LAWS[0], LAWS[0], 0).then), event("A"))
    facts = (here, no_divergence(LAWS[1])) if place else (same_law, here)
    scale = [(most, reciprocal(assume(lt(0, epsilon))))] if place else []
    return by_some_law((*LAWS, LAWS[place]), prices, most, *facts, *scale)


def private_samples(statement: All) -> Theorem:
    """The smaller one of both prices is at least d_epsilon."""
    word = private_divergence_at_most(*LAWS, epsilon, charge(a))
    number, ways = var("least") - charge(a), []
    for place, formula in enumerate((BY_ENTROPY, BY_VARIATION)):
        of_law = instance(one_law(place, assume(formula), charge(a)), {}, assume(word.given[0]))
        ways.append(for_all("", auto(le(number, 0), of_law), formula))
    either = All(("c",), tuple(All((), (f,), le(c, 0)) for f in (BY_ENTROPY, BY_VARIATION)), le(c, 0))
    cheaper = auto(word.then, instance(assume(either), {"c": number}, *ways))
    known = for_all("a", for_all("least", cheaper, word.given[0]), *is_arm(a, K))
    return of_other_prices(statement, known)


def samples_by_entropy(statement: All) -> Theorem:
    """The divergence is at least d_epsilon."""
    return of_other_prices(statement, for_all("a", one_law(0, assume(BY_ENTROPY), charge(a)), *is_arm(a, K)))


def samples_by_variation(statement: All) -> Theorem:
    """Epsilon TV is at least d_epsilon."""
    far = variation_at_most(*LAWS, charge(a))
    apart = instance(
        instance(assume(All(("a",), is_arm(a, K), far)), {}, *map(assume, is_arm(a, K))), {}, assume(event("A"))
    )
    goal = variation_at_most(*LAWS, epsilon * charge(a) / epsilon)
    said = for_all("A", auto(goal.then, apart, (charge(a), reciprocal(assume(lt(0, epsilon))))), event("A"))
    known = one_law(1, for_all("a", said, *is_arm(a, K)), epsilon * charge(a))
    return of_other_prices(statement, for_all("a", known, *is_arm(a, K)), epsilon)
