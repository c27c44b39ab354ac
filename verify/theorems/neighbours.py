"""Proofs in the kernel that two lists are the same but in one round if they differ in at most one of them."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.histories import apart_in
from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.minimax import at_arm
from banditproof.verify.theorems.policies import K, an_arm, b, i, n, sum_over

c, s, t = map(var, ("c", "s", "t"))


def differ(k: Any) -> Term:
    """1 if the lists differ in this round, else 0."""
    return 1 - equal(app("rewards", k), app("others", k))


def is_bit(k: Any) -> tuple[Theorem, Theorem]:
    """That this is 0 or 1, and at least 0."""
    lists = app("rewards", k), app("others", k)
    event = equal_is_event(*lists)
    return event, auto(le(0, differ(k)), bounds_of_event(equal(*lists), event)[1])


def same_reward(none: Theorem, k: Any) -> Theorem:
    """The lists have the same reward in a round in which they do not differ."""
    sides, ends = (app("rewards", k), app("others", k)), []
    for one, other in (sides, sides[::-1]):
        off = not_at_most(assume(lt(other, one)))
        ends.append(by_contradiction(le(one, other), contradiction(none, (ind(other, one), off))))
    return antisymmetric(*ends)


@proof
def distance(statement: All) -> Theorem:
    """A round in which they differ is t."""
    natural, few, before, after = map(assume, statement.then.given)  # type: ignore[union-attr]
    known, goal = [assume(f) for f in is_arm(b, K)], le(0, equal(b, t) - differ(b))
    there = auto(goal, is_equal(antisymmetric(assume(le(b, t)), assume(le(t, b)))))
    early = auto(goal, is_equal(instance(before, {"i": b}, known[0], assume(lt(b, t)))))
    late = auto(goal, is_equal(instance(after, {"i": b}, known[0], assume(lt(t, b)), known[1])))
    each = sum_over(cases(cases(there, early, t, b), late, b, t), "b", K)
    return auto(conclusion(statement), each, an_arm(t))


@lemma("rewards others K i s", nat(K), nat(i), nat(s), lt(i, s), lt(s, K))
def in_two_rounds() -> Theorem:
    """The lists differ in at least as many rounds as in two of them."""
    below = auto(lt(i, K))
    ends = at_arm(differ, i, (assume(nat(i)), below)), at_arm(differ, s, (assume(nat(s)), assume(lt(s, K))))
    _, low = is_bit(b)
    goal, off = le(0, differ(b) * (1 - equal(b, i) - equal(b, s))), []
    for one, other, nothing in (
        (i, s, not_at_most(auto(lt(b, s), assume(le(b, i))))),
        (s, i, not_at_most(assume(lt(i, b)))),
    ):
        _, most = bounds_of_event(equal(b, one), equal_is_event(b, one))
        left = ind(b, other) if other is s else ind(other, b)
        off.append(auto(goal, product(low, auto(le(0, 1 - equal(b, one)), most)), (differ(b) * left, nothing)))
    return auto(le(differ(i) + differ(s), apart_in(K)), sum_over(cases(*off, b, i), "b", K), *ends)


@proof
def by_distance(statement: All) -> Theorem:
    """By induction over the rounds they differ in none, if no round t is the only one."""
    _, (close,), goal = parts_of(statement.then)
    close, wherever, positive = assume(close), assume(goal.given[0]), assume(lt(0, c))
    pn, natural, none = assume(nat(n)), assume(nat(i)), le(differ(i), 0)

    def so_far(k: Any) -> All:
        return All(("i",), (nat(i), lt(i, k), le(k, K)), none)

    fits = auto(lt(n, K), assume(le(n + 1, K)))
    before = instance(assume(so_far(n)), {}, natural, assume(lt(i, n)), auto(le(n, K), fits))
    more = assume(lt(0, differ(n)))
    both = instance(in_two_rounds(), {"i": n, "s": i}, pn, natural, assume(lt(n, i)), assume(lt(i, K)))
    (first, low), (second, other) = is_bit(n), is_bit(i)
    room = auto(le(0, 1 - differ(n) - differ(i)), both)
    product_is_none = auto(
        le(differ(n) * differ(i), 0), product(product(low, other), room), (differ(i), first), (differ(n), second)
    )
    beyond = auto(none, (reciprocal_positive(more), product_is_none), (differ(i), reciprocal(more)))
    rounds = (
        for_all("i", same_reward(before, i), nat(i), lt(i, n)),
        for_all("i", same_reward(beyond, i), nat(i), lt(n, i), lt(i, K)),
    )
    here = by_contradiction(le(differ(n), 0), contradiction(positive, instance(wherever, {"t": n}, pn, fits, *rounds)))
    last = by_contradiction(
        le(i, n), contradiction(assume(lt(i, n + 1)), nat_nonnegative(nat_minus(pn, natural, assume(lt(n, i)))))
    )
    at_n = same(antisymmetric(last, assume(le(n, i))), "w", differ(var("w")))
    step = for_all("i", cases(auto(none, at_n, here), before, n, i), nat(i), lt(i, n + 1), le(n + 1, K))
    base = for_all(
        "i", absurd(contradiction(assume(lt(i, 0)), nat_nonnegative(natural)), none), nat(i), lt(i, 0), le(0, K)
    )
    every = instance(induction("n", base, step, so_far(n), at=K), {}, natural, assume(lt(i, K)))
    never = absurd(contradiction(assume(lt(i, 0)), nat_nonnegative(natural)), eq(app("rewards", i), app("others", i)))
    same_lists = for_all("i", never, nat(i), lt(i, 0)), for_all("i", same_reward(every, i), nat(i), lt(0, i), lt(i, K))
    found = instance(wherever, {"t": 0}, *same_lists)
    return for_all("c", by_contradiction(le(c, 0), contradiction(positive, found)), *goal.given)
