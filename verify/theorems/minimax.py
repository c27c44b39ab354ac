"""Proofs in the kernel of lower bounds on the regret of every policy, from two bandits that are hard to tell apart.

In each round the chances of the first arm on the two bandits are those of a test: so the two regrets add up to at least
the gap times T e^(-c)/2, where the divergence of the histories is at most c.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from banditproof.verify.kernel.bandits import histories, kl_of_arms_at_most, pulls, pulls_times
from banditproof.verify.kernel.divergences import kl_at_most
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.linear import inner, missed_in_round, plus_noise
from banditproof.verify.kernel.policies import is_arm, plays_arms
from banditproof.verify.theorems.bandit_divergences import *
from banditproof.verify.theorems.normal_laws import half_squares, of_mean, of_normal_laws
from banditproof.verify.theorems.policies import PLAYS, SOME, an_arm, mean_over_arms, sum_over


@once
def divergence_of_histories() -> Theorem:
    """What ``decomposition_at_most`` says, of all policies, bandits and numbers."""
    nu, other, cost = (lambda x: law("nu", x)), (lambda x: law("nu_prime", x)), lambda x: app("cost", x)
    given = (
        nat(K),
        le(1, K),
        nat(T),
        All(("i",), (nat(var("i")),), le(0, cost(var("i")))),
        plays_arms(pi, K),
        kl_of_arms_at_most(pi, nu, other, T, K, cost),
    )
    then = kl_at_most(histories(pi, nu, T), histories(pi, other, T), pulls_times(pi, nu, T, K, cost))
    names = ("pi", "nu", "nu_prime", "K", "T", "cost", "empty", "pair")
    return decomposition_at_most(All(names, given, then))


def sum_is_nonnegative(name: str, count: Term, proof: Theorem, natural: Theorem, some: Theorem) -> Theorem:
    """0 <= E f(name) for a name uniform on 0 .. count - 1, from 0 <= f for each of these: sums over fewer."""
    m, f = var("m"), proof.conclusion.args[1]  # type: ignore[union-attr]

    def total(k: Any) -> Term:
        return term(k) * mean(name, uniform(k), f)

    claim = All((), (le(m, count),), le(0, total(m)))
    base = auto(le(0, total(0)))
    pm, enough = assume(nat(m)), assume(le(m + 1, count))
    here = instance(for_all(name, proof, *is_arm(var(name), count)), {name: m}, pm, auto(lt(m, count), enough))
    before = instance(assume(claim), {}, auto(le(m, count), enough))
    proved = auto(le(0, total(m + 1)), uniform_next(pm, name, f), before, here)
    every = induction("m", base, proved, claim)
    whole = instance(instance(every, {"m": count}, natural))
    positive, middle = auto(lt(0, count), some), mean(name, uniform(count), f)
    return auto(le(0, middle), (reciprocal_positive(positive), whole), (middle, reciprocal(positive)))


def at_arm(f: Callable[[Any], Term], arm: Any, is_one: tuple[Theorem, ...]) -> Theorem:
    """The sum of f(b) 1[b = arm] over the arms b is f(arm)."""
    moved = mono(under(b, arm, f(var("w"))), "b", uniform(K))
    hit = instance(for_all("a", an_arm(a), *is_arm(a, K)), {"a": term(arm)}, *is_one)
    return auto(eq(K * mean("b", uniform(K), f(b) * equal(b, arm)), f(arm)), (K, moved), (f(arm), hit))


class TwoBandits:
    """Means (gap, 0, ..., 0), and the same with 2 gap at the arm i."""

    def __init__(self, gap: Any, i: Term):
        self.gap, self.i = term(gap), i
        self.first, self.second = (fn("x", law("N", self.means(var("x"), arm))) for arm in (None, i))

    def means(self, x: Any, arm: Any = None) -> Term:
        return self.gap * equal(x, 0) + (2 * self.gap * equal(x, arm) if arm is not None else 0)

    def histories(self, m: Any) -> tuple[Term, Term]:
        one, two = (substitute(histories(pi, lambda x: law("nu", x), m), {"nu": f}) for f in (self.first, self.second))
        return one, two

    def divergence(self, m: Any, laws: Theorem, natural: Theorem, some: Theorem) -> Theorem:
        """D_KL of the histories of m rounds is at most 2 gap^2 E N_i(m), for laws with ``half_squares``."""
        i, cost = self.i, 2 * self.gap * self.gap * equal(a, self.i)
        event = equal_is_event(a, i)
        of_laws = instance(instance(laws, {"s": self.means(a), "t": self.means(a, i)}), {})
        one, two = (substitute(law("nu", a), {"nu": f}) for f in (self.first, self.second))
        at_cost = for_all("u", auto(kl_at_most(one, two, cost).then, of_laws, (2 * self.gap * self.gap, event)))
        of_arms = for_all("", at_cost, lt(0, played(self.first, a, m)))
        values = {"nu": self.first, "nu_prime": self.second, "T": m, "cost": fn("a", cost)}
        proved = instance(divergence_of_histories(), values, assume(nat(K)), some, PLAYS, of_arms)
        only_i = at_arm(lambda arm: played(self.first, arm, m), i, (assume(nat(i)), assume(lt(i, K))))
        most = 2 * self.gap * self.gap * played(self.first, i, m)
        goal = kl_at_most(*self.histories(m), most)
        return for_all("u", auto(goal.then, instance(proved, {}), (2 * self.gap * self.gap, only_i)))


def played(bandit: Any, arm: Any, m: Any = T) -> Term:
    """E N_arm(m) on a bandit."""
    return substitute(pulls(pi, lambda x: law("nu", x), arm, m), {"nu": bandit})


def all_rounds(bandit: Any) -> Theorem:
    """T is the sum of E N_b over the arms b."""
    at_j = instance(for_all("nu n", over_arms(term(1))), {"nu": bandit, "n": j})
    share = substitute(chance(b, j), {"nu": bandit})
    turned = fubini("j", uniform(T), "b", uniform(K), share)
    everything = K * mean("b", uniform(K), played(bandit, b))
    return auto(eq(T, everything), (T, mono(at_j, "j", uniform(T))), (T * K, turned))


@of_normal_laws
def rarely_played(statement: All) -> Theorem:
    """The divergence of the histories, and that E N_i is at most T/(K - 1) for an arm that is played least."""
    gap, i, others = var("gap"), var("arm"), var("rest")
    two = TwoBandits(gap, i)
    laws = assume(half_squares(of_mean))
    of_i = for_all("K", two.divergence(T, laws, assume(nat(T)), SOME), nat(K), le(1, K), plays_arms(pi, K), lt(i, K))
    known = instance(of_i, {"K": others + 1})
    few_of = for_all("K", seldom(two.first, i), nat(K), le(1, K), plays_arms(pi, K), least_in(two.first, i, K))
    rare = instance(few_of, {"K": others + 1})
    few = auto(le(played(two.first, i), T / others), (1 / others, rare))
    goal = statement.then
    return auto(goal.then, instance(known, {}), (2 * gap * gap, few))  # type: ignore[union-attr]


def least_in(bandit: Any, i: Term, count: Any) -> All:
    """No arm but the first is played less often than i."""
    return All(("a",), (*is_arm(a, count), lt(0, a)), le(played(bandit, i), played(bandit, a)))


def seldom(bandit: Any, i: Term) -> Theorem:
    """(K - 1) E N_i <= T for the arm i that is played least: the others but the first are played as often."""
    arms, least = [assume(f) for f in is_arm(b, K)], assume(least_in(bandit, i, K))
    others, more = 1 - equal(b, 0), played(bandit, b) - played(bandit, i)
    of_first = antisymmetric(assume(le(b, 0)), nat_nonnegative(arms[0]))
    nothing = auto(le(0, others * more), (more, same(of_first, "w", 1 - equal(var("w"), 0))))
    low = auto(le(0, others), bounds_of_event(equal(b, 0), equal_is_event(b, 0))[1])
    each = cases(
        nothing, auto(le(0, others * more), (low, instance(least, {"a": b}, *arms, assume(lt(0, b))))), b, term(0)
    )
    first = nat_zero(), auto(lt(0, K), SOME)
    on_first = at_arm(lambda arm: played(bandit, arm), term(0), first)
    one = at_arm(lambda arm: term(1), term(0), first)
    lowest = pulls_are_nonnegative(term(0), assume(nat(T)))
    no_less = instance(for_all("nu", lowest), {"nu": bandit})
    facts = (weak(first[1]), mean_over_arms(each)), all_rounds(bandit), on_first, (played(bandit, i), one), no_less
    return auto(le((K - 1) * played(bandit, i), T), *facts)


@proof
def least_is_seldom(statement: All) -> Theorem:
    """E N_i <= T/(K - 1) for the arm i that is played least, of K - 1 beside the first."""
    others, i, bandit = var("rest"), var("arm"), fn("x", law("nu", var("x")))
    of_i = for_all("K", seldom(bandit, i), nat(K), le(1, K), plays_arms(pi, K), least_in(bandit, i, K))
    rare = instance(of_i, {"K": others + 1})
    positive = auto(lt(0, others))
    inverse = (weak(reciprocal_positive(positive)), rare), (played(bandit, i), reciprocal(positive))
    return auto(statement.then, *inverse)


def without_a_range_of_means(statement: All) -> Theorem:
    """One of the two arms is played with probability 1/2 or less in the first round, on both bandits alike."""
    enough, two_arms = assume(le(K - 1, T)), assume(le(2, K))
    level = 2 * var("level")
    some_rounds, some_arms = auto(lt(0, T), enough, two_arms), auto(lt(0, K), two_arms)
    first = pi(0, var("empty"))
    facts: list[Any] = [(assume(le(0, var("level"))), mono(at_most_one_of_both(), "q", first))]
    for arm in (0, 1):
        bandit = fn("x", law("N", level * equal(var("x"), arm)))
        at_start = for_all(
            "nu n", summand_at_most(lambda m: chance(b, m), chance_is_nonnegative(b, j)), nat(n), lt(n, T)
        )
        more = instance(at_start, {"nu": bandit, "n": 0}, some_rounds)
        later, now = (
            substitute(side, {"nu": bandit}) for side in (pulls(pi, lambda x: law("nu", x), b, T), chance(b, term(0)))
        )
        rest = auto(le(0, 1 - equal(b, arm)), bounds_of_event(equal(b, arm), equal_is_event(b, arm))[1])
        weight = product(assume(le(0, var("level"))), rest)
        each = product(weight, auto(le(0, later - now), more))
        played_first = instance(for_all("nu n", over_arms(1 - equal(a, arm))), {"nu": bandit, "n": 0})
        _, _, _, step = substitute(histories(pi, lambda x: law("nu", x), 0), {"nu": bandit}).args
        begins = steps_zero("h", mean("q", pi(0, h), equal(q, arm)), "i", "h", var("empty"), step)
        facts += [(weak(some_arms), mono(each, "b", uniform(K))), (level, played_first), (level, begins)]
    return closed(statement, auto(statement.then, *facts))


def at_most_one_of_both() -> Theorem:
    """1[q = 0] + 1[q = 1] <= 1."""
    of_zero, of_one = equal(q, 0), equal(q, 1)
    low, high = (bounds_of_event(f, equal_is_event(q, k)) for k, f in enumerate((of_zero, of_one)))
    never = under(q, 0, equal(var("w"), 1))
    both = product(auto(le(0, 1 - of_zero), low[1]), auto(le(0, 1 - of_one), high[1]))
    return auto(le(of_zero + of_one, 1), both, never)


@proof
def costs_by_arms(statement: All) -> Theorem:
    """In each round the cost of the arm that is played is that of each arm, as often as it is played."""
    every = instance(for_all("n", over_arms(app("price", a))), {"n": j})
    turned = fubini("j", uniform(T), "b", uniform(K), chance(b, j) * app("price", b))
    _, _, goal = parts_of(statement.then)
    return auto(goal, (T, mono(every, "j", uniform(T))), (T * K, turned))


@proof
def episode_is_short(statement: All) -> Theorem:
    """What one arm was played before is less than what all arms were."""
    spot = var("arm")
    lows = [f for f in statement.given if isinstance(f, All)]
    low = instance(assume(lows[0]), {"a": b}, *map(assume, is_arm(b, K)))
    others = auto(le(0, 1 - equal(b, spot)), bounds_of_event(equal(b, spot), equal_is_event(b, spot))[1])
    of_b = app("counted", b)
    rest = sum_over(product(others, auto(le(0, of_b), low)), "b", K)
    own = at_arm(lambda arm: app("counted", arm), spot, (assume(nat(spot)), assume(lt(spot, K))))
    start = 1 + sum_of(lambda k: app("counted", k), K)
    return auto(le(start + var("step"), 2 * start), rest, own)


# ------------------------------------------------------------------------------------------- linear, of all parameters


def of_all_parameters(private: Callable[[], Theorem]) -> Callable[[All], Theorem]:
    """(L, ..., L) and (-L, ..., -L) cost 2 L d together in the first round, before which nothing is told.

    L is the sum of the two bounds, and `private` says that the second one is at least 0.
    """

    def proof(statement: All) -> Theorem:
        d, i, noise = var("dimension"), var("i"), law("noise")
        wherever = assume(statement.then.given[0])  # type: ignore[union-attr]
        bounds = [price.args[0] for price in wherever.conclusion.given[1:]]  # type: ignore[union-attr]
        natural, inside = assume(nat(d)), [assume(f) for f in statement.given[-3:]]
        free = auto(le(0, bounds[0]), (exp(term(-2)) * exp(Term("log", (T,)) / 2), nat_nonnegative(natural)))
        level, lows = bounds[0] + bounds[1], (free, private())
        level_low = auto(le(0, level), *lows)
        place = assume(nat(i)), assume(lt(i, d))
        of_a = [instance(f, {}, *place) for f in inside[:2]]
        some_rounds = auto(lt(0, T), assume(le(1, T)))
        corners, regrets, best, first = {1: var("up"), -1: var("down")}, {}, {}, []
        for sign, corner in corners.items():
            theta = sign * level

            def missed(m: Any, theta: Term = theta, corner: Term = corner) -> Term:
                return missed_in_round(pi, lambda _: theta, corner, lambda mean: plus_noise(mean, noise), d, m)

            def value(action: Any, theta: Term = theta) -> Term:
                return inner(lambda _: theta, action, d)

            entry = instance(assume(filled(corner, sign)), {}, *place)
            whole = auto(eq(0, theta * app("coordinate", corner, i) - level), (theta, entry))
            inner_side = of_a[1] if sign == 1 else of_a[0]
            less = theta * (app("coordinate", corner, i) - app("coordinate", a, i))
            gap = auto(le(0, less), (level_low, inner_side), (theta, entry))
            optimal = auto(le(value(a), value(corner)), sum_over(gap, "i", d))
            best[sign], regrets[sign] = for_all("a", optimal), T * mean("j", uniform(T), missed(j))
            runs = missed(j).args[1]
            at_j = law("pi", j, app("told", var("z")))
            low = mono(mono(auto(le(0, value(corner) - value(a)), optimal), "a", at_j), "z", runs)
            lost = for_all("n", summand_at_most(missed, low), nat(n), lt(n, T))
            body = mean("a", law("pi", 0, app("told", var("z"))), value(corner) - value(a))
            start = steps_zero("z", body, "t", "z", var("empty"), missed(0).args[1].args[3])
            first += [instance(lost, {"n": 0}, some_rounds), start, sum_over(whole, "i", d)]
        dimensions = assume(le(1, d))
        both = auto(le(2 * level, regrets[1] + regrets[-1]), *first, (level_low, dimensions))

        def with_parameter(sign: int, enough: Theorem) -> Theorem:
            """c <= 0, from level <= regret."""
            prices = [auto(le(bound, regrets[sign]), enough, *lows) for bound in bounds]
            values = {"theta": fn("i", sign * level), "optimal": corners[sign]}
            return instance(wherever, values, best[sign], *prices)

        few = assume(le(regrets[1], level))
        other = with_parameter(-1, auto(le(level, regrets[-1]), both, few))
        proved = cases(with_parameter(1, assume(le(level, regrets[1]))), other, level, regrets[1])
        for sign, corner in corners.items():
            there = instance(inside[2], {"vector": fn("i", sign)})
            proved = instance(there, {}, for_all(corner.args[0], proved, filled(corner, sign)))
        return closed(statement, for_all("c", proved, wherever.conclusion))

    def filled(action: Term, sign: int) -> All:
        i, d = var("i"), var("dimension")
        return All(("i",), (nat(i), lt(i, d)), eq(app("coordinate", action, i), sign))

    return proof


def private_by_epsilon() -> Theorem:
    """0 <= e^-1 d/(4 epsilon)."""
    epsilon, d = var("epsilon"), var("dimension")
    rest = product(exp_positive(term(-1)), reciprocal_positive(assume(lt(0, epsilon))))
    return auto(le(0, exp(-1) * d / epsilon / 4), (rest, nat_nonnegative(assume(nat(d)))))


def private_by_rho() -> Theorem:
    """0 <= e^-2.25 d/(4 rho^(1/2))."""
    d, root = var("dimension"), exp(Term("log", (var("rho"),)) / 2)
    return auto(
        le(0, exp(Fraction(-9, 4)) * d / root / 4),
        (exp(term(Fraction(-9, 4))) * (1 / exp(root.args[0])), nat_nonnegative(assume(nat(d)))),
    )
