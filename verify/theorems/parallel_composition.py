"""Proofs in the kernel of parallel composition: mechanisms on blocks of their own, of which one differs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.meanings import close
from banditproof.verify.theorems.mechanisms import on_tests
from banditproof.verify.theorems.renyi import ABOVE_ONE, alpha, processed

x, j, k, n, h, y, empty = map(var, ("x", "j", "k", "n", "h", "y", "empty"))
PAIR = app("pair", h, y)
SIDES = ("block", "other")


def output(side: str, i: Any) -> Term:
    return law("M", i, app(side, i))


def step(side: str) -> Term:
    return Term("mix", (("y",), output(side, var("i")), Term("dirac", (PAIR,))))


def rounds(side: str, m: Any) -> Term:
    return Term("steps", (("i", "h"), term(m), empty, step(side)))


def next_round(natural: Theorem, side: str, body: Term) -> Theorem:
    return steps_next(natural, "x", body, "i", "h", empty, step(side))


class Differing:
    """What is known of data sets that differ in block j: the premises of the conclusion, assumed."""

    def __init__(self, given: tuple[Formula, ...]):
        self.natural, self.below, self.near, self.before, self.behind = map(assume, given[:5])

    def swapped(self, equal: Theorem, i: Any, body: Term) -> Theorem:
        """The mean of the body over output i is the same on both sides, where their blocks i are equal."""
        return same(equal, "z", mean("y", law("M", i, var("z")), body))

    def same_before(self) -> Theorem:
        """For n <= j the outputs of the first n mechanisms have the same law on both sides."""
        g = app("g", x)
        claim = All(("g",), (le(n, j),), eq(*(mean("x", rounds(s, n), g) for s in SIDES)))
        starts = [steps_zero("x", g, "i", "h", empty, step(s)) for s in SIDES]
        base = auto(eq(*(mean("x", rounds(s, 0), g) for s in SIDES)), *starts)
        pn, enough = assume(nat(n)), assume(le(n + 1, j))
        equal = instance(self.before, {"i": n}, pn, auto(lt(n, j), enough))
        swapped = mono(self.swapped(equal, n, app("g", PAIR)), "h", rounds("block", n))
        last = mean("y", output("other", n), app("g", PAIR))
        before = instance(assume(claim), {"g": fn("h", last)}, auto(le(n, j), enough))
        goal = eq(*(mean("x", rounds(s, n + 1), g) for s in SIDES))
        proved = auto(goal, *(next_round(pn, s, g) for s in SIDES), swapped, before)
        return induction("n", base, proved, claim, at=j)

    def at_the_difference(self, body: Term) -> Theorem:
        """The mean of a body of h over the first j outputs is the same on both sides."""
        return instance(self.same_before(), {"g": fn("h", body)})

    def to_the_end(self, says: Callable[[Any], Formula], at_j: Theorem, after: Callable[..., Theorem]) -> Theorem:
        """says(k) from says(j + 1), and from says(n) with equal blocks n > j: says(n + 1)."""
        here = j + 1 + n
        claim = All((), (le(here, k),), says(here))
        base = at_j
        pn, enough = assume(nat(n)), assume(le(here + 1, k))
        natural = nat_sum(nat_next(self.natural), pn)
        equal = instance(
            self.behind, {"i": here}, natural, auto(lt(j, here), nat_nonnegative(pn)), auto(lt(here, k), enough)
        )
        known = instance(assume(claim), {}, auto(le(here, k), enough))
        every = induction("n", base, after(here, natural, equal, known), claim)
        rest = nat_minus(self.natural, assume(nat(k)), self.below)
        return instance(instance(every, {"n": k - j - 1}, rest))


@proof
def approximate(statement: All) -> Theorem:
    """Before block j the outputs are as likely, at j the mechanism is private, and behind it what follows is a test."""
    given = parts_of(statement.then)[1]
    differ, is_event, epsilon, delta = Differing(given), assume(given[-1]), var("epsilon"), var("delta")
    ratio, A = exp(epsilon), app("A", x)
    private = instance(assume(statement.given[-1]), {"i": j})

    def says(m: Any) -> All:
        return All(("A",), (event("A"),), close(rounds("block", m), rounds("other", m), epsilon, delta))

    idempotent = instance(is_event, {"x": PAIR})
    then, of_pair = for_all("y", idempotent), fn("y", app("A", PAIR))
    here = instance(private, {"d": app("block", j), "e": app("other", j), "A": of_pair}, then)
    averaged = mono(here, "h", rounds("block", j))
    moved = differ.at_the_difference(mean("y", output("other", j), app("A", PAIR)))
    nexts = [next_round(differ.natural, s, A) for s in SIDES]
    at_j = auto(says(j + 1).then, nexts[0], averaged, (ratio, moved), (ratio, nexts[1]))

    def after(m: Any, natural: Theorem, equal: Theorem, known: Theorem) -> Theorem:
        test, laws = mean("y", output("other", m), app("A", PAIR)), (rounds("block", m), rounds("other", m))
        low, high = (mono(f, "y", output("other", m)) for f in bounds_of_event(app("A", PAIR), idempotent))
        before = on_tests(known, laws, epsilon, delta, "h", test, {}, [], low, high)
        swapped = mono(differ.swapped(equal, m, app("A", PAIR)), "h", rounds("block", m))
        nexts = [next_round(natural, s, A) for s in SIDES]
        return for_all("A", auto(says(m + 1).then, nexts[0], swapped, before, (ratio, nexts[1])), event("A"))

    return instance(differ.to_the_end(says, for_all("A", at_j, event("A")), after))


@proof
def zcdp(statement: All) -> Theorem:
    """The same for Rényi divergences, which no mechanism that follows makes larger."""
    _, given, _ = parts_of(statement.then)
    of_each, of_all, rho = statement.given[-2], statement.given[-1], var("rho")
    differ = Differing(given)
    cap, private = (instance(assume(f), {"i": j}) for f in (of_all, of_each))
    near = instance(private, {"d": app("block", j), "e": app("other", j)})
    own = (alpha - 1) * alpha * app("rhos", j)
    larger = exp_monotone(auto(le(own, (alpha - 1) * alpha * rho), ((alpha - 1) * alpha, cap)))
    return _divergence(differ, near, larger, alpha * rho)


@proof
def rdp(statement: All) -> Theorem:
    """The same for one order."""
    given = parts_of(statement.then)[1]
    differ = Differing(given)
    private = instance(assume(statement.given[-1]), {"i": j})
    near = instance(private, {"d": app("block", j), "e": app("other", j)})
    to_order = replace(near.conclusion, {"alpha": alpha})
    same_budget = auto(le(0, 0))
    proved = for_all("order", _divergence(differ, assume(to_order), same_budget, var("epsilon")), ABOVE_ONE, to_order)
    return instance(proved, {"order": var("alpha")}, near)


def _divergence(differ: Differing, near: Theorem, larger: Theorem, most: Any) -> Theorem:
    """D_order <= most of the whole, from such a theorem about mechanism j, whose budget is `larger` in the end."""

    def says(m: Any) -> All:
        return renyi_at_most(rounds("block", m), rounds("other", m), alpha, most)

    powers, of_pair, test = (alpha - 1, alpha), app("u", PAIR), app("u", x)
    averaged = mono(instance(near, {"u": fn("y", of_pair)}), "h", rounds("block", j))
    moved = differ.at_the_difference(mean("y", output("other", j), exp(alpha * of_pair)))

    def nexts(natural: Theorem) -> list[tuple[Term, Theorem]]:
        parts = zip((alpha, alpha - 1), powers, SIDES, strict=True)
        return [(factor, next_round(natural, s, exp(power * test))) for factor, power, s in parts]

    at_j = auto(says(j + 1).then, *nexts(differ.natural), averaged, (alpha - 1, moved), larger)

    def after(m: Any, natural: Theorem, equal: Theorem, known: Theorem) -> Theorem:
        laws = rounds("block", m), rounds("other", m)
        before = processed(known, laws, output("other", m), "y", of_pair, most, point="h")
        swapped = mono(differ.swapped(equal, m, exp((alpha - 1) * of_pair)), "h", laws[0])
        return for_all("u", auto(says(m + 1).then, *nexts(natural), (alpha, swapped), before))

    return differ.to_the_end(says, for_all("u", at_j), after)
