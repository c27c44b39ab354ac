"""What proofs of regret bounds share where an arm with a largest index is played: potentials, and a split at a gap.

An arm is played too often only while its index, or that of the best arm, is off. A potential holds what an arm may
still cost, and the chance that an index will be off; if no step makes its mean larger, it bounds the mean of the plays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from banditproof.verify.kernel.episodes import each_arm_first, largest_index
from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.policies import less_on_arms, sum_over

a, b, k, n, r, u, v, w, x, z = map(var, "abknruvwxz")
q, T, K, best = map(var, ("q", "T", "K", "best"))


def centre(arm: Any) -> Term:
    return app("centre", arm)


@lemma("u v", le(exp(u), exp(v)))
def exponents() -> Theorem:
    """u <= v from e^u <= e^v."""
    gap = auto(lt(0, u - v), assume(lt(v, u)))
    false = contradiction(assume(le(exp(u), exp(v))), (exp(v), exp_tangent(u - v)), product(exp_positive(v), gap))
    return by_contradiction(le(u, v), false)


def ordered(p: Theorem) -> Theorem:
    """u <= v from e^u <= e^v."""
    low, high = p.conclusion.args  # type: ignore[union-attr]
    return instance(exponents(), {"u": low.args[0], "v": high.args[0]}, p)


@lemma("w v", le(0, v), le(w * w, v * v))
def smaller_root() -> Theorem:
    """w <= v from w w <= v v."""
    above = assume(lt(v, w))
    larger = product(auto(lt(0, w - v), above), auto(lt(0, w + v), above))
    return by_contradiction(le(w, v), contradiction(larger, assume(le(w * w, v * v))))


def above_zero(t: Any) -> Term:
    """max(t, 0)."""
    return t * ind(0, t)


@lemma("u v", le(v, u))
def grows_above_zero() -> Theorem:
    """max(v, 0) <= max(u, 0) for v <= u."""
    goal = le(above_zero(v), above_zero(u))
    positive, negative = assume(le(0, v)), assume(lt(v, 0))
    both = auto(goal, (v, at_most(positive)), (u, at_most(auto(le(0, u), positive))))
    return cases(both, auto(goal, (v, not_at_most(negative)), not_below_zero(u)), term(0), v)


def not_below_zero(u: Term) -> Theorem:
    """0 <= max(u, 0)."""
    return instance(_not_below_zero(), {"u": u})


@lemma("u")
def _not_below_zero() -> Theorem:
    return auto(le(0, above_zero(u)), indicator(0, u, 1))


def is_off(far: Any, square: Any) -> Term:
    """1 where `far` is at least 0, and its square at least this one."""
    return ind(0, far) * ind(square, far * far)


@lemma("w q x")
def off_is_far() -> Theorem:
    """For w >= 0: x >= 0 and x x >= w w only where x >= w."""
    wide, square_ = suppose(le(0, w), eq(w * w, q))
    goal, less = le(is_off(x, q), ind(w, x)), assume(lt(x, w))
    low, negative = assume(le(0, x)), assume(lt(x, 0))
    below = not_at_most(auto(lt(x * x, q), product(low, auto(le(0, w - x), less)), (auto(lt(0, w), low, less), less)))
    inside = auto(goal, (ind(0, x), below))
    outside = auto(goal, (ind(q, x * x), not_at_most(negative)))
    near = cases(inside, outside, term(0), x)
    one, other = (indicator(*i.args, 4) for i in (ind(0, x), ind(q, x * x)))
    beyond = auto(goal, (ind(q, x * x), one), at_most(assume(le(w, x))))
    return cases(beyond, near, w, x)


m_1, w_1, v_1, q_1, m_k, w_k, v_k, q_k = map(var, ("m_1", "w_1", "v_1", "q_1", "m_k", "w_k", "v_k", "q_k"))
high, low = var("high"), var("low")


@lemma("high low m_1 w_1 v_1 q_1 m_k w_k v_k q_k")
def one_is_off() -> Theorem:
    """A larger index of an arm whose gap is v_1 + v_k and its width or more: it is off by v_k, or the best one by v_1
    and its width.
    """
    larger, wide, wide_1, far_1, far_k, root_1, root_k = suppose(
        le(m_1 + w_1, m_k + w_k),
        le(w_k + v_1 + v_k, high - low),
        le(0, w_1),
        le(0, v_1),
        le(0, v_k),
        eq(w_1 * w_1 + v_1 * v_1, q_1),
        eq(v_k * v_k, q_k),
    )
    below, above = is_off(high - m_1, q_1), is_off(m_k - low, q_k)
    goal, is_below = le(1, below + above), assume(le(m_1 + w_1 + v_1, high))

    def off(far: Term, q: Term, least: Theorem, *known: Theorem) -> Theorem:
        """is_off(far, q) = 1 from w <= far and q <= w w."""
        w = least.conclusion.args[0]  # type: ignore[union-attr]
        positive = auto(le(0, w), *known)
        larger = product(auto(le(0, far - w), least), auto(le(0, far + w), least, positive))
        square_ = at_most(auto(le(q, far * far), larger, *known))
        return auto(eq(is_off(far, q), 1), (ind(q, far * far), at_most(auto(le(0, far), least, positive))), square_)

    beyond = auto(le(v_k, m_k - low), larger, wide, assume(lt(high, m_1 + w_1 + v_1)))
    of_best = off(
        high - m_1, q_1, auto(le(w_1 + v_1, high - m_1), is_below), wide_1, far_1, root_1, product(wide_1, far_1)
    )
    of_other = off(m_k - low, q_k, beyond, far_k, root_k)
    return cases(auto(goal, of_best), auto(goal, of_other), m_1 + w_1 + v_1, high)


PN, ENOUGH = assume(nat(n)), assume(le(n + 1, T))
SOON = auto(lt(n, T), ENOUGH)
FIRST, LATER = lt(n, K), le(K, n)
IS_NEXT = assume(eq(a, n))


def switched(p: Theorem) -> Theorem:
    """b = a from a = b."""
    left_side, right_side = p.conclusion.args  # type: ignore[union-attr]
    return auto(eq(right_side, left_side), p)


Potential = Callable[[Any, Any], Term]
Invariant = Callable[[Any, Any], tuple[Formula, ...]]


@dataclass(frozen=True)
class Runs:
    """Runs in which each arm is played once, and then an arm with a largest index: by their law and its step.

    After n parts of a run z the arm a is played, and `told` is the law of what is told of it; `run` is the longer run.
    The invariant is true of a run without parts, and of the longer one if it is of z, also in the first K parts.
    """

    law: Term
    told: Term
    run: Term
    index: Callable[[Any, Any, Any], Term]
    invariant: Invariant
    begins: Callable[[], list[Theorem]]
    goes_on: Callable[[bool], list[Theorem]]

    def chosen(self, first: bool) -> tuple[Theorem, tuple[Formula, ...]]:
        """An event without the arms that may come next has the probability 0; and which these are."""
        said = each_arm_first(pi, T, K) if first else largest_index(pi, self.index, T, K)
        (nothing,) = (f for f in said.given if isinstance(f, All) and f.params == ("a",))
        without = replace(nothing, {"i": n, "h": z})
        assert isinstance(without, All)
        which = PN, assume(FIRST if first else LATER), SOON, assume(event("A")), assume(without)
        at = instance(assume(said), {"i": n, "h": z}, *which)
        return for_all("i h A", at, event("A"), without), without.given

    def falls(self, first: bool, potential: Potential, step: Theorem) -> Theorem:
        """The mean of g after one part more is at most a potential that falls, where g is at most the next one."""
        smaller = All(("z",), self.invariant(n + 1, z), le(app("g", z), potential(n + 1, z)))
        at = instance(assume(smaller), {"z": self.run}, *self.goes_on(first))
        told, (plays, may_be) = mean("r", self.told, app("g", self.run)), self.chosen(first)
        on_arms = auto(le(told, potential(n, z)), mono(at, "r", self.told), step)
        if first:
            is_one = nat_equal(PN, switched(IS_NEXT)), auto(lt(a, K), IS_NEXT, assume(FIRST))
            on_arms = instance(for_all("", on_arms, *is_arm(a, K)), {}, *is_one)
        of_arms = All(("a",), may_be, le(told, v))  # a name in place of the potential, which is long
        of_one = instance(assume(of_arms), {}, *map(assume, may_be))
        fallen = for_all("v", less_on_arms(plays, pi(n, z), (n, z), told, v, of_one), of_arms)
        return instance(fallen, {"v": potential(n, z)}, for_all("a", on_arms, *may_be))

    def stay_below(
        self, g: Potential, potential: Potential, step: Callable[[bool], Theorem], begin: Theorem, end: Theorem
    ) -> Theorem:
        """E g(T, z) <= c, from a potential that falls, is at most c at the start and at least g in each run."""
        total, chain, f = begin.conclusion.args[1], self.law.args[3], app("g", z)  # type: ignore[union-attr]

        def after(m: Any) -> Term:
            return mean("z", Term("steps", (("i", "z"), term(m), var("empty"), chain)), f)

        smaller = All(("z",), self.invariant(n, z), le(f, potential(n, z)))
        claim = All(("g",), (smaller, le(n, T)), le(after(n), total))
        none = instance(assume(replace(smaller, {"n": term(0)})), {"z": var("empty")}, *self.begins())
        base = auto(le(after(0), total), steps_zero("z", f, "i", "z", var("empty"), chain), none, begin)
        fallen = cases(*(self.falls(first, potential, step(first)) for first in (False, True)), K, n)
        before, told = for_all("z", fallen, *self.invariant(n, z)), fallen.conclusion.args[0]  # type: ignore[union-attr]
        known = instance(assume(claim), {"g": fn("z", told)}, before, auto(le(n, T), ENOUGH))
        more = steps_next(PN, "x", app("g", x), "i", "z", var("empty"), chain)
        whole = induction("n", base, auto(le(after(n + 1), total), more, known), claim, at=T)
        at_end = instance(for_all("n", for_all("z", end, *self.invariant(n, z)), le(n, T)), {"n": T})
        return instance(whole, {"g": fn("z", g(T, z))}, at_end)


def arm(of: Term) -> list[Theorem]:
    return [assume(f) for f in is_arm(of, K)]


GAP = centre(best) - centre(k)
SIDES = (best, -1), (k, 1)  # the index of the best arm is too low, or that of the other one too high


def rewritten(body: Callable[..., Term], old: list[Theorem]) -> list[Theorem]:
    """body(left sides) = body(right sides), one by one."""
    places = [f.conclusion.args[0] for f in old]  # type: ignore[union-attr]
    found: list[Theorem] = []
    for at, f in enumerate(old):
        found.append(same(f, "w", body(*places[:at], var("w"), *places[at + 1 :])))
        places[at] = f.conclusion.args[1]  # type: ignore[union-attr]
    return found


BEST = All(("a",), is_arm(a, K), le(centre(a), centre(best)))


def gap_is_not_negative() -> Theorem:
    return auto(le(0, GAP), instance(assume(BEST), {"a": k}, *arm(k)))


def over_arms(each: Theorem) -> Theorem:
    """The sum over the arms of what is said of k, which is one of them."""
    left_side, right_side = each.conclusion.args  # type: ignore[union-attr]
    whole = sum_over(auto(le(0, right_side - left_side), each), "k", K)
    return auto(le(*(sum_of(lambda k, f=f: f, K, "k") for f in (left_side, right_side))), whole)


@dataclass(frozen=True)
class Costs:
    """The gap of k times its mean plays is at most level/gap + rest, where it is positive: `cost` says so.

    `low` says that its plays are not negative, `total` that those of all arms add up to T at most; 0 <= level and rest.
    """

    plays: Term
    level: Term
    rest: Term
    cost: Theorem
    low: Theorem
    total: Theorem
    level_low: Theorem
    rest_low: Theorem

    def split_for(self, lead: Term, low: Theorem, wide: Theorem) -> Theorem:
        """The regret is at most 2 lead and the rests, from 0 <= lead and K T level <= lead^2."""
        some = var("some_lead")
        enough = le(K * T * self.level, some * some)
        return instance(
            for_all("some_lead", self._split(some, assume(enough)), le(0, some), enough), {"some_lead": lead}, low, wide
        )

    def _split(self, lead: Term, wide: Theorem) -> Theorem:
        goal = le(sum_of(lambda k: GAP * self.plays, K, "k"), 2 * lead + sum_of(lambda k: self.rest, K, "k"))
        above, none = over_arms(self._with(lead)), over_arms(self._without(lead, wide))
        some, one = assume(lt(0, lead)), auto(lt(0, T))
        small = auto(le(K * self.level * T / lead, lead), (reciprocal_positive(some), wide), (lead, reciprocal(some)))
        share = product(weak(some), weak(reciprocal_positive(one)))
        far = auto(goal, above, small, (share, self.total))
        return cases(auto(goal, none, assume(le(0, lead))), far, lead, term(0))

    def _with(self, lead: Term) -> Theorem:
        """With D = lead/T an arm costs D a play, if its gap is at most D, and else level/D and the rest."""
        some, one = assume(lt(0, lead)), auto(lt(0, T))
        share, most = lead / T, self.level * T / lead
        share_low, inverse = product(weak(some), weak(reciprocal_positive(one))), weak(reciprocal_positive(some))
        goal, apart = le(GAP * self.plays, share * self.plays + most + self.rest), assume(lt(share, GAP))
        near = product(auto(le(0, share - GAP), assume(le(GAP, share))), self.low)
        close = auto(goal, near, (T, product(self.level_low, inverse)), self.rest_low)
        steep = auto(lt(0, GAP), apart, share_low)
        cost, beyond = instance(for_all("", self.cost, lt(0, GAP)), {}, steep), weak(reciprocal_positive(steep))
        fewer = product(product(product(self.level_low, inverse), beyond), auto(le(0, GAP - share), apart))
        ends = (self.level / lead * T, reciprocal(steep)), (self.level / GAP, reciprocal(some))
        far = auto(goal, cost, (T, fewer), *ends, product(share_low, self.low))
        return cases(close, far, GAP, share)

    def _without(self, lead: Term, wide: Theorem) -> Theorem:
        """Without a lead there is no level."""
        none = antisymmetric(assume(le(lead, 0)), assume(le(0, lead)))
        rounds = product(auto(le(0, K - 1)), auto(le(0, T - 1)))
        some = auto(le(0, K * T - 1), rounds)
        level = antisymmetric(
            auto(le(self.level, 0), wide, (lead, none), product(some, self.level_low)), self.level_low
        )
        goal = le(GAP * self.plays, self.rest)
        flat = auto(goal, (self.plays, antisymmetric(assume(le(GAP, 0)), gap_is_not_negative())), self.rest_low)
        return cases(flat, auto(goal, self.cost, (1 / GAP, level)), GAP, term(0))
