"""What a policy is, what it plays on lists, tables and trees of rewards and under queries, and what keeps it private.

A run is a point: ``after(z, a, q, r)`` is the run z and then a round in which the policy played a, and was told of the
arm q the reward r. Of a run, ``said(z)`` are the actions that are published and ``told(z)`` is the history that the
policy goes by. Nothing else is known of these maps, nor has it to be, unless ``actions_are_kept`` says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from banditproof.verify.kernel.divergences import renyi_at_most
from banditproof.verify.kernel.meanings import binding, close, event, exp, function_of, log, neighbours, own_names
from banditproof.verify.kernel.rules import eq, le, lt, mean, nat
from banditproof.verify.kernel.terms import All, Formula, Rel, Term, free_in, substitute, term, var

Policy = Callable[..., Term]
Answer = Callable[[Term, Term, Term], tuple[Any, Any]]
"""What the policy is told in round i, after the actions o before it and its action a: an arm and a reward of it."""


def actions(pi: Policy, T: Any, answer: Answer) -> Term:
    """The law of the actions of the rounds 0 .. T - 1: pi draws a after the history, and is told the answer."""
    i, z, a = var("i"), var("z"), var("a")
    said = function_of("said", z)
    with binding("i", "z", "a"):
        arm, heard = pi(i, function_of("told", z)), answer(i, said, a)
    step = Term("mix", (("a",), arm, Term("dirac", (function_of("after", z, a, *heard),))))
    runs = Term("steps", (("i", "z"), term(T), var("empty"), step))
    return Term("mix", (("z",), runs, Term("dirac", (said,))))


def is_arm(a: Any, K: Any) -> tuple[Rel, ...]:
    """The arms are 0 .. K - 1; where there is no K, any point is an action."""
    return () if K is None else (nat(a), lt(a, K))


def plays_arms(pi: Policy, K: Any) -> Formula:
    """After every history the policy plays one of its K arms: an event without arms has the probability 0."""
    i, h, a = var("i"), var("h"), var("a")
    with binding("i", "h", "A", "x"):
        law = pi(i, h)
    without = All(("a",), is_arm(a, K), eq(function_of("A", a), 0))
    return All(("i", "h", "A"), (event("A"), without), eq(mean("x", law, function_of("A", var("x"))), 0))


def single_outcomes(M: Callable[[Any], Term], K: Any, epsilon: Any) -> All:
    """The probability of each of the outcomes 0 .. K - 1 is at most e^epsilon times that of a neighbour."""
    d, e, a = var("d"), var("e"), var("a")
    with binding("d", "e", "a", "x"):
        here, there = (mean("x", law, the_same(var("x"), a)) for law in (M(d), M(e)))
    return All(("d", "e", "a"), (neighbours(d, e), *is_arm(a, K)), le(here, exp(epsilon) * there))


def said_is_kept() -> Formula:
    """What a policy has said after a round are its actions before and the new one."""
    own_names("z", "a", "q", "r")
    z, a, q, r = map(var, "zaqr")
    said = eq(function_of("said", function_of("after", z, a, q, r)), function_of("pair", function_of("said", z), a))
    return All(("z", "a", "q", "r"), (), said)


def actions_are_kept() -> tuple[Formula, ...]:
    """What a policy has said after a round are its actions before and the new one, and both can be read off a pair."""
    own_names("x", "a", "y", "b")
    x, a, y, b = map(var, "xayb")
    same = eq(function_of("pair", x, a), function_of("pair", y, b))
    return said_is_kept(), *(All(("x", "a", "y", "b"), (same,), f) for f in (eq(x, y), eq(a, b)))


def the_same(a: Any, b: Any) -> Term:
    """1 where a = b, else 0."""
    return Term("ind", (term(a), term(b))) * Term("ind", (term(b), term(a)))


# ------------------------------------------------------------------------------------------------ neighbouring inputs


@dataclass(frozen=True)
class Inputs:
    """Every two neighbouring inputs: what they are called, that they are neighbours, and the laws of the actions."""

    names: tuple[str, ...]
    given: tuple[Formula, ...]
    laws: tuple[Term, Term]


def differ_in_round_j(
    T: Any, equal: Callable[[Term], tuple[tuple[str, ...], tuple[Formula, ...], Formula]]
) -> tuple[Formula, ...]:
    """Inputs are equal in all of the rounds 0 .. T - 1 but, maybe, j."""
    i, j = var("i"), var("j")
    own_names("i", "j")
    names, given, same = equal(i)
    before, behind = (nat(i), lt(i, j)), (nat(i), lt(j, i), lt(i, T))
    return tuple(All(("i", *names), (*when, *given), same) for when in (before, behind))


def is_round(T: Any) -> tuple[Formula, ...]:
    """j is one of the rounds 0 .. T - 1."""
    return nat(var("j")), lt(var("j"), T)


def from_list(rewards: str) -> Answer:
    """The reward at the place of the round in a list, whatever is played."""
    return lambda i, o, a: (a, function_of(rewards, i))


def from_table(table: str) -> Answer:
    """The reward in a table of the arm that is played."""
    return lambda i, o, a: (a, function_of(table, i, a))


def from_tree(tree: str) -> Answer:
    """What an adversary feeds after the actions so far."""
    return lambda i, o, a: (a, function_of(tree, i, o, a))


def from_queries(table: str) -> Answer:
    """The reward in a table of the arm for which an adversary asks after the actions so far."""

    def told(i: Term, o: Term, a: Term) -> tuple[Term, Term]:
        asked = function_of("adversary", i, o, a)
        return asked, function_of(table, i, asked)

    return told


def on_list(pi: Policy, T: Any, rewards: str) -> Term:
    """View: the law of the actions of a policy that is told the reward at its place in a list, whatever it plays."""
    return actions(pi, T, from_list(rewards))


def on_table(pi: Policy, T: Any, table: str) -> Term:
    """Table: the law of the actions of a policy that is told the reward of the arm that it plays in a table."""
    return actions(pi, T, from_table(table))


def on_tree(pi: Policy, T: Any, tree: str) -> Term:
    """The law of the actions of a policy that is told what an adversary feeds to it after the actions so far."""
    return actions(pi, T, from_tree(tree))


def differing_lists(T: Any) -> tuple[Formula, ...]:
    """Two lists of rewards differ in place j at most."""
    return differ_in_round_j(T, lambda i: ((), (), eq(function_of("rewards", i), function_of("others", i))))


def lists(pi: Policy, T: Any) -> Inputs:
    """View: two lists of rewards that differ in one place."""
    laws = on_list(pi, T, "rewards"), on_list(pi, T, "others")
    return Inputs(("rewards", "others", "j"), (*is_round(T), *differing_lists(T)), laws)


def differing_tables(T: Any, K: Any) -> tuple[Formula, ...]:
    """Two tables of rewards differ in row j at most."""
    a = var("a")

    def equal(i: Term) -> Any:
        return ("a",), is_arm(a, K), eq(function_of("table", i, a), function_of("changed", i, a))

    return differ_in_round_j(T, equal)


TABLES = ("table", "changed")


def tables(pi: Policy, T: Any, K: Any) -> Inputs:
    """Table: two tables of rewards that differ in one row."""
    return Inputs(
        (*TABLES, "j"), (*is_round(T), *differing_tables(T, K)), (on_table(pi, T, "table"), on_table(pi, T, "changed"))
    )


def differing_trees(T: Any, K: Any) -> tuple[Formula, ...]:
    """Two trees of rewards, by the actions so far, differ in round j at most."""
    o, a = var("o"), var("a")

    def equal(i: Term) -> Any:
        return ("o", "a"), is_arm(a, K), eq(function_of("left", i, o, a), function_of("right", i, o, a))

    return differ_in_round_j(T, equal)


def challenge_from(K: Any, table: str) -> Formula:
    """In the challenge round j the right tree has the rewards of a table."""
    o, a, j = var("o"), var("a"), var("j")
    return All(("o", "a"), is_arm(a, K), eq(function_of("right", j, o, a), function_of(table, j, a)))


def told_on_side(side: str) -> Answer:
    """What a reward-feeding adversary answers: of its pairs (left, right) the left reward, and on the side "right" the
    right one in the challenge round j."""

    def fed(i: Term, o: Term, a: Term) -> tuple[Term, Term]:
        challenge = the_same(i, var("j"))
        left, right = (function_of(name, i, o, a) for name in ("left", "right"))
        return a, left if side == "left" else challenge * right + (1 - challenge) * left

    return fed


def adaptive_release(pi: Policy, T: Any, first: str = "left", second: str = "right") -> Inputs:
    """Adaptive continual release: the views of a reward-feeding adversary on the two sides, for every challenge j."""
    laws = tuple(actions(pi, T, told_on_side(side)) for side in (first, second))
    return Inputs(("left", "right", "j"), is_round(T), laws)  # type: ignore[arg-type]


def differ_in_the_challenge_only() -> Formula:
    """In all rounds i but j both sides are told the same reward, after all actions o and a."""
    i, j, o, a = var("i"), var("j"), var("o"), var("a")
    left, right = (told_on_side(side)(i, o, a)[1] for side in ("left", "right"))
    return All(("left", "right", "j", "i", "o", "a"), (lt(0, (i - j) * (i - j)),), eq(right, left))


def trees(pi: Policy, T: Any, K: Any) -> Inputs:
    """Two trees of rewards, which a policy is told after the actions so far: they differ in the depth j at most."""
    return Inputs(
        ("left", "right", "j"),
        (*is_round(T), *differing_trees(T, K)),
        (on_tree(pi, T, "left"), on_tree(pi, T, "right")),
    )


def queries(pi: Policy, T: Any, K: Any) -> Inputs:
    """Interactive: the policy is told the reward of the arm that an adversary asks for after the actions so far."""
    return _asked(pi, T, K, TABLES, differing_tables(T, K), from_queries)


def processed_tables(pi: Policy, T: Any, K: Any) -> Inputs:
    """Table, of pi^B for every adversary B: it gets the reward of the arm that it plays, and hands it to pi as that of
    the arm for which B asks after the actions so far."""
    return _asked(pi, T, K, TABLES, differing_tables(T, K), lambda t: _of_asked(from_table(t)))


def fed_queries(pi: Policy, T: Any, K: Any) -> Inputs:
    """Interactive, with an adversary that chooses arm and reward of each round after the actions so far."""
    return _asked(pi, T, K, ("left", "right"), differing_trees(T, K), lambda t: _of_asked(from_tree(t)))


def _of_asked(answer: Answer) -> Answer:
    """The reward of an answer, told as that of the arm for which an adversary asks."""
    return lambda i, o, a: (function_of("adversary", i, o, a), answer(i, o, a)[1])


def _asked(
    pi: Policy, T: Any, K: Any, names: tuple[str, ...], given: tuple[Formula, ...], answer: Callable[[str], Answer]
) -> Inputs:
    """Every two rewards with these names, of which all that is given holds, and an adversary that asks for arms."""
    i, o, a = var("i"), var("o"), var("a")
    asked = function_of("adversary", i, o, a)
    arms = (All(("i", "o", "a"), (nat(i), lt(i, T), *is_arm(a, K)), f) for f in is_arm(asked, K))
    laws = (actions(pi, T, answer(t)) for t in names)
    return Inputs((*names, "j", "adversary"), (*is_round(T), *given, *arms), (*laws,))  # type: ignore[arg-type]


def random_queries(pi: Policy, T: Any, K: Any) -> Inputs:
    """Interactive, with an adversary that tosses coins of any law before it starts, and asks by them too."""
    i, o, a = var("i"), var("o"), var("a")
    return _asked_with_coins(pi, T, K, "asker", i, o, a)


def heedless_users(pi: Policy, T: Any, K: Any) -> Inputs:
    """Users who do not follow the policy: the one of round i hears what it played, and takes an arm by coins too."""
    return _asked_with_coins(pi, T, K, "chosen", var("i"), var("a"))


def _asked_with_coins(pi: Policy, T: Any, K: Any, asker: str, *heard: Term) -> Inputs:
    """The policy is told of the arm that somebody takes who goes by coins of any law and by what is heard."""
    i, a = var("i"), var("a")
    asked = function_of(asker, var("coin"), *heard)
    names = "coin", *(t.args[0] for t in heard)

    def answer(table: str) -> Answer:
        def told(i: Any, o: Any, a: Any) -> tuple[Term, Term]:
            arm = substitute(asked, {"i": i, "o": o, "a": a})
            return arm, function_of(table, i, arm)

        return told

    arms = (All(names, (nat(i), lt(i, T), *is_arm(a, K)), f) for f in is_arm(asked, K))
    laws = (Term("mix", (("coin",), Term("law", ("seeds",)), actions(pi, T, answer(t)))) for t in TABLES)
    return Inputs((*TABLES, "j", asker, "seeds"), (*is_round(T), *differing_tables(T, K), *arms), (*laws,))  # type: ignore[arg-type]


# ---------------------------------------------------------------------------------------------- one input, one sequence


def same_actions(names: tuple[str, ...], given: tuple[Formula, ...], first: Term, second: Term) -> Formula:
    """The two laws of actions are the same: every function A of them has the same mean, every event as one."""
    A = function_of("A", var("x"))
    return All((*names, "A"), given, eq(mean("x", first, A), mean("x", second, A)))


def product_formula(pi: Policy, T: Any, K: Any, answer: Answer) -> tuple[Formula, ...]:
    """product(t, o) is pi(a_0) pi(a_1 | ...) ... for the t actions o, by the history that the answers make of them.

    past(t, o) is the run with the actions o. Both are defined by induction over the rounds.
    """
    i, o, a = var("i"), var("o"), var("a")
    own_names("i", "o", "a", "b")
    start, longer = function_of("said", var("empty")), function_of("pair", o, a)
    before, history = function_of("past", i, o), function_of("told", function_of("past", i, o))
    played = mean("b", pi(i, history), the_same(var("b"), a))
    each = (
        eq(function_of("past", i + 1, longer), function_of("after", before, a, *answer(i, o, a))),
        eq(function_of("product", i + 1, longer), function_of("product", i, o) * played),
    )
    first = eq(function_of("past", 0, start), var("empty")), eq(function_of("product", 0, start), 1)
    return (*first, *(All(("i", "o", "a"), (nat(i), lt(i, T), *is_arm(a, K)), f) for f in each))


def product_of(T: Any, o: Any) -> Term:
    """The product of the probabilities of the T actions o."""
    return function_of("product", T, o)


def sum_over_sequences(T: Any, K: Any, body: Callable[[Term], Any]) -> Term:
    """The sum over all sequences y of T arms: K^T times the mean, for arms that are drawn uniformly."""
    h, b = var("h"), var("b")
    with binding("y"):
        summand = body(var("y"))
    step = Term("mix", (("b",), Term("law", ("Unif", term(K))), Term("dirac", (function_of("pair", h, b),))))
    drawn = Term("steps", (("i", "h"), term(T), function_of("said", var("empty")), step))
    return power(K, T) * mean("y", drawn, summand)


def outputs(pi: Policy, T: Any, K: Any, inputs: tuple[str, ...], answer: Answer) -> Formula:
    """The actions have the law with the product formula: of every function of them (every event as one) the mean."""

    def A(y: Term) -> Term:
        return function_of("A", y)

    law = mean("x", actions(pi, T, answer), A(var("x")))
    formula = sum_over_sequences(T, K, lambda y: A(y) * product_of(T, y))
    return All((*inputs, "past", "product", "A"), product_formula(pi, T, K, answer), eq(law, formula))


def adds_up(pi: Policy, T: Any, K: Any, inputs: tuple[str, ...], answer: Answer) -> Formula:
    """The products of all sequences of arms add up to 1."""
    total = sum_over_sequences(T, K, lambda y: product_of(T, y))
    return All((*inputs, "past", "product"), product_formula(pi, T, K, answer), eq(total, 1))


def strategy_outputs(sampling: Policy, recommending: Policy, T: Any, inputs: str, answer: Answer) -> Formula:
    """Probability of sampling letter(0), ..., letter(T - 1), then `top`, which stops, and of recommending `guess`.

    It is odds(T), the product of the probabilities of the letters by the history of each, times those of stopping and
    of recommending by the whole history, path(i) being the run with the first i letters. None of the letters stops, so
    what the strategy would draw after it has stopped is no part of the event.
    """
    i, z, a, b, top, guess = map(var, ("i", "z", "a", "b", "top", "guess"))
    own_names("i", "z", "a", "b")
    arm, run = function_of("letter", i), function_of("path", i)
    begins = eq(function_of("word", 0), function_of("said", var("empty")))

    def chance(one: Policy, round: Any, run: Term, of: Term) -> Term:
        return mean("b", one(round, function_of("told", run)), the_same(b, of))

    each = (
        eq(function_of("path", i + 1), function_of("after", run, arm, *answer(i, function_of("word", i), arm))),
        eq(function_of("odds", i + 1), function_of("odds", i) * chance(sampling, i, run, arm)),
    )
    first = eq(function_of("path", 0), var("empty")), eq(function_of("odds", 0), 1)
    steps = (All(("i",), (nat(i), lt(i, T)), f) for f in each)
    said, history = function_of("A", function_of("said", z)), function_of("told", z)
    stopped = mean(
        "a", sampling(T, history), mean("b", recommending(T, history), the_same(a, top) * the_same(b, guess))
    )
    runs = actions(sampling, T, answer).args[1]
    whole = function_of("path", T)
    formula = function_of("odds", T) * chance(sampling, T, whole, top) * chance(recommending, T, whole, guess)
    given = (begins, starts(T), *first, *steps, *only(function_of("word", T)))
    names = (inputs, "letter", "word", "path", "odds", "top", "guess", "A")
    return All(names, given, eq(mean("z", runs, said * stopped), formula))


def in_all_rounds(T: Any, K: Any, says: Callable[[Term, Term, Term], Formula]) -> Formula:
    """What `says` says in all rounds i < T, after all actions o and of all arms a."""
    i, o, a = var("i"), var("o"), var("a")
    said = says(i, o, a)
    names = ("i", "o", "a") if "o" in free_in(said) else ("i", "a")
    return All(names, (nat(i), lt(i, T), *is_arm(a, K)), said)


def starts(T: Any) -> Formula:
    """word(0), ..., word(T) are the starts of the sequence with the actions letter(0), ..., letter(T - 1)."""
    i = var("i")
    longer = function_of("pair", function_of("word", i), function_of("letter", i))
    return All(("i",), (nat(i), lt(i, T)), eq(function_of("word", i + 1), longer))


def of_arms(T: Any, K: Any) -> tuple[Formula, ...]:
    """The actions letter(0), ..., letter(T - 1) are arms."""
    i = var("i")
    return tuple(All(("i",), (nat(i), lt(i, T)), f) for f in is_arm(function_of("letter", i), K))


def rewards_along(T: Any, rewards: str, of: Callable[[Term], Any]) -> Formula:
    """The list of the rewards of(i) in the rounds i < T."""
    i = var("i")
    return All(("i",), (nat(i), lt(i, T)), eq(function_of(rewards, i), of(i)))


def same_places_but_j(T: Any) -> Formula:
    """Two lists have the same rewards in all rounds i < T but j."""
    i, j = var("i"), var("j")
    given = nat(i), lt(i, T), lt(0, (i - j) * (i - j))
    return All(("i",), given, eq(function_of("rewards", i), function_of("others", i)))


def same_rows_but_j(T: Any, K: Any) -> Formula:
    """Two tables have the same rewards of all arms in all rounds i < T but j."""
    i, j, a = var("i"), var("j"), var("a")
    given = nat(i), lt(i, T), lt(0, (i - j) * (i - j)), *is_arm(a, K)
    return All(("i", "a"), given, eq(function_of("table", i, a), function_of("changed", i, a)))


def every(names: tuple[str, ...], given: tuple[Formula, ...], then: Formula) -> Formula:
    """Of all functions with these names of which all that is given holds: then."""
    return All(names, given, then)


def only(sequence: Term) -> tuple[Formula, ...]:
    """A is the event of one sequence."""
    x = var("x")
    own_names("x", "A")
    is_in = All(("x",), (eq(function_of("A", x), 1),), eq(x, sequence))
    return event("A"), eq(function_of("A", sequence), 1), is_in


def same_chance(names: tuple[str, ...], given: tuple[Formula, ...], T: Any, first: Term, second: Term) -> Formula:
    """Both laws give the sequence word(T) the same probability."""
    A = function_of("A", var("x"))
    one = only(function_of("word", T))
    return All((*names, "letter", "word", "A"), (*given, *one), eq(mean("x", first, A), mean("x", second, A)))


def close_on_one_sequence(inputs: Inputs, T: Any, K: Any, epsilon: Any, delta: Any = 0) -> Formula:
    """Every sequence of arms is (epsilon, delta)-close on neighbouring inputs."""
    given = (*inputs.given, starts(T), *of_arms(T, K), *only(function_of("word", T)))
    return All((*inputs.names, "letter", "word", "A"), given, close(*inputs.laws, epsilon, delta))


# ------------------------------------------------------------------------------------------------------------ privacy


def private_on(inputs: Inputs, epsilon: Any, delta: Any = 0) -> Formula:
    """(epsilon, delta)-DP: P(A) <= e^epsilon Q(A) + delta for the laws of all neighbouring inputs and all events A."""
    return All((*inputs.names, "A"), (*inputs.given, event("A")), close(*inputs.laws, epsilon, delta))


def neighbouring_histories() -> tuple[Formula, Formula]:
    """Histories that differ in the reward of one round are neighbours, and stay so as the same is told of both."""
    own_names("z", "y", "a", "r", "q")
    z, y, a, r, q = map(var, "zyarq")

    def told(run: Term, reward: Term) -> Term:
        return function_of("told", function_of("after", run, a, a, reward))

    differ = lt(0, (r - q) * (r - q))
    near = neighbours(function_of("told", z), function_of("told", y))
    return (
        All(("z", "a", "r", "q"), (differ,), neighbours(told(z, r), told(z, q))),
        All(("z", "y", "a", "r"), (near,), neighbours(told(z, r), told(y, r))),
    )


def private_one_by_one(pi: Policy, T: Any, K: Any, epsilon: Any) -> Formula:
    """Instantaneous DP: pi_i(a | h) <= e^epsilon pi_i(a | e) for all rounds, neighbouring histories h, e and arms a."""
    i, h, e, a, b = map(var, "iheab")
    with binding("i", "h", "e", "a", "b"):
        chances = [mean("b", pi(i, history), the_same(b, a)) for history in (h, e)]
    given = (nat(i), lt(i, T), neighbours(h, e), *is_arm(a, K))
    return All(("i", "h", "e", "a"), given, le(chances[0], exp(epsilon) * chances[1]))


def zcdp_on(inputs: Inputs, rho: Any) -> Formula:
    """rho-zCDP: D_alpha <= rho alpha for the laws of all neighbouring inputs and all alpha > 1."""
    alpha = var("order")
    given = (*inputs.given, lt(1, alpha))
    return All((*inputs.names, "order"), given, renyi_at_most(*inputs.laws, alpha, alpha * rho))


def power(base: Any, count: Any) -> Term:
    """base^count, for base > 0."""
    return exp(count * log(base))
