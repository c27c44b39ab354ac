"""Proofs in the kernel of the lower bound on the regret of every consistent policy.

On two bandits that differ in one arm, which is the best one on the second, its chances in a round are those of a test:
E N + E'(T - N) is at least T e^(-c)/2 for a divergence c of the histories. Both are of the order T^p for every p.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.paper_checks.shared.bandit_proofs import (
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
from banditproof.paper_checks.shared.kernel_proofs import app, bounds_of_event, law, parts_of
from banditproof.paper_checks.shared.minimax_proofs import (
    all_rounds,
    at_arm,
    divergence_of_histories,
    pi,
    played,
    sum_is_nonnegative,
)
from banditproof.paper_checks.shared.policy_proofs import (
    PLAYS,
    SOME,
    equal,
    equal_is_event,
    mean_over_arms,
    uniform,
    unless_equal,
)
from banditproof.paper_checks.shared.testing_proofs import errors_of_a_test
from banditproof.verify.kernel.asymptotics import from_some_round_on
from banditproof.verify.kernel.bandits import histories
from banditproof.verify.kernel.divergences import kl_at_most
from banditproof.verify.kernel.meanings import exp
from banditproof.verify.kernel.policies import is_arm
from banditproof.verify.kernel.rules import (
    Theorem,
    antisymmetric,
    assume,
    calc,
    cases,
    eq,
    exp_positive,
    exp_tangent,
    induct,
    le,
    lt,
    mean,
    mono,
    nat,
    reciprocal,
    same,
    uniform_next,
)
from banditproof.verify.kernel.tactics import (
    absurd,
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
from banditproof.verify.kernel.terms import All, Formula, Term, replace, substitute, term, var

x, arm, top, m, c, since, rounds, log = map(var, ("x", "arm", "top", "m", "c", "since", "rounds", "log_rounds"))


def theta(k: Any) -> Term:
    return app("theta", k)


def other(k: Any) -> Term:
    """The names of the laws on the second bandit: only that of the arm is another one."""
    return theta(k) + equal(k, arm) * (app("alternative", arm) - theta(k))


def worth(name: Any) -> Term:
    return app("worth", name, 0) / app("worth", name, 1)


def reward(name: Any) -> Term:
    return law("laws", name)


FIRST, SECOND = (fn("x", reward(of(x))) for of in (theta, other))
CHARGE, SPEED = app("charge", arm), app("speed", arm)
IS_ARM = assume(nat(arm)), assume(lt(arm, K))


def of_laws(count: Any) -> tuple[Term, Term]:
    """The laws of the histories on both bandits."""
    one, two = (substitute(histories(pi, lambda k: law("nu", k), count), {"nu": f}) for f in (FIRST, SECOND))
    return one, two


def same_name(at: Term, is_other: Theorem) -> Theorem:
    """other(at) = theta(at), from 1[at = arm] = 0."""
    return auto(eq(other(at), theta(at)), (app("alternative", arm) - theta(at), is_other))


def changed_name() -> Theorem:
    """other(arm) = alternative(arm)."""
    hit = auto(eq(equal(arm, arm), 1))
    return auto(eq(other(arm), app("alternative", arm)), (app("alternative", arm) - theta(arm), hit))


def divergence(count: Any, natural: Theorem, close: Theorem) -> Theorem:
    """D_KL of the histories of so many rounds is at most what the arm costs, as often as it is played."""
    u, charge_low = app("u", x), auto(le(0, CHARGE), instance(close, {"u": fn("x", 0)}))
    wanted = kl_at_most(reward(theta(a)), reward(other(a)), CHARGE * equal(a, arm)).then

    def here(found: Theorem) -> Theorem:
        w = var("w")
        moved = [
            same(found, "w", mean("x", reward(theta(w)), u)),
            same(found, "w", mean("x", reward(other(w)), exp(u))),
            same(changed_name(), "w", mean("x", reward(w), exp(u))),
            same(found, "w", CHARGE * equal(w, arm)),
        ]
        return auto(wanted, instance(close, {}), *moved)

    def elsewhere(_: Term, zero: Theorem) -> Theorem:
        moved = same(same_name(a, zero), "w", mean("x", reward(var("w")), exp(u)))
        return auto(wanted, mono(exp_tangent(u), "x", reward(theta(a))), moved, (CHARGE, zero))

    each = for_all("u", unless_equal(a, arm, here, elsewhere))
    of_arms = for_all("a", for_all("", each, lt(0, played(FIRST, a, count))), *is_arm(a, K))
    i = var("i")
    low = product(charge_low, bounds_of_event(equal(i, arm), equal_is_event(i, arm))[0])
    values = {"nu": FIRST, "nu_prime": SECOND, "T": count, "cost": fn("a", CHARGE * equal(a, arm))}
    costs = for_all("i", low, nat(i))
    found = instance(divergence_of_histories(), values, assume(nat(K)), SOME, natural, costs, PLAYS, of_arms)
    only = at_arm(lambda k: played(FIRST, k, count), arm, IS_ARM)
    goal = kl_at_most(*of_laws(count), CHARGE * played(FIRST, arm, count))
    return for_all("u", auto(goal.then, instance(found, {}), (CHARGE, only)))


def on(bandit: Any, p: Theorem) -> Theorem:
    return instance(for_all("nu", p), {"nu": bandit})


def both_are_hard(close: Theorem) -> Theorem:
    """T e^(-charge E N)/2 <= E N + T - E' N for the arm, for natural T."""
    pn, natural, some_rounds = assume(nat(n)), assume(nat(T)), assume(le(1, T))
    charge_low = auto(le(0, CHARGE), instance(close, {"u": fn("x", 0)}))
    most = CHARGE * played(FIRST, arm)
    near = divergence(n, pn, close)
    so_far = on(FIRST, summand_at_most(lambda k: chance(arm, k), chance_is_nonnegative(arm, j)))
    now = on(FIRST, chance_is_nonnegative(arm))
    few = auto(le(played(FIRST, arm, n), played(FIRST, arm)), so_far, now)
    laws = of_laws(n)
    known = for_all("u", auto(kl_at_most(*laws, most).then, instance(near, {}), (charge_low, few)))
    hit = equal(q, arm)
    low, high = bounds_of_event(hit, equal_is_event(q, arm))
    V = mean("q", pi(n, h), hit)
    V_low, V_high = mono(low, "q", pi(n, h)), mono(high, "q", pi(n, h))
    test = errors_of_a_test(known, laws, "h", V, V_low, V_high, most)
    first, second = (substitute(chance(arm, n), {"nu": of}) for of in (FIRST, SECOND))
    error = first + 1 - second - exp(-most) / 2
    whole = sum_is_nonnegative("n", T, auto(le(0, error), test), natural, some_rounds)
    goal = le(T * exp(-most) / 2, played(FIRST, arm) + T - played(SECOND, arm))
    return auto(goal, (weak(auto(lt(0, T), some_rounds)), whole))


