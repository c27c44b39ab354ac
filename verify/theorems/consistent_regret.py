"""Proofs in the kernel of the lower bound on the regret of every consistent policy.

On two bandits that differ in one arm, which is the best one on the second, its chances in a round are those of a test:
E N + E'(T - N) is at least T e^(-c)/2 for a divergence c of the histories. Both are of the order T^p for every p.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.asymptotics import BERNOULLI, Class, bernoulli, from_some_round_on
from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.bandit_divergences import (
    K,
    T,
    a,
    b,
    chance,
    chance_is_nonnegative,
    h,
    j,
    n,
    pulls_are_nonnegative,
    q,
    summand_at_most,
)
from banditproof.verify.theorems.double_change import (
    OF_ARMS,
    action_of_a_round,
    by_some_law,
    epsilon,
    histories_are_told,
    no_divergence,
    price_is_nonnegative,
    round_law,
)
from banditproof.verify.theorems.minimax import all_rounds, at_arm, divergence_of_histories, played, sum_is_nonnegative
from banditproof.verify.theorems.policies import PLAYS, SOME, mean_over_arms, sum_over
from banditproof.verify.theorems.testing import errors_of_a_test

x, arm, top, m, c, since, rounds, span = map(var, ("x", "arm", "top", "m", "c", "since", "rounds", "log_rounds"))
w = var("w")
IS_ARM = assume(nat(arm)), assume(lt(arm, K))
SPEED = app("speed", arm)
Runs = Callable[[Term, Term], Formula]


def theta(k: Any) -> Term:
    return app("theta", k)


NAMED = Class(lambda name: law("laws", name), lambda name: app("worth", name, 0) / app("worth", name, 1))


def on(bandit: Any, p: Theorem) -> Theorem:
    return instance(for_all("nu", p), {"nu": bandit})


def in_sum(each: Theorem) -> Theorem:
    """0 <= K E F(b) of the arms, from 0 <= F(b)."""
    return product(weak(auto(lt(0, K), SOME)), mean_over_arms(each))


def pulls_low(bandit: Any, k: Any) -> Theorem:
    return on(bandit, pulls_are_nonnegative(k, assume(nat(T))))


class Change:
    """A bandit of a class, and a second one on which the arm has the law with another name."""

    def __init__(self, of: Class, new: Term):
        self.of, self.new, worth = of, new, of.mean
        self.first, self.second = (fn("x", of.law(name(var("x")))) for name in (theta, self.other))
        self.gap, self.lead = worth(theta(top)) - worth(theta(arm)), worth(new) - worth(theta(top))

    def other(self, k: Any) -> Term:
        """The names of the laws on the second bandit."""
        return theta(k) + equal(k, arm) * (self.new - theta(k))

    def of_laws(self, count: Any) -> tuple[Term, Term]:
        """The laws of the histories on both bandits."""
        laws = histories(pi, lambda k: law("nu", k), count)
        one, two = (substitute(laws, {"nu": f}) for f in (self.first, self.second))
        return one, two

    def same_name(self, at: Term, is_other: Theorem) -> Theorem:
        """other(at) = theta(at), from 1[at = arm] = 0."""
        return auto(eq(self.other(at), theta(at)), (self.new - theta(at), is_other))

    def changed_name(self) -> Theorem:
        """other(arm) is the new name."""
        return auto(eq(self.other(arm), self.new))

    def divergence(self, count: Any, natural: Theorem, close: Theorem, charge: Term) -> Theorem:
        """D_KL of the histories of so many rounds is at most what the arm costs, as often as it is played."""
        reward, other = self.of.law, self.other
        u, charge_low = app("u", x), auto(le(0, charge), instance(close, {"u": fn("x", 0)}))
        wanted = kl_at_most(reward(theta(a)), reward(other(a)), charge * equal(a, arm)).then

        def here(proved: Theorem) -> Theorem:
            moved = [
                same(proved, "w", mean("x", reward(theta(w)), u)),
                same(proved, "w", mean("x", reward(other(w)), exp(u))),
                same(self.changed_name(), "w", mean("x", reward(w), exp(u))),
                same(proved, "w", charge * equal(w, arm)),
            ]
            return auto(wanted, instance(close, {}), *moved)

        def elsewhere(_: Term, zero: Theorem) -> Theorem:
            moved = same(self.same_name(a, zero), "w", mean("x", reward(w), exp(u)))
            return auto(wanted, mono(exp_tangent(u), "x", reward(theta(a))), moved, (charge, zero))

        each = for_all("u", unless_equal(a, arm, here, elsewhere))
        of_arms = for_all("", each, lt(0, played(self.first, a, count)))
        i = var("i")
        low = product(charge_low, bounds_of_event(equal(i, arm), equal_is_event(i, arm))[0])
        values = {"nu": self.first, "nu_prime": self.second, "T": count, "cost": fn("a", charge * equal(a, arm))}
        costs = low
        proved = instance(divergence_of_histories(), values, assume(nat(K)), SOME, natural, costs, PLAYS, of_arms)
        only = at_arm(lambda k: played(self.first, k, count), arm, IS_ARM)
        goal = kl_at_most(*self.of_laws(count), charge * played(self.first, arm, count))
        return for_all("u", auto(goal.then, instance(proved, {}), (charge, only)))

    def both_are_hard(self, close: Theorem, charge: Term) -> Theorem:
        """T e^(-charge E N)/2 <= E N + T - E' N for the arm, for natural T."""
        charge_low = auto(le(0, charge), instance(close, {"u": fn("x", 0)}))
        near, laws = self.divergence(n, assume(nat(n)), close, charge), self.of_laws(n)

        def test(most: Term, few: Theorem) -> Theorem:
            known = for_all("u", auto(kl_at_most(*laws, most).then, instance(near, {}), (charge_low, few)))
            hit = equal(q, arm)
            low, high = bounds_of_event(hit, equal_is_event(q, arm))
            V = mean("q", pi(n, h), hit)
            V_low, V_high = mono(low, "q", pi(n, h)), mono(high, "q", pi(n, h))
            return errors_of_a_test(known, laws, "h", V, V_low, V_high, most)

        return self.in_every_round(charge, test)

    def in_every_round(self, charge: Term, test: Callable[[Term, Theorem], Theorem]) -> Theorem:
        """The same, from the test that each round is: whether it plays the arm."""
        natural, some_rounds, first = assume(nat(T)), assume(le(1, T)), self.first
        most = charge * played(first, arm)
        so_far = on(first, summand_at_most(lambda k: chance(arm, k), chance_is_nonnegative(arm, j)))
        few = auto(le(played(first, arm, n), played(first, arm)), so_far)
        chances = [substitute(chance(arm, n), {"nu": of}) for of in (first, self.second)]
        error = chances[0] + 1 - chances[1] - exp(-most) / 2
        whole = sum_is_nonnegative("n", T, auto(le(0, error), test(most, few)), natural, some_rounds)
        goal = le(T * exp(-most) / 2, played(first, arm) + T - played(self.second, arm))
        return auto(goal, (auto(lt(0, T), some_rounds), whole))

    def regrets(self, best: Theorem) -> tuple[Term, Theorem, Term, Theorem]:
        """The regret on the first bandit is at least GAP E N, and that on the second one at least LEAD (T - E' N)."""
        worth, other, first_bandit, second_bandit = self.of.mean, self.other, self.first, self.second
        arms = [assume(f) for f in is_arm(b, K)]
        better = instance(best, {"a": b}, *arms)
        e = equal(b, arm)
        high = auto(le(0, 1 - e), bounds_of_event(e, equal_is_event(b, arm))[1])
        first = played(first_bandit, b) * (worth(theta(top)) - worth(theta(b)))
        gap_low = auto(le(0, worth(theta(top)) - worth(theta(b))), better)
        rest = product(product(pulls_low(first_bandit, b), gap_low), high)
        at_first = at_arm(lambda k: played(first_bandit, k) * (worth(theta(top)) - worth(theta(k))), arm, IS_ARM)
        one = K * mean("b", uniform(K), first)
        lower = auto(le(self.gap * played(first_bandit, arm), one), in_sum(rest), at_first)

        plays, lead = played(second_bandit, b), self.lead
        second = plays * (worth(other(arm)) - worth(other(b)))
        over = plays * (worth(other(arm)) - worth(other(b)) - lead * (1 - e))

        def here(proved: Theorem) -> Theorem:
            moved, hit = same(proved, "w", worth(other(w))), same(proved, "w", equal(w, arm))
            return auto(le(0, over), (plays, moved), (plays * lead, hit))

        def elsewhere(_: Term, zero: Theorem) -> Theorem:
            moved = same(self.same_name(b, zero), "w", worth(w)), same(self.changed_name(), "w", worth(w))
            facts = ((plays, f) for f in moved)
            return auto(le(0, over), (pulls_low(second_bandit, b), better), *facts, (plays * lead, zero))

        each = unless_equal(b, arm, here, elsewhere)
        at_second = at_arm(lambda k: played(second_bandit, k), arm, IS_ARM)
        two = K * mean("b", uniform(K), second)
        goal = le(lead * (T - played(second_bandit, arm)), two)
        return one, lower, two, auto(goal, in_sum(each), (lead, at_second), (lead, all_rounds(second_bandit)))

    def bandits(
        self, bandit: Bandit, member: tuple[Theorem, ...], ahead: Theorem
    ) -> tuple[list[Theorem], list[Theorem]]:
        """The conditions of both bandits: they are of the class, and the changed arm is the best one of the second."""
        worth, other, of_a = self.of.mean, self.other, [assume(f) for f in is_arm(a, K)]
        goal = le(worth(other(a)), worth(other(arm)))

        def is_best(proved: Theorem) -> Theorem:
            return auto(goal, same(proved, "w", worth(other(w))))

        def is_less(_: Term, zero: Theorem) -> Theorem:
            known = instance(bandit.best, {}, *of_a)
            return auto(goal, same(self.same_name(a, zero), "w", worth(w)), known, ahead)

        bests = for_all("a", unless_equal(a, arm, is_best, is_less), *is_arm(a, K))
        members = [
            for_all("a", self.is_member(k, instance(every, {}, *of_a), new), *is_arm(a, K))
            for k, (every, new) in enumerate(zip(bandit.member, member, strict=True))
        ]
        return [*bandit.member, *bandit.top, bandit.best], [*members, *IS_ARM, bests]

    def is_member(self, k: int, old: Theorem, new: Theorem) -> Theorem:
        """Condition k of members, of the name other(a): that of theta(a), and of the new name at the arm."""

        def sides(at: Term, name: Term) -> tuple[Term, ...]:
            return self.of.holds(at, name)[k].args  # type: ignore[union-attr]

        goal = self.of.holds(a, self.other(a))[k]

        def here(proved: Theorem) -> Theorem:
            moved = [same(proved, "w", side) for side in sides(w, self.other(w))]
            return auto(goal, *moved, *(same(self.changed_name(), "w", side) for side in sides(arm, w)), new)

        def elsewhere(_: Term, zero: Theorem) -> Theorem:
            return auto(goal, *(same(self.same_name(a, zero), "w", side) for side in sides(a, w)), old)

        return unless_equal(a, arm, here, elsewhere)

    def both_are_hard_in_private(self, near: Theorem, charge: Term) -> tuple[Theorem, Theorem]:
        """The same for a private policy, where d_epsilon of both laws of the arm is at most the charge."""
        reward, second = self.of.law, self.second
        A, u = app("A", x), app("u", x)
        laws = reward(theta(a)), reward(self.other(a))
        wanted = private_divergence_at_most(*laws, epsilon, charge * equal(a, arm))
        sums, of_event = wanted.given[0], event("A")
        assert isinstance(sums, All)

        def here(proved: Theorem) -> Theorem:
            given = near.conclusion.given[0].given  # type: ignore[union-attr]
            apart = instance(assume(given[0]), {}, assume(of_event))
            moved = same(proved, "w", mean("x", reward(theta(w)), A))
            first = for_all("A", auto(sums.given[0].then, apart, moved), of_event)  # type: ignore[union-attr]
            moved = same(proved, "w", mean("x", reward(self.other(w)), exp(u)))
            last = for_all("u", auto(sums.given[1].then, instance(assume(given[1]), {}), moved))  # type: ignore[union-attr]
            of_arm = for_all("between apart extra", instance(assume(sums), {}, first, last), *given)
            return auto(wanted.then, instance(near, {}, of_arm), same(proved, "w", charge * equal(w, arm)))

        def elsewhere(_: Term, zero: Theorem) -> Theorem:
            moved = same(self.same_name(a, zero), "w", mean("x", reward(w), exp(u)))
            still = auto(kl_at_most(*laws, 0).then, mono(exp_tangent(u), "x", laws[0]), moved)
            values = {"between": fn("", laws[0]), "apart": 0, "extra": 0}
            return auto(wanted.then, instance(assume(sums), values, for_all("u", still)), zero)

        of_arms = for_all("a", for_all("least", unless_equal(a, arm, here, elsewhere), sums), *is_arm(a, K))
        values = {"nu": self.first, "nu_prime": second, "k": n, "cost": fn("x", charge * equal(x, arm))}
        budget, given = weak(assume(lt(0, epsilon))), (OF_ARMS, nat(var("k")), le(0, epsilon))
        near_rounds = for_all("nu nu_prime cost k", action_of_a_round(), *given)
        of_round = instance(near_rounds, values, of_arms, assume(nat(n)), budget)

        def told(bandit: Any, m: Any) -> Theorem:
            """0 is the difference of the chances of the arm in round m, by the history and by what is told of it."""
            hit = {"F": fn("h", mean("q", pi(m, h), equal(q, arm)))}
            proved = instance(instance(on(bandit, histories_are_told()), {"n": m}, assume(nat(m))), hit)
            return auto(eq(0, proved.conclusion.args[1] - proved.conclusion.args[0]), proved)  # type: ignore[union-attr]

        charge_low = price_is_nonnegative(near, budget)
        laws = substitute(round_law(n), {"nu": self.first}), substitute(round_law(n), {"nu": second})

        def test(most: Term, few: Theorem) -> Theorem:
            so_far = (charge, sum_over(told(self.first, j), "j", n))
            known = for_all("u", auto(kl_at_most(*laws, most).then, instance(of_round, {}), so_far, (charge_low, few)))
            low, high = bounds_of_event(equal(x, arm), equal_is_event(x, arm))
            proved = errors_of_a_test(known, laws, "x", equal(x, arm), low, high, most)
            chances = [substitute(chance(arm, n), {"nu": of}) for of in (self.first, second)]
            goal = le(exp(-most) / 2, chances[0] + 1 - chances[1])
            return auto(goal, proved, told(self.first, n), told(second, n))

        return self.in_every_round(charge, test), charge_low


