"""Proof in the kernel that a policy whose decisions are private one by one is private, from the last round backwards.

What a run leads to in the m rounds after it is compared with what the same run, told other rewards, leads to.
"""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.policies import neighbouring_histories, private_one_by_one
from banditproof.verify.theorems.policies import all_arms, mean_over

a, b, i, j, k, m, x, y, z, K, T, epsilon = map(var, ("a", "b", "i", "j", "k", "m", "x", "y", "z", "K", "T", "epsilon"))
SIDES = "rewards", "others"


def told(run: Term) -> Term:
    return app("told", run)


def after(side: str, run: Term, round: Any = k) -> Term:
    """The run with arm a in a round."""
    return app("after", run, a, a, app(side, round))


def ahead(side: str, count: Any, run: Term, body: Term, round: Any = k) -> Term:
    """The mean of a body of x, the run with so many rounds more from this round on."""
    step = Term("mix", (("a",), pi(round + i, told(z)), Term("dirac", (after(side, z, round + i),))))
    return mean("x", Term("steps", (("i", "z"), term(count), run, step)), body)


@lemma("k z m", nat(m))
def first_round(side: str) -> Theorem:
    """The first of m + 1 rounds and m rounds after it are m + 1 rounds."""
    G, pm = app("g", x), assume(nat(m))

    def says(count: Any) -> Any:
        then = mean("a", pi(k, told(z)), ahead(side, count, after(side, z), G, k + 1))
        return eq(ahead(side, count + 1, z, G), then)

    def last(natural: Theorem, run: Term, round: Term) -> Theorem:
        """One round more, after those."""
        count = natural.conclusion.args[0]  # type: ignore[union-attr]
        step = ahead(side, count, run, G, round).args[1].args[3]
        return steps_next(natural, "x", G, "i", "z", run, step)

    def in_round(of: Term) -> Term:
        """The mean of g after one round with the number k + m + 1, from the run x."""
        return mean("a", pi(of, told(x)), app("g", app("after", x, a, a, app(side, of))))

    def none(run: Term, round: Term) -> Theorem:
        step = ahead(side, 0, run, G, round).args[1].args[3]
        return steps_zero("x", G, "i", "z", run, step)

    start = ahead(side, 0, z, G).args[1].args[3]
    at_start = steps_zero("z", substitute(in_round(k), {"x": z}), "i", "z", z, start)
    first = pi(k, told(z))
    ends = last(nat_zero(), z, k), at_start, mono(none(after(side, z), k + 1), "a", first)
    base = auto(says(term(0)), *ends)
    claim = All(("g",), (), says(m))
    before = instance(assume(claim), {"g": fn("x", in_round(k + m + 1))})
    later = mono(last(pm, after(side, z), k + 1), "a", first)
    step = for_all("g", auto(says(m + 1), last(nat_next(pm), z, k), before, later))
    return instance(induction("m", base, step, claim))


TEST = app("A", app("said", x))


def leads_to(side: str, count: Any, run: Term, round: Any = k) -> Term:
    """The chance of the event after so many rounds more."""
    return ahead(side, count, run, TEST, round)


def from_first_round(side: str, natural: Theorem, run: Term) -> Theorem:
    return instance(instance(first_round(side), {"z": run}, natural), {"g": fn("x", TEST)})


def not_negative(side: str, natural: Theorem, run: Term, round: Any = k) -> Theorem:
    """The chance of the event is at least 0."""
    low, _ = bounds_of_event(TEST, instance(assume(event("A")), {"x": app("said", x)}))
    law_of = ahead(side, natural.conclusion.args[0], run, TEST, round).args[1]  # type: ignore[union-attr]
    return mono(low, "x", law_of)


@lemma("f k h e", nat(k), lt(k, T), neighbours(var("h"), var("e")), All(("a",), (), le(0, app("f", a))))
def decided() -> Theorem:
    """E f(a) <= e^epsilon E f(a) for the decisions after two neighbouring histories h and e, and all f >= 0."""
    f, h, e = app("f", a), var("h"), var("e")
    given = nat(k), lt(k, T), neighbours(h, e), All(("a",), (), le(0, f))
    *near, positive = map(assume, given)
    arm = [assume(g) for g in is_arm(b, K)]
    each = instance(assume(ONE_BY_ONE), {"i": k, "a": b}, *arm)
    left, right = (mean("a", pi(k, history), equal(a, b)) for history in (h, e))
    gap = auto(le(0, app("f", b) * (exp(epsilon) * right - left)), each)
    sums = [all_arms(f, k, history) for history in (h, e)]
    many = nat_nonnegative(assume(nat(K)))
    goal = le(mean("a", pi(k, h), f), exp(epsilon) * mean("a", pi(k, e), f))
    return auto(goal, sums[0], sums[1], (many, mean_over(gap, "b", K)))


ONE_BY_ONE = private_one_by_one(pi, T, K, epsilon)


def in_the_end(side: str, run: Term) -> Theorem:
    """After no round one is where one is."""
    step = ahead(side, 0, run, TEST).args[1].args[3]
    return steps_zero("x", TEST, "i", "z", run, step)


