"""Every certificate of the register depends on every constant of its claim, and one that does not is refused."""

from contextlib import suppress
from fractions import Fraction

import pytest

from banditproof.claims import Check, Nonnegative, Positive, load
from banditproof.claims.derivations import derivation, fact, facts_asked, facts_hold, for_every_value
from banditproof.claims.register import REGISTER, LateClaim
from banditproof.theory.numbers.numeric import working_precision
from banditproof.verify.proof.deduce import Stuck, search
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.evidence import Certificate

load()
CODE = [c for c in REGISTER.values() if not isinstance(c, LateClaim)]  # a paragraph has no certificate
GATHERING = [c for c in CODE if any(s.method == "certificate" for s in c.steps)]


def certificates(claim, **constants):
    """The certificates that a claim's certificate steps give with other constants, and why others are refused."""
    check = Check(claim.checked_as, claim.domain, {**claim.constants, **constants}, relation=claim.relation)
    with working_precision(128):
        for one in claim.steps:
            if one.method == "certificate":
                one(check, claim.function)
    return [e for e in check.evidence if isinstance(e, Certificate)], [why for _, why in check.attempts]


def accepted(claim, name, value):
    """Whether any certificate is given; numbers that make no sense in a formula are no reason for one."""
    try:
        return bool(certificates(claim, **{name: value})[0])
    except ArithmeticError:
        return False


def moved(value):
    """The constant x 1000 and / 1000; 1 and -1 for 0."""
    return (value * 1000, Fraction(value) / 1000) if value else (1, -1)


# The largest ratio is at u = 1/price, whatever the price.
SHOWN_FOR_EVERY_VALUE = {"BDP-DF7": {"price"}}


def originally(claim):
    """The item whose claim is checked."""
    return REGISTER[claim.same_check_as].item if claim.same_check_as else claim.item


def case(claim):
    marks = () if originally(claim) in SHOWN_FOR_EVERY_VALUE else pytest.mark.one_in(8)
    return pytest.param(claim, id=claim.id, marks=marks)


@pytest.mark.parametrize("claim", [case(claim) for claim in GATHERING])
def test_a_certificate_is_accepted_and_holds_for_no_constants_of_any_size(claim):
    found, refused = certificates(claim)
    assert found, refused
    free = {n for e in found for n in for_every_value(e.data, claim.constants)}
    assert free == SHOWN_FOR_EVERY_VALUE.get(originally(claim), set()), "few are shown for every value, and named"
    numbers = {n: v for n, v in claim.constants.items() if isinstance(v, int | Fraction) and n not in free}
    assert [n for n, v in numbers.items() if all(accepted(claim, n, m) for m in moved(v))] == []


def test_the_register_has_certificates():
    assert len(GATHERING) > 30


# The machinery, on facts of one line.


def below_a_multiple(x: Positive, factor=2):
    return x, "<=", factor * x


def silent(x: Positive):
    return x, "<=", 2 * x


def for_all_factors(x: Positive, factor: Nonnegative):
    return x, "<=", x + factor * x


def ignores_it(data, **constants):
    return facts_hold(data)


def trees_of(data, constants):
    """A tree for each fact that has one, as `banditproof prove` would store it."""
    trees = {}
    with facts_asked() as asked:
        facts_hold(data, **constants)
    for _, statement in asked:
        with suppress(Stuck):
            trees[statement.key] = search(statement)
    return trees


def checked(*facts, verifier=facts_hold, **constants):
    check = Check("TEST", Domain.of(x="(0, inf)"), constants)
    data = derivation(facts, "a joint")
    trees = trees_of(data, constants)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("banditproof.claims.check.stored", lambda claim_id: trees)
        given = check.certificate(verifier, data)
    return given, [why for _, why in check.attempts]


def test_a_certificate_that_takes_the_constant_is_judged_by_it():
    assert checked(fact(below_a_multiple), factor=2)[0]
    assert not checked(fact(below_a_multiple), factor=Fraction(1, 2))[0]


@pytest.mark.parametrize("verifier", [facts_hold, ignores_it])
def test_a_constant_that_no_fact_takes_is_named(verifier):
    given, why = checked(fact(silent), verifier=verifier, factor=2)
    assert not given
    assert "constant factor" in why[0]


def test_a_fact_for_every_value_of_a_constant_takes_those_of_its_set():
    assert checked(fact(for_all_factors), factor=1000)[0]
    assert not checked(fact(for_all_factors), factor=-1)[0]
