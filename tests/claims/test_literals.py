"""Numbers in the body of a relation: those that a check does not see are named, and nothing stays altered."""

import pytest

from banditproof.claims.register import REGISTER, load
from banditproof.claims.run.examine import Settings
from banditproof.claims.run.literals import blind_constants, blind_for, literals
from banditproof.cli.checking import print_unseen_numbers

DRAFT = r"""
    from fractions import Fraction
    from typing import Annotated, Any

    from banditproof.claims import Positive, Probability, argued, claim, enumerated, symbolic
    from banditproof.claims.derivations import fact


    def parabola(x):
        return 4 * x * (1 - x)


    @claim("SEEN-1", symbolic(), false={"top": "0.9"})
    def tight(x: Probability, top=1):
        "$4x(1-x)\\le<top>$"
        return parabola(x), "<=", top


    @claim("SEEN-2", enumerated(x=["1/10", "1/2"], rational=True), false={"top": "0.1"})
    def loose(x: Probability, top=1):
        "$x(1-x)\\le9$"
        return top * x * (1 - x), "<=", 9


    @claim("SEEN-3", enumerated(x=[1], rational=True), false={"top": "0.9"})
    def power(x: Positive, top=1):
        "$x^2\\le<top>x$ at one point"
        return x**2, "<=", top * x


    def doubled(x: Positive, factor=2):
        return x, "<=", factor * x


    @claim("SEEN-4", argued("the fact is more", fact(doubled)))
    def joined(x: Positive, factor=2):
        "$x\\le3x$ for a reason that does not know the 3"
        return x, "<=", factor * x / 2 * 3


    @claim("SEEN-5", enumerated(n=[0, 1, 2]), false={"more": "1.1"})
    def whole(n: Annotated[Any, "integer [0, 2]"], more=1):
        "$2n=<more>\\cdot2n$, the first of two numbers"
        return [2, 3][0] * n, "==", more * 2 * n
"""


@pytest.fixture(scope="module")
def draft(load_draft_once):
    load_draft_once(DRAFT, "draft_of_numbers")
    return {name: REGISTER[name] for name in (f"SEEN-{i}" for i in range(1, 6))}


@pytest.mark.parametrize(
    ("name", "blind"),
    [("SEEN-1", []), ("SEEN-2", ["1", "9"]), ("SEEN-3", ["exponent 2"]), ("SEEN-4", ["2", "3"]), ("SEEN-5", ["3"])],
)
def test_the_numbers_that_a_check_does_not_see(draft, name, blind):
    assert [str(one).partition(" (")[0] for one in blind_for(draft[name], Settings())] == blind


@pytest.mark.parametrize(
    ("name", "blind"), [("SEEN-1", []), ("SEEN-2", ["top"]), ("SEEN-3", []), ("SEEN-4", ["factor"]), ("SEEN-5", [])]
)
def test_the_constants_of_which_half_and_twice_pass(draft, name, blind):
    assert blind_constants(draft[name], Settings()) == blind


def test_numbers_are_those_of_the_relation_and_of_what_it_calls(draft):
    assert [(one.value, one.function.__name__) for one in literals(draft["SEEN-1"].relation)] == [
        (4, "parabola"),
        (1, "parabola"),
    ]


def test_selftest_prints_them(draft, capsys):
    print_unseen_numbers([draft["SEEN-1"], draft["SEEN-3"]], Settings())
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 1
    assert printed[0].startswith("not seen by the check of SEEN-3: exponent 2 (power, line ")


def test_nothing_stays_altered(draft):
    relation = draft["SEEN-1"].relation
    before = relation.__code__
    blind_for(draft["SEEN-1"], Settings())
    assert relation.__code__ is before
    assert relation(0.5) == (1.0, "<=", 1)


def test_every_number_of_a_certified_relation_is_seen():
    """A certificate takes the constants of its claim and knows nothing of a number in the body of its relation.

    Another step has to see it; a claim with simulations is not run here, and has no such number.
    """
    load()
    claims = [c for c in REGISTER.values() if c.relation and not c.same_check_as and c.id.partition("-")[0] != "SEEN"]
    certified = [c for c in claims if any(s.method == "certificate" for s in c.steps)]
    by_hand = {c.id: [one for one in literals(c.relation) if _stands_for_more(one, c)] for c in certified}
    simulated = [c.id for c in certified if c.studies and by_hand[c.id]]
    unseen = {c.id: blind for c in certified if not c.studies and (blind := blind_for(c, Settings(), by_hand[c.id]))}
    assert not simulated and not unseen, f"make these numbers constants that facts take: {simulated}, {unseen}"


def _stands_for_more(one, claim):
    """Halves, squares and differences from 1 belong to formulas; what is larger in the claim's body is printed."""
    return one.function is claim.relation and not one.exponent and one.value > 2
