"""The table of statements of a document: what each record registers, and what an error says."""

import sys
import warnings
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from banditproof.claims import load, load_module, register
from banditproof.claims.documents import _FILES, Document, catalogue
from banditproof.claims.loading import _misnamed
from banditproof.claims.register import PENDING, REGISTER
from banditproof.claims.run.record import Settings, key
from banditproof.claims.statements import register_statements
from banditproof.theory.errors import InvalidInput
from tests.cases import texts

TEXTS = texts(__file__)

load()

DRAFT = "\n" + TEXTS["draft"]

TABLE = "\n" + TEXTS["table"]


@pytest.fixture
def left_as_it_was():
    with patch.dict(REGISTER):
        yield
    PENDING.clear()
    _FILES.pop("rows", None)
    sys.modules.pop("rows_draft", None)
    catalogue.cache_clear()


@pytest.fixture
def rows(tmp_path, left_as_it_was):
    (tmp_path / "statements.toml").write_text(TABLE)
    (tmp_path / "rows_draft.py").write_text(DRAFT)
    load_module(tmp_path / "rows_draft.py")
    return {name.removeprefix("ROW-"): c for name, c in REGISTER.items() if name.startswith("ROW-")}


def test_every_kind_of_record_is_what_its_call_registers(rows):
    assert rows["1"].statement == r"A product is small: $x(1-x)\le\frac14$."
    assert str(rows["1"].domain) == "x in [0, 1]; x <= 1" and rows["1"].twins == ("TH-A1",)
    assert rows["1"].restricted == register.UNCOVERED.format("its parts") and rows["1"].check is None
    assert rows["2"].same_check_as == "ROW-1/quarter" and rows["2"].statement == rows["1/quarter"].statement
    assert rows["3/again"].role == "remark"
    assert [rows[f"3/{part}"].same_check_as for part in ("one", "two")] == ["ROW-1/quarter"] * 2
    assert rows["3"].twins == ("ROW-1", "ROW-2")
    assert rows["4"].notes == "it is the same\n\nOne line.\n\nAnother." and rows["4"].restricted is None
    assert rows["5"].not_checkable == ("cited result", "their text")


def test_a_record_stands_in_the_table_and_a_claim_in_its_module(rows, tmp_path):
    assert {Path(rows[name].file) for name in ("2", "3/again", "3/one", "5")} == {tmp_path / "statements.toml"}
    assert Path(rows["1/quarter"].file) == tmp_path / "rows_draft.py"


def test_the_table_is_read_once(rows):
    load()
    assert REGISTER["ROW-1"] is rows["1"]


@pytest.mark.parametrize(
    "changed",
    [
        {"statement": "x"},
        {"restricted": "to one"},
        {"rests_on": ("TH-A1",)},
        {"notes": "x"},
        {"same_check_as": "TH-A1"},
    ],
)
def test_a_stored_result_depends_on_the_record(rows, changed):
    assert key(replace(rows["4"], **changed), Settings()) != key(rows["4"], Settings())


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (
            '["ROW-1"]\nstatment = "x"',
            r"did you mean statement\? a key of ROW-1 in .*statements.toml must be one of statement, ",
        ),
        ('["ROW-1"]\nof = "TH-A1"\ndomain = {x = "[0, 1]"}', "a key of ROW-1 .* one of of, statement, .*got 'domain'"),
        ("ROW-1.2 = 'TH-A1'", "a key of ROW-1 .*got '2'"),
        ('["ROW-1"]\nplace = "x"', "ROW-1 .* a record with the key statement"),
        ('["ROW-1"]\nstatement = "x"\nreason = "cited result"', "ROW-1 .* a record with the key would_need"),
        ('["ROW-1"]\nstatement = 3', "statement of ROW-1 .* must be text, got 3"),
        ('["ROW-1"]\nstatement = "x"\ntwins = "TH-A1"', "twins of ROW-1 .* a list of ids"),
        ('["ROW-1"]\nstatement = "x"\ntwins = [1]', "twins of ROW-1 .* a list of ids"),
        ('["ROW-1"]\nstatement = "x"\ndisplayed = "no"', "displayed of ROW-1 .* true or false"),
        ('["ROW-1"]\nstatement = "x"\nparts = "TH-A1"', "parts of ROW-1 .* a table of texts"),
        ('"ROW-1" = 3', "ROW-1 .* a record, or the id of a claim that states the same, got 3"),
        ('["ROW-1"]\nstatement = "x"\nreason = "none"\nwould_need = "x"', "reason of ROW-1 must be one of"),
        ('["ROW-1"]\nstatement = "x"\ndomain = {x = "nothing"}', "the domain of ROW-1 in .*got 'nothing'"),
        ('["TH-A1"]\nstatement = "x"', "claim id of TH-A1 must be an id that is not registered yet"),
        ('["ROW-1"]\nstatement = ', r"a table in TOML .*at \[\"ROW-1\"\]"),
        ('"ROW-1" = "TH-A1"\n["ROW-1"]\nstatement = "x"', "a table in TOML .*ROW-1"),
    ],
)
def test_an_error_names_the_record_and_what_is_allowed(tmp_path, left_as_it_was, table, said):
    (tmp_path / "statements.toml").write_text(table)
    before = dict(REGISTER)
    with pytest.raises(InvalidInput, match=said):
        register_statements(Document("rows", "Rows", statements=tmp_path / "statements.toml"))
    assert before == REGISTER and not PENDING


HEAD = "id|aliases|kind|title|page\n"
ODD = {
    "": "a table that also has the columns aliases, id, kind, title, with tabs between its cells",
    "id,aliases,kind,title\n": "with tabs between its cells",
    f"{HEAD}OWN-1||lemma|a|1\nOWN-1||lemma|a|1\n": "ids named once; OWN-1 is twice in its catalogue",
    f"{HEAD}BDP-T3.1||lemma|a|1\n": "that no other document uses; BDP-T3.1 is bernoulli-dp's",
    f"{HEAD}OWN-1||theroem|a|1": "own has the kind 'theroem': did you mean theorem?",
    f"{HEAD}OWN-1||lemma|a": "the row of OWN-1 has more or fewer cells than the heading",
    f"{HEAD}OWN-1||lemma|a|1|2": "the row of OWN-1 has more or fewer cells than the heading",
    **dict.fromkeys((f"{HEAD}OWN-1||lemma|a|", f"{HEAD}OWN-1||conjecture|a|1", f"{HEAD}OWN-1||theorem|a|1")),
}


@pytest.mark.parametrize("text", ODD)
def test_what_is_odd_in_a_catalogue_is_told(text, tmp_path, monkeypatch):
    (tmp_path / "own.tsv").write_text(text.replace("|", "\t"))
    own = Document("own", "Own", catalogue=tmp_path / "own.tsv")
    monkeypatch.setattr("banditproof.claims.documents._FILES", {"own": own})
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            catalogue.__wrapped__()
        except InvalidInput as error:
            told = [error]
    assert len(told) == (ODD[text] is not None)
    assert all(ODD[text] in str(getattr(one, "message", one)) for one in told)


def test_a_claim_without_an_item_is_told_where_an_item_has_no_claim():
    known = {name: item for name, item in catalogue().items() if name != "BDP-T3.1"}
    with patch("banditproof.claims.loading.catalogue", lambda: known | {"BDP-T31": None}):
        assert list(_misnamed()) == ["BDP-T3.1 is in no catalogue, and BDP-T31 has no claim: is it meant?"]
