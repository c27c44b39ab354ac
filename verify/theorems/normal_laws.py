"""Proofs in the kernel about the laws N(s, 1): how far apart they are, and what that proves of all such rewards."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from banditproof.verify.kernel.bandits import Bandit
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.terms import inside
from banditproof.verify.kernel.variables import gaussian, unit_normal
from banditproof.verify.theorems.divergences import kl_of_renyi
from banditproof.verify.theorems.noise import one_gaussian, size_of
from banditproof.verify.theorems.optimism import smaller_root
from banditproof.verify.theorems.renyi import ABOVE_ONE
from banditproof.verify.theorems.testing import square_at_most

s, t = map(var, "st")
UNIT_NORMAL = fn("m", unit_normal(var("m")))


def of_mean(m: Any) -> Term:
    return law("N", m)


def half_squares(N: Bandit) -> All:
    """D_KL(N(s) || N(t)) <= (s - t)^2/2 for all s, t."""
    return All(("s", "t"), (), kl_at_most(N(s), N(t), (s - t) * (s - t) / 2))


def half_distances(N: Bandit) -> All:
    """TV(N(s) || N(t)) <= (t - s)/2 for all s <= t."""
    return All(("s", "t"), (le(s, t),), variation_at_most(N(s), N(t), (t - s) / 2))


@once
def squares() -> Theorem:
    """D_KL(N(s, 1) || N(t, 1)) <= (s - t)^2/2, as D_alpha is at most alpha times that for all alpha > 1."""
    orders = instance(one_gaussian(), {"p": s, "q": t, "v1": term(1)}, assume(ABOVE_ONE))
    cost = (s - t) * (s - t) / 2
    every = for_all("order", orders, ABOVE_ONE)
    return for_all("s t", kl_of_renyi(unit_normal(s), unit_normal(t), cost, every, auto(le(0, cost))))


@once
def distances() -> Theorem:
    """TV(N(s, 1) || N(t, 1)) <= (t - s)/2 for s <= t, by Pinsker's inequality."""
    less, first, second = le(s, t), unit_normal(s), unit_normal(t)
    p, q = (mean("x", one, app("A", var("x"))) for one in (first, second))
    values = {"P": fn("", first), "Q": fn("", second), "most": (s - t) * (s - t) / 2}
    square = instance(square_at_most(), values, instance(squares(), {}), assume(event("A")))
    half = (t - s) / 2
    near = instance(
        smaller_root(),
        {"w": p - q, "v": half},
        auto(le(0, half), assume(less)),
        auto(le((p - q) * (p - q), half * half), square),
    )
    return for_all("s t", for_all("A", auto(le(p, q + half), near), event("A")), less)


@once
def distance() -> Theorem:
    """The same for all s and t, as the complement of an event is one."""
    first, second, A, is_event = unit_normal(s), unit_normal(t), app("A", var("x")), assume(event("A"))
    p, q = (mean("x", one, A) for one in (first, second))
    goal = le(p - q, size(s - t) / 2)
    less, more = assume(le(s, t)), assume(lt(t, s))
    other = for_all("x", auto(eq((1 - A) * (1 - A), 1 - A), instance(is_event, {})))
    back = instance(instance(distances(), {"s": t, "t": s}, weak(more)), {"A": fn("x", 1 - A)}, other)
    here = auto(goal, instance(instance(distances(), {}, less), {}, is_event), instance(size_of(-1), {"t": s - t}))
    there = auto(goal, back, instance(size_of(1), {"t": s - t}))
    return for_all("s t A", cases(here, there, s, t), event("A"))


@proof
def variation_in_the_mean(statement: All) -> Theorem:
    """Twice what an event tells in a round is a bounded function up to the distance of the means."""
    at, goal = tuple(map(var, "iz")), statement.then
    A = app("A", *at, var("x"))
    worths = [app(name, *at, 0) / app(name, *at, 1) for name in ("worth", "worth_prime")]
    is_event = for_all("x", instance(assume(goal.given[0])))  # type: ignore[union-attr]
    near = instance(distance(), {"s": worths[0], "t": worths[1], "A": fn("x", A)}, is_event)
    told = near.conclusion.args[0]  # type: ignore[union-attr]
    below = for_all("i z", auto(le(2 * told, size(worths[0] - worths[1])), near))
    totals = instance(assume(statement.given[-1]), {"g": fn("i z", 2 * told)}, below)
    return auto(goal.then, totals)  # type: ignore[union-attr]


def of_normal_laws(body: Callable[[All], Theorem]) -> Callable[[All], Theorem]:
    """The proof about all laws N(s) that are as far apart as these, for a statement about these."""

    @proof
    @wraps(body)
    def theorem(statement: All) -> Theorem:
        premises = half_squares(of_mean), half_distances(of_mean)
        general = named(statement)
        assert isinstance(general, All)
        known = proof(body)(All(("N", *general.params), (*premises, *general.given), general.then))
        return instance(known, {"N": UNIT_NORMAL}, squares(), distances())

    return theorem


def named(f: Any) -> Any:
    """The formula or term with the name N(s) for the laws N(s, 1)."""
    if isinstance(f, All):
        return All(f.params, tuple(map(named, f.given)), named(f.then))
    if isinstance(f, Rel):
        return Rel(f.op, tuple(map(named, f.args)))
    if f.op == "mix" and f.args[1] == gaussian(1):
        return of_mean(named(inside(inside(f)[1])[0].args[0]))
    return Term(f.op, tuple(named(a) if isinstance(a, Term) else a for a in f.args))