# --------------------------------------------------------------------------------------------------- from some round on


def tail(start: Term, says: Runs) -> All:
    """What `says` says of all rounds from the start on."""
    large = nat(rounds), le(start, rounds), eq(exp(span), rounds)
    return All(("rounds", "log_rounds"), large, says(rounds, span))


def from_start(exists: Theorem, name: str, says: Runs, then: Theorem) -> Theorem:
    """c <= 0 where something holds from some round on, from c <= 0 where it does from this one on."""
    start = var(name)
    return instance(exists, {}, for_all(name, then, le(0, start), tail(start, says)))


def starts(says: Runs, start: Term, low: Theorem, proved: Theorem) -> Theorem:
    """c <= 0, where that is so of all rounds from which something holds: from this one on it does."""
    wherever = assume(from_some_round_on(says).given[0])
    every = proved
    return instance(wherever, {"since": start}, low, every)


def some_round(says: Runs, then: Theorem) -> Theorem:
    """That something holds from some round on, from c <= 0."""
    return for_all("c", then, from_some_round_on(says).given[0])


class Bandit:
    """The premises about a bandit: that it is of its class, its best arm, and what the rates are."""

    def __init__(self, of: Class, statement: All, before: int = 0):
        self.of, self.policy = of, assume(statement.given[-1])
        known = [assume(f) for f in parts_of(statement.then)[1][before:]]
        count = len(of.holds(a, theta(a)))
        self.member, self.top, (self.best, self.speeds) = (
            known[:count],
            known[count : count + 2],
            known[count + 2 : count + 4],
        )
        self.of_positive = known[count + 4 :]

    def of_the_arm(self) -> list[Theorem]:
        """What is known of the arm if its speed is above 0."""
        some = assume(lt(0, SPEED))
        return [instance(instance(f, {"a": arm}, *IS_ARM), {}, some) for f in self.of_positive]

    def says(self, count: Term, size: Term) -> Formula:
        """GAP E N of the arm is at least its speed times log T."""
        gap = self.of.mean(theta(top)) - self.of.mean(theta(arm))
        return le(SPEED * size, gap * played(self.first, arm, count))

    @property
    def first(self) -> Any:
        return fn("x", self.of.law(theta(var("x"))))

    def of_arm(self, fast: Theorem) -> Theorem:
        """That this holds from some round on, where c <= 0 for a speed above 0."""
        natural, no_gap = assume(nat(rounds)), instance(self.best, {"a": arm}, *IS_ARM)
        of_rounds = for_all("T", pulls_low(self.first, arm), nat(T))
        x_low = instance(of_rounds, {"T": rounds}, natural)
        still = antisymmetric(assume(le(SPEED, 0)), instance(self.speeds, {"a": arm}, *IS_ARM))
        gap_low = auto(le(0, self.of.mean(theta(top)) - self.of.mean(theta(arm))), no_gap)
        nothing = auto(self.says(rounds, span), (span, still), (gap_low, x_low))
        idle = starts(self.says, term(0), auto(le(0, 0)), nothing)
        return some_round(self.says, cases(idle, fast, SPEED, term(0)))

    def of_fast_arm(
        self,
        change: Change,
        price: tuple[Term, Theorem],
        hard: Theorem,
        member: tuple[Theorem, ...],
        facts: tuple[Theorem, ...],
    ) -> Theorem:
        """c <= 0 where c <= 0 if this holds from some round on: else e^(growth log T) would be bounded.

        The facts: the arm has a gap, the new mean is ahead, and the speed times the cost is below the gap.
        """
        (gap, lead, slow), (cost, cost_low) = facts, price
        x = played(change.first, arm, rounds)
        natural, level = assume(nat(rounds)), assume(eq(exp(span), rounds))
        gap, ahead = auto(lt(0, change.gap), gap), auto(lt(0, change.lead), lead)
        of_gap, of_lead = reciprocal(gap), reciprocal(ahead)
        share = SPEED * cost / change.gap
        growth = (1 - share) / 2
        grows = auto(lt(0, growth), (reciprocal_positive(gap), slow), of_gap)
        small = 2 / change.gap + 2 / change.lead
        small_low = auto(le(0, small), weak(reciprocal_positive(gap)), weak(reciprocal_positive(ahead)))
        far = product(small_low, weak(reciprocal_positive(grows)))
        names = ("first_since", "second_since")
        bounds = []
        for name, bandit, conditions, at in zip(
            names, (theta, change.other), change.bandits(self, member, lead), (top, arm), strict=True
        ):
            values = {"theta": fn("x", bandit(var("x"))), "top": at, "growth": growth, "small": 1}
            known = instance(self.policy, values, *conditions, grows, auto(lt(0, 1)))
            bounds.append((name, known, _late_relation(known)))
        start = var(names[0]) + var(names[1]) + exp(small / growth)
        lows = [assume(le(0, var(name))) for name in names]
        late = assume(le(start, rounds))
        begun = weak(exp_positive(small / growth))
        some_rounds = auto(le(1, rounds), late, *lows, exp_tangent(small / growth), far)
        costs = []
        for k, (name, _, said) in enumerate(bounds):
            from_it = auto(le(var(name), rounds), late, lows[1 - k])
            costs.append(instance(assume(tail(var(name), said)), {}, natural, from_it, level))

        def at_rounds(p: Theorem) -> Theorem:
            return instance(for_all("T", p, nat(T), le(1, T)), {"T": rounds}, natural, some_rounds)

        _, first, _, second = change.regrets(self.best)
        lower, higher, hard = map(at_rounds, (first, second, hard))
        spared = rounds - played(change.second, arm, rounds)
        size = exp(growth * span)
        contrary = assume(lt(change.gap * x, SPEED * span))
        paid = auto(
            le(cost * x, share * span),
            (product(cost_low, weak(reciprocal_positive(gap))), contrary),
            (cost * x, of_gap),
        )
        less = exp_monotone(auto(le(-share * span, -cost * x), paid))
        few = auto(
            le(x, size / change.gap),
            (reciprocal_positive(gap), lower),
            (reciprocal_positive(gap), costs[0]),
            (x, of_gap),
        )
        rest = auto(
            le(spared, size / change.lead),
            (reciprocal_positive(ahead), higher),
            (reciprocal_positive(ahead), costs[1]),
            (spared, of_lead),
        )
        count_low = auto(le(0, rounds), some_rounds)
        twice = auto(le(size * size, small * size), hard, (count_low, less), few, rest, (exp(-share * span), level))
        not_more = auto(le(size, small), (exp(-growth * span), twice))
        long = auto(
            le(small / growth, span),
            exp_tangent(small / growth - span),
            (exp(-span), auto(le(exp(small / growth), rounds), late, *lows)),
            (exp(-span), level),
        )
        too_long = auto(le(small, growth * span), (grows, long), (small, reciprocal(grows)))
        false = contradiction(exp_tangent(growth * span), not_more, too_long)
        goal = self.says(rounds, span)
        proved = cases(assume(goal), absurd(false, goal), *goal.args)  # type: ignore[union-attr]
        end = starts(self.says, start, product_sum(lows, begun), proved)
        for name, known, said in reversed(bounds):
            end = from_start(known, name, said, end)
        return end

    def of_all_arms(self, of_arm: Theorem) -> Theorem:
        """The sum over the arms, from each of them."""
        of_arm = for_all("arm", of_arm, *is_arm(arm, K))
        gap = self.of.mean(theta(top)) - self.of.mean(theta(b))

        def sums(m: Any) -> Runs:
            def says(count: Term, size: Term) -> Formula:
                left = term(m) * mean("b", uniform(m), app("speed", b))
                return le(left * size, term(m) * mean("b", uniform(m), gap * played(self.first, b, count)))

            return says

        pm, enough = assume(nat(m)), assume(le(m + 1, K))
        claim = All((), (le(m, K),), from_some_round_on(sums(m)))
        nothing = starts(sums(term(0)), term(0), auto(le(0, 0)), auto(sums(term(0))(rounds, span)))
        base = some_round(sums(term(0)), nothing)
        before = instance(assume(claim), {}, auto(le(m, K), enough))
        last = instance(of_arm, {"arm": m}, pm, auto(lt(m, K), enough))
        first, second = var("first_since"), var("second_since")
        lows = [assume(le(0, s)) for s in (first, second)]
        late = assume(le(first + second, rounds))
        natural, level = assume(nat(rounds)), assume(eq(exp(span), rounds))
        relation = _late_relation(last)
        parts = [
            instance(assume(tail(s, f)), {}, natural, auto(le(s, rounds), late, lows[1 - k]), level)
            for k, (s, f) in enumerate(((first, sums(m)), (second, relation)))
        ]
        more = uniform_next(pm, "b", app("speed", b)), uniform_next(pm, "b", gap * played(self.first, b, rounds))
        proved = auto(sums(m + 1)(rounds, span), *parts, (span, more[0]), more[1])
        end = starts(sums(m + 1), first + second, product_sum(lows[:1], lows[1]), proved)
        end = from_start(last, "second_since", relation, end)
        end = from_start(before, "first_since", sums(m), end)
        return instance(induction("m", base, some_round(sums(m + 1), end), claim, at=K))


