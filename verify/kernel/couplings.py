"""Total variation, and data sets of independent records: what is said of laws of data that are coupled."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from banditproof.verify.kernel.bandits import Bandit
from banditproof.verify.kernel.divergences import average, coupling, first, kl_at_most, second
from banditproof.verify.kernel.games import code
from banditproof.verify.kernel.meanings import (
    binding,
    drawn,
    event,
    for_each,
    function_of,
    neighbours,
    own_names,
    sum_of,
    there_is,
    when,
)
from banditproof.verify.kernel.policies import Policy, the_same
from banditproof.verify.kernel.rules import eq, le, lt, mean, nat
from banditproof.verify.kernel.terms import All, Formula, Term, term, var


def variation_at_most(P: Term, Q: Term, most: Any) -> All:
    """TV(P || Q) <= most: P(A) <= Q(A) + most for all events A."""
    own_names("x", "A")
    A = function_of("A", var("x"))
    return All(("A",), (event("A"),), le(mean("x", P, A), mean("x", Q, A) + most))


def mean_variation_at_most(P: Callable[..., Term], Q: Callable[..., Term], runs: Term, T: Any, most: Any) -> All:
    """E of the sum of TV(P(t, Z) || Q(t, Z)) over the rounds t < T is at most a number, where Z has the law `runs`.

    A sum of suprema over events, each of them a variation, is the supremum of the sum over A(0, z, x), A(1, z, x), ...
    """
    own_names("i", "z", "x", "A")
    A = function_of("A", *map(var, "izx"))

    def apart(i: Term) -> Term:
        laws = P(i, var("z")), Q(i, var("z"))
        return mean("z", runs, mean("x", laws[0], A) - mean("x", laws[1], A))

    is_event = All(("i", "z", "x"), (), eq(A * A, A))
    return All(("A",), (is_event,), le(sum_of(apart, T, "i"), most))


def mean_total_at_most(value: Callable[[Any, Any], Any], runs: Term, T: Any, most: Any) -> All:
    """E of the sum of value(t, Z) over the rounds t < T is at most a number, where value >= 0 and Z has the law `runs`.

    The mean is the supremum of those of the bounded functions up to the value.
    """
    own_names("i", "z", "g")
    i, z = var("i"), var("z")
    g = function_of("g", i, z)
    below = All(("i", "z"), (), le(g, value(i, z)))
    return All(("g",), (below,), le(sum_of(lambda i: mean("z", runs, function_of("g", i, z)), T, "i"), most))


def private_divergence_at_most(P: Term, Q: Term, epsilon: Any, most: Any) -> All:
    """d_epsilon(P, Q) <= most: the infimum of epsilon TV(P || R) + D_KL(R || Q) over all laws R, which is at most a
    number if that is at least all that is at most these sums.
    """
    R, apart, extra, least = Term("law", ("between",)), var("apart"), var("extra"), var("least")
    with binding("between", "apart", "extra", "least"):
        given = variation_at_most(P, R, apart), kl_at_most(R, Q, extra)
        sums = All(("between", "apart", "extra"), given, le(least, epsilon * apart + extra))
        return All(("least",), (sums,), le(least, most))


def independent_records(P: Callable[[Any], Term], n: Any) -> Term:
    """The law of a data set of n records, which are drawn independently, record i from P(i)."""
    i, h, y = var("i"), var("h"), var("y")
    with binding("i", "h", "y"):
        one = P(i)
    step = Term("mix", (("y",), one, Term("dirac", (function_of("pair", h, y),))))
    return Term("steps", (("i", "h"), term(n), var("empty"), step))


def replaced_records_are_near() -> tuple[Formula, ...]:
    """Data sets that differ in their last record are neighbours, and neighbours stay so with one more record each."""
    own_names("d", "e", "x", "y")
    d, e, x, y = map(var, "dexy")
    replaced = neighbours(function_of("pair", d, x), function_of("pair", d, y))
    longer = neighbours(function_of("pair", d, x), function_of("pair", e, x))
    return All(("d", "x", "y"), (), replaced), All(("d", "e", "x"), (neighbours(d, e),), longer)


def if_they_vary(
    P: Callable[[Any], Term], Q: Callable[[Any], Term], n: Any, says: Callable[[Callable[[Any], Term]], Formula]
) -> All:
    """What `says` says of numbers tv(i) which TV(P(i) || Q(i)) is at most, for i = 0 .. n - 1."""

    def tv(i: Any) -> Term:
        return function_of("tv", i)

    with binding("tv"):
        said = says(tv)
    return All(("tv",), (for_each(n, lambda i: variation_at_most(P(i), Q(i), tv(i))),), said)


# ---------------------------------------------------------------------------------------------------- one coupling


def of_names(law: Term) -> Term:
    """The law of the name of a point: pairs hold names, which maps can give back."""
    return drawn(lambda x: Term("dirac", (code(x),)), law)


def pairs_of_names() -> tuple[Formula, ...]:
    """Off a pair the names of both points can be read, and the name of a name is this name."""
    own_names("x", "y")
    x, y = var("x"), var("y")
    both = function_of("pair", x, y)
    given = eq(first(both), code(x)), eq(second(both), code(y)), eq(code(code(x)), code(x))
    return tuple(All(("x", "y") if k < 2 else ("x",), (), f) for k, f in enumerate(given))


def variation_is(P: Term, Q: Term, t: Any) -> tuple[Formula, ...]:
    """TV(P || Q) = t: the least number that P(A) - Q(A) is at most, for all events A."""
    with binding("c"):
        most = variation_at_most(P, Q, var("c"))
    return variation_at_most(P, Q, t), All(("c",), (most,), le(t, var("c")))


def are_different(z: Any) -> Term:
    """1 where the two parts of a pair differ, else 0."""
    return 1 - the_same(first(z), second(z))


def number_of_ones(laws: Callable[[Any], Term], n: Any) -> Term:
    """The law of the number of ones among n independent bits with these laws."""
    with binding("i", "total", "w"):
        bit = laws(var("i"))
    step = Term("mix", (("w",), bit, Term("dirac", (var("total") + var("w"),))))
    return Term("steps", (("i", "total"), term(n), term(0), step))


def number_of_differences(C: Callable[[Any], Term], n: Any) -> Term:
    """The law of the number of n records in which two data sets differ: their pairs are independent, with laws C."""
    own_names("z")
    return number_of_ones(lambda i: Term("mix", (("z",), C(i), Term("dirac", (are_different(var("z")),)))), n)


def has_square(law: Term, n: Any, value: Any) -> All:
    """E X^2 is this number, for X of 0, ..., n with the law: so is the mean of bounded functions that are x^2 there."""
    own_names("g", "m", "x")
    m, g = var("m"), function_of("g", var("m"))
    there = All(("m",), (nat(m), le(m, n)), eq(g, m * m))
    return All(("g",), (there,), eq(mean("x", law, function_of("g", var("x"))), value))


def some_coupling_is_maximal(P: Term, Q: Term, variation: Any) -> All:
    """Some coupling of P and Q has parts that differ with the probability `variation`, and no coupling with less."""
    best, rival = (Term("law", (name,)) for name in ("maximal", "rival"))
    no_less = All(("rival",), coupling(rival, P, Q), le(variation, average(are_different, rival)))
    return there_is(("maximal",), *coupling(best, P, Q), eq(average(are_different, best), variation), no_less)


# --------------------------------------------------------------------------------------------- the coupled environment


def here(z: Any) -> Term:
    return function_of("on_one", z)


def there(z: Any) -> Term:
    return function_of("on_other", z)


def history_with(side: Callable[[Any], Term], which: int) -> tuple[Formula, ...]:
    """Each round of a run has an arm and two rewards: the history of this side is that with one of them, 0 or 1."""
    own_names("z", "a", "r", "q")
    z, a, r, q, empty = map(var, ("z", "a", "r", "q", "empty"))
    longer = function_of("pair", function_of("pair", side(z), a), (r, q)[which])
    rounds = All(("z", "a", "r", "q"), (), eq(side(function_of("after", z, a, r, q)), longer))
    return eq(side(empty), empty), rounds


def coupled_runs(pi: Policy, nu: Bandit, C: Callable[..., Term], T: Any, side: Callable[[Any], Term]) -> Term:
    """The law of runs of T rounds: an arm a from the policy after the history of this side, whatever the other one is;
    then the rewards r ~ nu(a) and q ~ C(a, r).
    """
    i, z, a, r, q = map(var, "izarq")
    with binding("i", "z", "a", "r", "q"):
        arm, reward, other = pi(i, side(z)), nu(a), C(a, r)
    told = Term("dirac", (function_of("after", z, a, r, q),))
    step = Term("mix", (("a",), arm, Term("mix", (("r",), reward, Term("mix", (("q",), other, told))))))
    return Term("steps", (("i", "z"), term(T), var("empty"), step))


def coupled_environment(pi: Policy, C: Bandit, T: Any, side: Callable[[Any], Term]) -> Term:
    """The same where both rewards of a round are drawn together: they are the parts of a pair with the law C(a)."""
    i, z, a, y = map(var, "izay")
    with binding("i", "z", "a", "y"):
        arm, both = pi(i, side(z)), C(a)
    told = Term("dirac", (function_of("after", z, a, first(y), second(y)),))
    step = Term("mix", (("a",), arm, Term("mix", (("y",), both, told))))
    return Term("steps", (("i", "z"), term(T), var("empty"), step))


def parts_have_law(C: Bandit, which: int, nu: Bandit) -> All:
    """For each arm a the first part of a pair with the law C(a), for 0, or the second one, for 1, has the law nu(a)."""
    own_names("a", "g", "x", "y")
    (a, x, y), part = map(var, "axy"), (first, second)[which]
    told, own = (mean(name, law, function_of("g", at)) for name, law, at in (("y", C(a), part(y)), ("x", nu(a), x)))
    return All(("a", "g"), (), eq(told, own))


def history_is(runs: Term, side: Callable[[Any], Term], law: Term) -> All:
    """The history of this side has the law."""
    A = function_of("A", var("h"))
    return All(("A",), (), eq(mean("z", runs, function_of("A", side(var("z")))), mean("h", law, A)))


def kept_of_rounds(k: int, value: Callable[[Any, Any, Any], Any]) -> tuple[Formula, ...]:
    """Under the number k is kept value(a, r, q) of each round of a run, in which a had the rewards r and q."""
    own_names("n", "j", "z", "a", "r", "q")
    n, j, z, a, r, q = map(var, "njzarq")
    longer, names = function_of("after", z, a, r, q), ("n", "z", "a", "r", "q")
    before = eq(function_of("mark", k, j, n + 1, longer), function_of("mark", k, j, n, z))
    last = eq(function_of("mark", k, n, n + 1, longer), term(value(a, r, q)))
    return All((*names, "j"), (nat(n), nat(j), lt(j, n)), before), All(names, (nat(n),), last)


def sum_of_kept(k: int, n: Any, z: Any) -> Term:
    """The sum over the n rounds of a run z of what is kept under the number k."""
    return sum_of(lambda j: function_of("mark", k, j, n, z), n)


def at_most_but_more(runs: Term, T: Any, *levels: Any) -> Term:
    """The probability that the sums of what is kept under 0, 1, ... are at most these levels, but the last is more."""
    with binding("z"):
        *few, last = (Term("ind", (sum_of_kept(k, T, var("z")), term(level))) for k, level in enumerate(levels))
    return mean("z", runs, reduce(lambda then, one: one * then, reversed(few), 1 - last))


def second_reward_has_law(C: Callable[..., Term], nu: Bandit, arm: Any, law: Term) -> All:
    """Where r ~ nu(arm), the reward q ~ C(arm, r) has the law."""
    own_names("r", "q", "u")
    u = function_of("u", var("q"))
    return All(("u",), (), eq(mean("r", nu(arm), mean("q", C(arm, var("r")), u)), mean("q", law, u)))


def differ_with_chance(C: Callable[..., Term], nu: Bandit, chance: Callable[[Any], Any]) -> All:
    """For each arm a, r ~ nu(a) and q ~ C(a, r) are different with this probability."""
    own_names("a", "r", "q")
    a, r, q = map(var, "arq")
    return All(("a",), (), eq(mean("r", nu(a), mean("q", C(a, r), 1 - the_same(r, q))), term(chance(a))))


# --------------------------------------------------------------------------------------------------------------- limits


def for_each_of_the_sequence(says: Callable[[Term, Term], Formula]) -> All:
    """What `says` says of T and n_T, for all T = 0, 1, ..."""
    rounds, count = var("rounds"), var("count")
    with binding("rounds", "count"):
        said = says(rounds, count)
    return All(("rounds", "count"), (nat(rounds), eq(function_of("goes_with", rounds, count), 1)), said)


def tends_to_infinity() -> All:
    """n_T tends to infinity."""
    level, since = var("level"), var("since")
    with binding("level", "since"):
        later = for_each_of_the_sequence(lambda T, n: when(le(since, T), then=le(level, n)))
    return All(("level",), (), there_is(("since",), le(0, since), later))


def tends_to_zero(says: Callable[[Term, Term], Term]) -> All:
    """What `says` says of T and n_T tends to 0, or below."""
    small, since = var("small"), var("since")
    with binding("small", "since"):
        later = for_each_of_the_sequence(lambda T, n: when(le(since, T), then=le(says(T, n), small)))
    return All(("small",), (lt(0, small),), there_is(("since",), le(0, since), later))
