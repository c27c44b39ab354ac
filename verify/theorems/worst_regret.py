"""Proofs in the kernel that every policy has a large regret on one of two bandits with means in [0, 1], private or not.

The arms have the means (gap, 0, ..., 0), and on the second bandit one of the others has 2 gap: one that is played at
most T/(K - 1) times in the mean. What tells the two bandits apart are the rewards of this arm alone.
"""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.asymptotics import Class
from banditproof.verify.kernel.couplings import private_divergence_at_most, variation_at_most
from banditproof.verify.kernel.divergences import kl_at_most
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.policies import is_arm
from banditproof.verify.theorems.bandit_divergences import HERE, THERE, K, T, a, b, n
from banditproof.verify.theorems.consistent_regret import IS_ARM, Change, arm, theta, top, x
from banditproof.verify.theorems.double_change import by_some_law, epsilon, no_divergence, price_is_nonnegative
from banditproof.verify.theorems.interactive_regret import decision_law, decision_of_a_round
from banditproof.verify.theorems.minimax import all_rounds, at_arm, played, sum_is_nonnegative
from banditproof.verify.theorems.normal_laws import half_distances, half_squares, of_mean, of_normal_laws
from banditproof.verify.theorems.policies import SOME
from banditproof.verify.theorems.testing import errors_of_a_test

gap, most, w = var("gap"), var("most"), var("w")
BY_MEAN = Class(lambda name: law("N", name), lambda name: name)
CHANGE = Change(BY_MEAN, 2 * gap)
NAMES = {"theta": fn("x", gap * equal(x, 0))}
MEANS = {**NAMES, "top": term(0)}
FIRST, SECOND = (fn("x", substitute(bandit.body, MEANS)) for bandit in (CHANGE.first, CHANGE.second))
SHARE = T / (K - 1)
SELDOM = le(played(FIRST, arm), SHARE)
FIRST_ARM = nat_zero(), auto(lt(0, K), SOME)
LAWS = BY_MEAN.law(theta(arm)), BY_MEAN.law(CHANGE.new)
IS_OTHER = lt(0, arm)
A_GAP = le(0, gap), le(2 * gap, 1)
IS_BEST = All(("a",), is_arm(a, K), le(theta(a), theta(top)))


def mean_of(k: Any, second: bool) -> Term:
    """The mean of an arm on the first bandit, or on the second one."""
    return substitute(CHANGE.other(term(k)) if second else theta(k), MEANS)


def regrets_at_most(regrets: Theorem, small: Theorem, low: Theorem) -> list[Theorem]:
    """Both regrets are at most the number of the premise, as all means are in [0, 1]."""
    event_0, event_arm = (bounds_of_event(equal(a, k), equal_is_event(a, k)) for k in (term(0), arm))
    others = auto(le(0, 1 - equal(a, arm)), event_arm[1])
    facts = (low, event_0[0]), (low, event_0[1]), small
    more = (product(low, event_0[0]), others), (product(low, others), auto(le(0, 1 - equal(a, 0)), event_0[1]))
    more = *more, (low, event_arm[0]), (low, event_arm[1])
    proved = []
    for second, best, given in ((False, term(0), FIRST_ARM), (True, arm, IS_ARM)):
        mean, of_best = mean_of(a, second), mean_of(best, second)
        known = (*facts, *more) if second else facts
        says = le(0, mean), le(mean, 1), le(mean, of_best)
        conditions = [for_all("a", auto(f, *known), *is_arm(a, K)) for f in says]
        values = {"mu": fn("a", mean), "top": best}
        proved.append(instance(regrets, values, *given, *conditions))
    return proved


def costs_of_both(regrets: Theorem, small: Theorem, low: Theorem) -> list[Theorem]:
    """gap E N_arm <= most and gap (T - E' N_arm) <= most."""
    at_most = regrets_at_most(regrets, small, low)
    _, one, _, two = CHANGE.regrets(assume(IS_BEST))
    high = bounds_of_event(equal(a, 0), equal_is_event(a, 0))[1]
    best = for_all("a", auto(le(gap * equal(a, 0), mean_of(0, False)), (low, high)), *is_arm(a, K))
    lower = [instance(for_all("theta top", p, IS_BEST), MEANS, best) for p in (one, two)]
    plays = played(FIRST, arm), T - played(SECOND, arm)
    gone = [(gap * count, not_the_first()) for count in plays]
    return [
        auto(le(gap * count, most), of, cost, zero)
        for count, of, cost, zero in zip(plays, lower, at_most, gone, strict=True)
    ]