def product_sum(lows: list[Theorem], begun: Theorem) -> Theorem:
    """The sum of numbers that are at least 0 is so."""
    total = begun.conclusion.args[1]  # type: ignore[union-attr]
    for low in lows[::-1]:
        total = low.conclusion.args[1] + total  # type: ignore[union-attr]
    return auto(le(0, total), *lows, begun)


def _late_relation(known: Theorem) -> Runs:
    """What a theorem says of all rounds from some one on."""
    then = known.conclusion.given[0].given[1].then  # type: ignore[union-attr]
    names = known.conclusion.given[0].given[1].params  # type: ignore[union-attr]
    return lambda count, size: replace(then, dict(zip(names, (count, size), strict=True)))


# --------------------------------------------------------------------------------------------------------- the theorems


def regret_of_the_consistent(statement: All) -> Theorem:
    """Arm by arm, and the sum over the arms."""
    bandit, change = Bandit(NAMED, statement), Change(NAMED, app("alternative", arm))
    gap, member, lead, close, slow = bandit.of_the_arm()
    fast = by_divergence(bandit, change, app("charge", arm), close, (member,), (gap, lead, slow))
    return all_arms_of(statement, bandit, fast)


def by_divergence(bandit: Bandit, change: Change, charge: Term, close: Theorem, *rest: Any) -> Theorem:
    """c <= 0 for a fast arm, where the divergence of both laws is at most the charge."""
    charge_low = auto(le(0, charge), instance(close, {"u": fn("x", 0)}))
    return bandit.of_fast_arm(change, (charge, charge_low), change.both_are_hard(close, charge), *rest)


