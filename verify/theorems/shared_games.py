"""Proofs in the kernel about the game of identification in which the best arm has a given share: the relaxed time."""

from __future__ import annotations

from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.policies import K, a

best, beta, c, epsilon, factor = map(var, ("best", "beta", "c", "epsilon", "factor"))
SHARE, GAP, WIDE = app("shares", a), app("centre", best) - app("centre", a), 3 * epsilon
LARGE = ind(WIDE, GAP)
PLAIN, RELAXED = 2 * GAP * GAP, 2 * GAP * (GAP + (WIDE - GAP) * LARGE)
OTHER = *is_arm(a, K), lt(0, (a - best) * (a - best))


def of_other(f: Formula) -> Theorem:
    """What is said of every other arm."""
    is_one = tuple(map(assume, OTHER))
    return instance(instance(assume(f), {}, *is_one[:2]), {}, is_one[2])


def game(value: Formula, given: tuple[Formula, ...], amount: Term, of_a: Theorem) -> Theorem:
    """What the game is worth, where the amount is paid for the arm a."""
    paid = for_all("a", for_all("", of_a, OTHER[2]), *OTHER[:2])
    return instance(assume(value), {"c": amount}, paid)


def share_is_positive(given: tuple[Formula, ...]) -> Theorem:
    """0 <= shares(a) beta."""
    low = instance(assume(given[0]), {}, *map(assume, OTHER[:2]))
    return auto(le(0, SHARE * beta), product(low, auto(le(0, beta))))


def gap_is_not_negative(is_best: Formula) -> Theorem:
    """0 <= gap(a)."""
    return auto(le(0, GAP), instance(assume(is_best), {}, *map(assume, OTHER[:2])))


@proof
def relaxed_is_at_least(statement: All) -> Theorem:
    """What is paid in the relaxed game is paid in the other one: min(3 epsilon, gap) is at most the gap."""
    (is_best, value), (_, given, _) = statement.given[-2:], parts_of(statement.then)
    low = gap_is_not_negative(is_best)
    less = auto(le(RELAXED, PLAIN), (auto(le(0, 2 * GAP), low), indicator(WIDE, GAP, 1)))
    goal = le(c * (SHARE + beta), SHARE * beta * PLAIN)
    return game(value, given, c, auto(goal, of_other(given[-1]), (share_is_positive(given), less)))


@proof
def relaxed_is_at_most(statement: All) -> Theorem:
    """A part 1/factor of what is paid is paid in the relaxed game: gap <= factor min(3 epsilon, gap)."""
    (is_best, wide, value), (_, given, _) = statement.given[-3:], parts_of(statement.then)
    low = gap_is_not_negative(is_best)
    bounded = instance(assume(wide), {}, *map(assume, OTHER[:2]))
    longer = product(indicator(WIDE, GAP, 3), auto(le(0, WIDE * factor - GAP), bounded))
    as_it_is = product(auto(le(0, 1 - LARGE)), product(low, auto(le(0, factor - 1))))
    least = auto(le(GAP, factor * (GAP + (WIDE - GAP) * LARGE)), longer, as_it_is)
    more = auto(le(PLAIN, factor * RELAXED), (auto(le(0, 2 * GAP), low), least))
    grown = auto(lt(0, factor))
    paid = share_is_positive(given)
    whole = auto(le(c * (SHARE + beta), SHARE * beta * factor * RELAXED), of_other(given[-1]), (paid, more))
    goal = le(c / factor * (SHARE + beta), SHARE * beta * RELAXED)
    divided = auto(goal, (weak(reciprocal_positive(grown)), whole))
    at = game(value, given, c / factor, divided)
    return auto(conclusion(statement), (weak(grown), at))
