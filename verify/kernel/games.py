"""Membership inference games: the crafters, what an adversary guesses, and its errors, in the words of the pseudo code.

A data set of n records is a point; ``record(n, d, j)`` is its record at place j, ``replaced(n, d, j, z)`` the data set
with z there, ``choice(b, x, y)`` is x if b = 1 and y if b = 0. Maps are bounded, and no bounded map gives back every
number, so points get a name first, ``code(x)``, which is its own name: x itself if the points are those of [0, 1].
What is known of the maps is said by ``places`` and ``choices``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from banditproof.verify.kernel.meanings import binding, event, formula, function_of, neighbours, own_names, sum_of
from banditproof.verify.kernel.policies import the_same
from banditproof.verify.kernel.rules import eq, le, lt, mean, nat
from banditproof.verify.kernel.terms import All, Formula, Term, free_in, term, var

Mechanism = Callable[..., Term]
Adversary = Callable[[Term, Term], Term]
"""The law of the guess, by the target and the output."""
Draws = Sequence[tuple[str, Term]]  # names and their laws, in the order in which they are drawn


def record(n: Any, d: Any, j: Any) -> Term:
    return function_of("record", n, d, j)


def replaced(n: Any, d: Any, j: Any, z: Any) -> Term:
    return function_of("replaced", n, d, j, z)


def choice(b: Any, x: Any, y: Any) -> Term:
    return function_of("choice", b, x, y)


def code(x: Any) -> Term:
    """The name of a point."""
    return function_of("code", x)


def choices() -> tuple[Formula, ...]:
    """choice(0, x, y) = y and choice(1, x, y) = x, for names of points."""
    own_names("x", "y")
    x, y = code(var("x")), code(var("y"))
    return tuple(All(("x", "y"), (), eq(choice(b, x, y), one)) for b, one in ((0, y), (1, x)))


def places(n: Any) -> tuple[Formula, ...]:
    """A data set of i + 1 records is one of i records h and a record y: what stands at its places, and is put there.

    The name of a name is this name.
    """
    own_names("i", "j", "h", "x", "y", "z")
    i, j, h, y, z = var("i"), var("j"), var("h"), code(var("y")), var("z")
    longer, rounds = function_of("pair", h, y), (nat(i), lt(i, n))
    early, name = (*rounds, nat(j), lt(j, i)), code(var("x"))
    return (
        All(("x",), (), eq(code(name), name)),
        All(("i", "h", "y"), rounds, eq(record(i + 1, longer, i), y)),
        All(("i", "h", "y", "z"), rounds, eq(replaced(i + 1, longer, i, z), function_of("pair", h, z))),
        All(("i", "h", "y", "j"), early, eq(record(i + 1, longer, j), record(i, h, j))),
        All(
            ("i", "h", "y", "j", "z"),
            early,
            eq(replaced(i + 1, longer, j, z), function_of("pair", replaced(i, h, j, z), y)),
        ),
    )


def replacing_is_near(n: Any) -> Formula:
    """A data set with another record at one of its n places is a neighbour."""
    d, j, z = var("d"), var("j"), var("z")
    own_names("d", "j", "z")
    return All(("d", "j", "z"), (nat(j), lt(j, n)), neighbours(code(replaced(n, d, j, code(z))), code(d)))


def records(Z: Term, n: Any) -> Term:
    """The law of a data set of n records that are drawn independently from Z."""
    y, h = var("y"), var("h")
    step = Term("mix", (("y",), Z, Term("dirac", (function_of("pair", h, code(y)),))))
    return Term("steps", (("i", "h"), term(n), var("empty"), step))


def uniform(m: Any) -> Term:
    return Term("law", ("Unif", term(m)))


def kept(r: Any, j: Any) -> Term:
    """1 if the row at place j is among those that were drawn."""
    return function_of("kept", r, j)


def sub_sampled(N: Callable[..., Term], rows: Term) -> Mechanism:
    """The mechanism that draws rows r and then gives an output of N(r, d)."""

    def of(d: Any) -> Term:
        return Term("mix", (("r",), rows, N(var("r"), d)))

    return of


def keeps_rows(k: Any, n: Any) -> tuple[Formula, ...]:
    """Every draw of rows keeps k of the n rows."""
    own_names("j", "r")
    one = kept(var("r"), var("j"))
    return (All(("r", "j"), (), eq(one * one, one)), All(("r",), (), eq(sum_of(lambda j: kept(var("r"), j), n), k)))


def rows_left_out_do_not_matter(N: Callable[..., Term], n: Any) -> Formula:
    """The outputs of N(r, d) and N(r, e) have one law if e is d with another row at a place that r does not keep."""
    own_names("d", "j", "r", "z", "F", "o")
    d, j, r, z = map(var, ("d", "j", "r", "z"))
    left_out = 1 - kept(r, j)
    first, other = (
        left_out * mean("o", N(r, code(data)), function_of("F", var("o"))) for data in (d, replaced(n, d, j, code(z)))
    )
    return All(("d", "j", "r", "z", "F"), (nat(j), lt(j, n)), eq(first, other))


def mean_of(draws: Draws, value: Term) -> Term:
    """The mean of a value over all draws."""
    for name, law in reversed(draws):
        value = mean(name, law, value)
    return value


def law_of(draws: Draws, value: Term) -> Term:
    """The law of a value that the draws make."""
    law = Term("dirac", (value,))
    for name, first in reversed(draws):
        law = Term("mix", ((name,), first, law))
    return law


class Crafter:
    """Algorithm 4: D from Z^n, a fair bit b; the target is fresh if b = 0, and the record at a random place if b = 1.

    `written`: if b = 1 a fresh target is put at that place instead of read from it. With a `target` (Algorithm 11) it
    is this one.
    """

    def __init__(self, M: Mechanism, Z: Term, n: Any, written: bool = False, target: Term | None = None):
        b, d, j, z = var("b"), var("d"), var("j"), var("z")
        fresh, put = code(z if target is None else target), written or target is not None
        self.targets = fresh, fresh if put else code(record(n, d, j))  # where b = 0, where b = 1
        self.seen = code(d), code(replaced(n, d, j, fresh) if put else d)
        self.target = fresh if put else choice(b, *reversed(self.targets))
        data = choice(b, *reversed(self.seen)) if put else code(d)
        self.before: list[tuple[str, Term]] = [("d", records(Z, n)), ("j", uniform(n))]
        self.before += [("z", Z)] if target is None else []
        self.M = M
        with binding("b", "d", "j", "z", "o"):
            self.draws: list[tuple[str, Term]] = [("b", uniform(2)), *self.before, ("o", M(data))]

    def mean(self, value: Callable[[Term, Term, Term], Term]) -> Term:
        """E of a value of the target, the output and the bit."""
        with binding("b", "d", "j", "z", "o"):
            of = value(self.target, var("o"), var("b"))
        return mean_of(self.draws, of)

    def mean_given(self, bit: int, value: Callable[[Term, Term], Term]) -> Term:
        """E of a value of the target and the output, given the bit, which is drawn by itself."""
        with binding("b", "d", "j", "z", "o"):
            output, of = self.M(self.seen[bit]), value(self.targets[bit], var("o"))
        return mean_of([*self.before, ("o", output)], of)


def guess_is(A: Adversary, z: Term, o: Term, c: Any) -> Term:
    """The probability of the guess c."""
    return mean("c", A(z, o), the_same(var("c"), c))


def guesses_a_bit(A: Adversary) -> Formula:
    """The adversary guesses 0 or 1, whatever it sees."""
    z, o = var("z"), var("o")
    said = eq(guess_is(A, z, o, 0) + guess_is(A, z, o, 1), 1)
    return All(("z", "o") if "z" in free_in(said) else ("o",), (), said)


def of_output(A: Callable[[Term], Term]) -> Adversary:
    """The adversary of a fixed target, which sees the output alone."""
    return lambda z, o: A(o)


def every_advantage(game: Crafter, most: Any) -> Formula:
    """No adversary, which sees the output alone, has a larger advantage with the fixed target z, for any z."""
    against = of_output(lambda o: Term("law", ("against", o)))
    return All(("z", "against"), (guesses_a_bit(against),), le(advantage(game, against), most))


def every_average_advantage(game: Crafter, most: Any) -> Formula:
    """No adversary has a larger advantage."""

    def attacker(z: Term, o: Term) -> Term:
        return Term("law", ("attacker", z, o))

    return All(("attacker",), (guesses_a_bit(attacker),), le(advantage(game, attacker), most))


def density(bit: int, z: Any, o: Any) -> Term:
    """p_in(o|z) for b = 1, p_out(o|z) for b = 0."""
    return function_of("inside" if bit else "outside", z, o)


def by_base(z: Any, value: Any) -> Term:
    """The integral of a value of the output o by the law that the densities are by."""
    return mean("o", Term("law", ("base", term(z))), value)


def densities_of_outputs(game: Crafter) -> tuple[Formula, ...]:
    """p_in(o|z) and p_out(o|z) are densities of the output by a law base(z): of two laws the mean has bounded ones."""
    own_names("g", "o", "z")
    g = function_of("g", var("o"))
    values = [
        eq(game.mean_given(bit, lambda z, o: g), by_base(game.target, density(bit, game.target, var("o")) * g))
        for bit in (1, 0)
    ]
    return tuple(All(("z", "g"), (), value) for value in values)


def total_variation_at_most(game: Crafter, most: Any) -> Formula:
    """TV of the laws of the output where b = 1 and where b = 0: P_in(A) - P_out(A) <= most for every event A.

    Of the complement it says the same of P_out(A) - P_in(A).
    """
    A = function_of("A", var("o"))
    apart = game.mean_given(1, lambda z, o: A) - game.mean_given(0, lambda z, o: A)
    return All(("A",), (event("A"),), le(apart, most))


def is_outside_mostly(game: Crafter, share: Any) -> Formula:
    """The law of the output where b = 1 has the share of that where b = 0 in it: share P_out(A) <= P_in(A) for every A.

    So P_in(A) is at most share P_out(A) + 1 - share, and TV is at most 1 - share: take the complement of A.
    """
    A = function_of("A", var("o"))
    inside, outside = (game.mean_given(bit, lambda z, o: A) for bit in (1, 0))
    return All(("A",), (event("A"),), le(share * outside, inside))


def rare_records_tell(M: Mechanism, Z: Term, n: Any, most: Any) -> Formula:
    """For every event B of records and A of outputs: TV is at least 1 - 2 most if n P(B) <= most and A tells of B.

    That is: P(A) is at most the number of records of the data set that are in B, and with the target at some place
    P(not A) is at most the number of records in B before it was put there. So A is impossible for a data set without a
    record in B, and sure if a target in B is put into such a data set; of others nothing is said.
    """
    own_names("d", "i", "A", "B")
    d, i, A = var("d"), var("i"), function_of("A", var("o"))
    game = Crafter(M, Z, n, target=var("z"))
    inside, outside = (game.mean_given(bit, lambda z, o: A) for bit in (1, 0))
    rare = sum_of(lambda j: function_of("B", record(n, d, j)), n)
    plain, put_in = (mean("o", M(code(data)), A) for data in (d, replaced(n, d, i, code(var("z")))))
    given = (
        event("A"),
        event("B"),
        le(term(n) * mean("y", Z, function_of("B", code(var("y")))), most),
        All(("d",), (), le(plain, rare)),
        All(("d", "i"), (nat(i), lt(i, n)), le(1 - put_in, rare)),
    )
    return All(("z", "A", "B"), given, le(1 - 2 * term(most), inside - outside))


def by_the_ratio(factor: Any = 1) -> Adversary:
    """The adversary 1[log(p_in/p_out) > log(factor)], that is 1[p_in > factor p_out]."""
    return lambda z, o: Term("dirac", (1 - Term("ind", (density(1, z, o), factor * density(0, z, o))),))


def bayes(z: Term, o: Term) -> Term:
    """The adversary 1[log(p_in/p_out) > 0], that is 1[p_in > p_out]."""
    return by_the_ratio()(z, o)


def chance_given(game: Crafter, A: Adversary, bit: int, guess: int) -> Term:
    """The probability of a guess, given the bit."""
    return game.mean_given(bit, lambda z, o: guess_is(A, z, o, guess))


def accuracy(game: Crafter, A: Adversary) -> Term:
    """The probability that the guess is b."""
    return game.mean(lambda z, o, b: guess_is(A, z, o, b))


def advantage(game: Crafter, A: Adversary) -> Term:
    return 2 * accuracy(game, A) - 1


def error(game: Crafter, A: Adversary, guess: int, bit: int, chance: Term) -> Formula:
    """chance is the conditional probability of the guess, given the bit."""
    both = game.mean(lambda z, o, b: the_same(b, bit) * guess_is(A, z, o, guess))
    return eq(chance * game.mean(lambda z, o, b: the_same(b, bit)), both)


def with_errors(game: Crafter, A: Adversary, says: Callable[[Term, Term], Any]) -> Formula:
    """What `says` says of alpha = Pr[A = 1 | b = 0] and beta = Pr[A = 0 | b = 1], called false_alarm and missed."""
    alpha, beta = var("false_alarm"), var("missed")
    with binding("false_alarm", "missed"):
        said = formula(says(alpha, beta))
    given = error(game, A, 1, 0, alpha), error(game, A, 0, 1, beta)
    return All(("false_alarm", "missed"), given, said)


def successes(game: Crafter, A: Adversary, T: Any) -> Term:
    """The law of the list L: in each of T rounds the crafter is run, and L gets whether the guess is b."""
    won = the_same(var("c"), var("b"))
    return _list(T, [*game.draws, ("c", A(game.target, var("o")))], won)


def coins(T: Any, chance: Any) -> Term:
    """The law of a list of T independent coins that are 1 with a probability: u <= chance for u uniform on [0, 1]."""
    return _list(T, [("u", Term("law", ("Unit",)))], Term("ind", (var("u"), term(chance))))


def _list(T: Any, draws: Draws, entry: Term) -> Term:
    step = law_of(draws, function_of("pair", var("l"), entry))
    return Term("steps", (("t", "l"), term(T), var("empty"), step))


def same_lists(first: Term, second: Term) -> Formula:
    """Every function F of the lists has the same mean."""
    F = function_of("F", var("x"))
    return All(("F",), (), eq(mean("x", first, F), mean("x", second, F)))
