"""What falls if a claim falls: what rests on it, and the items that it decides."""

import pytest

from banditproof.claims import REGISTER, load
from banditproof.claims.falling import falling_with, links, links_of_records
from banditproof.claims.report.html_page import falling
from banditproof.cli import main
from tests.claims.report.test_findings import record

CLAIMS = [
    record("D-1", verdict="proved"),
    record("D-1/a", role="part", verdict="proved"),
    record("D-1/b", role="step", verdict="proved", rests_on=["D-3"]),
    record("D-2", verdict="proved", rests_on=["D-1"]),
    record("D-3", verdict="proved"),
    record("D-4", verdict="proved", rests_on=["D-4"]),  # no claim does; it must not go on for ever
]


@pytest.mark.parametrize(
    ("claim", "falls"),
    [
        ("D-1/a", ["D-1", "D-2"]),
        ("D-1", ["D-2"]),
        ("D-1/b", []),  # a step decides no item
        ("D-3", ["D-1/b"]),
        ("D-2", []),
        ("D-4", []),
    ],
)
def test_what_rests_on_it_falls_with_the_items_that_it_decides(claim, falls):
    assert falling_with(claim, links_of_records(CLAIMS)) == falls


def test_a_page_has_the_claims_that_others_of_its_document_rest_on():
    shown = [(basis["id"], [one["id"] for one in above]) for basis, above in falling("draft", CLAIMS)]
    assert shown == [("D-3", ["D-1/b"]), ("D-1", ["D-2"]), ("D-4", [])]
    assert falling("other", CLAIMS) == []


def test_every_registered_claim_falls_with_what_it_rests_on_and_explain_says_so(capsys):
    load()
    linked = links(REGISTER.values())
    resting = [(claim.id, basis) for claim in REGISTER.values() for basis in claim.rests_on if basis in REGISTER]
    assert resting and all(claim in falling_with(basis, linked) for claim, basis in resting)
    claim, basis = resting[0]
    with pytest.raises(SystemExit, match="0"):
        main(["explain", basis])
    (line,) = (row for row in capsys.readouterr().out.splitlines() if row.startswith("if it falls, so do: "))
    assert claim in line
