"""Premises that nothing meets are refused, whatever words they hide in; those that something meets are not."""

from fractions import Fraction

import pytest

from banditproof.theory.errors import InvalidInput
from banditproof.verify.kernel.divergences import renyi_at_most
from banditproof.verify.kernel.meanings import (
    event,
    exp,
    for_each,
    function_of,
    private,
    size,
    whatever_came_before,
    when,
)
from banditproof.verify.kernel.phases import length
from banditproof.verify.kernel.policies import every, private_on, tables
from banditproof.verify.kernel.rewards import earned
from banditproof.verify.kernel.rules import eq, le, lt, mean, nat
from banditproof.verify.kernel.terms import All, var
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.general import general

MECHANISM = "all: every mechanism, a law of outputs for each data set"
POLICY = "all: every policy, a law of arms in each round after each history"
a, i, q, x = map(var, "aiqx")


def stated_by(body, **sets):
    return general(body, Domain.of(**sets), {})


def private_if(premise):
    return lambda M, s: when(premise, then=private(M, s))


def plays_with(chance):
    """A policy plays each of the arms 0 and 1 with a probability of at least `chance`."""

    def body(pi, T, K, s):
        only = nat(a), lt(a, 2), event("A"), eq(function_of("A", a), 1)
        often = every(("i", "h", "a", "A"), only, le(chance, mean("x", pi(i, var("h")), function_of("A", x))))
        return when(often, then=private_on(tables(pi, T, K), s))

    return body


SECOND = function_of("second", function_of("pair", var("d"), var("y")))


def grows(s):
    below = every(("q",), (), le(q / 100, function_of("adversary", q)))
    return every(("adversary",), (below,), le(s, -1))


K_TH, K_NEXT = length(var("k")), length(var("k") + 1)
NEVER = {
    "a count of the range fails": private_if(for_each(100, lambda i: le(i + var("s"), 50))),
    "a point that is far away fails": private_if(whatever_came_before(1, lambda i, h: le(h + var("s"), 5))),
    "one number fails": private_if(All(("q",), (), lt(0, (q - 7) * (q - 7) * var("s")))),
    "no bounded map gives all points": private_if(All(("d", "y"), (), eq(SECOND, var("y")))),
    "no bounded map gives all runs": private_if(All(("z",), (), eq(function_of("until", 0, 0, var("z")), var("z")))),
    "no bounded function is a distance": private_if(
        All(("d", "e"), (), eq(function_of("distance", var("d"), var("e")), size(var("d") - var("e"))))
    ),
    "no bounded function grows": grows,
    "phases do not grow without an end": private_if(All(("k",), (nat(var("k")),), le(exp(K_TH), K_NEXT))),
}


@pytest.mark.parametrize("why", NEVER)
def test_premises_that_nothing_meets_are_refused(why):
    sets = {"s": "[0, inf)"} if NEVER[why] is grows else {"M": MECHANISM, "s": "[0, inf)"}
    with pytest.raises(InvalidInput, match="no small world"):
        stated_by(NEVER[why], **sets)


@pytest.mark.parametrize("most", [Fraction(-1, 10**20), -1])
def test_a_divergence_below_zero_is_refused(most):
    def body(P, Q, M, s):
        return when(renyi_at_most(P, Q, 2, most), then=private(M, s))

    laws = {"P": "all: every law", "Q": "all: every law"}
    with pytest.raises(InvalidInput, match="no small world"):
        stated_by(body, **laws, M=MECHANISM, s="[0, inf)")


def test_two_arms_are_told_apart():
    sets = {"pi": POLICY, "T": "integer [1, inf)", "K": "integer [1, inf)", "s": "[0, inf)"}
    with pytest.raises(InvalidInput, match="no small world"):
        stated_by(plays_with(Fraction(2, 3)), **sets)
    assert str(stated_by(plays_with(0), **sets))


def test_premises_that_are_met_are_taken():
    within = private_if(for_each(100, lambda i: le(i, 99 + var("s"))))
    assert str(stated_by(within, M=MECHANISM, s="[0, inf)"))


def told_of_a_run(reward):
    """In a round one is told its reward: `reward` says of which real numbers."""

    def body(M, s):
        i, z, a, q, r, j, t = map(var, "izaqrjt")
        longer = function_of("after", z, a, q, r)
        positive = every(("j", "t", "z"), (), lt(0, function_of("earned", j, t, z, 1)))
        told = every(("i", "z", "a", "q", "r"), (), eq(reward(i, longer), r))
        return when(positive, told, then=private(M, s))

    return body


def test_rewards_that_runs_tell_are_any_real_numbers():
    sets = {"M": MECHANISM, "s": "[0, inf)"}
    assert str(stated_by(told_of_a_run(lambda i, z: earned(i, i + 1, z)), **sets))
    bounded = told_of_a_run(lambda i, z: function_of("earned", i, i + 1, z, 0))
    with pytest.raises(InvalidInput, match="no small world"):
        stated_by(bounded, **sets)


@pytest.mark.parametrize("names", [(), ("earned",)])
@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("said", [True, False])
def test_what_a_premise_calls_positive_may_be_divided_by(place, names, said):
    """At the points at which it does, and at no others; not by another function that has its name further inside."""
    t = var("t")
    f = All(("t",), (), lt(0, function_of("earned", 0, 0, t, 1)))

    outer, inner = (((), ()), (names, (f,))) if said else (((), (f,)), (("earned",), ()))

    def body(M, s):
        inside = when(private(M, 1 / function_of("earned", 0, 0, s, place)), then=private(M, s))
        return every(*outer, every(*inner, inside))

    sets = {"M": MECHANISM, "s": "[0, inf)"}
    if place and said:
        assert str(stated_by(body, **sets))
    else:
        with pytest.raises(InvalidInput, match="may be 0 somewhere"):
            stated_by(body, **sets)


@pytest.mark.parametrize(
    ("divisor", "fine"),
    [
        (lambda n, x: n + 1, True),
        (lambda n, x: n, False),
        (lambda n, x: n - 1, False),
        (lambda n, x: 1 + n * (x * x), True),
        (lambda n, x: 1 + x * x * x, False),
        (lambda n, x: 1 - n * (x * x), False),
        (lambda n, x: x * x, False),
    ],
)
def test_a_count_and_a_positive_number_may_be_divided_by(divisor, fine):
    """A count that a formula binds may be 0 itself, and so may a square."""
    n = var("n")

    def body(M, s):
        return every(("n",), (nat(n),), when(private(M, s / divisor(n, s - 1)), then=private(M, s)))

    sets = {"M": MECHANISM, "s": "[0, inf)"}
    if fine:
        assert str(stated_by(body, **sets))
    else:
        with pytest.raises(InvalidInput, match="may be 0 somewhere"):
            stated_by(body, **sets)