def of_a_rare_arm(costs: list[Theorem], plays: Theorem, price: Term, dear: Theorem) -> Theorem:
    """gap T e^(-price T/(K - 1))/4 <= most for an arm that is played at most T/(K - 1) times.

    Its plays on both bandits add up to T e^(-price E N)/2; `dear` says that the price is not negative.
    """
    fewer = auto(le(price * played(FIRST, arm), price * SHARE), (dear, assume(SELDOM)))
    smaller = exp_monotone(auto(le(-price * SHARE, -price * played(FIRST, arm)), fewer))
    both = (assume(le(0, gap)), plays), (product(assume(le(0, gap)), auto(le(0, T))), smaller)
    return auto(le(gap * T * exp(-price * SHARE) / 4, most), *costs, *both)


def some_arm_is_rare(proved: Theorem, regret: Theorem, modest: Theorem) -> Theorem:
    """A bound on `most`, from what shows it for an arm that is played at most T/(K - 1) times.

    Otherwise all arms but the first are played more often, so that the first one is not played at all, and the regret
    on the first bandit is gap T, which is no less than the bound.
    """
    goal = proved.conclusion
    assert isinstance(goal, Rel)
    above, fewer = assume(lt(most, goal.args[0])), assume(le(played(FIRST, b), SHARE))
    of_b = (assume(nat(b)), assume(lt(b, K)), assume(lt(0, b)), fewer)
    given = (*(f.conclusion for f in IS_ARM), IS_OTHER, SELDOM)
    that = instance(for_all("arm", proved, *given), {"arm": b}, *of_b)
    others = 1 - equal(b, 0)
    excess = le(0, others * (played(FIRST, b) - SHARE))
    contrary = absurd(contradiction(above, that), le(SHARE, played(FIRST, b)))
    more = cases(contrary, weak(assume(lt(SHARE, played(FIRST, b)))), played(FIRST, b), SHARE)
    no_first = auto(le(0, others), bounds_of_event(equal(b, 0), equal_is_event(b, 0))[1])
    is_first = antisymmetric(assume(le(b, 0)), nat_nonnegative(of_b[0]))
    nothing = auto(excess, (played(FIRST, b) - SHARE, same(is_first, "w", 1 - equal(w, 0))))
    each = cases(nothing, auto(excess, (no_first, more)), b, term(0))
    all_others = sum_is_nonnegative("b", K, each, assume(nat(K)), auto(le(1, K)))
    ones, first_is = (at_arm(f, term(0), FIRST_ARM) for f in (lambda _: term(1), lambda k: played(FIRST, k)))
    never = auto(le(played(FIRST, 0), 0), (K, all_others), all_rounds(FIRST), first_is, (SHARE, ones))
    idle = auto(le(gap * T, most), regret, (gap, all_rounds(FIRST)), (gap, first_is), (assume(le(0, gap)), never))
    return by_contradiction(goal, contradiction(above, idle, modest))


def worst_of_two(regrets: Theorem, plays: Theorem, price: Term, dear: Theorem) -> Theorem:
    """gap T e^(-price T/(K - 1))/4 <= most for a gap up to 1/2."""
    low, small = le(0, gap), le(2 * gap, 1)
    costs = costs_of_both(regrets, assume(small), assume(low))
    proved = of_a_rare_arm(costs, plays, price, dear)
    shrunk = exp_monotone(auto(le(-price * SHARE, 0), product(dear, auto(le(0, SHARE)))))
    weight = product(assume(low), auto(le(0, T)))
    modest = auto(le(gap * T * exp(-price * SHARE) / 4, gap * T), (weight, shrunk), weight)
    regret = regrets_at_most(regrets, assume(small), assume(low))[0]
    some = le(1, K), le(1, T)
    found = for_all("", some_arm_is_rare(proved, regret, modest), *some)
    return instance(found)


def not_the_first() -> Theorem:
    """1[arm = 0] = 0."""
    return auto(eq(equal(arm, 0), 0), (ind(0, arm), not_at_most(assume(IS_OTHER))))


