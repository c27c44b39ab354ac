"""What keeps an item from being proved: a part that says less than is printed, or rests on a claim that is weaker."""

import copy
import json
from unittest.mock import patch

import pytest

from banditproof.claims import examine, load
from banditproof.claims.missing import MISSING, census, in_a_line, of_numbers, over_numbers
from banditproof.claims.register import OWN_FORMULA, PASSAGES, REGISTER, restate, settle
from banditproof.claims.run.record import Settings
from banditproof.claims.run.results import assemble, caveat, certainty, combined
from banditproof.claims.run.runner import run
from banditproof.claims.verdict import MODEL, NAMED, Verdict, as_model, combine, no_stronger
from banditproof.cli.rechecking import recheck_results
from banditproof.theory.errors import InvalidInput
from banditproof.verify.proof.domain import Domain
from tests.cases import rows, texts

TEXTS = texts(__file__)

LINE = Domain.of(x="[0, 1]")
NAMES = ("proved", "supported", "undecided", "refuted", "not checkable")
PROVED, SUPPORTED, UNDECIDED, REFUTED, UNCHECKABLE = (Verdict(name, "r") for name in NAMES)
OF_MODEL = Verdict(MODEL, "r")
PART = ("c/a", "part", LINE, PROVED)

DRAFT = "\n" + TEXTS["draft"]

# What is missing of a supported item, with the claim that lacks it.
MISSING_OF = {
    "HELD-1": [("narrowed", "HELD-1")],
    "HELD-2": [("whole", "HELD-2"), ("narrowed", "HELD-2/first")],
    "HELD-3": [("narrowed", "HELD-3")],
    "HELD-6": [("basis", "HELD-6")],
    "HELD-7": [],
    "HELD-9": [],
    "HELD-26": [("basis", "HELD-26")] * 2,
    "HELD-10": [("whole", "HELD-10")],
    "HELD-12": [("whole", "HELD-12")],
    "HELD-15": [("everything", "HELD-15")],
    "HELD-16": [("program", "HELD-16")],
    "HELD-17": [("proof", "HELD-17")],
    "HELD-18": [("words", "HELD-18")],
    "HELD-19": [("region", "HELD-19")],
    "HELD-20": [("uncheckable", "HELD-20/cited")],
    "HELD-21": [("region", "HELD-21")],
    "HELD-22": [("proof", "HELD-22/edge-at-0")],
    "HELD-23": [("unmet", "HELD-23"), ("proof", "HELD-23/first")],
    "HELD-24": [("whole", "HELD-24")],
    "HELD-25": [],
}

EXPECTED = dict(rows(TEXTS["expected"]))


@pytest.fixture(scope="module")
def document(load_draft_once):
    load()
    module = load_draft_once(DRAFT, "draft_of_what_is_held")
    claims = [c for c in REGISTER.values() if c.id.startswith("HELD-")]
    records = run(claims, Settings(), module.parent / "out", modules=[module], workers=1)
    return assemble(records, Settings(), "check", 0.0, {"claims": [c.id for c in claims]}), module


@pytest.fixture
def as_it_was():
    load()
    with patch.dict(REGISTER):
        yield


def record_of(results, name):
    return next(r for r in results["claims"] if r["id"] == name)


@pytest.mark.parametrize("name", EXPECTED)
def test_the_verdict_of(document, name):
    assert record_of(document[0], name)["verdict"] == EXPECTED[name]


def test_a_refutation_is_certified_while_what_it_rests_on_is_proved(document):
    """A restriction is no proof of all that is said, and a claim that was not looked at is none either."""
    on_proofs, on_others = (record_of(document[0], name) for name in ("HELD-9", "HELD-26"))
    assert (certainty(on_proofs), caveat(on_proofs)) == ("certified", "it uses HELD-8, proved by machine")
    assert certainty(on_others) == "on trust"
    said = "it rests on {}, which is not proved"
    assert caveat(on_others) == "; ".join(map(said.format, ("HELD-2/first", "HELD-5")))
    alone = combined([{**copy.deepcopy(on_proofs), "missing": []}])
    assert (certainty(alone[0]), caveat(alone[0])) == ("on trust", said.format("HELD-8"))


def test_the_reach_says_what_holds_down(document):
    assert record_of(document[0], "HELD-1")["reach"].endswith("; the check is restricted to one coordinate")
    assert (
        "; the check is restricted to one coordinate, and to its parts, and "
        in record_of(document[0], "HELD-2")["reach"]
    )
    assert record_of(document[0], "HELD-4")["reach"].endswith("; it rests on HELD-5, which is refuted")
    for name, decider in (("HELD-10", "its parts"), ("HELD-12", "what HELD-11/only says")):
        assert record_of(document[0], name)["reach"].endswith(
            f"to {decider}, and it is not established that this is the whole statement"
        )


