"""Proofs in the kernel of which policies are consistent: those of logarithmic regret, seldom those of one arm."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.asymptotics import regret_is_its_gap
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.losses import always
from banditproof.verify.theorems.consistent_regret import NAMED, K, T, rounds, since, span, theta, top
from banditproof.verify.theorems.minimax import at_arm

growth, small, constant, n = map(var, ("growth", "small", "constant", "n"))
GAP = NAMED.mean(theta(top)) - NAMED.mean(theta(0))


@proof
def of_logarithmic_regret(statement: All) -> Theorem:
    """C log T <= small T^p where log T >= 4 C/(small p^2), since T^p is at least the square of p log T/2."""
    _, given, goal = parts_of(statement.then)
    positive, some = map(assume, given[-2:])
    bounded = instance(assume(statement.given[-1]), {})
    low_since, low_constant, said = map(assume, bounded.conclusion.given[0].given)  # type: ignore[union-attr]
    scale, half = product(some, product(positive, positive)), growth * span / 2
    start = 4 * constant / (small * growth * growth)
    far, is_log = assume(le(since + exp(start), rounds)), assume(eq(exp(span), rounds))
    short = assume(lt(span, start))
    low = exp_positive(span)
    below = auto(lt(exp(span), exp(start)), (low, exp_tangent(start - span)), (low, short))
    long = by_contradiction(le(start, span), contradiction(below, far, is_log, low_since))
    not_negative = product(low_constant, weak(reciprocal_positive(scale)))
    steep = auto(le(4 * constant, small * growth * growth * span), (scale, long))
    span_low, root = auto(le(0, span), long, not_negative), exp_tangent(half)
    low = auto(le(0, half), product(positive, span_low))
    power = auto(le(half * half, exp(growth * span)), (exp(half), root), (low, root), low)
    reached = instance(said, {}, assume(nat(rounds)), auto(le(since, rounds), far), is_log)
    wherever: Any = goal.given[0]
    each = auto(wherever.given[-1].then, reached, (span_low, steep), (some, power))
    tail = for_all("rounds log_rounds", each, nat(rounds), far.conclusion, is_log.conclusion)
    late = auto(le(0, since + exp(start)), low_since)
    found = instance(assume(wherever), {"since": since + exp(start)}, late, tail)
    there: Any = bounded.conclusion.given[0]  # type: ignore[union-attr]
    return for_all("c", instance(bounded, {}, for_all(" ".join(there.params), found, *there.given)), wherever)


def regret_of_one_arm() -> Theorem:
    """The sum of E N_a gap(a) has one summand."""
    is_arm = nat_zero(), auto(lt(0, K))
    gap = at_arm(lambda b: NAMED.mean(theta(top)) - NAMED.mean(theta(b)), term(0), is_arm)
    return auto(regret_is_its_gap(always(0), NAMED, T, K, 0).then, (T, gap))


@proof
def of_one_arm(statement: All) -> Theorem:
    """The arm is played in each round."""
    return regret_of_one_arm()


@proof
def only_if_best(statement: All) -> Theorem:
    """Reg_T is T gap, and at most T gap/2 for large T."""
    worse, half = assume(lt(0, GAP)), GAP / 2
    some = instance(assume(statement.given[-1]), {"growth": 1, "small": half}, auto(lt(0, half), worse))
    there: Any = some.conclusion.given[0]  # type: ignore[union-attr]
    _, said = map(assume, there.given)
    enough = assume(le(since + 1, n))
    positive, late = auto(lt(0, n), enough, assume(le(0, since))), auto(le(since, n), enough)
    of_log, values = exp_log(positive), {"rounds": n, "log_rounds": log(n)}
    lost = instance(for_all("T", regret_of_one_arm()), {"T": n})
    none = auto(le(GAP * n, 0), instance(said, values, assume(nat(n)), late, of_log), lost, (half, of_log))
    never = auto(le(GAP, 0), (reciprocal_positive(positive), none), (GAP, reciprocal(positive)))
    wherever = for_all("since", some_natural(never, "n", since + 1), *there.given)
    return by_contradiction(conclusion(statement), contradiction(worse, instance(some, {"c": GAP}, wherever)))
