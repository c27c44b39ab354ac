"""A policy that tells which arm it has played by the scale of its reward, in a round in which it is told of one arm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.meanings import binding, close, event, function_of
from banditproof.verify.kernel.policies import TABLES
from banditproof.verify.kernel.terms import All, Formula, Term, term, var


def on_own_scales(leak: Any, told: Callable[[Term], Any]) -> Term:
    """The law of the actions (a_1, a_2) of a policy that plays one of the arms 0 and 1 by a coin, then what it is told.

    It hears told(b) of arm b and plays arm 1 with `leak` times the share that it reads. Either arm has two rewards of
    its own, a low and a high one: in (0, 1] and (1, 2] for arm 0, in (2, 3] and above 3 for arm 1. The share is 0 of a
    low one, 1 of a high one, and 1/2 of what is no reward of the arm that was played.
    """
    b, u = var("b"), var("u")
    with binding("b", "u"):
        r = term(told(b))
    share = (1 + (1 - b) * scale_of(r, 0) + b * scale_of(r, 1)) / 2
    second = Term("ind", (u, leak * share))
    answer = Term("mix", (("u",), Term("law", ("Unit",)), Term("dirac", (function_of("pair", b, second),))))
    return Term("mix", (("b",), Term("law", ("Unif", term(2))), answer))


def scale_of(r: Any, k: int) -> Term:
    """-1 of the low reward of arm k, 0 or 1, 1 of the high one and 0 of others."""
    zero, one, two, three = (Term("ind", (term(r), term(c))) for c in range(4))
    return zero + two - 2 * one if k == 0 else 1 + two - 2 * three


def scales_on_lists(leak: Any, epsilon: Any, delta: Any) -> Formula:
    """(epsilon, delta)-View DP of that policy: the first reward is r or t, and the second comes too late."""
    r, t = var("r"), var("t")
    first, second = on_own_scales(leak, lambda b: r), on_own_scales(leak, lambda b: t)
    return All(("r", "t", "A"), (event("A"),), close(first, second, epsilon, delta))


def scales_on_tables(leak: Any, epsilon: Any, delta: Any) -> Formula:
    """(epsilon, delta)-Table DP of that policy: the first rows are any two, and the second come too late."""
    first, second = (on_own_scales(leak, lambda b, t=t: function_of(t, b)) for t in TABLES)
    return All((*TABLES, "A"), (event("A"),), close(first, second, epsilon, delta))