def by_double_change(bandit: Bandit, change: Change, charge: Term, near: Theorem, *rest: Any) -> Theorem:
    """The same for a private policy, where d_epsilon of both laws is at most the charge."""
    hard, charge_low = change.both_are_hard_in_private(near, charge)
    return bandit.of_fast_arm(change, (charge, charge_low), hard, *rest)


@proof
def all_arms_of(statement: All, bandit: Bandit, fast: Theorem) -> Theorem:
    """The statement, from c <= 0 of a fast arm."""
    return bandit.of_all_arms(bandit.of_arm(fast))


def regret_by_private_divergence(statement: All) -> Theorem:
    """The law of each arm is changed twice, with any law in between."""
    bandit, change = Bandit(NAMED, statement), Change(NAMED, app("alternative", arm))
    gap, member, lead, near, slow = bandit.of_the_arm()
    fast = by_double_change(bandit, change, app("charge", arm), near, (member,), (gap, lead, slow))
    return all_arms_of(statement, bandit, fast)


def regret_by_double_change(statement: All) -> Theorem:
    """The law in between has a name."""
    bandit, change = Bandit(NAMED, statement), Change(NAMED, app("alternative", arm))
    gap, member, lead, apart, close, slow = bandit.of_the_arm()
    P, Q, R = (NAMED.law(name) for name in (theta(arm), app("alternative", arm), app("middle", arm)))
    prices = app("tv", arm), app("charge", arm)
    cost = epsilon * prices[0] + prices[1]
    near = by_some_law((P, Q, R), prices, cost, apart, close)
    fast = by_double_change(bandit, change, cost, near, (member,), (gap, lead, slow))
    return all_arms_of(statement, bandit, fast)


