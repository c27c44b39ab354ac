"""Proofs in the kernel of advanced composition: from pure privacy to zCDP, its composition, and back to events."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.divergences import each_moment_at_most, zcdp
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.meanings import private, whatever_came_before
from banditproof.verify.theorems import divergences as divergence_proofs
from banditproof.verify.theorems import hoeffding as hoeffding_proofs
from banditproof.verify.theorems import renyi as renyi_proofs
from banditproof.verify.theorems.policies import sum_over

alpha, delta, epsilon, i, k, p, rho, root = map(var, ("order", "delta", "epsilon", "i", "k", "p", "rho", "root"))


def in_turn(i: Term, h: Term, d: Term) -> Term:
    return law("M", i, h, d)


def of_randomised_response(alpha: Term) -> Term:
    return (exp(alpha * epsilon) + exp((1 - alpha) * epsilon)) / (1 + exp(epsilon))


@once
def worst_pair() -> Theorem:
    """For all M and epsilon: no moment exceeds that of randomised response."""
    given = le(0, epsilon), symmetric_neighbours(), private(mechanism, epsilon)
    worst = All(("M", "epsilon", "near"), given, each_moment_at_most(mechanism, of_randomised_response))
    return divergence_proofs.randomised_response_is_worst(worst)


@lemma("order epsilon", lt(1, alpha), le(0, epsilon))
def of_two_values() -> Theorem:
    """That moment is at most e^(alpha (alpha - 1) epsilon^2/2): Hoeffding's lemma, and tanh(t) <= t for its mean."""
    r = exp(epsilon)
    wide = auto(lt(0, 1 + r))
    v, field = 1 / (1 + r), reciprocal(wide)
    share, s = r * v, 2 * (alpha - 1) * epsilon
    hoeffding = instance(hoeffding_proofs.two_values(), {"p": share, "s": s})
    slow = instance(hoeffding_proofs.slow(), {"u": epsilon})
    mean = auto(le(2 * share - 1, epsilon / 2), (1 / (1 + r), slow))
    exponent = s * s / 8 + share * s - (alpha - 1) * epsilon
    bound = alpha * (alpha - 1) * epsilon * epsilon / 2
    at_most = exp_monotone(auto(le(exponent, bound), ((alpha - 1) * epsilon, mean)))
    shifted = auto(
        le(of_randomised_response(alpha), exp(exponent)),
        (exp(share * s - (alpha - 1) * epsilon), hoeffding),
        (exp((1 - alpha) * epsilon), field),
    )
    return auto(le(of_randomised_response(alpha), exp(bound)), shifted, at_most)


def spent(i: Term) -> Term:
    """3/2 epsilon(i)^2."""
    return term(3) / 2 * app("epsilon", i) * app("epsilon", i)


@once
def in_sum() -> Theorem:
    """For all M and rho: what is zCDP one by one is so together, by the sum of the budgets."""
    each = whatever_came_before(k, lambda i, h: zcdp(lambda d: in_turn(i, h, d), app("rho", i)))
    then = zcdp(composed_adaptively(in_turn, k), sum_of(lambda i: app("rho", i), k))
    return renyi_proofs.adaptive_composition(All(("M", "k", "rho"), (nat(k), each), then))


@once
def as_events() -> Theorem:
    """For all M and rho: rho-zCDP is (rho + 2 root, delta)-DP."""
    given = le(0, rho), lt(0, delta), le(0, root), eq(root * root, rho * log(1 / delta)), zcdp(mechanism, rho)
    then = private(mechanism, rho + 2 * root, delta)
    return divergence_proofs.approximate_of_zcdp(All(("M", "rho", "delta", "root"), given, then))


def of_pure(wanted: All, values: dict[str, Any], spent: Term, *given: Theorem) -> Theorem:
    """zCDP of a mechanism with at least epsilon^2/2, from 0 <= epsilon and that it is epsilon-DP."""
    order, budget = assume(lt(1, alpha)), values["epsilon"]
    at_u = instance(instance(instance(worst_pair(), values, *given), {}, order), {})
    numbers = instance(of_two_values(), {"epsilon": budget}, order, given[0])
    more, whole = auto(le(0, alpha - 1), order), auto(le(0, alpha), order)
    smaller = le(alpha * (alpha - 1) * budget * budget / 2, (alpha - 1) * alpha * spent)
    larger = exp_monotone(auto(smaller, (product(more, whole), square(budget))))
    proved = auto(wanted.then.then, at_u, numbers, larger)  # type: ignore[union-attr]
    return for_all("d e order", for_all("u", proved), *wanted.given)


@proof
def zcdp_of_pure(statement: All) -> Theorem:
    """No moment exceeds that of randomised response, which Hoeffding's lemma bounds."""
    values = {"M": fn("d", mechanism(var("d"))), "epsilon": epsilon}
    low, *_, pure = map(assume, statement.given)
    spent = epsilon * epsilon / 2
    return of_pure(zcdp(mechanism, spent), values, spent, low, pure)


@proof
def advanced(statement: All) -> Theorem:
    """Each mechanism is 3/2 epsilon(i)^2-zCDP, so all are together, and 2 sqrt(3/2 S L) is sqrt(6 S L)."""
    (each,) = (g for g in statement.given if isinstance(g, All) and {"i", "h"} == {*g.params})
    (no_budget_below,) = (assume(g) for g in statement.given if isinstance(g, All) and g.params == ("i",))
    h, rounds = var("h"), (assume(nat(i)), assume(lt(i, k)))
    budget, low = app("epsilon", i), instance(no_budget_below, {}, rounds[0])
    one = instance(assume(each), {}, *rounds)
    values = {"M": fn("d", in_turn(i, h, var("d"))), "epsilon": budget}
    wanted = zcdp(lambda d: in_turn(i, h, d), spent(i))
    of_each = of_pure(wanted, values, spent(i), low, one)
    of_all = instance(in_sum(), {"rho": fn("i", spent(i))}, of_each)
    total = sum_of(spent, k)
    small = sum_over(auto(le(0, spent(i))), "i", k)
    half = auto(eq(root / 2 * (root / 2), total * log(1 / delta)))
    conditions = small, assume(lt(0, delta)), auto(le(0, root / 2)), half, of_all
    law_of = fn("d", composed_adaptively(in_turn, k)(var("d")))
    return instance(as_events(), {"M": law_of, "rho": total, "root": root / 2}, *conditions)
