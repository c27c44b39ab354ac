"""The statements of all documents are read together: what a room adds may be refused in another one."""

import pytest

from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER
from banditproof.claims.stating import stated_in_general
from banditproof.theory.errors import InvalidInput
from banditproof.verify.kernel.bandits import half_squares
from banditproof.verify.kernel.meanings import when
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.general import general


def test_every_statement_is_read():
    load()
    refused = {}
    for claim in REGISTER.values():
        try:
            stated_in_general(claim)
        except InvalidInput as why:
            refused[claim.id] = str(why)
    assert refused == {}


def test_a_parameter_that_a_word_binds_is_refused():
    """Or the s of the statement and that of the word would be one number."""

    def body(N, s):
        return when(half_squares(lambda m: N(m * s)), then=(s, "<=", 1))

    domain = Domain.of(N="all: every family of laws, one for each mean", s="[0, inf)")
    with pytest.raises(InvalidInput, match="s is a parameter of the statement, but a word binds this name"):
        general(body, domain, {})
