"""What an algorithm is that learns of rewards through noisy releases only, and what its privacy says.

It goes from release to release. After a history h, which is public, mechanism i releases y, a noisy statistic of the
rewards that enter this release; then the algorithm decides a, which is all that it does until the next release: whom it
plays, for how long, whether it ends. The history goes on with both. Which rewards enter a release is printed with most
algorithms (`releases_of_what_is_new`). Where it is not, it is assumed that a reward enters so many releases at most: a
model of an algorithm, and recorded runs say whether a program is one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.divergences import rdp, renyi_at_most, zcdp
from banditproof.verify.kernel.meanings import (
    binding,
    close,
    drawn,
    event,
    function_of,
    neighbours,
    own_names,
    sum_of,
    whatever_came_before,
)
from banditproof.verify.kernel.policies import (
    TABLES,
    Inputs,
    Policy,
    differing_lists,
    differing_tables,
    is_arm,
    is_round,
    the_same,
)
from banditproof.verify.kernel.rules import eq, le, lt, nat
from banditproof.verify.kernel.terms import All, Formula, Term, key, term, var
from banditproof.verify.kernel.variables import with_noise

Release = Callable[..., Term]
Statistic = Callable[[Term], Any]
Reading = Callable[[Any], Any]
Reward = Callable[[Term, Term], Any]
"""The reward of a round that the algorithm is told, by the round and the history that says what was played in it."""


def takes(h: Any, i: Any) -> Term:
    return function_of("takes", h, i)


def taken(h: Any, i: Any) -> Term:
    return function_of("taken", h, i)


def history(h: Any, y: Any, a: Any) -> Term:
    """The history h with the release y and the decision a behind it."""
    return function_of("pair", function_of("pair", h, y), a)


def releases_of_what_is_new() -> tuple[Formula, ...]:
    """A release is of the rewards of one stream since its last release. A stream is an arm, or all rounds: that of the
    round i is stream(h, i), it is the turn of turn(h), and now(h) and since(h, s) are the rounds at which releases end.
    """
    own_names("h", "i", "y", "a", "s")
    h, i, y, a, s = map(var, "hiyas")
    longer, turn, now = history(h, y, a), function_of("turn", h), function_of("now", h)

    def since(h: Any, s: Any) -> Term:
        return function_of("since", h, s)

    def stream(h: Any) -> Term:
        return function_of("stream", h, i)

    new, hit = _reached(i, since(h, turn)) * (1 - _reached(i, now)), the_same(s, turn)
    return (
        All(("h", "i"), (), eq(takes(h, i), the_same(stream(h), turn) * new)),
        All(("h", "s"), (), le(since(h, s), now)),
        All(("h", "y", "a", "s"), (), eq(since(longer, s), hit * now + (1 - hit) * since(h, s))),
        All(("h", "i", "y", "a"), (lt(i, now),), eq(stream(longer), stream(h))),
    )


def _reached(i: Any, start: Any) -> Term:
    return Term("ind", (start, term(i)))


def assumes_a_model(formula: All) -> bool:
    """Whether a statement is about releases, and leaves open which rewards enter them."""
    printed = {*map(key, releases_of_what_is_new())} <= {*map(key, formula.given)}
    return not printed and not {"takes", "taken"}.isdisjoint(formula.params)


def each_reward_at_most(L: Any) -> tuple[Formula, ...]:
    """A reward enters at most L releases, as in the nodes of a tree: `taken` counts those that it has entered."""
    own_names("h", "i", "y", "a")
    h, i, y, a = map(var, "hiya")
    return (
        All(("h", "i"), (), eq(takes(h, i) * takes(h, i), takes(h, i))),
        All(("i",), (), eq(taken(var("empty"), i), 0)),
        All(("h", "i"), (), le(taken(h, i), L)),
        All(("h", "i", "y", "a"), (), eq(taken(history(h, y, a), i), taken(h, i) + takes(h, i))),
    )


def published(M: Release, pi: Policy, k: Any, statistic: Statistic) -> Term:
    """The law of what an algorithm has said after k releases, of which M(i, h, .) makes number i after the history h.

    Its decisions are drawn from pi(i, .) after the history with the new release. Releases may be empty: those after
    the end of a run are.
    """
    i, h, y, a, z = map(var, "ihyaz")
    with binding("i", "h", "y", "a", "z"):
        release, decision = M(i, h, statistic(h)), pi(i, function_of("pair", h, y))
    step = Term("mix", (("y",), release, Term("mix", (("a",), decision, Term("dirac", (history(h, y, a),))))))
    runs = Term("steps", (("i", "h"), term(k), var("empty"), step))
    return Term("mix", (("z",), runs, Term("dirac", (function_of("said", z),))))


# ------------------------------------------------------------------------------------------------------- the releases


def each_hides_a_reward(M: Release, k: Any, epsilon: Any) -> Formula:
    """Each release of a sum is epsilon-DP: so close are those of two sums that differ by 1 at most."""
    with binding("i", "h", "q", "r", "A"):
        laws = _of_two_sums(M)
    names, given = _two_sums(k)
    return All((*names, "A"), (*given, event("A")), close(*laws, epsilon, 0))


def each_hides_a_reward_in_zcdp(M: Release, k: Any, rho: Any) -> Formula:
    """Each release of a sum is rho-zCDP: D_alpha <= alpha rho for two sums that differ by 1 at most."""
    alpha = var("order")
    with binding("i", "h", "q", "r", "order", "u"):
        laws = _of_two_sums(M)
    names, given = _two_sums(k)
    return All((*names, "order"), (*given, lt(1, alpha)), renyi_at_most(*laws, alpha, alpha * rho))


def each_hides_a_reward_in_rdp(M: Release, k: Any, alpha: Any, epsilon: Any) -> Formula:
    """Each release of a sum is (alpha, epsilon)-RDP: D_alpha <= epsilon for two sums that differ by 1 at most."""
    with binding("i", "h", "q", "r", "u"):
        laws = _of_two_sums(M)
    names, given = _two_sums(k)
    return All(names, given, renyi_at_most(*laws, alpha, epsilon))


def each_zcdp(M: Release, k: Any, rho: Any) -> Formula:
    """Each release is rho-zCDP, whatever came before it."""
    return whatever_came_before(k, lambda i, h: zcdp(lambda d: M(i, h, d), rho))


def each_rdp(M: Release, k: Any, alpha: Any, epsilon: Any) -> Formula:
    """Each release is (alpha, epsilon)-RDP, whatever came before it."""
    return whatever_came_before(k, lambda i, h: rdp(lambda d: M(i, h, d), alpha, epsilon))


def _of_two_sums(M: Release) -> tuple[Term, Term]:
    i, h, q, r = map(var, "ihqr")
    return M(i, h, q), M(i, h, r)


def _two_sums(k: Any) -> tuple[tuple[str, ...], tuple[Formula, ...]]:
    i, q, r = map(var, "iqr")
    return ("i", "h", "q", "r"), (nat(i), lt(i, k), le(q, r + 1), le(r, q + 1))


# ---------------------------------------------------------------------------------------------- neighbouring inputs


def blocks(M: Release, pi: Policy, k: Any) -> Inputs:
    """Two inputs that differ in round j: what a release is made of is the same on both, or neighbours if j enters it.

    The data that enter the release after h are `block(h)` on one side and `other(h)` on the other: they follow the
    public history, as the rewards do that an adversary feeds who sees it.
    """
    h, j = var("h"), var("j")
    one, two = function_of("block", h), function_of("other", h)
    same = All(("h",), (eq(takes(h, j), 0),), eq(one, two))
    near = All(("h",), (eq(takes(h, j), 1),), neighbours(one, two))
    laws = (published(M, pi, k, lambda h, side=side: function_of(side, h)) for side in ("block", "other"))
    return Inputs(("block", "other", "j"), (same, near), (*laws,))  # type: ignore[arg-type]


def sum_taken(T: Any, reward: Reward) -> Statistic:
    """The sum of the rewards of the rounds 0 .. T - 1 that enter the release after a history."""
    return lambda h: sum_of(lambda i: takes(h, i) * reward(i, h), T)


def rewards_listed(M: Release, pi: Policy, k: Any, T: Any) -> Inputs:
    """View: two lists of rewards in [0, 1] that differ in one place."""
    i = var("i")
    sides = ("rewards", "others")
    inside = (All(("i",), (nat(i), lt(i, T)), f) for side in sides for f in in_unit(function_of(side, i)))
    laws = (published(M, pi, k, sum_taken(T, lambda i, h, side=side: function_of(side, i))) for side in sides)
    return Inputs((*sides, "j"), (*is_round(T), *differing_lists(T), *inside), (*laws,))  # type: ignore[arg-type]


def noisy_phases(f: Callable[[Any], Term], noise: Term, k: Any, ends: Reading, T: Any) -> Inputs:
    """View: what f makes of the sums of k phases, each with noise; phase p is the rounds ends(p) <= i < ends(p + 1).

    The lists of rewards are in [0, 1] and differ in one place.
    """
    i, sides = var("i"), ("rewards", "others")

    def in_phase(p: Any, i: Any) -> Term:
        return Term("ind", (term(ends(p)), i)) * (1 - Term("ind", (term(ends(p + 1)), i)))

    def law(side: str) -> Term:
        return drawn(f, with_noise(lambda p: sum_of(lambda i: in_phase(p, i) * function_of(side, i), T), noise, k))

    unit = (All(("i",), (nat(i), lt(i, T)), f) for side in sides for f in in_unit(function_of(side, i)))
    return Inputs((*sides, "j"), (*is_round(T), *differing_lists(T), *unit), (law(sides[0]), law(sides[1])))


def rewards_asked_for(M: Release, pi: Policy, k: Any, T: Any, K: Any) -> Inputs:
    """Interactive: two tables of rewards in [0, 1] that differ in one row, and an adversary who asks for the arms.

    In round i he asks for the arm adversary(i, o, a), where o = earlier(h, i) are the actions before, and a = action(h,
    i) is the one of this round, as the history h tells.
    """
    i, h = var("i"), var("h")

    def asked(i: Any, h: Any) -> Term:
        return function_of("adversary", i, function_of("earlier", h, i), function_of("action", h, i))

    a = var("a")
    rounds = (nat(i), lt(i, T), *is_arm(a, K))
    arms = (All(("i", "h"), (nat(i), lt(i, T)), f) for f in is_arm(asked(i, h), K))
    inside = (All(("i", "a"), rounds, f) for side in TABLES for f in in_unit(function_of(side, i, a)))
    sums = (sum_taken(T, lambda i, h, side=side: function_of(side, i, asked(i, h))) for side in TABLES)
    laws = (published(M, pi, k, statistic) for statistic in sums)
    whole = (*is_round(T), *differing_tables(T, K), *arms, *inside)
    return Inputs((*TABLES, "j", "adversary"), whole, (*laws,))  # type: ignore[arg-type]


def in_unit(t: Term) -> tuple[Formula, ...]:
    """The number lies in [0, 1]."""
    return le(0, t), le(t, 1)


# ------------------------------------------------------------------------------------------------------------ privacy


def rdp_on(inputs: Inputs, alpha: Any, epsilon: Any) -> Formula:
    """(alpha, epsilon)-RDP: D_alpha <= epsilon for the laws of all neighbouring inputs."""
    return All(inputs.names, inputs.given, renyi_at_most(*inputs.laws, alpha, epsilon))
