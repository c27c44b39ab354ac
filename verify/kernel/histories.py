"""Histories along a sequence of arms, what a policy is told and says, and sums over actions and places of lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.meanings import function_of, own_names, sum_of, there_is
from banditproof.verify.kernel.policies import Policy, is_arm, processed_tables, same_actions, tables, the_same
from banditproof.verify.kernel.rules import eq, le, lt, nat
from banditproof.verify.kernel.terms import All, Formula, Term, var


def history_is_told() -> Formula:
    """What a policy goes by is its history, H_t = (a_1, r_1, ..., a_t, r_t): the arms of which it was told the rewards,
    and these."""
    own_names("z", "a", "q", "r")
    z, a, q, r = map(var, "zaqr")
    told = eq(function_of("told", function_of("after", z, a, q, r)), one_round_more(function_of("told", z), q, r))
    return All(("z", "a", "q", "r"), (), told)


def told_histories() -> tuple[Formula, Formula]:
    """The same, from the first round on, before which the history is empty."""
    empty = var("empty")
    return eq(function_of("told", empty), empty), history_is_told()


def one_round_more(history: Any, arm: Any, reward: Any) -> Term:
    """The history with this arm and this reward behind it."""
    return function_of("pair", function_of("pair", history, arm), reward)


def last_action_is_kept() -> Formula:
    """The actions tell the last one: every function g(o, a) of the actions o and one more, a, is one of what they are
    together, G(pair(o, a))."""
    own_names("g", "o", "a")
    o, a = var("o"), var("a")
    same = All(("o", "a"), (), eq(function_of("G", function_of("pair", o, a)), function_of("g", o, a)))
    return All(("g",), (), there_is(("G",), same))


def acts(history: Any) -> Term:
    """The actions of a history."""
    return function_of("acts", history)


def history_tells_actions() -> Formula:
    """The actions of a history with a round more are those before and the new one."""
    own_names("h", "a", "r")
    h, a, r = map(var, "har")
    return All(("h", "a", "r"), (), eq(acts(one_round_more(h, a, r)), function_of("pair", acts(h), a)))


def histories_along(name: str, rewards: str, T: Any) -> tuple[Formula, Formula]:
    """name(0), ..., name(T) are the histories of the arms letter(0), ..., letter(T - 1) with the rewards of a list."""
    own_names("i")
    i = var("i")
    longer = one_round_more(function_of(name, i), function_of("letter", i), function_of(rewards, i))
    first = eq(function_of(name, 0), function_of("told", var("empty")))
    return first, All(("i",), (nat(i), lt(i, T)), eq(function_of(name, i + 1), longer))


def sum_along(name: str, value: Callable[[Any], Any], T: Any, K: Any, *of: Term) -> tuple[Formula, Formula]:
    """name(t, o) is the sum of value(a) over the t actions o, for arms a and t <= T; of what it is stands before t."""
    own_names("i", "o", "a")
    i, o, a = var("i"), var("o"), var("a")
    longer = function_of(name, *of, i + 1, function_of("pair", o, a))
    step = eq(longer, function_of(name, *of, i, o) + value(a))
    first = eq(function_of(name, *of, 0, function_of("said", var("empty"))), 0)
    return first, All(("i", "o", "a"), (nat(i), lt(i, T), *is_arm(a, K)), step)


def plays_along(T: Any, K: Any) -> tuple[Formula, ...]:
    """plays(b, t, o) is how often the arm b is among the t actions o, for arms and t <= T."""
    own_names("b")
    b = var("b")
    counted = sum_along("plays", lambda a: the_same(a, b), T, K, b)
    return tuple(All(("b",), is_arm(b, K), f) for f in counted)


def one_of(policies: Callable[..., Term], name: str = "theta") -> Policy:
    """The policy with this name of a class."""
    return lambda i, h: policies(var(name), i, h)


def closed_under_queries(policies: Callable[..., Term], T: Any, K: Any) -> All:
    """What queries make of a policy of a class is in the class: on all tables one of them has the same law of actions.

    Queries make of pi the policy pi^B, for every adversary B that asks for arms.
    """
    own_names("theta", "twin", "adversary", "table", "A", "x")
    asked, alone = (inputs(one_of(policies, n), T, K) for n, inputs in (("theta", processed_tables), ("twin", tables)))
    same = same_actions(("table",), (), alone.laws[0], asked.laws[0])
    return All(("theta", "adversary"), asked.given[-2:], there_is(("twin",), same))


def agree_but_at(t: Any, T: Any) -> tuple[Formula, ...]:
    """Two lists of T rewards are the same in all rounds before t and in all rounds after it."""
    i, alike = var("i"), eq(function_of("rewards", var("i")), function_of("others", var("i")))
    return All(("i",), (nat(i), lt(i, t)), alike), All(("i",), (nat(i), lt(t, i), lt(i, T)), alike)


def distance_of_neighbours(T: Any) -> All:
    """Lists that are the same but in a round t have d_Ham <= 1."""
    t = var("t")
    return All(("rewards", "others", "t"), (nat(t), lt(t, T), *agree_but_at(t, T)), le(apart_in(T), 1))


def neighbours_by_distance(T: Any) -> All:
    """Lists with d_Ham <= 1 are the same but in some round t."""
    t = var("t")
    found = there_is(("t",), nat(t), lt(t, T), *agree_but_at(t, T))
    return All(("rewards", "others"), (le(apart_in(T), 1),), found)


def apart_in(T: Any) -> Term:
    """d_Ham(r, r'): in how many of the rounds i < T two lists have different rewards."""
    return sum_of(lambda i: 1 - the_same(function_of("rewards", i), function_of("others", i)), T)
