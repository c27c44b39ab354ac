"""Proofs in the kernel of advanced composition: from pure privacy to zCDP, its composition, and back to events."""

from __future__ import annotations

from functools import cache

from banditproof.paper_checks.shared import divergence_proofs, hoeffding_proofs, renyi_proofs
from banditproof.paper_checks.shared.kernel_proofs import app, law
from banditproof.paper_checks.shared.policy_proofs import sum_over
from banditproof.verify.kernel.divergences import each_moment_at_most, zcdp
from banditproof.verify.kernel.meanings import (
    composed_adaptively,
    exp,
    log,
    private,
    sum_of,
    symmetric_neighbours,
    whatever_came_before,
)
from banditproof.verify.kernel.rules import Theorem, assume, eq, exp_positive, le, lt, nat, reciprocal, square
from banditproof.verify.kernel.tactics import (
    auto,
    closed,
    exp_monotone,
    fn,
    for_all,
    instance,
    product,
    reciprocal_positive,
    weak,
)
from banditproof.verify.kernel.terms import All, Term, term, var

alpha, delta, epsilon, i, k, p, rho, root = map(var, ("order", "delta", "epsilon", "i", "k", "p", "rho", "root"))


def mechanism(d: Term) -> Term:
    return law("M", d)


def in_turn(i: Term, h: Term, d: Term) -> Term:
    return law("M", i, h, d)


def of_randomised_response(alpha: Term) -> Term:
    return (exp(alpha * epsilon) + exp((1 - alpha) * epsilon)) / (1 + exp(epsilon))


@cache
def worst_pair() -> Theorem:
    """For all M and epsilon: no moment exceeds that of randomised response."""
    given = le(0, epsilon), symmetric_neighbours(), private(mechanism, epsilon)
    worst = All(("M", "epsilon", "near"), given, each_moment_at_most(mechanism, of_randomised_response))
    return divergence_proofs.randomised_response_is_worst(worst)


@cache
def of_two_values() -> Theorem:
    """That moment is at most e^(alpha (alpha - 1) epsilon^2/2): Hoeffding's lemma, and tanh(t) <= t for its mean."""
    above, positive = assume(lt(1, alpha)), assume(le(0, epsilon))
    r, more = exp(epsilon), auto(le(0, alpha - 1), assume(lt(1, alpha)))
    wide = auto(lt(0, 1 + r), exp_positive(epsilon))
    v, field = 1 / (1 + r), reciprocal(wide)
    small = weak(reciprocal_positive(wide))
    share, s = r * v, 2 * (alpha - 1) * epsilon
    low, high = product(weak(exp_positive(epsilon)), small), auto(le(share, 1), small, field)
    hoeffding = instance(hoeffding_proofs.two_values(), {"p": share, "s": s}, low, high)
    slow = instance(hoeffding_proofs.slow(), {"u": epsilon}, positive)
    mean = auto(le(2 * share - 1, epsilon / 2), (small, slow), (1, field), (epsilon, field))
    exponent = s * s / 8 + share * s - (alpha - 1) * epsilon
    goal = le(exponent, alpha * (alpha - 1) * epsilon * epsilon / 2)
    at_most = exp_monotone(auto(goal, (product(more, positive), mean)))
    shifted = auto(
        le(of_randomised_response(alpha), exp(exponent)),
        (weak(exp_positive(share * s - (alpha - 1) * epsilon)), hoeffding),
        (exp((1 - alpha) * epsilon), field),
    )
    proved = auto(le(of_randomised_response(alpha), at_most.conclusion.args[1]), shifted, at_most)  # type: ignore[union-attr]
    return for_all("order epsilon", proved, above.conclusion, positive.conclusion)


def spent(i: Term) -> Term:
    """3/2 epsilon(i)^2."""
    return term(3) / 2 * app("epsilon", i) * app("epsilon", i)


@cache
def in_sum() -> Theorem:
    """For all M and rho: what is zCDP one by one is so together, by the sum of the budgets."""
    each = whatever_came_before(k, lambda i, h: zcdp(lambda d: in_turn(i, h, d), app("rho", i)))
    then = zcdp(composed_adaptively(in_turn, k), sum_of(lambda i: app("rho", i), k))
    return renyi_proofs.adaptive_composition(All(("M", "k", "rho"), (nat(k), each), then))


@cache
def as_events() -> Theorem:
    """For all M and rho: rho-zCDP is (rho + 2 root, delta)-DP."""
    given = le(0, rho), lt(0, delta), le(0, root), eq(root * root, rho * log(1 / delta)), zcdp(mechanism, rho)
    then = private(mechanism, rho + 2 * root, delta)
    return divergence_proofs.approximate_of_zcdp(All(("M", "rho", "delta", "root"), given, then))


def advanced(statement: All) -> Theorem:
    """Each mechanism is 3/2 epsilon(i)^2-zCDP, so all are together, and 2 sqrt(3/2 S L) is sqrt(6 S L)."""
    (each,) = (g for g in statement.given if isinstance(g, All) and {"i", "h"} == {*g.params})
    (no_budget_below,) = (assume(g) for g in statement.given if isinstance(g, All) and g.params == ("i",))
    swap, h, order = assume(symmetric_neighbours()), var("h"), assume(lt(1, alpha))
    rounds = assume(nat(i)), assume(lt(i, k))
    budget, low = app("epsilon", i), instance(no_budget_below, {}, rounds[0])
    one = instance(assume(each), {}, *rounds)
    values = {"M": fn("d", in_turn(i, h, var("d"))), "epsilon": budget}
    moments = instance(worst_pair(), values, low, swap, one)
    near = assume(moments.conclusion.given[0])  # type: ignore[union-attr]
    at_u = instance(instance(moments, {}, near, order), {})
    numbers = instance(of_two_values(), {"epsilon": budget}, order, low)
    more, whole = auto(le(0, alpha - 1), order), auto(le(0, alpha), order)
    smaller = le(alpha * (alpha - 1) * budget * budget / 2, (alpha - 1) * alpha * spent(i))
    larger = exp_monotone(auto(smaller, (product(more, whole), square(budget))))
    wanted = zcdp(lambda d: in_turn(i, h, d), spent(i))
    proved = auto(wanted.then.then, at_u, numbers, larger)  # type: ignore[union-attr]
    of_one = for_all("d e order", for_all("u", proved), *wanted.given)
    of_each = for_all("i h", of_one, *(p.conclusion for p in rounds))
    of_all = instance(in_sum(), {"rho": fn("i", spent(i))}, assume(nat(k)), of_each)
    total = sum_of(spent, k)
    small = sum_over(auto(le(0, spent(i)), square(budget)), "i", k)
    (is_root,) = (assume(g) for g in statement.given if getattr(g, "op", "") == "=")
    half = auto(eq(root / 2 * (root / 2), total * log(1 / delta)), is_root)
    conditions = small, assume(lt(0, delta)), auto(le(0, root / 2), assume(le(0, root))), half, of_all
    law_of = fn("d", composed_adaptively(in_turn, k)(var("d")))
    return closed(statement, instance(as_events(), {"M": law_of, "rho": total, "root": root / 2}, *conditions))
