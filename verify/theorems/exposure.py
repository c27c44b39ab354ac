"""Proofs in the kernel of what View DP says of one sequence of actions: it compares its chances on any two lists of
rewards. And how a run on a list is one on a shorter list, and then a round.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.histories import apart_in
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.rewards import runs_on_arms
from banditproof.verify.theorems.interactive_privacy import Places, m, mixed, other, reward
from banditproof.verify.theorems.policies import SAID, TOLD, Kept, Runs, T, a, b, empty, i, n, same_law, shown, x, z

j, k, r, s, epsilon, one = map(var, ("j", "k", "r", "s", "epsilon", "sequence"))
HIT = equal(SAID, one)
KEPT = Kept()


def listed(rewards: str) -> Runs:
    """The runs on a list of rewards."""
    return Runs(lambda round, said, arm: (arm, app(rewards, round)))


HERE, THERE = listed("rewards"), listed("others")


class OnArms:
    """The runs of the policy on a bandit."""

    def __init__(self, nu: str):
        self.nu = nu
        self.step = self.law(0).args[3]

    def law(self, rounds: Any) -> Term:
        return runs_on_arms(pi, lambda arm: law(self.nu, arm), rounds)

    def mean(self, rounds: Any, body: Term) -> Term:
        return mean("z", self.law(rounds), body)

    def none(self, body: Term) -> Theorem:
        return steps_zero("z", body, "t", "z", empty, self.step)

    def next(self, natural: Theorem, body: Term) -> Theorem:
        return steps_next(natural, "x", substitute(body, {"z": x}), "t", "z", empty, self.step)

    def after(self, body: Term, arm: Any = a) -> Term:
        """The mean of a body of z after a round in which this arm is played."""
        return mean("r", law(self.nu, arm), substitute(body, {"z": app("after", z, arm, arm, r)}))


def one_sequence(private: All) -> Theorem:
    """P(sequence) <= e^(epsilon d_Ham) P'(sequence) on all lists of rewards: the rewards change one by one."""
    places = Places(lambda round, arm: arm)

    def says(count: Any) -> Any:
        right = exp(epsilon * apart_in(count)) * places.runs(count).mean(T, HIT)
        return All((), (le(count, T),), le(places.runs(0).mean(T, HIT), right))

    wanted, enough = says(m + 1).then, assume(le(m + 1, T))
    base = auto(says(0).then)
    before = instance(assume(says(m)), {}, auto(le(m, T), enough))

    def cost(proved: Theorem) -> Theorem:
        return same(proved, "w", exp(epsilon * var("w")))

    def still(proved: Theorem) -> Theorem:
        kept = instance(places.kept(proved), {"g": fn("z", HIT)})
        return auto(wanted, before, kept, cost(places.where_same(proved)))

    def changed(_: Term, zero: Theorem) -> Theorem:
        return auto(wanted, before, of_m, cost(places.where_other(zero)))

    lists = {"rewards": fn("i", mixed(m, i)), "others": fn("i", mixed(m + 1, i)), "j": m, "A": fn("x", equal(x, one))}
    orders = lt(i, m), lt(m, i)
    unchanged = places.unchanged(i, *map(assume, orders))
    below = [for_all("i", f, nat(i), order) for f, order in zip(unchanged, orders, strict=True)]
    known = [assume(nat(m)), auto(lt(m, T), enough), for_all("x", equal_is_event(x, one)), *below]
    of_m = instance(assume(private), lists, *(shown(replace(g, lists), known) for g in private.given))
    step = unless_equal(reward(m), other(m), still, changed)
    at_T = instance(induction("m", base, step, says(m), at=T))

    # the first and the last of these lists
    natural, few, facts = assume(nat(n)), assume(lt(n, T)), []
    first = auto(eq(mixed(0, n), reward(n)), at_most(nat_nonnegative(natural)))
    last = auto(eq(mixed(T, n), other(n)), not_at_most(few))
    for count, side, value in ((term(0), HERE, first), (T, THERE, last)):
        after = same(value, "w", app("g", app("after", z, a, a, var("w"))))
        laws = same_law(places.runs(count), side, None, after)
        facts.append(instance(laws, {"g": fn("z", HIT)}))
    scale = exp(epsilon * apart_in(T))
    goal = le(HERE.mean(T, HIT), scale * THERE.mean(T, HIT))
    return for_all("sequence rewards others", auto(goal, at_T, facts[0], facts[1]))


def longer(rewards: str, point: Term) -> Callable[[Any], Term]:
    """The list with this reward in place k, and the same ones before."""
    return lambda place: ind(k, place) * point + (1 - ind(k, place)) * app(rewards, place)


class Last:
    """A run on a list of k + 1 rewards, the last of which is `point`, that says the sequence with the arm b behind."""

    def __init__(self, side: Runs, rewards: str, point: Term):
        self.side, self.point, self.list = side, point, longer(rewards, point)
        self.runs = Runs(lambda round, said, arm: (arm, self.list(round)))
        self.rewards = rewards

    def same_start(self) -> Theorem:
        """Up to round k it is a run on the list of k rewards."""
        value = app(self.rewards, n)
        few = assume(lt(n, T))
        before = auto(lt(n, k), few, assume(le(T, k)))
        place = auto(eq(self.list(n), value), (self.point - value, not_at_most(before)))
        after = same(place, "w", app("g", app("after", z, a, a, var("w"))))
        laws = same_law(self.runs, self.side, None, after)
        at_k = instance(for_all("T", laws, nat(T), le(T, k)), {"T": k}, assume(nat(k)))
        return for_all("g", instance(at_k))

    def hits(self, F: Term) -> Theorem:
        """E F(z) 1[said] after k + 1 rounds is the mean after k of F(after) 1[said] P(b), F being a term of z."""
        target = substitute(F, {"z": app("after", z, b, b, self.point)})
        chance = mean("a", pi(k, TOLD), equal(a, b))
        longer_one = app("pair", one, b)

        def of_run(run: Term, said: Term) -> Term:
            return substitute(F, {"z": run}) * equal(said, longer_one)

        after, there = (app("after", z, a, a, v) for v in (self.list(k), self.point))
        said = instance(KEPT.said, {"q": a, "r": self.point})
        told = same(said, "v", of_run(there, var("v")))
        split = KEPT.of_pairs(SAID, a, one, b)
        named = under(a, b, substitute(F, {"z": app("after", z, var("w"), var("w"), self.point)}))
        hit = auto(eq(of_run(after, app("said", after)), target * HIT * equal(a, b)), told, split, named)
        averaged = mono(mono(hit, "a", pi(k, TOLD)), "z", self.runs.law(k))
        step = self.runs.next(assume(nat(k)), F * equal(SAID, longer_one))
        body = target * HIT * chance
        known = instance(self.same_start(), {"g": fn("z", body)})
        goal = eq(self.runs.mean(k + 1, F * equal(SAID, longer_one)), self.side.mean(k, body))
        return auto(goal, step, averaged, known)