@pytest.mark.parametrize("name", MISSING_OF)
def test_what_is_missing_for_a_proof(document, name):
    record = record_of(document[0], name)
    assert [(e["what"], e["claim"]) for e in record["missing"]] == MISSING_OF[name], record["reach"]


def test_what_is_missing_is_said_in_a_line_and_counted(document):
    results = document[0]
    assert in_a_line(record_of(results, "HELD-6")) == "HELD-6: it rests on HELD-2, which is not proved"
    assert "every law on two points, but only examples" in in_a_line(record_of(results, "HELD-15"))
    counts = {what: (some, alone) for what, some, alone in census(results["claims"])}
    supported = [name for name, lacks in MISSING_OF.items() if lacks]
    assert counts["whole"] == (4, 3) and counts["everything"] == (1, 1)
    assert sum(alone for _, alone in counts.values()) == sum(len(MISSING_OF[name]) == 1 for name in supported)


def test_every_claim_over_numbers_that_is_no_more_than_supported_says_why(document):
    over = [r for r in document[0]["claims"] if over_numbers(r) and r["verdict"] in ("supported", MODEL, NAMED)]
    by_word = of_numbers(document[0]["claims"])
    assert by_word and set(by_word) <= set(MISSING)
    assert sorted(r["id"] for found in by_word.values() for r in found) == sorted(r["id"] for r in over)
    assert "HELD-15" not in {r["id"] for r in over}  # it speaks of laws


def test_an_item_says_that_its_hypotheses_are_refuted(document):
    record = record_of(document[0], "HELD-23")
    assert record["verdict"] == "supported"
    assert in_a_line(record).startswith("HELD-23: nothing satisfies its hypotheses, as HELD-23/hypotheses shows")


def test_the_own_verdict_is_that_of_the_evidence(document):
    assert record_of(document[0], "HELD-4/algebra")["own_verdict"] == "proved"


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("HELD-10", {"restricted": None, "verdict": "proved"}),
        ("HELD-2/first", {"restricted": None}),
        ("HELD-2", {"verdict": "proved"}),
        ("HELD-4/algebra", {"rests_on": [], "verdict": "proved"}),
        ("HELD-4/algebra", {"verdict": "proved"}),
        ("HELD-6", {"verdict": "proved"}),
    ],
)
def test_recheck_refuses_a_document_without_what_holds_down(document, tmp_path, name, values):
    results, module = copy.deepcopy(document[0]), document[1]
    path = tmp_path / "results.json"
    path.write_text(json.dumps(results))
    assert recheck_results(path, [module]) == 0
    record_of(results, name).update(values)
    path.write_text(json.dumps(results))
    assert recheck_results(path, [module]) == 1


@pytest.mark.parametrize(
    ("restricted", "parts", "verdict"),
    [
        ({}, [PART], "proved"),
        ({"c/a": "to one"}, [PART], "supported"),
        ({"": "to one"}, [PART], "supported"),
        ({"c/b": "to one"}, [PART, ("c/b", "step", LINE, PROVED)], "proved"),
        ({"c/a": "to one"}, [("c/a", "part", LINE, REFUTED)], "refuted"),
        ({"c/a": "to one"}, [("c/a", "part", LINE, UNDECIDED)], "undecided"),
    ],
)
def test_an_item_of_which_less_is_shown_is_not_proved(restricted, parts, verdict):
    assert combine(None, parts, LINE, restricted).name == verdict


