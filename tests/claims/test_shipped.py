"""The verdicts that the package brings along are those of a check, of the words that are claimed now."""

from dataclasses import replace

import pytest

from banditproof import theory
from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER
from banditproof.claims.report.shipped import of_record, shipped
from banditproof.claims.report.writing import IS, sentence
from banditproof.claims.run.examine import examine
from banditproof.claims.run.record import Settings
from banditproof.claims.run.results import assemble
from banditproof.claims.verdict import VERDICTS
from banditproof.theory import verdicts
from banditproof.theory.verdicts import UNKNOWN, Known, known, known_of

GAUSSIANS = [theory.Gaussian(1), theory.Gaussian(0)]
CITING = [
    theory.regret_lower_bound(["0.75", "0.7"], 1),
    theory.regret_lower_bound(GAUSSIANS, 1),
    theory.sample_complexity_lower_bound(["0.75", "0.7"], "0.1", epsilon=1),
    *(theory.minimax_lower_bound(horizon=9, span=1, **{size: 2}, epsilon=1) for size in ("arms", "dimension")),
    *(theory.minimax_lower_bound(horizon=9, span=1, **{size: 2}, rho=1) for size in ("arms", "dimension")),
]
SOURCES = sorted({bound.source for bounds in CITING for bound in bounds.values()} | {"TH-T4.18"})


@pytest.fixture(scope="module", autouse=True)
def loaded():
    load()


@pytest.mark.parametrize("source", SOURCES)
def test_a_bound_shows_the_verdict_on_its_source_in_its_words_of_today(source):
    assert shipped(REGISTER[source]) == known_of(source) != known_of("nobody's"), "run the check of it, and ship that"
    for bound in (b for bounds in CITING for b in bounds.values() if b.source == source):
        assert bound.to_dict()["verdict"] == bound.verdict == known()[source].verdict
        assert bool(bound.corrected) == (bound.verdict == "refuted") and bound.verdict in repr(bound)


@pytest.mark.parametrize("source", SOURCES)
def test_a_shipped_verdict_is_what_a_check_says(source):
    needed = [source]
    for name in needed:  # which grows
        needed += [c.id for c in REGISTER.values() if c.parent == name and c.id not in needed]
        needed += [i for i in REGISTER[name].rests_on if i in REGISTER and i not in needed]
    records = [examine(REGISTER[name], Settings()) for name in needed]
    found = {r["id"]: r for r in assemble(records, Settings(), "banditproof check", 0.0)["claims"]}
    assert of_record(REGISTER[source], found) == known()[source]


def test_other_words_have_no_verdict_and_every_verdict_has_its_sentence():
    claim = REGISTER["TH-L4.23"]
    said = sentence(claim, known()[claim.id])
    assert "page 96) is false: it fails at strategy = [guess, 2]" in said and "Corrected" not in said
    assert "; corrected: Lemma 4.23 for δ ≤ 1/2" in said
    assert shipped(replace(claim, statement=claim.statement + " Always.")) is None
    assert known_of("nobody's") == Known(UNKNOWN, "", "", "") and IS.keys() == {*VERDICTS}
    assert (*VERDICTS, UNKNOWN) == verdicts.VERDICTS
