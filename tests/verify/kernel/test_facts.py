"""Named facts are found of whichever laws they are said, and a premise that is a theorem has to be one of them."""

import pytest

from banditproof.theory.errors import InvalidInput
from banditproof.verify.kernel.divergences import kl_at_most, of_every_event, renyi_at_most
from banditproof.verify.kernel.facts import FACTS, decomposed, facts_in, hahn_jordan, largest_singular_value
from banditproof.verify.kernel.meanings import event, function_of, private, there_is, when
from banditproof.verify.kernel.random_matrices import entries_are_told
from banditproof.verify.kernel.rules import eq, le, lt, mean, nat
from banditproof.verify.kernel.terms import All, Fn, Term, replace, term, var
from banditproof.verify.kernel.wording import has_divergences
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.general import general

MECHANISM = "all: every mechanism, a law of outputs for each data set"
HAHN, SINGULAR = FACTS
s, t, x = map(var, "stx")


def law(name, *points):
    return Term("law", (name, *map(term, points)))


def of_laws(P, Q):
    found = replace(decomposed(), {"U": Fn((), P), "V": Fn((), Q)})
    assert isinstance(found, All)
    return found


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        (hahn_jordan(), HAHN),
        (All(("V", "U"), (), decomposed()), HAHN),
        (of_laws(law("P"), law("Q")), HAHN),
        (of_laws(law("M", var("d")), law("M", var("e"))), HAHN),
        (of_laws(Term("dirac", (t,)), Term("mix", (("x",), law("P"), law("f", x)))), HAHN),
        (largest_singular_value(), SINGULAR),
    ],
)
def test_a_fact_is_found_of_any_laws(said, fact):
    assert facts_in(said) == (fact,)
    assert facts_in(All(("d",), (le(0, 1), said), le(0, 1))) == (fact,)


@pytest.mark.parametrize(
    "said",
    [
        All(("s", "t"), (), kl_at_most(law("N", s), law("G", t), (s - t) * (s - t) / 2)),
        of_laws(law("P"), law("Q")).then,
    ],
)
def test_what_says_something_else_is_no_fact(said):
    assert facts_in(said) == ()


def stated(*premises, says=private):
    return general(lambda M, s: when(*premises, then=says(M, s)), Domain.of(M=MECHANISM, s="[0, 1]"), {})


def test_what_is_assumed_beside_a_fact_has_to_hold_somewhere():
    known = largest_singular_value(), *entries_are_told(1)
    stated(*known, le(s, 1))
    with pytest.raises(InvalidInput, match="in which its premises hold"):
        stated(*known, lt(s, 0))


PINSKER = All(  # of all laws: true, and nobody has proved it here
    ("U", "V", "c"),
    (kl_at_most(law("U"), law("V"), var("c") * var("c") * 2),),
    of_every_event(lambda chance: (chance(law("U")) - chance(law("V")), "<=", var("c"))),
)
A = function_of("A", x)
SOME_EVENT = there_is(("A",), event("A"), eq(mean("x", law("M", 0), A), function_of("near", 0, 0) / 2))


@pytest.mark.parametrize("premise", [PINSKER, SOME_EVENT, le(0, 1)])
def test_a_premise_that_is_a_theorem_has_to_be_a_named_fact(premise):
    with pytest.raises(InvalidInput, match="assumes a theorem that is not a named fact"):
        stated(premise)
    with pytest.raises(InvalidInput, match="assumes a theorem that is not a named fact"):
        stated(says=lambda M, s: when(premise, then=private(M, s)))


AT = var("i")


@pytest.mark.parametrize(
    "premise",
    [
        lt(0, (1 + s) * (AT - 5) * (AT - 5)),
        le(Term("exp", (AT,)), 21 + s),
        le(Term("exp", (1000 * AT,)), 2 + s),
        eq(1 + 0 * s, Term("exp", (1000 * AT,))),
    ],
)
def test_a_premise_that_fails_at_a_number_of_some_size_is_refused(premise):
    with pytest.raises(InvalidInput, match="no small world was found"):
        stated(All(("i",), (nat(AT),), premise))


def test_a_body_makes_no_formula_of_its_own():
    domain = Domain.of(M=MECHANISM, s="[0, 1]")
    with pytest.raises(InvalidInput, match="must not make one of its own"):
        general(lambda M, s: when(All(("d",), (), le(s, M(var("d")))), then=private(M, s)), domain, {})


def test_words_of_divergences_say_that_they_are_suprema():
    two = law("P"), law("Q")
    assert all(map(has_divergences, (kl_at_most(*two, 1), when(renyi_at_most(*two, 2, 1), then=le(0, 1)))))
    assert not has_divergences(private(lambda d: law("M", d), 1))
