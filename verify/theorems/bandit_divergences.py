"""Proofs in the kernel of what divergences of a bandit's arms say of histories, for every policy and horizon.

In a round after the history h, log of the mean of e^u over what comes next is a function of h: so the divergence of the
histories grows by what the divergences of the arms allow, each as often as the policy plays it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.bandits import pulls, rounds_are_kept
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.meanings import drawn
from banditproof.verify.theorems.divergences import processed_kl
from banditproof.verify.theorems.policies import PLAYS, an_arm, mean_over_arms, same_on_arms
from banditproof.verify.theorems.renyi import mean_of_exp_positive

a, b, c, h, i, j, k, n, q, r, K, T, empty = map(var, (*"abchijknqrKT", "empty"))


def after(arm: Any, reward: Any) -> Term:
    """The history h and then this round."""
    return app("pair", app("pair", h, arm), reward)


class Histories:
    """The histories of the policy on a bandit: their law after m rounds, and what the next round does to a mean."""

    def __init__(self, bandit: Callable[[Any], Term]):
        self.bandit = bandit
        self.step = histories(pi, bandit, 0).args[3]

    def law(self, m: Any) -> Term:
        return histories(pi, self.bandit, m)

    def mean(self, m: Any, body: Term) -> Term:
        """The mean of a body of h."""
        return mean("h", self.law(m), body)

    def none(self, body: Term) -> Theorem:
        return steps_zero("h", body, "i", "h", empty, self.step)

    def next(self, natural: Theorem, body: Term) -> Theorem:
        return steps_next(natural, "z", substitute(body, {"h": var("z")}), "i", "h", empty, self.step)


HERE, THERE = Histories(nu), Histories(nu_prime)


def chance(arm: Any, m: Any = n) -> Term:
    """The probability of playing an arm in round m on the first bandit."""
    return HERE.mean(m, mean("q", pi(m, h), equal(q, arm)))


def chance_is_nonnegative(arm: Any, m: Any = n) -> Theorem:
    s, t = indicator(q, arm, 3), indicator(arm, q, 3)
    return mono(mono(product(s, t), "q", pi(m, h)), "h", HERE.law(m))


def pulls_are_nonnegative(arm: Any, natural: Theorem) -> Theorem:
    """0 <= E N_a(m) for natural m."""
    m = natural.conclusion.args[0]  # type: ignore[union-attr]
    return product(nat_nonnegative(natural), mono(chance_is_nonnegative(arm, j), "j", uniform(m)))


def summand_at_most(f: Callable[[Any], Term], low: Theorem) -> Theorem:
    """f(n) and the sum of f(j) over j < n are at most that over j < T, for natural n < T and T, from 0 <= f(j)."""

    def total(m: Any) -> Term:
        return term(m) * mean("j", uniform(m), f(j))

    pn, pT, pk = assume(nat(n)), assume(nat(T)), assume(nat(k))
    first, lows = uniform_next(pn, "j", f(j)), for_all("j", low)
    some = f(n) + total(n)
    base = auto(le(some, total(n + 1 + 0)), first)
    more = uniform_next(nat_sum(nat_next(pn), pk), "j", f(j))
    claim = le(some, total(n + 1 + k))
    step = auto(le(some, total(n + 1 + (k + 1))), assume(claim), more, instance(lows, {"j": n + 1 + k}))
    every = induct("k", base, step, claim)
    return auto(le(some, total(T)), instance(every, {"k": T - n - 1}, nat_minus(pn, pT, assume(lt(n, T)))))


def over_arms(G: Term) -> Theorem:
    """E G(h, a) over the histories before round n and the arm played there is the sum of E G(h, b) 1[a = b]."""
    G_b = substitute(G, {"a": b})
    spread = mono(under(a, b, substitute(G, {"a": var("w")})), "b", uniform(K))
    total = K * mean("b", uniform(K), G_b * equal(a, b))
    on_arms = auto(eq(G, total), (K, spread), (G, an_arm(a)))
    split = same_on_arms(PLAYS, pi(n, h), (n, h), G, total, on_arms)
    of_b = G_b * mean("a", pi(n, h), equal(a, b))
    turned = fubini("a", pi(n, h), "b", uniform(K), G_b * equal(a, b))
    again = fubini("h", HERE.law(n), "b", uniform(K), of_b)
    goal = eq(HERE.mean(n, mean("a", pi(n, h), G)), K * mean("b", uniform(K), HERE.mean(n, of_b)))
    return auto(goal, mono(split, "h", HERE.law(n)), (K, mono(turned, "h", HERE.law(n))), (K, again))


@proof
def decomposition_at_most(statement: All) -> Theorem:
    """By induction over the rounds: what the next one adds is at most what the divergences of the arms allow."""
    u, pn = app("u", h), assume(nat(n))
    of_arms = assume(statement.given[-1])
    next_u = app("u", after(a, r))
    tilted = mean("a", pi(n, h), mean("r", nu_prime(a), exp(next_u)))
    w, value = Term("log", (tilted,)), exp_log(tilt_is_positive(next_u))

    # what an arm b adds: no more than its divergence where it is played at all, and nothing where it is not
    G = mean("r", nu(a), next_u - w) - exp(-w) * mean("r", nu_prime(a), exp(next_u)) + 1 - app("cost", a)
    G_b = substitute(G, {"a": b})
    share = mean("a", pi(n, h), equal(a, b))
    count = pulls(pi, nu, b, T)
    arm = [assume(f) for f in is_arm(b, K)]
    some, none = assume(lt(0, count)), assume(le(count, 0))
    known = instance(instance(of_arms, {"a": b}, *arm), {}, some)
    below = instance(known, {"u": fn("r", app("u", after(b, r)) - w)})
    goal = le(HERE.mean(n, G_b * share), 0)
    played = auto(goal, mono(auto(le(G_b * share, 0), below), "h", HERE.law(n)))
    whole = summand_at_most(lambda m: chance(b, m), chance_is_nonnegative(b, j))
    never = antisymmetric(auto(le(chance(b), 0), none, whole, pulls_are_nonnegative(b, pn)), chance_is_nonnegative(b))
    most = instance(assume(All(("h",), (), le(G_b, var("bound")))))
    bounded = some_bound(
        auto(goal, mono(auto(le(G_b * share, var("bound") * share), most), "h", HERE.law(n)), never),
        "bound",
        ["h"],
        G_b,
    )
    each = auto(le(0, -HERE.mean(n, G_b * share)), cases(bounded, played, count, term(0)))
    added = auto(le(HERE.mean(n, mean("a", pi(n, h), G)), 0), over_arms(G), mean_over_arms(each))

    def budget(m: Any) -> Term:
        return K * mean("b", uniform(K), pulls(pi, nu, b, m) * app("cost", b))

    def says(m: Any) -> All:
        return kl_at_most(HERE.law(m), THERE.law(m), budget(m))

    claim = All((), (le(n, T),), says(n))
    base = auto(says(0).then, HERE.none(u), THERE.none(exp(u)), exp_tangent(app("u", empty)))
    enough = assume(le(n + 1, T))
    before = instance(instance(assume(claim), {}, auto(le(n, T), enough)), {"u": fn("h", w)})
    more = mono(same(uniform_next(pn, "j", chance(b, j)), "w", var("w") * app("cost", b)), "b", uniform(K))
    now = instance(for_all("", added, lt(n, T)), {}, auto(lt(n, T), enough))
    proved = auto(
        says(n + 1).then,
        HERE.next(pn, u),
        THERE.next(pn, exp(u)),
        now,
        mono(auto(eq(exp(-w) * tilted, 1), value), "h", HERE.law(n)),
        before,
        mono(value, "h", THERE.law(n)),
        over_arms(app("cost", a)),
        more,
    )
    at_T = instance(induction("n", base, proved, claim, at=T))
    _, _, goal = parts_of(statement.then)
    return auto(goal, instance(at_T, {}))


def tilt_is_positive(next_u: Term) -> Theorem:
    """0 < E E e^u over the arm that is played and its reward in the other bandit."""
    middle = mean("a", pi(n, h), mean("r", nu_prime(a), next_u))
    jensen = mono(mono(exp_tangent(next_u - middle), "r", nu_prime(a)), "a", pi(n, h))
    whole = mean("a", pi(n, h), mean("r", nu_prime(a), exp(next_u)))
    return auto(lt(0, whole), (exp(middle), jensen))


def gain(arm: Any, v: Callable[[Any], Term]) -> Term:
    """What the function v of the reward says of the arm's divergence: E v - log E' e^v."""
    return mean("r", nu(arm), v(r)) - Term("log", (mean("r", nu_prime(arm), exp(v(r))),))


def sum_over_arms(f: Callable[[Any], Term]) -> Term:
    return K * mean("b", uniform(K), f(b))


@proof
def decomposition_at_least(statement: All) -> Theorem:
    """The sum over the rounds of v - log E' e^v is a function of the history; then arm by arm, the others kept."""
    kept = assume(rounds_are_kept())
    costs = assume(statement.given[-1])
    _, (most,), wanted = parts_of(statement.then)
    pn, m = assume(nat(n)), var("arm")

    def v(arm: Any) -> Callable[[Any], Term]:
        return lambda reward: app("v", arm, reward)

    # for every v the sum of the gains, each as often as the arm is played
    def total(rounds: Any) -> Term:
        return sum_over_arms(lambda arm: pulls(pi, nu, arm, rounds) * gain(arm, v(arm)))

    known = kl_at_most(HERE.law(n), THERE.law(n), c)
    claim = All(("c",), (le(n, T), known), le(total(n), c))
    tests = app("u", h)
    nothing = instance(assume(replace(known, {"n": term(0)})), {"u": fn("x", 0)})
    base = for_all("c", auto(le(total(0), c), nothing), le(0, T), replace(known, {"n": term(0)}))
    enough, after_next = assume(le(n + 1, T)), replace(known, {"n": n + 1})
    rest = Term("log", (mean("r", nu_prime(a), exp(v(a)(r))),))
    of_a = exp_log(mean_of_exp_positive("r", nu_prime(a), v(a)(r)))
    fair = auto(eq(exp(-rest) * mean("r", nu_prime(a), exp(v(a)(r))), 1), (exp(-rest), of_a))
    grown = tests + v(a)(r) - rest
    whole_u, told = app("G", var("z")), app("G", after(a, r))
    tells = assume(All(("h", "a", "r"), (), eq(told, grown)))
    same_u = instance(tells, {})
    longer = instance(assume(after_next), {"u": fn("z", whole_u)})
    said = [_over_the_round(one, f) for one, f in ((nu, same_u), (nu_prime, exp_equal(same_u)))]
    here = HERE.mean(n, mean("a", pi(n, h), gain(a, v(a))))
    moved = mono(
        auto(
            eq(exp(tests) * mean("a", pi(n, h), exp(-rest) * mean("r", nu_prime(a), exp(v(a)(r)))), exp(tests)),
            (exp(tests), mono(fair, "a", pi(n, h))),
        ),
        "h",
        THERE.law(n),
    )
    steps = HERE.next(pn, app("G", h)), THERE.next(pn, exp(app("G", h)))
    below = parts_of(replace(known, {"c": c - here}))[2]
    excess = below.args[0] - below.args[1]
    no_more = auto(
        le(excess, 0), longer, *steps, mono(said[0], "h", HERE.law(n)), mono(said[1], "h", THERE.law(n)), moved
    )
    of_some = no_more
    proved = instance(instance(kept, {"g": fn("h a r", grown)}), {"c": excess}, of_some)
    before = instance(assume(claim), {"c": c - here}, auto(le(n, T), enough), auto(below, proved))
    chances = same(uniform_next(pn, "j", chance(b, j)), "w", var("w") * gain(b, v(b)))
    step = auto(le(total(n + 1), c), before, over_arms(gain(a, v(a))), (K, mono(chances, "b", uniform(K))))
    gains = for_all("v", instance(induction("n", base, step, claim, at=T)))

    # arm by arm: below m the numbers of the statement, and from m on the gains
    def mixed(count: Any, arm: Any, f: Callable[[Any], Term]) -> Term:
        return substitute(mixed_with(arm, f), {"low": ind(term(arm) + 1, count)})

    def swapped(share: Any, arm: Any) -> Callable[[Any], Term]:
        return lambda reward: v(arm)(reward) + share * (app("f", reward) - v(arm)(reward))

    def whole(count: Any, f: Callable[[Any], Callable[[Any], Term]] = v) -> Term:
        return sum_over_arms(lambda arm: mixed(count, arm, f(arm)))

    def f(reward: Any) -> Term:
        return app("f", reward)

    pb, pm, enough_m, count_m = assume(nat(b)), assume(nat(m)), assume(le(m + 1, K)), pulls(pi, nu, m, T)
    few_m, extra = auto(lt(m, K), enough_m), count_m * (gain(m, f) - app("cost", m))
    goal = eq(mixed(m, b, swapped(equal(b, m), b)), mixed(m + 1, b, v(b)) + equal(b, m) * extra)
    each = auto(eq(0, goal.args[1] - goal.args[0]), _one_arm_more(goal, mixed, swapped, v, extra))
    hit = instance(for_all("", an_arm(m), lt(m, K)), {}, few_m)
    claim = All(("v",), (le(m, K),), le(whole(m), c))
    before = instance(assume(claim), {"v": fn("a r", swapped(equal(a, m), a)(r))}, auto(le(m, K), enough_m))
    rest = whole(m + 1)
    room = for_all("f", auto(le(rest + extra, c), before, (K, mean_over_arms(each)), (extra, hit)))

    def counted(reward: Any) -> Term:
        return app("u", reward)

    some, none = assume(lt(0, count_m)), assume(le(count_m, 0))
    most_m, inverse = (c - rest) / count_m + app("cost", m), reciprocal(some)
    mass = mean("r", nu_prime(m), exp(counted(r)))
    below = auto(
        kl_at_most(nu(m), nu_prime(m), most_m).then,
        (reciprocal_positive(some), instance(room, {"f": fn("x", counted(var("x")))})),
        (gain(m, counted) - app("cost", m), inverse),
        exp_tangent(Term("log", (mass,))),
        exp_log(mean_of_exp_positive("r", nu_prime(m), counted(r))),
    )
    of_m = instance(instance(costs, {"a": m}, pm, few_m), {"c": most_m}, below)
    played = auto(le(rest, c), (some, of_m), (c - rest, inverse))
    never = antisymmetric(none, pulls_are_nonnegative(m, assume(nat(T))))
    without = instance(room, {"f": fn("x", 0)})
    unplayed = auto(le(rest, c), without, (app("cost", m) - gain(m, lambda reward: term(0)), never))
    step = for_all("v", cases(unplayed, played, count_m, term(0)), le(m + 1, K))

    first = not_at_most(auto(lt(0, b + 1), nat_nonnegative(pb)))
    at_first = mean_over_arms(_equal_zero(same(first, "low", mixed_with(b, v(b)))))
    base = auto(le(whole(0), c), instance(gains, {}), (K, at_first))
    at_K = instance(induction("arm", base, step, claim, at=K), {"v": fn("a r", 0)})
    last = at_most(auto(le(b + 1, K), nat_nonnegative(nat_minus(pb, assume(nat(K)), assume(lt(b, K))))))
    nothing_more = mean_over_arms(_equal_zero(same(last, "low", mixed_with(b, lambda reward: term(0)))))
    return auto(wanted, at_K, (K, nothing_more))


