"""Every certificate of the register depends on every constant of its claim, and one that does not is refused."""

from fractions import Fraction

import pytest

from banditproof.claims.check import Check
from banditproof.claims.derivations import derivation, fact, facts_hold, for_every_value
from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER
from banditproof.claims.sets import Nonnegative, Positive
from banditproof.theory.numbers.numeric import working_precision
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.evidence import Certificate

load()
GATHERING = [c for c in REGISTER.values() if any(s.method == "certificate" for s in c.steps)]


def certificates(claim, **constants):
    """The certificates that a claim's certificate steps give with other constants, and why others are refused."""
    check = Check(claim.id, claim.domain, {**claim.constants, **constants}, relation=claim.relation)
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


def test_the_register_has_certificates_and_all_are_accepted():
    assert len(GATHERING) > 100
    refused = {c.id: why for c in GATHERING for found, why in [certificates(c)] if not found}
    assert not refused


def test_no_certificate_holds_for_constants_of_any_size():
    loose = []
    for claim in GATHERING:
        free = {n for e in certificates(claim)[0] for n in for_every_value(e.data, claim.constants)}
        numbers = {n: v for n, v in claim.constants.items() if isinstance(v, int | Fraction) and n not in free}
        loose += [f"{claim.id}: {n}" for n, v in numbers.items() if all(accepted(claim, n, m) for m in moved(v))]
    assert loose == []


def test_constants_shown_for_every_value_are_few_and_named():
    owners = [c for c in GATHERING if not c.same_check_as]
    free = {(c.item, n) for c in owners for e in certificates(c)[0] for n in for_every_value(e.data, c.constants)}
    assert free == {("BDP-DF7", "price")}  # the largest ratio is at u = 1/price, whatever the price


# The machinery, on facts of one line.


def below_a_multiple(x: Positive, factor=2):
    return x, "<=", factor * x


def silent(x: Positive):
    return x, "<=", 2 * x


def for_all_factors(x: Positive, factor: Nonnegative):
    return x, "<=", x + factor * x


def ignores_it(data, **constants):
    return facts_hold(data)


def checked(*facts, verifier=facts_hold, **constants):
    check = Check("TEST", Domain.of(x="(0, inf)"), constants)
    given = check.certificate(verifier, derivation(facts, "a joint"))
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
