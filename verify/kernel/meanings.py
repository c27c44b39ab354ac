"""What the words of a claim about all mechanisms and laws mean: each unfolds to its printed definition, and no further.

The words stand in the bodies of claims, the sorts in their signatures. Data sets, outputs, records and histories are
points of the kernel (``terms``): of any standard Borel space, so finite, countable, real or a sequence of such.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from banditproof.verify.kernel.rules import eq, le, lt, mean, nat
from banditproof.verify.kernel.terms import BINDERS, All, Formula, Refused, Rel, Term, inside, term, var

LawOf = Callable[[Any], Term]  # a law for each data set

BOUND = frozenset(
    "a b d e o q x y i j h r A g c t u v w z data order block other rewards others table changed adversary left right"
    " letter word past product mu top l t F G against attacker false_alarm missed gain loss size gained lost regret"
    " asker chosen seeds coin B tv U V common more less share split maximal rival price heads tails terms count"
    " constant logarithm plays twin above below base upper lower chances path odds guess rule allowed fixed advice"
    " draws named spent theta vector optimal rounds log_rounds since growth small alternative charge speed middle"
    " horizon shares rival_top duration game".split()
)
"""Names that are bound in what follows: no parameter of a claim may be called so, or it would be captured."""

WORDS = frozenset(["exp", "log", "E"])  # how printed statements call the functions and the mean

AMBIENT = {
    "near": "near(d, e) = 1: the data sets d and e are neighbours; nothing is assumed about the meaning of this word",
    "pair": "pair(h, y): the history h, followed by the output y",
    "empty": "the history before the first output",
    "first": "first(z): the first data set of the pair z",
    "second": "second(z): the second data set of the pair z",
    "R": "R(d, e): a law with respect to which M(d) and M(e) have densities",
    "density": "density(d, e, x): the density of M(d) with respect to R(d, e) at the output x",
    "other_density": "other_density(d, e, x): the density of M(e) with respect to R(d, e) at the output x",
    "distance": "distance(d, e): the number of records in which the data sets d and e differ",
    "way": "way(z, i): the data set after i of the steps to a neighbour that lead from first(z) to second(z)",
    "after": "after(z, a, q, r): the run z, then a round in which a is played and q and its reward r are observed",
    "said": "said(z): the actions of a policy in the run z",
    "record": "record(n, d, j): the record at place j of a data set d of n records",
    "replaced": "replaced(n, d, j, z): the data set d of n records with z at place j",
    "kept": "kept(r, j): 1 if the row at place j is among the rows r that a mechanism draws, else 0",
    "choice": "choice(b, x, y): x if b = 1 and y if b = 0",
    "heard": "heard(j, n, z): the history before round j in the run z of n rounds",
    "did": "did(j, n, z): the action in round j of a run z of n rounds",
    "mark": "mark(k, j, n, z): what is kept, under the number k, of round j in the run z of n rounds",
    "goes_with": "goes_with(T, n): 1 if n is the number n_T of a sequence of numbers",
    "earned": "earned(j, n, z, 0)/earned(j, n, z, 1): the reward of round j in the run z of n rounds",
    "base": "base(z): a law with respect to which the outputs of the game with the target z have densities",
    "inside": "inside(z, o): the density at the output o with respect to base(z) if b = 1",
    "outside": "outside(z, o): the same density if b = 0",
    "bit": "bit(x): 1 if the target was in the data set in the round x of a game, else 0",
    "answer": "answer(x): the guess of the adversary in the round x of a game",
    "code": "code(x): the name of the point x, to which maps are applied",
    "on_one": "on_one(z): the history with the first rewards of a run z that has two rewards in each round",
    "on_other": "on_other(z): the history with the second rewards of a run z that has two rewards in each round",
    "told": "told(z): the history that a policy has observed in the run z",
    "pulled": "pulled(i, z, a): how often the arm a was played in the i episodes of the run z",
    "begins": "begins(i, z): the round in which episode i begins, after the run z; the first round is 1",
    "released": "released(i, z, a, 0)/released(i, z, a, 1): what was released after the last episode of the arm a",
    "mean_so_far": "mean_so_far(i, z, a, 0)/mean_so_far(i, z, a, 1): the mean of the rewards of a in the i rounds of z",
    "in_time": "in_time(i, z, a): how often the arm a was played in the rounds 1 .. T of the i episodes of the run z",
    "second_log": "second_log(i, z, a): log(4 + log N) for the N rewards of the arm a in the i rounds of z",
    "phase_length": "phase_length(k): how many rewards phase k of an arm has",
    "phase_label": "phase_label(k): log2 of that, plus 2, or more",
    "phase_log": "phase_log(k): log(4 + log of that), or more",
    "summed": "summed(z, a, k, 0)/summed(z, a, k, 1): the sum of the noise of the rewards of phase k of the arm a",
    "masked": "masked(z, a, k, 0)/masked(z, a, k, 1): what is added to the mean of the rewards of phase k of the arm a",
    "weight_of": "weight_of(k, o): the weight of C_G for phase k of one arm and phase o of another one",
    "rest_of": "rest_of(k, o): 1 less this weight",
    "series_of": "series_of(k, o): zeta at twice this weight",
    "height_of": "height_of(k): h of phase k, or more",
    "root_of": "root_of(k): the root of 2 h/n for the n rewards of phase k",
    "stopped": "stopped(z): 1 if the strategy stops, else 0",
    "recommended": "recommended(z): the arm that it names then",
    "phase_of": "phase_of(z, a): the last phase that the arm a has completed when it stops",
    "half_width": "half_width(i, z, a): what the index of the arm a adds to what was released",
    "largest_mean": "largest_mean(p, c): the largest q with kl(p, q) <= c",
    "optimistic": "optimistic(i, z, a): the index of the arm a after the i rounds of the run z",
    "takes": "takes(h, i): 1 if the reward of round i enters the release that follows the history h, else 0",
    "taken": "taken(h, i): 1 if the reward of round i has entered a release of the history h, else 0",
    "stream": "stream(h, i): the stream of which round i is, as the history h tells; for one, its arm",
    "turn": "turn(h): the stream of whose rewards the release is that follows the history h",
    "now": "now(h): the round before which this release is made",
    "since": "since(h, s): the round before which the last release of the stream s was made, in the history h",
    "earlier": "earlier(h, i): the actions before round i in the history h",
    "member": "member(a, theta): 1 if the law with the name theta belongs to the class of arm a",
    "belongs": "belongs(code): 1 if the bandit with the code belongs to the class",
    "of_bandit": "of_bandit(code, a): the name of the law of arm a of the bandit with the code",
    "coordinate": "coordinate(a, i): the entry i of the action a, which is a vector",
    "divisor": "divisor(a): entry i of a vector that need not be bounded is coordinate(a, i)/divisor(a)",
    "until": "until(t, n, z): the first t rounds of a run z of n rounds",
    "inverse": "inverse(t, z, i, j): the entries of the inverse of the regularised design of a run z of t rounds",
    "columns": "columns(t, z, i, j)/large(t, z): what makes this design triangular, by its columns",
    "minors": "minors(t, z, k)/large(t, z): the product of the first k pivots of this design",
    "hidden": "hidden(t, z, i)/large(t, z): entry i of the noise that is added to the sums of a run z of t rounds",
    "row": "row(i, n, y): row i of a table y of n rows, each of which is a run of draws",
    "with_row": "with_row(y, w): the table y, followed by the row w",
    "updates": "updates(t, z): how often noise was drawn in the run z of t rounds",
    "marked": "marked(t, z, 0)/marked(t, z, 1): log(det V/ridge^d) at the last update in the run z of t rounds",
    "last": "last(s, t, z): the rounds before the estimate was made that round s of the run z of t rounds goes by",
    "best_of": "best_of(s, t, z, i)/large(t, z): entry i of a best vector in round s of the run z of t rounds",
    "norm_of": "norm_of(s, t, z, k)/large(t, z): the norm of the best vector for k = 0, of that of round s for k = 1",
    "large": "large(t, z): a number that makes these quotients of bounded ones",
    "action": "action(h, i): the action of round i in the history h",
    "samples": "samples(m, n): 1 if n is the number n_m of samples beside m noise terms, else 0",
    "acts": "acts(h): the actions of the history h",
    "mixed_columns": "mixed_columns(s, i, r): what is added to column r, a share s of the weights being moved",
    "mixed_minors": "mixed_minors(s, k): the product of the first k pivots of that design",
    "played_root": "played_root(i, z, a): the root of the probability of the arm a after the i rounds of the run z",
    "estimated": "estimated(i, z, a, 0)/estimated(i, z, a, 1): the sum of the estimated losses of a in the run z",
    "entry": "entry(j, i, coins): the sign of coin j of a sequence of i coins",
}
"""Names of which nothing is known; a statement is for all that they may be."""


_BOUND_AROUND: list[str] = []


def own_names(*names: str) -> None:
    """Raise Refused where a word that binds these names stands inside a word that binds one of them."""
    if again := sorted({*names} & {*_BOUND_AROUND}):
        raise Refused(f"a word inside another word would capture the name {again[0]}: give the inner word a name first")


@contextmanager
def binding(*names: str) -> Iterator[None]:
    """While a word asks what it was given about names that it binds: a word inside would bind the same name again."""
    own_names(*names)
    _BOUND_AROUND.extend(names)
    try:
        yield
    finally:
        del _BOUND_AROUND[-len(names) :]


def function_of(name: str, *points: Any) -> Term:
    return Term("app", (name, *map(term, points)))


def _law(name: str) -> Callable[..., Term]:
    return lambda *points: Term("law", (name, *map(term, points)))


@dataclass(frozen=True)
class Sort:
    """What a parameter of a claim may be: how its body uses the name, and what is known of it."""

    symbol: Callable[[str], Any]
    given: Callable[[str], list[Formula]] = lambda name: []
    is_sequence: bool = False  # of numbers that need not be bounded


def _budgets(name: str) -> list[Formula]:
    return [All(("i",), (nat(var("i")),), le(0, function_of(name, var("i"))))]


@dataclass(frozen=True)
class Quotient:
    """A real function f: a quotient of two bounded ones, f(t) = f(t, 0)/f(t, 1), the second above 0."""

    name: str

    def at(self, *t: Any) -> Term:
        """f(t)."""
        return function_of(self.name, *t, 0) / function_of(self.name, *t, 1)

    def at_least(self, value: Any, t: Any) -> Rel:
        """value <= f(t)."""
        return le(value * function_of(self.name, t, 1), function_of(self.name, t, 0))


def _scales(*points: str) -> Callable[[str], list[Formula]]:
    return lambda name: [All(points, (), lt(0, function_of(name, *map(var, points), 1)))]


SORTS: dict[str, Sort] = {
    "every mechanism, a law of outputs for each data set": Sort(_law),
    "every sequence of mechanisms": Sort(_law),
    "every sequence of mechanisms, each of which gets the outputs before it": Sort(_law),
    "every randomised function of outputs": Sort(_law),
    "every coupling, a law of the second reward for each arm and first reward": Sort(_law),
    "every policy, a law of arms in each round after each history": Sort(_law),
    "every class of policies, each with a name": Sort(_law),
    "every bandit, a law of rewards for each arm": Sort(_law),
    "every family of laws, one for each mean": Sort(_law),
    "every sequence of laws": Sort(_law),
    "every convex function on (0, inf)": Sort(Quotient, _scales("t")),
    "every real function": Sort(lambda name: Quotient(name).at, _scales("t")),
    "every sequence of real functions": Sort(lambda name: Quotient(name).at, _scales("t", "i")),
    "every law of what comes next, given what was before": Sort(_law),
    "every set of laws, each with a name": Sort(_law),
    "every law": Sort(lambda name: _law(name)()),
    "every real random variable": Sort(lambda name: _law(name)()),
    "every sequence of real random variables": Sort(_law),
    "every sequence of numbers": Sort(lambda name: lambda i: function_of(name, i), is_sequence=True),
    "every matrix": Sort(lambda name: lambda i, j: function_of(name, i, j), is_sequence=True),
    "every sequence of numbers of at least 0": Sort(lambda name: lambda i: function_of(name, i), _budgets, True),
}


def exp(t: Any) -> Term:
    """The exponential function."""
    return Term("exp", (term(t),))


def log(t: Any) -> Term:
    """The natural logarithm."""
    return Term("log", (term(t),))


def sum_of(body: Callable[[Term], Any], count: Any, name: str = "j") -> Term:
    """The sum of body(j) over j = 0 .. count - 1: count times its mean for j, by whichever name, uniform on these."""
    with binding(name):
        summand = body(var(name))
    return term(count) * mean(name, Term("law", ("Unif", term(count))), summand)


def size(t: Term) -> Term:
    """|t|."""
    return t * (2 * Term("ind", (term(0), t)) - 1)


def chance(event: Callable[[Term], tuple[Any, Any]], law: Term) -> Term:
    """The probability of left <= right, which `event` gives at x, where x has the law."""
    with binding("x"):
        left, right = event(var("x"))
    happens = Term("ind", (term(left), term(right)))
    if "x" in _bound_in(happens):
        raise Refused("a chance in a chance: the outer outcome would be taken for the inner one")
    return mean("x", law, happens)


def _bound_in(t: Term) -> set[str]:
    """The names that something in a term binds."""
    own = set(t.args[0]) if t.op in BINDERS else set()
    return own.union(*map(_bound_in, inside(t)))


def when(*premises: Formula, then: Any) -> Formula:
    """If all premises hold, then so does the last."""
    return All((), premises, formula(then))


def there_is(names: tuple[str, ...], *says: Formula) -> All:
    """There are numbers, functions or laws with these names of which all that `says` says holds.

    That is: a number is at most 0 if it is at most 0 wherever there are such.
    """
    own_names("c", *names)
    return All(("c",), (All(names, says, le(var("c"), 0)),), le(var("c"), 0))


def either(first: Formula, second: Formula) -> All:
    """One of both holds, or both: a number is at most 0 if it is so where the first one holds and where the second one
    does.
    """
    own_names("c")
    nothing = le(var("c"), 0)
    return All(("c",), (when(first, then=nothing), when(second, then=nothing)), nothing)


def formula(said: Any) -> Formula:
    """A formula from what a body returns: a formula, or (left, operator, right) with one of <= < == >= >."""
    if isinstance(said, Rel | All):
        return said
    if isinstance(said, tuple) and len(said) == 3 and said[1] in ("<=", "<", "==", ">=", ">"):
        left, sign, right = said
        if sign[0] == ">":
            return formula((right, sign.replace(">", "<"), left))
        return {"<=": le, "<": lt, "==": eq}[sign](left, right)
    raise Refused("the body gives no formula: write (left, '<=', right), when(..., then=...) or a meaning")


# ------------------------------------------------------------------------------------------------------------ privacy


def neighbours(d: Any, e: Any) -> Formula:
    return eq(function_of("near", d, e), 1)


def event(name: str) -> Formula:
    """The function is the indicator of an event: it is 0 or 1 everywhere."""
    value = function_of(name, var("x"))
    return All(("x",), (), eq(value * value, value))


def close(P: Term, Q: Term, epsilon: Any, delta: Any) -> Rel:
    """P(A) <= e^epsilon Q(A) + delta for the event A."""
    own_names("x", "A")
    A = function_of("A", var("x"))
    return le(mean("x", P, A), exp(epsilon) * mean("x", Q, A) + delta)


def private(M: LawOf, epsilon: Any, delta: Any = 0) -> Formula:
    """(epsilon, delta)-DP: M_d(A) <= e^epsilon M_e(A) + delta for all neighbours d, e and all events A."""
    d, e = var("d"), var("e")
    with binding("d", "e", "A"):
        laws = M(d), M(e)
    return All(("d", "e", "A"), (neighbours(d, e), event("A")), close(*laws, epsilon, delta))


def symmetric_neighbours() -> Formula:
    """If e is a neighbour of d, then d is one of e."""
    own_names("d", "e")
    return All(("d", "e"), (neighbours(var("d"), var("e")),), neighbours(var("e"), var("d")))


def every_test(M: LawOf, says: Callable[[Term, Term], Any]) -> Formula:
    """What `says` says of the two errors of every test of d against a neighbour e: M_d(A) and M_e(not A).

    A is where the test rejects d: the first is a false alarm, the second a missed detection.
    """
    d, e, A = var("d"), var("e"), function_of("A", var("x"))
    with binding("d", "e", "A", "x"):
        said = formula(says(mean("x", M(d), A), mean("x", M(e), 1 - A)))
    return All(("d", "e", "A"), (neighbours(d, e), event("A")), said)


def every_rule(M: LawOf, says: Callable[[Term, Term], Any]) -> Formula:
    """What `says` says of every level and the missed detections of every rule whose false alarms are at most that.

    A rule rejects d with the probability rule(x), at random too; its false alarms are E rule(x) under M_d, its missed
    detections 1 - E rule(x) under M_e, for neighbours d, e. The trade-off function T(M_d, M_e) is their infimum.
    """
    d, e, level, rule = var("d"), var("e"), var("allowed"), function_of("rule", var("x"))
    with binding("d", "e", "x", "rule", "allowed"):
        false, detected = (mean("x", M(at), rule) for at in (d, e))
        said = formula(says(level, 1 - detected))
    of_rule = All(("x",), (), le(0, rule)), All(("x",), (), le(rule, 1))
    return All(("d", "e", "rule", "allowed"), (neighbours(d, e), *of_rule, le(false, level)), said)


def misses_are_not_negative(M: LawOf) -> Formula:
    """1 - E rule(x) is at least 0 for every rule."""
    e, rule = var("e"), function_of("rule", var("x"))
    with binding("e", "x", "rule"):
        detected = mean("x", M(e), rule)
    return All(("e", "rule"), (All(("x",), (), le(rule, 1)),), le(0, 1 - detected))


def private_for_groups(M: LawOf, m: Any, epsilon: Any, delta: Any) -> Formula:
    """(epsilon, delta)-DP for data sets that differ in up to m records: r <= m steps to a neighbour lead there."""
    r = var("r")
    given = (nat(r), le(r, m), chain_to(r), event("A"))
    with binding("data", "r", "A"):
        laws = M(data_at(0)), M(data_at(r))
    return All(("data", "r", "A"), given, close(*laws, epsilon, delta))


def close_at_distance(M: LawOf, m: Any, epsilon: Any, delta: Any) -> Formula:
    """M_d(A) <= e^epsilon M_e(A) + delta for all events A, where e is reached from d in m steps to a neighbour."""
    with binding("data", "A"):
        laws = M(data_at(0)), M(data_at(m))
    return All(("data", "A"), (chain_to(m), event("A")), close(*laws, epsilon, delta))


def data_at(i: Any) -> Term:
    return function_of("data", i)


def chain_to(r: Any) -> Formula:
    """data(0), ..., data(r) are neighbours one by one."""
    own_names("i", "data")
    i = var("i")
    return All(("i",), (nat(i), lt(i, r)), neighbours(data_at(i), data_at(i + 1)))


def after(f: LawOf, M: LawOf) -> LawOf:
    """The mechanism f(M(d)), f randomised."""
    return lambda d: drawn(f, M(d))


def drawn(f: LawOf, law: Term) -> Term:
    """The law of f(X), f randomised, where X has the law."""
    with binding("x"):
        then = f(var("x"))
    return Term("mix", (("x",), law, then))


def for_each(k: Any, says: Callable[[Term], Formula]) -> Formula:
    """What `says` says, of i = 0 .. k - 1."""
    i = var("i")
    with binding("i"):
        each = says(i)
    return All(("i",), (nat(i), lt(i, k)), each)


def whatever_came_before(k: Any, says: Callable[[Term, Term], Formula]) -> Formula:
    """What `says` says, of i = 0 .. k - 1 and all histories h."""
    i, h = var("i"), var("h")
    with binding("i", "h"):
        each = says(i, h)
    return All(("i", "h"), (nat(i), lt(i, k)), each)


def each_private(M: Callable[..., Term], k: Any, epsilon: Callable[..., Any], delta: Callable[..., Any]) -> Formula:
    """For i = 0 .. k - 1 the mechanism M(i, .) is (epsilon(i), delta(i))-DP."""
    return for_each(k, lambda i: private(lambda d: M(i, d), epsilon(i), delta(i)))


def each_private_whatever_came_before(
    M: Callable[..., Term], k: Any, epsilon: Callable[..., Any], delta: Callable[..., Any]
) -> Formula:
    """For i = 0 .. k - 1 and all histories h the mechanism M(i, h, .) is (epsilon(i), delta(i))-DP."""
    return whatever_came_before(k, lambda i, h: private(lambda d: M(i, h, d), epsilon(i), delta(i)))


def one_block_differs(j: Term, k: Any) -> tuple[Formula, ...]:
    """Data sets of k blocks each, block(i) and other(i): neighbours in block j and equal in all others."""
    own_names("i", "block", "other")
    i = var("i")
    equal = eq(function_of("block", i), function_of("other", i))
    before, behind = (nat(i), lt(i, j)), (nat(i), lt(j, i), lt(i, k))
    near = neighbours(function_of("block", j), function_of("other", j))
    return nat(j), lt(j, k), near, All(("i",), before, equal), All(("i",), behind, equal)


def private_in_parallel(M: Callable[..., Term], k: Any, epsilon: Any, delta: Any) -> Formula:
    """(epsilon, delta)-DP of the outputs of M(0, .), ..., M(k - 1, .), each run on a block of its own."""
    with binding("block", "other", "j", "A"):
        laws = on_blocks(M, k)
    given = (*one_block_differs(var("j"), k), event("A"))
    return All(("block", "other", "j", "A"), given, close(*laws, epsilon, delta))


def on_blocks(M: Callable[..., Term], k: Any) -> tuple[Term, Term]:
    """The laws of the outputs of M(0, .), ..., M(k - 1, .) on the blocks of both data sets."""

    def outputs(blocks: str) -> Term:
        return composed(lambda i, d: M(i, function_of(blocks, i)), k)(0)

    return outputs("block"), outputs("other")


def composed(M: Callable[..., Term], k: Any) -> LawOf:
    """The outputs of M(0, .), ..., M(k - 1, .) on one data set, drawn independently."""
    return composed_adaptively(lambda i, h, d: M(i, d), k)


def composed_adaptively(M: Callable[..., Term], k: Any) -> LawOf:
    """The outputs of k mechanisms on one data set, each of which gets the history h of the outputs before it."""
    i, h, y = var("i"), var("h"), var("y")

    def law(d: Any) -> Term:
        with binding("i", "h", "y"):
            output = M(i, h, d)
        step = Term("mix", (("y",), output, Term("dirac", (function_of("pair", h, y),))))
        return Term("steps", (("i", "h"), term(k), var("empty"), step))

    return law


# -------------------------------------------------------------------------------------------------------------- means


def mean_size_at_most(law: Term, c: Any) -> Formula:
    """E |X| <= c, for X with the law, bounded or not.

    The integral is the supremum of those of the bounded functions g with 0 <= g <= |x|, so infinity is no number.
    """
    own_names("x", "g")
    x = var("x")
    g = function_of("g", x)
    given = (All(("x",), (), le(0, g)), All(("x",), (), le(g, size(x))))
    return All(("g",), given, le(mean("x", law, g), c))


def at_most_by_mean_size(left: Term, law: Term, right: Callable[[Term], Term]) -> Formula:
    """left <= right(E |X|) where `right` is linear and increasing: left <= right(c) for all c >= E |X|.

    Where the mean is infinite there is no such c, and nothing to show: the right side is infinite.
    """
    with binding("c"):
        most = right(var("c"))
    return All(("c",), (mean_size_at_most(law, var("c")),), le(left, most))


def sort_of(words: str) -> Sort:
    """The sort with these words. Raises Refused for an unknown one."""
    if words not in SORTS:
        raise Refused(f"'{words}' is no sort; those are: {'; '.join(SORTS)}")
    return SORTS[words]
