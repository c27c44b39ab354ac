"""Questions that readers ask of the register, and the claim that has to come first."""

import pytest

from banditproof.claims import REGISTER, load
from banditproof.claims.searching import searched
from tests.cases import texts
from tests.cli.calling import status

TEXTS = texts(__file__)

ASKED = "\n" + TEXTS["asked"]
FIRST = dict(line.strip().split(": ") for line in ASKED.strip().splitlines())


@pytest.mark.one_in(15)
@pytest.mark.parametrize("question", FIRST)
def test_the_claim_that_is_meant_comes_first(question):
    load(())
    assert searched(question, REGISTER.values())[0].id == FIRST[question]


def test_words_that_nothing_has_find_nothing():
    load(())
    assert searched("zebra", REGISTER.values()) == searched("", REGISTER.values()) == []
    assert searched("Theorem 99.9", REGISTER.values()) == []


def test_explain_and_list_name_what_is_near(capsys):
    assert status(["explain", "KLUCB"]) == 2
    assert "did you mean ALG-A-ADAPKLUCB or " in (said := capsys.readouterr().err) and "--find KLUCB" in said
    assert status(["list", "--find", "AdaP-KLUCB"]) == 0
    assert capsys.readouterr().out.startswith("ALG-A-ADAPKLUCB ")
    assert status(["list", "--find", "zebra"]) == 2
