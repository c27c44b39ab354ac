"""A repair that changes one thing is that change: the original's relation at other constants or on another domain."""

from unittest.mock import patch

import pytest

from banditproof.claims import REGISTER, Natural, Positive, claim, enumerated, examine, fails_at, load, repaired, step
from banditproof.claims.run.record import Settings
from banditproof.claims.run.selftest import try_mutations
from banditproof.claims.stating import stated
from banditproof.theory.errors import InvalidInput

found = step(lambda check, relation: check.deduction(relation, 60), "deduction")

load()
ORDERED = ["y <= x"]


def doubled(x: Natural, y: Positive, factor=2, shift=0):
    "$2x\\ge y$ for $x\\le y\\le 3x$, $x\\le 5$"
    return factor * x + shift, ">=", y


@pytest.fixture(autouse=True)
def original():
    with patch.dict(REGISTER):
        claim("MEND-1/doubled", fails_at(x=1, y=3), where=["x <= y", "y <= 3 * x", "x <= 5"])(doubled)
        yield REGISTER["MEND-1/doubled"]


def with_a_shift(shift=5):
    """$2x+5\\ge y$.

    For readers of the code.
    """


def equal_ones(y: Natural, factor=1):
    "$x\\ge y$"


def of_another_variable(z: Positive):
    "for $z$"


def misspelt(shiff=1):
    "for a constant that there is not"


def unchanged(shift=0):
    "as it was"


def mended(change, *steps, of="MEND-1/doubled", **more):
    repaired("MEND-1/mended", of, *steps or [found], **more)(change)
    return REGISTER["MEND-1/mended"]


def test_a_changed_constant_is_all_that_changes(original):
    mend = mended(with_a_shift)
    assert mend.domain == original.domain and mend.relation is original.relation
    assert list(mend.constants.items()) == [("factor", 2), ("shift", 5)]
    assert (mend.repairs, mend.role) == (original.id, "repair")
    assert (mend.statement, mend.notes) == ("$2x+5\\ge y$.", "For readers of the code.")
    assert [dict(m.constants) for m in mend.mutations] == [{"shift": 0}], "what was printed is the false variant"
    assert original.constants["shift"] == 0


def test_a_variable_with_a_value_is_a_constant_and_a_constant_with_a_set_a_variable():
    def at_one(x: Natural, factor: Positive, y=1):
        "for $y=1$ and every factor"

    mend = mended(at_one, where=[])
    assert list(mend.domain.sets) == ["x", "factor"] and dict(mend.constants) == {"shift": 0, "y": 1}
    assert str(stated(mend)) == "factor x >= 1" and mend.mutations == ()


def test_false_variants_that_are_given_stand_for_what_was_printed():
    assert [dict(m.constants) for m in mended(with_a_shift, false={"factor": 1}).mutations] == [{"factor": 1}]


def test_the_repair_is_the_statement_that_is_written_out():
    @claim("MEND-1/written", found, where=ORDERED)
    def written(x: Natural, y: Natural, factor=1, shift=0):
        "$x\\ge y$"
        return factor * x + shift, ">=", y

    mend = mended(equal_ones, where=ORDERED)
    assert mend.domain == REGISTER["MEND-1/written"].domain
    assert stated(mend) == stated(REGISTER["MEND-1/written"]) != stated(REGISTER["MEND-1/doubled"])


def test_a_reading_of_another_set_takes_over_the_relation_and_the_domain_alone():
    claim("MEND-1/reading", found, of="MEND-1/doubled", role="reading")(equal_ones)
    one, original = REGISTER["MEND-1/reading"], REGISTER["MEND-1/doubled"]
    assert one.relation is original.relation and one.domain.where == original.domain.where
    assert str(stated(one)) == "x >= y" and (one.role, one.repairs, one.mutations) == ("reading", None, ())


def test_what_was_printed_comes_out_refuted(original):
    assert examine(original, Settings())["verdict"] == "refuted"
    mend = mended(with_a_shift, enumerated([{"x": 1, "y": 3}, {"x": 2, "y": 6}], rational=True))
    assert examine(mend, Settings())["verdict"] == "supported"
    assert [m["caught"] for m in try_mutations(mend, Settings())] == [True]


@pytest.mark.parametrize(
    ("of", "change", "said"),
    [
        ("MEND-1/none", with_a_shift, "what MEND-1/mended is of must be a claim with a relation, registered before"),
        ("BDP-LF.5", with_a_shift, "what MEND-1/mended is of must be a claim with a relation"),  # its parts decide it
        ("MEND-1/doubled", misspelt, r"did you mean shift\? .*changes must be one of x, y, factor, shift"),
        (
            "MEND-1/doubled",
            of_another_variable,
            "what MEND-1/mended changes must be one of x, y, factor, shift, got 'z'",
        ),
        ("MEND-1/doubled", unchanged, "MEND-1/mended changes must be a constant, set or constraint that differs"),
    ],
)
def test_a_repair_of_nothing_and_a_change_of_nothing_are_refused(of, change, said):
    with pytest.raises(InvalidInput, match=said):
        mended(change, of=of)
    assert "MEND-1/mended" not in REGISTER