def regret_by_cheaper_change(statement: All) -> Theorem:
    """A pure change is a double one: to the law of the alternative at once, or by its divergence from the arm's own."""
    bandit, change = Bandit(NAMED, statement), Change(NAMED, app("alternative", arm))
    gap, member, lead, cheaper, slow = bandit.of_the_arm()
    charge, rest = app("charge", arm), ((member,), (gap, lead, slow))
    laws = NAMED.law(theta(arm)), NAMED.law(app("alternative", arm))
    close = assume(kl_at_most(*laws, charge))
    at_once = by_divergence(bandit, change, charge, close, *rest)
    far = charge / epsilon
    apart = assume(variation_at_most(*laws, far))
    whole = charge, reciprocal(assume(lt(0, epsilon)))
    near = by_some_law((*laws, laws[1]), (far, term(0)), charge, apart, no_divergence(laws[1]), whole)
    by_privacy = by_double_change(bandit, change, charge, near, *rest)
    either = [for_all("", one, p.conclusion) for one, p in ((at_once, close), (by_privacy, apart))]
    return all_arms_of(statement, bandit, instance(cheaper, {}, *either))


# ------------------------------------------------------------------------------------------------------- Bernoulli arms


def by_its_chance(name: Term, F: Term) -> Theorem:
    """E F(X) = F(0) + P(X = 1) (F(1) - F(0)) for X = 1[V <= p], V being uniform on [0, 1]."""
    u = var("v")
    hit = ind(u, name)
    zero, one = (substitute(F, {"x": term(k)}) for k in (0, 1))
    goal = eq(substitute(F, {"x": hit}), zero + hit * (one - zero))
    ends = [
        auto(goal, same(found, "x", F), (one - zero, found))
        for found in (at_most(assume(le(u, name))), not_at_most(assume(lt(name, u))))
    ]
    return mono(cases(*ends, u, name), "v", law("Unit"))