def without_privacy(regrets: Theorem) -> Theorem:
    """gap T e^(-2 gap^2 T/(K - 1))/4 <= most, of laws with ``half_squares``."""
    charge, price, is_first = var("charge"), 2 * gap * gap, equal(arm, 0)
    close = kl_at_most(*LAWS, charge)
    hard = CHANGE.both_are_hard(assume(close), charge)
    here = instance(instance(assume(half_squares(of_mean)), {"s": gap * is_first, "t": 2 * gap}), {})
    says = kl_at_most(law("N", gap * is_first), law("N", 2 * gap), price)
    near = for_all("u", auto(says.then, here, (gap * gap * is_first, not_the_first())))
    plays = instance(for_all("theta charge", hard, close), {**NAMES, "charge": price}, near)
    return worst_of_two(regrets, plays, price, square(gap))


def at_mean_zero(near: Theorem) -> Theorem:
    """d_epsilon of the arm's laws on both bandits, from that of N(0) and N(2 gap): its first mean is 0."""
    A, of_event = app("A", x), event("A")
    P, Q = law("N", gap * equal(arm, 0)), law("N", 2 * gap)
    wanted = private_divergence_at_most(P, Q, epsilon, near.conclusion.then.args[1])  # type: ignore[union-attr]
    sums, of_zero = wanted.given[0], near.conclusion.given[0].given  # type: ignore[union-attr]
    assert isinstance(sums, All)
    is_zero = auto(eq(gap * equal(arm, 0), 0), (gap, not_the_first()))
    moved = same(is_zero, "w", mean("x", law("N", w), A))
    apart = instance(assume(of_zero[0]), {}, assume(of_event))
    first = for_all("A", auto(sums.given[0].then, apart, moved), of_event)  # type: ignore[union-attr]
    of_laws = for_all("between apart extra", instance(assume(sums), {}, first, assume(of_zero[1])), *of_zero)
    return for_all("least", auto(wanted.then, instance(near, {}, of_laws)), sums)


def with_privacy(near: Theorem, regrets: Theorem) -> Theorem:
    """gap T e^(-charge T/(K - 1))/4 <= most for epsilon-View DP, where d_epsilon(N(0), N(2 gap)) <= charge."""
    price = near.conclusion.then.args[1]  # type: ignore[union-attr]
    charge = var("charge")
    close = private_divergence_at_most(*LAWS, epsilon, charge)
    hard, _ = CHANGE.both_are_hard_in_private(assume(close), charge)
    plays = instance(for_all("theta charge", hard, close), {**NAMES, "charge": price}, at_mean_zero(near))
    return worst_of_two(regrets, plays, price, price_is_nonnegative(near, weak(assume(lt(0, epsilon)))))


@proof
def by_private_divergence(statement: All) -> Theorem:
    """The price is the d_epsilon of the laws of the arm that changes."""
    *_, more, near, regrets = map(assume, statement.given)
    proved = instance(for_all("", with_privacy(near, regrets), *A_GAP), {})
    closeness, exponent = near.conclusion.then.args[1], var("exponent")  # type: ignore[union-attr]
    fewer = exp_monotone(auto(le(-exponent, -closeness * SHARE)))
    return auto(statement.then, proved, (product(assume(le(0, gap)), auto(le(0, T))), fewer))


def of_root(regrets: Theorem) -> Theorem:
    """root/27 <= most for root^2 <= (K - 1) T: the gap is root/(2 T), and e^(-1/2)/8 >= 1/27."""
    root = var("root")
    positive = auto(lt(0, T)), auto(lt(0, K - 1))
    over_T, over_K = (weak(reciprocal_positive(p)) for p in positive)
    root_is, some = assume(le(root * root, (K - 1) * T)), assume(le(0, root))
    larger = assume(lt(T, root))
    bigger = contradiction((auto(lt(0, root + T)), larger), root_is, (positive[0], assume(le(K - 1, T))))
    at_most_T = by_contradiction(le(root, T), bigger)
    size = root / (2 * T)
    small = auto(le(2 * size, 1), (over_T, at_most_T))
    every = for_all("gap", without_privacy(regrets), *A_GAP)
    known = instance(every, {"gap": size}, small)
    exponent = -2 * size * size * SHARE
    return auto(le(root / 27, most), known, (some, exp_tangent(exponent)))


