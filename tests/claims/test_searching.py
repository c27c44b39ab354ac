"""Questions that readers ask of the register, and the claim that has to come first."""

import pytest

from banditproof.claims import REGISTER, load
from banditproof.claims.searching import searched
from tests.cli.calling import status

ASKED = """
    KLUCB: ALG-A-ADAPKLUCB
    AdaP-KLUCB: ALG-A-ADAPKLUCB
    adapklucb: ALG-A-ADAPKLUCB
    Theorem 5.4 thesis: ALG-T5.4
    Theorem 5.4: ALG-T5.4
    thesis theorem 5.4: ALG-T5.4
    ALG-T5.4: ALG-T5.4
    alg t5.4: ALG-T5.4
    DP-IMED regret: BDP-T4.3
    dp imed regret bound: BDP-T4.3
    tree mechanism: ALG-A-TREE
    advanced composition: ADV-L15
    double change: BDP-S3.6
    post-processing: BDP-PH.1
    FTPL: ADV-A4
    track and stop: TH-T2.32/strategies
    batched experts: ADV-A2
    BDP-T3.1: BDP-T3.1
    bdp t3.1: BDP-T3.1
    T3.1: BDP-T3.1
    laplace mechanism: BDP-TH.5
    gaussian mechanism: TH-T2.14
    stochastic linear lower bound: TH-T4.17
    minimax lower bound zcdp: ZCDP-T9
    DP-SE: ALG-A-DPSE
    concentration Laplace sum: BDP-P4.1
    Bretagnolle Huber: ALG-LC.20
    Bretagnolle-Huber: ALG-LC.20
    subsampling: MIA-SD.3a
    membership inference: MIA-T6.1
    membership: MIA-T6.1
    exponential mechanism: TH-S2.1g/exponential-mechanism
"""
FIRST = dict(line.strip().split(": ") for line in ASKED.strip().splitlines())


@pytest.mark.one_in(3)
@pytest.mark.parametrize("question", FIRST)
def test_the_claim_that_is_meant_comes_first(question):
    load(())
    assert searched(question, REGISTER.values())[0].id == FIRST[question]


def test_words_that_nothing_has_find_nothing():
    load(())
    assert searched("zebra", REGISTER.values()) == searched("", REGISTER.values()) == []


def test_explain_and_list_name_what_is_near(capsys):
    assert status(["explain", "KLUCB"]) == 2
    assert "did you mean ALG-A-ADAPKLUCB or " in (said := capsys.readouterr().err) and "--find KLUCB" in said
    assert status(["list", "--find", "AdaP-KLUCB"]) == 0
    assert capsys.readouterr().out.startswith("ALG-A-ADAPKLUCB ")
    assert status(["list", "--find", "zebra"]) == 2