def in_sum(each: Theorem) -> Theorem:
    """0 <= K E F(b) of the arms, from 0 <= F(b)."""
    return product(weak(auto(lt(0, K), SOME)), mean_over_arms(each))


def pulls_low(bandit: Any, k: Any) -> Theorem:
    return on(bandit, pulls_are_nonnegative(k, assume(nat(T))))


GAP, LEAD = worth(theta(top)) - worth(theta(arm)), worth(app("alternative", arm)) - worth(theta(top))


def regrets(best: Theorem) -> tuple[Term, Theorem, Term, Theorem]:
    """The regret on the first bandit is at least GAP E N, and that on the second one at least LEAD (T - E' N)."""
    arms = [assume(f) for f in is_arm(b, K)]
    better = instance(best, {"a": b}, *arms)
    e = equal(b, arm)
    high = auto(le(0, 1 - e), bounds_of_event(e, equal_is_event(b, arm))[1])
    first = played(FIRST, b) * (worth(theta(top)) - worth(theta(b)))
    rest = product(product(pulls_low(FIRST, b), auto(le(0, worth(theta(top)) - worth(theta(b))), better)), high)
    at_first = at_arm(lambda k: played(FIRST, k) * (worth(theta(top)) - worth(theta(k))), arm, IS_ARM)
    one = K * mean("b", uniform(K), first)
    lower = auto(le(GAP * played(FIRST, arm), one), in_sum(rest), at_first)

    second = played(SECOND, b) * (worth(other(arm)) - worth(other(b)))
    over = played(SECOND, b) * (worth(other(arm)) - worth(other(b)) - LEAD * (1 - e))
    w = var("w")

    def here(found: Theorem) -> Theorem:
        moved = same(found, "w", worth(other(w)))
        hit = same(found, "w", equal(w, arm))
        return auto(le(0, over), (played(SECOND, b), moved), (played(SECOND, b) * LEAD, hit))

    def elsewhere(_: Term, zero: Theorem) -> Theorem:
        moved = same(same_name(b, zero), "w", worth(w)), same(changed_name(), "w", worth(w))
        facts = ((played(SECOND, b), f) for f in moved)
        return auto(le(0, over), (pulls_low(SECOND, b), better), *facts, (played(SECOND, b) * LEAD, zero))

    each = unless_equal(b, arm, here, elsewhere)
    at_second = at_arm(lambda k: played(SECOND, k), arm, IS_ARM)
    two = K * mean("b", uniform(K), second)
    goal = le(LEAD * (T - played(SECOND, arm)), two)
    return one, lower, two, auto(goal, in_sum(each), (LEAD, at_second), (LEAD, all_rounds(SECOND)))