@of_normal_laws
def minimax(statement: All) -> Theorem:
    """The gap is root/(2 T)."""
    return of_root(assume(statement.given[-1]))


def larger_of_both(statement: All, private: Theorem) -> Theorem:
    """bound <= most where it is at most root/27 or the level, from level <= most."""
    level, root, bound = map(var, ("level", "root", "bound"))
    either, regrets = statement.given[-2:]
    ways = (le(bound, root / 27), of_root(assume(regrets))), (le(bound, level), private)
    each = [for_all("", auto(le(bound - most, 0), assume(f), p), f) for f, p in ways]
    return auto(le(bound, most), instance(assume(either), {"c": bound - most}, *each))


@of_normal_laws
def capped_privacy(statement: All) -> Theorem:
    """The gap is (K - 1)/(epsilon T), or 1/2 where that is larger: the exponent is -1 at most, and e^-1 >= 1/4."""
    distances, regrets = assume(half_distances(of_mean)), assume(statement.given[-1])
    level, size = var("level"), (K - 1) / (epsilon * T)
    positive = auto(lt(0, T)), auto(lt(0, K - 1)), assume(lt(0, epsilon))
    over_T, over_K, over_epsilon = (weak(reciprocal_positive(p)) for p in positive)
    half = auto(le(0, exp(term(-1) / 2) - term(1) / 2), exp_tangent(term(-1) / 2))
    least = auto(le(term(1) / 4, exp(-1)), half)
    P, Q, is_gap = law("N", 0), law("N", 2 * gap), assume(le(0, gap))
    apart = instance(instance(distances, {"s": 0, "t": 2 * gap}, is_gap), {}, assume(event("A")))
    far = for_all("A", auto(variation_at_most(P, Q, gap).then, apart), event("A"))
    near = by_some_law((P, Q, Q), (gap, term(0)), epsilon * gap, far, no_divergence(Q))
    every = for_all("gap", with_privacy(near, regrets), *A_GAP)

    def at_gap(of: Term, small: Theorem, low: Theorem, exponent: Theorem) -> Theorem:
        """gap T/16 <= most, as the exponent is at least -1."""
        weight = product(low, weak(positive[0]))
        more = exp_monotone(exponent)
        return auto(le(of * T / 16, most), instance(every, {"gap": of}, small), (weight, more), (weight, least))

    fits, above = assume(le(2 * (K - 1), epsilon * T)), assume(lt(epsilon * T, 2 * (K - 1)))
    small = auto(le(2 * size, 1), (product(over_epsilon, over_T), fits))
    exponent = auto(le(-1, -epsilon * size * SHARE))
    inside = auto(le(level, most), at_gap(size, small, auto(le(0, size)), exponent))
    largest = term(1) / 2
    exponent = auto(le(-1, -epsilon * largest * SHARE), (over_K, above))
    beyond = auto(le(level, most), at_gap(largest, auto(le(2 * largest, 1)), auto(le(0, largest)), exponent))
    private = cases(inside, beyond, 2 * (K - 1), epsilon * T)
    return larger_of_both(statement, private)


# ------------------------------------------------------------------------------------------------- Interactive zCDP


RHO = var("rho")
ON_BANDITS = CHANGE.first, CHANGE.second
CHANGED = gap * equal(a, arm)
ARM_LAWS = [substitute(law("nu", a), {"nu": f}) for f in ON_BANDITS]
VARY = All(("a",), is_arm(a, K), variation_at_most(ARM_LAWS[0], ARM_LAWS[1], CHANGED))


def hard_by_variation(dear: Theorem) -> Theorem:
    """T e^(-charge E N)/2 <= E N + T - E' N for laws of the arm of variation gap, under rho-Interactive zCDP."""
    charge = dear.conclusion.args[1]  # type: ignore[union-attr]
    first, second = ({name: f} for name, f in zip(("nu", "nu_prime"), ON_BANDITS, strict=True))
    laws = substitute(decision_law(HERE), first), substitute(decision_law(THERE), second)
    hit, one = equal(x, arm), bounds_of_event(equal(a, arm), equal_is_event(a, arm))[1]
    low, high = bounds_of_event(hit, equal_is_event(x, arm))
    values = first | second | {"tv": fn("a", CHANGED), "m": T, "q": gap}
    small = for_all("a", auto(le(CHANGED, gap), (assume(le(0, gap)), one)), *is_arm(a, K))
    soon = assume(nat(n)), weak(assume(lt(n, T)))

    def test(most: Term, few: Theorem) -> Theorem:
        near = instance(decision_of_a_round(K), values, *soon, assume(le(0, gap)), small, assume(VARY))
        known = for_all("u", auto(kl_at_most(*laws, most).then, instance(near, {}), (dear, few)))
        return errors_of_a_test(known, laws, "x", hit, low, high, most)

    return CHANGE.in_every_round(charge, test)