def mean_of_bernoulli(name: Term, F: Term, low: Theorem, high: Theorem) -> Theorem:
    """E F(X) = F(0) + p (F(1) - F(0)) for a Bernoulli law, 0 <= p <= 1."""
    zero, one = (substitute(F, {"x": term(k)}) for k in (0, 1))
    whole = eq(mean("x", bernoulli(name), F), zero + name * (one - zero))
    return auto(whole, by_its_chance(name, F), (one - zero, unit(name, "v", low, high)))


def variation_of_bernoulli(p: Term, r: Term, low: Theorem, high: Theorem, above: Theorem) -> Theorem:
    """TV of two Bernoulli laws is at most r - p, for 0 <= p <= 1 and p <= r."""
    u, A, of_event = var("v"), app("A", x), event("A")
    first, second = ind(u, p), ind(u, r)
    zero, one = (app("A", k) for k in (0, 1))
    bounds = [bounds_of_event(value, instance(assume(of_event), {"x": k})) for k, value in enumerate((zero, one))]
    goal = le(app("A", first), app("A", second) + second - first)
    both = at_most(assume(le(u, p))), at_most(auto(le(u, r), assume(le(u, p)), above))
    off = not_at_most(assume(lt(p, u)))
    moved = [same(f, "x", A) for f in (*both, off)]
    at_first = auto(goal, *moved[:2], *both)
    hit, none = at_most(assume(le(u, r))), not_at_most(assume(lt(r, u)))
    between = auto(goal, moved[2], off, same(hit, "x", A), hit, bounds[0][1], bounds[1][0])
    beyond = auto(goal, moved[2], off, same(none, "x", A))
    averaged = mono(cases(at_first, cases(between, beyond, u, r), u, p), "v", law("Unit"))
    chance_of_r = mean("v", law("Unit"), second)
    r_low = auto(le(0, r), low, above)
    small = auto(le(chance_of_r, r), unit(r, "v", r_low, assume(le(r, 1))))
    most = auto(le(chance_of_r, r), mono(indicator(u, r, 4), "v", law("Unit")), assume(le(1, r)))
    few = cases(small, most, r, term(1))
    whole = variation_at_most(bernoulli(p), bernoulli(r), r - p)
    return for_all("A", auto(whole.then, averaged, few, unit(p, "v", low, high)), of_event)


