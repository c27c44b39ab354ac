"""Proofs in the kernel of what divergences of a bandit's arms say of histories, for every policy and horizon.

In a round after the history h, log of the mean of e^u over what comes next is a function of h: so the divergence of the
histories grows by what the divergences of the arms allow, each as often as the policy plays it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.paper_checks.shared.kernel_proofs import app, law, parts_of
from banditproof.paper_checks.shared.policy_proofs import (
    PLAYS,
    SOME,
    an_arm,
    equal,
    mean_over_arms,
    same_on_arms,
    under,
    uniform,
)
from banditproof.paper_checks.shared.renyi_proofs import mean_of_exp_positive
from banditproof.verify.kernel.bandits import histories, pulls
from banditproof.verify.kernel.divergences import kl_at_most
from banditproof.verify.kernel.meanings import exp
from banditproof.verify.kernel.policies import is_arm
from banditproof.verify.kernel.rules import (
    Theorem,
    antisymmetric,
    assume,
    cases,
    eq,
    exp_log,
    exp_positive,
    exp_tangent,
    fubini,
    indicator,
    induct,
    le,
    lt,
    mean,
    mono,
    nat,
    nat_minus,
    nat_next,
    same,
    some_bound,
    steps_next,
    steps_zero,
    uniform_next,
)
from banditproof.verify.kernel.tactics import auto, closed, fn, for_all, instance, nat_nonnegative, product, weak
from banditproof.verify.kernel.terms import All, Term, replace, substitute, term, var

a, b, c, h, i, j, k, n, q, r, K, T, empty = map(var, (*"abchijknqrKT", "empty"))


def pi(round: Any, history: Any) -> Term:
    return law("pi", round, history)


def nu(arm: Any) -> Term:
    return law("nu", arm)


def other(arm: Any) -> Term:
    return law("nu_prime", arm)


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

    def next_mean(self, f: str | Callable[[Term], Term]) -> Term:
        """The mean of f over the history after the round n, as a function of the history h before."""
        raise NotImplementedError

    def none(self, body: Term) -> Theorem:
        return steps_zero("h", body, "i", "h", empty, self.step)

    def next(self, natural: Theorem, body: Term) -> Theorem:
        return steps_next(natural, "z", substitute(body, {"h": var("z")}), "i", "h", empty, self.step)


HERE, THERE = Histories(nu), Histories(other)


def chance(arm: Any, m: Any = n) -> Term:
    """The probability of playing an arm in round m on the first bandit."""
    return HERE.mean(m, mean("q", pi(m, h), equal(q, arm)))


def chance_is_nonnegative(arm: Any, m: Any = n) -> Theorem:
    s, t = indicator(q, arm, 3), indicator(arm, q, 3)
    return mono(mono(product(s, t), "q", pi(m, h)), "h", HERE.law(m))


def summand_at_most(f: Callable[[Any], Term], low: Theorem) -> Theorem:
    """f(n) is at most the sum of f(j) over j < T, for natural n < T and T, from 0 <= f(j)."""

    def total(m: Any) -> Term:
        return term(m) * mean("j", uniform(m), f(j))

    pn, pT, pk = assume(nat(n)), assume(nat(T)), assume(nat(k))
    first, lows = uniform_next(pn, "j", f(j)), for_all("j", low)
    before = product(nat_nonnegative(pn), mono(low, "j", uniform(n)))
    base = auto(le(f(n), total(n + 1 + 0)), first, before)
    natural = induct("k", nat_next(pn), nat_next(assume(nat(n + 1 + k))), nat(n + 1 + k))
    more = uniform_next(instance(natural, {"k": k}, pk), "j", f(j))
    claim = le(f(n), total(n + 1 + k))
    step = auto(le(f(n), total(n + 1 + (k + 1))), assume(claim), more, instance(lows, {"j": n + 1 + k}))
    every = induct("k", base, step, claim)
    return auto(le(f(n), total(T)), instance(every, {"k": T - n - 1}, nat_minus(pn, pT, assume(lt(n, T)))))


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


def decomposition_at_most(statement: All) -> Theorem:
    """By induction over the rounds: what the next one adds is at most what the divergences of the arms allow."""
    u, pn = app("u", h), assume(nat(n))
    of_arms = assume(statement.given[-1])
    next_u = app("u", after(a, r))
    tilted = mean("a", pi(n, h), mean("r", other(a), exp(next_u)))
    w, value = Term("log", (tilted,)), exp_log(_positive(next_u))

    # what an arm b adds: no more than its divergence where it is played at all, and nothing where it is not
    G = mean("r", nu(a), next_u - w) - exp(-w) * mean("r", other(a), exp(next_u)) + 1 - app("cost", a)
    G_b = substitute(G, {"a": b})
    share = mean("a", pi(n, h), equal(a, b))
    count = pulls(pi, nu, b, T)
    arm = [assume(f) for f in is_arm(b, K)]
    some, none = assume(lt(0, count)), assume(le(count, 0))
    known = instance(instance(of_arms, {"a": b}, *arm), {}, some)
    below = instance(known, {"u": fn("r", app("u", after(b, r)) - w)})
    goal = le(HERE.mean(n, G_b * share), 0)
    shares = mono(product(indicator(a, b, 3), indicator(b, a, 3)), "a", pi(n, h))
    played = auto(goal, mono(auto(le(G_b * share, 0), (shares, below)), "h", HERE.law(n)))
    never = antisymmetric(
        auto(le(chance(b), 0), none, summand_at_most(lambda m: chance(b, m), chance_is_nonnegative(b, j))),
        chance_is_nonnegative(b),
    )
    most = instance(assume(All(("h",), (), le(G_b, var("bound")))), {"h": h})
    bounded = some_bound(
        auto(goal, mono(auto(le(G_b * share, var("bound") * share), (shares, most)), "h", HERE.law(n)), (var("bound"), never)),
        "bound",
        ["h"],
        G_b,
    )
    each = auto(le(0, -HERE.mean(n, G_b * share)), cases(bounded, played, count, term(0)))
    count_arms = weak(auto(lt(0, K), SOME))
    added = auto(
        le(HERE.mean(n, mean("a", pi(n, h), G)), 0), over_arms(G), (count_arms, mean_over_arms(each))
    )

    def budget(m: Any) -> Term:
        return K * mean("b", uniform(K), pulls(pi, nu, b, m) * app("cost", b))

    def says(m: Any) -> All:
        return kl_at_most(HERE.law(m), THERE.law(m), budget(m))

    claim = All((), (le(n, T),), says(n))
    tests = u, exp(u)
    base = auto(says(0).then, HERE.none(u), THERE.none(exp(u)), exp_tangent(app("u", empty)))
    enough = assume(le(n + 1, T))
    before = instance(instance(assume(claim), {}, auto(le(n, T), enough)), {"u": fn("h", w)})
    more = mono(same(uniform_next(pn, "j", chance(b, j)), "w", var("w") * app("cost", b)), "b", uniform(K))
    now = instance(for_all("", added, lt(n, T)), {}, auto(lt(n, T), enough))
    found = auto(
        says(n + 1).then,
        HERE.next(pn, u),
        THERE.next(pn, exp(u)),
        now,
        mono(auto(eq(exp(-w) * tilted, 1), (exp(-w), value)), "h", HERE.law(n)),
        before,
        mono(value, "h", THERE.law(n)),
        over_arms(app("cost", a)),
        (K, more),
    )
    every = induct("n", for_all("", for_all("u", base), le(0, T)), for_all("", for_all("u", found), le(n + 1, T)), claim)
    at_T = instance(instance(every, {"n": T}, assume(nat(T))), {}, auto(le(T, T)))
    return closed(statement, for_all("u", auto(statement.then.then, instance(at_T, {}))))


def _positive(next_u: Term) -> Theorem:
    """0 < E E e^u over the arm that is played and its reward in the other bandit."""
    middle = mean("a", pi(n, h), mean("r", other(a), next_u))
    jensen = mono(mono(exp_tangent(next_u - middle), "r", other(a)), "a", pi(n, h))
    whole = mean("a", pi(n, h), mean("r", other(a), exp(next_u)))
    return auto(lt(0, whole), exp_positive(middle), (exp_positive(middle), jensen))