@pytest.mark.parametrize(
    ("verdict", "bases", "held"),
    [
        (PROVED, [], PROVED),
        (PROVED, [PROVED], PROVED),
        (PROVED, [SUPPORTED, PROVED], SUPPORTED),
        (PROVED, [UNDECIDED, SUPPORTED], UNDECIDED),
        (PROVED, [REFUTED], UNDECIDED),
        (PROVED, [UNCHECKABLE], SUPPORTED),
        (PROVED, [None], SUPPORTED),
        (SUPPORTED, [PROVED], SUPPORTED),
        (SUPPORTED, [REFUTED], UNDECIDED),
        (REFUTED, [SUPPORTED], REFUTED),
        (UNCHECKABLE, [REFUTED], UNCHECKABLE),
        (PROVED, [as_model(SUPPORTED), PROVED], OF_MODEL),
        (PROVED, [as_model(PROVED)], OF_MODEL),
        (PROVED, [as_model(SUPPORTED), SUPPORTED], SUPPORTED),
        (PROVED, [as_model(REFUTED)], UNDECIDED),
        (PROVED, [as_model(UNDECIDED)], UNDECIDED),
        (PROVED, [OF_MODEL], OF_MODEL),
        (OF_MODEL, [SUPPORTED], SUPPORTED),
        (OF_MODEL, [PROVED], OF_MODEL),
        (SUPPORTED, [as_model(SUPPORTED)], SUPPORTED),
    ],
)
def test_nothing_is_stronger_than_what_it_rests_on(verdict, bases, held):
    assert no_stronger(verdict, [(f"c/{i}", basis) for i, basis in enumerate(bases)]).name == held.name


@pytest.mark.parametrize(
    ("other", "verdict"),
    [
        (("c/b", "part", LINE, PROVED), MODEL),
        (("c/b", "part", LINE, SUPPORTED), "supported"),
        (("c/b", "part", LINE, REFUTED), "refuted"),
        (("c/b", "model", LINE, SUPPORTED), MODEL),
        (("c/b", "part", LINE, UNCHECKABLE), "supported"),
    ],
)
def test_an_item_of_an_algorithm_is_proved_from_a_model_at_most(other, verdict):
    parts = [("c/a", "part", LINE, OF_MODEL), other]
    assert combine(None, parts, LINE).name == verdict
    assert combine(None, parts, LINE, {"": "to one"}).name == (verdict if verdict == "refuted" else "supported")
    assert combine(None, parts, Domain.of(x="[0, 2]")).name == (verdict if verdict == "refuted" else "supported")


def test_a_model_that_runs_do_not_follow_shows_nothing():
    held = no_stronger(PROVED, [("c/model", as_model(REFUTED))])
    assert held.name == "undecided" and "refuted" in held.reach
    assert "follows in runs" in no_stronger(PROVED, [("c/model", as_model(SUPPORTED))]).reach


@pytest.mark.usefixtures("as_it_was")
@pytest.mark.parametrize(("bases", "verdict"), [([], "supported"), (["ALG-S5.1d/recorded-runs"], "proved")])
def test_what_is_proved_of_a_model_needs_a_claim_that_it_is_followed(bases, verdict):
    """Whoever leaves it out has shown nothing of his algorithm; with it, no_stronger makes it proved from a model."""
    restate("ALG-S5.1d/again", "ALG-S5.1d/private", role="remark", rests_on=bases)
    settle()
    assert examine(REGISTER["ALG-S5.1d/again"], Settings())["verdict"] == verdict


@pytest.mark.usefixtures("as_it_was")
@pytest.mark.parametrize("basis", ["HELD-nothing", "TH-S2.1a", "TH-S2.2e"])
def test_what_a_claim_rests_on_exists_and_does_not_rest_on_it(basis):
    restate("TH-S2.2e/held", "TH-S2.2e", rests_on=[basis])
    if basis == "TH-S2.1a":
        settle()
        assert REGISTER["TH-S2.2e/held"].rests_on == ("TH-S2.1a",)
        return
    with pytest.raises(InvalidInput, match="does not rest on it"):
        settle()


@pytest.mark.usefixtures("as_it_was")
def test_a_restatement_takes_over_what_holds_down_unless_it_says_otherwise():
    restate("TH-S2.2e/first", "ADV-D4/exact-laws", role="remark")
    restate("TH-S2.2e/second", "ADV-D4/exact-laws", role="remark", restricted="", rests_on=["TH-S2.1a"])
    settle()
    assert REGISTER["ADV-D4/exact-laws"].restricted == REGISTER["TH-S2.2e/first"].restricted == "to two experts"
    assert REGISTER["TH-S2.2e/second"].restricted is None
    assert REGISTER["TH-S2.2e/second"].rests_on == ("TH-S2.1a",)


def test_what_a_formula_says_of_a_passage_is_compared_with_the_print():
    """An item of running text is proved only where somebody wrote why its formula is all of it."""
    passages = [c for c in REGISTER.values() if c.role == "item" and c.kind in PASSAGES and c.is_general]
    assert len(passages) > 20
    for claim in passages:
        assert claim.restricted or claim.notes.strip(), claim.id
    assert REGISTER["MIA-D7.1.1"].restricted == OWN_FORMULA  # of the printed definitions it says one
    assert REGISTER["TH-D3.9"].restricted is None