def mixed_with(arm: Any, f: Callable[[Any], Term]) -> Term:
    """The number of the statement where `low` is 1, the gain where it is 0."""
    low = var("low")
    return pulls(pi, nu, arm, T) * (low * app("cost", arm) + (1 - low) * gain(arm, f))


def _equal_zero(p: Theorem) -> Theorem:
    left, right = p.conclusion.args  # type: ignore[union-attr]
    return auto(eq(0, right - left), p)


def _one_arm_more(goal: Rel, mixed: Any, swapped: Any, v: Any, extra: Term) -> Theorem:
    """With another function for the arm m: the numbers up to m and the gains from m + 1 on, and `extra` for b = m."""
    m, is_m = var("arm"), equal(b, var("arm"))
    pb, pm, low, high = assume(nat(b)), assume(nat(m)), assume(lt(b, m)), assume(lt(m, b))

    def with_share(share: Any) -> Term:
        return mixed_with(b, swapped(share, b))

    next_b = auto(le(b + 1, m), nat_nonnegative(nat_minus(pb, pm, low)))
    both = at_most(next_b), at_most(auto(le(b + 1, m + 1), next_b))
    sides = same(both[0], "low", with_share(is_m)), same(both[1], "low", mixed_with(b, v(b)))
    below = auto(goal, *sides, (extra, auto(eq(is_m, 0), (ind(b, m), not_at_most(low)))))
    proved = antisymmetric(assume(le(b, m)), assume(le(m, b)))
    w = var("w")
    here = same(proved, "w", mixed(m, w, swapped(equal(w, m), w)))
    at_m = auto(goal, here, same(proved, "w", mixed(m + 1, w, v(w)) + equal(w, m) * extra))
    later = not_at_most(auto(lt(m, b + 1), high)), not_at_most(auto(lt(m + 1, b + 1), high))
    zero = auto(eq(is_m, 0), (ind(m, b), not_at_most(high)))
    kept = same(zero, "w", gain(b, swapped(w, b)))
    sides = same(later[0], "low", with_share(is_m)), same(later[1], "low", mixed_with(b, v(b)))
    above = auto(goal, *sides, (extra, zero), (pulls(pi, nu, b, T), kept))
    return cases(cases(at_m, below, m, b), above, b, m)


def _over_the_round(bandit: Callable[[Any], Term], equal_terms: Theorem) -> Theorem:
    """The means over the arm of round n and its reward of two terms that are equal."""
    return mono(mono(equal_terms, "r", bandit(a)), "a", pi(n, h))


@proof
def actions_of_histories(statement: All) -> Theorem:
    """Data processing, of the laws of histories."""
    laws = law("P"), law("Q")
    given, then = (
        kl_at_most(P, Q, var("most")) for P, Q in (laws, [drawn(lambda z: law("channel", z), P) for P in laws])
    )
    every = processed_kl(All(("P", "Q", "channel", "most"), (given,), then))
    values = {"P": fn("", HERE.law(T)), "Q": fn("", THERE.law(T))}
    return instance(every, values)
