"""Audits of a mechanism: how often an event was seen in runs on two data sets, and what is concluded of the budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.games import Adversary, Crafter, code, law_of, record, records
from banditproof.verify.kernel.meanings import (
    LawOf,
    binding,
    event,
    exp,
    formula,
    function_of,
    neighbours,
    own_names,
    private,
    sum_of,
)
from banditproof.verify.kernel.policies import the_same
from banditproof.verify.kernel.rules import eq, le, mean
from banditproof.verify.kernel.terms import All, Formula, Term, term, var
from banditproof.verify.kernel.variables import sum_of_all


def seen(law: Term, T: Any) -> Term:
    """The law of how many of T independent outputs are in the event A."""
    return sum_of_all(lambda i: Term("mix", (("o",), law, Term("dirac", (function_of("A", var("o")),)))), T)


class Runs:
    """T runs on each of two data sets d and e, in which the event A was seen u and v times."""

    def __init__(self, M: LawOf, T: Any):
        self.T, self.laws = term(T), (M(var("d")), M(var("e")))
        A = function_of("A", var("x"))
        self.chances = tuple(mean("x", law, A) for law in self.laws)
        self.shares = var("u") / self.T, var("v") / self.T

    def mean(self, value: Term) -> Term:
        """E of a value of both counts."""
        first, second = (seen(law, self.T) for law in self.laws)
        return mean("u", first, mean("v", second, value))

    def both_within(self, radii: tuple[Any, Any]) -> Term:
        """The probability that each share is at most its radius away from the chance of the event."""
        parts = [
            Term("ind", (share - chance, term(r))) * Term("ind", (chance - share, term(r)))
            for share, chance, r in zip(self.shares, self.chances, radii, strict=True)
        ]
        return self.mean(parts[0] * parts[1])

    def estimate_above(self, epsilon: Any, delta: Any, radii: tuple[Any, Any]) -> Term:
        """The probability of epsilon_low > epsilon, for epsilon >= 0 and radii above 0.

        epsilon_low is the largest of 0 and the two log((p - delta - r)/(q + r')), a logarithm of no positive number
        being left out; one of these is larger than epsilon where p - delta - r > e^epsilon (q + r').
        """
        (p, q), (r, s) = self.shares, map(term, radii)
        small = Term("ind", (p - delta - r, exp(epsilon) * (q + s))) * Term(
            "ind", (q - delta - s, exp(epsilon) * (p + r))
        )
        return self.mean(1 - small)


def of_every_audit(M: LawOf, T: Any, says: Callable[[Runs], Any]) -> All:
    """What `says` says of the runs on every two neighbours d and e, for every event."""
    with binding("d", "e", "A", "u", "v"):
        said = formula(says(Runs(M, T)))
    return All(("d", "e", "A"), (neighbours(var("d"), var("e")), event("A")), said)


class Rounds:
    """T rounds of a game, as a list v: in how many of them b was 0 or 1, and in how many of these the guess was wrong.

    The rounds are independent, and the list has of each whether b was 1 and the guess was 1.
    """

    def __init__(self, game: Crafter, A: Adversary, T: Any):
        entry = function_of("pair", the_same(var("b"), 1), the_same(var("c"), 1))
        self.law = records(law_of([*game.draws, ("c", A(game.target, var("o")))], entry), T)

        def count(bit: int, guess: int | None = None) -> Term:
            def hit(j: Term) -> Term:
                x = record(T, var("v"), j)
                there = the_same(function_of("bit", x), bit)
                return there if guess is None else there * the_same(function_of("answer", x), guess)

            return sum_of(hit, T)

        self.rounds, self.wrong = (count(0), count(1)), (count(0, 1), count(1, 0))

    def both_within(self, errors: tuple[Term, Term], radii: tuple[Any, Any]) -> Term:
        """The probability that each proportion of wrong guesses is at most its radius away from the error.

        It is, where there is no such round.
        """
        parts = [
            Term("ind", (sign * (wrong - error * many), term(r) * many))
            for many, wrong, error, r in zip(self.rounds, self.wrong, errors, radii, strict=True)
            for sign in (1, -1)
        ]
        return mean("v", self.law, parts[0] * parts[1] * parts[2] * parts[3])

    def sides(self, epsilon: Any, delta: Any, radii: tuple[Any, Any]) -> list[tuple[Term, Term]]:
        """1 - delta - q - s and e^epsilon (p + r), both times the numbers of rounds, for both orders of the errors."""
        both = list(zip(self.rounds, self.wrong, map(term, radii), strict=True))
        return [
            ((many * (1 - delta) - missed - s * many) * other, exp(epsilon) * (wrong + r * other) * many)
            for (other, wrong, r), (many, missed, s) in (both, both[::-1])
        ]

    def estimate_above(self, epsilon: Any, delta: Any, radii: tuple[Any, Any]) -> Term:
        """The probability of epsilon_low > epsilon, for epsilon >= 0 and radii above 0, as for ``Runs``.

        A proportion of no rounds has no logarithm, which is left out too.
        """
        first, second = self.sides(epsilon, delta, radii)
        return mean("v", self.law, 1 - Term("ind", first) * Term("ind", second))


def queries(ask: Callable[[Term, Term], Term], M: LawOf, T: Any) -> Term:
    """The law of what T queries tell: the i-th data set q is drawn after the history h, and an output y of M on it."""
    i, h, q, y = map(var, "ihqy")
    with binding("i", "h", "q", "y"):
        asked, output = ask(i, h), M(q)
    told = Term("dirac", (function_of("pair", h, function_of("pair", q, y)),))
    step = Term("mix", (("q",), asked, Term("mix", (("y",), output, told))))
    return Term("steps", (("i", "h"), term(T), var("empty"), step))


class Test:
    """A test of a mechanism by T queries, which then rejects with some probability, or does not."""

    def __init__(self, ask: Callable[[Term, Term], Term], reject: Callable[[Term], Term], T: Any):
        self.ask, self.reject, self.T = ask, reject, T

    def mean(self, M: LawOf, value: Callable[[Term], Term]) -> Term:
        """E of a value of the decision, which is 1 where the test rejects."""
        with binding("z", "c"):
            decision = self.reject(var("z"))
        return mean("z", queries(self.ask, M, self.T), mean("c", decision, value(the_same(var("c"), 1))))

    def has_level(self, gamma: Any, epsilon: Any) -> All:
        """It rejects every epsilon-DP mechanism with probability gamma at most."""
        of_every = lambda d: Term("law", ("channel", term(d)))  # noqa: E731
        return All(("channel",), (private(of_every, epsilon),), le(self.mean(of_every, lambda r: r), gamma))

    def output_above(self, M: LawOf, guess: Any, epsilon: Any) -> Term:
        """The probability that `guess`, put out where the test rejects, and else 0, is larger than epsilon."""
        return self.mean(M, lambda rejected: 1 - Term("ind", (guess * rejected, term(epsilon))))


def run_of_parameters(update: Callable[..., Term], start: Any, data: Any, T: Any) -> Term:
    """The law of all parameters of T steps: each is drawn from the one before it and the data."""
    h, y = var("h"), var("y")
    with binding("i", "h", "y"):
        new = update(var("i"), function_of("second", h), data)
    step = Term("mix", (("y",), new, Term("dirac", (function_of("pair", h, code(y)),))))
    return Term("steps", (("i", "h"), term(T), function_of("pair", var("empty"), code(start)), step))


def last_parameter(update: Callable[..., Term], start: Any, data: Any, T: Any) -> Term:
    """The law of the parameter after T steps."""
    with binding("i", "h", "y"):
        new = update(var("i"), var("h"), data)
    step = Term("mix", (("y",), new, Term("dirac", (code(var("y")),))))
    return Term("steps", (("i", "h"), term(T), code(start), step))


def last_is_second() -> Formula:
    """Of the run h and a parameter y behind it, y is the second; the name of a name is this name."""
    own_names("h", "y")
    h, y = var("h"), code(var("y"))
    return All(("h", "y"), (), eq(function_of("second", function_of("pair", h, y)), y))


def advantage_at_most(first: Term, other: Term, most: Any) -> All:
    """No event tells the two laws apart by more: P(A) - Q(A) <= most."""
    own_names("x", "A")
    A = function_of("A", var("x"))
    return All(("A",), (event("A"),), le(mean("x", first, A) - mean("x", other, A), most))
