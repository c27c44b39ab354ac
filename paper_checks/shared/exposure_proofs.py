"""Proofs in the kernel of what View DP says of a policy on two bandits: what the arms differ by that it plays is all
that it tells.

For one sequence of actions privacy compares its probabilities on any two lists of rewards. In the mean over the
rewards, of the last round first, two laws of variation t cost as much as rewards that differ with the probability t.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.paper_checks.shared.coupling_proofs import between_two_laws
from banditproof.paper_checks.shared.interactive_proofs import Places, m, mixed, other, reward
from banditproof.paper_checks.shared.kernel_proofs import app, law, parts_of
from banditproof.paper_checks.shared.policy_proofs import (
    SAID,
    SOME,
    START,
    TOLD,
    K,
    Kept,
    Runs,
    T,
    a,
    all_arms,
    at_most,
    b,
    empty,
    equal,
    equal_is_event,
    i,
    ind,
    last_premise,
    mean_over_arms,
    n,
    not_at_most,
    same_law,
    shown,
    sum_over,
    under,
    uniform,
    unless_equal,
    x,
    z,
)
from banditproof.verify.kernel.histories import apart_in
from banditproof.verify.kernel.meanings import exp
from banditproof.verify.kernel.policies import is_arm
from banditproof.verify.kernel.rewards import runs_on_arms
from banditproof.verify.kernel.rules import (
    Theorem,
    assume,
    eq,
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
    same,
    steps_next,
    steps_zero,
    uniform_next,
)
from banditproof.verify.kernel.tactics import auto, closed, fn, for_all, instance, nat_nonnegative, product, weak
from banditproof.verify.kernel.terms import All, Term, replace, substitute, term, var

j, k, r, s, epsilon, one = map(var, ("j", "k", "r", "s", "epsilon", "sequence"))
HIT = equal(SAID, one)
KEPT = Kept()


def pi(round: Any, history: Any) -> Term:
    return law("pi", round, history)


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
    far = apart_in(m)

    def says(count: Any) -> Any:
        right = exp(epsilon * apart_in(count)) * places.runs(count).mean(T, HIT)
        return All((), (le(count, T),), le(places.runs(0).mean(T, HIT), right))

    wanted, enough = says(m + 1).then, assume(le(m + 1, T))
    base = for_all("", auto(says(0).then), le(0, T))
    before = instance(assume(says(m)), {}, auto(le(m, T), enough))

    def cost(found: Theorem) -> Theorem:
        return same(found, "w", exp(epsilon * var("w")))

    def still(found: Theorem) -> Theorem:
        kept = instance(places.kept(found), {"g": fn("z", HIT)})
        right = places.runs(m + 1).mean(T, HIT)
        return auto(wanted, before, (exp(epsilon * far), kept), (right, cost(places.where_same(found))))

    def changed(_: Term, zero: Theorem) -> Theorem:
        right = places.runs(m + 1).mean(T, HIT)
        larger = cost(places.where_other(zero))
        return auto(wanted, before, (weak(exp_positive(epsilon * far)), of_m), (right, larger))

    lists = {"rewards": fn("i", mixed(m, i)), "others": fn("i", mixed(m + 1, i)), "j": m, "A": fn("x", equal(x, one))}
    orders = lt(i, m), lt(m, i)
    unchanged = places.unchanged(i, *map(assume, orders))
    below = [for_all("i", f, nat(i), order) for f, order in zip(unchanged, orders, strict=True)]
    known = [assume(nat(m)), auto(lt(m, T), enough), for_all("x", equal_is_event(x, one)), *below]
    of_m = instance(assume(private), lists, *(shown(replace(g, lists), known) for g in private.given))
    step = for_all("", unless_equal(reward(m), other(m), still, changed), enough.conclusion)
    every = induct("m", base, step, says(m))
    at_T = instance(instance(every, {"m": T}, assume(nat(T))), {}, auto(le(T, T)))

    # the first and the last of these lists
    natural, few, facts = assume(nat(n)), assume(lt(n, T)), []
    first = auto(eq(mixed(0, n), reward(n)), (reward(n) - other(n), at_most(nat_nonnegative(natural))))
    last = auto(eq(mixed(T, n), other(n)), (reward(n) - other(n), not_at_most(few)))
    for count, side, value in ((term(0), HERE, first), (T, THERE, last)):
        after = same(value, "w", app("g", app("after", z, a, a, var("w"))))
        laws = same_law(places.runs(count), side, None, after)
        facts.append(instance(laws, {"g": fn("z", HIT)}, auto(le(T, T))))
    scale = exp(epsilon * apart_in(T))
    goal = le(HERE.mean(T, HIT), scale * THERE.mean(T, HIT))
    return for_all("sequence rewards others", auto(goal, at_T, facts[0], (scale, facts[1])))


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
        at_k = instance(for_all("T", laws, nat(T), le(T, k)), {"T": k}, assume(nat(k)), auto(le(k, k)))
        return for_all("g", instance(at_k, {}, auto(le(k, k))))

    def hits(self, F: Term) -> Theorem:
        """E F(z) 1[said] after k + 1 rounds is the mean after k of F(after) 1[said] P(b), F being a term of z."""
        target = substitute(F, {"z": app("after", z, b, b, self.point)})
        chance = mean("a", pi(k, TOLD), equal(a, b))
        longer_one = app("pair", one, b)
        ends = at_most(auto(le(k, k)))
        last = auto(eq(self.list(k), self.point), (self.point - app(self.rewards, k), ends))

        def of_run(run: Term, said: Term) -> Term:
            return substitute(F, {"z": run}) * equal(said, longer_one)

        after, there = (app("after", z, a, a, v) for v in (self.list(k), self.point))
        open_after = app("after", z, a, a, var("v"))
        moved = same(last, "v", of_run(open_after, app("said", open_after)))
        said = instance(KEPT.said, {"z": z, "a": a, "q": a, "r": self.point})
        told = same(said, "v", of_run(there, var("v")))
        split = KEPT.of_pairs(SAID, a, one, b)
        named = under(a, b, substitute(F, {"z": app("after", z, var("w"), var("w"), self.point)}))
        hit = auto(
            eq(of_run(after, app("said", after)), target * HIT * equal(a, b)),
            moved,
            told,
            (substitute(F, {"z": there}), split),
            (HIT, named),
        )
        averaged = mono(mono(hit, "a", pi(k, TOLD)), "z", self.runs.law(k))
        step = self.runs.next(assume(nat(k)), F * equal(SAID, longer_one))
        body = target * HIT * chance
        known = instance(self.same_start(), {"g": fn("z", body)})
        goal = eq(self.runs.mean(k + 1, F * equal(SAID, longer_one)), self.side.mean(k, body))
        return auto(goal, step, averaged, known)


def kl_of_view_privacy(statement: All) -> Theorem:
    """By induction over the rounds, for all functions f and g of runs: E f - E' g + 1 is at most 0, if on every
    sequence and all lists f P - g P' is at most (epsilon d_Ham - epsilon t - 1) P, t the sum of its variations."""
    names, given, goal = parts_of(statement.then)
    variation, begins, grows = map(assume, given)
    bandits = OnArms("nu"), OnArms("nu_prime")
    f, g, u = app("f", z), app("g", z), app("u", SAID)
    pk, enough = assume(nat(k)), assume(le(k + 1, T))
    few, nonnegative = auto(lt(k, T), enough), assume(le(0, epsilon))

    def spent(round: Any, said: Any) -> Term:
        return app("spent", round, said)

    def on_lists(rounds: Any, f: Term, g: Term) -> Any:
        price = epsilon * apart_in(rounds) - epsilon * spent(rounds, one) - 1
        left = HERE.mean(rounds, f * HIT) - THERE.mean(rounds, g * HIT)
        return All(("sequence", "rewards", "others"), (), le(left, price * HERE.mean(rounds, HIT)))

    def on_bandits(rounds: Any) -> Any:
        says = le(bandits[0].mean(rounds, f) - bandits[1].mean(rounds, g) + 1, 0)
        return All(("f", "g"), (le(rounds, T), on_lists(rounds, f, g)), says)

    claim = on_bandits(k)
    nothing = instance(assume(on_lists(term(0), f, g)), {"sequence": START})
    at_start = [side.none(body * equal(SAID, START)) for side, body in ((HERE, f), (THERE, g), (HERE, term(1)))]
    starts = bandits[0].none(f), bandits[1].none(g)
    none = epsilon * HERE.mean(0, equal(SAID, START))
    price = epsilon * spent(0, START)
    base = auto(on_bandits(term(0)).then, nothing, *at_start, *starts, (none, begins), (price, at_start[2]))
    base = for_all("f g", base, *on_bandits(term(0)).given)

    # the last reward, of one arm
    known, arms = assume(on_lists(k + 1, f, g)), [assume(h) for h in is_arm(b, K)]
    chance = mean("a", pi(k, TOLD), equal(a, b))
    mass = HERE.mean(k, HIT * chance)
    sides = Last(HERE, "rewards", r), Last(THERE, "others", s)
    on_longer = {"sequence": app("pair", one, b)}
    on_longer |= {name: fn("i", side.list(i)) for name, side in zip(("rewards", "others"), sides, strict=True)}
    at_longer = instance(known, on_longer)
    dearer = instance(grows, {"i": k, "o": one, "a": b}, pk, few, *arms)
    in_round = 1 - equal(sides[0].list(j), sides[1].list(j))
    before = 1 - equal(reward(j), other(j))
    off = not_at_most(assume(lt(j, k)))
    places = [auto(eq(of.list(j), app(of.rewards, j)), (of.point - app(of.rewards, j), off)) for of in sides]
    shifted = same(places[0], "v", equal(var("v"), sides[1].list(j))), same(places[1], "v", equal(reward(j), var("v")))
    same_before = sum_over(auto(eq(0, in_round - before), *shifted), "j", k)
    on = at_most(auto(le(k, k)))
    ends = [auto(eq(of.list(k), of.point), (of.point - app(of.rewards, k), on)) for of in sides]
    at_end = same(ends[0], "v", equal(var("v"), sides[1].list(k))), same(ends[1], "v", equal(r, var("v")))
    apart = k + 1
    far = auto(
        eq(apart * mean("j", uniform(apart), in_round), apart_in(k) + 1 - equal(r, s)),
        uniform_next(pk, "j", in_round),
        same_before,
        *at_end,
    )
    hits = sides[0].hits(f), sides[1].hits(g), sides[0].hits(term(1))
    here = HERE.mean(k, substitute(f, {"z": app("after", z, b, b, r)}) * HIT * chance)
    there = THERE.mean(k, substitute(g, {"z": app("after", z, b, b, s)}) * HIT * chance)
    price = epsilon * (apart_in(k) + 1 - equal(r, s)) - epsilon * (spent(k, one) + app("tv", b)) - 1
    old_price = epsilon * apart * mean("j", uniform(apart), in_round) - epsilon * spent(k + 1, app("pair", one, b)) - 1
    on_points = auto(
        le(here - there, price * mass),
        at_longer,
        *hits[:2],
        (old_price, hits[2]),
        (epsilon * mass, far),
        (epsilon * mass, dearer),
    )
    every = for_all("r s", on_points)
    weight = product(indicator(SAID, one, 3), indicator(one, SAID, 3))
    chances = mono(product(indicator(a, b, 3), indicator(b, a, 3)), "a", pi(k, TOLD))
    mass_low = mono(product(weight, chances), "z", HERE.law(k))
    low = (epsilon * (apart_in(k) - spent(k, one) - app("tv", b)) - 1) * mass
    high = low + epsilon * mass
    y = var("y")
    hit = at_most(auto(le(x, x)))
    at_x = instance(every, {"r": x, "s": x})
    A, B = substitute(here, {"r": x}), substitute(there, {"s": x})
    near = for_all("x", auto(le(A, B + low), at_x, (epsilon * mass * (1 + ind(x, x)), hit)))
    paid = product(nonnegative, mass_low)
    two = product(indicator(x, y, 3), indicator(y, x, 3))
    anywhere = auto(le(A, substitute(there, {"s": y}) + high), instance(every, {"r": x, "s": y}), (paid, two))
    values = {"a": fn("x", A), "b": fn("x", B), "P": fn("", law("nu", b)), "Q": fn("", law("nu_prime", b))}
    numbers = {"low": low, "high": high, "t": app("tv", b)}
    apart_by = instance(variation, {"a": b}, *arms)
    order = auto(le(low, high), paid)
    last = instance(between_two_laws(), values | numbers, order, near, for_all("x y", anywhere), apart_by)

    # all arms
    means = [of.after(h, b) for of, h in zip(bandits, (f, g), strict=True)]
    turned = [
        fubini("r", law(of.nu, b), "z", side.law(k), substitute(h, {"z": app("after", z, b, b, r)}) * HIT * chance)
        for of, side, h in zip(bandits, (HERE, THERE), (f, g), strict=True)
    ]
    old = (epsilon * (apart_in(k) - spent(k, one)) - 1) * mass
    of_arm = [side.mean(k, body * HIT * chance) for side, body in zip((HERE, THERE), means, strict=True)]
    each = auto(le(0, of_arm[1] + old - of_arm[0]), last, *turned)
    over_arms = mean_over_arms(each)
    count = weak(auto(lt(0, K), SOME))
    played = [of.after(h) for of, h in zip(bandits, (f, g), strict=True)]
    facts = []
    for side, body, in_mean in ((HERE, played[0], means[0]), (THERE, played[1], means[1]), (HERE, term(1), term(1))):
        of_one, of_all = in_mean * HIT * chance, HIT * mean("a", pi(k, TOLD), body)
        spread = auto(eq(K * mean("b", uniform(K), of_one), of_all), (HIT, all_arms(body, k, TOLD)))
        swap = fubini("b", uniform(K), "z", side.law(k), of_one)
        goal_of_side = eq(K * mean("b", uniform(K), side.mean(k, of_one)), side.mean(k, of_all))
        facts.append(auto(goal_of_side, mono(spread, "z", side.law(k)), (K, swap)))
    new = [mean("a", pi(k, TOLD), body) for body in played]
    shorter = on_lists(k, *new)
    factor = epsilon * (apart_in(k) - spent(k, one)) - 1
    found = auto(shorter.then, (count, over_arms), *facts[:2], (factor, facts[2]))
    found = for_all("sequence rewards others", found)
    back = instance(assume(claim), {"f": fn("z", new[0]), "g": fn("z", new[1])}, auto(le(k, T), enough), found)
    step = auto(on_bandits(k + 1).then, back, bandits[0].next(pk, f), bandits[1].next(pk, g))
    whole_claim = induct("k", base, for_all("f g", step, *on_bandits(k + 1).given), claim)

    # the function of the statement
    test = app("u", one)
    tests = {"f": fn("z", u - epsilon * spent(T, SAID)), "g": fn("z", exp(u))}
    named = (
        mono(under(SAID, one, app("u", var("w")) - epsilon * spent(T, var("w"))), "z", HERE.law(T)),
        mono(under(SAID, one, exp(app("u", var("w")))), "z", THERE.law(T)),
    )
    privacy = instance(one_sequence(last_premise(statement)), {})
    tangent = exp_tangent(test - epsilon * apart_in(T))
    mass_T = mono(weight, "z", HERE.law(T))
    paid_T = weak(exp_positive(test - epsilon * apart_in(T)))
    on_T = on_lists(T, *(v.body for v in tests.values()))
    at_T = auto(on_T.then, *named, (paid_T, privacy), (mass_T, tangent))
    at_T = for_all("sequence rewards others", at_T)
    last_round = instance(whole_claim, {"k": T}, assume(nat(T)))
    said = instance(last_round, tests, auto(le(T, T)), at_T)
    return closed(statement, for_all(names, for_all("u", auto(goal.then, said)), *given))