def regret_on_bernoulli(statement: All) -> Theorem:
    """The new mean is so little above the best one that the cost grows by less than what the rate leaves."""
    bandit, middle, best = Bandit(BERNOULLI, statement, before=1), app("middle", arm), theta(top)
    below, some = assume(lt(best, 1)), assume(lt(0, SPEED))
    gap, above, close, slow = bandit.of_the_arm()
    slack = slow.conclusion.args[1] - slow.conclusion.args[0]  # type: ignore[union-attr]
    more = slack / (2 * SPEED)
    more_low = auto(lt(0, more), product(auto(lt(0, slack), slow), reciprocal_positive(some)))
    small = exp(-more)
    rest = auto(lt(0, 1 - small), product(exp_positive(-more), more_low), (exp(-more), exp_tangent(more)))
    of_best, of_arm = (
        [instance(f, {"a": at}, *known) for f in bandit.member] for at, known in ((top, bandit.top), (arm, IS_ARM))
    )
    new = 1 - small * (1 - best)
    room = auto(lt(0, 1 - best), below)
    lead = auto(lt(best, new), product(rest, room))
    is_new = auto(le(0, new), lead, of_best[0]), auto(le(new, 1), product(exp_positive(-more), room))
    change = Change(BERNOULLI, new)
    apart = variation_of_bernoulli(theta(arm), middle, of_arm[0], of_arm[1], above)
    heights, charge = exp(app("u", x)), app("charge", arm)
    at_new, at_best = (mean_of_bernoulli(name, heights, *known) for name, known in ((new, is_new), (best, of_best)))
    goal = kl_at_most(bernoulli(middle), bernoulli(new), charge + more).then
    here = instance(close, {"u": fn("x", app("u", x) - more)})
    one = exp_positive(app("u", 1))
    near = for_all("u", auto(goal, here, at_new, (small, at_best), product(one, rest)))
    prices = middle - theta(arm), charge + more
    cost = epsilon * prices[0] + prices[1]
    slower = auto(lt(SPEED * cost, change.gap), slow, (slack, reciprocal(some)))
    near = by_some_law((bernoulli(theta(arm)), bernoulli(new), bernoulli(middle)), prices, cost, apart, near)
    fast = by_double_change(bandit, change, cost, near, is_new, (gap, lead, slower))
    return all_arms_of(statement, bandit, fast)
