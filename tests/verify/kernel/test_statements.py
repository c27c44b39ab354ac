"""The statements of all documents are read together: what a room adds may be refused in another one."""

import pytest

from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER
from banditproof.claims.stating import stated_in_general
from banditproof.theory.errors import InvalidInput
from banditproof.verify.kernel.couplings import has_square
from banditproof.verify.kernel.facts import FACTS, facts_in
from banditproof.verify.kernel.meanings import AMBIENT, when
from banditproof.verify.kernel.mechanisms import assumes_a_model
from banditproof.verify.kernel.terms import check
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.general import general


def test_every_statement_is_read():
    """One test of what is asked of all, since reading them takes seconds, in every process that does so.

    No ambient name and no named fact is idle; and what is proved of the model of an algorithm rests on a claim of
    runs that follow it.
    """
    load()
    general_claims, refused, read = [c for c in REGISTER.values() if c.is_general], {}, {}
    for claim in general_claims:
        try:
            read[claim.id] = stated_in_general(claim).formula
        except InvalidInput as why:
            refused[claim.id] = str(why)
    assert refused == {}
    for formula in read.values():
        check(formula, {})
    assert {name for f in read.values() for name in f.params} >= {*AMBIENT}
    assert {fact for f in read.values() for fact in facts_in(f)} == {*FACTS}
    of_models = [i for i, f in read.items() if assumes_a_model(f)]
    assert of_models
    assert [i for i in of_models if not any(REGISTER[r].role == "model" for r in REGISTER[i].rests_on)] == []


def test_a_parameter_that_a_word_binds_is_refused():
    """Or the m of the statement and that of the word would be one number."""

    def body(N, m):
        return when(has_square(N(m), 1, m), then=(m, "<=", 1))

    domain = Domain.of(N="all: every family of laws, one for each mean", m="[0, inf)")
    with pytest.raises(InvalidInput, match="m is a parameter of the statement, but a word binds this name"):
        general(body, domain, {})
