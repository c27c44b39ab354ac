"""Five forms of the findings (page, text, Markdown, LaTeX, JSON): one order, and the same facts in each of them."""

import html
import json
import re

import pytest

from banditproof.claims.report.errata import as_json, as_latex, as_markdown
from banditproof.claims.report.findings import FAILS, SEVERITIES, findings
from banditproof.claims.report.html_page import pages
from banditproof.claims.report.telling import Told
from banditproof.claims.report.terminal import print_findings
from banditproof.claims.run.record import Settings
from tests.cases import rows, texts
from tests.claims.report.test_findings import at
from tests.claims.report.test_findings import record as briefly

TEXTS = texts(__file__)

FORMS = ("page", "text", "markdown", "latex", "json")
LONG = "a repair of very many words " * 20 + "which ends here"


MORE = dict(rows(TEXTS["more"], data=(1,)))


def record(claim, role="item", verdict="refuted", **more):
    """The whole record of a claim of the document 'rdp'."""
    own = {"paper": "rdp", "statement": f"the words of {claim}"}
    return briefly(claim, role=role, verdict=verdict, **{**MORE, **own, **more})


def mended(claim, **more):
    return {"repair": {"id": f"{claim}-mended", "role": "repair", "verdict": "supported"}} | more


RECORDS = [
    record("RDP-T9", verdict="supported", place="a theorem with three failures"),
    record(
        "RDP-T9/hypotheses",
        role="hypotheses",
        statement="something meets the assumption",
        counterexample=at(3, 3, 2),
        slip="the weight of the first failure",
        **mended("RDP-T9/hypotheses"),
    ),
    record(
        "RDP-T9/hypotheses-mended",
        role="repair",
        verdict="supported",
        statement=LONG,
        restricted="to the first phase of the runs",
    ),
    record(
        "RDP-T9/line",
        role="step",
        statement="a line of the proof",
        cause="RDP-T9/hypotheses",
        counterexample=at(3, 7, 2) | {"assumes": "the first half: and the second half of what is assumed"},
    ),
    record("RDP-T9/holding", role="part", verdict="proved", statement="a part that holds"),
    record(
        "RDP-T9/words",
        role="reading",
        statement="a reading that is false",
        reach="fails elsewhere",
        cause="RDP-T9/hypotheses",
    ),
    record("RDP-T10", verdict="supported"),
    record(
        "RDP-T10/hypotheses",
        role="hypotheses",
        statement="something meets the assumption",
        counterexample=at(3, 3, 2),
        slip="the weight of the first failure",
        cause="RDP-T9/hypotheses",
        **mended("RDP-T9/hypotheses"),
    ),
    record("RDP-T17", verdict="supported"),
    record(
        "RDP-T17/hypotheses",
        role="hypotheses",
        statement="something else meets it",
        counterexample=at(3, 3, 2),
        cause="RDP-T9/hypotheses",
        slip="the weight of the second failure",
    ),
    *(record(f"D-{k}", verdict="supported", rests_on=["RDP-T9"]) for k in range(20)),
    record("RDP-L2", kind="lemma", statement="a lemma of no use", counterexample=at(3, 3, 2)),
]
WORDS = {
    "RDP-T9/hypotheses": Told("the reason of the first", ("the notes of the first",), "how it was mended", "For x: 3."),
    "RDP-T9/line": Told("the reason of the second", (), "", "For y: 7."),
    "RDP-T17/hypotheses": Told("the reason of the third", (), "", "For z: 9."),
}


def facts(finding, said):
    """What a reader is told of a finding, whatever the form."""
    yield from (finding.severity, *finding.certainties, *finding.items, finding.command)
    yield from (*finding.holds, *finding.elsewhere, *finding.dependants, finding.stands)
    for failure in finding.failures:
        yield from (*failure.claims, failure.place, failure.fails, failure.statement, failure.certainty, failure.caveat)
    for failure in finding.told:
        told = said.get(failure.claim, Told("", (), "", failure.reach))
        yield from (told.why, *told.notes, told.corrected, told.counterexample)
        yield from (failure.slip, failure.repair, failure.repaired_by, failure.repaired, failure.checked)


def words_of(form):
    """A form as words alone: without tags, commands of LaTeX, signs of Markdown and marks of JSON."""
    return " ".join(re.sub(r"[\\{}`*\"]", "", html.unescape(re.sub(r"<[^>]*>", " ", form))).split())


@pytest.fixture(scope="module")
def forms():
    found = findings(RECORDS)
    written = {"markdown": as_markdown(found, WORDS), "latex": as_latex(found, WORDS), "json": as_json(found, WORDS)}
    with pytest.MonkeyPatch.context() as patch:
        printed = []
        patch.setattr("builtins.print", lambda *words: printed.append(" ".join(words)))
        print_findings(found, WORDS)
        patch.setattr("banditproof.claims.report.html_page.told", lambda *_: {i: WORDS.get(i, Told("")) for i in EVERY})
        run = {
            "command": "banditproof check",
            "profile": "quick",
            "root_seed": 0,
            "versions": {},
            "seconds": 1.0,
            "finished": "",
            "catalogue": {},
            "rested_on": [],
            "counts": NO_COUNTS,
        }
        results = {"schema": 1, "run": run, "claims": RECORDS}
        page = pages(results, [], Settings())["index.html"]
    written["page"] = page[page.index('<article class="finding"') : page.index('<section id="verdicts">')]
    return found, written | {"text": "\n".join(printed)}


EVERY = [r["id"] for r in RECORDS]
NO_COUNTS = dict(rows(TEXTS["no counts"], data=(1,)))


@pytest.mark.parametrize("form", FORMS)
def test_every_form_holds_every_fact_of_every_finding(forms, form):
    found, written = forms
    text = words_of(written[form])
    assert [f.severity for f in found] == ["A", "C"] and len(found[1].failures) == 4
    told = [fact for f in found for fact in facts(f, WORDS) if fact]
    assert len(told) > 60 and [fact for fact in told if words_of(fact) not in text] == []
    assert "…" not in text and "..." not in text and " more" not in text


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_the_most_serious_first(forms, form):
    found, written = forms
    text = words_of(written[form])
    assert [f.items[0] for f in found] == ["RDP-L2", "RDP-T9"]
    assert text.index("a lemma of no use") < text.index("something meets the assumption")
    grades = [list(SEVERITIES).index(f.severity) for f in found]
    assert grades == sorted(grades)


@pytest.mark.parametrize("form", FORMS)
def test_every_failure_says_which_theorem_it_is_about(forms, form):
    text = words_of(forms[1][form])
    for place in ("Theorem 9 and Theorem 10", "Theorem 17", "Theorem 9"):
        assert place in text
    assert FAILS["hypotheses"] in text


def test_a_finding_is_headed_by_the_certainty_of_its_leading_failure_and_the_others_say_theirs(forms):
    (finding,) = [f for f in forms[0] if f.items[0] == "RDP-T9"]
    assert finding.certainties == ("certified", "on trust", "by runs") and finding.certainty == "certified"
    assert {f.certainty for f in finding.surer_or_less} == {"on trust", "by runs"}
    assert json.loads(forms[1]["json"])[1]["certainty"] == finding.certainty
    assert all(word in forms[1][form] for word in finding.certainties for form in ("text", "markdown", "latex"))