def still_near(behind: Theorem) -> Theorem:
    """After the changed round: two runs with the same actions and neighbouring histories."""
    said = eq(app("said", z), app("said", y))
    near = neighbours(told(z), told(y))
    runs = nat(k), lt(j, k), said, near
    natural, later, spoken, close = map(assume, runs)
    pm = assume(nat(m))

    def says(count: Any) -> Any:
        return le(leads_to("rewards", count, z), exp(term(count) * epsilon) * leads_to("others", count, y))

    def claim_of(count: Any) -> All:
        return All(("k", "z", "y"), (*runs, le(k + count, T)), says(count))

    ends = same(spoken, "v", app("A", var("v")))
    base = auto(says(0), in_the_end("rewards", z), in_the_end("others", y), ends)
    inside = auto(lt(k, T), assume(le(k + m + 1, T)), nat_nonnegative(pm))
    alike = instance(behind, {"i": k}, natural, later, inside)
    runs_after = after("rewards", z), app("after", y, a, a, app("rewards", k))
    keeps, stays = assume(said_is_kept()), assume(neighbouring_histories()[1])
    spoke = [instance(keeps, {"z": run, "q": a, "r": app("rewards", k)}) for run in (z, y)]
    pairs = same(spoken, "v", app("pair", var("v"), a))
    said_after = auto(eq(*(app("said", run) for run in runs_after)), *spoke, pairs)
    near_after = instance(stays, {"r": app("rewards", k)}, close)
    on = instance(
        assume(claim_of(m)),
        {"k": k + 1, "z": runs_after[0], "y": runs_after[1]},
        nat_next(natural),
        auto(lt(j, k + 1), later),
        said_after,
        near_after,
        auto(le(k + 1 + m, T), assume(le(k + m + 1, T))),
    )
    f = leads_to("others", m, runs_after[1], k + 1)
    told_other = same(alike, "v", leads_to("others", m, app("after", y, a, a, var("v")), k + 1))
    positive = not_negative("others", pm, runs_after[1], k + 1)
    values = {"f": fn("a", f), "h": told(z), "e": told(y)}
    choice = instance(decided(), values, natural, inside, close, positive)
    proved = auto(
        says(m + 1),
        from_first_round("rewards", pm, z),
        mono(on, "a", pi(k, told(z))),
        (exp(m * epsilon), choice),
        (exp((m + 1) * epsilon), mono(told_other, "a", pi(k, told(y)))),
        (exp((m + 1) * epsilon), from_first_round("others", pm, y)),
    )
    starts = base
    step = proved
    return instance(induction("m", starts, step, claim_of(m)), {}, pm)


@proof
def instantaneous(statement: All) -> Theorem:
    """The same run on both lists: all decisions after the changed round are such after neighbouring histories."""
    _, given, goal = parts_of(statement.then)
    _, _, before, behind, _ = map(assume, given)
    pm, natural = assume(nat(m)), assume(nat(k))

    def says(count: Any) -> Any:
        return le(leads_to("rewards", count, z), exp(term(count) * epsilon) * leads_to("others", count, z))

    def claim_of(count: Any) -> All:
        return All(("k", "z"), (nat(k), le(k + count, T)), says(count))

    base = auto(says(0), in_the_end("rewards", z), in_the_end("others", z))
    room = auto(le(k + 1 + m, T), assume(le(k + m + 1, T)))
    one, other = (after(side, z) for side in SIDES)
    goal_on = le(leads_to("rewards", m, one, k + 1), exp(m * epsilon) * leads_to("others", m, other, k + 1))
    on = instance(assume(claim_of(m)), {"k": k + 1, "z": one}, nat_next(natural), room)

    def where_told_the_same(equal_rewards: Theorem) -> Theorem:
        moved = same(equal_rewards, "v", leads_to("others", m, app("after", z, a, a, var("v")), k + 1))
        return auto(goal_on, on, moved)

    keeps, differ = assume(said_is_kept()), assume(neighbouring_histories()[0])
    spoke = [instance(keeps, {"q": a, "r": app(side, k)}) for side in SIDES]
    said_after = auto(eq(app("said", one), app("said", other)), *spoke)
    r, q = (app(side, k) for side in SIDES)

    def where_told_others(gap: Theorem, at_j: Theorem) -> Theorem:
        near_after = instance(differ, {"r": r, "q": q}, auto(lt(0, (r - q) * (r - q)), product(gap, gap)))
        later = auto(lt(j, k + 1), at_j)
        values = {"k": k + 1, "z": one, "y": other}
        near = instance(still_near(behind), values, nat_next(natural), later, said_after, near_after, room)
        return auto(goal_on, near)

    at_j, up, down = assume(le(j, k)), assume(lt(q, r)), assume(lt(r, q))
    is_more, is_less = (where_told_others(auto(lt(0, g), p), at_j) for g, p in ((r - q, up), (q - r, down)))
    equal_there = where_told_the_same(antisymmetric(assume(le(r, q)), assume(le(q, r))))
    here = cases(cases(equal_there, is_less, q, r), is_more, r, q)
    early = where_told_the_same(instance(before, {"i": k}, natural, assume(lt(k, j))))
    each = cases(here, early, j, k)
    grown = exp_monotone(auto(le(m * epsilon, (m + 1) * epsilon)))
    proved = auto(
        says(m + 1),
        from_first_round("rewards", pm, z),
        mono(each, "a", pi(k, told(z))),
        from_first_round("others", pm, z),
        grown,
    )
    proved = instance(for_all("", proved, nat(m + 1)), {}, nat_next(pm))
    starts, step = for_all("k z", base, nat(k), le(k + 0, T)), for_all("k z", proved, nat(k), le(k + m + 1, T))
    every = induction("m", starts, step, claim_of(m), at=T)
    return auto(goal, instance(every, {"k": 0, "z": var("empty")}))