def under_interactive_zcdp(distances: Theorem, regrets: Theorem) -> Theorem:
    """gap T e^(-charge T/(K - 1))/4 <= most, where charge is rho (1 + 2 gap T) gap."""
    A, is_gap = event("A"), assume(le(0, gap))
    charge = RHO * (1 + 2 * gap * T) * gap
    low = product(auto(le(0, 1 + 2 * gap * T), product(is_gap, auto(le(0, T)))), is_gap)
    dear = auto(le(0, charge), product(weak(assume(lt(0, RHO))), low))
    first, second = (mean_of(a, second) for second in (False, True))
    zero, high = equal(a, 0), bounds_of_event(equal(a, 0), equal_is_event(a, 0))
    hit = bounds_of_event(equal(a, arm), equal_is_event(a, arm))[0]
    rest = auto(le(0, 2 * gap - gap * zero), (is_gap, high[1]), is_gap)
    order = auto(le(first, second), product(hit, rest))
    far = instance(instance(distances, {"s": first, "t": second}, order), {}, assume(A))
    goal = replace(VARY.then, MEANS).then  # type: ignore[union-attr]
    near = for_all("a", for_all("A", auto(goal, far, (product(is_gap, hit), high[0])), A), *is_arm(a, K))
    plays = instance(for_all("theta", hard_by_variation(dear), VARY), NAMES, near)
    return worst_of_two(regrets, plays, charge, dear)


def at_small_gap(distances: Theorem, regrets: Theorem) -> Theorem:
    """5 gap T/32 <= most where 4 gap T is at most the private_root, of which rho private_root^2 <= K - 1."""
    private_root, moved, third = var("private_root"), gap * T, term(-3) / 8
    others, few, low = auto(lt(0, K - 1)), assume(le(4 * moved, private_root)), assume(le(0, gap))
    budget = weak(assume(lt(0, RHO)))
    moved_low = product(low, auto(le(0, T)))
    by_scale, by_moved = product(budget, assume(le(0, private_root))), product(budget, moved_low)
    squares = auto(le(16 * RHO * moved * moved, K - 1), (by_scale, few), (by_moved, few))
    shares = auto(le(8 * RHO * moved, 2 * (K - 1)), (budget, square(private_root - 1)), (budget, few))
    over_K = weak(reciprocal_positive(others))
    charge = RHO * (1 + 2 * moved) * gap
    exponent = auto(le(third, -charge * SHARE), (over_K, squares), (over_K, shares))
    known = under_interactive_zcdp(distances, regrets)
    weight = (moved_low, exp_monotone(exponent)), (moved_low, exp_tangent(third))
    return for_all("gap", auto(le(5 * moved / 32, most), known, *weight), *A_GAP, few.conclusion)


@of_normal_laws
def capped_interactive(statement: All) -> Theorem:
    """The gap is private_root/(4 T), or 1/2 where that is larger: the exponent is -3/8 at most, and e^(-3/8) >= 5/8."""
    private_root, level, positive = var("private_root"), var("level"), auto(lt(0, T))
    every = at_small_gap(assume(half_distances(of_mean)), assume(statement.given[-1]))
    over_T = weak(reciprocal_positive(positive))
    size, half, fits = private_root / (4 * T), term(1) / 2, assume(le(private_root, 2 * T))
    inside = instance(every, {"gap": size}, auto(le(2 * size, 1), (over_T, fits)))
    above = auto(le(4 * half * T, private_root), assume(lt(2 * T, private_root)))
    beyond = instance(every, {"gap": half}, above)
    ways = auto(le(level, most), inside), auto(le(level, most), beyond)
    return larger_of_both(statement, cases(*ways, private_root, 2 * T))