# --------------------------------------------------------------------------------------------------- from some round on


def tail(start: Term, says: Callable[[Term, Term], Formula]) -> All:
    """What `says` says of all rounds from the start on."""
    large = nat(rounds), le(start, rounds), eq(exp(log), rounds)
    return All(("rounds", "log_rounds"), large, says(rounds, log))


def from_start(exists: Theorem, name: str, says: Callable[[Term, Term], Formula], then: Theorem) -> Theorem:
    """c <= 0 where something holds from some round on, from c <= 0 where it does from this one on."""
    start = var(name)
    return instance(exists, {"c": c}, for_all(name, then, le(0, start), tail(start, says)))


def starts(says: Callable[[Term, Term], Formula], start: Term, low: Theorem, found: Theorem) -> Theorem:
    """c <= 0, where that is so of all rounds from which something holds: from this one on it does."""
    wherever = assume(from_some_round_on(says).given[0])
    every = for_all("rounds log_rounds", found, *tail(start, says).given)
    return instance(wherever, {"since": start}, low, every)


def some_round(says: Callable[[Term, Term], Formula], then: Theorem) -> Theorem:
    """That something holds from some round on, from c <= 0."""
    return for_all("c", then, from_some_round_on(says).given[0])


class Consistent:
    """The premises about the bandit: its class, its best arm, and what the rates are."""

    def __init__(self, statement: All):
        self.names, self.given, _ = parts_of(statement.then)
        self.policy = assume(statement.given[-1])
        self.member, *self.top, self.best, self.speeds = map(assume, self.given[:5])
        self.of_positive = [assume(f) for f in self.given[5:]]

    def bandits(self, member: Theorem, ahead: Theorem) -> tuple[list[Theorem], list[Theorem]]:
        """Both bandits are of the class, and the changed arm is the best one of the second."""
        of_a = [assume(f) for f in is_arm(a, K)]
        w = var("w")
        hit = app("member", a, other(a))

        def is_member(found: Theorem) -> Theorem:
            moved = same(found, "w", app("member", w, other(w))), same(changed_name(), "w", app("member", arm, w))
            return auto(eq(hit, 1), *moved, member)

        def stays(_: Term, zero: Theorem) -> Theorem:
            known = instance(self.member, {"a": a}, *of_a)
            return auto(eq(hit, 1), same(same_name(a, zero), "w", app("member", a, w)), known)

        goal = le(worth(other(a)), worth(other(arm)))
        first = same(changed_name(), "w", worth(w))

        def is_best(found: Theorem) -> Theorem:
            return auto(goal, same(found, "w", worth(other(w))))

        def is_less(_: Term, zero: Theorem) -> Theorem:
            known = instance(self.best, {"a": a}, *of_a)
            return auto(goal, same(same_name(a, zero), "w", worth(w)), known, first, ahead)

        of_second = (unless_equal(a, arm, f, g) for f, g in ((is_member, stays), (is_best, is_less)))
        members, bests = (for_all("a", f, *is_arm(a, K)) for f in of_second)
        return [self.member, *self.top, self.best], [members, *IS_ARM, bests]

    def of_arm(self) -> Theorem:
        """From some round on GAP E N of the arm is at least its speed times log T."""

        def says(count: Term, size: Term) -> Formula:
            return le(SPEED * size, GAP * played(FIRST, arm, count))

        x = played(FIRST, arm, rounds)
        natural, level = assume(nat(rounds)), assume(eq(exp(log), rounds))
        speed_low = instance(self.speeds, {"a": arm}, *IS_ARM)
        no_gap = auto(le(0, GAP), instance(self.best, {"a": arm}, *IS_ARM))
        of_rounds = for_all("T", pulls_low(FIRST, arm), nat(T))
        x_low = instance(of_rounds, {"T": rounds}, natural)
        still = antisymmetric(assume(le(SPEED, 0)), speed_low)
        idle = starts(says, term(0), auto(le(0, 0)), auto(says(rounds, log), (log, still), (no_gap, x_low)))

        some = assume(lt(0, SPEED))
        gap, member, lead, close, slow = (
            instance(instance(f, {"a": arm}, *IS_ARM), {}, some) for f in self.of_positive
        )
        gap, ahead = auto(lt(0, GAP), gap), auto(lt(0, LEAD), lead)
        of_gap, of_lead = reciprocal(gap), reciprocal(ahead)
        charge_low = auto(le(0, CHARGE), instance(close, {"u": fn("x", 0)}))
        share = SPEED * CHARGE / GAP
        growth = (1 - share) / 2
        grows = auto(lt(0, growth), (reciprocal_positive(gap), slow), of_gap)
        small = 2 / GAP + 2 / LEAD
        small_low = auto(le(0, small), weak(reciprocal_positive(gap)), weak(reciprocal_positive(ahead)))
        far = product(small_low, weak(reciprocal_positive(grows)))
        names = ("first_since", "second_since")
        bounds = []
        for name, bandit, conditions, at in zip(
            names, (theta, other), self.bandits(member, lead), (top, arm), strict=True
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
            from_it = auto(le(var(name), rounds), late, lows[1 - k], begun)
            costs.append(instance(assume(tail(var(name), said)), {}, natural, from_it, level))

        def at_rounds(p: Theorem) -> Theorem:
            return instance(for_all("T", p, nat(T), le(1, T)), {"T": rounds}, natural, some_rounds)

        _, first, _, second = regrets(self.best)
        lower, higher, hard = map(at_rounds, (first, second, both_are_hard(close)))
        spared = rounds - played(SECOND, arm, rounds)
        size = exp(growth * log)
        contrary = assume(lt(GAP * x, SPEED * log))
        paid = auto(
            le(CHARGE * x, share * log),
            (product(charge_low, weak(reciprocal_positive(gap))), contrary),
            (CHARGE * x, of_gap),
        )
        less = exp_monotone(auto(le(-share * log, -CHARGE * x), paid))
        few = auto(
            le(x, size / GAP),
            (weak(reciprocal_positive(gap)), lower),
            (weak(reciprocal_positive(gap)), costs[0]),
            (x, of_gap),
        )
        rest = auto(
            le(spared, size / LEAD),
            (weak(reciprocal_positive(ahead)), higher),
            (weak(reciprocal_positive(ahead)), costs[1]),
            (spared, of_lead),
        )
        count_low = auto(le(0, rounds), some_rounds)
        twice = auto(le(size * size, small * size), hard, (count_low, less), few, rest, (exp(-share * log), level))
        not_more = auto(le(size, small), (weak(exp_positive(-growth * log)), twice))
        long = auto(
            le(small / growth, log),
            exp_tangent(small / growth - log),
            (weak(exp_positive(-log)), auto(le(exp(small / growth), rounds), late, *lows)),
            (exp(-log), level),
        )
        too_long = auto(le(small, growth * log), (weak(grows), long), (small, reciprocal(grows)))
        false = calc(lt(0, 0), [(1, None, exp_tangent(growth * log)), (1, None, not_more), (1, None, too_long)])
        goal = says(rounds, log)
        found = cases(assume(goal), absurd(false, goal), *goal.args)  # type: ignore[union-attr]
        end = starts(says, start, product_sum(lows, begun), found)
        for name, known, said in reversed(bounds):
            end = from_start(known, name, said, end)
        return some_round(says, cases(idle, end, SPEED, term(0)))


def product_sum(lows: list[Theorem], begun: Theorem) -> Theorem:
    """The sum of numbers that are at least 0 is so."""
    total = begun.conclusion.args[1]  # type: ignore[union-attr]
    for low in lows[::-1]:
        total = low.conclusion.args[1] + total  # type: ignore[union-attr]
    return auto(le(0, total), *lows, begun)


def _late_relation(known: Theorem) -> Callable[[Term, Term], Formula]:
    """What a theorem says of all rounds from some one on."""
    then = known.conclusion.given[0].given[1].then  # type: ignore[union-attr]
    names = known.conclusion.given[0].given[1].params  # type: ignore[union-attr]
    return lambda count, size: replace(then, dict(zip(names, (count, size), strict=True)))


def regret_of_the_consistent(statement: All) -> Theorem:
    """Arm by arm, and the sum over the arms."""
    bandit = Consistent(statement)
    of_arm = for_all("arm", bandit.of_arm(), *is_arm(arm, K))

    def sums(m: Any) -> Callable[[Term, Term], Formula]:
        speed = app("speed", b)
        gap = worth(theta(top)) - worth(theta(b))

        def says(count: Term, size: Term) -> Formula:
            left = term(m) * mean("b", uniform(m), speed)
            return le(left * size, term(m) * mean("b", uniform(m), gap * played(FIRST, b, count)))

        return says

    pm, enough = assume(nat(m)), assume(le(m + 1, K))
    claim = All((), (le(m, K),), from_some_round_on(sums(m)))
    nothing = starts(sums(term(0)), term(0), auto(le(0, 0)), auto(sums(term(0))(rounds, log)))
    base = for_all("", some_round(sums(term(0)), nothing), le(0, K))
    before = instance(assume(claim), {}, auto(le(m, K), enough))
    last = instance(of_arm, {"arm": m}, pm, auto(lt(m, K), enough))
    first, second = var("first_since"), var("second_since")
    lows = [assume(le(0, s)) for s in (first, second)]
    late = assume(le(first + second, rounds))
    natural, level = assume(nat(rounds)), assume(eq(exp(log), rounds))
    relation = _late_relation(last)
    parts = [
        instance(assume(tail(s, f)), {}, natural, auto(le(s, rounds), late, lows[1 - k]), level)
        for k, (s, f) in enumerate(((first, sums(m)), (second, relation)))
    ]
    gap = worth(theta(top)) - worth(theta(b))
    more = uniform_next(pm, "b", app("speed", b)), uniform_next(pm, "b", gap * played(FIRST, b, rounds))
    found = auto(sums(m + 1)(rounds, log), *parts, (log, more[0]), more[1])
    end = starts(sums(m + 1), first + second, product_sum(lows[:1], lows[1]), found)
    end = from_start(last, "second_since", relation, end)
    end = from_start(before, "first_since", sums(m), end)
    every = induct("m", base, for_all("", some_round(sums(m + 1), end), le(m + 1, K)), claim)
    at_K = instance(instance(every, {"m": K}, assume(nat(K))), {}, auto(le(K, K)))
    return closed(statement, for_all(bandit.names, at_K, *bandit.given))
