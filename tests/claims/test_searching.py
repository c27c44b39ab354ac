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
    Theorem 5.3 of the thesis: ALG-T5.3
    theorem 4.15 thesis: TH-T4.15
    Theorem 4.24: TH-T4.24
    regret of AdaP-UCB: ALG-T5.3
    the regret of AdaP-UCB: ALG-T5.3
    AdaC-UCB zCDP regret: ZCDP-T10
    regret lower bound Bernoulli: BDP-T3.1
    lower bound d_epsilon: BDP-T3.1
    sample complexity lower bound: TH-T2.32
    Pinsker's inequality: ALG-LC.21
    basic composition: TH-P2.9
    parallel composition zcdp: ZCDP-L1
    pure DP to zCDP conversion: ZCDP-S4
    randomised response: TH-P2.6/randomised-response
    Hoeffding: BDP-LH.6
    batched bandit to experts: ADV-T6
    EXP4 private: ADV-T9
    GOPE: ALG-A-GOPE
    DP-KLUCB: BDP-T4.3
    privacy loss: TH-D2.5
    membership advantage: MIA-T6.1
    AdaR-UCB: RDP-T4
    Lai Robbins: BDP-EQ3
    AdaP-TT: ALG-A-ADAPTT
    top two: TH-A3
    figure 5.2: ALG-E5.2
    lemma 20: ADV-L20
    minimax lower bound pure DP: TH-T4.15
    sparse vector: TH-S2.1g/sparse-vector
    theorem 8 rdp: RDP-T8
    divergence decomposition: ALG-LC.19
    best arm identification lower bound: TH-T2.32
    private best arm identification lower bound: TH-T4.24
    chi square concentration: ALG-LC.28
    private linear bandits regret: ALG-T5.12
    likelihood ratio score limit: MIA-T6.3
    continuous mapping theorem: TH-T2.36
    testing interpretation of DP: TH-T2.4
    hazard rate: ADV-L18
    EXP3: ADV-L23
    leakage of noisy mean: MIA-T6.5
    sample complexity of AdaP-TT: ALG-T5.20
    thm 4.24: TH-T4.24
    Prop. 3.13: TH-P3.13
    group privacy zcdp: ZCDP-T1
    Kiefer-Wolfowitz zcdp: ZCDP-T2
    regret of AdaR-GOPE: RDP-T8
    confidence ellipsoid rdp: RDP-T17
    interactive DP versus table DP: TH-P3.13
    hypothesis testing form of DP: TH-T2.4
    transportation lemma: TH-L4.23
    private FTPL geometric resampling: ADV-A4
    sup-norm of Laplace vectors: ADV-L20
    truncated non-negative: ADV-D9
    Lindeberg Feller: TH-T2.40
"""
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
